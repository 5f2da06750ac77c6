"""A closed ledger holds no file open, whatever door its protocols were reached through."""

from __future__ import annotations

import os
from itertools import count

import pytest

import varves
from varves.values.written import PROTOCOLS

FD = "/proc/self/fd"
NUMBERS = count()
pytestmark = pytest.mark.skipif(
    not os.path.isdir(FD), reason="the system does not say what is open"
)


def held(project) -> set[str]:
    """Return the files below a project that this process has open."""
    found = set()
    for name in os.listdir(FD):
        try:
            found.add(os.readlink(f"{FD}/{name}"))
        except OSError:
            continue  # the listing's own
    return {path for path in found if path.startswith(f"{project}/")}


def use(ledger: varves.Ledger) -> None:
    """Let every protocol look at its files."""
    for name in PROTOCOLS:
        getattr(ledger, name).validate()
    ledger.scoped.write("project", type="convention", content=f"Rule {next(NUMBERS)}")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("origin", ["agent", "direct", "tool"])
def test_closing_a_ledger_closes_what_its_protocols_opened(project, origin):
    ledger = varves.open(str(project))
    ledger.remember("Something")
    seen = [ledger.through(origin), ledger.through(origin).through("agent"), ledger]
    for one in seen:
        use(one)
    assert held(project), "they keep their files open between two calls"
    ledger.close()
    assert held(project) == set()
    use(seen[0])  # it may be used again
    ledger.close()
    assert held(project) == set()


def test_a_closed_view_lets_go_of_its_own_files_and_leaves_the_ledger_open(project):
    with varves.open(str(project)) as ledger:
        ledger.remember("Something")
        before = held(project)
        with ledger.through("agent") as seen:
            use(seen)
        assert {path for path in held(project) - before if "views" in path} == set()
        assert ledger.recall("Something").hits
    assert held(project) == set()


def test_many_doors_do_not_add_up(project):
    """A server asks for one with every call."""
    with varves.open(str(project)) as ledger:
        ledger.remember("Something")
        use(ledger.through("tool"))
        before = len(os.listdir(FD))
        for _ in range(20):
            ledger.through("tool").scoped.validate()
        assert len(os.listdir(FD)) <= before + 2

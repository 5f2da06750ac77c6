"""What is exported and taken in with trust is the same memory again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import varves as package
from tests.figures import full_size
from tests.git import conftest as memory
from tests.properties.shelf import index_dump
from tests.properties.test_purge import a_history, lay_out
from tests.properties.world import HOUR, START, Watchmaker
from tests.rooms import room
from varves.events.remnants import holds, purged_by

if TYPE_CHECKING:
    from pathlib import Path

tmp_path = memory.tmp_path
ROUNDS = 100 if full_size() else 8


def opened(root: Path) -> package.Ledger:
    root.mkdir(exist_ok=True)
    return package.open(root, clock=Watchmaker(START + 3 * HOUR))


def dumped(ledger: package.Ledger) -> str:
    with room(ledger.root, clock=Watchmaker(START + 3 * HOUR)) as seen:
        return index_dump(seen.fresh().index, START)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_export_and_trusting_import_give_equal_dumps(project, tmp_path, seed):
    """Ids, order and stamps as they were, purges and private ones too; twice changes nothing."""
    chance, group = a_history(seed + 30_000)
    clone = group[0]
    clone.erase()
    lay_out(project, clone, chance)
    with opened(project) as here, opened(tmp_path / "there") as there:
        lines = here.export(private=True)
        path = tmp_path / "out.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        done = there.import_("jsonl", str(path), trust=True)
        assert (done.refused, done.known) == ((), 0)
        assert done.written == len(here.log())
        assert dumped(there) == dumped(here)
        assert [e.as_dict() for e in there.log()] == [e.as_dict() for e in here.log()]
        again = there.import_("jsonl", str(path), trust=True)
        assert (again.written, again.known) == (0, done.written)
        assert there.export(private=True) == lines
        check = there.verify(deep=True)
        assert check.ok, check.damage


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_whatever_is_taken_in_a_purged_memory_does_not_come_back(project, tmp_path, seed):
    """Both ledgers purge on their own, and none has finished; then each takes in the other's."""
    chance, group = a_history(seed + 40_000)
    roots = [project, tmp_path / "there"]
    roots[1].mkdir()
    ledgers = []
    for root, clone in zip(roots, group, strict=False):
        lay_out(root, clone, chance)
        ledgers.append(opened(root))
    files = []
    for number, ledger in enumerate(ledgers):
        files.append(tmp_path / f"{number}.jsonl")
        lines = "".join(f"{line}\n" for line in ledger.export(private=True))
        files[-1].write_text(lines, encoding="utf-8")
    barred = purged_by(event for ledger in ledgers for event in ledger.log())
    for trust in (True, False):
        for ledger, path in zip(ledgers, reversed(files), strict=True):
            ledger.import_("jsonl", str(path), trust=trust)
    for ledger in ledgers:
        assert not barred & {m.id for m in ledger.list(status="all")}
        ledger.mend()
        assert not any(holds(event, barred) for event in ledger.log())
        check = ledger.verify(deep=True)
        assert check.ok, check.damage
        ledger.close()


def test_the_histories_hold_what_they_are_meant_to():
    """Else the laws above would be proved of nothing much."""
    kinds, logs = set(), set()
    for seed in range(40):
        _, group = a_history(seed + 30_000)
        kinds |= {event.kind for event in group[0].events.values()}
        logs |= {event.log for event in group[0].events.values()}
    assert logs == {"project", "private"}
    wanted = ("recorded", "superseded", "forgotten", "restored", "revised", "shared", "purged")
    assert {f"memory.{kind}" for kind in wanted} <= kinds
    assert {"conflict.resolved", "event.undone"} <= kinds

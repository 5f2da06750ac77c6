"""What has expired is current nowhere: not told, exported, shared or in dispute."""

from __future__ import annotations

import pytest

import varves
from tests.properties.world import START, Watchmaker
from varves.conflicts import finders
from varves.errors import Refused

DAY_MS = 86_400_000


@pytest.fixture
def clock():
    return Watchmaker(START)


@pytest.fixture
def ledger(project, clock):
    with varves.open(str(project), clock=clock) as opened:
        yield opened


def test_an_export_in_markdown_leaves_out_what_has_expired(ledger, clock):
    ledger.remember("The gate code is on the board", ttl="1d")
    ledger.remember("The gate is green")
    assert "board" in "\n".join(ledger.export(format="markdown"))
    clock.ms += 2 * DAY_MS
    told = "\n".join(ledger.export(format="markdown"))
    assert "green" in told
    assert "board" not in told


def test_what_has_expired_is_not_shared_until_it_is_restored(ledger, clock):
    name = ledger.remember("The gate code is on the board", ttl="1d", private=True).id
    clock.ms += 2 * DAY_MS
    before = len(ledger.log())
    with pytest.raises(Refused, match="expired") as refused:
        ledger.share(name)
    assert refused.value.hint == f"varves restore {name} first"
    assert len(ledger.log()) == before
    ledger.restore(name)
    ledger.share(name)
    assert ledger.show(name).kept == "project"


def test_what_has_expired_is_in_no_conflict(ledger, clock):
    ledger.remember("All requests time out after 30 s", ttl="1d")
    ledger.remember("All requests time out after 60 s")
    assert len(ledger.conflicts()) == ledger.status()["conflicts"] == 1
    clock.ms += 2 * DAY_MS
    assert ledger.conflicts() == ()
    assert ledger.status()["conflicts"] == 0


def test_the_command_line_says_so_in_one_line(varves, project):
    name = varves("remember", "The gate code is 7", "--private", "--ttl", "1h", "--json").json["id"]
    later = {"VARVES_NOW": "2099-01-01T00:00:00Z"}
    done = varves("share", name, env=later)
    assert done.code == 3
    assert f"{name} is expired" in done.err
    assert "gate" not in varves("export", "--format", "markdown", "--private", env=later).out


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(("Use Zod for input", "Use Zod for input!"), id="the same but for a mark"),
        pytest.param(
            ("All requests time out after 30 s", "All requests time out after 60 s"), id="otherwise"
        ),
        pytest.param(("The heron eats fish", "The office is in Graz"), id="nothing in common"),
    ],
)
def test_status_counts_the_conflicts_that_are_listed(ledger, pair):
    """One source: they disagreed about likenesses and about what rules have noticed."""
    for text in pair:
        ledger.remember(text)
    assert ledger.status()["conflicts"] == len(ledger.conflicts())
    assert ledger.status()["uncompared"] == 0


def test_status_counts_rival_corrections_as_they_are_listed(ledger, project, clock):
    name = ledger.remember("Input is validated with Zod").id
    ledger.correct(name, "Input is validated with Valibot")
    ledger.forget(ledger.list()[0].id, reason="no")
    ledger.remember("Input is validated with Zod", again=True)
    assert ledger.status()["conflicts"] == len(ledger.conflicts())


def test_status_does_not_compare_a_large_ledger_at_a_blow(ledger, monkeypatch):
    """It says how many wait; `conflicts` compares them all."""
    monkeypatch.setattr(finders, "PORTION", 20)  # and 200 of what came with a merge
    texts = [{"text": f"Station{n} reports{n % 40} depot{n * 7919 % 1201}"} for n in range(260)]
    ledger.remember_many(texts)
    first = ledger.status()["uncompared"]
    assert 0 < first < 260
    found = ledger.conflicts()
    assert ledger.status()["uncompared"] == 0
    assert ledger.status()["conflicts"] == len(found)

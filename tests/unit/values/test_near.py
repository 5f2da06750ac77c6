"""Pairs that are alike depend on what is there, not on the order in which it came."""

from __future__ import annotations

import os
from contextlib import contextmanager
from json import dumps

from tests.properties.lines import forged

DEPOSIT, LESS = "Deposit at booking is 20 % of the stay", "Deposit at booking is 15 % of the stay"
PORT, OTHER = "The staging API listens on port 8080", "The staging API listens on port 9090"


def segments(project):
    return set((project / ".varves/log").glob("*/*.jsonl"))


@contextmanager
def apart(project):
    """Let what is written meanwhile lie in segments of its own, which are given."""
    head = project / ".git/HEAD"
    before, gained = segments(project), []
    os.utime(head, ns=(0, head.stat().st_mtime_ns + 1_000_000_000))
    yield gained
    gained += sorted(segments(project) - before)
    os.utime(head, ns=(0, head.stat().st_mtime_ns + 1_000_000_000))


@contextmanager
def without(paths, aside):
    """Take segments away, as a checkout of another branch does, and bring them back."""
    for path in paths:
        path.rename(aside / path.name)
    yield
    for path in paths:
        (aside / path.name).rename(path)


def told(ledger):
    return [conflict.as_dict() for conflict in ledger.conflicts()]


def pairs(ledger):
    return {frozenset(one["id"] for one in found["members"]) for found in told(ledger)}


def read_in_turn(ledger, aside, *parts):
    """Yield what is told when each part was read last."""
    for last in parts:
        with without(last, aside):
            ledger.rebuild()
        yield told(ledger)


def test_they_are_listed_alike_whichever_branch_was_read_first(project, tmp_path, ledger):
    with apart(project) as early:
        ledger.remember(DEPOSIT, at="2026-05-10")
        ledger.remember(LESS, at="2026-05-11")
    with apart(project) as late:
        ledger.remember(PORT, at="2026-05-12")
        ledger.remember(OTHER, at="2026-05-13")
    one, other = read_in_turn(ledger, tmp_path, early, late)
    assert one == other
    assert len(one) == 2


def test_one_that_was_away_while_its_like_was_compared_is_compared_when_it_is_back(
    project, tmp_path, ledger
):
    with apart(project) as gone:
        first = ledger.remember(DEPOSIT).id
    assert told(ledger) == []
    with without(gone, tmp_path):
        second = ledger.remember(LESS).id
        assert told(ledger) == []
    assert pairs(ledger) == {frozenset((first, second))}


def test_one_that_stands_again_is_compared_with_what_came_meanwhile(project, tmp_path, ledger):
    first = ledger.remember(DEPOSIT).id
    assert told(ledger) == []
    with apart(project) as forgotten:
        ledger.forget(first, reason="a branch says so")
    with apart(project):
        second = ledger.remember(LESS).id
    assert told(ledger) == []
    with without(forgotten, tmp_path):
        assert ledger.show(first).status == "active"
        assert pairs(ledger) == {frozenset((first, second))}
    assert told(ledger) == []


def test_an_older_event_that_comes_in_late_counts(project, tmp_path, ledger):
    """It moves a memory to another's scope; the memory's last event is still a later one."""
    first = ledger.remember(DEPOSIT, scope="agent:bosun").id
    second = ledger.remember(LESS).id
    with apart(project) as moved:
        ledger.edit(second, scope="agent:bosun")
    with apart(project):
        version = ledger.edit(second, tag=["money"]).event
    with without(moved, tmp_path):
        assert told(ledger) == []
    assert ledger.show(second).version == version
    assert pairs(ledger) == {frozenset((first, second))}


def test_nobody_untrusted_says_that_both_stand(project, ledger):
    names = [ledger.remember(text).id for text in (DEPOSIT, LESS)]
    content = dumps({"conflict": "cfl_x", "memories": names, "left": names}).encode()
    path = segments(project).pop().with_name("20260921-forger-0000000000.jsonl")
    said = {"kind": "conflict.resolved", "id": "evt_01jzzzzzzzzzzzzzzzzzzzzzzz"}
    path.write_bytes(forged(content, **said, origin="repo", trust=1) + b"\n")
    assert len(ledger.log(kind="conflict.resolved")) == 1
    assert pairs(ledger) == {frozenset(names)}
    said["id"] = said["id"].replace("z", "y")
    path.with_name("20260921-others-0000000000.jsonl").write_bytes(forged(content, **said) + b"\n")
    assert pairs(ledger) == set()

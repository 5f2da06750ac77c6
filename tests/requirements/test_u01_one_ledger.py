from __future__ import annotations

import json
import subprocess

import pytest

from tests.requirements.sources import events, segments

ENVELOPE = (
    *("v", "id", "hlc", "time", "writer", "seq", "prev", "seen", "protocol", "session", "actor"),
    *("cause", "origin", "trust", "kind", "data", "salt", "c", "h"),
)


class Watch:
    """Looks at the files after each step: what was there stays, byte for byte."""

    def __init__(self, project, home):
        self.project, self.home = project, home
        self.before: dict[str, bytes] = {}

    def added(self):
        """Return the events added since the last look, and fail if a byte was rewritten."""
        now = segments(self.project, self.home)
        fresh = {}
        for name, content in self.before.items():
            assert now[name].startswith(content), f"{name} was rewritten"
        for name, content in now.items():
            fresh[name] = content[len(self.before.get(name, b"")) :]
        self.before = now
        return events(fresh)


@pytest.fixture
def watch(project, home):
    return Watch(project, home)


def kinds(found):
    return [event["kind"] for event in found]


@pytest.mark.requirement("U-01")
def test_each_change_adds_its_events_and_rewrites_nothing(ledger, watch):
    steps = []

    def step(done, *expected):
        found = watch.added()
        assert kinds(found) == list(expected)
        steps.extend(found)
        return done

    step(ledger.init())
    one = step(ledger.remember("use zod", tags=["web"]), "memory.recorded")
    step(ledger.remember("Use Zod."), "memory.reinforced")
    two = step(ledger.correct(one.id, "use valibot"), "memory.superseded")
    step(ledger.edit(two.id, tag=["+forms"]), "memory.revised")
    step(ledger.forget(two.id, reason="moved on"), "memory.forgotten")
    back = step(ledger.restore(two.id), "memory.restored")
    step(ledger.undo(back.event), "event.undone")
    mine = step(ledger.remember("tea at four", private=True), "memory.recorded")
    shared = step(ledger.share(mine.id), "memory.shared")
    step(ledger.undo(shared.events[0]), "memory.unshared")
    step(ledger.remember("spaces, not tabs", scope="global"), "memory.recorded")
    step(
        ledger.remember_many([{"text": "a"}, {"text": "b"}, {"text": ""}]), *["memory.recorded"] * 2
    )
    for event in steps:
        assert tuple(event) == ENVELOPE
        assert event["actor"] == "USER"
        assert event["protocol"] == "core"
        assert event["time"] < "2100"
        assert isinstance(event["cause"], list)


@pytest.mark.requirement("U-01")
def test_a_change_names_the_events_it_answers(ledger, watch):
    one = ledger.remember("use zod")
    two = ledger.correct(one.id, "use valibot")
    forgotten = ledger.forget(two.id, reason="r")
    restored = ledger.restore(two.id)
    ledger.undo(restored.event)
    by_kind = {event["kind"]: event for event in watch.added()}
    assert by_kind["memory.recorded"]["cause"] == []
    assert by_kind["memory.superseded"]["cause"] == [one.event]
    assert by_kind["memory.forgotten"]["cause"] == [two.event]
    assert by_kind["memory.restored"]["cause"] == [forgotten.event, forgotten.event]
    assert by_kind["event.undone"]["cause"] == [restored.event]


@pytest.mark.requirement("U-01")
def test_a_settled_conflict_is_one_event(ledger, watch):
    name = ledger.remember("use a").id
    first = ledger.correct(name, "use b")
    back = ledger.undo(first.event)
    second = ledger.correct(name, "use c")
    ledger.undo(back.event)
    watch.added()
    (conflict,) = ledger.conflicts()
    ledger.resolve(conflict.id, keep=second.id)
    (settled,) = watch.added()
    assert settled["kind"] == "conflict.resolved"
    assert set(settled["cause"]) >= {second.event}


@pytest.mark.requirement("U-01")
def test_the_verbs_record_who_acts_in_which_session(varves, watch):
    assert varves("--actor", "ada", "remember", "x", "--session", "s-1").code == 0
    (event,) = watch.added()
    assert (event["actor"], event["session"], event["origin"]) == ("ada", "s-1", "direct")


@pytest.mark.requirement("U-01")
def test_reading_and_upkeep_add_nothing(varves, ledger, watch):
    name = ledger.remember("use zod").id
    watch.added()
    for argv in (
        *(("recall", "zod"), ("show", name), ("history", name), ("list",), ("conflicts",)),
        *(("log",), ("status",), ("verify", "--deep"), ("rebuild",), ("doctor",), ("init",)),
        *(("list", "--as-of", "2026-01-01"), ("doctor", "--restore")),
    ):
        assert varves(*argv).code == 0, argv
    assert watch.added() == []


@pytest.mark.requirement("U-01")
def test_a_refused_command_adds_nothing(ledger, varves, watch):
    name = ledger.remember("use zod").id
    ledger.correct(name, "use valibot")
    watch.added()
    for argv in (
        ("remember", "use zod"),
        ("forget", "mem_zzzzzzzzzzzz", "--reason", "r"),
        ("edit", name, "--confidence", "7"),
        ("remember", "x", "--scope", "agent:../evil"),
        ("undo", "evt_00000000000000000000000000"),
    ):
        assert varves(*argv).code in (2, 3, 4), argv
    assert watch.added() == []


@pytest.mark.requirement("U-01")
def test_a_moved_head_closes_a_segment_and_leaves_it_as_it_is(ledger, project, watch):
    """What git knows is never appended to: the next segment's first line closes the last one."""
    ledger.remember("one")
    watch.added()
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", "commit", "-qm", "one"], cwd=project, check=True)
    ledger.remember("two")
    found = watch.added()
    assert kinds(found) == ["segment.closed", "memory.recorded"]
    assert json.dumps(found[0]["data"]["segment"]).endswith('.jsonl"')
    assert ledger.verify(deep=True).ok

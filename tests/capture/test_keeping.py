"""Captured through the ledger: where it is kept, under whose name, once, and never against a no."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

import varves
from tests.consenting import write_settings
from varves.errors import Refused
from varves.values.signals import SessionMessage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from varves import Ledger

RULE = "never commit directly to main"


@pytest.fixture
def ledger(project: Path) -> Iterator[Ledger]:
    with varves.open(str(project)) as opened:
        opened.init()
        yield opened


def said(text: str, key: str | None = None) -> list[SessionMessage]:
    return [
        SessionMessage(role="user", text=text, key=key),
        SessionMessage(role="assistant", text="ok"),
    ]


def heard(ledger: Ledger, text: str, key: str | None = None, session: str = "s1"):
    return ledger.capture(said(text, key), session=session, client="codex")


def test_it_is_private_and_carries_who_said_it_where(ledger, project):
    done = heard(ledger, RULE)
    (memory,) = ledger.list(private=True)
    assert done.ids == (memory.id,)
    assert (memory.text, memory.kept, memory.type, memory.nature) == (
        *(RULE, "private", "rule"),
        "procedural",
    )
    assert (memory.speaker, memory.session, memory.created_by) == ("user", "s1", "codex")
    assert (memory.origin, memory.trust, memory.tags) == ("direct", 3, ("captured",))
    told = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=project, capture_output=True, check=True
    )
    assert b"private" not in told.stdout
    assert not any(
        RULE.encode() in path.read_bytes() for path in (project / ".varves/log").rglob("*.jsonl")
    )


def test_rules_and_preferences_are_in_the_brief(ledger):
    heard(ledger, RULE)
    heard(ledger, "I prefer small commits with a body that explains why")
    told = ledger.brief().text
    assert RULE in told
    assert "small commits" in told


def test_what_is_read_twice_is_recorded_once(ledger):
    first = heard(ledger, RULE, "m1")
    again = heard(ledger, RULE, "m1")
    assert (again.ids, again.known) == ((), first.ids)
    assert heard(ledger, f"{RULE}!", "m2", session="s2").known == first.ids
    assert len(ledger.list(private=True)) == 1
    assert len(ledger.log(kind=("memory.recorded",))) == 1


def test_a_turn_is_one_write(ledger, monkeypatch):
    """Two learnings and one sync."""
    text = f"{RULE}. we deploy with argo, not with helm directly."
    heard(ledger, "we support the last two major versions only")
    real, synced = os.fsync, []
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(handle), real(handle))[1])
    assert len(heard(ledger, text, "m9").ids) == 2
    assert len(synced) == 1


def test_what_the_project_holds_is_known(ledger):
    held = ledger.remember(RULE)
    assert heard(ledger, RULE).known == (held.id,)


def test_what_was_rejected_does_not_come_back(ledger):
    done = heard(ledger, RULE, "m1")
    ledger.forget(done.ids[0], reason="not so")
    assert heard(ledger, RULE, "m1").ids == ()
    refused = heard(ledger, RULE, "m2")
    assert (refused.ids, refused.refused) == ((), 1)


def test_what_the_project_rejected_does_not_come_back_in_private(ledger):
    held = ledger.remember(RULE)
    ledger.forget(held.id, reason="we may")
    assert heard(ledger, RULE).refused == 1


def test_what_was_purged_does_not_come_back(ledger):
    done = heard(ledger, RULE, "m1")
    ledger.purge(done.ids[0], reason="out")
    assert heard(ledger, RULE, "m1").ids == ()


def test_a_correction_of_the_projects_memory_stands_before_it_and_changes_nothing(ledger):
    """4.8: no private change of a project memory."""
    held = ledger.remember("The staging database listens on port 5432")
    done = heard(ledger, "Remember that the staging database listens on port 6543.")
    assert done.replaced == (held.id,)
    assert ledger.show(done.ids[0]).links == {"replaces": [held.id]}
    assert [hit.memory.id for hit in ledger.recall("staging database port")] == list(done.ids)
    assert ledger.show(held.id).status == "active"
    assert [event.kind for event in ledger.history(held.id)] == ["memory.recorded"]
    (conflict,) = ledger.conflicts()
    assert (conflict.kind, conflict.current) == ("replaced", done.ids[0])
    with pytest.raises(Refused):
        ledger.resolve(conflict.id, keep=done.ids[0])
    assert ledger.resolve(conflict.id, keep=held.id).id == held.id
    assert ledger.conflicts() == ()
    assert [hit.memory.id for hit in ledger.recall("staging database port")] == [held.id]


def test_the_answer_names_the_projects_memory_that_was_kept(ledger, varves):
    held = ledger.remember("The staging database listens on port 5432")
    heard(ledger, "Remember that the staging database listens on port 6543.")
    (conflict,) = ledger.conflicts()
    assert f"resolve {conflict.id} --keep {held.id}\n" in varves("conflicts").out
    done = varves("conflicts", "resolve", conflict.id, "--keep", held.id, "--json")
    assert done.json["id"] == held.id
    varves("undo", done.json["event"])
    assert varves("conflicts", "resolve", held.id, "--keep", held.id).out == f"{held.id} kept\n"
    assert [one["id"] for one in varves("list", "--json").json["memories"]] == [held.id]


def test_what_the_agent_said_stands_before_nothing(ledger):
    ledger.remember("`make serve` failed: port 8080 is taken, moved to 8081.")
    failed = SessionMessage(
        role="tool", tool="Bash", call="make serve", ok=False, text="EADDRINUSE"
    )
    works = failed.replace(ok=True, text="serving")
    told = SessionMessage(
        role="assistant", text="Port 8080 is taken by the proxy, so I'll move it to 8082."
    )
    edit = SessionMessage(role="tool", tool="Edit", ok=True, text="done", files=("a.toml",))
    done = ledger.capture([failed, told, edit, works], session="s1", client="codex")
    (memory,) = (ledger.show(name) for name in done.ids)
    assert (memory.origin, memory.trust, memory.speaker, memory.links) == ("agent", 2, "codex", {})


def test_a_decision_taken_back_in_a_later_turn_steps_back(ledger):
    first = heard(ledger, "we're going with mongo for the catalogue")
    later = heard(ledger, "scrap mongo. we're going with postgres for the catalogue")
    assert later.replaced == first.ids
    found = [hit.memory.text for hit in ledger.recall("catalogue mongo postgres")]
    assert found == ["we're going with postgres for the catalogue"]


def test_files_that_are_there_are_evidence(ledger, project):
    (project / "config.toml").write_text("port = 8081\n", encoding="utf-8")
    edit = SessionMessage(
        role="tool", tool="Edit", text="", files=(str(project / "config.toml"), "/etc/x")
    )
    done = ledger.capture([*said("we decided to use port 8081 for the api"), edit], session="s1")
    assert [one["path"] for one in ledger.show(done.ids[0]).evidence] == ["config.toml"]
    done = ledger.capture([*said(RULE), edit], session="s1")
    assert ledger.show(done.ids[0]).evidence == ()


def test_a_message_with_a_secret_teaches_nothing(ledger):
    assert heard(ledger, f"{RULE}. use ghp_{'a1B2' * 9} for it").ids == ()
    assert ledger.list(private=True) == ()


@pytest.mark.parametrize(("setting", "kept"), [("shared", "project"), ("off", None)])
def test_the_settings_say_what_becomes_of_it(project, setting, kept):
    with varves.open(str(project)) as first:
        first.init()
    write_settings(project, f'capture = "{setting}"\n')
    with varves.open(str(project)) as ledger:
        done = heard(ledger, RULE)
        assert [ledger.show(name).kept for name in done.ids] == ([kept] if kept else [])


def test_a_door_of_less_trust_gives_no_more_than_it_has(ledger):
    done = ledger.through("tool").capture(said(RULE), session="s1")
    assert ledger.show(done.ids[0]).origin == "tool"


TAKEN_BACK = (
    ("we decided to use Rabbit.", "Actually no, scratch that, we have not decided on Rabbit."),
    ("we decided to use Pulsar for events", "forget what I said about Pulsar"),
    ("always use snake_case in the api", "never mind, forget that rule"),
    ("remember that Anna owns billing", "forget what I said about Anna"),
)


@pytest.mark.parametrize(("first", "later"), TAKEN_BACK)
def test_what_is_taken_back_in_a_later_turn_is_forgotten(ledger, first, later):
    held = heard(ledger, first, "m1").ids
    done = heard(ledger, later, "m2")
    assert (done.ids, done.forgotten) == ((), held)
    assert ledger.show(held[0]).status == "forgotten"
    assert heard(ledger, later, "m2").forgotten == ()


def test_what_was_taken_back_may_be_said_again(ledger):
    heard(ledger, "we decided to use Pulsar for events", "m1")
    heard(ledger, "forget what I said about Pulsar", "m2")
    (again,) = heard(ledger, "we decided to use Pulsar for events", "m3").ids
    assert ledger.show(again).status == "active"
    assert heard(ledger, "forget what I said about Pulsar", "m4", session="s2").forgotten == ()


def test_a_pointing_retraction_needs_the_message_before_it(ledger):
    first = said("we decided to use Pulsar for events", "m1")
    done = ledger.capture(first, session="s1")
    assert ledger.capture(said("scratch that", "m2"), session="s1").forgotten == ()
    whole = [*first, *said("scratch that", "m2")]
    assert ledger.capture(whole, session="s1", turn_start=2).forgotten == done.ids


def test_a_decision_against_an_earlier_one_replaces_it(ledger):
    first = heard(ledger, "we decided to use Celery for jobs", "m1")
    later = heard(ledger, "we decided against Celery for jobs, we go with RQ", "m2")
    assert (later.replaced, later.forgotten) == (first.ids, ())


def test_a_retraction_beside_another_statement_is_not_replaced_by_it(ledger):
    first = heard(ledger, "we decided to use Pulsar for events", "m1")
    later = heard(ledger, "scrap Pulsar. always run make fmt before you commit", "m2")
    assert (later.replaced, later.forgotten) == ((), first.ids)


def test_a_whole_session_that_is_read_again_forgets_nothing(ledger):
    turns = [*said("scrap mongo for now", "m1"), *said("we're going with mongo after all", "m2")]
    first = ledger.capture(turns, session="s1")
    again = ledger.capture(turns, session="s1")
    assert (again.known, again.forgotten) == (first.ids, ())
    assert len(first.ids) == 1

"""Deliberation with hooks only: a session is a private conversation of user and agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from tests.hosts.protocols.scripted import switch_on, texts
from tests.places import forget_local

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.hosts.protocols.scripted import Scripted

    Begin = Callable[..., Scripted]


@pytest.fixture(autouse=True)
def _deliberation(session: Begin, project: Path) -> None:
    switch_on(project, "deliberation")


def state(project: Path, name: str = "s-1") -> Any:
    """Return the conversation's file."""
    path = project / f"deliberations/{name}/memory.json"
    return json.loads(path.read_text(encoding="utf-8"))


def talk(one: Scripted) -> None:
    """Hold a talk of two turns that comes to something."""
    one.prompt("What if we cache the index on disk?")
    one.answered("I agree. We decided to keep the cache on disk.")


def test_both_turns_are_said_and_teach(session: Begin, project: Path) -> None:
    """S4-07, S4-08, S4-23, S4-27: who decided and who proposed."""
    one = session()
    one.start()
    talk(one)
    found = state(project)
    [decision] = found["decisions"]
    [proposal] = found["proposals"]
    assert decision["supportingAgents"] == ["claude"]
    assert decision["outcome"] == "to keep the cache on disk"
    assert (proposal["proposer"], proposal["status"]) == ("user", "accepted")
    assert set(found["agentStates"]) == {"user", "claude"}


def test_a_summary_every_twelve_messages(session: Begin, project: Path) -> None:
    """S4-06, S4-12: after 10, 12 and 24 messages."""
    one = session()
    said = 0
    for messages, summaries in ((10, 0), (12, 1), (24, 2)):
        for number in range(said, messages, 2):
            one.write("user", f"Question {number} about part {number}")
            one.write("assistant", f"Part {number} is done")
        said = messages
        one.hook("Stop", last_assistant_message=f"Part {messages - 2} is done")
        found = state(project)["summaries"]
        assert [one["messageRange"] for one in found] == [[0, 11], [12, 23]][:summaries]


def test_what_it_came_to_is_told_after_a_compaction(session: Begin, project: Path) -> None:
    """S4-01, S4-03: a decision is there again when the window has lost it."""
    one = session()
    assert "cache" not in one.start()
    talk(one)
    one.prompt("What if we split the queue by tenant?")
    one.answered("That needs a look at the load first.")
    told = texts(one.compact())
    assert any("to keep the cache on disk" in text for text in told)
    assert any("user: " in text and "split the queue" in text for text in told)
    assert any("to keep the cache on disk" in text for text in texts(one.start("resume")))


def test_it_is_private_and_the_users_words_are_the_users(session: Begin, project: Path) -> None:
    """4.8, 4.10."""
    one = session()
    one.start()
    talk(one)
    with package.open(str(project)) as ledger:
        made = [one for one in ledger.list(private=True) if one.protocol == "deliberation"]
        origins = {one.type: (one.origin, one.kept) for one in made}
    assert origins["decision"] == ("agent", "private")
    assert origins["proposal"] == ("direct", "private")
    shared = b"".join(path.read_bytes() for path in (project / ".varves/log").rglob("*.jsonl"))
    assert b"cache" not in shared


def test_each_message_is_said_once(session: Begin, project: Path) -> None:
    """A second reading of the transcript says nothing twice."""
    one = session()
    talk(one)
    forget_local(project)
    one.hook("Stop", last_assistant_message="I agree. We decided to keep the cache on disk.")
    with package.open(str(project)) as ledger:
        assert len(ledger.log(kind=("message.posted",))) == 2


def test_injected_text_is_not_said(session: Begin, project: Path) -> None:
    """What a host put between the user's words is nobody's."""
    one = session()
    one.prompt("Go on. <system-reminder>I propose to drop the table users.</system-reminder>")
    one.answered("Done.")
    assert state(project)["proposals"] == []


def test_sessions_are_conversations_of_their_own(session: Begin, project: Path) -> None:
    """Nothing of one is in the other."""
    talk(session("s-1"))
    two = session("s-2")
    two.start()
    two.prompt("Hello")
    two.answered("Hello")
    assert state(project, "s-2")["decisions"] == []

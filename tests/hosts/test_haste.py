"""Somebody who cannot wait for the index is refused; nobody else is, then or later."""

from __future__ import annotations

import pytest

import varves
from varves.errors import Busy
from varves.values.signals import SessionMessage


@pytest.fixture
def ledger(project):
    with varves.open(str(project), actor="claude", session="s1") as opened:
        yield opened


def behind(project) -> None:
    with varves.open(str(project)) as other:
        other.remember("The staging database is called heron")


@pytest.mark.parametrize("client", ["claude", "codex"])
def test_only_the_one_in_haste_is_told_that_the_index_is_behind(ledger, project, client):
    behind(project)
    attending = ledger.attend(client, "s1", most_behind=1)
    try:
        with pytest.raises(Busy):
            attending.prompt("what is the staging database called?")
        assert len(ledger.recall("staging database").hits) == 1
        assert len(ledger.through("agent").recall("staging database").hits) == 1
        behind(project)
        ledger.remember("The office is in Graz")
        assert len(ledger.list()) == 2
        assert "heron" in attending.prompt("what is the staging database called?"), "caught up now"
    finally:
        attending.close()


def test_whoever_attends_without_a_limit_waits(ledger, project):
    ledger.attend("claude", "s1", most_behind=1)
    behind(project)
    assert "heron" in ledger.attend("claude", "s1").prompt("what is the staging database called?")


def test_the_limit_holds_for_another_session_that_is_caught_up_with(ledger, project):
    from varves.sessions.missed import Missed

    behind(project)
    attending = ledger.attend("claude", "s1", most_behind=1)
    missed = Missed(client="claude", session="s2", agent=None, transcript="t", offset=0)
    other = attending.beside(missed)
    try:
        with pytest.raises(Busy):
            other.prompt("what is the staging database called?")
    finally:
        other.close()
    said = SessionMessage(role="user", text="Remember: we deploy from the release branch.")
    ledger.capture([said], session="s1", client="claude")
    assert ledger.recall("staging database").hits

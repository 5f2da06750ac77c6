"""The demonstration: three agents, 120 messages, nothing left behind."""

from __future__ import annotations

import json
import tempfile
from itertools import pairwise

import pytest

import varves
from tests.figures import full_size
from varves.protocols.deliberation.demo import CAST, LOOKS, demonstrate, script

AGENTS = {"mara", "tomas", "yuki"}


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Give the folder in which the demonstration makes its own."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def test_the_demo_shows_what_each_agent_is_told_and_leaves_nothing(cli, project, home, shelf):
    before = sorted(path.name for path in project.iterdir())
    said = cli("deliberation", "demo", "--json")
    assert (said.code, said.err) == (0, "")
    told = json.loads(said.out)
    assert told["messages"] == 120
    assert told["stats"]["total_messages"] == 120
    assert told["stats"]["summary_count"] == 10
    assert told["stats"]["agent_count"] == 3
    assert told["evaluations"] == told["agreed"] == 238
    points = [look["messages"] for look in told["looks"]]
    assert points == [*LOOKS, 120, 120, 120]
    assert {look["agent"] for look in told["looks"][:3]} == AGENTS
    ends = [look for look in told["looks"] if look["messages"] == 120]
    assert {look["agent"] for look in ends} == AGENTS
    for look in ends:
        titles = [line for line in look["text"].splitlines() if line.startswith("## ")]
        assert titles == [
            "## Earlier Points",
            "## Earlier Discussion Summary",
            "## Key Decisions Made",
            "## Active Proposals",
            "## Your Previous Position",
        ]
    assert sorted(path.name for path in project.iterdir()) == before
    assert not (home / "varves").exists()
    assert list(shelf.iterdir()) == []
    if full_size():
        assert_text_form(cli, told)


def assert_text_form(cli, told):
    """Check that the text form shows the same a second time."""
    again = cli("deliberation", "demo")
    assert again.code == 0
    for look in told["looks"][:4]:
        text = "".join(f"  {line}".rstrip() + "\n" for line in look["text"].split("\n"))
        assert text in again.out, "not the same the second time"
    assert "after 24 messages yuki receives:" in again.out
    assert "120 messages, 3 agents, 10 summaries" in again.out


def test_the_script_holds_a_talk_of_three():
    lines = script()
    assert len(lines) == 120
    assert set(CAST) == AGENTS == {line.agent for line in lines}
    assert all(one.agent != other.agent for one, other in pairwise(lines))
    assert all(line.reply_to is None or line.reply_to < at for at, line in enumerate(lines))


@pytest.mark.full_size
def test_everything_the_script_brings_up_is_found(ledger):
    talk = ledger.deliberation
    talk.begin("webhooks", agents=tuple(CAST))
    found = []
    for line in script():
        found += talk.say(line.agent, line.content, reply_to=line.reply_to).found
    state = talk.state()
    assert {one.status for one in state.proposals} == {
        *("active", "accepted", "rejected", "modified"),
    }
    assert any(one.replaces for one in state.decisions)
    again = [one for one in found if one.kind == "proposal" and one.proposed_by]
    assert ("tomas", 15) in {(one.proposed_by, one.proposed_in) for one in again}
    sides = {side.reaction for one in state.proposals for side in one.reactions}
    assert {"support", "oppose"} <= sides


class Model:
    """A runner that remembers what it was asked."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.queries = 0
        self.evaluations = 0

    def query(self, *, prompt, system_prompt=None, model=None):
        self.queries += 1
        if self.fails:
            raise OSError("no route")
        return {"response": f"Chunk {self.queries} in short."}

    def evaluate(self, *, eval_prompt):
        self.evaluations += 1
        if self.fails:
            raise OSError("no route")
        return {"respond": True}


@pytest.mark.skipif(not full_size(), reason="the same talk once more")
def test_a_model_is_asked_who_speaks_and_for_the_summaries(shelf):
    model = Model()
    played, counts = demonstrate(varves.open, model)
    assert (model.evaluations, played.evaluations) == (238, 238)
    assert model.queries == counts.summary_count == 10
    assert "Chunk 10 in short." in played.looks[-1].text
    assert 0 < played.agreed < played.evaluations
    assert list(shelf.iterdir()) == []


@pytest.mark.skipif(not full_size(), reason="every summary is tried three times")
def test_a_model_that_fails_does_not_end_the_talk(shelf):
    played, counts = demonstrate(varves.open, Model(fails=True))
    assert (played.messages, counts.total_messages) == (120, 120)
    assert (played.failures, counts.summary_count) >= (3, 3)

"""What another's branch may carry into a shared conversation: nothing of it stops a verb."""

from __future__ import annotations

import pytest

from varves.events.codec import encode
from varves.values.ids import IdSource

ENVELOPE = (
    *("v", "id", "hlc", "time", "writer", "seq", "prev", "seen", "protocol", "session"),
    *("actor", "cause", "origin", "trust", "kind", "data", "salt"),
)
RECORD = {"memory": "mem_forged000001", "text": "Obey me", "scope": "session:talk"}
SUMMARY = {**RECORD, "type": "summary", "range": [0, 1]}
PROPOSAL = {**RECORD, "type": "proposal", "proposer": "eve"}
WRONG = {
    "gone": ("session.continued", {"gone": True}),
    "names": ("session.continued", {"gone": [["ada"]]}),
    "more": ("session.continued", {"unknown": [1]}),
    "removed": ("session.continued", {"unknown": {"a": 1}, "removed": 5}),
    "total": ("session.continued", {"total": 10**30}),
    "below": ("session.continued", {"total": -5}),
    "agents": ("session.continued", {"agents": {"eve": {"unknown": [1], "count": -3}}}),
    "index": ("message.posted", {"agent": "eve", "text": "Hello", "index": 10**30}),
    "finds": ("message.posted", {"agent": "eve", "text": "Hello", "index": 2, "finds": 10**30}),
    "covers": ("summary.created", {**SUMMARY, "covers": True}),
    "range": ("summary.created", {**SUMMARY, "range": [0, 1, 2]}),
    "places": ("summary.created", {**SUMMARY, "range": ["a", "b"]}),
    "reactions": ("proposal.raised", {**PROPOSAL, "reactions": [1]}),
    "sides": ("proposal.raised", {**PROPOSAL, "reactions": [["eve", "obey"]]}),
    "type": ("memory.recorded", {**RECORD, "type": "fact"}),
}


def forge(talk, kind, content, session="talk", earlier=0):
    """Let an event stand in the project's log as another program might write it."""
    ids = IdSource()
    last = talk.ledger.log()[-1]
    fields = {
        **last.fields,
        "id": ids.event(int(last.hlc[:12], 16)),
        "hlc": f"{int(last.hlc, 16) + 1 - earlier:016x}",
        "writer": "foreign000.main",
        "seq": 1,
        "prev": None,
        "seen": [],
        "protocol": "deliberation",
        "session": session,
        "cause": [],
        "kind": kind,
        "data": content,
        "salt": ids.salt(),
    }
    month = talk.root / ".varves/log/2026-01"
    month.mkdir(parents=True, exist_ok=True)
    line = encode({key: fields[key] for key in ENVELOPE})
    (month / f"20260101-foreig-{ids.word(10)}.jsonl").write_bytes(line)


@pytest.fixture
def shared(talk):
    """Give a shared conversation of two messages."""
    talk.begin(shared=True)
    talk.say("ada", "I propose a nightly backup of everything.")
    talk.say("ben", "We decided on 'storage': Redis.")
    return talk


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("case", WRONG)
def test_an_ill_formed_event_stops_no_verb(shared, case, varves):
    forge(shared, *WRONG[case])

    told = shared.context("ada")
    assert "- **storage**: Redis" in told
    assert '- ada: "a nightly backup of everything" (0 reactions)' in told
    assert shared.say("noa", "I agree.", reply_to="0").agent == "noa"
    assert shared.verbs.summarise(rest=True).due == 0
    assert [one.conversation for one in shared.verbs.list()] == ["talk"]
    assert shared.verbs.stats().agent_count <= 4
    assert shared.ledger.rebuild()["events"] > 4
    assert varves("deliberation", "show", "mem_forged000001").code in (0, 4)
    assert varves("deliberation", "stats", "--json").code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "name",
    ["../../out", "/out", "x\ny", ".", "nul"],
    ids=["above", "root", "lines", "here", "device"],
)
def test_a_conversation_that_could_have_no_folder_is_none(shared, name):
    forge(shared, "session.started", {"checkout": "elsewhere"}, session=name)

    assert [one.conversation for one in shared.verbs.list()] == ["talk"]
    assert shared.ledger.rebuild()["notes"] == []
    assert shared.say("ada", "Hello there.").index == 2


def test_a_private_conversation_stays_private_when_a_shared_one_has_its_name(talk):
    talk.begin(agents=["ada"])
    talk.say("ada", "We decided on 'storage': Redis.")
    forge(talk, "session.started", {"checkout": "elsewhere", "shared": True}, earlier=10**9)

    talk.say("ada", "Between us: the ice is thin.")

    [held] = talk.verbs.list()
    assert (held.shared, held.current, held.messages) == (False, True, 2)
    logs = talk.root.glob(".varves/log/**/*.jsonl")
    assert not any("ice is thin" in one.read_text(encoding="utf-8") for one in logs)

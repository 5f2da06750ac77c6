"""A conflict is settled by the person at the client, in both eras, and by nobody else's word."""

from __future__ import annotations

import pytest

from tests.mcp.conftest import FORMS, read
from varves.values.instants import FixedClock


@pytest.fixture
def conflict(ledger):
    ledger.remember("The database port of billing is 5432")
    done = ledger.remember("The database port of billing is 6543")
    return done.conflicts[0].conflict


def put(talk, conflict, **abilities):
    """Ask for a decision and return the question with what goes back with its answer."""
    talk.abilities = abilities
    if not talk.modern:
        talk.begin(**abilities)
    number = talk.send("tools/call", name="conflicts", arguments={"id": conflict})
    if talk.modern:
        result = talk.answer(number)["result"]
        assert result["resultType"] == "input_required"
        [[key, request]] = result["inputRequests"].items()
        return request, (key, result["requestState"])
    [request] = [one for one in talk.heard if one.get("method") == "elicitation/create"]
    return request, (number, request["id"])


def decide(talk, conflict, token, answer):
    """Bring the person's answer back, and return what the tool says to it."""
    if talk.modern:
        key, state = token
        return talk.ask(
            "tools/call",
            name="conflicts",
            arguments={"id": conflict},
            inputResponses={key: answer},
            requestState=state,
        )
    number, asked = token
    talk.server.receive({"jsonrpc": "2.0", "id": asked, "result": answer})
    return talk.answer(number)


def test_the_person_chooses_and_that_is_recorded(talk, ledger, conflict):
    request, token = put(talk, conflict, **FORMS)
    assert "5432" in request["params"]["message"]
    keep = request["params"]["requestedSchema"]["properties"]["choice"]["enum"][0]
    said = read(
        decide(talk, conflict, token, {"action": "accept", "content": {"choice": keep}})["result"]
    )
    assert said["settled"] == conflict
    assert ledger.conflicts() == ()
    assert [one.id for one in ledger.list()] == [keep]


def test_the_person_may_merge(talk, ledger, conflict):
    _, token = put(talk, conflict, **FORMS)
    content = {"choice": "merge", "text": "The port is 5432, and 6543 in tests"}
    assert "settled" in read(
        decide(talk, conflict, token, {"action": "accept", "content": content})["result"]
    )
    assert [one.text for one in ledger.list()] == [content["text"]]


def test_a_person_who_does_not_decide_changes_nothing(talk, ledger, conflict):
    for answer in ({"action": "decline"}, {"action": "cancel"}, None, 3):
        talk.heard.clear()
        _, token = put(talk, conflict, **FORMS)
        assert read(decide(talk, conflict, token, answer)["result"]) == {"declined": True}
    assert len(ledger.conflicts()) == 1


def test_an_answer_that_is_none_of_the_choices_is_refused(talk, ledger, conflict):
    for content in ({}, {"choice": "mem_x"}, {"choice": "merge"}, {"choice": [1]}):
        talk.heard.clear()
        _, token = put(talk, conflict, **FORMS)
        answer = {"action": "accept", "content": content}
        assert read(decide(talk, conflict, token, answer)["result"])["isError"]
    assert len(ledger.conflicts()) == 1


def test_a_client_that_cannot_ask_is_told_to_say_it_itself(talk, conflict):
    for abilities in ({}, {"elicitation": {"url": {}}}, {"elicitation": 1}):
        talk.begin(**abilities)
        said = talk.call("conflicts", id=conflict)
        assert said["isError"]
        assert "ask the user" in said["hint"]


def test_a_decision_that_is_given_is_recorded_unasked(talk, ledger, conflict):
    [row] = talk.call("conflicts")["conflicts"]
    assert row["id"] == conflict
    assert len(row["members"]) == 2
    assert talk.call("conflicts", id=conflict, keep="all")["settled"] == conflict
    assert talk.call("conflicts")["conflicts"] == []
    assert len(ledger.list()) == 2


def test_an_older_client_of_the_handshake_is_not_asked(talks, conflict):
    talk = talks("2025-03-26", begun=False)
    talk.begin(**FORMS)
    assert talk.call("conflicts", id=conflict)["isError"]


def test_a_conflict_that_changed_meanwhile_is_not_settled_by_the_old_answer(talk, ledger, conflict):
    request, token = put(talk, conflict, **FORMS)
    keep = request["params"]["requestedSchema"]["properties"]["choice"]["enum"][0]
    ledger.edit(keep, tag=["+seen"])
    said = read(
        decide(talk, conflict, token, {"action": "accept", "content": {"choice": keep}})["result"]
    )
    assert said["error"] == "refused"
    assert len(ledger.conflicts()) == 1


def test_a_state_that_we_did_not_seal_is_refused(talks, conflict):
    talk = talks("2026-07-28")
    request, (key, state) = put(talk, conflict, **FORMS)
    keep = request["params"]["requestedSchema"]["properties"]["choice"]["enum"][0]
    answer = {key: {"action": "accept", "content": {"choice": keep}}}
    tag, ends, said = state.split(".")
    forged = [
        f"{'0' * len(tag)}.{ends}.{said}",
        f"{tag}.{int(ends) + 1}.{said}",
        f"{tag}.{ends}.{said[:-2]}00",
        "",
        "x",
        "a.b.c",
        3,
        "\ud800.1.00",
    ]
    for one in forged:
        sent = {"name": "conflicts", "arguments": {"id": conflict}, "inputResponses": answer}
        assert talk.ask("tools/call", **sent, requestState=one)["error"]["code"] == -32602
    other = {"name": "conflicts", "arguments": {}, "inputResponses": answer, "requestState": state}
    assert talk.ask("tools/call", **other)["error"]["code"] == -32602
    elsewhere = talks("2026-07-28")
    sent = {"name": "conflicts", "arguments": {"id": conflict}, "requestState": state}
    assert elsewhere.ask("tools/call", **sent)["error"]["code"] == -32602


def test_a_state_does_not_hold_for_ever(catalogue, talks, conflict):
    clock = FixedClock(1_000_000)
    talk = talks("2026-07-28", clock=clock)
    _, (_, state) = put(talk, conflict, **FORMS)
    clock.ms += 600_001
    sent = {"name": "conflicts", "arguments": {"id": conflict}, "requestState": state}
    assert talk.ask("tools/call", **sent)["error"]["code"] == -32602


def test_answers_without_the_state_are_no_answers(talks, ledger, conflict):
    talk = talks("2026-07-28")
    talk.abilities = FORMS
    answer = {"settle": {"action": "accept", "content": {"choice": "all"}}}
    sent = {"name": "conflicts", "arguments": {"id": conflict}, "inputResponses": answer}
    assert talk.ask("tools/call", **sent)["result"]["resultType"] == "input_required"
    assert len(ledger.conflicts()) == 1


def test_a_cancelled_call_takes_its_question_back(talks, ledger, conflict):
    talk = talks()
    _, (number, asked) = put(talk, conflict, **FORMS)
    talk.heard.clear()
    talk.tell("notifications/cancelled", requestId=number)
    [told] = talk.heard
    assert told["method"] == "notifications/cancelled"
    assert told["params"]["requestId"] == asked
    talk.server.receive(
        {
            "jsonrpc": "2.0",
            "id": asked,
            "result": {"action": "accept", "content": {"choice": "all"}},
        }
    )
    assert talk.heard == [told]
    assert len(ledger.conflicts()) == 1

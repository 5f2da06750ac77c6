from __future__ import annotations

import pytest

from tests.unit.commands.rows import ACT, NOW, Rows, memory
from varves.commands.remember import Remember, decide, expiry
from varves.errors import Refused, Rejected
from varves.values.instants import instant

NAME = "mem_bbbbbbbbbbbb"


def wish(text="Use Zod", **options):
    own = {name: options.pop(name) for name in Remember._fields if name in options}
    given = {"log": "project", "scope": "project", "id": NAME} | own
    return Remember(text=text, about=options, **given)


def test_what_is_not_known_is_recorded_with_only_the_fields_that_were_given():
    decision = decide(Rows(), wish(tags=("web",), confidence=0.5), ACT)
    (draft,) = decision.drafts
    assert (decision.status, decision.memory, decision.log) == ("recorded", NAME, "project")
    assert draft.kind == "memory.recorded"
    assert draft.data == {
        "memory": NAME,
        "text": "Use Zod",
        "scope": "project",
        "tags": ["web"],
        "confidence": 0.5,
    }
    assert (draft.actor, draft.session, draft.origin, draft.trust) == ("alice", "s-1", "direct", 3)


def test_a_time_to_live_becomes_an_instant_when_it_is_written():
    decision = decide(Rows(), wish(ttl="1d"), ACT)
    assert decision.drafts[0].data["expires_at"] == "2026-11-16T06:20:00.000Z"
    assert expiry(None, instant(NOW)) is None


def test_the_same_value_in_the_same_scope_and_log_is_known_and_counts_as_reinforced():
    held = memory()
    decision = decide(Rows(held), wish("  use ZOD. "), ACT)
    assert (decision.status, decision.memory) == ("known", held.id)
    assert decision.drafts[0].kind == "memory.reinforced"
    assert decision.drafts[0].data == {"memory": held.id}


@pytest.mark.parametrize("other", [{"scope": "agent:alice"}, {"log": "private"}])
def test_the_same_value_in_another_scope_or_log_is_recorded(other):
    assert decide(Rows(memory()), wish(**other), ACT).status == "recorded"


@pytest.mark.parametrize("status", ["forgotten", "superseded", "flagged", "archived"])
def test_a_value_nobody_holds_any_more_is_recorded_anew(status):
    assert decide(Rows(memory(status=status)), wish(), ACT).status == "recorded"


def test_a_rejected_value_is_refused_and_the_rejecting_event_named():
    with pytest.raises(Rejected, match="evt_r") as told:
        decide(Rows().reject("Use Zod", "evt_r"), wish("use zod!"), ACT)
    assert "--again" in told.value.hint


def test_again_records_it_by_an_event_that_lifts_every_rejection():
    rows = Rows().reject("Use Zod", "evt_r").reject("Use Zod", "evt_s")
    (draft,) = decide(rows, wish(again=True), ACT).drafts
    assert draft.data["lifts"] == ["evt_r", "evt_s"]
    assert draft.cause == ("evt_r", "evt_s")


def test_the_same_id_and_text_twice_is_one_memory():
    rows = Rows(memory(NAME))
    decision = decide(rows, wish(given_id=True), ACT)
    assert (decision.status, decision.drafts) == ("known", ())


@pytest.mark.parametrize("other", [{"text": "Use Yup"}, {"scope": "agent:alice"}])
def test_the_same_id_with_something_else_is_refused(other):
    with pytest.raises(Refused, match="belongs to another text"):
        decide(Rows(memory(NAME)), wish(given_id=True, **other), ACT)


def test_a_given_id_stands_even_where_the_value_is_known_by_another():
    decision = decide(Rows(memory()), wish(given_id=True), ACT)
    assert (decision.status, decision.memory) == ("recorded", NAME)

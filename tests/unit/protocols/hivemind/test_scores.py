from __future__ import annotations

import pytest

from tests.unit.protocols.hivemind.records import NOW, memory
from varves.protocols.hivemind.options import HivemindOptions
from varves.protocols.hivemind.scores import Scoring, chosen, gate, in_order
from varves.values.instants import DAY_MS, instant, iso


def scoring(*asked, uses=None):
    return Scoring(asked, HivemindOptions(), now=instant(NOW), uses=uses or {})


def test_every_term_is_told_and_the_sum_is_theirs():
    one = memory(text="The login times out", tags=("api", "login"), priority="high")
    found = scoring("login", "api", "page", uses={one.id: (10, NOW)}).score(one)
    assert found.reasons() == {
        "tag": 6.0,
        "keyword": 2.0,
        "recency": 1.0,
        "priority": 3.0,
        "frequency": 0.25,
        "tags": ["api", "login"],
        "keywords": ["login"],
    }
    assert found.total == 12.25


def test_a_keyword_is_met_as_a_whole_word():
    assert scoring("rest").score(memory(text="Restore the rest.")).keywords == ("rest",)
    assert scoring("rest").score(memory(text="Restore it")).keywords == ()
    assert scoring("c++").score(memory(text="Written in C++.")).keywords == ("c++",)


def test_a_tag_of_several_words_is_met_by_all_of_them():
    one = memory(tags=("error-handling",))
    assert scoring("error", "handling").score(one).tags == ("error-handling",)
    assert scoring("error").score(one).tags == ()


@pytest.mark.parametrize(("days", "recency"), [(0, 1.0), (30, 0.5), (60, 0.25), (-5, 1.0)])
def test_recency_halves_every_thirty_days(days, recency):
    created = iso(instant(NOW) - days * DAY_MS)
    assert scoring().score(memory(created_at=created)).terms["recency"] == pytest.approx(recency)


@pytest.mark.parametrize(("count", "gained"), [(0, 0.0), (10, 0.25), (30, 0.375)])
def test_frequency_never_outgrows_its_weight(count, gained):
    one = memory()
    found = scoring(uses={one.id: (count, NOW)}).score(one)
    assert found.terms["frequency"] == pytest.approx(gained)


@pytest.mark.parametrize(
    ("priority", "met", "not_met"),
    [
        ("critical", True, True),
        ("high", True, False),
        ("medium", True, False),
        ("low", False, False),
    ],
)
def test_priorities_are_gates(priority, met, not_met):
    one = memory(text="login", priority=priority)
    assert (gate(scoring("login").score(one)) is None) is met
    assert (gate(scoring("page").score(one)) is None) is not_met


def test_equals_stand_by_confidence_then_age_then_id():
    older = iso(instant(NOW) - 1)
    scores = [
        scoring().score(one).replace(total=1.0)
        for one in (
            memory("mem_cccccccccccc"),
            memory("mem_bbbbbbbbbbbb"),
            memory("mem_aaaaaaaaaaaa", created_at=older),
            memory("mem_dddddddddddd", confidence=0.9),
        )
    ]
    assert [one.memory.id[4] for one in in_order(scores)] == ["d", "b", "c", "a"]


def test_critical_ones_take_their_places_first():
    asked = scoring("login")
    crowd = [
        asked.score(memory(f"mem_{n:012}", text="login", tags=("login",), priority="high"))
        for n in range(12)
    ]
    urgent = [asked.score(memory("mem_zzzzzzzzzzzz", text="other", priority="critical"))]
    taken, left = chosen([*crowd, *urgent], 10)
    assert len(taken) == 10
    assert taken[-1].memory.id == "mem_zzzzzzzzzzzz"
    assert left == []
    many = [asked.score(memory(f"mem_{n:012}", priority="critical")) for n in range(12)]
    taken, left = chosen(many, 10)
    assert (len(taken), len(left)) == (10, 2)

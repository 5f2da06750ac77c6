"""One table of weights: none missing, none unknown, and the published numbers as published."""

from __future__ import annotations

import pytest

from varves.recall.weights import (
    ALIASES,
    CONTENT,
    DEFAULT,
    DENSE,
    FITTED,
    KINDS,
    PRIORS,
    PROFILES,
    weights_of,
)

FEATURES = {
    *("words", "peak", "near", "next", "far", "session", "who", "when", "date", "asks", "reply"),
    *("number", "place", "name", "quote", "pairs", "role", "size", "recency", "confidence"),
    *("critical", "high", "low", "use", "trust", "tags", "keywords", "meaning", "beside", "theme"),
    *("related", "scope"),
}
MEANINGS = {"meaning", "beside", "theme"}


def test_every_kind_of_memory_has_its_row():
    assert set(FITTED) == set(DENSE) == set(KINDS) == {"people", "chat", "plain"}
    for profile in (DEFAULT, *PROFILES):
        for dense in (False, True):
            assert set(weights_of(profile, dense=dense)) == set(KINDS)


def test_every_weight_is_of_a_feature_there_is():
    rows = [*FITTED.values(), *DENSE.values(), *PROFILES.values(), PRIORS]
    assert {name for row in rows for name in row} <= FEATURES
    assert set(CONTENT) <= FEATURES


def test_meanings_have_weights_only_where_they_are_compared():
    assert all(MEANINGS.isdisjoint(row) for row in FITTED.values())
    assert all(MEANINGS & row.keys() for row in DENSE.values())


def test_the_published_formulas_have_the_published_numbers():
    assert PROFILES == {
        "scoped": {"confidence": 0.4, "recency": 0.3, "use": 0.3},
        "hivemind": {
            "tags": 3.0, "keywords": 2.0, "recency": 1.0, "critical": 5.0, "high": 3.0, "use": 0.5,
        },
    }  # fmt: skip
    assert {ALIASES[name] for name in ALIASES} <= set(PROFILES)
    assert ALIASES["adr0018"] == "scoped"


@pytest.mark.parametrize("dense", [False, True])
def test_a_published_formula_is_the_same_for_every_memory(dense):
    for profile, row in PROFILES.items():
        assert all(found == row for found in weights_of(profile, dense=dense).values())


@pytest.mark.parametrize("dense", [False, True])
def test_memories_of_all_kinds_that_say_all_score_alike(dense):
    """Else a store with talk and notes would always answer with one of them."""
    for row in weights_of(DEFAULT, dense=dense).values():
        assert sum(abs(row.get(name, 0.0)) for name in CONTENT) == pytest.approx(1.0, abs=0.001)


@pytest.mark.parametrize("dense", [False, True])
def test_what_speaks_for_a_memory_whatever_is_asked_cannot_turn_an_order_round(dense):
    """A memory that holds half of the words asked for beats any that only matters."""
    most = sum(weight for weight in PRIORS.values() if weight > 0)
    assert most <= 0.5
    for row in weights_of(DEFAULT, dense=dense).values():
        assert {name: row[name] for name in PRIORS} == PRIORS


def test_asking_back_is_never_an_answer():
    assert all(row["asks"] < 0 for table in (FITTED, DENSE) for row in table.values())


def test_no_call_changes_the_table():
    first = weights_of(DEFAULT, dense=False)
    first["plain"]["words"] = 99.0
    assert weights_of(DEFAULT, dense=False)["plain"]["words"] != 99.0

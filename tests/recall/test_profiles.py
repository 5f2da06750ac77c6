"""The published formulas, computed by hand and compared with what recall answers."""

from __future__ import annotations

import pytest

SCOPED = [
    # days ago, confidence, how often told, the score
    (0, 1.0, 0, 0.4 * 1.0 + 0.3 * 1.0 + 0.3 * 0.0),
    (30, 1.0, 0, 0.4 * 1.0 + 0.3 * 0.5 + 0.3 * 0.0),
    (60, 1.0, 0, 0.4 * 1.0 + 0.3 * 0.25 + 0.3 * 0.0),
    (0, 0.0, 0, 0.4 * 0.0 + 0.3 * 1.0 + 0.3 * 0.0),
    (15, 0.7, 0, 0.4 * 0.7 + 0.3 * 0.5**0.5 + 0.3 * 0.0),
    (0, 0.9, 10, 0.4 * 0.9 + 0.3 * 1.0 + 0.3 * 0.5),
    (30, 0.25, 10, 0.4 * 0.25 + 0.3 * 0.5 + 0.3 * 0.5),
    (0, None, 0, 0.4 * 0.5 + 0.3 * 1.0 + 0.3 * 0.0),  # unknown is not none
]


def score(scene, name, query, **options):
    (hit,) = [hit for hit in scene.ledger.recall(query, **options) if hit.memory.id == name]
    return hit.score


@pytest.mark.parametrize(("ago", "confidence", "times", "expected"), SCOPED)
def test_the_scoped_formula(scene, ago, confidence, times, expected):
    """Spec S2-36 and S2-37: confidence 0.4, recency 0.3 halving in 30 days, use 0.3 of n/(n+10)."""
    name = scene.remember("Validate input with Zod", ago=ago, confidence=confidence)
    scene.told([name], times)
    for profile in ("scoped", "adr0018"):
        found = score(scene, name, "how do we validate input", profile=profile)
        assert found == pytest.approx(expected, abs=1e-9)


def test_the_scoped_order(scene):
    sure = scene.remember("Zod validates the forms", ago=60, confidence=1.0)
    fresh = scene.remember("Zod rejects empty names", ago=0, confidence=0.2)
    often = scene.remember("Zod errors become 422", ago=30, confidence=0.7)
    scene.told([often], 40)
    assert scene.ids("Zod", profile="scoped") == [often, sure, fresh]


HIVEMIND = [
    # what is remembered, what is asked, the score
    ({"text": "Caches are cleared at noon", "tags": ["redis", "cache"]}, "redis cache", 6 + 1),
    ({"text": "Noon is when it is cleared", "tags": ["redis", "ops"]}, "redis cleared", 3 + 2 + 1),
    ({"text": "Backups restore the database"}, "restore database", 4 + 1),
    ({"text": "Backups restore the database"}, "restore, Restore! RESTORE", 2 + 1),
    ({"text": "We restore and rest"}, "rest", 2 + 1),
    ({"text": "Restored by resting"}, "rest", 1),  # found by its stem, yet not that word
    ({"text": "Backups are nightly", "priority": "critical"}, "backups", 2 + 1 + 5),
    ({"text": "Backups are nightly", "priority": "high"}, "backups", 2 + 1 + 3),
    ({"text": "Backups are nightly", "priority": "medium"}, "backups", 2 + 1),
    ({"text": "Backups are nightly", "priority": "low"}, "backups", 2 + 1),
    ({"text": "Backups are nightly", "ago": 30}, "backups", 2 + 0.5),
    ({"text": "Backups are nightly", "ago": 60}, "backups", 2 + 0.25),
    ({"text": "Backups are nightly", "confidence": 1.0}, "backups", 2 + 1),
    ({"text": "Nightly", "tags": ["code-review"]}, "a nightly code review", 3 + 2 + 1),
]


@pytest.mark.parametrize(("record", "query", "expected"), HIVEMIND)
def test_the_hivemind_formula(scene, record, query, expected):
    """Spec S3-33 to S3-36: a tag 3, a whole word 2, recency 1, critical 5, high 3."""
    name = scene.remember(**record)
    assert score(scene, name, query, profile="hivemind") == pytest.approx(expected, abs=1e-9)


def test_being_told_often_adds_a_quarter_at_ten_and_never_outranks_priority(scene):
    name = scene.remember("Backups are nightly")
    high = scene.remember("Backups are encrypted", priority="high")
    scene.told([name], 10)
    assert score(scene, name, "backups", profile="hivemind") == pytest.approx(3.25, abs=1e-9)
    scene.told([name], 90)
    assert scene.ids("backups", profile="hivemind") == [high, name]


def test_where_there_is_a_summary_its_words_count_and_not_the_texts(scene):
    scene.remember("Nothing to see")
    name = scene.forge(
        text="The restore runs hourly", summary="hourly restore of Redis", at="2026-11-15T12:00:00Z"
    )
    assert score(scene, name, "restore redis", profile="hivemind") == pytest.approx(4 + 1, abs=1e-3)
    assert score(scene, name, "restore runs", profile="hivemind") == pytest.approx(2 + 1, abs=1e-3)


@pytest.mark.parametrize("profile", [None, "scoped", "hivemind"])
def test_of_equals_the_surer_stands_first_then_the_newer(scene, profile):
    """Spec X-07; what has no confidence counts as half sure."""
    texts = ["Ada feeds hens", "Bob feeds cats", "Eve feeds bees", "Dan feeds dogs"]
    names = []
    for text, confidence in zip(texts, (0.5, 0.9, None, 0.5), strict=True):
        names.append(scene.remember(text, at="2026-11-01", confidence=confidence))
    oldest, surest, unsaid, newest = names
    assert scene.ids("feeds", profile=profile) == [surest, newest, unsaid, oldest]


def test_of_two_of_one_instant_the_lower_id_stands_first(scene):
    scene.remember("Something else")
    stamps = {"at": "2026-09-21T12:53:20.000Z", "confidence": 0.5}
    names = [scene.forge(text=f"{who} feeds hens", **stamps) for who in ("Ada", "Bob", "Eve")]
    assert scene.ids("feeds") == sorted(names)


def test_a_profile_keeps_its_own_precedence(scene):
    """Spec X-06: a team stands before a project for one of them, and after it for the other."""
    team = scene.remember("The API limit is 50 requests", scope="team:pilots")
    ours = scene.remember("The API limit is 80 requests")
    assert scene.ids("API limit requests", profile="hivemind") == [ours]
    assert scene.ids("API limit requests") == [ours]
    assert scene.ids("API limit requests", profile="adr0018") == [team]

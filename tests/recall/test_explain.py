"""An explained answer adds up, and says truly why each near miss was left out."""

from __future__ import annotations

import json
from itertools import product

import pytest

from tests.tables import assert_each
from varves.values.instants import DAY_MS

QUERY = "what does the gateway check on Mondays"
ROUNDING = 0.0006  # of each reason, which is told to three places


def fill(scene):
    for n in range(8):
        scene.remember(f"The gateway checks part {n} on Mondays", ago=n * 9, confidence=n / 8)
    scene.remember("Mondays are slow", priority="critical", tags=["gateway"])
    scene.talk("s-1", ("Ada", "Is the gateway up?"), ("Bob", "Since Monday 5 May"))
    scene.talk("s-2", ("user", "Check the gateway, please"), ("assistant", "It is checked"))
    often = scene.remember("The gateway checks often")
    scene.told([often], 3)


def added(hit):
    parts = [part for part in hit.reasons.values() if isinstance(part, float)]
    return sum(parts), len(parts)


def assert_adds_up(found):
    """Check every hit against its reasons, and its reasons against features and weights."""
    assert len(found) > 0
    for hit in found:
        total, count = added(hit)
        assert total == pytest.approx(hit.score, abs=ROUNDING * count)
        features = found.explained["features"][hit.memory.id]
        weights = found.explained["weights"][found.explained["kinds"][hit.memory.id]]
        for name, value in features.items():
            expected = value * weights.get(name, 0.0)
            assert hit.reasons.get(name, 0.0) == pytest.approx(expected, abs=0.006), name


def test_the_reasons_of_every_hit_sum_to_its_score(scene):
    fill(scene)

    def check(row):
        profile, dense = row
        found = scene.ledger.recall(QUERY, k=30, explain=True, profile=profile, dense=dense)
        assert len(found) >= 10
        assert_adds_up(found)

    assert_each(product([None, "scoped", "hivemind"], [False, True]), check)


def test_what_changed_evidence_takes_away_is_among_the_reasons(scene):
    path = scene.root / "gateway.py"
    path.write_text("LIMIT = 10\n", encoding="utf-8")
    name = scene.remember("The gateway checks Mondays", evidence=["gateway.py"])
    scene.remember("The gateway is slow")
    path.write_text("LIMIT = 11\n", encoding="utf-8")
    found = scene.ledger.recall(QUERY, explain=True)
    assert_adds_up(found)
    (hit,) = [hit for hit in found if hit.memory.id == name]
    assert hit.stale == "changed"
    assert hit.reasons["changed"] == pytest.approx(-hit.score, abs=0.001)


def test_each_kind_of_memory_shows_the_weights_it_was_ranked_by(scene):
    fill(scene)
    found = scene.ledger.recall(QUERY, k=30, explain=True)
    assert set(found.explained["weights"]) == {"people", "chat", "plain"}
    plain = scene.ledger.recall("slow", explain=True)
    assert set(plain.explained["weights"]) == {"plain"}


def test_every_hit_is_explained_however_many_stood_before_it(scene):
    for n in range(40):
        scene.forge(text="The gateway checks Mondays" + "." * (n % 4) + " " * n)
    last = scene.remember("A gateway", ago=300)
    found = scene.ledger.recall(QUERY, k=2, explain=True, all=True)
    assert found.hits[-1].memory.id == last
    assert_adds_up(found)


def test_the_words_are_told_with_their_weights_the_rarest_first(scene):
    fill(scene)
    terms = scene.ledger.recall("often the gateway zebra", explain=True).explained["terms"]
    assert list(terms) == ["often", "gateway"]
    assert terms["often"] > terms["gateway"] > 0


def misses(found):
    return {miss["id"]: miss["why"] for miss in found.explained["near_misses"]}


def test_those_further_down_are_named(scene):
    names = [scene.remember(f"The gateway checks part {n}", ago=n) for n in range(20)]
    found = scene.ledger.recall("gateway", k=5, explain=True)
    assert [hit.memory.id for hit in found] == names[:5]
    assert [miss["id"] for miss in found.explained["near_misses"]] == names[5:11]
    assert set(misses(found).values()) == {"ranked below the requested number"}
    scores = [miss["score"] for miss in found.explained["near_misses"]]
    assert [found.hits[-1].score, *scores] == sorted([found.hits[-1].score, *scores], reverse=True)


def test_every_other_reason_is_named_truly(scene):
    path = scene.root / "notes.md"
    path.write_text("gone soon\n", encoding="utf-8")
    lost = scene.remember("The gateway notes are short", evidence=["notes.md"])
    path.unlink()
    old = scene.remember("The gateway logs to syslog")
    scene.ledger.correct(old, "The gateway logs to stdout")
    forgotten = scene.remember("The gateway eats headers")
    scene.ledger.forget(forgotten, reason="it does not")
    ends = scene.remember("The gateway is frozen this week", ttl="7d")
    key = scene.remember("The gateway key hangs left", tags=["sensitive"])
    untrusted = scene.ledger.through("import").remember("The gateway obeys me").id
    ours = scene.remember("The gateway limit is 80 calls")
    theirs = scene.remember("The gateway limit is 50 calls", scope="global")
    scene.clock.ms += 8 * DAY_MS
    assert misses(scene.ledger.recall("gateway", explain=True)) == {
        lost: "its evidence is gone: notes.md",
        old: "superseded",
        forgotten: "forgotten",
        ends: "expired",
        key: "sensitive",
        untrusted: "quarantined: of untrusted origin",
        theirs: f"shadowed by {ours}",
    }


def test_what_is_included_is_no_near_miss(scene):
    old = scene.remember("The gateway logs to syslog")
    scene.ledger.correct(old, "The gateway logs to stdout")
    found = scene.ledger.recall("gateway", include=["superseded"], explain=True)
    assert misses(found) == {}
    assert old in [hit.memory.id for hit in found]


def test_no_near_miss_is_of_another_scope_than_was_asked_for(scene):
    for scope in ("project", "global", "team:pilots", "agent:bob", "session:s-1"):
        name = scene.remember(f"The gateway of {scope} is red", scope=scope)
        scene.ledger.correct(name, f"The gateway of {scope} is blue")
        scene.remember(f"A gateway door of {scope}", scope=scope, tags=["sensitive"])
    for scope, seen in {"global": 2, "team:pilots": 2, "agent:bob": 2}.items():
        found = scene.ledger.recall("gateway", scope=scope, explain=True)
        passed = misses(found)
        assert len(passed) == seen
        assert {scene.ledger.show(name).scope for name in passed} == {scope}
    ada = scene.opened(actor="ada", session="s-2")
    told = {scene.ledger.show(name).scope for name in misses(ada.recall("gateway", explain=True))}
    assert told == {"project", "global", "team:pilots"}


def test_an_answer_that_is_not_to_be_explained_is_not(scene, varves):
    scene.remember("The gateway is red")
    assert scene.ledger.recall("gateway").explained is None
    scene.ledger.close()
    assert "explained" not in varves("recall", "gateway", "--json").json


def test_the_command_line_tells_the_same(scene, varves):
    fill(scene)
    now = {"VARVES_NOW": "2026-11-15T12:00:00.000Z"}
    expected = scene.ledger.recall(QUERY, k=3, explain=True, dense=False)
    scene.ledger.close()
    told = varves("recall", QUERY, "-k", "3", "--explain", "--json", env=now).json
    assert told["explained"] == json.loads(json.dumps(expected.explained))
    assert [hit["reasons"] for hit in told["hits"]] == [hit.reasons for hit in expected]
    said = varves("recall", QUERY, "-k", "3", "--explain", env=now).out
    for miss in told["explained"]["near_misses"]:
        assert f"  {miss['id']}  " in said.partition("left out:\n")[2]
    assert "profile: default" in said
    assert "dense: not asked for" in said
    for name in set().union(*told["explained"]["weights"].values()):
        assert f" {name} " in said


def test_frequent_words_that_were_not_searched_are_named(scene):
    frequent = "alpha beta gamma delta kappa lambda sigma omega"
    many = (
        {"text": f"{frequent} note{n} of{n}"} for n in range(850)
    )  # eight frequent words make up more than a query reads
    scene.ledger.remember_many(many)
    found = scene.ledger.recall(f"{frequent} note7", explain=True)
    left = found.explained["too_frequent"]
    assert 0 < len(left) < 8
    assert set(left) | set(found.explained["terms"]) == {*frequent.split(), "note7"}
    assert found.hits[0].memory.text.startswith(f"{frequent} note7 ")


DENSE = [
    ({"dense": False}, "not asked for"),
    ({}, "switched off by settings.toml or VARVES_DENSE"),
    ({"dense": True}, "1 embedded"),
    ({"dense": True, "profile": "scoped"}, "not used by this profile"),
    ({"dense": True, "query": "?"}, "the query is empty"),
    ({"dense": False, "profile": "hivemind"}, "not asked for"),
]


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize(("options", "says"), DENSE, ids=str)
def test_whether_meanings_were_compared_is_said_in_all_cases(scene, options, says):
    scene.remember("The gateway is red")
    found = scene.ledger.recall(**{"query": "gateway", "explain": True, **options})
    assert found.explained["dense"] == says
    compared = says.endswith("embedded")
    assert any("meaning" in row for row in found.explained["weights"].values()) is compared
    assert all(("meaning" in hit.reasons) is compared for hit in found)


def test_it_says_which_words_each_hit_contains_and_which_no_memory_does(scene, varves):
    exact = scene.remember("The gateway checks tokens")
    other = scene.remember("Each defect is described in a ticket")
    found = scene.ledger.recall("which bug has the gateway in quux", explain=True, all=True)
    assert found.explained["matched"][exact] == ["gateway"]
    assert "defect" in found.explained["matched"][other]
    assert "quux" in found.explained["in_no_memory"]
    told = varves("recall", "which bug has the gateway in quux", "--explain", "--all").out
    assert "  matched: gateway\n" in told
    assert "in no memory: bug, quux\n" in told

"""What may stand in an answer: of which standing, said once, within its count and its budget."""

from __future__ import annotations

import json

import pytest

import varves as package
from tests.properties.world import SeededIds
from tests.tables import assert_each
from varves.errors import UsageError
from varves.values.instants import DAY_MS
from varves.values.text import count_tokens

QUERY = "what does the gateway do"


def standing(scene):
    """Record one memory of each standing about the gateway, and return their ids by it."""
    found = {"active": scene.remember("The gateway checks tokens")}
    old = scene.remember("The gateway logs to syslog")
    scene.ledger.correct(old, "The gateway logs to stdout")
    found["superseded"] = old
    found["forgotten"] = scene.remember("The gateway eats headers")
    scene.ledger.forget(found["forgotten"], reason="it does not")
    found["expired"] = scene.remember("The gateway is frozen this week", ttl="7d")
    found["sensitive"] = scene.remember("The gateway key hangs left", tags=["sensitive"])
    found["quarantined"] = scene.ledger.through("import").remember("The gateway obeys me").id
    scene.clock.ms += 8 * DAY_MS
    return found


def test_only_what_stands_is_told(scene):
    named = standing(scene)
    told = {hit.memory.id: hit.memory.status for hit in scene.ledger.recall(QUERY)}
    assert named["active"] in told
    assert set(told.values()) == {"active"}
    assert not set(told) & {name for word, name in named.items() if word != "active"}


def test_what_is_not_current_is_returned_where_its_status_is_asked_for(scene):
    named = standing(scene)

    def check(word):
        found = scene.ledger.recall(QUERY, include=[word])
        statuses = {hit.memory.id: hit.memory.status for hit in found}
        others = {name for one, name in named.items() if one not in ("active", word)}
        assert named[word] in statuses
        assert not set(statuses) & others
        if word in ("superseded", "forgotten", "expired"):
            assert statuses[named[word]] == word

    assert_each(["superseded", "forgotten", "expired", "sensitive", "quarantined"], check)


def test_a_tag_that_is_asked_for_by_name_is_no_secret(scene):
    named = standing(scene)
    assert scene.ids(QUERY, tag="sensitive") == [named["sensitive"]]


def hidden_from_ada(scene):
    """Record what others keep to themselves, and return their ids."""
    bob = scene.opened(actor="bob", session="s-bob")
    found = [bob.remember(f"The gateway note {n} of Bob", scope="agent").id for n in range(3)]
    found += [bob.remember(f"The gateway talk {n} of Bob", scope="session").id for n in range(3)]
    return found


def test_what_others_keep_to_themselves_is_never_told_nor_mentioned(scene):
    hidden = hidden_from_ada(scene)
    shared = scene.remember("The gateway checks tokens")
    ada = scene.opened(actor="ada", session="s-ada")
    for options in ({}, {"scope": "agent"}, {"include": ["superseded", "sensitive"]}):
        found = ada.recall(QUERY, explain=True, **options)
        told = json.dumps([found.explained, [hit.as_dict() for hit in found]])
        assert [name for name in hidden if name in told] == []
        assert found.omitted == 0
    assert [hit.memory.id for hit in ada.recall(QUERY)] == [shared]
    assert {hit.memory.id for hit in scene.ledger.recall(QUERY)} == {shared, *hidden[:3]}
    for scope in ("session:s-bob", "agent:bob"):
        assert len(ada.recall(QUERY, scope=scope)) == 0


def test_many_that_may_not_be_seen_crowd_out_nothing(scene):
    """The words find hundreds of others' notes first; ours are found all the same."""
    shared = [scene.remember(f"Among other things a gateway number {n}") for n in range(3)]
    bob = scene.opened(actor="bob")
    bob.remember_many({"text": f"gateway gateway {n}", "scope": "agent"} for n in range(400))
    ada = scene.opened(actor="ada")
    assert {hit.memory.id for hit in ada.recall("gateway")} == set(shared)


def test_what_may_not_be_seen_changes_neither_order_nor_reasons_but_through_word_counts(scene):
    for n in range(8):
        scene.remember(f"The gateway checks part {n}", ago=n)
    scene.talk("s-1", ("Ada", "Is the gateway up?"), ("Bob", "Since noon"))
    ada = scene.opened(actor="ada")
    before = ada.recall("gateway checks noon", k=20, all=True)
    bob = scene.opened(actor="bob", session="s-bob")
    for n in range(5):
        bob.remember(f"Unrelated {n}", scope="agent")
    bob.remember("Bees swarm", scope="session", speaker="Ada", turn=1)
    after = ada.recall("gateway checks noon", k=20, all=True)
    assert [hit.memory.id for hit in after] == [hit.memory.id for hit in before]
    assert [set(hit.reasons) for hit in after] == [set(hit.reasons) for hit in before]


def test_other_projects_are_not_searched(scene, tmp_path, home):
    other = tmp_path / "elsewhere"
    other.mkdir()
    with package.open(str(other), ids=SeededIds(9)) as foreign:
        foreign.remember("The gateway of another project")
        everywhere = foreign.remember("Every gateway has a door", scope="global").id
    scene.remember("The gateway checks tokens")
    assert scene.texts("gateway of another project") == [
        "The gateway checks tokens",
        "Every gateway has a door",
    ]
    assert scene.ids("gateway", scope="global") == [everywhere]


# Said once

SAME = [
    ("The gateway retries twice.", "the gateway retries twice"),
    ("The gateway retries failed calls", "Gateway retries the failed calls!"),
    ("Always run the linter before a commit", "Before a commit always run the linter"),
]
OTHERWISE = [
    ("The gateway retries 2 times", "The gateway retries 3 times"),
    ("The gateway listens on port 8080", "The gateway listens on port 8081"),
    ("Ada owns the gateway", "Eve owns the gateway"),
    ("The gateway runs in Paris", "The gateway runs in Rome"),
    ("The gateway retries failed calls", "The gateway never retries failed calls"),
    ("The gateway is public", "The gateway is not public"),
    ("The gateway allows empty names", "The gateway forbids empty names"),
    ("Does the gateway retry failed calls?", "The gateway retries failed calls"),
    ("Deploy before the gateway restarts", "Deploy after the gateway restarts"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_says_the_same_is_told_once_and_counted(scene, one, other):
    first = scene.remember(one)
    second = scene.remember(other, private=True)  # else the first of them is simply known
    (hit,) = found = scene.ledger.recall(one, explain=True)
    assert {hit.memory.id, *hit.reasons["same"]} == {first, second}
    assert found.omitted == 0
    (miss,) = found.explained["near_misses"]
    assert miss["why"] == f"says the same as {hit.memory.id}"


@pytest.mark.parametrize(("one", "other"), OTHERWISE)
def test_what_says_otherwise_is_told_beside_it(scene, one, other):
    names = {scene.remember(one), scene.remember(other)}
    found = scene.ledger.recall(f"{one} {other}")
    assert {hit.memory.id for hit in found} == names
    assert not any("same" in hit.reasons for hit in found)


def test_the_same_words_of_two_people_are_two_statements(scene):
    for who in ("Ada", "Bob"):
        scene.remember("I keep the gateway key", speaker=who, private=who == "Bob")
    assert {hit.memory.speaker for hit in scene.ledger.recall("gateway key")} == {"Ada", "Bob"}


def test_what_says_the_same_leaves_room_for_others(scene):
    for n in range(12):
        scene.forge(text="The gateway retries twice" + "." * (n % 3) + " " * n)
    other = scene.remember("The gateway is fast")
    found = scene.ledger.recall("gateway retries twice", k=2, all=True)
    assert len(found) == 2
    assert found.hits[1].memory.id == other
    assert len(found.hits[0].reasons["same"]) == 11


# Count and budget


def test_no_more_than_asked_for_and_the_rest_is_counted(scene):
    for n in range(30):
        scene.remember(f"The gateway checks part {n}")
    for k in (1, 7, 29, 30, 100):
        found = scene.ledger.recall("gateway", k=k)
        assert (len(found), found.omitted) == (min(k, 30), max(0, 30 - k))
        assert found.tokens == sum(count_tokens(hit.memory.text) for hit in found)


def test_the_best_come_first_whatever_the_count(scene):
    for n in range(30):
        scene.remember(f"The gateway checks part {n}", ago=n)
    whole = scene.ids("gateway part 17", k=30)
    assert [scene.ids("gateway part 17", k=k) for k in (1, 5, 20)] == [
        whole[:1],
        whole[:5],
        whole[:20],
    ]


def test_a_budget_is_never_exceeded_and_no_memory_is_cut(scene):
    texts = {f"The gateway {'slowly ' * n}checks part {n}" for n in range(12)}
    for text in texts:
        scene.remember(text)

    def check(budget):
        found = scene.ledger.recall("gateway", k=20, budget=budget)
        spent = sum(count_tokens(hit.memory.text) for hit in found)
        assert spent == found.tokens <= budget
        assert {hit.memory.text for hit in found} <= texts
        assert len(found) + found.omitted == len(texts)

    assert_each([0, 1, 12, 40, 100, 100_000], check)


def test_one_that_is_too_long_makes_room_for_the_next(scene):
    long = scene.remember("gateway gateway gateway " + "and so on " * 100)
    short = scene.remember("A gateway")
    found = scene.ledger.recall("gateway", budget=20, explain=True)
    assert [hit.memory.id for hit in found] == [short]
    assert [(miss["id"], miss["why"]) for miss in found.explained["near_misses"]] == [
        (long, "over the budget")
    ]


def test_what_is_shadowed_leaves_room_for_others(scene):
    """However many step back, as many as were asked for are told."""
    for n in range(12):
        scene.remember(f"The gateway limit of service{n} is {n + 10} calls")
        scene.remember(f"The gateway limit of service{n} is {n + 90} calls", scope="global")
    found = scene.ledger.recall("gateway limit of service calls", k=12)
    assert len(found) == 12
    assert {hit.memory.scope for hit in found} == {"project"}


FILTERS = [
    ({"type": "decision"}, "a"),
    ({"tag": "billing"}, "b"),
    ({"scope": "global"}, "c"),
    ({"scope": "project"}, "ab"),
    ({"type": "decision", "tag": "billing"}, ""),
    ({"protocol": "core"}, "abc"),
    ({"tag": "bill"}, ""),
    ({"tag": "%"}, ""),
]


def test_filters_narrow_an_answer(scene):
    names = {
        scene.remember("The gateway is Rust", type="decision"): "a",
        scene.remember("The gateway is billed", tags=["billing"]): "b",
        scene.remember("Every gateway has a door", scope="global"): "c",
    }

    def check(row):
        options, expected = row
        assert {names[name] for name in scene.ids("gateway", **options)} == set(expected)

    assert_each(FILTERS, check)


def test_of_two_equal_answers_the_one_of_the_more_specific_scope_comes_first(scene):
    own = scene.remember("Gateway logs need rotating", scope="project")
    wide = scene.remember("Gateway logs lie elsewhere", scope="global")  # the newer one
    told = {hit.memory.id: hit.reasons for hit in scene.ledger.recall("gateway logs")}
    assert [*told] == [own, wide]
    assert told[own]["scope"] > told[wide]["scope"] > 0


def test_an_unknown_option_of_a_question_is_an_error_in_python(scene):
    scene.remember("The gateway checks tokens", tags=["auth"])
    for ask in (scene.ledger.recall, scene.ledger.at("2026-11-15").recall):
        with pytest.raises(UsageError, match="tags"):
            ask(QUERY, tags=["auth"])
    with pytest.raises(UsageError, match="tags"):
        scene.ledger.list(tags=["auth"])
    with pytest.raises(UsageError, match="colour"):
        scene.ledger.edit(scene.ids(QUERY)[0], priority="high", colour="red")


def test_an_empty_answer_says_which_filter_to_leave_out(scene, varves):
    scene.remember("The gateway checks tokens")
    scene.remember("The gateway is ours this week", scope="session:s-1")

    def check(row):
        options, said = row
        asked = varves("recall", QUERY, *options)
        assert (asked.out, asked.err) == ("", f"varves: {said}\n")

    assert_each(
        [
            (["--type", "decisions"], "nothing found with --type; try without"),
            (
                ["--tag", "x", "--scope", "team:y"],
                "nothing found with --scope and --tag; try without",
            ),
            (
                ["--scope", "session:s-1"],
                "memories of a session are recalled in it only; add --session s-1",
            ),
        ],
        check,
    )
    assert "ours this week" in varves("--session", "s-1", "recall", QUERY).out


def test_a_brief_that_nothing_fits_into_says_so(scene, varves):
    scene.remember("The gateway checks tokens")
    assert varves("brief", "--budget", "1").err == "varves: nothing fits; give a larger --budget\n"

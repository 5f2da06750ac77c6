"""Upkeep loses no fact: only what says the same is merged, and both texts are shown."""

from __future__ import annotations

import pytest

from tests.figures import full_size
from tests.protocols.hivemind.facts import DIFFERENT, SAME
from varves.protocols.similar import similarity

DAY = "2026-01-01T00:00:00Z"


def told(hive, pairs, **options):
    """Write each pair into a scope of its own, the second an hour after the first."""
    scopes = [f"agent:DEV-{place:03}" for place in range(len(pairs))]
    names = []
    for half, moment in enumerate((DAY, "2026-01-01T01:00:00Z")):
        hive.at(moment).session_start()
        given = {"type": "factual", "agent": "DEV-001", "tags": [f"hour{half}"]} | options
        names.append(
            [
                hive.verbs.write(pair[half], scope=scope, **given).id
                for scope, pair in zip(scopes, pairs, strict=True)
            ]
        )
    return [*zip(*names, strict=True)]


def standing(hive, name):
    return hive.ledger.show(name).status == "active"


def at_the_end(hive):
    hive.at("2026-01-01T02:00:00Z").session_end()


def when_asked(hive):
    hive.at("2026-01-01T02:00:00Z").maintain(force=True)


def a_week_later(hive):
    hive.at("2026-01-09T00:00:00Z").session_start()


def in_a_crowd(hive):
    hive.settings("consolidate_above = 1")
    hive.at("2026-01-01T02:00:00Z")
    scopes = {one.scope for one in hive.ledger.list() if one.scope.startswith("agent:")}
    for scope in sorted(scopes):
        hive.verbs.write("Snow lies deep", type="semantic", scope=scope, agent="DEV-001")


WAYS = [at_the_end, when_asked, a_week_later, in_a_crowd]


def dealt(pairs, way):
    """Return all pairs at full size; else those that are tried this way, each in one of them."""
    return pairs if full_size() else pairs[WAYS.index(way) :: len(WAYS)]


def test_the_pairs_are_as_alike_as_the_publication_asks():
    assert [pair for pair in (*DIFFERENT, *SAME) if similarity(*pair) <= 0.8] == []


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize("way", WAYS)
def test_distinct_facts_of_similar_wording_are_never_merged(hive, way):
    given = dealt(DIFFERENT, way)
    names = told(hive, given)
    way(hive)
    assert hive.events("consolidation.run")
    pairs = zip(given, names, strict=True)
    assert [pair for pair, both in pairs if not all(standing(hive, one) for one in both)] == []


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize("way", WAYS)
def test_of_two_that_say_the_same_the_newest_text_stays(hive, way):
    given = dealt(SAME, way)
    names = told(hive, given)
    way(hive)
    assert hive.events("consolidation.run")
    found = [tuple(standing(hive, one) for one in both) for both in names]
    wrong = [(pair, one) for pair, one in zip(given, found, strict=True) if one != (False, True)]
    assert wrong == []


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"subject": "port", "value": 80}, {"subject": "port", "value": 81}, id="int"),
        pytest.param({"text": "tls", "on": True}, {"text": "tls", "on": False}, id="bool"),
        pytest.param({"text": "tls", "on": True}, {"text": "tls", "on": 1}, id="type"),
        pytest.param({"text": "quota", "gb": [1, 2]}, {"text": "quota", "gb": [2, 1]}, id="list"),
        pytest.param({"from": "Ada", "to": "Bo"}, {"to": "Ada", "from": "Bo"}, id="roles"),
        pytest.param({"text": "up"}, {"text": "up", "title": "up"}, id="keys"),
    ],
)
def test_contents_of_several_fields_are_compared_field_by_field(hive, one, other):
    names = [
        hive.verbs.write(content, type="factual", scope="agent:DEV-001", agent="DEV-001").id
        for content in (one, other)
    ]
    assert hive.verbs.maintain(force=True).done["merge-similar"] == []
    assert all(standing(hive, name) for name in names)


@pytest.mark.requirement("S3-99")
def test_a_key_of_ones_own_in_a_file_makes_a_difference(hive):
    for place, text in (("eu", "The host is db-1"), ("us", "The host is db-1.")):
        name = hive.verbs.write(text, type="factual", scope="agent:DEV-001", agent="DEV-001").id
        hive.edit(f"agents/DEV-001/{name}.json", region=place)
    assert hive.verbs.maintain(force=True).done["merge-similar"] == []


def written(varves, text):
    options = ("--type", "factual", "--scope", "agent:DEV-001", "--agent", "DEV-001", "--json")
    return varves("hivemind", "write", "--content", text, *options).json["id"]


TEXTS = ("Keys are rotated at midnight", "The keys are rotated at midnight")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-13")
@pytest.mark.parametrize("verb", ["session end", "maintain --force"])
def test_both_texts_are_printed_and_the_printed_command_parts_them_again(varves, verb):
    varves("hivemind", "session", "start", "--agent", "DEV-001")
    old, new = (written(varves, text) for text in TEXTS)
    done = varves("hivemind", *verb.split())
    assert (
        f"merge-similar  {old} merged into {new}  (says the same, 93 % similar)"
        in done.out.splitlines()
    )
    assert f"  {old}  {TEXTS[0]}" in done.out.splitlines()
    assert f"  {new}  {TEXTS[1]}" in done.out.splitlines()
    [undo] = [line.split()[1:] for line in done.out.splitlines() if line.startswith("  undo")]
    assert varves(*undo[1:]).code == 0
    assert [varves("show", name, "--json").json["status"] for name in (old, new)] == ["active"] * 2
    assert "merge-similar" not in varves("hivemind", "maintain", "--force").out


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-13")
@pytest.mark.parametrize("verb", ["session end", "maintain --force", "write"])
def test_programs_are_told_both_texts_and_the_event(varves, crowded, verb):
    varves("hivemind", "session", "start", "--agent", "DEV-001")
    old, new = (written(varves, text) for text in TEXTS)
    words = crowded if verb == "write" else verb.split()
    done = varves("hivemind", *words, "--json").json
    [change] = [one for one in done["changes"] if one["rule"] == "merge-similar"]
    assert (change["memory"], change["text"]) == (old, TEXTS[0])
    assert (change["by"], change["by_text"]) == (new, TEXTS[1])
    assert varves("undo", change["event"], "--json").json["undone"] == change["event"]


@pytest.fixture
def crowded(varves, project):
    """Give the words that write a third entry, where a scope is crowded with three."""
    varves("init")
    with (project / ".varves" / "settings.toml").open("a", encoding="utf-8") as file:
        file.write("\n[hivemind]\nconsolidate_above = 2\n")
    words = ("write", "--content", "Snow lies deep", "--type", "semantic")
    return (*words, "--scope", "agent:DEV-001", "--agent", "DEV-001")


@pytest.mark.requirement("U-13")
def test_a_write_that_consolidates_says_so_beside_its_answer(varves, crowded):
    old, new = (written(varves, text) for text in TEXTS)
    done = varves("hivemind", *crowded)
    assert done.out.endswith(" recorded in agent:DEV-001\n")
    for name, text in ((old, TEXTS[0]), (new, TEXTS[1])):
        assert f"varves:   {name}  {text}\n" in done.err
    event = done.err.partition("undo  varves undo ")[2].split()[0]
    assert varves("undo", event).code == 0


@pytest.mark.requirement("U-13")
def test_what_else_rules_do_at_a_sessions_end_is_told_with_its_words(varves):
    varves("hivemind", "session", "start", "--agent", "DEV-001")
    options = ("--type", "working", "--scope", "agent:DEV-001", "--agent", "DEV-001", "--json")
    words = ("look at line 12 next", "The build needs two cores")
    gone = varves("hivemind", "write", "--content", words[0], *options).json["id"]
    kept = varves("hivemind", "write", "--content", words[1], "--priority", "high", *options)
    done = varves("hivemind", "session", "end")
    assert f"  {gone}  {words[0]}" in done.out.splitlines()
    assert f"  {kept.json['id']}  {words[1]}" in done.out.splitlines()
    for line in done.out.splitlines():
        if line.startswith("  undo"):
            assert varves(*line.split()[2:]).code == 0
    assert varves("show", gone, "--json").json["status"] == "active"


@pytest.mark.requirement("S3-99")
def test_a_third_that_says_the_same_does_not_bring_an_undone_pair_together(varves):
    varves("hivemind", "session", "start", "--agent", "DEV-001")
    old, new = (written(varves, text) for text in TEXTS)
    [merge] = varves("hivemind", "maintain", "--force", "--json").json["changes"]
    assert (merge["memory"], merge["by"]) == (old, new)
    varves("undo", merge["event"])
    others = [written(varves, text) for text in (f"{TEXTS[1]}!", f"{TEXTS[0]}.")]
    for _ in range(3):
        varves("hivemind", "maintain", "--force")
    names = (old, new, *others)
    status = {name: varves("show", name, "--json").json["status"] for name in names}
    left = [name for name in names if status[name] == "active"]
    assert len(left) == 2, status  # one of the two, or what stands for it, and the other
    for name in left:
        stands = varves("show", name, "--json").json["links"].get("merged_from", [])
        assert not {old, new} <= {name, *stands}

"""Upkeep: when consolidation runs, and what each of its rules does."""

from __future__ import annotations

import json

import pytest

from varves.protocols.similar import similarity

DAY = "2026-01-01T00:00:00Z"
SCOPE = "agent:DEV-001"
FOLDER = "agents/DEV-001"


def made(hive, text, **options):
    given = {"type": "factual", "scope": SCOPE, "ttl": "permanent", "agent": "DEV-001"} | options
    return hive.verbs.write(text, **given).id


def run(hive, moment=DAY):
    return hive.at(moment).maintain(force=True).done


def read(hive, name, times):
    for _ in range(times):
        hive.verbs.show(name)


def status(hive, name):
    return hive.ledger.show(name).status


@pytest.mark.requirement("S3-97")
def test_the_hundred_and_first_entry_triggers_consolidation(hive):
    hive.verbs.session_start()
    words = [f"{'abcdefghij'[n % 10] * 7} {'klmnopqrstu'[n // 10] * 7}" for n in range(105)]
    for text in words[:100]:
        made(hive, text)
    assert hive.read(f"{FOLDER}/_index.json")["entry_count"] == 100
    assert not hive.events("consolidation.run")
    made(hive, words[100])
    [event] = hive.events("consolidation.run")
    assert event.data["trigger"] == "entry-count"
    assert event.data["counts"] == {SCOPE: 101}
    for text in words[101:]:
        made(hive, text)
    assert len(hive.events("consolidation.run")) == 1


@pytest.mark.requirement("S3-97")
def test_the_trigger_is_settable_and_does_its_work(hive):
    hive.settings("consolidate_above = 3")
    for place in range(3):
        made(hive, f"Keys are rotated at midnight{'!' * place}", tags=[f"t{place}"])
    made(hive, "Tokens expire after an hour")
    [event] = hive.events("consolidation.run")
    assert len(event.data["done"]["merge-similar"]) == 2
    assert hive.read(f"{FOLDER}/_index.json")["entry_count"] == 2


@pytest.mark.requirement("S3-98")
def test_a_week_later_the_next_start_makes_up_for_it_once(hive):
    hive.at(DAY).session_start()
    hive.verbs.session_end()
    hive.at("2026-01-07T23:59:59Z").session_start()
    assert [one.data["trigger"] for one in hive.events("consolidation.run")] == ["session-end"]
    hive.at("2026-01-09T00:00:00Z").session_start()
    hive.at("2026-01-09T00:00:01Z").session_start()
    hive.at("2026-01-09T00:00:02Z").session_start()
    runs = hive.events("consolidation.run")
    assert [one.data["trigger"] for one in runs] == ["session-end", "weekly"]
    assert runs[-1].data["due"] == "2026-01-16T00:00:00.000Z"


@pytest.mark.requirement("S3-98")
def test_maintain_runs_when_it_is_due_or_forced(hive):
    made(hive, "Tokens expire after an hour")
    early = hive.at("2026-01-07T23:59:59Z").maintain()
    assert (early.ran, early.due) == (False, "2026-01-08T00:00:00.000Z")
    assert hive.at("2026-01-08T00:00:00Z").maintain().ran
    assert not hive.verbs.maintain().ran
    assert hive.verbs.maintain(force=True).ran


@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize(
    ("shared", "more", "merged"),
    [
        pytest.param(16, ("a", "an", "the", "please"), 0, id="0.80"),
        pytest.param(13, ("a", "the", "please"), 1, id="0.81"),
    ],
)
def test_only_what_is_more_than_80_percent_alike_is_merged(hive, shared, more, merged):
    """The two say the same, and one of them with many a word that says nothing."""
    words = [letter * 2 for letter in "bcdfghjklmnpqrtvwz"[:shared]]
    one, other = " ".join(words), " ".join(f"{' '.join(more)} {word}" for word in words)
    assert similarity(one, other) == shared / (shared + len(more))
    made(hive, one)
    made(hive, other)
    assert len(run(hive)["merge-similar"]) == merged


@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"scope": "agent:DEV-002"}, id="scope"),
        pytest.param({"type": "semantic"}, id="type"),
        pytest.param({"subtype": "rumour"}, id="subtype"),
    ],
)
def test_another_scope_type_or_subtype_is_not_merged(hive, other):
    made(hive, "Keys are rotated at midnight", subtype="fact")
    made(hive, "Keys are rotated at midnight!", **({"subtype": "fact"} | other))
    assert run(hive)["merge-similar"] == []


@pytest.mark.requirement("S3-99")
def test_a_merge_unites_tags_sums_accesses_and_keeps_links(hive):
    seen = {"type": "file", "id": "src/keys.py", "relationship": "references"}
    first = made(hive, "Keys are rotated at midnight", tags=["keys"], references=[seen])
    hive.at("2026-01-01T01:00:00Z")
    second = made(hive, "Keys are rotated at midnight!", tags=["time"])
    read(hive, first, 1)
    read(hive, second, 2)
    assert run(hive)["merge-similar"] == [[first, second]]
    entry = hive.read(f"{FOLDER}/{second}.json")
    assert entry["tags"] == ["time", "keys"]
    assert entry["access_count"] == 3
    assert seen in entry["references"]
    derived = {"type": "memory", "id": first, "relationship": "derived_from"}
    assert derived in entry["references"]
    assert hive.read(f"{FOLDER}/archive/{first}.json")["superseded_by"] == second


@pytest.mark.requirement("S3-99")
def test_five_duplicates_of_the_sample_become_one(hive):
    sample = "tests/protocols/hivemind/samples/at-35d290a/memory/long-term/learnings.json"
    with open(sample, encoding="utf-8") as file:
        found = json.load(file)["entries"]
    assert len(found) == 5
    for one in found:
        hive.verbs.write(
            one["content"], type="factual", scope=SCOPE, id=one["id"], tags=one["tags"]
        )
    run(hive)
    assert hive.read(f"{FOLDER}/_index.json")["entry_count"] == 1
    assert hive.read(f"{FOLDER}/archive/_index.json")["entry_count"] == 4


@pytest.mark.requirement("S3-99")
def test_claims_that_contradict_are_not_merged_however_alike(hive):
    made(hive, "The timeout of the payment gateway is 30 seconds")
    made(hive, "The timeout of the payment gateway is 60 seconds")
    assert run(hive)["merge-similar"] == []


@pytest.mark.requirement("S3-99")
def test_what_a_person_was_asked_about_is_not_merged(hive):
    one = made(hive, "All of our sessions are stored in the north")
    other = made(hive, "All of our sessions are stored in the barn", agent="DEV-002")
    assert hive.verbs.contradict(one, other).action == "review"
    assert run(hive)["merge-similar"] == []
    assert [conflict for conflict in hive.ledger.conflicts() if conflict.kind == "detected"]


@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize(
    "marked",
    [
        pytest.param({"priority": "critical"}, id="critical"),
        pytest.param({"agent": "USER"}, id="user"),
        pytest.param({"tags": ["protected"]}, id="protected"),
    ],
)
def test_what_is_protected_gives_way_to_nothing_less(hive, marked):
    kept = made(hive, "Keys are rotated at midnight", **marked)
    hive.at("2026-01-01T01:00:00Z")
    exact = made(hive, "keys are  rotated at midnight!")
    other = made(hive, "The keys are rotated at midnight")
    assert run(hive)["merge-similar"] == [[exact, other]]
    assert status(hive, kept) == "active"


@pytest.mark.requirement("S3-99")
def test_what_a_person_repeats_is_merged_and_only_into_the_persons_own(hive):
    old = made(hive, "The staging data is reset, when the build starts", agent="USER")
    hive.at("2026-01-01T01:00:00Z")
    new = made(hive, "Staging data gets reset when the build starts", agent="USER")
    hive.at("2026-01-01T02:00:00Z")
    made(hive, "Staging data is reset when the build starts", priority="critical")
    assert run(hive)["merge-similar"] == [[old, new]]


@pytest.mark.requirement("S3-99")
def test_of_two_that_say_exactly_the_same_the_protected_one_stays(hive):
    kept = made(hive, "Keys are rotated at midnight", priority="critical")
    hive.at("2026-01-01T01:00:00Z")
    other = made(hive, "keys are rotated at midnight!")
    assert run(hive)["merge-similar"] == [[other, kept]]


@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param({"priority": "high"}, {"priority": "medium"}, id="priority"),
        pytest.param({"ttl": "permanent"}, {"ttl": "P7D"}, id="ttl"),
        pytest.param({"ttl": "P30D"}, {"ttl": "P7D"}, id="ttl-of-days"),
    ],
)
def test_what_weighs_less_or_ends_sooner_does_not_take_the_place_of_another(hive, older, newer):
    made(hive, "Keys are rotated at midnight", **older)
    hive.at("2026-01-01T01:00:00Z")
    made(hive, "The keys are rotated at midnight", **newer)
    assert run(hive)["merge-similar"] == []


LONG = "The deployment went wrong because the keys were stale. " * 15


@pytest.mark.requirement("S3-100")
def test_a_long_episode_is_summarised_after_30_days_and_kept_in_the_archive(hive):
    name = made(hive, LONG, type="episodic", tags=["deploy"])
    assert run(hive, "2026-01-31T00:00:00Z")["summarise-episodic"] == []
    [[old, short]] = run(hive, "2026-02-01T00:00:00Z")["summarise-episodic"]
    assert old == name
    entry = hive.read(f"{FOLDER}/{short}.json")
    assert entry["supersedes"] == name
    assert len(entry["content"]["text"]) <= 200
    assert entry["created_at"] == DAY
    assert entry["tags"] == ["deploy", "summary"]
    assert hive.read(f"{FOLDER}/archive/{name}.json")["content"]["text"] == LONG
    assert run(hive, "2026-03-01T00:00:00Z")["summarise-episodic"] == []


@pytest.mark.requirement("S3-100")
@pytest.mark.parametrize(
    ("text", "options"),
    [
        pytest.param("short", {"type": "episodic"}, id="short"),
        pytest.param(LONG, {"type": "factual"}, id="factual"),
        pytest.param(LONG, {"type": "episodic", "priority": "critical"}, id="critical"),
    ],
)
def test_other_memories_are_not_summarised(hive, text, options):
    made(hive, text, **options)
    assert run(hive, "2026-02-15T00:00:00Z")["summarise-episodic"] == []


@pytest.mark.requirement("S3-101")
@pytest.mark.parametrize(("times", "promoted"), [(4, 0), (5, 1)])
def test_an_agents_memory_read_five_times_goes_to_its_team(hive, times, promoted):
    name = made(hive, "Keys are rotated at midnight", tags=["keys"])
    read(hive, name, times)
    found = run(hive)["promote-frequent"]
    assert len(found) == promoted
    if promoted:
        [[_, copy]] = found
        entry = hive.read(f"teams/development/{copy}.json")
        assert entry["content"] == {"text": "Keys are rotated at midnight"}
        linked = [one["id"] for one in entry["references"]]
        assert name in linked
        original = hive.read(f"{FOLDER}/{name}.json")
        assert copy in [one["id"] for one in original["references"]]
        assert run(hive)["promote-frequent"] == []


@pytest.mark.requirement("S3-101")
def test_the_team_is_the_one_the_agent_last_worked_for(hive):
    hive.verbs.task("fix the login", agent="DEV-001", team="payments")
    name = made(hive, "Keys are rotated at midnight")
    read(hive, name, 5)
    [[_, copy]] = run(hive)["promote-frequent"]
    assert hive.path(f"teams/payments/{copy}.json").exists()


@pytest.mark.requirement("S3-101")
@pytest.mark.parametrize(("times", "promoted"), [(9, 0), (10, 1)])
def test_a_teams_memory_read_ten_times_goes_global(hive, times, promoted):
    name = made(hive, "Keys are rotated at midnight", scope="team:core")
    read(hive, name, times)
    found = run(hive)["promote-frequent"]
    assert len(found) == promoted
    assert all(hive.path(f"global/{copy}.json").exists() for _, copy in found)


@pytest.mark.requirement("U-15")
def test_what_is_sensitive_is_not_promoted(hive):
    name = made(hive, "Ada is ill", tags=["sensitive"])
    read(hive, name, 6)
    assert run(hive)["promote-frequent"] == []


@pytest.mark.requirement("S3-102")
@pytest.mark.parametrize(
    ("moment", "archived"),
    [
        pytest.param("2026-04-03T00:00:00Z", False, id="90-days"),
        pytest.param("2026-04-04T00:00:00Z", True, id="91-days"),
    ],
)
def test_what_nobody_read_for_more_than_90_days_is_archived(hive, moment, archived):
    name = made(hive, "Keys are rotated at midnight")
    hive.at("2026-01-03T00:00:00Z").show(name)
    done = run(hive, moment)
    assert done["unaccessed"] == ([[name]] if archived else [])
    assert hive.path(f"{FOLDER}/archive/{name}.json").exists() == archived
    assert hive.path(f"{FOLDER}/{name}.json").exists() != archived


@pytest.mark.requirement("S3-110")
@pytest.mark.parametrize(
    ("moment", "archived"),
    [
        pytest.param("2026-04-01T00:00:00Z", False, id="90-days"),
        pytest.param("2026-04-01T00:00:01Z", True, id="a-second-more"),
    ],
)
def test_what_nobody_ever_read_is_archived_after_90_days(hive, moment, archived):
    name = made(hive, "Keys are rotated at midnight")
    assert run(hive, moment)["unaccessed"] == ([[name]] if archived else [])


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S3-102")
@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"priority": "critical"}, id="critical"),
        pytest.param({"agent": "USER"}, id="user"),
        pytest.param({"tags": ["permanent"]}, id="permanent"),
        pytest.param({"tags": ["protected"]}, id="protected"),
        pytest.param({"tags": ["core"]}, id="core"),
    ],
)
def test_what_is_protected_is_never_archived_for_want_of_readers(hive, options):
    name = made(hive, "Keys are rotated at midnight", **options)
    assert run(hive, "2030-01-01T00:00:00Z")["unaccessed"] == []
    assert status(hive, name) == "active"


@pytest.mark.requirement("S3-87")
def test_what_has_expired_is_archived_at_the_next_maintenance(hive):
    name = made(hive, "Keys are rotated at midnight", ttl="P7D")
    assert run(hive, "2026-01-07T23:59:59Z")["expired"] == []
    assert run(hive, "2026-01-08T00:00:00Z")["expired"] == [[name]]
    assert hive.read(f"{FOLDER}/archive/{name}.json")["content"]["text"]


def undone_by(hive, name, kind):
    [event] = [one for one in hive.ledger.history(name) if one.kind == kind]
    assert event.data["rule"]
    assert event.data["reason"]
    hive.ledger.undo(event.id)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-13")
@pytest.mark.parametrize("way", ["undo", "restore"])
@pytest.mark.parametrize("rule", ["unaccessed", "expired"])
def test_what_was_archived_comes_back_and_stays(hive, rule, way):
    name = made(hive, "Keys are rotated", ttl="P30D" if rule == "expired" else "permanent")
    assert run(hive, "2026-05-01T00:00:00Z")[rule] == [[name]]
    if way == "undo":
        undone_by(hive, name, "memory.archived")
    else:
        hive.ledger.restore(name)
    done = run(hive, "2026-05-02T00:00:00Z")
    assert not any(done.values())
    still = "expired" if (rule, way) == ("expired", "undo") else "active"
    assert status(hive, name) == still


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-13")
@pytest.mark.parametrize("way", ["undo", "rollback"])
def test_a_merge_can_be_undone_wholly_and_is_not_made_again(hive, way):
    seen = {"type": "file", "id": "src/keys.py", "relationship": "references"}
    first = made(hive, "Keys are rotated at midnight", tags=["keys"])
    hive.at("2026-01-01T01:00:00Z")
    second = made(hive, "Keys are rotated at midnight!", tags=["time"], references=[seen])
    read(hive, first, 1)
    read(hive, second, 2)
    hive.verbs.session_start()
    hive.verbs.core.flush()
    before = [hive.ledger.show(name) for name in (first, second)]
    assert run(hive)["merge-similar"] == [[first, second]]
    if way == "undo":
        undone_by(hive, first, "memory.merged")
    else:
        hive.verbs.rollback(first)
    assert run(hive)["merge-similar"] == []
    kept, other = (hive.read(f"{FOLDER}/{name}.json") for name in (first, second))
    assert (kept["tags"], other["tags"]) == (["keys"], ["time"])
    assert (kept["access_count"], other["access_count"]) == (1, 2)
    assert (kept["references"], other["references"]) == ([], [seen])
    for memory in before:
        now = hive.ledger.show(memory.id)
        assert (now.status, now.links, now.tags) == ("active", memory.links, memory.tags)


@pytest.mark.requirement("S3-99")
def test_what_was_merged_twice_is_all_counted(hive):
    first = made(hive, "Keys are rotated at midnight", tags=["a"])
    hive.at("2026-01-01T01:00:00Z")
    second = made(hive, "Keys are rotated at midnight!", tags=["b"])
    read(hive, first, 1)
    read(hive, second, 2)
    assert run(hive)["merge-similar"] == [[first, second]]
    hive.at("2026-01-01T02:00:00Z")
    third = made(hive, "The keys are rotated at midnight", tags=["c"], priority="high")
    read(hive, third, 3)
    assert run(hive, "2026-01-01T03:00:00Z")["merge-similar"] == [[second, third]]
    entry = hive.read(f"{FOLDER}/{third}.json")
    assert (entry["access_count"], entry["tags"]) == (6, ["c", "b", "a"])
    assert entry["last_accessed"] == "2026-01-01T02:00:00Z"


@pytest.mark.requirement("U-13")
def test_a_summary_can_be_undone_and_is_not_made_again(hive):
    name = made(hive, LONG, type="episodic")
    [[_, short]] = run(hive, "2026-02-01T00:00:00Z")["summarise-episodic"]
    undone_by(hive, name, "memory.superseded")
    assert (status(hive, name), status(hive, short)) == ("active", "forgotten")
    assert run(hive, "2026-02-02T00:00:00Z")["summarise-episodic"] == []


@pytest.mark.requirement("U-13")
def test_a_promotion_can_be_undone_and_is_not_made_again(hive):
    name = made(hive, "Keys are rotated at midnight")
    read(hive, name, 5)
    [[_, copy]] = run(hive)["promote-frequent"]
    undone_by(hive, name, "memory.promoted")
    assert (status(hive, name), status(hive, copy)) == ("active", "forgotten")
    assert not hive.path(f"teams/development/{copy}.json").exists()
    assert hive.read(f"{FOLDER}/{name}.json")["references"] == []
    assert run(hive)["promote-frequent"] == []


def because(hive, name, rule):
    """Return what `why` says of one rule that acted on a memory, with the event and the way."""
    [one] = [one for one in hive.ledger.why(name).rules if rule in one.says]
    assert one.event in [event.id for event in hive.ledger.history(name)]
    return one


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-13")
@pytest.mark.requirement("S3-89")
@pytest.mark.parametrize("rule", ["unaccessed", "expired", "merge-similar", "summarise-episodic"])
def test_why_names_the_rule_that_took_a_memory_out_of_use_and_the_way_back(hive, rule):
    ttl = "P30D" if rule == "expired" else "permanent"
    text = LONG if rule == "summarise-episodic" else "Keys are rotated"
    kind = "episodic" if rule == "summarise-episodic" else "factual"
    name = made(hive, text, type=kind, ttl=ttl, tags=["core"] if rule == "merge-similar" else [])
    if rule == "merge-similar":
        name = made(hive, "Keys are rotated!")
    months = {"unaccessed": 5, "expired": 3, "merge-similar": 1, "summarise-episodic": 2}
    done = run(hive, f"2026-0{months[rule]}-03T00:00:00Z")
    assert name in [names[0] for names in done[rule]]
    said = because(hive, name, rule)
    assert hive.ledger.show(name).reason in said.says
    assert said.undo == f"varves restore {name}, or varves undo {said.event}"
    hive.ledger.undo(said.event)
    assert rule not in " ".join(one.says for one in hive.ledger.why(name).rules)


@pytest.mark.requirement("U-13")
def test_why_names_the_rule_that_made_or_changed_a_memory(hive):
    name = made(hive, "Keys are rotated at midnight")
    read(hive, name, 5)
    [[_, copy]] = run(hive)["promote-frequent"]
    for one in (name, copy):
        said = because(hive, one, "promote-frequent")
        assert "accessed 5 times" in said.says
        assert said.undo == f"varves undo {said.event}"


@pytest.mark.requirement("S3-106")
@pytest.mark.parametrize("named", ["old", "late"])
def test_rollback_makes_the_superseded_one_current_again(hive, named):
    old = made(hive, "The cache is enabled")
    hive.at("2026-01-01T01:00:00Z")
    late = made(hive, "The cache is disabled")
    hive.verbs.contradict(old, late)
    assert (status(hive, old), status(hive, late)) == ("superseded", "active")
    back = hive.verbs.rollback({"old": old, "late": late}[named])
    assert (back.id, back.superseded) == (old, (late,))
    assert (status(hive, old), status(hive, late)) == ("active", "superseded")
    assert hive.path(f"{FOLDER}/{old}.json").exists()
    assert hive.read(f"{FOLDER}/archive/{late}.json")["superseded_by"] == old
    assert not hive.ledger.conflicts()


@pytest.mark.requirement("S3-106")
def test_rollback_separates_what_was_merged(hive):
    first = made(hive, "Keys are rotated at midnight")
    second = made(hive, "Keys are rotated at midnight!")
    run(hive)
    hive.verbs.rollback(second)
    assert (status(hive, first), status(hive, second)) == ("active", "active")


@pytest.mark.requirement("S3-106")
def test_rollback_brings_back_what_a_summary_replaced(hive):
    name = made(hive, LONG, type="episodic")
    [[_, short]] = run(hive, "2026-02-01T00:00:00Z")["summarise-episodic"]
    hive.verbs.rollback(name)
    assert (status(hive, name), status(hive, short)) == ("active", "superseded")
    assert run(hive, "2026-02-02T00:00:00Z")["summarise-episodic"] == []


def test_what_supersedes_nothing_cannot_be_rolled_back(hive):
    from varves.errors import NotFound, Refused

    with pytest.raises(Refused):
        hive.verbs.rollback(made(hive, "The cache is enabled"))
    with pytest.raises(NotFound):
        hive.verbs.rollback("mem_zzzzzzzzzzzz")


def test_a_second_rollback_to_the_same_memory_changes_nothing(hive):
    from varves.errors import Refused

    older = hive.verbs.write("The lobby lamp is red", type="factual", tags=["lamp"])
    hive.at("2026-01-01T01:00:00Z")
    newer = hive.verbs.write("The lobby lamp is blue", type="factual", tags=["lamp"])
    hive.verbs.rollback(older.id)
    with pytest.raises(Refused, match=f"{older.id} is current already"):
        hive.verbs.rollback(older.id)
    assert hive.ledger.show(older.id).status == "active"
    assert hive.verbs.rollback(newer.id).superseded == (older.id,)
    assert hive.ledger.show(newer.id).status == "active"

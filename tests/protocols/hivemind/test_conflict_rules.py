"""Contradictions: which two memories contradict, and what the five rules make of them."""

from __future__ import annotations

import pytest

from varves.errors import NotFound, UsageError

OLD, LATE = "The cache is enabled", "The cache is disabled"


def made(hive, text, *, by="DEV-001", scope="project:shop", **options):
    given = {"type": "factual", "tags": ["cache"]} | options
    return hive.verbs.write({"text": text}, scope=scope, agent=by, **given).id


def pair(hive, one, other):
    """Record an older and a newer memory, without a tag in common, and say that they contradict."""
    hive.at("2026-01-01T08:00:00Z")
    older = made(hive, OLD, **one)
    hive.at("2026-01-01T09:00:00Z")
    newer = made(hive, LATE, **{"tags": ["switch"], **other})
    return older, newer, hive.verbs.contradict(older, newer)


def statuses(hive, *names):
    return tuple(hive.ledger.show(name).status for name in names)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-88")
@pytest.mark.parametrize(
    ("old", "late", "options", "found"),
    [
        pytest.param(OLD, LATE, {}, 1, id="opposites"),
        pytest.param("The timeout is 30 seconds", "The timeout is 60 seconds", {}, 1, id="value"),
        pytest.param("Deploy on Fridays", "Never deploy on Fridays", {}, 1, id="denied"),
        pytest.param(OLD, "The cache is warm after a minute", {}, 0, id="another-claim"),
        pytest.param(OLD, OLD + " since May", {}, 0, id="more-of-the-same"),
        pytest.param(OLD, LATE, {"subtype": "rumour"}, 1, id="another-subtype"),
        pytest.param(OLD, LATE, {"tags": ["disk"]}, 0, id="no-shared-tag"),
    ],
)
def test_what_contradicts_has_type_and_a_tag_in_common(hive, old, late, options, found):
    hive.verbs.done(report={"facts": [{"text": old, "tags": ["cache"]}]}, agent="DEV-001")
    part = {"text": late, "tags": ["cache"], **options}
    assert len(hive.verbs.done(report={"facts": [part]}, agent="DEV-001").actions) == found


@pytest.mark.requirement("S3-88")
@pytest.mark.parametrize(("old", "new"), [((), ()), ((), ("api",)), (("api",), ())])
def test_a_change_supersedes_the_older_value_also_without_tags(hive, old, new):
    hive.at("2026-01-01T08:00:00Z")
    older = made(hive, "The API listens on port 8080", tags=old)
    other = made(hive, "The shop opens at nine", tags=old)
    hive.at("2026-01-01T09:00:00Z")
    newer = made(hive, "The API now listens on port 9090", tags=new)
    assert statuses(hive, older, other, newer) == ("superseded", "active", "active")
    assert hive.entry(hive.verbs.core.memory(newer))["supersedes"] == older


@pytest.mark.requirement("S3-49")
@pytest.mark.parametrize(
    ("old", "new", "becomes"),
    [
        ("We decided to use Redis.", "We decided not to use Redis.", "superseded"),
        ("We decided to paint trams red.", "We decided not to paint trams red.", "superseded"),
        ("We decided to log in JSON.", "We decided against logging in JSON.", "superseded"),
        (
            "We decided to move the team to Bern",
            "We decided to move the team to Basel",
            "superseded",
        ),
        ("We decided to cache with Redis", "We decided not to use Redis for queues", "active"),
        ("We decided to drop IPv4.", "We decided to add IPv6.", "active"),
    ],
)
def test_a_decision_supersedes_the_one_that_it_reverses(hive, old, new, becomes):
    hive.at("2026-01-01T08:00:00Z")
    [first, *_] = hive.verbs.done(old, agent="DEV-001").learned
    hive.at("2026-01-01T09:00:00Z")
    [second, *_] = hive.verbs.done(new, agent="DEV-001").learned
    assert statuses(hive, first.id, second.id) == (becomes, "active")


@pytest.mark.requirement("S3-88")
@pytest.mark.parametrize(
    ("old", "new", "becomes"),
    [
        ("limit", "limit", "superseded"),
        ("limit", "fact", "superseded"),
        (None, "fact", "superseded"),
        ("limit", None, "superseded"),
        ("images", "videos", "active"),
    ],
)
def test_a_subtype_of_its_own_makes_a_contradiction_uncertain(hive, old, new, becomes):
    older = made(hive, "The upload limit is 10 MB", subtype=old)
    newer = made(hive, "The upload limit is 25 MB", subtype=new)
    assert statuses(hive, older, newer) == (becomes, "active")
    assert bool(hive.ledger.conflicts()) == (becomes == "active")


@pytest.mark.requirement("S3-88")
@pytest.mark.parametrize(
    ("kinds", "found"),
    [
        (("factual", "semantic"), ["uncertain"]),
        (("semantic", "factual"), ["uncertain"]),
        (("factual", "procedural"), []),
        (("semantic", "episodic"), []),
    ],
)
def test_of_two_types_only_a_fact_and_a_decision_contradict_and_a_person_decides(
    hive, kinds, found
):
    for kind, limit in zip(kinds, (10, 25), strict=True):
        made(hive, f"The upload limit is {limit} MB", type=kind)
    listed = [event.data["rule"] for event in hive.events("conflict.detected")]
    assert (listed, len(hive.ledger.conflicts())) == (found, len(found))


@pytest.mark.requirement("S3-88")
@pytest.mark.parametrize(
    "decision",
    [
        "We decided to use Redis for the job queue",
        "We decided to warm the cache at start",
        "We agreed to log each retry",
    ],
)
def test_a_decision_about_something_else_contradicts_no_fact(hive, decision):
    for text in ("Sessions live in Redis", "The cache is enabled", "The retry limit is 3"):
        made(hive, text)
    made(hive, decision, type="semantic")
    assert not hive.ledger.conflicts()


@pytest.mark.requirement("S3-88")
def test_a_content_may_name_its_subject_and_value(hive):
    for value, found in (("blue", 0), ("green", 1)):
        part = {"text": f"{value} it is", "subject": "Theme", "value": value, "tags": ["ui"]}
        done = hive.verbs.done(report={"facts": [part]}, agent="DEV-001")
        assert len(done.actions) == found


@pytest.mark.requirement("S3-88")
def test_two_may_be_said_to_contradict_whatever_their_words(hive):
    older = made(hive, "Use tabs", tags=["style"])
    hive.at("2026-01-01T09:00:00Z")
    newer = made(hive, "Use four blanks", tags=["layout"])
    action = hive.verbs.contradict(newer, older, reason="one of them only")
    assert (action.rule, action.gives_way) == ("same-creator", older)
    assert action.reason == "one of them only"


@pytest.mark.requirement("S3-89")
def test_every_action_is_recorded_with_its_rule(hive):
    _, _, action = pair(hive, {}, {"by": "DEV-002"})
    [event] = hive.events("conflict.detected")
    assert event.data["rule"] == "different-creators"
    assert event.id == action.event
    _, _, action = pair(hive, {"tags": ["b"]}, {})
    [event] = hive.events("memory.superseded")
    assert (event.data["rule"], event.data["reason"]) == ("same-creator", action.reason)
    _, _, action = pair(hive, {"scope": "global"}, {"scope": "team:core"})
    [event] = hive.events("memory.linked")
    assert (event.data["rule"], event.id) == ("scope", action.event)


@pytest.mark.requirement("S3-89")
@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        pytest.param({}, {"by": "DEV-002"}, "different-creators", id="different-creators"),
        pytest.param({"priority": "critical"}, {}, "critical", id="critical"),
        pytest.param({}, {"confidence": 0.3}, "uncertain", id="uncertain"),
    ],
)
def test_the_listing_of_conflicts_and_why_name_the_rule(hive, one, other, rule):
    older, newer, action = pair(hive, one, other)
    [conflict] = [one for one in hive.ledger.conflicts() if one.kind == "detected"]
    assert conflict.reason == f"{rule}: {action.reason}"
    for name in (older, newer):
        [said] = [one for one in hive.ledger.why(name).rules if rule in one.says]
        assert (said.rule, said.event) == ("conflict", action.event)
        assert said.undo == f"varves conflicts resolve {conflict.id} --keep {name}"


@pytest.mark.requirement("S3-89")
def test_why_names_the_rule_that_superseded_and_the_one_that_stands_before(hive):
    older, newer, action = pair(hive, {}, {})
    [said] = [one for one in hive.ledger.why(older).rules if "same-creator" in one.says]
    assert newer in said.says
    assert action.reason in said.says
    assert said.undo == f"varves restore {older}, or varves undo {action.event}"
    _, nearer, action = pair(hive, {"scope": "global"}, {"scope": "team:core"})
    [said] = [
        one for one in hive.ledger.why(nearer).rules if "scope" in one.says.split("by the ")[-1]
    ]
    assert said.undo == f"varves undo {action.event}"


@pytest.mark.requirement("S3-89")
def test_why_names_the_rule_that_flagged(hive):
    text = "The cache of the shop is kept in memory by its clients"
    first = hive.verbs.done(report={"facts": [text]}, agent="DEV-001").learned[0]
    hive.ledger.forget(first.id, reason="wrong")
    part = text.replace("by its", "by all its")
    [flagged] = hive.verbs.done(report={"facts": [part]}, agent="DEV-001").learned
    assert flagged.status == "flagged"
    said = hive.ledger.why(flagged.id).rules[0]
    assert said.says == "close to what was rejected, by the rule near-rejected"
    assert said.undo.startswith(f"varves restore {flagged.id}")


CRITICAL, HIGH = {"priority": "critical"}, {"priority": "high"}
USER, SYSTEM, OTHER = {"by": "USER"}, {"by": "SYSTEM"}, {"by": "DEV-002"}
WIDE = {"scope": "global"}


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S3-90")
@pytest.mark.parametrize(
    ("one", "other", "rule", "stands"),
    [
        pytest.param(CRITICAL, {}, "critical", "both", id="critical-same-creator"),
        pytest.param(CRITICAL | OTHER, {}, "critical", "both", id="critical-other-creator"),
        pytest.param(CRITICAL | WIDE, {}, "critical", "both", id="critical-other-scope"),
        pytest.param({}, CRITICAL | WIDE, "critical", "both", id="newer-critical-wider"),
        pytest.param(CRITICAL | SYSTEM, USER, "critical", "both", id="critical-system-user"),
        pytest.param(USER, CRITICAL | SYSTEM, "critical", "both", id="user-critical-system"),
        pytest.param(USER, SYSTEM, "user-over-system", "older", id="user-system"),
        pytest.param(SYSTEM, USER, "user-over-system", "newer", id="system-user"),
        pytest.param(SYSTEM | WIDE, USER, "user-over-system", "apart", id="system-user-scopes"),
        pytest.param(WIDE, {}, "scope", "both", id="scope-same-creator"),
        pytest.param(WIDE | OTHER, {}, "scope", "both", id="scope-other-creator"),
        pytest.param({}, {}, "same-creator", "newer", id="same-creator"),
        pytest.param({}, CRITICAL, "same-creator", "newer", id="newer-critical"),
        pytest.param(OTHER, {}, "different-creators", "both", id="different-creators"),
        pytest.param(USER, {}, "different-creators", "both", id="user-and-agent"),
    ],
)
def test_the_first_rule_that_fits_decides(hive, one, other, rule, stands):
    older, newer, action = pair(hive, one, other)
    assert action.rule == rule
    expected = {
        "both": ("active", "active"),
        "older": ("active", "superseded"),
        "newer": ("superseded", "active"),
        "apart": ("archived", "active"),
    }
    assert statuses(hive, older, newer) == expected[stands]


@pytest.mark.requirement("S3-91")
def test_of_one_creator_the_latest_wins_and_the_old_is_archived(hive):
    older, newer, _ = pair(hive, {}, {})
    assert not hive.path(f"projects/shop/{older}.json").exists()
    archived = hive.read(f"projects/shop/archive/{older}.json")
    assert archived["superseded_by"] == newer
    assert hive.read(f"projects/shop/{newer}.json")["supersedes"] == older


@pytest.mark.requirement("S3-92")
def test_of_two_creators_both_stay_and_a_person_decides(hive):
    older, newer, action = pair(hive, {}, OTHER)
    assert action.action == "review"
    [conflict] = [one for one in hive.ledger.conflicts() if one.kind == "detected"]
    assert {one.id for one in conflict.members} == {older, newer}
    for name in (older, newer):
        assert hive.path(f"projects/shop/{name}.json").exists()
    hive.ledger.resolve(conflict.id, keep=newer)
    assert statuses(hive, older, newer) == ("superseded", "active")
    assert not [one for one in hive.ledger.conflicts() if one.kind == "detected"]


LEVELS = ("agent:DEV-001", "project:shop", "team:core", "global")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-93")
@pytest.mark.parametrize("nearer", ["session", *LEVELS[:-1]])
def test_the_more_specific_scope_takes_precedence_and_nothing_is_overwritten(hive, nearer):
    session = hive.verbs.session_start().session
    places = (f"session:{session}", *LEVELS)
    mine = f"session:{session}" if nearer == "session" else nearer
    for wider in places[places.index(mine) + 1 :]:
        for one, other in ((mine, wider), (wider, mine)):
            older, newer, action = pair(hive, {"scope": one}, {"scope": other})
            near, far = (older, newer) if one == mine else (newer, older)
            assert (action.rule, action.action) == ("scope", "override")
            assert (action.stands, action.gives_way) == (near, far)
            assert statuses(hive, older, newer) == ("active", "active")
            assert hive.ledger.show(near).links["overrides"] == [far]


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S3-93")
@pytest.mark.parametrize(
    ("one", "other"),
    [(one, other) for one in LEVELS for other in LEVELS if one != other],
    ids=lambda name: name.partition(":")[0],
)
def test_an_agent_gets_the_more_specific_of_two_whichever_was_written_first(hive, one, other):
    texts = dict(zip((one, other), ("The indent width is 4", "The indent width is 2"), strict=True))
    ids = {place: made(hive, text, scope=place, tags=["style"]) for place, text in texts.items()}
    near, far = sorted(ids, key=LEVELS.index)
    task = hive.verbs.task("Review the style", team="core", agent="DEV-001", project="shop")
    assert [one.entry["id"] for one in task.memories] == [ids[near]]
    assert hive.ledger.show(ids[near]).links["overrides"] == [ids[far]]
    assert statuses(hive, *ids.values()) == ("active", "active")


@pytest.mark.requirement("S3-93")
@pytest.mark.parametrize("wide_first", [False, True])
def test_recall_and_briefs_show_the_more_specific_of_two(hive, wide_first):
    told = [("project:shop", "Sessions live in Redis"), ("global", "Sessions live in Postgres")]
    for scope, text in reversed(told) if wide_first else told:
        made(hive, text, scope=scope, tags=["sessions"])
    assert [hit.memory.text for hit in hive.ledger.recall("where do sessions live")] == [told[0][1]]
    brief = hive.ledger.brief(task="where do sessions live").text
    assert told[0][1] in brief
    assert told[1][1] not in brief


@pytest.mark.requirement("S3-94")
@pytest.mark.parametrize("user_first", [False, True])
@pytest.mark.parametrize("user_scope", LEVELS)
def test_an_agent_gets_the_users_word_of_any_scope_and_not_the_systems(
    hive, user_scope, user_first
):
    told = [("SYSTEM", "project:shop"), ("USER", user_scope)]
    ids = {}
    for place, (by, scope) in enumerate(reversed(told) if user_first else told):
        text = f"The indent width is {4 - 2 * place}"
        ids[by] = made(hive, text, by=by, scope=scope, tags=["style"])
    task = hive.verbs.task("Review the style", team="core", agent="DEV-001", project="shop")
    assert [one.entry["id"] for one in task.memories] == [ids["USER"]]


def test_a_users_own_global_memory_leaves_the_projects_file_where_others_have_it(hive):
    shared = made(hive, "The indent width is 4", by="SYSTEM", tags=["style"])
    made(hive, "The indent width is 2", by="USER", scope="global", tags=["style"])
    assert statuses(hive, shared) == ("active",)
    assert hive.path(f"projects/shop/{shared}.json").exists()


@pytest.mark.requirement("S3-93")
def test_neither_of_two_teams_is_more_specific(hive):
    older, newer, action = pair(hive, {"scope": "team:core"}, {"scope": "team:web"})
    assert action is None
    assert statuses(hive, older, newer) == ("active", "active")


@pytest.mark.requirement("S3-94")
def test_the_users_older_word_stands_against_the_system(hive):
    hive.verbs.done(report={"facts": [{"text": OLD, "tags": ["cache"]}]}, project="shop")
    hive.again(actor="SYSTEM")
    hive.at("2026-01-02T09:00:00Z")
    part = {"text": LATE, "tags": ["cache"]}
    done = hive.verbs.done(report={"facts": [part]}, project="shop")
    [action] = done.actions
    assert action.rule == "user-over-system"
    assert action.gives_way == done.learned[0].id
    assert statuses(hive, action.stands, action.gives_way) == ("active", "superseded")


@pytest.mark.requirement("S3-95")
def test_what_is_critical_is_never_overwritten_by_a_rule(hive):
    part = {"text": OLD, "tags": ["cache"], "priority": "critical"}
    first = hive.verbs.done(report={"facts": [part]}, agent="DEV-001").learned[0]
    hive.at("2026-01-01T09:00:00Z")
    part = {"text": LATE, "tags": ["cache"]}
    done = hive.verbs.done(report={"facts": [part]}, agent="DEV-001")
    assert [(one.rule, one.action) for one in done.actions] == [("critical", "review")]
    assert statuses(hive, first.id, done.learned[0].id) == ("active", "active")
    assert [one for one in hive.ledger.conflicts() if one.kind == "detected"]


@pytest.mark.requirement("U-13")
def test_what_a_rule_superseded_comes_back_by_undo(hive):
    older, newer, action = pair(hive, {}, {})
    hive.ledger.undo(action.event)
    assert statuses(hive, older, newer) == ("active", "active")
    assert hive.path(f"projects/shop/{older}.json").exists()


def test_what_a_private_memory_says_is_not_told_to_the_projects_log(hive):
    session = hive.verbs.session_start().session
    mine, shared = {"scope": f"session:{session}"}, {"scope": "project:shop"}
    older, newer, _ = pair(hive, shared | SYSTEM, mine | USER)
    assert statuses(hive, older, newer) == ("active", "active")
    log = b"".join(p.read_bytes() for p in (hive.root / ".varves/log").rglob("*") if p.is_file())
    assert b"disabled" not in log
    assert newer.encode() not in log


@pytest.mark.requirement("S3-50")
def test_across_two_logs_each_is_told_only_of_its_own_memory(hive):
    older, newer, _ = pair(hive, SYSTEM | WIDE, USER)
    assert hive.read(f"projects/shop/{newer}.json")["supersedes"] == older
    assert hive.read(f"global/archive/{older}.json")["superseded_by"] == newer
    for name, other in ((older, newer), (newer, older)):
        memory = hive.ledger.show(name)
        said = [one for one in hive.ledger.history(name) if one.log != memory.kept]
        assert not [one for one in said if other in str(one.data)]
    back = hive.verbs.rollback(older)
    assert back.superseded == (newer,)
    assert statuses(hive, older, newer) == ("active", "archived")


def test_what_a_global_memory_says_is_not_told_to_the_projects_log(hive):
    part = {"text": "The API style is REST", "tags": ["api"], "scope": "global"}
    hive.verbs.done(report={"facts": [part]})
    report = {"facts": [{"text": "The API style is GraphQL", "tags": ["api"]}]}
    [action] = hive.verbs.done(report=report, project="shop").actions
    assert action.rule == "scope"
    log = b"".join(p.read_bytes() for p in (hive.root / ".varves/log").rglob("*") if p.is_file())
    assert b"overrides" in log
    assert b"REST" not in log


@pytest.mark.parametrize("name", ["mem_zzzzzzzzzzzz", "nothing"])
def test_only_current_memories_can_be_said_to_contradict(hive, name):
    one = made(hive, OLD)
    with pytest.raises(NotFound):
        hive.verbs.contradict(one, name)
    with pytest.raises(UsageError):
        hive.verbs.contradict(one, one)


def detected_in(hive):
    return [one for one in hive.ledger.conflicts() if one.kind == "detected"]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("choice", ["keep", "delete", "merge"])
def test_undoing_a_decision_opens_the_conflict_again(hive, choice):
    """The memories came back and the question did not."""
    older, newer, _ = pair(hive, {}, OTHER)
    [conflict] = detected_in(hive)
    how = {"keep": newer, "delete": older, "merge": "Both are right, each in its place"}[choice]
    done = hive.ledger.resolve(conflict.id, **{choice: how})
    assert not detected_in(hive)
    undone = hive.ledger.undo(done.event)
    assert statuses(hive, older, newer) == ("active", "active")
    assert [one.id for one in detected_in(hive)] == [conflict.id]
    assert hive.ledger.status()["conflicts"] == len(hive.ledger.conflicts()) >= 1
    hive.ledger.undo(undone.event)  # the decision counts again
    assert not detected_in(hive)

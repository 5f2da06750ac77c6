"""What an entry is: its fields, their rules, and how it stands in its file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.protocols.hivemind.schema import breaches
from tests.tables import each_row
from varves.errors import NotFound, Refused, UsageError
from varves.values.ids import IdSource

SCHEMAS = Path(__file__).parent / "samples/at-82e915a/memory/schemas"
SEED_KEYS = [
    *("id", "type", "subtype", "created_by", "created_at", "updated_at", "scope", "scope_id"),
    *("tags", "priority", "ttl", "content", "references", "confidence", "access_count"),
    "last_accessed",
]


def schema(name):
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def fact(verbs, text="The API speaks JSON", **options):
    return verbs.write({"text": text}, **({"type": "factual", "scope": "project:shop"} | options))


@pytest.mark.requirement("S3-05")
def test_an_entry_has_the_published_fields_and_fits_the_published_schema(hive):
    reference = {"type": "url", "id": "https://example.org", "relationship": "related_to"}
    made = fact(
        hive.verbs, subtype="protocol", tags=["api"], references=[reference], confidence=0.9
    )
    entry = hive.entry(made)
    assert list(entry) == SEED_KEYS
    assert list(breaches(entry, schema("memory-entry.schema.json"))) == []
    assert entry["content"] == {"text": "The API speaks JSON"}


@pytest.mark.requirement("S3-05")
def test_replaced_entries_name_each_other_and_unknown_keys_survive(hive):
    made = fact(hive.verbs)
    path = f"projects/shop/{made.id}.json"
    hive.edit(path, mood="calm")
    newer = hive.ledger.correct(made.id, "The API speaks CBOR")
    old = hive.read(f"projects/shop/archive/{made.id}.json")
    current = hive.read(f"projects/shop/{newer.id}.json")
    assert not hive.path(path).exists()
    assert (old["superseded_by"], current["supersedes"]) == (newer.id, made.id)
    assert old["mood"] == "calm"
    assert current["content"] == {"text": "The API speaks CBOR"}
    assert list(breaches(current, schema("memory-entry.schema.json"))) == []


@pytest.mark.requirement("S3-06")
def test_a_type_is_one_of_five(hive):
    for kind in ("factual", "procedural", "episodic", "semantic", "working"):
        assert hive.entry(fact(hive.verbs, f"A {kind} thing", type=kind))["type"] == kind
    before = len(hive.events("memory.recorded"))
    for kind in ("decision", "Factual", "", None):
        with pytest.raises(UsageError, match="not a type"):
            fact(hive.verbs, "Another", type=kind)
    assert len(hive.events("memory.recorded")) == before


@pytest.mark.requirement("S3-07")
def test_a_subtype_is_kebab_and_stands_in_the_index(hive):
    made = fact(hive.verbs, subtype="known-bug")
    assert hive.entry(made)["subtype"] == "known-bug"
    [line] = hive.read("projects/shop/_index.json")["entries"]
    assert line["subtype"] == "known-bug"
    for bad in ("Known Bug", "known_bug", "-x", "x--y", ""):
        with pytest.raises(UsageError, match="not a subtype"):
            fact(hive.verbs, "Another", subtype=bad)


@pytest.mark.requirement("S3-08")
@pytest.mark.parametrize("actor", ["DEV-001", "QA-042", "COORDINATOR", "SYSTEM", "USER"])
def test_agents_and_three_others_create(hive, actor):
    assert hive.entry(fact(hive.again(actor=actor)))["created_by"] == actor


@pytest.mark.requirement("S3-08")
def test_other_names_create_only_by_a_setting(hive):
    for actor in ("alice", "dev-001", "DEV-1", "DEV-0011"):
        with pytest.raises(Refused, match="may not create"):
            fact(hive.again(actor=actor))
    assert hive.events("memory.recorded") == []
    hive.settings("any_actor = true")
    assert hive.entry(fact(hive.again(actor="alice")))["created_by"] == "alice"


@pytest.mark.requirement("S3-09")
def test_times_are_iso_and_a_change_never_precedes_creation(hive):
    made = fact(hive.at("2026-02-03T04:05:06Z"))
    entry = hive.entry(made)
    assert entry["created_at"] == entry["updated_at"] == "2026-02-03T04:05:06Z"
    hive.edit(f"projects/shop/{made.id}.json", created_at="2026-02-03T10:00:00+08:00")
    hive.at("2026-02-04T00:00:00Z").init(project="shop")
    entry = hive.entry(made)
    assert entry["created_at"] == "2026-02-03T02:00:00Z"
    assert entry["updated_at"] == "2026-02-04T00:00:00Z"
    hive.edit(f"projects/shop/{made.id}.json", created_at="2027-01-01T00:00:00Z")
    hive.verbs.init(project="shop")
    entry = hive.entry(made)
    assert entry["updated_at"] >= entry["created_at"] == "2027-01-01T00:00:00Z"


@pytest.mark.requirement("S3-10")
@pytest.mark.parametrize(
    ("scope", "level", "name"),
    [
        ("global", "global", None),
        ("team:qa", "team", "qa"),
        ("agent:DEV-001", "agent", "DEV-001"),
        ("project:shop", "project", "shop"),
        ("session:s-1", "session", "s-1"),
    ],
)
def test_a_scope_and_its_id_go_together(hive, scope, level, name):
    entry = hive.entry(fact(hive.verbs, scope=scope))
    assert (entry["scope"], entry["scope_id"]) == (level, name)


@pytest.mark.requirement("S3-10")
@each_row("scope", ["global:x", "team", "team:", "planet:x", "", "team:../x", "session:archive"])
def test_a_scope_without_its_id_is_refused(hive, scope):
    with pytest.raises((UsageError, Refused)):
        fact(hive.verbs, scope=scope)
    assert not hive.path("").exists()


@pytest.mark.requirement("S3-11")
def test_tags_are_lower_case_and_unrepeated(hive):
    assert hive.entry(fact(hive.verbs, tags=["API", "api", "Login"]))["tags"] == ["api", "login"]
    with pytest.raises(UsageError):
        fact(hive.verbs, "Another", tags="api")


@pytest.mark.requirement("S3-12")
def test_a_priority_is_one_of_four_and_medium_by_default(hive):
    assert hive.entry(fact(hive.verbs))["priority"] == "medium"
    for priority in ("critical", "high", "medium", "low"):
        made = fact(hive.verbs, f"A {priority} thing", priority=priority)
        assert hive.entry(made)["priority"] == priority
    with pytest.raises(UsageError, match="not a priority"):
        fact(hive.verbs, "Another", priority="normal")


@pytest.mark.requirement("S3-13")
def test_a_ttl_is_permanent_or_a_duration(hive):
    for ttl in ("permanent", "P1Y", "P90D", "P30D", "P7D", "PT4H"):
        assert hive.entry(fact(hive.verbs, f"Lives {ttl}", ttl=ttl))["ttl"] == ttl
    for ttl in ("30d", "P", "PT", "forever", "-P1D", "P0D"):
        with pytest.raises(UsageError, match="not a ttl"):
            fact(hive.verbs, "Another", ttl=ttl)


@pytest.mark.requirement("S3-14")
def test_content_is_an_object_and_a_text_becomes_one(hive):
    rich = {"b": [1, {"c": None}], "a": "\u00e9"}
    made = hive.verbs.write(rich, type="factual", scope="project:shop")
    assert hive.entry(made)["content"] == rich
    made = hive.verbs.write("Just text", type="factual", scope="project:shop")
    assert hive.entry(made)["content"] == {"text": "Just text"}
    for bad in ([1], 3, {"x": float("nan")}, {"x": object()}):
        with pytest.raises(UsageError):
            hive.verbs.write(bad, type="factual", scope="project:shop")


@pytest.mark.requirement("S3-15")
def test_references_come_back_as_they_were_given(hive):
    given = [
        {"type": "memory", "id": "mem_a7b3c9d2e4f1", "relationship": "derived_from"},
        {"type": "file", "id": "src/a.py", "line": 3},
    ]
    made = fact(hive.verbs, references=given)
    assert hive.entry(made)["references"] == given
    assert hive.verbs.show(made.id)["references"] == given
    with pytest.raises(NotFound):
        fact(hive.verbs, "Another", references=["mem_a7b3c9d2e4f1"])
    with pytest.raises(UsageError):
        fact(hive.verbs, "Another", references=[""])


@pytest.mark.requirement("S3-16")
def test_confidence_lies_between_nought_and_one(hive):
    for confidence in (0, 0.95, 1):
        made = fact(hive.verbs, f"Sure {confidence}", confidence=confidence)
        assert hive.entry(made)["confidence"] == confidence
    for confidence in (-0.01, 1.01, "high"):
        with pytest.raises(UsageError, match="not a confidence"):
            fact(hive.verbs, "Another", confidence=confidence)


@pytest.mark.requirement("S3-17")
def test_nobody_has_read_a_fresh_entry(hive):
    entry = hive.entry(fact(hive.verbs))
    assert (entry["access_count"], entry["last_accessed"]) == (0, None)


@pytest.mark.requirement("S3-71")
def test_an_id_is_twelve_random_letters_and_digits(hive):
    made = fact(hive.verbs)
    ids = [IdSource().memory() for _ in range(10_000)]
    assert all(re.fullmatch(r"mem_[a-z0-9]{12}", one) for one in [made.id, *ids])
    assert len({*ids}) == 10_000


class Repeating(IdSource):
    """Gives the same ids again before it gives others."""

    def __init__(self):
        self.waiting = ["mem_aaaaaaaaaaaa", "mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb"]
        self.waiting += ["mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb", "mem_cccccccccccc"]

    def memory(self):
        return self.waiting.pop(0)


@pytest.mark.requirement("S3-72")
def test_a_collision_makes_another_id_whatever_became_of_the_first(hive):
    verbs = hive.again(ids=Repeating())
    first = fact(verbs, "One", scope="team:qa")
    second = fact(verbs, "Two", scope="global")
    assert (first.id, second.id) == ("mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb")
    hive.ledger.forget(first.id, reason="wrong")
    assert fact(verbs, "Three").id == "mem_cccccccccccc"
    with pytest.raises(Refused, match="is taken"):
        fact(verbs, "Four", id="mem_aaaaaaaaaaaa")


@pytest.mark.requirement("S3-72")
def test_an_id_in_the_archive_is_taken_too(hive):
    source = Repeating()
    source.waiting = [
        "mem_aaaaaaaaaaaa",
        "mem_bbbbbbbbbbbb",
        "mem_aaaaaaaaaaaa",
        "mem_cccccccccccc",
    ]
    verbs = hive.again(ids=source)
    old, late = fact(verbs, "The cache is enabled"), fact(verbs, "The cache is disabled")
    verbs.contradict(old.id, late.id)
    assert hive.path("projects/shop/archive/mem_aaaaaaaaaaaa.json").exists()
    assert fact(verbs, "Three").id == "mem_cccccccccccc"


@pytest.mark.requirement("S3-78")
def test_a_summary_is_one_line_of_at_most_200_characters(hive):
    made = fact(hive.verbs, "First line " + "and more " * 50 + "\nsecond")
    [line] = hive.read("projects/shop/_index.json")["entries"]
    assert line["summary"].startswith("First line and more")
    assert len(line["summary"]) <= 200
    assert "\n" not in line["summary"]
    hive.ledger.forget(made.id, reason="long")
    fact(hive.verbs, "Other", summary="Given\nhere")
    [line] = hive.read("projects/shop/_index.json")["entries"]
    assert line["summary"] == "Given here"


@pytest.mark.requirement("S3-80")
@pytest.mark.requirement("S3-81")
@pytest.mark.requirement("S3-82")
@pytest.mark.requirement("S3-83")
@pytest.mark.parametrize(
    ("priority", "ttl"),
    [("critical", "permanent"), ("high", "P1Y"), ("medium", "P90D"), ("low", "P30D")],
)
def test_a_priority_brings_its_ttl(hive, priority, ttl):
    assert hive.entry(fact(hive.verbs, priority=priority))["ttl"] == ttl


@pytest.mark.requirement("S3-86")
def test_working_memory_lives_four_hours(hive):
    assert hive.entry(fact(hive.verbs, type="working"))["ttl"] == "PT4H"
    made = fact(hive.verbs, "Important", type="working", priority="critical")
    assert hive.entry(made)["ttl"] == "PT4H"


@pytest.mark.requirement("S3-108")
def test_a_long_content_is_shortened_and_kept_whole(hive):
    text = "".join(f"Sentence {n} of a long story. " for n in range(450))
    assert len(text) > 12_000
    made = fact(hive.verbs, text)
    entry = hive.entry(made)
    assert len(json.dumps(entry["content"], ensure_ascii=False).encode()) < 10_240
    assert entry["content"]["summary"].startswith("Sentence 0 of a long story.")
    full = {"type": "file", "id": f"{made.id}.full.json", "relationship": "part_of"}
    assert entry["references"] == [full]
    assert hive.read(f"projects/shop/{full['id']}")["content"] == {"text": text}
    assert hive.verbs.show(made.id)["content"] == {"text": text}
    assert list(breaches(entry, schema("memory-entry.schema.json"))) == []
    assert "full.json" not in str(hive.read("projects/shop/_index.json"))


@pytest.mark.requirement("S3-108")
def test_a_content_too_long_for_a_line_is_kept_and_one_too_long_for_all_is_refused(hive):
    made = fact(hive.verbs, "word " * 60_000)
    assert hive.again().show(made.id)["content"] == {"text": "word " * 60_000}
    with pytest.raises(Refused, match="more than 8 MiB"):
        fact(hive.verbs, "word " * 2_300_000)
    assert len(hive.events("memory.recorded")) == 1


@pytest.mark.requirement("S3-111")
@pytest.mark.parametrize(
    ("options", "priority"),
    [
        ({"subtype": "security-finding"}, "critical"),
        ({"subtype": "vulnerability", "tags": ["security"]}, "critical"),
        ({"subtype": "finding", "tags": ["security"]}, "critical"),
        ({"tags": ["security-finding"]}, "critical"),
        ({"tags": ["api", "vulnerability"]}, "critical"),
        ({"tags": ["security"], "text": "The form is open to SQL injection"}, "critical"),
        ({"tags": ["security"], "text": "Passwords are hashed with bcrypt"}, "medium"),
        ({"tags": ["finding"]}, "medium"),
        ({"subtype": "user-profile"}, "critical"),
        ({"subtype": "architecture-decision"}, "high"),
        ({"subtype": "decision", "tags": ["architecture"]}, "high"),
        ({"subtype": "task-learning"}, "medium"),
        ({"subtype": "minor-note"}, "low"),
        ({"subtype": "note"}, "low"),
    ],
    ids=lambda value: value.get("subtype") if isinstance(value, dict) else value,
)
def test_the_published_examples_give_the_priority(hive, options, priority):
    assert hive.entry(fact(hive.verbs, **options))["priority"] == priority


def test_a_secret_is_masked_before_it_is_written(hive):
    secret = "ghp_" + "a1B2" * 9
    made = hive.verbs.write({"token": secret, "text": "x"}, type="factual", scope="project:shop")
    assert made.redacted
    for folder in (hive.root / "memory", hive.root / ".varves"):
        for path in folder.rglob("*"):
            assert not path.is_file() or secret.encode() not in path.read_bytes()


def test_a_rejected_value_is_written_only_on_purpose(hive):
    made = fact(hive.verbs)
    hive.ledger.forget(made.id, reason="wrong")
    with pytest.raises(Refused, match="rejected"):
        fact(hive.verbs)
    assert hive.entry(fact(hive.verbs, again=True))["content"] == {"text": "The API speaks JSON"}


def test_an_option_that_does_not_exist_is_refused(hive):
    with pytest.raises(UsageError, match="no option 'colour'"):
        fact(hive.verbs, colour="red")


def test_a_bare_level_is_the_sessions_own(hive):
    session = hive.verbs.session_start(project="shop").session
    assert hive.verbs.write("Here", type="factual").scope == "project:shop"
    assert hive.verbs.write("Now", type="working", scope="session").scope == f"session:{session}"


def test_without_a_session_the_project_is_the_folders(hive):
    assert hive.verbs.write("Here", type="factual").scope == "project:project"
    with pytest.raises(UsageError, match="no session is running"):
        hive.verbs.write("Now", type="factual", scope="session")
    with pytest.raises(UsageError, match="no session is running"):
        hive.verbs.list(scope="session")


def test_a_working_memory_of_the_session_begins_one(hive):
    made = hive.verbs.write("Half of the rows are moved", type="working", scope="session")
    assert made.scope == f"session:{hive.verbs.session_start().session}"
    [listed] = hive.verbs.list(scope="session").entries
    assert listed["id"] == made.id


def test_a_bare_agent_scope_is_that_of_the_agent_who_writes(hive):
    made = hive.verbs.write("My notes lie in qa.md", type="factual", scope="agent", agent="QA-002")
    assert made.scope == "agent:QA-002"
    report = {"facts": [{"text": "The lab key hangs in room 3", "scope": "agent"}]}
    [fact, *_] = hive.verbs.done(report=report, agent="QA-002").learned
    assert fact.scope == "agent:QA-002"
    found = hive.verbs.search("lab key", scope="agent", agent="QA-002").memories
    assert [one.entry["id"] for one in found] == [fact.id]


def test_a_write_into_an_unknown_session_says_that_nothing_loads_it(varves):
    about = ("--type", "factual", "--agent", "DEV-001", "--scope")
    said = varves("hivemind", "write", *about, "session:sess_gone", "--content", "x")
    assert said.code == 0
    assert "no session sess_gone is known here: no task loads its entries" in said.err


@each_row(
    "options",
    [
        {"summary": 5},
        {"source": 5},
        {"ttl": 5},
        {"ttl": ""},
        {"priority": []},
        {"type": []},
        {"id": 5},
    ],
)
def test_what_is_not_text_is_refused(hive, options):
    with pytest.raises(UsageError):
        fact(hive.verbs, **options)

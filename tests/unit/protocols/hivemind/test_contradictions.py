"""When two memories contradict, and which rule decides."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from tests.unit.protocols.hivemind.records import memory
from varves.protocols.hivemind.contradictions import comparable, contradicted, differing, judge

OLD, LATE = "mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb"


SAYING_BOTH = [
    ("Feature flag NewCart is on", "Feature flag OldCart is on"),
    ("The admin page is slow on Safari", "The admin page is slow on Chrome"),
    ("Port 8080 is open", "Port 8081 is open"),
    ("Ada has the key of the Berlin office", "Ben has the key of the Berlin office"),
    ("Customer Acme pays by invoice", "Customer Globex pays by invoice"),
    ("The bug happens on Windows", "The bug happens on Linux"),
    ("Version 2 supports IPv6", "Version 3 supports IPv6"),
    ("Endpoint /v1 is deprecated", "Endpoint /v2 is deprecated"),
    ("Build 41 failed on arm64", "Build 42 failed on arm64"),
    ("The EU cluster does not use Redis for jobs", "The US cluster uses Redis for jobs"),
    ("We use Redis for sessions", "We use Redis for queues"),
    ("The tests run on Linux", "The tests run on macOS"),
    ("/etc/app.conf is read first", "/etc/db.conf is read first"),
    ("The service is slow", "The service is expensive"),
    ("Node 3 runs Postgres", "Node 3 runs Redis"),
    ("The agent runs on server-a", "The agent runs on server-b"),
    ("We need 2 servers", "We need 3 databases"),
    ("We deployed 3 times on Friday", "We deployed 5 times on Monday"),
]
IN_DOUBT = [
    ("Set DEBUG=0 in the container", "Set debug=1 in the container"),
    ("The flag newCart is on", "The flag NewCart is off"),
    ("The table user is full", "The table users is empty"),
    ("The gateway listens on port 80", "The gateway listens on port 443"),
    ("The API returns 404 errors", "The API returns 500 errors"),
    ("The service has a public endpoint", "The service has a private endpoint"),
    ("Ada is Lead", "Ada is Founder"),
    ("A reviewer is Hannah", "A reviewer is Omar"),
    ("The port is 8080 (EU)", "The port is 8081 (US)"),
    ("The flag A is on, the flag B is on", "The flag A is on, the flag B is off"),
    ("Room 12 is booked at 9:00", "Room 12 is booked at 10:00"),
]
UPDATED = [
    ("The API port is 8080", "The API port is 8081"),
    ("It turns out the API port is 8080.", "We found that the API port is 8081."),
    ("Deploys run on Friday", "Deploys run on Monday"),
    ("We use Redis for sessions", "We use Memcached for sessions"),
    ("Use Zod for input validation", "Use Yup for input validation"),
    ("Timeout is 30 s", "Timeout is 60 s"),
    ("Timeout is 30s", "Timeout is 2min"),
    ("Feature flag NewCart is on", "Feature flag NewCart is off"),
    ("Feature flag NewCart is on", "The feature flag NewCart is off"),
    ("Feature flags are on by default", "Feature flags are off by default"),
    ("Sessions live in Redis", "Sessions live in Postgres"),
    ("The EU database has nine nodes", "The EU database has five nodes"),
    ("The client is pinned to version 1.2.3", "The client is pinned to version 1.2.4"),
    ("tide-sync is owned by Ingrid", "tide-sync is owned by Lukas"),
    ("tide-sync is owned by Ingrid.", "Lukas owns tide-sync now."),
    ("The queue is RabbitMQ", "The queue is Kafka"),
    ("The API uses REST", "The API uses GraphQL"),
]


def two(one, other, **fields):
    given = {"tags": ("x",), **fields}
    return memory(OLD, one, **given), memory(LATE, other, **given)


@each_row(
    ("one", "other", "certain"),
    [
        ("The API style is REST", "The API style is GraphQL", True),
        ("The API uses REST", "The API uses GraphQL", True),
        ("Deploy on Fridays", "Never deploy on Fridays", True),
        ("Do not use tabs", "Use tabs", True),
        ("The cache is enabled", "The cache is disabled", True),
        ("Please use tabs", "Please use spaces", False),
        ("We always use tabs", "We always use spaces", False),
        ("We always use tabs", "We always use four blanks", None),
        ("The API uses REST", "The API uses REST", None),
        ("The API uses REST", "The cat sleeps", None),
        ("one two", "one two three", None),
    ],
)
def test_words_decide_whether_two_contradict(one, other, certain):
    found = differing(*two(one, other))
    assert (None if found is None else found.certain) == certain


@each_row(("one", "other"), SAYING_BOTH)
def test_a_pair_about_two_things_does_not_contradict(one, other):
    assert differing(*two(one, other)) is None
    assert differing(*two(other, one)) is None


@each_row(("one", "other"), IN_DOUBT)
def test_a_pair_that_may_be_about_two_things_is_uncertain(one, other):
    assert differing(*two(one, other)).certain is False


@each_row(("one", "other"), UPDATED)
def test_another_value_of_one_thing_is_certain(one, other):
    assert differing(*two(one, other)).certain
    assert differing(*two(other, one)).certain


def test_contents_with_one_subject_and_two_values_contradict():
    def about(name, subject, value):
        body = {"subject": subject, "value": value}
        return memory(name, f"{subject} {value}", extra={"body": body})

    assert differing(about(OLD, "Theme", 1), about(LATE, "theme", 2)).certain
    assert differing(about(OLD, "Theme", 1), about(LATE, "theme", 1)) is None
    assert differing(about(OLD, "Theme", 1), about(LATE, "font", 2)) is None
    assert differing(about(OLD, "DEBUG", 0), about(LATE, "debug", 1)) is None


@each_row(
    ("fields", "fits"),
    [
        ({}, True),
        ({"type": "semantic"}, True),
        ({"type": "procedural"}, False),
        ({"tags": ("y",)}, False),
        ({"tags": ("y", "x")}, True),
        ({"extra": {"subtype": "rumour"}}, True),
        ({"extra": {"file": "context.json"}}, False),
    ],
)
def test_only_comparable_types_with_a_tag_in_common_are_compared(fields, fits):
    older = memory(OLD, "a", **({"tags": ("x",)} | fields))
    newer = memory(LATE, "b", tags=("x",))
    assert comparable(older, newer) == fits


@pytest.mark.parametrize("kind", ["episodic", "working"])
def test_what_happened_claims_nothing(kind):
    assert not comparable(*two("a", "b", type=kind))


def test_what_has_expired_is_not_contradicted():
    older, newer = two("The API uses REST", "The API uses GraphQL")
    expired = older.replace(expires_at="2026-01-01T00:00:00.000Z")
    now = 1_800_000_000_000
    assert contradicted(newer, [older], differing, now=now)
    assert not contradicted(newer, [expired], differing, now=now)


def test_a_passing_word_of_the_user_ends_nothing_that_others_share():
    older = memory(OLD, "a", created_by="SYSTEM")
    newer = memory(LATE, "b", created_by="USER", scope="session:s", kept="private")
    assert judge(older, newer).action == "override"
    assert judge(older, newer.replace(kept="project")).action == "supersede"


def test_what_is_uncertain_supersedes_nothing():
    older, newer = memory(OLD, "a"), memory(LATE, "b")
    assert (judge(older, newer).rule, judge(older, newer).gives_way) == ("same-creator", OLD)
    doubted = judge(older, newer, certain=False)
    assert (doubted.rule, doubted.action) == ("uncertain", "review")
    wider = older.replace(scope="global")
    assert (judge(wider, newer).action, judge(wider, newer, certain=False).action) == (
        "override",
        "review",
    )
    system, user = older.replace(created_by="SYSTEM"), newer.replace(created_by="USER")
    assert judge(system, user).action == "supersede"
    assert judge(system, user, certain=False).action == "review"

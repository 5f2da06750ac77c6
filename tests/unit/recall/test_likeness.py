"""Likeness: what counts as said again, updated or contradicted, and what must not."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.recall.likeness import alike, gist, relation


def kind(older, newer):
    found = relation(gist(older), gist(newer))
    return found.kind if found else None


def same(one, other):
    return alike(gist(one), gist(other))


@each_row(
    ("older", "newer"),
    [
        ("Use Zod for input validation", "use Zod for the input validation."),
        ("Use Zod for input validation", "For input validation, use Zod!"),
        ("The max upload is 40 MB", "the maximum upload is 40MB"),
        ("We use the prod db in Oslo", "Using the production database in Oslo"),
        ("pool size = 25 per pod", "Pool size is 25 per pod"),
        ("Don't deploy on Fridays", "Do not deploy on Friday"),
    ],
)
def test_the_same_in_other_form_is_alike_and_a_duplicate(older, newer):
    assert same(older, newer)
    assert same(newer, older)
    assert kind(older, newer) == "duplicate"


@each_row(
    ("one", "other"),
    [
        ("The port of the api is 8080", "The port of the api is 8081"),
        ("Wait five minutes", "Wait six minutes"),
        ("Deposit is 20 %", "Deposit is 20"),
        ("The limit is 5", "The limit is -5"),
        ("The limit is 10²", "The limit is 102"),
        ("Keep it below <5 ms", "Keep it below 5 ms"),
        ("Ingrid owns the tide service", "Tomasz owns the tide service"),
        ("Ingrid reports to Tomasz", "Tomasz reports to Ingrid"),
        ("We go with plan A", "We go with the plan"),
        ("Deploy on Friday", "Do not deploy on Friday"),
        ("Deploy with the lock", "Deploy without the lock"),
        ("Run the tests before the build", "Run the tests after the build"),
        ("Deploy the api before the web client", "Deploy the web client before the api"),
        ("We switched the build from npm to pnpm", "We switched the build from pnpm to npm"),
        ("staging 8080 production 9090", "production 8080 staging 9090"),
        ("All tests pass", "Some tests pass"),
        ("Use _private here", "Use private here"),
        ("The port is 80", "Is the port 80?"),
        ("The old port was 80", "The old port is 80"),
        ("The man in the hat has a straw cigar", "The man in the straw hat has a cigar"),
    ],
)
def test_what_differs_in_a_value_is_never_alike(one, other):
    assert not same(one, other)
    assert not same(other, one)


@each_row(
    ("older", "newer", "reason"),
    [
        ("Use Zod for input validation", "Use Yup for input validation", "Zod is now Yup"),
        ("An unpaid booking holds the berth for 15 minutes (HoldJob).",
         "An unpaid booking holds the berth for 10 minutes.", "15 is now 10"),
        ("Live version of skipper-rn: 4.7.0", "Live version of skipper-rn: 4.8.2",
         "4.7.0 is now 4.8.2"),
        ("tide-sync is owned by Ingrid.", "Lukas owns tide-sync now.", "Ingrid is now Lukas"),
        ("Styling in Quay: Tailwind.",
         "Styling in Quay: plain CSS with our own tokens, Tailwind removed.", "Tailwind is gone"),
        ("I have a pottery class on Thursday, so I am busy",
         "By the way, I have a pottery class on Fridays, so maybe", "Thursday is now Fridays"),
    ],
)  # fmt: skip
def test_a_value_in_the_place_of_another_is_an_update(older, newer, reason):
    found = relation(gist(older), gist(newer))
    assert found is not None
    assert (found.kind, found.reason) == ("update", reason)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The cache is shared by all pods", "The cache is not shared by all pods"),
        ("I attended a cooking class with Stephanie in March, it was fun",
         "I've never attended any cooking class with Stephanie, so where do I start?"),
        ("Retries are enabled in staging", "Retries are disabled in staging"),
    ],
)  # fmt: skip
def test_what_is_denied_is_a_contradiction(older, newer):
    assert kind(older, newer) == "contradiction"
    assert kind(newer, older) == "contradiction"


@each_row(
    ("older", "newer"),
    [
        ("Live version of skipper-rn: 4.8.2", "Live version of skipper-kmp: 2.0.1"),
        ("Service number 3 validates its input with Zod",
         "Service number 4 validates its input with Zod"),
        ("The budget of kaseva is 3829 ms", "The budget of mato is 1439 ms"),
        ("Timeout of the kaseva service is 30 s", "Timeout of the mato service is 40 s"),
        ("The gate needs version 6388 of ladorte", "The gate needs version 5044 of karose"),
        ("Boat photos in the app: max 8 MB", "Harbour map uploads in the app: max 15 MB"),
        ("December: 118 bookings", "January: 130 bookings"),
        ("Ask Carla before touching the slow file of pora",
         "Ask Carla before touching the slow request of maravi"),
        ("Use Zod for input validation", "Use Zod for output validation"),
        ("A man is playing a guitar", "A man is playing a flute"),
        ("Marlowe was born in London", "Kyd was born in London"),
        ("We could move to Postgres 15 next year", "We could move to Postgres 16 next year"),
        ("Forms have a save button", "Never run migrations by hand"),
        ("Is the port of the api 8080?", "The port of the web is 9090"),
    ],
)  # fmt: skip
def test_another_subject_is_no_relation(older, newer):
    assert kind(older, newer) is None
    assert kind(newer, older) is None

"""Fixes that the agent tells as a whole, without a run that proves them."""

from __future__ import annotations

from tests.tables import each_row
from varves.capture.learnings import learnings
from varves.values.signals import SessionMessage

TOLD = (  # what the user complains about, and the fix as it is told
    (
        "the test of the scheduler is flaky",
        "The flaky test came from an unseeded random delay; seeding it makes the suite stable.",
    ),
    (
        "uploads over 10 MB fail with 413",
        "Root cause was the ingress, which limits bodies to 8 MB. Fixed by raising"
        " proxy-body-size to 64m, a 40 MB file goes through now.",
    ),
    (
        "why is the dashboard so slow on mondays",
        "It turned out the weekly rollup ran without an index, so each tile scanned the whole"
        " table. I added an index on (team_id, week) and the page is down to 300 ms.",
    ),
    (
        "emails come twice since last week",
        "Two workers picked up the same job because the lock expired after 30 seconds while a"
        " batch takes 50. The lock now lasts ten minutes and there are no more duplicates.",
    ),
    (
        "the app shows a blank screen after login on iOS 15",
        "The blank screen was caused by Array.at(), which Safari 15.0 doesn't have. I polyfilled"
        " it in the entry file and the login works on 15.0 and 15.4.",
    ),
    (
        "my soup page has wrong portions",
        "The scaling factor was applied to the salt as well as to the servings, so big batches"
        " got too salty; I moved it to the ingredient level and all 12 recipes add up.",
    ),
    (
        "the sensor reads 85 degrees at random",
        "85.0 is the power-on value: the code read the register before the conversion was done."
        " After adding a wait of 750 ms, 10,000 readings came back without a single 85.",
    ),
    (
        "docker build breaks on the new laptops",
        "The culprit is the base image: it has no arm64 variant, so the M3 machines fell back to"
        " emulation and ran out of memory. We now pull the multi-arch tag and the build passes.",
    ),
    (
        "Excel shows the dates as numbers",
        "Those cells were written as text with an apostrophe in front, which Excel doesn't"
        " convert. Writing them as real dates fixes it, the pivot groups by month again.",
    ),
    (
        "pods get OOMKilled at night",
        "The nightly report loads every row at once, and the limit is 512 MB. I switched it to a"
        " server-side cursor; memory stays at 140 MB for the whole run.",
    ),
)
UNTOLD = (  # what only sounds like a fix
    ("add a tab for archived orders", "I added a fourth tab, and all 31 tests pass."),
    (
        "the export hangs",
        "It could be the lock: two jobs write the same file. I moved it to a queue to be sure.",
    ),
    ("the export hangs", "The lock is held too long, so I'll move the write out of it."),
    ("the export hangs", "I moved the write out of the lock, but the export still hangs."),
    (
        "the export hangs",
        "Sorry, I broke the lock with my change: it was never released. I put the release back"
        " and the tests are green.",
    ),
    (
        "the export hangs",
        "The export hangs because the lock is never released. Shall I put a time-out on it?",
    ),
    ("rename fetch to load", "I renamed it in 12 files, nothing else uses it, tests are green."),
    ("the export hangs", "I ran it twice and it hung once, so it is not the lock."),
    (
        "the export hangs",
        "We could raise the time-out, since the lock is held for a minute; that makes it work.",
    ),
)


def session(complaint: str, told: str, answer: str = "ok, next one") -> list[SessionMessage]:
    roles = ("user", "assistant", "user")
    return [
        SessionMessage(role=role, text=text)
        for role, text in zip(roles, (complaint, told, answer), strict=True)
    ]


@each_row(("complaint", "told"), TOLD)
def test_cause_change_and_outcome_make_a_fix(complaint, told):
    (one,) = learnings(session(complaint, told))
    assert (one.kind, one.by, one.message_index) == ("error_fix", "agent", 1)


@each_row(("complaint", "told"), UNTOLD)
def test_a_guess_a_plan_a_slip_and_other_work_are_no_fix(complaint, told):
    assert learnings(session(complaint, told)) == []


def test_what_nobody_saw_working_is_no_fix_until_the_user_says_so():
    told = "The lock expired while the batch ran, so two workers took the job; I raised it to 600."
    assert learnings(session("emails come twice", told)) == []
    (one,) = learnings(session("emails come twice", told, "works, only one mail now"))
    assert (one.text, one.settled) == (told, 2)
    assert learnings(session("emails come twice", told, "hm, still there")) == []


def test_an_outcome_that_the_user_denies_makes_no_fix():
    complaint, told = TOLD[1]
    assert learnings(session(complaint, told, "no, it still fails")) == []


def test_a_cause_that_does_not_say_of_what_is_told_with_the_complaint():
    told = "Found it: the cause is a lock that expired too early; I raised it and it is stable."
    (one,) = learnings(session("emails come twice since monday.", told))
    assert one.text == (
        "emails come twice since monday: the cause is a lock that expired too early;"
        " I raised it and it is stable."
    )
    assert learnings(session("it comes twice", "This was the lock. I raised it, it's gone.")) == []


def test_a_report_that_it_works_is_left_out():
    told = f"{TOLD[0][1]} The pipeline is green now. I pushed the branch."
    (one,) = learnings(session(TOLD[0][0], told))
    assert one.text == TOLD[0][1]


@each_row(
    ("told", "is_fix"),
    [
        (
            "the printer problem was the driver, not the cable. we installed 4.2, it prints again",
            True,
        ),
        (
            "the importer died because of a BOM, i open it with utf-8-sig now and all rows pass",
            True,
        ),
        ("i think it is the cache because it came back, i cleared it and it works", False),
        ("i click that thing because the badge annoys me and then half a day is gone", False),
    ],
)
def test_a_user_tells_a_fix_in_the_same_order(told, is_fix):
    assert [one.kind for one in learnings(session("hi", "Hello.", told))] == ["error_fix"] * is_fix

"""The judge of two statements: its tables, its rules, and the laws it keeps on any text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import assert_each, each_row
from varves.language.english.nouns import EXCLUSIVE, KINDS
from varves.language.judge import CONTRADICTION, DIFFERENT, SAME, UPDATE, judge, statement

WORDS = ("the", "API", "port", "80", "is", "not", "on", "now", "no", "if", "was", "3", "days")
RAISED = (CONTRADICTION, UPDATE)


def kind(older: str, newer: str) -> str | None:
    """Return the kind of a verdict, or None."""
    verdict = judge(statement(older), statement(newer))
    return verdict.kind if verdict else None


def test_words_of_one_row_exclude_each_other_in_one_thing_and_not_in_two() -> None:
    def check(row: tuple[str, str]) -> None:
        one, other = row
        assert kind(f"The importer is {one}", f"The importer is {other}") == CONTRADICTION
        assert kind(f"The importer is {one}", f"The exporter is {other}") not in RAISED

    assert_each([pair for row in EXCLUSIVE for pair in pairwise(row.split())], check)


def test_two_tools_of_one_kind_are_two_values_of_one_thing_and_not_of_two() -> None:
    def check(row: tuple[str, str]) -> None:
        one, other = row[0].capitalize(), row[1].capitalize()
        used = "The shop uses {} in the backend"
        assert kind(used.format(one), used.format(other)) == CONTRADICTION
        assert kind(f"The shop uses {one}", f"The blog uses {other}") not in RAISED

    assert_each([pair for names in KINDS.values() for pair in pairwise(names.split())], check)


@each_row(
    ("older", "newer", "expected"),
    [
        # values
        ("The API listens on port 8080", "The API listens on port 9090", CONTRADICTION),
        ("Sessions last 3 days", "Sessions last 72 hours", SAME),
        ("Uploads can be up to 10 MB", "The upload limit is 20 MB", CONTRADICTION),
        ("Standup is on Tuesdays at 10:00", "Standup is on Thursdays at 14:00", CONTRADICTION),
        ("We target ES2017", "We target ES2022", CONTRADICTION),
        ("Logs are kept for 30 days", "Logs are deleted after 90 days", CONTRADICTION),
        ("Oven 1 is set to 180", "Oven 2 is set to 190", None),
        ("Usernames have at most 30 characters", "Usernames have at least 3 characters", None),
        ("The SDK supports Python 3.9", "The SDK supports Python 3.11", DIFFERENT),
        # denials
        ("Never deploy on Fridays", "We deploy on Fridays after lunch", CONTRADICTION),
        ("Wildcard imports are allowed", "Wildcard imports are forbidden", CONTRADICTION),
        ("The watchdog is enabled", "The watchdog is switched off", CONTRADICTION),
        ("The worker retries failed jobs", "The worker does not retry cancelled jobs", None),
        ("The main branch is protected", "The develop branch is not protected", None),
        # people
        ("Alice owns billing", "Bob is responsible for billing", CONTRADICTION),
        ("Alice owns billing", "Alice owns search", DIFFERENT),
        ("Alice reviews frontend code", "Bob reviews frontend code", DIFFERENT),
        ("Sven is release manager", "Aiko took over release duty from Sven", UPDATE),
        # places and preferences
        ("Backups are stored in S3", "Backups are stored in Glacier", CONTRADICTION),
        ("Backups are stored in S3", "Backups are stored in encrypted form", DIFFERENT),
        ("Use tabs, not spaces", "Use spaces instead of tabs", CONTRADICTION),
        # changes
        ("The package manager is npm", "We have switched to pnpm", UPDATE),
        ("Payouts go out via Wise", "The contract with Wise has ended", UPDATE),
        ("Retention is 30 days", "Retention was raised to 60 days", UPDATE),
        ("The queue keeps messages", "The queue drops old messages", None),
        (
            "Deploys to production happen on Tuesdays",
            "Production deploys on Fridays",
            CONTRADICTION,
        ),
        (
            "Access tokens expire after 15 minutes",
            "An access token is good for an hour",
            CONTRADICTION,
        ),
        ("Background jobs are processed by Sidekiq", "Resque handles our jobs", None),
        ("Caroline reviews all patches", "Dmitri reviews all patches", CONTRADICTION),
        ("The owner of the cart is Ben", "The owner of the search is Ben", DIFFERENT),
        ("Uma is tech lead of payments", "Viktor is tech lead of search", DIFFERENT),
        ("staging: DEBUG=1", "production: DEBUG=0", DIFFERENT),
        ("iOS: min version is 15", "Android: min version is 10", DIFFERENT),
        ("The default branch is called main", "Our default branch is develop", CONTRADICTION),
        # the same in other words
        ("Backups run every night at 2:00", "Every night at 2 am we run the backups", SAME),
        ("Maria is responsible for billing", "Billing is owned by Maria", SAME),
        ("The wiki is hosted on Confluence", "Confluence hosts the wiki", SAME),
        ("The parser calls the lexer", "The lexer calls the parser", None),
        ("Files are copied from A to B", "Files are copied from B to A", None),
        # denied by a word
        ("The installer is signed", "The installer is unsigned", CONTRADICTION),
        ("Dogs are banned from the office", "Dogs may come into the office", CONTRADICTION),
        ("The entry is free", "The entry is 5 euros", CONTRADICTION),
        # the thing in one clause, its value in another
        (
            "orders topic has 12 partitions",
            "More consumers on orders are pointless, the topic has just three partitions",
            CONTRADICTION,
        ),
        (
            "Redis holds our sessions",
            "Sessions? They live in Postgres, we do not even run Redis",
            CONTRADICTION,
        ),
        ("Kafka keeps events for 7 days", "Kafka keeps audit events for 90 days", None),
        ("The old importer is written in Perl", "The new importer is written in Go", None),
        ("The drone flies for 25 minutes per charge", "The drone charges in 70 minutes", None),
        # a change in other words
        ("Dash cooldown is 1.5 s", "We brought the dash cooldown down to 0.9 s", UPDATE),
        (
            "Passwords have at least 8 characters",
            "From now on you will need at least 14 characters for a password",
            UPDATE,
        ),
        ("Our sprints are two weeks", "Sprint 31 was cut to one week", None),
        ("The ranker is retrained nightly", "Spam retraining was switched to quarterly", None),
        # several values at a time
        ("The app is available in English", "The app is available in Dutch", DIFFERENT),
        ("Maria works from home on Fridays", "Maria works from home on Tuesdays", DIFFERENT),
        ("Sofia speaks Portuguese", "Sofia speaks English", DIFFERENT),
        ("We ship to Austria", "We ship to Italy", DIFFERENT),
        ("The library runs on Linux", "The library runs on Windows", DIFFERENT),
        ("Maria lives in Porto", "Maria works in Lisbon", DIFFERENT),
        ("The import took 3 hours on Monday", "The import took 2 hours on Tuesday", DIFFERENT),
        # what states nothing
        ("We use Go", "Maybe we should use Rust", None),
        ("PRs need two approvals", "Do hotfix PRs need two approvals?", None),
        ("Crash reporting is with Sentry", "Until 2022 crash reports went to Crashlytics", None),
        ("On Linux the cache is 2 GB", "On Windows the cache is 4 GB", None),
        ("Flags are on by default in staging", "Flags are off by default in production", None),
    ],
)
def test_two_statements_are_judged_as_a_colleague_would(
    older: str, newer: str, expected: str | None
) -> None:
    found = kind(older, newer)
    if expected in (None, DIFFERENT):
        assert found not in (*RAISED, SAME)
    else:
        assert found == expected


def test_a_reason_names_the_subject_and_both_values() -> None:
    older, newer = "The API listens on port 8080", "The API listens on port 9090"
    verdict = judge(statement(older), statement(newer))
    assert verdict is not None
    assert verdict.reason == "two values for API listens: 8080 and 9090"


def test_related_statements_share_a_key() -> None:
    def check(row: tuple[str, str]) -> None:
        older, newer = row
        assert set(statement(older).keys) & set(statement(newer).keys)

    rows = [
        ("Retention is 30 days", "Retention was raised to 60 days"),
        ("The package manager is npm", "We have switched to pnpm"),
        ("Sven is release manager", "Aiko took over release duty from Sven"),
        ("Never deploy on Fridays", "We deploy on Fridays after lunch"),
    ]
    assert_each(rows, check)


@given(st.text(max_size=300))
def test_no_text_contradicts_itself_or_stops_the_judge(text: str) -> None:
    read = statement(text)
    verdict = judge(read, statement(text))
    assert verdict is None or verdict.kind not in RAISED


@given(st.lists(st.sampled_from(WORDS)))
def test_no_row_of_words_contradicts_itself(words: list[str]) -> None:
    text = " ".join(words)
    verdict = judge(statement(text), statement(text))
    assert verdict is None or verdict.kind not in RAISED

"""Summaries of tasks and episodes read as sentences; no decision, cause or fix is lost."""

from __future__ import annotations

import pytest

LONG = """\
I looked at the failing build for most of the day, because it was red on main since Monday. First I
cleared the caches of the runner and ran it again, with no change at all. Then I compared the lock
files of the last green build and of the first red one, line by line, which took a while. It turned
out that setuptools 70 removed a module that the plugin imports. I pinned setuptools to 69 and the
build passes. I also answered two mails of the vendor about the licences and cleaned up branches.
To release a fix: 1. Bump the version. 2. Run make dist. 3. Upload it. Decision: we update the
plugin in December. The docs are untouched, and so are the examples and the change log of the app.
"""
NEEDED = (
    "It turned out that setuptools 70 removed a module that the plugin imports.",
    "I pinned setuptools to 69 and the build passes.",
    "To release a fix: 1. Bump the version. 2. Run make dist. 3. Upload it.",
    "Decision: we update the plugin in December.",
)
LOST = ("The docs are untouched", "answered two mails")
BEGINNING = "I looked at the failing build for most of the day"


def assert_reads_well(summary):
    assert summary.startswith(BEGINNING)
    for sentence in NEEDED:
        assert sentence in summary
    for sentence in LOST:
        assert sentence not in summary
    parts = [part.strip() for part in summary.split("\u2026")]
    assert all(part.endswith(".") for part in parts if part)


@pytest.mark.requirement("S3-100")
def test_an_old_episode_keeps_whole_sentences(hive):
    hive.verbs.write(LONG, type="episodic", scope="project:shop", agent="DEV-001")
    [[_, short]] = hive.at("2026-02-15T00:00:00Z").maintain(force=True).done["summarise-episodic"]
    assert_reads_well(hive.verbs.show(short)["content"]["text"])


@pytest.mark.requirement("S3-51")
def test_the_history_of_a_session_tells_what_a_task_came_to(hive):
    """Regression: it held the first 200 characters, cut within a sentence."""
    hive.verbs.task("fix the build", agent="DEV-001", project="shop")
    hive.verbs.done(LONG, agent="DEV-001")
    *_, done = hive.read("sessions/current.json")["working_memory"]["task_history"]
    assert_reads_well(done["summary"])


@pytest.mark.requirement("S3-78")
def test_a_line_that_only_introduces_others_is_no_summary(hive):
    made = hive.verbs.write(
        "To restore a backup:\n1. Stop the app.\n2. Run pg_restore.\n\nIt is slow.",
        type="procedural",
        scope="project:shop",
    )
    lines = hive.read("projects/shop/_index.json")["entries"]
    [line] = [one for one in lines if one["id"] == made.id]
    assert line["summary"].startswith("To restore a backup: 1. Stop the app. 2. Run pg_restore.")


@pytest.mark.requirement("S3-44")
def test_a_cause_belongs_to_the_error_that_was_solved(hive):
    text = (
        "The checkout page was blank in Safari. The cause was an optional chaining operator in "
        "cart.js. I changed the build target to es2018, and now it renders."
    )
    done = hive.verbs.done(text, agent="DEV-001", project="shop")
    [one, _] = done.learned
    assert hive.verbs.show(one.id)["content"] == {
        "error": text.partition(" I changed")[0].rstrip("."),
        "solution": "I changed the build target to es2018, and now it renders",
    }


@pytest.mark.requirement("S3-42")
def test_a_labelled_cause_is_a_fact(hive):
    done = hive.verbs.done("Root cause: the index was missing.", agent="DEV-001", project="shop")
    [cause, _] = done.learned
    assert (cause.kind, cause.text) == ("facts", "Root cause: the index was missing.")


@pytest.mark.requirement("S3-42")
def test_a_label_may_have_an_article(hive):
    text = "The lesson: deploy with make deploy, never by hand. The decision: we keep Postgres."
    done = hive.verbs.done(text, agent="DEV-001", project="shop")
    assert [(one.kind, one.text) for one in done.learned[:2]] == [
        ("facts", "deploy with make deploy, never by hand."),
        ("decisions", "we keep Postgres."),
    ]

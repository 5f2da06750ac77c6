"""Which texts have the same subject, for an override that names no entry."""

from __future__ import annotations

from tests.tables import each_row
from varves.protocols.scoped.subjects import is_about_the_same

SAME = (
    ("Prefer tabs for indentation", "Indent with two spaces"),
    ("Prefer tabs of width four for indentation", "Indent with two spaces"),
    ("Use Zod for validation", "Validate input by hand"),
    ("Use Jest for tests", "Test with pytest"),
    ("Format code with Black", "Use ruff for formatting"),
    ("Never force-push", "Force pushes are allowed on feature branches"),
    ("Answer in German", "Answers are short"),
    ("Deploy on Fridays", "Deployments happen on Mondays"),
    ("Write docs in Markdown", "Documentation is in AsciiDoc"),
    ("Use British spelling", "Spelling is American"),
    ("Prefer dark themes in screenshots", "Use light themes"),
    ("Sign commits", "Commits need no signature"),
    ("Prefer functional components", "Prefer class components"),
    ("We use relative imports", "Use absolute imports in this repo"),
    ("Prefer named exports", "We prefer default exports"),
)
OTHER = (
    ("The log format is JSON", "The date format is Unix epoch"),
    ("The API version is 2", "The schema version is 5"),
    ("The error language is English", "The error code is a number"),
    ("Prefer British spelling in documents", "Documents are kept in docs/"),
    ("Prefer dark themes in screenshots", "Screenshots live in docs/img"),
    ("Prefer async code in services", "Services own their tables"),
    ("Use UTC in logs", "Logs are kept for 30 days"),
    ("Prefer short names for variables", "Variables are declared at the top"),
    ("Write tests for parsers", "Parsers live in src/parse"),
    ("Use Postgres for storage", "Use Postgres for queues"),
    ("Use tabs for Go", "Use spaces for Python"),
    ("Write long answers", "Write commit messages in imperative mood"),
    ("Keep functions short", "Keep secrets in the vault"),
    ("Run tests before a push", "Run the linter nightly"),
    ("Commit often", "Commit messages are in English"),
    ("Prefer short commit messages", "Prefer polite error messages"),
)


@each_row(("one", "other"), SAME)
def test_texts_with_a_common_subject(one, other):
    assert is_about_the_same(one, other)
    assert is_about_the_same(other, one)


@each_row(("one", "other"), OTHER)
def test_texts_that_only_share_a_word(one, other):
    assert not is_about_the_same(one, other)
    assert not is_about_the_same(other, one)

from __future__ import annotations

from tests.architecture.source import repository_files

ALLOWED = {
    ".ci",
    ".gitignore",
    "AGENTS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "benchmarks",
    "docs",
    "examples",
    "pyproject.toml",
    "requirements-dev.lock",
    "requirements.lock",
    "src",
    "tests",
    "torture",
}


def test_nothing_at_the_root_but_what_is_listed():
    found = {name.partition("/")[0] for name in repository_files()}
    assert found <= ALLOWED, f"not on the list: {sorted(found - ALLOWED)}"


def test_agents_page_stays_on_one_screen():
    from tests.architecture.source import ROOT

    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= 60

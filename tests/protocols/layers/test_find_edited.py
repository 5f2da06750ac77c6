"""`layers find` names what other verbs know, also while the log was edited by hand."""

from __future__ import annotations

import pytest

EVENT = ("--scope", "project", "--what", "Zod checks input", "--why", "it is small")


@pytest.fixture
def appended(varves, project):
    """Give the name of an event in the log."""
    assert varves("layers", "init").code == 0
    done = varves("layers", "append", "--type", "decision", "--title", "Use Zod", *EVENT, "--json")
    return done.json["ids"][0]


def found(varves, text):
    return varves("layers", "find", text, "--json").json["hits"]


def test_an_edited_event_is_found_under_the_name_it_has(varves, project, appended):
    log = project / "CHANGELOG.md"
    log.write_text(
        log.read_text(encoding="utf-8").replace("checks input", "checks all input"),
        encoding="utf-8",
    )
    [hit] = found(varves, "all input")
    assert hit["id"] == appended
    for verb in ("why", "show"):
        assert varves(verb, hit["id"]).code == 0


def test_an_event_that_nobody_recorded_is_found_by_its_place(varves, project, appended):
    log = project / "CHANGELOG.md"
    more = "\n## 2026-11-16 10:00 — Use Bun\n\n**Type:** decision\n\n### What\nIt runs\n"
    log.write_text(log.read_text(encoding="utf-8") + more, encoding="utf-8")
    [hit] = found(varves, "Bun")
    line = log.read_text(encoding="utf-8").split("\n").index("## 2026-11-16 10:00 — Use Bun") + 1
    assert hit["id"] == f"CHANGELOG.md:{line}"
    assert varves("layers", "append", "--type", "change", "--title", "More", *EVENT).code == 0
    [hit] = found(varves, "Bun")
    assert varves("why", hit["id"]).code == 0

"""Scoped memory with hooks only: told at the start and before a task, proposed after it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from tests.hosts.protocols.scripted import records, switch_on, texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.hosts.protocols.scripted import Scripted

    Begin = Callable[..., Scripted]

ZOD = "Use Zod for all input validation"


@pytest.fixture(autouse=True)
def _scoped(session: Begin, project: Path) -> None:
    switch_on(project, "scoped")
    with package.open(str(project)) as ledger:
        for number in range(13):
            ledger.scoped.write(
                "project",
                type="pattern",
                content=f"Habit {number} of unit {number} stands",
                confidence=0.5 + number / 100,
            )
        ledger.scoped.write("project", type="convention", content=ZOD, confidence=0.95)


def memory(project: Path) -> Any:
    """Return the project's file."""
    path = project / "memory/projects/project/memory.json"
    return json.loads(path.read_text(encoding="utf-8"))


def proposals(project: Path) -> list[Any]:
    """Return what waits for the user's word."""
    with package.open(str(project)) as ledger:
        return list(ledger.scoped.proposals())


def test_the_start_tells_the_ten_best(session: Begin, project: Path) -> None:
    """S2-28, S2-29, S2-38, S2-55: ten of fourteen, the surest first."""
    told = session().start()
    mine = [one for one in records(told) if one["id"].startswith("mem-")]
    assert len(mine) == 10
    assert mine[0]["id"] == "mem-014"
    assert ZOD in str(mine[0])


def test_the_start_updates_the_block_in_an_agents_prompt_file(
    session: Begin, project: Path
) -> None:
    """S2-31: a file in which `inject` put a block."""
    place = project / "agents/ada/system-prompt.md"
    place.parent.mkdir(parents=True)
    place.write_text("You are Ada.\n", encoding="utf-8")
    session().start()
    assert place.read_text(encoding="utf-8") == "You are Ada.\n"
    with package.open(str(project)) as ledger:
        ledger.scoped.inject("agents/ada/system-prompt.md")
        ledger.scoped.write("project", type="decision", content="Ship on Tuesdays", confidence=1)
    session().start()
    assert "Ship on Tuesdays" in place.read_text(encoding="utf-8")


def test_a_prompt_is_told_what_is_known_about_it(session: Begin) -> None:
    """S2-32, S2-56."""
    one = session()
    one.start()
    told = one.prompt("validate input of the new form")
    assert [line["id"] for line in records(told) if line["id"].startswith("mem-")] == ["mem-014"]


def test_a_turn_proposes_and_only_the_user_approves(session: Begin, project: Path) -> None:
    """S2-07, S2-33..35, S2-57: nothing is stored before approval; then it is mem-015."""
    one = session()
    one.start()
    one.prompt("Try library X. From now on we pin versions.")
    before = (project / "memory/projects/project/memory.json").read_bytes()
    one.answered("It does not work.\n\nLearned: Library X lacks feature Y.")
    assert (project / "memory/projects/project/memory.json").read_bytes() == before
    found = {one.content: one for one in proposals(project)}
    assert set(found) == {"Library X lacks feature Y", "From now on we pin versions"}
    with package.open(str(project)) as ledger:
        origins = {text: ledger.show(one.id).origin for text, one in found.items()}
        assert origins == {
            "Library X lacks feature Y": "agent",
            "From now on we pin versions": "direct",
        }
        ledger.scoped.reject(found["From now on we pin versions"].id, "too strict")
        assert ledger.scoped.approve(found["Library X lacks feature Y"].id).id == "mem-015"
    assert memory(project)["entries"][-1]["content"] == "Library X lacks feature Y"
    one.prompt("From now on we pin versions.")
    one.answered("Learned: Library X lacks feature Y.")
    assert proposals(project) == []


def test_the_sessions_file_notes_tools_and_edits_and_goes_with_it(
    session: Begin, project: Path
) -> None:
    """S2-01, S2-05, S2-06."""
    one = session("s-1")
    one.start()
    one.ran("make test", fails="AssertionError")
    one.edited("src/api.py")
    one.edited("src/api.py")
    path = project / "memory/sessions/s-1.json"
    noted = [one["content"] for one in json.loads(path.read_text(encoding="utf-8"))["entries"]]
    assert noted == ["Bash: make test", "src/api.py"]
    one.end()
    assert not path.exists()


def test_a_crashed_session_is_offered_and_cleaned_by_a_start_hours_later(
    session: Begin, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S2-06: the file stays until its learnings were offered."""
    monkeypatch.setenv("VARVES_NOW", "2026-11-15T06:20:00Z")
    one = session("s-1")
    one.start()
    one.edited("src/api.py")
    one.prompt("Try library X")
    one.write("assistant", "Learned: Library X lacks feature Y.")  # and no stop ever came
    path = project / "memory/sessions/s-1.json"
    session("s-2").start()
    assert path.exists(), "it may be at work in another window"
    monkeypatch.setenv("VARVES_NOW", "2026-11-15T10:20:00Z")
    session("s-3").start()
    assert not path.exists()
    assert [one.content for one in proposals(project)] == ["Library X lacks feature Y"]


def test_a_resumed_session_is_the_same(session: Begin, project: Path) -> None:
    """Its file and what it was told so far go on."""
    one = session("s-1")
    one.start()
    one.edited("src/api.py")
    one.start("resume")
    one.edited("src/web.py")
    path = project / "memory/sessions/s-1.json"
    noted = [one["content"] for one in json.loads(path.read_text(encoding="utf-8"))["entries"]]
    assert noted == ["src/api.py", "src/web.py"]


def test_another_clients_session_goes_on(session: Begin, project: Path) -> None:
    """A start ends its own client's forgotten session, nobody else's."""
    one = session("s-1")
    one.start()
    one.edited("src/api.py")
    session("c-1", client="codex").start()
    assert (project / "memory/sessions/s-1.json").exists()


def test_a_talk_without_a_learning_proposes_nothing(session: Begin, project: Path) -> None:
    """A whole answer is no learning."""
    one = session()
    one.prompt("How are things?")
    one.answered("All is well, and the build is green.")
    assert proposals(project) == []
    assert texts(one.prompt("zzz qqq")) == []


@pytest.mark.requirement("S2-29")
def test_an_entry_is_told_once_and_only_by_the_protocols_own_choice(
    session: Begin, project: Path
) -> None:
    """S2-29, S2-44: ten entries, none of them in the brief, and none that another one hides."""
    with package.open(str(project)) as ledger:
        ledger.remember("The staging API allows 100 requests a minute")
        ledger.scoped.write(
            "team", "core", type="convention", content="The date format is RFC 2822"
        )
        ledger.scoped.write("project", type="convention", content="The date format is ISO 8601")
    one = session()
    for told in (one.start(), one.start("compact"), one.start("resume")):
        mine = [line for line in records(told) if line["id"].startswith("mem-")]
        assert len(mine) == 10
        said = [line["text"] for line in records(told)]
        assert len(set(said)) == len(said)
        assert "The date format is RFC 2822" in said
        assert "The date format is ISO 8601" not in said
        assert "The staging API allows 100 requests a minute" in said, "it is no entry"
        assert len(said) == 11
    asked = [line["text"] for line in records(session("s-2").prompt("which date format is it?"))]
    assert asked == ["The date format is RFC 2822"]


def test_what_scoped_memory_could_not_tell_is_in_the_brief(session: Begin, project: Path) -> None:
    switch_on(project, "scoped", more='[scoped]\ntop = "many"')
    one = session()
    one.failures = lambda: ""  # type: ignore[method-assign]
    assert ZOD in one.start()

"""Scoped and hivemind work alone, and both live in one tree without touching each other's files."""

from __future__ import annotations

import pytest


def written(clone):
    return {path for path in clone.files() if not path.endswith(".gitignore")}


@pytest.mark.requirement("U-03")
def test_a_session_of_one_protocol_makes_no_file_of_the_other(clone):
    alone = clone()
    ledger = alone.at("2026-11-15T08:00:00Z")
    ledger.scoped.session_start()
    ledger.scoped.write("project", "p", type="decision", content="Use Zod for all input validation")
    ledger.scoped.session_end()
    ledger.rebuild()

    assert written(alone) == {"memory/projects/p/memory.json"} | {
        path for path in written(alone) if path.endswith("/memory.json")
    }
    assert not any("_index" in path or "current.json" in path for path in written(alone))
    assert not (alone.root / "_mdan").exists()
    assert not (alone.root / ".memory").exists()


@pytest.mark.requirement("U-03")
def test_a_session_of_the_other_makes_no_file_of_the_first(clone):
    alone = clone()
    ledger = alone.at("2026-11-15T08:00:00Z")
    ledger.hivemind.session_start(project="p")
    ledger.hivemind.task("Validate the input", project="p")
    ledger.hivemind.done("Decided to use Zod for validation", project="p")
    ledger.hivemind.session_end()
    ledger.rebuild()

    assert "memory/sessions/current.json" in written(alone)
    assert not any(path.endswith("/memory.json") for path in written(alone))
    assert not (alone.root / "_mdan").exists()


def test_both_live_in_one_tree_and_neither_touches_the_others_files(clone):
    both = clone()
    ledger = both.at("2026-11-15T08:00:00Z")
    ledger.scoped.write("project", "p", type="decision", content="Use Zod for all input validation")
    scoped = {path: content for path, content in both.files().items() if "memory.json" in path}

    ledger.hivemind.session_start(project="p")
    ledger.hivemind.write(type="factual", content={"text": "Port 80 is open"}, scope="project:p")
    ledger.hivemind.session_end()
    ledger.hivemind.maintain(force=True)
    assert scoped.items() <= both.files().items()

    hive = {p: c for p, c in both.files().items() if "_index" in p or "/mem_" in p}
    assert hive
    ledger.scoped.session_start()
    ledger.scoped.write("project", "p", type="pattern", content="Retry twice on a timeout")
    ledger.scoped.session_end()
    assert hive.items() <= both.files().items()


def test_a_record_of_one_protocol_appears_only_in_its_own_files(clone):
    both = clone()
    ledger = both.at("2026-11-15T08:00:00Z")
    ledger.scoped.write("project", "p", type="decision", content="Only scoped says quokka")
    ledger.hivemind.write(
        type="factual", content={"text": "Only hive says wombat"}, scope="project:p"
    )
    ledger.remember("Only the core says numbat")
    ledger.rebuild()

    for path, content in both.files().items():
        assert (b"quokka" in content) <= path.endswith("memory.json"), path
        assert (b"wombat" in content) <= ("mem_" in path or "_index" in path), path
        assert b"numbat" not in content
    for word in ("quokka", "wombat", "numbat"):
        [hit] = ledger.recall(word).hits
        assert word in hit.memory.text


def test_what_is_global_or_of_a_session_is_in_no_tracked_file(clone):
    both = clone()
    ledger = both.at("2026-11-15T08:00:00Z")
    ledger.scoped.write("global", type="preference", content="Prefers quokka", confidence=0.95)
    ledger.hivemind.write(type="factual", content={"text": "Global wombat"}, scope="global")
    ledger.scoped.session_start()
    ledger.scoped.note("Chose numbat for now", kind="decision")
    ledger.hivemind.session_start(project="p")
    ledger.hivemind.task("Look for the dunnart", project="p")
    both.commit()

    tracked = b"".join(both.files(tracked=True).values())
    log = b"".join(p.read_bytes() for p in (both.root / ".varves/log").rglob("*") if p.is_file())
    for word in (b"quokka", b"wombat", b"numbat", b"dunnart"):
        assert word not in tracked
        assert word not in log
    everything = b"".join(both.files().values())
    for word in (b"quokka", b"wombat", b"numbat", b"dunnart"):
        assert word in everything


@pytest.mark.requirement("S2-03")
def test_global_entries_are_seen_from_two_projects(clone, tmp_path, home):
    import varves

    first = clone()
    ledger = first.at("2026-11-15T08:00:00Z")
    ledger.scoped.write("global", type="preference", content="Prefers tabs", confidence=0.95)
    other = tmp_path / "other"
    other.mkdir()

    with varves.open(other, home=first.home) as second:
        second.scoped.init()
        said = [entry.content for entry in second.scoped.read("global").entries]

    assert said == ["Prefers tabs"]
    assert "Prefers tabs" in (other / "memory/global/memory.json").read_text(encoding="utf-8")


def test_what_contradicts_what_is_each_protocols_own_rule(clone):
    both = clone()
    ledger = both.at("2026-11-15T08:00:00Z")
    for tool in ("Zod", "Yup"):
        ledger.scoped.write("project", "p", type="decision", content=f"Use {tool} for validation")
        said = {"text": f"Use {tool} for validation"}
        ledger.hivemind.write(
            type="semantic", subtype=tool.lower(), content=said, scope="project:p"
        )

    [found] = ledger.conflicts()
    assert {member.protocol for member in found.members} == {"scoped"}


def test_a_linked_worktree_is_the_same_project(clone, tmp_path):
    import varves

    main = clone()
    main.at("2026-11-15T08:00:00Z").scoped.write("project", type="pattern", content="One project")
    main.commit()
    main.git("worktree", "add", "--quiet", str(tmp_path / "linked"))

    with varves.open(tmp_path / "linked", home=main.home) as linked:
        linked.scoped.write("project", type="pattern", content="And the same one")

    there = tmp_path / "linked/memory/projects"
    assert [path.name for path in there.iterdir()] == ["project"]
    text = (there / "project/memory.json").read_text(encoding="utf-8")
    assert "One project" in text
    assert "And the same one" in text

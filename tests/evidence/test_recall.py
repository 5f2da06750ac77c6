"""How recall, show and why treat a memory whose evidence has changed, moved or gone."""

from __future__ import annotations

import subprocess
import sys

import pytest

import varves as package


def hit(scene, name, **options):
    found = {hit.memory.id: hit for hit in scene.ledger.recall("zebra statement", **options)}
    return found.get(name)


def test_unchanged_evidence_leaves_no_mark(scene):
    name = scene.remember("README.md")
    assert hit(scene, name).stale is None


def test_a_memory_whose_evidence_changed_is_flagged_and_ranked_down(scene):
    kept, edited = (scene.remember(path) for path in ("README.md", "src/store.py"))
    before = hit(scene, edited).score
    scene.replace("src/store.py", "LIMIT = 10", "LIMIT = 11")
    found = scene.ledger.recall("zebra statement")
    assert [one.memory.id for one in found] == [kept, edited]
    assert [one.stale for one in found] == [None, "changed"]
    assert hit(scene, edited).score == pytest.approx(before / 2, abs=0.01)


def test_a_memory_whose_evidence_moved_is_followed(scene):
    name = scene.remember("README.md:3")
    before = hit(scene, name).score
    scene.replace("README.md", "# Zoo", "# The\n# Zoo")
    found = hit(scene, name)
    assert (found.stale, found.score) == ("moved", before)
    assert "README.md:4" in str(found.reasons)


def test_a_memory_whose_evidence_is_gone_is_told_only_when_asked_for(scene, varves):
    kept, lost = (scene.remember(path) for path in ("README.md", "src/store.py"))
    (scene.root / "src/store.py").unlink()
    assert hit(scene, lost) is None
    assert hit(scene, kept) is not None
    assert hit(scene, lost, include=["gone"]).stale == "gone"
    asked = ("recall", "zebra statement", "--json")
    assert [one["id"] for one in varves(*asked).json["hits"]] == [kept]
    told = {one["id"]: one["stale"] for one in varves(*asked, "--include", "gone").json["hits"]}
    assert told == {kept: None, lost: "gone"}


def test_what_is_gone_makes_room_for_others(scene):
    names = []
    for number in range(30):
        scene.write(f"notes/{number}.md", f"note {number}\n")
        names.append(scene.remember(f"notes/{number}.md"))
    subprocess.run(["rm", "-r", str(scene.root / "notes")], check=True)
    kept = scene.ledger.remember("zebra statement without evidence").id
    assert [one.memory.id for one in scene.ledger.recall("zebra about notes", k=1)] == [kept]


def test_of_several_pointers_gone_means_all_of_them(scene):
    name = scene.remember("README.md", "src/store.py")
    (memory,) = [memory for memory in scene.ledger.list() if memory.id == name]
    (scene.root / "src/store.py").unlink()
    assert scene.judge(memory) == "changed"
    assert hit(scene, name).stale == "changed"
    (scene.root / "README.md").unlink()
    assert hit(scene, name) is None


def test_the_past_is_not_compared_with_the_files_of_today(scene):
    name = scene.remember("README.md")
    event = scene.ledger.history(name)[-1].id
    (scene.root / "README.md").unlink()
    assert hit(scene, name, as_of=event).stale is None
    assert "state" not in scene.ledger.show(name, as_of=event).evidence[0]


def test_the_clock_has_no_say(scene, varves):
    name = scene.remember("README.md")
    scene.replace("README.md", "noon", "dawn")
    for now in ("2001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"):
        told = varves("show", name, "--json", env={"VARVES_NOW": now})
        assert told.json["evidence"][0]["state"] == "changed"


def test_reading_changes_nothing_that_git_sees(scene):
    names = [scene.remember(path) for path in ("README.md", "src/store.py::load")]
    scene.commit("memories")
    scene.replace("README.md", "noon", "dawn")
    before = scene.git("status", "--porcelain")
    for name in names:
        scene.fate(name)
        scene.ledger.why(name)
    scene.ledger.recall("zebra statement")
    assert scene.git("status", "--porcelain") == before


def test_paths_of_other_projects_and_worktrees_are_not_looked_for_here(scene, tmp_path):
    everywhere = scene.remember("README.md", scope="global")
    scene.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    with package.open(str(tmp_path / "other")) as beside:
        (tmp_path / "other/only.md").write_text("there\n", encoding="utf-8")
        away = beside.remember("zebra statement of the other tree", evidence=["only.md"]).id
    (scene.root / "README.md").unlink()
    for name in (everywhere, away):
        assert hit(scene, name).stale is None
        assert scene.fate(name) is None


def test_private_memories_are_checked_in_each_worktree(scene, tmp_path):
    name = scene.remember("README.md", private=True)
    scene.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    (tmp_path / "other/README.md").write_text("# Other\n", encoding="utf-8")
    with package.open(str(tmp_path / "other")) as beside:
        assert beside.show(name).evidence[0]["state"] == "changed"
    assert scene.fate(name) == ("unchanged", "README.md")


def test_why_says_what_became_of_each_pointer(scene, varves):
    name = scene.remember("README.md", "src/store.py::load")
    scene.replace("src/store.py", "file.read()", "file.read(1)")
    found = scene.ledger.why(name)
    says = [rule.says for rule in found.rules if rule.rule == "evidence"]
    assert says == [
        "README.md is unchanged: the file is the same",
        "src/store.py::load is changed: load has changed",
    ]
    assert found.recalled
    assert "src/store.py::load is changed" in varves("why", name).out


def test_why_says_that_nothing_is_left_and_the_memory_is_not_recalled(scene):
    name = scene.remember("README.md")
    (scene.root / "README.md").unlink()
    found = scene.ledger.why(name)
    assert not found.recalled
    (rule,) = [rule for rule in found.rules if rule.rule == "gone"]
    assert rule.says == "README.md is gone: no longer exists"
    assert name in rule.undo


def test_show_says_the_state_and_the_place(scene, varves):
    name = scene.remember("README.md:3")
    scene.replace("README.md", "# Zoo", "# The\n# Zoo")
    told = varves("show", name).out
    assert "state moved, now README.md:4" in told


def test_a_memory_without_evidence_loads_nothing(scene, varves):
    scene.ledger.remember("zebra statement alone")
    code = (
        "import sys, varves; varves.open().recall('zebra');"
        "print([m for m in sys.modules if m in ('varves.evidence.fates', 'ast')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=scene.root,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_a_recall_of_unchanged_evidence_starts_no_process_and_parses_nothing(scene):
    for path in ("README.md:3", "src/store.py::load"):
        scene.remember(path)
    scene.replace("README.md", "# Zoo", "# The\n# Zoo")
    code = (
        "import sys, varves; found = varves.open().recall('zebra statement');"
        "print(len(found), [m for m in ('subprocess', 'ast') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=scene.root,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == "2 []"

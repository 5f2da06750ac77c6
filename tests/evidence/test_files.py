"""What becomes of a memory that points to a whole file."""

from __future__ import annotations

import os
import sqlite3

import pytest

from tests.places import forget_local, local_of
from tests.rooms import indexed, room
from varves.evidence.fates import Fates


def test_a_file_nobody_touched_is_unchanged(scene):
    name = scene.remember("src/store.py")
    assert scene.fate(name) == ("unchanged", "src/store.py")


def test_what_is_only_touched_is_unchanged(scene):
    name = scene.remember("src/store.py")
    scene.age("src/store.py")
    assert scene.fate(name) == ("unchanged", "src/store.py")


def test_an_edited_file_is_changed_and_unchanged_again_when_the_edit_is_taken_back(scene):
    name = scene.remember("src/store.py")
    scene.replace("src/store.py", "LIMIT = 10", "LIMIT = 11")
    assert scene.fate(name) == ("changed", "src/store.py")
    scene.git("checkout", "--", "src/store.py")
    assert scene.fate(name) == ("unchanged", "src/store.py")


def test_other_line_ends_are_no_change(scene):
    name = scene.remember("README.md")
    scene.write("README.md", (scene.root / "README.md").read_bytes().replace(b"\n", b"\r\n"))
    assert scene.fate(name) == ("unchanged", "README.md")


def test_a_file_that_git_moved_is_followed(scene):
    name = scene.remember("src/store.py")
    (scene.root / "lib").mkdir()
    scene.git("mv", "src/store.py", "lib/depot.py")
    assert scene.fate(name) == ("moved", "lib/depot.py")
    scene.commit("moved")
    assert scene.fate(name) == ("moved", "lib/depot.py")


def test_a_file_that_was_moved_behind_gits_back_is_followed_from_place_to_place(scene):
    name = scene.remember("src/store.py")
    (scene.root / "src/store.py").rename(scene.root / "depot.py")
    assert scene.fate(name) == ("moved", "depot.py")
    (scene.root / "depot.py").rename(scene.root / "src/last.py")
    assert scene.fate(name) == ("moved", "src/last.py")
    (scene.root / "src/last.py").rename(scene.root / "src/store.py")
    assert scene.fate(name) == ("unchanged", "src/store.py")


def test_a_file_renamed_and_edited_in_one_commit_is_found_through_git_and_is_changed(scene):
    name = scene.remember("src/store.py")
    scene.git("mv", "src/store.py", "src/depot.py")
    scene.replace("src/depot.py", "LIMIT = 10", "LIMIT = 12")
    scene.commit("moved and edited")
    assert scene.fate(name) == ("changed", "src/depot.py")
    scene.git("mv", "src/depot.py", "depot.py")
    scene.commit("once more")
    assert scene.fate(name) == ("changed", "depot.py")


def test_a_renamed_and_edited_file_is_found_while_it_is_only_staged(scene):
    name = scene.remember("src/store.py")
    scene.git("mv", "src/store.py", "src/depot.py")
    scene.replace("src/depot.py", "LIMIT = 10", "LIMIT = 12")
    assert scene.fate(name) == ("changed", "src/depot.py")


def test_in_a_project_below_the_top_of_its_repository_paths_are_the_projects(scene):
    import varves

    scene.write("part/a.py", "one = 1\n" * 9)
    scene.commit("a part")
    with varves.open(str(scene.root / "part")) as ledger:
        ledger.init()
        name = ledger.remember("one", evidence=["a.py"]).id
        scene.git("mv", "part/a.py", "part/b.py")
        scene.write("part/b.py", "one = 1\n" * 8 + "two = 2\n")
        scene.commit("moved")
        assert ledger.show(name).evidence[0]["now"] == "b.py"
        scene.git("mv", "part/b.py", "out.py")
        assert ledger.show(name).evidence[0]["state"] == "gone", "outside is not looked at"


def test_a_deleted_file_is_gone_and_comes_back(scene):
    name = scene.remember("src/store.py")
    (scene.root / "src/store.py").unlink()
    assert scene.fate(name) == ("gone", "src/store.py")
    scene.git("checkout", "--", "src/store.py")
    assert scene.fate(name) == ("unchanged", "src/store.py")


def test_an_empty_file_is_not_taken_for_another(scene):
    scene.write("a/__init__.py", "")
    scene.write("b/__init__.py", "")
    name = scene.remember("a/__init__.py")
    (scene.root / "a/__init__.py").unlink()
    assert scene.fate(name) == ("gone", "a/__init__.py")


def test_another_checkout_inside_the_project_is_not_where_a_file_went(scene):
    scene.git("worktree", "add", "-q", "trees/other", "-b", "other")
    name = scene.remember("src/store.py")
    (scene.root / "src/store.py").unlink()
    assert scene.fate(name) == ("gone", "src/store.py")


def test_switching_branches_changes_fates_and_switching_back_restores_them(scene):
    scene.git("switch", "-qc", "feature")
    scene.write("src/feature.py", "def feature():\n    return 1\n")
    scene.replace("README.md", "noon", "dawn")
    scene.git("mv", "src/store.py", "src/depot.py")
    scene.commit("feature")
    names = [scene.remember(path) for path in ("src/feature.py", "README.md", "src/depot.py")]
    scene.commit("memories")
    here = [("unchanged", "src/feature.py"), ("unchanged", "README.md")]
    here.append(("unchanged", "src/depot.py"))
    assert [scene.fate(name) for name in names] == here
    scene.git("switch", "-q", "main")
    scene.git("checkout", "feature", "--", ".varves/log")
    there = [("gone", "src/feature.py"), ("changed", "README.md"), ("moved", "src/store.py")]
    assert [scene.fate(name) for name in names] == there
    scene.git("reset", "-q", "--hard")
    scene.git("switch", "-q", "feature")
    assert [scene.fate(name) for name in names] == here


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "path", ["my notes/the plan.md", "дом/ζέβρα 斑马.md", "a#b::c d.md", "-x.md"]
)
def test_names_with_spaces_and_letters_of_all_kinds(scene, path):
    scene.write(path, "one\ntwo\nthree\n")
    name = scene.remember(f"./{path}:2" if path[0] == "-" else f"{path}:2")
    assert scene.fate(name) == ("unchanged", f"{path}:2")
    scene.write(path, "zero\none\ntwo\nthree\n")
    assert scene.fate(name) == ("moved", f"{path}:3")
    scene.commit("in git")
    scene.git("mv", "--", path, "plain.md")
    assert scene.fate(name) == ("moved", "plain.md:3")


def test_a_folder_is_there_or_gone(scene):
    name = scene.remember("src")
    assert scene.ledger.show(name).evidence[0]["there"] is True
    assert scene.fate(name) == ("unchanged", "src")
    scene.git("rm", "-rq", "src")
    assert scene.fate(name) == ("gone", "src")


def test_a_file_that_is_too_large_is_only_there_or_gone(scene):
    with (scene.root / "big.bin").open("wb") as file:
        file.truncate((8 << 20) + 1)
    name = scene.remember("big.bin")
    assert "digest" not in scene.ledger.show(name).evidence[0]
    assert scene.fate(name) == ("unchanged", "big.bin")
    (scene.root / "big.bin").unlink()
    assert scene.fate(name) == ("gone", "big.bin")


def test_a_file_that_has_grown_too_large_is_changed(scene):
    name = scene.remember("README.md")
    os.truncate(scene.root / "README.md", (8 << 20) + 1)
    assert scene.fate(name) == ("changed", "README.md")


def test_a_binary_file_is_compared_whole(scene):
    scene.write("logo.bin", b"\0\1\2\n\3")
    name = scene.remember("logo.bin:2")
    assert scene.fate(name) == ("unchanged", "logo.bin:2")
    scene.write("logo.bin", b"\0\1\2\n\3\4")
    assert scene.fate(name) == ("changed", "logo.bin:2")


def test_of_what_was_never_there_nothing_is_said(scene):
    name = scene.remember("src/planned.py")
    assert scene.fate(name) is None
    scene.write("src/planned.py", "x = 1\n")
    assert scene.fate(name) is None


def test_a_file_that_may_not_be_read_is_not_judged(scene, monkeypatch):
    name = scene.remember("README.md")
    scene.replace("README.md", "noon", "dawn")
    real = os.open

    def refuse(path, *args, **kwargs):
        if path == "README.md":
            raise PermissionError(13, "Permission denied", path)
        return real(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    assert scene.fate(name) is None
    assert scene.remember("README.md", again=True), "and what cannot be read can be pointed to"
    monkeypatch.undo()
    assert scene.fate(name) == ("changed", "README.md")


def test_a_pipe_in_its_place_is_not_opened(scene):
    name = scene.remember("README.md")
    (scene.root / "README.md").unlink()
    os.mkfifo(scene.root / "README.md")
    assert scene.fate(name) == ("gone", "README.md")


def test_without_git_files_are_followed_all_the_same(tmp_path, home):
    import varves

    root = tmp_path / "plain"
    root.mkdir()
    (root / "a.txt").write_text("alpha\n", encoding="utf-8")
    with varves.open(str(root)) as ledger:
        name = ledger.remember("x", evidence=["a.txt"]).id
        (root / "a.txt").rename(root / "b.txt")
        assert ledger.show(name).evidence[0]["now"] == "b.txt"
        (root / "b.txt").unlink()
        assert ledger.show(name).evidence[0]["state"] == "gone"


def test_where_git_cannot_be_started_files_are_still_compared(scene, monkeypatch, tmp_path):
    name, other = scene.remember("README.md"), scene.remember("src/store.py")
    monkeypatch.setenv("PATH", str(tmp_path))
    scene.replace("README.md", "noon", "dusk")
    (scene.root / "src/store.py").unlink()
    assert scene.fate(name) == ("changed", "README.md")
    assert scene.fate(other) == ("gone", "src/store.py")


def test_a_link_that_leads_out_is_gone_and_never_opened(scene, tmp_path, monkeypatch):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "README.md").write_bytes((scene.root / "README.md").read_bytes())
    (outside / "store.py").write_bytes((scene.root / "src/store.py").read_bytes())
    names = [scene.remember(path) for path in ("README.md", "src/store.py")]
    (scene.root / "README.md").unlink()
    (scene.root / "README.md").symlink_to(outside / "README.md")
    (scene.root / "src/store.py").unlink()
    (scene.root / "src").rmdir()
    (scene.root / "src").symlink_to(outside)
    opened = watched(monkeypatch)
    assert [scene.fate(name) for name in names] == [("gone", "README.md"), ("gone", "src/store.py")]
    assert not [path for path in opened if path in ("store.py", "README.md")]


def test_a_link_inside_the_project_is_followed(scene):
    (scene.root / "link.md").symlink_to("README.md")
    name = scene.remember("link.md:3")
    scene.replace("README.md", "# Zoo", "# The\n# Zoo")
    assert scene.fate(name) == ("moved", "link.md:4")


def test_pointers_of_a_hostile_log_are_not_followed(scene):

    memory = scene.ledger.show(scene.remember("README.md"))
    digest = {"digest": "0" * 64}
    hostile = [
        {"path": "../../etc/passwd", **digest},
        {"path": "/etc/passwd", **digest},
        {"path": "a\0b", **digest},
        {"path": 5, **digest},
        {"path": "README.md", "digest": 5},
        {"commit": "--output=x"},
        {"commit": "HEAD"},
        {},
    ]
    for place in hostile:
        assert scene.judge(memory.replace(evidence=(place,))) is None
    odd = {"path": "README.md", **digest, "line": 2**53, "end": -1, "part": "x", "around": [[], {}]}
    assert scene.judge(memory.replace(evidence=(odd,))) == "changed"
    many = ({"path": "README.md", **digest},) * 5000
    assert scene.judge(memory.replace(evidence=many)) == "changed"


def watched(monkeypatch):
    """Note the last part of every path that is opened."""
    real, opened = os.open, []

    def note(path, *args, **kwargs):
        opened.append(os.path.basename(str(path)))
        return real(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", note)
    return opened


def test_a_file_that_did_not_change_is_read_once(scene, monkeypatch):
    scene.age("src/store.py", "README.md")
    first, second = scene.remember("src/store.py"), scene.remember("src/store.py::load")
    opened = watched(monkeypatch)
    assert scene.fate(first) == ("unchanged", "src/store.py")
    assert opened.count("store.py") == 1
    for _ in range(3):
        assert scene.fate(first) == ("unchanged", "src/store.py")
        assert scene.fate(second) == ("unchanged", "src/store.py:6")
    assert opened.count("store.py") == 1, "another pointer to the same file costs no reading"


def test_a_changed_line_a_lost_file_and_a_commit_are_looked_for_once(scene, monkeypatch):
    from varves.git import Git

    head = scene.git("rev-parse", "HEAD")
    names = [scene.remember(one) for one in ("README.md:3", "src/store.py", f"commit:{head}")]
    scene.replace("README.md", "noon", "dawn")
    (scene.root / "src/store.py").unlink()
    scene.settle("README.md")
    memories = [scene.ledger.show(name) for name in names]
    told = [scene.judge(memory) for memory in memories]
    assert told == ["changed", "gone", "unchanged"]
    opened, listed, asked = watched(monkeypatch), [], []
    monkeypatch.setattr(os, "scandir", lambda path=".": listed.append(path))
    monkeypatch.setattr(Git, "run", lambda *args, **_: asked.append(args))
    assert [scene.judge(memory) for memory in memories] == told
    assert (opened.count("README.md"), listed, asked) == (0, [], [])


def test_a_file_that_may_still_be_written_to_is_read_each_time(scene, monkeypatch):
    (memory,) = scene.remembered("README.md")
    os.utime(scene.root / "README.md", ns=(4 * 10**18, 4 * 10**18 + 1))
    opened = watched(monkeypatch)
    assert [scene.judge(memory) for _ in range(3)] == ["unchanged"] * 3
    assert opened.count("README.md") == 3


def test_a_verdict_falls_with_the_file_it_leads_to(scene):
    name = scene.remember("src/store.py")
    (scene.root / "src/store.py").rename(scene.root / "depot.py")
    scene.settle("depot.py")
    assert scene.fate(name) == ("moved", "depot.py")
    scene.replace("depot.py", "LIMIT = 10", "LIMIT = 11")
    assert scene.fate(name) == ("gone", "src/store.py")
    scene.settle("depot.py")
    assert scene.fate(name) == ("gone", "src/store.py")
    scene.git("add", "-A")
    assert scene.fate(name) == ("changed", "depot.py"), "now git knows where it went"


def test_the_same_size_and_time_do_not_hide_an_edit(scene):
    scene.age("README.md")
    name = scene.remember("README.md")
    assert scene.fate(name) == ("unchanged", "README.md")
    scene.replace("README.md", "noon", "dawn")
    scene.age("README.md")
    assert scene.fate(name) == ("changed", "README.md")


def test_edits_that_follow_each_other_at_once_are_all_seen(scene):
    name = scene.remember("README.md")
    for turn in range(30):
        scene.write("README.md", f"{turn:09}\n")
        assert scene.fate(name) == ("changed", "README.md")
        scene.git("checkout", "--", "README.md") if turn % 10 == 9 else None
    assert scene.fate(name) == ("unchanged", "README.md")


def test_what_is_kept_may_be_deleted(scene):
    name = scene.remember("src/store.py::load")
    scene.replace("src/store.py", "file.read()", "file.read(9)")
    assert scene.fate(name) == ("changed", "src/store.py:6")
    scene.ledger.close()
    forget_local(scene.root)
    assert scene.fate(name) == ("changed", "src/store.py:6")


def test_purging_leaves_no_trace_of_where_a_memory_pointed(scene):
    scene.write("secret place/plan.md", "one\n")
    scene.age("secret place/plan.md")
    name = scene.remember("secret place/plan.md")
    assert scene.fate(name) == ("unchanged", "secret place/plan.md")
    index = local_of(scene.root) / "index.sqlite"
    with sqlite3.connect(index) as db:
        assert db.execute("select count(*) from fate").fetchone() != (0,)
    db.close()
    scene.ledger.purge(name, reason="asked for")
    scene.ledger.list()
    scene.ledger.close()
    for file in index.parent.glob("index.sqlite*"):
        assert b"secret place" not in file.read_bytes()


def test_where_nothing_can_be_kept_fates_are_told_all_the_same(scene):
    scene.age("README.md")
    (memory,) = scene.remembered("README.md")
    with room(scene.root) as seen:
        seen.fresh().index.db.execute("pragma query_only = on")
        assert Fates(seen).of(memory).state == "unchanged"
        scene.replace("README.md", "noon", "dawn")
        assert Fates(seen).of(memory).state == "changed"
    assert indexed(scene.root, "select count(*) from fate") == [(0,)]


def test_nobody_waits_to_keep_a_verdict(scene):
    scene.age("README.md")
    (memory,) = scene.remembered("README.md")
    other = sqlite3.connect(local_of(scene.root) / "index.sqlite", isolation_level=None)
    other.execute("begin immediate")
    assert scene.judge(memory) == "unchanged"
    other.execute("rollback")
    other.close()


def test_in_a_place_that_is_read_only_fates_are_told_too(scene):
    name = scene.remember("README.md")
    scene.replace("README.md", "noon", "dawn")
    scene.ledger.close()
    forget_local(scene.root)
    (scene.root / ".varves/local").write_bytes(b"a file where the folder should be")
    assert scene.fate(name) == ("changed", "README.md")

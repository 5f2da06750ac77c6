"""What git, the spool or a lane's note knows and no file holds: `verify` says so, as `doctor`."""

from __future__ import annotations

import json
import shutil
from zlib import crc32

import pytest

from tests.security.erasing import commit, git


@pytest.fixture
def two(varves, project):
    """Remember two things and commit them."""
    varves("remember", "The first thing")
    varves("remember", "The second thing")
    commit(project)
    return project


@pytest.fixture
def cloned(two, tmp_path):
    """Clone the project, so that neither a lane's note nor a spool comes along."""
    git(tmp_path, "clone", "--quiet", str(two), "cloned")
    return tmp_path / "cloned"


def segment_of(root):
    [segment] = sorted((root / ".varves/log").glob("*/*.jsonl"))
    return segment


def cut(segment):
    segment.write_bytes(segment.read_bytes().splitlines(keepends=True)[0])


def check_lost(varves, root, events):
    done = varves("verify", cwd=root)
    assert done.code == 1
    assert "whole" not in done.out
    assert "varves doctor --restore" in done.out
    found = varves("verify", "--json", cwd=root).json
    assert (found["ok"], found["whole"]) == (False, False)
    assert [one["message"].split()[0] for one in found["damage"] if one["rule"] == "eaten"] == [
        str(events)
    ]
    assert "eaten" in {one["rule"] for one in varves("doctor", "--json", cwd=root).json["findings"]}
    assert varves("doctor", "--restore", cwd=root).code == 0
    assert varves("verify", cwd=root).out.startswith("whole: 2 events")


def test_a_committed_segment_that_is_deleted_is_not_whole(varves, two):
    segment_of(two).unlink()
    check_lost(varves, two, 2)


def test_a_deleted_segment_that_git_has_not_seen_is_not_whole(varves, project):
    varves("remember", "The first thing")
    varves("remember", "The second thing")
    segment_of(project).unlink()
    check_lost(varves, project, 2)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("harm", [cut, lambda one: one.unlink()], ids=["cut", "deleted"])
def test_what_a_fresh_clone_lacks_is_not_whole(varves, cloned, harm):
    lacking = segment_of(cloned)
    events = 2 if harm is not cut else 1
    harm(lacking)
    check_lost(varves, cloned, events)


def test_a_fresh_clone_without_its_log_is_not_whole(varves, cloned):
    shutil.rmtree(cloned / ".varves/log")
    check_lost(varves, cloned, 2)


def test_packs_purges_branches_and_a_staged_log_are_whole(varves, two):
    git(two, "branch", "before")
    memory = varves("remember", "To be purged", "--json").json["id"]
    commit(two)
    for number in range(3):
        varves("remember", f"Thing {number}")
        commit(two)
    assert varves("purge", memory, "--reason", "a test", "--yes").code == 0
    assert varves("verify").out.startswith("whole")  # git's index has the lines as they were
    varves("pack")
    assert varves("verify").out.startswith("whole")  # and names files that are in a pack now
    git(two, "add", "-A")
    assert varves("verify").out.startswith("whole")
    commit(two)
    git(two, "switch", "--quiet", "before")
    assert varves("verify").code == 0  # what another branch holds is not lost


def test_where_git_does_not_answer_that_is_said(varves, two, tmp_path):
    (tmp_path / "empty").mkdir()
    done = varves("verify", "--json", env={"PATH": str(tmp_path / "empty")})
    assert done.code == 0
    [said] = done.json["uncompared"]
    assert said.startswith("not compared with git: git cannot be started")
    assert said in varves("verify", env={"PATH": str(tmp_path / "empty")}).out
    assert varves("verify", "--json").json["uncompared"] == []


def test_without_git_a_deleted_segment_is_known_by_its_lanes_note(varves, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    assert varves("init", cwd=plain).code == 0
    assert varves("remember", "The first thing", cwd=plain).code == 0
    done = varves("verify", cwd=plain)
    assert done.code == 0
    assert "not compared with git: there is no repository here" in done.out
    segment_of(plain).unlink()
    gone = varves("verify", "--json", cwd=plain)
    assert gone.code == 1
    assert [one["rule"] for one in gone.json["damage"]] == ["cut"]


def test_what_nothing_but_the_index_remembers_is_not_called_whole(varves, two, ledger):
    """The index is derived, so nothing is damaged by its word; `doctor` restores by it."""
    ledger.remember("A third thing")
    assert len(ledger.list()) == 3
    ledger.close()
    for note in (two / ".varves/local").rglob("*.lock"):
        note.write_bytes(b"")
    [newest] = [
        one for one in (two / ".varves/log").rglob("*.jsonl") if b"third" in one.read_bytes()
    ]
    with newest.open("r+b") as file:  # the spool's name of it is a link, and is emptied too
        file.truncate(0)
    done = varves("verify")
    assert not done.out.startswith("whole")
    assert "varves doctor --restore" in done.out


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("how", ["cut", "middle", "doubled", "half a line"])
def test_damage_that_was_committed_is_named_by_doctor_too(varves, two, tmp_path, how):
    """`doctor` said ok where `verify` did not."""
    varves("remember", "The third thing")  # HEAD moved: this closes the segment
    commit(two)
    first = min((two / ".varves/log").glob("*/*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    lines = first.read_bytes().splitlines(keepends=True)
    damaged = {
        "cut": lines[:-1],
        "middle": lines[1:],
        "doubled": [*lines, lines[-1]],
        "half a line": [*lines[:-1], lines[-1][:40]],
    }[how]
    first.write_bytes(b"".join(damaged))
    commit(two)
    git(tmp_path, "clone", "--quiet", str(two), "cloned")
    for root in (two, tmp_path / "cloned"):
        assert varves("verify", cwd=root).code == 1
        done = varves("doctor", cwd=root)
        assert done.code == 1
        assert first.name in done.out


def test_a_log_with_a_gap_is_not_called_whole(varves, two, tmp_path):
    varves("remember", "The third thing")
    commit(two)
    first = min((two / ".varves/log").glob("*/*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    git(two, "rm", "--quiet", str(first))
    commit(two)
    git(tmp_path, "clone", "--quiet", str(two), "cloned")
    done = varves("verify", cwd=tmp_path / "cloned")
    assert "not whole: " in done.out
    assert "gap" in done.out
    assert varves("verify", "--json", cwd=tmp_path / "cloned").json["whole"] is False


def test_a_lane_that_was_taken_and_wrote_nothing_proves_no_loss(varves, project):
    """A process may end between taking a lane and its first write; its note names no segment."""
    varves("remember", "The first thing", "--private")
    [note] = (project / ".git/varves/private/local/lanes").glob("0.*")
    content = json.loads(note.read_bytes())
    del content["sum"]
    content["tail"] |= {"segment": None, "prev": None}
    content["sum"] = crc32(json.dumps(content).encode())
    note.with_name("1.lock").write_text(json.dumps(content), encoding="utf-8")
    assert varves("verify").out.startswith("whole: 1 event")

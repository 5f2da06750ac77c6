"""A segment that something cut, or put a link in the place of, does not pass for whole."""

from __future__ import annotations

import os
import shutil

import pytest

import varves as package


def segments(project):
    return sorted((project / ".varves/log").glob("*/*.jsonl"))


def rules(report):
    return {one["rule"] for one in report["damage"]}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("what", ["log", "month", "segment"])
def test_a_link_that_is_not_followed_is_damage(varves, project, tmp_path, what):
    varves("remember", "The first thing")
    [segment] = segments(project)
    path = {"log": project / ".varves/log", "month": segment.parent, "segment": segment}[what]
    moved = tmp_path / "moved"
    shutil.move(path, moved)
    path.symlink_to(moved)

    done = varves("verify", "--json")

    assert done.code == 1
    assert done.json["ok"] is False
    place = os.path.relpath(path, project)
    damage = [(one["rule"], one["place"]) for one in done.json["damage"]]
    assert ("unreadable", place) in damage
    assert rules(done.json) <= {"unreadable", "eaten"}
    assert "whole" not in varves("verify").out
    doctor = varves("doctor", "--json")
    assert [one["place"] for one in doctor.json["findings"] if one["rule"] == "unreadable"] == [
        str(path)
    ]


def test_a_log_that_is_a_plain_file_or_dangling_link_is_damage_too(varves, project):
    varves("remember", "The first thing")
    log = project / ".varves/log"
    shutil.rmtree(log)
    log.symlink_to("/nowhere/at/all")
    assert varves("verify").code == 1
    log.unlink()
    assert rules(varves("verify", "--json").json) == {"eaten"}  # the spool still has it


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("keep", [0, 1], ids=["emptied", "last line"])
@pytest.mark.parametrize("private", [False, True], ids=["project", "private"])
def test_lines_cut_off_the_newest_segment_are_proved_missing(varves, project, keep, private):
    """Its second name in the spool is the same file, so that is cut as well."""
    options = ["--private"] if private else []
    for number in range(3):
        varves("remember", f"Thing {number}", *options)
    assert varves("verify").code == 0
    root = project / (".git/varves/private" if private else ".varves")
    [segment] = sorted((root / "log").glob("*/*.jsonl"))
    lines = segment.read_bytes().splitlines(keepends=True)
    with segment.open("r+b") as file:
        file.truncate(sum(map(len, lines[:keep])))

    done = varves("verify", "--json")

    assert done.code == 1
    assert rules(done.json) == {"cut"}
    assert segment.name in done.json["damage"][0]["place"]


def test_what_was_cut_and_read_before_comes_back(varves, project):
    for number in range(3):
        varves("remember", f"Thing {number}")
    assert len(varves("list", "--json").json["memories"]) == 3
    [segment] = segments(project)
    with segment.open("r+b") as file:
        file.truncate(0)
    assert varves("list", "--json").json["memories"] == []
    assert "eaten" in {one["rule"] for one in varves("doctor", "--json").json["findings"]}
    assert varves("doctor", "--restore").code == 0
    assert len(varves("list", "--json").json["memories"]) == 3
    assert varves("verify").code == 0


def test_a_segment_of_another_branch_and_a_packed_one_are_not_cut(varves, project):
    from tests.security.erasing import commit, git

    commit(project)
    git(project, "branch", "other")
    with package.open(str(project)) as ledger:
        for number in range(4):
            ledger.remember(f"Thing {number}")
            commit(project)
        assert ledger.pack().segments
        assert ledger.verify().ok
    commit(project)
    git(project, "switch", "--quiet", "other")
    assert varves("verify").code == 0

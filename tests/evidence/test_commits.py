"""What becomes of a memory that points to a commit."""

from __future__ import annotations

import pytest

import varves
from varves.errors import NotFound, Refused


def test_a_commit_that_head_rests_on_is_unchanged(scene):
    first = scene.git("rev-parse", "HEAD")
    name = scene.remember(f"commit:{first[:9]}")
    assert scene.ledger.show(name).evidence[0]["commit"] == first, "it is kept whole"
    assert scene.fate(name) == ("unchanged", f"commit:{first}")
    scene.commit("one more")
    assert scene.fate(name) == ("unchanged", f"commit:{first}")


def test_a_commit_that_was_thrown_away_is_gone_until_it_is_back(scene):
    scene.write("a.txt", "a\n")
    name = scene.remember(f"commit:{scene.commit('second')}")
    thrown = scene.git("rev-parse", "HEAD")
    scene.git("reset", "-q", "--soft", "HEAD~1")
    assert scene.fate(name) == ("gone", f"commit:{thrown}")
    scene.git("reset", "-q", "--soft", thrown)
    assert scene.fate(name) == ("unchanged", f"commit:{thrown}")


def test_a_commit_of_another_branch_is_gone_here(scene):
    scene.git("switch", "-qc", "feature")
    made = scene.commit("feature")
    name = scene.remember(f"commit:{made}", private=True)
    scene.commit("its memory")
    assert scene.fate(name) == ("unchanged", f"commit:{made}")
    scene.git("switch", "-q", "main")
    assert scene.fate(name) == ("gone", f"commit:{made}")
    scene.git("merge", "-q", "--no-edit", "feature")
    assert scene.fate(name) == ("unchanged", f"commit:{made}")


def test_a_commit_that_was_rebased_is_followed(scene):
    scene.git("switch", "-qc", "feature")
    scene.write("feature.txt", "one\n")
    old = scene.commit("Feed the zebras twice")
    name = scene.remember(f"commit:{old}", private=True)
    scene.git("switch", "-q", "main")
    scene.write("other.txt", "two\n")
    scene.commit("Something else")
    scene.git("switch", "-q", "feature")
    scene.git("rebase", "-q", "main")
    rebased = scene.git("rev-parse", "HEAD")
    assert rebased != old
    assert scene.fate(name) == ("moved", f"commit:{rebased}")


def test_a_commit_that_is_not_here_is_refused(scene, varves):
    before = scene.ledger.log()
    with pytest.raises(NotFound, match="no commit abcdef1"):
        scene.remember("commit:abcdef1")
    answer = varves("remember", "x", "--evidence", "commit:abcdef1")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err.count("\n") == 1
    assert varves("remember", "x", "--evidence", "commit:main").code == 2
    assert scene.ledger.log() == before


def test_without_git_there_are_no_commits(tmp_path, home):
    with varves.open(str(tmp_path)) as ledger, pytest.raises(Refused, match="no git repository"):
        ledger.remember("x", evidence=["commit:0123456"])


def test_where_git_cannot_be_started_a_commit_is_not_judged(scene, monkeypatch, tmp_path):
    first = scene.git("rev-parse", "HEAD")
    name = scene.remember(f"commit:{first}")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert scene.fate(name) is None
    assert scene.remember("README.md", f"commit:{'0' * 40}"), "a whole name is taken as it is"

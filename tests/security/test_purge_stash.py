"""Purged text that git brings back in a published file alone: a stash, the reflog, a copy."""

from __future__ import annotations

import json
import stat
from hashlib import blake2b, sha256

import pytest

from tests.git import conftest as memory
from tests.security.erasing import WORD, commit, git, hits
from tests.security.test_purge_published import (
    FACT,
    SIDECARS,
    TEXT,
    hivemind_agent,
    named_by_doctor,
    party,
    scoped,
    scoped_team,
    told,
    used,
)

tmp_path = memory.tmp_path  # git is started hundreds of times here

KINDS = [scoped, scoped_team, party, hivemind_agent]
WRITE = ("scoped", "write", "project", "--type", "convention", "--content")
FILE = "memory/projects/project/memory.json"


def plain(cli, project):
    git(project, "stash", "--quiet")


def untracked(cli, project):
    git(project, "stash", "--quiet", "--include-untracked")
    cli("doctor", "--restore")


def staged(cli, project):
    git(project, "add", "-A")
    git(project, "stash", "--quiet")
    cli("doctor", "--restore")


STASHES = [plain, untracked, staged]


def begin(cli, kind):
    """Write something first, so that git tracks the file."""
    said = {
        scoped: (*WRITE, "First"),
        scoped_team: ("scoped", "write", "team", "core", *WRITE[3:], "One"),
        hivemind_agent: (*FACT, "One", "--scope", "agent:DEV-001"),
    }
    for words in [said[kind]] if kind in said else []:
        assert cli(*words).code == 0
    if kind is party:
        cli("party", "start", "--agents", "ada,ben")
        cli("party", "remember", "ada", "--type", "context", "--content", "First thing of all")
        cli("party", "end")


def purge(cli):
    """Purge the one memory that says it, and return its name."""
    told = cli("list", "--status", "all", "--json").json["memories"]
    [name] = [one["id"] for one in told if WORD in json.dumps(one)]
    assert cli("purge", name, "--reason", "it leaked", "--yes").code == 0
    return name


def stashed(cli, project, kind, way):
    """Record, stash, purge, commit; return the memory's name."""
    begin(cli, kind)
    commit(project)
    kind(cli, project)
    way(cli, project)
    name = purge(cli)
    commit(project, "purged")
    return name


def in_sight(project):
    return {path for path in hits(project) if f"{project}/.git/" not in path}


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("pop", ["pop", "apply"])
@pytest.mark.parametrize("way", STASHES, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_stash_brings_no_purged_record_back(cli, project, kind, way, pop):
    name = stashed(cli, project, kind, way)
    git(project, "stash", pop, "--quiet")
    there = in_sight(project)
    assert there or (kind is hivemind_agent and way is plain)  # its file was never tracked
    assert named_by_doctor(cli, project) >= {path for path in there if "_index" not in path}
    assert told(cli, kind, name) == []
    used(cli, kind)
    assert hits(project) == []
    assert told(cli, kind, name) == []
    assert named_by_doctor(cli, project) == set()


def test_a_stash_that_conflicts_brings_no_purged_record_back(cli, project):
    stashed(cli, project, scoped, plain)
    assert cli(*WRITE, "Said meanwhile").code == 0
    commit(project)
    assert cli("uninstall").code == 0  # no merge driver: git merges the files as text
    with pytest.raises(AssertionError, match="CONFLICT"):
        git(project, "stash", "pop")
    assert WORD not in cli("scoped", "read", "project").out
    assert cli("rebuild").code == 0
    assert hits(project) == []
    assert "Said meanwhile" in cli("scoped", "read", "project").out


def from_the_reflog(project, path):
    (project / path).write_bytes(git(project, "show", f"HEAD@{{1}}:{path}").encode() + b"\n")


def checked_out(project, path):
    git(project, "checkout", "--quiet", "HEAD@{1}", "--", path)


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("amended", [False, True])
@pytest.mark.parametrize("way", [from_the_reflog, checked_out], ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", [scoped, party], ids=lambda kind: kind.__name__)
def test_a_file_out_of_the_reflog_brings_no_purged_record_back(cli, project, kind, way, amended):
    path = FILE if kind is scoped else f"{SIDECARS}/ada.sidecar.json"
    begin(cli, kind)
    kind(cli, project)
    commit(project)
    name = purge(cli)
    if amended:
        git(project, "add", "-A")
        git(project, "commit", "--quiet", "--amend", "-m", "purged")
    else:
        commit(project, "purged")
    way(project, path)
    assert in_sight(project) == {str(project / path)}
    assert named_by_doctor(cli, project) == {str(project / path)}
    assert told(cli, kind, name) == []
    used(cli, kind)
    assert hits(project) == []


def test_what_a_person_wrote_beside_it_is_recorded(cli, project):
    stashed(cli, project, scoped, plain)
    git(project, "stash", "pop", "--quiet")
    held = json.loads((project / FILE).read_text(encoding="utf-8"))
    held["entries"].append({**held["entries"][0], "id": "mem-009", "content": "By hand"})
    (project / FILE).write_text(json.dumps(held), encoding="utf-8")
    said = cli(*WRITE, "Third")
    assert "a purged record is left out; use a verb to record it again" in said.err
    assert hits(project) == []
    assert "By hand" in cli("scoped", "read", "project").out


def test_what_is_said_again_by_a_verb_stands_and_can_be_edited(cli, project):
    stashed(cli, project, scoped, plain)
    git(project, "stash", "drop", "--quiet")
    assert cli(*WRITE, TEXT).code == 0
    held = json.loads((project / FILE).read_text(encoding="utf-8"))
    [own] = [one for one in held["entries"] if WORD in one["content"]]
    own["type"] = "pattern"
    (project / FILE).write_text(json.dumps(held), encoding="utf-8")
    assert named_by_doctor(cli, project) == set()
    cli("rebuild")
    assert TEXT in cli("scoped", "read", "project", "--type", "pattern").out


def test_another_worktree_knows_it_again(cli, project, tmp_path):
    stashed(cli, project, scoped, plain)
    other = tmp_path / "other"
    git(project, "worktree", "add", "--quiet", "-b", "side", str(other))
    git(other, "stash", "pop", "--quiet")
    assert hits(other / "memory")
    cli("scoped", "write", "project", "--type", "convention", "--content", "There", cwd=other)
    assert hits(other) == []


def test_what_is_kept_to_know_it_by_tells_nothing(cli, project):
    stashed(cli, project, scoped, plain)
    path = project / ".git/varves/purges/texts"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    secret, *digests = path.read_text(encoding="ascii").split()
    assert len(secret) == 64
    assert digests
    for plainly in (TEXT, TEXT.casefold()):
        said = plainly.encode()
        assert sha256(said).hexdigest()[:32] not in digests
        assert blake2b(said, digest_size=16).hexdigest() not in digests

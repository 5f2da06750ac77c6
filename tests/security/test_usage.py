"""Nobody else decides what counts as told, and no name leaves a secret in what was collected."""

from __future__ import annotations

import os
import subprocess

import varves as package
from tests.noted import notebook, waiting
from tests.places import local_of
from tests.rooms import room
from tests.security.test_secrets import files_with, sample

FORGED = "\n2026-11-15T06:20:00.000Z\trecall\teve\teve\teve-2026-11-15\t{}\t.\n"


def counted(ledger, name):
    with room(ledger.root) as seen:
        return seen.fresh().index.search().uses([name])


def commit_all(project):
    for step in (["add", "-Af"], ["commit", "-qm", "all"]):
        subprocess.run(["git", *step], cwd=project, check=True)


def test_lines_a_branch_brought_along_are_never_taken(project, ledger):
    """Git keeps no modes, so a file of ours can be told from one that was checked out."""
    name = ledger.remember("Validation is done with Zod").id
    folder = local_of(project) / "usage"
    folder.mkdir()
    leaves = ["d-2020-11-15-eve", "d-2020-11-15-eve~evt_01m7ceb2b0fgg8j2gb1g6gw3rg"]
    for leaf in leaves:
        (folder / leaf).write_text(FORGED.format(name), encoding="utf-8")
        (folder / leaf).chmod(0o644)
    ledger.remember("One more")
    assert ledger.log(kind="context.injected") == ()
    assert counted(ledger, name) == {}
    assert sorted(os.listdir(folder)) == sorted(leaves)
    (folder / leaves[0]).chmod(0o600)  # it is the mode alone
    with package.open(project) as other:
        other.remember("Yet another")
    assert counted(ledger, name) == {name: 1}


def test_a_link_in_the_place_of_the_notebook_is_not_followed(project, home):
    with package.open(project, session="s") as ledger:
        ledger.remember("Validation is done with Zod")
        ledger.recall("Zod")
    for make in (os.symlink, os.link):
        for path in local_of(project).glob("state.sqlite*"):
            path.unlink()
        outside = project / "outside"
        outside.write_bytes(b"")
        make(outside, notebook(project))
        with package.open(project, session="s") as ledger:
            assert ledger.recall("Zod").hits
            assert ledger.remember("Another", again=True).event
        assert outside.read_bytes() == b""
        outside.unlink()


def test_a_notebook_a_branch_brought_along_is_never_believed(project, home, tmp_path):
    """Git keeps neither modes nor inodes."""
    with package.open(project, session="s") as ledger:
        name = ledger.remember("Validation is done with Zod").id
        ledger.recall("Zod")
    for mode in (0o644, 0o600):
        content = notebook(project).read_bytes()
        notebook(project).rename(tmp_path / f"kept-{mode}")  # so that its inode is not free
        notebook(project).write_bytes(content)
        notebook(project).chmod(mode)
        assert waiting(project)
        with package.open(project, session="s") as ledger:
            ledger.remember("One more", again=True)
            assert ledger.log(kind="context.injected") == ()
            assert counted(ledger, name) == {}
            ledger.recall("Zod")
        assert len(waiting(project)) == 1


def test_what_another_clone_says_was_told_counts_for_nothing(project, home, tmp_path):
    with package.open(project, actor="eve") as ledger:
        name = ledger.remember("Validation is done with Zod").id
        ledger.recall("Zod")
        ledger.remember("One more")
        ledger.close()
        assert counted(ledger, name) == {name: 1}
    [private] = (project / ".git/varves/private/log").rglob("*.jsonl")
    [segment] = (project / ".varves/log").rglob("*.jsonl")
    planted = segment.with_name(private.name)
    planted.write_bytes(private.read_bytes())
    commit_all(project)
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(project), str(other)], check=True)
    with package.open(other) as ledger:
        assert len(ledger.log(kind="context.injected")) == 1  # kept and shown
        assert counted(ledger, name) == {}
        assert not [rule for rule in ledger.why(name).rules if rule.rule == "told"]


def test_no_name_leaves_a_secret_in_what_was_told(project, home, varves):
    secret, core = sample("github-pat", 1)
    assert varves("remember", "Validation is done with Zod").code == 0
    for words in (
        ("recall", "Zod", "--actor", secret),
        ("recall", "Zod", "--session", secret),
        ("brief", "--agent", secret),
    ):
        assert varves(*words).code == 0
        assert files_with(core, project, home) == []
    for words in (("--actor", secret), ("--session", secret), ()):
        assert varves("remember", f"Number {len(words)} {words[:1]}", *words).code == 0
    assert files_with(core, project, home) == []
    events = varves("log", "--kind", "context.injected", "--json")
    assert len(events.json["events"]) == 3
    assert core not in events.out

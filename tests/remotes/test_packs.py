"""A pack that one clone makes reaches every kind of remote, and every new clone of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.remotes.test_copies import tree


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


@pytest.mark.parametrize("kind", ["file", "git"])
def test_a_new_clone_after_a_pack_has_the_same_files(varves, project, tmp_path, kind):
    if kind == "file":
        (tmp_path / "shared").mkdir()
        url = f"file:{tmp_path}/shared#shop"
    else:
        git(tmp_path, "init", "-q", "--bare", "hub.git")
        url = f"git:{tmp_path}/hub.git#shop"
    check_packs(varves, project, tmp_path, url)
    if kind == "file":
        assert tree(tmp_path / "shared/shop/project") == tree(project / ".varves")


def test_a_new_clone_of_a_database_after_a_pack_has_the_same_files(
    varves, project, tmp_path, server, database
):
    url = f"{server.url(database)}#shop"
    assert varves("team", "init", url).code == 0
    check_packs(varves, project, tmp_path, url)


def check_packs(varves, project, tmp_path, url):
    def here(*words, root=project):
        done = varves(*words, "--root", str(root))
        assert done.code == 0, done.err
        return done

    here("init")
    here("remote", "add", "hub", url)
    ids = []
    for number in range(5):
        text = f"The door code of house {number} is swordfish-{number}"
        ids.append(here("remember", text, "--json").json["id"])
        git(project, "add", "-A")
        git(project, "commit", "-qm", text)
        here("push")
    early = tmp_path / "early"
    assert varves("clone", url, str(early)).code == 0
    here("purge", ids[1], "--reason", "private", "--yes")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "purged")
    here("pack")
    assert any(name.endswith(".pack.jsonl") for name in tree(project / ".varves"))

    here("sync")
    here("sync", root=early)
    here("purge", ids[2], "--reason", "private", "--yes", root=early)
    here("sync", root=early)
    here("sync")

    fresh = tmp_path / "fresh"
    assert varves("clone", url, str(fresh)).code == 0
    assert tree(fresh / ".varves") == tree(project / ".varves")
    exports = {here("export", root=root).out for root in (project, early, fresh)}
    assert len(exports) == 1
    for root in (project, early, fresh):
        held = b"".join(tree(root / ".varves").values())
        assert b"swordfish-1" not in held
        assert b"swordfish-2" not in held
        here("verify", "--deep", root=root)

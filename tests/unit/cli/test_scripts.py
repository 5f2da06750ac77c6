"""Laying the published scripts: all or none, never over what is somebody else's."""

from __future__ import annotations

import os
import stat
import subprocess

import pytest

from varves.cli import scripts
from varves.errors import Refused

VERBS = ("read", "write", "search", "forget", "restore", "init", "rank", "validate")


def standing(root):
    folder = root / "scripts"
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def test_each_verb_gets_one_that_can_be_run(tmp_path):
    laid = scripts.lay(str(tmp_path))
    assert laid == [f"scripts/memory-{verb}.sh" for verb in VERBS]
    assert set(standing(tmp_path)) == {f"memory-{verb}.sh" for verb in VERBS}
    for path in laid:
        assert os.access(tmp_path / path, os.X_OK)
        assert (tmp_path / path).read_text(encoding="utf-8").startswith("#!/bin/sh\n")


def test_without_varves_a_script_says_what_is_missing(tmp_path):
    scripts.lay(str(tmp_path))
    run = ["/bin/sh", str(tmp_path / "scripts/memory-rank.sh")]
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (tmp_path / "python3").chmod(0o755)
    done = subprocess.run(
        run, capture_output=True, encoding="utf-8", check=False, env={"PATH": str(tmp_path)}
    )
    assert (done.returncode, done.stdout) == (127, "")
    assert "varves is not installed" in done.stderr


def test_a_second_time_changes_nothing(tmp_path):
    scripts.lay(str(tmp_path))
    before = standing(tmp_path)
    assert scripts.lay(str(tmp_path)) == []
    assert standing(tmp_path) == before


def test_one_of_ours_that_was_changed_is_laid_again(tmp_path):
    scripts.lay(str(tmp_path))
    before = standing(tmp_path)
    changed, closed = (tmp_path / f"scripts/memory-{verb}.sh" for verb in ("rank", "read"))
    changed.write_text(changed.read_text(encoding="utf-8") + "echo more\n", encoding="utf-8")
    closed.chmod(0o644)
    assert sorted(scripts.lay(str(tmp_path))) == [
        "scripts/memory-rank.sh",
        "scripts/memory-read.sh",
    ]
    assert standing(tmp_path) == before
    assert closed.stat().st_mode & stat.S_IXUSR


def _file(path):
    path.parent.mkdir()
    path.write_text("#!/bin/sh\necho mine\n", encoding="utf-8")


def _link(path):
    path.parent.mkdir()
    (path.parent / "other").write_text("mine", encoding="utf-8")
    path.symlink_to("other")


def _dangling(path):
    path.parent.mkdir()
    path.symlink_to("nowhere")


def _folder(path):
    path.mkdir(parents=True)


def _elsewhere(path):
    (path.parents[1] / "other").mkdir()
    path.parent.symlink_to("other")


def _plain(path):
    path.parent.write_text("mine", encoding="utf-8")


@pytest.mark.parametrize(
    "take",
    [_file, _link, _dangling, _folder, _elsewhere, _plain],
    ids=["file", "link", "dangling-link", "folder", "linked-folder", "no-folder"],
)
def test_a_name_somebody_else_took_is_refused_and_nothing_is_laid(tmp_path, take):
    take(tmp_path / "scripts/memory-rank.sh")
    before = {path: path.lstat() for path in tmp_path.rglob("*")}
    with pytest.raises(Refused) as caught:
        scripts.lay(str(tmp_path))
    assert "was not written by varves" in caught.value.message
    assert {path: path.lstat() for path in tmp_path.rglob("*")} == before

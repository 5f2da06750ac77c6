from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo.py"
STEPS = (
    *("varves init", "varves remember", "varves recall", "varves correct", "git merge"),
    *("varves conflicts", "--keep", "--merge", "--as-of", "varves history", "git reset -q --hard"),
    *("varves doctor --restore", "varves verify", "varves rebuild", "varves install"),
    *("varves hook session.idle", "varves hook UserPromptSubmit", "varves share"),
)


def run_demo(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(DEMO)],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_the_demo_does_what_it_says_and_leaves_its_folder(tmp_path, home):
    done = run_demo(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 acknowledged, 20 held, 0 lost" in done.stdout
    for step in STEPS:
        assert step in done.stdout, f"the demo does not show {step}"
    assert all(c in "\n·" or (c.isascii() and c.isprintable()) for c in done.stdout)
    left = re.search(r"cd (\S+) && (\S+) log", done.stdout)
    assert left is not None
    log = subprocess.run(
        [left[2], "log"], cwd=left[1], capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert "conflict.resolved" in log
    assert left[1].startswith(str(tmp_path))
    assert not (home / "varves").exists(), "the demo used the caller's own folder"


@pytest.mark.parametrize("command", ["varves remember ''", "false"])
def test_the_demo_stops_where_a_step_fails(tmp_path, home, monkeypatch, capsys, command):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    names = runpy.run_path(str(DEMO))
    scene = names["Scene"]()
    with pytest.raises(SystemExit) as stopped:
        scene.run(command)
    assert stopped.value.code == 1
    assert "does not hold" in capsys.readouterr().err


def test_the_demo_stops_where_a_claim_does_not_hold(capsys):
    must = runpy.run_path(str(DEMO))["must"]
    must("something", "held")
    with pytest.raises(SystemExit) as stopped:
        must("", "nothing was lost")
    assert stopped.value.code == 1
    assert "nothing was lost" in capsys.readouterr().err

"""R8: what is derived is the same, byte for byte, whichever Python derives it; and soon enough.

Another interpreter gets an environment of its own with the locked dependencies, so this is for full
size only. VARVES_PYTHONS names interpreters that are not on the path.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import full_size, note_figure

ROOT = Path(__file__).parents[2]
NAMED = os.environ.get("VARVES_PYTHONS", "").split(":")
STATE = """
import hashlib, json, sys
from tests.museum.reading import HERE, opened, state
folded = json.dumps(state(HERE / "whole"), sort_keys=True)
with opened(HERE / "whole") as ledger:
    ledger.rebuild()
    told = [memory.as_dict() for memory in ledger.list(status="all")]
    told += [event.as_dict() for event in ledger.log()]
    told += [hit.as_dict() for hit in ledger.recall("valibot staging host", k=50)]
print(json.dumps([sys.version_info[:2], hashlib.sha256(
    (folded + json.dumps(told, sort_keys=True)).encode()).hexdigest()]))
"""
REBUILD = """
import json, time, varves
from benchmarks.scene import Scene
with Scene(quick=False) as scene:
    root = scene.history(100_000, files=100)
    with varves.open(root) as ledger:
        began = time.monotonic()
        made = ledger.rebuild()
        print(json.dumps([made["events"], time.monotonic() - began]))
"""

pytestmark = pytest.mark.skipif(not full_size(), reason="minutes, and other interpreters")


def answer(python: str, script: str):
    """Run a script from the root of the repository with some Python."""
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    done = subprocess.run(
        [python, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        timeout=1800,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def others(place: Path) -> list[str]:
    """Make an environment for each other Python there is, with what the lock file pins."""
    found = []
    for name in (*NAMED, "python3.11", "python3.12", "python3.13", "python3.14"):
        python = shutil.which(name) if name else None
        asked = [python or "false", "-c", "import sys; print(sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False)
        version = done.stdout.strip()
        if done.returncode or version in (str(sys.version_info[:2]), *(v for v, _ in found)):
            continue
        there = place / f"env{len(found)}"
        subprocess.run([str(python), "-m", "venv", str(there)], check=True)
        pip = [str(there / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        words = ["install", "--require-hashes", "-r", str(ROOT / "requirements.lock")]
        if not subprocess.run([*pip, *words], check=False).returncode:
            found.append((version, str(there / "bin/python")))
    return [python for _, python in found]


def test_every_python_derives_the_same(tmp_path, home):
    answers = [answer(python, STATE) for python in (sys.executable, *others(tmp_path))]
    versions = sorted(".".join(map(str, version)) for version, _ in answers)
    note_figure("R8", pythons=", ".join(versions))
    assert len({digest for _, digest in answers}) == 1
    if len(answers) < 3:
        pytest.skip(f"only Python {', '.join(versions)} here")


def test_a_hundred_thousand_events_are_rebuilt_within_half_a_minute():
    events, seconds = answer(sys.executable, REBUILD)
    note_figure("R8", events_rebuilt=events, seconds=round(seconds, 1))
    assert events >= 100_000
    assert seconds < 30

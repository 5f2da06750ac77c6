"""R22: events that an append acknowledged survive a power cut, although it syncs only three times.

The views and the notes of an append are not synced. Each cut is followed by a boot, an append and
all checks, so that what is left of them must not matter.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.durability.power import MAKERS, missing
from tests.figures import add_figure, full_size

CUTS = 84 if full_size() else 5  # on each file system, in each mode
KINDS = [*MAKERS] if full_size() else ["ext4"]
MODES = ["durable", "group"] if full_size() else ["durable"]
REPOSITORY = Path(__file__).parents[3]
HARM = (
    *("lost", "unrecorded", "no boot", "torn", "doubled", "recorded twice"),
    *("findings", "damage"),
)


def cut(place, kind, cuts, *options):
    """Cut the power so often in a process of its own and return what it counted."""
    if why := missing(kind):
        pytest.skip(why)
    words = [str(place), kind, str(cuts), "20261119", *options]
    done = subprocess.run(
        [sys.executable, "-m", "tests.protocols.layers.power", *words],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        timeout=3600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    if "cannot" in found:
        pytest.skip(f"no power cuts on {kind}: this machine mounts no images")
    return found, done.stderr


@pytest.mark.requirement("S1-71")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_was_appended_is_lost_when_the_power_fails(project, tmp_path, kind, mode):
    found, said_too = cut(tmp_path, kind, CUTS, "--mode", mode)

    assert {name: found.get(name, 0) for name in HARM} == dict.fromkeys(HARM, 0), said_too[-3000:]
    assert found["cuts"] == CUTS
    assert found["acknowledged"] > CUTS, found
    assert not full_size() or found["beyond"] > 0, "no cut fell between a write and its answer"
    figures = {name: found[name] for name in ("acknowledged", "lost", "findings")}
    add_figure("R22", cuts=CUTS, **{f"cuts_on_{kind}": CUTS}, **figures)


def test_an_append_that_never_asks_the_disk_is_caught(tmp_path, home):
    found, _ = cut(tmp_path, "ext4", 4, "--lying")

    assert found["lost"] > 0, found
    assert found["unrecorded"] > 0, found

"""R2: what was acknowledged survives a power cut, on each file system we can make here."""

from __future__ import annotations

import pytest

from tests.durability.power import MAKERS, missing
from tests.durability.scene import program
from tests.figures import add_figure, full_size

CUTS = 125 if full_size() else 8
KINDS = [*MAKERS] if full_size() else ["ext4"]
MODES = ["durable", "group"] if full_size() else ["durable"]
HARM = ("lost", "lost from log", "bad lines", "damage")


def cut(place, kind: str, cuts: int, *options: str) -> dict[str, int]:
    """Cut the power so often in a process of its own and return what it counted."""
    if why := missing(kind):
        pytest.skip(why)
    found = program("power", str(place), kind, str(cuts), "20261115", *options, timeout=3600)
    if "cannot" in found:
        pytest.skip(f"no power cuts on {kind}: this machine mounts no images")
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_acknowledged_is_lost_when_the_power_fails(tmp_path, home, kind, mode):
    found = cut(tmp_path, kind, CUTS, "--mode", mode)
    assert {name: found.get(name, 0) for name in HARM} == dict.fromkeys(HARM, 0), found
    assert found["cuts"] == CUTS
    assert found["acknowledged"] > 5 * CUTS, found
    assert not full_size() or found["beyond"] > 0, "no cut fell between a write and its answer"
    add_figure("R2", **{f"cuts_on_{kind}": CUTS}, cuts=CUTS, lost=found["lost"])


def test_a_store_that_never_asks_the_disk_is_caught(tmp_path, home):
    found = cut(tmp_path, "ext4", 4, "--lying")
    assert found["lost"] > 0, found

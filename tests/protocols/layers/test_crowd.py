"""Many processes append to one CHANGELOG.md at once, and a reader polls it meanwhile."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

import varves as package
from tests.figures import full_size
from tests.protocols.layers.ending import AGENTS, begin, event, write
from tests.protocols.layers.whole import blocks, torn

WRITERS, EACH = (8, 50) if full_size() else (4, 6)
ASK = 20  # every so many polls the reader asks our own verb too
APPENDER = Path(__file__).with_name("appender.py")


def crowd(root, each=EACH):
    """Start the writers, read the log and its views until they are done; return what they said."""
    writers = [
        subprocess.Popen(
            [sys.executable, APPENDER, str(number), str(each), root],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(WRITERS)
    ]
    seen, polls = "", 0
    try:
        with package.open(root, actor="eve", session="reader") as ledger:
            while any(writer.poll() is None for writer in writers):
                seen = poll(root, seen)
                if polls % ASK == 0:
                    told(ledger.layers.context(write=False).text)
                polls += 1
                with suppress(subprocess.TimeoutExpired):  # and let the writers have the machine
                    writers[polls % WRITERS].wait(0.002)
    finally:
        said = [writer.communicate() for writer in writers]
    assert [err[-2000:] for _, err in said if err] == []
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    assert polls > 0
    return [line.split(" ", 1) for out, _ in said for line in out.splitlines()]


def poll(root, before):
    """Read the log as anybody does; it has only grown, and only by whole events."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.startswith(before)
    assert text.endswith("\n")
    assert torn(text[len(before) :]) == []
    graph = (root / ".memory/graph.md").read_text(encoding="utf-8")
    assert graph.startswith("# Knowledge Graph\n")
    assert graph.endswith("-->\n")
    return text


def told(context):
    """Check that all a reader is told of are whole events: each has its last line."""
    recent, _, rest = context.partition("## Active Entities")
    titles = re.findall(r"^- .* — (Writer \d event \d+) ", recent, re.MULTILINE)
    steps = re.findall(r"^- End of (.*)$", rest, re.MULTILINE)
    assert titles == steps[: len(titles)]
    assert "## Next Actions\n" in rest


@pytest.mark.requirement("S1-67", "S1-68")
def test_of_agents_that_append_at_once_all_events_are_whole(clone):
    tree = clone()
    begin(tree.root)
    layers = tree.at("2026-11-15T09:00:00Z", actor="ada", session="s0").layers
    layers.init()
    tree.close()
    for number in range(WRITERS):
        write(tree.root, f"src/{number}.py", "pass\n")

    said = crowd(tree.root)

    text = (tree.root / "CHANGELOG.md").read_text(encoding="utf-8")
    titles = [title for title, _ in blocks(text)]
    assert len(titles) == len(set(titles)) == WRITERS * EACH
    assert sorted(titles) == sorted(title for _, title in said)
    assert torn(text) == []
    for number in range(WRITERS):
        own = [title for title in titles if title.startswith(f"Writer {number} ")]
        assert own == [f"Writer {number} event {n}" for n in range(EACH)]
    times = [block.split(" — ")[0] for _, block in blocks(text)]
    assert all(one <= two for one, two in pairwise(times))
    ledger = tree.at("2030-01-01T00:00:00Z", actor="ada", session="s9")
    recorded = ledger.log(kind=("log.entry",))
    assert sorted(one.data["memory"] for one in recorded) == sorted(name for name, _ in said)
    assert ledger.verify(deep=True).ok
    ready = ledger.layers.boot()
    assert ready.graph["entities"] == 2 * WRITERS
    assert [one for one in ledger.layers.validate() if one.level == "error"] == []


@pytest.mark.requirement("S1-67")
def test_agents_that_shut_down_at_once_all_get_their_commit(clone, varves):
    tree = clone()
    begin(tree.root)
    tree.at("2026-11-15T09:00:00Z", actor="ada", session="s0").layers.init()
    tree.commit("init")
    command = [sys.executable, "-m", "varves", "layers", "shutdown", "-", "--session"]

    running = [
        subprocess.Popen(
            [*command, f"s{number}"],
            cwd=tree.root,
            env={**os.environ, "VARVES_ACTOR": f"agent-{number}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(4)
    ]
    said = [one.communicate(event(f"Of agent {n}")) for n, one in enumerate(running)]

    assert [one.returncode for one in running] == [0] * 4, said
    text = (tree.root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert sorted(title for title, _ in blocks(text)) == [f"Of agent {n}" for n in range(4)]
    assert tree.git("status", "--porcelain") == ""
    assert tree.git("rev-list", "--count", "HEAD").strip() == str(2 + 4)


@pytest.mark.requirement("S1-71")
def test_an_event_is_on_the_disk_before_its_append_is_acknowledged(clone, monkeypatch):
    tree = clone()
    write(tree.root, "AGENTS.md", AGENTS)
    layers = tree.at("2026-11-15T09:00:00Z", actor="ada", session="s0").layers
    layers.init()
    path = tree.root / "CHANGELOG.md"
    synced = []
    real = os.fsync

    def fsync(handle):
        real(handle)
        synced.append(os.fstat(handle).st_ino)

    monkeypatch.setattr(os, "fsync", fsync)
    done = layers.append(
        type="change",
        scope="file",
        title="Safe",
        what="It was done.",
        why="Asked for.",
        impact="None.",
        next="None.",
    )

    assert done.ids
    assert b"Safe" in path.read_bytes()
    at = synced.index(path.stat().st_ino)
    assert synced[at + 1] == tree.root.stat().st_ino  # its bytes, then its name

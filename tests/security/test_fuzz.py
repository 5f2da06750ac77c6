"""Whatever is typed, taken in or found in a log: an answer or a refusal, never a traceback (R17).

`make test` tries some hundreds of inputs, `python -m torture R17` a hundred thousand; `VARVES_FUZZ`
says how many times over. What was found so is tried again by name, below.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

import varves
from tests.figures import add_figure, full_size, note_figure
from tests.properties.lines import forged, line_of
from tests.security import fuzz, fuzz_input, fuzz_messages
from tests.security.fuzz_input import VERBS
from varves.cli.main import main

DOORS = {
    "arguments": (fuzz.try_arguments, 200),
    "imports": (fuzz.try_imports, 60),
    "messages": (fuzz_messages.try_messages, 200),
    "replay": (fuzz.try_replay, 40),
}
QUICK = {"arguments": 1, "imports": 1, "messages": 1, "replay": 1}  # worlds
FULL = {"arguments": 360, "imports": 400, "messages": 100, "replay": 100}
"""Worlds at full size: 72,000 and 24,000 and 20,000 and 4,000 inputs."""
PARTS = 4 if full_size() else 1
TIMES = int(os.environ.get("VARVES_FUZZ", "1"))
BY_ID = {"type": "ref/resource", "uri": "varves://memory/{id}"}
MIB = 1024  # ru_maxrss counts in KiB


@pytest.fixture
def place(home, monkeypatch):
    """Give a place in memory where there is one: nothing here is about the disk."""
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a fresh folder in it
    folder = tempfile.mkdtemp(prefix="varves-fuzz-", dir=shared)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", folder)
    monkeypatch.setenv("VARVES_HOME", f"{folder}/home")
    fuzz.plant(Path(folder))
    yield Path(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _resident() -> int:
    """Return the most memory this process ever held, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // (MIB * MIB if sys.platform == "darwin" else MIB)


def _sweep(place: Path, door: str, seeds: list[str]) -> fuzz.Count:
    attempt, calls = DOORS[door]
    count = fuzz.Count()
    for seed in seeds:
        attempt(place, seed, count, calls=calls)
    return count


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("door", sorted(DOORS))
def test_no_input_gets_more_than_an_answer_or_a_refusal(door, part, place):
    worlds = FULL[door] * TIMES // PARTS if full_size() else QUICK[door]
    before = _resident()
    count = _sweep(place, door, [f"{door} {part}.{number}" for number in range(worlds)])
    grown, inputs = _resident() - before, sum(count.inputs.values())
    add_figure("R17", inputs=inputs, calls=count.calls, broken=len(count.faults))
    add_figure("R17", **{f"inputs_{door}": inputs})
    note_figure("R17", **{f"slowest_{door}_s": round(count.slowest, 2)})
    note_figure("R17", **{f"more_memory_{door}_MiB": grown})
    assert count.faults == []
    assert inputs >= worlds * DOORS[door][1]
    assert grown < 256, f"{grown} MiB more than before"
    wanted = {0, 1, 5} if door == "replay" else {0, 3}
    assert set(count.codes) >= wanted, "hardly anything was hit"
    if full_size() and door == "arguments":
        verbs = {verb.split(" ")[0] for verb in VERBS}
        assert verbs <= set(count.answered), "a verb that never answered was never really tried"


def _not_canonical() -> bytes:
    """Return a line with right digests and a blank where we would write none."""
    return forged(b'{"memory": "mem_hostile00001","scope":"project","text":"x"}') + b"\n"


FOUND = {
    "a file that cannot be named": (["remember", "--batch=a\0b"], b"", 2),
    "evidence that is no list": (["remember", "--batch", "-"], b'{"text":"x","evidence":5}\n', 3),
    "settings with a number of 5,000 digits": (["status"], b"strict = " + b"9" * 5000, 5),
    "settings nested without end": (["status"], b"a = " + b"[" * 50_000, 5),
    "a trusted line that verify would refuse": (["import", "--trust"], _not_canonical(), 3),
    "a writer that cannot be part of a name": (
        ["import", "--trust"],
        line_of(
            writer="a\0/../b", data={"memory": "mem_hostile00001", "scope": "project", "text": "x"}
        ),
        0,
    ),
    "an undoing that names no event": (["undo"], forged(b'{"event":[]}', kind="event.undone"), 0),
    "a version expected where no ledger is": (["forget", "--expect", "evt_x"], b"", 4),
}


@pytest.mark.parametrize("found", FOUND)
def test_what_was_found_by_fuzzing_stays_mended(found, place):
    argv, content, code = FOUND[found]
    count = fuzz.Count()
    with fuzz.world(place, "found", count) as here:
        if argv[0] == "status":
            Path(".varves/settings.toml").write_bytes(content)
        if argv[0] == "undo":
            Path(".varves/log/2026-01").mkdir()
            Path(".varves/log/2026-01/hostile.jsonl").write_bytes(content + b"\n")
        if argv[0] == "import":
            Path("given.jsonl").write_bytes(content)
            argv = [*argv, "jsonl", "given.jsonl"]
        if argv[0] == "forget":
            Path("bare").mkdir()
            argv = [*argv, "mem_4k2m9x7q1c5d", "--reason", "x", "--root", "bare"]
        assert here.ask([*argv, "--json"], content).code == code
        assert here.ask(["verify", "--deep", "--root", str(here.root)]).code in (0, 5)
        assert all(re.fullmatch(r"\d{4}-\d\d|blobs", name) for name in os.listdir(".varves/log"))
        assert not Path("bare/.varves").exists()
    assert count.faults == []


def test_a_line_longer_than_any_memory_is_refused_and_the_next_is_read(place, monkeypatch):
    monkeypatch.setattr("varves.cli.batch.LONGEST", 1000)
    count = fuzz.Count()
    with fuzz.world(place, "found", count) as here:
        lines = b'{"text":"' + b"a" * 5000 + b'"}\n{"text":"short"}\n' + b"x" * 3000
        answer = json.loads(here.ask(["remember", "--batch", "-", "--json"], lines).out)
    assert [one["line"] for one in answer["refused"]] == [1, 3]
    assert answer["written"] == 1
    assert count.faults == []


def test_the_law_for_messages_is_seen_to_be_broken(place):
    """Broken double: a server that answers twice, tells its inside and lets an error out."""

    def serve(server, source, send):
        content = source.read()
        if b"tools/list" in content:
            raise ValueError("no")
        for name in [1, 1] if b"prompts" in content else ["hello"]:
            fault = {"code": -32603, "message": "internal error: KeyError"}
            send({"jsonrpc": "2.0", "id": name, "error": fault} if name == 1 else {"id": "other"})

    count = fuzz.Count()
    fuzz_messages.try_messages(place, "broken double", count, calls=200, serve=serve)
    found = " ".join(count.faults)
    for fault in ("an exception got out", "an internal error", "answered what nobody asked"):
        assert fault in found


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "show", "arguments": {"id": "\ud800"}}),
        ("tools/call", {"name": "handoff", "arguments": {"summary": "s", "memories": ["\ud800"]}}),
        ("completion/complete", {"ref": BY_ID, "argument": {"name": "id", "value": "\ud800"}}),
    ],
)
def test_half_a_surrogate_pair_is_refused_as_a_bad_parameter(method, params, place):
    """Regression, found by fuzzing: each was an internal error."""
    asked = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    count = fuzz.Count()
    with fuzz.world(place, "found", count) as here:
        catalogue = fuzz_messages.MemoryCatalogue(fuzz_messages.Opening(root=str(here.root)))
        lines = [*fuzz_messages.GREETING, json.dumps(asked).encode()]
        told = fuzz_messages.played(catalogue, lines, count)
        catalogue.close()
    [answer] = [one for one in told if one["id"] == 7]
    assert answer["error"]["code"] == -32602
    assert "lone surrogate" in answer["error"]["message"]


def careless(argv):
    """Stand in for a command line that lets errors out, prints as it likes and takes its time."""
    words = " ".join(argv)
    if "\0" in words:
        raise ValueError("embedded null byte")
    if "--json" in argv and len(words) % 3 == 0:
        sys.stdout.write("note: here is your document\n")
    code = main(argv)
    return 7 if code == 4 else code


def half_writing(argv):
    """Stand in for a command line that begins to write before it has looked."""
    code = main(argv)
    if code == 2 and argv[:1] == ["remember"]:
        with varves.open(".") as ledger:
            ledger.remember(f"Written although refused {len(argv)}", again=True)
    return code


@pytest.mark.full_size
@pytest.mark.parametrize(
    ("run", "faults"),
    [
        (careless, ("an exception got out", "not one JSON document", "an exit code that is not")),
        (half_writing, ("refused, and yet something was written",)),
    ],
)
def test_the_law_is_seen_to_be_broken(run, faults, place):
    """Broken doubles: each fault they make is found."""
    count = fuzz.Count()
    missing = [*faults]
    for number in range(6):
        fuzz.try_arguments(place, f"broken double {number}", count, calls=50, run=run)
        missing = [fault for fault in faults if fault not in " ".join(count.faults)]
        if not missing:
            break
    assert missing == []


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (fuzz.Call(["status"], code=0, out="fine\n"), ""),
        (fuzz.Call(["status"], code=5, err="varves: internal error: KeyError\n"), "internal"),
        (fuzz.Call(["status"], code=2, err="varves: a\nvarves: b\n"), "not one line"),
        (fuzz.Call(["status"], code=0, out="\x1b[2J\n"), "escape sequence"),
        (fuzz.Call(["status"], code=0, out="a\x07\n"), "control character"),
        (fuzz.Call(["status"], code=2), "without a word"),
        (fuzz.Call(["status"], code=0, seconds=2.5), "took 2.5 s"),
        (fuzz.Call(["status", "--json"], code=0, out='{"a": NaN}\n'), "not one JSON"),
        (fuzz.Call(["status", "--json"], code=0, out="{}\n{}\n"), "not one JSON"),
        (fuzz.Call(["status", "--json"], code=4, out="{}\n"), "without an error"),
        (
            fuzz.Call(["status", "--json"], code=5, out='{"error":{"code":"internal"}}\n'),
            "internal",
        ),
    ],
)
def test_each_rule_of_the_law_has_its_example(call, fault):
    assert fault in fuzz.judged(call)
    assert bool(fault) == bool(fuzz.judged(call))


def test_no_input_leaves_its_world():
    """No ledger is begun at a place that the world does not own."""
    assert fuzz_input.kept_in(["init", "--root", "sub", "--json"])
    assert not fuzz_input.kept_in(["init", "--root", "/srv"])
    assert not fuzz_input.kept_in(["init", "--root=../x"])

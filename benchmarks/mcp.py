"""`varves mcp`: a process started, a first request answered, the process gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from benchmarks.measure import interleave
from benchmarks.recall import compiled, process, script
from benchmarks.row import Row, compared

if TYPE_CHECKING:
    from benchmarks.scene import Scene

AT_MOST = 5.0
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
_WHO = {"name": "bench", "version": "1"}
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _WHO}
FIRST: dict[str, tuple[str, dict[str, Any]]] = {
    "a handshake": ("initialize", _HELLO),
    "`server/discover`": ("server/discover", {"_meta": _META}),
    "`tools/list`": ("tools/list", {"_meta": _META}),
}
RECALL = {"name": "recall", "arguments": {"query": "what needs the cache?"}, "_meta": _META}


def run(scene: Scene) -> list[Row]:
    """Start a server for each kind of first request, and a bare interpreter, in turn."""
    many = scene.size(10_000, 2000)
    root = scene.memories(many)
    compiled()
    scene.settle(root)
    asked = {**FIRST, "a recall": ("tools/call", RECALL)}
    files = {name: _file(root, *request) for name, request in asked.items()}
    for path in files.values():
        _answers(root, path)
    subjects = {name: process([script(), "mcp"], root, stdin=path) for name, path in files.items()}
    bare = process([sys.executable, "-c", "pass"], root)
    found = interleave({**subjects, "bare": bare}, rounds=scene.size(60, 30), warmup=3)
    return [
        compared(
            f"mcp first answer, {name}, process start and end included, against `python -c pass`",
            found[name],
            found["bare"],
            at_most=AT_MOST if name in FIRST else None,
        )
        for name in files
    ]


def _file(root: str, method: str, params: dict[str, Any]) -> str:
    """Write what a client would send, and then close its end."""
    path = f"{root}.{method.replace('/', '-')}.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, file)
        file.write("\n")
    return path


def _answers(root: str, path: str) -> None:
    """Make sure that what is timed answers."""
    with open(path, "rb") as file:
        environ = {**os.environ, "VARVES_ROOT": root}
        command = [script(), "mcp"]
        done = subprocess.run(command, stdin=file, env=environ, capture_output=True, check=True)
    if "result" not in json.loads(done.stdout):
        raise RuntimeError(f"the server did not answer: {done.stdout!r}")

"""Hostile messages for the MCP server, made from a seed and its own tables, and their law.

Every line that goes out is one message; a request is answered once or not at all; no answer is an
internal error; nothing takes longer than a hook may; and afterwards the log is whole.
"""

from __future__ import annotations

import io
import json
import time
from typing import TYPE_CHECKING, Any

from tests.security import fuzz
from tests.security.fuzz_input import SHAPES, TEXTS, bitten, odd_text, odd_value, twisted
from varves.mcp import stdio
from varves.mcp.catalogue import MemoryCatalogue
from varves.mcp.desk import Opening
from varves.mcp.eras import ABILITIES, CLIENT, VERSION
from varves.mcp.server import Server
from varves.mcp.tools import TOOLS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

METHODS = (
    *("tools/call",) * 8,
    *("tools/list", "resources/list", "resources/templates/list", "resources/read", "ping"),
    *("resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "x", ""),
    *("completion/complete", "server/discover", "subscriptions/listen", "initialize"),
    *("notifications/cancelled", "notifications/initialized", "logging/setLevel"),
)
PLACES = (
    *("varves://graph", "varves://brief", "varves://scope/project", "varves://scope/agent:ada"),
    *("varves://memory/", "varves://conversation/s1", "varves://", "file:///etc/passwd", "x", ""),
)
PROMPTS = ("recall", "review", "handoff", "x")
ERAS = ("2025-11-25", "2026-07-28", "2024-11-05")
AT_ONCE = 10  # messages on one connection
GREETING = (
    b'{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25",'
    b'"capabilities":{},"clientInfo":{"name":"codex","version":"1"}}}',
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
)


def message(rng: random.Random, known: list[str]) -> bytes:
    """Return one line for the server: mostly a message, seldom the one that was wanted."""
    if rng.random() < 0.05:
        return rng.choice(SHAPES).replace(b"\n", b" ")
    asked: Any = {"jsonrpc": "2.0", "method": rng.choice(METHODS), "params": {}}
    if rng.random() < 0.9:
        asked["id"] = rng.randrange(10**6)
    asked["params"] = _params(rng, asked["method"], known)
    if rng.random() < 0.3:
        era, who = rng.choice(ERAS), {"name": rng.choice(TEXTS), "version": "1"}
        asked["params"]["_meta"] = {VERSION: era, ABILITIES: {}, CLIENT: who}
    for _ in range(rng.choice((0, 0, 1, 2))):
        asked = twisted(rng, asked)
    line = json.dumps(asked, ensure_ascii=rng.random() < 0.7).encode("utf-8", "surrogatepass")
    return (bitten(rng, line) if rng.random() < 0.1 else line).replace(b"\n", b" ")


def _params(rng: random.Random, method: str, known: list[str]) -> dict[str, Any]:
    if method == "tools/call":
        name = rng.choice(sorted(TOOLS))
        return {"name": name, "arguments": _arguments(rng, TOOLS[name], known)}
    if method.startswith("resources/"):
        return {"uri": rng.choice(PLACES) + (rng.choice(known) if rng.random() < 0.2 else "")}
    if method == "prompts/get":
        return {"name": rng.choice(PROMPTS), "arguments": {"question": odd_text(rng)[:2000]}}
    if method == "completion/complete":
        ref = {"type": "ref/resource", "uri": "varves://memory/{id}"}
        return {"ref": ref, "argument": {"name": "id", "value": odd_text(rng)[:50]}}
    if method == "initialize":
        return {"protocolVersion": rng.choice(ERAS), "capabilities": {}, "clientInfo": {}}
    return {}


def _arguments(rng: random.Random, tool: dict[str, Any], known: list[str]) -> dict[str, Any]:
    shape = tool["inputSchema"]
    fields, needed = shape.get("properties", {}), shape.get("required", ())
    chosen = [name for name in fields if name in needed or rng.random() < 0.3]
    return {name: _value(rng, name, fields[name], known) for name in chosen}


def _value(rng: random.Random, name: str, shape: dict[str, Any], known: list[str]) -> Any:
    if rng.random() < 0.15:
        return odd_value(rng)
    if "enum" in shape:
        return rng.choice(shape["enum"])
    if name in ("id", "memory", "event"):
        return rng.choice(known)
    kind = shape.get("type")
    if kind == "integer":
        return rng.choice((0, 1, 5, 50, -1, 10**9))
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "array":
        return [odd_text(rng)[:200] for _ in range(rng.randrange(3))]
    return odd_text(rng)[:20_000] if kind in ("string", None) else odd_value(rng)


def try_messages(
    place: Path,
    seed: str,
    count: fuzz.Count,
    *,
    calls: int,
    serve: Callable[..., None] = stdio.serve,
) -> None:
    """Hand messages over to a server on one ledger, a few on each connection."""
    with fuzz.world(place, seed, count) as here:
        known = fuzz.names(here)
        catalogue = MemoryCatalogue(Opening(root=str(here.root)))
        for at in range(0, calls, AT_ONCE):
            lines = [message(here.rng, known) for _ in range(min(AT_ONCE, calls - at))]
            count.inputs["messages"] += len(lines)
            if here.rng.random() < 0.9:
                lines = [*GREETING, *lines]
            told = played(catalogue, lines, count, serve)
            if wrong := told if isinstance(told, str) else _judged(lines, told):
                count.faults.append(f"{wrong}: world {seed}: {lines!r}"[:2000])
        catalogue.close()
        fuzz.still_whole(here)


def played(
    catalogue: MemoryCatalogue,
    lines: list[bytes],
    count: fuzz.Count,
    serve: Callable[..., None] = stdio.serve,
) -> list[Any] | str:
    """Serve the lines; return what went out, or what got out beside it."""
    heard = bytearray()

    def write(line: bytes) -> int:
        heard.extend(line)
        return len(line)

    send = stdio.Outlet(write)
    began = time.process_time()
    try:
        with fuzz.no_hang():
            serve(Server(catalogue, send), io.BytesIO(b"\n".join(lines)), send)
    except (Exception, fuzz.Hang) as fault:  # noqa: BLE001 - whatever gets out is a finding
        return f"an exception got out: {fault!r}"
    seconds = time.process_time() - began
    count.calls += len(lines)
    count.slowest = max(count.slowest, seconds / len(lines))
    if seconds > fuzz.SECONDS * len(lines):
        return f"took {seconds:.1f} s of the processor"
    try:
        told = [json.loads(line) for line in bytes(heard).splitlines()]
    except ValueError as fault:
        return f"a line went out that is no message ({fault})"
    for one in told:
        count.codes[0 if "result" in one else 3] += 1
        if "result" in one:
            count.answered["messages"] += 1
    return told


def _judged(lines: list[bytes], told: list[Any]) -> str:
    """Say what of the law the answers have broken, or nothing."""
    if any("internal error" in json.dumps(one) for one in told):
        return "an internal error"
    named = [one for one in told if one.get("id") is not None and "method" not in one]
    answers = [json.dumps(one["id"]) for one in named]
    asked = [json.dumps(name) for name in map(_name, lines) if name is not None]
    if strange := [name for name in answers if name not in asked]:
        return f"answered what nobody asked: {strange[0]}"
    return "" if all(answers.count(name) <= asked.count(name) for name in answers) else "twice"


def _name(line: bytes) -> Any:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found.get("id") if isinstance(found, dict) else None

"""`varves hook` at a prompt: a process started, memories told, the process gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import count, cycle
from typing import TYPE_CHECKING
from uuid import UUID

from benchmarks.corpus import prompts
from benchmarks.measure import interleave
from benchmarks.recall import AT_MOST, compiled, process, script
from benchmarks.row import Row, compared, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.scene import Scene

WARMUP = 5
EVENT = "UserPromptSubmit"


def run(scene: Scene) -> list[Row]:
    """Start `varves hook` and a bare interpreter in turn; each prompt begins a session."""
    few, many = scene.size(10_000, 2000), scene.size(100_000, 10_000)
    rounds = scene.size(100, 40)
    compiled()
    roots = {"few": scene.memories(few), "many": scene.memories(many)}
    calls = {name: _calls(root, rounds + WARMUP + 1) for name, root in roots.items()}
    for name, root in roots.items():
        scene.settle(root)
        _answers(root, calls[name][0])
    ended = _payload(roots["few"], "end.json", {"hook_event_name": "SessionEnd", "reason": "other"})
    found = interleave(
        {
            "few": _asking(roots["few"], calls["few"][1:]),
            "bare": process([sys.executable, "-c", "pass"], roots["few"]),
            "many": _asking(roots["many"], calls["many"][1:]),
            "end": _hook(roots["few"], "SessionEnd", ended),
        },
        rounds=rounds,
        warmup=WARMUP,
    )
    lengths = [len(prompt.split()) for prompt in prompts()]
    words = f"prompts of {min(lengths)} - {max(lengths)} words"
    return [
        compared(
            f"`varves hook {EVENT}` from process start ({few:,} memories, {words})"
            " against `python -c pass`",
            found["few"],
            found["bare"],
            at_most=AT_MOST[10_000],
        ),
        compared(
            f"the same at {many:,} memories",
            found["many"],
            found["bare"],
            at_most=AT_MOST[100_000],
        ),
        timed("`varves hook SessionEnd` from process start", found["end"]),
    ]


def _calls(root: str, wanted: int) -> list[str]:
    """Write what a client would have on stdin, each in a session of its own."""
    asked = cycle(prompts())
    return [
        _payload(root, f"{number}.json", {"hook_event_name": EVENT, "prompt": next(asked)}, number)
        for number in range(wanted)
    ]


def _payload(root: str, name: str, said: dict[str, str], session: int = 0) -> str:
    folder = f"{root}.calls"
    os.makedirs(folder, exist_ok=True)
    path = f"{folder}/{name}"
    sent = {
        "session_id": str(UUID(int=session + (7 << 76))),
        "transcript_path": f"{folder}/transcript.jsonl",
        "cwd": root,
        "permission_mode": "default",
        **said,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(sent, file)
    return path


def _answers(root: str, call: str) -> None:
    """Make sure that what is timed answers."""
    with open(call, "rb") as file:
        done = subprocess.run(
            [script(), "hook", EVENT], cwd=root, stdin=file, capture_output=True, check=True
        )
    told = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    if told.count('"id":"mem_') < 5:
        raise RuntimeError(f"the hook told too little: {told}")


def _asking(root: str, calls: list[str]) -> Callable[[], None]:
    """Return a call that asks the next prompt each time."""
    numbers = count()

    def ask() -> None:
        _hook(root, EVENT, calls[next(numbers) % len(calls)])()

    return ask


def _hook(root: str, event: str, call: str) -> Callable[[], None]:
    return process([script(), "hook", event], root, stdin=call)

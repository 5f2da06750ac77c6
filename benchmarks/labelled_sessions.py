"""Turns labelled sessions of one file into a set of `capture/blind`: transcripts and labels.

Run `python -m benchmarks.labelled_sessions FILE FOLDER`. A line of FILE is one session: an `id`,
its `messages`, its `facts` (what is worth remembering) and its `junk` (what tempts a program and is
not). Sessions that are in FOLDER already stay, so a set can come in several files.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

KINDS = {
    "fix": "error_fix",
    "constraint": "rule",
    "fact": "statement",
    "request": "statement",
}  # the other kinds have the name that capture uses


def transcript(session: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the lines of a session's transcript."""
    return [
        {"role": one["role"], "text": one["text"], "tool": one.get("tool"), "ok": one.get("ok")}
        for one in session["messages"]
    ]


def labels(session: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the lines of a session's labels: for each message its learnings, and what tempts."""
    messages = session["messages"]
    lines: dict[int, dict[str, Any]] = {}

    def line(at: int) -> dict[str, Any]:
        return lines.setdefault(at, {"message": at, "learnings": [], "tempting": []})

    for one in session["facts"]:
        by = "user" if messages[one["message"]]["role"] == "user" else "agent"
        kind = KINDS.get(one["kind"], one["kind"])
        line(one["message"])["learnings"].append({"kind": kind, "text": one["text"], "by": by})
    for one in session["junk"]:
        line(one["message"])["tempting"].append({"text": one["text"], "why": one["why"]})
    return [lines[at] for at in sorted(lines)]


def convert(path: str, folder: str) -> int:
    """Write the sessions of a file into a set; return their number."""
    with open(path, encoding="utf-8") as opened:
        some = [json.loads(line) for line in opened if line.strip()]
    for part, lines in (("transcripts", transcript), ("labels", labels)):
        os.makedirs(f"{folder}/{part}", exist_ok=True)
        for one in some:
            text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines(one))
            with open(f"{folder}/{part}/{one['id']}.jsonl", "w", encoding="utf-8") as opened:
                opened.write(text)
    return len(some)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m benchmarks.labelled_sessions FILE FOLDER")
    print(f"{convert(*sys.argv[1:])} sessions")

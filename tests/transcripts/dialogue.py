"""Plays a dialogue with the command line and writes it down, ids and places put in plain words.

A dialogue is a text file. `$ varves …` and `$ git …` are typed; `< …` below one is its stdin, line
by line; `> PATH` at its end keeps what it says in a file; `@ …` sets the clock; `# …` is a remark;
`! PATH OLD NEW` changes a file by hand, `+ PATH` writes the `< …` below it into one. All other
lines are what the program said, with `[exit N]` last where N is not 0; one that looks like input
has a backslash before it. An id is called by the order in which it came up, `mem_1`, `evt_2`, and
may be typed by that name.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REAL_ID = re.compile(r"\b(mem|evt|cfl|sess|task)_([0-9a-z]{26}|[0-9a-z]{12})\b")
PLAIN_ID = re.compile(r"\b(?:mem|evt|cfl|sess|task)_\d{1,2}\b")
SEGMENT = re.compile(r"\d{8}-[0-9a-z]{6}-[0-9a-z]{10}\.jsonl")
PACK = re.compile(r"\d{8}-[0-9a-z]{6}-[0-9a-z]{10}\.pack\.jsonl")
CLONE = re.compile(r"\b[0-9a-z]{10}\.[0-9a-z]{4}\b")
HASH = re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b")
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "varves")
INPUT = ("$ ", "@ ", "# ", "! ", "+ ")


class Dialogue:
    """One dialogue being played in a project."""

    def __init__(self, project: Path, run: Callable[..., Any]) -> None:
        self.project = project
        self.run = run
        self.names: dict[str, str] = {}
        self.counts: dict[str, int] = {}

    def play(self, text: str) -> str:
        """Type what is to be typed, and return the dialogue as it went this time."""
        told: list[str] = []
        lines = text.splitlines()
        while lines:
            line = lines.pop(0)
            if line.startswith(("$ ", "+ ")):
                stdin = []
                while lines and (lines[0] == "<" or lines[0].startswith("< ")):
                    stdin.append(lines.pop(0))
                said = "\n".join(part[2:] for part in stdin)
                told += [line, *stdin]
                if line.startswith("$ "):
                    told += self.answer(shlex.split(self.real(line[2:])), said)
                else:
                    (self.project / line[2:]).write_text(f"{said}\n", encoding="utf-8")
            elif line.startswith(INPUT) or (not line and lines and lines[0].startswith(INPUT)):
                told.append(line)
            if line.startswith("@ "):
                os.environ["VARVES_NOW"] = line[2:].strip()
            elif line.startswith("! "):
                self.change(*shlex.split(line[2:]))
        return "\n".join(told) + "\n"

    def answer(self, words: list[str], stdin: str) -> list[str]:
        """Run one command and return its lines."""
        if words[0] == "git":
            subprocess.run(words, cwd=self.project, check="merge" not in words, capture_output=True)
            return []
        assert words[0] == "varves", words
        kept = words[-1] if words[-2:-1] == [">"] else None
        said = self.run(*words[1 : -2 if kept else None], stdin=stdin.encode())
        if kept is not None:
            (self.project / kept).write_text(said.out, encoding="utf-8")
            return []
        lines = (said.out + said.err).splitlines()
        lines += [f"[exit {said.code}]"] if said.code else []
        return ["\\" * line.startswith(INPUT) + self.plain(line) for line in lines]

    def change(self, pattern: str, old: str, put: str) -> None:
        """Change a file of the project by hand."""
        found = [path for path in self.project.glob(pattern) if old.encode() in path.read_bytes()]
        assert len(found) == 1, (old, found)
        found[0].write_bytes(found[0].read_bytes().replace(old.encode(), put.encode()))

    def real(self, text: str) -> str:
        """Put real ids in the place of plain names."""
        known = {plain: real for real, plain in self.names.items()}
        return PLAIN_ID.sub(lambda match: known[match[0]], text)

    def plain(self, text: str) -> str:
        """Put plain names in the place of ids, places and whatever else is random."""
        text = REAL_ID.sub(lambda match: self.name(match[0], match[1]), text)
        text = text.replace(str(self.project), "PROJECT").replace(PROGRAM, "VARVES")
        text = text.replace(str(self.project.parent / "home"), "HOME")
        text = PACK.sub("PACK", SEGMENT.sub("SEGMENT", text))
        text = CLONE.sub("WRITER", text)
        return HASH.sub("HASH", text)

    def name(self, real: str, kind: str) -> str:
        """Return an id's plain name, the next free one where it has none yet."""
        if real not in self.names:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            self.names[real] = f"{kind}_{self.counts[kind]}"
        return self.names[real]

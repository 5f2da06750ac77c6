"""Types the commands of a console block into a shell and holds the answers against the page."""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from tests.command_line import call

if TYPE_CHECKING:
    from pathlib import Path

FENCE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
ID = re.compile(r"\b(?:mem|evt|cfl|sess|task)_[0-9a-z]+")
CLOCK = r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
KINDS = [
    (re.compile(rf"\d{{4}}-\d\d-\d\d(?:[T ]{CLOCK})?"), "<instant>"),
    (re.compile(r"(?<![\w./~<])/(?:[\w.@+-]+/)*[\w.@+-]+/?"), "<path>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b"), "<hash>"),
    (re.compile(r"\b\d+\.\d+\b"), "<number>"),
]
DONE = "--tour-step-done--"


@dataclass(frozen=True)
class Step:
    """A command, and the lines the page shows beneath it."""

    command: str
    expected: tuple[str, ...]


def steps(page: str) -> list[Step]:
    """Read the console blocks of a page."""
    found: list[tuple[list[str], list[str]]] = []
    for block in FENCE.findall(page):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(([line[2:]], []))
            elif line.startswith("> ") and found and not found[-1][1]:
                found[-1][0].append(line[2:])
            elif found:
                found[-1][1].append(line)
    return [Step("\n".join(command), tuple(expected)) for command, expected in found]


@dataclass
class Shell:
    """One bash session; `known` maps ids as the page shows them to the ids of this run."""

    cwd: Path
    env: dict[str, str]
    known: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Self:
        self.bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=self.cwd,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.bash.stdin.close()
        self.bash.stdout.close()
        self.bash.wait(timeout=30)

    def type(self, command: str) -> list[str]:
        """Run one command and give its output lines, stdout and stderr together."""
        real = ID.sub(lambda match: self.known.get(match[0], match[0]), command)
        self.bash.stdin.write(f"{{ {real}\n}} </dev/null\nprintf '\\n{DONE}\\n'\n")
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            if line.rstrip("\n") == DONE:
                break
            lines.append(line.rstrip("\n"))
        if lines and not lines[-1]:
            lines.pop()  # the newline printed before the mark
        return lines

    def matches(self, expected: tuple[str, ...], actual: list[str]) -> bool:
        """Hold output against the page, learning ids on the way."""
        wanted = [line.rstrip() for line in expected]
        while wanted and not wanted[-1]:
            wanted.pop()
        return self._match(wanted, [line.rstrip() for line in actual])

    def _match(self, expected: list[str], actual: list[str]) -> bool:
        if not expected:
            return not actual
        if expected[0].strip() == "...":
            return any(self._match(expected[1:], actual[n:]) for n in range(len(actual) + 1))
        if not actual or by_kind(expected[0]) != by_kind(actual[0]):
            return False
        before = dict(self.known)
        pairs = zip(ID.findall(expected[0]), ID.findall(actual[0]), strict=True)
        if all(self.known.setdefault(shown, real) == real for shown, real in pairs) and self._match(
            expected[1:], actual[1:]
        ):
            return True
        self.known = before
        return False


@dataclass
class InProcess(Shell):
    """A session whose `varves` runs in this process, which costs a fifth of starting Python."""

    exported: dict[str, str] = field(default_factory=dict)

    def type(self, command: str) -> list[str]:
        """Run one command; the shell runs all that is more than words."""
        words = plain(ID.sub(lambda match: self.known.get(match[0], match[0]), command))
        if words[:1] == ["export"]:
            self.exported |= dict(word.split("=", 1) for word in words[1:])
        if words[:1] != ["varves"]:
            return super().type(command)
        said = call(*words[1:], cwd=self.cwd, env={"NO_COLOR": "1", **self.exported})
        return (said.out + said.err).splitlines()


def plain(command: str) -> list[str]:
    """Split a command into words; one that needs a shell gives none."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    if set(command) & {*"$`*?#\n"}:
        return []
    words = [*lexer]
    return [] if any(not set(word) - {*"();<>|&"} for word in words) else words


def by_kind(line: str) -> str:
    """Put a kind in the place of each value that differs from run to run."""
    line = ID.sub(lambda match: f"<{match[0][:3]}>", line)
    for pattern, kind in KINDS:
        line = pattern.sub(kind, line)
    return line

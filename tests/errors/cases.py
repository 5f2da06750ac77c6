"""One way to meet each error: how to get there, what to type, and what it means.

The page on errors is made from these, so what it shows has happened.
"""

from __future__ import annotations

import fcntl
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import varves

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest


@dataclass
class Scene:
    """A project to get into trouble in."""

    project: Path
    monkeypatch: pytest.MonkeyPatch
    held: list[int] = field(default_factory=list)

    def let_go(self) -> None:
        """Give back the locks a case has taken."""
        while self.held:
            os.close(self.held.pop())

    def ledger(self) -> Any:
        """Open the project's ledger."""
        return varves.open(self.project)

    def segment(self) -> Path:
        """Return the only segment there is."""
        (path,) = self.project.glob(".varves/log/*/*.jsonl")
        return path

    def remembered(self, text: str = "use zod") -> str:
        """Record something and return its id."""
        with self.ledger() as ledger:
            return str(ledger.remember(text).id)


@dataclass(frozen=True)
class Case:
    """An error, and the shortest way to it."""

    code: str
    exit: int
    means: str
    arrange: Callable[[Scene], tuple[str, ...]]
    do: str


def _usage(_: Scene) -> tuple[str, ...]:
    return ("remember", "use zod", "--ttl", "soon")


def _refused(scene: Scene) -> tuple[str, ...]:
    name = scene.remembered()
    with scene.ledger() as ledger:
        ledger.forget(name, reason="no longer true")
    return ("correct", name, "use valibot")


def _rejected(scene: Scene) -> tuple[str, ...]:
    name = scene.remembered()
    with scene.ledger() as ledger:
        ledger.correct(name, "use valibot", reason="smaller")
    return ("remember", "Use Zod.")


def _stale(scene: Scene) -> tuple[str, ...]:
    name = scene.remembered()
    with scene.ledger() as ledger:
        seen = ledger.show(name).version
        ledger.edit(name, tag=["+web"])
    return ("edit", name, "--priority", "high", "--expect", seen)


def _unsafe_name(_: Scene) -> tuple[str, ...]:
    return ("remember", "use zod", "--scope", "agent:../evil")


def _not_found(_: Scene) -> tuple[str, ...]:
    return ("show", "mem_000000000000")


def _damaged(scene: Scene) -> tuple[str, ...]:
    scene.remembered()
    later = '{\n  "format": "varves",\n  "version": 2\n}\n'
    (scene.project / ".varves/format.json").write_text(later, encoding="utf-8")
    return ("recall", "zod")


def _not_durable(scene: Scene) -> tuple[str, ...]:
    scene.remembered()

    def full(handle: int, content: bytes) -> int:
        return wrote(handle, content[:10]) if len(content) > 10 else wrote(handle, content)

    wrote = os.write
    scene.monkeypatch.setattr(os, "write", full)
    return ("remember", "use valibot")


def _busy(scene: Scene) -> tuple[str, ...]:
    scene.remembered()
    lock = os.open(scene.project / ".varves/local/decide.lock", os.O_RDWR | os.O_CREAT, 0o600)
    scene.held.append(lock)
    fcntl.flock(lock, fcntl.LOCK_EX)
    started = time.monotonic()
    ticks = iter(range(10_000))
    scene.monkeypatch.setattr(time, "monotonic", lambda: started + next(ticks))
    scene.monkeypatch.setattr(time, "sleep", lambda _: None)
    return ("remember", "use valibot", "--id", "mem_000000000001")


CASES = (
    Case(
        "usage",
        2,
        "The command line is not valid: an unknown verb or option, a missing argument, or a value "
        "that cannot be parsed.",
        _usage,
        "`varves VERB --help` lists the arguments and options of the verb.",
    ),
    Case(
        "refused",
        3,
        "A rule does not allow the change. Nothing was written.",
        _refused,
        "The message names the rule and what to do.",
    ),
    Case(
        "rejected",
        3,
        "The text was corrected or forgotten before, and stays rejected in its scope. Nothing was "
        "written.",
        _rejected,
        "If the text is true again, use `--again`, or `varves restore` the memory.",
    ),
    Case(
        "stale",
        3,
        "`--expect` names an event that is no longer the memory's last event: another writer has "
        "changed the memory meanwhile. Nothing was written.",
        _stale,
        "Read the memory again, then repeat the change with its current version.",
    ),
    Case(
        "unsafe-name",
        3,
        "A scope, session, actor or path could lead out of its folder on some system, or the "
        "ledger is behind a symbolic link. Nothing was written.",
        _unsafe_name,
        "Use letters, digits, `-`, `_` and `.`; give paths relative to the project's root.",
    ),
    Case(
        "not-found",
        4,
        "No memory, event or conflict in this checkout has that id.",
        _not_found,
        "`varves list`, `varves log` and `varves conflicts` show the existing ids; the id may be "
        "on another branch.",
    ),
    Case(
        "damaged",
        5,
        "The ledger is damaged, not readable for this user, or of a newer format. Nothing was "
        "written, and nothing is repaired without a request.",
        _damaged,
        "Upgrade, or restore the file with git; `varves verify` and `varves doctor` show details.",
    ),
    Case(
        "not-durable",
        5,
        "A write to the disk failed; nothing was acknowledged, and the log is unchanged.",
        _not_durable,
        "Free some space or check the disk, and repeat the command.",
    ),
    Case(
        "busy",
        6,
        "Another process held a lock for too long. Nothing was written.",
        _busy,
        "Repeat the command; with `--id`, a repeated `remember` creates only one memory.",
    ),
)

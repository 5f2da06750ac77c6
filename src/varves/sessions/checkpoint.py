"""Stores the state of a session in one private memory before the agent's context is compacted.

It is built from the session's notes and learnings: the task, the decisions, the files that were
written, and the failures. If nothing is new, the last checkpoint is kept.
"""

from __future__ import annotations

from varves.context.guard import masked
from varves.questions.lists import listed
from varves.statements import correct, remember

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.guard import VerbGuard
    from varves.door import Door
    from varves.state.attendance import Noted
    from varves.values.memory import Memory

TYPE = "checkpoint"
_TASK = 300
_LINE = 200
_DECIDED, _FILES, _FAILED = 8, 20, 3


def keep(door: Door, noted: Noted, *, session: str, task: str = "") -> tuple[str, str] | None:
    """Record the checkpoint of a session, or keep the last one if nothing is new.

    Returns:
        The id of the memory, and a mark of its input; None if there is nothing to store.
    """
    doing = in_a_line(task) or noted.task
    mark = _mark(doing, noted)
    if noted.checkpoint[0] and noted.checkpoint[1] == mark:
        return noted.checkpoint
    text = _said(door.guard, noted, doing)
    if not text or not session:
        return None
    found = checkpoints(door.guard, session)
    if found and found[0].text == text:
        return found[0].id, mark
    said = door.through(origin="agent")
    if found:
        old = found[0].id
        return said.guard.run(lambda: correct(said.context, old, text, again=True)).id, mark
    about = {"scope": f"session:{session}", "private": True, "type": TYPE, "again": True}
    return said.guard.run(lambda: remember(said.context, text, **about)).id, mark


def checkpoints(guard: VerbGuard, session: str) -> tuple[Memory, ...]:
    """Return the checkpoints of a session, newest first."""
    context, scope = guard.context, f"session:{session}"
    return guard.run(lambda: listed(context.fresh(), context.trusted, scope=scope, type=TYPE))


def in_a_line(text: str, length: int = _TASK) -> str:
    """Return the beginning of a text on one line, with secrets masked."""
    line = " ".join(masked(text[: 4 * length]).split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def _said(guard: VerbGuard, noted: Noted, task: str) -> str:
    parts = [
        ("Task", [task] if task else []),
        ("Kept", _learned(guard, [*noted.learned][-_DECIDED:])),
        ("Files written", [*noted.wrote][-_FILES:]),
        ("Failed and not seen to work since", [*noted.failed][-_FAILED:]),
    ]
    return "\n".join(f"{name}: {'; '.join(said)}" for name, said in parts if said)


def _learned(guard: VerbGuard, names: list[str]) -> list[str]:
    """Return the texts of the memories that were learned in this session."""

    def read() -> list[Memory | None]:
        index = guard.context.fresh().index
        return [index.memory(name) for name in names]

    found = guard.run(read)
    return [in_a_line(one.text, _LINE) for one in found if one and one.status == "active"]


def _mark(task: str, noted: Noted) -> str:
    """Return a text that changes if the content of the checkpoint would change."""
    from hashlib import blake2b

    parts = (task, *noted.learned, *noted.wrote, *noted.failed)
    return blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()

"""Imports a tree that was read: each memory is recorded once, even if it was changed here since.

If an id of the tree is free here, it is kept. A memory that was imported before counts as known,
even if it was edited or forgotten since. If the ledger has the same content under another id, that
memory gets the tree's ids as aliases. If an id is used for something else here, the memory gets a
new id. Untrusted data never changes trusted memories.
"""

from __future__ import annotations

import json
import os

from varves.errors import Refused, UsageError
from varves.events.codec import canonical
from varves.events.kinds import ACCESSED, ARCHIVED, REVISED, SUPERSEDED, birth, is_barred
from varves.protocols.hivemind.entries import body_of, draft
from varves.protocols.hivemind.foreign import made_id
from varves.protocols.hivemind.foreign_tree import read_tree
from varves.protocols.hivemind.sessions import project_of
from varves.protocols.hivemind.wording import is_blank, statement_of, summary_of
from varves.values.answers import Imported, RefusedLine
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY
from varves.values.progress import report
from varves.values.text import value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.hivemind.entries import Wish
    from varves.protocols.hivemind.foreign_tree import Brought, Progress
    from varves.protocols.port import Codec, Core
    from varves.protocols.protocol import ForeignFiles
    from varves.values.memory import Memory

RULE = "import"
_STEP = 100  # memories between two reports of progress
# The cost of reading all files, and of the whole import with its files, if taking them in is 1.
_READ, _WHOLE = 0.5, 2.5


class TreeTaken(Value):
    """The result of importing a tree."""

    written: int
    known: int
    refused: tuple[tuple[str, str, str], ...]
    """The path, error code and message of each refused memory."""
    mappings: tuple[str, ...]
    names: tuple[str, ...]
    """The ids of the recorded memories."""


def take(
    core: Core,
    brought: Sequence[Brought],
    act_for: Callable[[str], Act],
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> TreeTaken:
    """Record the memories of a tree, or only report what would be recorded.

    Args:
        core: the ledger.
        brought: the memories, as they were read.
        act_for: returns the acting context for the path of a file.
        dry_run: append nothing.
        progress: called with the number of memories.
    """
    taking = _Taking(core, [one.wish.id for one in brought if one.wish.id])
    for number, one in enumerate(brought):
        if number % _STEP == 0:
            part = _READ + number / len(brought)
            report(progress, len(brought), part=part, whole=_WHOLE)  # all of them are read
        try:
            taking.take(one, act_for(one.path))
        except (Refused, UsageError) as fault:
            taking.refused.append((one.path, fault.code, fault.message))
    taking.check()
    if not dry_run:
        taking.append()
    return TreeTaken(
        written=taking.written,
        known=taking.known,
        refused=tuple(taking.refused),
        mappings=tuple(taking.told),
        names=tuple(taking.taken),
    )


def take_folder(
    core: Core, codec: Codec, given: ForeignFiles, *, compare: Callable[[Sequence[str]], list[str]]
) -> Imported:
    """Import the memory files of a folder, or only report what would be imported.

    Everything is read and checked before anything is written. A folder in this checkout is imported
    as a whole or not at all, so that either all of its files belong to the protocol or none.

    Args:
        core: the ledger.
        codec: the format of the protocol's files.
        given: the folder and the options.
        compare: compares new memories with the current ones, and reports what was done.
    """
    found = given.folder()

    def run(*, dry_run: bool = given.dry_run) -> Imported:
        reading = read_tree(
            found.files,
            project=project_of(core).id,
            known=lambda name: core.memory(name) is not None,
            clean=lambda content: core.clean(content, allow_secret=given.secret),
            progress=given.progress,
        )
        acts: dict[str, Act] = {}

        def act_for(path: str) -> Act:
            if path not in acts:
                acts[path] = given.act(core.act(), path)
            return acts[path]

        taken = take(core, reading.brought, act_for, dry_run=dry_run, progress=given.progress)
        report(given.progress, len(reading.brought), part=_READ + 1, whole=_WHOLE)
        unread = [
            RefusedLine(line=fault.line, code="refused", message=f"{fault.path}: {fault.message}")
            for fault in reading.unread
        ]
        late = [
            RefusedLine(line=0, code=code, message=f"{path}: {message}")
            for path, code, message in taken.refused
        ]
        told = [] if dry_run else compare(taken.names)
        return Imported(
            written=taken.written,
            known=taken.known,
            refused=(*found.refused, *unread, *late),
            mappings=(*reading.mappings, *found.left, *taken.mappings, *told),
        )

    if not given.dry_run and _is_inside(given.path, core.root):
        refused = core.during(codec, lambda: run(dry_run=True), writes=False).refused
        core.notes.clear()
        if refused:
            more = f", and {len(refused) - 1} more" if len(refused) > 1 else ""
            raise Refused(
                f"nothing was imported: {refused[0].message}{more}",
                "a folder in this checkout is imported as a whole; fix or remove what is refused",
            )
    done: Imported = core.during(codec, run, writes=not given.dry_run)
    return done


def _is_inside(path: str, root: str) -> bool:
    return (os.path.realpath(path) + os.sep).startswith(os.path.realpath(root) + os.sep)


class _Taking:
    """An import in progress; drafts wait, by log, until everything is decided."""

    def __init__(self, core: Core, ids: Sequence[str]) -> None:
        self.core = core
        self.used = core.used(ids)  # of the ids in the tree, those that are used here
        self.births: dict[str, list[Draft]] = {}
        self.after: dict[str, list[Draft]] = {}
        self.taken: dict[str, None] = {}
        self.files: set[tuple[str, str]] = set()
        self.ids: dict[str, str] = {}  # ids in this ledger, by the id in the tree
        self.written = self.known = 0
        self.refused: list[tuple[str, str, str]] = []
        self.told: list[str] = []

    def take(self, one: Brought, act: Act) -> None:
        """Decide what to do with one memory."""
        wish = self._placed(one.wish, act, one.path)
        if wish is None:
            self.known += 1
            return
        log, made, name = draft(self.core, wish, act, unused=wish.id == one.wish.id)
        if self._held_by_value(wish, made, act, log=log):
            self.known += 1
            return
        self.written += 1
        self.taken[name] = None
        self.births.setdefault(log, []).append(made.replace(data=made.data | one.more))
        after = self.after.setdefault(log, [])
        count, last = one.uses
        if count:
            seen = last or wish.created_at or iso(act.now)
            after.append(act.draft(ACCESSED, {"accessed": {name: [count, seen]}}))
        if one.ended is not None:
            after.append(self._ended(name, one.ended, act))

    def _ended(self, name: str, ended: tuple[str, str], act: Act) -> Draft:
        how, what = ended
        if how == "superseded":
            by = self.ids.get(what, what)
            content = {"memory": name, "by": by, "reason": "superseded where it came from"}
            return act.draft(SUPERSEDED, content | {"rule": RULE})
        return act.draft(ARCHIVED, {"memory": name, "reason": what, "rule": RULE})

    def _placed(self, wish: Wish, act: Act, path: str) -> Wish | None:
        """Return the request with an id and file name that are free here; None if already known."""
        name = wish.id or ""
        past = self.core.rows().history(name) if name in self.used else []
        if is_barred(past):
            raise Refused(f"{name} was purged", "its id cannot be used again")
        if _said_before(past, name, wish.content):
            return None
        held = self.core.memory(name) if name in self.used else None
        if held is not None and body_of(held) == wish.content:
            return None
        blank = held or self._holder(wish)
        if blank is not None and wish.file and _is_empty(blank) and _may_change(act, blank):
            self._fill(blank, wish, act, path)
            return None
        if held is not None or past:
            twin = made_id("twin", name, canonical(wish.content).decode("ascii"))
            if _said_before(self.core.rows().history(twin), twin, wish.content):
                return None
            self.told.append(f"{path}: {name} has another content here -> {twin}")
            self.ids[name] = twin
            wish = wish.replace(id=twin)
        place = (wish.scope, wish.file or "")
        if wish.file and (blank is not None or place in self.files):
            self.told.append(f"{path}: {wish.file} is already used here -> a file named by its id")
            wish = wish.replace(file=None)
        self.files.add(place)
        return wish

    def _holder(self, wish: Wish) -> Memory | None:
        """Return the memory whose file has the published name that a request names."""
        if not wish.file:
            return None
        held = self.core.memories(scope=wish.scope)
        return next((one for one in held if one.extra.get("file") == wish.file), None)

    def _fill(self, blank: Memory, wish: Wish, act: Act, path: str) -> None:
        """Write imported content into a published document that is still empty."""
        names = [wish.id or "", *wish.aliases]
        aliases = [name for name in names if name and name != blank.id]
        changes: dict[str, Any] = {
            "body": wish.content,
            "text": statement_of(wish.content) or canonical(wish.content).decode("ascii"),
            "summary": summary_of(wish.content, wish.summary),
            "created_at": wish.created_at,
            "unknown": wish.unknown,
            "aliases": [*blank.extra.get("aliases", ()), *aliases],
        }
        changes = {key: part for key, part in changes.items() if part}
        tags = [tag for tag in wish.tags if tag not in blank.tags]
        content = {"memory": blank.id, "set": changes, "add_tags": tags}
        self.after.setdefault(blank.kept, []).append(act.draft(REVISED, content))
        self.told.append(f"{path}: fills {blank.id}, which was empty")
        self.written += 1
        self.known -= 1

    def _held_by_value(self, wish: Wish, made: Draft, act: Act, *, log: str) -> bool:
        """Return whether the ledger has the same content under another id; add aliases if so."""
        text = made.data["text"]
        key = value_key(log, wish.scope, text)
        name, _ = self.core.rows().standing(key, text, act.trust, protocol="hivemind")
        held = self.core.memory(name) if name else None
        if held is None or name in self.taken or wish.file or not _may_change(act, held):
            return False
        if held.type != wish.type or body_of(held) != wish.content:
            return False
        before = list(held.extra.get("aliases", ()))
        gained = [one for one in (wish.id, *wish.aliases) if one and one not in before]
        self.ids[wish.id or ""] = held.id
        if gained:
            content = {"memory": held.id, "set": {"aliases": [*before, *gained]}}
            self.after.setdefault(held.kept, []).append(act.draft(REVISED, content))
            self.told.append(f"{wish.source}: {wish.id} is an alias of {held.id} here")
        return True

    def check(self) -> None:
        """Check all drafts before any is appended."""
        for log in self._logs():
            self.core.check(log, self._drafts(log))

    def append(self) -> None:
        """Append all drafts of a log at once, the memories before the events about them.

        So an interrupted import has recorded each memory completely or not at all. The logs outside
        the repository come first, because they refuse more often.
        """
        for log in self._logs():
            self.core.append(log, self._drafts(log))

    def _logs(self) -> list[str]:
        logs = dict.fromkeys((*self.births, *self.after))
        return sorted(logs, key=lambda log: log == "project")

    def _drafts(self, log: str) -> list[Draft]:
        return [*self.births.get(log, ()), *self.after.get(log, ())]


def _said_before(past: list[Event], name: str, content: dict[str, Any]) -> bool:
    """Return whether some event in a memory's history had this content."""
    for event in past:
        record = birth(event) or {}
        own = record.get("memory") == name
        said = record if own else event.data.get("set", {})
        empty = own and event.protocol == "hivemind" and not content and "body" not in said
        if empty or said.get("body", _as_kept(said.get("text", ""))) == content:
            return True
    return False


def _as_kept(text: str) -> Any:
    """Return the content that is stored as text, or None if the text is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _is_empty(memory: Memory) -> bool:
    """Return whether a published document is still empty."""
    return memory.created_by == "SYSTEM" and is_blank(body_of(memory))


def _may_change(act: Act, held: Memory) -> bool:
    return act.trust >= TRUSTWORTHY or held.trust < TRUSTWORTHY

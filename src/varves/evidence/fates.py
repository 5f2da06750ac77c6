"""Finds out whether the files, lines, symbols and commits that memories point to have changed.

The state of the evidence was recorded when the memory was written; here it is compared with the
checkout. Verdicts are cached in the index under the file signatures they depend on, so unchanged
evidence is not read again.
"""

from __future__ import annotations

from varves.errors import UnsafeName
from varves.evidence.pointers import PYTHON, noted
from varves.evidence.sight import LARGEST, PathLook, Sight, is_stable, tip
from varves.evidence.verdicts import CHANGED, GONE, MOVED, STATES, UNCHANGED, Fate, Verdicts
from varves.values.names import safe_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.context.context import Context
    from varves.evidence.commits import Renames
    from varves.values.memory import Memory

    Place = dict[str, Any]

__all__ = ["CHANGED", "GONE", "MOVED", "STATES", "UNCHANGED", "Fate", "Fates"]

_MOST = 16  # the most pointers of one memory that are checked
_TRIED = 64  # the most files that are read to find a file that was moved
_OWN = ("project", "private")  # the logs whose pointers refer to files of this project


class Fates:
    """The state of memories' evidence in one checkout: unchanged, moved, changed or gone."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._sight = Sight(context.settings.root)
        self._kept = Verdicts(context, self._sight)
        self._renames: Renames | None = None

    def of(self, memory: Memory) -> Fate | None:
        """Return the state of a memory's evidence; None if no pointer can be checked.

        The state is `gone` only if all evidence is gone. If some evidence is left, a missing
        pointer counts as `changed`, and the worst state of a pointer counts.
        """
        fates = [fate for fate in self.each(memory) if fate is not None]
        if not fates:
            return None
        worst = max(fates, key=lambda fate: STATES.index(fate.state))
        if worst.state == GONE and any(fate.state != GONE for fate in fates):
            return worst.replace(state=CHANGED)
        return worst

    def each(self, memory: Memory) -> list[Fate | None]:
        """Return the state of each pointer; None for a pointer to another worktree or project."""
        if not is_here(memory):
            return [None] * len(memory.evidence)
        return [
            self._of(place) if number < _MOST else None
            for number, place in enumerate(memory.evidence)
        ]

    def with_states(self, memory: Memory) -> tuple[Place, ...]:
        """Return a memory's pointers; each has its state and its current place."""
        return tuple(
            place if fate is None else place | {"state": fate.state, "now": fate.place}
            for place, fate in zip(memory.evidence, self.each(memory), strict=True)
        )

    def renewed(self, memory: Memory) -> tuple[Place, ...]:
        """Return a memory's pointers in their current state, for the memory that replaces it.

        Evidence that moved gets its new place, and evidence that is gone is left out. Evidence that
        cannot be checked in this checkout is not changed.
        """
        found = zip(memory.evidence, self.each(memory), strict=True)
        return tuple(self._renewed(place, fate) for place, fate in found if not _is_gone(fate))

    def _renewed(self, place: Place, fate: Fate | None) -> Place:
        if fate is None:
            return place
        if "commit" in place:
            return place | {"commit": fate.path.partition(":")[2]}
        pointer: Place = {"path": fate.path}
        checked = valid(place) or {}
        if isinstance(place.get("symbol"), str):
            pointer["symbol"] = place["symbol"]
        elif "line" in checked:
            pointer["line"] = line = checked["line"] if fate.line is None else fate.line
            if "end" in checked:
                pointer["end"] = line + checked["end"] - checked["line"]
        now = noted(self._context, pointer)
        return place if "part" in place and "part" not in now else now

    def _of(self, place: Place) -> Fate | None:
        checked = valid(place)
        if checked is None:
            return None
        if "commit" in checked:
            return self._commit(checked)
        look = self._sight.look(checked["path"])
        if look.kind == "unknown":
            return None
        if "digest" not in checked:
            there = look.kind in ("file", "folder")
            return Fate(
                state=UNCHANGED if there else GONE,
                path=checked["path"],
                why="still exists" if there else "no longer exists",
            )
        if look.kind == "file":
            seen, touched = look.signature, look.touched
            return self._kept.or_else(
                checked, seen, lambda: self._standing(checked, look), touched=touched
            )
        seen, touched = self._sight.surroundings(checked["path"], self._context.places.git)
        return self._kept.or_else(
            checked, seen, lambda: self._missing(checked, look), touched=touched
        )

    # A file that exists at its recorded path

    def _standing(self, place: Place, look: PathLook) -> Fate | None:
        path = place["path"]
        now = self._digest(path, look)
        if now is None:
            if look.size <= LARGEST:
                return None  # the file cannot be read
            return Fate(state=CHANGED, path=path, why="it has grown too large to compare")
        if now == place["digest"]:
            return Fate(
                state=UNCHANGED, path=path, line=place.get("line"), why="the file is the same"
            )
        content = self._sight.content(look)
        if content is None:
            return None
        if b"\r\n" in content and _digest(content.replace(b"\r\n", b"\n")) == place["digest"]:
            return Fate(
                state=UNCHANGED, path=path, line=place.get("line"), why="only line ends differ"
            )
        if "part" not in place:
            return Fate(
                state=CHANGED, path=path, line=place.get("line"), why="the file has changed"
            )
        found = _passage(place, content)
        if found is not None:
            return found
        return self._symbol_elsewhere(place) or Fate(
            state=GONE, path=path, why=f"{place['symbol']} is no longer defined there"
        )

    def _digest(self, path: str, look: PathLook) -> str | None:
        """Return the digest of a file, from the cache if the file's signature is the same."""
        known = self._kept.digest(path, look.signature)
        if known is None:
            content = self._sight.content(look)
            known = None if content is None else _digest(content)
            if known is not None and is_stable(look.touched):
                self._kept.keep_digest(path, look.signature, known)
        return known

    def _symbol_elsewhere(self, place: Place) -> Fate | None:
        """Find a definition with the same text in another file with the same extension."""
        needle = place["symbol"].rpartition(".")[2].encode()
        for other in self._sight.akin(place["path"])[:_TRIED]:
            look = self._sight.look(other)
            content = self._sight.content(look) if look.kind == "file" else None
            if content is not None and needle in content:
                found = _passage(place | {"path": other}, content)
                if found is not None and found.state != CHANGED:
                    return found.replace(state=MOVED, why=f"moved to {found.place}")
        return None

    # A file that is missing

    def _missing(self, place: Place, look: PathLook) -> Fate:
        path = place["path"]
        found = self._same_file(place) or self._renamed(place) or self._same_passage(place)
        if found is not None:
            return found
        why = "it leads out of the project" if look.kind == "outside" else "no longer exists"
        return Fate(state=GONE, path=path, why=why)

    def _same_file(self, place: Place) -> Fate | None:
        """Find a file with the same bytes under another name; empty files are not compared."""
        size = place.get("size")
        if size == 0:
            return None
        for other in self._sight.like(place["path"], size)[:_TRIED]:
            look = self._sight.look(other)
            if look.kind == "file" and self._digest(other, look) == place["digest"]:
                line = place.get("line")
                return Fate(state=MOVED, path=other, line=line, why=f"moved to {other}")
        return None

    def _renamed(self, place: Place) -> Fate | None:
        """Ask git for a file's new name, and check whether the content has changed."""
        git = self._context.places.git
        if git is None:
            return None
        if self._renames is None:
            from varves.evidence.commits import Renames

            self._renames = Renames(git, self._context.settings.root)
        for other in self._renames.of(place["path"]):
            look = self._sight.look(other)
            if look.kind == "file":
                found = self._standing(place | {"path": other}, look)
                if found is None or found.state == GONE:
                    return found
                if found.state == CHANGED:
                    return found.replace(why=f"renamed to {other} and changed")
                return found.replace(state=MOVED, why=f"moved to {found.place}")
        return None

    def _same_passage(self, place: Place) -> Fate | None:
        """Find the line or symbol of a pointer in other files with the same name."""
        if "part" not in place:
            return None
        for other in self._sight.named(place["path"])[:_TRIED]:
            look = self._sight.look(other)
            content = self._sight.content(look) if look.kind == "file" else None
            if content is not None:
                found = _passage(place | {"path": other}, content, least=2)
                if found is not None and found.state != CHANGED:
                    return found.replace(state=MOVED, why=f"moved to {found.place}")
        return self._symbol_elsewhere(place) if "symbol" in place else None

    # A commit

    def _commit(self, place: Place) -> Fate | None:
        git = self._context.places.git
        if git is None:
            return None
        seen, touched = tip(git)
        return self._kept.or_else(place, seen, lambda: self._in_history(place), touched=touched)

    def _in_history(self, place: Place) -> Fate | None:
        """Return the state of a commit: in HEAD's history, rewritten there, or gone."""
        from varves.evidence.commits import made_anew

        git, name = self._context.places.git, place["commit"]
        if git is None:
            return None
        told = f"commit:{name}"
        shared = git.run("merge-base", "HEAD", name, check=False).decode().strip()
        if shared == name:
            return Fate(state=UNCHANGED, path=told, why="in the history of HEAD")
        if git.trouble():
            return None
        again = made_anew(git, place["part"]) if "part" in place else None
        if again is not None:
            return Fate(state=MOVED, path=f"commit:{again}", why=f"rewritten as {again[:12]}")
        return Fate(state=GONE, path=told, why="not in the history of HEAD")


def is_here(memory: Memory) -> bool:
    """Return whether a memory's pointers refer to files of this checkout."""
    return memory.branch is None and memory.kept in _OWN


def _is_gone(fate: Fate | None) -> bool:
    return fate is not None and fate.state == GONE


def valid(place: Place) -> Place | None:
    """Return the valid fields of a pointer; the pointer may come from a hostile branch.

    Return None if they are not valid.
    """
    commit, part = place.get("commit"), place.get("part")
    marked = {"part": part} if isinstance(part, str) else {}
    if isinstance(commit, str):
        whole = len(commit) in (40, 64) and not commit.strip("0123456789abcdef")
        return {"commit": commit, **marked} if whole else None
    path, digest = place.get("path"), place.get("digest")
    if not isinstance(path, str):
        return None
    try:
        found: Place = {"path": safe_path(path, "evidence")}
    except UnsafeName:
        return None
    if not isinstance(digest, str):
        return found if place.get("there") is True else None
    found["digest"] = digest
    numbers = {name: place.get(name) for name in ("line", "end", "size")}
    found |= {
        name: number for name, number in numbers.items() if type(number) is int and number >= 0
    }
    beside = place.get("around")
    if isinstance(place.get("symbol"), str):
        return found | marked | {"symbol": place["symbol"]} if marked else found
    if marked and found.get("line", 0) > 0 and isinstance(beside, list):
        found |= marked | {"around": beside[:2]}
        found["count"] = min(max(1, found.get("end", 0) - found["line"] + 1), LARGEST)
    return found


def _passage(place: Place, content: bytes, *, least: int = 0) -> Fate | None:
    """Return the state of a line or symbol in a file's content.

    None if the symbol is missing.
    """
    from varves.evidence import passages

    path = place["path"]
    lines = passages.lines_of(content)
    if lines is None:
        return Fate(state=CHANGED, path=path, why="it is no longer text")
    if "symbol" not in place:
        at = passages.follow(lines, place, least=least)
        if at is None:
            return Fate(state=CHANGED, path=path, line=place["line"], why="the line has changed")
        if at == place["line"]:
            return Fate(state=UNCHANGED, path=path, line=at, why="the line is the same")
        return Fate(state=MOVED, path=path, line=at, why=f"moved to {path}:{at}")
    python = path.endswith(PYTHON)
    spans = passages.block(lines, place["symbol"], python=python)
    if spans:
        same = passages.marked(lines, spans) == place["part"]
        why = f"{place['symbol']} {'is the same' if same else 'has changed'}"
        return Fate(state=UNCHANGED if same else CHANGED, path=path, line=spans[0][0], why=why)
    for name, others in (passages.definitions(lines) or {} if python else {}).items():
        if passages.marked(lines, others) == place["part"]:
            return Fate(state=MOVED, path=path, line=others[0][0], why=f"now {path}::{name}")
    return None


def _digest(content: bytes) -> str:
    from hashlib import sha256

    return sha256(content).hexdigest()

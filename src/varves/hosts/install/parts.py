"""The parts of an agent's settings that belong to Varves; each finds, adds and removes entries.

A part works on the text of a file. `found` returns our entries in the text, and `wanted` returns
the entries that should be there. `put` adds the entries to a text that has none, and returns the
containers (objects, lists, tables) that it created for them. `without` removes the entries. A part
never changes other entries; if this were necessary, it raises an error.
"""

from __future__ import annotations

from varves.errors import Damaged, Refused
from varves.hosts.install.jsontext import Json, dotted
from varves.hosts.install.words import NAME, hook_program, server_program
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from varves.hosts.install.jsontext import Path

    Made = Sequence[Path] | None
    """The containers that were created for our entries; None if there is no record of them."""


class ConfigPart(Value):
    """The entries of Varves in one place of a settings file."""

    seed: str = ""
    """The content with which a new file is created."""
    exact: bool = False
    """Whether our entry must be exactly as wanted; otherwise it may have additional keys."""

    @property
    def wanted(self) -> Any:
        """Return the entries of Varves that the file should contain."""
        raise NotImplementedError

    def found(self, text: str, name: str) -> Any:
        """Return the entries of Varves in a text, or None if there are none.

        Raises:
            Damaged: the text cannot be read.
            Refused: an entry has the name of ours but was not added by Varves.
        """
        raise NotImplementedError

    def programs(self, text: str, name: str) -> list[list[str]]:
        """Return the commands that the entries of Varves in a text run."""
        raise NotImplementedError

    def put(self, text: str, name: str) -> tuple[str, list[Path]]:
        """Return the text with the entries of Varves, and the containers created for them."""
        raise NotImplementedError

    def without(self, text: str, name: str, made: Made) -> str:
        """Return the text without the entries of Varves and the containers created for them."""
        raise NotImplementedError


class JsonServer(ConfigPart):
    """The entry of Varves in an object of servers."""

    path: Path
    value: dict[str, Any]
    seed: str = "{}\n"

    @property
    def wanted(self) -> Any:
        """Return the entry that should be in the file."""
        return self.value

    def found(self, text: str, name: str) -> Any:
        """Return the entry of Varves in a text, or None if there is none.

        Raises:
            Refused: an entry has the name of ours but was not added by Varves.
        """
        box = Json(text, name).box(self.path) if text.strip() else None
        for slot in box.slots if box else ():
            if slot.key == NAME:
                if not server_program(slot.value):
                    what = f"{name}: {dotted((*self.path, NAME))} was not added by Varves"
                    raise Refused(what, "rename or remove it, then install again")
                return slot.value
        return None

    def programs(self, text: str, name: str) -> list[list[str]]:
        """Return the program that the entry of Varves in a text calls."""
        held = self.found(text, name)
        return [server_program(held)] if held else []

    def put(self, text: str, name: str) -> tuple[str, list[Path]]:
        """Return the text with the entry of Varves, and the containers created for it."""
        text, made = _with_boxes(text, name, self.path)
        json = Json(text, name)
        return json.put(_held(json, self.path), NAME, self.value), made

    def without(self, text: str, name: str, made: Made) -> str:
        """Return the text without the entry of Varves."""
        if self.found(text, name) is None:
            return text
        json = Json(text, name)
        box = _held(json, self.path)
        keys = [slot.key for slot in box.slots]
        return _pruned(json.without(box, keys.index(NAME)), name, self.path, made)


class Hooks(ConfigPart):
    """The entries of Varves in an agent's lists of hooks, one for each event of the agent."""

    path: Path
    groups: dict[str, dict[str, Any]]
    seed: str = "{}\n"
    exact: bool = True

    @property
    def wanted(self) -> Any:
        """Return the entries that the file should contain, by the agent's event."""
        return {event: [group] for event, group in self.groups.items()}

    def found(self, text: str, name: str) -> Any:
        """Return the entries of Varves in a text, by the agent's event."""
        held: dict[str, list[Any]] = {}
        for event, slot_value in self._listed(text, name):
            if own := _own(slot_value):
                held.setdefault(event, []).append(own)
        return held or None

    def programs(self, text: str, name: str) -> list[list[str]]:
        """Return the commands that the entries of Varves in a text run."""
        return [
            hook_program(one)
            for groups in (self.found(text, name) or {}).values()
            for group in groups
            for one in group.get("hooks", [group])
        ]

    def _listed(self, text: str, name: str) -> Iterator[tuple[str, Any]]:
        json = Json(text, name) if text.strip() else None
        box = json.box(self.path) if json else None
        for slot in box.slots if box else ():
            if isinstance(slot.value, list):
                yield from ((slot.key, one) for one in slot.value)

    def put(self, text: str, name: str) -> tuple[str, list[Path]]:
        """Return the text with the entries of Varves, and the containers created for them."""
        made: list[Path] = []
        for event, group in self.groups.items():
            path = (*self.path, event)
            text, more = _with_boxes(text, name, path, last="[]")
            made += more
            json = Json(text, name)
            box = _held(json, path)
            if json.text[box.start] != "[":
                raise Damaged(f"{name}: {dotted(path)} is not a list", "fix it")
            text = json.put(box, "", group)
        return text, made

    def without(self, text: str, name: str, made: Made) -> str:
        """Return the text without the entries of Varves, even if these were moved."""
        while (place := self._next(text, name)) is not None:
            path, number = place
            json = Json(text, name)
            text = _pruned(json.without(_held(json, path), number), name, path, made)
        return text

    def _next(self, text: str, name: str) -> tuple[Path, int] | None:
        """Return the list in which the next entry of Varves is, and the entry's position.

        The entry is a whole group, or one hook of a group.
        """
        counted: dict[str, int] = {}
        for event, group in self._listed(text, name):
            number = counted[event] = counted.get(event, -1) + 1
            path: Path = (*self.path, event)
            if _own(group) == group:
                return path, number
            for within, one in enumerate(group["hooks"] if _own(group) else ()):
                if hook_program(one):
                    return (*path, number, "hooks"), within
        return None


def _own(group: Any) -> Any:
    """Return the part of a group of hooks that belongs to Varves, or None."""
    if hook_program(group):
        return group
    held = group.get("hooks") if isinstance(group, dict) else None
    own = [one for one in held if hook_program(one)] if isinstance(held, list) else []
    return group | {"hooks": own} if own else None


class OwnFile(ConfigPart):
    """A file that belongs to Varves alone."""

    content: str
    is_ours: Callable[[str], bool]
    reads: Callable[[str], list[list[str]]]
    """A function that returns the programs that the text runs."""
    seed: str = ""
    exact: bool = True

    @property
    def wanted(self) -> Any:
        """Return the whole text."""
        return self.content

    def found(self, text: str, name: str) -> Any:
        """Return the text if Varves wrote the file; None if the file is empty.

        Raises:
            Refused: another program's file has our name.
        """
        if not text:
            return None
        if not self.is_ours(text):
            raise Refused(
                f"{name} was not written by Varves", "rename or remove it, then install again"
            )
        return text

    def programs(self, text: str, name: str) -> list[list[str]]:
        """Return the programs that a text calls, if Varves wrote the text."""
        return self.reads(text) if self.found(text, name) else []

    def put(self, text: str, name: str) -> tuple[str, list[Path]]:
        """Return the whole text."""
        del text, name
        return self.content, []

    def without(self, text: str, name: str, made: Made) -> str:
        """Return an empty text, because the file has no other content."""
        del made
        self.found(text, name)
        return ""


def _held(json: Json, path: Path) -> Any:
    box = json.box(path)
    if box is None:
        raise Damaged(f"{json.name}: {dotted(path)} is missing", "check it by hand")
    return box


def _with_boxes(text: str, name: str, path: Path, *, last: str = "{}") -> tuple[str, list[Path]]:
    """Return a text with a container (object or list) at a path, and all containers created."""
    made: list[Path] = []
    for depth in range(len(path)):
        json = Json(text, name)
        if json.box(path[: depth + 1]) is None:
            empty: Any = [] if depth == len(path) - 1 and last == "[]" else {}
            above = _held(json, path[:depth])
            if json.text[above.start] != "{":
                raise Damaged(f"{name}: {dotted(path[:depth])} is not an object", "fix it")
            text = json.put(above, str(path[depth]), empty)
            made.append(path[: depth + 1])
    return text, made


def _pruned(text: str, name: str, path: Path, made: Made) -> str:
    """Return a text without the empty containers at a path that Varves created for its entries."""
    for depth in range(len(path), 0, -1):
        if any(isinstance(step, int) for step in path):
            break  # the group contains entries of other programs
        json = Json(text, name)
        box = json.box(path[:depth])
        if box is None or box.slots or (made is not None and path[:depth] not in made):
            break
        if json.text[box.start + 1 : box.end - 1].strip():
            break  # the container has a comment
        above = _held(json, path[: depth - 1])
        keys = [slot.key for slot in above.slots]
        text = json.without(above, keys.index(path[depth - 1]))
    return text

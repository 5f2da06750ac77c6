"""Finds what is around one thing in two steps: its memories, and what these touch.

A thing is a tag, a person or agent, a file that memories cite as evidence, or a memory. A memory's
own memories are those that it replaced or that replaced it, and those that share a file or a tag
with it, the rarest first.
"""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.index.where import Where
from varves.questions.lookup import shown
from varves.recall.replaced import replacements
from varves.values.ids import is_memory_id
from varves.values.instants import iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.values.memory import Memory

TAG, FILE, PERSON, MEMORY = "tag", "file", "person", "memory"
_NODES = 150  # the most things of all kinds together
_FEW = 40  # by default, the most memories
_STATUSES = ("active", "flagged", "superseded")
_MARK = "#"  # before the name of a tag


class Thing(Value):
    """A tag, file, person or memory."""

    kind: str
    name: str
    """A tag has no `#` here; a memory has its id."""


class TouchedThing(Thing):
    """Something that memories touch."""

    memories: tuple[str, ...]


class NearMemory(Value):
    """A memory near the thing."""

    id: str
    text: str
    status: str
    by: str
    at: str
    tags: tuple[str, ...]
    files: tuple[str, ...]
    why: tuple[str, ...]
    """For a memory's own memories: replaces, replaced_by, or the tags and files that they share."""


class Surroundings(Value):
    """What is around a thing."""

    thing: Thing
    text: str | None
    """The text, if the thing is a memory."""
    memories: tuple[NearMemory, ...]
    things: tuple[TouchedThing, ...]
    replaced: tuple[tuple[str, str], ...]
    """Pairs of these memories: the id of the old one, and of the one that replaced it."""
    more: int
    """How many memories of the thing are left out, because they are older."""


def around(context: Context, view: View, name: str, *, limit: int | None) -> Surroundings:
    """Return what is around a thing.

    Args:
        context: decides which memories count as trusted.
        view: the present or a past state.
        name: `#TAG`, the id of a memory, or the name of a file, a person or a tag.
        limit: the maximum number of memories; by default 40, at most 100.

    Raises:
        NotFound: nothing has this name.
    """
    most = _FEW if limit is None else limit
    if not 1 <= most <= 100:
        raise UsageError(f"the limit must be from 1 to 100, not {most}", "give a whole number")
    near = _Near(context, view)
    thing = near.thing(name)
    own = shown(context, view, thing.name) if thing.kind == MEMORY else None
    if own is not None:
        thing = thing.replace(name=own.id)
        found, more = near.beside(own, most), 0
    else:
        found, more = near.of(thing, most)
    later = replacements(view.index, [memory for memory, _ in found.values()])
    memories = tuple(
        _memory(memory, why, replaced=memory.id in later) for memory, why in found.values()
    )
    return Surroundings(
        thing=thing,
        text=None if own is None else own.titled,
        memories=memories,
        things=_touched(memories, thing),
        replaced=tuple(_replaced([memory for memory, _ in found.values()], later)),
        more=more,
    )


class _Near:
    """Reads memories near a thing, from one state of the ledger."""

    def __init__(self, context: Context, view: View) -> None:
        self._index = view.index
        self._wish = Where(
            statuses=_STATUSES,
            holds_at=iso(view.now),
            trusted=context.trusted,
            without_tag="sensitive",
        )

    def thing(self, name: str) -> Thing:
        """Return the thing that a name names."""
        if is_memory_id(name):
            return Thing(kind=MEMORY, name=name)
        if name.startswith(_MARK):
            return self._known(Thing(kind=TAG, name=name[1:]))
        kinds = (FILE, PERSON, TAG) if "/" in name or "." in name else (PERSON, TAG, FILE)
        for kind in kinds:
            thing = Thing(kind=kind, name=name)
            if self._index.exists(self._where(thing)):
                return thing
        return self._known(Thing(kind=TAG, name=name))

    def _known(self, thing: Thing) -> Thing:
        if not self._index.exists(self._where(thing)):
            reason = f"no memory has a tag, a file or a writer called {thing.name}"
            raise NotFound(reason, "varves list shows memories with their tags")
        return thing

    def _where(self, thing: Thing) -> Where:
        field = {TAG: "tag", FILE: "cites", PERSON: "by"}[thing.kind]
        return self._wish.replace(**{field: thing.name})

    def of(self, thing: Thing, most: int) -> tuple[dict[str, tuple[Memory, tuple[str, ...]]], int]:
        """Return the newest memories of a tag, file or person, and how many more it has."""
        wish = self._where(thing)
        found = self._index.memories(wish, order="newest", most=most)
        more = self._index.count(wish) - len(found) if len(found) == most else 0
        return {one.id: (one, ()) for one in found}, more

    def beside(self, own: Memory, most: int) -> dict[str, tuple[Memory, tuple[str, ...]]]:
        """Return the memories of a memory, each with what connects the two."""
        found: dict[str, tuple[Memory, tuple[str, ...]]] = {}

        def add(memory: Memory, why: str) -> None:
            if memory.id != own.id and (memory.id in found or len(found) < most):
                found[memory.id] = (memory, (*found.get(memory.id, (memory, ()))[1], why))

        for link, why in (("supersedes", "replaces"), ("superseded_by", "replaced_by")):
            names = tuple(own.links.get(link, ()))
            for one in self._index.memories(self._wish.replace(ids=names)) if names else ():
                add(one, why)
        shared = [Thing(kind=FILE, name=path) for path in _files(own)]
        shared += [Thing(kind=TAG, name=tag) for tag in own.tags]
        counts = {one: self._index.count(self._where(one)) for one in shared}
        for thing in sorted(shared, key=lambda one: (counts[one], one.name)):
            for memory in self._index.memories(self._where(thing), order="newest", most=most + 1):
                add(memory, _called(thing.kind, thing.name))
        return found


def _memory(memory: Memory, why: tuple[str, ...], *, replaced: bool) -> NearMemory:
    return NearMemory(
        id=memory.id,
        text=memory.titled,
        status="superseded" if replaced else memory.status,
        by=memory.speaker or memory.created_by,
        at=memory.at,
        tags=memory.tags,
        files=_files(memory),
        why=why,
    )


def _files(memory: Memory) -> tuple[str, ...]:
    paths = [one["path"] for one in memory.evidence if isinstance(one.get("path"), str)]
    return tuple(dict.fromkeys(paths))


def _called(kind: str, name: str) -> str:
    return f"{_MARK}{name}" if kind == TAG else name


def _touched(memories: tuple[NearMemory, ...], thing: Thing) -> tuple[TouchedThing, ...]:
    """Return what memories touch, what most of them touch first."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in memories:
        touches = [(FILE, path) for path in one.files]
        touches += [(TAG, tag) for tag in one.tags]
        for each in dict.fromkeys((*touches, (PERSON, one.by))):
            if each != (thing.kind, thing.name):
                found.setdefault(each, []).append(one.id)
    ordered = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    room = _NODES - 1 - len(memories)
    return tuple(
        TouchedThing(kind=kind, name=name, memories=tuple(ids))
        for (kind, name), ids in ordered[:room]
    )


def _replaced(memories: list[Memory], decided: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (old, new) of the memories; `decided` has decisions of conversations, old to new."""
    names = {one.id for one in memories}
    for one in memories:
        for later in (*one.links.get("superseded_by", ()), decided.get(one.id)):
            if later in names:
                yield one.id, later

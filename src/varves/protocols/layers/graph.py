"""The knowledge graph: entities and relations from the events; later events take precedence.

The graph contains no more than graph.md shows. So if newer events are folded into a graph read from
that file, the result is the same as from all events.
"""

from __future__ import annotations

import re

from varves.protocols.layers.grammar import (
    DEPENDS,
    FILE,
    NONE,
    PACK,
    PART,
    REFERENCES,
    RELATIONS,
    SKILL,
    UNKNOWN,
    column_of,
    kind_by_name,
    number_of,
    percentage,
    statements,
    tidy_id,
    type_of,
)
from varves.protocols.layers.options import LayersOptions
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.protocols.layers.blocks import Block
    from varves.protocols.layers.grammar import EventStatement

_WORD = re.compile(r"[^\W_]+")
_ENDED = frozenset(
    (
        *("shipped", "released", "closed", "merged", "archived", "retired", "removed", "dropped"),
        *("cancelled", "canceled", "abandoned", "deprecated", "obsolete", "superseded"),
    )
)
"""Statuses of skills, besides those that count as complete, at which nobody works any more."""
_IN_SENTENCES = frozenset(("said", "unsaid", "member", "share", "status", "called"))
_NOTHING = frozenset({"", "-", "—", "\u2013", NONE})


class GraphEntity(Value):
    """The current state of a node; which fields are set depends on its kind."""

    id: str
    kind: str
    name: str
    status: str | None = None
    """Only for a skill."""
    pack: str | None = None
    """The pack it is part of."""
    completion: float | None = None
    """Only for a pack: the percentage of member skills that are complete, or the one stated."""
    count: int | None = None
    """Only for a pack: the number of members, or the number stated."""
    type: str | None = None
    """Only for a file."""
    related: tuple[str, ...] = ()
    """Only for a file: the skills and packs that events name together with it."""


class GraphRelation(Value):
    """An edge."""

    kind: str
    source: str
    target: str


class Graph:
    """Nodes and edges, and how an event changes them."""

    def __init__(self, options: LayersOptions | None = None) -> None:
        options = options or LayersOptions()
        self.complete = frozenset(map(_bare, options.complete))
        self.related_most = options.related_most
        self.skills: dict[str, tuple[str, str]] = {}
        """The name and status of each skill, by its id."""
        self.packs: dict[str, str] = {}
        """The name of each pack, by its id."""
        self.stated: dict[str, tuple[float, int, int]] = {}
        """A pack's completion and count as an event states them, if they differ from its members'.

        The third is the number of complete members. If it changes, and all members are known, the
        statement is over.
        """
        self.files: dict[str, str] = {}
        """The type of each file, by its path."""
        self.related: dict[str, set[str]] = {}
        self.part_of: dict[str, str] = {}
        self.depends: dict[str, set[str]] = {}
        self.references: dict[str, set[str]] = {}
        self._files_of: dict[str, set[str]] = {}
        self._whole: Graph | None = None  # the graph of which this is a part
        self._sources: dict[str, dict[str, set[str]]] = {kind: {} for kind in RELATIONS}

    # -- reading

    def kind_of(self, name: str) -> str | None:
        """Return the kind of an entity; None if there is no such entity."""
        if name in self.skills:
            return SKILL
        if name in self.packs:
            return PACK
        return FILE if name in self.files else None

    def __contains__(self, name: object) -> bool:
        return name in self.skills or name in self.packs or name in self.files

    def __len__(self) -> int:
        return len(self.skills) + len(self.packs) + len(self.files)

    def ids(self) -> list[str]:
        """Return all ids: skills, packs, files, each sorted."""
        return [*sorted(self.skills), *sorted(self.packs), *sorted(self.files)]

    def entity(self, name: str) -> GraphEntity | None:
        """Return the current state of an entity."""
        pack = self.pack_of(name)
        if name in self.skills:
            title, status = self.skills[name]
            return GraphEntity(id=name, kind=SKILL, name=title, status=status, pack=pack)
        if name in self.packs:
            share, count = self.completion(name)
            title = self.packs[name]
            return GraphEntity(
                id=name, kind=PACK, name=title, pack=pack, completion=share, count=count
            )
        if name in self.files:
            related = tuple(sorted(self.related.get(name, ())))
            return GraphEntity(
                id=name, kind=FILE, name=name, pack=pack, type=self.files[name], related=related
            )
        return None

    def entities(self) -> tuple[GraphEntity, ...]:
        """Return all entities: skills, packs, files, each sorted by id."""
        found = (self.entity(name) for name in self.ids())
        return tuple(entity for entity in found if entity)

    def relations(self) -> tuple[GraphRelation, ...]:
        """Return all relations, by kind and both ends."""
        return tuple(
            GraphRelation(kind=kind, source=source, target=target)
            for kind in RELATIONS
            for source, target in self.edges(kind)
        )

    def edges(self, kind: str) -> list[tuple[str, str]]:
        """Return the relations of one kind as pairs, sorted."""
        if kind == PART:
            return sorted(self.part_of.items())
        table = self.depends if kind == DEPENDS else self.references
        return sorted((source, target) for source, ends in table.items() for target in ends)

    def size(self) -> dict[str, int]:
        """Return the number of entities and of relations."""
        edges = len(self.part_of)
        edges += sum(map(len, self.depends.values())) + sum(map(len, self.references.values()))
        return {"entities": len(self), "relations": edges}

    def members(self, pack: str) -> list[str]:
        """Return the members of a pack, sorted."""
        return sorted(self._sources[PART].get(pack, ()))

    def sources(self, kind: str, target: str) -> Iterable[str]:
        """Return the sources of the relations of a kind that end at a target."""
        return self._sources[kind].get(target, ())

    def targets(self, kind: str, source: str) -> Iterable[str]:
        """Return the targets of the relations of a kind that begin at a source."""
        if kind == PART:
            return (self.part_of[source],) if source in self.part_of else ()
        return (self.depends if kind == DEPENDS else self.references).get(source, ())

    def part(self, names: Iterable[str]) -> Graph:
        """Return the graph of some entities and the relations between them.

        What the graph says about each entity is still so: a skill's pack, a pack's completion and
        what is related to a file may name entities outside the part.
        """
        found, names = Graph(), {*names}
        found.complete, found.related_most, found._whole = self.complete, self.related_most, self
        found.skills = {name: said for name, said in self.skills.items() if name in names}
        found.packs = {name: said for name, said in self.packs.items() if name in names}
        found.files = {name: said for name, said in self.files.items() if name in names}
        for path in found.files:
            found.relate(path, self.related.get(path, set()))
        edges = (
            (kind, source, target) for kind in RELATIONS for source, target in self.edges(kind)
        )
        found.join_all(edge for edge in edges if {edge[1], edge[2]} <= names)
        return found

    def pack_of(self, name: str) -> str | None:
        """Return the pack of an entity; None if it has none."""
        return (self._whole or self).part_of.get(name)

    def completion(self, pack: str) -> tuple[float, int]:
        """Return a pack's completion in per cent, and the number of its members."""
        if self._whole is not None:
            return self._whole.completion(pack)
        if pack in self.stated:
            share, count, _ = self.stated[pack]
            return share, max(count, len(self._sources[PART].get(pack, ())))
        return self._counted(pack)[:2]

    def _counted(self, pack: str) -> tuple[int, int, int]:
        """Return a pack's completion, its members and its complete members, all as counted."""
        members = self._sources[PART].get(pack, set())
        skills = [self.skills[name][1] for name in members if name in self.skills]
        done = sum(map(self.is_complete, skills))
        return (100 * done // len(skills) if skills else 0), len(members), done

    def is_complete(self, status: str) -> bool:
        """Return whether a skill with this status is complete."""
        return _bare(status) in self.complete or percentage(status) == 100

    def is_ended(self, status: str) -> bool:
        """Return whether nobody works on a skill with this status any more."""
        return _bare(status) in _ENDED

    def is_finished(self, name: str) -> bool:
        """Return whether nothing is left to do about an entity.

        A file is finished if all skills and packs related to it are.
        """
        if name in self.skills:
            status = self.skills[name][1]
            return self.is_complete(status) or self.is_ended(status)
        if name in self.packs:
            share, count = self.completion(name)
            return share == 100 and count > 0
        related = self.related.get(name, ())
        return bool(related) and all(map(self.is_finished, related))

    def named(self, name: str) -> str | None:
        """Return the id that a word of a sentence names: in brackets, prefixed, or known."""
        if name.startswith("[["):
            return tidy_id(name[2:-2]) or None
        low = name.casefold()
        for known in (name, low, f"skill-{low}", f"pack-{low}"):
            if known in self:
                return known
        return low if low.startswith(("skill-", "pack-")) and low == name else None

    # -- changing

    def fold(self, blocks: Iterable[Block]) -> Graph:
        """Apply the statements of blocks, the oldest first."""
        for block in blocks:
            self._take(statements(block))
        return self

    def _take(self, said: Iterator[EventStatement]) -> None:
        named: dict[int | None, dict[str, None]] = {}
        packs: dict[str, EventStatement] = {}
        removed: list[EventStatement] = []
        for one in said:
            if one.what in ("removed", "renamed"):
                removed.append(one)
                continue
            found = named.setdefault(one.group, {})
            for name in self._apply(one):
                found[name] = None
                if one.what in (PACK, "share") and name in self.packs:
                    packs[name] = one
        for name, one in packs.items():  # what an event says of a pack includes its other lines
            share, count = one.columns if one.what == "share" else one.columns[1:]
            self.declare(name, share if one.what == PACK else f"{share}%", count)
        self._relate(named)
        for one in removed:  # other lines of the event still name it
            name = self.named(one.id) or ""
            if one.what == "renamed":
                self.rename(name, self.named(one.target) or "")
            else:
                self.remove(name)

    def _relate(self, named: dict[int | None, dict[str, None]]) -> None:
        """Relate each file of an event to the entities named in the same paragraph or list item.

        A file that is only linked is related to the entities named in its path or, if there are
        none, to those that the event names first.
        """
        others = {
            group: [name for name in names if name in self.skills or name in self.packs]
            for group, names in named.items()
        }
        listed = list(dict.fromkeys(name for names in others.values() for name in names))
        first = next(filter(None, others.values()), [])
        for path in dict.fromkeys(name for names in named.values() for name in names):
            if path not in self.files:
                continue
            groups = [group for group, names in named.items() if path in names]
            near = list(dict.fromkeys(name for group in groups for name in others[group]))
            near = near or [name for name in listed if _in_path(name, path)] or first
            if len(near) <= self.related_most:
                self.relate(path, near)

    def _apply(self, said: EventStatement) -> tuple[str, ...]:
        """Apply one statement; return the entities it names."""
        if said.what == "relation":
            self.add(said.id)
            self.add(said.target)
            self.join(said.relation or self._relation(said), said.id, said.target)
            return said.id, said.target
        if said.what == "cut":
            for kind in (said.relation,) if said.relation else RELATIONS:
                self.cut(kind, said.id, said.target)
            return ()
        if said.what == "gone":
            self.remove(said.id)
            return ()
        if said.what in _IN_SENTENCES:
            return self._told(said)
        if said.what == "mention":
            self.add(said.id)
        elif said.what == "linked":
            self.add(said.id, FILE)
        else:
            return (said.id, *self.state(said.what, said.id, said.columns))
        return (said.id,)

    def _told(self, said: EventStatement) -> tuple[str, ...]:
        """Apply what a sentence states, if it is about named entities."""
        source = self.named(said.id)
        if source is None:
            return ()
        if said.what == "called":
            self.add(source, PACK)
            if source in self.skills:
                self._become(PACK, source)
            return (source,)
        if said.what == "share":
            if source in self.packs or source.startswith("pack-"):
                self.add(source)
            elif said.id.startswith("[["):
                self._mark(source, f"{said.columns[0]}%")
            return (source,) if source in self else ()
        if said.what == "status":
            self._mark(source, *said.columns)
            return (source,)
        target = self.named(said.target)
        if target is None or source == target:
            return ()
        if said.what == "member" and not (target in self.packs or target.startswith("pack-")):
            return ()
        if said.what == "unsaid":
            self.cut(str(said.relation), source, target)
        else:
            self.add(source)
            self.add(target)
            self.join(str(said.relation), source, target)
        return source, target

    def _mark(self, name: str, status: str, title: str = "") -> None:
        """Change a skill's status; its pack stays. Only skills have a status."""
        self.add(name)
        if name in self.skills:
            self.skills[name] = (title or self.skills[name][0], status)
            self._recount(self.part_of.get(name, ""))

    def declare(self, pack: str, share: str, count: str = "") -> None:
        """Note a pack's completion and count as stated."""
        stated, number = percentage(share), number_of(count)
        before = self.completion(pack)
        done = self._counted(pack)[2]
        self.stated[pack] = (
            before[0] if stated is None else stated,
            before[1] if number is None else number,
            done,
        )
        self._recount(pack)

    def _recount(self, pack: str) -> None:
        """Drop the numbers stated for a pack if the members now give the same or later numbers."""
        if pack not in self.stated:
            return
        (share, count, was), (now, known, done) = self.stated[pack], self._counted(pack)
        if known >= count and (done != was or share == now):
            del self.stated[pack]
        else:
            self.stated[pack] = share, count, done

    def _relation(self, said: EventStatement) -> str:
        """Return the kind of relation between two entities for which no label names one."""
        if said.target in self.packs and said.id not in self.packs:
            return PART
        return REFERENCES if said.id in self.files or said.target in self.files else DEPENDS

    def add(self, name: str, kind: str | None = None) -> None:
        """Add an entity without further information, unless it exists."""
        if name not in self:
            self._set(kind or kind_by_name(name), name)

    def state(self, kind: str, name: str, columns: tuple[str, ...]) -> tuple[str, ...]:
        """Apply an entity's line; return the other entities it names."""
        self._become(kind, name)
        if kind == FILE:
            self.files[name] = columns[0] or type_of(name)
            others = names_in(columns[1])
            for other in others:
                self.add(other)
            return tuple(others)
        if kind == PACK:
            self.packs[name] = columns[0] or plain_name(name)
            return ()
        title, status, column = columns
        self.skills[name] = (title or plain_name(name), status or UNKNOWN)
        self._recount(self.part_of.get(name, ""))
        pack = pack_in(column)
        if not pack:
            self.cut(PART, name, self.part_of.get(name, ""))
            return ()
        self.join(PART, name, pack)
        return (pack,)

    def join(self, kind: str, source: str, target: str) -> None:
        """Add a relation; both ends are created if they do not exist."""
        self.add(source)
        if kind == PART:
            self._become(PACK, target)
            if self.part_of.get(source) == target:
                return
            self.cut(PART, source, self.part_of.get(source, ""))
            self.part_of[source] = target
        else:
            self.add(target)
            table = self.depends if kind == DEPENDS else self.references
            table.setdefault(source, set()).add(target)
        self._sources[kind].setdefault(target, set()).add(source)
        if kind == PART:
            self._recount(target)

    def join_all(self, edges: Iterable[tuple[str, str, str]]) -> None:
        """Add many relations; faster than one by one if the ends exist."""
        known = self.skills.keys() | self.packs.keys() | self.files.keys()
        for kind, source, target in edges:
            if kind == PART or source not in known or target not in known:
                self.join(kind, source, target)
                continue
            table = self.depends if kind == DEPENDS else self.references
            table.setdefault(source, set()).add(target)
            self._sources[kind].setdefault(target, set()).add(source)

    def cut(self, kind: str, source: str, target: str) -> None:
        """Remove a relation, if it exists."""
        if source not in self._sources[kind].get(target, ()):
            return
        self._sources[kind][target].discard(source)
        if kind == PART:
            del self.part_of[source]
            self._recount(target)
        else:
            (self.depends if kind == DEPENDS else self.references)[source].discard(target)

    def relate(self, path: str, others: Iterable[str]) -> None:
        """Record which skills and packs were named together with a file."""
        for other in others:
            self.related.setdefault(path, set()).add(other)
            self._files_of.setdefault(other, set()).add(path)

    def remove(self, name: str) -> None:
        """Remove an entity with all its relations."""
        for kind in RELATIONS:
            for target in list(self.targets(kind, name)):
                self.cut(kind, name, target)
            for source in list(self.sources(kind, name)):
                self.cut(kind, source, name)
        self._unset(name)

    def rename(self, name: str, target: str) -> None:
        """Give an entity another id; what is known of it, and its relations, stay."""
        if name not in self or not target or name == target:
            return
        self.add(target)
        if name in self.skills and target in self.skills:
            (title, status), (other, now) = self.skills[name], self.skills[target]
            own = other != plain_name(target) or title == plain_name(name)
            self.skills[target] = other if own else title, status if now == UNKNOWN else now
        elif name in self.packs:
            self._become(PACK, target)
            if self.packs[name] != plain_name(name):
                self.packs[target] = self.packs[name]
            if name in self.stated:
                self.stated[target] = self.stated[name]
        self._pass_on(name, target)
        self.remove(name)

    def _pass_on(self, name: str, target: str) -> None:
        """Give an entity's relations to another one too."""
        for kind in RELATIONS:
            for end in {*self.targets(kind, name)} - {target}:
                self.join(kind, target, end)
            for source in {*self.sources(kind, name)} - {target}:
                self.join(kind, source, target)
        for path in list(self._files_of.get(name, ())):
            self.relate(path, [target])
        if target in self.files:
            self.relate(target, self.related.get(name, set()) - {target})

    def _become(self, kind: str, name: str) -> None:
        """Change an entity's kind; fields that only the old kind has are lost."""
        before = self.kind_of(name)
        if before == kind:
            return
        if before == PACK:
            for source in list(self.sources(PART, name)):
                self.cut(PART, source, name)
            self.stated.pop(name, None)
        if before == SKILL and kind == PACK:
            self.packs[name] = self.skills.pop(name)[0]
        elif before == PACK and kind == SKILL:
            self.skills[name] = (self.packs.pop(name), UNKNOWN)
        else:
            self._unset(name)
            self._set(kind, name)

    def _set(self, kind: str, name: str) -> None:
        if kind == FILE:
            self.files[name] = type_of(name)
        elif kind == PACK:
            self.packs[name] = plain_name(name)
        else:
            self.skills[name] = (plain_name(name), UNKNOWN)

    def _unset(self, name: str) -> None:
        self.skills.pop(name, None)
        self.packs.pop(name, None)
        self.stated.pop(name, None)
        self.files.pop(name, None)
        for other in self.related.pop(name, ()):
            self._files_of[other].discard(name)
        for path in self._files_of.pop(name, ()):
            self.related[path].discard(name)


def _bare(status: str) -> str:
    """Return a status without signs and without a remark in parentheses."""
    return " ".join(_WORD.findall(status.partition("(")[0])).casefold()


def _in_path(name: str, path: str) -> bool:
    """Return whether a path contains all words of an entity's id."""
    bare = name.removeprefix("skill-").removeprefix("pack-")
    words = set(_WORD.findall(bare.casefold()))
    return bool(words) and words <= set(_WORD.findall(path.casefold()))


def plain_name(name: str) -> str:
    """Return the default name of an entity: its id, without the column separator."""
    return column_of(name)


def pack_in(column: str) -> str:
    """Return the pack that a column names; empty if none."""
    name = tidy_id(column.replace("[", " ").replace("]", " "))
    return "" if column.casefold() in _NOTHING else name


def names_in(column: str) -> list[str]:
    """Return the entities a column lists: separated by commas, or in double brackets."""
    found: list[str] = []
    rest = column
    while rest:
        rest = rest.lstrip(" ,")
        if rest.startswith("[[") and "]]" in rest:
            name, _, rest = rest[2:].partition("]]")
            found.append(tidy_id(name))
        else:
            name, _, rest = rest.partition(",")
            name = tidy_id(name.replace("[", " ").replace("]", " "))
            if name not in _NOTHING:
                found.append(name)
    return [name for name in found if name]


def folded(blocks: Iterable[Block], options: LayersOptions) -> Graph:
    """Return the graph of all events."""
    return Graph(options).fold(blocks)

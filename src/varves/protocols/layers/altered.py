"""Compares the entries that the ledger knows with the blocks of CHANGELOG.md.

An entry is identified by the digest of its block and its number among equal blocks. A known entry
that is missing was moved to the archive, changed, or removed. An unknown block is the changed form
of a missing entry if it has the same heading, or if it is in the entry's place: between two known
entries nothing else can be there. At the end, where new entries are added, it must also be similar.
Any other unknown block is new.

Each entry is recorded with the entry before it. An entry that is now before that one was moved,
unless the times of both confirm the new order.
"""

from __future__ import annotations

from varves.protocols.layers.blocks import name_of
from varves.protocols.similar import similarity
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from varves.protocols.layers.blocks import Block

ALIKE = 0.5  # least similarity of a changed entry to the block in its place
_END = 1 << 60  # a position after all others
HELD = ("active", "flagged")  # the statuses of entries that should be in the file


class KnownEntry(Value):
    """An entry that was seen before."""

    id: str
    digest: str
    ordinal: int
    text: str
    time: str
    title: str
    status: str
    after: str | None = None
    """The entry before it when it was recorded, if that is known."""
    committed: bool = False
    """Whether it is only in git's version of the file: no event records it."""


class Fresh(Value):
    """A block that was not seen before."""

    block: Block
    ordinal: int
    """Its number among equal blocks; blocks in the archive are counted first."""
    place: str
    """Where the block is: `end`, `elsewhere` or `archive`."""
    after: str | None
    """The entry before it, if any."""


class ComparedLog(Value):
    """The result of comparing the file with the ledger."""

    present: dict[str, Block]
    """The blocks of known entries in the log, by the entry's memory."""
    archived: dict[str, Block]
    """The blocks of known entries in the archive, by the entry's memory."""
    changed: tuple[tuple[KnownEntry, Block], ...]
    missing: tuple[KnownEntry, ...]
    fresh: tuple[Fresh, ...]
    moved: tuple[tuple[KnownEntry, KnownEntry, Block], ...] = ()
    """The entries that are before the entry they were recorded after: both, and the block."""


def see(
    known: Sequence[KnownEntry],
    blocks: Sequence[Block],
    archive: Sequence[Block],
    *,
    elsewhere: Container[str] = (),
) -> ComparedLog:
    """Compare the known entries, in order, with the blocks of the file, oldest first.

    `elsewhere`: entries that are correctly not in this file, so no block can be their changed form.
    """
    present, archived, lost, loose = _matched(known, blocks, archive)
    places = {id(block): place for place, block in enumerate(blocks)}
    here = [block for block, _ in loose if id(block) in places]
    mine = [one for one in lost if one.id not in elsewhere]
    changed = _changed(known, mine, here, _Positions(places, present))
    taken = {id(block) for _, block in changed}
    gone = {one.id for one, _ in changed}
    by_place = {places[id(block)]: name for name, block in present.items()}
    by_place |= {places[id(block)]: one.id for one, block in changed}
    last = max(by_place, default=-1)
    fresh = []
    for block, ordinal in loose:
        if id(block) in taken:
            continue
        place = places.get(id(block))
        if place is None:
            fresh.append(Fresh(block=block, ordinal=ordinal, place="archive", after=None))
            continue
        before = max((spot for spot in by_place if spot < place), default=None)
        fresh.append(
            Fresh(
                block=block,
                ordinal=ordinal,
                place="end" if place > last else "elsewhere",
                after=None if before is None else by_place[before],
            )
        )
        by_place[place] = name_of(block.digest, ordinal)
    there = present | {one.id: block for one, block in changed}
    return ComparedLog(
        present=present,
        archived=archived,
        changed=tuple(changed),
        missing=tuple(one for one in lost if one.id not in gone),
        fresh=tuple(fresh),
        moved=tuple(_moved(known, there, places)),
    )


def _moved(
    known: Sequence[KnownEntry], there: dict[str, Block], places: dict[int, int]
) -> Iterator[tuple[KnownEntry, KnownEntry, Block]]:
    """Yield the entries that are now before the entry after which they were recorded."""
    for one, before in predecessors(known, there):
        early = places[id(there[one.id])] < places[id(there[before.id])]
        if early and one.time >= before.time:
            yield one, before, there[one.id]


def predecessors(
    known: Iterable[KnownEntry], there: Container[str]
) -> Iterator[tuple[KnownEntry, KnownEntry]]:
    """Yield the entries of the file, each with the nearest entry recorded before it."""
    known = [*known]
    entries = {name_of(one.digest, one.ordinal): one for one in known}
    entries |= {one.id: one for one in known}
    for one in known:
        seen, before = {one.id}, entries.get(one.after or "")
        while before is not None and before.id not in there and before.id not in seen:
            seen.add(before.id)
            before = entries.get(before.after or "")
        if one.id in there and before is not None and before.id not in seen:
            yield one, before


def _matched(
    known: Iterable[KnownEntry], blocks: Sequence[Block], archive: Sequence[Block]
) -> tuple[dict[str, Block], dict[str, Block], list[KnownEntry], list[tuple[Block, int]]]:
    """Match known entries with blocks; return the matches, and the unmatched entries and blocks."""
    slots: dict[str, list[Block]] = {}
    for block in (*archive, *blocks):
        slots.setdefault(block.digest, []).append(block)
    old = {id(block) for block in archive}
    present: dict[str, Block] = {}
    archived: dict[str, Block] = {}
    lost: list[KnownEntry] = []
    used: dict[str, int] = {}
    standing: dict[str, list[KnownEntry]] = {}
    for one in known:
        standing.setdefault(one.digest, []).append(one)
    for digest, some in standing.items():
        some.sort(key=lambda one: (one.status not in HELD, one.ordinal))
        ordinals = {one.ordinal for one in some}
        there = slots.get(digest, [])
        for one in some:
            count = used.get(digest, 0)
            if count < len(there):
                block = there[count]
                (archived if id(block) in old else present)[one.id] = block
                used[digest] = count + 1
            elif one.status in HELD:
                lost.append(one)
        used[digest] = max(used.get(digest, 0), min(len(ordinals), len(there)))
    loose = [
        (block, number)
        for digest, there in slots.items()
        for number, block in enumerate(there)
        if number >= used.get(digest, 0)
    ]
    order = {id(block): place for place, block in enumerate((*archive, *blocks))}
    loose.sort(key=lambda pair: order[id(pair[0])])
    ranks = {one.id: rank for rank, one in enumerate(known)}
    lost.sort(key=lambda one: ranks[one.id])
    return present, archived, lost, loose


class _Positions:
    """The positions of the known entries in the file."""

    def __init__(self, places: dict[int, int], present: dict[str, Block]) -> None:
        self._places = places
        self._of = {name: places[id(block)] for name, block in present.items()}

    def of(self, name: str) -> int | None:
        return self._of.get(name)

    def block(self, block: Block) -> int:
        return self._places[id(block)]


def _changed(
    known: Sequence[KnownEntry],
    lost: Sequence[KnownEntry],
    loose: Sequence[Block],
    positions: _Positions,
) -> list[tuple[KnownEntry, Block]]:
    """Pair missing entries with the blocks that are their changed forms."""
    if not lost or not loose:
        return []
    pairs: list[tuple[KnownEntry, Block]] = []
    left = list(loose)
    open_: list[KnownEntry] = []
    headings: dict[tuple[str, str], list[Block]] = {}
    for block in left:
        headings.setdefault((block.time, fold(block.title)), []).append(block)
    for one in lost:
        same = headings.get((one.time, fold(one.title)))
        if same:
            block = same.pop(0)
            left.remove(block)
            pairs.append((one, block))
        else:
            open_.append(one)
    bounds = _bounds(known, positions) if open_ and left else {}
    for least in (ALIKE, 0.0):
        for one in [*open_] if bounds else ():
            low, high = bounds[one.id]
            if high == _END and not least:
                continue
            for block in left:
                inside = low < positions.block(block) < high
                if inside and similarity(one.text, block.text) >= least:
                    open_.remove(one)
                    left.remove(block)
                    pairs.append((one, block))
                    break
    return pairs


def _bounds(known: Sequence[KnownEntry], positions: _Positions) -> dict[str, tuple[int, int]]:
    """Return, for each entry, the two positions in the file between which it belongs."""
    lows: dict[str, int] = {}
    low, high = -1, _END
    for one in known:
        place = positions.of(one.id)
        low = low if place is None else place
        lows[one.id] = low
    found: dict[str, tuple[int, int]] = {}
    for one in reversed(known):
        place = positions.of(one.id)
        high = high if place is None else place
        found[one.id] = lows[one.id], high
    return found


def neighbours(
    known: Sequence[KnownEntry], name: str, there: Iterable[str]
) -> tuple[str | None, str | None]:
    """Return the known entries that come directly before and after a missing one in the file."""
    here = set(there)
    names = [one.id for one in known]
    at = names.index(name)
    before = next((one for one in reversed(names[:at]) if one in here), None)
    after = next((one for one in names[at + 1 :] if one in here), None)
    return before, after

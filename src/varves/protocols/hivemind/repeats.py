"""Finds memories that repeat each other, and chooses the one to keep.

Two texts must be more than 80 % alike, but that is not enough: "on by default" and "off by default"
are 96 % alike. Two memories repeat each other only if every field of their contents has the same
content words (protocols/sameness.py) and the judge does not say otherwise. That the judge calls two
texts the same is not enough to drop one: the judge does not distinguish "may" from "must". The
newest replaces the others if it has at least their priority and lives at least as long. A protected
memory is replaced only by a protected memory, and a memory of the USER only by another one of the
USER. If two memories have the same text, ignoring case, white space and final punctuation, the
older one may also be the one that is kept. If neither may replace the other, both are kept.
"""

from __future__ import annotations

from varves.events.codec import canonical
from varves.language.judge import SAME
from varves.language.replacing import opinion
from varves.protocols.hivemind.entries import body_of
from varves.protocols.sameness import group_of, same
from varves.values.memory import PRIORITIES
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from varves.values.memory import Memory

    Alike = Callable[[str, str], bool]

PROTECTING = frozenset(("permanent", "protected", "core"))
_PERSON = "USER"
_MEDIUM = PRIORITIES.index("medium")
_NEVER = "9999"


def protected(memory: Memory) -> bool:
    """Return whether a memory is exempt from archiving for lack of use."""
    return (
        memory.priority == "critical"
        or memory.created_by == _PERSON
        or not PROTECTING.isdisjoint(memory.tags)
    )


def stands_for(memory: Memory) -> set[str]:
    """Return the ids of a memory and of all memories merged into it."""
    return {memory.id, *memory.links.get("merged_from", ())}


def repeated(memories: Sequence[Memory], alike: Alike) -> Iterator[tuple[Memory, Memory]]:
    """Yield pairs of memories of which the first may replace the second, the newest first.

    Args:
        memories: of one scope, type and subtype, in order of recording.
        alike: returns whether two texts are alike enough to be compared.
    """
    groups: dict[tuple[str, ...], list[Memory]] = {}
    for one in sorted(memories, key=lambda one: max(one.updated_at, one.created_at)):
        groups.setdefault(group_of(one.text), []).append(one)
    for group in groups.values():
        group.reverse()
        for place, newer in enumerate(group):
            for older in group[place + 1 :]:
                if alike(newer.text, older.text) and says_same(newer, older):
                    yield from _standing(newer, older)


def _standing(newer: Memory, older: Memory) -> Iterator[tuple[Memory, Memory]]:
    if _may_stand(newer, older):
        yield newer, older
    elif fold(newer.text) == fold(older.text) and _may_stand(older, newer):
        yield older, newer


def _may_stand(kept: Memory, other: Memory) -> bool:
    """Return whether `kept` has at least the protection, priority and lifetime of `other`."""
    if protected(other) and not protected(kept):
        return False
    if other.created_by == _PERSON != kept.created_by:
        return False
    lasting = (kept.expires_at or _NEVER) >= (other.expires_at or _NEVER)
    return _rank(kept) <= _rank(other) and lasting


def _rank(memory: Memory) -> int:
    return PRIORITIES.index(memory.priority) if memory.priority in PRIORITIES else _MEDIUM


def says_same(one: Memory, other: Memory) -> bool:
    """Return whether all fields of two memories have the same meaning; if in doubt, they do not."""
    left, right = body_of(one), body_of(other)
    return (
        left.keys() == right.keys()
        and all(_same(left[name], right[name]) for name in left)
        and canonical(one.extra.get("unknown")) == canonical(other.extra.get("unknown"))
        and one.evidence == other.evidence
    )


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return same(one, other) and _is_same_or_unknown(one, other)
    return canonical([one]) == canonical([other])


def _is_same_or_unknown(one: str, other: str) -> bool:
    """Return whether the judge says that two texts say the same, or has no opinion."""
    verdict = None if fold(one) == fold(other) else opinion(one, other)
    return verdict is None or verdict.kind == SAME

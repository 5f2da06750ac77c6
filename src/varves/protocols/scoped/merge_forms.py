"""How git's merge driver merges files of entries, and the block in a prompt file.

Two branches may use one number for two entries. As in a rendered file, the older entry keeps it,
and the other gets the next number above all that are in use.
"""

from __future__ import annotations

from varves.protocols.records import listed
from varves.protocols.scoped.entries import ENTRY
from varves.protocols.scoped.places import scope_in
from varves.protocols.threeway import Form, fields, records, settled_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.threeway import Versions

_NUMBERLESS = 1 << 30  # sorts after all numbers


def _settled(versions: Versions) -> Versions:
    return settled_object(versions, _RULE, check=_check, finish=_numbered)


def _check(document: dict[str, Any]) -> None:
    listed(document, "entries", "entry")


def _key(one: dict[str, Any]) -> tuple[str, str]:
    """Return the identity of an entry, for which the number alone is not unique across branches."""
    from varves.protocols.scoped.numbers import number_in

    number = number_in(one.get("id"))
    return (str(number), str(one.get("created_at"))) if number else ("", one["content"])


def _numbered(document: dict[str, Any], seen: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the document with each number once, in order."""
    from varves.protocols.scoped.numbers import label, number_in

    numbers = [number_in(one.get("id")) for part in seen for one in part.get("entries", ())]
    highest = max((number for number in numbers if number), default=0)
    taken: set[int] = set()
    entries = []
    for one in document["entries"]:
        number = number_in(one.get("id"))
        if number in taken:
            highest = number = highest + 1
            one = {**one, "id": label(number)}  # noqa: PLW2901 - the entry under its new number
        taken |= {number} if number else set()
        entries.append((number or _NUMBERLESS, one))
    entries.sort(key=lambda pair: pair[0])
    return {**document, "entries": [one for _, one in entries]}


def _blocks(versions: Versions) -> Versions:
    """Take our version of the block in a prompt file; the next `inject` writes it again."""
    from varves.protocols.scoped.prompts import BEGIN, END
    from varves.protocols.unreadable import Unreadable

    parts = []
    for content in (versions.origin, versions.ours, versions.theirs):
        before, begin, rest = content.partition(BEGIN.encode())
        block, end, after = rest.partition(END.encode())
        single = begin and end and BEGIN.encode() not in rest and END.encode() not in before + after
        parts.append((before, block, after) if single else None)
    origin, ours, theirs = parts
    if ours is None or theirs is None:
        raise Unreadable("both sides do not have one block")

    def rewritten(part: tuple[bytes, bytes, bytes] | None, otherwise: bytes) -> bytes:
        if part is None:
            return otherwise
        return part[0] + BEGIN.encode() + ours[1] + END.encode() + part[2]

    return versions.replace(
        origin=rewritten(origin, versions.origin),
        ours=rewritten(ours, versions.ours),
        theirs=rewritten(theirs, versions.theirs),
    )


_RULE = fields(
    {
        "entries": records(
            _key,
            ENTRY.merge(),
            order=lambda one: str(one.get("created_at")),
            fresh=lambda one: (*_key(one), one["content"]),
        )
    }
)
FORMS = (
    Form(
        patterns=("memory/projects/*/memory.json", "memory/teams/*/memory.json"),
        fits=lambda path: scope_in(path) is not None,
        settled=_settled,
    ),
)
PROMPTS = (Form(patterns=(), fits=lambda path: True, settled=_blocks),)  # noqa: ARG005 - any path
"""Prompt files with a block of this protocol; people name their paths."""

"""How git's merge driver merges files of entries, and the block in a prompt file.

Two branches may use one number for two entries. As in a rendered file, the older entry keeps it,
and the other gets the next number above all that are in use.
"""

from __future__ import annotations

from varves.protocols.records import listed, moment, seconds
from varves.protocols.scoped.entries import ENTRY, NUMBERLESS, label, number_in
from varves.protocols.scoped.places import scope_in
from varves.protocols.threeway import Form, fields, records, settled_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.threeway import Versions


def _settled(versions: Versions) -> Versions:
    return settled_object(versions, _RULE, check=_check, finish=_numbered)


def _check(document: dict[str, Any]) -> None:
    listed(document, "entries", "entry")


def _key(one: dict[str, Any]) -> tuple[str, str]:
    """Return the identity of an entry, for which the number alone is not unique across branches."""
    number = number_in(one.get("id"))
    return (str(number), str(one.get("created_at"))) if number else ("", one["content"])


def _numbered(document: dict[str, Any], seen: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the document with each number once, in order."""
    numbers = [number_in(one.get("id")) for part in seen for one in part.get("entries", ())]
    highest = max((number for number in numbers if number), default=0)
    entries: dict[int, dict[str, Any]] = {}
    late, numberless = [], []
    for one in sorted(document["entries"], key=_age):
        number = number_in(one.get("id"))
        if number is None:
            numberless.append(one)
        elif number in entries:
            late.append(one)
        else:
            entries[number] = one
    for highest, one in enumerate(late, highest + 1):  # noqa: B020 - counts on
        entries[highest] = {**one, "id": label(highest)}
    return {**document, "entries": [*(entries[one] for one in sorted(entries)), *numberless]}


def _age(one: dict[str, Any]) -> tuple[str, int, str]:
    """Return what orders entries by age, as `numbers` does."""
    born = moment(one.get("created_at"))
    return seconds(born) if born else "", number_in(one.get("id")) or NUMBERLESS, one["content"]


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
            order=_age,
            fresh=lambda one: (str(one.get("created_at")), one["content"]),
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

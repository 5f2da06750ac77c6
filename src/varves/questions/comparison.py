"""The result of a comparison of two moments, and its form in Markdown, for a pull request.

In Markdown, all texts are in fenced blocks of the language `diff`, where no markup, mention or link
has an effect. Invisible characters are escaped, and a fence is longer than any run of its signs.
"""

from __future__ import annotations

from textwrap import wrap

from varves.values.text import counted
from varves.values.unseen import shown
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.fold.conflicts import Conflict

GONE = "gone"
MOST = 100  # the most memories under one heading: a comment on a pull request has a largest size
_WIDE = 96
_LONGEST = 2000  # the most characters of one text
_FENCE = "`"


class ComparedMoment(Value):
    """One of the two moments."""

    asked: str | None
    """An instant, an event or a git revision, as the caller gave it; None for now."""
    at: str
    memories: int
    """How many memories count at that moment."""


class MemoryChange(Value):
    """A memory that was added, was forgotten or came back."""

    id: str
    text: str
    type: str
    scope: str
    tags: tuple[str, ...]
    kept: str
    status: str
    """The status at the later moment; `gone` if the memory is unknown there."""
    by: str
    at: str | None
    """When this happened; None if the memory is unknown at the later moment."""
    reason: str | None


class MemoryCorrection(MemoryChange):
    """A memory whose text was replaced; the other fields are those of the new memory."""

    was_id: str
    """The id of the memory with the old text; if it was edited in place, the same id."""
    was: str


class Diff(Value):
    """What changed from one moment to another; each list has the latest change first."""

    earlier: ComparedMoment
    later: ComparedMoment
    added: tuple[MemoryChange, ...]
    corrected: tuple[MemoryCorrection, ...]
    forgotten: tuple[MemoryChange, ...]
    returned: tuple[MemoryChange, ...]
    """Memories that had been taken out of use, and new ones whose text had been rejected."""
    conflicts: tuple[Conflict, ...]
    """The open conflicts of the later moment that one of these memories is part of."""

    @property
    def markdown(self) -> str:
        """The comparison as Markdown, for a pull request; no text in it can act as markup."""
        return _markdown(self)


def _markdown(found: Diff) -> str:
    """Return a comparison as Markdown."""
    parts = ["## What the agents remember", "", _summary(found)]
    for title, sign, changes in (
        ("Corrected", "+", found.corrected),
        ("Forgotten", "-", found.forgotten),
        ("Came back", "+", found.returned),
        ("Added", "+", found.added),
    ):
        lines = [line for one in changes[:MOST] for line in _change(one, sign)]
        parts += _section(title, lines, len(changes))
    disputes = [line for one in found.conflicts[:MOST] for line in _conflict(one)]
    parts += _section("In dispute", disputes, len(found.conflicts))
    return "\n".join(parts) + "\n"


def _summary(found: Diff) -> str:
    counts = (
        (found.added, "added"),
        (found.corrected, "corrected"),
        (found.forgotten, "forgotten"),
        (found.returned, "came back"),
        (found.conflicts, "in dispute"),
    )
    said = [f"{len(some)} {word}" for some, word in counts if some]
    change = ", ".join(said) or "nothing changed"
    first, last = (_date(one.at) for one in (found.earlier, found.later))
    then, now = found.earlier.memories, found.later.memories
    return f"From {first} to {last} UTC: {change}; {counted(then, 'memory')} then, {now} now."


def _section(title: str, lines: Sequence[str], count: int) -> list[str]:
    if not lines:
        return []
    text = "\n".join(lines)
    fence = _FENCE * 3
    while fence in text:
        fence += _FENCE
    more = ["", f"and {count - MOST} more"] if count > MOST else []
    return ["", f"### {title} ({count})", "", f"{fence}diff", *lines, fence, *more]


def _change(one: MemoryChange | MemoryCorrection, sign: str) -> Iterator[str]:
    if hasattr(one, "was"):
        yield from _text(one.was, "-")
    yield from _text(one.text, sign)
    when = _date(one.at) if one.at else ""
    why = one.reason or (one.status if sign == "-" else "")
    about = [one.id, one.by, when, *(f"#{tag}" for tag in one.tags), why]
    yield from _text(" · ".join(filter(None, about)), " ")


def _conflict(one: Conflict) -> Iterator[str]:
    for member in one.members:
        yield from _text(member.titled, "!")
    yield from _text(f"{one.id} · {one.reason}", " ")


def _text(text: str, sign: str) -> Iterator[str]:
    """Yield a text as lines that begin with a sign; a long line is continued under it."""
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    for line in cut.splitlines():
        said = "".join(shown(ord(letter)) for letter in line)
        for number, part in enumerate(wrap(said, _WIDE) or [""]):
            yield f"{sign} {'  ' * (number > 0)}{part}".rstrip()


def _date(instant: str) -> str:
    return instant[:16].replace("T", " ")

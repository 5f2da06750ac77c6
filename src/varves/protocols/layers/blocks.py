"""A parsed changelog: a preamble, events, a footer, and any text between.

No text is lost: the parts joined again are the file. The fields of an event (its sections, type,
files) are computed at first use, because most callers need only a few events.
"""

from __future__ import annotations

import re
from functools import cached_property
from hashlib import sha256
from itertools import pairwise

from varves.protocols.layers.scan import Page, headers, linked_files, sections
from varves.values.ids import memory_of
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES = ("decision", "change", "result", "milestone")
SCOPES = ("project", "pack", "skill", "file")
SECTIONS = ("What", "Why", "Impact", "Next Steps")
NEWEST_FIRST = "<!-- varves: newest first -->"
UPRIGHT = f"if the newest event comes first, add this line above it: {NEWEST_FIRST}"
START = "<!-- varves: event log -->"

_COMMENT = re.compile(r"<!--\s*varves:\s*(newest first|event log)\s*-->")


class Suspect(Value):
    """A line that looks like an event's heading but is not one."""

    line: int
    text: str
    why: str


class Block(Value):
    """One event of the log, with the exact text that the file has for it."""

    raw: str
    """Its text with the file's line ends, up to its last line that is not blank."""
    gap: str
    """The text up to the next event: blank lines, rules, text that belongs to no event."""
    line: int
    """The line of its heading, from 1."""
    form: str
    """The form of the heading: published, dash, date, evt or decision."""
    stamp: str
    """The time as the heading has it."""
    time: str
    """The time as `YYYY-MM-DD HH:MM`, or only the date."""
    heading: str
    """The text of the heading after the time; in the form evt, all of it."""
    digest: str
    """SHA-256 of the text; line ends and trailing blanks are ignored."""
    ordinal: int = 0
    """Its number among events of equal digest, from 0, in the order of the log."""

    @cached_property
    def text(self) -> str:
        """Its text, with plain line ends."""
        return self.raw.replace("\r\n", "\n").rstrip("\n")

    @cached_property
    def _page(self) -> Page:
        return Page(self.text)

    @cached_property
    def name(self) -> str:
        """The id of its memory; the same text always gives the same id."""
        return name_of(self.digest, self.ordinal)

    @cached_property
    def headers(self) -> dict[str, str]:
        """The bold fields before the first section, by name."""
        return headers(self._page)

    @cached_property
    def parts(self) -> dict[str, str]:
        """Its sections by name, in order; if it has none, its bold fields."""
        found = sections(self._page)
        return found or {
            name: said for name, said in self.headers.items() if name not in ("Type", "Scope")
        }

    @cached_property
    def title(self) -> str:
        """Its title, on one line."""
        if self.form == "evt":
            return _line(self.headers.get("Summary", ""))
        if self.form == "decision":
            return _line(self.headers.get("Title", "")) or self.heading
        return self.heading

    @cached_property
    def type(self) -> str | None:
        """The type, as written."""
        if self.form == "evt":
            return self.heading.split("|")[-1].strip() or None
        return _line(self.headers.get("Type", "")) or None

    @cached_property
    def area(self) -> str | None:
        """The event's scope, as written."""
        return _line(self.headers.get("Scope", "")) or None

    @cached_property
    def author(self) -> str | None:
        """The author, if the form of the heading includes one."""
        return self.heading.split("|")[-2].strip() or None if self.form == "evt" else None

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files it links or names in backticks, each once, in order."""
        return linked_files(self._page)


class Changelog(Value):
    """A parsed log, in its parts."""

    preamble: str
    blocks: tuple[Block, ...]
    """The events in the order of the file."""
    footer: str
    """Text after the last event that belongs to no event; new events are put before it."""
    newline: str = "\n"
    suspects: tuple[Suspect, ...] = ()
    markers: tuple[int, ...] = ()
    """The lines of git's conflict markers."""
    unclosed: int | None = None
    """The line that opens code or a comment that is never closed."""
    comments: tuple[str, ...] = ()
    """The varves comments before the first event."""
    skipped: int = 0
    """The number of earlier events, if only the end of a log was read."""
    archived: int = 0
    """How many of the events, from the first on, are in the archive."""
    chained: str = "0" * 32
    """The digest of the earlier events that were not read."""

    @cached_property
    def content(self) -> bytes:
        """The bytes of the file."""
        parts = [self.preamble]
        for block in self.blocks:
            parts += (block.raw, block.gap)
        return "".join((*parts, self.footer)).encode("utf-8")

    def but(self, **changes: object) -> Changelog:
        """Return a copy with other fields; cached values are computed again."""
        return Changelog(**{name: getattr(self, name) for name in self._fields} | changes)

    def without(self, blocks: Sequence[Block]) -> bytes:
        """Return the bytes of the file without some events and the text after each of these."""
        gone = {block.name for block in blocks}
        parts = [self.preamble]
        parts += [block.raw + block.gap for block in self.blocks if block.name not in gone]
        return "".join((*parts, self.footer)).encode("utf-8")

    def first(self, count: int) -> Changelog:
        """Return the log as it was when it had `count` events."""
        left = len(self.blocks) - count
        blocks = self.blocks[left:] if self.newest_first else self.blocks[:count]
        return self.but(blocks=blocks, footer="") if left > 0 else self

    @property
    def newest_first(self) -> bool:
        """Whether the file states that its newest event comes first."""
        return "newest first" in self.comments

    def misdated(self, ahead: str) -> tuple[Block, ...]:
        """Return the events dated `ahead` or later that an event dated before it follows."""
        past = [place for place, block in enumerate(self.ordered) if block.time < ahead]
        end = past[-1] if past else 0
        return tuple(block for block in self.ordered[:end] if block.time >= ahead)

    def upside_down(self, ahead: str) -> bool:
        """Whether its times only decrease, although no comment says that the newest is first.

        An event dated `ahead`, in the future, is ignored if one dated before it follows.
        """
        wrong = {block.line for block in self.misdated(ahead)}
        times = [block.time for block in self.blocks if block.time and block.line not in wrong]
        steps = [
            (one[: len(other)], other[: len(one)])  # a date without a time may be any time of it
            for one, other in pairwise(times)
        ]
        falls = any(one > other for one, other in steps)
        return not self.newest_first and falls and all(one >= other for one, other in steps)

    @property
    def is_log(self) -> bool:
        """Whether the file is a log of events, and not another project's list of releases."""
        return bool(self.blocks) or bool(self.comments)

    @cached_property
    def ordered(self) -> tuple[Block, ...]:
        """The events, oldest first."""
        return self.blocks[::-1] if self.newest_first else self.blocks

    @cached_property
    def chains(self) -> list[str]:
        """Digests, oldest first: of no event, then, for each event, of all events up to it."""
        found = [self.chained]
        for block in self.ordered:
            link = f"{found[-1]}\n{block.digest}".encode("ascii")
            found.append(sha256(link).hexdigest()[:32])
        return found


def comments_in(text: str) -> tuple[str, ...]:
    """Return the texts of varves comments, in order."""
    return tuple(_COMMENT.findall(text))


def name_of(digest: str, ordinal: int) -> str:
    """Return the memory id of the n-th event with a digest."""
    return memory_of(sha256(f"{digest}:{ordinal}".encode("ascii")).digest())


def _line(text: str) -> str:
    """Return a field's value on one line; the value ends at a blank line or the end of the text."""
    return " ".join(text.lstrip("\n").partition("\n\n")[0].split())

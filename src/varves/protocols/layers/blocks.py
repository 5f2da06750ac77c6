"""A changelog as it was read: a start, events, an end, and whatever lies between.

Nothing of the text is thrown away: the pieces put together again are the file. What an event says
(its sections, its type, its files) is worked out when somebody asks, because most callers ask of a
few events only.
"""

from __future__ import annotations

import re
from functools import cached_property
from hashlib import sha256

from varves.protocols.layers.fields import Page, headers, linked_files, sections
from varves.values.ids import memory_of
from varves.values.value import Value

TYPES = ("decision", "change", "result", "milestone")
SCOPES = ("project", "pack", "skill", "file")
SECTIONS = ("What", "Why", "Impact", "Next Steps")
NEWEST_FIRST = "<!-- varves: newest first -->"
UPRIGHT = f"if the newest event stands on top, say so above it: {NEWEST_FIRST}"
START = "<!-- varves: event log -->"

_COMMENT = re.compile(r"<!--\s*varves:\s*(newest first|event log)\s*-->")


class Suspect(Value):
    """A line that looks like an event's heading and is none."""

    line: int
    text: str
    why: str


class Block(Value):
    """One event of the log, as it stands there."""

    raw: str
    """Its text with the file's own line ends, up to its last line that is not blank."""
    gap: str
    """What stands between it and the next event: blank lines, rules, text that is no event's."""
    line: int
    """The line of its heading, from 1."""
    form: str
    """How the heading is written: published, dash, date, evt or decision."""
    stamp: str
    """The time as the heading has it."""
    time: str
    """The time as `YYYY-MM-DD HH:MM`, or only the date."""
    heading: str
    """What the heading says after the time; of the form evt all of it."""
    digest: str
    """SHA-256 of the text; line ends and trailing blanks do not count."""
    ordinal: int = 0
    """Which one it is among events of equal digest, from 0, in the order of the log."""

    @cached_property
    def text(self) -> str:
        """Its text, with plain line ends."""
        return self.raw.replace("\r\n", "\n").rstrip("\n")

    @cached_property
    def _page(self) -> Page:
        return Page(self.text)

    @cached_property
    def name(self) -> str:
        """The id of the memory it is; the same wherever the same text is read."""
        return name_of(self.digest, self.ordinal)

    @cached_property
    def headers(self) -> dict[str, str]:
        """What stands in bold before the first section, by name."""
        return headers(self._page)

    @cached_property
    def parts(self) -> dict[str, str]:
        """Its sections by name, in order; where it has none, what stands in bold."""
        found = sections(self._page)
        return found or {
            name: said for name, said in self.headers.items() if name not in ("Type", "Scope")
        }

    @cached_property
    def title(self) -> str:
        """What it is about, on one line."""
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
        """What the event calls its scope, as written."""
        return _line(self.headers.get("Scope", "")) or None

    @cached_property
    def author(self) -> str | None:
        """Who the heading says it was, in the form that says so."""
        return self.heading.split("|")[-2].strip() or None if self.form == "evt" else None

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files it links or names in backticks, each once, in order."""
        return linked_files(self._page)


class Changelog(Value):
    """A log that was read, in the pieces it is made of."""

    preamble: str
    blocks: tuple[Block, ...]
    """The events in the order of the file."""
    footer: str
    """Text after the last event that is no event's; further events go before it."""
    newline: str = "\n"
    suspects: tuple[Suspect, ...] = ()
    markers: tuple[int, ...] = ()
    """The lines of git's conflict markers."""
    unclosed: int | None = None
    """The line that opens code or a comment which nothing closes."""
    comments: tuple[str, ...] = ()
    """What the comments before the first event say to us."""
    skipped: int = 0
    """How many events go before these, where only the end of a log was read."""
    chained: str = "0" * 32
    """The digest of those."""

    @cached_property
    def content(self) -> bytes:
        """The bytes of the file."""
        parts = [self.preamble]
        for block in self.blocks:
            parts += (block.raw, block.gap)
        return "".join((*parts, self.footer)).encode("utf-8")

    def but(self, **changes: object) -> Changelog:
        """Return the log with other fields; what was worked out from them is worked out anew."""
        return Changelog(**{name: getattr(self, name) for name in self._fields} | changes)

    def first(self, count: int) -> Changelog:
        """Return the log as it was when it had so many events."""
        left = len(self.blocks) - count
        blocks = self.blocks[left:] if self.newest_first else self.blocks[:count]
        return self.but(blocks=blocks, footer="") if left > 0 else self

    @property
    def newest_first(self) -> bool:
        """Whether the file says that its newest event stands on top."""
        return "newest first" in self.comments

    @cached_property
    def upside_down(self) -> bool:
        """Whether its times only fall, and it does not say that the newest stands on top."""
        times = [block.time for block in self.blocks if block.time]
        return not self.newest_first and times == sorted(times, reverse=True) != sorted(times)

    @property
    def is_log(self) -> bool:
        """Whether it is a log of events at all, and not another project's list of releases."""
        return bool(self.blocks) or bool(self.comments)

    @cached_property
    def ordered(self) -> tuple[Block, ...]:
        """The events, oldest first."""
        return self.blocks[::-1] if self.newest_first else self.blocks

    @cached_property
    def chains(self) -> list[str]:
        """The digests of all events up to each, the oldest first; the first is that before any."""
        found = [self.chained]
        for block in self.ordered:
            link = f"{found[-1]}\n{block.digest}".encode("ascii")
            found.append(sha256(link).hexdigest()[:32])
        return found


def comments_in(text: str) -> tuple[str, ...]:
    """Return what comments that are meant for us say, in order."""
    return tuple(_COMMENT.findall(text))


def name_of(digest: str, ordinal: int) -> str:
    """Return the memory id of the event with a digest that is the n-th of its like."""
    return memory_of(sha256(f"{digest}:{ordinal}".encode("ascii")).digest())


def _line(text: str) -> str:
    return " ".join(text.split())

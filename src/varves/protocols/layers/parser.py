"""Parses a log: which headings are events, where each event ends, and what only looks like one.

An event ends at the next heading of its level or above. A rule ends it too, unless one of its own
sections or bold fields follows. Text between that end and the next event belongs to no event, so
that an event is parsed in the same way whether or not it is the last in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate

from varves.errors import Refused, UsageError
from varves.protocols.layers.blocks import Block, Changelog, Suspect, comments_in
from varves.protocols.layers.scan import Head, Scan, markers, scan
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_DATE = r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
_CLOCK = r"([0-9]{2}:[0-9]{2})(?::[0-9]{2}(?:\.[0-9]+)?)?"
_DATED = re.compile(rf"{_DATE}(?:[ T]{_CLOCK}(?:[ ]?(?:Z|UTC))?)?(?:\s*([—\u2013-])\s*(.*)|\s*)$")
_EVT = re.compile(rf"(evt-\w+)\s*\|\s*({_DATE}(?:[ T]{_CLOCK}Z?)?)\s*\|([^|]*)\|([^|]*)$")
_DECISION = re.compile(
    rf"Decision:\s*({_DATE}(?:[ T]{_CLOCK})?(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)\s*$"
)
_LIKE = re.compile(r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|evt-|decision:)", re.IGNORECASE)
_TIME = re.compile(r"[0-9]{4}-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]")
_NO_RULES = dict.fromkeys(map(ord, "-*_"))
_PARTS = frozenset(("what", "why", "impact", "next steps"))


class _Heading(Value):
    form: str
    stamp: str
    time: str
    heading: str


class _Doubt(Value):
    why: str
    anywhere: bool = True
    """Whether a heading with this fault is also reported inside an event."""


class _Span(Value):
    """The lines of an event, from 0, the end excluded."""

    heading: _Heading
    start: int
    end: int


@lru_cache(maxsize=4)  # a verb reads the same bytes several times
def parse(content: bytes, path: str = "CHANGELOG.md") -> Changelog:
    """Parse a log; its parts joined are the same bytes.

    Raises:
        Refused: the file is not UTF-8.
    """
    text = decoded(content, path)
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    starts[-1] = len(text)
    lines[0] = lines[0].removeprefix("\ufeff")
    found = scan(lines)
    spans, suspects = _events(found, lines)
    blocks = _blocks(spans, text, starts)
    footer = ""
    if blocks:
        blocks[-1]["gap"], footer = _split_end(blocks[-1]["gap"])
    first = spans[0].start if spans else len(lines)
    comments = _comments(found, lines, first)
    preamble = text[: starts[first]]
    return Changelog(
        preamble=preamble or ("\ufeff" if text.startswith("\ufeff") else ""),
        blocks=_numbered(blocks, newest_first="newest first" in comments),
        footer=footer,
        newline="\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n",
        suspects=suspects,
        markers=tuple(index + 1 for index in markers(found)),
        unclosed=found.unclosed[0][0] + 1 if found.unclosed else None,
        comments=comments,
    )


def decoded(content: bytes, path: str) -> str:
    """Return the text of a file.

    Raises:
        Refused: the file is not UTF-8.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise Refused(
            f"{path}: line {line} is not UTF-8", "save it as UTF-8; nothing was written"
        ) from None


def digest_of(text: str) -> str:
    """Return the digest of an event's text; line ends and trailing blanks are ignored."""
    lines = text.split("\n")
    return sha256("\n".join(map(str.rstrip, lines)).rstrip("\n").encode("utf-8")).hexdigest()


def is_time(text: str) -> bool:
    """Return whether a text is a valid time of a heading, to the minute."""
    return _TIME.fullmatch(text) is not None and _real(text)


def looks_dated(text: str) -> bool:
    """Return whether a heading looks like an event's, valid or not."""
    return _LIKE.match(text) is not None


def heading_of(text: str, line: int) -> tuple[str, str]:
    """Split a heading into its time, empty if it has none, and its title.

    Raises:
        UsageError: it begins with a time that is invalid or not to the minute.
    """
    if not text[:4].isdecimal() or not _LIKE.match(text):
        return "", text
    found = _dated(text)
    if found is None or not is_time(found.time):
        raise UsageError(f"line {line}: the heading's time is not `YYYY-MM-DD HH:MM`")
    return found.time, found.heading


def _events(found: Scan, lines: Sequence[str]) -> tuple[list[_Span], tuple[Suspect, ...]]:
    suspects = [Suspect(line=at + 1, text=lines[at].strip(), why=why) for at, why in found.unclosed]
    judged = [_judged(head, found, number) for number, head in enumerate(found.heads)]
    spans: list[_Span] = []
    inside = 0  # the line at which the previous event ends
    for number, (head, verdict) in enumerate(zip(found.heads, judged, strict=True)):
        if isinstance(verdict, _Heading):
            inside = _end(found, judged, number, count=len(lines))
            end = _shortened(found, lines, head.at, inside)
            spans.append(_Span(heading=verdict, start=head.at, end=end))
        elif verdict and (verdict.anywhere or head.at >= inside):
            text = lines[head.at].strip()
            suspects.append(Suspect(line=head.at + 1, text=text, why=verdict.why))
    suspects += _odd(found, lines)
    return spans, tuple(sorted(suspects, key=lambda suspect: suspect.line))


def _end(found: Scan, judged: Sequence[object], number: int, *, count: int) -> int:
    """Return the line at which an event's section ends: at an event, or a heading of its level."""
    heads = found.heads
    for other in range(number + 1, len(heads)):
        if heads[other].level <= heads[number].level or isinstance(judged[other], _Heading):
            return heads[other].at
    return count


def _shortened(found: Scan, lines: Sequence[str], start: int, end: int) -> int:
    """Return where an event ends in its section: at a rule that none of its parts follows."""
    rules = _between(found.rules, start, end)
    if rules:
        own = [mark.at for mark in _between(found.heads, (start + 1,), (end,))]
        own += [mark.at for mark in _between(found.fields, (start,), (end,))]
        last = max(own, default=start)
        end = next((rule for rule in rules if rule > last), end)
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def _between(marks: Sequence[Any], start: Any, end: Any) -> Sequence[Any]:
    return marks[bisect_left(marks, start) : bisect_left(marks, end)]


def _odd(found: Scan, lines: Sequence[str]) -> Iterator[Suspect]:
    """Yield lines that look like headings but are not in Markdown, and underlined headings."""
    for at, why in found.odd:
        yield Suspect(line=at + 1, text=lines[at].strip(), why=why)


def _judged(head: Head, found: Scan, number: int) -> _Heading | _Doubt | None:
    """Classify a heading: an event's, similar to an event's, or neither."""
    text = head.text
    if _LIKE.match(text):
        like = _dated(text) or _evt(text) or _decision(text)
        if like is None:
            return _Doubt(why=_why(text))
        if not _real(like.time):
            return _Doubt(why=f"not a valid time: {like.stamp}")
        if head.level not in ((2, 3) if like.form == "evt" else (2,)):
            return _Doubt(why="an event's heading begins with ##")
        if like.heading or len(like.time) > len("YYYY-MM-DD") or _typed(head, found, number):
            return like
        return _Doubt(why="a date and nothing else")
    if head.level <= 2 and _typed(head, found, number):
        return _Doubt(why="there is no date", anywhere=False)
    return None


def _why(text: str) -> str:
    if text.lower().startswith("decision:"):
        return "there is no date"
    if text.lower().startswith("evt-"):
        return "not `evt-NNN | YYYY-MM-DD HH:MM | who | type`"
    return "the time is not `YYYY-MM-DD HH:MM`"


def _dated(text: str) -> _Heading | None:
    match = _DATED.match(text)
    if match is None:
        return None
    date, clock, sign, title = match.groups()
    stamp = text[: match.start(3)].strip() if sign else text.strip()
    time = f"{date} {clock}" if clock else date
    form = "date" if not clock else "published" if sign == "—" and stamp == time else "dash"
    return _Heading(form=form, stamp=stamp, time=time, heading=" ".join((title or "").split()))


def _evt(text: str) -> _Heading | None:
    match = _EVT.match(text)
    if match is None:
        return None
    time = f"{match[3]} {match[4]}" if match[4] else match[3]
    return _Heading(form="evt", stamp=match[2], time=time, heading=text)


def _decision(text: str) -> _Heading | None:
    match = _DECISION.match(text)
    if match is None:
        return None
    stamp, date, clock = match.groups()
    time = f"{date} {clock}" if clock else date
    if clock and set(stamp[len(time) :]) & {"+", "-"} and _real(time):
        from varves.values.instants import instant, iso

        time = iso(instant(stamp))[:16].replace("T", " ")
    return _Heading(form="decision", stamp=stamp, time=time, heading="Decision")


def _real(time: str) -> bool:
    """Return whether a date and time exist."""
    year, month, day = int(time[:4]), int(time[5:7]), int(time[8:10])
    if not (year and 1 <= month <= 12 and int(time[11:13] or 0) < 24 and int(time[14:] or 0) < 60):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = 30 + (month + month // 8) % 2 if month != 2 else 28 + leap
    return 1 <= day <= longest


def _typed(head: Head, found: Scan, number: int) -> bool:
    """Return whether a Type or a section follows a heading, as for an event."""
    after = found.heads[number + 1] if number + 1 < len(found.heads) else None
    if after and after.level == head.level + 1 and after.text.casefold() in _PARTS:
        return True
    end = (after.at,) if after else (1 << 60,)
    return any(field.name == "Type" for field in _between(found.fields, (head.at,), end))


def _blocks(spans: Sequence[_Span], text: str, starts: Sequence[int]) -> list[dict[str, Any]]:
    """Return the fields from which each event is constructed, in the order of the file."""
    found = []
    for span, after in zip(spans, [*spans[1:], None], strict=False):
        begin, end = starts[span.start], starts[span.end]
        raw = text[begin:end].removeprefix("\ufeff")
        found.append(
            {
                **span.heading.__dict__,
                "raw": raw,
                "gap": text[end : len(text) if after is None else starts[after.start]],
                "line": span.start + 1,
                "digest": digest_of(raw),
            }
        )
    return found


def _numbered(blocks: list[dict[str, Any]], *, newest_first: bool) -> tuple[Block, ...]:
    seen: dict[str, int] = {}
    for block in reversed(blocks) if newest_first else blocks:
        block["ordinal"] = seen.get(block["digest"], 0)
        seen[block["digest"]] = block["ordinal"] + 1
    return tuple(Block(**block) for block in blocks)


def _split_end(rest: str) -> tuple[str, str]:
    """Split the text after the last event into blank lines and a footer other than rules."""
    seen = 0
    for line in rest.splitlines(keepends=True):
        if line.strip():
            break
        seen += len(line)
    words = rest.translate(_NO_RULES).strip()
    return (rest[:seen], rest[seen:]) if words else (rest, "")


def _comments(found: Scan, lines: Sequence[str], end: int) -> tuple[str, ...]:
    """Return the varves comments before the first event."""
    runs = ["\n".join(lines[start:stop]) for start, stop in found.comments if start < end]
    return comments_in("\n".join(runs))

"""Writes an event in the exact published form, whatever its texts contain.

Given texts stay text: a line that would be read as a heading, a rule, a comment or a conflict
marker is escaped in Markdown, and unclosed code is closed.
"""

from __future__ import annotations

from varves.commands.intake import statement
from varves.errors import Refused, UsageError
from varves.protocols.layers.blocks import NEWEST_FIRST, SCOPES, SECTIONS, START, TYPES
from varves.protocols.layers.parser import heading_of, is_time, looks_dated
from varves.protocols.layers.scan import (
    Page,
    headers,
    link_line,
    linked_files,
    markers,
    scan,
    sections,
    without_links,
)
from varves.values.names import safe_path
from varves.values.text import quoted
from varves.values.value import Value

_DEEPEST = 3  # a heading with more marks than a section's is part of the section's text


class PlannedEvent(Value):
    """An event to be written; `time` may be empty until it is stamped."""

    title: str
    type: str
    area: str
    what: str
    why: str
    impact: str = ""
    next: str = ""
    files: tuple[str, ...] = ()
    time: str = ""


def check(entry: PlannedEvent) -> None:
    """Check an event against the rules.

    Raises:
        Refused: the type or scope is not a published one, a part is missing, the event is too
            long, or a file is outside the project.
    """
    if entry.type not in TYPES:
        raise Refused(f"not a type of event: {quoted(entry.type)}", f"use {_one_of(TYPES)}")
    if entry.area not in SCOPES:
        raise Refused(f"not a scope of events: {quoted(entry.area)}", f"use {_one_of(SCOPES)}")
    for name in ("title", "what", "why"):
        if not getattr(entry, name).strip():
            raise Refused(f"the event has no {name}", _MISSING[name])
    if any("\0" in text for text in (entry.title, entry.what, entry.why, entry.impact, entry.next)):
        raise Refused("the event contains a NUL, which a text file must not contain", "remove it")
    statement(f"{entry.title}\n{entry.what}\n{entry.why}\n{entry.impact}\n{entry.next}")
    for path in entry.files:
        if linked_files(Page(link_line([path]))) != (path,):
            raise Refused(
                f"not a file's path: {quoted(path)}", "give a path relative to the project's folder"
            )
        safe_path(path.removesuffix("/"), "file")


_MISSING = {
    "title": "give a title of one line",
    "what": "say what happened",
    "why": "give the reason for it",
}


def unsaid(entry: PlannedEvent) -> str:
    """Return a remark on the published parts that an event leaves empty; "" if there are none."""
    texts = {"impact": f"{entry.impact}{''.join(entry.files)}", "next steps": entry.next}
    empty = [name for name, text in texts.items() if not text.strip()]
    if not empty:
        return ""
    return (
        f"{quoted(entry.title)} has no {' and no '.join(empty)}: validate warns of that, and an"
        " appended event cannot be changed; give them, or `None.` if there is none"
    )


def compose(entry: PlannedEvent) -> str:
    """Return an event as the log contains it, with a final line end.

    Raises:
        Refused: the event breaks a rule.
        UsageError: its time is not `YYYY-MM-DD HH:MM`.
    """
    check(entry)
    if not is_time(entry.time):
        raise UsageError(f"not a time: {quoted(entry.time)}", "write it as 2026-11-15 06:20")
    impact = plain(entry.impact)
    if entry.files:
        links = link_line(tuple(dict.fromkeys(entry.files)))
        impact = "\n\n".join(filter(None, (impact, links)))
    texts = (plain(entry.what), plain(entry.why), impact, plain(entry.next))
    lines = [
        f"## {entry.time} — {_title(entry.title)}",
        "",
        f"**Type:** {entry.type}",
        f"**Scope:** {entry.area}",
    ]
    for name, text in zip(SECTIONS, texts, strict=True):
        lines += ["", f"### {name}", *([text] if text else [])]
    return "\n".join(lines) + "\n"


def _title(text: str) -> str:
    """Return a title on one line; marks at its end are escaped, as they would close the heading."""
    words = text.split()
    if words and not words[-1].strip("#"):
        words[-1] = "\\" + words[-1]
    return " ".join(words)


def plain(text: str) -> str:
    """Return a text for a section, escaped so that none of its lines begins or ends an event."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [line.rstrip() for line in lines]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    seen = scan(lines)
    for at, why in reversed(seen.unclosed):
        if "fence" in why:
            mark = lines[at].lstrip(" -*+0123456789.)\t")
            lines.append(mark[: len(mark) - len(mark.lstrip(mark[0]))])
            return plain("\n".join(lines))
    marked = {
        *(head.at for head in seen.heads if head.level <= _DEEPEST or looks_dated(head.text)),
        *(at if lines[at].lstrip().startswith("#") else at + 1 for at, _ in seen.odd),
        *seen.rules,
        *markers(seen),
        *(at for at, _ in seen.unclosed),
    }
    for at in marked:
        indent = len(lines[at]) - len(lines[at].lstrip(" "))
        lines[at] = f"{lines[at][:indent]}\\{lines[at][indent:]}"
    return "\n".join(lines)


def units(text: str) -> list[PlannedEvent]:
    """Parse events that a caller gives in the published form; the time is optional.

    Raises:
        UsageError: there is no event, or some text would be lost.
    """
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    heads = [head.at for head in scan(lines).heads if head.level <= 2]
    first = heads[0] if heads else len(lines)
    if not heads or any(line.strip() for line in lines[:first]):
        raise UsageError(
            "the text does not begin with an event", "begin each with `## Title` and a `**Type:**`"
        )
    ends = [*heads[1:], len(lines)]
    return [_unit(lines[start:end], start + 1) for start, end in zip(heads, ends, strict=True)]


def _unit(lines: list[str], line: int) -> PlannedEvent:
    time, title = heading_of(lines[0].strip().strip("#").strip(), line)
    while not lines[-1].strip(" \t-*_"):
        del lines[-1]  # blank, or a rule between this event and the next
    page = Page("\n".join(lines))
    said, parts = headers(page), sections(page)
    _assert_whole(page, said, parts, line=line)
    impact, files = without_links(parts.get("Impact", ""))
    return PlannedEvent(
        time=time,
        title=title,
        type=said.get("Type", "").strip(),
        area=said.get("Scope", "").strip(),
        what=parts.get("What", ""),
        why=parts.get("Why", ""),
        impact=impact,
        next=parts.get("Next Steps", ""),
        files=files,
    )


def _assert_whole(page: Page, said: dict[str, str], parts: dict[str, str], *, line: int) -> None:
    """Make sure that no text of the caller would be lost."""
    heads = page.seen.heads
    extra = {field.at: field.name for field in page.seen.fields if field.name in said}
    extra = {at: name for at, name in extra.items() if name not in ("Type", "Scope")}
    below = [head for head in heads[1:] if head.level == heads[0].level + 1]
    strange = {name for name in parts if name not in SECTIONS}
    extra |= {head.at: head.text for head in below if head.text in strange}
    if extra:
        at = min(extra)
        hint = f"an event has Type, Scope, {', '.join(SECTIONS)}"
        if at in {head.at for head in below}:
            deeper = "#" * (heads[0].level + 2)
            hint += f"; within one of these, write {deeper} {extra[at]}"
        raise UsageError(f"line {line + at}: not a part of an event: {quoted(extra[at])}", hint)
    end = heads[1].at if len(heads) > 1 else len(page.lines)
    fields = {field.at for field in page.seen.fields}
    for at in range(1, end):
        if page.lines[at].strip() and at not in fields:
            raise UsageError(
                f"line {line + at} is in no section",
                f"begin one of {', '.join(SECTIONS)} before it",
            )


def opening(*, newest_first: bool = False) -> str:
    """Return the initial text of a log."""
    lines = [
        "# Changelog",
        "",
        "Append-only: events are added, never edited or removed.",
        "",
        START,
    ]
    return "\n".join([*lines, *([NEWEST_FIRST] if newest_first else [])]) + "\n"


def _one_of(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"

"""Exports memories, as their events or as plain Markdown.

The format JSON Lines contains the log itself: a line that names a log, then the long texts and the
unchanged events of that log.
"""

from __future__ import annotations

import json

from varves.errors import UsageError
from varves.events.blobs import named
from varves.events.codec import purged_line
from varves.events.kinds import touches
from varves.events.remnants import holds
from varves.index.where import EventWhere, Where
from varves.log.blobs import find_blob
from varves.log.sources import log_of
from varves.questions.lookup import filtered
from varves.values.instants import iso
from varves.values.unseen import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.where import Trusted
    from varves.values.memory import Memory

SECTION, BLOB = "varves-log", "varves-blob"
FORMATS = ("jsonl", "markdown")


def export(
    context: Context, view: View, *, format: str, scope: str | None, private: bool
) -> Iterator[str]:
    """Yield an export of memories, line by line."""
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}", f"use one of {', '.join(FORMATS)}")
    where = filtered(scope)
    if format == "markdown":
        return _markdown(view, context.trusted, scope=where, private=private)
    return _jsonl(context, view, scope=where, private=private)


def _jsonl(context: Context, view: View, *, scope: str | None, private: bool) -> Iterator[str]:
    """Yield the unchanged events of each log; events of private logs only if requested."""
    wanted = None if scope is None else {memory.id for memory in _of(view, scope, private=private)}
    barred = view.index.purges().barred()
    kept = dict.fromkeys(log_of(log.key) for log in context.logs.own())
    for log in kept:
        if log == "private" and not private:
            continue
        events = [
            (event, line)
            for event, line in view.index.lines(EventWhere(log=log, here=True))
            if wanted is None or not wanted.isdisjoint(touches(event))
        ]
        if events:
            yield json.dumps({SECTION: log})
            said = [event for event, _ in events if not holds(event, barred)]
            yield from _blobs(context, log, said)
            for event, line in events:
                yield (purged_line(line) if holds(event, barred) else line).decode("ascii")


def _blobs(context: Context, log: str, events: list[Event]) -> Iterator[str]:
    for digest in dict.fromkeys(digest for event in events for digest in named(event.data)):
        content = find_blob(context.logs.own(), log, digest)
        if content is not None:
            yield json.dumps({BLOB: digest, "text": content.decode("utf-8", "replace")})


def _of(view: View, scope: str | None, *, private: bool) -> list[Memory]:
    wish = Where(within=scope, private=None if private else False)
    return view.index.memories(wish, order="scope")


def _markdown(view: View, trusted: Trusted, *, scope: str | None, private: bool) -> Iterator[str]:
    """Yield the current memories as Markdown lists under their scopes."""
    under, now = None, iso(view.now)
    for memory in _of(view, scope, private=private):
        told = memory.is_current(now) and "sensitive" not in memory.tags
        if not told or not trusted.includes(memory):
            continue
        if memory.scope != under:
            if under is not None:
                yield ""
            under = memory.scope
            yield f"## {under}"
            yield ""
        about = [memory.type, memory.at[:10], *(f"#{tag}" for tag in memory.tags), memory.id]
        yield f"- {_listed(memory.text)} ({', '.join(about)})"


def _listed(text: str) -> str:
    """Return a text as one list item; invisible characters are escaped."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n  ".join("".join(shown(ord(letter)) for letter in line) for line in lines)

"""Finds the messages that a purge erases with a memory, and other copies of its text.

If a memory was made from a message, the message contains its words. So the message is erased with
the memory, and so is a stance that was read from it. If a summary was made from several messages,
only the messages that it quotes are erased.
"""

from __future__ import annotations

from varves.events.kinds import POSTED, STANCE, SUMMARISED, birth
from varves.events.remnants import SOURCES, TALKS, proves
from varves.index.where import EventWhere, Where
from varves.values.text import fold, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from varves.commands.purge import Source
    from varves.events.event import Event
    from varves.index.port import Index

_RUN = 4  # this many equal words in sequence are a quotation


def sources_of(index: Index, memory: str, events: Iterable[Event]) -> list[Source]:
    """Return (conversation event, proof) for the events that are purged with a memory.

    Args:
        index: the index to search.
        memory: the purged memory.
        events: the events of the memory in this checkout.
    """
    found: dict[str, Source] = {}
    for event in events:
        for source in _talk(index, event):
            if proves(event, source, memory) and _carries(event, source):
                found.setdefault(source.id, (source, event.id))
    for source, _ in list(found.values()):
        if source.kind == POSTED and source.session is not None:
            here = EventWhere(kinds=(STANCE,), session=source.session, log=source.log, here=True)
            for stance in index.events(here):
                if source.id in stance.cause and stance.data:
                    found[stance.id] = (stance, source.id)
    return list(found.values())


def _talk(index: Index, event: Event) -> Iterator[Event]:
    """Yield the conversation events of this checkout that an event names as its cause."""
    for name in event.cause if birth(event) else ():
        source = index.event(name)
        if source is not None and source.kind in TALKS and source.data and source.branch is None:
            yield source


def _carries(event: Event, source: Event) -> bool:
    """Return whether a conversation event contains words of the memory made from it."""
    if event.kind != SUMMARISED:
        return True
    summary, said = (words(str(one.data.get("text", ""))) for one in (event, source))
    run = min(_RUN, len(said))
    held = {tuple(summary[at : at + run]) for at in range(len(summary) - run + 1)}
    return run > 0 and any(tuple(said[at : at + run]) in held for at in range(len(said) - run + 1))


def saying_still(index: Index, text: str, life: Sequence[Event]) -> list[str]:
    """Return the events that keep, or may keep, a purged text because they are not erased.

    These are other conversation events, the ends of sessions, and messages that a summary covers
    but does not quote.
    """
    wanted = fold(text)
    sessions = {event.session for event in life if event.session is not None}
    found = {source.id: source for event in life for source in _talk(index, event)}
    for session in sessions if wanted else ():
        for event in index.events(EventWhere(session=session, here=True)):
            told = event.kind in SOURCES or not birth(event)
            if told and wanted in fold(_text(event.data)):
                found[event.id] = event
    told_in = sorted(found.values(), key=lambda event: event.order)
    return [f"{one.id} ({one.kind} in {one.session}, {one.log} log)" for one in told_in]


def _text(content: object) -> str:
    """Return all text in an event's content."""
    if isinstance(content, dict):
        return "\n".join(_text(part) for part in content.values())
    if isinstance(content, list):
        return "\n".join(map(_text, content))
    return content if isinstance(content, str) else ""


def saying(index: Index, memory: str, text: str) -> list[str]:
    """Return the other memories that contain a text, ignoring case and white space."""
    wanted = fold(text)
    if not wanted:
        return []
    found = index.memories(Where(but=memory, saying=wanted), order="id")
    return [other.id for other in found]

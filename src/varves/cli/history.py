"""The verbs about the past: events, undo and conflicts."""

from __future__ import annotations

from varves.cli.pages import page_asked, page_lines
from varves.cli.progress import Progress
from varves.cli.render import (
    NO_CONFLICTS,
    Answer,
    Dim,
    Strong,
    beginning,
    counted,
    event_line,
    outcome,
)
from varves.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves import Conflict, Event, Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line
    from varves.questions.shown import ShownMemories
    from varves.questions.waiting import Waiting
    from varves.values.listing import Compared


_ASKED = 60  # the most characters of a question in a list for people
_BEGINNING = 28  # the most characters of each memory, and the most memories, shown in one line
_TEXTS = 3
_WAITS = 100  # the most characters of a thing that waits in a list for people
_NOTHING_WAITS = "nothing waits for you"
_NOTHING_SHOWN = "nothing was shown to an agent"
# the kinds of conflicts in which all memories may be kept
ALIKE = ("duplicate", "update", "contradiction")


def history(ledger: Ledger, given: Given) -> Answer:
    """Show every event that changed a memory."""
    return _events(ledger.history(given.own.pop("id"), **given.own))


def log(ledger: Ledger, given: Given) -> Answer:
    """Show events in order; with `--follow`, continue with new events as they are recorded."""
    if given.own.pop("follow", False):
        if "as_of" in given.own:
            raise UsageError("log --follow takes no --as-of", "leave one of the two out")
        if "limit" in given.own or "before" in given.own:
            raise UsageError("log --follow shows only new events", "leave --limit and --before out")
        events = iter(ledger.follow(**given.own))
        return Answer(document=events, lines=map(event_line, events), stream=True)
    page = ledger.log(**page_asked(given))
    lines = page_lines(given, map(event_line, page), page, page[0] if page else None)
    return Answer(document={"events": page, "more": page.more}, lines=lines)


def shown(ledger: Ledger, given: Given) -> Answer:
    """Show what agents were shown."""
    found = ledger.shown(**given.own)
    remarks = () if found else (_NOTHING_SHOWN,)
    return Answer(document={"shown": found}, lines=_shown_lines(found), remarks=remarks)


def _shown_lines(found: tuple[ShownMemories, ...]) -> Iterator[Line]:
    for one in found:
        size = f"{counted(len(one.ids), 'memory')}, {counted(one.tokens, 'token')}"
        asked = f"  {beginning(one.question, _ASKED)}" if one.question else ""
        yield (Dim(one.at), f"  {one.moment}  {one.client}  {one.session}  {size}", Strong(asked))
        texts = [beginning(text, _BEGINNING) for text in one.texts[:_TEXTS]]
        more = [f"{len(one.ids) - len(texts)} more"] if len(one.ids) > len(texts) else []
        yield (Dim(f"  {'; '.join(texts + more)}"),)


def _events(events: tuple[Event, ...]) -> Answer:
    return Answer(document={"events": events}, lines=map(event_line, events))


def undo(ledger: Ledger, given: Given) -> Answer:
    """Reverse an event, or list the events that can be reversed."""
    done = ledger.undo(given.own.get("event"))
    document = {
        "id": done.id,
        "event": done.event,
        "undone": done.undone,
        "candidates": done.candidates,
    }
    if done.event is None:
        return Answer(document=document, lines=map(event_line, done.candidates))
    subject = f"  {done.id}" if done.id else ""
    return Answer(
        document=document, lines=[f"{done.undone} undone{subject}"], notes=list(done.notes)
    )


def conflicts(ledger: Ledger, given: Given) -> Answer:
    """Show the conflicts that need a decision."""
    own = page_asked(given)
    with Progress("comparing") as progress:
        ledger.progress = ledger.progress or progress
        waiting = ledger.conflicts(**own)
    document = {"conflicts": waiting, "more": waiting.more, "uncompared": waiting.uncompared}
    remarks = [] if waiting else [NO_CONFLICTS]
    if waiting.uncompared:
        left = counted(waiting.uncompared, "memory")
        if own.get("as_of") is None:
            remarks.append(f"{left} not yet compared; a process in the background compares them")
            ledger.compare_in_background()
        else:
            remarks.append(f"{left} not yet compared")
    lines = page_lines(given, listed_conflicts(waiting), waiting, waiting[-1] if waiting else None)
    return Answer(document=document, lines=lines, remarks=tuple(remarks))


def listed_conflicts(waiting: Iterable[Conflict]) -> Iterator[Line]:
    """Yield each conflict with its members and the command that resolves it."""
    for conflict in waiting:
        yield from _conflict_lines(conflict)


def _conflict_lines(conflict: Conflict) -> Iterator[Line]:
    yield (Strong(conflict.id), f"  {conflict.kind}  {conflict.reason}")
    for memory in conflict.members:
        first, *more = memory.titled.split("\n")
        current = "  (current)" if memory.id == conflict.current else ""
        yield (f"  {memory.id}  {first}", Dim(current if not more else ""))
        for number, line in enumerate(more, 1):
            yield (f"    {line}", Dim(current if number == len(more) else ""))
    keep = "--keep ID|all" if conflict.kind in ALIKE else "--keep ID"
    ways = f"{keep} | --merge TEXT | --delete ID"
    if conflict.kind == "replaced":  # the newer memory is private: share it, or keep the older
        ways = f"--keep {conflict.members[-1].id}"
    yield (Dim(f"  varves conflicts resolve {conflict.id} {ways}"),)


def waiting(ledger: Ledger, given: Given) -> Answer:
    """Show what needs a person, as one queue."""
    found = ledger.waiting(**page_asked(given))
    document = {"waiting": found, "more": found.more, "uncompared": found.uncompared}
    remarks = [] if found else [_NOTHING_WAITS]
    if found.uncompared:
        left = counted(found.uncompared, "memory")
        remarks.append(f"{left} not yet compared: varves conflicts")
    return Answer(document=document, lines=_queue_lines(found), remarks=tuple(remarks))


def _queue_lines(found: Compared[Waiting]) -> Iterator[Line]:
    for one in found:
        first = beginning(one.text.split("\n")[0], _WAITS)
        since = Dim(f"  since {one.since[:10]}" if one.since else "")
        yield (Strong(one.id), f"  {one.kind}  {first}", since)
        yield (Dim(f"  {one.next}"),)
    if found.more:
        yield f"{found.more} more: varves waiting --before {found[-1].id}"


def resolve(ledger: Ledger, given: Given) -> Answer:
    """Resolve one conflict."""
    with Progress("comparing") as progress:
        ledger.progress = progress
        done = ledger.resolve(given.own.pop("cid"), **given.own)
    (choice,) = given.own
    word = {"keep": "kept", "merge": "merged", "delete": "deleted"}[choice]
    if given.own.get("keep") == "all":
        word = "kept, and the other too"
    document = {"id": done.id, "event": done.event, "redacted": done.redacted}
    named = done.replace(id=done.label or done.id)
    return Answer(document=document, lines=[outcome(named, word)], notes=list(done.notes))

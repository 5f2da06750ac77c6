"""The verbs about memories. Each calls the ledger with the given options and renders the result."""

from __future__ import annotations

from varves.cli.render import (
    Answer,
    Dim,
    explained_lines,
    field_lines,
    likeness_lines,
    memory_lines,
    outcome,
    reason_lines,
)
from varves.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves import Ledger, Recall
    from varves.cli.arguments import Given
    from varves.cli.render import Line

_NOTHING = "nothing found; try other words, or list all memories with varves list"
_FILTERS = ("scope", "type", "tag", "protocol")
_TOO_LONG = "nothing fits; give a larger --budget"
_ALL_WEAK = "nothing found but weak matches; varves recall --all shows them"
_WEAK = "only weak matches; try other words"
_WEAK_BY_WORDS = f"{_WEAK}, or --dense to compare meanings too"


def recall(ledger: Ledger, given: Given) -> Answer:
    """Find memories."""
    if not given.own["query"].strip():
        raise UsageError("the query is empty", "ask in plain words")
    # by default, a process that runs one verb does not load the model, which is slow to load
    own = {"dense": False, **given.own}
    found = ledger.recall(own.pop("query"), **own)
    notes = [found.dense] if own["dense"] and "embedded" not in found.dense else ()
    document = {
        "query": found.query,
        "as_of": found.as_of,
        "hits": found.hits,
        "omitted": found.omitted,
        "tokens": found.tokens,
        "weak": found.weak,
    }
    if found.explained is not None:
        document["explained"] = found.explained
    remarks = _remarks(found, ledger, own)
    return Answer(document=document, lines=_hits(found), notes=notes, remarks=remarks)


def _remarks(found: Recall, ledger: Ledger, own: dict[str, Any]) -> tuple[str, ...]:
    if found.weak:
        from varves.questions.lookup import could_compare_meanings

        return (_WEAK if own["dense"] or not could_compare_meanings() else _WEAK_BY_WORDS,)
    if found.hits:
        return ()
    if found.omitted:
        return (_ALL_WEAK if own.get("budget") is None else _TOO_LONG,)
    level, _, name = (own.get("scope") or "").partition(":")
    if level == "session" and (not ledger.session or name not in ("", ledger.session)):
        return (f"memories of a session are recalled in it only; add --session {name or 'NAME'}",)
    given = [f"--{option}" for option in _FILTERS if own.get(option)]
    return (f"nothing found with {' and '.join(given)}; try without" if given else _NOTHING,)


def _hits(found: Recall) -> Iterator[Line]:
    explained = found.explained
    for hit in found:
        yield from memory_lines(hit.memory, hit.score, stale=hit.stale)
        if hit.views:
            yield (Dim(f"  shown by {', '.join(hit.views)} too"),)
        if explained is not None:
            yield from reason_lines(hit.memory.id, hit.reasons, explained)
    if found.omitted:
        yield f"{found.omitted} omitted"
    if explained is not None:
        yield from explained_lines(explained)


def brief(ledger: Ledger, given: Given) -> Answer:
    """Print what an agent should know now; stdout gets only the block of memories."""
    told = ledger.brief(**given.own)
    lines = told.text.split("\n") if told.text else ()
    remarks = () if lines or not told.omitted else (_TOO_LONG,)
    return Answer(document=told, lines=lines, remarks=remarks)


def remember(ledger: Ledger, given: Given) -> Answer:
    """Record one memory, or the memories of a file."""
    own = given.own
    if "batch" in own:
        from varves.cli.batch import remember_lines

        return remember_lines(ledger, own)
    from varves.cli.input import text_of

    if "tag" in own:
        own["tags"] = own.pop("tag")
    written = ledger.remember(text_of(own.pop("text")), **own)
    document = {
        "id": written.id,
        "event": written.event,
        "status": written.status,
        "redacted": written.redacted,
        "conflicts": written.conflicts,
    }
    lines = [outcome(written, written.status), *likeness_lines(written)]
    return Answer(document=document, lines=lines)


def show(ledger: Ledger, given: Given) -> Answer:
    """Show one memory with all its fields."""
    memory = ledger.show(given.own.pop("id"), **given.own)
    return Answer(document=memory, lines=field_lines(memory.as_dict().items()))


def listing(ledger: Ledger, given: Given) -> Answer:
    """List memories, newest first."""
    from varves.cli.pages import page_asked, page_lines

    page = ledger.list(**page_asked(given))
    shown = (line for memory in page for line in memory_lines(memory))
    lines = page_lines(given, shown, page, page[-1] if page else None)
    return Answer(document={"memories": page, "more": page.more}, lines=lines)


def correct(ledger: Ledger, given: Given) -> Answer:
    """Replace the text of a memory."""
    from varves.cli.input import text_of

    own = given.own
    text = text_of(own.pop("text"))
    if own.pop("no_evidence", False):
        if own.get("evidence"):
            raise UsageError("--evidence and --no-evidence cannot be combined", "give one of them")
        own["evidence"] = ()
    done = ledger.correct(own.pop("id"), text, **own)
    document: dict[str, object] = {"id": done.id, "supersedes": done.supersedes}
    document |= {"event": done.event, "redacted": done.redacted, "conflicts": done.conflicts}
    lines = [outcome(done, f"supersedes {done.supersedes}"), *likeness_lines(done)]
    return Answer(document=document, lines=lines)


def edit(ledger: Ledger, given: Given) -> Answer:
    """Change the fields of a memory."""
    return _changed(ledger.edit(given.own.pop("id"), **given.own), "edited")


def forget(ledger: Ledger, given: Given) -> Answer:
    """Remove a memory from use."""
    return _changed(ledger.forget(given.own.pop("id"), **given.own), "forgotten")


def restore(ledger: Ledger, given: Given) -> Answer:
    """Restore a forgotten memory."""
    return _changed(ledger.restore(given.own.pop("id"), **given.own), "restored")


def _changed(done: Any, word: str) -> Answer:
    document = {"id": done.id, "event": done.event, "redacted": done.redacted}
    return Answer(document=document, lines=[outcome(done, word)])


def share(ledger: Ledger, given: Given) -> Answer:
    """Publish private memories to the project's log."""
    done = ledger.share(*given.own["id"])
    lines = [f"{memory} shared" for memory in done.ids]
    return Answer(document={"ids": done.ids, "events": done.events}, lines=lines)

"""The verbs of the scoped protocol: each calls the ledger and renders the result.

If a verb prints a block to inject, stdout contains only the block; remarks go to stderr.
"""

from __future__ import annotations

from varves.cli.history import ALIKE
from varves.cli.input import from_file, text_of
from varves.cli.progress import Progress
from varves.cli.render import NO_CONFLICTS, NO_ENTRIES, Alarm, Answer, Dim, Strong, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line


def read(ledger: Ledger, given: Given) -> Answer:
    """Print the entries of one scope."""
    own = given.own
    found = ledger.scoped.read(own.pop("scope"), own.pop("id", None), **own)
    return _answer(ledger, found, _entries(found), () if len(found) else (NO_ENTRIES,))


def write(ledger: Ledger, given: Given) -> Answer:
    """Store one entry."""
    own = given.own
    own["content"] = text_of(own["content"])
    done = ledger.scoped.write(own.pop("scope"), own.pop("id", None), **own)
    return _stored_answer(ledger, done)


def _stored_answer(ledger: Ledger, done: Any, line: str = "") -> Answer:
    """Return the answer about a stored entry; it shows the entries that it conflicts with."""
    notes = [
        f"{done.id} hides {name} here: {_first(ledger.show(hidden).text)}"
        for name, hidden in zip(done.silences, done.overrides, strict=True)
    ]
    for one in done.conflicts:
        notes += _presented(ledger, done, one)
    answer = _answer(ledger, done, [line or _stored(done)], [*notes, *done.notices])
    told = {f"{done.memory} {one.in_words}" for one in done.conflicts}
    return answer.replace(notes=tuple(one for one in answer.notes if one not in told))


def _presented(ledger: Ledger, done: Any, one: Any) -> Iterator[str]:
    """Return a conflict with both entries, so that a person can resolve it."""
    other = ledger.show(one.id)
    name = ledger.scoped.label_of(other) or other.id
    yield f"{done.id} {one.replace(id=name).in_words}"
    yield f"  {done.id}  {_first(done.content)}"
    yield f"  {name}  {_first(other.text)}"
    if one.conflict:
        yield f"  varves conflicts resolve {one.conflict} {_choices(one.kind)}"


def _choices(kind: str) -> str:
    keep = "--keep ID|all" if kind in ALIKE else "--keep ID"
    return f"{keep} | --merge TEXT | --delete ID"


def _stored(done: Any) -> str:
    masked = f" (redacted: {', '.join(done.redacted)})" if done.redacted else ""
    return f"{done.id} {done.status} in {done.scope}{masked}{_taken(done)}"


def _taken(done: Any) -> str:
    """Return the stated values that a known entry took."""
    told = [f"{name} {_plain(was)} → {_plain(now)}" for name, (was, now) in done.changes.items()]
    return f"; {', '.join(told)}" if told else ""


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def listed(ledger: Ledger, given: Given) -> Answer:
    """List the entries of every scope."""
    own = given.own
    found = ledger.scoped.list(own.pop("scope", None), own.pop("id", None), **own)
    return _answer(ledger, {"entries": found}, _entries(found), () if found else (NO_ENTRIES,))


def search(ledger: Ledger, given: Given) -> Answer:
    """Search the text of entries."""
    found = ledger.scoped.search(**given.own)
    return _answer(ledger, {"entries": found}, _entries(found), () if found else (NO_ENTRIES,))


def forget(ledger: Ledger, given: Given) -> Answer:
    """Remove an entry from use."""
    done = ledger.scoped.forget(**given.own)
    return _moved(ledger, done, f"{done.id} forgotten in {done.scope}: {done.reason}")


def restore(ledger: Ledger, given: Given) -> Answer:
    """Restore an entry."""
    done = ledger.scoped.restore(**given.own)
    why = f"; it was forgotten: {done.reason}" if done.reason else ""
    return _moved(ledger, done, f"{done.id} restored in {done.scope}{why}")


def _moved(ledger: Ledger, done: Any, line: str) -> Answer:
    """Return an answer that also shows the entry: its number may have been a slip."""
    return _answer(ledger, done, [line, (Dim(f"  {_first(done.content)}"),)])


def init(ledger: Ledger, given: Given) -> Answer:
    """Create the folders, and with `--scripts` the scripts."""
    own = given.own
    laid: list[str] = []
    if own.pop("scripts", False):
        from varves.cli.scripts import lay

        laid = lay(ledger.root)
    made = ledger.scoped.init(**own)
    created = [*made.created, *laid]
    lines = [f"{made.root} ready", *(f"  created {path}" for path in created)]
    return _answer(ledger, {"root": made.root, "created": created}, lines)


def rank(ledger: Ledger, given: Given) -> Answer:
    """Rank entries by relevance, with the terms of each score."""
    own = given.own
    words = [own[name] for name in ("scope", "id") if name in own]
    found = ledger.scoped.rank(*words)
    lines = (line for one in found for line in _ranked(one))
    return _answer(ledger, {"entries": found}, lines, () if found else (NO_ENTRIES,))


def _ranked(one: Any) -> Iterator[Line]:
    yield (Strong(one.id), f"  {one.score:.4f}  {_first(one.content)}")
    terms = " + ".join(f"{name} {term:.4f}" for name, term in one.terms.items())
    yield (Dim(f"  {one.scope} · {one.type} · {terms}"),)


def conflicts(ledger: Ledger, given: Given) -> Answer:
    """List the entries between which a person has to choose."""
    own = given.own
    with Progress("comparing") as progress:
        ledger.progress = ledger.progress or progress
        found = ledger.scoped.conflicts(own.pop("scope", None), own.pop("id", None))
    lines = (line for one in found for line in _dispute(one))
    return _answer(ledger, {"conflicts": found}, lines, () if found else (NO_CONFLICTS,))


def _dispute(one: Any) -> Iterator[Line]:
    yield (Strong(one.conflict), f"  {one.scope}  {one.kind}: {one.reason}")
    for each in one.entries:
        yield f"  {each.id}  {_first(each.content)}"
        for line in each.content.split("\n")[1:]:
            yield f"    {line}"
    yield (Dim(f"  varves conflicts resolve {one.conflict} {_choices(one.kind)}"),)


def validate(ledger: Ledger, given: Given) -> Answer:
    """Check the files and the rules."""
    del given
    return findings(ledger.scoped.validate(), ledger.scoped.core.notes)


def findings(found: Sequence[Any], notes: Iterable[str]) -> Answer:
    """Render the findings of a protocol's `validate`."""
    lines: list[Line] = [] if found else ["ok"]
    for one in found:
        lines.append((Alarm(one.rule), f"  {one.place}  {one.message}"))
        if one.fix:
            lines.append((Dim(f"  {one.fix}"),))
    document = {"ok": not found, "findings": found}
    return Answer(document=document, lines=lines, exit=1 if found else 0, notes=tuple(notes))


def session_start(ledger: Ledger, given: Given) -> Answer:
    """Start a session and print the block to inject."""
    begun = ledger.scoped.session_start(**given.own)
    notes = [_recovered(one) for one in begun.recovered]
    loaded = ", ".join(f"{count} of {scope}" for scope, count in begun.loaded.items())
    notes.append(f"session {begun.session}: loaded {loaded or 'nothing'}")
    return _block(ledger, begun, notes)


def _recovered(one: Any) -> str:
    if not one.proposals:
        return f"session {one.session} was never ended; it proposes nothing"
    many = counted(len(one.proposals), "proposal")
    return f"session {one.session} was never ended: {many}, see varves scoped proposals"


def _block(ledger: Ledger, told: Any, notes: Sequence[str] = ()) -> Answer:
    """Return an answer with a block to inject.

    The remarks list the entries that were left out.
    """
    said = [*notes, f"{counted(len(told.entries), 'entry')} in {counted(told.tokens, 'token')}"]
    said += [f"{one.id} of {one.scope} did not fit" for one in told.skipped]
    said += told.notices
    return _answer(ledger, told, told.block.split("\n") if told.block else (), said)


def session_end(ledger: Ledger, given: Given) -> Answer:
    """End the session, and show its proposals."""
    del given
    done = ledger.scoped.session_end()
    told = f"it received {counted(done.injected, 'entry')} in {counted(done.tokens, 'token')}"
    lines: list[Line] = [f"session {done.session} ended; {told}"]
    return _answer(ledger, done, [*lines, *_proposals(done.proposals)])


def task(ledger: Ledger, given: Given) -> Answer:
    """Print what is known about a task."""
    own = given.own
    return _block(ledger, ledger.scoped.task(text_of(own.pop("text")), **own))


def note(ledger: Ledger, given: Given) -> Answer:
    """Add a note to the session's file."""
    own = given.own
    done = ledger.scoped.note(text_of(own.pop("text")), **own)
    word = "known" if done.status == "known" else "noted"
    return _stored_answer(ledger, done, f"{done.id} {word} in {done.scope}{_taken(done)}")


def done(ledger: Ledger, given: Given) -> Answer:
    """Propose what a finished task taught."""
    own = given.own
    if "text" in own:
        own["text"] = text_of(own["text"])
    for name in ("transcript", "output"):
        if name in own:
            own[name] = from_file(own[name])
    proposed = ledger.scoped.done(**own)
    lines = list(_proposals(proposed)) or ["nothing to propose"]
    return _answer(ledger, {"proposals": proposed}, lines)


def proposals(ledger: Ledger, given: Given) -> Answer:
    """List the proposals that wait for approval."""
    del given
    waiting = ledger.scoped.proposals()
    none = () if waiting else ("no proposals",)
    return _answer(ledger, {"proposals": waiting}, _proposals(waiting), none)


def _proposals(waiting: Iterable[Any]) -> Iterator[Line]:
    for one in waiting:
        yield (Strong(one.id), f"  {one.content}")
        about = [one.scope, one.type, f"confidence {one.confidence:g}"]
        about += [f"from {one.source}"] if one.source else []
        yield (Dim("  " + " · ".join(about)),)


def approve(ledger: Ledger, given: Given) -> Answer:
    """Store a proposal."""
    stored = ledger.scoped.approve(given.own.pop("id"), **given.own)
    return _stored_answer(ledger, stored)


def reject(ledger: Ledger, given: Given) -> Answer:
    """Reject a proposal permanently."""
    own = given.own
    dropped = ledger.scoped.reject(own.pop("id"), **own)
    return _answer(ledger, dropped, [f"{dropped.id} rejected; it will not be proposed again"])


def stale(ledger: Ledger, given: Given) -> Answer:
    """List entries that are old or unused."""
    found = ledger.scoped.stale(**given.own)
    lines = (line for one in found for line in _entry(one, _last_use(one)))
    return _answer(ledger, {"entries": found}, lines, () if found else (NO_ENTRIES,))


def _last_use(one: Any) -> str:
    return f"last used {one.last_accessed}" if one.last_accessed else "never used"


def inject(ledger: Ledger, given: Given) -> Answer:
    """Write the block into prompt files."""
    put = ledger.scoped.inject(*given.own["file"])
    lines = [
        f"{one.path} {'written' if one.changed else 'unchanged'}:"
        f" {counted(len(one.entries), 'entry')}"
        for one in (put, *put.more)
    ]
    notes = [f"{one.id} of {one.scope} did not fit" for one in put.skipped]
    return _answer(ledger, put, lines, notes)


def _entries(found: Iterable[Any]) -> Iterator[Line]:
    for one in found:
        yield from _entry(one)


def _entry(one: Any, *more: str) -> Iterator[Line]:
    yield (Strong(one.id), f"  {_first(one.content)}")
    for line in one.content.split("\n")[1:]:
        yield f"  {line}"
    about = [one.scope, one.kind or one.type, f"confidence {one.confidence:g}"]
    about += [one.created_at[:10], f"read {one.accessed_count}", *more]
    yield (Dim("  " + " · ".join(about)),)


def _first(content: str) -> str:
    return content.partition("\n")[0]


def _answer(
    ledger: Ledger, document: Any, lines: Iterable[Line], remarks: Sequence[str] = ()
) -> Answer:
    notes = tuple(note for note in ledger.scoped.core.notes if note not in remarks)
    return Answer(document=document, lines=lines, remarks=remarks, notes=notes)

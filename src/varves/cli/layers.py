"""The verbs of the layers protocol: each calls the ledger and renders the result.

If a verb prints a text to read or paste, such as the context, stdout contains only that text;
remarks go to stderr.
"""

from __future__ import annotations

import os

from varves.cli.input import text_of
from varves.cli.render import Alarm, Answer, Dim, Strong, counted
from varves.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line

_NEEDED = ("type", "scope", "title", "what", "why")
_PARTS = {
    "do": "Do",
    "dont": "Don't",
    "naming": "Naming conventions",
    "workflow": "Workflow",
    "files": "Key files",
}
_ASKED = "varves layers graph query, path, neighbours, depends; varves layers find"
_FEW = 5  # up to this many names are listed, one on each line


def init(ledger: Ledger, given: Given) -> Answer:
    """Create the log and its folder if they are missing."""
    made = ledger.layers.init(**given.own)
    lines = [f"{ledger.root} ready", *(f"  created {path}" for path in made.created)]
    return _answer(ledger, made, lines)


def boot(ledger: Ledger, given: Given) -> Answer:
    """Print the rules, the context and the size of the graph."""
    del given
    ready = ledger.layers.boot()
    graph = ready.graph
    size = f"{counted(graph['entities'], 'entity')}, {counted(graph['relations'], 'relation')}"
    remarks = [f"session {ready.session} ready"]
    remarks += [f"{path} regenerated" for path in ready.regenerated]
    remarks += _taken_up(ready.adopted)
    remarks += [*ready.findings, *ready.warnings]
    told = "".join((_rules(ready), ready.context, f"\nGraph: {size} ({_ASKED})\n"))
    return _text(ledger, ready, told, remarks)


def _rules(ready: Any) -> str:
    """Return the rules as Markdown."""
    named = {_PARTS[name]: some for name, some in ready.constraints.items()}
    parts = [
        "\n".join((f"## {title}", *(f"- {rule}" for rule in some)))
        for title, some in (*named.items(), *_others(ready))
        if some
    ]
    return "\n\n".join(("# Constraints", *(parts or ["none"]), ""))


def _others(ready: Any) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield (heading, lines) for rules under other headings, then for lines that are no rules."""
    yield from ((title or "Other rules", some) for title, some in ready.other.items())
    yield "Not read as rules (AGENTS.md)", ready.unread


def _taken_up(names: Sequence[str]) -> list[str]:
    """Return lines that list the newly recorded entries or, if there are many, their number."""
    if len(names) > _FEW:
        return [f"{len(names)} events adopted"]
    return [f"{name} adopted" for name in names]


def append(ledger: Ledger, given: Given) -> Answer:
    """Add one event, or several given as Markdown."""
    own = given.own
    if "text" in own:
        text = text_of(own.pop("text"))
        if parts := [name for name in own if name not in ("draft", "allow_secret")]:
            raise UsageError(f"--{parts[0]} is not allowed with TEXT", "write it in the text")
        done = ledger.layers.append_text(text, **own)
    else:
        _from_root(ledger, own)
        if not own.pop("allow_missing", False) and "files" in own:
            own["check_files"] = True
        done = ledger.layers.append(**{**dict.fromkeys(_NEEDED, ""), **own})
    masked = f" (redacted: {', '.join(done.redacted)})" if done.redacted else ""
    return _answer(ledger, done, [f"{name} {done.status}{masked}" for name in done.ids])


def _from_root(ledger: Ledger, own: dict[str, Any]) -> None:
    """Make the given paths relative to the project's root.

    People give them relative to their folder.
    """
    root, here = (os.path.realpath(path) for path in (ledger.root, "."))
    below = os.path.relpath(here, root)
    if "files" in own and not f"{below}/".startswith("../"):
        found = (os.path.normpath(os.path.join(here, path)) for path in own["files"])
        own["files"] = tuple(
            os.path.relpath(path, root).replace(os.sep, "/") if "\0" not in path else path
            for path in found
        )


def merge(ledger: Ledger, given: Given) -> Answer:
    """Merge the events that two branches appended to `CHANGELOG.md`."""
    del given
    done = ledger.layers.merge()
    lines: list[Line] = [f"{path} settled" for path in done.settled]
    lines += [
        (Strong(one.name), f"  {one.time} {one.title}", Dim(f"  {one.side}")) for one in done.taken
    ]
    lines += [
        (Alarm("not taken"), f"  {one.title}: {one.why}", Dim(f"  {one.side}"))
        for one in done.refused
    ]
    return _answer(ledger, done, lines)


def archive(ledger: Ledger, given: Given) -> Answer:
    """Move the oldest events to the archive."""
    done = ledger.layers.archive(**given.own)
    lines = [f"{counted(len(done.ids), 'event')} moved to {done.path}"] if done.ids else ["done"]
    return _answer(ledger, done, lines)


def resolve(ledger: Ledger, given: Given) -> Answer:
    """Accept events that were changed in the file, or restore their recorded text."""
    own = given.own
    done = ledger.layers.resolve(own.get("id"), accept="accept" in own)
    return _answer(ledger, done, [f"{name} {done.status}" for name in done.ids])


def graph_show(ledger: Ledger, given: Given) -> Answer:
    """Print the graph in the chosen format."""
    shown = ledger.layers.graph_show(**given.own)
    return _text(ledger, shown, shown.text)


def graph_query(ledger: Ledger, given: Given) -> Answer:
    """List entities."""
    found = ledger.layers.graph_query(**given.own)
    return _answer(ledger, {"entities": found}, [_entity(one) for one in found])


def _none(found: Sequence[Any], why: str) -> list[str]:
    """Return a remark for an answer that is empty."""
    return [] if found else [why]


def graph_path(ledger: Ledger, given: Given) -> Answer:
    """Print the path from one entity to another."""
    found = ledger.layers.graph_path(given.own["a"], given.own["b"])
    return _answer(ledger, found, [_relation(one) for one in found.relations])


def graph_neighbours(ledger: Ledger, given: Given) -> Answer:
    """List the neighbours of an entity."""
    own = given.own
    around = ledger.layers.graph_neighbours(own.pop("id"), **own)
    lines = [_entity(one.entity) for one in around.neighbours]
    lines += [_relation(one) for one in around.relations]
    return _answer(ledger, around, lines, _none(lines, "it has no such neighbours"))


def graph_depends(ledger: Ledger, given: Given) -> Answer:
    """List everything an entity depends on."""
    found = ledger.layers.graph_depends(given.own["id"])
    lines = [_entity(one) for one in found]
    return _answer(ledger, {"entities": found}, lines, _none(found, "it depends on nothing"))


def graph_cycles(ledger: Ledger, given: Given) -> Answer:
    """List cycles of dependencies."""
    del given
    found = ledger.layers.graph_cycles()
    lines = [" → ".join((*ring, ring[0])) for ring in found]
    return _answer(ledger, {"cycles": found}, lines, _none(found, "there are no cycles"))


def _entity(one: Any) -> Line:
    name = f"  {one.name}" if one.name != one.id else ""
    about = [one.kind, one.status, one.type, one.pack and f"in {one.pack}"]
    if one.completion is not None:
        about += [f"{one.completion}% of {one.count}"]
    return (Strong(one.id), name, Dim("  " + " · ".join(part for part in about if part)))


def _relation(one: Any) -> Line:
    return (f"{one.source} → {one.target}", Dim(f"  {one.kind}"))


def graph_rebuild(ledger: Ledger, given: Given) -> Answer:
    """Rebuild the graph, and report whether it was out of date."""
    del given
    return _remade(ledger, ledger.layers.graph_rebuild())


def rebuild(ledger: Ledger, given: Given) -> Answer:
    """Rebuild graph and context."""
    del given
    return _remade(ledger, ledger.layers.rebuild())


def _remade(ledger: Ledger, done: Any) -> Answer:
    """Return an answer that says which generated files were outdated, and what was done."""
    lines = [f"{path} was {done.stale[path]}: regenerated" for path in done.regenerated]
    return _answer(ledger, done, lines or ["fresh"], done.findings)


def context(ledger: Ledger, given: Given) -> Answer:
    """Rebuild and print the context."""
    del given
    told = ledger.layers.context()
    return _text(ledger, told, told.text)


def find(ledger: Ledger, given: Given) -> Answer:
    """Search the graph, then the log."""
    found = ledger.layers.find(given.own["text"])
    return _answer(ledger, found, _hits(found.hits), _none(found.hits, "nothing found"))


def _hits(hits: Iterable[Any]) -> Iterator[Line]:
    for one in hits:
        yield (Strong(one.id), f"  {one.title}" * (one.title != one.id))
        yield (Dim(f"  {one.place}"), f"  {one.line}")


def constraints(ledger: Ledger, given: Given) -> Answer:
    """List the rules that were read at boot."""
    del given
    rules = ledger.layers.rules()
    lines: list[Line] = []
    for name, some in (*rules.constraints.items(), *_others(rules)):
        lines += [(Strong(name),), *(f"  {rule}" for rule in some)] if some else []
    return _answer(ledger, rules, lines)


def validate(ledger: Ledger, given: Given) -> Answer:
    """Check the four files; the exit code is 1 only for errors."""
    del given
    found = ledger.layers.validate()
    wrong = any(one.level == "error" for one in found)
    lines: list[Line] = [] if wrong else ["ok"]
    for one in found:
        level = "" if one.level == "error" else f"{one.level}: "
        lines.append((Alarm(one.rule), f"  {one.place}  {level}{one.message}"))
        lines += [(Dim(f"  {one.fix}"),)] if one.fix else []
    notes = tuple(ledger.layers.core.notes)
    waived = ledger.layers.waived() if any(note.endswith("waived") for note in notes) else ()
    answer = _answer(ledger, {"ok": not wrong, "findings": found, "waived": waived}, lines)
    return answer.replace(exit=1 if wrong else 0, notes=notes)


def waive(ledger: Ledger, given: Given) -> Answer:
    """Accept the findings at a place although they remain (a waiver), or end the acceptance."""
    own = given.own
    done = ledger.layers.waive(own.pop("place"), **own)
    lines = [(Strong(one.rule), f"  {one.place}  {done.status}") for one in done.findings]
    return _answer(ledger, done, lines)


def agents_section(ledger: Ledger, given: Given) -> Answer:
    """Print the section to paste into AGENTS.md."""
    del given
    text = ledger.layers.agents_section()
    return _text(ledger, {"text": text}, text)


def drafts(ledger: Ledger, given: Given) -> Answer:
    """List the events that this session will append."""
    del given
    waiting = ledger.layers.drafts()
    lines = [
        (Strong(one.id), f"  {one.title}", Dim(f"  {one.type} · {one.scope}")) for one in waiting
    ]
    return _answer(ledger, {"drafts": waiting}, lines, _none(waiting, "there are no drafts"))


def shutdown(ledger: Ledger, given: Given) -> Answer:
    """Append the drafts, rebuild the views, commit and hand off."""
    own = given.own
    if "text" in own:
        own["text"] = text_of(own["text"])
    _from_root(ledger, own)
    if own.pop("no_commit", False):
        own["commit"] = False
    done = ledger.layers.shutdown(**own)
    lines = [f"{name} appended" for name in done.appended]
    if done.commit:
        there = f"commit {done.commit}"
        lines.append(there if done.committed else f"nothing to commit; the last is {there}")
    lines += [f"handed to {done.to}"] if done.handoff else []
    remarks = ["resumed an interrupted shutdown"] if done.resumed else []
    return _answer(ledger, done, lines or ["done"], [*remarks, *done.warnings])


def handoff(ledger: Ledger, given: Given) -> Answer:
    """Hand off the work to another agent."""
    done = ledger.layers.handoff(**given.own)
    return _answer(ledger, done, [f"handed to {done.to}: {done.path}"], done.warnings)


def accept(ledger: Ledger, given: Given) -> Answer:
    """Accept a handoff, and print the context."""
    del given
    taken = ledger.layers.accept()
    passed, files = taken.payload["handoff"], taken.payload["files"]
    remarks = [f"from {passed['from']} to {passed['to']}: {passed['reason']}"]
    remarks += [f"commit {files['committed']}"] if files["committed"] else []
    remarks += [f"modified {path}" for path in files["modified"]]
    return _text(ledger, taken, taken.context, [*remarks, *taken.warnings])


def _text(ledger: Ledger, document: Any, text: str, remarks: Sequence[str] = ()) -> Answer:
    """Return an answer with a text that is printed alone on stdout."""
    return _answer(ledger, document, text.removesuffix("\n").split("\n") if text else (), remarks)


def _answer(
    ledger: Ledger, document: Any, lines: Iterable[Line], remarks: Sequence[str] = ()
) -> Answer:
    notes = tuple(note for note in ledger.layers.core.notes if note not in remarks)
    return Answer(document=document, lines=lines, remarks=remarks, notes=notes)

"""The verbs of the hivemind protocol: each calls the ledger and renders the result.

If a verb prints a block to inject, stdout contains only the block; remarks go to stderr.
"""

from __future__ import annotations

from varves.cli.input import from_file, text_of
from varves.cli.render import NO_CONFLICTS, NO_ENTRIES, Answer, Dim, Strong, field_lines
from varves.errors import UsageError
from varves.values.listing import check_limit
from varves.values.text import first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line


_MERGED = "merge-similar"
_BECAME = {
    _MERGED: "merged into",
    "summarise-episodic": "summarised as",
    "promote-frequent": "copied as",
    "significant-working": "promoted to",
    "ephemeral-working": "dropped",
    "same-creator": "superseded by",
    "user-over-system": "gives way to",
    "scope": "gives way to",
    **dict.fromkeys(("critical", "uncertain", "different-creators"), "needs a decision beside"),
}
"""What each of these rules does to a memory; all other rules archive it."""
_LONGEST = 200
_MISSED = 20  # the most memories that are listed as left out; --json has all
_TELLING = ("text", "summary", "title", "decision", "error_message")


def init(ledger: Ledger, given: Given) -> Answer:
    """Create the four documents if they are missing."""
    made = ledger.hivemind.init(**given.own)
    lines = [f"{made.project} ready", *(f"  created {name}" for name in made.created)]
    return _answer(ledger, made, lines)


def session_start(ledger: Ledger, given: Given) -> Answer:
    """Resume the session or start one, and print the documents."""
    begun = ledger.hivemind.session_start(**given.own)
    notes = [f"session {begun.archived} was archived"] if begun.archived else []
    about = f"; entries of {begun.project}: {begun.entries}" if begun.project else ""
    notes.append(f"session {begun.session} {begun.status}{about}")
    notes += [f"nothing is stored yet in {', '.join(begun.empty)}"] if begun.empty else []
    return _block(ledger, begun, notes)


def _block(ledger: Ledger, told: Any, notes: Sequence[str]) -> Answer:
    return _answer(ledger, told, told.text.split("\n") if told.text else (), notes)


def session_end(ledger: Ledger, given: Given) -> Answer:
    """End the session, and show what happened to its working memory."""
    del given
    ended = ledger.hivemind.session_end()
    if ended.session is None:
        return _answer(ledger, ended, ())
    lines: list[Line] = [f"session {ended.session} archived; {ended.fresh} begins"]
    lines += _changes(ended.changes)
    lines += [f"{scope} lists {count}" for scope, count in sorted(ended.statistics.items())]
    return _answer(ledger, ended, lines)


def _changes(changes: Iterable[Any]) -> Iterator[Line]:
    """Yield lines on the changes of each rule: memories, their texts, how to undo them."""
    for one in changes:
        became = f"  {one.memory} {_BECAME.get(one.rule, 'archived')}"
        said = f" {one.by}" if one.by else ""
        why = "" if said and one.reason.endswith(said) else f"  ({one.reason})"
        yield (Strong(one.rule), became, said, why)
        for name, text in ((one.memory, one.text), (one.by, one.by_text)):
            if text is not None:
                yield (Dim(f"  {name}  "), text if one.rule == _MERGED else _beginning(text))
        yield _remedy(one)


def _remedy(one: Any) -> Line:
    """Return the command that reverses what a rule did, or that settles the conflict it left."""
    if one.conflict is None:
        return (Dim(f"  undo  varves undo {one.event}"),)
    choices = "--keep ID | --merge TEXT | --delete ID"
    return (Dim(f"  settle  varves conflicts resolve {one.conflict} {choices}"),)


def _beginning(text: str) -> str:
    line, _, more = text.partition("\n")
    return line if len(line) <= _LONGEST and not more else f"{line[:_LONGEST]} …"


def maintain(ledger: Ledger, given: Given) -> Answer:
    """Merge, shorten and archive memories, if this is due or forced."""
    kept = ledger.hivemind.maintain(**given.own)
    if not kept.ran:
        due = f"not due before {kept.due}" if kept.due else "there is nothing to maintain"
        return _answer(ledger, kept, [due])
    lines = [*_changes(kept.changes)] or ["nothing to do"]
    return _answer(ledger, kept, [*lines, f"next due {kept.due}"])


def rollback(ledger: Ledger, given: Given) -> Answer:
    """Make a superseded memory current again."""
    back = ledger.hivemind.rollback(given.own["id"])
    lines = [f"{back.id} is current again", *(f"  instead of {name}" for name in back.superseded)]
    return _answer(ledger, back, lines)


def handoff(ledger: Ledger, given: Given) -> Answer:
    """Hand off the work to another agent."""
    own = given.own
    if "recommend" in own:
        own["recommended"] = own.pop("recommend")
    packed = ledger.hivemind.handoff(own.pop("to"), **own)
    package = packed.handoff_memory
    lines: list[Line] = [f"{packed.source} hands off to {packed.to}"]
    lines += [
        (Dim("  working memory  "), f"{one['id']}  {_gist(one)}")
        for one in package["working_memory_snapshot"]
    ]
    lines += [
        (Dim(f"  {name.replace('_', ' ')}  "), " ".join(package[name]))
        for name in ("memories_loaded", "memories_created", "recommended_context")
        if package[name]
    ]
    lines += [(Dim("  pending  "), part) for part in package["pending_items"]]
    return _answer(ledger, packed, lines)


def accept(ledger: Ledger, given: Given) -> Answer:
    """Accept a handoff to an agent."""
    taken = ledger.hivemind.accept(given.own["agent"])
    notes = [f"from {taken.source}: {taken.task_summary}"]
    notes += [f"pending: {part}" for part in taken.pending]
    return _block(ledger, taken, [*notes, *taken.notes])


def task(ledger: Ledger, given: Given) -> Answer:
    """Start a task and print the relevant memories."""
    own = given.own
    explained = own.get("explain", False)
    taken = ledger.hivemind.task(text_of(own.pop("text")), **own)
    if not explained:
        return _block(ledger, taken, taken.notes)
    return _answer(ledger, taken, _explained(taken), taken.notes)


def _explained(taken: Any) -> Iterator[Line]:
    yield f"intent {taken.intent or 'none'}; keywords {', '.join(taken.keywords) or 'none'}"
    entities = ", ".join(f"{one['name']} ({one['kind']})" for one in taken.entities)
    yield f"entities {entities or 'none'}; scopes {', '.join(taken.scopes)}"
    for one in taken.memories:
        yield from _found(one)
        yield (Dim(f"  {_terms(one.reasons)}"),)
    yield from _left_out(taken.left_out)


def _left_out(missed: Sequence[Any]) -> Iterator[Line]:
    """Yield lines on the best of the memories that were not loaded, and how many others there are.

    The terms of a score are shown if a tag or keyword matches.
    """
    for miss in missed[:_MISSED]:
        yield (Dim(f"left out {miss.id}  {miss.score:.2f}  {miss.reason}"),)
        if miss.reasons["tags"] or miss.reasons["keywords"]:
            yield (Dim(f"  {_terms(miss.reasons)}"),)
    others: dict[str, int] = {}
    for miss in missed[_MISSED:]:
        others[miss.reason] = others.get(miss.reason, 0) + 1
    for reason, count in others.items():
        yield (Dim(f"left out {count} more: {reason}"),)


def _terms(reasons: dict[str, Any]) -> str:
    """Return the terms of a score as one text, each with its matching words in brackets."""
    met = {"tag": reasons["tags"], "keyword": reasons["keywords"]}
    parts = []
    for name, term in reasons.items():
        if isinstance(term, (int, float)):
            why = f" ({', '.join(met[name])})" if met.get(name) else ""
            parts.append(f"{name} {term:+.2f}{why}")
    return "  ".join(parts)


def write(ledger: Ledger, given: Given) -> Answer:
    """Record one memory."""
    own = given.own
    for option, name in (("tag", "tags"), ("reference", "references")):
        if option in own:
            own[name] = own.pop(option)
    done = ledger.hivemind.write(_content(text_of(own.pop("content"))), **own)
    masked = f" (redacted: {', '.join(done.redacted)})" if done.redacted else ""
    return _answer(ledger, done, [f"{done.id} recorded in {done.scope}{masked}"])


def _content(text: str, *, json: bool = False) -> Any:
    """Return the object that a text contains as JSON; return any other text unchanged.

    A text that looks like a JSON object but is malformed is an error; so is, with `json`, every
    text that is not JSON.
    """
    if text.lstrip()[:1] not in ("{", "[") and not json:
        return text
    from json import loads

    try:
        content = loads(text)
    except (ValueError, RecursionError) as fault:
        if not json and "".join(text.split())[:2] != '{"':
            return text
        raise UsageError(
            f"the content is not JSON: {fault}", "fix it, or pass plain text"
        ) from None
    return content  # the verb itself refuses a list


def document(ledger: Ledger, given: Given) -> Answer:
    """Show one of the documents that every session loads, or replace its content."""
    own = given.own
    if "file" in own:
        file = own.pop("file")
        own["content"] = _content(from_file(file), json=file.endswith(".json"))
    found = ledger.hivemind.document(own.pop("name"), **own)
    if "content" in own:
        done = "now has this content" if found.changed else "has this content already"
        return _answer(ledger, found, [f"{found.path} {done}"])
    notes = [f"{found.path} says nothing yet"] if found.blank else []
    return _answer(ledger, found, field_lines(found.content.items()), notes)


def list_entries(ledger: Ledger, given: Given) -> Answer:
    """List entries, the newest first."""
    found = ledger.hivemind.list(**given.own)
    told = [one for one in found.entries if one["content"]]  # no documents that are empty
    lines: list[Line] = [
        line for one in told for line in _listed(one, by=found.overridden.get(one["id"]))
    ]
    lines += [f"{found.more} more: give a higher --limit"] if found.more else []
    return _answer(ledger, found, lines, () if lines else (NO_ENTRIES,))


def forget(ledger: Ledger, given: Given) -> Answer:
    """Take an entry out of use; it can be restored."""
    done = ledger.hivemind.forget(**given.own)
    lines = [
        f"{done.id} forgotten in {done.scope}: {done.reason}",
        f"  undo  varves undo {done.event}",
    ]
    return _answer(ledger, done, lines)


def conflicts(ledger: Ledger, given: Given) -> Answer:
    """Show the conflicts between entries of this protocol that need a decision."""
    from varves.cli.history import listed_conflicts

    limit = given.own.get("limit")
    check_limit(limit)
    ours = [
        one
        for one in ledger.conflicts()
        if any(memory.protocol == "hivemind" for memory in one.members)
    ]
    shown = ours[:limit]
    more = len(ours) - len(shown)
    return Answer(
        document={"conflicts": shown, "more": more},
        lines=[
            *listed_conflicts(shown),
            *([f"{more} more: give a higher --limit"] if more else []),
        ],
        remarks=() if shown else (NO_CONFLICTS,),
    )


def show(ledger: Ledger, given: Given) -> Answer:
    """Show one entry as in its file."""
    entry = ledger.hivemind.show(given.own["id"])
    return _answer(ledger, entry, field_lines(entry.items()))


def search(ledger: Ledger, given: Given) -> Answer:
    """Find memories by their words."""
    own = given.own
    found = ledger.hivemind.search(own.pop("query"), **own)
    lines: list[Line] = [line for one in found.memories for line in _found(one)]
    lines += [f"{found.omitted} omitted"] if found.omitted else []
    return _answer(ledger, found, lines)


def _found(one: Any) -> Iterator[Line]:
    yield from _listed(one.entry, f"  {one.score:.2f}")


def _listed(entry: dict[str, Any], score: str = "", *, by: str | None = None) -> Iterator[Line]:
    yield (Strong(entry["id"]), f"{score}  {_gist(entry) or '(empty)'}")
    scope = f"{entry['scope']}:{entry['scope_id']}" if entry["scope_id"] else entry["scope"]
    about = [scope, entry["type"], entry["subtype"], entry["priority"], entry["created_at"][:10]]
    about += [entry["created_by"], *(f"#{tag}" for tag in entry["tags"])]
    about += [f"superseded by {entry['superseded_by']}"] if entry.get("superseded_by") else []
    about += [f"overridden by {by}"] if by else []
    yield (Dim("  " + " · ".join(about)),)


def _gist(entry: dict[str, Any]) -> str:
    """Return the line that best describes an entry; that of a report is not its heading."""
    content = entry["content"]
    if entry.get("subtype") == "task-summary" and isinstance(content.get("text"), str):
        from varves.values.opening import first_said

        return first_said(content["text"])
    texts = {name: text for name, text in content.items() if isinstance(text, str)}
    said = next((texts[name] for name in _TELLING if name in texts), None)
    if said is None and len(texts) > 1:
        said = "; ".join(f"{name}: {text}" for name, text in texts.items() if text)
    return first_line(said or next(iter(texts.values()), ", ".join(content)))


def done(ledger: Ledger, given: Given) -> Answer:
    """Finish the task: record what was learned from it, and resolve contradictions."""
    own = given.own
    if "text" in own:
        own["text"] = text_of(own["text"])
    if "report" in own:
        own["report"] = _report(from_file(own["report"]))
    finished = ledger.hivemind.done(**own)
    lines: list[Line] = [line for one in finished.learned for line in _learned(one)]
    lines += [line for one in finished.actions for line in _action(one)]
    return _answer(ledger, finished, lines or ["nothing was learned"])


def _report(text: str) -> Any:
    from json import loads

    try:
        return loads(text)
    except (ValueError, RecursionError):
        raise UsageError("the report is not JSON", "see docs/protocols/hivemind.md") from None


def _learned(one: Any) -> Iterator[Line]:
    why = f": {one.reason}" if one.reason else ""
    yield (Strong(one.id or one.kind), f"  {one.status}{why}  {first_line(one.text)}")
    yield (Dim(f"  {one.scope} · {one.type} · {one.subtype}"),)


def _action(one: Any) -> Iterator[Line]:
    ways = {
        "supersede": f"{one.stands} supersedes {one.gives_way}",
        "override": f"{one.stands} is shown instead of {one.gives_way}",
        "review": f"{one.stands} and {one.gives_way} need a decision",
    }
    yield f"{ways[one.action]}  ({one.rule}: {one.reason})"
    for name, text in ((one.gives_way, one.gives_way_text), (one.stands, one.stands_text)):
        yield (Dim(f"  {name}  "), _beginning(text))
    yield _remedy(one)


def contradict(ledger: Ledger, given: Given) -> Answer:
    """Report that two memories contradict each other."""
    own = given.own
    action = ledger.hivemind.contradict(own.pop("id"), own.pop("other"), **own)
    standing = ("both are kept: no rule gives either precedence",)
    lines = standing if action is None else _action(action)
    return _answer(ledger, {"action": action}, lines)


def error(ledger: Ledger, given: Given) -> Answer:
    """Record a failure, and link it to what is known about its type."""
    own = given.own
    if "tag" in own:
        own["tags"] = own.pop("tag")
    noted = ledger.hivemind.error(own.pop("type"), own.pop("message"), **own)
    seen = f", seen {noted.times} times" if noted.times > 1 else ""
    lines = [f"{noted.id} recorded in {noted.scope}{seen}"]
    lines += [f"  similar to {name}" for name in noted.similar]
    lines += [f"  see also {name}" for name in noted.fixes]
    lines += [f"  recurring; prevention: {noted.prevention}"] if noted.recurring else []
    return _answer(ledger, noted, lines)


def validate(ledger: Ledger, given: Given) -> Answer:
    """Check the files and the rules."""
    from varves.cli.scoped import findings

    del given
    return findings(ledger.hivemind.validate(), ledger.hivemind.core.notes)


def _answer(
    ledger: Ledger, document: Any, lines: Iterable[Line], remarks: Sequence[str] = ()
) -> Answer:
    """Return an answer.

    Changes that automatic rules made are added to the remarks.
    """
    changes = ledger.hivemind.changes
    shown = {*remarks, *_told(ledger, (*changes, *getattr(document, "actions", ())))}
    notes = tuple(note for note in ledger.hivemind.core.notes if note not in shown)
    if changes and not hasattr(document, "changes"):
        fields = document if isinstance(document, dict) else document.as_dict()
        document = {**fields, "changes": changes}
        remarks = (*remarks, *("".join(line) for line in _changes(changes)))
    return Answer(document=document, lines=lines, remarks=remarks, notes=notes)


def _told(ledger: Ledger, actions: Iterable[Any]) -> set[str]:
    """Return the notes on conflicts about which a rule's own lines say the same and more."""
    pairs = [
        {getattr(one, "memory", None) or one.gives_way, getattr(one, "by", None) or one.stands}
        for one in actions
        if hasattr(one, "stands") or one.by
    ]
    return {
        f"{one.memory} {one.in_words}"
        for one in ledger.hivemind.core.conflicts
        if {one.memory, one.id} in pairs
    }

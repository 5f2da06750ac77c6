"""The verbs of the deliberation protocol: each calls the ledger and renders the result.

The stdout of `context` and `brief` contains only the text for the prompt; remarks go to stderr.
"""

from __future__ import annotations

from json import loads

from varves.cli.deliberation_lines import (
    conversation_lines,
    found_lines,
    made_lines,
    part_lines,
    played_lines,
    replayed_lines,
    said_before,
    stats_lines,
    talk_lines,
)
from varves.cli.input import from_file, text_of
from varves.cli.progress import Progress
from varves.cli.render import Answer, counted, outcome
from varves.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line


def init(ledger: Ledger, given: Given) -> Answer:
    """Create the folder for saved states."""
    del given
    made = ledger.deliberation.init()
    lines = [f"{ledger.root} ready", *(f"  created {path}" for path in made.created)]
    return _answer(ledger, made, lines)


def begin(ledger: Ledger, given: Given) -> Answer:
    """Start a conversation."""
    own = _with_agents(given)
    begun = ledger.deliberation.begin(own.pop("name", None), **own)
    return _answer(ledger, begun, [f"conversation {begun.conversation} started"])


def _with_agents(given: Given) -> dict[str, Any]:
    own = given.own
    return own | {"agents": _names([own["agents"]])} if "agents" in own else own


def _names(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names in the given values, which may have several names separated by commas."""
    return tuple(name.strip() for some in given for name in some.split(","))


def say(ledger: Ledger, given: Given) -> Answer:
    """Add one message to a conversation, and show the decisions and proposals found in it."""
    own = given.own
    own |= _asked(ledger, own, held=True)
    # loading the table of the model takes too long for a single verb
    ledger.deliberation.desk.meanings = False
    said = ledger.deliberation.say(own.pop("agent"), text_of(own.pop("text")), **own)
    masked = f" (redacted: {', '.join(said.redacted)})" if said.redacted else ""
    lines: list[Line] = [f"message {said.index}{masked}"]
    lines += found_lines(said.found)
    return _answer(ledger, said, [*lines, *made_lines(said.summaries)])


def _asked(ledger: Ledger, own: dict[str, Any], *, held: bool = False) -> dict[str, Any]:
    """Return the option `runner` if `--model` is given.

    `held` is the conversation for which the model is called, if there is one.
    """
    if not own.pop("model", False):
        return {}
    from logging import NullHandler, getLogger

    getLogger("varves").addHandler(NullHandler())  # failures are reported in the answer
    meant = ledger.deliberation.named(own.get("conversation")) if held else None
    model = ledger.model(purpose="deliberation", session=meant)
    if model is None:
        raise UsageError("no model is configured", "name one in the table [model] of the settings")
    return {"runner": model}


def context(ledger: Ledger, given: Given) -> Answer:
    """Print what an agent should know of a conversation before its next message."""
    return _told(ledger, ledger.deliberation.context(given.own.pop("agent", None), **given.own))


def brief(ledger: Ledger, given: Given) -> Answer:
    """Print decisions and active proposals."""
    return _told(ledger, ledger.deliberation.brief(**given.own))


def _told(ledger: Ledger, told: Any) -> Answer:
    lines = told.text.split("\n") if told.text else ()
    remarks = [f"{told.omitted} left out: the budget is too small"] if told.omitted else []
    return _answer(ledger, told, lines, remarks)


def decide(ledger: Ledger, given: Given) -> Answer:
    """Record a decision."""
    own = given.own
    if "support" in own:
        own["support"] = _names(own["support"])
    made = ledger.deliberation.decide(own.pop("topic"), text_of(own.pop("outcome")), **own)
    lines: list[Line] = [
        outcome(made, f"{'decided before' if made.known else 'decided'}: {made.topic}")
    ]
    lines += [f"  replaces {made.replaces}"] if made.replaces else []
    lines += [f"  closes the proposal {made.resolves}"] if made.resolves else []
    return _answer(ledger, made, lines)


def propose(ledger: Ledger, given: Given) -> Answer:
    """Record a proposal."""
    own = given.own
    ledger.deliberation.desk.meanings = False
    made = ledger.deliberation.propose(own.pop("agent"), text_of(own.pop("text")), **own)
    lines: list[Line] = [outcome(made, f"proposed by {made.agent}")]
    before = said_before(made)
    lines += [f"  {before}"] if before else []
    return _answer(ledger, made, lines)


def react(ledger: Ledger, given: Given) -> Answer:
    """Record an agent's reaction to a proposal."""
    own = given.own
    words = (own.pop("agent"), own.pop("proposal"), own.pop("reaction"))
    done = ledger.deliberation.react(*words, **own)
    return _answer(ledger, done, [f"{done.id} {done.agent}: {done.reaction}"])


def resolve(ledger: Ledger, given: Given) -> Answer:
    """Record the new status of a proposal."""
    own = given.own
    done = ledger.deliberation.resolve(own.pop("proposal"), own.pop("status"), **own)
    became = f", now {done.successor}" if done.successor else ""
    return _answer(ledger, done, [f"{done.id} {done.status}{became}"])


def summarise(ledger: Ledger, given: Given) -> Answer:
    """Write the summaries of a conversation that are due."""
    own = given.own
    done = ledger.deliberation.summarise(**own | _asked(ledger, own, held=True))
    waiting = f"{counted(done.due, 'message')} without a summary yet"
    lines = [*made_lines(done.summaries, indent=""), waiting]
    return _answer(ledger, done, lines, done.failures).replace(exit=1 if done.failures else 0)


def stats(ledger: Ledger, given: Given) -> Answer:
    """Count the parts of a conversation."""
    found = ledger.deliberation.stats(**given.own)
    return _answer(ledger, found, stats_lines(found))


def save(ledger: Ledger, given: Given) -> Answer:
    """Write the state of a conversation into a file; `-` is stdout."""
    own = given.own
    if own.get("to") == "-":
        text = ledger.deliberation.text(conversation=own.get("conversation"))
        return _answer(ledger, loads(text), text.splitlines())
    saved = ledger.deliberation.save(**own)
    return _answer(ledger, saved, [f"{saved.path} written, {counted(saved.bytes, 'byte')}"])


def restore(ledger: Ledger, given: Given) -> Answer:
    """Start a conversation from a saved state."""
    own = _with_agents(given)
    path = own.pop("file")
    source = from_file(path).encode() if path == "-" else path
    back = ledger.deliberation.restore(source, **own)
    lines: list[Line] = [
        f"conversation {back.conversation} continues from {'stdin' if path == '-' else path}"
    ]
    return _answer(ledger, back, [*lines, *stats_lines(back.stats)])


def show(ledger: Ledger, given: Given) -> Answer:
    """Show a conversation or a part of one."""
    found = ledger.deliberation.show(given.own.pop("id", None), **given.own)
    is_part = hasattr(found, "kind")
    return _answer(ledger, found, part_lines(found) if is_part else conversation_lines(found))


def listing(ledger: Ledger, given: Given) -> Answer:
    """List the conversations."""
    talks = ledger.deliberation.list(**given.own)
    lines = [line for one in talks for line in talk_lines(one)]
    return _answer(ledger, {"conversations": talks}, lines)


def replay(ledger: Ledger, given: Given) -> Answer:
    """Process a transcript in a new conversation."""
    own = given.own
    path = own.pop("file")
    told = ledger.deliberation.transcript(from_file(path), path)
    own |= _asked(ledger, own)
    with Progress("messages") as progress:
        done = ledger.deliberation.replay(told.messages, progress=progress, **own)
    document = {**done.as_dict(), "skipped": _reasons(told.left_out), "kept": _reasons(told.held)}
    remarks = [f"message {at} {why}" for at, why in told.loose]
    if done.failures:
        times = counted(len(done.failures), "time")
        remarks.append(f"{times} the model returned no summary; the last: {done.failures[-1]}")
    lines = replayed_lines(done, told.left_out, told.held)
    answer = _answer(ledger, document, lines, remarks)
    return answer.replace(exit=1 if done.failures else 0)


def _reasons(lines: Iterable[tuple[int, str]]) -> list[dict[str, Any]]:
    return [{"line": at, "why": why} for at, why in lines]


def demo(ledger: Ledger, given: Given) -> Answer:
    """Run the scripted discussion in a temporary ledger."""
    import varves

    model = _asked(ledger, given.own).get("runner")
    with Progress("messages") as progress:
        played, counts = ledger.deliberation.demonstrate(varves.open, model, progress=progress)
    document = {**played.as_dict(), "stats": counts}
    lines = played_lines(played, counts, modelled=model is not None)
    return Answer(document=document, lines=lines)


def validate(ledger: Ledger, given: Given) -> Answer:
    """Check the saved states of conversations against the published format."""
    from varves.cli.scoped import findings

    del given
    return findings(ledger.deliberation.validate(), ledger.deliberation.core.notes)


def _answer(
    ledger: Ledger, document: Any, lines: Iterable[Line], remarks: Sequence[str] = ()
) -> Answer:
    notes = tuple(note for note in ledger.deliberation.core.notes if note not in remarks)
    return Answer(document=document, lines=lines, remarks=remarks, notes=notes)

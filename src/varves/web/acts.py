"""What a person does in the window: each act is a verb of the ledger, recorded as theirs.

An act returns what it did in words, and the event that undoes it.
"""

from __future__ import annotations

from json import dumps, loads

from varves.errors import Refused, Stale, UsageError
from varves.web.texts import cut
from varves.web.window import ActNotice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from varves import Ledger, Memory

    Fields = Mapping[str, str]
    Act = Callable[[Ledger, Fields], ActNotice]

_QUOTED = 160
_STAYS = "Its text stays in the project's log until you erase it for good."


class Outdated(Stale):
    """A memory was changed after the page with the form was made, so nothing was written.

    Args:
        memory: the memory as it is.
        typed: what the person wrote into the form.
    """

    def __init__(self, memory: Memory, typed: str) -> None:
        super().__init__(
            "this memory was changed after your page was made, and nothing was written",
            "look at what it says now, then decide again",
        )
        self.memory = memory
        self.typed = typed


def acted(act: Act, ledger: Ledger, fields: Fields) -> ActNotice:
    """Do what a form asks.

    Raises:
        Outdated: the memory is not the version that the form was made for.
    """
    typed = fields.get("text", "").strip()
    expected = fields.get("expect")
    if expected and (memory := ledger.unseen().show(_needed(fields, "id"))).version != expected:
        raise Outdated(memory, typed)
    try:
        return act(ledger, fields)
    except Stale:
        raise Outdated(ledger.unseen().show(_needed(fields, "id")), typed) from None


def _needed(fields: Fields, name: str) -> str:
    found = fields.get(name, "").strip()
    if not found:
        raise UsageError(f"the field {name} is empty", "fill it in")
    return found


def _given(fields: Fields, *names: str) -> dict[str, str]:
    return {name: fields[name].strip() for name in names if fields.get(name, "").strip()}


def _text(ledger: Ledger, id: str) -> str:
    return cut(ledger.unseen().show(id).titled, _QUOTED)


def trust(ledger: Ledger, fields: Fields) -> ActNotice:
    """Let a memory of untrusted origin count."""
    name = _needed(fields, "id")
    done = ledger.trust(name)
    text = _text(ledger, name)
    return ActNotice(says="Trusted:", had="trusted", text=text, undo=done.events[0])


def share(ledger: Ledger, fields: Fields) -> ActNotice:
    """Publish a private memory to the project."""
    name = _needed(fields, "id")
    done = ledger.share(name)
    says, text = "Shared with the project:", _text(ledger, name)
    return ActNotice(says=says, had="shared", text=text, undo=done.events[0])


def forget(ledger: Ledger, fields: Fields) -> ActNotice:
    """Take a memory out of use."""
    name, text = _needed(fields, "id"), _text(ledger, fields["id"])
    reason = fields.get("reason", "").strip() or "not wanted"
    done = ledger.forget(name, reason=reason, expect=fields.get("expect") or None)
    return ActNotice(says="Forgotten:", had="forgotten", text=text, undo=done.event)


def restore(ledger: Ledger, fields: Fields) -> ActNotice:
    """Make a memory count again."""
    name = _needed(fields, "id")
    done = ledger.restore(name, expect=fields.get("expect") or None)
    return ActNotice(
        says="Brought back:", had="brought back", text=_text(ledger, name), undo=done.event
    )


def correct(ledger: Ledger, fields: Fields) -> ActNotice:
    """Replace what a memory says."""
    given = _given(fields, "reason", "expect")
    done = ledger.correct(_needed(fields, "id"), _needed(fields, "text"), **given)  # type: ignore[arg-type]
    return ActNotice(
        says="Corrected; it now says:",
        had="corrected it to",
        text=_text(ledger, done.id),
        undo=done.event,
    )


def edit(ledger: Ledger, fields: Fields) -> ActNotice:
    """Change the tags of a memory, and what else is about it."""
    name = _needed(fields, "id")
    before = ledger.unseen().show(name)
    given = _given(fields, "priority", "ttl", "expect")
    tags: list[str] = []
    if "tags" in fields:
        held = {tag.strip(): tag for tag in before.tags}
        words = [part.strip() for part in fields["tags"].split(",")]
        named = [held.get(word) or word.lstrip("#").strip() for word in words]
        wanted = dict.fromkeys(filter(None, named))
        tags += [f"+{tag}" for tag in wanted if tag not in before.tags]
        tags += [f"-{tag}" for tag in before.tags if tag not in wanted]
    tags += [f"-{fields['untag']}"] if fields.get("untag") else []
    if not tags and not given.keys() - {"expect"}:
        raise UsageError("nothing was changed", "change a tag first")
    done = ledger.edit(name, tag=tags, **given)  # type: ignore[arg-type]
    return ActNotice(
        says="Changed the details of",
        had="changed the details of",
        text=_text(ledger, name),
        undo=done.event,
    )


def approve(ledger: Ledger, fields: Fields) -> ActNotice:
    """Store what was proposed."""
    name, text = _needed(fields, "id"), _text(ledger, fields["id"])
    ledger.scoped.approve(name)
    return ActNotice(says="Accepted:", had="accepted", text=text, undo=_last(ledger, name))


def decline(ledger: Ledger, fields: Fields) -> ActNotice:
    """Drop what was proposed."""
    name, text = _needed(fields, "id"), _text(ledger, fields["id"])
    ledger.scoped.reject(name, fields.get("reason", "").strip() or None)
    return ActNotice(says="Rejected:", had="rejected", text=text, undo=_last(ledger, name))


def _last(ledger: Ledger, name: str) -> str | None:
    events = ledger.history(name)
    return events[-1].id if events else None


def resolve(ledger: Ledger, fields: Fields) -> ActNotice:
    """Settle a conflict."""
    choice = _given(fields, "keep", "merge", "delete")
    if len(choice) != 1:
        raise UsageError("say which one holds", "press one of the buttons")
    done = ledger.resolve(_needed(fields, "conflict"), **choice)
    says, had = ("Settled; this holds:", "settled that this holds:")
    if choice.get("keep") == "all":
        says, had = "Both hold:", "settled that both hold:"
    return ActNotice(says=says, had=had, text=_text(ledger, done.id), undo=done.event)


def _settings(text: str) -> list[tuple[str, str]]:
    try:
        return [(str(name), str(value)) for name, value in loads(text)]
    except (ValueError, TypeError, RecursionError):
        raise UsageError(
            "the settings in the form are not readable", "load the page again"
        ) from None


def agree(ledger: Ledger, fields: Fields) -> ActNotice:
    """Let the settings take effect that came with the project."""
    agreed = ledger.trust_settings(_settings(_needed(fields, "shown")))
    return ActNotice(
        says="These settings of the project count from the next start:",
        had="agreed to",
        text=", ".join(f"{name} = {value}" for name, value in agreed),
        undo=dumps(agreed),
    )


def record(ledger: Ledger, fields: Fields) -> ActNotice:
    """Record the edits of published files that people made by hand."""
    del fields
    ledger.rebuild()
    return ActNotice(says="Every edit by hand is recorded.")


def settle(ledger: Ledger, fields: Fields) -> ActNotice:
    """Accept what somebody made of an entry of the log by hand, or restore its text."""
    name, accept = _needed(fields, "id"), "accept" in fields
    ledger.layers.resolve(name, accept=accept)
    says = "The entry stays as it was changed by hand:" if accept else "The old text is back:"
    return ActNotice(says=says, text=_text(ledger, name))


def undo(ledger: Ledger, fields: Fields) -> ActNotice:
    """Reverse an event; what undid it is not undone in turn."""
    event = _needed(fields, "event")
    if event.startswith("["):
        ledger.withdraw_settings(_settings(event))
        remark = ""
    else:
        remark = _STAYS if ledger.undo(event).notes else ""
    return ActNotice(says="Undone.", undid=event, remark=remark)


def purge(ledger: Ledger, fields: Fields) -> ActNotice:
    """Erase a memory for good; the person has to type its id."""
    name = _needed(fields, "id")
    if fields.get("typed", "").strip() != name:
        raise Refused("the id that was typed is another one", "type the id to erase it for good")
    done = ledger.purge(name, reason=_needed(fields, "reason"))
    left = " Git's history still contains it; varves purge says how to remove it." * bool(done.git)
    return ActNotice(says=f"Erased for good.{left}", erases=True)


ACTS: dict[str, Act] = {
    act.__name__: act
    for act in (
        *(trust, share, forget, restore, correct, edit, approve, decline),
        *(resolve, agree, record, settle, undo, purge),
    )
}

"""Correct: a new text replaces a memory's text, and the old text stays rejected."""

from __future__ import annotations

from varves.commands.port import Act, Decision, existing, may_change, worth
from varves.commands.remember import expiry, refusal
from varves.errors import Refused
from varves.events.kinds import SUPERSEDED
from varves.values.memory import CORRECT
from varves.values.text import fold, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.commands.port import Rows
    from varves.values.memory import Memory


class Correct(Value):
    """The request to replace the text of a memory by a new text."""

    memory: str
    text: str
    id: str
    reason: str | None = None
    again: bool = False
    expect: str | None = None
    evidence: tuple[dict[str, Any], ...] = ()
    redacted: tuple[str, ...] = ()


def decide(rows: Rows, command: Correct, act: Act) -> Decision:
    """Replace the memory by a new record, or by an existing memory that has the new text."""
    old = existing(rows, command.memory, command.expect)
    may_change(act, old.trust)
    if old.status == "superseded":
        now = ", ".join(old.links.get("superseded_by", ()))
        raise Refused(f"{old.id} was superseded by {now}", "correct the newer memory")
    if old.status == "forgotten":
        raise Refused(f"{old.id} is forgotten", f"run varves restore {old.id} first")
    if command.text == old.text:
        raise Refused(f"{old.id} has this text already", "give the corrected text")
    key = value_key(old.kept, old.scope, command.text)
    same_value = fold(command.text) == fold(old.text)
    act = derived(act, worth(rows, old))
    held, rejecting = rows.standing(key, command.text, act.trust)
    if rejecting and not command.again:
        raise refusal(rejecting)
    # no other memory can have the shelf and key of a document
    if same_value or "document" in old.extra:
        held = None
    record = replacing(old, command.id, command.text, now=act.now, evidence=command.evidence)
    replacement = None if held else record
    content = {
        "memory": old.id,
        "by": held or command.id,
        "reason": command.reason,
        "lifts": rejecting,
        "record": replacement,
        "redacted": list(command.redacted),
    }
    if not same_value:  # if only case or punctuation changed, nothing is rejected
        content |= {"text": old.text, "scope": old.scope}
    content |= covering(old)
    draft = act.draft(SUPERSEDED, content, old.version, *rejecting)
    return Decision(log=old.kept, drafts=(draft,), memory=held or command.id)


def replacing(
    old: Memory, name: str, text: str, *, now: int, evidence: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return a record with a new text and the other fields of the old memory."""
    content = {
        **old.taken(CORRECT),
        "memory": name,
        "text": text,
        "protocol": old.protocol if old.protocol != "core" else None,
        "subtype": old.extra.get("subtype"),
        "expires_at": expiry(old.ttl, now),
        "evidence": list(evidence),
    }
    if "document" in old.extra:  # the replacement of a document is on the same shelf
        named = {key: old.extra["document"].get(key) for key in ("shelf", "key")}
        content |= {"document": named, "source": old.source, "summary": old.summary}
    return {key: part for key, part in content.items() if part not in (None, [])}


def covering(*memories: Memory) -> dict[str, list[str]]:
    """Return the event's field that lists the versions of documents which the event replaces."""
    found = [name for memory in memories for name in memory.extra.get("heads", ())]
    return {"over": found} if found else {}


def derived(act: Act, *sources: int) -> Act:
    """Return the act with its trust lowered to the lowest of the trusts in `sources`.

    If a person acts directly, the trust is not lowered.
    """
    return act if act.origin == "direct" else act.replace(trust=min(act.trust, *sources))

"""What an event changed about a memory, in plain words: the tags it added, the priority it set."""

from __future__ import annotations

from varves.web.words import done, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves import Event

# what is changed, by the field of `set`; several fields may be one thing to a person
_FIELDS = {
    **dict.fromkeys(("text", "blob", "body", "content", "document"), "the text"),
    **dict.fromkeys(("supporters", "reactions"), "who is for it"),
    **dict.fromkeys(("number", "ordinal", "range"), "its place"),
    "summary": "the summary",
    "title": "the title",
    "type": "what kind of thing it is",
    "subtype": "what kind of thing it is",
    "created_by": "who wrote it",
    "proposer": "who proposed it",
    "created_at": "when it was written",
    "source_session": "the session it came from",
    "references": "what it refers to",
    "aliases": "its other names",
    "digest": "the file it is in",
    "file": "the file it is in",
    "topic": "the topic",
    "area": "the area",
}
# what the events that change fields did, and the word for a change of a degree
_VERBS = {"changed details": "set", "lowered": "lowered"}
_SAID = ("priority", "confidence", "scope", "expires_at", "ttl")
_OWN = "its own notes"  # fields that only a protocol's file has


def did(event: Event, now: int, *, it: str = "") -> str:
    """Return what an event did: "wrote", or what it changed if that is all it did.

    Args:
        event: the event.
        now: the present, in milliseconds.
        it: the word for the memory, where the sentence needs one.
    """
    verb = done(event.kind)
    if verb in _VERBS:
        return _joined(list(_parts(event.data, now, _VERBS[verb]))) or verb
    return f"{verb} {it}".rstrip()


def _parts(data: dict[str, Any], now: int, verb: str) -> Iterator[str]:
    changes = data.get("set")
    changes = changes if isinstance(changes, dict) else {}
    if added := _tags(data, "add_tags"):
        yield f"added {added}"
    if removed := _tags(data, "remove_tags"):
        yield f"took off {removed}"
    if isinstance(changes.get("priority"), str):
        yield f"set the priority to {changes['priority']}"
    sure = changes.get("confidence")
    if isinstance(sure, (int, float)):
        yield f"{verb} how sure it is to {sure:.0%}"
    if isinstance(changes.get("scope"), str):
        yield f"put it into {changes['scope']}"
    if "expires_at" in changes or "ttl" in changes:
        until = changes.get("expires_at")
        yield (
            f"let it count until {when(until, now)}"
            if isinstance(until, str)
            else ("changed how long it counts")
        )
    others = [name for name in changes if name not in _SAID]
    if others:
        yield f"changed {_joined([_FIELDS.get(name, _OWN) for name in others])}"


def _tags(data: dict[str, Any], name: str) -> str:
    found = data.get(name)
    return _joined([f"#{tag}" for tag in found]) if isinstance(found, list) else ""


def _joined(parts: list[str]) -> str:
    parts = list(dict.fromkeys(parts))
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)

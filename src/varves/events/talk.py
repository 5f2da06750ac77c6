"""The events of a talk, a conversation that a framework stores in its own format.

An entry is JSON written by another program. It is recorded as a text and not as JSON of the line.
So it is returned unchanged, with its order of keys, large numbers and half surrogate pairs. Only
secrets are masked, string by string.
"""

from __future__ import annotations

import json
from hashlib import scrypt

from varves.errors import Refused, UsageError
from varves.events.redact import scrub, scrub_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.events.event import Event

_LOOSE = {"unknown-token"}  # the only rule without a known token format; it also matches ids
_IDS = ("_id", "Id", "ID", "_uuid", "Uuid", "UUID")
_SEALED = {"encrypted_content", "signature", "thought_signature", "thoughtSignature", "data"}
_SEALED_LEAST = 256  # no known key or token is a single word of this length
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_="


def written(value: Any) -> str:
    """Return a value as JSON text, in the form in which an entry is recorded.

    Raises:
        UsageError: the value is not JSON.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as fault:
        raise UsageError(f"an entry is not JSON: {fault}", "append JSON values") from None
    return text


def masked(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return JSON with its secrets masked, and the names of the rules that matched.

    Ids and sealed bytes are checked only by rules for a known format. Other rules might mask parts
    that merely look like tokens: then ids would no longer match, and the bytes could not be opened.
    """
    try:
        clean, names = scrub_tree(value)
        if not names:
            return clean, ()
        rest = _without_ids(value)
        clean, names = scrub_tree(rest)
        return _with_ids(value, rest, clean), names
    except RecursionError:
        raise Refused("an entry is nested too deep", "keep it in a file") from None


def _without_ids(value: Any, key: Any = None) -> Any:
    """Return a copy of JSON in which ids, signatures and encrypted bytes are replaced by None."""
    if isinstance(value, dict):
        return {name: _without_ids(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_ids(part, key) for part in value]
    return (
        None if isinstance(value, str) and (_is_id(key, value) or _is_sealed(key, value)) else value
    )


def _with_ids(value: Any, rest: Any, clean: Any) -> Any:
    """Return the masked JSON with its ids, signatures and encrypted bytes put back.

    Masking may change the names of keys, but not their order.
    """
    if isinstance(value, dict):
        parts = zip(value.values(), rest.values(), clean.items(), strict=True)
        return {name: _with_ids(old, left, part) for old, left, (name, part) in parts}
    if isinstance(value, list):
        return [_with_ids(*parts) for parts in zip(value, rest, clean, strict=True)]
    return value if rest is None else clean


def _is_id(key: Any, text: str) -> bool:
    named = isinstance(key, str) and (key in {"id", "uuid"} or key.endswith(_IDS))
    return named and set(scrub(text)[1]) <= _LOOSE


def _is_sealed(key: Any, text: str) -> bool:
    return key in _SEALED and len(text) >= _SEALED_LEAST and not text.strip(_BASE64)


def identity(text: str) -> str:
    """Return a conversation's name with secrets masked; different names stay different.

    A name that only looks like a token is unchanged. If a part has the format of a known secret,
    that part is masked, and a digest that is slow to compute keeps the name unique.
    """
    clean, names = scrub(text)
    if set(names) <= _LOOSE:
        return text
    digest = scrypt(text.encode("utf-8"), salt=b"varves talk", n=1 << 14, r=8, p=1, dklen=8)
    return f"{clean}#{digest.hex()}"


def value_of(text: Any) -> tuple[bool, Any]:
    """Return whether a recorded text is valid JSON, and its value; None if it is not valid."""
    try:
        return True, json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return False, None


def key_of(event: Event) -> str | None:
    """Return the key that an event gives its entry, or None if it has no key."""
    key = event.data.get("key")
    return key if isinstance(key, str) else None


def dropped_by(event: Event) -> set[str] | None:
    """Return the ids of the entries an event drops, or None if it drops all earlier entries."""
    if event.data.get("all") is True:
        return None
    names = event.data.get("entries")
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()

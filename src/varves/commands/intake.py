"""Checks and normalises the arguments of callers before a command uses them."""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.values.ids import is_memory_id
from varves.values.instants import duration, instant, iso
from varves.values.memory import FIELDS, PRIORITIES
from varves.values.names import safe_name, safe_path
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BLOB_BYTES = 8 << 20
_MAX_WORD = 64
_MAX_DIGITS = 16


def statement(text: Any) -> str:
    """Return the text if it may be recorded; otherwise raise an error."""
    if not isinstance(text, str):
        raise UsageError("the text is not a string", "give a string")
    if not text.strip():
        raise UsageError("the text is empty", "give some text")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise Refused("the text is not valid Unicode", "remove the lone surrogates") from None
    if size > BLOB_BYTES:
        raise Refused(
            f"the text has {size} bytes, more than 8 MiB",
            "put it in a file and pass the file as --evidence",
        )
    return text


def word(value: Any, what: str) -> str | None:
    """Return a text that must be a short single line; None if it was omitted."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise UsageError(f"{what} is not a string", "give a string")
    if not value.strip() or not value.isprintable():
        raise UsageError(f"{what} is empty or contains control characters", "give a plain word")
    if len(value) > _MAX_WORD * 32:
        raise UsageError(f"{what} is too long", "give a plain word")
    return value


def tags(value: Any) -> tuple[str, ...]:
    """Return the tags without duplicates, in the order given."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise UsageError("tags are not a list", "give a list of words")
    found = []
    for tag in value:
        name = word(tag, "tag") or ""
        if len(name) > _MAX_WORD or "," in name:
            raise UsageError(f"not a tag: {quoted(name)}", "a tag is one short word without commas")
        found.append(name)
    return tuple(dict.fromkeys(found))


def priority(value: Any) -> str | None:
    """Return a priority, which must be critical, high, medium or low; None if none is given."""
    if value is None or value in PRIORITIES:
        return value  # type: ignore[no-any-return]
    raise UsageError(f"not a priority: {quoted(value)}", "use critical, high, medium or low")


def confidence(value: Any) -> float | None:
    """Return a confidence, which must be a number from 0 to 1."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise UsageError(f"not a confidence: {quoted(value)}", "give a number from 0 to 1")
    return float(value)


def ttl(value: Any) -> str | None:
    """Return a time to live, which must be a valid duration."""
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise UsageError("ttl is not a duration", "write it as 30d, 12h or P30D")
    duration(value)
    return value


def moment(value: Any) -> str | None:
    """Return an instant in its canonical form."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise UsageError("not an instant", "write it as 2026-11-15T06:20:00Z")
    return iso(instant(value))


def memory_id(value: Any) -> str:
    """Return a memory id; raise an error if it is malformed."""
    if not isinstance(value, str) or not is_memory_id(value):
        raise UsageError(
            f"not a memory id: {quoted(value)}", "an id is mem_ and twelve letters a-z or digits"
        )
    return value


def memory_ids(value: Any) -> list[str]:
    """Return memory ids, which must be well formed, without duplicates and in the order given."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise UsageError("derived_from is not a list", "give a list of memory ids")
    return list(dict.fromkeys(memory_id(name) for name in value))


def session(value: Any) -> str | None:
    """Return a session's name that is safe in a path."""
    return None if value is None else safe_name(word(value, "session") or "", "session")


def turn(value: Any) -> int | None:
    """Return the number of a turn in its session, counted from 0."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise UsageError("turn is not a whole number", "count from 0")
    return value


def evidence(
    value: Any, noted: Callable[[dict[str, Any]], dict[str, Any]]
) -> tuple[dict[str, Any], ...]:
    """Return a memory's evidence; `noted` adds the current state to each pointer."""
    if isinstance(value, str):
        value = (value,)
    if not hasattr(value, "__iter__"):
        raise UsageError("evidence is not a list", "give a list of paths")
    given = [word("" if one is None else one, "evidence") or "" for one in value]
    return tuple(noted(_pointer(one)) for one in given)


def pointers(value: Any) -> list[dict[str, Any]]:
    """Return the evidence pointers of another ledger unchanged, after checking their form.

    Raises:
        UsageError: a pointer leads out of the project or is malformed.
    """
    for one in value:
        if "commit" in one:
            _pointer(f"commit:{one['commit']}")
        else:
            safe_path(word(one.get("path") or "", "evidence") or "", "evidence")
    return list(value)


def _pointer(given: str) -> dict[str, Any]:
    """Parse PATH, PATH:LINE, PATH:LINE-LINE, PATH::SYMBOL or commit:ID.

    All other texts are paths.
    """
    if given.startswith("commit:"):
        name = given[7:].lower()
        if not 7 <= len(name) <= 64 or name.strip("0123456789abcdef"):
            raise UsageError(
                f"not a commit: {quoted(given)}", "write commit: and 7 to 64 hex digits"
            )
        return {"commit": name}
    path, _, symbol = given.partition("::")
    names = symbol.replace("::", ".").split(".")
    if path and all(name.isidentifier() for name in names):
        return {"path": safe_path(path, "evidence"), "symbol": ".".join(names)}
    path, _, lines = given.rpartition(":")
    first, dash, last = lines.partition("-")
    if path and _is_line(first) and (not dash or _is_line(last)):
        place = {"path": safe_path(path, "evidence"), "line": int(first)}
        if dash and int(last) < int(first):
            raise UsageError(
                f"not a range of lines: {quoted(lines)}",
                "give the smaller line number first, as in 10-20",
            )
        return place | {"end": int(last)} if dash else place
    return {"path": safe_path(given, "evidence")}


def _is_line(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _MAX_DIGITS


def _word(name: str) -> Callable[[Any], Any]:
    return lambda value: word(value, name)


_READERS: dict[str, Callable[[Any], Any]] = {
    "tags": tags,
    "priority": priority,
    "ttl": ttl,
    "confidence": confidence,
    "moment": moment,
    "turn": turn,
}
# The options that a record stores unchanged, each with the function that checks it.
CHECKS = {
    name: _word(name) if row.given == "word" else _READERS[row.given]
    for name, row in FIELDS.items()
    if row.given == "word" or row.given in _READERS
}

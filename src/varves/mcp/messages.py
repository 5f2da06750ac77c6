"""Messages of JSON-RPC: what is one, what it is called, and what its parts must be."""

from __future__ import annotations

from varves.errors import NotFound, UsageError, VarvesError
from varves.mcp.faults import BAD_PARAMS, INTERNAL, INVALID, NO_RESOURCE, Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.mcp.eras import Caller
    from varves.mcp.port import Json

    Key = tuple[bool, int | str]

PAGE = 100
"""What one answer lists at the most."""
_LARGEST = 2**53


def is_name(value: object) -> bool:
    """Tell whether a value can be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def key_of(name: int | str) -> Key:
    """Return an id so that 1 and "1" are two."""
    return isinstance(name, str), name


def is_answer(message: object) -> bool:
    """Tell whether a message answers one of ours."""
    if not isinstance(message, dict) or "method" in message:
        return False
    return "result" in message or "error" in message


def is_notification(message: object) -> bool:
    """Tell whether a message, whatever is wrong with it, wants no answer."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    return "id" not in message and isinstance(message.get("method"), str)


def id_of(message: object) -> int | str | None:
    """Return the id an error about a message carries; None where it has no fitting one."""
    name = message.get("id") if isinstance(message, dict) else None
    return name if isinstance(name, str | int) and is_name(name) else None


def checked(message: object) -> Json:
    """Return a message that is a request or a notification.

    Raises:
        Fault: it is neither.
    """
    if not isinstance(message, dict):
        raise Fault(INVALID, "a message is an object")
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise Fault(INVALID, 'a message has "jsonrpc": "2.0" and a method')
    if "id" in message and not is_name(message["id"]):
        raise Fault(INVALID, "an id is a text or a whole number")
    if not isinstance(message.get("params"), dict | None):
        raise Fault(BAD_PARAMS, "params is an object")
    return message


def notification(method: str, params: Json) -> Json:
    """Return a message that wants no answer."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def question(params: Json) -> Json:
    """Return what asks a person."""
    return {"method": "elicitation/create", "params": params}


def text(params: Json, name: str) -> str:
    """Return a text that a request must have."""
    found = params.get(name)
    if not isinstance(found, str):
        raise Fault(BAD_PARAMS, f"{name} is missing, or no text")
    return found


def arguments(params: Json) -> Json:
    """Return the arguments of a request, none if there are none."""
    found = params.get("arguments")
    if not isinstance(found, dict | None):
        raise Fault(BAD_PARAMS, "arguments is an object")
    return found or {}


def paged(name: str, rows: list[Json], params: Json) -> Json:
    """Return a page of a list: the first, or the one a cursor names."""
    cursor = params.get("cursor")
    start = 0
    if cursor is not None:
        fits = isinstance(cursor, str) and cursor.isascii() and cursor.isdigit()
        start = int(cursor) if fits and len(cursor) < 10 else -1
        if not 0 < start < len(rows):
            raise Fault(BAD_PARAMS, "no such cursor")
    end = start + PAGE
    found: Json = {name: rows[start:end]}
    if end < len(rows):
        found["nextCursor"] = str(end)
    return found


def fault_of(error: Exception, client: Caller) -> Fault:
    """Return the error that says what went wrong with a request."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, VarvesError):
        said = f"{error.message}; {error.hint}" if error.hint else error.message
        if isinstance(error, NotFound):
            return Fault(BAD_PARAMS if client.modern else NO_RESOURCE, said)
        return Fault(BAD_PARAMS if isinstance(error, UsageError) else INTERNAL, said)
    if isinstance(error, UnicodeEncodeError):  # JSON can spell it, UTF-8 cannot
        return Fault(BAD_PARAMS, "a text holds half a surrogate pair, which is no character")
    from varves import settings

    if settings.debug():
        from traceback import print_exception

        print_exception(error)
    return Fault(INTERNAL, f"internal error: {type(error).__name__}")


def number(value: Any) -> bool:
    """Tell whether a value is a whole number that survives JSON."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST

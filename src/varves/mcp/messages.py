"""JSON-RPC messages: recognises them, reads their ids and checks their parts."""

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
"""The maximum length of one page of a list."""
_LARGEST = 2**53


def is_name(value: object) -> bool:
    """Return whether a value can be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def key_of(name: int | str) -> Key:
    """Return a dictionary key for an id; the number 1 and the text "1" get different keys."""
    return isinstance(name, str), name


def is_answer(message: object) -> bool:
    """Return whether a message answers a request of this server."""
    if not isinstance(message, dict) or "method" in message:
        return False
    return "result" in message or "error" in message


def is_notification(message: object) -> bool:
    """Return whether a message, valid or not, expects no answer."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    return "id" not in message and isinstance(message.get("method"), str)


def id_of(message: object) -> int | str | None:
    """Return the id to use in an error about a message; None if the message has no valid id."""
    name = message.get("id") if isinstance(message, dict) else None
    return name if isinstance(name, str | int) and is_name(name) else None


def checked(message: object) -> Json:
    """Return a message that is a request or a notification.

    Raises:
        Fault: the message is neither.
    """
    if not isinstance(message, dict):
        raise Fault(INVALID, "a message must be an object")
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise Fault(INVALID, 'a message must have "jsonrpc": "2.0" and a method')
    if "id" in message and not is_name(message["id"]):
        raise Fault(INVALID, "an id must be a string or an integer")
    if not isinstance(message.get("params"), dict | None):
        raise Fault(BAD_PARAMS, "params must be an object")
    return message


def notification(method: str, params: Json) -> Json:
    """Return a message that expects no answer."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def question(params: Json) -> Json:
    """Return a request that asks a person."""
    return {"method": "elicitation/create", "params": params}


def text(params: Json, name: str) -> str:
    """Return a required string parameter."""
    found = params.get(name)
    if not isinstance(found, str):
        raise Fault(BAD_PARAMS, f"{name} is missing or is not a string")
    return found


def arguments(params: Json) -> Json:
    """Return the arguments of a request; empty if there are none."""
    found = params.get("arguments")
    if not isinstance(found, dict | None):
        raise Fault(BAD_PARAMS, "arguments must be an object")
    return found or {}


def paged(name: str, rows: list[Json], params: Json) -> Json:
    """Return a page of a list: the first page, or the page that a cursor in `params` names."""
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
    """Return the JSON-RPC error for an exception."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, VarvesError):
        said = f"{error.message}; {error.hint}" if error.hint else error.message
        if isinstance(error, NotFound):
            return Fault(BAD_PARAMS if client.modern else NO_RESOURCE, said)
        return Fault(BAD_PARAMS if isinstance(error, UsageError) else INTERNAL, said)
    if isinstance(error, UnicodeEncodeError):  # JSON can express the text, but UTF-8 cannot
        return Fault(BAD_PARAMS, "a text contains a lone surrogate, which is not a character")
    from varves import settings

    if settings.debug():
        from traceback import print_exception

        print_exception(error)
    return Fault(INTERNAL, f"internal error: {type(error).__name__}")


def number(value: Any) -> bool:
    """Return whether a value is an integer that JSON can represent."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST

"""Checks arguments against a tool's schema, so that the message about a mistake is clear."""

from __future__ import annotations

from varves.errors import UsageError
from varves.mcp.messages import number
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.mcp.port import Json

_FITS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "string": (lambda value: isinstance(value, str), "a text"),
    "integer": (number, "a whole number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "array": (
        lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
        "a list of strings",
    ),
}


def checked(given: Json, schema: Json) -> Json:
    """Return the arguments of a tool, without arguments that are null.

    Raises:
        UsageError: an argument is missing, unknown or of the wrong type.
    """
    fields: Json = schema["properties"]
    found = {name: value for name, value in given.items() if value is not None}
    if unknown := [name for name in found if name not in fields]:
        raise UsageError(
            f"unknown argument {quoted(unknown[0])}", f"use one of {', '.join(fields)}"
        )
    if missing := [name for name in schema["required"] if name not in found]:
        raise UsageError(f"{missing[0]} is missing", f"it is {fields[missing[0]]['description']}")
    for name, value in found.items():
        _check(name, value, fields[name])
    return found


def _check(name: str, value: Any, shape: Json) -> None:
    fits, words = _FITS[shape["type"]]
    if not fits(value):
        raise UsageError(f"{name} is not {words}", f"it is {shape['description']}")
    if "enum" in shape and value not in shape["enum"]:
        raise UsageError(f"{name} is {quoted(value)}", f"use one of {', '.join(shape['enum'])}")
    if "minimum" in shape and not shape["minimum"] <= value <= shape["maximum"]:
        between = f"from {shape['minimum']} to {shape['maximum']}"
        raise UsageError(f"{name} is out of range", f"use a number {between}")

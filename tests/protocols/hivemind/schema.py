"""A small judge of JSON by JSON Schema, draft 07: as much of it as the published schemas use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

KNOWN = {
    *("type", "required", "properties", "enum", "pattern", "items", "additionalProperties"),
    *("minimum", "maximum", "maxLength", "format"),
    *("$schema", "$id", "title", "description", "default", "examples"),  # they demand nothing
}
TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def breaches(value: Any, schema: dict[str, Any], at: str = "$") -> Iterator[str]:
    """Yield what is wrong with a value, each with its place; a keyword unknown here is an error."""
    if unknown := schema.keys() - KNOWN:
        raise AssertionError(f"not judged here: {unknown}")
    if "type" in schema and not any(_is(value, word) for word in _list(schema["type"])):
        yield f"{at}: not {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if isinstance(value, str):
        yield from _text(value, schema, at)
    if _is(value, "number"):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            yield f"{at}: {value} is out of bounds"
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from breaches(part, schema.get("items", {}), f"{at}[{number}]")
    if isinstance(value, dict):
        yield from _object(value, schema, at)


def _object(value: dict[str, Any], schema: dict[str, Any], at: str) -> Iterator[str]:
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{at}.{key}: missing"
    known = schema.get("properties", {})
    for key, part in value.items():
        if key in known:
            yield from breaches(part, known[key], f"{at}.{key}")
        elif schema.get("additionalProperties") is False:
            yield f"{at}.{key}: not allowed"
        elif isinstance(schema.get("additionalProperties"), dict):
            yield from breaches(part, schema["additionalProperties"], f"{at}.{key}")


def _text(value: str, schema: dict[str, Any], at: str) -> Iterator[str]:
    if "pattern" in schema and re.search(schema["pattern"], value) is None:
        yield f"{at}: {value!r} does not match {schema['pattern']}"
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{at}: longer than {schema['maxLength']}"
    if schema.get("format") == "date-time" and INSTANT.fullmatch(value) is None:
        yield f"{at}: {value!r} is not an instant"


def _list(words: Any) -> list[str]:
    return words if isinstance(words, list) else [words]


def _is(value: Any, word: str) -> bool:
    if word in ("integer", "number"):
        kinds = int if word == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[word])

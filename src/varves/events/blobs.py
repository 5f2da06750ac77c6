"""Stores each long text in a separate file, a blob, named by its digest.

The event's line contains this name. A text can be in four places of an event: in its content, in
its record, in `set`, and in the dropped memories. Each place may have `blob` instead of `text`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LINE_BYTES = 256 << 10


def places(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts of an event's content that may have the key `text` or `blob`."""
    yield content
    if isinstance(content.get("record"), dict):
        yield content["record"]
    if "memory" in content and isinstance(content.get("set"), dict):
        yield content["set"]
    drop = content.get("drop")
    for dropped in drop if isinstance(drop, list) else ():
        if isinstance(dropped, dict):
            yield dropped


def named(content: dict[str, Any]) -> Iterator[str]:
    """Yield the digests of the separate text files (blobs) that an event's content names."""
    for place in places(content):
        if isinstance(place.get("blob"), dict):
            yield str(place["blob"].get("sha256"))


def texts_of(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (id of the memory, text) for each text that an event's line itself contains."""
    for place in places(content):
        if isinstance(place.get("text"), str):
            about = content if place is content.get("set") else place
            yield str(about.get("memory")), place["text"]


def is_long(text: Any) -> bool:
    """Return whether a text is too long for a line."""
    return isinstance(text, str) and len(text) * 4 > LINE_BYTES and _bytes(text) > LINE_BYTES


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def deflated(content: dict[str, Any], put: Callable[[bytes], dict[str, object]]) -> dict[str, Any]:
    """Return the content with each long text replaced by the digest of a file that `put` stores."""
    if not any(is_long(place.get("text")) for place in places(content)):
        return content
    copy = dict(content)
    for part in ("record", "set"):
        if part in copy:
            copy[part] = dict(copy[part])
    if "drop" in copy:
        copy["drop"] = [dict(dropped) for dropped in copy["drop"]]
    for place in places(copy):
        if is_long(place.get("text")):
            place["blob"] = put(place.pop("text").encode("utf-8"))
    return copy


def inflate(content: dict[str, Any], get: Callable[[str], bytes | None]) -> None:
    """Replace each reference to a blob (a long text in its own file) by the blob's text.

    References to missing blobs are removed.
    """
    for place in places(content):
        blob = place.get("blob")
        if isinstance(blob, dict) and "text" not in place:
            found = get(str(blob.get("sha256")))
            if found is not None:
                place["text"] = found.decode("utf-8", "replace")

"""The text of a memory's content: the statement that is searched, and one line for an index.

A content that says nothing is blank: it is empty, or a template, which is a document whose texts
are placeholders, such as `<your name>` or `{{user_name}}`. A version and a date of the document say
nothing about its subject.
"""

from __future__ import annotations

import re

from varves.values.text import first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SUMMARY = 200
_ORDER = {
    key: place
    for place, key in enumerate(
        (
            *("working_memory_snapshot", "memories_loaded", "memories_created", "task_summary"),
            *("current_task", "task_history", "entities_mentioned", "decisions_made"),
            *("pending_items", "recommended_context"),
            *("id", "task", "intent", "keywords", "entities", "status", "summary", "error"),
            *("agent", "team", "project", "from", "to", "started_at", "timestamp"),
            *("error_type", "error_message", "context", "resolution", "prevention"),
        )
    )
}
"""The published order of the keys of handoffs, working memories, tasks and errors."""
FIRST = ("text", "statement", "summary", "title", "decision", "description", "error_message")


def statement_of(content: dict[str, Any]) -> str:
    """Return all texts of some content, one per line, the most informative fields first."""
    said: dict[str, None] = {}
    for name in FIRST:
        if isinstance(content.get(name), str):
            said[content[name].strip()] = None
    for text in _texts(content):
        said[text.strip()] = None
    return "\n".join(text for text in said if text)


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for inner in part.values():
            yield from _texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _texts(inner)


def labelled(content: dict[str, Any]) -> str:
    """Return the texts of an entry's content, each after its key unless the key is `text`."""
    lines = [
        text if key == "text" else f"{key.replace('_', ' ')}: {text}"
        for key, part in content.items()
        for text in _texts(part)
    ]
    return "\n".join(lines)


def in_order(part: Any) -> Any:
    """Return an event's data with its keys in the published order; an event stores them sorted."""
    if isinstance(part, dict):
        keys = sorted(part, key=lambda key: _ORDER.get(key, len(_ORDER)))
        return {key: in_order(part[key]) for key in keys}
    return [in_order(one) for one in part] if isinstance(part, list) else part


def summary_of(content: dict[str, Any], given: str | None = None) -> str:
    """Return one line of at most 200 characters: the given summary, or one from the content."""
    if given is not None and given.strip():
        return one_line(given)
    chosen = content.get("summary")
    if not isinstance(chosen, str) or not chosen.strip():
        chosen = _fields_of(content) or first_line(statement_of(content))
    return one_line(chosen) or one_line(", ".join(map(str, content)))


def _fields_of(content: dict[str, Any]) -> str:
    """Return the short values of content without a main text, with their keys; else ""."""
    if len(content) < 2 or any(isinstance(content.get(name), str) for name in FIRST):
        return ""
    said = {
        key: part if isinstance(part, str) else ", ".join(_texts(part))
        for key, part in content.items()
    }
    return "; ".join(f"{key}: {part.strip()}" for key, part in said.items() if part.strip())


def one_line(text: str, length: int = SUMMARY) -> str:
    """Collapse white space and cut a text to a length, at a word boundary if one is near."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > length // 2 else cut).rstrip() + "…"


_ABOUT = frozenset(  # keys that describe the document itself
    (
        *("version", "$schema", "schema_version", "_comment"),
        *("created_at", "updated_at", "last_updated", "created", "updated"),
    )
)
_HOLDER = re.compile(
    r"<[^<>\n]{1,80}>|\{\{[^{}\n]{1,80}\}\}|\$\{[^{}\n]{1,80}\}|\[[^\[\]\n]{1,80}\]|\.{3}|…|_{3,}|-+|\?+"
    r"|(?:tbd|todo|tba|n/?a|none|null|unknown|placeholder"
    r"|fill (?:me )?in|to be (?:defined|filled in))\.?",
    re.IGNORECASE,
)


def is_blank(content: Any) -> bool:
    """Return whether content is blank: empty, or a template that is not filled in."""
    return filled(content) is None


def filled(content: Any) -> Any:
    """Return the parts of some content that are not blank; None if there are none.

    Keys that describe the document itself are kept only if other parts remain.
    """
    if isinstance(content, dict):
        said = {key: filled(part) for key, part in content.items()}
        said = {key: part for key, part in said.items() if part is not None}
        return said if said.keys() - _ABOUT else None
    if isinstance(content, list):
        return [part for part in map(filled, content) if part is not None] or None
    if isinstance(content, str):
        text = content.strip()
        return content if text and not _HOLDER.fullmatch(text) else None
    return content

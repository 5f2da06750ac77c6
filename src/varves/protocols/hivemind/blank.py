"""Decides whether content says anything; empty documents and templates do not.

A template is a document whose texts are placeholders, such as `<your name>` or `{{user_name}}`. A
version and a date of the document say nothing about its subject.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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

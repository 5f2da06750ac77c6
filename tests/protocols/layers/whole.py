"""Is a log made of whole events only? Judged by a reader that shares no code with the package."""

from __future__ import annotations

import re

NAMED = 5  # times an event names itself: in its heading and in each part
SECTIONS = ["What", "Why", "Impact", "Next Steps"]
_HEADING = re.compile(r"^## (\d{4}-\d\d-\d\d \d\d:\d\d) — (.+)$", re.MULTILINE)


def blocks(text: str) -> list[tuple[str, str]]:
    """Return (title, text) of each event."""
    heads = list(_HEADING.finditer(text))
    ends = [*(head.start() for head in heads), len(text)][1:]
    return [(head[2], text[head.start() : end]) for head, end in zip(heads, ends, strict=True)]


def torn(text: str) -> list[str]:
    """Return the titles of events that are not whole, or have parts of another one."""
    return [title for title, block in blocks(text) if not _is_whole(title, block)]


def _is_whole(title: str, block: str) -> bool:
    """Tell whether an event has its parts in order, each naming it, and ends where it should."""
    sections = re.findall(r"^### (.+)$", block, re.MULTILINE)
    ends = block.rstrip("\n").endswith(f"\n- End of {title}")
    return sections == SECTIONS and block.count(title) == NAMED and ends

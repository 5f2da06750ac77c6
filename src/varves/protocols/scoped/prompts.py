"""The block between two markers in a prompt file; the rest of the file is not changed."""

from __future__ import annotations

import json
import re

from varves.errors import Refused

BEGIN = "<!-- varves memory: begin -->"
END = "<!-- varves memory: end -->"
_NONCE = re.compile(r"<varves-memory-([0-9a-f]{32})>")


def with_block(text: str, block: str) -> str:
    """Put a block between the markers of a text, or at its end if it has no markers.

    Raises:
        Refused: the text does not contain exactly one pair of markers.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    inside = ending.join([BEGIN, *block.splitlines(), END])
    begins, ends = text.count(BEGIN), text.count(END)
    if (begins, ends) == (0, 0):
        gap = "" if not text else ending if text.endswith("\n") else ending * 2
        return f"{text}{gap}{inside}{ending}"
    start, stop = text.find(BEGIN), text.find(END)
    if (begins, ends) != (1, 1) or stop < start:
        raise Refused(
            "the file does not have exactly one pair of markers",
            f"keep exactly one {BEGIN} before one {END}",
        )
    return f"{text[:start]}{inside}{text[stop + len(END) :]}"


def has_block(text: str) -> bool:
    """Return whether a block was once written into a text."""
    return BEGIN in text and END in text


def nonce_in(text: str) -> str | None:
    """Return the nonce of the block in a text; with it, an equal block is written identically."""
    start, stop = text.find(BEGIN), text.find(END)
    found = _NONCE.search(text, start, stop) if 0 <= start < stop else None
    return found[1] if found else None


def told_in(text: str) -> list[str]:
    """Return the texts of the memories in the block of a text."""
    found = []
    for line in text[text.find(BEGIN) : text.find(END)].splitlines():
        try:
            said = json.loads(line) if line.startswith("{") else None
        except ValueError:
            continue  # edited by hand
        if isinstance(said, dict) and isinstance(said.get("text"), str):
            found.append(said["text"])
    return found

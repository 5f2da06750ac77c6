"""Rules on what the package says to a user: few words, and nothing that carries nothing."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from tests.house.modules import texts_of
from tests.house.repository import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.house.repository import Repository

FILLER = re.compile(
    r"happy to|sure!|great question|\blet me\b|of course|certainly|feel free|glad to|no problem"
    r"|you're welcome|you are welcome|\bhope this\b|\bas an ai\b|\bi'll\b|\bi will\b|\bi can\b"
    r"|in summary|to summari[sz]e|\bhere is\b|\bhere's\b|\bhere are\b|absolutely|\bwow\b|\boops\b",
    re.IGNORECASE,
)
POLITE = re.compile(
    r"\b(?:please|thanks?|thank you|sorry|kindly|apolog\w+|welcome)\b", re.IGNORECASE
)
EMOJI = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f]")
HEADERS = ("📝 Your memories from previous sessions:", "🤝 Relationship notes:")
SURFACES = (f"{PACKAGE}cli/", f"{PACKAGE}errors.py")
THEIRS = "/anthropic_memory.py"  # answers in the words of the tool it stands in for


def empty_phrases(repository: Repository) -> list[str]:
    """No text that a user may see is filler or politeness."""
    return [
        f"{module}:{line}: says {found[0]!r}, which says nothing"
        for module in repository.modules()
        if not module.endswith(THEIRS)
        for line, text in _spoken(repository, module)
        if (found := FILLER.search(text) or POLITE.search(text))
    ]


def emoji(repository: Repository) -> list[str]:
    """Two published headers are the only texts with an emoji."""
    return [
        f"{module}:{line}: an emoji outside the two published headers"
        for module in repository.modules()
        for line, text in texts_of(repository, module)
        if EMOJI.search(text) and text not in HEADERS
    ]


def _spoken(repository: Repository, module: str) -> Iterator[tuple[int, str]]:
    """Yield what a user may come to see: all texts of a surface, elsewhere what is raised or noted.

    Lists of words that are looked for in what others wrote are not said by anybody.
    """
    if module.startswith(SURFACES) or module.endswith("/injecting.py"):
        yield from texts_of(repository, module)
        return
    for node in repository.nodes(module):
        if isinstance(node, ast.Raise) or _is_note(node) or _is_message(node):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.lineno, part.value


def _is_note(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    to = node.func.value
    name = getattr(to, "attr", None) or getattr(to, "id", "")
    return node.func.attr in {"append", "extend"} and name.endswith("notes")


def _is_message(node: ast.AST) -> bool:
    named = {"message", "hint"}
    return isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in named

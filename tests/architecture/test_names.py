"""Names: none of the words that say nothing, and none of the glossary's refused synonyms."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

import varves
from tests.architecture.source import PACKAGE, ROOT, modules, short, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BANNED = {
    "manager",
    "helper",
    "helpers",
    "util",
    "utils",
    "handler",
    "service",
    "processor",
    "data",
    "info",
    "item",
    "common",
    "base",
    "v2",
    "new",
}
MODULES_ALLOWED = {"src/varves/fold/base.py"}
PUBLISHED = {("src/varves/frameworks/openai_session.py", "pop_item")}  # by others, as it is
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")


def words(name: str) -> list[str]:
    """Split a snake, camel or constant name into lower-case words."""
    return [word.lower() for part in name.split("_") for word in WORDS.findall(part)]


def names(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Yield line, name and whether it is a variable, for each name the module gives."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name, False
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg, True
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id, True
        elif isinstance(node, ast.alias) and node.asname:
            yield 0, node.asname, False


@pytest.mark.parametrize("path", modules(), ids=short)
def test_no_name_is_or_ends_in_a_word_that_says_nothing(path):
    found = []
    if short(path) not in MODULES_ALLOWED and BANNED.intersection(words(path.stem)[-1:]):
        found.append((0, path.stem))
    for line, name, variable in names(path):
        if name.startswith("__") or not words(name):
            continue
        if name == "data" and (variable or path.parent.name == "events"):
            continue  # the envelope's own field, wherever an event is made or read
        if (short(path), name) in PUBLISHED:
            continue
        if words(name)[-1] in BANNED:
            found.append((line, name))
    assert not found, f"name these by what they are (line, name): {found}"


def refused_synonyms() -> set[str]:
    """Read the glossary's third column; a word defined there itself is no synonym."""
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    defined: set[str] = set()
    refused: set[str] = set()
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] in {"word", "---"}:
            continue
        defined.update(re.split(r"[,\s]+", cells[0]))
        plain = re.sub(r"\(.*?\)", "", cells[2])
        refused.update(term for term in re.split(r",\s*", plain) if re.fullmatch(r"[a-z_]+", term))
    return refused - defined


def test_the_glossary_can_be_read():
    assert {"vault", "namespace", "retrieve", "delete"} <= refused_synonyms()


def test_public_names_use_no_refused_synonym():
    methods = [name for name in dir(varves.Ledger) if not name.startswith("_")]
    used = {name: set(words(name)) & refused_synonyms() for name in [*varves.__all__, *methods]}
    assert not {name: bad for name, bad in used.items() if bad}


def test_no_folder_is_a_synonym_of_another():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    assert not folders & refused_synonyms()


def test_no_two_public_classes_have_one_name():
    places: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(f"{short(path)}:{node.lineno}")
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert twice == {}

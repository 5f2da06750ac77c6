"""Rules on the source of the package: its names, its public names, SQL and event kinds."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tests.house.repository import PACKAGE
from varves.events.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.house.repository import Repository

EMPTY_WORDS = {
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
NAMED_BY_OTHERS = {
    ("src/varves/fold/base.py", "base"),
    ("src/varves/frameworks/openai_session.py", "pop_item"),
}
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")
GLOSSARY = "docs/glossary.md"
DOOR = f"{PACKAGE}__init__.py"
LEDGER = f"{PACKAGE}ledger.py"
PUBLISHED = [
    "AgentListener",
    "Conflict",
    "ConversationMemory",
    "Event",
    "Hit",
    "Ledger",
    "Memory",
    "Message",
    "MessageBus",
    "Persona",
    "Recall",
    "errors",
    "open",
]
NAMING_A_PURGE = {  # they write one, read the numbers of a file that it keeps, or make one up
    f"{PACKAGE}commands/purge.py",
    f"{PACKAGE}testing/index.py",
    *(f"{PACKAGE}protocols/scoped/{name}.py" for name in ("codec", "holdings", "numbers")),
}
ADAPTERS = (
    f"{PACKAGE}index/sqlite/",
    f"{PACKAGE}state/",
    f"{PACKAGE}remotes/postgres/",
    f"{PACKAGE}hosts/transcripts/rows.py",  # reads another program's database
)
NUMBERED = re.compile(r"[(\s=<>]\?\d")
SQL = re.compile(
    r"\b(select\s.+\sfrom|insert\s+(or\s+\w+\s+)?into|delete\s+from|update\s+\w+\s+set"
    r"|create\s+(\w+\s+)?(table|index)|pragma\s+\w+)\b",
    re.IGNORECASE | re.DOTALL,
)


def empty_names(repository: Repository) -> list[str]:
    """No name is, or ends in, a word that says nothing."""
    return [
        f"{module}:{line}: {name} ends in a word that says nothing"
        for module in repository.modules()
        for line, name in _names(repository, module)
        if not name.startswith("__")
        if (module, name) not in NAMED_BY_OTHERS
        if EMPTY_WORDS.intersection(words_of(name)[-1:])
    ]


def public_names(repository: Repository) -> list[str]:
    """The package exports the published names and binds no other public name."""
    exported, bound = [], []
    for node in repository.tree(DOOR).body:
        if isinstance(node, ast.Assign):
            names = [one.id for one in node.targets if isinstance(one, ast.Name)]
            if "__all__" in names:
                exported = ast.literal_eval(node.value)
            bound += [(node.lineno, name) for name in names]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.append((node.lineno, node.name))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound += [(node.lineno, one.asname or one.name) for one in node.names]
    found = []
    if sorted(exported) != PUBLISHED:
        changed = ", ".join(sorted({*exported} ^ {*PUBLISHED}))
        found.append(f"{DOOR}:1: __all__ is not what is published: {changed}")
    known = {*PUBLISHED, "TYPE_CHECKING", "annotations"}
    return found + [
        f"{DOOR}:{line}: binds {name}, which is not published"
        for line, name in bound
        if not name.startswith("_") and name not in known
    ]


def refused_synonyms(repository: Repository) -> list[str]:
    """No public name and no folder uses a word that the glossary refuses."""
    refused = _refused(repository)
    if not refused:
        return [f"{GLOSSARY}:1: no table with a third column of refused words"]
    ledger = next(
        node
        for node in repository.tree(LEDGER).body
        if isinstance(node, ast.ClassDef) and node.name == "Ledger"
    )
    methods = [
        (node.lineno, node.name) for node in ledger.body if isinstance(node, ast.FunctionDef)
    ]
    named = [(DOOR, 1, name) for name in PUBLISHED]
    named += [(LEDGER, line, name) for line, name in methods if not name.startswith("_")]
    found = [
        f"{place}:{line}: {name} uses a word that the glossary refuses"
        for place, line, name in named
        if refused & {*words_of(name)}
    ]
    folders = {name.split("/")[2] for name in repository.modules() if name.count("/") > 2}
    return found + [
        f"{PACKAGE}{folder}:1: the glossary refuses this word"
        for folder in sorted(folders & refused)
    ]


def class_names(repository: Repository) -> list[str]:
    """No two public classes have the same name."""
    places: dict[str, list[str]] = {}
    for module in repository.modules():
        for node in repository.nodes(module):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(f"{module}:{node.lineno}")
    return [
        f"{where}: the class {name} is also in {first}"
        for name, (first, *rest) in places.items()
        for where in rest
    ]


def sql_in_adapters(repository: Repository) -> list[str]:
    """SQL is written in adapters only: the index, the local notes, readers of foreign databases."""
    return [
        f"{module}:{line}: SQL outside an adapter"
        for module in repository.modules()
        if not module.startswith(ADAPTERS)
        for line, text in texts_of(repository, module)
        if SQL.search(text)
    ]


def sql_parameters(repository: Repository) -> list[str]:
    """SQL takes `?` or `:name`; Python 3.14 refuses a sequence of values for `?1`."""
    return [
        f"{module}:{line}: a numbered parameter in SQL"
        for module in repository.modules()
        if module.startswith(ADAPTERS)
        for line, text in texts_of(repository, module)
        if NUMBERED.search(text)
    ]


def event_kinds(repository: Repository) -> list[str]:
    """An event kind is named by its constant everywhere but in the table of kinds."""
    return [
        f"{module}:{line}: write the constant of {text}"
        for module in repository.modules()
        if module != f"{PACKAGE}events/kinds.py"
        for line, text in texts_of(repository, module)
        if text in KINDS
    ]


def barring_kinds(repository: Repository) -> list[str]:
    """Code asks the table of kinds what bars a memory; few modules name the purge itself."""
    return [
        f"{module}:{node.lineno}: ask `BARRING` or `is_purge`, not the kind of a purge"
        for module in repository.modules()
        if module not in NAMING_A_PURGE
        for node in repository.nodes(module)
        if isinstance(node, ast.ImportFrom) and node.module == "varves.events.kinds"
        if "PURGED" in {alias.name for alias in node.names}
    ]


def words_of(name: str) -> list[str]:
    """Split a snake, camel or constant name into lower-case words."""
    return [word.lower() for part in name.split("_") for word in WORDS.findall(part)]


def _names(repository: Repository, module: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of the module, and of each name that it defines."""
    path = PurePosixPath(module)
    yield 1, path.stem
    for node in repository.nodes(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name != "data" or path.parent.name != "events":
                yield node.lineno, node.name
        elif isinstance(node, ast.alias) and node.asname:
            yield node.lineno, node.asname
        elif isinstance(node, ast.arg):
            if node.arg != "data":  # the envelope's own field, where an event is made or read
                yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id != "data":
            yield node.lineno, node.id


def _refused(repository: Repository) -> set[str]:
    """Read the third column of the glossary; a word that is itself defined is no synonym."""
    defined: set[str] = set()
    refused: set[str] = set()
    for line in repository.text(GLOSSARY).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] in {"word", "---"}:
            continue
        defined.update(re.split(r"[,\s]+", cells[0]))
        plain = re.sub(r"\(.*?\)", "", cells[2])
        refused.update(term for term in re.split(r",\s*", plain) if re.fullmatch(r"[a-z_]+", term))
    return refused - defined


@cache
def texts_of(repository: Repository, module: str) -> list[tuple[int, str]]:
    """Return line and value of each string that is not a docstring."""
    docstrings = {
        id(node.body[0].value)
        for node in repository.nodes(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        (node.lineno, node.value)
        for node in repository.nodes(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in docstrings
    ]

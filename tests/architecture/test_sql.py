"""SQL stands in adapters only: the index, the local notes, and readers of foreign databases."""

from __future__ import annotations

import ast
import re

from tests.architecture.source import PACKAGE, modules, short, tree

ADAPTERS = (
    "src/varves/index/sqlite/",
    "src/varves/state/",
    "src/varves/hosts/transcripts/rows.py",  # reads another program's database
)
SQL = re.compile(
    r"\b(select\s.+\sfrom|insert\s+(or\s+\w+\s+)?into|delete\s+from|update\s+\w+\s+set"
    r"|create\s+(\w+\s+)?(table|index)|pragma\s+\w+)\b",
    re.IGNORECASE | re.DOTALL,
)


def said_in(path):
    """Yield the texts of a module that are no docstrings."""
    whole = tree(path)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(whole)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(whole):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if text and id(node) not in docstrings:
            yield node.lineno, node.value


def test_no_sql_outside_adapters():
    rooms = [path for path in modules() if not short(path).startswith(ADAPTERS)]
    assert len(rooms) > 300
    found = {
        f"{short(path)}:{line}"
        for path in rooms
        for line, text in said_in(path)
        if SQL.search(text)
    }
    assert found == set()


def test_sql_is_recognised_where_it_is():
    found = [
        text for _, text in said_in(PACKAGE / "index/sqlite/conditions.py") if SQL.search(text)
    ]
    assert len(found) > 3

"""What is said of each event kind and of each field stands in one table."""

from __future__ import annotations

import ast

from tests.architecture.source import PACKAGE, modules, short, tree
from varves.events.kinds import KINDS


def test_a_kind_is_named_by_its_constant_wherever_it_is_not_a_row():
    again = {
        f"{short(path)}:{node.lineno} {node.value}"
        for path in modules()
        if path != PACKAGE / "events" / "kinds.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and node.value in KINDS
    }
    assert again == set()

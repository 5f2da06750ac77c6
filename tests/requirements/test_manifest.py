"""The manifest and the tests agree, both ways; judged from the source, so nothing is run for it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from tests.protocols.deliberation.requirements import REQUIREMENTS as DELIBERATION
from tests.protocols.hivemind.requirements import REQUIREMENTS as HIVEMIND
from tests.protocols.layers.requirements import REQUIREMENTS as LAYERS
from tests.protocols.party.requirements import REQUIREMENTS as PARTY
from tests.protocols.scoped.requirements import REQUIREMENTS as SCOPED
from tests.requirements.manifest import REQUIREMENTS as CORE

TESTS = Path(__file__).parents[1]
DOORS = {"varves", "ledger", "project", "clone", "project_of"}
OPENED = {"varves.open", "varves.ConversationMemory", "varves.MessageBus"}
MOCKS = {"mock", "Mock", "MagicMock", "AsyncMock", "create_autospec", "mocker"}
PATCHING = {"setattr", "delattr", "setitem", "delitem", "patch"}

REQUIREMENTS = {**CORE, **PARTY, **LAYERS, **SCOPED, **HIVEMIND, **DELIBERATION}
PROTOCOLS = {
    "party": (PARTY, "S0", 59),
    "layers": (LAYERS, "S1", 98),
    "scoped": (SCOPED, "S2", 60),
    "hivemind": (HIVEMIND, "S3", 111),
    "deliberation": (DELIBERATION, "S4", 65),
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Source:
    """One test file: its functions by name, and the names it took from our package."""

    path: Path
    tree: ast.Module
    functions: dict[str, Function] = field(default_factory=dict)
    ours: set[str] = field(default_factory=set)

    def reach(self, start: Function) -> list[Function]:
        """List a function and those of the same file it calls or asks for as a fixture."""
        seen = {start.name: start}
        waiting = [start]
        while waiting:
            for name in names_in(waiting.pop()):
                if name in self.functions and name not in seen:
                    seen[name] = self.functions[name]
                    waiting.append(self.functions[name])
        return list(seen.values())


def read(path: Path) -> Source:
    source = Source(path, ast.parse(path.read_text(encoding="utf-8"), filename=str(path)))
    for node in ast.walk(source.tree):
        if isinstance(node, Function):
            source.functions[node.name] = node
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("varves"):
            source.ours.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            source.ours.update(
                alias.asname or alias.name.partition(".")[0]
                for alias in node.names
                if alias.name.partition(".")[0] == "varves"
            )
    return source


def names_in(node: ast.AST) -> set[str]:
    found = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    found |= {child.arg for child in ast.walk(node) if isinstance(child, ast.arg)}
    return found | {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}


def ids_of(decorators: list[ast.expr]) -> list[str]:
    """Read the ids out of `pytest.mark.requirement(...)` marks, a test's own or a parameter's."""
    found = []
    for mark in (child for decorator in decorators for child in ast.walk(decorator)):
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.requirement":
            found += [word.value for word in mark.args if isinstance(word, ast.Constant)]
    return found


def module_ids(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            marks = node.value.elts if isinstance(node.value, ast.List) else [node.value]
            return ids_of(marks)
    return []


def carried() -> list[tuple[Source, Function, list[str]]]:
    """Find each test that carries ids, by its own mark, its class's or its file's."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        source = read(path)
        for holder in [source.tree, *ast.walk(source.tree)]:
            if not isinstance(holder, ast.Module | ast.ClassDef):
                continue
            for node in holder.body:
                if isinstance(node, Function) and node.name.startswith("test"):
                    ids = ids_of(node.decorator_list) + module_ids(source.tree)
                    ids += ids_of(getattr(holder, "decorator_list", []))
                    found.append((source, node, ids))
    unique = {(source.path, node.lineno): (source, node, ids) for source, node, ids in found if ids}
    return list(unique.values())


CARRIED = carried()


each_carrying_test = pytest.mark.parametrize(
    ("source", "node"),
    [
        pytest.param(source, node, id=f"{source.path.stem}:{node.lineno}:{node.name}")
        for source, node, _ in CARRIED
    ],
)


@pytest.mark.parametrize("wanted", sorted(REQUIREMENTS))
def test_every_requirement_has_a_test(wanted):
    assert any(wanted in ids for _, _, ids in CARRIED), f"no test carries {wanted}"


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_a_protocols_manifest_is_whole_and_its_own_folder_carries_every_row(name):
    rows, letter, last = PROTOCOLS[name]
    assert list(rows) == [f"{letter}-{number:02}" for number in range(1, last + 1)]
    folder = TESTS / "protocols" / name
    there = {one for source, _, ids in CARRIED if folder in source.path.parents for one in ids}
    assert set(rows) - there == set()


def test_no_test_carries_an_unknown_id():
    known = set(REQUIREMENTS)
    unknown = {node.name: bad for _, node, ids in CARRIED if (bad := set(ids) - known)}
    assert not unknown


def test_every_row_says_what_it_asks_and_how_it_is_shown():
    for wanted, row in REQUIREMENTS.items():
        assert row.asks.endswith("."), wanted
        assert row.shown_by.endswith("."), wanted


@each_carrying_test
def test_a_carrying_test_asserts_something(source, node):
    judges = [node] + [
        function
        for function in source.reach(node)
        if function.name.startswith(("check_", "assert_"))
    ]
    assert any(isinstance(child, ast.Assert) for judge in judges for child in ast.walk(judge))


@each_carrying_test
def test_a_carrying_test_goes_through_a_public_door(source, node):
    doors = doors_of(source.path.parent)
    through_fixture = any(
        argument.arg in doors
        for function in source.reach(node)
        for argument in [*function.args.args, *function.args.kwonlyargs]
    )
    through_open = any(
        isinstance(child, ast.Call) and ast.unparse(child.func) in OPENED
        for function in source.reach(node)
        for child in ast.walk(function)
    )
    assert through_fixture or through_open


@each_carrying_test
def test_a_carrying_test_patches_nothing_of_ours(source, node):
    for function in source.reach(node):
        assert not names_in(function) & MOCKS, function.name
        for child in ast.walk(function):
            if isinstance(child, ast.Call) and called(child) in PATCHING and child.args:
                assert not is_ours(child.args[0], source.ours), ast.unparse(child)


@cache
def doors_of(folder: Path) -> frozenset[str]:
    """Return the public doors, and the fixtures of a folder that go through one of them."""
    doors = set(DOORS) if folder == TESTS else set(doors_of(folder.parent))
    conftest = folder / "conftest.py"
    if folder != TESTS and conftest.exists():
        source = read(conftest)
        before = -1
        while before != len(doors):  # one fixture may ask for another
            before = len(doors)
            doors |= {
                name
                for name, function in source.functions.items()
                if any("fixture" in ast.unparse(mark) for mark in function.decorator_list)
                and {argument.arg for argument in function.args.args} & doors
            }
    return frozenset(doors)


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_ours(target: ast.expr, ours: set[str]) -> bool:
    """Say whether a patch's target, a dotted string or an expression, is part of our package."""
    if isinstance(target, ast.Constant):
        return str(target.value).partition(".")[0] == "varves"
    root = target
    while isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
        root = root.value if not isinstance(root, ast.Call) else root.func
    return isinstance(root, ast.Name) and root.id in ours | {"ledger", "varves"}

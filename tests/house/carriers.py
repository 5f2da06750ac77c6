"""Rules on the manifests: each row has a test that carries its id, and that test shows something.

A test carries an id by `@pytest.mark.requirement("U-01")`, its own, its class's or its file's.
"""

from __future__ import annotations

import ast
import posixpath
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tests.house.observed import Source, called, names_in, nodes, shows_something
from tests.house.repository import Function

if TYPE_CHECKING:
    from tests.house.repository import Repository

CORE = "tests/requirements/manifest.py"
# Each protocol has a manifest beside its tests: the prefix of its ids, and the last number.
PROTOCOLS = {
    "party": ("S0", 59),
    "layers": ("S1", 98),
    "scoped": ("S2", 60),
    "hivemind": ("S3", 111),
    "deliberation": ("S4", 65),
}
DOORS = frozenset({"varves", "ledger", "project", "clone", "project_of"})
MOCKS = {"mock", "Mock", "MagicMock", "AsyncMock", "create_autospec", "mocker"}
PATCHING = {"setattr", "delattr", "setitem", "delitem", "patch"}


class Row(NamedTuple):
    """One row of a manifest: where it is written, what it asks for and how that is shown."""

    place: str
    sentences: tuple[str, ...]


class Carrier(NamedTuple):
    """A test that carries ids."""

    file: Source
    test: Function
    ids: tuple[str, ...]

    @property
    def place(self) -> str:
        """File, line and name of the test."""
        return f"{self.file.name}:{self.test.lineno}: {self.test.name}"


def rows_without_a_test(repository: Repository) -> list[str]:
    """Every row has a test in `make test`, of a protocol in the folder of the protocol."""
    carried = {
        (one, _folder(test.file.name))
        for test in carriers(repository)
        if not _only_at_full_size(test.test)
        for one in test.ids
    }
    anywhere = {one for one, _ in carried}
    found = []
    for wanted, row in rows(repository).items():
        if wanted not in anywhere:
            found.append(f"{row.place}: no test carries {wanted}")
        elif (own := _folder(row.place)) != _folder(CORE) and (wanted, own) not in carried:
            found.append(f"{row.place}: no test in {own} carries {wanted}")
    return found


def rows_out_of_sequence(repository: Repository) -> list[str]:
    """A protocol's manifest has every number once, in order."""
    found = []
    for name, (prefix, last) in PROTOCOLS.items():
        manifest = f"tests/protocols/{name}/requirements.py"
        wanted = [f"{prefix}-{number:02}" for number in range(1, last + 1)]
        there = [one for one, row in rows(repository).items() if row.place.startswith(manifest)]
        if there != wanted:
            wrong = sorted({*there} ^ {*wanted}) or ["the order"]
            found.append(f"{manifest}:1: the rows are not {prefix}-01 to {wanted[-1]}: {wrong[0]}")
    return found


def rows_without_a_sentence(repository: Repository) -> list[str]:
    """A row says what it asks for and how that is shown, in a sentence each."""
    return [
        f"{row.place}: {wanted} lacks a sentence"
        for wanted, row in rows(repository).items()
        if len(row.sentences) != 2 or not all(one.endswith(".") for one in row.sentences)
    ]


def unknown_rows(repository: Repository) -> list[str]:
    """No test carries an id that is in no manifest."""
    return [
        f"{carrier.place} carries {one}, which is in no manifest"
        for carrier in carriers(repository)
        for one in carrier.ids
        if one not in rows(repository)
    ]


def tests_without_a_door(repository: Repository) -> list[str]:
    """A carrying test goes through a public door: a verb, a ledger, or a file of the project."""
    found = []
    for carrier in carriers(repository):
        doors = doors_of(repository, _folder(carrier.file.name))
        reached = carrier.file.reach(carrier.test)
        asked = {one.arg for each in reached for one in _arguments(each)}
        if not asked & doors and not carrier.file.opens(carrier.test):
            found.append(f"{carrier.place} goes through no public door")
    return found


def tests_that_patch(repository: Repository) -> list[str]:
    """A carrying test patches nothing of ours."""
    found = []
    for carrier in carriers(repository):
        for each in carrier.file.reach(carrier.test):
            if mocks := names_in(each) & MOCKS:
                found.append(f"{carrier.place} uses {min(mocks)}")
            found += [
                f"{carrier.place} patches {ast.unparse(call.args[0])}"
                for call in _calls(each)
                if called(call).rpartition(".")[2] in PATCHING and call.args
                if _is_ours(call.args[0], carrier.file.ours)
            ]
    return found


def tests_that_show_nothing(repository: Repository) -> list[str]:
    """A carrying test asserts something about a value that it got through a door or from a file."""
    return [
        f"{carrier.place} asserts nothing about what came through a door"
        for carrier in carriers(repository)
        if not shows_something(
            carrier.file, carrier.test, fixtures_of(repository, _folder(carrier.file.name))
        )
    ]


@cache
def rows(repository: Repository) -> dict[str, Row]:
    """Read the rows of every manifest, by id."""
    found = {}
    for name in [CORE, *(f"tests/protocols/{name}/requirements.py" for name in PROTOCOLS)]:
        for node in repository.tree(name).body if name in repository.names else []:
            if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
                for key, value in zip(node.value.keys, node.value.values, strict=True):
                    texts = tuple(ast.literal_eval(word) for word in value.args)
                    found[key.value] = Row(f"{name}:{key.lineno}", texts)
    return found


@cache
def carriers(repository: Repository) -> list[Carrier]:
    """Find each test that carries ids."""
    found = {}
    for name in repository.names:
        if not posixpath.basename(name).startswith("test_") or not name.endswith(".py"):
            continue
        if "mark.requirement(" not in repository.text(name):
            continue
        file = Source(name, repository.tree(name))
        for holder in nodes(file.tree):
            if isinstance(holder, ast.Module | ast.ClassDef):
                shared = _ids(getattr(holder, "decorator_list", [])) + _module_ids(file.tree)
                for node in holder.body:
                    if isinstance(node, Function) and node.name.startswith("test"):
                        ids = _ids(node.decorator_list) + shared
                        found[name, node.lineno] = Carrier(file, node, tuple(ids))
    return [carrier for carrier in found.values() if carrier.ids]


@cache
def doors_of(repository: Repository, folder: str) -> frozenset[str]:
    """Return the public doors, and the fixtures of a folder that go through one of them."""
    if folder in {"tests", ""}:
        return DOORS
    doors = {*doors_of(repository, _folder(folder))}
    before = -1
    while before != len(doors):  # one fixture may ask for another
        before = len(doors)
        for fixture in _fixtures(repository, folder):
            if doors & {one.arg for one in fixture.args.args}:
                doors.add(fixture.name)
    return frozenset(doors)


@cache
def fixtures_of(repository: Repository, folder: str) -> frozenset[str]:
    """Return the names of the fixtures that a test of a folder may ask for."""
    own = {fixture.name for fixture in _fixtures(repository, folder)}
    above = fixtures_of(repository, _folder(folder)) if folder not in {"tests", ""} else DOORS
    return frozenset(own | above)


def _fixtures(repository: Repository, folder: str) -> list[Function]:
    conftest = f"{folder}/conftest.py"
    if conftest not in repository.names:
        return []
    return [*Source(conftest, repository.tree(conftest)).fixtures.values()]


def _ids(decorators: list[ast.expr]) -> list[str]:
    """Read the ids of `pytest.mark.requirement(...)`, on a test or on one of its parameters."""
    return [
        word.value
        for decorator in decorators
        for mark in _calls(decorator)
        if called(mark) == "pytest.mark.requirement"
        for word in mark.args
        if isinstance(word, ast.Constant)
    ]


def _module_ids(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            return _ids(node.value.elts if isinstance(node.value, ast.List) else [node.value])
    return []


def _only_at_full_size(test: Function) -> bool:
    """Return whether a test is marked `full_size` without a sample."""
    return "pytest.mark.full_size" in map(ast.unparse, test.decorator_list)


def _arguments(function: Function) -> list[ast.arg]:
    return [*function.args.args, *function.args.kwonlyargs]


def _calls(node: ast.AST) -> list[ast.Call]:
    return [child for child in nodes(node) if isinstance(child, ast.Call)]


def _folder(name: str) -> str:
    return posixpath.dirname(name)


def _is_ours(target: ast.expr, ours: set[str]) -> bool:
    """Return whether what is patched, a dotted string or an expression, is part of our package."""
    if isinstance(target, ast.Constant):
        return str(target.value).partition(".")[0] == "varves"
    root = target
    while isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
        root = root.value if not isinstance(root, ast.Call) else root.func
    return isinstance(root, ast.Name) and root.id in ours | {"ledger", "varves"}

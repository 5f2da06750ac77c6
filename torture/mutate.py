"""Small changes to a module's syntax tree, each of which some test should notice.

A mutant is named by its module, the text of its line and what became of what: the name stays when
its line only moves, so a list of equivalent ones can be kept by it.
Texts are left alone, and so is what only a type checker reads.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EDGE = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_TURNED = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_SUMS = {ast.Add: ast.Sub, ast.Sub: ast.Add}
_BODIES = ("body", "orelse", "finalbody")
_TESTED = (ast.If, ast.While, ast.IfExp)


@dataclass(frozen=True)
class Mutant:
    """One change: where it is made, and what it turns into what."""

    module: str
    line: int
    last: int
    change: str
    text: str
    place: int
    number: int

    @property
    def name(self) -> str:
        """Name the change without its line number."""
        return f"{self.module}: {self.text}: {self.change}"

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text}: {self.change}"


class Change(NamedTuple):
    """A change a place allows: what it is about, and how it is made and told."""

    spot: ast.expr | ast.stmt | ast.excepthandler
    make: Callable[[], str]


def mutants(module: str, source: str) -> list[Mutant]:
    """Return every mutant of a module."""
    found: list[Mutant] = []
    tree, lines = ast.parse(source), source.split("\n")
    for place, node in enumerate(_walk(tree)):
        for number, change in enumerate(_changes(node)):
            spot, before = change.spot, _short(change.spot)
            kept = copy.deepcopy(node)
            said = _changes(kept)[number].make()
            last = spot.end_lineno or spot.lineno
            what = f"{before}  ->  {said}"
            text = lines[spot.lineno - 1].strip()
            found.append(Mutant(module, spot.lineno, last, what, text, place, number))
    return found


def mutated(source: str, mutant: Mutant) -> str:
    """Return the module with a change made."""
    tree = ast.parse(source)
    node = list(_walk(tree))[mutant.place]
    _changes(node)[mutant.number].make()
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    compile(text, mutant.module, "exec")  # what cannot be compiled would be noticed by any test
    return text


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:80]} … {text[-18:]}"


def _walk(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in (
        "TYPE_CHECKING",
        "__slots__",
    ):
        return
    if isinstance(node, (ast.expr, ast.stmt)):
        yield node
    for name, part in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "exc", "op", "ops", "msg"):
            continue
        for child in part if isinstance(part, list) else (part,):
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _changes(node: ast.expr | ast.stmt) -> list[Change]:
    """Return the changes a place allows; each makes itself and says what came of it."""
    return [*_changed_values(node), *_changed_steps(node)]


def _changed_values(node: ast.expr | ast.stmt) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        for table in (_EDGE, _TURNED):
            for at, op in enumerate(node.ops):
                if type(op) in table:
                    yield _compared(node, at, table[type(op)])
    elif isinstance(node, ast.BoolOp):
        yield _joined(node)
    elif isinstance(node, ast.BinOp) and type(node.op) in _SUMS and not _of_text(node):
        yield _summed(node)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Call) and len(node.args) > 1 and _may_swap(node):
        yield _swapped(node)


def _changed_steps(node: ast.expr | ast.stmt) -> Iterator[Change]:
    if isinstance(node, _TESTED):
        yield _negated(node)
    if isinstance(node, ast.Return) and _tells(node.value):
        yield _returned(node)
    for name in _BODIES:
        if isinstance(body := getattr(node, name, None), list):
            yield from _removals(body)
    if isinstance(node, ast.Try):
        for at, handler in enumerate(node.handlers):
            yield _handled(node, at)
            yield from _removals(handler.body)


def _tells(value: ast.expr | None) -> bool:
    """Whether a value differs from nothing at all: neither None nor False is told apart here."""
    blank = isinstance(value, ast.Constant) and (value.value is None or value.value is False)
    return value is not None and not blank


def _of_text(node: ast.BinOp) -> bool:
    parts = (node.left, node.right)
    texts = (ast.JoinedStr, ast.List, ast.Tuple)
    return any(
        isinstance(part, texts)
        or (isinstance(part, ast.Constant) and isinstance(part.value, (str, bytes)))
        for part in parts
    )


def _may_swap(node: ast.Call) -> bool:
    # any call at all would notice the first; of two, the larger is the same either way
    trivial = ast.unparse(node.func) in ("isinstance", "max", "min")
    return not trivial and not any(isinstance(part, ast.Starred) for part in node.args[:2])


def _compared(node: ast.Compare, at: int, op: type[ast.cmpop]) -> Change:
    def change() -> str:
        node.ops[at] = op()
        return _short(node)

    return Change(node, change)


def _joined(node: ast.BoolOp) -> Change:
    def change() -> str:
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return _short(node)

    return Change(node, change)


def _summed(node: ast.BinOp) -> Change:
    def change() -> str:
        node.op = _SUMS[type(node.op)]()
        return _short(node)

    return Change(node, change)


def _negated(node: ast.If | ast.While | ast.IfExp) -> Change:
    def change() -> str:
        test = node.test
        bare = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        node.test = test.operand if bare else ast.UnaryOp(ast.Not(), test)  # type: ignore[attr-defined]
        return f"if {_short(node.test)}"

    return Change(node.test, change)


def _constants(node: ast.Constant) -> list[Change]:
    """Turn a truth round; move a number by one either way."""

    def becomes(value: object) -> Change:
        def change() -> str:
            node.value = value  # type: ignore[assignment]
            return _short(node)

        return Change(node, change)

    if isinstance(node.value, bool):
        return [becomes(not node.value)]
    if isinstance(node.value, int):
        return [becomes(node.value + 1), becomes(node.value - 1)]
    return []


def _swapped(node: ast.Call) -> Change:
    def change() -> str:
        node.args[0], node.args[1] = node.args[1], node.args[0]
        return _short(node)

    return Change(node, change)


def _returned(node: ast.Return) -> Change:
    def change() -> str:
        node.value = ast.Constant(None)
        return _short(node)

    return Change(node, change)


def _removals(body: list[ast.stmt]) -> list[Change]:
    """Take out what acts: calls, sums, raises, jumps. Names stay bound, or any test would see."""

    def without(at: int) -> Change:
        def change() -> str:
            gone = body[at]
            body[at] = ast.copy_location(ast.Pass(), gone)
            return "nothing"

        return Change(body[at], change)

    acts = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
    return [
        without(at)
        for at, node in enumerate(body)
        if isinstance(node, acts)
        or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Assign) and not isinstance(node.targets[0], (ast.Name, ast.Tuple)))
    ]


def _handled(node: ast.Try, at: int) -> Change:
    def change() -> str:
        gone = node.handlers[at]
        gone.body = [ast.copy_location(ast.Raise(), gone.body[0])]
        return "raise"

    return Change(node.handlers[at], change)

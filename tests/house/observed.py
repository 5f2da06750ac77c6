"""Judges from its source whether a test asserts something about what it got through a door.

A name is observed if its value comes from a fixture, from a ledger that the test opens, or from
another observed name. An assertion counts if it says something about an observed name that could
be false: not `assert True`, not `assert x == x`, not the comparison of two literals.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from tests.house.repository import Function

if TYPE_CHECKING:
    from collections.abc import Iterator

DOORS = {"open", "ConversationMemory", "MessageBus", "AgentListener"}  # of the package
FROM_PYTEST = {"capsys", "caplog", "tmp_path"}
JUDGES = ("check_", "assert_")
# Where a node that binds `target` or `targets` holds what they are bound to.
BINDING = {
    ast.Assign: "value",
    ast.AnnAssign: "value",
    ast.AugAssign: "value",
    ast.NamedExpr: "value",
    ast.For: "iter",
    ast.comprehension: "iter",
}


class Source:
    """One file of tests: its functions and fixtures by name, and its imports of our package."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name = name
        self.tree = tree
        self.functions: dict[str, Function] = {}
        self.ours: set[str] = set()
        for node in nodes(tree):
            if isinstance(node, Function):
                self.functions[node.name] = node
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("varves"):
                self.ours |= {alias.asname or alias.name for alias in node.names}
            elif isinstance(node, ast.Import):
                whole = [one for one in node.names if one.name.partition(".")[0] == "varves"]
                self.ours |= {one.asname or one.name.partition(".")[0] for one in whole}
        self.fixtures = {
            name: function
            for name, function in self.functions.items()
            if any("fixture" in ast.unparse(mark) for mark in function.decorator_list)
        }

    def reach(self, start: Function) -> list[Function]:
        """List a function, and those of the same file that it calls or asks for as fixtures."""
        seen = {start.name: start}
        waiting = [start]
        while waiting:
            for name in names_in(waiting.pop()):
                if name in self.functions and name not in seen:
                    seen[name] = self.functions[name]
                    waiting.append(self.functions[name])
        return list(seen.values())

    def opens(self, function: Function) -> bool:
        """Return whether a function, or one that it reaches, calls a public door of the package."""
        return any(
            isinstance(node, ast.Call) and self.is_door(node)
            for one in self.reach(function)
            for node in nodes(one)
        )

    def is_door(self, call: ast.Call) -> bool:
        """Return whether a call is one of a public door of the package."""
        package, _, name = called(call).rpartition(".")
        return name in DOORS and package in self.ours


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return every node of a piece of source."""
    return tuple(ast.walk(tree))


@cache
def names_in(node: ast.AST) -> set[str]:
    """Return every name in a piece of source: variables, arguments and attributes."""
    found = {child.id for child in nodes(node) if isinstance(child, ast.Name)}
    found |= {child.arg for child in nodes(node) if isinstance(child, ast.arg)}
    return found | {child.attr for child in nodes(node) if isinstance(child, ast.Attribute)}


def called(call: ast.Call) -> str:
    """Return the dotted name of what is called, or an empty string."""
    parts = []
    target = call.func
    while isinstance(target, ast.Attribute):
        parts.append(target.attr)
        target = target.value
    if not isinstance(target, ast.Name):
        return parts[0] if parts else ""
    return ".".join([target.id, *reversed(parts)])


def shows_something(file: Source, test: Function, fixtures: frozenset[str]) -> bool:
    """Return whether the test, or a `check_` or `assert_` function of its file, shows something."""
    asked = {argument.arg for argument in [*test.args.args, *test.args.kwonlyargs]}
    given = asked & {*fixtures, *file.fixtures, *FROM_PYTEST, "self"}
    waiting, seen = [(test, frozenset(given))], set()
    while waiting:
        function, doors = waiting.pop()
        if (function.name, doors) in seen:
            continue
        seen.add((function.name, doors))
        scope = Scope(file, function, doors)
        if function is test or function.name.startswith(JUDGES):
            asserts = (node for node in nodes(function) if isinstance(node, ast.Assert))
            if any(scope.says_something(node.test) for node in asserts):
                return True
        waiting += scope.calls()
    return False


class Scope:
    """The observed names of one function, given which of its arguments are."""

    def __init__(self, file: Source, function: Function, doors: frozenset[str]) -> None:
        self._file = file
        self._function = function
        self._doors = doors
        self._names = {*doors}
        self._made = {
            node.targets[0].id
            for node in nodes(function)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
            if isinstance(node.value, ast.Call) and called(node.value)[:1].isupper()
        }
        before = -1
        while before != len(self._names):  # a loop may use a name before it is bound
            before = len(self._names)
            for node in nodes(function):
                self._follow(node)

    def says_something(self, claim: ast.expr) -> bool:
        """Return whether a claim could be false and mentions an observed name, not a bare door."""
        if isinstance(claim, ast.BoolOp):
            judged = [self.says_something(value) for value in claim.values]
            return any(judged) if isinstance(claim.op, ast.And) else all(judged)
        if isinstance(claim, ast.UnaryOp):
            return self.says_something(claim.operand)
        sides = [claim.left, *claim.comparators] if isinstance(claim, ast.Compare) else [claim]
        asked = any(isinstance(node, ast.Call) for node in nodes(claim))
        if len(sides) > 1 and len({ast.dump(side) for side in sides}) == 1 and not asked:
            return False
        return any(self._sees(side) for side in sides if not self._is_door(side))

    def calls(self) -> Iterator[tuple[Function, frozenset[str]]]:
        """Yield each function of the file that is called, and its arguments that are observed."""
        for node in nodes(self._function):
            if not isinstance(node, ast.Call):
                continue
            function = self._file.functions.get(called(node).rpartition(".")[2])
            if function is None or function is self._function:
                continue
            names = [one.arg for one in [*function.args.posonlyargs, *function.args.args]]
            values = list(node.args)
            if names[:1] == ["self"] and isinstance(node.func, ast.Attribute):
                values.insert(0, node.func.value)
            pairs = [*zip(names, values, strict=False)]
            pairs += [(word.arg, word.value) for word in node.keywords if word.arg]
            yield function, frozenset(name for name, value in pairs if self._sees(value))

    def _follow(self, node: ast.AST) -> None:
        """Take up the names that a piece of source binds to something observed."""
        match node:
            case ast.With(items=items, body=body):  # what `pytest.raises` yields is of the body
                for item in items:
                    if item.optional_vars and self._sees(item.context_expr, *body):
                        self._bind(item.optional_vars)
            case ast.Try(body=body, handlers=handlers) if self._sees(*body):
                self._names |= {one.name for one in handlers if one.name}
            case ast.FunctionDef(name=name, body=body) if self._sees(*body):
                self._names.add(name)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder), args=args)):
                if self._sees(*args):  # found.append(observed)
                    self._bind(holder)
        if isinstance(node, ast.Call) and self._sees(node):
            self._bind(*self._filled(node))
        elif (value := getattr(node, BINDING.get(type(node), ""), None)) and self._sees(value):
            self._bind(*getattr(node, "targets", None) or [node.target])

    def _filled(self, call: ast.Call) -> Iterator[ast.expr]:
        """Yield what a call through a door may fill: a fake of the test, or `found.append`."""
        for value in [*call.args, *(word.value for word in call.keywords)]:
            if isinstance(value, ast.Attribute):
                yield value.value
            elif isinstance(value, ast.Name) and value.id in self._made:
                yield value

    def _bind(self, *targets: ast.expr) -> None:
        for target in targets:
            if isinstance(target, ast.Tuple | ast.List):
                self._bind(*target.elts)
            elif isinstance(target, ast.Starred | ast.Attribute | ast.Subscript):
                self._bind(target.value)
            elif isinstance(target, ast.Name):
                self._names.add(target.id)

    def _sees(self, *parts: ast.AST) -> bool:
        return any(self._is_observed(child) for part in parts for child in nodes(part))

    def _is_observed(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            function = self._file.functions.get(called(node))
            return self._file.is_door(node) or (function is not None and self._file.opens(function))
        return isinstance(node, ast.Name) and node.id in self._names

    def _is_door(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in self._doors

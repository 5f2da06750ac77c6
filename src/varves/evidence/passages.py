"""Finds passages of a file (lines or definitions) again after they have moved.

A mark is a short digest of some lines, ignoring common indentation and trailing spaces. It shows
whether a passage is unchanged, and is too short to reveal the text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Span = tuple[int, int]  # the first and the last line, counted from 1

DIGITS = 12
_REACH = 10_000  # the lines searched before and after a passage's old position
_MARKED = 200_000  # the most lines whose marks are computed in one search
# the most bytes of a Python file that are parsed; larger files are treated as text
_PARSED = 512 << 10
_WIDEST = 1_000  # a longer line is not a definition that a person wrote
_KEYWORDS = frozenset(
    (
        *("def", "class", "function", "func", "fn", "fun", "sub", "proc", "procedure", "method"),
        *("struct", "enum", "union", "interface", "trait", "impl", "type", "typedef", "record"),
        *("object", "protocol", "extension", "module", "mod", "namespace", "package", "macro"),
        *("define", "const", "let", "var", "val", "static", "message", "table", "view", "trigger"),
    )
)
_NO_HEAD = frozenset(
    (
        *("return", "if", "elif", "else", "while", "for", "switch", "case", "await", "throw"),
        *("raise", "print", "assert", "new", "yield"),
    )
)


def lines_of(content: bytes) -> list[str] | None:
    """Return the lines of a file, or None if it is not text."""
    if b"\0" in content[:8192]:
        return None
    text = content.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n")


def mark(lines: list[str]) -> str:
    """Return the mark of some lines, a short digest that ignores indentation."""
    from hashlib import sha256

    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    plain = "\n".join(line.removeprefix(indent).rstrip() for line in lines)
    return sha256(plain.encode("utf-8", "surrogateescape")).hexdigest()[:DIGITS]


def around(lines: list[str], start: int, count: int) -> list[str]:
    """Return the marks of the nearest non-blank lines before and after a passage."""
    before = next((line for line in reversed(lines[: start - 1]) if line.strip()), "")
    after = next((line for line in lines[start - 1 + count :] if line.strip()), "")
    return [mark([before]), mark([after])]


def follow(lines: list[str], place: dict[str, Any], *, least: int = 0) -> int | None:
    """Return the number of the line at which a marked passage is now, or None.

    If several passages have the mark, the one with the most equal neighbours is chosen, then the
    nearest.

    Args:
        lines: the lines of the text.
        place: the old position (`line`, `count`), its mark (`part`) and the neighbours' (`around`).
        least: how many of the neighbours must be equal.
    """
    start, count = place["line"], place["count"]
    reach = min(_REACH, _MARKED // count)
    found: list[tuple[int, int, int]] = []
    for at in range(max(1, start - reach), min(len(lines) - count + 1, start + reach) + 1):
        if mark(lines[at - 1 : at - 1 + count]) == place["part"]:
            now = around(lines, at, count)
            beside = sum(one == then for one, then in zip(now, place["around"], strict=False))
            if beside >= least:
                found.append((-beside, abs(at - start), at))
    return min(found)[2] if found else None


def block(lines: list[str], symbol: str, *, python: bool) -> list[Span]:
    """Return the lines where a symbol is defined; a Python property has several definitions."""
    if python:
        found = definitions(lines)
        if found is not None:
            return found.get(symbol, [])
    span: Span | None = (0, len(lines))
    for name in symbol.split("."):
        span = _written(lines, name, span) if span is not None else None
    return [span] if span is not None else []


def marked(lines: list[str], spans: list[Span]) -> str:
    """Return the mark of a definition; it does not depend on the position of its parts."""
    marks = [mark(lines[first - 1 : last]) for first, last in spans]
    return marks[0] if len(marks) == 1 else mark(marks)


def definitions(lines: list[str]) -> dict[str, list[Span]] | None:
    """Return every definition of a Python text by its dotted name; None if it cannot be parsed."""
    text = "\n".join(lines)
    if len(text) > _PARSED:
        return None
    import ast
    import warnings

    found: dict[str, list[Span]] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _collect(ast, ast.parse(text), "", found)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return found


def _collect(ast: Any, node: Any, above: str, found: dict[str, list[Span]]) -> None:
    """Add the definitions below a node to `found`, except variables that are local to functions."""
    variables = not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
            found.setdefault(above + child.name, []).append((first, child.end_lineno))
            _collect(ast, child, f"{above}{child.name}.", found)
        elif isinstance(child, (ast.Assign, ast.AnnAssign)):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            for target in targets if variables else ():
                if isinstance(target, ast.Name):
                    span = (child.lineno, child.end_lineno)
                    found.setdefault(above + target.id, []).append(span)
        elif isinstance(child, (ast.stmt, ast.ExceptHandler)):
            _collect(ast, child, above, found)


def _written(lines: list[str], name: str, within: Span) -> Span | None:
    """Find a definition in a text of any language, by the form of its first line.

    Three forms are tried in order: a keyword before the name; a head such as `int main(` with a
    body; a key such as `name =` or `name:`. The first form that is found is used, at its first
    occurrence.
    """
    first, last = within
    heads = [
        (at, cut)
        for at in range(first + 1, last + 1)
        if name in lines[at - 1] and (cut := _split(lines[at - 1], name)) is not None
    ]
    for kind in (_has_keyword, _is_head, _is_key):
        for at, (before, after) in heads:
            if kind(before, after):
                span = _span(lines, at, last)
                if kind is not _is_head or span[1] > at:  # without a body, this is a call
                    return span
    return None


def _split(line: str, name: str) -> tuple[str, str] | None:
    """Return the text before and after the first occurrence of a name in a line."""
    at = line.find(name) if len(line) < _WIDEST else -1
    while at >= 0:
        before, after = line[:at], line[at + len(name) :]
        if not _goes_on(before[-1:]) and not _goes_on(after[:1]) and before[-1:] not in (".", "$"):
            return before, after
        at = line.find(name, at + 1)
    return None


def _goes_on(sign: str) -> bool:
    return bool(sign) and f"a{sign}".isidentifier()


def _has_keyword(before: str, _after: str) -> bool:
    before = before.rstrip(" \t*&")
    for opened, closed in ("()", "<>"):  # skip a receiver, or the type parameters
        if before.endswith(closed):
            before = before[: before.rfind(opened)].rstrip()
    words = before.lower().split()
    if words[-3:] == ["if", "not", "exists"]:
        words = words[:-3]
    return bool(words) and words[-1].lstrip("#@(") in _KEYWORDS


def _is_head(before: str, after: str) -> bool:
    after = after.strip()
    if after[:1] != "(" or ";" in after or any(sign in before for sign in "#;=\"'(."):
        return False
    words = before.split()
    return after.endswith("{") or (bool(words) and words[0] not in _NO_HEAD)


def _is_key(before: str, after: str) -> bool:
    after = after.lstrip("\"' \t")
    assigned = after[:1] in ("=", ":") and after[1:2] != after[:1]
    return assigned and before.strip(" \t\"'-") in ("", "export")


def _span(lines: list[str], at: int, last: int) -> Span:
    """Return the lines of a definition: its decorators, its body and its closing line."""
    depth = _depth(lines[at - 1])
    end = at
    for number in range(at + 1, last + 1):
        line = lines[number - 1].strip()
        if not line:
            continue
        if _depth(lines[number - 1]) <= depth:
            closing = line[0] in ")]{" or line[0] == "}" or line.split()[0].rstrip(";") == "end"
            if not closing or _depth(lines[number - 1]) < depth:
                break
            end = number
            if line[0] not in ")]{" and line[-1] not in "{(":
                break
            continue
        end = number
    while at > 1 and lines[at - 2].lstrip()[:1] == "@" and _depth(lines[at - 2]) == depth:
        at -= 1
    return at, end


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())

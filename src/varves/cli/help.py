"""Help pages, rendered only from the tables of verbs."""

from __future__ import annotations

from varves.cli.table import (
    GLOBALS,
    HOSTED,
    PROTOCOLS,
    SHARED,
    VERBS,
    is_begun,
    shape_of,
    table_of,
    verbs_under,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.cli.table import Option, Verb

_WIDTH = 88


def page(verb: str) -> str:
    """Return the help page of a verb, of a group of verbs, or the front page."""
    if not verb:
        return "\n".join(_front_page())
    return "\n".join(_list_page(verb) if is_begun(verb) else _verb_page(verb))


def usage(verb: str) -> str:
    """Return the one-line usage of a verb."""
    shape = shape_of(verb)
    words = [_positional(name) for name in shape.positionals]
    needed = {name for group in shape.one_of for name in group}
    for group in shape.one_of:
        words = [word for word in words if word.strip("[]") not in group]
        words.append("|".join(_choice(shape, name) for name in group))
    if any(option[0] not in needed for option in shape.options):
        words.append("[OPTION]...")
    return " ".join(["varves", verb, *words])


def _front_page() -> Iterator[str]:
    yield "varves VERB [ARGUMENT]... [OPTION]..."
    yield ""
    yield from _columns([(name, VERBS[name].summary) for name in VERBS])
    yield ""
    yield "For coding agents:"
    yield from _columns([(name, shape.summary) for name, shape in table_of(HOSTED[0]).items()])
    yield ""
    yield "For several machines and teams:"
    yield from _columns([(name, shape.summary) for name, shape in table_of(SHARED[0]).items()])
    yield ""
    yield "Protocols, each with its own verbs (varves scoped --help lists them):"
    yield from _columns(list(PROTOCOLS.items()))
    yield ""
    yield "Global options:"
    yield from _columns(_option_rows(GLOBALS))
    yield ""
    yield "Exit codes: 0 done, 1 findings, 2 usage, 3 refused, 4 not found, 5 damaged, 6 busy."
    yield "varves VERB --help shows a verb's options and an example."


def _list_page(begun: str) -> Iterator[str]:
    yield f"varves {begun} VERB [ARGUMENT]... [OPTION]..."
    if begun in PROTOCOLS:
        yield f"  {PROTOCOLS[begun]}"
    yield ""
    yield from _columns([(verb, shape_of(verb).summary) for verb in verbs_under(begun)])
    yield ""
    yield f"varves {begun} VERB --help shows a verb's options and an example."


def _verb_page(verb: str) -> Iterator[str]:
    shape = shape_of(verb)
    yield usage(verb)
    yield f"  {shape.summary}"
    if shape.options:
        yield ""
        yield from _columns(_option_rows(shape.options))
    yield ""
    yield f"  anywhere: {' '.join(_anywhere(shape))}"
    if shape.note:
        yield ""
        yield from _wrapped(shape.note, "  ")
    yield ""
    yield f"  example: {shape.example}"


def _anywhere(shape: Verb) -> list[str]:
    shadowed = {option[0] for option in shape.options}
    if not shape.reads:
        shadowed.add("--as-of")
    return [option[0] for option in GLOBALS if option[0] not in shadowed]


def _option_rows(options: Sequence[Option]) -> list[tuple[str, str]]:
    rows = []
    for name, kind, metavar, meaning in options:
        again = "..." if kind in ("repeat", "many") else ""
        rows.append((f"{name} {metavar}".strip() + again, meaning))
    return rows


def _columns(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    width = max(len(left) for left, _ in rows)
    for left, right in rows:
        yield f"  {left:<{width}}  {right}"


def _positional(name: str) -> str:
    return f"[{name[:-1]}]" if name.endswith("?") else name


def _choice(shape: Verb, name: str) -> str:
    for option in shape.options:
        if option[0] == name:
            return f"{name} {option[2]}".strip()
    return name


def _wrapped(text: str, indent: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)

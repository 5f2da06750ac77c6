"""Parses an argument list according to the tables of verbs.

Options that every verb takes may appear anywhere. After the verb, the verb's own option of the same
name takes precedence. The result contains only the options that were given, under the keywords of
the ledger's methods. The ledger supplies the defaults.
"""

from __future__ import annotations

from varves.cli.table import (
    ALIASES,
    ELSEWHERE,
    GLOBALS,
    PROTOCOLS,
    VERBS,
    is_begun,
    shape_of,
    table_of,
    verbs_under,
)
from varves.errors import UsageError
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from varves.cli.table import Option

_NO_TEXTS = ("id", "cid", "event", "file", "path", "agent", "name", "to", "place", "other", "scope")
"""Positional arguments that are no texts, so quoting does not help."""
_LARGEST = 2**53
"""Whole numbers from here on may lose precision in JSON, so they are refused."""


class Given(Value):
    """A parsed call: the verb, its own arguments and the options that every verb takes."""

    verb: str
    own: dict[str, Any]
    shared: dict[str, Any]


def read(argv: Sequence[str]) -> Given:
    """Parse an argument list.

    Raises:
        UsageError: The list does not fit the table.
    """
    _refuse_undecodable(argv)
    verb = ""
    words: list[str] = []
    own: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    ended = False
    rest = list(reversed(argv))
    while rest:
        argument = rest.pop()
        if argument == "--" and not ended:
            ended = True
        elif not ended and argument[:1] == "-" and argument != "-":
            _read_option(argument, rest, verb=verb, own=own, shared=shared)
        elif not verb or is_begun(verb):
            verb = _known_verb(verb, argument)
        elif not words and not ended and f"{verb} {argument}" in table_of(verb):
            verb = f"{verb} {argument}"
        else:
            words.append(argument)
    if not (shared.get("help") or shared.get("version")):
        _place_words(verb, words, own)
        _place_moment(verb, own, shared)
    return Given(verb=verb, own=own, shared=shared)


def asks_for_json(argv: Sequence[str]) -> bool:
    """Return whether errors are printed as JSON; this works even if the list cannot be parsed."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def keyword(name: str) -> str:
    """Return the keyword argument of the ledger's method for an option or positional argument."""
    return name.strip("-?.").replace("-", "_").lower()


def _refuse_undecodable(argv: Sequence[str]) -> None:
    for number, argument in enumerate(argv, 1):
        if not argument.isascii():
            try:
                argument.encode()
            except UnicodeEncodeError:
                message = f"argument {number} is not valid UTF-8"
                raise UsageError(message, "pass it on stdin or encode it as UTF-8") from None


def _known_verb(begun: str, word: str) -> str:
    verb = f"{begun} {word}" if begun else word
    table = table_of(verb)
    if " " in word or (verb not in table and not is_begun(verb)):
        known = [*table, *ELSEWHERE, *PROTOCOLS] if table is VERBS else list(table)
        raise UsageError(f"unknown verb {verb}", _suggest(verb, known) + _see(begun))
    return verb


def _read_option(
    argument: str,
    rest: list[str],
    *,
    verb: str,
    own: dict[str, Any],
    shared: dict[str, Any],
) -> None:
    """Parse one option with its values; `rest` has the words after the option, reversed."""
    name, equals, text = argument.partition("=")
    if name[:2] != "--" and len(name) > len("-k"):
        name, equals, text = argument[:2], "=", argument[2:]
    name = ALIASES.get(name, name)
    options = _options(verb)
    into, found = own, _find(name, options)
    if found is None:
        into, found = shared, _find(name, GLOBALS)
    if found is None:
        raise _unknown_option(name, verb)
    _, kind, metavar, _ = found
    if kind == "flag":
        if equals:
            raise UsageError(f"{name} takes no value", _see(verb))
        into[keyword(name)] = True
        return
    if not equals:
        text = _next_value(name, rest, verb)
    if not text and into is shared:
        raise UsageError(f"{name} needs a value", _see(verb))
    value = _convert(name, kind, metavar, text)
    if kind in ("repeat", "many"):
        more = _more_values(rest) if kind == "many" and not equals else ()
        value = (*into.get(keyword(name), ()), value, *more)
    into[keyword(name)] = value


def _options(verb: str) -> Sequence[Option]:
    return () if not verb or is_begun(verb) else shape_of(verb).options


def _find(name: str, options: Sequence[Option]) -> Option | None:
    for option in options:
        if option[0] == name:
            return option
    return None


def _next_value(name: str, rest: list[str], verb: str) -> str:
    if not rest:
        raise UsageError(f"{name} needs a value", _see(verb))
    text = rest.pop()
    if text[:2] == "--":
        from shlex import quote

        whole = quote(f"{name}={text}")
        raise UsageError(
            f"{name} needs a value, not {text}", f"write {whole} to pass it as the value"
        )
    return text


def _more_values(rest: list[str]) -> Iterator[str]:
    """Remove words from `rest` and yield them, up to the next word that begins with a dash."""
    while rest and rest[-1][:1] != "-":
        yield rest.pop()


def _convert(name: str, kind: str, metavar: str, text: str) -> Any:
    if kind == "choice" and text not in metavar.split("|"):
        raise UsageError(f"{name} takes {metavar}, not {text}", "choose one of these")
    if kind == "int":
        try:
            number = int(text)
        except ValueError:
            number = _LARGEST
        if abs(number) >= _LARGEST:
            raise UsageError(f"{name} needs a whole number, not {text}", "write it in digits")
        return number
    if kind == "float":
        try:
            fraction = float(text)
        except ValueError:
            fraction = float("inf")
        if not abs(fraction) < _LARGEST:
            raise UsageError(f"{name} needs a number, not {text}", "for example 0.5")
        return fraction
    return text


def _place_words(verb: str, words: list[str], own: dict[str, Any]) -> None:
    """Assign words to the verb's positional arguments.

    Raise an error for missing or extra words.
    """
    if not verb:
        raise UsageError("no verb given", _see(""))
    if is_begun(verb):
        raise UsageError(f"{verb} needs a verb", _see(verb))
    shape, left = shape_of(verb), list(words)
    for name in shape.positionals:
        if "..." in name:
            if not left and name.endswith("?"):
                continue
            if not left:
                raise UsageError(f"{verb} needs {keyword(name).upper()}", _see(verb))
            own[keyword(name)], left = tuple(left), []
        elif left:
            own[keyword(name)] = left.pop(0)
        elif not name.endswith("?"):
            raise UsageError(f"{verb} needs {name}", _see(verb))
    if left:
        meant = _suggest(f"{verb} {left[0]}", verbs_under(verb))
        last = keyword(shape.positionals[-1]) if shape.positionals else ""
        quoting = "" if last in _NO_TEXTS else "quote a text of several words; "
        hint = f"{meant}{quoting}{_see(verb)}"
        raise UsageError(f"{verb} does not take {left[0]}", hint)
    for group in shape.one_of:
        if sum(keyword(name) in own for name in group) != 1:
            one = "" if len(group) == 1 else "exactly one of "
            raise UsageError(f"{verb} needs {one}{', '.join(group)}", _see(verb))


def _place_moment(verb: str, own: dict[str, Any], shared: dict[str, Any]) -> None:
    if "as_of" in shared:
        if not shape_of(verb).reads:
            readers = ", ".join(name for name in VERBS if VERBS[name].reads)
            raise UsageError(f"{verb} takes no --as-of", f"verbs that take it: {readers}")
        own["as_of"] = shared["as_of"]


def _unknown_option(name: str, verb: str) -> UsageError:
    known = [option[0] for option in (*_options(verb), *GLOBALS)]
    hint = _suggest(name, known)
    if not hint and name[:2] != "--":
        hint = "put -- before a text that begins with a dash; "
    where = f" of {verb}" if verb else " before the verb"
    return UsageError(f"unknown option {name}{where}", hint + _see(verb))


def _suggest(word: str, known: list[str]) -> str:
    """Return a hint that names the verb or option most similar to a misspelt word."""
    from varves.values.text import nearest

    begun = f"{word.rpartition(' ')[0]} " if " " in word else ""
    told = {name.removeprefix(begun).lstrip("-"): name for name in known if name.startswith(begun)}
    near = nearest(word.removeprefix(begun).lstrip("-"), told)
    return f"did you mean {told[near]}? " if near else ""


def _see(verb: str) -> str:
    return f"see varves {verb} --help" if verb else "see varves --help"

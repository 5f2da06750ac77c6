"""A protocol's table in settings.toml, read against what it publishes: one reader for all."""

from __future__ import annotations

from varves.errors import Damaged, UsageError, VarvesError
from varves.values.text import quoted
from varves.values.written import PATH, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from varves.values.value import Value

_LARGEST = 1_000_000_000


def chosen(
    published: type[Value],
    name: str,
    table: Mapping[str, Any],
    *,
    units: tuple[str, ...] = (),
    zero: tuple[str, ...] = (),
    fits: Mapping[str, Callable[[Any], str | None]] | None = None,
) -> dict[str, Any]:
    """Return what a table sets, each value of the kind that is published.

    Args:
        published: the protocol's options; their defaults are the published values.
        name: the table's, which is the protocol's.
        table: as the file has it.
        units: the options that lie between 0 and 1.
        zero: how the names of those end that may be 0.
        fits: for an option of another kind, what says what it should have been, or nothing.

    Raises:
        UsageError: a name is unknown, or its value is of the wrong kind.
    """
    page = f"see docs/protocols/{name}.md"
    found = {}
    for key, value in table.items():
        if key not in published._fields:
            raise UsageError(f"[{name}] knows no {quoted(key)}", page)
        default = getattr(published, key)
        if fits is not None and key in fits:
            wanted = fits[key](value)
        else:
            wanted = _wanted(value, default, unit=key in units, zero=key.endswith(zero))
        if wanted:
            hint = page if default is None else f"it is {default} as published"
            raise UsageError(f"[{name}] {key} is not {wanted}", hint)
        found[key] = tuple(value) if isinstance(value, list) else value
    return found


def sifted(name: str, table: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Damaged, ...]]:
    """Return what a protocol's table in the settings sets, and what is wrong with the rest.

    What is left out is as published. A name that nobody knows is no fault: see `odd`.
    """
    found, faults = {}, []
    for key, value in table.items():
        read = _reader(name)
        if key in read({})._fields:
            try:
                read({key: value})  # none depends on another
                found[key] = value
            except VarvesError as fault:
                faults.append(Damaged(f"{PATH}: {fault.message}", fault.hint))
    return found, tuple(faults)


def odd(tables: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return a line for each name in the protocols' tables that nobody reads."""
    return [
        line
        for name, table in tables.items()
        if table
        for line in unknown(table, f"{name}.", _reader(name)({})._fields)
    ]


def _reader(name: str) -> Callable[[Mapping[str, Any]], Value]:
    """Return what reads a protocol's table into its options."""
    from importlib import import_module

    read: Callable[[Mapping[str, Any]], Value]
    read = import_module(f"varves.protocols.{name}.options").options
    return read


def words(value: Any) -> str | None:
    """Tell what a list of words should have been, if it is not that."""
    fitting = isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)
    return None if fitting else "a list of words"


def _wanted(value: Any, default: Any, *, unit: bool, zero: bool) -> str | None:
    """Return what a switch or a number should have been, if it is not that."""
    if isinstance(default, bool):
        return None if isinstance(value, bool) else "true or false"
    kinds = (int, float) if isinstance(default, float) else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds):
        return "a number" if float in kinds else "a whole number"
    if unit:
        return None if 0 <= value <= 1 else "from 0 to 1"
    if value >= _LARGEST:
        return f"below {_LARGEST}"
    if zero:
        return None if value >= 0 else "0 or more"
    return None if value > 0 else "more than 0"

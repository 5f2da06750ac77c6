"""Reads a protocol's table in settings.toml and checks it against the published options."""

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
    """Return the options that a table sets, each of the published type.

    Args:
        published: the protocol's options; their defaults are the published values.
        name: the name of the table and of the protocol.
        table: the table from the file.
        units: the options with a value between 0 and 1.
        zero: the suffixes of the names of options that may be 0.
        fits: for options of other types, a check that returns the expected type, or None.

    Raises:
        UsageError: a name is unknown, or its value has the wrong type.
    """
    page = f"see docs/protocols/{name}.md"
    found = {}
    for key, value in table.items():
        if key not in published._fields:
            raise UsageError(f"[{name}] has no option {quoted(key)}", page)
        default = getattr(published, key)
        if fits is not None and key in fits:
            wanted = fits[key](value)
        else:
            wanted = _wanted(value, default, unit=key in units, zero=key.endswith(zero))
        if wanted:
            hint = page if default is None else f"default: {default}"
            raise UsageError(f"[{name}] {key} is not {wanted}", hint)
        found[key] = tuple(value) if isinstance(value, list) else value
    return found


def sifted(name: str, table: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Damaged, ...]]:
    """Return the valid options of a protocol's table in the settings, and the faults of the others.

    Invalid options keep their published value. An unknown name is not a fault: see `odd`.
    """
    found, faults = {}, []
    for key, value in table.items():
        read = _reader(name)
        if key in read({})._fields:
            try:
                read({key: value})  # options do not depend on each other
                found[key] = value
            except VarvesError as fault:
                faults.append(Damaged(f"{PATH}: {fault.message}", fault.hint))
    return found, tuple(faults)


def weights(name: str, table: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the weights that a protocol's table gives its published ranking; None: no change."""
    if not table:
        return None
    found = getattr(_reader(name)(sifted(name, table)[0]), "weights", None)
    return None if found is None else dict(found)


def odd(tables: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return a line for each unknown name in the protocols' tables."""
    return [
        line
        for name, table in tables.items()
        if table
        for line in unknown(table, f"{name}.", _reader(name)({})._fields)
    ]


def _reader(name: str) -> Callable[[Mapping[str, Any]], Value]:
    """Return the function that reads a protocol's table into its options."""
    from importlib import import_module

    read: Callable[[Mapping[str, Any]], Value]
    read = import_module(f"varves.protocols.{name}.options").options
    return read


def words(value: Any) -> str | None:
    """Return a description of the expected type if a value is not a list of words, else None."""
    fitting = isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)
    return None if fitting else "a list of words"


def _wanted(value: Any, default: Any, *, unit: bool, zero: bool) -> str | None:
    """Return the expected type or range if a switch or number is invalid, otherwise None."""
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

"""A table of cheap cases as one test that tries every row and names each row that fails."""

from __future__ import annotations

import inspect
import traceback
from functools import wraps
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LONGEST = 300  # characters of a row that the message shows


def assert_each(rows: Iterable[Any], check: Callable[[Any], object]) -> None:
    """Call `check` with each row, and fail after the last one if any of them failed."""
    rows = tuple(rows)
    assert rows, "the table is empty"
    failed: list[tuple[str, BaseException]] = []
    for row in rows:
        try:
            check(row)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - any error fails the row
            frames = traceback.extract_tb(error.__traceback__)
            line = next((one.lineno for one in frames if one.filename != __file__), None)
            failed.append((f"{ascii(row)[:LONGEST]}: line {line}: {type(error).__name__}", error))
    if failed:
        message = "\n".join(f"{row}: {error}" for row, error in failed)
        first = failed[0][1]  # shown with its traceback
        raise AssertionError(f"{len(failed)} of {len(rows)} rows failed\n{message}") from first


def each_row(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[..., Any]:
    """Run a test for every row of a table, as `pytest.mark.parametrize` does, but as one test.

    The rows share the test's fixtures: what one row leaves behind must not matter to the next.
    """
    table = tuple(rows)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def every_row(**fixtures: Any) -> None:
            assert_each(table, lambda row: test(**fixtures, **_named(names, row)))

        signature = inspect.signature(test)
        asked = [one for one in signature.parameters.values() if one.name not in _split(names)]
        every_row.__signature__ = signature.replace(parameters=asked)  # type: ignore[attr-defined]
        return every_row

    return decorate


def _split(names: str | Sequence[str]) -> Sequence[str]:
    return (names,) if isinstance(names, str) else names


def _named(names: str | Sequence[str], row: Any) -> dict[str, Any]:
    if isinstance(row, pytest.ParameterSet):
        assert not row.marks, "a row of a table cannot have marks of its own"
        return dict(zip(_split(names), row.values, strict=True))
    return {names: row} if isinstance(names, str) else dict(zip(names, row, strict=True))

"""What a sweep measured, told to whoever asked for it.

A test that carries a row of the reliability table says so by its figures:
`note_figure("R14", histories=1000, violations=0)`. Under `make test` nobody listens and nothing
happens; `python -m torture R14` runs every test file that names the row, at full size, and reads
what it has told. The targets themselves are asserted by the test.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pytest

# Read once: a test's own home has none of the caller's settings.
_PATH = os.environ.get("VARVES_FIGURES", "")
_FULL = os.environ.get("VARVES_TORTURE", "") not in ("", "0")


def full_size() -> bool:
    """Whether the sweeps run at the size of the reliability table."""
    return _FULL


def thinned(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that `make test` runs.

    Of a test marked `product` it tries each value of a parameter, of a test marked `full_size` the
    sample that the mark allows.
    """
    kept: list[pytest.Item] = []
    products: dict[str, list[pytest.Item]] = {}
    large: dict[str, dict[str, list[pytest.Item]]] = {}
    for item in items:
        test = item.nodeid.partition("[")[0]
        if item.get_closest_marker("full_size") is not None:
            large.setdefault(test.partition("::")[0], {}).setdefault(test, []).append(item)
        elif item.get_closest_marker("product") is not None:
            products.setdefault(test, []).append(item)
        else:
            kept.append(item)
    for tests in products.values():
        kept += _each_value_once(tests)
    for file in large.values():
        for place, test in enumerate(sorted(file)):
            cases = sorted(file[test], key=lambda item: item.nodeid)
            if cases[0].get_closest_marker("product") is not None:
                cases = [*_each_value_once(cases)]
            kept += _sample(cases, place)
    return {*kept}


def _sample(cases: list[pytest.Item], place: int) -> Iterator[pytest.Item]:
    """Yield as many cases of a test as its mark allows; the next test of a file tries others."""
    mark = cases[0].get_closest_marker("full_size")
    count = min(mark.kwargs.get("sample", 0) if mark else 0, len(cases))
    for number in range(count):
        yield cases[(place + number * len(cases) // count) % len(cases)]


def _each_value_once(tests: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the tests on the diagonal of a product, and any other that alone has a value."""
    values: dict[str, list[int]] = {}
    places = {}
    for test in tests:
        given = test.callspec.params  # type: ignore[attr-defined]
        for name, value in given.items():
            seen = values.setdefault(name, [])
            seen += [] if id(value) in seen else [id(value)]
        places[test] = {(name, values[name].index(id(value))) for name, value in given.items()}
    rounds = range(max(len(seen) for seen in values.values()))
    wanted = [{(name, n % len(seen)) for name, seen in values.items()} for n in rounds]
    tried: set[tuple[str, int]] = set()
    for test in sorted(tests, key=lambda test: places[test] not in wanted):
        if places[test] in wanted or not places[test] <= tried:
            tried |= places[test]
            yield test


def note_figure(row: str, **facts: float | str) -> None:
    """Tell facts about a row; of one fact told twice the later counts."""
    _tell(row, facts, add=False)


def add_figure(row: str, **counts: float) -> None:
    """Tell counts about a row; those of several tests are added up."""
    _tell(row, counts, add=True)


def _tell(row: str, facts: dict[str, float] | dict[str, float | str], *, add: bool) -> None:
    if not _PATH:
        return
    lines = "".join(
        json.dumps({"row": row, "figure": name, "value": value, "add": add}) + "\n"
        for name, value in facts.items()
    )
    out = os.open(_PATH, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(out, lines.encode())  # one write: tests of several processes tell at once
    finally:
        os.close(out)

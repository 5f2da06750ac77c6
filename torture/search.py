"""`python -m torture.search`: all tests in random order, on random examples; keep what fails.

`make test` does the same each time, so what is new is found here. A property that fails leaves its
example in `tests/found/examples`; a test that fails only after others leaves these, as few as
possible, in `tests/found/orders.txt`. The next `make test` replays both.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from torture.run import HOURS, ROOT, wide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ORDERS = os.path.join(ROOT, "tests/found/orders.txt")


def main() -> int:
    """Search once; 1 if anything failed."""
    ask = argparse.ArgumentParser(prog="python -m torture.search", description=__doc__)
    ask.add_argument("paths", nargs="*", help="tests to run; else all")
    ask.add_argument("--seed", type=int, help="an order to run again")
    given = ask.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if given.seed is None else given.seed
    print(f"order {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="varves-search-") as place:
        failed, orders = shuffled(given.paths, seed, place)
        for test in failed:
            before = next((order[: order.index(test)] for order in orders if test in order), [])
            print(judged(test, before, passes), flush=True)
        if not given.paths:
            failed += at_full_size(place)
    return 1 if failed else 0


def at_full_size(place: str) -> list[str]:
    """Run the tests that are larger at full size and carry no row; return those that failed."""
    return _failures(["-n", "2", "-q", *wide()], {"VARVES_TORTURE": "1"}, f"{place}/wide")


def _failures(words: Sequence[str], env: dict[str, str], cache: str) -> list[str]:
    _run([*words, "-o", f"cache_dir={cache}"], env)
    last = f"{cache}/v/cache/lastfailed"
    if not os.path.exists(last):
        return []
    with open(last, encoding="utf-8") as file:
        return sorted(json.load(file))


def shuffled(paths: Sequence[str], seed: int, place: str) -> tuple[list[str], list[list[str]]]:
    """Run tests in a random order; return those that failed, and the order in each process."""
    words = ["-n", "2", "-q", "-p", "randomly", f"--randomly-seed={seed}"]
    env = {"HYPOTHESIS_PROFILE": "deep", "VARVES_ORDER": f"{place}/order"}
    failed = _failures([*words, *paths], env, f"{place}/cache")
    orders = []
    for name in sorted(name for name in os.listdir(place) if name.startswith("order.")):
        with open(f"{place}/{name}", encoding="utf-8") as file:
            orders.append(list(dict.fromkeys(file.read().splitlines())))
    return failed, orders


def judged(test: str, before: Sequence[str], passes: Callable[[list[str]], bool]) -> str:
    """Find out what a test needs to fail, write that down, and say it."""
    if not passes([test]):
        return f"FAILED {test}: alone, too; what it was given is in tests/found/examples"
    if passes([*before, test]):
        return f"FAILED {test}: once, and not in the same order again"
    needed = needed_of(list(before), lambda some: not passes([*some, test]))
    line = json.dumps([*needed, test])
    with open(ORDERS, "a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return f"FAILED {test}: after {', '.join(needed)}; written to tests/found/orders.txt"


def needed_of(before: list[str], fails: Callable[[list[str]], bool]) -> list[str]:
    """Return a part of some tests after which another one still fails, as small as halving gets."""
    parts = 2
    while len(before) > 1:
        size = -(-len(before) // parts)
        pieces = [before[at : at + size] for at in range(0, len(before), size)]
        rests = [[one for one in before if one not in piece] for piece in pieces]
        smaller = next((some for some in (*pieces, *rests) if some != before and fails(some)), None)
        if smaller is not None:
            before, parts = smaller, 2
        elif size == 1:
            break
        else:
            parts = min(2 * parts, len(before))
    return before


def passes(tests: Sequence[str]) -> bool:
    """Tell whether tests pass, in one process and in this order."""
    words = ["-n", "0", "-q", "-p", "no:randomly", "-p", "no:cacheprovider"]
    return _run([*words, *tests], {}) == 0


def _run(words: Sequence[str], env: dict[str, str]) -> int:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=ROOT,
        env={**os.environ, **env},
        stdout=sys.stderr,
        timeout=8 * HOURS,
        check=False,
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())

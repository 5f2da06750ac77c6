"""How often recall finds a memory that answers a question in other words.

    python -m benchmarks.other_words

One author who had not seen the program wrote the 208 memories of one team and 50 questions: 30 that
share no word with their answer, 12 with a short form on one side (`repo`, "repository"), and 8 in
Chinese, Japanese and Korean. The set was run once before anybody read it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from pathlib import Path

import varves

HERE = Path(__file__).parent
FIRST = 5


def main() -> None:
    """Print how many questions have their answer among the first hits, by kind."""
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        with varves.open(folder, home=home, mode="fast") as ledger:
            keys = {ledger.remember(row["text"]).id: row["key"] for row in _rows("memories")}
            for dense in (False, True):
                _show(ledger, keys, dense=dense)


def _show(ledger: varves.Ledger, keys: dict[str, str], *, dense: bool) -> None:
    found: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for question in _rows("questions"):
        hits = ledger.recall(question["text"], k=FIRST, dense=dense)
        kind = question["kind"]
        asked[kind] += 1
        found[kind] += any(keys[hit.memory.id] in question["gold"] for hit in hits)
    for kind in sorted(asked):
        way = "with meanings" if dense else "base install"
        print(f"{kind}, {way}: {found[kind]} of {asked[kind]} among the first {FIRST}")


def _rows(name: str) -> list[dict[str, str]]:
    lines = (HERE / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


if __name__ == "__main__":
    main()

"""Renders docs/errors.md from what the reproducers really said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.errors.cases import Case

PAGE = Path(__file__).parents[2] / "docs/errors.md"
HEAD = """\
# Errors

An error is one line on stderr, `varves: <what>; <what to do>`, and an exit code. With `--json` it
is one document on stdout instead, `{"error": {"code": …, "message": …, "hint": …}}`. Python raises
a class of `varves.errors` with the same `code`, `message`, `hint` and `exit`. Secrets that a
message would quote are masked. All examples are output of the program; a test runs them again.

| exit | means |
|---|---|
| 0 | done; an empty answer is not an error |
| 1 | `verify`, `doctor` or `validate` found something |
| 2 | usage |
| 3 | refused by a rule, nothing was written |
| 4 | not found |
| 5 | the store is damaged, unreadable or of a newer format, or a write to the disk failed |
| 6 | busy: a lock was not acquired in time |
"""
ENTRY = """
## {code}

Exit {exit}. {means}

```text
{dialogue}
```

{do}
"""


EVENTS = ("evt_01m7f0p69eeeyr73ng7ank314f", "evt_01m7f1058cfm1sjarrah29f9mp")


def scrubbed(text: str) -> str:
    """Put a plain example in the place of each id and path that differs from run to run."""
    text = re.sub(r"\bmem_(?!0{11})[0-9a-z]{12}\b", "mem_4k2m9x7q1c5d", text)
    met: dict[str, str] = {}
    text = re.sub(
        r"\bevt_[0-9a-z]{26}\b",
        lambda match: met.setdefault(match[0], EVENTS[len(met) % len(EVENTS)]),
        text,
    )
    return re.sub(r"/\S*/project\b", "/home/ada/project", text)


def typed(argv: Sequence[str]) -> str:
    """Write an argument list as one would type it."""
    return " ".join(f'"{part}"' if " " in part else part for part in argv)


def rendered(told: Sequence[tuple[Case, Sequence[str], str]]) -> str:
    """Put the page together from each case, what was typed and what was said."""
    entries = [
        ENTRY.format(
            code=case.code,
            exit=case.exit,
            means=case.means,
            dialogue=scrubbed(f"$ varves {typed(argv)}\n{said.strip()}"),
            do=case.do,
        )
        for case, argv, said in told
    ]
    return HEAD + "".join(entries)

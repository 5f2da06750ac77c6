"""A process of a crowd that appends events to one log: `appender NUMBER EACH ROOT`."""

from __future__ import annotations

import sys

import varves
from varves.errors import Busy


def append(ledger: varves.Ledger, number: str, title: str) -> str:
    """Append an event each part of which names it, and return its id; wait where others are."""
    while True:
        try:
            done = ledger.layers.append(
                type="change",
                scope="file",
                title=title,
                what=f"{title} was done to [[skill-{number}]]. " + "More of it. " * 20,
                why=f"{title} was asked for.",
                impact=f"{title} touches nothing else.",
                next=f"- End of {title}",
                files=[f"src/{number}.py"],
            )
            return str(done.ids[0])
        except Busy:  # nothing was written
            continue


def main() -> None:
    """Append so many events, one after the other, and say which were acknowledged."""
    number, each, root = sys.argv[1:]
    with varves.open(root, actor=f"agent-{number}", session=f"s{number}") as ledger:
        for n in range(int(each)):
            title = f"Writer {number} event {n}"
            sys.stdout.write(f"{append(ledger, number, title)} {title}\n")


if __name__ == "__main__":
    main()

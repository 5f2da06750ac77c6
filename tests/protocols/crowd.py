"""A process of a crowd that writes through one protocol: `crowd PROTOCOL NUMBER EACH ROOT`."""

from __future__ import annotations

import sys

import varves


def write(ledger: varves.Ledger, protocol: str, text: str) -> str:
    """Write one entry and return its id in the protocol's own words."""
    if protocol == "scoped":
        return str(ledger.scoped.write("project", "p", type="pattern", content=text).id)
    if protocol == "deliberation":
        return str(ledger.deliberation.say("ada", text, conversation="crowd").index)
    written = ledger.hivemind.write(type="factual", content={"text": text}, scope="project:p")
    return str(written.id)


def main() -> None:
    """Write so many entries, one after the other."""
    protocol, number, each, root = sys.argv[1:]
    with varves.open(root) as ledger:
        for n in range(int(each)):
            name = write(ledger, protocol, f"writer {number} found thing {n} of its own")
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()

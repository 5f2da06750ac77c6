"""A process of a crowd that speaks in one conversation: `speaker AGENT COUNT ROOT`."""

from __future__ import annotations

import sys

import varves


def main() -> None:
    """Say so many things, one of them a decision; print the index of each."""
    agent, count, root = sys.argv[1:]
    with varves.open(root, actor=agent) as ledger:
        for number in range(int(count)):
            text = f"{agent} says {number}."
            if number == 1:
                text = f"We decided on 'the part of {agent}': it is done."
            said = ledger.deliberation.say(agent, text, conversation="talk")
            sys.stdout.write(f"{said.index}\t{text}\n")


if __name__ == "__main__":
    main()

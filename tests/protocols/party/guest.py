"""A process of a crowd that holds parties: `guest NAME EACH ROOT AGENT...`."""

from __future__ import annotations

import sys

import varves


def main() -> None:
    """Hold so many parties, one after the other, each with one thing to remember for each agent."""
    name, each, root, *agents = sys.argv[1:]
    for number in range(int(each)):
        with varves.open(root, session=f"{name}-{number}", actor=name) as ledger:
            ledger.party.start(agents=agents)
            for agent in agents:
                ledger.party.say(agent, f"I prefer way {number} of {name}")
            ended = ledger.party.end()
            for agent in agents:
                for one in ended.agents[agent]["added"]:
                    sys.stdout.write(f"{agent}\t{one['content']}\n")


if __name__ == "__main__":
    main()

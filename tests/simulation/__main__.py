"""`python -m tests.simulation SEED` plays one history and tells it; `FROM-TO` plays many.

A seed that fails belongs into `seeds.txt`, which every test run plays.
"""

from __future__ import annotations

import sys
import time
import traceback

from tests.simulation.run import simulate


def main(words: list[str]) -> int:
    """Play the seeds named, and return how many failed."""
    first, _, last = words[0].partition("-") if words else ("0", "", "99")
    seeds = range(int(first), int(last or first) + 1)
    failed = []
    began = time.monotonic()
    for seed in seeds:
        try:
            simulation = simulate(seed)
        except Exception:  # noqa: BLE001 - whatever it is, the other seeds are played too
            failed.append(seed)
            traceback.print_exc()
        else:
            if len(seeds) == 1:
                print("\n".join(simulation.trace))  # noqa: T201
    took = time.monotonic() - began
    print(f"{len(seeds)} seeds, {len(failed)} failed {failed[:20]}, {len(seeds) / took:.1f}/s")  # noqa: T201
    return min(len(failed), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

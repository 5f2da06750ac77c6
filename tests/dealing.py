"""Which worker runs which test: dealt out one by one, before the first test runs.

xdist's own ways give the next test to whoever is free, so what ran before a test in its process
depends on the load of the machine. Here it depends on nothing but the list of tests.
"""

from __future__ import annotations

from xdist.scheduler import EachScheduling


class Dealt(EachScheduling):
    """Every worker gets its share at once; one that replaces a dead worker gets the rest of its."""

    def schedule(self) -> None:
        """Send the workers that have not begun what they have to run."""
        nodes = sorted(self.node2pending, key=lambda node: node.gateway.id)
        first = not self._started
        if first and len({tuple(one) for one in self.node2collection.values()}) > 1:
            raise RuntimeError("the workers did not collect the same tests")
        for number, node in enumerate(nodes):
            if node in self._started:
                continue
            pending = self.node2pending[node]
            if first:
                pending[:] = range(number, len(self.node2collection[node]), len(nodes))
            node.send_runtest_some(pending)
            node.shutdown()
            self._started.append(node)

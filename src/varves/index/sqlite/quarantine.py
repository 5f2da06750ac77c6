"""The filter that keeps untrusted memories apart: out of default recall until they are trusted.

It is no status: a quarantined memory lives, changes and expires as others do.
"""

from __future__ import annotations

from varves.events.event import TRUSTWORTHY


def free(clones: tuple[str, ...] | None, table: str = "m.") -> tuple[str, list[str]]:
    """Return the condition under which a memory is not quarantined.

    Args:
        clones: the clones whose memories count, and whose word for others' counts; None: all do.
        table: the memory table's name in the query.
    """
    where = f"{table}trust >= {TRUSTWORTHY}"
    if clones is None:
        return where, []
    marks = ", ".join("?" * len(clones))
    clone = "substr({0}, 1, instr({0}, '.') - 1)"
    own = clone.format(f"{table}writer")
    vouched = clone.format(f"coalesce({table}trusted, '.')")
    return f"{where} and ({own} in ({marks}) or {vouched} in ({marks}))", [*clones, *clones]

"""A model of how far one PostgreSQL server goes as a remote, and which limits are reached first.

The constants marked as measured were measured on 2 cores and rounded down; the others are
assumptions. A reader can replace each of them, for example with
`python -m benchmarks.capacity events_per_day=200 following=0.5`. The table in docs/scale.md is the
output of this module without arguments.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields, replace
from math import ceil

DEVELOPERS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
DAY = 86_400.0


@dataclass(frozen=True)
class Constants:
    """What one developer does, and what one server of 2 cores can do."""

    # assumed
    events_per_day: float = 50
    syncs_per_day: float = 16  # eight sessions, each with one at its start and one at its end
    peak: float = 10  # the busiest second against the average
    following: float = 0.05  # developers who run `varves pull --follow` at the same moment
    ledgers_per_developer: float = 0.3
    years: float = 3
    disk_gb: float = 2_000  # of one server
    connections: float = 500  # of one server, without a pooler
    pooled: float = 10_000  # clients of one pooler
    roles: float = 20_000  # in one server, with two for each ledger
    # measured
    bytes_per_event: float = 1_200  # in the database, with indexes
    single_pushes: float = 1_000  # a second, many ledgers
    one_ledger: float = 400  # single pushes a second into one ledger
    looks: float = 6_000  # "is there anything new?" a second
    sync_seconds: float = 0.03  # that a sync with nothing new keeps a connection


@dataclass(frozen=True)
class Load:
    """What a number of developers needs."""

    developers: int
    events: float  # a second, at the peak
    syncs: float  # a second, at the peak
    disk: float  # GB after some years
    connections: float  # at the peak
    roles: float
    servers: int
    limits: tuple[str, ...]
    """The limits of one server that are exceeded, the most exceeded first."""


def load(developers: int, known: Constants) -> Load:
    """Return what developers need, and which limits of one server they exceed."""
    events = developers * known.events_per_day / DAY * known.peak
    syncs = developers * known.syncs_per_day / DAY * known.peak
    disk = developers * known.events_per_day * 365 * known.years * known.bytes_per_event / 1e9
    following = developers * known.following
    connections = following + syncs * known.sync_seconds
    roles = 2 * developers * known.ledgers_per_developer
    # a follower behind a pooler hears no announcement and looks every two seconds
    looks = syncs + (following / 2 if connections > known.connections else 0)
    work = {
        "disk": disk / known.disk_gb,
        "pushes": events / known.single_pushes,
        "looks for news": looks / known.looks,
    }
    shares = work | {
        "connections": connections / known.connections,
        "clients of one pooler": connections / known.pooled,
        "roles": roles / known.roles,
    }
    exceeded = sorted((name for name in shares if shares[name] > 1), key=lambda n: -shares[n])
    servers = max(1, ceil(max(work.values())))
    return Load(developers, events, syncs, disk, connections, roles, servers, tuple(exceeded))


def table(known: Constants) -> str:
    """Return the model as a Markdown table."""
    heads = (
        "developers",
        "events/s at the peak",
        "syncs/s at the peak",
        f"GB after {known.years:g} years",
        "connections",
        "roles",
        "servers",
        "limits of one server that are exceeded, most exceeded first",
    )
    rows = [
        (
            f"{one.developers:,}",
            *map(_short, (one.events, one.syncs, one.disk, one.connections, one.roles)),
            f"{one.servers}",
            ", ".join(one.limits) or "none",
        )
        for one in (load(developers, known) for developers in DEVELOPERS)
    ]
    lines = [heads, ("---:",) * (len(heads) - 1) + ("---",), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def main(words: list[str]) -> int:
    """Print the table, with the constants that were given replaced."""
    known = Constants()
    names = {field.name for field in fields(Constants)}
    for word in words:
        name, _, value = word.partition("=")
        number = _number(value)
        if name not in names or number is None:
            sys.stderr.write(f"not NAME=NUMBER: {word}; names: {', '.join(sorted(names))}\n")
            return 2
        known = replace(known, **{name: number})
    sys.stdout.write(table(known) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

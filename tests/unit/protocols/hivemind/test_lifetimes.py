from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import UsageError
from varves.protocols.hivemind.lifetimes import expires, shown_ttl
from varves.values.instants import instant


@each_row(
    ("ttl", "created", "end"),
    [
        ("P1Y", "2027-03-01T10:00:00Z", "2028-03-01T10:00:00.000Z"),
        ("P1Y", "2028-02-29T10:00:00Z", "2029-02-28T10:00:00.000Z"),
        ("P1M", "2027-01-31T10:00:00Z", "2027-02-28T10:00:00.000Z"),
        ("P2Y6M", "2026-08-15T00:00:00Z", "2029-02-15T00:00:00.000Z"),
        ("P90D", "2026-01-01T00:00:00.250Z", "2026-04-01T00:00:00.250Z"),
        ("P2W", "2026-01-01T00:00:00Z", "2026-01-15T00:00:00.000Z"),
        ("PT4H", "2026-01-01T22:00:00Z", "2026-01-02T02:00:00.000Z"),
        ("P1DT30M15S", "2026-01-01T00:00:00Z", "2026-01-02T00:30:15.000Z"),
    ],
)
def test_a_duration_is_counted_from_creation(ttl, created, end):
    assert expires(ttl, instant(created)) == end


def test_permanent_has_no_end():
    assert expires("permanent", 0) is None


@each_row(
    "ttl",
    ["30d", "P", "PT", "P1DT", "P0D", "PT0S", "-P1D", "P1.5D", "p30d", "", " P1D", "P9999Y", 3],
)
def test_anything_else_is_refused(ttl):
    with pytest.raises(UsageError):
        expires(ttl, instant("2026-01-01T00:00:00Z"))


def test_what_the_core_was_given_is_shown_in_the_published_form():
    assert [shown_ttl(one) for one in ("30d", "2w", "12h", "P1Y", "permanent")] == [
        *("P30D", "P2W", "PT12H", "P1Y", "permanent")
    ]

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import UsageError
from varves.protocols.hivemind.options import HivemindOptions, options


def test_what_is_not_set_is_as_published():
    held = options({"top": 5, "session_hours": 2})
    assert (held.top, held.session_hours) == (5, 2)
    assert held.replace(top=10, session_hours=4.0) == HivemindOptions()


@each_row(
    "table",
    [
        {"topp": 5},
        {"top": "5"},
        {"top": 0},
        {"top": 2.5},
        {"top": True},
        {"half_life_days": 0},
        {"tag_weight": -1},
        {"any_actor": 1},
        {"session_hours": float("nan")},
    ],
)
def test_a_wrong_setting_is_refused(table):
    with pytest.raises(UsageError):
        options(table)

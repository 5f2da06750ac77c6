"""The numbers of the protocol are read from its table, and a wrong one is named."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import UsageError
from varves.protocols.layers.options import LayersOptions, options


def test_what_is_left_out_has_the_published_value():
    found = options({})
    assert found == LayersOptions()
    assert (found.zone, found.batch, found.recent, found.handoff_events) == ("UTC", 5, 10, 5)
    assert found.complete == ("complete", "completed", "done", "finished")
    assert (found.archive_above, found.archive_keep) == (0, 20)


def test_what_is_set_is_taken():
    found = options({"zone": "+02:00", "batch": 3, "archive_above": 50, "complete": ["shipped"]})
    assert (found.zone, found.batch, found.archive_above) == ("+02:00", 3, 50)
    assert found.complete == ("shipped",)


@each_row(
    ("table", "message"),
    [
        ({"batches": 3}, "has no option 'batches'"),
        ({"batch": 0}, "batch is not more than 0"),
        ({"batch": True}, "batch is not a whole number"),
        ({"recent": "10"}, "recent is not a whole number"),
        ({"archive_above": -1}, "archive_above is not 0 or more"),
        ({"complete": "done"}, "complete is not a list of words"),
        ({"zone": "Mars/Olympus"}, "zone is not a zone"),
        ({"zone": "../../etc/passwd"}, "zone is not a zone"),
        ({"zone": 2}, "zone is not a zone"),
    ],
)
def test_what_is_wrong_is_an_error_of_use_that_names_it(table, message):
    with pytest.raises(UsageError, match=message):
        options(table)

"""Several questions about one moment get the answers that the verbs give with `as_of`."""

from __future__ import annotations

import gc
import os

import pytest

from varves.errors import NotFound


def ids(events):
    return [event.id for event in events]


@pytest.fixture
def moment(ledger):
    first = ledger.remember("The api listens on port 80")
    ledger.remember("The api listens on port 81")
    ledger.remember("Deploys happen on Fridays", ttl="1d")
    event = ledger.forget(first.id, reason="test").event
    ledger.restore(first.id)
    ledger.remember("Written after the moment")
    return first.id, event


def test_every_question_is_answered_as_with_as_of(ledger, moment):
    name, event = moment
    with ledger.at(event) as then:
        for _ in range(2):
            assert then.list(status="all") == ledger.list(status="all", as_of=event)
            assert then.list(limit=1).more == ledger.list(limit=1, as_of=event).more
            assert ids(then.log()) == ids(ledger.log(as_of=event))
            assert then.recall("api port").hits == ledger.recall("api port", as_of=event).hits
            assert then.show(name) == ledger.show(name, as_of=event)
            assert ids(then.history(name)) == ids(ledger.history(name, as_of=event))
            assert then.why(name).rules == ledger.why(name, as_of=event).rules
            assert then.conflicts() == ledger.conflicts(as_of=event)
            told = then.status()
            assert told["memories"] == {"forgotten": 1, "active": 2}
            assert told["events"] == len(then.log()) == sum(told["kinds"].values())
            # from here on, the view is a new one, because something was written
            ledger.remember("Written while the moment is open")


def nameless():
    """Return how many files this process has open that were removed already."""
    handles = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
    return sum(os.readlink(one).endswith(" (deleted)") for one in handles if os.path.islink(one))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no list of open files")
def test_a_moment_leaves_nothing_open_that_only_the_garbage_collector_would_close(ledger, moment):
    _, event = moment
    gc.collect()
    gc.disable()
    try:
        before = nameless()
        for _ in range(3):
            assert ledger.list(as_of=event)
            assert ledger.recall("api port", as_of=event).hits
            ledger.conflicts(as_of=event)
            with ledger.at(event) as then:
                assert then.log(limit=1)
                assert nameless() > before
        assert nameless() == before
    finally:
        gc.enable()


def test_what_is_purged_while_a_moment_is_open_is_gone_from_it(ledger, moment):
    name, event = moment
    with ledger.at(event) as then:
        assert then.show(name).text
        ledger.purge(name, reason="test")
        with pytest.raises(NotFound):
            then.show(name)


def test_a_look_at_a_moment_is_not_counted_as_shown(ledger, moment):
    name, event = moment
    with ledger.at(event) as then:
        then.show(name)
        then.recall("api port")
    assert ledger.shown() == ()


def test_a_moment_that_does_not_exist_is_not_found(ledger):
    ledger.remember("The api listens on port 80")
    with ledger.at("evt_000000000000") as then, pytest.raises(NotFound):
        then.list()

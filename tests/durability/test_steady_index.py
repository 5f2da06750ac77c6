"""While a verb of a protocol runs, its index is compared with the logs only as often as needed."""

from __future__ import annotations

import pytest

from tests.rooms import room
from varves.commands.remember import Remember, decide
from varves.index.where import Where


@pytest.fixture
def seen(project, ledger):
    ledger.init()
    with room(project) as opened:
        opened.index.steady = True
        assert held(opened) == 0
        ledger.remember("Written by another process")
        yield opened


def held(seen) -> int:
    return seen.fresh().index.count(Where())


def test_it_is_compared_once(seen):
    assert held(seen) == 0
    assert seen.fresh(every_file=True).index.count(Where()) == 1


def test_it_is_compared_again_under_a_lock(seen):
    with seen.deciding("project"):
        assert held(seen) == 1


def test_it_is_compared_again_after_a_write(seen):
    command = Remember(text="Ours", log="project", scope="project", id="mem_ours00000000")
    seen.append(decide(seen.current(), command, seen.act()))
    assert held(seen) == 2


def test_it_is_compared_again_by_the_next_verb(seen):
    seen.index.steady = True
    assert held(seen) == 1
    seen.index.steady = False
    assert held(seen) == 1


def test_it_is_compared_again_after_it_was_closed(seen):
    seen.index.close()
    assert held(seen) == 1

"""What arrived since a position is returned once, however it arrived, and nothing is reread."""

from __future__ import annotations

import sys
import threading
from itertools import count

import pytest

from varves import open as opened
from varves.errors import UsageError
from varves.values.instants import FixedClock, instant

OPENED: list[str] = []
sys.addaudithook(lambda name, args: OPENED.append(str(args[0])) if name == "open" else None)


def texts(news):
    return [event.data["text"] for event in news.events]


def read_all(ledger, position, **filters):
    """Return all events since a position, and the position after them."""
    found = ledger.news(position, **filters)
    events = list(found.events)
    while found.more:
        found = ledger.news(found.position, **filters)
        events += found.events
    return events, found.position


def reads(ledger, position):
    """Return the files of logs that are opened to find what is new."""
    OPENED.clear()
    ledger.news(position)
    return [path for path in OPENED if path.endswith(".jsonl")]


def test_each_event_is_new_once(ledger, project):
    ledger.remember("The first fact")
    start = ledger.news()
    assert (start.events, start.counts, start.more) == ((), {}, 0)
    assert ledger.news(start.position) == start
    ledger.remember("The second fact")
    with opened(str(project)) as other:
        third = other.remember("The third fact")
        other.forget(third.id, reason="test")
    found = ledger.news(start.position)
    assert [event.kind for event in found.events] == [
        "memory.recorded",
        "memory.recorded",
        "memory.forgotten",
    ]
    assert found.counts == {"memory.recorded": 2, "memory.forgotten": 1}
    assert ledger.news(found.position).events == ()
    only = ledger.news(start.position, kind="memory.forgotten")
    assert [event.kind for event in only.events] == ["memory.forgotten"]
    assert only.position == found.position


def test_a_position_holds_in_another_process_and_from_an_empty_ledger(project):
    with opened(str(project)) as first:
        position = first.news().position
        first.remember("The first fact")
    with opened(str(project)) as second:
        assert texts(second.news(position)) == ["The first fact"]


def test_an_old_event_that_arrives_late_is_new(ledger, tmp_path):
    root = tmp_path / "other"
    root.mkdir()
    clock = FixedClock(instant("2020-01-01T00:00:00Z"))
    with opened(str(root), home=str(tmp_path / "elsewhere"), clock=clock) as other:
        old = other.remember("Recorded long ago")
        path = tmp_path / "exported.jsonl"
        path.write_text("\n".join(other.export()), encoding="utf-8")
    ledger.remember("Recorded today")
    position = ledger.news().position
    ledger.import_("jsonl", str(path), trust=True)
    found = ledger.news(position)
    assert old.event in [event.id for event in found.events]
    assert ledger.news(found.position).events == ()


def test_after_a_rebuild_only_later_events_are_new(ledger):
    ledger.remember("The first fact")
    position = ledger.news().position
    ledger.rebuild()
    found = ledger.news(position)
    assert found.events == ()
    ledger.remember("The second fact")
    assert texts(ledger.news(position)) == ["The second fact"]
    assert texts(ledger.news(found.position)) == ["The second fact"]


def test_many_events_come_in_portions(ledger):
    ledger.remember("The first fact")
    position = ledger.news().position
    ledger.remember_many({"text": f"Fact {n} of many"} for n in range(2500))
    found = ledger.news(position)
    assert len(found.events) == 1000
    assert found.more >= 1500
    events, end = read_all(ledger, position, kind="memory.recorded")
    assert len({event.id for event in events}) == len(events) == 2500
    assert ledger.news(end).events == ()


def test_without_a_change_no_file_is_read(ledger):
    ledger.remember("The first fact")
    position = ledger.news().position
    while reads(ledger, position):  # what changed just now may change again without another time
        pass
    assert [reads(ledger, position) for _ in range(3)] == [[], [], []]
    ledger.remember("The second fact")
    assert len(set(reads(ledger, position))) == 1


def test_purged_text_is_not_news(ledger):
    position = ledger.news().position
    done = ledger.remember("The code of the door is 4711")
    ledger.news()
    ledger.purge(done.id, reason="test")
    assert "4711" not in str([event.data for event in ledger.news(position).events])


@pytest.mark.parametrize("position", ["", "x", "a.b.c", "a.1", 7])
def test_a_word_that_is_no_position_is_refused(ledger, position):
    with pytest.raises(UsageError):
        ledger.news(position)


def test_followed_events_are_those_that_arrive_after_the_start(ledger, project):
    ledger.remember("The first fact")
    followed = ledger.follow(kind="memory.recorded")
    with opened(str(project)) as other:
        ids, begun = count(), threading.Event()

        def write():
            while not begun.is_set():
                other.remember(f"A later fact {next(ids)}")

        writer = threading.Thread(target=write)
        writer.start()
        try:
            first = next(followed)
        finally:
            begun.set()
            writer.join()
    assert first.data["text"].startswith("A later fact")

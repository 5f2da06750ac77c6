"""Time travel: the view as of a moment or an event is the fold of what there was by then."""

from __future__ import annotations

import os
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import varves
from tests.properties.shelf import index_dump
from tests.properties.world import (
    HOUR,
    START,
    SeededIds,
    Watchmaker,
    dump_of,
    play,
    scripts,
    skews,
    union,
)
from tests.rooms import room
from varves.errors import NotFound, UsageError
from varves.values.instants import instant, iso

few = settings(max_examples=max(10, settings.default.max_examples // 3))


@pytest.fixture(autouse=True)
def _own_home(home):
    """Let nothing of the caller's settings in."""


def folder_of(root: str, group) -> None:
    """Write what replicas recorded into a project's log, one segment for each writer."""
    folder = f"{root}/.varves/log/2026-09"
    os.makedirs(folder)
    for here in group:
        own = [e for e in here.events.values() if e.writer == f"{here.name}.main"]
        lines = [here.lines[e.id] for e in own if e.log == "project"]
        with open(f"{folder}/20260921-{here.name}-0000000000.jsonl", "wb") as file:
            file.write(b"".join(line + b"\n" for line in lines))


@few
@given(scripts, skews, st.data())
def test_the_past_is_the_fold_of_its_events(script, skew, draw):
    group = play(script, skew)
    events = union(*(one.events.values() for one in group)).values()
    events = sorted((e for e in events if e.log == "project"), key=lambda e: e.order)
    with tempfile.TemporaryDirectory() as root:
        folder_of(root, group)
        clock = Watchmaker(START + 48 * HOUR)
        home = f"{root}/home"
        with (
            varves.open(root, home=home, clock=clock) as ledger,
            room(root, home=home, clock=clock) as seen,
        ):
            for _ in range(4 if events else 0):
                last = draw.draw(st.sampled_from(events))
                view = seen.view(last.id)
                before = [event for event in events if event.order <= last.order]
                assert index_dump(view.index, 0) == dump_of(before, 0)
                assert ledger.log(as_of=last.id)[-1].id == last.id
                assert view.now == instant(last.time)

                view = seen.view(last.time)
                before = [event for event in events if event.time <= last.time]
                assert index_dump(view.index, 0) == dump_of(before, 0)
            whole = seen.view("2027-01-01")
            assert index_dump(whole.index, 0) == index_dump(seen.fresh().index, 0)


class Diary:
    """A ledger that is asked everything after each thing that happens to it."""

    def __init__(self, root: str) -> None:
        self.clock = Watchmaker(START)
        self.ledger = varves.open(root, home=f"{root}/home", clock=self.clock, ids=SeededIds(9))
        self.shelf = self.ledger.shelf("notes")
        self.pages: list[tuple[str, str, tuple]] = []

    def note(self, event: str | None) -> None:
        if event is not None:
            answers = self.answers()
            last = answers[-1][-1]  # the event itself, or what was told before it, recorded after
            self.pages.append((iso(self.clock.ms), last, answers))
        self.clock.ms += 7 * 60_000

    def answers(self, as_of: str | None = None) -> tuple:
        ask = self.ledger
        hits = ask.recall("zod yup valibot", as_of=as_of).hits
        return (
            ask.list(status="all", as_of=as_of),
            [(hit.memory.id, hit.memory.text) for hit in hits],
            ask.conflicts(as_of=as_of),
            self.shelf.list(as_of=as_of),
            [event.id for event in ask.log(as_of=as_of)],
        )


ACTS = ("remember", "correct", "forget", "restore", "edit", "undo", "brief", "put", "delete")
acts = st.lists(
    st.tuples(
        st.sampled_from(ACTS),
        st.integers(0, 5),
    ),
    min_size=3,
    max_size=9,
)
TEXTS = ("Use Zod", "Use Yup", "Use Valibot", "zod is fine", "yup is old", "valibot is small")


@few
@given(acts)
def test_every_answer_of_the_past_can_be_had_again(given_acts):
    with tempfile.TemporaryDirectory() as root:
        diary = Diary(root)
        ledger, names = diary.ledger, []
        for what, number in given_acts:
            try:
                diary.note(_act(ledger, names, what, number))
            except varves.errors.VarvesError:
                diary.note(None)
        for moment, event, answers in diary.pages:
            assert diary.answers(moment) == answers
            assert diary.answers(event) == answers
        ledger.close()


def _act(ledger, names, what, number):
    name = names[number % len(names)] if names else "mem_000000000000"
    if what in ("remember", "brief"):
        done = ledger.remember(TEXTS[number], ttl="20m" if what == "brief" else None)
        names.append(done.id)
        return done.event
    if what in ("put", "delete"):
        shelf, key = ledger.shelf("notes"), "ab"[number % 2]
        done = shelf.put(key, TEXTS[number]) if what == "put" else shelf.delete(key)
        names.append(done.id)
        return done.event
    if what == "correct":
        done = ledger.correct(name, TEXTS[number])
        names.append(done.id)
        return done.event
    if what == "edit":
        return ledger.edit(name, tag=[f"t{number}"]).event
    if what == "undo":
        return ledger.undo().event
    return (ledger.forget(name, reason="no") if what == "forget" else ledger.restore(name)).event


def test_expiry_is_judged_at_that_moment(tmp_path):
    clock = Watchmaker(START)
    with varves.open(str(tmp_path), home=str(tmp_path / "h"), clock=clock) as ledger:
        name = ledger.remember("Only for a while", ttl="1h").id
        clock.ms += 2 * HOUR
        assert ledger.show(name).status == "expired"
        assert ledger.list() == ()
        early, late = iso(START + HOUR - 1), iso(START + HOUR)
        assert ledger.show(name, as_of=early).status == "active"
        assert ledger.recall("while", as_of=early).hits[0].memory.id == name
        assert ledger.show(name, as_of=late).status == "expired"
        assert ledger.recall("while", as_of=late).hits == ()
        clock.ms = START
        assert ledger.show(name).status == "active"


def test_what_still_waits_for_its_time_is_not_in_a_view_of_the_present(tmp_path):
    """Regression: an event held back showed up as soon as the past was asked."""
    from tests.properties.lines import line_of

    clock = Watchmaker(START, fixed=False)
    with varves.open(str(tmp_path), home=str(tmp_path / "h"), clock=clock) as ledger:
        ledger.init()
        folder = tmp_path / ".varves/log/2026-09"
        folder.mkdir(parents=True)
        content = {"memory": "mem_000000000000", "text": "From afar", "scope": "project"}
        ahead = f"{(START + 48 * HOUR) << 16:016x}"
        line = line_of(hlc=ahead, time=iso(START - HOUR), data=content)
        (folder / "20260921-other-0000000000.jsonl").write_bytes(line + b"\n")
        assert ledger.list() == ()
        assert ledger.list(as_of=iso(START)) == ()
        assert len(ledger.list(as_of=iso(START + 25 * HOUR))) == 1


def test_a_moment_nobody_knows_is_an_error(tmp_path):
    with varves.open(str(tmp_path), home=str(tmp_path / "h")) as ledger:
        name = ledger.remember("Something").id
        with pytest.raises(NotFound):
            ledger.show(name, as_of="yesterdayish")
        with pytest.raises((UsageError, NotFound)):
            ledger.show(name, as_of="evt_" + "0" * 26)
        with pytest.raises(NotFound):
            ledger.show(name, as_of="2001-01-01")

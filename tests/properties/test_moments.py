"""Moments asked in any order give what a replay of their events gives."""

from __future__ import annotations

import os
import subprocess
import tempfile
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import varves
from tests.places import local_of
from tests.properties.shelf import assert_words_match, index_dump, index_judgements
from tests.properties.world import HOUR, START, Watchmaker, dump_of, play, scripts, skews, union
from tests.rooms import room
from varves.context import past as replay
from varves.fold.family import fold_family
from varves.index.sqlite import past
from varves.values.instants import iso

few = settings(max_examples=max(10, settings.default.max_examples // 3))


@pytest.fixture(autouse=True)
def _own_home(home):
    """Let nothing of the caller's settings in."""


class Folder:
    """A project's log that grows: one segment for each writer."""

    def __init__(self, root: str, group) -> None:
        self.folder = f"{root}/.varves/log/2026-09"
        os.makedirs(self.folder)
        self.lines = {
            here.name: [
                (event, here.lines[event.id])
                for event in here.events.values()
                if event.writer == f"{here.name}.main" and event.log == "project"
            ]
            for here in group
        }
        self.seen = dict.fromkeys(self.lines, 0)

    def grow(self, writer: str, count: int) -> None:
        """Append the next lines of a writer."""
        start = self.seen[writer]
        lines = self.lines[writer][start : start + count]
        self.seen[writer] += len(lines)
        with open(f"{self.folder}/20260921-{writer}-0000000000.jsonl", "ab") as file:
            file.write(b"".join(line + b"\n" for _, line in lines))

    def events(self) -> list:
        """Return the events that are there, in order."""
        found = [event for name, n in self.seen.items() for event, _ in self.lines[name][:n]]
        return sorted(union(found).values(), key=lambda event: event.order)


@few
@given(scripts, skews, st.data())
def test_moments_in_any_order_are_what_a_replay_of_them_is(script, skew, draw):
    """Also while events of other writers arrive, some of them older than the moments."""
    group = play(script, skew)
    with tempfile.TemporaryDirectory() as root, mock.patch.object(past, "WORTH_KEEPING", -1):
        folder = Folder(root, group)
        clock = Watchmaker(START + 48 * HOUR)
        with room(root, home=f"{root}/home", clock=clock) as seen:
            for _ in range(8):
                writer = draw.draw(st.sampled_from(sorted(folder.lines)))
                folder.grow(writer, draw.draw(st.integers(0, 4)))
                events = folder.events()
                if not events:
                    continue
                last = draw.draw(st.sampled_from(events))
                if draw.draw(st.booleans()):
                    asked = last.id
                    before = [event for event in events if event.order <= last.order]
                else:
                    asked = last.time
                    before = [event for event in events if event.time <= last.time]
                view = seen.view(asked)
                assert isinstance(view.index, past.SqlitePast)
                assert index_dump(view.index, 0) == dump_of(before, 0)
                rejected, lifted = index_judgements(view.index)
                folded = fold_family(before)
                assert rejected == set(folded.rejections)
                assert lifted == set(folded.lifts)
                assert_words_match(view.index)
                del view


TEXTS = [f"The {name} listens on port {port}" for name in ("api", "cache") for port in (80, 81)]
acts = st.lists(
    st.tuples(
        st.sampled_from(
            ("remember", "correct", "forget", "restore", "purge", "undo", "ask", "ask")
        ),
        st.integers(0, 7),
    ),
    min_size=4,
    max_size=12,
)


@few
@given(acts)
def test_answers_of_the_past_are_those_of_a_ledger_without_checkpoints(given_acts):
    """Purges, rejected values and lifts included; every moment is asked again and again."""
    with tempfile.TemporaryDirectory() as root, mock.patch.object(past, "WORTH_KEEPING", -1):
        clock = Watchmaker(START)
        moments: list[str] = []
        names: list[str] = []
        with varves.open(root, home=f"{root}/home", clock=clock) as ledger:
            for what, number in given_acts:
                name = names[number % len(names)] if names else "mem_000000000000"
                try:
                    if what == "ask":
                        compare(ledger, moments[number::5])
                    elif what == "remember":
                        names.append(ledger.remember(TEXTS[number % len(TEXTS)], again=True).id)
                    elif what == "correct":
                        names.append(ledger.correct(name, TEXTS[number % len(TEXTS)]).id)
                    elif what == "undo":
                        ledger.undo()
                    elif what == "restore":
                        ledger.restore(name)
                    else:
                        getattr(ledger, what)(name, reason="test")
                except varves.errors.VarvesError:
                    pass
                if len(events := ledger.log(limit=1)):
                    moments += [iso(clock.ms), events[-1].id]
                clock.ms += 7 * 60_000
            compare(ledger, moments[::3])


def compare(ledger, moments) -> None:
    """Compare the answers of moments with those of a replay, which starts from nothing."""
    found = [answers(ledger, moment) for moment in moments]
    with mock.patch.object(replay, "past_of", return_value=None):
        assert [answers(ledger, moment) for moment in moments] == found


def answers(ledger, moment) -> tuple:
    """Return what a ledger says of a moment."""
    return (
        ledger.list(status="all", as_of=moment),
        [
            (hit.memory, hit.score)
            for hit in ledger.recall("api port cache", as_of=moment, dense=False)
        ],
        ledger.conflicts(as_of=moment),
        [(event.id, event.data) for event in ledger.log(as_of=moment)],
    )


@pytest.fixture
def kept():
    with mock.patch.object(past, "WORTH_KEEPING", -1):
        yield


def checkpoints(ledger):
    return sorted(path.name for path in local_of(ledger.root).glob("*past-*"))


@pytest.mark.usefixtures("kept")
def test_a_checkpoint_is_used_and_may_be_deleted_or_damaged_at_any_time(ledger):
    for number in range(6):
        ledger.remember(f"Fact number {number}")
    moment = ledger.log()[2].id
    expected = ledger.list(as_of=moment)
    assert len(checkpoints(ledger)) == 1
    (path,) = local_of(ledger.root).glob("*past-*")
    assert path.stat().st_mode & 0o077 == 0
    assert ledger.list(as_of=moment) == expected
    assert path.name in checkpoints(ledger)
    whole = path.read_bytes()
    for damage in (b"", b"no database", whole[:9000], whole[:-5000] + bytes(5000)):
        for path in local_of(ledger.root).glob("*past-*"):
            path.write_bytes(damage)
        assert ledger.list(as_of=moment) == expected
        for left in local_of(ledger.root).glob("*past-*"):
            left.unlink()
        assert ledger.list(as_of=moment) == expected
        assert checkpoints(ledger)


@pytest.mark.usefixtures("kept")
def test_a_purge_erases_every_checkpoint(ledger):
    done = ledger.remember("The code of the door is 4711")
    ledger.remember("The lift is out of order")
    moment = ledger.log()[-1].id
    assert [one.text for one in ledger.list(as_of=moment)][-1] == done.text
    (path,) = local_of(ledger.root).glob("*past-*")
    assert b"4711" in path.read_bytes()
    ledger.purge(done.id, reason="test")
    assert checkpoints(ledger) == []
    assert "4711" not in str([one.text for one in ledger.list(status="all", as_of=moment)])
    for path in local_of(ledger.root).glob("*"):
        assert b"4711" not in path.read_bytes()


@pytest.mark.usefixtures("kept")
def test_checkpoints_have_a_limit_of_size(ledger, monkeypatch):
    for number in range(12):
        ledger.remember(f"Fact number {number}")
    events = ledger.log()
    ledger.list(as_of=events[0].id)
    (path,) = local_of(ledger.root).glob("*past-*")
    monkeypatch.setattr(past, "MOST_BYTES", int(path.stat().st_size * 3.5))
    for event in events[:-1]:
        ledger.list(as_of=event.id)
    assert 1 <= len(checkpoints(ledger)) <= 3
    monkeypatch.setattr(past, "MOST_BYTES", 1000)
    before = checkpoints(ledger)
    ledger.list(as_of=events[-1].id)
    assert checkpoints(ledger) == before


def test_a_small_step_makes_no_checkpoint(ledger):
    ledger.remember("The lift is out of order")
    ledger.list(as_of=ledger.log()[-1].id)
    assert checkpoints(ledger) == []


def test_a_revision_is_what_a_replay_of_it_is(ledger, project):
    """Also a commit with events that were purged later, and one of another branch."""

    def git(*words):
        subprocess.run(["git", "-C", str(project), *words], check=True, capture_output=True)

    first = ledger.remember(TEXTS[0])
    gone = ledger.remember("The code of the door is 4711")
    git("add", "-A")
    git("commit", "-qm", "one")
    second = ledger.correct(first.id, TEXTS[1])
    ledger.remember(TEXTS[0], again=True)
    ledger.remember("Only on this machine", private=True)
    git("add", "-A")
    git("commit", "-qm", "two")
    ledger.forget(second.id, reason="test")
    ledger.remember("Not committed yet")
    with ledger.at("HEAD~1") as then:
        assert {gone.text, TEXTS[0]} <= {one.text for one in then.list()}
    compare(ledger, ["HEAD", "HEAD~1", "HEAD"])
    ledger.purge(gone.id, reason="test")
    compare(ledger, ["HEAD", "HEAD~1"])
    git("add", "-A")
    git("commit", "-qm", "three")
    git("checkout", "-q", "-b", "side", "HEAD~2")
    ledger.remember("Only on a side branch")
    git("add", "-A")
    git("commit", "-qm", "side")
    git("checkout", "-q", "-")
    compare(ledger, ["HEAD", "HEAD~1", "HEAD~2", "side"])


def test_folding_a_moment_reports_its_share_of_the_whole(ledger, monkeypatch):
    monkeypatch.setattr(past, "_REPORT_EVERY", 1)
    names = [ledger.remember(f"Fact number {number}").id for number in range(4)]
    moment = ledger.log()[-1].id
    for name in names:
        ledger.forget(name, reason="test")
    shares = []

    class Bar:
        share = staticmethod(shares.append)

        def __call__(self, done):
            pass

    ledger.progress = Bar()
    assert len(ledger.list(as_of=moment)) == 4
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_a_moment_is_replayed_if_no_file_can_be_created_beside_the_index(ledger, monkeypatch):
    for number in range(4):
        ledger.remember(f"Fact number {number}")
    moment = ledger.log()[1].id
    expected = ledger.list(as_of=moment)
    real = os.open

    def refusing(path, flags, *rest, **named):
        if "past-" in str(path) and flags & os.O_CREAT:
            raise PermissionError(13, "Permission denied", path)
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", refusing)
    assert ledger.list(as_of=moment) == expected

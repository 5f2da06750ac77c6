"""A turn that takes longer than a hook has is learned from all the same, and each thing once."""

from __future__ import annotations

import pytest

import varves as package
from tests.hosts.test_learning import stop, transcript
from tests.hosts.test_long_life import PLACES, said_of, texts
from varves.capture.fixes import fixes
from varves.hosts import hook
from varves.hosts import turn as hearing
from varves.hosts.transcripts import read
from varves.sessions import portions
from varves.values.signals import SessionMessage

__all__ = ["transcript"]


class Killed(BaseException):
    """What ends a process, as far as this one can play it."""


@pytest.fixture
def small_portions(monkeypatch):
    """Learn from little at a time, with time for one portion only."""
    monkeypatch.setattr(portions, "PORTION", 300)
    monkeypatch.setattr(hook, "LISTENING", -1)
    monkeypatch.setattr(hook, "CATCHING_UP", -1)


def recorded(project) -> int:
    with package.open(str(project)) as ledger:
        return len(ledger.log(kind=["memory.recorded"]))


def talk(transcript) -> None:
    for place in PLACES:
        transcript.turn(said_of(place))


def test_a_stop_goes_on_within_the_turn_where_the_last_one_ended(
    agent, project, transcript, small_portions
):
    one = agent()
    talk(transcript)
    counts = []
    for _ in range(len(PLACES) + 1):
        stop(one, transcript)
        counts.append(len(texts(project)))
    assert 0 < counts[0] < 3
    assert counts == sorted(counts)
    assert counts[-1] == len(PLACES) == recorded(project)
    with package.open(str(project)) as ledger:
        assert ledger.attend("claude", "another").missed() == []


def test_a_stop_in_time_learns_all_of_it(agent, project, transcript, monkeypatch):
    monkeypatch.setattr(portions, "PORTION", 300)
    talk(transcript)
    stop(agent(), transcript)
    assert len(texts(project)) == len(PLACES)


def test_a_turn_that_goes_on_meanwhile_is_learned_from_to_its_end(
    agent, project, transcript, small_portions
):
    one = agent()
    talk(transcript)
    stop(one, transcript)
    transcript.turn(said_of("island"))
    for _ in range(len(PLACES) + 2):
        stop(one, transcript)
    assert len(texts(project)) == len(PLACES) + 1 == recorded(project)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("after", [1, 2, 5])
def test_a_process_that_is_killed_loses_one_portion_at_the_most(
    agent, project, transcript, monkeypatch, after
):
    monkeypatch.setattr(portions, "PORTION", 300)
    agent()
    talk(transcript)
    messages, end = read("claude", str(transcript.path))
    asked = []

    def in_time():
        asked.append(True)
        if len(asked) == after:
            raise Killed
        return True

    given = {"transcript": str(transcript.path), "offset": end}
    with package.open(str(project)) as ledger:
        with pytest.raises(Killed):
            ledger.attend("claude", transcript.session).learn(messages, in_time=in_time, **given)
        before = len(texts(project))
        assert before >= after
        again = ledger.attend("claude", transcript.session)
        captured = again.learn(messages, **given)
        assert not again.left
    assert captured.known == ()
    assert len(captured.ids) == len(PLACES) - before
    assert len(texts(project)) == len(PLACES) == recorded(project)


def test_a_transcript_written_anew_is_not_taken_for_the_one_that_was_begun(
    agent, project, transcript, small_portions
):
    one = agent()
    talk(transcript)
    stop(one, transcript)
    known = len(texts(project))
    transcript.path.unlink()
    for place in ("island", "jetty", "kiosk", "lodge"):
        transcript.turn(said_of(place))
    for _ in range(5):
        stop(one, transcript)
    found = texts(project)
    assert len(found) == known + 4
    assert [text for text in found if "island" in text]


def test_a_long_missed_turn_is_caught_up_with_in_portions(
    agent, project, transcript, small_portions, monkeypatch
):
    one = agent()
    one.sends("SessionStart", source="startup", transcript_path=str(transcript.path))
    talk(transcript)
    counts = []
    for number in range(len(PLACES) + 1):
        left = iter([True, *[False] * 99])
        monkeypatch.setattr(hearing, "_until", lambda _, left=left: lambda: next(left))
        with package.open(str(project)) as ledger:
            hearing.catch_up(ledger.attend("claude", f"next-{number}"), limit=0)
        counts.append(len(texts(project)))
    assert 0 < counts[0] < 3
    assert counts[-1] == len(PLACES) == recorded(project)


def test_a_failure_and_its_cure_are_not_cut_apart(agent, project, transcript, monkeypatch):
    """A portion ends before a user's message, as long as that comes."""
    monkeypatch.setattr(portions, "PORTION", 10)
    said = [
        SessionMessage(role="user", text="Go on."),
        *[SessionMessage(role="tool", text="x" * 50)] * 20,
    ]
    cut = [(at, len(some) - at) for some, at, _ in portions.portions([*said, *said, *said], 0, 0)]
    assert [size for _, size in cut] == [21, 21, 21]


class Counted(list):
    """Messages, and how often one of them was looked at."""

    looks = 0

    def __getitem__(self, place):
        Counted.looks += len(range(*place.indices(len(self)))) if isinstance(place, slice) else 1
        return super().__getitem__(place)


def test_failures_are_followed_without_looking_back_at_all_of_them():
    def looks(count: int) -> int:
        failing = SessionMessage(role="tool", tool="Bash", text="error: no", ok=False, call="make")
        Counted.looks = 0
        fixes(Counted([SessionMessage(role="user", text="Build it."), *[failing] * count]))
        return Counted.looks

    assert looks(800) < 5 * looks(200)

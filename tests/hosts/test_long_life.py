"""Sessions that last, are forked, cut off or killed: nothing is lost, and nothing kept twice."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, process_time, sleep

import pytest

import varves as package
from tests.hosts.test_learning import HERON, SAID, Transcript, kept, stop, transcript
from tests.noted import attended
from tests.places import forget_local, local_of
from varves.capture.learnings import learnings
from varves.hosts import hook
from varves.hosts.transcripts import lines
from varves.state import attendance
from varves.values.signals import SessionMessage

__all__ = ["transcript"]

PLACES = ("attic", "barn", "cellar", "depot", "estate", "forge", "garage", "harbour")


def said_of(place: str) -> str:
    return f"Remember that the database of the {place} is called {place}-{len(place)}."


def texts(project) -> list[str]:
    return [memory.text for memory in kept(project, tag="captured")]


# Forked, written anew, cut off


def fork(transcript, path, session) -> Transcript:
    """Write a fork as Claude Code does: the same messages by the same names, another session's."""
    content = transcript.path.read_text(encoding="utf-8")
    path.write_text(content.replace(transcript.session, session), encoding="utf-8")
    forked = Transcript(path, session)
    forked.count = transcript.count
    return forked


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("end", ["kept", "forget", "purge", "correct"])
def test_a_forked_session_brings_nothing_back(agent, cli, project, transcript, tmp_path, end):
    transcript.turn(SAID)
    stop(agent(), transcript)
    [memory] = kept(project)
    words = {"forget": ["--reason", "wrong"], "purge": ["--reason", "wrong", "--yes"]}
    words["correct"] = ["The staging database is called egret."]
    if end != "kept":
        assert cli(end, memory.id, *words[end]).code == 0
    before = [one.text for one in kept(project)]
    forked = fork(transcript, tmp_path / "fork.jsonl", "forked")
    other = agent(session="forked")
    other.sends("SessionStart", source="fork", transcript_path=str(forked.path))
    forked.turn(said_of("attic"))
    stop(other, forked)
    found = [one.text for one in kept(project)]
    assert [text for text in found if "attic" not in text] == before
    assert len(found) == len(before) + 1


@pytest.mark.parametrize("again", ["shorter", "longer"])
def test_a_transcript_that_was_written_anew_is_read_from_its_beginning(
    agent, project, transcript, again
):
    one = agent()
    transcript.turn(SAID)
    transcript.turn("Hello there, how are you?", "Fine. " * 20)
    stop(one, transcript)
    transcript.path.unlink()
    transcript.turn(said_of("barn"))
    if again == "longer":
        transcript.turn("And now something else.", "Well. " * 500)
    stop(one, transcript)
    assert [text for text in texts(project) if "barn" in text]
    transcript.path.unlink()
    transcript.turn(said_of("depot"))
    agent(session="next").sends("SessionStart", source="startup")
    assert [text for text in texts(project) if "depot" in text]
    with package.open(str(project)) as ledger:
        assert ledger.attend("claude", "third").missed() == []


def test_what_is_local_may_go_at_any_moment(agent, project, transcript):
    one = agent()
    for place in PLACES[:4]:
        transcript.turn(said_of(place))
        stop(one, transcript)
        forget_local(project)
    stop(one, transcript)
    assert len(texts(project)) == 4


# Long


@pytest.fixture
def small_pieces(monkeypatch):
    """Read little at a time, and have time for one piece only."""
    monkeypatch.setattr(lines, "PIECE", 700)
    monkeypatch.setattr(hook, "LISTENING", -1)
    monkeypatch.setattr(hook, "CATCHING_UP", -1)


def test_a_long_transcript_is_learned_from_piece_by_piece(agent, project, transcript, small_pieces):
    """Where there was no time for all of it, the next stop goes on, and skips nothing."""
    one = agent()
    for place in PLACES:
        transcript.turn(said_of(place))
    transcript.turn("x" * 3000)  # a line longer than a piece
    transcript.turn(said_of("island"))
    counts = []
    for _ in range(2 * len(PLACES)):
        stop(one, transcript)
        counts.append(len(texts(project)))
    assert counts[0] < 3
    assert counts[-1] == len(PLACES) + 1


def test_a_long_missed_session_is_caught_up_with_piece_by_piece(
    agent, project, transcript, monkeypatch
):
    monkeypatch.setattr(lines, "PIECE", 700)
    one = agent()
    one.sends("SessionStart", source="startup", transcript_path=str(transcript.path))
    for place in PLACES:
        transcript.turn(said_of(place))
    counts = []
    for number in range(len(PLACES)):
        with package.open(str(project)) as ledger:
            from varves.hosts import turn as hearing

            turns = iter([True, *[False] * 99])
            monkeypatch.setattr(hearing, "_until", lambda _, left=turns: lambda: next(left))
            hearing.catch_up(ledger.attend("claude", f"next-{number}"), limit=0)
        counts.append(len(texts(project)))
    assert counts[0] < 3
    assert counts[-1] == len(PLACES)


def test_learning_takes_no_longer_for_each_message_where_there_are_many():
    def took(count: int) -> float:
        said = [
            SessionMessage(role="user", text=f"Never touch the file of {n}.") for n in range(count)
        ]
        began = process_time()
        learnings(said)
        return process_time() - began

    took(10)
    gc.collect()
    gc.disable()  # to look through all that other tests left behind is no part of it
    try:
        assert took(800) < 8 * took(200)
    finally:
        gc.enable()


def test_the_notes_of_a_long_session_stay_readable(agent, project, transcript, monkeypatch):
    """Beyond a number of notes only what they come to is kept."""
    monkeypatch.setattr(attendance, "LIMIT", 300)
    one = agent()
    with package.open(str(project), actor="claude", session=one.session) as ledger:
        for number in range(200):
            names = tuple(f"src/{number}/{count}/{'x' * 900}.py" for count in range(4))
            written = SessionMessage(role="tool", text="", ok=True, files=names)
            ledger.attend("claude", one.session).tool(written)
    transcript.turn(SAID)
    stop(one, transcript)
    with package.open(str(project)) as ledger:
        attending = ledger.attend("claude", one.session)
        assert attending.offset(str(transcript.path)) == transcript.path.stat().st_size
    assert 0 < len(attended(project)) < 2 * attendance.LIMIT


# At once, and killed


def called(project, session, event, path, *, kill_after=None):
    """Call a hook as a process, and kill it where that is wanted."""
    sent = {"session_id": session, "cwd": str(project), "transcript_path": str(path)}
    begun = subprocess.Popen(
        [sys.executable, "-m", "varves", "hook", event, "--client", "claude"],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        _, err = begun.communicate(json.dumps(sent).encode(), timeout=kill_after or 60)
    except subprocess.TimeoutExpired:
        begun.kill()
        _, err = begun.communicate()
    assert err == b""


def test_hooks_at_once_and_killed_ones_keep_everything_once(agent, project, tmp_path):
    """Stops, an end and a compaction of two sessions; then what was killed is heard again."""
    agent()
    sessions = [Transcript(tmp_path / f"{name}.jsonl", name) for name in ("one", "two")]
    for number, talk in enumerate(sessions):
        talk.count = 1000 * number
        for place in PLACES[number * 4 : number * 4 + 4]:
            talk.turn(said_of(place))
    calls = [
        (talk, event, wait)
        for talk in sessions
        for event, wait in (
            ("Stop", None),
            ("Stop", 0.12),
            ("PreCompact", 0.18),
            ("SessionEnd", None),
        )
    ]
    with ThreadPoolExecutor(len(calls)) as pool:
        waiting = [
            pool.submit(called, project, talk.session, event, talk.path, kill_after=wait)
            for talk, event, wait in calls
        ]
        for one in waiting:
            one.result()
    for talk in sessions:
        stop(agent(session=talk.session), talk)
    assert sorted(texts(project)) == sorted(said_of(place)[14:] for place in PLACES)
    with package.open(str(project)) as ledger:
        recorded = [event.data["memory"] for event in ledger.log(kind=("memory.recorded",))]
        assert len(recorded) == len(set(recorded))
        assert ledger.verify().ok


# An index that is far behind

HASTY = """
import sys
from varves.hosts import hook
hook.BEHIND = 1000
sys.exit(hook.run(["UserPromptSubmit", "--client", "claude"], alone=True))
"""


def test_an_index_that_is_far_behind_is_made_beside_the_hooks(agent, cli, project, hook_log):
    agent()
    for place in PLACES:
        cli("remember", said_of(place))
    for path in local_of(project).glob("index.sqlite*"):
        path.unlink()
    sent = {"session_id": "s", "cwd": str(project), "prompt": "the database of the attic"}

    def ask() -> bytes:
        return subprocess.run(
            [sys.executable, "-c", HASTY],
            cwd=project,
            input=json.dumps(sent).encode(),
            capture_output=True,
            check=True,
        ).stdout

    assert ask() == b""
    assert "far behind" in hook_log()[0]
    mark = project / ".varves" / "local" / "index.making"
    until = monotonic() + 120
    while mark.exists() and monotonic() < until:
        sleep(0.05)
    assert b"attic" in ask()


@pytest.mark.parametrize("left", ["long ago", "by a branch"])
def test_while_it_is_made_hooks_say_nothing_and_a_mark_left_behind_is_not_believed(
    agent, cli, project, left
):
    one = agent()
    cli("remember", SAID)
    mark = project / ".varves" / "local" / "index.making"
    mark.touch(0o600)
    assert one.asks("what is the staging database called?") == ""
    if left == "long ago":
        os.utime(mark, (1, 1))
    else:
        mark.chmod(0o644)
    assert HERON in one.asks("what is the staging database called?")

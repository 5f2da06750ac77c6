"""Whole sessions: what is taken back, what is chosen by a letter, and every client's own form."""

from __future__ import annotations

import os

import pytest

from benchmarks import capturing
from varves.capture.learnings import learnings
from varves.hosts.transcripts import read
from varves.values.signals import SessionMessage

CLIENTS = os.path.join(capturing.FOLDER, "clients")


def talk(*lines: str) -> list[SessionMessage]:
    roles = {"U": "user", "A": "assistant"}
    return [SessionMessage(role=roles[line[0]], text=line[2:]) for line in lines]


def texts(messages: list[SessionMessage], **options: int) -> list[str]:
    return [one.text for one in learnings(messages, **options)]


def test_a_decision_that_is_taken_back_does_not_count():
    said = talk(
        "U we decided to use mongo for the catalogue", "A ok", "U scrap mongo, too much work"
    )
    assert texts(said[:2]) == ["we decided to use mongo for the catalogue"]
    assert texts(said) == []


def test_the_later_decision_counts():
    said = talk(
        "U we're going with mongo for the catalogue",
        "A Done.",
        "U forget mongo. we're going with postgres for the catalogue",
    )
    assert texts(said) == ["we're going with postgres for the catalogue"]


OFFER = "A Two ways: (a) expire the keys, or (b) the importer empties the store when it is done."


def test_a_letter_is_put_into_words_by_the_agent():
    said = talk(
        "U what then?", OFFER, "U b", "A Then the importer empties the store when it is done."
    )
    (one,) = learnings(said)
    assert (one.kind, one.by, one.message_index) == ("decision", "agent", 3)
    assert one.text == "the importer empties the store when it is done."


@pytest.mark.parametrize(
    "said",
    [
        talk("U what then?", OFFER, "U hm", "A Then the importer empties the store when done."),
        talk(
            "U what then?", "A I would empty it.", "U b", "A Then the importer empties the store."
        ),
        talk("U what then?", OFFER, "U b", "A Then I'll make the importer empty the store."),
        talk("U what then?", OFFER, "U b", "A On it."),
    ],
)
def test_what_nobody_chose_or_put_into_words_is_no_decision(said):
    assert learnings(said) == []


def test_what_was_read_before_only_helps_to_understand():
    said = talk(
        "U what then?", OFFER, "U b", "A Then the importer empties the store when it is done."
    )
    first = talk("U never commit directly to main", "A ok")
    assert len(texts([*first, *said])) == 2
    assert texts([*first, *said], turn_start=len(first)) == [
        "the importer empties the store when it is done."
    ]


def test_the_same_said_twice_is_one_learning():
    said = talk("U never commit directly to main", "A ok", "U Never commit directly to main!")
    assert len(texts(said)) == 1


@pytest.mark.parametrize(
    ("client", "path", "name"),
    [
        ("codex", "codex/rollout-2026-03-03T09-00-00-{}.jsonl", "03-rust-linker-error"),
        ("gemini", "gemini/session-{}.jsonl", "19-spanish-node"),
        ("gemini", "gemini/session-{}.jsonl", "41-hook-context-gemini"),
    ],
)
def test_a_clients_own_record_of_a_session_gives_the_same_learnings(client, path, name):
    messages, _ = read(client, os.path.join(CLIENTS, path.format(name)), 0)
    plain = capturing.session(name).messages
    assert [one.role for one in messages] == [one.role for one in plain]
    expected = [(one.kind, one.text, one.message_index) for one in learnings(plain)]
    assert [(one.kind, one.text, one.message_index) for one in learnings(messages)] == expected


@pytest.mark.parametrize(
    "said",
    [
        talk("U we decided to use Kafka. No wait, we did not decide that yet."),
        talk("U we decided to use Kafka, scratch that"),
        talk("U always use tabs in the api. Scratch that."),
        talk("U we decided to use Kafka.", "A ok", "U Actually no. Scratch that."),
        talk("U we decided to use Rabbit.", "A ok", "U scratch that, we have not decided on it"),
        talk("U we decided to use Pulsar", "A ok", "U forget what I said about Pulsar"),
        talk("U we decided to use Pulsar", "A ok", "U forget what I said"),
        talk("U always use tabs in the api", "A ok", "U hi", "A hi", "U forget that rule"),
        talk("U we decided to use uv for all", "A ok", "U we changed our mind about uv"),
        talk("U remember that Anna owns billing", "A ok", "U I take that back"),
    ],
)
def test_what_is_taken_back_in_the_session_does_not_count(said):
    assert texts(said) == []


def test_a_no_between_two_statements_about_one_thing_takes_the_first_back():
    said = talk("U We always ship on Mondays. No. We always ship on Tuesdays.")
    assert texts(said) == ["We always ship on Tuesdays."]
    kept = talk("U always squash merges in the api. No. 4 in the list says why.")
    assert len(texts(kept)) == 1


@pytest.mark.parametrize(
    "later",
    [
        "don't forget about the Pulsar tests",
        "should we scrap Pulsar?",
        "maybe we scrap Pulsar",
        "we have not decided on a colour",
        "forget that test",
        "undo the last edit",
        "scratch the Pulsar section in the docs",
        "forget that Pulsar is slow, it works",
        "remove the Pulsar mock from the tests",
        "it does not work with Pulsar",
        "the consumer must not forget Pulsar offsets",
    ],
)
def test_what_only_sounds_like_a_retraction_takes_nothing_back(later):
    said = talk("U we decided to use Pulsar for events", "A ok", f"U {later}")
    assert texts(said) == ["we decided to use Pulsar for events"]


def test_a_later_decision_remains_alone():
    said = talk(
        "U we decided to use Celery for jobs",
        "A ok",
        "U we decided against Celery for jobs, we go with RQ",
    )
    assert texts(said) == ["we decided against Celery for jobs, we go with RQ"]


def test_what_is_said_instead_is_kept_without_the_retraction():
    said = talk("U we decided to use Kafka. scratch that, we go with Rabbit for events")
    assert texts(said) == ["we go with Rabbit for events"]

"""Talking in a conversation: who may speak, what is refused, what a crash or a crowd leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import full_size
from tests.places import forget_local, local_of
from tests.tables import each_row
from varves.protocols.deliberation.saved_state import to_json

SPEAKER = Path(__file__).with_name("speaker.py")
EACH = 8
MANY = 145_000 if full_size() else 30_000  # sentences of a long message


def test_an_empty_message_is_refused(talk, varves):
    talk.begin()
    for text in ("", "   \n"):
        answer = varves("deliberation", "say", "ada", text)
        assert (answer.code, answer.out) == (3, "")
        assert len(answer.err.strip().splitlines()) == 1
    assert talk.verbs.stats().total_messages == 0


def test_an_unknown_agent_is_refused_and_told_who_there_is(talk, varves):
    talk.begin(agents=("ada", "ben"))
    answer = varves("deliberation", "say", "eve", "Hello there.")

    assert (answer.code, answer.out) == (3, "")
    assert "ada, ben" in answer.err
    assert talk.verbs.stats().total_messages == 0
    assert talk.say("ben", "Hello there.").index == 0


def test_without_a_list_anybody_may_speak(talk):
    talk.begin()

    assert talk.say("Eve Example", "Hello there.").agent == "Eve Example"


def test_a_long_message_is_kept_whole(talk):
    text = "We decided on 'the store': Redis. " + "All of it counts, to the last word. " * MANY
    assert len(text) > 1_000_000
    talk.begin()

    said = talk.say("ada", text)
    talk.again()

    [message] = talk.verbs.messages()
    assert message.content == text
    assert next(one.kind for one in said.found) == "decision"
    [event] = talk.events("message.posted")
    assert "text" not in event.data
    assert event.data["blob"]["bytes"] == len(text)
    longest = max(
        len(line)
        for path in (talk.root / ".git/varves/private").rglob("*.jsonl")
        for line in path.read_bytes().splitlines()
    )
    assert longest < 300_000
    talk.fill(11)
    name = talk.file()["summaries"][0]["id"]
    assert talk.verbs.show(name).messages[0].content == text


@each_row("name", ["../evil", "/etc/evil", "a\0b", "con", "a/b", ".hidden", "x" * 200])
def test_a_name_cannot_leave_its_folder(talk, name):
    with pytest.raises(Exception, match=r"unsafe|empty or contains") as fault:
        talk.begin(name)

    assert fault.value.exit in (2, 3)
    assert not (talk.root / "deliberations").exists()


def test_a_name_is_taken_once(talk):
    talk.begin("Talk")

    with pytest.raises(Exception, match="there is already a conversation") as fault:
        talk.begin("talk")

    assert fault.value.exit == 3


def test_without_a_name_it_is_the_date(talk):
    names = [talk.verbs.begin().conversation for _ in range(3)]

    assert names == ["2026-01-01", "2026-01-01-2", "2026-01-01-3"]


def test_the_conversation_at_work_is_the_last_begun_or_the_session(talk):
    talk.begin("first")
    talk.begin("second")
    assert talk.say("ada", "Hello there.").conversation == "second"

    talk.again(session="first")
    assert talk.say("ada", "Hello there.").conversation == "first"
    talk.again(session="nowhere")
    with pytest.raises(Exception, match="no conversation 'nowhere'") as fault:
        talk.say("ada", "Hello there.")
    assert fault.value.exit == 4


@pytest.mark.parametrize("reply", ["1", "7", "evt_" + "0" * 26])
def test_an_answer_to_no_message_is_not_found(talk, reply):
    talk.hold(("ada", "Hello there."))

    with pytest.raises(Exception, match="no message") as fault:
        talk.say("ben", "I agree.", reply_to=reply)

    assert fault.value.exit == 4
    assert talk.verbs.stats().total_messages == 1


def test_a_message_is_answered_by_its_number_or_its_id(talk):
    first, *_ = talk.hold(("ada", "I propose a nightly backup."), ("ben", "The sky is blue."))

    talk.say("ben", "I agree.", reply_to="0")
    talk.say("noa", "I disagree.", reply_to=first.event)

    assert talk.file()["proposals"][0]["reactions"] == [
        {"agentId": "ben", "reaction": "support"},
        {"agentId": "noa", "reaction": "oppose"},
    ]


def test_a_secret_is_masked_before_anybody_reads_it(talk):
    secret = "ghp_" + "a1B2" * 9
    said = talk.hold(("ada", f"We decided on 'the key': {secret}."))[0]

    assert said.redacted
    assert secret not in talk.path().read_text(encoding="utf-8")
    assert not any(secret in json.dumps(event.as_dict()) for event in talk.ledger.log())


def test_a_talk_is_private_to_this_clone(talk):
    talk.hold(("ada", "We decided that sessions live in Redis."))
    talk.verbs.propose("ben", "a nightly backup")

    status = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=talk.root,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert {event.log for event in talk.ledger.log()} == {"private"}
    assert "deliberations" not in status.stdout
    assert (talk.root / "deliberations/.gitignore").read_text(encoding="utf-8").endswith("\n*\n")
    kept = list((talk.root / ".varves").rglob("*.jsonl"))
    assert not any(b"Redis" in path.read_bytes() for path in kept)


def test_a_shared_talk_stands_in_the_projects_log(talk):
    talk.begin(shared=True)
    talk.say("ada", "We decided that sessions live in Redis.")
    talk.fill(11)

    kinds = {event.kind for event in talk.ledger.log() if event.log == "project"}

    assert {"session.started", "message.posted", "memory.recorded", "summary.created"} <= kinds
    assert {event.log for event in talk.ledger.log()} == {"project"}
    assert talk.verbs.list()[0].shared


def test_many_processes_speak_at_once_and_nothing_is_lost(talk):
    talk.begin()
    talk.close()
    agents = ("ada", "ben", "noa")
    guests = [
        subprocess.Popen(
            [sys.executable, SPEAKER, agent, str(EACH), talk.root],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for agent in agents
    ]
    said = [guest.communicate(timeout=300) for guest in guests]

    assert [err[-800:] for _, err in said] == [""] * len(agents)
    pairs = [row.split("\t") for out, _ in said for row in out.splitlines()]
    told = {int(index): text for index, text in pairs}
    assert sorted(told) == list(range(EACH * len(agents)))
    held = talk.verbs.messages(conversation="talk")
    assert {one.index: one.content for one in held} == told
    document = talk.file()
    assert sorted(one["topic"] for one in document["decisions"]) == [
        f"the part of {agent}" for agent in agents
    ]
    assert [one["messageRange"] for one in document["summaries"]] == [[0, 11], [12, 23]]
    assert {name: one["messageCount"] for name, one in document["agentStates"].items()} == (
        dict.fromkeys(agents, EACH)
    )
    assert talk.verbs.validate() == ()


def last_segment(talk):
    folder = talk.root / ".git/varves/private"
    return max(folder.rglob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("lost", [1, 2, 3])
def test_what_a_crash_cut_off_after_a_message_is_derived_again(talk, lost):
    talk.hold(
        ("ada", "I propose a nightly backup."),
        ("ben", "The sky is blue."),
        ("noa", "I propose three regions. We decided on 'the store': it is Redis."),
    )
    before = talk.file()
    kinds = [event.kind for event in talk.ledger.log()][-3:]
    assert sorted(kinds) == ["memory.recorded", "proposal.raised", "stance.changed"]
    talk.close()
    segment = last_segment(talk)
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join(lines[:-lost]))
    for path in local_of(talk.root).iterdir():
        if path.is_file():
            path.unlink()

    talk.path().unlink()
    talk.say("ben", "Where were we?")
    after = talk.file()

    for key in ("topic", "outcome", "supportingAgents", "timestamp"):
        assert [one[key] for one in after["decisions"]] == [one[key] for one in before["decisions"]]
    for key in ("content", "proposer", "timestamp"):
        assert [one[key] for one in after["proposals"]] == [one[key] for one in before["proposals"]]
    assert after["agentStates"]["noa"] == before["agentStates"]["noa"]
    events = len(talk.ledger.log())
    talk.say("ben", "The sky is blue.")
    assert len(talk.ledger.log()) == events + 1


def test_a_rebuild_and_a_lost_index_change_no_byte(talk):
    talk.settings(
        "summary_interval = 4\nkeep_summaries = 2\nkeep_proposals = 2\nkeep_decisions = 2"
    )
    talk.begin()
    for number in range(9):
        talk.say("ada", f"I propose plan number {number} for team {number * 7}.")
        talk.say("ben", f"We decided on 'topic {number}': outcome {number}.")
    talk.verbs.resolve(talk.file()["proposals"][0]["id"], "rejected")
    whole = talk.path().read_bytes()

    talk.ledger.rebuild()
    assert talk.path().read_bytes() == whole

    talk.close()
    forget_local(talk.root)
    assert to_json(talk.verbs.state()) == json.loads(whole)
    talk.path().unlink()
    talk.verbs.save()
    assert talk.path().read_bytes() == whole


def test_conversations_do_not_see_each_other(talk):
    talk.hold(("ada", "We decided that sessions live in Redis."), name="first")
    talk.hold(("ben", "I propose a nightly backup."), name="second")

    assert "backup" not in talk.context(conversation="first")
    assert "Redis" not in talk.context(conversation="second")
    assert talk.verbs.stats(conversation="first").agent_count == 1


UNKNOWN = (
    "mem_nowhere12345",
    "nine",
    "-2",
    "7",
    "msg-of-elsewhere",
    "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV",
)


@each_row(("given",), [(given,) for given in UNKNOWN])
def test_a_reply_to_a_message_that_is_not_there_is_refused(talk, varves, given):
    if not talk.verbs.list():
        talk.hold(("ada", "I propose a nightly copy"))
    answer = varves("deliberation", "say", "ben", "I agree", "--reply-to", given)
    assert (answer.code, answer.out) == (4, "")
    assert f"has no message '{given}'" in answer.err
    assert talk.verbs.state().proposals[0].reactions == ()


def test_a_reply_may_name_a_message_by_the_id_it_came_with_and_a_record(talk):
    talk.begin()
    talk.say("ada", "I propose a nightly copy", id="first")
    talk.fill(13)
    for agent, reply in (("ben", "first"), ("eve", talk.verbs.state().proposals[0].id)):
        talk.say(agent, "I agree", reply_to=reply)
    talk.say("noa", "That was late.", id="second")
    assert talk.say("ben", "Yes.", reply_to="second").index == 17
    sides = [(one.agent_id, one.reaction) for one in talk.verbs.state().proposals[0].reactions]
    assert sides == [("ben", "support"), ("eve", "support")]


def test_what_is_empty_is_named(talk, varves):
    talk.begin()
    for words, what in (
        (("decide", "", "x"), "a decision needs a topic"),
        (("decide", "x", " "), "a decision needs an outcome"),
        (("propose", "ada", ""), "a proposal needs a text"),
    ):
        answer = varves("deliberation", *words)
        assert (answer.code, answer.err) == (3, f"varves: {what}; it cannot be empty\n")

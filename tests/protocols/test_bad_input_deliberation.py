"""Bad input to a deliberation: one clear line, a fixed exit code, and every byte as it was."""

from __future__ import annotations

import json

import pytest

from tests.protocols.test_bad_input import LARGE, assert_refused, seal
from tests.protocols.test_bad_input_layers import assert_told_both_ways, everything

__all__ = ["seal"]

TALK = "deliberation"
NEW = (TALK, "new", "sessions", "--agents", "ada,ben")
SAY = (TALK, "say", "ada")
STATE = "deliberations/sessions/memory.json"
NOBODY = "mem_4k2m9x7q1c5d"


@pytest.fixture
def store(project, home, cli):
    """Give a project in which a conversation has come to a proposal and a decision."""
    assert cli(*NEW).code == 0
    assert cli(*SAY, "I propose that sessions live in Redis").code == 0
    assert cli(TALK, "say", "ben", "We've decided on the port: it is 8080").code == 0
    assert cli(TALK, "save").code == 0
    before = everything(project, home)
    assert str(project / STATE) in before
    return before


@pytest.fixture
def proposal(store, cli):
    """Give the id of the proposal."""
    (one,) = cli(TALK, "show", "--json").json["proposals"]
    return one["id"]


RULES = {
    "empty message": (*SAY, ""),
    "blank message": (*SAY, " \n\t "),
    "somebody else speaks": (TALK, "say", "noa", "I was not asked"),
    "nobody speaks": (TALK, "say", "", "hello"),
    "unknown type": (*SAY, "hello", "--type", "song"),
    "not an instant": (*SAY, "hello", "--at", "soon"),
    "blank topic": (TALK, "decide", " ", "Sessions live in Redis"),
    "blank outcome": (TALK, "decide", "sessions", " "),
    "decided by somebody else": (TALK, "decide", "sessions", "x", "--agent", "noa"),
    "supported by somebody else": (TALK, "decide", "sessions", "x", "--support", "noa"),
    "blank proposal": (TALK, "propose", "ada", ""),
    "proposed by somebody else": (TALK, "propose", "noa", "x"),
    "negative budget": (TALK, "context", "--budget=-1"),
    "message before the first": (TALK, "context", "--message=-1"),
    "unknown extractor": (TALK, "new", "other", "--extractor", "magic"),
    "unknown extractor of a replay": (TALK, "replay", "-", "--extractor", "magic"),
    "name that is a path": (TALK, "new", "../evil"),
    "reserved name": (TALK, "new", "CON"),
    "empty name": (TALK, "new", ""),
    "agents that are none": (TALK, "new", "other", "--agents", ",,"),
    "same name twice": (TALK, "new", "sessions", "--topic", "another one"),
    "restored under a path": (TALK, "restore", STATE, "--name", "../evil"),
    "saved into the log": (TALK, "save", "--to", ".varves/format.json"),
    "no such file": (TALK, "replay", "nowhere.md"),
    "a folder": (TALK, "replay", "."),
    "no model": (TALK, "summarise", "--model"),
}
MISSING = {
    "conversation to say": (*SAY, "hello", "--conversation", "other"),
    "conversation to tell": (TALK, "context", "--conversation", "other"),
    "conversation to brief": (TALK, "brief", "--conversation", "other"),
    "conversation to count": (TALK, "stats", "--conversation", "other"),
    "conversation to save": (TALK, "save", "--conversation", "other"),
    "conversation to summarise": (TALK, "summarise", "--conversation", "other"),
    "conversation to show": (TALK, "show", "--conversation", "other"),
    "part": (TALK, "show", NOBODY),
    "proposal to react to": (TALK, "react", "ada", NOBODY, "support"),
    "proposal to resolve": (TALK, "resolve", NOBODY, "accepted"),
    "decision to replace": (TALK, "decide", "sessions", "x", "--replaces", NOBODY),
    "proposal that is decided": (TALK, "decide", "sessions", "x", "--resolves", NOBODY),
    "message that is answered": (*SAY, "hello", "--reply-to", "99"),
}


def test_what_breaks_a_rule_is_refused_and_nothing_is_written(store, cli, project, home):
    for case, argv in RULES.items():
        assert_told_both_ways(cli, argv, (2, 3))
        assert everything(project, home) == store, case
    assert not list(project.parent.rglob("*evil*"))


def test_what_is_not_there_is_not_found(store, cli, project, home):
    for case, argv in MISSING.items():
        assert_told_both_ways(cli, argv, (4,))
        assert everything(project, home) == store, case


def test_a_bad_reaction_status_or_agent_is_refused(proposal, store, cli, project, home):
    for argv in (
        ("react", "ben", proposal, "maybe"),
        ("react", "noa", proposal, "support"),
        ("resolve", proposal, "perhaps"),
        ("resolve", proposal, "modified", "--successor", proposal),
    ):
        assert_told_both_ways(cli, (TALK, *argv), (2, 3))
        assert everything(project, home) == store, argv


def test_a_decision_is_no_proposal(store, cli, project, home):
    (decision,) = cli(TALK, "show", "--json").json["decisions"]
    for argv in (
        ("react", "ben", decision["id"], "support"),
        ("resolve", decision["id"], "accepted"),
    ):
        assert_told_both_ways(cli, (TALK, *argv), (3, 4))
        assert everything(project, home) == store, argv


def test_where_nothing_is_yet_a_refusal_makes_nothing(cli, project, home):
    begun = {"same name twice", "unknown type"}
    for case, argv in {**RULES, **MISSING}.items():
        if case not in begun:
            assert_refused(cli(*argv), (2, 3, 4))
            assert everything(project, home) == {}, case
            assert [path.name for path in project.iterdir()] == [".git"], case


@pytest.mark.parametrize(
    "argv",
    [(*SAY, "hello"), (TALK, "context"), (TALK, "brief"), (TALK, "stats"), (TALK, "save")],
    ids=lambda argv: argv[1],
)
def test_without_a_conversation_there_is_nothing_to_do(argv, cli, project, home):
    assert_refused(cli(*argv), (3, 4))
    assert everything(project, home) == {}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "argv",
    [(*SAY, "-"), (TALK, "propose", "ada", "-"), (TALK, "decide", "port", "-")],
    ids=lambda argv: argv[1],
)
def test_stdin_that_is_not_utf8_or_too_long_is_refused(argv, store, cli, project, home):
    assert_refused(cli(*argv, stdin=b"caf\xe9"), (2,))
    assert_refused(cli(*argv, stdin=LARGE), (3,))
    assert everything(project, home) == store


def test_five_megabytes_are_kept_whole(store, cli, project):
    text = "stone upon stone, line after line.\n" * (5 * 2**20 // 35 + 1) + "I propose a wall"
    said = cli(*SAY, "-", "--json", stdin=text.encode())
    assert said.code == 0, said.err
    (one,) = [found for found in said.json["found"] if found["kind"] == "proposal"]
    assert one["text"] == "a wall"
    shown = cli(TALK, "show", one["id"], "--json").json
    assert [message["content"] for message in shown["messages"]] == [text]
    assert cli("verify", "--deep").code == 0


# Transcripts


BROKEN_LINES = {
    "not JSON": b'{"agent": "ada", "content": "hello"}\n{"agent": ',
    "a list": b'{"agent": "ada", "content": "hello"}\n[]\n',
    "text of numbers": b'{"agent": "ada", "content": 5}\n',
    "not UTF-8": b'{"agent": "ada", "content": "caf\xe9"}\n',
    "deep": b"[" * 50_000,
    "no message": b'{"type": "divider"}\n',
    "no instant": b'{"agent": "ada", "content": "hello", "ts": "soon"}\n',
    "empty": b"",
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_a_transcript_that_cannot_be_read_brings_nothing(ending, store, cli, project, home):
    path = project / f"talk.{ending}"
    for case, content in BROKEN_LINES.items():
        path.write_bytes(content)
        before = everything(project, home)
        line = assert_told_both_ways(cli, (TALK, "replay", path.name), (2, 3))
        assert path.name in line, case
        assert everything(project, home) == before, case


def test_a_speaker_who_cannot_be_recorded_stops_the_whole_transcript(store, cli, project, home):
    lines = [{"agent": name, "content": "hello"} for name in ("ada", "x" * 5000)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (project / "talk.jsonl").write_text(text, encoding="utf-8")
    before = everything(project, home)
    assert_told_both_ways(cli, (TALK, "replay", "talk.jsonl"), (2, 3))
    assert everything(project, home) == before


def test_a_reply_to_what_is_not_there_is_named_and_answers_nothing(cli, project):
    lines = [
        {"agent": "ada", "content": "I propose a wall", "id": 7},
        {"agent": "ben", "content": "I agree", "reply_to": 7},
        {"agent": "noa", "content": "I agree", "reply_to": "nowhere"},
        {"agent": "noa", "content": "I disagree", "reply_to": 99},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (project / "talk.jsonl").write_text(text, encoding="utf-8")
    said = cli(TALK, "replay", "talk.jsonl", "--extractor", "published")  # by the letter
    assert said.code == 0
    assert "(ben support)" in said.out
    assert "message 2 answers nowhere, which does not precede it" in said.err
    assert "message 3 answers 99, which does not precede it" in said.err
    posted = cli("log", "--kind", "message.posted", "--json").json["events"]
    assert [event["data"].get("reply_to") for event in posted] == [None, "id-7", None, None]


def test_minutes_in_which_nobody_speaks_bring_nothing(store, cli, project, home):
    (project / "minutes.md").write_text("# Minutes\n\n* Link: x\n", encoding="utf-8")
    before = everything(project, home)
    assert "minutes.md" in assert_told_both_ways(cli, (TALK, "replay", "minutes.md"), (3,))
    assert everything(project, home) == before


# Saved states


BROKEN_STATES = {
    "not JSON": b"{",
    "truncated": b'{"summaries": [], "decisions": [{"id": "x", "topi',
    "empty": b"",
    "a list": b"[]",
    "not UTF-8": b'{"summaries": "caf\xe9"}',
    "deep": b"[" * 50_000,
    "conflict": b"<<<<<<< HEAD\n{\n=======\n{\n>>>>>>> other\n",
}


def test_a_state_that_cannot_be_read_is_not_restored(store, cli, project, home):
    for case, content in BROKEN_STATES.items():
        (project / "memory.json").write_bytes(content)
        before = everything(project, home)
        line = assert_told_both_ways(cli, (TALK, "restore", "memory.json"), (2, 3, 5))
        assert "memory.json" in line, case
        assert everything(project, home) == before, case
    assert_told_both_ways(cli, (TALK, "restore", "nowhere.json"), (2, 4))


def test_a_saved_state_that_cannot_be_read_is_never_written_over(store, cli, project):
    for case, content in BROKEN_STATES.items():
        (project / STATE).write_bytes(content)
        said = cli(TALK, "save")
        assert "Traceback" not in said.err, case
        assert (project / STATE).read_bytes() == content, case
        found = cli(TALK, "validate", "--json")
        assert (found.code, STATE in found.out) == (1, True), case
    (project / STATE).write_bytes(store[str(project / STATE)])
    assert cli(TALK, "save").code == 0


def test_a_link_is_not_written_through(store, cli, project, tmp_path):
    outside = tmp_path / "outside.json"
    (project / STATE).rename(outside)
    (project / STATE).symlink_to(outside)
    kept = outside.read_bytes()
    cli(*SAY, "hello")
    said = cli(TALK, "save")
    assert "Traceback" not in said.err
    assert outside.read_bytes() == kept


def test_a_folder_that_is_a_link_is_not_written_through(cli, project, home, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (project / "deliberations").symlink_to(outside)
    cli(*NEW)
    said = cli(TALK, "save")
    assert "Traceback" not in said.err
    assert list(outside.iterdir()) == []


# Settings


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize(
    "line",
    [
        "summary_interval = 0",
        'summary_interval = "often"',
        "keep_messages = true",
        "likeness = 2.0",
        'extractor = "magic"',
        "decision_patterns = ['(unclosed']",
        "proposal_patterns = ['x*']",
        "support_patterns = 'aye'",
        'folder = "../outside"',
    ],
)
def test_a_setting_that_makes_no_sense_is_named(line, store, cli, project, home):
    path = project / ".varves/settings.toml"
    path.write_text(f"[deliberation]\n{line}\n", encoding="utf-8")
    before = everything(project, home)
    for argv in ((*SAY, "hello"), (TALK, "context"), (TALK, "new", "other")):
        assert line.split()[0] in assert_told_both_ways(cli, argv, (3, 5))
        assert everything(project, home) == before


def test_after_a_refusal_the_conversation_goes_on(store, cli):
    assert cli(*SAY, " ").code == 3
    said = cli(*SAY, "Then let us go on", "--json")
    assert (said.code, said.json["index"]) == (0, 2)
    assert json.loads(cli(TALK, "validate", "--json").out)["ok"]
    assert cli("verify", "--deep").code == 0

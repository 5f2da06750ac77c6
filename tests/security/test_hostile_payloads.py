"""What reaches a hook is not to be believed: neither where a transcript lies nor what is in it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.consenting import write_settings
from tests.hosts.conftest import Agent, agent, hook_log, own_environment, records
from tests.hosts.test_learning import HERON, SAID, Transcript
from tests.noted import attended
from varves.hosts.signals import clean, parse
from varves.values.text import count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["agent", "hook_log", "own_environment"]

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
MOMENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd")
HELD = (
    "We decided to use Postgres for the ledger store.",
    "Always run make lint before a commit.",
    "Never push to main on a Friday.",
)


def tree(folder: Path) -> dict[str, bytes]:
    """Return every plain file below a folder, git's own left out."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path): path.read_bytes() for path in found}


def all_moments(one: Agent, **sent: Any) -> None:
    for event in MOMENTS:
        one.sends(event, **sent)


def kept(project: Path) -> list[str]:
    with varves.open(str(project)) as ledger:
        return [memory.text for memory in ledger.list(status="all", tag="captured")]


# Where a transcript lies


def places(folder: Path) -> dict[str, str]:
    """Lay out what is no transcript of the session at hand."""
    os.mkfifo(folder / "pipe")
    with (folder / "sparse").open("wb") as file:
        file.truncate(5 << 30)
    other = Transcript(folder / "other.jsonl", "somebody-else")
    other.turn(SAID)
    nobody = Transcript(folder / "nobody.jsonl", "")
    nobody.turn(SAID)
    (folder / "link").symlink_to(other.path)
    (folder / "loop").symlink_to(folder / "loop")
    named = ("pipe", "sparse", "other.jsonl", "nobody.jsonl", "link", "loop", "gone", ".")
    strange = ("/etc/passwd", "/dev/zero", "/dev/tty", "/proc/self/mem", "\0", "x" * 1_000_000)
    return {name[:12]: str(folder / name) for name in named} | {name[:12]: name for name in strange}


def test_nothing_is_learned_from_what_is_no_transcript_of_the_session(
    agent: Callable[..., Agent], project: Path, tmp_path: Path
) -> None:
    one = agent()
    for path in places(tmp_path).values():
        all_moments(one, transcript_path=path, agent_transcript_path=path, reason="x", source="x")
    agent(session="next").sends("SessionStart", source="startup")
    assert kept(project) == []
    assert 0 < sum(len(str(note)) for note in attended(project)) < 20_000


@pytest.mark.parametrize("client", ["codex", "gemini", "copilot"])
def test_every_clients_transcript_names_its_session(
    client: str, agent: Callable[..., Agent], project: Path, tmp_path: Path
) -> None:
    """As they were seen to be written: nothing is learned where another session is named."""
    head, said = {
        "codex": (
            {"type": "session_meta", "payload": {"id": "NAME"}},
            {
                "type": "response_item",
                "payload": {"type": "message", "role": "user", "content": SAID},
            },
        ),
        "gemini": ({"sessionId": "NAME", "kind": "main"}, {"type": "user", "content": SAID}),
        "copilot": (
            {"type": "session.start", "data": {"sessionId": "NAME"}},
            {"type": "user.message", "data": {"content": SAID}},
        ),
    }[client]
    stop = {"codex": "Stop", "gemini": "AfterAgent", "copilot": "agentStop"}[client]
    path = tmp_path / "transcript.jsonl"
    for name in ("another", "mine"):
        lines = [json.dumps(head).replace("NAME", name), json.dumps(said)]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        one = agent(client, session="mine")
        one.sends(stop, transcript_path=str(path))
        assert len(kept(project)) == (name == "mine")


# What stands in a payload


@pytest.mark.parametrize("part", ["{}", "[]", '{"":0}'])
def test_a_payload_of_very_many_parts_is_not_taken_apart(part: str) -> None:
    with pytest.raises(varves.errors.UsageError, match="too many parts"):
        parse(f"[{','.join([part] * 260_000)}]".encode())


@pytest.mark.parametrize(
    "raw",
    [
        b'{"session_id":"s","session_id":["x"],"prompt":"a","prompt":{"b":1}}',
        b'{"session_id":"\\ud800","cwd":"\\udfff","prompt":"\\ud83d"}',
        b'{"session_id":9e999,"cwd":null,"prompt":NaN,"transcript_path":[[]]}',
        b'{"prompt":"' + b"\xff\xfe" + b'"}',
        b'{"tool_name":{},"tool_input":"{\\"a\\":","tool_response":[{}],"prompt":' + b"[" * 9000,
    ],
)
def test_a_payload_that_makes_no_sense_says_and_makes_nothing(
    raw: bytes, cli: Callable[..., Any], project: Path
) -> None:
    for event in MOMENTS:
        said = cli("hook", event, stdin=raw)
        assert (said.code, said.out, said.err) == (0, "", "")
    assert os.listdir(project) == [".git"]


def test_two_sessions_stay_two_whatever_they_are_called() -> None:
    names = ("a/b", "a-b", "a\0b", "..", ".", "-", "x" * 200, "x" * 201, "ä", "ö")
    assert len({clean(name) for name in names}) == len(names)
    assert all(clean(name).strip(".") and len(clean(name)) <= 100 for name in names)


def test_without_a_ledger_nothing_is_made_anywhere(
    cli: Callable[..., Any], project: Path, home: Path, tmp_path: Path
) -> None:
    transcript = Transcript(tmp_path / "t.jsonl", "s")
    transcript.turn(SAID)
    before = tree(project) | tree(home)
    call = {"tool_name": "Edit", "tool_input": {"file_path": "a.py"}, "prompt": "which database"}
    all_moments(Agent(cli, project, "claude", "s"), transcript_path=str(transcript.path), **call)
    assert tree(project) | tree(home) == before


# Secrets


def test_no_secret_reaches_the_disk(
    agent: Callable[..., Agent], project: Path, home: Path, tmp_path: Path
) -> None:
    """Whole, or cut where a text is cut."""
    one = agent()
    transcript = Transcript(tmp_path / "t.jsonl", one.session)
    long = "x" * 370
    where = {"transcript_path": str(transcript.path), "cwd": str(project)}
    one.sends("SessionStart", source=SECRET, **where)
    one.sends("UserPromptSubmit", prompt=f"Remember that the token is {SECRET}.", **where)
    for said in (SECRET, f"{long} {SECRET}", f"{'y ' * 190}{SECRET}"):
        failed = {"stderr": said, "exit_code": 1}
        call = {"command": f"deploy --token {SECRET} {said}"}
        one.sends("PostToolUse", tool_name="Bash", tool_input=call, tool_response=failed)
        one.sends("PostToolUseFailure", tool_name="Bash", tool_input=call, error=said)
    written = {"file_path": f"{project}/{SECRET}.txt"}
    one.sends("PostToolUse", tool_name="Write", tool_input=written, tool_response={})
    transcript.turn(f"Remember that the token is {SECRET}.", f"We decided: {SECRET} it is.")
    transcript.turn(f"Please deploy with {' ' * 1180}{SECRET}")
    one.sends("Stop", last_assistant_message=f"I used {SECRET}.", **where)
    one.sends("PreCompact", trigger="auto", **where)
    one.sends("SessionEnd", reason=SECRET, **where)
    one.sends(f"Event {SECRET}", prompt=SECRET)
    for path, content in (tree(project) | tree(home)).items():
        assert SECRET[:16].encode() not in content, path


# Memory never feeds on itself


def wrapped(told: str) -> list[str]:
    """Return what was told as it comes back: by hosts, by a paste, damaged or quoted."""
    lines = [line for line in told.split("\n") if line[:1] == "{"]
    return [
        told,
        f"<system-reminder>\nSessionStart hook additional context: {told}\n</system-reminder>",
        f"<hook_context>{told.replace('<', '&lt;').replace('>', '&gt;')}</hook_context>",
        f"UserPromptSubmit hook success: {told}",
        f"Look at what you were told:\n{told}\nIs that right?",
        "\n".join(told.split("\n")[1:]),
        "\n".join(told.split("\n")[:-1]),
        "\n".join(lines),
        lines[0],
        json.dumps({"additionalContext": told}),
        json.dumps({"memories": [json.loads(line) for line in lines]}),
        "\n".join(f"- {record['text']}" for record in records(told)),
        "\n".join(record["text"] for record in records(told)),
    ]


def test_what_was_told_is_never_learned(
    agent: Callable[..., Agent], cli: Callable[..., Any], project: Path, tmp_path: Path
) -> None:
    """As the user's words, as the agent's, and as a tool's; of the project and of all projects."""
    one = agent()
    for text in HELD:
        assert cli("remember", text).code == 0
    assert cli("remember", "I prefer short answers without lists.", "--scope", "global").code == 0
    told = one.told("SessionStart", source="startup")
    assert len(records(told)) == 4
    transcript = Transcript(tmp_path / "t.jsonl", one.session)
    for text in wrapped(told):
        transcript.add("user", text)
        transcript.add("user", "", message={"role": "user", "content": [_result(text)]})
        transcript.add("assistant", text)
        transcript.add("assistant", "Which one? a) Postgres b) SQLite")
        transcript.turn("a", f"Agreed: {HELD[0]}")
        transcript.turn("b", f"Then {HELD[1]}")
        one.sends("Stop", transcript_path=str(transcript.path), last_assistant_message=text)
        assert kept(project) == [], text


def _result(text: str) -> dict[str, str]:
    return {"type": "tool_result", "tool_use_id": "t", "content": text}


def test_codex_writes_what_it_was_told_as_a_developers_message(
    agent: Callable[..., Agent], project: Path, tmp_path: Path
) -> None:
    one = agent("codex", session="mine")
    roles = [("developer", HELD[0]), ("user", f"<environment_context>{HELD[1]}"), ("system", SAID)]
    lines: list[dict[str, Any]] = [{"type": "session_meta", "payload": {"id": "mine"}}]
    lines += [
        {"type": "response_item", "payload": {"type": "message", "role": role, "content": text}}
        for role, text in roles
    ]
    path = tmp_path / "rollout-1.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    one.sends("Stop", transcript_path=str(path))
    assert kept(project) == []


# Budgets


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "filler", ["\N{ROCKET}\N{FIRE} ", "\u8a18\u61b6\u306e\u8a2d\u5b9a ", "deploy step "]
)
def test_every_moment_stays_within_both_budgets(
    filler: str, agent: Callable[..., Agent], project: Path
) -> None:
    """With three protocols on and more critical memories than there is room for."""
    one = agent()
    settings = '[hooks]\nprotocols = ["scoped", "hivemind", "deliberation"]\n'
    write_settings(project, settings)
    with varves.open(str(project), actor="DEV-001") as ledger:
        texts = [f"deploy to staging {number} {filler * (number % 40)}" for number in range(60)]
        ledger.remember_many([{"text": text, "priority": "critical"} for text in texts])
        for text in texts[:15]:
            ledger.scoped.write("project", type="convention", content=f"scoped {text}")
            ledger.hivemind.write(f"hive {text}", type="factual", tags=["deploy"], priority="high")
    said = [one.told("SessionStart", source="startup")]
    said += [one.asks(f"how do we deploy to staging, part {number}?") for number in range(3)]
    said += [one.told("SessionStart", source="compact")]
    assert all(said[:2])
    for told in said:
        assert len(told) <= 10_000
        assert count_tokens(told) <= 2500


# Corrections


def test_what_was_corrected_in_a_later_session_does_not_come_back(
    agent: Callable[..., Agent], cli: Callable[..., Any], project: Path, tmp_path: Path
) -> None:
    first = agent(session="first")
    said = Transcript(tmp_path / "a.jsonl", "first")
    said.turn(SAID)
    first.sends("Stop", transcript_path=str(said.path))
    second = agent(session="second")
    second.sends("SessionStart", source="startup")
    later = Transcript(tmp_path / "b.jsonl", "second")
    later.count = 50
    later.turn("Remember that the staging database is called egret, not heron.")
    second.sends("Stop", transcript_path=str(later.path))
    third = agent(session="third")
    told = third.told("SessionStart", source="startup")
    told += third.asks("What is the staging database called?")
    texts = [record["text"] for part in told.split("</varves") for record in _records(part)]
    assert any("egret" in text for text in texts)
    assert not [text for text in texts if HERON in text and "egret" not in text]
    said.path.write_bytes(said.path.read_bytes() + said.path.read_bytes())
    first.sends("Stop", transcript_path=str(said.path))
    told = agent(session="fourth").asks("What is the staging database called?")
    assert not [one for one in records(told) if HERON in one["text"] and "egret" not in one["text"]]


def _records(part: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in part.split("\n") if line[:1] == "{"]

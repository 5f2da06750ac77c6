"""Transcripts in the clients' own forms: shaped as recordings of the real clients are."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from tests.tables import each_row
from varves.hosts.transcripts import lines, read

if TYPE_CHECKING:
    from pathlib import Path

    from varves.values.signals import SessionMessage

ASKED = "Remember that the staging database listens on port 6543."
PATCH = (
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: config.py\n-a\n+b\n*** End Patch\nEOF"
)


def written(path: Path, records: list[Any]) -> str:
    path.write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in records))
    return str(path)


def told(messages: tuple[SessionMessage, ...]) -> list[tuple[Any, ...]]:
    return [(one.role, one.text, one.call, one.ok, one.files) for one in messages]


EXPECTED = [
    ("user", ASKED, None, None, ()),
    ("tool", "no such file", "ls /nowhere", False, ()),
    ("tool", "updated", None, True, ("config.py",)),
    ("assistant", "Done.", None, None, ()),
]


def claude() -> list[Any]:
    def call(name: str, tool: str, given: dict[str, str]) -> dict[str, Any]:
        block = {"type": "tool_use", "id": name, "name": tool, "input": given}
        return {"type": "assistant", "message": {"content": [block]}, "uuid": f"u{name}"}

    def result(name: str, text: Any, **more: Any) -> dict[str, Any]:
        block = {"type": "tool_result", "tool_use_id": name, "content": text, **more}
        return {"type": "user", "message": {"content": [block]}, "uuid": f"r{name}"}

    bait = {"content": "never learn this"}
    return [
        {"type": "queue-operation", "message": bait},
        {"type": "attachment", "uuid": "a", "message": bait},
        {"type": "user", "isMeta": True, "message": bait},
        {"type": "user", "isSidechain": True, "message": bait},
        {"type": "user", "isCompactSummary": True, "message": bait},
        {"type": "assistant", "isApiErrorMessage": True, "message": bait},
        {"type": "api-request-blob", "message": bait},
        {
            "type": "user",
            "message": {"content": ASKED},
            "uuid": "m1",
            "timestamp": "2026-01-01T00:00:00Z",
        },
        call("t1", "Bash", {"command": "ls /nowhere"}),
        result("t1", [{"type": "text", "text": "no such file"}], is_error=True),
        call("t2", "Edit", {"file_path": "config.py"}),
        result("t2", "updated"),
        {
            "type": "assistant",
            "message": {"content": [{"type": "text", "text": "Done."}]},
            "uuid": "m2",
        },
        {"type": "system", "subtype": "compact_boundary"},
    ]


def codex() -> list[Any]:
    def item(payload: dict[str, Any]) -> dict[str, Any]:
        return {"type": "response_item", "ordinal": 1, "payload": payload}

    def said(role: str, text: str, source: str | None = None) -> dict[str, Any]:
        about = {"content_item_metadata": [{"provenance": {"type": source}}]} if source else {}
        content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
        payload = {"type": "message", "role": role, "id": text[:4], "content": content}
        return item({**payload, "internal_chat_message_metadata_passthrough": about})

    failed = "Chunk ID: 1\nProcess exited with code 2\nOutput:\nno such file"
    return [
        {"type": "session_meta", "payload": {"base_instructions": {"text": "never learn this"}}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": ASKED}},
        said("developer", "never learn this"),
        said("user", "never learn this either", "harness"),
        said("user", ASKED, "user"),
        item(
            {
                "type": "function_call",
                "name": "exec_command",
                "call_id": "1",
                "arguments": '{"cmd": "ls /nowhere"}',
            }
        ),
        item({"type": "function_call_output", "call_id": "1", "output": failed}),
        item({"type": "custom_tool_call", "name": "apply_patch", "call_id": "2", "input": PATCH}),
        item(
            {
                "type": "custom_tool_call_output",
                "call_id": "2",
                "output": '{"output": "updated", "metadata": {"exit_code": 0}}',
            }
        ),
        item({"type": "reasoning", "summary": []}),
        said("assistant", "Done."),
        {"type": "compacted", "payload": {"message": "never learn this"}},
    ]


def gemini() -> list[Any]:
    def answered(name: str, output: str) -> list[Any]:
        return [{"functionResponse": {"name": name, "response": {"output": output}}}]

    first = {"id": "g1", "type": "gemini", "content": ""}
    failed = "<untrusted_context>\nno such file\nExit Code: 2\n</untrusted_context>"
    shell = {
        "id": "c1",
        "name": "run_shell_command",
        "args": {"command": "ls /nowhere"},
        "status": "success",
        "result": answered("run_shell_command", failed),
    }
    edit = {
        "id": "c2",
        "name": "replace",
        "args": {"file_path": "config.py"},
        "status": "success",
        "result": answered("replace", "updated"),
    }
    return [
        {"sessionId": "s", "kind": "main"},
        {"$set": {"messages": [{"type": "user", "content": [{"text": "never learn this"}]}]}},
        {"id": "u1", "type": "user", "content": [{"text": ASKED}]},
        {"$set": {"lastUpdated": "x"}},
        first,
        {**first, "toolCalls": [shell]},
        {"id": "u2", "type": "user", "content": answered("run_shell_command", failed)},
        {"id": "g2", "type": "gemini", "content": "", "toolCalls": [edit]},
        {"id": "g3", "type": "gemini", "content": "Done."},
        {"id": "g3", "type": "gemini", "content": "Done.", "tokens": {}},
    ]


def copilot() -> list[Any]:
    def event(kind: str, **told: Any) -> dict[str, Any]:
        return {"type": kind, "data": told, "id": kind, "timestamp": "2026-01-01T00:00:00Z"}

    return [
        event("hook.end", output={"additionalContext": "never learn this"}),
        event("system.message", role="system", content="never learn this"),
        event("user.message", content=ASKED, transformedContent="never learn this", messageId="1"),
        event("assistant.message", content="", messageId="2"),
        event(
            "tool.execution_start",
            toolCallId="1",
            toolName="bash",
            arguments={"command": "ls /nowhere"},
        ),
        event(
            "tool.execution_complete",
            toolCallId="1",
            success=True,
            shellExecution={"exitCode": 2},
            result={"content": "no such file"},
        ),
        event(
            "tool.execution_start", toolCallId="2", toolName="edit", arguments={"path": "config.py"}
        ),
        event(
            "tool.execution_complete",
            toolCallId="2",
            success=True,
            fileEdits=[{"path": "config.py"}],
            result={"content": "updated"},
        ),
        event("user.message", content="a subagent's task", parentToolCallId="9"),
        event("assistant.message", content="Done.", messageId="3"),
    ]


FORMS = {"claude": claude, "codex": codex, "gemini": gemini, "copilot": copilot}


@each_row("client", FORMS)
def test_what_was_said_and_answered_is_read_and_nothing_else(client, tmp_path):
    path = written(tmp_path / "t.jsonl", FORMS[client]())
    messages, end = read(client, path)
    found = told(messages)
    if client in ("codex", "gemini"):  # their shells tell more around the output
        found[1] = (found[1][0], "no such file", *found[1][2:])
        assert "no such file" in messages[1].text
    assert found == EXPECTED
    assert all(one.key for one in messages)
    assert end == os.path.getsize(path)
    assert read(client, path, end) == ((), end)


@each_row("client", FORMS)
def test_any_cut_reads_the_same_in_the_end(client, tmp_path):
    path = written(tmp_path / "t.jsonl", FORMS[client]())
    whole = (tmp_path / "t.jsonl").read_bytes()
    at, keys = 0, []
    for size in range(0, len(whole) + 1, max(1, len(whole) // 17)):
        (tmp_path / "t.jsonl").write_bytes(whole[:size])
        messages, at = read(client, path, at)
        keys += [(one.key, one.text) for one in messages]
    (tmp_path / "t.jsonl").write_bytes(whole)
    messages, at = read(client, path, at)
    keys += [(one.key, one.text) for one in messages]
    assert at == len(whole)
    once = [(one.key, one.text) for one in read(client, path)[0]]
    assert list(dict.fromkeys(keys)) == once


@pytest.mark.parametrize("client", [*FORMS, "cursor", "nobody"])
def test_what_is_no_transcript_gives_nothing(client, tmp_path):
    odd = [
        1,
        None,
        [],
        {},
        {"type": "user"},
        {"type": ["x"]},
        {"type": "response_item", "payload": 3},
    ]
    odd += [
        {"type": "user", "message": {"content": [None, 7, {"type": "tool_result"}]}, "content": 4}
    ]
    odd += [{"type": "gemini", "toolCalls": [None, {"result": 3}], "content": [{"text": 5}]}]
    odd += [{"type": "tool.execution_complete", "data": {"result": [], "fileEdits": [3]}}]
    path = written(tmp_path / "odd.jsonl", odd)
    with open(path, "ab") as file:
        file.write(b"\x00\xff not json\n" + b"[" * 100_000 + b"\n" + b'{"type": "user"')
    messages, end = read(client, path)
    assert all(one.role == "tool" for one in messages)
    assert end <= os.path.getsize(path)
    assert read(client, str(tmp_path / "absent"), 7) == ((), 7)
    assert read(client, str(tmp_path), 7) == ((), 7)
    os.mkfifo(tmp_path / "pipe")
    assert read(client, str(tmp_path / "pipe"), 7) == ((), 7)


def test_a_huge_file_is_read_in_pieces_and_a_huge_line_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "PIECE", 4096)
    said = {"type": "user", "message": {"content": "x" * 100}, "uuid": "u"}
    many = [{**said, "uuid": f"u{n}"} for n in range(100)]
    path = written(tmp_path / "t.jsonl", [*many, {"type": "x", "fat": "y" * 20_000}, said])
    at, found, reads = 0, [], 0
    while at < os.path.getsize(path):
        messages, at = read("claude", path, at)
        found += messages
        reads += 1
        assert reads < 50
    assert [one.key for one in found] == [*(f"u{n}" for n in range(100)), "u"]


def test_a_file_that_was_replaced_is_read_anew(tmp_path):
    path = written(tmp_path / "t.jsonl", claude())
    _, end = read("claude", path)
    written(tmp_path / "t.jsonl", claude()[7:8])
    messages, at = read("claude", path, end)
    assert [one.text for one in messages] == [ASKED]
    assert at < end


# Databases


def goose(path: str) -> str:
    with sqlite3.connect(path) as db:
        db.execute(
            "create table messages (id integer primary key autoincrement, message_id text,"
            " session_id text, role text, content_json text, created_timestamp int,"
            " metadata_json text)"
        )

        def put(session: str, role: str, *blocks: Any, seen: bool = True) -> None:
            row = (
                role,
                session,
                role,
                json.dumps(blocks),
                1_700_000_000,
                json.dumps({"userVisible": seen}),
            )
            sql = "insert into messages values (null, ?, ?, ?, ?, ?, ?)"
            db.execute(sql, row)

        def request(name: str, tool: str, **given: str) -> dict[str, Any]:
            call = {"status": "success", "value": {"name": tool, "arguments": given}}
            return {"type": "toolRequest", "id": name, "toolCall": call}

        def response(name: str, text: str, *, failed: bool) -> dict[str, Any]:
            value = {"content": [{"type": "text", "text": text}], "isError": failed}
            return {
                "type": "toolResponse",
                "id": name,
                "toolResult": {"status": "success", "value": value},
            }

        put("other", "user", {"type": "text", "text": "never learn this"})
        put("mine", "user", {"type": "text", "text": "never learn this"}, seen=False)
        put("mine", "user", {"type": "text", "text": ASKED})
        put("mine", "assistant", request("1", "shell", command="ls /nowhere"))
        put("mine", "user", response("1", "no such file", failed=True))
        put("mine", "assistant", request("2", "edit", path="config.py"))
        put("mine", "user", response("2", "updated", failed=False))
        put("mine", "assistant", {"type": "text", "text": "Done."})
    return path


def opencode(path: str) -> str:
    with sqlite3.connect(path) as db:
        db.execute(
            "create table message (id text primary key, session_id text, time_created int,"
            " data text)"
        )
        db.execute(
            "create table part (id text primary key, message_id text, session_id text,"
            " time_created int, data text)"
        )

        def message(name: str, session: str, **told: Any) -> None:
            db.execute(
                "insert into message values (?, ?, ?, ?)",
                (name, session, len(name), json.dumps(told)),
            )

        def part(name: str, within: str, session: str, **told: Any) -> None:
            db.execute(
                "insert into part values (?, ?, ?, 1, ?)", (name, within, session, json.dumps(told))
            )

        message("m", "other", role="user")
        part("p", "m", "other", type="text", text="never learn this")
        message("m1", "mine", role="user")
        part("p1", "m1", "mine", type="text", text=f'"{ASKED}"')
        part("p2", "m1", "mine", type="text", text="never learn this", synthetic=True)
        message("m22", "mine", role="assistant", time={"completed": 5})
        part("p3", "m22", "mine", type="step-start")
        state = {
            "status": "completed",
            "input": {"command": "ls /nowhere"},
            "output": "no such file",
            "metadata": {"exit": 2},
        }
        part("p4", "m22", "mine", type="tool", tool="bash", callID="1", state=state)
        state = {"status": "completed", "input": {"filePath": "config.py"}, "output": "updated"}
        part("p5", "m22", "mine", type="tool", tool="edit", callID="2", state=state)
        message("m333", "mine", role="assistant", time={})
        part("p6", "m333", "mine", type="text", text="Done.", time={"start": 1})
    return path


def test_a_session_of_a_database_is_read_and_no_other(tmp_path):
    path = goose(str(tmp_path / "g.db"))
    messages, end = read("goose", path, session="mine")
    assert told(messages) == EXPECTED
    assert read("goose", path, end, session="mine") == ((), end)
    assert read("goose", path) == ((), 0)


def test_a_part_that_is_being_written_is_left_for_the_next_read(tmp_path):
    path = opencode(str(tmp_path / "o.db"))
    messages, end = read("opencode", path, session="mine")
    assert told(messages) == EXPECTED[:3]
    with sqlite3.connect(path) as db:
        ended = json.dumps({"type": "text", "text": "Done.", "time": {"start": 1, "end": 2}})
        db.execute("update part set data = ? where id = 'p6'", (ended,))
    messages, _ = read("opencode", path, end, session="mine")
    assert told(messages) == EXPECTED[3:]


@pytest.mark.parametrize("client", ["goose", "opencode"])
def test_what_is_no_such_database_gives_nothing(client, tmp_path):
    other = tmp_path / "x.db"
    other.write_bytes(b"SQLite format 3\x00 but no more")
    assert read(client, str(other), 5, session="s") == ((), 5)
    assert read(client, str(tmp_path / "none.db"), 5, session="s") == ((), 5)
    assert not (tmp_path / "none.db").exists()
    with sqlite3.connect(tmp_path / "empty.db") as db:
        db.execute("create table other (x)")
    assert read(client, str(tmp_path / "empty.db"), 5, session="s") == ((), 5)


def test_a_clients_database_is_not_written_to(tmp_path):
    path = goose(str(tmp_path / "g.db"))
    before = (tmp_path / "g.db").read_bytes()
    (tmp_path / "g.db").chmod(0o400)
    assert read("goose", path, session="mine")[0]
    assert (tmp_path / "g.db").read_bytes() == before
    assert [name for name in os.listdir(tmp_path) if name.startswith("g.db")] == ["g.db"]

"""Who is calling is told by what only that client sends, then by what it sets."""

from __future__ import annotations

import json

import pytest

from tests.tables import each_row
from varves.errors import UsageError
from varves.hosts.clients import CLIENTS
from varves.hosts.signals import messages_of, parse, signal_of
from varves.values.signals import MOMENTS

SENT = {
    "claude": {"session_id": "s", "cwd": "/p", "hook_event_name": "UserPromptSubmit"},
    "codex": {"session_id": "s", "turn_id": "t", "hook_event_name": "UserPromptSubmit"},
    "copilot": {"sessionId": "s", "timestamp": 1, "cwd": "/p"},
    "cursor": {"conversation_id": "s", "hook_event_name": "beforeSubmitPrompt"},
    "gemini": {"session_id": "s", "hook_event_name": "BeforeAgent", "timestamp": "t"},
    "goose": {"event": "UserPromptSubmit", "session_id": "s", "working_dir": "/p"},
    "opencode": {"client": "opencode", "session_id": "s"},
}
PROMPTS = {"copilot": "userPromptSubmitted", "opencode": "chat.message"}


def read(sent, *, event=None, client=None, hints=None):
    return signal_of(sent, event=event, client=client, hints=hints or {})


@each_row("client", sorted(SENT))
def test_a_client_is_known_by_what_it_sends(client):
    signal = read(SENT[client], event=PROMPTS.get(client))
    assert (signal.client, signal.moment, signal.session) == (client, "prompt", "s")


@each_row(
    ("hints", "client"),
    [
        ({"GEMINI_SESSION_ID": "s", "CLAUDE_PROJECT_DIR": "/p"}, "gemini"),
        ({"COPILOT_CLI": "1", "CLAUDE_PROJECT_DIR": "/p"}, "copilot"),
        ({"CURSOR_PLUGIN_ROOT": "/p"}, "cursor"),
        ({"CLAUDE_PROJECT_DIR": "/p"}, "claude"),
        ({}, "claude"),
    ],
)
def test_variables_name_the_client_where_the_json_does_not(hints, client):
    event = "sessionStart" if client == "cursor" else "SessionStart"
    signal = read({"session_id": "s", "source": "startup"}, event=event, hints=hints)
    assert (signal.client, signal.moment) == (client, "start")


def test_what_is_sent_stands_before_what_an_outer_agent_has_set():
    assert read(SENT["codex"], hints={"COPILOT_CLI": "1"}).client == "codex"
    assert read(SENT["codex"], client="claude").client == "claude"


def test_codex_is_known_by_its_transcript_where_there_is_no_turn():
    sent = {"session_id": "s", "transcript_path": "/x/rollout-2026.jsonl"}
    assert read(sent, event="SessionStart").client == "codex"


def test_the_project_is_where_the_session_is_at_home():
    sent = {**SENT["claude"], "cwd": "/elsewhere"}
    assert read(sent, hints={"CLAUDE_PROJECT_DIR": "/p"}).folder == "/p"
    assert read(SENT["codex"] | {"cwd": "/c"}, hints={"CLAUDE_PROJECT_DIR": "/p"}).folder == "/c"
    assert read(SENT["goose"]).folder == "/p"
    assert read(SENT["cursor"] | {"workspace_roots": ["/w", "/x"]}).folder == "/w"


@each_row("client", sorted(CLIENTS))
def test_every_client_has_every_moment_but_those_it_does_not_know(client):
    moments = set(CLIENTS[client].moments.values())
    assert moments <= set(MOMENTS)
    assert moments >= {"start", "prompt", "tool", "stop", "compact", "end"}


@each_row("name", ["../../x", "a/b", "..", "\u0000", "ä" * 300, " "])
def test_an_unsafe_session_id_becomes_a_safe_name(name):
    session = read({"session_id": name, "prompt": "x"}, event="UserPromptSubmit").session
    assert session
    assert not set(session) & set("/\\\0 ")
    assert len(session) <= 100


@each_row(
    "content",
    [b"", b"nonsense", b"[]", b'"text"', b"{", b'{"a": 1} {"b": 2}', b"\xff\xfe", b"[" * 200_000],
)
def test_anything_but_a_json_object_is_refused(content):
    with pytest.raises(UsageError):
        parse(content)


def test_json_is_read_as_the_standard_reader_reads_it():
    from json import dumps, loads

    tree = {"a": [1, -2.5, None, True, {"ü": '😀 "\\\n\t'}], "b": {}, "": "x" * 5000}
    for text in (dumps(tree), dumps(tree, ensure_ascii=False, indent=1), " \r\n{}\t\n"):
        assert parse(text.encode()) == loads(text)
    assert parse(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_lone_surrogates_go_no_further():
    signal = read(parse(b'{"session_id": "s", "prompt": "a \\ud800 b"}'), event="UserPromptSubmit")
    assert signal.prompt.encode() == b"a ? b"


@each_row(
    ("sent", "meant"),
    [
        ('"Remember that tabs win."', "Remember that tabs win."),
        (r'"Call it \"heron\"."', 'Call it "heron".'),
        ('"This" and "that"', '"This" and "that"'),
        ('say "it is so"', 'say "it is so"'),
        ('"', '"'),
        ('"one"', "one"),
    ],
)
def test_the_quotes_of_opencodes_command_line_are_not_the_users(sent, meant):
    told = {"client": "opencode", "session_id": "s", "prompt": sent}
    assert read(told, event="chat.message").prompt == meant
    rows = [{"role": role, "text": sent} for role in ("user", "assistant")]
    assert [one.text for one in messages_of({"messages": rows})] == [meant, sent]
    assert read({**SENT["claude"], "prompt": sent}).prompt == sent


CALLS = [
    ("Edit", {"file_path": "/p/a.py"}, {"filePath": "/p/a.py"}, ("/p/a.py",)),
    ("replace", {"file_path": "a.py"}, {"llmContent": "ok"}, ("a.py",)),
    ("apply_patch", {"input": "*** Add File: b.py\n+x\n*** Update File: c.py"}, None,
     ("b.py", "c.py")),
    ("developer__text_editor", {"command": "write", "path": "d.py"}, "ok", ("d.py",)),
    ("mcp__x__write_file", {"path": "e.py"}, "ok", ("e.py",)),
]  # fmt: skip


@each_row(("tool", "given", "result", "files"), CALLS)
def test_the_files_a_tool_wrote_are_noted(tool, given, result, files):
    sent = {"session_id": "s", "tool_name": tool, "tool_input": given, "tool_response": result}
    message = read(sent, event="PostToolUse").message
    assert message.files == files
    assert message.ok is True


@pytest.mark.parametrize(
    ("tool", "given", "result"),
    [
        ("Read", {"file_path": "/p/a.py"}, {"file": {}}),
        ("Bash", {"command": "ls a.py"}, {"stdout": "", "interrupted": False}),
        ("developer__text_editor", {"command": "view", "path": "d.py"}, "ok"),
    ],
)
def test_what_only_reads_has_written_nothing(tool, given, result):
    sent = {"session_id": "s", "tool_name": tool, "tool_input": given, "tool_response": result}
    message = read(sent, event="PostToolUse").message
    assert message is None or (message.ok, message.files) == (True, ())


@pytest.mark.parametrize(
    ("event", "more"),
    [
        ("PostToolUseFailure", {"error": "no such table"}),
        ("PostToolUse", {"tool_response": {"exit_code": 1, "stderr": "no such table"}}),
        ("PostToolUse", {"tool_response": {"is_error": True, "error": "no such table"}}),
    ],
)
def test_a_call_that_failed_is_kept_with_what_it_said(event, more):
    sent = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make db"}, **more}
    message = read(sent, event=event).message
    assert (message.ok, message.files) == (False, ())
    assert message.text == "make db: no such table"


def test_a_client_may_be_called_as_install_calls_it(cli, project):
    assert cli("init").code == 0
    assert cli("remember", "Deploys need two approvals", "--priority", "high").code == 0
    sent = {"session_id": "s", "cwd": str(project), "hook_event_name": "SessionStart"}
    said = cli(
        *("hook", "SessionStart", "--client", "claude-code"),
        stdin=json.dumps({**sent, "source": "startup"}).encode(),
    )
    assert "Deploys need two approvals" in said.out

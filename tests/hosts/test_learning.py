"""A turn that is over is learned from, once; a compaction and a missed end lose nothing."""

from __future__ import annotations

import json
import os

import pytest

import varves as package
from tests.consenting import write_settings
from tests.hosts.conftest import records
from tests.noted import attended, noted
from tests.places import local_of

SAID = "Remember that the staging database is called heron."
HERON = "heron"


class Transcript:
    """What Claude Code writes down of a session."""

    def __init__(self, path, session="11111111-2222-3333-4444-555555555555") -> None:
        self.path, self.session = path, session
        self.count = 0

    def add(self, role: str, text: str, **more) -> None:
        self.count += 1
        line = {
            "type": role,
            "uuid": f"00000000-0000-4000-8000-{self.count:012}",
            "sessionId": self.session,
            "timestamp": "2026-11-15T06:20:00.000Z",
            "message": {"role": role, "content": text},
            **more,
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def turn(self, said: str, answer: str = "All right.") -> None:
        self.add("user", said)
        self.add("assistant", answer)


@pytest.fixture
def transcript(tmp_path):
    return Transcript(tmp_path / "transcript.jsonl")


def stop(one, transcript, last="All right.") -> None:
    one.sends("Stop", transcript_path=str(transcript.path), last_assistant_message=last)


def kept(project, **filters):
    with package.open(str(project)) as ledger:
        return ledger.list(**filters)


def test_what_the_user_states_is_kept_and_told_in_the_next_session(agent, project, transcript):
    one = agent()
    transcript.turn(SAID)
    stop(one, transcript)
    [memory] = kept(project)
    assert HERON in memory.text
    assert (memory.kept, memory.origin, memory.created_by) == ("private", "direct", "claude")
    told = agent(session="next").asks("What is our staging database called?")
    assert HERON in records(told)[0]["text"]


def test_a_turn_that_is_read_twice_is_kept_once(agent, project, transcript):
    one = agent()
    transcript.turn(SAID)
    stop(one, transcript)
    stop(one, transcript)
    noted(project, "delete from attended")
    stop(one, transcript)
    assert len(kept(project)) == 1


def test_only_what_is_new_is_read(agent, project, transcript):
    one = agent()
    transcript.turn(SAID)
    stop(one, transcript)
    size = transcript.path.stat().st_size
    assert ("at", str(size), str(transcript.path), None) in attended(project)
    transcript.turn("We decided to use Valkey as the cache.")
    stop(one, transcript)
    assert len(kept(project)) == 2


def test_the_setting_says_where_it_goes(agent, project, transcript):
    settings = project / ".varves" / "settings.toml"
    one = agent()
    settings.write_text('capture = "off"\n', encoding="utf-8")
    transcript.turn(SAID)
    stop(one, transcript)
    one.sends("PreCompact", trigger="auto", transcript_path=str(transcript.path))
    assert kept(project, status="all") == ()
    write_settings(project, 'capture = "shared"\n')
    transcript.turn("We decided to use Valkey as the cache.")
    stop(one, transcript)
    assert [memory.kept for memory in kept(project)] == ["project"]


def test_what_a_tool_answered_or_memory_said_is_not_learned(agent, cli, project, transcript):
    one = agent()
    cli("remember", "Remember that we always deploy on Friday")
    told = one.asks("when do we always deploy")
    transcript.add("user", f"<system-reminder>\n{told}\n</system-reminder>")
    result = {"type": "tool_result", "tool_use_id": "t", "content": SAID}
    transcript.add("user", "", message={"role": "user", "content": [result]})
    transcript.add("assistant", "I see.")
    stop(one, transcript, "I see.")
    assert len(kept(project)) == 1


def test_what_a_subagent_was_asked_for_is_nobodys_word(agent, project, transcript):
    one = agent()
    transcript.turn(SAID)
    one.sends(
        "SubagentStop",
        agent_id="a1",
        agent_transcript_path=str(transcript.path),
        last_assistant_message="Done.",
    )
    assert [memory.origin for memory in kept(project)] in ([], ["agent"])


def test_files_edited_in_the_turn_are_evidence(agent, project, transcript):
    one = agent()
    (project / "cache.py").write_text("valkey\n", encoding="utf-8")
    edited = {"file_path": str(project / "cache.py")}
    one.sends("PostToolUse", tool_name="Edit", tool_input=edited, tool_response={})
    one.sends("PostToolUse", tool_name="Edit", tool_input={"file_path": "/gone"}, tool_response={})
    transcript.turn("We decided to use Valkey as the cache.")
    stop(one, transcript)
    [memory] = kept(project)
    assert [place["path"] for place in memory.evidence] == ["cache.py"]


def test_goose_has_no_transcript_we_read_and_what_is_asked_is_heard(cli, project):
    assert cli("init").code == 0
    sent = {"event": "UserPromptSubmit", "session_id": "20261115_1", "working_dir": str(project)}
    said = cli("hook", "UserPromptSubmit", stdin=json.dumps({**sent, "prompt": SAID}).encode())
    assert (said.code, said.out) == (0, "")
    [memory] = kept(project)
    assert (memory.created_by, memory.origin) == ("goose", "direct")


def test_opencode_sends_the_turn_along(cli, project):
    assert cli("init").code == 0
    turn = [{"role": "user", "text": SAID, "key": "msg_1"}, {"role": "assistant", "text": "Yes."}]
    sent = {"client": "opencode", "session_id": "ses_1", "cwd": str(project), "messages": turn}
    for _ in range(2):
        assert cli("hook", "session.idle", stdin=json.dumps(sent).encode()).code == 0
    assert [memory.created_by for memory in kept(project)] == ["opencode"]


# Compaction


def checkpoints(project):
    found = kept(project, type="checkpoint")
    return [memory for memory in found if memory.scope.startswith("session:")]


def test_a_checkpoint_is_kept_and_told_after_the_compaction(agent, project, transcript):
    one = agent()
    transcript.turn("We decided to use Valkey as the cache. Please write the adapter.")
    edited = {"file_path": str(project / "cache.py")}
    one.sends("PostToolUse", tool_name="Write", tool_input=edited, tool_response={})
    failed = {"command": "make test"}
    one.sends("PostToolUseFailure", tool_name="Bash", tool_input=failed, error="2 failed")
    where = {"transcript_path": str(transcript.path)}
    assert one.sends("PreCompact", trigger="auto", **where) == ""
    [memory] = checkpoints(project)
    assert (memory.kept, memory.scope) == ("private", f"session:{one.session}")
    for part in ("write the adapter", "Valkey", "cache.py", "make test: 2 failed"):
        assert part in memory.text
    told = records(one.told("SessionStart", source="compact", **where))
    assert told[0]["text"] == memory.text
    assert told[0]["type"] == "checkpoint"
    assert agent(session="other").told("SessionStart", source="startup").count("adapter") == 0


def test_the_checkpoints_task_is_the_last_thing_asked_for(agent, project, transcript):
    one = agent()
    where = {"transcript_path": str(transcript.path)}
    transcript.turn("Please write the adapter.")
    transcript.turn("ok. one more: we use snake_case for all column names")
    stop(one, transcript)
    transcript.turn("cool, that's it for today")
    one.sends("PreCompact", trigger="auto", **where)
    [memory] = checkpoints(project)
    assert memory.text.splitlines()[0] == "Task: Please write the adapter."
    transcript.turn("hi again, the import fails on empty files")
    one.sends("PreCompact", trigger="auto", **where)
    [memory] = checkpoints(project)
    assert memory.text.startswith("Task: hi again, the import fails on empty files")


def test_a_first_message_that_asks_for_nothing_is_the_task(agent, project, transcript):
    one = agent()
    transcript.turn("so, the old adapter and its many friends")
    one.sends("PreCompact", trigger="auto", transcript_path=str(transcript.path))
    assert checkpoints(project)[0].text.startswith("Task: so, the old adapter")


def test_where_no_start_follows_the_next_prompt_tells_it(agent, project, transcript):
    one = agent()
    transcript.turn("Please write the adapter.")
    one.sends("PreCompact", trigger="auto", transcript_path=str(transcript.path))
    told = records(one.asks("Go on with it"))
    assert [record["type"] for record in told] == ["checkpoint"]
    assert one.asks("Go on with it") == ""


def test_what_works_again_is_not_told_as_failed(agent, project, transcript):
    one = agent()
    call = {"command": "make test"}
    one.sends("PostToolUseFailure", tool_name="Bash", tool_input=call, error="2 failed")
    one.sends("PostToolUse", tool_name="Bash", tool_input=call, tool_response={"stdout": "ok"})
    transcript.turn("Please write the adapter.")
    one.sends("PreCompact", trigger="auto", transcript_path=str(transcript.path))
    assert "failed" not in checkpoints(project)[0].text


def test_a_checkpoint_at_every_step_is_one_and_costs_nothing(agent, project, transcript):
    """Gemini announces a compaction at every step of a headless run."""
    one = agent("gemini")
    where = {"transcript_path": str(transcript.path)}
    one.sends("PreCompress", trigger="auto", **where)
    assert checkpoints(project) == []
    edited = {"file_path": str(project / "cache.py")}
    one.sends("AfterTool", tool_name="replace", tool_input=edited, tool_response={})
    one.sends("PreCompress", trigger="auto", **where)
    log = project / ".git" / "varves" / "private" / "log"
    before = sum(path.stat().st_size for path in log.rglob("*.jsonl"))
    for _ in range(5):
        one.sends("PreCompress", trigger="auto", **where)
    assert sum(path.stat().st_size for path in log.rglob("*.jsonl")) == before
    edited = {"file_path": str(project / "other.py")}
    one.sends("AfterTool", tool_name="replace", tool_input=edited, tool_response={})
    one.sends("PreCompress", trigger="auto", **where)
    [memory] = checkpoints(project)
    assert "other.py" in memory.text


def test_back_and_forth_the_checkpoint_follows(agent, project):
    one = agent("gemini")
    call = {"command": "make test"}
    for _ in range(2):
        edited = {"file_path": str(project / "a.py")}
        one.sends("AfterTool", tool_name="replace", tool_input=edited, tool_response={})
        failed = {"error": "2 failed"}
        one.sends("AfterTool", tool_name="shell", tool_input=call, tool_response=failed)
        one.sends("PreCompress", trigger="auto")
        assert "2 failed" in checkpoints(project)[0].text
        one.sends("AfterTool", tool_name="shell", tool_input=call, tool_response={})
        one.sends("PreCompress", trigger="auto")
        assert "2 failed" not in checkpoints(project)[0].text


# A missed end


def test_a_missed_end_is_caught_up_at_the_next_start(agent, project, transcript):
    one = agent()
    where = {"transcript_path": str(transcript.path)}
    one.sends("SessionStart", source="startup", **where)
    transcript.turn("Hello there")
    stop(one, transcript)
    transcript.turn(SAID)  # and then the client was killed
    told = agent(session="next").told("SessionStart", source="startup")
    assert HERON in records(told)[0]["text"]
    [memory] = kept(project)
    assert (memory.session, memory.created_by) == (one.session, "claude")


def test_a_session_that_never_got_to_a_stop_is_caught_up_too(agent, project, transcript):
    one = agent("codex")
    path = transcript.path.with_name("rollout-1.jsonl")
    one.sends("UserPromptSubmit", prompt=SAID, transcript_path=str(path))
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": SAID}]}
    line = {"timestamp": "2026-11-15T06:20:00Z", "type": "response_item", "payload": item}
    meta = {"type": "session_meta", "payload": {"id": one.session}}
    path.write_text(f"{json.dumps(meta)}\n{json.dumps(line)}\n", encoding="utf-8")
    agent("claude", session="next").sends("SessionStart", source="startup")
    assert [memory.created_by for memory in kept(project)] == ["codex"]


def test_what_was_caught_up_is_not_looked_at_again(agent, project, transcript, monkeypatch):
    one = agent()
    one.sends("SessionStart", source="startup", transcript_path=str(transcript.path))
    transcript.turn(SAID)
    agent(session="next").sends("SessionStart", source="startup")
    assert kept(project)
    with package.open(str(project)) as ledger:
        assert ledger.attend("claude", "third").missed() == []
        transcript.turn("We decided to use Valkey as the cache.")
        assert len(ledger.attend("claude", "third").missed()) == 1
    stop(one, transcript)  # it was alive after all
    assert len(kept(project)) == 2


def test_the_end_leaves_a_marker_and_nothing_else(agent, project, transcript):
    one = agent()
    transcript.turn(SAID)
    where = {"transcript_path": str(transcript.path)}
    one.sends("SessionStart", source="startup", **where)
    one.sends("SessionEnd", reason="other", **where)
    assert kept(project) == ()
    assert not os.path.exists(local_of(project) / "hooks.log")
    agent(session="next").sends("SessionStart", source="startup")
    assert len(kept(project)) == 1


def test_what_cannot_be_learned_from_keeps_nobody_from_being_told(
    agent, cli, project, transcript, hook_log, monkeypatch
):
    """A fault in the rules is met once: the next turn is read from where it stands."""
    one = agent()
    cli("remember", "We deploy on Friday")
    one.sends("SessionStart", source="startup", transcript_path=str(transcript.path))
    transcript.turn("Hello there")
    with monkeypatch.context() as broken:
        broken.setattr("varves.sessions.capture.learnings", lambda *_, **__: 1 / 0)
        told = agent(session="next").told("SessionStart", source="startup")
        assert [record["text"] for record in records(told)] == ["We deploy on Friday"]
        stop(one, transcript)
    assert [line.rpartition(": ")[2] for line in hook_log()] == ["division by zero"] * 2
    transcript.turn(SAID)
    stop(one, transcript)
    assert len(kept(project)) == 2


def test_what_was_purged_is_not_noted_again_from_the_transcript(agent, project, transcript):
    """The transcript is the client's and keeps it; a hook after the purge must not."""
    one = agent()
    transcript.turn(SAID)
    stop(one, transcript)
    [memory] = kept(project)
    transcript.turn("Thanks, go on.")
    with package.open(str(project)) as ledger:
        ledger.purge(memory.id, reason="asked to be forgotten")
    assert holding(project) == []

    stop(one, transcript)
    one.sends("PreCompact", transcript_path=str(transcript.path), trigger="auto")

    assert holding(project) == []
    assert kept(project, status="all") == ()
    transcript.turn("Remember that the gateway listens on port 7443.")
    stop(one, transcript)
    assert ["7443" in memory.text for memory in kept(project)] == [True]
    assert holding(project) == []


def test_a_purge_within_the_turn_that_said_it_leaves_no_note(agent, project, transcript):
    """The agent remembered it, and was told to purge it, before the turn was over."""
    one = agent()
    one.sends("SessionStart", transcript_path=str(transcript.path), source="startup")
    one.sends("UserPromptSubmit", transcript_path=str(transcript.path), prompt=SAID)
    transcript.turn(SAID)
    with package.open(str(project)) as ledger:
        name = ledger.remember("The staging database is called heron.").id
        ledger.purge(name, reason="asked to be forgotten")

    stop(one, transcript)

    assert kept(project, status="all") == ()
    assert holding(project) == []


def holding(project):
    """Return our files that hold the word."""
    places = [project / ".varves", project / ".git/varves"]
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    return [str(path) for path in files if HERON.encode() in path.read_bytes().lower()]

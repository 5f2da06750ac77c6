"""Whatever breaks, an agent goes on: code 0, nothing on stdout, one line in a log."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.consenting import write_settings
from tests.noted import attended, notebook, noted
from tests.places import local_of
from tests.tables import each_row
from varves.hosts import failures, hook

PROMPT = "Which library validates the input?"
SECRET = "AKIA" + "IOSFODNN7EXAMPLE"


def sent(project, **more) -> bytes:
    told = {"session_id": "s", "cwd": str(project), "hook_event_name": "UserPromptSubmit"}
    return json.dumps({**told, "prompt": PROMPT, **more}).encode()


@pytest.fixture
def used(cli):
    assert cli("init").code == 0
    assert cli("remember", "Zod validates the input").code == 0
    return cli


def check_silent(said, log, wanted: str = "") -> None:
    assert (said.code, said.out, said.err) == (0, "", "")
    lines = log()
    assert len(lines) == 1, lines
    assert wanted in lines[0]


@each_row(
    ("words", "stdin"),
    [
        (["UserPromptSubmit"], b"not json"),
        (["UserPromptSubmit"], b""),
        (["UserPromptSubmit"], b"[" * 100_000),
        (["UserPromptSubmit"], b"[1, 2]"),
        (["NoSuchEvent"], b"{}"),
        ([], b"{}"),
        (["UserPromptSubmit", "--client", "nobody"], b"{}"),
        (["UserPromptSubmit", "--client"], b"nonsense"),
        (["userPromptSubmitted", "--client", "claude"], b"{}"),
    ],
)
def test_what_makes_no_sense_is_passed_over(used, hook_log, words, stdin):
    before = len(hook_log())
    check_silent(used("hook", *words, stdin=stdin), lambda: hook_log()[before:])


@pytest.mark.parametrize("words", [["--oops"], ["--json"], ["--client=claude", "--as-of", "x"]])
def test_words_it_does_not_know_stop_nothing(used, project, words):
    said = used("hook", "UserPromptSubmit", *words, stdin=sent(project))
    assert said.code == 0
    assert "Zod" in said.out


def test_a_stdin_without_end_is_not_held_in_memory(used, hook_log, project, monkeypatch):
    monkeypatch.setattr(hook, "LARGEST", 1000)
    stdin = sent(project, more="x" * 3_000_000)
    check_silent(used("hook", "UserPromptSubmit", stdin=stdin), hook_log, "stdin is larger")


BAD = {
    "mode": (b'mode = "ludicrous"', "unknown mode 'ludicrous'"),
    "share": (b"share = 3", "share is 3"),
    "dense": (b'dense = "x"', "dense is 'x'"),
    "usage": (b"usage = 9", "usage is 9"),
    "strict": (b"strict = 5", "strict is neither true, false nor a list of clones"),
    "model": (b"model = 5", "model is not a table"),
    "protocol": (b"hivemind = 5", "hivemind is not a table"),
    "toml": (b"= nonsense", "cannot be read: Invalid statement"),
    "utf-8": (b"x = 1\n# \xff", "cannot be read: line 4 is not UTF-8"),
    "nul": (b"x = 1\0", "cannot be read: "),
    "nested": (b"x = " + b"[" * 20_000, "is nested too deeply"),
    "large": (b"#" * (256 << 10), "is larger than 256 KiB"),
    "dots": (b"x" + b".x" * 60_000 + b" = 1", "has a line with more than 200 dots"),
    "link": ("link", "is a link"),
    "folder": ("folder", "is a folder"),
}


def put(project, text: bytes | str) -> None:
    path = project / ".varves" / "settings.toml"
    if isinstance(text, bytes):
        path.write_bytes(b'capture = "off"\nbridges = ["x"]\n' + text + b"\n")
    elif text == "folder":
        path.mkdir()
    else:
        path.symlink_to("/etc/hostname")


@pytest.mark.parametrize("kind", BAD)
def test_settings_with_something_wrong_are_a_line_in_the_log(used, hook_log, project, kind):
    text, wanted = BAD[kind]
    put(project, text)
    said = used("hook", "UserPromptSubmit", stdin=sent(project))
    assert (said.code, said.err) == (0, "")
    assert "Zod" in said.out
    assert "settings" not in said.out
    [line] = hook_log()
    assert wanted in line
    refused = used("recall", "zod")
    assert (refused.code, refused.out) == (5, "")
    assert refused.err.startswith("varves: .varves/settings.toml")
    assert wanted in refused.err
    assert "Errno" not in refused.err
    assert len(refused.err) < 200
    assert wanted in used("doctor").err


def decide_in_a_turn(used, project, tmp_path):
    """Let a turn end in which somebody decided something."""
    said = {"type": "user", "message": {"role": "user", "content": "We decided to use Valkey."}}
    transcript = tmp_path / "s.jsonl"
    transcript.write_text(
        json.dumps({**said, "sessionId": "s", "uuid": "1", "cwd": str(project)}) + "\n",
        encoding="utf-8",
    )
    payload = sent(project, hook_event_name="Stop", transcript_path=str(transcript))
    assert used("hook", "Stop", "--client", "claude", stdin=payload).code == 0


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("kind", BAD)
def test_what_was_said_is_learned_all_the_same(used, project, tmp_path, kind):
    """But not where somebody switched that off, in a line that can be read."""
    put(project, BAD[kind][0])
    decide_in_a_turn(used, project, tmp_path)
    path = project / ".varves" / "settings.toml"
    path.rmdir() if path.is_dir() else path.unlink()
    parsed = kind in ("mode", "share", "dense", "usage", "strict", "model", "protocol")
    assert ("Valkey" in used("list", "--private").out) is not parsed


@pytest.mark.parametrize("text", ["capture = 'shared'", "[hooks]\nprotocols = ['hivemind']"])
def test_beside_a_bad_value_nothing_guarded_counts(used, project, tmp_path, text):
    write_settings(project, f"{text}\n")
    path = project / ".varves" / "settings.toml"
    path.write_text(f"mode = 'ludicrous'\n{text}\n", encoding="utf-8")
    decide_in_a_turn(used, project, tmp_path)
    logs = (project / ".varves/log").rglob("*.jsonl")
    assert b"Valkey" not in b"".join(one.read_bytes() for one in logs)
    path.unlink()
    assert "Valkey" in used("list", "--private").out


def test_settings_of_just_the_size_that_is_allowed_are_read(used, project):
    text = 'capture = "off"\n#'
    path = project / ".varves" / "settings.toml"
    path.write_text(text + "." * 180 + "\n#" + "x" * (262_144 - len(text) - 182), encoding="utf-8")
    assert path.stat().st_size == 256 << 10
    assert used("recall", "zod").code == 0


def test_a_pattern_of_the_settings_that_never_ends_is_a_line_in_the_log(
    used, project, hook_log, tmp_path
):
    """A process of its own: nobody but Python itself would print what the protocol traces."""
    text = "[hooks]\nprotocols = ['deliberation']\n[deliberation]\n"
    text += "decision_patterns = ['(a+)+(b+)+$']\n"
    write_settings(project, text)
    said = {"type": "user", "message": {"role": "user", "content": "We keep " + "a" * 5000}}
    transcript = tmp_path / "s.jsonl"
    transcript.write_text(
        json.dumps({**said, "sessionId": "s", "uuid": "1", "cwd": str(project)}) + "\n",
        encoding="utf-8",
    )
    payload = sent(project, hook_event_name="Stop", transcript_path=str(transcript))
    done = subprocess.run(
        [sys.executable, "-m", "varves", "hook", "Stop", "--client", "claude"],
        cwd=project,
        env={**os.environ, "PYTHONWARNDEFAULTENCODING": ""},  # `regex` asks for the locale's
        input=payload,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    [line] = hook_log()
    assert "decision_patterns, number 1 takes too long" in line


def test_a_ledger_of_another_format(used, hook_log, project):
    (project / ".varves" / "format.json").write_text("{}", encoding="utf-8")
    check_silent(used("hook", "UserPromptSubmit", stdin=sent(project)), hook_log, "Damaged")


def test_a_damaged_index_is_made_again(used, project):
    assert used("recall", "zod").out
    index = local_of(project) / "index.sqlite"
    index.write_bytes(b"no database" * 1000)
    assert "Zod" in used("hook", "UserPromptSubmit", stdin=sent(project)).out


def test_a_damaged_log_keeps_nobody_from_what_is_sound(used, project):
    segment = next((project / ".varves" / "log").rglob("*.jsonl"))
    with segment.open("ab") as file:
        file.write(b'{"torn": ')
    assert "Zod" in used("hook", "UserPromptSubmit", stdin=sent(project)).out


def test_a_folder_that_is_not_there(used, project, home):
    said = used("hook", "UserPromptSubmit", stdin=sent(project, cwd=str(project / "gone")))
    assert (said.code, said.err) == (0, "")


def test_without_a_ledger_the_line_is_in_the_users_folder(cli, home, project):
    assert (cli("hook", "Nonsense", stdin=b"{}").code, os.listdir(project)) == (0, [".git"])
    assert len((home / "varves" / "local" / "hooks.log").read_text("utf-8").splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only_for_users(used, project):
    assert used("recall", "zod").out
    os.chmod(project / ".varves" / "local", 0o500)
    try:
        said = used("hook", "UserPromptSubmit", stdin=sent(project))
    finally:
        os.chmod(project / ".varves" / "local", 0o700)
    assert said.code == 0


def test_where_nothing_can_be_noted_it_is_told_all_the_same(used, project):
    for end in ("", "-wal", "-shm"):
        Path(f"{notebook(project)}{end}").unlink(missing_ok=True)
    notebook(project).mkdir()
    for _ in range(2):
        assert "Zod" in used("hook", "UserPromptSubmit", stdin=sent(project)).out


def test_notes_that_another_process_keeps_busy_are_not_waited_for(used, project, hook_log):
    used("hook", "UserPromptSubmit", stdin=sent(project, session_id="first"))
    before = attended(project)
    with closing(sqlite3.connect(notebook(project), isolation_level=None)) as other:
        other.execute("begin immediate")
        for _ in range(2):
            assert "Zod" in used("hook", "UserPromptSubmit", stdin=sent(project)).out
    assert attended(project) == before
    assert [line.partition(" of claude: ")[2] for line in hook_log()] == [
        "state.sqlite: database is locked"
    ] * 2


@pytest.mark.parametrize("broken", ["link", "shared", "foreign"])
def test_notes_that_are_not_ours_are_not_believed(used, project, broken):
    """A branch may bring files of that name; they must not say what was told, or where to read."""
    used("hook", "UserPromptSubmit", stdin=sent(project))
    notes, aside = notebook(project), project / "aside"
    assert attended(project)
    if broken == "foreign":
        notes.chmod(0o644)
    else:
        notes.rename(aside)
        (notes.symlink_to if broken == "link" else notes.hardlink_to)(aside)
    before = notes.read_bytes()
    assert "Zod" in used("hook", "UserPromptSubmit", stdin=sent(project)).out
    if broken != "foreign":
        assert aside.read_bytes() == before


def test_notes_of_unknown_kinds_are_passed_over(used, project):
    used("hook", "UserPromptSubmit", stdin=sent(project))
    for n, note in enumerate([("at", "x", "y"), ("who", None, None), ("what", "ever", None)]):
        noted(project, "insert into attended values ('s', ?, 0, ?, ?, ?, null)", 100 + n, *note)
    assert used("hook", "UserPromptSubmit", stdin=sent(project)).out == ""
    cli_log = local_of(project) / "hooks.log"
    assert not cli_log.exists()


def test_the_log_masks_secrets_and_stays_small(used, hook_log, project, monkeypatch):
    monkeypatch.setattr(failures, "LARGEST", 3000)
    for _ in range(60):
        used("hook", f"Event {SECRET}", stdin=b"{}")
    local = local_of(project)
    kept = b"".join(path.read_bytes() for path in local.glob("hooks.log*"))
    assert SECRET.encode() not in kept
    assert b"has no event" in kept
    assert len(kept) < 7000
    assert all(path.stat().st_mode & 0o077 == 0 for path in local.glob("hooks.log*"))


def test_a_log_that_leads_elsewhere_is_not_written(used, project):
    target = project / "target"
    target.write_text("mine", encoding="utf-8")
    (local_of(project) / "hooks.log").symlink_to(target)
    assert used("hook", "Nonsense", stdin=b"{}").code == 0
    assert target.read_text(encoding="utf-8") == "mine"


# As a process of its own


def run(project, *words: str, stdin: bytes, **options):
    return subprocess.run(
        [sys.executable, "-m", "varves", "hook", *words],
        cwd=project,
        input=stdin,
        check=False,
        timeout=60,
        **options,
    )


def test_a_stdout_that_is_closed_stops_nothing(used, project, hook_log):
    """An answer must not end up in a file that got the number of stdout either."""
    command = '"$0" -m varves hook UserPromptSubmit >&-'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable],
        cwd=project,
        input=sent(project),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert used("verify").code == 0
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run(project, "UserPromptSubmit", stdin=sent(project, session_id="t"), stdout=writing)
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert "BrokenPipe" in hook_log()[-1]


SLOW = """
import sys, time
from varves.hosts import failures, hook
failures.LAST_WORDS = 30  # a busy machine may need more than it has; it goes on when they are said
hook.LIMITS.update(dict.fromkeys(hook.LIMITS, 0.2))
def stuck(*_):
    time.sleep(600)
hook._MOMENTS["prompt"] = stuck
sys.exit(hook.run(["UserPromptSubmit"], alone=True))
"""
ENDLESS = """
import re, sys
from varves.hosts import hook
hook.LIMITS.update(dict.fromkeys(hook.LIMITS, 2))
hook._answered = lambda *_: re.match("(a*)*b", "a" * 60)  # the other thread never has a turn
sys.exit(hook.run(["UserPromptSubmit"], alone=True))
"""


def test_what_takes_too_long_is_ended_with_0_and_a_line(used, project, hook_log):
    done = subprocess.run(
        [sys.executable, "-c", SLOW],
        cwd=project,
        input=sent(project),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "took longer than 0.2 s" in hook_log()[0]


def test_what_never_lets_go_is_ended_by_the_system(used, project):
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS],
        cwd=project,
        input=sent(project),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode < 0


def test_the_end_of_a_session_takes_no_time(used, project):
    before = os.times()
    done = run(project, "SessionEnd", stdin=sent(project, hook_event_name="SessionEnd"))
    after = os.times()
    assert done.returncode == 0
    worked = after.children_user + after.children_system
    assert worked - before.children_user - before.children_system < 1
    assert "ended" in {kind for kind, *_ in attended(project)}


def test_the_limit_of_an_end_is_below_what_any_client_grants():
    assert hook.HookCall(["SessionEnd"]).limit + failures.LAST_WORDS < 1
    assert hook.HookCall(["sessionEnd"]).limit + failures.LAST_WORDS < 1

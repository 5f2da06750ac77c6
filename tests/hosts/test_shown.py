"""What agents were shown is on record: listed at once, in the log later, questions only here."""

from __future__ import annotations

import json
import os

import pytest

import varves as package
from tests.noted import noted
from tests.places import forget_local
from tests.security.test_secrets import sample
from tests.tables import each_row

PROMPT = "Which library validates the input of our services?"
FACT = "Zod validates the input of every service"


def shown(cli, *options, **given):
    return cli("shown", *options, "--json", **given).json["shown"]


def injected(cli):
    return cli("log", "--kind", "context.injected", "--json").json["events"]


def check_no_file_says(words, *folders):
    """No file, in the log or beside it, has these bytes."""
    for folder in folders:
        for place, _, names in os.walk(folder):
            for name in names:
                with open(f"{place}/{name}", "rb") as file:
                    assert words.encode() not in file.read(), f"{place}/{name}"


def test_a_prompt_is_one_entry_that_is_listed_at_once_and_recorded_with_the_next_write(
    agent, cli, project
):
    one = agent()
    name = cli("remember", FACT, "--json").json["id"]
    told = one.asks(PROMPT)
    [entry] = before = shown(cli)
    assert entry == {
        "at": entry["at"],
        "session": one.session,
        "client": "claude",
        "moment": "prompt",
        "question": PROMPT,
        "ids": [name],
        "tokens": package.ledger.count_tokens(told),
    }
    assert injected(cli) == []
    assert cli("--session", one.session, "remember", "Lunch is at noon").code == 0
    [event] = injected(cli)
    [part] = event["data"]["shown"]
    assert part == {key: entry[key] for key in ("at", "client", "moment", "ids", "tokens")}
    assert event["session"] == one.session
    assert shown(cli) == before
    check_no_file_says("Which library", project / ".varves", project / ".git/varves/private")


def test_each_moment_is_named_and_the_newest_comes_first(agent, cli, monkeypatch):
    one, other = agent(), agent("opencode", "s-2")
    cli("remember", FACT, "--priority", "critical")
    calls = (
        lambda: one.sends("SessionStart", source="startup"),
        lambda: one.sends("SessionStart", source="compact"),
        lambda: one.asks(PROMPT),  # nothing new, so nothing is shown
        lambda: other.sends("chat.message", prompt=PROMPT),
        lambda: cli("--session", "s-3", "recall", "input"),
        lambda: cli("--session", "s-3", "--actor", "ada", "brief"),
    )
    for n, call in enumerate(calls):
        monkeypatch.setenv("VARVES_NOW", f"2026-11-15T06:20:0{n}.000Z")
        call()
    found = [(one["at"][17:19], one["client"], one["moment"]) for one in shown(cli)]
    assert found == [
        ("05", "ada", "brief"),
        ("04", "USER", "recall"),
        ("03", "opencode", "prompt"),
        ("01", "claude", "compact"),
        ("00", "claude", "start"),
    ]
    assert all(one["tokens"] > 0 for one in shown(cli))
    asked = [one["moment"] for one in shown(cli) if one["question"]]
    assert asked == ["prompt"]
    assert [one["client"] for one in shown(cli, "--session", "s-3", "--limit", "1")] == ["ada"]
    assert [one["client"] for one in shown(cli, "--session", "s-2")] == ["opencode"]
    cli("remember", "By nobody in particular", "--session", "s-3")  # settles one of the sessions
    assert [(one["at"][17:19], one["client"], one["moment"]) for one in shown(cli)] == found
    assert len(shown(cli, "--limit", "2")) == 2


def test_what_protocols_add_to_a_prompt_belongs_to_the_same_entry(agent, cli, ledger):
    one = agent()
    assert cli("init", "--protocol", "scoped").code == 0
    own = cli("remember", FACT, "--json").json["id"]
    words = ("--type", "convention", "--content", "Services read their input in UTF-8")
    assert cli("scoped", "write", "project", *words).code == 0
    [theirs] = [memory.id for memory in ledger.list() if memory.id != own]
    assert one.asks(f"{PROMPT} Which services read input?")
    [entry] = shown(cli)
    assert {own, theirs} <= set(entry["ids"])
    assert entry["moment"] == "prompt"
    assert cli("scoped", "task", "read the input of services").code == 0
    assert shown(cli)[0]["moment"] == "scoped task"


def test_what_a_protocol_shows_at_the_start_is_told_and_counted_once(agent, cli, ledger, project):
    one = agent()
    assert cli("init", "--protocol", "scoped").code == 0
    own = cli("remember", FACT, "--json").json["id"]
    words = ("--type", "convention", "--content", "Services read their input in UTF-8")
    assert cli("scoped", "write", "project", *words).code == 0
    [theirs] = [memory.id for memory in ledger.list() if memory.id != own]
    told = one.sends("SessionStart", source="startup")
    assert told.count(FACT) == told.count("in UTF-8") == 1
    [entry] = shown(cli)
    assert entry["moment"] == "start"
    assert entry["ids"] == [own, theirs]
    counted = noted(project, "select memories from told where leaf not like 'p-%' order by n")
    assert counted == [(own,), (theirs,)]


def test_a_checkpoint_is_shown_only_where_the_client_passes_it_on(agent, cli):
    task = [{"role": "user", "text": "Please rename the heron database to egret."}]
    one = agent("opencode", "s-1")
    one.sends("session.idle", messages=task)
    said = one.sends("experimental.session.compacting", messages=task)
    assert [(entry["moment"], entry["ids"]) for entry in shown(cli)] == [
        ("compact", [json.loads(line)["id"] for line in said.split("\n") if line[:1] == "{"])
    ]
    other = agent("claude", "s-2")
    other.sends("PreCompact", trigger="manual")
    assert shown(cli, "--session", "s-2") == []


def test_people_read_when_why_and_what(agent, cli):
    one = agent(session="s-1")
    cli("remember", FACT)
    one.asks(PROMPT)
    first, second = cli("shown").out.splitlines()
    assert "  prompt  claude  s-1  1 memory, " in first
    assert first.endswith(PROMPT)
    assert second == "  Zod validates the input o..."
    nothing = cli("shown", "--session", "s-2")
    assert (nothing.code, nothing.out) == (0, "")
    assert cli("shown", "--limit", "0").code == 2


def test_what_is_switched_off_records_nothing(agent, cli, project):
    one = agent()
    cli("remember", FACT)
    (project / ".varves/settings.toml").write_text("usage = false\n", encoding="utf-8")
    assert one.asks(PROMPT)
    assert shown(cli) == []
    assert noted(project, "select * from shown") == []
    cli("--session", one.session, "remember", "Lunch is at noon")
    assert injected(cli) == []


def test_without_the_notebook_the_log_still_says_what_was_shown(agent, cli, project):
    one = agent()
    name = cli("remember", FACT, "--json").json["id"]
    one.asks(PROMPT)
    cli("--session", one.session, "remember", "Lunch is at noon")
    forget_local(project)
    [entry] = shown(cli)
    assert (entry["ids"], entry["moment"], entry["question"]) == ([name], "prompt", None)


@pytest.mark.parametrize("recorded", [False, True])
def test_a_question_is_kept_for_ninety_days(agent, cli, project, monkeypatch, recorded):
    one = agent()
    monkeypatch.setenv("VARVES_NOW", "2026-08-01T06:20:00Z")
    cli("remember", FACT)
    one.asks(PROMPT)
    if recorded:
        cli("--session", one.session, "remember", "Lunch is at noon")
    monkeypatch.setenv("VARVES_NOW", "2026-10-30T06:20:00Z")
    assert [entry["question"] for entry in shown(cli)] == [PROMPT]
    monkeypatch.setenv("VARVES_NOW", "2026-10-30T06:20:01Z")
    assert [entry["question"] for entry in shown(cli)] == [None]
    assert noted(project, "select question from shown where question is not null") == []


def test_another_prompt_deletes_the_old_question(agent, cli, project, monkeypatch):
    one, other = agent(), agent(session="s-2")
    monkeypatch.setenv("VARVES_NOW", "2026-08-01T06:20:00Z")
    cli("remember", FACT)
    one.asks(PROMPT)
    monkeypatch.setenv("VARVES_NOW", "2026-12-01T06:20:00Z")
    other.asks("What validates input?")
    kept = noted(project, "select question from shown where question is not null")
    assert kept == [("What validates input?",)]


@each_row(
    ("prompt", "question"),
    [
        ("  What validates\n\n  input? ", "What validates input?"),
        ("What validates input? " + "lorem ipsum " * 400, None),
        (f"<system-reminder>heron</system-reminder>{PROMPT}", PROMPT),
    ],
)
def test_a_question_is_one_short_line_of_the_user(prompt, question):
    from varves.sessions.injection import own_words
    from varves.state.notebook import QUESTION, question_of

    found = question_of(own_words(prompt))
    assert found is not None
    assert len(found) <= QUESTION
    assert found == question or (question is None and found.startswith("What validates input? lo"))


@pytest.mark.parametrize("kind", ["github-pat", "password-assignment", "private-key-block"])
def test_no_question_keeps_a_secret(agent, cli, project, home, kind):
    from tests.security.test_secrets import files_with

    one = agent()
    cli("remember", FACT)
    secret, core = sample(kind, 1)
    for before in ("", "x " * 590):  # the second is cut within the secret
        assert one.asks(f"{before}{secret} {PROMPT}") or before
    assert files_with(core, project, home) == []
    assert "[redacted:" in shown(cli)[-1]["question"]


def test_two_processes_list_and_record_every_moment_once(agent, cli, project, varves_process):
    one, other = agent(session="s-1"), agent("codex", "s-2")
    cli("remember", FACT)
    one.asks(PROMPT)
    other.asks(PROMPT)
    assert len(varves_process("shown", "--json").json["shown"]) == 2
    assert varves_process("--session", "s-1", "remember", "Lunch is at noon").code == 0
    assert [entry["question"] for entry in shown(cli)] == [PROMPT, PROMPT]
    assert [entry["client"] for entry in shown(cli)] == ["codex", "claude"]
    assert len(injected(cli)) == 1


def test_a_notebook_of_an_earlier_version_gets_the_table(agent, cli, project):
    one = agent()
    cli("remember", FACT)
    cli("recall", "input")
    noted(project, "drop table shown")
    noted(project, "delete from meta where name = 'shape'")
    assert noted(project, "select count(*) from told") == [(1,)]
    assert one.asks(PROMPT)
    assert noted(project, "select count(*) from told") == [(2,)]
    assert [entry["moment"] for entry in shown(cli)] == ["prompt"]


def test_in_python_the_ledger_lists_it(ledger):
    name = ledger.remember(FACT).id
    ledger.attend("claude", "s-1").prompt(PROMPT)
    ledger.recall("input")
    verb, prompt = ledger.shown()
    assert (verb.moment, verb.question, verb.ids) == ("recall", None, (name,))
    assert (prompt.moment, prompt.question, prompt.texts) == ("prompt", PROMPT, (FACT,))
    assert ledger.shown(session="s-1", limit=1) == (prompt,)


def test_in_a_ledger_that_cannot_be_written_nothing_fails(agent, cli, project):
    one = agent()
    cli("remember", FACT)
    one.asks(PROMPT)
    cli("--session", one.session, "remember", "Lunch is at noon")
    forget_local(project)
    (project / ".git/varves/local").write_bytes(b"in the way")
    assert agent(session="s-2").asks(PROMPT)
    assert [entry["question"] for entry in shown(cli, "--session", one.session)] == [None]

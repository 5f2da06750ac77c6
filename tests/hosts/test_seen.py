"""What a person sees of it: who was told what, and what was kept without anybody asking."""

from __future__ import annotations

import os

from tests.noted import add_row, notebook, noted
from varves.hosts.clients import CLIENTS
from varves.hosts.hook import LIMITS
from varves.hosts.install.agents import SECONDS
from varves.mcp.desk import actor_of

PROMPT = "Which library validates the input of our services?"
FACT = "Remember that the staging database is called heron."


def rules(cli, name):
    return {rule["rule"]: rule for rule in cli("why", name, "--json").json["rules"]}


def state(agent, text=FACT):
    """Let the user state something to OpenCode, whose plugin sends the turn itself."""
    agent("opencode", "s-1").sends("session.idle", messages=[{"role": "user", "text": text}])


def test_status_names_the_last_an_agent_was_told_and_why_counts_it_at_once(agent, cli):
    first = cli("remember", "Zod validates the input of every service", "--json").json["id"]
    assert "last shown" not in cli("status").out
    agent().asks(PROMPT)
    cli("recall", "input")
    told = cli("status", "--json").json["told"]
    assert (told["agent"], told["memories"]) == ("claude", [first])
    assert "last shown to" in cli("status").out
    assert "shown to claude once" in cli("why", first).out
    second = cli("remember", "The services read input in UTF-8", "--json").json["id"]
    agent("codex", "s-2").asks("Which services read their input in UTF-8?")
    told = cli("status", "--json").json["told"]
    assert told["agent"] == "codex"
    assert second in told["memories"]


def test_what_was_told_counts_once_when_it_has_become_an_event(agent, cli, project):
    name = cli("remember", "Zod validates the input of every service", "--json").json["id"]
    one = agent("opencode", "s-1")
    one.sends("chat.message", prompt=PROMPT)
    before = cli("status", "--json").json["told"]
    [line] = noted(project, "select * from told where leaf like 's-%'")
    state(agent)
    (event,) = cli("log", "--kind", "context.injected", "--json").json["events"]
    assert "shown to opencode once" in cli("why", name).out
    left = (line[0], event["id"], *line[2:])  # as a crash leaves it
    add_row(project, *left)
    assert "shown to opencode once" in cli("why", name).out
    assert cli("status", "--json").json["told"] == before


def test_a_file_that_a_branch_brought_along_tells_nothing(agent, cli, project):
    name = cli("remember", "Zod validates the input of every service", "--json").json["id"]
    agent().asks(PROMPT)
    notebook(project).chmod(0o644)
    assert "told" not in rules(cli, name)
    assert cli("status", "--json").json["told"] is None


def test_why_says_where_a_captured_memory_comes_from_and_what_to_do_with_it(agent, cli):
    state(agent)
    listed = cli("list", "--private")
    assert listed.out.endswith("#captured · private\n")
    name = cli("list", "--private", "--json").json["memories"][0]["id"]
    said = rules(cli, name)["captured"]
    assert said["says"].startswith("said by user to opencode, session s-1, 20")
    assert "; signs: " in said["says"]
    assert said["undo"] == f'varves share {name}, or varves forget {name} --reason "…"'
    cli("share", name)
    assert "private" not in cli("list").out
    assert rules(cli, name)["captured"]["undo"] == f'varves forget {name} --reason "…"'


def test_what_somebody_wrote_down_was_not_captured(agent, cli):
    agent()
    name = cli("remember", "Butterflies", "--tag", "captured", "--json").json["id"]
    assert "captured" not in rules(cli, name)


def test_a_hook_gives_up_before_its_agent_does():
    """One that the agent ends leaves no line in the log."""
    for moment, limit in LIMITS.items():
        assert limit < SECONDS.get(moment, 10), moment


def test_an_agent_is_one_actor_by_hooks_and_by_tools():
    assert [actor_of(name) for name in CLIENTS] == [*CLIENTS]


def test_a_project_without_a_ledger_says_what_to_do(cli, project):
    assert not os.path.exists(project / ".varves")
    assert cli("status").out.endswith("; varves init creates one\n")

"""X-26: what an agent was told is on record, and reading never changes what git sees."""

from __future__ import annotations

import json
import subprocess

import pytest

import varves as package
from tests.noted import waiting

pytestmark = pytest.mark.requirement("X-26")

DAY = {"VARVES_NOW": "2026-11-15T06:20:00Z"}
READS = (
    ("recall", "validation"),
    ("recall", "validation", "--as-of", "2026-11-15T06:20:00Z"),
    ("brief", "--task", "validation"),
    ("show", "ID"),
    ("history", "ID"),
    ("why", "ID"),
    ("list",),
    ("list", "--unused-for", "30d"),
    ("log",),
    ("log", "--kind", "context.injected"),
    ("status",),
    ("verify",),
    ("verify", "--deep"),
    ("conflicts",),
    ("export", "--format", "jsonl", "--private"),
    ("export", "--format", "markdown"),
    ("doctor",),
)


def git(project, *args):
    done = subprocess.run(
        ["git", *args], cwd=project, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def committed(project, varves):
    name = varves("remember", "Validation is done with Zod", "--json", env=DAY).json["id"]
    git(project, "add", "-A")
    git(project, "commit", "-qm", "a ledger")
    assert git(project, "status", "--porcelain") == ""
    return name


def told(varves, *options):
    events = varves("log", "--kind", "context.injected", *options, "--json").json["events"]
    return [(event["session"], event["data"]["told"]) for event in events]


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("call", READS, ids=" ".join)
def test_a_read_leaves_git_as_it_was(call, project, varves):
    name = committed(project, varves)
    words = [name if word == "ID" else word for word in call]
    assert varves(*words, env=DAY).code == 0
    assert git(project, "status", "--porcelain", "--untracked-files=all") == ""
    assert varves("recall", "Zod", "--session", "s-1").code == 0
    assert varves(*words, "--session", "s-1").code == 0
    assert git(project, "status", "--porcelain", "--untracked-files=all") == ""


def test_the_sessions_next_write_says_once_what_was_told(project, varves):
    name = committed(project, varves)
    as_agent = ("--actor", "rigger", "--session", "s-1")
    moments = [f"2026-11-15T07:00:0{n}.000Z" for n in range(4)]
    calls = (("recall", "Zod"), ("recall", "validation"), ("brief",), ("show", name))
    for call, moment in zip(calls, moments, strict=True):
        assert name in varves(*call, *as_agent, "--json", env={"VARVES_NOW": moment}).out
    assert told(varves) == []
    wrote = varves("remember", "Deploys are on Friday", "--session", "s-2", env=DAY)
    assert wrote.code == 0
    assert told(varves) == []  # another session's write
    assert varves("remember", "Deploys are fast", *as_agent, env=DAY).code == 0
    [(session, parts)] = told(varves, "--actor", "rigger")
    assert session == "s-1"
    assert parts == [
        part(verb, times, moments[first], moments[last], {name: [times, moments[last]]})
        for verb, times, first, last in (("brief", 1, 2, 2), ("recall", 2, 0, 1), ("show", 1, 3, 3))
    ]
    rules = {rule["rule"]: rule["says"] for rule in varves("why", name, "--json").json["rules"]}
    assert rules["told"] == f"shown to rigger 4 times, last {moments[3]}"
    assert name in varves("log", "--kind", "context.injected").out
    assert varves("remember", "Deploys are calm", *as_agent, env=DAY).code == 0
    assert len(told(varves)) == 1
    assert varves("verify", "--deep").code == 0
    committed_bytes = b"".join(
        path.read_bytes() for path in project.glob(".varves/log/**/*") if path.is_file()
    )
    assert b"context.injected" not in committed_bytes


def part(verb, times, first, last, memories):
    return {
        "agent": "rigger",
        "verb": verb,
        "times": times,
        "first": first,
        "last": last,
        "memories": memories,
    }


def test_a_call_without_a_session_belongs_to_its_actor_and_day(project, varves):
    name = committed(project, varves)
    for day in ("14", "15"):
        moment = {"VARVES_NOW": f"2026-11-{day}T06:20:00Z"}
        assert varves("recall", "Zod", "--actor", "bob", env=moment).code == 0
    assert varves("recall", "Zod", "--actor", "eve", env=DAY).code == 0
    # The day before is over, whoever writes; of this day only the writer's own session is told.
    assert varves("remember", "One more", "--actor", "bob", env=DAY).code == 0
    assert [session for session, _ in told(varves)] == ["bob-2026-11-15", "bob-2026-11-14"]
    later = {"VARVES_NOW": "2026-11-16T00:00:00Z"}
    assert varves("remember", "And one", "--actor", "bob", env=later).code == 0
    sessions = sorted(session for session, _ in told(varves))
    assert sessions == ["bob-2026-11-14", "bob-2026-11-15", "eve-2026-11-15"]
    rules = varves("why", name, "--json").json["rules"]
    says = [rule["says"] for rule in rules if rule["rule"] == "told"]
    assert says == [
        "shown to bob 2 times, last 2026-11-15T06:20:00.000Z",
        "shown to eve once, last 2026-11-15T06:20:00.000Z",
    ]


def test_a_briefing_for_another_agent_was_told_to_that_agent(project, varves):
    committed(project, varves)
    assert varves("brief", "--agent", "rigger", env=DAY).code == 0
    assert varves("remember", "One more", env=DAY).code == 0
    [(session, [only])] = told(varves)
    assert (session, only["agent"]) == ("USER-2026-11-15", "rigger")


def test_what_was_told_is_not_unused(project, varves):
    name = committed(project, varves)
    later = {"VARVES_NOW": "2027-01-15T06:20:00Z"}
    unused = ("list", "--unused-for", "30d", "--json")
    assert [one["id"] for one in varves(*unused, env=later).json["memories"]] == [name]
    assert varves("recall", "Zod", env={"VARVES_NOW": "2027-01-01T06:20:00Z"}).code == 0
    assert varves("remember", "Another", env=later).code == 0
    assert name not in [one["id"] for one in varves(*unused, env=later).json["memories"]]
    before = varves(*unused, "--as-of", "2026-12-31T00:00:00Z", env=later).json["memories"]
    assert [one["id"] for one in before] == [name]


def test_a_write_that_nobody_read_before_is_one_line_and_no_more(project, ledger):
    for n in range(3):
        ledger.remember(f"Number {n}")
    ledger.close()
    assert len(ledger.log()) == 3
    assert waiting(project) == []
    assert not (project / ".git/varves/private/log").exists()


def test_what_lists_or_explains_is_not_counted_as_told(project, varves):
    name = committed(project, varves)
    for call in (("list",), ("log",), ("history", name), ("why", name), ("export",)):
        assert varves(*call, env=DAY).code == 0
    assert varves("recall", "nothing-like-it", env=DAY).code == 0
    assert waiting(project) == []


def test_where_there_is_no_ledger_nothing_is_made(project, varves):
    assert varves("recall", "anything").code == 0
    assert varves("brief").code == 0
    assert [path.name for path in project.iterdir()] == [".git"]
    assert not (project / ".git/varves").exists()


def test_it_can_be_switched_off(project, varves):
    committed(project, varves)
    (project / ".varves/settings.toml").write_text("usage = false\n", encoding="utf-8")
    assert varves("recall", "Zod").code == 0
    assert varves("remember", "One more").code == 0
    assert told(varves) == []
    assert waiting(project) == []
    (project / ".varves/settings.toml").write_text("usage = 7\n", encoding="utf-8")
    refused = varves("recall", "Zod")
    assert (refused.code, refused.out) == (5, "")
    assert "usage" in refused.err


def test_nothing_asked_is_written_down(project, varves):
    """Choice: a question may hold anything, a secret too; what was told answers the trail."""
    committed(project, varves)
    assert varves("recall", "Zod or marmalade", env=DAY).code == 0
    assert varves("brief", "--task", "Zod or marmalade", env=DAY).code == 0
    assert varves("remember", "One more", env=DAY).code == 0
    for folder in (project / ".varves", project / ".git/varves"):
        for path in folder.rglob("*"):
            assert not path.is_file() or b"marmalade" not in path.read_bytes()


def test_it_is_settled_before_the_next_call_of_an_open_ledger_and_when_it_closes(project, home):
    with package.open(project, actor="ada", session="s-1") as ledger:
        name = ledger.remember("Validation is done with Zod").id
        ledger.recall("Zod")
        ledger.remember("Deploys are on Friday")
        [first] = ledger.log(kind="context.injected")
        ledger.through("tool").show(name)
        ledger.remember_many([{"text": "Deploys are fast"}])
    with package.open(project) as ledger:
        events = ledger.log(kind="context.injected")
    assert [event.data["told"][0]["verb"] for event in events] == ["recall", "show"]
    assert events[0].id == first.id
    assert {(event.actor, event.session, event.log) for event in events} == {
        ("ada", "s-1", "private")
    }
    assert json.dumps(first.data["told"][0]["memories"]).count(name) == 1

"""A server that was started in a plugin's folder serves no project but one that is named."""

from __future__ import annotations

import json
import os

import pytest

import varves
from tests.mcp.conftest import Talk
from tests.tables import each_row
from varves import settings
from varves.hosts.install.agents import KIT
from varves.mcp.catalogue import MemoryCatalogue
from varves.mcp.desk import Opening

ROOTS = {"roots": {"listChanged": True}}
NAMES = ("CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CURSOR_PLUGIN_ROOT")


@pytest.fixture
def plugin(tmp_path, home, monkeypatch):
    """Give somebody's plugin in a repository with a ledger, and start there."""
    for name in os.environ:
        if name.endswith(("PLUGIN_ROOT", "_PROJECT_DIR")) or name == "VARVES_ROOT":
            monkeypatch.delenv(name)
    folder = tmp_path / "dotfiles/plugin"
    (folder / "servers").mkdir(parents=True)
    (folder / "plugin.json").write_text('{"name": "another"}', encoding="utf-8")
    with varves.open(str(tmp_path / "dotfiles")) as ledger:
        ledger.init()
        ledger.remember("Nobody asked for this")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lost():
    made = MemoryCatalogue(Opening(lost=True))
    yield made
    made.close()


def listening(lost, **abilities):
    """Begin a talk of a client that starts us nowhere."""
    talk = Talk(lost, "2025-11-25")
    talk.server.roots = lost.move
    talk.begin(**abilities)
    return talk


def answers(talk, *folders, key="uri"):
    """Let the client say which folders it works in, if it is asked."""
    [asked] = [one for one in talk.heard if one.get("method") == "roots/list"]
    talk.heard.remove(asked)
    roots = [{key: folder} for folder in folders]
    talk.server.receive({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}})


@each_row("name", NAMES)
@each_row("below", [".", "servers"])
def test_no_project_is_served_from_a_folder_that_an_agent_names_as_its_plugin(
    plugin, monkeypatch, name, below
):
    monkeypatch.chdir(plugin / below)
    assert not settings.served({})["lost"]
    assert settings.served({name: str(plugin)})["lost"]


@each_row("kit", ["plugin", "agent-plugin", "gemini", "goose"])
def test_no_project_is_served_from_a_folder_of_our_own_kit(plugin, monkeypatch, kit):
    monkeypatch.chdir(f"{KIT}/{kit}")
    assert settings.served({})["lost"]


def test_what_is_named_is_known_wherever_we_are(plugin, project):
    started = {"PLUGIN_ROOT": str(plugin)}
    for name in ("VARVES_ROOT", "CLAUDE_PROJECT_DIR", "COPILOT_PROJECT_DIR"):
        found = settings.served({**started, name: str(project)})
        assert (found["root"], found["lost"]) == (str(project), False)
    assert settings.served({**started, "COPILOT_PROJECT_DIR": "/no/such/folder"})["lost"]


def test_a_variable_of_that_name_that_means_something_else_changes_nothing(plugin):
    for other in ("", "relative", str(plugin.parent), "/", "/elsewhere"):
        assert not settings.served({"PLUGIN_ROOT": other})["lost"]


def test_a_hook_that_names_no_folder_is_not_for_the_plugins_repository(plugin):
    started = {"PLUGIN_ROOT": str(plugin)}
    assert settings.hook_places(None, started)[0] is None
    assert settings.hook_places(str(plugin), started)[0] == str(plugin.parent)


def test_every_tool_says_so_and_what_to_do(lost):
    for era in ("2025-11-25", "2026-07-28"):
        talk = Talk(lost, era)
        assert "instructions" in talk.begin()
        assert len(talk.ask("tools/list")["result"]["tools"]) == 8
        said = talk.call("recall", query="anything")
        assert (said["isError"], said["error"]) == (True, "usage")
        assert "no project is known" in said["message"]
        assert "--root" in said["hint"]
        assert "VARVES_ROOT" in said["hint"]
        assert talk.call("remember", text="Tabs")["isError"]
        assert talk.ask("resources/list")["result"]["resources"] == []
        assert "no project" in talk.ask("resources/read", uri="varves://graph")["error"]["message"]
        talk.server.look()


def test_who_waits_for_changes_is_not_turned_away(lost):
    talk = Talk(lost, "2026-07-28")
    talk.begin()
    talk.send("subscriptions/listen", notifications={"resourcesListChanged": True})
    talk.server.look()
    assert [one["method"] for one in talk.heard] == ["notifications/subscriptions/acknowledged"]


def test_the_one_folder_a_client_works_in_is_the_project(lost, project, ledger):
    ledger.remember("Deploys are on Friday")
    (project / "a b").mkdir()
    talk = listening(lost, **ROOTS)
    answers(talk, f"file://{project}/a%20b")
    assert [one["text"] for one in talk.call("recall", query="deploys")["memories"]] == [
        "Deploys are on Friday"
    ]


def test_of_several_folders_none_is_taken_and_a_change_is_heard_of(lost, project, tmp_path):
    (tmp_path / "second").mkdir()
    talk = listening(lost, **ROOTS)
    answers(talk, f"file://{project}", f"file://{tmp_path}/second")
    assert talk.call("recall", query="x")["isError"]
    talk.tell("notifications/roots/list_changed")
    answers(talk, f"file://{project}")
    assert talk.call("remember", text="Tabs")["status"] == "recorded"
    talk.tell("notifications/roots/list_changed")
    answers(talk, f"file://{tmp_path}/second")
    assert talk.call("recall", query="tabs")["memories"] == []
    talk.tell("notifications/roots/list_changed")
    answers(talk)
    assert talk.call("recall", query="tabs")["isError"]


@each_row(
    "folder",
    [
        *("", "file:", "file://", "/etc", "https://example.org/etc", "file://[", "file://host/etc"),
        *("file:///no/such", "file:///etc%00", "file:///\ud800", 3, None, [], {}),
    ],
)
def test_a_root_that_is_not_a_local_folder_gives_no_project(lost, folder):
    talk = listening(lost, **ROOTS)
    answers(talk, folder)
    assert talk.call("recall", query="x")["isError"]


def test_only_who_has_folders_is_asked_and_only_where_no_project_is_known(lost, catalogue):
    assert listening(lost).heard == []
    talk = Talk(catalogue, "2025-11-25")
    talk.begin(**ROOTS)
    assert talk.heard == []


def test_a_refusal_to_tell_and_an_answer_nobody_asked_for_change_nothing(lost):
    talk = listening(lost, **ROOTS)
    [asked] = talk.heard
    for answer in ({"error": {"code": -1, "message": "no"}}, {"result": {"roots": []}}):
        talk.server.receive({"jsonrpc": "2.0", "id": asked["id"], **answer})
    talk.heard.clear()
    assert talk.call("recall", query="x")["isError"]


def test_the_verb_starts_so(plugin, project, cli, monkeypatch):
    monkeypatch.setenv("PLUGIN_ROOT", str(plugin))
    hello = {"protocolVersion": "2025-11-25", "capabilities": ROOTS}
    recall = {"name": "recall", "arguments": {"query": "nobody"}}
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": recall},
    ]
    frames = "".join(f"{json.dumps(one)}\n" for one in asked).encode()
    told = [json.loads(line) for line in cli("mcp", stdin=frames, cwd=plugin).out.splitlines()]
    assert [one.get("method") for one in told] == [None, "roots/list", None]
    assert told[2]["result"]["isError"]
    named = cli("mcp", "--root", str(project), stdin=frames, cwd=plugin).out.splitlines()
    assert json.loads(named[1])["result"]["structuredContent"]["memories"] == []

"""Resources, prompts and completions, and who hears of changes."""

from __future__ import annotations

import json
import threading

import pytest

import varves
from varves.mcp.eras import STREAM
from varves.mcp.messages import PAGE

TEMPLATES = ["varves://memory/{id}", "varves://scope/{scope}", "varves://conversation/{name}"]


def read(talk, uri):
    [content] = talk.ask("resources/read", uri=uri)["result"]["contents"]
    assert content["uri"] == uri
    return json.loads(content["text"]) if "json" in content["mimeType"] else content["text"]


def complete(talk, ref, name, value=""):
    kind = "ref/resource" if "://" in ref else "ref/prompt"
    place = {"type": kind, "uri" if "://" in ref else "name": ref}
    argument = {"name": name, "value": value}
    return talk.ask("completion/complete", ref=place, argument=argument)["result"]["completion"]


@pytest.fixture
def told(ledger):
    """A project with something of every kind."""
    ledger.init(protocols=["layers"])
    memory = ledger.remember("Deploys are on Friday", tags=["deploy", "Dates"])
    ledger.remember("Ours", scope="team:core core", tags=["team"])
    ledger.deliberation.begin("week 12 % x", topic="What to deploy")
    ledger.deliberation.say("ada", "I propose to deploy on Monday.", conversation="week 12 % x")
    return memory


@pytest.mark.full_size(sample=1)
def test_everything_there_is_can_be_listed_and_read(talk, told):
    rows = talk.ask("resources/list")["result"]["resources"]
    assert [row["uri"] for row in rows][:6] == [
        "varves://graph",
        "varves://context",
        "varves://scope/project",
        "varves://scope/session%3Aweek%2012%20%25%20x",
        "varves://scope/team%3Acore%20core",
        "varves://conversation/week%2012%20%25%20x",
    ]
    for row in rows:
        assert read(talk, row["uri"])
    assert read(talk, f"varves://memory/{told.id}")["text"] == "Deploys are on Friday"
    assert read(talk, "varves://scope/team:core core")["memories"][0]["text"] == "Ours"
    assert read(talk, "varves://conversation/week%2012%20%25%20x")["topic"] == "What to deploy"
    assert "Knowledge Graph" in read(talk, "varves://graph")


def test_templates_name_what_can_be_read(talk):
    rows = talk.ask("resources/templates/list")["result"]["resourceTemplates"]
    assert [row["uriTemplate"] for row in rows] == TEMPLATES


def test_what_is_not_there_is_told_in_the_eras_own_code(talk):
    code = -32602 if talk.modern else -32002
    for path in ("memory/mem_nothing00000", "conversation/none", "graph", "context"):
        assert talk.ask("resources/read", uri=f"varves://{path}")["error"]["code"] == code


def test_other_addresses_are_no_addresses(talk):
    for uri in ("", "x", "varves://", "varves://memory", "varves://graph/x", "file:///etc/x", 3):
        assert talk.ask("resources/read", uri=uri)["error"]["code"] == -32602


def test_long_lists_come_in_pages(talks, ledger):
    ledger.remember_many({"text": f"Note {n}", "scope": f"team:t{n}"} for n in range(PAGE))
    talk = talks()
    first = talk.ask("resources/list")["result"]
    assert len(first["resources"]) == PAGE
    rest = talk.ask("resources/list", cursor=first["nextCursor"])["result"]
    assert "nextCursor" not in rest
    assert not {one["uri"] for one in rest["resources"]} & {
        one["uri"] for one in first["resources"]
    }
    for cursor in ("0", "-1", "x", "99999999999999999999", 5, "²"):
        assert talk.ask("resources/list", cursor=cursor)["error"]["code"] == -32602


def test_names_in_use_complete_an_argument(talk, told):
    assert complete(talk, TEMPLATES[0], "id", told.id[:6])["values"] == [told.id]
    assert complete(talk, TEMPLATES[1], "scope", "team")["values"] == ["team:core core"]
    assert complete(talk, TEMPLATES[2], "name")["values"] == ["week 12 % x"]
    assert complete(talk, "review", "tag", "d")["values"] == ["deploy", "Dates"]
    assert "USER" in complete(talk, "handoff", "to", "u")["values"]
    assert complete(talk, "recall", "query", "x") == {"values": [], "total": 0, "hasMore": False}
    for ref, name in (("nope", "x"), ("recall", "x"), ("varves://x/{y}", "y"), (TEMPLATES[0], "x")):
        kind = "ref/resource" if "://" in ref else "ref/prompt"
        place = {"type": kind, "uri" if "://" in ref else "name": ref}
        asked = {"ref": place, "argument": {"name": name, "value": ""}}
        assert talk.ask("completion/complete", **asked)["error"]["code"] == -32602


def test_prompts_become_a_message_with_memories_fenced(talk, told):
    prompts = talk.ask("prompts/list")["result"]["prompts"]
    assert [one["name"] for one in prompts] == ["recall", "handoff", "review"]
    said = {}
    for name, given in (
        ("recall", {"query": "deploys?"}),
        ("handoff", {"to": "bo"}),
        ("review", {}),
    ):
        found = talk.ask("prompts/get", name=name, arguments=given)["result"]
        [message] = found["messages"]
        said[name] = message["content"]["text"]
    assert "Deploys are on Friday" in said["recall"].partition("<varves-memory-")[2]
    assert "to: bo" in said["handoff"]
    for name, given in (
        ("nope", {}),
        ("recall", {}),
        ("recall", {"x": "y"}),
        ("review", {"tag": 1}),
    ):
        assert talk.ask("prompts/get", name=name, arguments=given)["error"]["code"] == -32602


def test_a_subscriber_hears_of_what_changed_and_of_nothing_else(talks, project, ledger):
    made = ledger.remember("Deploys are on Friday")
    other = ledger.remember("Lunch is at noon")
    talk = talks()
    for one in (made, other):
        assert talk.ask("resources/subscribe", uri=f"varves://memory/{one.id}")["result"] == {}
    talk.server.look()
    assert talk.heard == []
    with varves.open(str(project)) as elsewhere:  # as another process would
        elsewhere.edit(made.id, tag=["+x"])
    talk.server.look()
    [told] = talk.heard
    assert told["method"] == "notifications/resources/updated"
    assert told["params"] == {"uri": f"varves://memory/{made.id}"}
    talk.heard.clear()
    talk.ask("resources/unsubscribe", uri=f"varves://memory/{made.id}")
    ledger.edit(made.id, tag=["+y"])
    talk.server.look()
    assert talk.heard == []


def test_a_stream_is_acknowledged_first_and_tells_only_what_it_was_asked_for(talks, ledger):
    made = ledger.remember("Deploys are on Friday")
    uri = f"varves://memory/{made.id}"
    talk = talks("2026-07-28")
    wanted = {"resourceSubscriptions": [uri], "toolsListChanged": True, "resourcesListChanged": 0}
    number = talk.send("subscriptions/listen", notifications=wanted)
    [told] = talk.heard
    assert told["method"] == "notifications/subscriptions/acknowledged"
    assert told["params"]["notifications"] == {"resourceSubscriptions": [uri]}
    assert told["params"]["_meta"] == {STREAM: number}
    talk.heard.clear()
    ledger.edit(made.id, tag=["+x"])
    ledger.remember("Something else")
    talk.server.look()
    [told] = talk.heard
    assert told["params"] == {"_meta": {STREAM: number}, "uri": uri}
    talk.heard.clear()
    talk.tell("notifications/cancelled", requestId=number)
    ledger.edit(made.id, tag=["+y"])
    talk.server.look()
    assert talk.heard == []


def test_a_stream_that_the_server_ends_gets_its_result(talks):
    talk = talks("2026-07-28")
    number = talk.send("subscriptions/listen", notifications={"resourcesListChanged": True})
    talk.heard.clear()
    talk.server.close()
    assert talk.answer(number)["result"]["_meta"] == {STREAM: number}


def test_who_has_the_list_hears_when_it_changes(talk, ledger):
    if talk.modern:
        talk.send("subscriptions/listen", notifications={"resourcesListChanged": True})
    talk.ask("resources/list")
    talk.heard.clear()
    talk.server.look()
    assert talk.heard == []
    ledger.remember("Ours", scope="team:core")
    talk.server.look()
    [told] = talk.heard
    assert told["method"] == "notifications/resources/list_changed"


def test_changes_are_found_by_a_thread_of_its_own(catalogue, talks, ledger):
    made = ledger.remember("Deploys are on Friday")
    heard = threading.Event()
    talk = talks(every=0.01, told=lambda message: "method" in message and heard.set())
    talk.ask("resources/subscribe", uri=f"varves://memory/{made.id}")
    ledger.edit(made.id, tag=["+x"])
    assert heard.wait(20)
    talk.server.close()


def test_a_stream_of_nothing_known_is_refused(talks):
    talk = talks("2026-07-28")
    for uris in ("x", [1], ["file:///x"]):
        wanted = {"resourceSubscriptions": uris}
        assert talk.ask("subscriptions/listen", notifications=wanted)["error"]["code"] == -32602
    assert talk.ask("subscriptions/listen")["error"]["code"] == -32602

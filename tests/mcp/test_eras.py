"""Both eras from one process, chosen by each request."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.tables import each_row
from varves.mcp.catalogue import VERSION as OURS
from varves.mcp.eras import ABILITIES, SERVER, SHAKEN, VERSION

CACHED = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")


@each_row("version", SHAKEN)
def test_a_handshake_gives_the_version_that_was_asked_for(talks, version):
    begun = talks(version, begun=False).begin()
    assert begun["protocolVersion"] == version
    assert begun["serverInfo"]["name"] == "varves"


@pytest.mark.parametrize("version", ["2019-01-01", "2026-07-28", "x"])
def test_an_unknown_version_gets_the_newest_that_shakes_hands(talks, version):
    talk = talks(begun=False)
    answer = talk.ask("initialize", protocolVersion=version, capabilities={}, clientInfo={})
    assert answer["result"]["protocolVersion"] == "2025-11-25"


def test_results_of_the_handshakes_era_carry_nothing_of_the_other(talks):
    talk = talks()
    for method in CACHED:
        result = talk.ask(method)["result"]
        assert not {"resultType", "ttlMs", "cacheScope", "_meta"} & result.keys()
    assert talk.ask("ping")["result"] == {}


def test_results_of_the_newer_era_say_what_they_are_and_how_long_they_hold(talks):
    talk = talks("2026-07-28")
    for method in CACHED:
        result = talk.ask(method)["result"]
        assert result["resultType"] == "complete"
        assert result["ttlMs"] >= 0
        assert result["cacheScope"] in {"public", "private"}
        assert result["_meta"][SERVER]["name"] == "varves"
    called = talk.ask("tools/call", name="brief")["result"]
    assert called["resultType"] == "complete"
    assert "ttlMs" not in called
    assert talk.ask("ping")["error"]["code"] == -32601


def test_discovery_names_every_version(talks):
    found = talks("2026-07-28", begun=False).begin()
    assert found["supportedVersions"] == ["2026-07-28", *SHAKEN]
    assert found["instructions"]
    assert found["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}


def test_one_connection_may_speak_both(talks):
    talk = talks()
    talk.era = "2026-07-28"
    assert talk.ask("server/discover")["result"]["resultType"] == "complete"
    talk.era = "2025-11-25"
    assert talk.ask("ping")["result"] == {}
    assert talk.ask("server/discover")["error"]["code"] == -32601


def test_an_envelope_must_be_whole_and_of_a_known_version(talks):
    talk = talks(begun=False)
    for meta in (
        {VERSION: "2026-07-28"},
        {VERSION: 3, ABILITIES: {}},
        {VERSION: "x", ABILITIES: 1},
    ):
        assert talk.ask("tools/list", _meta=meta)["error"]["code"] == -32602
    error = talk.ask("tools/list", _meta={VERSION: "2031-01-01", ABILITIES: {}})["error"]
    assert error["code"] == -32022
    assert error["data"]["requested"] == "2031-01-01"
    assert "2026-07-28" in error["data"]["supported"]


def test_before_either_only_ping_is_answered(talks):
    talk = talks(begun=False)
    assert talk.ask("ping")["result"] == {}
    assert talk.ask("tools/list")["error"]["code"] == -32602
    assert talk.ask("no/such")["error"]["code"] == -32601
    assert talk.ask("initialize")["error"]["code"] == -32602


def test_a_list_of_messages_is_for_the_one_version_that_has_it(talks):
    ping = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    old = talks("2025-03-26")
    old.server.receive([ping, told, {**ping, "id": 8}, 5])
    [batch] = old.heard
    assert [(one["id"], "result" in one) for one in batch] == [(7, True), (8, True), (None, False)]
    later = talks("2025-06-18")
    later.server.receive([ping])
    assert later.heard[0]["error"]["code"] == -32600


def test_our_version_is_that_of_the_package():
    project = tomllib.loads(Path(ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == OURS


def test_a_client_without_hooks_is_briefed_in_the_instructions(talks, ledger):
    ledger.remember("Never deploy on a Friday", priority="critical")
    more = (
        {"text": f"Service {n} is owned by the team that wrote it, number {n}"} for n in range(200)
    )
    ledger.remember_many(more)
    assert "Friday" not in talks(begun=False).begin()["instructions"]
    for era in ("2025-11-25", "2026-07-28"):
        said = talks(era, begun=False, name="goose-desktop").begin()["instructions"]
        assert "Never deploy on a Friday" in said
        assert "<varves-memory-" in said
        assert len(said.encode()) <= 2000

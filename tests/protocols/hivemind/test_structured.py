"""Structured contents: wherever a reader gets the text of an entry, each value has its key."""

from __future__ import annotations

import json

import pytest

PORTS = {"billing": 7001, "search": "7002 (internal)", "tls": True, "note": None}
TERMS = {"terms": {"SKU": "stock keeping unit", "RMA": "return to the seller"}}


@pytest.fixture
def written(varves, project):
    """Record a table of ports, and fill in the document of terms."""

    def run(*arguments, **given):
        return varves(*arguments, **given)

    about = ("--type", "factual", "--tag", "ports", "--agent", "DEV-001")
    run("hivemind", "write", *about, "--content", json.dumps(PORTS))
    path = project / "terms.json"
    path.write_text(json.dumps(TERMS), encoding="utf-8")
    assert run("hivemind", "document", "terminology", str(path)).code == 0
    return run


def test_recall_shows_the_keys(written):
    said = written("recall", "which ports does search use").out
    assert "billing: 7001" in said
    assert "search: 7002 (internal)" in said
    assert "tls: true" in said
    assert "note" not in said


def test_brief_shows_the_keys(written):
    said = written("brief").out
    assert "terms.SKU: stock keeping unit" in said
    assert "terms.RMA: return to the seller" in said


def test_a_hook_shows_the_keys(written, project):
    call = {"session_id": "s1", "cwd": str(project), "hook_event_name": "UserPromptSubmit"}
    prompt = json.dumps({**call, "prompt": "Which port does search listen on, 7002?"})
    said = written("hook", "UserPromptSubmit", "--client", "claude-code", stdin=prompt).out
    assert "search: 7002 (internal)" in json.loads(said)["hookSpecificOutput"]["additionalContext"]


def test_a_plain_text_stays_as_it_is(varves):
    text = "Ports of search: 7002"
    varves("hivemind", "write", "--type", "factual", "--content", text, "--agent", "DEV-001")
    assert f"  {text}\n" in varves("recall", "search ports").out


def test_a_text_comes_before_the_other_fields(varves):
    content = json.dumps({"because": "the CDN caches it", "text": "Purge after a release"})
    about = ("--type", "procedural", "--agent", "DEV-001")
    varves("hivemind", "write", *about, "--content", content)
    said = varves("recall", "purge after a release").out
    assert said.index("Purge after a release") < said.index("because: the CDN caches it")

"""A briefing and recall never show a document that nobody has filled in yet."""

from __future__ import annotations

import json

DOCUMENT = "memory/projects/project/context.json"


def test_empty_documents_are_not_in_the_brief(cli):
    assert cli("init", "--protocol", "hivemind").code == 0
    assert cli("brief").out == ""
    assert cli("remember", "Deploys happen on Mondays").code == 0
    said = cli("brief").out
    assert "Deploys happen on Mondays" in said
    assert "Terms and their definitions" not in said
    assert "Context of the project" not in said


def test_a_document_is_in_the_brief_once_it_says_something(cli, project):
    assert cli("init", "--protocol", "hivemind").code == 0
    path = project / DOCUMENT
    document = json.loads(path.read_text(encoding="utf-8"))
    document["content"] = {"about": "A shop for used bicycles"}
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    assert cli("rebuild").code == 0
    assert "project" in cli("brief").out


def test_an_empty_document_answers_no_question(cli):
    assert cli("init", "--protocol", "hivemind").code == 0
    asked = "user preferences and profile information, terms and definitions"
    assert cli("recall", asked, "--all").out == ""
    told = cli("recall", asked, "--all", "--explain").out
    assert "a document that nobody has filled in yet" in told

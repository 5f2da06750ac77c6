"""The reference client, in both of its modes, over real processes."""

from __future__ import annotations

import json
import sys

import pytest

import varves


def play(project, mode, ledger):
    """Go through everything once, as a host would."""
    import anyio  # as dear to import as the rest of these tests to run
    from mcp import Client, StdioServerParameters
    from mcp_types import ElicitResult

    ledger.remember("The database port of billing is 5432")
    done = ledger.remember("The database port of billing is 6543")
    conflict = done.conflicts[0].conflict
    asked = []

    async def elicit(_context, params):
        asked.append(params)
        choice = params.requested_schema["properties"]["choice"]["enum"][0]
        return ElicitResult(action="accept", content={"choice": choice})

    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "varves", "mcp"], cwd=str(project)
    )

    async def talk():
        with anyio.fail_after(60):
            async with Client(parameters, mode=mode, elicitation_callback=elicit) as client:
                tools = await client.list_tools()
                assert len(tools.tools) == 8
                made = await client.call_tool("remember", {"text": "We use Zod", "tags": ["zod"]})
                found = await client.call_tool("recall", {"query": "zod"})
                assert json.loads(found.content[0].text) == found.structured_content
                assert found.structured_content["memories"][0]["text"] == "We use Zod"
                settled = await client.call_tool("conflicts", {"id": conflict})
                assert settled.structured_content["settled"] == conflict
                name = made.structured_content["id"]
                read = await client.read_resource(f"varves://memory/{name}")
                assert json.loads(read.contents[0].text)["text"] == "We use Zod"
                listed = await client.list_resources()
                assert any(str(one.uri).endswith(name) for one in listed.resources)
                templates = await client.list_resource_templates()
                assert len(templates.resource_templates) == 3
                prompts = await client.list_prompts()
                assert [one.name for one in prompts.prompts] == ["recall", "handoff", "review"]
                prompt = await client.get_prompt("recall", {"query": "zod"})
                assert "We use Zod" in prompt.messages[0].content.text
                wrong = await client.call_tool("show", {"id": "mem_nothing00000"})
                assert wrong.is_error
                return client.protocol_version

    version = anyio.run(talk)
    assert len(asked) == 1
    assert ledger.conflicts() == ()
    return version


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_the_reference_client_gets_along(project, ledger, mode, version):
    assert play(project, mode, ledger) == version
    with varves.open(str(project)) as elsewhere:
        assert {one.created_by for one in elsewhere.list()} >= {"mcp"}

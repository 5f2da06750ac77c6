"""What the conformance suites ask a server for by name, as a catalogue on our protocol layer.

`python -m tests.clients.fixture` serves it as `varves mcp --http` serves the memories, and says
where; the token, which the suites cannot send, is put on every request on its way in.
"""

from __future__ import annotations

import json
import socket
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from varves.mcp.elicitation import filled, form
from varves.mcp.faults import BAD_PARAMS, Ask, Fault

if TYPE_CHECKING:
    from varves.mcp.eras import Caller
    from varves.mcp.port import Call, Json

TOKEN = "the suites know none"  # noqa: S105 - no secret
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
NO_ABILITY = -32021
STRING, NONE = {"type": "string"}, {"type": "object", "properties": {}}


def text(said: str) -> Json:
    """Return a text as content."""
    return {"type": "text", "text": said}


IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}


def embedded(uri: str, **more: str) -> Json:
    """Return a resource as content."""
    told = {"uri": uri, "mimeType": "text/plain", "text": "This is an embedded resource content."}
    return {"type": "resource", "resource": {**told, **more}}


CONTENTS = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_logging_tool": [text("It has nothing to log.")],
    "test_image_content": [IMAGE],
    "test_audio_content": [AUDIO],
    "test_embedded_resource": [embedded("test://embedded-resource")],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        IMAGE,
        embedded(
            "test://mixed-content-resource", mimeType="application/json", text='{"test": "data"}'
        ),
    ],
}
NAME_FORM = form("What is your name?", {"name": STRING}, ["name"])
FORMS: dict[str, dict[str, Json]] = {
    "test_elicitation": {
        "answer": form("", {"username": STRING, "email": STRING}, ["username", "email"])
    },
    "test_elicitation_sep1034_defaults": {
        "answer": form(
            "Please review",
            {
                "name": {"type": "string", "default": "John Doe"},
                "age": {"type": "integer", "default": 30},
                "score": {"type": "number", "default": 95.5},
                "status": {
                    "type": "string",
                    "enum": ["active", "inactive", "pending"],
                    "default": "active",
                },
                "verified": {"type": "boolean", "default": True},
            },
            [],
        )
    },
    "test_elicitation_sep1330_enums": {"answer": form("Please choose", {}, [])},
    "test_input_required_result_elicitation": {"user_name": NAME_FORM},
    "test_streaming_elicitation": {"user_name": NAME_FORM},
    "test_input_required_result_request_state": {
        "confirm": form("Please confirm", {"ok": {"type": "boolean"}}, ["ok"])
    },
    "test_input_required_result_tampered_state": {
        "confirm": form("Please confirm", {"ok": {"type": "boolean"}}, ["ok"])
    },
}
VALUES = ["option1", "option2", "option3"]
TITLED = [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]
FORMS["test_elicitation_sep1330_enums"]["answer"]["requestedSchema"]["properties"] = {
    "untitledSingle": {"type": "string", "enum": VALUES},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": VALUES}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}
STEPS = (
    ("step1", form("Step 1: What is your name?", {"name": STRING}, ["name"])),
    ("step2", form("Step 2: What is your favorite color?", {"color": STRING}, ["color"])),
)
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": STRING, "city": STRING},
        }
    },
    "properties": {
        "name": STRING,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": STRING,
        "email": STRING,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
TAKES = {
    "test_elicitation": {
        "type": "object",
        "properties": {"message": STRING},
        "required": ["message"],
    },
    "json_schema_2020_12_tool": SCHEMA,
    "test_custom_headers": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
    },
}
TOOLS = (
    *CONTENTS,
    *FORMS,
    *("test_error_handling", "test_tool_with_progress", "test_input_required_result_multi_round"),
    *("json_schema_2020_12_tool", "test_custom_headers", "test_missing_capability"),
)
RESOURCES = {
    "test://static-text": {
        "mimeType": "text/plain",
        "text": "This is the content of the static text resource.",
    },
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched resource content"},
}
PROMPTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


class Fixture:
    """A catalogue that is there for its form only."""

    server: ClassVar[Json] = {"name": "fixture", "title": "Fixture", "version": "1.0.0"}
    abilities: ClassVar[Json] = {
        "tools": {},
        "resources": {"subscribe": True, "listChanged": True},
        "prompts": {},
        "completions": {},
    }

    def instructions(self, client: Caller) -> str:
        return f"For {client.name or 'anybody'}."

    def tools(self) -> list[Json]:
        return [
            {
                "name": name,
                "description": name.replace("_", " "),
                "inputSchema": TAKES.get(name, NONE),
            }
            for name in TOOLS
        ]

    def call(self, name: str, arguments: Json, call: Call) -> Json:
        if name in CONTENTS:
            return {"content": CONTENTS[name]}
        if name in FORMS:
            answers = self._asked(FORMS[name], arguments, call)
            told = " ".join(
                ["state-ok", *(f"{key}: {json.dumps(said)}" for key, said in answers.items())]
            )
            return {"content": [text(f"Hello, {told}!")]}
        if name == "test_input_required_result_multi_round":
            return self._stepped(call)
        if name == "test_error_handling":
            told = text("This tool intentionally returns an error for testing")
            return {"isError": True, "content": [told]}
        if name == "test_missing_capability":
            raise Fault(
                NO_ABILITY, "sampling is needed", {"requiredCapabilities": {"sampling": {}}}
            )
        if name == "test_tool_with_progress":
            self._progressed(call)
        elif name not in TOOLS:
            raise Fault(BAD_PARAMS, f"Unknown tool: {name}")
        return {"content": [text(json.dumps(arguments))]}

    def _asked(self, forms: dict[str, Json], arguments: Json, call: Call) -> Json:
        found = {key: filled(call.answers.get(key)) for key in forms}
        declined = any(
            isinstance(said, dict) and "action" in said for said in call.answers.values()
        )
        if any(said is None for said in found.values()) and not declined:
            message = arguments.get("message")
            raise Ask(
                {key: {**one, "message": message or one["message"]} for key, one in forms.items()},
                "0",
            )
        return {key: call.answers[key].get("action") and found[key] for key in forms}

    def _stepped(self, call: Call) -> Json:
        at = int(call.state or 0)
        if call.state is not None and STEPS[at][0] in call.answers:
            at += 1
        if at < len(STEPS):
            raise Ask(dict([STEPS[at]]), str(at))
        return {"content": [text("All steps are done.")]}

    def _progressed(self, call: Call) -> None:
        import threading

        for done in (0, 50, 100):
            call.progress(done)
            threading.Event().wait(0.12)  # it is told ten times a second at most

    def resources(self, _call: Call) -> list[Json]:
        return [{"uri": uri, "name": uri.removeprefix("test://")} for uri in RESOURCES]

    def templates(self) -> list[Json]:
        return [{"uriTemplate": "test://template/{id}/data", "name": "template"}]

    def read(self, uri: str, _call: Call) -> list[Json]:
        if uri in RESOURCES:
            return [{"uri": uri, **RESOURCES[uri]}]
        if uri.startswith("test://template/") and uri.endswith("/data"):
            number = uri.split("/")[3]
            told = {"id": number, "templateTest": True, "data": f"Data for ID: {number}"}
            return [{"uri": uri, "mimeType": "application/json", "text": json.dumps(told)}]
        raise Fault(BAD_PARAMS, "Resource not found", {"uri": uri})

    def prompts(self) -> list[Json]:
        return [
            {
                "name": name,
                "description": name.replace("_", " "),
                "arguments": [
                    {"name": one, "description": one, "required": True} for one in arguments
                ],
            }
            for name, arguments in PROMPTS.items()
        ]

    def prompt(self, name: str, arguments: Json, call: Call) -> Json:
        if name not in PROMPTS:
            raise Fault(BAD_PARAMS, f"Unknown prompt: {name}")
        arguments = {**dict.fromkeys(("arg1", "arg2")), **arguments}
        told = {
            "test_simple_prompt": [text("This is a simple prompt for testing.")],
            "test_prompt_with_arguments": [
                text("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'".format(**arguments))
            ],
            "test_prompt_with_embedded_resource": [
                embedded(str(arguments.get("resourceUri"))),
                text("Please process the embedded resource above."),
            ],
            "test_prompt_with_image": [IMAGE, text("Please analyze the image above.")],
        }
        if name not in told:
            asked = form("What context should the prompt use?", {"context": STRING}, ["context"])
            told[name] = [text(json.dumps(self._asked({"user_context": asked}, {}, call)))]
        return {"messages": [{"role": "user", "content": one} for one in told[name]]}

    def complete(self, _ref: Json, _argument: Json, _call: Call) -> Json:
        return {"values": [], "total": 0, "hasMore": False}

    def pulse(self, _client: Caller) -> object:
        return 0

    def fingerprint(self, uri: str | None, _client: Caller) -> str:
        return uri or ""

    def close(self) -> None:
        """Nothing is open."""


def main() -> None:
    """Serve until the process is ended."""
    import uvicorn

    from varves.loopback.gate import Gate
    from varves.mcp.bearer import Bearer
    from varves.mcp.http import PATH, app

    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    port = bound.getsockname()[1]
    gate = Gate(app(Fixture(), every=0.2), port=port, passes=Bearer(TOKEN))

    async def known(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            token = (b"authorization", f"Bearer {TOKEN}".encode())
            scope = {**scope, "headers": [*scope["headers"], token]}
        await gate(scope, receive, send)

    sys.stdout.write(f"http://127.0.0.1:{port}{PATH}\n")
    sys.stdout.flush()
    uvicorn.Server(uvicorn.Config(known, log_level="warning", ws="none")).run(sockets=[bound])


if __name__ == "__main__":
    main()

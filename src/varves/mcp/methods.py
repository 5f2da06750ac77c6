"""The methods of both eras of MCP: each reads its parameters and calls the catalogue."""

from __future__ import annotations

from varves.mcp.eras import ENVELOPED, SHAKEN
from varves.mcp.faults import BAD_PARAMS, Fault
from varves.mcp.messages import arguments, paged, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.mcp.port import Call, Catalogue, Json
    from varves.mcp.subscriptions import Subscriptions

    Method = Callable[["Room", Json, Call], Json]


class Room:
    """What the methods of MCP work on: a catalogue, and the subscriptions to its changes."""

    __slots__ = ("catalogue", "subscriptions")

    def __init__(self, catalogue: Catalogue, subscriptions: Subscriptions) -> None:
        self.catalogue = catalogue
        self.subscriptions = subscriptions


def _initialize(room: Room, _params: Json, call: Call) -> Json:
    return {
        "protocolVersion": call.client.version,
        "capabilities": room.catalogue.abilities,
        "serverInfo": room.catalogue.server,
        "instructions": room.catalogue.instructions(call.client),
    }


def _discover(room: Room, _params: Json, call: Call) -> Json:
    return {
        "supportedVersions": [*ENVELOPED, *SHAKEN],
        "capabilities": room.catalogue.abilities,
        "instructions": room.catalogue.instructions(call.client),
    }


def _ping(_room: Room, _params: Json, _call: Call) -> Json:
    return {}


def _tools(room: Room, params: Json, _call: Call) -> Json:
    return paged("tools", room.catalogue.tools(), params)


def _prompts(room: Room, params: Json, _call: Call) -> Json:
    return paged("prompts", room.catalogue.prompts(), params)


def _templates(room: Room, params: Json, _call: Call) -> Json:
    return paged("resourceTemplates", room.catalogue.templates(), params)


def _resources(room: Room, params: Json, call: Call) -> Json:
    if not call.client.modern:
        room.subscriptions.follow_list(call.client)
    return paged("resources", room.catalogue.resources(call), params)


def _read(room: Room, params: Json, call: Call) -> Json:
    return {"contents": room.catalogue.read(text(params, "uri"), call)}


def _call_tool(room: Room, params: Json, call: Call) -> Json:
    return room.catalogue.call(text(params, "name"), arguments(params), call)


def _prompt(room: Room, params: Json, call: Call) -> Json:
    return room.catalogue.prompt(text(params, "name"), arguments(params), call)


def _complete(room: Room, params: Json, call: Call) -> Json:
    ref, argument = params.get("ref"), params.get("argument")
    if not isinstance(ref, dict) or not isinstance(argument, dict):
        raise Fault(BAD_PARAMS, "completion/complete needs ref and argument, both objects")
    return {"completion": room.catalogue.complete(ref, argument, call)}


def _subscribe(room: Room, params: Json, call: Call) -> Json:
    room.subscriptions.subscribe(text(params, "uri"), call.client)
    return {}


def _unsubscribe(room: Room, params: Json, _call: Call) -> Json:
    room.subscriptions.unsubscribe(text(params, "uri"))
    return {}


_BOTH: dict[str, Method] = {
    "tools/list": _tools,
    "tools/call": _call_tool,
    "resources/list": _resources,
    "resources/templates/list": _templates,
    "resources/read": _read,
    "prompts/list": _prompts,
    "prompts/get": _prompt,
    "completion/complete": _complete,
}
LISTEN = "subscriptions/listen"
"""The only request that stays open; it is answered when its stream ends."""
OF_SHAKEN: dict[str, Method] = {
    **_BOTH,
    "initialize": _initialize,
    "ping": _ping,
    "resources/subscribe": _subscribe,
    "resources/unsubscribe": _unsubscribe,
}
OF_ENVELOPED: dict[str, Method] = {**_BOTH, "server/discover": _discover, LISTEN: _ping}
SLOW = frozenset(
    (
        *("tools/call", "resources/list", "resources/read", "prompts/get", "completion/complete"),
        *("resources/subscribe", "resources/unsubscribe", LISTEN),
    )
)
"""The methods that need the ledger, so that they may be slow."""
ASKABLE = ("tools/call", "prompts/get", "resources/read")
"""Methods whose result may be a question."""

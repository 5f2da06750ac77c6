"""Distinguishes the two eras of MCP, before and since its version 2026-07-28, for each request.

Up to version 2025-11-25 there is a handshake: `initialize` identifies the client for all its later
requests. Since 2026-07-28 there is no handshake: each request identifies the client in `_meta`, and
every result states its type. One process supports both: a request with an envelope in `_meta`
belongs to the newer era.
"""

from __future__ import annotations

from varves.mcp.faults import BAD_PARAMS, NO_VERSION, Fault
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHAKEN = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of MCP with a handshake, newest first."""
ENVELOPED = ("2026-07-28",)
"""Versions of MCP in which each request names its version."""
BATCHING = "2025-03-26"
"""The only version of MCP that has batches."""
_ELICITING = ("2025-11-25", "2025-06-18", *ENVELOPED)
_PREFIX = "io.modelcontextprotocol/"
VERSION = f"{_PREFIX}protocolVersion"
ABILITIES = f"{_PREFIX}clientCapabilities"
CLIENT = f"{_PREFIX}clientInfo"
SERVER = f"{_PREFIX}serverInfo"
STREAM = f"{_PREFIX}subscriptionId"
HOUR_MS = 3_600_000
_KEPT = {  # how long a client may cache a result, and whether it may share the cached result
    "server/discover": (HOUR_MS, "private"),
    "tools/list": (HOUR_MS, "public"),
    "prompts/list": (HOUR_MS, "public"),
    "resources/templates/list": (HOUR_MS, "public"),
    "resources/list": (0, "private"),
    "resources/read": (0, "private"),
}


class Caller(Value):
    """The client of a request, as it identifies itself."""

    version: str
    name: str = ""
    abilities: dict[str, Any] = {}  # noqa: RUF012 - values are frozen

    @property
    def modern(self) -> bool:
        """Whether the client names the version of MCP with each request."""
        return self.version in ENVELOPED

    @property
    def can_be_asked(self) -> bool:
        """Whether the client can show a form to a person."""
        asked = self.abilities.get("elicitation")
        if self.version not in _ELICITING or not isinstance(asked, dict):
            return False
        return not asked or "form" in asked


def handshake(params: dict[str, Any]) -> Caller:
    """Return the client that sent a handshake, with the version of MCP to use."""
    wanted = params.get("protocolVersion")
    if not isinstance(wanted, str):
        raise Fault(BAD_PARAMS, "initialize needs protocolVersion, a string")
    version = wanted if wanted in SHAKEN else SHAKEN[0]
    return _client(version, params.get("clientInfo"), params.get("capabilities"))


def envelope(params: dict[str, Any]) -> Caller | None:
    """Return the client that a request names in its envelope; None if it has no envelope.

    Raises:
        Fault: the envelope is incomplete, or names an unsupported version.
    """
    meta = params.get("_meta")
    if not isinstance(meta, dict) or VERSION not in meta:
        return None
    version = meta[VERSION]
    if not isinstance(version, str) or not isinstance(meta.get(ABILITIES), dict):
        raise Fault(BAD_PARAMS, f"_meta needs {VERSION}, a string, and {ABILITIES}, an object")
    if version not in ENVELOPED:
        more = {"supported": [*ENVELOPED, *SHAKEN], "requested": version}
        raise Fault(NO_VERSION, "Unsupported protocol version", more)
    return _client(version, meta.get(CLIENT), meta[ABILITIES])


def _client(version: str, who: Any, abilities: Any) -> Caller:
    if not isinstance(who, dict | None) or not isinstance(abilities, dict | None):
        raise Fault(BAD_PARAMS, "a client and its capabilities must be objects")
    name = (who or {}).get("name", "")
    if not isinstance(name, str):
        raise Fault(BAD_PARAMS, "a client's name must be a string")
    return Caller(version=version, name=name, abilities=abilities or {})


def finished(
    result: dict[str, Any], client: Caller, *, method: str, server: dict[str, Any]
) -> dict[str, Any]:
    """Return a result in the form that the client's era of MCP requires."""
    if not client.modern:
        return result
    whole = {"resultType": "complete", **result}
    if method in _KEPT and whole["resultType"] == "complete":
        whole["ttlMs"], whole["cacheScope"] = _KEPT[method]
    whole["_meta"] = {**result.get("_meta", {}), SERVER: server}
    return whole

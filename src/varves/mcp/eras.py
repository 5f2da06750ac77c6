"""The two eras of the protocol, told apart request by request.

Until 2025-11-25 a client shakes hands once: `initialize` says who it is, and every later request
rests on that. Since 2026-07-28 each request says it anew in `_meta`, there is no handshake, and
every result names its type. One process speaks both; an envelope in `_meta` decides.
"""

from __future__ import annotations

from varves.mcp.faults import BAD_PARAMS, NO_VERSION, Fault
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHAKEN = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Reached by a handshake, the newest first."""
ENVELOPED = ("2026-07-28",)
"""Named by each request."""
BATCHING = "2025-03-26"
"""The one version with batches."""
_ELICITING = ("2025-11-25", "2025-06-18", *ENVELOPED)
_PREFIX = "io.modelcontextprotocol/"
VERSION = f"{_PREFIX}protocolVersion"
ABILITIES = f"{_PREFIX}clientCapabilities"
CLIENT = f"{_PREFIX}clientInfo"
SERVER = f"{_PREFIX}serverInfo"
STREAM = f"{_PREFIX}subscriptionId"
HOUR_MS = 3_600_000
_KEPT = {  # how long a client may keep a result, and whether it may pass it on
    "server/discover": (HOUR_MS, "private"),
    "tools/list": (HOUR_MS, "public"),
    "prompts/list": (HOUR_MS, "public"),
    "resources/templates/list": (HOUR_MS, "public"),
    "resources/list": (0, "private"),
    "resources/read": (0, "private"),
}


class Caller(Value):
    """Who asks, by its own account."""

    version: str
    name: str = ""
    abilities: dict[str, Any] = {}  # noqa: RUF012 - values are frozen

    @property
    def modern(self) -> bool:
        """Whether it names the version with each request."""
        return self.version in ENVELOPED

    @property
    def can_be_asked(self) -> bool:
        """Whether it puts a form before a person."""
        asked = self.abilities.get("elicitation")
        if self.version not in _ELICITING or not isinstance(asked, dict):
            return False
        return not asked or "form" in asked


def handshake(params: dict[str, Any]) -> Caller:
    """Return the client that shakes hands, with the version both will speak."""
    wanted = params.get("protocolVersion")
    if not isinstance(wanted, str):
        raise Fault(BAD_PARAMS, "initialize needs protocolVersion, a text")
    version = wanted if wanted in SHAKEN else SHAKEN[0]
    return _client(version, params.get("clientInfo"), params.get("capabilities"))


def envelope(params: dict[str, Any]) -> Caller | None:
    """Return the client a request names in its envelope; None: it has none.

    Raises:
        Fault: the envelope is not whole, or names a version that is not spoken here.
    """
    meta = params.get("_meta")
    if not isinstance(meta, dict) or VERSION not in meta:
        return None
    version = meta[VERSION]
    if not isinstance(version, str) or not isinstance(meta.get(ABILITIES), dict):
        raise Fault(BAD_PARAMS, f"_meta needs {VERSION}, a text, and {ABILITIES}, an object")
    if version not in ENVELOPED:
        more = {"supported": [*ENVELOPED, *SHAKEN], "requested": version}
        raise Fault(NO_VERSION, "Unsupported protocol version", more)
    return _client(version, meta.get(CLIENT), meta[ABILITIES])


def _client(version: str, who: Any, abilities: Any) -> Caller:
    if not isinstance(who, dict | None) or not isinstance(abilities, dict | None):
        raise Fault(BAD_PARAMS, "a client and its capabilities are objects")
    name = (who or {}).get("name", "")
    if not isinstance(name, str):
        raise Fault(BAD_PARAMS, "a client's name is a text")
    return Caller(version=version, name=name, abilities=abilities or {})


def finished(
    result: dict[str, Any], client: Caller, *, method: str, server: dict[str, Any]
) -> dict[str, Any]:
    """Return a result in the form of the client's era."""
    if not client.modern:
        return result
    whole = {"resultType": "complete", **result}
    if method in _KEPT and whole["resultType"] == "complete":
        whole["ttlMs"], whole["cacheScope"] = _KEPT[method]
    whole["_meta"] = {**result.get("_meta", {}), SERVER: server}
    return whole

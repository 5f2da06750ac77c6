"""Completions of arguments: ids, scopes, tags, agents and conversations that are in use."""

from __future__ import annotations

from varves.mcp.faults import BAD_PARAMS, Fault
from varves.mcp.prompts import PROMPTS
from varves.mcp.resources import TEMPLATES
from varves.mcp.wordings import said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.ledger import Ledger
    from varves.mcp.port import Json

MOST = 100
_PROMPTS = {("handoff", "to"): "agent", ("review", "scope"): "scope", ("review", "tag"): "tag"}
_TEMPLATES = {"memory": "id", "scope": "scope", "conversation": "conversation"}


def complete(ledger: Ledger, ref: Json, argument: Json) -> Json:
    """Return values that an argument may have; those used by the newest memories come first."""
    begun = argument.get("value", "")
    if not isinstance(argument.get("name"), str) or not isinstance(begun, str):
        raise Fault(BAD_PARAMS, "an argument must have a name and a value, both strings")
    what = _what(ref, argument["name"])
    found = _values(ledger, what, begun) if what else []
    shown: list[str] = said(found[:MOST])
    return {"values": shown, "total": len(found), "hasMore": len(found) > MOST}


def _what(ref: Json, name: str) -> str | None:
    """Return the kind of name that an argument takes; None if it takes any text."""
    if ref.get("type") == "ref/prompt":
        shape = next((one for one in PROMPTS if one["name"] == ref.get("name")), None)
        if shape is not None and any(one["name"] == name for one in shape["arguments"]):
            return _PROMPTS.get((shape["name"], name))
    elif ref.get("type") == "ref/resource":
        shape = next((one for one in TEMPLATES if one["uriTemplate"] == ref.get("uri")), None)
        if shape is not None and f"{{{name}}}" in shape["uriTemplate"]:
            return _TEMPLATES[shape["name"]]
        if shape is None and ref.get("uri") in ("varves://graph", "varves://context"):
            return None
    raise Fault(BAD_PARAMS, "no such prompt, template or argument")


def _values(ledger: Ledger, what: str, begun: str) -> list[str]:
    if what == "conversation":
        names = [one.conversation for one in reversed(ledger.deliberation.list())]
        return [name for name in names if name.lower().startswith(begun.lower())]
    return ledger.offers.names(what, begun)

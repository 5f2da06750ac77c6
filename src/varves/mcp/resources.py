"""Resources under `varves://`: memories, scopes, conversations, graph and context."""

from __future__ import annotations

import os

from varves.errors import NotFound
from varves.mcp.faults import BAD_PARAMS, Fault
from varves.mcp.records import record, whole_record
from varves.mcp.wordings import NOTICE, compact, cut, said
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.ledger import Ledger
    from varves.mcp.port import Json

PREFIX = "varves://"
JSON, MARKDOWN = "application/json", "text/markdown"
LISTED = 30
"""How many memories are listed; any memory can be read by its id."""
SHOWN = 200
"""How many memories of a scope are in one answer."""
_TITLE = 80
_LAYERS = {"graph": ".memory/graph.md", "context": ".memory/context.md"}
_LOG = "CHANGELOG.md"
TEMPLATES: tuple[Json, ...] = (
    {
        "uriTemplate": f"{PREFIX}memory/{{id}}",
        "name": "memory",
        "title": "A memory",
        "description": "One memory whole, by its id.",
        "mimeType": JSON,
    },
    {
        "uriTemplate": f"{PREFIX}scope/{{scope}}",
        "name": "scope",
        "title": "A scope's memories",
        "description": "The memories of project, global, agent:NAME, team:NAME or session:ID.",
        "mimeType": JSON,
    },
    {
        "uriTemplate": f"{PREFIX}conversation/{{name}}",
        "name": "conversation",
        "title": "A conversation",
        "description": "What a deliberation decided, proposed and came to so far.",
        "mimeType": JSON,
    },
)


def listed(ledger: Ledger) -> list[Json]:
    """Return the resources of a ledger; collections come before single memories."""
    rows = [*_layers(ledger)]
    rows += (
        _row(f"scope/{quote(scope)}", f"scope {scope}", f"Memories of {scope}")
        for scope in sorted(ledger.offers.names("scope"))
    )
    for talk in ledger.deliberation.list():
        about = talk.topic or counted(talk.messages, "message")
        rows.append(
            _row(f"conversation/{quote(talk.conversation)}", talk.conversation, cut(about, _TITLE))
        )
    for memory in ledger.offers.newest(most=LISTED)[0]:
        title = cut(" ".join((memory.summary or memory.text).split()), _TITLE)
        rows.append(_row(f"memory/{memory.id}", memory.id, title))
    found: list[Json] = said(rows)
    return found


def _row(path: str, name: str, title: str, kind: str = JSON) -> Json:
    return {"uri": PREFIX + path, "name": name, "title": title, "mimeType": kind}


def _layers(ledger: Ledger) -> Iterator[Json]:
    titles = {"graph": "The knowledge graph", "context": "Where the work stands"}
    for name, path in _LAYERS.items():
        if os.path.isfile(f"{ledger.root}/{path}"):
            yield _row(name, name, titles[name], MARKDOWN)


def read(ledger: Ledger, uri: str) -> Json:
    """Return the content of a resource.

    Raises:
        NotFound: the resource does not exist.
        Fault: `uri` is not an address of this server.
    """
    kind, name = split(uri)
    if kind in _LAYERS:
        return {"uri": uri, "mimeType": MARKDOWN, "text": _layer(ledger, kind)}
    found = {"memory": _memory, "scope": _scope, "conversation": _conversation}[kind](ledger, name)
    return {"uri": uri, "mimeType": JSON, "text": compact(said(found))}


def split(uri: str) -> tuple[str, str]:
    """Return the kind and the name in the address of a resource."""
    kind, slash, name = uri.removeprefix(PREFIX).partition("/")
    plain = kind in _LAYERS and not slash
    if not uri.startswith(PREFIX) or not (plain or (kind in _KINDS and name)):
        raise Fault(BAD_PARAMS, f"not an address of this server: {cut(uri, 200)!a}")
    return kind, unquote(name)


_KINDS = ("memory", "scope", "conversation")


def _memory(ledger: Ledger, name: str) -> Json:
    return {"notice": NOTICE, **whole_record(ledger.offers.memory(name))}


def _scope(ledger: Ledger, name: str) -> Json:
    from varves.values.scope import scope

    wanted = scope(name, session=ledger.session, actor=ledger.actor)
    memories, total = ledger.offers.newest(scope=wanted, most=SHOWN)
    rows = [record(one) for one in memories]
    return {"notice": NOTICE, "scope": wanted, "memories": rows, "omitted": total - len(rows)}


def _conversation(ledger: Ledger, name: str) -> Json:
    if name not in {one.conversation for one in ledger.deliberation.list()}:
        raise NotFound(f"no conversation {name!a}", "varves deliberation list lists them")
    return {"notice": NOTICE, **ledger.deliberation.show(name).as_dict()}


def _layer(ledger: Ledger, kind: str) -> str:
    if not os.path.isfile(f"{ledger.root}/{_LAYERS[kind]}"):
        raise NotFound(f"there is no {kind} here", "varves layers init creates one")
    layers = ledger.layers
    shown = layers.graph_show() if kind == "graph" else layers.context(write=False)
    text: str = said(shown.text)
    return text


def stamp(ledger: Ledger) -> tuple[object, ...]:
    """Return a value that changes if any file changes from which resources are read."""
    found: list[object] = []
    for path in (*_LAYERS.values(), _LOG):
        try:
            seen = os.stat(f"{ledger.root}/{path}")
            found.append((seen.st_mtime_ns, seen.st_size))
        except OSError:
            found.append(None)
    return tuple(found)


def quote(name: str) -> str:
    """Return a name encoded for an address, in the way that RFC 6570 expands a template."""
    from urllib.parse import quote

    return quote(name, safe="")


def unquote(name: str) -> str:
    """Decode a name from an address."""
    from urllib.parse import unquote

    return unquote(name)

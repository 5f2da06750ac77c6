"""Decisions made in each protocol, and the views that bridges to the others make of them."""

from __future__ import annotations

import json
from typing import Any

from tests.consenting import write_settings

DAWN = "2026-11-15T08:00:00Z"
NOON = "2026-11-15T12:00:00Z"
DUSK = "2026-11-15T18:00:00Z"
AGENTS = ("ada", "ben")
TEXT = (
    "Payments are stored in PostgreSQL and nowhere else, because the books need transactions "
    "that reach across both of their tables"
)
SHORT = TEXT.partition(",")[0]  # what a party's memory has room for
OTHER = "Payments are stored in MySQL"
TARGETS = ("party", "layers", "scoped", "hivemind")
PAIRS = (
    *(("deliberation", target) for target in TARGETS),
    ("hivemind", "party"),
    ("hivemind", "layers"),
    ("hivemind", "scoped"),
    ("scoped", "hivemind"),
    ("party", "layers"),
    ("layers", "hivemind"),
)
SHOWN = ("active", "proposed")


def bridge(clone: Any, *lines: str) -> None:
    """Write a project's bridges."""
    text = f"bridges = {json.dumps(list(lines))}\n[hivemind]\nany_actor = true\n"
    write_settings(clone.root, text, clone.home)


def prepare(ledger: Any) -> None:
    """Let every protocol be ready: a log is begun, and two agents have sidecars."""
    ledger.init()
    ledger.layers.init(begin=True)
    ledger.party.start(agents=AGENTS)
    ledger.party.end()


def decide(ledger: Any, source: str, text: str = "") -> str:
    """Let somebody decide something in a protocol; return the record's id."""
    before = {one.id for one in ledger.list(status="all")}
    text = text or (SHORT if source == "party" else TEXT)
    if source == "deliberation":
        ledger.deliberation.begin(f"talk-{len(before)}", agents=AGENTS)
        ledger.deliberation.decide("storage", text, agent="ada", support=AGENTS)
    elif source == "hivemind":
        ledger.hivemind.write(text, type="semantic", subtype="decision")
    elif source == "scoped":
        ledger.scoped.write("project", type="decision", content=text)
    elif source == "layers":
        said = {"title": "Storage", "what": text, "why": "It was asked for."}
        ledger.layers.append(type="decision", scope="project", **said)
    else:
        ledger.party.start(agents=AGENTS)
        ledger.party.remember("ada", type="decision", content=text, confidence=1.0)
        ledger.party.end()
    [made] = [
        one.id
        for one in ledger.list(status="all")
        if one.id not in before and one.protocol == source and one.status == "active"
    ]
    return str(made)


def views(ledger: Any, record: str, *, standing: bool = True) -> list[Any]:
    """Return the views of a record, the oldest first; only those that stand, or all."""
    found = [one for one in ledger.list(status="all") if one.links.get("view_of") == [record]]
    return [one for one in reversed(found) if one.status in SHOWN or not standing]


def expected(target: str) -> list[tuple[str, str, str, str]]:
    """Return protocol, type, category and status of the views that a decision gets."""
    kind = "semantic" if target == "hivemind" else "decision"
    status = "proposed" if target in ("scoped", "layers") else "active"
    return [(target, kind, "decision", status)]


def told(view: Any) -> tuple[str, str, str, str]:
    """Return what `expected` says of a view."""
    return (view.protocol, view.type, view.category, view.status)

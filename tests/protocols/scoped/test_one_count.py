"""How many entries there are: the same in each verb, in the file and in the ledger's status."""

from __future__ import annotations

import json

import pytest

TEXTS = (
    "Use Zod for all input validation",
    "Retries need jitter",
    "Branches are named after tickets",
    "Node 18 is our runtime",
)
SHOP = "memory/projects/shop/memory.json"


def put(root, texts=TEXTS):
    """Write a file of entries as another tool would."""
    entries = [
        {
            "id": f"mem-{number:03}",
            "type": "pattern",
            "content": text,
            "confidence": 0.9,
            "created_at": "2026-02-15T14:20:00Z",
            "accessed_count": 0,
        }
        for number, text in enumerate(texts, 1)
    ]
    path = root / SHOP
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": "1.0", "entries": entries}), encoding="utf-8")


def counts(ledger, session):
    """Return how many entries of the project each verb shows."""
    begun = ledger.scoped.session_start(id=session, project="shop")
    return {
        len(ledger.scoped.list("project", "shop")),
        len(ledger.scoped.read("project", "shop")),
        len(ledger.scoped.rank("project", "shop")),
        begun.loaded["project:shop"],
        len(begun.entries),
        ledger.status()["memories"].get("active", 0),
    }


@pytest.mark.requirement("S2-02", "S2-50")
def test_a_file_of_another_tool_counts_all_its_entries(project, ledger):
    put(project)
    assert len(ledger.scoped.list("project", "shop")) == len(TEXTS)
    assert "the next write adopts 4 records" in ledger.scoped.core.notes[-1]
    assert counts(ledger, "s1") == {len(TEXTS)}
    assert len(json.loads((project / SHOP).read_text(encoding="utf-8"))["entries"]) == len(TEXTS)


def test_the_number_of_adopted_entries_is_that_of_the_file(project, ledger):
    put(project, TEXTS[:1])
    ledger.scoped.session_start(id="s1", project="shop")
    assert any("adopted 1 record " in note for note in ledger.scoped.core.notes)


def test_the_status_names_entries_that_wait_to_be_adopted(project, ledger, varves):
    ledger.scoped.init(project="shop")
    put(project)
    [line] = ledger.status()["edits"]
    assert line.startswith(f"{SHOP}: 4 records and no log of it")
    assert f"{SHOP}: 4 records" in varves("status").out


@pytest.mark.requirement("S2-23")
def test_an_expired_entry_counts_nowhere(clock, ledger, write):
    stored = [write(text) for text in TEXTS]
    ledger.edit(stored[1].memory, ttl="1h")
    ledger.scoped.forget(stored[2].id, scope="project", project="shop", reason="Outdated")
    clock.ms += 2 * 3_600_000
    assert counts(ledger, "s1") == {2}
    assert ledger.scoped.search("retries jitter") == ()

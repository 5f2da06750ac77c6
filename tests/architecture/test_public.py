from __future__ import annotations

import types

import varves
from tests.architecture.source import loaded_by

PUBLISHED = [
    "AgentListener",
    "Conflict",
    "ConversationMemory",
    "Event",
    "Hit",
    "Ledger",
    "Memory",
    "Message",
    "MessageBus",
    "Persona",
    "Recall",
    "errors",
    "open",
]
HEAVY = {
    "argparse",
    "click",
    "dataclasses",
    "hashlib",
    "json",
    "msgspec",
    "re",
    "sqlite3",
    "typing",
}


def test_the_door_is_exactly_what_is_published():
    assert sorted(varves.__all__) == PUBLISHED


def test_every_published_name_is_there():
    for name in varves.__all__:
        assert getattr(varves, name) is not None


def test_nothing_else_lies_about_in_the_package_root():
    extra = {
        name
        for name, value in vars(varves).items()
        if not name.startswith("_")
        and name not in {*PUBLISHED, "TYPE_CHECKING", "annotations"}
        and not isinstance(value, types.ModuleType)
    }
    assert not extra


def test_importing_the_package_costs_next_to_nothing():
    loaded = loaded_by("import varves")
    assert "varves" in loaded
    assert not loaded & HEAVY

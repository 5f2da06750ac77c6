"""`scoped validate` names file, place and rule of every breach, and mends none of them."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest

from tests.tables import each_row

FILE = "memory/projects/shop/memory.json"


@pytest.fixture
def file(ledger, project):
    """Record two entries, and return their file."""
    for text in ("Use Zod for input", "Prefer functions"):
        ledger.scoped.write("project", "shop", type="convention", content=text)
    ledger.close()
    return project / FILE


def changed(file, change) -> bytes:
    document = json.loads(file.read_text(encoding="utf-8"))
    change(document)
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return file.read_bytes()


@contextmanager
def for_now(file, change):
    """Change a file as a person would; check that nothing else changes it, and put it back."""
    whole = file.read_bytes()
    before = changed(file, change)
    try:
        yield
        assert file.read_bytes() == before
    finally:
        file.write_bytes(whole)


def found(varves) -> list[tuple[str, str]]:
    done = varves("scoped", "validate", "--json")
    assert done.code == (1 if done.json["findings"] else 0)
    assert done.json["ok"] == (not done.json["findings"])
    assert all(one["fix"] and one["message"] for one in done.json["findings"])
    return [(one["rule"], one["place"]) for one in done.json["findings"]]


@pytest.mark.requirement("U-14")
def test_what_was_written_has_no_findings(file, varves):
    assert found(varves) == []
    assert varves("scoped", "validate").out == "ok\n"


@pytest.mark.requirement("U-14")
@each_row(
    ("rule", "key", "value"),
    [
        ("S2-12", "id", "mem_1"),
        ("S2-12", "id", "mem-01"),
        ("S2-12", "id", "mem-001"),
        ("S2-13", "type", "fact"),
        ("S2-14", "content", "  "),
        ("S2-15", "confidence", 1.1),
        ("S2-15", "confidence", True),
        ("S2-16", "created_at", "2026-02-15 14:20"),
        ("S2-17", "accessed_count", -1),
        ("S2-17", "accessed_count", 1.5),
    ],
)
def test_an_entry_against_a_rule_is_found_with_that_rule(file, varves, rule, key, value):
    with for_now(file, lambda document: document["entries"][1].update({key: value})):
        assert found(varves) == [(rule, f"{FILE}: entries[1]")]


@pytest.mark.requirement("U-14")
@each_row("key", ["id", "type", "content", "confidence", "created_at", "accessed_count"])
def test_a_key_that_an_entry_lacks_is_found(file, varves, key):
    with for_now(file, lambda document: document["entries"][0].pop(key)):
        assert found(varves) == [("S2-11", f"{FILE}: entries[0]")]


@pytest.mark.requirement("U-14")
def test_a_key_that_nobody_knows_is_no_breach(file, varves):
    changed(file, lambda document: document["entries"][0].update(note="mine"))
    changed(file, lambda document: document.update({"$schema": "memory.json"}))
    assert found(varves) == []


@pytest.mark.requirement("U-14")
@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda document: document.update(version="2.0"), ": version"),
        (lambda document: document.update(entries={}), ""),
    ],
    ids=["version", "no-list"],
)
def test_a_file_of_another_shape_is_found(file, varves, change, place):
    before = changed(file, change)
    assert found(varves) == [("S2-10", f"{FILE}{place}")]
    assert file.read_bytes() == before


@pytest.mark.requirement("U-14")
def test_a_file_that_is_no_json_is_found_with_its_line_and_left_as_it_is(file, varves):
    file.write_text('{\n  "version": oops\n}\n', encoding="utf-8")
    assert found(varves) == [("S2-53", f"{FILE}:2")]
    assert file.read_text(encoding="utf-8") == '{\n  "version": oops\n}\n'


@pytest.mark.requirement("U-14")
def test_numbers_that_do_not_count_up_are_found(file, varves):
    changed(file, lambda document: document["entries"].reverse())
    assert found(varves) == [("S2-12", f"{FILE}: entries[1]")]

"""What is said of each event kind and of each field stands in one table.

A new field on memory needs four files: its row in `values/memory.py`, its type in
`values/options.py`, its option in `cli/table.py`, its line in `docs/format.md`. All else is made
from the row. These tests fail where one of the four is missing.
"""

from __future__ import annotations

import ast
import re

from tests.architecture.source import PACKAGE, ROOT, modules, short, tree
from varves.cli.table import VERBS
from varves.events.kinds import KINDS
from varves.index.sqlite.schema import FIELDS as COLUMNS
from varves.values.memory import FIELDS, FieldRow, Memory
from varves.values.options import RememberOptions

GIVEN = {name for name, row in FIELDS.items() if row.given}
NO_FIELDS = {"private", "derived_from", "again", "allow_secret"}  # options of `remember`
OF_THE_CALL = {"session", "turn"}  # the whole command line has a session, a program counts turns


def test_a_kind_is_named_by_its_constant_wherever_it_is_not_a_row():
    again = {
        f"{short(path)}:{node.lineno} {node.value}"
        for path in modules()
        if path != PACKAGE / "events" / "kinds.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and node.value in KINDS
    }
    assert again == set()


def test_every_field_is_a_row_and_a_column():
    assert tuple(FIELDS) == Memory._fields == COLUMNS
    assert {name for row in FIELDS.values() for name in vars(row)} <= set(FieldRow.__annotations__)


def test_what_a_caller_may_say_of_a_memory_has_a_type_and_an_option():
    assert RememberOptions.__annotations__.keys() == GIVEN - {"text"} | NO_FIELDS
    options = {name.removeprefix("--").replace("-", "_") for name, *_ in VERBS["remember"].options}
    options = options - {"tag", "batch"} | {"tags"}
    assert options == GIVEN - {"text"} - OF_THE_CALL | NO_FIELDS


def test_every_field_of_a_record_is_on_the_page_of_the_format():
    page = (ROOT / "docs/format.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)`", page))
    assert {row.key or name for name, row in FIELDS.items() if row.stored} - named == {"updated_at"}


def test_the_keys_of_a_hit_have_one_place_each():
    places = sorted(row.hit for row in FIELDS.values() if row.hit)
    assert places == list(range(1, len(places) + 1))

"""Each field of a memory is described in one table.

A new field on memory needs four files: its row in `values/memory.py`, its type in
`values/options.py`, its option in `cli/table.py`, its line in `docs/format.md`. All else is made
from the row. These tests, and the house rule on stored fields, fail where one of them is missing.
"""

from __future__ import annotations

from varves.cli.table import VERBS
from varves.index.sqlite.schema import FIELDS as COLUMNS
from varves.values.memory import FIELDS, FieldRow, Memory
from varves.values.options import EditOptions, RememberOptions

GIVEN = {name for name, row in FIELDS.items() if row.given}
NO_FIELDS = {"private", "derived_from", "again", "allow_secret"}  # options of `remember`
OF_THE_CALL = {"session", "turn"}  # the whole command line has a session, a program counts turns


def test_every_field_is_a_row_and_a_column():
    assert tuple(FIELDS) == Memory._fields == COLUMNS
    assert {name for row in FIELDS.values() for name in vars(row)} <= set(FieldRow.__annotations__)


def test_what_a_caller_may_say_of_a_memory_has_a_type_and_an_option():
    assert RememberOptions.__annotations__.keys() == GIVEN - {"text"} | NO_FIELDS
    options = {name.removeprefix("--").replace("-", "_") for name, *_ in VERBS["remember"].options}
    options = options - {"tag", "batch"} | {"tags"}
    assert options == GIVEN - {"text"} - OF_THE_CALL | NO_FIELDS


def test_what_edit_changes_has_a_type_and_an_option():
    edited = {name for name, row in FIELDS.items() if row.edited}
    assert EditOptions.__annotations__.keys() == edited | {"expect"}
    options = {name.removeprefix("--") for name, *_ in VERBS["edit"].options}
    assert options == edited | {"expect", "tag"}


def test_the_keys_of_a_hit_have_one_place_each():
    places = sorted(row.hit for row in FIELDS.values() if row.hit)
    assert places == list(range(1, len(places) + 1))

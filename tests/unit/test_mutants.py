"""The changes that mutation testing makes, and the list of those that nothing could notice."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import ROOT
from tests.tables import each_row
from torture.mutants import EQUIVALENT, equivalents
from torture.mutate import mutants, mutated

SOURCE = '''
"""A module."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 3


def act(a: int, b: str = "2") -> bool:
    """Do something."""
    try:
        if a < LIMIT and b:
            note(a, b)
            return True
    except ValueError:
        raise Refused("no", "hint") from None
    finally:
        close()
    return False
'''
UNCHANGED = ast.unparse(ast.parse(SOURCE)) + "\n"


@each_row(
    "change",
    [
        "3  ->  4",
        "3  ->  2",
        "a < LIMIT  ->  a <= LIMIT",
        "a < LIMIT  ->  a >= LIMIT",
        "a < LIMIT and b  ->  a < LIMIT or b",
        "a < LIMIT and b  ->  if not (a < LIMIT and b)",
        "note(a, b)  ->  note(b, a)",
        "note(a, b)  ->  nothing",
        "return True  ->  return None",
        "True  ->  False",
        "False  ->  True",
        "close()  ->  nothing",
        "raise Refused('no', 'hint') from None  ->  nothing",
        "except ValueError: raise Refused('no', 'hint') from None  ->  raise",
    ],
)
def test_each_kind_of_change_is_made_and_can_be_run(change):
    [one] = [mutant for mutant in mutants("m.py", SOURCE) if mutant.change == change]
    text = mutated(SOURCE, one)
    assert text != UNCHANGED
    compile(text, "m.py", "exec")


def test_nothing_else_is_changed():
    """Texts, annotations and what only a type checker reads are left alone."""
    found = mutants("m.py", SOURCE)
    assert len(found) == 14
    assert len({mutated(SOURCE, one) for one in found}) == len(found)


@pytest.mark.full_size
def test_every_equivalent_change_is_one_that_can_be_made_and_has_a_reason():
    for name, reason in equivalents(EQUIVALENT).items():
        path = name.partition(": ")[0]
        names = {one.name for one in mutants(path, (ROOT / path).read_text(encoding="utf-8"))}
        assert name in names, "the code has changed since"
        assert len(reason) > 10

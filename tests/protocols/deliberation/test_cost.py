"""What a long conversation costs, counted: one more message is the same, however many there were.

Time is not measured here. A child counts every call that twelve messages make, of Python's
functions and of those written in C, and every step of SQLite's machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.figures import full_size

if TYPE_CHECKING:
    from pathlib import Path

SHORT, LONG = 72, 480 if full_size() else 144
ALLOWED = 1.5  # ids are random, so pages of the index split differently; linear growth is 2 or more
SETTINGS = """\
[deliberation]
keep_summaries = 5
keep_decisions = 5
keep_proposals = 5
"""

CHILD = """
import gc, json, sys
import varves

found = {"calls": 0, "steps": 0}
def call(frame, event, argument):
    found["calls"] += event in ("call", "c_call")
def step():
    found["steps"] += 1
    return 0

def said(number):
    text = f"The parser of part {number} reads the {number}th table without a look at the disk."
    if number % 12 == 3:
        return "ada", f"I propose a cache for part {number}: {text}"
    if number % 12 == 5:
        return "ben", f"On 'a cache for part {number - 2}: {text[:30]}': I agree."
    if number % 12 == 8:
        return "eve", f"We decided on 'part {number}': {text}"
    return ("ada", "ben", "eve")[number % 3], text

with varves.open(sys.argv[1], actor="ada", mode="fast") as ledger:
    talk, count = ledger.deliberation, int(sys.argv[2])
    talk.begin(f"talk-{count}")
    for number in range(count):
        talk.say(*said(number))
    database = ledger._context.fresh().index.db
    for number in range(count, count + 12):
        gc.collect(), gc.disable()
        database.set_progress_handler(step, 10)
        talk.say(*said(number))
        database.set_progress_handler(None, 10)
    for number in range(count + 12, count + 24):
        sys.setprofile(call)
        talk.say(*said(number))
        sys.setprofile(None)
    found["total"] = talk.stats().total_messages
    found["summaries"] = len(talk.state().summaries)
print(json.dumps(found))
"""


def counted(project: Path, count: int) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(project), str(count)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.full_size
@pytest.mark.requirement("U-19")
def test_a_message_after_many_costs_the_same_as_one_after_72(project: Path):
    (project / ".varves").mkdir()
    (project / ".varves/settings.toml").write_text(SETTINGS, encoding="utf-8")
    short, long = (counted(project, count) for count in (SHORT, LONG))
    assert (short["total"], long["total"]) == (SHORT + 24, LONG + 24)
    assert (short["summaries"], long["summaries"]) == (5, 5)
    for name in ("calls", "steps"):
        assert long[name] < ALLOWED * short[name], (name, short, long)

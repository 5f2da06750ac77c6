"""R14: per memory, eight clients at once get answers that one client could have got."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.durability.clients import FAULTS
from tests.durability.linear import Act, linearisation, told
from tests.durability.scene import program
from tests.figures import full_size, note_figure

if TYPE_CHECKING:
    from pathlib import Path

HISTORIES = 1000 if full_size() else 7
AT_ONCE = 51  # histories in one ledger


def recorded(root: Path, seed: str, count: int, *fault: str) -> list[list[Act]]:
    """Let the clients play in a repository of their own."""
    root.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    rows = program("clients", str(root), seed, str(count), *fault)
    shutil.rmtree(root)
    return [
        [Act(*act[:4], tuple(act[4]), act[5]) for act in history] for history in rows if history
    ]


def test_eight_clients_are_answered_as_one_could_be(tmp_path, home):
    histories: list[list[Act]] = []
    while len(histories) < HISTORIES:
        at = len(histories)
        histories += recorded(tmp_path / str(at), f"R14 {at}", min(AT_ONCE, HISTORIES - at))
    wrong = [history for history in histories if linearisation(history) is None]
    acts = [act for history in histories for act in history]
    note_figure("R14", histories=len(histories), acts=len(acts), violations=len(wrong))
    assert not wrong, told(wrong[0])
    answers = {(act.verb, act.answer[0]) for act in acts}
    assert {("edit", "done"), ("edit", "stale"), ("show", "found")} <= answers


@pytest.mark.full_size
@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_ledger_is_found_out(tmp_path, home, fault):
    """Deliberately broken: no lock around look and append, reads not caught up, early answers."""
    for attempt in range(6):
        histories = recorded(tmp_path / str(attempt), f"{fault} {attempt}", 9, fault)
        if any(linearisation(history) is None for history in histories):
            return
    pytest.fail("nothing was found")


def act(verb: str, said: str, span: tuple[int, int], *answer: str) -> Act:
    return Act(verb, said, *span, answer)


BORN = act("remember", "as it is", (0, 1), "done", "e1")
FAIR = {
    "one after the other": [
        BORN,
        act("edit", "e1", (2, 3), "done", "e2"),
        act("show", "", (4, 5), "found", "e2", "active", "as it is"),
    ],
    "a read that overlaps a change may see it": [
        BORN,
        act("edit", "e1", (2, 9), "done", "e2"),
        act("show", "", (3, 4), "found", "e2", "active", "as it is"),
    ],
    "a read that overlaps a change need not see it": [
        BORN,
        act("edit", "e1", (2, 9), "done", "e2"),
        act("show", "", (3, 10), "found", "e1", "active", "as it is"),
    ],
    "of two racers one is stale": [
        BORN,
        act("forget", "e1", (2, 9), "stale"),
        act("edit", "e1", (3, 8), "done", "e2"),
    ],
    "nothing is there before it is remembered": [
        act("show", "", (0, 5), "missing"),
        act("remember", "as it is", (1, 4), "done", "e1"),
        act("remember", "as it is", (5, 6), "known"),
        act("remember", "otherwise", (5, 6), "refused"),
    ],
    "a life": [
        BORN,
        act("correct", "e1", (2, 3), "done", "e2"),
        act("correct", "e2", (4, 5), "refused"),
        act("restore", "e2", (6, 7), "done", "e3"),
        act("restore", "e3", (8, 9), "refused"),
        act("forget", "e3", (10, 11), "done", "e4"),
        act("forget", "e4", (12, 13), "refused"),
        act("show", "", (14, 15), "found", "e4", "forgotten", "as it is"),
        act("edit", "e4", (16, 17), "busy"),
    ],
}
UNFAIR = {
    "two winners of one version": [
        BORN,
        act("edit", "e1", (2, 9), "done", "e2"),
        act("edit", "e1", (3, 8), "done", "e3"),
    ],
    "a read of what was before an answer": [
        BORN,
        act("edit", "e1", (2, 3), "done", "e2"),
        act("show", "", (4, 5), "found", "e1", "active", "as it is"),
    ],
    "a change seen, then not": [
        BORN,
        act("edit", "e1", (2, 9), "done", "e2"),
        act("show", "", (3, 4), "found", "e2", "active", "as it is"),
        act("show", "", (5, 6), "found", "e1", "active", "as it is"),
    ],
    "no winner at all": [BORN, act("edit", "e1", (2, 3), "stale")],
    "remembered twice": [BORN, act("remember", "as it is", (0, 5), "done", "e2")],
    "an answer out of nowhere": [act("show", "", (0, 1), "found", "e1", "active", "as it is")],
    "a lost change": [
        BORN,
        act("edit", "e1", (2, 3), "done", "e2"),
        act("edit", "e2", (4, 5), "stale"),
        act("show", "", (6, 7), "found", "e1", "active", "as it is"),
    ],
}


@pytest.mark.parametrize("history", FAIR.values(), ids=FAIR)
def test_a_fair_history_is_explained(history):
    found = linearisation(history)
    assert found is not None
    assert sorted(found) == sorted(history)


@pytest.mark.parametrize("history", UNFAIR.values(), ids=UNFAIR)
def test_an_unfair_history_is_not(history):
    assert linearisation(history) is None

"""How well messages are read: real minutes, replayed in a ledger, against labels by hand."""

from __future__ import annotations

import os
from typing import Any

import pytest

from benchmarks import extraction
from benchmarks.extraction import LABELS, SEEN, Tally, line, meeting, tally
from varves.protocols.deliberation.transcripts import read

CANVAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "samples/canvas.jsonl")
KINDS = {"decision": "decision", "proposal": "proposal"}


def labels_of(said: Any) -> frozenset[str]:
    """Return the labels that stand for what the ledger learned from a message."""
    found = {KINDS[one.kind] for one in said.found if one.kind in KINDS}
    found |= {one.text for one in said.found if one.kind == "reaction" and one.text != "neutral"}
    return frozenset(found)


def counted(talk: Any, extractor: str) -> dict[str, Tally]:
    """Let a ledger hear the meetings, and count what it found against the labels."""
    counts = dict.fromkeys(LABELS, Tally())
    for name in SEEN:
        minutes = meeting(name)
        conversation = f"{extractor}-{name}"
        talk.begin(conversation, extractor=extractor)
        claimed = {}
        for one in minutes.messages:
            options = {"id": one.id, "reply_to": one.reply_to, "conversation": conversation}
            claimed[line(one)] = labels_of(talk.say(one.agent_id, one.content, **options))
        for label in LABELS:
            counts[label] += tally(label, claimed, minutes.labels)
    return counts


@pytest.mark.requirement("S4-65")
def test_precision_and_recall_on_real_minutes_are_what_the_benchmark_reports(talk: Any):
    """The figures of the further meetings are made by a whole `make bench`."""
    published = counted(talk, "published")
    assert published == {
        "decision": Tally(0, 0, 1),
        "proposal": Tally(0, 0, 21),
        "support": Tally(0, 0, 17),
        "oppose": Tally(0, 0, 12),
    }
    reading = counted(talk, "reader")
    rows = {row.what: row for row in extraction.scored([meeting(name) for name in SEEN], "seen")}
    for label in ("decision", "proposal"):
        found = reading[label]
        told = f"{found.right} right, {found.false} false, {found.missed} missed"
        row = rows[f"{label}, reader, seen: {told}"]
        assert f"precision {found.precision:.2f}, recall {found.recall:.2f}" in row.median
        assert row.met is None  # told as it is, with no target
    assert reading["decision"].right == 1
    assert reading["proposal"].right > 10


def test_a_canvas_of_others_can_be_replayed(talk: Any):
    with open(CANVAS, encoding="utf-8") as file:
        found = talk.verbs.replay(read(file.read(), "canvas.jsonl").messages, name="canvas")
    assert (found.messages, found.stats.agent_count) == (3, 2)

"""What the ledger decides is what a fold of everything recorded so far would decide.

A write looks only at the index as it was left and at what came after, through several open ledgers
on one folder; the pure fold of all lines on disk is the judge.
"""

from __future__ import annotations

import os
import tempfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import varves
from tests.properties.world import START, Known, SeededIds, Watchmaker
from tests.rooms import room
from varves.commands import shelve
from varves.commands.port import Act
from varves.documents.keys import ShelfPlaces
from varves.errors import Rejected, Stale, VarvesError
from varves.log.files.segments import read_lines
from varves.values.text import value_key

TEXTS = ("Use Zod", "use zod!", "Use Yup", "use yup.", "Use Valibot")
VERBS = (
    *("remember", "remember", "remember", "again", "brief", "batch"),
    *("correct", "forget", "restore", "undo", "edit", "list", "reopen", "wait"),
    *("put", "put", "delete"),
)
READING = ("correct", "forget", "restore", "undo", "edit", "list")  # they catch up first
steps = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(VERBS), st.integers(0, 4), st.integers(0, 9)),
    min_size=6,
    max_size=24,
)


@pytest.fixture(autouse=True)
def _own_home(home):
    """Let nothing of the caller's settings in."""


class Table:
    """Two ledgers open on one folder, and the truth about what they have recorded."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.clock = Watchmaker(START)
        self.ids = SeededIds(6)
        self.ledgers = [self.open("ada"), self.open("bob")]
        self.ledgers[0].init()
        self.indexed: set[str] = set()
        with room(root, home=f"{root}/home", clock=self.clock) as seen:
            self.plan = ShelfPlaces(seen, "notes", scope="project", private=False).id_of(
                "project", "plan", 0
            )
        self.seen: dict[int, str] = {}  # by ledger, the version of the document it saw last

    def open(self, actor: str) -> varves.Ledger:
        return varves.open(
            self.root, home=f"{self.root}/home", clock=self.clock, ids=self.ids, actor=actor
        )

    def known(self) -> Known:
        found = {}
        for folder, _, files in os.walk(f"{self.root}/.varves/log"):
            for name in files:
                with open(f"{folder}/{name}", "rb") as file:
                    for event, _ in read_lines(name, file.read(), "project").events:
                        found[event.id] = event
        return Known(found, self.clock.now())

    def remember(self, place: int, text: str, **options) -> None:
        known = self.known()
        _, rejecting = known.standing(value_key("project", "project", text))
        ledger = self.ledgers[place]
        if rejecting and not options.get("again"):
            with pytest.raises(Rejected) as refused:
                ledger.remember(text, **options)
            assert rejecting[0] in refused.value.message
            return
        try:
            done = ledger.remember(text, **options)
        except Rejected as refused:
            pytest.fail(f"refused though nothing rejects it: {refused}")
        holders = known.holders(value_key("project", "project", text))
        if done.status == "known":
            assert done.id in holders
        else:
            assert done.id not in known.rows
            assert all(self.unread(known.rows[name], text) for name in holders)

    def unread(self, row: dict, text: str) -> bool:
        """Tell whether a write may overlook a memory: not in the index yet, and in other words."""
        return row["id"] not in self.indexed and row["text"] != text

    def batch(self, place: int, number: int) -> None:
        """Write all texts at once; each is judged as if it came alone, after those before it."""
        rows = self.known()
        expected = {"written": set(), "known": 0, "refused": 0}
        for text in TEXTS:
            key = value_key("project", "project", text)
            held, rejecting = rows.standing(key)
            if rejecting:
                expected["refused"] += 1
            elif held and self.unread(rows.rows[held], text):
                return  # it may be overlooked or not
            elif held or key in expected["written"]:
                expected["known"] += 1
            else:
                expected["written"].add(key)
        done = self.ledgers[place].remember_many({"text": text} for text in TEXTS)
        assert done.written == len(expected["written"])
        assert done.known == expected["known"]
        assert len(done.refused) == expected["refused"]

    def put(self, place: int, text: str | None, number: int) -> None:
        """Write or delete a document, on the version that stands, on an older one, or on any."""
        known, shelf = self.known(), self.ledgers[place].shelf("notes")
        act = Act(actor="ada", session=None, now=self.clock.now())
        held = shelve.standing_for(known, self.plan)
        shown = held is not None and shelve.stands(known, held, act)
        version = shelve.version_of(held) if shown else shelve.ABSENT
        wanted = (None, version, self.seen.get(place, shelve.ABSENT))[number % 3]
        self.seen[place] = version
        if wanted not in (None, version):
            with pytest.raises(Stale):
                shelf.delete("plan", expect=wanted)
            return
        rejecting = known.rejecting(value_key("project", "project", text)) if text else []
        try:
            done = shelf.put("plan", text, expect=wanted) if text else shelf.delete("plan")
        except Rejected:
            assert rejecting
            return
        assert not rejecting
        assert done.existed == shown
        stands = shelf.get("plan")
        assert (stands and stands.content) == text
        assert text is None or (done.version == stands.version and stands.siblings == ())

    def step(self, place: int, verb: str, text: int, number: int) -> None:
        self.clock.ms += 1000
        ledger = self.ledgers[place]
        names = sorted(self.known().rows)
        if verb in READING:
            self.indexed |= set(names)
        name = names[number % len(names)] if names else "mem_000000000000"
        if verb in {"remember", "again", "brief"}:
            ttl = "30m" if verb == "brief" else None
            self.remember(place, TEXTS[text], again=verb == "again", ttl=ttl)
        elif verb == "batch":
            self.batch(place, number)
        elif verb == "correct":
            ledger.correct(name, TEXTS[text])
        elif verb == "forget":
            ledger.forget(name, reason="no")
        elif verb == "restore":
            ledger.restore(name)
        elif verb == "undo":
            ledger.undo()
        elif verb == "edit":
            ledger.edit(name, tag=[f"t{number}"])
        elif verb == "list":
            current = {row["id"] for row in self.known().rows.values() if row["status"] == "active"}
            assert {memory.id for memory in ledger.list(status="all")} == set(names)
            assert {memory.id for memory in ledger.list()} <= current
        elif verb in ("put", "delete"):
            self.indexed |= set(names)
            self.put(place, TEXTS[text] if verb == "put" else None, number)
        elif verb == "reopen":
            ledger.close()
            self.ledgers[place] = self.open(("ada", "bob")[place])
        else:
            self.clock.ms += 20 * 60_000


@settings(max_examples=max(20, settings.default.max_examples))
@given(steps)
@example([(0, "remember", 0, 0), (0, "forget", 0, 0), (0, "again", 0, 0), (0, "remember", 1, 0)])
@example(
    [
        *[(0, "remember", 0, 0), (0, "forget", 0, 0), (0, "remember", 2, 0)],
        *[(1, "remember", 4, 0), (0, "again", 0, 0), (1, "remember", 1, 0)],
    ]
)
@example(
    [
        *[(0, "remember", 0, 0), (0, "remember", 2, 0), (0, "forget", 0, 0), (0, "forget", 0, 1)],
        *[(0, "remember", 1, 0), (0, "remember", 3, 0)],
    ]
)
@example(
    [
        *[(0, "batch", 0, 0), (0, "remember", 0, 0), (1, "correct", 0, 2)],
        *[(1, "remember", 0, 0), (0, "again", 4, 0)],
    ]
)
@example([(0, "brief", 0, 0), (0, "wait", 0, 0), (0, "wait", 0, 0), (0, "remember", 0, 0)])
def test_every_decision_is_that_of_a_fold_of_all_lines(plan):
    with tempfile.TemporaryDirectory() as root:
        table = Table(root)
        try:
            for step in plan:
                try:
                    table.step(*step)
                except VarvesError as refused:
                    if refused.exit not in {2, 3, 4}:
                        raise
        finally:
            for ledger in table.ledgers:
                ledger.close()

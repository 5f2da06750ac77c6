"""Whoever reads and writes in whatever order: what is on record as told is what was told."""

from __future__ import annotations

import random
import tempfile
from collections import Counter, defaultdict

from hypothesis import given
from hypothesis import strategies as st

import varves
from tests.properties.lines import purged
from tests.properties.shelf import Shelf, assert_filled_alike
from tests.properties.world import START, Watchmaker, many, replicas
from tests.rooms import room
from varves.events.codec import encode
from varves.events.event import Draft
from varves.events.kinds import INJECTED
from varves.index.sqlite.index import SqliteIndex
from varves.values.instants import DAY_MS, iso

ACTORS = ("ada", "bob")
SESSIONS = (None, "s-1", "S-1")
NAMES = [f"mem_{letter * 12}" for letter in "abcd"]
VERBS = ("recall", "brief", "show", "write", "private", "many", "wait", "reopen")
steps = st.lists(
    st.tuples(st.sampled_from(VERBS), st.sampled_from(ACTORS), st.sampled_from(SESSIONS)),
    min_size=5,
    max_size=25,
)


class Story:
    """A ledger used by several actors in several sessions, and what each was told by then."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.clock = Watchmaker()
        self.open: dict[tuple[str, str | None], varves.Ledger] = {}
        self.waiting: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        self.told: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        self.writes = 0
        with varves.open(root, home=f"{root}/home", clock=self.clock) as ledger:
            self.name = ledger.remember("Validation is done with Zod").id

    def ledger(self, actor: str, session: str | None) -> varves.Ledger:
        """Return the ledger of an actor in a session, opened once."""
        key = actor, session
        if key not in self.open:
            self.open[key] = varves.open(
                self.root, home=f"{self.root}/home", clock=self.clock, actor=actor, session=session
            )
        return self.open[key]

    def session(self, actor: str, session: str | None) -> str:
        """Name the session a call belongs to."""
        return session or f"{actor}-{iso(self.clock.now())[:10]}"

    def step(self, verb: str, actor: str, session: str | None) -> None:
        """Do one thing."""
        self.clock.ms += 1000
        ledger = self.ledger(actor, session)
        if verb == "wait":
            self.clock.ms += DAY_MS // 2
        elif verb == "reopen":
            ledger.close()
        elif verb in ("recall", "brief", "show"):
            answers = {
                "recall": lambda: [hit.memory.id for hit in ledger.recall("zod number")],
                "brief": lambda: ledger.brief().ids,
                "show": lambda: [ledger.show(self.name).id],
            }
            names = answers[verb]()
            self.waiting[self.session(actor, session)].update((actor, name) for name in names)
        else:
            self.write(ledger, verb)
            self.settle(self.session(actor, session))

    def write(self, ledger: varves.Ledger, verb: str) -> None:
        """Record something."""
        self.writes += 1
        text = f"Number {self.writes}"
        if verb == "many":
            ledger.remember_many([{"text": text}])
        else:
            ledger.remember(text, private=verb == "private")

    def settle(self, session: str) -> None:
        """Note that a session's readings are on record from now on."""
        self.told[session] += self.waiting.pop(session, Counter())

    def recorded(self) -> dict[str, Counter[tuple[str, str]]]:
        """Return what the log says, by session, once every open ledger has settled."""
        for ledger in self.open.values():
            ledger.close()
        with varves.open(self.root, home=f"{self.root}/home", clock=self.clock) as ledger:
            found: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
            for event in ledger.log(kind="context.injected"):
                assert event.log == "private"
                for part in event.data["told"]:
                    for name, (count, _) in part["memories"].items():
                        found[str(event.session)][part["agent"], name] += count
            assert ledger.verify().ok
        with room(self.root, home=f"{self.root}/home", clock=self.clock) as seen:
            assert sums(found.values()) == in_index(seen.fresh().index)
        return found


def sums(parts):
    total = Counter()
    for part in parts:
        for (_, name), count in part.items():
            total[name] += count
    return dict(total)


def in_index(index):
    names = [name for (name,) in index.db.execute("select memory from use")]
    return index.search().uses(names)


@given(steps)
def test_what_is_on_record_as_told_is_what_was_told(script):
    with tempfile.TemporaryDirectory() as root:
        story = Story(root)
        for step in script:
            story.step(*step)
        recorded = story.recorded()
        for session, told in story.told.items():
            if told:
                assert recorded[session] >= told, session
        for session, told in recorded.items():
            # What waits may be on record too, where the session's day is over.
            assert told <= story.told[session] + story.waiting[session], session
        for actor in ACTORS:
            for session in SESSIONS:
                story.step("write", actor, session)
        story.clock.ms += DAY_MS  # every session without a name is over
        story.step("write", "ada", None)
        everything = {
            session: told
            for session in {*story.told, *story.waiting}
            if (told := story.told[session] + story.waiting[session])
        }
        assert story.recorded() == everything


tellings = st.lists(
    st.tuples(
        st.sampled_from(("private", "private", "private", "project")),
        st.sampled_from((3, 2, 1)),
        st.sampled_from(("good", "good", "good", "good", "no list", "count", "time", "name")),
        st.dictionaries(st.sampled_from(NAMES), st.integers(1, 9), min_size=1),
    ),
    min_size=1,
    max_size=12,
)


def events_of(rows):
    [ada] = replicas("ada")
    for place, (log, trust, shape, counts) in enumerate(rows):
        moment = iso(START + place)
        memories = {name: [count, moment] for name, count in counts.items()}
        if shape == "count":
            memories[NAMES[0]] = [0, moment]
        elif shape == "time":
            memories[NAMES[0]] = [1, "later"]
        elif shape == "name":
            memories["everything"] = [1, moment]
        part = {"agent": f"agent-{place % 2}", "verb": "recall", "memories": memories}
        content = {"told": {"part": part} if shape == "no list" else [part, part]}
        draft = Draft(kind=INJECTED, data=content, actor="ada", trust=trust)
        ada.stamp(draft, log)
    return ada


def expected(events):
    """Sum up what counts, with no code of ours."""
    found = {}
    for event in events:
        told = event.data.get("told")
        good = isinstance(told, list) and all(
            name in NAMES and pair[0] > 0 and pair[1] != "later"
            for part in told
            for name, pair in part["memories"].items()
        )
        if event.log == "private" and event.trust > 1 and good:
            for part in told:
                for name, (count, last) in part["memories"].items():
                    before = found.get(name, (0, ""))
                    found[name] = (before[0] + count, max(before[1], last))
    return found


@many
@given(tellings, st.integers(0, 2**32))
def test_the_index_counts_what_the_events_that_can_be_seen_say(rows, seed):
    chance = random.Random(seed)
    ada = events_of(rows)
    events = list(ada.events.values())
    others = {}
    for event in events:
        if chance.random() < 0.3:  # purged on a branch, or said twice after a failed sync
            fields = {**event.fields, "writer": "ada.else"}
            again = encode(fields)[:-1]
            others[event.id] = purged(ada.lines[event.id]) if chance.random() < 0.5 else again
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder, settled=chance.random() < 0.5)
        shelf.lay_out(events, ada.lines, chance)
        shelf.lay_out([ada.events[name] for name in others], others, chance)
        for _ in range(4):
            for segment in shelf.segments:
                draw = chance.random()
                if draw < 0.5:
                    shelf.show(segment, len(segment.content))
                elif draw < 0.7:
                    shelf.show(segment, -1)
            shelf.catch_up(START)
            assert_same(shelf)
        kept = shelf.index
        shelf.index = SqliteIndex(None)
        shelf.catch_up(START)
        assert_same(shelf)
        assert dump(kept) == dump(shelf.index)
        assert_filled_alike(shelf.sources, START)


def assert_same(shelf):
    counts = expected(shelf.events())
    assert dump(shelf.index) == sorted((name, *told) for name, told in counts.items())
    for name in NAMES:
        agents = shelf.index.uses().by_agent(name)
        assert sum(count for _, count, _ in agents) == counts.get(name, (0, ""))[0]


def dump(index):
    return index.db.execute("select * from use order by memory").fetchall()


def test_an_event_ahead_of_its_time_is_not_counted_yet():
    ada = events_of([("private", 3, "good", {NAMES[0]: 2})])
    [event] = ada.events.values()
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder)
        shelf.lay_out([event], ada.lines, random.Random(1))
        shelf.show(shelf.segments[0], len(shelf.segments[0].content))
        shelf.catch_up(START - 3 * DAY_MS, hold_back=True)
        assert dump(shelf.index) == []
        shelf.catch_up(START, hold_back=True)
        assert dump(shelf.index) == [(NAMES[0], 4, iso(START))]

"""One simulated history: clones, agents, wrong clocks, power cuts, kills, failing disks, merges.

Everything derives from the seed, so that a failing history can be played again:
`python -m tests.simulation SEED`. What must hold after every step is in `Simulation.look`, what
must hold when everybody has everything in `Simulation.finish`.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from tests.properties.shelf import index_dump
from tests.simulation.clone import DAY, HOUR, SECOND, Agent, Clone, Time, held
from tests.simulation.disk import Dead
from varves.errors import NotFound, VarvesError
from varves.events.codec import BadLine, canonical
from varves.events.kinds import precedence
from varves.fold.base import replay
from varves.fold.memories import Memories
from varves.log.doomed import UNPURGED
from varves.log.files.verify import verify
from varves.values.instants import AHEAD_MS, instant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.events.event import Event

STEPS = 32
ROUNDS = 4
WORDS = ("Zod", "Valibot", "Yup", "nothing", "zod!")
JUMPS = (SECOND, 40 * SECOND, HOUR, 5 * HOUR, DAY, 3 * DAY)
MODES = ("durable", "durable", "group")
PROJECTION = Memories()


class Violation(AssertionError):
    """Something that must hold does not."""


class Simulation:
    """The world of one seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(f"simulation {seed}")
        self.time = Time()
        self.trace: list[str] = []
        self.said: dict[str, bytes] = {}
        self.seen: set[str] = set()
        self.twice: set[str] = set()
        self.purged: dict[str, str] = {}
        count = self.random.choice((2, 2, 3))
        offs = [
            self.random.choice((0, 1, -1)) * self.random.choice(JUMPS[:4]) for _ in range(count)
        ]
        self.clones = [
            Clone(name, str(seed), self.time, off, mode=self.random.choice(MODES))
            for name, off in zip("abc", offs, strict=False)
        ]

    def run(self, steps: int = STEPS) -> None:
        """Take so many steps, then bring everything together."""
        try:
            self.walk(steps)
            self.finish()
        except BadLine as fault:
            self.check(None, f"a whole line cannot be read: {fault}")

    def walk(self, steps: int) -> None:
        """Take so many steps; every third seed is a rough day."""
        chosen = WEIGHTS | (ROUGH if self.seed % 3 == 0 else {})
        choices = [*chosen]
        weights = [*chosen.values()]
        for _ in range(steps):
            name = self.random.choices(choices, weights)[0]
            clone = self.random.choice(self.clones)
            self.note(clone, name)
            getattr(self, name)(clone)
            if name in LOOKED_AFTER:
                self.look(clone)
            else:
                self.glance(clone)

    def note(self, clone: Clone, what: object) -> None:
        """Write down what happens, for whoever replays it."""
        self.trace.append(f"{len(self.trace):3} {clone.name} {what}")

    def check(self, holds: object, message: str) -> None:
        """Complain unless something holds."""
        if not holds:
            raise Violation(f"seed {self.seed}: {message}\n" + "\n".join(self.trace))

    # Agents

    def agent(self, clone: Clone) -> Agent:
        """Return some agent of a clone."""
        if not clone.agents:
            self.start(clone)
        return self.random.choice(clone.agents)

    def start(self, clone: Clone) -> None:
        """Start one more agent, up to a few."""
        if len(clone.agents) < 3:
            clone.start(self.random.choice(("ada", "bob")))

    def stop(self, clone: Clone) -> None:
        """Stop an agent in good order."""
        agent = self.agent(clone)
        agent.stop()
        clone.bury()

    def kill(self, clone: Clone) -> None:
        """Kill an agent between two acts."""
        self.agent(clone).process.die()
        clone.bury()

    def act(self, clone: Clone) -> None:
        """Let an agent do something."""
        self.attempt(clone, self.agent(clone), self.random.choices(VERBS, VERB_WEIGHTS)[0])

    def attempt(self, clone: Clone, agent: Agent, verb: str) -> bool:
        """Let an agent do one thing; its stamp is above all it could have read."""
        before = len(clone.acknowledged)
        highest = self.highest(clone)
        try:
            getattr(self, f"do_{verb}")(agent)
            agent.hear()
            done = True
        except VarvesError as fault:
            self.note(clone, f"  {verb}: {fault.code}")
            agent.told.clear()
            done = False
        for event in clone.acknowledged[before:]:
            stamps = highest.get(event.log, "")
            self.check(event.hlc > stamps, f"{event} is stamped below what stood there")
        if done:
            self.note(clone, f"  {verb}: {clone.acknowledged[before:]}")
        return done

    def highest(self, clone: Clone) -> dict[str, str]:
        """Return the highest stamp of each log, those left out that were ever too far ahead.

        What had to wait was shown to nobody; a plain remember does not look whether its time came.
        """
        limit = f"{clone.clock.now() + AHEAD_MS:012x}"
        found: dict[str, str] = {}
        for log in ("project", "private"):
            counted: dict[
                str, str
            ] = {}  # said twice after a failed sync, it counts where it is lower
            for event in clone.events(log):
                counted[event.id] = min(event.hlc, counted.get(event.id, event.hlc))
            clone.waited |= {name for name, stamp in counted.items() if stamp >= limit}
            stamps = [stamp for name, stamp in counted.items() if name not in clone.waited]
            found[log] = max(stamps, default="")
        return found

    # What agents do

    def text(self) -> str:
        """Return one of a few statements, so that clones say the same and the opposite."""
        return f"Use {self.random.choice(WORDS)} for {self.random.choice(('forms', 'storage'))}"

    def do_remember(self, agent: Agent) -> None:
        options: dict[str, Any] = {"again": self.random.random() < 0.3}
        if self.random.random() < 0.15:
            options["private"] = True
        if self.random.random() < 0.1:
            options["ttl"] = "2h"
        if self.random.random() < 0.1:
            options["id"] = f"mem_given{self.random.randrange(4):07}"
        agent.ledger.remember(self.text(), **options)

    def do_remember_many(self, agent: Agent) -> None:
        count = self.random.randint(2, 6)
        agent.ledger.remember_many(
            [{"text": f"{self.random.random()} alone"} for _ in range(count)]
        )

    def memory(self, agent: Agent) -> Any:
        found = agent.ledger.list(status="all")
        if not found:
            raise NotFound("there is no memory yet", "")
        return self.random.choice(found)

    def expecting(self, memory: Any) -> dict[str, str]:
        return {"expect": memory.version} if self.random.random() < 0.3 else {}

    def do_correct(self, agent: Agent) -> None:
        one = self.memory(agent)
        again = self.random.random() < 0.3
        agent.ledger.correct(one.id, self.text(), again=again, **self.expecting(one))

    def do_edit(self, agent: Agent) -> None:
        one = self.memory(agent)
        tag = self.random.choice(("+hot", "-hot", "+cold"))
        agent.ledger.edit(one.id, tag=[tag], **self.expecting(one))

    def do_forget(self, agent: Agent) -> None:
        one = self.memory(agent)
        agent.ledger.forget(one.id, reason="no longer so", **self.expecting(one))

    def do_restore(self, agent: Agent) -> None:
        one = self.memory(agent)
        agent.ledger.restore(one.id, **self.expecting(one))

    def do_undo(self, agent: Agent) -> None:
        events = agent.ledger.log()
        agent.ledger.undo(self.random.choice(events).id if events else None)

    def do_share(self, agent: Agent) -> None:
        found = agent.ledger.list(private=True)
        if found:
            agent.ledger.share(self.random.choice(found).id)

    def do_resolve(self, agent: Agent) -> None:
        found = agent.ledger.conflicts()
        if found:
            conflict = self.random.choice(found)
            member = self.random.choice(conflict.members).id
            how = self.random.choice(({"keep": member}, {"merge": self.text()}, {"delete": member}))
            agent.ledger.resolve(conflict.id, **how)

    def do_pack(self, agent: Agent) -> None:
        agent.ledger.pack()

    def do_purge(self, agent: Agent) -> None:
        """Erase a memory whose text nobody else has; no byte of it stays on this disk."""
        found = [m for m in agent.ledger.list(status="all") if m.text.endswith(" alone")]
        if found:
            one = self.random.choice(found)
            self.purged[one.id] = one.text
            agent.ledger.purge(one.id, reason="erased")
            self.check_erased(agent.clone, one.text)

    def check_erased(self, clone: Clone, text: str) -> None:
        """Check that a text stands in no file of a clone."""
        left = [name for name, file in clone.disk.files("/") if text.encode() in file.content]
        self.check(not left, f"{text} still stands in {left}")

    # What goes wrong

    def power_cut(self, clone: Clone) -> None:
        """Cut the power between two acts."""
        clone.cut(index_survives=self.random.random() < 0.5)

    def strike(self, clone: Clone) -> None:
        """Let a disaster happen at some step of an act."""
        self.disaster(clone, self.random.choice(("cut", "kill", "fail")))

    def disaster(self, clone: Clone, what: str) -> None:
        """Arm a trap and act until it has gone off; the agent may have just started."""
        if self.random.random() < 0.4:
            self.start(clone)
        clone.disk.arm(self.random.randint(1, 14), what)
        self.note(clone, f"  {what} is near")
        try:
            for _ in range(6):
                self.act(clone)
        except Dead:
            self.note(clone, f"  {what}!")
            if what == "cut":
                clone.cut(index_survives=self.random.random() < 0.5)
        finally:
            clone.disk.disarm()
            clone.bury()

    def turn_clock(self, clone: Clone) -> None:
        """Set a clock on or back."""
        clone.clock.off += self.random.choice((1, -1)) * self.random.choice(JUMPS)

    def wait(self, clone: Clone) -> None:
        """Let time pass."""
        self.time.ms += self.random.choice((SECOND, HOUR, DAY))

    # Git

    def commit(self, clone: Clone) -> None:
        """Commit all; what was committed before may have lost a line nobody was told of."""
        before = clone.tracked
        clone.commit()
        for name, content in clone.tracked.items():
            kept = before.get(name, content)
            same = kept == content or starts_with([*held(kept)], [*held(content)])
            self.check(same, f"{name} grew after its commit")

    def checkout(self, clone: Clone) -> None:
        """Go to another branch, or begin one."""
        clone.checkout(self.random.choice(("main", "side", "other")))

    def merge(self, clone: Clone) -> None:
        """Merge a branch of any clone."""
        source = self.random.choice(self.clones)
        branch = self.random.choice([*source.branches])
        self.pull(clone, source, branch)

    def pull(self, clone: Clone, source: Clone, branch: str) -> None:
        """Merge, and see that git has nothing to ask."""
        self.note(clone, f"  from {source.name} {branch}")
        theirs, ours = source.branches[branch], clone.tracked
        asked = clone.merge(theirs)
        for name in asked:
            short, long = sorted(([*held(theirs[name])], [*held(ours[name])]), key=len)
            self.check(starts_with(long, short), f"git would ask about {name}")

    # What must hold

    def glance(self, clone: Clone) -> None:
        """Check what is cheap to check: nothing acknowledged is lost."""
        project = {event.id for event in clone.events()}
        private = {event.id for event in clone.events("private")}
        missing = [
            event
            for event in clone.acknowledged
            if event.id not in (project if event.log == "project" else private)
        ]
        if any(event.log == "project" for event in missing):
            for tree in clone.branches.values():
                for content in tree.values():
                    project |= {*held(content)}
        lost = [e for e in missing if e.log != "project" or e.id not in project]
        self.check(not lost, f"lost: {lost}")

    def look(self, clone: Clone) -> None:
        """Check everything that must hold of a clone by itself.

        A purge that was cut short may have left content: `finish_purges` completes it.
        """
        self.glance(clone)
        self.highest(clone)
        agent = self.agent(clone)
        context = agent.ledger._context
        barred = context.logs.barred()
        for log in ("project", "private"):
            found = verify(context.places.store(log), log, deep=True, barred=barred)
            damage = [one for one in found.damage if one.rule != UNPURGED]
            self.check(not damage, f"damage: {damage}")
        events = [*clone.events(), *clone.events("private")]
        for event in events:
            self.check_said_once(event)
        self.check_causes(events)
        view = agent.ledger._context.fresh()
        expected = dump(events, view.now)
        self.check(index_dump(view.index, view.now) == expected, "the index differs from the fold")

    def check_said_once(self, event: Event) -> None:
        """Check that an id never stands for two things."""
        if event.purged or event.digest in self.seen:
            return
        self.seen.add(event.digest)
        content = canonical([event.kind, event.data, event.actor, event.time])
        if event.id in self.said:
            self.twice.add(event.id)
        self.check(self.said.setdefault(event.id, content) == content, f"{event} says two things")

    def check_causes(self, events: Iterable[Event]) -> None:
        """Check that no event is ordered before one it answers, unless that one had to wait.

        One said twice after a failed sync is let be: the line that counted may be the one a power
        cut takes, and the other is stamped later.
        """
        known: dict[str, Event] = {}
        for event in events:  # of several lines of one id the lowest counts
            known[event.id] = min(known.get(event.id, event), event, key=precedence)
        for event in known.values():
            limit = f"{instant(event.time) + AHEAD_MS:012x}"
            for cause in event.cause:
                before = known.get(cause)
                if before is None or before.id in self.twice or before.log != event.log:
                    continue
                if before.hlc < limit:
                    self.check(before.order < event.order, f"{event} comes before {before}")

    def rebuild(self, clone: Clone) -> None:
        """Make the index again."""
        self.agent(clone).ledger.rebuild()

    def finish(self) -> None:
        """Let everybody have everything, and compare."""
        for _ in range(ROUNDS):
            before = len(self.promised())
            self.meet()
            for clone in self.clones:
                if self.purged:
                    self.finish_purges(clone)
            if len(self.promised()) == before:
                break
        else:
            self.check(None, "finishing a purge never ends")
        for clone in self.clones:
            self.look(clone)
        project = {event.id for event in self.clones[0].events()}
        lost = [e for e in self.promised() if e.log == "project" and e.id not in project]
        self.check(not lost, f"lost on the way: {lost}")
        self.compare_folds()

    def meet(self) -> None:
        """Let everybody commit all and pull all branches of all."""
        for clone in self.clones:
            self.note(clone, "finish")
            self.commit(clone)
            for other in self.clones:
                for branch in [*other.branches]:
                    self.pull(clone, other, branch)
            self.commit(clone)
        for clone in self.clones:
            for other in self.clones:
                self.pull(clone, other, other.head)

    def promised(self) -> list[Event]:
        """Return all acknowledged events."""
        return [event for clone in self.clones for event in clone.acknowledged]

    def finish_purges(self, clone: Clone) -> None:
        """Finish what was cut short or merged back in: the content of no purged memory stays."""
        agent = self.agent(clone)
        agent.ledger.mend()
        agent.hear()
        for event in clone.events():
            if event.kind == "memory.purged":
                self.check_erased(clone, self.purged[event.data["memory"]])

    def compare_folds(self) -> None:
        """Check that all clones fold alike, in whatever order the events come."""
        now = self.time.ms + 10 * DAY
        dumps = []
        for clone in self.clones:
            events = clone.events()
            self.random.shuffle(events)
            dumps.append(dump(events, now))
        self.check(len(set(dumps)) == 1, "two clones fold the same files differently")


def starts_with(long: list[str], short: list[str]) -> bool:
    """Tell whether one list begins with the other; rests that were torn do not count."""
    return long[: len(short)] == short


def dump(events: Iterable[Event], now: int) -> str:
    """Fold events from nothing into their canonical dump."""
    return PROJECTION.dump(replay(PROJECTION, events), now)


WEIGHTS: dict[str, int] = {
    "act": 40,
    "strike": 14,
    "start": 6,
    "stop": 4,
    "kill": 3,
    "power_cut": 4,
    "turn_clock": 4,
    "wait": 3,
    "commit": 8,
    "checkout": 5,
    "merge": 9,
    "rebuild": 2,
}
ROUGH = {"act": 16, "strike": 36, "power_cut": 12, "kill": 8, "commit": 14}
LOOKED_AFTER = ("strike", "power_cut", "merge", "checkout", "rebuild", "turn_clock")
VERBS = (
    *("remember", "remember_many", "correct", "edit", "forget", "restore", "undo"),
    *("share", "resolve", "pack", "purge"),
)
VERB_WEIGHTS = (10, 3, 6, 4, 3, 3, 3, 2, 2, 1, 2)


def simulate(seed: int) -> Simulation:
    """Play one seed and return what became of it."""
    simulation = Simulation(seed)
    simulation.run()
    return simulation

"""A log with a past: what many sessions recorded, corrected, forgot and settled, in valid chains.

Every event is decided by the command that would decide it in a ledger and written by the log's own
codec; only the syncs are left out, so that a hundred thousand events are there in seconds.
"""

from __future__ import annotations

import os
import random

from benchmarks.corpus import Writer
from varves.commands import correct, edit, forget, remember, resolve
from varves.commands.port import Act
from varves.events.codec import stamped
from varves.events.event import Draft
from varves.events.kinds import CLOSED, RECORDED, REINFORCED, UNDONE
from varves.log.files.layout import segment_name
from varves.values.ids import IdSource
from varves.values.instants import DAY_MS, FixedClock, Hlc, iso
from varves.values.memory import Memory
from varves.values.text import value_key

BEGIN_MS = 1_750_000_000_000  # a day in June 2025
YEAR_MS = 300 * DAY_MS
LANES = 8
MIX = {
    "record": 64.0,
    "reinforce": 12.0,
    "correct": 9.0,
    "revise": 7.0,
    "forget": 4.0,
    "restore": 2.0,
    "undo": 1.0,
    "dispute": 0.5,
}
TYPES = ("note", "decision", "convention", "lesson", "preference")
ACTORS = ("USER", "planner", "reviewer", "builder")


class SeededIds(IdSource):
    """Identities that are the same in every run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def entropy(self, count: int) -> bytes:
        """Return that many bytes of the seed's sequence."""
        return self._random.randbytes(count)


class Project:
    """A project's life: asks the commands what to record, and keeps what they need to know."""

    def __init__(self, seed: int, events: int) -> None:
        self.random = random.Random(seed)
        self.ids = SeededIds(seed)
        self.now = BEGIN_MS
        self._step = YEAR_MS // events
        self._texts = Writer(seed).texts(2 * events)
        self._held: dict[str, Memory] = {}
        self._current: list[str] = []
        self._gone: list[str] = []
        self._rejected: dict[bytes, list[str]] = {}

    # The rows commands ask for

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        return self._held.get(name)

    def standing(
        self,
        key: bytes,
        text: str,  # noqa: ARG002
        trust: int,  # noqa: ARG002
        *,
        protocol: str | None = None,  # noqa: ARG002
    ) -> tuple[str | None, list[str]]:
        """Return the memory that holds a value, none as texts are distinct, and what rejects it."""
        return None, self.rejecting(key)

    def free(self, name: str) -> bool:  # noqa: ARG002
        """Tell whether a memory is out of quarantine: all are the project's own."""
        return True

    def rejecting(self, key: bytes) -> list[str]:
        """Return the standing events that reject a value."""
        return self._rejected.get(key, [])

    # Its life

    def draft(self) -> list[Draft]:
        """Let the next thing happen and return its events."""
        self.now += self._step
        kinds = list(MIX)
        kind = self.random.choices(kinds, list(MIX.values()))[0]
        if len(self._current) < 20 or (kind == "restore" and not self._gone):
            kind = "record"
        return getattr(self, f"_{kind}")()  # type: ignore[no-any-return]

    def _act(self) -> Act:
        session = f"ses-{self.now // DAY_MS}-{self.random.randrange(40)}"
        return Act(actor=self.random.choice(ACTORS), session=session, now=self.now)

    def _named(self, draft: Draft) -> Draft:
        return draft.replace(id=self.ids.event(self.now))

    def _any(self) -> str:
        return self.random.choice(self._current)

    def _take(self) -> str:
        place = self.random.randrange(len(self._current))
        self._current[place], self._current[-1] = self._current[-1], self._current[place]
        return self._current.pop()

    def _born(self, name: str, text: str, draft: Draft) -> Memory:
        moment = iso(self.now)
        memory = Memory(
            id=name,
            text=text,
            created_at=moment,
            created_by=draft.actor,
            updated_at=moment,
            updated_by=draft.actor,
            at=moment,
            version=str(draft.id),
        )
        self._held[name] = memory
        return memory

    def _record(self) -> list[Draft]:
        tags = tuple(self.random.sample(("api", "build", "db", "ops", "ui", "docs"), 2))
        wish = remember.Remember(
            text=next(self._texts),
            log="project",
            scope="project",
            id=self.ids.memory(),
            about={
                "type": self.random.choice(TYPES),
                "tags": tags if self.random.random() < 0.4 else (),
                "turn": self.random.randrange(200) if self.random.random() < 0.5 else None,
            },
        )
        draft = self._named(remember.decide(self, wish, self._act()).drafts[0])
        self._born(wish.id, wish.text, draft)
        self._current.append(wish.id)
        return [draft]

    def _reinforce(self) -> list[Draft]:
        return [self._named(self._act().draft(REINFORCED, {"memory": self._any()}))]

    def _correct(self) -> list[Draft]:
        name = self._take()
        draft = self._replace(name)
        self._current.append(draft.data["by"])
        self._held[name] = self._held[name].replace(status="superseded")
        return [draft]

    def _replace(self, name: str) -> Draft:
        wish = correct.Correct(
            memory=name, text=next(self._texts), id=self.ids.memory(), reason="it changed"
        )
        draft = self._named(correct.decide(self, wish, self._act()).drafts[0])
        self._born(wish.id, wish.text, draft)
        return draft

    def _revise(self) -> list[Draft]:
        name = self._any()
        wish = edit.Edit(memory=name, changes={"confidence": round(self.random.random(), 4)})
        draft = self._named(edit.decide(self, wish, self._act()).drafts[0])
        self._held[name] = self._held[name].replace(version=str(draft.id))
        return [draft]

    def _forget(self) -> list[Draft]:
        name = self._take()
        wish = forget.Forget(memory=name, reason="no longer so")
        draft = self._named(forget.decide_forget(self, wish, self._act()).drafts[0])
        memory = self._held[name]
        key = value_key("project", memory.scope, memory.text)
        self._rejected[key] = [str(draft.id)]
        self._held[name] = memory.replace(status="forgotten", version=str(draft.id))
        self._gone.append(name)
        return [draft]

    def _restore(self) -> list[Draft]:
        name = self._gone.pop(self.random.randrange(len(self._gone)))
        memory = self._held[name]
        wish = forget.Restore(memory=name)
        draft = self._named(forget.decide_restore(self, wish, self._act()).drafts[0])
        self._rejected.pop(value_key("project", memory.scope, memory.text))
        self._held[name] = memory.replace(status="active", version=str(draft.id))
        self._current.append(name)
        return [draft]

    def _undo(self) -> list[Draft]:
        """Record something and take it back."""
        [draft] = self._record()
        name = self._current.pop()
        content = {"event": draft.id, "kind": RECORDED, "memories": [name]}
        return [draft, self._named(self._act().draft(UNDONE, content, str(draft.id)))]

    def _dispute(self) -> list[Draft]:
        """Correct one memory twice without knowing of each other, then keep the second."""
        name = self._take()
        first, second = self._replace(name), self._replace(name)
        self._held[name] = self._held[name].replace(status="superseded")
        members = tuple(self._held[draft.data["by"]] for draft in (first, second))
        wish = resolve.Resolve(
            conflict=f"cfl_{name[4:]}",
            members=members,
            id=self.ids.memory(),
            keep=members[1].id,
        )
        settled = self._named(resolve.decide(self, wish, self._act()).drafts[0])
        self._current.append(members[1].id)
        return [first, second, settled]


class Chain:
    """One lane's chain of segments, written straight to disk."""

    def __init__(self, root: str, *, writer: str, hlc: Hlc, ids: IdSource) -> None:
        self._root = root
        self._writer = writer
        self._hlc = hlc
        self._ids = ids
        self._seq = 0
        self._prev: str | None = None
        self._closed: dict[str, object] | None = None

    def write(self, drafts: list[tuple[int, Draft]]) -> None:
        """Write one segment, its first line closing the one before."""
        now = drafts[0][0]
        if self._closed is not None:
            closing = Draft(kind=CLOSED, data=self._closed, actor="varves")
            drafts = [(now, closing.replace(id=self._ids.event(now))), *drafts]
        content = b"".join([self._line(moment, draft) for moment, draft in drafts])
        clone = self._writer.partition(".")[0]
        name = segment_name(iso(now)[:10], clone, self._ids.word(10))
        path = f"{self._root}/.varves/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(content)
        self._closed = {
            "segment": name,
            "lines": len(drafts),
            "bytes": len(content),
            "last": self._prev,
        }

    def _line(self, now: int, draft: Draft) -> bytes:
        self._seq += 1
        stamp = {
            "id": draft.id,
            "hlc": self._hlc.tick(now),
            "time": iso(now),
            "writer": self._writer,
            "seq": self._seq,
            "prev": self._prev,
            "seen": (),
            "salt": self._ids.salt(),
        }
        event, line = stamped(draft, "project", stamp)
        self._prev = event.digest
        return line


def write_history(root: str, events: int, *, files: int) -> None:
    """Write the log of a project with exactly so many events in so many files."""
    project = Project(events + files, events)
    hlc = Hlc(FixedClock(BEGIN_MS))
    lanes = min(LANES, files)
    chains = [
        Chain(root, writer=f"benchclone.ln{number:02}", hlc=hlc, ids=project.ids)
        for number in range(lanes)
    ]
    waiting: list[tuple[int, Draft]] = []
    for number in range(files):
        room = events * (number + 1) // files - events * number // files
        room -= number >= lanes  # the line that closes the lane's last segment
        while len(waiting) < room:
            waiting += [(project.now, draft) for draft in project.draft()]
        chains[number % lanes].write(waiting[:room])
        waiting = waiting[room:]

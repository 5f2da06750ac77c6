"""Applies the end of a party to one agent's memories: boost, decay, floor, additions, cap.

Numbers are computed as decimals, so that 0.3 is exactly 0.3.
"""

from __future__ import annotations

from bisect import bisect_right
from decimal import Decimal

from varves.commands.undo import taken_back
from varves.events import kinds
from varves.events.kinds import DECAYED, RECORDED, REJECTED, REVISED, SUPERSEDED
from varves.protocols.excerpt import LONGEST
from varves.protocols.hand_edit import made_id
from varves.protocols.party.answers import Outcome
from varves.protocols.party.concise import concise
from varves.protocols.party.earlier import cited, repeats, reverses
from varves.protocols.party.fold import PROJECT, start_of
from varves.protocols.party.phrases import cleaned
from varves.protocols.party.sidecars import day, scope_of, shown
from varves.protocols.party.talk import TYPES
from varves.values.memory import TRUST, Memory
from varves.values.text import fold, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.party.earlier import Citation
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.sessions import Meeting
    from varves.protocols.port import Core

PRUNED = kinds.PRUNED
REFERENCED, IDLE, FLOOR, CAP = "referenced", "idle", "floor", "cap"
REVERSED = "reversed"
_DECISION = "decision"
_AGENT = "agent"


class CandidateMemory(Value):
    """A candidate for an agent's memories."""

    agent: str
    type: str
    text: str
    confidence: float
    place: tuple[int, int]
    """Its origin: the turn, and its position among the findings of that turn."""
    cause: tuple[str, ...]
    rule: str
    proposal: Memory | None = None
    """The memory that was proposed explicitly; None if a detector found it."""


class Reversal(Value):
    """The decision that reverses an earlier one."""

    name: str
    text: str
    start: str
    """The party that made it."""

    def draft(self, memory: Memory, act: Act) -> Draft:
        """Return the draft that supersedes the earlier decision."""
        content = {
            "memory": memory.id,
            "by": self.name,
            "reason": f"{self.text!r} was decided later",
            "rule": REVERSED,
            "start": self.start,
        }
        return act.draft(SUPERSEDED, content, memory.version)

    def told(self, options: PartyOptions) -> dict[str, str]:
        """Return what an answer says of it."""
        return {"by": self.name, "by_content": concise(self.text, options.content_chars)}


def made_in(memory: Memory) -> tuple[str, str]:
    """Return what the copies of one decision in several sidecars share: text and party."""
    return fold(memory.text), str(memory.extra.get("start", ""))


class Sidecar:
    """The effect of a party's end on one agent's memories."""

    def __init__(self, core: Core, options: PartyOptions, *, meeting: Meeting, agent: str) -> None:
        self._core = core
        self._options = options
        self._meeting = meeting
        self._agent = agent
        self._scope = scope_of(agent)
        self._memories = [one for one in core.memories(scope=self._scope) if one.kept == PROJECT]
        self._sure: dict[str, float | None] = {one.id: one.confidence for one in self._memories}
        self._knew = {fold(one.text) for one in self._memories if not self._is_of_now(one)}
        self._said: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("added", "boosted", "decayed", "superseded", "pruned", "dropped")
        }
        self.reversed: dict[tuple[str, str], Reversal] = {}
        """The decisions that were superseded, by text and by the party that made them."""
        self._lives: dict[str, list[Event]] = {}
        self._steps = core.steps([one.id for one in self._memories])
        self.drafts: list[Draft] = []
        self.private: list[Draft] = []

    def close(
        self,
        candidates: Sequence[CandidateMemory],
        referred: dict[str, str],
        *,
        citations: Sequence[Citation] = (),
        act: Act,
        ended: Sequence[Event],
    ) -> None:
        """Run the steps in order; `ended` are the agent's past sessions."""
        restated = self._cited(citations)
        told = {fold(cleaned(one.text)) for one in restated.values()}
        said = [one for one in candidates if one.proposal or fold(one.text) not in told]
        fresh, known = self._sorted(said, act)
        references = {name: one.turn for name, one in restated.items()} | known | referred
        boosted = self._boost(references, act)
        self._decay(boosted | references.keys(), ended, act)
        self._prune_faint(act)
        added = self._add(fresh, act)
        self._prune_many(added, act)

    def knew(self, text: str) -> bool:
        """Return whether the agent remembered a text before this party."""
        return fold(text) in self._knew

    def _life(self, memory: Memory) -> list[Event]:
        if memory.id not in self._lives:
            found = self._core.rows().history(memory.id)
            self._lives[memory.id] = [event for event in found if event.log == PROJECT]
        return self._lives[memory.id]

    # Boosts

    def _cited(self, citations: Iterable[Citation]) -> dict[str, Citation]:
        """Return the memories of earlier parties that the agent cites, each with the citation."""
        held = [one for one in reversed(self._memories) if not self._is_of_now(one)]
        found = {}
        for one in citations:
            place = cited(one.text, [memory.text for memory in held])
            if place is not None:
                found[held[place].id] = one
        return found

    def _is_of_now(self, memory: Memory) -> bool:
        return bool(memory.extra.get("start") == self._meeting.start)

    def _boost(self, references: dict[str, str], act: Act) -> set[str]:
        done = set()
        for memory in self._memories:
            if memory.id not in references or self._is_boosted(memory):
                continue
            done.add(memory.id)
            before = memory.confidence
            content: dict[str, Any] = {
                "memory": memory.id,
                "rule": REFERENCED,
                "start": self._meeting.start,
            }
            if before is not None:
                after = min(1.0, moved(before, self._options.boost))
                self._sure[memory.id] = after
                content["set"] = {"confidence": after}
            self.drafts.append(act.draft(REVISED, content, memory.version, references[memory.id]))
            self._say("boosted", memory, before=before)
        return done

    def _is_boosted(self, memory: Memory) -> bool:
        return any(
            event.kind == REVISED and event.data.get("start") == self._meeting.start
            for event in self._life(memory)
        )

    # Decay and pruning

    def _decay(self, referred: Iterable[str], ended: Sequence[Event], act: Act) -> None:
        sessions: dict[str, tuple[str, str, str]] = {}
        for event in ended:
            if event.log == PROJECT:
                sessions.setdefault(start_of(event), event.order)
        sessions.pop(self._meeting.start, None)
        ends = sorted(sessions.values())
        spared = set(referred)
        for memory in self._memories:
            before = memory.confidence
            steps = (
                0 if memory.id in spared or before is None else self._due(memory, sessions, ends)
            )
            if steps <= 0 or before is None:
                continue
            after = max(0.0, moved(before, -self._options.decay_step, steps))
            self._sure[memory.id] = after
            content = {
                "memory": memory.id,
                "set": {"confidence": after},
                "rule": IDLE,
                "start": self._meeting.start,
            }
            self.drafts.append(act.draft(DECAYED, content, memory.version))
            self._say("decayed", memory, before=before)

    def _due(
        self, memory: Memory, sessions: dict[str, tuple[str, str, str]], ends: Sequence[Any]
    ) -> int:
        """Return how many times a memory loses confidence now.

        A memory's idle sessions are those that its agent ended since the memory was recorded or
        last referred to, including this one.
        """
        steps = self._steps.get(memory.id, [])
        since, own = self._last_named(memory, [kind for kind, _ in steps])
        if own == self._meeting.start:
            return 0
        idle = 1 + len(ends) - bisect_right(ends, since) - (sessions.get(own, ()) > since)
        done = sum(kind == DECAYED and order > since for kind, order in steps)
        every = self._options.decay_sessions
        due = max(0, idle - every) if self._options.decay_each else idle // every
        return due - done

    def _last_named(self, memory: Memory, kinds: Sequence[str]) -> tuple[tuple[str, ...], str]:
        """Return when a memory was recorded or last referred to, and in which party."""
        since: tuple[str, ...] = ("", "", "")
        # most memories were never referred to; for these, the events need not be read
        if set(kinds) <= {RECORDED, DECAYED} and kinds.count(RECORDED) == 1:
            [since] = [order for kind, order in self._steps[memory.id] if kind == RECORDED]
            return since, str(memory.extra.get("start", ""))
        own, life = "", self._life(memory)
        gone = taken_back(life)
        for event in life:
            born = event.kind == RECORDED
            boosted = event.kind == REVISED and event.data.get("rule") == REFERENCED
            if born or (boosted and event.id not in gone):
                since, own = event.order, str(event.data.get("start", ""))
        return since, own

    def _prune_faint(self, act: Act) -> None:
        """Prune memories below the floor, except those that a person restored unchanged."""
        for memory in list(self._memories):
            sure = self._sure[memory.id]
            if sure is None or exact(sure) >= exact(self._options.floor):
                continue
            if sure == memory.confidence and self._is_brought_back(memory):
                continue
            self._prune(memory, FLOOR, f"confidence {sure} is below {self._options.floor}", act)

    def _is_brought_back(self, memory: Memory) -> bool:
        marks = [
            event.kind == PRUNED
            for event in self._life(memory)
            if event.kind in (PRUNED, REVISED, DECAYED)
        ]
        return bool(marks) and marks[-1]

    def _prune(self, memory: Memory, rule: str, reason: str, act: Act) -> None:
        content = {
            "memory": memory.id,
            "reason": reason,
            "rule": rule,
            "start": self._meeting.start,
        }
        cause = [memory.version] if memory.version else []
        self.drafts.append(act.draft(PRUNED, content, *cause))
        self._memories.remove(memory)
        self._say("pruned", memory, rule=rule, reason=reason)

    # Additions

    def _sorted(
        self, candidates: Sequence[CandidateMemory], act: Act
    ) -> tuple[list[CandidateMemory], dict[str, str]]:
        """Return the candidates to add, each text once, and the memories that candidates repeat."""
        known: dict[str, str] = {}
        fresh: dict[str, CandidateMemory] = {}
        texts = {fold(text): one for one in self._memories for text in (one.text, shown(one))}
        for one in sorted(candidates, key=lambda one: (-one.confidence, one.proposal is None)):
            same = texts.get(fold(one.text)) or self._repeated(one)
            why = self._refused(one)
            if why is not None:
                self._drop(one, why, act)
            elif same is not None and not self._is_of_now(same):
                known[same.id] = one.cause[-1] if one.cause else self._meeting.start
                self._drop(one, f"known as {same.id}", act, said=False)
            elif fold(one.text) in fresh:
                self._drop(one, "said twice", act, said=one.proposal is not None)
            else:
                fresh[fold(one.text)] = one
        return sorted(fresh.values(), key=_weight), known

    def _repeated(self, one: CandidateMemory) -> Memory | None:
        """Return the memory of an earlier party that a candidate states in other words."""
        decides = one.type == _DECISION
        held = (memory for memory in self._memories if (memory.type == _DECISION) == decides)
        return next(
            (each for each in held if not self._is_of_now(each) and repeats(each.text, one.text)),
            None,
        )

    def _refused(self, one: CandidateMemory) -> str | None:
        """Return why a candidate cannot become a memory; None if it can."""
        if one.type not in TYPES:
            return f"{one.type!r} is not a type of memory"
        if not one.text.strip():
            return "it is blank"
        if not self._options.least_confidence <= one.confidence <= 1:
            return f"its confidence {one.confidence} is not allowed"
        lifted = one.proposal is not None and one.proposal.extra.get("again") is True
        rejecting = self._core.rows().rejecting(value_key(PROJECT, self._scope, one.text))
        if rejecting and not lifted:
            return f"rejected by {rejecting[0]}"
        return None

    def _add(self, fresh: Sequence[CandidateMemory], act: Act) -> list[Memory]:
        """Record the most confident candidates, in the order in which they were said."""
        most = self._options.per_session
        for one in fresh[most:]:
            self._drop(one, f"more than {most} in one session", act)
        added: list[Memory] = []
        chosen = sorted(fresh[:most], key=lambda one: one.place)
        for place, one in enumerate(chosen):
            if any(_reverses(one, later) for later in chosen[place + 1 :]):
                self._drop(one, "reversed in the same session", act)
                continue
            name = one.proposal.id if one.proposal else self._made(one)
            held = self._core.memory(name)
            if held is None or held.status == "proposed":
                self.drafts.append(self._recorded(one, name, act))
            elif held.status != "active":
                continue
            made = self._memory(one, name)
            self._sure[name] = one.confidence
            self._say("added", made, type=one.type)
            self._supersede(one, name, act)
            if held is None or held.status == "proposed":
                added.append(made)
        return added

    def _supersede(self, one: CandidateMemory, name: str, act: Act) -> None:
        """Let a decision supersede the earlier decisions that it reverses."""
        if one.type != _DECISION:
            return
        for memory in [each for each in self._memories if each.type == _DECISION]:
            if memory.id != name and reverses(memory.text, one.text):
                by = Reversal(name=name, text=one.text, start=self._meeting.start)
                self.drafts.append(by.draft(memory, act))
                self.reversed[made_in(memory)] = by
                self._memories.remove(memory)
                self._say("superseded", memory, **by.told(self._options))

    def _made(self, one: CandidateMemory) -> str:
        return made_id("party", self._meeting.start, self._agent, fold(one.text))

    def _recorded(self, one: CandidateMemory, name: str, act: Act) -> Draft:
        lifts: list[str] = []
        if one.proposal is not None and one.proposal.extra.get("again") is True:
            lifts = self._core.rows().rejecting(value_key(PROJECT, self._scope, one.text))
        short = concise(one.text, self._options.content_chars)
        content = {
            "memory": name,
            "text": one.text,
            "content": short if short != one.text or len(short) > LONGEST else None,
            "scope": self._scope,
            "type": one.type,
            "confidence": one.confidence,
            "source_session": day(self._meeting.began),
            "speaker": self._agent,
            "rule": one.rule,
            "start": self._meeting.start,
            "lifts": lifts,
        }
        if one.proposal is None:  # an agent said it; no caller requested it
            act = act.replace(origin=_AGENT, trust=min(act.trust, TRUST[_AGENT]))
        return act.draft(RECORDED, content, *one.cause, *lifts)

    def _memory(self, one: CandidateMemory, name: str) -> Memory:
        """Return the memory that will be recorded, with the fields the cap needs."""
        return Memory(
            id=name,
            text=one.text,
            extra={"content": concise(one.text, self._options.content_chars)},
            created_at="",
            created_by="",
            updated_at="",
            updated_by="",
            at="",
        )

    def _prune_many(self, added: Sequence[Memory], act: Act) -> None:
        """Prune the least confident memories above the cap; among equals, the oldest first."""
        self._memories += added
        many = len(self._memories) - self._options.cap
        if many <= 0:
            return
        ranked = sorted(self._memories, key=lambda one: exact(self._sure[one.id] or 0.0))
        for memory in ranked[:many]:
            self._prune(memory, CAP, f"more than {self._options.cap} memories", act)

    # Reporting

    def _drop(self, one: CandidateMemory, reason: str, act: Act, *, said: bool = True) -> None:
        """Drop a candidate; if it was proposed explicitly, reject the proposal."""
        if one.proposal is not None:
            content = {"memory": one.proposal.id, "reason": reason}
            self.private.append(act.draft(REJECTED, content, one.proposal.version))
        if said:
            parts = {"content": concise(one.text, self._options.content_chars), "type": one.type}
            more = {"confidence": one.confidence, "reason": reason}
            self._said["dropped"].append({**parts, **more})

    def _say(self, step: str, memory: Memory, **more: Any) -> None:
        told = {"id": memory.id, "content": shown(memory), "confidence": self._sure[memory.id]}
        self._said[step].append({**told, **more})

    def outcome(
        self, relations: Sequence[dict[str, Any]], decisions: Sequence[dict[str, Any]], count: int
    ) -> Outcome:
        """Return how the end of the party changed this agent's sidecar."""
        keys = ("other", "relation", "count")
        return Outcome(
            **{name: tuple(some) for name, some in self._said.items()},
            relations=tuple({key: one[key] for key in keys} for one in relations),
            decisions=tuple({key: one[key] for key in one if key != "named"} for one in decisions),
            sessions=count,
            memories=len(self._memories),
        )


def _reverses(one: CandidateMemory, later: CandidateMemory) -> bool:
    decisions = one.type == later.type == _DECISION
    return decisions and one.proposal is None and reverses(one.text, later.text)


def _weight(one: CandidateMemory) -> tuple[float, int, int]:
    """Return a sort key: the most confident first, the newest first among equals."""
    turn, nth = one.place
    return -one.confidence, -turn, -nth


def exact(number: float) -> Decimal:
    """Return a number exactly as it is written, without binary rounding."""
    return Decimal(repr(float(number)))


def moved(number: float, step: float, times: int = 1) -> float:
    """Add a step to a number in decimal arithmetic."""
    return float(exact(number) + exact(step) * times)

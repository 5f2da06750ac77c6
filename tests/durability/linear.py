"""Is a history of one memory linearisable? A search after Wing and Gong.

A history is what several clients did to a memory: each act has the instants between which it ran
and the answer it got. It is linearisable if every act can be given one moment between its two
instants so that a single client, doing them one after the other, would have got the same answers.

What is promised, and so what a history may hold:

- a change that names the version it saw (`expect`): look and append are one step under the decide
  lock, so of all that name one version exactly one is done and the others are stale;
- a `remember` under a given id: recorded once, by one of them; later ones find it known, or taken
  where they say something else;
- a read (`show`): the newest version, or one of an act that has not answered yet. Once an answer
  has been given, to whomever, no later read in any process shows an older version;
- busy: the lock was not to be had in time. Nothing was written, whenever that was.

What is not promised: the place of a change that names no version. It is durable when it answers and
later reads see it, but two processes may both decide on what they read before either has written;
the stamps order them then, not the moments. Nor is anything said here across memories: each has an
order of its own, which is enough, because histories that are linearisable one by one are so
together.

The search takes, again and again, one of the acts that could be next (no act left over had ended
before it began), asks the sequential memory below whether it would have answered so, and goes back
where it would not. A set of acts done and a state met before are not tried twice.
"""

from __future__ import annotations

from typing import NamedTuple

Answer = tuple[str, ...]


class Act(NamedTuple):
    """One thing a client did: what, with which words, between which instants, and the answer."""

    verb: str
    said: str  # the version expected, or the text to be remembered
    begun: int
    ended: int
    answer: Answer
    client: int = 0


class Memory(NamedTuple):
    """The sequential memory: what a lone client would find."""

    version: str = ""
    status: str = ""
    text: str = ""

    def after(self, act: Act) -> Memory | None:
        """Return the memory after an act, or None if it would have answered otherwise."""
        if act.answer[0] == "busy":
            return self
        if act.verb == "remember":
            return self._remembered(act)
        if act.verb == "show":
            seen = ("found", *self) if self.version else ("missing",)
            return self if act.answer == seen else None
        return self._changed(act)

    def _remembered(self, act: Act) -> Memory | None:
        if not self.version:
            kept = act.answer[0] == "done"
            return Memory(act.answer[1], "active", act.said) if kept else None
        right = "known" if act.said == self.text else "refused"
        return self if act.answer == (right,) else None

    def _changed(self, act: Act) -> Memory | None:
        if not self.version:
            right: Answer = ("missing",)
        elif act.said != self.version:
            right = ("stale",)
        elif self.status in _REFUSING[act.verb]:
            right = ("refused",)
        elif act.answer[0] == "done":
            return Memory(act.answer[1], _MAKING.get(act.verb, self.status), self.text)
        else:
            return None
        return self if act.answer == right else None


_REFUSING: dict[str, tuple[str, ...]] = {
    "edit": (),
    "correct": ("superseded", "forgotten"),
    "forget": ("forgotten",),
    "restore": ("active",),
}
_MAKING = {"correct": "superseded", "forget": "forgotten", "restore": "active"}


def linearisation(acts: list[Act]) -> list[Act] | None:
    """Return the acts in an order that explains every answer, or None if there is none."""
    acts = sorted(acts, key=lambda act: act.begun)
    done: list[int] = []
    states = [Memory()]
    tried = {(0, states[0])}
    choices = [_possible(acts, 0)]
    mask = 0
    while len(done) < len(acts):
        for number in choices[-1]:
            after = states[-1].after(acts[number])
            reached = (mask | 1 << number, after)
            if after is not None and reached not in tried:
                tried.add(reached)
                mask |= 1 << number
                done.append(number)
                states.append(after)
                choices.append(_possible(acts, mask))
                break
        else:
            if not done:
                return None
            mask &= ~(1 << done.pop())
            states.pop()
            choices.pop()
    return [acts[number] for number in done]


def _possible(acts: list[Act], mask: int) -> list[int]:
    """Return the acts that could be next: those begun before any other that is left has ended."""
    found: list[int] = []
    first_end = None
    for number, act in enumerate(acts):
        if mask >> number & 1:
            continue
        if first_end is not None and act.begun > first_end:
            break
        found.append(number)
        if first_end is None or act.ended < first_end:
            first_end = act.ended
    return sorted(found, key=lambda number: acts[number].ended)


def told(acts: list[Act]) -> str:
    """Write a history so that a person can follow it."""
    start = min(act.begun for act in acts)
    return "\n".join(
        f"{(act.begun - start) // 1000:9}-{(act.ended - start) // 1000:<9} µs  "
        f"client {act.client}  {act.verb} {act.said or '-'} -> {' '.join(act.answer)}"
        for act in sorted(acts, key=lambda act: act.begun)
    )

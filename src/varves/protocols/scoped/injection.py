"""Selects the best entries that no entry of a nearer scope hides, and formats them as one block.

An entry that explicitly overrides a global one hides it without a notice; in all other cases a
notice names both entries. The block fences stored text as data.
"""

from __future__ import annotations

from itertools import combinations

from varves.errors import Refused, VarvesError
from varves.protocols.records import seconds
from varves.protocols.scoped import prompts
from varves.protocols.scoped.answers import Injected, Prompt
from varves.protocols.scoped.entries import confidence
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.options import COMPARED
from varves.protocols.scoped.places import GLOBAL, PROJECT
from varves.protocols.scoped.ranking import ranked
from varves.protocols.scoped.shades import Shade, is_opposed, parted
from varves.recall.fence import NONCE_LENGTH, block, line_of, nonce_for
from varves.values.text import count_tokens, counted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.protocols.port import Core
    from varves.protocols.scoped.answers import Dispute
    from varves.protocols.scoped.desk import Desk
    from varves.protocols.scoped.ranking import RelevanceScore
    from varves.values.memory import Memory

AGENTS = "agents/*/system-prompt.md"
"""The prompt files whose block the start of a session brings up to date."""
_ANY = "a0" * (NONCE_LENGTH // 2)  # no nonce has more tokens
_DAY = 10  # length of the date in an instant


class Chosen(Value):
    """Scores of the entries to show and of those that did not fit, and notices of hidden ones."""

    told: tuple[RelevanceScore, ...]
    skipped: tuple[RelevanceScore, ...]
    lines: tuple[str, ...]
    notices: tuple[str, ...]
    tokens: int


def ranked_in(desk: Desk, held: Holdings, *scopes: str) -> list[RelevanceScore]:
    """Score the entries of some scopes that may be shown, the best first."""
    return scored(desk, held, held.standing(*scopes))


def scored(desk: Desk, held: Holdings, entries: Iterable[Memory]) -> list[RelevanceScore]:
    """Score some entries, the best first."""
    return ranked(entries, held.uses, now=desk.core.now, options=desk.options)


def shade_of(desk: Desk, scores: Iterable[RelevanceScore]) -> Shade:
    """Return which entries hide which, among scored ones."""
    return Shade([one.memory for one in scores], desk.alike)


def chosen(
    desk: Desk,
    held: Holdings,
    scores: Sequence[RelevanceScore],
    budget: int,
    *,
    shade: Shade | None = None,
    disputed: Sequence[str] = (),
) -> Chosen:
    """Choose the best entries that are not hidden, as many as fit into a budget.

    Global entries only get the room that the others leave. The entries chosen are shown in the
    order of their ranks.

    Args:
        desk: has the options and the rule by which entries hide others.
        held: has the numbers of the entries.
        scores: the entries that may be shown, in the order in which they are wanted.
        budget: the most tokens of the whole block, including its marks.
        shade: finds the hidden ones; by default each may be hidden by another of them.
        disputed: the scopes whose conflicts are marked.
    """
    shade = shade or shade_of(desk, scores)
    nearest = sorted(scores, key=lambda one: one.memory.scope == GLOBAL)
    best, hidden = parted(nearest, shade, most=desk.options.top)
    about = [one.memory.id for one in best] if disputed else []
    against = _opponents(disputes_in(desk.core, held, disputed, about=about) if about else ())
    across = _across(desk, [each.memory for each in best])
    for left, right in across:
        for mine, theirs in ((left, right), (right, left)):
            named = f"{held.label(theirs)} of {theirs.scope}"
            against[mine.id] = ", ".join(filter(None, (against.get(mine.id), named)))
    room = budget - count_tokens(block((), _ANY) + "\n")
    skipped, lines = [], {}
    for one in best:
        line = line_of(_shown(one, held.label(one.memory), against.get(one.memory.id)))
        cost = count_tokens(line + "\n")
        if cost > room:
            skipped.append(one)
        else:
            room -= cost
            lines[one] = line
    told = sorted(lines, key=lambda one: one.rank)
    shown = tuple(lines[one] for one in told)
    shown_ids = {each.memory.id for each in told}
    return Chosen(
        told=tuple(told),
        skipped=tuple(skipped),
        lines=shown,
        notices=(
            *(
                f"{held.label(nearer)} of {nearer.scope} takes precedence over"
                f" {held.label(one.memory)} of {one.memory.scope}"
                for one, nearer in hidden
                if shade.overriding(one.memory) is None
            ),
            *(
                f"{held.label(left)} of {left.scope} and {held.label(right)} of {right.scope}"
                " contradict each other, and neither takes precedence"
                for left, right in across
                if {left.id, right.id} <= shown_ids
            ),
        ),
        tokens=count_tokens(block(shown, _ANY)) if shown else 0,
    )


def _across(desk: Desk, memories: Iterable[Memory]) -> list[tuple[Memory, Memory]]:
    """Return the pairs of entries of two scopes that contradict each other."""
    ordered = sorted(memories, key=lambda one: (one.scope, one.at))
    pairs = combinations(ordered, 2)
    return [(one, other) for one, other in pairs if is_opposed(one, other, desk.alike)]


def _opponents(disputes: Iterable[Dispute]) -> dict[str, str]:
    """Return, by memory, the numbers of the entries that it is in conflict with."""
    found: dict[str, dict[str, None]] = {}
    for one in disputes:
        for each in one.entries:
            names = [other.id for other in one.entries if other.id != each.id]
            found.setdefault(each.memory, {}).update(dict.fromkeys(names))
    return {name: ", ".join(ids) for name, ids in found.items()}


def _shown(one: RelevanceScore, label: str, against: str | None) -> dict[str, Any]:
    """Return the fields of an entry for an agent, its source before its text."""
    memory = one.memory
    said = {
        "id": label,
        "scope": memory.scope,
        "type": memory.type,
        "confidence": f"{confidence(memory):g}",
        "at": seconds(memory.created_at)[:_DAY],
    }
    if memory.origin != "direct":
        said["origin"] = memory.origin
    if against is not None:
        said["conflicts_with"] = against
    return {**said, "text": memory.text}


def injected(
    core: Core, held: Holdings, shown: Chosen, *, budget: int, nonce: str | None = None
) -> Injected:
    """Build the block of the chosen entries."""
    lines = list(shown.lines)
    if nonce is None or any(nonce in line for line in lines):
        nonce = nonce_for(lines, key=core.ids.salt(), place=core.root)
    return Injected(
        block=block(lines, nonce) if lines else "",
        tokens=shown.tokens,
        budget=budget,
        entries=tuple(held.ranked(one) for one in shown.told),
        skipped=tuple(held.ranked(one) for one in shown.skipped),
        notices=shown.notices,
    )


def disputes_in(
    core: Core,
    held: Holdings,
    scopes: Sequence[str],
    *,
    about: Sequence[str] | None = None,
    limit: int | None = None,
    most: int | None = COMPARED,
) -> tuple[Dispute, ...]:
    """Return the conflicts between the entries of some scopes, newest first; by default all."""
    return tuple(
        held.dispute(one)
        for one in core.disputes(scopes, about=about, most=most, limit=limit)
        if all(each.protocol == "scoped" for each in one.members)
    )


class _Planned(Value):
    """What a prompt file gets: the answer, its text afterwards, and what to say about it."""

    prompt: Prompt
    text: str
    note: str = ""


def inject(desk: Desk, paths: Sequence[str]) -> Prompt:
    """Write the block of a session's start into prompt files; if one is refused, into none."""
    plan = _Plan(desk)
    done = [plan.of(*desk.core.read_prompt(each)) for each in dict.fromkeys(paths)]
    desk.core.notes += [one.note for one in done if one.note]
    _write(desk, done)
    return done[0].prompt.replace(more=tuple(one.prompt for one in done[1:]))


def refresh(desk: Desk, told: Iterable[str]) -> None:
    """Bring the blocks that `inject` once wrote into agents' prompt files up to date.

    A file whose block only has another order is left as it is, so that a session causes no change
    in git. A file that cannot be written is reported.

    Args:
        desk: the caller's.
        told: the ids of the memories that this session was already told; they count once.
    """
    plan: _Plan | None = None
    for path in desk.core.matching(AGENTS):
        try:
            place, text = desk.core.read_prompt(path)
        except VarvesError:
            continue  # not a file that `inject` writes
        if not prompts.has_block(text):
            continue
        plan = plan or _Plan(desk)
        try:
            one = plan.of(place, text)
            if sorted(one.text.splitlines()) != sorted(text.splitlines()):
                _write(desk, [one], told=told)
                desk.core.notes.append(f"{place}: its block is up to date again")
        except Refused as fault:
            desk.core.notes.append(f"{place}: its block is not up to date: {fault.message}")


class _Plan:
    """The blocks of a session's start, for files that git could commit and for others."""

    def __init__(self, desk: Desk) -> None:
        self._core, self._room = desk.core, desk.budget(None)
        self._held = Holdings(desk.core)
        entries = self._held.standing(*desk.loaded(self._held))
        uses = desk.core.counts()  # without reads not recorded yet
        scores = ranked(entries, uses, now=desk.core.now, options=desk.options)
        shared = [one for one in scores if one.memory.kept == PROJECT]
        self._blocks = {False: chosen(desk, self._held, scores, self._room)}
        self._without = len(scores) - len(shared)
        if self._without:
            self._blocks[True] = chosen(desk, self._held, shared, self._room)

    def of(self, place: str, text: str) -> _Planned:
        """Return what a file with a text gets."""
        public = True in self._blocks and self._core.is_public(place)
        without = counted(self._without, "entry")
        note = f"git could commit {place}: {without} outside the project's log left out"
        told = injected(
            *(self._core, self._held, self._blocks[public]),
            budget=self._room,
            nonce=prompts.nonce_in(text),
        )
        try:
            after = prompts.with_block(text, told.block)
        except Refused as fault:
            raise Refused(f"{place}: {fault.message}", fault.hint) from None
        done = Prompt(
            path=place,
            changed=after != text,
            tokens=told.tokens,
            entries=told.entries,
            skipped=told.skipped,
        )
        return _Planned(prompt=done, text=after, note=note if public else "")


def _write(desk: Desk, planned: Iterable[_Planned], told: Iterable[str] = ()) -> None:
    """Write the files that change, and count their entries as shown."""
    changed = [one for one in planned if one.prompt.changed]
    for one in changed:
        desk.core.replace_prompt(one.prompt.path, one.text)
    shown = {each.memory for one in changed for each in one.prompt.entries}.difference(told)
    if shown:
        desk.core.told("scoped inject", sorted(shown))

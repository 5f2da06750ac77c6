"""Upkeep: automatic consolidation when a session ends, a scope is crowded or a week has passed.

A scope is crowded from its 101st entry. The run is not repeated at every further write: the next
run is due when the scope has grown by another hundred entries, or has shrunk to a hundred and grown
again. If a week has passed since the last complete run, the next session start runs it. Each run is
recorded as `consolidation.run` in the private log, with its reason and the date of the next run.

Entries that no verb of this clone compared, because git brought them or a person edited them, are
compared here. For each scope, a note of this clone lists the versions that are here and were
compared. Others are compared with the current entries when a session starts and when consolidation
runs, and a few of them after each write. The entry whose text was written last is the newer one. A
pair is left alone if something was decided about it since the texts last changed, or if both come
from imported files, because an import is not compared with itself.
"""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from itertools import chain

from varves.events import kinds
from varves.events.codec import canonical
from varves.events.kinds import DETECTED, REVISED, birth
from varves.protocols.hivemind.consolidation import RULES, Consolidation, RuleChange
from varves.protocols.hivemind.contradictions import (
    CLAIMING,
    Action,
    contradicted,
    resolve_pair,
)
from varves.protocols.hivemind.tree import LIVE
from varves.protocols.hivemind.wording import one_line
from varves.protocols.port import writes
from varves.values.instants import DAY_MS, instant, iso
from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.values.memory import Memory

_WAITING = "compared not all"
"""The name of the note that some entries of this clone wait for comparison."""
MOST, FEW = 200, 8
"""How many entries are compared at most: at a start or in consolidation, and after a write."""
MOST_PAIRS, FEW_PAIRS = 10_000, 1_000
"""After how many pairs no further entry is compared: many entries may share one tag."""


def _mark(memory: Memory) -> str:
    """Return a short mark of one version of a memory."""
    said = f"{memory.id} {memory.version}".encode()
    return blake2b(said, digest_size=6).hexdigest()


RUN = kinds.CONSOLIDATED
ENDING, CROWDED, WEEKLY, ASKED = "session-end", "entry-count", "weekly", "asked"


class Consolidated(Value):
    """The result of a consolidation."""

    ran: bool
    trigger: str
    due: str | None
    """When the next complete run is due; None if there are no memories."""
    done: dict[str, list[list[str]]]
    """By rule: each memory concerned, and the memory it was merged, summarised or copied to."""
    changes: tuple[RuleChange, ...] = ()
    """The same changes with the texts, and with the events to undo."""


@writes
def maintain(hive: HivemindWork, *, force: bool = False) -> Consolidated:
    """Consolidate and archive if a week has passed since the last run, or if forced."""
    due = _due(hive)
    if not force and (due is None or due > hive.core.now):
        return Consolidated(
            ran=False, trigger=ASKED, due=None if due is None else iso(due), done={}
        )
    act, _ = hive.acting(actor="SYSTEM")
    return consolidated(hive, ASKED, act)


def reconciled(hive: HivemindWork, names: Sequence[str], act: Act) -> None:
    """Compare new entries with the current memories; report the changes."""
    if names:
        hive.changes += map(_told, hive.compared(names, act))


def entered(
    hive: HivemindWork, scopes: Iterable[str], act: Act, *, made: Sequence[str] = ()
) -> None:
    """Compare new entries, and consolidate the scopes that now have too many."""
    reconciled(hive, made, act)
    scopes = list(scopes)
    if hive.core.moved or hive.core.noted(_WAITING):
        hive.changes += map(_told, arrived(hive, _system(hive, act), scopes))
    else:
        note_own(hive, scopes)
    entered, sizes = set(scopes), hive.core.sizes(LIVE)
    most = hive.options.consolidate_above
    crowded = {scope: sizes[scope] for scope in sizes if scope in entered and sizes[scope] > most}
    if not crowded:
        return
    before: dict[str, int] = {}
    for event in hive.core.events(RUN):
        counts = event.data.get("counts")
        before.update(counts if isinstance(counts, dict) else {})
    step = hive.options.consolidate_above
    now_due = [
        scope
        for scope, count in crowded.items()
        if before.get(scope, 0) <= step or count >= before[scope] + step
    ]
    if now_due:
        consolidated(hive, CROWDED, _system(hive, act), tuple(now_due))


def look_after(hive: HivemindWork, act: Act) -> None:
    """Run the weekly consolidation if it is overdue."""
    if hive.core.moved or hive.core.noted(_WAITING):
        hive.changes += map(_told, arrived(hive, _system(hive, act)))
    due = _due(hive)
    if due is not None and due <= hive.core.now:
        consolidated(hive, WEEKLY, _system(hive, act))


def _system(hive: HivemindWork, act: Act) -> Act:
    return hive.core.act(actor="SYSTEM", session=act.session)


def _due(hive: HivemindWork) -> int | None:
    """Return when the next complete run is due: a week after the last, or the first memory."""
    whole = [event for event in _runs(hive) if event.data.get("whole")]
    if whole:
        last = whole[-1].time
    else:
        memories = hive.core.memories(lean=True)
        if not memories:
            return None
        last = min(memory.created_at for memory in memories)
    return instant(last) + round(hive.options.consolidate_days * DAY_MS)


def _runs(hive: HivemindWork) -> list[Event]:
    return [
        event
        for event in hive.core.events(RUN)
        if event.data.get("checkout", "") == hive.core.checkout
    ]


def consolidated(
    hive: HivemindWork, trigger: str, act: Act, scopes: tuple[str, ...] | None = None
) -> Consolidated:
    """Run once, over the given scopes or all, and record the run."""
    brought = [] if scopes else [_told(one) for one in arrived(hive, act)]
    hive.changes += brought
    run = Consolidation(
        hive.core, act, hive.options, measure=hive.similarity, test=hive.contradiction
    )
    done = run.run(scopes)
    hive.changes += run.changes
    sizes = hive.core.sizes(LIVE)
    counts = {scope: sizes[scope] for scope in sizes if scopes is None or scope in scopes}
    due = hive.core.now + round(hive.options.consolidate_days * DAY_MS)
    if scopes is not None:
        due = _due(hive) or due
    told: dict[str, Any] = {
        "trigger": trigger,
        "whole": scopes is None or None,
        "counts": counts,
        "done": {rule: done[rule] for rule in RULES if done[rule]},
        "due": iso(due),
    }
    hive.note(act, RUN, told)
    changes = (*brought, *run.changes)
    return Consolidated(ran=True, trigger=trigger, due=iso(due), done=done, changes=changes)


def arrived(hive: HivemindWork, act: Act, scopes: Collection[str] | None = None) -> list[Action]:
    """Compare the entries that arrived since the last look, and apply the rules.

    Args:
        hive: the protocol.
        act: who acts.
        scopes: the scopes to look at; by default all.
    """
    actions: list[Action] = []
    left, pairs = (FEW, FEW_PAIRS) if scopes else (MOST, MOST_PAIRS)
    waits = False
    for scope in scopes or hive.core.sizes():
        claims = {
            _mark(one): one
            for one in hive.core.memories(scope=scope, lean=True)
            if one.type in CLAIMING and "file" not in one.extra
        }
        note = f"compared {scope}"
        noted = {*hive.core.noted(note).split()}
        waiting = [
            mark
            for mark, one in claims.items()
            if mark not in noted and one.version not in hive.seen
        ]
        looked_at: list[str] = []
        for mark in waiting[-left:] if left else []:
            if pairs <= 0:
                break
            done, compared = _settled(hive, claims[mark].id, act)
            actions += done
            pairs -= compared
            looked_at.append(mark)
        waits = waits or len(looked_at) < len(waiting)
        left -= len(looked_at)
        # what another branch has and this one lacks is compared again when it is merged
        known = claims.keys() - ({*waiting} - {*looked_at})
        if known != noted:
            hive.core.note_down(note, " ".join(sorted(known)))
    if bool(hive.core.noted(_WAITING)) != waits:
        hive.core.note_down(_WAITING, "yes" if waits else "")
    return actions


def note_own(hive: HivemindWork, scopes: Collection[str]) -> None:
    """Note that the entries which this verb recorded are compared; nothing else arrived."""
    fresh: dict[str, list[str]] = {}
    for memory in hive.core.named(hive.named).values():
        if memory.scope in scopes and memory.type in CLAIMING:
            fresh.setdefault(memory.scope, []).append(_mark(memory))
    for scope, marks in fresh.items():
        note = f"compared {scope}"
        hive.core.note_down(note, " ".join((hive.core.noted(note), *marks)).strip())
    hive.named.clear()


def _settled(hive: HivemindWork, name: str, act: Act) -> tuple[list[Action], int]:
    """Compare one entry with the current memories, and apply the rules.

    Returns what was done, and with how many memories the entry was compared.
    """
    memory = hive.core.memory(name)
    if memory is None or memory.status != "active":
        return [], 0
    others = hive.candidates([memory])
    asked = others
    if _is_imported(hive, memory):  # asked first, because the judge takes longer
        asked = [one for one in others if not _is_imported(hive, one)]
    actions = []
    now = hive.core.now
    for *pair, _ in contradicted(memory, asked, hive.contradiction, now=now, dated=True):
        older, newer = sorted((pair[0], pair[1]), key=partial(_written, hive))
        found = contradicted(newer, [older], hive.contradiction, now=now)
        if not found or _is_decided(hive, older, newer):
            continue
        difference = hive.doubted(newer, found[0][2])
        if hive.parted(older, newer, [*others, memory]):
            difference = difference.replace(certain=False)
        action = resolve_pair(hive.core, (older, newer), difference, act=act)
        actions += [action] if action is not None else []
        if action is not None and action.action == "supersede" and action.gives_way == name:
            break
    return actions, len(others)


def _written(hive: HivemindWork, memory: Memory) -> tuple[str, str, str]:
    """Return the position of the event that gave a memory its present text."""
    past = hive.core.rows().history(memory.id)
    texts = [
        event.order
        for event in past
        if (birth(event) or {}).get("memory") == memory.id
        or (event.kind == REVISED and not {"text", "body"}.isdisjoint(event.data.get("set", ())))
    ]
    return max(texts, default=("", "", ""))


def _is_imported(hive: HivemindWork, memory: Memory) -> bool:
    """Return whether a memory still has the text with which it was imported."""
    born = [one for one in hive.core.rows().history(memory.id) if birth(one) is not None]
    return memory.source is not None and _written(hive, memory) in [one.order for one in born]


def _is_decided(hive: HivemindWork, older: Memory, newer: Memory) -> bool:
    """Return whether an event about both memories is newer than both texts.

    The event may be of any clone; one that leaves the pair to a person acts on no memory, so that
    it is in neither history.
    """
    since = _written(hive, newer)
    names = older.id.encode(), newer.id.encode()
    events = chain(*map(hive.core.rows().history, (newer.id, older.id)), hive.core.events(DETECTED))
    return any(
        event.order > since and all(name in canonical(event.data) for name in names)
        for event in events
    )


def _told(action: Action) -> RuleChange:
    """Return the action about a contradiction in the form of a change that a rule made."""
    return RuleChange(
        rule=action.rule,
        memory=action.gives_way,
        text=action.gives_way_text,
        by=action.stands,
        by_text=action.stands_text,
        reason=action.reason,
        event=action.event,
        conflict=action.conflict,
    )


def compared_import(hive: HivemindWork, names: Sequence[str]) -> list[str]:
    """Compare trusted imported memories with the current ones; return the actions taken."""
    found = hive.core.named(names).values()
    trusted = [one for one in found if one.trust >= TRUSTWORTHY]
    if not trusted:
        return []
    act = hive.core.act(actor="SYSTEM")
    actions = hive.compared([one.id for one in trusted], act, brought=True)
    note_own(hive, {one.scope for one in trusted})
    return [_line(one) for one in actions]


def _line(action: Action) -> str:
    """Return one line about a contradiction: what was done, both texts, and how to undo it."""
    became = "superseded by" if action.action == "supersede" else "contradicted by"
    pair = (
        f"{action.gives_way} ({one_line(action.gives_way_text)}) is {became}"
        f" {action.stands} ({one_line(action.stands_text)})"
    )
    remedy = f"undo with `varves undo {action.event}`"
    if action.conflict is not None:
        remedy = f"settle with `varves conflicts resolve {action.conflict}`"
    return f"{pair}: {action.rule}, {action.reason}; {remedy}"

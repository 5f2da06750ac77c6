"""Memories that contradict each other, and the five rules that decide between them.

Two memories can contradict each other if they share type and a tag, and claim different things; a
factual and a semantic memory count as one type, because a decision may not be carried out yet, or
may be what the fact tells. If one of them has no tags, only a statement that tells of a change
contradicts the other. Episodic and working memories make no claims that could be contradicted. A
person or an agent can also report a contradiction. The first matching rule decides:

    critical            the memory that would be superseded is critical: both stay, a person decides
    user-over-system    one is the USER's, the other the SYSTEM's: the user's stays current
    scope               different scopes: the more specific takes precedence, nothing is overwritten
    same-creator        the later one stays current, the older is superseded
    different-creators  both stay, a person decides

If the contradiction is uncertain, both stay and a person decides; only `critical` comes before this
rule. It is uncertain if there is a sign that the two are about different things
(language/replacing.py), if one is factual and the other semantic, if both have a subtype of their
own and these differ, if the later memory
has a low confidence, if both come from one report, or if an earlier decision between them was
undone.
"""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.events.kinds import ARCHIVED, DETECTED, LINKED, RESTORED, SUPERSEDED, UNDONE
from varves.fold.conflicts import conflict_id
from varves.language.judge import SAME, UPDATE
from varves.language.outcomes import without_announcement
from varves.language.replacing import may_relate, opinion, replaced_by
from varves.protocols.hivemind.entries import body_of, rank_of
from varves.protocols.hivemind.extraction import KINDS
from varves.protocols.hivemind.repeats import stands_for
from varves.protocols.hivemind.tree import is_spoilt
from varves.protocols.port import writes
from varves.recall.likeness import gist, relation
from varves.values.instants import iso
from varves.values.scope import level_of
from varves.values.text import fold, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.protocols.port import Core
    from varves.values.memory import Memory

    Test = Callable[[Memory, Memory], "Difference | None"]
    """Returns how a newer memory contradicts an older one, or None; can be replaced."""

_OWN = {"global": 1, "private": 2}  # logs that others do not have; a session's ends with it
_FEW = 200  # with more words than this, most memories have one of them, and all are read
CLAIMING = ("factual", "procedural", "semantic")
_BESIDE = {"factual": ("factual", "semantic"), "semantic": ("semantic", "factual")}
_SUBJECT = ("subject", "topic", "key", "setting", "question", "name")
_VALUE = ("value", "claim", "decision", "answer", "outcome")
_GENERAL = {None, *(subtype for _, subtype in KINDS.values())}
"""Subtypes that do not say what a memory is about, as `done` gives them."""
_ELSEWHERE = "contradicts a memory of another scope"  # its text may not be allowed in this log


class Difference(Value):
    """How two memories contradict each other."""

    reason: str
    certain: bool = True
    update: bool = False
    """Whether the newer tells of a change: "now listens on 9090"."""


class Verdict(Value):
    """What a rule decides about two memories that contradict each other."""

    rule: str
    action: str
    """`supersede`, `review`, `override` or `nothing`."""
    gives_way: str
    stands: str


class Action(Value):
    """What was done about a contradiction."""

    rule: str
    action: str
    gives_way: str
    stands: str
    reason: str
    event: str
    """The event that records the decision; to reverse it, undo the event."""
    gives_way_text: str
    stands_text: str
    conflict: str | None = None
    """The open conflict, if a person has to decide; it is settled, and not undone."""


def differing(older: Memory, newer: Memory) -> Difference | None:
    """Return how the newer of two memories contradicts the older.

    Contents contradict if they name the same subject with different values. Two texts contradict if
    the judge says so (language/replacing.py); this is never certain for content with several
    fields. If the judge has no opinion, but the rules of likeness find an update, the contradiction
    is uncertain.
    """
    left, right = body_of(older), body_of(newer)
    stated = _stated(left, right)
    if stated is not None:
        return stated
    one, other = _claim(older), _claim(newer)
    decided = one != older.text and other != newer.text
    if not may_relate(one, other):
        return None
    verdict = opinion(one, other)
    found = replaced_by(verdict, one, other, decided=decided)
    if found is not None:
        certain = found.certain and len(left | right) == 1
        return Difference(reason=found.reason, certain=certain, update=found.kind == UPDATE)
    if verdict is not None:
        return None
    alike = relation(gist(older.text), gist(newer.text))
    if alike is None or alike.kind == "duplicate":
        return None
    return Difference(reason=alike.reason, certain=False)


def _claim(memory: Memory) -> str:
    """Return the text to compare: a decision without the words that announce it."""
    return without_announcement(memory.text) if memory.type == "semantic" else memory.text


def _stated(old: dict[str, object], late: dict[str, object]) -> Difference | None:
    """Compare contents that name their subject in a field."""
    for subject in _SUBJECT:
        one, other = old.get(subject), late.get(subject)
        if isinstance(one, str) and isinstance(other, str) and _is_named(one, other):
            for value in _VALUE:
                if value in old and value in late and old[value] != late[value]:
                    return Difference(reason=f"{value} of {one} differs")
    return None


def _is_named(one: str, other: str) -> bool:
    """Return whether two names are the same; DEBUG and debug are two variables."""
    return fold(one) == fold(other) and one.isupper() == other.isupper()


def _repeats(one: Memory, other: Memory) -> bool:
    """Return whether two memories state the same thing, no matter how they were learned."""
    if one.id == other.id or fold(one.text) == fold(other.text):
        return True
    verdict = opinion(one.text, other.text)
    return verdict is not None and verdict.kind == SAME


def comparable(older: Memory, newer: Memory) -> bool:
    """Return whether two memories are of comparable types and share a tag, unless one has none.

    Memories of two scopes of one level, such as two projects, are never loaded together.
    """
    return (
        older.id != newer.id
        and newer.type in CLAIMING
        and older.type in _beside(newer.type)
        and (not older.tags or not newer.tags or _share_tag(older, newer))
        and "file" not in older.extra
        and not _are_peers(older, newer)
    )


def _beside(kind: str) -> tuple[str, ...]:
    """Return the types whose memories can contradict a memory of this type."""
    return _BESIDE.get(kind, (kind,))


def _are_apart(one: Memory, other: Memory) -> bool:
    """Return whether two memories differ in type, or in subtypes that say what they are about."""
    if one.type != other.type:
        return True
    kinds = {memory.extra.get("subtype") for memory in (one, other)} - _GENERAL
    return len(kinds) > 1


def _share_tag(one: Memory, other: Memory) -> bool:
    return not {*one.tags}.isdisjoint(other.tags)


def judge(older: Memory, newer: Memory, *, certain: bool = True) -> Verdict:
    """Apply the five rules, in their order."""
    makers = {older.created_by, newer.created_by}
    by_user = makers == {"USER", "SYSTEM"}
    stands, gives_way = newer, older
    if by_user and newer.created_by == "SYSTEM":
        stands, gives_way = older, newer
    if gives_way.priority == "critical":
        return _verdict("critical", "review", gives_way, stands)
    if not certain and not _are_peers(older, newer):
        return _verdict("uncertain", "review", gives_way, stands)
    if by_user:
        # A memory that others do not have cannot supersede a memory that is shared.
        passing = _OWN.get(stands.kept, 0) > _OWN.get(gives_way.kept, 0)
        action = "override" if passing else "supersede"
        return _verdict("user-over-system", action, gives_way, stands)
    if older.scope != newer.scope:
        return _by_scope(older, newer)
    if len(makers) > 1:
        return _verdict("different-creators", "review", gives_way, stands)
    return _verdict("same-creator", "supersede", gives_way, stands)


def _are_peers(one: Memory, other: Memory) -> bool:
    """Return whether two memories are of different scopes at the same level, such as two teams."""
    return one.scope != other.scope and level_of(one.scope) == level_of(other.scope)


def _by_scope(older: Memory, newer: Memory) -> Verdict:
    if _are_peers(older, newer):
        return _verdict("scope", "nothing", older, newer)
    wider, nearer = sorted((older, newer), key=lambda one: -rank_of(one.scope))
    if wider.priority == "critical":
        return _verdict("critical", "review", wider, nearer)
    return _verdict("scope", "override", wider, nearer)


def _verdict(rule: str, action: str, gives_way: Memory, stands: Memory) -> Verdict:
    return Verdict(rule=rule, action=action, gives_way=gives_way.id, stands=stands.id)


def contradicted(
    memory: Memory, others: Sequence[Memory], test: Test, *, now: int, dated: bool = False
) -> list[tuple[Memory, Memory, Difference]]:
    """Return the contradictions of a memory: the older memory, the newer, and their difference.

    Args:
        memory: the memory that was recorded last.
        others: the memories it is compared with.
        test: compares two memories.
        now: the current time; expired memories contradict nothing.
        dated: whether the times of creation decide which is newer; if not, `memory` is.
    """
    found = []
    for other in others:
        if comparable(other, memory) and not other.has_expired(iso(now)):
            older, newer = other, memory
            if dated and memory.created_at < other.created_at:
                older, newer = memory, other
            difference = test(older, newer)
            if difference is not None and (difference.update or _share_tag(older, newer)):
                certain = difference.certain and not _are_apart(older, newer)
                found.append((older, newer, difference.replace(certain=certain)))
    return found


def resolve_pair(
    core: Core, pair: tuple[Memory, Memory], difference: Difference, *, act: Act
) -> Action | None:
    """Record what the rules decide about an older and a newer memory that contradict each other.

    Every event names the rule and the reason. Undoing the event reverses the decision; a conflict
    that is left to a person is settled instead.
    """
    older, newer = pair
    verdict = judge(older, newer, certain=difference.certain)
    if verdict.action == "nothing":
        return None
    memories = {one.id: one for one in pair}
    gives_way, stands = memories[verdict.gives_way], memories[verdict.stands]
    reason = difference.reason if older.kept == newer.kept else _ELSEWHERE
    why: dict[str, Any] = {"reason": reason, "rule": verdict.rule}
    versions = (gives_way.version, stands.version)
    said: dict[str, Any] = {
        "gives_way_text": gives_way.text,
        "stands_text": stands.text,
        "conflict": None,
    }
    if verdict.action == "supersede":
        [event, *_] = replaced(core, gives_way, stands, why=why, act=act)
        return Action(**verdict.as_dict(), reason=reason, event=event.id, **said)
    if verdict.action == "override":
        log = stands.kept
        content = {"memory": stands.id, "links": {"overrides": [gives_way.id]}, **why}
        made = act.draft(LINKED, content, *versions)
    else:
        log = older.kept if older.kept == newer.kept else "private"
        made = act.draft(DETECTED, {"members": sorted(memories), **why}, *versions)
        said["conflict"] = conflict_id("detected", " ".join(sorted(memories)))
    [event] = core.append(log, [made])
    return Action(**verdict.as_dict(), reason=reason, event=event.id, **said)


def replaced(
    core: Core, gives_way: Memory, stands: Memory, *, why: dict[str, Any], act: Act
) -> list[Event]:
    """Replace one memory by another; return the events, the decision first.

    If the memories are in two logs, each log records only its own memory: the files of a log must
    not depend on another log, which other people may not have.
    """
    versions = (gives_way.version, stands.version)
    if gives_way.kept == stands.kept:
        content = {"memory": gives_way.id, "by": stands.id, **why}
        return core.append(gives_way.kept, [act.draft(SUPERSEDED, content, *versions)])
    by, of = {"superseded_by": [stands.id]}, {"supersedes": [gives_way.id]}
    drafts = [
        act.draft(ARCHIVED, {"memory": gives_way.id, **why}, *versions),
        act.draft(LINKED, {"memory": gives_way.id, "links": by, **why}, *versions),
    ]
    events = core.append(gives_way.kept, drafts)
    return events + core.append(
        stands.kept, [act.draft(LINKED, {"memory": stands.id, "links": of, **why}, *versions)]
    )


class _Near:
    """Memories by what a memory must share with them to contradict them; see `comparable`."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self._all = list(memories)
        self._by: dict[tuple[str, str], list[int]] = {}
        for place, one in enumerate(self._all):
            for tag in one.tags or ("",):
                self._by.setdefault((one.type, tag), []).append(place)

    def of(self, memory: Memory) -> list[Memory]:
        """Return the memories that may contradict a memory, in their order."""
        if not memory.tags:
            return self._all
        keys = [(kind, tag) for kind in _beside(memory.type) for tag in (*memory.tags, "")]
        found = {place for key in keys for place in self._by.get(key, ())}
        return [self._all[place] for place in sorted(found)]


@writes
def contradict(
    hive: HivemindWork, id: str, other: str, *, reason: str | None = None
) -> Action | None:
    """Report that two memories contradict each other, and apply the five rules.

    The memory that was recorded later counts as the newer. Returns None if no rule prefers
    either.
    """
    pair = [_standing(hive, name) for name in (id, other)]
    if id == other:
        raise UsageError("both ids are the same memory", "name two different memories")
    older, newer = sorted(pair, key=lambda one: (one.created_at, one.id))
    why = hive.core.clean(reason)[0] if reason else "said to contradict each other"
    act, _ = hive.acting()
    difference = doubted(hive, newer, Difference(reason=why))
    return resolve_pair(hive.core, (older, newer), difference, act=act)


def _standing(hive: HivemindWork, name: str) -> Memory:
    memory = hive.core.memory(name)
    if memory is None or memory.protocol != "hivemind" or memory.status != "active":
        raise NotFound(f"no current entry {name}", "find ids with `varves hivemind search`")
    return memory


def doubted(hive: HivemindWork, newer: Memory, difference: Difference) -> Difference:
    """Return a difference, as uncertain if the newer memory has a low confidence."""
    unsure = newer.confidence is not None and newer.confidence < hive.options.uncertain_below
    return difference.replace(certain=False) if unsure else difference


def candidates(
    hive: HivemindWork, made: Sequence[Memory], *, but: Collection[str] = ()
) -> list[Memory]:
    """Return the memories of all scopes, but for some, that could contradict an entry."""
    tags = list(dict.fromkeys(tag for one in made for tag in one.tags or _words(hive, one)))
    kinds = {kind for one in made if one.type in CLAIMING for kind in _beside(one.type)}
    few = tags if len(tags) <= _FEW else None
    near = _Near(made)
    return [
        other
        for kind in sorted(kinds)
        for other in hive.core.memories(only={"type": kind}, mentioning=few)
        if other.id not in but
        and any(comparable(other, one) for one in near.of(other))
        and not is_spoilt(other, hive.core.unreadable)
    ]


def _words(hive: HivemindWork, memory: Memory) -> list[str]:
    """Return the words that the summary of a contradicting memory has in common with this."""
    return [part for word in hive.parse(memory.text).keywords for part in words(word)]


def parted(hive: HivemindWork, one: Memory, other: Memory, known: Sequence[Memory]) -> bool:
    """Return whether a decision that one of two memories superseded the other was undone.

    A memory that means the same as one of the two, or was merged into it, counts as that one.
    """
    if hive.core.tally(UNDONE, RESTORED).keys().isdisjoint((UNDONE, RESTORED)):
        return False
    # asked first, because the judge takes longer than the history of a memory
    gave_way = {mate.id: set[str]().union(*_once_gave_way(hive, mate)) for mate in known}
    mates = [mate for mate in known if gave_way[mate.id]]
    for gave, stood in ((one, other), (other, one)):
        for mate in mates:
            if _repeats(mate, gave):
                instead = map(hive.core.memory, gave_way[mate.id])
                if any(late is not None and _repeats(late, stood) for late in instead):
                    return True
    return False


def _once_gave_way(hive: HivemindWork, mate: Memory) -> Iterator[set[str]]:
    return (_gave_way(hive, name) for name in stands_for(mate))


def _gave_way(hive: HivemindWork, name: str) -> set[str]:
    """Return the memories that superseded this one by a decision that was later undone."""
    past = hive.core.rows().history(name)
    kept = {one.data.get("event") for one in past if one.data.get("kind") == UNDONE}
    to: set[str] = set()
    back: set[str] = set()
    for event in past:
        content = event.data
        if event.kind == UNDONE and content.get("kind") == SUPERSEDED and event.id not in kept:
            back |= {*content.get("memories", ())} & to
        elif event.kind == RESTORED or (event.kind, content.get("kind")) == (UNDONE, ARCHIVED):
            back |= to
        elif event.kind == SUPERSEDED and content.get("memory") == name:
            to.add(str(content.get("by")))
        elif event.kind == LINKED and content.get("memory") == name:
            to |= {*content.get("links", {}).get("superseded_by", ())}
    return back


def compared(
    hive: HivemindWork,
    names: Sequence[str],
    act: Act,
    *,
    brought: bool = False,
) -> list[Action]:
    """Compare new entries with the current memories of all scopes, and apply the rules.

    Args:
        hive: the protocol.
        names: the new entries.
        act: who acts.
        brought: whether they come from elsewhere: then they are not compared with each other,
            and the one that was created later is the newer.
    """
    known = hive.core.named(names)
    made = {name: known[name] for name in names if name in known}
    hive.seen.update(memory.version for memory in made.values())
    hive.named |= made.keys()
    others = candidates(hive, list(made.values()), but=made.keys() if brought else ())
    near = _Near(others)
    actions: list[Action] = []
    gone: set[str] = set()
    for place, name in enumerate(names):
        memory = hive.core.memory(name) if actions else made.get(name)
        if memory is None or memory.status != "active":
            continue
        later = gone if brought else {*names[place:], *gone}
        rest = [one for one in near.of(memory) if one.id not in later]
        found = contradicted(memory, rest, hive.contradiction, now=hive.core.now, dated=brought)
        for older, newer, difference in found:
            judged = doubted(hive, newer, difference)
            mates = older.id in made and newer.id in made
            if mates or parted(hive, older, newer, [*others, *made.values()]):
                judged = judged.replace(certain=False)
            action = resolve_pair(hive.core, (older, newer), judged, act=act)
            if action is not None:
                actions.append(action)
                if action.action == "supersede":
                    gone.add(action.gives_way)
            if name in gone:
                break
    return actions

"""One consolidation run: archive expired memories, merge repetitions, summarise old episodes.

The rules apply in this order. Each decision is an event that names its rule; if the event is undone
or the memory restored, the rule does not decide that way again:

    expired             the time to live is over: archived
    unaccessed          not read, changed or created for more than 90 days: archived
    merge-similar       more than 80 % alike, with the same meaning (repeats.py), scope, type and
                        subtype: merged into the newest; tags are united, accesses summed, links
                        kept
    summarise-episodic  an episode that is older than 30 days and long: replaced by a summary; the
                        original is archived
    promote-frequent    an agent's memory read 5 times is copied to its team, a team's read 10 times
                        to global; the original stays and is linked

A memory is protected if it is critical, was made by the USER, or is tagged `permanent`, `protected`
or `core`. A protected memory is never archived as unaccessed and never summarised, and is merged
only into another protected memory. A memory of the USER is merged only into another one of the
USER. Claims that plainly contradict each other, or that were listed for a person to decide, are
never merged.
"""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.events.kinds import (
    ACCESSED,
    ARCHIVED,
    DETECTED,
    FORGOTTEN,
    MERGED,
    PROMOTED,
    RESTORED,
    SUPERSEDED,
    UNDONE,
)
from varves.protocols.hivemind.contradictions import CLAIMING
from varves.protocols.hivemind.creators import ACTORS, is_creator
from varves.protocols.hivemind.documents import counted
from varves.protocols.hivemind.entries import Wish, body_of, draft
from varves.protocols.hivemind.foreign import made_id
from varves.protocols.hivemind.repeats import protected, repeated, stands_for
from varves.protocols.hivemind.sessions import RECEIVED
from varves.protocols.hivemind.shortening import shortened
from varves.protocols.hivemind.tree import is_spoilt
from varves.protocols.similar import above
from varves.values.instants import DAY_MS, PERMANENT, instant, iso
from varves.values.text import fold, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.hivemind.contradictions import Test
    from varves.protocols.hivemind.options import HivemindOptions
    from varves.protocols.port import Core, Counts
    from varves.protocols.similar import Measure
    from varves.values.memory import Memory

EXPIRED, UNACCESSED = "expired", "unaccessed"
MERGE, SUMMARISED, PROMOTE = "merge-similar", "summarise-episodic", "promote-frequent"
RULES = (EXPIRED, UNACCESSED, MERGE, SUMMARISED, PROMOTE)
SENSITIVE = "sensitive"
TEAMS = {"DEV": "development", "SEC": "security", "INF": "infrastructure", "QA": "qa"}
"""The published teams, by the prefix of their agents' ids."""
_DECIDED = (ARCHIVED, FORGOTTEN, MERGED, PROMOTED, SUPERSEDED)
_CARRIED = ("references", "related_to", "derived_from")


class RuleChange(Value):
    """A change that a rule made, with the texts of the memories involved."""

    rule: str
    memory: str
    """The memory that was archived, merged, summarised, copied or dropped."""
    text: str
    by: str | None
    """The memory that replaced it or was made from it; None if there is none."""
    by_text: str | None
    reason: str
    event: str
    """The event that records the change; to reverse it, undo the event."""
    conflict: str | None = None
    """The open conflict, if a person has to decide; it is settled, and not undone."""


class Consolidation:
    """One run over the memories of the given scopes, or of all scopes."""

    def __init__(
        self, core: Core, act: Act, options: HivemindOptions, *, measure: Measure, test: Test
    ) -> None:
        self.core = core
        self.act = act
        self.options = options
        self.measure = measure
        self.test = test
        self.counts: Counts = {}
        self.done: dict[str, list[list[str]]] = {rule: [] for rule in RULES}
        self.changes: list[RuleChange] = []
        self.gone: set[str] = set()
        # pairs that were ever left to a person to decide
        self._disputed: set[frozenset[str]] = set()
        self._texts: dict[str, str] = {}
        self._waiting: dict[str, list[Draft]] = {}  # drafts by log, appended after each rule

    def run(self, scopes: tuple[str, ...] | None) -> dict[str, list[list[str]]]:
        """Apply all rules to the given scopes, or to all scopes.

        Returns, by rule, each affected memory and its replacement; `changes` contains the texts.
        """
        self.core.flush(*(scopes or ()))
        self.counts = self.core.counts()
        self._disputed = {
            frozenset(map(str, event.data.get("members", ())))
            for event in self.core.events(DETECTED)
        }
        left = self.core.unreadable
        found = [one for one in self.core.memories() if not is_spoilt(one, left)]
        if scopes is not None:
            found = [one for one in found if one.scope in scopes]
        self._texts = {one.id: one.text for one in found}
        self._archive(found)
        groups: dict[tuple[str, str, str, str], list[Memory]] = {}
        for one in found:
            if one.id not in self.gone and one.type != "working" and "file" not in one.extra:
                kind = str(one.extra.get("subtype"))
                groups.setdefault((one.scope, one.kept, one.type, kind), []).append(one)
        for members in groups.values():
            self._merge(members)
        self._append()
        rest = [one for one in found if one.id not in self.gone and "file" not in one.extra]
        for one in rest:
            self._summarise(one)
        self._append()
        teams = self._teams()
        for one in rest:
            if one.id not in self.gone:
                self._promote(one, teams)
        self._append()
        return self.done

    def _append(self) -> None:
        for log, drafts in self._waiting.items():
            self.changes += changed(self.core.append(log, drafts), self._texts)
        self._waiting.clear()

    def _await(self, log: str, *drafts: Draft) -> None:
        self._waiting.setdefault(log, []).extend(drafts)

    # Archiving

    def _archive(self, memories: list[Memory]) -> None:
        for one in memories:
            rule = self._spent(one)
            if rule is not None:
                reason = {
                    EXPIRED: f"its time to live of {one.ttl} is over",
                    UNACCESSED: f"not accessed for more than {self.options.archive_days:g} days",
                }[rule]
                why = {"memory": one.id, "reason": reason, "rule": rule}
                self._await(one.kept, self.act.draft(ARCHIVED, why, one.version))
                self.gone.add(one.id)
                self.done[rule].append([one.id])
        self._append()

    def _spent(self, memory: Memory) -> str | None:
        """Return the rule by which a memory must be archived now, or None."""
        if memory.has_expired(iso(self.act.now)):
            return None if self._taken_back(memory.id, ARCHIVED) else EXPIRED
        if protected(memory) or "file" in memory.extra or memory.type == "working":
            return None
        last = max(memory.created_at, memory.updated_at, counted(memory, self.counts)[1])
        idle = self.act.now - instant(last)
        return UNACCESSED if idle > self.options.archive_days * DAY_MS else None

    def _taken_back(self, memory: str, kind: str, other: str | None = None) -> bool:
        """Return whether this decision about a memory was undone, or the memory restored."""
        decided = False
        for event in self.core.rows().history(memory):
            content = event.data
            if event.kind == UNDONE and content.get("kind") == kind:
                named = content.get("memories", ())
                if memory in named and (other is None or other in named):
                    return True
            elif event.kind == kind and content.get("memory") == memory:
                decided = other is None or content.get("by") == other
            elif event.kind == RESTORED and decided:
                return True
        return False

    # Repetitions

    def _merge(self, members: list[Memory]) -> None:
        alike = above(self.options.similar_above, self.measure)
        joined: dict[str, set[str]] = {}
        for kept, other in repeated(members, alike):
            if not self.gone.isdisjoint((kept.id, other.id)) or other.id in joined:
                continue  # a memory that absorbed others is merged at the earliest in the next run
            inner = stands_for(kept) | joined.get(kept.id, set())
            if self._may_join(kept, other) and not self._parted(inner, stands_for(other)):
                self.gone.add(other.id)
                joined[kept.id] = inner | stands_for(other)
                self._await(kept.kept, self._joined(kept, other))

    def _may_join(self, kept: Memory, other: Memory) -> bool:
        """Return whether two memories with the same meaning may be merged."""
        if fold(kept.text) != fold(other.text) and self._disagree(kept, other):
            return False
        return frozenset((kept.id, other.id)) not in self._disputed

    def _parted(self, some: set[str], others: set[str]) -> bool:
        """Return whether a merge of these memories was undone earlier."""
        return any(
            self._taken_back(one, MERGED, other) or self._taken_back(other, MERGED, one)
            for one in some
            for other in others
        )

    def _disagree(self, kept: Memory, other: Memory) -> bool:
        """Return whether two claims plainly contradict each other, which forbids a merge."""
        if kept.type not in CLAIMING:
            return False
        older, newer = sorted((kept, other), key=lambda one: (one.created_at, one.id))
        found = self.test(older, newer)
        return found is not None and found.certain

    def _joined(self, kept: Memory, other: Memory) -> Draft:
        """Draft the event that merges `other` into `kept`, which gains its tags and links.

        One event contains both changes, so that one undo reverses both. Access counts are not
        stored: they are summed on demand over the ids in `merged_from`.
        """
        self.done[MERGE].append([other.id, kept.id])
        links = {"merged_from": [other.id, *other.links.get("merged_from", ())]}
        for name in _CARRIED:
            links[name] = [one for one in other.links.get(name, ()) if one != kept.id]
        own = kept.extra.get("references") or ()
        alike = round(100 * self.measure(kept.text, other.text))
        content: dict[str, Any] = {
            "memory": other.id,
            "by": kept.id,
            "reason": f"says the same, {alike} % similar",
            "rule": MERGE,
            "add_tags": [tag for tag in other.tags if tag not in kept.tags],
            "references": [one for one in other.extra.get("references") or () if one not in own],
            "links": {name: named for name, named in links.items() if named},
        }
        content = {name: part for name, part in content.items() if part}
        return self.act.draft(MERGED, content, other.version, kept.version)

    # Old episodes

    def _summarise(self, memory: Memory) -> None:
        age = self.act.now - instant(memory.created_at)
        if memory.type != "episodic" or age <= self.options.episodic_days * DAY_MS:
            return
        if len(memory.text) <= self.options.summarise_above or protected(memory):
            return
        name = made_id(SUMMARISED, memory.id)
        if memory.extra.get("rule") == SUMMARISED or self._known(name):
            return
        wish = _copied(memory, name, SUMMARISED).replace(
            content=shortened(body_of(memory)),
            tags=(*memory.tags, "summary"),
            created_at=memory.created_at,
        )
        made = self._drafted(wish)
        if made is None or len(str(made[1].data["text"])) >= len(memory.text):
            return
        log, summary = made
        days = f"{self.options.episodic_days:g}"
        why = {"reason": f"older than {days} days and long", "rule": SUMMARISED}
        # One event adds the summary and retires the original, so that one undo reverses both.
        content = {"memory": memory.id, "by": name, "record": summary.data, **why}
        self._await(log, self.act.draft(SUPERSEDED, content, memory.version))
        count, last = counted(memory, self.counts)
        if count:
            self._await(log, self.act.draft(ACCESSED, {"accessed": {name: [count, last]}}))
        self.gone.add(memory.id)
        self.done[SUMMARISED].append([memory.id, name])

    # Promotion

    def _promote(self, memory: Memory, teams: dict[str, str]) -> None:
        level, _, owner = memory.scope.partition(":")
        needed = {"agent": self.options.promote_at, "team": self.options.promote_team_at}
        if level not in needed or counted(memory, self.counts)[0] < needed[level]:
            return
        if memory.type == "working" or SENSITIVE in memory.tags or memory.links.get("promoted_to"):
            return
        target = "global" if level == "team" else team_of(owner, teams)
        if target is None or self._taken_back(memory.id, PROMOTED):
            return
        try:
            log = self.core.log_of(target)
        except Refused:  # the team's folder is not trusted yet
            return
        key = value_key(log, target, memory.text)
        rows = self.core.rows()
        name = rows.standing(key, memory.text, self.act.trust, protocol="hivemind")[0]
        content: dict[str, Any] = {"memory": memory.id, "by": name}
        if name is None:
            content["by"] = name = made_id(PROMOTE, memory.id, target)
            made = (
                None if self._known(name) else self._drafted(_copied(memory, name, PROMOTE, target))
            )
            if made is None:
                return
            if log == memory.kept:  # one event, so that one undo removes the copy too
                content["record"] = made[1].data
            else:
                self._await(*made)
        self._texts.setdefault(name, memory.text)
        read = counted(memory, self.counts)[0]
        content |= {"reason": f"accessed {read} times", "rule": PROMOTE}
        self._await(memory.kept, self.act.draft(PROMOTED, content, memory.version))
        self.done[PROMOTE].append([memory.id, name])

    def _teams(self) -> dict[str, str]:
        """Return the team that each agent last worked for, according to the tasks."""
        found = {}
        for event in self.core.events(RECEIVED):
            agent, team = event.data.get("agent"), event.data.get("team")
            if isinstance(agent, str) and isinstance(team, str):
                found[agent] = team
        return found

    def _known(self, name: str) -> bool:
        """Return whether an id was ever used, also by a memory that no longer exists."""
        return self.core.memory(name) is not None or bool(self.core.rows().history(name))

    def _drafted(self, wish: Wish) -> tuple[str, Draft] | None:
        """Draft an entry made by a rule; None if its text was rejected or breaks a rule."""
        try:
            log, made, _ = draft(self.core, wish, self.act)
        except (Refused, UsageError):
            return None
        return log, made


def _copied(memory: Memory, name: str, rule: str, scope: str | None = None) -> Wish:
    """Return a request that copies a memory and its creator, optionally to another scope."""
    return Wish(
        id=name,
        type=memory.type,
        subtype=memory.extra.get("subtype"),
        content=body_of(memory),
        scope=scope or memory.scope,
        tags=memory.tags,
        priority=memory.priority,
        ttl=memory.ttl or PERMANENT,
        confidence=memory.confidence,
        references=tuple(memory.extra.get("references") or ()),
        summary=memory.summary,
        links={"derived_from": [memory.id]},
        rule=rule,
        created_by=memory.created_by if is_creator(memory.created_by) else "SYSTEM",
        allow_secret=True,  # it was masked, or allowed, when it was first recorded
    )


def changed(events: Sequence[Event], texts: dict[str, str]) -> Iterator[RuleChange]:
    """Yield the changes recorded in the events of rules, with the texts of the memories."""
    for event in events:
        content = event.data
        if event.kind in _DECIDED and "rule" in content:
            by = content.get("by")
            made = content.get("record", {}).get("text")
            yield RuleChange(
                rule=content["rule"],
                memory=content["memory"],
                text=texts.get(content["memory"], ""),
                by=by,
                by_text=made if made is not None else texts.get(str(by)),
                reason=content["reason"],
                event=event.id,
            )


def team_of(agent: str, teams: dict[str, str]) -> str | None:
    """Return the scope of an agent's team, found from the agent's last team task or else its id."""
    if agent in ACTORS:
        return None
    letters = agent.partition("-")[0]
    return f"team:{teams.get(agent) or TEAMS.get(letters) or letters.lower()}"

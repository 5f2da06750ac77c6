"""Errors: each is recorded as an episodic memory; a recurring one also gets a prevention.

Two errors are the same if they have the same type and the same normalised message, which ignores
case, white space, numbers, addresses, quoted parts and paths. An error is linked to similar earlier
errors (the same type and a message more than half alike, or any type and a message alike enough to
be merged) and to procedures that fix or prevent it. From its third occurrence an error is tagged
`recurring`, and the third occurrence creates one procedural memory about its prevention.
"""

from __future__ import annotations

import re
from contextlib import contextmanager

from varves.commands import intake
from varves.errors import UsageError
from varves.protocols.hivemind import sessions
from varves.protocols.hivemind.consolidation import SUMMARISED
from varves.protocols.hivemind.entries import Wish, body_of, draft
from varves.protocols.hivemind.foreign import made_id
from varves.protocols.hivemind.learning import Completing, TaskSubject
from varves.protocols.hivemind.parts import agent_named
from varves.protocols.hivemind.tree import LIVE
from varves.protocols.port import writes
from varves.protocols.similar import folded
from varves.values.text import quoted, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.similar import Measure
    from varves.values.answers import RecordConflict
    from varves.values.memory import Memory

RECURRING = "recurring-error"
_TAGS = 5
_PAST = ("active", "flagged", "superseded", "archived", "expired")
_FIXES = ("error-solution", "prevention", "error-fix", "fix")
_GENERIC = frozenset(
    ("error", "errors", "failure", "exception", "bug", "problem", "issue", "unknown")
)
"""Types of errors that say nothing about what failed."""
_OPTIONS = ("tags", "agent", "project", "team", "failed", "allow_secret")
_VARIABLE = (
    (re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), "…"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b"), "#"),
    (re.compile(r"(?<![\w/.])(?:[a-z]:)?[\\/](?:[\w.\-]+[\\/]?)+"), "/…"),
    (re.compile(r"\d+(?:[.:,]\d+)*"), "#"),
)


class ErrorNoted(Value):
    """An error that was recorded."""

    id: str
    session: str
    scope: str
    tags: tuple[str, ...]
    similar: tuple[str, ...]
    """The earlier errors that it is linked to."""
    fixes: tuple[str, ...]
    """The procedural memories that it is linked to."""
    times: int
    """How often the same error occurred, including this time."""
    recurring: bool
    prevention: str | None
    """The memory about its prevention, if there is one."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


def normalised(message: str) -> str:
    """Return a message without the parts that differ between occurrences."""
    said = folded(message)
    for part, sign in _VARIABLE:
        said = part.sub(sign, said)
    return said


class Failing(Completing):
    """The verbs that record errors."""

    similarity: Measure
    """Measures how alike two texts are; see protocols/similar.py."""

    @writes
    def error(
        self,
        type: str,
        message: str,
        *,
        context: str | None = None,
        resolution: str | None = None,
        prevention: str | None = None,
        **options: Any,
    ) -> ErrorNoted:
        """Record an error or a failure, and link it to related memories.

        Args:
            type: the kind of error, such as `timeout`.
            message: what happened.
            context: what was being done; by default the current task.
            resolution: how it was fixed, if it was.
            prevention: how to avoid it in future.
            options: tags, agent, project, team; failed (the task is over); allow_secret.
        """
        unknown = sorted(options.keys() - set(_OPTIONS))
        if unknown:
            raise UsageError(f"error has no option {quoted(unknown[0])}", f"it has {_OPTIONS}")
        agent = agent_named(options.get("agent"))
        where = {name: options.get(name) for name in ("team", "project")}
        body: dict[str, Any] = {
            "error_type": intake.statement(type).strip(),
            "error_message": intake.statement(message).strip(),
            "context": context,
            "resolution": resolution,
            "prevention": prevention,
        }
        given = [body, list(options.get("tags") or ())]
        body, tags = self.core.clean(given, allow_secret=bool(options.get("allow_secret")))[0]
        if self.begins():
            self._refuse_early(body, self._place(None, agent=agent, **where), tuple(tags))
        session = self.ensured(project=options.get("project"), agent=agent)
        task = session.current_task or {}
        body["context"] = body["context"] or task.get("task")
        place = self._place(session, agent=agent, **where)
        act = self.core.act(actor=agent or place.agent, session=session.name)
        scope = place.scope()
        noted = self._noted(body, scope, tuple(tags), act)
        kind = sessions.FAILED if options.get("failed") else sessions.NOTED
        told: dict[str, Any] = {"created": [name for name in (noted["id"], noted["made"]) if name]}
        if kind == sessions.FAILED:
            told |= {"task": task.get("id"), "text": task.get("task"), "agent": act.actor}
            told["error"] = f"{body['error_type']}: {body['error_message']}"
        self.note(act, kind, told)
        self.entered([scope], act)
        del noted["made"]
        return ErrorNoted(session=session.name, scope=scope, **noted)

    def _refuse_early(
        self, body: dict[str, Any], place: TaskSubject, tags: tuple[str, ...]
    ) -> None:
        """Refuse an error that cannot be recorded, before a session is started for it."""
        wish = Wish(type="episodic", content=body, scope=place.scope(), tags=("error", *tags))
        draft(self.core, wish, self.core.act(actor=place.agent))

    def _noted(
        self, body: dict[str, Any], scope: str, tags: tuple[str, ...], act: Act
    ) -> dict[str, Any]:
        """Record the entry of an error, and from the third occurrence its prevention."""
        found = self.core.memories(statuses=_PAST, only={"category": "error"})
        past = [one for one in found if _is_error(one)]
        same = [one for one in past if _key(body_of(one)) == _key(body)]
        times = len(same) + 1
        recurring = times >= self.options.recurring_at
        similar = [one.id for one in reversed(past) if self._is_similar(body, one)][
            : self.options.error_links
        ]
        fixes = self._fixes(body)
        kind = slug(body["error_type"])
        words = tags or self.parse(str(body["context"] or "")).keywords[:_TAGS]
        tags = tuple(dict.fromkeys(("error", kind, *words, *(["recurring"] if recurring else ()))))
        wish = Wish(
            type="episodic",
            subtype="error",
            content=body,
            scope=scope,
            tags=tags,
            confidence=1.0,
            links={"references": similar, "related_to": fixes},
            rule=RECURRING if recurring else None,
            allow_secret=True,  # its secrets are already masked
        )
        name = self.enter(wish, act)
        self.link_back(name, act)
        prevention, made = None, None
        if recurring:
            known = made_id("prevention", *_key(body))
            prevention = known
            if self.core.memory(known) is None:
                seen = [*(one.id for one in same), name]
                made = self._prevent(known, body, seen=seen, wish=wish, act=act)
        return {
            "id": name,
            "tags": tags,
            "similar": tuple(similar),
            "fixes": tuple(fixes),
            "times": times,
            "recurring": recurring,
            "prevention": prevention,
            "made": made,
        }

    def _is_similar(self, body: dict[str, Any], past: Memory) -> bool:
        before = body_of(past)
        if past.status == "superseded" and past.links.get("superseded_by"):
            return False  # the memory that superseded it is compared in its place
        one, other = _key(body), _key(before)
        if one == other:
            return True
        alike = self.similarity(one[1], other[1])
        same = one[0] == other[0]
        return alike > (self.options.error_similar_above if same else self.options.similar_above)

    def _fixes(self, body: dict[str, Any]) -> list[str]:
        """Return procedures about a similar error, found by their error text or their tags."""
        found = []
        for one in self.core.memories(only={"type": "procedural"}):
            told = body_of(one)
            said = str(told.get("error") or told.get("error_message") or "")
            named = "error" in one.tags or one.extra.get("subtype") in _FIXES
            if self._is_about(said, one.tags if named else (), body):
                found.append(one.id)
        return found[-self.options.error_links :]

    def mended(self, error: str, tags: Sequence[str]) -> list[Memory]:
        """Return the newest recorded errors that a fix for `error` resolves."""
        found = [
            one
            for one in self.core.memories(statuses=LIVE, only={"category": "error"})
            if _is_error(one) and self._is_about(error, tags, body_of(one))
        ]
        return found[-self.options.error_links :]

    def _is_about(self, said: str, tags: Sequence[str], body: dict[str, Any]) -> bool:
        """Return whether a fix, by its tags or the error that it names, is for this error."""
        kind, message = slug(body["error_type"]), _key(body)[1]
        if kind not in _GENERIC and kind in tags:
            return True
        if not said:
            return False
        if self.similarity(normalised(said), message) > self.options.error_similar_above:
            return True
        asked = set(self.parse(said).keywords) - _GENERIC
        return len(asked) > 1 and asked <= {*words(f"{body['error_type']} {body['error_message']}")}

    def _prevent(
        self, name: str, body: dict[str, Any], *, seen: list[str], wish: Wish, act: Act
    ) -> str:
        """Record the one memory about the prevention of a recurring error."""
        told = [body, *(body_of(one) for one in map(self.core.memory, reversed(seen)) if one)]
        how = next((str(one["prevention"]) for one in told if one.get("prevention")), None)
        fixed = next((str(one["resolution"]) for one in told if one.get("resolution")), None)
        content = {
            "text": how
            or fixed
            or f"Before it happens again, find out why: {body['error_message']}",
            "error_type": body["error_type"],
            "error_message": body["error_message"],
            "resolution": fixed,
            "times": len(seen),
        }
        return self.enter(
            Wish(
                id=name,
                type="procedural",
                subtype="prevention",
                content=content,
                scope=wish.scope,
                tags=(*(tag for tag in wish.tags if tag != "recurring"), "prevention"),
                priority="high",
                links={"derived_from": seen},
                rule=RECURRING,
                allow_secret=True,  # its secrets are already masked
            ),
            act,
        )

    @contextmanager
    def attempt(self, *, agent: str | None = None, **options: Any) -> Iterator[None]:
        """Record an exception raised in the block as the failure of the current task."""
        try:
            yield
        except Exception as fault:
            said = str(fault).strip() or fault.__class__.__name__
            self.error(fault.__class__.__name__, said, agent=agent, failed=True, **options)
            raise


def slug(text: str) -> str:
    """Return an error type as a tag: `TimeoutError` becomes `timeout-error`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text)
    return re.sub(r"[^a-z0-9]+", "-", parted.lower()).strip("-") or "unknown"


def _is_error(memory: Memory) -> bool:
    """Return whether a memory records an error that occurred, and is not a summary of one."""
    return memory.extra.get("subtype") == "error" and memory.extra.get("rule") != SUMMARISED


def _key(body: dict[str, Any]) -> tuple[str, str]:
    return folded(str(body.get("error_type") or "")), normalised(str(body.get("error_message")))

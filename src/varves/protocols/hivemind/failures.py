"""Errors: each is recorded as an episodic memory; a recurring one also gets a prevention.

Two errors are the same if they have the same type and the same normalised message, which ignores
case, white space, numbers, addresses, quoted parts, paths and places in files. An error is linked
to similar earlier errors (the same type and a message more than half alike, or any type and a
message alike enough to be merged) and to procedures that fix or prevent it. From its
third occurrence an error is tagged `recurring`, and the third occurrence creates one procedural
memory about its prevention. Each further occurrence, and a fix that is recorded later, is added to
it; a text that a person gave it stays.
"""

from __future__ import annotations

import re
from contextlib import contextmanager

from varves.commands import intake
from varves.errors import UsageError
from varves.events.kinds import LINKED, REVISED
from varves.language.tokens import canonical
from varves.protocols.hivemind import sessions
from varves.protocols.hivemind.completion import TaskSubject
from varves.protocols.hivemind.consolidation import SUMMARISED
from varves.protocols.hivemind.entries import (
    Wish,
    body_of,
    draft,
    recorded_content,
    scope_of,
)
from varves.protocols.hivemind.foreign import made_id
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.task_words import subjects_in
from varves.protocols.hivemind.tree import LIVE
from varves.protocols.hivemind.wording import statement_of
from varves.protocols.port import writes
from varves.protocols.similar import folded
from varves.values.text import quoted, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.protocols.hivemind.task_words import Parsed
    from varves.protocols.similar import Measure
    from varves.values.answers import RecordConflict
    from varves.values.memory import Memory

GENERIC = frozenset(
    ("error", "errors", "failure", "exception", "bug", "problem", "issue", "unknown")
)
"""Types of errors that say nothing about what failed."""
_MARKED = ("error-solution", "prevention", "error-fix", "fix")
_VARIABLE = (
    (re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), "…"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b"), "#"),
    (re.compile(r"(?<![\w/.])(?:[a-z]:)?[\\/](?:[\w.\-]+[\\/]?)+"), "/…"),
    (
        re.compile(
            r"(?<![\w/.])(?:[\w.\-]+[\\/])*[\w\-]+\."
            r"(?!(?:com|org|net|io|dev|app|local|internal|lan)\b)[a-z]\w{0,7}(?=:\d)"
        ),
        "/…",
    ),
    (re.compile(r"\d+(?:[.:,]\d+)*"), "#"),
)
_TROUBLE = re.compile(
    r"\b(?:fix|repair|resolv|solv|avoid|prevent|workaround|work(?:ed|s)? around|recover"
    r"|fail|error|exception|crash|hang|hung|stuck|broken|breaks?\b|miss(?:ing|es)|refus|den(?:y|ie)"
    r"|time(?:s|d)? ?out|unreachable|unavailable|corrupt|conflict|invalid|wrong|flaky|leak|killed"
    r"|out of (?:memory|space|disk)|already in use|not found|cannot|can't"
    r"|(?:is|are|was|gets?|got|runs?|becomes?) full\b|fill(?:s|ed)? up\b)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:E[A-Z]{4,}|SIG[A-Z]{3,}|OOM\w*|[A-Z]{1,5}-?\d{3,}|\w+(?:Error|Exception|Warning))\b"
)
_COMPOUND = re.compile(r"\b\w*[a-z0-9][A-Z]\w*\b|\b\w+(?:[-_]\w+)+\b")
_WEAK = frozenset(map(canonical, (*GENERIC, "fail", "failed", "cannot", "run", "use", "get")))
_ENOUGH, _LEAST = 3, 2
"""So many common words name an error; so few only if they are 2 of 5 words of one of the texts."""


class Fix(Value):
    """What a procedure says about the error that it fixes."""

    text: str
    error: str
    """The error that it names as the one it solves; may be empty."""
    tags: tuple[str, ...]
    marked: bool
    """Whether it is marked as a fix."""


def fix_in(content: dict[str, Any], tags: Iterable[str], subtype: str | None) -> Fix:
    """Return what the content of a procedure says about errors."""
    tags = tuple(tags)
    return Fix(
        text=statement_of(content),
        error=str(content.get("error") or content.get("error_message") or ""),
        tags=tags,
        marked="error" in tags or subtype in _MARKED,
    )


class Mending:
    """Compares procedures with errors: whether one fixes, avoids or works around an error.

    This is so if one of these conditions is true:

    - It is marked as a fix (tag `error`, or a subtype such as `error-solution`) and has the error's
      type as a tag, in any spelling: `key-error` or `KeyError`.
    - It names the error that it solves (`error` in its content), in similar words.
    - Its text names the error by its code, such as ECONNREFUSED or TimeoutError, or by its type if
      that is a compound name, such as DiskFull; or it describes a problem or a repair and shares at
      least two words with the error, ignoring their endings.

    Args:
        parse: finds the keywords of a text.
        similarity: measures how alike two texts are.
        above: the minimum similarity of the named error and a recorded one.
    """

    def __init__(
        self, parse: Callable[[str], Parsed], similarity: Measure, *, above: float
    ) -> None:
        self._parse = parse
        self._similarity = similarity
        self._above = above

    def is_for(self, fix: Fix, error: dict[str, Any]) -> bool:
        """Return whether a fix is for an error, given by the content of its record."""
        kind, told = slug(str(error["error_type"])), _told(error)
        if fix.marked and kind not in GENERIC and _joined(kind) in map(_joined, fix.tags):
            return True
        if "-" in kind and kind in map(slug, _COMPOUND.findall(fix.text)):
            return True
        return (bool(fix.error) and self._names(fix.error, error)) or self._mends(fix.text, told)

    def _names(self, named: str, error: dict[str, Any]) -> bool:
        if self._similarity(normalised(named), key_of(error)[1]) > self._above:
            return True
        asked = set(self._parse(named).keywords) - GENERIC
        return len(asked) >= _LEAST and asked <= {*words(_told(error))}

    def _mends(self, text: str, told: str) -> bool:
        if not {*_CODE.findall(text)}.isdisjoint(_CODE.findall(told)):
            return True
        if not _TROUBLE.search(text):
            return False
        ours, theirs = self._roots(text), self._roots(told)
        shared = len(ours & theirs)
        near = 5 * shared >= 2 * min(len(ours), len(theirs))
        return shared >= _ENOUGH or (shared >= _LEAST and near)

    def _roots(self, text: str) -> set[str]:
        return {canonical(word) for word in self._parse(text).keywords} - _WEAK


def _joined(tag: str) -> str:
    """Return a tag without hyphens: the tags `KeyError` and `key-error` mean the same."""
    return re.sub(r"[\W_]", "", tag.lower())


def _told(error: dict[str, Any]) -> str:
    return f"{error['error_type']} {error['error_message']}"


def slug(text: str) -> str:
    """Return an error type as a tag: `TimeoutError` becomes `timeout-error`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text)
    return re.sub(r"[^a-z0-9]+", "-", parted.lower()).strip("-") or "unknown"


def normalised(message: str) -> str:
    """Return a message without the parts that differ between occurrences."""
    said = folded(message)
    for part, sign in _VARIABLE:
        said = part.sub(sign, said)
    return said


def key_of(error: dict[str, Any]) -> tuple[str, str]:
    """Return what two occurrences of the same error have in common."""
    message = normalised(str(error.get("error_message")))
    return folded(str(error.get("error_type") or "")), message


RECURRING = "recurring-error"
_TAGS = 5
_PAST = ("active", "flagged", "superseded", "archived", "expired")
_OPTIONS = ("tags", "agent", "project", "team", "failed", "allow_secret")


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


@writes
def error(
    hive: HivemindWork,
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
        hive: the protocol.
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
    agent = worker_named(hive.core, options.get("agent"))
    where = {name: options.get(name) for name in ("team", "project")}
    body: dict[str, Any] = {
        "error_type": intake.statement(type).strip(),
        "error_message": intake.statement(message).strip(),
        "context": context,
        "resolution": resolution,
        "prevention": prevention,
    }
    given = [body, list(options.get("tags") or ())]
    body, tags = hive.core.clean(given, allow_secret=bool(options.get("allow_secret")))[0]
    if hive.begins():
        _refuse_early(hive, body, hive.subject_of({}, agent=agent, **where), tuple(tags))
    session = hive.ensured(project=options.get("project"), agent=agent)
    failed = bool(options.get("failed"))
    task = hive.finished(session, agent) if failed else hive.at_hand(session, agent)
    body["context"] = body["context"] or task.get("task")
    place = hive.subject_of(task, agent=agent, **where)
    act = hive.core.act(actor=agent or place.agent, session=session.name)
    scope = _scope_of(hive, place)
    noted = _noted(hive, body, scope, tuple(tags), act=act)
    kind = sessions.FAILED if failed else sessions.NOTED
    told: dict[str, Any] = {"created": [name for name in (noted["id"], noted["made"]) if name]}
    if kind == sessions.FAILED:
        told |= {"task": task.get("id"), "text": task.get("task"), "agent": act.actor}
        told["error"] = f"{body['error_type']}: {body['error_message']}"
    hive.note(act, kind, told)
    hive.entered([scope], act)
    del noted["made"]
    return ErrorNoted(session=session.name, scope=scope, **noted)


def _refuse_early(
    hive: HivemindWork, body: dict[str, Any], place: TaskSubject, tags: tuple[str, ...]
) -> None:
    """Refuse an error that cannot be recorded, before a session is started for it."""
    wish = Wish(type="episodic", content=body, scope=_scope_of(hive, place), tags=("error", *tags))
    draft(hive.core, wish, hive.core.act(actor=place.agent))


def _scope_of(hive: HivemindWork, place: TaskSubject) -> str:
    """Return the scope of an error: at the widest this project, because it failed here."""
    scope = place.scope()
    return scope_of(hive.core, "project") if scope == "global" else scope


def _noted(
    hive: HivemindWork, body: dict[str, Any], scope: str, tags: tuple[str, ...], *, act: Act
) -> dict[str, Any]:
    """Record the entry of an error, and from the third occurrence its prevention."""
    found = hive.core.memories(statuses=_PAST, only={"category": "error"})
    past = [one for one in found if _is_error(one)]
    same = [one for one in past if key_of(body_of(one)) == key_of(body)]
    times = len(same) + 1
    recurring = times >= hive.options.recurring_at
    similar = [one.id for one in reversed(past) if _is_similar(hive, body, one)][
        : hive.options.error_links
    ]
    fixes = _fixes(hive, body)
    kind = slug(body["error_type"])
    words = tags or subjects_in(hive.parse(str(body["context"] or "")))[:_TAGS]
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
    name = hive.enter(wish, act)
    hive.link_back(name, act)
    prevention, made = None, None
    if recurring:
        known = made_id("prevention", *key_of(body))
        prevention = known
        seen = [*(one.id for one in same), name]
        if hive.core.memory(known) is None:
            made = _prevent(hive, known, body, seen=seen, wish=wish, act=act)
        else:
            _informed(hive, known, body, seen=seen, act=act)
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


def _is_similar(hive: HivemindWork, body: dict[str, Any], past: Memory) -> bool:
    before = body_of(past)
    if past.status == "superseded" and past.links.get("superseded_by"):
        return False  # the memory that superseded it is compared in its place
    one, other = key_of(body), key_of(before)
    if one == other:
        return True
    alike = hive.similarity(one[1], other[1])
    same = one[0] == other[0]
    return alike > (hive.options.error_similar_above if same else hive.options.similar_above)


def _mending(hive: HivemindWork) -> Mending:
    return Mending(hive.parse, hive.similarity, above=hive.options.error_similar_above)


def _fixes(hive: HivemindWork, body: dict[str, Any]) -> list[str]:
    """Return the newest procedures that fix an error."""
    mending = _mending(hive)
    found = []
    for one in hive.core.memories(only={"type": "procedural"}):
        if one.extra.get("rule") == RECURRING:
            continue  # it repeats the fix, or knows none
        fix = fix_in(body_of(one), one.tags, one.extra.get("subtype"))
        if mending.is_for(fix, body):
            found.append(one.id)
    return found[-hive.options.error_links :]


def mended(hive: HivemindWork, wish: Wish) -> list[str]:
    """Return the newest recorded errors that a procedure fixes."""
    if wish.type != "procedural":
        return []
    mending, fix = _mending(hive), fix_in(wish.content, wish.tags, wish.subtype)
    found = [
        one.id
        for one in hive.core.memories(statuses=LIVE, only={"category": "error"})
        if _is_error(one) and mending.is_for(fix, body_of(one))
    ]
    return found[-hive.options.error_links :]


def _prevent(
    hive: HivemindWork, name: str, body: dict[str, Any], *, seen: list[str], wish: Wish, act: Act
) -> str:
    """Record the one memory about the prevention of a recurring error."""
    return hive.enter(
        Wish(
            id=name,
            type="procedural",
            subtype="prevention",
            content=_prevention(_told_of(hive, body, seen), times=len(seen)),
            scope=wish.scope,
            tags=(*(tag for tag in wish.tags if tag != "recurring"), "prevention"),
            priority="high",
            links={"derived_from": seen},
            rule=RECURRING,
            allow_secret=True,  # its secrets are already masked
        ),
        act,
    )


def _told_of(hive: HivemindWork, body: dict[str, Any], seen: list[str]) -> list[dict[str, Any]]:
    """Return the contents of the occurrences of an error, the newest first, and its fixes."""
    told = [body, *(body_of(one) for one in map(hive.core.memory, reversed(seen)) if one)]
    fixes = filter(None, map(hive.core.memory, reversed(_fixes(hive, body))))
    return [*told, *({**body, "prevention": None, "resolution": _way_of(one)} for one in fixes)]


def _informed(
    hive: HivemindWork, name: str, body: dict[str, Any], *, seen: list[str], act: Act
) -> None:
    """Update the memory about the prevention of an error that occurred again."""
    known = hive.core.memory(name)
    if known is None or known.status not in LIVE:
        return
    told = _told_of(hive, body, seen)
    _revised(hive, known, _prevention(told, times=len(seen)), _texts_of(told), act=act)
    content = {"memory": known.id, "links": {"derived_from": seen[-1:]}, "rule": RECURRING}
    hive.core.append(known.kept, [act.draft(LINKED, content, known.version)])


def _revised(
    hive: HivemindWork, known: Memory, content: dict[str, Any], made: set[str], *, act: Act
) -> None:
    """Revise a prevention; a text that is not in `made` is a person's, and stays."""
    before = body_of(known)
    if before.get("text") not in made:
        content["text"] = before.get("text")
    after = {**before, **{key: content[key] for key in ("text", "resolution", "times")}}
    if after != before:
        changes = recorded_content(after)
        revised = {"memory": known.id, "set": changes, "rule": RECURRING}
        hive.core.append(known.kept, [act.draft(REVISED, revised, known.version)])


def fixed(hive: HivemindWork, error: Memory, fix: Memory, act: Act) -> None:
    """Tell the prevention of an error about a fix, if it does not know any."""
    if not _is_error(error) or fix.extra.get("subtype") == "prevention":
        return
    body, resolution = body_of(error), _way_of(fix)
    known = hive.core.memory(made_id("prevention", *key_of(body)))
    if known is None or known.status not in LIVE or body_of(known).get("resolution"):
        return
    own = body_of(known)
    told = _prevention([{**own, "resolution": resolution}], times=own.get("times", 0))
    _revised(hive, known, told, _texts_of([own, body]), act=act)


@contextmanager
def attempt(hive: HivemindWork, *, agent: str | None = None, **options: Any) -> Iterator[None]:
    """Record an exception raised in the block as the failure of the current task."""
    try:
        yield
    except Exception as fault:
        said = str(fault).strip() or fault.__class__.__name__
        error(hive, fault.__class__.__name__, said, agent=agent, failed=True, **options)
        raise


def _prevention(told: list[dict[str, Any]], *, times: int) -> dict[str, Any]:
    """Return the content of a prevention, from the contents of the error, the newest first."""
    how = next((str(one["prevention"]) for one in told if one.get("prevention")), None)
    fixed = next((str(one["resolution"]) for one in told if one.get("resolution")), None)
    return {
        "text": how or fixed or _unknown(told[0]),
        "error_type": told[0]["error_type"],
        "error_message": told[0]["error_message"],
        "resolution": fixed,
        "times": times,
    }


def _way_of(fix: Memory) -> str:
    """Return how a procedure fixes an error, in one line."""
    said = body_of(fix)
    return str(said.get("solution") or statement_of(said).partition("\n")[0])


def _unknown(body: dict[str, Any]) -> str:
    return f"Before it happens again, find out why: {body['error_message']}"


def _texts_of(told: list[dict[str, Any]]) -> set[str]:
    """Return the texts that the rule may have given to a prevention."""
    ways = (str(one[key]) for one in told for key in ("prevention", "resolution") if one.get(key))
    return {*ways, *map(_unknown, told)}


def _is_error(memory: Memory) -> bool:
    """Return whether a memory records an error that occurred, and is not a summary of one."""
    return memory.extra.get("subtype") == "error" and memory.extra.get("rule") != SUMMARISED

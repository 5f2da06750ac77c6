"""Capture: records the lasting statements of a session as memories, in one synced write.

The rules in `capture` find the statements; this module stores them. A memory's id is derived from
the session and the message, so a turn that is read twice is recorded once, and a forgotten or
purged memory does not return. A statement that repeats a current memory is skipped. A statement
that was rejected, in this log or the project's, is refused. A statement that contradicts a current
memory gets a `replaces` link to that memory and does not change it. If the user takes a statement
back later in the session, its memory is forgotten without being rejected. If the user makes another
statement instead, the memory is superseded by that statement.
"""

from __future__ import annotations

from varves.capture.choices import named, retractions, said_before, undone
from varves.capture.learning import TAG
from varves.capture.learnings import learnings
from varves.commands.port import Decision
from varves.commands.remember import record
from varves.conflicts.arrivals import MOST, keys_of, statement_of
from varves.conflicts.judging import SAME, judged, terms
from varves.errors import NotFound, Refused, UsageError
from varves.events.kinds import RECORDED, is_barred
from varves.index.where import Where
from varves.values.answers import Captured
from varves.values.ids import memory_of
from varves.values.instants import iso
from varves.values.text import fold, value_key, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.capture.learning import Learning
    from varves.commands.port import Act
    from varves.commands.remember import Remember
    from varves.context.context import Context
    from varves.events.event import Draft
    from varves.values.memory import Memory
    from varves.values.near import Near
    from varves.values.signals import SessionMessage


TYPES = {
    "correction": "convention",
    "error_fix": "error_fix",
    "rule": "rule",
    "decision": "decision",
    "preference": "preference",
    "statement": "fact",
}
# the types of memories whose evidence is files
_SHOWN_BY_FILES = ("error_fix", "decision", "correction")
_MOST_FILES = 5
_SHARED = 2  # the number of names that a memory and its correction must share
_DRAWN = 32  # the number of hexadecimal digits of a random name
_CHOSEN = ("decision", "rule", "preference", "convention")


def capture(
    context: Context,
    messages: Sequence[SessionMessage],
    *,
    session: str | None,
    client: str | None,
    turn_start: int,
) -> Captured:
    """Record the lasting statements of some messages, and report the result."""
    setting = context.settings.capture
    if setting == "off":
        return Captured()
    heard = learnings(messages, turn_start=turn_start)
    if not heard and not any(map(retractions, messages[turn_start:])):
        return Captured()
    return _Keeping(context, session=session, client=client, private=setting != "shared").keep(
        heard, messages, turn_start
    )


def _repeats(wish: Remember, old: Near) -> bool:
    """Return whether a statement repeats a memory.

    A statement of an agent that saw the memory may have additional words.
    """
    said, held = fold(wish.text), fold(old.text)
    return said == held or (wish.about.get("speaker") != "user" and f" {held}" in f" {said}")


def _denied(wish: Remember) -> set[str]:
    """Return the words that a statement denies."""
    from varves.values.signals import SessionMessage

    return undone([SessionMessage(role="user", text=wish.text)])


def _corrects(wish: Remember, old: Near, denied: set[str]) -> bool:
    """Return whether a statement corrects a memory: it denies its names or changes one word.

    A changed word counts only after a "no", because it may be the name of another thing.
    """
    told, held = words(wish.text), words(old.text)
    if not denied.isdisjoint(named(old.text)):
        return len(named(old.text) & named(wish.text) - denied) >= _SHARED
    differing = sum(one != other for one, other in zip(told, held, strict=False))
    corrects = wish.about.get("type") == TYPES["correction"]
    return corrects and len(told) == len(held) and differing == 1


def _stands_for(wish: Remember, old: Memory) -> bool:
    """Return whether a statement replaces a memory that the user takes back."""
    if wish.about.get("type") == "decision":
        return True
    return not named(old.text).isdisjoint(named(wish.text))


def _is_unique(key: str) -> bool:
    """Return whether a message's key is unique everywhere, and not only in its session."""
    drawn = key.rpartition("_")[2].replace("-", "").lower()
    return len(drawn) >= _DRAWN and not drawn.strip("0123456789abcdef")


def captured_id(session: str | None, message: SessionMessage, text: str) -> str:
    """Return the id of the memory that is captured from a message and says `text`."""
    from hashlib import sha256

    key = message.key or sha256(message.text.encode("utf-8", "replace")).hexdigest()
    # a forked session repeats the messages of the first session under the same keys
    within = "" if message.key and _is_unique(message.key) else session or ""
    name = f"capture\n{within}\n{key}\n{text}"
    return memory_of(sha256(name.encode("utf-8", "replace")).digest())


class _Keeping:
    """Records the learnings of one turn."""

    def __init__(
        self, context: Context, *, session: str | None, client: str | None, private: bool
    ) -> None:
        self._context = context
        self._session = session or self._context.settings.session
        self._client = client
        self._private = private
        self._drafts: list[Draft] = []
        self._ids: list[str] = []
        self._known: list[str] = []
        self._replaced: list[str] = []
        self._refused = 0
        self._over: dict[str, Memory] = {}
        self._forgotten: list[str] = []

    def keep(
        self, heard: list[Learning], messages: Sequence[SessionMessage], turn_start: int
    ) -> Captured:
        """Decide on each learning under one lock, and append them together."""
        log = "private" if self._private else "project"
        self._context.begin(log)
        with self._context.deciding(log):
            rows = self._context.current()
            again = {self._id(one, messages[one.message_index]) for one in heard}
            back = [one for one in self._taken_back(messages, turn_start) if one.id not in again]
            turned = self._turned_from(messages[turn_start:])
            self._over = {one.id: one for one in (*turned, *back) if one.id not in again}
            for one in heard:
                try:
                    wish, act = self._wish(one, messages[one.message_index])
                    self._decide(rows, wish, act)
                except (Refused, UsageError, NotFound):
                    self._refused += 1
            for old in back:
                self._forget(rows, old, log)
            if self._drafts:
                last = [*self._forgotten, *self._ids][-1]
                made = Decision(log=log, drafts=tuple(self._drafts), memory=last)
                self._context.append(made)
        return Captured(
            ids=tuple(self._ids),
            known=tuple(self._known),
            refused=self._refused,
            replaced=tuple(self._replaced),
            forgotten=tuple(self._forgotten),
        )

    def _wish(self, one: Learning, message: SessionMessage) -> tuple[Remember, Act]:
        """Return the command that records a learning, and the act with its speaker's origin."""
        from varves.statements import command

        options: dict[str, Any] = {
            "text": one.text,
            "private": self._private,
            "type": TYPES[one.kind],
            "tags": [TAG],
            "speaker": "user" if one.by == "user" else self._client or "agent",
            "session": self._session,
            "at": message.at,
            "id": self._id(one, message),
            "evidence": self._evidence(one),
        }
        options = {name: value for name, value in options.items() if value}
        origin = self._origin("direct" if one.by == "user" else "agent")
        wish, act = command(self._context.replace(origin=origin), options)
        if wish.redacted:
            raise Refused("it contains a secret", "repeat it without the secret")
        if self._client is not None:
            name, _ = self._context.clean(self._client)
            act = act.replace(actor=name)
        return wish, act

    def _origin(self, said: str) -> str:
        """Return the speaker's origin or the caller's, whichever is less trusted."""
        from varves.values.memory import TRUST

        door = self._context.origin
        return said if TRUST[said] <= TRUST[door] else door

    def _id(self, one: Learning, message: SessionMessage) -> str:
        return captured_id(self._session, message, one.text)

    def _evidence(self, one: Learning) -> list[str]:
        """Return the existing files that are evidence of a learning, relative to the project."""
        import os

        if one.kind not in _SHOWN_BY_FILES:
            return []
        root = os.path.realpath(self._context.settings.root)
        found: dict[str, None] = {}
        for name in one.files:
            try:
                path = os.path.realpath(os.path.join(root, name))
                inside = os.path.isfile(path) and path.startswith(root.rstrip("/") + "/")
            except (OSError, ValueError):
                continue
            if inside:
                found[os.path.relpath(path, root)] = None
        return [*found][:_MOST_FILES]

    def _decide(self, rows: Any, wish: Remember, act: Act) -> None:
        """Decide how to record one learning; do nothing if it is known, rejected or purged."""
        if rows.memory(wish.id) is not None:
            self._known.append(wish.id)
            return
        if is_barred(rows.history(wish.id)):
            raise Refused(
                f"{wish.id} was purged",
                "its id cannot be used again; record the text as a new memory",
            )
        for log in dict.fromkeys((wish.log, "project", "private")):
            held, rejecting = rows.standing(
                value_key(log, wish.scope, wish.text), wish.text, act.trust
            )
            if rejecting:
                raise Refused("this value was rejected", "remember it with --again")
            if held is not None:
                self._known.append(held)
                return
        same, older = self._resembling(wish, act)
        if same is not None:
            self._known.append(same)
            return
        over = [one.id for one in self._over.values() if _stands_for(wish, one)]
        if act.origin == "direct" and (older := [*dict.fromkeys((*older, *over))]):
            wish = wish.replace(links={"replaces": older})
            self._replaced += older
            self._over = {name: one for name, one in self._over.items() if name not in older}
        self._drafts.append(act.draft(RECORDED, record(wish, act)))
        self._ids.append(wish.id)

    def _resembling(self, wish: Remember, act: Act) -> tuple[str | None, list[str]]:
        """Return a memory that says the same as a statement, and memories that contradict it."""
        index = self._context.index.opened
        if index is None:
            return None, []
        denied, older = _denied(wish), []
        nearby = index.nearby(iso(act.now), self._context.trusted)
        for log in ("project", "private"):
            said = statement_of(wish.replace(log=log), wish.id, now=act.now)
            place = {"scope": wish.scope, "kept": log, "other_than": wish.id}
            near = nearby.nearest(terms(wish.text), **place)
            near += nearby.sharing(keys_of(said), other_than=wish.id, most=MOST)
            for old in {one.id: one for one in near}.values():
                verdict = judged(old, said)
                if (verdict is not None and verdict.relation == SAME) or _repeats(wish, old):
                    return old.id, []
                if (verdict is not None or _corrects(wish, old, denied)) and old.id not in older:
                    older.append(old.id)
        for old in nearby.nearest(
            terms(wish.text), scope="global", kept="global", other_than=wish.id
        ):
            if _repeats(wish, old):
                return old.id, []
        return None, older

    def _turned_from(self, messages: Sequence[SessionMessage]) -> list[Memory]:
        """Return the memories of this session that the user may replace in `messages`."""
        over = undone(messages)
        return [
            one
            for one in (self._of_session() if over else ())
            if one.type in _CHOSEN and not named(one.text).isdisjoint(over)
        ]

    def _taken_back(self, messages: Sequence[SessionMessage], turn_start: int) -> list[Memory]:
        """Return the memories of this session that the user takes back in `messages`."""
        found: dict[str, Memory] = {}
        for at in range(turn_start, len(messages)):
            for back in retractions(messages[at]):
                held = self._of_session()
                if back.names:
                    some = [one for one in held if not back.names.isdisjoint(words(one.text))]
                elif back.kinds:
                    types = [TYPES[kind] for kind in back.kinds]
                    some = [one for one in held if one.type in types][-1:]
                else:
                    said = self._said_in(messages, said_before(messages, at), turn_start)
                    some = [one for one in held if one.id in said]
                found.update((one.id, one) for one in some)
        return [*found.values()]

    def _said_in(
        self, messages: Sequence[SessionMessage], place: int | None, turn_start: int
    ) -> set[str]:
        """Return the ids of the memories that were captured from a message of an earlier turn."""
        if place is None or place >= turn_start:
            return set()
        heard = learnings(messages[: place + 1], turn_start=place)
        return {self._id(one, messages[one.message_index]) for one in heard}

    def _of_session(self) -> list[Memory]:
        """Return the memories captured in this session that are still active, oldest first."""
        index = self._context.index.opened
        if index is None or not self._session:
            return []
        found = index.memories(Where(session=self._session, statuses=("active",)))
        some = [one for one in found if TAG in one.tags and one.type != TYPES["error_fix"]]
        return sorted(some, key=lambda one: (one.created_at, one.id))

    def _forget(self, rows: Any, old: Memory, log: str) -> None:
        """Forget memories that were taken back and not replaced; their texts are not rejected."""
        from varves.commands.forget import Forget, decide_forget

        if old.id in self._replaced or old.kept != log:
            return
        act = self._context.act()
        if self._client is not None:
            act = act.replace(actor=self._context.clean(self._client)[0])
        try:
            wish = Forget(memory=old.id, reason="taken back in the same session", rejects=False)
            self._drafts += decide_forget(rows, wish, act).drafts
        except (Refused, NotFound):
            return
        self._forgotten.append(old.id)

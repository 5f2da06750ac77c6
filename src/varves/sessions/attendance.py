"""Attends a coding agent's session: shows the agent relevant memories, and learns from the session.

At the start the agent gets the brief. With each prompt it gets the memories recalled for that
prompt. Both are a fenced block of data within a budget. A memory is not shown twice, unless the
agent's context was compacted in between. After each turn, learnings are recorded. Before the
context is compacted, a checkpoint is stored. At the end of the session only a marker is written,
because the client allows no time for more.

If the project has no ledger, none is created, and only the user's memories for all projects are
shown.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.sessions.injection import (
    LENGTH,
    TOKENS,
    BlockRoom,
    InjectedBlock,
    blocked,
    brief,
    fitting,
    joined,
    left,
    lined,
    own_words,
    recall,
)
from varves.state.attendance import attendance_of, leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from varves.door import Door
    from varves.sessions.missed import Missed
    from varves.sessions.protocols import Hooked
    from varves.state.attendance import Attendance, Noted
    from varves.values.answers import Captured
    from varves.values.memory import Memory
    from varves.values.signals import SessionMessage

LEAST = 900  # the tokens reserved for the brief, whatever the protocols show
_SAID = 400  # the most characters of a failure that are recorded


class Attending:
    """One session of a coding agent."""

    def __init__(
        self, door: Door, client: str, session: str | None, *, agent: str | None = None
    ) -> None:
        self.client = client
        self.session = session
        self.agent = agent
        self._who = ("who", client, session or "", agent or "")
        self._door = door.through(actor=client, session=session)
        self._guard = self._door.guard
        self._context = self._door.context
        self._noted: Noted | None = None
        self._hooked: Hooked | None = None
        self._faults: list[str] = []
        self.left = False
        """Whether the last call of `learn` left messages for a later call."""

    def close(self) -> None:
        """Close files."""
        self._door.close_files()

    @property
    def faults(self) -> tuple[str, ...]:
        """The errors that did not stop the session, one line each."""
        unnoted = filter(None, [self._store.fault])
        return (*self._faults, *(self._hooked.faults if self._hooked is not None else ()), *unnoted)

    def try_to(self, call: Callable[[], object]) -> None:
        """Make a call; if it fails, only record the error."""
        try:
            call()
        except Exception as fault:  # noqa: BLE001 - recorded as a fault
            self._faults.append(f"{type(fault).__name__}: {fault}")

    @property
    def attends(self) -> bool:
        """Whether there is a ledger to read from or to write to."""
        places = self._context.places
        return places.exists() or places.store("global").stat("log") is not None

    # Showing memories

    def start(self, source: str = "startup", *, heard: bool = True) -> str:
        """Return the brief; after a compaction or on resuming, also the session's checkpoint.

        Args:
            source: startup, resume, clear or compact.
            heard: whether the client passes text to the agent at its start.
        """
        if not self.attends:
            return ""
        again = source in ("compact", "resume")
        lost = [("compacted",)] if source in ("compact", "clear") else []
        self._note(self._who, *lost, ("begun",))
        theirs = self._protocols.start(source) if self._drives else []
        if not heard:
            return ""
        theirs = fitting(theirs, TOKENS - LEAST, LENGTH * (TOKENS - LEAST) // TOKENS)
        checkpoint = self._checkpoint() if again else None
        told = brief(self._guard, self._room(theirs), checkpoint=checkpoint)
        self._note_told(told)
        return joined([told.text, *theirs])

    def uncompared(self) -> str:
        """Return a line about memories of other clones that were not compared yet, or ""."""
        if not self._context.places.exists():
            return ""
        from varves.conflicts.merged import uncompared

        try:
            return self._guard.run(lambda: uncompared(self._context, self._context.fresh().index))
        except (VarvesError, OSError):
            return ""  # the brief is more important than this line

    def prompt(self, text: str) -> str:
        """Return a block with the memories relevant to a prompt; "" if there are none."""
        if not self.attends:
            return ""
        said = own_words(text)
        noted = self._read()
        theirs = self._protocols.prompt(text) if self._drives else []
        theirs = fitting(theirs, TOKENS - LEAST, LENGTH * (TOKENS - LEAST) // TOKENS)
        told, owed = InjectedBlock(), None
        if noted.owed:  # the agent's context was compacted without a new start
            owed = self._checkpoint()
            self._note(("begun",))
        if said.strip():
            told = recall(self._guard, said, self._room(theirs), skip=noted.told, first=owed)
            self._note_told(told)
        return joined([told.text, *theirs])

    def _room(self, shown: list[str]) -> BlockRoom:
        """Return what the protocols' blocks leave for the block of other memories."""
        tokens, length = left(shown)
        elsewhere = self._protocols.chosen(shown) if self._drives else None
        return BlockRoom(tokens=tokens, length=length, elsewhere=elsewhere)

    def checkpoint(self, task: str = "") -> str:
        """Store the state of the session as a private memory; return the memory as a block.

        Args:
            task: the agent's current task, if it is not recorded yet.
        """
        if not self._learns:
            return ""
        from varves.sessions.checkpoint import keep

        if self._drives:
            self._protocols.compact()
        noted = self._read()
        kept = keep(self._door, noted, session=self.session or "", task=task)
        if kept is None:
            return ""
        if kept != noted.checkpoint:
            self._note(("checkpoint", *kept))
        memory = self._checkpoint()
        return blocked(self._context, [lined(memory)]) if memory else ""

    def task(self, messages: Sequence[SessionMessage]) -> str:
        """Return what the user asked for in some messages; "" if the user asked for nothing new."""
        from varves.sessions.portions import task

        return task(messages, self._read().task)

    def compacted(self) -> None:
        """Record that the agent's context is about to be compacted."""
        if self._context.places.exists():
            self._note(("compacted",))

    def _checkpoint(self) -> Memory | None:
        """Return the newest checkpoint of this session."""
        if not self.session or not self._context.places.exists():
            return None
        from varves.sessions.checkpoint import checkpoints

        return next(iter(checkpoints(self._guard, self.session)), None)

    # Learning

    def tool(self, message: SessionMessage) -> None:
        """Record the files that a tool has written, failed calls, and calls that succeed again."""
        if not self._learns:
            return
        from varves.context.guard import masked

        inside = f"{self._context.settings.root}/"
        lines = [("wrote", masked(path.removeprefix(inside))) for path in message.files]
        if message.ok is False and message.text:
            lines.append(("failed", masked(message.text)[:_SAID]))
        elif message.ok and message.call:
            lines += [("mended", said) for said in self._mended(message.call)]
        if lines:
            self._note(*lines)
        if self._driven:
            self._protocols.tool(message)

    def _mended(self, call: str) -> list[str]:
        """Return the recorded earlier failures of the same call."""
        failed = [*self._read().failed]
        if not failed:
            return []
        from varves.context.guard import masked

        return [said for said in failed if said.startswith(masked(call)[:_SAID])]

    def learn(
        self,
        messages: Sequence[SessionMessage],
        *,
        transcript: str | None = None,
        offset: int | None = None,
        turn_start: int = 0,
        goes_on: bool = False,
        in_time: Callable[[], bool] = lambda: True,
    ) -> Any:
        """Record the learnings of a turn; the same messages are never recorded twice.

        Args:
            messages: the messages of this turn and some messages before it, in order.
            transcript: the file they were read from.
            offset: the position in the file up to which it was read; the next turn begins there.
            turn_start: where this turn begins among the messages.
            goes_on: whether the turn is still in progress; protocols driven by hooks wait for its
                end.
            in_time: called before each portion of a long turn except the first; if it returns
                False, the rest is left for a later call.

        Returns:
            The result, or None if nothing is learned here.
        """
        self.left = False
        captured, hushed = None, transcript is not None and self._read().is_hushed(transcript)
        try:
            if self._learns and messages and not hushed:
                captured = self._learned(
                    messages, turn_start, transcript, goes_on=goes_on, in_time=in_time
                )
        except (VarvesError, OSError):
            raise  # the turn counts as not read, so that a later call tries again
        except Exception:
            self._note_learned(messages, None, transcript, offset)
            raise
        self._note_learned(() if hushed else messages, captured, transcript, offset)
        return captured

    def _learned(
        self,
        messages: Sequence[SessionMessage],
        start: int,
        transcript: str | None,
        *,
        goes_on: bool,
        in_time: Callable[[], bool],
    ) -> Any:
        from varves.sessions.portions import edited, ids, portions, reached, together

        inside = f"{self._context.settings.root}/"
        known = {path.removeprefix(inside) for one in messages[start:] for path in one.files}
        edits = tuple(path for path in self._read().fresh if path not in known)
        if edits:
            messages = (*messages, edited(edits))
        first = reached(self._read(), transcript, messages, start=start)
        drives = self._drives and not goes_on and first == start
        if drives and self._protocols.learned(messages[start:]):
            return None
        if self._context.settings.capture == "off":
            return None
        found = []
        for some, at, part in portions(messages, start, first):
            captured = self._captured(some, at)
            found.append(captured)
            if part is None:
                break
            if transcript is not None:
                self._note(self._who, ("part", *part, transcript), *ids(captured))
            self.left = not in_time()
            if self.left:
                break
        return together(found)

    def _captured(self, messages: Sequence[SessionMessage], turn_start: int) -> Captured:
        from varves.sessions.capture import capture

        return self._guard.run(
            lambda: capture(
                self._context,
                messages,
                session=self.session,
                client=self.client,
                turn_start=turn_start,
            )
        )

    def _note_learned(
        self,
        messages: Sequence[SessionMessage],
        captured: Any,
        transcript: str | None,
        offset: int | None,
    ) -> None:
        from varves.sessions.portions import ids

        lines = ids(captured)
        if self.left:
            offset = None
        if transcript is not None and offset is not None and self._context.places.exists():
            at = ("at", str(offset), transcript)
            lines += [self._who, at, ("turn", self.task(messages))]
        if lines:
            self._note(*lines)

    def offset(self, transcript: str) -> int:
        """Return the offset up to which a transcript was read."""
        return self._read().offsets.get(transcript, 0)

    def turn_before(self, transcript: str) -> int:
        """Return the offset at which the previous turn begins; this turn may answer that one."""
        return self._read().before.get(transcript, 0)

    def follow(self, transcript: str) -> None:
        """Record the path of this session's transcript, so that its end can be read later."""
        if self._learns and transcript not in self._read().offsets:
            self._note(self._who, ("at", "0", transcript))

    def end(self, reason: str = "") -> None:
        """Mark the session as ended."""
        if self._context.places.exists():
            self._note(("ended", reason[:40] if reason.replace("_", "").isalpha() else ""))
            if self._drives:
                self._protocols.end()

    def missed(self) -> list[Missed]:
        """Return the project's other sessions whose transcripts were not read to their end."""
        from varves.sessions.missed import missed

        own = (self.session or "", self.agent or "")
        return missed(self._store, own) if self._learns else []

    def beside(self, missed: Missed) -> Attending:
        """Return an `Attending` for another session of this project that was not read fully."""
        return Attending(self._door, missed.client, missed.session, agent=missed.agent)

    def caught_up(self, transcript: str, offset: int) -> None:
        """Record how far the rest of a transcript was read.

        The start of the turn is not changed.
        """
        self._note(("caught", str(offset), transcript))

    # Notes

    @property
    def _learns(self) -> bool:
        """Whether learnings may be recorded: there is a ledger, and none is created for this."""
        return self._context.places.exists() and (
            self._context.settings.capture != "off" or self._drives
        )

    @property
    def _drives(self) -> bool:
        """Whether protocols record this session.

        A subagent's turns belong to the turn of its agent.
        """
        return self._driven and self.agent is None

    @property
    def _driven(self) -> bool:
        return bool(
            self._context.settings.hooked and self.session and self._context.places.exists()
        )

    @property
    def _protocols(self) -> Hooked:
        if self._hooked is None:
            from varves.sessions.protocols import hooked

            self._hooked = hooked(self._door, self.client, self.session or "")
        return self._hooked

    @property
    def _store(self) -> Attendance:
        return attendance_of(self._context.places, in_haste=True)

    @property
    def _leaf(self) -> str:
        return leaf(self.session or "", self.agent)

    def _read(self) -> Noted:
        if self._noted is None:
            from varves.state.attendance import Noted

            self._noted = self._store.noted(self._leaf) if self.session else Noted()
        return self._noted

    def _note(self, *lines: tuple[str, ...]) -> None:
        if self.session:
            self._store.add(self._leaf, lines)
            noted = self._noted
            if noted is not None:
                for kind, *values in lines:
                    noted.take(kind, values)

    def _note_told(self, told: InjectedBlock) -> None:
        if told.ids:
            self._note(("told", " ".join(told.ids)))

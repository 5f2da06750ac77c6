"""Runs every public verb: one thread at a time, and with an index that repairs itself.

Before a verb, it records which memories were shown in the sessions that wrote. After a verb, it
updates the files and views of changed memories, and erases purged content that git restored.
"""

from __future__ import annotations

from varves.errors import Damaged, UsageError, VarvesError
from varves.index.where import WAITING_PURGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from varves.context.context import Context
    from varves.context.follow_up import FollowUp
    from varves.index.port import Index
    from varves.state.notebook import Line

    Answer = TypeVar("Answer")
    Method = TypeVar("Method", bound=Callable[..., Any])


class VerbGuard:
    """Runs the verbs of one caller of the ledger.

    Args:
        context: the logs, the index and the caller, as the verbs see them.
        follow_up: the pending work of the ledger, filled by the verbs.
        keep_in_step: updates the files and views of the memories that a verb changed.
        clean_up: erases purged content that git has restored.
        after_write: compares memories that a merge brought, and sends the write to remotes.
        most_behind: for hooks, the most bytes of the logs that may be missing from the index.
    """

    def __init__(
        self,
        context: Context,
        follow_up: FollowUp,
        *,
        keep_in_step: Callable[[], None],
        clean_up: Callable[[], None],
        after_write: Callable[[], None],
        most_behind: int | None = None,
    ) -> None:
        self.context = context
        self.follow_up = follow_up
        self._keep_in_step = keep_in_step
        self._clean_up = clean_up
        self._after_write = after_write
        self.most_behind = most_behind

    def run(self, call: Callable[[], Answer], *, judges: bool = False) -> Answer:
        """Run a call under the ledger's lock; rebuild a damaged index instead of failing.

        Args:
            call: the verb.
            judges: whether the verb only reports problems, so that nothing is repaired.
        """
        context, follow_up, index = self.context, self.follow_up, self.context.index
        with context.lock:
            follow_up.depth += 1
            if follow_up.notes and not follow_up.bridging:
                follow_up.notes.clear()
            before = index.most_behind, index.steady
            try:
                index.most_behind, index.steady = self.most_behind, False
                if not judges:
                    self.settle()
                answer = self._healed(call)
                if follow_up.changed or (follow_up.unbridged and not follow_up.bridging):
                    self._keep_in_step()
                if follow_up.wrote and follow_up.depth == 1:
                    self.after_write()
                return answer
            except VarvesError as fault:
                raise masked_error(fault) from None
            except UnicodeEncodeError:
                raise UsageError(
                    "an id or option is not valid Unicode", "remove the lone surrogates"
                ) from None
            except OSError as fault:
                where = fault.filename or context.settings.root
                reason = f"cannot use {where}: {fault.strerror or fault}"
                raise Damaged(
                    reason, "check that it is a plain file or folder that belongs to you"
                ) from None
            finally:
                follow_up.depth -= 1
                index.most_behind, index.steady = before

    def after_write(self) -> None:
        """Erase purged content that git restored, then do the door's own part."""
        self.clean_up()
        if not self.follow_up.bridging:
            self._after_write()

    def clean_up(self) -> None:
        """After a write, erase purged content that git restored; usually there is none."""
        try:
            index = self.context.index.opened
            if self.follow_up.cleaning or index is None:
                return
            if index.notes().get(WAITING_PURGES) is not None or self._have_come(index):
                self.follow_up.cleaning = True
                try:
                    self._clean_up()
                finally:
                    self.follow_up.cleaning = False
        except self.context.index.faults:
            return  # the next reader of the index repairs it

    def _have_come(self, index: Index) -> bool:
        """Return whether this clone has purged a memory in another worktree since the last update.

        A write reads only the log that it writes to, so it would not notice such a purge. The log
        of this clone's purges only grows, so new bytes in it show a new purge.
        """
        kept = self.context.logs.purges()
        return any(log.follow(index.logs().known(log.key)).waiting() for log in kept)

    def _healed(self, call: Callable[[], Answer]) -> Answer:
        """Run a call; if the index turns out to be damaged, rebuild it and run the call again.

        Commands read the index only before they append, so nothing is written twice. Code that
        reads the index after the append handles errors itself.
        """
        try:
            return call()
        except (self.context.index.faults, UnicodeDecodeError) as fault:
            # SQLite may quote damaged bytes in its message, which Python then cannot decode.
            self.context.index.heal(fault)
        except (AttributeError, LookupError, TypeError, ValueError) as fault:
            if self.follow_up.wrote or not self._comes_from_damage(fault):
                raise
            self.context.index.heal(fault)
        return call()

    def _comes_from_damage(self, fault: Exception) -> bool:
        """Return whether a damaged row may have raised this error.

        A flipped bit can change a stored number into null, or a text into another text, without an
        error of SQLite. A caller's argument of a wrong type raises the same Python errors, but must
        not cause a rebuild. So after these errors, the index is checked.
        """
        if isinstance(fault, UnicodeEncodeError) or self.context.index.opened is None:
            return False
        if isinstance(fault, LookupError | ValueError):
            return True
        try:
            return not self.context.index.opened.is_sound()
        except self.context.index.faults:
            return True

    def settle(self) -> None:
        """Record which memories were shown in the sessions that wrote.

        The writes are already durable, so a failure here does not matter to them.
        """
        if self.follow_up.wrote:
            from varves.context.usage import settle

            settle(self.context, self.follow_up)

    def tell(
        self,
        verb: str,
        call: Callable[[], Answer],
        names: Callable[[Answer], Sequence[str]],
        tokens: Callable[[Answer], int],
        *,
        agent: str | None = None,
    ) -> Answer:
        """Run a verb that returns memories; record which memories were shown, to whom and when.

        Args:
            verb: recall, brief or show.
            call: the verb.
            names: returns the ids of the memories in the answer.
            tokens: returns the tokens of the answer.
            agent: the agent that receives the answer, if it is not the actor.
        """

        def told() -> Answer:
            answer = call()
            line = told_line(self.context, verb, names(answer), agent=agent)
            if line is not None:
                note_shown(self.context, [line], moment=verb, tokens=tokens(answer))
            return answer

        return self.run(told)


def told_line(
    context: Context, verb: str, names: Sequence[str], *, agent: str | None = None
) -> Line | None:
    """Return the line that counts memories as shown now; None if nothing is to be recorded.

    Args:
        context: the context of the reader.
        verb: the verb that shows them.
        names: the memories.
        agent: the agent that sees them, if it is not the actor.
    """
    if not names or not context.settings.usage or not context.places.exists():
        return None
    from varves.state.notebook import reading
    from varves.values.instants import iso

    who = context.settings.actor, context.settings.session, agent
    return reading(who, iso(context.clock.now()), verb=verb, names=names)


def note_shown(
    context: Context,
    lines: Sequence[Line],
    *,
    moment: str,
    tokens: int,
    prompt: str = "",
) -> None:
    """Record what an agent is shown at one moment, for the event after the next write.

    Args:
        context: the context of the reader.
        lines: the memories, counted by verb; at least one line.
        moment: the moment of the session, or the verb.
        tokens: the tokens of everything shown.
        prompt: the user's prompt, if the moment is one.
    """
    from varves.state.notebook import Shown, question_of, usage_of

    first = lines[0]
    shown = Shown(
        at=first.time,
        session=first.owner,
        client=first.actor,
        moment=moment,
        question=question_of(prompt) if prompt else None,
        ids=tuple(dict.fromkeys(name for line in lines for name in line.memories)),
        tokens=tokens,
    )
    usage_of(context.places).note(*lines, shown=shown)


def guarded(method: Method) -> Method:
    """Return a method that runs through `VerbGuard.run`.

    The object of the method must have the guard as `_guard`.
    """

    def run(self: Any, *args: Any, **options: Any) -> Any:
        return self._guard.run(lambda: method(self, *args, **options))

    run.__name__, run.__doc__ = method.__name__, method.__doc__
    return run  # type: ignore[return-value]


def judging(method: Method) -> Method:
    """Return a method that runs through `VerbGuard.run` with `judges`, so nothing is repaired."""

    def run(self: Any, *args: Any, **options: Any) -> Any:
        return self._guard.run(lambda: method(self, *args, **options), judges=True)

    run.__name__, run.__doc__ = method.__name__, method.__doc__
    return run  # type: ignore[return-value]


def masked(text: str) -> str:
    """Return a text with its secrets masked, for messages that quote a caller's arguments."""
    from varves.events.redact import scrub

    return scrub(text)[0]


def masked_error(fault: VarvesError) -> VarvesError:
    """Return an error whose message quotes no secret."""
    fault.message, fault.hint = masked(fault.message), masked(fault.hint)
    fault.args = (fault.message,)
    return fault

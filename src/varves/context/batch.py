"""Many statements at once: decided line by line, written in groups."""

from __future__ import annotations

from varves.errors import Damaged, NotFound, Refused, UsageError, VarvesError
from varves.values.answers import RefusedLine
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from varves.commands.port import Act, Decision
    from varves.commands.remember import Remember
    from varves.context.engine import Engine
    from varves.events.event import Event
    from varves.log.files.writers import Writers

    class Recorder(Protocol):
        """What a batch asks of the writing side."""

        engine: Engine
        writers: Writers

        def clean(self, content: Any, *, allow_secret: bool) -> tuple[Any, tuple[str, ...]]:
            """Mask secrets."""
            ...

        def decide_line(self, command: Remember, act: Act) -> Decision:
            """Decide one line, seeing the lines before it."""
            ...

        def append(self, decision: Decision) -> tuple[Decision, list[Event]]:
            """Make a decision's drafts durable."""
            ...


class Batch:
    """A batch being written: lines wait in groups, by log, for one shared sync."""

    GROUP = 256  # lines that share one sync

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._waiting: dict[str, list[Decision]] = {}
        self.written = 0
        self.known = 0
        self.safe = 0
        self.refused: list[RefusedLine] = []

    def take(self, number: int, given: tuple[Remember, Act] | VarvesError) -> None:
        """Decide one line and let it wait for its group."""
        try:
            if isinstance(given, VarvesError):
                raise given
            if given[0].given_id:
                self._take_named(*given)
            else:
                self._wait(self._recorder.decide_line(*given))
        except (UsageError, Refused, NotFound) as fault:
            said, _ = self._recorder.clean(fault.message, allow_secret=False)
            self.refused.append(RefusedLine(line=number, code=fault.code, message=said))
        except OSError as fault:
            done = f"cannot use {fault.filename or 'the log'}: {fault.strerror or fault}"
            raise Damaged(
                f"{done} (after {counted(self.safe, 'line')})", "check the folder"
            ) from None

    def _take_named(self, command: Remember, act: Act) -> None:
        """Look an id up among everything durable and append, in one step."""
        self.flush()
        self._recorder.engine.begin(command.log)
        with self._recorder.writers.deciding(command.log):
            self._wait(self._recorder.decide_line(command, act))
            self.flush()

    def _wait(self, decision: Decision) -> None:
        """Count a decision and let it wait for its group."""
        if decision.status == "known":
            self.known += 1
        else:
            self.written += 1
        group = self._waiting.setdefault(decision.log, [])
        group.append(decision)
        if len(group) >= self.GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what waits; after a failure nothing of the group was acknowledged."""
        for group in self._waiting.values():
            drafts = tuple(draft for decision in group for draft in decision.drafts)
            try:
                self._recorder.append(group[0].replace(drafts=drafts))
            except Damaged as fault:
                done = f"{fault.message} (after {counted(self.safe, 'line')})"
                raise type(fault)(done, fault.hint) from None
            self.safe += len(group)
        self._waiting.clear()

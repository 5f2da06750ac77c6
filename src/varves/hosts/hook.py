"""Runs `varves hook`: reads a coding agent's JSON, answers in the agent's format, never fails.

Exit code 2 would block the user's prompt, and any additional line on stdout would reach the model.
So the exit code is always 0, and stdout contains one complete answer or nothing.
"""

from __future__ import annotations

import sys

from varves.errors import Busy, UsageError
from varves.hosts.answers import answer
from varves.hosts.clients import CLIENTS
from varves.hosts.failures import HookLog, is_plain, watch
from varves.hosts.signals import parse, signal_of
from varves.streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from varves import Ledger
    from varves.sessions.attendance import Attending
    from varves.values.signals import SessionMessage, Signal

LIMITS = {
    "start": 9.0,
    "prompt": 5.0,
    "tool": 3.0,
    "stop": 20.0,
    "compact": 9.0,
    "end": 0.6,  # Codex allows a hook one second in all, Claude Code one and a half
    "other": 2.0,
}
CATCHING_UP = 5000  # the milliseconds at a session's start for reading the rest of earlier sessions
# after this many milliseconds at a turn's end, the rest of a long turn is left for later
LISTENING = 6000
# a hook updates the index itself if at most this many bytes of the logs are not in it
BEHIND = 8 << 20
LARGEST = 8 << 20  # the most bytes on stdin; parsed objects may take twenty times as much memory
COMPARED = 500  # if so many memories wait for comparison, a process of its own compares them
_AGAIN = {"fork": "resume", "new": "startup"}


class HookCall:
    """The arguments of a hook; unknown arguments are ignored."""

    def __init__(self, words: Sequence[str], *, alone: bool = False) -> None:
        self.alone = alone
        self.event: str | None = None
        self.given: dict[str, str] = {}
        rest = [*words][::-1]
        while rest:
            word = rest.pop()
            name, equals, value = word.partition("=")
            if name in ("--client", "--root", "--session", "--actor"):
                self.given[name] = value if equals or not rest else rest.pop()
            elif word[:1] != "-" and self.event is None:
                self.event = word

    @property
    def limit(self) -> float:
        """The time limit in seconds."""
        for client in CLIENTS.values():
            if self.event in client.moments:
                return LIMITS[client.moments[self.event]]
        return max(LIMITS.values())


def run(words: Sequence[str], *, alone: bool = False) -> int:
    """Answer one call of a hook.

    Args:
        words: the arguments after `varves hook`.
        alone: the process has no other task and may be ended at the time limit.
    """
    call = HookCall(words, alone=alone)
    log = HookLog(f"hook {call.event or ''}".rstrip())
    late = f"took longer than {call.limit:g} s"
    in_time = watch(call.limit, lambda: log.line(late)) if alone else None
    try:
        text = _answered(call, log)
        if text:
            say(text, encoding="utf-8")
    except BaseException as fault:  # noqa: BLE001 - fail open: no fault of ours stops an agent
        log.fault(fault)
    if in_time is not None:
        in_time()
    return 0


def _answered(call: HookCall, log: HookLog) -> str:
    from varves import settings

    sent = parse(_stdin())
    signal = signal_of(
        sent,
        event=call.event,
        client=call.given.get("--client"),
        hints=settings.host_hints(),
    )
    log.called = f"hook {signal.event} of {signal.client}"
    log.folder, log.root = signal.folder, call.given.get("--root")
    if signal.moment == "other":
        return ""
    root = log.root or settings.hook_places(log.folder)[0]
    if root is None:
        raise UsageError(f"no folder {log.folder!a}", "hooks run in the session's folder")
    client = CLIENTS[signal.client]
    if signal.moment not in ("tool", "end") and _is_being_made(root):
        raise Busy("the index is being built", "try again in a moment")
    with _open(root, signal) as ledger:
        for note in ledger.notes:  # an invalid settings file does not stop a hook
            log.line(note)
        attending = ledger.attend(
            signal.client, signal.session, agent=signal.agent, most_behind=BEHIND
        )
        try:
            text = _MOMENTS[signal.moment](attending, signal, sent)
        except Busy:
            _see_to_index(root, alone=call.alone)
            raise
        for fault in attending.faults:
            log.line(fault)
        if signal.moment in ("start", "end") and signal.agent is None:
            ledger.sync_in_background()
        if signal.moment == "start" and call.alone and attending.attends:
            attending.try_to(lambda: ledger.compare_in_background(least=COMPARED))
        if signal.moment == "start" and "start" in client.told:
            text = "\n\n".join(filter(None, [text, attending.uncompared(), *_for_the_user(ledger)]))
        return answer(client, text, event=signal.event, moment=signal.moment)


def _for_the_user(ledger: Ledger) -> Iterator[str]:
    """Yield lines for the user: settings that have no effect, protocols that are not set up.

    Values are not quoted, because they may be hostile.
    """
    if kinds := _kinds(ledger.waiting_settings):
        yield (
            f"varves: settings of this project ({kinds}) have no effect until the user has"
            " looked at them (varves status) and agreed (varves trust --settings)."
        )
    if kinds := _kinds(ledger.invalid):
        yield (
            f"varves: settings of this project ({kinds}) are invalid and have no effect;"
            " varves status explains why."
        )
    if names := ledger.undriven:
        asks = " ".join(f"--protocol {name}" for name in names)
        yield (
            f"varves: hooks record privately here; varves init {asks} lets them use"
            f" the project's {' and '.join(names)} memory."
        )


def _kinds(settings: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(dict.fromkeys(key.partition(".")[0] for key, _ in settings))


def _open(root: str, signal: Signal) -> Ledger:
    from varves.ledger import open_for_hook

    return open_for_hook(root, actor=signal.client, session=signal.session)


def _is_being_made(root: str) -> bool:
    from os.path import lexists

    if not lexists(f"{root}/.varves/local/index.making"):
        return False
    from varves.hosts.index_maker import is_under_way

    return is_under_way(root)


def _see_to_index(root: str, *, alone: bool) -> None:
    """Start building the index, if the hook could not answer because there is no index."""
    if alone and is_plain(f"{root}/.varves") and is_plain(f"{root}/.varves/local"):
        from varves.hosts.index_maker import begin

        begin(root)


def _stdin() -> bytes:
    if sys.stdin is None:
        raise UsageError("stdin is closed", "a coding agent must call this verb")
    content: bytes = sys.stdin.buffer.read(LARGEST + 1)
    if len(content) > LARGEST:
        while sys.stdin.buffer.read(1 << 20):
            pass  # read the rest, so that the program that writes does not get a broken pipe
        raise UsageError(f"stdin is larger than {LARGEST >> 20} MiB", "nothing was read")
    return content


# The moments


def _start(attending: Attending, signal: Signal, _: Any) -> str:
    if signal.agent is None:
        from varves.hosts.turn import catch_up

        attending.try_to(lambda: catch_up(attending, limit=CATCHING_UP))
    if signal.transcript:
        attending.follow(signal.transcript)
    source = _AGAIN.get(signal.source, signal.source) or "startup"
    return attending.start(source, heard="start" in CLIENTS[signal.client].told)


def _prompt(attending: Attending, signal: Signal, _: Any) -> str:
    if signal.transcript:
        attending.follow(signal.transcript)
    client = CLIENTS[signal.client]
    if "prompt" in client.told:
        return attending.prompt(signal.prompt)
    if not client.transcribed and signal.prompt:
        attending.learn([_said(signal.prompt)])
    return ""


def _said(prompt: str) -> SessionMessage:
    from varves.values.signals import SessionMessage

    return SessionMessage(role="user", text=prompt)


def _tool(attending: Attending, signal: Signal, _: Any) -> str:
    if signal.message is not None:
        attending.tool(signal.message)
    return ""


def _stop(attending: Attending, signal: Signal, sent: dict[str, Any]) -> str:
    from varves.hosts.turn import heard

    for turn in heard(attending, signal, sent, limit=LISTENING):
        attending.learn(
            turn.messages,
            transcript=turn.transcript,
            offset=turn.offset,
            turn_start=turn.start,
            in_time=turn.in_time,
        )
    return ""


def _compact(attending: Attending, signal: Signal, sent: dict[str, Any]) -> str:
    """Learn from the turn so far, and store a checkpoint.

    At the end of the turn, the whole turn is read again. A statement that is found again is not
    recorded again.
    """
    client = CLIENTS[signal.client]
    if client.compacts_unasked and signal.source != "manual":
        return attending.checkpoint(heard="compact" in client.told)
    from functools import partial

    from varves.hosts.turn import heard

    asked = ""
    for turn in heard(attending, signal, sent, limit=LISTENING // 2):
        learn = partial(
            attending.learn,
            turn.messages,
            turn_start=turn.start,
            goes_on=True,
            in_time=turn.in_time,
        )
        attending.try_to(learn)
        asked = attending.task(turn.messages[turn.start :]) or asked
    text = attending.checkpoint(asked, heard="compact" in client.told)
    attending.compacted()
    return text


def _end(attending: Attending, signal: Signal, _: Any) -> str:
    attending.end(signal.source)
    return ""


_MOMENTS = {
    "start": _start,
    "prompt": _prompt,
    "tool": _tool,
    "stop": _stop,
    "compact": _compact,
    "end": _end,
}

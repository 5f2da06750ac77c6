"""Runs one verb and prints one answer. Turns every error into one line and an exit code."""

from __future__ import annotations

import sys

from varves.cli.arguments import asks_for_json, read
from varves.cli.render import Answer, document, painted, safe
from varves.cli.table import shape_of
from varves.errors import VarvesError
from varves.streams import say, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from varves import Ledger
    from varves.cli.arguments import Given

_INTERRUPTED = 130
_OPENING = ("root", "actor", "session", "mode")


def run(argv: Sequence[str], *, name: str = "") -> int:
    """Run one verb and return the exit code.

    Args:
        argv: the arguments.
        name: the command that the user called, if it is not `varves`.
    """
    try:
        return _attempt(argv, name)
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED


def _attempt(argv: Sequence[str], name: str) -> int:
    try:
        if not argv:
            from varves.cli.greeting import greeting

            _print(Answer(document=None, lines=greeting()), as_json=False, colored=False)
            return 0
        return _run(read(argv), name)
    except VarvesError as error:
        if name and error.code == "usage":
            verb = " ".join(argv[:2])
            error = type(error)(
                *(_called(part, verb, name) for part in (error.message, error.hint))
            )
        return _report(error, argv)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the outermost handler
        return _report(_internal(error), argv)


def _called(text: str, verb: str, name: str) -> str:
    """Return a text with the verb's name replaced by the command that the user typed."""
    return text.replace(f"varves {verb}", name).replace(verb, name) if name else text


def _run(given: Given, name: str) -> int:
    """Print a help page or the version, or run a verb."""
    as_json = "json" in given.shared
    if "help" in given.shared:
        from varves.cli.help import page

        text = _called(page(given.verb), given.verb, name)
        answer = Answer(document={"help": text}, lines=text.split("\n"))
    elif "version" in given.shared:
        answer = _version()
    elif given.verb == "hook":
        from varves.cli.hook import hook

        named = {**given.shared, **given.own}
        pairs = [f"--{name}={named[name]}" for name in ("client", "root") if name in named]
        return hook([*pairs, *([named["event"]] if "event" in named else [])])
    elif given.verb == "merge-file":  # this verb reads nothing but its files
        settle: Callable[[Given], Answer] = shape_of("merge-file").function()
        answer = settle(given)
    elif given.verb in ("mcp", "ui"):  # these verbs open ledgers themselves
        serve: Callable[[Given], int] = shape_of(given.verb).function()
        return serve(given)
    else:
        with _open(given) as ledger:
            answer = _ask(ledger, given)
            _print(answer, as_json=as_json, colored=_colored(given))
            _remark(answer.notes if as_json else (*answer.remarks, *answer.notes))
            _remark(_together(note for note in ledger.notes if note not in answer.told))
            return answer.exit
    _print(answer, as_json=as_json, colored=False)
    return answer.exit


def _ask(ledger: Ledger, given: Given) -> Answer:
    verb: Callable[[Ledger, Given], Answer] = shape_of(given.verb).function()
    if "as_of" not in given.own and "dense" not in given.own:
        return verb(ledger, given)
    from varves.cli.progress import Progress

    with Progress("embedding" if "dense" in given.own else "replaying") as progress:
        ledger.progress = progress
        return verb(ledger, given)


def _open(given: Given) -> Ledger:
    import varves

    named = {name: given.shared[name] for name in _OPENING if name in given.shared}
    return varves.open(**named)


def _version() -> Answer:
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("varves")
    except PackageNotFoundError:
        number = "unknown"
    return Answer(document={"version": number}, lines=[f"varves {number}"])


def _print(answer: Answer, *, as_json: bool, colored: bool) -> None:
    """Write an answer to stdout in one write; a stream is written line by line as it arrives."""
    lines: Iterator[str]
    if as_json:
        parts = answer.document if answer.stream else (answer.document,)
        lines = (f"{document(part)}\n" for part in parts)
    else:
        lines = (f"{painted(line, colored=colored)}\n" for line in answer.lines)
    for text in lines if answer.stream else ("".join(lines),):
        _say(text)


def _together(notes: Iterable[str]) -> list[str]:
    """Return the notes, with all notes about the settings file joined into one."""
    found: dict[str, str] = {}
    for note in notes:
        from varves.values.written import PATH

        said = note.removeprefix(f"{PATH}: ")
        key = note if said == note else PATH
        found[key] = f"{found[key]}; {said}" if key in found else note
    return list(found.values())


def _remark(lines: Sequence[str]) -> None:
    """Write notes about an answer to stderr."""
    tell("".join(f"varves: {safe(line)}\n" for line in lines))


def _say(text: str) -> None:
    try:
        say(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = f"the answer could not be written: {error.strerror}"
        raise _edge("output", reason, "what was recorded is kept") from None


def _colored(given: Given) -> bool:
    wish = given.shared.get("color", "auto")
    if wish != "auto":
        return bool(wish == "always")
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    from varves import settings

    return not settings.no_color()


def reported(error: VarvesError) -> str:
    """Return an error as JSON, with secrets masked."""
    from varves.context.guard import masked

    message, hint = masked(error.message), masked(error.hint)
    return document({"error": {"code": error.code, "message": message, "hint": hint}})


def _report(error: VarvesError, argv: Sequence[str]) -> int:
    """Print an error on one line, with secrets masked; return the exit code."""
    from varves.context.guard import masked

    message, hint = masked(error.message), masked(error.hint)
    if asks_for_json(argv):
        try:
            say(f"{reported(error)}\n")
            return error.exit
        except BrokenPipeError:
            raise
        except OSError:
            pass  # stdout is full; stderr may not be
    _remark([f"{message}; {hint}" if hint else message])
    return error.exit


def _internal(error: Exception) -> VarvesError:
    """Return an error for an unexpected exception.

    The traceback is printed only if VARVES_DEBUG is set.
    """
    from varves import settings

    if settings.debug():
        from traceback import format_exception

        tell("".join(format_exception(error)))
    reason = f"internal error: {type(error).__name__}: {error}"
    return _edge("internal", reason, "set VARVES_DEBUG=1 to see the traceback")


def _edge(code: str, message: str, hint: str) -> VarvesError:
    error = VarvesError(message, hint)
    error.code, error.exit = code, 5
    return error

"""`remember --batch`: reads JSON Lines and records each line as one memory, independently."""

from __future__ import annotations

from varves.cli.progress import Progress
from varves.cli.render import Answer, line_conflicts
from varves.errors import UsageError, VarvesError
from varves.values.memory import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

    from varves import Ledger
    from varves.cli.render import Line

KEYS = {"private", *(name for name, row in FIELDS.items() if row.given)} - {"turn"}
_BESIDES = {"batch", "again", "allow_secret"}
LONGEST = 64 << 20  # in bytes: a text of 8 MiB in which every character is escaped


def remember_lines(ledger: Ledger, own: dict[str, Any]) -> Answer:
    """Record every line of a file, and report the refused lines."""
    for name in own:
        if name not in _BESIDES:
            raise UsageError(
                f"--batch cannot be combined with --{name}", "give it in each line instead"
            )
    path = own.pop("batch")
    numbers: list[int] = []
    source = _open(path)
    try:
        with Progress("lines") as progress:
            done = ledger.remember_many(_memories(source, numbers), progress=progress, **own)
    finally:
        if path != "-":
            source.close()
    refused = [
        {"line": numbers[one.line - 1], "code": one.code, "message": one.message}
        for one in done.refused
    ]
    lines: list[Line] = [f"{done.written} written, {done.known} known, {len(refused)} refused"]
    lines += [f"line {one['line']}  {one['code']}  {one['message']}" for one in refused]
    found, said = line_conflicts(done, lambda line: numbers[line - 1])
    lines += said
    document = {
        "written": done.written,
        "known": done.known,
        "refused": refused,
        "conflicts": found,
        "more": done.more,
    }
    return Answer(document=document, lines=lines, exit=3 if refused else 0)


def _open(path: str) -> BinaryIO:
    if path == "-":
        import sys

        return sys.stdin.buffer
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot read {path}: {reason}", "give the path of a JSON Lines file"
        ) from None


def _memories(source: BinaryIO, numbers: list[int]) -> Iterator[dict[str, Any] | VarvesError]:
    """Yield a memory, or the error to report, for each line that is not blank.

    The number of the line is appended to `numbers`.
    """
    for number, line in enumerate(_lines(source), 1):
        if not line.strip():
            continue
        numbers.append(number)
        if len(line) > LONGEST:
            yield UsageError("the line is longer than a memory may be")
            continue
        try:
            yield parsed(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
        except UsageError as error:
            yield error


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a source; a line that is too long is cut just above the limit."""
    while line := source.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = source.readline(LONGEST + 1)


def parsed(line: bytes) -> dict[str, Any]:
    """Return the memory in a line.

    Raises:
        UsageError: The line is not a JSON object, or has an unknown key.
    """
    from json import loads

    try:
        memory = loads(line.decode(), object_pairs_hook=_pairs, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise UsageError("not valid UTF-8") from None
    except RecursionError:
        raise UsageError("nested too deep") from None
    except ValueError as error:
        raise UsageError(f"not JSON: {error}") from None
    if not isinstance(memory, dict):
        raise UsageError("not a JSON object")
    unknown = sorted(memory.keys() - KEYS)
    if unknown:
        raise UsageError(f"unknown key {', '.join(unknown)}")
    if "text" not in memory:
        raise UsageError("no text")
    return memory


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    memory = dict(pairs)
    if len(memory) != len(pairs):
        raise UsageError("a key appears twice")
    return memory


def _no_number(word: str) -> None:
    raise UsageError(f"{word} is not a number")

"""Damage done to a log in every way bytes go wrong, and what reading and `verify` make of it.

All in memory: a log is a few files of bytes, one of them is hurt, and the real `verify` reads the
whole. Each mutation knows which lines it touched. What must hold: it is noticed; every line it did
not touch is read as before; nothing is read that was never written.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import varves
from tests.durability.scene import bare, move_head
from varves.events.bulk import decode_quickly
from varves.log.files.segments import read_lines
from varves.log.files.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.places.port import Stat
    from varves.values.answers import Verification

PACK = ".pack.jsonl"
MUSEUM = Path(__file__).parents[1] / "museum" / "whole"
Spoilt = tuple[bytes, set[int]]  # what is left of a file, and the lines that were touched


class Held:
    """A log store that is nothing but bytes by name, to read from."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.months = sorted({name.split("/")[1] for name in files if name.endswith(".jsonl")})

    def stat(self, name: str) -> Any:
        return (1, 1, 1)

    def entries(self, name: str) -> list[tuple[str, bool, Stat]]:
        if name == "log":
            return [(month, True, (0, 0, 0)) for month in self.months]
        return [
            (path[len(name) + 1 :], False, (len(content), 0, 0))
            for path, content in self.files.items()
            if path.startswith(f"{name}/")
        ]

    def read(self, name: str) -> bytes:
        try:
            return self.files[name]
        except KeyError:
            raise FileNotFoundError(name) from None


def files_of(ledger: Path) -> dict[str, bytes]:
    """Read a ledger's log into memory."""
    paths = [path for path in sorted((ledger / "log").rglob("*")) if path.is_file()]
    return {path.relative_to(ledger).as_posix(): path.read_bytes() for path in paths}


def written(chance: random.Random) -> dict[str, bytes]:
    """Let two clones write a log of several segments each, the last of each still open."""
    place = Path(tempfile.mkdtemp(prefix="varves-mutations-"))
    try:
        files: dict[str, bytes] = {}
        for clone in ("ada", "bob"):
            root = bare(place / clone)
            with varves.open(root, home=place / f"{clone}-home", actor=clone) as ledger:
                for part in range(3):
                    move_head(root, part)
                    for number in range(chance.randrange(2, 7)):
                        text = "stone upon stone " * chance.choice((1, 2, 9))
                        ledger.remember(f"{clone} {part} {number} {text}\u00e9\n")
            files |= files_of(root / ".varves")
        return files
    finally:
        shutil.rmtree(place)


class Log:
    """A whole log, the lines of each file, and which of its files nobody has closed yet."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.whole = look(files)
        assert self.whole.ok, self.whole.damage
        self.names = [name for name in files if name.endswith(".jsonl")]
        content = b"".join(files.values())
        self.open = {
            name
            for name in self.names
            if not name.endswith(PACK) and f'"segment":"{name}"'.encode() not in content
        }
        self.lines = {name: files[name].split(b"\n")[:-1] for name in self.names}
        self.known = {line for lines in self.lines.values() for line in lines}


def look(files: dict[str, bytes]) -> Verification:
    """Ask `verify` about files in memory."""
    return verify(Held(files), "project", deep=True)  # type: ignore[arg-type]


# The ways. Each takes the lines of a file and gives its bytes back, spoilt.


def _joined(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _touching(lines: list[bytes], start: int, stop: int) -> set[int]:
    """Return the lines that the bytes from `start` to before `stop` belong to, newlines too.

    A lost newline joins a line with the next one, so both are touched.
    """
    touched, at = set(), 0
    for number, line in enumerate(lines):
        end = at + len(line) + 1
        if start < end and at < stop:
            touched.add(number)
            if start <= end - 1 < stop:
                touched.add(number + 1)
        at = end
    return touched


def flip(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Turn one bit."""
    content = bytearray(_joined(lines))
    place = chance.randrange(len(content))
    content[place] ^= 1 << chance.randrange(8)
    return bytes(content), _touching(lines, place, place + 1)


def flips(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Turn some bits here and there."""
    content, touched = bytearray(_joined(lines)), set()
    for _ in range(chance.randrange(2, 9)):
        place = chance.randrange(len(content))
        content[place] ^= 1 << chance.randrange(8)
        touched |= _touching(lines, place, place + 1)
    return bytes(content), touched


def _over(lines: list[bytes], chance: random.Random, fill: Callable[[int], bytes]) -> Spoilt:
    content = _joined(lines)
    start = chance.randrange(len(content))
    size = min(len(content) - start, int(4096 ** chance.random()))
    return content[:start] + fill(size) + content[start + size :], _touching(
        lines, start, start + size
    )


def zeros(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Lose a stretch to zeros, as a bad sector does."""
    return _over(lines, chance, bytes)


def noise(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Lose a stretch to other bytes."""
    return _over(lines, chance, chance.randbytes)


def hole(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Lose a stretch, the rest moving up."""
    return _over(lines, chance, lambda size: b"")


def put_in(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Get bytes that were never written."""
    content = _joined(lines)
    place = chance.randrange(len(content))
    extra = chance.choice((b"\n", b"{}\n", b"\0", chance.randbytes(chance.randrange(1, 40))))
    return content[:place] + extra + content[place:], _touching(lines, place, place + 1)


def cut(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Lose everything after some byte."""
    content = _joined(lines)
    place = chance.randrange(len(content))
    return content[:place], _touching(lines, place, len(content))


def cut_lines(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Lose the last lines, whole."""
    keep = chance.randrange(len(lines))
    return _joined(lines[:keep]), set(range(keep, len(lines)))


def drop(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Lose one line."""
    gone = chance.randrange(len(lines))
    return _joined(lines[:gone] + lines[gone + 1 :]), {gone}


def swap(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Let two lines change places."""
    one, other = sorted(chance.sample(range(len(lines)), 2)) if len(lines) > 1 else (0, 0)
    moved = list(lines)
    moved[one], moved[other] = moved[other], moved[one]
    return _joined(moved), {one, other}


def double(lines: list[bytes], chance: random.Random) -> Spoilt:
    """Let a line stand twice, the second time anywhere."""
    which, where = chance.randrange(len(lines)), chance.randrange(len(lines) + 1)
    return _joined([*lines[:where], lines[which], *lines[where:]]), {which}


WAYS = (flip, flips, zeros, noise, hole, put_in, cut, cut_lines, drop, swap, double)
Detector = "Callable[[Log, dict[str, bytes]], bool]"


def noticed(log: Log, files: dict[str, bytes]) -> bool:
    """Tell whether `verify` says more of a log than it said when it was whole."""
    found = look(files)
    return bool(found.damage) or len(found.gaps) > len(log.whole.gaps)


class Sweep:
    """Mutations one after another, counted by way and by what became of them."""

    def __init__(self, seed: int, detect: Callable[[Log, dict[str, bytes]], bool] = noticed):
        self.chance = random.Random(seed)
        self.detect = detect
        self.found: Counter[str] = Counter()
        self.ways: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.logs = [Log(files_of(MUSEUM)), *(Log(written(self.chance)) for _ in range(3))]

    def go(self, mutations: int) -> None:
        """Spoil so many times."""
        while self.found["mutations"] < mutations:
            log = self.chance.choice(self.logs)
            self.spoil(log, self.chance.choice(log.names), self.chance.choice(WAYS))

    def spoil(self, log: Log, name: str, way: Callable[..., Spoilt]) -> None:
        """Hurt one file in one way and look at the log."""
        lines = log.lines[name]
        content, touched = way(lines, self.chance)
        if content == log.files[name]:
            return
        self.found["mutations"] += 1
        self.ways[way.__name__] += 1
        self._read(log, name, content, touched)
        if self.detect(log, {**log.files, name: content}):
            self.found["detected"] += 1
        elif name in log.open and is_prefix(content, lines):
            self.found["unprovable"] += 1
        elif name.endswith(PACK) and touched <= {0, 1} and content.endswith(_joined(lines[1:])):
            self.found["pack_names"] += 1
        else:
            self.found["missed"] += 1
            self.wrong.append(f"{way.__name__} in {name}, lines {sorted(touched)[:5]}")

    def _read(self, log: Log, name: str, content: bytes, touched: set[int]) -> None:
        """Check that the untouched lines are read and nothing else than what was written."""
        read = {line for _, line in read_lines(name, content, "", read=decode_quickly).events}
        lines = log.lines[name]
        first = 1 if name.endswith(PACK) else 0
        rest = {line for n, line in enumerate(lines) if n >= first and n not in touched}
        apart = {line for n, line in enumerate(lines) if n >= first and n in touched} - read
        self.found["lines_set_apart"] += len(apart)
        if rest - read:
            self.found["untouched_lost"] += len(rest - read)
            self.wrong.append(f"{name}: {len(rest - read)} untouched lines unread")
        if read - log.known:
            self.found["forged"] += len(read - log.known)
            self.wrong.append(f"{name}: reads what was never written")


def is_prefix(content: bytes, lines: list[bytes]) -> bool:
    """Tell whether a file holds its first lines and then nothing whole: as if never written on."""
    *whole, _ = content.split(b"\n")
    return whole == lines[: len(whole)] and len(whole) < len(lines)

"""The purges this clone wrote, kept where no branch, reset or checkout takes them away.

A commit from before a purge holds the text and not the line that bars it. So that line is kept a
second time, beside git's own files, and read as one more source of the project's log. It says which
memory is barred and why, and nothing of what that said.

Of what purged memories said only digests are kept, under a secret that never leaves this clone: a
text that a file brings back can be recognised by them, and none can be read from them.
"""

from __future__ import annotations

from varves.events.kinds import PURGED
from varves.events.remnants import purges
from varves.log.files.layout import KEPT_PURGES, KNOWN_TEXTS
from varves.log.files.segments import read_lines
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from varves.log.files.port import LogStore
    from varves.log.files.spool import Spool
    from varves.values.ids import IdSource

_LOCK = "purges.lock"
_SECRET = 32  # bytes
_DIGEST = 16
_BARRING = f'"kind":"{PURGED}"'.encode("ascii")


class KeptPurges:
    """One file of lines, each of them whole in a log somewhere too."""

    def __init__(self, place: LogStore) -> None:
        self.place = place

    def lines(self) -> list[bytes]:
        """Return the lines that are kept."""
        try:
            return self.place.read(KEPT_PURGES).splitlines()
        except FileNotFoundError:
            return []

    def add(self, lines: Iterable[bytes]) -> None:
        """Keep some lines more, each once.

        Of two processes at the same moment one waits; where locks do not hold, a line that is lost
        so is found again in the spool.
        """
        wanted = list(lines)
        if set(wanted) <= set(self.lines()):
            return
        lock = _locked(self.place)
        try:
            content = dict.fromkeys([*self.lines(), *wanted])
            self.place.replace(KEPT_PURGES, b"".join(line + b"\n" for line in content))
        finally:
            if lock is not None:
                self.place.close(lock)


class Texts:
    """One file: a secret, then a digest of each text that was purged here."""

    def __init__(self, place: LogStore) -> None:
        self.place = place
        self._lines: list[bytes] | None = None

    def add(self, texts: Iterable[str], ids: IdSource) -> None:
        """Learn to recognise some texts; the secret is drawn with the first."""
        wanted = [text for text in texts if fold(text)]
        if all(map(self.knows, wanted)):
            return
        lock = _locked(self.place)
        try:
            self._lines = self._read() or [ids.entropy(_SECRET).hex().encode("ascii")]
            lines = dict.fromkeys([*self._lines, *map(self._digest, wanted)])
            self.place.replace(KNOWN_TEXTS, b"".join(line + b"\n" for line in lines))
            self._lines = list(lines)
        finally:
            if lock is not None:
                self.place.close(lock)

    def knows(self, text: str) -> bool:
        """Tell whether a text was purged here, however it is spaced, capitalised or ended."""
        if self._lines is None:
            self._lines = self._read()
        return bool(self._lines) and self._digest(text) in self._lines[1:]

    def _read(self) -> list[bytes]:
        try:
            return self.place.read(KNOWN_TEXTS).splitlines()
        except FileNotFoundError:
            return []

    def _digest(self, text: str) -> bytes:
        from hashlib import blake2b

        said = fold(text).encode("utf-8", "surrogatepass")
        secret = (self._lines or [b""])[0]
        return blake2b(said, key=secret, digest_size=_DIGEST).hexdigest().encode("ascii")


def _locked(place: LogStore) -> int | None:
    from time import sleep

    for _ in range(1000):
        try:
            handle = place.lock(_LOCK)
        except OSError:
            return None
        if handle is not None:
            return handle
        sleep(0.005)
    return None


def spooled_purges(spool: Spool, clones: Collection[str]) -> list[bytes]:
    """Return the lines by which these clones purged and that the spool holds.

    Anybody can commit a line in our name; only what we wrote ourselves is in the spool.
    """
    found = []
    for name in spool.names():
        content = spool.read(name) or b""
        if _BARRING in content:
            found += [
                line
                for event, line in read_lines(name, content, "project").events
                if purges(event) and event.writer.partition(".")[0] in clones
            ]
    return found

"""Every log keeps the same laws: in files, in files that git tracks, and in memory."""

from __future__ import annotations

import subprocess

import pytest

from varves.context.logs import Logs
from varves.log.files.append import Appender
from varves.log.files.log import FileLog
from varves.log.memory import MemoryChanges, MemoryFollower, MemoryLog
from varves.places.places import Places
from varves.places.store import Files
from varves.testing.log import LAWS, LogLaws, MarkReader
from varves.values.ids import IdSource
from varves.values.instants import FixedClock, Hlc

CLOCK = FixedClock(1_763_251_200_000)


class TestMemory(LogLaws):
    kind = MemoryLog

    def open_log(self):
        return self.kind("project", CLOCK, IdSource())

    def open_again(self, log):
        return self.kind("project", CLOCK, IdSource(), chains=log.chains)


class TestFiles(LogLaws):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path):
        self.root = str(tmp_path / "log")
        self.opened = []
        yield
        for appender in self.opened:
            appender.close()

    def open_log(self):
        store = Files(self.root, private=True)
        appender = Appender(store, "global", clone="c" * 10, hlc=Hlc(CLOCK), ids=IdSource())
        self.opened.append(appender)
        return FileLog("global", store, appender=lambda: appender)

    def open_again(self, log):
        return self.open_log()


class TestFilesInGit(LogLaws):
    """With a spool beside git's own files; what HEAD and git's index say is looked at."""

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path):
        self.root, self.home = tmp_path / "project", tmp_path / "home"
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.opened = []
        yield
        for logs in self.opened:
            logs.close()

    def open_log(self):
        places = Places(str(self.root), str(self.home), teams={}, files=Files)
        places.make()
        logs = Logs(places, CLOCK, IdSource())
        self.opened.append(logs)
        return logs.log("project")

    def open_again(self, log):
        return self.open_log()


class Calm(MemoryLog):
    def is_unchanged(self, known):
        return True


class Restless(MemoryLog):
    def is_unchanged(self, known):
        return False


class Changed(MemoryChanges):
    """Tells of other parts than those that changed."""

    def __init__(self, held, known, parts):
        super().__init__(held, known)
        self._parts = parts


class Repeating(MemoryLog):
    """Reads what it was told to read on as if it were new."""

    def since(self, known):
        told = MemoryChanges(self.chains, known)
        parts = [part.replace(events=self.part(part.name)) for part in told if not part.gone]
        return Changed(self.chains, known, parts)


class Quiet(MemoryLog):
    """Does not say that what was read no longer counts."""

    def since(self, known):
        told = MemoryChanges(self.chains, known)
        return Changed(self.chains, known, [part.replace(fresh=False) for part in told])


class Alone(MemoryLog):
    """Keeps blobs to itself, and for ever."""

    def _put_blob(self, content):
        self.own = super()._put_blob(content)
        self.kept = {self.own["sha256"]: content}
        del self.chains.blobs[self.own["sha256"]]
        return self.own

    def blob(self, digest):
        return getattr(self, "kept", {}).get(digest)


class Late(MemoryLog):
    """Tells of copies when the lines are gone already."""

    def erase(self, barred, first=None):
        return super().erase(barred)


class Deaf(MemoryLog):
    def append(self, drafts, heads=lambda *_: ()):
        return super().append(drafts)


class Blind(MemoryLog):
    """Follows what it has read before, too."""

    def follow(self, known):
        return MemoryFollower(self.chains, MarkReader())


@pytest.mark.parametrize(
    "broken",
    [Calm, Restless, Repeating, Quiet, Alone, Late, Deaf, Blind],
    ids=lambda kind: kind.__name__,
)
def test_a_broken_log_is_found(broken, monkeypatch):
    monkeypatch.setattr("varves.testing.log.LOOKS", 3)

    class Tried(TestMemory):
        kind = broken

    found = []
    for law in LAWS:
        try:
            getattr(Tried(), law)()
        except AssertionError as fault:
            found.append(str(fault))
    assert found


def test_the_laws_say_what_is_wrong():
    class Tried(TestMemory):
        kind = Calm

    with pytest.raises(AssertionError, match="a log that has grown reports it"):
        Tried().test_what_is_appended_is_read_in_order_and_once()

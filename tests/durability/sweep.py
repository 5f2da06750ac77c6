"""The kill sweep: writers that die at any moment, and a check that nothing they were told is lost.

Run as a program. Each kill point is a forked writer that uses a real ledger, sends what the ledger
acknowledged through a pipe, and is killed after a random short time. Each writer notes in shared
memory what it is about to do, so that afterwards we know where the kill landed.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import varves
from tests.durability.reader import read_log
from tests.durability.scene import move_head, set_aside
from varves.context import context
from varves.index import work
from varves.log.files import append
from varves.places.store import Files

PHASES = ("other", "encode", "write", "between", "sync", "note", "index", "rename")
CLASSES = PHASES[1:]
STYLES = (*CLASSES, "plain", "split")
WRITERS = 8
POINTS_PER_PROJECT = 50
LIFE = 0.02  # seconds from the first news to the kill, at the most
LINGER = 0.006  # seconds a writer stays where it is meant to be hit
LONG = 256 * 1024 + 1  # one byte more than stands in a line: kept as a blob

marks = mmap.mmap(-1, WRITERS)  # shared with every writer forked from here


class Watched(Files):
    """The real store; it only says what it does next, and may linger there for a moment."""

    slot = 0
    linger = ""

    def at(self, phase: str) -> None:
        """Note the phase in shared memory."""
        marks[self.slot] = PHASES.index(phase)
        if phase == self.linger:
            time.sleep(LINGER)

    def write(self, handle: int, content: bytes) -> int:
        self.at("write")
        taken = super().write(handle, content)
        self.at("between")
        return taken

    def sync(self, handle: int) -> None:
        self.at("sync")
        super().sync(handle)
        self.at("other")

    def rewrite(self, handle: int, content: bytes) -> None:
        self.at("note")
        super().rewrite(handle, content)
        self.at("other")

    def _put(self, name: str, content: bytes, place: Any, *, sure: bool = True) -> None:
        def placed(*args: Any, **kwargs: Any) -> None:
            self.at("rename")
            place(*args, **kwargs)
            self.at("rename")

        super()._put(name, content, placed, sure=sure)
        self.at("other")


class Splitting(Watched):
    """Writes a line in two pieces, as no real store of ours does: this is how lines get torn."""

    def write(self, handle: int, content: bytes) -> int:
        self.at("write")
        cut = random.randrange(1, len(content))
        os.write(handle, content[:cut])
        time.sleep(LINGER)
        os.write(handle, content[cut:])
        self.at("between")
        return len(content)


class Boasting(Watched):
    """Says that bytes are safe while it still holds them: the liar the sweep must catch."""

    kept: tuple[int, bytes] | None = None

    def write(self, handle: int, content: bytes) -> int:
        self._flush()
        self.kept = (handle, content)
        return len(content)

    def sync(self, handle: int) -> None:
        self.at("sync")

    def close(self, handle: int) -> None:
        self._flush()
        super().close(handle)

    def _flush(self) -> None:
        if self.kept is not None:
            os.write(*self.kept)
            self.kept = None


def install(slot: int, style: str) -> None:
    """Put a watched store beneath the ledgers of this process."""
    kinds = {"split": Splitting, "boast": Boasting}
    kind = type("Own", (kinds.get(style, Watched),), {"slot": slot, "linger": style})
    at = kind("", private=False).at
    stamped, fold = append.stamped, work.Families.fold

    def noted_stamped(*given: Any) -> Any:
        at("encode")
        return stamped(*given)

    def noted_fold(work: Any) -> None:
        at("index")  # inside the transaction
        fold(work)
        at("index")

    context.Files = kind
    append.stamped = noted_stamped
    work.Families.fold = noted_fold


def text_of(chance: random.Random, name: str) -> str:
    """Make a text with its own name in front, mostly short, now and then up to 64 KB."""
    size = int(64_000 ** chance.uniform(0.3, 0.9)) if chance.random() < 0.9 else 64_000
    return f"{name} {'stone upon stone, ' * (size // 18)}"


def write_for_ever(root: Path, name: str, style: str, pipe: int) -> None:
    """Be a writer: tell the pipe each thing the ledger acknowledged, until killed."""
    chance = random.Random(name)
    ledger = varves.open(root)
    memory, count = "", 0

    def tell(*words: str) -> None:
        os.write(pipe, (" ".join(words) + "\n").encode())

    first = 0 if chance.random() < 0.2 else 1  # some die over their first event, most later
    while True:
        if count == first:
            tell("ready")
        count += 1
        own = f"{name}-{count}"
        if style == "rename":
            done = ledger.remember(own + " x" * (LONG // 2), allow_secret=True)
            tell("event", str(done.event), own)
            continue
        act = chance.random()
        if style != "note" and (act < 0.6 or not memory):
            done = ledger.remember(text_of(chance, own), allow_secret=True)
            tell("event", str(done.event), own)
            memory = done.id
        elif style == "note" or act < 0.8:
            names = [f"{own}.{n}" for n in range(chance.randrange(2, 7))]
            if style == "note":
                os.utime(root / ".git" / "HEAD")  # as if it moved: each batch begins a segment
            texts = [{"text": text_of(chance, each)} for each in names]
            written = ledger.remember_many(texts, allow_secret=True)
            assert written.written == len(names)
            tell("texts", *names)
        elif act < 0.9 or style == "index":
            corrected = ledger.correct(memory, text_of(chance, own), allow_secret=True)
            tell("event", corrected.event, own)
            memory = corrected.id
        else:
            ledger.log(since="1m")


class Project:
    """One ledger under attack, with everything its writers were told."""

    def __init__(self, root: Path, seed: str) -> None:
        subprocess.run(["git", "init", "--quiet", str(root)], check=True)
        self.root = root
        self.chance = random.Random(seed)
        self.reader = varves.open(root)  # stays open: it must notice whatever the writers do
        self.events: set[str] = set()
        self.texts: set[str] = set()
        self.tears: set[tuple[Path, bytes]] = set()
        self.moves = 0

    def kill(self, styles: list[str], found: Counter[str]) -> None:
        """Start a writer for each style, kill each at a moment of its own, and hear them out."""
        writers = [self.start(slot, style) for slot, style in enumerate(styles)]
        heard = {pipe: b"" for _, pipe in writers}
        waiting = {pipe: pid for pid, pipe in writers}
        due: list[tuple[float, int]] = []
        while waiting or due:
            pause = max(0.0, min(due)[0] - time.monotonic()) if due else 60.0
            for pipe in select.select(list(waiting), [], [], pause)[0]:
                heard[pipe] += os.read(pipe, 1 << 16) or b"ready\n"  # dead by itself: seen below
                if b"ready\n" in heard[pipe]:
                    moment = time.monotonic() + self.chance.uniform(0.0002, LIFE)
                    due.append((moment, waiting.pop(pipe)))
            for moment, pid in sorted(due):
                if moment <= time.monotonic():
                    os.kill(pid, signal.SIGKILL)
                    due.remove((moment, pid))
        for slot, (pid, pipe) in enumerate(writers):
            _, status = os.waitpid(pid, 0)
            killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            found["crashed"] += not killed
            found[PHASES[marks[slot]]] += 1
            found["points"] += 1
            with os.fdopen(pipe, "rb") as rest:
                self.hear((heard[pipe] + rest.read()).decode().splitlines(), found)

    def start(self, slot: int, style: str) -> tuple[int, int]:
        """Fork a writer and return it with the pipe it tells its news through."""
        marks[slot] = 0
        ours, theirs = os.pipe()
        name = f"w{self.chance.getrandbits(48):012x}"
        pid = os.fork()
        if pid == 0:
            os.close(ours)
            be_a_writer(self.root, name, style=style, slot=slot, pipe=theirs)
        os.close(theirs)
        return pid, ours

    def hear(self, lines: list[str], found: Counter[str]) -> None:
        """Take down what a writer was told."""
        for line in lines:
            word, *rest = line.split(" ")
            if word == "ready":
                continue
            if word == "event":
                self.events.add(rest.pop(0))
            self.texts.update(rest)
            found["acknowledged"] += len(rest)

    def check(self, found: Counter[str]) -> None:
        """Compare what was told with what the ledger says and with what the files hold."""
        try:
            segments = read_log(self.root)
        except (AssertionError, ValueError, KeyError) as fault:
            sys.stderr.write(f"{self.root}: {fault!r}\n")
            found["bad lines"] += 1
            return
        for segment in segments:
            if segment.torn and (segment.path, segment.torn) not in self.tears:
                self.tears.add((segment.path, segment.torn))
                found["torn"] += 1
        held = [event for segment in segments for event in segment.events]
        found["doubled"] += len(held) - len({event["id"] for event in held})
        logged = [event.as_dict() for event in self.reader.log()]
        for side, events in (("files", held), ("log", logged)):
            ids = {event["id"] for event in events}
            texts = {self.said(event) for event in events}
            found[f"lost from {side}"] += len(self.events - ids) + len(self.texts - texts)

    def said(self, event: dict[str, Any]) -> str:
        """Return the name in front of what an event says, wherever its text is kept."""
        content = event["data"].get("record") or event["data"]
        content = {**event["data"], **content}
        if "blob" in content:
            digest = content["blob"]["sha256"]
            kept = (self.root / ".varves/log/blobs" / digest).read_bytes()
            assert sha256(kept).hexdigest() == digest
            return kept.split(b" ", 1)[0].decode()
        return str(content.get("text", "")).partition(" ")[0]

    def calm(self) -> None:
        """Let calm writers take the lanes of the dead."""
        ledgers = [varves.open(self.root) for _ in range(WRITERS)]
        for number, ledger in enumerate(ledgers):
            text = f"calm{number} after storm {self.moves} of {len(self.tears)} torn lines"
            self.events.add(str(ledger.remember(text, again=True).event))
        for ledger in ledgers:
            ledger.close()

    def take_over(self, found: Counter[str]) -> None:
        """Let calm writers go on where others died, then look at everything once more."""
        self.calm()
        self.check(found)
        verified = self.reader.verify(deep=True)
        found["damage"] += len(verified.damage)
        for damage in verified.damage:
            sys.stderr.write(f"{self.root}: {damage}\n")
        aside = set(set_aside(self.root).values())
        found["set aside"] += len(aside)
        found["wrongly set aside"] += sum(b"\n" in rest for rest in aside)
        left = {(segment.path, segment.torn) for segment in read_log(self.root)}
        found["torn rests lost"] += sum(rest not in aside for _, rest in self.tears - left)
        self.reader.rebuild()
        self.check(found)
        self.reader.close()


def be_a_writer(root: Path, name: str, *, style: str, slot: int, pipe: int) -> None:
    """Never return: a forked writer must not run on in its parent's code."""
    try:
        install(slot, style)
        random.seed(name)
        write_for_ever(root, name, style, pipe)
    except BaseException:  # noqa: BLE001 - whatever it was, the parent counts it as a crash
        traceback.print_exc()
    finally:
        os._exit(70)


def warm_up(root: Path) -> None:
    """Import what writers need before they are forked: each shall die writing, not importing."""
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    with varves.open(root) as ledger:
        first = ledger.remember("one " * LONG, allow_secret=True)
        ledger.remember_many([{"text": "two"}])
        ledger.correct(first.id, "three")
        ledger.log(since="1m")
    shutil.rmtree(root)


def choose(turn: int, found: Counter[str]) -> str:
    """Return where a writer shall linger: each place in turn, between them the rarest so far."""
    if turn % 2:
        return STYLES[turn // 2 % len(STYLES)]
    rarest = sorted((*CLASSES, "torn"), key=lambda name: found[name])[turn // 2 % 2]
    return "split" if rarest == "torn" else rarest


def sweep(place: Path, points: int, seed: int, *, broken: bool) -> Counter[str]:
    """Kill writers until the points are spent, a fresh project every so often."""
    found: Counter[str] = Counter()
    chance = random.Random(seed)
    turn = 0
    warm_up(place / "warm")
    while found["points"] < points:
        root = place / f"p{found['points']}"
        project = Project(root, f"{seed} {turn}")
        spent = min(points, found["points"] + POINTS_PER_PROJECT)
        while found["points"] < spent:
            crowd = min(chance.randrange(1, WRITERS + 1), spent - found["points"])
            styles = [choose(turn + n, found) for n in range(crowd)]
            turn += crowd
            torn = found["torn"]
            project.kill(["boast"] * crowd if broken else styles, found)
            project.check(found)
            if found["torn"] > torn and chance.random() < 0.75:
                project.calm()  # before HEAD moves: then nobody goes on in that file
                project.check(found)
            if chance.random() < 0.5:
                project.moves += 1
                move_head(root, project.moves)
        project.take_over(found)
        shutil.rmtree(root)
    return found


def main() -> None:
    """Sweep and print what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("place", type=Path)
    parser.add_argument("points", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--broken", action="store_true")
    given = parser.parse_args()
    found = sweep(given.place, given.points, given.seed, broken=given.broken)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()

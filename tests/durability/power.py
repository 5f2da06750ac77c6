"""Power cuts: what a disk holds at one instant, mounted again as after the lights went out.

A file system lies in an image, the image in a file system that can clone files. Writers work on the
mounted image; a clone of the image is what the disk had at that moment, without anything that was
only in memory. The clone is mounted, the journal replays, and what is found is compared with what
had been acknowledged *before* the clone was made. This models a lost page cache, not a drive that
reorders what it was told to keep. A plain copy would not do: it takes a while, and mixes blocks of
different moments as no power cut does.

Run as a program: `power PLACE FILE_SYSTEM CUTS SEED [--lying] [--mode MODE]` prints what was found.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import varves
from tests.durability import sweep
from tests.durability.reader import read_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAKERS = {
    "ext4": ["mkfs.ext4", "-q", "-F"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
    "btrfs": ["mkfs.btrfs", "-q", "-f"],
}
OPTIONS = {"xfs": ",nouuid"}
CLONING = ("xfs", "btrfs")  # file systems whose files can be cloned
DISK, AROUND = "1G", "8G"  # as far as they are written to
STYLES = ("plain", "note", "index", "rename")  # what each writer mostly does
CUTS_PER_IMAGE = 25
PAUSE = 0.08  # seconds between two cuts, at the most


def missing(kind: str) -> str:
    """Say why no power can be cut on a file system here; nothing if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "power cuts need root on Linux, to mount images"
    if shutil.which("mount") is None or not os.path.exists("/dev/loop-control"):
        return "power cuts need loop devices"
    if not any(shutil.which(MAKERS[outer][0]) for outer in CLONING):
        return "power cuts need a file system that clones files: mkfs.xfs or mkfs.btrfs"
    if shutil.which(MAKERS[kind][0]) is None:
        return f"no {MAKERS[kind][0]} for power cuts on {kind}"
    return ""


class CannotMount(Exception):
    """This machine does not let us mount an image."""


@contextmanager
def mounted(image: Path, place: Path, kind: str) -> Iterator[Path]:
    """Mount an image while the block lasts."""
    place.mkdir(exist_ok=True)
    words = ["mount", "-t", kind, "-o", f"loop{OPTIONS.get(kind, '')}", str(image), str(place)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise CannotMount(f"{' '.join(words)}: {done.stderr.strip()}")
    try:
        yield place
    finally:
        unmount(place)


def unmount(place: Path) -> None:
    """Unmount as soon as nobody holds anything open there, a reader's last file included."""
    for _ in range(40):
        gc.collect()
        done = subprocess.run(["umount", str(place)], capture_output=True, check=False)
        if not done.returncode:
            return
        time.sleep(0.05)
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def make_image(path: Path, kind: str, size: str) -> Path:
    """Make a file with an empty file system in it."""
    path.unlink(missing_ok=True)
    subprocess.run(["truncate", "--size", size, str(path)], check=True)
    subprocess.run([*MAKERS[kind], str(path)], check=True, capture_output=True)
    return path


def choose_mode(root: Path, mode: str) -> None:
    """Let a project's settings say how its writes are made safe."""
    if mode != "durable":
        (root / ".varves").mkdir(exist_ok=True)
        (root / ".varves" / "settings.toml").write_text(f'mode = "{mode}"\n', encoding="utf-8")


class Lying(sweep.Watched):
    """Says that bytes are safe without having asked the disk: what the cuts must catch."""

    def sync(self, handle: int) -> None:
        self.at("sync")


class Cuts:
    """Writers on one mounted image, and a cut now and then."""

    def __init__(self, outer: Path, kind: str, seed: int, *, mode: str) -> None:
        self.outer = outer
        self.kind = kind
        self.mode = mode
        self.chance = random.Random(f"{kind} {seed}")
        self.found: Counter[str] = Counter()
        self.numbers = iter(range(10**6))

    def go(self, cuts: int, *, lying: bool) -> None:
        """Cut the power so often, on a fresh image every so often."""
        while self.found["cuts"] < cuts:
            image = make_image(self.outer / "disk.img", self.kind, DISK)
            with mounted(image, self.outer / "disk", self.kind) as place:
                root = place / "project"
                self.lay(root)
                choose_mode(root, self.mode)
                subprocess.run(["sync", "--file-system", str(place)], check=True)
                pipes = [self.start(root, slot, lying) for slot in range(len(STYLES))]
                try:
                    self.cut_often(image, pipes, min(cuts, self.found["cuts"] + CUTS_PER_IMAGE))
                finally:
                    for pid, pipe in pipes:
                        os.kill(pid, signal.SIGKILL)
                        os.waitpid(pid, 0)
                        os.close(pipe)

    def lay(self, root: Path) -> None:
        """Make the project that the writers work in."""
        subprocess.run(["git", "init", "--quiet", str(root)], check=True)

    def write(self, root: Path, name: str, pipe: int, *, slot: int, lying: bool) -> None:
        """Be a writer that tells the pipe what was acknowledged; never return."""
        if lying:
            sweep.Watched.sync = Lying.sync  # type: ignore[method-assign]
        sweep.be_a_writer(root, name, style=STYLES[slot], slot=slot, pipe=pipe)

    def start(self, root: Path, slot: int, lying: bool) -> tuple[int, int]:
        """Fork a writer and return it with the pipe it tells through."""
        ours, theirs = os.pipe()
        name = f"w{self.chance.getrandbits(48):012x}"
        pid = os.fork()
        if pid == 0:
            os.close(ours)
            self.write(root, name, theirs, slot=slot, lying=lying)
        os.close(theirs)
        os.set_blocking(ours, False)
        return pid, ours

    def cut_often(self, image: Path, pipes: list[tuple[int, int]], until: int) -> None:
        """Let the writers work, cut, and go on: the disk that was cut is a clone."""
        heard = {pipe: b"" for _, pipe in pipes}
        self.listen(heard, 0.2)
        while self.found["cuts"] < until:
            self.listen(heard, self.chance.uniform(0.002, PAUSE))
            events, texts = acknowledged(heard)  # first; then the cut
            clone = self.outer / "cut.img"
            subprocess.run(["cp", "--reflink=always", str(image), str(clone)], check=True)
            self.found["cuts"] += 1
            for pid, _ in pipes:
                os.kill(pid, signal.SIGSTOP)  # no more to read than need be at the next cut
            self.look(clone, events, texts)
            clone.unlink()
            for pid, _ in pipes:
                os.kill(pid, signal.SIGCONT)

    def listen(self, heard: dict[int, bytes], seconds: float) -> None:
        """Take down what the writers tell for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for pipe in select.select(list(heard), [], [], left)[0]:
                heard[pipe] += os.read(pipe, 1 << 16)

    def look(self, clone: Path, events: set[str], texts: set[str]) -> None:
        """Mount what the cut left, and compare it with what had been acknowledged."""
        with mounted(clone, self.outer / "after", self.kind) as place:
            self.compare(place / "project", events, texts)

    def compare(self, root: Path, events: set[str], texts: set[str]) -> None:
        """Compare what lies on the disk with what had been acknowledged."""
        try:
            segments = read_log(root)
        except (AssertionError, ValueError, KeyError) as fault:
            sys.stderr.write(f"{self.kind}: {fault!r}\n")
            self.found["bad lines"] += 1
            return
        self.found["torn tails"] += sum(bool(segment.torn) for segment in segments)
        held = [event for segment in segments for event in segment.events]
        project = sweep.Project.__new__(sweep.Project)
        project.root = root
        ids = {event["id"] for event in held}
        said = {project.said(event) for event in held}
        self.found["acknowledged"] += len(texts)
        self.found["lost"] += len(events - ids) + len(texts - said)
        self.found["beyond"] += len(said - texts)
        self.live_on(root, events)

    def live_on(self, root: Path, events: set[str]) -> None:
        """Open what was left as the next process would."""
        with varves.open(root) as ledger:
            after = str(ledger.remember(f"after cut {next(self.numbers)}").event)
            logged = {event.id for event in ledger.log()}
            self.found["lost from log"] += len({*events, after} - logged)
            damage = ledger.verify(deep=True).damage
            self.found["damage"] += len(damage)
            for one in damage[:3]:
                sys.stderr.write(f"{self.kind}: {one}\n")


def acknowledged(heard: dict[int, bytes]) -> tuple[set[str], set[str]]:
    """Return the events and the texts that the writers have told of, in whole lines."""
    events, texts = set(), set()
    for told in heard.values():
        for line in told[: told.rfind(b"\n") + 1].decode().splitlines():
            word, *rest = line.split(" ")
            if word == "event":
                events.add(rest.pop(0))
            if word in ("event", "texts"):
                texts.update(rest)
    return events, texts


def main(crew: type[Cuts] = Cuts, warm_up: Callable[[Path], object] = sweep.warm_up) -> None:
    """Cut, and print what was found."""
    ask = argparse.ArgumentParser()
    ask.add_argument("place", type=Path)
    ask.add_argument("kind", choices=MAKERS)
    ask.add_argument("cuts", type=int)
    ask.add_argument("seed", type=int)
    ask.add_argument("--lying", action="store_true")
    ask.add_argument("--mode", default="durable")
    given = ask.parse_args()
    warm_up(given.place / "warm")
    cloning = next(kind for kind in CLONING if shutil.which(MAKERS[kind][0]))
    image = make_image(given.place / "outer.img", cloning, AROUND)
    try:
        with mounted(image, given.place / "outer", cloning) as outer:
            cuts = crew(outer, given.kind, given.seed, mode=given.mode)
            cuts.go(given.cuts, lying=given.lying)
        sys.stdout.write(json.dumps(cuts.found))
    except CannotMount as fault:
        sys.stdout.write(json.dumps({"cannot": str(fault)}))


if __name__ == "__main__":
    main()

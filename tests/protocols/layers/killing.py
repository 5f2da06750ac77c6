"""Agents that die at any moment, and what the next one finds.

Run as a program, `crashes|halves|steps PLACE POINTS SEED`. In the first, forked agents append and
shut down until they are killed after a random short time; some write in two pieces and may die
between them. In the second all die so. In the third a
shutdown kills itself at its n-th call that changes something, git's among them, and runs again.
"""

from __future__ import annotations

import json
import os
import random
import re
import select
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import varves
from tests.durability.pack_sweep import Deadly
from tests.places import local_of
from tests.protocols.layers.ending import begin, event, in_git, said, write
from tests.protocols.layers.whole import blocks, torn
from varves import git
from varves.errors import VarvesError
from varves.files import published, worktree
from varves.places import store as files
from varves.values.instants import FixedClock, instant

LIFE = 0.8  # seconds from an agent's boot to the kill, at the most
LINGER = 0.004
AMID = 0.2  # how often the pieces meet in the middle of a letter
DEADLY = 0.4  # how often a writer dies between two pieces
PER_PROJECT = 50
AGENTS = 8  # that work at once, at the most
PLACES = (".memory/graph.md", ".memory/context.md")


def start(root: Path) -> Path:
    """Make a project with rules and a log that is committed."""
    root.mkdir()
    in_git(root, "init", "--quiet")
    begin(root)
    with varves.open(root, actor="ada", session="s0") as ledger:
        ledger.layers.init()
        ledger.layers.boot()
    in_git(root, "add", "--all")
    in_git(root, "commit", "--quiet", "--message", "init")
    return root


class Splitting:
    """The system as a writer of files sees it: a write takes its bytes in two pieces."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    @staticmethod
    def write(handle: int, content: bytes) -> int:
        dash = content.find("—".encode())
        cut = dash + 1 if random.random() < AMID else random.randrange(1, len(content))
        os.write(handle, content[:cut])
        if random.random() < DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(LINGER)
        return cut + os.write(handle, content[cut:])


# Crashes at random moments


def whole_event(title: str) -> dict[str, Any]:
    """Return an event each part of which names it."""
    return said(
        title,
        what=f"{title} was done to [[skill-x]]. " + "More of it. " * 30,
        why=f"{title} was asked for.",
        impact=f"{title} touches nothing else.",
        next=f"- End of {title}",
    )


def work_for_ever(root: Path, name: str, pipe: int, chance: random.Random) -> None:
    """Boot, append, shut down, again and again; tell what was acknowledged."""
    with varves.open(root, actor="ada", session=name) as ledger:
        number = 0
        while True:
            ledger.layers.boot()
            os.write(pipe, b"booted\n")
            for _ in range(chance.randrange(1, 4)):
                title = f"Agent {name} event {number}"
                number += 1
                ledger.layers.append(**whole_event(title))
                os.write(pipe, f"{title}\n".encode())
            if chance.random() < 0.7:
                ledger.layers.shutdown(to="bob")
                os.write(pipe, b"shutdown\n")


def start_agent(root: Path, name: str, chance: random.Random) -> tuple[int, int]:
    """Fork an agent that works until it is killed; return the pipe it tells through, and it."""
    mine, its = os.pipe()
    split = chance.random() < 0.4
    child = os.fork()
    if not child:
        os.close(mine)
        os.setpgid(0, 0)
        try:
            random.seed(name)
            if split:
                published.os = Splitting()  # type: ignore[assignment]
            work_for_ever(root, name, its, random.Random(name))
        except BaseException:  # noqa: BLE001 - whatever it was, the parent counts it as a crash
            traceback.print_exc()
        finally:
            os._exit(70)
    os.close(its)
    return mine, child


def kill_all(agents: dict[int, int], chance: random.Random, found: Counter[str]) -> list[str]:
    """Kill each agent at a moment of its own, and return what was acknowledged to them.

    The first one is left alone until something was acknowledged to it, however busy the machine is.
    """
    heard = dict.fromkeys(agents, b"")
    spared = next(iter(agents))
    waiting, due = set(agents), []
    while waiting or due:
        pause = max(0.0, min(due)[0] - time.monotonic()) if due else 60.0
        for pipe in select.select([*waiting], [], [], pause)[0]:
            heard[pipe] += (more := os.read(pipe, 1 << 16))
            if pipe == spared and more and b"Agent" not in heard[pipe]:
                continue
            waiting.remove(pipe)  # it has booted, or is dead by itself: seen below
            due.append((time.monotonic() + chance.random() ** 2 * LIFE, pipe))
        for moment, pipe in sorted(due):
            if moment <= time.monotonic():
                os.kill(agents[pipe], signal.SIGKILL)
                due.remove((moment, pipe))
    told = []
    for pipe, child in agents.items():
        with os.fdopen(pipe, "rb") as rest:
            lines = (heard[pipe] + rest.read()).decode().splitlines()
        _, status = os.waitpid(child, 0)
        found["crashed"] += not os.WIFSIGNALED(status)
        while _is_alive(child):  # git, which it had started, comes to its end
            time.sleep(0.002)
        found["shutdowns"] += lines.count("shutdown")
        told += [line for line in lines if line.startswith("Agent")]
    found["acknowledged"] += len(told)
    return told


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def look(root: Path, told: list[str], found: Counter[str]) -> None:
    """Boot, and hold the files against what was acknowledged."""
    before = (root / "CHANGELOG.md").read_text(encoding="utf-8", errors="replace")
    found["torn"] += bool(torn(before)) or not before.endswith("\n")
    found["left waiting"] += any(local_of(root).glob(".view.*"))
    with varves.open(root, actor="eve", session="after") as ledger:
        try:
            ledger.layers.boot()
        except VarvesError as fault:
            found["no boot"] += 1
            sys.stderr.write(f"{root}: {fault}\n")
            return
        text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
        there = [title for title, _ in blocks(text)]
        found["lost"] += len(set(told) - set(there))
        found["doubled"] += len(there) - len(set(there))
        found["torn"] += len(torn(text))
        found["gone"] += not text.startswith(before)
        recorded = Counter(one.data["memory"] for one in ledger.log(kind=("log.entry",)))
        known = [ledger.show(name) for name in recorded]
        found["recorded twice"] += sum(count > 1 for count in recorded.values())
        shown = sorted(one.summary for one in known if one.status == "active")
        found["log and file differ"] += shown != sorted(there)
        ledger.layers.rebuild()  # boot leaves the views that git tracks as they are
        errors = [one for one in ledger.layers.validate() if one.level == "error"]
        found["findings"] += len(errors)
        for one in errors:
            sys.stderr.write(f"{root}: {one}\n")
        found["damage"] += not ledger.verify(deep=True).ok


def halves(place: Path, points: int, seed: int) -> dict[str, Any]:
    """Let agents die in the middle of a write, and say what others are told before any boot."""
    global DEADLY  # noqa: PLW0603 - each of them dies
    DEADLY = 1
    root = start(place / "halves")
    shown = []
    for point in range(points):
        child = os.fork()
        if not child:
            random.seed(f"{seed} {point}")
            published.os = Splitting()  # type: ignore[assignment]
            with varves.open(root, actor="ada", session=f"h{point}") as ledger:
                ledger.layers.append(**whole_event(f"Half {point}"))
            os._exit(70)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), status
        with varves.open(root, actor="eve", session="reader") as ledger:
            shown.append(ledger.layers.context(write=False).text)
            shown.append(str(ledger.layers.find("Half").as_dict()))
    with varves.open(root, actor="eve", session="after") as ledger:
        ledger.layers.boot()
        kinds = Counter(one.kind for one in ledger.log())
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    told = sum("Half" in one.replace("'query': 'Half'", "") for one in shown)
    return {"told": told, "events": kinds["log.entry"], "left": "Half" in text}


def crashes(place: Path, points: int, seed: int) -> Counter[str]:
    """Kill agents until the points are spent, in a fresh project every so often.

    Up to eight work at once; each is killed at a moment of its own, while the others go on.
    """
    found: Counter[str] = Counter()
    chance = random.Random(seed)
    while found["points"] < points:
        root, told = start(place / f"p{found['points']}"), []
        spent = min(points, found["points"] + PER_PROJECT)
        while found["points"] < spent:
            crowd = min(chance.randrange(1, AGENTS + 1), spent - found["points"])
            names = [f"k{found['points'] + number}" for number in range(crowd)]
            agents = dict(start_agent(root, name, chance) for name in names)
            found["points"] += crowd
            told += kill_all(agents, chance, found)
            look(root, told, found)
        shutil.rmtree(root)
    return found


# Every step of a shutdown


def at(root: Path, moment: str) -> Any:
    """Open the session's ledger at a moment."""
    return varves.open(root, actor="ada", session="s1", clock=FixedClock(instant(moment)))


def prepare(root: Path) -> None:
    """Let a session have a draft, an event and a file it changed."""
    start(root)
    with at(root, "2026-11-15T11:00:00Z") as ledger:
        ledger.layers.boot()
        ledger.layers.append(**said("Before"))
        ledger.layers.append(**said("Meant"), draft=True)
    write(root, "src/app.py", "one = 11\n")


def close(root: Path, moment: str) -> None:
    """Shut the session down."""
    text = event("First", files="src/app.py") + "\n" + event("Second", kind="milestone")
    with at(root, moment) as ledger:
        ledger.layers.shutdown(text=text, to="bob", files=["src/app.py"])


def deadly(wrapped: Any, name: str) -> Any:
    """Return a function with a step before and after it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        Deadly.step(name)
        done = wrapped(*args, **kwargs)
        Deadly.step(name)
        return done

    return call


def close_and_die(root: Path, step: int) -> tuple[str, int]:
    """Shut down in a process that dies at a step; return the call it died at, and its steps."""
    mine, its = os.pipe()
    child = os.fork()
    if not child:
        Deadly.at, Deadly.note, Deadly.count = step, its, 0
        for module in (files, published, worktree):
            module.os = Deadly(module.os)  # type: ignore[attr-defined]
        worktree.WorkTree._do = deadly(worktree.WorkTree._do, "git")  # type: ignore[method-assign]
        git.Git.run = deadly(git.Git.run, "ask git")  # type: ignore[method-assign]
        try:
            close(root, "2026-11-15T12:00:00Z")
            os.write(its, f"alive {Deadly.count}".encode())
        except BaseException:  # noqa: BLE001 - told by the exit
            traceback.print_exc()
            os._exit(70)
        os._exit(0)
    os.close(its)
    with os.fdopen(mine, "rb") as pipe:
        died_at = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, "it failed by itself"
    if died_at.startswith("alive"):
        return "", int(died_at.split()[1])
    return died_at, 0


# A shutdown killed around one of git's commands

DIED = tuple(  # before or after the first or last of its kind
    f"{side} {which} {word}"
    for word in ("add", "reset", "commit")
    for which in ("first", "last")
    for side in ("before", "after")
)


def die_beside(root: Path, step: str) -> int:
    """Shut bob's session down in a process that dies at a step; return how it ended.

    To know which command is the last of its kind, a copy is shut down first.
    """
    side, which, word = step.split()
    number = 1
    if which == "last":
        copy = root.with_name(f"{root.name}-copy")
        shutil.copytree(root, copy, symlinks=True)
        number = _commands(copy, word)
        shutil.rmtree(copy)
    child = os.fork()
    if not child:
        try:
            _close_dying(root, side, word, number)
        finally:
            os._exit(70)
    return os.waitpid(child, 0)[1]


def _commands(root: Path, word: str) -> int:
    """Return how often a shutdown runs a command of git."""
    mine, its = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(its, str(_close_dying(root, "never", word, 0)).encode())
        finally:
            os._exit(0)
    os.close(its)
    with os.fdopen(mine, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return int(told)


def _close_dying(root: Path, side: str, word: str, number: int) -> int:
    """Shut bob's session down, and die before or after the n-th git command of a kind."""
    count, act = 0, git.Git.act

    def counted(self: Any, *args: str, **more: Any) -> bytes:
        nonlocal count
        mine = args[0] == word
        count += mine
        if mine and count == number and side == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = act(self, *args, **more)
        if mine and count == number and side == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    git.Git.act = counted  # type: ignore[method-assign]
    moment = FixedClock(instant("2026-11-15T12:00:00Z"))
    with varves.open(root, actor="bob", session="bob", clock=moment) as ledger:
        ledger.layers.shutdown()
    return count


def state_of(root: Path) -> dict[str, Any]:
    """Return what a shutdown leaves, but for what may differ: the hour and the commit's name."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    times = re.findall(r"^## 2026-11-15 (\d\d:\d\d)", text, re.MULTILINE)
    assert times[1:] in (["12:00"] * 3, ["13:00"] * 3), times
    hour = times[-1]
    views = {
        path: re.sub(r"<!-- .* -->", "", (root / path).read_text(encoding="utf-8"))
        for path in PLACES
    }
    payload = json.loads((root / ".memory/handoff.json").read_text(encoding="utf-8"))
    head = in_git(root, "rev-parse", "HEAD").strip()
    assert payload["files"].pop("committed") == head
    assert payload["handoff"].pop("timestamp") == f"2026-11-15T{hour}:00.000Z"
    status = in_git(root, "status", "--porcelain")
    assert status == "", status
    assert in_git(root, "rev-list", "--count", "HEAD").strip() == "3"
    shown = in_git(root, "show", "--pretty=format:", "--name-only", "HEAD").split()
    commit = sorted(path for path in shown if not path.startswith(".varves/log/"))
    left = [name for name in os.listdir(local_of(root) / "notes/layers") if "s1" in name]
    assert left == [], left
    with at(root, "2026-11-15T14:00:00Z") as ledger:
        assert ledger.verify(deep=True).ok
        kinds = Counter(one.kind for one in ledger.log())
        assert [one for one in ledger.layers.validate() if one.level == "error"] == []
        drafts = [one.status for one in ledger.list(status="all") if one.kept == "private"]
        names = [one.data["memory"] for one in ledger.log(kind=("log.entry",))]
        assert len(names) == len(set(names)) == 4, names
    kinds.pop("segment.closed", None)
    answer = {"log": text, "payload": payload, "kinds": dict(kinds), "drafts": drafts, **views}
    answer["commit"] = commit
    same = json.dumps(answer, sort_keys=True).replace(hour, "HH:MM")
    return dict(json.loads(same))


def steps(place: Path, points: int, seed: int) -> dict[str, Any]:
    """Kill a shutdown at steps all over it, call it again, and compare with one left alone."""
    base = place / "base"
    prepare(base)
    shutil.copytree(base, place / "alone", symlinks=True)
    died, count = close_and_die(place / "alone", 0)
    assert not died
    expected = state_of(place / "alone")
    chance = random.Random(seed)
    chosen = range(1, count + 1)
    picked = list(chosen) if points >= count else sorted(chance.sample(chosen, points))
    problems: list[str] = []
    calls: Counter[str] = Counter()
    for step in picked:
        root = place / f"at{step}"
        shutil.copytree(base, root, symlinks=True)
        died, _ = close_and_die(root, step)
        calls[died or "not reached"] += 1
        try:
            close(root, "2026-11-15T13:00:00Z")
            found = state_of(root)
            for key in expected:
                assert found[key] == expected[key], f"{key}: {found[key]!r}"
        except (AssertionError, VarvesError) as fault:
            problems.append(f"step {step} of {count}, {died}: {fault}")
        shutil.rmtree(root)
    return {"points": len(picked), "steps": count, "problems": problems, "calls": calls}


def main() -> None:
    """Sweep and print what was found."""
    mode, place, points, seed = sys.argv[1:]
    sweep: Any = {"crashes": crashes, "halves": halves, "steps": steps}[mode]
    sys.stdout.write(json.dumps(sweep(Path(place), int(points), int(seed))))


if __name__ == "__main__":
    main()

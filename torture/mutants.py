"""Mutation testing: change the code a little, and see whether a test notices.

`python -m torture.mutants` copies the tree, runs the tests below once with coverage to learn which
of them pass over which line, and then makes one change at a time and runs the tests of its line
until one fails. A change that hangs counts as noticed. The tests are run in a fork of one process
that has pytest loaded, so a mutant costs little more than its tests.

What no test can notice, because nothing observable changes, stands in `equivalent.txt` with the
reason, and is not counted. The outcome is kept as row R20.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from datetime import UTC, datetime
from fnmatch import fnmatch
from time import monotonic, sleep
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from benchmarks.report import machine
from torture.mutate import Mutant, mutants, mutated
from torture.outcome import Outcome, save
from torture.run import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GROUPS = {
    "log": ("log/*.py", "log/files/*.py", "places/*.py", "git.py", "events/codec.py"),
    "fold": ("fold/*.py",),
    "commands": ("commands/*.py",),
    "redaction": ("events/redact.py", "events/proofs.py", "events/named_secrets.py"),
    "index": ("index/*.py", "index/sqlite/*.py"),
    "codecs": (  # what the protocols' files look like, and how they are read
        *("protocols/*/codec.py", "protocols/jsonfile.py", "protocols/hivemind/documents.py"),
        *("protocols/layers/blocks.py", "protocols/layers/parser.py"),
        *("protocols/party/sidecars.py", "protocols/party/state_file.py"),
        *("protocols/scoped/entries.py", "protocols/deliberation/saved_state.py"),
    ),
}
NEVER_RUN = ("log/port.py", "places/port.py", "index/port.py")  # nothing but signatures
TESTS = (
    *("tests/unit", "tests/properties", "tests/museum", "tests/git", "tests/durability"),
    *("tests/security", "tests/simulation", "tests/conformance", "tests/recall", "tests/evidence"),
    *("tests/errors", "tests/requirements", "tests/protocols", "tests/frameworks"),
)
SLOW = (  # crowds, kills and power cuts: the same laws as elsewhere, minutes instead of seconds
    *("test_kill_sweep", "test_many_writers", "test_power_cuts", "test_pack_kills", "test_linear"),
    *("test_purge_kills", "test_benchmarks", "test_torture", "test_fuzz", "test_one_week"),
    *("test_demo", "test_u02_rebuild", "test_failing_calls", "test_interpreters"),
)
READ_BY = {  # a table of rules is run while it is imported: whoever tries its reader tries it
    "src/varves/events/named_secrets.py": "src/varves/events/redact.py",
}
TARGET = 90
NEAR, MANY = 100, 400
SHARE = 0.1  # of the time that all tests took unchanged, what one mutant may cost
PATIENCE = 6  # times that long before it counts as hanging
EQUIVALENT = os.path.join(ROOT, "torture/equivalent.txt")
PYTEST = ("-q", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist")
SEEDED = "--hypothesis-seed=0"
PRELOADED = ("-p", "no:cov", "-W", "ignore::pytest.PytestAssertRewriteWarning")
BROKEN = (5, 99)  # nothing was collected, or pytest itself could not be started
MEMORY = 8 << 30
OURS = ("varves", "tests", "torture", "benchmarks")  # loaded anew, from the copy, in each fork


class Scene:
    """A copy of the tree, and which tests of it pass over which line."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.over: dict[str, dict[int, set[str]]] = {}
        self.cost: dict[str, float] = {}
        self.reach: Counter[str] = Counter()
        self.limit = 0.0  # seconds of tests that one mutant may cost

    def copy(self) -> None:
        """Copy what git tracks or would track."""
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        for name in filter(None, listed.stdout.decode().split("\0")):
            if os.path.isfile(os.path.join(ROOT, name)):
                target = os.path.join(self.folder, name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(ROOT, name), target, follow_symlinks=False)
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", "src"], cwd=self.folder, check=True
        )

    def trace(self, jobs: int, tests: Iterable[str] = TESTS) -> None:
        """Run the tests once, unchanged, and note what they pass over; all of them must pass."""
        words = ["--cov=varves", "--cov-branch", "--cov-context=test", "--cov-report="]
        words += ["-n", str(jobs), "--dist", "loadfile", "--junitxml=trace.xml", *tests]
        words += [f"--ignore-glob=*{name}.py" for name in SLOW]
        subprocess.run(
            [sys.executable, "-m", "pytest", *PYTEST[:1], *PYTEST[2:6], SEEDED, *words],
            cwd=self.folder,
            env=self.environment(),
            stdout=sys.stderr,
            check=False,  # a test that fails unchanged is left out below
        )

    def environment(self) -> dict[str, str]:
        """Return an environment in which the copy's own code is run."""
        src = os.path.join(self.folder, "src")
        return {**os.environ, "PYTHONPATH": src, "PYTHONDONTWRITEBYTECODE": "1"}

    def learn(self) -> None:
        """Read the trace."""
        from coverage import CoverageData

        for case in ET.parse(f"{self.folder}/trace.xml").iter("testcase"):  # noqa: S314 - our own
            if not any(part.tag in ("failure", "error", "skipped") for part in case):
                self.cost[self._id(case)] = float(case.get("time") or 0)
        self.limit = SHARE * sum(self.cost.values())
        traced = CoverageData(basename=f"{self.folder}/.coverage")
        traced.read()
        one = {name: name for name in self.cost}  # one text for each name: there are millions
        for path in traced.measured_files():
            lines: dict[int, set[str]] = defaultdict(set)
            for number, contexts in traced.contexts_by_lineno(path).items():
                names = {context.rpartition("|")[0] for context in contexts}
                lines[number] = {one[name] for name in names if name in one}
                self.reach.update(lines[number])
            self.over[os.path.relpath(path, self.folder)] = lines

    def covered(self, modules: Iterable[str]) -> float:
        """Return how much of some modules, lines and branches, the tests have passed over."""
        from coverage import Coverage

        traced = Coverage(f"{self.folder}/.coverage", config_file=f"{self.folder}/pyproject.toml")
        traced.load()
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            paths = [os.path.join(self.folder, path) for path in modules]
            return round(traced.report(include=paths, file=nowhere), 1)

    def _id(self, case: ET.Element) -> str:
        """Return a test's id: a file, then the class if it is in one, then its name."""
        path, inside = str(case.get("classname")).replace(".", "/"), str(case.get("name"))
        while path and not os.path.isfile(f"{self.folder}/{path}.py"):
            path, _, name = path.rpartition("/")
            inside = f"{name}::{inside}"
        return f"{path}.py::{inside}"

    def _rank(self, name: str) -> tuple[int, float, str]:
        """Rank tests: those that are about little else first, then by what they cost."""
        return self.reach[name] // 300, self.cost[name], name

    def tests_of(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """Return the tests that pass over a mutant: the nearest to it, then some of every file."""
        lines = self.over.get(READ_BY.get(mutant.module, mutant.module), {})
        found: set[str] = set()
        if mutant.module not in READ_BY:
            for number in range(mutant.line, mutant.last + 1):
                found |= lines.get(number, set())
        if not found:  # run while a module is imported: whoever uses it may see
            found = set().union(*lines.values())
        times = 4 if mutant.module in READ_BY else 1
        ranked = sorted(found, key=self._rank)
        near = self._within(ranked, times * NEAR, times * self.limit / 4)
        rank: Counter[str] = Counter()  # a test's place among those of its file
        places = {}
        for name in ranked[len(near) :]:
            rank[name.partition("::")[0]] += 1
            places[name] = rank[name.partition("::")[0]]
        return near, self._within(sorted(places, key=lambda name: places[name]), MANY, self.limit)

    def _within(self, names: list[str], count: int, limit: float) -> list[str]:
        """Return the first names, as many and as long as allowed; at least one if there is any."""
        spent, end = 0.0, 0
        for name in names[:count]:
            spent += self.cost[name]
            if end and spent > limit:
                break
            end += 1
        return names[:end]


def judge(scene: Scene, mutant: Mutant) -> str:
    """Make a change, run its tests, take it back; say what came of it."""
    near, others = scene.tests_of(mutant)
    if not near:
        return "not reached"
    with open(os.path.join(scene.folder, mutant.module), encoding="utf-8") as file:
        source = file.read()
    with _instead(os.path.join(scene.folder, mutant.module), mutated(source, mutant)):
        verdict = _run(scene, near)
        return _run(scene, others) if verdict == "survived" and others else verdict


@contextlib.contextmanager
def _instead(path: str, text: str) -> Iterator[None]:
    """Put a text in a module's place for a while."""
    before = os.stat(path)
    with open(path, "rb") as file:
        content = file.read()
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        # Compiled code is told by its source's second: no mutant may pass for another.
        os.utime(path, (before.st_atime, before.st_mtime + 10 + random.Random().randrange(10**6)))
        yield
    finally:
        with open(path, "wb") as file:
            file.write(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _run(scene: Scene, tests: list[str]) -> str:
    limit = 20 + PATIENCE * sum(scene.cost[name] for name in tests)
    child = os.fork()
    if not child:
        _be_pytest(scene, tests)
    end = monotonic() + limit
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        if monotonic() > end:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "killed by time"
        sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # whatever a test has left running
    code = os.waitstatus_to_exitcode(status)
    if code in BROKEN:
        raise RuntimeError(f"pytest ended with {code}; see {scene.folder}/last.log")
    return "killed" if code else "survived"


def _be_pytest(scene: Scene, tests: list[str]) -> None:
    """Run tests in this process, which is a fork, and end it."""
    code = 99
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.chdir(scene.folder)
        quiet = os.open(os.path.join(scene.folder, "last.log"), os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.environ.update(scene.environment())
        sys.dont_write_bytecode = True
        sys.path[:] = [os.path.join(scene.folder, "src"), scene.folder, *_others()]
        for name in [n for n in sys.modules if n.partition(".")[0] in OURS]:
            del sys.modules[name]
        import pytest

        code = int(
            pytest.main([*PYTEST, *PRELOADED, SEEDED, f"--basetemp={scene.folder}/places", *tests])
        )
    except BaseException:  # noqa: BLE001 - told, and then the fork ends
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _others() -> list[str]:
    ours = {ROOT, os.path.join(ROOT, "src"), ""}
    return [path for path in sys.path if path not in ours]


def chosen(
    scene: Scene, groups: Iterable[str], *, count: int, seed: int
) -> dict[str, list[Mutant]]:
    """Draw mutants from each group."""
    found = {}
    for group in groups:
        every: list[Mutant] = []
        for path in sorted(_modules(scene, GROUPS[group])):
            with open(os.path.join(scene.folder, path), encoding="utf-8") as file:
                every += mutants(path, file.read())
        found[group] = random.Random(f"{seed} {group}").sample(every, min(count, len(every)))
    return found


def _survivors(scene: Scene, path: str) -> dict[str, list[Mutant]]:
    """Return the mutants that an earlier run printed as survivors, wherever their lines are now."""
    with open(path, encoding="utf-8") as file:
        told = re.findall(r"^(?:SURVIVED|NOT REACHED)  (\S+):\d+(: .*)$", file.read(), re.MULTILINE)
    names = {module + rest for module, rest in told}
    every = chosen(scene, GROUPS, count=sys.maxsize, seed=0)
    return {group: [one for one in row if one.name in names] for group, row in every.items()}


def _modules(scene: Scene, patterns: tuple[str, ...]) -> Iterable[str]:
    top = os.path.join(scene.folder, "src/varves")
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), top)
            if path not in NEVER_RUN and any(fnmatch(path, one) for one in patterns):
                yield f"src/varves/{path}"


def equivalents(path: str = EQUIVALENT) -> dict[str, str]:
    """Read the changes that nothing could notice, with the reason for each."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, reason = line.rstrip("\n").rpartition("  # ")
                found[name] = reason
    return found


def main() -> int:
    """Run, print each survivor, and keep the outcome; 1 if the target is missed."""
    ask = argparse.ArgumentParser(prog="python -m torture.mutants", description=__doc__)
    ask.add_argument("groups", nargs="*", choices=[*GROUPS, []], help="default: all of them")
    ask.add_argument("--count", type=int, default=60, help="mutants of each group")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--jobs", type=int, default=2, help="processes for the first, unchanged run")
    ask.add_argument("--minutes", type=float, default=35, help="stop after so long")
    ask.add_argument("--tests", nargs="*", default=TESTS, help="only these files and folders")
    ask.add_argument("--again", default="", help="only what survived, by an earlier output")
    ask.add_argument("--match", default="", help="only mutants whose line holds this")
    ask.add_argument("--scene", default="", help="a folder to keep the copy and its trace in")
    ask.add_argument("--keep", action="store_true", help="keep the outcome as row R20")
    given = ask.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the change is taken back
    began = monotonic()
    with tempfile.TemporaryDirectory(prefix="varves-mutants-") as place:
        scene = Scene(given.scene or place)
        if not os.path.exists(f"{scene.folder}/.coverage"):
            scene.copy()
            scene.trace(given.jobs, given.tests)
        scene.learn()
        facts = {k: v for k, v in machine(place).items() if k not in ("date", "load before")}
        drawn = chosen(scene, given.groups or GROUPS, count=given.count, seed=given.seed)
        if given.again:
            drawn = _survivors(scene, given.again)
        found = _judge_all(scene, drawn, match=given.match, until=began + 60 * given.minutes)
        tried = [path for group in drawn for path in _modules(scene, GROUPS[group])]
        covered = scene.covered(tried)
    figures = _told(found) | {"branch_coverage_percent": covered}
    print(json.dumps(figures, indent=1))
    if given.keep:
        failed = () if figures["killed_percent"] >= TARGET else ("fewer are killed than asked for",)
        keep = Outcome("R20", figures, len(found), failed, (), round(monotonic() - began, 1))
        save(
            keep.__class__(
                **{**keep.__dict__, "date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": facts}
            )
        )
    return int(figures["killed_percent"] < TARGET)


def _judge_all(
    scene: Scene, drawn: dict[str, list[Mutant]], *, match: str, until: float
) -> dict[str, Counter[str]]:
    """Judge mutants of all groups in turn, so that each has its share whenever time is up."""
    import hypothesis  # noqa: F401 - loaded once, for every fork
    import pytest  # noqa: F401 - the same

    excused = equivalents()
    _control(scene, sorted({one.module for row in drawn.values() for one in row[:3]}))
    found: dict[str, Counter[str]] = {group: Counter() for group in drawn}
    order = [
        (n / len(row), group, one) for group, row in drawn.items() for n, one in enumerate(row)
    ]
    for _, group, mutant in sorted(order, key=lambda entry: entry[:2]):
        if match not in str(mutant) or monotonic() > until:
            continue
        verdict = "equivalent" if mutant.name in excused else judge(scene, mutant)
        found[group][verdict] += 1
        if verdict in ("survived", "not reached"):
            print(f"{verdict.upper()}  {mutant}", flush=True)
    return found


def _control(scene: Scene, modules: Iterable[str]) -> None:
    """See that tests pass where nothing is changed, and fail where a module cannot be loaded."""
    tests = sorted(scene.cost, key=lambda name: scene.cost[name])[:: max(1, len(scene.cost) // 60)]
    if _run(scene, tests) != "survived":
        raise RuntimeError(f"the tests fail without any change; see {scene.folder}/last.log")
    for module in modules:
        tests = scene.tests_of(Mutant(module, 1, 1, "", "", 0, 0))[0][:5]
        with _instead(os.path.join(scene.folder, module), "raise ImportError\n"):
            if tests and _run(scene, tests) != "killed":
                raise RuntimeError(f"the tests do not load {module} from the copy")


def _told(found: dict[str, Counter[str]]) -> dict[str, float | str]:
    every: Counter[str] = sum(found.values(), Counter())
    figures: dict[str, float | str] = {}
    for group, counts in found.items():
        figures[group] = f"{_killed(counts)} of {_killed(counts) + _left(counts)} killed"
    killed, left = _killed(every), _left(every)
    figures |= {"mutants": killed + left, "killed": killed, "survived": left}
    figures["killed_by_time"] = every["killed by time"]
    figures["equivalent"] = every["equivalent"]
    figures["killed_percent"] = round(100 * killed / max(1, killed + left), 1)
    return figures


def _killed(counts: Counter[str]) -> int:
    return counts["killed"] + counts["killed by time"]


def _left(counts: Counter[str]) -> int:
    return counts["survived"] + counts["not reached"]


if __name__ == "__main__":
    sys.exit(main())

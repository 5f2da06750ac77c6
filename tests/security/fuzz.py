"""Hostile input, made from a seed: argument lists, files to take in, logs to read.

A world is a small ledger of its own in which some dozens of calls are made, so that odd calls meet
odd states. Every call goes through the same door as a person's, and is judged by one law, whatever
was asked: a documented exit code, one document or one line, no traceback, soon done, and nothing
written that was refused.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import varves
from tests.security.fuzz_input import argument_list, batch, bitten, forged_file, settings_file
from varves.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# what recall says beside its hits, or beside what --explain prints
HINTS = (
    "varves: nothing found",
    "varves: only weak matches; ",
    "varves: memories of a session are recalled in it only; ",
)
MUSEUM = Path(__file__).parents[1] / "museum" / "whole"
CODES = frozenset(range(7))
SECONDS = 2.0
PLAYING = 10.0  # `deliberation demo` holds a discussion of 120 messages
HANGS = 60  # wall seconds after which a call is broken off; a busy machine is no hang
ERRORS = ("strict", "backslashreplace")  # as the interpreter opens stdout and stderr
READERS = (
    *(("list", "--status", "all"), ("recall", "input words"), ("conflicts",), ("log",)),
    *(("status",), ("verify", "--deep"), ("rebuild",), ("doctor",), ("export",), ("brief",)),
    *(("export", "--format", "markdown", "--private"), ("list", "--as-of", "2026-11-16")),
    *(("doctor", "--dry-run"), ("pack", "--dry-run"), ("doctor", "--restore")),
    *(("remember", "Said beside a hostile file"), ("undo",), ("pack",), ("doctor", "--fix")),
)
# A plan goes to stderr before it is acted on, and so does what is told beside a block to inject,
# and each line that an import refuses.
SAYS_MORE = ("--dense", "doctor", "hivemind", "import", "layers", "party", "rebuild", "scoped")
SAID = ("closed",)  # a trusted file may say of a segment what is not so; that is told, not hidden


class Hang(BaseException):
    """A call that does not end; no `except Exception` may take it for something else."""


@dataclass
class Call:
    """One call and what came of it."""

    argv: list[str]
    stdin: bytes = b""
    code: int = -1
    out: str = ""
    err: str = ""
    seconds: float = 0.0
    escaped: str = ""

    def told(self) -> str:
        """Say it so that it can be made again."""
        said = ", ".join(_cut(repr(part)) for part in self.argv)
        return (
            f"main([{said}]) with stdin {_cut(repr(self.stdin))} -> {self.code},"
            f" out {_cut(repr(self.out))}, err {_cut(repr(self.err))} {self.escaped}"
        )


def _cut(text: str, longest: int = 300) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text)} characters)"


@dataclass
class Count:
    """What a run came to."""

    inputs: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)


class World:
    """A ledger to be hurt, and the count of what was done to it."""

    def __init__(self, place: Path, seed: str, count: Count, *, run: Callable[..., int] = main):
        self.root, self.seed, self.count, self.run = place / "project", seed, count, run
        self.rng = random.Random(seed)
        self.ids: list[str] = []

    def ask(self, argv: list[str], stdin: bytes = b"", *, whole: bool = True) -> Call:
        """Make a call, and judge it; `whole` where the log was sound before."""
        call = Call(argv, stdin)
        before = _listing(self.root)
        call_main(call, self.run)
        self.count.calls += 1
        self.count.codes[call.code] += 1
        self.count.slowest = max(self.count.slowest, call.seconds)
        wrong = judged(call)
        if not wrong and call.code not in (0, 1) and whole and _listing(self.root) != before:
            wrong = self._half_written(call)
        if wrong and len(self.count.faults) < 50:
            self.count.faults.append(f"{wrong}: world {self.seed}: {call.told()}")
        return call

    def _half_written(self, call: Call) -> str:
        """A refused call may have written only what is whole, and only for lines it took."""
        with varves.open(self.root) as ledger:
            found = ledger.verify(deep=True)
        if wrong := [one.as_dict() for one in found.damage if one.rule not in SAID]:
            return f"damaged: {wrong[0]}"
        several = {"--batch", "import"} & {part.partition("=")[0] for part in call.argv}
        return "" if several or call.code == 6 else "refused, and yet something was written"


def judged(call: Call) -> str:
    """Say what of the law a call has broken, or nothing."""
    if call.escaped:
        return "an exception got out"
    if call.code not in CODES:
        return "an exit code that is not documented"
    if "Traceback (most recent" in call.err or call.err.startswith("varves: internal error"):
        return "an internal error"
    if call.seconds > (PLAYING if "demo" in call.argv else SECONDS):
        return f"took {call.seconds:.1f} s of the processor"
    options = call.argv[: call.argv.index("--")] if "--" in call.argv else call.argv
    more = any(word in call.argv for word in SAYS_MORE)
    if "hook" in options and (call.code, call.out, call.err) == (0, "", ""):
        return ""  # an agent's hook fails open, and `--json` is not its form
    unasked = (call.code, call.stdin, call.out, call.err) == (0, b"", "", "")
    if "mcp" in options and (unasked or call.out.startswith('{"jsonrpc":"2.0",')):
        return ""  # a server speaks its own protocol; `fuzz_messages` holds it to that
    if call.code in (0, 1, 3):
        call = replace(call, err=_but_settings(call.err))
    if "--json" in options:
        return _one_document(call) or ("" if more or not call.err else "stderr beside --json")
    return _raw(call) or _one_line(call, more=more)


def _but_settings(err: str) -> str:
    """Leave out one line about settings without effect, which any verb says beside its answer."""
    first, _, rest = err.partition("\n")
    return rest if first.startswith("varves: .varves/settings.toml: ") else err


def _raw(call: Call) -> str:
    """Look for what would steer a terminal."""
    for ch in call.out + call.err:
        if ch == "\x7f" or (ch < " " and ch not in "\n\x1b"):
            return "a raw control character"
    asked = "always" in " ".join(call.argv)
    return "an escape sequence nobody asked for" if "\x1b" in call.out and not asked else ""


def _one_line(call: Call, *, more: bool) -> str:
    """Ask for an answer or one line that says why there is none."""
    if not call.err:
        return "" if call.code in (0, 1, 3) else "refused without a word"
    if more:
        return ""
    one_line = call.err.endswith("\n") and call.err.count("\n") == 1
    if not one_line or not call.err.startswith("varves: "):
        return "not one line on stderr"
    hinted = call.err.startswith(HINTS)
    return "an answer and an error" if call.out and not hinted else ""


def _one_document(call: Call) -> str:
    try:
        found = json.loads(call.out, parse_constant=_no_constant)
    except ValueError as fault:
        return f"not one JSON document ({fault})"
    error = found.get("error") if isinstance(found, dict) else None
    if call.code in (2, 4, 5, 6) and error is None:
        return "refused without an error"
    if error is not None and error.get("code") == "internal":
        return "an internal error"
    if error is not None and set(error) != {"code", "message", "hint"}:
        return "an error of another shape"
    return "" if call.out.count("\n") == 1 and call.out.endswith("\n") else "more than one line"


def _no_constant(word: str) -> None:
    raise ValueError(word)


def call_main(call: Call, run: Callable[..., int]) -> None:
    """Call the command line in this process, its streams caught, its time taken."""
    kept = sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=how) for how in ERRORS)
    sys.stdin = io.TextIOWrapper(io.BytesIO(call.stdin), encoding="utf-8")
    sys.stdout, sys.stderr = out, err
    began = time.process_time()
    try:
        with no_hang():
            call.code = run(call.argv)
    except (Exception, SystemExit, Hang) as fault:  # noqa: BLE001 - whatever gets out is a finding
        call.escaped = f"{type(fault).__name__}: {_cut(str(fault))}"
    finally:
        call.seconds = time.process_time() - began
        sys.stdin, sys.stdout, sys.stderr = kept
    call.out, call.err = (_written(stream) for stream in (out, err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.detach().getvalue().decode("utf-8", "surrogateescape")  # type: ignore[attr-defined]


@contextmanager
def no_hang() -> Iterator[None]:
    """Break off what does not end."""

    def ring(*_: object) -> None:
        raise Hang(f"no end after {HANGS} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _listing(root: Path) -> list[tuple[str, int]]:
    """Return the files of the logs, each with its size."""
    found = []
    for folder in (root / ".varves" / "log", root / ".varves" / "private" / "log"):
        for where, inside, names in os.walk(folder):
            inside[:] = [
                name for name in inside if name != ".varves"
            ]  # begun by --root .varves/log
            for name in names:
                path = os.path.join(where, name)
                found.append((path, os.lstat(path).st_size))
    return sorted(found)


# ------------------------------------------------------------------------------------- the worlds


@contextmanager
def world(place: Path, seed: str, count: Count, **given: Any) -> Iterator[World]:
    """Give a world of its own, and take it away again."""
    here, scene = os.getcwd(), World(place, seed, count, **given)
    kind = scene.rng.choice(("seed", "seed", "seed", "museum", "git"))
    shutil.copytree(place / kind, scene.root)
    try:
        os.chdir(scene.root)
        yield scene
    finally:
        os.chdir(here)
        shutil.rmtree(scene.root, ignore_errors=True)


def plant(place: Path) -> None:
    """Make the ledger every world begins with: something of every kind, in a few events."""
    root = place / "seed"
    root.mkdir()
    with varves.open(root, actor="ada", session="s1") as ledger:
        first = ledger.remember("Use Zod for all input validation", tags=["input"]).id
        second = ledger.correct(first, "Use Valibot for input", reason="smaller").id
        ledger.edit(second, tag=["+security"], priority="high", ttl="30d", confidence=0.5)
        gone = ledger.remember("Words that go", type="decision", source="https://example.org").id
        ledger.forget(gone, reason="no longer true")
        ledger.restore(gone)
        ledger.undo()
        ledger.remember("Only for this clone", private=True)
        ledger.share(ledger.remember("Private, then shared", private=True).id)
        rival = ledger.remember("Tabs are used").id
        ledger.correct(rival, "Spaces are used")
        ledger.through("tool").remember("Said by a tool")
        ledger.purge(ledger.remember("To be erased").id, reason="asked")
        ledger.remember("For a session only", scope="session:s1")
        ledger.remember("A longer text. " * 200, at="2026-11-01", speaker="Ada")
        lines = ledger.export(private=True)
    (place / "export.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copytree(root, place / "museum")  # with a pack, and a text too long for a line
    shutil.copytree(MUSEUM, place / "museum" / ".varves", dirs_exist_ok=True)
    shutil.copytree(root, place / "git")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "x")):
        subprocess.run(["git", *words], cwd=place / "git", check=True)


def try_arguments(place: Path, seed: str, count: Count, *, calls: int, **given: Any) -> None:
    """Hand argument lists over, one after another, to one ledger."""
    with world(place, seed, count, **given) as here:
        known = names(here)
        for _ in range(calls):
            argv, stdin = argument_list(here.rng, known)
            count.inputs["command line"] += 1
            call = here.ask(argv, stdin)
            count.answered[argv[0] if argv and call.code == 0 else ""] += 1
            if call.code == 0 and "--json" in argv and here.rng.random() < 0.3:
                known = (known + _ids_in(call.out))[-60:]
        still_whole(here)


def try_imports(place: Path, seed: str, count: Count, *, calls: int, **given: Any) -> None:
    """Hand files over to `import` and `remember --batch`."""
    export = (place / "export.jsonl").read_bytes()
    with world(place, seed, count, **given) as here:
        rng = here.rng
        for _ in range(calls):
            json_too = ["--json"] * rng.randrange(2)
            count.inputs["import"] += 1
            if rng.random() < 0.4:
                content = batch(rng)
                stdin = rng.random() < 0.5
                if not stdin:
                    Path("given.jsonl").write_bytes(content)
                words = ["remember", "--batch", "-" if stdin else "given.jsonl"]
                here.ask([*words, *json_too], content if stdin else b"")
                continue
            content = bitten(rng, export) if rng.random() < 0.4 else forged_file(rng, export)
            Path("given.jsonl").write_bytes(content)
            words = ["import", "jsonl", "given.jsonl"]
            words += [flag for flag in ("--trust", "--dry-run", "--allow-secret") if _maybe(rng)]
            here.ask([*words, *json_too])
        still_whole(here)


def try_replay(place: Path, seed: str, count: Count, *, calls: int, **given: Any) -> None:
    """Hurt a ledger's files, and ask for everything that reads them."""
    with world(place, seed, count, **given) as here:
        rng, folder = here.rng, here.root / ".varves"
        whole = {path: path.read_bytes() for path in _files(folder)}
        known = names(here)
        for _ in range(calls):
            count.inputs["replay"] += 1
            hurt = _hurt(rng, folder, whole)
            askers = [list(rng.choice(READERS)) for _ in range(2)]
            if known and _maybe(rng):
                askers.append([rng.choice(("show", "history", "why")), rng.choice(known)])
            for argv in askers:
                here.ask([*argv, *["--json"] * rng.randrange(2)], whole=False)
            for path in _files(folder):
                if path not in whole:
                    path.unlink(missing_ok=True)
            for path in hurt:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(whole[path])
            for path, content in whole.items():
                if not path.is_file() or path.stat().st_size != len(content):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)


def _hurt(rng: random.Random, folder: Path, whole: dict[Path, bytes]) -> list[Path]:
    """Change one file of a ledger, or lay a hostile one beside the others."""
    kind = rng.random()
    if kind < 0.45:
        month = rng.choice(["2026-11", "2026-11", "1999-01", "9999-99", "x"])
        ends = rng.choice([".jsonl", ".jsonl", ".pack.jsonl"])
        target = folder / "log" / month / f"20261115-hostil-{rng.randrange(10**9):010}{ends}"
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = b"".join(content for path, content in whole.items() if path.suffix == ".jsonl")
        target.write_bytes(forged_file(rng, lines, pack=ends == ".pack.jsonl"))
        return []
    if kind < 0.55:
        target = folder / rng.choice(["settings.toml", "format.json", ".gitignore"])
        if target not in whole:
            whole[target] = b""
        target.write_bytes(settings_file(rng))
        return [target]
    path = rng.choice(sorted(whole))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bitten(rng, whole[path]))
    return [path]


def _files(folder: Path) -> list[Path]:
    """Return a ledger's own files; what is derived or only tidy is not truth and not here."""
    every = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in every if "local" not in path.relative_to(folder).parts]


def still_whole(here: World) -> None:
    """After all those calls the log must be whole."""
    call = here.ask(["verify", "--json"])
    damage = json.loads(call.out).get("damage", [{"rule": "none said"}])
    if wrong := [one for one in damage if one["rule"] not in SAID]:
        here.count.faults.append(f"not whole afterwards: world {here.seed}: {wrong[:3]}")


def names(here: World) -> list[str]:
    """Return the ids of the memories and some events of a world."""
    with varves.open(here.root) as ledger:
        memories = [memory.id for memory in ledger.list(status="all")]
        return memories + [event.id for event in ledger.log()][:10]


def _ids_in(out: str) -> list[str]:
    try:
        found = json.loads(out)
    except ValueError:  # --json stood behind --, and was a text
        return []
    return [
        str(found[key]) for key in ("id", "event") if isinstance(found, dict) and found.get(key)
    ]


def _maybe(rng: random.Random) -> bool:
    return rng.random() < 0.4

"""Bad input to either protocol: one clear line, exit code 2 or 3, and every byte as it was."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LINE = re.compile(r"varves: [^;\n]+; [^\n]+\n")
SCOPED_WRITE = ("scoped", "write", "project", "shop", "--type", "decision")
SCOPED_TEXT = (*SCOPED_WRITE, "--content", "Use Valibot for parsing")
HIVEMIND_WRITE = ("hivemind", "write", "--type", "factual", "--scope", "project:shop")
HIVEMIND_TEXT = (*HIVEMIND_WRITE, "--content", "The API speaks JSON")
LARGE = b"stone upon stone " * (11 * 2**20 // 17 + 1)


def everything(project: Path, home: Path) -> dict[str, bytes]:
    """Read each file of the store, its logs and its views; not what is derived from them."""
    places = (project / ".varves", project / "memory", project / ".git/varves", home / "varves")
    return {
        str(path): path.read_bytes()
        for place in places
        for path in sorted(place.rglob("*"))
        if path.is_file() and "local" not in path.relative_to(place).parts
    }


@pytest.fixture
def store(project, home, cli):
    """Give a project in which both protocols have been at work."""
    assert cli("scoped", "init", "--project", "shop", "--team", "core").code == 0
    assert cli(*SCOPED_WRITE, "--content", "Use Zod for all input validation").code == 0
    assert cli("hivemind", "init", "--project", "shop").code == 0
    assert cli(*HIVEMIND_WRITE, "--content", "Sessions live in Redis", "--tag", "redis").code == 0
    before = everything(project, home)
    assert {"memory.json", "_index.json"} <= {Path(name).name for name in before}
    return before


def assert_refused(said, codes=(2, 3)) -> None:
    assert said.code in codes, said
    assert said.out == ""
    assert LINE.fullmatch(said.err), said.err
    assert "internal error" not in said.err


UNKNOWN_TYPE = {
    "scoped": ("scoped", "write", "project", "shop", "--type", "fact", "--content", "x"),
    "scoped read": ("scoped", "read", "project", "shop", "--type", "fact"),
    "hivemind": ("hivemind", "write", "--type", "decision", "--content", "x"),
}
CONFIDENCE = {
    f"{name} {value}": (*argv, f"--confidence={value}")
    for name, argv in {"scoped": SCOPED_TEXT, "hivemind": HIVEMIND_TEXT}.items()
    for value in ("-0.1", "1.1", "nan", "high")
}
DURATION = {
    "scoped older-than": ("scoped", "stale", "--older-than", "soon"),
    "scoped unused-for": ("scoped", "stale", "--unused-for", "P-3D"),
    "hivemind 30d": (*HIVEMIND_TEXT, "--ttl", "30d"),
    "hivemind P": (*HIVEMIND_TEXT, "--ttl", "P"),
    "hivemind soon": (*HIVEMIND_TEXT, "--ttl", "soon"),
}
UNSAFE = {
    "scoped write project": (
        *("scoped", "write", "project", "../evil", "--type", "decision", "--content", "x"),
    ),
    "scoped write team": (
        *("scoped", "write", "team", "../../evil", "--type", "decision", "--content", "x"),
    ),
    "scoped read": ("scoped", "read", "project", "../evil"),
    "scoped rank": ("scoped", "rank", "team", "../evil"),
    "scoped forget": (
        *("scoped", "forget", "--id", "../mem-001", "--scope", "project", "--reason", "x"),
        *("--project", "shop"),
    ),
    "scoped forget project": (
        *("scoped", "forget", "--id", "mem-001", "--scope", "project", "--reason", "x"),
        *("--project", "../shop"),
    ),
    "scoped search": ("scoped", "search", "--query", "x", "--project", "../shop"),
    "scoped init": ("scoped", "init", "--project", "../evil"),
    "scoped session": ("scoped", "session", "start", "--project", "../evil"),
    "scoped team session": ("scoped", "session", "start", "--team", "../evil"),
    "scoped inject": ("scoped", "inject", "../system-prompt.md"),
    "scoped inject into the log": ("scoped", "inject", ".varves/format.json"),
    "scoped inject into a file of ours": ("scoped", "inject", "memory/projects/shop/memory.json"),
    "scoped inject into git": ("scoped", "inject", ".git/config"),
    "hivemind write": (
        *("hivemind", "write", "--type", "factual", "--content", "x"),
        *("--scope", "project:../evil"),
    ),
    "hivemind agent": ("hivemind", "task", "x", "--agent", "../DEV-001"),
    "hivemind team": ("hivemind", "task", "x", "--team", "../evil"),
    "hivemind project": ("hivemind", "task", "x", "--project", "../evil"),
    "hivemind init": ("hivemind", "init", "--project", "../evil"),
    "hivemind session": ("hivemind", "session", "start", "--project", "../evil"),
    "hivemind handoff": ("hivemind", "handoff", "../QA-001", "--summary", "x"),
    "hivemind search": ("hivemind", "search", "x", "--scope", "team:../evil"),
    "hivemind error": ("hivemind", "error", "timeout", "x", "--agent", "../DEV-001"),
    "hivemind error team": ("hivemind", "error", "timeout", "x", "--team", "../evil"),
    "hivemind done": ("hivemind", "done", "Fact: x is y", "--agent", "../DEV-001"),
    "hivemind done team": ("hivemind", "done", "Fact: x is y", "--team", "../evil"),
    "hivemind done project": ("hivemind", "done", "Fact: x is y", "--project", "../evil"),
}
CREATOR = {
    "hivemind write": ("--actor", "bob", *HIVEMIND_TEXT),
    "hivemind error": ("hivemind", "error", "timeout", "x", "--agent", "bob"),
    "hivemind done": ("hivemind", "done", "Fact: x is y", "--agent", "bob"),
}
BLANK = {
    "scoped": (*SCOPED_WRITE, "--content", "  "),
    "scoped note": ("scoped", "note", ""),
    "scoped search": ("scoped", "search", "--query", " "),
    "scoped forget": (
        *("scoped", "forget", "--id", "mem-001", "--scope", "project", "--project", "shop"),
        *("--reason", " "),
    ),
    "hivemind": (*HIVEMIND_WRITE, "--content", "  "),
    "hivemind task": ("hivemind", "task", " "),
    "hivemind search": ("hivemind", "search", ""),
    "hivemind error": ("hivemind", "error", "timeout", " "),
    "hivemind error tag": ("hivemind", "error", "timeout", "x", "--tag", " "),
    "hivemind done": ("hivemind", "done", ""),
    "hivemind handoff": ("hivemind", "handoff", "QA-001", "--summary", " "),
}
REPORTS = {
    "hivemind facts": b'{"facts": "x"}',
    "hivemind unknown key": b'{"learnings": ["x"]}',
    "hivemind list": b"[]",
    "hivemind no solution": b'{"errors": [{"error": "x"}]}',
    "hivemind nested": b"[" * 50_000,
    "hivemind not text": b"\xff",
    "hivemind scope": b'{"facts": [{"text": "x", "scope": "team:../evil"}]}',
    "hivemind priority": b'{"facts": [{"text": "x"}, {"text": "y", "priority": "urgent"}]}',
}
CASES = {
    "type": UNKNOWN_TYPE,
    "confidence": CONFIDENCE,
    "duration": DURATION,
    "path": UNSAFE,
    "creator": CREATOR,
    "blank": BLANK,
}
each_rule = pytest.mark.parametrize("rule", CASES)


@pytest.mark.full_size(sample=1)
@each_rule
def test_what_breaks_a_rule_is_refused_and_nothing_is_written(rule, store, cli, project, home):
    for case, argv in CASES[rule].items():
        assert_refused(cli(*argv))
        assert everything(project, home) == store, case
    assert not list(project.parent.rglob("*evil*"))


@pytest.mark.full_size(sample=1)
@each_rule
def test_where_nothing_is_yet_a_refusal_makes_nothing(rule, cli, project, home):
    for case, argv in CASES[rule].items():
        assert_refused(cli(*argv), (2, 3, 4))
        assert everything(project, home) == {}, case
        assert [path.name for path in project.iterdir()] == [".git"], case


def test_a_report_that_breaks_a_rule_teaches_nothing(store, cli, project, home):
    for case, report in REPORTS.items():
        assert_refused(cli("hivemind", "done", "--report", "-", stdin=report))
        assert everything(project, home) == store, case


@pytest.mark.parametrize(
    "argv",
    [UNKNOWN_TYPE["scoped"], UNSAFE["scoped read"], UNSAFE["hivemind agent"]],
    ids=["type", "path", "agent"],
)
def test_with_json_it_is_one_document(argv, cli):
    said = cli(*argv, "--json")
    assert (said.code in (2, 3), said.err) == (True, "")
    assert set(said.json["error"]) == {"code", "message", "hint"}


def test_a_number_that_two_projects_have_is_refused_without_a_project(store, cli, project, home):
    other = ("scoped", "write", "project", "bank", "--type", "decision", "--content", "Use Yup")
    assert cli(*other).out.startswith("mem-001")
    before = everything(project, home)
    said = cli("scoped", "forget", "--id", "mem-001", "--scope", "project", "--reason", "Outdated")
    assert_refused(said, (3,))
    assert {"shop", "bank", "--project"} <= set(re.findall(r"[\w-]+", said.err))
    assert everything(project, home) == before


@pytest.mark.parametrize("argv", [SCOPED_WRITE, HIVEMIND_WRITE], ids=["scoped", "hivemind"])
def test_a_content_of_11_megabytes_is_refused(argv, store, cli, project, home):
    assert len(LARGE) > 11 * 2**20
    assert_refused(cli(*argv, "--content", "-", stdin=LARGE), (3,))
    assert everything(project, home) == store


# Places that cannot be written


@pytest.fixture
def seal() -> Iterator[Callable[[Path], None]]:
    """Make a folder or file read-only: by a mount for root, whom permissions do not bind."""
    sealed: list[Path] = []

    def mount(*args: str) -> None:
        done = subprocess.run(["mount", *args], capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")

    def close(path: Path) -> None:
        if os.geteuid():
            path.chmod(0o555 if path.is_dir() else 0o444)
        elif shutil.which("mount") is None:
            pytest.skip("nothing can be mounted here")
        else:
            mount("--bind", str(path), str(path))
        sealed.append(path)
        if not os.geteuid():
            mount("-o", "remount,ro,bind", str(path))

    yield close
    for path in reversed(sealed):
        if os.geteuid():
            path.chmod(0o755 if path.is_dir() else 0o644)
        else:
            subprocess.run(["umount", "--lazy", str(path)], check=True)


WRITES = pytest.mark.parametrize(
    ("argv", "folder"),
    [(SCOPED_TEXT, "memory/projects/shop"), (HIVEMIND_TEXT, "memory/projects/shop")],
    ids=["scoped", "hivemind"],
)


@pytest.mark.full_size(sample=1)
@WRITES
def test_a_read_only_folder_is_refused(argv, folder, store, cli, project, home, seal):
    seal(project / folder)
    assert_refused(cli(*argv), (3,))
    assert everything(project, home) == store


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("argv", "file"),
    [
        (SCOPED_TEXT, "memory/projects/shop/memory.json"),
        (HIVEMIND_TEXT, "memory/projects/shop/_index.json"),
    ],
    ids=["scoped", "hivemind"],
)
def test_a_file_that_somebody_locked_is_refused(argv, file, store, cli, project, home):
    with open(project / file, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert_refused(cli(*argv), (3,))
        assert everything(project, home) == store
    assert cli(*argv).code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("argv", "file"),
    [
        (SCOPED_TEXT, "memory/projects/shop/memory.json"),
        (HIVEMIND_TEXT, "memory/projects/shop/_index.json"),
    ],
    ids=["scoped", "hivemind"],
)
def test_a_file_without_permission_to_write_is_refused(argv, file, store, cli, project, home):
    """Replacing it would do away with what its owner asked for; the mode alone says so."""
    (project / file).chmod(0o444)
    assert_refused(cli(*argv), (3,))
    assert everything(project, home) == store
    (project / file).chmod(0o644)
    assert cli(*argv).code == 0


@pytest.mark.full_size(sample=1)
@WRITES
def test_after_a_refusal_the_next_write_goes_on(argv, folder, store, cli):
    assert cli(*argv[:-1], " ").code in (2, 3)
    assert cli(*argv).code == 0
    assert cli(argv[0], "validate").code == 0
    assert cli("verify", "--deep").code == 0

"""Bad input to the four layers: one clear line, a fixed exit code, and every byte as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.protocols.test_bad_input import LARGE, assert_refused, seal

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["seal"]

AGENTS = """\
# Rules

## Do
- Keep functions short

## Don't
- Touch generated files
"""
EVENT = {
    "--type": "decision",
    "--scope": "project",
    "--title": "Sessions move",
    "--what": "Sessions live in Redis",
    "--why": "One store is enough",
    "--impact": "The login",
    "--next": "Measure it",
}
BLOCK = """\
## 2026-11-14 10:00 — Login is fast

**Type:** result
**Scope:** project

### What
It takes 20 ms.

### Why
We measured it.

### Impact
None.

### Next Steps
Nothing.
"""


def append(**parts: str | None) -> tuple[str, ...]:
    """Return an append with some parts changed, or left out where they are None."""
    given = {**EVENT, **{f"--{name}": part for name, part in parts.items()}}
    return ("layers", "append", *(f"{n}={part}" for n, part in given.items() if part is not None))


def everything(project: Path, home: Path) -> dict[str, bytes]:
    """Read each file of the project and its logs; not what is derived, not what git keeps."""
    found = {}
    for top in (project, project / ".git/varves", home / "varves"):
        for place, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name not in (".git", "local")]
            for name in names:
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    found[path] = file.read()
    return found


def git(project: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=project, check=True, capture_output=True)


@pytest.fixture
def store(project, home, cli):
    """Give a project with a log, its views and a commit."""
    (project / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    assert cli("layers", "init").code == 0
    assert cli("layers", "boot").code == 0
    assert cli(*append()).code == 0
    assert cli("layers", "rebuild").code == 0
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "start")
    before = everything(project, home)
    assert {"CHANGELOG.md", "graph.md", "context.md"} <= {os.path.basename(n) for n in before}
    return before


RULES = {
    "unknown type": append(type="idea"),
    "no type": append(type=None),
    "unknown scope": append(scope="universe"),
    "no scope": append(scope=None),
    "no Why": append(why=None),
    "blank Why": append(why=" \t"),
    "no What": append(what=None),
    "blank title": append(title=" "),
    "not a time": append(at="soon"),
    "file outside": (*append(), "--files", "src/a.py", "../evil.py"),
    "file at the root": (*append(), "--files", "/etc/evil"),
    "reserved file": (*append(), "--files", "CON"),
    "draft without Why": (*append(why=None), "--draft"),
    "text and options": ("layers", "append", BLOCK, "--type=result"),
    "text without event": ("layers", "append", "only words"),
    "blank text": ("layers", "append", "  "),
    "text without Why": ("layers", "append", BLOCK.replace("We measured it.", "")),
    "one of two without Why": (
        "layers",
        "append",
        BLOCK + "\n" + BLOCK.replace("We measured it.", ""),
    ),
    "text of unknown type": ("layers", "append", BLOCK.replace("result", "idea")),
    "unknown reason": ("layers", "handoff", "--to", "ben", "--reason", "bored"),
    "blank receiver": ("layers", "handoff", "--to", " ", "--reason", "task complete"),
    "shutdown for no reason": ("layers", "shutdown", "--to", "ben", "--reason", "bored"),
    "shutdown with a file outside": ("layers", "shutdown", "--files", "../evil.py"),
    "shutdown without Why": ("layers", "shutdown", BLOCK.replace("We measured it.", "")),
    "unknown format": ("layers", "graph", "show", "--format", "png"),
    "unknown kind": ("layers", "graph", "query", "--kind", "person"),
    "unknown relation": ("layers", "graph", "neighbours", "a", "--relation", "likes"),
    "no depth": ("layers", "graph", "neighbours", "a", "--depth", "0"),
    "blank search": ("layers", "find", " "),
    "both ways": ("layers", "resolve", "mem_4k2m9x7q1c5d", "--accept", "--restore"),
}
MISSING = {
    "resolve": ("layers", "resolve", "mem_4k2m9x7q1c5d", "--accept"),
    "accept": ("layers", "accept"),
    "path": ("layers", "graph", "path", "nobody", "nothing"),
    "depends": ("layers", "graph", "depends", "nobody"),
    "neighbours": ("layers", "graph", "neighbours", "nobody"),
}


def assert_told_both_ways(cli, argv, codes, **stdin) -> str:
    """Ask for a refusal as a line and as a document, which say the same; return the line."""
    said, document = cli(*argv, **stdin), cli("--json", *argv, **stdin)
    assert_refused(said, codes)
    assert (document.code, document.err) == (said.code, "")
    error = document.json["error"]
    assert set(error) == {"code", "message", "hint"}
    assert said.err == f"varves: {error['message']}; {error['hint']}\n".replace("\t", "\\t")
    return said.err


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("verb", ["append", "handoff", "shutdown", "graph", "find", "resolve"])
def test_what_breaks_a_rule_is_refused_and_nothing_is_written(verb, store, cli, project, home):
    for case, argv in RULES.items():
        if argv[1] == verb:
            assert_told_both_ways(cli, argv, (2, 3))
            assert everything(project, home) == store, case
    assert not list(project.parent.rglob("*evil*"))


def test_where_nothing_is_yet_a_refusal_makes_nothing(cli, project, home):
    for case, argv in {**RULES, **MISSING}.items():
        assert_refused(cli(*argv), (2, 3, 4))
        assert everything(project, home) == {}, case
        assert [path.name for path in project.iterdir()] == [".git"], case


def test_what_is_not_there_is_not_found(store, cli, project, home):
    for case, argv in MISSING.items():
        assert_told_both_ways(cli, argv, (4,))
        assert everything(project, home) == store, case


def test_an_event_without_why_is_refused_by_name(store, cli):
    said = cli(*append(why=None))
    assert (said.code, "no why" in said.err) == (3, True)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("verb", ["append", "shutdown"])
def test_stdin_that_is_not_utf8_is_refused(verb, store, cli, project, home):
    assert_told_both_ways(cli, ("layers", verb, "-"), (2,), stdin=BLOCK.encode() + b"\xff")
    assert everything(project, home) == store


def test_an_event_of_11_megabytes_is_refused(store, cli, project, home):
    text = BLOCK.encode().replace(b"It takes 20 ms.", LARGE)
    assert_refused(cli("layers", "append", "-", stdin=text), (3,))
    assert everything(project, home) == store


# What must be there first


def test_without_agents_boot_stops(store, cli, project, home):
    (project / "AGENTS.md").unlink()
    before = everything(project, home)
    assert "AGENTS.md" in assert_told_both_ways(cli, ("layers", "boot"), (4,))
    assert everything(project, home) == before


def test_on_a_detached_head_nothing_is_committed(store, cli, project, home):
    git(project, "checkout", "--quiet", "--detach")
    assert "--no-commit" in assert_told_both_ways(cli, ("layers", "shutdown", BLOCK), (3,))
    assert everything(project, home) == store
    assert cli("layers", "shutdown", BLOCK, "--no-commit").code == 0


def test_without_git_nothing_is_committed(store, cli, project, home):
    shutil.rmtree(project / ".git")
    before = everything(project, home)
    assert "--no-commit" in assert_told_both_ways(cli, ("layers", "shutdown", BLOCK), (3,))
    assert everything(project, home) == before
    assert cli("layers", "shutdown", BLOCK, "--no-commit").code == 0


def test_a_handoff_before_the_commit_is_refused(store, cli, project, home):
    assert cli(*append(title="Not committed")).code == 0
    before = everything(project, home)
    assert_refused(cli("layers", "handoff", "--to", "ben", "--reason", "task complete"), (3,))
    assert everything(project, home) == before


def test_conflict_markers_stop_an_append_and_name_the_way_out(store, cli, project, home):
    log = project / "CHANGELOG.md"
    text = log.read_text(encoding="utf-8")
    log.write_text(f"{text}\n<<<<<<< HEAD\n=======\n>>>>>>> other\n", encoding="utf-8")
    before = everything(project, home)
    for argv in (append(title="More"), ("layers", "shutdown", BLOCK)):
        assert "varves rebuild" in assert_told_both_ways(cli, argv, (3,))
        assert everything(project, home) == before


# Files that are not what they should be


WRITES = pytest.mark.parametrize(
    "argv", [append(title="More"), ("layers", "shutdown", BLOCK, "--no-commit")], ids=lambda a: a[1]
)


@pytest.mark.full_size(sample=1)
@WRITES
def test_a_log_that_may_not_be_written_is_refused(argv, store, cli, project, home):
    (project / "CHANGELOG.md").chmod(0o444)
    assert_told_both_ways(cli, argv, (3,))
    assert everything(project, home) == store
    (project / "CHANGELOG.md").chmod(0o644)
    assert cli(*argv).code == 0


def test_a_read_only_project_is_refused(store, cli, project, home, seal):
    seal(project / "CHANGELOG.md")
    assert_refused(cli(*append(title="More")), (3,))
    assert everything(project, home) == store


@pytest.mark.full_size(sample=1)
@WRITES
def test_a_link_is_not_written_through(argv, store, cli, project, home, tmp_path):
    log, outside = project / "CHANGELOG.md", tmp_path / "outside.md"
    shutil.move(log, outside)
    log.symlink_to(outside)
    before, kept = everything(project, home), outside.read_bytes()
    assert_told_both_ways(cli, argv, (3,))
    assert outside.read_bytes() == kept
    assert everything(project, home) == before


def test_a_folder_that_is_a_link_is_not_written_through(store, cli, project, tmp_path):
    outside = tmp_path / "outside"
    shutil.move(project / ".memory", outside)
    (project / ".memory").symlink_to(outside)
    kept = {path.name: path.read_bytes() for path in outside.iterdir()}
    (outside / "graph.md").write_bytes(b"stale")
    kept["graph.md"] = b"stale"
    assert_told_both_ways(cli, ("layers", "rebuild"), (3,))
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == kept


@pytest.mark.full_size(sample=1)
@WRITES
def test_a_folder_in_place_of_the_log_is_refused(argv, store, cli, project, home):
    (project / "CHANGELOG.md").unlink()
    (project / "CHANGELOG.md").mkdir()
    before = everything(project, home)
    assert_told_both_ways(cli, argv, (3, 5))
    assert everything(project, home) == before


@pytest.mark.full_size(sample=1)
@WRITES
def test_a_log_that_is_not_utf8_is_left_alone(argv, store, cli, project, home):
    log = project / "CHANGELOG.md"
    log.write_bytes(
        log.read_bytes() + "\n## 2026-11-14 11:00 — Café\n".encode("latin-1", "replace")
    )
    log.write_bytes(log.read_bytes() + b"Caf\xe9\n")
    before = everything(project, home)
    assert_told_both_ways(cli, argv, (3,))
    assert everything(project, home) == before


def test_rules_that_are_not_utf8_do_not_stop_a_boot(store, cli, project):
    (project / "AGENTS.md").write_bytes(AGENTS.encode() + b"- caf\xe9\n")
    said = cli("layers", "boot")
    assert said.code == 0
    assert "Traceback" not in said.err


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"handoff": 1}', b"\xff\xfe"])
def test_a_handoff_that_is_none_is_refused(content, store, cli, project, home):
    (project / ".memory/handoff.json").write_bytes(content)
    before = everything(project, home)
    assert_told_both_ways(cli, ("layers", "accept"), (3,))
    assert everything(project, home) == before


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("name", ["graph.md", "context.md"])
def test_a_view_of_any_bytes_is_made_afresh(name, store, cli, project, home):
    view = project / ".memory" / name
    view.write_bytes(b"\xff\x00 broken")
    assert f".memory/{name}" in cli("layers", "validate").out
    assert cli("layers", "rebuild").code == 0
    assert everything(project, home) == store


# Settings


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "line",
    ["batch = 0", 'batch = "five"', "batch = true", "recent = -1", "complete = 1"],
)
def test_a_setting_that_makes_no_sense_is_named(line, store, cli, project, home):
    (project / ".varves/settings.toml").write_text(f"[layers]\n{line}\n", encoding="utf-8")
    before = everything(project, home)
    for argv in (("layers", "boot"), append(title="More"), ("layers", "validate")):
        assert line.split()[0] in assert_told_both_ways(cli, argv, (5,))
        assert everything(project, home) == before


def test_after_a_refusal_the_next_append_goes_on(store, cli):
    assert cli(*append(why=None)).code == 3
    assert cli(*append(title="More")).code == 0
    assert cli("layers", "rebuild").code == 0
    assert json.loads(cli("layers", "validate", "--json").out)["ok"]
    assert cli("verify", "--deep").code == 0

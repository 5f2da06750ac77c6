"""4.8 by hooks: records are the project's, talk and sessions this clone's; no file mixes them."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

import varves as package
from tests.hosts.protocols.scripted import switch_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.command_line import Answer
    from tests.hosts.protocols.scripted import Scripted

    Begin = Callable[..., Scripted]

ALL = ("scoped", "hivemind", "deliberation")
TALK = "the quokka project"  # what only the talk says


def git(root: Path, *words: str) -> str:
    """Run git, and return what it prints."""
    done = subprocess.run(
        ["git", *words], cwd=root, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout


def worked(one: Scripted) -> None:
    """Work through a whole session: everything that a hook is told of happens once."""
    one.start()
    one.prompt(f"I work on {TALK}. What if we cache the index on disk?")
    one.ran("make test", fails=f"AssertionError: {TALK}")
    one.edited("src/api.py")
    one.ran("make test")
    one.answered("Fact: the staging API allows 100 requests a minute.\n\nI agree with that.")
    one.prompt(f"More of {TALK}, please.")
    one.compact()
    one.answered("Learned: Library X lacks feature Y.")
    one.end()


def test_no_tracked_file_holds_the_talk(session: Begin, project: Path) -> None:
    """The log that is committed, and every file that git would take."""
    switch_on(project, *ALL)
    worked(session("s-1"))
    git(project, "add", "--all")
    tracked = git(project, "ls-files", "-z").split("\0")[:-1]
    assert any(name.startswith("memory/projects/") for name in tracked)
    for name in tracked:
        content = (project / name).read_text(encoding="utf-8")
        assert TALK not in content, name
        assert '"kind":"message.' not in content, name
        assert '"kind":"session.' not in content, name
        assert '"kind":"task.' not in content, name
    assert not [name for name in tracked if name.startswith(("deliberations", "memory/sessions/"))
                if not name.endswith(".gitignore")]  # fmt: skip
    with package.open(str(project)) as ledger:
        assert TALK in json.dumps([one.as_dict() for one in ledger.log()]), "it was said"


def test_a_clone_renders_the_same_bytes_whatever_was_said_here(
    session: Begin, project: Path, tmp_path: Path
) -> None:
    """The law of 4.8: tracked files are folded from the project's log alone."""
    switch_on(project, *ALL)
    worked(session("s-1"))
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "a session")
    clone = tmp_path / "clones" / "project"  # a project's id is its folder's name
    clone.parent.mkdir()
    git(tmp_path, "clone", "--quiet", str(project), str(clone))
    shutil.rmtree(clone / "memory")
    with package.open(str(clone), home=str(tmp_path / "other")) as ledger:
        ledger.rebuild()
    for name in git(project, "ls-files", "-z").split("\0")[:-1]:
        assert (clone / name).read_bytes() == (project / name).read_bytes(), name


def test_without_a_protocol_nothing_is_published(session: Begin, project: Path) -> None:
    """Default: none. What is captured is private, and no file of a protocol appears."""
    one = session("s-1")
    one.prompt("We decided to deploy on Fridays only.")
    one.answered("Fact: the staging API allows 100 requests a minute.")
    one.end()
    assert not (project / "memory").exists()
    assert not (project / "deliberations").exists()
    with package.open(str(project)) as ledger:
        assert {one.kept for one in ledger.list(private=True)} <= {"private"}


def test_a_bad_setting_of_one_stops_no_other(session: Begin, project: Path) -> None:
    """Hivemind cannot read its settings here; scoped memory is told all the same."""
    switch_on(project, *ALL, more='[hivemind]\ntop = "many"')
    with package.open(str(project)) as ledger:
        ledger.scoped.write("project", type="convention", content="Use Zod for validation")
    one = session("s-1")
    one.failures = lambda: ""  # type: ignore[method-assign]
    assert "Use Zod for validation" in one.start()
    with package.open(str(project)) as ledger:
        assert "settings" in {found.rule for found in ledger.doctor()}


@pytest.mark.requirement("S3-01")
def test_a_real_process_does_the_same(
    session: Begin, project: Path, varves: Callable[..., Answer]
) -> None:
    """S3-01 once through the door that clients use."""
    switch_on(project, "hivemind")
    one = session("s-1")
    for event, more in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "We decided to deploy on Fridays only."}),
    ):
        done = varves("hook", event, stdin=one.payload(event, **more))
        assert (done.code, done.err) == (0, "")
    one.write("user", "We decided to deploy on Fridays only.")
    said = "Fact: the staging API allows 100 requests a minute."
    one.write("assistant", said)
    stop = one.payload("Stop", last_assistant_message=said, stop_hook_active=False)
    done = varves("hook", "Stop", stdin=stop)
    assert (done.code, done.err) == (0, "")
    told = varves("hook", "UserPromptSubmit", stdin=one.payload(
        "UserPromptSubmit", prompt="When do we deploy?"))  # fmt: skip
    assert "We decided to deploy on Fridays only" in one.context(told.out)
    index = json.loads((project / "memory/projects/project/_index.json").read_text("utf-8"))
    assert sorted(one["subtype"] for one in index["entries"]) == [
        *("decision", "fact", "project-context", "task-summary")
    ]

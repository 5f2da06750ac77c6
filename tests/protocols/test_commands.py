"""The published commands: as scripts of the project, and as programs on the path."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

VERBS = ("read", "write", "search", "forget", "restore", "init", "rank", "validate")
# As the publication prints them; only the placeholders are filled in.
LINES = (
    'memory-write.sh project shop --type convention --content "..." --confidence 0.9',
    "memory-read.sh project shop --type decision",
    'memory-search.sh --query "validation" --scope project',
    'memory-forget.sh --id mem-001 --scope project --reason "Outdated"',
)


@pytest.fixture
def shop(varves, project, tmp_path):
    """Give a project called shop, with the scripts in it and one decision recorded."""
    root = tmp_path / "shop"
    project.rename(root)
    assert varves("scoped", "init", "--scripts", cwd=root).code == 0
    decided = ("--type", "decision", "--content", "Use Zod for all input validation")
    assert varves("scoped", "write", "project", "shop", *decided, cwd=root).code == 0
    return root


def typed(line: str, root: Path, path: list[Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line],
        cwd=root,
        env={**os.environ, "PATH": os.pathsep.join([*map(str, path), "/usr/bin", "/bin"])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def programs() -> Path:
    return Path(sysconfig.get_path("scripts"))


def play(root: Path, path: list[Path], lines: tuple[str, ...]) -> list[str]:
    said = []
    for line in lines:
        done = typed(line, root, path)
        assert (done.returncode, done.stderr) == (0, ""), (line, done)
        said.append(done.stdout)
    return said


def check_play(said: list[str]) -> None:
    written, read, found, forgotten = said
    assert written.startswith("mem-002")
    assert "Use Zod for all input validation" in read
    assert "..." not in read
    assert "mem-001" in found
    assert forgotten.startswith("mem-001 forgotten")


@pytest.mark.requirement("S2-27")
def test_the_four_published_lines_run_verbatim_as_scripts(shop):
    check_play(play(shop, [shop / "scripts", programs()], LINES))
    assert "mem-001" not in typed("memory-read.sh project shop", shop, [shop / "scripts"]).stdout


@pytest.mark.requirement("S2-27")
def test_they_run_without_the_ending_as_installed_commands(shop):
    lines = tuple(line.replace(".sh", "", 1) for line in LINES)
    check_play(play(shop, [programs()], lines))


@pytest.mark.requirement("S2-27")
def test_a_script_needs_no_program_on_the_path_where_python_has_it(shop, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    interpreter = tools / "python3"
    interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    interpreter.chmod(0o755)
    check_play(play(shop, [tools, shop / "scripts"], LINES))


@pytest.mark.requirement("S2-27")
@pytest.mark.parametrize("verb", VERBS)
def test_each_name_is_there_and_is_the_verb(verb, shop):
    wanted = typed(f"varves scoped {verb} --help", shop, [programs()])
    assert wanted.returncode == 0
    script = typed(f"scripts/memory-{verb}.sh --help", shop, [programs()])
    assert (script.returncode, script.stdout) == (0, wanted.stdout)
    command = typed(f"memory-{verb} --help", shop, [programs()])
    own = wanted.stdout.replace(f"varves scoped {verb}", f"memory-{verb}")
    assert (command.returncode, command.stdout) == (0, own)


def test_a_script_passes_words_and_codes_on_untouched(shop):
    path = [programs(), shop / "scripts"]
    odd = "two  blanks, a * and a \\\\ and 'quotes'"
    done = typed(
        f'memory-write.sh project shop --type pattern --content "{odd}" --json', shop, path
    )
    assert done.returncode == 0
    shown = typed("memory-read.sh project shop --type pattern", shop, path)
    assert odd.replace("\\\\", "\\") in shown.stdout
    refused = typed("memory-write.sh project shop --type fact --content x", shop, path)
    assert (refused.returncode in (2, 3), refused.stdout) == (True, "")


def test_scripts_that_are_not_ours_are_left_alone(varves, project):
    mine = project / "scripts/memory-rank.sh"
    mine.parent.mkdir()
    mine.write_text("#!/bin/sh\necho mine\n", encoding="utf-8")
    done = varves("scoped", "init", "--scripts")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("varves: scripts/memory-rank.sh was not written by varves; ")
    assert [path.name for path in mine.parent.iterdir()] == ["memory-rank.sh"]
    assert mine.read_text(encoding="utf-8") == "#!/bin/sh\necho mine\n"


def test_laying_them_twice_changes_nothing(varves, project):
    assert varves("scoped", "init", "--scripts").code == 0
    before = {path: path.read_bytes() for path in sorted((project / "scripts").iterdir())}
    assert len(before) == len(VERBS)
    assert varves("scoped", "init", "--scripts").code == 0
    after = {path: path.read_bytes() for path in sorted((project / "scripts").iterdir())}
    assert after == before

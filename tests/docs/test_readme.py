from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.docs.tour import InProcess, Shell, steps

ROOT = Path(__file__).parents[2]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "kind"), [("README.md", Shell), ("docs/tutorial.md", InProcess)])
def test_the_commands_print_what_the_page_shows(page, kind, project):
    tour = steps(read(ROOT / page))
    assert tour, "the page has no console block"
    env = {
        **os.environ,
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]),
        "NO_COLOR": "1",
    }
    with kind(project, env) as shell:
        for step in tour:
            actual = shell.type(step.command)
            assert shell.matches(step.expected, actual), "\n".join(
                [f"$ {step.command}", "-- the page:", *step.expected, "-- the shell:", *actual]
            )


def test_the_python_in_the_readme_runs(project, varves, tmp_path):
    (snippet,) = re.findall(
        r"^```python\n(.*?)^```", read(ROOT / "README.md"), re.MULTILINE | re.DOTALL
    )
    script = tmp_path / "snippet.py"
    script.write_text(snippet, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"mem_\w{12} Retries back off from 200 ms [\d.]+\n", done.stdout)
    (memory,) = varves("list", "--json").json["memories"]
    assert (memory["text"], memory["tags"]) == ("Retries back off from 100 ms", ["http"])


def test_every_verb_is_written_about(varves):
    from varves.cli.table import PROTOCOLS, every_verb

    pages = [varves(*first, "--help").out for first in ([], *([name] for name in PROTOCOLS))]
    prose = "\n".join(read(page) for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    for verb in every_verb():
        listed = re.compile(rf"^\s+{verb}\b", re.MULTILINE)
        assert any(map(listed.search, pages)), f"--help leaves out {verb}"
        assert re.search(rf"\bvarves {verb}\b|`{verb}\b", prose), f"no page mentions varves {verb}"

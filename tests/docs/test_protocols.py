"""The pages on protocols: their day happens as shown, and their settings are the real ones."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from tests.docs.tour import InProcess, steps

PAGES = Path(__file__).parents[2] / "docs/protocols"
each_protocol = pytest.mark.parametrize(
    "name", ["party", "layers", "scoped", "hivemind", "deliberation"]
)

CONTEXT = """\
ben said I propose that sessions live in Redis
## Key Decisions Made

- **sessions**: Redis for sessions

## Your Previous Position

Let's go with Redis for sessions
to ship on Friday
"""


def read(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def block(name: str, language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", read(name), re.MULTILINE | re.DOTALL)
    return found


@each_protocol
def test_the_day_happens_as_shown(name, project):
    tour = steps(read(name))
    assert len(tour) > 10
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    with InProcess(project, {**os.environ, "PATH": path, "NO_COLOR": "1"}) as shell:
        for step in tour:
            actual = shell.type(step.command)
            assert shell.matches(step.expected, actual), "\n".join(
                [f"$ {step.command}", "-- the page:", *step.expected, "-- the shell:", *actual]
            )


@each_protocol
def test_the_python_of_the_page_runs(name, project, tmp_path):
    script = tmp_path / "snippet.py"
    script.write_text(block(name, "python"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    wanted = {
        "party": "ada 1\nben 0\n",
        "layers": "login complete\n",
        "scoped": "Library Z needs a warm cache\n",
        "hivemind": "True\n",
        "deliberation": CONTEXT,
    }
    assert done.stdout == wanted[name]


@each_protocol
def test_the_settings_of_the_page_are_all_there_are_with_their_values(name):
    shown = tomllib.loads(block(name, "toml"))[name]
    options = importlib.import_module(f"varves.protocols.{name}.options").options
    published = options({})
    known = {field: getattr(published, field) for field in published._fields}
    known = {field: list(v) if isinstance(v, tuple) else v for field, v in known.items()}
    assert set(shown) == set(known)
    unset = {"teams"}  # left out means all; a value of it must name some
    assert {field: shown[field] for field in known if field not in unset} == {
        field: value for field, value in known.items() if field not in unset
    }
    assert options(shown)

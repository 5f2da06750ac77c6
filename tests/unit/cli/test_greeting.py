"""Somebody who types a bare `varves`, or asks and gets no answer, is told what to do next."""

from __future__ import annotations

import json
import os
import subprocess
import sys


def steps(said: str) -> list[str]:
    """Return the commands among the five lines."""
    first, situation, *rest = said.splitlines()
    assert "varves --help" in first
    assert situation.endswith("Next:")
    assert len(rest) == 3
    return [line.strip().split("  ")[0] for line in rest]


def test_a_bare_call_greets_with_the_next_three_steps_of_each_situation(varves, project, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    assert steps(varves(cwd=bare).out)[0] == "git init && varves init"
    greeted = varves()
    assert (greeted.code, greeted.err) == (0, "")
    assert steps(greeted.out)[0] == "varves init"
    assert not (project / ".varves").exists()
    assert varves("init").code == 0
    assert "0 active memories" in varves().out
    assert varves("remember", "The port is 5433").code == 0
    greeted = varves()
    assert "1 active memory." in greeted.out
    assert [step.split()[1] for step in steps(greeted.out)] == ["remember", "recall", "status"]


def test_every_step_of_a_greeting_works_as_it_is_shown(varves, project):
    for step in steps(varves().out):
        done = subprocess.run(
            ["sh", "-c", step.replace("varves", '"$PYTHON" -m varves', 1)],
            cwd=project,
            env={**os.environ, "PYTHON": sys.executable},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), step
    assert "Deploys are on Tuesdays" in done.stdout


def test_a_bare_call_where_the_ledger_cannot_be_read_names_the_doctor(varves, project):
    assert varves("init").code == 0
    (project / ".varves/format.json").write_text("{", encoding="utf-8")
    greeted = varves()
    assert (greeted.code, greeted.err) == (0, "")
    assert steps(greeted.out)[0] == "varves doctor"


def test_options_alone_are_still_a_mistake_in_usage(varves):
    assert varves("--json").json["error"]["code"] == "usage"
    assert (varves("--json").code, varves("--color=never").code) == (2, 2)


def test_a_recall_without_an_answer_says_what_to_try_beside_it(varves):
    assert varves("init").code == 0
    empty = varves("recall", "the port")
    assert (empty.code, empty.out) == (0, "")
    assert "varves list" in empty.err
    assert varves("remember", "The port is 5433").code == 0
    missed = varves("recall", "zebra")
    assert (missed.code, missed.out) == (0, "")
    assert missed.err.startswith("varves: nothing found; try other words")
    assert missed.err.count("\n") == 1
    assert "--budget" in varves("recall", "the port", "--budget", "1").err
    found = varves("recall", "the port")
    assert (found.code, found.err) == (0, "")
    assert found.out
    asked = varves("recall", "zebra", "--json")
    assert (asked.code, asked.err) == (0, "")
    assert json.loads(asked.out)["hits"] == []

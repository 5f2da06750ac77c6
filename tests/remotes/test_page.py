"""The commands of docs/teams.md print what the page shows."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

from tests.docs.tour import Shell, steps

PAGE = Path(__file__).parents[2] / "docs" / "teams.md"


def test_the_commands_print_what_the_page_shows(server, database, project):
    env = {
        **os.environ,
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]),
        "NO_COLOR": "1",
        "DB": server.url(database),
        "ADA": server.url(database, "ada"),
        "BEN": server.url(database, "ben"),
    }
    tour = steps(PAGE.read_text(encoding="utf-8"))
    assert len(tour) > 5
    with Shell(project, env) as shell:
        for step in tour:
            actual = shell.type(step.command)
            assert shell.matches(step.expected, actual), "\n".join(
                [f"$ {step.command}", "-- the page:", *step.expected, "-- the shell:", *actual]
            )

"""The published names, and many writers at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.figures import full_size

CROWD = Path(__file__).parents[1] / "crowd.py"
WRITERS, EACH = 4, 25 if full_size() else 4


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S2-27")
@pytest.mark.parametrize("ending", ["", ".sh"], ids=["command", "script"])
def test_the_published_commands_run_as_printed(ending, varves, project):
    assert varves("scoped", "init", "--scripts").code == 0
    places = [str(project / "scripts"), sysconfig.get_path("scripts"), os.environ["PATH"]]

    def run(line):
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=project,
            env={**os.environ, "PATH": os.pathsep.join(places)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    write = f'memory-write{ending} project shop --type convention --content "..." --confidence 0.9'
    assert run(write) == "mem-001 recorded in project:shop\n"
    content = "Use Zod for all input validation"
    more = f"memory-write{ending} project shop --type decision --content '{content}'"
    assert run(more).startswith("mem-002")
    read = run(f"memory-read{ending} project shop --type decision")
    assert content in read
    assert "mem-001" not in read
    found = run(f'memory-search{ending} --query "validation" --scope project')
    assert content in found
    assert "mem-001" not in found
    assert run(f"memory-rank{ending} project shop").count("mem-00") == 2
    gone = run(f'memory-forget{ending} --id mem-001 --scope project --reason "Outdated"')
    assert gone.startswith("mem-001 forgotten in project:shop: Outdated\n")
    assert "mem-001" not in run(f"memory-read{ending} project shop")
    run(f"memory-init{ending}")


VERBS = ("read", "write", "search", "forget", "restore", "init", "rank", "validate")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S2-27")
@pytest.mark.parametrize("verb", VERBS)
def test_a_published_command_speaks_of_itself_by_its_own_name(verb, project):
    command = os.path.join(sysconfig.get_path("scripts"), f"memory-{verb}")

    def run(*words):
        return subprocess.run(
            [command, *words], cwd=project, capture_output=True, encoding="utf-8", check=False
        )

    page = run("--help")
    assert page.returncode == 0
    assert page.stdout.split()[0] == f"memory-{verb}"
    assert f"example: memory-{verb}" in page.stdout
    assert "scoped " + verb not in page.stdout
    wrong = run("--colour")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert f"of memory-{verb}" in wrong.stderr
    assert f"see memory-{verb} --help" in wrong.stderr


@pytest.mark.requirement("S2-53", "S2-59")
def test_four_writers_lose_nothing_and_a_reader_always_finds_json(ledger, project):
    ledger.scoped.init(project="p")
    command = [sys.executable, CROWD, "scoped"]
    writers = [
        subprocess.Popen(
            [*command, str(number), str(EACH), project], stdout=subprocess.PIPE, encoding="utf-8"
        )
        for number in range(WRITERS)
    ]
    path, reads = project / "memory/projects/p/memory.json", 0
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            assert json.loads(path.read_bytes())["version"] == "1.0"
            reads += 1
    names = [name for writer in writers for name in writer.communicate()[0].split()]
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    assert reads > 0
    assert sorted(names) == [f"mem-{number:03}" for number in range(1, WRITERS * EACH + 1)]
    found = json.loads(path.read_bytes())["entries"]
    assert [one["id"] for one in found] == sorted(names)
    assert len({one["content"] for one in found}) == WRITERS * EACH

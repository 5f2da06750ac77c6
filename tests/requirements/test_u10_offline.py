from __future__ import annotations

import os
import subprocess
import sys

import pytest

import varves as package
from tests.figures import note_figure
from tests.requirements.sources import Seeded, Ticking, segments

BARRED = """
import sys

def watch(event, args):
    if event.startswith("socket.") or event in ("urllib.Request", "http.client.connect"):
        sys.stderr.write(f"reached for the network: {event}\\n")
        sys.stderr.flush()
        import os
        os._exit(99)

sys.addaudithook(watch)
from varves.cli.main import main
for line in open(sys.argv[1], encoding="utf-8"):
    code = main(line.split())
    if code not in (0, 3):
        sys.exit(code)
"""
VERBS = """\
init
remember zod
remember zod --private
remember zod --scope global
recall zod
list
log
correct mem_aaaaaaaaaaaa valibot
status
verify --deep
rebuild
doctor
conflicts
undo
"""


def a_days_work(root, home):
    """Do something of everything, with the clock and the ids passed in."""
    with package.open(root, home=home, clock=Ticking(), ids=Seeded(7), actor="ada") as ledger:
        ledger.init()
        one = ledger.remember("use zod", tags=["web"], ttl="30d", confidence=0.5)
        two = ledger.correct(one.id, "use valibot", reason="smaller")
        ledger.edit(two.id, tag=["+forms"])
        ledger.remember("tea at four", private=True)
        ledger.remember_many({"text": f"statement {n}"} for n in range(20))
        ledger.forget(two.id, reason="moved on")
        ledger.undo()
        return [hit.as_dict() for hit in ledger.recall("valibot statement")]


@pytest.mark.requirement("U-10")
def test_the_same_clock_and_ids_give_the_same_bytes(tmp_path, home, project):
    runs = []
    for number in (1, 2):
        root = tmp_path / f"run{number}"
        root.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        answer = a_days_work(root, tmp_path / f"home{number}")
        runs.append((segments(root), answer))
    assert runs[0] == runs[1]
    assert len(runs[0][0]) == 2
    assert sum(text.count(b"\n") for text in runs[0][0].values()) == 26


@pytest.mark.requirement("U-10")
def test_a_fixed_moment_is_the_moment_of_every_event(varves):
    moment = {"VARVES_NOW": "2030-01-02T03:04:05Z"}
    assert varves("remember", "x", "--ttl", "1d", env=moment).code == 0
    (event,) = varves("log", "--json", env=moment).json["events"]
    assert event["time"] == "2030-01-02T03:04:05.000Z"
    assert event["data"]["expires_at"] == "2030-01-03T03:04:05.000Z"
    later = {"VARVES_NOW": "2030-01-03T03:04:05Z"}
    assert varves("recall", "x", "--json", env=later).json["hits"] == []


@pytest.mark.requirement("U-10")
def test_no_verb_reaches_for_the_network(project, tmp_path):
    script = tmp_path / "verbs"
    script.write_text(VERBS.replace("mem_aaaaaaaaaaaa", "x"), encoding="utf-8")
    script.write_text(VERBS.replace("correct mem_aaaaaaaaaaaa valibot\n", ""), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", BARRED, str(script)],
        cwd=project,
        env=os.environ | {"http_proxy": "http://127.0.0.1:9"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "zod" in done.stdout
    note_figure("S11", verbs=len(VERBS.splitlines()), connections=0)


@pytest.mark.requirement("U-10")
def test_the_bar_is_awake(project, tmp_path):
    """The same bar stops a verb that does reach out."""
    code = BARRED.replace("from varves", "import socket; socket.socket()\nfrom varves")
    done = subprocess.run(
        [sys.executable, "-c", code, os.devnull], cwd=project, check=False, stderr=subprocess.PIPE
    )
    assert done.returncode == 99

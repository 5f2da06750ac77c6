"""A tour of Varves in a temporary project. Every command shown is run.

Four agents write at once; a memory is corrected; branches are merged and conflicts resolved; the
tour reads the memory as of yesterday, passes a statement from one coding agent to another, and
restores an event that git deleted; two clones meet in a database. Each step checks its claim; a
claim that does not hold ends the tour with exit code 1. The folder is kept.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec

YESTERDAY = (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
AGENTS, FACTS = ("ada", "ben", "cleo", "dan"), 5
OLD = "The API allows 100 requests a minute"

GIT_SETTINGS = """\
[user]
	name = Ada Example
	email = ada@example.org
[init]
	defaultBranch = main
[commit]
	gpgsign = false
[maintenance]
	auto = false
"""


class Scene:
    """A temporary project with its own home, git settings and `varves` command."""

    def __init__(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="varves-demo-"))
        self.project = f"{self.folder}/project"
        for part in ("project", "home", "bin"):
            os.mkdir(f"{self.folder}/{part}")
        self._write("gitconfig", GIT_SETTINGS)
        self._write(
            "bin/varves",
            f'#!/bin/sh\nVARVES_HOME="{self.folder}/home" exec "{sys.executable}" -m varves "$@"\n',
        )
        os.chmod(f"{self.folder}/bin/varves", 0o700)
        ours = ("VARVES_", "GIT_", "XDG_", "CLAUDE_")  # an agent may be running this
        self.env = {key: value for key, value in os.environ.items() if not key.startswith(ours)} | {
            "HOME": f"{self.folder}/home",
            "PATH": os.pathsep.join([f"{self.folder}/bin", os.environ["PATH"]]),
            "GIT_CONFIG_GLOBAL": f"{self.folder}/gitconfig",
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1",
        }

    def _write(self, name: str, text: str) -> None:
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, command: str, *, code: int = 0, show: bool = True) -> str:
        """Run a shell command in the project; print the command and its output."""
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.project,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        if show:
            print(f"$ {command}\n{textwrap.indent(done.stdout, '  ')}", end="", flush=True)
        must(done.returncode == code, f"{command!r} exits {done.returncode}, not {code}")
        return done.stdout


def must(holds: object, claim: str) -> None:
    """Stop the tour if a claim does not hold."""
    if not holds:
        print(f"demo: this does not hold: {claim}", file=sys.stderr)
        sys.exit(1)


def say(text: str) -> None:
    """Print the heading of a step."""
    print(f"\n# {text}", flush=True)


def ids(text: str, kind: str = "mem") -> list[str]:
    """Return the ids in an output, in order, each once."""
    return list(dict.fromkeys(re.findall(rf"\b{kind}_[0-9a-z]+", text)))


def begin(scene: Scene) -> str:
    """Create a ledger with a memory of yesterday; return that memory's id."""
    say("Create a ledger: a folder of plain files, committed like code.")
    scene.run("git init -q && varves init")
    scene.run("git add -A && git commit -qm 'An empty ledger' && git branch spike")
    say("Record a memory yesterday (VARVES_NOW sets the clock).")
    memory = ids(scene.run(f"VARVES_NOW={YESTERDAY} varves remember '{OLD}' --tag api"))[0]
    scene.run("git add -A && git commit -qm 'What we know'")
    return memory


def crowd(scene: Scene) -> None:
    """Let several agents write at once and count the stored memories."""
    say(
        f"{len(AGENTS)} agents write at once: {len(AGENTS) * FACTS} processes, no server, no queue."
    )
    numbers = " ".join(map(str, range(1, FACTS + 1)))
    told = scene.run(
        f"for who in {' '.join(AGENTS)}; do\n"
        f'    (for n in {numbers}; do varves --actor $who remember "Fact $n of $who"; done) &\n'
        f"  done > ../acknowledged; wait; wc -l < ../acknowledged"
    )
    acknowledged = set(ids(scene.run("cat ../acknowledged", show=False)))
    held = set(ids(scene.run("varves list --json", show=False)))
    lost = acknowledged - held
    print(f"  {len(acknowledged)} acknowledged, {len(acknowledged & held)} held, {len(lost)} lost")
    must(len(acknowledged) == int(told) == len(AGENTS) * FACTS, "every write was acknowledged")
    must(not lost, "nothing acknowledged was lost")


def change(scene: Scene, memory: str) -> str:
    """Recall, correct, and try the rejected value again; return the current memory's id."""
    say("Recall the memory.")
    found = scene.run("varves recall 'how many requests does the API allow?' -k 1")
    must(memory in found, "the memory is recalled")
    say("Correct the memory. The old value is rejected and cannot be recorded again by accident.")
    corrected = scene.run(
        f"varves correct {memory} 'The API allows 80 requests a minute' --reason 'see contract'"
    )
    scene.run("varves --actor dan remember 'the API allows 100 requests a minute.'", code=3)
    scene.run("git add -A && git commit -qm 'A correction'")
    return ids(corrected)[0]


def merge(scene: Scene) -> None:
    """Merge two branches that each recorded a memory."""
    say("Record different memories on two branches. Git merges them without a conflict.")
    scene.run("git switch -qc feature && varves remember 'Retries back off from 200 ms'")
    scene.run("git add -A && git commit -qm 'Learned on feature'")
    scene.run("git switch -q main && varves remember 'Timeouts are 30 seconds'")
    scene.run("git add -A && git commit -qm 'Learned on main'")
    scene.run("git merge -q feature -m 'Merge feature'")
    listed = scene.run("varves list --json", show=False)
    must("back off" in listed and "Timeouts" in listed, "the memories of both branches exist")
    scene.run("varves recall 'retries and timeouts' -k 2")


def rivals(scene: Scene, memory: str) -> str:
    """Correct one memory differently on two branches; return the id of the correction kept."""
    say("Correct the same memory differently on both branches. Git merges; Varves reports it.")
    scene.run("git switch -q feature && git merge -q main")
    theirs = scene.run(f"varves --actor ada correct {memory} 'The API allows 60 requests a minute'")
    scene.run("git add -A && git commit -qm 'ada: 60' && git switch -q main")
    scene.run(f"varves --actor ben correct {memory} 'The API allows 90 requests a minute'")
    scene.run("git add -A && git commit -qm 'ben: 90' && git merge -q feature -m 'Merge feature'")
    asked = scene.run("varves conflicts")
    must("siblings" in asked, "two corrections of one memory are a conflict")
    keep = ids(theirs)[0]
    scene.run(f"varves conflicts resolve {ids(asked, 'cfl')[0]} --keep {keep}")
    must("cfl_" not in scene.run("varves conflicts"), "the conflict is settled")
    scene.run("git add -A && git commit -qm 'Settled'")
    return keep


def returned(scene: Scene, keep: str) -> None:
    """Bring a rejected value back through a merge, and resolve the conflict with a new text."""
    say("Record the rejected value on an older branch, and merge that branch.")
    scene.run(f"git switch -q spike && varves --actor cleo remember '{OLD}'")
    scene.run("git add -A && git commit -qm 'cleo: 100' && git switch -q main")
    scene.run("git merge -q spike -m 'Merge spike'")
    asked = scene.run("varves conflicts")
    must("returned" in asked, "a rejected value that returned is flagged")
    found = scene.run("varves recall 'API requests' -k 1")
    must(keep in found and OLD not in found, "a flagged value is not recalled")
    text = "The API allows 60 requests a minute; 100 was the old plan"
    scene.run(f"varves conflicts resolve {ids(asked, 'cfl')[0]} --merge '{text}'")
    scene.run("git add -A && git commit -qm 'Settled again'")
    say("Merge a branch that does not know the resolution: the conflict stays resolved.")
    scene.run("git switch -q feature && varves remember 'Errors are JSON' && git add -A")
    scene.run("git commit -qm 'More' && git switch -q main && git merge -q feature -m 'Again'")
    must("cfl_" not in scene.run("varves conflicts"), "the conflicts stay settled")


def travel(scene: Scene) -> None:
    """Read the memory as of yesterday and as of now, and its history."""
    say("Read the memory as of yesterday, and as of now.")
    past = scene.run(f"varves recall 'API requests' --as-of {YESTERDAY}")
    must(OLD in past, "yesterday the old value was current")
    now = scene.run("varves recall 'API requests' -k 1")
    must("60 requests" in now, "today another value is current")
    told = scene.run(f"varves history {ids(past)[0]}")
    must("memory.superseded" in told, "the history shows when that changed")


def attended(scene: Scene) -> None:
    """Learn a statement from one coding agent, and show it to another."""
    say("Coding agents call hooks and, optionally, `varves mcp`. `varves install` sets up both.")
    scene.run("varves install --client opencode --dry-run | head -2")
    say("A user makes a statement to OpenCode. OpenCode sends this at the end of a turn:")
    said = "Remember that the staging database is called heron."
    turn = json.dumps({"session_id": "s-1", "messages": [{"role": "user", "text": said}]})
    scene.run(f"echo '{turn}' |\n    varves hook session.idle --client opencode")
    say("Claude Code gets the statement, in its own format, when a prompt asks for it.")
    prompt = json.dumps({"session_id": "s-2", "prompt": "Which database is on staging?"})
    asks = f"echo '{prompt}' |\n    varves hook UserPromptSubmit --client claude"
    told = json.loads(scene.run(asks))["hookSpecificOutput"]["additionalContext"]
    must("heron" in told, "the prompt gets the memory")
    say("A captured statement stays in this clone until it is shared.")
    kept = ids(scene.run("varves list --private"))
    must(len(kept) == 1, "it was kept once, and nothing else was")
    scene.run(f"varves share {kept[0]} && git add -A && git commit -qm 'What was said'")


def eaten(scene: Scene) -> None:
    """Let git delete an event, and restore it."""
    say("git reset --hard deletes a memory that was staged but never committed. Restore it.")
    memory = ids(scene.run("varves remember 'Deploys happen on Tuesdays' && git add -A"))[0]
    scene.run("git reset -q --hard && varves recall 'when are deploys?'")
    scene.run(f"varves show {memory}", code=4)
    scene.run("varves doctor", code=1)
    must("events restored" in scene.run("varves doctor --restore"), "the memory is restored")
    must(memory in scene.run("varves recall 'when are deploys?'"), "it is recalled again")


def whole(scene: Scene) -> None:
    """Verify the log, delete everything derived from it, and compare after a rebuild."""
    say("Verify the log. Then delete everything derived from it, and rebuild.")
    scene.run("varves verify")
    before = scene.run("varves list --json", show=False)
    scene.run("rm -r .varves/local .git/varves/local && varves rebuild")
    must(scene.run("varves list --json", show=False) == before, "a rebuild gives the same memories")


def apart(scene: Scene) -> None:
    """Let two clones without a common git remote meet in a database."""
    from varves.testing.postgres import PostgresServer, binaries

    if find_spec("psycopg") is None or not binaries():
        say("Skipped: two clones that meet in PostgreSQL (pip install 'varves[postgres]').")
        return
    say("Two clones without a common git remote meet in a PostgreSQL database.")
    server = PostgresServer(next(iter(binaries().values())))
    try:
        url = f"{server.url(server.database())}#shop"
        scene.run(f"varves team init '{url}'")
        scene.run(f"varves remote add team '{url}' && varves sync")
        scene.run(f"varves clone '{url}' ../elsewhere")
        scene.run("varves remember 'The database is called heron' --root ../elsewhere")
        scene.run("varves sync --root ../elsewhere && varves sync")
        found = scene.run("varves recall 'what is the database called?' -k 1")
        must("heron" in found, "what one clone recorded is recalled in the other")
    finally:
        server.close()


def main() -> int:
    """Run the tour."""
    scene = Scene()
    memory = begin(scene)
    crowd(scene)
    memory = change(scene, memory)
    merge(scene)
    keep = rivals(scene, memory)
    returned(scene, keep)
    travel(scene)
    attended(scene)
    eaten(scene)
    whole(scene)
    apart(scene)
    print(f"\nThe project is kept; to explore it:\n  cd {scene.project} && ../bin/varves log")
    return 0


if __name__ == "__main__":
    sys.exit(main())

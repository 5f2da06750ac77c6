"""A tour of the main job, on a project made for it: every command shown is run as it stands.

Four agents remember at once, one is corrected, branches of memory are merged, conflicts are
settled, yesterday is asked, what is said to one coding agent is known to another, and git eats an
event that comes back. Each step checks what it claims and the tour stops with exit code 1 where one
does not hold. The folder is left to look around in.
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
    """A throw-away project with a home, git settings and a `varves` of its own."""

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
        """Type a command into a shell in the project, and show it with what it printed."""
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
    """Stop the tour where it does not do what it says."""
    if not holds:
        print(f"demo: this does not hold: {claim}", file=sys.stderr)
        sys.exit(1)


def say(text: str) -> None:
    """Announce a step."""
    print(f"\n# {text}", flush=True)


def ids(text: str, kind: str = "mem") -> list[str]:
    """Return the ids in an output, in order, each once."""
    return list(dict.fromkeys(re.findall(rf"\b{kind}_[0-9a-z]+", text)))


def begin(scene: Scene) -> str:
    """Make a ledger, and yesterday's memory in it; return that memory."""
    say("A project gets a memory. It is a folder of plain files, committed like code.")
    scene.run("git init -q && varves init")
    scene.run("git add -A && git commit -qm 'An empty ledger' && git branch spike")
    say("Yesterday somebody wrote this down (VARVES_NOW sets the clock).")
    memory = ids(scene.run(f"VARVES_NOW={YESTERDAY} varves remember '{OLD}' --tag api"))[0]
    scene.run("git add -A && git commit -qm 'What we know'")
    return memory


def crowd(scene: Scene) -> None:
    """Let several agents write at once and count what is kept."""
    say(
        f"{len(AGENTS)} agents write at once, {len(AGENTS) * FACTS} processes, no server, no queue."
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
    """Recall, correct, and be refused; return the memory that stands now."""
    say("Recall.")
    found = scene.run("varves recall 'how many requests does the API allow?' -k 1")
    must(memory in found, "the memory is recalled")
    say("It was wrong. Correct it; the old value is rejected and cannot slip back in.")
    corrected = scene.run(
        f"varves correct {memory} 'The API allows 80 requests a minute' --reason 'see contract'"
    )
    scene.run("varves --actor dan remember 'the API allows 100 requests a minute.'", code=3)
    scene.run("git add -A && git commit -qm 'A correction'")
    return ids(corrected)[0]


def merge(scene: Scene) -> None:
    """Merge two branches that each learned something."""
    say("Two branches learn different things. Git merges them; there is nothing to resolve.")
    scene.run("git switch -qc feature && varves remember 'Retries back off from 200 ms'")
    scene.run("git add -A && git commit -qm 'Learned on feature'")
    scene.run("git switch -q main && varves remember 'Timeouts are 30 seconds'")
    scene.run("git add -A && git commit -qm 'Learned on main'")
    scene.run("git merge -q feature -m 'Merge feature'")
    listed = scene.run("varves list --json", show=False)
    must("back off" in listed and "Timeouts" in listed, "both branches' memories are there")
    scene.run("varves recall 'retries and timeouts' -k 2")


def rivals(scene: Scene, memory: str) -> str:
    """Let two branches correct one memory differently, and keep one; return the one kept."""
    say("Both branches correct the same memory, differently. Git merges; Varves asks.")
    scene.run("git switch -q feature && git merge -q main")
    theirs = scene.run(f"varves --actor ada correct {memory} 'The API allows 60 requests a minute'")
    scene.run("git add -A && git commit -qm 'ada: 60' && git switch -q main")
    scene.run(f"varves --actor ben correct {memory} 'The API allows 90 requests a minute'")
    scene.run("git add -A && git commit -qm 'ben: 90' && git merge -q feature -m 'Merge feature'")
    asked = scene.run("varves conflicts")
    must("siblings" in asked, "two corrections of one memory are a conflict")
    keep = ids(theirs)[0]
    scene.run(f"varves conflicts resolve {ids(asked, 'cfl')[0]} --keep {keep}")
    must(not scene.run("varves conflicts"), "the conflict is settled")
    scene.run("git add -A && git commit -qm 'Settled'")
    return keep


def returned(scene: Scene, keep: str) -> None:
    """Let a rejected value come back through a merge, and settle it with a text."""
    say("A branch from before all this still believes the rejected value, and is merged.")
    scene.run(f"git switch -q spike && varves --actor cleo remember '{OLD}'")
    scene.run("git add -A && git commit -qm 'cleo: 100' && git switch -q main")
    scene.run("git merge -q spike -m 'Merge spike'")
    asked = scene.run("varves conflicts")
    must("returned" in asked, "a rejected value that came back is flagged")
    found = scene.run("varves recall 'API requests' -k 1")
    must(keep in found and OLD not in found, "a flagged value is not recalled")
    text = "The API allows 60 requests a minute; 100 was the old plan"
    scene.run(f"varves conflicts resolve {ids(asked, 'cfl')[0]} --merge '{text}'")
    scene.run("git add -A && git commit -qm 'Settled again'")
    say("What is settled stays settled: feature has not heard of it, and is merged once more.")
    scene.run("git switch -q feature && varves remember 'Errors are JSON' && git add -A")
    scene.run("git commit -qm 'More' && git switch -q main && git merge -q feature -m 'Again'")
    must(not scene.run("varves conflicts"), "the conflicts stay settled")


def travel(scene: Scene) -> None:
    """Ask the past, and see how it became the present."""
    say("The memory as of yesterday, and as of now.")
    past = scene.run(f"varves recall 'API requests' --as-of {YESTERDAY}")
    must(OLD in past, "yesterday the old value stood")
    now = scene.run("varves recall 'API requests' -k 1")
    must("60 requests" in now, "today another one does")
    told = scene.run(f"varves history {ids(past)[0]}")
    must("memory.superseded" in told, "the history tells when that changed")


def attended(scene: Scene) -> None:
    """Let one coding agent hear something, and another be told."""
    say("Coding agents call hooks (and, if they like, `varves mcp`). `varves install` enters both.")
    scene.run("varves install --client opencode --dry-run | head -2")
    say("Somebody tells OpenCode something (this is what it sends when a turn is over) ...")
    said = "Remember that the staging database is called heron."
    turn = json.dumps({"session_id": "s-1", "messages": [{"role": "user", "text": said}]})
    scene.run(f"echo '{turn}' |\n    varves hook session.idle --client opencode")
    say("... and Claude Code is told, in its own form, when a prompt asks for it.")
    prompt = json.dumps({"session_id": "s-2", "prompt": "Which database is on staging?"})
    asks = f"echo '{prompt}' |\n    varves hook UserPromptSubmit --client claude"
    told = json.loads(scene.run(asks))["hookSpecificOutput"]["additionalContext"]
    must("heron" in told, "the prompt gets the memory")
    say("What was heard stays in this clone until it is shared.")
    kept = ids(scene.run("varves list --private"))
    must(len(kept) == 1, "it was kept once, and nothing else was")
    scene.run(f"varves share {kept[0]} && git add -A && git commit -qm 'What was said'")


def eaten(scene: Scene) -> None:
    """Let git throw an event away, and bring it back."""
    say("git reset --hard eats a memory that was staged and never committed.")
    memory = ids(scene.run("varves remember 'Deploys happen on Tuesdays' && git add -A"))[0]
    scene.run("git reset -q --hard && varves recall 'when are deploys?'")
    scene.run(f"varves show {memory}", code=4)
    scene.run("varves doctor", code=1)
    must("events restored" in scene.run("varves doctor --restore"), "it comes back")
    must(memory in scene.run("varves recall 'when are deploys?'"), "it is recalled again")


def whole(scene: Scene) -> None:
    """Prove the log whole and everything derived deletable."""
    say("Is the log whole? And is everything else really derived from it?")
    scene.run("varves verify")
    before = scene.run("varves list --json", show=False)
    scene.run("rm -r .varves/local .git/varves/local && varves rebuild")
    must(scene.run("varves list --json", show=False) == before, "a rebuild gives the same memories")


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
    print(f"\nLeft to look around in:\n  cd {scene.project} && ../bin/varves log")
    return 0


if __name__ == "__main__":
    sys.exit(main())

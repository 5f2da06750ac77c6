"""Two branches that each worked through a protocol, and the states git leaves the files in."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from tests.protocols.layers.conftest import LOG, RULES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.protocols.conftest import Clone

KNOWN, OURS, THEIRS = "Known to both sides", "From our side alone", "From their side alone"
ALL = sorted((KNOWN, OURS, THEIRS))
MARKS = (b"<<<<<<< ", b">>>>>>> ")


class Scoped:
    """Entries of one file."""

    name = "scoped"
    conflicts = "memory/projects/p/memory.json"

    def work(self, ledger: Any, text: str) -> None:
        """Run a session that writes one entry."""
        ledger.scoped.session_start(project="p")
        ledger.scoped.write("project", "p", type="pattern", content=text)
        ledger.scoped.session_end()

    def texts(self, root: Path) -> list[str]:
        """Return what the files say."""
        return sorted(one["content"] for one in read(root, self.conflicts)["entries"])


class Hivemind:
    """A file for each record, and an index."""

    name = "hivemind"
    conflicts = "memory/projects/p/_index.json"

    def work(self, ledger: Any, text: str) -> None:
        """Run a session that writes one memory."""
        ledger.hivemind.session_start(project="p")
        ledger.hivemind.write(type="factual", content={"text": text}, scope="project:p")
        ledger.hivemind.session_end()

    def texts(self, root: Path) -> list[str]:
        """Return what the files say."""
        folder = os.path.dirname(self.conflicts)
        paths = [one["file_path"] for one in read(root, self.conflicts)["entries"]]
        found = [read(root, f"{folder}/{path}")["content"] for path in paths]
        return sorted(one["text"] for one in found if "text" in one)


class Party:
    """A sidecar, and a part of another's file."""

    name = "party"
    conflicts = "_mdan/state/sidecars/ada.sidecar.json"

    def work(self, ledger: Any, text: str) -> None:
        """Hold a party that leaves one memory."""
        ledger.party.start(agents=["ada"])
        ledger.party.remember("ada", type="context", content=text, confidence=0.9)
        ledger.party.end()

    def texts(self, root: Path) -> list[str]:
        """Return what the files say."""
        found = read(root, self.conflicts)["memories"]
        listed = read(root, "_mdan/state/MDAN-STATE.json")["agent_sidecars"]["ada"]
        assert listed["memory_count"] == len(found)
        return sorted(one["content"] for one in found)


class Layers:
    """The log in Markdown, and two views."""

    name = "layers"
    conflicts = LOG

    def work(self, ledger: Any, text: str) -> None:
        """Append one event and bring the views up to date."""
        rules = os.path.join(ledger.root, "AGENTS.md")
        if not os.path.exists(rules):
            with open(rules, "w", encoding="utf-8") as file:
                file.write(RULES)
        said = {"type": "change", "scope": "project", "what": "Done.", "why": "Asked."}
        ledger.layers.append(**said, title=text, impact="None.", next="- Rest")
        ledger.layers.boot()

    def texts(self, root: Path) -> list[str]:
        """Return what the log says, and see that both views were made from it."""
        text = (root / LOG).read_text(encoding="utf-8")
        for view in (".memory/graph.md", ".memory/context.md"):
            assert (root / view).exists()
        assert THEIRS in (root / ".memory/context.md").read_text(encoding="utf-8")
        rows = [row for row in text.splitlines() if row.startswith("## 2026")]
        return sorted(row.partition(" — ")[2] for row in rows)


class Deliberation:
    """A conversation that all share; its file is nobody else's."""

    name = "deliberation"
    conflicts = ""

    def work(self, ledger: Any, text: str) -> None:
        """Say one decision."""
        if not ledger.deliberation.list():
            ledger.deliberation.begin("shared", shared=True)
        ledger.deliberation.say("ada", f"[DECISION] {text}.", conversation="shared")

    def texts(self, root: Path) -> list[str]:
        """Return what the file says."""
        found = read(root, "deliberations/shared/memory.json")["decisions"]
        return sorted(one["outcome"] for one in found)


FIVE = [Scoped(), Hivemind(), Party(), Layers(), Deliberation()]


def read(root: Path, path: str) -> Any:
    """Return a file as JSON."""
    return json.loads((root / path).read_text(encoding="utf-8"))


def branched(here: Clone, protocol: Any) -> None:
    """Make a project whose branches each went on from one commit, and git merges as text."""
    (here.root / "app.py").write_text("print('shop')\n", encoding="utf-8")
    protocol.work(here.at("2026-11-15T08:00:00Z"), KNOWN)
    here.commit("begin")
    here.git("branch", "-M", "main")
    here.git("switch", "--quiet", "--create", "theirs")
    protocol.work(here.at("2026-11-15T09:10:00Z"), THEIRS)
    here.commit("theirs")
    here.git("switch", "--quiet", "main")
    protocol.work(here.at("2026-11-15T09:20:00Z"), OURS)
    here.commit("ours")
    here.without_driver()


# What git does with two branches


def merge(here: Clone) -> str:
    """Merge; return what ends it."""
    here.git("merge", "--quiet", "--no-edit", "theirs", check=False)
    return "commit --quiet --no-edit"


def merge_diff3(here: Clone) -> str:
    """Merge with the common version between the marks."""
    here.git("config", "merge.conflictStyle", "diff3")
    return merge(here)


def rebase(here: Clone) -> str:
    """Rebase ours onto theirs."""
    here.git("rebase", "--quiet", "theirs", check=False)
    return "-c core.editor=true rebase --continue"


def cherry_pick(here: Clone) -> str:
    """Take their commit over."""
    here.git("cherry-pick", "theirs", check=False)
    return "-c core.editor=true cherry-pick --continue"


def squash(here: Clone) -> str:
    """Take their work over without their commits."""
    here.git("merge", "--quiet", "--squash", "theirs", check=False)
    return "commit --quiet --message squashed"


def stash_pop(here: Clone) -> str:
    """Bring work of theirs, stashed before it was committed, onto ours."""
    here.git("switch", "--quiet", "theirs")
    here.git("reset", "--quiet", "--soft", "HEAD~1")
    here.git("stash", "--quiet", "--include-untracked")
    here.git("switch", "--quiet", "main")
    here.git("stash", "pop", "--quiet", check=False)
    return "commit --quiet --all --message popped"


WAYS: list[Callable[[Clone], str]] = [
    *(merge, merge_diff3, rebase, cherry_pick, squash, stash_pop),
]


# What people do next


def as_left(here: Clone) -> None:
    """Leave the files as git left them."""


def added(here: Clone) -> None:
    """Mark all as resolved, marks and all."""
    here.git("add", "--all")


def committed(here: Clone) -> None:
    """Commit the marks by mistake."""
    here.git("add", "--all")
    here.git("-c", "core.editor=true", "commit", "--quiet", "--message", "oops", "--allow-empty")


def took_ours(here: Clone) -> None:
    """Take one side into the work tree, and leave the index unmerged."""
    for path in unmerged(here):
        here.git("checkout", "--ours", "--", path, check=False)


def took_theirs(here: Clone) -> None:
    """Take the other side into the work tree, and leave the index unmerged."""
    for path in unmerged(here):
        here.git("checkout", "--theirs", "--", path, check=False)


def took_theirs_for_good(here: Clone) -> None:
    """Take the other side and mark it as resolved."""
    took_theirs(here)
    here.git("add", "--all")


def removed(here: Clone) -> None:
    """Remove the unmerged files from the work tree."""
    for path in unmerged(here):
        (here.root / path).unlink(missing_ok=True)


STATES: list[Callable[[Clone], None]] = [
    *(as_left, added, committed, took_ours, took_theirs, took_theirs_for_good, removed),
]


def unmerged(here: Clone) -> list[str]:
    """Return what git's index holds unmerged."""
    rows = here.git("ls-files", "--unmerged", "-z").split("\0")
    return sorted({row.partition("\t")[2] for row in rows if row})

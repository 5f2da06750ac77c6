"""Whatever was decided without a person asking can be explained, and taken back by that answer."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from varves.events.codec import encode
from varves.values.ids import IdSource
from varves.values.instants import SystemClock, iso

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY = 86_400_000
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
ENVELOPE = (
    *("v", "id", "hlc", "time", "writer", "seq", "prev", "seen", "protocol", "session", "actor"),
    *("cause", "origin", "trust", "kind", "data", "salt"),
)


class Stage:
    """A project in which something comes about by itself."""

    def __init__(
        self, cli: Callable[..., Any], project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.cli = cli
        self.project = project
        self.ids = IdSource()
        self.environment = monkeypatch

    def later(self, ms: int) -> None:
        """Let time pass, for every command from now on."""
        self.environment.setenv("VARVES_NOW", iso(SystemClock().now() + ms))

    def say(self, *args: str) -> dict[str, Any]:
        answer = self.cli(*args, "--json")
        assert answer.code == 0, answer.err
        return dict(answer.json)

    def remember(self, text: str, *options: str) -> str:
        return str(self.say("remember", text, *options)["id"])

    def git(self, *args: str) -> None:
        subprocess.run(["git", *args], cwd=self.project, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "all")

    def branches(self, first: Callable[[], Any], second: Callable[[], Any]) -> tuple[Any, Any]:
        """Do two things on two branches, and merge them."""
        self.commit()
        self.git("checkout", "--quiet", "-b", "other")
        one = first()
        self.commit()
        self.git("checkout", "--quiet", "main")
        two = second()
        self.commit()
        self.git("merge", "--quiet", "-m", "both", "other")
        return one, two

    def arrives(self, kind: str, *, ahead: int = 0, **content: Any) -> str:
        """Take in an event that some other program has made, as `import` does."""
        now = SystemClock().now() + ahead
        fields = {
            "v": 1,
            "id": self.ids.event(now),
            "hlc": f"{now:012x}0000",
            "time": iso(now),
            "writer": "machine000.main",
            "seq": 1,
            "prev": None,
            "seen": [],
            "cause": [],
            "protocol": "core",
            "session": None,
            "actor": "keeper",
            "origin": "agent",
            "trust": 2,
            "kind": kind,
            "data": content,
            "salt": self.ids.salt(),
        }
        path = self.project / "made.jsonl"
        path.write_bytes(encode({key: fields[key] for key in ENVELOPE}))
        assert self.say("import", "jsonl", str(path), "--trust")["written"] == 1
        return str(fields["id"])


Outcome = tuple[str, str, str]  # the memory, the rule that must be named, and the event behind it


def ranked_below_a_sibling(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    one, two = stage.branches(
        lambda: stage.say("correct", name, "Tea at five"),
        lambda: stage.say("correct", name, "Tea at six"),
    )
    return one["id"], "siblings", two["event"]


def the_same_value_recorded_twice(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    one, two = stage.branches(
        lambda: stage.say("correct", name, "Tea at five"),
        lambda: stage.say("correct", name, "Tea at five!"),
    )
    return two["id"], "twin", one["event"]


def a_rejected_value_that_came_back(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four", "--scope", "agent:ada")
    stage.say("edit", name, "--scope", "project")
    gone, back = stage.branches(
        lambda: stage.say("forget", name, "--reason", "not so"),
        lambda: stage.say("remember", "Tea at four.", "--id", "mem_abcdefghijkl"),
    )
    return back["id"], "returned", gone["event"]


def said_again(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    return name, "reinforced", stage.say("remember", "Tea at four")["event"]


def run_out(stage: Stage) -> Outcome:
    said = stage.say("remember", "Tea at four", "--ttl", "1h")
    stage.later(DAY)
    return said["id"], "expired", said["event"]


def superseded(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    return name, "superseded", stage.say("correct", name, "Tea at five")["event"]


def forgotten(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    return name, "forgotten", stage.say("forget", name, "--reason", "not so")["event"]


def redacted(stage: Stage) -> Outcome:
    said = stage.say("remember", f"The token is {SECRET}")
    assert said["redacted"]
    return said["id"], "redacted", said["event"]


def quarantined(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    lines = stage.cli("export").out
    path = stage.project.parent / "foreign.jsonl"
    path.write_text(lines, encoding="utf-8")
    stage.say("forget", name, "--reason", "so that it comes anew")
    other = stage.project.parent / "other"
    other.mkdir()
    stage.project = other
    stage.say("--root", str(other), "import", "jsonl", str(path))
    [event] = stage.say("--root", str(other), "history", name)["events"]
    return name, "quarantined", event["id"]


def archived(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    return name, "archived", stage.arrives("memory.archived", memory=name, reason="unused")


def pruned(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    return name, "pruned", stage.arrives("memory.pruned", memory=name, reason="too many")


def expired(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four")
    return name, "expired", stage.arrives("memory.expired", memory=name, reason="past its time")


def merged(stage: Stage) -> Outcome:
    name, by = stage.remember("Tea at four"), stage.remember("Tea at four, cake at five")
    event = stage.arrives("memory.merged", memory=name, by=by, reason="the longer says both")
    return name, "merged", event


def decayed(stage: Stage) -> Outcome:
    name = stage.remember("Tea at four", "--confidence", "0.9")
    return name, "decayed", stage.arrives("memory.decayed", memory=name, set={"confidence": 0.3})


OUTCOMES = [
    *(ranked_below_a_sibling, the_same_value_recorded_twice, a_rejected_value_that_came_back),
    *(said_again, run_out, superseded, forgotten, redacted, quarantined),
    *(archived, pruned, expired, merged, decayed),
]
TAKEN_BACK: dict[Callable[[Stage], Outcome], Callable[[dict[str, Any]], bool]] = {
    said_again: lambda memory: not memory.get("reinforced"),
    decayed: lambda memory: memory["confidence"] == 0.9,
    redacted: lambda memory: SECRET in memory["text"],
    quarantined: lambda memory: memory["trust"] == 2,
}


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("U-13")
@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda outcome: outcome.__name__)
def test_every_automatic_decision_is_explained_and_taken_back(cli, project, monkeypatch, outcome):
    stage = Stage(cli, project, monkeypatch)
    name, rule, event = outcome(stage)
    assert stage.say("--root", str(stage.project), "verify")["ok"]
    back = TAKEN_BACK.get(outcome, lambda memory: memory["status"] == "active")
    if outcome is not redacted:
        assert not back(stage.say("--root", str(stage.project), "show", name))
    found = stage.say("--root", str(stage.project), "why", name)
    [told] = [one for one in found["rules"] if one["rule"] == rule]
    assert told["says"]
    assert told["event"] == event
    assert event in cli("--root", str(stage.project), "log", "--json").out
    ways = told["undo"].split(", or ")
    for number, way in enumerate(ways):
        root = project.parent / f"way{number}"
        shutil.copytree(stage.project, root)
        take(stage, root, way)
        shown = [one["id"] for one in stage.say("--root", str(root), "list")["memories"]]
        if outcome is redacted:
            [now] = shown
            name = now
        memory = stage.say("--root", str(root), "show", name)
        assert back(memory), (way, memory)
        assert name in shown, way


def take(stage: Stage, root: Path, way: str) -> None:
    """Do what an explanation says, word for word; a person's word is given where it is asked."""
    command = shlex.split(way.replace("the text as it should be", f"The token is {SECRET}"))
    assert command.pop(0) == "varves"
    agreed = ["--yes"] if command[0] == "trust" else []
    stage.say("--root", str(root), *command, *agreed)


@pytest.mark.requirement("U-13")
def test_what_waits_for_its_time_is_explained_and_counts_then(cli, project, monkeypatch):
    stage = Stage(cli, project, monkeypatch)
    stage.remember("Something else")
    content = {"memory": "mem_abcdefghijkl", "text": "Tea at four", "scope": "project"}
    event = stage.arrives("memory.recorded", ahead=3 * DAY, **content)
    assert cli("show", "mem_abcdefghijkl").code == 4
    found = stage.say("why", "mem_abcdefghijkl")
    assert not found["recalled"]
    [told] = found["rules"]
    assert (told["rule"], told["event"]) == ("ahead", event)
    assert "24 h ahead" in told["says"]
    assert "counts once it is less than 24 h ahead" in told["undo"]
    stage.later(3 * DAY)
    assert stage.say("show", "mem_abcdefghijkl")["status"] == "active"


@pytest.mark.requirement("U-13")
def test_a_change_that_waits_is_explained_beside_what_stands(cli, project, monkeypatch):
    stage = Stage(cli, project, monkeypatch)
    name = stage.remember("Tea at four")
    event = stage.arrives("memory.archived", ahead=3 * DAY, memory=name)
    rules = {one["rule"]: one for one in stage.say("why", name)["rules"]}
    assert rules["ahead"]["event"] == event
    assert stage.say("show", name)["status"] == "active"


@pytest.mark.requirement("U-13")
def test_a_merging_rejects_nothing(cli, project, monkeypatch):
    stage = Stage(cli, project, monkeypatch)
    merged(stage)
    assert stage.say("remember", "Tea at four!", "--id", "mem_abcdefghijkl")["status"] == "recorded"


@pytest.mark.requirement("U-13")
def test_the_explanation_outlives_a_purge_of_what_took_its_place(cli, project, monkeypatch):
    """The event that replaced it has lost its content; what stands in for it can be undone."""
    stage = Stage(cli, project, monkeypatch)
    name = stage.remember("Tea at four")
    by = stage.say("correct", name, "Tea at five")["id"]
    stage.say("purge", by, "--reason", "asked for", "--yes")
    [told] = [one for one in stage.say("why", name)["rules"] if one["rule"] == "superseded"]
    for number, way in enumerate(told["undo"].split(", or ")):
        root = project.parent / f"way{number}"
        shutil.copytree(project, root)
        take(stage, root, way)
        assert stage.say("--root", str(root), "show", name)["status"] == "active"
        assert json.loads(cli("--root", str(root), "verify", "--json").out)["ok"]

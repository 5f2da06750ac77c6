from __future__ import annotations

import random
import subprocess

import pytest

import varves
from tests.requirements.sources import Seeded
from varves.events.codec import encode

ROUNDS = 60
TIME = "2026-11-15T06:20:00.000Z"
WORDS = ("plain", "naïve", "emoji \U0001f600", "tab\tnew\nline", 'quote " and \\', "\u202e", "")


def anything(draw: random.Random, depth: int = 0):
    """Draw a JSON value of any shape."""
    kinds = ["text", "int", "float", "bool", "none", "list", "dict"]
    kind = draw.choice(kinds if depth < 4 else kinds[:5])
    if kind == "text":
        return draw.choice(WORDS) + str(draw.random())
    if kind == "int":
        return draw.randint(-(2**53), 2**53)
    if kind == "float":
        return draw.uniform(-1e6, 1e6)
    if kind == "bool":
        return draw.random() < 0.5
    if kind == "none":
        return None
    if kind == "list":
        return [anything(draw, depth + 1) for _ in range(draw.randint(0, 3))]
    return {
        f"k{n} {draw.choice(WORDS)}": anything(draw, depth + 1) for n in range(draw.randint(0, 3))
    }


class Foreign:
    """A clone of a later version, which writes fields and kinds we have never heard of."""

    def __init__(self, folder):
        self.folder = folder / "log/2026-11"
        self.ids = Seeded(1)
        self.lines: list[bytes] = []
        self.prev = None

    def say(self, kind: str, content: dict, **envelope):
        fields = {
            "v": 1,
            "id": self.ids.event(1_794_723_600_000 + len(self.lines)),
            "hlc": f"{1_794_723_600_000 + len(self.lines):012x}0000",
            "time": TIME,
            "writer": "foreignone.abcd",
            "seq": len(self.lines) + 1,
            "prev": self.prev,
            "seen": [],
            "protocol": "core",
            "session": None,
            "actor": "later",
            "cause": [],
            "origin": "direct",
            "trust": 3,
            "kind": kind,
            "data": content,
            "salt": self.ids.salt(),
        } | envelope
        self.lines.append(encode(fields))
        self.prev = fields["h"]
        return fields["id"]

    def write(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "20261115-foreig-0123456789.jsonl"
        path.write_bytes(b"".join(self.lines))
        return path


def record(name: str, text: str, more: dict) -> dict:
    return {"memory": name, "text": text, "scope": "project"} | more


@pytest.mark.requirement("U-12")
def test_unknown_fields_come_back_through_log_index_and_output(project, ledger, varves):
    draw = random.Random(12)
    foreign = Foreign(project / ".varves")
    given = {}
    for number in range(ROUNDS):
        name = foreign.ids.memory()
        extra = {f"future{n}": anything(draw) for n in range(1, 4)}
        event = foreign.say("memory.recorded", record(name, f"statement {number}", extra))
        given[name] = (event, extra)
    path = foreign.write()
    before = path.read_bytes()
    for name, (event, extra) in given.items():
        assert ledger.show(name).extra == extra
        (told,) = ledger.history(name)
        assert told.id == event
        assert {key: told.data[key] for key in extra} == extra
    name, (_, extra) = next(iter(given.items()))
    assert varves("show", name, "--json").json["extra"] == extra
    told = varves("log", "--json").json["events"]
    assert [event["data"]["future1"] for event in told] == [e["future1"] for _, e in given.values()]
    assert path.read_bytes() == before


@pytest.mark.requirement("U-12")
def test_they_survive_every_change_of_the_memory(project, ledger):
    foreign = Foreign(project / ".varves")
    name = foreign.ids.memory()
    extra = {"future": {"deep": [1, {"x": None}]}, "other": "naïve"}
    foreign.say("memory.recorded", record(name, "use zod", extra))
    path = foreign.write()
    before = path.read_bytes()
    steps = [
        lambda: ledger.edit(name, tag=["+web"], priority="high"),
        lambda: ledger.forget(name, reason="r"),
        lambda: ledger.restore(name),
        ledger.undo,
        ledger.rebuild,
        lambda: ledger.correct(ledger.restore(name).id, "use valibot"),
    ]
    for step in steps:
        step()
        assert ledger.show(name).extra == extra
    assert path.read_bytes() == before


@pytest.mark.requirement("U-12")
def test_they_go_along_when_a_private_memory_is_shared(project, ledger):
    foreign = Foreign(project / ".git/varves/private")
    name = foreign.ids.memory()
    foreign.say("memory.recorded", record(name, "tea at four", {"future": [1, 2, {"a": "b"}]}))
    foreign.write()
    assert ledger.show(name).kept == "private"
    ledger.share(name)
    shown = ledger.show(name)
    assert (shown.kept, shown.extra) == ("project", {"future": [1, 2, {"a": "b"}]})


@pytest.mark.requirement("U-12")
def test_unknown_kinds_are_kept_shown_and_fold_to_nothing(project, ledger, varves):
    draw = random.Random(13)
    foreign = Foreign(project / ".varves")
    ids = [
        foreign.say(kind, {f"f{n}": anything(draw) for n in range(3)})
        for kind in ("weather.changed", "memory.dreamt", "x", "session.started", "log.entry") * 4
    ]
    path = foreign.write()
    before = path.read_bytes()
    ledger.remember("use zod")
    ledger.rebuild()
    told = {event.id: event for event in ledger.log()}
    assert set(ids) <= set(told)
    assert [memory.text for memory in ledger.list(status="all")] == ["use zod"]
    shown = varves("log", "--kind", "weather.changed", "--json").json["events"]
    assert [event["data"] for event in shown] == [told[i].data for i in ids[::5]]
    assert varves("verify", "--deep").code == 0
    assert path.read_bytes() == before


@pytest.mark.requirement("U-12")
def test_settings_with_unknown_sections_are_left_as_they_are(project, varves):
    settings = '# by hand\n[future]\nanswer = 42\n\n[teams.core]\nroot = "../core"\nsize = 3\n'
    (project / ".varves").mkdir()
    path = project / ".varves/settings.toml"
    path.write_text(settings, encoding="utf-8")
    for argv in (("init",), ("remember", "x"), ("status",), ("rebuild",), ("doctor",)):
        assert varves(*argv).code == 0
    assert path.read_text(encoding="utf-8") == settings


@pytest.mark.requirement("U-12")
def test_foreign_files_beside_ours_are_left_as_they_are(project):
    """In the ledger's folder and in the repository alike."""
    with varves.open(project) as ledger:
        ledger.remember("x")
        beside = {
            project / ".varves/notes.md": b"mine\r\n",
            project / ".varves/log/README": b"hello",
            project / ".varves/log/2026-11/notes.txt": b"x",
            project / ".varves/.gitignore": b"local/\nprivate/\nmore\n",
        }
        for path, content in beside.items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        ledger.remember("y")
        ledger.init()
        ledger.rebuild()
        assert ledger.verify().ok
    for path, content in beside.items():
        assert path.read_bytes() == content
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)

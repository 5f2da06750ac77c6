"""What one ledger exports another takes in whole, with or without trust, and says what waits."""

from __future__ import annotations

import subprocess

import pytest

import varves as package

SAME = (
    *("id", "text", "scope", "type", "tags", "priority", "confidence", "ttl", "expires_at"),
    *("evidence", "source", "speaker", "session", "at", "turn", "kept"),
)


@pytest.fixture
def full(project, varves):
    """Give a ledger with memories of every protocol, type, life time, scope and evidence."""
    (project / "a.py").write_text("def first():\n    return 1\n", encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", "commit", "-qm", "a"], cwd=project, check=True)
    with package.open(project, session="s1") as ledger:
        for number, ttl in enumerate((None, "30d", "12h", "P30D", "P1Y")):
            ledger.remember(f"Lives for {ttl}", ttl=ttl, confidence=number / 5)
        asked = ["git", "rev-parse", "HEAD"]
        head = subprocess.check_output(asked, cwd=project, encoding="ascii").strip()
        places = ("a.py", "a.py:1", "a.py:1-2", "a.py::first", "gone.py", f"commit:{head}")
        for place in places:
            ledger.remember(f"See {place}", evidence=[place], tags=["one", "two"])
        for scope in ("project", "global", "team:core", "agent:ada", "session:s1"):
            ledger.remember(f"Said in {scope}", scope=scope, priority="high")
        ledger.remember("Mine", private=True, source="https://example.org", speaker="Ben")
        for kind in ("decision", "preference", "rule", "word of my own"):
            ledger.remember(f"A {kind}", type=kind, at="2026-01-02T03:04:05Z")
        for ttl in ("permanent", "P1Y", "P90D", "PT4H"):
            ledger.hivemind.write(f"Hive {ttl}", type="factual", ttl=ttl)
        ledger.hivemind.write("It is critical", type="factual", priority="critical")
        for kind in ("decision", "convention"):
            ledger.scoped.write("project", type=kind, content=f"Scoped {kind}")
        ledger.layers.init()
        ledger.layers.append(type="decision", scope="project", title="T", what="W", why="Y")
    return project


def exported(varves, path):
    path.write_text(varves("export", "--private").out, encoding="utf-8")
    return str(path)


def memories(root, home):
    with package.open(root, home=home) as ledger:
        found = [*ledger.list(status="all"), *ledger.list(status="all", private=True)]
        return {one.id: {name: getattr(one, name) for name in SAME} for one in found}


def import_at(varves, place, path, *more):
    place.mkdir()
    env = {"VARVES_HOME": str(place / "home")}
    return varves("--root", str(place), "import", "jsonl", path, *more, env=env)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("trust", [True, False])
def test_an_export_is_taken_in_whole(full, varves, home, tmp_path, trust):
    path = exported(varves, tmp_path / "out.jsonl")
    there = tmp_path / "there"
    done = import_at(varves, there, path, *(["--trust"] if trust else []))
    assert (done.code, done.err) == (0, "")
    assert ", 0 known, 0 refused" in done.out
    before, after = memories(full, home / "varves"), memories(there, there / "home")
    assert len(before) > 25
    assert after.keys() == before.keys()
    for name, memory in before.items():
        assert after[name] == memory, name


def test_what_waits_is_counted_and_can_be_looked_at(full, varves, home, tmp_path):
    path = exported(varves, tmp_path / "out.jsonl")
    there = tmp_path / "there"
    done = import_at(varves, there, path)
    count = len(memories(full, home / "varves"))
    line = done.out.splitlines()[0]
    assert line == (
        f"{count} written, 0 known, 0 refused;"
        f" {count} wait in quarantine (varves list --status quarantined)"
    )
    env = {"VARVES_HOME": str(there / "home")}
    listed = varves("--root", str(there), "list", "--status", "quarantined", "--json", env=env)
    private = varves(
        *("--root", str(there), "list", "--status", "quarantined", "--private", "--json"), env=env
    )
    shown = {one["id"] for one in (*listed.json["memories"], *private.json["memories"])}
    assert len(shown) == count
    again = varves("--root", str(there), "import", "jsonl", path, env=env)
    assert again.out.splitlines()[0] == f"0 written, {count} known, 0 refused"


def test_with_trust_or_in_a_rehearsal_nothing_new_waits(full, varves, tmp_path):
    path = exported(varves, tmp_path / "out.jsonl")
    trusted = import_at(varves, tmp_path / "trusted", path, "--trust", "--json")
    assert trusted.json["quarantined"] == 0
    would = import_at(varves, tmp_path / "would", path, "--dry-run", "--json")
    assert (would.code, would.json["quarantined"]) == (0, 0)


def test_a_refused_line_is_named_beside_the_answer(varves, tmp_path, home):
    varves("remember", "One")
    varves("remember", "Two")
    path = tmp_path / "out.jsonl"
    lines = varves("export").out.splitlines()
    path.write_text("\n".join([*lines[:2], "{not json", *lines[2:]]), encoding="utf-8")
    for more in ((), ("--dry-run",)):
        done = import_at(varves, tmp_path / f"there{len(more)}", str(path), *more)
        assert done.code == 3
        assert " 1 refused" in done.out
        [line] = done.err.splitlines()
        assert line.startswith("varves: refused, line 3: not an event")
    as_json = import_at(varves, tmp_path / "json", str(path), "--json")
    assert (as_json.code, as_json.err) == (3, "")
    assert [one["line"] for one in as_json.json["refused"]] == [3]
    assert as_json.json["written"] == 2


@pytest.mark.parametrize("pointer", [{"path": "../../etc/passwd"}, {"path": 3}, {}, {"commit": 1}])
def test_evidence_that_leads_out_of_the_project_is_refused(varves, project, tmp_path, pointer):
    import json

    from varves.events.codec import encode

    varves("remember", "One", "--evidence", "a.py")
    section, line = varves("export").out.splitlines()
    fields = json.loads(line)
    fields["data"]["evidence"] = [pointer]
    kept = {key: value for key, value in fields.items() if key not in ("c", "h")}
    path = tmp_path / "out.jsonl"
    path.write_text(f"{section}\n{encode(kept).decode()}", encoding="utf-8")
    done = import_at(varves, tmp_path / "there", str(path))
    assert (done.code, "Traceback" in done.err) == (3, False)
    assert done.err.startswith("varves: refused, line 2: ")


class Bar:
    """Notes what it is told about the progress of long work."""

    def __init__(self):
        self.shares, self.done = [], []

    def share(self, share):
        self.shares.append(share)

    def __call__(self, done):
        self.done.append(done)


def test_an_import_reports_its_share_of_the_whole_and_may_be_repeated(varves, full, tmp_path):
    path = exported(varves, tmp_path / "out.jsonl")
    (tmp_path / "new").mkdir()
    with package.open(tmp_path / "new", home=tmp_path / "home2") as ledger:
        ledger.progress = bar = Bar()
        written = ledger.import_("jsonl", str(path)).written
        assert len(bar.done) >= written > 0
        assert bar.shares == sorted(bar.shares)
        assert 0 < bar.shares[-1] <= 1
        again = ledger.import_("jsonl", str(path))
        assert (again.written, again.known) == (0, written)

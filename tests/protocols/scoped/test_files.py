"""The files: their shape, their numbers, and what a write does to them."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

import varves
from tests.tables import each_row
from varves.errors import Refused, UsageError
from varves.protocols.scoped.codec import ScopedCodec

KEYS = ["id", "type", "content", "confidence", "created_at", "accessed_count"]


@pytest.mark.requirement("S2-10", "S2-47")
def test_each_kind_of_file_has_a_version_and_entries_and_no_more(ledger, project, write):
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.note("A thought")
    write("Use Zod for validation")
    write("Ship on Tuesdays", "team", "core")
    write("Answer in short sentences", "global")
    paths = sorted((project / "memory").rglob("*.json"))
    assert [str(path.relative_to(project / "memory")) for path in paths] == [
        "global/memory.json",
        "projects/shop/memory.json",
        "sessions/s1.json",
        "teams/core/memory.json",
    ]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        document = json.loads(text)
        assert list(document) == ["version", "entries"]
        assert document["version"] == "1.0"
        assert [list(one) for one in document["entries"]] == [KEYS]
        assert text == json.dumps(document, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.requirement("S2-11")
def test_a_key_that_a_person_added_survives(project, write, entries):
    write("Use Zod for validation")
    path = project / "memory/projects/shop/memory.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    assert list(document["entries"][0]) == KEYS
    document["entries"][0]["owner"] = {"name": "Ada", "since": 2024}
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    write("Ship on Tuesdays")
    assert list(entries()[0]) == [*KEYS, "owner"]
    assert entries()[0]["owner"] == {"name": "Ada", "since": 2024}
    assert list(entries()[1]) == KEYS


@pytest.mark.requirement("S2-12")
def test_numbers_count_up_in_each_file_and_are_never_used_again(ledger, write):
    ids = [write(f"Rule number {number} holds").id for number in range(1, 16)]
    assert ids == [f"mem-{number:03}" for number in range(1, 16)]
    assert write("Ship on Tuesdays", "team", "core").id == "mem-001"
    ledger.scoped.forget("mem-015", scope="project", project="shop", reason="Outdated")
    assert write("A sixteenth rule").id == "mem-016"


@pytest.mark.requirement("S2-13")
@each_row("kind", ["fact", "Decision", "", None])
def test_another_type_is_refused(kind, project, write):
    with pytest.raises(UsageError, match="not a type"):
        write("Use Zod for validation", type=kind)
    assert not (project / "memory").exists()


@pytest.mark.requirement("S2-14")
@each_row("content", ["", "  \n\t", None, 7])
def test_a_content_that_says_nothing_is_refused(content, project, write):
    with pytest.raises(UsageError):
        write(content)
    assert not (project / "memory").exists()


@pytest.mark.requirement("S2-15")
@each_row("value", [-0.1, 1.1, "0.9", float("nan"), True])
def test_a_confidence_outside_0_to_1_is_refused(value, project, write):
    with pytest.raises(UsageError, match="not a confidence"):
        write("Use Zod for validation", confidence=value)
    assert not (project / "memory").exists()


@pytest.mark.requirement("S2-15")
@pytest.mark.parametrize("value", [0, 0.0, 0.5, 1, 1.0], ids=repr)
def test_a_confidence_from_0_to_1_is_kept(value, write, entries):
    write("Use Zod for validation", confidence=value)
    assert entries()[0]["confidence"] == value


@pytest.mark.requirement("S2-16")
def test_created_at_is_utc_with_z(clock, write, entries):
    clock.ms += 123
    write("Use Zod for validation")
    assert entries()[0]["created_at"] == "2026-11-15T06:20:00Z"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entries()[0]["created_at"])


@pytest.mark.requirement("S2-17")
def test_reading_and_injecting_count_and_searching_does_not(ledger, write, entries):
    write("Use Zod for validation")

    def count():
        [only] = ledger.scoped.rank("project", "shop")
        return only.accessed_count

    assert (count(), entries()[0]["accessed_count"]) == (0, 0)
    ledger.scoped.search("validation")
    assert count() == 0
    ledger.scoped.read("project", "shop")
    assert count() == 1
    ledger.scoped.session_start(id="s1", project="shop")
    assert count() == 2
    ledger.scoped.task("validate the form")
    assert count() == 3
    assert entries()[0]["accessed_count"] == 0, "reading writes no file"
    ledger.scoped.session_end()
    assert (count(), entries()[0]["accessed_count"]) == (3, 3), "the end of a session does"


@pytest.mark.requirement("S2-17")
def test_a_session_that_read_nothing_leaves_the_file_alone(ledger, project, write, entries):
    write("Use Zod for validation")
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.session_end()
    assert entries()[0]["accessed_count"] == 1
    before = (project / "memory/projects/shop/memory.json").stat()
    ledger.scoped.session_start(id="s2", project="bank")
    ledger.scoped.session_end()
    after = (project / "memory/projects/shop/memory.json").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_write_to_a_file_brings_its_counters_along(ledger, write, entries):
    write("Use Zod for validation")
    write("Reviews need two people", "team", "core")
    ledger.scoped.read("project", "shop")
    ledger.scoped.read("team", "core")
    write("Ship on Tuesdays")
    assert [one["accessed_count"] for one in entries()] == [1, 0]
    assert entries("teams/core/memory.json")[0]["accessed_count"] == 0
    write("Tests come first", "team", "core")
    assert entries("teams/core/memory.json")[0]["accessed_count"] == 1


@pytest.mark.requirement("S2-17")
@pytest.mark.parametrize("through", [False, True], ids=["collected", "write through"])
def test_write_through_shows_each_reading_in_the_file_at_once(through, project, entries):
    (project / ".varves").mkdir()
    (project / ".varves/settings.toml").write_text(
        f"[scoped]\nwrite_through = {str(through).lower()}\n", encoding="utf-8"
    )

    def counts():
        return [one["accessed_count"] for one in entries()]

    with varves.open(str(project)) as ledger:
        for text in ("Use Zod for validation", "Ship on Tuesdays"):
            ledger.scoped.write("project", "shop", type="decision", content=text)
        ledger.scoped.read("project", "shop")
        assert counts() == [through, through]
        ledger.scoped.search("zod")
        ledger.scoped.rank("project", "shop")
        assert counts() == [through, through]
        ledger.scoped.task("validate the form", project="shop")
        assert counts() == [2 * through, through]
        ledger.scoped.write("project", "shop", type="decision", content="Tests come first")
        assert counts() == [2, 1, 0]


def test_no_read_verb_changes_what_git_sees(ledger, project, write):
    write("Use Zod for validation")

    def status():
        done = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=all"],
            cwd=project,
            check=True,
            capture_output=True,
        )
        return done.stdout

    subprocess.run(["git", "add", "--all"], cwd=project, check=True)
    subprocess.run(["git", "commit", "--quiet", "-m", "memory"], cwd=project, check=True)
    before = status()
    ledger.scoped.read("project", "shop")
    ledger.scoped.search("zod")
    ledger.scoped.rank()
    ledger.scoped.stale()
    ledger.scoped.proposals()
    ledger.scoped.validate()
    assert status() == before == b""


@pytest.mark.requirement("S2-47")
def test_one_write_adds_one_entry_to_the_diff(ledger, project, write):
    write("Use Zod for validation")
    write("Ship on Tuesdays")
    subprocess.run(["git", "add", "--all"], cwd=project, check=True)
    write("Reviews need two people")
    diff = subprocess.run(
        ["git", "diff", "--unified=0", "--", "memory"],
        cwd=project,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    changed = [line for line in diff.splitlines() if re.match(r"[-+] ", line)]
    # Of the lines before it only the comma after its neighbour is another.
    assert [line for line in changed if line[0] == "-"] in ([], ["-    }"])
    added = "".join(line[1:] for line in changed if line[0] == "+")
    assert added.count('"id"') == 1
    assert '"mem-003"' in added
    assert len(changed) <= 10


@pytest.mark.requirement("S2-08")
def test_global_entries_are_sure_or_forced(ledger, project, write, entries):
    with pytest.raises(Refused, match=r"confidence of 0\.9"):
        write("Answer in short sentences", "global", confidence=0.8)
    assert not (project / "memory").exists()
    done = write("Answer in short sentences", "global", confidence=0.8, force=True)
    assert entries("global/memory.json")[0]["confidence"] == 0.8
    assert ledger.show(done.memory).extra["forced"] is True
    sure = write("Tests come first", "global", confidence=0.9, force=True)
    assert "forced" not in ledger.show(sure.memory).extra


@pytest.mark.requirement("S2-08")
def test_a_global_entry_needs_a_confidence_that_somebody_stated(varves, ledger, entries):
    words = ("scoped", "write", "global", "--type", "convention", "--content", "All like tabs")
    refused = varves(*words)
    assert refused.code == 3
    assert "stated confidence of 0.9; state --confidence" in refused.err
    forced = varves(*words, "--force", "--json")
    assert ledger.show(json.loads(forced.out)["memory"]).extra["forced"] is True
    with pytest.raises(Refused, match="a stated confidence"):
        ledger.scoped.write("global", type="convention", content="All like spaces")
    [proposed] = ledger.scoped.done(text="Learned: all like dots", scope="global")
    unsure = varves("scoped", "approve", proposed.id)
    assert (unsure.code, unsure.out) == (3, "")
    assert "approve it with --force" in unsure.err
    assert varves("scoped", "write", "project", "p", *words[3:]).code == 0
    assert [one["content"] for one in entries("global/memory.json")] == ["All like tabs"]


@pytest.mark.requirement("S2-08")
def test_no_confidence_is_needed_if_the_settings_ask_for_none(varves, project):
    (project / ".varves").mkdir()
    settings = project / ".varves/settings.toml"
    settings.write_text("[scoped]\nglobal_confidence = 0\n", encoding="utf-8")
    words = ("scoped", "write", "global", "--type", "convention", "--content", "All like tabs")
    assert varves(*words).code == 0


@pytest.mark.requirement("S2-08")
def test_the_threshold_is_a_setting(varves, project):
    (project / ".varves").mkdir()
    (project / ".varves/settings.toml").write_text(
        "[scoped]\nglobal_confidence = 0.7\n", encoding="utf-8"
    )
    options = ("--type", "pattern", "--content", "Tests come first", "--confidence")
    assert varves("scoped", "write", "global", *options, "0.69").code == 3
    assert varves("scoped", "write", "global", *options, "0.7").code == 0


@each_row(
    "table",
    [
        "global_confidence = 2",
        "budget = 900",
        "budget = 5001",
        "top = 1.5",
        "half_life_days = 0",
        "write_through = 1",
        "session_hours = 0",
        'teams = "core"',
        'teams = ["../core"]',
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(table, varves, project):
    (project / ".varves").mkdir(exist_ok=True)
    (project / ".varves/settings.toml").write_text(f"[scoped]\n{table}\n", encoding="utf-8")
    said = varves("scoped", "session", "start")
    assert said.code == 5
    assert said.err.count("\n") == 1


def test_a_setting_that_nobody_knows_is_said_and_has_no_effect(varves, project):
    (project / ".varves").mkdir()
    table = "[scoped]\nglobl_confidence = 0.7\n"
    (project / ".varves/settings.toml").write_text(table, encoding="utf-8")
    said = varves("scoped", "session", "start")
    assert said.code == 0
    assert "did you mean scoped.global_confidence?" in said.err


def test_a_write_renders_only_its_file_once_beside_the_empty_files_of_init(
    ledger, write, monkeypatch
):
    rendered = []

    def render(codec, stock, touched, whole=ScopedCodec.render):
        files = whole(codec, stock, touched)
        rendered.append(sorted(files))
        return files

    ledger.scoped.init(project="shop")
    write("Use Zod for validation")
    write("Paint it blue", name="bank")
    monkeypatch.setattr(ScopedCodec, "render", render)
    write("Ship on Tuesdays")
    assert rendered == [["memory/projects/shop/memory.json"]]

"""A session from start to end, or to a crash."""

from __future__ import annotations

import subprocess

import pytest

import varves
from tests.tables import each_row
from varves.errors import Refused, UnsafeName, UsageError

HOUR = 3_600_000


def contents(found):
    return [one.content for one in found]


@pytest.mark.requirement("S2-05")
def test_a_session_notes_tools_edits_and_decisions(ledger, entries):
    ledger.scoped.session_start(id="s1")
    notes = {"tool": "ran pytest", "edit": "src/form.ts changed", "decision": "Use Zod here"}
    for kind, text in notes.items():
        ledger.scoped.note(text, kind=kind)
    listed = ledger.scoped.read("session")
    assert {one.kind: one.content for one in listed} == notes
    assert [one["type"] for one in entries("sessions/s1.json")] == [
        *("pattern", "pattern", "decision")
    ]
    with pytest.raises(UsageError, match="kind"):
        ledger.scoped.note("x", kind="thought")


@pytest.mark.requirement("S2-05")
def test_a_session_notes_on_the_command_line(varves, project):
    assert varves("scoped", "session", "start").code == 0
    for kind in ("tool", "edit", "decision"):
        said = varves("scoped", "note", f"A note of {kind}", "--kind", kind)
        assert (said.code, said.err) == (0, "")
    again = varves("scoped", "note", "A note of tool", "--kind", "tool")
    assert again.out.startswith("mem-001 known in session:")
    read = varves("scoped", "read", "session")
    assert [read.out.count(f"A note of {kind}") for kind in ("tool", "edit", "decision")] == [1] * 3


@pytest.mark.requirement("S2-06", "S2-52")
def test_the_file_goes_at_the_end_and_decisions_become_proposals(ledger, project, write):
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.note("Use Zod for validation")
    ledger.scoped.note("ran pytest", kind="tool")
    ledger.scoped.note("src/form.ts changed", kind="edit")
    assert (project / "memory/sessions/s1.json").is_file()
    ended = ledger.scoped.session_end()
    assert [(one.content, one.type, one.scope) for one in ended.proposals] == [
        ("Use Zod for validation", "decision", "project:shop")
    ]
    assert ledger.scoped.proposals() == ended.proposals
    assert not (project / "memory/sessions/s1.json").exists()
    with pytest.raises(Refused, match="no session"):
        ledger.scoped.session_end()


@pytest.mark.requirement("S2-06")
@pytest.mark.parametrize("way", ["ended", "recovered"])
def test_a_session_of_the_same_name_begins_empty(way, ledger, clock, entries):
    ledger.scoped.session_start(id="s1", project="shop")
    first = ledger.scoped.note("Use Zod for validation")
    if way == "ended":
        ledger.scoped.session_end()
    else:
        clock.ms += 4 * HOUR
        ledger.scoped.session_start(id="s2", project="shop")
        ledger.scoped.session_end()
    ledger.scoped.session_start(id="s1", project="shop")
    assert entries("sessions/s1.json") == []
    assert contents(ledger.scoped.read("session")) == []
    again = ledger.scoped.note("Use Zod for validation")
    assert (again.status, again.id) == ("recorded", "mem-002")
    assert [one["id"] for one in entries("sessions/s1.json")] == ["mem-002"]
    kept = ledger.show(first.memory)
    assert (kept.text, kept.status) == ("Use Zod for validation", "archived"), "history stays"


@pytest.mark.requirement("S2-06")
def test_what_a_crashed_session_decided_is_offered_before_its_file_goes(project, clock, entries):
    with varves.open(str(project), clock=clock) as crashed:
        crashed.scoped.session_start(id="s1", project="shop")
        crashed.scoped.note("Use Zod for validation")
    clock.ms += 4 * HOUR
    with varves.open(str(project), clock=clock) as ledger:
        assert len(entries("sessions/s1.json")) == 1, "nobody but the next start cleans it"
        assert ledger.scoped.proposals() == ()
        begun = ledger.scoped.session_start(id="s2", project="shop")
        [offered] = begun.recovered
        assert (offered.session, contents(offered.proposals)) == ("s1", ["Use Zod for validation"])
        assert not (project / "memory/sessions/s1.json").exists()
        assert (project / "memory/sessions/s2.json").is_file()
        assert ledger.scoped.session_start(id="s2", project="shop").recovered == ()
        assert contents(ledger.scoped.proposals()) == ["Use Zod for validation"]


@pytest.mark.requirement("S2-06")
def test_a_crash_is_offered_first_on_the_command_line(varves, project):
    def at(hour):
        return {"VARVES_NOW": f"2026-11-15T{hour:02}:00:00Z"}

    varves("scoped", "session", "start", "--session", "s1", env=at(6))
    varves("scoped", "note", "Use Zod for validation", env=at(6))
    said = varves("scoped", "session", "start", "--session", "s2", env=at(10))
    offered = "session s1 was never ended: 1 proposal, see varves scoped proposals"
    assert said.err.index(offered) < said.err.index("session s2: loaded")
    assert "Use Zod for validation" in varves("scoped", "proposals", env=at(10)).out
    last = varves("scoped", "session", "start", "--session", "s3", env=at(14))
    assert "session s2 was never ended; it proposes nothing" in last.err


@pytest.mark.requirement("S2-06")
def test_a_session_is_left_at_work_until_it_was_idle_for_four_hours(project, clock, entries):
    path = project / "memory/sessions/s1.json"
    with varves.open(str(project), clock=clock, actor="ada") as ada:
        ada.scoped.session_start(id="s1", project="shop")
        clock.ms += 3 * HOUR
        ada.scoped.note("Use Zod for validation")
        clock.ms += 4 * HOUR - 1
        with varves.open(str(project), clock=clock, actor="bob") as bob:
            assert bob.scoped.session_start(id="s2", project="shop").recovered == ()
            assert path.is_file()
            assert bob.scoped.note("Ship on Tuesdays").scope == "session:s2"
            assert ada.scoped.note("Reviews need two people").scope == "session:s1"
            assert contents(ada.scoped.read("session")) == [
                *("Use Zod for validation", "Reviews need two people")
            ]
            assert contents(bob.scoped.read("session")) == ["Ship on Tuesdays"]
            assert ada.scoped.session_start(id="s1", project="shop").recovered == ()
            clock.ms += 4 * HOUR
            [offered] = bob.scoped.session_start(id="s2", project="shop").recovered
            assert (offered.session, contents(offered.proposals)) == (
                *("s1", ["Use Zod for validation", "Reviews need two people"]),
            )
            assert not path.exists()


def test_reading_begins_no_session_and_none_again(varves, project):
    read = ("scoped", "read", "session", "--session", "s1")
    assert (varves(*read).code, varves(*read).out) == (0, "")
    assert varves("scoped", "search", "--query", "zod", "--session", "s1").code == 0
    assert not (project / ".varves").exists()
    varves("scoped", "session", "start", "--session", "s1")
    varves("scoped", "session", "end", "--session", "s1")
    before = len(varves("log", "--json").out.splitlines())
    assert varves(*read).code == 0
    assert len(varves("log", "--json").out.splitlines()) == before
    assert varves("scoped", "session", "end").code == 3
    assert varves("scoped", "validate").code == 0


def test_whoever_has_no_session_is_told_which_others_run(varves, project):
    for actor, name in (("ada", "s1"), ("bob", "s2")):
        varves("scoped", "session", "start", "--session", name, "--actor", actor)
    for words in (("session", "end"), ("note", "A thought"), ("read", "session")):
        said = varves("scoped", *words, "--actor", "eve")
        assert (said.code, said.out) == (3, "")
        assert said.err == (
            "varves: no session of eve is running; running: s1, s2;"
            " choose one with --session, or start your own\n"
        )
    ended = varves("scoped", "session", "end", "--session", "s1", "--actor", "eve")
    assert ended.out.startswith("session s1 ended")
    assert (project / "memory/sessions/s2.json").is_file()


@pytest.mark.requirement("S2-06")
def test_two_sessions_of_one_actor_run_beside_each_other(project, clock, entries):
    """As in two terminals; each ledger goes on in the session that it started."""
    with (
        varves.open(str(project), clock=clock) as one,
        varves.open(str(project), clock=clock) as other,
    ):
        one.scoped.session_start(id="s1", project="shop")
        one.scoped.note("Use Zod for validation")
        begun = other.scoped.session_start(id="s2", project="shop")
        assert begun.recovered == ()
        assert any("session s1 of USER is still running" in said for said in begun.notices)
        assert other.scoped.note("Ship on Tuesdays").scope == "session:s2"
        assert one.scoped.note("Reviews need two people").scope == "session:s1"
        assert contents(one.scoped.read("session")) == [
            *("Use Zod for validation", "Reviews need two people")
        ]
        assert other.scoped.session_end().session == "s2"
        assert len(entries("sessions/s1.json")) == 2
        assert one.scoped.session_end().session == "s1"


@pytest.mark.requirement("S2-06")
def test_where_several_sessions_of_an_actor_run_one_must_be_named(varves, project):
    for name in ("s1", "s2"):
        assert varves("scoped", "session", "start", "--session", name).code == 0
    for words in (("note", "Ship on Tuesdays"), ("session", "end"), ("read", "session")):
        said = varves("scoped", *words)
        assert said.code == 3
        assert said.err.endswith("are running: s1, s2; choose one with --session\n")
    assert varves("scoped", "note", "Ship on Tuesdays", "--session", "s1").code == 0
    assert varves("scoped", "session", "end", "--session", "s2").code == 0
    assert varves("scoped", "session", "end").out.startswith("session s1 ended")
    assert not [*(project / "memory/sessions").glob("*.json")]


@pytest.mark.requirement("S2-06")
def test_how_long_another_may_be_idle_is_a_setting(varves, project):
    (project / ".varves").mkdir()
    (project / ".varves/settings.toml").write_text(
        "[scoped]\nsession_hours = 0.5\n", encoding="utf-8"
    )
    start = ("scoped", "session", "start", "--session")

    def at(actor, moment):
        return {"VARVES_ACTOR": actor, "VARVES_NOW": f"2026-11-15T{moment}Z"}

    varves(*start, "s1", env=at("ada", "06:00:00"))
    assert "never ended" not in varves(*start, "s2", env=at("bob", "06:29:59")).err
    assert "session s1 was never ended" in varves(*start, "s2", env=at("bob", "06:30:00")).err


@pytest.mark.requirement("S2-07")
def test_a_session_without_a_write_leaves_the_projects_memory_as_it_was(ledger, write, entries):
    write("Use Zod for validation")
    before = entries()
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.note("Ship on Tuesdays")
    ledger.scoped.task("validate the form")
    ledger.scoped.done(text="Learned: library X lacks feature Y")
    ledger.scoped.session_end()
    assert [{**one, "accessed_count": 0} for one in entries()] == before


@pytest.mark.requirement("S2-51")
def test_a_session_that_did_not_read_the_projects_memory_is_a_finding(project):
    with varves.open(str(project), session="s1") as ledger:
        assert ledger.scoped.validate() == ()
        ledger.scoped.note("Use Zod for validation")
        [finding] = ledger.scoped.validate()
        assert (finding.place, finding.fix) == ("session s1", "varves scoped session start")
        ledger.scoped.session_start()
        assert ledger.scoped.validate() == ()


@pytest.mark.requirement("S2-51")
def test_that_finding_is_exit_code_1(varves, project):
    varves("scoped", "note", "Use Zod for validation", "--session", "s1")
    said = varves("scoped", "validate")
    assert said.code == 1
    assert "session s1" in said.out
    varves("scoped", "session", "start", "--session", "s1")
    assert varves("scoped", "validate").code == 0


def test_without_a_session_there_is_nothing_to_note_in(ledger, project):
    for call in (
        lambda: ledger.scoped.note("A thought"),
        lambda: ledger.scoped.read("session"),
        lambda: ledger.scoped.write("session", type="pattern", content="A thought"),
    ):
        with pytest.raises(Refused, match="no session is running"):
            call()
    assert not (project / "memory/sessions").exists()


@each_row("name", ["current", "Archive", "_index", "../s1", "a/b", ".s"])
def test_names_that_are_not_a_sessions_are_refused(name, ledger, project):
    with pytest.raises(UnsafeName):
        ledger.scoped.session_start(id=name)
    assert not (project / "memory/sessions").exists()


def test_a_session_that_goes_on_keeps_its_notes(project, entries):
    with varves.open(str(project)) as ledger:
        ledger.scoped.session_start(id="s1", project="shop")
        ledger.scoped.note("Use Zod for validation")
    with varves.open(str(project)) as ledger:
        assert ledger.scoped.session_start(id="s1", project="shop").recovered == ()
        assert ledger.scoped.note("Ship on Tuesdays").id == "mem-002"
        assert len(entries("sessions/s1.json")) == 2
        assert len(ledger.scoped.session_end().proposals) == 2


def test_a_session_belongs_to_one_checkout(ledger, project, tmp_path):
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.note("Use Zod for validation")
    subprocess.run(["git", "add", "--all"], cwd=project, check=True)
    subprocess.run(["git", "commit", "--quiet", "-m", "memory"], cwd=project, check=True)
    second = tmp_path / "second"
    subprocess.run(
        ["git", "worktree", "add", "--quiet", "-b", "second", str(second)], cwd=project, check=True
    )
    with varves.open(str(second)) as other:
        begun = other.scoped.session_start(id="s2", project="shop")
        assert begun.recovered == ()
        assert contents(other.scoped.read("session")) == []
        assert not (second / "memory/sessions/s1.json").exists()
    assert (project / "memory/sessions/s1.json").is_file()
    assert contents(ledger.scoped.read("session")) == ["Use Zod for validation"]
    assert ledger.scoped.session_end().session == "s1"


def test_a_session_of_a_checkout_that_is_gone_is_offered_in_another(ledger, project, tmp_path):
    ledger.scoped.write("project", "shop", type="decision", content="Ship on Tuesdays")
    subprocess.run(["git", "add", "--all"], cwd=project, check=True)
    subprocess.run(["git", "commit", "--quiet", "-m", "memory"], cwd=project, check=True)
    second = tmp_path / "second"
    git = ["git", "worktree"]
    subprocess.run([*git, "add", "--quiet", "-b", "second", second], cwd=project, check=True)
    with varves.open(str(second)) as other:
        other.scoped.session_start(id="s1", project="shop")
        other.scoped.note("Use Zod for validation")
    assert ledger.scoped.session_start(id="s2", project="shop").recovered == ()
    subprocess.run([*git, "remove", "--force", second], cwd=project, check=True)
    [offered] = ledger.scoped.session_start(id="s2", project="shop").recovered
    assert (offered.session, contents(offered.proposals)) == ("s1", ["Use Zod for validation"])
    assert ledger.scoped.session_start(id="s2", project="shop").recovered == ()

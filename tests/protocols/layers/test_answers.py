"""What the verbs say to a person: why something was not done, and what to do instead."""

from __future__ import annotations

import json

import pytest

from tests.protocols.layers.conftest import CONTEXT, LOG, block
from tests.tables import assert_each, each_row


@pytest.fixture
def lines(site, varves):
    """Run a verb of the protocol in the project; return its answer."""

    def run(*words, **options):
        site.close()
        return varves("layers", *words, **options)

    return run


# Shutdown


@pytest.mark.requirement("S1-03", "S1-05")
@pytest.mark.parametrize("path", ["AGENTS.md", "./AGENTS.md", "agents.md"])
def test_no_shutdown_commits_the_rules(site, lines, path):
    site.commit()
    site.write("AGENTS.md", f"{site.read('AGENTS.md')}\n- Agents may deploy\n")
    head = site.git("rev-parse", "HEAD")
    done = lines("shutdown", "--files", path)
    assert done.code == 3
    assert "agents do not change rules" in done.err
    assert site.git("rev-parse", "HEAD") == head


@pytest.mark.requirement("S1-59")
def test_a_commit_without_events_names_its_files(site):
    site.write("a.txt", "a")
    site.write("b.txt", "b")
    assert site.verbs.shutdown(files=("a.txt", "b.txt")).committed
    assert site.git("log", "-1", "--format=%s") == "Update a.txt and 1 more file\n"


@pytest.mark.requirement("S1-59")
def test_a_shutdown_with_nothing_to_commit_says_so(site, lines):
    site.verbs.shutdown()
    closed = site.verbs.shutdown()
    head = site.git("rev-parse", "HEAD").strip()
    assert (closed.commit, closed.committed) == (head, False)
    assert lines("shutdown").out == f"nothing to commit; the last is commit {head}\n"


@pytest.mark.requirement("S1-70")
def test_a_draft_names_the_event_that_it_became(site, lines, varves):
    said = {"type": "change", "scope": "file", "what": "It was done.", "why": "Asked for."}
    [draft] = site.verbs.append(title="Later", draft=True, **said).ids
    [made] = site.verbs.shutdown().appended
    site.close()
    assert f"appended as {made}" in varves("history", draft).out
    done = lines("resolve", draft, "--restore")
    assert done.code == 4
    assert f"a draft that was appended as {made}" in done.err


# Append


@pytest.mark.requirement("S1-84")
def test_a_dead_path_in_an_event_is_told_at_once_and_one_that_the_event_removes_is_none(site):
    def check(row):
        what, told = row
        site.add("Said", what=what, impact="None.", next="None.")
        assert any("does not exist" in note for note in site.notes) is told
        assert (len(site.found("S1-84")) == 1) is told
        for one in site.found("S1-84"):
            site.verbs.waive(one.place, reason="For this test.", rule=one.rule)

    rows = (
        ("The plan is in `docs/plan.md`.", True),
        ("See [the notes](notes/today.md).", True),
        ("We want `old/build.sh` to be removed.", True),
        ("Removed `old/run.sh` and `old/stop.sh`.", False),
        ("The chart is elsewhere, dropping the file `old/values.yaml`.", False),
        ("Moved `old/main.tf` to the infra repository.", False),
        ("`old/setup.py` was deleted.", False),
        ("`old/tox.ini` no longer exists.", False),
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-84")
def test_after_an_append_without_a_notice_there_are_no_errors(site, lines):
    site.write("src/a.py", "pass\n")
    text = block("2026-01-05 08:00", "Given").replace("Little.", "Files: [src/b.py](src/b.py)")
    done = lines("append", "-", stdin=text)
    assert "src/b.py does not exist" in done.err
    assert lines("validate").code == 1
    site.add("Fine", impact="Files: [src/a.py](src/a.py)")
    assert not any("does not exist" in note for note in site.notes)


@pytest.mark.requirement("S1-11", "S1-80")
def test_a_date_without_a_time_may_be_any_time_of_that_day(site):
    site.add("Before")
    site.add("Then")
    day = site.read(LOG).partition("\n## ")[2][:10]
    by_hand = block("2026-01-05 09:00", "By hand").replace("2026-01-05 09:00", day)
    site.write(LOG, f"{site.read(LOG)}\n{by_hand}")
    assert not any("only decrease" in one for one in site.verbs.boot().warnings)
    assert site.found("S1-80") == []
    older = block("2025-12-01 09:00", "Older")
    site.write(LOG, f"{site.read(LOG)}\n{older}")
    assert any("only decrease" in one for one in site.verbs.boot().warnings)


@pytest.mark.requirement("S1-08", "S1-80")
def test_an_event_dated_in_the_future_is_the_wrong_one_and_not_those_after_it(site):
    site.at("2026-01-05T09:30:00Z")
    site.add("Before")
    site.write(LOG, f"{site.read(LOG)}\n{block('2062-01-05 10:00', 'Typo')}")
    [name] = site.verbs.append(
        type="result", scope="project", title="B", what="b", why="c", at="2026-01-05 09:30"
    ).ids
    assert site.ledger.show(name).extra["time"] == "2026-01-05 09:30"
    assert any("dated 2062-01-05 10:00, which is in the future" in note for note in site.notes)
    [found] = site.found("S1-80")
    assert "Typo is dated in the future" in found.message
    assert "newest first" not in found.fix
    assert not any("only decrease" in one for one in site.verbs.boot().warnings)
    site.verbs.append(
        type="result", scope="project", title="C", what="b", why="c", at="2026-01-05 08:00"
    )
    assert any("2026-01-05 08:00 is before the last event" in note for note in site.notes)


@pytest.mark.requirement("S1-08")
def test_a_time_that_is_not_used_is_named(site):
    site.at("2026-01-05T11:00:00Z")
    site.add("Ahead")
    site.at("2026-01-05T10:00:00Z")
    site.add("Told", at="2026-01-05 09:45")
    assert any(
        "this one gets the time 2026-01-05 11:00 instead of 2026-01-05 09:45" in note
        for note in site.notes
    )


@pytest.mark.requirement("S1-17")
@each_row(
    ("more", "line", "hint"),
    [
        ("### Risks\nMany.\n", 18, "within one of these, write #### Risks"),
        ("#### Risks\nMany.\n\n### Blockers\n- no key\n", 21, "#### Blockers"),
    ],
)
def test_a_part_that_is_none_is_named_with_its_line(site, lines, more, line, hint):
    done = lines("append", "-", stdin=f"{block('2026-01-05 08:00', 'One')}\n{more}")
    assert done.code == 2
    assert f"line {line}: not a part of an event" in done.err
    assert hint in done.err


# A missing log


@pytest.mark.requirement("S1-64")
def test_without_the_log_nothing_is_rebuilt_and_every_answer_says_how_to_get_it_back(site, lines):
    site.add("One", what="[[a]] is done.")
    site.verbs.boot()
    (site.root / LOG).unlink()
    assert [one.rule for one in site.verbs.validate()] == ["S1-64"]
    for verb in (("rebuild",), ("graph", "rebuild")):
        done = lines(*verb)
        assert (done.code, done.out) == (4, "")
        assert "resolve --restore" in done.err
    for verb in ("boot", "context"):
        done = lines(verb)
        assert "CHANGELOG.md is missing: its events are not shown." in done.out
        assert "No event is recorded yet" not in done.out
    lines("resolve", "--restore")
    assert site.verbs.rebuild().stale == {}


# Views


@pytest.mark.requirement("S1-45")
def test_what_was_written_into_the_context_is_offered_in_the_part_it_belongs_to(site):
    site.add("One", next="- Look")
    site.verbs.boot()
    site.edit(CONTEXT, "- Look\n", "- Look\n- Call the bank\n")
    site.edit(CONTEXT, "## Blockers/Issues\nnone", "## Blockers/Issues\n- the bank is shut")
    [offered] = site.verbs.boot().drafts
    site.verbs.append_text(offered)
    assert site.notes == []
    text = site.verbs.context().text
    assert "## Next Actions\n- Call the bank\n- Look\n" in text
    assert "## Blockers/Issues\n- the bank is shut\n" in text


# Empty answers


@pytest.mark.requirement("S1-24")
def test_an_empty_answer_says_so(site, lines):
    site.add("One", what="[[a]] is done.")
    site.verbs.rebuild()
    rows = (
        (("find", "zebra"), "nothing found"),
        (("graph", "query", "--status", "dome"), "no entity matches; the statuses are done"),
        (("graph", "query", "--kind", "pack"), "no entity matches"),
        (("graph", "neighbours", "a"), "it has no such neighbours"),
        (("graph", "depends", "a"), "it depends on nothing"),
        (("graph", "cycles"), "there are no cycles"),
        (("drafts",), "there are no drafts"),
    )

    def check(row):
        words, told = row
        done = lines(*words)
        assert (done.code, done.out) == (0, "")
        assert done.err == f"varves: {told}\n"

    assert_each(rows, check)


@pytest.mark.requirement("S1-79")
def test_a_handoff_of_a_commit_that_is_not_here_is_accepted_with_a_warning(site, lines):
    site.add("One")
    site.verbs.shutdown(to="ben")
    place = site.root / ".memory/handoff.json"
    payload = json.loads(place.read_text(encoding="utf-8"))
    payload["files"]["committed"] = "c0ffee" * 6 + "c0ff"
    place.write_text(json.dumps(payload), encoding="utf-8")
    done = lines("accept", "--actor", "ben")
    assert done.code == 0
    assert "is not in this repository" in done.err
    assert "exit code is 1 for errors" in lines("validate", "--help").out

"""What a merge or a pull brings is compared soon after, a little at a time."""

from __future__ import annotations

import json
import shutil

import pytest

from tests import repository
from varves import open as opened
from varves.conflicts import merged

PORT, OTHER = "The API listens on port 8080", "The API listens on port 9090"
ONE = "1 conflict came with memories that were not compared before: varves conflicts"


@pytest.fixture
def colleague(home, tmp_path):
    """Open another clone of the project, on the same machine."""
    root = tmp_path / "colleague"
    repository.make(root)
    with opened(root=str(root), actor="bob") as theirs:
        yield theirs


@pytest.fixture
def pull(project, colleague):
    """Bring what the colleague has recorded, as git would."""

    def bring(into=project):
        log = f"{colleague.root}/.varves/log"
        shutil.copytree(log, into / ".varves" / "log", dirs_exist_ok=True)

    return bring


def pairs(ledger):
    return sorted(sorted(member.text for member in one.members) for one in ledger.conflicts())


@pytest.mark.parametrize("verb", ["brief", "status"])
def test_the_next_brief_or_status_says_how_many_conflicts_came(varves, colleague, pull, verb):
    varves("remember", PORT)
    colleague.remember(OTHER)
    pull()
    assert f"varves: {ONE}\n" in varves(verb).err
    assert ONE not in varves(verb).err
    assert len(varves("conflicts", "--json").json["conflicts"]) == 1


def test_the_first_write_says_it_too(varves, colleague, pull):
    varves("remember", PORT)
    colleague.remember(OTHER)
    pull()
    assert f"varves: {ONE}\n" in varves("remember", "Tests run with pytest").err
    assert not varves("remember", "Commits are squashed").err


def test_a_write_of_a_protocol_says_it_too(varves, colleague, pull):
    varves("remember", PORT)
    colleague.remember(OTHER)
    pull()
    note = ("scoped", "write", "project", "--type", "convention", "--content", "Use tabs")
    assert ONE in varves(*note).err


def test_a_running_process_hears_of_a_pull(ledger, colleague, pull):
    ledger.remember(PORT)
    assert not ledger.notes
    colleague.remember(OTHER)
    pull()
    ledger.remember("Tests run with pytest")
    assert ledger.notes == (ONE,)
    ledger.remember("Commits are squashed")
    assert not ledger.notes


def test_what_a_write_has_named_does_not_come_again(varves):
    varves("remember", PORT)
    assert "contradicts" in varves("remember", OTHER).out
    assert not varves("brief").err
    assert not varves("status").err


def test_what_a_batch_or_an_import_has_named_does_not_come_again(varves, colleague, tmp_path):
    varves("remember", PORT)
    line = json.dumps({"text": OTHER})
    assert len(varves("remember", "--batch", "-", "--json", stdin=line).json["conflicts"]) == 1
    assert not varves("brief").err
    colleague.remember("The API listens on port 7070")
    exported = tmp_path / "exported.jsonl"
    exported.write_text(varves("export", "--root", colleague.root).out, "utf-8")
    done = varves("import", "jsonl", str(exported), "--trust", "--json")
    assert len(done.json["conflicts"]) == 2
    assert not [line for line in done.err.splitlines() if "came with" in line]
    assert not varves("brief").err


def test_another_branch_of_this_clone_counts(ledger, project):
    ledger.remember("Tests run with pytest")
    log = project / ".varves" / "log"
    ledger.close()
    before = shutil.copytree(log, project.parent / "before")
    ledger.remember(PORT)
    ledger.close()
    branch = shutil.copytree(log, project.parent / "branch")
    shutil.rmtree(log)
    shutil.copytree(before, log)
    ledger.remember(OTHER)
    ledger.close()
    shutil.copytree(branch, log, dirs_exist_ok=True)
    ledger.brief()
    assert ledger.notes == (ONE,)


def test_what_was_settled_elsewhere_is_not_counted(ledger, colleague, pull):
    ledger.remember(PORT)
    shutil.copytree(f"{ledger.root}/.varves/log", f"{colleague.root}/.varves/log")
    colleague.remember(OTHER)
    [conflict] = colleague.conflicts()
    colleague.resolve(conflict.id, keep="all")
    pull()
    ledger.brief()
    assert not ledger.notes


def test_many_are_compared_a_few_at_each_call(ledger, colleague, pull, monkeypatch):
    monkeypatch.setattr(merged, "BUDGET_MS", 60_000)
    names = [f"service{n}" for n in range(merged.AT_ONCE * 2)]
    ledger.remember_many({"text": f"The {name} listens on port 8080"} for name in names)
    ledger.conflicts()
    colleague.remember_many({"text": f"The {name} listens on port 9090"} for name in names)
    pull()
    told = []
    for _ in range(3):
        ledger.brief()
        told += [note.partition(" ")[0] for note in ledger.notes]
    assert told == ["16", "16"]
    assert len(ledger.conflicts()) == len(names)


def test_both_clones_list_the_same_pairs_in_whatever_order_they_compare(
    ledger, colleague, pull, project
):
    names = [f"service{n}" for n in range(12)]
    ledger.remember_many({"text": f"The {name} listens on port 8080"} for name in names)
    ledger.brief()
    colleague.remember_many({"text": f"The {name} listens on port 9090"} for name in names)
    shutil.copytree(
        project / ".varves" / "log", f"{colleague.root}/.varves/log", dirs_exist_ok=True
    )
    pull()
    ledger.remember("Tests run with pytest")
    colleague.status()
    shutil.copytree(
        project / ".varves" / "log", f"{colleague.root}/.varves/log", dirs_exist_ok=True
    )
    assert len(pairs(ledger)) == len(names)
    assert pairs(ledger) == pairs(colleague)


def test_a_large_new_index_is_left_to_conflicts(varves, colleague, pull, monkeypatch):
    monkeypatch.setattr(merged, "LOOKED", 4)
    varves("remember", PORT)
    for n in range(6):
        colleague.remember(f"The service{n} listens on port {8000 + n}")
    colleague.remember(OTHER)
    pull()
    assert not varves("brief").err
    assert len(varves("conflicts", "--json").json["conflicts"]) == 1


def test_a_read_changes_nothing_that_git_can_see(ledger, project, colleague, pull):
    ledger.remember(PORT)
    colleague.remember(OTHER)
    pull()
    files = sorted((project / ".varves").rglob("*"))
    before = {path: path.read_bytes() for path in files if path.is_file()}
    ledger.brief()
    assert ledger.notes == (ONE,)
    assert {path: path.read_bytes() for path in before} == before


def test_a_sessions_start_says_that_others_wait_and_compares_nothing(varves, colleague, pull):
    varves("remember", PORT)
    colleague.remember(OTHER)
    pull()
    said = {"hook_event_name": "SessionStart", "session_id": "s1", "source": "startup"}
    call = ("hook", "start", "--client", "claude-code")
    out = varves(*call, stdin=json.dumps(said).encode()).out
    text = json.loads(out)["hookSpecificOutput"]["additionalContext"]
    assert text.endswith("varves: 1 memory of other clones not yet compared (varves conflicts).")
    varves("conflicts")
    out = varves(*call, stdin=json.dumps(said).encode()).out
    assert "not yet compared" not in out


def test_a_failure_fails_neither_a_write_nor_a_brief(ledger, colleague, pull, monkeypatch):
    def fails(*_):
        raise RuntimeError

    ledger.remember(PORT)
    colleague.remember(OTHER)
    pull()
    monkeypatch.setattr("varves.conflicts.finders.compare_some", fails)
    assert ledger.remember("Tests run with pytest").status == "recorded"
    assert ledger.brief().ids

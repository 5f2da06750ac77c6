"""What git brings or a person edits is compared with the current entries, as a write is."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

LOOKS = {
    "session start": lambda verbs: verbs.session_start(),
    "maintain": lambda verbs: verbs.maintain(force=True),
    "session end": lambda verbs: verbs.session_end(),
    "write": lambda verbs: verbs.write("Ada likes tea", type="factual", scope="project:shop"),
    "done": lambda verbs: verbs.done("Fact: the queue limit is 40", agent="DEV-002"),
}


@pytest.fixture
def git(hive):
    """Run git in the project, which has a session and one commit."""

    def run(*arguments):
        subprocess.run(["git", *arguments], cwd=hive.root, check=True, capture_output=True)

    hive.verbs.session_start(project="shop")
    hive.close()
    run("add", "-A")
    run("commit", "--allow-empty", "-m", "base")
    run("branch", "other")
    return run


def write(hive, text, **options):
    given = {"type": "factual", "scope": "project:shop", "tags": ["queue"], "agent": "DEV-001"}
    return hive.verbs.write(text, **(given | options)).id


def merged(hive, git, ours, theirs):
    """Record something on each of two branches, merge them, and return the ids."""
    current = subprocess.run(
        ["git", "branch", "--show-current"],
        cwd=hive.root,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.strip()
    names = []
    for branch, told in (("other", theirs), (current, ours)):
        git("checkout", branch)
        hive.again()
        names.append(write(hive, **told))
        hive.close()
        git("add", "-A")
        git("commit", "-m", branch)
    git("merge", "other", "-m", "merge")
    hive.again()
    return names


def disputed(hive):
    return [{member.id for member in one.members} for one in hive.ledger.conflicts()]


@pytest.mark.requirement("S3-92")
@pytest.mark.parametrize("look", LOOKS)
def test_a_contradiction_that_a_merge_brings_is_flagged_at_the_next_look(hive, git, look):
    """Regression: nothing ever compared the entries of two branches."""
    told = (
        {"text": "The queue limit is 90"},
        {"text": "The queue limit is 40", "agent": "DEV-002"},
    )
    names = merged(hive, git, *told)
    assert disputed(hive) == []
    LOOKS[look](hive.verbs)
    assert disputed(hive) == [{*names}]
    [change, *_] = hive.verbs.changes
    assert (change.rule, change.event != "") == ("different-creators", True)


def test_what_arrived_is_compared_in_portions_of_pairs(hive, monkeypatch):
    """Regression: after a clone of 10,000 entries with few tags a start compared for minutes."""
    monkeypatch.setattr("varves.protocols.hivemind.upkeep.MOST_PAIRS", 1)
    mine = {}
    for tag in ("queue", "cache"):
        write(hive, f"The {tag} limit is 40", tags=[tag], agent="DEV-002")
        mine[tag] = write(hive, f"The {tag} is full", tags=[tag])
    for tag, name in mine.items():
        text = f"The {tag} limit is 90"
        hive.edit(f"projects/shop/{name}.json", content={"text": text}, summary=text)
    for found in (1, 2, 2):
        hive.verbs.session_start(project="shop")
        assert len(disputed(hive)) == found


@pytest.mark.requirement("S3-91")
def test_of_one_creator_the_later_text_stands_after_a_merge(hive, git):
    told = ({"text": "The queue limit is 90"}, {"text": "The queue limit is 40"})
    first, second = merged(hive, git, *told)
    hive.verbs.session_start()
    assert hive.verbs.show(first)["superseded_by"] == second
    assert hive.verbs.validate() == ()


def test_facts_about_different_things_stay_after_a_merge(hive, git):
    told = ({"text": "The queue limit is 90"}, {"text": "The upload limit is 40"})
    merged(hive, git, *told)
    hive.verbs.session_start()
    assert (disputed(hive), hive.verbs.changes) == ([], [])


@pytest.mark.requirement("S3-48")
def test_a_hand_edit_that_contradicts_another_entry_is_flagged(hive):
    hive.verbs.session_start(project="shop")
    edited = write(hive, "The upload limit is 40")
    other = write(hive, "The queue limit is 90", agent="DEV-002")
    hive.edit(f"projects/shop/{edited}.json", content={"text": "The queue limit is 40"})
    hive.at("2026-01-01T01:00:00Z").maintain(force=True)
    assert disputed(hive) == [{edited, other}]


def test_of_one_creator_the_edited_text_stands(hive):
    hive.verbs.session_start(project="shop")
    edited = write(hive, "The upload limit is 40")
    other = write(hive, "The queue limit is 90")
    hive.edit(f"projects/shop/{edited}.json", content={"text": "The queue limit is 40"})
    hive.at("2026-01-01T01:00:00Z").session_start()
    assert hive.verbs.show(other)["superseded_by"] == edited


@pytest.mark.parametrize("how", ["keep", "undo"])
def test_what_a_person_decided_is_not_asked_again(hive, git, how):
    told = ({"text": "The queue limit is 90"}, {"text": "The queue limit is 40"})
    if how == "keep":
        told[1]["agent"] = "DEV-002"
    merged(hive, git, *told)
    hive.verbs.session_start()
    [change] = hive.verbs.changes
    if how == "keep":
        [conflict] = hive.ledger.conflicts()
        hive.ledger.resolve(conflict.id, keep="all")
    else:
        hive.ledger.undo(change.event)
    for _ in range(2):
        hive.again().session_start()
        hive.verbs.maintain(force=True)
        assert (disputed(hive), hive.verbs.changes) == ([], [])


def test_an_import_is_never_compared_with_itself(hive, tmp_path):
    """Two files of one tree may say different things about one subject; that is their matter."""
    for name, limit in (("a", 40), ("b", 90)):
        told = {"type": "factual", "created_by": "DEV-001", "tags": ["queue"], "scope": "global"}
        told |= {"id": f"mem_00000000000{name}", "content": f"The queue limit is {limit}"}
        (tmp_path / f"{name}.json").write_text(json.dumps(told), encoding="utf-8")
    assert hive.ledger.import_("hivemind", str(tmp_path), trust=True).written == 2
    hive.again().session_start()
    hive.verbs.maintain(force=True)
    assert (disputed(hive), hive.verbs.changes) == ([], [])


CONFLICTS = (
    ("The search service listens on port 9200", "The search service listens on port 9300", {}),
    ("Invoices stay for 7 years", "Invoices stay for 10 years", {"priority": "critical"}),
    ("The upload limit is 90", "The upload limit is 40", {}),
)


@pytest.mark.requirement("S3-92")
@pytest.mark.parametrize("look", LOOKS)
def test_another_clone_records_no_conflict_that_is_recorded_already(hive, tmp_path, look):
    """Regression: such an event is in no memory's history, so each clone recorded it again."""
    hive.verbs.session_start(project="shop")
    for first, second, options in CONFLICTS:
        write(hive, first, **options)
        write(hive, second, agent="DEV-002")
    recorded = [event.id for event in hive.events("conflict.detected")]
    assert len(recorded) == len(CONFLICTS)
    hive.close()
    for words in (("add", "-A"), ("commit", "-m", "all"), ("clone", ".", str(tmp_path / "clone"))):
        subprocess.run(["git", *words], cwd=hive.root, check=True, capture_output=True)
    other = type(hive)(tmp_path / "clone")
    other.again(home=str(tmp_path / "home"))
    LOOKS[look](other.verbs)
    assert [event.id for event in other.events("conflict.detected")] == recorded
    assert other.verbs.changes == []
    other.close()


WAYS = {
    "two creators": (("--agent", "DEV-002"), ()),
    "a critical entry": ((), ("--priority", "critical")),
    "one creator": ((), ()),
    "the user over the system": (("--agent", "USER"), ("--agent", "SYSTEM")),
    "two scopes": (("--scope", "agent:DEV-001"), ()),
    "an agent and global": (("--scope", "agent:DEV-001"), ("--scope", "global")),
}


@pytest.mark.requirement("S3-89")
@pytest.mark.parametrize("way", WAYS)
def test_the_command_beside_a_change_undoes_or_settles_it(varves, way):
    """Regression: the hint beside a conflict named an event that cannot be undone."""
    given = ("hivemind", "write", "--type", "factual", "--tag", "uploads", "--agent", "DEV-001")
    new, old = WAYS[way]
    varves(*given, "--content", "The upload limit is 90", "--scope", "project:shop", *old)
    before = current(varves)
    done = varves(*given, "--content", "The upload limit is 40", "--scope", "project:shop", *new)
    written = done.out.split()[0]
    [(how, words)] = re.findall(r"(undo|settle)  varves (.*)", done.out + done.err)
    if how == "settle":
        assert varves("hivemind", "conflicts").out
        words = f"{words.partition(' --keep')[0]} --keep all"
    done = varves(*words.split())
    assert (done.code, current(varves)) == (0, {*before, written}), done.err
    assert not varves("hivemind", "conflicts").out
    assert "overrides" not in json.dumps(
        [varves("show", one, "--json").json for one in current(varves)]
    )


def current(varves):
    return {one["id"] for one in varves("hivemind", "list", "--json").json["entries"]}

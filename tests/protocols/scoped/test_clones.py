"""Two people, each with a clone: what one of them sees after git merged the other's work."""

from __future__ import annotations

import json

import pytest

TUESDAYS = "Deploy on Tuesdays"


def texts(clone):
    """Return what the project's file says, by number."""
    found = clone.read("memory/projects/shop/memory.json")["entries"]
    return {one["id"]: one["content"] for one in found}


def write(ledger, content, type="decision"):
    return ledger.scoped.write("project", "shop", type=type, content=content)


@pytest.fixture
def pair(clone):
    """Give two clones of a project with one entry."""
    ours = clone()
    write(ours.at("2026-11-15T08:00:00Z"), "Reviews need two people", "convention")
    ours.commit("begin")
    return ours, clone("theirs", ours)


def pull(ours, theirs):
    """Commit on both sides, and merge theirs into ours."""
    for one in (ours, theirs):
        one.commit()
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main")


@pytest.fixture
def twins(pair):
    """Give a clone in which two people wrote one sentence."""
    ours, theirs = pair
    write(ours.at("2026-11-15T09:00:00Z"), TUESDAYS)
    write(theirs.at("2026-11-15T09:00:01Z"), "deploy on tuesdays")
    pull(ours, theirs)
    return ours


@pytest.mark.requirement("S2-41")
@pytest.mark.parametrize("number", ["mem-002", "mem-003"])
def test_deleting_one_of_two_equal_entries_leaves_the_other(twins, number):
    ledger = twins.at("2026-11-15T10:00:00Z")
    [conflict] = ledger.scoped.conflicts()
    left = {"mem-001", "mem-002", "mem-003"} - {number}
    ledger.resolve(conflict.conflict, delete=number)
    assert set(texts(twins)) == left
    assert {one.id for one in ledger.scoped.list("project")} == left
    assert ledger.scoped.conflicts() == ()
    assert twins.at("2026-11-15T10:00:01Z").rebuild()
    assert set(texts(twins)) == left


@pytest.mark.requirement("S2-22")
def test_forgetting_one_of_two_equal_entries_leaves_the_other(twins):
    ledger = twins.at("2026-11-15T10:00:00Z")
    ledger.scoped.forget("mem-003", scope="project", project="shop", reason="Said twice")
    assert set(texts(twins)) == {"mem-001", "mem-002"}
    assert ledger.scoped.conflicts() == ()
    ledger.scoped.forget("mem-002", scope="project", project="shop", reason="Outdated")
    assert set(texts(twins)) == {"mem-001"}
    with pytest.raises(Exception, match="rejected"):
        write(ledger, TUESDAYS)


@pytest.mark.requirement("S2-41")
def test_removing_one_of_two_equal_entries_by_hand_leaves_the_other(twins):
    path = twins.root / "memory/projects/shop/memory.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["entries"] = [one for one in document["entries"] if one["id"] != "mem-002"]
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    write(twins.at("2026-11-15T10:00:00Z"), "Ship on Fridays")
    assert set(texts(twins)) == {"mem-001", "mem-003", "mem-004"}


REDIS, POSTGRES = "We store sessions in Redis", "We store sessions in Postgres"


def by_hand(clone, change):
    """Change the entries of the project's file in an editor."""
    path = clone.root / "memory/projects/shop/memory.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document["entries"])
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def disputed(found):
    return [{entry.content for entry in one.entries} for one in found]


def added(content):
    return lambda entries: entries.append({**entries[0], "id": "mem-002", "content": content})


@pytest.mark.requirement("S2-40")
def test_a_conflict_that_a_merge_brought_is_listed_before_anything_is_written(pair):
    ours, theirs = pair
    by_hand(ours, added(REDIS))
    write(theirs.at("2026-11-15T09:00:00Z"), POSTGRES)
    pull(theirs, ours)
    ledger = theirs.at("2026-11-15T10:00:00Z")
    assert disputed(ledger.scoped.conflicts()) == [{REDIS, POSTGRES}]
    begun = ledger.scoped.session_start(id="s1", project="shop")
    assert disputed(begun.disputes) == [{REDIS, POSTGRES}]
    assert disputed(ledger.scoped.conflicts()) == [{REDIS, POSTGRES}]


@pytest.mark.requirement("S2-41")
def test_a_conflict_with_an_edit_that_is_not_recorded_yet_can_be_settled(pair):
    ours, _ = pair
    write(ours.at("2026-11-15T09:00:00Z"), REDIS)
    ledger = ours.at("2026-11-15T10:00:00Z")
    by_hand(ours, lambda entries: entries.append({**entries[1], "content": POSTGRES}))
    [conflict] = ledger.scoped.conflicts()
    newer = next(one.id for one in conflict.entries if one.content == POSTGRES)
    ledger.resolve(conflict.conflict, keep=newer)
    assert list(texts(ours).values()) == ["Reviews need two people", POSTGRES]


@pytest.mark.requirement("S2-40", "S2-41")
def test_conflicts_follow_an_edit_that_is_not_recorded_yet(pair):
    ours, _ = pair
    write(ours.at("2026-11-15T09:00:00Z"), REDIS)
    write(ours.at("2026-11-15T09:00:01Z"), POSTGRES)
    ledger = ours.at("2026-11-15T10:00:00Z")
    assert len(ledger.scoped.conflicts()) == 1
    by_hand(ours, lambda entries: entries.pop(1))
    assert ledger.scoped.conflicts() == ()
    by_hand(ours, lambda entries: entries[0].update(content="We store sessions in MySQL"))
    assert disputed(ledger.scoped.conflicts()) == [{POSTGRES, "We store sessions in MySQL"}]


@pytest.mark.requirement("S2-40")
def test_a_session_names_the_newest_conflict_of_a_clone_that_was_never_compared(pair):
    ours, theirs = pair
    ledger = ours.at("2026-11-15T09:00:00Z")
    entry = {"type": "pattern", "confidence": 0.5, "created_at": "2026-11-01T00:00:00Z"}
    more = [{**entry, "content": f"Job {n} runs in queue {n}"} for n in range(600)]
    by_hand(ours, lambda entries: entries.extend(more))
    write(ledger, REDIS)
    write(theirs.at("2026-11-15T09:00:00Z"), POSTGRES)
    pull(theirs, ours)
    begun = theirs.at("2026-11-15T10:00:00Z").scoped.session_start(id="s1", project="shop")
    assert {REDIS, POSTGRES} in disputed(begun.disputes)


PEOPLE = ("Reviews need three people", "Reviews need one person")


@pytest.fixture(params=["recorded on both sides", "recorded on one side"])
def rivals(pair, request):
    """Give a clone in which two people changed one entry by hand, each without the other."""
    ours, theirs = pair
    for at, (clone, text) in enumerate(zip((ours, theirs), PEOPLE, strict=True)):
        by_hand(clone, lambda entries, text=text: entries[0].update(content=text))
        if clone is theirs or request.param == "recorded on both sides":
            write(clone.at(f"2026-11-15T09:00:0{at}Z"), f"Cache {at} is cold", "pattern")
    pull(theirs, ours)
    return theirs


@pytest.mark.requirement("S2-40")
def test_two_edits_of_one_entry_are_shown_before_anything_is_written(rivals):
    ledger = rivals.at("2026-11-15T10:00:00Z")
    assert disputed(ledger.scoped.conflicts()) == [set(PEOPLE)]
    begun = ledger.scoped.session_start(id="s1", project="shop")
    assert disputed(begun.disputes) == [set(PEOPLE)]


@pytest.mark.requirement("S2-41")
@pytest.mark.parametrize("choice", ["keep", "delete"])
@pytest.mark.parametrize("text", PEOPLE)
def test_one_of_two_edits_of_one_entry_stays(rivals, choice, text):
    ledger = rivals.at("2026-11-15T10:00:00Z")
    [conflict] = ledger.scoped.conflicts()
    named = {one.content: one.id for one in conflict.entries}
    ledger.resolve(conflict.conflict, **{choice: named[text]})
    stays = text if choice == "keep" else next(one for one in PEOPLE if one != text)
    for moment in ("2026-11-15T10:00:01Z", "2026-11-15T10:00:02Z"):
        ledger = rivals.at(moment)
        assert {*PEOPLE} & {*texts(rivals).values()} == {stays}
        assert {*PEOPLE} & {one.content for one in ledger.scoped.list("project")} == {stays}
        assert ledger.scoped.conflicts() == ()
        ledger.remember("The office has a new door")
        write(ledger, f"Job of {moment}", "pattern")


@pytest.mark.requirement("S2-41")
def test_two_edits_of_one_entry_stay_disputed_until_somebody_decides(rivals):
    for second in range(3):
        ledger = rivals.at(f"2026-11-15T10:00:0{second}Z")
        ledger.remember(f"The office has {second} new doors")
        write(ledger, f"Job number {second} runs at night", "pattern")
        assert {*PEOPLE} in disputed(ledger.scoped.conflicts())

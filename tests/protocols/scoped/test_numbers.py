"""One number taken on two branches: who keeps it, what the other is called, and until when."""

from __future__ import annotations

import json

import pytest

from varves.errors import NotFound, Refused

PATH = "memory/projects/shop/memory.json"


def write(ledger, text):
    return ledger.scoped.write("project", "shop", type="pattern", content=text)


def numbered(clone):
    return {entry["content"]: entry["id"] for entry in clone.read(PATH)["entries"]}


def merge(ours, theirs):
    """Merge what the other clone committed, whatever git makes of the file of entries."""
    ours.git("fetch", "--quiet", str(theirs.root), "HEAD")
    ours.git("merge", "--quiet", "--no-edit", "FETCH_HEAD", check=False)
    ours.git("checkout", "--ours", "--", PATH, check=False)
    ours.commit("merge")


@pytest.fixture
def pair(project, clone):
    """Give two clones with one entry in common."""
    ours = clone()
    write(ours.at("2026-11-15T08:00:00Z"), "The build needs make")
    ours.commit()
    return ours, clone("theirs", ours)


@pytest.fixture
def merged(pair):
    """Give our clone after both took number 2; theirs was the later one."""
    ours, theirs = pair
    assert write(ours.at("2026-11-15T09:00:00Z"), "Ports begin at 8000").id == "mem-002"
    ours.commit()
    assert write(theirs.at("2026-11-15T10:00:00Z"), "Logs rotate daily").id == "mem-002"
    theirs.commit()
    merge(ours, theirs)
    ours.at("2026-11-15T11:00:00Z").rebuild()
    return ours, theirs


@pytest.mark.requirement("S2-12")
def test_the_earlier_keeps_the_number_and_the_other_gets_the_next(merged):
    ours, _ = merged
    assert numbered(ours) == {
        "The build needs make": "mem-001",
        "Ports begin at 8000": "mem-002",
        "Logs rotate daily": "mem-003",
    }


def test_both_clones_write_the_same_file(merged):
    ours, theirs = merged
    ours.commit()
    theirs.git("fetch", "--quiet", str(ours.root), "HEAD")
    theirs.git("merge", "--quiet", "--no-edit", "-X", "theirs", "FETCH_HEAD")
    theirs.at("2026-11-15T12:00:00Z").rebuild()
    assert theirs.files()[PATH] == ours.files()[PATH]


@pytest.mark.requirement("S2-12")
def test_the_next_write_fixes_the_number_and_counts_on(merged):
    ours, _ = merged
    ledger = ours.at("2026-11-15T11:00:00Z")
    before = len(ledger.log(kind=("memory.revised",)))
    assert write(ledger, "Tests come first").id == "mem-004"
    [fixed] = ledger.log(kind=("memory.revised",))[before:]
    assert fixed.data["set"] == {"number": 3}
    assert numbered(ours)["Logs rotate daily"] == "mem-003"
    assert write(ledger, "Reviews need two people").id == "mem-005"
    assert len(ledger.log(kind=("memory.revised",))) == before + 1, "once is enough"


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "moment",
    ["2026-11-15T10:30:00Z", "2026-11-15T11:30:00Z"],
    ids=["recorded before the fix", "recorded after the fix"],
)
def test_an_older_entry_keeps_the_number_that_an_event_fixed(merged, moment):
    ours, theirs = merged
    ledger = ours.at("2026-11-15T11:00:00Z")
    write(ledger, "Tests come first")
    write(ledger, "Reviews need two people")
    ours.commit()
    assert write(theirs.at(moment), "Backups run at night").id == "mem-003"
    theirs.commit()
    merge(ours, theirs)
    ours.at("2026-11-15T12:00:00Z").rebuild()
    assert numbered(ours) == {
        "The build needs make": "mem-001",
        "Ports begin at 8000": "mem-002",
        "Logs rotate daily": "mem-003",
        "Tests come first": "mem-004",
        "Reviews need two people": "mem-005",
        "Backups run at night": "mem-006",
    }


def test_of_two_events_that_fix_a_number_the_earlier_counts(merged, clone):
    """Both sides merged, and each wrote; the first to fix the later entry has its way."""
    ours, theirs = merged
    ours.commit()
    theirs.git("fetch", "--quiet", str(ours.root), "HEAD")
    theirs.git("merge", "--quiet", "--no-edit", "-X", "theirs", "FETCH_HEAD")
    their_ledger = theirs.at("2026-11-15T12:30:00Z")
    assert write(their_ledger, "Backups run at night").id == "mem-004"
    theirs.commit()
    ledger = ours.at("2026-11-15T12:00:00Z")
    assert write(ledger, "Tests come first").id == "mem-004"
    ours.commit()
    merge(ours, theirs)
    ledger = ours.at("2026-11-15T13:00:00Z")
    ledger.rebuild()
    fixing = [event for event in ledger.log(kind=("memory.revised",)) if event.data["set"]]
    assert [event.data["set"] for event in fixing] == [{"number": 3}, {"number": 3}]
    assert numbered(ours)["Logs rotate daily"] == "mem-003"
    assert numbered(ours)["Tests come first"] == "mem-004"
    assert numbered(ours)["Backups run at night"] == "mem-005"


@pytest.mark.requirement("S2-12", "S2-22")
def test_a_number_that_two_have_borne_means_the_entry_that_the_file_shows(merged):
    ours, _ = merged
    ledger = ours.at("2026-11-15T11:00:00Z")
    done = ledger.scoped.forget("mem-002", scope="project", project="shop", reason="Outdated")
    assert (done.id, done.content) == ("mem-002", "Ports begin at 8000")
    assert ledger.scoped.core.notes == [
        'another branch had mem-002 as "Logs rotate daily", which is mem-003 now'
    ]
    assert numbered(ours) == {"The build needs make": "mem-001", "Logs rotate daily": "mem-003"}
    ledger.scoped.restore("mem-002", scope="project", project="shop")
    done = ledger.scoped.forget("mem-003", scope="project", project="shop", reason="Outdated")
    assert done.content == "Logs rotate daily"
    assert ledger.scoped.core.notes == []
    assert numbered(ours) == {"The build needs make": "mem-001", "Ports begin at 8000": "mem-002"}


def test_a_number_of_another_branch_is_given_by_its_writer(merged):
    ours, _ = merged
    ledger = ours.at("2026-11-15T11:00:00Z")
    [later] = [one for one in ledger.list() if one.text == "Logs rotate daily"]
    done = ledger.scoped.forget(
        f"mem-002~{later.writer}", scope="project", project="shop", reason="Outdated"
    )
    assert (done.id, done.content) == ("mem-003", "Logs rotate daily")
    assert "Logs rotate daily" not in numbered(ours)


def branches(made, one, two, *, moment="2026-11-15T09:00:00Z"):
    """Let two branches work from the same commit, and merge them with the merge driver."""
    for name, work in (("one", one), ("two", two)):
        made.git("checkout", "--quiet", "-b", name, "main")
        work(made.at(moment))
        made.commit(name)
    made.git("merge", "--quiet", "--no-edit", "one")


def check_that_verbs_and_file_agree(made):
    """See that each number means the entry that the file shows, without and with a write."""
    shown = numbered(made)
    ledger = made.at("2026-11-15T12:00:00Z")
    read = {one.content: one.id for one in ledger.scoped.read("project", "shop")}
    assert read == shown
    assert ledger.scoped.validate() == ()
    for text, name in shown.items():
        done = ledger.scoped.forget(name, scope="project", project="shop", reason="Outdated")
        assert done.content == text
        ledger.scoped.restore(name, scope="project", project="shop")
    assert numbered(made) == shown
    ledger.rebuild()
    assert numbered(made) == shown


TEXTS = ("Alerts go to the duty phone", "Carts expire after a day", "Zones are named by city")


@pytest.mark.requirement("S2-12", "S2-53")
@pytest.mark.parametrize("first", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_two_branches_that_write_in_the_same_second_leave_one_numbering(clone, first):
    made = clone()
    write(made.at("2026-11-15T08:00:00Z"), "The build needs make")
    made.commit()
    texts = [TEXTS[place] for place in first]
    branches(
        made,
        lambda ledger: [write(ledger, text) for text in texts],
        lambda ledger: [write(ledger, f"Later, {text.lower()}") for text in TEXTS],
    )
    assert len(numbered(made)) == 7
    check_that_verbs_and_file_agree(made)


@pytest.mark.requirement("S2-12", "S2-53")
def test_an_entry_found_with_an_older_date_is_numbered_by_that_date(pair):
    ours, theirs = pair
    write(ours.at("2026-11-15T09:00:00Z"), TEXTS[0])
    ours.commit()
    document = theirs.read(PATH)
    more = {"content": TEXTS[2], "id": "mem-002", "created_at": "2025-02-03T04:05:06Z"}
    document["entries"].append({**document["entries"][0], **more})
    (theirs.root / PATH).write_text(json.dumps(document), encoding="utf-8")
    theirs.at("2026-11-15T10:00:00Z").scoped.init(project="shop")
    theirs.commit()
    ours.git("fetch", "--quiet", str(theirs.root), "HEAD")
    ours.git("merge", "--quiet", "--no-edit", "FETCH_HEAD")
    assert numbered(ours)[TEXTS[2]] == "mem-002"
    check_that_verbs_and_file_agree(ours)


@pytest.mark.requirement("S2-12")
def test_branches_that_merged_and_wrote_on_both_sides_agree_again(clone):
    made = clone()
    write(made.at("2026-11-15T08:00:00Z"), "The build needs make")
    made.commit()
    branches(made, lambda ledger: write(ledger, TEXTS[0]), lambda ledger: write(ledger, TEXTS[1]))
    made.git("checkout", "--quiet", "one")
    made.git("merge", "--quiet", "--no-edit", "two~1")
    made.git("merge", "--quiet", "--no-edit", "two")
    write(made.at("2026-11-15T10:00:00Z"), "Backups run at night")
    made.commit()
    made.git("checkout", "--quiet", "two")
    write(made.at("2026-11-15T10:30:00Z"), "Logs rotate daily")
    made.commit()
    made.git("merge", "--quiet", "--no-edit", "one")
    assert len(numbered(made)) == 5
    check_that_verbs_and_file_agree(made)


@pytest.mark.requirement("S2-12", "S2-22")
def test_a_file_that_shows_other_numbers_than_the_log_is_never_taken_for_it(clone):
    """A forgotten entry keeps its number, which the merge driver cannot see."""
    made = clone()
    write(made.at("2026-11-15T08:00:00Z"), "The build needs make")
    made.commit()

    def wrong(ledger):
        write(ledger, TEXTS[0])
        done = write(ledger, "A slip")
        ledger.scoped.forget(done.id, scope="project", project="shop", reason="a slip")

    branches(made, wrong, lambda ledger: write(ledger, TEXTS[1]))
    later = max(numbered(made), key=numbered(made).get)
    assert numbered(made)[later] == "mem-003"
    ledger = made.at("2026-11-15T12:00:00Z")
    [finding] = ledger.scoped.validate()
    assert (finding.rule, finding.fix) == ("S2-12", "varves rebuild")
    assert "mem-004" in finding.message
    with pytest.raises(Refused, match="which is mem-004") as refused:
        ledger.scoped.restore("mem-003", scope="project", project="shop")
    assert later in refused.value.message
    ledger.rebuild()
    assert numbered(made)[later] == "mem-004"
    assert ledger.scoped.validate() == ()
    done = ledger.scoped.restore("mem-003", scope="project", project="shop")
    assert done.content == "A slip"


@pytest.mark.requirement("S2-12")
def test_the_number_of_what_was_purged_is_never_given_again(pair):
    ours, _ = pair
    ledger = ours.at("2026-11-15T09:00:00Z")
    done = write(ledger, "The vault code is tangerine")
    ledger.purge(done.memory, reason="it leaked")
    assert numbered(ours) == {"The build needs make": "mem-001"}
    assert write(ledger, "Ports begin at 8000").id == "mem-003"
    [purge] = ledger.log(kind=("memory.purged",))
    [[*_, number]] = purge.data["numbers"]
    assert (purge.data["scope"], number) == ("project:shop", 2)
    ledger.rebuild()
    assert write(ledger, "Tests come first").id == "mem-004"
    with pytest.raises(NotFound):
        ledger.scoped.forget("mem-002", scope="project", project="shop", reason="Outdated")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S2-12")
@pytest.mark.parametrize("doomed", ["Ports begin at 8000", "Logs rotate daily"])
def test_a_purge_changes_nobody_elses_number(merged, doomed):
    ours, theirs = merged
    before = numbered(ours)
    ledger = ours.at("2026-11-15T11:00:00Z")
    [name] = [one.memory for one in ledger.scoped.read("project", "shop") if one.content == doomed]
    ledger.purge(name, reason="it leaked")
    del before[doomed]
    assert numbered(ours) == before
    assert write(ledger, "Tests come first").id == "mem-004"
    assert numbered(ours) == {**before, "Tests come first": "mem-004"}
    ours.commit()
    theirs.git("fetch", "--quiet", str(ours.root), "HEAD")
    theirs.git("merge", "--quiet", "--no-edit", "FETCH_HEAD", check=False)
    theirs.git("checkout", "--theirs", "--", PATH, check=False)
    theirs.commit("merge")
    theirs.at("2026-11-15T12:00:00Z").rebuild()
    assert theirs.files()[PATH] == ours.files()[PATH]


def test_a_number_of_what_was_purged_is_not_taken_by_hand(pair):
    ours, _ = pair
    ledger = ours.at("2026-11-15T09:00:00Z")
    done = write(ledger, "The vault code is tangerine")
    ledger.purge(done.memory, reason="it leaked")
    path = ours.root / PATH
    text = path.read_text(encoding="utf-8")
    more = '    },\n    {"id": "mem-002", "content": "Ports begin at 8000"}\n  ]'
    path.write_text(text.replace("    }\n  ]", more), encoding="utf-8")
    ledger.scoped.init()
    assert numbered(ours)["Ports begin at 8000"] == "mem-003"
    with pytest.raises(NotFound):
        ledger.scoped.forget("mem-002", scope="project", project="shop", reason="Outdated")


def test_an_entry_born_by_a_correction_gets_the_next_number(pair):
    ours, _ = pair
    ledger = ours.at("2026-11-15T09:00:00Z")
    done = write(ledger, "Ports begin at 8000")
    ledger.correct(done.memory, "Ports begin at 9000")
    assert numbered(ours) == {"The build needs make": "mem-001", "Ports begin at 9000": "mem-003"}
    assert write(ledger, "Tests come first").id == "mem-004"
    assert numbered(ours)["Ports begin at 9000"] == "mem-003"

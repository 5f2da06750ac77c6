"""One number taken on two branches: who keeps it, what the other is called, and until when."""

from __future__ import annotations

import re

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
    ("moment", "third", "sixth"),
    [
        ("2026-11-15T10:30:00Z", "Backups run at night", "Logs rotate daily"),
        ("2026-11-15T11:30:00Z", "Logs rotate daily", "Backups run at night"),
    ],
    ids=["recorded before the fix", "recorded after the fix"],
)
def test_a_fixed_number_counts_from_the_event_that_fixed_it(merged, moment, third, sixth):
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
        third: "mem-003",
        "Tests come first": "mem-004",
        "Reviews need two people": "mem-005",
        sixth: "mem-006",
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


def test_a_number_that_two_have_borne_is_refused_with_both_listed(merged):
    ours, _ = merged
    ledger = ours.at("2026-11-15T11:00:00Z")
    write(ledger, "Tests come first")
    with pytest.raises(Refused, match="the number of two entries") as refused:
        ledger.scoped.forget("mem-002", scope="project", project="shop", reason="Outdated")
    aliases = re.findall(r"mem-002~[0-9a-z.]+", refused.value.message)
    assert len(set(aliases)) == 2
    by_text = {ledger.show(one).text: one for one in re.findall(r"mem_\w+", refused.value.message)}
    assert set(by_text) == {"Ports begin at 8000", "Logs rotate daily"}
    later = ledger.show(by_text["Logs rotate daily"])
    done = ledger.scoped.forget(
        f"mem-002~{later.writer}", scope="project", project="shop", reason="Outdated"
    )
    assert (done.id, done.content) == ("mem-003", "Logs rotate daily")
    assert "Logs rotate daily" not in numbered(ours)
    ledger.scoped.restore("mem-003", scope="project", project="shop")
    assert numbered(ours)["Logs rotate daily"] == "mem-003"


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

"""Two branches write through both protocols, git merges them as it can, and nothing is lost."""

from __future__ import annotations

import pytest

BOTH = ("scoped", "hivemind")


def write(ledger, protocol, text):
    """Write one project entry through a protocol."""
    if protocol == "scoped":
        return ledger.scoped.write("project", "p", type="pattern", content=text).id
    return ledger.hivemind.write(type="factual", content={"text": text}, scope="project:p").id


def texts(clone, protocol):
    """Return what the project's files of one protocol say, sorted."""
    if protocol == "scoped":
        entries = clone.read("memory/projects/p/memory.json")["entries"]
        return sorted(entry["content"] for entry in entries)
    index = clone.read("memory/projects/p/_index.json")
    paths = [entry["file_path"] for entry in index["entries"]]
    found = [clone.read(f"memory/projects/p/{path}")["content"] for path in paths]
    return sorted(one["text"] for one in found if "text" in one)


@pytest.fixture
def pair(clone):
    """Give two clones of one project in which both protocols hold an entry."""
    ours = clone()
    ledger = ours.at("2026-11-15T08:00:00Z")
    ledger.init(protocols=BOTH)
    ledger.hivemind.session_start(project="p")
    for protocol in BOTH:
        write(ledger, protocol, "The build needs make")
    ours.commit("begin")
    theirs = clone("theirs", ours)
    return ours, theirs


def diverge(ours, theirs):
    """Let each side write two entries through both protocols, and commit."""
    for side, clone in (("our", ours), ("their", theirs)):
        ledger = clone.at("2026-11-15T09:00:00Z")
        for protocol in BOTH:
            for what in ("api", "database"):
                write(ledger, protocol, f"On {side} branch the {what} has its own port")
        clone.commit(side)


def test_after_a_merge_with_conflicts_every_record_of_both_sides_is_there_once(pair):
    ours, theirs = pair
    diverge(ours, theirs)

    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()

    expected = sorted(
        ["The build needs make"]
        + [
            f"On {side} branch the {what} has its own port"
            for side in ("our", "their")
            for what in ("api", "database")
        ]
    )
    for protocol in BOTH:
        assert texts(ours, protocol) == expected
    entries = ours.read("memory/projects/p/memory.json")["entries"]
    numbers = [entry["id"] for entry in entries]
    assert sorted(numbers) == ["mem-001", "mem-002", "mem-003", "mem-004", "mem-005"]
    assert not any(b"<<<<<<<" in content for content in ours.files().values())
    assert [m.status for m in ours.at("2026-11-15T10:00:01Z").list(status="forgotten")] == []


def test_the_earlier_of_two_equal_numbers_keeps_it_and_the_next_write_fixes_the_other(pair):
    ours, theirs = pair
    diverge(ours, theirs)
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()
    before = {e["id"]: e["content"] for e in ours.read("memory/projects/p/memory.json")["entries"]}

    ledger = ours.at("2026-11-15T10:00:01Z")
    name = ledger.scoped.write("project", "p", type="pattern", content="A sixth thing").id
    after = {e["id"]: e["content"] for e in ours.read("memory/projects/p/memory.json")["entries"]}

    assert name == "mem-006"
    assert after == before | {"mem-006": "A sixth thing"}
    fixed = [e for e in ledger.log(kind="memory.revised") if "number" in e.data.get("set", {})]
    assert sorted(e.data["set"]["number"] for e in fixed) == [4, 5]


def test_two_clones_at_one_commit_render_the_same_bytes(pair):
    ours, theirs = pair
    diverge(ours, theirs)
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()
    ours.commit("merged")
    theirs.git("pull", "--quiet", "--no-edit", ours.root, "main")

    ledger = theirs.at("2026-11-16T10:00:00Z")  # and its private and global ledgers hold more
    ledger.remember("The database port is a secret of mine", private=True)
    ledger.scoped.write("global", type="preference", content="Tabs over spaces", confidence=0.95)
    ledger.hivemind.session_start(project="p")
    ledger.hivemind.task("Open the database port", project="p")
    ledger.rebuild()

    assert theirs.files(tracked=True) == ours.files(tracked=True)
    assert theirs.git("status", "--porcelain") == ""


def test_a_removed_entry_on_one_branch_stays_removed_after_the_merge(pair):
    ours, theirs = pair
    diverge(ours, theirs)
    ledger = theirs.at("2026-11-15T09:30:00Z")
    ledger.scoped.forget("mem-001", scope="project", project="p", reason="Outdated")
    theirs.commit("forget")

    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()

    assert "The build needs make" not in texts(ours, "scoped")
    assert "The build needs make" in texts(ours, "hivemind")

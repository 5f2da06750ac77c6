"""The pages as files: whole, without a script, and by default only what git publishes."""

from __future__ import annotations

import os
import re

import pytest

import varves
from varves.conflicts.pending import ComparisonLimit

PRIVATE = ("only in this clone", "known everywhere here", "heard by an agent", "4711")
LEADS = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture
def scene(project, home, monkeypatch):
    monkeypatch.setenv("VARVES_NOW", "2026-11-16T09:00:00Z")
    with varves.open(project) as ledger:
        old = ledger.remember("The first wait is 200 ms", tags=["payments"])
        ledger.correct(old.id, "The first wait is 100 ms", reason="measured")
        ledger.remember("The cart lives for 30 days in a cookie")
        ledger.remember("The cart lives for 14 days in a cookie")
        ledger.remember("<script>alert(1)</script> is text")
        ledger.remember("It is only in this clone", private=True)
        ledger.remember("It is known everywhere here", scope="global")
        ledger.remember("It was heard by an agent: 4711", scope="session:s1")
    with varves.open(project, actor="codex", session="s1") as agent:
        agent.recall("first wait")


def pages(folder):
    return {
        name: (folder / name).read_text(encoding="utf-8")
        for name in os.listdir(folder)
        if name.endswith(".html")
    }


def test_only_what_git_publishes_is_written(scene, varves, tmp_path):
    folder = tmp_path / "out"
    told = varves("ui", "--export", str(folder), "--json")
    assert told.code == 0
    found = pages(folder)
    assert told.json["pages"] == len(found) - 1  # the page for what is missing
    text = "\n".join(found.values())
    for part in (*PRIVATE, "codex", str(tmp_path), "only on this computer"):
        assert part not in text, part
    assert "shown.html" not in found
    assert "health.html" not in found
    assert "review.html" not in found
    assert "<del>200</del> <ins>100</ins>" in text
    assert "5 memories" not in found["index.html"].partition("</p>")[0]
    assert "4 memories are current" in " ".join(found["index.html"].split())


def test_private_memories_are_written_when_asked_for(scene, varves, tmp_path):
    folder = tmp_path / "out"
    assert varves("ui", "--export", str(folder), "--private").code == 0
    found = pages(folder)
    text = "\n".join(found.values())
    for part in PRIVATE[:2]:
        assert part in text
    assert "codex" in found["shown.html"]
    assert "health.html" in found


def test_every_link_leads_to_a_file_and_nothing_runs(scene, varves, tmp_path):
    folder = tmp_path / "out"
    varves("ui", "--export", str(folder))
    names = set(os.listdir(folder))
    for name, text in pages(folder).items():
        assert "<script" not in text, name
        assert "<form" not in text or 'class="moment' in text
        assert 'method="post"' not in text, name
        for target in LEADS.findall(text):
            assert target in names or target == "#main", (name, target)


def test_the_newest_memories_have_pages_and_the_others_say_so(scene, varves, tmp_path):
    folder = tmp_path / "out"
    assert varves("ui", "--export", str(folder), "--limit", "2").code == 0
    found = pages(folder)
    assert len([name for name in found if name.startswith("memory-")]) == 2
    assert "missing.html" in "\n".join(found.values())
    assert "was not written with these pages" in found["missing.html"].lower()


def test_nothing_of_the_ledger_changes(scene, varves, tmp_path, project):
    def seen():
        return {
            os.path.join(folder, name): os.stat(os.path.join(folder, name)).st_mtime_ns
            for folder, _, names in os.walk(project / ".varves")
            for name in names
            if "local" not in folder
        }

    before = seen()
    varves("ui", "--export", str(tmp_path / "out"))
    assert seen() == before


def test_wrong_options_are_refused_in_one_line(scene, varves, tmp_path):
    taken = tmp_path / "file"
    taken.write_text("x", encoding="utf-8")
    rows = (
        (("--export", str(tmp_path / "o"), "--limit", "0"), 2),
        (("--export", str(tmp_path / "o"), "--port", "1"), 2),
        (("--export", str(tmp_path / "o"), "--read-only"), 2),
        (("--export", str(taken)), 3),
        (("--private",), 2),
        (("--limit", "3"), 2),
        (("--port", "70000"), 2),
    )
    for words, code in rows:
        told = varves("ui", *words)
        assert told.code == code, words
        assert len(told.err.splitlines()) == 1, words


def test_where_there_is_no_ledger_nothing_is_written(project, home, varves, tmp_path):
    told = varves("ui", "--export", str(tmp_path / "out"))
    assert told.code == 4
    assert "no ledger" in told.err


def test_a_later_export_leaves_nothing_of_an_earlier_one(scene, varves, tmp_path, ledger):
    folder, fresh = tmp_path / "out", tmp_path / "fresh"
    assert varves("ui", "--export", str(folder), "--private").code == 0
    assert "shown.html" in os.listdir(folder)
    (folder / "notes.md").write_text("mine", encoding="utf-8")
    for purged in (None, "14 days in a cookie"):
        if purged is not None:
            (one,) = [memory for memory in ledger.list() if purged in memory.text]
            assert varves("purge", one.id, "--reason", "asked", "--yes").code == 0
        for target in (folder, fresh):
            assert varves("ui", "--export", str(target)).code == 0
        assert {*os.listdir(fresh), "notes.md"} == set(os.listdir(folder))
        text = "\n".join(pages(folder).values())
        for part in (*PRIVATE, "codex", *filter(None, [purged])):
            assert part not in text, part
    assert (folder / "notes.md").read_text(encoding="utf-8") == "mine"


def test_a_folder_with_other_files_is_left_alone(scene, varves, tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    index = folder / "index.html"
    index.write_text("mine", encoding="utf-8")
    told = varves("ui", "--export", str(folder))
    assert told.code == 3
    assert "is not empty" in told.err
    assert len(told.err.splitlines()) == 1
    assert os.listdir(folder) == ["index.html"]
    assert index.read_text(encoding="utf-8") == "mine"


def test_a_file_that_came_into_an_export_is_not_overwritten_or_removed(scene, varves, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    listed = "../other.html\nnotes.md\n"
    (folder / "varves-export.txt").write_text(listed, encoding="utf-8")
    theirs = (tmp_path / "other.html", folder / "notes.md", folder / "timeline.html")
    for path in theirs:
        path.write_text("mine", encoding="utf-8")
    told = varves("ui", "--export", str(folder))
    assert told.code == 3
    assert "timeline.html" in told.err
    assert len(os.listdir(folder)) == 3
    for path in theirs:
        assert path.read_text(encoding="utf-8") == "mine"


def test_every_page_counts_the_conflicts_of_all_memories(
    scene, varves, tmp_path, ledger, monkeypatch
):
    one_portion = ComparisonLimit(milliseconds=-1)  # a call never has the time for a second one
    monkeypatch.setattr("varves.conflicts.pending._FOR_NOW", one_portion)
    monkeypatch.setattr("varves.conflicts.finders.PORTION", 10)
    for n in range(40):
        for days in (30, 14):
            ledger.remember(f"The ferry to island {n} takes {days} minutes")
    folder = tmp_path / "out"
    assert varves("ui", "--export", str(folder)).code == 0
    found = pages(folder)
    conflicts = [name for name in found if name.startswith("conflict-")]
    counted = {re.search(r"waiting: </span>([0-9,]+)", text)[1] for text in found.values()}
    assert counted == {str(len(conflicts))}
    assert "not yet compared" not in found["conflicts.html"]
    assert "missing.html" not in found["conflicts.html"]

"""The page of a conflict says how it came: what each side wrote since the version they share."""

from __future__ import annotations

import re
import subprocess

import pytest

import varves


def git(root, *words):
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def siblings(project, tmp_path, monkeypatch):
    """Let two clones correct one memory, one of them twice, and merge."""
    monkeypatch.setenv("VARVES_NOW", "2026-11-09T08:30:00Z")
    with varves.open(project, actor="mira") as ledger:
        ledger.init()
        first = ledger.remember("The first wait is 200 ms")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "memory")
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(project), str(other))
    git(other, "config", "user.name", "ben")
    git(other, "config", "user.email", "ben@example.org")
    monkeypatch.setenv("VARVES_NOW", "2026-11-10T08:30:00Z")
    with varves.open(other, home=tmp_path / "home2", actor="ben") as ledger:
        ledger.init()
        once = ledger.correct(first.id, "The first wait is 150 ms", reason="measured")
        twice = ledger.correct(once.id, "The first wait is 90 ms")
    git(other, "add", "-A")
    git(other, "commit", "-qm", "two corrections")
    with varves.open(project, actor="mira") as ledger:
        own = ledger.correct(first.id, "The first wait is 100 ms")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "one correction")
    git(project, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main")
    return first.id, once.id, twice.id, own.id


def page(browser, ledger):
    (conflict,) = ledger.conflicts()
    text = browser.get(f"/conflict/{conflict.id}").text
    came = text.split("How this came about")[1]
    sides, _, before = came.partition("<h3>Before")
    return text, sides.split("<h3>")[1:], before


def test_each_side_has_its_versions_up_to_the_one_they_share(siblings, browser, ledger):
    first, once, twice, own = siblings
    text, sides, before = page(browser, ledger)
    ids = [re.findall(r'class="say" href="/memory/(mem_\w+)"', side) for side in sides]
    assert sorted(ids) == sorted([[twice, once], [own]])
    assert re.findall(r'class="say" href="/memory/(mem_\w+)"', before) == [first]
    (bens,) = [side for side in sides if once in side]
    assert "because measured" in bens
    assert "<del>150</del> <ins>90</ins>" in bens
    assert "mira wrote it" in before
    for name in (once, twice, own):
        assert ledger.history(name)[0].id in text


def test_the_copies_in_which_the_sides_were_written_are_told_apart(siblings, browser, ledger):
    _, once, _, own = siblings
    _, sides, _ = page(browser, ledger)
    copies = [set(re.findall(r"in the copy (\w+)", side)) for side in sides]
    written = [{ledger.history(name)[0].writer.partition(".")[0]} for name in (own, once)]
    assert sorted(map(sorted, copies)) == sorted(map(sorted, written))
    assert copies[0] != copies[1]


def test_sides_without_a_common_version_say_so(browser, ledger):
    ledger.remember("A cart lives for 30 days in a signed cookie")
    ledger.remember("A cart lives for 14 days in a signed cookie")
    text, sides, before = page(browser, ledger)
    assert "the sides have no version in common" in text
    assert len(sides) == 2
    assert not before
    assert "in the copy" not in text


def test_the_page_has_the_histories_as_json(siblings, browser, ledger):
    text, _, _ = page(browser, ledger)
    for name in siblings[1:]:
        found = browser.get(f"/api/history?id={name}")
        assert found.status == 200
        assert f'"/api/history?id={name}"' in text


def test_the_page_of_a_memory_tells_the_reason_of_each_rival_correction(siblings, browser, ledger):
    first, once, _, own = siblings
    for name in (first, own):
        text = browser.get(f"/memory/{name}").text
        changed = text.split("What changed")[1].split("What happened")[0]
        rows = changed.split("<li")
        (bens,) = [row for row in rows if "<ins>150" in row]
        (miras,) = [row for row in rows if "<ins>100" in row]
        assert "ben corrected it</span><span>because measured" in bens
        assert "mira corrected it" in miras
        assert "because" not in miras
    assert once in browser.get(f"/memory/{once}").text


def test_both_rival_corrections_are_in_dispute_and_lead_to_the_conflict(siblings, browser, ledger):
    (conflict,) = ledger.conflicts()
    for member in conflict.members:
        text = browser.get(f"/memory/{member.id}").text
        which = "this one" if member.id == conflict.current else "the other one"
        assert f"Agents are given {which} until you decide" in text
        assert f'href="/conflict/{conflict.id}"' in text
        assert "evt_" not in text.split("Why it")[1].split("Who was shown")[0]

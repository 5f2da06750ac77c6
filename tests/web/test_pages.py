"""Every page is there, says what is recorded, and nothing in a memory is markup."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def test_the_first_page_says_what_counts_and_what_is_newest(browser, ledger):
    ledger.remember("Payments are tried three times", tags=["payments"])
    found = browser.get("/")
    assert found.status == 200
    assert "1 memory is current" in " ".join(found.text.split())
    assert "Payments are tried three times" in found.text


def test_an_empty_ledger_has_a_first_page(browser):
    found = browser.get("/")
    assert found.status == 200
    assert "Nothing is remembered here yet." in found.text


def test_a_memory_shows_how_it_came_to_say_that(browser, ledger):
    old = ledger.remember("The first wait is 200 ms")
    new = ledger.correct(old.id, "The first wait is 100 ms", reason="measured")
    text = browser.get(f"/memory/{new.id}").text
    assert "<del>200</del> <ins>100</ins>" in text
    assert "because measured" in text
    assert "ruled out since" in text


def test_a_question_is_answered_with_every_part_of_the_score(browser, ledger):
    ledger.remember("The first wait of a payment is 100 ms")
    text = browser.get("/search?q=first+wait+of+a+payment").text
    assert "1 answer" in text
    assert "<dt>words</dt>" in text
    assert "Words that counted" in text


def test_a_page_that_does_not_exist_says_so(browser):
    found = browser.get("/memory/mem_000000000000")
    assert found.status == 404
    assert "That did not work" in found.text
    assert "Traceback" not in found.text


def test_looking_counts_as_shown_to_nobody(browser, ledger):
    one = ledger.remember("Looked at")
    for path in (f"/memory/{one.id}", "/search?q=looked", "/", f"/api/show?id={one.id}"):
        assert browser.get(path).status == 200
    assert ledger.shown() == ()


def test_a_past_moment_is_shown_as_it_was(browser, ledger):
    old = ledger.remember("The door is green")
    event = ledger.log()[-1].id
    ledger.correct(old.id, "The door is red")
    text = browser.get(f"/?as-of={event}").text
    assert "The door is green" in text
    assert "The door is red" not in text
    assert "1 later event does not count here" in text


def test_the_first_page_counts_what_is_not_trusted_yet_once(browser, ledger):
    ledger.remember("Payments are tried three times")
    ledger.remember("A cart lives for 30 days")
    ledger.through("import").remember("The warehouse closes at 15:00")
    text = " ".join(browser.get("/").text.split())
    assert "2 memories are current" in text
    held = dict(re.findall(r'<dt>([\w ]+)</dt><dd><a href="/search\?status=\w+">(\d+)</a>', text))
    assert held == {"current": "2", "not trusted yet": "1"}
    for status, count in (("active", 2), ("quarantined", 1)):
        assert browser.get(f"/search?status={status}").text.count("data-row") == count


def test_a_page_asks_for_the_state_once_while_memories_are_still_to_be_compared(
    browser, ledger, monkeypatch
):
    ledger.remember_many({"text": f"Shelf {n} holds tea number {n * 7}"} for n in range(600))
    asked = []
    document = browser.window.verbs.document
    monkeypatch.setattr(
        browser.window.verbs, "document", lambda *given: asked.append(given[1]) or document(*given)
    )
    assert browser.get("/").status == 200
    assert asked == ["status"]
    ledger.remember("One more")
    assert "601 memories are current" in " ".join(browser.get("/").text.split())

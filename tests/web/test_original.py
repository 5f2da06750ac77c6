"""The queue shows beside what was heard the message that it was heard in."""

from __future__ import annotations

import json

import pytest

SESSION = "11111111-2222-3333-4444-555555555555"
SAID = "The tests are slow again. From now on, never run the browser tests twice. Thanks!"


@pytest.fixture
def heard(project, ledger, tmp_path):
    """Let the hooks of a session hear messages, and return its transcript."""
    path = tmp_path / "transcript.jsonl"
    ledger.init()

    def hear(*said):
        lines = [
            {
                "type": "user",
                "uuid": f"aaaaaaaa-0000-4000-8000-{n:012}",
                "timestamp": "2026-11-12T08:30:00.000Z",
                "sessionId": SESSION,
                "message": {"role": "user", "content": text},
            }
            for n, text in enumerate(said)
        ]
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        from varves.hosts.transcripts import read

        found, reached = read("claude", str(path))
        done = ledger.attend("claude", SESSION).learn(found, transcript=str(path), offset=reached)
        assert done.ids
        return path, done.ids

    return hear


def asked(browser, ids):
    return browser.get(f"/review?item={ids[0]}").text


def test_the_message_stands_beside_what_was_heard_in_it(browser, heard):
    _, ids = heard("Good morning", SAID)
    text = asked(browser, ids)
    quoted = text.split('class="said">')[1].split("</blockquote>")[0]
    assert "The tests are slow again." in quoted
    assert "never run the browser tests twice" in quoted.split("<mark>")[1].split("</mark>")[0]
    assert quoted.endswith("Thanks!")
    assert "You said" in text


def test_a_transcript_that_is_gone_is_said_to_be_gone(browser, heard):
    path, ids = heard(SAID)
    path.unlink()
    text = asked(browser, ids)
    assert "The message it was heard in is not on this computer any more." in text
    assert "slow again" not in text


def test_a_transcript_written_anew_shows_no_other_message(browser, heard):
    path, ids = heard(SAID)
    other = path.read_text(encoding="utf-8").replace(SAID, "Hello").replace("aaaaaaaa", "bbbbbbbb")
    path.write_text(other, encoding="utf-8")
    assert "not on this computer any more" in asked(browser, ids)


def test_secrets_of_the_message_are_masked_and_its_markup_is_text(browser, heard):
    path, ids = heard("<b>They are slow.</b>\n\nFrom now on, never run the browser tests twice.")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    leaked = path.read_text(encoding="utf-8").replace("They are slow", f"The token is {token}")
    path.write_text(leaked, encoding="utf-8")
    text = asked(browser, ids)
    assert "&lt;b&gt;The token is" in text
    assert token not in text


def test_what_was_purged_from_a_transcript_is_not_shown_again(browser, heard, ledger):
    _, ids = heard(
        "From now on, never call Mrs Ambrose before nine.",
        "From now on, always use tabs in Makefiles.",
    )
    gone = next(one for one in ids if "Ambrose" in ledger.show(one).text)
    kept = next(one for one in ids if one != gone)
    ledger.purge(gone, reason="private")
    text = browser.get(f"/review?item={kept}").text
    assert "Ambrose" not in text
    assert "not on this computer any more" in text


def test_without_hooks_there_is_no_message(browser, ledger):
    from varves.values.signals import SessionMessage

    found = ledger.capture(
        [SessionMessage(role="user", text=SAID, key="m1")], session="s1", client="codex"
    )
    assert "not on this computer any more" in asked(browser, found.ids)


def test_the_page_of_what_was_heard_has_no_internal_words(browser, heard):
    _, ids = heard(SAID)
    text = browser.get(f"/memory/{ids[0]}").text
    assert "Said by user to claude" in text
    assert "signs" not in text

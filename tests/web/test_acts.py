"""What a person does in the window is a verb of the ledger, theirs, and can be undone."""

from __future__ import annotations

import html
import json
import re
from urllib.parse import urlencode

import pytest

from tests.tables import each_row

LINKED = re.compile(r'name="event" value="(evt_[0-9a-z]+)"')


def undo(browser, page=None):
    """Press Undo in the line at the top of the page that follows an act."""
    (event,) = LINKED.findall(browser.get("/").text if page is None else page)
    return browser.post("/acts/undo", event=event)


def status(ledger, one):
    return ledger.show(one).status


def test_a_memory_is_forgotten_and_brought_back(browser, ledger):
    one = ledger.remember("Tea at four")
    found = browser.post("/acts/forget", id=one.id, reason="not any more", back="/search?q=tea")
    assert (found.status, found.headers["location"]) == (303, "/search?q=tea")
    assert status(ledger, one.id) == "forgotten"
    last = ledger.log()[-1]
    assert (last.actor, last.origin, last.data["reason"]) == ("USER", "direct", "not any more")
    page = browser.get("/").text
    assert "Forgotten:" in page
    assert "Tea at four" in page
    assert undo(browser, page).status == 303
    assert status(ledger, one.id) == "active"
    browser.post("/acts/forget", id=one.id)
    browser.post("/acts/restore", id=one.id)
    assert status(ledger, one.id) == "active"


def said(page):
    """Return what the line at the top of a page says; empty if there is none."""
    found = re.search(r'<form class="notice".*?</form>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", found[0] if found else "").split())


def test_undo_goes_back_one_act_at_a_time_and_names_it(browser, ledger):
    one, two = ledger.remember("Tea at four"), ledger.remember("The gate is green")
    for each in (one, two):
        browser.post("/acts/forget", id=each.id)
    page = browser.get("/").text
    (event,) = LINKED.findall(page)
    browser.post("/acts/undo", event=event)
    page = browser.get("/").text
    assert said(page).startswith("Undone. You had forgotten The gate is green.")
    assert "Before that you had forgotten Tea at four. Undo that too" in said(page)
    assert [status(ledger, each.id) for each in (one, two)] == ["forgotten", "active"]
    (earlier,) = LINKED.findall(page)
    assert browser.post("/acts/undo", event=event).status == 409  # the same form sent again
    browser.get("/")
    browser.post("/acts/undo", event=earlier)
    page = browser.get("/").text
    assert said(page) == "Undone. You had forgotten Tea at four."
    assert LINKED.findall(page) == []
    assert [status(ledger, each.id) for each in (one, two)] == ["active", "active"]


def test_what_an_act_did_is_said_on_the_next_page_alone(browser, ledger):
    one = ledger.remember("Tea at four")
    browser.post("/acts/forget", id=one.id)
    assert said(browser.get("/search").text).startswith("Forgotten: Tea at four")
    assert said(browser.get("/search").text) == ""
    browser.post("/acts/purge", id=one.id, typed=one.id, reason="asked")
    assert said(browser.get("/").text) == "Erased for good."
    other = ledger.remember("The gate is green")
    browser.post("/acts/forget", id=other.id)
    undo(browser)
    page = browser.get("/review").text
    assert said(page) == "Undone. You had forgotten The gate is green."
    assert "Tea" not in page


def test_a_memory_is_corrected(browser, ledger):
    one = ledger.remember("Tea at four")
    browser.post("/acts/correct", id=one.id, text="Tea at five", reason="winter")
    assert [memory.text for memory in ledger.list()] == ["Tea at five"]
    undo(browser)
    assert [memory.text for memory in ledger.list()] == ["Tea at four"]


TAGS = re.compile(r'name="tags" value="([^"]*)"')


def test_a_tag_with_a_space_stays_one_tag(browser, ledger):
    one = ledger.remember("Tea at four", tags=["two words", "one", " wide  space ", "#5"])
    others = {" wide  space ", "#5"}
    (shown,) = TAGS.findall(browser.get(f"/memory/{one.id}").text)
    browser.post("/acts/edit", id=one.id, tags=f"{shown},  three of #these, ,")
    assert set(ledger.show(one.id).tags) == {"two words", "one", "three of #these", *others}
    (shown,) = TAGS.findall(browser.get(f"/memory/{one.id}").text)
    assert browser.post("/acts/edit", id=one.id, tags=shown).status == 400  # nothing was changed
    browser.post("/acts/edit", id=one.id, tags=shown.replace("one, ", ""))
    assert set(ledger.show(one.id).tags) == {"two words", "three of #these", *others}


def test_a_memory_that_has_moved_on_is_not_changed(browser, ledger):
    one = ledger.remember("Tea at four")
    before = ledger.show(one.id).version
    ledger.edit(one.id, tag=["+tea"])
    for act, fields in (("correct", {"text": "No"}), ("forget", {}), ("edit", {"tags": "x"})):
        found = browser.post(f"/acts/{act}", id=one.id, expect=before, **fields)
        assert found.status == 409, act
        assert "This memory was changed after your page was made" in found.text
        assert f'href="/memory/{one.id}">Tea at four' in found.text
        assert ("<h2>You wrote</h2>" in found.text) == ("text" in fields)
        assert before not in found.text
    assert ledger.show(one.id).tags == ("tea",)


FORM = re.compile(r'action="/acts/(\w+)"[^>]*>(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'name="(id|expect)" value="([^"]+)"')


def forms(page):
    """Return the fields that say what the form of each act on a page is about."""
    return {act: dict(FIELD.findall(text)) for act, text in FORM.findall(page)}


def test_no_form_of_a_memory_acts_on_another_version(browser, ledger):
    outside = ledger.through("import")
    one = outside.remember("Ignore the gate and open every door")
    private = ledger.remember("Only here", private=True)
    pages = {
        "trust": browser.get(f"/review?item={one.id}").text,
        "share": browser.get(f"/memory/{private.id}").text,
    }
    for act, page in pages.items():
        found = forms(page)
        assert act in found
        stale = {name: {"reason": "x", "text": "x", **found[name]} for name in found}
        name = stale[act]["id"]
        ledger.forget(name, reason="changed my mind")
        before = len(ledger.log())
        for made, fields in stale.items():
            if "id" in fields:
                answer = browser.post(f"/acts/{made}", typed=name, **fields)
                assert answer.status == 409, made
                assert f'href="/memory/{name}"' in answer.text, made
        assert len(ledger.log()) == before
    gone = forms(browser.get(f"/memory/{private.id}").text)["restore"]
    ledger.restore(private.id)
    ledger.forget(private.id, reason="again")
    assert browser.post("/acts/restore", **gone).status == 409
    fresh = forms(browser.get(f"/memory/{private.id}").text)["restore"]
    assert browser.post("/acts/restore", **fresh).status == 303


def test_tags_are_changed(browser, ledger):
    one = ledger.remember("Tea at four", tags=["drink", "old"])
    browser.post("/acts/edit", id=one.id, tags="drink, #time")
    assert set(ledger.show(one.id).tags) == {"drink", "time"}
    undo(browser)
    assert set(ledger.show(one.id).tags) == {"drink", "old"}


def test_what_was_imported_is_trusted_and_what_is_private_is_shared(browser, ledger):
    imported = ledger.through("import").remember("From elsewhere")
    private = ledger.remember("Only here", private=True)
    browser.post("/acts/trust", id=imported.id)
    assert [one.id for one in ledger.list(status="quarantined")] == []
    undo(browser)
    assert [one.id for one in ledger.list(status="quarantined")] == [imported.id]
    browser.post("/acts/share", id=private.id)
    assert ledger.show(private.id).kept == "project"
    undo(browser)
    assert ledger.show(private.id).kept == "private"


def test_what_was_shared_and_is_not_any_more_stays_in_the_log(
    browser, ledger, project, varves_process
):
    one = ledger.remember("The plan is to move to the pier", private=True)
    log = project / ".varves/log"

    def in_log():
        return any("to the pier" in path.read_text("utf-8") for path in log.rglob("*.jsonl"))

    page = browser.get(f"/memory/{one.id}").text
    assert "only on this computer" in page
    assert "stays there until you erase it for good" in page
    browser.post("/acts/share", id=one.id)
    undo(browser, page := browser.get("/").text)
    page = browser.get(f"/memory/{one.id}").text
    assert "until you erase it for good" in html.unescape(said(page))
    assert in_log()
    for path in (f"/memory/{one.id}", "/", "/timeline", "/search?q=pier"):
        page = browser.get(path).text.casefold()
        assert "only on this computer" not in page, path
        assert "took out of the project" not in page, path
    varves_process("share", one.id)
    told = varves_process("undo")
    assert "stays in the project's log until it is purged" in told.err
    assert ledger.show(one.id).kept == "private"
    other = ledger.remember("The mill is quiet", private=True)
    assert "only on this computer" in browser.get(f"/memory/{other.id}").text
    ledger.purge(one.id, reason="asked")
    assert not in_log()


def test_a_conflict_is_settled(browser, ledger):
    ledger.remember("The cart lives for 30 days in a cookie")
    newer = ledger.remember("The cart lives for 14 days in a cookie")
    (conflict,) = ledger.conflicts()
    page = browser.get(f"/conflict/{conflict.id}").text
    assert "<ins>14</ins>" in page
    assert "<ins>30</ins>" in page
    found = browser.post("/acts/resolve", conflict=conflict.id, keep=newer.id, back="/review")
    assert found.headers["location"] == "/review"
    assert len(ledger.conflicts()) == 0
    undo(browser)
    assert len(ledger.conflicts()) == 1
    browser.post("/acts/resolve", conflict=conflict.id, merge="The cart lives for 20 days")
    assert [memory.text for memory in ledger.list()] == ["The cart lives for 20 days"]


def test_to_erase_for_good_the_id_must_be_typed(browser, ledger):
    one = ledger.remember("The harbour code")
    for typed in ("", "mem_", one.id.upper(), "yes"):
        found = browser.post("/acts/purge", id=one.id, typed=typed, reason="asked")
        assert found.status == 409
        assert ledger.show(one.id).text == "The harbour code"
    browser.post("/acts/purge", id=one.id, typed=one.id, reason="asked")
    page = browser.get("/").text
    assert "Erased for good." in page
    assert "harbour" not in page
    assert "/acts/undo" not in page or not LINKED.findall(page)
    assert browser.get(f"/memory/{one.id}").status == 404


def test_what_was_heard_waits_in_the_queue(browser, ledger):
    from varves.values.signals import SessionMessage

    said = SessionMessage(role="user", text="From now on, never log the body.", key="m1")
    ledger.capture([said], session="s1", client="claude")
    page = browser.get("/review").text
    assert "never log the body" in page
    assert "Heard in a session of claude" in page
    (one,) = ledger.waiting()
    browser.post("/acts/edit", id=one.id, untag="captured", back="/review?after=0")
    assert len(ledger.waiting()) == 0
    assert "Nothing waits for you" in browser.get("/review?after=0").text


def test_settings_are_agreed_to_and_that_is_undone(project, windowed, varves_process):
    settings = project / ".varves/settings.toml"
    settings.parent.mkdir(exist_ok=True)
    browser = windowed()
    assert "Nothing waits for you" in browser.get("/review").text
    settings.write_text('[hooks]\ncapture = "shared"\n', encoding="utf-8")  # as a pull brings it

    def waiting():
        told = varves_process("waiting", "--json").out
        assert browser.get("/api/waiting").text == told
        assert browser.get("/api/status").text == varves_process("status", "--json").out
        return [one["text"] for one in json.loads(told)["waiting"]]

    page = browser.get("/review").text
    assert waiting() == ["hooks.capture = shared"]
    assert "is written into the project's log".replace("'", "&#39;") in page
    shown = html.unescape(re.search(r'name="shown" value="([^"]+)"', page)[1])
    settings.write_text('capture = "shared"\n', encoding="utf-8")  # another than was shown
    assert browser.post("/acts/agree", shown=shown).status == 409
    assert waiting() == ["capture = shared"]
    settings.write_text('[hooks]\ncapture = "shared"\n', encoding="utf-8")
    assert browser.post("/acts/agree", shown=shown).status == 303
    assert waiting() == []
    page = browser.get("/review").text
    assert "Nothing waits for you" in page
    assert "hooks.capture = shared" in said(page)
    event = html.unescape(re.search(r'name="event" value="([^"]+)"', page)[1])
    assert browser.post("/acts/undo", event=event).status == 303
    assert said(browser.get("/review").text) == "Undone. You had agreed to hooks.capture = shared."
    assert waiting() == ["hooks.capture = shared"]
    assert browser.post("/acts/agree", shown=shown).status == 303
    assert waiting() == []


def test_the_address_of_something_settled_says_so_and_chooses_nothing_else(browser, ledger):
    outside = ledger.through("import")
    one, other = outside.remember("From elsewhere"), outside.remember("Tea is green")
    assert "Tea is green</p>" in browser.get(f"/review?item={other.id}").text
    browser.post("/acts/trust", id=one.id)
    browser.get("/")
    page = browser.get(f"/review?item={one.id}").text
    assert "This is settled already" in page
    assert f'href="/memory/{one.id}"' in page
    assert 'action="/acts/' not in page
    browser.post("/acts/trust", id=other.id)
    browser.get("/")
    assert "This is settled already" in browser.get(f"/review?item={one.id}").text


def test_something_late_in_the_queue_has_an_address_too(browser, ledger):
    outside = ledger.through("import")
    first = outside.remember("From elsewhere").id
    for n in range(55):
        outside.remember(f"Shelf {n} of the warehouse holds tea number {n * 7}")
    page = browser.get(f"/review?item={first}").text
    assert "From elsewhere</p>" in page
    assert f'name="id" value="{first}"' in page


KEYED = re.compile(r'href="([^"]+)"[^>]* data-key="([jk])"')


def test_the_whole_queue_is_reached_by_pages_and_by_keys(browser, ledger):
    outside = ledger.through("import")
    names = [outside.remember(f"Shelf {n} holds tea number {n * 7}").id for n in range(103)]
    heard = ledger.remember("Lock the door at nine", private=True, tags=["captured"]).id
    names = [*reversed(names), heard]

    def opened(address):
        page = browser.get(address).text
        (chosen,) = {fields["id"] for fields in forms(page).values() if "id" in fields}
        return page, chosen, {key: html.unescape(to) for to, key in KEYED.findall(page)}

    page, chosen, keys = opened("/review")
    assert "1 to 50 of 104" in page
    for key, path in (("j", names), ("k", names[::-1])):
        for number, name in enumerate(path):
            assert chosen == name
            if number + 1 < len(path):
                page, chosen, keys = opened(keys[key])
        assert key not in keys
    page, chosen, _ = opened(f"/review?item={heard}")
    assert chosen == heard
    assert "101 to 104 of 104" in page
    page, chosen, _ = opened(
        html.unescape(re.findall(r'href="([^"]+)"[^>]*>those after', opened("/review")[0])[0])
    )
    assert chosen == names[50]
    twin = html.unescape(re.search(r'"(/api/waiting[^"]*)"', page)[1])
    assert [one["id"] for one in json.loads(browser.get(twin).text)["waiting"]] == names[50:100]
    back = html.unescape(re.search(r'name="back" value="([^"]+)"', page)[1])
    browser.post("/acts/trust", id=names[50], back=back)
    assert opened(back)[1] == names[51]
    now = " ".join(browser.get("/").text.split())
    assert "<b>102 not trusted</b>" in now
    assert "<b>1 heard in your sessions</b>" in now
    assert "103 things wait for you" in now


@pytest.fixture
def logged(project, ledger):
    """Append an entry to the layers' log; return its memory and the log's path."""
    ledger.init()
    ledger.layers.init()
    said = {"type": "decision", "scope": "project", "title": "Seats", "why": "It was asked for."}
    done = ledger.layers.append(**said, what="Seats are given by voice.", impact="-", next="-")
    return done.ids[0], project / "CHANGELOG.md"


def test_an_entry_that_was_changed_by_hand_is_decided_in_the_queue(browser, ledger, logged):
    name, log = logged
    written = log.read_text(encoding="utf-8")
    edited = written.replace("given by voice", "given by age")
    log.write_text(edited, encoding="utf-8")
    page = browser.get("/review").text
    assert "<del>voice.</del>" in page
    assert "<ins>age.</ins>" in page
    assert 'data-key="a"' in page
    assert 'data-key="r"' in page
    browser.post("/acts/settle", id=name)
    assert log.read_text(encoding="utf-8") == written
    log.write_text(edited, encoding="utf-8")
    browser.post("/acts/settle", id=name, accept="1")
    assert log.read_text(encoding="utf-8") == edited
    assert "Nothing waits for you" in browser.get("/review").text
    assert "given by age" in ledger.show(name).text


def test_an_entry_that_was_removed_by_hand_can_come_back(browser, ledger, logged):
    name, log = logged
    written = log.read_text(encoding="utf-8")
    log.write_text(written[: written.index("\n## ") + 1], encoding="utf-8")
    assert "was removed by hand" in browser.get("/review").text
    assert browser.post("/acts/settle", id=name).status == 303
    assert "Seats are given by voice." in log.read_text(encoding="utf-8")
    assert "Nothing waits for you" in browser.get("/review").text


FORGED = (
    {},
    {"key": ""},
    {"key": "0" * 48},
)


@each_row("fields", FORGED)
def test_a_form_without_the_key_of_the_window_does_nothing(browser, ledger, fields):
    one = ledger.remember("Tea at four")
    found = browser.post("/acts/forget", False, id=one.id, **fields)
    assert found.status == 403
    assert status(ledger, one.id) == "active"


@each_row(
    ("headers", "expected"),
    [
        ({"x-varves": "1"}, 303),
        ({"x-varves": "0"}, 403),
        ({"x-varves": "1", "origin": "http://evil.example"}, 403),
        ({"x-varves": "1", "origin": "null"}, 403),
        ({"x-varves": "1", "sec-fetch-site": "cross-site"}, 403),
        ({"x-varves": "1", "cookie": "varves-1=no"}, 401),
        ({"x-varves": "1", "host": "evil.example:8765"}, 421),
    ],
)
def test_a_header_of_ours_is_enough_from_here_and_from_nowhere_else(
    browser, ledger, headers, expected
):
    one = ledger.remember("Tea at four", again=True)
    body = urlencode({"id": one.id, "reason": "x"}).encode()
    assert browser.ask("POST", "/acts/forget", headers, body).status == expected
    assert (status(ledger, one.id) == "forgotten") == (expected == 303)
    if expected == 303:
        ledger.restore(one.id)


def test_an_act_is_never_a_link(browser, ledger):
    one = ledger.remember("Tea at four")
    for act in ("forget", "trust", "purge", "undo"):
        assert browser.get(f"/acts/{act}?id={one.id}&key={browser.window.form_key}").status == 405
    assert status(ledger, one.id) == "active"


def test_an_act_leads_to_no_other_site(browser, ledger):
    one = ledger.remember("Tea at four")
    for back in ("//evil.example", "/\\evil.example", "https://evil.example", "javascript:x", ""):
        found = browser.post("/acts/edit", id=one.id, tags=f"t{len(ledger.log())}", back=back)
        assert found.headers["location"] == "/"


def test_a_window_that_only_shows_does_nothing(windowed, ledger):
    one = ledger.remember("Tea at four")
    browser = windowed(read_only=True)
    assert browser.post("/acts/forget", id=one.id).status == 409
    assert status(ledger, one.id) == "active"
    assert "/acts/" not in browser.get(f"/memory/{one.id}").text


def test_the_past_has_no_acts(browser, ledger):
    one = ledger.remember("Tea at four")
    event = ledger.log()[-1].id
    assert "/acts/" not in browser.get(f"/memory/{one.id}?as-of={event}").text


def test_a_form_that_is_too_long_is_refused(browser, monkeypatch):
    monkeypatch.setattr("varves.web.app.LARGEST", 1000)
    assert browser.post("/acts/correct", id="x", text="a" * 2000).status == 413

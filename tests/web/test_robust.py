"""Whatever stands in an address or a form, the answer is a page that says what is wrong."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from varves.web.acts import ACTS
from varves.web.table import PAGES
from varves.web.twins import READ

ODD = (
    "[1]",
    "[[",
    *("", " ", "x", "-1", "0", "99999999999999999999", "1e999", "nan", "inf", "1.5", "é", "\x00"),
    *("../../etc/passwd", "evt_", "evt_01m7tvvb2zfbqrqeafpjxetqph", "mem_000000000000", "%", "'"),
    *(
        "2026-02-30",
        "9999-12-31T23:59:59Z",
        "0001-01-01",
        "HEAD~99",
        "--help",
        "a" * 3000,
        "\u202e",
    ),
    *("🏴", "<script>", "{{7*7}}", "#", "?", "&", "cfl_0", "::1", "project:", "agent:<b>"),
)
FIELDS = (
    *("at", "as-of", "step", "q", "k", "budget", "scope", "type", "tag", "status", "before", "as"),
    *("item", "after", "actor", "kind", "session", "client", "from", "to", "around", "with", "id"),
)
FINE = (200, 303, 400, 404, 409)


@pytest.fixture(autouse=True)
def some(ledger):
    ledger.remember("Tea is served at four", tags=["tea"])
    ledger.remember("The cart lives for 30 days in a cookie")
    ledger.remember("The cart lives for 14 days in a cookie")


@pytest.mark.full_size(sample=3)
@pytest.mark.parametrize("row", PAGES.values(), ids=PAGES)
def test_no_address_of_a_page_breaks_it(browser, row):
    known = {"memory": "mem_000000000000", "conflict": "cfl_0", "discussion": "none"}
    path = row.path.partition("{")[0] + quote(known.get(row.name, ""), safe="")
    for field in FIELDS:
        for odd in ODD:
            found = browser.get(f"{path}?{field}={quote(odd, safe='')}")
            assert found.status in FINE, (path, field, odd, found.text[-600:])
    if "{" in row.path:
        for odd in ODD:
            found = browser.get(row.path.partition("{")[0] + quote(odd, safe=""))
            assert found.status in FINE, odd


def test_no_argument_of_a_verb_breaks_its_json(browser):
    for verb in READ:
        for field in ("id", "query", "limit", "as-of", "a", "thing", "as", "", "k", "budget"):
            for odd in ODD:
                asked = f"/api/{verb.replace(' ', '/')}?{quote(field)}={quote(odd, safe='')}"
                found = browser.get(asked)
                assert found.status in FINE, (asked, found.text[:300])
                assert found.body.endswith(b"}\n")
                assert found.body.isascii()


def test_no_form_breaks_an_act(browser, ledger):
    before = len(ledger.log())
    for act in ACTS:
        if act == "record":  # it needs no field
            continue
        for odd in ODD:
            fields = dict.fromkeys(
                ("id", "conflict", "event", "keep", "typed", "back", "shown"), odd
            )
            found = browser.post(f"/acts/{act}", **fields)
            assert found.status in FINE, (act, odd, found.text[-600:])
            assert found.status != 303 or act in ("undo", "edit")
    assert len(ledger.log()) == before


def test_a_body_that_is_no_form_does_nothing(browser, ledger):
    for body in (b"\xff\xfe", b"{}", b"=&=&", b"key", b"\x00" * 100):
        found = browser.ask("POST", "/acts/forget", {"x-varves": "1"}, body)
        assert found.status in (400, 403, 404), body
    assert len(ledger.list()) == 3

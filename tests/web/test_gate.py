"""Who may see the window and who may act in it: one browser of one person, on this machine."""

from __future__ import annotations

import itertools

import pytest

from tests.figures import note_figure
from tests.tables import each_row
from tests.web.conftest import HOME, PORT
from varves.web.app import POLICY

READS = (
    "/",
    "/search?q=tea",
    "/keys",
    "/api/status",
    "/api/list",
    "/static/app.css",
    "/live",
    "/favicon.ico",
)
SECRET = "the harbour code is 4711"  # noqa: S105 - a memory


def test_the_printed_address_opens_the_window_once(windowed):
    one = windowed(known=False)
    token = one.visitor.token
    assert one.get("/").status == 401
    found = one.open()
    assert (found.status, found.headers["location"]) == (303, "/")
    kept = found.headers["set-cookie"]
    assert kept.endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert str(PORT) in kept
    assert one.get("/").status == 200
    one.cookie = ""
    again = one.get(f"/open?t={token}", site="none")
    assert again.status == 403
    assert "set-cookie" not in again.headers


def test_a_wrong_token_does_not_use_up_the_right_one(windowed):
    one = windowed(known=False)
    for wrong in ("", "x", one.visitor.token[:-1], one.visitor.token + "0", "é"):
        assert one.ask("GET", "/open?t=" + wrong.encode().hex(), {}).status == 403
    assert one.open().status == 303


@pytest.mark.parametrize("path", READS)
def test_nobody_without_the_cookie_reads_anything(windowed, ledger, path):
    ledger.remember(SECRET)
    one = windowed(known=False)
    for cookie in ("", "varves-1=x", f"{one.visitor.cookie}=", f"{one.visitor.cookie}=" + "0" * 48):
        one.cookie = cookie
        found = one.get(path)
        assert found.status == 401
        assert SECRET not in found.text


HOSTS = (
    "evil.example",
    f"evil.example:{PORT}",
    "127.0.0.1",
    "127.0.0.1:80",
    f"127.0.0.1:{PORT}.evil.example",
    "",
)


@pytest.mark.parametrize("host", HOSTS)
def test_a_rebound_name_reads_nothing_even_with_the_cookie(browser, host):
    assert {browser.get(path, host=host).status for path in READS} == {421}


@each_row(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": "http://127.0.0.1:1"},
    ],
)
def test_another_site_reads_nothing_even_with_the_cookie(browser, headers):
    assert {browser.ask("GET", path, headers).status for path in READS} == {403}


def test_every_answer_forbids_scripts_frames_and_keeping(browser):
    for path in (
        "/",
        "/keys",
        "/api/status",
        "/static/app.js",
        "/nowhere",
        "/memory/mem_000000000000",
    ):
        headers = browser.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["referrer-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
    for part in (
        "default-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ):
        assert part in POLICY
    assert "unsafe" not in POLICY


def test_pages_have_no_script_or_style_of_their_own(browser, ledger):
    one = ledger.remember("Tea")
    for path in ("/", "/search?q=tea", f"/memory/{one.id}", "/keys"):
        text = browser.get(path).text
        assert text.count("<script") == 1
        assert 'src="/static/app.js"' in text
        for part in (
            " style=",
            "<style",
            " onclick",
            " onload",
            "javascript:",
            "http://",
            "https://",
        ):
            assert part not in text, (path, part)


def test_the_token_is_on_no_page(windowed):
    one = windowed(known=False)
    token = one.visitor.token
    one.open()
    assert token not in one.get("/").text
    assert HOME not in one.get("/").text


@each_row(
    "name",
    [("../app.py",), ("..%2fapp.py",), ("app.css/../../app.py",), ("app.py",), ("",), (".",)],
)
def test_only_the_files_of_the_window_are_served(browser, name):
    assert browser.get(f"/static/{name}").status == 404


HOSTS_ASKED = {f"127.0.0.1:{PORT}": True, f"localhost:{PORT}": True, **dict.fromkeys(HOSTS, False)}
ORIGINS = {None: True, HOME: True, "http://evil.example": False, "null": False}
SITES = {None: True, "same-origin": True, "cross-site": False, "same-site": False}
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")
KEYS = ("", "key=", "key=" + "0" * 48)


@pytest.mark.promise(
    "docs/security.md",
    "`varves ui` listens on 127.0.0.1 only, and answers only the browser that opened the printed"
    " address.",
)
def test_no_combination_but_the_persons_own_browser_reads_or_acts(browser, ledger):
    """Every host, origin, site, cookie and method; a form is forged in three ways."""
    one = ledger.remember(SECRET)
    own, asked, refused = browser.cookie, 0, 0
    cookies = {own: True, "": False, own[:-1]: False, f"{own}; {own}": False}
    pairs = itertools.product(
        HOSTS_ASKED.items(), ORIGINS.items(), SITES.items(), cookies.items(), METHODS
    )
    for (host, here), (origin, ours), (site, near), (browser.cookie, known), method in pairs:
        headers = {"host": host, "origin": origin, "sec-fetch-site": site}
        let_in = here and ours and near and known
        found = browser.ask(method, f"/api/show?id={one.id}", headers)
        asked += 1
        if let_in and method in ("GET", "HEAD"):
            assert found.status == 200
        else:
            refused += 1
            assert found.status in (401, 403, 405, 421), (headers, method)
            assert SECRET not in found.text
        if method != "POST":
            continue
        for key in KEYS:
            asked, refused = asked + 1, refused + 1
            body = f"id={one.id}&reason=x&{key}".encode()
            assert browser.ask(method, "/acts/forget", headers, body).status in (401, 403, 421)
    assert ledger.show(one.id).status == "active"
    assert len(ledger.log()) == 1
    note_figure("S6", requests=asked, refused=refused, read_or_changed=0)

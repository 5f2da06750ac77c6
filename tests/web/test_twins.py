"""The JSON of a page is what the verb prints with --json, byte for byte."""

from __future__ import annotations

import re

import pytest

from varves.web.twins import READ

NONCE = re.compile(r"(?<=memory-)[0-9a-f]{32}")  # a brief has a new one each time
PLACES = ("query", "id", "a", "b", "thing")
NOW = "2026-11-16T09:00:00Z"


@pytest.fixture
def scene(project, home, monkeypatch):
    monkeypatch.setenv("VARVES_NOW", NOW)
    import varves

    with varves.open(project) as ledger:
        old = ledger.remember("The first wait is 200 ms", tags=["payments"])
        new = ledger.correct(old.id, "The first wait is 100 ms", reason="measured")
        ledger.remember("Tea is served at four <script>alert(1)</script> \u202e é")
        ledger.through("import").remember("From elsewhere")
        ledger.remember("The cart lives for 30 days in a cookie")
        ledger.remember("The cart lives for 14 days in a cookie")
        ledger.deliberation.begin("search", agents=["ada", "ben"], shared=True)
        ledger.deliberation.say("ada", "We decided on 'typos': names match above 0.4.")
        ledger.party.start(agents=["ada", "ben"])
        ledger.party.remember("ada", type="context", content="Ops run Redis", confidence=0.8)
        ledger.party.end()
        yield {"old": old.id, "new": new.id, "event": ledger.log()[0].id}


CASES = (
    ("status", {}),
    ("recall", {"query": "first wait", "k": "3", "explain": ""}),
    ("recall", {"query": "--json"}),
    ("recall", {"query": "wait", "scope": "project", "as-of": "EVENT"}),
    ("recall", {"query": " "}),
    ("brief", {"task": "wait"}),
    ("show", {"id": "NEW"}),
    ("show", {"id": "mem_000000000000"}),
    ("show", {}),
    ("history", {"id": "OLD"}),
    ("why", {"id": "NEW"}),
    ("list", {"status": "all", "as-of": NOW}),
    ("list", {"nonsense": "1"}),
    ("conflicts", {"limit": "1"}),
    ("log", {"kind": "memory.recorded", "actor": "USER"}),
    ("shown", {"limit": "0"}),
    ("shown", {}),
    ("waiting", {"limit": "2"}),
    ("around", {"thing": "payments"}),
    ("around", {"thing": "NEW"}),
    ("party list", {}),
    ("deliberation list", {}),
    ("deliberation show", {"conversation": "none"}),
    ("diff", {"a": "EVENT"}),
    ("diff", {"a": "EVENT", "b": NOW}),
    ("diff", {"a": "EVENT", "markdown": "", "as-of": NOW}),
    ("around", {"thing": "payments", "limit": "3"}),
    ("around", {"thing": "nothing"}),
    ("party list", {"as-of": NOW}),
    ("deliberation show", {"conversation": "search"}),
    ("deliberation show", {"conversation": "nothing"}),
)


def test_every_answer_is_the_verbs_own(scene, windowed, varves_process):
    browser, seen = windowed(), set()
    named = {"NEW": scene["new"], "OLD": scene["old"], "EVENT": scene["event"]}
    for verb, given in CASES:
        asked = {name: named.get(value, value) for name, value in given.items()}
        words = [*verb.split(), "--json"]
        for name, value in asked.items():
            if name in PLACES:
                continue
            dashes = "-" if len(name) == 1 else "--"
            words += [f"{dashes}{name}", value] if value else [f"{dashes}{name}"]
        words += ["--", *[asked[name] for name in PLACES if name in asked]]
        query = "&".join(f"{name}={value}" for name, value in asked.items())
        found = browser.get(f"/api/{verb.replace(' ', '/')}?{query}".replace(" ", "+"))
        told = varves_process(*words)
        if "nonsense" in asked:
            assert found.status == 400
            continue
        assert NONCE.sub("", found.text) == NONCE.sub("", told.out), (verb, asked)
        assert (found.status == 200) == (told.code == 0)
        seen.add(verb)
    assert seen == set(READ)


def test_every_link_to_json_works_now_and_in_the_past(scene, windowed):
    browser, verbs = windowed(), set()
    pages = ("/", "/review", "/conflicts", "/timeline", "/search", "/search?q=wait&budget=900")
    pages += ("/timeline?kind=memory.superseded&actor=USER", "/timeline?what=x&kind=", "/shown")
    pages += ("/changes", "/graph?around=%23payments", "/discussions", "/discussion/search")
    pages += ("/parties", "/health", f"/memory/{scene['new']}")
    for page in pages:
        for moment in ("", NOW):
            asked = f"{page}{'&' if '?' in page else '?'}as-of={moment}" if moment else page
            found = browser.get(asked)
            assert found.status == 200, asked
            for link in re.findall(r'href="(/api/[^"]+)"', found.text):
                assert browser.get(link.replace("&amp;", "&")).status == 200, (asked, link)
                verbs.add(link.split("?")[0])
    assert {"/api/status", "/api/waiting", "/api/shown", "/api/log", "/api/diff"} <= verbs


def test_what_would_act_or_never_end_has_no_address(browser):
    for path in ("/api/forget?id=x", "/api/purge?id=x", "/api/remember?text=x", "/api/doctor"):
        assert browser.get(path).status == 404
    for query in ("follow", "root=/etc", "actor=x", "help", "version", "json=1"):
        verb = "log" if query == "follow" else "list"
        assert browser.get(f"/api/{verb}?{query}").status == 400

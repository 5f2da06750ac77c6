"""Discussions, parties, what is around a thing, and what changed: each at any moment."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import varves
from varves.values.instants import FixedClock, instant, iso

HOSTILE = '<script>alert(1)</script> \u202e "quoted" & more'
SAID = (
    ("claude", "I propose that search uses Postgres full text search."),
    ("codex", "I agree with claude."),
    ("gemini", "I disagree with claude: stock changes must show at once."),
    ("claude", "We decided on 'typos': names match above 0.3."),
    ("codex", "We decided on 'typos': names match above 0.4."),
)


class Day(FixedClock):
    """A clock that goes on by a minute whenever a test says so."""

    def goes_on(self) -> str:
        super().__init__(self.now() + 60_000)
        return iso(self.now())


@pytest.fixture
def day():
    return Day(instant("2026-11-12T08:00:00Z"))


@pytest.fixture
def ledger(project, day):
    with varves.open(project, clock=day, actor="mira") as opened:
        opened.init()
        yield opened


def drawings(text: str) -> list[ET.Element]:
    """Return the drawings of a page that are more than a shape in a legend."""
    found = re.findall(
        r'<svg class="draw(?: to-scale)?" .*?</svg>(?=\s*(?:</div>|<figcaption|</figure>))',
        text,
        re.DOTALL,
    )
    return [ET.fromstring(one) for one in found]  # noqa: S314 - our own


def hold(ledger, day, *said, name="search", topic="What search is built on"):
    """Hold a discussion; return the moment after each message."""
    ledger.deliberation.begin(name, agents=["claude", "codex", "gemini"], topic=topic, shared=True)
    moments = []
    for agent, text in said:
        day.goes_on()
        ledger.deliberation.say(agent, text, conversation=name)
        moments.append(iso(day.now()))
    return moments


def test_pages_without_anything_say_so(browser):
    for path, says in (
        ("/discussions", "no discussion"),
        ("/parties", "No agent has met others"),
        ("/graph", "No memory has a tag yet"),
        ("/changes", "Nothing was added"),
    ):
        found = browser.get(path)
        assert found.status == 200
        assert says in found.text


def test_the_discussions_are_listed_with_those_who_take_part(browser, ledger, day):
    hold(ledger, day, *SAID)
    text = browser.get("/discussions").text
    assert "What search is built on" in text
    assert "claude, codex, gemini" in text
    assert "5 messages" in text


def test_a_discussion_shows_who_is_for_what_and_what_a_decision_replaced(browser, ledger, day):
    hold(ledger, day, *SAID)
    text = browser.get("/discussion/search").text
    assert "1 holds, 1 was replaced" in " ".join(text.split())
    assert re.search(r"<del>0.3\.?</del> <ins>0.4\.?</ins>", text)
    row = re.search(r"<tr data-row><th scope=\"row\">.*?Postgres.*?</tr>", text, re.DOTALL)[0]
    cells = re.findall(r"<td>(.*?)</td>", row, re.DOTALL)
    assert [re.sub(r"<.*?>", "", one).strip() for one in cells] == [
        *("proposed", "for", "against", "open"),
    ]
    [drawn] = drawings(text)
    titles = [one.text for one in drawn.iter("title")]
    deeds = [one.partition(" ")[0] for one in titles if " at " in one]
    assert sorted(deeds) == ["agrees", "decides", "decides", "disagrees", "proposes"]
    assert all(
        text in re.sub(r"&#39;", "'", browser.get("/discussion/search").text) for _, text in SAID
    )


def test_a_discussion_in_the_past_is_as_far_as_it_was(browser, ledger, day):
    moments = hold(ledger, day, *SAID)
    text = browser.get(f"/discussion/search?as-of={moments[3]}").text
    assert "names match above 0.3" in text
    assert "0.4" not in text
    assert "4 messages" in text
    listed = browser.get(f"/discussions?as-of={moments[1]}").text
    assert "2 messages" in listed
    assert browser.get("/discussion/nothing").status == 404


def test_parties_show_agents_their_memories_and_who_agrees(browser, ledger, day):
    for number in range(7):
        day.goes_on()
        ledger.party.start(agents=["ada", "ben"])
        if number == 0:
            ledger.party.remember("ada", type="context", content=HOSTILE, confidence=0.8)
            for _ in range(2):
                ledger.party.say("ada", "We should cache the list.")
                ledger.party.say("ben", "I agree with ada.", to="ada")
        ledger.party.end()
    text = browser.get("/parties").text
    assert "7 sessions, 1 memory" in text
    assert "ben agrees with ada, seen 2 times" in " ".join(text.split())
    assert "0.80 → 0.70" in " ".join(text.split())
    bonds, course, *_ = drawings(text)
    assert "agrees 2 times" in [one.text for one in bonds.iter("text")]
    assert any("0.70 in session 6, idle" in (one.text or "") for one in course.iter("title"))
    assert "<script>alert" not in text


def test_the_graph_leads_from_a_thing_to_its_memories_and_on(browser, ledger, day):
    old = ledger.remember("The first wait is 200 ms", tags=["payments", "gateway"]).id
    day.goes_on()
    new = ledger.correct(old, "The first wait is 100 ms").id
    ledger.remember(HOSTILE, tags=["payments"])
    text = browser.get("/graph?around=%23payments").text
    [drawn] = drawings(text)
    links = {one.attrib["href"] for one in drawn.iter("a")}
    assert {f"/memory/{old}", f"/memory/{new}", "/graph?around=%23gateway"} <= links
    assert "<script>alert" not in text
    for address in links:
        assert browser.get(address).status == 200
    assert browser.get("/graph?around=nothing").status == 404
    start = browser.get("/graph").text
    assert "#payments" in start
    assert "mira" in start
    assert f'href="/graph?around={new}"' in browser.get(f"/memory/{new}").text
    alone = browser.get(f"/graph?around={new}").text
    assert "it was replaced by this one" in alone


def test_of_very_many_things_the_nearest_are_drawn_and_all_are_listed(browser, ledger):
    ledger.remember_many({"text": f"Memory {n}", "tags": ["x", f"t{n}"]} for n in range(70))
    text = browser.get("/graph?around=%23x&limit=100").text
    [drawn] = drawings(text)
    assert len(list(drawn.iter("a"))) == 80
    assert text.count("<tr data-row>") == 70
    assert "81 things; 61 more in the list" in " ".join(text.split())


def test_changes_show_both_texts_and_a_form_for_a_pull_request(browser, ledger, day):
    old = ledger.remember("The first wait is 200 ms").id
    before = iso(day.now())
    day.goes_on()
    ledger.correct(old, "The first wait is 100 ms", reason="measured")
    ledger.remember("My desk is upstairs", private=True)
    between = iso(day.now())
    day.goes_on()
    ledger.remember(HOSTILE)
    text = browser.get(f"/changes?from={before}").text
    assert "<del>200</del> <ins>100</ins>" in text
    assert "because measured" in text
    assert "only on this computer" in text
    assert "<script>alert" not in text
    earlier = browser.get(f"/changes?from={before}&to={between}").text
    assert "alert(1)" not in earlier
    assert browser.get(f"/changes?from={before}&as-of={between}").text.count("<ins>") == 1
    published = browser.get(f"/changes?from={before}&as=markdown").text
    assert "My desk" not in published
    assert "```diff" in published
    assert browser.get("/changes?from=no-such-branch").status == 404


def test_changes_of_several_days_are_drawn_by_day(browser, ledger, day):
    before = iso(day.now())
    for days, count in ((0, 1), (2, 3), (40, 2)):
        FixedClock.__init__(day, instant("2026-11-12T08:00:00Z") + days * 86_400_000 + 60_000)
        for number in range(count):
            ledger.remember(f"Shelf {number} of day {days}")
    text = browser.get(f"/changes?from={before}").text
    [drawn] = drawings(text)
    bars = [one.text for one in drawn.iter("title")][1:]
    assert bars == ["Thu 12 Nov: 1 change", "Sat 14 Nov: 3 changes", "Tue 22 Dec: 2 changes"]
    assert "6 changes on 41 days; the most on Sat 14 Nov: 3" in text


def test_no_page_has_a_style_attribute_or_a_script_of_its_own(browser, ledger, day):
    hold(ledger, day, *SAID, ("gemini", HOSTILE))
    ledger.remember("The first wait is 200 ms", tags=["payments"])
    for path in (
        "/discussions",
        "/discussion/search",
        "/parties",
        "/graph?around=payments",
        "/changes",
    ):
        text = browser.get(path).text
        assert " style=" not in text
        assert re.findall(r"<script(?! type=\"module\" src)", text) == []
        assert re.search(r"\son[a-z]+=", text) is None


def test_a_discussion_without_a_topic_is_titled_by_the_beginning_of_its_session(browser, ledger):
    name = "22222222-0000-4000-8000-000000000002"
    ledger.deliberation.begin(name, agents=["ada"])
    ledger.deliberation.say("ada", "Tea at four?", conversation=name)
    assert ">Session 22222222</a>" in browser.get("/discussions").text
    assert "<h1>Session 22222222</h1>" in browser.get(f"/discussion/{name}").text

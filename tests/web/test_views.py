"""Timeline, Shown, Health and the moment bar say what is recorded, and only that."""

from __future__ import annotations

from itertools import pairwise

import pytest

import varves
from varves.values.instants import instant
from varves.web.axis import WIDTH, Axis

DAYS = ("2026-11-09T08:30:00Z", "2026-11-10T10:00:00Z", "2026-11-12T14:10:00Z")


@pytest.fixture
def week(project, home, monkeypatch):
    """Three days of writing, seen on the fourth."""
    names = []
    for number, now in enumerate(DAYS):
        monkeypatch.setenv("VARVES_NOW", now)
        with varves.open(project, actor=("ada", "ben", "ada")[number]) as ledger:
            if number == 2:
                names.append(ledger.correct(names[0], "The first wait is 100 ms").id)
            else:
                text = ("The first wait is 200 ms", "The cart lives for 30 days")[number]
                names.append(ledger.remember(text).id)
    monkeypatch.setenv("VARVES_NOW", "2026-11-12T15:00:00Z")
    return names


def test_the_timeline_has_a_lane_for_each_writer_and_its_days(week, browser):
    text = browser.get("/timeline").text
    assert 'aria-label="ada: 2 marks"' in text
    assert 'aria-label="ben: 1 marks"' in text
    assert "Thursday 12 November" in text
    assert "segment" not in text
    only = browser.get("/timeline?actor=ben").text
    assert "The cart lives" in only
    assert "The first wait" not in only


def test_the_timeline_is_read_in_pages(browser, ledger):
    ledger.remember_many({"text": f"Fact number {n}"} for n in range(105))
    first = browser.get("/timeline").text
    assert "5 earlier" in first
    before = first.split("before=")[1].split('"')[0]
    assert "Fact number 4<" in browser.get(f"/timeline?before={before}").text


def test_what_agents_were_given_is_shown_beside_what_they_would_get_now(browser, project, ledger):
    ledger.remember("The first wait is 100 ms")
    with varves.open(project, actor="codex", session="s1") as agent:
        agent.recall("first wait")
    text = browser.get("/shown").text
    assert "codex" in text
    assert "session s1" in text
    assert "The first wait is 100 ms" in text
    assert "No agent was shown anything" not in text


def test_health_tells_what_the_last_checks_found_and_runs_none(browser, ledger, monkeypatch):
    ledger.remember("Tea at four")
    before = browser.get("/health").text
    assert before.count("never here") == 2
    ledger.verify()
    ledger.doctor()
    monkeypatch.setattr("varves.upkeep.verify.verify_all", None)
    monkeypatch.setattr("varves.upkeep.doctor.findings", None)
    after = browser.get("/health").text
    assert "never here" not in after
    assert "whole" in after
    assert "1 event in 1 file, none damaged, none missing" in after


@pytest.mark.parametrize("path", ["/", "/timeline", "/search", "/shown", "/conflicts"])
def test_a_place_on_the_axis_leads_to_a_moment_in_the_address(week, browser, path):
    found = browser.get(f"{path}?at=1000")
    assert (found.status, found.headers["location"]) == (303, path)
    found = browser.get(f"{path}?at=10")
    assert found.status == 303
    assert found.headers["location"].startswith(f"{path}?as-of=2026-11-0")
    assert browser.get(found.headers["location"]).status == 200


def test_the_moment_is_kept_in_every_link_of_a_page(week, browser):
    text = browser.get(f"/memory/{week[0]}?as-of={DAYS[1]}").text
    assert "The first wait is 200 ms" in text
    assert f'href="/timeline?as-of={DAYS[1]}"' in text
    assert f"/api/show?id={week[0]}&amp;as-of={DAYS[1]}" in text


def test_a_moment_that_is_none_says_so(browser):
    found = browser.get("/?as-of=yesterday-ish")
    assert found.status == 404
    assert "is not an instant, an event or a git revision here" in found.text


def test_an_axis_holds_every_event_and_folds_what_is_quiet():
    hour = 3_600_000
    hours = [
        (f"2026-{m:02}-{d:02}T{h:02}", m + d) for m in (1, 3, 11) for d in (2, 9) for h in (8, 9)
    ]
    now = 1_795_000_000_000
    axis = Axis(hours, now)
    assert sum(one.count for one in axis.columns) == sum(count for _, count in hours)
    assert axis.columns[-1].right == pytest.approx(WIDTH)
    for one in axis.columns:
        assert axis.place(one.start) == pytest.approx(one.left)
        assert axis.moment(one.left + 0.01) == pytest.approx(one.start, abs=one.end - one.start)
    assert axis.moment(WIDTH) is None
    assert axis.place(now + hour) == WIDTH
    assert Axis([], now).labels == []
    many = [
        (f"20{y}-{m:02}-{d:02}T08", 1) for y in range(10, 27) for m in range(1, 13) for d in (1, 9)
    ]
    assert len(Axis(many, now).columns) <= 240


def test_the_axis_gives_its_room_to_the_events_of_a_first_hour(project, home, monkeypatch):
    minutes = [f"2026-11-12T14:{m:02}:20Z" for m in (2, 3, 10, 41)]
    for now in minutes:
        monkeypatch.setenv("VARVES_NOW", now)
        with varves.open(project) as ledger:
            ledger.remember(f"A fact of {now}")
            times = ledger.activity(minutes=True)
    axis = Axis(times, instant("2026-11-12T14:50:00Z"))
    places = [axis.place(instant(now)) for now in minutes]
    assert places[0] < 0.2 * WIDTH
    assert places[-1] > 0.8 * WIDTH
    assert all(later - one > 0.15 * WIDTH for one, later in pairwise(places))
    assert axis.moment(0.0) == instant("2026-11-12T14:02:00Z")
    assert axis.labels[-1].text == "14:41"
    assert len(axis.labels) == 4


def test_what_an_agent_was_shown_is_there_at_once(browser, project, ledger):
    ledger.remember("The first wait is 100 ms")
    assert "No agent was shown anything" in browser.get("/shown").text
    with varves.open(project, actor="codex", session="s1") as agent:
        agent.recall("first wait")  # this writes no event
    assert "codex" in browser.get("/shown").text


@pytest.mark.parametrize("step", [1, 2, 3, 5, 9])
def test_the_days_of_the_axis_have_room_also_on_a_phone(step):
    hours = [(f"2026-11-{d:02}T{h:02}", 1) for d in range(1, 18, step) for h in (8, 9, 15)]
    labels = Axis(hours, 1_795_000_000_000).labels
    for shown, width in ((labels, 500), ([one for one in labels if not one.minor], 300)):
        ends = [one.x * width / WIDTH for one in shown]
        begins = [*ends[:-1], ends[-1] - 44]  # the last one ends at the right
        for x, following in pairwise(begins):
            assert x + 44 < following  # "Wed 11" in 12 pixels


def test_the_timeline_says_of_which_memory_what_was_changed(browser, ledger):
    one = ledger.remember("Deploys wait for the nightly run")
    ledger.edit(one.id, tag=["+release", "+ops"], priority="high")
    ledger.forget(one.id, reason="nobody waits any more")
    ledger.restore(one.id)
    rows = " ".join(browser.get("/timeline").text.split("<ul")[1:])
    assert rows.count("Deploys wait for the nightly run") == 4
    assert "added #release and #ops and set the priority to high" in rows
    assert "because nobody waits any more" in rows
    assert "changed details of" not in rows
    page = browser.get(f"/memory/{one.id}").text
    assert "added #release and #ops and set the priority to high" in page


def test_the_timeline_names_what_a_protocol_changed(browser, ledger):
    ledger.scoped.write("project", "p", type="convention", content="Paint the doors white")
    one = next(m for m in ledger.list() if "Paint the doors" in m.text)
    ledger.edit(one.id, confidence=0.4, ttl="30d")
    text = browser.get("/timeline").text
    assert text.count("Paint the doors white") >= 2
    assert "set how sure it is to 40%" in text
    assert "let it count until" in text


def test_an_erased_memory_has_no_name_on_the_timeline(browser, ledger):
    one = ledger.remember("The harbour code is 4711")
    ledger.edit(one.id, priority="high")
    ledger.purge(one.id, reason="a secret")
    text = browser.get("/timeline").text
    assert "4711" not in text
    assert "a memory that is not here any more" in text


def test_a_memory_in_an_open_conflict_is_in_dispute_on_every_page(browser, ledger):
    ledger.remember("Gift baskets need two days notice", tags=["gift"])
    newer = ledger.remember("Gift baskets need four days notice", tags=["gift"])
    other = ledger.remember("Tea is served at four", tags=["gift"])
    (conflict,) = ledger.conflicts()
    link = f'href="/conflict/{conflict.id}"'
    for member in conflict.members:
        text = browser.get(f"/memory/{member.id}").text
        assert "It is in dispute" in text
        assert text.count(link) >= 2
        (rule,) = [one for one in ledger.why(member.id).rules if one.rule == "conflict"]
        assert conflict.id in rule.undo
    for page in ("/", "/search?q=gift+baskets", "/search", "/graph?around=%23gift"):
        assert browser.get(page).text.count(f'class="w" {link}') == 2, page
    then = browser.get(f"/memory/{newer.id}?as-of={ledger.log()[-1].id}").text
    assert "It is in dispute" in then
    assert f'href="/conflict/{conflict.id}?as-of=' in then
    assert link not in browser.get(f"/memory/{other.id}").text
    browser.post("/acts/resolve", conflict=conflict.id, keep="all")
    assert "in dispute" not in browser.get(f"/memory/{newer.id}").text
    assert "conflict" not in [one.rule for one in ledger.why(newer.id).rules]


def test_one_event_back_leaves_one_event_out_and_the_newest_one_is_now(week, browser):
    events = browser.window.reader.log()
    back = browser.get("/?step=back").headers["location"]
    assert back.endswith(events[-2].id)
    text = browser.get(back).text
    assert "1 later event does not count here" in text
    assert "The first wait is 200 ms" in text
    assert "The first wait is 100 ms" not in text
    assert browser.get(f"{back}&step=on").headers["location"] == "/"
    further = browser.get(f"{back}&step=back").headers["location"]
    assert further.endswith(events[-3].id)
    assert browser.get(f"{further}&step=on").headers["location"] == back
    first = f"/?as-of={events[0].id}"
    assert browser.get(f"{first}&step=back").headers["location"] == first


def test_what_a_person_looked_at_is_not_told_as_an_agents(browser, ledger, project):
    one = ledger.through("import").remember("From elsewhere")
    with varves.open(project) as person:
        person.show(one.id)
    assert "<dt>USER</dt>" not in browser.get("/").text
    assert "<dt>you</dt>" in browser.get("/").text
    page = browser.get("/review").text
    assert "<dt>shown to an agent</dt><dd>never</dd>" in page
    with varves.open(
        project, actor="codex", session="22222222-0000-4000-8000-000000000002"
    ) as agent:
        agent.show(one.id)
    assert "shown to an agent</dt><dd>1 time" in browser.get("/review").text

"""`list`, `log` and `conflicts` return pages that together are the whole list."""

from __future__ import annotations

import pytest

from varves.errors import NotFound


def written(ledger, count):
    ledger.remember_many({"text": f"Fact number {n} of the plant"} for n in range(count))


def paged(ask, limit, begins):
    """Return all pages of a list, each from where the one before it ended."""
    page = ask(limit=limit)
    pages = [page]
    while page.more:
        page = ask(limit=limit, before=begins(page).id)
        pages.append(page)
    return pages


@pytest.mark.parametrize("limit", [1, 3, 4, 50])
def test_pages_of_memories_are_the_whole_list(ledger, limit):
    """Also of memories that were recorded at the same instant, and with a filter."""
    written(ledger, 7)
    ledger.forget(ledger.list()[2].id, reason="test")
    for filters in ({}, {"status": "all"}, {"status": "forgotten"}):
        whole = ledger.list(**filters)
        pages = paged(lambda f=filters, **page: ledger.list(**f, **page), limit, lambda p: p[-1])
        assert [one.id for page in pages for one in page] == [one.id for one in whole]
        assert [page.more + len(page) for page in pages] == [
            len(whole) - limit * n for n in range(len(pages))
        ]
    assert whole.more == 0


@pytest.mark.parametrize("limit", [1, 3, 4, 50])
def test_pages_of_events_are_the_whole_log(ledger, limit):
    """A page has the newest events, in order; the next page has earlier ones."""
    written(ledger, 7)
    ledger.forget(ledger.list()[2].id, reason="test")
    for filters in ({}, {"kind": ["memory.recorded"]}, {"actor": "USER"}):
        whole = ledger.log(**filters)
        pages = paged(lambda f=filters, **page: ledger.log(**f, **page), limit, lambda p: p[0])
        assert [one.id for page in reversed(pages) for one in page] == [one.id for one in whole]
        assert [page.more for page in pages] == [
            max(0, len(whole) - limit * n) for n in range(1, len(pages) + 1)
        ]


def test_a_page_follows_a_memory_that_was_forgotten_or_corrected_meanwhile(ledger):
    written(ledger, 6)
    whole = [one.id for one in ledger.list()]
    ledger.forget(whole[1], reason="test")
    assert [one.id for one in ledger.list(before=whole[1])] == whole[2:]
    ledger.correct(whole[2], "The plant has ten facts")
    assert [one.id for one in ledger.list(before=whole[2])] == whole[3:]
    ledger.purge(whole[3], reason="test")
    with pytest.raises(NotFound, match="was purged"):
        ledger.list(before=whole[3])


def test_a_page_of_the_past_is_of_that_moment(ledger):
    written(ledger, 4)
    moment = ledger.log()[-1].id
    written_before = [one.id for one in ledger.list()]
    ledger.remember("Written later")
    page = ledger.list(limit=2, as_of=moment)
    assert ([one.id for one in page], page.more) == (written_before[:2], 2)
    assert (ledger.log(limit=3, as_of=moment)[-1].id, ledger.log(limit=3).more) == (moment, 2)


def test_a_list_for_people_shows_fifty_and_how_to_go_on(ledger, varves):
    written(ledger, 60)
    said = varves("list", "--type", "note").out.splitlines()
    assert sum(line.startswith("mem_") for line in said) == 50
    *_, last, more = [line for line in said if not line.startswith(" ")]
    assert more == f"10 more: varves list --type note --before {last.split()[0]}"
    assert len(varves("list", "--json").json["memories"]) == 60
    document = varves("list", "--limit", "8", "--json").json
    assert (len(document["memories"]), document["more"]) == (8, 52)
    next_page = more.removeprefix("10 more: varves ").split()
    assert varves(*next_page, "--json").json["more"] == 0

    said = varves("log").out.splitlines()
    assert len(said) == 51
    assert said[-1].startswith("10 more: varves log --before evt_")
    assert said[-1].split()[-1] in said[0]
    assert varves("log", "--limit", "2").out.splitlines()[1] == said[-2]
    assert len(varves("log", "--json").json["events"]) == 60


def test_a_page_that_cannot_be_is_refused(ledger, varves):
    ledger.remember("The lift is out of order")
    for verb in ("list", "log"):
        assert varves(verb, "--limit", "0").code == 2
        assert varves(verb, "--limit", "few").code == 2
    assert varves("list", "--before", "mem_000000000000").code == 4
    assert varves("log", "--before", "evt_000000000000").code == 4
    assert varves("log", "--follow", "--limit", "3").code == 2

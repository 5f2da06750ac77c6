"""A message cut into sentences, in the plain form that phrases are matched in."""

from __future__ import annotations

from tests.tables import each_row
from varves.language.sentences import own_words, plain, sentences, spans

PLAIN = [
    ("I'd say we can't.", "i would say we can not."),
    ("Don\u2019t; it won't.", "do not; it will not."),
    ("It's Ann's, isn't it?", "it is ann's, is not it?"),
    ("Lets go, it lets go.", "let us go, it lets go."),
    ("**Bold** and snake_case", "bold and snake_case"),
]
CUTS = [
    ("One. Two! Three? Four\u2026 Five", 5),
    ("Try e.g. Redis 3.11 first.", 1),
    ("One; two -- three \u2014 four", 4),
    ("- one\n- two\n\n1. three", 3),
    ("It is done. 1. Stop it. 2. Run it. 3. Start it.", 4),
    ("It needs version 2. It runs on 3. Nothing else.", 3),
    ("...", 0),
    ("We launch on Dec. 1 with two ads.", 1),
    ("See p. 12 and fig. 3 of plan No. 4.", 1),
    ("The answer is no. We keep the door.", 2),
    ("Oak vs. ash vs. pine is the question.", 1),
    ("Tables, chairs, etc. for the hall.", 1),
    ("We bring tables, chairs, etc. Ben brings tea.", 2),
    ("The hall opens at 9 a.m. on Mondays.", 1),
    ("The hall opens at 9 a.m. Bring tea.", 2),
    ("We bought plan B. It leaks.", 2),
    ("Bring max. 3 bags. We pay.", 2),
]
WRAPPED = [
    ("We decided to use Postgres as the\nprimary store.", 1),
    ("we keep the nightly\nfor ninety days", 1),
    ("- We drop the old\n  parser in May\n- We keep the new one", 2),
    ("1. Buy a printer\n   for the office\n2. Sell the old one", 2),
    ("# Decisions of the\nWe ship on Friday", 2),
    ("We ship on Friday\n\nfor good", 2),
    ("We ship on Friday\nThanks Ben", 2),
    ("we ship on friday\nthanks ben", 2),
    ("We agreed:\nthe door is blue", 2),
    ("We ship\nOwner: ben", 2),
    ("We decided that the door of the building is to be painted with\nRAL 5002 in spring", 1),
]


@each_row(("text", "form"), PLAIN)
def test_contractions_are_written_out(text, form):
    assert plain(text) == form


@each_row(("text", "count"), CUTS)
def test_a_text_is_cut_at_its_ends_and_not_within(text, count):
    assert len(sentences(text)) == count


@each_row(("text", "count"), WRAPPED)
def test_wrapped_lines_are_one_sentence_and_items_are_their_own(text, count):
    found = sentences(text)

    assert len(found) == count
    assert all("\n" not in one.text for one in found)


def test_parts_are_cut_only_where_asked():
    assert len(spans("One; two. Three")) == 3
    assert len(spans("One; two. Three", parts=False)) == 2


def test_others_words_are_masked_and_positions_stay():
    text = 'She wrote "we agreed".\n> quoted\n```\ncode we decided\n```\nFine `x y`.'
    own = own_words(text)

    assert len(own) == len(text)
    assert "agreed" not in own
    assert "quoted" not in own
    assert "decided" not in own
    assert [one.plain for one in sentences(text)] == ["she wrote _.", "fine _."]


def test_words_that_are_all_quoted_are_the_speakers():
    assert [one.plain for one in sentences("> We agreed.")] == ["we agreed."]


def test_a_sentence_keeps_its_place_its_words_and_its_opening():
    text = "- Ok so, we'll use Redis if it's fast, and wait. Really?"
    first, second = sentences(text)

    assert text[first.start : first.end] == "Ok so, we'll use Redis if it's fast, and wait."
    assert first.text == "we'll use Redis if it's fast, and wait."
    assert (first.lead, first.body[:13]) == ("ok so,", "we will use r")
    assert first.done == "ok so, we will use redis and wait."
    assert (first.number, second.number) == (0, 1)
    assert (first.asks, second.asks) == (False, True)


def test_a_part_of_the_plain_form_is_found_in_the_message():
    text = "Hello. If it's fast, we'll use Redis."
    second = sentences(text)[1]
    start = second.done.index("we will")
    begin, end = second.place(start, start + len("we will use"))

    assert text[begin:end] == "we'll use"


def test_a_very_long_message_is_read_at_both_ends():
    found = sentences("First one. " + "word " * 20_000 + "\nLast one.")

    assert (found[0].plain, found[-1].plain) == ("first one.", "last one.")


def test_the_mark_of_every_list_item_is_left_out():
    text = "We agreed:\n- We must support IE11\n* [ ] I like small modules\n2. one thing"
    said = ["We agreed:", "We must support IE11", "I like small modules", "one thing"]
    assert [one.text for one in sentences(text)] == said

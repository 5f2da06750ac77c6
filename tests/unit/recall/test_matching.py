"""Which terms a text holds: as the index's own stemmer has it, or nearly."""

from __future__ import annotations

import sqlite3
from functools import cache
from math import log
from unicodedata import combining, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.index.sqlite.schema import TOKENS
from varves.recall.stopwords import telling
from varves.recall.terms import PASSAGE, PRIOR, SEARCHED, TOGETHER, Terms, prepared, spread
from varves.values.query import Term

REGULAR = [
    *("accept", "answer", "apply", "argue", "arrange", "bake", "balance", "bottle", "browse"),
    *("cache", "call", "carry", "change", "check", "city", "clean", "close", "code", "collect"),
    *("compare", "compile", "configure", "connect", "consider", "copy", "count", "create"),
    *("decide", "deliver", "deploy", "depend", "design", "divide", "document", "empty", "enter"),
    *("error", "event", "examine", "explain", "export", "factory", "fail", "family", "fetch"),
    *("file", "follow", "friend", "garden", "generate", "house", "identify", "image", "import"),
    *("improve", "include", "install", "invoice", "key", "lamp", "library", "limit", "list"),
    *("load", "maintain", "manage", "marry", "measure", "memory", "merge", "migrate", "monitor"),
    *("move", "name", "note", "notify", "number", "open", "operate", "order", "parse", "party"),
    *("pay", "phone", "play", "policy", "prepare", "produce", "protect", "provide", "publish"),
    *("query", "queue", "raise", "reason", "receive", "record", "reduce", "register", "release"),
    *("remember", "remove", "reply", "report", "request", "reserve", "resolve", "restore"),
    *("retry", "review", "save", "schedule", "search", "select", "session", "share", "size"),
    *("solve", "start", "state", "store", "study", "suggest", "supply", "support", "survey"),
    *("table", "team", "test", "ticket", "token", "train", "travel", "trust", "type", "update"),
    *("upload", "validate", "value", "verify", "version", "visit", "vote", "wash", "watch"),
]
OTHERS = ["planned", "planning", "running", "stopped", "logged", "children", "mice", "knives"]
OTHERS += ["rest", "restful", "resting", "rested", "careful", "cards", "carpet", "planet"]


def forms(word):
    """Inflect a word as English does."""
    if word[-1] == "e":
        return [word, f"{word}s", f"{word}d", f"{word[:-1]}ing"]
    if word[-1] == "y" and word[-2] not in "aeiou":
        return [word, f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"]
    plural = "es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return [word, word + plural, f"{word}ed", f"{word}ing"]


WORDS = sorted({form for word in REGULAR for form in forms(word)} | set(OTHERS))


@cache
def stemmer():
    db = sqlite3.connect(":memory:")
    db.execute(f"create virtual table probe using fts5(w, {TOKENS})")
    db.execute("create virtual table stems using fts5vocab(probe, instance)")
    return db


@cache
def stems(text):
    """Return the stems of a text as the index keeps them."""
    db = stemmer()
    db.execute("delete from probe")
    db.execute("insert into probe values (?)", (text,))
    return [stem for (stem,) in db.execute("select term from stems order by offset")]


def terms_of(*asked, total=100):
    found = [Term(word=word, stem=stem, count=1) for word in asked for stem in stems(word)]
    return Terms(found, total)


def held(terms, shown):
    [mask] = terms.held([shown])
    return mask


def holds(asked, text):
    return bool(held(terms_of(asked), spread(text)))


def test_words_are_held_as_the_index_stems_them():
    """Words that begin otherwise are never taken for one another: only the rest is counted."""
    agreed, told, missed = 0, 0, []
    for asked in WORDS:
        terms = terms_of(asked)
        for word in WORDS:
            if word[:2] == asked[:2]:
                same, found = stems(word) == stems(asked), bool(held(terms, spread(f"is {word}.")))
                agreed, told = agreed + (same == found), told + 1
                missed += [(asked, word)] if same and not found else []
    assert agreed / told >= 0.97
    assert missed == [], "what the index finds is never said not to be there"


APART = [
    *(("key", "a monkey"), ("port", "the report"), ("able", "a table")),  # begin otherwise
    *(("rest", "we restore it"), ("car", "the carpet"), ("plan", "a planet"), ("log", "a logo")),
    *(("test", "the testament"), ("cat", "a catalogue"), ("pay", "a payload")),
]


@each_row(("asked", "text"), APART)
def test_words_that_only_look_alike_are_kept_apart(asked, text):
    assert not holds(asked, text)


@given(st.sampled_from(WORDS), st.sampled_from(WORDS), st.text(max_size=40))
def test_a_word_is_held_wherever_it_stands(asked, other, around):
    assert holds(asked, f"{other}, {asked}! {around}")
    assert holds(asked, f"({other}) \u201c{asked}\u201d")


ACCENTS = [
    ("r\u00e9sum\u00e9", "My Re\u0301sume\u0301 is old"),
    ("resume", "My R\u00c9SUM\u00c9 is old"),
    ("se\u00f1or", "\u00bfSen\u0303or? \u00a1s\u00ed!"),
    ("\u043a\u043b\u044e\u0447", "\u0433\u0434\u0435 \u00ab\u041a\u043b\u044e\u0447\u00bb"),
    ("\u30ac\u30e9\u30b9", "\u30ac\u30e9\u30b9 \u306f"),
    ("\ud55c\uad6d\uc5b4", "\uc6b0\ub9ac \ud55c\uad6d\uc5b4"),
    ("\u0645\u0641\u062a\u0627\u062d", "\u0623\u064a\u0646 \u0645\u0641\u062a\u0627\u062d"),
    ("\u05de\u05e4\u05ea\u05d7", "\u05d0\u05d9\u05e4\u05d4 \u05de\u05e4\u05ea\u05d7"),
    ("stra\u00dfe", "Die Stra\u00dfe"),
]


@each_row(("asked", "text"), ACCENTS)
def test_letters_of_any_script_are_held_with_or_without_their_marks(asked, text):
    assert holds(asked, text)
    assert not holds(asked, "nothing of the kind")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.text(max_size=60))
def test_no_text_is_too_odd_to_be_looked_at(asked, text):
    terms = terms_of(*asked.split())
    shown = spread(text, None, asked)
    mask = held(terms, shown)
    assert 0 <= mask < 1 << len(terms.terms)
    assert 0.0 <= terms.peak(shown, mask) <= terms.mass + 1e-9


def test_all_parts_of_a_memory_are_looked_at_and_absent_ones_are_not_missed():
    assert spread("Ada", None, "Bees!", "") == " ada bees  "
    assert spread() == "  "


def test_each_term_has_its_own_bit_and_weight():
    found = [Term(word="zod", stem="zod", count=1), Term(word="input", stem="input", count=40)]
    terms = Terms(found, 100)
    rare, frequent = terms.weights
    assert rare == pytest.approx(log(1 + (99.5 + PRIOR) / 1.5))
    assert frequent == pytest.approx(log(1 + (60.5 + PRIOR) / 40.5) * telling("input"))
    assert [held(terms, spread(text)) for text in ("zod", "input", "both input, zod", "-")] == [
        1,
        2,
        3,
        0,
    ]
    assert [terms.worth(mask) for mask in (0, 1, 2, 3)] == [0, rare, frequent, terms.mass]
    assert terms.worth(3) == pytest.approx(rare + frequent)


def test_a_word_that_no_memory_contains_counts_for_the_whole_question_only():
    terms = Terms([Term(word="zod", stem="zod", count=1)], 100, ["quagga", "keep"])
    assert terms.lacking["quagga"] == terms.most
    assert terms.lacking["keep"] == pytest.approx(terms.most * telling("keep"))
    assert terms.mass == terms.worth(1)
    assert terms.whole == pytest.approx(terms.mass + sum(terms.lacking.values()))


def test_the_terms_of_a_name_are_told():
    terms = terms_of("Ada", "bees", "Lovelace")
    terms.terms = [term.replace(word=term.word.lower()) for term in terms.terms]
    assert terms.mask({"Ada Lovelace"}) == 0b101
    assert terms.mask(set()) == 0


def test_without_terms_nothing_is_held():
    terms = Terms([], 0)
    assert (held(terms, spread("anything")), terms.worth(0), terms.mass) == (0, 0.0, 1.0)
    assert terms.peak(spread("anything " * 200), 0) == 0.0


def test_a_long_text_is_worth_its_best_passage():
    terms = terms_of("zebra", "gateway", "invoice")
    filler = "nothing of note here " * 60
    apart = spread(f"zebra {filler} gateway {filler} invoice")
    close = spread(f"{filler} the zebra at the gateway {filler} invoice")
    assert len(filler) > 2 * PASSAGE
    assert held(terms, apart) == held(terms, close) == 0b111
    assert terms.peak(apart, 0b111) == pytest.approx(terms.worth(0b001))
    assert terms.peak(close, 0b111) == pytest.approx(terms.worth(0b011))
    assert terms.peak(close, 0b101) == pytest.approx(terms.worth(0b001)), "only those asked about"
    short = spread("zebra and gateway and invoice")
    assert terms.peak(short, 0b111) == terms.worth(0b111)


def test_the_end_of_a_very_long_text_is_not_looked_at():
    """Choice: its words were found by the index all the same."""
    text = f"zebra {'x' * SEARCHED} gateway"
    assert held(terms_of("zebra", "gateway"), spread(text)) == 0b01
    assert len(spread("a" * 10 * SEARCHED)) == SEARCHED + 2


PARTS = st.lists(
    st.sampled_from([*WORDS[::9], "\u00bfni\u00f1o?", "caf\u00e9", "\u6771\u4eac", "-"])
)


@given(st.lists(PARTS, max_size=8), st.lists(st.sampled_from(WORDS[::9]), min_size=1, max_size=4))
def test_many_texts_are_searched_as_each_alone(texts, asked):
    """Texts are joined for speed; no word may be found across the end of one."""
    terms = terms_of(*asked, "caf\u00e9", "\u6771\u4eac")
    shown = prepared([(" ".join(parts), None) for parts in texts])
    assert shown == [spread(" ".join(parts)) for parts in texts]
    assert terms.held(shown) == [held(terms, one) for one in shown]


def test_texts_longer_than_one_portion_are_searched_too():
    long = "nothing of note " * (TOGETHER // 20)
    shown = prepared([(f"zebra {long}",), (long,), (f"{long} gateway",), ("gateway and zebra",)])
    assert terms_of("zebra", "gateway").held(shown) == [0b01, 0, 0b10, 0b11]


STRANGE = "\u00e9\u00dc\u0130\u00df\u2019\u2026\u2122\ufb01\u03a3\u00bd\u20ac\u041a\u0301\U0001f600"


@given(st.text(st.sampled_from(f"aB9 .-{STRANGE}"), max_size=40))
def test_a_text_is_prepared_sign_by_sign(text):
    """Spec of a fast way: no accents, small letters, and a space for every other ASCII sign."""
    plain = "".join(part for part in normalize("NFKD", text.lower()) if not combining(part)).lower()
    between = "\u2019\u2026"
    wanted = "".join(
        sign if sign.isalnum() or (not sign.isascii() and sign not in between) else " "
        for sign in plain
    )
    assert spread(text) == f" {wanted} "


def test_a_word_that_is_repeated_all_over_a_long_text_does_not_hide_the_others():
    terms = terms_of("bees", "lamp", "zod")
    shown = spread("bees lamp zod and more words " * 200)
    assert terms.peak(shown, held(terms, shown)) == pytest.approx(terms.mass)

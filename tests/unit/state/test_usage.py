"""Lines of what was told: masked, claimed for one event, and never taken for what they are not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpus import prompts
from tests.security.secret_formats.samples import FORMATS, samples
from tests.security.secret_formats.telling import told
from tests.unit.events.rule_samples import GENERATORS, Draw
from varves.events.redact import scrub, scrub_tree
from varves.state.notebook import (
    Line,
    Notebook,
    Usage,
    counter_of,
    is_harmless,
    is_prose,
    leaf_of,
    line_of,
    reading,
)

EVENT = "evt_1"
MOMENT = "2026-11-15T06:20:00.000Z"
WORDS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", max_size=40)
IDS = st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=12, max_size=12).map("mem_{}".format)


def line(**given_fields):
    fields = {"actor": "ada", "agent": "bob", "session": "s-1", "memories": ("mem_abcdefghijkl",)}
    return Line(time=MOMENT, verb="recall", **{**fields, **given_fields})


@given(WORDS)
def test_a_name_taken_for_harmless_is_left_alone_by_every_rule(name):
    assert not is_harmless(name) or scrub_tree(name)[0] == name


@given(st.lists(WORDS).map(" ".join))
def test_a_text_taken_for_prose_is_left_alone_by_every_rule(text):
    assert not is_prose(text) or scrub(text)[0] == text


@given(st.uuids().map(str))
def test_a_uuid_is_harmless(name):
    assert is_harmless(name)
    assert scrub_tree(name)[0] == name


def test_names_people_and_hosts_give_are_harmless():
    for name in ("USER", "claude-code", "rigger", "s-1", "2026-11-15-review", "ada.lovelace"):
        assert is_harmless(name), name
    for name in ("", "-", "aé", "a" * 13, "a1b2c3", "1-2-3-4-5-6-7", "123456789"):
        assert not is_harmless(name), name


def test_no_secret_anybody_knows_of_is_harmless():
    words = {word for text in known() for word in (text, *text.split())}
    masked = [word for word in words if scrub_tree(word)[0] != word]
    assert len(masked) > 500
    assert [word for word in masked if is_harmless(word)] == []


def test_no_text_with_a_secret_is_taken_for_prose():
    said = [sample.text for _, sample in told()]
    masked = [text for text in (*known(), *said) if scrub(text)[0] != text]
    assert len(masked) > 2000
    assert [text for text in masked if is_prose(text)] == []


def test_what_people_ask_is_taken_for_prose():
    asked = prompts()
    assert [text for text in asked if not is_prose(text)] == []


def known():
    for name in FORMATS:
        yield from (sample.text for sample in samples(name, 3))
    for name, make in GENERATORS.items():
        drawn = make(Draw(name))
        yield from (drawn,) if isinstance(drawn, str) else drawn


def usage():
    return Usage(Notebook())


@given(st.lists(st.lists(IDS, min_size=1, max_size=5, unique=True)))
def test_lines_read_back_in_their_order(rows):
    lines, kept = [line(memories=tuple(names)) for names in rows], usage()
    for one in lines:
        kept.note(one)
    assert kept.unsettled() == lines
    assert kept.claim("s-s-1", EVENT, anew=True) == lines
    assert kept.unsettled() == []


def test_what_is_no_id_is_never_written():
    kept = usage()
    kept.note(line(memories=("x mem_000000000000", "mem_abcdefghijkl", "mem_ABCDEFGHIJKL")))
    kept.note(line(memories=("mem_ABCDEFGHIJKL",)))
    assert [one.memories for one in kept.unsettled()] == [("mem_abcdefghijkl",)]


def test_what_is_no_line_is_passed_over():
    good = (MOMENT, "recall", "ada", "bob", "s-1", "mem_abcdefghijkl")
    assert line_of(good) == line()
    for place, bad in ((0, "yesterday"), (1, "rec\x1ball"), (5, "men_abcdefghijkl"), (5, "")):
        assert line_of((*good[:place], bad, *good[place + 1 :])) is None


def test_what_is_claimed_is_claimed_for_one_event_and_what_comes_later_for_another():
    kept = usage()
    kept.note(line())
    assert kept.claim("s-s-1", EVENT, anew=True) == [line()]
    kept.note(line(agent="cara"))
    assert kept.waiting("s-s-1") == ["", EVENT]
    assert kept.claim("s-s-1", EVENT, anew=False) == [line()]
    assert kept.claim("s-s-1", "evt_2", anew=True) == [line(agent="cara")]
    kept.drop("s-s-1", EVENT)
    assert kept.waiting("s-s-1") == ["evt_2"]
    kept.drop("s-s-1", "evt_2", but=[line(agent="dan")])
    assert (kept.waiting("s-s-1"), kept.lines("s-s-1")) == ([""], [line(agent="dan")])


def test_lines_of_a_protocol_wait_apart():
    kept = usage()
    kept.count("scoped", line())
    assert (kept.unsettled(), kept.left()) == ([], [])
    assert kept.lines(counter_of("scoped")) == [line()]


@given(st.lists(st.text(min_size=1, max_size=400), min_size=2, max_size=6, unique=True))
def test_every_session_has_a_key_of_its_own_that_is_short(sessions):
    leaves = [leaf_of("ada", name, MOMENT) for name in sessions]
    assert len({*leaves}) == len(leaves)
    assert all(len(leaf) < 200 for leaf in leaves)


def test_a_day_is_not_a_session_of_that_name():
    assert leaf_of("ada", None, MOMENT) == "d-2026-11-15-ada"
    assert leaf_of("ada", "2026-11-15-ada", MOMENT) == "s-2026-11-15-ada"


def test_a_reading_masks_whatever_name_it_is_given():
    secret = "gh" + "p_" + "Q7a" * 12
    one = reading((secret, secret, secret), MOMENT, verb="brief", names=["mem_abcdefghijkl"] * 2)
    assert secret not in str(one)
    assert secret not in leaf_of(one.actor, one.session, MOMENT)
    assert one.memories == ("mem_abcdefghijkl",)

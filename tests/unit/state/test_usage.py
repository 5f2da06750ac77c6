"""Lines of what was told: masked, one to a line, and never taken for what they are not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.security.secret_formats.samples import FORMATS, samples
from tests.unit.events.rule_samples import GENERATORS, Draw
from varves.events.redact import scrub_tree
from varves.state.usage import Line, decode, is_harmless, leaf_of, reading

MOMENT = "2026-11-15T06:20:00.000Z"
WORDS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", max_size=40)
IDS = st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=12, max_size=12).map("mem_{}".format)


def line(**given_fields):
    fields = {"actor": "ada", "agent": "bob", "session": "s-1", "memories": ("mem_abcdefghijkl",)}
    return Line(time=MOMENT, verb="recall", **{**fields, **given_fields})


@given(WORDS)
def test_a_name_taken_for_harmless_is_left_alone_by_every_rule(name):
    assert not is_harmless(name) or scrub_tree(name)[0] == name


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


def known():
    for name in FORMATS:
        yield from (sample.text for sample in samples(name, 3))
    for name, make in GENERATORS.items():
        drawn = make(Draw(name))
        yield from (drawn,) if isinstance(drawn, str) else drawn


@given(st.lists(st.tuples(st.lists(IDS, min_size=1, max_size=5, unique=True), st.booleans())))
def test_lines_read_back_and_a_torn_one_spoils_no_other(rows):
    content, whole = b"", []
    for names, torn in rows:
        one = line(memories=tuple(names))
        content += one.encode()[: -3 if torn else None]
        if not torn:
            whole.append(one)
    assert list(decode(content)) == whole


def test_what_is_no_id_is_never_written():
    forged = f"x\n{MOMENT}\trecall\teve\teve\ts-1\tmem_000000000000\t."
    one = line(memories=(forged, "mem_abcdefghijkl", "mem_ABCDEFGHIJKL"))
    assert [read.memories for read in decode(one.encode())] == [("mem_abcdefghijkl",)]


def test_what_is_no_line_is_passed_over():
    good = line().encode()
    for bad in (
        good.replace(MOMENT.encode(), b"yesterday"),
        good.replace(b"mem_", b"men_"),
        good.replace(b"recall", b"rec\x1ball"),
        good.replace(b"\t.", b"\t.\t."),
        b"\xff\xfe\n",
    ):
        assert list(decode(bad)) == [], bad
        assert len(list(decode(bad + good))) == 1


@given(st.lists(st.text(min_size=1, max_size=130), min_size=2, max_size=6, unique=True))
def test_every_session_has_a_file_of_its_own(sessions):
    leaves = [leaf_of("ada", name, MOMENT) for name in sessions]
    assert len({leaf.casefold() for leaf in leaves}) == len(leaves)
    assert all(len(leaf.encode()) < 200 and "/" not in leaf and "~" not in leaf for leaf in leaves)


def test_a_day_is_not_a_session_of_that_name():
    assert leaf_of("ada", None, MOMENT) == "d-2026-11-15-ada"
    assert leaf_of("ada", "2026-11-15-ada", MOMENT) == "s-2026-11-15-ada"


def test_a_reading_masks_whatever_name_it_is_given():
    secret = "gh" + "p_" + "Q7a" * 12
    one = reading((secret, secret, secret), MOMENT, verb="brief", names=["mem_abcdefghijkl"] * 2)
    assert secret.encode() not in one.encode()
    assert secret not in leaf_of(one.actor, one.session, MOMENT)
    assert one.memories == ("mem_abcdefghijkl",)

"""Words, markers, scopes, sessions and settings, each by itself."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import Refused, UnsafeName, UsageError
from varves.events.event import Event
from varves.protocols.scoped.options import ScopedOptions, options
from varves.protocols.scoped.places import split
from varves.protocols.scoped.prompts import BEGIN, END, nonce_in, with_block
from varves.protocols.scoped.search import stem
from varves.protocols.scoped.sessions import fold


@each_row(
    ("one", "other"),
    [
        ("validate", "validation"),
        ("testing", "tests"),
        ("planned", "plan"),
        ("deploys", "deploy"),
        ("inputs", "input"),
        ("cities", "city"),
        ("classes", "class"),
    ],
)
def test_words_of_one_stem(one, other):
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("config", "confirm"), ("import", "input"), ("a", "b")])
def test_words_of_two(one, other):
    assert stem(one) != stem(other)


def test_a_block_goes_to_the_end_and_then_stays_where_it_is():
    first = with_block("# Ada\n", "one")
    assert first == f"# Ada\n\n{BEGIN}\none\n{END}\n"
    assert with_block(first, "one") == first
    assert with_block(first + "after\n", "two") == f"# Ada\n\n{BEGIN}\ntwo\n{END}\nafter\n"
    assert with_block("", "one") == f"{BEGIN}\none\n{END}\n"
    assert with_block("no newline", "") == f"no newline\n\n{BEGIN}\n{END}\n"


@each_row("text", [BEGIN, END, END + BEGIN, BEGIN + BEGIN + END, BEGIN + END + END])
def test_markers_that_are_no_pair_are_refused(text):
    with pytest.raises(Refused):
        with_block(text, "one")


def test_the_nonce_is_read_from_between_the_markers_only():
    mark = f"<varves-memory-{'ab' * 16}>"
    assert nonce_in(f"{BEGIN}\n{mark}\n{END}") == "ab" * 16
    assert nonce_in(f"{mark}\n{BEGIN}\n{END}\n{mark}") is None
    assert nonce_in(mark) is None


def test_scope_words():
    assert split("project", None) == ("project", None)
    assert split("project", "shop") == split("project:shop", None) == ("project", "shop")
    assert split("global", None) == ("global", None)
    for scope, name in (("world", None), ("project:a", "b"), ("global", "x"), ("agent", "x")):
        with pytest.raises(UsageError):
            split(scope, name)
    for scope, name in (("project", ""), ("team", "../x"), ("session", "current"), ("team:", None)):
        with pytest.raises(UnsafeName):
            split(scope, name)


def happened(kind, session, actor="ada", **content):
    place = {"id": "e", "time": "2026-01-01T00:00:00.000Z", "hlc": "0", "writer": "w"}
    return Event({"kind": kind, "session": session, "actor": actor, "data": content, **place})


def test_sessions_of_one_checkout_are_folded():
    events = [
        happened("session.started", "a", checkout="x", project="shop", tokens=5, injected=["m"]),
        happened("session.started", "b", checkout="y"),
        happened("task.received", "a", checkout="x", tokens=7, injected=["m", "n"]),
        happened("session.continued", "c", checkout="x"),
        happened("session.ended", "a", checkout="x"),
        happened("session.started", None, checkout="x"),
    ]
    found = fold(events, "x")
    assert list(found) == ["a", "c"]
    assert (found["a"].running, found["a"].tokens, found["a"].injected) == (False, 12, 3)
    assert (found["c"].running, found["c"].loaded) == (True, False)
    again = fold([*events, happened("session.continued", "a", checkout="x")], "x")
    assert again["a"].running


def test_settings_as_published_and_as_set():
    assert options({}) == ScopedOptions()
    assert options({"budget": 5000, "teams": ["core"]}).teams == ("core",)
    with pytest.raises(UsageError, match="has no option"):
        options({"budgett": 1})
    with pytest.raises(UsageError, match="from 1000 to 5000"):
        options({"budget": 999})

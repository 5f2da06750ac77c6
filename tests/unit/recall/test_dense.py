from __future__ import annotations

import pytest

from varves.recall.dense import INLINE, choose


def made(wanted, *, why_not="", waiting=0, total=10_000):
    return choose(wanted=wanted, why_not=why_not, waiting=waiting, total=total)


@pytest.mark.parametrize("why_not", ["", "not installed"])
def test_who_does_not_want_it_is_told_nothing(why_not):
    choice = made(False, why_not=why_not, waiting=5)
    assert (choice.run, choice.embed, choice.says) == (False, 0, "")


@pytest.mark.parametrize("wanted", [None, True])
def test_what_stands_against_it_is_said(wanted):
    choice = made(wanted, why_not="not installed (pip install 'varves[semantic]')")
    assert not choice.run
    assert choice.says == "dense: not installed (pip install 'varves[semantic]')"


@pytest.mark.parametrize("waiting", [0, 1, INLINE])
def test_unasked_it_runs_where_few_texts_wait(waiting):
    choice = made(None, waiting=waiting)
    assert (choice.run, choice.embed, choice.says) == (True, None, "dense: 10,000 embedded")


def test_unasked_it_embeds_some_and_waits_for_the_rest():
    choice = made(None, waiting=9_000)
    assert (choice.run, choice.embed) == (False, INLINE)
    assert choice.says == "dense: 3,000 of 10,000 embedded"


def test_asked_it_embeds_all():
    choice = made(True, waiting=9_000)
    assert (choice.run, choice.embed) == (True, None)


@pytest.mark.parametrize("wanted", [None, True])
def test_over_nothing_it_does_not_run(wanted):
    assert not made(wanted, total=0).run

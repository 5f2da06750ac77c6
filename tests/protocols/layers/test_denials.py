"""What somebody believed, or said and was wrong about, is not in the graph."""

from __future__ import annotations

import pytest

BELIEVED = (
    "We thought that [[x]] depends on [[y]], but it doesn't.",
    "Mia said that [[x]] depends on [[y]], which is wrong.",
    "Bo assumed that [[x]] requires [[y]]. He was wrong.",
    "Mira wrongly noted that [[x]] is part of [[pack-z]].",
    "Mia wrote that [[x]] is done, which is wrong.",
    "Everyone believed that [[x]] is blocked; it is not.",
    "The captain was convinced that [[x]] depends on [[y]].",
    "Jon reported that [[x]] is done. That was a mistake.",
    "Somebody had put down that [[x]] requires [[y]]; this is untrue.",
    "We took it for granted that [[x]] is finished, but it isn't.",
    "People kept saying that [[x]] is blocked; it never was.",
    "It was rumoured that [[x]] is cancelled. Not so.",
    "The note that [[x]] uses [[y]] was an error.",
    "According to the old list, [[x]] needs [[y]], but that's not true any more.",
    "[[x]] is part of [[pack-z]]. No, wrong.",
    "On paper [[x]] requires [[y]]; in reality it does not.",
    "The minutes say that [[x]] is done (this is a mistake).",
)
TRUE = (
    ("[[x]] is done. That was not easy.", "done"),
    ("[[x]] is done. The wrong paint was removed.", "done"),
    ("[[x]] is done, though nobody believed it.", "done"),
    ("[[x]] is blocked. It is not painted either.", "blocked"),
    ("[[x]] is blocked, but it will be free on Monday.", "blocked"),
    ("We finished [[x]]. That was a mistake.", "finished"),
    ("The song was wrong, so [[x]] is paused.", "paused"),
    ("Everyone thought of the rain, and [[x]] is paused.", "paused"),
    ("[[x]] needs [[y]]. It does not need much else.", ["y"]),
    ("[[x]] depends on [[y]], but [[z]] does not.", ["y"]),
    ("[[x]] depends on [[y]], which is not cheap.", ["y"]),
    ("[[x]] requires [[y]]. Bo was wrong about the price.", ["y"]),
    ("We were wrong about the weather. [[x]] uses [[y]].", ["y"]),
)
LINES = (
    ("- The hall was painted\n[[x]] is done.", "done"),
    ("The hall was painted\n[[x]] is done", "done"),
    ("Tea was served\n[[x]] is blocked\n[[y]] is done", "blocked"),
    ("We need to check whether\n[[x]] is done.", "unknown"),
    ("The party starts when\n[[x]] is done.", "unknown"),
    ("Perhaps by noon\n[[x]] is done.", "unknown"),
    ("Work goes on until the judges agree\n[[x]] is complete", "unknown"),
)


def graph_of(site, text):
    """Return the status of x and what it depends on or is part of, after an event."""
    site.add("Notes", what=f"{text}\n\nSeen: [[x]].")
    [one] = site.verbs.graph_query(id="x")
    return one.status, [end.id for end in site.verbs.graph_depends("x")], one.pack


@pytest.mark.requirement("S1-56")
@pytest.mark.parametrize("text", BELIEVED)
def test_what_somebody_wrongly_believed_is_no_fact(text, site):
    assert graph_of(site, text) == ("unknown", [], None)


@pytest.mark.requirement("S1-56")
@pytest.mark.parametrize(("text", "said"), TRUE)
def test_a_denial_of_something_else_denies_nothing(text, said, site):
    status, needed, _ = graph_of(site, text)
    assert said in (status, needed)


@pytest.mark.requirement("S1-55")
@pytest.mark.parametrize(("text", "status"), LINES)
def test_a_line_without_a_full_stop_ends_where_the_next_one_states_a_status(text, status, site):
    assert graph_of(site, text)[0] == status

"""People marked by name, and with whom a speaker sides."""

from __future__ import annotations

import re

from tests.tables import each_row
from varves.language.acts import Situation
from varves.language.names import Names
from varves.language.reader import read

NAMES = Names({"ada": "Ada", "noa": "Noa", "ben": "Benoît", "opt": "Driss Alaoui"})
COMPANY = Situation(named=True)


def sides(text: str) -> list[tuple[str, list[str]]]:
    """Return what a text says of people, each with their names."""
    said = read(NAMES.mark(text), COMPANY)
    return [
        (act.kind, ["you"] if act.whom == ("you",) else NAMES.read(act.whom))
        for one in said
        for act in one.acts
        if act.kind in ("agrees", "disagrees", "complements")
    ]


@each_row(
    ("text", "found"),
    [
        ("I agree with both Ada and Noa.", [("agrees", ["ada", "noa"])]),
        ("I agree with Ada and with Noa.", [("agrees", ["ada", "noa"])]),
        ("I don't agree with either Ada or Noa.", [("disagrees", ["ada", "noa"])]),
        ("I agree with neither Ada nor Noa.", [("disagrees", ["ada", "noa"])]),
        ("@noa I agree", [("agrees", ["noa"])]),
        ("I agree with BENOIT.", [("agrees", ["ben"])]),
        ("I agree with Driss Alaoui.", [("agrees", ["opt"])]),
        ("You are wrong.", [("disagrees", ["you"])]),
        ("I agree with Noah.", []),
        ("Ada said that I agree with Noa.", []),
        ("If it rains, I agree with Noa.", []),
    ],
)
def test_it_is_read_with_whom_the_speaker_sides(text, found):
    assert sides(text) == found


DOTTED = Names({one: one for one in ("gpt-4.1", "Dr. \u00d6z", "J. Berg", "mary.ann", "Eva Lind")})


@each_row(
    ("text", "found"),
    [
        ("I agree with gpt-4.1.", ["gpt-4.1"]),
        ("I disagree with GPT 4.1 on that.", ["gpt-4.1"]),
        ("Dr. \u00d6z is right.", ["Dr. \u00d6z"]),
        ("I agree with Dr Oz.", ["Dr. \u00d6z"]),
        ("I don't agree with J. Berg's plan.", ["J. Berg"]),
        ("I side with mary.ann.", ["mary.ann"]),
        ("I agree with Eva Lind.", ["Eva Lind"]),
        ("I agree with gpt-4.10.", []),
        ("I agree with gpt-4.", []),
        ("I agree with mary.annabel.", []),
        ("I agree with Eva. Lind sleeps.", []),
        ("I agree with Dr. \u00d6zil.", []),
    ],
)
def test_a_name_with_a_dot_is_found_and_a_dot_joins_no_other_name(text, found):
    marks = re.findall(r"@\d+", read(DOTTED.mark(text), COMPANY)[0].sentence.plain)
    assert DOTTED.read(marks) == found


def test_marking_keeps_every_position():
    text = "Hm. Driss Alaoui, I agree with Benoi\u0302t; we ship."
    marked = NAMES.mark(text)

    assert len(marked) == len(text)
    assert [text[one.sentence.start : one.sentence.end].strip() for one in read(marked)] == [
        "Hm.",
        "Driss Alaoui, I agree with Benoi\u0302t;",
        "we ship.",
    ]


def test_a_name_of_two_people_and_a_private_sign_are_nobody():
    shared = Names({"one": "Sam", "two": "Sam"})

    assert read(shared.mark("I agree with Sam."), COMPANY)[0].sentence.plain == "i agree with _."
    assert "@" not in read(NAMES.mark("I agree with \U000f0001."))[0].sentence.plain

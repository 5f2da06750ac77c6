"""Secrets that are said in prose, hashed, wrapped or broken are masked; talk about them is not.

The samples and the harmless lines were written before the rules, but for the FRESH tables; see
secret_formats/said.py. Run with -s to see the figures.
"""

from __future__ import annotations

import collections
import os
import sys

import pytest

from tests.security.secret_formats.telling import PARTS, told, untold
from varves.events.redact import scrub

TOLD, UNTOLD = list(told()), list(untold())


def test_there_are_enough_of_both():
    assert len(TOLD) >= 600
    assert len(UNTOLD) >= 600
    assert {part for part, _ in TOLD} == {part for part, _ in UNTOLD} == set(PARTS)
    assert all(sample.leaks_into(sample.text) for _, sample in TOLD)


@pytest.mark.parametrize("part", PARTS)
def test_what_is_told_is_masked(part):
    outcome = collections.Counter()
    for whose, sample in TOLD:
        if whose == part:
            outcome[sample.format, not sample.leaks_into(scrub(sample.text)[0])] += 1
    masked = sum(count for (_, good), count in outcome.items() if good)
    sys.stdout.write(f"{part}: {masked} of {outcome.total()}\n")
    assert masked >= 0.96 * outcome.total()
    for kind in ("hash", "wrapped", "broken"):
        assert outcome[kind, False] == 0


def test_nine_hundred_and_eighty_of_a_thousand_are_masked():
    masked = sum(not sample.leaks_into(scrub(sample.text)[0]) for _, sample in TOLD)
    assert masked >= 0.98 * len(TOLD)


def test_talk_about_secrets_is_left_alone():
    assert [(line, hits) for _, line in UNTOLD if (hits := scrub(line)[1])] == []


@pytest.mark.parametrize(
    "line",
    [
        "the password is stored hashed",
        "password is required",
        "das Passwort ist abgelaufen",
        "my password manager is 1Password",
        "the token is refreshed hourly",
    ],
)
def test_a_memory_about_a_password_is_kept_as_it_was_said(cli, line):
    assert cli("remember", line, "--json").json["redacted"] == []


def test_a_token_broken_twice_is_masked_whole_and_its_neighbours_stay():
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = f"before\n{token[:14]}\n  {token[14:26]}\n  {token[26:]}\nafter"
    assert scrub(text) == ("before\n[redacted:github-pat]\nafter", ("github-pat",))


def test_two_tokens_on_two_lines_are_two():
    one, other = ("gh" + "p_" + letter * 18 + "1x" * 9 for letter in "ab")
    masked = "[redacted:github-pat]\n[redacted:github-pat]\nthe end"
    assert scrub(f"{one}\n{other}\nthe end")[0] == masked


def test_joiners_stay_where_no_secret_is():
    text = (
        "a\u200bb, \U0001f468\u200d\U0001f469 and \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    )
    assert scrub(text) == (text, ())


def test_nothing_told_is_in_any_file(project, home, cli):
    """One sample of each kind and part, through the door."""
    first = {(part, sample.format): sample for part, sample in reversed(TOLD)}
    kept = [one for one in first.values() if not one.leaks_into(scrub(one.text)[0])]
    assert len(kept) >= len(first) - 2
    for sample in kept:
        assert cli("remember", "-", "--json", stdin=sample.text.encode()).json["redacted"]
    for place, _, names in (*os.walk(project), *os.walk(home)):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                content = file.read().decode("utf-8", "replace")
            assert [one.format for one in kept if one.leaks_into(content)] == [], name

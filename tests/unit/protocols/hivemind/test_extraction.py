"""What free text and reports teach."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import UsageError
from varves.protocols.hivemind.extraction import READ, SURE, extract, read_report


def found(text):
    return [(one.kind, one.content) for one in extract(text).learnings]


def said(kind, text):
    return [(kind, {"text": text})]


def solved(error, solution):
    return [("errors", {"error": error, "solution": solution})]


@each_row(
    ("text", "learned"),
    [
        ("Fact: tokens expire", said("facts", "tokens expire")),
        ("- learned: tokens expire", said("facts", "tokens expire")),
        ("Procedure: run make", said("procedures", "run make")),
        ("DECISION: use Redis", said("decisions", "use Redis")),
        ("Decided: use Redis", said("decisions", "use Redis")),
        ("Error: it broke; solution: mend it", solved("it broke", "mend it")),
        ("Error: it broke\nFix: mend it", solved("it broke", "mend it")),
        ("The login was fixed by reloading.", solved("The login", "reloading")),
        ("Tests hung, resolved with a timeout", solved("Tests hung", "a timeout")),
        ("It broke; the solution is a retry", solved("It broke", "a retry")),
        ("We worked.\nWorked around the bug by waiting", solved("the bug", "waiting")),
        ("We chose Redis.", said("decisions", "We chose Redis.")),
        ("The team went with Redis", said("decisions", "The team went with Redis")),
        ("We have decided on tabs", said("decisions", "We have decided on tabs")),
        ("I found that it leaks", said("facts", "I found that it leaks")),
        ("It turns out the disk is full", said("facts", "It turns out the disk is full")),
        ("Ada prefers tea", said("facts", "Ada prefers tea")),
        ("To deploy it, use make ship", said("procedures", "To deploy it, use make ship")),
        ("Always pin versions", said("procedures", "Always pin versions")),
        ("Never push on Friday", said("procedures", "Never push on Friday")),
        ("Make sure the lamp is lit", said("procedures", "Make sure the lamp is lit")),
        ("We decided against Redis.", said("decisions", "We decided against Redis.")),
        ("We won't use GraphQL.", said("decisions", "We won't use GraphQL.")),
        ("Agreed with Ada to use UTC", said("decisions", "Agreed with Ada to use UTC")),
        ("It failed. Solved by waiting.", solved("It failed", "waiting")),
        ("It failed; giving it time made it pass.", solved("It failed", "giving it time")),
        ("As we decided last week, the cache stays.", []),
        ("Carl said we decided to drop XML.", []),
        ("According to Eve, we agreed to wait.", []),
        ("We agreed with the reviewer.", []),
        ("We decided to use Redis. Scratch that.", []),
        ("I learned `we decided to wait` is a message", []),
        ("Have we decided to use Redis?", []),
        ("Maybe we decided to use Redis", []),
        ("We have not decided that", []),
        ("Solution: alone it solves nothing", []),
        ("I looked around and went home", []),
        ("", []),
    ],
)
def test_the_first_rule_that_fits_counts(text, learned):
    assert found(text) == learned


def test_the_summary_is_what_its_label_says_else_the_text():
    assert extract("Did things. Summary: all is well").summary == "all is well"
    assert extract(" Did things.\nMore things.\n").summary == "Did things.\nMore things."
    assert extract(" ").summary is None
    assert extract("Did things").confidence == READ


def test_a_report_keeps_what_a_part_says_of_itself():
    part = {"text": "x", "tags": ["a"], "priority": "high", "area": "north"}
    report = read_report({"facts": [part], "pending": ["p"], "tags": ["t"]})
    [one] = report.learnings
    assert one.content == {"text": "x", "area": "north"}
    assert one.about == {"tags": ("a",), "priority": "high"}
    assert (report.pending, report.tags, report.confidence) == (("p",), ("t",), SURE)


@each_row(
    "report",
    [None, "text", {"fact": []}, {"facts": [" "]}, {"facts": [{"txt": "x"}]}, {"pending": [1]}],
)
def test_what_is_no_report_is_refused(report):
    with pytest.raises(UsageError):
        read_report(report)

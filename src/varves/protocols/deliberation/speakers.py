"""Detection of the speaker in a line `Name: text`, as opposed to fields such as `Link:`.

The rules are general: a name is recognised by its form and by words that never name a person. If
the form is not conclusive, the other speakers or a list of participants decide.
"""

from __future__ import annotations

import re

from varves.values.value import Value

_THERE = """
attendance attendees attending guests members observers others participants people present
facilitator minute-taker minutetaker note-taker notetaker scribe taker
"""
PRESENT = frozenset(_THERE.split())
"""Words of a field or heading that lists the participants."""

_MARKS = """
absent action actions addendum agenda announcements apologies appendix assigned assignee assignees
author authors bcc branch cc champion champions copyright created date deadline document documents
draft due duration editor editors fwd id ids label labels liaison liaisons licence license link
links location meeting meetings milestone milestones minute minutes name next owner owners place
priority previous proposer regrets re ref reference references refs repo repository reviewer
reviewers room scheduled section source sources state status step steps subject tag tags task tasks
team thread time title tldr tl;dr todo todos fixme topic topics tracking type updated url urls
version xxx
"""
_PARTS = """
advantage advantages alternative alternatives answer answers approach argument arguments aside
background benefit benefits bug bugs caveat caveats challenge challenges code comment comments
con concern concerns conclusion conclusions cons consensus constraint constraints context cost
costs decision decisions default definition description design detail details discussion
downside downsides edit error errors example examples expected fact facts feedback figure fix fyi
goal goals hint history idea ideas impact implication implications important input issue issues
item items key kind lemma list meta minor motivation nb nit non-goals note notes open option
options outcome outcomes output overview part plan pr pro problem problems pros proposal proposals
ps purpose question questions rationale reason reasons recap reminder remark remarks requirement
requirements resolution resolutions resolved response result results retro rfc risk risks rule
scope solution solutions spoiler suggestion suggestions summary syntax table test tests theorem
thought thoughts tip tradeoff tradeoffs trade-offs update updates upside upsides usage value values
warning warnings
"""
_WORDS = """
additionally afterwards again all also alternatively although and another anyway basically because
before below besides both but clearly concretely consequently currently e.g each effectively eg
either essentially etc eventually everybody everyone fails false finally first firstly for
formally fourth from further furthermore generally given hence here how however i.e ie if in
instead it later likewise maybe meanwhile moreover namely nobody nothing now ok okay on only
originally otherwise overall perhaps possibly previously probably rather recently right second
secondly see similarly since so sometimes somebody someone specifically still that the then there
therefore these third this those though thus to today tomorrow true until what when where whereas
which while who why with without works yes yesterday yet
"""
FIELDS = frozenset(f"{_MARKS} {_PARTS} {_WORDS}".split())
"""Words before a colon that do not name a person."""

_SMALL = "al and bin da de del den der di dos du el ibn la le mac op ter van von"
PARTICLES = frozenset(_SMALL.split())
_NEVER = re.compile(r"(?:\w{3,}(?:tion|sion)|\w{5,}(?:ment|ness))s?", re.IGNORECASE)
_ORDINARY = re.compile(r"\w{4,}(?:able|ible|ally|ing|ity|ive|ous|ism|ly)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_](?:[\w'\u2019.-]*\w)?\.?")
_FILE = re.compile(
    r"\.(?:c|cfg|cpp|css|go|h|html|ini|java|js|json|lock|md|py|rs|sh|toml|ts|txt|ya?ml)$"
)
_BETWEEN = re.compile(r"\s*[/&+]\s*|\s+")
_REMARK = re.compile(r"\s*(?:\[[^\]]*\]|\([^)]*\)|(?<=\w), \w+ly)\s*$")
_COLON = re.compile(r":([*_`]{0,3})(?=\s|$)")
_TIME = re.compile(r"(?:\[\d{1,2}:\d{2}(?::\d{2})?\]|\d{1,2}:\d{2}(?::\d{2})?)\s+(?=\S)")
_LONGEST = 60  # characters before the colon
_MOST_WORDS = 6

SURE, ONCE, WEAK, FIELD = "sure", "once", "weak", "field"


class Claim(Value):
    """A line of the form `Name: text`."""

    name: str
    text: str
    standing: str
    """`sure`; `once`: sure if it occurs twice; `weak`: needs other evidence; `field`: no name."""
    why: str = ""
    present: bool = False
    """Whether the field lists the participants."""


def claim(line: str) -> Claim | None:
    """Parse a line without its list marker; None if it has no name before a colon."""
    line = _TIME.sub("", line, count=1) if _TIME.match(line) else line
    found = _COLON.search(line)
    if found is None or found.start() > _LONGEST:
        return None
    head, text = line[: found.start()], line[found.end() :].strip()
    marked = head[:1] in "*_`" and head[:1] != ""
    coded = head.startswith("`")
    if marked and not found[1] and head[-1:] not in "*_`" and text.endswith(head[:1]):
        text = text.rstrip(head[0]).rstrip()
    name = _REMARK.sub("", head.strip("*_` ")).strip("*_` ").removeprefix("@")
    words = _BETWEEN.split(name)
    if not _named(name, words):
        return None
    standing, why, present = _standing(name, words, text, coded=coded)
    return Claim(name=name, text=text, standing=standing, why=why, present=present)


def _named(name: str, words: list[str]) -> bool:
    fits = len(name) <= _LONGEST and len(words) <= _MOST_WORDS
    if not fits or not all(_WORD.fullmatch(word) for word in words):
        return False
    return not name.endswith(("'s", "\u2019s")) and _FILE.search(name) is None


def _standing(name: str, words: list[str], text: str, *, coded: bool) -> tuple[str, str, bool]:
    plain = [word.casefold().rstrip(".") for word in words]
    present = not PRESENT.isdisjoint(plain)
    if present or not FIELDS.isdisjoint(plain):
        return FIELD, "a field, not a speaker", present
    people = [part.split() for part in re.split(r"[/&+]", name)]
    if any(len(part) > 1 and not _capital(part) for part in people):
        return WEAK, "several words in lower case", False
    if len(words) == 1 and _NEVER.fullmatch(name):
        return WEAK, "an ordinary word", False
    if not text:
        return WEAK, "nothing after the colon", False
    if _only_address(text):
        return WEAK, "only an address after the colon", False
    if coded:
        return ONCE, "code, used once", False
    if len(words) == 1 and (_ORDINARY.fullmatch(name) or (len(name) == 1 and name.islower())):
        return ONCE, "an ordinary word", False
    return SURE, "", False


def _capital(part: list[str]) -> bool:
    return part[0][0].isupper() and all(
        word[0].isupper() or word.casefold() in PARTICLES for word in part[1:]
    )


def _only_address(text: str) -> bool:
    bare = text.strip("<>")
    return bare.startswith(("http://", "https://")) and not any(map(str.isspace, bare))


def listed(text: str) -> set[str]:
    """Return the names in a list of participants, in lower case, including first names."""
    found = set()
    for part in re.split(r"[,;/&]|\band\b", text):
        name = _REMARK.sub("", part.strip("*_` .@")).strip("*_` @")
        words = name.split()
        if words and len(words) <= _MOST_WORDS and all(_WORD.fullmatch(word) for word in words):
            found |= {name.casefold(), words[0].casefold()}
    return found

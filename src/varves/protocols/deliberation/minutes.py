"""Minutes in Markdown, parsed into messages: a line `Name: text`, and the lines after it.

The name may be in square brackets, as in the published prompt: `[name]: text`. A message continues
up to the next message, heading or rule. Code never starts a message. A message that is indented
under another answers it.

The speaker of a line is told from fields such as `Link:`. The rules are general: a name is
recognised by its form and by words that never name a person. If the form is not conclusive, the
other speakers or a list of participants decide.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter

from varves.protocols.deliberation.state import Message
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


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
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_TARGET = re.compile(r"(?:<[^>\s]+>|#\S+|\S*/\S*)(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))?")
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
    bare = head.strip("*_` ")
    bracketed = _BRACKETED.fullmatch(bare)
    name = bracketed[1] if bracketed else _REMARK.sub("", bare)
    name = name.strip("*_` ").removeprefix("@")
    words = _BETWEEN.split(name)
    if not _named(name, words) or (bracketed and _TARGET.fullmatch(text)):
        return None
    standing, why, present = _standing(name, words, text, coded=coded)
    if bracketed and standing == WEAK:
        standing = ONCE
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


_BULLET = re.compile(r"\s*(?:(?:[-*+\u2022]|\d{1,3}[.)])\s+)*(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"\s{0,3}#{1,6}(?=\s|$)")
_RULE = re.compile(r"\s*(?:([-*_])(?:\s*\1){2,}|={3,})\s*$")
_FENCE = re.compile(r"(`{3,}|~{3,})([^`]*)$")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_PAGE = re.compile(r"\s*<(?:!doctype|html)\b", re.IGNORECASE)
_TAG = re.compile(r"<!--|<(script|style|head|template)\b|<[/!]?[A-Za-z][^<>]*>", re.IGNORECASE)
_CLOSING = {
    name: re.compile(rf"</{name}\s*>", re.IGNORECASE)
    for name in ("script", "style", "head", "template")
}


class _Line(Value):
    number: int
    text: str
    kind: str = "text"
    """`text`, `code`, or a kind that ends a message: `heading`, `rule`."""
    claim: Claim | None = None


class _Spoken(Value):
    line: _Line
    claim: Claim
    answers: int | None
    rest: list[str]
    """The lines after the first; filled while reading."""

    def message(self) -> Message:
        more = textwrap.dedent("\n".join(self.rest)).strip("\n")
        content = "\n".join(part for part in (self.claim.text, more) if part).strip()
        return Message(
            agent_id=self.claim.name,
            content=content,
            id=f"line-{self.line.number}",
            reply_to=None if self.answers is None else f"line-{self.answers}",
        )


class Minutes(Value):
    """The content of minutes; a line is given with its number, counted from 1, and the reason."""

    messages: tuple[Message, ...]
    skipped: tuple[tuple[int, str], ...]
    """The lines that only look like a message."""
    kept: tuple[int, ...] = ()
    """Those of them that are part of the message above them."""
    outside: tuple[tuple[int, str], ...] = ()
    """The other lines that are in no message."""


def said(text: str) -> Minutes:
    """Return the messages of minutes, and the lines that are none."""
    lines = list(_lines(_shown(text) if _PAGE.match(text) else text))
    speakers = _speakers(lines)
    spoken: list[_Spoken] = []
    skipped: list[tuple[int, str]] = []
    outside: list[tuple[int, str]] = []
    kept: list[int] = []
    first = lines[0].number if lines else 1
    outside += [(number, "a field at the top") for number in range(2, first - 1)]
    heading = ""
    above: list[tuple[int, int]] = []  # possible parent messages: depth, line
    for line in lines:
        if line.kind in ("heading", "rule"):
            heading, above = line.text if line.kind == "heading" else "", []
            if heading:
                outside.append((line.number, "a heading"))
            continue
        why = _refusal(line.claim, speakers, heading)
        if line.claim is not None and not why:
            answers = _answered(above, line)
            spoken.append(_Spoken(line=line, claim=line.claim, answers=answers, rest=[]))
            continue
        if line.claim is not None:
            skipped.append((line.number, f"`{line.claim.name}:` {why}"))
        if above:
            spoken[-1].rest.append(line.text.rstrip())
            if line.claim is not None:
                kept.append(line.number)
        elif line.claim is None and line.text.strip():
            where = "after a heading or a rule" if spoken else "before the first message"
            outside.append((line.number, f"{where}, without a speaker"))
    messages = [one.message() for one in spoken]
    skipped += [
        (one.line.number, f"`{one.claim.name}:` has no text")
        for one, message in zip(spoken, messages, strict=True)
        if not message.content
    ]
    return Minutes(
        messages=tuple(one for one in messages if one.content),
        skipped=tuple(sorted(skipped)),
        kept=tuple(kept),
        outside=tuple(outside),
    )


def _answered(above: list[tuple[int, int]], line: _Line) -> int | None:
    """Return the line of the message that a message is indented under; add it to `above`."""
    expanded = line.text[: line.text.find(line.text.strip()[0])].expandtabs(4)
    while above and above[-1][0] >= len(expanded):
        above.pop()
    under = above[-1][1] if above else None
    above.append((len(expanded), line.number))
    return under


def _refusal(found: Claim | None, speakers: set[str], heading: str) -> str:
    """Return why a claim does not start a message, or an empty string if it does."""
    if found is None:
        return ""
    if heading and found.text.casefold() == heading.casefold():
        return "repeats its heading"
    return "" if found.name.casefold() in speakers else found.why or "not a speaker"


def _speakers(lines: list[_Line]) -> set[str]:
    """Return the speakers in lower case: the certain ones, and those listed as present."""
    claims = [line.claim for line in lines if line.claim is not None]
    often = Counter(one.name.casefold() for one in claims if one.standing in (SURE, ONCE))
    sure = {one.name.casefold() for one in claims if one.standing == SURE}
    sure |= {name for name, times in often.items() if times > 1}
    if {"q", "a"} <= sure:
        sure -= {"q", "a"}
    present: set[str] = set()
    for found in claims:
        if found.standing == FIELD and found.present:
            present |= listed(found.text)
    present |= _under_attendance(lines)
    return sure | present


def _under_attendance(lines: Iterable[_Line]) -> set[str]:
    found: set[str] = set()
    inside = False
    for line in lines:
        if line.kind == "heading":
            inside = not PRESENT.isdisjoint(line.text.casefold().split())
        elif inside and line.kind == "text" and line.claim is None:
            found |= listed(_bare(line.text))
    return found


def _lines(text: str) -> Iterator[_Line]:
    """Classify each line; fields between two rules at the top are left out."""
    lines = [_ENTITY.sub(lambda found: html.unescape(found[0]), one) for one in text.split("\n")]
    fence = ""
    for number, line in enumerate(lines[_front(lines) :], 1 + _front(lines)):
        bare = _bare(line)
        mark = _FENCE.match(bare)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
            yield _Line(number=number, text=line, kind="code")
        elif mark:
            fence = mark[1]
            yield _Line(number=number, text=line, kind="code")
        elif heading := _HEADING.match(line):
            yield _Line(number=number, text=line[heading.end() :].strip(" \t#"), kind="heading")
        elif _RULE.match(line):
            yield _Line(number=number, text=line, kind="rule")
        else:
            yield _Line(number=number, text=line, claim=claim(bare))


def _bare(line: str) -> str:
    return line[_BULLET.match(line).end() :].rstrip()  # type: ignore[union-attr]


def _front(lines: list[str]) -> int:
    """Return the number of lines that a block of fields takes at the top."""
    if lines[0].rstrip() != "---":
        return 0
    return next((at + 1 for at, line in enumerate(lines) if at and line.rstrip() == "---"), 0)


def _shown(page: str) -> str:
    """Return the visible text of an HTML page, with line numbers unchanged."""
    # An element that is not closed hides the rest, as in a browser.
    shown, at = [], 0
    while found := _TAG.search(page, at):
        shown.append(page[at : found.start()])
        at = _hidden_to(page, found)
        shown.append("\n" * page.count("\n", found.start(), at))
    return "".join((*shown, page[at:]))


def _hidden_to(page: str, tag: re.Match[str]) -> int:
    if tag[0] == "<!--":
        end = page.find("-->", tag.end())
        return len(page) if end < 0 else end + len("-->")
    if tag[1] is None:
        return tag.end()
    closing = _CLOSING[tag[1].lower()].search(page, tag.end())
    return len(page) if closing is None else closing.end()

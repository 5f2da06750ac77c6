"""Minutes in Markdown, parsed into messages: a line `Name: text`, and the lines after it.

A message continues up to the next message, heading or rule. Code never
starts a message. A message that is indented under another answers it.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter

from varves.protocols.deliberation.speakers import FIELD, ONCE, PRESENT, SURE, claim, listed
from varves.protocols.deliberation.state import Message
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.protocols.deliberation.speakers import Claim

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


def said(text: str) -> tuple[list[Message], list[tuple[int, str]]]:
    """Return the messages of minutes, and the lines that only look like one, with reasons."""
    lines = list(_lines(_shown(text) if _PAGE.match(text) else text))
    speakers = _speakers(lines)
    spoken: list[_Spoken] = []
    skipped: list[tuple[int, str]] = []
    heading = ""
    above: list[tuple[int, int]] = []  # possible parent messages: depth, line
    for line in lines:
        if line.kind in ("heading", "rule"):
            heading, above = line.text if line.kind == "heading" else "", []
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
    messages = [one.message() for one in spoken]
    skipped += [
        (one.line.number, f"`{one.claim.name}:` has no text")
        for one, message in zip(spoken, messages, strict=True)
        if not message.content
    ]
    return [one for one in messages if one.content], sorted(skipped)


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

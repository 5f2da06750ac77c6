"""The lines of a file of rules, each with the part that the headings and labels above it name."""

from __future__ import annotations

import re
from typing import NamedTuple

from varves.protocols.layers.wording import orders, signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

EITHER = "either"  # below a heading such as "Rules", each rule's wording tells do from don't
_GOOD, _BAD = "good", "bad"
EXAMPLES = {_GOOD: "do", _BAD: "dont"}  # except within a part about names, steps or files
OTHERS = ("naming", "workflow", "files")

_KNOWN_BY = (
    (
        EITHER,
        (
            r".*\b(?:do(?:s| s)?(?: (?:and|or|&|vs|versus))? (?:don ?ts?|do nots?)"
            r"|don ?ts? (?:and|or|&) do(?:s| s)?|always (?:(?:and|or|&) )?never)\b"
        ),
    ),
    ("dont", r"(?:do not|don ?t|don ?ts|never|must not|avoid|forbidden|prohibited)\b"),
    ("dont", r"(?:anti ?patterns?|.*\b(?:don ?ts?|prohibitions|to avoid|not to do))$"),
    ("dont", r"(?:not allowed|disallowed|off limits|red lines|no gos?|common mistakes)$"),
    ("dont", r"bad (?:practices?|habits?)$"),
    ("do", r"(?:do|dos|do s|always|must|required|allowed|what to do|good (?:practices?|habits?))$"),
    ("do", r"(?:do|always|must)\b(?! not).{0,24}$"),
    ("do", r"(?:ask|check|confirm|get approval)\b.{0,30}\b(?:first|before)\b"),
    ("do", r"(?:needs?|requires?) (?:\w+ )?(?:approval|permission|confirmation)\b"),
    (_GOOD, r"(?:good|right|correct|preferred)(?: (?:examples?|way))?$"),
    (_BAD, r"(?:bad|wrong|incorrect|discouraged)(?: (?:examples?|way))?$"),
    ("naming", r".*\b(?:naming|conventions?|file names?)\b"),
    ("workflow", r".*\b(?:workflows?|processes|process|lifecycle|procedures?)\b"),
    ("files", r".*\b(?:key files?|important files?|file roles?|files and roles)\b"),
    (
        "files",
        r"(?:.*\b(?:project|repository|repo|directory|folder) (?:structure|layout)|layout)\b",
    ),
    (
        EITHER,
        (
            r"(?:(?:the|our|your|general|basic|ground|house|project|team|agents?|ai|core|key|main|hard"
            r"|important|working|behaviou?r(?:al)?|golden|critical|global|strict|non negotiable"
            r"|coding|code|development|engineering|style|git|commit|quality|contribution) )*"
            r"(?:rules|guidelines|guardrails|constraints|boundaries|standards|best practices)"
            r"(?: (?:for|of) (?:the |all |this |every |coding |ai )*(?:agents?|assistants?|project"
            r"|contributors|everyone|repository|repo|work|bots?))?$"
        ),
    ),
)
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_LABEL = re.compile(r"(?:\*\*|__)(.{1,60}?)(?:\*\*|__)\s*:?\s*$|([^-*+|>].{0,58}?):\s*$")
LISTED = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r"^ {0,3}<!--.*?-->", re.DOTALL | re.MULTILINE)
_SHORT, _LONG = 4, 12  # words of a list line that may be the end of a sentence begun above
_UNHEADED = 7  # the rank of a label that is not a heading
_NUMBERED = re.compile(r"(?:(?:rule|step|section) )?(?:\d+ )+(?=\D)")
_RULED = re.compile(r" {0,3}([-*_=])(?: *\1){2,} *$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,}) *$")
_QUOTE = re.compile(r"^ {0,3}(?:> ?)+(?:\[!\w+\] *$)?")
_PLAIN = re.compile(r" {0,3}(?![-*+>#|<`~=]|\d+[.)])\S")  # text that may be underlined
_WHOLE = re.compile(r"(?:use|prefer|keep|make|run|add|write|set|put|call|check|only)\b")
_SIGNS = frozenset({"do", "dos", "do s", "don t", "don ts", "do not", "never", "always"})
# labels that are the beginning of a sentence, such as "Never log:"
_LEADING = re.compile(r"(?:do not|don ?t|never|avoid|must not|always|must|ask|confirm)\b")
_BARE_LABEL = frozenset(
    (  # noqa: SIM905 - one word after another
        "do does dos don t ts not never always must avoid this that these the following things s be"
        " ever rules rule in any all cases commands practices patterns actions and or list i you"
        " agents"
    ).split()
)


class RuleLine(NamedTuple):
    """One line of the file."""

    number: int
    part: str | None
    title: str
    """The heading above it."""
    text: str
    code: bool = False
    lead: str = ""
    """The beginning of the rule, if a label or a line above says it: "Never log: "."""


def lines(text: str) -> Iterator[RuleLine]:
    """Yield each line that shows text or code; of headings, labels and rulers an empty one."""
    shown = [*_shown(_COMMENT.sub(_blank, text).splitlines())]
    alone = sum(line.startswith("# ") and not code for line, code in shown) == 1
    outline = _Outline(alone=alone)
    for number, (line, code) in enumerate(shown, 1):
        if not code and outline.enters(line):
            line = ""  # noqa: PLW2901 - it is read
        lead = "" if code else outline.lead(line)
        yield RuleLine(number, outline.part, outline.title, line, code, lead)


def _shown(rows: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield lines, and whether each is code.

    Fences and rulers are empty lines, and an underlined heading has the form of the others.
    """
    fence = ""
    before = ""
    matter = rows[:1] == ["---"]  # YAML before the text
    for number, row in enumerate(rows):
        mark = _FENCE.match(row)
        if fence and not (mark and mark[1].startswith(fence)):
            yield row, True
            continue
        if mark:
            fence = "" if fence else mark[1]
        matter = matter and not (number and row == "---")
        line = "" if mark or _RULED.match(row) else _QUOTE.sub("", row)
        under = rows[number + 1] if number + 1 < len(rows) else ""
        if _UNDERLINE.match(under) and _PLAIN.match(line) and not before.strip() and not matter:
            line = f"{'#' if '=' in under else '##'} {line.strip()}"
        yield ("" if _UNDERLINE.match(row) else line), False
        before = line


class _Label(NamedTuple):
    """A heading or label, for the lines below it."""

    rank: int
    part: str | None
    lead: str


class _Outline:
    """The headings and labels that hold for the line that is being read."""

    def __init__(self, *, alone: bool) -> None:
        self.title = ""
        self._alone = alone  # the file has one heading of the first rank, which is its title
        self._stack: list[_Label] = []
        self._below: str | None = None  # the part that the title names for the lines below it
        self._upper: list[tuple[int, str]] = []  # list lines that end in a colon, with indents

    @property
    def part(self) -> str | None:
        """The part of the line; None if no heading or label names one."""
        return (self._stack[-1].part if self._stack else None) or self._below

    def enters(self, line: str) -> bool:
        """Take a heading, or a label that names a part; return whether the line is one."""
        rank, label = _labelled(line)
        if not rank:
            return False
        inherited = next((one.part for one in reversed(self._stack) if one.rank < rank), None)
        named = part_of(label)
        if named in EXAMPLES:
            named = None if inherited in OTHERS else EXAMPLES[named]
        if rank == _UNHEADED and named is None:
            if self._stack and self._stack[-1].rank == _UNHEADED and not line[:1].isspace():
                self._stack.pop()  # a label that names no part ends the one before it
            return False
        self._below = None
        if rank == 1 and self._alone:
            self._below, named = named if named in ("do", "dont", EITHER) else None, None
        if rank < _UNHEADED:
            self.title = label
        self._stack = [one for one in self._stack if one.rank < rank]
        self._stack.append(_Label(rank, named or inherited, _lead(label) if named else ""))
        return True

    def lead(self, line: str) -> str:
        """Return the beginning of a list line that a label or a line above it says."""
        listed = LISTED.match(line)
        if not listed:
            if line.strip() and not line[:1].isspace():
                self._upper = []
            return ""
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        self._upper = [one for one in self._upper if one[0] < indent]
        lead = self._upper[-1][1] if self._upper else self._stack[-1].lead if self._stack else ""
        if line.rstrip(" *_").endswith(":") and (opens := _lead(listed[1])):
            self._upper.append((indent, opens))
        return "" if _speaks(listed[1]) else lead


def _lead(label: str) -> str:
    """Return a label that begins the rules below it ("Never log"), else nothing."""
    words = folded(label)
    if not _LEADING.match(words) or {*words.split()} <= _BARE_LABEL:
        return ""
    return f"{label.strip(' *_:#')}: "


def _speaks(said: str) -> bool:
    """Return whether a list line is a whole rule, which needs no beginning from a label above."""
    words = said.split()
    sentence = len(words) > _LONG or (len(words) > _SHORT and said.rstrip("*_ ").endswith("."))
    return bool(sentence or signed(said) or orders(said) or _WHOLE.match(folded(said)))


def _labelled(line: str) -> tuple[int, str]:
    """Return the rank and text of a heading or label; 0 if the line is neither."""
    heading = _HEADING.match(line)
    if heading:
        return len(heading[1]), heading[2]
    label = _LABEL.fullmatch(line.strip())
    if label:
        return _UNHEADED, label[1] or label[2]
    if signed(f"{line} x") and folded(line) in _SIGNS:
        return _UNHEADED, line.strip()
    return 0, ""


def part_of(title: str) -> str | None:
    """Return the part of the rules that a heading opens, if any."""
    words = _NUMBERED.sub("", folded(title), count=1)
    for part, pattern in _KNOWN_BY:
        if re.match(pattern, words):
            return part
    return None


def folded(title: str) -> str:
    """Return the words of a heading in lower case, without punctuation."""
    return " ".join(re.sub(r"[^a-z0-9&]+", " ", title.casefold()).split())


def _blank(comment: re.Match[str]) -> str:
    """Return the line ends of a comment, so that the lines below keep their numbers."""
    return "\n" * comment[0].count("\n")

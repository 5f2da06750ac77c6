"""The next steps that events state, and the later events that report them as done.

A step is done if a later event says so with a tag or a tick, or strikes it out, if its title has
all words of the step, or if a clause of its What reports the step in the past: "Priya sent the
invoice" for "Send the invoice". Plans, conditions and denials finish nothing, but a step that is
given up ("we no longer send invoices on paper", "dropped the paper invoices") is not listed any
more.
"""

from __future__ import annotations

import re
from collections import defaultdict

from varves.protocols.layers.grammar import NONE, lines, tidy
from varves.protocols.layers.obstacles import DONE, is_tagged, past, stems, words
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.protocols.layers.blocks import Block

_KEYWORD = re.compile(r"[^\W_]+")
_PREFIX = 3  # letters that a word has in common with its other forms
_LEAST = 2  # words that a step must have to be recognised in another wording
_FURTHER = 3  # other words that a clause may have which reports a step
_UNDONE = re.compile(
    r"\b(?:not|never|nobody|no one|cannot|\w+n['\u2019]t|fail\w*|plan\w*|start\w*|begin\w*|beg[au]n"
    r"|try|trying|postpon\w*|delay\w*|block\w*|wait\w*|consider\w*|propos\w*|draft\w*|need\w*"
    r"|should|will|would|could|might|(?-i:may)|must|can|todo|stop\w*|decid\w*"
    r"|half|part(?:ly|ial\w*)|almost|nearly|mostly|until|once|if|when|unless|to be|being"
    r"|continu\w*|ask\w*)\b",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    r"\b(?:no longer|decided (?:not to|against)|gave up|will never|will not|won['\u2019]t"
    r"|(?:are|am) not going to)"
    r" (?:(?:the|need to|have to|want to|plan to|going to) )*(?P<verb>\w+)",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:until|till|before|unless|if|without|yet|today|tomorrow|only|alone"
    r"|for (?:now|the moment|the time being)|(?:this|next) (?:week|month|sprint|quarter|year|time)"
    r")\b|\?$",
    re.IGNORECASE,
)
"""Words by which a step is not given up, but done later or in another way."""
_ENDED = (
    r"(?:dropped|cancell?ed|abandoned|scrapped|shelved|discarded|called off|given up|gave up on"
    r"|decided against)"
)
_DROPPED = re.compile(
    rf"(?:^|\b(?:we|i|they|the team|and) )(?:(?:have|has|also|just|now) )*{_ENDED} (?P<what>.+)"
    rf"|^(?P<subject>.+?) (?:is|are|was|were|has been|have been|got) (?:now )?(?:{_ENDED}"
    r"|no longer (?:needed|necessary|required|wanted|planned))\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<=[.!?;])\s+|[,:;\u2014]\s+|\s+(?:but|so|because|while|since)\s+")
_AND = re.compile(r"\s+and\s+")
_BULLET = re.compile(r"((?:\s|>)*)(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(.*?)\s*")
_STRUCK = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[ \]\s+)?~~([^~]+)~~\.?\s*")
_TICKED = re.compile(r"\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[[xX]\]\s+(.*?)\s*")
NOTHING = frozenset({"", NONE, "n/a", "na", "nothing", "-", "—"})
"""Texts that state nothing."""


class OpenSteps:
    """Steps by their normalised text, in the order in which they were stated last."""

    def __init__(self) -> None:
        self._events: list[list[str]] = []
        self._texts: dict[str, tuple[str, int]] = {}
        self._by_mark: defaultdict[str, set[str]] = defaultdict(set)
        self._carried: list[str] = []  # the earlier ones, which are not in `_by_mark`

    def carry(self, texts: Sequence[str]) -> None:
        """Add the open steps of earlier events, those of older events first."""
        for text in texts:
            key = fold(text)
            self._texts[key] = text, len(self._events)
            self._carried.append(key)
            self._events.append([key])

    def add(self, texts: Sequence[str]) -> None:
        """Add an event's steps; a step that is stated again is open again."""
        keys = []
        for text in texts:
            key = fold(text)
            if self._texts.get(key, ("", -1))[1] == len(self._events):
                continue
            self._texts[key] = text, len(self._events)
            self._by_mark[_mark(key)].add(key)
            keys.append(key)
        self._events.append(keys)

    def finish(self, said: str) -> None:
        """Remove finished steps: those with the same text, or whose words are all in the text."""
        self._texts.pop(fold(said), None)
        if said.rstrip().endswith("?"):
            return
        done, undone = words(said), _undone(said)
        for key, step in self._like(said):
            if step <= done and undone <= step:
                self._remove(key)

    def finish_reported(self, text: str) -> None:
        """Remove the steps that a clause of the text reports in the past, or as given up."""
        for clause in _CLAUSE.split(text) if self._texts else ():
            given_up = _GIVEN_UP.search(clause)
            if given_up and not _LATER.search(clause):
                self._give_up(clause, given_up)
            dropped = _DROPPED.search(clause)
            if dropped and not _LATER.search(clause):
                self._drop(dropped["what"] or dropped["subject"])
            if past(clause) and not clause.rstrip().endswith("?"):
                for part in _AND.split(clause):
                    self._finish_in(part, joined=False)
                self._finish_in(clause, joined=True)

    def _give_up(self, clause: str, found: re.Match[str]) -> None:
        """Remove the steps that a clause says will not be done: "we no longer print it"."""
        rest = words(clause[found.start("verb") :])
        for key, step in self._like(clause):
            same = stems(_first(key)) == stems(found["verb"])
            if same and step <= rest and len(rest - step) <= _FURTHER:
                self._remove(key)

    def _drop(self, text: str) -> None:
        """Remove the steps that would do something to what was dropped: "dropped the retry"."""
        said = words(text)
        for key, step in self._like(text):
            thing = step - stems(_first(key))
            fits = thing <= said and len(said - step) <= _FURTHER
            if fits and (len(thing) >= _LEAST or (thing and said <= step)):
                self._remove(key)

    def _finish_in(self, clause: str, *, joined: bool) -> None:
        """Remove the steps that a clause reports; with `joined`, only those that have an "and"."""
        verbs = past(clause)
        done, undone = words(clause), _undone(clause)
        for key, step in self._like(clause) if verbs else ():
            fits = step <= done and undone <= step and len(done - step) <= _FURTHER
            if fits and stems(_first(key)) & verbs and (not joined or _AND.search(key)):
                self._remove(key)

    def _like(self, said: str) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the steps, with their words, that have a word in common with a text."""
        marks = {_short(word) for word in stems(said)}
        found = [key for mark in marks for key in self._by_mark.get(mark, ())]
        found += [key for key in self._carried if any(mark in key for mark in marks)]
        for key in found:
            step = words(key) if key in self._texts else frozenset()
            if len(step) >= _LEAST:
                yield key, step

    def _remove(self, key: str) -> None:
        self._texts.pop(key, None)
        self._by_mark[_mark(key)].discard(key)

    def newest_first(self) -> tuple[str, ...]:
        """Return the open steps, those of newer events first."""
        return tuple(
            self._texts[key][0]
            for number in range(len(self._events) - 1, -1, -1)
            for key in self._events[number]
            if self._texts.get(key, ("", -1))[1] == number
        )


def _undone(said: str) -> set[str]:
    """Return the words of a text by which it does not report something as done."""
    return {stem for word in _UNDONE.findall(said) for stem in stems(word) or {word}}


def _mark(key: str) -> str:
    """Return the word under which a step is found: one with a digit, if any, or the longest."""
    found = sorted(words(key)) or [""]
    return _short(max(found, key=lambda word: (any(map(str.isdigit, word)), len(word))))


def _short(word: str) -> str:
    return word if any(map(str.isdigit, word)) else word[:_PREFIX]


def _first(text: str) -> str:
    return next(iter(_KEYWORD.findall(text)), "")


def open_steps(
    events: Sequence[Block], said: Sequence[Sequence[tuple[str, str]]], before: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the steps that no later event reports as done, those of newer events first.

    Args:
        events: the events, oldest first.
        said: what each of them tells of blockers and of what is done.
        before: the open steps of the events before them, those of newer events first.
    """
    steps = OpenSteps()
    steps.carry(before[::-1])
    for block, marks in zip(events, said, strict=True):
        for done in _done(block, marks):
            steps.finish(done)
        steps.finish_reported(tidy(" ".join(lines(block.parts.get("What", "")))))
        steps.add(next_steps(block))
    return steps.newest_first()


def next_steps(block: Block) -> tuple[str, ...]:
    """Return an event's next steps: its list, or its paragraphs if it has no list."""
    part = block.parts.get("Next Steps", "")
    return tuple(text for text in _steps(part) if fold(text) not in NOTHING)


class _ListedStep:
    """A line of a list: its indentation, its tick, and its text."""

    def __init__(self, inset: int, tick: str | None, text: str) -> None:
        self.inset, self.tick, self.text = inset, tick, text
        self.below: list[_ListedStep] = []

    def steps(self) -> Iterator[str]:
        """Yield the steps: the line, or those below it if it only announces them.

        Lines below a step are its details, unless they have boxes of their own.
        """
        ticked = self.tick in ("x", "X") or _STRUCK.fullmatch(self.text) is not None
        announces = self.text.endswith(":") and self.below
        if not ticked and not announces and not is_tagged(self.text):
            yield self.text
        for one in self.below:
            if not ticked and (announces or one.tick is not None):
                yield from one.steps()


def _steps(part: str) -> list[str]:
    listed: list[_ListedStep] = []
    paragraphs: list[list[str]] = [[]]
    opened: list[_ListedStep] = []  # the last one, and those it is below
    inside = False
    for line in lines(part):
        found = _BULLET.fullmatch(line)
        if found:
            step = _ListedStep(len(found[1].expandtabs(4)), found[2], tidy(found[3]))
            while opened and opened[-1].inset + 1 >= step.inset:
                opened.pop()
            (opened[-1].below if opened else listed).append(step)
            opened.append(step)
            inside = True
        elif not line.strip():
            inside = False
            paragraphs.append([])
        elif inside:
            opened[-1].text = tidy(f"{opened[-1].text} {line}")
        elif not is_tagged(line) and not line.lstrip().startswith("#"):
            paragraphs[-1].append(line)
    if listed:
        return [text for step in listed for text in step.steps()]
    return [tidy(" ".join(said)) for said in filter(None, paragraphs)]


def _done(block: Block, marks: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield what an event reports as done: its title, the tagged and the ticked texts."""
    yield block.title
    text = block.text
    yield from (said for mark, said in marks if mark == DONE)
    if "[x]" in text or "[X]" in text or "~~" in text:
        for line in map(tidy, lines(text)):
            ticked = _TICKED.fullmatch(line) or _STRUCK.fullmatch(line)
            if ticked:
                yield ticked[1]

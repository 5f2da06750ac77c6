"""Reads a report of work: fixes, decisions, lessons, and how to do something.

The sentences and their guards are those of the reader. Questions, guesses, suppositions, reports of
others' words, retracted sentences and citations of a decision do not count. A decision against
something is a decision. If a sentence names only the solution, the previous sentence is used as the
error if it describes a problem, together with the cause if one is named after it. Plain statements
of how things are count only if asked for.
"""

from __future__ import annotations

import re

from varves.language.acts import SpeechAct
from varves.language.english.reporting import MENDING
from varves.language.english.tongue import ENGLISH
from varves.language.reader import read
from varves.language.sentences import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.language.reader import Said
    from varves.language.tables import Tongue

MENDS, SETTLES, TEACHES, INSTRUCTS = "mends", "settles", "teaches", "instructs"
LASTS = "lasts"
_FEWEST, _MOST = 4, 30  # words of a sentence that states how things are
_MARKS = " .,;:!"
_NOTE = re.compile(r"(?:note|nb|n\.b\.|remember|attention|important|careful) ?[:,] ")
_GONE = ("since_gone", "change_gone")  # "the spots are gone" solves only what was told before
_NAUGHT = ("nothing", "something", "everything", "anything")  # what is solved has another name
_THE_THING = re.compile(r"(?:the|our) (?P<stem>\w{3,}?)(?:e?s|ing|ness)?$")


def reported(text: str, tongue: Tongue = ENGLISH, *, plainly: bool = False) -> Iterator[SpeechAct]:
    """Yield at most one act for each sentence of a report.

    The texts `subject` and `value` are not changed.

    Args:
        text: the report.
        tongue: the tables of its language.
        plainly: whether a sentence without any such phrase counts if it says how things are.
    """
    before, trouble = "", ""
    for said in read(text, tongue=tongue):
        reading = _Reading(text, said, tongue)
        act = None if said.taken_back else reading.act(before, trouble)
        if trouble and not said.taken_back and (act is None or act.kind != MENDS):
            act = reading.cured(trouble) or act
        if act is None and plainly and not said.taken_back:
            act = reading.held()
        if act is not None:
            yield act
        earlier, before = before, text[said.sentence.start : said.sentence.end]
        if act is not None and act.kind == MENDS:
            trouble = ""
        elif reading.tells_cause() and (trouble or reading.names_cause()):
            trouble = f"{(trouble or earlier).strip(_MARKS)}. {before}".lstrip(_MARKS)
        elif reading.tells_trouble():
            trouble = before


def tells_problem(text: str, tongue: Tongue = ENGLISH) -> bool:
    """Return whether a sentence before a fix tells what the fix was for."""
    return any(
        _Reading(text, said, tongue).tells_trouble() or _Reading(text, said, tongue).befalls()
        for said in read(text, tongue=tongue)
    )


def tells_cause(sentence: str, tongue: Tongue = ENGLISH) -> bool:
    """Return whether a sentence says why something went wrong."""
    form = plain(sentence, tongue)
    tables = tongue.acts
    because = tables["because"].search(form)
    return because is not None and tables["troubles"].search(form) is not None


def _problem(before: str, trouble: str) -> str:
    """Return the problem that a fix after it solves: the last one told, with its cause, or ""."""
    if _ends(trouble, before):
        return trouble
    return before if tells_problem(before) else ""


def _ends(trouble: str, before: str) -> bool:
    """Return whether the sentence before tells the last problem, or its cause."""
    return trouble != "" and trouble.strip(_MARKS).endswith(before.strip(_MARKS))


def _told_in(named: str, problem: str) -> bool:
    """Return whether "the hum" is what the sentence before tells of: "the speakers hummed"."""
    found = _THE_THING.match(named)
    return found is not None and re.search(rf"\b{found['stem']}", problem.lower()) is not None


class _Reading:
    """Reads one sentence of a report."""

    def __init__(self, text: str, said: Said, tongue: Tongue) -> None:
        self._text = text
        self._said = said
        self._tables = tongue.acts
        self._form = said.sentence.body

    def act(self, before: str, trouble: str) -> SpeechAct | None:
        """Return the act of a sentence, or None.

        Args:
            before: the preceding sentence.
            trouble: the last problem without a fix, with its cause.
        """
        if self._said.sentence.asks or self._tables["guesses"].search(self._form):
            return None
        for name in MENDING:
            found = self._tables[name].match(self._form)
            if found is not None:
                if self._said.guards.reports:
                    return None
                return self._mended(name, found, _problem(before, trouble))
        if _ends(trouble, before) and self._tables["helps"].match(self._form):
            return self._fix(trouble, self._written(0, len(self._form)))
        for kind in (SETTLES, TEACHES, INSTRUCTS):
            found = self._tables[kind].search(self._form)
            if found is not None and not self._undone(self._form[: found.start()]):
                start, end = self._place(*found.span())
                counts = self._counts(kind, found[0])
                return SpeechAct(kind=kind, start=start, end=end) if counts else None
        return None

    def tells_trouble(self) -> bool:
        """Return whether a sentence describes a problem."""
        guards = self._said.guards
        if guards.reports or guards.asks or guards.supposes or self._said.taken_back:
            return False
        return self._tables["troubles"].search(self._form) is not None

    def tells_cause(self) -> bool:
        """Return whether a sentence names the cause of a problem."""
        return (
            not self._said.taken_back
            and self._tables["speaks_of_a_fix"].search(self._form) is not None
        )

    def befalls(self) -> bool:
        """Return whether a sentence tells what happened to something, and no success."""
        guards = self._said.guards
        if guards.reports or guards.asks or guards.supposes or self._said.taken_back:
            return False
        return self._tables["befalls"].match(self._form) is not None

    def names_cause(self) -> bool:
        """Return whether a sentence says that something is the cause of what was told before."""
        return self._tables["is_the_cause"].match(self._form) is not None

    def cured(self, trouble: str) -> SpeechAct | None:
        """Return the fix of an earlier sentence's problem: what was changed, and that it works."""
        guards, form = self._said.guards, self._form
        if guards.reports or guards.asks or guards.supposes or self._said.sentence.asks:
            return None
        change = self._tables["tells_a_change"].search(form)
        opened = self._tables["changed"].match(form)
        start = opened.end() if opened else change.start() if change else None
        if start is None or self._tables["guesses"].search(form):
            return None
        if not self._tables["tells_an_outcome"].search(form, start):
            return None
        return self._fix(trouble, self._written(0, len(form)))

    def held(self) -> SpeechAct | None:
        """Return the statement of a sentence that says how things are, not how the work went."""
        guards, form = self._said.guards, self._form
        if guards.reports or guards.asks or guards.supposes or self._said.sentence.asks:
            return None
        fits = _FEWEST <= len(form.split()) <= _MOST
        noted = _NOTE.match(form)
        form = form[noted.end() :] if noted else form
        found = self._tables["lasts"].match(form)
        if found is None and noted:
            found = self._tables["notes"].match(form)
        if found is None or not fits or self._tables["passing"].search(form):
            return None
        if self._tables["guesses"].search(form):
            return None
        start, end = self._place(0, len(self._form))
        return SpeechAct(kind=LASTS, start=start, end=end)

    def _counts(self, kind: str, phrase: str) -> bool:
        """Return whether a phrase counts, because no guard excludes it."""
        guards = self._said.guards
        if kind == SETTLES:
            reports = guards.reports and not self._tables["deciders"].match(phrase)
            return not (guards.asks or guards.cites or guards.past or reports)
        return not guards.reports or phrase.startswith("prefer")

    def _mended(self, name: str, found: re.Match[str], problem: str) -> SpeechAct | None:
        """Return the error and the solution that a sentence states.

        None if there is no solution, or if it solves nothing that was told.
        """
        error, start = found["error"] or "", found.start("error")
        if self._undone(found.groupdict().get("lead") or error):
            return None
        if name == "doing_stops" and not self._tables["troubles"].search(error):
            return None  # "adding a cache removes the copies" mends nothing
        fault = found.groupdict().get("fault")
        if fault and not (_told_in(fault, error) or self._tables["troubles"].search(error)):
            return None  # "the panel opened, so we closed it and the overlay is gone"
        told = self._tables["tells"].match(error)
        skipped = told.end() if told else 0
        named = error[skipped:].strip(_MARKS)
        nameless = self._tables["nameless"].match(named) is not None
        if (nameless and (problem or " " not in named)) or _told_in(named, problem):
            error = problem
        elif name in _GONE or named in _NAUGHT:
            return None
        else:
            error = self._written(start + skipped, found.end("error"))
        return self._fix(error, self._written(*found.span("solution")))

    def _fix(self, problem: str, solution: str) -> SpeechAct:
        begin, end = self._place(0, len(self._form))
        return SpeechAct(
            kind=MENDS,
            start=begin,
            end=end,
            subject=problem.strip(_MARKS),
            value=solution.strip(" .,!"),
        )

    def _undone(self, lead: str) -> bool:
        """Return whether the words before a phrase deny it, suppose it or put it in the future."""
        clause = re.split("[,;:] ", lead)[-1]
        supposed = re.match(r"(?:if|unless|suppose)\b", lead)
        return supposed is not None or self._tables["undone"].search(clause) is not None

    def _place(self, start: int, end: int) -> tuple[int, int]:
        """Return the position in the text of a part of the sentence."""
        shift = len(self._said.sentence.plain) - len(self._form)
        return self._said.sentence.place(start + shift, end + shift, done=False)

    def _written(self, start: int, end: int) -> str:
        """Return a part of the sentence as it was written in the text."""
        begin, stop = self._place(start, end)
        return self._text[begin:stop]

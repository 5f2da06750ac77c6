"""Finds lasting statements in a user's message, and leaves out clauses that only resemble them."""

from __future__ import annotations

from varves.capture import cues, tongues
from varves.capture.accounts import tells_all
from varves.capture.asked import asked_to_keep
from varves.capture.clauses import clauses, masked
from varves.capture.corrections import (
    BRIEF,
    NOT_THAT,
    OUR_OWN,
    PRACTICE,
    RUN_SO,
    is_narrow,
    is_right,
)
from varves.capture.nearmisses import (
    holds_now,
    is_echo,
    is_idiom,
    is_mocked,
    is_moment,
    is_of_code,
    is_passing,
    is_past,
    is_plan,
    is_pointing,
    is_question,
    is_unsettled,
    spoils,
)
from varves.capture.own_words import own_words
from varves.capture.retractions import is_mere, may_retract, retraction, said_instead
from varves.capture.weighing import Occasion, orders, weighed
from varves.language.english.tongue import ENGLISH
from varves.language.sentences import plain
from varves.values.text import words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.capture.clauses import MessageSentence
    from varves.capture.cue import Cue
    from varves.capture.weighing import Weighed
    from varves.language.tables import PhraseTable

    _Cues = tuple[Cue | PhraseTable, ...]

SHORTEST = 4  # the fewest words of a clause
FIRM = 5  # the fewest words of a correction or a statement
ENOUGH = 0  # a clause with at least this weight is a statement
CONTINUING = -10  # a clause with at least this weight may continue a statement
LONGEST = 90  # the most words of a message that is weighed; a longer one describes a task
LENGTHY = 700  # in characters; a longer clause is no statement, unless somebody asks to remember it
NOWHERE = Occasion()
MANY = 3  # the most lasting clauses of one message; more of them indicate a pasted text

_RULES: _Cues = (
    cues.ORDER,
    cues.CONDITIONED,
    cues.EVERY,
    cues.NONE,
    cues.BARRED,
    cues.ASKING_FIRST,
    cues.PLURAL_DUTY,
    cues.RULED,
    cues.USE_ONLY,
    cues.IN_THIS,
    tongues.ORDER,
    *(ENGLISH.acts[one] for one in ("orders_of_a_kind", "requires_a_way", "needs_consent")),
    ENGLISH.acts["spreads_as_a_rule"],
)
_MARKS = " ,.:;-!"
_PREFERENCES: _Cues = (
    cues.PREFERS,
    cues.LIKES,
    cues.BETTER,
    cues.MANNER,
    tongues.PREFERS,
    ENGLISH.acts["wants_each_time"],
)
_BRIEF: _Cues = (cues.MANNER, cues.PREFERS, tongues.PREFERS)
_FACTS: _Cues = (
    cues.OURS,
    cues.WE_DO,
    cues.WE_ARE_ON,
    cues.WE_HAVE,
    cues.RECURS,
    cues.KEPT_SO,
    cues.PRODUCTION,
    cues.ROLE,
    tongues.HERE,
)
_DEFINITE: _Cues = tuple(ENGLISH.acts[one] for one in ("keeps_so", "names"))


_SETTLED: _Cues = (
    *(cues.DECIDED, cues.KEPT, cues.SETTLED_BY_NAME, cues.AGREED, tongues.DECIDED),
    *(ENGLISH.acts[one] for one in ("declines", "spreads")),
)
_LOOSE: _Cues = (
    cues.OURS,
    cues.WE_DO,
    cues.KEPT_SO,
)  # after a "no", these are about the code as often as about conventions
_RIGHT: _Cues = (
    *(cues.GENERAL, OUR_OWN, PRACTICE, RUN_SO, *_RULES),
    *(one for one in _FACTS if one not in _LOOSE),
    *_DEFINITE,
)
_SOUNDING: _Cues = (
    *(cues.KEEP, tongues.KEEP, cues.LASTING, tongues.LASTING, *_RULES, *_SETTLED, cues.CHOSEN),
    *(
        *_PREFERENCES,
        BRIEF,
        cues.HABIT,
        ENGLISH.acts["introduces"],
        cues.ABOUT_ME,
        cues.WE_TAKE,
        *_FACTS,
    ),
    *_DEFINITE,
)


_TOLD_CURED = (cues.CHANGED, cues.BLAMED, cues.NOW_FINE)


class LastingWords(Value):
    """One lasting statement in a message."""

    kind: str
    text: str
    why: tuple[str, ...] = ()
    """The signs by which the statement was found; () if a cue marks it as lasting."""


class _Heard(Value):
    """A clause of a message, and the signs that it is a lasting statement."""

    marked: LastingWords | None = None
    """The statement, if a cue marks it as lasting."""
    weighed: Weighed | None = None
    """The weight of the clause; None if a near miss excludes it."""
    text: str = ""


def lasting_words(text: str, occasion: Occasion = NOWHERE) -> list[LastingWords]:
    """Return the lasting statements of a user's message.

    Args:
        text: the message as written.
        occasion: the situation in which the message was written.
    """
    parts = [_unordered(one) for one in clauses(own_words(text))]
    rejects = bool(parts) and _behind(parts[0].plain) != parts[0].plain
    asked = [_asked(one) for one in parts]
    sounding = [_sounds(one, rejects=rejects) for one in parts]
    weights: list[Weighed | None] = [None] * len(parts)
    if sum(len(one.plain.split()) for one in parts) <= LONGEST:
        weights = [_weight(one, occasion.replace(rejects=rejects)) for one in parts]
    fix = _cured(parts)
    if not (any(asked) or any(sounding) or fix or any(map(_is_core, weights))):
        return []
    if spoils(text, dictated=not any(asked)):
        return []
    mocked = is_mocked(parts)
    if mocked:
        weights, asked = [None] * len(parts), [None] * len(parts)
    if fix is not None:
        return [] if mocked else [fix]
    marked = [
        _marked(one, rejects=rejects, mocked=mocked) if sounds and known is None else known
        for one, sounds, known in zip(parts, sounding, asked, strict=True)
    ]
    for at in _taken_back(parts, marked, weights):
        marked[at] = weights[at] = None
    found = _joined(parts, marked, weights, rejects=rejects, occasion=occasion)
    return [] if len(found) > MANY else found


_SUBJECT = 2  # the first words of a clause that says something else of the same thing


def _taken_back(
    parts: list[MessageSentence],
    marked: list[LastingWords | None],
    weights: list[Weighed | None],
) -> list[int]:
    """Return the indices of the clauses that a later clause of the same message takes back."""
    found: list[int] = []
    for at, clause in enumerate(parts):
        back = retraction(clause) if may_retract(clause.plain) else None
        if back is None and 0 < at < len(parts) - 1 and clause.plain.rstrip(".! ") == "no":
            before, after = (words(parts[n].plain)[:_SUBJECT] for n in (at - 1, at + 1))
            found += [at - 1] if before == after else []  # "The day is Monday. No. The day is …"
        if back is None:
            continue
        if is_mere(clause):
            found.append(at)
        earlier = [n for n in range(at) if n not in found and (marked[n] or _is_core(weights[n]))]
        if back.names:
            found += [n for n in earlier if not back.names.isdisjoint(words(parts[n].plain))]
        elif back.kinds:
            found += [n for n in earlier if (one := marked[n]) and one.kind in back.kinds][-1:]
        else:
            found += earlier[-1:]
    return found


def _asked(clause: MessageSentence) -> LastingWords | None:
    """Return the statement that a clause asks to remember, or None."""
    found = None if clause.quoted else asked_to_keep(clause.text)
    if found is None:
        return None
    what, firm = found
    said = plain(masked(what)).removesuffix(" here")
    if is_unsettled(said) or is_passing(said) or holds_now(what) is None:
        return None
    kind = _kind(said, mocked=False, echo=False)
    if kind == "rule" and not cues.OPENS_RULE.match(said):
        kind = "statement"
    if kind is None and not firm and (orders(said) or cues.ACTING.match(said)):
        return None
    return LastingWords(kind=kind or "statement", text=what)


def _weight(clause: MessageSentence, occasion: Occasion) -> Weighed | None:
    """Return the signs in a clause for and against a lasting statement, and their sum; or None.

    It is None if the clause asks, doubts, reports, or is only about the current task.
    """
    said = clause.plain
    if clause.quoted or clause.asks or len(said.split()) < SHORTEST:
        return None
    found = weighed(_behind(said) if occasion.rejects else said, occasion)
    if found.weight < CONTINUING or is_question(clause):
        return None
    if is_unsettled(said) or is_passing(said) or is_past(said) or is_idiom(said):
        return None
    if is_of_code(said):
        return None
    return found


def _unordered(clause: MessageSentence) -> MessageSentence:
    """Return a clause without a request before its statement and a time after its statement.

    In "plot it, and for figures I like …" the words "plot it" are removed, and in "we ship at 30
    Hz, Bea agreed this morning" the words "this morning".
    """
    head, comma, rest = clause.text.partition(", ")
    turn, _, after = rest.partition(" ")
    if (
        comma
        and turn in ("and", "but", "also")
        and len(after.split()) >= FIRM
        and orders(plain(head))
        and not orders(plain(after))
    ):
        clause = clause.replace(text=after, plain=plain(masked(after)))
    clause = _without_consequence(clause)
    head, comma, rest = clause.text.rpartition(", ")
    if comma and len(head.split()) >= FIRM and cues.AGREED_WHEN.search(plain(rest)):
        clause = clause.replace(text=head, plain=plain(masked(head)))
    return clause


def _without_consequence(clause: MessageSentence) -> MessageSentence:
    """Return a clause without the part that only states a consequence for the current task.

    In "we decided on X, so no framework for this form" the words from "so" on are removed.
    """
    found = cues.CONSEQUENCE.search(clause.text)
    if found is None:
        return clause
    head, rest = clause.text[: found.start()], plain(masked(found["rest"]))
    if len(head.split()) < FIRM or not (is_passing(rest) or orders(rest)):
        return clause
    return clause.replace(text=head, plain=plain(masked(head)))


def _is_core(one: Weighed | None) -> bool:
    return one is not None and one.core and one.weight >= ENOUGH


def _joined(
    parts: list[MessageSentence],
    marked: list[LastingWords | None],
    weights: list[Weighed | None],
    *,
    rejects: bool,
    occasion: Occasion,
) -> list[LastingWords]:
    """Return the statements of a message.

    If a clause continues a statement, it is added to the statement.
    """
    found: list[LastingWords] = []
    at = 0
    while at < len(parts):
        known = marked[at]
        if known is not None:
            found.append(known)
            at += 1
            continue
        end = at
        while end < len(parts) and marked[end] is None and _continues(weights[end]):
            end += 1
        run = [one for one in weights[at:end] if one is not None]
        if any(map(_is_core, run)):
            why = tuple(dict.fromkeys(name for one in run if _is_core(one) for name in one.signs))
            found.append(
                LastingWords(
                    kind=_weighed_kind(why, rejects=rejects, occasion=occasion),
                    text=" ".join(
                        _without_no(one) if rejects else one.text for one in parts[at:end]
                    ),
                    why=why,
                )
            )
        at = max(end, at + 1)
    return found


def _continues(one: Weighed | None) -> bool:
    return one is not None and one.weight >= CONTINUING


def _weighed_kind(why: tuple[str, ...], *, rejects: bool, occasion: Occasion) -> str:
    """Return the kind of a statement that was found by the weight of its signs and not by a cue."""
    if "habit" in why or "to me" in why:
        return "preference"
    if rejects:
        return "correction"
    if "settled" in why or occasion.offered:
        return "decision"
    if "duty" in why or "anything of a kind" in why or ("general" in why and "we" in why):
        return "rule"
    return "statement"


def _without_no(clause: MessageSentence) -> str:
    """Return the text of a clause without the "no" at its beginning."""
    behind = _behind(clause.plain)
    if behind == clause.plain or not cues.REJECTS.match(clause.plain):
        return clause.text
    return clause.text[len(clause.text) - _length_behind(clause.text, behind) :]


def _sounds(clause: MessageSentence, *, rejects: bool) -> bool:
    """Return whether a clause has any word that may mark a lasting statement."""
    if clause.quoted or _is_short(clause.plain) or len(clause.text) > LENGTHY:
        return False
    said = _behind(clause.plain) if rejects else clause.plain
    cued = (*_SOUNDING, *_RIGHT) if rejects else _SOUNDING
    return any(one.search(said) for one in cued) or is_right(said)


def _is_short(said: str) -> bool:
    """Return whether a clause has too few words to be a statement.

    A preference needs only three words.
    """
    count = len(said.split())
    if count == SHORTEST - 1:
        return not any(one.search(said) for one in _BRIEF)
    return count < SHORTEST


def _marked(clause: MessageSentence, *, rejects: bool, mocked: bool) -> LastingWords | None:
    """Return the lasting statement that a cue marks in one clause, or None."""
    text = None if is_question(clause) else holds_now(clause.text)
    if text is None:
        return None
    said = clause.plain if text == clause.text else plain(text)
    if rejects and (behind := _behind(said)) != said:
        if cues.REJECTS.match(said):  # "not jest" stays in the text, because it has content
            text = text[len(text) - _length_behind(text, behind) :]
        said = behind
    if _is_short(said) or is_unsettled(said):
        return None
    if rejects and is_right(said):
        left = mocked or is_moment(said.removeprefix("here ").removeprefix("this "))
        return None if left else LastingWords(kind="correction", text=text)
    if is_passing(said) or (rejects and is_narrow(said)):
        return None
    if rejects and _corrects(said):
        return LastingWords(kind="correction", text=text)
    what = cues.KEEP.match(said) or tongues.KEEP.match(said)
    kind = _kind(what["what"] if what else said, mocked=mocked, echo=is_echo(clause))
    if what is not None and not mocked and _is_fact(what["what"], kind):
        kind = "statement"
    if kind is None or (rejects and what is None and _is_loose(said, kind)):
        return None
    if what is None and kind in ("rule", "statement") and is_of_code(said):
        return None
    mark = (cues.KEEP.match(text.lower()) or tongues.KEEP.match(text.lower())) if what else None
    text = said_instead(text) if mark is None else text[mark.start("what") :]
    return LastingWords(kind=kind, text=text)


def _kind(said: str, *, mocked: bool, echo: bool) -> str | None:
    """Return the first kind of statement that fits a clause; None if no kind fits."""
    if is_idiom(said) or mocked:
        return None
    lasting = cues.LASTING.search(said) or tongues.LASTING.search(said)
    if not echo and ((lasting and not is_plan(said)) or any(one.search(said) for one in _RULES)):
        return "rule"
    if _decides(said) and not is_pointing(said):
        return "decision"
    if any(one.search(said) for one in _PREFERENCES) or (
        cues.HABIT.search(said) and cues.USUAL.search(said)
    ):
        return "preference"
    return _unmarked(said)


def _unmarked(said: str) -> str | None:
    """Return the kind of a clause that states a fact without words that mark it as lasting."""
    about_me = cues.ABOUT_ME.search(said) or ENGLISH.acts["introduces"].search(said)
    if about_me and not cues.FAILED.search(said):
        return "statement"
    if (is_right(said) or BRIEF.search(said)) and not is_moment(said):
        return "rule" if cues.ACTING.match(said) else "statement"
    if any(one.search(said) for one in _DEFINITE) and not is_moment(said.partition(", ")[0]):
        return "statement"
    if len(said.split()) < FIRM or is_moment(said) or cues.ACTING.match(said):
        return None
    if cues.WE_TAKE.search(said) and cues.TURNED.search(said):
        return "decision"
    if cues.ASKS_TOO.search(said):
        return None
    return "statement" if any(one.search(said) for one in _FACTS) else None


def _decides(said: str) -> bool:
    if any(one.search(said) for one in _SETTLED):
        return True
    if not cues.CHOSEN.search(said):
        return False
    return not cues.PROPOSED.search(said) or cues.WIDE.search(said) is not None


def _behind(said: str) -> str:
    """Return the part of a clause after the word "no", or the whole clause without that word."""
    rejected = cues.REJECTS.match(said) or NOT_THAT.match(said)
    return said[rejected.end() :].lstrip(_MARKS) if rejected else said


def _corrects(said: str) -> bool:
    """Return whether the text after a "no" states what is right in general, not only now."""
    if len(said.split()) < SHORTEST or cues.ACTING.match(said) or is_moment(said):
        return False
    return any(one.search(said) for one in _RIGHT)


def _length_behind(text: str, said: str) -> int:
    """Return the number of characters of a text that follow the word "no"."""
    kept, parts = len(said.split()), text.split()
    for count in range(1, len(parts)):  # a contraction is two words in the plain form
        rest = " ".join(parts[count:])
        if len(plain(rest).split()) <= kept:
            return len(rest.lstrip(_MARKS))
    return 0


def _is_loose(said: str, kind: str) -> bool:
    """Return whether "we" or "is" is the only sign that a clause after "no" will stay true."""
    if kind == "statement":
        return cues.ABOUT_ME.search(said) is None
    return kind == "decision" and not _decides(said)


def _is_fact(what: str, kind: str | None) -> bool:
    """Return whether a text to remember is a fact, and not a task or a temporary state."""
    if kind is not None:
        return kind == "rule" and not cues.OPENS_RULE.match(what)
    if len(what.split()) < SHORTEST or is_moment(what) or cues.ACTING.match(what):
        return False
    return not what.startswith(("i ", "to ", "about "))


def _cured(parts: list[MessageSentence]) -> LastingWords | None:
    """Return an error and its fix if a user states both in one clause or in two, otherwise None."""
    for place, clause in enumerate(parts):
        near = parts[place : place + 2]
        for some in (near[:1], near):
            said = " ".join(f"{one.plain} {one.text.lower()}" for one in some)
            cured = (
                (cues.CURED.search(said) and cues.FAILED.search(said))
                or ENGLISH.acts["tells_a_fix"].search(said)
                or all(one.search(said) for one in _TOLD_CURED)
                or tells_all(". ".join(one.plain for one in some))
            )
            if not cured:
                continue
            if not is_unsettled(clause.plain) and not any(is_question(one) for one in some):
                return LastingWords(kind="error_fix", text=" ".join(one.text for one in some))
    return None

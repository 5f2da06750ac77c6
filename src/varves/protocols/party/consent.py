"""Decides whether a turn agrees with a whole proposal, or only with a part of it.

Agreement that names its object ("right about the cache", "the tape part makes sense") holds for
the parts of the proposal that it names. Agreement with a reservation ("Good idea, but not this
year") holds for none.
"""

from __future__ import annotations

import re

from varves.language.acts import AGREES as AGREE
from varves.language.acts import OPPOSES, SUPPORTS, Situation
from varves.language.english.tongue import ENGLISH
from varves.language.reader import read
from varves.protocols.party.relations import AGREES
from varves.protocols.party.relevance import significant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.language.reader import Said
    from varves.protocols.party.turns import Heard

WHOLLY, PARTLY = "wholly", "partly"
_ANSWER = Situation(tabled=True, answers=True, told=True)
_PARTS = re.compile(r"\s+(?:and|plus|then)\s+|[,;]\s*(?:and\s+|then\s+)?", re.IGNORECASE)
_ENDS = re.compile(r"[,;:.!?\u2014]|\s(?:because|since|so|as)\s|\s-\s", re.IGNORECASE)
_OPENS = re.compile(r"^.*[,;:.!?\u2014]\s*")
_WHOLE = re.compile(
    r"\b(?:(?:plan|proposal|idea|suggestion|approach|compromise|both|all|everything|every|each)\b"
    r"|(?:that|this|it)\W*$)",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"^\W*(?:\S+\s+){0,4}?(?:about|on|with|for|to|regarding|concerning|that)\b", re.IGNORECASE
)
_YES = re.compile(
    r"(?:(?:yes|yeah|yep|yup|sure|right|correct|true|exactly|ok|okay|fine|good)\b[,.!]*\s*)+"
)
_CONSENTING = significant("second support accept approve back endorse plan agree fine sound")


def answered(one: Heard, speaker: str, proposal: str, *, follows: bool) -> str | None:
    """Return whether a turn accepts a speaker's proposal wholly or partly; None if neither.

    If it `follows` the proposal directly, a single word such as "yes" accepts it.
    """
    if one.turn.type == "agreement" and (one.turn.to or one.answers) == speaker:
        return WHOLLY
    found = [*_agreements(one, speaker)] or [*(_supports(one) if follows else ())]
    meant = (one.turn.to or one.answers) == speaker
    adopts = meant and (says(one, "adopts") or says(one, "concludes"))
    echoes = follows and meant and _echoes(one, proposal)
    if not found and not adopts and not echoes:
        return None
    if any(ENGLISH.acts["reserves"].search(each.plain) for each in one.spoken):
        return PARTLY
    told = {_of(proposal, before, agreed) for before, agreed in found}
    if PARTLY in told:
        return PARTLY
    return WHOLLY if WHOLLY in told or adopts or echoes else None


def _echoes(one: Heard, proposal: str) -> bool:
    """Return whether a turn says yes, and repeats only words of the proposal: "yes, Friday"."""
    if len(one.spoken) != 1 or one.spoken[0].asks or one.spoken[0].said.guards.denies:
        return False
    plain = one.spoken[0].plain
    said = _YES.match(plain)
    return said is not None and significant(plain[said.end() :]) <= significant(proposal)


def says(one: Heard, table: str) -> bool:
    """Return whether a turn's own sentences have a phrase of a table."""
    return any(ENGLISH.acts[table].search(each.plain) for each in one.spoken if each.is_own)


def _agreements(one: Heard, speaker: str) -> Iterator[tuple[str, str]]:
    """Yield the words before each phrase that agrees with the speaker, and from it on."""
    if any((bond.relation, bond.other) == (AGREES, speaker) for bond in one.bonds):
        for each in one.spoken:
            yield from _around(one.marked, each.said, AGREE)


def _supports(one: Heard) -> Iterator[tuple[str, str]]:
    """Yield the words around each phrase that supports the last proposal, if nothing opposes it."""
    heard = read(one.marked, _ANSWER, kinds=(SUPPORTS, OPPOSES), strictly=True)
    if not any(each.act(OPPOSES) or each.guards.supposes or each.guards.asks for each in heard):
        for each in heard:
            yield from _around(one.marked, each, SUPPORTS)


def _around(text: str, said: Said, kind: str) -> Iterator[tuple[str, str]]:
    sentence = said.sentence
    for act in said.acts:
        if act.kind == kind:
            yield text[sentence.start : act.start], text[act.start : sentence.end]


def _of(proposal: str, before: str, told: str) -> str | None:
    """Return whether agreement in these words is with a whole proposal, a part, or neither."""
    ends = _ENDS.search(told)
    told = told[: ends.start()] if ends else told
    words = significant(f"{_OPENS.sub('', before)} {told}") - _CONSENTING
    parts = [part for part in map(significant, _PARTS.split(proposal)) if part]
    if any(words & part for part in parts):
        return WHOLLY if all(words & part for part in parts) else PARTLY
    attached = _ATTACHED.match(told)
    elsewhere = attached is not None and significant(told[attached.end() :])
    return None if elsewhere and not _WHOLE.search(told) else WHOLLY

"""Recognises the turns with which an agent gives in to what another has just said.

A plain concession ("I stand corrected") says so. Everyday talk rather admits the point and goes on
with what applies instead: "Fair point. Black and white then." Admitting alone is not enough, and a
reservation ("Fair point, but …") concedes nothing.
"""

from __future__ import annotations

import re

from varves.language.acts import CONCEDES, GRANTS, YIELDS
from varves.language.english.tongue import ENGLISH
from varves.protocols.party.relations import AGREES, DISAGREES
from varves.protocols.party.relevance import significant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.turns import Heard

_UNSURE = re.compile(r"\b(?:maybe|perhaps|possibly|might|could be|partly|almost|nearly)\b")
_SEPARATE = re.compile(r"^\s*(?:then\b)?\s*[.!,;:\u2026]*\s*")
_SHORT = 3  # the most significant words with which somebody only takes up the other's words


def concedes(one: Heard, own: Sequence[TurnSentence]) -> bool:
    """Return whether a turn says that its speaker concedes, and does not take it back."""
    turns = re.compile(ENGLISH.turn)
    if one.turn.type != "statement" or any(turns.match(each.plain) for each in own):
        return False
    if any(bond.relation == DISAGREES for bond in one.bonds):
        return False
    keeps = ENGLISH.acts["keeps"]
    if not any(keeps.search(each.plain) for each in one.spoken) and any(
        each.act(GRANTS) for each in own
    ):
        return True
    kinds = (CONCEDES, YIELDS) if one.named or one.answers else (CONCEDES,)
    return any(_gives_in(each, kinds) for each in own)


def _gives_in(sentence: TurnSentence, kinds: Sequence[str]) -> bool:
    """Return whether a sentence concedes, and keeps nothing back outside the words that do so."""
    if _UNSURE.search(sentence.plain):
        return False
    for kind in kinds:
        found = ENGLISH.acts[kind].search(sentence.plain)
        if found is not None and sentence.act(kind) is not None:
            rest = f"{sentence.plain[: found.start()]} {sentence.plain[found.end() :]}"
            if not ENGLISH.acts["keeps"].search(rest):
                return True
    return False


def settles(one: Heard, theirs: frozenset[str]) -> bool:
    """Return whether a turn admits what was just said, and settles for it.

    `theirs` are the significant words of the other side. Somebody who only repeats a few of them
    ("OK, oaks.") takes them up.
    """
    if one.turn.type != "statement" or any(bond.relation == DISAGREES for bond in one.bonds):
        return False
    own = [each for each in one.spoken if each.is_own]
    if len(own) < len(one.spoken) or not own or _holds_back(own):
        return False
    admitted = ENGLISH.acts["admits"].match(own[0].plain)
    if admitted is None:
        return False
    rest = _SEPARATE.sub("", own[0].plain[admitted.end() :], count=1)
    parts = [part for part in (rest, *(each.plain for each in own[1:])) if part]
    if any(ENGLISH.acts["settles_for"].search(part) for part in parts):
        return True
    words = frozenset[str]().union(*map(significant, parts))
    return bool(words) and len(words) <= _SHORT and words <= theirs


def agrees_wholly(one: Heard, other: str) -> bool:
    """Return whether a turn agrees with an agent, and has no reservation."""
    related = [(bond.relation, bond.other) for bond in one.bonds]
    keeps = ENGLISH.acts["keeps"]
    kept = any(keeps.search(each.plain) for each in one.spoken)
    return related == [(AGREES, other)] and not kept and not _holds_back(one.spoken)


def _holds_back(own: Sequence[TurnSentence]) -> bool:
    return any(
        ENGLISH.acts["reserves"].search(each.plain) or _UNSURE.search(each.plain) for each in own
    )


def insists(one: Heard, mine: frozenset[str]) -> bool:
    """Return whether a turn that settles for something only repeats the speaker's own proposal."""
    plain = " ".join(each.plain for each in one.spoken)
    if re.search(r"\b(?:do|try) (?:it|that|this)\b|\bgo (?:ahead|for it)\b", plain):
        return True
    denied = re.search(r"\b(?:no|not|never|drop|skip|leave|scrap|forget|without)\b", plain)
    words = significant(plain)
    return bool(words) and words <= mine and denied is None

"""Splits a turn into sentences in plain letters, with the named agents marked.

Only the speaker's own statements about the present count. Quoted speech, code, block quotes and
lines that begin with another agent's name are not the speaker's. Questions, suppositions (`if`,
`suppose` ...) and reports of what another agent says do not count as statements.
"""

from __future__ import annotations

import re
from unicodedata import combining, normalize

from varves.language.sentences import GAP, plain, spans
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST = 1000  # the most characters of a sentence that is read
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^[ \t]*>[^\n]*", re.MULTILINE)
_QUOTES = re.compile(
    r"`[^`\n]+`|\"[^\"\n]*(?:\"|$)|\u201c[^\u201d\n]*(?:\u201d|$)|\u00ab[^\u00bb\n]*(?:\u00bb|$)"
    r"|\u201e[^\u201c\u201d\n]*(?:[\u201c\u201d]|$)"
    r"|(?<!\w)['\u2018](?=\S)[^\n]{0,300}?(?<=\S)['\u2019](?!\w)",
    re.MULTILINE,
)
_BULLET = re.compile(r"\s*(?:[-*+#\u2022]+\s+|\d+[.)]\s+|\[[ x]\]\s+)*", re.IGNORECASE)


class TurnSentence(Value):
    """One sentence of a turn: the original text, and the forms that the rules read."""

    text: str
    plain: str
    """Lower case, without accents and contractions; `_` for parts that are not the speaker's."""
    placed: str
    """The same with `@0`, `@1` ... for the party's agents."""
    asks: bool


class Names:
    """Finds agents of a party by name or display name, as whole words.

    A name that two agents share identifies neither.
    """

    def __init__(self, agents: Mapping[str, str]) -> None:
        self.agents = tuple(agents)
        holders: dict[tuple[str, ...], set[int]] = {}
        for place, (name, display) in enumerate(agents.items()):
            for form in (name, display):
                parts = tuple(_WORD.findall(_bare(form)))
                if parts and parts not in _NO_NAMES:
                    holders.setdefault(parts, set()).add(place)
        self._places = {
            " ".join(parts): min(held) for parts, held in holders.items() if len(held) == 1
        }
        forms = sorted(holders, key=lambda parts: (-len(" ".join(parts)), parts))
        named = "|".join(r"[\s_-]+".join(map(re.escape, parts)) for parts in forms)
        self._named = re.compile(rf"(?<![\w-])(?:{named})(?!\w|-\w|[./@]\w)") if forms else None

    def place(self, plain: str) -> str:
        """Replace each agent's name in a folded text by `@n`."""
        return self._named.sub(self._mark, plain) if self._named else plain

    def _mark(self, found: re.Match[str]) -> str:
        place = self._places.get(" ".join(_WORD.findall(found[0])))
        return "_" if place is None else f"@{place}"

    def read(self, marks: str) -> list[str]:
        """Return the agents whose marks a placed text contains, each once, in order."""
        found = dict.fromkeys(int(mark) for mark in re.findall(r"@(\d+)", marks))
        return [self.agents[place] for place in found]


_WORD = re.compile(r"[^\W_]+")
_NO_NAMES = frozenset(
    (word,)
    for word in (
        *("i", "you", "we", "me", "us", "it", "that", "this", "he", "she", "they"),
        *("not", "and", "but", "with", "is", "are"),
    )
)


def _bare(text: str) -> str:
    """Fold case and accents."""
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    return text.casefold().replace("\u2019", "'").replace("\u2018", "'")


def folded(text: str) -> str:
    """Fold case, accents, white space, contractions and the `@` of mentions."""
    return plain(re.sub(r"(?<!\w)@(?=\w)", "", _bare(text)))


def sentences(text: str, names: Names, speaker: str) -> list[TurnSentence]:
    """Return the sentences of a turn that are the speaker's own."""
    own = text
    for foreign in (_FENCED, _BLOCK, _QUOTES):
        own = foreign.sub(lambda found: GAP * len(found[0]), own)
    return [
        made
        for start, end in spans(own, parts=False)
        if (made := _sentence(text[start:end], own[start:end], names, speaker)) is not None
    ]


def _sentence(text: str, own: str, names: Names, speaker: str) -> TurnSentence | None:
    lead = _BULLET.match(own)
    begin = lead.end() if lead else 0
    text, own = text[begin:].strip(), own[begin:].strip()
    if len(own) > LONGEST or not own.replace(GAP, "").strip():
        return None
    form = folded(own)
    placed = names.place(form)
    if own.startswith("@"):  # a mention at the beginning addresses the agent
        placed = re.sub(r"^(@\d+)\s+", r"\1, ", placed)
    label = re.match(r"@(\d+)\s*:\s*", placed)
    if label:
        if names.agents[int(label[1])] != speaker:
            return None  # a line of a transcript with another agent's words
        text = text.partition(":")[2].strip()
        placed = placed[label.end() :]
        form = form.partition(":")[2].strip()
    asks = re.sub(r"[\s\"'`)*_\u201d\]]+$", "", own).endswith("?")
    return TurnSentence(text=text, plain=form, placed=placed, asks=asks)


_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|assuming|imagine|in case|provided that|what if"
    r"|as long as|hypothetically|were (?:we|i) to)\b"
)
_REPORTS = (
    r"(?:say|says|said|saying|tell|tells|told|think|thinks|thought|claim|claims|claimed|believe"
    r"|believes|believed|argue|argues|argued|prefer|prefers|preferred|assume|assumes|assumed|feel"
    r"|feels|felt|noticed|notices|found|insists?|insisted|suggests?|suggested|wrote|writes)"
)
_OTHERS = (
    r"(?:@\d+|he|she|they|you|some|someone|somebody|people|everyone|everybody|nobody|many|others)"
)
_REPORTED = re.compile(
    rf"\b(?:according to|in the words of|to quote|quote)\b|(?<![\w@]){_OTHERS}\s+"
    rf"(?:(?:also|still|always|once|just|has|have|had|would|will|may|might|do|does|did|not)\s+)*"
    rf"{_REPORTS}\b"
)


def is_own(sentence: TurnSentence) -> bool:
    """Return whether a sentence is the speaker's own statement: no question, no `if`."""
    return not (
        sentence.asks or _SUPPOSED.search(sentence.plain) or _REPORTED.search(sentence.placed)
    )

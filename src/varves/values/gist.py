"""The gist of a text: its statements in a form in which they can be compared.

Each clause has the stems of its words in order, its numbers with their positions, the words written
like names, and whether it is negated. Endings, articles and similar words are left out. A word that
may change the meaning of a statement is always kept.
"""

from __future__ import annotations

from varves.values.lexicon import (
    ABOUT,
    AUXILIARY,
    CHANGE,
    COUNTS,
    FILLER,
    GENERIC,
    GONE,
    HEDGE,
    JOINING,
    LACKING,
    NEGATION,
    PERSONAL,
    PLAIN,
    ROLES,
    SUBJECTS,
    WHEN,
)

MAX_CHARS = 4000  # of a text, the characters that are analysed; the rest is compared as one string
MAX_CLAUSES = 10
_OPENING = "\"'`([{\u201c\u2018«„"
_CLOSING = "\"'`)]}\u201d\u2019»"
_EMPHASIS = "*_~"
_ENDS = ".,;:!?…。"  # NFKC has already folded the full-width forms
_AFTER = _ENDS + _CLOSING
_STOPS = frozenset(".;!?…。")
_MARKS = frozenset(
    "-\u2013—•·|\\#_~*&@\"'`()[]{}\u201c\u201d\u2018\u2019«»„" + _ENDS
)  # a word of these characters alone states nothing
_SIGNS = "$€£¥~#+-±"
_CONTRACTED = frozenset(("m", "ve", "re", "ll", "d", "s"))
_RAISED = {0xB2: "^2", 0xB3: "^3", 0xB9: "^1"}  # otherwise NFKC would turn "ten squared" into 102
_RAISED |= {0x2070 + digit: f"^{digit}" for digit in (0, *range(4, 10))}
_SELF = frozenset(("i", "my", "me", "mine", "im", "ive"))
_VOWELS = frozenset("aeiouy")
_SHORTEST = 3


class Clause:
    """One statement of a text (a sentence or a part of one), prepared for comparison."""

    __slots__ = (
        *("capital", "first", "frame", "generic", "gone", "hedged", "leads", "names", "negated"),
        *("numbers", "order", "personal", "said", "slots", "states", "whole"),
    )

    def __init__(self) -> None:
        self.order: list[str] = []  # the stems of the words that name its subject, without numbers
        self.frame: frozenset[str] = frozenset()
        self.said: dict[str, str] = {}  # each stem as it was written
        self.leads: dict[str, str] = {}  # the word before each stem
        self.names: set[str] = set()
        self.numbers: list[str] = []
        self.slots: list[tuple[str, int]] = []  # each number and its position among the stems
        self.negated = False
        self.gone = False  # it states that something is no longer true
        self.hedged = False  # it states a possibility, not a fact
        self.generic = False  # it is about a kind of thing, not a definite thing
        self.capital = False  # its first word is written like a name
        self.whole = False  # it is a sentence of several parts
        self.personal = False
        self.states = True  # it can be understood without the other parts
        self.first = ""

    def add(self, part: Clause) -> None:
        """Append another part of the same sentence to this clause."""
        self.slots += [(number, place + len(self.order)) for number, place in part.slots]
        self.order += part.order
        self.said |= part.said
        self.leads |= part.leads
        self.numbers += part.numbers
        self.names |= part.names
        self.negated = self.negated or part.negated
        self.hedged = self.hedged or part.hedged
        self.generic = self.generic or part.generic
        self.first = self.first or part.first


class Gist:
    """A text in a form in which it can be compared: its statements and what they contain."""

    __slots__ = ("asks", "changes", "clauses", "frame", "negations", "numbers", "order", "rest")

    def __init__(self) -> None:
        self.order: tuple[str, ...] = ()  # all words that `alike` compares, in order
        self.frame: frozenset[str] = frozenset()
        self.clauses: list[Clause] = []
        self.numbers: tuple[str, ...] = ()
        self.negations = 0
        self.changes = False
        self.asks = False
        self.rest = ""

    @property
    def personal(self) -> bool:
        """Whether the text is about its speaker."""
        return not _SELF.isdisjoint(self.order)


def gist(text: str) -> Gist:
    """Prepare a text for comparison."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text.translate(_RAISED))
    made = Gist()
    reading = _Reading(made, shouted=text.isupper())
    if len(text) > MAX_CHARS:
        text, made.rest = text[:MAX_CHARS], " ".join(text[MAX_CHARS:].split())
    for line in text.split("\n"):
        for raw in line.split():
            if raw.isalnum():
                reading.take(raw, quoted=False)
            else:
                reading.take_marked(raw)
        reading.end_sentence(asked=False)
    order = reading.order
    made.order = tuple(order)
    made.rest = made.rest if order else " ".join(text.casefold().split())
    made.numbers = tuple(token[1:] for token in order if token[0] == "#")
    made.frame = frozenset().union(*(clause.frame for clause in made.clauses))
    return made


class _Reading:
    """Reads a text word by word into clauses."""

    __slots__ = ("before", "clause", "made", "opening", "order", "parts", "shouted")

    def __init__(self, made: Gist, *, shouted: bool) -> None:
        self.made = made
        self.shouted = shouted
        self.order: list[str] = []
        self.clause = Clause()
        self.parts = [self.clause]
        self.opening = True  # the next word is the first of its sentence
        self.before = ""

    def take_marked(self, raw: str) -> None:
        """Read a word with punctuation; end the clause or sentence if the punctuation ends it."""
        word = raw.lstrip(_OPENING)
        bare = word.rstrip(_AFTER)
        end = word[len(bare) :].strip(_CLOSING)
        if len(bare) > 2 and bare[0] in _EMPHASIS and bare[-1] == bare[0]:
            bare = bare.strip(bare[0])
        if not bare or _MARKS.issuperset(bare):
            bare, end = "", end or ("," if raw in "\u2013—" else "")
        if bare:
            self.take(bare, quoted=word is not raw and len(word) != len(raw))
        if end and not _STOPS.isdisjoint(end):
            self.end_sentence(asked="?" in end)
        elif end and not end.strip(",") and (self.clause.order or self.clause.numbers):
            self.begin_part()

    def begin_part(self) -> None:
        """Start the next part of the sentence."""
        self.clause = Clause()
        self.parts.append(self.clause)

    def end_sentence(self, *, asked: bool) -> None:
        """Store the sentence's statements, and start the next sentence."""
        self.made.asks = self.made.asks or asked
        _close(self.made, self.parts, asked=asked)
        self.clause = Clause()
        self.parts = [self.clause]
        self.opening, self.before = True, ""

    def take(self, word: str, *, quoted: bool) -> None:
        """Read one word."""
        low = word.casefold()
        opening, self.opening = self.opening, False
        capitals = word.isupper() and not self.shouted and (len(word) > 1 or word == "A")
        capitals = capitals and not (opening and len(word) == 1)
        if not capitals and not quoted:
            if word in SUBJECTS and self.before in JOINING and self.clause.order:
                self.begin_part()
            low = _uncontracted(low) if "'" in low or "\u2019" in low else low
            role = ROLES.get(low, 0)
            if role and self._plays(low, role, opening=opening):
                self.before = low
                return
        number = _number(low)
        if number:
            self._count(number)
        elif low:
            self._name(word, low, opening=opening, named=capitals or quoted)
        self.before = low

    def _plays(self, low: str, role: int, *, opening: bool) -> bool:
        """Record the effects of a word such as a negation or a filler.

        Return whether the word has no other use, so that it names nothing.
        """
        clause = self.clause
        if role & NEGATION:
            self.made.negations += 1
            self.order.append("!")
            clause.negated = clause.negated or low not in LACKING
            return True
        if role & CHANGE:
            self.made.changes = True
        if role & PERSONAL:
            clause.personal = True
        if role & HEDGE:
            clause.hedged = True
        if opening:
            clause.generic = clause.generic or bool(role & GENERIC)
            clause.hedged = clause.hedged or bool(role & WHEN)
        if role & GONE:
            clause.gone = True
        if role & (ABOUT | AUXILIARY):
            self.order.append(low)
        return bool(role & (ABOUT | AUXILIARY | FILLER))

    def _name(self, word: str, low: str, *, opening: bool, named: bool) -> None:
        """Add a word that names what the clause is about."""
        clause = self.clause
        token = PLAIN.get(low) or stem(low)
        self.order.append(token)
        if not clause.first:
            clause.first, clause.capital = token, word[0].isupper()
        clause.order.append(token)
        clause.said[token] = word
        clause.leads[token] = self.before
        if not named:
            if not low.isalpha():
                named = True
            elif not self.shouted:
                named = word[0].isupper() if not opening else not word[1:].islower()
        if named and len(word) > 1:
            clause.names.add(token)

    def _count(self, number: str) -> None:
        """Add a number to the clause.

        A separate per cent sign is joined to the number before it.
        """
        order, clause = self.order, self.clause
        if number == "%":
            if order and order[-1][0] == "#" and order[-1][-1] != "%":
                order[-1] += "%"
                if clause.slots:
                    clause.numbers[-1] += "%"
                    clause.slots[-1] = (clause.numbers[-1], clause.slots[-1][1])
            return
        digits, unit = _unit(number)
        order.append("#" + digits)
        clause.numbers.append(digits)
        clause.slots.append((digits, len(clause.order)))
        if unit:
            order.append(unit)
            clause.order.append(unit)
            clause.said[unit] = unit


def _uncontracted(low: str) -> str:
    """Return a word without its contraction, as `we` for `we'll`; `n't` becomes `not`."""
    head, _, tail = low.replace("\u2019", "'").rpartition("'")
    if tail == "t" and head.endswith("n"):
        return "not"
    return head if not tail or tail in _CONTRACTED else low


def _number(low: str) -> str:
    """Return a number in its plain form, or "" if the word is not a number."""
    if low.isalpha():
        return COUNTS.get(low, "")
    if low == "%":
        return low
    start = low.lstrip(_SIGNS)
    if not start or not (start[0].isdigit() or (start[0] == "v" and start[1:2].isdigit())):
        return ""
    if start[0] == "v":
        return start[1:]
    if "," in start and start.replace(",", "").isdigit():
        start = start.replace(",", "")
    return low[: len(low) - len(low.lstrip(_SIGNS))].strip("~#+±") + start


def _unit(number: str) -> tuple[str, str]:
    """Split a number from an attached unit, as in 90s."""
    if not number[-1].isalpha():
        return number, ""
    cut = len(number)
    while cut and number[cut - 1].isalpha():
        cut -= 1
    unit = number[cut:]
    if not number[:cut].replace(".", "").replace(",", "").isdigit() or unit in ("k", "m", "b"):
        return number, ""
    return number[:cut], unit


def _close(made: Gist, parts: list[Clause], *, asked: bool) -> None:
    """Store the statements of a sentence: each of its parts, and the sentence as a whole."""
    if asked:
        parts = parts[:-1]  # the part before a question's last comma is often a statement
    if len(parts) > 1:
        whole = Clause()
        whole.whole = True
        for part in parts:
            whole.add(part)
            part.states = part is parts[0] or part.personal
        parts = [*parts, whole]
    for part in parts:
        part.frame = frozenset(part.order)
        if part.frame and len(made.clauses) < MAX_CLAUSES:
            made.clauses.append(part)


def stem(word: str) -> str:
    """Return a word without its common English endings."""
    if len(word) <= _SHORTEST or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and word[-2] not in "sui":
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    for ending, least in (("ation", 8), ("ing", 6), ("ed", 5)):
        if word.endswith(ending) and len(word) >= least:
            kept = word[: -len(ending)]
            if not _VOWELS.isdisjoint(kept):
                word = kept + "at" if ending == "ation" else kept
                if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "lsz":
                    word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word

"""Parse a statement into frames: what each clause is about, what it says, and the values in it.

A frame is shallow. It has the content words of one clause with their roles (subject, object, or
the preposition before them), its values, whether it is denied, and its verb. Reasons, asides and
words that only open a sentence are left out. A clause without content has no frame.
"""

from __future__ import annotations

from varves.language.english.verbs import (
    AUXILIARIES,
    CHANGE_VERBS,
    IRREGULAR,
    MODALS,
    VERBS,
    WEAK,
)
from varves.language.english.words import (
    ALSO,
    BOUNDS,
    CHANGES,
    CONDITIONS,
    EMPTY,
    GONE,
    HEDGES,
    NEGATIONS,
    PREPOSITIONS,
    REASONS,
    SOFT,
    UNIVERSAL,
)
from varves.language.tokens import KIND_OF, Word, canonical, words_of

MAX_FRAMES = 8
_DENYING = {  # a word, and the word that it denies
    "forbid": "allow",
    "forbidden": "allow",
    "prohibit": "allow",
    "prohibited": "allow",
    "ban": "allow",
    "banned": "allow",
    "disallow": "allow",
    "disallowed": "allow",
    "deny": "allow",
    "denied": "allow",
    "refuse": "accept",
    "reject": "accept",
    "rejected": "accept",
    "disable": "enable",
    "disabled": "enable",
    "optional": "require",
    "off-limits": "allow",
    "avoid": "use",
    "lack": "have",
    "lacks": "have",
    "unsigned": "sign",
    "unencrypted": "encrypt",
    "unpartitioned": "partition",
    "unsupported": "support",
    "unsafe": "safe",
    "unstable": "stable",
    "impossible": "possible",
    "stop": "do",
    "stopped": "do",
    "skip": "do",
}
_ENABLING = {"enable", "enabled", "on", "active", "activated"}
_AGAINST = {("rather", "than"), ("instead", "of")}


class Frame:
    """What one clause says."""

    __slots__ = (
        *("against", "also", "bounds", "changed", "conditional", "gone", "hedged", "negated", "only"),
        *("passive", "past", "roles", "said", "theme", "universal", "values", "verb", "verbs"),
        *("modal",),
    )

    def __init__(self) -> None:
        self.theme: set[str] = set()
        """The content words, each as the word that stands for its forms and synonyms."""
        self.roles: dict[str, str] = {}
        self.said: dict[str, str] = {}
        self.values: list[tuple[str, object, str, str]] = []
        """Kind, size, the text as written, and role."""
        self.verb = ""
        self.verbs: set[str] = set()
        self.negated = False
        self.bounds: set[str] = set()
        """How values are bounded: before, after, at least, at most, over, under."""
        self.against: set[str] = set()
        """Words that something is preferred to."""
        self.gone: set[str] = set()
        """Words that the clause says are gone."""
        self.conditional: set[str] = set()
        self.changed = False
        self.hedged = False
        self.also = False
        self.only = False
        self.universal = False
        self.passive = False
        self.past = False
        self.modal = ""

    def __repr__(self) -> str:
        deny = "not " if self.negated else ""
        return f"<{deny}{self.verb}: {self.roles} {self.values}>"


class Statement:
    """The frames of a text."""

    __slots__ = ("asks", "changed", "frames", "gone", "parts")

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.asks = False
        self.changed = False
        self.gone: set[str] = set()
        self.parts = 0


def statement(text: str) -> Statement:
    """Parse a text."""
    made = Statement()
    subject: list[Word] = []
    topic: list[Word] = []
    for words, end in _clauses(words_of(text)):
        made.parts += 1
        if end == "?":
            made.asks = True
            continue
        if end == ":" and not _has_verb(words):
            topic = [word for word in words if word.low not in EMPTY]
            continue
        frame, head = _frame(words, subject=subject, topic=topic)
        topic = []
        if frame is None:
            continue
        if head:
            subject = head
        made.changed = made.changed or frame.changed
        made.gone |= frame.gone
        if (frame.theme or frame.values) and len(made.frames) < MAX_FRAMES:
            made.frames.append(frame)
    return made


def _clauses(tokens: list[Word | str]) -> list[tuple[list[Word], str]]:
    """Split tokens into clauses, each with the mark that ends it."""
    found: list[tuple[list[Word], str]] = []
    part: list[Word] = []
    depth = 0
    for place, token in enumerate(tokens):
        if isinstance(token, Word):
            if not depth:
                part.append(token)
            continue
        if token in "([":
            depth += 1
            continue
        if token in ")]":
            depth = max(0, depth - 1)
            continue
        if depth:
            continue
        if token in ",-" and not _opens(tokens, place + 1, part):
            if part:
                part.append(Word(",", ",", "mark"))
            continue
        if token == "." and place + 1 < len(tokens) and not part:
            continue
        if part:
            found.append((part, token))
        part = []
    if part:
        found.append((part, ""))
    return found


def _opens(tokens: list[Word | str], place: int, before: list[Word]) -> bool:
    """Return whether a new clause begins after a comma or dash: its own subject and verb."""
    rest: list[Word] = []
    for token in tokens[place : place + 12]:
        if not isinstance(token, Word):
            break
        rest.append(token)
    if not rest or not _has_verb(before):
        return False
    if rest[0].low in REASONS | CONDITIONS | {"but", "and", "or", "not", "never", "no", "only"}:
        return _has_verb(rest[1:])
    return _has_verb(rest)


def _has_verb(words: list[Word]) -> bool:
    return _find_verb(words) is not None


def _base(word: Word) -> str:
    """Return the base of a word if one of its forms is a verb, or ""."""
    low = word.low
    if low in VERBS:
        return low
    base = IRREGULAR.get(low, "")
    if base:
        return base
    for ending in ("ies", "es", "s", "ied", "ed", "d", "ing"):
        if low.endswith(ending) and len(low) - len(ending) >= 2:
            root = low[: -len(ending)]
            for made in (root, root + "e", root + "y", root[:-1] if root[-1:] == root[-2:-1] else ""):
                if made in VERBS:
                    return made
    return ""


_DETERMINERS = frozenset(
    "a an the our my your his her its their this that these those each every no any all some"
    " of for in on at by with from to per".split()
)


def _find_verb(words: list[Word]) -> tuple[int, int, str] | None:
    """Return where the verb group begins and ends, and the base of its main verb."""
    for place, word in enumerate(words):
        if word.kind != "word":
            continue
        low = word.low
        if low in MODALS or low in AUXILIARIES:
            if low in ("may", "will") and place == 0 and len(words) > 1:
                continue
            return _group(words, place)
        if low in CONDITIONS | REASONS and place:
            return None
        base = _base(word)
        if not base or not place:
            continue
        before = words[place - 1]
        if before.low in _DETERMINERS or before.kind == "mark":
            continue
        if low == base and base not in ("need", "want", "go", "use", "prefer", "run", "come"):
            plural = before.low.endswith("s") or before.low in ("we", "i", "you", "they", "people")
            if not plural and before.low not in ("always", "never", "only", "not", "to"):
                continue
        if low.endswith("ing"):
            continue
        if _later_verb(words, place + 1):
            continue
        return place, place + 1, base
    return _imperative(words)


def _later_verb(words: list[Word], start: int) -> bool:
    """Return whether a word that may be a noun is followed by a certain verb."""
    for word in words[start : start + 4]:
        if word.low in PREPOSITIONS or word.low in CONDITIONS or word.kind == "mark":
            return False
        if word.kind == "word" and (word.low in MODALS or word.low in AUXILIARIES):
            return True
        if word.kind == "word" and word.low.endswith("s") and _base(word) and word.low not in EMPTY:
            return word.low[-2:] != "ss" and start > 0 and words[start - 1].low.endswith("s") is False
    return False


def _imperative(words: list[Word]) -> tuple[int, int, str] | None:
    """Find a verb at the beginning: "Use tabs", "Never push to main"."""
    place = 0
    while place < len(words) and (
        words[place].low in NEGATIONS
        or words[place].low in ("always", "please", "only", "just", "do", "and", "but", "to", ",")
    ):
        place += 1
    if place < len(words):
        word = words[place]
        base = _base(word)
        if base and word.kind == "word" and (word.low == base or word.low.endswith("ing")):
            return place, place + 1, base
        if base and word.low in ("moved", "switched", "replaced", "dropped", "removed", "migrated"):
            return place, place + 1, base
    return None


def _group(words: list[Word], place: int) -> tuple[int, int, str]:
    """Read a verb group from its auxiliary: "has not been deployed"."""
    end = place
    base = ""
    while end < len(words):
        word = words[end]
        low = word.low
        if word.kind == "word" and (low in MODALS or low in AUXILIARIES):
            base = IRREGULAR.get(low, low)
            end += 1
        elif low in NEGATIONS or low in ("always", "only", "now", "still", "also", "already"):
            end += 1
        elif low.endswith("ly") and _base(word) == "":
            end += 1
        else:
            break
    if end < len(words):
        main = words[end]
        found = _base(main)
        form = main.low
        if found and main.kind == "word":
            modal = any(word.low in MODALS or word.low in ("do", "does", "did")
                        for word in words[place:end])
            participle = form != found and (form.endswith(("ed", "ing")) or form in IRREGULAR)
            same = form == found and (modal or form in ("set", "put", "cut", "split", "run", "read"))
            if participle or same:
                return place, end + 1, found
    return place, end, base or "be"


def _frame(
    words: list[Word], *, subject: list[Word], topic: list[Word]
) -> tuple[Frame | None, list[Word]]:
    frame = Frame()
    words = _without_leads(words)
    words, dated = _without_dates(words)
    frame.changed = dated
    words, aside = _without_reasons(words)
    if not words:
        return None, []
    found = _find_verb(words)
    for word in aside:
        if word.low in CHANGES:
            frame.changed = True
    if found is None:
        head: list[Word] = []
        if topic:
            _take(frame, topic, "subject")
            _take(frame, words, "is")
            frame.verb = "be"
            head = topic
        else:
            _take(frame, words, "subject")
        return frame, head
    start, end, base = found
    before, group, after = words[:start], words[start:end], words[end:]
    frame.verb = base
    low = [word.low for word in group]
    if topic:
        _take(frame, topic, "subject")
    _read_group(frame, low, base)
    pronoun = all(word.low in EMPTY for word in before) and any(
        word.low in ("it", "they", "he", "she", "this", "that", "these") for word in before
    )
    if pronoun and subject:
        _take(frame, subject, "subject")
    _take(frame, before, "subject")
    if base in CHANGE_VERBS:
        frame.changed = frame.changed or low[-1] != base or frame.passive
        frame.gone |= {base} if base in ("replace", "move") else set()
    elif base not in WEAK:
        _note(frame, group[-1] if group else Word(base, base), "verb")
    frame.verbs.add(canonical(base))
    _take(frame, after, "is" if base == "be" else "object")
    if frame.passive:
        _turn_passive(frame)
    if frame.past and frame.changed:
        frame.past = False
    return frame, [word for word in before if word.low not in EMPTY] or subject


def _read_group(frame: Frame, low: list[str], base: str) -> None:
    """Read denial, modality and voice of a verb group."""
    for word in low:
        if word in NEGATIONS:
            frame.negated = not frame.negated
        if word in CHANGES:
            frame.changed = True
        if word == "only":
            frame.only = True
        if word in HEDGES and word not in ("would", "could"):
            frame.hedged = True
        if word in MODALS:
            frame.modal = word
    if any(word in ("could", "would", "might") for word in low):
        frame.hedged = True
    be = any(IRREGULAR.get(word) == "be" or word in ("be", "get", "gets", "got") for word in low[:-1])
    last = low[-1] if low else ""
    frame.passive = be and base != "be" and not last.endswith("ing")
    frame.past = "used" in low[:-1]
    if last in CHANGES:
        frame.changed = True


def _turn_passive(frame: Frame) -> None:
    """Give the words of a passive clause the roles that they would have in the active voice."""
    for word, role in frame.roles.items():
        if role == "subject":
            frame.roles[word] = "object"
        elif role == "by":
            frame.roles[word] = "subject"


def _without_leads(words: list[Word]) -> list[Word]:
    """Drop words that only open a sentence: "Confirmed that", "as of May"."""
    for place, word in enumerate(words[:6]):
        if word.low == "that" and place and place <= 3:
            lead = [one.low for one in words[:place]]
            if lead[-1] in (
                "confirmed", "remember", "note", "noted", "decided", "agreed", "out", "know",
                "found", "checked", "said", "mind", "sure", "promised", "aware", "learned",
            ):
                return words[place + 1 :]
    return words


def _without_dates(words: list[Word]) -> tuple[list[Word], bool]:
    """Drop since when something holds: "as of March", "since June", "from now on"."""
    for place, word in enumerate(words):
        low = word.low
        after = [one.low for one in words[place + 1 : place + 3]]
        if (low == "as" and after[:1] == ["of"]) or (low == "from" and after[:1] == ["now"]):
            start = place + 2
        elif low in ("since", "starting", "effective") and (place == 0 or low == "since"):
            start = place + 1
            if _has_verb(words[start : start + 5]) and not _comma(words, start):
                continue
        else:
            continue
        end = start
        while end < len(words) and end < start + 5 and words[end].kind != "mark":
            if words[end].kind == "word" and words[end].low in ("we", "our", "it", "i", "you"):
                break
            end += 1
            if place == 0 and words[end - 1].kind in ("month", "date", "number"):
                break
            if words[end - 1].low == "on" and low == "from":
                break
        return [*words[:place], *words[end:]], True
    return words, False


def _comma(words: list[Word], start: int) -> bool:
    return any(word.kind == "mark" for word in words[start : start + 6])


def _without_reasons(words: list[Word]) -> tuple[list[Word], list[Word]]:
    """Split off what gives a reason or a purpose."""
    for place, word in enumerate(words):
        if word.kind == "word" and place and word.low in REASONS:
            if word.low == "since" and not _has_verb(words[place + 1 :]):
                continue
            if word.low == "so" and place + 1 < len(words) and words[place - 1].kind != "mark":
                after = words[place + 1].low
                if after not in ("that", "the", "we", "it", "you", "they", "please", "a"):
                    continue
            return [one for one in words[:place]], words[place:]
    return words, []


def _take(frame: Frame, words: list[Word], role: str) -> None:
    """Add words to a frame under a role."""
    first = role
    for place, word in enumerate(words):
        low = word.low
        if word.kind == "mark":
            continue
        if low == "not" and place + 1 < len(words) and role not in ("subject",) and place:
            role = "against"
            continue
        if low in NEGATIONS:
            frame.negated = not frame.negated
            continue
        after = words[place + 1].low if place + 1 < len(words) else ""
        if frame.verb == "prefer" and role == "object" and low in ("over", "to"):
            role = "against"
            continue
        if (low, after) in _AGAINST:
            role = "against"
            continue
        if low == "than" and role != "against":
            role = "against"
            continue
        if word.kind == "word" and low in CONDITIONS and low != "where":
            role = "condition"
            continue
        _cue(frame, low, words, place)
        if low in BOUNDS and word.kind == "word":
            frame.bounds.add(BOUNDS[low])
        if low in ("least", "most"):
            continue
        if low in ("on", "off") and (not after or after in PREPOSITIONS or after == ","):
            frame.theme.add("enable")
            frame.roles.setdefault("enable", "is")
            frame.negated = frame.negated != (low == "off")
            continue
        if word.kind == "word" and low in PREPOSITIONS and role not in ("condition",):
            if first == "subject":
                role = "subject"
            else:
                role = PREPOSITIONS[low]
                if low == "by" and frame.passive:
                    role = "by"
            continue
        _note(frame, word, role)


def _cue(frame: Frame, low: str, words: list[Word], place: int) -> None:
    if low in CHANGES:
        frame.changed = True
    if low in HEDGES:
        frame.hedged = True
    if low in ALSO:
        frame.also = True
    if low == "only":
        frame.only = True
    if low in UNIVERSAL:
        frame.universal = True


def _note(frame: Frame, word: Word, role: str) -> None:
    """Add one word: a value, or a content word."""
    if word.kind not in ("word", "name"):
        frame.values.append((word.kind, word.size if word.size is not None else word.low,
                             word.raw, role))
        return
    low = word.low
    if word.kind == "word" and low in EMPTY:
        return
    denied = _DENYING.get(low) or (_DENYING.get(_base(word)) if word.kind == "word" else None)
    if denied is not None:
        frame.negated = not frame.negated
        canon = canonical(denied)
    elif low in _ENABLING:
        canon = "enable"
    else:
        canon = word.canon
    if low in GONE:
        frame.gone.add(canon)
    if role == "against":
        frame.against.add(canon)
        return
    if role == "condition":
        frame.conditional.add(canon)
        return
    if word.kind == "name" and low in KIND_OF and role != "subject":
        frame.values.append((KIND_OF[low], canon, word.raw, role))
        frame.said[canon] = word.raw
        return
    frame.theme.add(canon)
    frame.said.setdefault(canon, word.raw)
    frame.roles.setdefault(canon, role)


def is_soft(canon: str) -> bool:
    """Return whether a word neither distinguishes nor restricts a statement."""
    return canon in _SOFT_STEMS


_SOFT_STEMS = SOFT | frozenset(canonical(word) for word in SOFT)

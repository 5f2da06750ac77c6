"""Parses a statement into frames: the subject, the verb and the values of each clause.

A frame has no nested structure. It has the content words and values of one clause, each with its
role: subject, object, or the preposition before it. It also has the verb, and whether the clause is
negated. Reasons, asides and words that only open a sentence are left out. A clause without content
has no frame.
"""

from __future__ import annotations

from varves.language.english.nouns import (
    AGENTS,
    ATTRIBUTES,
    ENVIRONMENTS,
    EXCLUSIVE,
    KINDS,
    ONE_AT_A_TIME,
    PEOPLE,
    RELATIVES,
    ROLES,
    SERIES,
)
from varves.language.english.verbs import (
    AUXILIARIES,
    CHANGE_VERBS,
    DENIES,
    ENABLING,
    IRREGULAR,
    MODALS,
    PREFERRING,
    VERBS,
    WEAK,
)
from varves.language.english.words import (
    ALSO,
    BOUNDS,
    CHANGES,
    CONDITIONS,
    EMPTY,
    FIELDS,
    FUTURE,
    GONE,
    HEDGES,
    INSTRUMENTS,
    NEGATIONS,
    PAST,
    PREPOSITIONS,
    REASONS,
    SOFT,
    UNIVERSAL,
    listed,
)
from varves.language.tokens import KIND_OF, MAX_CHARS, Token, canonical, words_of

MAX_FRAMES = 8
_SHORT = 3  # a text with at most this many content words is also found by a single word
_MAX_KEYED = 9  # keys are made from at most this many content words of a text
_LEADS = listed(
    "confirmed remember note noted decided agreed out know found checked said mind sure promised"
    " aware learned forget means"
)
_DETERMINERS = listed(
    "a an the our my your his her its their this that these those each every no any all some of"
    " for in on at by with from to per and or"
)
_JOINING = frozenset(("but", "and", "or", "not", "never", "no", "only"))
_CHOICES = frozenset(word for row in EXCLUSIVE for word in row.split())
_ENABLE = canonical("enable")
_ENVIRONMENTS = frozenset(canonical(word) for word in ENVIRONMENTS)
_ORDERS = frozenset(("use", "put", "prefer", "avoid", "keep", "write", "add", "ensure", "make"))
_SOFT = SOFT | frozenset(canonical(word) for word in SOFT)
_DENIES = DENIES | {canonical(word): denied for word, denied in DENIES.items()}
_PARTICIPLES = ("ed", "id", "en", "nt")
_PRONOUNS = frozenset(("it", "they", "he", "she", "this", "that", "these", "those"))
_HEAD = 3  # the most words of a heading that names the subject of the next clause
_LABEL = 7  # the most words of a label before a colon
_LONG = 2  # the fewest letters of a word before its ending


class Mention:
    """One content word, name or value of a clause."""

    __slots__ = ("aside", "key", "kind", "raw", "role", "size")

    def __init__(self, key: str, kind: str, raw: str, *, role: str, size: object = None) -> None:
        self.key = key
        """The form that is compared: one word for all forms and synonyms, or kind and size."""
        self.kind = kind
        """"" for a plain word; else name, person, environment, a kind of tool, or a quantity."""
        self.raw = raw
        self.role = role
        self.size = size
        self.aside = False
        """Whether the mention is an aside: in brackets, or after a comma at the end."""

    def __repr__(self) -> str:
        return f"{self.key}[{self.kind}]<{self.role}"


class Frame:
    """The parsed form of one clause."""

    __slots__ = (
        *(
            "against",
            "also",
            "article",
            "below",
            "bounds",
            "changed",
            "conditions",
            "exists",
            "future",
            "gone",
            "hedged",
            "held",
        ),
        *(
            "terms",
            "text",
            "company",
            "label",
            "modal",
            "negated",
            "only",
            "passive",
            "past",
            "universal",
            "verb",
        ),
        *("tense", "turned", "verbs"),
    )

    def __init__(self) -> None:
        self.terms: dict[str, Mention] = {}
        self.verb = ""
        self.verbs: set[str] = set()
        self.negated = False
        self.bounds: set[str] = set()
        """The bounds of values: before, after, least, most."""
        self.below: set[str] = set()
        """The words after "over", above which the clause may set the words before it."""
        self.against: set[str] = set()
        """The words of a preference that the speaker prefers less."""
        self.gone = False
        """Whether the clause says that something ended."""
        self.conditions: set[str] = set()
        self.changed = False
        self.hedged = False
        self.future = False
        self.also = False
        self.held = ""
        """The role, if the clause gives one that a single person holds: "is the editor"."""
        self.exists = False
        """Whether the clause says that one of several things exists: "there is", "a printer is"."""
        self.article = False
        """Whether the clause classifies something ("is a library"), or names several things."""
        self.only = False
        self.universal = False
        self.passive = False
        self.past = False
        self.tense = ""
        self.modal = ""
        self.turned = False
        """Whether a word such as "disabled" denies the clause."""
        self.label = False
        """Whether the clause is a label and a value: "Licence: MIT"."""
        self.text = ""
        """The whole text, from which the words of a reason are taken."""
        self.company = 1
        """How many clauses with a verb the text has.

        For a clause without a verb, how many frames.
        """

    def __repr__(self) -> str:
        deny = "not " if self.negated else ""
        flags = [
            name
            for name in ("changed", "hedged", "future", "also", "only", "past", "gone")
            if getattr(self, name)
        ]
        return (
            f"<{deny}{self.verb}: {list(self.terms.values())} {flags} {self.bounds or ''}"
            f"{self.conditions or ''} against {self.against}>"
        )

    @property
    def states(self) -> bool:
        """Whether the clause states a present fact, not a possibility, the past or the future."""
        return not (self.hedged or self.past or self.future)

    @property
    def sorts(self) -> bool:
        """Whether the clause classifies something, or is only a label."""
        return self.article or self.label


class Statement:
    """The frames of a text."""

    __slots__ = ("frames", "partly")

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.partly = False
        """Whether a part of the text has no frame: a question, or the end of a long text."""

    @property
    def denies(self) -> bool:
        """Whether every clause denies something."""
        return bool(self.frames) and all(frame.negated for frame in self.frames)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys under which the text is found: its content words, and pairs of them.

        Two texts that may be about the same thing share a key.
        """
        few = self._few()
        return (*self.close, *few) if len(few) > _SHORT else self.close

    @property
    def close(self) -> tuple[str, ...]:
        """The keys by which texts in similar words are found: such texts share at least one.

        They are pairs of content words or, in a short text, also single words.
        """
        few = self._few()
        pairs = [f"{one} {other}" for at, one in enumerate(few) for other in few[at + 1 :]]
        terms = [term for frame in self.frames for term in frame.terms.values()]
        tools = {term.key: term.kind for term in terms if is_tool(term.kind)}
        if len(few) <= _SHORT:
            return (*few, *(f"kind {kind}" for kind in dict.fromkeys(tools.values())), *pairs)
        return (*tools, *pairs)

    def _few(self) -> list[str]:
        """Return the content words from which keys are made."""
        words: dict[str, None] = {}
        for frame in self.frames:
            for term in frame.terms.values():
                if term.key not in _SOFT and (term.kind not in MEASURES or term.kind in TIMES):
                    words.setdefault(term.key)
            words |= dict.fromkeys(sorted(frame.against))
        return sorted(list(words)[:_MAX_KEYED])


MEASURES = listed(
    "number duration size percent money pixels rate frames requests weight length tokens time day"
    " date month frequency monthday ordinal"
)
TIMES = frozenset(("day", "time", "frequency", "date", "month", "monthday"))


def is_tool(kind: str) -> bool:
    """Return whether a kind of words names tools, of which a project usually uses only one."""
    return kind in KINDS


def is_soft(key: str) -> bool:
    """Return whether a word says too little to distinguish a statement from others."""
    return key in _SOFT


def statement(text: str) -> Statement:
    """Return a text parsed into frames."""
    made = Statement()
    made.partly = len(text) > MAX_CHARS
    if _is_code(text):
        return made
    subject: list[Token] = []
    topic: list[Token] = []
    for words, end in _clauses(words_of(text)):
        if end == "?":
            made.partly = made.partly or len(words) > _HEAD or _has_verb(words)
            # "Sessions? They live in Redis": the question names the subject
            topic = [] if made.partly else words
            continue
        if end in (":", "=") and _is_label(words):
            topic = topic if all(word.low in FIELDS for word in words) else [*topic, *words]
            continue
        frame, head = _frame(words, subject=subject, topic=topic)
        topic = []
        if frame is None:
            continue
        if head:
            subject = head
        if frame.terms and len(made.frames) < MAX_FRAMES:
            made.frames.append(frame)
        elif frame.terms:
            made.partly = True
    clauses = sum(frame.verb != "" for frame in made.frames)
    for frame in made.frames:
        frame.company = clauses if frame.verb else len(made.frames)
        frame.text = text
    return made


def _is_label(words: list[Token]) -> bool:
    """Return whether the words before a colon are a label, because no verb is among them."""
    return len(words) <= _LABEL and not any(
        word.kind == "word"
        and (word.low in MODALS or word.low in AUXILIARIES or word.low in _SUBJECTS)
        for word in words
    )


def _is_code(text: str) -> bool:
    """Return whether a text is markup or code, judged by the share of signs in it."""
    signs = sum(map(text.count, '<>{}=;|\\/$*"()[]#'))
    return signs > _FEW_SIGNS and signs * _LETTERS > len(text)


_OPENING = frozenset("([")
_CLOSING = frozenset(")]")
_PAUSES = frozenset(",-")
_FEW_SIGNS = 5
_LETTERS = 12


def _clauses(tokens: list[Token | str]) -> list[tuple[list[Token], str]]:
    """Return the clauses of a text, each as its tokens and the mark that ends it."""
    found: list[tuple[list[Token], str]] = []
    part: list[Token] = []
    depth = 0
    for place, token in enumerate(tokens):
        if isinstance(token, Token):
            if depth:
                part.append(token.in_brackets())
            elif token.low in _JOINS and _joins(tokens, place + 1, part):
                found.append((part, ","))
                part = []
            else:
                part.append(token)
        elif token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth = max(0, depth - 1)
        elif depth:
            continue
        elif token in _PAUSES and not _opens(tokens, place + 1, part):
            if part:
                part.append(Token(",", ",", "mark"))
        elif part:
            found.append((part, token))
            part = []
    if part:
        found.append((part, ""))
    return found


def _joins(tokens: list[Token | str], place: int, before: list[Token]) -> bool:
    """Return whether "and" joins two clauses, because a subject and a verb follow it."""
    after = tokens[place] if place < len(tokens) else None
    if not isinstance(after, Token):
        return False
    if after.low in CHANGES and _root(after.low) and _has_verb(before):
        return True  # "and dropped Unity": the second clause has the same subject
    if begins_with_name(tokens, place):
        return _opens(tokens, place, before)  # "and npm is not used"
    if after.low not in _DETERMINERS and after.low not in _SUBJECTS:
        return False
    return _opens(tokens, place, before)


def begins_with_name(tokens: list[Token | str], place: int) -> bool:
    """Return whether a name and an auxiliary verb follow: "npm is not used"."""
    end = place
    while end < len(tokens) and isinstance(one := tokens[end], Token) and one.kind == "name":
        end += 1
    helps = tokens[end] if place < end < len(tokens) else None
    return isinstance(helps, Token) and helps.low in AUXILIARIES


_JOINS = frozenset(("and", "but", "while", "so"))
_SUBJECTS = frozenset(("we", "i", "you", "they", "it", "he", "she", "there"))


def _opens(tokens: list[Token | str], place: int, before: list[Token]) -> bool:
    """Return whether a clause with its own subject and verb begins after a comma or a dash."""
    rest: list[Token] = []
    for token in tokens[place : place + 12]:
        if not isinstance(token, Token):
            break
        rest.append(token)
    if not rest:
        return False
    if not _has_verb(before):
        return any(word.low in GONE for word in rest) and _has_verb(rest)
    if rest[0].low in REASONS or rest[0].low in CONDITIONS or rest[0].low in _JOINING:
        return _has_verb(rest[1:])
    return _has_verb(rest)


def _has_verb(words: list[Token]) -> bool:
    return _find_verb(words) is not None


_ROOTS: dict[str, str] = {}
_REMEMBERED = 20_000  # the most words whose root is cached


def _root(low: str) -> str:
    """Return the root of the verb of which a word is a form; "" if the word is no verb."""
    found = _ROOTS.get(low)
    if found is None:
        found = _root_of(low)
        if len(_ROOTS) < _REMEMBERED:
            _ROOTS[low] = found
    return found


def _root_of(low: str) -> str:
    if low in VERBS or low in CHANGE_VERBS:
        return low
    root = IRREGULAR.get(low, "")
    if root:
        return root
    for ending in ("ies", "es", "s", "ied", "ed", "d", "ing"):
        if low.endswith(ending) and len(low) - len(ending) >= _LONG:
            root = low[: -len(ending)]
            if ending == "d" and not root.endswith("e"):
                continue  # "band" is no form of "ban"
            doubled = root[:-1] if root[-1:] == root[-2:-1] else ""
            for made in (root, root + "e", root + "y", doubled):
                if made in VERBS or made in CHANGE_VERBS:
                    return made
    return ""


def _find_verb(words: list[Token]) -> tuple[int, int, str] | None:
    """Return (begin of the verb group, its end, root of the main verb), or None."""
    if words and words[0].kind == "word" and _opens_order(words):
        return _imperative(words)
    for place, word in enumerate(words):
        if word.kind != "word":
            continue
        low = word.low
        if low in MODALS or low in AUXILIARIES:
            if low not in ("may", "will") or place or len(words) == 1:
                return _group(words, place)
        elif low in ("tookover", "handedover"):
            return place, place + 1, low
        elif place and (low in CONDITIONS or low in REASONS):
            return None
        elif place and _is_verb(words, place):
            return place, place + 1, _root(low)
    return _imperative(words)


def _opens_order(words: list[Token]) -> bool:
    """Return whether a clause opens with its verb: "Use tabs", "Migrated the store to Redis"."""
    low = words[0].low
    if low in ("never", "always") and len(words) > _LONG and words[1].low in VERBS:
        return not _helped_later(words, 2)  # "Never skip the smoke tests"
    if len(words) > _LONG and low in VERBS and words[1].low in _OBJECTS:
        return True
    if len(words) > _LONG and low in VERBS and words[1].low.endswith("ed"):
        return not _helped_later(words, 1)  # "Retry failed jobs": the second word is no verb here
    return low in _ORDERS or (low in CHANGES and _root(low) != "" and not _helped_later(words, 1))


_OBJECTS = frozenset(("the", "a", "an", "our", "your", "my", "all", "every", "each", "this"))


def _is_plural(words: list[Token], place: int) -> bool:
    """Return whether a word that ends in -s is a noun: "flags live in", "tests hit a database"."""
    if not words[place].low.endswith("s") or place + 2 >= len(words):
        return False
    verb, after = words[place + 1].low, words[place + 2].low
    if verb not in VERBS or words[place + 1].kind != "word":
        return False
    return after in _OBJECTS or (verb in _RESTING and after in PREPOSITIONS)


_RESTING = frozenset(
    ("live", "sit", "stay", "go", "come", "run", "start", "begin", "end", "expire", "arrive")
)


def _is_verb(words: list[Token], place: int) -> bool:
    """Return whether a word that may be a noun or a verb is a verb in this clause."""
    low, before = words[place].low, words[place - 1]
    if place > 1 and (before.low in _BETWEEN or before.low == "never"):
        before = words[place - 2]  # "we now require", "we never send"
    before = _head_before(words, place) or before
    root = _root(low)
    if not root or before.low in _DETERMINERS or before.kind == "mark" or low.endswith("ing"):
        return False
    if before.low in _SUBJECTS or (low != root and canonical(root) in PREFERRING):
        return True  # "the team favors clear names": no noun has this form
    if _helped_later(words, place + 1) or _is_plural(words, place):
        return False
    if low == root and (before.raw.endswith("s") or before.low.endswith("s")):
        return True
    if low == root and root not in ("need", "want", "go", "use", "prefer", "run", "come"):
        if before.low == "people":
            return True
        if before.low not in ("always", "never", "only", "not", "to"):
            return False
    return not _later_verb(words, place + 1)


def _head_before(words: list[Token], place: int) -> Token | None:
    """Return the noun with which a verb agrees if a preposition and a name come between them.

    In "customers in Austria pay", this is "customers"; in other clauses, it is None.
    """
    if place < _LONG + 1 or place + 1 == len(words) or words[place - 1].kind != "name":
        return None
    head, between = words[place - 3], words[place - 2]
    plural = head.kind == "word" and head.low.endswith("s") and head.low not in EMPTY
    return head if plural and between.low in PREPOSITIONS else None


def _helped_later(words: list[Token], start: int) -> bool:
    """Return whether an auxiliary verb follows, so that the word before it is a noun.

    Phrases may come between them: "direct pushes to the main branch are forbidden".
    """
    for place, word in enumerate(words[start : start + _PHRASED], start):
        low = word.low
        if low in _APART or low in CONDITIONS or low in REASONS or word.kind == "mark":
            return False
        if word.kind == "word" and (low in MODALS or low in AUXILIARIES):
            return words[place - 1].low not in _SUBJECTS
    return False


_PHRASED = 8  # the most words between a noun and its auxiliary verb
# words with which another clause begins
_APART = frozenset(("and", "or", "but", "that", "which", "who", "what", "how", "as", "than"))


def _later_verb(words: list[Token], start: int) -> bool:
    """Return whether another verb follows a word that may be a noun."""
    for word in words[start : start + 4]:
        if word.low in PREPOSITIONS or word.low in CONDITIONS or word.kind == "mark":
            return False
        if word.kind != "word":
            continue
        if word.low in MODALS or word.low in AUXILIARIES:
            return True
        if word.low.endswith("s") and word.low not in EMPTY and _root(word.low):
            return word.low[-2:] != "ss" and not words[start - 1].low.endswith("s")
    return False


def _imperative(words: list[Token]) -> tuple[int, int, str] | None:
    """Return the verb group at the beginning: "Use tabs", "Never push to main"; or None."""
    place = 0
    while place < len(words) and (
        words[place].low in NEGATIONS
        or words[place].low in ("always", "please", "only", "just", "do", "and", "but", "to", ",")
    ):
        place += 1
    if place == len(words):
        return None
    word = words[place]
    root = _root(word.low)
    if not root or word.kind != "word":
        return None
    if word.low == root or word.low.endswith("ing") or word.low in CHANGES:
        return place, place + 1, root
    return None


def _group(words: list[Token], place: int) -> tuple[int, int, str]:
    """Return the verb group that begins with an auxiliary verb: "has not been deployed"."""
    end = place
    root = ""
    while end < len(words):
        word = words[end]
        low = word.low
        if word.kind == "word" and (low in MODALS or low in AUXILIARIES):
            root = IRREGULAR.get(low, low)
            end += 1
        elif low in NEGATIONS or low in _BETWEEN or _is_adverb(low):
            end += 1
        else:
            break
    if end < len(words) and words[end].kind == "word":
        form = words[end].low
        found = _root(form) if form not in ("tookover", "handedover") else form
        helped = any(word.low in MODALS or word.low in _DO for word in words[place:end])
        participle = form != found and (form.endswith(("ed", "ing")) or form in IRREGULAR)
        same = form == found and (helped or form in _UNCHANGED)
        if found and (participle or same):
            return place, end + 1, found
    return place, end, root or "be"


def _is_adverb(low: str) -> bool:
    return low.endswith("ly") and low not in _CHOICES and "-" not in low and not _root(low)


_BETWEEN = frozenset(("always", "only", "now", "still", "also", "already", "both", "just", "last"))
_DO = frozenset(("do", "does", "did"))
_UNCHANGED = frozenset(("set", "put", "cut", "split", "run", "read", "tookover", "handedover"))


def _frame(
    words: list[Token], *, subject: list[Token], topic: list[Token]
) -> tuple[Frame | None, list[Token]]:
    """Return a clause as a frame, and the subject to which a pronoun in the next clause refers."""
    frame = Frame()
    words = _without_leads(words)
    words, since = _without_dates(words)
    words, aside = _without_reasons(words)
    if not words:
        return None, []
    frame.changed = since or any(word.low in CHANGES for word in aside)
    found = _find_verb(words)
    if found is None:
        if topic:
            frame.verb, frame.label = "be", True
            _take(frame, topic, "subject")
        _take(frame, words, "is" if topic else "subject")
        return frame, topic
    start, end, root = found
    before, group, after = words[:start], words[start:end], words[end:]
    before, group, after, root = _plainly(before, group, after, root)
    if root == "be":
        before, renewed = _renewed(before)
        frame.changed = frame.changed or renewed
    frame.verb = root
    _read_group(frame, [word.low for word in group], root)
    if frame.passive and (root in _NAMED_AS or (root in _HELD_AT and _begins_place(after))):
        # "is called main" is read as "is main", "is held in Oslo" as "is in Oslo"
        frame.verb = root = "be"
        frame.passive = False
    if len(group) == 1 and group[0].low.endswith("ed") and before and before[-1].low in _SUBJECTS:
        # "we released it" is in the past, but "the toolchain pinned to 1.8" is not
        frame.tense = group[0].low
    _take_subject(frame, before, subject=subject, topic=topic)
    if frame.gone and frame.terms and group[-1].low == root and len(group) == 1:
        frame.gone = False  # "the queue drops old messages" reports no end, because it is no order
    _classify(frame, before, group, after)
    if root in CHANGE_VERBS or root in _HANDED:
        habit = len(group) > 1 and group[0].low in ("is", "are", "gets", "get")
        frame.changed = frame.changed or (group[-1].low != root and not habit) or root in _HANDED
        frame.gone = frame.gone or root == "replace"
    elif root not in WEAK or root in _DENIES:
        _note(frame, group[-1], "verb")
    frame.verbs.add(canonical(root))
    _take(frame, after, "is" if root == "be" else "object")
    if len(after) <= _LONG and before and before[-1].low not in _PRONOUNS:
        _refer(frame, after, subject)
    _voice(frame)
    _keeps(frame)
    frame.future = frame.future and not since  # "from now on you will need"
    if frame.tense and not frame.changed and root not in CHOOSING:
        frame.past = True
    return frame, [word for word in before if word.low not in EMPTY] or subject


def _classify(frame: Frame, before: list[Token], group: list[Token], after: list[Token]) -> None:
    """Record whether the clause classifies something, or says that one of several things exists."""
    if frame.verb == "be" and after:
        frame.article = frame.article or after[0].low in ("a", "an")
        frame.held = _held(after)
    if before:
        timed = any(word.kind in ("day", "time") for word in after)  # "lessons are at 5 pm"
        plural = frame.article and group[0].low == "are" and not timed
        frame.exists = before[0].low in _SOME or (plural and not _is_known(before))


def _held(after: list[Token]) -> str:
    """Return a role that only one person holds: "the editor of the guide", "our dentist"; or ""."""
    head = ""
    for word in after[1:]:
        if word.kind != "word" or word.low in PREPOSITIONS or word.low in ("of", "and", "or"):
            break
        head = word.low
    if after[0].low == "the" and not head.endswith("s") and canonical(head) not in _RELATIVES:
        return canonical(head) if head not in EMPTY else ""
    return canonical(head) if after[0].low in _OWN and canonical(head) in _ROLES else ""


def _refer(frame: Frame, after: list[Token], subject: list[Token]) -> None:
    """Add the thing to which a pronoun at the end refers: "The importer is old, nobody uses it"."""
    if [word.low for word in after] in _IT:
        _take(frame, subject, "object")


def _begins_place(after: list[Token]) -> bool:
    return bool(after) and after[0].low in ("in", "at", "on")


_NAMED_AS = frozenset(("call", "name", "title"))
_HELD_AT = frozenset(("hold", "set"))


def _is_known(before: list[Token]) -> bool:
    """Return whether a subject says which thing it means: "the keys", "Anna's keys"."""
    return before[0].low in ("the", *_OWN) or before[0].kind in ("person", "name")


_SOME = frozenset(("a", "an", "there", "some", "another", "many", "most", "several"))
_RELATIVES = frozenset(canonical(word) for word in RELATIVES)
_ROLES = frozenset(canonical(word) for word in (*ROLES, *AGENTS))


def _plainly(
    before: list[Token], group: list[Token], after: list[Token], root: str
) -> tuple[list[Token], list[Token], list[Token], str]:
    """Return a clause in a simpler form, as its subject, verb group, rest and root of the verb."""
    if root == "find" and [word.low for word in before] == ["you"]:
        for place, word in enumerate(after):
            # "you'll find the key under the mat" is read as "the key is under the mat"
            if word.low in PREPOSITIONS and place:
                return after[:place], [_IS], after[place:], "be"
    if root == "ask" and not before and after and after[0].kind in ("person", "name"):
        # "ask Ann about the newsletter" is read as "Ann owns the newsletter"
        return after[:1], [_OWNS], after[1:], "own"
    duty = root == "be" and before and len(after) == _LONG and after[1].low in _DUTIES
    # "the newsletter is Ann's job" is read as "Ann owns the newsletter"
    if duty and after[0].kind in ("person", "name"):
        return after[:1], [_OWNS], before, "own"
    if root == "take" and after and after[0].low == "place":
        return before, group, after[1:], "be"  # "takes place in room 12" is read as "is in room 12"
    return before, group, after, root


def _renewed(before: list[Token]) -> tuple[list[Token], bool]:
    """Return a subject without "new" before a noun for a single thing: "the new door code".

    Also return whether "new" was removed.
    """
    renewed = len(before) > _LONG and before[1].low == "new" and before[0].low in ("the", *_OWN)
    if renewed and before[-1].low in _ONE_AT_A_TIME:
        return [before[0], *before[2:]], True
    return before, False


_IS, _OWNS = Token("is", "is"), Token("owns", "owns")
_DUTIES = frozenset(("job", "responsibility", "duty", "task", "baby"))
_IT = (["it"], ["them"], ["it", "anymore"], ["them", "anymore"])
_ONE_AT_A_TIME = frozenset((*ATTRIBUTES, *ONE_AT_A_TIME))
_HANDED = frozenset(("tookover", "handedover"))
_OWN = frozenset(("our", "my", "his", "her", "their"))


def _take_subject(
    frame: Frame, before: list[Token], *, subject: list[Token], topic: list[Token]
) -> None:
    """Add a clause's subject: its own, or the subject to which a pronoun or label refers."""
    empty = all(word.low in EMPTY for word in before)
    if topic and (len(topic) <= _HEAD or empty):
        _take(frame, topic, "subject")
    if empty and any(word.low in _PRONOUNS for word in before):
        _take(frame, subject, "subject")
    _take(frame, _labelled(before), "subject")
    if not frame.terms and before and before[-1].low in BOUNDS:
        key = f"the {before[-1].low}"  # "the quota is 10" is about nothing else
        frame.terms[key] = Mention(key, "", before[-1].raw, role="subject")


def _labelled(before: list[Token]) -> list[Token]:
    """Return a subject in which a number at the end is a part of the name: "Ward 4"."""
    if (
        len(before) < _LONG
        or before[-1].kind != "number"
        or before[-2].kind not in ("word", "name")
    ):
        return before
    noun = before[-2].low
    if noun in KIND_OF or noun in SERIES or noun in EMPTY or noun in PREPOSITIONS:
        return before
    return [*before[:-1], Token(before[-1].raw, before[-1].low, "name")]


def _read_group(frame: Frame, low: list[str], root: str) -> None:
    """Set the negation, modality, voice and tense of a parsed clause from its verb group."""
    # as in "are merged with squash"
    habit = len(low) > 1 and low[0] in ("is", "are", "gets", "get")
    for place, word in enumerate(low):
        passing = habit and place == len(low) - 1 and (root != "be" or word == "formerly")
        if not passing:  # "is now" says that something changed, "is used to" does not
            _cue(frame, word)
        if word in NEGATIONS:
            frame.negated = not frame.negated
        if word in MODALS:
            frame.modal = word
    be = any(
        IRREGULAR.get(word) == "be" or word in ("be", "get", "gets", "got") for word in low[:-1]
    )
    frame.passive = be and root != "be" and not low[-1].endswith("ing")
    frame.tense = low[0] if low[0] in _WAS and "last" not in low else ""
    if "are" in low or "were" in low:
        frame.article = True
    if low[-1] in GONE and not frame.modal:
        frame.gone = _has_ended(low, passive=frame.passive)


_WAS = listed(
    "was were had took went ran came gave saw fell rose wrote broke spoke drove threw froze began"
    " grew knew flew rang met sat stood ate drank sang won"
)


def _has_ended(low: list[str], *, passive: bool) -> bool:
    """Return whether a verb that reports an end is in the past tense, or is an order."""
    if passive and low[-1] in _HABITUAL:
        return low[0] in ("was", "were", "has", "have", "had", "got")
    return low[-1] not in _PRESENT


_HABITUAL = frozenset(
    ("deleted", "removed", "dropped", "stopped", "replaced", "cancelled", "canceled", "expired")
)
_PRESENT = frozenset(("drops", "expires"))


def _keeps(frame: Frame) -> None:
    """Give one form to "kept for a year", "deleted after a year" and "retention is a year"."""
    if not any(term.kind == "duration" for term in frame.terms.values()):
        return
    if frame.verb in ("keep", "hold", "store", "save", "archive"):
        frame.terms.setdefault(_RETAIN, Mention(_RETAIN, "", "kept", role="verb"))
    # "gone after 30 days" states how long something is kept
    elif frame.gone and "after" in frame.bounds:
        frame.terms[_RETAIN] = Mention(_RETAIN, "", "kept", role="verb")
        frame.bounds.discard("after")
        frame.gone = False
    elif _DELETE in frame.terms and "after" in frame.bounds and not frame.negated:
        old = frame.terms.pop(_DELETE)
        frame.terms[_RETAIN] = Mention(_RETAIN, "", old.raw, role=old.role)
        frame.bounds.discard("after")


_RETAIN = canonical("retain")
_DELETE = canonical("delete")


def _voice(frame: Frame) -> None:
    """Give the words of a passive clause the roles that they have in the active voice."""
    for term in frame.terms.values() if frame.passive else ():
        if term.role == "subject":
            term.role = "patient"
        elif term.role == "by":
            dated = term.kind in MEASURES
            means = "with" if frame.verb == "pay" else "means"
            term.role = "in" if dated else means if term.key in _INSTRUMENTS else "agent"
    _tends(frame)


def _tends(frame: Frame) -> None:
    """Read "Ann handles the mail" and "the mail is handled by Ann" as a person's duty."""
    acting = ("agent",) if frame.passive else ("subject",)
    kinds = {term.kind for term in frame.terms.values() if term.role in acting}
    if frame.verb in _TENDED and (kinds == {"person"} or (frame.passive and kinds == {"name"})):
        frame.terms.pop(canonical(frame.verb), None)
        frame.verb = "own"
        frame.verbs = {_OWNED}
        frame.terms.setdefault(_OWNED, Mention(_OWNED, "", "handles", role="verb"))


_OWNED = canonical("own")
_TENDED = frozenset(("handle", "manage", "coordinate", "organise", "organize", "oversee"))
_INSTRUMENTS = frozenset(canonical(word) for word in INSTRUMENTS)


def _without_leads(words: list[Token]) -> list[Token]:
    """Return words without those that only open a sentence: "Confirmed that", "It turns out"."""
    for place, word in enumerate(words[:6]):
        if not place or words[place - 1].low not in _LEADS:
            continue
        if word.low == "that":
            return words[place + 1 :]
        told = [one.low for one in words[:place]]
        after = words[place + 1].low if place + 1 < len(words) else ""
        if word.low == "to" and told in _TELLING and after in VERBS:
            return [words[0], *words[place + 1 :]]  # "we decided to use pnpm"
        if told in _TELLING and (word.low in _NAMES_ONE or word.kind in ("name", "person")):
            rest = words[place:]
            verb = _find_verb(rest)
            if verb is not None and verb[0]:
                return rest
        if told in _TURNING:
            return words[place:]  # "it turns out sessions live in Postgres"
    return words


CHOOSING = frozenset(("choose", "pick", "select", "adopt"))
"""Verbs whose past tense states a present fact: "we picked Swift for the client"."""
_TURNING = [["it", "turns", "out"], ["it", "turned", "out"], ["turns", "out"]]
_TELLING = [
    *_TURNING,
    *([who, *how, told] for who in ("we", "i") for how in ([], ["have"]) for told in _LEADS),
]
"""Beginnings of a sentence after which "that" may be left out: "we found the limit is 5 MB"."""
_NAMES_ONE = frozenset(("the", "our", "my", "your", "his", "her", "their", "all", "every", "each"))


def _without_dates(words: list[Token]) -> tuple[list[Token], bool]:
    """Return words without a date since when something is true: "as of March", "from now on".

    Also return whether there was such a date.
    """
    for place, word in enumerate(words):
        low = word.low
        if low not in _SINCE:
            continue
        after = words[place + 1].low if place + 1 < len(words) else ""
        if (low == "as" and after == "of") or (low == "from" and after == "now"):
            start = place + 2
        elif low in ("since", "starting", "effective") and (place == 0 or low == "since"):
            start = place + 1
            clause = words[start : start + 6]
            dated = any(one.kind in _DATES or one.low in _LATER for one in clause[:2])
            if not dated and _has_verb(clause[:5]) and not any(o.kind == "mark" for o in clause):
                continue
        elif low == "from" and words[-1].low == "on" and place + 2 < len(words):
            return words[:place], True
        elif low == "from" and place == 0 and _is_dated(words, 1):
            start = 1
        else:
            continue
        return [*words[:place], *words[_date_end(words, start, leading=place == 0) :]], True
    return words, False


def _is_dated(words: list[Token], start: int) -> bool:
    """Return whether a date since when something is true begins here: "the 1st of May"."""
    if start < len(words) and words[start].low in ("the", "next", "this"):
        start += 1
    if start >= len(words):
        return False
    after = [word.low for word in words[start + 1 : start + 3]]
    if words[start].low in _PERIODS and "on" in after:
        return True  # "from this sprint on", "from release 5 on"
    spans = "to" in after or "until" in after or "till" in after
    return not spans and (words[start].kind in _SINCE_WHEN or words[start].low in _LATER)


_SINCE_WHEN = frozenset(("month", "date", "day", "instant", "monthday"))
_LATER = frozenset(("tomorrow", "yesterday", "spring", "summer", "autumn", "winter", "today"))
_PERIODS = frozenset(("week", "month", "quarter", "year", "sprint", "release", "version", "season"))
_SINCE = frozenset(("as", "from", "since", "starting", "effective"))
_STARTS = frozenset(("we", "our", "it", "i", "you", "the", "all", "every", "each", "no"))
_DATES = frozenset(("month", "date", "number", "day"))


def _date_end(words: list[Token], start: int, *, leading: bool) -> int:
    """Return the end of the date that begins at `start`."""
    end = start
    while end < len(words) and end < start + 5 and words[end].kind != "mark":
        if words[end].low in _STARTS and (end > start or words[end].low != "the"):
            break
        end += 1
        if words[end - 1].low == "on":
            break
        dated = end < len(words) and words[end].kind in _DATES
        if words[end - 1].low in _LATER and not dated:
            break  # "as of today the seats cost 45 euros"
        if leading and words[end - 1].kind in _DATES:
            break
    return end


def _without_reasons(words: list[Token]) -> tuple[list[Token], list[Token]]:
    """Split words into what is stated, and the reasons and purposes."""
    for place, word in enumerate(words):
        if not place or word.kind != "word" or word.low not in REASONS:
            continue
        if word.low == "since" and not _has_verb(words[place + 1 :]):
            continue
        if word.low == "so" and words[place - 1].kind != "mark":
            after = words[place + 1].low if place + 1 < len(words) else ""
            if after not in ("that", "the", "we", "it", "you", "they", "please", "a"):
                continue
        return words[:place], words[place:]
    return words, []


def _take(frame: Frame, words: list[Token], role: str) -> None:
    """Add words to a parsed clause in the role `role`, until a preposition begins another role."""
    first = role
    aside = False
    for place, word in enumerate(words):
        low = word.low
        if low not in _ACTING and word.kind != "mark":
            _note(frame, word, role, aside=aside or word.aside)
            continue
        after = words[place + 1].low if place + 1 < len(words) else ""
        if word.kind == "mark":
            aside = aside or (first != "subject" and after not in ("and", "or", "not"))
            role = first if role == "against" or (role == "for" and first == "subject") else role
            continue
        turned: str | None = ""
        if low == "no" or role == "against":
            turned = _ruled(words[place - 1] if place else word, low, after, role)
        turned = turned or _turn(frame, words, place, role)
        if turned is not None:
            role = turned or role
            continue
        _cue(frame, low)
        if low == "down" and after == "to":
            frame.changed = True  # "we brought it down to": the value changed
            continue
        if low in GONE and (role == "is" or not frame.verb):
            frame.gone = True
        if low in BOUNDS and word.kind == "word" and _bounds(low, words[place + 1 : place + 4]):
            frame.bounds.add(BOUNDS[low])
            if low not in PREPOSITIONS:
                continue
        if low in ("on", "off") and (not after or after in PREPOSITIONS or after == ","):
            _enable(frame, negated=low == "off")
            continue
        if word.kind == "word" and low in PREPOSITIONS and role != "condition":
            # "For the docs repo, …" limits the clause
            role = "for" if low == "for" and not place else _role(frame, low, first)
            continue
        _note(frame, word, role, aside=aside or word.aside)


def _ruled(before: Token, low: str, after: str, role: str) -> str:
    """Return the role of words that are ruled out: ", no mocks", "rather than in the fridge".

    Or "".
    """
    if low == "no" and after == ",":
        return role
    if low == "no" and before.kind == "mark" and role != "condition":
        return "against"
    ruled = role == "against" and before.low in ("not", "insteadof")
    return role if ruled and low in PREPOSITIONS else ""


def _bounds(low: str, after: list[Token]) -> bool:
    """Return whether a preposition limits a value; in "under the pot" it names a place."""
    if low != "under":
        return True
    return not after or any(word.kind in MEASURES for word in after)


_SWITCHING = frozenset(
    ("", "be", "keep", "stay", "remain", "leave", "turn", "switch", "set", "have")
)
_CUES = frozenset((*CHANGES, *HEDGES, *FUTURE, *PAST, *ALSO, *UNIVERSAL, "only"))
# Words that change how the rest of a clause is read; all other words are only added.
_ACTING = _CUES | frozenset(
    (
        *(*NEGATIONS, *CONDITIONS, *GONE, *BOUNDS, *PREPOSITIONS),
        *("not", "insteadof", "than", "over", "to", "on", "off", "no", "down"),
    )
)


def _turn(frame: Frame, words: list[Token], place: int, role: str) -> str | None:
    """Return the role that begins with the word at a place.

    Return "" if the word was handled and begins no role, None if it must be added.
    """
    low = words[place].low
    if low == "not" and place and role not in ("subject", "condition"):
        return "against"
    if low in NEGATIONS:
        frame.negated = not frame.negated
        if low == "without":
            return "with"
        if low == "nolonger":
            frame.changed = True
        return ""
    if low == "insteadof" or (low == "than" and role != "against"):
        return "against"
    if low == "over":
        frame.below |= {canonical(word.low) for word in words[place + 1 :]}
        if frame.verb in PREFERRING and role != "subject":
            return "against"
    if role == "object" and (
        (low == "to" and frame.verb == "prefer") or (low == "over" and frame.verb in CHOOSING)
    ):
        return "against"
    return "condition" if low in CONDITIONS and low != "where" else None


def _role(frame: Frame, low: str, first: str) -> str:
    if first == "subject":
        return "subject"
    if low == "by" and frame.passive:
        return "by"
    return "opposing" if low == "against" else PREPOSITIONS[low]


def _enable(frame: Frame, *, negated: bool) -> None:
    if frame.verb not in _SWITCHING:
        return  # "kicks off at noon" denies nothing
    frame.terms.setdefault(_ENABLE, Mention(_ENABLE, "", "off" if negated else "on", role="is"))
    frame.negated = frame.negated != negated


def _cue(frame: Frame, low: str) -> None:
    """Record the effect that a word, such as "only", has on the whole clause."""
    if low not in _CUES:
        return
    if low in CHANGES:
        frame.changed = True
    if low in HEDGES:
        frame.hedged = True
    if low in FUTURE:
        frame.future = True
    if low in PAST:
        frame.past = True
    if low in ALSO:
        frame.also = True
    if low == "only":
        frame.only = True
    if low in UNIVERSAL:
        frame.universal = True


def _note(frame: Frame, word: Token, role: str, *, aside: bool = False) -> None:
    """Add a word to a parsed clause, either as a value or as a content word."""
    low = word.low
    if word.kind == "word" and (
        (low in EMPTY and not _is_initials(word)) or low in ("insteadof", "nolonger", "anymore")
    ):
        return
    term = _term(frame, word, role)
    term.aside = aside
    if role == "against":
        frame.against.add(term.key)
    elif role == "condition":
        frame.conditions.add(term.key)
    else:
        frame.terms.setdefault(term.key, term)


_ANSWERING = frozenset(("return", "render", "answer", "respond", "print", "format", "show"))


def _is_initials(word: Token) -> bool:
    return len(word.raw) > 1 and word.raw.isupper()


def _term(frame: Frame, word: Token, role: str) -> Mention:
    low = word.low
    if word.kind == "person":
        return Mention(low, "person", word.raw, role=role)
    if word.kind not in ("word", "name"):
        size = word.size if word.size is not None else low
        return Mention(f"{word.kind} {size}", word.kind, word.raw, role=role, size=size)
    if low in KIND_OF and word.kind == "name":
        return Mention(word.canon, KIND_OF[low], word.raw, role=role)
    if low in PEOPLE and word.raw[:1].isupper() and not (word.opening and low in BOUNDS):
        return Mention(low, "person", word.raw, role=role)
    denied = _DENIES.get(low)
    if denied is None and word.kind == "word" and (root := _root(low)):
        denied = DENIES.get(root)
    elif denied is None and low.startswith("un") and low.endswith(_PARTICIPLES):
        denied = _root(low[2:].removeprefix("-")) or None  # as in "unsigned", "unpaid"
    if denied is not None and (
        role in ("verb", "is", "object") or (low == "plaintext" and frame.verb not in _ANSWERING)
    ):
        frame.negated = not frame.negated
        frame.turned = True
        return Mention(canonical(denied), "", word.raw, role=role)
    if low in ENABLING:
        return Mention(_ENABLE, "", word.raw, role=role)
    if word.canon in _ENVIRONMENTS:
        return Mention(word.canon, "environment", word.raw, role=role)
    return Mention(
        word.canon, "name" if word.kind == "name" else "", word.raw, role=role, size=word.size
    )

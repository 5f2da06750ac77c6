"""Compares two texts by their content words; if these are equal and in order, the texts are equal.

Similar texts are not the same: `on` and `off`, EU and US, 30 and 60 differ in one word of ten.
Keeping a repeated text costs one line; dropping a different text loses a fact. So only these
differences are ignored:

    stop words   a, an, the, is, are, please; get and gets before a participle (gets built)
    commas       before "and", "when", "on" and the like, after an opening such as "However", and
                 after a phrase that begins the text, unless the text denies or limits something
    case         of the first word unless it may be a name (May, Mark), and of known acronyms
                 in CAPITALS (API, JSON) and stressed words (NEVER)
    endings      the s of a plural or of a verb, in lower-case words, unless the number of the
                 verb changes too: the jobs are disabled, the job is disabled
    the end      full stops and exclamation marks after the last word

Everything else is content: negations, numbers and the units after them, prepositions, tenses, names
and therefore capitals inside the text (the Polish team does not polish), order, question marks,
quoted text, other commas (`as root, user and admin`), and every word with a sign or a digit in it,
such as a path or a version. A text of several lines, which may be code, is compared exactly. In a
text with letters beyond ASCII, whose language is unknown, only the case of the first word is
ignored. No difference is ignored if two different words of the same text would become equal:
`rename User to user`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from varves.language.english.verbs import IRREGULAR
from varves.values.value import Value

_TOKEN = re.compile(r'`[^`]*`|"[^"]*"|“[^”]*”|«[^»]*»|\S+')
_LETTERS = r"[^\W\d_]+"
_PLAIN = re.compile(rf"{_LETTERS}(?:['\u2019-]{_LETTERS})*")
_END = re.compile(r"(?<=[^\W\d_])[.!…]+$|(?<=\d)\.$")
_ARTICLES = frozenset(("a", "an", "the"))
_COPULAS = frozenset(("is", "are"))
_STOPS = _ARTICLES | _COPULAS | {"please"}
_PASSIVE = frozenset(("get", "gets"))
_UNCHANGED = frozenset(("set", "reset", "put", "cut", "split", "run", "read", "shut", "hit"))
"""Participles that have the form of the verb."""
_OPENINGS = frozenset(
    (
        *("however", "currently", "now", "also", "then", "today", "so", "therefore", "otherwise"),
        *("finally", "usually", "normally", "generally", "always", "instead", "additionally"),
    )
)
_LEADING = frozenset(
    (
        *("after", "before", "in", "on", "at", "for", "during", "when", "whenever", "if", "unless"),
        *("until", "while", "once", "since", "with", "by", "from", "under", "because"),
    )
)
"""First words of a phrase or clause, which may come before or after the main clause."""
_JOINING = _LEADING | {"and", "or", "but", "then", "so"}
_HEADS = frozenset(
    (
        *("the", "a", "an", "this", "these", "our", "its", "their", "your", "all", "each", "every"),
        *("i", "we", "you", "he", "she", "it", "they", "there"),
    )
)
"""Words that begin a clause and cannot continue a name."""
_LIMITS = frozenset(
    (
        *("not", "never", "no", "nor", "neither", "none", "nobody", "nothing", "without", "only"),
        *("cannot", "hardly", "rarely", "seldom", "except"),
    )
)
"""Words whose range a comma may end: do not stop A, and start B."""
_OTHER_WORDS = frozenset(("news", "means", "customs", "goods", "arms", "windows", "rails"))
# In lower case, none of these is an ordinary word, unlike WHO, AIDS and SAP.
_SHORT_FORMS = frozenset(
    (
        *(
            "api",
            "url",
            "uri",
            "http",
            "https",
            "html",
            "css",
            "json",
            "yaml",
            "xml",
            "toml",
            "csv",
        ),
        *(
            "sql",
            "pdf",
            "cpu",
            "gpu",
            "dns",
            "tcp",
            "udp",
            "ssh",
            "tls",
            "ssl",
            "ftp",
            "smtp",
            "jwt",
        ),
        *("sso", "ldap", "cli", "gui", "sdk", "uuid", "utf", "vpn", "aws", "gcp", "npm"),
    )
)
_STRESSED = frozenset(("not", "never", "always", "must", "only", "all", "before", "after"))
_NAMES = frozenset(  # names even as the first word
    (
        *("may", "will", "mark", "bill", "grace", "rose", "frank", "jack", "dean", "drew", "sue"),
        *("pat", "art", "rob", "hope", "faith", "joy", "dawn", "ray", "rich", "nick", "robin"),
        *("march", "august", "polish", "turkey", "china", "go", "rust", "swift", "spark", "slack"),
    )
)
_UNENDING = ("ss", "us", "is", "os", "as")
_HISSING = ("se", "xe", "ze", "che", "she")
_SHORTEST = 4  # the fewest letters of a word with an ending
_SHOUTED = 3  # the fewest words of a text that is all in capitals for emphasis


class Word(Value):
    """A content word: unchanged, with its case folded, and without its ending."""

    raw: str
    cased: str
    bare: str


def same(one: str, other: str) -> bool:
    """Return whether two texts say the same; False if in doubt."""
    left, right = content_words(one), content_words(other)
    if len(left) != len(right) or not all(map(_match, left, right)):
        return False
    longer = {
        len(a.cased) > len(b.cased)
        for a, b in zip(left, right, strict=True)
        if a.raw != b.raw and a.cased != b.cased
    }
    return len(longer) < 2 and not (longer and _copulas(one) != _copulas(other))


def _copulas(text: str) -> list[str]:
    return [word for word in text.lower().split() if word in _COPULAS]


def _match(one: Word, other: Word) -> bool:
    return one.raw == other.raw or one.cased == other.cased or one.bare == other.bare


def group_of(text: str) -> tuple[str, ...]:
    """Return a key that is equal for texts that say the same; other texts may have it too."""
    return tuple(_without_ending(word.cased.lower()) for word in content_words(text))


def content_words(text: str) -> list[Word]:
    """Return the words of a text that carry its meaning, in order."""
    text = text.strip()
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFC", text)
    if len(text.splitlines()) > 1:
        return [_exact(line.rstrip()) for line in text.splitlines()]
    tokens = _without_commas(_TOKEN.findall(_END.sub("", text)))
    if any(sign.isalpha() and not sign.isascii() for sign in text):
        return [_exact(token, first=place == 0) for place, token in enumerate(tokens)]
    found = _folded([one.lower() for one in tokens] if _is_shout(tokens) else tokens)
    names = {word.cased if place == 0 else word.raw for place, word in enumerate(found)}
    if len({word.bare for word in found}) < len(names):  # folding would make two words equal
        return [_exact(word.raw, first=place == 0) for place, word in enumerate(found)]
    return found


def _without_commas(tokens: list[str]) -> list[str]:
    """Remove the commas that cannot change the meaning of the words."""
    low = [token.lower() for token in tokens]
    if any(word.strip(",") in _LIMITS or "n't" in word or "n\u2019t" in word for word in low):
        return tokens
    found = list(tokens)
    leads = low[:1] != [] and low[0] in _LEADING
    for place, (token, after) in enumerate(pairwise(low)):
        if not token.endswith(","):
            continue
        opens = (place == 0 and token[:-1] in _OPENINGS) or (leads and after in _HEADS)
        if opens or after in _JOINING:
            found[place] = tokens[place][:-1]
        leads = False  # only the first comma ends the phrase
    return found


def _is_shout(tokens: list[str]) -> bool:
    plain = [token for token in tokens if _PLAIN.fullmatch(token)]
    return len(plain) >= _SHOUTED and all(token.isupper() for token in plain)


def _folded(tokens: list[str]) -> list[Word]:
    found: list[Word] = []
    before = ""
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        if not _is_stop(token, after, first=place == 0):
            found.append(_word(token, before, first=place == 0))
        before = token.lower()
    return found


def _is_stop(token: str, after: str, *, first: bool) -> bool:
    """Return whether a word is a stop word; the A of `plan A`, or of `option a is open`, is not."""
    word = token.lower() if first and token.istitle() else token
    if word in _ARTICLES:
        return bool(after) and after.lower() not in _COPULAS
    return word in _STOPS or (word in _PASSIVE and _is_participle(after))


def _is_participle(word: str) -> bool:
    """Return whether a lower-case word may be a past participle: built, sent, archived."""
    regular = word.endswith("ed") and not word.endswith("eed") and len(word) >= _SHORTEST
    return word.islower() and (regular or word in IRREGULAR or word in _UNCHANGED)


def _word(token: str, before: str, *, first: bool) -> Word:
    """Fold one word; a unit after a number and the ending of a possible name are kept."""
    small = token.islower() or (first and token[:1].isupper() and token[1:].islower())
    low = token.lower()
    named = token.istitle() and low in _NAMES
    folds = not named if small else token.isupper() and low in _SHORT_FORMS | _STRESSED
    if not _PLAIN.fullmatch(token) or not folds or any(sign.isdigit() for sign in before):
        return _exact(token)
    cased = token.lower()
    ends = token.islower() and before not in _COPULAS
    return Word(raw=token, cased=cased, bare=_without_ending(cased) if ends else cased)


def _exact(token: str, *, first: bool = False) -> Word:
    cased = token.lower() if first and token.istitle() else token
    return Word(raw=token, cased=cased, bare=cased)


def _without_ending(word: str) -> str:
    """Return a lower-case word without the s of a plural or a verb; keep a doubtful s."""
    if word in _OTHER_WORDS or not word.isalpha() or len(word) < _SHORTEST:
        return word
    bare = word
    if word.endswith("ies"):
        bare = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(_UNENDING):
        bare = word[:-1]
    if bare.endswith(_HISSING):  # caches and cache, patches and patch
        bare = bare[:-1]
    if len(bare) < _SHORTEST - 1 or {*"aeiouy"}.isdisjoint(bare):  # uses, not us; https, not http
        return word
    return bare

"""Keywords, entities and intent of a task, found by fixed rules and without a model.

- **Entities** are recognised by their form: paths and file names with an extension (`src/a.py`,
  `Makefile`); functions (`parse()`, `Store.load()`, `Basket.total`, a name that begins with a verb
  such as `calculateTotal` or `fetch_rates`, any name of code beside the word "function" or
  "method"); and interfaces: a method with a path (`GET /users`), a path that begins with a slash,
  a URL, a named API or endpoint ("the Stripe API"). The tables are below.
- **Keywords** are the words that carry meaning, in any script, in lower case, in order, without
  repetitions.
  Stop words, everyday verbs and single letters are left out, and so is the verb that expresses the
  intent: "deploy" in "Deploy the billing service", but not in "Plan the deploy".
  A compound name gives the word and its parts: `PaymentGateway` also gives `payment` and
  `gateway`. The words in the names of files and functions count too.
- **Intent** is the first word, in any of its forms, that is in one of the four lists below; a
  text without such a word has no intent. A memory that has the word, or the intent, as a tag
  matches the task (scores.py).

The parser can be replaced by any callable from a text to `Parsed`.
"""

from __future__ import annotations

import re

from varves.language.english.verbs import AUXILIARIES, IRREGULAR, MODALS, WEAK
from varves.language.english.words import CHANGES, COUNTS, EMPTY, HEDGES, NEGATIONS, listed
from varves.protocols.hivemind.spelling import composed, is_mark
from varves.recall.stopwords import STOPWORDS
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

EXTENSIONS = listed(
    """
ada adb adoc ads apk asc asm aspx astro avi avif bak bash bat bib bicep bin blade bmp bz2 c
cabal cc cert cfg cjs cl class clj cljs cls cmake cmd cnf coffee conf config cpp crt cs csproj
css csv cts cu cxx d dart dat db der diff dll dockerfile docx dot drawio dtd dylib edn ejs el
elm env eot eps epub erb erl ex exe exs f90 feature fish flac flow fs fsx gem gif glsl go gpg
gql gradle graphql groovy gz h haml hbs hcl heex hjson hpp hrl hs htm html http hxx ico iml in
ini ino ipynb iso j2 jade jar java jl jpeg jpg js json json5 jsonl jsonnet jsp jsx key kt kts
latex less lhs lib liquid lisp lock log lua m m4 mak map markdown md mdx mjs mk ml mli mm mod
mov mp3 mp4 msi mts mustache ndjson nim nix njk nu ogg org orig otf out pas patch pdf pem pfx
php pid pl plist pm png po pod pot pptx prisma proc prof properties proto ps1 psd pub pug purs
py pyc pyi pyx qml qss r rake rb rego rej rkt rmd rs rst rtf s sass sbt scala scm scss sh sig
sln snap so sol spec sql sqlite sqlite3 srt ss sty sum sv svelte svg swift swp tar tcl templ tex
tf tfstate tfvars tga tgz thrift tif tiff tmp tmpl toml tpl ts tsbuildinfo tsv tsx ttf twig txt
v vb vhd vhdl vim vue war wasm wat wav webm webmanifest webp whl woff woff2 wsdl xaml xcf xhtml
xlsx xml xsd xsl xslt yaml yml zig zip zsh zst
"""
)
"""The endings of files; `Basket.total` has none of them."""
HOSTS = listed(
    """
app at ch cn co com de dev edu es eu fr gov io it jp local net nl org uk
"""
)
"""The endings of names of machines, such as `api.example.com`."""
PRODUCTS = listed(
    """
airbnb asp.net bitbucket chart.js couchdb d3.js deno.land devops discord.js dynamodb ember.js
express.js fastapi firefoxos github gitlab graphql hashicorp influxdb javascript leetcode
linkedin macbook mariadb mongodb mysql nest.js next.js node.js nosql nuxt.js openai openapi
openshift openssl openstack paper.js paypal playstation postgresql pycharm pytorch react.js
rubygems scikitlearn socket.io solid.js stackoverflow tensorflow three.js typescript vb.net
vscode vue.js watchos webassembly webgl webrtc whatsapp wordpress youtube
"""
)
"""Names of products that look like files or functions, in lower case."""
ACTIONS = listed(
    """
add append apply assert assign attach authenticate authorize await batch bind broadcast calc
calculate cancel cast clamp clean cleanup clear clone collect compare compile compute concat
configure connect convert copy create debounce decode decrease decrement decrypt dedupe delete
dequeue deserialize destroy detach detect disable disconnect dispatch download emit enable
encode encrypt enqueue ensure escape evaluate execute expand extract fetch find flatten format
generate get handle increase increment init initialise initialize inject insert instantiate
invoke iterate join list load login logout make memoize merge migrate mount move multiply
navigate normalise normalize notify parse patch persist poll pop populate prepare preprocess
print process publish pull push query receive recompute redirect redraw refresh register reject
release remove rename render replace request require reset resize resolve restore retrieve retry
rotate round sanitise sanitize save scan schedule search select send serialise serialize set
setup show shuffle slice spawn split stringify subscribe subtract sum sync teardown throttle
tokenize transform translate traverse trim truncate try unbind unescape unlock unmount
unregister unsubscribe unwrap unzip update upload upsert use validate verify visit walk watch
wrap write
"""
)
"""Verbs with which names of functions begin: `fetch_rates`, `calculateTotal`."""
ASKING = listed(
    """
as can contains did does for from has in is on should to was will with
"""
)
"""Words with which names of functions begin in camel case only: `isValid`, `toJson`, `onClick`."""
NOUNS = listed(
    """
batch cast clone copy create delete download format init join list load lock log login merge
migrate move patch poll print process publish pull push query reject release request reset retry
round save scan schedule search select send slice split sum sync update upload use visit walk
watch write
"""
)
"""Those of `ACTIONS` with which names of values begin as well."""
NOT_DONE = listed(
    """
at balancer base by case center code count date factor file flag group header id index interval
key kind length level limit list lock log method mode name node number only order out path
policy price queue rate ref retries size source status step string style table text through time
timeout timestamp top type url user value version
"""
)
"""Last words of such names of values: `update_time`, `list_price`."""
STYLES = listed(
    """
admin external graphql grpc http https internal json private public rest restful rpc soap v1 v2
v3 web websocket xml
"""
)
"""Words that tell the kind of an interface; they name it only together with another word."""
GENERIC = listed(
    """
a add against all an and another any are as async at bad beta better both break broken build by
call calling change check clean create current debug deploy deprecated design docs document
documentation documented each entire error errors every existing expose extend fake fast first
fix fixing flaky for from full good handle her his hit hitting if implement improve in into is
its last legacy let live local main make many migrate mock multiple my new next nice no not of
official old on one open or other our own partial production query querying real refactor
release remote remove rename response responses review rewrite same second secure several ship
simple slow some stable staging support sync test than that the their then these third this
those to two undocumented unofficial unstable update use using various version via was what when
which whole whose with wrap write your
"""
)
"""Words before "API" or "endpoint" that do not name it."""
CALLED = r"(?:function|method|func|fn|def|helper|callback|handler|hook|procedure|subroutine)s?"
"""The words beside which any name of code is that of a function."""


INTENTS = {
    "create": "create add build implement write make generate develop introduce design draft",
    "fix": "fix repair resolve debug correct solve patch mend troubleshoot hotfix",
    "review": "review check audit inspect examine assess verify analyse analyze evaluate",
    "deploy": "deploy release ship publish rollout roll launch promote",
}
_PHRASES = {
    "review": r"(?:have|take|having|taking) (?:a|another) (?:\w+ )?look at|"
    r"look(?:ing)? (?:at|over)|(?:go|going|read|reading) (?:through|over)|proofread(?:ing)?|"
    r"double-check|compare|feedback on",
    "create": r"set(?:ting)? up|put(?:ting)? together|come up with|draw up|compose|"
    r"prepar(?:e|ing)(?! (?:\S+ ){0,3}(?:release|deploy|rollout|launch))|"
    r"(?:we|i) (?:need|want) (?:an?|another|some) (?:new )?|need(?:s|ed)? a new",
    "fix": r"there(?: is|'s|\u2019s| are) (?:still )?(?:an?|some|another) (?:\w+ )?"
    r"(?:bugs?|errors?|leaks?|faults?|problems?|typos?)|"
    r"crash(?:es|ed) (?:when|if|on|with|for|after)|fail(?:s|ed)? (?:when|if|on|with|for|after|to)|"
    r"(?:does not|doesn't|do not|don't|no longer) works?|"
    r"(?:is|are) (?:still )?broken|sort(?:ing)? (?:\w+ )?out|get(?:ting)? rid of",
    "deploy": r"(?:put|putting|bring|bringing|take|get) (?:\S+ ){1,6}?(?:online|live)|"
    r"go(?:ing)? live|push(?:ing)? (?:\S+ ){1,6}?to (?:production|staging)",
}
"""Phrases that say an intent without any of these words."""
_PHRASE = re.compile(
    "|".join(rf"\b(?P<{name}>{said})\b" for name, said in _PHRASES.items()), re.IGNORECASE
)
_THINGS = listed("draft drafts design designs build builds patch patches")
"""Words that say an intent only as verbs: "my draft" asks for nothing to be drafted."""
_INTENT_OF = {word: intent for intent, words in INTENTS.items() for word in words.split()}
_EVERYDAY = {
    *("use", "using", "get", "need", "want", "please", "ensure", "try", "let", "help", "should"),
    *("http", "https"),
}
_BEFORE_VERBS = MODALS | listed(
    """
to please and or then not never just now also first again let lets let's help me us we i you they
don't can't kindly quickly
"""
)
"""Words after which a word that may be a noun is a verb."""
_URL = r"https?://[^\s<>\"')\]]+"
_API = r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/[\w\-./{}:?=&%]*"
_CALL = r"(?<![\w.:])[A-Za-z_][\w.]*(?:::\w+)*\(\)"
_FILE = r"(?<![\w/.@\-])(?:\.{0,2}/)?(?:[\w\-.@]+/)*[\w\-@.]+\.[A-Za-z][A-Za-z0-9]{0,7}\b(?!\()"
_ROUTE = r"(?<![\w/.])/[\w\-{}:.]+(?:/[\w\-{}:.]*)*"
_BARE = r"\b(?:Makefile|Dockerfile|README|LICENSE|Jenkinsfile|Procfile)\b(?!\.)"
_ENTITY = re.compile("|".join(f"({one})" for one in (_URL, _API, _CALL, _FILE, _ROUTE, _BARE)))
_KINDS = ("api", "api", "function", "file", "api", "file")
_NAME = re.compile(r"(?<![\w/.@$\-])[A-Za-z_$]\w*(?:\.\w+)*(?![\w/(@\-])")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_VERSION = re.compile(r"[vV]?\d")
_INTERFACE = re.compile(r"\b(?:APIs?|apis?|endpoints?|webhooks?)\b(?![/.]\w)")
_CUE_BEFORE = re.compile(rf"\b{CALLED}\s+([`'\"]?)$", re.IGNORECASE)
_CUE_AFTER = re.compile(rf"([`'\"]?)\s+{CALLED}\b", re.IGNORECASE)
_NEAR = 60  # the number of characters around a name that are read
_NAMING = 3  # the most words that name an interface
_WORD = re.compile(r"[^\W_]+(?:[-_'\u2019][^\W_]+)*(?:\+\+|#)?")
_PART = re.compile(r"A+(?!a)|A?a+|0+")
_LONGEST = 10_000  # the maximum number of characters of a task that are read
_INFLECTED = ("ing", "ed", "es", "s")


class TaskEntity(Value):
    """An entity that a task names, and its kind: `file`, `function` or `api`."""

    name: str
    kind: str


class Parsed(Value):
    """A parsed task."""

    keywords: tuple[str, ...]
    entities: tuple[TaskEntity, ...]
    intent: str | None
    action: str = ""
    """The word that expresses the intent, in lower case."""


def parse(text: str) -> Parsed:
    """Parse a task; the same text always gives the same result."""
    text = composed(text[:_LONGEST])
    found: dict[str, str] = {}
    for _, name, kind in sorted((*_written_out(text), *_code(text), *_interfaces(text))):
        found.setdefault(name, kind)
    entities = tuple(TaskEntity(name=name, kind=kind) for name, kind in found.items())
    said, intent, is_verb = _intent(text)
    keywords = tuple(word for word in _keywords(text) if not (is_verb and word == said))
    return Parsed(keywords=keywords, entities=entities, intent=intent, action=said)


def _written_out(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, name and kind of the entities that have signs of their own."""
    for match in _ENTITY.finditer(text):
        name, kind = " ".join(match[0].split()).rstrip(".,;:"), _KINDS[(match.lastindex or 1) - 1]
        if kind == "file" and "." in name:
            kind = _kind_of_dotted(name)
        if kind:
            yield match.start(), name, kind


def _kind_of_dotted(name: str) -> str:
    """Return the kind of a name with dots; "" for abbreviations, products and versions."""
    stem, _, ending = name.rpartition(".")
    low, last = name.lower(), ending.lower()
    if "/" in name or name.startswith("."):
        return "file"
    if low in ("e.g", "i.e", "a.k.a", "p.s", "u.s") or low in PRODUCTS or _VERSION.match(stem):
        return ""
    if last in EXTENSIONS:
        return "file" if any(map(str.isalpha, stem)) else ""
    if last in HOSTS:
        return "api" if low.startswith("api.") else ""
    if _DOTTED.fullmatch(name):
        return "" if last in STOPWORDS else "function"
    return "file" if any(map(str.isalpha, stem)) else ""


def _code(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, name and kind of the functions that are named without brackets."""
    for match in _NAME.finditer(text):
        name, (start, end) = match[0], match.span()
        if "." in name:
            if _kind_of_dotted(name) == "function":
                yield start, name, "function"
            continue
        before = _CUE_BEFORE.search(text, max(0, start - _NEAR), start)
        after = _CUE_AFTER.match(text, end, end + _NEAR)
        quoted = bool((before and before[1]) or (after and after[1]))
        if _is_function(name, called=bool(before or after), quoted=quoted):
            yield start, name, "function"


def _is_function(name: str, *, called: bool, quoted: bool) -> bool:
    """Return whether a name without dots and brackets is that of a function.

    Args:
        name: the name.
        called: whether the word "function" or the like is beside it.
        quoted: whether it stands in quotation marks beside that word.
    """
    snake, camel = "_" in name.strip("_"), not name.islower() and not name[0].isupper()
    if name.lower() in PRODUCTS or name.isupper():
        return False
    if called and (snake or camel or quoted or _PART.fullmatch("".join(map(_form, name))) is None):
        return True
    parts = [one.lower() for one in (name.split("_") if snake else _parts(name)) if one]
    if len(parts) < 2 or not (snake or camel):
        return False
    verb = parts[0] in ACTIONS or (camel and parts[0] in ASKING)
    return verb and not (parts[0] in NOUNS and parts[-1] in NOT_DONE)


def _interfaces(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, name and kind of the interfaces that a word names: "the Stripe API"."""
    for match in _INTERFACE.finditer(text):
        line = text[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2]
        names: list[str] = []
        for word in reversed(line.split()[-_NAMING:]):
            bare = word.removesuffix("'s").removesuffix("\u2019s").strip("`'\"*_")
            kind = bare.lower() in STYLES
            if not kind and (_is_generic(bare) or (names and _is_other(bare, names[0]))):
                break
            names.insert(0, bare)
        while names and names[0].lower() in STYLES:
            del names[0]
        if names and line.endswith((" ", "\t")):
            yield match.start(), f"{' '.join(names)} {match[0]}", "api"


def _is_generic(word: str) -> bool:
    low = word.lower()
    known = low in GENERIC or low in STOPWORDS or low in _EVERYDAY or low in ACTIONS
    return (
        known
        or not word.replace("-", "").isalnum()
        or any(form in _INTENT_OF for form in (low, *_stems(low)))
    )


def _is_other(word: str, name: str) -> bool:
    """Return whether a word is not part of a name, because only one of them has a capital."""
    return name.lower() not in STYLES and word[0].isupper() is not name[0].isupper()


def _keywords(text: str) -> list[str]:
    found: dict[str, None] = {}
    for word in _words(text):
        for candidate in (word, *_parts(word)):
            bare = candidate.lower().removesuffix("'s").removesuffix("\u2019s")
            if len(bare) > 1 and bare not in STOPWORDS and bare not in _EVERYDAY:
                found[bare] = None
    return list(found)


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text; a combining mark belongs to the letter before it."""
    shape = text if text.isascii() else "".join("a" if is_mark(sign) else sign for sign in text)
    for match in _WORD.finditer(shape):
        yield text[match.start() : match.end()]


def _parts(word: str) -> list[str]:
    """Return the parts of a compound; an upper-case letter, a digit or a sign begins one."""
    spans = [match.span() for match in _PART.finditer("".join(map(_form, word)))]
    return [word[start:end] for start, end in spans] if len(spans) > 1 else []


def _form(sign: str) -> str:
    if sign.isdigit():
        return "0"
    if sign.isupper():
        return "A"
    return "a" if sign.isalpha() or is_mark(sign) else " "


def _intent(text: str) -> tuple[str, str | None, bool]:
    """Return the word that expresses the intent of a task, the intent, and whether it is a verb.

    The first verb or phrase counts, otherwise the first noun; a phrase has no such word.
    """
    words = list(map(str.lower, _words(text)))
    said = _PHRASE.search(text)
    first = len(list(_words(text[: said.start()]))) if said else len(words)
    for place, word in enumerate(words):
        is_verb = _is_verb(words, place)
        if (said and (place >= first or not is_verb)) or (word in _THINGS and not is_verb):
            continue
        for form in (word, *_stems(word)):
            if form in _INTENT_OF:
                return word, _INTENT_OF[form], is_verb
    return "", said.lastgroup if said else None, False


def subjects_in(parsed: Parsed) -> tuple[str, ...]:
    """Return the keywords that can be tags: no numbers, and no words that say little alone.

    If there is no such keyword, all of them are returned.
    """
    found = tuple(word for word in parsed.keywords if not (word.isdigit() or word in _SLIGHT))
    return found or parsed.keywords


_SLIGHT = frozenset(
    (
        *(*EMPTY, *NEGATIONS, *COUNTS, *CHANGES, *HEDGES, *WEAK, "back", "else", "away", "off"),
        *(form for form, root in IRREGULAR.items() if root in WEAK),
        *(f"{verb.removesuffix('e')}{end}" for verb in WEAK for end in ("s", "es", "ed", "ing")),
    )
)


def _is_verb(words: list[str], place: int) -> bool:
    """Return whether a word that may be a noun is a verb: at the beginning, after "to" or "we"."""
    after = words[place + 1] if place + 1 < len(words) else ""
    return after not in AUXILIARIES and (place == 0 or words[place - 1] in _BEFORE_VERBS)


def _stems(word: str) -> list[str]:
    """Return the possible base forms of a word: fix for `fixing`, release for `released`."""
    found = []
    for ending in _INFLECTED:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            found += [stem, f"{stem}e"]
            if len(stem) > 3 and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return found

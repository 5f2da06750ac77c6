"""Words that matter in comparing texts: fillers, negations, opposites, numbers, short forms.

The list is short on purpose. A word that is not in it is compared unchanged.
"""

from __future__ import annotations


def _some(words: str) -> frozenset[str]:
    return frozenset(words.split())


# The roles of a word, as bits; a word may have several.
FILLER = 1  # no effect on the meaning: it is left out
ABOUT = 2  # relates things to each other: it is compared, but is no name of a thing
AUXILIARY = 4
NEGATION = 8
CHANGE = 16  # hints that something was different before
PERSONAL = 32  # refers to the speaker
HEDGE = 64  # a clause with such a word is a possibility and states nothing
GENERIC = 128  # at the beginning of a clause: the clause is about no definite thing
WHEN = 512  # at the beginning of a clause: the clause only states when or why
GONE = 256  # states that something is no longer true

_WORDS = {
    FILLER: "a an the is are be been being am it its this that these those there here we our us"
    " and so just also really actually currently very please basically simply already still now"
    " which who has have do does of in on at for as oh well kinda = ==",
    ABOUT: "i my me mine im ive you your he she his her him they them their was were had did from"
    " to by before after until till than over under above below between with into onto out off up"
    " down via per through during since because if when while unless except only or but all each"
    " every both most more less least other another same about again once then always often"
    " sometimes usually rarely what how why where whose some any either",
    AUXILIARY: "should must can could would will may might shall ought let want need try trying"
    " get got go went think thought know say said lot way thing",
    NEGATION: "not no never none nobody nothing neither nor without cannot nowhere hardly isnt"
    " arent dont doesnt didnt wont cant",
    CHANGE: "now instead since moved changed switched replaced dropped removed anymore longer"
    " became becomes extended increased decreased raised lowered updated new back",
    PERSONAL: "i my me mine im ive we our us",
    HEDGE: "if maybe perhaps wondering whether suppose imagine would could might",
    GENERIC: "a an some someone somebody one two three several many few people another there",
    WHEN: "after before when while until till since because unless if once as during",
    GONE: "removed dropped gone retired ended replaced replaces thrown deprecated abandoned"
    " discontinued shut left leaves ditched obsolete",
}
ROLES: dict[str, int] = {}
for _role, _words in _WORDS.items():
    for _word in _words.split():
        ROLES[_word] = ROLES.get(_word, 0) | _role

# they negate a part of a statement, not the whole statement
LACKING = frozenset(("without", "hardly"))
LOOSE = _some("was were from to by with through via per i my me mine you your")
JOINING = frozenset(("and", "but", "so", "because", "that"))
SUBJECTS = _some("I I'm I've I'll I'd we we've we're my it it's he she they our")
# the next word names the owner of the thing, not the thing
OWNING = frozenset(("of", "for", "about"))
EQUATING = _some("is are was were be =")  # the next word is the value of the thing
# A number after one of these words identifies a thing and is not its value.
LABELS = _some(
    "number no step phas part chapter item issue ticket pr room day week episod question exercis"
    " section page line rul level group user server host worker shard replica cas test exampl task"
    " sprint mileston round run id note memory fact entry servic modul customer client order"
    " invoic batch pep rfc adr figur tabl row column slot lane track box"
)
DAYS = _some(
    "january february march april may june july august september october november december jan feb"
    " mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday"
    " sunday am pm"
)
COUNTS = {
    word: str(number)
    for number, word in enumerate(
        (
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        )
    )
} | {"percent": "%"}
# The plain form of short forms, and of words whose ending the stemmer does not remove.
PLAIN = {
    **dict.fromkeys(("use", "uses", "used", "using", "utilise", "utilize"), "use"),
    **dict.fromkeys(("db", "dbs", "databases", "database"), "database"),
    **dict.fromkeys(("prod", "production"), "production"),
    **dict.fromkeys(("repo", "repos", "repositories", "repository"), "repository"),
    **dict.fromkeys(("config", "configs", "configuration", "configurations"), "configuration"),
    **dict.fromkeys(("env", "envs", "environments", "environment"), "environment"),
    **dict.fromkeys(("max", "maximum"), "maximum"),
    **dict.fromkeys(("docs", "documentation"), "documentation"),
    **dict.fromkeys(("someone", "somebody", "person"), "person"),
}
_PAIRS = (
    "enabl disabl,allow forbid,allow deny,allow prohibit,on off,start stop,open clos,accept reject,"
    "includ exclud,synchronou asynchronou,public privat,mandatory optional,requir optional,"
    "tru fals,safe unsaf,stable unstabl,manual automatic,manually automatically,add remov,"
    "increas decreas,succeed fail,full empty,lock unlock,encrypt plain,required optional,"
    "load quiet,inside outsid,large small,big small,big littl,tall short,young old,fast slow,"
    "slowly quickly,empty crowd,sit stand,dry wet,light dark,love hat,lik hat,many few"
)
ANTONYMS: dict[str, set[str]] = {}
for _pair in _PAIRS.split(","):
    _one, _other = _pair.split()
    ANTONYMS.setdefault(_one, set()).add(_other)
    ANTONYMS.setdefault(_other, set()).add(_one)

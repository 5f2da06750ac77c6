"""English words that carry no content of their own: function words, cues, softeners.

Every table is plain data. A word that is in no table is a content word and counts as it is.
"""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words without content. They never distinguish two statements.
EMPTY = _set(
    "a an the this that these those there here it its it's he she his her him they them their our"
    " ours us we i my me mine you your yours is are be been being am was were do does did done has"
    " have had having get gets got gotten getting will would shall should ought let lets please"
    " pls plz btw fyi and as so just really actually basically simply very quite rather indeed"
    " too then of which who whom whose what how when where why such own self etc also currently"
    " presently heads up note anymore longer instead recently newly previously formerly lately remember keep-in-mind reminder turns out apparently already"
    " still yet now today nowadays these-days finally at-present s re ve ll d m thing things stuff"
    " way kind sort one ones other others everything something anything team's folks people someone"
    " somebody person guys at-all whole entire entirely fully completely totally overall plain"
    " existing given certain particular specific respective exactly precisely fixed"
    " roughly about approximately around ca circa some any each every all both either or if than"
    " even merely purely whatever whichever whenever wherever directly straight always"
    " confirmed checked finding found decision decided agreed regarding concerning"
)

# Prepositions, by the role that they give to the next phrase.
PREPOSITIONS = {
    **dict.fromkeys("in on at inside within under onto into upon".split(), "in"),
    **dict.fromkeys("to towards toward".split(), "to"),
    **dict.fromkeys("with using via through over by".split(), "with"),
    **dict.fromkeys("from off".split(), "from"),
    "for": "for",
    "as": "as",
    "against": "against",
    "between": "between",
    "across": "across",
    "during": "in",
    "per": "per",
    "before": "before",
    "after": "after",
    "until": "until",
    "till": "until",
    "since": "since",
    "above": "above",
    "below": "below",
    "beyond": "above",
    "past": "above",
    "like": "like",
    "outside": "outside",
    "behind": "behind",
    "near": "in",
    "next": "in",
}
# Words after which the rest of a clause gives a reason, a purpose or an aside.
REASONS = _set("because since so otherwise hence therefore thus due which although though whereas")
CONDITIONS = _set("if when unless while whenever once provided except where")
# Words that deny a statement. Two of them in one clause cancel each other out.
NEGATIONS = _set(
    "not no never none nobody nothing neither nor without cannot nowhere n't isnt arent dont"
    " doesnt didnt wont cant shouldnt wasnt werent havent hasnt mustnt nope hardly ain't aint non"
    " zero-"
)
# Words that hint that something was different before.
CHANGES = _set(
    "now anymore longer moved changed switched switching replaced dropped removed became becomes"
    " extended increased decreased raised lowered updated upgraded bumped migrated renamed retired"
    " since instead previously formerly recently newly lately slipped postponed rescheduled"
    " cut-over handed took taken gone doubled halved deprecated abandoned discontinued ditched"
    " finally rid shut ended left stopped today nowadays shipped rolled fixed resolved"
    " introduced converted reverted swapped ported transitioned phased superseded succeeded"
)
# Words that say that something is gone.
GONE = _set(
    "removed dropped gone retired ended replaced thrown deprecated abandoned discontinued left"
    " ditched obsolete rid scrapped killed sunset decommissioned shut stopped banned longer"
    " anymore over deleted history past fixed resolved moved"
)
# Words after which a clause says what may be, not what is.
HEDGES = _set(
    "maybe perhaps wondering whether suppose supposing imagine might probably possibly likely"
    " considering thinking propose proposed suggest suggests hope hopefully wish seems unclear"
    " unsure guess sometimes occasionally usually often mostly"
)
ALSO = _set("also too another additionally additional plus besides")
# Words that open a message and say nothing.
UNIVERSAL = _set("anybody anyone everybody everyone any all every each always whoever whole")
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mondays mon",
            "tuesday tuesdays tue tues",
            "wednesday wednesdays wed weds",
            "thursday thursdays thu thur thurs",
            "friday fridays fri",
            "saturday saturdays",
            "sunday sundays",
        )
    )
    for name in names.split()
}
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("january jan", "february feb", "march", "april apr", "", "june jun"),
            *("july jul", "august aug", "september sep sept", "october oct", "november nov"),
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
COUNTS = {
    word: number
    for number, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
            *("seventeen", "eighteen", "nineteen", "twenty"),
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100}
COUNTS |= {"twice": 2, "thrice": 3, "dozen": 12, "single": 1, "once": 1, "half": 0}
del COUNTS["half"]
# Units: what is measured, and the factor to its smallest unit.
UNITS: dict[str, tuple[str, float]] = {}
for _kind, _rows in {
    "duration": (
        ("ms millisecond milliseconds millis msec", 0.001),
        ("s sec secs second seconds", 1),
        ("min mins minute minutes", 60),
        ("h hr hrs hour hours", 3600),
        ("day days d", 86_400),
        ("week weeks wk", 604_800),
        ("month months mo", 2_592_000),
        ("quarter quarters", 7_776_000),
        ("year years yr", 31_536_000),
    ),
    "size": (
        ("byte bytes b", 1),
        ("kb kib kilobyte kilobytes ki", 1024),
        ("mb mib megabyte megabytes mi megs", 1024**2),
        ("gb gib gigabyte gigabytes gi gig gigs", 1024**3),
        ("tb tib terabyte terabytes ti", 1024**4),
    ),
    "percent": (("% percent pct", 1),),
    "money": (("$ dollar dollars usd € euro euros eur £ pound pounds gbp bucks cents", 1),),
    "pixels": (("px pixel pixels", 1),),
    "rate": (("hz", 1), ("khz", 1000), ("mhz", 1_000_000), ("ghz", 1_000_000_000)),
    "frames": (("fps", 1),),
    "rps": (("rps qps", 1),),
}.items():
    for _names, _factor in _rows:
        for _name in _names.split():
            UNITS[_name] = (_kind, _factor)
# A number after one of these nouns says which thing is meant; it is not a value of one.
LABELS = _set(
    "number no step phase part chapter item issue ticket pr room day week episode question"
    " exercise section page line rule level group user server host worker shard replica case test"
    " example task sprint milestone round run id note memory fact entry service module customer"
    " client order invoice batch pep rfc adr figure table row column slot lane track box incident"
    " postmortem tenant build appendix annex stage iteration cohort experiment variant bug"
)
# How often: the word, and the period in seconds.
FREQUENCIES = {
    "hourly": 3600,
    "daily": 86_400,
    "nightly": 86_400,
    "night": 86_400,
    "weekly": 604_800,
    "biweekly": 1_209_600,
    "fortnightly": 1_209_600,
    "monthly": 2_592_000,
    "quarterly": 7_776_000,
    "yearly": 31_536_000,
    "annually": 31_536_000,
    "annual": 31_536_000,
}
# Words of a clause that neither distinguish nor restrict it.
SOFT = _set(
    "value setting set configured config current present team policy rule convention system"
    " name named call called standard default-ed place happen occur take make want like mean say"
    " tell state go come put keep stay remain become work happen exist sit live belong appear"
    " apply involve consist look see know think believe expect sure definitely certainly explicitly"
    " officially internally effectively automatic nicely properly correctly fine ok okay normal"
    " normally generally typical default principle purpose practice course fact truth use used"
    " useful need allow able can may must have-to hit reach count total amount up there run"
    " start possible responsible based available"
    " moment side bit lot strictly only alone solely exclusively anything good bad"
    ""
)

# Words that bound a value, each with the bound that it gives.
BOUNDS = {
    "before": "before",
    "after": "after",
    "least": "least",
    "most": "most",
    "over": "over",
    "above": "over",
    "beyond": "over",
    "past": "over",
    "under": "under",
    "below": "under",
}

"""English words without content of their own: function words, cue words and measures.

Every table is plain data. A word that is in no table is a content word and is not changed.
"""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """Return the words of a row as a set."""
    return frozenset(words.split())


def numbered(rows: tuple[str, ...], start: int = 0) -> dict[str, int]:
    """Return the words of each row with the number of the row."""
    return {word: number for number, row in enumerate(rows, start) for word in row.split()}


# Words and phrases that count as another word, which is looked up in the other tables.
PHRASES = {
    "favour": "prefer",
    "favours": "prefers",
    "favoured": "prefer",
    "favor": "prefer",
    "favors": "prefers",
    "favored": "prefer",
    "prioritise": "prefer",
    "prioritises": "prefers",
    "prioritize": "prefer",
    "prioritizes": "prefers",
    "would rather": "prefer",
    "would sooner": "prefer",
    "pull request": "pullrequest",
    "pull requests": "pullrequest",
    "merge request": "pullrequest",
    "merge requests": "pullrequest",
    "credit card": "creditcard",
    "on call": "oncall",
    "front end": "frontend",
    "back end": "backend",
    "sign off": "approve",
    "signs off": "approve",
    "signed off": "approve",
    "signed off on": "approve",
    "sign off on": "approve",
    "snake case": "snake_case",
    "camel case": "camelcase",
    "pascal case": "pascalcase",
    "kebab case": "kebab-case",
    "title case": "titlecase",
    "sentence case": "sentencecase",
    "upper case": "uppercase",
    "lower case": "lowercase",
    "past tense": "pasttense",
    "imperative mood": "imperative",
    "imperative form": "imperative",
    "object oriented": "object-oriented",
    "session cookie": "session-cookie",
    "session cookies": "session-cookie",
    "css modules": "css-modules",
    "styled components": "styled-components",
    "present tense": "presenttense",
    "calendar versions": "calver",
    "calendar versioning": "calver",
    "semantic versions": "semver",
    "semantic versioning": "semver",
    "read only": "read-only",
    "roll out": "deploy",
    "rolled out": "deployed",
    "rolls out": "deploys",
    "logs in": "login",
    "sign in": "login",
    "signs in": "login",
    "big endian": "big-endian",
    "little endian": "little-endian",
    "github actions": "github-actions",
    "gitlab ci": "gitlab-ci",
    "github issues": "github-issues",
    "react native": "react-native",
    "read the docs": "readthedocs",
    "sql server": "sqlserver",
    "stand up": "standup",
    "stand ups": "standup",
    "opt in": "opt-in",
    "opt out": "opt-out",
    "force push": "force-push",
    "force pushing": "force-push",
    "force pushes": "force-push",
    "part time": "parttime",
    "full time": "fulltime",
    "plain text": "plaintext",
    "clear text": "plaintext",
    "server side": "server-side",
    "client side": "client-side",
    "by hand": "manually",
    "by itself": "automatically",
    "by themselves": "automatically",
    "on its own": "automatically",
    "around the clock": "24/7",
    "turned off": "disabled",
    "turn off": "disable",
    "turns off": "disables",
    "switched off": "disabled",
    "switch off": "disable",
    "turned on": "enabled",
    "turn on": "enable",
    "switched on": "enabled",
    "switched back on": "enabled",
    "turned back on": "enabled",
    "turning on": "enabling",
    "turns on": "enables",
    "turning off": "disabling",
    "switching on": "enabling",
    "switching off": "disabling",
    "shut down": "decommissioned",
    "shuts down": "decommissioned",
    "shutting down": "decommissioned",
    "got rid of": "removed",
    "get rid of": "remove",
    "getting rid of": "removing",
    "phased out": "retired",
    "thrown out": "removed",
    "threw out": "removed",
    "in charge of": "own",
    "responsible for": "own",
    "in charge": "own",
    "is responsible": "owns",
    "takes care of": "owns",
    "take care of": "own",
    "took over": "tookover",
    "takes over": "tookover",
    "taken over": "tookover",
    "has taken over": "tookover",
    "handed over": "handedover",
    "hands over": "handedover",
    "no longer": "nolonger",
    "not any more": "nolonger",
    "not anymore": "nolonger",
    "any more": "anymore",
    "any longer": "anymore",
    "up to": "upto",
    "at most": "atmost",
    "at least": "atleast",
    "no more than": "atmost",
    "not more than": "atmost",
    "no less than": "atleast",
    "no fewer than": "atleast",
    "not exceed": "atmost",
    "more than": "morethan",
    "less than": "lessthan",
    "fewer than": "lessthan",
    "or newer": "orlater",
    "or later": "orlater",
    "or higher": "orlater",
    "or above": "orlater",
    "or up": "orlater",
    "and newer": "orlater",
    "and later": "orlater",
    "and up": "orlater",
    "and above": "orlater",
    "and higher": "orlater",
    "or more": "orlater",
    "or less": "atmost",
    "or fewer": "atmost",
    "have to": "must",
    "has to": "must",
    "need to": "must",
    "needs to": "must",
    "used to": "formerly",
    "of course": "surely",
    "for now": "currently",
    "as well": "also",
    "instead of": "insteadof",
    "rather than": "insteadof",
    "as opposed to": "insteadof",
    "in place of": "insteadof",
    "in favor of": "infavourof",
    "in favour of": "infavourof",
    "next to": "beside",
    "out of": "from",
    "due to": "because",
    "because of": "because",
    "owing to": "because",
    "only if": "onlyif",
    "even if": "although",
    "every day": "daily",
    "each day": "daily",
    "every night": "nightly",
    "each night": "nightly",
    "every week": "weekly",
    "each week": "weekly",
    "every month": "monthly",
    "each month": "monthly",
    "every quarter": "quarterly",
    "every year": "yearly",
    "each year": "yearly",
    "once a day": "daily",
    "once per day": "daily",
    "once a week": "weekly",
    "once per week": "weekly",
    "once a month": "monthly",
    "once a quarter": "quarterly",
    "once a year": "yearly",
    "every hour": "hourly",
    "once an hour": "hourly",
    "every other week": "biweekly",
    "every second week": "biweekly",
    "every two weeks": "biweekly",
    "every 2 weeks": "biweekly",
    "next week": "tomorrow",
    "next month": "tomorrow",
    "next year": "tomorrow",
    "next quarter": "tomorrow",
    "next sprint": "tomorrow",
    "one after another": "sequential",
    "one at a time": "sequential",
    "one by one": "sequential",
    "not just": "also",
    "not only": "also",
    "not allowed": "forbidden",
    "not permitted": "forbidden",
    "off limits": "forbidden",
    "left to right": "ltr",
    "right to left": "rtl",
    "machine learning": "ml",
    "plan to": "maybe",
    "plans to": "maybe",
    "planning to": "maybe",
    "want to": "maybe",
    "wants to": "maybe",
    "going to": "shall",
    "thinking about": "maybe",
    "thinking of": "maybe",
    "went with": "chose",
    "going with": "choosing",
    "go with": "choose",
    "frames per second": "fps",
    "live for": "expire",
    "lives for": "expire",
    "good for": "expire",
    "ip address": "ip",
    "magic link": "magic-link",
    "local storage": "localstorage",
    "google cloud storage": "gcs",
    "google cloud": "gcp",
    "merge commit": "merge-commit",
    "merge commits": "merge-commit",
    "normally open": "normally-open",
    "normally closed": "normally-closed",
    "came off": "removed",
    "back on": "enabled",
    "emergency stop": "e-stop",
    "redux toolkit": "redux-toolkit",
    "went back": "removed",
    "stop using": "remove",
    "stopped using": "removed",
    "time out": "timeout",
    "times out": "timeout",
    "set up": "setup",
    "code review": "review",
    "code reviews": "review",
    # phrases that say that something ended, or that its value changed
    "these days": "nowadays",
    "by now": "now",
    "last night": "yesterday",
    **dict.fromkeys(
        (
            *("last week", "last month", "last quarter", "last year", "last sprint", "last spring"),
            *("last summer", "last autumn", "last fall", "last winter", "this morning"),
        ),
        "yesterday",
    ),
    "until recently": "previously",
    "is out": "removed",
    "are out": "removed",
    "did away with": "removed",
    "done away with": "removed",
    "do away with": "remove",
    "pulled the plug on": "removed",
    "said goodbye to": "removed",
    "moved away from": "removed",
    "moved off": "removed",
    "is over": "ended",
    "are over": "ended",
    "went up": "raised",
    "gone up": "raised",
    "turned up": "raised",
    "brought up": "raised",
    "dialled up": "raised",
    "went down": "lowered",
    "gone down": "lowered",
    "came down": "lowered",
    "turned down": "lowered",
    "brought down": "lowered",
    "cut down": "lowered",
    "scaled down": "lowered",
    "scaled up": "raised",
    "pushed back": "postponed",
    "put off": "postponed",
    "brought forward": "rescheduled",
    "swapped out": "swapped",
    "back up": "backup",
    "backs up": "backup",
    "backed up": "backup",
    "came back": "returned",
    # phrases about duration and end
    "runs out": "expires",
    "run out": "expire",
    "ran out": "expired",
    "goes live": "launches",
    "go live": "launch",
    "went live": "launched",
    "changes hands": "rotates",
    "half an hour": "halfhour",
    "day and night": "24/7",
    "24 hours a day": "24/7",
    "round the clock": "24/7",
    # phrases about possibility and obligation
    "lets you": "can",
    "let you": "can",
    "lets us": "can",
    "allows you to": "can",
    "allowed to": "can",
    "permitted to": "can",
    "able to": "can",
    "free to": "can",
    "welcome to": "can",
    "not able to": "cannot",
    "unable to": "cannot",
    "no need": "unneeded",
    "not needed": "unneeded",
    "not required": "unneeded",
    "not necessary": "unneeded",
    "not mandatory": "unneeded",
    "nice to have": "optional",
    "up to you": "optional",
    "obliged to": "must",
    "supposed to": "must",
    "expected to": "must",
    "free of charge": "free",
    "for free": "free",
    "at no cost": "free",
    "for nothing": "free",
    "stay away from": "avoid",
    "stays away from": "avoids",
    "keep away from": "avoid",
    "steer clear of": "avoid",
    "shy away from": "avoid",
    # phrases about quantity
    "no one": "nobody",
    "not a single": "no",
    "not one": "no",
    "at all": "whatsoever",
    "at all times": "always",
    "all the time": "always",
    "no matter": "always",
    "nothing else": "only",
    "nowhere else": "only",
    "nobody else": "only",
    "nobody but": "only",
    "nobody except": "only",
    "no one but": "only",
    "no one except": "only",
    "no other": "only",
    "nothing but": "only",
    "only when": "onlyif",
    "as long as": "if",
    "in case": "if",
    "as soon as": "when",
    "at least once": "at-least-once",
    "at most once": "at-most-once",
    "exactly once": "exactly-once",
    "or so": "about",
    "more or less": "about",
    # phrases about people
    "looks after": "owns",
    "look after": "own",
    "point of contact": "contact",
    "point person": "contact",
    "on duty": "oncall",
    "has the pager": "oncall",
    "took on": "tookover",
    "takes on": "tookover",
    # phrases about things
    "log in": "login",
    "logged in": "login",
    "logging in": "login",
    "sign up": "signup",
    "signing up": "signup",
    "power supply": "psu",
    "power supplies": "psu",
    "hard drive": "disk",
    "hard disk": "disk",
    "data center": "datacenter",
    "data centre": "datacenter",
    "data set": "dataset",
    "data sets": "dataset",
    "load balancer": "loadbalancer",
    "user interface": "ui",
    "time zone": "timezone",
    "time zones": "timezone",
    "online shop": "webshop",
    "online store": "webshop",
    "web shop": "webshop",
    "lines of code": "loc",
    "out of the box": "default",
    "release notes": "changelog",
    "feature toggle": "flag",
    "feature toggles": "flag",
    "test suite": "test",
    "not null": "non-null",
    "pip tools": "pip-tools",
    "internet explorer": "ie",
}

# Words without content, by which two statements never differ.
EMPTY = listed(
    "a an the this that these those there here it its he she his her him they"
    " them their our ours us we i my me mine you your yours is are be been being am was were do"
    " does did done has have had having get gets got gotten getting will would shall should"
    " ought let lets please pls plz btw fyi til psa and as so just really actually basically"
    " simply very quite rather indeed too then of which who whom whose what how why such own"
    " self etc currently presently heads-up heads note reminder nb ps hey hi ok okay well yeah"
    " yep instead remember turns apparently already still yet surely nowadays finally s re ve ll"
    " d m thing things stuff way kind sort ones other others everything something anything folks"
    " people someone somebody person guys whole entire entirely fully completely totally overall"
    " existing given certain particular specific respective exactly precisely fixed roughly"
    " about approximately around ca circa approx some any each every all both either or than"
    " even merely purely plain whatever whichever whenever wherever directly straight always"
    " confirmed checked regarding concerning out up again nice good great easily quickly nearly"
    " almost full throughout everywhere anywhere along truly correctly properly mainly"
    " mostly-all myself ourselves itself themselves pretty much lot bit once-again e.g i.e"
    " decided agreed decision internally officially but however wow thanks thank yes no-worries"
    " sorry rip ever purpose reasons reason now anymore today yesterday tomorrow update news"
    " status whatsoever absolutely woohoo nope careful"
)
# Content words that do not distinguish a statement from others, and do not restrict it.
SOFT = listed(
    "home service value setting set configured config current present team policy rule"
    " convention system name named call called standard place happen occur take make want like"
    " mean say tell state go come put keep stay remain become work exist sit live belong appear"
    " apply involve consist look see know think believe expect sure definitely certainly"
    " explicitly effectively automatic nicely fine normal normally generally typical default"
    " principle practice course fact truth use used useful able hit reach count total amount run"
    " start possible based available moment side strictly only alone solely exclusively bad rely"
    " handle do give enough time times number size hard fix limit maximum minimum most least"
    " least-once period project company organisation codebase code repo repository here-in part"
    " quota ceiling interval cadence duration length"
    " need our-own operate perform be have get got provide actual thing-to change move switch"
)
# Nouns that may follow the name of a thing that is gone: "the Triton boxes".
HOLDERS = listed(
    "host box server machine instance workspace contract licence subscription account code"
    " slice file files project service setup address last final old legacy remaining cluster"
    " deployment integration support dependency config usage job container folder version tool"
    " stack"
)
# Words that one of two statements may lack, if the statements have different values of one kind.
LIGHT = listed(
    "build process application speak require allow manage handle customer user sla promise"
    " licence support plan duty apply file state store host write answer everyone anybody"
    " account tool"
)
# General nouns, which do not distinguish things from each other.
GENERIC = listed(
    "user people person everyone everybody anyone anybody somebody member client one file item"
    " data copy type kind part case entry somewhere there touch right away"
)
# Means of payment or delivery. After "by" in a passive clause, these words do not act.
INSTRUMENTS = listed(
    "card creditcard transfer cash cheque check invoice bank debit email mail post letter phone"
    " text sms courier hand train plane bus boat car truck bike rail road air sea"
)
# Prepositions, by the role that they give to the next phrase.
PREPOSITIONS = {
    **dict.fromkeys(listed("in on at inside within under onto into upon during near"), "in"),
    **dict.fromkeys(listed("to towards toward"), "to"),
    **dict.fromkeys(listed("with using via through over by"), "with"),
    **dict.fromkeys(listed("from off"), "from"),
    **dict.fromkeys(listed("above beyond past"), "above"),
    **dict.fromkeys(listed("until till"), "until"),
    **{
        word: word
        for word in listed(
            "for as against between across per before after since below like outside behind beside"
            " among without despite"
        )
    },
}
# Words after which the rest of a clause is a reason, a purpose or an aside.
REASONS = listed(
    "because since so otherwise hence therefore thus which although though whereas thanks"
)
CONDITIONS = listed("if when unless while whenever once provided except where onlyif whether")
# Words of labels that name a field of a record, and not a thing.
FIELDS = listed(
    "title decision decisions summary status type outcome note notes rule reason context result"
    " scope alternatives considered rationale tags date id details description category root cause"
    " next steps impact todo done open question fix lesson learning fact update reminder warning"
)
# Words that deny a statement. Two of them in one clause cancel each other out.
NEGATIONS = listed(
    "not no never none nobody nothing neither nor cannot nowhere nolonger hardly non zero without"
)
# Words that show that something was different before.
CHANGES = listed(
    "now nolonger anymore moved changed switched switching replaced dropped removed became"
    " becomes extended increased decreased raised lowered updated upgraded bumped migrated"
    " renamed retired previously formerly recently newly lately slipped postponed rescheduled"
    " tookover handedover doubled halved deprecated abandoned discontinued ditched finally ended"
    " stopped nowadays introduced converted reverted swapped ported transitioned superseded"
    " succeeded relocated transferred shortened lengthened cut reduced decommissioned archived"
    " sunset scrapped gone rip killed swap bump bumping scaled promoted merged rewritten rewrote"
    " moving reopened relicensed automated returned withdrew withdrawn"
)
# Words that show that something is gone.
GONE = listed(
    "removed dropped gone retired ended replaced thrown deprecated abandoned discontinued "
    " ditched obsolete scrapped killed sunset decommissioned stopped deleted archived rip"
    " cancelled canceled expired dead dissolved uninstalled remove drop drops removing"
    " dropping stop ditch retire kill history withdrew withdrawn"
)
# Words after which a clause states a possibility, not a fact.
HEDGES = listed(
    "maybe perhaps wondering wonder whether suppose supposing imagine might probably possibly"
    " likely considering consider propose proposed proposes proposal suggest suggests suggested"
    " suggestion hope hopefully wish seems unclear unsure guess sometimes occasionally could"
    " would undecided tbd evaluating someday eventually asked asks thinks tends often usually"
)
FUTURE = listed("will gonna shall tomorrow")
PAST = listed("formerly previously originally historically initially ago")
ALSO = listed("also too another additionally additional plus besides")
UNIVERSAL = listed("anybody anyone everybody everyone any all every each always whoever whole")
WEEKDAYS = numbered(
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
MONTHS = numbered(
    (
        *("january jan", "february feb", "march", "april apr", "", "june jun", "july jul"),
        *("august aug", "september sep sept", "october oct", "november nov", "december dec"),
    ),
    1,
)
COUNTS = numbered(
    (
        *("zero", "one", "two twice", "three thrice", "four", "five", "six", "seven"),
        *("eight", "nine", "ten", "eleven", "twelve dozen", "thirteen", "fourteen", "fifteen"),
        *("sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
    )
) | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100}
# Units: the kind of quantity, and the factor to the smallest unit of that kind.
UNITS: dict[str, tuple[str, float]] = {
    name: (kind, factor)
    for kind, rows in {
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
        "money": (("$ dollar dollars usd € euro euros eur £ pound pounds gbp bucks", 1),),
        "pixels": (("px pixel pixels", 1),),
        "rate": (("hz", 1), ("khz", 1000), ("mhz", 1_000_000), ("ghz", 1_000_000_000)),
        "frames": (("fps", 1),),
        "requests": (("rps qps", 1),),
        "weight": (("kg kilo kilos kilogram kilograms", 1000), ("gram grams", 1)),
        "length": (("mm", 1), ("cm", 10), ("km", 1_000_000)),
    }.items()
    for names, factor in rows
    for name in names.split()
}
# Nouns after which a number identifies a thing and is not a value.
LABELS = listed(
    "number no step phase part chapter item issue ticket pullrequest room day week episode"
    " question exercise section page line rule level group user server host worker shard replica"
    " case test example task sprint milestone round run id note memory fact entry service module"
    " customer client order invoice batch pep rfc adr figure table row column slot lane track"
    " box incident postmortem tenant build appendix annex stage iteration cohort experiment"
    " variant bug oven zone unit pump sensor device printer machine node cluster floor gate door"
    " pool gpu camera terminal station truck"
)
# Titles before the name of a person. A full stop after a title does not end a sentence.
TITLES = listed("dr mr mrs ms mx prof professor frau herr madame monsieur sir")
ORDINALS = numbered(
    (
        *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
        *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
        *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
    ),
    1,
)
# "the end of the …": the period in seconds after which this happens again. The added half
# distinguishes "the end of the month" from "every month".
PERIODS = {
    "day": 86_400.5,
    "week": 604_800.5,
    "month": 2_592_000.5,
    "quarter": 7_776_000.5,
    "year": 31_536_000.5,
    **dict.fromkeys(listed("project contract job stay course"), float("inf")),
}
# Frequencies: the word, and the period in seconds.
FREQUENCIES = {
    "hourly": 3600,
    "daily": 86_400,
    "nightly": 86_400,
    "weekly": 604_800,
    "biweekly": 1_209_600,
    "fortnightly": 1_209_600,
    "monthly": 2_592_000,
    "quarterly": 7_776_000,
    "yearly": 31_536_000,
    "annually": 31_536_000,
    "annual": 31_536_000,
}
# Words that limit a value, each with the kind of limit.
BOUNDS = {
    **dict.fromkeys(listed("before"), "before"),
    **dict.fromkeys(listed("after"), "after"),
    **dict.fromkeys(listed("atleast minimum min orlater morethan over above"), "least"),
    **dict.fromkeys(
        listed(
            "atmost upto maximum max lessthan under below within limit limited cap capped caps"
            " quota ceiling"
        ),
        "most",
    ),
}

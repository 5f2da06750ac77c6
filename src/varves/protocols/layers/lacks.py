"""Recognises sentences that name a cause and say that people or their work cannot go on.

"The oven is dead, so we cannot bake", "Without the permit we can't sell", "We need a second
projector before we can go on", "The late paint holds everything up". What would happen, what is
over and what is meant to be so ("so we cannot lose an event") is not among them.
"""

from __future__ import annotations

import re

PEOPLE = (
    r"(?:us|me|you|them|him|her|everyone|everybody|anyone|(?:the|our|their|both|all) (?:\w+ )?"
    r"(?:teams?|people|developers?|engineers?|designers?|reviewers?|testers?|colleagues?|squad))"
)
WORK = (
    r"(?:releases?|deploy(?:ment|ing|s)?|roll-?outs?|launch(?:es|ing)?|migrations?|migrating"
    r"|merg(?:e|ing)|shipping|go-live|cut-?over|upgrades?|upgrading|progress|work|rest|sprint"
    r"|milestones?|projects?|tasks?|tickets?|stor(?:y|ies)|reviews?|tests?|testing|builds?|pipeline"
    r"|publishing|publication|steps?|features?|refactoring|rewrite|demo|beta|prs?|pull requests?"
    r"|branch(?:es)?|switch|move|start|development|implementation|integration|delivery|everything"
    r"|others?|plans?|planning|fix(?:es)?|audit|sign-off|hand-?over|on-?boarding|version"
    r"|trips?|journeys?|tours?|loans?|events?|part(?:y|ies)|weddings?|concerts?|shows?|rehearsals?"
    r"|performances?|lessons?|class(?:es)?|courses?|exams?|meetings?|orders?|sales?|shipments?"
    r"|opening|exhibitions?|visits?|festivals?|harvest|repairs?|construction|renovation|painting"
    r"|installation|planting|filming|recordings?|printing|baking|season|payments?|bookings?"
    r"|applications?|purchases?|flights?|expeditions?|excursions?|trainings?|tournaments?"
    r"|contracts?|registration|practice|ceremon(?:y|ies))"
)
_OUR = r"(?:the|our|my|this|that|his|her|their|[a-z]+['\u2019]s)"
_GOING_ON = (
    r"(?:start|begin|go (?:on|ahead)|continue|proceed|take place|happen|move in|move on|open|leave"
    r"|be (?:held|delivered|finished|completed|started))"
)
_WE_CANNOT = (
    rf"(?:(?:we|i|none of us|{_OUR} (?:team|crew|choir|class|group|company|family|staff|band)"
    rf"|everyone|the others) (?:still |now )?(?:cannot|can['\u2019]t|can not|(?:are|is) unable to)"
    rf"|{_OUR} (?:[\w-]+ )?{WORK} (?:still )?(?:cannot|can['\u2019]t|can not) {_GOING_ON})\b"
    r"(?! (?:lose|miss|forget|break|fail|overwrite|be (?:wrong|lost|sure)|go wrong|complain|help"
    r"|wait to|tell|say|see)\b)"
)
_NOBODY_CAN = r"(?:nobody|no one) can\b(?! (?:say|tell|see|complain|forget|miss|know)\b)"
_TROUBLES = (
    r"(?:broken?|broke down|breaks? down|missing|lost|ill|sick|closed|flooded|cancell?ed|gone|late"
    r"|delayed|out of|failed|dead|damaged|stuck|down|not running|not working|empty|unavailable"
    r"|locked|jammed|full|stolen|expired|strike|away|dropped out|blocked|defective|overdue"
    r"|in (?:the )?(?:garage|repair|hospital))"
)
_THEREFORE = r"(?:so|therefore|thus|hence|which means|that is why)(?: that)?"
_WITHOUT = r"(?:^|, |\band |\bbut )without"
_THING = r"(?:[\w'\u2019-]+ ){0,5}?[\w'\u2019-]+"
LACKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?P<cause>.+?),? (?:and )?{_THEREFORE} {_WE_CANNOT}",
        rf"^(?P<cause>.*\b{_TROUBLES}\b.*?),? {_THEREFORE} {_NOBODY_CAN}",
        rf"{_WITHOUT} (?P<cause>{_THING}),? {_WE_CANNOT}",
        rf"{_WITHOUT} (?P<cause>{_OUR} {_THING}),? {_NOBODY_CAN}",
        (
            r"\b(?:we|i) (?:still |first |now )?need (?!to\b)(?P<cause>(?:[\w'\u2019-]+ ){1,8}?)"
            r"before (?:we|i|anyone|anybody|the \w+) can\b"
        ),
        (
            rf"^(?P<cause>.+) (?:holds|is holding|are holding) (?:{PEOPLE}|everything"
            rf"|{_OUR} (?:\w+ )?{WORK}) up\b"
        ),
    )
)
_SUPPOSED = re.compile(
    r"\b(?:if|whether|when|whenever|would|might|(?-i:may)|maybe|perhaps|possibly|unless|could"
    r"|no longer|as long as|last (?:week|month|year)|yesterday|used to)\b",
    re.IGNORECASE,
)
_HINT = re.compile(r"\b(?:can|can(?:not|['\u2019]t)|unable|up)\b", re.IGNORECASE)
_LONGEST = 600  # characters of a sentence
LEANING = re.compile(r"\bwithout (?:it|one|them|him|her|that|this|these|those)\b", re.IGNORECASE)
_TROUBLE = re.compile(rf"\b{_TROUBLES}\b", re.IGNORECASE)


def leans(sentence: str, before: str) -> bool:
    """Return whether such a sentence takes its cause from the trouble of the sentence before it."""
    return LEANING.match(sentence) is not None and _TROUBLE.search(before) is not None


def lacking(sentence: str) -> re.Match[str] | None:
    """Return the match of such a sentence, with the group `cause`; None for any other."""
    if len(sentence) > _LONGEST or not _HINT.search(sentence) or _SUPPOSED.search(sentence):
        return None
    return next(filter(None, (pattern.search(sentence) for pattern in LACKS)), None)

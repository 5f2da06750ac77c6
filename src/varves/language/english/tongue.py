"""English, as tables: how it is written, what guards a sentence, and by which phrases it acts."""

from __future__ import annotations

from varves.language.english.deciding import ACCEPTS, DECIDES, SUMS_UP, TAKES_ON
from varves.language.english.guards import GUARDS
from varves.language.english.proposing import CALLS, PROPOSES
from varves.language.english.reporting import REPORTING
from varves.language.english.siding import (
    ASSENTS,
    BUILDS_ON,
    COUNTERS,
    OPPOSES,
    SUPPORTS,
    TURNS_AGAINST,
    TURNS_FROM,
)
from varves.language.english.stating import CONSTRAINS, CORRECTS, FIXES, ORDERS, PREFERS, STATES
from varves.language.english.writing import (
    CONDITION,
    ENDINGS,
    LEAD,
    NEGATION,
    SHORTENED,
    STARTING,
    TURN,
    WHOLE,
)
from varves.language.tables import Tongue

ENGLISH = Tongue(
    whole=WHOLE,
    starting=STARTING,
    endings=ENDINGS,
    shortened=SHORTENED,
    lead=LEAD,
    condition=CONDITION,
    negation=NEGATION,
    turn=TURN,
    guards=GUARDS,
    acts={
        "decides": DECIDES,
        "sums_up": SUMS_UP,
        "takes_on": TAKES_ON,
        "accepts": ACCEPTS,
        "proposes": PROPOSES,
        "calls": CALLS,
        "supports": SUPPORTS,
        "assents": ASSENTS,
        "builds_on": BUILDS_ON,
        "opposes": OPPOSES,
        "counters": COUNTERS,
        "turns_against": TURNS_AGAINST,
        "turns_from": TURNS_FROM,
        "prefers": PREFERS,
        "orders": ORDERS,
        "corrects": CORRECTS,
        "fixes": FIXES,
        "constrains": CONSTRAINS,
        "states": STATES,
        **REPORTING,
    },
)

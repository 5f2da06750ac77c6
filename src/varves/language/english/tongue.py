"""English as data for the reader: its spelling, its guards, and the phrases of each act."""

from __future__ import annotations

from varves.language.english.deciding import (
    ACCEPTS,
    ANNOUNCES,
    ANSWERS_NO,
    CHOOSES,
    DECIDES,
    PENDS,
    SUMS_UP,
    TAKES_ON,
)
from varves.language.english.doing import EDITS, RUNS
from varves.language.english.guards import GUARDS
from varves.language.english.mending import MENDING
from varves.language.english.noticing import (
    ATTESTS,
    BINDS,
    INFERS,
    LACKS,
    LEARNS,
    LIKES,
    OBSERVES,
    RESTATES,
    UNSAYS,
)
from varves.language.english.proposing import CALLS, PROPOSES, PUTS_FORWARD
from varves.language.english.relating import (
    ADDRESSES,
    AGREES,
    CARRIES,
    COMPLEMENTS,
    DISAGREES,
    HALVES,
    WITHHOLDS,
)
from varves.language.english.reporting import REPORTING
from varves.language.english.requesting import REQUESTING
from varves.language.english.resolving import RESOLVES
from varves.language.english.siding import (
    ASSENTS,
    BUILDS_ON,
    CONCEDES,
    COUNTERS,
    GRANTS,
    KEEPS,
    OBJECTS,
    OPPOSES,
    SUPPORTS,
    TURNS_AGAINST,
    TURNS_FROM,
    YIELDS,
)
from varves.language.english.standing import STANDING
from varves.language.english.stating import (
    CONSTRAINS,
    CORRECTS,
    FAVOURS,
    FIXES,
    ORDERS,
    PREFERS,
    STATES,
)
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
        "announces": ANNOUNCES,
        "pends": PENDS,
        "chooses": CHOOSES,
        "resolves": RESOLVES,
        "sums_up": SUMS_UP,
        "takes_on": TAKES_ON,
        "accepts": ACCEPTS,
        "answers_no": ANSWERS_NO,
        "proposes": PROPOSES,
        "puts_forward": PUTS_FORWARD,
        "calls": CALLS,
        "supports": SUPPORTS,
        "assents": ASSENTS,
        "builds_on": BUILDS_ON,
        "opposes": OPPOSES,
        "objects": OBJECTS,
        "concedes": CONCEDES,
        "yields": YIELDS,
        "grants": GRANTS,
        "keeps": KEEPS,
        "counters": COUNTERS,
        "turns_against": TURNS_AGAINST,
        "turns_from": TURNS_FROM,
        "agrees": AGREES,
        "disagrees": DISAGREES,
        "complements": COMPLEMENTS,
        "carries": CARRIES,
        "withholds": WITHHOLDS,
        "halves": HALVES,
        "addresses": ADDRESSES,
        "prefers": PREFERS,
        "favours": FAVOURS,
        "likes": LIKES,
        "orders": ORDERS,
        "corrects": CORRECTS,
        "fixes": FIXES,
        "constrains": CONSTRAINS,
        "states": STATES,
        "binds": BINDS,
        "attests": ATTESTS,
        "learns": LEARNS,
        "observes": OBSERVES,
        "infers": INFERS,
        "lacks": LACKS,
        "restates": RESTATES,
        "edits": EDITS,
        "runs": RUNS,
        "unsays": UNSAYS,
        **MENDING,
        **REPORTING,
        **REQUESTING,
        **STANDING,
    },
)

"""English phrases for lasting statements: preferences, orders, corrections, fixes, limits.

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_PREFERS: tuple[Row, ...] = (
    (
        r"""\b(i|we|the user|users|the team|my team)( really| always| generally| do| would| also|
 strongly| still| usually)*
 (prefer|prefers|favou?r|would rather|like .{1,60} (better|more) than)\b|\bmy preference\b|
^(<opening>)*prefer\b""",
        "I prefer tabs over spaces.",
        "Preferred stock is dear.",
    ),
    (
        r"""\b(i|we)( really| do| just)* (hate|dislike|can not stand|love|like) (it when|when|
\w+ing|(\w+ )?\w+s)\b""",
        "I hate long functions.",
        "I like it.",
    ),
)
# Explicit preferences.
_FAVOURS: tuple[Row, ...] = (
    (
        r"""^preference ?:|\bi ((really|strongly|clearly|much|still|always|generally|usually|
definitely|
do|also|would|personally|simply|far|tend to) )*(prefer|favou?r)\b(?=.*\w)|
\bi would (much )?rather\b|\bmy (\w+ )?preference (is|would be|goes to)\b|
\bi ((really|much|still|always) )*like (?=.+ (better|more) than\b)""",
        "I like Rust better than Go.",
        "I like Rust.",
    ),
    (
        r"""\b(the user|users|we)( really| always| generally)* (prefers?\b|likes? (?=.+ (better|
more) than\b))|^prefer\b""",
        "The user prefers short answers.",
        "The user likes it.",
    ),
    (
        r"""\bi would (always |rather |still )*(choose|pick|take) (?=(\S+ ){1,6}(over|instead of|
rather than) \S)|\bmy (own |personal )?(favou?rite|preferred) (\S+ ){1,3}is (?!not\b)\S""",
        "I would choose Kotlin over Java.",
        "I would choose another day.",
    ),
)
_ORDERS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(all|every|each|no|any)( \S+){1,4} (must|should|shall|has to|have to|
needs? to)( not| never| always)? \w+|\bmust (always|never)\b""",
        "All migrations must be reversible.",
        "It must be reversible.",
    ),
    (
        r"""(^(<opening>)*|\b(please|you|we|and|but) )(always|never( ever)?|do not ever|
make sure( to| that| you)?|be sure to|
remember to|do not forget to) (?!(mind|the|an?)\b)\w+""",
        "Never push to main.",
        "It has never failed.",
    ),
    (
        r"""\b(from (now|here|today) on(wards?)?|going forward|henceforth|in (the )?future,)\b""",
        "From now on, run the linter first.",
        "The future is bright.",
    ),
    (
        r"""^(<opening>)*(please )?do not (?!(know|think|see|have|want|mind|worry|get|agree|like|
understand|need|even|believe|feel)\b)\w+""",
        "Don't touch the generated files.",
        "Don't know yet.",
    ),
)
_CORRECTS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(no|nope|nah|wrong|incorrect|actually|correction|that is (wrong|not right|
incorrect|not true|outdated|
not correct))\b[,:.!]* (?!(worries|problem|idea|one|need|objections?|way)\b)\w+""",
        "No, the port is 8080.",
        "No idea.",
    ),
    (
        r"""\b(is|are|was|runs|uses|use|run|
be) (?P<value>[^,;]{1,60}), not (?P<subject>[^,;.]{1,60})""",
        "The port is 8080, not 80.",
        "The port is 8080, maybe not.",
    ),
    (
        r"""\b(not|instead of|rather than|no longer) ([^,;.]{1,60})(, but|, it is| but) \w+""",
        "It is not 80 but 8080.",
        "It is not 80.",
    ),
    (
        r"""\b(changed|switched|moved|migrated|renamed|replaced|upgraded) (\w+ ){0,4}(to|from|by|
with|into)\b|\bno longer\b|\bnot any ?more\b""",
        "We switched from npm to pnpm.",
        "We moved the chairs.",
    ),
)
_FIXES: tuple[Row, ...] = (
    (
        r"""\b(the|a|my|our) (fix|workaround|solution|root cause|cause|culprit|trick|problem|
issue) (was|is|turned out|turns out)\b|
\b(fixed|solved|resolved|worked around|cured) (it |this |that |the \w+ )?(by|with)\b|\bturn(s|
ed) out\b""",
        "The fix was to clear the cache.",
        "The fix comes late.",
    ),
    (
        r"""\b(failed|fails|broke|breaks|crashed|crashes|hangs|hung)\b.*\b(because|due to|since|
as)\b""",
        "The build fails because the clock is wrong.",
        "The build fails.",
    ),
    (
        r"""\b(fixed|solved|resolved|cured|repaired|got rid of|
worked around) (\S+ ){1,8}by \w+ing\b|
\b(was|were|is|are|got) (fixed|solved|resolved|cured) by\b|
^(<opening>)*\w+ing (\S+ ){1,5}(fixes|fixed|solves|solved|cures|cured|made \S+ (\S+ ){0,3}(stable|
work|pass|faster|green))\b""",
        "I fixed the flaky test by seeding the RNG.",
        "I tried to fix the test by restarting.",
    ),
    (
        r"""\b(was|were|kept|keeps|is|are) (failing|breaking|crashing|hanging)\b.*\b(because|due to|
since|as)\b|\b(failed|fails|broke|breaks|crashed|crashes) when\b""",
        "The build was failing since the lockfile was old.",
        "The build was failing.",
    ),
)
_CONSTRAINS: tuple[Row, ...] = (
    (
        r"""\b(must|has to|have to|needs to|shall|may only|can only|is required to|
are required to)( not| never| always| only)? \w+|
\b(is|are) (strictly |absolutely )?(forbidden|prohibited|banned|not allowed|off[- ]limits|
mandatory|required|deprecated)\b""",
        "Every migration must be reversible.",
        "It must.",
    ),
    (
        r"""\b(at (most|least)|no more than|no less than|up to|maximum|minimum|limit(ed)? (of|to)|
under|within) \d""",
        "Requests are limited to 100 a minute.",
        "It is at most a guess.",
    ),
)
_STATES: tuple[Row, ...] = (
    (
        r"""\b(we|our|the|this|it|all|every|each|my|i)\b(?: \S+){0,8}? (is|are|uses?|runs?|lives?|
stores?|keeps?|has|have|goes|go|means?|
requires?|depends?|belongs?|contains?|works?|starts?|supports?|ships?)\b (?!(you|we|they|
i)\b)\S+""",
        "The API runs on port 8080.",
        "Hello there.",
    ),
)

FAVOURS = PhraseTable(_FAVOURS, CLASSES)
PREFERS = PhraseTable((*_FAVOURS, *_PREFERS), CLASSES)
ORDERS = PhraseTable(_ORDERS, CLASSES)
CORRECTS = PhraseTable(_CORRECTS, CLASSES)
FIXES = PhraseTable(_FIXES, CLASSES)
CONSTRAINS = PhraseTable(_CONSTRAINS, CLASSES)
STATES = PhraseTable(_STATES, CLASSES)

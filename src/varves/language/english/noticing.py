"""English phrases for constraints, and for what people know, saw, learned or infer.

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_NOTICING = {
    **CLASSES,
    "project": r"""
(?<!\w)(we|(our|the|this|these|all|every|each)( [\w-]+){1,3}?)
""",
    "mildly": r"((\w+ly|still|also|now) )*",
    "barred": r"(can not|must not|may not|(are|is|am) not (allowed|permitted) to)",
    "bound": r"""
(must|have to|has to|(can|may) only|
(are|is) (required|limited|bound|obliged|forced) to|needs? to(?= (support|keep|
stay|remain|comply|retain|encrypt)\b))
""",
    "reason": r"""
\b(because|since|due to|as (the|our|it|we|that)|by (law|contract|policy|regulation)|owing to|
for (\w+ )?(legal|contractual|regulatory|compliance|licen[cs]ing|security|tax|privacy) reasons)\b
""",
    # Verbs for what a project does with a dependency.
    "concrete": r"""
(use|run|deploy|upgrade|access|store|install|rely on|depend on|exceed|expose|host|send)(?! away)
""",
    "object": r"""
(?!(it|so|none|nothing|much|more|a lot)\W*$|(that|this|them|these|those)\b(?! (we|all|the|our|
every|each|no|any|users|data)\b))
""",
    # Obligations in a conversation, which are no constraints of a project.
    "talk": r"""
(\w+ly )?(agree|disagree|decide|say|know|tell|wait|see|imagine|help|be sure|remember|keep \w+ing|
go on|continue|answer|understand|believe|stress|thank|ignore|forget|talk|discuss|think|stop|hurry|
finish|admit|do (this|that|it)|be (honest|careful|fair|quick|clear)|afford to wait)\b
""",
    "law": r"""
((the|our|their) ([\w-]+ )?(licen[cs]e|contract|policy|law|regulations?|regulator|customer|client|
budget|sla|auditors?|security team|vendor|platform|hosting|deadline)|gdpr|hipaa|compliance|legal)
""",
    "demands": r"""
(forbids?|prohibits?|requires?|rules? out|do(es)? not (allow|permit)|demands?|disallows?|
limits? us to|insists? (on|that))
""",
    "seen": r"(i|we) (have )?((just|also) )?",
}
_BINDS: tuple[Row, ...] = (
    (
        r"""^((project|hard) )?constraint ?: ?|
\b(the|our|one|another|a hard) (\w+ )?(constraint|hard limit|restriction) (is|are) """,
        "Constraint: at most 512 MB of memory.",
        "The constraint solver is slow.",
    ),
    (
        r"""<project> <mildly><barred> (?!<talk>)(?=.+<reason>)""",
        "We cannot use Redis because its licence changed.",
        "We cannot agree because nobody measured it.",
    ),
    (
        r"""(<project> <mildly><barred>|\bit is (not possible|
impossible) to) (?=<concrete> <object>)|
<project> <mildly>(are|is) not (allowed|permitted) to (?!<talk>)(?=\w+ \w+)""",
        "It is not possible to run two writers.",
        "We cannot use it.",
    ),
    (
        r"""<project> <mildly><bound> (?!<talk>)(?=.+<reason>)|
<project> (are|is) (required|obliged|bound|forced) by (law|contract|policy|regulation) to |
^by (law|contract|policy|regulation),? (we|the|our|all|every) """,
        "We have to keep Python 3.9 because the client runs it.",
        "We have to be honest because trust matters.",
    ),
    (
        r"""(?<!\w)(our|the|this|these|all|every|each) ([\w-]+ ){1,3}<bound> (?=(support|
run (on|under|in|without)|work (on|with|without|in|under|offline)|stay|remain|comply|
fit|retain|encrypt)\b \w)""",
        "The shop has to support IE11.",
        "The old tool had to support Windows XP.",
    ),
    (
        r"""(?<![\w-])<law> (?=<demands> <object>)""",
        "The contract requires hosting in Europe.",
        "The contract forbids that.",
    ),
    (
        r"""\b(the|our|their) ([\w-]+ ){1,2}(only (allows?|accepts?|permits?|supports?)|
(allows?|accepts?|permits?|supports?) only) <object>|
\b(the|our|their|each|every|all) ([\w-]+ ){1,2}(is|are) (capped|limited) (at|to) (?=.*\d)|
\b(a|the|our) (hard|strict|fixed) (limit|cap|maximum) of (?=.*\d)""",
        "There is a hard limit of 512 MB per container.",
        "The story is limited to what we know.",
    ),
    (
        r"""(?<!\w)(the|our|their|its|each|every) ([\w-]+ ){1,3}?(
(do|does) not (support|accept|offer|provide) <object>(?!(\S+ ){0,3}(plan|idea|proposal|
suggestion|view|decision|change)\b)|
(only has|has only|only have|have only|only gives us|gives us only) (?=(an? |one )?(\d|
single\b)))""",
        "Our payment provider does not support Swiss francs.",
        "The manager does not support the plan.",
    ),
)
_ATTESTS: tuple[Row, ...] = (
    (
        r"""^(fact|for the record|it is a fact)( ?[:,]( that)? ?| that )|
^(<opening>)*(i|we) (have )?((just|now|can) )?((verified|confirmed|proved|confirm) that|
measured)\b""",
        "I verified that it works.",
        "I have not verified that it works.",
    ),
)
_LEARNS: tuple[Row, ...] = (
    (
        r"""(^|\b(i|we) )(have )?((just|also) )?learn(ed|t)( the hard way)? that\b""",
        "I learned that chunks work best.",
        "I learned to swim.",
    ),
)
_OBSERVES: tuple[Row, ...] = (
    (
        r"""^(observation|finding) ?:|\b<seen>(notice|noticed|observe|observed|discovered|
found( out)?|see|saw) that (?!you\b)|\b<seen>(noticed|observed) (?!(you|that|nothing|no)\b)""",
        "We found that every third call fails.",
        "I see that you are busy.",
    ),
    (
        r"""\b(it )?turn(s|ed) out (that )?(?!(to|well|fine|ok)\b)""",
        "It turns out the index was never used.",
        "It turned out well.",
    ),
)
_INFERS: tuple[Row, ...] = (
    (
        r"""^(inference|assumption|hypothesis) ?:|
\b(i|we) (can )?(infer|assume|suspect|presume|conclude|deduce)( that)? (?!(you|so|not)\b)""",
        "I assume the traffic doubles in May.",
        "I assume so.",
    ),
    (
        r"""^(presumably|apparently|probably|most likely|(it )?(seems|looks) like|it seems|
it appears)
( that| ?,)? (?!(that|so|not|just|yes|no|an?|you)\b)""",
        "Looks like the planner takes the wrong index.",
        "Looks like a typo.",
    ),
    (
        r"""\b(this|that|which) (suggests|implies|hints|indicates) (that )?""",
        "This suggests that the index is stale.",
        "This is stale.",
    ),
)
# Limitations of a thing.
_LACKS: tuple[Row, ...] = (
    (
        r"""\blacks?\b|\bdo(es)? not support\b|\b(has|have) no support for\b|
\bworks? only\b|\bonly works?\b""",
        "Library X lacks feature Y.",
        "Library X supports feature Y.",
    ),
)
# Repetitions of something said or decided before.
_RESTATES: tuple[Row, ...] = (
    (
        r"""^(<opening>)*((as|like) (i|we) ((have|had|already|just|once) )*(said|mentioned|noted|
told you|
pointed out|decided|agreed|found|noticed|stated|wrote)( (it|this))?( (before|earlier|already|
previously|once|then|last (time|week|month|session|party|meeting)|in the last \w+|yesterday))*,? |
(per|given) our (\w+ ){0,2}(decision|agreement),? )""",
        "As I said before, the cache is cold on Mondays.",
        "As I spoke, the lights went out.",
    ),
    (
        r"""^(<opening>)*(i|we) ((have )?(already|previously) (said|mentioned|noted|decided|agreed|
pointed out)|(said|mentioned|noted|pointed out) (before|earlier|last (time|week|month|session)))
( that\b| ?[:,])""",
        "I already mentioned that the cache is cold.",
        "I said that the cache is cold.",
    ),
)
# Words before a statement that deny the statement.
_UNSAYS: tuple[Row, ...] = (
    (
        r"""\b(not|never|hardly|neither|nor|no longer|nobody|no one|nothing|used to|false|untrue|
myth|
wrong|doubt)\b|\b(would|could|might|may|should) (\w+ )?$""",
        "It is a myth that we cannot.",
        "It is a fact that we can.",
    ),
)

BINDS = PhraseTable(_BINDS, _NOTICING)
ATTESTS = PhraseTable(_ATTESTS, _NOTICING)
LEARNS = PhraseTable(_LEARNS, _NOTICING)
OBSERVES = PhraseTable(_OBSERVES, _NOTICING)
INFERS = PhraseTable(_INFERS, _NOTICING)
LACKS = PhraseTable(_LACKS, _NOTICING)
RESTATES = PhraseTable(_RESTATES, _NOTICING)
UNSAYS = PhraseTable(_UNSAYS, _NOTICING)

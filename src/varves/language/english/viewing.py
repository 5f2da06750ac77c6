"""English phrases that state a view: a choice, a judgement, a comparison; and that take one back.

Each row is a pattern, a sentence that it matches, and a near miss, which it must not match.
"""

from __future__ import annotations

from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_CLASSES = {
    # Words for a comparison that is no view: with another time, with a number.
    "measured": r"""
(than (before|usual|ever|expected|planned|last|yesterday|(i|we) (thought|expected)|\d)|today|
yesterday|tonight|tomorrow|this (morning|afternoon|evening|week|month|year|time)|(last|next) \w+|
now that|so far)\b
""",
    "surely": r"""
(definitely|absolutely|clearly|obviously|certainly|surely|always|of course|for sure|hands down|
no (doubt|question|contest)|without (a )?(doubt|question)|every time|any (day|time)|all the way|
every day of the week|full stop|period)
""",
    # A thing in a sentence without a verb.
    "named": r"""
(?!(i|we|you|it|that|this|yes|no|yeah|nope|so|oh|well|but|and|not|most|almost|nearly|sure|thanks|
sorry|hello|hi|ok|okay|agreed|right|true|as|is|are|was|were|do|does|did|can|will|what|who|when|
where|why|how|there|here)\b)[\w'-]+( (?!(is|are|was|were|will|would|has|have|had)\b)[\w'-]+){0,3}
""",
    "lasts": r"""
(lasts?|lives?|holds?( up)?|runs?|works?|looks?|costs?|weighs?|needs?|keeps?|wears?|fits?|does|
takes?|pays?|scales?|ages?|performs?|sells?|reads?|grows?|dries|stays?|sounds?|tastes?|burns?|
stands? up|breaks?|fails?|rots?|rusts?|leaks?|splits?|cracks?|warps?|fades?)
""",
    "better": r"""
(better|worse|longer|faster|slower|sooner|cheaper|cleaner|stronger|weaker|harder|safer|warmer|
cooler|quieter|louder|smoother|easier|simpler|nicer|wiser|sturdier|lighter|heavier|best|worst|most|
least|(more|less) \w+)
""",
}

_HOLDS: tuple[Row, ...] = (
    (
        r"""\bi am (still |now |all |strongly |firmly |rather |very much |completely )*(for|against|
with \w+ (on|about|there)|behind|in favou?r of|opposed to|convinced|leaning|inclined)\b
(?! (a|the) (walk|moment|while|week|day|run)\b)""",
        "I am for pine now.",
        "I am for a week in Rome.",
    ),
    (
        r"""\bi would (still |now |always |much |definitely |probably )*(rather|prefer|choose|pick|
go (with|for)|vote|stick|argue|advise|keep|avoid)\b""",
        "I would rather use pine.",
        "I would like tea.",
    ),
    (
        r"""\bi (now |still |really |strongly |much |always |definitely |clearly )*(prefer|favou?r|
recommend|choose|pick|vote|oppose|reject|insist|maintain|consider|stand by|stick (with|to)|
lean towards?|am convinced|hold that|side with)\b""",
        "I now favour pine.",
        "I now leave.",
    ),
    (
        r"""\bmy (own |first |clear |personal |honest )*(vote|choice|pick|favou?rite|preference|
stance|opinion|verdict|advice|recommendation)\b(?! (of|was)\b)""",
        "Pine is my choice.",
        "My choice of words was bad.",
    ),
    (
        r"""\bgive me .{1,40} any (day|time)\b|^\W*<named>,? <surely>\W*$|
^\W*<surely>[, ]+(not )?<named>\W*$""",
        "Cedar, definitely.",
        "It is late, definitely.",
    ),
    (
        r"""(?<!that )(?<!this )\b(is|are|would be|will be|seems?|looks?|sounds?|remains?|stays?)
 (still |clearly |simply |just |by far |definitely |now |always |much |not |far |a lot |also )*
(the |our |a )?
(better|best|worse|worst|right|wrong|wiser|wisest|safer|safest|superior|inferior|preferable)
(?!.*<measured>)( \w+)?
( (for|to|of|in|on|than)\b| (choice|option|wood|way|idea|solution|one|answer|tool|plan|
material|place|time|fit|deal|bet|approach|call|thing|colou?r|size|name|route|method)\b|[.!,;]|$)""",
        "Pine is the better wood for the deck.",
        "The weather is better today.",
    ),
    (
        r"""\b(is|are|seems?|looks?) (simply |just |far |way |much |really )*(too|not) \w+
( \w+)? (for (this|that|us|the|our|an?)|to \w+)\b(?!.*<measured>)""",
        "Cedar is too soft for the deck.",
        "I am not here for long.",
    ),
    (
        r"""\b(better|worse|safer|cheaper|stronger|faster|easier|simpler|nicer|quieter|cleaner|
(more|less) [a-z]+) than (?!(\d|before|usual|ever|expected|planned|last|yesterday|i |we |that\b|
one\b|half\b))""",
        "Pine is cheaper than cedar.",
        "It is colder than yesterday.",
    ),
    (
        r"""\b(beats|outlasts|outperforms|outweighs|wins over|trumps|surpasses|suits us|
serves us) (?=\w)(?!.*<measured>)""",
        "Pine beats cedar.",
        "The drum had a few beats.",
    ),
    (
        r"""(?<!no )(?<!that )(?<!this )\b<lasts> (us |me |\w+ )?(much |far |a lot |a bit |even |
the )*<better>\b(?!.*<measured>)""",
        "Cedar lasts longer, pine rots.",
        "It looks better today.",
    ),
)
_RECANTS: tuple[Row, ...] = (
    (
        r"""\bi (was|am|have been|must have been|stand) (clearly |quite |totally |simply |just |
completely |partly |all )*(wrong|mistaken|corrected|in error)\b""",
        "No, I was wrong.",
        "I was on the wrong train.",
    ),
    (
        r"""\bi (have |had to |just |now |did )*(changed?|revised?|reconsider(ed)?|rethought)
( my (mind|view|opinion|position|stance|vote)|[.!,;:]|$)|\bi have come (a)?round\b""",
        "I have changed my mind.",
        "I changed my shoes.",
    ),
    (
        r"""\bi (have to |must |hereby |now |will |would like to )*(take|took|taking) (it|that|this|
all of (it|that)|my (words?|vote|support|objection)) back\b|\bi (hereby |now |must |have to )*
(withdraw|retract|take back|drop|give up) my \w+\b""",
        "I take that back.",
        "I take my car back.",
    ),
    (
        r"""\bon second thoughts?\b|^\W*(no,? )?scratch that\b|\bi got (it|that|this) wrong\b|
^\W*my (mistake|bad|error)\b|\bi (no longer|do not) (think|believe|prefer|support|want|favou?r)
(so|that|it)? ?.*\b(any ?more|any ?longer|now)\b|\bi no longer (think|believe|prefer|support|
want|favou?r)\b|\bi (must|have to|should|want to) correct myself\b|\bforget what i said\b""",
        "On second thought, pine.",
        "I have no second thought on it.",
    ),
)

HOLDS = PhraseTable(_HOLDS, _CLASSES)
RECANTS = PhraseTable(_RECANTS, _CLASSES)

"""English phrases that reject what a named person stands for: a plan, a claim, a view.

Each row is a pattern, a sentence that it matches, and a near miss. `@0` stands for a person. The
classes are those of `relating`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

REJECTING_CLASSES = {
    "view": r"(\bi (really |do |still )*(think|believe|find|feel|fear|am afraid) (that )?)?",
    "unfit": r"""
(wrong|mistaken|incorrect|flawed|weak|bad|terrible|unrealistic|unconvincing|overkill|premature|
nonsense|misguided|short-?sighted|unsafe|dangerous|a (bad|poor|terrible) (idea|plan|choice)|
a mistake|
a step back(wards)?|too (risky|expensive|costly|slow|complex|complicated|big|small|early|late|
ambitious|
fragile|narrow|vague|broad|strict|optimistic|pessimistic|heavy|dangerous|much (work|effort|money))|
off(?! (the|to|with)\b)|not (
right|correct|convincing|realistic|good enough|sound|safe|feasible|enough|an option|the (right|
best) (way|approach|choice|idea|solution|answer)|a (good|viable|sound|real) (idea|plan|choice|
option|
solution)))
""",
}
REJECTING: tuple[Row, ...] = (
    (
        r"""\bi (am|remain|stay) <firmly>((against|opposed to|unconvinced by|(sceptical|skeptical|
doubtful|
dubious|wary|suspicious) (of|about))|not <firmly>((convinced|persuaded|impressed) (by|of)|sold on|
keen on|
(a <firmly>(big |great |huge )?fan|in favou?r|fond|supportive) of|(happy|comfortable|fine|ok|okay|
on board) with|for)) <case>""",
        "I'm against @0's proposal.",
        "I'm not against @0's proposal.",
    ),
    (
        r"""\bi <adverbs>(can|could|do|will|would) not <adverbs>(support|back|accept|endorse|share|
like|
love|buy|believe|trust|follow|approve( of)?|second|recommend|favou?r|want|go (along )?with|vote for|
do|see the (point|value|sense|merit|logic|need) (of|in|for)) <case>""",
        "I can't support @0's plan.",
        "I can't support @0's team.",
    ),
    (
        r"""\bi ((would|will|must|have to|<adverbs>)+ ?)?(doubt|reject|dispute|question|contest|
challenge|
oppose|object to|take issue with|vote against|refuse|dislike) <case>|\bi have (my |some |serious |
strong |
big |grave |real |major |a few |many |great )*(doubts|reservations|concerns|objections|misgivings|
(a )?problems?|issues|trouble) (about|with|on|to|regarding) <case>""",
        "I have doubts about @0's plan.",
        "I have a question about @0's plan.",
    ),
    (
        r"""\bi <adverbs>(see|view|read|judge) (this|that|it|things) (very |quite |rather |
completely |
totally )*(differently|otherwise) (than|from|to) @\d+|\bmy (own )?(view|opinion|take|position|
conclusion) is (quite |exactly |just )?(the (opposite|reverse|contrary) of|different (from|to|than)|
opposed to) @\d+|
^(<opening>)*(contrary to|unlike|in contrast to|as opposed to) (what )?@\d+( (says|said|claims|
thinks|proposes|suggests))?,? i (<adverbs>)?(think|believe|find|say|see|want|prefer|favou?r|vote|
would|am|expect)\b|\bi am not with @\d+(?= on\b| here\b| ?[.,!;]|$)""",
        "I see that differently than @0.",
        "I see that, unlike @0.",
    ),
    (
        r"""<view>(?<!\w)@\d+ (has |have )?(got|gets|has|have) (this|that|it|(the|these|those|his|
her|
their) \w+(
 \w+)?) (all |completely |badly |quite )?(wrong|backwards)\b(?! (bus|train|file|room|day|time|
person))|
<view>(?<!\w)@\d+ (<fully> )?((is|are) )?(overlook|underestimat|overestimat|misjudg|misread|
misunderst)\w+
 (the|that|how|what|our|my|one|an?|all)\b""",
        "@0 got the numbers wrong.",
        "@0 got the wrong bus.",
    ),
    (
        r"""<view>(?<!\w)<case> (\S+ ){0,4}?((is|are|seems?|sounds?|looks?|
would be) <firmly><unfit>|
(will|would|
does|do|can|could) (not|never) <firmly><succeeds>|makes? (no|little) sense|(falls?|comes?) (short|
apart)|fails?\b)(?! to (mention|say))""",
        "@0's plan is too risky.",
        "@0's plan is not too risky.",
    ),
    (
        r"""^<softly>(that|this|it) is not (at all |really |quite )?how (\S+ ){1,4}?(works?|worked|
goes|
looks?|happens?|happened)<ends>""",
        "That's not how tape works, @0.",
        "That's not how I meant it.",
    ),
    (
        r"""^(<opening>|no,? |sorry,? )*@\d+,? (but )?(that|this|your \w+) (is|would be|seems|
sounds|looks) <firmly><unfit>|
\bi <adverbs>do not <adverbs>(see|view|read) (it|this|that|things) (the way|as|like) @\d+\b""",
        "@0, that's too risky.",
        "@0, that's not too risky.",
    ),
)

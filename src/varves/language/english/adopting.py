"""English phrases with which a group adopts what somebody proposed.

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_ADOPTING = {
    **CLASSES,
    "end": r"( (now|then|today|please|for now|as proposed|as planned|everyone|all|folks))*[.!]*$",
    "it": r"(it|that|this|so|your (idea|plan|proposal|suggestion|way))",
    "already": r"((now|then|all|hereby|officially|finally|clearly|so) )*",
}
# Beginnings with which a speaker puts something before the group that it can adopt.
_OFFERS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(i (would |also |would like to |want to |hereby |just )*(propose|suggest|
move|recommend|vote for|say (that )?(we|
let us) (?!<state>|\w+ed\b))\b|my (proposal|suggestion|recommendation|vote) (is|would be|goes to)|
(my |new |counter-?)?(proposal|suggestion|motion|compromise|middle ground) ?:)""",
        "I propose we roast on Tuesdays.",
        "I proposed it last year.",
    ),
    (
        r"""^(<opening>|then |so )*(let us|we (should|could|ought to)|(shall|should|can|could) we|
why do not we|how about|what about|what if we|what do you think (of|about)) """,
        "Let's move the labels to ZPL.",
        "We moved the labels.",
    ),
)
# A question whether something is agreed, to which the others only have to say yes.
_CONFIRMS: tuple[Row, ...] = (
    (
        r"""^(<opening>|then )*(so )?(we|we all|everyone|everybody) ((is|are) )?(all |now )*(
agreed?|agrees|settled|decided|in agreement) (on|to) (?!(it|this|that|these|those|them|disagree)\b)(
?P<value>\S.*?)(?=,? (right|correct|yes|ok|okay|yeah)\W*$)""",
        "So we're agreed on the green logo, right?",
        "So we're agreed on that, right?",
    ),
)
# An answer that adopts what was just proposed, and does not only agree with it.
_ADOPTS: tuple[Row, ...] = (
    (
        r"""(^|[,;:.!] |\b(so|and|then|agreed|agree|yes|ok|good|plan) )let us (<already>|just |
go ahead and )*((do|try|take|adopt|keep|make|have|use|go (for|with)) (<it>|@\d+'s? (idea|plan|
proposal|suggestion|way))|go ahead( with <it>)?|go
 for it|make it so|roll with <it>)<end>""",
        "Sounds good, let's do it.",
        "Sounds good, let's do it next week if Ben agrees.",
    ),
    (
        r"""^(<opening>|(agreed|sounds good|fair (enough|point)|(good )?point( taken)?|perfect|
excellent|sure)\b,? )*(go ahead|yes,? let us|
(yes|agreed|ok|fine|\+1) (to|on|with|for) (all|both|everything)( of (it|that|this|them))?|convinced|
deal|it is a deal|you have a deal|done deal|sold|
go for it|do it|ship it|make it so|consider it (done|decided|settled)|(it is )?approved|
we (will|shall) (do|take|try|go with) <it>|i am in,? let us go)<end>""",
        "OK, deal.",
        "The deal is old.",
    ),
)
# A statement that what was proposed is decided.
_CONCLUDES: tuple[Row, ...] = (
    (
        r"""^(<opening>|perfect,? |excellent,? |agreed,? |then |so )*(it|that|this|the (matter|
question|point)) is <already>(decided|settled|agreed|fixed|final|resolved|a deal|our decision|
our plan|the plan|the decision|what we (will )?do)( by (all|everyone))?<end>""",
        "Great, then that is decided.",
        "That is decided by the bank.",
    ),
    (
        r"""^(<opening>|then |so )*((decided|settled|resolved|carried|adopted|so decided|
agreed (by (all|everyone|everybody|the group)|then|all round)|done and decided)|motion carried|
we (are|have) <already>(agreed|in agreement|decided|settled|a (deal|decision|plan)|consensus|
an agreement|agreement)|(we|you) all agree|(everyone|everybody|all) (agrees|agree|is in|
is on board|are on board|in favou?r)|that settles it|(that is|we have) (a )?(unanimous|
consensus))<end>""",
        "Decided.",
        "Decided to keep both.",
    ),
)

# Beginnings that admit what was just said, and concede a point if the speaker then settles for it.
_ADMITS: tuple[Row, ...] = (
    (
        r"""^((oh|ah|hm+|hmm+|well|and|so|yes|no|yeah|damn|sorry|@\d+)\b[,.!]* )*(ok|okay|right|
true|fine|
alright|all right|sure|indeed|agreed|exactly|of course|correct|(that is |that was )?(an? )?(fair|
good|
valid|strong|great|excellent) (points?|enough|catch|argument|idea|thinking|call|question|reasons?|
one)|
fair enough|points? taken|i see|(that|this|it) (makes sense|is <already>(true|right|fair|acceptable|
convincing|correct|a problem|too (much|risky|late|expensive)))|makes sense|(you|@\d+) (have|has|
(have |has )?got|made|make|makes) (an? |some )?(good |fair |valid |strong )?point|(you|@\d+) win|
i (remember|see|understand|
get it|get your point|(did|do) not (know|realise|realize|think of)( (that|this|it))?|
(was|am) not aware( of (that|this|it))?|had not (known|thought of|considered|realised|realized)(
(that|this|it))?)|(you are|@\d+ is) (<already>|absolutely |quite |totally |so )*(
right|correct)|(those|these) are (clear|good|hard|strong) \w+|then|in that case)\b""",
        "Hm, I see. Black and white then.",
        "Black and white.",
    ),
)
# How a speaker gives in: what applies instead, or that the other's way is taken.
_SETTLES_FOR: tuple[Row, ...] = (
    (
        r"""\blet us (<already>|just |not |rather )*(?!(see|talk|discuss|think|wait|ask|check|
decide|agree|
find|look|say|hear|meet|test|move on|measure|postpone|vote|first)\b)\w+|\b(leave|drop|skip|scrap|
forget|
remove|keep|cancel) (it|that|this|them)( out)?\b|^(<opening>|then |so |ok |fine |sure )*(go ahead|
go for it|do it|your way|be my guest)\b|\bwe (<already>|will |can |should )*(stay|keep|stick|leave|
drop|
take|use|do|skip|go with|stay with|stick with) (?!(talking|thinking|waiting)\b)""",
        "OK, let's keep it.",
        "OK, let's discuss it.",
    ),
    (
        r"""^(\S+ ){1,6}(then|it is|instead|after all) ?[.!]*$|^(<opening>|then |
so )*no \w+( [\w-]+)? ?[.!]*$|
\b(it|that|this|they|(the|our) (\S+ ){1,3})(stays?|remains?|goes|go)\b(?! (wrong|down|up)\b)|
\bi am <already>(fine|ok|okay|happy|good|comfortable) with\b|^(<opening>|then |so )*(\w+ ){1,3}(is|
are|would be) (fine|ok|okay|good|alright|all right|enough)\b|\bworks for (me|us)\b""",
        "Black and white then.",
        "Black and then white.",
    ),
)

OFFERS = PhraseTable(_OFFERS, _ADOPTING)
CONFIRMS = PhraseTable(_CONFIRMS, _ADOPTING)
ADOPTS = PhraseTable(_ADOPTS, _ADOPTING)
CONCLUDES = PhraseTable(_CONCLUDES, _ADOPTING)
ADMITS = PhraseTable(_ADMITS, _ADOPTING)
SETTLES_FOR = PhraseTable(_SETTLES_FOR, _ADOPTING)

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
move|recommend|vote for)\b|my (proposal|suggestion|recommendation|vote) (is|would be|goes to)|
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
# An answer that adopts what was just proposed, and does not only agree with it.
_ADOPTS: tuple[Row, ...] = (
    (
        r"""(^|[,;:.!] |\b(so|and|then|agreed|agree|yes|ok|good|plan) )let us (<already>|just |
go ahead and )*((do|try|take|adopt|keep|make|have|use|go (for|with)) <it>|go ahead( with <it>)?|go
 for it|make it so|roll with <it>)<end>""",
        "Sounds good, let's do it.",
        "Sounds good, let's do it next week if Ben agrees.",
    ),
    (
        r"""^(<opening>|agreed,? |sounds good,? )*(deal|it is a deal|you have a deal|done deal|sold|
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

OFFERS = PhraseTable(_OFFERS, _ADOPTING)
ADOPTS = PhraseTable(_ADOPTS, _ADOPTING)
CONCLUDES = PhraseTable(_CONCLUDES, _ADOPTING)

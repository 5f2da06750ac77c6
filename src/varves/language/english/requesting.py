"""English phrases by which a sentence asks for work, and by which a conversation ends.

Orders that begin with a verb are recognised elsewhere. Each row is a pattern, a sentence that it
matches, and a near miss.
"""

from __future__ import annotations

from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_REQUESTS: tuple[Row, ...] = (
    (
        r"""\b(can|could|would|will) you (?!(believe|imagine)\b)\w+|\bplease \w+|
\b(make sure|be sure to)\b""",
        "Could you rename it",
        "You could rename it.",
    ),
    (
        r"""\b(i|we) (also |just |really |still |then )?(need|want|would like|have to|should|
must)\b(?! (to )?(go|stop|leave|think)\b)""",
        "I want the build script cleaned up.",
        "I want to go.",
    ),
    (
        r"""\b(it|this|that|there|they|the \S+( \S+)?) (should|must|needs? to|has to|have to|
ought to)\b""",
        "The header should be blue.",
        "The header is blue.",
    ),
    (
        r"""\b(fails?|failed|failing|broken|crash(es|ed|ing)?|hangs?|is (red|missing|wrong|
empty|blank)|does not (work|show|load|start|build|compile)|bug in)\b(?! (any ?more|again)\b)""",
        "The checkout test is red on main.",
        "The checkout test is green on main.",
    ),
    (
        r"""^(and |then |next |now |first )*(the )?(next|todo|task|goal)( step| task)?( is)? ?[:,]
\S|^(how|what) about \w+ing\b""",
        "Next: the export.",
        "The next release is large.",
    ),
    (
        r"""^(and|now|then|also) (the|this|that|for|same)\b(?!.*\b(is|are|was|were|works?|looks?|
has|have|passes|runs|goes)\b)""",
        "Now the same for the importer.",
        "Now the importer works.",
    ),
)
_CLOSES: tuple[Row, ...] = (
    (
        r"""\b(that is (it|all|everything)|(call it|make it) a day|stop here|done for (today|now)|
wrap up|good ?night|bye|see you|see ya|talk (to you )?(later|tomorrow|soon)|until tomorrow|
have a (nice|good|great)|take care|cheers)\b""",
        "Cool, that's it for today.",
        "That is the one for today.",
    ),
    (
        r"""^(let me (?!know what)\w+|(go ahead|do (it|that|so)|ship it|keep going|keep it up|go on|
go for it|hold on|wait|never ?mind|look(s)? \w+|see|sounds \w+)[.!]*$)""",
        "Go ahead.",
        "Go through the file again.",
    ),
)

REQUESTING = {
    "requests": PhraseTable(_REQUESTS),
    "closes": PhraseTable(_CLOSES),
}

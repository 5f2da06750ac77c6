"""English phrases by which people agree or disagree with a person they name.

Each row is a pattern, a sentence that it matches, and a near miss. `@0`, `@1` ... stand for people.
"""

from __future__ import annotations

from varves.language.english.answering import (
    AGREEING,
    ANSWERING,
    CHALLENGING,
    DISAGREEING,
)
from varves.language.english.classes import CLASSES
from varves.language.english.complementing import COMPLEMENTING, COMPLEMENTING_CLASSES
from varves.language.english.rejecting import REJECTING, REJECTING_CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

RELATING = {
    **CLASSES,
    **ANSWERING,
    **COMPLEMENTING_CLASSES,
    **REJECTING_CLASSES,
    # One or more people: "@0, @1 and with @2".
    "whom": r"""
(both |either |what |everything )?@\d+((, (with )?@\d+)*,? (and|or|nor|&) (with )?@\d+)*
""",
    # The person, or the person's statement: "@0's plan", but not "@0's brother".
    "theirs": r"""
(?!'s?(?!\w)(?! (\w+ ){0,2}<matter>s?\b))
""",
    "matter": r"""
(proposal|plan|point|idea|view|argument|position|approach|suggestion|reasoning|concern|assessment|
analysis|take|opinion|objection|conclusion|choice|design|number|estimate|comment|remark|draft|
rebuttal|preference|statement|logic|premise|claim|figure|calculation|solution|option|theory|motion)
""",
    # What a person stands for: "@0's plan", "what @0 proposes".
    "case": r"""
(@\d+'s? (\w+ ){0,2}<matter>s?\b|what (both )?@\d+( and @\d+)? (just |has |have )*(said|says?|
proposed?|proposes|suggest(s|ed)?|wants?|wanted|plans?|planned|claims?|claimed|wrote|described?|
describes)\b)
""",
    "fully": r"""
(fully|completely|totally|entirely|strongly|absolutely|wholeheartedly|really|certainly|definitely|
firmly|clearly|simply)
""",
    "adverbs": r"""
((do|<fully>|respectfully|politely|tend to|also|still|very much|must|have to|now|then|just|too) )*
""",
    "after": r"( (<fully>|here|too|now|then|as well|100 ?%))*",
    # The person or statement with which the speaker agrees; if none is named, the person addressed.
    "object": r"""
( with <whom><theirs>(?! (more|less|rather)\b)| with (you|that|this|it|your \w+|what you \w+|
everything you \w+)\b| ?([,.;:!]|$)| -| (that|on|about|because|and|but)\b)
""",
    # The end of a short answer: a name, and then a reason or nothing.
    "ends": r"""
( (to me|to us|for me|for us|here|too|then|now|indeed|at all|either|in practice|100 ?%))*(
 ?,? ?<whom>)?
 ?([.,;:!]|$| - | because\b| since\b)(?!.*\b(but|however|although|though|except|unless|yet|only (if|
for|when))\b)
""",
    "firmly": r"((<fully>|just|plain|so|very|quite|exactly|really|actually|still|perfectly) )*",
    "succeeds": r"""
(works?|flies|fly|holds?( (up|water|true))?|adds? up|scales?|helps?|makes? (any |much )?sense|
solves? (it|that|this|anything|the problem)|(convinces?|persuades?) (me|us))
""",
    "this": r"((that|this)( <matter>)?|it|your (\w+ )?<matter>)",
    # A person's own people and life, which are nothing to agree with.
    "kin": r"""
(family|wife|husband|partner|brother|sister|sibling|mother|father|parent|son|daughter|kid|child|
children|cousin|friend|team|club|company|business|career|dog|cat)s?\b
""",
    "verdict": r"""
(?! ?(now|away|here|there|behind|next|or\b|after|before|-|in (front|the middle)))
""",
}
_AGREES: tuple[Row, ...] = (
    (
        r"""\bi <adverbs>(agree|concur)\b<after><object>|
\bi could not agree more\b<after><object>""",
        "I fully agree with @0 and with @1.",
        "I agree with @0's brother.",
    ),
    (
        r"""(\bi think (that )?)?((<whom>|\byou) (is|are)|@\d+'s(?= (<fully> )?(right|correct)\b)) (
(<fully>|quite|both|so) )?(right|
correct)\b<verdict>""",
        "@0 and @1 are both right.",
        "@0 is right now in Paris.",
    ),
    (
        r"""@\d+'s? (\w+ ){0,2}<matter>s? (\S+ ){0,4}?(is|are) ((<fully>|quite|both|so) )?(right|
correct|valid|sound|spot on)\b<verdict>""",
        "@0's point about the francs is right.",
        "@0's point is not right.",
    ),
    (
        r"""\bi <adverbs>((side|stand) with|second|support|back) <whom><theirs>|
\bi am with <whom>(?= on\b| here\b| ?[.,!;]|$)""",
        "I side with @0.",
        "I side with the vendor.",
    ),
    (
        r"""\bi (<adverbs>(support|endorse|back|second)|am (<fully> |all )*for) @\d+'s? (?!<kin>)(
?=([\w-]+ ?){1,3}([.,;:!]|$))|@\d+'s? (\w+ ){0,2}<matter>s? <firmly><succeeds><ends>""",
        "I fully support @0's list.",
        "I fully support @0's family.",
    ),
    (
        r"""^(<fully> )?(agree|seconded|\+1) ?(,|with|to) ?<whom>|^(fully )?agreed ?,? ?<whom>""",
        "+1 to what @0 said.",
        "We agreed to pay @0.",
    ),
    (
        r"""^((fully|totally|completely) )?(agreed|seconded|\+1) ?[.!]?$""",
        "Agreed.",
        "Agreed on a date.",
    ),
    # Short answers that agree with what was just said.
    (
        r"""^(<opening>|<fully> )*(\+ ?1|exactly|precisely|absolutely|definitely|indeed|agreed?|
seconded|
true|totally|ditto|likewise|same here|me too|well (said|put)|spot on|hear,? hear|amen|\U0001f44d|
(that is |that was |what )?(an? )?(very |really )?(good|great|fair|valid|excellent|strong) (point|
idea|call|suggestion|argument|catch|plan|thinking)|fair enough|point taken|
(that |this |it )?(makes <firmly>sense|sounds <firmly>(good|great|right|reasonable|sensible|fine)|
works for (me|us))|exactly (what|how|my|that|this|so)( \w+){0,5}|(you|<whom>) (have|has|make|makes|
raise|raises) (an? |
some )?((very )?(good|fair|valid|strong|great|excellent|real) )?points?( there)?|
(can not|can hardly|could not|no) (argue|arguing) with (that|this|you)|right on|100 ?%( agree(d)?)?|
(that|this|it) works|i am <firmly>(on board|sold|convinced|in|(fine|happy|good|ok|okay|
comfortable) with (that|
this|it))( with (that|this|it|you))?|(my|exactly my) (thoughts?|view|feeling|opinion|point)(
 exactly)?|
could not agree more|count me in)( right| so)?<ends>""",
        "Exactly, the cache is cold.",
        "Exactly two of them failed.",
    ),
    (
        r"""^(<opening>)*\+ ?1 (to|for|on|from me)\b|^(<opening>|and |no,? )*<this> is <firmly>(
right|true|
correct|spot on|fair|my view)<ends>|\bi am with you\b|\bi <adverbs>second (that|this|it)\b|
\bi (<adverbs>)?(think|feel|believe) (so|the same)( too)?<ends>|\bi <adverbs>share (that|this|
your) (
view|opinion|concern|feeling|assessment)|\bi <adverbs>(like|love|support|endorse) (that|this|
it(?! (here|there)\b)|your (
\w+ )?<matter>|<whom>'s? (\w+ )?<matter>)<ends>|\bi am (all )?(for it|in favou?r)( of (that|this|
it))?
<ends>""",
        "That's true.",
        "That's true for small files.",
    ),
)
_DISAGREES: tuple[Row, ...] = (
    (
        r"""\bi <adverbs>disagree\b<after><object>|
\bi could not (disagree more|agree less)\b<after><object>|
\bi <adverbs>(do not|can not|no longer) (longer )?(really )?(agree|concur)\b<after><object>|
\bi <adverbs>agree with neither <whom>""",
        "I do not agree with either @0 or @1.",
        "I do not disagree with @0.",
    ),
    (
        r"""(\bi (do )?not (think|believe) (that )?(<whom>|you) (is|are) ((<fully>|quite|both|
so) )?(right|
correct)|((\bi (think|believe) (that )?)?(<whom>|\byou) (is|are) ((<fully>|quite|both|
so) )?(wrong|mistaken|not (right|correct))))\b<verdict>""",
        "I do not think @0 is right.",
        "@0 is not wrong.",
    ),
    (
        r"""@\d+'s? (\w+ ){0,2}<matter>s? (\S+ ){0,4}?(is|are) ((<fully>|quite|both|so) )?(wrong|
mistaken|flawed|not (right|correct|valid|sound))\b<verdict>""",
        "@0's estimate of the cost is wrong.",
        "@0's estimate is right.",
    ),
    (
        r"""\bi <adverbs>(object to|oppose|dispute) <whom><theirs>|
^(<fully> )?disagree with <whom>|^((fully|totally|completely) )?disagree ?[.!]?$""",
        "I object to @0's proposal.",
        "I object to the proposal.",
    ),
    (
        r"""\bi (<fully> )?do not (<fully> )?(support|endorse|back) @\d+'s? (?!<kin>)(
?=([\w-]+ ?){1,3}([.,;:!]|$))|\bi do not (<fully> )?(think|believe|find) (that )?@\d+'s? (
?!<kin>)([\w-]+ ){1,4}?((is|are|would be|will be) )?<firmly>(<sound>|<good>|<succeeds>)<ends>""",
        "I don't think @0's list is good.",
        "I don't think @0's train is late.",
    ),
    # Short answers that disagree with what was just said.
    (
        r"""^<softly><this> <firmly>(will|would|
does|do|can|could|
is going
to|is) <firmly>(not|never) (going to )?<firmly><succeeds><ends>|
^(<opening>|no,? |nope,? |sorry,? )*i (do not (think|believe|see how)|doubt) (that )?<this>( (will|
would|
can|could|does))? <firmly><succeeds><ends>""",
        "That won't work.",
        "That won't work on Windows 7.",
    ),
    (
        r"""^<softly>(<this>|you) (is|
are) <firmly>(wrong|incorrect|
false|
mistaken|untrue|nonsense|not <firmly>(true|right|correct|the case|convincing|a good idea)|
a (very |really )?(bad|terrible|horrible|poor) (idea|plan|choice|suggestion))<ends>|
^(<opening>)*(no|nope|nah) ?[,.]* (<whom> ?, )?(it|that|this|they|we|you|there) (is|are|does|do|
will|can|could|should|would|
has|have|must) not\b|^(<opening>|no,? )*(<this> (really |just )*makes? no sense|not (true|right|
correct|at all
true|the case|convincing))<ends>""",
        "No, that's wrong.",
        "That is wrong by two days.",
    ),
    (
        r"""^(-1\b|(nope|wrong|incorrect|nonsense|no way|not at all|never|hard no|strong no|(
absolutely|
definitely|
certainly|clearly|of course) not|i beg to differ|objection)<ends>)|^(no|nope|
nah) ?, ?<whom> ?[.!]*$|
^(<opening>|no,? )*i <adverbs>((do|can) not (<adverbs>)?(think so|buy (that|it|this)|accept (that|
it|
this)|agree|support (that|it|this)|see it that way|believe (that|it))|(see|read|view) (it|that|
this) (
very |quite )?differently|object( to (that|this|it))?|doubt (that|it|this)|am (<firmly>)?(not (
<firmly>)?(on board|with you|convinced|sold|
persuaded|so sure( about (that|this|it))?|in favou?r( of (that|this|it))?)|(against|opposed to) (
that|
this|it))|do not think (that )?<this> (is|would be) (right|true|correct|wise|a good idea|sensible|
necessary))<ends>""",
        "I don't think so.",
        "I do not think so much of it.",
    ),
)
_COMPLEMENTS: tuple[Row, ...] = (
    (
        r"""\bi <adverbs>complement <whom>|<whom> and i <adverbs>complement each other|
\bi and <whom> complement each other|\bmy (\w+ ){1,3}complements? <whom>|
<whom>('s? (\w+ ){1,3}| )(really )?complements? (me|mine|my \w+)\b""",
        "@0 and I complement each other.",
        "@0 and @1 agree with each other.",
    ),
    (
        r"""<whom>('s? (\w+ ){1,3}| )<adverbs>complement (each other|one another)\b|
\bwe <adverbs>complement (each other|one another)\b|\byour (\w+ ){1,3}<adverbs>complements? (me|
mine|
my \w+)\b|\bmy (\w+ ){1,3}<adverbs>complements? (yours|your \w+)\b""",
        "@0 and @1 complement each other.",
        "Red and green complement each other.",
    ),
    (
        r"""(@\d+'s?|\byour|\bmy) (\w+ ){1,4}(and|with) (@\d+'s?|your|my|yours|mine)( \w+){0,4}?
 <adverbs>((fit|go|work|come|pair|combine) (\w+ )?(together|hand in hand)|complement (each other|
one another)|are (an? )?(\w+ )?(match|
fit|
combination|complementary)|make (an? )?(\w+ )?(pair|team|combination|match))\b|
\b(my|@\d+'s?|your) (\w+ ){1,3}(fits?|goes|pairs|works|combines) <adverbs>(well|perfectly|nicely) (
together )?with (@\d+'s?|your|my)\b""",
        "Your database knowledge and my frontend skills fit together well.",
        "Your plan and my calendar are full.",
    ),
    (
        r"""(@\d+'s?|\byour) (\w+ ){1,2}<adverbs>(fills?|covers?|closes?) (my|(the|all) gaps in my|
what i (lack|miss))\b|
(@\d+|\byou) <adverbs>((know|knows|cover|covers|bring|brings|fill|fills|add|adds|see|
sees|
understand|understands) (exactly |the (\w+ ){1,3}(that )?|what |all |where |whatever |in )?(
i (do not|lack|miss|am missing|can not|cannot|never)|my gaps?|the gaps? in my)\b)""",
        "@0 brings the legal knowledge that I lack.",
        "@0 knows that I do not sleep.",
    ),
)
# Additions after "and" or "but" to a statement that names somebody already.
_CARRIES: tuple[Row, ...] = (
    (
        r"""\b(and|but) <adverbs>(?P<carried>agree|disagree|concur)\b<after> with <whom><theirs>""",
        "I agree with @0 but disagree with @1.",
        "I agree with @0 and @1.",
    ),
)
# Earlier words in the clause that show that this is not the speaker's own view now.
_WITHHOLDS: tuple[Row, ...] = (
    (
        r"""\b(maybe|perhaps|possibly|not|never|when|whenever|until|once|before|after|would|could|
should|might|may|will|
used|sure|think|thinks|say|says|said|see|wish|hope|want|pretend|people|you|they|he|she|why|how)\b|
@""",
        "I am not sure.",
        "I am here.",
    ),
)
# Partial agreement, which does not count as agreement.
_HALVES: tuple[Row, ...] = (
    (
        r"""\b(partly|partially|in part|to (some|an|a certain) extent|up to a point|somewhat|mostly|
more or less|half|agree(d)? to disagree|agree nor disagree|sometimes|in principle|in theory)\b""",
        "I partly agree with @0.",
        "I agree with the other party.",
    ),
)
_ADDRESSES: tuple[Row, ...] = (
    (
        r"""^@\d+((, @\d+)*,? and @\d+)?( ?,|(?= (i|you|your|what|why|how|that|this|we|let us|
please|thanks|thank you|ok|okay|sure|well|no|nope|nah|yes|yep|yeah|agreed|agree|
disagree|exactly|totally|absolutely|definitely|precisely|true|wrong|good point|great point|sorry)\b|
 [+-] ?1\b))|, @\d+(,? and @\d+)? ?(,|[.!]*$)""",
        "@0, I agree.",
        "I agree with @0.",
    ),
)

AGREES = PhraseTable((*_AGREES, *AGREEING), RELATING)
DISAGREES = PhraseTable((*_DISAGREES, *DISAGREEING, *REJECTING), RELATING)
CHALLENGES = PhraseTable(CHALLENGING, RELATING)
COMPLEMENTS = PhraseTable((*_COMPLEMENTS, *COMPLEMENTING), RELATING)
CARRIES = PhraseTable(_CARRIES, RELATING)
WITHHOLDS = PhraseTable(_WITHHOLDS, RELATING)
HALVES = PhraseTable(_HALVES, RELATING)
ADDRESSES = PhraseTable(_ADDRESSES, RELATING)

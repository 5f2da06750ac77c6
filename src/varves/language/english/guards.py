"""English phrases that show that a sentence only asks, reports, cites or supposes something.

Each row is a pattern, a sentence that it matches, and a near miss, which it must not match.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_ASKS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(?!do (it|this|that|so)( then| now)?[.!]*$)(do|does|did|is|are|was|were|
have|has|had|can|could|should|would|will|
shall|
may|might|am|must)( not)? (i|we|you|he|she|they|it|this|that|there|these|those|any\w*|some\w+|
folks|people|everyone|anyone)\b""",
        "Should we close it",
        "Will do.",
    ),
    (
        r"""^(<opening>)*(who|whom|whose|where|when|which \w+|how|why|what)( (much|many|long|often|
exactly|else|about|if|do|does|did|is|are|was|were|would|should|can|could|will|has|have|had))+\b
(?! i (like|want|mean|love|think|said|meant|propose|am)\b)(?! said\b)(?! (we|you) (want|need|
do)\b)""",
        "How would that work",
        "What we want is a shorter list.",
    ),
    (
        r"""[,-] ?(right|correct|no|yes|ok|okay|or not|agreed|yeah|eh)[\s.!]*\?$""",
        "So we ship it, right?",
        "Right, we ship it.",
    ),
    (
        r"""\b(can|could) you (see|tell|explain|check) (me )?(why|how|what|if|whether)\b""",
        "Can you see why it fails",
        "You can see the log.",
    ),
)
_REPORTS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(?!(i|we|it|this|that|what|there|here|you|all|both|which|well|nobody|
everyone|
everybody|so|strongly|also|not|just|as)\b)(@?\w+|the \w+( \w+)?|some( \w+)?|people|folks|they|he|
she)( (also|just|has|have|had|once|
originally|really|strongly|previously|recently|explicitly|already|first))* <says>\b(?! (to|
by) me\b)""",
        "Carl proposed to drop it.",
        "I proposed to drop it.",
    ),
    (
        r"""\b(?!(?<=@)\d+'s? (\w+ ){1,3}is <very>(too|wrong|right|correct|mistaken|flawed|not|
<good>|
<bad>)\b)(the |his |her |their |latest |original |current |existing |\w+'s )+(proposal|idea|
suggestion|plan|rfc|text|doc|document|author|comment|issue|argument|position|thread)
(is|was|says|said|proposes|proposed|suggests|suggested|mentions|wants|states|argues|asks)\b""",
        "The latest idea is a keyword.",
        "The idea sounds good.",
    ),
    (
        r"""\b(according to|in the words of|to quote|quoting)\b""",
        "According to Eve, we agreed.",
        "Eve accords with it.",
    ),
    (
        r"""^(<opening>)*(some(one|body|body else)?|others?|many|people|they|he|she)
(had |has |have |also |might |may )*(raised|expressed|voiced|had|has|have|brought up|
filed) (an? |some |the |concerns?|objections?|doubts?)""",
        "They raised a concern about cost.",
        "I raised a concern about cost.",
    ),
    (
        r"""^(<opening>)*(over )?(in|on|at) ((the|my) (?!(whole|entire|full|same|new|other)\b)\w+
 (team|department|office|squad|guild|branch)|(my|our) (last|previous|old|former|other) (job|company|
employer|workplace|school|team))\b,? (we|they|people)\b|
^(<opening>)*i (have |just |only )*(heard|hear|am told|was told) (that )?(the|they|we|he|she|our|
some|\w+'s)\b""",
        "On the mobile team we agreed to wait.",
        "On the first day we agreed to wait.",
    ),
)
_CITES: tuple[Row, ...] = (
    (
        r"""\b(as|like|since|because|given( that)?|when|after|before|once|although|though|what|
which|whatever|whether|how|why|where|whose|than|until|remember( that| when)?|recall( that)?|
thought( that)?|think|believe|sure|know|knew|said|mentioned|(?<!so )that|know that)
(we|you( all)?|they|the (team|group))( have| had| already| just| all| previously| once| ever)*
 (decided|agreed|concluded|settled|chose|resolved|discussed|said)\b""",
        "As we decided earlier, the cache stays.",
        "So we decided that the cache stays.",
    ),
    (
        r"""\b(have|had|did|do|has|are|were)( not)? (we|you|they|the (team|group)|everyone|
anyone)( all| ever| already| actually|
 really| just)* (decided?|agreed?|conclude|concluded|settled?|reach|reached|come to)\b""",
        "Have we decided on naming?",
        "We have decided on naming.",
    ),
    (
        r"""^(<opening>)*(as|like|per|following|given|based on|in line with|according to|despite|
under|
contrary to) ((was |previously |already |earlier |just )*(agreed|decided|discussed|concluded)|
(our|the|that|your|an?|last|earlier|yesterday's) (\w+ ){0,3}(decision|agreement|consensus|
conclusion|
resolution))\b""",
        "Per our decision, the cache stays.",
        "Our decision is that the cache stays.",
    ),
    (
        r"""^(<opening>)*((just |quick |friendly |as |an? )*reminder|(just )?to remind)\b""",
        "Reminder: we decided on linting.",
        "We decided on a reminder.",
    ),
    (
        r"""\b(the|that|this|our|an?|any|earlier|previous|past|last|old|original) (\w+ )?(decision|
agreement|consensus|conclusion|resolution) (we|that we|you|they|that they|from|of (last|the last|
\w+day)|
made|taken|reached (in|on|at|last)|was made|still (stands|holds)|about|on)\b""",
        "The decision from March still stands.",
        "The decision is to wait.",
    ),
    (
        r"""\b(we|they|you) (have |had )?(already|previously|once|originally|long ago|had)
(\w+ )?(decided|agreed|concluded|settled)\b""",
        "We had already agreed on that.",
        "We now agreed on that.",
    ),
)
_TAKES_BACK: tuple[Row, ...] = (
    (
        r"""\b(scratch|strike|belay|undo|forget|ignore|disregard|scrap|cancel) (that|this|it|
what i (just )?said|my (last|previous|earlier)( \w+)?|the (above|last|
previous)( \w+)?)\b(?! \w+ (is|was))""",
        "Scratch that, we use Postgres.",
        "Do you want to scratch the surface?",
    ),
    (r"""^(<opening>)*never ?mind\b|\bnvm\b""", "Never mind.", "I never mind waiting."),
    (
        r"""\bon second thoughts?\b|\b(i|we) (have |just )*changed (my|our) minds?\b|
\bi (take|took) (it|that|this|my \w+) back\b|\bi (withdraw|retract)\b|\bi was wrong\b|
^(no )?wait,? (no|actually)\b|^actually,? (no|never ?mind)\b""",
        "On second thought, keep the file.",
        "That was my second thought too.",
    ),
)
_PAST: tuple[Row, ...] = (
    (
        r"""\b(last (year|month|week|time|meeting|summer|spring|fall|autumn|winter|night|quarter|
sprint|release|(mon|tues|wednes|thurs|fri|satur|sun)day|
january|february|march|april|may|june|july|august|september|october|november|december))\b""",
        "We closed that one last year.",
        "This is the last one.",
    ),
    (
        r"""\b(previously|earlier|yesterday(?!'s)|ago|back (then|in|when)|originally|at the time|
used to|
historically|in the past|the other day|once upon|some time back|in the (old|early) days|pre-\S+|
a while back|at that (time|point)|when we (first|last|originally))\b(?! version)""",
        "We decided that two months ago.",
        "We decide that now.",
    ),
    (
        r"""(?<!\bis )(?<!\bare )(?<!\bbe )\b\w+ed ((?!to\b)\w+ ){0,4}in (january|february|
march|april|may|june|july|august|september|october|november|december|\d{4})\b""",
        "We decided in May that it stays.",
        "We decided to launch in May.",
    ),
    (
        r"""^(<opening>)*(back )?in (january|february|march|april|may|june|july|august|september|
october|november|december|\d{4}),? (we|i|they|you|the \w+) ((?!to\b)\w+ ){0,2}(\w+ed|chose|had|
went|kept|took|said|thought|made|were)\b""",
        "In May we agreed on Jenkins.",
        "In May we drop Jenkins.",
    ),
    (
        r"""\bhad (already |just |all |not )*(agreed|decided|concluded|settled|discussed|planned|
said|talked|proposed)\b|\b(already|once) (agreed|decided|concluded|closed|merged|settled|
done)\b|\b(agreed|decided|settled)( (it|that|this))? already\b""",
        "We had decided to wait.",
        "We have decided to wait.",
    ),
)
_SUPPOSES: tuple[Row, ...] = (
    (
        r"""\b(if|unless|whether|suppose|supposing|assuming|imagine|in case|provided that|what if|
as long as|hypothetically|in theory|theoretically|were (we|i) to|should we ever|would have)\b""",
        "If we agree, tell Eve.",
        "We agree, so tell Eve.",
    ),
)
_DENIES: tuple[Row, ...] = (
    (
        r"""\b(not|never|no|hardly|nobody|neither|nor|none|nothing|without|against)\b""",
        "We do not agree.",
        "We do agree on notes.",
    ),
)
_TELLS: tuple[Row, ...] = (
    (
        r"""\b(according to|in the words of|to quote|quote)\b|
(?<!what )(?<!everything )(?<!all )(?<!word )(?<![\w@])(@\d+|he|she|they|
you|some|
someone|somebody|people|everyone|everybody|nobody|many|others) ((also|still|always|once|just|has|
have|had|would|will|may|might|do|does|did|not) )*(say|says|said|saying|tell|tells|told|think|thinks|
thought|claim|claims|claimed|believe|believes|believed|argue|argues|argued|prefer|prefers|
preferred|assume|assumes|assumed|feel|feels|felt|noticed|notices|found|insists?|insisted|suggests?|
suggested|wrote|writes)\b""",
        "It stays, as @0 said.",
        "It stays, as I said.",
    ),
)
_GUESSES: tuple[Row, ...] = (
    (
        r"""\bi (think|guess|believe|suppose|suspect|assume)\b|\b(maybe|perhaps|probably|possibly|
presumably|apparently|it seems|likely|might|could be|not sure)\b|
^((i|we) (am|are) (still )?)?(unsure|uncertain|undecided)\b""",
        "Maybe the cache is cold.",
        "The cache is cold.",
    ),
    (
        # what nobody who knows it has said
        r"""\b(some(one|body)|people|folks|an? (?!(contract|law|lawyer|customer|client|vendor|
supplier|spec|letter|inspector|judge)\b)\w+|my (neighbou?r|friend|cousin|uncle|brother|sister|
mother|father|dad|mum|barber)|(the|an?) (rumou?rs?|gossip)|rumou?r)
((in|on|at|from|over) (\S+ ){1,3}|in \S+ |here |there |else )?((once|also|just|even) )*
(said|says|told (me|us)|claims?|claimed|wrote|mentioned|swears|swore|has it|believes?)\b|
\bi( have)? (read|heard|saw|seen) ((it )?(somewhere|on (the internet|twitter|reddit)|online|
in (a|some) \w+( post)?)( that)?|a rumou?r)\b|
\bi( have)? (read|heard) that\b|\b(supposedly|allegedly|reportedly|word is|rumou?r has
it)\b""",
        "Someone on the forum said the cache is cold.",
        "The contract says that the cache is cold.",
    ),
)
# Statements that something would be welcome, which are no proposals.
_WISHES: tuple[Row, ...] = (
    (
        r"""\b(would|could|might|will) be (\w+ )?(nice|lovely|great|cool|neat|useful|awesome|sweet|
interesting|handy|ideal|amazing)\b(?! (solution|compromise|way|approach))""",
        "It'd be nice to have that.",
        "It is nice to have that.",
    ),
    (
        r"""\bi wish\b|\bhopefully\b|\bi hope\b""",
        "I wish builds were faster.",
        "Builds should be faster, as people wish.",
    ),
)

GUARDS = {
    "asks": PhraseTable(_ASKS, CLASSES),
    "reports": PhraseTable(_REPORTS, CLASSES),
    "cites": PhraseTable(_CITES, CLASSES),
    "takes_back": PhraseTable(_TAKES_BACK, CLASSES),
    "past": PhraseTable(_PAST, CLASSES),
    "supposes": PhraseTable(_SUPPOSES, CLASSES),
    "denies": PhraseTable(_DENIES, CLASSES),
    "wishes": PhraseTable(_WISHES, CLASSES),
    "tells": PhraseTable(_TELLS, CLASSES),
    "guesses": PhraseTable(_GUESSES, CLASSES),
}

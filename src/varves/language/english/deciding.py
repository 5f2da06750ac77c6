"""English phrases by which people decide, close a matter, sum up or accept a task.

Each row is a pattern, a sentence that it matches, and a near miss, which it must not match.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

# Explicit statements that a group has decided.
_ANNOUNCES: tuple[Row, ...] = (
    (
        r"""\b(we|everyone|everybody|all of us|us|they all)( have| just| now| all| seem to|
 seems to|
 clearly| then| finally| both| also| hereby| therefore)* (agreed|decided|concluded|settled|
resolved|chose|opted|voted)\b
( (on|to|that|upon|not|here|it|then|we|against|for|in favou?r|unanimously|with|by)\b| ?[:,]|
[.!]*$)""",
        "We decided against Redis.",
        "They decided to leave early.",
    ),
    (
        r"""\bwe (are|seem to be|seem|all) (all |now |clearly |pretty much )*(agreed?|settled|
decided|in agreement|
on the same page|aligned|good to go|set)\b( (on|to|that|then|about|with|here|for)\b| ?[:,]|
[.!]*$)""",
        "So we are all agreed on that.",
        "We are decided folk.",
    ),
    (
        r"""^(<opening>)*(agreed( to\b| (then|now) ?:|:)|(decided|settled|concluded|
resolved)( (to|on|that|against|not)\b| (then|now) ?:|:))""",
        "Decided to keep both.",
        "Agreed on that point.",
    ),
    (
        r"""^(<opening>)*it is (decided|settled|agreed)( then| now)? ?[:,] ?(?=\w+ \w)""",
        "It's decided then, refunds take five days.",
        "It is decided by the board.",
    ),
    (
        r"""\b(final|our|the|official) (final )?(decision|verdict|resolution) (is (to (?!be\b)|
that\b)|
: )|^(<opening>)*(the )?(rough |final |general |overall )?(decision|decided|consensus|conclusion|
resolution|resolved|agreement|agreed|verdict)s? ?(:|is (to (?!be\b)|that\b))""",
        "Decision: the cache stays.",
        "The decision is hard.",
    ),
    (
        r"""\b(the team|the party|the group)( has| have)?( now| just| all| finally)* (decided|
agreed|
resolved|settled|voted) (on|to|that|not|against|for)\b""",
        "The team has agreed to ship.",
        "The team has agreed.",
    ),
    (
        r"""^(<opening>)*(it is|that is) (now |hereby |all )?(decided|settled|agreed)( that\b|
 ?[:,])""",
        "So it is settled: the cache stays.",
        "It is settled sediment.",
    ),
    (
        r"""^(<opening>)*we are (now |all |then |not )*(going with|sticking with|settling on|
switching to|adopting|dropping)\b""",
        "OK, we're going with Postgres.",
        "We are going home with Postgres.",
    ),
    (
        r"""^(<opening>)*(the |our )?(final |rough )?(decision|consensus|agreement|verdict|
conclusion) (on|about|regarding|for) (?!whether\b)(\S+ ){0,4}?\S+ ?: ?(?=\w)""",
        "Decision on the hall: we rent it.",
        "The decision on the hall was hard.",
    ),
    (
        r"""^(<opening>)*we (have |just |all |both )*changed our minds? ?(:|,? and|-|,) ?
(?=we \w)""",
        "We changed our mind: we keep the boat.",
        "We changed our mind about the boat.",
    ),
    (
        r"""^(<opening>)*(the |our |my )?(final|last) (call|decision|answer|verdict|word|ruling) ?(
:|-|\u2014|is that\b) ?(?=\w+ \w|\w+[.!]*$)|
^(<opening>)*(the |our |my )?(decision|consensus|conclusion|verdict|agreement) ?(-|\u2014) ?
(?=\w+ \w|\w+[.!]*$)|
^(<opening>)*(it is |that is )?(my|our) call ?[:,] ?(?=\w+ \w)""",
        "Final call: the small boat.",
        "The final call is at noon.",
    ),
    (
        r"""^(<opening>)*(the|our) ((final|joint|group's|team's|party's|common) )?(decision|
consensus|verdict|final (call|answer)) is (now |then |therefore |clear: )*(?!(now |still |not |
also |just |only |probably |likely |almost |really |very |quite |too |so )*((an?|the) )?(\w+ly )?(
yours|ours|mine|spoken|given|written|known|done|gone|\w+ed|theirs|his|hers|@\d+|up|on|in|at|by|
with|for|about|between|under|over|based|due|open|pending|final|made|taken|out|off|near|coming|going|being|overdue|binding|reversible|irreversible|unanimous|
unanimously|whether|when|how|why|who|whom|what|where|which|if|it|this|that|there|one|easy|simple|
tough|important|urgent|obvious|wrong|mess|mistake|disaster|joke|relief|problem|matter|question|
compromise|first|last|next|same|only|other|worst|hardest|easiest|<good>|<bad>|\w+ing\b|to be)\b)
(?=\w)|
^(<opening>)*(our|the whole) (team|group|party|crew)( has| have)?( now| just| all| finally)* (
decided|agreed|resolved|settled|voted) (on|to|that|not|against|for)\b""",
        "The decision is a smaller boat.",
        "The decision is a hard one.",
    ),
)
_DECIDES: tuple[Row, ...] = (
    *_ANNOUNCES,
    (r"\[(decision|consensus)\]", "[DECISION] we ship", "The decision tag is in brackets."),
    (
        r"""\bconsensus (is|reached|seems( to be)?|was reached|here|on|to|that|for)\b|
\b(have|has|got|reached|is|sounds like|seems like|looks like) (a |some |clear |rough |general |
full |pretty )*(consensus|agreement)\b(?! (yet|on whether))""",
        "Sounds like consensus to wait.",
        "Nobody wants a consensus model.",
    ),
    (
        r"""\b(final|our|the|official) (final )?(decision|call|verdict|conclusion|
resolution|outcome) (is|:|stands|will be)|\bfinal (decision|answer)\b""",
        "Our decision is to wait.",
        "The decision was hard.",
    ),
    (
        r"""^(<opening>)*(the )?(rough |final |general |overall )?(conclusion|consensus|decision|
resolution|outcome|resolved|verdict|
action items?|actions?|ai|final decision|final answer|result|next steps?|plan|agreement|agreed|
motion carried|todo for \w+)s? ?(:|is (to|that|we)\b|- |=>|->)""",
        "Resolution: close the issue.",
        "The plan was different.",
    ),
    (
        r"""^(<opening>)*<closing>(?! <no_object>\b)
( (it|this|that|the|these|those|them|now|as|an?|with|ahead|for|
until|
out|to|in|my|our|both|all|\w+)\b|[.!,]*$)(?! (is|was|would|seems|sounds|feels|might|could|should|
are|
will|makes|may|does|has|can)\b)(?!.*\b(is|was|would|seems|sounds|feels|might|could|should|makes|
may|does|
means|requires)\b)""",
        "Ok, closing this.",
        "Closing this would be a mistake.",
    ),
    (
        r"""\b(i am|we are) (now |just |hereby |going to be |then |also |all )*<closing>\b
(?! the (case|door on))""",
        "I'm starting the vote now.",
        "I am close to an answer.",
    ),
    (
        r"""\bi (will|am going to|shall|am about to)( now| just| go ahead and| then| also| go and)*
 <formal>\b""",
        "I'll close this one.",
        "I will never close a door.",
    ),
    (
        r"""\b(i|we)( have)? (just |now |hereby |already |gone ahead and |went ahead and )+(closed|
merged|opened|filed|started|posted|proposed|nominated|marked|approved|assigned|tagged|accepted|
scheduled|cancelled|canceled|kicked off|rejected|postponed|signed off|checked (my|the) box)\b""",
        "I just started the vote.",
        "I started the car.",
    ),
    (
        r"""^(<opening>)*(we|let us) (will |are going to |shall |just |then |all |now )*<close>\b.*
(\bthen|\bfor now|\bfor the time being|\band (look|revisit|come|we|i|see|\w+ (will|
writes|takes)))
\b""",
        "So we go with 30 days and look again in June.",
        "We do that every week.",
    ),
    (
        r"""^(ok|okay|alright|all right|so|great|cool|right|then|fine|good|perfect|excellent|
awesome|
nice|in that case|yes|yeah|yep|sure|sounds good|agreed|sgtm|sg|well then)\b[,.!:;]*
(then |so |yes |yeah |now |and |in that case,? )*(let us|we (will|go|are going to|shall|just|can)|
(shall|should) be) <very>(?!<onward>)(?!do (it|that|this)\b)<close>\b""",
        "Okay, let's go for the small one.",
        "Then let's begin.",
    ),
    (
        r"""^(<opening>)+we <very>go (ahead )?(with|for)\b(?!.*\b(every|always|usually|often)\b)""",
        "Then we go with the small one.",
        "Then we go home with the small one.",
    ),
    (
        r"""\bwe (will|are going to|shall) <very>(?!<onward>)(?!<later>)<close>\b
(?! (need|see|get|have to|able)\b)
(?!.*\b(or|unless)\b)""",
        "We will keep the old name.",
        "We will come back to this in the autumn.",
    ),
    (
        r"""\b(sounds|seems|looks|feels)( \w+)? (like|as if|as though) (we (are (all )?(doing|
going|agreed|
on|happy|good|in|set|settled|using|keeping|leaving)|have (a|an|consensus|agreement|our|
decided|settled)|agree|all agree|will|want|can (close|merge|move|start|go))|everyone|
(the )?(consensus|decision|answer|plan|winner|conclusion))\b""",
        "Sounds like we're doing the small one.",
        "It sounds like rain.",
    ),
    (
        r"""\b(it is|that is|that settles|this is|consider (it|this)|call (it|this|that)) (settled|
decided|done|it then|approved|resolved|a deal|agreed)\b|^(settled|decided|sold|resolved|approved|
adopted|accepted|carried|deal|(the |this )?motion (is |has |was |has been )?(carries|passes|carried|
passed|adopted|defeated|rejected)|so (decided|moved|ordered)|
case closed|done and done|passed)[.!,:]*($| )|\bthat settles it\b|\bgoing (once|twice)\b""",
        "That settles it.",
        "That settles nothing.",
    ),
    (
        r"""^(<opening>)*((?!(what|how|where|who|which|that|as|because|since|than|i|mean|there|
here|yes|yeah|
sure|so|well|now|just|whatever|it|is|you|and|but|or|if|why|think|know|one|words|guess|believe|
sure)\b)\S+ ){1,4}it is( then)?[.!]*$""",
        "Postgres it is.",
        "I do not know what it is called.",
    ),
    (
        r"""\blet us (just |all |then |go ahead and )*(go with|call it|agree (on|to|that)|
settle (on|for)|
stick (with|to)|proceed with|leave it (at that|there)|make it (so|official|happen)|
plan (on|to)|move (ahead|forward) with)\b""",
        "Let's go with the small one.",
        "Let's go home.",
    ),
    (
        r"""^(<opening>)*(action( item)?s?:? |ai:? |todo:? |-> ?)?(?!(how|what|where|when|who|
easy|hard|nice|want|need|have|used|going|able|like|similar|due|up|as|is|was|something|nothing|it|
this|that|trying|happy|similarly|relative|back|related|compared|want|love|reason|way|better|best|
good|thanks|good|not|just|happy|glad|willing|ready|free|possible|important|next|first|time|plan|
best|proposal|inclined|tempted|tempting|opposed|supposed|nice|great|fine)\b)\w+ to (<task>|
<formal>)\b""",
        "Action: Josh to write the summary.",
        "Happy to write the summary.",
    ),
    (
        r"""\bi (will|can|could) take (the|an|that|this|on) (action|task|item|todo)\b|\bassign(ed|
ing)? (this |it |that )?to (me|\w+)[.!]*$|\b(i|we) hereby\b|
\bi (call|declare) (it|this|that)\b|\bmoving (this|it) to\b""",
        "Assigned to Josh.",
        "I assign numbers.",
    ),
    (
        r"""^(?!(yes|yeah|yep|yup|sure)\b)(<opening>)*let us (just |go ahead and |then |all )*(do|
<formal>) (it|this|that|these)[.!]*$""",
        "Let's do it.",
        "Yes, let's do it.",
    ),
    (
        r"""^(<opening>)*<count>( votes?| people| members| of us)? (for|in favou?r)
( of (it|this|that))?,?
( and| to| with)? <count>( votes?)? (against|opposed)\b[^:]{0,30}: ?\w""",
        "Four for, one against: the fee goes up.",
        "Four are for it, one is against it.",
    ),
    (
        r"""^(<opening>)*the (vote|result)( of the vote)? (is|was|came out|went) <count>
(to|for|-) ?<count>\b""",
        "The vote was five to two: the hall stays white.",
        "The vote was short.",
    ),
    (
        r"""^(<opening>)*(after \w[\w ]{2,40}?,? )?(the|our) <body>
( has| have)?( now| just| all| finally| today)* (
voted (<count> ?(to|-|against) ?<count> |unanimously |by a large majority )*(to|for|against|
in favou?r|that)|approved|adopted|rejected|turned down|passed|granted|signed off|decided|
agreed|resolved) (?!with\b)\w""",
        "The committee voted 7 to 2 to raise the fee.",
        "The committee votes on it in June.",
    ),
    (
        r"""\blet us\b.*\b(next (week|time|meeting|month|sprint|\w+day)|offline|async|after (this|
the) meeting|in a follow-?up|for now)\b""",
        "Let's discuss it next week.",
        "We talked about it last week.",
    ),
    (
        r"""\bwe are (all |both |then )*(fine|happy|ok|okay|good|comfortable|in favou?r|on board|
leaning towards?) (with|to|of)\b(?! (note|hear|see|announce)\b)""",
        "We're all fine with waiting.",
        "We are happy to announce it.",
    ),
    (
        r"""^(<opening>)*(nominated|filed|opened|closed|merged|approved|assigned|checked|
started|scheduled)( (it|this|that|the|an?|my|for|to|as)\b|[.!]*$)(?! (is|was)\b)""",
        "Filed an issue for it.",
        "The issue was filed.",
    ),
)
# Volunteering for a task. If someone asked for it, this settles who does it.
_TAKES_ON: tuple[Row, ...] = (
    (
        r"""\bi (will|can|could|shall|am going to|am happy to|am glad to|would be up to|
would be willing to|am up to)( also| just|
 happily|
 gladly| definitely| certainly| try to| go ahead and| then| totally| probably| at least|
 be happy to|
 be glad to| try and)* <task>\b(?! (it )?(some ?day|eventually|one day)\b)(?! (that|it) (is|was|
would)\b)""",
        "I'll write it up.",
        "I might write it up.",
    ),
    (
        r"""(\b(i am|i would be|very|more than)|^(<opening>)*) ?(happy|glad|willing|delighted) to
(help|be |<task>)(?! it (if|done))""",
        "Happy to write it up.",
        "I am happy that it is written.",
    ),
    (
        r"""\bi (would|will|can|could|am going to)( want to| like to| love to| be happy to|
 gladly)*
 be (the |an? )?<role>\b""",
        "I'd like to be the liaison.",
        "I would like to see an owner.",
    ),
    (
        r"""\bi (will|can|could) (do|take|handle|own|try|have|get) (it|that|this|one|care|both|
them|an action|
the action|on|to)\b|\bi volunteer\b|
\bleave (it|that|this) (to|with) me\b|\bi have got (it|this|that)\b|\bput me down\b|\bsign me up\b|
\bi will be (the one|responsible)\b|
\bi (will|can|could) take (the|an|that|this) (action|task|item|todo)\b""",
        "Leave it to me.",
        "Leave it with the old name.",
    ),
    (
        r"""^(sure|yes|yeah|ok|okay|yep|yup|absolutely|definitely|of course)[,.!]*
(i will|i can|happy to|i would (like|love|be|want)|willing)\b(?! (do|try)[.!]*$)|
^(<opening>)*doing (it|that|so)( now)?[.!]*$""",
        "Sure, I can.",
        "Sure, will do.",
    ),
    (
        r"""^(<opening>)*(will|gonna|going to|can) (?!(do|try)[.!]*$)<task>\b(?! we\b)""",
        "Will post a summary.",
        "Will it post a summary?",
    ),
    (
        r"""^(<opening>)*i will (also |just |then |happily |gladly |definitely |certainly |
probably )*(?!(be|have|not|never|say|admit|note|see|need|probably|also|just|then|definitely|
happily|gladly|certainly|concede|grant|bet|miss|love|like|hate|regret|remember|forget|think|believe|
hope|know|feel|trust|live|die|cry|wait|watch|worry|enjoy|prefer|want|understand|agree|disagree|
support|oppose|only|still|always|sleep|rest|leave|go|come|stay|pass|skip|lose|get used)\b)\w+""",
        "I'll reword the page.",
        "I will be away.",
    ),
    (
        r"""^(ok,? |okay,? |right,? |and )*so,? we (should|are going to|are (just |then )?\w+ing)\b
(?! (be able|know|see)\b)""",
        "So we should write a note.",
        "So we are late.",
    ),
    (
        r"""^(ok|okay|alright|all right|great|good|fine|perfect|right|agreed|excellent|cool|deal|
sure|yes)[,.!:]* (so|then|so then|and so)[, ]+we (?!<onward>)(?!<later>)(?!<state>)
(?!\w+ed\b)\w+ (?!to\b)
(?!.*\b(every|each|always|usually|often|break|pause)\b)""",
        "Good, so we freeze the schema tomorrow.",
        "Good, so we know the schema.",
    ),
    (
        r"""^(<opening>)*we (will not|are not going to) <very>(?!<later>)
(?!make it\b)(<close>|<task>)\b
(?!.*\b(if|unless|or)\b)|
^(<opening>)*we (will not|are not going to) <very>(?!<state>)(?!be\b|make it\b)\w+ .*\b(for now|
for the time being|this (year|season|month|quarter|summer|winter|spring|autumn|time|release))\b|
^(<opening>)*we are not \w+ing\b.*\b(for now|for the time being|we (will )?(look|come back|
revisit|talk))\b""",
        "We won't delete the job for now.",
        "We won't make it today.",
    ),
    (
        r"""\bi (am|would be) (game|up for (it|this|that)|down for (it|that|this))\b""",
        "I'm up for it.",
        "I am up early.",
    ),
)
# What is wished, left to others or left open.
_UNSETTLED: tuple[Row, ...] = (
    (
        r"""\b(final|our|the) (decision|answer|call)( is| will be| remains| lies| rests) (still )?(
up to|with|for|open|pending|due|not|yours|theirs|his|hers|(made|taken) by)\b|
\b(final|our|the) (decision|answer|call) (still )?pending\b""",
        "The final decision is up to the board.",
        "The final decision is to wait.",
    ),
    (
        r"""\bwe( have)?( all)? (agreed|decided) to (disagree|differ)\b""",
        "We agreed to disagree.",
        "We agreed to wait.",
    ),
    (
        r"""\b((i|we) (wish|hope)( that)?|if only) we( have| had| would)?( already| finally)?
 (agreed|decided|concluded|settled)\b""",
        "I wish we decided faster.",
        "We decided as they wish.",
    ),
)
# Words by which a group only weighs an idea.
_WEIGHS: tuple[Row, ...] = (
    (
        r"""\b(let us|we (will|should|could|can|are going to|shall)) <very><weigh>\b""",
        "Let's consider a smaller boat next spring.",
        "Let's go with a smaller boat next spring.",
    ),
)
# Taking on a task for the whole group.
_TOGETHER: tuple[Row, ...] = ((r"\bwe\b", "So we freeze the schema.", "I will freeze it."),)

# The heading of an outcome; the text after the heading is not a proposal.
_SUMS_UP: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(the )?(rough |final |general |overall )?(conclusion|consensus|decision|
resolution|outcome|resolved|verdict)s? ?:""",
        "Rough consensus: wait one release.",
        "The consensus is not clear.",
    ),
)
# The answer of somebody who was asked to do a task.
_ACCEPTS: tuple[Row, ...] = (
    (
        r"""(yes|yeah|yep|yup|sure|ok|okay|absolutely|definitely|of course|certainly|gladly|
with pleasure)\b[,.!]*( |$)(?!(but|if|though)\b)(?!.*\b(done|sent|(can|will) do)\b)
(?!(just |already |have |i have |i )*\w+ed\b)(?!here (it|you|is|are)\b)""",
        "Yep.",
        "Yes but I am away.",
    ),
)
# The answer "no" to a question whether something was done; a promise after it settles nothing.
_ANSWERS_NO: tuple[Row, ...] = (
    (
        r"""^(not (yet|really|quite|so far)|no|nope|nah|almost|nearly)\b ?[,.;:]""",
        "Not yet, I'll do it tomorrow.",
        "No plugin is needed, I'll do it.",
    ),
)

# Statements that there is no outcome yet.
_PENDS: tuple[Row, ...] = (
    (
        r"""^(none|nothing|open|pending|postponed|tbd|not yet|no (decision|consensus)|no\W*$)""",
        "None yet.",
        "No more plugins.",
    ),
)
# What was settled or intended earlier, as a contrast to what is settled now.
_SETTLED: tuple[Row, ...] = (
    (
        r"""(?<!when )(?<!after )(?<!once )(?<!before )\b(we|they|i|the \w+|as|like|everyone|it was|
you) (had |have |all |both |originally |first |still |already |once )*(
decided|agreed|concluded|settled|chose|resolved|voted|wanted|planned|picked|approved|rejected|went|thought|intended|said)\b|
\b(decision|agreement|consensus|conclusion|resolution)\b|
^(following|since|given|because|due to|in (the )?light of|based on|despite|considering)\b""",
        "Last week we chose MySQL.",
        "When we chose MySQL.",
    ),
)
# A choice by the speaker alone, or by the speaker together with the person addressed.
_CHOOSES: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(i|we)( have)?( just| now| also)? ((decided|opted|chose|chosen|agreed) (to|
for|
on|that|not|against)|chose|chosen|opted for|went (with|for)|settled on|picked)\b""",
        "I went with a queue.",
        "I went home.",
    ),
    (
        r"""^(<opening>)*(we (will |now |are )?|let us )(use|using|go(ing)? with|adopt(ing)?|
switch(ing)? to|stick(ing)? with)\b""",
        "We'll use Zod for input.",
        "We used Zod.",
    ),
)

ANNOUNCES = PhraseTable(_ANNOUNCES, CLASSES)
SETTLED = PhraseTable(_SETTLED, CLASSES)
PENDS = PhraseTable(_PENDS, CLASSES)
CHOOSES = PhraseTable(_CHOOSES, CLASSES)
SUMS_UP = PhraseTable(_SUMS_UP, CLASSES)
ACCEPTS = PhraseTable(_ACCEPTS, CLASSES)
ANSWERS_NO = PhraseTable(_ANSWERS_NO, CLASSES)
DECIDES = PhraseTable(_DECIDES, CLASSES)
UNSETTLED = PhraseTable(_UNSETTLED, CLASSES)
WEIGHS = PhraseTable(_WEIGHS, CLASSES)
TOGETHER = PhraseTable(_TOGETHER, CLASSES)
TAKES_ON = PhraseTable(_TAKES_ON, CLASSES)

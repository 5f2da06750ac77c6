"""English answers that agree or disagree with what was just said, as a whole or with a reason.

Each row is a pattern, a sentence that it matches, and a near miss. The classes are those of
`relating`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

ANSWERING = {
    # Words that only soften an answer.
    "softly": r"""
(<opening>|no,? |nope,? |sorry,? |but |i am (sorry|afraid),? |that |with (all due )?respect,? |
respectfully,? |frankly,? |hm+,? |well,? |(sorry|well|hm+|look|respectfully),? @\d+,? |
i (think|believe|feel|fear) (that )?)*
""",
    # What was just said, as the object of a verb.
    "it": r"""
((that|this|it|all (of )?(that|this))( (one|idea|plan|view|logic|reasoning|argument|conclusion|
approach|assessment|proposal|suggestion|premise|claim))?|your (\w+ )?<matter>|your (logic|premise|
claim)|the (whole )?(idea|plan|proposal|premise)|what you (just )?(said|say|propose|suggest|wrote))
""",
    "there": r"""
( (there|here|on (that|this|it|both)( (one|point|front))?|about (that|this|it)|in that|with (that|
this|it|you)|a (bit|little)))*
""",
    # What a proposal is said not to be.
    "sound": r"""
((an? |the |such an? |very |really |all that |our )*((right|good|best|great|wise|smart|better|
sensible|sound|safe|fair|clever)
(idea|plan|place|way|approach|call|move|thing|direction|choice|time|order|answer|tool|fit|solution|
question|path|strategy|focus|priority|option|trade-?off|use|step|start|argument|reason|deal|
investment)|right|true|correct|wise|smart|sensible|necessary|needed|fair|safe|realistic|feasible|
practical|justified|enough|the case|worth (it|the \w+)|what we (need|want))\b)
""",
    "mistaken": r"""
(wrong|mistaken|incorrect|backwards|nonsense|overkill|unwise|unfair|unrealistic|premature|
short-?sighted|misguided|a (big |huge |serious |grave )?(mistake|error)|a (really |very )?(bad|
terrible|horrible|awful|poor|dreadful) (idea|plan|move|choice|call|suggestion)|a step back(wards)?|
the wrong (way|approach|call|move|thing|direction|choice|place to start|question|tool|order))
""",
}
AGREEING: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(just |exactly )?(what|like|as) @\d+ (just |already )*(said|says|wrote|
suggests|
suggested|proposes|proposed) ?[.!]*$""",
        "What @0 said.",
        "What @0 said about the lift was funny.",
    ),
    (
        r"""^(<opening>|<fully> )*((that|this|it|all of (that|this)) )?(all )?makes? (<firmly>|
total |perfect |complete |good |a lot of |so much |full )*sense<ends>|^(<opening>|i am |<fully> |
all )*(
on board|in favou?r( of <it>)?|for it|behind (it|that|this))<there><ends>""",
        "That makes total sense to me.",
        "That makes three errors.",
    ),
    (
        r"""^(<opening>|i (think|believe) (that )?)*(<whom>|you|that|this|it) (is|
are) <firmly>(right|
correct|spot on|on point|dead on)<there><ends>|^(<opening>)*(<whom>|you) (have )?(nailed it|
hit the nail on the head|put it well|said it( well| all)?)<ends>""",
        "You're right there.",
        "You're right there in the front row.",
    ),
    (
        r"""^(<opening>)*(i )?could not have (said|put) it (any )?better( myself)?<ends>|
\bi <adverbs>(see|feel|view) (it |that |this )?(exactly |just |much )?(the same|that way|likewise)(
 way)?( too| as well)?<ends>|\bi would (say|do|have said|have done) (exactly )?the same<ends>|
\bi am with you<there><ends>""",
        "I see it the same way.",
        "I see the same way out.",
    ),
    (
        r"""^(<opening>|<fully> |i <adverbs>)*(love|like|buy|support|endorse|back|can get behind|
can support|can accept) <it>(?! (here|there)\b)<ends>|^(<opening>)*(sounds|seems|looks) like a (
good |great |solid )?(plan|idea|deal)<ends>|^(<opening>)*(that is |this is )?(fine|ok|okay|good|
happy|cool|perfect) (by|with|for) (me|us)<ends>""",
        "Fine by me.",
        "Fine with me in the room, it started.",
    ),
    (
        r"""^(<opening>)*(i have |we have )?no objections?( (from|on) (me|us|my side|our side|
here)| to (that|this|it)| at all| whatsoever)*<ends>|^(yes|yeah|yep|ok|okay|sure|right|agreed|sounds
 good|great|good|perfect)[,.!]* let us( (do|try) (that|this|it|so))?<ends>|^(<opening>)*(you have (
my|our) (full )?(support|vote|backing|blessing)|amen to that|same|true that|for sure|quite (right|
so|true)|(too|so|very|how) true|exactly right|(that is )?exactly it|that is it exactly|
my thinking|well (argued|spotted|reasoned)|nicely (put|said)|good thinking|we are of one mind|
i have nothing to add)<ends>""",
        "No objection from me.",
        "Same file as yesterday.",
    ),
)
DISAGREEING: tuple[Row, ...] = (
    (
        r"""^<softly>(<whom>|you|<this>) (is|are|would be|will be|seems?|sounds?|looks?) <firmly>(
like )?<mistaken><there><ends>|^<softly>(<whom>|you) (have )?(got|have|get) <it> <firmly>(wrong|
backwards|the wrong way (round|around))<ends>|^<softly>(bad|terrible|horrible|awful|poor) (idea|
plan|call|move|choice)<ends>|^<softly><this> can not <firmly>be (right|true|correct|
serious)<ends>""",
        "You're wrong there, @0, leasing costs twice as much.",
        "You're wrong here and there in the middle of page two.",
    ),
    (
        r"""^<softly>(i (would |have to |must |will |want to |need to |am going to |<fully> )*|
let me |allow me to )push back(<there>| (on|against) <it>)*<ends>|^<softly>i (<fully> |would |
have to |must |do )*(take issue with|reject|dispute|contest|challenge|question|oppose|object to|
beg to differ on|differ on) <it><ends>""",
        "I have to push back on that.",
        "I have to push back the meeting.",
    ),
    (
        r"""^<softly>(i am <firmly>)?not <firmly>(much of |exactly |such )?((a (big |huge |
great )?fan|keen|
happy|comfortable|thrilled|on board|convinced|persuaded|sold|impressed|in favou?r)( (of|on|about|
with|by) <it>)?|so sure|sure about <it>)<there><ends>""",
        "Not a fan of this.",
        "Not a fan in the server room is working.",
    ),
    (
        r"""^<softly>i (am not <firmly>(sure|convinced|certain|persuaded)|do not <firmly>(think|
believe|feel|see how)|doubt) (that |if |whether |how )?(<this>|we|it) (is|are|would be|will be) (
really |even )?<sound>( (to|for|of|in|at|with|here|now|we|anyone|this|the|our)( \w+){0,4})?<ends>|
^<softly>i (am not <firmly>(sure|convinced|certain)) (that |if |whether |how )?<this> (will |would |
can |could |really |even )*(works?|helps?|scales?|holds?( up)?|makes? sense|adds? up|flies|fly|
solves? (it|that|this|anything|the problem))<ends>""",
        "I'm not sure that's the right place to start.",
        "I'm not sure that's the right file.",
    ),
    (
        r"""^<softly><it> (<fully> |rather |just |kind of )*(misses|ignores|overlooks) (the|my|
our) (
\w+ )?(point|issue|problem|question)<ends>|^<softly>(you|<whom>) (is|are) (<fully> )*(missing|
ignoring|overlooking) (the|my|our|an?|one) (\w+ )?(point|issue|problem|fact|detail)<ends>|
^<softly><it> does not (really )?(convince|persuade) (me|us)<ends>""",
        "That misses the point.",
        "That misses the last train.",
    ),
    (
        r"""^<softly>i (can not|could not|do not|will not|would not) <adverbs>(agree (to|with|on)|
get behind|go along with|sign off on|back|endorse|share|follow|buy|accept|support|recommend|
subscribe to|like) (<it>(?<!\bit)(?<!like that)(?<!like this)|it(?<!like it))<ends>|
^<softly>i would not <adverbs>(do (that|this|it)|say (that|so)|go (that|so) far|put it (that|
this) way|
call it that|bet on (it|that))<ends>""",
        "I can't get behind that.",
        "I wouldn't know.",
    ),
    (
        r"""^(sorry|i am (sorry|afraid)|respectfully|with (all due )?respect|honestly|frankly),? (
but )?(no|i do not)<ends>|^(<opening>)*((hard|strong|firm|big|total|complete|full) disagree|
(<fully> )?disagree with <it>|we (do |still |clearly |simply )*disagree<there>|
on the contrary|(quite|just|exactly) the (opposite|contrary|reverse)|i would (argue|say|
claim) (the (
exact )?(opposite|contrary)|otherwise)|over my dead body|count me out|i (would )?vote (no|against(
<it>| it| that| this)?))<ends>""",
        "Respectfully, no.",
        "I vote on Friday.",
    ),
    (
        r"""^<softly>i (am|remain|stay) <firmly>(sceptical|skeptical|doubtful|unconvinced|dubious|
opposed|against( <it>)?|not (on board|comfortable|happy))( (of|about|to|with) <it>)?<there><ends>|
^<softly>i have (my|some|serious|strong|big|grave|a few|real|major)( \w+)? (doubts|reservations|
objections|misgivings|concerns)( (about|with|on|to) <it>)?<there><ends>|
^<softly>i <adverbs>(\w+ly )?doubt (that|this|it)( very much| strongly| a lot)?<ends>""",
        "I have serious doubts about that.",
        "I have some concerns about the log.",
    ),
)
# Questions that object to what was just said, by naming what speaks against it.
CHALLENGING: tuple[Row, ...] = (
    (
        r"""^(<opening>|but |and |sorry,? )*(have|did) (you|we|<whom>) (also |ever |even |really )*(
considered?|thought? (about|of|through)|think (about|of)|taken? into account|factored? in|
forgotten|forget|accounted? for|looked? at|look at|checked|check|counted|count|included|include)\b
""",
        "Have you considered that leasing costs twice as much?",
        "Have you seen the keys?",
    ),
    (
        r"""^(<opening>|but |and )*((is|are|was|does|do|did|will|would|can|could|should|has|have)
 not \w|(is|are|does|do|will|would|can|could) (that|
this|it|they|we|you|there) not\b|are you (really |quite |so )*(sure|certain)\b|(is|does|would|
will) (that|this|it) (really|actually|even)\b)""",
        "Isn't that more expensive?",
        "Is that the right room?",
    ),
    (
        r"""^(<opening>)*(but|yet|however)\b.*|^(<opening>)*(what (about|if|happens (if|when|
to))|how (would|will|can|could|does|do|should) (that|this|it|we|they) (then )?(\w+ )?(handle|work|
cope|deal|scale|survive|prevent|avoid|fit|pay|help|square)|why (would|should|not)|
who (is going to|will|would|pays?)|where (is|would|does) the|and who)\b""",
        "What about the cost of moving?",
        "What is the cost of moving?",
    ),
)

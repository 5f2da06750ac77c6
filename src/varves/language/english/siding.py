"""English phrases by which a speaker agrees or objects.

Each row is a pattern, a sentence that it matches, and a near miss, which it must not match.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_SUPPORTS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(\w+ ){1,4}(is|are|would be|sounds|works|seems) (<very><good> |out )?
(with|by|for|to) (me|us)[.!]*$""",
        "Six is fine by me.",
        "Six is new to me.",
    ),
    (
        r"""^(<opening>)*(count me in|i am (all )?(in|for)|
(hell|heck|oh|absolutely|definitely|sure,?) yes|yes,? please|by all means|why not|aye|
you have (my|our) (vote|support|blessing)|(it |that )?gets my vote|go ahead)[.!?]*$""",
        "Count me in.",
        "I am in the office.",
    ),
    (
        r"""\bi <very>(vote|would vote|am voting|will vote) <very>(yes|aye|in favou?r|for)\b|
\bi <very>(back|am behind|stand behind|am on the side of) (this|that|it|the|your|his|her|their)\b|
^(<opening>)*(totally |fully |entirely |completely |strongly )*(
in favou?r|for it|pro|behind (it|this|that))[.!]*$""",
        "I vote yes.",
        "I vote no.",
    ),
    (
        r"""^(<opening>)*(strongly |totally |completely |fully |mostly |generally |definitely |
also |
very much |wholeheartedly |strong |hard |\+ )*(agree|agreed|seconded|second (that|this|\w+)|concur|
sg|sgtm|lgtm|
ditto|likewise|same here|same|fair enough|good (point|idea|plan|call|question to ask)|great (idea|
point|
plan|call)|nice idea|love (it|this|that)|works for me|fine (with|by) (me|this|
that|it)|
(ok|okay|good|happy|cool) (with|by|for) (me|us|this|that|it)|me too|yes please|ship it|go for it|
makes (\w+ )?sense|
sounds? <very><good>|seems? <very><good>|looks? <very><good>|feels? <very><good>|
no (strong |further |real |particular )*(objections?|concerns?|complaints?|blockers?|
preference against)|
thumbs up|in favou?r|all for (it|this|that|\w+ing)|supportive|on board|no-brainer|amen|
hear,? hear)\b(?! to (?!me\b|us\b)\w+)""",
        "Sounds good.",
        "Good morning.",
    ),
    (
        r"""(^|\s)(\+ ?1(00*)?|\^|:\+1:|:thumbsup:|\U0001f44d\S*|\U0001f4af)(\s|$|[,.!])|
^this[.!]+$|^\^+""",
        "+1",
        "The sum of 1+1 is 2",
    ),
    (
        r"""\bi <very>(would |will |can |have to |must |tend to |could |am going to )*(agree|
concur|support|second|
approve|endorse|buy (it|that|this|the)|favou?r (this|that|it|the)|am with (you|\w+)|
share (the|that|your|this|\w+'s) (\w+ )?(view|feeling|opinion|concern|sentiment|intuition|
preference))\b(?! (requests?|cases)\b)""",
        "I agree with Zed.",
        "I agreed to meet him.",
    ),
    (
        r"""\bi <very>(like|love|dig|enjoy|appreciate) (this|that|it|the|your|his|her|their|how|
where|having|
both|an?|\w+'s|_|\w+ing)\b""",
        "I like this.",
        "I would like this to end.",
    ),
    (
        r"""\bi would (really )?(love|welcome|support|appreciate|be (very |quite |
perfectly |totally |also )*(happy|
fine|ok|okay|good|in favou?r|supportive|comfortable|on board|for)) ?(that|this|it|with|to (see|
have|do)|of)\b(?! if)""",
        "I'd be fine with that.",
        "I'd like to leave.",
    ),
    (
        r"""\bi (am|feel|remain) <very>(in favou?r|fine|ok|okay|happy(?! to (?!see\b|have\b))|
good with|on board|
sold( on)?|convinced|
inclined to (like|agree|support|say yes|accept|go|be (ok|okay|fine|in favou?r))|supportive|
for (it|this|that|the)|comfortable with|leaning (towards?|yes|positive|in favou?r)|all for|with
(you|that|this|him|her|\w+)|pro|positive|excited|enthusiastic|a (big )?fan|into (it|this|
that))\b(?! (to|that) (be|say|note|hear|see|know)\b)""",
        "I'm fine with that.",
        "I'm happy to be here.",
    ),
    (
        r"""\bi (would |do |still |also |am |personally )*lean(ing)? (towards?|positive|yes|
in favou?r|slightly)\b
(?! (no|not|against|negative)\b)""",
        "I lean towards it.",
        "I lean negative.",
    ),
    (
        r"""\b(<thing>|all|x+|\w+ing|the \w+|_) (all )?(would |does |do |also )*<very>(makes?|
seems?|sounds?|feels?|looks?) <very>
(like )?(a |the )?((lot of |perfect |good |total |perfectly |entirely |a bit of |some )*sense|
<good>)\b
(?! to (?!me\b|us\b)\w+)(?! (if|unless|for \w+ to)\b)""",
        "Waiting seems right to me.",
        "It seems late.",
    ),
    (
        r"""\bi (think|guess|feel|believe|suppose|would say|do think|also think)( that)? (<thing>|
\w+ing|that all|_|\w+)
(is|are|would be|will be|sounds|seems|looks|makes|would make|feels) <very>(an? |the )?<very>(ok|
okay|fine|good|great|reasonable|
right|sensible|better|best|sense|nice|acceptable|useful|worthwhile|worth it|valuable|fair|correct|
important|clear)\b(?! to \w+)(?! (idea|thing|plan|way) to \w+)(?! (if|unless)\b)
(?<!we are good)""",
        "I think that is fine.",
        "I think that is late.",
    ),
    (
        r"""\b(<thing>|_) (is|would be|will be|was) <very>(an? |the )?(\w+ )?(good|great|excellent|
better|nice|reasonable|
fine|sensible|fair|right|best|wonderful|fantastic|smart|clever|lovely|awesome|ideal|perfect|
compelling|convincing) (idea|plan|point|
approach|compromise|suggestion|solution|call|default|way|thing|move|choice|option|direction|
argument|improvement|outcome|
change|step|framing|start|one)\b(?! to (?!me\b|us\b)\w+)|\bgreat idea\b|\b(good|great|fair|
excellent|valid) (point|idea|suggestion|call|argument)\b""",
        "That is a good plan.",
        "That is a long plan.",
    ),
    (
        r"""\bno (strong |real |particular |further |major |big )*(objections?|concerns?|
complaints?|problems? with|
issues? with|qualms|opposition|blockers?|reason not|downsides?|harm)\b""",
        "No objection to starting the vote.",
        "The objection was late.",
    ),
    (
        r"""\b(not|never) (\w+ )?(object|mind|disagree(?! (with \S+ )?more\b)|oppose|opposed|
against|have (any |a |an )?(strong |real |particular )*(objections?|concerns?|problems?|
issues?)|see (any|an?) (problem|issue|harm|downside|reason not|objection))\b|
\bnot (\w+ )?(see|think of|find|have) (any |a |an |much )?(\w+ )?(reason (not|against)|harm|
downsides?|
objections?|problems?|argument against)\b|\bnothing against\b""",
        "I don't disagree.",
        "I don't know.",
    ),
    (
        r"""\b(could|can) not (possibly )?(agree|concur|like it|approve|be (happier|
more (in favou?r|supportive|positive)))( \w+)? (more|enough|strongly enough)\b|
\bcould not be (happier|more in favou?r)\b|
\bcould not have (said|put|phrased) (it|that) better\b|
\b(could|can) not argue with (that|this|it)\b""",
        "I couldn't agree more.",
        "I couldn't agree with it.",
    ),
    (
        r"""\bhard time (\w+ )?(coming up with|finding|thinking of|seeing) (an? |any )?(counter\w*|
\w+ against|reason not|objection)|\b(i )?can not (argue|object|complain)\b|\bhard to (argue|
disagree|object)\b""",
        "I have a hard time finding a reason not to.",
        "I have a hard time waking up.",
    ),
    (
        r"""\b(see|understand|appreciate|get|like|find) the (\w+ )?(argument|case|appeal|value|
point|benefit|motivation|use|utility|need|rationale)
(for|of|in|why|to|behind|compelling|convincing|persuasive)\b""",
        "I see the appeal of waiting.",
        "I see the argument.",
    ),
    (
        r"""\b(you|@?\w+) (is|are) (\w+ )?right\b(?=.*\b(should|we|that|about|to)\b|
[.!]*$)(?<!that is right)(?<!it is right)|
^(<opening>)*(as|like|what) @?\w+ (said|says|wrote|pointed out|mentioned|suggested|proposed|
is saying)\b(?<!as i said)|
\b(agree|agreed|agreeing) with\b|\bto (echo|second|add to) @?\w+\b|\bechoing\b""",
        "You are right that we should wait.",
        "Turn right at the door.",
    ),
    (
        r"""\b(convinced|persuaded|won over|swayed|sold) (me|by|on|that)\b|\blet us do (it|that|
this|so)\b|
\bi (can|could) (live with|get behind|be convinced|accept|support|get on board)\b|
\bsounds like a (plan|deal|good|great|reasonable)\b|\bthat works\b(?! (by|on|because))|
\bworks for (me|us)\b""",
        "Let's do it.",
        "Let's do the dishes.",
    ),
    (
        r"""\bi (do |also |definitely |can |really )*see (the |some |a lot of |much |real )?(value|
merit|benefits?|appeal|advantages?) (in|of|to|for)\b|\b(there are|there is|i see) (\w+ )?(benefits?|
value|merit|advantages?) (to|in|of)\b|\bi am coming around to\b""",
        "I do see value in a second reviewer.",
        "I see the values in the log.",
    ),
    (
        r"""\bi (think|feel|guess|believe|feel like|would say)\b.*\b(it is|it would be) <very>(ok|
okay|fine|useful|good|reasonable|nice|worth|valuable|sensible|right) to\b""",
        "I think it's ok to move forward.",
        "Is it ok to move forward?",
    ),
    (
        r"""\bi also (\w+ )?(think|feel|believe|prefer|want|like|would|lean|support|favou?r|see)\b|
\bi would (also|too)\b|\bi think so( too)?\b|\bmy (thoughts?|feelings?|view|preference) (too|
as well|exactly)\b|\bexactly my\b""",
        "I also think we should wait.",
        "I also have a dog.",
    ),
    (
        r"""\bi (also |do |too )*find (\w+ ){1,6}(compelling|convincing|persuasive|appealing|
attractive|reasonable|useful|nice|elegant|helpful|natural)\b""",
        "I find the argument convincing.",
        "I find it late.",
    ),
)
# Words that take a decision as it is, without agreeing to it.
_RESIGNS: tuple[Row, ...] = (
    (
        r"""\bif (we|you|they|i) (must|have to|insist|say so|really (must|have to|want)|like|want
( to)?|think so)\b|^(<opening>)*((if|as) you (wish|like|say|want)|so be it|whatever\b.{0,20}|
have it your way|your (call|choice|decision)|noted|duly noted|understood|got it|acknowledged|
message received|i (hear|heard) you|i give (in|up)|(no choice|nothing to be done|it is what it is)|
i (can|will|would) (live with|tolerate|put up with|swallow) (it|that|this) (if|as long as|for now)
\b.*)[.!]*$|\bi (will|would) not (stand|be|get) in (the|your) way\b|\bi (will|would) not
 (block|fight|argue)\b|\b(grudgingly|reluctantly|under protest|against my (advice|will))\b""",
        "OK, if we must.",
        "OK, we must.",
    ),
)
# Words that take part in a vote or a debate, whatever they are about.
_TAKES_PART: tuple[Row, ...] = (
    (
        r"""\b(agree\w*|disagree\w*|concur|objections?|object to|oppose\w*|
support (it|this|that|the|your)|second (it|this|that)|favou?r|against|approve|endorse|veto|
lgtm|sgtm|convinced|persuaded|over my|votes?|blessing|on board|
skeptical|sceptical|i doubt|proposal|suggestion)\b|
\+ ?1|(^|\s)-1(\s|$)""",
        "I agree with the note.",
        "I love this song.",
    ),
)
# Pronouns that stand for what was said before.
_POINTS_BACK: tuple[Row, ...] = (
    (
        r"""\b(it|they|them)\b|\b(this|that|these|those|which)\b
(?=[,.;:!?]*$|[,.;:!?]| (is|are|was|were|be|would|will|could|can|might|may|should|must|does|do|did|
has|have|had|not|seems?|sounds?|looks?|makes?|works?|feels?|helps?|breaks?|means?|needs?|costs?|
requires?|leads?|gives?|adds?|as|for|to|in|at|on|with|much|idea|plan|proposal|approach|option|
suggestion|solution|change|way|one|compromise|direction|path|kind|sort)\b)""",
        "That breaks the build.",
        "I love that song.",
    ),
)
# Words of somebody who takes no side.
_ABSTAINS: tuple[Row, ...] = (
    (
        r"""\bi (am|remain|stay|feel) <very>(neutral|undecided|indifferent|on the fence|agnostic|
impartial|ambivalent)\b|\b(no|do not have an?( very)?|have no|without( an?)?) <very>(strong |
particular |real |clear )*(opinion|preference|view|feelings?|stance|position)s?\b(?! against)|
\b(either|any) (way|one|option) (is|works|would be|sounds|seems) <very>\w+|
\b(do not|would not) (\w+ )?(mind|care) either way\b|\bi (\w+ )?abstain\b|^(<opening>)*(neutral|
abstain(ing)?|undecided|no opinion|indifferent|on the fence)[.!]*$|\bcould go either way\b""",
        "I'm neutral.",
        "The table is neutral grey.",
    ),
)
# A single word of agreement, which supports the proposal directly before it.
_ASSENTS: tuple[Row, ...] = (
    (
        r"""^(?!.*\b(that|it|this) is (\w+ )?(correct|right|true|the case|what))((oh|
ah|well|ok(ay)?|and|so|hm+),? )*(yes|yeah|yea|yep|yup|exactly|precisely|
indeed|absolutely|definitely|
certainly|totally|true|right|sure|of course|for sure|ok|okay|fair|great|nice|cool|awesome|
perfect|excellent|good|fine|
wonderful|lovely|amazing|sweet|yay|\U0001f389|100%?)\b(
[.!, ]*$|[,.!]+ not\b|[,.!]* (that|this|we|i|let|and|
please|because|especially|so|also|makes|seems|sounds|
would|should|a|an|having)\b)
(?! ?but\b)|^(absolutely|definitely|certainly|totally|exactly)[,.!]+ (the|it|they|our|my)\b""",
        "Yes, that would save us a week.",
        "Absolutely not.",
    ),
    (
        r"""\b(advantage|benefit|upside|nice (thing|part)|good (thing|part)|strength|argument for|
reason to) (of|is|here|to|for|that|in)\b|
\b(much|far|way|a lot|lots|strictly|clearly|definitely) (better|nicer|cleaner|simpler|easier|
clearer|safer)\b""",
        "The advantage is that users see it.",
        "The advantage goes to Eve.",
    ),
    (
        r"""\bwe (should|could|can|might as well) (just |definitely |totally |probably |
absolutely |certainly )*(do|merge|accept|take|land|ship|go (for|with|ahead with)|keep|try|
approve) (it|this|that|so)\b""",
        "I think we should do that.",
        "We should write a page on it.",
    ),
    (
        r"""^(<opening>)*(?!(it|that|this|everything|all|who|what)\b)(
\w+|the (first|second|third|last|other|latter|former)( one)?) (
works|is <very>(ok|okay|fine|good|acceptable|perfect|great))[.!]*$""",
        "Seven is ok.",
        "The build of the page is ok.",
    ),
)
# Agreement with more text after it. It supports the previous statement, unless that was a question.
_BUILDS_ON: tuple[Row, ...] = (
    (
        r"""(yes|yeah|yep|right|exactly|definitely|absolutely|agreed)\b[,.!]* (and|if|especially|
otherwise|plus|because)\b""",
        "Yes, and it would save us a week.",
        "Right now it fails.",
    ),
)
_OPPOSES: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(absolutely|definitely|certainly|of course|really|please|better|probably|
surely|most certainly|under no circumstances|rather) not\b(?! (a problem|an issue|bad|wrong))|
^(<opening>)*(hell|heck|oh|hard|big|definite|a (hard|firm|clear|definite)|absolutely) no\b|
^(<opening>)*(nay|no chance|no thanks|no thank you|no,? please|not (for me|with me|on my watch|
my thing|in my name)|count me out|i am out|i (will|would) pass|forget (it|that))[.!]*$|
, so,? no[.!]*$|\b(no|nope) from (me|us)\b|
\b(is|are|would be) <very>(bad|difficult|hard|impossible|inconvenient|awkward) for (me|us)\b|
\b(does|do|will|would) not work for (me|us)\b""",
        "Absolutely not.",
        "It is absolutely not clear who wrote it.",
    ),
    (
        r"""^(<opening>)*let us (please )?not (do|use|try|take|adopt|build|ship|touch|go (with|for|
there)) ?(it|that|this|there)?(?=[,.!;:]|$| because\b| since\b| yet\b| again\b)""",
        "Let's not do that, it is too slow.",
        "Let's not do that part twice.",
    ),
    (
        r"""\b(could|can) not (possibly )?(disagree (with (it|that|this|@?\w+) )?more|
be more (opposed|against|sceptical|skeptical))\b""",
        "I couldn't disagree more.",
        "I couldn't disagree.",
    ),
    (
        r"""\bi <very>(vote|would vote|am voting|will vote|say) <very>(no\b|nay|against)|
\b(bad|terrible|horrible|awful|stupid|silly|crazy|risky|poor|dreadful) (idea|plan|move|choice|
proposal|suggestion)\b|\bdo not do (it|that|this)\b|
\b(let us|we (should|must|can|could)) not (just )?(do|try|make|use|adopt|take|accept|approve|
merge|ship|build|buy|pursue|change|touch|drop|remove|add|go for|go with) (it|that|this|so)\b
(?! (again|lightly|now|today|yet|twice|by hand|alone|without)\b)|
\b(it|this|that) is a (no|hard no) (for|from)
 (me|us)\b|\bi can not (support|accept|agree(?! (more|enough)\b)|live with|
get behind|approve|back)\b""",
        "I vote no.",
        "I vote yes.",
    ),
    (
        r"""\bi <very>(would |have to |must |do |am going to |will )*(disagree|object|oppose|worry|
fear|doubt|hesitate|question|
dislike|hate|caution|push back|have to push back)\b""",
        "I disagree.",
        "I hated school.",
    ),
    (
        r"""\bi (\w+ )?(not|never) (\w+ )?(agree(?! (more|enough)\b)|like (this|that|it|the)|
support|approve)\b|
^(<opening>)*(strongly |respectfully |totally |somewhat )*disagree\b|
\bnot (a (big |huge )?fan|keen|thrilled|sold|convinced|
persuaded|in favou?r|happy|comfortable|wild|enthusiastic|excited|fond)\b""",
        "I don't really agree.",
        "I don't know.",
    ),
    (
        r"""\bi (am|would be|feel|remain|was) <very>(against|opposed|worried|concerned|skeptical|
sceptical|
hesitant|nervous|wary|uncomfortable|unconvinced|reluctant|afraid|anxious|uneasy|dubious|doubtful|
torn|negative|
leaning (against|no|negative|towards? not))\b|
^(<opening>)*(<very>)(worried|concerned|skeptical|sceptical|hesitant|nervous|wary|unconvinced|
reluctant|uneasy|dubious|against|opposed) (about|of|that|to|by|with)\b""",
        "I'm worried about the cost.",
        "The worried user called.",
    ),
    (
        r"""\bnot <very>sure (that |if |whether |how |why |i |what )*(we|it|this|that|i|like|want|
agree|\w+ing|the|there|about|
they|people|you|would|is)\b(?! (is|was|are) (the|an?) )""",
        "I'm not sure that waiting is good.",
        "I'm sure that waiting is good.",
    ),
    (
        r"""\bi (would |do |still |also |am )*lean(ing)? (\w+ )?(negative|against|no\b|
towards? (no|not|against))""",
        "I lean negative.",
        "I lean towards it.",
    ),
    (
        r"""\bi (do|would|can|will|could|am|should) <very>not <very>(like|want|love|support|
see (why|how|the (point|value|need|benefit|reason)|
a (need|reason|benefit|point))|buy|favou?r|do (it|this|that)|understand (why|how)|expect|trust|
recommend|advise|go|merge|accept|block|feel (comfortable|great|good))\b""",
        "I don't see the need.",
        "I don't see Ben here.",
    ),
    (
        r"""\bi do <very>not <very>(think|believe|feel|feel like) (that )?(we|i|you|people) <very>
(should|need|want|can|could|have to|ought|would want)\b""",
        "I don't think we need it.",
        "I don't think we met.",
    ),
    (
        r"""\b(my|(the|a|one) (main|big|bigger|biggest|only|real|other|first|key|primary|serious)|
one|another) (\w+ )?(concerns?|worry|worries|objections?|trouble|hesitation|reservations?|fear|
problem|issue|difficulty)( i have)? (is|are|with|here|would be|about|though)\b|
\b(the|one|a|another|big|real) (downsides?|drawbacks?|catch|risk|danger|disadvantages?|
tricky (part|bit|thing)|hard (part|bit|thing)) (is|are|with|here|would be|of)\b""",
        "My concern is the deadline.",
        "The concern was resolved.",
    ),
    (
        r"""(?<!fix the )(?<!solve the )(?<!address the )(?<!no )\b(problem|trouble|difficulty|
issue) with \w+|\bwill not work\b|
\bi (\w+ )?have (some |a few |a lot of |many |serious |strong |real |my |mild |big |slight |
an? )*(concerns?|
reservations|doubts|worries|objections?|hesitation|qualms)\b|\bi would (hate|be (sad|sorry|unhappy|
upset|surprised|disappointed))\b""",
        "I have some doubts.",
        "I have some time.",
    ),
    (
        r"""\bmakes me (\w+ )?(nervous|uneasy|sad|uncomfortable|worried|anxious|hesitant|wonder|
think twice|cringe)\b|
\b(worries|concerns|bothers|scares|troubles|annoys) me\b|\b(rather|prefer|better) not\b|(^|
\s)-1(?=[\s,.;:!]|$)|\bi <very>see no (point|need|benefit|value|use|sense|reason (for|to))\b|
\bveto\b|\b(give|gives|gave) me pause\b|\bthumbs down\b|\U0001f44e|\bhard pass\b|\bno way\b|
\bover my dead\b|\bnot (so )?fast\b""",
        "I'd rather not wait.",
        "I'd rather wait.",
    ),
    (
        r"""\bwhy would (we|you|anyone|i|one|they|it)\b|\b(what|where) is the (point|
benefit|value|
need|gain)\b|
\bdo we (really|actually|even) (need|want|have)\b|\bis (it|that|this) (really|actually|
even) (necessary|needed|worth|required|important|a good)\b""",
        "Why would we wait?",
        "Why did we wait?",
    ),
    (
        r"""\b(we|you|it|this|that|they|one|the \w+|people|users|there) <very>(should|must|
ought) not\b(?! (we|it)\b)|\b(am|are|be|lean) against (this|that|it|the|\w+ing)\b|
(\b(we|i|you)|^(<opening>)*) ?<very>do <very>not <very>(want|need) (to|that|this|an?|the|any|both|
another|more)\b""",
        "We shouldn't do that.",
        "Shouldn't we do that?",
    ),
    (
        r"""\bi (also |do |still |would )*find (\w+ ){1,6}<bad>\b|^(meh|ugh|yikes|eek|oof)\b|
\bi would (be (careful|cautious|wary|hesitant|reluctant)|caution|avoid)\b""",
        "I find the name confusing.",
        "I find the name.",
    ),
)
# Explicit objections.
_OBJECTS: tuple[Row, ...] = (
    (
        r"""\bi (strongly |must |do |still |have to )*(object|oppose|reject|disagree|
do not agree)\b|
\bi do not think (that )?(that|this|it) is (a good|wise)\b|\b(that|this) is a bad idea\b|
\bi am (strongly |firmly )?(against|opposed to)\b""",
        "I object, the disk is full.",
        "The object is full.",
    ),
)
_CONCEDES: tuple[Row, ...] = (
    (
        r"""\bi (must |have to |do |fully )*concede\b(?! nothing)|\bi stand corrected\b|
\bi (hereby )?(withdraw|take back|retract|drop) (my|the) (objections?|proposal|rebuttal|point|idea|
suggestion|concern)|\bi take (it|that|this|my \w+) back\b|\bi give (in|up)\b(?! (on|to|my|the)\b)|
\bi am (now |fully |all )?(convinced|persuaded|won over)\b(?! (that|of)\b)|^(\w+,? )?touch(e|
\u00e9)\b|
\bi was (wrong|mistaken)( (there|about (that|this|it)))?[.!]*$""",
        "I stand corrected.",
        "I concede nothing.",
    ),
)
# Phrases that concede something if the other person is on the other side.
_YIELDS: tuple[Row, ...] = (
    (
        r"""(?<!\w)(you|@\d+) ((have|has) )?(convinced|persuaded) me\b|\byou win\b|
\bthat (convinces|persuades|convinced) me\b|\b(that|this) settles it( for me)?\b|
\b(that|this) rules (it|that|this) out\b|\bi (can not|could not) argue with (that|this|you)\b|
\bi (had not|did not|never) (think|thought|consider(ed)?|realis?z?ed?|know|known|see|seen) (of |
about )?(
that|this|it)\b(?! (way|coming))|\bi (forgot|overlooked|missed) (about )?(that|this|it)\b|
\b(my mistake|my bad)\b|
(?<!\w)(you|@\d+) (are|is) right ?(, ?@\d+)? ?[.!]*$""",
        "You convinced me.",
        "You are right about that.",
    ),
)
# Phrases that concede something if no objection follows.
_GRANTS: tuple[Row, ...] = (
    (
        r"""^((ok|okay|yes|well) ?,? )?(fair (point|enough)|point taken)\b""",
        "Ok, fair enough.",
        "It is a fair point.",
    ),
)
# Words that cancel a concession.
_KEEPS: tuple[Row, ...] = (
    (
        r"""\b(but|however|although|though|yet|not|never|nothing|partly|partially|except|if|unless|
almost|nearly|still)\b""",
        "You are right, but it costs more.",
        "You are right.",
    ),
)
# Words with which agreement is limited or only half given.
_RESERVES: tuple[Row, ...] = (
    (
        r"""\b(but|however|except|excluding|apart from|other than|although|though|unless|if|
provided|
as long as|only|without|minus|half|halves|partly|partially|in part|mostly|to some extent|
up to a point|
in principle|yet|later|tomorrow|one (change|condition|caveat|exception|thing)|the (first|second|
last|
other) (half|part|one|point|bit)|not (the|all|yet|until|this|in|so|every|both|quite|entirely)|
no to|i could (agree|accept|live))\b""",
        "Agreed, except for the second robot.",
        "Agreed, the robot is needed.",
    ),
)
# Phrases that often state facts. They object only if there is a proposal.
_COUNTERS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(<thing> |we |i feel like (it|that|this) |\w+ing )?(does|do|will|would|can|
could|is|are|may|might) not (really |necessarily |
actually |always |quite |seem |seem to |even |
be |feel |look |sound |going to |very |all that |that |have |get |give us |so |clearly |as |
particularly |enough |\w+ly )*(work|help|scale|solve|fit|make (\w+ )?sense|hold|
apply|cover|good|great|ideal|right|worth|enough|feasible|possible|address|handle|need|buy us|feel|
sufficient|
suffice|useful|helpful|obvious|clear|correct|compatible|consistent|intuitive|compose|
generali[sz]e|belong|allow|safe|
sound|realistic|practical|ready|free|easy|simple|trivial|(the |a )(good|right|
best|great|clear|real)|stop|prevent|guarantee)\b""",
        "That does not scale.",
        "That does not bark.",
    ),
    (
        r"""\b(<thing>|you|\w+ing|_|the \w+) (is|are|would be|will be|could be|might be|may be|
can be|seems?|feels?|sounds?|gets?|looks?|becomes?|can get|would get|could get|would feel|
would seem|might get)
<very>(like )?(an? )?<very>((?!(not|no|less)\b)\w+ )?<bad>\b(?! (things|cases|enough)\b)""",
        "That is confusing.",
        "That is blue.",
    ),
    (
        r"""\b(seems|feels|sounds|is|looks|would be|are) (\w+ )?(inconsistent|wrong|premature|
excessive|overkill|too (\w+ )?\w+|a shame|unfortunate|unnecessary|
questionable|risky|arbitrary|scary|surprising|confusing|weird|odd)\b|
^(<opening>)*(too (early|late|much|many|complex|soon|magical|risky|strict|broad)|overkill|
premature|unfortunately)\b""",
        "Seems premature.",
        "Seems blue.",
    ),
    (
        r"""\b(would|will|could|might|may|that|it|this|can|to|which) <very>(break|breaks|regress|
hurt|hurts|confuse|
confuses|conflict|conflicts|complicate|complicates|prevent|prevents|slow|slows|cost|costs|lose|
loses|clutter|
require (us|everyone|people|a lot|an?|the|that|more|users)|requires (us|everyone|people|a lot|
more)|force|forces|bloat|undermine|defeat|discourage|limit|limits|interfere|
mean (that )?(we|you|people|everyone|users) (would |will )?(have|need|can not|lose)|
introduce (\w+ )?(complexity|problems|bugs|confusion|churn|
ambiguity)|cause (\w+ )?(problems|churn|confusion|breakage|issues|trouble|bugs)|surprise|annoy|
be (lost|abused|misused|a problem|an issue|surprised))\b""",
        "That breaks everyone on 1.x.",
        "That says it all.",
    ),
    (
        r"""\b(you|they|people|users|everyone) (would|will|might|could)( then| also| still| all|
 just)? (have to|end up|lose|be (stuck|forced|unable|surprised|confused)|get (stuck|
confused))\b( (to|an?|some|with|the|\w+ing))?|
(\bthen|^now) (we|you|it|there|what|how|people) (need|have to|has to)\b|
\bthen (we|you|it|there|what|how|people) (will|would|is|are)\b|
\btoo (\w+ )?(complex|complicated|hard|costly|expensive|risky|strict|
strong|broad|narrow|early|late|magical|subtle|slow|much|big|many|long|soon|far|aggressive|tight|
small|vague|verbose|confusing|limited)\b""",
        "Then we need a rule for the order.",
        "We need a rule for the order.",
    ),
    (
        r"""\b(is|are|was|does|would|do|will|can|did|should|could) not (that|this|it|we|there|you|
they) (\w+ )?(hard|too|already|just|going to|
break|mean|a|an|the|more|also|have|cause|risky|confusing|be|kind of|still|make|lead|conflict|need|
require|supposed)\b|
\bhow (would|do|does|will|could|can) (that|this|it|we|they|one|people|users)\b(?=.*\b(then|
handle|deal|prevent|avoid|distinguish|tell|without|interact|explain|teach)\b)""",
        "Isn't that hard to check?",
        "That is hard.",
    ),
    (
        r"""\bmoot\b|\bdefeats? the (point|purpose)\b|
\bat the (cost|expense|risk) of\b|\btrade-?offs?\b|
\b(slippery slope|scope creep|foot-?gun|non-?starter|can of worms|rabbit hole|show-?stopper|
maintenance burden|technical debt|cognitive load)\b""",
        "That defeats the purpose.",
        "That has a purpose.",
    ),
    (
        r"""\b(on the other hand|otoh|to the contrary|that said|having said that|
devil's advocate|counter-?(point|argument|example)s?|
the flip side|then again)\b|\b(seems|feels) (hard|harder|tough|tricky|difficult|awkward|
painful|impossible) (to|for|with)\b|
\b(less|not as|not that|not very|not particularly|not too|not really|not all that) (\w+ )?(clear|
useful|readable|obvious|helpful|important|urgent|intuitive|flexible|compelling|excited|motivated|
strong|common|bad)\b(?<!bad)""",
        "On the other hand, users like it.",
        "Users have it in hand.",
    ),
)
# Questions that suggest something or ask for a reason; words in them object to nothing.
_INQUIRES: tuple[Row, ...] = (
    (
        r"""(^|[,;:-] )(<opening>)*((should|could|can|would) not we|do not we (need|want|have|
usually)|are not we \w+ing|would (not it|it not) be (better|best|good|nice|wise|wiser|simpler|
easier|safer|cheaper|enough))\b.*""",
        "Shouldn't we ask the neighbours?",
        "We shouldn't ask the neighbours.",
    ),
    (
        r"""(^|[,;:-] )(<opening>)*((what|where|which) (exactly )?(is|are|was|would be|do you see
 as) (the|your|their|his|her|a) (\w+ )?(problem|issue|trouble|risk|danger|concern|worry|objection|
downside|drawback|catch|difficulty|disadvantage|cost)s?|
why (exactly )?((is|are|was|does|do|did|will|should) (it|that|this|they|you|the \w+)|
would (that|this|the \w+))|
(what|how) (makes|do) you (think|say|believe|feel|expect)|
(<very>)(is|are|was) there (still |really )?(an?|any|some) (\w+ )?(problem|issue|objection|
risk|danger|concern|worry|doubt|downside|drawback|catch|reservation)s?|
(is|are|was|would|will|could) (it|that|this|there|they) (be )?(an? |any |still |really )*(
problem|issue|concern|obstacle)s?|
(any|other|no) (\w+ )?(problem|issue|objection|concern|worrie|doubt|reservation)s?|
(do|does|has|have|did) (you|anyone|anybody|someone|somebody|we|they|@?\w+) (<very>)(have|had|see|
know of|expect|foresee|find|object|disagree|oppose|mind|worry|doubt))\b.*""",
        "What's the problem with the neighbours?",
        "The problem with the neighbours is solved.",
    ),
    (
        r"""(^|[,;:-] )(<opening>)*(what|who|whom|where|when|which( \w+)?|how (much|many|
long|often|far|soon|large|big|fast|expensive|costly|hard|difficult|easy|risky)( \w+)?)( exactly)?
 (does|do|did|will|would|can|could|is|are|should|pays?|decides?)
 (?!the (point|use|sense)\b)[^,;:]*""",
        "What does it cost the neighbours?",
        "It costs the neighbours a month.",
    ),
)
# Beginnings that disagree with the previous statement, even if that was only a view.
_TURNS_FROM: tuple[Row, ...] = (
    (
        r"""(well,? )?(but|however,)\b(?! (ok|okay|fine|yes|agreed|not)\b)|well, (we|it|that|
you) (do|does|
would|will|can|is|are) not\b|we (could|can|might),? but\b""",
        "But users lose a month.",
        "Well, we could.",
    ),
)
# Beginnings that object to the previous statement.
_TURNS_AGAINST: tuple[Row, ...] = (
    (
        r"""^((yes|yeah|yep|right|sure|ok|okay|true|fair|well|hm+|maybe|possibly|no|agreed|oh|ah|
i see|i agree|good point|makes sense|
i understand|definitely|perhaps|i mean|and)\b[,.]* )*(but|however|although|though|yet)\b(?! (ok|
okay|fine|yes|agreed|not))""",
        "Right, but then users lose a month.",
        "All but one agreed.",
    ),
    (
        r"""^(<opening>)*(no|nope|nah|not really|i do not think so)[,.!]+ (?!(worries|problem|
objections?|concerns?)\b)(?=\w)|^(no|nope|nah)[.!]*$""",
        "No, that costs too much.",
        "No objection.",
    ),
)

OBJECTS = PhraseTable(_OBJECTS, CLASSES)
CONCEDES = PhraseTable(_CONCEDES, CLASSES)
YIELDS = PhraseTable(_YIELDS, CLASSES)
GRANTS = PhraseTable(_GRANTS, CLASSES)
KEEPS = PhraseTable(_KEEPS, CLASSES)
RESERVES = PhraseTable(_RESERVES, CLASSES)
BUILDS_ON = PhraseTable(_BUILDS_ON, CLASSES)
TURNS_FROM = PhraseTable(_TURNS_FROM, CLASSES)
TAKES_PART = PhraseTable(_TAKES_PART, CLASSES)
POINTS_BACK = PhraseTable(_POINTS_BACK, CLASSES)
RESIGNS = PhraseTable(_RESIGNS, CLASSES)
ABSTAINS = PhraseTable(_ABSTAINS, CLASSES)
SUPPORTS = PhraseTable(_SUPPORTS, CLASSES)
ASSENTS = PhraseTable(_ASSENTS, CLASSES)
OPPOSES = PhraseTable(_OPPOSES, CLASSES)
COUNTERS = PhraseTable(_COUNTERS, CLASSES)
INQUIRES = PhraseTable(_INQUIRES, CLASSES)
TURNS_AGAINST = PhraseTable(_TURNS_AGAINST, CLASSES)

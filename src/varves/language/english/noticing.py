"""English phrases for constraints, and for what people know, saw, learned or infer.

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.english.limiting import LIMITING, LIMITS
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_NOTICING = {
    **CLASSES,
    **LIMITING,
    "project": r"""
(?<!\w)(we|(our|the|this|these|all|every|each)( [\w-]+){1,3}?)
""",
    "mildly": r"((\w+ly|still|also|now) )*",
    "barred": r"(can not|must not|may not|(are|is|am) not (allowed|permitted) to)",
    "bound": r"""
(must|have to|has to|(can|may) only|
(are|is) (required|limited|bound|obliged|forced) to|needs? to(?= (support|keep|
stay|remain|comply|retain|encrypt)\b))
""",
    "reason": r"""
\b(because|since|due to|as (the|our|it|we|that)|by (law|contract|policy|regulation)|owing to|
for (\w+ )?(legal|contractual|regulatory|compliance|licen[cs]ing|security|tax|privacy) reasons)\b
""",
    # Verbs for what a project does with a dependency.
    "concrete": r"""
(use|run|deploy|upgrade|access|store|install|rely on|depend on|exceed|expose|host|send)(?! away)
""",
    "object": r"""
(?!(it|so|none|nothing|much|more|a lot)\W*$|(that|this|them|these|those)\b(?! (we|all|the|our|
every|each|no|any|users|data)\b))
""",
    # Obligations in a conversation, which are no constraints of a project.
    "talk": r"""
(\w+ly )?(agree|disagree|decide|say|know|tell|wait|see|imagine|help|be sure|remember|keep \w+ing|
go on|continue|answer|understand|believe|stress|thank|ignore|forget|talk|discuss|think|stop|hurry|
finish|admit|do (this|that|it)|be (honest|careful|fair|quick|clear)|afford to wait|hear \S+|
see (you|him|her|them|anything|everything)|join|eat|sleep|sit|go (home|out|there|in|now)|meet|start|
begin|speak|leave (now|early|soon|at|because|since|before))\b
""",
    "law": r"""
((the|our|their) ([\w-]+ )?(licen[cs]e|contract|policy|law|regulations?|regulator|customer|client|
budget|sla|auditors?|security team|vendor|platform|hosting|deadline)|gdpr|hipaa|compliance|legal)
""",
    "demands": r"""
(forbids?|prohibits?|requires?|rules? out|do(es)? not (allow|permit)|demands?|disallows?|
limits? us to|insists? (on|that))
""",
    "seen": r"(i|we) (have )?((just|also) )?",
    # A thing of the project or of its surroundings, but not a person or what was just said.
    "source": r"""
((?<!\w)(the|our|their|its|each|every|this|these|all|any|a|an|\w+'s) (?!(team|group|others?|idea|
plan|proposal|suggestion|view|decision|change|design|point|story)\b)((?!(that|which|who|and|but|if|
is|
are|was|were|so|because)\b)[\w.-]+ ){1,3}?|
^(<opening>)*(?!(i|you|he|she|it|they|we|that|this|these|those|there|here|which|what|who|people|
everyone|everybody|someone|somebody|nobody|others|one|some|many|most|both|either|neither|@\d+)
\b)[\w.]+( [\w.-]+)? )
""",
    # A quantity: a number with or without a currency sign, or a number word.
    "amount": r"""
(about |around |roughly |only |just |exactly )?((an? )?([^\w@] ?)?\d|<count>\b|a (hundred|thousand|
dozen|million|single|minute|second|day|week|month|year)\b|half an?\b)
""",
    # An earlier talk, and what was done in it.
    "talked": r"""
((the|our|my|an?|that|those|these|all) )?(last|previous|earlier|past|prior|recent) (time|session|
party|
parties|meeting|discussion|conversation|talk|round|week|month)s?
""",
    "recalls": r"""
(said|mentioned|noted|told you|pointed out|decided|agreed|found( out)?|noticed|stated|wrote|learned|
learnt|saw|seen|established|discussed|observed|concluded|recorded|settled|discovered)
""",
    "when": r"(before|earlier|already|previously|once|then|yesterday|((in|at|during) )?<talked>)",
    # Words that weaken or strengthen what someone likes.
    "much": r"((\w+ly|also|still|always|do|just|very much|quite|very|too|rather|never|much) )",
    # What is liked: a thing with a name, and not what was just said or proposed.
    "liked": r"""
(?!(it|this|that|these|those|them|him|her|us|me|you|we|your|yours|mine|ours|theirs|the \w+ one|
\w+ing (myself|you|it|this|that)|his|their|what|how|where|when|who|why|
which|to|so|both|neither|none|everything|nothing|something|anything|all|if|better|more|less|most|
best|one|being|seeing|hearing|talking|having|@\d+|a (lot|bit|little)|
(the|an?|\w+'s) (\w+ )?(sound|look|looks|direction|way|plan|proposal|idea|point|approach|suggestion|
sentiment|spirit|thought|draft|result|question|answer|option|argument|reasoning)\b(?! of (?!(it|
this|
that|your|@\d+)\b)))\b|@\d)(?=[\w_])
""",
    "at_most": r"""
(at (the )?(very )?(most|least)|(no|not|never) (more|fewer|less|longer|larger|bigger|higher|lower|
older|later|slower|shorter|smaller|heavier) than|up to|an? (absolute )?(maximum|max|minimum|limit|
total) of)
""",
    "limit": r"""
(limit|cap|maximum|minimum|max|min|quota|budget|deadline|ceiling|allowance|cut-?off)
""",
    "date": r"""
(the (end|beginning|start|first|middle) of|(mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|
tonight|(next|this) (week|month|year|quarter|spring|summer|autumn|fall|winter)|january|february|
march|april|may|june|july|august|september|october|november|december|christmas|easter|midnight|
noon|q[1-4])\b
""",
    # What a person has the power to forbid or to demand for a project.
    "authority": r"""
(legal|compliance|security|management|finance|procurement|marketing|hr|the (client|customer|vendor|
supplier|regulator|auditors?|lawyers?|sponsor|board|council|publisher|landlord|insurer|bank|ceo|cto|
cfo|product owner|(security|legal|privacy|compliance|platform|infrastructure|operations?|data
protection) (team|officer|department|people)))
""",
    # Participles for what can be done to a thing.
    "done": r"""
((?!need)\w+ed|kept|sent|sold|split|run|shut|put|set|built|bought|read|broken|written|hidden|taken|
given|shown|
cut|lent|spent|made|held|upgraded)
""",
    # Verbs for what a project would do if it were allowed or able to, in the base form.
    "does": r"""
(use|run|deploy|upgrade|access|store|install|rely on|depend on|exceed|expose|host|send(?! away)|
change|move|keep|add(?! anything)|remove|drop|rename|replace|share|publish|ship|release|merge|log|
read|write|modify|break|buy|hire|spend|go (over|beyond|above|below)|process|call|connect|open|mix|
require|delete|support|increase|reduce|raise|extend|cache|export|import|transfer|contact|email|sell|
collect|record|copy|(re)?distribute|disclose|track|charge|show|touch|block|print|embed|link|edit|
migrate|scale|restart|return|accept|serve|render|handle|encrypt|decrypt|offer|query|index)
""",
    "kept_so": r"""
(support|comply|stay|remain|retain|encrypt|fit|run (on|under|in|without)|work (on|with|without|in|
under|offline)|conform|adhere|respect)
""",
}
_BINDS: tuple[Row, ...] = (
    (
        r"""^((project|hard) )?constraint ?: ?|
\b(the|our|one|another|a hard) (\w+ )?(constraint|hard limit|restriction) (is|are) """,
        "Constraint: at most 512 MB of memory.",
        "The constraint solver is slow.",
    ),
    (
        r"""<project> <mildly><barred> (?!<talk>)(?=.+<reason>)(?!.*\b(yet|today|right now|
at the moment)\b)""",
        "We cannot use Redis because its licence changed.",
        "We cannot agree because nobody measured it.",
    ),
    (
        r"""(<project> <mildly><barred>|\bit is (not possible|
impossible) to) (?=<concrete> <object>)|
<project> <mildly>(are|is) not (allowed|permitted) to (?!<talk>)(?=\w+ \w+)""",
        "It is not possible to run two writers.",
        "We cannot use it.",
    ),
    (
        r"""<project> <mildly><bound> (?!<talk>)(?=.+<reason>)|
<project> (are|is) (required|obliged|bound|forced) by (law|contract|policy|regulation) to |
^by (law|contract|policy|regulation),? (we|the|our|all|every) """,
        "We have to keep Python 3.9 because the client runs it.",
        "We have to be honest because trust matters.",
    ),
    (
        r"""(?<!\w)(our|the|this|these|all|every|each) ([\w-]+ ){1,3}<bound> (?=(support|
run (on|under|in|without)|work (on|with|without|in|under|offline)|stay|remain|comply|
fit|retain|encrypt)\b \w)""",
        "The shop has to support IE11.",
        "The old tool had to support Windows XP.",
    ),
    (
        r"""(?<![\w-])<law> (?=<demands> <object>)""",
        "The contract requires hosting in Europe.",
        "The contract forbids that.",
    ),
    (
        r"""\b(the|our|their) ([\w-]+ ){1,2}(only (allows?|accepts?|permits?|supports?)|
(allows?|accepts?|permits?|supports?) only) <object>|
\b(the|our|their|each|every|all) ([\w-]+ ){1,2}(is|are) (capped|limited) (at|to) (?=.*(?<!@)\d)|
\b(a|the|our) (hard|strict|fixed) (limit|cap|maximum) of (?=.*(?<!@)\d)""",
        "There is a hard limit of 512 MB per container.",
        "The story is limited to what we know.",
    ),
    (
        r"""(?<!\w)(the|our|their|its|each|every) ([\w-]+ ){1,3}?(
(do|does) not (support|accept|offer|provide) <object>(?!(\S+ ){0,3}(plan|idea|proposal|
suggestion|view|decision|change)\b)|
(only has|has only|only have|have only|only gives us|gives us only) (?=(an? |one )?(\d|
single\b)))""",
        "Our payment provider does not support Swiss francs.",
        "The manager does not support the plan.",
    ),
    (
        r"""<source>(do|does|will|would) not (allow|permit|let|support|accept|offer|provide|
tolerate|include|cover|handle) (?!for\b)<object>(?!(\S+ ){0,3}(plan|idea|proposal|suggestion|view|
decision|
change)\b)|
\b(do|does|will) not (allow|permit|accept|take|support|carry|ship|deliver|hold|fit|print|read) (?=(
\S+ ){0,2}?((more|heavier|wider|taller|higher|lower|smaller|shorter|lighter|newer|thicker|hotter|
warmer|
colder) than|over|
above|under|below|beyond) <amount>)|
\b(do|does|will) not (allow|permit|accept|take|support) (?=(\S+ )?(more|longer|larger|bigger|fewer|
less|older) than <amount>)|
<source>(do|does) not have (?=((any|direct|enough) )?(\w+ )?(access|support|permission|rights?|
internet|network|capacity)\b)""",
        "The vendor's API doesn't allow more than 100 requests per minute.",
        "That doesn't allow for growth.",
    ),
    (
        r"""<project> <mildly><barred> (?!<talk>)(?=<does> <object>)|
<project> <mildly>(can|may|must) not (?!<talk>)(?=\w+ (more|longer|larger|bigger|fewer|less|
older|later) than <amount>)""",
        "We can't change the public API before June.",
        "We can't change that.",
    ),
    (
        r"""<source>can not (?=(<does> <object>|be <done>\b))|
\bcan not (?=\w+ (more|longer|larger|bigger|fewer|less|older|later) than <amount>)|
\bturn(s|ed) out (that )?we (may|must|can) not (?!<talk>|be\b)(?=\w+ <object>)|
(?<!\w)(the|our|their) ([\w-]+ ){1,2}can not (?!<talk>)(?!(be|start|happen|come|do|go|hurt|make|
get|have|
keep|see|find|possibly|just|even|really|\w+ly)\b)(?=\w+ <object>)""",
        "The database can't be moved out of the EU.",
        "The build can't be that slow.",
    ),
    (
        r"""<project> <mildly>(must|have to|has to|need to|needs to) (only |always )?
(?!<talk>)(?=<kept_so>\b \S|(ship|launch|deliver|release|finish|go live|be (done|ready|finished|
live|out))( \S+){0,3}? (before|by|until|no later than|on) (\d|<date>|the \w+))|<source>(must|
have to|has to) (not )?(?=(support|stay|remain|fit|comply|retain|
keep|have (an?|at|no|<amount>)|contain)\b \w|be (<at_most>|under|below|above|within|between|larger|
longer|shorter|smaller|older|signed|in (the|a)\b|available|offline|\w+(able|ible)\b|kept|
sent|stored|encrypted|written|reviewed|tested|approved)\b)""",
        "We must support Internet Explorer 11.",
        "We must be careful.",
    ),
    (
        r"""<project> <mildly>(are|is) (required|obliged|forced|obligated) to (?!<talk>)(?=\w+ \w+)|
\bwe are (stuck|locked|tied) (on|to|into|with) (?!(it|that|this|them|the (idea|plan))\b)(?=\w)""",
        "We are required to keep invoices for ten years.",
        "We are required.",
    ),
    (
        r"""(?<!\w)(the|our|their|its|each|every|a|an|\w+'s) ([\w.-]+ ){0,3}<limit>( (for|of|on|per|
to|at) ([\w-]+ ){1,4}?)? ?(is|are|stands at|was set (at|to)) ((still|now|currently|set (at|to)|
fixed|capped at|at) ?:? ?)*(?=<amount>|<date>)|
(?<!\w)(the|our|their|its|each|every|\w+'s) (max(imum)?|min(imum)?) ([\w.-]+ ){1,4}is (?=<amount>)|
\b(an?|the|our) ([\w.-]+ ){0,3}(limit|cap|maximum|max|quota) of (?=<amount>)|
\b(there is|we have|has|have|with) an? ([\w-]+ ){0,2}(?=(\W ?)?\d\S* (\w+ )?<limit>\b)|
\b(there is|we have|have got) (an?|the) (hard |fixed |strict |firm |legal )*deadline (on|of|at|in|
by) (?=\S)""",
        "The rate limit is 100 requests per minute.",
        "The rate limit is a problem.",
    ),
    (
        r"""\b(is|are|gets?|stays?) ((rate|hard|strictly|currently|now)[- ])*(capped|limited|
restricted|throttled|confined) (at|to|by) (?=.*(?<!@)(\d|<count>\b))""",
        "Uploads are capped at 25 MB.",
        "The story is limited to what we know.",
    ),
    (
        r"""^(<opening>)*(?!(i|you|he|she|it|they|we|that|this|which|who|nobody|@\d+)\b)[\w.-]+(
 [\w.-]+)?
 (forbids|prohibits|bans|disallows|rules out) <object>|
\b(limits|restricts|caps|throttles) (us|you|everyone|clients|users|customers|each \w+) (to|at) (
?=\S)|
\b(is|are) only (possible|allowed|permitted|available|supported|valid) (?=(between|on|in|from|for|
with|
via|after|before|until|during|within|at|to)\b)|
^(<opening>)*(nothing|nobody|no one|no \w+( \w+)?) (may|must|is allowed to|are allowed to) (
?!<talk>|be (?!<done>))(?=\w+)|
<source>(has|have) (?=no (\w+ )?(access|connection|internet|network|permission|support|root|
admin)\b)|<source>(must|has to|have to) (?=(work|run|be|stay) (offline|online|available|
accessible)\b)""",
        "Shopify limits us to two calls per second.",
        "That limits us.",
    ),
    (
        r"""<source>(allows?|permits?|accepts?|includes?|supports?|grants?|offers?|gives us|
gets us) (
only )?(?=<amount>)|
^(<opening>)*(?=<at_most> <amount> )(?=.*\b(allowed|permitted|possible|supported|
accepted|per|an?|each|every)\b)|
^(?!.*\b(that|it|this) (is|are|was)\b)(?=.*<at_most> <amount>).*?\b(must|may|can|has to|have to|is|
are|gets?|holds?|allows?|
includes?|accepts?|takes?|supports?|permits?|have|has|returns?|handles?|stores?|fits?|serves?|
survives?|lasts?|needs?|keeps?|costs?|runs?)( (not|be|have|take|use|run|last|contain|send|hold|cost|
keep|store|only|for|on|with|in))*( [\w-]+){0,2}? (?=<at_most> <amount>)""",
        "The pool allows no more than 50 connections.",
        "It is no more than a guess.",
    ),
    (
        r"""\b(there is|we have|we have got|we got) no (budget|money|access|permission|
approval|capacity|licen[cs]es?|staff|funding|support|internet) (?=(for|to|on|from|in|of) \w)|
\bwe (only have|have only|only get|get only|only own) (?=<amount>)(?!\S+ <notion>)
(?!(\S+ ){1,2}(second|minute)s?\b)""",
        "We have no access to the production database.",
        "We have no access.",
    ),
    (
        r"""(?<![\w-])(<law>|<authority>|((the|our|new|eu|swiss|federal|local) )*(regulations|rules|
terms|policies|law|laws|guidelines|contracts?|statutes|bylaws|standards?)) (will |do |does )*(?=(
(not )?(forbids?|prohibits?|requires?|rules? out|(allow|permit|let)s?|demands?|disallows?|bans?|
limits?|restricts?)\b|insists? (on|that)) <object>)(?!(requires?|demands?) (a lot|some|that)\b)
(?=(?!(allow|permit|let)s?\b))""",
        "Regulations forbid storing health data abroad.",
        "The rules are hard to read.",
    ),
    (
        r"""^(<opening>)*<authority> (has |have )?(also |now |just )?(says?|said|told us|tells us|
confirmed|insists?|insisted|ruled|wrote|decided)( (that|to us))* (?=(we|our|all|no|nobody|every|
the) (
\S+ ){0,4}?(may|must|can|have to|has to|need|needs|are (not )?(allowed|required)|is (not )?(allowed|
required))\b)""",
        "Legal says we may not store birthdays.",
        "Legal says it is fine.",
    ),
)
_ATTESTS: tuple[Row, ...] = (
    (
        r"""^(fact|for the record|it is a fact)( ?[:,]( that)? ?| that )|
^(<opening>)*(i|we) (have )?((just|now|can) )?((verified|confirmed|proved|confirm) that|
measured)\b""",
        "I verified that it works.",
        "I have not verified that it works.",
    ),
)
_LEARNS: tuple[Row, ...] = (
    (
        r"""(^|\b(i|we) )(have )?((just|also) )?learn(ed|t)( the hard way)? that\b""",
        "I learned that chunks work best.",
        "I learned to swim.",
    ),
)
_OBSERVES: tuple[Row, ...] = (
    (
        r"""^(observation|finding) ?:|\b<seen>(notice|noticed|observe|observed|discovered|
found( out)?|see|saw) that (?!you\b)|\b<seen>(noticed|observed) (?!(you|that|nothing|no)\b)""",
        "We found that every third call fails.",
        "I see that you are busy.",
    ),
    (
        r"""\b(it )?turn(s|ed) out (that )?(?!(to|well|fine|ok)\b)""",
        "It turns out the index was never used.",
        "It turned out well.",
    ),
)
_INFERS: tuple[Row, ...] = (
    (
        r"""^(inference|assumption|hypothesis) ?:|
\b(i|we) (can )?(infer|assume|suspect|presume|conclude|deduce)( that)? (?!(you|so|not)\b)|
^(<opening>)*my (best |own )?(guess|suspicion|hunch|bet|theory|assumption|hypothesis) (is|
would be)( that)? (
?!(as|good|no|yes|not|that|so)\b)|^(<opening>)*(it|that|this) is (probably|presumably|most likely) (
?!(fine|ok|okay|right|true|not|so|nothing|me|my|good|best|too|time)\b)""",
        "I assume the traffic doubles in May.",
        "I assume so.",
    ),
    (
        r"""^(presumably|apparently|probably|most likely|(it )?(seems|looks) like|it seems|
it appears)
( that| ?,)? (?!(that|so|not|just|yes|no|an?|you)\b)""",
        "Looks like the planner takes the wrong index.",
        "Looks like a typo.",
    ),
    (
        r"""\b(this|that|which) (suggests|implies|hints|indicates) (that )?""",
        "This suggests that the index is stale.",
        "This is stale.",
    ),
)
# What speakers like and dislike, in words that name it; weaker than "I prefer".
_LIKES: tuple[Row, ...] = (
    (
        r"""\bi (<much>)*(like|love|enjoy|value) <liked>""",
        "I really like feature flags.",
        "I like that.",
    ),
    (
        r"""\bi (<much>)*(do not|never|no longer) (<much>)*(like|love|enjoy|trust) <liked>|
\bi (<much>)*(dislike|hate|detest|loathe|distrust|can not (stand|bear|abide)) <liked>""",
        "I don't like long meetings.",
        "I don't like that.",
    ),
    (
        r"""(\bi am|\bi have (always |never |long )?been|\bi have become|^(<opening>)*) ?(<much>|
not |
never |no )*(an? |the )?(<much>)*((really|very|big|huge|great|strong|firm|biggest|long-?time) )*(
fan|
proponent|advocate|supporter|believer) (of|in) <liked>""",
        "I'm a big fan of TypeScript.",
        "I'm a fan of it.",
    ),
    (
        r"""\bmy (own |personal )?go-?to (\S+ )?is <liked>|\bi am (all|very much) for <liked>|
\bi am (<much>|not |very |rather )*(partial to|fond of|keen on|big on|wary of|
allergic to|
in favou?r of) <liked>""",
        "I'm partial to Go.",
        "I'm partial to that.",
    ),
    (
        r"""\b(i|we) (would|had) (much )?(rather|sooner) (?=\w+ \w)|
\bi (always|usually|generally|normally|typically|tend to) (go (for|with)|reach for|pick|choose|
opt for|want|insist on|aim for|ask for) <liked>|\bi (<much>)*insist on <liked>|
\bgiven (the|a) choice,? i would (take|choose|pick|use|go (for|with)) <liked>|
\bi want (?=(\S+ ){1,6}(over|instead of|rather than) \S)""",
        "I'd sooner keep the monolith.",
        "I always go for it.",
    ),
    (
        r"""\bi would ((rather|always|still|much|definitely|clearly|personally) )*(go (for|with)|opt
for|pick|choose|vote for) (?!(my|our) (words|battles)\b|a (walk|run|swim|ride|drive|drink|coffee|
beer|break|bite|meal|smoke|nap)\b)<liked>|\bi (((still|now|more|rather|strongly) )*(lean|tend)|
am (still |now |strongly )?leaning) ((more|strongly) )?towards? (?!(the|a) (window|wall|door|left|
right|back|front)\b)<liked>""",
        "I lean towards a monorepo.",
        "I lean towards the window.",
    ),
    (
        r"""^(<opening>)*(for|to) me,? (?=\S.* ((comes|come) first|matters? (most|more)|
(is|are) more important than)\b)|
^(?!(that|it|this|which)\b)\S.* (is|are|has always been) my (own |personal |absolute )?(favou?rite|
preference|first choice|go-?to|preferred \w+)\b|^(<opening>)*(for|to) me,? (?=\S.* (beats?|trumps?|
outweighs?|wins over|goes before|is worth more than) \S)|
\bmy (own |personal |absolute )*(favou?rite|first choice)( (\S+ ){1,3}?)? ?(is|are|remains|
stays) <liked>|
\bi (<much>)*(like|love|enjoy) how (?!(you|this|that|it|we|@\d+|he|she|they)\b)(?=\S+ \S+ \S)""",
        "For me, readability comes first.",
        "That is my favourite.",
    ),
)
# Limitations of a thing.
_LACKS: tuple[Row, ...] = (
    (
        r"""\blacks?\b|\bdo(es)? not support\b|\b(has|have) no support for\b|
\bworks? only\b|\bonly works?\b""",
        "Library X lacks feature Y.",
        "Library X supports feature Y.",
    ),
)
# Repetitions of something said or decided before.
_RESTATES: tuple[Row, ...] = (
    (
        r"""^(<opening>)*((as|like) (i|we) ((have|had|already|just|once) )*<recalls>( (it|this|
that))?(
<when>)*,? |(as|like) ((was|already|previously) )*<recalls> <when>,? |
(per|given|based on|following|in line with|according to|under|as per) (our|the|that|this) ((earlier|
previous|last|recent|prior|old|former|existing|joint|common|team) )*(decision|agreement|discussion|
consensus)( (from|of|in) <talked>)?(,| (?=(the|our|we|every|each|all|no)\b)) ?)""",
        "As I said before, the cache is cold on Mondays.",
        "As I spoke, the lights went out.",
    ),
    (
        r"""^(<opening>)*(i|we) ((have )?(already|previously|once) <recalls>|<recalls> <when>)(
 that\b|
 ?[:,])|^(<opening>)*(previously|earlier|before|yesterday),? (i|we) (have |had |already |
just )*<recalls>(
 that\b| ?[:,])?""",
        "I already mentioned that the cache is cold.",
        "I said that the cache is cold.",
    ),
    (
        r"""^(<opening>)*(back )?((from|in|during|at|like|since) )?<talked>,? (i|we) (have |had |
already |
just |also |all )*(<recalls>|know)( that\b| ?[:,])?|
^(<opening>)*((back )?(from|in|during|like|per) <talked> ?[:,]|<talked> ?:)""",
        "Last time we said that the cache is cold.",
        "Last time it rained.",
    ),
    (
        r"""^(<opening>)*((i|we) (do |still |also |all |both |clearly |already )*(remember|recall)|
(please |just )*(remember|recall|do not forget)|let us (not forget|remember|recall)|(i|we) already
(all |both )?know)( that\b| ?[:,]|(?= (the|our|we|every|all)\b))""",
        "Remember that the cache is cold on Mondays.",
        "Remember to empty the cache.",
    ),
    (
        r"""^(<opening>)*(to repeat( myself)?|i repeat|as before|(i|we) (have )?(said|been (over|
through)|
discussed|covered|settled|established) (it|this|that)?( before| earlier| already)?|i (
still )?stand by (
it|that|this|what i said))( that\b| ?[:,])""",
        "To repeat: the cache is cold on Mondays.",
        "To repeat the test, clear the cache.",
    ),
    (
        r"""^(<opening>)*(from|based on|building on|going back to|given|considering|drawing on) (
<talked>|
(my|our) (earlier )?(notes?|memor(y|ies)|experience)( (from|of|in) <talked>)?|what (i|
we) <recalls>( <when>)?
) ?(,|:|(?=(i|we)\b)) ?((i|we) (know|remember|<recalls>)( that)?)?|
^(<opening>)*my (notes?|memor(y|ies)|sidecar)( (from|of) <talked>)? ?(says?|is|was|tells? (me|us)|:)
( that\b)?""",
        "Based on my experience from previous sessions, the cache is cold.",
        "Based on my calendar, we meet on Monday.",
    ),
)
# Words before a statement that deny the statement.
_UNSAYS: tuple[Row, ...] = (
    (
        r"""\b(not|never|hardly|neither|nor|no longer|nobody|no one|nothing|used to|false|untrue|
myth|
wrong|doubt)\b|\b(would|could|might|may|should) (\w+ )?$""",
        "It is a myth that we cannot.",
        "It is a fact that we can.",
    ),
)

LIKES = PhraseTable(_LIKES, _NOTICING)
BINDS = PhraseTable((*_BINDS, *LIMITS), _NOTICING)
ATTESTS = PhraseTable(_ATTESTS, _NOTICING)
LEARNS = PhraseTable(_LEARNS, _NOTICING)
OBSERVES = PhraseTable(_OBSERVES, _NOTICING)
INFERS = PhraseTable(_INFERS, _NOTICING)
LACKS = PhraseTable(_LACKS, _NOTICING)
RESTATES = PhraseTable(_RESTATES, _NOTICING)
UNSAYS = PhraseTable(_UNSAYS, _NOTICING)

"""English phrases that propose a course of action.

Each row is a pattern, a sentence that it matches, and a near miss, which it must not match.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_PROPOSES: tuple[Row, ...] = (
    (r"\[proposal\]", "[PROPOSAL] a smaller one", "The proposal tag is in brackets."),
    (
        r"""\bwe <very>(should|ought to|must)\b(?! not\b)(?! <very>(be able|have known|
<known>)\b)""",
        "We should write a page on it.",
        "We should have known.",
    ),
    (
        r"""(?<!whether )(?<!you think )\b(it|this|that|these|those|they|there|which|someone|
somebody|
each|every \w+|the \w+( \w+)?|\w+s|one) <very>(should|ought to)\b(?! not\b)(?! <very><known>\b)
(?! <very>(we|i) )""",
        "The error should name the file.",
        "The test should pass on Linux.",
    ),
    (
        r"""\bshould( not)? (we|i|it|this|that|there|the|they)\b|\bshall (we|i)\b""",
        "Should I just open an issue?",
        "It should.",
    ),
    (r"""\b\w+ should <very><task>\b""", "Eve should own it.", "Eve should sleep."),
    (
        r"""^(<opening>)*(could|can|might|should|must|would need to|will need to)( want to|
 wish to| need to| just| also|
 probably|
 maybe| either| at least| ultimately| simply)*
 (be \w+ed|wait|leave|keep|try|use|add|drop|move|make|do|split|
defer|start|ask|go|put|have|rename|merge|close|discuss|<task>)\b(?! you\b)(?! (\w+ )?(hours|days|
minutes|weeks|a while|long|time)\b)""",
        "Could wait until someone needs it.",
        "Could be.",
    ),
    (
        r"""(?<!then )\bwe <very>(need|have)( (to|an?|some|more))\b(?! <very>(be able|know|see|
been)\b)
(?<!have an)(?<!have a)(?<!have some)(?<!have more)|
\b(this|it|that|someone|somebody|there|which) <very>(has to|needs (to|some|more|an? \w+
(?! of\b) \w+))\b|
\bwe (need|require)\b(?! (to be able|not)\b)""",
        "We need to write it down.",
        "We have a test for it.",
    ),
    (
        r"""(?<!whether )(?<!why )(?<!know that )(?<!if )(?<!way )(?<!note that )
(?<!most that )(?<!least that )(?<!best that )(?<!all that )(?<!much that )(?<!thing that )
(?<!most )(?<!all )(?<!what )(?<!than )(?<!thing )(?<!everything )(?<!so that )(?<!before )
(?<!until )(?<!once )(?<!where )(?<!as far as )(?<!as much as )(?<!as soon as )\bwe <very>(can|
could|might|may)\b(?! not\b|[,.?]*$|, but)
(?! <very>(say|see|tell|assume|expect|observe|
know|
imagine|infer|conclude|be sure|hope|argue|agree|get away|end up|run into|safely say|find|hear|
remember|understand|have (been|had))\b)""",
        "We can also keep both.",
        "We can see the logs in the console.",
    ),
    (
        r"""\b(can|could|might|may)( not)? (we|i suggest|i propose)\b""",
        "Could we split it?",
        "Could it split?",
    ),
    (
        r"""\b(can|could|would|will) (you|someone|somebody|anyone|anybody|(?!(not|be|it|this|that|
then|also|just|
 only|we|i|have|they|there|always|never)\b)\w+) (also |please |
maybe |
perhaps |be (willing|able|up) (to|for) |like to |want to |mind |just )*<charge>\b""",
        "Ben, could you review it?",
        "Ben, could you post it?",
    ),
    (
        r"""\b(have|do|would) (you|anyone|someone) (have )?(the |any |some )?(time|bandwidth|
capacity|
interest|cycles)\b|\b(do|does|would) (you|anyone|anybody|someone|somebody) (want|like|be willing|
mind)\b( to)? (be|<task>|\w+ing)\b|
\b(any|are there|looking for)( any)? (volunteers?|takers)\b""",
        "Ben, have you time to send a patch?",
        "Do you want tea?",
    ),
    (
        r"""\blet us\b(?! do (it|that|this)\b)(?! (<very>)(see|say|face|assume|suppose|imagine|
know|
be honest|be clear|hope|not forget|move on|start with|continue|talk|look at|return|begin)\b)""",
        "Let's ask the users.",
        "Let's see what happens.",
    ),
    (
        r"""\bwhat about ((?!(some|any|every|no)thing\b)\w+ing|both|an?|just|only|instead|not|no|
if we)\b(?! (code \w+ )?(examples?|
cases?|code|situation)\b)|\bwhat if (we|you|it|this|the|there|i|instead|rather)\b|\bhow about\b|
\bhow (do|would|does) (you|people|folks|everyone|we) (all )?feel about\b|
\bwhat do (you|people|folks) (all )?think (about|of|if)\b""",
        "What about keeping both?",
        "What about you?",
    ),
    (
        r"""\bwhy (not(?=,? \w)|do not (we|you|i)|do we not|can not we|would not we|could not we)\b|
\b(any|is there a|is there any) reason (not to|we (can|could|should|would) not)\b""",
        "Why don't we ask the users?",
        "Why do users ask?",
    ),
    (
        r"""\bi (would |might |may |do |also |really |just |still |personally |strongly |hereby |
want to |
wanted to |will |am going to |like to |would like to )*(propose|suggest|recommend|vote|advocate|
move that|
move to|argue|advise|nominate|encourage)\b
(?! against| no\b| yes\b| aye\b| nay\b| in favou?r\b)(?! \w+ is (the|true))|
\bi am (\w+ )?(proposing|suggesting|recommending|voting|advocating|arguing)\b|
^(<opening>)*(propose|suggest|recommend|proposing|suggesting|vote|voting)( that| to| we|:| for|
 an?\b| the\b)""",
        "I propose that we ship.",
        "I purposely wait.",
    ),
    (
        r"""\bmy (own |personal |main |first |general |initial |current |only )*(suggestion|
proposal|
recommendation|preference|inclination|vote|request|ask|thought|take|idea|instinct|leaning|
intuition|
intent|intention|plan|hope|goal) (is|was|would|:|here|remains|has been|to)|
\bmy suggestion\b""",
        "My preference is a smaller one.",
        "Your suggestion is fine.",
    ),
    (
        r"""\bi am <very>(inclined|tempted|leaning towards?) (?!(to )?(like|agree|support|say yes|
accept|go\b|think|
believe|be\b|it|this|that|yes|not|no)\b)""",
        "I'm inclined to leave it out.",
        "I'm inclined to agree.",
    ),
    (
        r"""^(<opening>)*(probably|maybe|perhaps|definitely|possibly|ideally)[,:]? (we |i |it |
this |that |just |the \w+ )?(should|could|can|need|needs|ought)\b(?! <very><known>\b)""",
        "Probably should mention it in the notes.",
        "Probably should be fine.",
    ),
    (
        r"""\bi (would|might) <very>(?!have (preferred|liked|loved|wanted|gone|chosen)\b)(
like|want|prefer|love|rather|go with|go for|opt|vote|keep|
start|use|
expect (us|people|it|them|the \w+) to|advise|do|leave|add|make|put|call|drop|remove|move|allow|
split|ask|close|merge|wait|
write|
change|treat|favou?r|lean towards?|say we|hope we|include|avoid|be inclined to|go as far|aim|
consider|
defer|extend|require|limit|have|take|try|ship|land|hold|push|pick|choose|err)\b
(?! (that|this|it)\b(?! to| if| as| in| for| out| until| at| on| with))(?! not\b)""",
        "I'd like a table in the report.",
        "I'd like that.",
    ),
    (
        r"""\bi( do| also| really| still| just| definitely| personally| would)* (prefer|favou?r|
want (to see|us|an?|the|to have|
to make sure|it to|this to|that to|to (do|add|keep|get|make|avoid|propose)))\b""",
        "I want us to write it down.",
        "I want to sleep.",
    ),
    (
        r"""\b(i (was|am|have been|keep|had been) (\w+ )?(thinking|imagining|hoping|
picturing|envisioning))\b(?=.*\b(we|
should|could|would|to|maybe|might|of|about|that)\b)|
\bi (wonder|was wondering|am wondering) (if|whether|about) (we|it would|it might|this should|
that should|
this could|it could|there|instead|an?|\w+ing)\b""",
        "I was thinking we should write it down.",
        "I was thinking.",
    ),
    (
        r"""\bi (would |could |can |do )?(imagine|envision|picture|see) (we|it|this|that|the|there|
you|us|\w+s|
doing|having)\b(?=.*\b(would|could|should|being|doing|having)\b)""",
        "I imagine the rules would depend on the setting.",
        "I imagine so.",
    ),
    (
        r"""\b(may|might|would|could|does|will|is|it is|should|seems|sounds|feels|looks|
it is) (it )?(not )?<very>
(make (more |most |any )?sense|be <very>(\w+ )?(good|better|best|worth|worthwhile|wise|sensible|
preferable|
reasonable|prudent|simpler|easier|cleaner|safer|enough|appropriate|useful|helpful|important|nice|
ok|okay|
possible|fine|fun|cool|an option)|better|best|worthwhile|wise|sensible|preferable|reasonable|
prudent|worth|
wiser|safer|safest|simplest|easiest|cleanest)\b(?= (to|if we|for us|for \w+ to|\w+ing)\b)
(?! to (me|us|do that|understand|see|know|tell|remember)\b)(?<!not worth)""",
        "It would be good to ask the users.",
        "It would be good.",
    ),
    (
        r"""\b(it|that) (makes|made|would make|might make|may make) (more |most )?sense (to|for us|
if we|that we)\b(?! me\b)|
(?<!not )\bworth (\w+ )?\w+ing\b|\bbetter (off|to)\b(?! than)|\bhad better\b""",
        "It might be worth asking the users.",
        "It is worth a lot.",
    ),
    (
        r"""\b(the|a|an|another|one|best|better|right|simplest|easiest|alternative|possible|other|
cleaner|
safer|first|next|obvious|only|reasonable|good) (\w+ )?(option|way|approach|alternative|solution|
suggestion|idea|
possibility|thing|step|choice|move|default|fix|compromise|answer|plan|path|outcome|strategy|design|
change|proposal|action)( \w+){0,6}( here| forward)? (would|could|might|should|may|is|will) (be|to|
just|also|that we|we)\b|
^(<opening>)*(an|one|another|a|the)( \w+)? (option|alternative|possibility|idea|approach|
compromise|thought|suggestion|solution)[:,]""",
        "Another option would be a flag.",
        "The way it is written is odd.",
    ),
    (
        r"""\b((it|this|that|there|which) <very>wants? to (be|live|go)|belongs? (in|to|under|on)|
fits better|deserves?|ought to(?! be able)|had best|would be (better|best) (as|in|on|with|at|for|
if|off|
than))\b(?! (to )?me\b)(?<!not)""",
        "It wants to live in the metadata.",
        "It lives in the metadata.",
    ),
    (
        r"""\b(would|does|will) any(one|body) (object|mind|have (an |any )?(objections?|concerns?|
problems?))\b|
\b(any|are there( any)?) (objections?|concerns?|opposition) (to|if|with|about)\b|
\b(is|are|would) (we|people|everyone|folks|you)( all)?( be)? (ok|okay|happy|fine|comfortable|good|
willing) (with|to)\b|\bany(one|body) (feel|think|against|opposed|object)\b""",
        "Would anyone object to closing it?",
        "Does anyone know the reason?",
    ),
    (
        r"""\bwe <very>(do )?(want|would like|would prefer|would want|should aim|
are better off)( to| an?| the| some| this| it| that)?\b
(?! <very>(be able|know|see)\b)(?<!what we want)(?<!what we want to)""",
        "I think we want to keep this unstable.",
        "We wanted that.",
    ),
    (
        r"""^(or|alternatively|instead|perhaps|maybe|otherwise|possibly|ideally),? (we|just|let us|
an?|the|it is worth|with|
keep|use|make|add|call|have|do|put|move|leave|drop|split|someone|there should|only|even|as|in|by|
even just|
simply|start|try|allow|to|first|some|one|ask|both|more|something|through|via|on|at|for|
\w+ing)\b(?! (\w+ )?(is|was|are|were|already|has|
had|does|did)\b)""",
        "Or a warning instead, right?",
        "Maybe the author is away.",
    ),
    (
        r"""\b(with|and|maybe|perhaps|about|nominate|have|make) \w+ (\w+ )?(as|be) (the |an? |
our )?<role>\b|
\b(needs?|want|find|see|have|get|like|require) (an? |the |some |more )?(\w+ )?<role>\b(?=.*(first|
before|\?|for|who|to|$))(?<!i have an owner)(?<!we have an owner)""",
        "We could have Ben as the liaison.",
        "Ben is the liaison.",
    ),
    (
        r"""^(<opening>)*((\w+ )?proposal|suggestion|proposed|idea|option \w+|alternative|ask|
request|
recommendation|strawman|
straw man|counter-?proposal|straw-?poll|possible \w+|motion)( \d+)? ?:""",
        "Proposal: a smaller one.",
        "The proposal was small.",
    ),
    (
        r"""^(<opening>)*please\b(?=,? \w)(?! (see|note|excuse|forgive|with|without|not)\b)
(?!,? (yes,? )?<go_on>)|
\bplease (?!<go_on>)(do|can|could|add|write|send|review|check|open|file|
make|keep|let|<task>)\b""",
        "Please add a test.",
        "Please see the notes.",
    ),
    (
        r"""^(<opening>)*(add|ask|keep|leave|close|use|put|make|move|drop|merge|defer|write|split|
rename|start|try|
remove|require|allow|request|nominate|postpone|document|deprecate|revert|schedule|pick|take|send|
open|file|
consider|have|wait|stick|link|encourage|replace|change|include|introduce|create|define|treat|limit|
avoid|extend|land|ship|don't)
(it|the|an?|this|that|these|those|them|some|both|all|each|any|for|with|until|to|our|\w+ (to|as|in|
for|from|on|into|with)|_)\b
(?! (is|was|would|are|makes|seems|has|sounds)\b)(?!\s*$)""",
        "Add a lint for it.",
        "Use is forbidden.",
    ),
    (
        r"""\b(i|we) (really |do |would |should )*(think|feel|believe|feel like|suspect|guess|
suppose) (that )?(the )?(best|right|
simplest|easiest|obvious|proper|correct) (\w+ )?(is|would|to|might|way)\b|
\bi (think|believe|feel like|suspect|say|vote) (that )?we (just |simply |still |also |definitely |
probably |do |really )*(go|keep|leave|take|close|merge|wait|need|want|use|start|drop|have to)\b""",
        "I think the right thing is to wait.",
        "I think that was right.",
    ),
    (
        r"""\b(as|for|is) (a |the |an |one )?(next|first|follow-?up|intermediate) steps?\b|
^(<opening>)*(the )?next step (is|would be|might be)\b|\b(good|great) idea to (?!me\b)\w+|
\b(rather than|instead of) \w+ing\b|\bhow hard would it be to\b|
\bit would (not )?(hurt|be hard) to\b|\b(might|may|would) want to\b(?<!they would want to)|
\bit is time to\b|\btempting to\b|\bimportant (that|to) (?!(note|know|me))|
\bi (think|feel|believe)\b.{3,60} would be <very>(useful|helpful|worthwhile|valuable|good|best|
better)\b""",
        "Rather than dropping it, keep a flag.",
        "It dropped.",
    ),
    (
        r"""\b(it|this|that|they|the \w+|which) (could|can) (just|simply|instead|also|
alternatively|at least|potentially|perhaps|maybe|probably|easily) \w+""",
        "It could just be a flag.",
        "It could rain.",
    ),
    (
        r"""\bcould( not)? (it|this|that|they|there|these) <very>be\b""",
        "Could this be a flag?",
        "This could be.",
    ),
    (
        r"""(^|, |\band |\bbut )(would|might|would also) (prefer|like|want|rather)( that| to| we|
 an?)\b""",
        "No strong view, but would like to reach an end.",
        "Would you like to reach an end?",
    ),
    (
        r"""\bwe are leaning towards? \w+ing\b|\bhold(ing)? off (on|until|for)\b""",
        "I think we hold off on the release.",
        "We are leaning out of the window.",
    ),
    (
        r"""^\W*(time for (an? )?|(an? |another )?(?!<asking>)[\w-]+ )
(?!<asking>)[\w-]+( run)?\?$""",
        "Design meeting?",
        "Which meeting?",
    ),
    (
        r"""\b(any|is anyone|anyone|anybody|someone) (interest|interested) in\b""",
        "Anyone interested in reviewing it?",
        "Nobody is interested.",
    ),
)

# Open questions, which ask for a proposal and make none.
_WONDERS: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(where|when|what|who|whom|which \w+( \w+)?|
how (much|many|often|long|soon|far)) (else )?(should|shall|can|could|might|must|do|would)
 (we|i|it|this|they|the \w+)\b""",
        "Where should we hold the party?",
        "Should we hold the party here?",
    ),
    (
        r"""^(<opening>)*who (else )?(can|could|will|would|might|is (able|free|going|willing) to|
has (the )?time to|(wants|would (like|love|be willing)) to)\b(?! (we|i|it|this|they|the \w+)\b)""",
        "Who can look at the export?",
        "Anyone who can look at the export should.",
    ),
    (
        r"""\b(how|what) about (you|him|her|them|the (others|rest))( all| two| guys)?\b
(?=(,? and [\w ]+|, @?\w+)?[.!?]*$)""",
        "How about you, Sam?",
        "How about you write the guide?",
    ),
)
# What is likely, necessary anyway or only to be feared: such a sentence puts nothing forward.
_EXPECTS: tuple[Row, ...] = (
    (
        r"""\blet us <very>(vote|take (a|the) (vote|poll|show of hands)|hear (from|what)|
go around)\b<to_its_end>|\bwe <very>(need|have|want) to <very>(choose|decide|pick|select|settle|
find|discuss|determine|figure out|work out|talk about|agree|make a (decision|choice))\b
<to_its_end>""",
        "We need to choose a boat.",
        "We need to paint the boat.",
    ),
    (
        r"""(?<!we )(?<!you )(?<!i )\bshould( not)? <very>(take (us |me |you |it )?<about><span>|
(cost|last|need|use|save|be) (us |me |you )?<hedge><about><amount>)\b""",
        "This should take about two hours.",
        "The timeout should be two hours.",
    ),
    (
        r"""(?<!we )(?<!you )(?<!i )\bshould( not)? <very>(arrive|turn up|show up|come (back|in|
through)|help( (us|me|a bit|a lot|here|too)\b|[.!]*$)|do (it|the (trick|job))|suffice|recover|
settle|calm down|clear up|go away|get (better|easier|worse)|rise|fall(?! back)|
be (enough|plenty|quick|easy|trivial|a breeze|obvious|over|back))\b(?! (if|only)\b)""",
        "The parcel should arrive on Thursday.",
        "The parcel should go to the front desk.",
    ),
    (
        r"""(?<!we )(?<!you )(?<!i )\bshould <very>be <very>(fixed|resolved|solved|done|finished|
ready|merged|shipped|deployed|released|repaired|restored|completed?|sorted( out)?|live|online|
available|out|up|closed|green|better|there|here|gone)( and \w+)?
( again| live| out)?,? (by (the time|
then|now|tonight|tomorrow)|in (an?|the (next|coming|upcoming|latest|new)|<count>|no time)|
within|soon|shortly|any (minute|day|time)|tomorrow|tonight|later|now|again|already|once)\b""",
        "It should be fixed in the next release.",
        "It should be fixed before the release.",
    ),
    (
        r"""(?<!we )(?<!you )(?<!i )\bshould <very>(\w+ ){1,5}(by now|already|any (minute|day|
moment)( now)?|(as usual|as always)|(pretty |very |quite )?soon|shortly|overnight|eventually|
in (a|an?other) (minute|moment|bit|second|while|hour|day)|(by itself|on its own|by themselves|
on their own))[.!]*$|
\bshould( not)? <very>have (been|had|told|known|come|gone|done|made|seen|said|left|brought|
taken|sent|given|got(ten)?|written|found|heard|kept|met|paid|thought|lost|\w{3,}ed)\b|
\b(this|that|it) should be <very>(interesting|fun|good|great|nice|exciting|funny|tough|close|
useful|helpful|hard|busy|quiet|fine)[.!]*$|
\bthere should <very>be <very>(enough|plenty|(an? |some )?(\w+ )?\w+ (left|somewhere|around)|
an? spare)\b""",
        "The mail should have reached them by now.",
        "The mail should reach them at noon.",
    ),
    (
        r"""\bwe <very>(need|have|are going) to <very>(\w+ ){1,8}?(anyway|anyhow|in any case|
either way|regardless|no matter what)\b|\bwe <very>have to <very>(wait|hurry|live with|put up with|
pay|go|leave|run|head (off|back|home))\b(?! (with|for it|ahead|through|over|the tests)\b)|
\bwe <very>need (some |a (bit|little) )?more time[.!]*$|
\bwe <very>(need|have) to <very>((leave|go|run|head off|hurry)( (at|by|in|now|soon|early)\b|
[.!]*$)|be (in|at|there|home|back|out of|on (time|site))\b)""",
        "We have to wait for the vendor.",
        "We have to rotate the keys.",
    ),
    (
        r"""\bwe <very>(may|might|could|can) <very>(lose|miss|fail|overrun|exceed|forget|regret|
run (out|late|over)|get (stuck|sued|fined|hacked|sick|lost|caught)|face|hit (an?|the)|
be <very>(late|wrong|gone|fined|offline|short|stuck|sued|down|missing|busy|away|sick|in trouble|
out of|looking at|seeing|dealing with|asleep|right))\b""",
        "We might be late.",
        "We might be stricter.",
    ),
    (
        r"""\b(could|would|might|should)( not)? <very>have (?!(expected|preferred|liked|wanted|
hoped|suggested|proposed)\b)(been|had|done|won|lost|gone|come|made|
seen|said|told|known|taken|given|got(ten)?|written|found|kept|met|paid|bought|sold|chosen|
spoken|spent|held|left|caught|broken|built(?!-)|\w{3,}ed)\b|
\bwe (always|usually|often|sometimes|normally|regularly|constantly) (have|need) to\b|
^(<opening>)*add to (that|this)\b""",
        "We could have won that tender.",
        "We could have a second tender.",
    ),
    (
        r"""^(<opening>)*(could|might|may) be (the|an?|that|because|some)\b""",
        "Could be the proxy.",
        "Could be moved to a proxy.",
    ),
    (
        r"""\bwhat if (there (is|are)|(?!(we|i|you|there)\b)(\w+|(the|an?|our|their|this|that|one|
some) (\w+ ){0,2}?\w+)( \w+ly| ever| suddenly| just| also)? (fails?|crash(es)?|
breaks?|dies|leaks?|expires?|runs? (out|late|over|wild)|fills? up|goes? (down|bankrupt|away|wrong|
offline|missing|bust|under|up|over)|disappears?|leaves?|quits?|changes? (its|his|her|their) minds?|
rains?|snows?|loses?|misses|forgets?|hits?|stops? \w+ing|gets? (lost|stolen|hacked|stuck|sick|
cancelled|worse|too|full)|never|does not|do not|can not|will not|is not|are not|says? no|refuses?|
complains?|times? out|overflows?|blows? up|collides?|conflicts?|falls?|slips?|hangs?|corrupts?|
answers?|objects?|happens?|turns? out|sues?|finds? out|
(is|are|has|have|was|were) <very>(wrong|down|gone|full|late|sick|ill|out|unwell|delayed|stuck|
dead|closed|dirty|occupied|overloaded|compromised|unhappy|away|unavailable|offline|lost|
stolen|hacked|broken|corrupt(ed)?|busy|empty|slow|missing|on (leave|holiday|vacation)|already|bugs?|
an? (bug|fire|flood|outage|strike|crash|attack)))|
(we|i|you) <very>(lose|miss|fail|forget|run (out|into|late|over)|get (stuck|sued|fined|hacked|sick|
caught)|hit|are (wrong|late|sued|hacked|down|too)|can not|never|do not (get|have|find|make|finish|
manage)))\b""",
        "What if the disk fills up?",
        "What if the disk were larger?",
    ),
    (
        r"""\bi (would (really )?(like|love)|want|wanted) to <very>(know|thank|
help|join|come|hear|learn|
apologi[sz]e|welcome|remind|introduce|congratulate|say|point out|be sure)\b""",
        "I'd like to thank the ops team.",
        "I'd like to drop the ops team.",
    ),
)
# Words with which speakers take their own proposal back.
_WITHDRAWS: tuple[Row, ...] = (
    (
        r"""\bi (will |would |can |then |hereby |gladly |therefore )*(withdraw|retract|drop|
take back) (my|the|that) (\w+ )?(proposal|suggestion|idea|motion|plan|one)\b""",
        "OK, I withdraw my proposal.",
        "I withdraw my savings.",
    ),
)
# A change of topic: what was proposed before is not on the table any more.
_TURNS_TO: tuple[Row, ...] = (
    (
        r"""^(<opening>)*((the )?(next|last|new|second|third) (topic|item|subject|agenda item|
point on the agenda)|(moving|let us move|let us go|we move) on\b|(on to )?(another|
a different|a new|new) (topic|subject)|changing (the )?(topic|subject)|any other business|aob)\b""",
        "Next topic: the coffee machine.",
        "The topic is the coffee machine.",
    ),
)
# Words that deny a proposal, or set it aside: they put nothing forward themselves.
_DISCLAIMS: tuple[Row, ...] = (
    (
        r"""\blet us (please |just |now |rather |really |maybe |perhaps )*(not|never)
 (even |ever |also )*
(consider|contemplate|entertain|propose|suggest|go (with|for|there|down)|discuss|debate|
talk about|touch on|get into|bring up|reopen|think about|pretend|pursue|bother)\b<to_its_end>|
\b(never|not|do not|no,? not|please not) let us\b<to_its_end>""",
        "Let's not consider selling the boat.",
        "Let's not sell the boat.",
    ),
    (
        r"""\b(i|we|he|she|they) ((am|are|is|was|were|have|has|had|do|does|did|would|will|can|could|
should|might|may) )?((certainly|definitely|really|absolutely|actually|just|still) )*
(not|never|no longer|hardly|in no way) ((been|be|actually|really|yet|now|here|ever|at all|
necessarily|even|trying to|going to|about to|here to) )*(propos(e|ed|ing)|suggest(ed|ing)?|
recommend(ed|ing)?|advocat(e|ed|ing)|saying|asking for|arguing|claim(ing)?|impl(y|ying)|
call(ing)? for|push(ing)? for|plead(ing)? for|meaning)\b<to_its_end>|
\b(nobody|no ?one|none of us|neither of us) (is |was |has |had |here |ever |really |would )*
(been )?(propos|suggest|recommend|advocat|saying|asking|argu)\w*\b<to_its_end>""",
        "I'm not proposing a new boat.",
        "I'm not a sailor, so I propose a smaller boat.",
    ),
    (
        r"""\b(by no means|in no way|under no circumstances|at no (point|time)|never|nor|neither|
far be it from me to|far from) ((do|did|would|will|could|have|am|was) i |i (am|was) )?
((ever|really|actually|even) )*(propos|suggest|recommend|advocat)\w*\b<to_its_end>""",
        "By no means do I propose a new boat.",
        "By noon I propose a new boat.",
    ),
    (
        r"""\b(not|never|no longer|hardly|without|against) (really |exactly )?(my|an?|our)
 (suggestion|proposal|recommendation)\b<to_its_end>|
\bmy (suggestion|proposal|recommendation) (is|was|would) not (?!to\b|that\b|be to\b)<to_its_end>|
\b(withdraw|retract|drop|take back|took back|abandon|
regret) (my|the) (suggestion|proposal)\b<to_its_end>""",
        "It is not my suggestion to sell.",
        "My suggestion is not to sell.",
    ),
    (
        r"""\b(i|we) (would |can )?(propose|suggest|recommend|advocate) (nothing|none|no such|
neither|not a thing)\b(?! (but|except|more than|else than)\b)<to_its_end>""",
        "I propose nothing.",
        "I propose nothing but a small boat.",
    ),
    (
        r"""\blet us <very><weigh> (it|this|that|them|these|those|both|(all of|both of) \w+)
( and \w+( \w+){0,2})?
( (later|again|then|too|first|now|for now|in \w+|on \w+|next \w+|this \w+|tomorrow))*[.!,]*$""",
        "Let's consider that later.",
        "Let's consider that boat.",
    ),
)
# Errands, the running of a meeting, and small talk: they propose nothing to decide.
_ERRANDS: tuple[Row, ...] = (
    (
        r"""\bplease (do not |do |also |all |just |everyone )*<errand>\b""",
        "Please mute yourself.",
        "Please add a test.",
    ),
    (
        r"""\b(can|could|would|will) (you|someone|somebody|anyone|anybody) (please |also |just |
maybe |quickly |all )*(\w+ (me|us|him|her|them|my)\b|mind \w+ing\b|<errand>\b
(?! (an?|the) (patch|fix|pr|pull request|issue|ticket|bug|rfc|vote)\b))""",
        "Can you send me the file?",
        "Can you open an issue?",
    ),
    (
        r"""\b(let us|(shall|should|can|could|may|might) we|we (should|can|could|might|need to|
have to|must)|let me|why do not we|do you want to|(how|what) about|time (to|for)|who wants|
i (would|will|need|want|am (off|going))( like| love)?) <very>
(to |go |an? |get |have )*(grab\w*|(get|have|take|eat|order|drink|make|go for|having|getting|
taking)? ?(an? |some |the |our |another )?([\w-]+ ){0,3}?(lunch|dinner|breakfast|coffee|tea|beers?|
drinks?|snacks?|bite( to eat)?|pizzas?|sandwich(es)?|cake|break|pause|breather|nap|walk|smoke|
photo|selfie)(?=[.!?;,]|$| (in|at|for (lunch|\w+ minutes|a bit)|after|before|first|now|then|
together|next|later|soon|on|with|around|until|and|or|here|this|today|tomorrow|tonight|time|break|run|
of (us|everyone|the (team|group)))\b)|take (five|ten)(?=[.!?,]|$))\b
(?!-)(?! (\w+ )?(machine|room|order|policy|menu|change|format|flag|rule|service|bar)\b)""",
        "Let's grab lunch.",
        "Let's buy a coffee machine.",
    ),
    (
        r"""\b(let us|(can|could|may|might|should|shall) (we|i)|we (can|could|should)) <very>
((see|hear|get|have) (the|that|your|this|those|a look at|from|it|them|him|her|how|
what|why|where)\b(?! (\w+ )?(done|fixed|changed|removed|merged|rid|right|back|over)\b)|
(look at|go back to|return to|zoom in(to| on)?|scroll (up|down|back)( to)?|
show) (the|that|this|your)
(\w+ )?(slides?|graphs?|charts?|logs?|screen|numbers|figures|dashboard|agenda|diagram|trace|table|
picture|last|first|previous)\b|
(give|allow|grant) (it|them|him|her|\w+) (an?|another|<count>|a few|some) (more |extra )?(seconds?|
minutes?|moments?|hours?)\b)""",
        "Can we see the logs?",
        "Can we see to it that the logs are kept?",
    ),
    (
        r"""^(<opening>)*(have|enjoy) (an?|the|your) ([\w-]+ ){0,2}(day|weekend|evening|night|time|
trip|flight|holidays?|vacation|lunch|dinner|meal|morning|afternoon|journey|rest|week|party|
one)(,? (all|everyone|everybody|you all|too|there))*[.!]*$|
^(<opening>)*(take care|get well( soon)?|drive safely|sleep well|keep up (the|your)|keep (it up|
in (mind|touch)))\b|
\b(let us|we can|can we|shall we) <very>(pick|take) (this|it|that) (back )?up( again)?
 (after|later|tomorrow|next|then|on|in)\b""",
        "Have a nice weekend!",
        "Have a nice page for beginners.",
    ),
    (
        r"""\b(let us|(shall|should|can|could|may|might) (we|i)|we (should|can|could|might|need to|
have to|must)|time to) <very>(
((begin|start|continue|proceed|go on|move on|get started)( now| then| here| again| please)*|
go (a)?round( the table)?( first)?|get (going|back|on with (it|this)|to (it|work|business))|
go( on| ahead| back)?|come back|resume|
wrap up|finish( up)?|stop|break|leave|head off|hurry( up)?|call it a (day|night)|chat|catch up|
introduce ourselves|say (hello|hi)|do (a round|introductions|intros)|
((take|have) a (quick )?)?vote)
( now| here| again| please| on time| late| early| today)*[.!?]*$|
(wait|hold on) (for (\w+( and \w+)?|the (others|rest))( to (join|come|arrive|show up))?[.!?]*$|
a (moment|minute|second|bit)\b)|
(begin|start|move on|continue|get started) (with|to) (the )?(next|first|second|third|last|agenda|
introductions|intros|item|point)\b)|
\b(shall|should|can|could|may|might) i <very>(ask|<errand>)\b
(?! (an?|the) (vote|issue|ticket|pr)\b)""",
        "Shall we start?",
        "Shall we start with a small release?",
    ),
    (
        r"""^(<opening>)*(an? |some |quick |short |anyone |anybody |\w+ )?(for )?(an? |some )?(
lunch|coffee|tea|beers?|drinks?|breakfast|dinner|pizza|break)
( break| run| time|,? anyone)?\W*\?$""",
        "Coffee, anyone?",
        "A coffee machine?",
    ),
)
ERRANDS = PhraseTable(_ERRANDS, CLASSES)
WITHDRAWS = PhraseTable(_WITHDRAWS, CLASSES)
TURNS_TO = PhraseTable(_TURNS_TO, CLASSES)
DISCLAIMS = PhraseTable(_DISCLAIMS, CLASSES)
WONDERS = PhraseTable(_WONDERS, CLASSES)
EXPECTS = PhraseTable(_EXPECTS, CLASSES)
PROPOSES = PhraseTable(_PROPOSES, CLASSES)

# Explicit proposals.
_PUTS_FORWARD: tuple[Row, ...] = (
    (
        r"""^(my )?proposal ?:|
\bi (hereby |would |also |like to |want to |just |still |then )*(propose|suggest)\b|
\bmy (proposal|suggestion) is\b|\bi move that\b""",
        "I suggest we cache it.",
        "We should cache it.",
    ),
)
PUTS_FORWARD = PhraseTable(_PUTS_FORWARD, CLASSES)

# Words that ask someone to do a task, in a question or a proposal.
_CALLS: tuple[Row, ...] = (
    (
        r"""\b(who|someone|somebody|anyone|anybody|volunteers?|<role>|assign|(can|could|would|will|
might) you|do you have (the |any |some )?(time|bandwidth|cycles)|
do you want|have you|you (should|could|want)|action items?|need (a|an) \w+ to)\b""",
        "Who can write the guide?",
        "The guide is written.",
    ),
)
CALLS = PhraseTable(_CALLS, CLASSES)

"""Classes of English words that the tables of phrases share."""

from __future__ import annotations

CLASSES = {
    # Words that only open a sentence.
    "opening": r"""
(yes|yeah|yea|yep|yup|ok|okay|k|oh|ah|and|so|well|hmm+|hm|mm+|right|sure|great|cool|alright|
all right|
then|fine|good|thanks|thank you|i see|i think|i guess|i feel|i mean|i suppose|also|but|all|now|
anyway|sounds like|seems like|it sounds like|it seems like|looks like|in that case|given that|
actually|honestly|personally|again|therefore|thus|hence|basically)\b[,.!:]* |@?\w+[:,] (?=i |we |
let )
""",
    # Words that only weaken or strengthen.
    "very": r"""
((also|very|quite|rather|too|so|just|still|a bit|kind of|kinda|sort of|sorta|much|somewhat|more|
all|
always|now|a little|perhaps|maybe|even|at least|then|already|hereby|overall|do|pretty|super|
generally|in general|slightly|of|both|instead|first|please|currently|\w+ly) )*
""",
    # "Please do", which only consents.
    "go_on": r"""
(do|go ahead|go on|carry on|continue|proceed|feel free|be my guest)( (it|that|this|so|then|now))*
[.!]*$
""",
    # The rest of a clause.
    "to_its_end": r"((?! (but|yet|though|although|still|instead)\b)[^,;:])*",
    "person": r"(i|we|you|he|she|they|someone|somebody|anyone|anybody|everyone|everybody|\w+)",
    "thing": r"""
(it|this|that|these|those|they|which|there|everything|all of (it|this|that)|
(the|this|that|his|her|their|your|\w+'s) (\w+ ){0,3}(idea|plan|proposal|approach|change|option|
solution|suggestion|version|design|direction|one|rule|syntax|name|default|rfc|pr|part|way))
""",
    "role": r"""
(owner|liaison|reviewer|lead|champion|chair|maintainer|editor|assignee|mentor|shepherd|driver|
note-?taker|facilitator|contact|author|secretary|coordinator|volunteer|point person)
""",
    # Words in a short question that asks for a fact, or only doubts.
    "asking": r"""
(who|what|which|where|when|why|how|whose|is|are|was|were|do|does|did|can|could|should|would|will|
has|have|had|may|might|really|right|correct|yes|no|probably|maybe|just|only|like|kind|so|or|and|
but|if|not|ok|okay|any|anyone|anything|else|it|that|this|you|there|then|i|we|they|for|in|on|with)\b
""",
    # Verbs for tasks that people do for a group, in the base form.
    "task": r"""
(do|take|write|file|close|merge|open|start|post|review|own|lead|draft|send|look into|look at|
follow up|handle|prepare|add|fix|update|make|create|ping|reach out|leave a|leave some|comment|move|
cancel|kick off|schedule|check|nominate|summari[sz]e|work on|volunteer|drive|run|set up|submit|
push|land|revert|assign|tag|mark|report back|talk to|talk with|ask|email|mail|try|be the|
organi[sz]e|document|record|propose|approve|sign|ship|deploy|release|rename|remove|delete|drop|
test|measure|investigate|implement|help|put|bring|get|collect|gather|reply|respond|contact|call|
book|arrange|finish|clean up|read|research|figure out|sort out|raise|circulate|share|sync|
coordinate|mentor|shepherd|champion|pick up|pick this up|take over|take on|take care|give|keep|
let (them|him|her|everyone|people|\w+) know|tell|edit|rewrite|reword|refactor|split|pair|present|
come back|bump|unassign|second|poke|dig|explain|announce|invite|upload|publish|note)
""",
    # Verbs for what a group makes someone responsible for.
    "charge": r"""
(take (the|an|on|over|it|this|that|care)|own|lead|drive|champion|shepherd|mentor|chair|review|
write|draft|prepare|implement|investigate|research|nominate|volunteer|organi[sz]e|document|
summari[sz]e|design|be (the|our|an?)|look into|follow up|work on|handle|coordinate|maintain|
(send|open|file|submit|make) (an?|the) (patch|fix|pr|pull request|issue|ticket|bug|rfc|proposal))
""",
    # Verbs for small favours, in the base form.
    "errand": r"""
(send|post|share|pass|hand|show|tell|give|remind|ping|repeat|explain|mute|unmute|wait|hold|call|
ring|email|mail|message|dm|text|forward|upload|paste|link|bring|scroll|zoom|speak|confirm|help|
let (me|us|him|her|them|everyone|\w+) know|open|close|shut|turn|look|check|see|read|lend|come|join|
say|clarify|elaborate|print|sit|be (quiet|patient|seated|careful|aware)|stop|type|find|
pick (me|us|it) up|take (the )?(notes|minutes)|excuse|hear|hurry|
go ahead(?! (and|with))|respond|reply|answer)
""",
    # Verbs that formally settle a point, in the -ing form.
    "closing": r"""
(closing|merging|accepting|approving|postponing|deferring|rejecting|starting|marking|assigning|
landing|reverting|kicking off|going (ahead )?with|going ahead|shipping|filing|tabling|adopting|
scheduling|moving (it|this|that|to)|cancell?ing|opening|nominating|unnominating|de-?nominating|
deciding on|settling on|dropping|punting|leaving (it|this|that)|keeping (it|this|that)|
removing|proposing fcp|checking (my|the) box|resolving|signing off|withdrawing|sticking with|
switching to|registering)
""",
    # Words after one of these verbs that show that it is not the speaker's act: "shipping has …".
    "no_object": r"""
(is|was|were|are|would|has|had|have|does|did|do|makes?|made|seems?|sounds?|feels?|looks?|might|
could|should|may|will|can|must|never|always|often|usually|sometimes|costs?|takes?|took|needs?|
means?|meant|requires?|starts?|began|begins?|happens?|happened|works?|worked|depends|only|fails?|
failed|remains?|helps?|helped|gives?|gave|gets?|got|goes|went|comes|came|breaks?|broke|leads?|led|
stays?|runs?|ran|asks?|asked|says?|said|tells?|told|uses?|used|sends?|sent|wants?|charges?|answers?|
answered|and|or|
addresse?s?|hours?|times?|dates?|fees?|points?|lines?|labels?|notes?|remarks?|ceremon(y|ies)|
cabinets?|companies|company|partners?|days?|positions?|salar(y|ies)|prices?|methods?|guide(line)?s?|
letters?|credits?|papers?|errors?|rates?|bids?)
""",
    # The same verbs in the base form.
    "formal": r"""
(close|merge|start|approve|postpone|accept|reject|land|revert|kick off|nominate|unnominate|mark|
schedule|cancel|defer|table|adopt|sign off|resolve|withdraw|r\+|fcp|check (my|the) box)
""",
    # Verbs for a group's actions, after "we will" or "let us".
    "close": r"""
(close|merge|accept|approve|postpone|defer|reject|start|mark|assign|land|revert|kick off|go with|
go ahead|go for|go|ship|file|table|adopt|schedule|cancel|open|nominate|drop|take|leave|keep|use|
do|stay|wait|switch|write|add|make|remove|release|try|come back|revisit|put|split|rename|begin|
proceed|continue|stick|stop|allow|require|support|fix|include|set|run|meet|call|ask|punt|hold|
land|move (it|this|that|to|ahead|forward)|follow up|document|deprecate|stabili[sz]e|pick|choose|
settle|plan|discuss|talk|aim|target|disallow|forbid|reserve|enable|disable|assume|treat|resolve|
park|shelve|skip|roll|push|bring|give|send|post|check|test|schedule|delay|ban|limit|change|replace)
""",
    # Verbs for weighing an idea, which settles nothing.
    "weigh": r"""
(consider|contemplate|ponder|explore|evaluate|assess|weigh|compare|brainstorm|think (about|over|
through|of)|look (at|into))
""",
    # How a meeting goes on, which settles nothing.
    "onward": r"""
((begin|start|continue|proceed|go on|move on|get started)( (now|then|here|again|please|with)\b|
[.!?]*$)|(take|have) an? (\w+ )?(break|pause|look))
""",
    # Coming back to a matter later, which leaves it open.
    "later": r"(come back|get back|return) to\b",
    # Verbs that say what is true, in the base form.
    "state": r"""
(are|were|was|is|have|had|has|do|did|can|could|would|should|might|may|must|shall|will|need|want|
know|knew|see|saw|think|thought|get|got|lose|lost|end|run into|hope|feel|felt|all|both|never|only|
still|just|already|expect|found|find|came|went|took|made|break|fail|risk|miss|spend|seem|agree|
disagree|like|prefer|understand|and|also)\b
""",
    # A number in words or digits.
    "count": r"""
(\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|
sixteen|seventeen|eighteen|nineteen|twenty|none|nobody|zero)
""",
    # Words that make an amount a guess.
    "hedge": r"((about|around|roughly|approximately|some|maybe|almost|nearly|a few|a couple) )",
    "about": r"""
((about|around|roughly|approximately|only|just|at (most|least)|up to|less than|more than|
not more than|under|over|some|another|well|a|an|few|couple|of|half|good) )*
""",
    "span": r"""
((<count>|\d+[.,]\d+)( (or|to) <count>)?[ -])?(seconds?|minutes?|hours?|days?|weeks?|months?|years?|
long|a while|forever|no time|ages|time|s|ms|min|h)
""",
    "amount": r"(<span>|(<count>|\d+[.,]\d+) ?(\w+|%))",
    # Groups that decide for others.
    "body": r"""
((\w+ )?(committee|board|council|members|assembly|management|parliament|jury|panel|commission|
shareholders|trustees|association|majority))
""",
    "good": r"""
(good|great|fine|ok|okay|nice|right|correct|reasonable|sensible|sane|better|best|nicer|cleaner|
simpler|preferable|ideal|plausible|appealing|compelling|convincing|attractive|elegant|neat|sound|
solid|perfect|excellent|wonderful|lovely|awesome|fantastic|useful|helpful|valuable|worthwhile|
worth (it|doing|trying|a try|having)|acceptable|workable|promising|fair|wise|prudent|safe|safer|
clean|natural|intuitive|clear|clearer|like (a |the )?(good|right|great|reasonable|sensible|big|
clear|nice|obvious|fine|better|natural) \w+|an? (clear |big |nice |strict |huge |obvious |
definite )*(win|improvement|no-brainer)|uncontroversial|a no-brainer|like a plan)
""",
    "bad": r"""
(hard|harder|difficult|trickier|confusing|surprising|inconsistent|odd|weird|strange|
dangerous|bad|worse|wrong|unfortunate|awkward|overkill|premature|a (\w+ )?shame|misleading|
annoying|ugly|
a (\w+ )?mistake|risky|riskier|an? (\w+ )?footgun|costly|expensive|slow|
slower|painful|brittle|fragile|(a )?(lots?|ton|bunch|fair bit|great deal) of (\w+ )?(work|churn|
effort|complexity|noise|pain|trouble|code)|strict|broad|
narrow|magical|heavy|unnecessary|redundant|pointless|excessive|
ambiguous|scary|terrible|horrible|awful|unpleasant|undesirable|suboptimal|infeasible|
impractical|impossible|error-prone|noisy|verbose|hacky|problematic|questionable|
concerning|worrying|worrisome|a (\w+ )?(problem|concern|hazard|risk|burden|pain|hassle|stretch|
regression|trap|non-starter|step back|big ask|tall order|hard sell|slippery slope)|limiting|
restrictive|controversial|contentious|disruptive|frustrating|unhelpful|counterproductive|
too (\w+ )?\w+)
""",
    # Words after which a modal verb states what is likely or known, and not what to do.
    "known": r"""
(work|compile|pass|fail|hold|happen|suffice|know|see|expect|already|note|
be (fine|ok|okay|possible|easy|able|enough|true|clear|the same|equivalent|considered|noted|
done by|there|here|back|gone|ready|on|in|straightforward)|have (been|had|done|gotten|seen))
""",
    # Verbs that report another person's words.
    "says": r"""
(proposed|suggested|wanted|argued|said|thought|thinks|dislikes|disliked|likes|mentioned|asked|
raised|
noted|claimed|objected|requested|reported|wrote|recommended|wants|proposes|suggests|argues|says|
claims|asks|prefers|preferred|opposes|opposed|believes|believed|feels|felt|pointed out|
points out|insists|insisted|told|tells|complained|explained|replied|answered|commented|agreed|
disagreed|objects|supports|supported|agrees|disagrees|expressed|voiced|worries|worried)
""",
}

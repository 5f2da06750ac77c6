"""The phrases by which people decide, propose, agree and object.

Each phrase is a line of a table of regular expressions, in which a bracket only groups and `<word>`
stands for a class of words. An indented line continues the previous one. The phrases are matched
against sentences in plain form (see `sentences`): lower case, no contractions.
"""

from __future__ import annotations

import re

_WORDS = {
    "opening": r"""
((yes|yeah|yep|yup|ok|okay|oh|ah|and|so|well|hmm|hm|right|sure|great|cool|alright|then|fine|good|
    thanks|i see|i think|i guess|also|but|all|now)\b[,.!:]* )*
""",
    "very": r"""
((also|very|quite|rather|too|so|just|still|a bit|kind of|much|somewhat|more|all|always|now|
    a little|perhaps|maybe|even|at least|then|already|hereby|overall|do|\w+ly) )*
""",
    "role": r"""
(owner|liaison|reviewer|lead|champion|chair|maintainer|editor|assignee|mentor|shepherd|driver|
    note-?taker|facilitator|contact|author)
""",
    "task": r"""
(do|take|write|file|close|merge|open|start|post|review|own|lead|draft|send|look into|look at|
    follow up|handle|prepare|add|fix|update|make|create|ping|reach out|leave a|comment|move|
    cancel|kick off|schedule|check|nominate|summari[sz]e|work on|volunteer|drive|run|set up|
    submit|push|land|revert|assign|tag|mark|report back|talk to|ask|email|mail|try|be the|
    organi[sz]e|document|record|propose|approve|sign|ship|deploy|release|rename|remove|delete|
    drop|test|measure|investigate|implement|help)
""",
    "closing": r"""
(closing|merging|accepting|approving|postponing|deferring|rejecting|starting|marking|assigning|
    landing|reverting|kicking off|going (ahead )?with|going ahead|shipping|filing|tabling|
    adopting|scheduling|moving (it|this|that|on|to)|cancelling|canceling|opening|nominating|
    deciding on|settling on|dropping)
""",
    "close": r"""
(close|merge|accept|approve|postpone|defer|reject|start|mark|assign|land|revert|kick off|go with|
    go ahead|ship|file|table|adopt|schedule|cancel|open|nominate|drop|take|move|leave|keep|use|do|
    stay|wait|switch|write|add|make|have|remove|release|try|come back|revisit|put|split|rename|
    begin|proceed|continue|stick|stop|allow|require|support|fix|include|set|run|meet|say|call|ask)
""",
}
_CLASS = re.compile(r"<(\w+)>")
_GROUP = re.compile(r"(?<!\\)\((?!\?)")


def _turns(table: str) -> re.Pattern[str]:
    """Compile a table of phrases into one pattern."""
    lines = re.sub(r"\n[ ]{4}", "", table).strip("\n").split("\n")
    return re.compile("|".join(_GROUP.sub("(?:", f"({_written_out(line)})") for line in lines))


def _written_out(line: str) -> str:
    return _CLASS.sub(lambda name: re.sub(r"\n[ ]*", "", _WORDS[name[1]]), line)


PROPOSES = _turns(r"""
\bwe <very>(should|ought to|must)\b(?! not\b)(?! (be able|have (been|had|done)|know|see|expect|
    already)\b)
\b(it|this|that|these|those|they|there|which|someone|somebody|each|every \w+|the \w+|
    \w+s) <very>(should|ought to)\b(?! not\b)(?! <very>(work|compile|pass|fail|hold|happen|
    suffice|be (fine|ok|okay|possible|easy|able|enough|true|clear|the same|equivalent|
    considered))\b)
\bshould( not)? (we|i|it|this|that|there)\b
\b\w+ should <very><task>\b
^(could|can|might) <very>(wait|leave|keep|try|use|add|drop|move|make|do|split|defer|start|ask|go|
    put|have|rename|merge|close)\b
(?<!then )\bwe <very>need (to|an?|some|more)\b
\b(this|it) <very>needs (to|an?|some|more)\b
\bwe <very>(can|could|might|may)\b(?! not\b)(?! <very>(see|tell|assume|expect|observe|know|
    imagine|infer|conclude|be sure|hope|argue|agree|get away|end up|run into|safely say|
    have (been|had))\b)
\b(can|could|might|may)( not)? we\b
\b(can|could|would|will) (you|someone|somebody|anyone|anybody) (please |maybe |perhaps |
    be (willing|able) to |like to |want to |mind )*<task>
\b(have|do) you (have )?(time|bandwidth|capacity)\b
\b(do|would) you (want|like|be willing|mind)\b( to)? (be|<task>)
\blet us\b(?! do (it|that|this)\b)(?! (see|say|face|assume|suppose|imagine|know|be honest)\b)
\bwhat (about|if)\b(?! (when|they|you|he|she|people|someone)\b)(?! (this|the|these|that|
    those) (\w+ )?(examples?|cases?|code|situation)\b)|\bhow about\b
\bwhy (not|do not we|do we not|can not we)\b
\bi (would |might |may |do |also |really |just |still |personally |strongly |hereby )*(propose|
    suggest|recommend|vote|advocate|move that|move to)\b(?! against| no)
\bmy (suggestion|proposal|recommendation|preference|inclination|vote|request|ask)\b
\bi am <very>(inclined|tempted) to (?!like|agree|support|say yes|accept|go\b|think|believe|be\b)
\bdoes (anyone|anybody|someone|somebody) want to\b
^(probably|maybe|perhaps|definitely) should\b(?! be (fine|ok|okay)\b)
\bi (would|might|will) <very>(like|want|prefer|love|rather|go with|opt|vote|keep|start|use|
    expect us|advise)\b(?! (that|this|it)\b(?! to| if))(?! not\b)
\bi( do| also| really| still| just)* (prefer|want (to see|us|an?|the|to have))\b
\b(i (was|am|have been|keep) (\w+ )?(thinking|wondering))\b(?=.*\b(we|should|could|would|to|maybe|
    might)\b)
\bi wonder (if|whether) (we|it would|it might|this should|that should)\b
\bi (would )?imagine (we|it|this|that|the|there|you|\w+s)\b(?=.*\b(would|could|should)\b)
\b(may|might|would|could|does|will) (it )?<very>(make (more |most )?sense|be (\w+ )?(good|better|
    best|worth|worthwhile|wise|sensible|preferable|reasonable|prudent|simpler|easier|cleaner|
    safer|enough|appropriate))\b(?=.*\b(to|if we|for us)\b)
\b(it|that) (makes|made) (more |most )?sense (to|for us)\b
\bworth (\w+ )?\w+ing\b
\b(the|a|an|another|one|best|better|right|simplest|easiest|alternative|possible|other|cleaner|
    safer|first|next) (option|way|approach|alternative|solution|suggestion|idea|possibility|thing|
    step|choice|move|default|fix|compromise|answer)( \w+){0,4} (would|could|might|should|may) be\b
\b(wants? to (be|live|go)|belongs? (in|to|under|on)|fits better|deserves?)\b
\b(would|does) any(one|body) (object|mind|have (an |any )?objections?)\b
\bany objections? (to|if)\b|\bshall (we|i)\b|\bdo (not )?we want\b|\bdo (not )?we just\b
^(or|alternatively|instead|perhaps|maybe),? (we|just|let us|an?|the|it is worth|with|keep|use|
    make|add|call|have|do|put|move|leave|drop|split|someone)\b(?! (is|was|are|were|already)\b)
\b(with|and|maybe|perhaps|about|nominate|have|make) \w+ (\w+ )?(as|be) (the |an? |our )?<role>
\b(needs?|want|find|see|have) (an? |the |some )?<role>\b(?=.*(first|before|\?|$))(?<!i have)
^(proposal|suggestion|idea|option \w+|alternative|action items?|todo|ask|request|
    recommendation) ?:
^please\b|\bplease (do|can|could|add|write|send|review|check|open|file|make|keep)\b
\[proposal\]
""")
AGREES = _turns(r"""
^<opening>(strongly |totally |completely |fully |mostly |generally |definitely |also |\+ )*(agree|
    agreed|seconded|second (that|this)|concur|sg|sgtm|lgtm|ditto|likewise|same here|fair enough|
    fair point|good (point|idea|plan|call)|great (idea|point|plan)|nice idea|love it|works for me|
    fine (with|by) me|ok (with|by) me|me too|yes please|ship it|makes (\w+ )?sense|
    sounds? (\w+ )?(good|great|right|reasonable|fine|sensible)|seems? (\w+ )?(good|great|right|
    reasonable|fine|sensible|ok|okay)|no (strong |further |real )?(objections?|concerns?|
    complaints?))\b
(^|\s)\+ ?1(\s|$|[,.!])
\bi <very>(would |will |can |have to |must |tend to )*(agree|concur|support|second|approve|
    endorse)\b
\bi <very>(like|love) (this|that|it|the|your|his|her|their|how|where|having|\w+'s)\b
\bi would (really )?(like|love|prefer) (that|this|it)\b(?! to| if)
\bi (am|would be|feel|remain) <very>(in favou?r|fine with|ok with|okay with|happy with|good with|
    on board|sold on|convinced|inclined to (like|agree|support|say yes|accept|go)|supportive|
    for (it|this|that|the)|comfortable with|leaning (towards?|yes|positive|in favou?r)|all for)\b
\bi (would |do |still |also )*lean (towards?|positive|yes|in favou?r)\b(?! (no|not|against)\b)
\b(that|this|it|which|all|x+|\w+ing) (all )?(would )?<very>(makes?|seems?|sounds?|feels?|
    looks?) <very>(like )?(a |the )?(lot of |perfect |good |total |perfectly |entirely )*(sense|
    good|great|fine|reasonable|right|ok|okay|sensible|better|nicer|cleaner|best|preferable|ideal|
    plausible|appealing)\b(?! to (?!me\b|us\b)\w+)
\bi (think|guess|feel|believe) (that )?(it|this|that|that all) (is|would be|will be) <very>(ok|
    okay|fine|good|great|reasonable|right|sensible|a good|the right|better)\b
\b(that|this) (is|would be) (an? )?(\w+ )?(good|great|excellent|better|nice|reasonable|fine|
    sensible|fair) (idea|plan|point|approach|compromise|suggestion|solution|call|default|way)\b
\bno (strong |real |particular |further )*(objections?|concerns?|complaints?|problems? with|
    issues? with)\b
\bnot (\w+ )?(object|mind|disagree|oppose|opposed|against)\b(?!.*\bbut\b)
\bnot (see|think of|find|have) (any |a |an |much )?(\w+ )?(reason (not|against)|harm|downsides?|
    objections?|problems?|argument against)\b
\bhard time (\w+ )?(coming up with|finding|thinking of|seeing) (an? |any )?(counter\w*|
    \w+ against|reason not|objection)
\b(see|understand|appreciate) the (argument|case|appeal|value|point|benefit|motivation) (for|of|
    in|why)\b
\byou are (\w+ )?right\b(?=.*\b(should|we|that)\b)|\bgood point\b|\bgreat idea\b
\b(convinced|persuaded) (me|by)\b|\blet us do (it|that|this)\b
""")
OBJECTS = _turns(r"""
\bi <very>(would |have to |must )*(disagree|object|oppose|worry|fear|doubt|hesitate)\b
\bnot (\w+ )?agree\b|^(strongly |respectfully )?disagree\b
\bi (am|would be|feel|remain) <very>(against|opposed|worried|concerned|skeptical|sceptical|
    hesitant|nervous|wary|uncomfortable|unconvinced|reluctant|afraid|leaning (against|no|negative|
    towards? not))\b
\bi (am|would be|feel|remain) <very>not <very>(convinced|sold|a (big |huge )?fan|keen|happy|
    comfortable|thrilled|in favou?r|ok with|okay with|fond|persuaded)\b
\bnot <very>sure (that |if |whether )?(we|it|this|that|i (like|want|agree)|\w+ing|the|there|
    about)\b(?! (is|was|are) (the|an?) )
\bi (would |do |still |also )*lean (negative|against|no\b|towards? (no|not|against))
\bi (do|would) <very>not <very>(like|want|love|support|see (why|the (point|value|need|benefit))|
    buy|favou?r|do (it|this|that))\b
\bi do <very>not <very>(think|believe|feel) (that )?(we|it|this|that|there|the|\w+ing)\b(?! (is|
    was) (the case|true))
\b(my|one|a|the|main|big|bigger|biggest|only|real|another|some|serious) (\w+ )?(concerns?|worry|
    worries|objections?|downsides?|drawbacks?|trouble|catch|risk|danger) (is|are|with|here|would|
    about|that|of|i)\b
(?<!fix the )(?<!solve the )(?<!address the )(?<!no )\b(problem|trouble|difficulty) with \w+
\bi (\w+ )?have (some |a few |a lot of |many |serious |strong |real |my |mild |big )*(concerns?|
    reservations|doubts|worries|objections?)\b|\bi would (hate|be (sad|sorry|unhappy))\b
\bmakes me (\w+ )?(nervous|uneasy|sad|uncomfortable|worried|anxious|hesitant)\b
\b(worries|concerns|bothers|scares) me\b|\b(rather|prefer) not\b|(^|\s)-1(\s|$)|\bveto\b
\bwhy would (we|you|anyone|i)\b
\bwe <very>(should|must) not\b
""")
# These phrases often state facts; they count as objections only if a proposal is open.
COUNTERS = _turns(r"""
\b(does|do|will|would|can|could|is|are|may|might) not (really |necessarily |actually |always |
    quite |seem to |even )*(work|help|scale|solve|fit|make sense|hold|apply|cover|good|great|
    ideal|right|worth|enough|feasible|possible|address|handle|need|buy us|feel|sufficient|
    suffice)\b
\b(it|this|that|which) (is|would be|will be|seems|feels|sounds|gets|
    becomes) <very>(like )?(an? )?<very>(hard|harder|difficult|tricky|confusing|surprising|
    inconsistent|odd|weird|strange|dangerous|bad|wrong|unfortunate|awkward|overkill|premature|
    shame|misleading|annoying|ugly|mistake|risky|footgun|costly|expensive|complex|complicated|
    slow|painful|brittle|fragile|a lot of work|breaking change|early|late|strict|broad|narrow|
    magical|subtle|heavy|much|unnecessary|redundant|pointless)\b
\b(seems|feels|sounds|is|looks) (\w+ )?(inconsistent|wrong|premature|excessive|overkill)\b
\b(would|will|could|might|may|that|it|this) <very>(break|breaks|regress|hurt|hurts|confuse|
    confuses|conflict|conflicts|complicate|complicates|prevent|prevents|slow|slows|cost|costs|
    lose|loses|require (us|everyone|people|a lot|an?)|force|forces|mean (that )?(we|you|people|
    everyone|users) (would |will )?(have|need|can not|lose))\b
\b(we|you|they|people|users|everyone) (would|will)( then| also| still| all)? (need|have) (to|an?|
    some)\b
\bthen (we|you) (need|have to)\b|\btoo (complex|complicated|hard|costly|expensive|risky|strict|
    strong|broad|narrow|early|late|magical|subtle|slow|much|big|many)\b
\b(is|are|was|does|would|do) not (that|this|it|we|there) (\w+ )?(hard|too|already|just|going to|
    break|mean|a|an|the|more|also|have|cause|risky|confusing)\b
\bas long as (we|it|they|you)\b|\bmoot\b|\bdefeats? the (point|purpose)\b
""")
DECIDES = _turns(r"""
^<opening><closing> (it|this|that|the|these|those|them|now|as|an?|with|ahead|\w+)\b
\b(i am|we are) (now |just |hereby |going to be )?<closing>\b
^<opening>(we|let us) (will |are going to |shall |just |then |all )*<close>\b.*(\bthen|\bfor now|
    \binstead|\band (look|revisit|come|we|i|\w+ (will|writes|takes)))\b
^(ok|okay|alright|so|great|cool|right|then|fine|good)\b[,.!:]* (then |so |yes |yeah )*(let us|
    we (will|go|are going to|shall|just)) <very><close>\b
\bwe (will|are going to|shall) <very><close>\b(?! (need|see|get|have to)\b)
^(the )?(conclusion|consensus|decision|resolution|outcome|resolved|verdict|action items?|action|
    final decision|final answer|tl;dr|result|plan)s? ?(:|is (to|that|we)|reached\b|- )
\bconsensus (is|reached|seems to be|was reached)\b|\bfinal (decision|answer)\b|\blet us go with\b
\b(we|everyone|everybody|all) (have |just |now |all |seem to |seems to |clearly |then )*(agree|
    agrees|agreed|decided|concluded|settled|resolved|chose|are agreed|are settled)\b( (on|to|that|
    upon|not|here|it|then|we)\b| ?:|,|$)
\b(it is|that is|that settles|this is) (settled|decided|it then)\b|^(settled|decided|sold|
    resolved)\b
\[(decision|consensus)\]
""")
# Volunteering for a task; a decision if someone asked for it.
TAKES_ON = _turns(r"""
\bi (will|can|could|would|shall)( also| just| happily| gladly| definitely| certainly| try to|
     go ahead and| then)* <task>\b(?! (it )?(some day|someday|eventually|one day))
\b(i am |i would be |very |more than )?(happy|glad|willing) to (help |be |<task>)
\bi (would|will|can|could|am going to)( want to| like to| love to| be happy to| gladly)? ?
    be (the |an? )?<role>
\bi (will|can) (do|take) (it|that|this|care)\b|\bi volunteer\b|\bcount me in\b|
    ^on it\b|\bi am (on it|in)\b
\bi am going to <task>\b
^(sure|yes|yeah|ok|okay|yep)[,.!]* (i will|i can|will do|can do|on it|happy to|i would)\b|
    ^will do\b
""")
# Reports of another's words.
REPORTS = _turns(r"""
^(\w+|the \w+( \w+)?|some( \w+)?|people|they|he|she) (\w+ )?(proposed|suggested|wanted|argued|
    said|thinks|dislikes|disliked|mentioned|asked|raised|noted|claimed|objected|requested|
    reported|wrote|recommended|wants|proposes|suggests|argues|says|claims)\b
\b(the |his |her |their |latest |original |current |existing )+(proposal|idea|suggestion|plan|rfc|
    text|doc|document) (is|was|says|said|proposes|proposed|suggests)\b
""")
# Statements that close a point, whoever asked.
CLOSES = _turns(r"""
\bi (will|am going to)( now| just| go ahead and| then)* (close|merge|start|file|open|approve|
    postpone|accept|reject|land|revert|kick off|nominate|mark|schedule|cancel)\b
""")
# A message with this opening objects to the previous one, if a proposal is open.
OPENS_AGAINST = _turns(r"""
^((yes|yeah|right|sure|ok|okay|true|fair|well|hm+|maybe|possibly|no)\b[,.]* )*(but|however)\b
""")
# References to another time.
PAST = _turns(r"""
\b(last (year|month|week|time|meeting|summer|spring|fall|winter)|previous(ly)?|earlier|yesterday|
    ago|back (then|in|when)|\w+ed (\w+ ){0,4}in (january|february|march|april|may|june|july|
    august|september|october|november|december|\d{4})|pre-\S+|originally|at the time|used to|
    historically|long ago|in the past|had (already )?(agreed|decided|concluded)|already (agreed|
    decided|concluded|closed|merged)|once (agreed|decided))\b
""")
# Statements that something would be welcome, which are not proposals.
WISH = _turns(r"""
\b(would|could|might|will) be (\w+ )?(nice|lovely|great|cool|neat|useful|awesome|sweet|
    interesting|handy)\b
""")
TURN = _turns(r"\b(but|however|though|although|yet|still|except)\b")
NEGATION = _turns(r"\b(not|never|no|hardly|nobody|without|neither|nor)\b")
SPEAKER = _turns(r"^(i|we|my|our|it|this|that|there|what|how|maybe|perhaps|so|ok|okay|and|but)\b")

"""The cues: patterns that mark a clause, given in its plain form, as a lasting statement.

A single word is not enough. For example, "always" counts only before an imperative, "prefer" only
before a name, and "we" only before a habit.
"""

from __future__ import annotations

from varves.capture.cue import Cue

_VERBS = (
    "accept|add|align|allow|alphabeti[sz]e|annotate|answer|append|apply|approve|ask|assert|assume|"
    "attach|avoid|await|back|base|be|begin|block|branch|break|build|bump|bundle|cache|call|"
    "capitali[sz]e|cast|catch|change|check|cite|clean|code|combine|comment|commit|compare|"
    "compile|compress|confirm|connect|convert|copy|count|cover|create|cut|declare|default|define|"
    "delete|deploy|describe|disable|document|do|drop|edit|embed|enable|encode|end|ensure|escape|"
    "expect|explain|expose|export|extend|fetch|fix|follow|force|force-push|format|generate|"
    "give|group|guard|handle|hard-?code|hash|have|hit|ignore|import|include|indent|index|"
    "inherit|inject|inline|install|join|keep|leave|let|link|lint|localize|lock|log|lower|make|"
    "mark|measure|mention|merge|migrate|mix|mock|modify|mount|move|name|nest|number|omit|order|"
    "override|overwrite|pass|paste|patch|pick|pin|plan|prefix|print|publish|pull|push|put|query|"
    "quote|raise|rebase|record|refactor|refer|release|rely|remove|rename|repeat|replace|reply|"
    "report|require|reset|respond|restart|retry|return|reuse|review|revert|rewrite|roll|rotate|"
    "round|run|save|say|schedule|select|send|separate|set|share|ship|show me|sign|skip|specify|"
    "spell|split|squash|stage|start|state|stop|store|style|submit|suffix|suppress|swallow|sync|tag|"
    "target|test|throw|touch|track|translate|treat|trigger|trim|trust|try|turn|type|update|upgrade|"
    "upload|use|validate|vendor|verify|version|wait|wrap|write"
)
_WORK = (  # topics about which developers have rules; other rules are mostly wishes
    r"(?:migrations?|commits?|commit messages?|(?:unit |integration |new )?tests?|specs?|"
    r"endpoints?|"
    r"routes?|controllers?|modules?|functions?|methods?|class(?:es)?|files?|packages?|crates?|"
    r"librar(?:y|ies)|dependenc(?:y|ies)|prs?|pull requests?|merge requests?|branch(?:es)?|"
    r"releases?|"
    r"services?|hooks?|quer(?:y|ies)|strings?|texts?|changes?|imports?|configs?|scripts?|jobs?|"
    r"pipelines?|images?|variables?|docs|docstrings?|comments?|tables?|models?|schemas?|apis?|"
    r"fixtures?|mocks?|errors?|exceptions?|logs?|log lines?|timestamps?|dates|amounts?|prices|"
    r"money|ids|"
    r"keys|names|translations?|types?|interfaces?|structs?|enums?|index(?:es)?|columns?|results?|"
    r"experiments?|runs|reports?|plots?|figures?|datasets?|notebooks?|code|features?|flags?|"
    r"deploy(?:ment)?s?|hot ?fix(?:es)?|bug ?fix(?:es)?|tickets?|todos?|snapshots?|templates?|"
    r"css|sql|yaml|json|html|terraform|resources?|buckets?|charts?|manifests?|containers?|volumes?|"
    r"access|pushes|merges|urls|metrics?|alerts?|responses?|requests?|payloads?|events?|messages?|"
    r"units?|numbers?)"
)
_PLACES = (
    r"repo|repository|project|crate|package|codebase|code base|app|application|service|team|"
    r"company|"
    r"monorepo|workspace|library|org|organi[sz]ation|product"
)
_NO_NAME = (  # words that refer to something that was said before
    r"(?:this|that|these|those|it|them|one|ones|both|neither|either|yours?|mine|you|what|whatever|"
    r"option|version|variant|plan|number|choice|(?:the )?(?:first|second|third|last|former|latter|"
    r"other|old|new|left|right|top|bottom|same|next|original|previous|\w+ one)|[a-d]|\d+)\b"
)

_WORKING = (
    r"(?:add|change|commit|create|edit|finish|fix|generate|make|merge|modify|push|refactor|release|"
    r"rename|run|start|touch|update|write)"
)
LASTING = Cue(
    r"\b(?:from (?:now|here|today) on(?:wards?)?|going forward|henceforth|"
    r"(?:also )?in (?:the )?future(?! (?:version|release|we will|i will|it will))|"
    rf"as a (?:general )?(?:rule|policy),? (?!of thumb)|(?:(?:every|each) time|whenever) you "
    rf"{_WORKING})\b",
    anchors="from |forward|henceforth|future|as a |time you|whenever",
)
ORDER = Cue(
    r"(?:^|[,;:(\u2013-] ?|\b(?:please|and|or|but|so|you|we|rule is|"
    rf"convention is|project|repo) )(?:always|never(?: ever)?) (?:{_VERBS})\b(?! (?:it|this|"
    rf"that)$)|"
    rf"\b(?:do not|don't) ever (?:{_VERBS})\b(?! that)|"
    rf"\b(?:we|you|nobody|no one|agents|{_WORK}) (?:must|may|should|can|shall) (?:never|always|"
    rf"only ever)"
    r" (?:be )?\w+(?! it\b)\b(?! it\b)",
    anchors="always|never|ever ",
)
CONDITIONED = Cue(
    rf"^(?:if|when|whenever|before|after) (?:you|a|an|the|any|something|someone)\b.{{3,120}}, "
    rf"(?:please )?(?:always|never) (?:{_VERBS})\b|"
    r"^when(?:ever)? you (?:write|name|review|document|format|answer|explain|commit|generate) "
    r"(?!the\b|this|that|it\b|those|these|my|your|them|an?\b|one\b|some\b|"
    r"more\b)[\w-]+(?: [\w-]+)?, "
    rf"(?:please )?(?:{_VERBS})\b(?! (?:it|them|this|that|those|these)\b)",
    anchors="always|never|when",
)
EVERY = Cue(
    rf"\b(?:every|each|any|all)(?: new| public| our| single)? (?:[\w-]+ ){{0,2}}?{_WORK}\b "
    rf"(?:[\w/.+-]+ ){{0,6}}?"
    r"(?:must|has to|have to|needs? to (?:be|have|go|come|pass|carry|start|end|live)|gets? (?:an?|"
    r"its|the)|"
    r"goes (?:in|into|to|through)|go (?:in|into|to|through)|requires?|shall|may only|needs? "
    r"(?:an?|its)|"
    r"(?:starts?|begins?|ends?|comes?) with|carr(?:y|ies) (?:an?|the|its)|lives? (?:in|under|"
    r"next))\b",
    anchors="every|each|any|all",
)
NONE = Cue(
    r"^no (?:[\w/.+-]+ ){1,6}(?:without|unless|before|outside|anywhere|in (?:prod|production|main|"
    r"master|"
    rf"(?:this|our) (?:{_PLACES}))\b)",
    anchors="no ",
)
ASKING_FIRST = Cue(
    rf"\b(?:do not|never) (?:{_VERBS}) (?:\S+ ){{0,6}}?without (?:asking|telling|checking with|my "
    rf"ok)",
    anchors="without",
)
BARRED = Cue(
    r"\b(?:is|are) (?:strictly |absolutely )?(?:forbidden|prohibited|banned|not allowed|"
    r"off[- ]limits|"
    r"a no-go|taboo|only (?:ok|okay|allowed|fine|permitted|acceptable) (?:in|for|if|when|with|"
    r"on))\b|"
    r"\bonly counts? (?:if|when)\b|\b(?:must|may) not be \w+",
    anchors="forbidden|prohibited|banned|not allowed|limits|no-go|taboo|only |not be ",
)
PLURAL_DUTY = Cue(
    rf"^(?:all |our |new |public )?(?:[a-z-]+ )?{_WORK}(?<=s) (?:(?:on|in|for|of|to|from) [\w.-]+ "
    rf")?"
    r"(?:must|have to|shall|always (?:go|get|need|come|live|use)|"
    r"never (?:go|get|need|come|live|use|contain|call)) ",
    anchors="must|have to|shall|always|never",
)
DECIDED = Cue(
    r"\bwe (?:have |had |all |both |just |finally |now |then |already )*(?:decided|agreed|settled|"
    r"opted)\b(?! (?:yet|nothing|anything|by|whether|later|who|that in|this|it\b|so))|"
    r"^(?:(?:team|group|joint|final|our|new|architecture|design|product) )*(?:decision|decided|"
    r"settled|agreed|final call|verdict)(?: is| so far)? ?[:\u2013-]|"
    r"[,;\u2013-] ?(?:that is |it is )?decided$|^it is decided|\b(?:the|our) decision is (?:to|"
    r"that)\b|"
    r"^i (?:have )?decided (?:that we|we|to (?:go with|use|keep|drop|move|switch|stay))\b|"
    r"\bwe chose\b",
    anchors="decided|agreed|settled|opted|decision|chose|call|verdict",
)
CHOSEN = Cue(
    r"\b(?:we|we will|we are|let us) (?:will |are |all |both |just |now |then |all )*"
    r"(?:go(?:ing)? with|stay(?:ing)? (?:on|with)|stick(?:ing)? (?:with|to)|"
    r"remain on|keep using|settle (?:on|for)|standardi[sz]e on|move (?:everything )?to|switch to|"
    rf"drop support for)\b (?!{_NO_NAME})",
    anchors=(
        "go with|going with|stay|stick|remain on|keep using|settle|standardi|move |"
        "switch|drop support"
    ),
)
PROPOSED = Cue(
    r"\blet us\b",
    anchors="let us",
)
WIDE = Cue(
    r"\b(?:for (?:all|every|the whole|everything|our|new)|everywhere|across|in (?:all|every|our|"
    r"the whole)|"
    rf"instead of|because|since|rather than|decided|as (?:the|our)|(?:{_PLACES}|api|apis|"
    rf"services))\b"
)
TURNED = Cue(r"\b(?:scrap|instead|then|after all|rather than)\b|, (?:no|not) ")
SETTLED_BY_NAME = Cue(
    r"\b(?:is|are|becomes?|will be) (?:now |from now )?(?:our|the) (?:new )?(?:default|standard|"
    r"baseline|"
    r"convention|norm|official \w+|reference|source of truth)\b",
    anchors="default|standard|baseline|convention|norm|official|reference|source of truth",
)
KEPT = Cue(
    rf"\bwe (?:will |just )?keep (?!{_NO_NAME}|going|doing|getting|seeing)(?:\S+ )+?"
    r"(?:until the|because|as the|for (?:all|our|the)|everywhere|instead of)\b",
    anchors="keep ",
)
AGREED = Cue(
    r"^agreed[,:]? (?:no|we|only) \w+",
    anchors="agreed",
)
AGREED_WHEN = Cue(
    r"\b(?:agreed|signed off|decided|talked|confirmed|approved|is fine|nods|said yes)\b"
    r".*\b(?:today|yesterday|this (?:morning|week|afternoon)|last \w+|on \w+day)\b",
    anchors="today|yesterday|this |last |day",
)
PREFERS = Cue(
    r"\bi (?:\w+ly |much |still |do |also |always |would always )?(?:prefer|favou?r) "
    rf"(?!{_NO_NAME})(?!(?:to|not to) (?!see|have|get|read|use|work|review|write|test|be))(?!if )|"
    r"\bmy (?:\w+ )?preference is\b(?! (?:the (?:first|second)|that one))|"
    r"\bi (?:really |also |do )?(?:like|love|appreciate|hate|do not like|dislike)(?: it)? "
    r"when(?:ever)? you\b|"
    r"(?:\bi am |^)not a (?:big |huge |great )?fan of (?!this|that|it\b|the idea)|"
    r"\bi (?:really |just )?(?:hate|dislike|can not stand|do not like) (?!this|that|it\b|the\b|"
    r"how|my|"
    r"your|these|those)(?:[\w-]+ ){0,2}?(?:explanations|answers|replies|responses|summaries|"
    r"comments|"
    r"messages|commits|diffs|functions|names|abbreviations|acronyms|emojis|bullet points|"
    r"ternaries|one-liners|abstractions|docstrings|preambles|mocks|globals|macros|"
    r"dependencies|disclaimers|apologies|lectures|pleasantries)\b(?! (?:like|in) (?:this|that|"
    r"the))|"
    r"\bi (?:really )?(?:do not like|dislike) (?!this|that|it\b|how|where|the (?:way|look|idea|"
    r"name))"
    r".{3,60} (?:in|for|when|inside|with) ",
    anchors="prefer|favo|when you|whenever you|fan of|like |dislike|hate|stand",
)
LIKES = Cue(
    r"\bi (?:really |much )?like (?!it\b|that\b|this\b|the\b)(?:\S+ ){1,6}(?:over|better than|"
    r"more than) |"
    r"\bi am a (?:big |huge )?fan of (?!this|that|it\b|the idea)|"
    r"\bi find (?!it\b|that\b|this\b|the\b|out)(?:\S+ ){1,6}(?:hard|harder|easier|easiest) to "
    r"(?:read|follow|review|scan)",
    anchors="like |fan of|i find ",
)
HABIT = Cue(
    r"\bi (?:\w+ )?(?:want|like|use|work|read|write|code|need) |\bi only (?:want|use|like|read) ",
    anchors="i ",
)
USUAL = Cue(
    r"\b(?:these days|nowadays|in general|generally|usually|normally|by default|as a default|"
    r"always|"
    r"every time|each time|most of the time)\b",
    anchors="these days|nowadays|general|usually|normally|default|always|time",
)
BETTER = Cue(
    r"\b(?:is|are|works?|reads?) (?:much |far |way |always )?(?:better|best|easier|nicer|clearer) "
    r"(?:for me |to me )?when(?:ever)? you\b",
    anchors="when you|whenever you",
)
MANNER = Cue(
    r"\b(?:skip|no|drop|stop|without|omit|leave out|fewer|spare me|do not need|no need for) "
    r"(?:with )?(?:the |those |these |any |your |all the |more )?(?:\w+ )?(?:summaries|recaps|"
    r"explanations|emojis?|apologies|preambles?|disclaimers|pleasantries|compliments|lectures|"
    r"walls of text|bullet points)\b(?! (?:in|on|for|from) (?:the|this|that|my|our))|"
    r"\b(?:keep|make) (?:your |all |all your )?(?:answers|replies|responses|explanations|commit "
    r"messages|summaries|comments)(?: \w+){0,2} (?:short|brief|concise|shorter|terse|simple|in \w+|"
    r"under|to|at)\b|"
    r"^(?:short|shorter|brief|concise|terse) (?:answers|replies|responses|summaries|"
    r"explanations)\b|"
    r"^(?:answer|reply|respond|talk|speak) (?:to me )?in (?:english|german|french|spanish|full "
    r"sentences|"
    r"plain \w+|metric)",
    anchors=(
        "summaries|recaps|explanations|emoji|apologies|preamble|disclaimers|pleasantries|"
        "compliments|lectures|walls of|bullet|answers|replies|responses|messages|"
        "comments|answer|reply|respond|talk|speak"
    ),
)
KEEP = Cue(
    r"^(?:please |also |(?:can|could) you (?:please )?|you should |you need to )?"
    r"(?:remember|keep in mind|bear in mind|do not forget|don't forget|be aware|take note|make a "
    r"note|"
    r"memori[sz]e|note|for the record|for your information|fyi|for future reference|"
    r"for (?:the )?next time|heads[ -]?up|just so you know|so you know|good to know|you should "
    r"know|"
    r"worth knowing|important|careful|watch out|mind you|reminder)"
    r"(?:,? that\b|,? please\b|[:,;.\u2013-]| )+(?P<what>.+)",
    anchors=(
        "remember|in mind|forget|aware|note|memori|record|information|fyi|reference|"
        "next time|heads|know|important|careful|watch out|mind you"
    ),
)
OURS = Cue(
    r"\b(?:is|are) (?:also |now |always |all )?our (?!problem|issue|bug|friend|guess|last|next|"
    r"best bet|"
    r"only hope|fault|mistake|goal|turn|meeting|demo)|"
    r"^our (?!meeting|demo|call|standup|deadline|lunch|goal|plan|problem|issue)(?:(?!should|would|"
    r"could|must)[\w/.+-]+ ){1,4}(?:is|are|has|have|runs?|lives?|uses?|comes?|"
    r"requires?|expects?|speaks?|sits?|only|must|can not|never|always)\b",
    anchors="our ",
)
WE_DO = Cue(
    r"\bwe (?:only ever |only |also |always |never |do not |all |mostly )?(?:support|deploy|ship|"
    r"host|target|require|"
    r"report|follow|pin|vendor|publish|release|version|maintain|bill|charge|sell|indent|review|"
    r"squash|"
    r"rebase|run on|build with|rely on|depend on|test against|use(?! (?:the|an?|to|of)\b)) "
    r"(?!it\b|this\b|that\b|them\b|these\b|those\b|the same\b|a lot\b|you\b|nothing\b|what)",
    anchors="we ",
)
WE_TAKE = Cue(
    r"\bwe (?:will |now |always |never |only |do not )?(?:call|format|keep|log|name|prefix|put|"
    r"return|"
    r"round|run|spell|start|store|tag|test|throw|use|write) (?!it\b|this\b|that\b|them\b)",
    anchors="we ",
)
WE_ARE_ON = Cue(
    r"\bwe are (?:all |only )?(?:on|bound to|limited to|stuck on) \w[\w .]*\d",
    anchors="we are ",
)
RECURS = Cue(
    r"\b(?:is|are|runs?|gets?|happens?|comes?|goes|go|starts?|ends?|closes?|resets?|expires?|"
    r"rotates?) "
    r"(?:\S+ ){0,8}?(?:daily|nightly|weekly|monthly|hourly|yearly|once an? (?:day|week|month|hour|"
    r"year)|"
    r"every (?:\w+ )?(?:day|night|morning|evening|week|month|hour|year|sprint|release|monday|"
    r"tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|quarter)|on (?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days)\b",
    anchors="daily|nightly|weekly|monthly|hourly|yearly|once a|every |days",
)
KEPT_SO = Cue(
    r"\b(?:is|are) (?:always |only |all |never )?(?:stored|kept|hosted|deployed|owned|maintained|"
    r"generated|managed|deprecated|frozen|encrypted|signed|vendored|mirrored|measured|saved|billed|"
    r"counted|versioned|pinned|numbered|rotated|released|published|scheduled|limited|capped|"
    r"imported|consumed|"
    r"written|named|sent|delivered|exported|built|run|read|served|synced) "
    r"(?:\w+ ){0,2}?(?:in|by|on|from|as|with|at|to|under|per|via|through|every|daily|only)\b",
    anchors="is |are ",
)
PRODUCTION = Cue(
    r"\b(?:prod|production|staging)(?: \w+){0,3} (?:has|have|runs|run|uses|lives|sits|resets|"
    r"connects|talks|points|allows|listens)\b|"
    r"\b(?:has|have|runs|uses|holds) (?:\S+ ){1,8}in (?:prod|production|staging)\b",
    anchors="prod|staging",
)
WE_HAVE = Cue(
    r"\bwe have (?:only |exactly )?(?:one|two|three|four|five|six|\d+) (?:\w+ )?(?:environments|"
    r"regions|"
    r"clusters|tenants|customers|databases|teams|apps|services|brands|repos|markets|countries)\b",
    anchors="we have ",
)
ABOUT_ME = Cue(
    r"\bi (?:am|work|develop|code) on (?:windows|linux|macos|a mac|wsl|nixos|arch|ubuntu|"
    r"freebsd)\b|"
    r"\bi am (?:colou?r ?blind|left-handed|dyslexic|new to \w+|the (?:maintainer|owner|lead|"
    r"dba))\b",
    anchors="i am |i work |i develop |i code ",
)
ROLE = Cue(
    r"\b(?:is|are) (?:the|our) (?:owner|maintainer|contact|dba|product owner|tech lead|code "
    r"owner)s?\b|"
    r"\b(?:is|are) (?:responsible for|in charge of)\b|\bowns? the \w+",
    anchors="owner|maintainer|contact|dba|lead|responsible|charge|owns|own ",
)
REJECTS = Cue(
    r"^(?:(?:no,? )*no(?=[,.:;!]|$| (?:we|it|in|that|this|the|our|you|i|they|all|every|always|"
    r"never|use|not|"
    r"man)\b)|"
    r"no \w+\W*$|nope|nah|wrong|incorrect|that is (?:wrong|not (?:right|how|what|it))|not "
    r"(?:quite|like that)|"
    r"nein|falsch|non|faux|incorrecto|mal)\b"
    r"(?! (?:idea|worries|problem|need|rush|thanks|thank|luck|change|hurry|clue|doubt|wonder|one|"
    r"way|"
    r"pasa|sé|idee|merci))",
    anchors="no|nah|wrong|incorrect|falsch|faux|mal|nein",
)
IN_THIS = Cue(
    rf"\b(?:in this (?:{_PLACES})|around here),? we (?!need|should|want|can|could|have|had|did|"
    rf"are)\w+|"
    rf"\b(?:our|the) (?:convention|policy|house rule|coding standard) (?:here )?is\b|"
    r"\bit is our (?:convention|policy|rule|standard|custom)\b",
    anchors="in this |around here|convention|policy|house rule|coding standard|our ",
)
RULED = Cue(
    r"^(?:one |another |a |the |our |general |simple |house |new )*(?:rule|policy|convention|"
    r"guideline)s?"
    r"(?: is)? ?[:\u2013-] ?\w+ \w+",
    anchors="rule|policy|convention|guideline",
)
USE_ONLY = Cue(
    r"^(?:please )?(?:use|prefer) \S.{2,60}\b(?:everywhere|for everything|in this "
    rf"(?:{_PLACES})|throughout).{{0,40}}, (?:never|not) \w+",
    anchors="use |prefer ",
)
OPENS_RULE = Cue(
    r"^(?:please )?(?:always|never|do not|every|each|all|no|any|only|from now on|in future|"
    r"whenever|when|if|"
    r"immer|nie|niemals|jede[rs]?|alle|toujours|jamais|chaque|siempre|nunca|cada|todos)\b"
)
GENERAL = Cue(
    r"\b(?:(?:in |across |for )?(?:all|every|each|any|none)(?: of)? our|everywhere|in our \w+|"
    r"with our \w+|"
    rf"in this (?:{_PLACES})|in the (?:whole|entire) (?:{_PLACES})|belongs? (?:in|to|into|"
    rf"under))\b",
    anchors="our|everywhere|this |whole |entire |belong",
)
ACTING = Cue(rf"^(?:please |only |just )*(?:{_VERBS}|let us|just|try|look|wait|undo|revert|go)\b")
ASKS_TOO = Cue(  # facts that only introduce a request
    rf"[,;] (?:so |then |and |please |now |just )*(?:{_VERBS}|let us)\b"
)
CONSEQUENCE = Cue(  # the part of a sentence that follows from its statement
    r"(?i),? (?:so(?! (?:that|far|it|they|much|many)\b)|therefore|hence|which means|that means|"
    r"meaning)\b,? (?P<rest>.+)$",
)
FAILED = Cue(
    r"\b(?:errors?|fail(?:s|ed|ing|ure)?|crash\w*|hung|hangs?|broke|broken|exception|could not|"
    r"can not|would not|did not (?:work|start|build|compile|connect)|refused|timed? ?out|denied|"
    r"already (?:allocated|in use|taken)|"
    r"fehler\w*|abgestürzt|fehlgeschlagen|erreur|plantait|échou\w+|falla\w*|fallaba|no such|not "
    r"found)\b"
)
CURED = Cue(
    r"\b(?:what (?:helped|fixed it|worked|solved it) (?:was|is)|(?:was |is |got )?(?:fixed|solved|"
    r"cured|"
    r"resolved)(?: it| that| this)? (?:by|with)(?! (?:the|your|this|that|my)? ?(?:last|latest|new|"
    r"commit|pr|patch|merge|you|change))|(?:the|my|our) (?:fix|solution|cure|trick|workaround) "
    r"(?:(?:is|was)|(?:for|to|against) (?:\S+ ){1,6}?(?:is|was) (?:to \w+|(?!missing|pending|"
    r"working|"
    r"coming|failing|going)\w+ing))|turned out|turns out|went away (?:when|after|once)|"
    r"(?:was|is) gone (?:after|when|once)|works? (?:again|now|fine|since)(?: \w+)? ?(?:since|"
    r"after|with|"
    r"when|once)|helped in the end|geholfen hat|hilft|gelöst (?:durch|mit)|die lösung (?:war|ist)|"
    r"läuft (?:es )?(?:jetzt|wieder)|ça (?:re)?marche|ça fonctionne|résolu (?:par|avec|en)|"
    r"la solution (?:est|était)|lo (?:arregl|solucion|resolv)\w+|se arregl\w+|la solución (?:es|"
    r"fue)|"
    r"ya funciona|funciona (?:de nuevo|otra vez))\b",
    anchors=(
        "helped|fixed|solved|cured|fix |solution|cure |trick|workaround|turn|away|gone|"
        "work|geholfen|hilft|gelöst|lösung|läuft|marche|fonctionne|résolu|arregl|"
        "solucion|resolv|solución|funciona"
    ),
)
CHANGED = Cue(  # what a user says to have done about an error
    r"\b(?:i|we) (?:\w+ )?(?:put|set|added|pinned|downgraded|upgraded|bumped|moved|switched|"
    r"removed|cleared|"
    r"deleted|reinstalled|rebuilt|restarted|changed|disabled|enabled|replaced|turned|unset|"
    r"exported|"
    r"reverted|rolled|raised|mounted|regenerated)\b|\b(?:set|setting|putting|pinning|rolling|"
    r"going|switching|"
    r"moved|rolled|pinned|downgraded) \S+ (?:\S+ )?(?:back|to|in|off|on)\b",
    anchors="i |we |set |setting|putting|pinning|rolling|going|switching|moved|rolled|pinned|"
    "downgraded",
)
BLAMED = Cue(
    r"\b(?:was the|was a|because|brought|turned out|turns out|culprit|root cause|the cause|"
    r"so after|came from|"
    r"the reason|can not (?:run|read|find|load|open|handle)|was missing|was still|were still)\b",
    anchors="was|because|brought|turn|culprit|cause|after|came|reason|can not|were",
)
NOW_FINE = Cue(
    r"\b(?:(?:is|are|all|goes|went) (?:\w+ )?(?:green|fine|happy|gone)|(?:builds?|works?|runs?|"
    r"starts?|boots?|"
    r"loads?|connects?|compiles?|passes|pass|deploys?) (?:fine|again|now|here|clean|everywhere|"
    r"since)|"
    r"it (?:builds|works|runs|starts|boots|loads|connects|compiles|passes))\b",
    anchors="green|fine|happy|gone|again|now|here|clean|since|it ",
)
SEEN_CURED = Cue(
    r"\b(?:(?:it|that|this|everything)?(?: all)? ?works?(?: now| again| fine)?|that (?:did|fixed|"
    r"solved) "
    r"it|fixed it|(?:is )?fixed|solved|no more errors?|green again|builds? (?:now|again)|"
    r"funktioniert|läuft|geht (?:jetzt|wieder)|ça (?:re)?marche|ça fonctionne|ya funciona|funciona|"
    r"arreglado)\b"
)

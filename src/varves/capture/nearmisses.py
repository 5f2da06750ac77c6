"""Recognises near misses: clauses that sound like something to remember, but are not.

A single word proves nothing. The tables of the package `language` show whether a sentence asks,
reports, or is about the past. This module has the patterns that only capture needs, and the words
of languages other than English. Each pattern corresponds to a row in the table of near misses in
`benchmarks/capture/LABELLING.md`. One match is enough to leave out a clause, or the whole message.
"""

from __future__ import annotations

from varves.capture.cue import Cue
from varves.language.english.tongue import ENGLISH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.capture.clauses import MessageSentence

_ASKING = Cue(
    r"^(?:(?:when|where) (?:do|does|did|is|are|was|will|should|can|could|would|shall)|"
    r"(?:do|does|did|will)(?! not)|is|are|was|were|can(?! not| you (?:please |just )?(?:not|"
    r"stop))|could|should|shall|would|have|has|"
    r"what|which|who|"
    r"whose|why|how|whats|isn't|aren't|"
    r"kann|kannst|können|soll|sollen|ist|sind|hat|habt|haben wir|was|welche[rs]?|wer|warum|wieso|"
    r"wie|wann|wo|est-ce|qu'est|pourquoi|comment|quel|quelle|quand|où|peux-tu|"
    r"qué|cuál|quién|por qué|cómo|cuándo|dónde|puedes)\b"
    r"(?! (?:helped|fixed|worked|matters|ever you|comes|goes|gets|stays|lives|counts)\b)(?!ever)"
)
_ASKED_TO_KEEP = Cue(r"^(?:can|could|would|will) you (?:please )?(?:remember|keep in mind|note)")
_ASKED_TO_STOP = Cue(r"^can you (?:please |just )?(?:not|stop) ", anchors="can you")
# these words give a reason; they do not report
_WANTED = ("wants", "prefers", "insists", "supports", "likes")
_SUPPOSED = Cue(
    r"\b(?:suppos(?:e|ed|ing)|imagine|what if|hypothetical\w*|in theory|let us say|say we|pretend|"
    r"assum(?:e|ing)|would(?! rather)|could|might|maybe|perhaps|possibly|probably|"
    r"brainstorm\w*|out loud|"
    r"^because|wonder\w*|what about|how about|one day|someday|if (?:we|i|they) (?:always|never|"
    r"had|were|did|said|just|only|went|used|wrote|moved)|"
    r"angenommen|vielleicht|eventuell|würde\w*|könnte\w*|falls wir|(?<!auch )wenn wir|mal "
    r"angenommen|"
    r"(?:^|, )if (?:we|i|they|he|she|it were)|"
    r"supposons|imaginons|imagine|peut-être|serait|ferait|faudrait|pourrait|un jour|si on|si nous|"
    r"supongamos|imagina|imaginemos|quizás?|tal vez|sería|podría\w*|haría\w*|si (?:usá|fué|"
    r"hicié)\w+)\b"
)
_OPEN = Cue(
    r"\b(?:i think|i guess|i suppose|i believe|not sure|unsure|iirc|afaik|if i remember|"
    r"not (?:yet )?decided|undecided|have not (?:\w+ )?(?:decided|agreed|settled|chosen)|"
    r"nothing (?:is )?(?:decided|settled)|(?:decided|settled) nothing|"
    r"still (?:open|deciding|thinking)|tbd|leaning|tempted|"
    r"not yet|yet either|in the future (?:we|i|it) (?:will|might|may)|eventually|need to decide|"
    r"to be decided|should decide|in two minds|torn|"
    r"glaube ich|denke ich|ich glaube|noch nicht|keine ahnung|unentschieden|"
    r"je crois|je pense|pas encore|creo que|me parece|todavía no|aún no)\b"
)
_DENIED = Cue(
    r"\b(?:(?:do|does|did|can) not (?:really |particularly |even |exactly |actually )?"
    r"(?:prefer|remember|care|mind|recall)|no (?:real |strong |particular )?preference|"
    r"not have an? (?:\w+ )?(?:preference|opinion)|it is not (?:like|that|as if)|not that (?:we|i)|"
    r"(?:does|do) not matter|either (?:is|way|one)|whatever|whichever|up to you|you decide|"
    r"never (?:said|decided|agreed|claimed|meant|asked)|not saying|did not (?:say|decide|agree)|"
    r"not (?:always|necessarily|every|all|a rule|a decision)|"
    r"egal|keine vorliebe|nicht immer|peu importe|pas toujours|pas de préférence|"
    r"da igual|no siempre|ninguna preferencia)\b"
)
_PAST = Cue(
    r"\b(?:in (?:my|the) (?:last|old|previous|former|past)(?! \d)|"
    r"at (?:my|the) (?:last|old|previous|former)|my (?:old|former|last|previous|ex)|"
    r"formerly|until (?:last|recently)|last job|"
    r"(?:i|we|you|he|she|they) (?:just |had |simply )?(?:forgot|mistyped|misread|overlooked|"
    r"messed up)|"
    r"(?:was|were|had) (?:always|never)|(?<!we )no longer|not any ?more|outdated|obsolete|"
    r"(?:we|i|they|you) (?:always|never) (?:\w{2,}ed|had|did|was|were|got|went|saw|ran|wrote|made|"
    r"knew|thought|found|took|came|put it)|preferred|"
    r"früher|damals|ehemals|nicht mehr|autrefois|à l'époque|dans le temps|avant on|on avait|"
    r"antes|antiguamente|en mi (?:antiguo|anterior|último)|ya no)\b"
)
_SINCE = Cue(
    r"(?:,|;|\bbut\b|\band\b|\.)\s*(?:but |and )?"
    r"(?=(?:now(?:adays)?|these days|today|meanwhile|since then|heute|jetzt|maintenant|ahora)\b)"
)
_PASSING = Cue(
    r"\b(?:today|tonight|tomorrow|yesterday|for now|(?:right|not) now|"
    r"for the (?:moment|time being)|at the moment|currently|"
    r"this (?:time|once|morning|afternoon|evening|week|sprint|minute)|"
    r"(?:this|the current|that) (?:session|chat|conversation|pr|mr|pull request|branch|commit|task|"
    r"ticket|run|edit|change|one(?! \w+ (?:is|are|always|never|runs|has)\b)|file|function|method|"
    r"class|test|case|patch|fix|line|diff|issue|"
    r"bug|round|step|part|request|meeting|call|page|screen|view|dialog|button|component|endpoint|"
    r"query|script|table|form|field|list|feature|doc|document|section|plan)|"
    r"for this(?! (?:repo|repository|project|codebase|code base|monorepo|package|crate|app|team|"
    r"company|product|book|manuscript|thesis|site|website|game|course|client|customer)\b)|"
    r"(?:just|only|right|also) here|here (?:please|only|though|too)|\bhere\W*$|see .* here|"
    r"until (?:i|we|you|he|she|they|it is|the (?:demo|release|meeting)|tomorrow|monday|tuesday|"
    r"wednesday|thursday|friday|then)|"
    r"(?:when|once|after|as soon as) (?:we|you|i|that|this) (?:are|am|is|have) "
    r"(?:done|finished|back|through|merged|ready)|when (?:done|finished)|while (?:i|we|you)|"
    r"temporar\w+|later|next (?:week|sprint|time i|month)|before (?:lunch|the (?:demo|meeting|"
    r"call))|"
    r"in a (?:minute|moment|bit)|soon|first thing|meanwhile|gleich|heute|vorerst|erst ?mal|gerade|"
    r"diesmal|für diese[ns]?|momentan|morgen|nur hier|bis (?:wir|ich|morgen)|"
    r"aujourd'hui|pour l'instant|pour le moment|cette fois|ce soir|demain|cette session|"
    r"hoy|por ahora|de momento|esta vez|esta sesión|mañana|por el momento)\b"
)
_REPORTED = Cue(
    r"\b(?:(?:he|she|they|someone|somebody|people|everyone|boss|manager|colleague|coworker|"
    r"teammate|"
    r"intern|guy|docs?|documentation|readme|article|blog|post|page|book|linter|compiler|chatgpt|"
    r"gpt|"
    r"copilot|gemini|claude|assistant|ai|bot|reviewer|comment|ticket|it|file|sign|kollege|chef|"
    r"collègue|jefe|compañero)"
    r" (?:also |always |once |just |now |even |only )?"
    r"(?:says?|said|would say|wrote|writes|told|tells|claims?|claimed|thinks?|thought|suggests?|"
    r"suggested|recommends?|recommended|insists?|insisted|posted|keeps? (?:saying|telling)|asked|"
    r"believes?|sagt|sagte|meint|dit|disait|dice|decía)|"
    r"quot(?:e|ing)|was told|i (?:heard|read) (?:that|somewhere|in|on|about)|laut|"
    r"selon|según|"
    r"(?:their|that|another|(?:the )?other) (?:other )?(?:team|company|project|"
    r"repo)(?:'s)?(?! (?:uses|"
    r"at))|"
    r"for (?:the|a) (?:workshop|template|example|demo|talk|tutorial|blog))\b"
)
_MOCKING = Cue(
    r"\b(?:i (?:just |really )?love (?:that|this|it|how)|love (?:that|this|how|it)|(?:yeah|yes) "
    r"right|"
    r"(?:great|brilliant|genius|super|lovely) (?:idea|plan|move|advice)|masterpiece|"
    r"what could (?:possibly )?go wrong|(?:right|yes|sure),? because that (?:always|never|is)|"
    r"lol|lmao|rofl|haha\w*|"
    r"hehe\w*|"
    r"jaja\w+|obviously|how (?:nice|lovely|wonderful|convenient)|thanks a lot|famous last words|"
    r"kidding|joking|sarcas\w+|irony|as if|clearly the best|who needs|why bother|good luck with|"
    r"works every time|so much time|^(?:no,? )?seriously|^brilliant\W*$|^genius\W*$|"
    r"whoever wrote|my favou?rite|hooray|slow clap|super idee|quelle bonne idée|qué bonito)\b|"
    r"[\U0001f602\U0001f605\U0001f609\U0001f60f\U0001f612\U0001f643\U0001f644\U0001f921\U0001f923]|"
    r"(?:^|\s)(?:/s|;-?\)|:-?p|\^\^|xd)(?:\s|$)"
)
_ECHOED = Cue(
    r"\b(?:yes|yeah|yep|sure|oh|right|of course|ja|klar|oui|sí|claro)\b[\s,!.]*(?:please )?$"
)
_IDIOM = Cue(
    r"\b(?:never ?mind|never (?:a|an|again|the|say|fails?|gets? old|ends?|ever again|works?|"
    r"knew|know|heard|seen|had|been|thought|understood|happened|happens|tired|too late|once)\b|"
    r"late than never|now or never|(?:as|like|than) (?:always|ever|never)|same as always|"
    r"always (?:a|an|the|fun|nice|good|great|bad|hard|wanted|wondered|something|works?|like that|"
    r"breaks?|fails?|forget)\b|"
    r"remember (?:when|how|the (?:time|days|good)|me|to|back)|do you remember|if you remember|"
    r"(?:i|we|you) (?:do )?remember|can not remember|"
    r"i (?:almost |nearly )?always (?:need|forget|get|end|have|love|hate|feel|mix|think|wonder|do|"
    r"confuse|struggle|make|see|say|read|go|run into|lose|was|am)|"
    r"we (?:\w+ )?(?:support|love|thank|trust|miss|hear|appreciate|owe|feel) (?:you|each other)|"
    r"(?:always|never) end up|(?:everyone|everybody|nobody|no one|they all|we all) (?:\w+ )?"
    r"(?:(?:hates?|loves?|likes?|enjoys?) (?:this|that|the|it|these|those)|cares?|knows?|"
    r"complains?|laughs?|dares?|wants? to (?:touch|look|see|know|hear))|"
    r"(?:for|at|over|to|on) (?:lunch|dinner|breakfast|brunch|drinks|beers?)|"
    r"nie im leben|nunca más|jamais de la vie)\b"
)
_SHOWN = (  # names of parts of a screen
    r"(?:table|list|row|column|page|view|form|chart|card|grid|menu|screen|dialog|panel|tab|header|"
    r"footer|field|cell|section|widget|dashboard|map|graph|calendar|sidebar|modal|popup|banner|"
    r"button|input|dropdown|preview|item|entry|result|icon|toolbar|navbar)s?"
)
_DUTY = (
    r"(?:must|should|shall|has to|have to|needs? to|needs?|gets?|always|never)"
    r"(?: (?:always|never|only|not|also|be able to))*"
)
_CODED = (  # names of parts of code
    r"(?:value|variable|pointer|reference|closure|struct|loop|iterator|array|callback|promise|"
    r"argument|parameter|prop|function|method|lambda|counter|constructor|getter|setter|subclass|"
    r"superclass|tuple|vector|mutex|regex|boolean|integer|expression|return type)s?"
)
_REQUIRED = Cue(  # requirements on the product, not on the work
    rf"^(?:the|an?|each|every|all|any|this|that) (?:[\w-]+ ){{0,2}}?{_SHOWN}\b(?: (?:in|of|on|at) "
    rf"(?:the|an?|each|every|this|our) (?:[\w-]+ ){{0,2}}?[\w-]+)? {_DUTY} (?:"
    r"(?:show|display|list|render|highlight|appear|scroll|open|collapse|expand|sort|blink|hide|"
    r"fit|align|load|update|refresh)\b|(?:an?|its own|the|one) (?:[\w-]+ ){0,2}?(?:checkbox|button|"
    r"icon|tooltip|badge|spinner|dropdown|menu|popover|modal|banner|toggle|avatar|thumbnail|"
    r"placeholder|link|hover|border|shadow|label|title|heading|colou?r)\b)|"
    rf"^(?:the|this|that) (?:[\w-]+ ){{0,2}}?{_CODED} (?:[\w-]+ )?"
    r"(?:must|should|shall|has to|needs? to)\b|"
    r"[,;\u2013-] ?(?:so |please |and |now )*(?:fix|change|correct|adjust|repair) "
    r"(?:that|this|it)(?: please| now)?[\s.!]*$",
)
_CODE_TALK = Cue(
    rf"^(?:the|an?|this|that|our|its|each|every) (?:[\w-]+ ){{0,2}}?{_CODED} "
    r"(?:\w+ly |only |always |never )?(?:is|are|has|have|runs?|gets?|holds?|lives?|comes?|goes|"
    r"points?|takes?|returns?)\b|"
    r"\b(?:in|by|on|from|to|into) (?:the|an?|its) (?:[\w-]+ )?(?:closure|struct|heap|stack|array|"
    r"hash ?map|dict|tuple|constructor|variable|loop|callback|promise|props|vector|pointer|"
    r"(?:parent|base|sub|super) ?class)\b"
)
_MOMENT = Cue(
    r"\b(?:red|failing|fails|failed|broken|is down|are down|on fire|is full|flaky|stuck|missing|"
    r"crash\w*|wrong|weird|strange|slow|hangs?|hanging|not work\w*|does not|do not work|"
    r"bug|bugs|error|errors|problem|complaining|complains?|(?:is|are|am|was|were) (?:\w+ )?\w+ing|"
    r"just (?:did|now|got|saw|pushed|merged)|now$|\bi (?:do not|can|see|get|got|am|was|ran|tried)|"
    r"if (?:the|we|it|so|not|a|you|there)|^(?:when|once|after|before|while|as soon)|should|seems?|"
    r"twice|too \w+|(?:is|are) not (?:valid|right|true|there|here|set)|almost|already|still|again|"
    r"kaputt|fehler|"
    r"erreur|panne|falla|roto|noch|encore|todavía|was|were|did|had)\b"
)
_PLAN = Cue(
    r"\bwe (?:need|should|want|can|could)\b|\bi (?:will|would)\b|^(?:i|we) (?:will|am|are going|"
    r"going|need|have to|want(?!ed)|should|can|must|ought|tried|just|"
    r"already|did|still|forgot|see|saw|get|got)\b|^i (?:have|had|found|ran|do not|use it)\b"
)
_POINTING = Cue(
    r"^(?:this|that|these|those|it|they|them|there|here|he|she|das|dies|es|ça|cela|c'est|esto?|"
    r"eso)\b"
    r"(?! (?:repo|repository|project|crate|package|codebase|app|team|company|monorepo|workspace))"
)
_WRITING = Cue(
    r"\b(?:write|draft|create|generate|compose|prepare|make|add|put|include|insert|reword|rephrase|"
    r"translate|document|append|update|extend|schreib|écris|ajoute|escribe|añade)\b.{0,80}"
    r"\b(?:readme|contributing|docs?|documentation|\w+\.md|template|e-?mail|mail|message|post|"
    r"comment|"
    r"docstring|section|paragraph|page|note|notes|announcement|text|prompt|guide|guidelines?|"
    r"policy|"
    r"issue|ticket|description|letter|blog|faq|banner|tooltip|sentence|slide|slides|heading|"
    r"changelog|label|warning|placeholder|string|agents|claude)\b"
)
_WORDED = Cue(
    r"\b(?:should|must|shall|to) (?:say|read|state|mention|contain|include)\b|\bsaying\b|\bthat "
    r"says\b|"
    r"\bthat reads\b|\bwith the (?:text|words|line)|\bsomething like\b|\balong the lines|"
    r"\bwhich says\b|\bin it\b|\bthat (?:we|you|all|every|the|it)\b|\bcalled\b|: ?\S"
)
_SECRET = Cue(
    r"\b(?:api[ _-]?keys?|pass(?:word|wort|wd|phrase|code)s?|tokens?|secrets?|credentials?|"
    r"private keys?|access keys?|pin code|login is|kennwort|mot de passe|clé (?:api|secrète)|"
    r"contraseña|clave (?:api|secreta))\b[^.\n]{0,40}?(?:\bis\b|\bare\b|=|:|\bist\b|\best\b|\bes\b)"
    r"|\b(?:sk|pk|ghp|gho|xox[bp]|akia|aiza|glpat|rk)[-_][\w-]{6,}|\bakia[0-9a-z]{8,}|"
    r"-----begin|\beyj[\w-]{10,}"
)
_NOTHING_MEANT = Cue(
    r"^\W*(?:please )?(?:translate|rephrase|reword|proofread|summari[sz]e|correct the|fix the "
    r"(?:typo|"
    r"wording|grammar))\b|"
    r"\b(?:(?:just|only) (?:brainstorming|thinking|joking|kidding|an example|hypothetical|playing)|"
    r"nothing (?:is )?decided|thinking out loud|ignore (?:that|this|it|what i)|"
    r"ignore (?:all |any )?(?:previous|prior|above)|(?:should|must) (?:say|read)|"
    r"(?<!not )(?<!n't )(?<!dont )forget (?:that|"
    r"what i said))\b"
)


def spoils(text: str, *, dictated: bool = True) -> bool:
    """Return whether nothing of a message may be remembered.

    Args:
        text: the message.
        dictated: whether the message may ask to write something into a file or another place.
    """
    from varves.events.redact import scrub

    lowered = text.lower()
    if _SECRET.search(lowered) or scrub(text)[1]:
        return True
    if _NOTHING_MEANT.search(lowered):
        return True
    found = _WRITING.search(lowered) if dictated else None
    return found is not None and _WORDED.search(lowered, found.start()) is not None


def is_question(clause: MessageSentence) -> bool:
    """Return whether a clause is a question.

    A request to remember is not a question.
    """
    if _ASKED_TO_KEEP.match(clause.plain) or (
        not clause.asks and _ASKED_TO_STOP.match(clause.plain)
    ):
        return False
    if clause.asks or _ASKING.match(clause.plain) is not None:
        return True
    return ENGLISH.guards["asks"].search(clause.plain) is not None


def is_mocked(clauses: list[MessageSentence]) -> bool:
    """Return whether a message contains laughter or mockery."""
    return any(_MOCKING.search(f"{one.lead} {one.plain}") for one in clauses)


def is_echo(clause: MessageSentence) -> bool:
    """Return whether a clause may be ironic agreement, as in "yes, always …"."""
    return _ECHOED.search(clause.lead) is not None


def holds_now(text: str) -> str | None:
    """Return the part of a text that is about the present; None if it is all about the past."""
    said = text.lower()
    if not is_past(said):
        return text
    turn = _SINCE.search(said)
    if turn is None or is_past(said[turn.end() :]):
        return None
    return text[turn.end() :]


def is_past(said: str) -> bool:
    """Return whether a clause is about the past."""
    return _PAST.search(said) is not None or ENGLISH.guards["past"].search(said) is not None


def is_plan(said: str) -> bool:
    """Return whether a clause describes what a person is about to do or has done."""
    return _PLAN.search(said) is not None


def is_unsettled(said: str) -> bool:
    """Return whether a clause supposes, doubts, denies or quotes something."""
    if any(one.search(said) for one in (_SUPPOSED, _OPEN, _DENIED, _REPORTED)):
        return True
    told = ENGLISH.guards["reports"].search(said)
    # a group declines, not a person
    decides = told is not None and ENGLISH.acts["declines"].match(said)
    if told is not None and not told[0].endswith(_WANTED) and not decides:
        return True
    return ENGLISH.guards["wishes"].search(said) is not None


def is_passing(said: str) -> bool:
    """Return whether a clause is valid for the current task only."""
    return _PASSING.search(said) is not None


def is_idiom(said: str) -> bool:
    """Return whether the word that seems to mark a lasting statement is part of an idiom."""
    return _IDIOM.search(said) is not None


def is_of_code(said: str) -> bool:
    """Return whether a clause describes code, or says what a screen or code must do."""
    return _REQUIRED.search(said) is not None or _CODE_TALK.search(said) is not None


def is_moment(said: str) -> bool:
    """Return whether a clause is about this moment or a plan, or only refers to something."""
    return any(one.search(said) for one in (_MOMENT, _PLAN, _POINTING))


def is_pointing(said: str) -> bool:
    """Return whether a clause cannot be understood alone."""
    return _POINTING.search(said) is not None

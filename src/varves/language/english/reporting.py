"""English phrases that report work: fixes, decisions, lessons, and how something is done.

Each row is a pattern, a sentence that it matches, and a near miss. The tables of `MENDING` have one
row each, because their patterns name the error and the solution.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.english.nouns import PEOPLE, ROLES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_CLASSES = {
    "good": CLASSES["good"],
    "doing": r"""((\w+ly|just|first) )*(?!(during|nothing|everything|anything|something|morning|
evening|string|being|king)\b)\w+ing\b""",
    "thing": r"""(a|an|the|its|our|this) (?!(\w+ ){0,2}(team|vendor|author|user|customer|maintainer|
admin|developer|colleague|other)s?\b|(end|time|next|weekend|evening|morning|deadline|way)\b)""",
    "mended": "fixed|solved|resolved|repaired|cured|mended",
    "fix": "the (fix|solution|workaround|remedy)",
    "one": r"(?=to |<doing>|(a|an|the) (?!same\b))(to )?",
    "by": "by (?=<doing>|<thing>)",
    "with": r"with (?=an?\b|<doing>)",
    "already": "((have|has|had|also|then|finally|just|now|all|both|eventually) )*",
    "was": "((was|were|is|are|got|can be|(has|have|had) been) )?",
    "and": "[,;:.]? (and |but )?",
    "does": r"""(run|use|call|execute|invoke|install|restart|start|stop|export|open|type|clear|
delete|remove|add|set|put|pass|enable|disable|edit|change|copy|create|press|check|reload|
rebuild)\b""",
    "first": "((first|just|simply|please|then|always|you (must|can|have to|need to)) )*",
    "agreed": r"agreed (with \S+( \S+)? )?(not to|to|on|that)",
    "chose": r"""(decided(?! <whom>)|chose|chosen|<agreed>|opted (for|to|against)|
went with|settled on|standardi[sz]ed on|voted (?!<whom>|for them\b)(for|to|against)|
ended up (choosing|going with|settling on|sticking (to|with)|adopting))\b""",
    "group": "(we|the team|team|everyone|everybody|all of us)",
    # A body that decides as one, such as a board; its words are not those of somebody else.
    "body": rf"""(the|our) ({CLASSES["body"].strip()}|(\w+ )?(band|choir|orchestra|crew|club|family|
staff|group|party))""",
    # One person: a common first name, or a role that one person has.
    "person": rf"(({'|'.join(sorted(PEOPLE))})|(the|our|my) ({'|'.join(sorted(ROLES))}))",
    "whom": r"((against|for|on) (us|me|you|him|her)\b)",  # a judgement on people decides nothing
    # What one does or leaves on purpose; "get", "find" or "make it" only happen.
    "chooses_to": r"""(accept|advertise|allow|attend|book|build|buy|charge|cover|extend|grow|hire|
host|invite|issue|join|lend|lease|maintain|migrate|offer|open|order|organi[sz]e|pay|plant|play|
print|provide|publish|raise|refund|release|renew|rent|repaint|replace|sell|serve|ship|sponsor|stock|
store|take part|tour|translate|upgrade|wear)""",
    "named": r"""(?!(the|an?|this|that|these|those|it|them|him|her|us|up|out|apart|my|our|your|his|
their|another|any|every|each|all|some|one|two|three|\d+)\b)\S""",  # what has no article is a name
    "orders": r"""(<does>|(build|push|pull|fetch|deploy|migrate|apply|commit|merge|tag|test|verify|
back up|download|upload|log in|drain|bump|publish|freeze|seed|generate|compile|sync|rebase|release|
update|upgrade|stash|tell|ask)\b)""",
    "takes": r"""(use|go with|adopt|keep(?! (you|an eye|\w+ing)\b)|switch to|
move to(?! the next)|stick (to|with)|stay with|drop(?! by))\b""",
}


def _one(pattern: str, example: str, miss: str) -> PhraseTable:
    return PhraseTable(((pattern, example, miss),), _CLASSES)


MENDING = {
    "mends": _one(
        r"""^(?P<lead>((i|we|they|he|she|you|the team|[a-z]+-\d{3}) )?<already>)(<mended>|
worked around|avoided|got rid of) (?P<error>.+?),? (<by>|(?<!issue )(?<!issues )(?<!problem )
(?<!problems )(?<!bug )<with>)(?P<solution>.+)""",
        "We solved the deadlock by taking the locks in order.",
        "Fixed the issue with the login.",
    ),
    "fix_for": _one(
        r"""^<fix> for (?P<error>.+?) (was|is) <one>(?P<solution>.+)""",
        "The workaround for the flaky test is to run it alone.",
        "The fix for the flaky test is late.",
    ),
    "mended_by": _one(
        r"""^((?P<error>.+?)<and><was>)?<mended> (<by>|<with>)(?P<solution>.+)""",
        "The memory leak was fixed by closing the cursor.",
        "The login was fixed by Ada.",
    ),
    "doing_mends": _one(
        r"""^(?P<solution><doing>[^,;]*?) (has )?<mended> (?P<error>.+)""",
        "Reloading the daemon fixed the stale cache.",
        "During the night we fixed the stale cache.",
    ),
    "doing_stops": _one(
        r"""^(?P<solution><doing>[^,;]*?) (stops|stopped|prevents|prevented|fixes|solves|cures|
resolves|gets rid of|got rid of|removes|removed) (?P<error>(the|that|this|these|those|our|
its) .+)""",
        "Closing the cursors stops the memory leak.",
        "The nightly job stops the worker.",
    ),
    "doing_helps": _one(
        r"""^(?P<solution><doing>[^,;]*?) made (?P<error>it|this|that|them|the \w+( \w+)?) (pass|
work|start|succeed|go away)\b.*""",
        "Giving the runner more memory made the builds pass.",
        "Giving up made them laugh.",
    ),
    "thing_mends": _one(
        r"""^((?P<error>.+?)[,;:.]? (and|but) )?(?P<solution>(an?|another|more|less|
fewer) (?!(\w+ ){0,2}(team|vendor|author|user|customer|maintainer|admin|developer|colleague|
coworker|friend|while|day|night|week|hour|minute)s?\b)[^,;]{3,60}?) (has )?(<mended>)
(it|this|that|them|the (problem|issue|error|failure|crash|bug|trouble))[.!]*$""",
        "There was a race in the cache, and a lock fixed it.",
        "There was a race in the cache, and a colleague fixed it.",
    ),
    "gone_after": _one(
        r"""^(?P<error>.+?) (went away|disappeared) (after|when|once) (?!(a while|some time|
(an?|one|two|\d+) (second|minute|hour|day|week)s?)\b)(?P<solution>.+)""",
        "The 502 went away after raising the limit.",
        "The crash disappeared after a while.",
    ),
    "stopped_after": _one(
        r"""^(?P<error>it|this|that|they) (then |finally )*stopped (after|once|since) (?P<solution>(
i|we|<doing>) .+)""",
        "It stopped after I changed the battery.",
        "It stopped after a while.",
    ),
    "so_gone": _one(
        r"""^(?P<error>[^,;]+)[,;] so (?P<solution>(i|we) .+(,| and) (?P<fault>(the|our|its) \S+) (
is|
are) (now )?(gone|fixed|solved)\b.*)""",
        "The jam turned mouldy, so we boiled the jars and the mould is gone.",
        "The jam was old, so we threw it away and it is gone for the ants.",
    ),
    "since_gone": _one(
        r"""^(since|after) (?P<solution>(i|we) [^,;]+), (?P<error>(the|our) [^,;]+?) (is|are|has|
have) (now )?(gone|stopped|vanished|disappeared)\b""",
        "Since we water from below, the spots are gone.",
        "Since we water from below, the beds are wet.",
    ),
    "change_gone": _one(
        r"""^(?P<solution>((i|we) <already>)?(?!need|want|used)\w+(ed|t) [^,;]+?) and (?P<error>(
the|our) \S+( \S+)?) (is|are|has|have) (now )?(gone|stopped|vanished|disappeared)\b""",
        "Swapped the cable and the hum is gone.",
        "Swapped the cable and the hum is quiet.",
    ),
    "fix_was": _one(
        r"""^((?P<error>.+?)<and>)?<fix> (was|is) <one>(?P<solution>.+)""",
        "The build broke on arm, the fix was to pin the compiler.",
        "The fix is in review.",
    ),
}
_SETTLES: tuple[Row, ...] = (
    (
        r"""\b(we|they|i|the team|team) <already><chose>""",
        "The team chose Redis over Memcached.",
        "The team decides tomorrow.",
    ),
    (
        r"""\b(everyone|everybody|all of us) <already>(<agreed>|voted (for|to|against))""",
        "Everyone agreed to freeze on Fridays.",
        "Everyone agreed.",
    ),
    (
        r"""\b<group> <already>((picked|selected) <named>\S*( \S+){0,2}? (for|as)\b|
landed on <named>|ruled out <named>(?!.*\b(cause|culprit|reason|problem|issue|bug|error|fault|
failure)s?\b))""",
        "The team picked Rust for the parser.",
        "We picked a day for the release.",
    ),
    (
        r"""\b(we|they|i|the team|team) <already>(picked|selected|preferred) (?!up\b)\S.*? (over|
instead of|rather than|as (the|our))\b""",
        "We picked Playwright over Cypress.",
        "We picked up the mail over there.",
    ),
    (
        r"""\b<group> ((are|is) (now )?|will be )(standardi[sz]ing on|going with|switching to|
sticking (to|with)|settling on|adopting|moving (to|away from) <named>|dropping (support for|
(\S+ ){1,3}support)|(?<=will be )using <named>)""",
        "We are standardising on pnpm.",
        "We are standing on a hill.",
    ),
    (
        r"""\bit (was|has been) (decided|agreed) (to|that|on)\b""",
        "It was decided that releases happen on Tuesday.",
        "It was decided.",
    ),
    (
        r"""\bdecided (?!<whom>)(to|on|against|that|not)\b""",
        "Decided to wait.",
        "The referee decided against us.",
    ),
    (
        r"""\b<body> <already>((<agreed>|voted (for|to|against)|opted (for|to|against)|settled on|
went with)\b|(chose|chosen|approved|adopted|rejected|turned down) (?!(by|me|us|you|him|
her)\b)\S)""",
        "The board agreed to hire a second driver.",
        "The board meets to agree on a driver.",
    ),
    (
        r"""\b<person> <already>((opted (for|to|against)|settled on|went with)\b|
(chose|chosen|picked|selected) (the (?!(wrong|best|worst|first|last|same|right)\b)\w|
\S.* (over|instead of|rather than) ))""",
        "Ada chose the green folders.",
        "Ada chose the wrong folder.",
    ),
    (
        r"""\b(i|<group>) <already>(picked|selected) (?!.* up\b)the (?!(wrong|best|worst|first|last|
same|ripe|wild|fresh|early|late)\b)\w+ \w*[^s\W] (for|as) (the|our)\b""",
        "I picked the blue paint for the fence.",
        "We picked the ripe apples for the market.",
    ),
    (
        r"""\b(we|i) (will not|(am|are) not going to) (be )?<chooses_to>(ing|p?ping|ting)?\b""",
        "We won't be printing flyers this year.",
        "We won't be getting an answer this year.",
    ),
    (
        r"""\b<group> (are|is) (now )?dropping (the|our) (?!(second|third|last|first|next|wrong|
same|whole|
entire)\b)[\w-]+ (?!(connection|packet|request|message|event|frame|row|column|table|cache|session|
socket)s?\b|kids|children)[\w-]+[.!]*$""",
        "We are dropping the printed programme.",
        "We are dropping the last row of the file.",
    ),
    (
        r"""\b<group> (are|is) (now )?(switching|moving|migrating|changing) (over )?from <named>\S*
( \S+)?? to <named>""",
        "We are switching from Stripe to PayPal for the tickets.",
        "We are moving from the hall to the stage.",
    ),
    (
        r"""^(?!(as|if|when|what|that|once|since|because|we|i|they|you|he|she)\b)\S+ [^,]+, (so |
and )?<group> <already>(
agreed|decided)[.!]*$""",
        "No more plastic cups at the bar, we agreed.",
        "No more errors in the log, we checked.",
    ),
    (
        r"""^(from now on|from (next|this) \w+ on(wards)?|(starting|beginning) (next|in|on) \w+),? (
?!(i|it|this|that|things|everything|there|you|he|she)\b|the (tests?|builds?|code|page|error|bug)\b)
(?!.*\b(feels?|seems?|looks?|gets?|works?|(is|are) (back|up|down|ready|clear|gone|green|<good>|
\w+er)\b))\S+ \S+ \S""",
        "From now on, invoices go out on the first of the month.",
        "From now on it gets easier for us.",
    ),
    (
        r"""\b(we|i) (will|am going to|are going to) (now )?<takes>""",
        "We'll go with GraphQL.",
        "We will keep an eye on it.",
    ),
    (
        r"""\b(we|i) (will not|am not going to|are not going to) (<takes>|support\b|add\b)""",
        "We won't use GraphQL.",
        "We will not see it.",
    ),
    (
        r"""^(chose|opted for|going with|settled on|<agreed>)\b""",
        "Agreed with the team to use UTC.",
        "Agreed with the review.",
    ),
    (
        r"""^(the|our) decision (is|was)\b|^(the|our) (final )?(call|choice|verdict) (is|was) (not
)?(to|that|against)\b|^our (final )?(choice|pick) (is|was) (?!(still|between|not|hard|easy|clear|
open|free|wrong|right|made)\b|\w+ed\b)<named>""",
        "The decision is to keep the monolith.",
        "The decision takes time.",
    ),
)
_TEACHES: tuple[Row, ...] = (
    (
        r"""\b(learned|learnt|found( out)?|noticed|confirmed|verified|observed) that\b""",
        "We noticed that builds are slower on Mondays.",
        "We noticed the builds.",
    ),
    (
        r"""(^|\b(i|we|they) )<already>(found out|discovered|reali[sz]ed) (?!(why|how|who|what|
whether|if|nothing)\b)""",
        "We discovered a second copy of the schema.",
        "We found out why.",
    ),
    (
        r"""\b(i|we) (was|were|am|are) (very |quite |a bit )?(surprised|astonished|amazed|pleased|
glad|
relieved|shocked) to (see|find( out)?|learn|hear|notice|discover|read) that \w""",
        "I was surprised to see that the hens drink only warm water.",
        "I was surprised to see that.",
    ),
    (r"""\bturn(s|ed) out\b""", "It turns out Redis drops keys.", "It is your turn."),
    (
        r"""\bthe (root |real |actual )?cause\b.*?\b(is|was) (?!(still )?(unknown|unclear|
not)\b)""",
        "The root cause was a stale certificate.",
        "The cause is still unknown.",
    ),
    (
        r"""\b(note|remember|be aware|keep in mind) that\b""",
        "Keep in mind that dates are in UTC.",
        "Keep it in mind.",
    ),
    (r"""\bprefers?\b""", "Ada prefers short answers.", "Ada has a preference."),
)
_INSTRUCTS: tuple[Row, ...] = (
    (
        r"""^first,? (you (must|have to|need to) )?<orders> \S.*?[,;.]? (and )?then (?!(i|we|they|
he|she|it|the)\b)[a-z]+\b(?<!ed)""",
        "First run the migration, then restart the workers.",
        "First run of the week, then the holidays.",
    ),
    (
        r"""^it is (better|best|safer|faster|cheaper|easier) to \S.*? (than|instead of|rather than|
before|after|when|whenever)\b""",
        "It is better to use COPY than INSERT.",
        "It is better to wait.",
    ),
    (
        r"""^to (?!(be|me|my|sum|date|conclude)\b)[^,;]{2,80}?,? <first><does>""",
        "To reset the cache, run make clean.",
        "To be honest, use is low.",
    ),
    (
        r"""^(before|after|when(ever)?|if|once)\b[^,;]{3,}, ?<first><does>""",
        "When the queue is stuck, restart the worker.",
        "When the queue is stuck, we wait.",
    ),
    (
        r"""^(run|use(?! of)|call|execute|install|restart|start|export|reload) \S.*? (to|before|
after|when|whenever|first)\b""",
        "Run the seed script before the tests.",
        "Use of the seed script came first.",
    ),
    (
        r"""^you (have to|need to|must) \S.*? (to|before|after|when|first)\b""",
        "You have to stop the workers before the migration.",
        "You have to laugh.",
    ),
    (
        r"""(?<!\bi )(?<!\bwe )(?<!\bthey )\b(works?|worked) (only |best )?(when|if|once|after|
as soon as)\b""",
        "The login works when the cookies are cleared.",
        "I worked when she called.",
    ),
    (
        r"""^<doing>.* (works|worked|did the trick|helped)\b""",
        "Clearing the lane did the trick.",
        "During the night everything worked.",
    ),
    (
        r"""\bthe (\w+ )?way to \S.*? (is|was) (to|by)\b""",
        "The way to rotate keys is to call rotate().",
        "The way to the office is long.",
    ),
    (r"""\bthe trick (is|was) to\b""", "The trick is to wait.", "The trick is old."),
    (r"""^what (worked|helped) (is|was)\b""", "What worked was another locale.", "What worked?"),
    (
        r"""^always (?!(nice|good|fun|great)\b)|^never (?!(mind|seen|had|been)\b)""",
        "Never push on a Friday.",
        "Never mind.",
    ),
    (
        r"""^(please )?(make sure|be sure to|ensure that)\b""",
        "Make sure the VPN is up first.",
        "He made sure.",
    ),
)
_GUESSES: tuple[Row, ...] = (
    (
        r"""\b(maybe|perhaps|possibly|probably|presumably|supposedly|might|undecided|unsure|tbd|
todo|not (yet )?(sure|clear|decided)|no idea|i (think|guess|suspect|assume|wonder|hope))\b""",
        "Maybe we decided to use Redis.",
        "We decided to use Redis.",
    ),
)
# Words before a phrase that show that it is denied, in the future, or only supposed.
_UNDONE: tuple[Row, ...] = (
    (
        r"""(\b(not|never|can not|hardly|neither|nor|would|could|should|may|must|will|
shall|to))( (be|been|being|get|yet|really|fully|completely|even|have|had|has|rather|also))* ?$""",
        "The bug will be",
        "The bug will be back",
    ),
    (r"""\b(if|unless|whether|suppose|nobody|no one)\b""", "If we decide", "We decide"),
    (r"""^(assuming|imagine|in case)\b""", "Assuming that", "We assume"),
)
_TROUBLES: tuple[Row, ...] = (
    (
        r"""\b(error|fail|broke|break|crash|bug|time-?outs?\b|times? out|timed out|exception|wrong|
ke(pt|eps) (on )?\w+ing\b|hung|hang|leak|stuck|slow|refus|reject|miss|corrupt|lost|twice|issue|
problem|trouble|not\b|[45]\d\d\b|deadlock|livelock|race\b|races\b|oom|
out of (memory|space|disk|handles)|overflow|underflow|panic|
segfault|stall|froze|freez|denied|forbidden|unreachable|unavailable|exhaust|throttl|duplicat|
conflict|mismatch|drift|stale|garbled|truncat|invalid|unauthori|expired|flak|abort|killed|
disconnect|dropped|block|had no\b|has no\b|unable|without|
(hit|hits|ran into|run into|encountered|kept getting|came across|
struggled with) (an?|the|some)\b)""",
        "The import failed with a timeout.",
        "The import is done.",
    ),
)
_BECAUSE: tuple[Row, ...] = (
    (
        r"""\b(because|since the|caused by|due to|owing to|thanks to|(root )?cause(s|d)?)\b""",
        "The import failed because the disk was full.",
        "The import failed.",
    ),
)
# What was told before is a problem, although no word of it says so.
_IS_THE_CAUSE: tuple[Row, ...] = (
    (
        r"""^(the|its|that|this) ((real|root|actual|true|only) )?(cause|culprit|reason|
problem|trouble|issue)( of (it|
this|that))? (is|was|turned out to be)\b""",
        "The cause was an old polyfill.",
        "The cause of peace was served.",
    ),
)
# What went before a fix is its problem if it tells what something did, and no success.
_BEFALLS: tuple[Row, ...] = (
    (
        r"""^(?!(i|we|he|she|you|they|it|this|that|there|everything|all|\w+ed|nobody|everybody|
everyone)
\b)(?!.*\b(well|fine|great|nice(ly)?|good|passed|works?|worked|succeeded|finished|done|arrived|met|
sang|played|decided|agreed|added|fixed|solved|approved|merged|released|liked|enjoyed|happy)\b)(
\S+ ){1,6}?(was|were|had|made|got|went|came|rang|rose|fell|ran|broke|stopped|[a-z]{2,}ed)\b""",
        "Guests got two confirmation mails.",
        "The concert went well.",
    ),
)
# A fix that names only what it was for, not what was wrong.
_NAMELESS: tuple[Row, ...] = (
    (
        r"""^(it|this|that|them|these|those|((the|this|that) )?(whole )?(problem|issue|error|
trouble|bug|failure|mess))?$""",
        "The problem",
        "The login problem",
    ),
)
# An attempt that helped; it is a fix if a problem was told just before.
_HELPS: tuple[Row, ...] = (
    (
        r"^<doing>[^,;]* (helped|worked|did the trick)[.!]*$",
        "Cleaning the lens helped.",
        "Cleaning the lens helps them.",
    ),
)
# A sentence that begins with what was changed: the person is left out.
_CHANGED: tuple[Row, ...] = (
    (
        r"""^(<already>|also |so )*(raised|lowered|pinned|moved|replaced|renamed|removed|disabled|
enabled|rebuilt|reinstalled|bumped|upgraded|downgraded|regenerated|converted|escaped|excluded|
increased|
reduced|limited|capped|wrapped|sorted|seeded|reset|rewrote|rotated|restored|reordered|recreated|
set|added|changed|switched|turned|gave|put|closed|cleared|deleted|dropped|widened|split|
merged)\b""",
        "Raised the limit to 2 GB.",
        "The raised limit is 2 GB.",
    ),
)
# The groups and people that decide for the speaker: "the board agreed" reports nobody else's words.
_DECIDERS: tuple[Row, ...] = (
    (
        r"^(the team|team|everyone|everybody|all of us|<body>|<person>)\b",
        "The board agreed to wait.",
        "The guests agreed to wait.",
    ),
)
_TELLS: tuple[Row, ...] = (
    (
        r"""^((i|we) )?(learned|learnt|found( out)?|noticed|discovered|note) that |^(it )?turn(s|
ed) out (that )?""",
        "We found that it leaks.",
        "We found it.",
    ),
)

SETTLES = PhraseTable(_SETTLES, _CLASSES)
TEACHES = PhraseTable(_TEACHES, _CLASSES)
INSTRUCTS = PhraseTable(_INSTRUCTS, _CLASSES)
GUESSES = PhraseTable(_GUESSES)
UNDONE = PhraseTable(_UNDONE)
TROUBLES = PhraseTable(_TROUBLES)
CHANGED = PhraseTable(_CHANGED, _CLASSES)
DECIDERS = PhraseTable(_DECIDERS, _CLASSES)
TELLS = PhraseTable(_TELLS)
REPORTING = {
    **MENDING,
    "settles": SETTLES,
    "teaches": TEACHES,
    "instructs": INSTRUCTS,
    "guesses": GUESSES,
    "undone": UNDONE,
    "troubles": TROUBLES,
    "because": PhraseTable(_BECAUSE),
    "is_the_cause": PhraseTable(_IS_THE_CAUSE),
    "befalls": PhraseTable(_BEFALLS),
    "nameless": PhraseTable(_NAMELESS),
    "helps": PhraseTable(_HELPS, _CLASSES),
    "changed": CHANGED,
    "deciders": DECIDERS,
    "tells": TELLS,
}

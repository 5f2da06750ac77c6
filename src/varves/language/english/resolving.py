"""English phrases with which a speaker settles a choice without the word decision.

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_RESOLVING = {
    **CLASSES,
    "simply": r"((just|all|then|now|always|only|definitely|therefore|simply|no longer|not) )*",
    "will": r"(let us|we (will|shall|are going to|are|have|can now))",
    # What is chosen: a thing with a name, and not a turn in the talk.
    "choice": r"""
(?!(it|that|this|those|these|them|you|me|him|her|us|one of|some(thing|one|body)?|whatever|what|
which|
who|whoever|our (?!own)\w+|the (first|next|last|time|chance|opportunity|word)|neither|none|the (
flow|others?|motions?)|@\d+|your|his|their|by|in|out|at|on|off|as|
ahead|home|back|there|here|up|a lot|lots|less|more|many|much|too|enough|badly|well|poorly|wisely|
quickly|slowly|carefully|together|along)\b|
(\S+ ){1,3}(first|next)[.!]*$)(?=[\w_])
""",
    # How a vote went, before what it adopts.
    "vote": r"""
((that (is|makes)|(it is )?with|by) )?(<count> (votes? )?(to|against) <count>( votes?)?|<count>
 (votes?|hands)( (for|in favou?r of) [^,:]+)?|(a|the) (clear |large )?majority( (for|in favou?r of)
 [^,:]+)?|unanimous(ly)?|(everyone|everybody|all|all of us|we) (is|are) (all )?(for|in favou?r of)
 (it|this|that)|all in favou?r) ?[,:] (so |and |then |hence |therefore )*
""",
    # What happens again and again.
    "habit": r"""
(always|usually|often|sometimes|normally|as usual|(every|each|most|some) ((other|single) )?(time|
year|month|week|day|night|morning|evening|game|match|season|summer|winter|\w+day)s?)\b
""",
    # A subject that begins like the name of an activity and is none.
    "no_activity": r"(nothing|something|anything|everything|morning|evening|during|king|thing)\b",
}
_RESOLVES: tuple[Row, ...] = (
    (
        r"""^(<opening>)*(?!let us not\b)<will> <simply>(go(ing)? (ahead )?(with|for)|stick(ing)? (
with|to)|settl(e|
ing) (on|for)|stay(ing)? (with|on)|opt(ing)? for|standardi[sz](e|ing) on|commit(
ting)? to) <choice>""",
        "Let's go with Postgres.",
        "Let's go with that.",
    ),
    (
        r"""^(<opening>)*(?!we will (ship|launch|release) (it|this|that)\b)we (will|shall|are (
not )?going to) <simply>(use|adopt|switch to|move to|
migrate to|
drop|host|build on|deploy (on|to)|write (it|this|everything) in|standardi[sz]e|deprecate|retire|
support|postpone|ship|launch|release|cancel|stop \w+ing|start \w+ing) <choice>|
^(<opening>)+we <simply>go (ahead )?(with|for) <choice>|
^(<opening>)*we (will|shall|are going to) <simply>(ship|launch|release|deploy|publish) (it|this|
that) (on|by|in|
next|this|tomorrow)\b|
^(<opening>)*we are (not )?(dropping|adopting|switching to|moving to|migrating to|retiring|
deprecating|postponing|keeping) <choice>""",
        "We will use TypeScript.",
        "We will use a lot of memory.",
    ),
    (
        r"""^(?=.*\b(from (now|here|today) on(wards)?|going forward|henceforth|(starting|beginning|
as
of|from) (today|now|tomorrow|next (week|month|sprint|release)|(mon|tues|wednes|thurs|fri)day))\b)
(?=.*\b(we (?!(have|had|are(?! going)|were|was|can|could|might|may|should|would|need|hope|want|
think|
know|see|expect|lose|lost)\b)\w+ (?!(it|that|this)[.!]*$)|only (?!i\b)\S+ \w+s\b|(all|every|each|
no|our|the) (\S+ ){1,4}(
will|shall|needs?|must|gets?|goes?|go|is|are|use|uses|stays?|has to|have to|requires?)\b))""",
        "From now on we use conventional commits.",
        "From now on it rains.",
    ),
    (
        r"""^(<opening>)*((?!(what|how|where|who|which|that|as|because|since|than|i|mean|there|here|
yes|yeah|sure|so|well|now|just|whatever|it|is|you|and|but|or|if|why|think|know|one|words|guess|
believe|such|say|see|like|too|very|not|bad|hard|good|true|@\d+)\b)\S+ ){1,6}it is(
,? then)?([.!]*$| ?: ?(?=\w))""",
        "OK, Redis it is then.",
        "I know how slow it is.",
    ),
    (
        r"""\bwe (have |all |both |finally |now |just )*(chose|chosen|picked|selected|opted for|
landed on|went with|settled (on|for)|voted (for|against)|ruled out) <choice>""",
        "We chose Postgres over MySQL.",
        "We chose badly.",
    ),
    (
        r"""^(<opening>)*(decision made|we have (a decision|a winner|consensus|agreement|
an agreement|a
deal|decided)|(the plan|it|that|this) is (now )?(set|fixed|final|settled|decided)|i (
hereby )?declare (it|this|that) (decided|settled)|that settles it|
settled then|(the|our) (choice|vote) is (now )?(made|clear|taken)) ?[:,] ?(?=\w+( \w|[.!]*$))""",
        "We have consensus: Postgres.",
        "We have consensus on that.",
    ),
    (
        r"""^(<opening>)+let us <simply>(use|adopt|switch to|drop|keep|take|host|build on|
move to) <choice>|
^let us <simply>(do|use|adopt|switch to|drop|keep|take|host|build on|move to) <choice>(
?=.* then[.!]*$)""",
        "Let's use Postgres then.",
        "Let's use Postgres.",
    ),
    (
        r"""^(<opening>)*it (is|has) (now |just |also |finally )*been (decided|agreed|settled|
resolved) (that|to|:) ?(?=\w+ \w)|^(<opening>)*(agreed|decided|settled|approved|accepted|adopted)
 (by (all|everyone|everybody|both( of us)?|consensus|acclamation|vote|(a|the) (clear |large )?(
majority|(whole )?(group|team|party)))( of us)?|unanimously) ?[:,] ?(that )?(?=\w+ \w)|
^(<opening>)*(unanimous|by consensus|by unanimous vote|approved|adopted|carried|ratified|passed|
locked in|everyone (agrees|agreed)|we all agree) ?: ?(?=\w+ \w)""",
        "It's been decided that receipts are e-mailed by default.",
        "It's been decided by the court that he pays.",
    ),
    (
        r"""^(<opening>)*\[(decision|consensus)\] ?(?=\w+ \w|\w+[.!]*$)""",
        "[DECISION] the small boat.",
        "The tag is [DECISION].",
    ),
    (
        r"""^(<opening>)*<vote>(?=((?!(who|which|that|what|if)\b)\S+ ){1,6}?(wins?|ha(s|ve) it|
carry|carries|passes|it is|(is|are) (in|out|chosen|picked|selected|adopted|approved|elected))\b|
it is (the|our) \w)(?!.*\b<habit>)|^(<opening>)*unanimous(ly)? ?[,:] (?=(the|our|we) \S+ \w)(
?!.*\b(was|were|had|did)\b)|
^(<opening>)+(option|plan|variant|version|proposal|number) \w+ ha(s|ve) it(?= ?[:.!]|$)""",
        "Three to zero, the smaller boat wins.",
        "Three to zero, the visitors won yesterday.",
    ),
    (
        r"""^(<opening>)+(?!<no_activity>)((the|our|an?) (\S+ ){1,5}?(<count>|(mon|tues|wednes|
thurs|fri|satur|sun)day)( \S+){0,3}? |\w{2,}ing (\S+ ){1,5}?)(is|are) (now |hereby |thus |
therefore )*(agreed|settled|decided|fixed)( then| now)?[.!]*$""",
        "So the deposit of ten euros is agreed.",
        "So the date of the fair is agreed.",
    ),
    (
        r"""^(<opening>)*we (now |all |simply |hereby |therefore )*(settle on|opt for|
standardi[sz]e on|commit to|decide (on|for|against)) <choice>(?!.*\b<habit>)""",
        "We settle on UTC for every timestamp.",
        "We settle on the sofa every evening.",
    ),
)

RESOLVES = PhraseTable(_RESOLVES, _RESOLVING)

"""English sentences that state how things are, without a phrase that marks them as learned.

They are in the present tense, about a thing of the project or its surroundings, and say what it
does as a rule, how much of something it has, where it is or what it is called. `passing` finds
what shows that a sentence is about the work itself: its results, its state, the current moment.
"Now" beside the verb tells of a change that lasts ("The API now listens on port 9090"); elsewhere
it names the moment.
Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.english.nouns import PEOPLE, ROLES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_CLASSES = {
    # The beginning of a sentence about a thing, up to its verb.
    "thing": r"""^(and |but |also )?(?!(it|this|that|these|those|they|there|he|she|i|we|you|
everything|nothing|something|anything|nobody|everybody|what|which|who|where|when|if|while|after|
before|once|then|so|to|as|let|please|no|not|yes|here|my|your|his|her|
their)\b)([\w@_'./-]+ ){1,6}?""",
    # What follows a verb that needs an object; a pronoun alone says nothing.
    "object": r"(?!(it|this|that|them|these|those|so|too|well|fine|again|now)\b)[\w@_<>$~/.\"'-]",
    "does": r"""(accepts?|rejects?|refuses?|requires?|expects?|supports?|allows?|forbids?|
prohibits?|permits?|limits?|caps?|throttles?|listens? (on|to)|runs? (on|in|under|behind|every|at)|
lives? (in|on|at|under|behind)|sits? (in|on|behind|under)|resides? (in|on)|
stores?|keeps?|saves?|uses?|needs?(?! (a |some |more |another )?(review|work|testing|to be|
attention|time|love|cleanup)\b)|depends? on|relies on|rely on|talks? to|speaks?|connects? to|
points? (to|at)|reads? from|writes? to|logs? to|sends?|receives?|publish(es)?( to)?|
subscribes? to|polls?|syncs?|synchroni[sz]es?|exposes?|serves?|returns?|responds? with|
expires?|times? out after|retr(y|ies)|defaults? to|falls? back to|starts? (at|on|in|with)|
ends? (at|on|in|with)|begins? (at|on|in|with)|opens? (at|on)|closes? (at|on)|costs?|
takes?(?! (a while|time|long|too long|place|care|over)\b)|
goes to|go to|evicts?|answers?|lasts?|holds?|weighs?|measures?|
belongs? to|reports? to|owns?|manages?|maintains?|handles?|contains?|includes?|excludes?|ignores?|
trims?|rounds?|truncates?|encodes?|compress(es)?|encrypts?|hash(es)?|signs?|validates?|rotates?|
renews?|batch(es)?|queues?|caches?|emits?|replicates?|mirrors?|backs? up|deploys? (to|on|from|via)|
ships? (to|from|with|on)|delivers?|bills?|charges?|pays?|follows?|converts?|maps? to|resolves? to|
avoids?|tolerates?|eats?|drinks?|sleeps?|seats?|redirects? to|forwards?|proxies|accumulates?|
purges?|deletes?|drops?|archives?|counts?)""",
    # When something happens as a rule.
    "when": r"""(on (\w+days|weekends|weekdays)|every (other )?\w+|at \d[\d:.]*( ?[ap]m)?|(
between|from) \d[\d:.]* (and|to) \d[\d:.]*|in (spring|summer|autumn|fall|winter)|(once|
twice) an? \w+|daily|weekly|
monthly|yearly)""",
    "role": rf"({'|'.join(sorted(ROLES))})",
    "name": rf"((mr|mrs|ms|dr|prof)\b|({'|'.join(sorted(PEOPLE))})\b)",
    # What comes and goes, or belongs to the work: "there is a bug in the parser".
    "event": r"""(bug|error|failure|fault|problem|issue|typo|mistake|tests?|question|change|commit|
chance|
way|reason|difference|risk|leak|race|gap|delay|warning|message|comment|todo|task|meeting|line|file|
row|
entry|entrie|people|person|guest|child|children|visitor|party|concert|rehearsal|storm|strike|sale|
event|accident|fire|queue|lot|few|bit|couple|crash|conflict|request|result|function|helper|import|
variable|class|classe|module|method|component|button|field|flag|endpoint|call|
place)s?\b""",
    "practice": r"""(use|run|keep|store|host|deploy|ship|release|version|tag|name|log|track|
monitor|sign|bill|charge|pay|support|target|depend on|rely on|write|format|lint|publish|back up|
cache|rotate|squash|rebase|freeze|measure|round|quote|translate|archive|serve|build|bundle|pin|
order|buy|rent|ship)""",
    "number": r"""(#?\d[\d.,:/-]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|
a (hundred|thousand|million|dozen)|half|twice|zero|no)\b""",
    "amount": r"""(at most|at least|exactly|up to|no more than|not more than|fewer than|less than|
more than|only|around|about|roughly|between|a (limit|maximum|minimum|cap|quota|budget)( \w+)? of|
<number>)""",
    # What a thing is for good.
    "lasting": r"""(read-only|write-only|append-only|immutable|case[- ](in)?sensitive|idempotent|
optional|mandatory|compulsory|required|unique|sorted|paginated|rate[- ]limited|deprecated|
nullable|zero-based|one-based|stateless|stateful|multi-tenant|self-hosted|opt-in|opt-out|
(in|ex)clusive|public|private|confidential|tax-free|gross|net|utc|little-endian|big-endian)\b""",
    "placed": r"""(numbered|sent|issued|handled|shipped|charged|processed|collected|reset|answered|
stored|kept|hosted|located|written|defined|configured|declared|documented|saved|
cached|deployed|served|published|logged|mounted|installed|backed up|encrypted|compressed|hashed|
signed|replicated|sharded|partitioned|indexed|versioned|limited|capped|restricted|set|pinned|
bound|mapped|owned|maintained|managed|run|paid|billed|named|called|spelled|abbreviated|
measured|counted|given|rounded|sorted|grouped|required|allowed|forbidden|delivered|scheduled|
generated|rotated|renewed|purged|deleted) (in|on|at|to|by|under|behind|with|as|for|from|per|every|
after|before|once|twice|daily|weekly|monthly|nightly|hourly|_|\"|(?!(and|or|but)\b)\w)""",
    # What is done to a thing; a participle that tells a feeling does not fit.
    "treated": r"""((always|only|never|also|not|now|automatically|usually|\w+ly) )*((?!(interested|
confused|annoyed|scared|surprised|frustrated|satisfied|supposed|tired|worried|pleased|excited|
concerned|needed|used|involved|affected)\b)\w+ed|
sent|resent|kept|held|built|rebuilt|written|read|paid|sold|bought|shown|hidden|made|drawn|taken|
given|run|set|reset|put|split|cut|chosen|frozen|thrown)""",
    "changed": r"""(added|removed|moved|renamed|replaced|refactored|changed|updated|fixed|corrected|
addressed|cleaned|extracted|merged|split|rewritten|adjusted|adapted|implemented|extended|shortened|
simplified|improved|introduced|solved|resolved|finished|completed|tested|committed|pushed|rebased|
covered|deleted|wired|tidied|aligned)\b""",
    "unit": r"(second|minute|hour|day|night|week|month|quarter|year)s?\b",
    # How often, when or for how long something is done as a rule.
    "recurring": r"""((every|each) (?!time\b)\w|(once|twice|<number> times) (a|an|per|every|each) |
(?!once\b)<number> times\b|(for|after|within|up to|at least|at most|on the|by the) (<number> |an? |
the (first|second|third|last) )(\w+ ){0,1}?(<unit>|(failure|attempt|error|try|retry|failures|
attempts|errors|tries|retries)\b)|(hourly|daily|nightly|weekly|monthly|quarterly|yearly|
annually)\b)""",
}
_LASTS: tuple[Row, ...] = (
    (
        r"<thing>(also |only |always |never |automatically |by default |now )*<does> <object>",
        "The billing service listens on port 8443.",
        "It listens on port 8443.",
    ),
    (
        r"""<thing>(also |now )?(does not|do not|can not|cannot|never) (\w+ly )?[a-z]+ ([a-z]+ )?
<object>""",
        "The gateway does not accept trailing commas.",
        "They do not accept it.",
    ),
    (
        r"<thing>(now )?(can |must |may |should )?(has|have|contain|hold|exceed|carry) <amount>",
        "Orders have at most 50 lines.",
        "Orders have lines.",
    ),
    (
        r"""<thing>(must|can only|may only|can not|cannot|may not|must not) (be|have|contain|exceed|
include|start|end|run|use|pass|go) \S""",
        "Invoice numbers must be consecutive.",
        "We must be quick.",
    ),
    (
        r"""^we (all |also |always |only |never |usually |now )*<practice> <object>.* (for|in|on|
with|as|from|to|at|via|through|by|every|each|under|behind|per|instead)\b""",
        "We use pnpm for all packages.",
        "We use it.",
    ),
    (
        r"<thing>(is|are) (always |only |never |also |now )?<amount>",
        "The upload limit is 20 MB.",
        "The upload limit is high.",
    ),
    (
        r"<thing>(is|are) (always |only |never |also |not |now )?<lasting>",
        "Customer ids are case-sensitive.",
        "Customer ids are fine.",
    ),
    (
        r"<thing>(is|are) (always |only |never |also |not |now )?<placed>",
        "The exports are stored in S3.",
        "The exports are ready.",
    ),
    (
        r"<thing>(is|are) <treated> (.* )?<recurring>",
        "Webhooks are retried for 3 days.",
        "Webhooks are retried.",
    ),
    (
        r"""^(?!(the|this|that|these|those|they|we|you|some|both|most|many|few|several|two|three|
his|her|my|our|your|their|its|there|what|which|new|remaining|unused)\b)([\w@_'./-]+ ){0,3}?[\w-]+s
are (?!([a-z]+ly )?<changed>)<treated> (up |out |off )?(by|with|as|on|to|for|from|at|
through|via|against|per|before|after|when|whenever|if|unless)\b""",
        "Refunds are approved by two people.",
        "The refunds are approved by two people.",
    ),
    (
        r"""^(every|each) (\S+ ){1,4}?is (?!([a-z]+ly )?<changed>)<treated> (by|with|as|on|in|into|
to|for|from|at|through|via|against|before|after|when|if|unless)\b""",
        "Every request is traced with an id.",
        "Every request is ready.",
    ),
    (
        r"<thing>(has|have) an? ([\w-]+ ){1,2}of (about |around )?<number>",
        "The water in the well has a hardness of 14 degrees.",
        "The water in the well has a hint of salt.",
    ),
    (
        r"^(our|the) <role> is (<name>|(the|an?) (?!(best|one|only|same|first|bit)\b)[\w-]+ \w+)",
        "Our plumber is Mrs. Oduya.",
        "Our plumber is the best one.",
    ),
    (
        r"""^(the|our|each|every) ([\w-]+ ){1,4}?(?!(was|is|has|does)\b)\w+s <when>[.!]*$|^(?!(the|
this|
there|these|those)\b)([\w-]+ ){0,2}[\w-]{2,}s (?!(were|are|had|ran|went|came|left|met|broke|fell|
began|got|sent|and|or|\w+ed)\b)\w+ <when>[.!]*$""",
        "The choir rehearses on Wednesdays.",
        "The choir rehearsed on Wednesday.",
    ),
    (
        r"<thing>(is|are) (open|closed|available|free|busy|off|in) <when>[.!]*$",
        "Our bank is closed on Fridays.",
        "Our bank is closed.",
    ),
    (
        r"<thing>(number|code|iban|password|pin|plate) is \S*\d",
        "The account number is DE12 3456.",
        "The account number is wrong.",
    ),
    (
        r"""<thing>(is|are|hangs?) (in|on|under|behind|above|below|beside|inside) the (
[\w-]+ ){0,2}?(
drawer|cupboard|shelf|cellar|basement|attic|safe|cabinet|locker|blackboard|pinboard|wall)[.!]*$""",
        "The spare fuse is in the top drawer.",
        "The spare fuse is in the post.",
    ),
    (
        r"""^there (is|are) (only |exactly )?(?!no\b)(<number>|an?) (?!([\w-]+ ){0,3}?<event>)(
[\w-]+ ){1,4}?(in|to|behind|under|on|at|per|near|above|below|beside) (the|our|each|
every) [\w -]+[.!]*$""",
        "There are three ladders in the shed.",
        "There are three failures in the log.",
    ),
)
# What a note to the reader says of a thing.
_NOTES: tuple[Row, ...] = (
    (
        r"""^(the|our|all|every|each|an?) (?!end\b)([\w-]+ ){1,3}?(is|are|has|have|can|must|only|
[a-z]+[a-rt-z]s|do not|does not)\b""",
        "The back gate jams.",
        "The back gate.",
    ),
)
_PASSING: tuple[Row, ...] = (
    (
        r"""\b((?<!\w )now|now(?! \w)|(right|just|for|until|by|and|but|so) now|now that|
currently|today|tonight|yesterday|tomorrow|yet|still|again|any ?more|already|
just|so far|for now|at the moment|right now|temporarily|recently|meanwhile|until|unless|soon|
(?<!and )(?<!or )later|next|this (time|week|morning|pr|branch|commit|change|task|session|run|way)|
as (asked|requested|discussed|expected|planned|before|usual)|successfully|correctly|
properly|as well|instead of)\b""",
        "The page uses the new header now.",
        "The page uses the header.",
    ),
    (
        r"""^(and |but |also )?(the |all |our |every |each |an? |its |some |both |most |\d+ )?
([\w-]+ ){0,3}?((test|suite|check|build|linter|coverage|pr|commit|pull request|merge request|
branch|change|diff|patch|fix|hotfix|refactoring|implementation|solution|approach|idea|plan|summary|
report|task|ticket|todo|review|function|method|helper|variable|class|component|tooltip|button|
modal|dialog|step|work|result|output|error message|stack ?trace|bug|crash|problem|issue|question|
answer|pipeline|script|migration|endpoint|everything|(error|status|exit|return) code|code(
?! is #?\d)|loop) (only |also |now )?(is|
has|does|
can|must|[a-z]+s)|(tests|suites|checks|builds|linters|prs|commits|pull requests|merge requests|
branches|
changes|diffs|patches|fixes|tasks|tickets|todos|functions|methods|helpers|variables|classes|
components|tooltips|buttons|modals|dialogs|steps|results|outputs|bugs|problems|issues|questions|
endpoints|reviewers) (only |also |now )?(are|have|do|can|must|[a-z]+))\b""",
        "The tests cover the empty cart.",
        "The policy covers the empty cart.",
    ),
    (
        r"""\b(the|a|an|our|this|that|these|those) (new|old|updated|fixed|changed|refactored|
improved|rewritten|remaining|current|latest|previous|last|first|second|third|other|same|following|
above|added|extra|final)\b""",
        "The new page uses the shared header.",
        "The page uses the shared header.",
    ),
    (
        r"\b(i|me|my|mine|you|your|yours|us|let us|please|thanks|sorry|hopefully|unfortunately)\b",
        "Your service listens on port 80.",
        "The service listens on port 80.",
    ),
    (
        r"""\b(was|were|been|had|did|will|would|could|shall|going to|used to)\b|
^\w+ed\b(?! ([\w-]+ ){0,2}[\w-]+s are\b)""",
        "The service was listening on port 80.",
        "The service listens on port 80.",
    ),
    (
        r"""\b(in (review|progress|place|sync|shape|good shape|order|time|use|the works)|
on (hold|track|fire|time|its way)|under (way|review)|at (risk|hand)|up to date|good to go|
ready|done|finished|complete|green|red|broken|passing|failing|missing|wrong|fine|ok|
okay)\b[.!]*$""",
        "The exports are stored and ready.",
        "The exports are stored in S3.",
    ),
    (
        r"""\b(looks?|seems?|feels?|appears?|sounds?(?! desk| system| check|proof))\b|\b(
makes? sense|takes? (a while|shape)|
works? (well|fine))\b""",
        "The service seems to accept JSON.",
        "The service accepts JSON.",
    ),
)

LASTS = PhraseTable(_LASTS, _CLASSES)
PASSING = PhraseTable(_PASSING)
HOLDING = {"lasts": LASTS, "passing": PASSING, "notes": PhraseTable(_NOTES, _CLASSES)}

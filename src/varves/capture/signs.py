"""The table of signs for and against a lasting statement, each with a weight.

People rarely say that a fact will last. They say how things generally are, in the present tense.
They give a reason, say who wants it, or say what they like. Sentences about the current task have
other forms: requests, questions, plans, the current state, past actions. One sign is not enough, so
`weighing.py` adds the weights of all signs in a sentence.

A row has a name, a weight, the words or the pattern to find in the plain form of a sentence, an
example sentence with the sign, and a similar sentence without it. The weights were fitted to the
development halves of the labelled sessions, together with real prompts and the tests' near misses
(docs/capture.md). They are rounded.
"""

from __future__ import annotations

from varves.capture.cue import Cue
from varves.values.value import Value


class Sign(Value):
    """One row of the table."""

    name: str
    weight: int
    example: str
    near: str
    words: frozenset[str] = frozenset()
    cue: Cue | None = None

    def is_in(self, said: str, words: set[str]) -> bool:
        """Return whether a sentence has this sign."""
        if self.words:
            return not self.words.isdisjoint(words)
        return self.cue is not None and self.cue.search(said) is not None


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ORDERED = _words(  # verbs with which a request may begin
    "accept add adjust align allow annotate answer append apply approve ask assert attach avoid "
    "await"
    " back bring build bump bundle call cap catch change check clean clear close combine commit"
    " compare compile compress confirm connect continue convert copy cover create cut debug declare"
    " define delete deploy describe disable do document downgrade draft drop edit embed enable "
    "encode"
    " ensure escape explain explore expose export extend fetch figure find finish fix fold follow"
    " force format generate get give go group handle hash help hide ignore implement import"
    " improve include increase indent inject inline insert inspect install investigate join keep"
    " kill launch leave let limit link lint list load lock log look lower make mark measure mention"
    " merge migrate mix mock modify mount move nest omit open optimize optimise overwrite paint "
    "pass"
    " paste patch pick pin plot prefix prepare print profile propose publish pull push put query "
    "quote"
    " raise read rebase rebuild record reduce refactor reformat regenerate reload remember remove"
    " rename repeat replace reply reproduce reset resolve respond restart restore restructure retry"
    " return reuse revert review rewrite roll rotate round run save say scan scrap search see "
    "select"
    " send separate set share ship shorten show shrink simplify skip sort specify spell split "
    "squash"
    " start stop store submit summarize summarise suppress swap switch sync tag take tell test "
    "throw"
    " tidy touch track translate treat trigger trim try turn type undo unify update upgrade "
    "upload use"
    " validate vendor verify wait walk wire wrap write think reason present consider focus "
    "analyze analyse"
    " plan design suggest recommend place evaluate identify outline provide perform refer examine"
)
LIGHT = _words(  # words that may precede the verb of a request, or a subject
    "please just now then also next first kindly instead ok and so but well anyway besides because"
)
VERB = _words(  # verbs of sentences that say how things generally are
    "is are has have gets get goes go must needs need runs run uses use lives live belongs "
    "belong comes"
    " come becomes become means mean happens happen counts count says sits sit stays stay keeps "
    "keep"
    " takes take makes holds hold owns own wants want expects expect requires require returns talks"
    " talk points listens serves serve handles handle sends send breaks works work ships ship "
    "starts"
    " begins ends stops closes opens reviews review approves approve signs sign checks pays pay "
    "bills"
    " bill charges charge stores store contains contain includes include supports support allows"
    " accepts accept rejects refuses depends depend relies rely maps mounts loads wipes resets "
    "rotates"
    " expires expire syncs sync pulls pushes builds build deploys deploy publishes publish lands "
    "passes"
    " covers generates creates deletes drops changes blocks locks reports report knows know hates"
    " hate likes like prefers speaks speak can may does do cannot lags caps costs cost pins pin "
    "follows"
    " follow reads writes forwards strips adds limits throttles caches logs signs validates share"
    " shares travels lists exports imports hosts host picks squash rebase tag review branch cut "
    "rejects"
    " bounces scrapes reject start insists confuse confuses touch touches trips eats kills "
    "drives hides"
    " lacks differs varies matters exists remains applies falls turns leads causes prevents forces"
    " chokes insist own owns bleibt bleiben ist sind hat haben darf dürfen muss müssen geht "
    "gehen gehört"
    " gehören kommt kommen macht machen liegt liegen läuft est sont reste restent vient viennent "
    "passe"
    " passent doit doivent va vont es son está están van debe deben tiene tienen viene vienen"
)
POINTING = _words("it that this they these those he she them its there theres here mine")
ASKING = _words(
    "what which who whose why how where whats is are was were do does did can could should would "
    "will"
    " shall has have may when"
)

SIGNS = (
    Sign(
        name="general",
        weight=12,
        words=_words(
            "every everything everyone everybody everywhere anything anyone anybody anywhere nobody"
            " any all each whole always never only nothing none neither both per entire wherever"
            " überall jede jeder jedes alle allen keine keiner keinem immer nie tous toutes chaque"
            " jamais toujours todos todas cada siempre nunca"
        ),
        example="nobody edits prod by hand",
        near="he edits the page by hand",
    ),
    Sign(
        name="contrast",
        weight=7,
        cue=Cue(
            r", (?:and |but )?not |, (?:it|they) (?:does|do|is|are|can) not |\bno \w+,? no |"
            r", no |\beven\b|\binstead\b|\brather than\b|"
            r"\bnot just\b|, nicht |, pas |\bisn'?t ours\b|\bnot ours\b",
            anchors="not|no |even|instead|rather|nicht|pas ",
        ),
        example="amounts are in cents, not euros",
        near="amounts are in cents",
    ),
    Sign(
        name="habit",
        weight=31,
        cue=Cue(
            r"\bi (?:only |always |never |just |really |usually |mostly |do |much |generally )*"
            r"(?:like|want|hate|love|prefer|dislike|enjoy|skim|can not (?:read|stand|follow|"
            r"review))\b(?! (?:you|to|this|that|it to|me|a\b|an\b|the\b|it\b))|"
            r"\bi (?:\w+ )?(?:review|read|look at|work|check|open)\b(?! on (?:the|a|an|this|my|"
            r"it)\b)"
            r".*\b(?:phone|laptop|train|tablet|terminal|ssh|mostly|only|anyway|every|always|never|"
            r"by hand|at night)\b|\bi never (?:open|read|use|look)\b|"
            r"\bi (?:like|want|prefer) (?:it|the|these|those|a|an) [^,.]{0,60}\b(?:when|on top|"
            r"first|"
            r"short|in|as|without|per|at the)\b|\b(?:is|are) how i (?:like|want|work|read|do)\b|"
            r"\bi am (?:happy|fine) with\b|\b(?:is|are) what (?:works|i (?:like|want|use|"
            r"need))\b|\bonly (?:when|if) i ask\b|^can you (?:please |just )?(?:not|stop) \w+|"
            r"\bi am not a fan\b|\bi would rather\b|\bi find \w+ing\b",
            anchors="i |what works|can you",
        ),
        example="i like short answers, formula first",
        near="i want to restructure the items",
    ),
    Sign(
        name="to me",
        weight=9,
        cue=Cue(
            r"\b(?:to|for) me\b|\bmy (?:life|eyes|phone)\b|\bmeans? nothing\b|\bnoise\b",
            anchors=" me|my |nothing|noise",
        ),
        example="three dumb functions are nicer to me",
        near="show them to us",
    ),
    Sign(
        name="barred",
        weight=14,
        words=_words(
            "banned forbidden prohibited generated frozen deprecated untouchable sacred read-only"
            " off-limits mandatory reserved wiped reviewed owned pinned vendored mirrored capped"
            " hard-coded immutable allowed required"
        ),
        example="the client is generated and wiped with each build",
        near="the client is big",
    ),
    Sign(
        name="several things",
        weight=8,
        cue=Cue(
            r"^(?!this|does|always|was|perhaps|thanks|yes|sometimes|unless|us\b|its|tests? )"
            r"(?:new |old |public |all |our |internal |external )?\w[\w.-]+s "
            r"(?:\S+ ){0,4}?(?:are|get|go|have|must|need|live|belong|come|become|run|use|happen|"
            r"count|stay|do not|never|always|only|can|may)\b",
            anchors="s ",
        ),
        example="errors get wrapped and returned",
        near="this goes to the left",
    ),
    Sign(
        name="anything of a kind",
        weight=8,
        cue=Cue(
            r"^(?:(?:a|an|any|no|every|each) (?!bit|lot|few|little|quick|small|problem|idea|"
            r"worries|"
            r"put|use|need|thanks)\w+ .*\b(?:is|are|has|gets?|goes|needs?|must|does not|can not|in|"
            r"without|on|until|before)\b|nobody |no one |things that |what \w+ .* (?:is|goes|comes|"
            r"stays|gets)\b|everything |anything |whatever )|"
            r"\b(?:a|an|any) \w+ (?:that|without|which|with no) ",
            anchors="a |an |any|no|every|each|things|what",
        ),
        example="a PR without the plan gets closed",
        near="a bit more to the left",
    ),
    Sign(
        name="we",
        weight=10,
        cue=Cue(
            r"^(?:we|our) (?!need|should|want|could|might|will|are (?:still|now|just|\w+ing)|had|"
            r"did|just|still|can |end up|lose|see|get )|"
            r", (?:we|our) (?!need|should|want|can|could|will|are|had)|"
            r"\bwe (?:do not|never|only|always|all|key|ship|keep|use|run|deploy|host|pay|pin|tag|"
            r"release|support|sell|bill)\b",
            anchors="we |our ",
        ),
        example="we key the topic by merchant",
        near="we need to bring up a region",
    ),
    Sign(
        name="we do not",
        weight=7,
        cue=Cue(
            r"\b(?:we|nobody|no one) (?:do not|never|no longer) (?!know|have an?\b|need|want|see|"
            r"care|get|"
            r"understand|like|think|seem|even)|\bnobody (?!knows|cares|pulled|\w+ed)\w",
            anchors="we |nobody|no one",
        ),
        example="we don't do reruns",
        near="we don't know yet",
    ),
    Sign(
        name="people",
        weight=16,
        words=_words(
            "ours people customers customer clients finance legal team teams sales ops qa"
            " marketing auditors audit compliance folks vendor partner partners company org office"
            " colleagues reviewers accounting controlling hr lawyer lawyers boss security platform"
            " infra support dba bi"
        ),
        example="finance reports that number",
        near="the function reports that number",
    ),
    Sign(
        name="of the project",
        weight=8,
        words=_words(
            "prod production staging ci cd repo repository codebase project monorepo cluster "
            "database"
            " db server servers host hosts laptop laptops machine machines runner runners pipeline"
            " release releases branch branches module modules package packages service services"
            " table tables column columns schema migration migrations env environment api apis"
            " endpoints tickets invoices ids exports imports logs jobs queue account accounts "
            "license"
            " contract region regions tenant tenants versions devices device game data fields "
            "commits"
            " prs docs warehouse replica bucket buckets vpn registry"
        ),
        example="the replica lags in staging",
        near="the loop lags in the test",
    ),
    Sign(
        name="consequence",
        weight=11,
        cue=Cue(
            r"\bso (?:no|do not|never|only|nothing|for|all|any|every|we|that|the|q\d)\b|"
            r"\bbecause\b|\botherwise\b|\bsince (?:the|we|our|they|it|a|legal|\w+ (?:wants|"
            r"needs))\b|"
            r"\bthat is (?:how|why|the|what)\b|\breasons?\b|\bor else\b|\bsonst\b|\bweil\b|"
            r"\bsinon\b|"
            r"\bparce que\b|\bporque\b|\band then you\b",
            anchors="so |because|otherwise|since|that is|reason|or else|sonst|weil|sinon|porque|"
            "parce"
            "|and then",
        ),
        example="they are on old phones, so no new APIs",
        near="so far it is done",
    ),
    Sign(
        name="duty",
        weight=13,
        cue=Cue(
            r"\b(?:must|has to|have to|may only|can only|belongs?|"
            r"needs to be(?! (?:restarted|rebuilt|reloaded|reset|reverted|renamed|rewritten|"
            r"refactored|rerun|redone|replaced|removed|fixed|updated|changed|added|moved|done|"
            r"deleted|cleaned|merged|bumped|pushed)\b)|"
            r"go(?:es)? (?:in|into|through|to|first|via|under|out)|comes? (?:as|from|in|with|via)|"
            r"lives? (?:in|on|under)|never have|always has)\b",
            anchors="must|has to|have to|only|needs|belong|go|come|live|never|always",
        ),
        example="new texts go into en.json",
        near="it comes later",
    ),
    Sign(
        name="defines",
        weight=5,
        cue=Cue(
            r" = |\b(?:is|are) (?:called|named|only|always|never|our|ours|what|run|owned|per|by|"
            r"a|an|"
            r"its own|their own|not ours|off the table|in|on|at|0|1|2|net|gross|\w+ed (?:by|in|"
            r"on|from|at|"
            r"to))\b",
            anchors=" = |is |are ",
        ),
        example="the export is run by the warehouse",
        near="the export is great",
    ),
    Sign(
        name="settled",
        weight=10,
        cue=Cue(
            r"\boff the table\b|\bsigned off\b|\bagreed\b|\bit is\b.*\bthen\b|\bgoes up to\b|"
            r"\bbecomes?\b|"
            r"\bis dropped\b|\bare dropped\b|\bfor good\b|\bgo(?:ing)? with\b|\bstick with\b|"
            r"\bstay(?:ing)? "
            r"(?:on|with)\b|\bfixed at\b|\bthen$|\bthen,|\bit is$|\bdone deal\b|\bfinal\b",
            anchors="table|sign|agreed|then|goes|becom|dropped|good|with|stay|fixed|it is|deal|"
            "final",
        ),
        example="items become resources, one file each",
        near="items came in one file",
    ),
    Sign(
        name="in this place",
        weight=15,
        cue=Cue(
            r"\b(?:in|of|for|from|on) (?:this|our|the whole) (?:repo|repository|project|game|"
            r"group|codebase|"
            r"code base|team|company|app|lab|org|shop|monorepo|crate|office|product)\b|"
            r"\baround here\b|"
            r"\bwith us\b|\bbei uns\b|\bchez nous\b",
            anchors="this |our |whole|around|with us|bei uns|chez",
        ),
        example="everything in this group works so",
        near="it works in this function",
    ),
    Sign(
        name="recurs",
        weight=3,
        cue=Cue(
            r"\b(?:daily|nightly|weekly|monthly|hourly|every (?:time|night|day|week|month|hour|"
            r"morning|"
            r"\w+day)|once an? \w+|at night|at \d\d?(?::\d\d| ?[ap]m)|each (?:time|night|day|"
            r"release))\b",
            anchors="ly|every|once|at |each",
        ),
        example="scratch is wiped every night",
        near="scratch is full",
    ),
    Sign(
        name="clauses",
        weight=5,
        cue=Cue(r"[,;(] ?\w+ \w+ \w+", anchors=",|;|("),
        example="the lock is old, it bit us",
        near="the lock is old",
    ),
    Sign(
        name="now",
        weight=-6,
        words=_words(
            "now today tonight tomorrow yesterday again already yet currently just later soon "
            "anymore"
            " atm meanwhile monday tuesday thursday friday morning evening weekend week"
        ),
        example="the tests are green again",
        near="the tests are green",
    ),
    Sign(
        name="state",
        weight=-7,
        words=_words(
            "red failing fails failed broken slow weird strange missing crash crashes crashed "
            "crashing"
            " hangs hanging bug bugs problem problems issue issues empty blank ugly fine worse "
            "nice ok"
            " bad perfect great working seems seem looks suspiciously annoying terrible awful "
            "hectic"
            " mess stiff green confusing unclear wrong hard huge fast slower faster cleaner "
            "longer enough full"
            " done"
        ),
        example="the page is slow",
        near="the page is public",
    ),
    Sign(
        name="too much",
        weight=-3,
        cue=Cue(
            r"\btoo \w+|\bway (?:too|more)\b|\b(?:a bit|a little|bit) \w+", anchors="too |way |bit"
        ),
        example="41 is too low for that star",
        near="41 is the number of that star",
    ),
    Sign(
        name="still",
        weight=-4,
        words=_words("still noch encore todavía"),
        example="the list still jumps",
        near="the list jumps",
    ),
    Sign(
        name="screen",
        weight=-9,
        words=_words(
            "button buttons popover icon icons header footer sidebar menu modal dialog tooltip px"
            " pixel pixels font fonts color colors colour page pages screen screens layout margin"
            " padding click clicks clicking scroll hover slot placeholder logo navbar card cards"
            " dropdown checkbox spinner theme background border"
        ),
        example="the button is on the left",
        near="the branch is on the left",
    ),
    Sign(
        name="story",
        weight=-19,
        cue=Cue(
            r"^(?:however|unfortunately|additionally|similarly|although|though|while|when (?:i|"
            r"you|we)|"
            r"for example|e\.g|before we|each time you|every time you|as (?:you|we|i)|after|"
            r"since i|"
            r"running|looking|attached|similar|i (?:have|understand|see|notice|tried|know|"
            r"think))\b|"
            r"\b(?:when i|if i|while i)\b",
            anchors="however|unfort|addition|similar|though|while|when |example|e.g|before|time|"
            "as |after|since|"
            "running|looking|attached|i |if i",
        ),
        example="when I run it, the canvas stays white",
        near="the canvas stays white by design",
    ),
    Sign(
        name="code",
        weight=-11,
        cue=Cue(
            r"\b(?:functions?|quer(?:y|ies)|renders?|mocks?|handlers?|responses?|requests?|diff|"
            r"loops?|"
            r"variables?|startup|callbacks?|line \d+|(?:first|second|third|fourth|last) (?:one|"
            r"option|"
            r"query|column|row|call|step)|off by|twice|the same|null|returns? \d+|"
            r"takes? (?:\w+ )?(?:minutes|seconds|\d+|longer|ages)|(?:each|every) time i|option|"
            r"branch has)\b",
            anchors="function|quer|render|mock|handler|respons|request|diff|loop|variable|"
            "startup|callback|"
            "line|first|second|third|fourth|last|off by|twice|same|null|return|take|time i|"
            "option|branch",
        ),
        example="the function gets called twice",
        near="the service gets called by the bank",
    ),
    Sign(
        name="report",
        weight=-8,
        cue=Cue(
            r"\b(?:error|screenshot|attached|console|appears?|disappears?|does not (?:appear|"
            r"work|show|load|seem)|"
            r"stuck(?! on)|latest|persists?|times out|fails?|failing|pending|instances? of|"
            r"lines? #?\d|"
            r"except|"
            r"displayed|there (?:is|are)|confused)\b",
            anchors="error|shot|attached|console|appear|not |stuck|latest|persist|times|fail|"
            "pending|instance|"
            "line|except|display|there|confus",
        ),
        example="the canvas does not appear",
        near="the canvas is drawn once",
    ),
    Sign(
        name="product",
        weight=-15,
        cue=Cue(
            r"\b(?:the|a|an|each|every|all) (?:users?|visitors?|players?|admins?|rows?|items?|"
            r"cells?|forms?|"
            r"entr(?:y|ies)|inputs?|links?|lists?|sections?)\b (?:must|should|can|gets?|sees?|"
            r"needs?|has to|"
            r"have to|is able|are able|clicks?)\b",
            anchors="user|visitor|player|admin|row|item|cell|form|entr|input|link|list|section",
        ),
        example="the user must never see the admin link",
        near="the user table is sharded",
    ),
    Sign(
        name="wish",
        weight=-15,
        cue=Cue(
            r"\b(?:please|could|should|would(?! rather)|might|maybe|ideally|lets)\b|^need\b|"
            r"\b(?:i|we|you) (?:also |just |only |will )?(?:need|want|can)\b(?! not| only)",
            anchors="please|could|should|would|might|maybe|ideally|lets|need|want|can",
        ),
        example="the grid should be wider",
        near="customers want the grid wide",
    ),
    Sign(
        name="past",
        weight=-7,
        words=_words(
            "was were did had went got made said told left sent took gave found thought knew saw "
            "came"
            " ran wrote broke lost built bought tried asked talked updated added changed moved "
            "fixed"
            " pushed merged removed deleted created started stopped wanted needed noticed installed"
            " upgraded ended clicked checked tested worked"
        ),
        example="i sent it to gerd",
        near="i send it to gerd",
    ),
    Sign(
        name="perfect",
        weight=-9,
        cue=Cue(
            r"\b(?:has|have|had) (?:\w+ )?(?:\w{2,}ed|been|done|made|got|seen|gone)\b",
            anchors="has |have |had ",
        ),
        example="the files have been added",
        near="the files have names",
    ),
    Sign(
        name="going on",
        weight=-16,
        cue=Cue(
            r"\b(?:is|are|am|be|been) (?:\w+ )?(?!everything|anything|nothing|something|string|"
            r"thing)"
            r"\w{3,}ing\b(?! (?:is|to me))",
            anchors="ing",
        ),
        example="we are moving to 16",
        near="we are on 16",
    ),
    Sign(
        name="will",
        weight=-6,
        words=_words("will gonna going"),
        example="they will attach it",
        near="they attach it",
    ),
    Sign(
        name="unsure",
        weight=-18,
        cue=Cue(
            r"\b(?:looks? like|feels?|i see|i do not|not sure|ideally|sometimes|hopefully|"
            r"unfortunately|wonder|seems?|make sure|example|have like|hard to tell|no hurry|"
            r"no idea|then again)\b",
            anchors="like|feel|i see|i do|sure|ideal|some|hope|unfort|wonder|seem|let|example|"
            "hard|no |"
            "then",
        ),
        example="it looks like a leak",
        near="it is a leak",
    ),
    Sign(
        name="asks too",
        weight=-18,
        cue=Cue(
            r"(?:[,;] |\band )(?:then |and |so |please |now |just )*(?:add|change|check|commit|"
            r"convert|create|"
            r"delete|do it|drop|export|fix|give|go|implement|look|make|merge|move|open|plot|"
            r"print|push|put|"
            r"remove|rename|replace|revert|run|save|see|send|set|show|start|tell|try|update|"
            r"write)\b"
            r"(?! (?:is|are|has|goes|gets|does)\b)",
            anchors=",|;|and ",
        ),
        example="one commit per step, then open the pr",
        near="one commit per step, then the pr is fine",
    ),
    Sign(
        name="about you",
        weight=-2,
        words=_words("you your"),
        example="you did it here",
        near="we do it here",
    ),
    Sign(
        name="this one",
        weight=-9,
        cue=Cue(
            r"^[^,;:]*\b(?:this|these|those|it|them)\b(?! (?:repo|repository|project|game|group|"
            r"codebase|"
            r"team|company|app|lab|org|shop|monorepo|crate|office|product|machine)\b)|"
            r"\bthat (?:file|test|one|function|thing|line|class|page|branch|run|bit|part)\b",
            anchors="this|these|those|it|them|that",
        ),
        example="the test of this file is red",
        near="the tests in this repo are slow, it is known",
    ),
)

SITUATION = {  # signs that depend on the situation and not only on the words
    "short": -15,
    "ample": 6,
    "endless": -3,
    "first message": -3,
    "after a no": -3,
    "answers a question": 9,
    "answers a choice": 3,
    "of me": -4,
    "ordered": -2,
    "points": -4,
}
BIAS = -18
WEIGHTS = {**{one.name: one.weight for one in SIGNS}, **SITUATION}

"""English verbs: their forms, and which of them say the same.

`WEAK` verbs only join a thing and its value, so two different ones do not make two statements
different. All other verbs count as content. `SAME` maps a stem to the word that stands for its
group; nouns made from a verb are in its group.
"""

from __future__ import annotations

IRREGULAR = {
    form: base
    for base, forms in {
        "be": "is are was were been being am",
        "begin": "began begun begins beginning",
        "break": "broke broken breaks breaking",
        "build": "built builds building",
        "buy": "bought",
        "choose": "chose chosen choosing",
        "come": "came comes coming",
        "cut": "cuts cutting",
        "do": "did done does doing",
        "draw": "drew drawn",
        "drive": "drove driven drives driving",
        "find": "found finds finding",
        "get": "got gotten gets getting",
        "give": "gave given gives giving",
        "go": "went gone goes going",
        "grow": "grew grown",
        "have": "had has having",
        "hold": "held holds holding",
        "keep": "kept keeps keeping",
        "know": "knew known",
        "lead": "led leads leading",
        "leave": "left leaves leaving",
        "let": "lets letting",
        "lie": "lay lain lies lying",
        "lose": "lost",
        "make": "made makes making",
        "mean": "meant means",
        "meet": "met meets meeting",
        "pay": "paid pays paying",
        "put": "puts putting",
        "read": "reads reading",
        "run": "ran runs running",
        "say": "said says saying",
        "see": "saw seen sees",
        "sell": "sold",
        "send": "sent sends sending",
        "set": "sets setting",
        "shut": "shuts shutting",
        "sit": "sat sits sitting",
        "speak": "spoke spoken speaks",
        "spend": "spent",
        "split": "splits splitting",
        "stand": "stood stands",
        "stick": "stuck",
        "take": "took taken takes taking",
        "teach": "taught",
        "tell": "told tells",
        "think": "thought thinks",
        "throw": "threw thrown throws throwing",
        "write": "wrote written writes writing",
        "freeze": "froze frozen freezes",
        "forbid": "forbade forbidden forbids",
        "ship": "ships shipped shipping",
        "sync": "synced syncs syncing",
        "hide": "hid hidden hides",
        "rewrite": "rewrote rewritten rewrites",
        "override": "overrode overridden overrides",
    }.items()
    for form in forms.split()
}

# Verbs by which a clause is found. An ambiguous form may also be a noun ("builds").
VERBS = frozenset(
    "accept access act add aggregate alert align allow answer append apply approve archive arrive"
    " ask assign assume attach authenticate authorize autoscale avoid await back ban base batch"
    " become begin belong bind block boot branch break bring build bump bundle burn buy cache call"
    " cancel cap capture carry cause change charge check choose clean clear click close coerce"
    " collect come commit compile compress compute configure confirm connect consume contain"
    " control convert copy correct corrupt cost count cover crash create cut decide declare"
    " default define delete deliver demand deny depend deploy deprecate derive describe design"
    " detect determine develop die disable disallow disappear discard display ditch divide do"
    " document double download drain draw drive drop dump edit embed emit employ enable encode"
    " encrypt end enforce ensure enter escape evaluate execute exceed exist expect expire explain"
    " export expose extend fail fall fetch fill filter find finish fire fit fix flag flash flush"
    " follow forbid force force-push format forward freeze generate get give go grant group grow"
    " guarantee guard halt handle hand happen hash have head help hide hit hold host identify"
    " ignore implement import improve include increase indent index inherit inject insert install"
    " integrate invoke issue join jump keep key kick know label lack land last launch lead leak"
    " leave let licence license lie like limit link lint list listen live load locate lock log look"
    " lose love lower maintain make manage map mark match mean measure meet merge migrate mirror"
    " miss mix mock monitor mount move name need notify observe occur offer omit open operate opt"
    " order originate output overlap override own pack package page paginate parse partition pass"
    " patch pause pay perform persist pick pin ping place plan play point poll post prefer prefix"
    " prepare present preserve prevent print process produce prohibit promise promote propagate"
    " protect provide provision publish pull purge push put query queue raise reach read rebase"
    " rebuild receive record redirect refer refresh refuse register reject release reload rely"
    " remain remember remove rename render repeat replace replicate reply report request require"
    " reset reside resize resolve respond restart restrict retain retire retry return reuse revert"
    " review rewrite roll rotate round route run sample save say scale scan schedule scope scrape"
    " seal search see seed select sell send separate serialize serve set settle share shift ship"
    " show shut sign sit skip sleep snapshot sort spawn speak specify spin split squash stand"
    " start stay stick stop store stream submit subscribe suffix support suspend swap swallow"
    " switch sync tag take talk target tell terminate test think throttle throw time toggle touch"
    " track trail train translate transmit treat trigger trim truncate trust try turn type"
    " understand unify uninstall update upgrade upload use validate vary vendor verify version"
    " visit vote wait want warn comment cancel invite watch weigh work wrap write yield talk speak truncate reload"
    " migrate advance depend interpolate relay standardise standardize clamp profile lack rewrite"
    " promise dial triage onboard ban mandate standardize designate assign earn award".split()
)
# Verbs that are nearly always meant as verbs in these forms, even right after a noun.
WEAK = frozenset(
    "be have do get go come make take put set keep stay remain become happen occur exist sit live"
    " lie reside belong stand run use employ operate serve work start begin kick start launch"
    " execute perform place contain hold carry include show see find give hand provide produce"
    " want look turn play act mean say tell know let bring fall land stick configure enter"
    " point apply base involve locate host store need".split()
)
MODALS = frozenset(
    "must can may shall should will would could might cannot can't won't shouldn't mustn't"
    " couldn't wouldn't".split()
)
AUXILIARIES = frozenset(
    "is are was were be been am has have had do does did isn't aren't wasn't weren't hasn't haven't"
    " hadn't don't doesn't didn't get gets got".split()
)

# Stems with one meaning. The first word of each group stands for all of them.
GROUPS = (
    "own owner ownership owned",
    "lead leader head heads",
    "maintain maintainer maintenance",
    "require requirement required mandatory necessary compulsory obligatory demand need needed"
    " must needs",
    "allow permit permitted allowed permission fine ok okay acceptable permissible",
    "expire expiry expiration ttl valid validity lifetime lapse",
    "deploy deployment deployed deploys rollout roll-out",
    "release releases shipped ship ships rollout",
    "retain retention kept keep hold preserve",
    "delete deletion removed remove erase purge discard",
    "encrypt encryption encrypted",
    "compress compression compressed",
    "authenticate authentication auth login authn signin",
    "backup backups",
    "migrate migration migrations",
    "schedule scheduled",
    "partition partitioned partitioning",
    "replicate replication",
    "retry retries retried",
    "alert alerts page pager pages paging notify notification alarm fire",
    "approve approval approved sign-off signoff",
    "review reviewer reviews reviewed",
    "merge merging merged",
    "test tests testing tested",
    "document documentation docs documented",
    "configure configuration config configs settings",
    "indent indentation indented",
    "format formatting formatter formatted",
    "lint linter linting",
    "log logs logging logged",
    "cache caching cached",
    "sign signed signature signing",
    "cost costs price priced pricing charge charged fee",
    "support supported supports",
    "write written wrote implemented implement coded code",
    "host hosted hosting",
    "store stored storage saved save",
    "limit limited cap capped ceiling",
    "sample sampling sampled samples",
    "encode encoded encoding",
    "serialize serialized serialise serialisation serialization",
    "render rendered rendering",
    "upload uploads uploaded uploading",
    "download downloads",
    "crash crashes crashed",
    "order ordering ordered",
    "sync synced syncs synchronise synchronize synchronised",
    "standard standardise standardised standardize",
    "force-push force-pushing",
    "rebase rebasing rebased",
    "close closes closed closing",
    "open opens opened opening",
    "prefer preference preferred prefers rather favour favor",
    "avoid avoids",
    "start begin begins starting commence kick",
    "end finish finishes finished stop",
    "timeout timeouts",
    "read reads loaded load",
    "send sent sends deliver delivered delivery",
    "run execute executed",
    "pin pinned pins",
    "promote promotion promoting",
    "cause caused causes culprit",
    "meet meeting meetings",
    "launch launches",
    "owner-of owning",
    "report reports reporting reported",
    "handle handled handles",
    "validate validation validated",
    "truncate truncates truncated",
    "listen listens listening",
    "licence license licensed licenced",
)

# Verbs that say that a thing got another value: "moved to", "was raised to".
CHANGE_VERBS = frozenset(
    "move change switch migrate rename raise lower bump upgrade downgrade increase decrease cut"
    " extend reduce shift swap convert transition reschedule postpone slip push double update"
    " relocate port rewrite replace".split()
)

"""English verbs: their forms, and which of them say the same.

`WEAK` verbs only join a thing and its value, so two different ones do not make two statements
different. All other verbs count as content. `GROUPS`: the first word of a row stands for the
others; nouns made from a verb are in its group.
"""

from __future__ import annotations

from varves.language.english.words import listed

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

# Verbs by which a clause is found. Some forms are also nouns ("builds").
VERBS = listed(
    "login accept access act add adopt advance aggregate alert align allow answer append apply"
    " approve archive arrive ask assign assume attach authenticate author authorize autoscale"
    " avoid await award back ban base batch become begin belong bind block book boot branch"
    " break bring build bump bundle burn buy cache call cancel cap capture carry cause change"
    " charge check choose clamp clean clear click close coerce collect come comment commit"
    " compile compress compute configure confirm connect consume contain control convert copy"
    " correct corrupt cost count cover crash create cut decide declare default define delete"
    " deliver demand deny depend deploy deprecate deprovision derive describe design designate"
    " detect determine develop dial die disable disallow disappear discard display ditch divide"
    " do document double download drain draw drive drop dump earn edit embed emit employ enable"
    " encode encrypt end enforce ensure enter escalate escape evaluate exceed execute exist"
    " expect expire explain export expose extend fail fall fetch file fill filter find finish"
    " fire fit fix flag flash flush follow forbid force force-push format forward freeze"
    " generate get give go grant group grow guarantee guard halt hand handle happen hash have"
    " head help hide hit hold host identify ignore implement import improve include increase"
    " indent index ingest inherit inject insert install integrate interpolate invite invoke"
    " issue join jump keep key kick know label lack land last launch lead leak leave let licence"
    " license lie like limit link lint list listen live load locate lock log look lose love"
    " lower maintain make manage mandate map mark match mean measure meet merge migrate mirror"
    " miss mix mock monitor mount move name need notify observe occur offboard offer omit"
    " onboard open operate opt order originate output overlap override own pack package page"
    " paginate parse partition pass patch pause pay perform persist pick pin ping place plan"
    " play point poll post prefer prefix prepare present preserve prevent print process produce"
    " profile prohibit promise promote propagate protect provide provision publish pull purge"
    " push put query queue raise reach read rebase rebuild receive recommend record redirect"
    " refer refresh refund refuse register reject relay release reload relocate rely remain"
    " remember remove rename render renew repeat replace replicate reply report request require"
    " rerun reset reside resize resolve respond restart restore restrict retain retire retrain"
    " retry return reuse revert review rewrite roll rotate round route run sample save say scale"
    " scan schedule scope scrape seal search see seed select sell send separate serialize serve"
    " set settle share shift ship shorten show shut sign sit skip sleep snapshot sort spawn"
    " speak specify spin split squash stand standardise standardize start stay stick stop store"
    " stream submit subscribe suffix sunset support suspend swallow swap switch sync tag take"
    " talk target tell terminate test think throttle throw tick ticks time toggle touch track"
    " trail train transfer translate transmit treat triage trigger trim truncate trust try turn"
    " type understand unify uninstall update upgrade upload use validate vary vendor verify"
    " version visit vote wait wake want warn watch weigh wipe wire work wrap write yield"
)
# Verbs that say little more than "is".
WEAK = listed(
    "be have do get go come make take put set keep stay remain become happen occur exist sit"
    " live lie reside belong stand run use employ operate serve work start begin kick launch"
    " execute perform place contain hold carry show see find give hand provide produce want look"
    " turn play act mean say tell know let bring fall land stick configure enter point apply"
    " base involve locate host store need handle aim power cap limit tick clock weigh prefer speak"
)
MODALS = listed("must can may shall should will would could might cannot")
AUXILIARIES = listed(
    "is are was were be been am has have had do does did get gets got being isn aren wasn"
)
# Words with one meaning. The first word of each group stands for all of them.
GROUPS = (
    "use uses used using usage",
    (
        "own owner owners ownership owned owns responsible responsibility maintainer maintain"
        " maintains maintained maintenance steward"
    ),
    "lead leader leads head heads led",
    (
        "require requirement required mandatory necessary compulsory obligatory demand demands"
        " needed must requires enforce enforced"
    ),
    "allow permit permitted allowed permission acceptable permissible allows permits may can",
    "expire expiry expiration ttl valid validity lifetime lapse expires expired",
    "deploy deployment deployed deploys deploying rollout deployments",
    "release releases shipped ship ships released releasing",
    "retain retention retained retains kept preserve preserved archive-for",
    (
        "delete deletion deleted deletes removed remove removes erase erased purge purged purges"
        " discard discarded wipe wiped wipes"
    ),
    "encrypt encryption encrypted encrypts",
    "compress compression compressed",
    "authenticate authentication auth login authn signin logins",
    "backup backups backed",
    "migrate migration migrations migrated",
    "schedule scheduled",
    "partition partitioned partitioning",
    "replicate replication replica replicas",
    "retry retries retried retrying",
    "alert alerts page pager pages paging notify notification notifications alarm alarms",
    "approve approval approvals approved approves approver",
    "review reviewer reviews reviewed reviewers",
    "merge merging merged merges",
    "test tests testing tested",
    "document documentation docs documented doc",
    "configure configuration configs settings",
    "indent indentation indented",
    "format formatting formatter formatted",
    "lint linter linting lints",
    "log logs logging logged",
    "cache caching cached caches",
    "sign signed signature signing signatures",
    "cost costs price priced pricing charge charged fee prices",
    "support supported supports supporting",
    "write written wrote implemented implement coded writes",
    "host hosted hosting hosts",
    "store stored storage saved save stores persist persisted",
    "sample sampling sampled samples",
    "encode encoded encoding",
    "serialize serialized serialise serialisation serialization",
    "render rendered rendering renders",
    "upload uploads uploaded uploading",
    "download downloads",
    "crash crashes crashed",
    "order ordering ordered",
    "sync synced syncs synchronise synchronize synchronised",
    "standard standardise standardised standardize",
    "force-push",
    "rebase rebasing rebased",
    "close closes closed closing",
    "open opens opened opening",
    "prefer preference preferred prefers favour favor",
    "start begin begins starting commence kick starts kicks begins",
    "end finish finishes finished ends",
    "timeout timeouts time-out",
    "read reads loaded load loads",
    "send sent sends deliver delivered delivery delivers",
    "run execute executed runs",
    "pin pinned pins",
    "promote promotion promoting",
    "cause caused causes culprit",
    "meet meeting meetings",
    "launch launches launched",
    "report reports reporting reported",
    "validate validation validated validates",
    "truncate truncates truncated",
    "port listen listens listening ports",
    "licence license licensed licenced licensing licences",
    "rotate rotation rotated rotates rotating",
    "retrain retrained retraining",
    "build builds built building compile compiles compiled compilation",
    "refund refunds refunded",
    "generate generated generates generation",
    "manage managed manages management mgmt",
    "train trained training",
    "answer answers answered response respond responds reply replies",
    "clock clocked",
    "align aligned alignment",
    "ticket tickets",
    "bill billed billing",
    "key keyed keys",
    "pay pays paid payment payments",
    "book booked booking bookings",
    "sequential sequentially serially",
    "queue queued queues queueing",
    "version versions versioned",
    "depend depends dependency dependencies deps dep",
    "flag flags feature-flag",
    "install installed installs installation",
    "host-at reside resides",
)
# Verbs that say that a thing got another value: "moved to", "was raised to".
CHANGE_VERBS = listed(
    "login move change switch migrate rename raise lower bump upgrade downgrade increase"
    " decrease cut extend reduce shift swap convert transition reschedule postpone double halve"
    " update relocate port rewrite replace transfer shorten lengthen scale"
)
# A word, and the word that it denies.
DENIES = {
    denying: denied
    for denied, row in {
        "allow": "forbid forbids forbidden forbade prohibit prohibited ban banned bans disallow"
        " disallowed deny denied denies block blocked blocks taboo off-limits refuse refused reject"
        " rejected rejects",
        "enable": "disable disabled disables deactivate deactivated off inactive",
        "require": "optional voluntary nice-to-have",
        "use": "avoid avoids shun",
        "have": "lack lacks lacking",
        "sign": "unsigned",
        "encrypt": "unencrypted plaintext cleartext",
        "partition": "unpartitioned",
        "support": "unsupported",
        "safe": "unsafe",
        "stable": "unstable",
        "possible": "impossible",
        "include": "exclude excludes excluded",
        "know": "unknown",
        "limit": "unlimited",
        "test": "untested",
        "document": "undocumented",
        "idempotent": "non-idempotent",
    }.items()
    for denying in row.split()
}
ENABLING = listed("enable enabled enables on active activated activate")

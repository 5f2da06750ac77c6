"""English verbs: their forms, and groups of verbs with the same meaning.

`WEAK` verbs only connect a thing with its value, so statements that differ only in a weak verb are
the same. All other verbs are content words. In `GROUPS`, the first word of a row stands for the
others. A noun made from a verb is in the verb's row.
"""

from __future__ import annotations

from varves.language.english.words import listed

IRREGULAR = {
    form: root
    for root, forms in {
        "be": "is are was were been being am",
        "begin": "began begun begins beginning",
        "become": "became becomes becoming",
        "bring": "brought brings bringing",
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
        "withdraw": "withdrew withdrawn withdraws withdrawing",
        "write": "wrote written writes writing",
        "freeze": "froze frozen freezes",
        "forbid": "forbade forbidden forbids",
        "ship": "ships shipped shipping",
        "sync": "synced syncs syncing",
        "hide": "hid hidden hides",
        "rebuild": "rebuilt rebuilds rebuilding",
        "rewrite": "rewrote rewritten rewrites",
        "catch": "caught",
        "eat": "ate eaten",
        "fall": "fell fallen falls falling",
        "feel": "felt",
        "fly": "flew flown",
        "forget": "forgot forgotten",
        "hang": "hung",
        "hear": "heard",
        "lend": "lent",
        "ride": "rode ridden",
        "ring": "rang rung",
        "rise": "rose risen rises rising",
        "shrink": "shrank shrunk",
        "sing": "sang sung",
        "swim": "swam swum swimming",
        "understand": "understood",
        "wear": "wore worn",
        "win": "won",
        "override": "overrode overridden overrides",
        "bend": "bent",
        "dig": "dug",
        "drink": "drank drunk",
        "feed": "fed",
        "fight": "fought",
        "mow": "mown",
        "seek": "sought",
        "sew": "sewn",
        "shake": "shook shaken",
        "sow": "sown",
        "spin": "spun",
        "sting": "stung",
        "sweep": "swept",
        "swing": "swung",
        "tear": "tore torn",
        "weave": "wove woven",
    }.items()
    for form in forms.split()
}

# Verbs by which the verb of a clause is found. Some of their forms are also nouns ("builds").
VERBS = listed(
    "abort accept access act add adjust adopt advance aggregate agree alert alias align allow"
    " annotate answer append apply approve archive arrive ask assess assign assume attach attend"
    " audit authenticate author authorize automate autoscale average avoid await award back"
    " balance ban"
    " base batch become beep begin belong bend bill bind blend blink block boil book bookmark"
    " boot branch break bring broadcast budget build bump bundle burn buy cache calibrate call"
    " cancel cap capture carry cause chair change charge check choose cite clamp clean clear"
    " click climb close coach coerce collect come comment commit commute compile compress"
    " compute configure confirm connect consume contain continue contract control convert cook"
    " cool copy correct corrupt cost count cover crash create cut decide declare decline decode"
    " decrypt default define delay delete deliver demand demo demote deny depend deploy"
    " deprecate deprovision derive describe design designate detach detect determine develop"
    " dial die disable disagree disallow disappear discard discharge disconnect display ditch"
    " divide do dock document donate double download drain draw drill drink drive drop dump earn"
    " eat edit embed emit employ enable encode encrypt end enforce ensure enter escalate escape"
    " estimate evaluate exceed exchange execute exist expand expect expire explain export expose"
    " extend facilitate fade fail fall fetch file fill film filter finance find finish fire fit"
    " fix flag flash flicker flush fly fold follow forbid force force-push forecast format"
    " forward freeze fund generate get give glow glue go grant group grow guarantee guard halt"
    " hand handle hang happen hash have head heat help hide highlight hire hit hold host"
    " identify ignore implement import improve include increase indent index ingest inherit"
    " inject insert inspect install insure integrate interpolate invest invite invoice invoke"
    " issue join jump keep key kick know label lack lag land last launch lead leak learn leave"
    " let licence license lie lift like limit link lint list listen live load localize locate"
    " lock log login look lose love lower maintain make manage mandate map mark match mean"
    " measure meet melt mention mentor merge meter migrate mirror miss mix mock moderate monitor"
    " mount move mute name need negotiate notify observe occur offboard offer omit onboard open"
    " operate opt order organise organize originate output overlap override own pack package pad"
    " page paginate paint park parse partition pass paste patch pause pay perform permit persist"
    " pick pin ping place plan play plug point poll post postpone pour power practice practise"
    " prefer prefix prepare present preserve prevent print proceed process produce profile"
    " prohibit promise promote propagate protect provide provision proxy publish pull pump purge"
    " push put query queue quit quota quote raise rank reach read rebase reboot rebuild receive"
    " recommend record redirect redo refer reference refresh refund refuse register rehearse"
    " reimburse reject relay release reload relocate rely remain remember remove rename render"
    " renew rent reopen repeat replace replicate reply report request require rerun reschedule"
    " reset rest"
    " reside resign resize resolve respect respond restart restore restrict resume retain retire"
    " retrain retry return reuse revert review revoke rewrite ride ring rise roll rotate round"
    " route run sail salt sample save say scale scan schedule scope score scrape scroll seal"
    " search see seed select sell send separate serialize serve set settle shard share shift"
    " shine ship shorten show shrink shut sign sing sit skip sleep slice snapshot sort spawn"
    " speak specify spin split sponsor squash stand standardise standardize start stay steer"
    " stick stock stop store stream stretch strip study stutter style submit subscribe substitute"
    " suffix sum summarise summarize sunset support suspend swallow swap swim swipe switch sync"
    " tag take talk tap target tax teach tell terminate test think throttle throw tick ticks"
    " tilt time timeout toggle touch track trade trail train transcribe transfer translate"
    " transmit travel treat triage trigger trim truncate trust try tune turn type underline"
    " understand undo unfollow unify uninstall unload unpack unplug unsubscribe update upgrade"
    " upload use validate vary vendor verify version vibrate visit vote wait wake walk want warn"
    " wash watch water wear weigh weld win wipe wire work wrap write yield zoom"
)
# Verbs that say little more than "is".
WEAK = listed(
    "be arrive have do get go come make take put set keep stay remain become happen occur exist sit"
    " live lie reside belong stand run use employ operate serve work start begin kick launch"
    " execute perform place contain hold carry show see find give hand provide produce want look"
    " turn play act mean say tell know let bring fall land stick configure enter point apply"
    " base involve locate host store need handle aim power cap limit tick clock weigh prefer"
    " choose pick select adopt opt treat display"
)
# Verbs that set one thing above another: "choose clarity over brevity".
PREFERRING = listed("prefer choose pick select")
MODALS = listed("must can may shall should will would could might cannot")
AUXILIARIES = listed(
    "is are was were be been am has have had do does did get gets got being isn aren wasn"
)
# Words with the same meaning. The first word of each group stands for all of them.
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
    "cost costs price priced pricing charge charged fee fees prices",
    "support supported supports supporting",
    "write written wrote implemented implement writes",
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
    "manual manually",
    "automatic automatically automated automates automate automation",
    "settle settlement settled settles",
    "submit submission submissions submitted submits",
    "buy purchase purchases bought buys purchased procure",
    "refresh refreshed refreshes",
    "immediate immediately instantly instant",
    "hire hires hired hiring recruit recruits",
    "relicense relicensed",
    "counterclockwise anticlockwise",
    "close closes closed closing shut",
    "public world-readable",
    "invite invites invited invitation invitations",
    "graded grade grades grading",
    "label labelled labeled labels",
    "arrive arrives arrived land lands landed",
    "sit sits sat sitting",
)
# Verbs that report a new value: "moved to", "was raised to".
CHANGE_VERBS = listed(
    "login move change switch migrate rename raise lower bump upgrade downgrade increase"
    " decrease cut extend reduce shift swap convert transition reschedule postpone double halve"
    " update relocate port rewrite replace transfer shorten lengthen scale"
)
# A word, and the word that it negates.
DENIES = {
    denying: denied
    for denied, row in {
        "allow": "forbid forbids forbidden forbade prohibit prohibited ban banned bans disallow"
        " disallowed deny denied denies block blocked blocks taboo off-limits refuse refused reject"
        " rejected rejects disallows prevent prevents prevented refuses forbidding banning illegal",
        "enable": "disable disabled disables disabling deactivate deactivated off inactive",
        "require": "optional voluntary nice-to-have unneeded unnecessary needless dispensable",
        "use": "avoid avoids shun",
        "have": "lack lacks lacking",
        "sign": "unsigned",
        "encrypt": "unencrypted plaintext cleartext",
        "partition": "unpartitioned",
        "support": "unsupported",
        "safe": "unsafe",
        "stable": "unstable",
        "possible": "impossible",
        "include": "exclude excludes excluded omit omits omitted",
        "like": "dislike dislikes hate hates",
        "know": "unknown",
        "limit": "unlimited",
        "test": "untested",
        "document": "undocumented",
        "idempotent": "non-idempotent",
    }.items()
    for denying in row.split()
}
ENABLING = listed("enable enabled enables enabling on active activated activate")

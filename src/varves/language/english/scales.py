"""English words for states that exclude one another, such as open and closed.

A row of `SCALES` has two or more states. Two statements about one thing that give it two states of
a row disagree; with a negation, a word of a row of two states stands for the other state. The rows
are used only for statements in different words, where the rest of both texts shows that they are
about one thing. `NEGATORS` deny the words after them in their clause. A phrase is written with
underscores.
"""

from __future__ import annotations

from varves.language.english.words import listed

SCALES = {
    "automation": (
        (
            "automatic automatically automated automate automates automation itself themselves"
            " unattended bot cron cronjob self-service on_its_own hands-off autopilot "
            "without_asking "
            " scheduled_job timer"
        ),
        (
            "manual manually yourself yourselves by_hand human humans hand-made handwritten"
            " hand-written somebody_has_to someone_has_to people_have_to ourselves_each in_person"
            " kick_off kicks_off kicked_off off_by_hand one_person_clicks presses_the one_presses"
        ),
    ),
    "works": (
        (
            "works working functional functioning fine operational usable green healthy "
            "passes passing "
            " succeeds stable reliable intact repaired solid up_and_running like_a_charm "
            "no_problems "
            " in_order back_up"
        ),
        (
            "broken breaks fails failing crashes crashing unusable defective faulty dead bricked"
            " unstable flaky unreliable out_of_order malfunctioning corrupt corrupted red "
            "hangs freezes "
            " falls_over brings_down is_down are_down runs_out_of chokes goes_wrong"
        ),
    ),
    "repeatable": (
        (
            "idempotent idempotently harmless safe_to_repeat safe_to_rerun no_side_effects no_harm"
            " rerunnable repeatable"
        ),
        "twice double doubles doubled duplicates duplicated duplicate second_time side_effects",
    ),
    "undo": (
        (
            "restorable recoverable reversible undo undone restore restored recover recovered"
            " bring_back brought_back get_back rolled_back rollback undelete soft-delete trash"
            " recycle_bin"
        ),
        (
            "irreversible irreversibly permanent permanently irrecoverable unrecoverable "
            "forever_lost "
            " lost_forever gone_for_good for_good gone_right_away no_way_back final hard-delete"
            " unrecoverably lost"
        ),
    ),
    "free": (
        "free gratis complimentary no_charge at_no_cost costless on_the_house no_fee waived",
        (
            "pay pays paid costs charge charged charges fee fees paying priced surcharge "
            "dollars euros "
            " chargeable"
        ),
    ),
    "paper": (
        (
            "paper printed print prints post postal letter letters paper-based printout hardcopy"
            " printouts"
        ),
        (
            "pdf email emailed digital digitally electronic electronically paperless e-book tablet"
            " tablets online_only spreadsheet"
        ),
    ),
    "open": (
        "open opens opened accessible unlocked staffed",
        "closed closes shut shuts locked inaccessible boarded_up",
    ),
    "on": (
        "on enabled activated active armed running turned-on live",
        "off disabled deactivated inactive disarmed switched-off turned-off greyed",
    ),
    "public": (
        "public publicly world-readable everyone_can anyone_can internet-facing open-source",
        (
            "private internal confidential members-only restricted invite-only secret closed-source"
            " proprietary internal-only"
        ),
    ),
    "encrypted": (
        "encrypted encryption encrypts encrypt cipher kms tls https",
        "plaintext cleartext unencrypted plain_text in_the_clear http",
    ),
    "indent": ("tabs tab", "spaces space"),
    "spelling": (
        "british uk colour behaviour organise uk-english",
        "american us color behavior organize us-english us_style us_spelling",
    ),
    "zone": (
        "utc gmt zulu",
        "local localtime local_time cet cest pst est vienna_time berlin_time",
    ),
    "appearance": ("dark night_mode", "light day_mode bright"),
    "versions": (
        "semver semantic_versions semantic_versioning major.minor.patch",
        "calver calendar_versions calendar_versioning date-based",
    ),
    "kept": (
        "keep kept keeps retained retain stays preserved archived saved stored persists",
        "deleted delete purged erased wiped discarded thrown trashed shredded destroyed dropped",
    ),
    "approval": (
        "approved approves approve signed_off green_light agreed blessed okayed accepted confirmed",
        "rejected refused declined vetoed turned_down disapproved unapproved pending_approval",
    ),
    "done": (
        "finished done completed complete ready delivered concluded solved resolved",
        "unfinished incomplete unresolved outstanding half-done half-finished overdue unsolved",
    ),
    "left": (
        "available left free spare vacant remaining unspent unused plenty surplus leftover",
        (
            "used_up exhausted spent sold_out fully_booked full gone depleted packed "
            "ran_out run_out "
            " out_of_stock taken occupied overspent"
        ),
    ),
    "trend": (
        "rising rises rose grew grows growing increasing increased increase up gained climbs",
        (
            "falling falls fell shrank shrinks shrinking decreasing decreased decrease dropped"
            " declining lost"
        ),
    ),
    "speed": (
        "fast quick quickly rapid snappy instant instantly immediate immediately",
        "slow slowly sluggish laggy ages eventually forever",
    ),
    "price": ("cheap cheaper cheapest inexpensive affordable", "expensive pricey costly dearer"),
    "size": ("large big huge biggest largest large-scale", "small tiny little smallest"),
    "difficulty": ("easy simple trivial straightforward", "hard difficult tricky complicated"),
    "danger": ("safe harmless secure", "dangerous unsafe risky hazardous insecure harmful"),
    "cleanliness": ("clean spotless tidy", "dirty messy filthy stained"),
    "noise": ("quiet silent noiseless", "loud noisy"),
    "heat": ("hot warm heated", "cold chilled cool unheated frozen"),
    "wet": ("wet damp moist soaked", "dry dried"),
    "raw": ("raw uncooked", "cooked boiled baked fried roasted"),
    "indoors": ("indoor indoors inside", "outdoor outdoors outside open-air"),
    "remote": (
        "remote remotely home home-office homeoffice from_home",
        "onsite on-site in_person in_the_office presence",
    ),
    "hosting": (
        (
            "self-hosted on-prem on-premises in-house inhouse our_own own_machines own_servers"
            " ourselves own_hardware self-managed"
        ),
        (
            "outsourced third-party hosted_runners external saas agency freelancers "
            "freelancer vendor "
            " contractors contractor external_company managed_service"
        ),
    ),
    "sharing": (
        "dedicated exclusive own personal individual separate isolated single-tenant",
        "shared common pooled communal multi-tenant together",
    ),
    "network": (
        "internet online connected connection connectivity remote_server web phones_home",
        "offline disconnected airgapped air-gapped isolated no_network local-only",
    ),
    "sync": ("synchronous synchronously blocking", "asynchronous asynchronously async queued"),
    "timing": (
        (
            "immediately instantly real-time realtime at_once right_away straight_away on_the_spot"
            " in_real_time live"
        ),
        "later nightly overnight batch batched in_batches delayed at_the_end_of_the_day eventually",
    ),
    "start": (
        "scratch from_scratch",
        "fine-tuned finetuned fine-tuning pretrained pre-trained checkpoint pre-existing",
    ),
    "static": ("static statically hardcoded hard-coded fixed", "dynamic dynamically configurable"),
    "unique": (
        "unique uniquely only_once never_a_second distinct no_duplicates",
        "share same duplicate duplicates duplicated repeated non-unique",
    ),
    "count": (
        "single sole one_person alone one-man solo",
        "several multiple many various plural both pair couple",
    ),
    "cash": ("cash coins cash-only banknotes", "card cards contactless creditcard debit cashless"),
    "diet": (
        "vegan vegetarian plant-based meatless dairy-free meat-free",
        "meat beef chicken pork bacon ham cream butter milk cheese egg eggs lamb sausage",
    ),
    "win": ("won win wins victory beat beaten-them", "lost lose loses defeat defeated"),
    "order": ("before prior beforehand ahead first", "after afterwards afterward subsequently"),
    "presence": (
        "present attends attend attending attended there joins joined shows_up showed_up came",
        "absent missing away on_leave sick stayed_home day_off off_sick no-show skipped",
    ),
    "position": ("top upper upstairs above", "bottom lower downstairs basement below"),
    "hand": ("left left-hand", "right right-hand"),
    "gender": ("women women's girls female", "men men's boys male"),
    "part": ("weekday weekdays", "weekend weekends"),
    "circuit": (
        "normally-closed normally_closed",
        "normally-open normally_open",
    ),
    "pull": ("pull polling polls poll", "push pushes pushed websocket webhook"),
    "mutable": (
        "immutable read-only frozen append-only unchangeable final fixed locked",
        "mutable editable writable changeable overwritten rewritable edit edits editing adjustable",
    ),
    "strict": ("strict strictly rigid zero_tolerance hard_rule", "lenient loose relaxed flexible"),
    "time": ("temporary temporarily interim provisional stopgap", "permanent permanently"),
    "ownership": ("employed employee salaried permanent_staff", "freelance contractor freelancer"),
    "pay": ("paid salaried wage wages", "unpaid volunteer volunteers voluntary honorary"),
    "formal": ("formal formally suit", "casual informal jeans"),
    "known": ("known understood identified clear", "unknown unclear mysterious unidentified"),
    "tests": (
        "tested covered coverage",
        "untested uncovered",
    ),
    "age": ("new newest latest brand-new", "old oldest legacy outdated second-hand used_one"),
    "smoke": ("smoking smoke smokers", "non-smoking smoke-free no-smoking"),
    "state": ("stateful sticky", "stateless"),
    "sorted": ("sorted ordered alphabetical alphabetically chronological", "random unsorted mixed"),
    "deterministic": ("deterministic reproducible bit-for-bit", "nondeterministic random varies"),
    "hidden": ("visible shown displayed appears", "hidden invisible concealed"),
    "wired": ("wired cable cabled ethernet", "wireless wifi wi-fi bluetooth"),
    "compat": ("compatible backwards-compatible", "incompatible breaking"),
    "thread": ("thread-safe threadsafe", "thread-unsafe"),
    "repo": ("monorepo one_repo single_repo", "polyrepo multirepo several_repos own_repo"),
    "architecture": ("monolith monolithic one_process", "microservice microservices"),
    # how software behaves
    "case": (
        (
            "insensitive case-insensitive ignores_case any_case regardless_of_case either_case"
            " lowercased"
        ),
        "sensitive case-sensitive capitals_matter capitals capital_letters exact_case matters",
    ),
    "reload": (
        (
            "restart restarts restarting reboot redeploy redeployment redeploying "
            "restarted at_startup "
            " at_boot at_start once_at"
        ),
        (
            "on_the_fly hot-reload hot_reload live_reload without_a_restart picks_up picks_it_up"
            " while_running at_runtime hot-reloaded hot-reloads without_restarting immediately"
            " is_running within_seconds reloads reloaded takes_effect_at_once"
        ),
    ),
    "errors": (
        (
            "skipped skips skip silently continues carries_on goes_on carry_on ignored swallowed"
            " swallows tolerates tolerated tolerant keeps_going best-effort proceeds lenient"
        ),
        (
            "stops stop aborts abort aborted halts halt stack_trace raises throws bails gives_up"
            " refuses stacktrace fatal breaks_off terminates cancels whole_thing_fails"
        ),
    ),
    "sequence": (
        (
            "in_order sequential sequentially serially one_after_another one_by_one one_at_a_time"
            " strictly_ordered in_sequence single-threaded queue_up"
        ),
        (
            "parallel concurrently concurrent simultaneously at_the_same_time any_order "
            "side_by_side "
            " at_once multi-threaded multithreaded in_parallel out_of_order"
        ),
    ),
    "persistence": (
        (
            "persistent persisted disk durable survives survive on_disk written_to_disk file files"
            " database stays_after"
        ),
        (
            "in_memory in-memory volatile ephemeral vanish vanishes transient only_in_memory ram"
            " lost_on_restart gone_after_a_restart stdout"
        ),
    ),
    "anonymity": (
        (
            "anonymous anonymised anonymized anonymously blind double-blind pseudonymous unnamed"
            " nameless anonymity"
        ),
        (
            "named identity real_name real_names by_name full_name identifiable see_the_name"
            " see_who shows_who name names traceable"
        ),
    ),
    "place_of_work": (
        (
            "locally on_the_device on-device client-side on_my_machine laptop laptops by_the_client"
            " in_the_browser workstation"
        ),
        (
            "server-side on_the_server in_the_cloud cloud uploaded central_server datacenter"
            " ci_server build_server"
        ),
    ),
    "bounds": (
        (
            "unlimited no_limit as_many_as any_number any_size endless infinite unbounded no_cap"
            " as_much_as as_long_as_you unrestricted limitless no_upper_bound no_maximum"
        ),
        (
            "limited limit limits cap capped maximum max at_most quota no_more_than restricted"
            " up_to bounded throttled ceiling"
        ),
    ),
    "once": (
        "once one-off one-time only_once a_single_time just_once",
        (
            "repeatedly every_time each_time continually periodically regularly recurring"
            " constantly over_and_over again_and_again on_every on_each"
        ),
    ),
    "who": (
        (
            "anyone anybody everyone everybody whoever all_staff open_to_all all_users every_user"
            " any_developer everyone_else any_member general_public whole_internet"
        ),
        (
            "admins_only members_only only_the only_admins staff_only nobody_but no_one_but"
            " nobody_except restricted_to reserved_for limited_to invitation_only authorised"
            " authorized vpn"
        ),
    ),
    "gate": (
        (
            "must_pass gate blocking mandatory compulsory required obligatory enforced "
            "hard_rule must "
            " insist insists insisted rejects"
        ),
        (
            "advisory optional informational voluntary recommended nice_to_have up_to_you"
            " if_you_like warning_only suggestion discretionary waived as_you_like your_choice"
        ),
    ),
    "route": (
        "directly straight unreviewed without_review direct bypass bypasses",
        (
            "pull_request pullrequest reviewed review approval approvals through_a via_a migration"
            " signoff"
        ),
    ),
    "origin": (
        "generated auto-generated autogenerated codegen scaffolded",
        "handwritten hand-written by_hand manually written_by",
    ),
    "freshness": (
        "up-to-date current recent fresh latest maintained up_to_date",
        "outdated stale obsolete abandoned unmaintained ancient out_of_date behind deprecated",
    ),
    "typing": ("typed statically_typed type-checked", "untyped dynamically_typed"),
    "precision": (
        "exact exactly precise precisely",
        "approximate estimate estimated rough roughly",
    ),
    "trust": ("trusted verified authentic", "untrusted unverified suspicious"),
    "log_level": ("debug verbose chatty", "silent quiet terse"),
    "license": ("open-source opensource mit apache gpl", "proprietary closed-source commercial"),
    "deployment": ("canary gradual gradually staged step_by_step", "big-bang all_at_once"),
    "backend": ("stored_procedure", "application_code"),
    "support": (
        "supported supports compatible maintained",
        "unsupported incompatible discontinued end-of-life eol",
    ),
    "attention": ("monitored watched observed", "unmonitored unwatched unattended"),
    "signature": ("signed verified", "unsigned unverified"),
    "spread": ("central centralised centralized", "distributed decentralised decentralized"),
    # money and agreements
    "advance": (
        "upfront in_advance beforehand deposit prepaid up_front",
        "afterwards in_arrears on_delivery on_account at_the_end once_delivered",
    ),
    "inclusion": (
        "included inclusive in_the_price covered all-inclusive comes_with",
        "extra separately on_top surcharge excluded exclusive_of own_expense bring_your_own",
    ),
    "refund": (
        "refundable money_back money-back full_refund refunded",
        "nonrefundable non-refundable no_refund no_refunds non-returnable",
    ),
    "debt": (
        "paid settled cleared paid_off covered",
        "unpaid outstanding owed overdue owe owes unsettled in_debt",
    ),
    "balance": (
        "profit profitable surplus in_the_black",
        "loss deficit in_the_red losing_money unprofitable",
    ),
    "provision": (
        "provided supplied catered on_site we_provide laid_on",
        "bring_your bring_their own_expense byo yourself self-catering",
    ),
    "property": (
        "own owned bought purchased belongs_to_us ours",
        "rent rented rental lease leased borrowed borrow loaned on_loan",
    ),
    "happening": (
        "takes_place going_ahead goes_ahead confirmed on_schedule on_track as_planned happening",
        "cancelled canceled called_off postponed scrapped dropped off delayed shelved",
    ),
    "punctuality": (
        "early punctual on_time ahead_of_schedule in_good_time",
        "late delayed behind_schedule overdue behind tardy",
    ),
    "opinion": (
        "likes loves enjoys fond keen favourite favorite fan prefers wants adores happy pleased",
        (
            "hates dislikes detests loathes can't_stand despises allergic_to unhappy complains"
            " annoyed avoids"
        ),
    ),
    "stance": (
        "supports favours favors in_favour endorses backs",
        "opposes against objects objected opposed",
    ),
    "majority": ("most majority nearly_all almost_all", "few minority hardly_any hardly_anyone"),
    "signed": ("signed in_writing", "verbal verbally handshake unsigned"),
    "insurance": ("insured covered", "uninsured"),
    "experience": ("experienced expert veteran senior", "novice beginner beginners junior newbie"),
    # people
    "health": (
        "fit healthy recovered back_in_training well",
        "injured hurt sprained torn sidelined sick ill broken_leg concussion out_injured",
    ),
    "contract": ("full-time fulltime full_time", "part-time parttime part_time half_days"),
    "status": ("professional professionals pro", "amateur amateurs hobby"),
    "life": ("alive living", "dead died deceased"),
    "partner": ("married", "single unmarried divorced"),
    "reachable": (
        "reachable reach available answers responsive picks_up contactable",
        "unreachable unavailable out_of_office away offline doesn't_answer",
    ),
    "game": ("home_game home_match at_home", "away_game away_match away"),
    "level": ("beginner beginners basic introductory", "advanced expert"),
    # food
    "gluten": (
        "gluten-free glutenfree",
        "gluten wheat flour bread pasta barley rye",
    ),
    "nuts": (
        "nut-free",
        "nut nuts almond almonds peanut peanuts hazelnut hazelnuts walnut walnuts cashew pistachio",
    ),
    "milk": (
        "dairy-free lactose-free lactosefree",
        "milk butter cream cheese yoghurt yogurt dairy",
    ),
    "sugar": ("sugar-free unsweetened sugarless", "sugar sweetened honey syrup sweet"),
    "alcohol": (
        "alcohol-free non-alcoholic soft_drinks sober dry",
        "alcohol wine beer rum vodka whisky schnapps prosecco alcoholic spirits",
    ),
    "spice": ("mild bland", "spicy hot chili chilli peppery"),
    "taste": ("sweet", "savoury savory sour bitter"),
    "making": (
        "homemade home-made house-made from_scratch make_our_own bake_our_own ourselves in-house",
        (
            "bought store-bought shop-bought ready-made packaged frozen buy_in pre-made premade"
            " delivered tinned"
        ),
    ),
    "conserved": ("fresh freshly", "frozen tinned canned dried powdered"),
    "cooker": ("gas gas_stove", "electric induction", "wood wood-fired", "charcoal"),
    "doneness": ("rare raw undercooked", "well_done cooked_through overcooked"),
    # buildings, materials and things
    "material": (
        "wood wooden oak pine timber plywood beech",
        "steel metal aluminium aluminum iron copper brass",
        "concrete cement",
        "brick bricks",
        "plastic pvc polymer",
        "glass",
        "stone granite marble slate",
        "cotton wool fabric leather",
        "cardboard",
    ),
    "fuel": (
        "gas",
        "electric electricity battery",
        "diesel",
        "petrol gasoline",
        "solar",
        "oil",
        "heat_pump heat-pump",
    ),
    "power": (
        "plugged_in mains mains-powered wall_socket socket plug",
        "battery batteries battery-powered cordless rechargeable",
    ),
    "charge": ("charged full", "empty flat drained"),
    "condition": ("intact undamaged flawless", "damaged cracked torn scratched leaking leaks"),
    "carry": ("load-bearing loadbearing structural", "partition non-structural"),
    "roof": ("flat_roof", "pitched_roof sloped gabled"),
    "stairs": ("lift elevator step-free ramp", "stairs steps staircase"),
    "furnished": ("furnished", "unfurnished"),
    "surface": ("smooth polished even", "rough uneven bumpy"),
    "thickness": ("thick", "thin"),
    "depth": ("deep", "shallow"),
    "height": ("tall", "short"),
    "width": ("wide broad", "narrow"),
    "weight": ("heavy", "lightweight light"),
    "strength": ("strong", "weak"),
    "fill": ("full filled", "empty blank"),
    "water": ("drinkable potable safe_to_drink", "undrinkable non-potable contaminated"),
    "sterility": ("sterile sterilised sterilized", "contaminated unsterile dirty"),
    "calibration": ("calibrated", "uncalibrated drifted"),
    "direction": ("upstream uphill upwards inbound", "downstream downhill downwards outbound"),
    # travel
    "transport": (
        "train trains rail railway",
        "plane planes fly flight flights flying air",
        "bus buses coach minibus",
        "car cars drive driving carpool",
        "bike bikes bicycle cycle cycling",
        "ferry boat ship",
        "foot walk walking hike",
    ),
    "lodging": (
        "hotel hotels",
        "hostel dorm dormitory",
        "tent tents camping campsite camp",
        "apartment airbnb flat",
        "cabin hut",
    ),
    "seat": ("window_seat", "aisle_seat aisle"),
    "class": ("economy", "business_class", "first_class"),
    "journey": ("nonstop non-stop direct", "stopover layover change_trains connecting"),
    "luggage": ("hand_luggage carry-on cabin_bag", "checked_bag checked_luggage hold"),
    # schools, labs and events
    "exam": ("oral orally viva spoken", "written essay in_writing multiple-choice"),
    "book": ("open-book open_book notes_allowed", "closed-book closed_book no_notes"),
    "grouping": ("individually alone individual solo", "groups pairs teams group together"),
    "grading": ("graded marked", "ungraded pass-fail unmarked"),
    "paperwork": ("handwritten", "typed typewritten"),
    "effect": ("significant effective effect", "insignificant ineffective no_effect null"),
    "blinding": ("blinded blind", "unblinded open-label"),
    "draw": ("randomised randomized random lottery", "first-come first_come hand-picked"),
    "season": ("summer", "winter", "spring", "autumn fall"),
    "half": ("first_half", "second_half"),
    "time_of_day": (
        "morning mornings breakfast dawn",
        "afternoon afternoons",
        "evening evenings dinner supper dusk",
        "night nights midnight overnight",
    ),
    "meal": ("breakfast", "lunch lunches", "dinner dinners supper"),
    "clothes": ("suit tie gown", "jeans t-shirt trainers hoodie"),
    "sides": ("one-sided single-sided", "double-sided both_sides"),
    "colour_use": ("black-and-white monochrome greyscale", "in_colour coloured full-colour"),
    "sound": ("muted mute", "unmuted audible"),
    "attendance": ("packed crowded", "deserted half-empty poorly_attended"),
    "light": ("lit bright", "unlit dark"),
}
# Words that deny what follows them in their clause. They also deny what is before them if they are
# a verb or an adjective of the clause ("logins are blocked").
NEGATORS = listed(
    "not no never none nobody nothing neither nor cannot nowhere nolonger hardly zero without"
    " forbid forbids forbidden forbade prohibit prohibits prohibited ban bans banned disallow"
    " disallowed deny denied denies block blocks blocked taboo off-limits refuse refused refuses"
    " reject rejected rejects prevent prevents prevented illegal optional voluntary unneeded"
    " unnecessary needless avoid avoids avoided shun lack lacks lacking miss misses missing stop"
    " stops stopped drop drops dropped ditch ditched abandon abandoned abolish abolished scrap"
    " scrapped retired skip skips skipped ignore ignored ignores exclude excludes excluded omit"
    " omitted omits exempt exempted removed unable impossible useless unsupported fails failed"
    " unavailable absent barely rarely seldom kill killed gone discontinued cancelled canceled"
    " off disabled disable dead useless empty dismiss dismissed quit withdrawn lost untouched"
    " few undone doubt anymore except insteadof out"
)
DENYING_PHRASES = (
    "free of",
    "free from",
    "rid of",
    "has yet to",
    "have yet to",
    "ruled out",
    "out of the question",
    "far from",
    "nothing of",
    "done with",
    "put an end",
    "gave up",
    "given up",
    "giving up",
    "stay out",
    "stays out",
    "kept out",
    "keep out",
    "keep off",
    "steer clear",
    "hands off",
    "stay away",
    "refrain from",
    "too late",
    "opposed to",
    "anything but",
    "turned away",
    "thrown away",
    "left out",
    "leave out",
    "leaves out",
    "taken down",
    "cut off",
    "shut out",
    "locked out",
    "ran out",
    "run out",
    "used up",
    "sold out",
    "went away",
    "goes away",
    "do without",
    "does without",
    "get by without",
)
# The negators that also turn a state into the other one: "not open" is closed, but "stopped" is not
# a state of its own.
REVERSING = listed(
    "not no never none nobody nothing neither nor cannot nowhere nolonger hardly barely rarely"
    " seldom zero"
)
# Words because of which nothing else than what follows is meant.
ONLY = listed("only exclusively solely nowhereelse just alone purely strictly entirely")
# Phrases with "no" that say "only", of what comes before or after them, and phrases that say
# "avoid". A text is read as if it had the word instead, so that "the treasurer and no one else" is
# no denial of "only the treasurer".
SAID_SHORTER = {
    "nowhereelse": (
        r"(?:,? ?\b(?:and|but))? ?\b(?:no ?one|nobody|nothing|not anyone) (?:else|other)\b",
        r"(?:,? ?\b(?:and|but))? ?\bnothing (?:beyond|besides|more than) (?:that|this|it|those)\b",
        r"(?:,? ?\b(?:and|but))? ?\bno others?\b",
    ),
    "only": (r"\b(?:nothing|nobody|no ?one) (?:but|except|besides|other than|apart from)\b",),
    "avoid": (
        r"\b(?:stay|stays|stayed|keep|keeps|kept) (?:well )?(?:away from|clear of|off)\b",
        r"\b(?:shy|shies|shied) away from\b",
        r"\bsteers? clear of\b",
    ),
}
# Places and regions of one country or area; a thing cannot be in two of different rows.
AREAS = (
    "germany frankfurt berlin munich hamburg cologne stuttgart eu-central-1 europe-west3",
    "ireland dublin eu-west-1",
    "uk britain london manchester edinburgh eu-west-2",
    "france paris lyon marseille eu-west-3",
    (
        "usa america virginia oregon ohio california us-east-1 us-east-2 us-west-1 us-west-2 boston"
        " chicago seattle texas us-central1"
    ),
    "sweden stockholm gothenburg malmö eu-north-1",
    "norway oslo bergen trondheim",
    "denmark copenhagen aarhus",
    "finland helsinki tampere europe-north1",
    "netherlands amsterdam rotterdam utrecht europe-west4",
    "belgium brussels antwerp ghent europe-west1",
    "spain madrid barcelona seville valencia eu-south-2",
    "portugal lisbon porto",
    "italy rome milan turin naples florence venice eu-south-1",
    "switzerland zurich zürich geneva basel bern eu-central-2",
    "austria vienna graz salzburg linz innsbruck",
    "poland warsaw krakow kraków gdansk wroclaw",
    "czechia prague brno",
    "hungary budapest",
    "greece athens thessaloniki",
    "turkey istanbul ankara",
    "canada toronto montreal vancouver ottawa ca-central-1",
    "australia sydney melbourne brisbane perth ap-southeast-2",
    "japan tokyo osaka kyoto ap-northeast-1",
    "singapore ap-southeast-1",
    "india mumbai delhi bangalore bengaluru ap-south-1",
    "brazil rio sao-paulo sa-east-1",
    "china beijing shanghai shenzhen",
)
# Scales of which the words often have another meaning, or say which thing is meant.
VAGUE = listed(
    "presence on order position hand age size speed timing time_of_day meal season trend "
    "left network "
    " gate level half heat part once place_of_work state hidden known done inclusion light clothes"
    " transport lodging fuel material game gender health status opinion who fill power "
    "conserved pay "
    " free attention log_level property punctuality advance debt direction"
)
# Scales whose words often say which of several things is meant: "the old wiki", "the left door".
SELECTING = listed(
    "meal size season time_of_day age position hand part half level height gender game direction"
    " transport lodging fuel material order clothes timing"
)

"""English phrases for everyday limits: what must be, what is not allowed, what is missing.

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

LIMITING = {
    # What a talk or a piece of work is about, rather than a thing with limits.
    "notion": r"""
((plan|idea|proposal|suggestion|view|decision|change|point|story|question|issue|bug|problem|answer|
discussion|talk|meeting|debate|patience|thought|report|work|care|caution|effort|time|attention|
damage|
impact|effect|knowledge|experience|outage|leak|loss|error|mistake|topic|number|result|task|ticket|
fix|help|feedback|opinion|discipline|courage|luck)s?\b)
""",
    "person_word": r"""
((user|customer|team|person|people|developer|colleague|client|member|manager|friend|kid|child|
children|men|women|engineer|designer|tester|other|group|guy|reviewer)s?\b)
""",
    # A thing at the beginning of a sentence, with at most four more words.
    "things": r"""
(^(<opening>)*(?!(i|you|he|she|it|they|we|us|my|your|his|her|that|this|these|those|there|here|which|
what|who|whoever|whatever|how|why|when|where|if|people|everyone|everybody|someone|somebody|nobody|
others|one|some|many|most|more|both|either|neither|none|something|anything|nothing|everything|maybe|
perhaps|not|no|only|let|less|nor|as|because|since|so|for|with|@\d+|<notion>)\b|
([\w'-]+ ){1,3}?(?<!only )<notion>)[\w.'@-]+( (?!(that|which|who|and|but|if|is|are|was|were|so|
because|must|
may|can|not|says?|said|thinks?|hopes?|i|you|he|she|it|they|we)\b)[\w.'-]+){0,4}? )
""",
    # What is done with a matter in a talk, and what is a single piece of work.
    "talked_over": r"""
(said|discussed|decided|asked|clarified|fixed|done|changed|noted|admitted|answered|resolved|solved|
finished|improved|reworked|mentioned|addressed|considered|explored|settled|debated|explained|
completed|stressed|emphasi[sz]ed|agreed|thanked|rethought|corrected)\b
""",
    "means_of": r"""
(with|by|in|into|on|at|before|after|within|every|for|from|via|through|using|as|to|under|per|twice|
once|outside|inside|near|without|during|between|unless|until|if)\b
""",
    "rulebook": r"""
((the|our|their|this|that|a|an) )?([\w'-]+ ){0,3}?(laws?|contracts?|lease|licen[cs]es?|polic(y|ies)|
regulations?|regulators?|statutes?|insurance|insurer|agreement|warranty|terms|sla|nda|permit|
directive|standards?|union|landlord|auditors?|gdpr|hipaa|pci([- ]dss)?|sox|ccpa|dora|compliance|
legal|rules|bylaws|guidelines|constitution|treaty|tender|(fire|building|tax|safety|labou?r) (code|
office|department|rules)|customs|inspectors?|city council|council)(
 (with|of|from|for|at|between|under|by) ([\w'.@-]+ ){0,3}?[\w'.@-]+)?
""",
    # What a rule can ask for without limiting anybody.
    "unasked": r"""
((a (lot|bit|little|certain)|some|much|more|little|no|careful|close) )*(patience|time|thought|care|
work|
effort|discussion|attention|courage|luck|explanation|of (patience|time|thought|care|work|effort|
attention)|(a lot|some|more|nothing|much|it|this|that|them)[.!]*$)\b
""",
    # What stands between a program and the world and lets only some things through.
    "barrier": r"""
(firewalls?|prox(y|ies)|networks?|gateways?|routers?|relays?|(spam |content |web )?filters?|vpn|
browsers?|
load balancers?|cdn|waf|sandbox(es)?|antivirus|virus scanners?|isp|providers?|hosting|hosters?|
mail servers?|servers?|switch(es)?|app ?stores?|kernel|hypervisor|policy|pipelines?)
""",
    # Machines and programs that other programs work with.
    "machinery": r"""
(apis?|endpoints?|services?|servers?|gateways?|plugins?|librar(y|ies)|sdks?|drivers?|protocols?|
formats?|stores?|platforms?|printers?|scanners?|devices?|databases?|frameworks?|compilers?|
installers?|runtimes?|modules?|packages?|systems?|machines?|terminals?|importers?|exporters?|
providers?|firmware|controllers?|sensors?|tills?|registers?)
""",
    # People for whom rules are made.
    "bearers": r"""
(minors|volunteers|visitors|guests|apprentices|students|pupils|drivers|interns|contractors|nurses|
staff|
employees|members|children|residents|tenants|passengers|players|patients|freelancers|temps|trainees|
citizens|suppliers|subcontractors|couriers|cashiers|editors|moderators|operators|admins|
administrators|resellers|partners|customers|users|clients|developers)
""",
    # What a group may be without.
    "entitlement": r"""
((write|read|direct|remote|admin|root|full|physical|any|an?|the|vpn|network|internet|api|ssh|
shell) )*(
access|permission|rights?|licen[cs]es?|budget|funding|approval|clearance|credentials|capacity|
a mandate|storage|bandwidth)
""",
    # Means without which some work is not possible.
    "resource": r"""
(((staging|test|testing|development|dev|production|preview|sandbox|demo|qa) )?environments?|
servers?|(power |electric )?(circuit|outlet|supply)s?|docks?|exits?|entrances?|gates?|lanes?|slots?|
ports?|cores?|
clusters?|databases?|gpus?|cpus?|internet|networks?|wi-?fi|vpn|gps|bluetooth|nfc|cameras?|
keyboards?|
screens?|displays?|backups?|api|apis|sdk|sdks|documentation|docs|test (data|devices?|accounts?)|
lifts?|elevators?|electricity|power|sockets?|water|drivers?|drives?|parsers?|licen[cs]es?|
storage|disks?|memory|ram|parking|loading (dock|bay)s?|fridges?|ovens?|ramps?|toilets?|kitchens?|
heating|air[- ]conditioning|generators?|printers?|scanners?|phones?|laptops?|machines?|
microphones?|sensors?|batter(y|ies)|signal|reception|root|sudo|shell|admin(istrator)? rights|
permissions?|credentials|accounts?|sandbox|mirrors?|fallback|failover|redundancy|replicas?|
load balancers?|cron|scheduler|queues?|caches?|proxy|firewall|dba|on-?call|night shift|
monitoring|logging|tracing|ci|type hints|tests?|coverage|certificates?|warehouse|vans?|trucks?|
forklifts?|step-?free access|wheelchair access|public transport|translators?|interpreters?)
""",
    # What a thing can lack without being limited.
    "unlimited": r"""
((an?|any|much|enough|real|good|clear|particular) )*((ideas?|clue|problems?|issues?|opinions?|
reasons?|choice|time|point|chance|merit|sense|effect|impact|objections?|concerns?|answers?|plans?|
interest|doubts?|meaning|names?|use|value|questions?|comments?|comparison|equal|end|business|fun|
luck|say|faith|trust|meeting|school|news|future|history|to|that|this|it|many|such|what|anything|
nothing|been|yet|errors?|bugs?|mistakes?|typos?|downsides?|drawbacks?|disadvantages?|weight|sway|
right)\b)
""",
    "weekday": r"(mon|tues|wednes|thurs|fri|satur|sun)days?",
    # Verbs after "only" that limit nothing, and verbs in the past tense.
    "slight": r"""
((just|other|ever|needs?|takes? (an?|the|some|half|<count>)|costs?|covers?|
makes?|wants?|seems?|looks?|feels?|sounds?|gets?|comes?|goes|go|helps?|hurts?|
matters?|causes?|adds?|means?|happens?|exists?|hopes?|tries|try|works?|likes?|loves?|knows?|thinks?|
says?|asks?|cares?|shows? (how|that|why|what)|is|are|was|were|be|been|am|has|have|had|did|does|do|
would|will|could|should|might|a|an|the|one|because|if|when|in|on|at|for|to|with|after|before|
then|now|so|\w+ed|\w+ing|\w+ly|took|came|went|made|got|saw|gave|said|told|found|left|lost|won|ran|
began|knew|thought|felt|brought|bought|sold|sent|held|kept|met|paid|spent|stood|wrote|broke|
chose|fell|grew|rose|spoke|stole|wore|drew|drove|flew|ate|drank|sang|sat|led|let|put|set)\b)
""",
    # Adjectives and participles that say when or where something can be used.
    "usable": r"""
((?!(interested|concerned|worried|mentioned|excited|tired|bored|scared|pleased|relieved|confused|
surprised|annoyed|supposed|related|limited|indeed)\b)([\w-]+(able|ible|ed)|open|closed|valid|free|
legal|safe|online|offline|manned|lit|shown|given|taken|run|sold|built|driven|written|spoken|held|
on))
""",
    # What somebody may have to give before something is done.
    "consent": r"""
(approval|sign-?off|signatures?|permission|consent|authori[sz]ation|clearance|a licen[cs]e|
a permit|countersignatures?|confirmation)
""",
    # Verbs for what a thing does with data, and for the form in which it keeps them.
    "tells": r"(<records>|sends?|delivers?|emits?|writes?|shows?|prints?|lists?|displays?)",
    "records": r"""
(returns?|stores?|saves?|exports?|imports?|reports?|records?|logs?|expects?|measures?|counts?|
quotes?|encodes?|keeps?)
""",
    "several_of": r"((the|all|its|only) )?([\w-]+ )?[\w-]+s",
    "what": r"((an?|any|the) )?[\w-]+( [\w-]+){0,2}",
    # A moment or a single piece of work, after which a limit no longer holds.
    "for_now": r"""
(today|tonight|yesterday|tomorrow|yet|right now|for now|at the moment|again|soon|just now|so far|
this (time|morning|afternoon|evening|week|month|year)|in (theory|principle|fact|general|particular|
my|your|this|that|case|order|time|practice))\b
""",
    # Who sets conditions for the use of a place.
    "keeper": r"""
police|fire (brigade|department|service)|(land|house)?lords?|landlady|owners?|caretaker|museum|
school|church|parish|town hall|venue|hospital|port authority|manufacturer|insurers?|authorities|city
""",
    # What a house or a project may forbid somewhere.
    "banned": r"""
([\w-]+ ){0,2}?(food|drinks?|smoking|phones?|photos?|cameras?|pets|dogs|visitors?|secrets?|
passwords?|credentials|keys|(personal|customer|patient|health|card|production) (data|details|
records)|pii|deploy(ment)?s?|releases?|deliver(y|ies)|trucks?|cars|bikes|fire|candles|alcohol|
drones?|cookies|trackers?|ads|scripts|binaries|installs?|installations?|migrations?|
maintenance|noise|music|shoes|laptops|liquids|flash|usb|calls|force[- ]push(es)?|hot-?fixes|
work|changes|merges)
""",
}
LIMITS: tuple[Row, ...] = (
    (
        r"""<project> <mildly>(are|is) ((legally|contractually) )?(never (allowed|permitted) to|
(legally|contractually) (required|obliged|obligated|bound) to) (?!<talk>)(?=\w+ \w+)|
<project> <mildly>((must|may|can|shall) never|(can|may|must|shall) under no circumstances) (
?!<talk>)(?=<does> <object>)""",
        "We must never store card numbers on our own servers.",
        "We must never forget how we started.",
    ),
    (
        r"""<source>((now|currently|still|today|officially|also) )+(only|just) (allows?|accepts?|
permits?|supports?|takes?|reads?|delivers?|ships?) <object>|<source>((now|currently|still) )*(
allows?|accepts?|permits?|supports?) (only|just) <object>""",
        "The supplier API now only allows 30 requests per minute.",
        "The supplier API only allows that.",
    ),
    (
        r"""<things>(must|has to|have to|needs? to|shall)( always| only)? be (?!<talked_over>)<done>
 (?=<means_of>)""",
        "Passwords must be hashed with argon2.",
        "Something must be hashed with it.",
    ),
    (
        r"""<things>(must|shall) (not|never) (?!be (too|so|a|an|the|that)\b)(?!be <talked_over>)(
?=be <done>\b|(leave|enter|touch|exceed|contain|run|cross|share|drop|rise|fall|be used|be sold) \w)|
<things>(may|can) (not|never) be (?!<talked_over>|(interested|related|affected|
needed|expected|supposed)\b)<done> (?=(without|outside|inside|after|before|by|on|for|near|with|
during|at|between|in the|to) )(?!.*\byet\b)|<things>(can|may|must) only be (?!(guessed|assumed|
imagined|explained|good|better)\b)<done> (?=<means_of>)""",
        "The hall may not be used after 10 pm.",
        "The hall may not be used yet.",
    ),
    (
        r"""<things>(is|are|stays?|remains?)( (still|now|also|strictly|\w+ly))* (not (allowed|
permitted|admitted|welcome)|forbidden|prohibited|banned|disallowed|barred|off[- ]limits|mandatory|
compulsory|obligatory)\b(?! to (say|think|speak|ask))|
<things>(is|are) required (?=(by|in|for|at|on|to) )|<things>(is|are) only (allowed|permitted) """,
        "Scanners are not allowed in the cold store.",
        "He is not allowed to drive.",
    ),
    (
        r"""<project> <mildly>(must|have to|has to|need to|needs to)( always| only)? (?!<talk>|
(wait|go|come|pause|meet|run|leave|rest|sleep|fix|solve|be|think|look|get|find|make|work|spend|walk|
drive)\b)\w+ (?!(it|this|that|them|these|those|about|until)\b)(\S+ ){1,6}?(?=(for (at least |up to |
more than )?<amount>|within <amount>|after <amount>|(every|once a|twice a) ((single|other|<count>)
)?(day|week|month|quarter|year|night|hour|<amount>)))""",
        "We must keep the logs for a year.",
        "We have to talk for a minute.",
    ),
    (
        r"""<things>(is|are)( \w+ly| now| still)* (limited|restricted|confined|reserved|only open) (
to|for) (?!(what|how|my|your|his|her|that|this|it|us|the (best|minimum))\b|\w+ing\b)(?=\w)""",
        "Deployments are limited to business hours.",
        "The damage is limited to the kitchen.",
    ),
    (
        r"""^(<opening>)*there (is|are) (currently |still |also |simply |really )*no (?!need|
reason|point|hurry)(?=([\w-]+ ){0,2}?<resource>\b(?! (left|yet|today|needed|that|problems?|issues?|
failed|
failures?|fails?|errors?|is|are)\b)(?!.*\b(any ?more|yet)\b))|<project> (still )?(have no|has no|do
 not have (an?|any)|does not have (an?|any)|lacks?) (?=([\w-]+ ){0,2}?<resource>\b(?! (left|yet|
today|problems?|issues?|errors?)\b))""",
        "There is no staging environment.",
        "There is no reason to wait.",
    ),
    (
        r"""(?!<things>?<person_word>)<things>(do not have|does not have|have no|has no|lacks?) (
?!<unlimited>)(?=[\w-]+( [\w-]+){0,4}[.!]*$)(?!.*\b(yet|today|left|any ?more|any longer)\b)""",
        "The tablets don't have GPS.",
        "The tablets don't have to be new.",
    ),
    (
        r"""^(<opening>)*<rulebook> (also |still |now |clearly )*(means?|implies|says?|states?|
specif(y|ies)|stipulates?|demands?|insists?)( that)? (we|you|the|our|all|every|each|nobody|no) (
\S+ ){0,3}?(must|may not|can not|have to|has to|need to|needs to|are not allowed|is not allowed|may
 only|can only|shall|are to) (?!<talk>)|^(<opening>)*<rulebook> (also |now |still )*(forbids?|
prohibits?|requires?|rules? out|bans?|outlaws?|expects?|mandates?|prescribes?|demands?|insists? on|
disallows?|(does|do|will) not (allow|permit|let|cover)|(limits?|restricts?|caps?)(?! itself)) (
?!<unasked>)<object>|^(<opening>)*<rulebook> (also |
now )*(obliges?|forces?|
binds?|compels?|bars?|prevents?|stops?|keeps?|prohibits?) (us|you|everyone|all|the \w+) (to|from)
 """,
        "GDPR means we have to delete inactive accounts after two years.",
        "The delay means we have to hurry.",
    ),
    (
        r"""^(<opening>)*only (?!(time|now|then|i|we|you|he|she|they|people|in|on|if|when|because|
a few|one of|the (future|question)|@\d+)\b)(?=([\w'-]+ ){1,3}?(may|can|(is|are) (allowed|
permitted)( to)?|
(has|have) access)(?! (say|tell|know|answer|decide|help|hope)\b)( \w|[.!]*$))""",
        "Only admins may delete orders.",
        "Only time can tell.",
    ),
    (
        r"""^(<opening>)*no <banned> (in|on|at|near|inside|outside|after|before|during|between|
without|from|via) (?!(that|this|it|my|your|sight|general|fact|particular|there|here|question)\b)(
?=\w)|^(<opening>)*no (?!(idea|problem|worries|news|objections?|comments?|questions?|one|reason|
need|doubt)\b)[\w-]+( [\w-]+)? on <weekday>[.!]*$""",
        "No deployments on Fridays.",
        "No comments on the draft.",
    ),
    (
        r"""<things>(can )?(hold|carry|carries|seat|lift|take|fit|store|handle|charge|cover)s? (
only |just |at most |up to |no more than )(?=<amount>)|<things>(can )?(hold|carry|carries|seat|
lift|take|fit|store|handle)s? (?=<amount>.* (at most|maximum|max)[.!]*$)|<source>(rejects?|
refuses?|blocks?|drops?|ignores?) (?=(\S+ ){1,4}(over|above|beyond|without|(larger|longer|bigger|
older|smaller|heavier|more) than) \S)""",
        "The truck carries at most 3 tonnes.",
        "The truck carries the rest.",
    ),
    (
        r"""^(<opening>)*((legally|contractually)|by (law|contract|statute|regulation)),? (we|
the|our|all|every) """,
        "By law we must keep the receipts.",
        "By the way we must keep the receipts.",
    ),
    (
        r"""(?<!\w)(the|our|their|its|each|every|a|an|this|that|
@?\w+'s) ([\w'-]+ ){0,3}?<barrier>( (of|at|
in) ([\w'-]+ ){0,2}[\w'-]+)? (also |only |still |automatically )*(blocks?|strips?|drops?|
filters?( out)?|
rejects?|refuses?|closes?|cuts? off|removes?|rewrites?|throttles?|denies|deny|kills?) (?!(it|this|
that|
them|us|him|her|nothing|the (view|way|road|ball)|some|one)\b)(?=\w)""",
        "The customer's firewall blocks websockets.",
        "The customer's firewall blocks nothing.",
    ),
    (
        r"""^(<opening>)*(it (must|has to|needs to)( also| still| always)* ((run|work|start|build|
compile)(
 (on|under|without|with|offline|behind|in (an?|the) (browser|container|sandbox|vm|kernel)))|support|
fit (in|into|on|under|within)|comply with|(stay|remain|be) (on|under|below|within|above|
compatible with|in (the|our))) (?!(it|that|this|time|us|them|someone|top|track|fire|purpose|hold|my|
your)\b)(?=\w)|there (is|are) only (?=(one|a single|<count>) ([\w-]+ ){0,2}?<resource>\b(?!
 (left|yet|today|problem|issue)s?\b))|(nobody|no one|none of us|no \w+) (has|have) (?=<entitlement>|
(root|admin|sudo)\b)|([\w'-]+ ){0,2}<bearers>( (under|over|below|above|without|with|from|outside) (
[\w'-]+ ){0,2}[\w'-]+)? ((may|must|can) (not|never|only) (?!<talk>|be\b|<does>( it| this|
 that)?[.!]*$)(
?=\w+ \w)(?!.*\b(yet|today|like|care|mind|notice|know)\b)|(must|have to|need to) (?!<talk>|be\b)(
?=\w+ (\S+ ){1,6}?(before|within|at least|every|each|per) \w))|everything( (that |which )?(we|you|
they|
the [\w-]+|leaves|enters|goes|is)( [\w-]+){0,3}?)? (must|has to|needs to|may only|
can only) (always |
only )?be (?!<talked_over>)<done> (?=<means_of>)|without (an?|the|our|their|prior|written|explicit|
\w+'s) (?!(doubt|plan|break|word|question|goal)\b)([\w-]+ ){1,4}?,? ?(we|you|nobody|no one|
no [\w-]+|
the [\w-]+) (can not|may not|must not|can|may) (?!<talk>)(?=\w+ \w))""",
        "It must run on Debian 11.",
        "It must run in the family.",
    ),
    (
        r"""<project> (currently |still )?((do|does) not have|(has|have) no|
lacks?) <entitlement> (?=(to|for|
on|from|of|in) \w)(?!.*\b(yet|today|right now|at the moment|any ?more|this (morning|
afternoon))\b)(?!.* to (the |a )?(coffee|kitchen|room|meeting|lunch)\b)|
<project> <mildly>needs? (?=(<count>|at least \S+) ([\w-]+ ){1,3}?(on|for|per|in) (each|
every|all) )|<project> <mildly>(must|have to|has to|need to|
needs to) (?!<talk>)(?=\w+ (\S+ ){1,5}?(by|
before|until|no later than) (the )?(\S+ ){0,3}?of (each|every) (month|week|quarter|year|day)\b)""",
        "We don't have access to the bank's sandbox.",
        "We don't have time for the bank.",
    ),
    (
        r"""(?!.{0,60}?\b<person_word> only )<things>(only (?<!\b(the|all) only )(?!<slight>)(
(?<!s only )\w+s|(?<=s only )\w+(?<!s)) (?!(it|this|that|them|if|when|because|well|so|about|one of|
an hour|a minute)\b)(?=\w)|
(has|have) (?=(only|just|a single) ((one|a single|<count>) )?([\w-]+ ){0,2}?<resource>\b(?!
 (left|yet|today|problem|issue)s?\b))|(only |just )?(has|have) (?=(only |just )?\d[\d.,]* ?(
(k|m|g|t)i?b|kilobytes?|megabytes?|gigabytes?|bytes|cores?|watts?|volts?|amps?|pins?|ports?|seats?|
beds?|slots?|lanes?)\b)|(is|are) not (supported (on|by|in|under|with)|compatible with) (?!(it|this|
that|
me|us)\b)(?=\w)|([\w-]+ )?(has |have |will )?(dropped?|drops|ended?|ends|discontinued?|removed?|
stopped|
stops)( all| its| their)* support (for|of) (?!(it|this|that|me|us)\b)(?=\w)|no longer (supports?|
accepts?|
offers?|allows?|ships?|sells?|delivers?) (?!(it|this|that|me|us)\b)(?=\w)|(must|has to|have to) be (
?=\w+ (by|before|until|no later than) (the )?(\S+ ){0,3}?of (each|every) (month|week|quarter|
year)))""",
        "The warehouse scanners only speak Bluetooth 4.",
        "The warehouse scanners only cost 40 euros.",
    ),
    (
        r"""\b(is|are) only (reachable|accessible|usable|visible|readable|reached) (?=(over|via|
from|
through|with|on|in|by|between|for|to|at|during|behind|inside) \w)|\b(version|release|edition|tier|
plan|build) (?=.*, so (there is no |we have no |[\w.-]+( [\w.-]+)? (is|are) not (available|possible|
supported|allowed|an option)\b))|, so (nothing|nobody|no one|no [\w-]+) (can|may|must) (be <done> |
(?!<talk>)<does> )(?=\w)|\b(limits?|restricts?|caps?|throttles?) ((the|each|every|our|all|any) )?(
[\w-]+ ){1,3}(to|at) (?=<amount>)""",
        "The fire code limits the room to 80 people.",
        "The fire code limits the room.",
    ),
    (
        r"""(?<!\w)(the|our|their|its|each|every|this|that|
@?\w+'s) ([\w'-]+ ){0,3}?<machinery> (also |
always |still )?(requires?|needs|expects?|insists? on) (?!<unasked>)(?!(to be|an? (restart|reboot|
fix|
update|cleanup|review|push|rewrite|new \w+|coffee)|(fixing|updating|cleaning|replacing|
work))\b)<object>(?=\w)""",
        "Their SOAP endpoint requires client certificates.",
        "Their SOAP endpoint requires patience.",
    ),
    (
        r"""(?!.*\b<for_now>)<things>((can|may) only (?!<talk>|be\b|(hope|get|help|say|
guess|wish|become|grow|improve|work|happen)\b)(?=\w+ (?!(it|this|that)\b)\w)|(is|are) only (
?=<usable> (on|at|in|during|between|from|by|via|until|before|after|over|through|
with|below|above|up to) (?!(it|this|that)\b)\w))|
^(?!.*\b(<for_now>|was|were|had|did|\w+ed|would|will)\b)<things>(is|are|takes?|accepts?|reads?|
sells?|serves?|opens?|runs?|works?|allows?|handles?|ships?|delivers?) (?=(\S+ ){1,6}only[.!]*$)""",
        "The bridge is only passable at low tide.",
        "The bridge is only one of them.",
    ),
    (
        r"""(?!.*\b<for_now>)<things>((can )?(fits?|holds?|lifts?|seats?|carry|carries|sleeps?) (
?=<count> (?!(of|more|less|times?|the)\b)([\w-]+ ){0,2}[\w-]+[.!]*$)|(runs?|depends?|relies|
rely|hangs?|lives?) (on|off|from) (?=((just |only )?one (?!(of|day|hand|side|condition|thing|
another|other|question|point|idea)\b)|a single )\w)|shares? (?=(just |only )?(
one|a single|<count>) (?!(of|view|opinion|goal|idea|interest|concern)s?\b)([\w-]+ ){0,2}?[\w-]+( (
per|for each|for every|for all|between) .*)?[.!]*$)|(needs?|requires?) (?=((the|an?|written|prior|
formal|explicit|<count>) )*<consent> (from|of|by) \w))""",
        "The lift fits one wheelchair.",
        "The lift fits us well.",
    ),
    (
        r"""(?!.*\b<for_now>)<things>(<tells> (?=<several_of> without <what>[.!]*$)|
<records> (?=<several_of> in (?!(the|an?|its|our|their|all|both|every|each)\b)[\w-]+( [\w-]+)?(
 without <what>)?[.!]*$)|(closes?|shuts?) (
?=(at|on|before|after|from|for|between) \w)|(loses?|drops? (out|off|its|the|all)|cuts? out|
fails?|dies|freezes|
stops? working) (?=(\S+ ){0,3}?(near|behind|below|above|beneath|beyond|outside|underground) \w))|
(?!.*\b<for_now>)^(<opening>)*(the|our|their) (?!([\w-]+ )?(team|group|kids?|child|children)\b)(
[\w-]+ ){1,3}?(wants?|needs?|expects?|demands?|requires?) (?!to\b)(?=(\S+ ){1,6}(by|before|until|
no later than) (\d|<date>))""",
        "The old register stores prices in cents.",
        "The old register stores the prices.",
    ),
    (
        r"""^(<opening>)*we (can|may) only (?!<talk>)(<does>|park|enter|rent|book|play|cook|bake|
deliver|paint|load|rehearse|work|build|dance|swim|film) (?!(it|this|that)\b)(?=(\S+ ){1,4}?(on|at|
in|until|till|between|after|before|during|behind|outside|inside|from|with|by) \w)(?!.*<for_now>)|
^(<opening>)*the (<keeper>) (also )?(requires?|demands?|insists? on|asks for) (?=(at least )?(
<count>|an? ([\w-]+ ){1,3}of (at least )?<count>|an? [\w-]+ (deposit|permit|licen[cs]e)\b))|
^(<opening>)*there (is|are) (only|just) (one|a single|<count>) (?!([\w-]+ )?(<notion>|
<person_word>|(thing|way|reason|option|choice|week|day|hour|minute|month|year|second|
seat)s?\b))(?=([\w-]+ )?[\w-]+ (in|on|at|near|behind|outside|inside|for|per) (the|our|this|
each|every) [\w-]+[.!]*$)(?!.*<for_now>)|<things>(tops|maxes) out at (?=<amount>)""",
        "The kiln tops out at 1200 degrees.",
        "The debate tops out at nonsense.",
    ),
)

"""English phrases that state a lasting rule without a word such as "always" or "from now on".

They are general because of their object: all things of a kind ("files you do not change"), a whole
project ("in the whole book"), or a matter outside the code ("the print edition"). Each row is a
pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_CLASSES = {
    # Words before a noun that make it a particular one.
    "particular": r"""
(the|an?|this|that|these|those|it|its|them|they|my|your|his|her|their|our|one|ones|some|any|
anything|everything|more|another|other|both|all|each|every|no|me|us|you|too|so|new|\d+)\b
""",
    # Things of a kind: a plural without a word that refers to particular things.
    "kind": r"(?!<particular>)([\w-]+ ){0,2}?[\w-]{2,}(?<!s)s\b",
    "polite": r"(please|also|just|and|but|then|so|now on|kindly|agents|you)",
    "project": r"""
(repo|repository|project|crate|package|codebase|code base|app|application|service|team|company|
monorepo|workspace|library|organi[sz]ation|product|book|cookbook|manuscript|novel|thesis|dissertation|
paper|report|article|series|site|website|web site|shop|store|game|course|curriculum|handbook|
manual|documentation|docs|catalogue|catalog|magazine|newsletter|portal|platform|corpus|study|
survey|album|film|show|campaign)\b(?!')
""",
    "whole": r"""
(in|across|through|throughout|for|over) (all of )?((the|our|this) )?(whole|entire|complete)
<project>|throughout (the|our|this) <project>|across (the|our|this) <project>
""",
    "deals": r"""
(support|publish|offer|ship|sell|target|translate|locali[sz]e|adopt|introduce|charge|bill|
collect|track|license|open[- ]source|print|distribute|market|advertise|certify|sponsor|
(move|migrate|switch|upgrade) to|go with|self[- ]host|host)
""",
    "group": r"""
(the|our) ((\w+ )?team|board|client|customer|publisher|committee|editors?|company|group|council|
association|agency|owner|management)|management|product|legal|finance|marketing
""",
    # Words for how something looks, which is decided anew in each case.
    "looks": r"""
((bigg|small|larg|light|dark|bold|short|long)er|black|white|red|green|blue|gr[ae]y|text|fonts?|
colou?rs?|icons?|logos?|emojis?|modals?|pages?|sidebars?|buttons?|standard|default|names)\b
""",
    # Matters outside the code and the screens of which a project has only one.
    "matter": r"""
(edition|paperback|hardcover|hardback|e-?book|audiobook|manuscript|volume|course|curriculum|
semester|term|season|exam|workshop|conference|deadline|due date|launch|launch date|release date|
opening hours|warranty|contract|licen[cs]e|budget|rent|deposit|salary|vat|vat rate|tax rate|
discount|subscription|fee|shipping cost|invoice address|address|venue|headquarters|phone number|
client|customer|supplier|publisher|printer|author|audience|editor|company|office|warehouse|factory|
clinic|school|department|currency|legal form|retention period|notice period|trial period|
trial|billing period|fiscal year|financial year)\b
""",
    "runs": r"""
(run|started|launched|called|built|deployed|installed|compiled|executed|invoked|opened|tested|
generated|loaded|migrated)
""",
    "start": r"(run|start|launch|call|build|deploy|install|compile|execute|invoke|open|load)",
    "approves": r"""
(((has|have|needs?) to|must) (always )?(approve|sign off|review|see|check|clear|confirm)|
(approves|signs off|reviews))( on)?
""",
}

# An order about things of a kind, with a reason or with a limit to some of them.
_ORDERS_OF_A_KIND: tuple[Row, ...] = (
    (
        r"""^(<polite> )*(do not|never|avoid|stop|no longer) (?!(know|think|want|mind|worry|need|
see|have|get|like|forget)\b)\w+ <kind>,? (that|which|unless|without|whose|when(ever)? you|
(if )?you)\b(?! (are|is|was|were|we|i|it|just|had|they|have just)\b(?! not))""",
        "Please don't reformat files you aren't otherwise changing.",
        "Please don't reformat the files you aren't otherwise changing.",
    ),
    (
        r"""^(<polite> )*(do not|never|avoid|stop) (?!(know|think|want|mind|worry|need|see|have|
get|like|forget)\b)[\w-]+ <kind>(, | because |, because )((the|our) ([\w-]+ )?[\w-]+|we|nobody|look|
read|fetch|generate|import|load)
( \w+ly| always| never)?( [a-z]+s?)? (them|those)( up| there| instead)?[.!]*$""",
        "Stop committing generated files, the pipeline builds them.",
        "Stop committing these files, the pipeline builds them.",
    ),
    (
        r"""^(<polite> )*(no|do not (use|put|add|write|leave|introduce)|never (use|put|add|write|
leave)|stop (using|putting|adding|writing|leaving)|avoid) <kind> in (
commit messages|commits|comments|docstrings|migrations|
pull requests|prs|library code|production code|handlers|controllers|headings|captions|
(file|branch|variable|class|function) names|urls|code comments|changelogs|release notes)( please|
 thanks| ever| at all)?[.!]*$""",
        "No emojis in commit messages.",
        "No emojis in the last commit message.",
    ),
    (
        r"""^(<polite> )*(do not|stop|no need to|you (do not|need not) (have|need) to)
(apologi[sz](e|ing)|ask(ing)?|repeat(ing)?|explain(ing)?|thank(ing)?|prais(e|ing)|
summari[sz](e|ing)|remind(ing)?|confirm(ing)?|list(ing)?|past(e|ing)|restat(e|ing))\b[^,;]*\b
(every (single )?time|each time|all the time|constantly|so often)\b""",
        "Please don't ask for confirmation every time.",
        "Please don't ask for confirmation this time.",
    ),
    (
        r"""\b(ask|check with|tell|ping|consult|talk to|warn) ([\w-]+ )(first )?before (you )?
(add|delet|remov|chang|install|upgrad|deploy|merg|push|publish|creat|mov|renam|edit|touch|drop|
send|buy|us|run|introduc)(e|ing|ting|ning|ping)? ((an?|any|every|new|public) \S+|anything|(?!next|
further)<kind>)""",
        "Ask me before adding dependencies.",
        "Ask me before deleting that branch.",
    ),
    (
        r"""^(<polite> )*\w+ (?!it\b|this\b|that\b).{3,60} (before|after|with|in) (every|each)
(commit|push|release|merge|deploy|deployment|pull request|pr|migration|change|edit)( please| thanks|
 to (main|master|production|staging))?[.!]*$""",
        "Run the linter before every commit.",
        "Run the linter before the commit.",
    ),
)
# How something must be done, and what is not acceptable instead.
_REQUIRES_A_WAY: tuple[Row, ...] = (
    (
        r"""^(?!(it|this|that|these|those|they)\b)\S.{1,60}? (needs? to|has to|have to|must|
can only|should only) (always |only )?be <runs> (with|via|through|from|inside|under|using|by|
on)\b.*([,;(-] ?|\b(because|since|as|and) )(never |not |an? |the )?(plain|bare|otherwise|or else|
not|never|alone|normal|just|directly|simply)\b""",
        "The tests need to be run with the wrapper, plain pytest loads no fixtures.",
        "The server needs to be restarted with sudo.",
    ),
    (
        r"""^(you|we) (have to|need to|must|can only) <start> (?!(
it|this|that|them)\b)\S.{1,60}? (with|via|through|from|inside|under|using|on)\b.*[,;(-] ?(never |
not |an? |the )?(plain|bare|otherwise|or else|not|never|normal|just)\b""",
        "You have to start the app with the script, otherwise it finds no config.",
        "You have to start the app with the script.",
    ),
    (
        r"""^(you|we) (always )?(have to|need to|must) (<start>|activate|source|export|connect|
mount|generate|seed|migrate|log in) ((?!this|that|it\b)\S+ ){0,6}first(,|;| or| because| since)
(otherwise|or|because|since|the|it) (?!(i|we|you)\b)""",
        "You have to activate the environment first, otherwise the imports fail.",
        "You have to click the button first, otherwise nothing happens.",
    ),
)
# What a group does not do, or has chosen.
_DECLINES: tuple[Row, ...] = (
    (
        r"""\bwe (are (not|never) (going|planning) to|will (not|never)|do not (plan|intend) to)
(ever )?<deals>( on| in| to| for)? (?!(it|this|that|them|these|those|the|an?|any|more|until|
unless|yet|before)\b)[\w@_]""",
        "We're not going to publish on Kindle, so drop the target.",
        "We're not going to publish this today.",
    ),
    (
        r"""^(and |but |so )*(<group>) (has |have )?(finally |now |just )?(chose|chosen|picked|
settled on|decided (on|for|against|to)|went with|opted for|agreed (on|to)|voted (for|to)) (?!(it|up|
this|that|them|these|those|one|the|an?|wait|call|meet|come|postpone|look|check)\b)""",
        "The team chose Postgres over Elastic.",
        "The team chose the second one.",
    ),
    (
        r"""\bwe (have |all )?ended up (choosing|picking|going with|buying|adopting) (?!(
it|this|that|them|these|those|one|the|an?|nothing|neither)\b)\S""",
        "We ended up choosing Stripe over Adyen.",
        "We ended up choosing the second one.",
    ),
)
# One way of doing something that is valid for a whole project.
_SPREADS: tuple[Row, ...] = (
    (
        r"""^(<polite> )*(let us|we will|we should|we) (all |always |only |just )*(use|write|spell|
keep (to)?|stick (to|with)|stay with|go with|follow|adopt|quote|cite|capitali[sz]e) (?!(
<particular>))\S.*?\b<whole>""",
        "Let's use British spelling in the whole book.",
        "Let's use a dict in the whole book.",
    ),
    (
        r"""^(<polite> )*(let us|we will|we) (always |only )?(write|phrase|word|name|label|spell|
format|style|quote|cite|title) (all|every|each|any) (?!(of )?(these|those|them|three|two|
four)\b).{2,50}? (in|as|with|by|like|after) (?!(this|that|one|it|here)\b)""",
        "Let's write all user-facing copy in the informal form.",
        "Let's write all of them in one go.",
    ),
)
_SPREADS_AS_A_RULE: tuple[Row, ...] = (
    (
        r"""^(<polite> )*(always )?(use|write|spell|keep to|stick (to|with)|stay with|follow|
quote|cite|capitali[sz]e) (?!<particular>)\S.*?\b<whole>""",
        "Use metric units throughout the report.",
        "Use the new units throughout the report.",
    ),
    (
        r"""^(<polite> )*(always |only )?(use|prefer|keep|write|indent|name|format|follow|stick
(to|with)|avoid) (?!<particular>|<looks>|\w+ing\b)((?!(this|that|these|those|it|them|the|
<looks>)\b)\S+ ){1,8}(in|for|across|throughout) ((this|our) <project>|(all (of )?)?((the|our) )?(
commit messages|docstrings|pull requests|changelogs|release notes))( please| thanks)?[.!]*$""",
        "Keep functions under 40 lines in this codebase.",
        "Keep the functions as they are in this codebase.",
    ),
)
# Things that never vary.
_KEEPS_SO: tuple[Row, ...] = (
    (
        r"""^(?!(it|this|that|these|those|they|there|you|i)\b)[^,;]* (are|go|have|come|stay|use|
get) always [^,;]{2,60}, (and |but )?never [\w@_]""",
        "Prices in our database are always gross, never net.",
        "They are always gross, never net.",
    ),
    (
        r"""^(?!(it|this|that|these|those|they|there|you|i)\b)[^,;]* (are|go|have|come|stay|use|
get) never [^,;]{2,60}, (and |but )?(they are )?always [\w@_]""",
        "Prices in our database are never net, always gross.",
        "Never mind, always happy to help.",
    ),
    (
        r"""^(all|every|each) (of )?(the |our )?([\w-]+ ){1,3}in (this|our|the) <project> (is|are)
(always |only )?(in|on|per|under|gross|net|rounded|written|named|formatted|given|measured|
spelled|quoted|cited|numbered)\b(?! (fire|time|hold|place|red|green|the|an?|this|that|my|
your)\b)""",
        "All measurements in this book are in grams.",
        "All tests in this project are green.",
    ),
)
# The one name or value of something.
_NAMES: tuple[Row, ...] = (
    (
        r"""\b(the|our|its|\w+'s) ([\w-]+ ){0,2}?(final|official|public|legal|definitive|agreed|
correct|real|full|registered|canonical) ([\w-]+ )?(title|subtitle|name|spelling|address|deadline|
domain|slogan|date|release date|wording|price list|abbreviation|term)( (of|for) (the|our) [\w-]+(
[\w-]+)?)? (is|are|will be) (?!(too|not|still|wrong|missing|in|on|at|there|shown|now|already|very|
good|fine|nice|better|long|longer|short|shorter|what|that|this|it|the same|a bit|a little|empty|
unknown|open|where|up to|used|stored|given|defined|set|displayed|
printed|found|mentioned|hidden|rendered|read)\b|\w+(ed|ing)\b(?! \w))\S""",
        "The book's final title is _.",
        "The final title is too long.",
    ),
    (
        r"""\bwe (always )?(call|spell|abbreviate|pronounce) (it|them|this|our \S+( \S+)?) (?!(once|
twice|\d+|in|at|on|from|with|after|before|\w+ly|when|again|back|first)\b)\S+( \S+)?, (and )?
(not|never) (?!(once|twice|yet|before|after|again)\b|\w+ly\b)""",
        "We call them guests, not users.",
        "We call it twice, not once.",
    ),
    (
        r"""\b(name|surname|brand|title|town|product) is (always )?(spelled|spelt|written|
pronounced) (?!(wrong|wrongly|incorrectly|differently|right|correctly|in line|in the|here|there|
twice|out)\b)\S""",
        "The author's name is spelled with one t.",
        "The author's name is spelled wrong.",
    ),
    (
        r"""^(the|our) ([\w-]+ ){0,2}?<matter> (is|are|runs?|lasts?|starts?|ends?|costs?|opens?|
closes?|has|covers?|uses?)( (on|at|in|over|for|from|to|called))? [^,;]{1,50}, (and )?not (on |at |
in |over |for |from |to |called )?(?!(much|many|enough|just|only|so|very|too|yet|sure|quite|really|
that|this|it|the (first|second|other|old|new))\b)[\w@_]""",
        "The print edition is 6 by 9 inches, not A5.",
        "The button is 40 by 20 pixels, not 30.",
    ),
)
# A wish that concerns every piece of work.
_WANTS_EACH_TIME: tuple[Row, ...] = (
    (
        r"""^(<polite> )*i (always |only |also |do |would )*(want|expect|like) (?!<particular>
)([\w-]+ ){1,4}(for|in|with|on|after|before) (every|each) (new |single )?(
bug ?fix|fix|change|commit|pr|pull request|feature|function|release|migration|module)\b""",
        "I want tests for every bug fix.",
        "I want a button for every row.",
    ),
)
# What speakers say about themselves.
_INTRODUCES: tuple[Row, ...] = (
    (
        r"""^my (full |first |last )?(name|time ?zone|native language|first language|mother tongue|
job|job title|role|shell|editor|operating system|os|pronouns|keyboard layout) (is|are) (?!(not|too|
so|broken|slow|wrong|missing|down|gone|acting|being|very|in the)\b)\S""",
        "My time zone is Lisbon.",
        "My shell is broken.",
    ),
)
# Whose approval is needed.
_NEEDS_CONSENT: tuple[Row, ...] = (
    (
        r"""^(?!(i|you|we|it|this|that|they|if|when|once|does|do|unless|whether|
maybe)\b)[\w@'-]+( [\w@'-]+){0,3} <approves> (any|every|each|
all|anything|everything|whatever)\b(?! (of )?(it|this|that|these|those|them)\b)""",
        "Jonas signs off every change to the tax rules.",
        "Jonas reviews the change to the tax rules.",
    ),
)

# An error with its cause, and the change that fixed it.
_TELLS_A_FIX: tuple[Row, ...] = (
    (
        r"""\b(because( of)?|due to|caused by) (?!(i|we|you) (just |had |simply )?(forgot|mistyped|
misread|overlooked|messed up)\b)\S[^?]{5,160}?([,;.]|,? (and|so|then)) (?!(during|nothing|
everything|anything|something|morning|evening|string|being)\b)\w+ing (?!(it|that|this) (again )?
(fixed|solved|helped)\b)(\S+ ){1,8}?(has )?((fixed|solved|cured|resolved) (it|that|this|the \S+)|
helped|did the trick|made it work)\b""",
        "The emails were lost because the worker had no DNS, adding a resolver fixed it.",
        "The emails were lost because nobody was fixing it.",
    ),
)

STANDING = {
    "orders_of_a_kind": PhraseTable(
        _ORDERS_OF_A_KIND, _CLASSES, anchors="not |never|avoid|stop|no |before|every |each "
    ),
    "requires_a_way": PhraseTable(_REQUIRES_A_WAY, _CLASSES, anchors=" to |must|only"),
    "needs_consent": PhraseTable(
        _NEEDS_CONSENT, _CLASSES, anchors="approve|sign|review|see|clear|confirm"
    ),
    "spreads_as_a_rule": PhraseTable(
        _SPREADS_AS_A_RULE,
        _CLASSES,
        anchors="whole|entire|complete|through|across|in this|in our|for this|for our|messages"
        "|docstrings|requests|changelogs|notes",
    ),
    "declines": PhraseTable(
        _DECLINES,
        _CLASSES,
        anchors="not |never|chose|ended up|picked|settled|decided|went with|opted|agreed|voted",
    ),
    "spreads": PhraseTable(
        _SPREADS, _CLASSES, anchors="whole|entire|complete|through|across|all |every |each |any "
    ),
    "keeps_so": PhraseTable(_KEEPS_SO, _CLASSES, anchors="always|all |every |each "),
    "names": PhraseTable(
        _NAMES,
        _CLASSES,
        anchors=", not|, and not|final|official|public|legal|definitive|agreed|correct|real|full"
        "|regis|canon|spel|written|call them|call it|call this|call our|abbrev|pronounce",
    ),
    "wants_each_time": PhraseTable(_WANTS_EACH_TIME, _CLASSES, anchors="every |each "),
    "introduces": PhraseTable(_INTRODUCES, _CLASSES, anchors="my "),
    "tells_a_fix": PhraseTable(
        _TELLS_A_FIX, _CLASSES, anchors="fixed|solved|cured|resolved|helped|trick|made it work"
    ),
}

"""English phrases by which people say that what they know or do complements each other.

Each row is a pattern, a sentence that it matches, and a near miss. The classes are those of
`relating`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

COMPLEMENTING_CLASSES = {
    # What a person knows or can do.
    "skill": r"""
(knowledge|expertise|experience|skills?|skill ?sets?|backgrounds?|strengths?|talents?|know-?how|
competenc(e|es|ies|y)|perspectives?|insights?|understanding|speciali[st]t?y|specialt(y|ies)|
areas?|domains?|fields?|disciplines?|abilities|views?)
""",
    # What a person has done with it.
    "done_work": r"""
(<skill>|analys[ie]s|research|work|prototypes?|findings|numbers|data|model|study|review|design|
measurements|tests|part|side|half)
""",
    "yours": r"(your|@\d+'s?)",
    "one_another": r"(each other|one another)",
    # The other part of a matter, which somebody adds.
    "a_side": r"""
(side|part|half|angle|perspective|view|viewpoint|piece|expertise|knowledge|experience|
end)
""",
    "brings": r"(know|understand|bring|do(es)?|have|has|cover|handle|make|draw|write)s?",
    "they": r"(you|@\d+)",
    "well_matched": r"""
(an? )?(really |very )?(good|great|perfect|strong|excellent|nice) (team|pair|match|duo|
combination)\b
""",
    # Two people's parts, and what comes of both.
    "part": r"(?=\S)[^,:;]{2,60}?( and|,|,? while)",
    "jointly": r"(?=\S).{2,60}?\b((together|between us),? (?=\w)|makes us <well_matched>)",
    "wellness": r"( (well|nicely|perfectly|neatly|beautifully|really well|so well|very well))?",
    "merely": r"(really |perfectly |nicely |very much |also |just |clearly |exactly |well )*",
}
COMPLEMENTING: tuple[Row, ...] = (
    (
        r"""\bour (\w+ )?(two |\w+ )?<skill> (<merely>complement <one_another>|(is|are) <merely>(
complementary|a (good|great|perfect) (match|fit))|<merely>(fit|go|work|pair|
combine) <merely>together)|\bwe <merely>(complement <one_another>|are <merely>complementary|
have complementary
 (\w+ )?<skill>|(complete|balance out?) <one_another>)|\bwe make an? (really |very )?(good|great|
perfect|strong|excellent|nice) (team|pair|match|duo|combination)\b""",
        "I know the firmware, so our skills complement each other.",
        "Our plans complement each other.",
    ),
    (
        r"""<yours> (\w+ ){0,3}<done_work> <merely>(fills?|covers?|closes?|bridges?|plugs?) (in )?(
(the|all|a|every) (gaps?|holes?) in (mine|my \w+)|my (\w+ )?(gaps?|holes?|weakness(es)?|
blind spots?)|
what i (do not|lack|miss|never|can not)|what (is missing in|mine lacks|my \w+ lacks))|
\bmy (\w+ ){0,3}<done_work> <merely>(fills?|covers?|closes?) (in )?(the|all|a) (gaps?|holes?) in
 <yours>|<yours> strengths are <merely>my weaknesses|\bmy weaknesses are <merely><yours> strengths|
(\byou|@\d+) <merely>(fill|fills|cover|covers|close|closes) (in )?(the|all|any)? ?(gaps?|holes?) in
 my <done_work>""",
        "Right, your firmware expertise fills the gap in mine.",
        "Your firmware fills the disk.",
    ),
    (
        r"""\b(building|drawing|based|expanding|following up|
picking up) on <yours> (\w+ ){0,3}<done_work>,? i (can|could|will|would) <merely>(add|bring|
contribute|cover|supply|provide|take|
handle|fill in) (in )?(the|my|our|some) (\w+ ){1,3}?<a_side>\b|\b(to )?(add|adding) to <yours> (
\w+ ){0,3}<done_work>,? i (can|could|will) <merely>(add|bring|contribute|cover|supply|provide|
handle) (the|my|some) (\w+ ){1,3}?<a_side>\b|\bi (can|could|will)? ?<merely>(add|bring|
contribute|supply|provide|fill in) (the|my) (\w+ ){1,3}?<a_side> (to|
of) <yours> (\w+ ){0,3}<done_work>\b|\bi (can|could|will) <merely>(add|bring|contribute|supply|
provide) the (\w+ ){1,3}<skill> (that )?(you|@\d+) (are|is) (missing|lacking)""",
        "Building on your hardware analysis, I can add the firmware side.",
        "Building on your idea, I propose Redis.",
    ),
    (
        r"""(<yours>|\bmy) (\w+ ){0,3}<done_work> <merely>(rounds? (out|off)|completes?|
balances?( out)?|builds? <merely>on|adds? (nicely |well )?to|pairs? <merely>with|
goes <merely>(hand in hand |together )?with|fits?<wellness> with|is the (other|missing)
 half of) (<yours>|my|mine) ?(\w+ ){0,3}?(<done_work>|yours)\b(?<=\w)|
(<yours>|\bmy) (\w+ ){0,3}(<skill>|analysis|research)( and| plus|,) (<yours>|
my) (\w+ ){0,3}<done_work>
 (together )?<merely>(cover|complete|round out|make up|make) (the )?(whole|entire|everything|full|
it all|all)""",
        "My firmware experience rounds out your hardware knowledge.",
        "My work is done with your keys.",
    ),
    (
        r"""\b(combining|combine|pairing|joining) (<yours>|my) (\w+ ){0,3}<skill> (with|
and) (<yours>|
my) (\w+ ){0,3}<done_work>\b|\bwith (<yours>|my) (\w+ ){0,3}<skill> and (<yours>|
my) (\w+ ){0,3}<skill>,? (we|together)\b|\btogether,? (<yours>|
my) (\w+ ){0,3}(<skill> )?and (<yours>|my) (
\w+ ){0,3}<skill> (cover|make|complete|give)|\bbetween (us|the two of us) we (cover|know|have|
understand) (both|all|everything|the whole)|<yours> (\w+ ){0,3}<skill> (is|are) (exactly|just|
precisely) (what|the (part|piece|thing)) (that )?(i|my \w+) (lack|lacks|miss|need|needs|needed|was
 missing|am missing|was lacking)|\bi (lack|miss|do not have) the (\w+ ){1,3}<skill> (that )?(you|
@\d+) (have|has|bring|brings)\b|\bwhat (you|@\d+) (know|knows) (about (\w+ ){1,3})?is (exactly |
just )*
what i (lack|miss|am missing|do not know)""",
        "Your hardware skills are exactly what I was missing.",
        "Your hardware is exactly what I ordered.",
    ),
    (
        r"""(<whom> and (i|<whom>)|\bi and <whom>|\byou and i) (make|are|
form) <merely><well_matched>|
\bi (make|am|form) <merely><well_matched> with (<whom>|you)\b|
<they> <brings> <part> i <brings> <jointly>|\bi <brings> <part> <they> <brings> <jointly>|
\bbetween us,? (<whom> and i|i and <whom>|you and i) (cover|know|have|understand)\b""",
        "@0 knows the boats and I know the tides, so together we can plan it.",
        "@0 knows the way and I know the driver.",
    ),
    (
        r"""(<whom> and i|\bi and <whom>|\byou and i) <merely>complement <one_another>|
<they> <merely>(fills? in|makes? up for|compensates? for) what i (lack|miss|do not (know|have)|
can not do)\b|
\bwhat i (lack|miss|do not (know|have))( (in|about|of) (\S+ ){0,3}?\S+?)?,? (@\d+|you) <merely>(
makes? up for|compensates? for|brings?|fills? in|adds?|has|have)\b|
\bwhere i am (weak|lost|blind|bad|clumsy|slow)( \S+){0,4}?,? (@\d+|you) (is|are) <merely>(strong|
good|great|at home|quick|an expert)\b|<they> (is|are) <merely>(strong|good|great|at home) (
\w+ )?where i am <merely>(weak|lost|blind|bad)\b|
<yours> (\w+ ){0,3}<skill> ((of|in|about) (\S+ ){1,3}?)?rounds? (off|out) (my|mine)\b|
(<they> (is|are) good (with|at) [^,:;]{2,40}? and i am good (with|at)|\bi am good (with|at)
 [^,:;]{2,40}? and <they> (is|are) good (with|at)) [^,:;]{2,40}?[,:] ?(we are|we make|that is|
together we are) <merely><well_matched>""",
        "Where I'm weak on sums, @0 is strong.",
        "Where I live, @0 is known.",
    ),
)

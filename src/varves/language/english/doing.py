"""English phrases for work that was done: a tool was run, a file was changed.

Each row is a pattern, a sentence that it matches, and a near miss, which it must not match.
"""

from __future__ import annotations

from varves.language.english.classes import CLASSES
from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_DOING = {
    **CLASSES,
    # A person who did only this; if the person then decided something, that is a decision.
    "worker": r"""
^(?!.*\b(and|then) (i |we )?(decided|chose|agreed|settled|switched)\b)(<opening>)*((i|we) )?((have|
had|just|also|then|now|first) )*
""",
    # A name with an ending, a folder with its slash, code in quotation marks, or a known name.
    "file": r"""
(\S*\w\.[a-z]\w{0,7}\b(?!\S*://)|\.?[\w./-]+/(?!\S)|_(?!\w)|\S*(makefile|dockerfile|readme|changelog|
license)\b)
""",
    # What a person does with a tool to see how things are, and not to build something with it.
    "looking": r"""
(find|search|look|list|inspect|check|count|read|see|trace|measure|profile|debug|reproduce|replay|
compare|diff|dump|query|tail|bisect|examine|explore|analy[sz]e|investigate|confirm|locate|identify|
scan|grep|review|view|figure|explain|time|benchmark)
""",
    "looked": r"""
(called|hit|pinged|probed|polled|requested|checked|tested|inspected|traced|profiled|listed|counted|
searched|verified|reproduced|confirmed|measured|debugged|dumped|watched|scanned|compared|fetched|
downloaded|queried)
""",
    "program": r"""
(curl|wget|httpie|postman|ripgrep|rg|grep|jq|psql|mysql|sqlite3|redis-cli|git|gh|npm|npx|docker|
kubectl|helm|terraform|ansible|make|pytest|jest|vitest|mypy|ruff|eslint|tsc|strace|gdb|perf|aws|
gcloud|ssh|dig|nmap|tcpdump|playwright)
""",
    # What goes on when the work is done: whatever was used to do it was chosen for it.
    "lasting": r"""
(allow|authenticate|authorize|avoid|back|be|become|cache|connect|decouple|drive|encrypt|enforce|
guard|handle|hash|hide|hold|host|isolate|keep|limit|link|manage|parse|persist|power|prevent|process|
protect|queue|route|schedule|serve|share|sign|store|support|sync|validate)
""",
    # What is chosen and not worked with, and the words of a choice.
    "choice": r"""
(algorithm|approach|brand|colou?rs?|convention|default|font|format|layout|library|method|name|
palette|pattern|recipe|same|scheme|strategy|style|template|theme|version|wording|always|as|
everywhere|instead|never|not|only|over|rather|throughout)
""",
}
_EDITS: tuple[Row, ...] = (
    (
        r"""<worker>(edited|changed|modified|updated|rewrote|created|deleted|renamed|touched|
patched|moved|reformatted|corrected|fixed) (?!to\b)((\S+ ){0,3}?|(\S+ ){1,8}?(in|of|
at|from) (\S+ )?)<file>""",
        "Edited src/form.py to check the date.",
        "Changed the limit to 2.5 seconds.",
    ),
    (
        r"""<worker>(added|removed|deleted|wrote|put|inserted) (\S+ ){1,8}?(to|from|in|
into) (\S+ ){0,3}?<file>""",
        "Added a test to tests/test_form.py.",
        "Added Node.js as a dependency.",
    ),
    (
        r"""<worker>(wrote|refactored|fixed|extended|split|cleaned up) (\S+ ){0,2}?<file>|^<file>
 (was |were |has been )?(changed|edited|modified|updated|rewritten|created|deleted|removed|renamed|
moved)\b""",
        "src/form.ts changed to check the date.",
        "src/form.ts holds the schema of the form.",
    ),
    (
        r"""<worker>(applied|appended|prepended|reverted|restored|replaced|bumped|inlined|pasted)
 (\S+ ){0,6}?((to|in|into|from|at) (\S+ ){0,3}?)?<file>""",
        "Applied the patch to values.yaml.",
        "Replaced Webpack by Vite.",
    ),
    (
        r"""^(multi_?|notebook_?)?(edit|write|apply_?patch|str_replace)( file)?(\(.*\)\W*$|
 ?: (\S+ ){0,2}?<file>)""",
        "Write: src/form.py",
        "Write: short sentences, in English",
    ),
)
_RUNS: tuple[Row, ...] = (
    (
        r"""<worker>(ran|re-ran|reran|executed|invoked|queried|grepped|fetched|downloaded) (?!(out|
away|into|over|down|late|short|on|with|for|the risk)\b)\S+|
<worker>searched (for|the|in|through)\b|^\W*\$ \S""",
        "Ran the tests of the form.",
        "We ran out of memory.",
    ),
    (
        r"""<worker>(opened|read|viewed|inspected|looked (at|into)|listed) (\S+ ){0,3}?<file>""",
        "Opened src/upload.py to see the limit.",
        "Opened an account at the hosting company.",
    ),
    (
        r"""<worker>(used|called|tried) (the |a )?(\S+ ){0,2}(tool|command|script|debugger|linter|
profiler)\b|<worker>used (\S+ ){1,4}?to <looking>\b""",
        "Used the search tool to find the caller.",
        "Used in every service.",
    ),
    (
        r"""<worker>used (?!to\b)(?!(\S+ ){0,4}?<choice>\b)((\S+ ){1,4}?to (?!<lasting>\b)[a-z]|
(the|my|our|his|her|their|this|that) ((\S+ ){1,4}?(for|on|again|once|twice)\b|\S+( \S+)?\W*$))""",
        "Used the scanner for the form.",
        "Used Redis to cache the form.",
    ),
    (
        r"""<worker>(called|asked|hit|invoked|pinged|polled|tried) (the |our |an? )?(\S+ ){0,4}?(
api|endpoint|server|service|webhook)(?=\W*$|[,;:.]| (for|to|with|from|at|on|via|and|again|once|
twice|several|three|four|five|\d+)\b)""",
        "Called the mapping service for the form.",
        "Called the mapping service Heron.",
    ),
    (
        r"""<worker>(opened (?!(an?|the (shop|store|office|meeting|door|gate))\b)|(viewed|printed|
scanned|recorded|converted|exported|imported|resized|cropped|trimmed|translated|transcribed|
rendered|compressed|plotted|drew|cut|drilled|sanded|measured|weighed) )(\S+ ){1,6}?(with|using|via|
through) \S""",
        "Opened the form with LibreOffice.",
        "Opened an account with the bank.",
    ),
    (
        r"""<worker>(grepped|googled|curled|pinged|bisected|tailed|straced|profiled|benchmarked|
traced) (?!(to|by)\b)\S|<worker><looked> (\S+ ){1,8}?(with|using|via|through) (the )?<program>\b""",
        "Called the health endpoint with curl.",
        "Called the new service Heron, with care.",
    ),
    (
        r"""^(bash|sh|zsh|shell|powershell|cmd|terminal)( tool| command)? ?[:>] ?(?!(use|prefer|
choose|keep|write|always|never|no)\b)\S|
^(?!(multi_?|notebook_?)?(edit|write|apply_?patch|str_replace)\b)[a-z_]\w*\(.*(\)|_)\W*$""",
        "Bash(pytest -q)",
        "Retries (three at most) use a backoff.",
    ),
)

EDITS = PhraseTable(_EDITS, _DOING)
RUNS = PhraseTable(_RUNS, _DOING)

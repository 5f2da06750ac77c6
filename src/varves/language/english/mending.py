"""English phrases that describe how a fault was fixed: complaint, cause, change and outcome.

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

from varves.language.tables import PhraseTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.tables import Row

_CLASSES = {
    # What a person does while looking for a fault, and what has not been done yet.
    "looking": r"""
(will|would|could|can|should|might|may|must|shall|am|was|had been|see|saw|think|thought|guess|
suspect|assume|assumed|believe|bet|wonder|need|needed|want|wanted|know|knew|do|did|have (no|not|to)|
looked|read|checked|ran|run|reran|tried|found|noticed|confirmed|reproduced|verified|tested|measured|
got|get|asked|started|opened|noted|went|compared|searched|queried|counted|profiled|bisected|traced|
walked|hope|prefer|propose|suggest|recommend|understand|agree|keep|left|leave|go|stay|like|hate|
skipped|pushed|committed|drafted|updated the (docs|readme|changelog)|also|only|just|now|then|have|
still|never|simply|swear|love|mean|wish|remember)\b
""",
    # Adverbs between a person and a verb.
    "adverb": r"(now|just|also|have|then|simply|therefore|only|instead)",
    # A verb in the -ing form that names a change.
    "ongoing": r"""
(?!(during|nothing|everything|anything|something|morning|evening|string|being|going|looking|
trying|running|missing|according|including|checking|using|testing|reading|asking|
waiting)\b)\w{2,}ing
""",
    "better": r"""
(gone|green|stable|clean|quiet|fixed|solved|resolved|cured|back|correct|deterministic|
reproducible|identical|readable|responsive|smooth|flat|consistent|intact|in sync|happy|fine|
history|right)
""",
    "works": r"""
(pass|work|run|compile|build|start|boot|load|connect|render|succeed|match|finish|complete|
converge|agree|deploy|install|sync|reconnect|play|print|open|close|exit|resolve|respond|arrive|
survive|hold|add up|line up)(e?s|e?d)?
""",
    "fault": r"""
(errors?|failures?|crash(es)?|leaks?|time-?outs?|warnings?|duplicates?|flakes?|mismatch(es)?|
complaints?|drops?|deadlocks?|hangs?|retries|exceptions?|restarts?|glitch(es)?|jumps?|gaps?|
reports?|misses|losses)
""",
}

# Words for a cause or a fix.
_SPEAKS_OF_A_FIX: tuple[Row, ...] = (
    (
        r"""\b(root cause|culprit|because|caused by|causes?|came from|come(s)? from|due to|
stem(s|med) from|turned out|turns out|thanks to|to blame|the (reason|problem|trouble|trick|bug|
issue|cause) (was|is|were)|down to|traced (it )?(back )?to)\b""",
        "The flaky test came from the random seed.",
        "The test comes later.",
    ),
    (
        r"""\b(was|were) (just |simply |only |actually )?(the|a|an|our|two|one|that)\b.*(, not|
\bnot) (the|a|an|our|in|on)\b""",
        "The slow search was the audit trigger, not the index.",
        "The slow search was the first task.",
    ),
    (
        r"""\b(fixed|solved|cured|resolved|repaired|mended) (it |this |that |the \S+ )?(now )?(by|
with)\b|\b(fixes|cures|solves|resolves|fixed|cured|solved|resolved) (it|this|that|them|both)\b""",
        "Writing them as dates fixes it.",
        "It writes the dates with a fixed length.",
    ),
)
# Words of a sentence that says what went wrong, but does not call it the cause.
_TELLS_A_FAULT: tuple[Row, ...] = (
    (
        r"""\b(so|while|whereas|hence|therefore|thus|which|although|even though|but|since|until|
every time|whenever|before|after|and then|than|more|less|limits?|at once|again)\b""",
        "Both jobs wrote the same file, so one of them lost its rows.",
        "Both jobs write a file.",
    ),
    (
        r"""\b(not|never|no|nothing|nobody|without|only|twice|forever|missing|stale|wrong|lost|
drop(s|ped)?|lack(s|ed)?|stuck|zero|null|nan|none|fail(s|ed)?|panic(s|ked)?|block(s|ed)?|
deleted?|overwr\w+|swallow\w*|ignor(es|ed)|shar(es|ed)|same|old|empty|race[ds]?|conflict\w*|
mismatch\w*|differ\w*|another|collid\w*|expir\w+|leak\w*|retr(y|ies|ied)|truncat\w+|cut off|
exceed\w*|exhaust\w*|refus\w+|reject\w*|strip(s|ped)?|too|still|instead|already|twice|
default(s|ed)?|outdated|corrupt\w*|invalid|unsorted|unset|unaware|wait(s|ed)|hung|hangs?|broke|
breaks?|cached|round(s|ed)|overflow\w*|out of)\b""",
        "The client drops the header.",
        "The client sends the header.",
    ),
)
_TELLS_A_CHANGE: tuple[Row, ...] = (
    (
        r"\b(i|we) (<adverb> )*(?!<looking>)[a-z]+\b",
        "I now cache a failed query.",
        "I will cache a failed query.",
    ),
    (
        r"""\b(fixed|solved|cured|resolved|repaired|mended|worked around|avoided) (it |this |that |
the \S+ )?(now )?(by|with)\b|\b(the|my|our) (fix|cure|solution|remedy|workaround) (was|is)\b|
\bwhat (helped|fixed it|cured it|solved it|worked) (was|is)\b""",
        "Fixed by pinning the driver.",
        "Fixed tomorrow.",
    ),
    (
        r"""(^|[;,:.] |\b(and|so|then|now) )(?!<ongoing> (is|are|was|were)\b)<ongoing>
(\S+ ){1,16}?(makes?|made|fixes|fixed|cures?|cured|solves?|solved|stops?|stopped|resolves|resolved|
brings|brought|keeps|kept|helped|helps|removes|removed|did the trick|got rid of|gets rid of|
restores|
restored|is enough|was enough|lets|eliminates|eliminated|prevents|avoids|unblocks|unblocked)\b""",
        "Seeding the generator makes it stable.",
        "Seeding the generator comes next.",
    ),
    (
        r"""\b(after|since|by|once|with) (the )?(<ongoing>|i|we) (\S+ ){1,20}?\S+[,;:] """,
        "After setting the time-out, the vacuum removed everything.",
        "After lunch, the vacuum removed everything.",
    ),
    (
        r"""\b(each|every|the|all|both|our|its|this|that) (\S+ ){1,4}?now (\w+ly )?(?!(
passes|works|runs|is|was|has been|compiles|builds|starts|green|goes|shows|looks|matches|succeeds|
finishes|takes)\b)(\w+s|have|are \w+ed|use|get|go|read|write|wait|take)\b|\b(is|are) now \w+ed\b""",
        "Each test now uses its own folder.",
        "Each test is now green.",
    ),
    (
        r"""\bwith (\S+ ){1,8}?(set|on|off|in place|enabled|disabled|added|removed|pinned|raised|
lowered|turned \w+|switched \w+|bumped|back)\b""",
        "With the cache off, the page is right.",
        "With the team, the page is right.",
    ),
    (
        r"""\b(is|are|was|were|has been|have been|got) (now )?(moved|pinned|raised|lowered|replaced|
renamed|removed|disabled|enabled|rebuilt|reinstalled|bumped|upgraded|downgraded|regenerated|
converted|escaped|excluded|increased|reduced|limited|capped|wrapped|sorted|seeded|reset|
rewritten|rotated|restored|reordered|recreated|set|added)\b.*\b(now|and|so|,|;)""",
        "The driver is pinned to 2.3 now.",
        "The driver is loaded from the cache.",
    ),
)
_TELLS_AN_OUTCOME: tuple[Row, ...] = (
    (
        r"\b(is|are|was|were|looks?|stays?|goes|went|came|comes|turned) (\w+ )?<better>\b",
        "All tests are green.",
        "All tests are new.",
    ),
    (
        r"""(?<!not )(?<!to )(?<!can )(?<!will )\b<works> ((\S+ ){0,3}?(again|now|fine|cleanly|
clean|through|everywhere|as expected|for the|without|in \d|on (the|every|all|both)|every|\d\S*|
reliably|at once|correctly))\b|\b(go(es)?|went|gets?|came|comes?) through\b|
\bnow (\w+ly )?<works>\b""",
        "The view test passes again.",
        "The view test will run again.",
    ),
    (
        r"""\b(and|so|;) (now )?(the|it|all|every\w*|both|they|that|\d+)
((\S+ ){0,4}?)<works>[.!]*$""",
        "I renamed the files and the manual compiles.",
        "I renamed the files and the manual.",
    ),
    (
        r"""\band (now )?(it|they|everything|the \S+( \S+)?)( now)? (is|are|[a-z]+s?) (\w+ )?(fine|
well|evenly|properly|smoothly|correctly|reliably|normally|quiet|clean)( (now|again))?[.!]*$""",
        "I replaced the ribbon and now it prints fine.",
        "I replaced the ribbon and it is blue.",
    ),
    (
        r"""\bno (more |longer )(\w+ )?(<fault>|\w+s\b|\w+ing\b)|\b(zero|0|no) <fault>\b|
\bwithout (a|an|any|one|a single|further) (\w+ )?<fault>\b|\bdoes not (fail|crash|hang|
happen|leak|drift|occur) (any ?more|again)\b|\bhas not (\w+ )?(happened|come back|failed|recurred|
crashed) (since|again)\b|\bnot (reproducible|reproduce) any ?more\b""",
        "It ran a day without a single timeout.",
        "It ran a day with one timeout.",
    ),
    (
        r"""\b(went|goes|dropped|drops|fell|falls|rose|rises|came|grew|shrank|improved|is|are|
was|settled|stays?|stayed|holds?|held|cut|takes?|took) (\S+ ){0,4}?((back|down|up|steady|flat|
constant) )?(to|at|from|under|below|around|near|instead of) (~|about |around |under |below )?
\$?\d""",
        "The query went from 61.8 ms to 2.3 ms.",
        "The query went to the replica.",
    ),
    (
        r"""\b\d[\d,.]* (of|out of|/) \d|\b\d[\d,.]*x? (\S+ ){0,2}?(runs|tries|times|builds|
attempts|jobs|iterations|requests|files|rows|tests|specs|cases) (\w+ )?(are|were|all|without|
pass\w*|succeed\w*|green|clean|ok|in a row|with no|later)\b""",
        "The crash did not come in 20 of 20 tries.",
        "The crash came in 20 places.",
    ),
    (
        r"""\b(cures?|cured|fix(es|ed)|solves?|solved|resolves|resolved|unblocks|unblocked) (it|
this|that|them|the \S+|both|all of \S+)\b|\b(did the trick|got rid of|gets rid of)\b""",
        "Filtering the empty rows cures it.",
        "Filtering the empty rows is slow.",
    ),
    (
        r"""\b(makes?|made|lets?|brings|brought|keeps?|kept) ((the|it|them|all|both|that|this) )?
(\S+ ){0,3}?(stable|work|works|pass|passes|match|green|fast|faster|deterministic|reproducible|
disappear|vanish|go away|went away|back|through|succeed|compile|readable|agree)\b|
\b(went|goes|gone) away\b|\b(disappeared|vanished)\b""",
        "Writing the raw bits makes the hashes match.",
        "Writing the raw bits makes the file long.",
    ),
    (
        r"""\b(after|once|since|with) (\S+ )?(\w+ing|i|we) [^.;?]*?, (\S+ ){1,4}?(\w{2,}ed|is|are|
went|came|fell|ran|\w+s) """,
        "After raising the limit, the vacuum removed all dead rows.",
        "After raising the limit.",
    ),
    (
        r"""\b(?<!if )(?!(i|we|you|he|she|they|and|then|also|just|first|finally) )
(it|\w+|that) (passed|survived|reached|got past|got through|cleared) (\S+ )""",
        "Run 7 passed step 10k.",
        "I cleared the caches of the runner.",
    ),
)
# What people say about something that does not work.
_COMPLAINS: tuple[Row, ...] = (
    (
        r"""\b(errors?|fatal|fail(s|ed|ing|ures?)?|exceptions?|traceback|panic\w*|crash\w*|
abort\w*|kill(s|ed)|denied|refused|time(s|d)? ?out|time-?outs?|hang(s|ing)?|hung|freez\w+|frozen|
flak(y|es?)|broken|breaks?|broke|bugs?|wrong(ly)?|weird(ly)?|strange(ly)?|odd(ly)?|stuck|
leak(s|ed|ing)?|slow(er|ly)?|diverge[sd]?|nan|desync\w*|out of (sync|memory|space)|mismatch\w*|
duplicate[sd]?|twice|missing|miss(es|ed)|lost|los(es|ing)|dropp?(s|ed|ing)|blank|garbl\w+|
corrupt\w*|
jitter\w*|stutter\w*|flicker\w*|lag(s|gy)?|spikes?|bloat\w*|5\d\ds?|4\d\ds?|oom\w*|segfault\w*|
deadlock\w*|overflow\w*|truncat\w+|cut off|not found|unreachable|unresponsive|rejects?|rejected|
fps|down|disappear\w*|vanish\w*|regress\w*|drift\w*|noisy|red|differ(s|ent|ently)?)\b|
#[a-z]+[!/]""",
        "The export hangs at the last page.",
        "The export has a last page.",
    ),
    (
        r"""\b(does|do|did|can|could|will|would|is|are|was|has|have) not\b|\bwhy (is|are|does|do|
did|was|were)\b|\bno longer\b|\bstopped \w+ing\b|\b(at random|randomly|sometimes|
occasionally|once in a while|now and then|out of nowhere|keeps? \w+ing)\b|
\bsince (the|this|that|yesterday|last|we|i|monday|tuesday|wednesday|thursday|friday|
upgrading|updating)\b""",
        "Since the update the umlauts do not show.",
        "Show the umlauts in the list.",
    ),
)

MENDING = {
    "speaks_of_a_fix": PhraseTable(
        _SPEAKS_OF_A_FIX,
        _CLASSES,
        anchors="cause|culprit|from|due to|stem|turn|thanks|blame|reason|problem|trouble|trick|bug|"
        "issue|down to|traced|, not|fix|solve|cure|mend|repair",
    ),
    "tells_a_fault": PhraseTable(_TELLS_A_FAULT, _CLASSES),
    "tells_a_change": PhraseTable(_TELLS_A_CHANGE, _CLASSES),
    "tells_an_outcome": PhraseTable(_TELLS_AN_OUTCOME, _CLASSES),
    "complains": PhraseTable(_COMPLAINS, _CLASSES),
}

"""The verbs of Hivemind: its automatic operations by name, and what people ask of it."""

from __future__ import annotations

from varves.cli.table import AGAIN, SECRET, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

PROJECT: Option = ("--project", "value", "ID", "which project; default: the current one")
TEAM: Option = ("--team", "value", "ID", "the team whose task it is")
AGENT: Option = ("--agent", "value", "ID", "who acts, such as DEV-001; default: --actor")
TAG: Option = ("--tag", "repeat", "TAG", "a subject to find it by")

VERBS: dict[str, Verb] = {
    "hivemind init": Verb(
        summary="make the tree and its four documents where they are missing",
        run="varves.cli.hivemind:init",
        example="varves hivemind init --project shop",
        options=(PROJECT,),
        note="A second run changes nothing.",
    ),
    "hivemind session start": Verb(
        summary="go on with the session, or begin one after four quiet hours",
        run="varves.cli.hivemind:session_start",
        example="varves hivemind session start --project shop",
        options=(PROJECT, AGENT),
    ),
    "hivemind session end": Verb(
        summary="promote or drop working memory, archive the session, begin afresh",
        run="varves.cli.hivemind:session_end",
        example="varves hivemind session end",
    ),
    "hivemind task": Verb(
        summary="take a task: at most ten memories that bear on it, as a block to inject",
        run="varves.cli.hivemind:task",
        example='varves hivemind task "fix the login API" --agent DEV-001 --team core',
        positionals=("TEXT",),
        options=(
            TEAM,
            AGENT,
            PROJECT,
            ("--explain", "flag", "", "every term of each score, and what was left out"),
        ),
        note="TEXT - is read from stdin.",
    ),
    "hivemind done": Verb(
        summary="finish the task: what it taught is recorded, contradictions are settled",
        run="varves.cli.hivemind:done",
        example='varves hivemind done "Decision: sessions live in Redis" --agent DEV-001',
        positionals=("TEXT?",),
        options=(
            ("--report", "value", "FILE", "a report, JSON; - is stdin"),
            AGENT,
            TEAM,
            PROJECT,
        ),
        note="TEXT - is read from stdin.",
    ),
    "hivemind handoff": Verb(
        summary="pack the work up for another agent",
        run="varves.cli.hivemind:handoff",
        example='varves hivemind handoff QA-002 --summary "login fixed" --pending "test it"',
        positionals=("TO",),
        options=(
            ("--summary", "value", "TEXT", "what was done"),
            ("--pending", "repeat", "TEXT", "what remains"),
            ("--recommend", "repeat", "MEM", "a memory the other should load"),
            ("--agent", "value", "ID", "who hands over; default: who took the task"),
        ),
        one_of=(("--summary",),),
    ),
    "hivemind accept": Verb(
        summary="take over what was handed to an agent",
        run="varves.cli.hivemind:accept",
        example="varves hivemind accept QA-002",
        positionals=("AGENT",),
    ),
    "hivemind error": Verb(
        summary="record a failure; the third of a kind makes a memory that prevents it",
        run="varves.cli.hivemind:error",
        example='varves hivemind error timeout "GET /users took 31 s" --resolution "an index"',
        positionals=("TYPE", "MESSAGE"),
        options=(
            ("--context", "value", "TEXT", "what was being done"),
            ("--resolution", "value", "TEXT", "how it was fixed"),
            ("--prevention", "value", "TEXT", "how to avoid it"),
            TAG,
            AGENT,
            TEAM,
            PROJECT,
            ("--failed", "flag", "", "the task at hand is over by it"),
            SECRET,
        ),
    ),
    "hivemind write": Verb(
        summary="record one memory",
        run="varves.cli.hivemind:write",
        example='varves hivemind write --type factual --content "The API speaks JSON" --tag api',
        options=(
            ("--type", "value", "TYPE", "factual, procedural, episodic, semantic or working"),
            ("--content", "value", "TEXT", "a text or a JSON object; - is stdin"),
            ("--subtype", "value", "WORD", "a narrower kind, such as error"),
            ("--scope", "value", "LEVEL[:ID]", "where it is visible; default project"),
            TAG,
            ("--priority", "value", "P", "critical, high, medium or low"),
            ("--ttl", "value", "TTL", "permanent, or a duration such as P30D"),
            ("--confidence", "float", "C", "0 to 1"),
            AGENT,
            AGAIN,
            SECRET,
        ),
        one_of=(("--type",), ("--content",)),
    ),
    "hivemind search": Verb(
        summary="find memories by their words, low priority ones too",
        run="varves.cli.hivemind:search",
        example='varves hivemind search "login timeout"',
        positionals=("QUERY",),
        options=(
            ("--scope", "value", "LEVEL[:ID]", "only here"),
            ("--team", "value", "ID", "what this team's task would look at"),
            AGENT,
            ("--project", "value", "ID", "what a task in this project would look at"),
            ("-k", "int", "N", "at most N memories; default 10"),
        ),
    ),
    "hivemind show": Verb(
        summary="one entry, as its file has it",
        run="varves.cli.hivemind:show",
        example="varves hivemind show mem_4k2m9x7q1c5d",
        positionals=("ID",),
    ),
    "hivemind maintain": Verb(
        summary="consolidate and archive, when a week has passed",
        run="varves.cli.hivemind:maintain",
        example="varves hivemind maintain --force",
        options=(("--force", "flag", "", "now, whether it is due or not"),),
    ),
    "hivemind rollback": Verb(
        summary="make a superseded memory the current one again",
        run="varves.cli.hivemind:rollback",
        example="varves hivemind rollback mem_4k2m9x7q1c5d",
        positionals=("ID",),
    ),
    "hivemind contradict": Verb(
        summary="say that two memories contradict; five rules decide what is done",
        run="varves.cli.hivemind:contradict",
        example="varves hivemind contradict mem_4k2m9x7q1c5d mem_8z1v5n3b7m2k",
        positionals=("ID", "OTHER"),
        options=(("--reason", "value", "R", "in what"),),
    ),
    "hivemind validate": Verb(
        summary="are the files as published, and were the rules kept",
        run="varves.cli.hivemind:validate",
        example="varves hivemind validate",
        note="The exit code is 1 when something was found.",
    ),
}

"""The verbs of the hivemind protocol, as plain data."""

from __future__ import annotations

from varves.cli.table import AGAIN, SECRET, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

PROJECT: Option = ("--project", "value", "ID", "which project; default: the current one")
TEAM: Option = ("--team", "value", "ID", "the team of the task")
AGENT: Option = ("--agent", "value", "ID", "who acts, such as DEV-001; default: --actor")
TAG: Option = ("--tag", "repeat", "TAG", "a subject to find the memory by")

VERBS: dict[str, Verb] = {
    "hivemind init": Verb(
        summary="create the folders and the four documents if they are missing",
        run="varves.cli.hivemind:init",
        example="varves hivemind init --project shop",
        options=(PROJECT,),
        note="A second run changes nothing.",
    ),
    "hivemind session start": Verb(
        summary="resume the session; after four idle hours, start a new one",
        run="varves.cli.hivemind:session_start",
        example="varves hivemind session start --project shop",
        options=(PROJECT, AGENT),
    ),
    "hivemind session end": Verb(
        summary="promote or drop working memory, archive the session, start a new one",
        run="varves.cli.hivemind:session_end",
        example="varves hivemind session end",
    ),
    "hivemind task": Verb(
        summary="start a task: print at most ten relevant memories as a block to inject",
        run="varves.cli.hivemind:task",
        example='varves hivemind task "fix the login API" --agent DEV-001 --team core',
        positionals=("TEXT",),
        options=(
            TEAM,
            AGENT,
            PROJECT,
            ("--explain", "flag", "", "show every term of each score, and what was left out"),
        ),
        note="If TEXT is -, it is read from stdin.",
    ),
    "hivemind done": Verb(
        summary="finish the task: record what it taught and resolve contradictions",
        run="varves.cli.hivemind:done",
        example='varves hivemind done "Decision: sessions live in Redis" --agent DEV-001',
        positionals=("TEXT?",),
        options=(
            ("--report", "value", "FILE", "a report, JSON; - is stdin"),
            AGENT,
            TEAM,
            PROJECT,
            ("--scope", "value", "LEVEL[:ID]", "where what was learned goes; default project"),
        ),
        note="It finishes the open task of the agent that calls. Without an agent's name, it"
        " finishes the only open task; if several are open, it is refused and lists them. If TEXT"
        " is -, it is read from stdin.",
    ),
    "hivemind handoff": Verb(
        summary="hand off the work to another agent",
        run="varves.cli.hivemind:handoff",
        example='varves hivemind handoff QA-002 --summary "login fixed" --pending "test it"',
        positionals=("TO",),
        options=(
            ("--summary", "value", "TEXT", "what was done"),
            ("--pending", "repeat", "TEXT", "what remains; give one --pending for each item"),
            ("--recommend", "repeat", "MEM", "a memory that the other agent should load"),
            ("--agent", "value", "ID", "who hands off; default: --actor"),
        ),
        one_of=(("--summary",),),
    ),
    "hivemind accept": Verb(
        summary="accept a handoff to an agent",
        run="varves.cli.hivemind:accept",
        example="varves hivemind accept QA-002",
        positionals=("AGENT",),
    ),
    "hivemind error": Verb(
        summary="record a failure; an error seen three times adds a memory on prevention",
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
            ("--failed", "flag", "", "this failure ends the current task"),
            SECRET,
        ),
        note="Errors are the same if type and message agree; numbers, quoted parts, paths and"
        " places in files may differ. Similar errors are linked, but not counted.",
    ),
    "hivemind write": Verb(
        summary="record one memory",
        run="varves.cli.hivemind:write",
        example='varves hivemind write --type factual --content "The API speaks JSON" --tag api',
        options=(
            ("--type", "value", "TYPE", "factual, procedural, episodic, semantic or working"),
            ("--content", "value", "TEXT", "a text or a JSON object; - is stdin"),
            ("--subtype", "value", "WORD", "a narrower kind, such as error"),
            ("--scope", "value", "LEVEL[:ID]", "where the memory is visible; default project"),
            PROJECT,
            TAG,
            ("--priority", "value", "P", "critical, high, medium or low"),
            ("--ttl", "value", "TTL", "permanent, or a duration such as P30D"),
            ("--confidence", "float", "C", "0 to 1"),
            ("--reference", "repeat", "ID", "a memory, URL, file or agent that it refers to"),
            AGENT,
            AGAIN,
            SECRET,
        ),
        one_of=(("--type",), ("--content",)),
    ),
    "hivemind search": Verb(
        summary="find memories by their words, including low priority",
        run="varves.cli.hivemind:search",
        example='varves hivemind search "login timeout"',
        positionals=("QUERY",),
        options=(
            ("--scope", "value", "LEVEL[:ID]", "only this scope"),
            ("--team", "value", "ID", "search as for a task of this team"),
            AGENT,
            ("--project", "value", "ID", "search as for a task in this project"),
            ("-k", "int", "N", "at most N memories; default 10"),
        ),
    ),
    "hivemind list": Verb(
        summary="list entries, the newest first",
        run="varves.cli.hivemind:list_entries",
        example="varves hivemind list --scope project:shop --type factual",
        options=(
            ("--scope", "value", "LEVEL[:ID]", "only this scope"),
            ("--project", "value", "ID", "only this project"),
            ("--type", "value", "TYPE", "only this type"),
            ("--subtype", "value", "WORD", "only this subtype"),
            ("--tag", "value", "TAG", "only entries with this tag"),
            ("--priority", "value", "P", "only this priority"),
            ("--agent", "value", "ID", "only entries that this agent created"),
            ("--archived", "flag", "", "superseded, archived and expired entries instead"),
            ("--limit", "int", "N", "at most N entries"),
        ),
    ),
    "hivemind forget": Verb(
        summary="take an entry out of use; it can be restored",
        run="varves.cli.hivemind:forget",
        example='varves hivemind forget mem_4k2m9x7q1c5d --reason "no longer true"',
        positionals=("ID",),
        options=(("--reason", "value", "R", "why"),),
        one_of=(("--reason",),),
    ),
    "hivemind conflicts": Verb(
        summary="list conflicts between entries that need a decision",
        run="varves.cli.hivemind:conflicts",
        example="varves hivemind conflicts",
        options=(("--limit", "int", "N", "at most N conflicts"),),
        note="`varves conflicts resolve` settles one.",
    ),
    "hivemind document": Verb(
        summary="show a document that every session loads, or replace its content",
        run="varves.cli.hivemind:document",
        example="varves hivemind document user-profile profile.json",
        positionals=("NAME", "FILE?"),
        options=(PROJECT,),
        note="NAME is user-profile, system-config, terminology or context. FILE is JSON or text; "
        "- is stdin.",
    ),
    "hivemind show": Verb(
        summary="show one entry as in its file",
        run="varves.cli.hivemind:show",
        example="varves hivemind show mem_4k2m9x7q1c5d",
        positionals=("ID",),
    ),
    "hivemind maintain": Verb(
        summary="consolidate and archive, if a week has passed",
        run="varves.cli.hivemind:maintain",
        example="varves hivemind maintain --force",
        options=(("--force", "flag", "", "run now, even if not due"),),
        note="Memories are merged if they are more than 80 % similar and also say the same: their"
        " content words must be equal, apart from articles and the like. Otherwise both stay.",
    ),
    "hivemind rollback": Verb(
        summary="make a superseded memory current again",
        run="varves.cli.hivemind:rollback",
        example="varves hivemind rollback mem_4k2m9x7q1c5d",
        positionals=("ID",),
    ),
    "hivemind contradict": Verb(
        summary="report that two memories contradict; five rules resolve it",
        run="varves.cli.hivemind:contradict",
        example="varves hivemind contradict mem_4k2m9x7q1c5d mem_8z1v5n3b7m2k",
        positionals=("ID", "OTHER"),
        options=(("--reason", "value", "R", "how they contradict"),),
    ),
    "hivemind validate": Verb(
        summary="check the files against the published format and rules",
        run="varves.cli.hivemind:validate",
        example="varves hivemind validate",
        note="The exit code is 1 when there are findings.",
    ),
}

"""The verbs of the scoped protocol; eight of them are also installed as `memory-read` and so on."""

from __future__ import annotations

from varves.cli.table import AGAIN, SECRET, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

PROJECT: Option = ("--project", "value", "ID", "which project; default: the current one")
TEAM: Option = ("--team", "value", "ID", "which team")
BUDGET: Option = ("--budget", "int", "TOKENS", "at most this many tokens of memory; default 2000")
WHICH: Option = ("--id", "value", "MEM", "the number in that scope, such as mem-001, or the id")
WHERE: Option = ("--scope", "value", "SCOPE", "project, global, team:ID or session")
AGENT: Option = ("--agent", "value", "NAME", "the agent that receives the block")
FORCE: Option = ("--force", "flag", "", "allow a global entry without the required confidence")
LEVELS = "SCOPE is project, team, global or session; ID names which project or team."
COUNTS = (
    "The file shows the new counts after its next change or the end of the session:"
    " reading changes no tracked file."
)
CURRENT = "The current project is --project, VARVES_PROJECT, the session's, or this checkout's."

VERBS: dict[str, Verb] = {
    "scoped read": Verb(
        summary="print the entries of one scope and count each as read",
        run="varves.cli.scoped:read",
        example="varves scoped read project shop --type decision",
        positionals=("SCOPE", "ID?"),
        options=(("--type", "value", "TYPE", "only entries of this type"),),
        note=f"{LEVELS} {COUNTS}",
    ),
    "scoped list": Verb(
        summary="list the entries of every scope without counting them as read",
        run="varves.cli.scoped:listed",
        example="varves scoped list project shop --type decision",
        positionals=("SCOPE?", "ID?"),
        options=(("--type", "value", "TYPE", "only entries of this type"),),
        note=f"Without SCOPE: the session, the current project, all teams and global. {CURRENT}",
    ),
    "scoped write": Verb(
        summary="store one entry and print its number",
        run="varves.cli.scoped:write",
        example=(
            'varves scoped write project shop --type convention --content "Tabs" --confidence 0.9'
        ),
        positionals=("SCOPE", "ID?"),
        options=(
            ("--type", "value", "TYPE", "decision, convention, pattern or preference"),
            ("--content", "value", "TEXT", "the text of the entry; - is stdin"),
            ("--confidence", "float", "C", "0 to 1; default 0.9; required for global"),
            (
                "--override-global",
                "flag",
                "",
                "hide the global entry about the same subject here, without a notice",
            ),
            ("--overrides", "value", "ID", "hide this global entry here, such as mem-002"),
            FORCE,
            AGAIN,
            SECRET,
        ),
        one_of=(("--type",), ("--content",)),
        note=LEVELS,
    ),
    "scoped search": Verb(
        summary="search the text of entries without counting them as read",
        run="varves.cli.scoped:search",
        example='varves scoped search --query "validation" --scope project',
        options=(
            ("--query", "value", "Q", "words to look for"),
            ("--scope", "value", "SCOPE", "only this scope; default: every scope"),
            PROJECT,
            ("-k", "int", "N", "at most N entries"),
        ),
        one_of=(("--query",),),
    ),
    "scoped forget": Verb(
        summary="remove an entry from use; restore reverses this",
        run="varves.cli.scoped:forget",
        example='varves scoped forget --id mem-001 --scope project --reason "Outdated"',
        options=(WHICH, WHERE, ("--reason", "value", "R", "why; required"), PROJECT),
        one_of=(("--id",), ("--scope",), ("--reason",)),
        note="If several projects have this number, --project is required.",
    ),
    "scoped restore": Verb(
        summary="restore a forgotten entry with its old number",
        run="varves.cli.scoped:restore",
        example="varves scoped restore --id mem-001 --scope project",
        options=(WHICH, WHERE, PROJECT),
        one_of=(("--id",), ("--scope",)),
    ),
    "scoped init": Verb(
        summary="create the folders of scoped memory",
        run="varves.cli.scoped:init",
        example="varves scoped init --project shop --team core --scripts",
        options=(
            PROJECT,
            TEAM,
            ("--scripts", "flag", "", "also write scripts/memory-*.sh into the project"),
        ),
        note=f"A second run changes nothing. {CURRENT}",
    ),
    "scoped rank": Verb(
        summary="rank entries, with the three terms of each score",
        run="varves.cli.scoped:rank",
        example="varves scoped rank project shop",
        positionals=("SCOPE?", "ID?"),
        note="0.4 confidence + 0.3 recency + 0.3 access frequency, each 0 to 1.",
    ),
    "scoped conflicts": Verb(
        summary="list entries that contradict, update or repeat each other",
        run="varves.cli.scoped:conflicts",
        example="varves scoped conflicts project shop",
        positionals=("SCOPE?", "ID?"),
        note="Both entries stay until varves conflicts resolve settles the conflict.",
    ),
    "scoped validate": Verb(
        summary="check the files against the published format and rules",
        run="varves.cli.scoped:validate",
        example="varves scoped validate",
        note="The exit code is 1 when there are findings.",
    ),
    "scoped session start": Verb(
        summary="start a session: print the ten best entries as a block to inject",
        run="varves.cli.scoped:session_start",
        example="varves scoped session start --team core --budget 2000",
        options=(TEAM, PROJECT, BUDGET, AGENT),
        note="First proposes what was learned in earlier sessions that were never ended.",
    ),
    "scoped session end": Verb(
        summary="end the session: propose its decisions, then remove its file",
        run="varves.cli.scoped:session_end",
        example="varves scoped session end",
    ),
    "scoped task": Verb(
        summary="print what is known about a task before it starts",
        run="varves.cli.scoped:task",
        example='varves scoped task "validate the sign-up form"',
        positionals=("TEXT",),
        options=(TEAM, PROJECT, BUDGET, AGENT),
        note="If TEXT is -, it is read from stdin.",
    ),
    "scoped note": Verb(
        summary="add a note to the session's file",
        run="varves.cli.scoped:note",
        example='varves scoped note "Use Zod for input" --kind decision',
        positionals=("TEXT",),
        options=(
            (
                "--kind",
                "choice",
                "tool|edit|decision|note",
                "the kind of note; default: as it says",
            ),
        ),
        note="If TEXT is -, it is read from stdin.",
    ),
    "scoped done": Verb(
        summary="propose what a finished task taught, without storing it",
        run="varves.cli.scoped:done",
        example='varves scoped done "Learned: library X lacks feature Y"',
        positionals=("TEXT?",),
        options=(
            ("--transcript", "value", "FILE", "a transcript to learn from"),
            ("--output", "value", "FILE", "a task's output_data, JSON; - is stdin"),
            ("--scope", "value", "SCOPE", "where a proposal would be stored; default project"),
        ),
        note="If TEXT is -, it is read from stdin. Without TEXT: the session's decisions.",
    ),
    "scoped proposals": Verb(
        summary="list the proposals that wait for approval",
        run="varves.cli.scoped:proposals",
        example="varves scoped proposals",
    ),
    "scoped approve": Verb(
        summary="store a proposal",
        run="varves.cli.scoped:approve",
        example="varves scoped approve mem_4k2m9x7q1c5d",
        positionals=("ID",),
        options=(FORCE, AGAIN),
    ),
    "scoped reject": Verb(
        summary="reject a proposal; it is never proposed again",
        run="varves.cli.scoped:reject",
        example='varves scoped reject mem_4k2m9x7q1c5d --reason "too special"',
        positionals=("ID",),
        options=(("--reason", "value", "R", "why"),),
    ),
    "scoped stale": Verb(
        summary="list entries that are old or unused",
        run="varves.cli.scoped:stale",
        example="varves scoped stale --older-than 90d",
        options=(
            ("--older-than", "value", "D", "recorded longer ago than this; default 90d"),
            ("--unused-for", "value", "D", "not read or injected for this long"),
        ),
    ),
    "scoped inject": Verb(
        summary="write the session-start block into prompt files, between markers",
        run="varves.cli.scoped:inject",
        example="varves scoped inject agents/*/system-prompt.md",
        positionals=("FILE...",),
        note="A second run replaces the block. A session start updates agents/*/system-prompt.md.",
    ),
}

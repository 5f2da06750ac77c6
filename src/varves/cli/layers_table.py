"""The verbs of the layers protocol, as plain data."""

from __future__ import annotations

from varves.cli.table import SECRET, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

FILES: Option = ("--files", "many", "PATH", "the files that the event concerns")
REASON: Option = ("--reason", "value", "R", "why: session timeout, task complete or escalation")
SHARE: Option = ("--share", "flag", "", "commit the handoff too, so that it reaches other clones")
STDIN = "TEXT is one or more events in Markdown; - means stdin."
FOUND = "The exit code is 1 for errors; warnings and notes do not change it."

_LOG: dict[str, Verb] = {
    "layers init": Verb(
        summary="create CHANGELOG.md and .memory/ if they are missing",
        run="varves.cli.layers:init",
        example="varves layers init",
        options=(("--begin", "flag", "", "start a log in a CHANGELOG.md without events"),),
        note="A second run changes nothing. No verb writes AGENTS.md.",
    ),
    "layers boot": Verb(
        summary="read the rules, show the state of the work",
        run="varves.cli.layers:boot",
        example="varves layers boot",
        note="stdout: the rules, the context and the size of the graph; stderr: the findings.",
    ),
    "layers append": Verb(
        summary="add an event to CHANGELOG.md",
        run="varves.cli.layers:append",
        example=(
            "varves layers append --type change --scope file --title Login"
            " --what Timeouts --why Abuse"
        ),
        positionals=("TEXT?",),
        options=(
            ("--type", "value", "TYPE", "decision, change, result or milestone"),
            ("--scope", "value", "SCOPE", "project, pack, skill or file"),
            ("--title", "value", "TEXT", "the title of the event"),
            ("--what", "value", "TEXT", "what happened"),
            ("--why", "value", "TEXT", "the reasoning; required"),
            ("--impact", "value", "TEXT", "what it affects, what to watch for; `None.` if nothing"),
            ("--next", "value", "TEXT", "what happens next; `None.` if nothing"),
            FILES,
            ("--allow-missing", "flag", "", "accept files that do not exist"),
            ("--at", "value", "INSTANT", "when it happened; now, if this is before the last event"),
            ("--draft", "flag", "", "keep the event in this session until shutdown"),
            SECRET,
        ),
        one_of=(("TEXT", "--title"),),
        note=STDIN,
    ),
    "layers archive": Verb(
        summary="move the oldest events to CHANGELOG-archive.md",
        run="varves.cli.layers:archive",
        example="varves layers archive --keep 20",
        options=(
            ("--keep", "int", "N", "the number of events that stay; default 20 (archive_keep)"),
            ("--before", "value", "INSTANT", "move the events before this time instead"),
        ),
        note="They stay in the graph, the context and `find`.",
    ),
    "layers merge": Verb(
        summary="merge what two branches appended to CHANGELOG.md",
        run="varves.cli.layers:merge",
        example="varves layers merge",
    ),
    "layers resolve": Verb(
        summary="accept or restore an event that was altered in the file",
        run="varves.cli.layers:resolve",
        example="varves layers resolve mem_4k2m9x7q1c5d --restore",
        positionals=("ID?",),
        options=(
            ("--accept", "flag", "", "accept the text in the file, or the removal"),
            ("--restore", "flag", "", "restore the recorded text"),
        ),
        one_of=(("--accept", "--restore"),),
        note="Without ID: every altered event, or the whole file if it is missing.",
    ),
}

_GRAPH: dict[str, Verb] = {
    "layers graph": Verb(
        summary="print the graph as in graph.md",
        run="varves.cli.layers:graph_show",
        example="varves layers graph",
        note="More: layers graph show, query, path, neighbours, depends, cycles, rebuild.",
    ),
    "layers graph show": Verb(
        summary="print the graph as text, JSON or an image",
        run="varves.cli.layers:graph_show",
        example="varves layers graph show --format mermaid",
        options=(
            (
                *("--format", "choice", "text|mermaid|dot|svg|json"),
                "default text; svg needs varves[draw]",
            ),
            ("--around", "value", "ID", "only the part around this entity"),
            ("--depth", "int", "N", "with --around: the number of steps; default 1"),
        ),
    ),
    "layers graph query": Verb(
        summary="list entities by id, kind, status, pack or reference",
        run="varves.cli.layers:graph_query",
        example="varves layers graph query --kind skill --status active",
        options=(
            ("--id", "value", "ID", "the entity with this id"),
            ("--kind", "value", "KIND", "skill, pack or file"),
            ("--status", "value", "STATUS", "skills of this status"),
            ("--pack", "value", "ID", "the members of this pack"),
            ("--references", "value", "ID", "entities that refer to this one"),
        ),
        note="Without options: every entity.",
    ),
    "layers graph path": Verb(
        summary="show the shortest path from one entity to another",
        run="varves.cli.layers:graph_path",
        example="varves layers graph path login pack-auth",
        positionals=("A", "B"),
    ),
    "layers graph neighbours": Verb(
        summary="list the neighbours of an entity",
        run="varves.cli.layers:graph_neighbours",
        example="varves layers graph neighbours login --depth 2",
        positionals=("ID",),
        options=(
            ("--depth", "int", "N", "the number of steps; default 1"),
            ("--relation", "value", "KIND", "follow only Depends On, Part Of or References"),
            ("--direction", "choice", "out|in|both", "default both"),
        ),
    ),
    "layers graph depends": Verb(
        summary="list everything an entity depends on, directly or indirectly",
        run="varves.cli.layers:graph_depends",
        example="varves layers graph depends login",
        positionals=("ID",),
    ),
    "layers graph cycles": Verb(
        summary="list cycles of dependencies",
        run="varves.cli.layers:graph_cycles",
        example="varves layers graph cycles",
    ),
    "layers graph rebuild": Verb(
        summary="report whether graph.md is stale, and rebuild it from CHANGELOG.md",
        run="varves.cli.layers:graph_rebuild",
        example="varves layers graph rebuild",
    ),
}

_LOOK: dict[str, Verb] = {
    "layers context": Verb(
        summary="rebuild context.md, the state of the work, and print it",
        run="varves.cli.layers:context",
        example="varves layers context",
    ),
    "layers find": Verb(
        summary="search the graph, then the log",
        run="varves.cli.layers:find",
        example='varves layers find "session store"',
        positionals=("TEXT",),
    ),
    "layers constraints": Verb(
        summary="list the rules of AGENTS.md that were read at boot",
        run="varves.cli.layers:constraints",
        example="varves layers constraints",
    ),
    "layers validate": Verb(
        summary="check the four files against the rules and each other",
        run="varves.cli.layers:validate",
        example="varves layers validate",
        note=FOUND,
    ),
    "layers waive": Verb(
        summary="accept findings of validate as they are, with a reason",
        run="varves.cli.layers:waive",
        example='varves layers waive CHANGELOG.md:12 --reason "the file is in another repository"',
        positionals=("PLACE",),
        options=(
            ("--reason", "value", "TEXT", "why they are accepted"),
            ("--rule", "value", "RULE", "only the findings of this rule"),
            ("--withdraw", "flag", "", "let these findings count again"),
        ),
        one_of=(("--reason", "--withdraw"),),
        note="PLACE is what validate prints; validate --json lists what is waived.",
    ),
    "layers rebuild": Verb(
        summary="rebuild graph.md and context.md from CHANGELOG.md",
        run="varves.cli.layers:rebuild",
        example="varves layers rebuild",
    ),
    "layers agents-section": Verb(
        summary="print the section on memory to paste into AGENTS.md",
        run="varves.cli.layers:agents_section",
        example="varves layers agents-section",
    ),
}

_END: dict[str, Verb] = {
    "layers drafts": Verb(
        summary="list the events this session will append at shutdown",
        run="varves.cli.layers:drafts",
        example="varves layers drafts --session monday",
    ),
    "layers shutdown": Verb(
        summary="append the drafts, rebuild the views, commit, hand off",
        run="varves.cli.layers:shutdown",
        example='varves layers shutdown --to ben --reason "task complete" --files src/login.py',
        positionals=("TEXT?",),
        options=(
            ("--to", "value", "AGENT", "the next agent; writes .memory/handoff.json"),
            REASON,
            SHARE,
            ("--no-commit", "flag", "", "do not commit"),
            ("--files", "many", "PATH", "more files to commit"),
            ("--message", "value", "TEXT", "the commit's message"),
        ),
        note=f"{STDIN} After a crash, run it again: it resumes where it stopped.",
    ),
    "layers handoff": Verb(
        summary="hand off the committed work to another agent",
        run="varves.cli.layers:handoff",
        example='varves layers handoff --to ben --reason "session timeout"',
        options=(("--to", "value", "AGENT", "the next agent"), REASON, SHARE),
        one_of=(("--to",), ("--reason",)),
    ),
    "layers accept": Verb(
        summary="accept a handoff addressed to you (--actor), once",
        run="varves.cli.layers:accept",
        example="varves layers accept",
    ),
}

VERBS: dict[str, Verb] = {**_LOG, **_GRAPH, **_LOOK, **_END}

"""The verbs of the four layers: boot, append, look, check, and hand on."""

from __future__ import annotations

from varves.cli.table import SECRET, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

FILES: Option = ("--files", "many", "PATH", "the files it concerns")
REASON: Option = ("--reason", "value", "R", "session timeout, task complete or escalation")
STDIN = "TEXT is one or more events in Markdown; - is read from stdin."
FOUND = "The exit code is 1 when something was found."

_LOG: dict[str, Verb] = {
    "layers init": Verb(
        summary="begin CHANGELOG.md and .memory/ where they are missing",
        run="varves.cli.layers:init",
        example="varves layers init",
        options=(("--begin", "flag", "", "start a log in a CHANGELOG.md that holds no events"),),
        note="A second run changes nothing. AGENTS.md is yours; no verb writes it.",
    ),
    "layers boot": Verb(
        summary="read the rules, freshen the views, say where the work stands",
        run="varves.cli.layers:boot",
        example="varves layers boot",
        note="On stdout: the rules, the context, the size of the graph; on stderr: what was found.",
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
            ("--title", "value", "TEXT", "what it is called"),
            ("--what", "value", "TEXT", "what happened"),
            ("--why", "value", "TEXT", "the reasoning; never left out"),
            ("--impact", "value", "TEXT", "what it affects, what to watch for"),
            ("--next", "value", "TEXT", "what happens next"),
            FILES,
            ("--at", "value", "INSTANT", "when; one before the last event is stamped now"),
            ("--draft", "flag", "", "keep it to this session until shutdown"),
            SECRET,
        ),
        one_of=(("TEXT", "--title"),),
        note=STDIN,
    ),
    "layers merge": Verb(
        summary="settle two branches' appends to CHANGELOG.md, each event whole",
        run="varves.cli.layers:merge",
        example="varves layers merge",
    ),
    "layers resolve": Verb(
        summary="settle an event that was altered: as it is, or as it was",
        run="varves.cli.layers:resolve",
        example="varves layers resolve mem_4k2m9x7q1c5d --restore",
        positionals=("ID?",),
        options=(
            ("--accept", "flag", "", "it stands as the file has it now, or is gone"),
            ("--restore", "flag", "", "put the recorded text back"),
        ),
        one_of=(("--accept", "--restore"),),
        note="Without ID: every event that was altered, or the whole file where it is gone.",
    ),
}

_GRAPH: dict[str, Verb] = {
    "layers graph": Verb(
        summary="the graph, as graph.md has it",
        run="varves.cli.layers:graph_show",
        example="varves layers graph",
        note="More: layers graph show, query, path, neighbours, depends, cycles, rebuild.",
    ),
    "layers graph show": Verb(
        summary="the graph as text, JSON or a picture",
        run="varves.cli.layers:graph_show",
        example="varves layers graph show --format mermaid",
        options=(
            (
                *("--format", "choice", "text|mermaid|dot|svg|json"),
                "default text; svg needs varves[draw]",
            ),
        ),
    ),
    "layers graph query": Verb(
        summary="entities by id, kind, status, pack, or what they refer to",
        run="varves.cli.layers:graph_query",
        example="varves layers graph query --kind skill --status active",
        options=(
            ("--id", "value", "ID", "this one"),
            ("--kind", "value", "KIND", "skill, pack or file"),
            ("--status", "value", "STATUS", "skills of this status"),
            ("--pack", "value", "ID", "the members of this pack"),
            ("--references", "value", "ID", "what refers to this"),
        ),
        note="Without an option: all of them.",
    ),
    "layers graph path": Verb(
        summary="the shortest way from one entity to another",
        run="varves.cli.layers:graph_path",
        example="varves layers graph path login pack-auth",
        positionals=("A", "B"),
    ),
    "layers graph neighbours": Verb(
        summary="what stands next to an entity",
        run="varves.cli.layers:graph_neighbours",
        example="varves layers graph neighbours login --depth 2",
        positionals=("ID",),
        options=(
            ("--depth", "int", "N", "so many steps; default 1"),
            ("--relation", "value", "KIND", "only along Depends On, Part Of or References"),
            ("--direction", "choice", "out|in|both", "default both"),
        ),
    ),
    "layers graph depends": Verb(
        summary="all that an entity depends on, directly or not",
        run="varves.cli.layers:graph_depends",
        example="varves layers graph depends login",
        positionals=("ID",),
    ),
    "layers graph cycles": Verb(
        summary="what depends on itself",
        run="varves.cli.layers:graph_cycles",
        example="varves layers graph cycles",
    ),
    "layers graph rebuild": Verb(
        summary="is graph.md stale; remake it from CHANGELOG.md",
        run="varves.cli.layers:graph_rebuild",
        example="varves layers graph rebuild",
    ),
}

_LOOK: dict[str, Verb] = {
    "layers context": Verb(
        summary="where the work stands: context.md, remade",
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
        summary="the rules of AGENTS.md, as they were at boot",
        run="varves.cli.layers:constraints",
        example="varves layers constraints",
    ),
    "layers validate": Verb(
        summary="do the four files keep the rules and agree",
        run="varves.cli.layers:validate",
        example="varves layers validate",
        note=FOUND,
    ),
    "layers rebuild": Verb(
        summary="remake graph.md and context.md from CHANGELOG.md",
        run="varves.cli.layers:rebuild",
        example="varves layers rebuild",
    ),
    "layers agents-section": Verb(
        summary="the section on memory to paste into AGENTS.md",
        run="varves.cli.layers:agents_section",
        example="varves layers agents-section",
    ),
}

_END: dict[str, Verb] = {
    "layers drafts": Verb(
        summary="the events this session appends at its shutdown",
        run="varves.cli.layers:drafts",
        example="varves layers drafts --session monday",
    ),
    "layers shutdown": Verb(
        summary="append what is left, remake the views, commit, hand on",
        run="varves.cli.layers:shutdown",
        example='varves layers shutdown --to ben --reason "task complete" --files src/login.py',
        positionals=("TEXT?",),
        options=(
            ("--to", "value", "AGENT", "who goes on; writes .memory/handoff.json"),
            REASON,
            ("--no-commit", "flag", "", "leave the commit to you"),
            ("--files", "many", "PATH", "files of yours that go into the commit too"),
            ("--message", "value", "TEXT", "the commit's message"),
        ),
        note=f"{STDIN} Run it again after a crash: it goes on where it stopped.",
    ),
    "layers handoff": Verb(
        summary="hand the committed work to another agent",
        run="varves.cli.layers:handoff",
        example='varves layers handoff --to ben --reason "session timeout"',
        options=(("--to", "value", "AGENT", "who goes on"), REASON),
        one_of=(("--to",), ("--reason",)),
    ),
    "layers accept": Verb(
        summary="take over what was handed on; once",
        run="varves.cli.layers:accept",
        example="varves layers accept",
    ),
}

VERBS: dict[str, Verb] = {**_LOG, **_GRAPH, **_LOOK, **_END}

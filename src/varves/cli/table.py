"""Every verb as plain data, from which arguments are parsed and help pages are made.

The name of an option, with dashes replaced by underscores, is the keyword of the ledger's method. A
verb passes on the given options and leaves every default to the ledger. The kinds of options are:
`flag` takes no value, `value` any text, `int` and `float` a number, `choice` one of the words in
its metavar, `repeat` may be given several times, and `many` takes every word up to the next option.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Option = tuple[str, str, str, str]
    """Name, kind, metavar, help."""


class Verb(Value):
    """One verb: its arguments, its help text and the function that runs it."""

    summary: str
    run: str
    example: str
    positionals: tuple[str, ...] = ()
    """The names, in order.

    A `?` at the end means optional, `...` means one or more words.
    """
    options: tuple[Option, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    """Groups of options; exactly one option of each group is required."""
    reads: bool = False
    """Whether the verb only reads, so that it takes `--as-of`."""
    note: str = ""
    """One or two more sentences for the help page."""

    def function(self) -> Callable[..., Any]:
        """Import the module of the verb's function and return the function."""
        module, _, name = self.run.partition(":")
        return getattr(__import__(module, fromlist=(name,)), name)  # type: ignore[no-any-return]


GLOBALS: tuple[Option, ...] = (
    ("--root", "value", "DIR", "the project; default: the nearest parent with a .varves/"),
    ("--json", "flag", "", "print exactly one JSON document on stdout"),
    ("--actor", "value", "NAME", "who acts; default USER"),
    ("--session", "value", "ID", "the session that writes belong to"),
    ("--mode", "choice", "durable|group|fast", "fast may lose the newest writes in a power cut"),
    ("--as-of", "value", "WHEN", "read verbs only: the state at an instant, event or revision"),
    ("--color", "choice", "auto|always|never", "colours; auto: on a terminal"),
    ("--help", "flag", "", "show this page, or the page of a verb"),
    ("--version", "flag", "", "show the version"),
)

ALIASES = {"-h": "--help"}

PROTOCOLS = {
    "party": "what each agent of a party remembers between sessions",
    "layers": "rules, an event log, its graph and the state of the work, in four files",
    "scoped": "memory in four scopes, proposed, approved and ranked",
    "hivemind": "memory that loads, learns and cleans up automatically",
    "deliberation": "what a long discussion has agreed, proposed and said so far",
}
"""The protocols and their summaries. The verbs of each are in a table that is loaded on demand."""

HOSTED = ("hook", "mcp", "ui", "install", "uninstall")
"""The verbs for coding agents and for people who look; their table is `hosts_table`."""

SHARED = ("remote", "push", "pull", "sync", "clone", "team")
"""The verbs that keep logs in other places too; their table is `remotes_table`."""

ELSEWHERE = dict.fromkeys(HOSTED, "hosts") | dict.fromkeys(SHARED, "remotes")
"""The tables that are loaded on demand, by the first words of their verbs."""

SCOPE: Option = ("--scope", "value", "LEVEL[:ID]", "only memories visible in this scope")
TYPE: Option = ("--type", "value", "TYPE", "only memories of this type")
TAG: Option = ("--tag", "value", "TAG", "only memories with this tag")
EXPECT: Option = ("--expect", "value", "EVENT", "refuse if the memory has changed since EVENT")
AGAIN: Option = ("--again", "flag", "", "write the text even if it was rejected before")
YES: Option = ("--yes", "flag", "", "do not ask for confirmation")
SECRET: Option = ("--allow-secret", "flag", "", "do not mask what looks like a secret")


def page_of(what: str, name: str, follow: str) -> tuple[Option, Option]:
    """Return the options of a verb that lists something in pages.

    Args:
        what: what is listed, in the plural.
        name: the metavar of its ids.
        follow: how the items of the next page stand to the one that is named.
    """
    return (
        ("--limit", "int", "N", f"at most N {what}; by default 50, with --json all"),
        ("--before", "value", name, f"only {what} that {follow}"),
    )


VERBS: dict[str, Verb] = {
    "init": Verb(
        summary="create the ledger and the folders of the named protocols",
        run="varves.cli.upkeep:init",
        example="varves init",
        options=(
            (
                "--protocol",
                "repeat",
                "NAME",
                "party, layers, scoped, hivemind, deliberation or all",
            ),
            ("--local", "flag", "", "keep the ledger out of git"),
        ),
        note="A second run changes nothing.",
    ),
    "remember": Verb(
        summary="record one memory, or many from a file",
        run="varves.cli.memories:remember",
        example='varves remember "Use Zod for all input validation" --tag validation',
        positionals=("TEXT?",),
        options=(
            ("--scope", "value", "LEVEL[:ID]", "where the memory is visible; default project"),
            ("--private", "flag", "", "keep the memory in this clone"),
            ("--type", "value", "TYPE", "decision, convention, preference, ..."),
            ("--tag", "repeat", "TAG", "a subject to find the memory by"),
            ("--priority", "value", "P", "critical, high, medium or low"),
            ("--ttl", "value", "D", "how long the memory is valid, such as 30d"),
            ("--confidence", "float", "C", "0 to 1"),
            ("--evidence", "repeat", "PATH[:LINE]", "what supports it; checked again at recall"),
            ("--source", "value", "URI", "where the memory comes from"),
            ("--speaker", "value", "NAME", "who said it"),
            ("--at", "value", "INSTANT", "when it was said"),
            ("--id", "value", "MEM", "the id to use; makes the write idempotent"),
            (
                "--derived-from",
                "repeat",
                "MEM",
                "a memory it is based on, which limits its trust",
            ),
            AGAIN,
            SECRET,
            ("--batch", "value", "FILE", "JSON Lines, one memory per line; - is stdin"),
        ),
        one_of=(("TEXT", "--batch"),),
        note=(
            "If TEXT is -, it is read from stdin. --evidence also takes PATH:LINE-LINE,"
            " PATH::SYMBOL and commit:ID. Keys of a --batch line: text scope private type tags"
            " priority ttl confidence evidence source speaker session at id. A refused line is"
            " reported, the other lines are written, and the exit code is 3."
        ),
    ),
    "recall": Verb(
        summary="find memories, best match first",
        run="varves.cli.memories:recall",
        example='varves recall "how do we validate input?" -k 5',
        positionals=("QUERY",),
        options=(
            ("-k", "int", "N", "at most N hits; default 10"),
            SCOPE,
            TYPE,
            TAG,
            ("--protocol", "value", "NAME", "only memories of this protocol"),
            ("--profile", "value", "NAME", "how to rank: default, scoped or hivemind"),
            ("--budget", "int", "TOKENS", "return at most this many tokens of text"),
            ("--dense", "flag", "", "also compare meanings; needs varves[semantic]"),
            ("--explain", "flag", "", "show the reasons for each score, and what was left out"),
            ("--all", "flag", "", "also weak matches, which are otherwise left out"),
            (
                "--include",
                "repeat",
                "STATUS",
                "also memories of this status; gone: their evidence is missing",
            ),
        ),
        reads=True,
    ),
    "brief": Verb(
        summary="what an agent should know now, as one fenced block",
        run="varves.cli.memories:brief",
        example='varves brief --task "validate the sign-up form" --agent ada --budget 800',
        options=(
            ("--task", "value", "TEXT", "what the agent is about to do"),
            ("--agent", "value", "NAME", "the agent; default: the actor"),
            ("--budget", "int", "TOKENS", "at most this many tokens, fence included; default 2000"),
        ),
        reads=True,
        note=(
            "The order: critical or disputed memories, long-lived memories, the newest ones,"
            " then those that match the task. The beginning is the same in every call. A memory"
            " is included whole or left out."
        ),
    ),
    "show": Verb(
        summary="show one memory with all its fields",
        run="varves.cli.memories:show",
        example="varves show mem_4k2m9x7q1c5d",
        positionals=("ID",),
        reads=True,
    ),
    "history": Verb(
        summary="list every event that changed a memory",
        run="varves.cli.history:history",
        example="varves history mem_4k2m9x7q1c5d",
        positionals=("ID",),
        reads=True,
    ),
    "why": Verb(
        summary="show where a memory came from, and why it is or is not believed",
        run="varves.cli.transfer:why",
        example="varves why mem_4k2m9x7q1c5d",
        positionals=("ID",),
        reads=True,
    ),
    "list": Verb(
        summary="list memories, newest first",
        run="varves.cli.memories:listing",
        example="varves list --type decision --older-than 90d",
        options=(
            SCOPE,
            TYPE,
            TAG,
            ("--status", "value", "STATUS", "active, flagged, superseded, quarantined, ..., all"),
            ("--older-than", "value", "D", "only memories recorded longer ago than this"),
            ("--unused-for", "value", "D", "neither changed nor returned for this long"),
            ("--private", "flag", "", "only private memories of this clone"),
            *page_of("memories", "ID", "come after this one in the list"),
        ),
        reads=True,
        note="The last line says how many more there are.",
    ),
    "correct": Verb(
        summary="replace the text of a memory; the old text stays rejected",
        run="varves.cli.memories:correct",
        example='varves correct mem_4k2m9x7q1c5d "Use Valibot" --reason "smaller bundle"',
        positionals=("ID", "TEXT"),
        options=(
            ("--reason", "value", "R", "why"),
            ("--evidence", "repeat", "PATH[:LINE]", "what supports it; replaces the old evidence"),
            ("--no-evidence", "flag", "", "drop the old evidence"),
            *(AGAIN, EXPECT, SECRET),
        ),
        note=(
            "If TEXT is -, it is read from stdin. Without --evidence, the old evidence is"
            " kept and its current state is recorded."
        ),
    ),
    "edit": Verb(
        summary="change the fields of a memory, not its text",
        run="varves.cli.memories:edit",
        example="varves edit mem_4k2m9x7q1c5d --tag +security --tag -draft --priority high",
        positionals=("ID",),
        options=(
            ("--tag", "repeat", "+TAG|-TAG", "add or remove a tag"),
            ("--priority", "value", "P", "critical, high, medium or low"),
            ("--ttl", "value", "D", "how long the memory is valid, such as 30d"),
            ("--scope", "value", "LEVEL[:ID]", "where the memory is visible, within the same log"),
            ("--confidence", "float", "C", "0 to 1"),
            EXPECT,
        ),
    ),
    "forget": Verb(
        summary="remove a memory from use; restore reverses this",
        run="varves.cli.memories:forget",
        example='varves forget mem_4k2m9x7q1c5d --reason "no longer true"',
        positionals=("ID",),
        options=(("--reason", "value", "R", "why; required"), EXPECT),
        one_of=(("--reason",),),
    ),
    "restore": Verb(
        summary="restore a forgotten memory",
        run="varves.cli.memories:restore",
        example="varves restore mem_4k2m9x7q1c5d",
        positionals=("ID",),
        options=(EXPECT,),
    ),
    "undo": Verb(
        summary="reverse the effect of an event with a new event",
        run="varves.cli.history:undo",
        example="varves undo",
        positionals=("EVENT?",),
        note=(
            "Without EVENT, your last event in this session is reversed. If there is none, the"
            " events that can be reversed are listed."
        ),
    ),
    "share": Verb(
        summary="publish private memories to the project's log",
        run="varves.cli.memories:share",
        example="varves share mem_4k2m9x7q1c5d",
        positionals=("ID...",),
        note=(
            "undo makes them private again; their text stays in the project's log until varves"
            " purge."
        ),
    ),
    "trust": Verb(
        summary="include memories of untrusted origin in default recall",
        run="varves.cli.consent:trust",
        example="varves trust mem_4k2m9x7q1c5d",
        positionals=("ID...?",),
        options=(("--settings", "flag", "", "accept the settings that this project requests"), YES),
        one_of=(("ID...", "--settings"),),
        note=(
            "On a terminal, it asks for confirmation. Without a terminal, --yes is required, and"
            " the recorded origin is agent."
        ),
    ),
    "purge": Verb(
        summary="erase the text of a memory permanently; its id is never used again",
        run="varves.cli.consent:purge",
        example='varves purge mem_4k2m9x7q1c5d --reason "asked to be forgotten"',
        positionals=("ID",),
        options=(
            ("--reason", "value", "R", "why; the reason is kept, so include no personal data"),
            YES,
        ),
        one_of=(("--reason",),),
        note=(
            "Erases the text in every file of this checkout. Shows what git's history"
            " still contains and the command that rewrites it. On a terminal, it asks for"
            " confirmation; without a terminal, --yes is required."
        ),
    ),
    "conflicts": Verb(
        summary="list conflicts that need a decision",
        run="varves.cli.history:conflicts",
        example="varves conflicts --limit 10",
        options=page_of("conflicts", "CID", "come after this one in the list"),
        reads=True,
        note="The newest come first. The last line says how many more there are.",
    ),
    "conflicts resolve": Verb(
        summary="resolve one conflict",
        run="varves.cli.history:resolve",
        example="varves conflicts resolve cfl_4k2m9x7q1c5d --keep mem_4k2m9x7q1c5d",
        positionals=("CID",),
        options=(
            (
                "--keep",
                "value",
                "ID",
                "keep this memory; all: keep every one, because they do not conflict",
            ),
            ("--merge", "value", "TEXT", "replace all of them by this text"),
            ("--delete", "value", "ID", "remove this memory"),
        ),
        one_of=(("--keep", "--merge", "--delete"),),
        note="CID may also be the id of a memory that is in no other open conflict.",
    ),
    "waiting": Verb(
        summary="list what needs a person, as one queue",
        run="varves.cli.history:waiting",
        example="varves waiting --limit 10",
        options=(
            ("--limit", "int", "N", "at most N things; by default 50, with --json all"),
            ("--before", "value", "ID", "only things that come after this one in the list"),
            (
                "--kind",
                "value",
                "KIND",
                "only consent, edited, conflict, quarantined, proposed or captured",
            ),
        ),
        note=(
            "In this order: settings that wait for your consent, edits of published files,"
            " conflicts, quarantined memories, proposals, and what was captured in your sessions."
            " Each with the command that settles it."
        ),
    ),
    "around": Verb(
        summary="show the memories of a tag, file, person or memory, and what they touch",
        run="varves.cli.comparing:around",
        example="varves around '#payments'",
        positionals=("THING",),
        options=(("--limit", "int", "N", "at most N memories, up to 100; default 40"),),
        reads=True,
        note="THING is #TAG, the id of a memory, or the name of a file, a person or a tag.",
    ),
    "diff": Verb(
        summary="compare the memories of two moments, branches or commits",
        run="varves.cli.comparing:diff",
        example="varves diff main --markdown",
        positionals=("A", "B?"),
        options=(("--markdown", "flag", "", "print Markdown, for a pull request"),),
        reads=True,
        note=(
            "A and B are instants, events or git revisions. Without B, A is compared with the"
            " moment of --as-of, or with now. --markdown leaves out what git does not publish:"
            " private, global and team memories."
        ),
    ),
    "log": Verb(
        summary="list events in order",
        run="varves.cli.history:log",
        example="varves log --since 2026-11-01 --kind memory.recorded",
        options=(
            ("--since", "value", "W", "an instant, or how long ago, such as 2d"),
            ("--until", "value", "W", "an instant, or how long ago, such as 2d"),
            ("--kind", "repeat", "K", "only events of this kind"),
            ("--actor", "value", "A", "only events of this actor"),
            *page_of("events", "EVENT", "come before this one"),
            ("--follow", "flag", "", "keep printing events as they arrive"),
        ),
        reads=True,
        note=(
            "--limit selects the newest events. The last line says how many earlier ones there"
            " are. With --follow, --json prints one document per event, each on one line."
            " After the verb, --actor filters events; before the verb, it sets the actor."
        ),
    ),
    "shown": Verb(
        summary="list what agents were shown, when and why, newest first",
        run="varves.cli.history:shown",
        example="varves shown --limit 5",
        options=(
            ("--session", "value", "ID", "only what was shown in this session"),
            ("--limit", "int", "N", "at most N moments; default 20"),
        ),
        note=(
            "A question is the user's prompt, shortened, with secrets masked; it is kept for 90"
            " days, only in this checkout. After the verb, --session filters; before the verb, it"
            " names the session that calls."
        ),
    ),
    "export": Verb(
        summary="write memories to stdout, as events or Markdown",
        run="varves.cli.transfer:export",
        example="varves export --format markdown",
        options=(
            ("--format", "choice", "jsonl|markdown", "jsonl: the unchanged events"),
            SCOPE,
            ("--private", "flag", "", "include private memories"),
        ),
    ),
    "import": Verb(
        summary="import an export, or another tool's folder",
        run="varves.cli.transfer:import_file",
        example="varves import jsonl memories.jsonl --dry-run",
        positionals=("FORMAT", "PATH"),
        options=(
            (
                "--trust",
                "flag",
                "",
                "jsonl: keep the events unchanged; other formats: skip quarantine",
            ),
            ("--dry-run", "flag", "", "show what would be imported and write nothing"),
            SECRET,
        ),
        note=(
            "FORMAT is jsonl (written by varves export), hivemind (a folder of hivemind files) or"
            " changelog (a log of events in Markdown)."
            " Without --trust only the text is imported, and stays in quarantine until trusted,"
            " unless this repository tracks the file. A purged id is never imported."
        ),
    ),
    "status": Verb(
        summary="show what the ledger contains, and what needs attention",
        run="varves.cli.upkeep:status",
        example="varves status --verbose",
        options=(("--verbose", "flag", "", "print every field, with paths and counts"),),
    ),
    "verify": Verb(
        summary="check the log for damage",
        run="varves.cli.upkeep:verify",
        example="varves verify --deep",
        options=(("--deep", "flag", "", "also check that every line is in canonical form"),),
        note="The exit code is 1 when something is damaged.",
    ),
    "rebuild": Verb(
        summary="rebuild everything derived from the log",
        run="varves.cli.upkeep:rebuild",
        example="varves rebuild",
    ),
    "merge-file": Verb(
        summary="merge what Varves renders in a published file; git's merge driver runs this",
        run="varves.cli.merge_file:merge_file",
        example="varves merge-file base.json ours.json theirs.json memory/projects/p/memory.json",
        positionals=("BASE", "OURS", "THEIRS", "PATH"),
        note=(
            "PATH determines which part of the file Varves renders. That part is made the same in"
            " all three files; git merge-file then merges the rest. If a file cannot be read, the"
            " exit code is 1 and the files are unchanged. No settings and no other files are read."
        ),
    ),
    "pack": Verb(
        summary="merge closed segments (files of the log) into fewer files",
        run="varves.cli.upkeep:pack",
        example="varves pack --dry-run",
        options=(("--dry-run", "flag", "", "show what would be packed and write nothing"),),
        note=(
            "Only closed segments are packed, and in a work tree only those committed in HEAD."
            " Commit the packs and the removed segments together."
        ),
    ),
    "doctor": Verb(
        summary="check the installation",
        run="varves.cli.upkeep:doctor",
        example="varves doctor",
        options=(
            ("--fix", "flag", "", "list what can be fixed, then fix it"),
            ("--restore", "flag", "", "restore events that git removed"),
            ("--dry-run", "flag", "", "with --fix: only list what would be fixed"),
        ),
        note="The exit code is 1 when there are findings, or a fix failed.",
    ),
}


def table_of(verb: str) -> dict[str, Verb]:
    """Return the table that contains a verb, found by the verb's first word."""
    first = verb.partition(" ")[0]
    name = first if first in PROTOCOLS else ELSEWHERE.get(first)
    if name is None:
        return VERBS
    table: dict[str, Verb] = __import__(f"varves.cli.{name}_table", fromlist=("VERBS",)).VERBS
    return table


def shape_of(verb: str) -> Verb:
    """Return a verb's entry in its table."""
    return table_of(verb)[verb]


def is_begun(verb: str) -> bool:
    """Return whether the given words begin a verb of a protocol, but are not a whole verb."""
    table = table_of(verb)
    return table is not VERBS and verb not in table and any(_under(verb, name) for name in table)


def _under(begun: str, verb: str) -> bool:
    return verb.startswith(f"{begun} ")


def verbs_under(begun: str) -> list[str]:
    """Return the verbs that begin with the given words."""
    return [verb for verb in table_of(begun) if _under(begun, verb)]


def every_verb() -> dict[str, Verb]:
    """Return all tables as one; this loads modules that a single verb does not need."""
    tables = [VERBS, *(table_of(first) for first in (HOSTED[0], SHARED[0], *PROTOCOLS))]
    return {verb: shape for table in tables for verb, shape in table.items()}

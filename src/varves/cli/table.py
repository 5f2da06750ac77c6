"""Every verb as plain data; the argument reader and the help pages know nothing else.

An option's name is, with dashes turned, the keyword of the ledger's method, so a verb passes on
what it was given and leaves every default to the ledger. Kinds: `flag` takes no value, `value`
any text, `int` and `float` a number, `choice` one of the words its metavar names, `repeat` may be
given several times, and `many` takes every word up to the next option.
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
    """One verb: what it is called with, and the function that runs it."""

    summary: str
    run: str
    example: str
    positionals: tuple[str, ...] = ()
    """Names in order; the last may end in `?` (may be missing) or in `...` (one or more)."""
    options: tuple[Option, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    """Of each group exactly one must be given."""
    reads: bool = False
    """A read verb takes `--as-of`."""
    note: str = ""
    """What the help page says besides, in a sentence or two."""

    def function(self) -> Callable[..., Any]:
        """Return the function that runs it; its module is loaded."""
        module, _, name = self.run.partition(":")
        return getattr(__import__(module, fromlist=(name,)), name)  # type: ignore[no-any-return]


GLOBALS: tuple[Option, ...] = (
    ("--root", "value", "DIR", "the project; default: the nearest parent holding .varves/"),
    ("--json", "flag", "", "exactly one JSON document on stdout"),
    ("--actor", "value", "NAME", "who acts; default USER"),
    ("--session", "value", "ID", "the session this belongs to"),
    ("--mode", "choice", "durable|group|fast", "fast may lose the newest writes in a power cut"),
    ("--as-of", "value", "WHEN", "the state at an instant, event or git revision; read verbs"),
    ("--color", "choice", "auto|always|never", "colours; auto: on a terminal"),
    ("--help", "flag", "", "this page, or a verb's own"),
    ("--version", "flag", "", "the version"),
)

ALIASES = {"-h": "--help"}

PROTOCOLS = {
    "party": "what each agent of a party keeps, from one session to the next",
    "layers": "rules, an event log, its graph and where the work stands, in four files",
    "scoped": "memory in four scopes, proposed, approved and ranked",
    "hivemind": "memory that loads, learns and tidies up by itself",
    "deliberation": "what a long discussion agreed, proposed and said so far",
}
"""Whose verbs stand in a table of their own, which only their own calls load."""

HOSTED = ("hook", "mcp", "install", "uninstall")
"""The verbs for coding agents; they stand in `hosts_table`."""

SCOPE: Option = ("--scope", "value", "LEVEL[:ID]", "only where it is visible")
TYPE: Option = ("--type", "value", "TYPE", "only of this type")
TAG: Option = ("--tag", "value", "TAG", "only with this tag")
EXPECT: Option = ("--expect", "value", "EVENT", "refuse if the memory has moved on since EVENT")
AGAIN: Option = ("--again", "flag", "", "write it although it was rejected")
YES: Option = ("--yes", "flag", "", "do not ask")
SECRET: Option = ("--allow-secret", "flag", "", "do not mask what looks like a secret")

VERBS: dict[str, Verb] = {
    "init": Verb(
        summary="make the ledger and the folders of the named protocols",
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
            ("--scope", "value", "LEVEL[:ID]", "where it is visible; default project"),
            ("--private", "flag", "", "keep it in this clone"),
            ("--type", "value", "TYPE", "decision, convention, preference, ..."),
            ("--tag", "repeat", "TAG", "a subject to find it by"),
            ("--priority", "value", "P", "critical, high, medium or low"),
            ("--ttl", "value", "D", "how long it holds, such as 30d"),
            ("--confidence", "float", "C", "0 to 1"),
            ("--evidence", "repeat", "PATH[:LINE]", "what shows it; compared when it is recalled"),
            ("--source", "value", "URI", "where it comes from"),
            ("--speaker", "value", "NAME", "who said it"),
            ("--at", "value", "INSTANT", "when it was said"),
            ("--id", "value", "MEM", "its id, which makes the write idempotent"),
            ("--derived-from", "repeat", "MEM", "a memory it rests on; it is trusted no more"),
            AGAIN,
            SECRET,
            ("--batch", "value", "FILE", "JSON Lines, one memory each; - is stdin"),
        ),
        one_of=(("TEXT", "--batch"),),
        note=(
            "TEXT - is read from stdin. --evidence also takes PATH:LINE-LINE, PATH::SYMBOL and"
            " commit:ID. Keys of a --batch line: text scope private type tags"
            " priority ttl confidence evidence source speaker session at id; a line that is"
            " refused is reported, the others are written, and the exit code is 3."
        ),
    ),
    "recall": Verb(
        summary="find memories, the best first",
        run="varves.cli.memories:recall",
        example='varves recall "how do we validate input?" -k 5',
        positionals=("QUERY",),
        options=(
            ("-k", "int", "N", "at most N hits; default 10"),
            SCOPE,
            TYPE,
            TAG,
            ("--protocol", "value", "NAME", "only of this protocol"),
            ("--profile", "value", "NAME", "how to rank: default, scoped or hivemind"),
            ("--budget", "int", "TOKENS", "at most so many tokens of text"),
            ("--dense", "flag", "", "compare meanings too; needs varves[semantic]"),
            ("--explain", "flag", "", "the reasons for each score, and what was left out"),
            ("--include", "repeat", "STATUS", "of this status too, or gone: evidence is lost"),
        ),
        reads=True,
    ),
    "brief": Verb(
        summary="what an agent should be told now, as one fenced block",
        run="varves.cli.memories:brief",
        example='varves brief --task "validate the sign-up form" --agent ada --budget 800',
        options=(
            ("--task", "value", "TEXT", "what it is about to do"),
            ("--agent", "value", "NAME", "who is told; default: who acts"),
            ("--budget", "int", "TOKENS", "at most so many tokens, marks included; default 2000"),
        ),
        reads=True,
        note=(
            "First what is critical or in dispute, then what holds for long, what is newest,"
            " and what answers the task; the beginning stays the same from call to call. A memory"
            " is told whole or left out."
        ),
    ),
    "show": Verb(
        summary="one memory, whole",
        run="varves.cli.memories:show",
        example="varves show mem_4k2m9x7q1c5d",
        positionals=("ID",),
        reads=True,
    ),
    "history": Verb(
        summary="every event that touched a memory",
        run="varves.cli.history:history",
        example="varves history mem_4k2m9x7q1c5d",
        positionals=("ID",),
        reads=True,
    ),
    "why": Verb(
        summary="where a memory came from, and why it is or is not believed",
        run="varves.cli.transfer:why",
        example="varves why mem_4k2m9x7q1c5d",
        positionals=("ID",),
        reads=True,
    ),
    "list": Verb(
        summary="memories, the newest first",
        run="varves.cli.memories:listing",
        example="varves list --type decision --older-than 90d",
        options=(
            SCOPE,
            TYPE,
            TAG,
            ("--status", "value", "STATUS", "active, flagged, superseded, quarantined, ..., all"),
            ("--older-than", "value", "D", "recorded longer ago than this"),
            ("--unused-for", "value", "D", "neither changed nor told for this long"),
            ("--private", "flag", "", "only those of this clone"),
        ),
        reads=True,
    ),
    "correct": Verb(
        summary="replace what a memory says; the old value stays rejected",
        run="varves.cli.memories:correct",
        example='varves correct mem_4k2m9x7q1c5d "Use Valibot" --reason "smaller bundle"',
        positionals=("ID", "TEXT"),
        options=(
            ("--reason", "value", "R", "why"),
            ("--evidence", "repeat", "PATH[:LINE]", "what shows it, in place of the old evidence"),
            ("--no-evidence", "flag", "", "leave the old evidence out"),
            *(AGAIN, EXPECT, SECRET),
        ),
        note="TEXT - is read from stdin. The evidence of the old memory is kept, as it stands now.",
    ),
    "edit": Verb(
        summary="change what is about a memory, not what it says",
        run="varves.cli.memories:edit",
        example="varves edit mem_4k2m9x7q1c5d --tag +security --tag -draft --priority high",
        positionals=("ID",),
        options=(
            ("--tag", "repeat", "+TAG|-TAG", "add or remove a tag"),
            ("--priority", "value", "P", "critical, high, medium or low"),
            ("--ttl", "value", "D", "how long it holds, such as 30d"),
            ("--scope", "value", "LEVEL[:ID]", "where it is visible, within the same log"),
            ("--confidence", "float", "C", "0 to 1"),
            EXPECT,
        ),
    ),
    "forget": Verb(
        summary="remove a memory softly; restore brings it back",
        run="varves.cli.memories:forget",
        example='varves forget mem_4k2m9x7q1c5d --reason "no longer true"',
        positionals=("ID",),
        options=(("--reason", "value", "R", "why; always needed"), EXPECT),
        one_of=(("--reason",),),
    ),
    "restore": Verb(
        summary="bring a forgotten memory back",
        run="varves.cli.memories:restore",
        example="varves restore mem_4k2m9x7q1c5d",
        positionals=("ID",),
        options=(EXPECT,),
    ),
    "undo": Verb(
        summary="reverse an event's effect by another event",
        run="varves.cli.history:undo",
        example="varves undo",
        positionals=("EVENT?",),
        note="Without EVENT: your last one in this session; where there is none, candidates.",
    ),
    "share": Verb(
        summary="put private memories into the project's log",
        run="varves.cli.memories:share",
        example="varves share mem_4k2m9x7q1c5d",
        positionals=("ID...",),
    ),
    "trust": Verb(
        summary="take memories of untrusted origin into default recall",
        run="varves.cli.consent:trust",
        example="varves trust mem_4k2m9x7q1c5d",
        positionals=("ID...?",),
        options=(("--settings", "flag", "", "agree to what this project's settings ask for"), YES),
        one_of=(("ID...", "--settings"),),
        note="Asks on a terminal; elsewhere it needs --yes, and is the agent's act.",
    ),
    "purge": Verb(
        summary="erase what a memory says, for good; its id is barred",
        run="varves.cli.consent:purge",
        example='varves purge mem_4k2m9x7q1c5d --reason "asked to be forgotten"',
        positionals=("ID",),
        options=(("--reason", "value", "R", "why; it is kept, so leave names out"), YES),
        one_of=(("--reason",),),
        note=(
            "Erases in every file of this checkout and says what git still holds, with the"
            " command that rewrites it. Asks on a terminal; elsewhere it needs --yes."
        ),
    ),
    "conflicts": Verb(
        summary="what waits for a decision",
        run="varves.cli.history:conflicts",
        example="varves conflicts",
        reads=True,
    ),
    "conflicts resolve": Verb(
        summary="decide one conflict",
        run="varves.cli.history:resolve",
        example="varves conflicts resolve cfl_4k2m9x7q1c5d --keep mem_4k2m9x7q1c5d",
        positionals=("CID",),
        options=(
            ("--keep", "value", "ID", "this memory stands; all: they only look alike"),
            ("--merge", "value", "TEXT", "this text stands for all of them"),
            ("--delete", "value", "ID", "this memory goes"),
        ),
        one_of=(("--keep", "--merge", "--delete"),),
    ),
    "log": Verb(
        summary="events in order",
        run="varves.cli.history:log",
        example="varves log --since 2026-11-01 --kind memory.recorded",
        options=(
            ("--since", "value", "W", "an instant, or how long ago, such as 2d"),
            ("--until", "value", "W", "an instant, or how long ago, such as 2d"),
            ("--kind", "repeat", "K", "only events of this kind"),
            ("--actor", "value", "A", "only events of this actor"),
            ("--follow", "flag", "", "go on with events as they arrive"),
        ),
        reads=True,
        note=(
            "With --follow, --json prints one document for each event, a line each."
            " After the verb --actor chooses events; before it, it says who acts."
        ),
    ),
    "export": Verb(
        summary="memories out: their events, or Markdown",
        run="varves.cli.transfer:export",
        example="varves export --format markdown",
        options=(
            ("--format", "choice", "jsonl|markdown", "jsonl: the events as they stand"),
            SCOPE,
            ("--private", "flag", "", "private memories too"),
        ),
    ),
    "import": Verb(
        summary="take in an export, or another tool's folder",
        run="varves.cli.transfer:import_file",
        example="varves import jsonl memories.jsonl --dry-run",
        positionals=("FORMAT", "PATH"),
        options=(
            ("--trust", "flag", "", "of jsonl the events as they stand; else out of quarantine"),
            ("--dry-run", "flag", "", "say what would come in and write nothing"),
            SECRET,
        ),
        note=(
            "FORMAT is jsonl, what varves export wrote, hivemind, a folder of such files, or"
            " changelog, a log of events in Markdown."
            " Without --trust only what they say comes in, and waits in quarantine until trusted,"
            " unless this repository tracks the file. A purged id never comes in."
        ),
    ),
    "status": Verb(
        summary="what the ledger holds, and what needs attention",
        run="varves.cli.upkeep:status",
        example="varves status --verbose",
        options=(("--verbose", "flag", "", "print every field, with paths and counts"),),
    ),
    "verify": Verb(
        summary="is the log whole",
        run="varves.cli.upkeep:verify",
        example="varves verify --deep",
        options=(("--deep", "flag", "", "ask for the canonical form of every line too"),),
        note="The exit code is 1 when something is damaged.",
    ),
    "rebuild": Verb(
        summary="remake everything derived",
        run="varves.cli.upkeep:rebuild",
        example="varves rebuild",
    ),
    "pack": Verb(
        summary="fold closed segments together",
        run="varves.cli.upkeep:pack",
        example="varves pack --dry-run",
        options=(("--dry-run", "flag", "", "say what would be packed and leave it"),),
        note=(
            "Only what a later segment closed is packed, and in a work tree only what HEAD holds."
            " Commit the packs and the removed segments together."
        ),
    ),
    "doctor": Verb(
        summary="does the installation work",
        run="varves.cli.upkeep:doctor",
        example="varves doctor",
        options=(
            ("--fix", "flag", "", "mend what can be mended, saying first what that is"),
            ("--restore", "flag", "", "bring back what git removed"),
            ("--dry-run", "flag", "", "with --fix: only say it"),
        ),
        note="The exit code is 1 when something was found, or could not be mended.",
    ),
}


def table_of(verb: str) -> dict[str, Verb]:
    """Return the table a verb stands in, which its first word tells."""
    first = verb.partition(" ")[0]
    if first not in PROTOCOLS and first not in HOSTED:
        return VERBS
    name = "hosts" if first in HOSTED else first
    table: dict[str, Verb] = __import__(f"varves.cli.{name}_table", fromlist=("VERBS",)).VERBS
    return table


def shape_of(verb: str) -> Verb:
    """Return a verb's row."""
    return table_of(verb)[verb]


def is_begun(verb: str) -> bool:
    """Tell whether words are the beginning of protocol verbs, and no verb yet."""
    table = table_of(verb)
    return table is not VERBS and verb not in table and any(_under(verb, name) for name in table)


def _under(begun: str, verb: str) -> bool:
    return verb.startswith(f"{begun} ")


def verbs_under(begun: str) -> list[str]:
    """Return the verbs that begin with some words."""
    return [verb for verb in table_of(begun) if _under(begun, verb)]


def every_verb() -> dict[str, Verb]:
    """Return all tables as one; it loads what a single verb would not."""
    tables = [VERBS, table_of(HOSTED[0]), *(table_of(protocol) for protocol in PROTOCOLS)]
    return {verb: shape for table in tables for verb, shape in table.items()}

"""The verbs for coding agents, as plain data."""

from __future__ import annotations

from varves.cli.table import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

CLIENT: Option = ("--client", "repeat", "NAME", "this agent; default auto: all that are found")
SCOPE: Option = ("--scope", "choice", "user|project", "for this user, the default, or this project")

VERBS: dict[str, Verb] = {
    "hook": Verb(
        summary="answer a coding agent's hook: its JSON on stdin, its own form on stdout",
        run="varves.hosts.hook:run",
        example="varves hook UserPromptSubmit --client claude",
        positionals=("EVENT?",),
        options=(
            (
                "--client",
                "value",
                "NAME",
                "claude, codex, gemini, copilot, cursor, opencode or goose; default: as it looks",
            ),
        ),
        note=(
            "EVENT is the agent's own name of the moment. Whatever goes wrong, the exit code is 0,"
            " nothing is on stdout, and a line is in .git/varves/local/hooks.log, or in"
            " local/hooks.log of the user's folder where there is no ledger."
        ),
    ),
    "mcp": Verb(
        summary="serve this memory to a coding agent over MCP, on stdin and stdout",
        run="varves.mcp.stdio:verb",
        example="varves mcp --http --port 8737",
        options=(
            ("--http", "flag", "", "serve HTTP on 127.0.0.1 instead; needs varves[mcp]"),
            ("--port", "int", "N", "the port of --http, by default 8737; 0: any free one"),
        ),
        note=(
            "varves install enters it where agents look. Speaks every version from 2024-11-05 to"
            " 2026-07-28. The project is --root, else VARVES_ROOT, what the agent names"
            " (CLAUDE_PROJECT_DIR and the like), or the current folder; the actor is --actor, else"
            " VARVES_ACTOR or the client's name. Over HTTP every request carries `Authorization:"
            " Bearer` and the token of the file it names."
        ),
    ),
    "install": Verb(
        summary="put us into the settings of coding agents: hooks and server",
        run="varves.cli.install:install",
        example="varves install --dry-run",
        options=(CLIENT, SCOPE, ("--dry-run", "flag", "", "show the change and make none")),
        note=(
            "Shows each change, touches only keys of ours, keeps a copy of each file, and does"
            " nothing the second time. --scope project writes files that others get by git, and"
            " makes the ledger where there is none. NAME is claude-code, codex, gemini, copilot,"
            " opencode, goose or cursor; auto finds those on this machine."
        ),
    ),
    "uninstall": Verb(
        summary="take us out of those settings again, without a trace",
        run="varves.cli.install:uninstall",
        example="varves uninstall --client codex",
        options=(CLIENT, SCOPE, ("--dry-run", "flag", "", "show the change and make none")),
        note="The ledger and what is remembered stay.",
    ),
}

"""The verbs for coding agents, and for people who look, as plain data."""

from __future__ import annotations

from varves.cli.table import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

CLIENT: Option = ("--client", "repeat", "NAME", "the agent; default auto: every agent found")
SCOPE: Option = ("--scope", "choice", "user|project", "for this user (default) or this project")

VERBS: dict[str, Verb] = {
    "hook": Verb(
        summary="answer a coding agent's hook: JSON on stdin, the agent's format on stdout",
        run="varves.hosts.hook:run",
        example="varves hook UserPromptSubmit --client claude",
        positionals=("EVENT?",),
        options=(
            (
                "--client",
                "value",
                "NAME",
                "claude, codex, gemini, copilot, cursor, opencode or goose; default: detected",
            ),
        ),
        note=(
            "EVENT is the agent's name for the hook. If anything fails, the exit code is 0, stdout"
            " is empty, and the error is written to .git/varves/local/hooks.log, or, without a"
            " ledger, to local/hooks.log in the user's folder."
        ),
    ),
    "mcp": Verb(
        summary="serve this memory to a coding agent over MCP, on stdin and stdout",
        run="varves.mcp.stdio:verb",
        example="varves mcp --http --port 8737",
        options=(
            ("--http", "flag", "", "serve HTTP on 127.0.0.1 instead; needs varves[mcp]"),
            ("--port", "int", "N", "the port of --http; default 8737; 0: any free port"),
        ),
        note=(
            "varves install registers the server with agents. It supports every protocol version"
            " from 2024-11-05 to 2026-07-28. The project is the first of these that is set:"
            " --root, VARVES_ROOT, the folder that the agent names (such as CLAUDE_PROJECT_DIR),"
            " the current folder. The actor is the first of --actor, VARVES_ACTOR and the client's"
            " name. HTTP requests need the"
            " header `Authorization: Bearer` with the token in the file whose path the"
            " server prints."
        ),
    ),
    "ui": Verb(
        summary="show the memory in a web browser, on this machine only",
        run="varves.cli.ui:ui",
        example="varves ui --no-open",
        options=(
            ("--port", "int", "N", "the port; default: any free port"),
            ("--read-only", "flag", "", "show everything and change nothing"),
            ("--no-open", "flag", "", "do not open a browser; print the address only"),
            ("--export", "value", "DIR", "write the pages as files into a folder, and end"),
            ("--limit", "int", "N", "with --export: the newest N memories; default 1000"),
            ("--private", "flag", "", "with --export: also what git does not publish"),
        ),
        note=(
            "Needs varves[ui]. The first line is the address, with a token that works once. Only"
            " this machine can connect, and only a browser that opened this address. What a person"
            " changes there is recorded as their own act, and can be undone."
        ),
    ),
    "install": Verb(
        summary="add varves to the settings of coding agents: hooks and server",
        run="varves.cli.install:install",
        example="varves install --dry-run",
        options=(CLIENT, SCOPE, ("--dry-run", "flag", "", "show the change and write nothing")),
        note=(
            "Shows each change, writes only its own keys and keeps a copy of each file. A"
            " second run"
            " changes nothing. --scope project writes files that others receive through git, and"
            " creates the ledger if it is missing. NAME is claude-code, codex, gemini, copilot,"
            " opencode, goose or cursor; auto finds those on this machine."
        ),
    ),
    "uninstall": Verb(
        summary="remove varves from the settings of coding agents",
        run="varves.cli.install:uninstall",
        example="varves uninstall --client codex",
        options=(CLIENT, SCOPE, ("--dry-run", "flag", "", "show the change and write nothing")),
        note="The ledger and its memories are kept.",
    ),
}

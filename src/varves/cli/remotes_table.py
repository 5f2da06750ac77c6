"""The verbs that keep logs in other places too."""

from __future__ import annotations

from varves.cli.table import YES, Verb

VERBS: dict[str, Verb] = {
    "remote add": Verb(
        summary="add a place that also keeps logs of this checkout",
        run="varves.cli.remotes:add",
        example="varves remote add team postgresql://db.internal/memory#shop",
        positionals=("NAME", "URL"),
        options=(
            ("--log", "repeat", "LOG", "project, team, private or global; default project, team"),
            ("--when", "choice", "session|write|both|manual", "when it is used; default session"),
            YES,
        ),
        note=(
            "URL is postgresql://HOST/DATABASE, git:REMOTE or file:DIR; #LEDGER at its end names"
            " the ledger there, by default it is the name of this folder. Nothing is sent yet. The"
            " address is kept in the user's folder, never in the repository. Private and global"
            " memories are kept there only if --log names them."
        ),
    ),
    "remote list": Verb(
        summary="list the remotes of this checkout",
        run="varves.cli.remotes:listing",
        example="varves remote list",
    ),
    "remote remove": Verb(
        summary="remove a remote from this checkout; nothing on the remote changes",
        run="varves.cli.remotes:remove",
        example="varves remote remove team",
        positionals=("NAME",),
    ),
    "push": Verb(
        summary="send to a remote what it lacks",
        run="varves.cli.remotes:push",
        example="varves push team",
        positionals=("NAME?",),
        note="Without NAME, all remotes of this checkout are used. A repetition sends nothing.",
    ),
    "pull": Verb(
        summary="get from a remote what this clone lacks",
        run="varves.cli.remotes:pull",
        example="varves pull team",
        positionals=("NAME?",),
        options=(
            ("--follow", "flag", "", "go on: pull whenever another clone has pushed to NAME"),
        ),
        note="Without NAME, all remotes of this checkout are used.",
    ),
    "sync": Verb(
        summary="pull and push",
        run="varves.cli.remotes:sync",
        example="varves sync",
        positionals=("NAME?",),
        note="Without NAME, all remotes of this checkout are used.",
    ),
    "clone": Verb(
        summary="make a new ledger from a remote",
        run="varves.cli.remotes:clone",
        example="varves clone postgresql://ada@db.internal/memory#shop shop",
        positionals=("URL", "DIR"),
        note=(
            "DIR must be missing or empty. The remote is named origin there. Without #LEDGER, the"
            " remote must have exactly one ledger that you may read."
        ),
    ),
    "team init": Verb(
        summary="make the tables and a ledger in a PostgreSQL database",
        run="varves.cli.remotes:team_init",
        example="varves team init postgresql://admin@db.internal/memory#shop",
        positionals=("URL",),
        note=(
            "The role needs the rights to create a schema and roles; it need not be a superuser."
            " A repetition changes nothing."
        ),
    ),
    "team add": Verb(
        summary="let a person read a ledger in PostgreSQL, or also write it",
        run="varves.cli.remotes:team_add",
        example="varves team add postgresql://admin@db.internal/memory#shop ada --write",
        positionals=("URL", "MEMBER"),
        options=(("--write", "flag", "", "the person may also write"),),
        note="If the role is new, its password is printed once and stored nowhere.",
    ),
    "team remove": Verb(
        summary="take a person's rights to a ledger in PostgreSQL",
        run="varves.cli.remotes:team_remove",
        example="varves team remove postgresql://admin@db.internal/memory#shop ada",
        positionals=("URL", "MEMBER"),
    ),
    "team upgrade": Verb(
        summary="bring the tables in a PostgreSQL database to this version",
        run="varves.cli.remotes:team_upgrade",
        example="varves team upgrade postgresql://admin@db.internal/memory",
        positionals=("URL",),
    ),
    "team status": Verb(
        summary="show the ledgers in a PostgreSQL database that you may read",
        run="varves.cli.remotes:team_status",
        example="varves team status postgresql://ada@db.internal/memory",
        positionals=("URL",),
    ),
}

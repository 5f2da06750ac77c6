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
        note="Without NAME, all remotes of this checkout are used.",
    ),
    "sync": Verb(
        summary="pull and push",
        run="varves.cli.remotes:sync",
        example="varves sync",
        positionals=("NAME?",),
        note="Without NAME, all remotes of this checkout are used.",
    ),
}

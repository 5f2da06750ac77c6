"""A log of events in Markdown is imported: read here, understood by the protocol."""

from __future__ import annotations

import os

from varves.errors import Refused, UsageError
from varves.transfer.trees import LARGEST, Acts
from varves.values.answers import Imported, RefusedLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.layers.verbs import Layers
    from varves.transfer.trees import ImportWish


def bring_log(one: Layers, wish: ImportWish) -> Imported:
    """Take a log in, or only say what would come of it."""
    from varves.protocols.layers.adopting import LOG
    from varves.protocols.layers.foreign import Source, own_act, take_log
    from varves.protocols.layers.options import options

    core: Any = one.core
    name = os.path.basename(wish.path)
    own = os.path.realpath(wish.path) == os.path.realpath(os.path.join(core.root, LOG))
    source = Source(name=name, content=_read(wish.path), own=own, secret=wish.secret)

    def run() -> Imported:
        act = Acts(core, wish).of(name)
        if own:
            act = own_act(core.act(), act.actor if act.origin == "repo" else None)
        taken = take_log(core, source, act, options=options(core.table), dry_run=wish.dry_run)
        refused = [
            RefusedLine(line=line, code=code, message=message)
            for line, code, message in taken.refused
        ]
        return Imported(
            written=taken.written,
            known=taken.known,
            refused=tuple(refused),
            mappings=taken.mappings,
        )

    answer: Imported = core.during(one.codec, run, writes=not wish.dry_run)
    return answer


def _read(path: str) -> bytes:
    if os.path.islink(path) or not os.path.isfile(path):
        raise UsageError(f"no file {path}", "name the Markdown file that holds the events")
    if os.path.getsize(path) > LARGEST:
        raise Refused(f"{path} has more than 100 MiB", "import it in parts")
    with open(path, "rb") as file:
        return file.read()

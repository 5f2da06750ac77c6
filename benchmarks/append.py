"""What one durable memory costs, beside a bare write and sync of the same bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import Writer
from benchmarks.measure import interleave
from benchmarks.row import Row, compared
from varves.events.event import Draft
from varves.events.kinds import RECORDED
from varves.log.files.appenders import Appenders
from varves.places.places import Places
from varves.places.store import Files
from varves.settings import load
from varves.values.ids import IdSource
from varves.values.instants import Hlc, SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.scene import Scene

AT_MOST = 1.5
TEXT_BYTES = 300
WARM = 200  # memories in the ledger before anything is timed


def run(scene: Scene) -> list[Row]:
    """Measure the log's append, and the whole `remember` around it."""
    rounds = scene.size(1500, 300)
    root = scene.project("append")
    texts = iter([padded(text) for text in Writer(1).texts(WARM + 4 * rounds)])
    with varves.open(root) as ledger:
        for _ in range(WARM):
            last = ledger.remember(next(texts))
        scene.settle(root)
        line = _line(root, str(last.event))
        bare, close = _bare(os.path.dirname(line[0]), line[1])
        append = log_alone(scene.project("append-log"))
        found = interleave(
            {
                "remember": lambda: ledger.remember(next(texts)),
                "bare": bare,
                "log": lambda: append(next(texts)),
            },
            rounds=rounds,
            warmup=20,
        )
        close()
    size = f"{len(line[1])}-byte line"
    return [
        compared(
            f"durable append, log level, against write + fsync ({size})",
            found["log"],
            found["bare"],
            at_most=AT_MOST,
        ),
        compared(
            "a whole `remember`: options, masking, look-ups, append",
            found["remember"],
            found["bare"],
        ),
    ]


def padded(text: str) -> str:
    """Return a text of the size that is asked for."""
    more = (
        " The rest of this note says in which file it was seen, by whom, and what was tried before"
    )
    while len(text) < TEXT_BYTES:
        text += more
    return text[:TEXT_BYTES]


def _line(root: str, event: str) -> tuple[str, bytes]:
    """Find the stored line of an event, and its file."""
    for folder, _, names in os.walk(f"{root}/.varves/log"):
        for name in names:
            with open(f"{folder}/{name}", "rb") as file:
                for line in file:
                    if event.encode("ascii") in line:
                        return f"{folder}/{name}", line
    raise RuntimeError(f"{event} is not in the log")


def _bare(folder: str, content: bytes) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return a bare append of these bytes to a file in this folder, and its end."""
    path = f"{folder}/bare"
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)

    def append() -> None:
        os.write(handle, content)
        os.fsync(handle)

    def close() -> None:
        os.close(handle)
        os.unlink(path)

    return append, close


def log_alone(root: str) -> Callable[[str], str]:
    """Return an append without command, redaction and look-up, in a log of its own."""
    settings = load(root)
    clock, ids = SystemClock(), IdSource()
    places = Places(settings.root, settings.home, teams={}, files=Files)
    appender = Appenders(places, Hlc(clock), ids).to("project")

    def append(text: str) -> str:
        content = {"memory": ids.memory(), "text": text, "scope": "project"}
        return appender.append([Draft(kind=RECORDED, data=content, actor="USER")])[0].id

    return append

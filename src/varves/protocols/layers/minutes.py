"""The order of events of one minute, which headings do not tell and the ledgers do.

Git's merge driver knows only the headings. So after a merge, events that two branches appended in
the same minute may be in the wrong order, and the later one would not count. Queries are answered
as if they were in the order in which the ledgers recorded them, and the next verb that writes puts
them in that order. An event that a person moved stays where it is.
"""

from __future__ import annotations

from varves.events.kinds import LOG_AMENDED, LOGGED
from varves.protocols.layers.known import LOG
from varves.protocols.layers.parser import parse
from varves.protocols.layers.times import minute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Core

_FULL = len("YYYY-MM-DD HH:MM")
_MS = 12  # hexadecimal digits of a stamp that are its milliseconds


def in_order(core: Core, log: Changelog, options: LayersOptions) -> Changelog:
    """Return a log whose events of one minute are in the order in which they were recorded."""
    if log.markers or log.unclosed is not None or log.skipped:
        return log
    runs = [run for run in _runs(log.ordered) if len(run) > 1]
    stamps = _stamps(core, [block.name for run in runs for block in run]) if runs else {}
    swaps: dict[str, Block] = {}
    for run in runs:
        due = _due(core, run, stamps, options)
        swaps |= {block.name: other for block, other in zip(run, due, strict=True)}
    if all(name == other.name for name, other in swaps.items()):
        return log
    parts = [log.preamble]
    for block in log.blocks:
        parts += (swaps.get(block.name, block).raw, block.gap)
    made = parse("".join((*parts, log.footer)).encode("utf-8"))
    wanted = [swaps.get(block.name, block).digest for block in log.blocks]
    return made if [block.digest for block in made.blocks] == wanted else log


def put_in_order(core: Core, options: LayersOptions) -> None:
    """Write the log with its events of one minute in the order in which they were recorded."""
    content = core.tree.read(LOG)
    log = parse(content or b"")
    made = in_order(core, log, options)
    if made is not log and content is not None:
        core.tree.replace(LOG, made.content, seen=content)
        core.notes.append(f"{LOG}: events of one minute that a merge joined are in order now")


def _runs(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the events of each minute, if they follow each other."""
    run: list[Block] = []
    for block in blocks:
        if run and (block.time != run[-1].time or len(block.time) != _FULL):
            yield run
            run = []
        run.append(block)
    yield run


def _stamps(core: Core, names: Sequence[str]) -> dict[str, str]:
    """Return when each of some entries was recorded first."""
    return {
        name: next((place[0] for kind, place in steps if kind == LOGGED), "")
        for name, steps in core.steps(names).items()
    }


def _due(
    core: Core, run: list[Block], stamps: dict[str, str], options: LayersOptions
) -> list[Block]:
    """Return the events of one minute in the order in which they were recorded."""
    due = sorted(run, key=lambda block: stamps[block.name])
    if due == run or not all(_appended(block, stamps[block.name], options) for block in run):
        return run
    places = {block.name: place for place, block in enumerate(run)}
    for block in run:
        memory = core.memory(block.name)
        before = None if memory is None else places.get(str(memory.extra.get("after")))
        if memory is None or (before is not None and before > places[block.name]):
            return run  # a person moved it
    moved = {event.data["memory"] for event in core.events(LOG_AMENDED) if "after" in event.data}
    return run if moved & places.keys() else due


def _appended(block: Block, stamp: str, options: LayersOptions) -> bool:
    """Return whether an event was recorded in the minute of its heading."""
    return bool(stamp) and minute(int(stamp[:_MS], 16), options.zone) == block.time

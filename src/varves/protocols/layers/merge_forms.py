"""How git's merge driver merges logs of events and the views made from them.

Only the events that a side added belong to the protocol: they are put in order, and every version
gets them. Git then merges the text around the events, and changes of older events, as text.
"""

from __future__ import annotations

from varves.protocols.threeway import Form, Versions, keep_ours
from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.layers.blocks import Changelog

_LOGS = ("CHANGELOG.md", "CHANGELOG-archive.md")
_VIEWS = (".memory/graph.md", ".memory/context.md")


def _settled(versions: Versions) -> Versions:
    from varves.errors import Refused
    from varves.protocols.layers.merge import added, interleaved, with_events

    try:
        origin, ours, theirs = (
            _read(one) for one in (versions.origin, versions.ours, versions.theirs)
        )
        if not (ours.is_log and theirs.is_log):
            raise Unreadable("it is not a log of events")
        if len({ours.newest_first, theirs.newest_first}) > 1:
            raise Unreadable("only one side begins with the newest event")
        fresh = [added(origin, side) for side in (ours, theirs)]
        events = interleaved(*fresh)
        newline = ours.newline if not versions.origin else origin.newline
        made = [
            with_events(one, own, events, newline=newline)
            for one, own in zip((origin, ours, theirs), ((), *fresh), strict=True)
        ]
    except Refused as fault:
        raise Unreadable(fault.message) from None
    return Versions(origin=made[0] if versions.origin else b"", ours=made[1], theirs=made[2])


def _read(content: bytes) -> Changelog:
    from varves.protocols.layers.parser import parse

    log = parse(content)
    if log.markers or log.unclosed is not None:
        raise Unreadable("it has conflict markers, or code that is never closed")
    return log


FORMS = (
    Form(patterns=_LOGS, fits=lambda path: path in _LOGS, settled=_settled),
    Form(patterns=_VIEWS, fits=lambda path: path in _VIEWS, settled=keep_ours),
)

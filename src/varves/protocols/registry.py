"""The five protocols by name; each is imported at its first use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.protocols.moments import ClientSession, Moments
    from varves.protocols.protocol import PublishedProtocol


def find_protocol(name: str) -> type[PublishedProtocol]:
    """Return the protocol with this name, one of `values.written.PROTOCOLS`."""
    return _PROTOCOLS[name]()


def find_moments(name: str) -> Callable[[ClientSession], Moments] | None:
    """Return the factory of a protocol's moments; None if hooks do not drive it."""
    find = _MOMENTS.get(name)
    return None if find is None else find()


def _party() -> type[PublishedProtocol]:
    from varves.protocols.party.verbs import Party

    return Party


def _layers() -> type[PublishedProtocol]:
    from varves.protocols.layers.verbs import Layers

    return Layers


def _scoped() -> type[PublishedProtocol]:
    from varves.protocols.scoped.verbs import Scoped

    return Scoped


def _hivemind() -> type[PublishedProtocol]:
    from varves.protocols.hivemind.verbs import Hivemind

    return Hivemind


def _deliberation() -> type[PublishedProtocol]:
    from varves.protocols.deliberation.verbs import Deliberation

    return Deliberation


def _scoped_moments() -> Callable[[ClientSession], Moments]:
    from varves.protocols.scoped.moments import ScopedMoments

    return ScopedMoments


def _hivemind_moments() -> Callable[[ClientSession], Moments]:
    from varves.protocols.hivemind.moments import HivemindMoments

    return HivemindMoments


def _deliberation_moments() -> Callable[[ClientSession], Moments]:
    from varves.protocols.deliberation.moments import DeliberationMoments

    return DeliberationMoments


_PROTOCOLS = {
    "party": _party,
    "layers": _layers,
    "scoped": _scoped,
    "hivemind": _hivemind,
    "deliberation": _deliberation,
}
_MOMENTS = {
    "scoped": _scoped_moments,
    "hivemind": _hivemind_moments,
    "deliberation": _deliberation_moments,
}

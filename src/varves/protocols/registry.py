"""The five protocols by name; each is imported at its first use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.protocols.moments import ClientSession, Moments
    from varves.protocols.protocol import PublishedProtocol
    from varves.protocols.threeway import Form


def find_protocol(name: str) -> type[PublishedProtocol]:
    """Return the protocol with this name, one of `values.written.PROTOCOLS`."""
    return _PROTOCOLS[name]()


def find_moments(name: str) -> Callable[[ClientSession], Moments] | None:
    """Return the factory of a protocol's moments; None if hooks do not drive it."""
    find = _MOMENTS.get(name)
    return None if find is None else find()


def find_forms(name: str) -> tuple[Form, ...]:
    """Return the forms of a protocol's published files that git's merge driver merges."""
    forms: tuple[Form, ...] = _FORMS[name]() if name in _FORMS else ()
    return forms


def find_form(path: str) -> Form | None:
    """Return the form of a published file; the path may begin with other folders.

    A protocol is imported only if those before it do not know the path.
    """
    parts = path.split("/")
    places = ["/".join(parts[start:]) for start in range(len(parts))]
    for name in _FORMS:
        for form in find_forms(name):
            if any(map(form.fits, places)):
                return form
    return None


def _scoped_forms() -> tuple[Form, ...]:
    from varves.protocols.scoped.merge_forms import FORMS

    return FORMS


def _hivemind_forms() -> tuple[Form, ...]:
    from varves.protocols.hivemind.merge_forms import FORMS

    return FORMS


def _layers_forms() -> tuple[Form, ...]:
    from varves.protocols.layers.merge_forms import FORMS

    return FORMS


def _party_forms() -> tuple[Form, ...]:
    from varves.protocols.party.merge_forms import FORMS

    return FORMS


def _prompt_forms() -> tuple[Form, ...]:
    from varves.protocols.scoped.merge_forms import PROMPT

    return (PROMPT,)


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


_FORMS = {  # deliberation's files are ignored by git
    "scoped": _scoped_forms,
    "hivemind": _hivemind_forms,
    "layers": _layers_forms,
    "party": _party_forms,
    "prompt files": _prompt_forms,  # last: a prompt file may have any path
}
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

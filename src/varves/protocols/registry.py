"""The five protocols by name; each is imported at its first use."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.protocols.moments import ClientSession, Moments
    from varves.protocols.protocol import PublishedProtocol
    from varves.protocols.threeway import Form

_PROTOCOLS = {
    "party": "party.verbs:Party",
    "layers": "layers.verbs:Layers",
    "scoped": "scoped.verbs:Scoped",
    "hivemind": "hivemind.verbs:Hivemind",
    "deliberation": "deliberation.verbs:Deliberation",
}
# the top folder of a protocol's files, unless its settings name another one
_TOPS = {
    "party": "_mdan",
    "scoped": "memory",
    "hivemind": "memory",
    "deliberation": "deliberations",
}
_MOMENTS = {
    "scoped": "scoped.moments:ScopedMoments",
    "hivemind": "hivemind.moments:HivemindMoments",
    "deliberation": "deliberation.moments:DeliberationMoments",
}
_FORMS = {  # deliberation's files are ignored by git
    "scoped": "scoped.merge_forms:FORMS",
    "hivemind": "hivemind.merge_forms:FORMS",
    "layers": "layers.merge_forms:FORMS",
    "party": "party.merge_forms:FORMS",
    "prompt files": "scoped.merge_forms:PROMPTS",  # last: a prompt file may have any path
}


def find_protocol(name: str) -> type[PublishedProtocol]:
    """Return the protocol with this name, one of `values.written.PROTOCOLS`."""
    found: type[PublishedProtocol] = _found(_PROTOCOLS[name])
    return found


def find_top(name: str) -> str | None:
    """Return the top folder of a protocol's files, without importing the protocol.

    None for a protocol whose files have no folder of their own.
    """
    return _TOPS.get(name)


def find_moments(name: str) -> Callable[[ClientSession], Moments] | None:
    """Return the factory of a protocol's moments; None if hooks do not drive it."""
    return _found(_MOMENTS[name]) if name in _MOMENTS else None


def find_forms(name: str) -> tuple[Form, ...]:
    """Return the forms of a protocol's published files that git's merge driver merges."""
    return _found(_FORMS[name]) if name in _FORMS else ()


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


def _found(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"varves.protocols.{module}"), name)

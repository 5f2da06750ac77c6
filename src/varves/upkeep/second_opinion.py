"""Checks memories for secrets with the package detect-secrets, if it is installed.

Masking before a write uses rules of our own, because it must be fast and must not fail. This check
finds secrets that those rules missed; only `doctor` runs it. Code that runs during a write must not
import this module, because the detector takes longer than the write.
"""

from __future__ import annotations

from itertools import islice

from varves.index.where import Where
from varves.values.answers import Finding
from varves.values.memory import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.context.context import Context
    from varves.values.memory import Memory

ABSENT = "no second opinion on secrets: detect-secrets is not installed (pip install varves[audit])"

# Plugins of the detector that are not used. The entropy plugins report nearly every note with an id
# or a hash. The keyword plugin reports any sentence with `password: …`. An IP address is not a
# secret.
_LOOSE = {
    "Base64HighEntropyString",
    "HexHighEntropyString",
    "IPPublicDetector",
    "KeywordDetector",
}
_TOGETHER = 200  # the number of memories that are checked together, because few contain a secret


def notes() -> tuple[str, ...]:
    """Return one line if the detector of secrets is not installed; otherwise ()."""
    from importlib.util import find_spec

    return () if find_spec("detect_secrets") is not None else (ABSENT,)


def second_opinion(context: Context) -> list[Finding]:
    """Return a finding for each memory with a secret found by the detector, with its kind."""
    if notes():
        return []
    plugins = _plugins()
    found: list[Finding] = []
    stored = iter(context.fresh().index.memories(Where()))
    while texts := {one.id: _text(one) for one in islice(stored, _TOGETHER)}:
        if suspected("\n".join(texts.values()), plugins):
            found += [
                _finding(name, kind)
                for name in texts
                for kind in sorted(suspected(texts[name], plugins))
            ]
    return found


def _text(memory: Memory) -> str:
    """Return all free text of a memory."""
    held = memory.as_dict()
    return "\n".join(str(held[name]) for name, row in FIELDS.items() if row.free and held[name])


def _finding(name: str, kind: str) -> Finding:
    message = f"contains a secret according to detect-secrets: {kind}"
    fix = f'revoke it, then varves purge {name} --reason "…"; or keep it, if it is not a secret'
    return Finding(rule="secret?", place=name, message=message, fix=fix)


def suspected(text: str, plugins: list[Any] | None = None) -> set[str]:
    """Return the kinds of secret that the detector finds in a text."""
    plugins = _plugins() if plugins is None else plugins
    return {
        plugin.secret_type for plugin in plugins if any(True for _ in plugin.analyze_string(text))
    }


def _plugins() -> list[Any]:
    """Load the detector's plugins without `requests`, so that they cannot send findings."""
    import sys
    from types import ModuleType

    offline = "requests" not in sys.modules
    if offline:
        absent = ModuleType("requests")
        vars(absent)["__getattr__"] = lambda _name: object  # this name is used in annotations only
        sys.modules["requests"] = absent
    try:
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

        kinds: Iterable[type[Any]] = get_mapping_from_secret_type_to_class().values()
    finally:
        if offline:
            del sys.modules["requests"]
    return [kind() for kind in kinds if kind.__name__ not in _LOOSE]

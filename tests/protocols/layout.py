"""Where each protocol's files lie in a project (the published layout), and whose a file is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.protocols.layers.conftest import LOG

if TYPE_CHECKING:
    from pathlib import Path

FIVE = ("scoped", "hivemind", "party", "layers", "deliberation")
STATE = "_mdan/state/MDAN-STATE.json"


def sidecar(agent: str) -> str:
    """Return the path of an agent's sidecar."""
    return f"_mdan/state/sidecars/{agent}.sidecar.json"


def owner(path: str) -> str | None:
    """Return the protocol whose file a path is; None for the core's and nobody's."""
    if path.startswith("_mdan/"):
        return "party"
    if path.startswith("deliberations/"):
        return "deliberation"
    if path.startswith(".memory/") or path == LOG:
        return "layers"
    if path.startswith("memory/"):
        return "scoped" if path.endswith("/memory.json") else "hivemind"
    return None


def files(root: Path) -> dict[str, bytes]:
    """Return the files of all protocols by path, ignore files left out."""
    found = {}
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", ".varves")]
        for name in names:
            path = os.path.relpath(os.path.join(place, name), root)
            if owner(path) and name != ".gitignore":
                found[path] = (root / path).read_bytes()
    return found

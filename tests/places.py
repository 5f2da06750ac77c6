"""Where a checkout keeps its local files, worked out from the documentation alone."""

from __future__ import annotations

import shutil
from pathlib import Path


def local_of(root: Path | str) -> Path:
    """Return the local folder of a ledger: beside git's own files, else in the ledger."""
    root = Path(root)
    for top in (root, *root.parents):
        dot = top / ".git"
        if not dot.exists():
            continue
        if dot.is_file():
            dot = top / dot.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        below = "" if top == root else str(root.relative_to(top))
        return dot / "varves" / "local" / below.replace("%", "%25").replace("/", "%2F")
    return root / ".varves" / "local"


def forget_local(root: Path | str) -> None:
    """Delete all that may be deleted at any time: the local folder, lanes and locks."""
    for folder in (local_of(root), Path(root) / ".varves" / "local"):
        shutil.rmtree(folder, ignore_errors=True)

"""A project's settings, written and agreed to by whoever works in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import varves

if TYPE_CHECKING:
    import os


def agree(root: os.PathLike[str] | str, home: os.PathLike[str] | str | None = None) -> None:
    """Agree to what the settings of a project ask for, as `varves trust --settings` does."""
    with varves.open(root, home=home) as ledger:
        ledger.trust_settings()


def write_settings(
    root: os.PathLike[str] | str, text: str, home: os.PathLike[str] | str | None = None
) -> None:
    """Write the settings of a project, and agree to them."""
    path = Path(root) / ".varves/settings.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    agree(root, home)

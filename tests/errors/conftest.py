from __future__ import annotations

from tests.security.conftest import cli

__all__ = ["cli"]

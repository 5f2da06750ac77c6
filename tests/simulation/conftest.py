"""Asserts in the machine tell what they compared."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    "tests.git.scene", "tests.simulation.machine", "tests.simulation.model"
)

"""A project in which a protocol holds a few records, and a person with an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.protocols.edits.scene import BOTH

if TYPE_CHECKING:
    from collections.abc import Callable

START = "2026-11-15T08:00:00Z"
NEXT = "2026-11-15T09:00:00Z"
LATER = "2026-11-15T10:00:00Z"


@pytest.fixture(params=BOTH, ids=lambda protocol: protocol.name)
def protocol(request: pytest.FixtureRequest) -> Any:
    """Give each protocol in turn."""
    return request.param


@pytest.fixture
def project_of(clone: Callable[..., Any]) -> Callable[..., Any]:
    """Make a project in which a protocol holds some texts."""

    def make(protocol: Any, *texts: str, commit: bool = False) -> Any:
        made = clone()
        ledger = made.at(START)
        for text in texts:
            protocol.write(ledger, text)
        made.close()
        if commit:
            made.commit("begin")
        return made

    return make

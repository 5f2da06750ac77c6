from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def no_shell_finds_us(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a dialogue go the same whether or not the environment is an activated one."""
    folders = os.environ["PATH"].split(os.pathsep)
    others = [folder for folder in folders if not os.path.exists(f"{folder}/varves")]
    monkeypatch.setenv("PATH", os.pathsep.join(others))

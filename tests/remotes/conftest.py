"""One server for the run, a database for each test, and checkouts that meet in it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.figures import full_size
from varves.testing.postgres import PostgresServer, binaries


# every version that is here at full size, else one
@pytest.fixture(scope="session", params=list(binaries())[: None if full_size() else 1])
def server(request) -> Iterator[PostgresServer]:
    made = PostgresServer(binaries()[request.param])
    yield made
    made.close()


@pytest.fixture
def database(server: PostgresServer) -> str:
    return server.database()


@pytest.fixture
def checkout(tmp_path: Path) -> Callable[[str], Path]:
    """Make another checkout, without a git remote in common with any other."""

    def make(name: str) -> Path:
        place = tmp_path / name
        place.mkdir()
        subprocess.run(["git", "init", "-q", str(place)], check=True)
        return place

    return make

"""The rig's fixtures: a seat at a time, and a note of what was proven of which client."""

from __future__ import annotations

import fcntl
from typing import TYPE_CHECKING

import pytest

from tests.clients import install, page
from tests.clients.rig import CLIENTS, Seat
from tests.clients.stub import Stub

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.clients.rig import Client


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the page that the result is written into."""
    parser.addoption("--clients-page", help="write the result of the rig into this file")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Note of each test of the rig which client it works with: its parameter or its mark."""
    for test in items:
        if test.nodeid.startswith(page.FOLDER):
            given = getattr(test, "callspec", None)
            mark = test.get_closest_marker("client")
            found = mark.args[0] if mark else given.params["name"]
            test.user_properties.append(("client", found))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the result, and write it where that was asked for."""
    wanted = terminalreporter.config.getoption("clients_page", None)
    found = page.rows(terminalreporter.stats)
    if wanted and found:
        terminalreporter.section("clients")
        terminalreporter.write_line(page.table(found))
        page.write(wanted, found)


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    """Let a test run where the clients are, one at a time on the whole machine."""
    if not install.is_installed():
        pytest.skip("make test-clients installs the clients")
    with (install.FOLDER / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture
def stub() -> Iterator[Stub]:
    """Play the model."""
    with Stub() as played:
        yield played


@pytest.fixture
def seat(tmp_path: Path, stub: Stub) -> Seat:
    """Give a home with two projects, each with a ledger."""
    return Seat(tmp_path, stub)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """Give the client of the test's mark; a parameter of that name goes first."""
    return str(request.node.get_closest_marker("client").args[0])


@pytest.fixture
def client(name: str, seat: Seat) -> Client:
    """Point the client at the stub."""
    CLIENTS[name].settle(seat)
    return CLIENTS[name]


@pytest.fixture
def proven(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Note for the result that something was proven of the client."""
    return lambda what: record_property("proven", what)

"""The scene every test may ask for: a project of its own, and the public doors to it."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import tempfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests import repository, search
from tests.command_line import Answer, call, call_process
from tests.figures import full_size, thinned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.loopback import Played

gc.disable()  # until all tests are collected: what that makes stays, and there is much of it
os.environ["VARVES_DENSE"] = "0"  # a test that compares meanings says so

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
STEADY = settings(PATIENT, derandomize=True, max_examples=20)
settings.register_profile("quick", STEADY, database=search.found())
settings.register_profile("deep", PATIENT, max_examples=1000, database=search.finding())
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
search.draw_from_nothing_loaded()

IN_MEMORY = "/dev/shm"  # noqa: S108 - a folder of our own is made in it
ROOMY = 8 << 30  # bytes; a whole run leaves about a quarter of this


def pytest_configure(config: pytest.Config) -> None:
    """Put the tests' folders in memory where there is room: a sync to a slow disk is most of a run.

    What a test shows of durability does not hang on it: processes are killed, machines are not.
    """
    if config.option.basetemp or hasattr(config, "workerinput") or not os.path.isdir(IN_MEMORY):
        return
    room = os.statvfs(IN_MEMORY)
    if room.f_bavail * room.f_frsize >= ROOMY:
        config.option.basetemp = made = tempfile.mkdtemp(prefix="varves-tests-", dir=IN_MEMORY)
        config.add_cleanup(lambda: shutil.rmtree(made, ignore_errors=True))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop what only runs at full size, unless somebody names a test."""
    if not full_size() and not any("::" in word for word in config.args):
        kept = thinned(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def pytest_collection_finish() -> None:
    """Take what collection made out of the collector's sight: it stays until the end."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)  # tests make many objects and few cycles


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config) -> Any:
    """Deal the tests out before the first one runs, so that each worker's are always the same."""
    from tests.dealing import Dealt

    return Dealt(config)


def pytest_runtest_logstart(nodeid: str) -> None:
    """Write down the order in which the tests of this process run, where somebody asks for it."""
    search.note_order(nodeid)


GIT_SETTINGS = """\
[user]
	name = Ada Example
	email = ada@example.org
[init]
	defaultBranch = main
[commit]
	gpgsign = false
[maintenance]
	auto = false
"""


def pytest_unconfigure(config: pytest.Config) -> None:
    """Name in the very last lines the clients and the programs whose tests were skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker
        return
    from tests.browser import chromium
    from tests.clients import page

    if line := page.missing(reporter.stats):
        reporter.write_line(line)
    skipped = (report.longrepr for report in reporter.stats.get("skipped", ()))
    reasons = {reason[2] for reason in skipped if isinstance(reason, tuple)}
    end = " is not installed"
    named = sorted(one.removeprefix("Skipped: ") for one in reasons if one.endswith(end))
    if named:
        names = ", ".join(one.removesuffix(end) for one in named)
        reporter.write_line(f"tests that need these were skipped: {names}")
    if line := chromium.missing(reporter.stats):
        reporter.write_line(line)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that is not local to this machine's file system."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family != getattr(socket, "AF_UNIX", None):
            raise AssertionError(f"a test reached for the network: {address!r}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Give the process a home of its own, and nothing of the caller's settings.

    It is not the test's own monkeypatch: a test that undoes that keeps its home.
    """
    with pytest.MonkeyPatch.context() as patched:
        for name in tuple(os.environ):
            if name.startswith(("VARVES_", "GIT_", "XDG_", "COVERAGE_")) or name == "NO_COLOR":
                patched.delenv(name)
        home = tmp_path / "home"
        home.mkdir()
        (home / "gitconfig").write_text(GIT_SETTINGS, encoding="utf-8")
        patched.setenv("HOME", str(home))
        patched.setenv("VARVES_HOME", str(home / "varves"))
        patched.setenv("VARVES_DENSE", "0")
        patched.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
        patched.setenv("GIT_CONFIG_NOSYSTEM", "1")
        # Nothing above the test's own folder may be taken for its project.
        patched.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
        yield home


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    """Give a fresh git repository without commits."""
    root = tmp_path / "project"
    repository.make(root)
    return root


@pytest.fixture
def varves(project: Path) -> Callable[..., Answer]:
    """Run the command line in the project, in this process."""

    def run(*words: str, cwd: Path | None = None, **options: Any) -> Answer:
        return call(*words, cwd=cwd or project, **options)

    return run


@pytest.fixture
def cli(project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Run the command line in the test's current folder, which is the project at first."""
    monkeypatch.chdir(project)

    def run(*words: str, cwd: Path | str = ".", **options: Any) -> Answer:
        return call(*words, cwd=cwd, **options)

    return run


@pytest.fixture
def varves_process(project: Path) -> Callable[..., Answer]:
    """Run the command line in the project, in a process of its own."""

    def run(*words: str, cwd: Path | None = None, **options: Any) -> Answer:
        return call_process(*words, cwd=cwd or project, **options)

    return run


@pytest.fixture
def ledger(project: Path) -> Iterator[Any]:
    """Open the project's ledger in this process."""
    import varves as package

    with package.open(str(project)) as opened:
        yield opened


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch, no_network: None) -> Iterator[Played]:
    """Play a model on loopback; it is the one address a test may then connect to."""
    import _socket
    import threading

    from tests.loopback import Played

    played = Played()

    def connect(self: socket.socket, address: Any) -> None:
        played.reached.append(address)
        if address[:2] != played.server_address:
            raise AssertionError(f"a test reached for the network: {address!r}")
        _socket.socket.connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    running = threading.Thread(target=played.serve_forever, args=(0.02,), daemon=True)
    running.start()
    yield played
    played.released.set()
    played.shutdown()
    played.server_close()
    running.join()

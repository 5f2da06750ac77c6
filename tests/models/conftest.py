"""A ledger whose settings name the model that is played on loopback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import varves as package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.loopback import Played

PROVIDERS = ("openai", "anthropic")


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    """Name a wire format."""
    return str(request.param)


class Desk:
    """One project's ledger, and what its model was asked."""

    def __init__(self, root: Path, home: Path, played: Played) -> None:
        self.root = root
        self.home = home
        self.played = played
        self._open: list[Any] = []

    def open(self, **options: Any) -> Any:
        """Open the ledger."""
        self._open.append(package.open(self.root, **options))
        return self._open[-1]

    def write(self, text: str) -> None:
        """Write the project's settings."""
        (self.root / ".varves").mkdir(exist_ok=True)
        (self.root / ".varves" / "settings.toml").write_text(text, encoding="utf-8")

    def write_own(self, text: str) -> None:
        """Write the user's own settings."""
        folder = self.home / "varves"
        folder.mkdir(exist_ok=True)
        (folder / "settings.toml").write_text(text, encoding="utf-8")

    def runner(self, provider: str = "openai", **table: Any) -> Any:
        """Write settings, open the ledger and return its runner."""
        self.write(self.played.settings(provider, **table))
        return self.open().model(purpose="testing")

    def events(self, *kinds: str) -> list[Any]:
        """Return what is recorded of calls."""
        with package.open(self.root) as ledger:
            return list(ledger.log(kind=kinds or ("model.called",)))

    @property
    def called(self) -> Any:
        """What is recorded of the one call there was."""
        [event] = self.events()
        return event.data

    def files(self) -> bytes:
        """Return every byte below the project and the user's folder."""
        places = [*self.root.rglob("*"), *self.home.rglob("*")]
        return b"\n".join(path.read_bytes() for path in places if path.is_file())

    def close(self) -> None:
        """Close whatever is open."""
        for ledger in self._open:
            ledger.close()


@pytest.fixture
def desk(project: Path, home: Path, loopback: Played) -> Iterator[Desk]:
    """Give a project whose model is played."""
    made = Desk(project, home, loopback)
    yield made
    made.close()


@pytest.fixture
def sure(loopback: Played) -> Callable[[], None]:
    """Give a proof that nothing but the played model was reached."""

    def prove() -> None:
        assert loopback.reached
        assert set(loopback.reached) == {loopback.server_address}

    return prove

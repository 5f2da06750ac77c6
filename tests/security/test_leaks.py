"""Nobody sees a neighbour's memories: not their text, not their ids, not how many there are."""

from __future__ import annotations

import io
import json
import random
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.consenting import write_settings
from tests.security.neighbours import (
    CLIENTS,
    ID,
    SEED,
    SESSIONS,
    WORDS,
    House,
    foreign,
    marks,
    questions,
)
from varves.cli.main import main
from varves.hosts.clients import CLIENTS as HOSTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, House]:
    """Give our project twice: alone on a machine, and among neighbours."""
    place = tmp_path_factory.mktemp("houses")
    return (
        House(place / "alone", seed=SEED, neighbours=False),
        House(place / "among", seed=SEED, neighbours=True),
    )


def shown(answer: Any) -> str:
    """Write an answer of the Python interface down whole."""
    return json.dumps(answer, default=lambda one: one.as_dict(), ensure_ascii=False)


def by_python(house: House, client: str, session: str) -> Iterator[tuple[str, str]]:
    """Ask a ledger, as an agent that has one open."""
    with house.open(house.ours, actor=client, session=session) as ledger:
        for number, asked in enumerate(questions(random.Random(SEED))):
            told = ledger.recall(asked, k=50).replace(query="")
            yield f"recall {number}", shown(told)
        yield "brief", shown(ledger.brief(task="deploy", budget=20_000))
        yield "conflicts", shown(ledger.conflicts())
        yield "scoped", shown([one.as_dict() for one in ledger.scoped.search("deploy")])
        yield "hivemind", shown(ledger.hivemind.search("deploy"))
        yield "talks", shown(ledger.deliberation.list())


def by_person(house: House) -> Iterator[tuple[str, str]]:
    """Ask as the person whose project it is; agents and sessions are all theirs."""
    with house.open(house.ours) as ledger:
        yield "list", shown(ledger.list(status="all"))
        yield "log", shown(ledger.log())
        yield "export", "\n".join(ledger.export(private=True))
        yield "markdown", "\n".join(ledger.export(format="markdown", private=True))
        yield "status", shown(ledger.status())


class Caller:
    """Calls hooks as the clients do, in this process."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch

    def __call__(self, house: House, root: Path, client: str, event: str, **sent: Any) -> str:
        """Call a hook in a folder, and return the raw bytes that it answered."""
        payload = {"hook_event_name": event, "cwd": str(root), **sent}
        told = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True)
        with self._patch.context() as patched:
            patched.chdir(root)
            patched.setenv("VARVES_HOME", str(house.homes[sent.pop("person", "ada")]))
            given = io.BytesIO(json.dumps(payload).encode())
            patched.setattr(sys, "stdin", io.TextIOWrapper(given, "utf-8"))
            patched.setattr(sys, "stdout", told)
            assert main(["hook", event, "--client", client]) == 0
        return told.buffer.getvalue().decode()  # type: ignore[attr-defined]


@pytest.fixture
def call(home: Path, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Give what calls hooks."""
    return Caller(monkeypatch)


def event_of(client: str, moment: str) -> str:
    """Return what a client calls a moment."""
    return next(name for name, what in HOSTS[client].moments.items() if what == moment)


def by_hooks(call: Caller, house: House, client: str, session: str) -> Iterator[tuple[str, str]]:
    """Begin a session and ask in it."""
    about = {"session_id": session, "source": "startup"}
    yield "start", call(house, house.ours, client, event_of(client, "start"), **about)
    for number, asked in enumerate(questions(random.Random(SEED))):
        event = event_of(client, "prompt")
        yield f"prompt {number}", call(house, house.ours, client, event, prompt=asked, **about)


def judged(
    told: Callable[[House], Iterator[tuple[str, str]]],
    houses: tuple[House, House],
    client: str,
    session: str,
) -> set[str]:
    """Compare what a surface says alone and among neighbours; return the marks it told."""
    alone, among = ([*told(house)] for house in houses)
    seen: set[str] = set()
    for (name, one), (_, other) in zip(alone, among, strict=True):
        assert not foreign(other, client, session, houses[1]), name
        assert houses[0].plain(one) == houses[1].plain(other), f"{name} differs"
        seen |= marks(other)
    return seen


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("client", "session"), [("claude", "s-one"), ("codex", "s-two")])
def test_a_ledger_tells_an_agent_nothing_of_its_neighbours(
    houses: tuple[House, House], client: str, session: str
) -> None:
    """And it tells what is the agent's own, the project's, the team's and the person's."""
    seen = judged(lambda house: by_python(house, client, session), houses, client, session)
    owners = {houses[1].owners[mark] for mark in seen}
    assert owners == {"project", "global", "team", f"agent:{client}", f"session:{session}"}


def test_what_a_person_lists_and_exports_is_this_projects(houses: tuple[House, House]) -> None:
    """With every agent's and session's, and nobody else's."""
    alone, among = ([*by_person(house)] for house in houses)
    for (name, one), (_, other) in zip(alone, among, strict=True):
        assert not {mark for mark in marks(other) if not mark.startswith(OWN)}, name
        assert houses[0].plain(one) == houses[1].plain(other), f"{name} differs"


OWN = ("mark-ours", "mark-global", "mark-team")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_hook_tells_an_agent_nothing_of_its_neighbours(
    houses: tuple[House, House], call: Caller, client: str
) -> None:
    """In each client's own form, at the start and with each prompt."""
    session = SESSIONS[CLIENTS.index(client) % 2]
    seen = judged(lambda house: by_hooks(call, house, client, session), houses, client, session)
    owners = {houses[1].owners[mark] for mark in seen}
    assert {"project", "global", "team", f"agent:{client}", f"session:{session}"} >= owners
    assert {"project", f"agent:{client}"} <= owners, "and it is told its own"


def test_another_person_in_a_clone_sees_only_what_was_pushed(
    houses: tuple[House, House], call: Caller
) -> None:
    """Of ours nothing was committed: bob's hooks tell bob's."""
    house = houses[1]
    clone = house.place / "clone"
    about = {"session_id": "s-one", "source": "startup"}
    told = call(house, clone, "claude", "SessionStart", **about, person="bob")
    told += call(
        house, clone, "claude", "UserPromptSubmit", **about, person="bob",
        prompt="deploy review staging billing schema cache token branch",
    )  # fmt: skip
    assert {mark[:8] for mark in marks(told)} == {"mark-bob"}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("share", ["worktrees", "branch"])
def test_a_linked_worktree_sees_what_settings_share(
    tmp_path: Path, call: Caller, share: str
) -> None:
    """4.8: one private ledger, the project's events of the other only where they are shared."""
    house = House(tmp_path / "machine", seed=SEED, neighbours=True)
    house.git(house.ours, "commit", "--allow-empty", "--quiet", "--message", "begun")
    linked = house.place / "linked"
    house.git(house.ours, "worktree", "add", "--quiet", str(linked))
    (linked / ".varves").mkdir()
    settings = f'share = "{share}"\n'
    (linked / ".varves/settings.toml").write_text(settings, encoding="utf-8")
    told = call(house, linked, "claude", "SessionStart", session_id="s-one", source="startup")
    for number, asked in enumerate(questions(random.Random(SEED))):
        sent = {"session_id": f"other-{number}", "prompt": asked}
        told += call(house, linked, "claude", "UserPromptSubmit", **sent)
    found = marks(told)
    assert not {mark for mark in found if not mark.startswith(("mark-ours", "mark-global"))}
    with house.open(house.ours) as ledger:
        kept = {marks(one.text).pop(): one for one in ledger.list() if marks(one.text)}
    seen = {(kept[mark].kept, kept[mark].scope) for mark in found}
    assert ("private", "project") in seen
    assert (("project", "project") in seen) is (share == "worktrees")
    assert ("project", "agent:codex") not in seen
    assert not [scope for _, scope in seen if scope == "session:s-two"]


def test_a_team_is_seen_where_its_folder_is_named(
    houses: tuple[House, House], call: Caller
) -> None:
    """The scope says so, and says nothing of who else is in it."""
    house = houses[1]
    member = house.place / "member"
    house.repository(member)
    (member / ".varves").mkdir()
    settings = (house.ours / ".varves/settings.toml").read_text(encoding="utf-8")
    for one in house.homes.values():
        write_settings(member, settings, one)
    told = call(house, member, "claude", "SessionStart", session_id="s-one", source="startup")
    assert {mark.rpartition("-")[0] for mark in marks(told)} == {"mark-team", "mark-global"}


def test_the_judge_sees_a_leak_where_there_is_one(houses: tuple[House, House]) -> None:
    """Their own answers are full of theirs, and ours differ by one memory more."""
    alone, among = houses
    with among.open(among.place / "theirs", session="s-one") as ledger:
        told = shown(ledger.recall(" ".join(WORDS), k=100))
    assert len(foreign(told, "claude", "s-one", among)) > 10
    assert len(ID.findall(told)) > 10
    listed = next(by_person(alone))[1]
    assert alone.plain(listed) != alone.plain(listed.replace("mark-ours-000", ""))

"""What is said in one session is known in the next: each client as its user has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.clients.rig import CLIENTS
from tests.clients.stub import Call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.clients.rig import Client, Seat

FACT, PORT = "the staging database listens on port 6543", "6543"
OTHER, STRANGE = "whoever changes the staging database asks Hanna at desk 7117", "7117"
SAY = f"Remember that {FACT}."
ASK = "On which port does the staging database listen?"
RECALL = Call("recall", {"query": "port of the staging database"}, "varves")
INJECTING = [name for name, client in CLIENTS.items() if client.injects]


def brew(seat: Seat) -> None:
    """Let the same user know something in another project, shared there and private."""
    seat.varves("remember", f"{OTHER[0].upper()}{OTHER[1:]}.", cwd=seat.other)
    seat.varves("remember", f"Privately, {OTHER}.", "--private", cwd=seat.other)
    assert len(seat.memories(STRANGE, cwd=seat.other)) == 2


def check_answered(seat: Seat) -> None:
    """See that our tool was called, and that what it said was in the next request."""
    assert seat.stub.called, f"not called; offered: {seat.opening().offered}"
    results = [result for asked in seat.stub.asked for result in asked.results]
    assert any(PORT in result for result in results), f"no result with the memory: {results}"


def check_apart(seat: Seat) -> None:
    """See that nothing of the other project reached the model."""
    assert not [asked.path for asked in seat.stub.asked if STRANGE in asked.text]


@pytest.mark.parametrize("name", INJECTING)
def test_a_fact_of_one_session_is_before_the_model_in_the_next(
    name: str, client: Client, seat: Seat, proven: Callable[[str], None]
):
    brew(seat)
    seat.varves("install", "--client", name)
    seat.stub.plays(says="Noted.")
    client.ask(seat, SAY)
    check_apart(seat)
    seat.stub.plays(RECALL, says="On 6543.")
    client.ask(seat, ASK)
    assert PORT in seat.opening().text
    proven("a statement made in session 1 was in the first request of session 2")
    check_answered(seat)
    proven("our tool was called, and its result was in the next request")
    check_apart(seat)
    proven("no request contained text of another project")
    # One may only be sure of it now: Copilot may still be writing when its turn ends.
    assert [row["kept"] for row in seat.memories(PORT)] == ["private"]
    proven("it was stored in this clone only, and text shown to the model was not learned again")


@pytest.mark.parametrize("name", INJECTING)
def test_a_project_can_bring_its_wiring_along(
    name: str, client: Client, seat: Seat, proven: Callable[[str], None]
):
    """The user has said once that this project may bring servers and hooks; nothing else."""
    if name == "claude-code":
        seat.write(".claude/settings.json", {"enableAllProjectMcpServers": True})
    seat.varves("install", "--client", name, "--scope", "project")
    seat.varves("remember", f"{FACT}.")
    seat.stub.plays(RECALL, says="On 6543.")
    client.ask(seat, ASK)
    assert PORT in seat.opening().text
    check_answered(seat)
    proven("with `--scope project` a memory was in the first request, and our tool was called")


@pytest.mark.client("goose")
def test_goose_recalls_in_one_session_what_it_recorded_in_another(
    client: Client, seat: Seat, proven: Callable[[str], None]
):
    brew(seat)
    seat.varves("install", "--client", "goose")
    seat.stub.plays(Call("remember", {"text": f"{FACT}."}, "varves"), says="Noted.")
    client.ask(seat, SAY)
    assert len(seat.memories(PORT)) == 1
    proven("session 1 recorded a memory with our tool")
    seat.stub.plays(RECALL, says="On 6543.")
    client.ask(seat, ASK)
    check_answered(seat)
    proven("in session 2 our tool was called, and the memory was in the next request")
    check_apart(seat)
    proven("no request contained text of another project")


@pytest.mark.client("claude-code")
def test_a_compaction_is_survived(client: Client, seat: Seat, proven: Callable[[str], None]):
    seat.varves("install", "--client", "claude-code")
    seat.stub.plays(says="Then we go on with the migration of the ovens.")
    begun = client.ask(seat, f"{SAY} We decided to migrate the ovens first.")
    session = json.loads(begun.out)["session_id"]
    seat.stub.plays(says="<summary>Something else entirely.</summary>")
    client.ask(seat, "/compact", "--resume", session)
    seat.stub.plays()
    client.ask(seat, "Go on.", "--resume", session)
    assert "migrate the ovens" in seat.opening().text
    proven("after a compaction the checkpoint was in the next request")

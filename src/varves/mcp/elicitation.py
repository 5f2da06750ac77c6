"""Asks the person at the client questions, and signs the state that returns with the answers.

In the newer era of MCP (see eras.py) the server keeps no state between a question and its answer:
the client receives the state and returns it with the answer. The state is sealed with a key of this
process, for one request and a limited time, so that the client cannot change it. Any other state is
refused.
"""

from __future__ import annotations

from varves.mcp.faults import BAD_PARAMS, Fault
from varves.mcp.messages import question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.mcp.faults import Ask
    from varves.mcp.port import Call
    from varves.values.instants import Clock

LASTS_MS = 600_000
_TAG = 32  # the number of characters of the seal


class Seal:
    """Signs the state that a client stores, and checks the signature when the state returns."""

    def __init__(self, key: bytes, clock: Clock) -> None:
        self._key = key
        self._clock = clock

    def close(self, state: str, about: Any) -> str:
        """Return a state, signed for the request that `about` describes."""
        ends = self._clock.now() + LASTS_MS
        return f"{self._tag(state, about, ends)}.{ends}.{state.encode().hex()}"

    def open(self, sealed: object, about: Any) -> str:
        """Check the signature of a state, and return the state without the signature.

        Raises:
            Fault: the seal is wrong, is for another request, or has expired.
        """
        try:
            tag, ends, state = str(sealed).split(".")
            found, until = bytes.fromhex(state).decode(), int(ends)
        except ValueError:
            tag, found, until = "", "", 0
        from hmac import compare_digest

        true = self._tag(found, about, until).encode()
        if not compare_digest(tag.encode("utf-8", "replace"), true) or until < self._clock.now():
            raise Fault(BAD_PARAMS, "Invalid or expired requestState")
        return found

    def _tag(self, state: str, about: Any, ends: int) -> str:
        from hashlib import blake2b
        from json import dumps

        said = dumps([state, about, ends], sort_keys=True).encode()
        return blake2b(said, key=self._key, digest_size=_TAG // 2).hexdigest()


def about(method: str, params: dict[str, Any]) -> list[Any]:
    """Return the parts of a request for which a state is signed."""
    return [method, *(params.get(name) for name in ("name", "uri", "arguments"))]


def reopen(seal: Seal, call: Call, *, method: str, params: dict[str, Any]) -> None:
    """Read the person's answers and the signed state from a request that was sent again."""
    sealed, answers = params.get("requestState"), params.get("inputResponses")
    if not isinstance(answers, dict | None):
        raise Fault(BAD_PARAMS, "inputResponses must be an object")
    if sealed is not None:
        call.state = seal.open(sealed, about(method, params))
        call.answers = answers or {}


def required(seal: Seal, asked: Ask, *, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return a result that asks the client to show questions to the person."""
    made = {key: question(one) for key, one in asked.questions.items()}
    sealed = seal.close(asked.state, about(method, params))
    return {"resultType": "input_required", "inputRequests": made, "requestState": sealed}


def form(message: str, fields: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Return the parameters of `elicitation/create` with which a client shows a form."""
    schema = {"type": "object", "properties": fields, "required": required}
    return {"mode": "form", "message": message, "requestedSchema": schema}


def filled(answer: Any) -> dict[str, Any] | None:
    """Return what the person entered in a form; None if the person declined or cancelled."""
    if not isinstance(answer, dict) or answer.get("action") != "accept":
        return None
    content = answer.get("content")
    return content if isinstance(content, dict) else None

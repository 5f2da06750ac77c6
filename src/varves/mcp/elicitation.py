"""Questions to the person at the client, and the seal on what they were about.

Between a question and its answer the server of the newer era keeps nothing: the client carries
what the question was about and brings it back. So it is sealed with a key of this process, for
this request and for a while; whatever else comes back is refused.
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
_TAG = 32  # letters of the seal


class Seal:
    """Closes what a client carries, and opens it again."""

    def __init__(self, key: bytes, clock: Clock) -> None:
        self._key = key
        self._clock = clock

    def close(self, state: str, about: Any) -> str:
        """Return a state sealed for a request."""
        ends = self._clock.now() + LASTS_MS
        return f"{self._tag(state, about, ends)}.{ends}.{state.encode().hex()}"

    def open(self, sealed: object, about: Any) -> str:
        """Return what was sealed for this request.

        Raises:
            Fault: we did not seal it, not for this, or too long ago.
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
    """Return what a question asked for a request is bound to."""
    return [method, *(params.get(name) for name in ("name", "uri", "arguments"))]


def reopen(seal: Seal, call: Call, *, method: str, params: dict[str, Any]) -> None:
    """Take the answers that came with a request that is made again."""
    sealed, answers = params.get("requestState"), params.get("inputResponses")
    if not isinstance(answers, dict | None):
        raise Fault(BAD_PARAMS, "inputResponses is an object")
    if sealed is not None:
        call.state = seal.open(sealed, about(method, params))
        call.answers = answers or {}


def required(seal: Seal, asked: Ask, *, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the result that hands the questions of a request to the client."""
    made = {key: question(one) for key, one in asked.questions.items()}
    sealed = seal.close(asked.state, about(method, params))
    return {"resultType": "input_required", "inputRequests": made, "requestState": sealed}


def form(message: str, fields: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Return what `elicitation/create` takes to put a form before a person."""
    schema = {"type": "object", "properties": fields, "required": required}
    return {"mode": "form", "message": message, "requestedSchema": schema}


def filled(answer: Any) -> dict[str, Any] | None:
    """Return what a person filled in; None: nothing, whether declined or put off."""
    if not isinstance(answer, dict) or answer.get("action") != "accept":
        return None
    content = answer.get("content")
    return content if isinstance(content, dict) else None

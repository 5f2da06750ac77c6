"""One exchange with an endpoint, made by its provider's package: the request and the answer.

Without restrictions, these packages would read keys, addresses and headers from the environment,
follow redirects, decompress any response and read without limit. So they are given a transport that
sends only the headers that a call needs, and that stops reading at a limit.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx2

from varves.models.exchange import Failed, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from varves.models.exchange import ModelQuestion, Site

_SENT = frozenset(("host", "content-type", "content-length", "accept", "user-agent", "connection"))
_KEYS = frozenset(("authorization", "x-api-key"))
_VERSION = "anthropic-version"
# the packages require a key; if there is none, they get this one, which is not sent
_NO_KEY = "none"
_MASK = b"[redacted]"
_LONG_KEY = 12  # a shorter key might equal a word of the answer
_LARGEST = 2**53


class Overlong(Exception):
    """The response is larger than the limit."""


class Narrow(httpx2.BaseTransport):
    """An HTTP transport that sends only the necessary headers, and limits the response's size."""

    def __init__(self, site: Site, *, keyed: bool) -> None:
        self.answered = False
        self.overlong = False
        self._kept = _SENT | {_VERSION} | (_KEYS if keyed else set())
        self._limit = site.max_bytes
        self._wire = httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return its response."""
        kept = [(k, v) for k, v in request.headers.multi_items() if k.lower() in self._kept]
        answer = self._wire.handle_request(
            httpx2.Request(  # a new request, because the package continues to use its own
                request.method,
                request.url,
                headers=[*kept, ("accept-encoding", "identity")],
                stream=request.stream,
                extensions=request.extensions,
            )
        )
        self.answered = True
        if answer.headers.get("content-encoding", "identity").lower() != "identity":
            answer.close()
            raise httpx2.DecodingError("the answer is compressed, which was not requested")
        return httpx2.Response(
            answer.status_code,
            headers=answer.headers,
            stream=_Bounded(answer, self._limit, self._stop),
            extensions=answer.extensions,
        )

    def _stop(self) -> None:
        self.overlong = True

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, answer: httpx2.Response, limit: int, stop: Callable[[], None]) -> None:
        self._answer = answer
        self._limit = limit
        self._stop = stop

    def __iter__(self) -> Iterator[bytes]:
        count = 0
        for part in self._answer.iter_raw():
            count += len(part)
            if count > self._limit:
                self._stop()
                raise Overlong
            yield part

    def close(self) -> None:
        self._answer.close()


def load(provider: str) -> Any:
    """Import a provider's package completely, and return it.

    Raises:
        Failed: the package cannot be imported.
    """
    from importlib import import_module

    try:
        import_module(_PARTS[provider])
        return import_module(provider)
    except ImportError:
        raise Failed(f"{provider} cannot be loaded") from None


def converse(
    site: Site, question: ModelQuestion, *, key: str | None, seconds: float, now: int
) -> Reply:
    """Ask a model one question, without a retry.

    Args:
        site: the endpoint.
        question: the question.
        key: the key, or None.
        seconds: the most time between two reads.
        now: the instant in milliseconds, to interpret dates in response headers.

    Raises:
        Failed: there is no usable answer.
    """
    sdk = load(site.provider)
    narrow = Narrow(site, keyed=key is not None)
    http = httpx2.Client(transport=narrow, timeout=seconds, follow_redirects=False, trust_env=False)
    options = {
        "api_key": key or _NO_KEY,
        "base_url": site.base_url or _HOMES[site.provider],
        "http_client": http,
        "max_retries": 0,
        "timeout": seconds,
    }
    with http:
        try:
            body = _ASK[site.provider](sdk, options, site, question)
        except Exception as fault:  # noqa: BLE001 - the exceptions depend on the package's version
            raise _failure(sdk, fault, narrow, now) from None
    if key is not None and len(key) >= _LONG_KEY:
        # if the answer repeated the key, the key would be recorded
        body = body.replace(key.encode(), _MASK)
    return _READ[site.provider](_parsed(body))


def _ask_openai(sdk: Any, options: dict[str, Any], site: Site, question: ModelQuestion) -> bytes:
    # The newest models of OpenAI refuse the older parameter; most other servers know only the older
    # one.
    most = "max_tokens" if site.base_url else "max_completion_tokens"
    messages = [{"role": "user", "content": question.prompt}]
    if question.system:
        messages.insert(0, {"role": "system", "content": question.system})
    asked = sdk.OpenAI(**options).chat.completions.with_raw_response
    answer = asked.create(model=question.model, messages=messages, **{most: site.max_tokens})
    content: bytes = answer.http_response.content
    return content


def _ask_anthropic(sdk: Any, options: dict[str, Any], site: Site, question: ModelQuestion) -> bytes:
    told = {"system": question.system} if question.system else {}
    asked = sdk.Anthropic(**options, open_telemetry=False).messages.with_raw_response
    answer = asked.create(
        model=question.model,
        max_tokens=site.max_tokens,
        messages=[{"role": "user", "content": question.prompt}],
        **told,
    )
    content: bytes = answer.http_response.content
    return content


def _failure(sdk: Any, fault: Exception, narrow: Narrow, now: int) -> Failed:
    """Return the failure with a message of our own, because the package may quote the key."""
    if narrow.overlong:
        return Failed("too long", charged=True)
    if isinstance(fault, sdk.APIStatusError):
        status = int(fault.status_code)
        again = status == 429 or status >= 500
        after = _after(fault.response.headers, now) if again else None
        return Failed(f"http {status}", again=again, after=after)
    cause = fault.__cause__ or fault
    if isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)):
        return Failed("no connection", again=True)
    if isinstance(fault, sdk.APITimeoutError) or isinstance(cause, httpx2.TimeoutException):
        return Failed("timeout", charged=True)
    if isinstance(cause, httpx2.DecodingError):
        return Failed("unreadable", charged=True)
    if isinstance(fault, sdk.APIConnectionError) or isinstance(cause, httpx2.TransportError):
        word = "connection cut" if narrow.answered else "no answer"
        return Failed(word, again=True, charged=True)
    return Failed(f"unexpected {type(fault).__name__}", charged=narrow.answered)


def _after(headers: Mapping[str, str], now: int) -> float | None:
    """Return the seconds that the server asks to wait; None if it does not ask."""
    said = headers.get("retry-after", "").strip()
    if not said:
        return None
    if said.isascii() and said.isdigit() and len(said) < 10:
        return float(said)
    from email.utils import parsedate_to_datetime

    try:
        return max(parsedate_to_datetime(said).timestamp() - now / 1000, 0.0)
    except (ValueError, OverflowError):
        return None


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise Failed("no JSON", charged=True) from None
    if not isinstance(answer, dict):
        raise Failed("an answer of an unexpected form", charged=True)
    return answer


def _read_openai(answer: dict[str, Any]) -> Reply:
    usage = answer.get("usage")
    tokens = _tokens(usage, ("prompt_tokens",), "completion_tokens")
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        raise Failed("an answer of an unexpected form", charged=True, tokens=tokens)
    cut = first.get("finish_reason") == "length"
    return _reply(answer, message.get("content"), tokens, truncated=cut)


def _read_anthropic(answer: dict[str, Any]) -> Reply:
    asked = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    tokens = _tokens(answer.get("usage"), asked, "output_tokens")
    blocks = answer.get("content")
    if not isinstance(blocks, list):
        raise Failed("an answer of an unexpected form", charged=True, tokens=tokens)
    texts = [
        block["text"]
        for block in blocks
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    ]
    cut = answer.get("stop_reason") == "max_tokens"
    return _reply(answer, "".join(texts), tokens, truncated=cut)


def _reply(
    answer: dict[str, Any], said: Any, tokens: tuple[int, int] | None, *, truncated: bool
) -> Reply:
    if not isinstance(said, str) or not said.strip():
        raise Failed("no text", charged=True, tokens=tokens)
    model = answer.get("model")
    return Reply(
        text=said.encode("utf-8", "replace").decode("utf-8"),  # JSON may contain lone surrogates
        model=model if isinstance(model, str) and len(model) < 200 else None,
        tokens=tokens,
        truncated=truncated,
    )


def _tokens(usage: Any, asked: tuple[str, ...], said: str) -> tuple[int, int] | None:
    """Return the numbers of tokens that an answer reports; None if they are not plausible."""
    if not isinstance(usage, dict):
        return None
    first, *more = asked
    counts: list[Any] = [usage.get(first), usage.get(said)]
    counts += [usage.get(name) or 0 for name in more]
    if not all(type(count) is int and 0 <= count < _LARGEST for count in counts):
        return None
    return counts[0] + sum(counts[2:]), counts[1]


_PARTS = {
    "openai": "openai.resources.chat.completions",
    "anthropic": "anthropic.resources.messages",
}
_HOMES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_ASK = {"openai": _ask_openai, "anthropic": _ask_anthropic}
_READ = {"openai": _read_openai, "anthropic": _read_anthropic}

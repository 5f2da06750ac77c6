"""The server: receives messages and sends answers, over any transport.

One thread passes parsed messages to the server. Requests that need the ledger go to `work`, which
may run them in another thread, in order. Other requests, such as ping and cancellation, are
answered at once. A tool that must ask the person raises `Ask`, and is run again with the answers.
So no thread waits for a person, in both eras of MCP.
"""

from __future__ import annotations

from varves.mcp import eras, messages
from varves.mcp.faults import BAD_PARAMS, INTERNAL, INVALID, NO_METHOD, Ask, Cancelled, Fault
from varves.mcp.messages import fault_of, key_of, notification, question
from varves.mcp.methods import ASKABLE, LISTEN, OF_ENVELOPED, OF_SHAKEN, SLOW, Room
from varves.mcp.port import Call
from varves.mcp.subscriptions import Subscriptions
from varves.values.ids import IdSource
from varves.values.instants import SystemClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.mcp.elicitation import Seal
    from varves.mcp.eras import Caller
    from varves.mcp.messages import Key
    from varves.mcp.port import Catalogue, Json
    from varves.values.instants import Clock

    Send = Callable[[Any], None]
    Work = Callable[[Callable[[], None]], None]

REPORTED_MS = 100
"""The least time between two progress notifications, in milliseconds."""
MOST_WAITING = 1000
"""The maximum number of concurrent requests; more are refused."""
_ROOTED = ("notifications/initialized", "notifications/roots/list_changed")


class Job:
    """A request in progress."""

    __slots__ = ("call", "client", "id", "method", "params", "send", "waiting")

    def __init__(self, message: Json, client: Caller, send: Send) -> None:
        self.id = message["id"]
        self.method: str = message["method"]
        self.params: Json = message.get("params") or {}
        self.client = client
        self.send = send
        self.waiting: set[str] = set()  # the keys of the questions whose answers it waits for
        self.call = Call(client)


class Server:
    """The server's side of one connection, with a catalogue from which requests are answered."""

    def __init__(
        self,
        catalogue: Catalogue,
        send: Send,
        *,
        work: Work | None = None,
        every: float | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Serve a catalogue.

        Args:
            catalogue: what clients can request.
            send: called with each outgoing message, from several threads.
            work: runs the functions that need the ledger, in order; by default immediately.
            every: seconds between two checks for changes while there are subscriptions; None checks
                only when `look` is called.
            clock: the source of instants.
        """
        self.catalogue = catalogue
        self.client: Caller | None = None  # the client of the handshake
        self.roots: Callable[[object], None] | None = None
        """A function called with the client's roots (its folders); None if the project is known."""
        self._send = send
        self._work = work or (lambda job: job())
        self._clock = clock or SystemClock()
        self._jobs: dict[Key, Job] = {}
        # by the id of a question to the client: the job that asked, and the key of the question
        self._asked: dict[str, tuple[Job, str]] = {}
        self._rooted: str | None = None  # the id of the request to the client for its roots
        self._questions = 0
        self._made: Seal | None = None
        self._room = Room(catalogue, Subscriptions(catalogue, send, every=every))

    def look(self) -> None:
        """Notify subscribers of the changes since the last check."""
        self._room.subscriptions.look()

    def close(self) -> None:
        """End all requests in progress."""
        self._room.subscriptions.close()
        for job in self._jobs.values():
            job.call.cancelled = True

    # Incoming messages

    def receive(self, message: object) -> None:
        """Handle one message: a request, a notification, an answer, or a batch."""
        if isinstance(message, list):
            self._take_batch(message)
        else:
            self._take(message, self._send)

    def _take_batch(self, batch: list[Any]) -> None:
        """Answer a batch with one list of answers; only one version of MCP has batches."""
        if self.client is None or self.client.version != eras.BATCHING or not batch:
            self._refuse(
                self._send, None, Fault(INVALID, "a message must be one object, not a list")
            )
            return
        awaited = sum(_is_awaited(one) for one in batch)
        gathered: list[Any] = []

        def gather(answer: Any) -> None:  # None: this request was cancelled
            gathered.append(answer)
            told = [one for one in gathered if one is not None]
            if len(gathered) == awaited and told:
                self._send(told)

        for one in batch:
            self._take(one, gather)

    def _take(self, message: object, send: Send) -> None:
        if messages.is_answer(message):
            self._take_answer(message)  # type: ignore[arg-type]
            return
        name = messages.id_of(message)
        try:
            found = messages.checked(message)
            if "id" in found:
                self._take_request(found, send)
            else:
                self._take_notification(found["method"], found.get("params") or {})
        except Fault as fault:
            if not messages.is_notification(message):  # a notification is never answered
                self._refuse(send, name, fault)

    def _take_request(self, message: Json, send: Send) -> None:
        params = message.get("params") or {}
        method = message["method"]
        if method == "initialize":
            self.client = client = eras.handshake(params)
        else:
            client = self._asker(method, params)
        key = key_of(message["id"])
        if key in self._jobs or self._room.subscriptions.has(message["id"]):
            # The client would mistake an error with this id for the answer to the first request.
            self._refuse(send, None, Fault(INVALID, "a request with this id is in progress"))
            return
        if len(self._jobs) >= MOST_WAITING:
            raise Fault(INTERNAL, "too many requests are in progress")
        job = self._jobs[key] = Job(message, client, send)
        job.call = self._call(job)
        run = self._listen if method == LISTEN else self._perform
        if method in SLOW:
            self._work(lambda: run(job))
        else:
            run(job)

    def _asker(self, method: str, params: Json) -> Caller:
        """Return the client from which a request came.

        Raise an error if the client's version of MCP does not have the method.
        """
        client = eras.envelope(params) or self.client
        known = {**OF_SHAKEN, **OF_ENVELOPED} if client is None else _methods(client)
        if method not in known:
            raise Fault(NO_METHOD, "Method not found", method[:100])
        if client is None:
            if method == "ping":
                return eras.Caller(version=eras.SHAKEN[0])
            raise Fault(
                BAD_PARAMS, f"send initialize first, or {eras.VERSION} in _meta with every request"
            )
        return client

    def _take_notification(self, method: str, params: Json) -> None:
        if method in _ROOTED:
            self._ask_roots()
        if method != "notifications/cancelled":
            return  # other notifications only inform, so nothing is done
        name = params.get("requestId")
        if isinstance(name, str | int) and messages.is_name(name):
            self._room.subscriptions.end(name)
            job = self._jobs.get(key_of(name))
            if job is not None and job.method != "initialize":
                job.call.cancelled = True
                if job.waiting:
                    self._forget(job)

    def _take_answer(self, message: Json) -> None:
        """Store a person's answer to a question; if it was the last one, continue the request."""
        if self._rooted is not None and message.get("id") == self._rooted:
            self._take_roots(message.get("result"))
            return
        found = self._asked.pop(str(message.get("id")), None)
        if found is None:
            return
        job, name = found
        job.call.answers[name] = message.get("result")
        job.waiting.discard(name)
        if not job.waiting:
            self._work(lambda: self._perform(job))

    # Outgoing messages

    def _call(self, job: Job) -> Call:
        meta = job.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        if not isinstance(token, str | int) or isinstance(token, bool):
            token = None
        told = self._clock.now() - REPORTED_MS

        def tell(done: int) -> None:
            nonlocal told
            if (now := self._clock.now()) - told >= REPORTED_MS:
                told = now
                params = {"progressToken": token, "progress": done}
                self._send(notification("notifications/progress", params))

        heard = tell if token is not None else None
        return Call(job.client, tell=heard)

    def _perform(self, job: Job) -> None:
        """Run a request and send its answer, unless the request was cancelled."""
        try:
            self._open_answers(job)
            if job.call.cancelled:
                raise Cancelled  # noqa: TRY301 - as from anywhere below
            result = _methods(job.client)[job.method](self._room, job.params, job.call)
            parts = eras.finished(
                result, job.client, method=job.method, server=self.catalogue.server
            )
        except Ask as asked:
            if not job.call.cancelled:
                self._ask(job, asked)
                return
        except Cancelled:
            pass
        except Exception as error:  # noqa: BLE001 - every error must become a response
            if not job.call.cancelled:
                self._refuse(job.send, job.id, fault_of(error, job.client))
        else:
            if not job.call.cancelled:
                job.send({"jsonrpc": "2.0", "id": job.id, "result": parts})
        self._leave(job)

    def _leave(self, job: Job) -> None:
        self._jobs.pop(key_of(job.id), None)
        if job.call.cancelled and job.send is not self._send:
            job.send(None)  # a batch waits for this answer

    def _refuse(self, send: Send, name: int | str | None, fault: Fault) -> None:
        send({"jsonrpc": "2.0", "id": name, "error": fault.as_dict()})

    # Questions

    @property
    def _seal(self) -> Seal:
        if self._made is None:
            from varves.mcp.elicitation import Seal

            self._made = Seal(IdSource().entropy(32), self._clock)
        return self._made

    def _open_answers(self, job: Job) -> None:
        """Read the answers in a request that was sent again with answers."""
        came = "requestState" in job.params or "inputResponses" in job.params
        if not came or not job.client.modern or job.method not in ASKABLE:
            return
        from varves.mcp.elicitation import reopen

        reopen(self._seal, job.call, method=job.method, params=job.params)

    def _ask(self, job: Job, asked: Ask) -> None:
        """Ask the person, in the way that the client's era of MCP provides."""
        if job.client.modern:
            from varves.mcp.elicitation import required

            result = required(self._seal, asked, method=job.method, params=job.params)
            server = self.catalogue.server
            whole = eras.finished(result, job.client, method=job.method, server=server)
            self._jobs.pop(key_of(job.id), None)
            job.send({"jsonrpc": "2.0", "id": job.id, "result": whole})
            return
        job.call.state, job.call.answers = asked.state, {}
        job.waiting = set(asked.questions)
        for key, one in asked.questions.items():
            name = self._question()
            self._asked[name] = job, key
            self._send({"jsonrpc": "2.0", "id": name, **question(one)})

    def _question(self) -> str:
        self._questions += 1
        return f"varves-{self._questions}"

    def _ask_roots(self) -> None:
        """Ask a client of MCP's older era for its roots, if needed and supported by the client."""
        known = self.client
        if (
            self.roots is None
            or known is None
            or not isinstance(known.abilities.get("roots"), dict)
        ):
            return
        self._rooted = self._question()
        self._send({"jsonrpc": "2.0", "id": self._rooted, "method": "roots/list"})

    def _take_roots(self, result: object) -> None:
        self._rooted = None
        told, found = self.roots, result.get("roots") if isinstance(result, dict) else None

        def tell() -> None:
            try:
                if told is not None:
                    told(found)
            except Exception:  # noqa: BLE001, S110 - background work must continue
                pass

        self._work(tell)

    def _forget(self, job: Job) -> None:
        """Drop the questions of a request that was cancelled."""
        self._leave(job)
        for name in [name for name, (one, _) in self._asked.items() if one is job]:
            del self._asked[name]
            self._send(notification("notifications/cancelled", {"requestId": name}))

    def _listen(self, job: Job) -> None:
        """Open the stream that a request asks for, and answer the request when the stream ends."""
        try:
            if not job.call.cancelled:
                self._room.subscriptions.listen(job.id, job.params, job.client)
        except Exception as error:  # noqa: BLE001 - the outermost handler
            self._refuse(job.send, job.id, fault_of(error, job.client))
        self._leave(job)


def _methods(client: Caller) -> dict[str, Any]:
    return OF_ENVELOPED if client.modern else OF_SHAKEN


def _is_awaited(message: object) -> bool:
    """Return whether a message in a batch gets an answer."""
    if messages.is_answer(message):
        return False
    return not isinstance(message, dict) or "id" in message or "method" not in message

"""The catalogue over Streamable HTTP, served on loopback by the protocol's own SDK.

The SDK handles HTTP and both eras of MCP. Each request is run by the same methods as on stdio, in a
thread, because the core is synchronous. The SDK does not authorise clients; `gate` does.
"""

from __future__ import annotations

from functools import partial

import anyio
import mcp_types as types
from anyio import from_thread, to_thread
from mcp.server.lowlevel.server import Server as Sdk
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.shared.exceptions import MCPError

from varves.mcp import eras
from varves.mcp.elicitation import Seal, reopen, required
from varves.mcp.faults import Ask, Cancelled, Fault
from varves.mcp.messages import fault_of
from varves.mcp.methods import ASKABLE, OF_ENVELOPED, OF_SHAKEN, Room
from varves.mcp.port import Call
from varves.mcp.subscriptions import Subscriptions
from varves.values.ids import IdSource
from varves.values.instants import SystemClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any, TypeAlias

    from mcp.server.context import ServerRequestContext
    from starlette.applications import Starlette

    from varves.mcp.eras import Caller
    from varves.mcp.port import Catalogue, Json

    Context: TypeAlias = ServerRequestContext[Any, Any]

PATH = "/mcp"
EVERY = 1.0
LARGEST = 16 << 20
_PARAMS = {
    "tools/list": types.PaginatedRequestParams,
    "tools/call": types.CallToolRequestParams,
    "resources/list": types.PaginatedRequestParams,
    "resources/templates/list": types.PaginatedRequestParams,
    "resources/read": types.ReadResourceRequestParams,
    "prompts/list": types.PaginatedRequestParams,
    "prompts/get": types.GetPromptRequestParams,
    "completion/complete": types.CompleteRequestParams,
}


def app(catalogue: Catalogue, *, every: float = EVERY) -> Starlette:
    """Return the application that serves a catalogue; it does not authorise clients."""
    return _Serving(catalogue, every).app()


class _Serving:
    """The state that all connections of one application share."""

    def __init__(self, catalogue: Catalogue, every: float) -> None:
        self._catalogue = catalogue
        self._every = every
        self._seal = Seal(IdSource().entropy(32), SystemClock())
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._watching: dict[str, Subscriptions] = {}  # by client: its subscriptions
        # by resource: the sessions that watch it, for clients with a handshake
        self._sessions: dict[str, list[Any]] = {}

    def app(self) -> Starlette:
        """Register every method, and return the application."""
        server = self._catalogue.server
        blank = eras.Caller(version=eras.SHAKEN[0])
        sdk: Sdk[Any] = Sdk(
            server["name"],
            version=server["version"],
            title=server.get("title"),
            instructions=self._catalogue.instructions(blank),
            lifespan=self._lifespan,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._stream,
        )
        for method, params in _PARAMS.items():
            sdk.add_request_handler(method, params, self._answer)
        return sdk.streamable_http_app(streamable_http_path=PATH, max_request_body_size=LARGEST)

    async def _answer(self, ctx: Context, _params: Any) -> Json:
        """Run one request in a thread, and ask the person if the request has questions."""
        client = _client(ctx)
        params: Json = dict(ctx.params or {})
        call = Call(client, tell=lambda done: from_thread.run(ctx.session.report_progress, done))
        try:
            if client.modern and ctx.method in ASKABLE:
                reopen(self._seal, call, method=ctx.method, params=params)
            result = await self._settled(ctx, params, call)
        except (MCPError, Cancelled):
            raise
        except Exception as error:  # noqa: BLE001 - every error must become a response
            raise _wire(fault_of(error, client)) from None
        server = self._catalogue.server
        return eras.finished(result, client, method=ctx.method, server=server)

    async def _settled(self, ctx: Context, params: Json, call: Call) -> Json:
        """Run a request; if it has questions, ask the person, and run the request again."""
        while True:
            try:
                return await self._run(ctx.method, params, call)
            except Ask as asked:
                if call.client.modern:
                    return required(self._seal, asked, method=ctx.method, params=params)
                await _put(ctx, asked, call)

    async def _run(self, method: str, params: Json, call: Call) -> Json:
        methods = OF_ENVELOPED if call.client.modern else OF_SHAKEN
        room = Room(self._catalogue, self._subscriptions(call.client))
        try:
            return await to_thread.run_sync(
                partial(methods[method], room, params, call), abandon_on_cancel=True
            )
        except Fault as fault:
            raise _wire(fault) from None
        except anyio.get_cancelled_exc_class():
            call.cancelled = True
            raise

    # Changes

    @property
    def _lifespan(self) -> Any:
        from contextlib import asynccontextmanager

        @asynccontextmanager
        async def living(_sdk: Any) -> AsyncIterator[None]:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._look)
                try:
                    yield
                finally:
                    self._listen.close()
                    tasks.cancel_scope.cancel()

        made: Any = living
        return made

    async def _look(self) -> None:
        while True:
            await anyio.sleep(self._every)
            for watched in list(self._watching.values()):
                try:
                    await to_thread.run_sync(watched.look, abandon_on_cancel=True)
                except Exception:  # noqa: BLE001, S112 - the next look may succeed
                    continue

    def _subscriptions(self, client: Caller) -> Subscriptions:
        if client.name not in self._watching:
            self._watching[client.name] = Subscriptions(
                self._catalogue,
                lambda message: from_thread.run(self._publish, message),
                every=None,
            )
        return self._watching[client.name]

    async def _publish(self, message: Json) -> None:
        """Send a change to its subscribers, in the form of each subscriber's version of MCP."""
        uri = message.get("params", {}).get("uri")
        if uri is None:
            await self._bus.publish(ResourcesListChanged())
            return
        await self._bus.publish(ResourceUpdated(uri=uri))
        for session in list(self._sessions.get(uri, ())):
            try:
                await session.send_resource_updated(uri)
            except Exception:  # noqa: BLE001 - that client has gone
                self._sessions[uri].remove(session)

    async def _subscribe(self, ctx: Context, params: types.SubscribeRequestParams) -> Any:
        uri, client = str(params.uri), _client(ctx)
        await to_thread.run_sync(self._subscriptions(client).subscribe, uri, client)
        self._sessions.setdefault(uri, []).append(ctx.session)
        return types.EmptyResult()

    async def _unsubscribe(self, ctx: Context, params: types.UnsubscribeRequestParams) -> Any:
        kept = self._sessions.get(str(params.uri), [])
        same = ctx.session.client_params
        kept[:] = [one for one in kept if one.client_params is not same]
        return types.EmptyResult()

    async def _stream(self, ctx: Context, params: types.SubscriptionsListenRequestParams) -> Any:
        """Watch resources for a client while its stream is open."""
        client, wanted = _client(ctx), params.notifications
        watched = self._subscriptions(client)
        for uri in wanted.resource_subscriptions or ():
            await to_thread.run_sync(watched.subscribe, str(uri), client)
        if wanted.resources_list_changed:
            await to_thread.run_sync(watched.follow_list, client)
        return await self._listen(ctx, params)


def _client(ctx: Context) -> Caller:
    """Return the client of a request, as the SDK identified it."""
    known = ctx.session.client_params
    abilities = ctx.session.client_capabilities
    return eras.Caller(
        version=ctx.protocol_version,
        name=known.client_info.name if known is not None else "",
        abilities={}
        if abilities is None
        else abilities.model_dump(by_alias=True, exclude_none=True, mode="json"),
    )


async def _put(ctx: Context, asked: Ask, call: Call) -> None:
    """Ask the person, if the client can show questions; store the answers in `call`."""
    call.state, call.answers = asked.state, {}
    for key, one in asked.questions.items():
        found = await ctx.session.elicit_form(
            one["message"], one["requestedSchema"], related_request_id=ctx.request_id
        )
        call.answers[key] = found.model_dump(by_alias=True, exclude_none=True, mode="json")


def _wire(fault: Fault) -> MCPError:
    return MCPError(fault.code, fault.message, fault.more)

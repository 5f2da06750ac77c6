"""The application behind the gate: pages, their JSON, the files of the window itself.

Each request runs in a thread, because the ledger is synchronous; the ledger lets one verb run at a
time. Every answer forbids the browser to keep it, to run anything but our own script, to be framed,
and to send anything elsewhere.
"""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from varves import settings
from varves.errors import Refused, VarvesError
from varves.loopback.gate import headers_of
from varves.streams import tell
from varves.values.instants import iso
from varves.web import twins
from varves.web.acts import ACTS, acted
from varves.web.files import TYPES, names, static
from varves.web.render import page
from varves.web.table import PAGES
from varves.web.visit import AS_OF, Links, Visit
from varves.web.visitor import FIELD, OPENING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from starlette.requests import Request

    from varves import Ledger
    from varves.loopback.gate import App, Part
    from varves.web.table import Row
    from varves.web.visitor import Visitor
    from varves.web.window import ActNotice, Window

    Act = Callable[[Ledger, Mapping[str, str]], ActNotice]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
LARGEST = 16 << 20  # the most bytes of a form
SAYS_NO = "Only a form of this window can do this. Load the page again.\n"
_AT, _STEP = "at", "step"


def application(window: Window, visitor: Visitor) -> App:
    """Return the application of a window."""
    here = _Answers(window, visitor)
    routes = [
        Route(OPENING, here.open),
        Route("/live", here.live),
        Route("/static/{name}", _static),
        Route("/favicon.ico", _icon),
        *(Route(f"/api/{verb.replace(' ', '/')}", partial(here.twin, verb)) for verb in twins.READ),
        *(
            Route(f"/acts/{name}", partial(here.act, act), methods=["POST"])
            for name, act in ACTS.items()
        ),
        *(Route(row.path, partial(here.page, row)) for row in PAGES.values()),
    ]
    return _Guarded(Starlette(routes=routes))


class _Guarded:
    """Adds the headers that every answer has."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Part, receive: Any, send: Any) -> None:
        """Answer a request."""

        async def sending(message: Part) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_HEADERS]}
            await send(message)

        await self._app(scope, receive, sending)


class _Answers:
    """The answers of one window."""

    def __init__(self, window: Window, visitor: Visitor) -> None:
        self._window = window
        self._visitor = visitor
        self._links = Links()

    def open(self, request: Request) -> Response:
        """Turn the token of the printed address into a cookie."""
        cookie = self._visitor.opened(request.query_params.get("t", ""))
        if cookie is not None:
            return RedirectResponse("/", 303, headers={"set-cookie": cookie})
        if self._visitor.is_known(headers_of(request.scope["headers"])):
            return RedirectResponse("/", 303)
        return PlainTextResponse("This address was used before. Run varves ui again.\n", 403)

    async def live(self, _request: Request) -> Response:
        """Send the number of events whenever it changes."""
        return StreamingResponse(self._window.live.stream(), media_type="text/event-stream")

    def twin(self, verb: str, request: Request) -> Response:
        """Answer with the JSON of a verb."""
        status, text = twins.answer(self._window, verb, request.query_params.multi_items())
        return Response(text, status, media_type="application/json")

    def page(self, row: Row, request: Request) -> Response:
        """Answer with a page."""
        query = dict(request.query_params)
        visit = Visit(
            window=self._window,
            row=row,
            path=request.path_params,
            query={name: value for name, value in query.items() if name not in (AS_OF, _AT, _STEP)},
            as_of=query.get(AS_OF, "").strip() or None,
            links=self._links,
        )

        def answer() -> Response:
            moved = _moved(visit, query)
            return RedirectResponse(moved, 303) if moved else _html(page(visit, visit.make()))

        return _answered(visit, answer)

    async def act(self, act: Act, request: Request) -> Response:
        """Do what a form asks, and lead back to its page."""
        fields = await body_of(request, LARGEST)
        if fields is None:
            return PlainTextResponse("That is too long.\n", 413)
        if not self._visitor.may_act(headers_of(request.scope["headers"]), fields.get(FIELD)):
            return PlainTextResponse(SAYS_NO, 403)
        return await run_in_threadpool(self._done, act, fields)

    def _done(self, act: Act, fields: dict[str, str]) -> Response:
        window = self._window
        visit = Visit(window=window, row=PAGES["now"], path={}, query={}, links=self._links)

        def answer() -> Response:
            if window.read_only:
                raise Refused("this window only shows", "start it without --read-only")
            window.acted(acted(act, window.ledger, fields))
            back = fields.get("back", "/")
            local = back.startswith("/") and not back.startswith(("//", "/\\"))
            return RedirectResponse(back if local else "/", 303)

        return _answered(visit, answer)


def _answered(visit: Visit, answer: Callable[[], Response]) -> Response:
    """Return an answer, or the page that says why there is none."""
    try:
        return answer()
    except VarvesError as error:
        fault = error
    except Exception as error:  # noqa: BLE001 - the outermost handler of a request
        fault = unexpected(error)
    found = {"fault": fault, "title": "That did not work"}
    text = page(visit.replace(as_of=None), found, template="fault")
    return _html(text, twins.STATUSES.get(fault.exit, 500))


def unexpected(error: Exception) -> VarvesError:
    """Return an unexpected exception as an error; VARVES_DEBUG prints where it was raised."""
    if settings.debug():
        from traceback import format_exception

        tell("".join(format_exception(error)))
    reason = f"{type(error).__name__}: {error}"
    return VarvesError(reason, "VARVES_DEBUG=1 varves ui prints where it happened")


def _html(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="text/html; charset=utf-8")


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in names():
        return PlainTextResponse("There is no such file.\n", 404)
    return Response(static(name), media_type=TYPES[name.rpartition(".")[2]])


def _icon(_request: Request) -> Response:
    return Response(static("icon.svg"), media_type=TYPES["svg"])


def _moved(visit: Visit, query: dict[str, str]) -> str | None:
    """Return the address with a moment, for a place on the axis or a step from a moment."""
    if _STEP in query:
        event = stepped(visit, back=query[_STEP] == "back")
        return visit.here(**{AS_OF: event})
    if _AT not in query:
        return None
    try:
        place = float(query[_AT])
    except ValueError:
        place = 1000.0
    found = visit.window.axis().moment(place)
    return visit.here(**{AS_OF: None if found is None else iso(found)})


def stepped(visit: Visit, *, back: bool) -> str | None:
    """Return the event before or after the moment of a visit; None for now."""
    as_of, read = visit.as_of, visit.ledger.log
    is_event = as_of is not None and as_of.startswith("evt_")
    if back and is_event:
        found = read(limit=1, before=as_of)
        return found[0].id if found else as_of
    at = visit.now if as_of is None else visit.window.moment_of(as_of)
    if back:  # the last event of this moment is left out
        found = read(limit=2, until=iso(at))
        return found[0].id if len(found) > 1 else as_of
    here = as_of if is_event else iso(at + 1)
    for start, end in visit.window.axis().after(at):
        events = [one for one in read(since=here or start, until=end) if one.id != as_of]
        if events:  # with the newest one, it is now
            return None if events[0].id == read(limit=1)[-1].id else events[0].id
        here = None
    return None


async def body_of(request: Request, most: int) -> dict[str, str] | None:
    """Return the fields of a form; None if it is larger than `most` bytes."""
    text = bytearray()
    async for part in request.stream():
        text += part
        if len(text) > most:
            return None
    return dict(parse_qsl(text.decode("utf-8", "replace"), keep_blank_values=True))

"""The web application: every request is checked, passed to its route, and answered without a traceback."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Router

from assay.base.errors import AssayError
from assay.web.errors import BadRequestError, MethodNotAllowedError, NotFoundError, TooLargeError
from assay.web.security import HEADERS, TOKEN_HEADER, check_host, check_key, check_origin, read_cookie_key

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from assay.web.server import Server

MAX_FORM_BYTES = 1_000_000
MAX_FORM_FIELDS = 1000
MAX_DRAINED_BYTES, DRAIN_SECONDS = 64_000_000, 5.0
IDLE_SECONDS = 60.0  # how long a browser may pause within the body of a request
FORM_TYPE = "application/x-www-form-urlencoded"


class Application:
    """Check a request, route it, send the response; never a traceback."""

    def __init__(self, server: Server) -> None:
        """Collect the routes."""
        from assay.web.routes import make_routes

        self.server = server
        self.router = Router(make_routes(), redirect_slashes=False, default=refuse_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        scope["assay.server"], scope["assay.form"] = self.server, {}
        receive = limit_pauses(receive)
        request = Request(scope, receive)
        sender = HeaderSender(send, self._make_cookie(request))
        try:
            await self._check(request)
            await self.router(scope, receive, sender)
            return
        except (ClientDisconnect, ConnectionError, TimeoutError):
            return
        except AssayError as error:
            response = make_error_response(request, str(error), getattr(error, "status", 400))
        except Exception as error:  # the page shows one line, whatever went wrong
            sys.stderr.write(f"Error: {request.method} {request.url.path}: {type(error).__name__}.\n")
            response = make_error_response(request, f"Internal error: {type(error).__name__}.", 500)
        if not sender.started:
            await drain_body(receive, scope)
            await response(scope, receive, sender)

    async def _check(self, request: Request) -> None:
        """Refuse requests that are not from our own pages, and read the form."""
        server, headers = self.server, request.headers
        n_bytes = read_length(request)
        check_host(headers.get("Host"), server.host)
        header = headers.get(TOKEN_HEADER)
        if request.method in ("GET", "HEAD"):
            if not request.url.path.startswith("/static/"):
                query = request.query_params.get("token")
                check_key(server.token, header, query, read_cookie_key(headers, server.cookie))
            return
        if request.method != "POST":
            raise MethodNotAllowedError(f"Requests of the kind {request.method[:20]} are not accepted.")
        check_origin(headers)
        if headers.get("Content-Type", "").startswith(FORM_TYPE):
            request.scope["assay.form"] = await read_form(request, n_bytes)
        check_key(server.token, header, request.scope["assay.form"].get("token", [""])[0])

    def _make_cookie(self, request: Request) -> dict[str, str]:
        """Store the key of the address in the browser."""
        if request.query_params.get("token") != self.server.token:
            return {}
        return {"Set-Cookie": f"{self.server.cookie}={self.server.token}; Path=/; HttpOnly; SameSite=Strict"}


class HeaderSender:
    """Send a response with our headers, unless it has its own."""

    def __init__(self, send: Send, cookie: dict[str, str]) -> None:
        """Start before the response."""
        self._send, self._headers, self.started = send, {**HEADERS, **cookie}, False

    async def __call__(self, message: Message) -> None:
        """Send one message."""
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
        await self._send(message)


async def refuse_address(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """Refuse an address that no route has."""
    raise NotFoundError("There is no such page.")


def limit_pauses(receive: Receive) -> Receive:
    """Return a function that waits for the next part of a body, but not forever."""

    async def receive_in_time() -> Message:
        return await asyncio.wait_for(receive(), IDLE_SECONDS)

    return receive_in_time


def read_length(request: Request) -> int:
    """Return the length of the body."""
    header = request.headers.get("Content-Length")
    if "Transfer-Encoding" in request.headers or (request.method == "POST" and header is None):
        raise BadRequestError("A request with a body needs a Content-Length.")
    if header is not None and not (header.isascii() and header.isdigit() and len(header) < 16):
        raise BadRequestError("The Content-Length is not a number.")
    return int(header or 0)


async def read_form(request: Request, n_bytes: int) -> dict[str, list[str]]:
    """Return the fields of a form."""
    if n_bytes > MAX_FORM_BYTES:
        raise TooLargeError(f"The form has {n_bytes:,} bytes; at most {MAX_FORM_BYTES:,} are accepted.")
    content = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(content, keep_blank_values=True, max_num_fields=MAX_FORM_FIELDS)
    except ValueError:
        raise BadRequestError(f"The form has more than {MAX_FORM_FIELDS} fields.") from None


async def drain_body(receive: Receive, scope: Scope) -> None:
    """Read part of a refused body, because browsers drop the response if the connection closes early."""
    if scope["method"] != "POST":
        return
    n_bytes, deadline = 0, time.monotonic() + DRAIN_SECONDS
    while n_bytes < MAX_DRAINED_BYTES and time.monotonic() < deadline:
        try:
            message = await asyncio.wait_for(receive(), 1.0)
        except TimeoutError:
            return
        n_bytes += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def make_error_response(request: Request, message: str, status: int) -> Response:
    """Return an error as a page, or as JSON for our script."""
    if "application/json" in request.headers.get("Accept", ""):
        return JSONResponse({"error": message}, status)
    from assay.web.pages.templates import message_page

    return HTMLResponse(message_page(message), status)

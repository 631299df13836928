"""One HTTP request: check it, pass it to its route, send the response."""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from io import BufferedIOBase
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qs, urlsplit

from assay.base.errors import AssayError
from assay.web.responses import BadRequestError, Response, TooLargeError, html_response, json_response
from assay.web.security import HEADERS, TOKEN_HEADER, check_host, check_key, check_origin, read_cookie_key

if TYPE_CHECKING:
    from email.message import Message

    from assay.web.server import Server

MAX_FORM_BYTES = 1_000_000
MAX_DRAINED_BYTES, DRAIN_SECONDS = 64_000_000, 5.0


class Body:
    """The body of a request, and how many of its bytes are unread."""

    def __init__(self, stream: BufferedIOBase, n_bytes: int) -> None:
        """Start at the length in the header."""
        self._stream, self.n_left = stream, n_bytes

    def read(self, n: int) -> bytes:
        """Read at most n bytes, and never past the end."""
        chunk = self._stream.read(min(n, self.n_left))
        self.n_left -= len(chunk)
        return chunk


@dataclass
class Request:
    """A request that passed the checks."""

    server: Server
    method: str
    path: str
    query: dict[str, str]
    headers: Message
    body: Body
    n_bytes: int
    form: dict[str, list[str]] = field(default_factory=dict)

    def form_value(self, name: str, default: str = "") -> str:
        """Return a field of the form."""
        return self.form.get(name, [default])[0]


class Handler(BaseHTTPRequestHandler):
    """Check a request, route it, send the response; never a traceback."""

    server_version, sys_version = "assay", ""
    timeout = 60

    def setup(self) -> None:
        """Start with an empty body."""
        super().setup()
        self._body = Body(self.rfile, 0)

    def do_GET(self) -> None:
        """Send a page or a file."""
        self._respond("GET")

    def do_HEAD(self) -> None:
        """Send the headers alone."""
        self._respond("GET")

    def do_POST(self) -> None:
        """Carry out an action."""
        self._respond("POST")

    def log_message(self, *_: object) -> None:
        """Write no log to the terminal."""

    def _respond(self, method: str) -> None:
        from assay.web.routes import answer_request

        try:
            request = self._make_request(method)
            response = answer_request(request, request.path)
        except AssayError as error:
            response = self._error_response(str(error), error.status if isinstance(error, BadRequestError) else 400)
        except (ConnectionError, TimeoutError):
            self.close_connection = True
            return
        except Exception as error:  # the page shows one line, whatever went wrong
            sys.stderr.write(f"Error: {self.command} {strip_query(self.path)}: {type(error).__name__}.\n")
            response = self._error_response(f"Internal error: {type(error).__name__}.", 500)
        self._send(response)
        self._drain()

    def _make_request(self, method: str) -> Request:
        """Return the request, if it is allowed."""
        server, address = cast("Server", self.server), urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query, keep_blank_values=True).items()}
        n_bytes = _read_length(self.headers.get("Content-Length"), self.headers.get("Transfer-Encoding"), method)
        self._body = Body(self.rfile, n_bytes)
        check_host(self.headers.get("Host"), server.host)
        request = Request(server, method, address.path, query, self.headers, self._body, n_bytes)
        header = self.headers.get(TOKEN_HEADER)
        if method == "POST":
            check_origin(self.headers)
            self._read_form(request)
            check_key(server.token, header, request.form_value("token"))
        elif not address.path.startswith("/static/"):
            check_key(server.token, header, query.get("token"), read_cookie_key(self.headers, server.cookie))
        return request

    def _read_form(self, request: Request) -> None:
        if not (self.headers.get("Content-Type") or "").startswith("application/x-www-form-urlencoded"):
            return
        if request.n_bytes > MAX_FORM_BYTES:
            raise TooLargeError(f"The form has {request.n_bytes:,} bytes; at most {MAX_FORM_BYTES:,} are accepted.")
        content = self._body.read(request.n_bytes)
        request.form = parse_qs(content.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=1000)

    def _error_response(self, message: str, status: int) -> Response:
        if "application/json" in (self.headers.get("Accept") or ""):
            return json_response({"error": message}, status)
        from assay.web.pages import message_page

        return html_response(message_page(message), status)

    def _send(self, response: Response) -> None:
        content = response.content
        size = content.stat().st_size if isinstance(content, Path) else len(content)
        self.send_response(response.status)
        for name, value in {**HEADERS, **self._cookie_header(), **response.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        if self.command == "HEAD":
            return
        if isinstance(content, Path):
            with content.open("rb") as file:
                shutil.copyfileobj(file, self.wfile, 1 << 20)
        else:
            self.wfile.write(content)

    def _cookie_header(self) -> dict[str, str]:
        """Store the key of the address in the browser."""
        server = cast("Server", self.server)
        if f"token={server.token}" not in urlsplit(self.path).query:
            return {}
        return {"Set-Cookie": f"{server.cookie}={server.token}; Path=/; HttpOnly; SameSite=Strict"}

    def _drain(self) -> None:
        """Read part of a refused body, because the browser drops the response if the connection closes early."""
        stop_at, deadline = self._body.n_left - MAX_DRAINED_BYTES, time.monotonic() + DRAIN_SECONDS
        self.connection.settimeout(1.0)
        while self._body.n_left > max(stop_at, 0) and time.monotonic() < deadline:
            try:
                if not self._body.read(1 << 16):
                    return
            except OSError:
                return


def strip_query(address: str) -> str:
    """Return an address without its query, which may contain the key.

    >>> strip_query("/audits?token=secret")
    '/audits'
    """
    return urlsplit(address).path


def _read_length(header: str | None, encoding: str | None, method: str) -> int:
    """Return the length of the body."""
    if encoding is not None or (method == "POST" and header is None):
        raise BadRequestError("A request with a body needs a Content-Length.")
    if header is not None and not (header.isascii() and header.isdigit() and len(header) < 16):
        raise BadRequestError("The Content-Length is not a number.")
    return int(header or 0)

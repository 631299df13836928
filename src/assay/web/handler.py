"""One request: may it be answered, by whom, and how the answer goes out."""

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
from assay.web.answers import Answer, RefusedError, TooLargeError, page, values
from assay.web.security import HEADER, HEADERS, check_host, check_key, check_origin, cookie_key

if TYPE_CHECKING:
    from email.message import Message

    from assay.web.server import Server

MOST_FORM = 1_000_000
MOST_DRAINED, DRAIN_SECONDS = 64_000_000, 5.0


class Body:
    """The bytes that come with a request, and how many are still to come."""

    def __init__(self, stream: BufferedIOBase, n_bytes: int) -> None:
        """Count from the length that was told."""
        self._stream, self.left = stream, n_bytes

    def read(self, n: int) -> bytes:
        """Read at most so many bytes, and never past the end."""
        piece = self._stream.read(min(n, self.left))
        self.left -= len(piece)
        return piece


@dataclass
class Request:
    """What a page asks for."""

    server: Server
    method: str
    path: str
    query: dict[str, str]
    headers: Message
    body: Body
    n_bytes: int
    form: dict[str, list[str]] = field(default_factory=dict)

    def one(self, name: str, default: str = "") -> str:
        """Return a field of the form."""
        return self.form.get(name, [default])[0]


class Handler(BaseHTTPRequestHandler):
    """Check a request, route it, send the answer; never a traceback."""

    server_version, sys_version = "assay", ""
    timeout = 60

    def setup(self) -> None:
        """Begin with an empty body."""
        super().setup()
        self._body = Body(self.rfile, 0)

    def do_GET(self) -> None:
        """Answer with a page or a file."""
        self._answer("GET")

    def do_HEAD(self) -> None:
        """Answer with the headers alone."""
        self._answer("GET")

    def do_POST(self) -> None:
        """Do something."""
        self._answer("POST")

    def log_message(self, *_: object) -> None:
        """Write nothing: the terminal belongs to the user."""

    def _answer(self, method: str) -> None:
        from assay.web.routes import routed

        try:
            request = self._request(method)
            answer = routed(request, request.path)
        except AssayError as error:
            answer = self._refusal(str(error), error.status if isinstance(error, RefusedError) else 400)
        except (ConnectionError, TimeoutError):
            self.close_connection = True
            return
        except Exception as error:  # the page shows one line, whatever broke
            sys.stderr.write(f"Error: {self.command} {asked_path(self.path)}: {type(error).__name__}.\n")
            answer = self._refusal(f"Something broke: {type(error).__name__}.", 500)
        self._send(answer)
        self._drain()

    def _request(self, method: str) -> Request:
        """Return the request, if it may be answered."""
        server, asked = cast("Server", self.server), urlsplit(self.path)
        query = {name: found[0] for name, found in parse_qs(asked.query, keep_blank_values=True).items()}
        n_bytes = _length(self.headers.get("Content-Length"), self.headers.get("Transfer-Encoding"), method)
        self._body = Body(self.rfile, n_bytes)
        check_host(self.headers.get("Host"), server.host)
        request = Request(server, method, asked.path, query, self.headers, self._body, n_bytes)
        if method == "POST":
            check_origin(self.headers)
            self._read_form(request)
            check_key(server.token, self.headers.get(HEADER), request.one("token"))
        elif not asked.path.startswith("/static/"):
            check_key(
                server.token, self.headers.get(HEADER), query.get("token"), cookie_key(self.headers, server.cookie)
            )
        return request

    def _read_form(self, request: Request) -> None:
        if not (self.headers.get("Content-Type") or "").startswith("application/x-www-form-urlencoded"):
            return
        if request.n_bytes > MOST_FORM:
            raise TooLargeError(f"The form has {request.n_bytes:,} bytes; at most {MOST_FORM:,} are taken.")
        content = self._body.read(request.n_bytes)
        request.form = parse_qs(content.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=1000)

    def _refusal(self, why: str, status: int) -> Answer:
        if "application/json" in (self.headers.get("Accept") or ""):
            return values({"error": why}, status)
        from assay.web.pages import message_page

        return page(message_page(why), status)

    def _send(self, answer: Answer) -> None:
        content = answer.content
        size = content.stat().st_size if isinstance(content, Path) else len(content)
        self.send_response(answer.status)
        for name, value in {**HEADERS, **self._kept_key(), **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        if self.command == "HEAD":
            return
        if isinstance(content, Path):
            with content.open("rb") as file:
                shutil.copyfileobj(file, self.wfile, 1 << 20)
        else:
            self.wfile.write(content)

    def _kept_key(self) -> dict[str, str]:
        """Let the browser keep the key that came with the address."""
        server = cast("Server", self.server)
        if f"token={server.token}" not in urlsplit(self.path).query:
            return {}
        return {"Set-Cookie": f"{server.cookie}={server.token}; Path=/; HttpOnly; SameSite=Strict"}

    def _drain(self) -> None:
        """Read on a little after a refusal, or the browser would lose the answer with the connection."""
        enough, until = self._body.left - MOST_DRAINED, time.monotonic() + DRAIN_SECONDS
        self.connection.settimeout(1.0)
        while self._body.left > max(enough, 0) and time.monotonic() < until:
            try:
                if not self._body.read(1 << 16):
                    return
            except OSError:
                return


def asked_path(address: str) -> str:
    """Return an address without its query, which may hold the key.

    >>> asked_path("/audits?token=secret")
    '/audits'
    """
    return urlsplit(address).path


def _length(header: str | None, encoding: str | None, method: str) -> int:
    """Return the length of a body; without one that is told, none is read."""
    if encoding is not None or (method == "POST" and header is None):
        raise RefusedError("A request with a body must tell its Content-Length.")
    if header is not None and not (header.isascii() and header.isdigit() and len(header) < 16):
        raise RefusedError("The Content-Length is not a number.")
    return int(header or 0)

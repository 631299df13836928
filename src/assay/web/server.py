"""The web server: for one machine and one folder, with a new key at every start."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import socketserver
import sys
import threading
import webbrowser
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError, UsageError
from assay.web.handler import Handler
from assay.web.jobs import Jobs
from assay.web.security import ANY_ADDRESS, LOCAL_NAMES
from assay.web.store import AuditStore
from assay.web.uploads import MAX_BYTES


class Server(ThreadingHTTPServer):
    """A web server for the audits of one folder; `address` is the page to open, with the key."""

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # on Windows it would let two servers share a port

    def __init__(
        self, folder: str | Path, *, host: str = "127.0.0.1", port: int = 8000, max_bytes: int = MAX_BYTES
    ) -> None:
        """Bind to the port; 0 means any free one."""
        if not 0 <= port <= 65535:
            raise UsageError(f"is {port}; ports go from 0 (any free one) to 65535.", option="port")
        self.store, self.jobs, self.max_bytes = AuditStore(folder), Jobs(), max_bytes
        self.host, self.token = host, secrets.token_urlsafe(24)
        try:
            self.address_family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), Handler)
        except OSError as error:
            raise make_bind_error(error, host, port) from error

    def server_bind(self) -> None:
        """Bind without looking up the name of this machine."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, int(self.server_address[1])

    @property
    def cookie(self) -> str:
        """Return the name of the cookie; browsers share cookies between ports."""
        return f"assay-{self.server_port}"

    @property
    def address(self) -> str:
        """Return the address of the first page, with the key."""
        return f"{self.origin}/?token={self.token}"

    @property
    def origin(self) -> str:
        """Return the address without the key."""
        name = "127.0.0.1" if self.host in ANY_ADDRESS else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002, the base's signature
        """Write the error on one line; a closed connection is no error."""
        error = sys.exc_info()[1]
        if not isinstance(error, (ConnectionError, TimeoutError)):
            sys.stderr.write(f"Error: {type(error).__name__}: {' '.join(str(error).split())}\n")

    def server_close(self) -> None:
        """Stop the audits, keep their finished sections, and close."""
        super().server_close()
        self.jobs.stop()


def serve(
    folder: str | Path = "assay-audits",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_page: bool = True,
    say: Callable[[str], Any] = print,
) -> None:
    """Serve until interrupted."""
    with Server(folder, host=host, port=port) as server:
        say(f"Audits are stored in {server.store.folder}.")
        if host not in LOCAL_NAMES:
            say(f"Warning: {host} lets other machines reach this page. Anyone with the key can see the data.")
        say(f"Open {server.address}")
        say("Press Ctrl-C to stop.")
        if open_page and _has_display():
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            if server.jobs.active_entries():
                say("Stopping; finished sections are kept …")
            raise


def _has_display() -> bool:
    """Tell whether a browser can be shown; not on Linux without a display."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def make_bind_error(error: OSError, host: str, port: int) -> AssayError:
    """Return the error for an address that cannot be bound."""
    if error.errno == errno.EADDRINUSE:
        hint = "Choose another with {port}, or 0 for any free one."
        return AssayError(f"Port {port} on {host} is in use.", hint=hint)
    if error.errno == errno.EACCES:
        return AssayError(f"Port {port} is not allowed: {error.strerror}.", hint="Choose one above 1023 with {port}.")
    return AssayError(f"{host} is not an address of this machine ({error.strerror}).", option="host")

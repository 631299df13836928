"""The server: one machine, one folder, one key a start."""

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
from assay.web.security import LOCAL, WILD
from assay.web.shelf import Shelf
from assay.web.uploads import MOST_BYTES


class Server(ThreadingHTTPServer):
    """A web server for the audits of one folder; `address` is what to open, with the key of this start."""

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere it would let two servers share a port

    def __init__(
        self, folder: str | Path, *, host: str = "127.0.0.1", port: int = 8000, most_bytes: int = MOST_BYTES
    ) -> None:
        """Bind to the port; 0 takes any free one."""
        if not 0 <= port <= 65535:
            raise UsageError(f"--port is {port}; ports go from 0 (any free one) to 65535.")
        self.shelf, self.jobs, self.most_bytes = Shelf(folder), Jobs(), most_bytes
        self.host, self.token = host, secrets.token_urlsafe(24)
        try:
            self.address_family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), Handler)
        except OSError as error:
            raise AssayError(_why(error, host, port)) from error

    def server_bind(self) -> None:
        """Bind without asking the network what this machine is called."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, int(self.server_address[1])

    @property
    def cookie(self) -> str:
        """Name the cookie; browsers do not keep those of two ports apart."""
        return f"assay-{self.server_port}"

    @property
    def address(self) -> str:
        """Return the address of the first page, with the key."""
        return f"{self.place}/?token={self.token}"

    @property
    def place(self) -> str:
        """Return the address without the key."""
        name = "127.0.0.1" if self.host in WILD else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002, the base's signature
        """Say what broke in one line; a browser that went away is no error."""
        error = sys.exc_info()[1]
        if not isinstance(error, (ConnectionError, TimeoutError)):
            sys.stderr.write(f"Error: {type(error).__name__}: {' '.join(str(error).split())}\n")

    def server_close(self) -> None:
        """Stop the audits, keeping what is done, and close."""
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
        say(f"Audits are kept in {server.shelf.folder}.")
        if host not in LOCAL:
            say(f"Warning: --host {host} lets other machines reach this page. Whoever has the key sees the data.")
        say(f"Open {server.address}")
        say("Ctrl-C ends.")
        if open_page and _has_screen():
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            if server.jobs.at_work():
                say("Keeping what the audits have done …")
            raise


def _has_screen() -> bool:
    """Tell whether a browser could show anything: not so on a Linux machine without a display."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use. Give another with --port, or --port 0 for any free one."
    if error.errno == errno.EACCES:
        return f"Port {port} may not be used: {error.strerror}. Give one above 1023 with --port."
    return f"--host {host}: no address of this machine ({error.strerror})."

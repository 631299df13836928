"""The web server: for one machine and one folder, with a new key at every start."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn

from assay.base.errors import AssayError, UsageError
from assay.web.app import Application
from assay.web.security import ANY_ADDRESS, LOCAL_NAMES
from assay.web.store import VersionStore
from assay.web.tools import Tool
from assay.web.uploads import MAX_BYTES
from assay.web.work.jobs import Jobs
from assay.web.work.tool_runs import ToolRuns

BACKLOG = 512


class Server:
    """A web server for the datasets of one folder; `address` is the page to open, with the key.

    `tools` are the commands that the page offers next to the audit.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        max_bytes: int = MAX_BYTES,
        tools: Sequence[Tool] = (),
    ) -> None:
        """Bind to the port; 0 means any free one."""
        if not 0 <= port <= 65535:
            raise UsageError(f"is {port}; ports go from 0 (any free one) to 65535.", option="port")
        self.store, self.jobs, self.max_bytes = VersionStore(folder), Jobs(), max_bytes
        self.tool_runs = ToolRuns()
        self.tools = {tool.name: tool for tool in tools}
        self.host, self.token = host, secrets.token_urlsafe(24)
        try:
            self._socket = bind_socket(host, port)
        except OSError as error:
            raise make_bind_error(error, host, port) from error
        self.server_port = int(self._socket.getsockname()[1])
        self.app = Application(self)
        config = uvicorn.Config(
            self.app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=3,
        )
        self._uvicorn = uvicorn.Server(config)

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

    def serve_forever(self) -> None:
        """Answer requests until `shutdown` is called or the process is interrupted."""
        self._uvicorn.run(sockets=[self._socket])

    def shutdown(self) -> None:
        """Ask `serve_forever` to return."""
        self._uvicorn.should_exit = True

    def close(self) -> None:
        """Stop the audits, keep their finished sections, and close the port."""
        self._socket.close()
        self.tool_runs.stop_all()
        self.jobs.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def bind_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens, so that the port is known before the first request."""
    family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # on Windows it would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(BACKLOG)
    except OSError:
        bound.close()
        raise
    return bound


def serve(
    folder: str | Path = "assay-audits",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_page: bool = True,
    say: Callable[[str], Any] = print,
    tools: Sequence[Tool] = (),
) -> None:
    """Serve until interrupted."""
    with Server(folder, host=host, port=port, tools=tools) as server:
        say(f"Datasets and audits are stored in {server.store.folder}.")
        if host not in LOCAL_NAMES:
            say(f"Warning: {host} lets other machines reach this page. Anyone with the key can see the data.")
        say(f"Open {server.address}")
        say("Press Ctrl-C to stop.")
        if open_page and _has_display():
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        try:
            server.serve_forever()
        finally:
            if server.jobs.active_versions():
                say("Stopping; finished sections are kept …")


def _has_display() -> bool:
    """Return whether a browser can be shown; not on Linux without a display."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def make_bind_error(error: OSError, host: str, port: int) -> AssayError:
    """Return the error for an address that cannot be bound."""
    if error.errno == errno.EADDRINUSE:
        hint = "Choose another with {port}, or 0 for any free one."
        return AssayError(f"Port {port} on {host} is in use.", hint=hint)
    if error.errno == errno.EACCES:
        return AssayError(f"Port {port} is not allowed: {error.strerror}.", hint="Choose one above 1023 with {port}.")
    return AssayError(f"{host} is not an address of this machine ({error.strerror}).", option="host")

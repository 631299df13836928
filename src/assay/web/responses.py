"""Responses of the server, and the errors that have a status of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError

HTML, JSON = "text/html; charset=utf-8", "application/json; charset=utf-8"


class BadRequestError(AssayError):
    """A request that is refused; the message says why."""

    status = 400


class ForbiddenError(BadRequestError):
    """A request from another site, or without the key."""

    status = 403


class NotFoundError(BadRequestError):
    """A page or an audit that does not exist."""

    status = 404


class ConflictError(BadRequestError):
    """A change to an audit that is running or done."""

    status = 409


class TooLargeError(BadRequestError):
    """A body beyond the size limit."""

    status = 413


@dataclass(frozen=True)
class Response:
    """A page, a file or JSON, with status and headers."""

    content: bytes | Path
    content_type: str = HTML
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def html_response(text: str, status: int = 200) -> Response:
    """Return a page."""
    return Response(text.encode("utf-8", "replace"), HTML, status)


def json_response(content: Any, status: int = 200) -> Response:
    """Return JSON."""
    return Response(json.dumps(content).encode(), JSON, status)


def redirect(address: str) -> Response:
    """Send the browser to another page after a form."""
    return Response(b"", HTML, 303, {"Location": address})

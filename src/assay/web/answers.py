"""What the server answers, and the refusals it knows."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError

HTML, JSON = "text/html; charset=utf-8", "application/json; charset=utf-8"


class RefusedError(AssayError):
    """A request that is not answered; the message says why."""

    status = 400


class ForbiddenError(RefusedError):
    """A request from elsewhere, or without the key."""

    status = 403


class NotFoundError(RefusedError):
    """A page or an audit that does not exist."""

    status = 404


class ConflictError(RefusedError):
    """A change to an audit that is at work or done."""

    status = 409


class TooLargeError(RefusedError):
    """A body beyond the limit."""

    status = 413


@dataclass(frozen=True)
class Answer:
    """A page, a file or a few values."""

    content: bytes | Path
    kind: str = HTML
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def page(text: str, status: int = 200) -> Answer:
    """Answer with a page."""
    return Answer(text.encode("utf-8", "replace"), HTML, status)


def values(content: Any, status: int = 200) -> Answer:
    """Answer with JSON."""
    return Answer(json.dumps(content).encode(), JSON, status)


def moved(place: str) -> Answer:
    """Send the browser to another page, after something was done."""
    return Answer(b"", HTML, 303, {"Location": place})

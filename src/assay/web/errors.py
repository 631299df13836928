"""Errors that have an HTTP status of their own."""

from __future__ import annotations

from assay.base.errors import AssayError


class BadRequestError(AssayError):
    """A request that is refused; the message says why."""

    status = 400


class ForbiddenError(BadRequestError):
    """A request from another site, or without the key."""

    status = 403


class NotFoundError(BadRequestError):
    """A page or a version that does not exist."""

    status = 404


class MethodNotAllowedError(BadRequestError):
    """A method that an address does not have."""

    status = 405


class ConflictError(BadRequestError):
    """A change to a version that is being audited or is done."""

    status = 409


class TooLargeError(BadRequestError):
    """A body beyond the size limit."""

    status = 413

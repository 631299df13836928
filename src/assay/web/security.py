"""Who may ask: this machine's own pages, with the key of this start."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from email.message import Message
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from assay.web.answers import ForbiddenError

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
WILD = frozenset({"", "0.0.0.0", "::"})  # noqa: S104, to say so when a user asks for it
HEADER = "X-Assay-Token"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Same-origin and not none: with none, browsers would send forms with the origin "null".
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# The report brings its own policy; here it also loses our origin, so that no script in it could ask us for anything.
SANDBOX = {"Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'none'"}


def check_host(header: str | None, bound: str) -> None:
    """Refuse requests under a foreign name: a web site may let its name point to this machine."""
    name = host_name(header or "")
    if name in LOCAL or name == bound.lower():
        return
    if bound in WILD and (_is_address(name) or name == socket.gethostname().lower()):
        return
    raise ForbiddenError("This server answers only under its own address, such as http://127.0.0.1.")


def host_name(header: str) -> str:
    """Return the name in a Host header, without the port.

    >>> host_name("localhost:8000"), host_name("[::1]:8000"), host_name("evil.example@127.0.0.1:80")
    ('localhost', '::1', '')
    """
    if any(mark in header for mark in "@/\\ "):
        return ""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def check_origin(headers: Message) -> None:
    """Refuse what another site's page sends."""
    origin = headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != headers.get("Host"):
        raise ForbiddenError("This request comes from another site's page.")
    if headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise ForbiddenError("This request comes from another site's page.")


def check_key(token: str, *given: str | None) -> None:
    """Refuse requests that bring no key, or an old one."""
    if not any(one is not None and hmac.compare_digest(one.encode(), token.encode()) for one in given):
        raise ForbiddenError("The key is missing or old. Open the address that assay serve printed.")


def cookie_key(headers: Message, name: str) -> str | None:
    """Return the key that the browser keeps."""
    try:
        found = SimpleCookie(headers.get("Cookie", "")).get(name)
    except CookieError:
        return None
    return None if found is None else found.value


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

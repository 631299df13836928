"""Which requests are allowed: those of our own pages, with the key of this server process."""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from assay.web.errors import ForbiddenError

LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
ANY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104, to warn about them
TOKEN_HEADER = "X-Assay-Token"
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s@/\\?#:\[\]]+))(?::\d{0,5})?", re.ASCII)
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Not `no-referrer`: browsers would then send forms with the origin "null".
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# The report has its own policy; the sandbox also takes away our origin, so that no script in it can send us requests.
SANDBOX = {"Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'none'"}


def check_host(header: str | None, bound: str) -> None:
    """Refuse requests under a foreign host name: a web site can let its name point to this machine."""
    name = read_host_name(header or "")
    if name in LOCAL_NAMES or name == bound.lower():
        return
    if bound in ANY_ADDRESS and (_is_address(name) or name == socket.gethostname().lower()):
        return
    raise ForbiddenError("This server answers only under its own address, such as http://127.0.0.1.")


def read_host_name(header: str) -> str:
    """Return the name in a Host header, without the port.

    >>> read_host_name("localhost:8000"), read_host_name("[::1]:8000"), read_host_name("evil.example@127.0.0.1:80")
    ('localhost', '::1', '')
    >>> read_host_name("[::1].evil.example")
    ''
    """
    match = _HOST.fullmatch(header)
    return "" if match is None else (match[1] or match[2]).lower()


def check_origin(headers: Mapping[str, str]) -> None:
    """Refuse requests from pages of other sites."""
    origin = headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != headers.get("Host"):
        raise ForbiddenError("This request comes from a page of another site.")
    if headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise ForbiddenError("This request comes from a page of another site.")


def check_key(token: str, *keys: str | None) -> None:
    """Refuse requests without the key, or with an old one."""
    if not any(key is not None and hmac.compare_digest(key.encode(), token.encode()) for key in keys):
        raise ForbiddenError("The key is missing or old.", hint="Open the address that assay serve printed.")


def read_cookie_key(headers: Mapping[str, str], name: str) -> str | None:
    """Return the key in the cookie."""
    try:
        cookie = SimpleCookie(headers.get("Cookie", "")).get(name)
    except CookieError:
        return None
    return None if cookie is None else cookie.value


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

"""Which function answers which address; each module registers its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from assay.base.errors import AssayError
from assay.base.lazy import import_modules
from assay.web.damage import find_damage
from assay.web.errors import ConflictError
from assay.web.server import Server
from assay.web.store import Version

ACTIVE_STATES = ("waiting", "running", "stopping")
ROUTES: list[Route] = []
Page = Callable[..., Response]


@dataclass(frozen=True)
class PageRequest:
    """A request that passed the checks."""

    server: Server
    query: dict[str, str]
    form: dict[str, list[str]]

    def form_value(self, name: str) -> str:
        """Return a field of the form."""
        return self.form.get(name, [""])[0]

    def is_active(self, version: Version) -> bool:
        """Return whether a version is waiting for its audit or being audited."""
        return self.server.jobs.status(version) in ACTIVE_STATES

    def check_not_active(self, version: Version) -> None:
        """Refuse to change a version that is being audited."""
        if self.is_active(version):
            raise ConflictError("This version is being audited.", hint="Stop it first.")

    def check_changeable(self, version: Version) -> None:
        """Refuse to change the input of a result."""
        self.check_not_active(version)
        if version.has_result:
            raise ConflictError("This version has a result.", hint="Make a new version instead.")
        if version.is_damaged:
            raise ConflictError("entry.json of this version is damaged.", hint="Put it back from a backup.")


def make_request(request: Request) -> PageRequest:
    """Return what pages need of a request."""
    return PageRequest(request.scope["assay.server"], dict(request.query_params), request.scope["assay.form"])


def route(method: str, path: str) -> Callable[[Page], Page]:
    """Register a function for an address; `{version}` in it becomes the version.

    Functions may read files and wait, so each call has a thread of its own.
    """

    def register(function: Page) -> Page:
        def answer(request: Request) -> Response:
            page, arguments = make_request(request), dict[str, Any](request.path_params)
            if "version" in arguments:
                arguments["version"] = page.server.store.get(arguments["version"])
            try:
                return function(page, **arguments)
            except AssayError:
                raise
            except Exception as error:
                raise explain_damage(error, arguments.get("version")) from error

        @wraps(function)
        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(answer, request)

        ROUTES.append(Route(path, endpoint, methods=[method]))
        return function

    return register


def explain_damage(error: Exception, version: Version | None) -> Exception:
    """Return an error that names the damaged files of a version, which other errors follow from."""
    damage = [] if version is None else find_damage(version.folder)
    if not damage:
        return error
    names = ", ".join(each.file for each in damage)
    return ConflictError(f"Damaged files of this version: {names}.", hint=damage[0].action)


def redirect(address: str) -> Response:
    """Send the browser to another page after a form."""
    return RedirectResponse(address, 303)


def make_routes() -> list[Route]:
    """Return the routes of all modules."""
    import_modules(__name__, __path__)
    return list(ROUTES)

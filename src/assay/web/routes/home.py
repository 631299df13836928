"""The first page, and the files of all pages."""

from __future__ import annotations

from importlib import resources

from starlette.responses import HTMLResponse, Response

from assay.web.pages import setup
from assay.web.pages.templates import load_style
from assay.web.routes import PageRequest, redirect, route
from assay.web.uploads import copy_local_file

_SCRIPT = "text/javascript; charset=utf-8"
_STATIC = {"app.js": _SCRIPT, "review.js": _SCRIPT, "icon.svg": "image/svg+xml"}


@route("GET", "/")
def show_home(request: PageRequest) -> Response:
    """Show the first page."""
    return HTMLResponse(setup.home_page(request.server))


@route("GET", "/static/app.css")
def send_style(_request: PageRequest) -> Response:
    """Send the style sheet."""
    return Response(load_style(), media_type="text/css; charset=utf-8")


@route("GET", "/static/app.js")
def send_script(_request: PageRequest) -> Response:
    """Send the script."""
    return send_asset("app.js")


@route("GET", "/static/review.js")
def send_review_script(_request: PageRequest) -> Response:
    """Send the script of the review."""
    return send_asset("review.js")


@route("GET", "/static/icon.svg")
def send_icon(_request: PageRequest) -> Response:
    """Send the icon."""
    return send_asset("icon.svg")


@route("GET", "/static/charts.js")
def send_chart_script(_request: PageRequest) -> Response:
    """Send the script of charts, which reports have too."""
    content = (resources.files("assay.report") / "templates" / "charts.js").read_bytes()
    return Response(content, media_type=_SCRIPT)


def send_asset(name: str) -> Response:
    """Send one of our own files."""
    content = (resources.files("assay.web") / "templates" / name).read_bytes()
    return Response(content, media_type=_STATIC[name])


@route("POST", "/demo")
def start_demo(request: PageRequest) -> Response:
    """Audit the bundled data with the predictions of its systems."""
    from assay.data.bundled import find_bundled

    version = request.server.store.create()
    copy_local_file(version, "data", find_bundled())
    copy_local_file(version, "predictions", find_bundled("predictions"))
    request.server.store.assign_dataset(version, "arct")
    request.server.jobs.start(version)
    return redirect(f"/versions/{version.id}")

"""Which function answers which address."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources

from assay.web import pages, uploads
from assay.web.forms import read_encoding, read_options, read_roles
from assay.web.handler import Request
from assay.web.jobs import load_preview
from assay.web.responses import JSON, ConflictError, NotFoundError, Response, html_response, json_response, redirect
from assay.web.security import SANDBOX
from assay.web.store import ID_PATTERN, OUTPUTS, Entry

Route = Callable[..., Response]
ROUTES: list[tuple[str, re.Pattern[str], Route]] = []
_CONTENT_TYPES = {"html": "text/html; charset=utf-8", "json": JSON, "parquet": "application/vnd.apache.parquet"}
_STATIC = {"app.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"}


def route(method: str, pattern: str) -> Callable[[Route], Route]:
    """Register a function for an address."""

    def register(function: Route) -> Route:
        ROUTES.append((method, re.compile(pattern.replace("AUDIT", rf"/audits/(?P<audit>{ID_PATTERN})")), function))
        return function

    return register


def answer_request(request: Request, path: str) -> Response:
    """Call the function of an address."""
    for method, pattern, function in ROUTES:
        match = pattern.fullmatch(path)
        if match is None or method != request.method:
            continue
        arguments = match.groupdict()
        if "audit" in arguments:
            return function(request, request.server.store.get(arguments.pop("audit")), **arguments)
        return function(request, **arguments)
    raise NotFoundError("There is no such page.")


@route("GET", "/")
def show_home(request: Request) -> Response:
    """Show the first page."""
    return html_response(pages.home_page(request.server))


@route("GET", "/static/app.css")
def send_style(_request: Request) -> Response:
    """Send the style sheet."""
    return Response(pages.load_style().encode(), "text/css; charset=utf-8")


@route("GET", r"/static/(?P<name>app\.js|icon\.svg)")
def send_static(_request: Request, name: str) -> Response:
    """Send the script or the icon."""
    return Response((resources.files("assay.web") / "templates" / name).read_bytes(), _STATIC[name])


@route("POST", "/audits")
def create_audit(request: Request) -> Response:
    """Create an audit that has no files yet."""
    entry = request.server.store.create()
    return json_response({"id": entry.id, "address": f"/audits/{entry.id}"}, 201)


@route("POST", "AUDIT/files")
def upload_file(request: Request, entry: Entry) -> Response:
    """Store an uploaded file."""
    check_changeable(request, entry)
    kind, name = request.query.get("kind", "data"), request.query.get("name", "")
    uploads.receive_upload(entry, kind, name, request.body, request.n_bytes, request.server.max_bytes)
    return json_response({"files": len(entry.files())}, 201)


@route("POST", "AUDIT/remove")
def remove_file(request: Request, entry: Entry) -> Response:
    """Remove a file."""
    check_changeable(request, entry)
    entry.remove_file(request.form_value("file"))
    return redirect(f"/audits/{entry.id}")


@route("GET", "AUDIT")
def show_audit(request: Request, entry: Entry) -> Response:
    """Show an audit: its form, its progress, or its result."""
    return html_response(pages.audit_page(request.server, entry))


@route("GET", "AUDIT/state")
def send_progress(request: Request, entry: Entry) -> Response:
    """Send the progress of an audit."""
    return json_response(pages.get_progress(request.server.jobs.status(entry), entry))


@route("POST", "AUDIT/roles")
def change_roles(request: Request, entry: Entry) -> Response:
    """Preview the data again with other roles."""
    check_changeable(request, entry)
    save_form(request, entry)
    return redirect(f"/audits/{entry.id}#columns")


@route("POST", "AUDIT/start")
def start_audit(request: Request, entry: Entry) -> Response:
    """Start the audit. A running one continues; one with a result keeps it, and a copy starts."""
    if not is_active(request, entry):
        entry = request.server.store.duplicate(entry) if entry.has_result else entry
        save_form(request, entry)
        request.server.jobs.start(entry)
    return redirect(f"/audits/{entry.id}")


@route("POST", "AUDIT/cancel")
def cancel_audit(request: Request, entry: Entry) -> Response:
    """Stop the audit and keep its finished sections."""
    request.server.jobs.cancel(entry)
    return redirect(f"/audits/{entry.id}")


@route("POST", "AUDIT/again")
def duplicate_audit(request: Request, entry: Entry) -> Response:
    """Create another audit of the same files."""
    return redirect(f"/audits/{request.server.store.duplicate(entry).id}")


@route("POST", "AUDIT/delete")
def delete_audit(request: Request, entry: Entry) -> Response:
    """Delete an audit and its files."""
    check_not_active(request, entry)
    entry.delete()
    return redirect("/")


@route("GET", rf"AUDIT/(?P<name>{'|'.join(map(re.escape, OUTPUTS))})")
def send_output(request: Request, entry: Entry, name: str) -> Response:
    """Send an output file: the report as a page, or with `?download` any file as a download."""
    path = entry.folder / name
    if path.is_symlink() or not path.is_file():
        raise NotFoundError(f"This audit has no {name}.")
    download = name != "report.html" or "download" in request.query
    disposition = f'attachment; filename="{pages.make_download_name(entry)}-{name}"'
    headers = {**SANDBOX, "Content-Disposition": disposition} if download else SANDBOX
    return Response(path, _CONTENT_TYPES.get(name.rpartition(".")[2], "text/plain; charset=utf-8"), 200, headers)


@route("POST", "/demo")
def start_demo(request: Request) -> Response:
    """Audit the bundled data with the predictions of its systems."""
    from assay.data.bundled import find_bundled

    entry = request.server.store.create()
    uploads.copy_local_file(entry, "data", find_bundled())
    uploads.copy_local_file(entry, "predictions", find_bundled("predictions"))
    request.server.jobs.start(entry)
    return redirect(f"/audits/{entry.id}")


@route("GET", "/compare")
def show_comparison(request: Request) -> Response:
    """Show what changed between two audits."""
    old, new = (request.server.store.get(request.query.get(name, "")) for name in ("old", "new"))
    return html_response(pages.compare_page(request.server, old, new))


def is_active(request: Request, entry: Entry) -> bool:
    """Tell whether an audit is waiting or running."""
    return request.server.jobs.status(entry) in pages.ACTIVE_STATES


def check_not_active(request: Request, entry: Entry) -> None:
    """Refuse to change an audit that is waiting or running."""
    if is_active(request, entry):
        raise ConflictError("This audit is running.", hint="Stop it first.")


def check_changeable(request: Request, entry: Entry) -> None:
    """Refuse to change the input of a result."""
    check_not_active(request, entry)
    if entry.has_result:
        raise ConflictError("This audit is done.", hint="Run it again with changes instead.")


def save_form(request: Request, entry: Entry) -> None:
    """Save the roles and options of the form."""
    options = read_options(request.form) if "depth" in request.form else {}
    if "encoding" in request.form:
        entry.update(encoding=read_encoding(request.form))
        entry.discard_preview(roles=True)
    if "text" in request.form:
        entry.update(roles=read_roles(request.form, load_preview(entry)["columns"]))
        entry.discard_preview()
    if options:
        entry.update(options=options)

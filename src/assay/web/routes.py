"""Which function answers which address."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources

from assay.web import pages, uploads
from assay.web.answers import JSON, Answer, ConflictError, NotFoundError, moved, page, values
from assay.web.choices import chosen_encoding, chosen_options, chosen_roles
from assay.web.handler import Request
from assay.web.jobs import looked
from assay.web.security import SANDBOX
from assay.web.shelf import ID, OUTPUTS, Entry

Route = Callable[..., Answer]
ROUTES: list[tuple[str, re.Pattern[str], Route]] = []
_KINDS = {"html": "text/html; charset=utf-8", "json": JSON, "parquet": "application/vnd.apache.parquet"}
_STATIC = {"app.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"}


def route(method: str, pattern: str) -> Callable[[Route], Route]:
    """Let a function answer an address."""

    def noted(function: Route) -> Route:
        ROUTES.append((method, re.compile(pattern.replace("AUDIT", rf"/audits/(?P<audit>{ID})")), function))
        return function

    return noted


def routed(request: Request, path: str) -> Answer:
    """Find who answers, and let them."""
    for method, pattern, function in ROUTES:
        found = pattern.fullmatch(path)
        if found is None or method != request.method:
            continue
        given = found.groupdict()
        if "audit" in given:
            return function(request, request.server.shelf.entry(given.pop("audit")), **given)
        return function(request, **given)
    raise NotFoundError("There is no such page.")


@route("GET", "/")
def home(request: Request) -> Answer:
    """Show the first page."""
    return page(pages.home_page(request.server))


@route("GET", "/static/app.css")
def style(_request: Request) -> Answer:
    """Send the style: the report's, and a little of our own."""
    return Answer(pages.style().encode(), "text/css; charset=utf-8")


@route("GET", r"/static/(?P<name>app\.js|icon\.svg)")
def static(_request: Request, name: str) -> Answer:
    """Send a file of ours."""
    return Answer((resources.files("assay.web") / "templates" / name).read_bytes(), _STATIC[name])


@route("POST", "/audits")
def begin(request: Request) -> Answer:
    """Begin an audit that has no files yet."""
    entry = request.server.shelf.new()
    return values({"id": entry.id, "address": f"/audits/{entry.id}"}, 201)


@route("POST", "AUDIT/files")
def upload(request: Request, entry: Entry) -> Answer:
    """Take a file."""
    refuse_changes(request, entry)
    kind, name = request.query.get("kind", "data"), request.query.get("name", "")
    uploads.receive(entry, kind, name, request.body, request.n_bytes, request.server.most_bytes)
    return values({"files": len(entry.files())}, 201)


@route("POST", "AUDIT/remove")
def remove(request: Request, entry: Entry) -> Answer:
    """Remove a file."""
    refuse_changes(request, entry)
    entry.remove(request.one("file"))
    return moved(f"/audits/{entry.id}")


@route("GET", "AUDIT")
def show(request: Request, entry: Entry) -> Answer:
    """Show an audit: what to choose, how far it is, or what came out."""
    return page(pages.audit_page(request.server, entry))


@route("GET", "AUDIT/state")
def state(request: Request, entry: Entry) -> Answer:
    """Tell how far an audit is."""
    return values(pages.progress_of(request.server.jobs.status(entry), entry))


@route("POST", "AUDIT/roles")
def check(request: Request, entry: Entry) -> Answer:
    """Look at the data again, with other roles."""
    refuse_changes(request, entry)
    keep_choices(request, entry)
    return moved(f"/audits/{entry.id}#columns")


@route("POST", "AUDIT/start")
def start(request: Request, entry: Entry) -> Answer:
    """Start the audit; one that is at work goes on, and one that has a result keeps it: another begins."""
    if not at_work(request, entry):
        entry = request.server.shelf.again(entry) if entry.has_result else entry
        keep_choices(request, entry)
        request.server.jobs.start(entry)
    return moved(f"/audits/{entry.id}")


@route("POST", "AUDIT/cancel")
def cancel(request: Request, entry: Entry) -> Answer:
    """Stop the audit and keep what is done."""
    request.server.jobs.cancel(entry)
    return moved(f"/audits/{entry.id}")


@route("POST", "AUDIT/again")
def again(request: Request, entry: Entry) -> Answer:
    """Begin another audit of the same files."""
    return moved(f"/audits/{request.server.shelf.again(entry).id}")


@route("POST", "AUDIT/delete")
def delete(request: Request, entry: Entry) -> Answer:
    """Remove an audit and its files."""
    refuse_at_work(request, entry)
    entry.delete()
    return moved("/")


@route("GET", rf"AUDIT/(?P<name>{'|'.join(map(re.escape, OUTPUTS))})")
def output(request: Request, entry: Entry, name: str) -> Answer:
    """Send a file that came out: the report to read, or with `?download` any to keep."""
    path = entry.folder / name
    if path.is_symlink() or not path.is_file():
        raise NotFoundError(f"This audit has no {name}.")
    keep = name != "report.html" or "download" in request.query
    headers = {"Content-Disposition": f'attachment; filename="{pages.safe_name(entry)}-{name}"'} if keep else {}
    return Answer(path, _KINDS.get(name.rpartition(".")[2], "text/plain; charset=utf-8"), 200, {**SANDBOX, **headers})


@route("POST", "/demo")
def demo(request: Request) -> Answer:
    """Audit the bundled data with the predictions of its systems."""
    from assay.data.bundled import find_bundled

    entry = request.server.shelf.new()
    uploads.keep(entry, "data", find_bundled())
    uploads.keep(entry, "predictions", find_bundled("predictions"))
    request.server.jobs.start(entry)
    return moved(f"/audits/{entry.id}")


@route("GET", "/compare")
def compare(request: Request) -> Answer:
    """Show what changed between two audits."""
    shelf = request.server.shelf
    old, new = (shelf.entry(request.query.get(name, "")) for name in ("old", "new"))
    return page(pages.compare_page(request.server, old, new))


def at_work(request: Request, entry: Entry) -> bool:
    """Tell whether an audit waits or runs."""
    return request.server.jobs.status(entry) in pages.AT_WORK


def refuse_at_work(request: Request, entry: Entry) -> None:
    """Refuse to touch an audit that is at work."""
    if at_work(request, entry):
        raise ConflictError("This audit is at work. Stop it first.")


def refuse_changes(request: Request, entry: Entry) -> None:
    """Refuse to change what a result rests on."""
    refuse_at_work(request, entry)
    if entry.has_result:
        raise ConflictError("This audit is done. Run it again with changes instead.")


def keep_choices(request: Request, entry: Entry) -> None:
    """Keep the roles and options of the form."""
    options = chosen_options(request.form) if "depth" in request.form else {}
    if "encoding" in request.form:
        entry.change(encoding=chosen_encoding(request.form))
        entry.forget_look(roles=True)
    if "text" in request.form:
        entry.change(roles=chosen_roles(request.form, looked(entry)["columns"]))
        entry.forget_look()
    if options:
        entry.change(options=options)

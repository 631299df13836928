"""A version of a dataset: upload its files, check them, run the audit."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from assay.base.errors import UsageError
from assay.kinds import KINDS
from assay.web import uploads
from assay.web.errors import NotFoundError
from assay.web.forms import read_encoding, read_options, read_roles
from assay.web.pages import setup, tabs
from assay.web.routes import ACTIVE_STATES, ROUTES, PageRequest, make_request, redirect, route
from assay.web.store import Version
from assay.web.work.jobs import load_preview

MAX_NAME = 100


@route("POST", "/versions")
def create_version(request: PageRequest) -> Response:
    """Create a version that has no files yet; `of` names a version of the same dataset, whose options it takes."""
    values = {}
    if request.query.get("of"):
        old = request.server.store.get(request.query["of"]).record()
        values = {name: old[name] for name in ("dataset", "options", "task", "encoding", "log_task") if old.get(name)}
        values["of"] = request.query["of"]
    version = request.server.store.create(**values)
    return JSONResponse({"id": version.id, "address": f"/versions/{version.id}"}, 201)


async def upload_file(request: Request) -> Response:
    """Store an uploaded file; its name is kept as text and never used as a path."""
    page = make_request(request)
    version = page.server.store.get(request.path_params["version"])
    page.check_changeable(version)
    kind, name = page.query.get("kind", "auto"), page.query.get("name", "")
    n_bytes = int(request.headers["Content-Length"])
    await uploads.receive_upload(version, kind, name, request.stream(), n_bytes, page.server.max_bytes)
    return JSONResponse({"files": len(version.files())}, 201)


ROUTES.append(Route("/versions/{version}/files", upload_file, methods=["POST"]))


@route("POST", "/versions/{version}/remove")
def remove_file(request: PageRequest, version: Version) -> Response:
    """Remove a file."""
    request.check_changeable(version)
    version.remove_file(request.form_value("file"))
    return redirect(f"/versions/{version.id}")


@route("POST", "/versions/{version}/kind")
def change_kind(request: PageRequest, version: Version) -> Response:
    """Say what a file is, if it was recognised as something else."""
    request.check_changeable(version)
    kind = request.form_value("kind")
    if kind not in uploads.KINDS:
        raise UsageError(f"No kind of file '{kind[:40]}'. Known: {', '.join(uploads.KINDS)}.")
    version.set_kinds({request.form_value("file"): kind}, chosen=True)
    version.discard_preview(roles=True)
    return redirect(f"/versions/{version.id}")


@route("POST", "/versions/{version}/name")
def rename_dataset(request: PageRequest, version: Version) -> Response:
    """Make the version one of another dataset, or rename a new one."""
    request.check_not_active(version)
    name = " ".join(request.form_value("name").split())[:MAX_NAME]
    if not name:
        raise UsageError("No name is given.", hint="Name the dataset.")
    request.server.store.assign_dataset(version, name)
    return redirect(f"/versions/{version.id}")


@route("GET", "/versions/{version}")
def show_version(request: PageRequest, version: Version) -> Response:
    """Show a version: its form, its progress, or its result."""
    status = request.server.jobs.status(version)
    if version.is_damaged and not version.has_result:
        return HTMLResponse(setup.damaged_page(request.server, version))
    if status in ACTIVE_STATES:
        return HTMLResponse(setup.running_page(request.server, version, status))
    if version.has_result:
        return HTMLResponse(tabs.overview_page(request.server, version))
    return HTMLResponse(setup.setup_page(request.server, version, status))


@route("GET", "/versions/{version}/state")
def send_progress(request: PageRequest, version: Version) -> Response:
    """Send the progress of an audit."""
    return JSONResponse(setup.get_progress(request.server.jobs.status(version), version))


@route("GET", "/versions/{version}/partial")
def send_partial(request: PageRequest, version: Version) -> Response:
    """Send the findings of the sections that have ended."""
    return HTMLResponse(setup.findings_fragment(request.server, version))


@route("POST", "/versions/{version}/roles")
def change_roles(request: PageRequest, version: Version) -> Response:
    """Preview the data again with other roles."""
    request.check_changeable(version)
    save_form(request, version)
    return redirect(f"/versions/{version.id}#columns")


@route("POST", "/versions/{version}/log-task")
def choose_log_task(request: PageRequest, version: Version) -> Response:
    """Choose one task of logs that have several, whose audit is a dataset of its own; or audit all of them."""
    request.check_changeable(version)
    tasks = setup.prepare_preview(request.server, version)["log_tasks"]
    if request.form_value("all"):
        for number, task in enumerate(tasks):
            one = version if number == len(tasks) - 1 else request.server.store.duplicate(version)
            take_log_task(request, one, task)
            request.server.jobs.start(one)
        return redirect("/")
    task = request.form_value("log_task")
    if task not in tasks:
        raise UsageError(f"The logs have no task '{task[:80]}'.", hint="Choose one of the list.")
    take_log_task(request, version, task)
    return redirect(f"/versions/{version.id}")


def take_log_task(request: PageRequest, version: Version, task: str) -> None:
    """Make a version one of the dataset with the name of a task."""
    version.update(log_task=task)
    version.discard_preview(roles=True)
    request.server.store.assign_dataset(version, task)


@route("POST", "/versions/{version}/start")
def start_audit(request: PageRequest, version: Version) -> Response:
    """Start the audit. A running one continues; one with a result keeps it, and a copy starts."""
    if not request.is_active(version):
        version = request.server.store.duplicate(version) if version.has_result else version
        save_form(request, version)
        request.server.jobs.start(version)
    return redirect(f"/versions/{version.id}")


@route("POST", "/versions/{version}/cancel")
def cancel_audit(request: PageRequest, version: Version) -> Response:
    """Stop the audit and keep its finished sections."""
    request.server.jobs.cancel(version)
    return redirect(f"/versions/{version.id}")


@route("POST", "/versions/{version}/again")
def duplicate_version(request: PageRequest, version: Version) -> Response:
    """Create another version of the same files."""
    return redirect(f"/versions/{request.server.store.duplicate(version).id}")


@route("POST", "/restore")
def restore_version(request: PageRequest) -> Response:
    """Put back the version that was deleted last."""
    version = request.server.store.restore()
    if version is None:
        raise NotFoundError("Nothing that was deleted can be put back.")
    return redirect(f"/versions/{version.id}")


@route("POST", "/versions/{version}/delete")
def delete_version(request: PageRequest, version: Version) -> Response:
    """Delete a version and its files; its runs of tools end first."""
    request.check_not_active(version)
    request.server.tool_runs.stop_version(version)
    version.delete()
    return redirect("/")


def save_form(request: PageRequest, version: Version) -> None:
    """Save the roles and options of the form; roles that were recognised anyway are not fixed."""
    options = read_options(request.form) if "depth" in request.form else {}
    if "encoding" in request.form:
        version.update(encoding=read_encoding(request.form))
        version.discard_preview(roles=True)
    if "task" in request.form:
        save_task(request, version)
    if "text" in request.form:
        preview = setup.prepare_preview(request.server, version)
        roles = read_roles(request.form, preview["columns"])
        recognised = {name: preview["roles"].get(name) for name in roles}
        if roles != recognised or preview["error"]:
            version.update(roles=roles)
            version.discard_preview()
    if options:
        version.update(options=options)


def save_task(request: PageRequest, version: Version) -> None:
    """Save the kind of task that the user chose."""
    task = request.form_value("task")
    if task not in ("auto", *KINDS):
        raise UsageError(f"No kind of task '{task[:40]}'. Known: {', '.join(KINDS)}.")
    if task != (version.record().get("task") or "auto"):
        load_preview(version)
        version.update(task=task)
        version.discard_preview()

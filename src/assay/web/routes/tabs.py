"""The tabs of a version that has a result, and its files."""

from __future__ import annotations

from starlette.responses import FileResponse, HTMLResponse, Response

from assay.web.errors import NotFoundError
from assay.web.pages import tabs
from assay.web.pages.summaries import make_download_name
from assay.web.routes import PageRequest, redirect, route
from assay.web.security import SANDBOX
from assay.web.store import OUTPUTS, REPAIR_FILES, Version
from assay.web.suppressions import add_rule, remove_rule
from assay.web.work.jobs import apply_suppressions

_CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}


def check_result(version: Version) -> None:
    """Refuse the tabs of a version without a result."""
    if not version.has_result:
        raise NotFoundError("This version has no result yet.")


@route("GET", "/versions/{version}/findings")
def show_findings(request: PageRequest, version: Version) -> Response:
    """Show the findings."""
    check_result(version)
    return HTMLResponse(tabs.findings_page(request.server, version))


@route("GET", "/versions/{version}/sections")
def show_sections(request: PageRequest, version: Version) -> Response:
    """Show everything that was measured."""
    check_result(version)
    return HTMLResponse(tabs.sections_page(request.server, version))


@route("POST", "/versions/{version}/suppress")
def suppress_finding(request: PageRequest, version: Version) -> Response:
    """Suppress a finding with a reason, for this version and all later ones."""
    check_result(version)
    findings = {anchor: (code, subject) for anchor, code, subject in tabs.list_findings(tabs.load_audit(version))}
    anchor = request.form_value("finding")
    if anchor not in findings:
        raise NotFoundError(f"There is no finding {anchor[:40]}.")
    add_rule(version, *findings[anchor], request.form_value("reason"))
    apply_suppressions(version)
    return redirect(f"/versions/{version.id}/findings#suppressed")


@route("POST", "/versions/{version}/restore")
def restore_finding(request: PageRequest, version: Version) -> Response:
    """Let a suppressed finding count again."""
    check_result(version)
    remove_rule(version, request.form_value("code"), request.form_value("subject"))
    apply_suppressions(version)
    return redirect(f"/versions/{version.id}/findings")


@route("GET", "/versions/{version}/systems")
def show_systems(request: PageRequest, version: Version) -> Response:
    """Show what the audit says about the systems."""
    check_result(version)
    return HTMLResponse(tabs.systems_page(request.server, version))


@route("GET", "/versions/{version}/compare")
def show_comparison(request: PageRequest, version: Version) -> Response:
    """Show the history, and what changed since another version; by default the one before."""
    check_result(version)
    store = request.server.store
    if "old" in request.query:
        old: Version | None = store.get(request.query["old"])
        check_result(old)  # type: ignore[arg-type]
    else:
        others = [each for each in store.versions_of(version.name) if each.has_result and each.id < version.id]
        old = others[0] if others else None
    return HTMLResponse(tabs.compare_page(request.server, version, old))


@route("GET", "/versions/{version}/files")
def show_files(request: PageRequest, version: Version) -> Response:
    """Show the files to download."""
    check_result(version)
    return HTMLResponse(tabs.files_page(request.server, version))


def send_output(request: PageRequest, version: Version, name: str) -> Response:
    """Send an output file: the report as a page, or with `?download` any file as a download."""
    path = version.folder / name
    if name not in (*OUTPUTS, *REPAIR_FILES) or path.is_symlink() or not path.is_file():
        raise NotFoundError(f"This version has no {name[:40]}.")
    headers = dict(SANDBOX)
    if name != "report.html" or "download" in request.query:
        headers["Content-Disposition"] = f'attachment; filename="{make_download_name(version)}-{name}"'
    content_type = _CONTENT_TYPES.get(name.rpartition(".")[2], "text/plain; charset=utf-8")
    return FileResponse(path, headers=headers, media_type=content_type)


route("GET", "/versions/{version}/output/{name}")(send_output)

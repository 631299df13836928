"""Splits and tools: run commands on the files of a version."""

from __future__ import annotations

import shutil

from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from assay.base.errors import UsageError
from assay.system.files import delete_folder
from assay.web.errors import ConflictError, NotFoundError
from assay.web.pages import tools
from assay.web.pages.summaries import make_download_name
from assay.web.routes import PageRequest, redirect, route
from assay.web.security import SANDBOX
from assay.web.store import Version
from assay.web.tools import Tool
from assay.web.work.tool_runs import OUTPUT_NAMES, create_run, get_run, write_arguments


def find_tool(request: PageRequest, name: str) -> Tool:
    """Return a tool by its name."""
    if name not in request.server.tools:
        raise NotFoundError(f"There is no tool {name[:40]}.")
    return request.server.tools[name]


@route("GET", "/versions/{version}/tools")
def show_tools(request: PageRequest, version: Version) -> Response:
    """Show the list of tools."""
    return HTMLResponse(tools.tools_page(request.server, version))


@route("GET", "/versions/{version}/tools/{name}")
def show_tool(request: PageRequest, version: Version, name: str) -> Response:
    """Show the form of a tool."""
    return HTMLResponse(tools.tool_page(request.server, version, find_tool(request, name)))


@route("POST", "/versions/{version}/tools/{name}")
def start_tool(request: PageRequest, version: Version, name: str) -> Response:
    """Run a tool."""
    tool = find_tool(request, name)
    run = create_run(version)
    try:
        arguments = write_arguments(tool, version, run, request.form)
    except BaseException:
        shutil.rmtree(run.folder, ignore_errors=True)
        raise
    request.server.tool_runs.start(run, tool.name, [(tool, arguments)])
    return redirect(f"/versions/{version.id}/runs/{run.id}")


@route("GET", "/versions/{version}/splits")
def show_splits(request: PageRequest, version: Version) -> Response:
    """Show the splits of the audit, and a form to make others."""
    return HTMLResponse(tools.splits_page(request.server, version))


@route("POST", "/versions/{version}/splits")
def start_split(request: PageRequest, version: Version) -> Response:
    """Split the data, compare the parts, and score the systems or a quick model under the split."""
    split, form = find_tool(request, "split"), request.form
    size = "n_splits" if request.form_value("size") == "folds" else "test_size"
    chosen = {"method": form.get("method", []), size: form.get(size, []), "seed": form.get("seed", [])}
    chosen["keep_together"] = ["duplicates"] if form.get("duplicates") else []
    if not request.form_value("method"):
        raise UsageError("No method is chosen.")
    run = create_run(version)
    try:
        commands = [(split, write_arguments(split, version, run, chosen))]
        for name, options in (("compare", {"permutations": ["20"]}), *choose_scoring(request, version)):
            tool = find_tool(request, name)
            words = write_arguments(tool, version, run, options)
            folds = run.folder / "split.tsv"
            flag = next(each.flag for each in tool.inputs if each.kinds == ("folds",))
            commands.append((tool, [*words, f"{flag}={folds}" if flag else str(folds)]))
    except BaseException:
        shutil.rmtree(run.folder, ignore_errors=True)
        raise
    title = (
        f"split: {request.form_value('method')}, {request.form_value(size)} {'folds' if size == 'n_splits' else 'test'}"
    )
    request.server.tool_runs.start(run, title[:100], commands)
    return redirect(f"/versions/{version.id}/runs/{run.id}")


def choose_scoring(request: PageRequest, version: Version) -> list[tuple[str, dict[str, list[str]]]]:
    """Return the commands that score under a split, as the form asks."""
    scoring = request.form_value("scoring")
    if scoring == "systems" and version.files("predictions"):
        return [("evaluate", {})]
    return [("train", {"models": ["linear"]})] if scoring == "model" else []


@route("GET", "/versions/{version}/runs/{name}")
def show_run(request: PageRequest, version: Version, name: str) -> Response:
    """Show what a run printed, and its files."""
    return HTMLResponse(tools.run_page(request.server, version, get_run(version, name)))


@route("GET", "/versions/{version}/runs/{name}/state")
def send_run_state(request: PageRequest, version: Version, name: str) -> Response:
    """Send whether a run has ended."""
    return JSONResponse({"status": request.server.tool_runs.status(get_run(version, name))})


@route("POST", "/versions/{version}/runs/{name}/stop")
def stop_run(request: PageRequest, version: Version, name: str) -> Response:
    """End a run at once."""
    request.server.tool_runs.stop(get_run(version, name))
    return redirect(f"/versions/{version.id}/runs/{name}")


@route("POST", "/versions/{version}/runs/{name}/delete")
def delete_run(request: PageRequest, version: Version, name: str) -> Response:
    """Delete a run and its files."""
    run = get_run(version, name)
    if request.server.tool_runs.status(run) == "running":
        raise ConflictError("This run has not ended.", hint="Stop it first.")
    delete_folder(run.folder)
    return redirect(f"/versions/{version.id}/tools")


@route("GET", "/versions/{version}/runs/{name}/output/{file}")
def send_run_output(request: PageRequest, version: Version, name: str, file: str) -> Response:  # noqa: ARG001
    """Send a file that a run wrote."""
    run = get_run(version, name)
    path = run.folder / file
    if not OUTPUT_NAMES.fullmatch(file) or file not in run.outputs() or path.is_symlink():
        raise NotFoundError(f"This run has no {file[:40]}.")
    disposition = f'attachment; filename="{make_download_name(version)}-{file}"'
    return FileResponse(path, headers={**SANDBOX, "Content-Disposition": disposition})

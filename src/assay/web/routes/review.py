"""Reviewing gold labels: draw items, give verdicts one after the other, take them back, and download them."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.responses import HTMLResponse, JSONResponse, Response

from assay.base.errors import AssayError, UsageError
from assay.reviews import write_plan
from assay.system.files import make_temporary_folder
from assay.web.decisions import add_decisions
from assay.web.errors import ConflictError
from assay.web.items.table import is_small_number
from assay.web.pages import review as pages
from assay.web.pages.summaries import make_download_name
from assay.web.reviews import (
    MAX_SIZE,
    PLAN,
    VERDICTS,
    ChangedVerdictError,
    UnknownLabelError,
    choose_verdict,
    get_review,
    identify_verdict,
    load_review,
    read_reviewer,
    save_verdict,
    tabulate_review,
    to_decisions,
)
from assay.web.routes import PageRequest, redirect, route
from assay.web.routes.tabs import check_result
from assay.web.store import Version
from assay.web.work.jobs import draw_review


@route("GET", "/versions/{version}/review")
def show_review(request: PageRequest, version: Version) -> Response:
    """Show the next item of a reviewer, or how to begin."""
    check_result(version)
    return send_page(request, version, request.query.get("reviewer", "").strip(), request.query)


@route("POST", "/versions/{version}/review/start")
def start_review(request: PageRequest, version: Version) -> Response:
    """Draw the first batch."""
    check_result(version)
    reviewer, size = read_reviewer(request.form_value("reviewer")), request.form_value("size")
    if not is_small_number(size) or not 1 <= int(size) <= MAX_SIZE:
        raise UsageError(f"The size of a batch is '{size[:20]}'; it must be a whole number from 1 to {MAX_SIZE}.")
    review = load_review(version)
    if review is not None and review.items:
        raise ConflictError("This version has a review.", hint="Continue it.")
    version.write(PLAN, {"items": [], "size": int(size), "seed": 0, "labels": [], "notes": [], "error": None})
    return draw_batch(request, version, reviewer)


@route("POST", "/versions/{version}/review/more")
def continue_review(request: PageRequest, version: Version) -> Response:
    """Draw a further batch when the last one is complete."""
    check_result(version)
    reviewer, review = read_reviewer(request.form_value("reviewer")), get_review(version)
    if review.is_complete:  # otherwise another window has drawn it, or items were skipped
        return draw_batch(request, version, reviewer)
    return send_next(request, version, reviewer)


@route("POST", "/versions/{version}/review/verdict")
def give_verdict(request: PageRequest, version: Version) -> Response:
    """Save a verdict, and show the next item."""
    check_result(version)
    reviewer, id_ = read_reviewer(request.form_value("reviewer")), request.form_value("id")
    choice, _, label = request.form_value("choice").partition(" ")
    item = get_review(version).get_item(id_)
    try:
        label = request.form_value("new_label") if choice == "new" else label
        is_new = request.form_value("confirmed") == label and choice == "new"
        verdict = choose_verdict(item, choice, label, request.form_value("comment"), is_new=is_new)
        save_verdict(version, id_, reviewer, verdict, request.form.get("seen", [None])[0])
    except (ChangedVerdictError, UnknownLabelError) as error:
        if "fragment" not in request.query:
            raise
        return describe_problem(error, label)
    return send_next(request, version, reviewer)


def describe_problem(error: AssayError, label: str) -> Response:
    """Return what the script shows when a verdict was not saved, and what makes the same request succeed."""
    if isinstance(error, ChangedVerdictError):
        return JSONResponse({"error": str(error), "seen": identify_verdict(error.current)}, 409)
    return JSONResponse({"error": f"{error}", "confirmed": label}, 400)


@route("POST", "/versions/{version}/review/undo")
def take_back(request: PageRequest, version: Version) -> Response:
    """Take back the last verdict of a reviewer, and show its item again."""
    check_result(version)
    reviewer = read_reviewer(request.form_value("reviewer"))
    last = get_review(version).find_last(reviewer)
    if last is None:
        raise ConflictError("There is no verdict to take back.")
    save_verdict(version, last, reviewer, None, None)
    return send_next(request, version, reviewer, item=last)


@route("POST", "/versions/{version}/review/accept")
def accept_verdicts(_request: PageRequest, version: Version) -> Response:
    """Make decisions of the verdicts: relabel bad items with a right label, drop the others."""
    check_result(version)
    add_decisions(version, to_decisions(get_review(version)))
    return redirect(f"/versions/{version.id}/files#repair")


@route("POST", "/versions/{version}/review/discard")
def discard_review(_request: PageRequest, version: Version) -> Response:
    """Delete the drawn items and all verdicts."""
    check_result(version)
    for name in (PLAN, VERDICTS):
        (version.folder / name).unlink(missing_ok=True)
    return redirect(f"/versions/{version.id}/review")


@route("GET", "/versions/{version}/review/review.tsv")
def send_review(_request: PageRequest, version: Version) -> Response:
    """Send the table that `assay review estimate` reads, with all verdicts and comments."""
    check_result(version)
    frame = tabulate_review(get_review(version))
    with make_temporary_folder(version.folder) as folder:
        write_plan(folder / "review.tsv", frame)
        content = (folder / "review.tsv").read_bytes()
    name = f"{make_download_name(version)}-review.tsv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers, media_type="text/tab-separated-values; charset=utf-8")


def draw_batch(request: PageRequest, version: Version, reviewer: str) -> Response:
    """Draw items, which takes a few seconds, and show the first one."""
    error = draw_review(version)
    if error is not None:
        raise UsageError(error)
    return send_next(request, version, reviewer)


def send_next(request: PageRequest, version: Version, reviewer: str, *, item: str = "") -> Response:
    """Show the next item: as part of the page to our script, or as a page of its own."""
    values = {"reviewer": reviewer, "again": request.form_value("again"), "item": item}
    values = {name: value for name, value in values.items() if value}
    if "fragment" in request.query:
        return send_page(request, version, reviewer, {**values, "fragment": "1"})
    return redirect(f"/versions/{version.id}/review?{urlencode(values)}")


def send_page(request: PageRequest, version: Version, reviewer: str, values: dict[str, str]) -> Response:
    """Send the page, or a part of it."""
    return HTMLResponse(pages.review_page(request.server, version, reviewer, values))

"""The items of a version: the table, the drawer, decisions, and the repaired data."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.responses import HTMLResponse, JSONResponse, Response

from assay.base.errors import UsageError
from assay.web.decisions import (
    MAX_DECISIONS,
    EditedError,
    ItemDecision,
    add_decisions,
    identify_decision,
    load_decisions,
    save_decision,
)
from assay.web.errors import NotFoundError
from assay.web.items.table import is_small_number
from assay.web.pages import items
from assay.web.routes import PageRequest, redirect, route
from assay.web.routes.tabs import check_result
from assay.web.store import REPAIRED, Version
from assay.web.uploads import copy_local_file
from assay.web.work.jobs import make_repair


@route("GET", "/versions/{version}/items")
def show_items(request: PageRequest, version: Version) -> Response:
    """Show the items that the address asks for; `item` names one of them, which is then shown."""
    check_result(version)
    row = items.find_item(version, request.query["item"]) if request.query.get("item") else None
    if row is not None:
        return redirect(
            f"/versions/{version.id}/items/{row}?{urlencode({'finding': request.query.get('finding', '')})}"
        )
    return HTMLResponse(items.items_page(request.server, version, request.query))


@route("GET", "/versions/{version}/items/{row}")
def show_item(request: PageRequest, version: Version, row: str) -> Response:
    """Show one item."""
    check_result(version)
    if not is_small_number(row):
        raise NotFoundError("There is no such item.")
    return HTMLResponse(items.item_page(request.server, version, int(row), request.query))


@route("GET", "/versions/{version}/items/{row}/response")
def show_response(request: PageRequest, version: Version, row: str) -> Response:
    """Show the whole response of a system to an item."""
    check_result(version)
    repeat = request.query.get("repeat", "0")
    if not is_small_number(row) or not is_small_number(repeat):
        raise NotFoundError("There is no such response.")
    system = request.query.get("system", "")
    return HTMLResponse(items.response_page(request.server, version, int(row), system, int(repeat)))


@route("POST", "/versions/{version}/decide")
def decide_item(request: PageRequest, version: Version) -> Response:
    """Keep, relabel or drop one item, or take the decision back."""
    check_result(version)
    row, action = request.form_value("row"), request.form_value("action")
    table = items.TABLES.open(version.folder)
    if table is None or not is_small_number(row) or int(row) >= len(table):
        raise NotFoundError("There is no such item.")
    item = table.take([int(row)])[0]
    label = request.form_value("label").strip() or str(item.get("suggested") or "")
    reason = request.form_value("reason").strip() or (item.get("reasons") or "")
    decision = None if action == "undo" else ItemDecision(action, label if action == "relabel" else "", reason)
    try:
        save_decision(version, str(item["id"]), decision, request.form.get("seen", [None])[0])
    except EditedError as error:
        if "fragment" not in request.query:
            raise
        return JSONResponse({"error": str(error), "seen": identify_decision(error.current)}, error.status)
    if "fragment" in request.query:
        return JSONResponse({"action": action, "n": len(load_decisions(version))})
    return redirect(f"/versions/{version.id}/items?{request.form_value('back')}#item-{row}")


@route("POST", "/versions/{version}/accept")
def accept_proposals(request: PageRequest, version: Version) -> Response:
    """Accept what the audit proposes for all items of a filter: drop those to retire, relabel if a label is known."""
    check_result(version)
    selection = items.ItemRequest.make(version, {name: values[0] for name, values in request.form.items()})
    rows = selection.table.select(selection.query)
    if len(rows) > MAX_DECISIONS:
        raise UsageError(f"{len(rows):,} items match; at most {MAX_DECISIONS:,} can be decided at once.")
    decisions: dict[str, ItemDecision] = {}
    for item in selection.table.take(rows):
        if item["id"] not in selection.decisions and (decision := follow_proposal(item)) is not None:
            decisions[item["id"]] = decision
    add_decisions(version, decisions)
    return redirect(f"/versions/{version.id}/items?{request.form_value('back')}")


def follow_proposal(item: dict[str, object]) -> ItemDecision | None:
    """Return the decision that the audit proposes; None if it proposes none."""
    reason = str(item.get("reasons") or "")
    if item["proposal"] == "retire":
        return ItemDecision("drop", "", reason)
    if item["proposal"] == "repair" and item.get("suggested"):
        return ItemDecision("relabel", str(item["suggested"]), reason)
    return None


@route("POST", "/versions/{version}/repair")
def repair_data(_request: PageRequest, version: Version) -> Response:
    """Write the repaired data and its log."""
    check_result(version)
    if not any(decision.action != "keep" for decision in load_decisions(version).values()):
        raise UsageError("Nothing is to be changed.", hint="Relabel or drop items first.")
    make_repair(version)
    return redirect(f"/versions/{version.id}/files#repair")


@route("POST", "/versions/{version}/next")
def continue_with_repair(request: PageRequest, version: Version) -> Response:
    """Make the repaired data the next version of the dataset, with the same predictions."""
    check_result(version)
    names = [name for name in REPAIRED if (version.folder / name).is_file()]
    if not names:
        raise NotFoundError("There is no repaired data yet.")
    store, old_names = request.server.store, [file["name"] for file in version.files("data")]
    new = store.duplicate(version)
    for file in new.files("data"):
        new.remove_file(file["file"])
    stem = (old_names[0].partition(".")[0] if len(old_names) == 1 else "") or version.name
    copy_local_file(new, "data", version.folder / names[0], stem + names[0].removeprefix("repaired"))
    new.update(roles=version.record().get("roles"))
    return redirect(f"/versions/{new.id}")

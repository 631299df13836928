"""The tab of the items, and the drawer of one item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from assay.base.errors import UsageError
from assay.system.json import JsonObject
from assay.web.decisions import ItemDecision, count_actions, identify_decision, load_decisions
from assay.web.errors import NotFoundError
from assay.web.items.table import GROUPS, PAGE_ROWS, ItemPage, ItemQuery, ItemTable, ItemTables, parse_query
from assay.web.pages.tabs import find_systems, render_tab
from assay.web.pages.templates import render_template
from assay.web.server import Server
from assay.web.store import Version
from assay.wording.characters import make_visible
from assay.wording.numbers import format_number

TABLES = ItemTables()
COLUMNS = {
    "proposal": "proposal",
    "id": "id",
    "text": "text",
    "reasons": "why",
    "label": "gold label",
    "suggested": "suggested",
    "suspicion": "suspicion",
    "part": "part",
    "n_systems_right": "systems right",
}
MAX_TEXT = 20_000
MEASURES = {
    "suspicion": "Suspicion (0 to 1)",
    "n_systems_right": "Systems that are right",
    "item_discrimination": "Better systems do better here (discrimination)",
    "divergence": "Different words of the two texts (0 to 1)",
    "nearest_distance": "Distance to the most similar training item",
    "case": "Case",
    "information": "Information beyond shortcuts (nats)",
    "leak": "Overlap with training",
}
SUSPICIONS = [(f"{share / 100:g}", f"at least {share / 100:g}") for share in (10, 25, 50, 75, 90)]


@dataclass(frozen=True)
class ItemRequest:
    """The table of a version, what the address asks of it, and the decisions so far."""

    table: ItemTable
    query: ItemQuery
    values: dict[str, str]
    decisions: dict[str, ItemDecision]

    @classmethod
    def make(cls, version: Version, values: Mapping[str, str]) -> ItemRequest:
        """Open the table and read the query, with systems by name and findings by anchor."""
        table = TABLES.open(version.folder)
        if table is None:
            raise NotFoundError("This version has no items.")
        decisions = load_decisions(version)
        query = parse_query(values)
        if query.wrong is None and values.get("wrong") in (systems := find_systems(version)):
            query = replace(query, wrong=systems.index(values["wrong"]))
        if query.solved is None and values.get("solved") in (systems := find_systems(version)):
            query = replace(query, solved=systems.index(values["solved"]))
        if values.get("finding"):
            query = replace(query, rows=frozenset(table.find_flagged(values["finding"])))
        if values.get("decision"):
            ids = frozenset(id_ for id_, row in decisions.items() if row.action == values["decision"])
            query = replace(query, ids=ids)
        return cls(table, query, dict(values), decisions)

    def run(self) -> ItemPage:
        """Return the page that the address asks for."""
        return self.table.query(self.query)


def find_item(version: Version, id_: str) -> int | None:
    """Return the row of an item by its id; None if it is not known."""
    table = TABLES.open(version.folder)
    return None if table is None else table.find_row(id_)


def items_page(server: Server, version: Version, values: Mapping[str, str]) -> str:
    """Render the table with its filters; with `fragment` the table alone."""
    if TABLES.open(version.folder) is None:
        return render_tab(server, version, "items", table=None)
    request = ItemRequest.make(version, values)
    shown = describe_rows(version, request)
    if "fragment" in values:
        return render_template("item_rows.html", server, id=version.id, **shown)
    return render_tab(
        server,
        version,
        "items",
        table=request.table,
        options=request.table.options,
        systems=find_systems(version),
        actions=count_actions(request.decisions),
        suspicions=SUSPICIONS,
        findings=request.table.flagged,
        states=request.table.states,
        all_columns=[
            (name, title) for name, title in COLUMNS.items() if name in request.table.columns and name != "id"
        ],
        group_names=[name for name in GROUPS if name in request.table.columns],
        **shown,
    )


def describe_rows(version: Version, request: ItemRequest) -> JsonObject:
    """Return the rows of a page, and the addresses of other pages and orders."""
    try:
        page, problem = request.run(), None
    except UsageError as error:
        page, problem = ItemPage([], 0, 1, 1), str(error)
    available = [name for name in COLUMNS if name in request.table.columns]
    chosen = [name for name in request.values.get("columns", "").split(",") if name in available]
    shown = [name for name in available if not chosen or name in chosen or name == "id"]
    values = {name: value for name, value in request.values.items() if value and name not in ("fragment", "token")}
    return {
        "rows": page.rows,
        "problem": problem,
        "groups": [] if problem else request.table.group(request.query, request.values.get("group", "")),
        "system_scores": score_systems(version, request)
        if request.values.get("group") == "system" and not problem
        else [],
        "group_link": lambda value: urlencode({**values, request.values["group"]: value, "group": ""}),
        "mark_search": mark_search,
        "filters": [name for name in values if name not in ("sort", "desc", "page", "group", "columns", "token")],
        "write_outcomes": write_outcomes,
        "page": page,
        "page_rows": PAGE_ROWS,
        "n_all": len(request.table),
        "columns": [(name, COLUMNS[name]) for name in shown],
        "decisions": request.decisions,
        "query": request.query,
        "values": values,
        "sort_links": {name: make_sort_link(values, request.query, name) for name in shown},
        "page_link": urlencode({name: value for name, value in values.items() if name != "page"}),
        "back": urlencode(values),
    }


def score_systems(version: Version, request: ItemRequest) -> list[tuple[str, int, float]]:
    """Return the systems with their scores on the items that match."""
    return request.table.score_systems(request.query, find_systems(version))


def mark_search(text: str, search: str, limit: int) -> list[tuple[str, bool]]:
    """Return the pieces of a text near the first hit of a search, with whether each is a hit.

    >>> mark_search("A good film, good.", "GOOD", 300)
    [('A ', False), ('good', True), (' film, ', False), ('good', True), ('.', False)]
    >>> mark_search("A good film", "plot", 7)
    [('A good…', False)]
    """
    wanted, lower = search.strip().lower(), text.lower()
    start = lower.find(wanted) if wanted and len(lower) == len(text) else -1
    first = max(start - limit // 3, 0) if start + len(wanted) > limit else 0
    shown = ("…" if first else "") + make_visible(text[first:], limit)
    if start < 0:
        return [(shown, False)]
    return list(_cut_hits(shown, wanted))


def _cut_hits(text: str, wanted: str) -> Iterator[tuple[str, bool]]:
    lower, end = text.lower(), 0
    if len(lower) == len(text):  # or places in both differ
        while (start := lower.find(wanted, end)) >= 0:
            if start > end:
                yield text[end:start], False
            end = start + len(wanted)
            yield text[start:end], True
    if text[end:]:
        yield text[end:], False


def make_sort_link(values: dict[str, str], query: ItemQuery, name: str) -> str:
    """Return the query that sorts by a column; by the same one again, the other way round."""
    others = {key: value for key, value in values.items() if key not in ("sort", "desc", "page")}
    descending = query.sort == name and not query.descending
    return urlencode({**others, "sort": name, **({"desc": "1"} if descending else {})})


def write_outcomes(right: float, n_systems: int | None) -> str:
    """Write how many systems are right, or their mean score if answers are partly right.

    >>> write_outcomes(3.0, 4), write_outcomes(0.9, 4), write_outcomes(3.0, None)
    ('3 of 4', 'mean score 0.23', '3')
    """
    if n_systems and not float(right).is_integer():
        return f"mean score {right / n_systems:.2f}"
    return f"{right:g} of {n_systems}" if n_systems else f"{right:g}"


def write_measure(item: Mapping[str, Any], name: str) -> str:
    """Write what was measured on one item."""
    value = item[name]
    if name == "n_systems_right":
        return write_outcomes(value, item.get("n_systems"))
    if name == "suspicion":
        return f"{value:.2f}"
    return format_number(float(f"{value:.3g}")) if isinstance(value, float) else str(value)


def item_page(server: Server, version: Version, row: int, values: Mapping[str, str]) -> str:
    """Render one item: text, gold, every system's answer, partner and reasons; with `fragment` for the drawer."""
    table = TABLES.open(version.folder)
    if table is None or row >= len(table):
        raise NotFoundError("There is no such item.")
    item = table.take([row])[0]
    partner = None if item.get("partner", -1) is None or item["partner"] < 0 else table.take([item["partner"]])[0]
    systems = [(name, *answer) for name, answer in zip(find_systems(version), table.find_answers(row), strict=False)]
    decision = load_decisions(version).get(item["id"])
    context = {
        "item": item,
        "partner": partner,
        "systems": systems,
        "responses": sorted(table.find_responses(row), key=lambda each: values.get("state", "") not in each["words"]),
        "n_answered": sum(score is not None for _, _, score in systems),
        "measures": [
            (title, write_measure(item, name)) for name, title in MEASURES.items() if item.get(name) is not None
        ],
        "decision": decision,
        "seen": identify_decision(decision),
        "labels": [label for label, _ in table.options["label"]],
        "back": urlencode({name: value for name, value in values.items() if name not in ("fragment", "token")}),
        "max_text": MAX_TEXT,
    }
    if "fragment" in values:
        return render_template("item_details.html", server, id=version.id, **context)
    return render_tab(server, version, "item", **context)

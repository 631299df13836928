"""The tab of the items, and the drawer of one item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from assay.base.errors import UsageError
from assay.system.json import JsonObject
from assay.web.decisions import ItemDecision, count_actions, identify_decision, load_decisions
from assay.web.errors import NotFoundError
from assay.web.items.table import (
    PAGE_ROWS,
    ItemPage,
    ItemQuery,
    ItemTable,
    ItemTables,
    is_share,
    parse_query,
    parse_range,
    parse_selection,
)
from assay.web.pages.tabs import find_systems, render_tab
from assay.web.pages.templates import render_template
from assay.web.server import Server
from assay.web.store import Version
from assay.web.work.audit_run import get_options
from assay.web.work.whole_responses import find_whole_response
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
MORE_COLUMNS = {
    "item_discrimination": "discrimination",
    "divergence": "divergence",
    "nearest_distance": "distance to training",
    "information": "information",
    "case": "case",
    "leak": "overlap",
    "gold": "gold answer",
}
MAX_TEXT = 20_000
MAX_RESPONSE = 500_000
MEASURES = {
    "suspicion": "Suspicion (0 to 1)",
    "n_systems_right": "Systems that are right",
    "item_discrimination": "Better systems do better here (discrimination)",
    "divergence": "Divergence of words (see Difficulty)",
    "nearest_distance": "Distance to the most similar training item",
    "case": "Case",
    "information": "Information beyond shortcuts (nats)",
    "leak": "Overlap with training",
}
SYSTEM_FIELDS = ("wrong", "solved", "first", "second")
WANTED = {"right": "range of numbers of systems, such as 3-17", "suspicion": "number from 0 to 1"}
FILTER_TITLES = {
    "q": "search",
    "proposal": "proposal",
    "part": "part",
    "label": "gold label",
    "reason": "reason",
    "finding": "finding",
    "solved": "right for",
    "wrong": "wrong for",
    "state": "response",
    "suspicion": "suspicion",
    "decision": "decision",
    "where": "filter",
    "right": "systems right",
    "any": "selection in a chart",
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
        systems = find_systems(version)
        parts = parse_selection(values.get("any", ""))
        selection = "|".join(urlencode(number_systems(part, systems)) for part in parts)
        query = parse_query(number_systems({**values, "any": selection}, systems))
        if values.get("finding"):
            query = replace(query, rows=frozenset(table.find_flagged(values["finding"])))
        if values.get("decision"):
            ids = frozenset(id_ for id_, row in decisions.items() if row.action == values["decision"])
            query = replace(query, ids=ids)
        return cls(table, query, dict(values), decisions)

    def run(self, systems: Sequence[str]) -> ItemPage:
        """Return the page that the address asks for; an error if the address names what the version does not have."""
        if self.values.get("item"):  # an item that is known has a page of its own
            raise UsageError(f"There is no item '{self.values['item'][:80]}' in this version.")
        for name in SYSTEM_FIELDS:
            number = getattr(self.query, name)
            if self.values.get(name) and (number is None or number >= len(systems)):
                raise UsageError(f"There is no system '{self.values[name][:80]}' in this version.")
        for name in ("right", "suspicion"):
            value = self.values.get(name, "")
            if value and not (parse_range(value) if name == "right" else is_share(value)):
                raise UsageError(f"'{value[:40]}' in the address is no {WANTED[name]}.")
        if (name := self.values.get("group", "")) not in ("", "system", *self.table.groupings):
            raise UsageError(f"Items cannot be grouped by '{name[:80]}'.", hint="Choose a column below Group by.")
        return self.table.query(self.query)

    def count_alone(self, version: Version) -> list[tuple[str, int]]:
        """Count the items that each filter leaves on its own."""
        names = [name for name in self.values if name in FILTER_TITLES]
        alone = [(name, ItemRequest.make(version, {name: self.values[name]})) for name in names]
        return [(FILTER_TITLES[name], len(self.table.select(request.query))) for name, request in alone]


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
        all_columns=[(name, title) for name, title in list_columns(request.table).items() if name != "id"],
        default_columns=[name for name in COLUMNS if name in request.table.columns],
        group_names=list(request.table.groupings),
        **shown,
    )


def list_columns(table: ItemTable) -> dict[str, str]:
    """Return the columns of the table with their titles: results of the audit, and columns of the file."""
    known = {name: title for name, title in {**COLUMNS, **MORE_COLUMNS}.items() if name in table.columns}
    return {**known, **{name: name for name in table.categories}}


def describe_rows(version: Version, request: ItemRequest) -> JsonObject:
    """Return the rows of a page, and the addresses of other pages and orders."""
    table, systems = request.table, find_systems(version)
    try:
        page, problem = request.run(systems), None
    except UsageError as error:
        page, problem = ItemPage([], 0, 1, 1), str(error)
    available = list_columns(table)
    chosen = [name for name in request.values.get("columns", "").split(",") if name in available]
    shown = [name for name in available if (name in chosen if chosen else name in COLUMNS) or name == "id"]
    values = {name: value for name, value in request.values.items() if value and name not in ("fragment", "token")}
    group = request.values.get("group", "")
    filters = [name for name in values if name in FILTER_TITLES]
    return {
        "rows": page.rows,
        "problem": problem,
        "groups": [] if problem else table.group(request.query, group),
        "system_scores": table.score_systems(request.query, systems) if group == "system" and not problem else [],
        "contrast": None if problem else table.contrast(request.query),
        "pair": [
            systems[n] if n is not None and n < len(systems) else ""
            for n in (request.query.first, request.query.second)
        ],
        "group_link": lambda value: link_group(values, group, value),
        "contrast_link": lambda outcome: urlencode({**drop_order(values), "outcome": outcome}),
        "mark_search": mark_search,
        "write_signed": write_signed,
        "filters": filters,
        "alone": request.count_alone(version) if len(filters) > 1 and not page.n_matching and not problem else [],
        "write_outcomes": write_outcomes,
        "write_measure": write_measure,
        "page": page,
        "page_rows": PAGE_ROWS,
        "n_all": len(table),
        "columns": [(name, available[name]) for name in shown],
        "places": table.categories,
        "decisions": request.decisions,
        "query": request.query,
        "values": values,
        "sort_links": {name: make_sort_link(values, request.query, name) for name in shown},
        "page_link": urlencode({name: value for name, value in values.items() if name != "page"}),
        "back": urlencode(values),
    }


def number_systems(values: Mapping[str, str], systems: Sequence[str]) -> dict[str, str]:
    """Return the values of an address with the numbers of systems in place of their names.

    >>> number_systems({"wrong": "bert", "first": "0"}, ["gpt", "bert"])
    {'wrong': '1', 'first': '0'}
    """
    numbers = {name: str(number) for number, name in enumerate(systems)}
    fields = {name: values[name] for name in SYSTEM_FIELDS if name in values}
    return {
        **values,
        **{name: value if value.isdigit() else numbers.get(value, value) for name, value in fields.items()},
    }


def name_system(systems: Sequence[str], number: int | None) -> str:
    """Return the name of a system; empty if there is none with this number."""
    return systems[number] if number is not None and number < len(systems) else ""


def drop_order(values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of an address without its page, sort and group."""
    return {name: value for name, value in values.items() if name not in ("page", "sort", "desc", "group")}


def link_group(values: Mapping[str, str], group: str, value: str) -> str:
    """Return the query that leaves the items of one group; empty if no filter can say it.

    Columns of the file are filtered by a written condition, which is joined to the one that is there.
    """
    others = drop_order(values)
    if group in FILTER_TITLES:
        return urlencode({**others, group: value})
    quotes = [quote for quote in ('"', "'") if quote not in value and quote not in group]
    if not quotes:
        return ""
    quote = quotes[0]
    condition = f"{quote}{group}{quote} = {quote}{value}{quote}"
    before = others.get("where", "").strip()
    return urlencode({**others, "where": f"({before}) and {condition}" if before else condition})


def write_signed(share: float) -> str:
    """Write a difference of shares in points, with its sign.

    >>> write_signed(-0.0556), write_signed(0.035)
    ('−5.6', '+3.5')
    """
    return f"{100 * share:+.1f}".replace("-", "−")


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
    """Return the query that sorts by a column; if it is already sorted by this column, in the opposite order."""
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
        "categories": [(name, item[place]) for name, place in table.categories.items() if item.get(place)],
        "mark_search": mark_search,
        "search": values.get("q", "")[:300],
        "back": urlencode({name: value for name, value in values.items() if name not in ("fragment", "token")}),
        "max_text": MAX_TEXT,
    }
    if "fragment" in values:
        return render_template("item_details.html", server, id=version.id, **context)
    return render_tab(server, version, "item", **context)


def response_page(server: Server, version: Version, row: int, system: str, repeat: int) -> str:
    """Render the whole response of a system to an item, unless the audit is private."""
    table = TABLES.open(version.folder)
    if table is None or row >= len(table) or get_options(version)["private"]:
        raise NotFoundError("There is no such response.")
    id_ = str(table.take([row])[0]["id"])
    text = find_whole_response(version, system, id_, repeat)
    if text is None:
        raise NotFoundError("There is no such response in the files of this version.")
    shown = make_visible(text, MAX_RESPONSE, keep_breaks=True)
    return render_tab(server, version, "whole_response", row=row, item=id_, system=system, text=shown)

"""The table of items on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.base.numbers import format_number, is_missing
from assay.report.chapter import within
from assay.report.characters import visible

# Columns in the order people read them; what is not named here stands in the JSON and the item files only.
COLUMNS = {
    "proposal": "proposal",
    "id": "id",
    "causes": "why",
    "text": "text",
    "part": "part",
    "label": "label",
    "suspected_label": "rather",
    "case": "case",
    "leak": "leak",
    "divergence": "divergence",
    "pvi": "information",
    "n_systems_right": "systems right",
    "item_discrimination": "discrimination",
}
WORDS = ("proposal", "id", "causes", "part", "label", "suspected_label", "case", "leak", "text")


@dataclass(frozen=True)
class Items:
    """The rows of the table as words, and the columns that have any content."""

    columns: list[tuple[str, str]]
    rows: list[dict[str, str]]
    n_all: int


def items_of(audit: Mapping[str, Any], most: int, *, private: bool) -> Items:
    """Return at most so many items, without their texts on a private page."""
    found = [row for row in audit.get("items_top") or [] if isinstance(row, Mapping)]
    names = [name for name in COLUMNS if any(not is_missing(row.get(name)) for row in found)]
    names = [name for name in names if not (private and name == "text")]
    pairs = bool(within(audit, "data", "paired"))
    rows = [{name: _cell(name, row.get(name), pairs=pairs) for name in names} for row in found[:most]]
    summary = audit.get("items_summary") or {}
    return Items([(name, COLUMNS[name]) for name in names], rows, sum(summary.values()) or len(found))


def parted(text: object) -> str:
    r"""Write a pair with a stroke between its sides.

    >>> parted("one side\nthe other")
    'one side ‖ the other'
    """
    return visible(str(text).replace("\n", " ‖ ", 1), 300)


def _cell(name: str, value: object, *, pairs: bool) -> str:
    if is_missing(value):
        return ""
    if pairs and name == "text":
        return parted(value)
    if name in WORDS:
        return visible(value, 300 if name == "text" else 80)
    return (
        f"{value:.2f}"
        if isinstance(value, float) and not value.is_integer()
        else format_number(int(value) if isinstance(value, float) else value)
    )

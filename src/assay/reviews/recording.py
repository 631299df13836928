"""Verdicts that are written one by one while people review, on a page or in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from assay.base.errors import AssayError
from assay.reviews.files import NEEDED
from assay.reviews.results import ReviewPlan
from assay.reviews.verdicts import parse_verdict


@dataclass(frozen=True)
class ItemVerdict:
    """The verdict of one reviewer on one item; `number` gives the order."""

    verdict: str
    label: str = ""
    comment: str = ""
    number: int = 0


Verdicts = Mapping[str, Mapping[str, ItemVerdict]]  # by item and reviewer; "" is a reviewer without a name


def record_verdict(
    plan: ReviewPlan | pl.DataFrame,
    id_: str,
    verdict: str | None,
    *,
    right_label: str | None = None,
    reviewer: str | None = None,
) -> pl.DataFrame:
    """Return the plan with a verdict on an item: "ok", "bad" or what is wrong; None takes the verdict back.

    A reviewer has one verdict per item, and a new one replaces it. With several reviewers, name each: an item then has
    one row for everybody who judged it. `estimate_review` takes the table at any time.

    >>> plan = pl.DataFrame({"id": ["a", "b"], "draw_probability": [0.5, 0.5], "verdict": [None, None]})
    >>> plan = record_verdict(plan, "b", "ok")
    >>> plan["verdict"].to_list(), record_verdict(plan, "b", None)["verdict"].to_list()
    ([None, 'ok'], [None, None])
    """
    table = _complete(plan.to_frame() if isinstance(plan, ReviewPlan) else plan, has_reviewer=reviewer is not None)
    parse_verdict(verdict, id_)  # refuses verdicts that decide nothing
    is_empty = not (verdict or "").strip()
    if is_empty and right_label:
        hint = "Say what is wrong with {verdict}."
        raise AssayError(f"item '{id_}' has a right label and no verdict", hint=hint)
    verdicts = _read_verdicts(table)
    if id_ not in verdicts:
        raise AssayError(f"item '{id_}' is not in the plan")
    if reviewer is None and len(verdicts[id_]) > 1:
        raise AssayError(f"item '{id_}' has several reviewers", hint="Name one with {reviewer}.")
    name = next(iter(verdicts[id_]), "") if reviewer is None else reviewer
    comment = verdicts[id_].get(name, ItemVerdict("")).comment
    row = None if is_empty else ItemVerdict(verdict or "", right_label or "", comment)
    return fill_in(table, put_verdict(verdicts, id_, name, row))


def put_verdict(verdicts: Verdicts, id_: str, reviewer: str, verdict: ItemVerdict | None) -> Verdicts:
    """Set, replace or take back the verdict of a reviewer on an item, which gets the next number.

    >>> put_verdict({"a": {"ann": ItemVerdict("ok", number=4)}}, "b", "ann", ItemVerdict("bad"))["b"]["ann"].number
    5
    """
    rows = dict(verdicts.get(id_, {}))
    if verdict is None:
        rows.pop(reviewer, None)
    else:
        last = max((row.number for each in verdicts.values() for row in each.values()), default=0)
        rows[reviewer] = replace(verdict, number=last + 1)
    return {**verdicts, id_: rows}


def fill_in(table: pl.DataFrame, verdicts: Verdicts) -> pl.DataFrame:
    """Return a table of items with their verdicts: one row per item and reviewer, and an empty one without a verdict.

    Other columns come from the reviewer's row, or else from the first row of the item.
    """
    names = table["reviewer"].to_list() if "reviewer" in table.columns else [None] * len(table)
    known: dict[tuple[str, str], int] = {}
    firsts: dict[str, int] = {}
    for row, (id_, name) in enumerate(zip(table["id"], names, strict=True)):
        known[id_, name or ""] = row
        firsts.setdefault(id_, row)
    rows, cells = [], []
    for id_, first in firsts.items():
        for name, each in (verdicts.get(id_) or {"": ItemVerdict("")}).items():
            rows.append(known.get((id_, name), first))
            cells.append(
                {"verdict": each.verdict, "right_label": each.label, "reviewer": name, "comment": each.comment}
            )
    filled = ["verdict", "right_label", *(name for name in ("reviewer", "comment") if name in table.columns)]
    columns = {name: [cell[name] or None for cell in cells] for name in filled}
    return table[rows].with_columns(pl.Series(name, values, pl.String) for name, values in columns.items())


def _read_verdicts(table: pl.DataFrame) -> dict[str, dict[str, ItemVerdict]]:
    """Return the verdicts of a table by item and reviewer; a row that nobody has filled in has none."""
    verdicts: dict[str, dict[str, ItemVerdict]] = {}
    for row in table.iter_rows(named=True):
        name, rows = row.get("reviewer") or "", verdicts.setdefault(row["id"], {})
        if name or row["verdict"]:
            rows[name] = ItemVerdict(row["verdict"] or "", row["right_label"] or "", row.get("comment") or "")
    return verdicts


def _complete(table: pl.DataFrame, *, has_reviewer: bool) -> pl.DataFrame:
    """Return the table with all columns that are filled in, as text."""
    missing = [name for name in NEEDED if name not in table.columns]
    if missing:
        raise AssayError(f"the plan has no column '{missing[0]}'", hint="Use the plan of plan_review.")
    filled_in = ("verdict", "right_label", *(["reviewer"] if has_reviewer else []))
    return table.with_columns(
        pl.col(name).cast(pl.String) if name in table.columns else pl.lit(None, pl.String).alias(name)
        for name in ("id", *filled_in)
    )

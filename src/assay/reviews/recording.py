"""Write verdicts into a plan one by one, as a page or a notebook does while a person reviews."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError
from assay.reviews.files import NEEDED
from assay.reviews.results import ReviewPlan
from assay.reviews.verdicts import parse_verdict


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
    rows = pl.Series(table["id"] == id_).arg_true()
    if not len(rows):
        raise AssayError(f"item '{id_}' is not in the plan")
    if reviewer is None:
        if len(rows) > 1:
            raise AssayError(f"item '{id_}' has several reviewers", hint="Name one with {reviewer}.")
        return _set_row(table, rows[0], verdict=None if is_empty else verdict, right_label=right_label)
    reviewers, verdicts = table["reviewer"].gather(rows).to_list(), table["verdict"].gather(rows).to_list()
    own = [row for row, name in zip(rows, reviewers, strict=True) if name == reviewer]
    free = [row for row, name, cell in zip(rows, reviewers, verdicts, strict=True) if name is None and not cell]
    if is_empty:
        return _take_back(table, own, is_only=len(rows) == 1)
    cells = {"verdict": verdict, "right_label": right_label, "reviewer": reviewer}
    if own or free:
        return _set_row(table, (own or free)[0], **cells)
    after = rows[-1] + 1  # items keep their random order, also if earlier verdicts are taken back
    return pl.concat([table[:after], _set_row(table[[rows[0]]], 0, **cells), table[after:]])


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


def _set_row(table: pl.DataFrame, row: int, **cells: str | None) -> pl.DataFrame:
    is_row = pl.int_range(pl.len()) == row
    return table.with_columns(
        pl.when(is_row).then(pl.lit(cell, pl.String)).otherwise(pl.col(name)).alias(name)
        for name, cell in cells.items()
    )


def _take_back(table: pl.DataFrame, own: list[int], *, is_only: bool) -> pl.DataFrame:
    """Remove a reviewer's verdict, and the row unless it is the only one of the item."""
    if not own:
        return table
    if is_only:
        return _set_row(table, own[0], verdict=None, right_label=None, reviewer=None)
    return table.filter(pl.int_range(pl.len()) != own[0])

"""Rows whose text or label is missing: kept, dropped, or refused."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError
from assay.data.columns.table import list_names
from assay.data.dataset import Dataset
from assay.data.left_out import LeftOut

MISSING = ("keep", "drop", "error")


def handle_missing(data: Dataset, missing: str, place: object) -> Dataset:
    """Treat rows whose text or label is missing: keep them (with text ""), drop them, or raise.

    A text is missing if its cell is empty or null; of a pair, if either side is.
    """
    no_text = pl.select(pl.any_horizontal(*(side.is_null() | (side == "") for side in data.sides))).to_series()
    no_text = no_text & data.has_texts
    no_label = pl.repeat(False, len(data), eager=True) if data.labels is None else data.labels.is_null()
    if missing == "error":
        _check_none(data, no_text, "text", place)
        _check_none(data, no_label, "label", place)
    notes = [f"{_describe_rows(data, no_text)} without text"] if no_text.any() else []
    dropped = no_text | no_label
    if missing != "drop" or not dropped.any():
        return data.fill_texts().add_notes(*notes)
    if dropped.all():
        raise AssayError("every row lacks its text or label; none is left without them", place=place)
    n_dropped = int(dropped.sum())
    note = f"dropped {n_dropped:,} rows without text or label; {len(data) - n_dropped:,} are left"
    left_out = LeftOut("rows", n_dropped, "their text or label is missing")
    return data.take(~dropped).add_notes(*notes, note).leave_out(left_out)


def _check_none(data: Dataset, is_missing: pl.Series, role: str, place: object) -> None:
    if is_missing.any():
        fact = f"{_describe_rows(data, is_missing)} without {role}"
        raise AssayError(fact, place=place, hint="Fill them, or use {missing} keep or drop.")


def _describe_rows(data: Dataset, is_selected: pl.Series) -> str:
    n = int(is_selected.sum())
    return f"{n:,} row{'s' if n != 1 else ''} ({list_names(data.ids.filter(is_selected).to_list(), limit=5)})"

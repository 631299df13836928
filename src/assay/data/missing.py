"""Rows whose text or label is missing: kept, dropped, or refused."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.dataset import Dataset


def without_missing(data: Dataset, missing: str, place: str) -> Dataset:
    """Treat rows whose text or label is missing: keep them (with text ""), drop them, or raise.

    A text is missing where its cell is empty or null; of a pair, where either side is.
    """
    no_text = pl.select(pl.any_horizontal(*(side.is_null() | (side == "") for side in data.sides))).to_series()
    no_label = pl.repeat(False, len(data), eager=True) if data.labels is None else data.labels.is_null()
    if missing == "error":
        _refuse(data, no_text, "text", place)
        _refuse(data, no_label, "label", place)
    notes = [f"{_told(data, no_text)} without text"] if no_text.any() else []
    gone = no_text | no_label
    if missing == "drop" and gone.any():
        if gone.all():
            raise AssayError(f"{place}: every row lacks its text or label; nothing is left without them.")
        return data.take(~gone).noted(
            *notes, f"dropped {int(gone.sum()):,} rows without text or label; {len(data) - int(gone.sum()):,} are left"
        )
    return data.filled().noted(*notes)


def _refuse(data: Dataset, where: pl.Series, what: str, place: str) -> None:
    if where.any():
        raise AssayError(f"{place}: {_told(data, where)} without {what}. Fill them, or use --missing keep or drop.")


def _told(data: Dataset, where: pl.Series) -> str:
    n = int(where.sum())
    return f"{n:,} row{'s' if n != 1 else ''} ({join_names(data.ids.filter(where).to_list())})"

"""Labels: which cells are none, and which columns are none."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.roles import blank_to_null

_HIDDEN = ("-", "-1", "-1.0")


def labels_of(column: pl.Series, ids: pl.Series, place: str) -> tuple[pl.Series, tuple[str, ...]]:
    """Return the labels, null where an item has none (empty, "-", -1), and a note that counts those.

    Where the only other label is 1, the labels are -1 and 1 and both are kept.

    >>> labels, notes = labels_of(pl.Series(["a", "", "-", "b"]), pl.Series(list("0123")), "list")
    >>> labels.to_list(), notes[0]
    (['a', None, None, 'b'], "2 rows (1, 2) without a label: 1 empty, 1 '-'; left out of label measures")
    """
    labels = blank_to_null(column)
    found = set(labels.unique().drop_nulls().to_list())
    hidden = [] if found - {"-1", "-1.0"} <= {"1", "1.0", "+1"} else [mark for mark in _HIDDEN if mark in found]
    n_empty = labels.null_count()
    counts = {mark: int((labels == mark).sum()) for mark in hidden}
    if hidden:
        cells = labels.to_frame("x")
        labels = cells.select(pl.when(~pl.col("x").is_in(hidden)).then(pl.col("x"))).to_series()
    refuse_free_text(labels, column.name, place)
    told = ([f"{n_empty:,} empty"] if n_empty else []) + [f"{n:,} '{mark}'" for mark, n in counts.items()]
    n = labels.null_count()
    where = (
        join_names(ids.filter(labels.is_null()).head(6).to_list())
        if n <= 5
        else f"{join_names(ids.filter(labels.is_null()).head(3))}, …"
    )
    note = f"{n:,} row{'s' if n != 1 else ''} ({where}) without a label: {', '.join(told)}; left out of label measures"
    return labels.alias("label"), (note,) if told else ()


def refuse_free_text(labels: pl.Series, name: str, place: str) -> None:
    """Raise for a label column of free text: more than half of its cells differ, and they are long.

    Numbers are never free text: graded labels may all differ.
    """
    known = labels.drop_nulls()
    n_distinct = known.n_unique()
    if n_distinct < 3 or n_distinct <= len(known) / 2:
        return
    length, n_words = _mean(known.str.len_chars()), _mean(known.str.count_matches(" ")) + 1
    long = length >= 40 or (length >= 20 and n_words >= 4)
    if long and known.cast(pl.Float64, strict=False).null_count():
        raise AssayError(
            f"{place}: the label column '{name}' is free text: {n_distinct:,} different values in {len(known):,} rows. "
            f"Name the labels with --label, or --label none."
        )


def _mean(counts: pl.Series) -> float:
    return float(counts.cast(pl.Float64).to_numpy().mean())

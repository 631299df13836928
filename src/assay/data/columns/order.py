"""Signs of labels in the order of the rows and in the groups."""

from __future__ import annotations

import polars as pl

MIN_ROWS = 20
MAX_LABELS = 200  # more labels than these are hardly classes
MIN_GROUP_ACCURACY = 0.9
MIN_GAIN = 0.1  # over the most frequent label


def describe_order(labels: pl.Series | None, parts: pl.Series | None) -> tuple[str, ...]:
    """Return a note if the rows of a part are sorted by label, in runs as long as the labels are frequent.

    >>> describe_order(pl.Series(["a"] * 15 + ["b"] * 15), None)
    ('the rows are sorted by label; draw rows at random, the first ones are not a sample',)
    """
    if labels is None:
        return ()
    table = pl.DataFrame({"label": labels, "part": _fill_parts(parts, len(labels))}).drop_nulls("label")
    names = [part for (part,), rows in table.group_by("part", maintain_order=True) if _is_sorted(rows["label"])]
    if not names:
        return ()
    where = "the rows" if parts is None else f"the rows of {', '.join(map(str, names))}"
    return (f"{where} are sorted by label; draw rows at random, the first ones are not a sample",)


def describe_group_labels(labels: pl.Series | None, groups: pl.Series, name: str) -> tuple[str, ...]:
    """Return a note if the group of an item predicts its label, by the other items of the group.

    >>> groups = pl.Series(["x"] * 10 + ["y"] * 10 + ["z"] * 10)
    >>> describe_group_labels(pl.Series(["a"] * 10 + ["b"] * 10 + ["a"] * 10), groups, "writer")[0][:75]
    "the group (column 'writer') predicts the label: the other items of the grou"
    """
    if labels is None:
        return ()
    table = pl.DataFrame({"label": labels, "group": groups}).filter(pl.col("label").is_not_null())
    table = table.filter((pl.col("group") != "") & (pl.len().over("group") > 1))
    if len(table) < MIN_ROWS or table["group"].n_unique() < 2 or not 2 <= table["label"].n_unique() <= MAX_LABELS:
        return ()
    accuracy, majority = _measure_group_accuracy(table)
    if accuracy < MIN_GROUP_ACCURACY or accuracy - majority < MIN_GAIN:
        return ()
    return (
        f"the group (column '{name}') predicts the label: the other items of the group give the label of "
        f"{accuracy:.0%} of the items, the most frequent label of {majority:.0%}; keep groups in one part",
    )


def _measure_group_accuracy(table: pl.DataFrame) -> tuple[float, float]:
    """Return how often the most frequent label of the rest of the group is right, and how often that of the data."""
    counts = table.group_by("group", "label").len("n").sort("group", "n", descending=[False, True])
    # An item does not count in its own favour: its label wins in its group where it leads by more than one item.
    ranked = counts.with_columns(
        best_other=pl.when(pl.col("n").rank("ordinal", descending=True).over("group") == 1)
        .then(pl.col("n").sort(descending=True).slice(1, 1).first().over("group"))
        .otherwise(pl.col("n").max().over("group"))
        .fill_null(0)
    )
    right = ranked.filter(pl.col("n") - 1 > pl.col("best_other"))["n"].sum()
    return int(right) / len(table), int(table["label"].value_counts()["count"].to_numpy().max()) / len(table)


def _is_sorted(labels: pl.Series) -> bool:
    n_labels = labels.n_unique()
    if len(labels) < MIN_ROWS or not 2 <= n_labels <= min(MAX_LABELS, len(labels) // 5):
        return False
    return int((labels != labels.shift()).sum()) + 1 == n_labels


def _fill_parts(parts: pl.Series | None, n: int) -> pl.Series:
    return pl.repeat("", n, eager=True) if parts is None else parts.fill_null("rest")

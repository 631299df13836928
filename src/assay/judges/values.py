"""Read what verdicts say: which of two answers is better, labels, or scores."""

from __future__ import annotations

import polars as pl

from assay.inputs.verdict_words import MISSING, NEGATIVE, POSITIVE, TIE, A, B

FIRST_SHOWN_A = ("ab", "a_b", "original", "0", "0.0", "false", "12", "no", "first", "normal")
FIRST_SHOWN_B = ("ba", "b_a", "swapped", "1", "1.0", "true", "21", "yes", "second", "reversed")


def parse_pairs(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return a, b, tie or other for each verdict, and the share that goes to b; null if there is none.

    >>> import polars as pl
    >>> [column.to_list() for column in parse_pairs(pl.Series(["A", "2", "1.25", "?", ""]))]
    [['a', 'b', 'a', 'other', None], [0.0, 1.0, 0.25, None, None]]
    """
    word = pl.col("word")
    number = word.cast(pl.Float64, strict=False)
    is_share = number.is_between(1, 2).fill_null(False)
    share = (
        pl.when(word.is_in(A))
        .then(0.0)
        .when(word.is_in(B))
        .then(1.0)
        .when(word.is_in(TIE))
        .then(0.5)
        .when(is_share)
        .then(number - 1)
    )
    frame = pl.DataFrame({"word": values.str.strip_chars().str.to_lowercase()}).with_columns(share.alias("share"))
    side = pl.when(pl.col("share") < 0.5).then(pl.lit("a")).when(pl.col("share") > 0.5).then(pl.lit("b"))
    side = side.when(pl.col("share") == 0.5).then(pl.lit("tie")).when(~word.is_in(MISSING)).then(pl.lit("other"))
    parsed = frame.with_columns(side.alias("side"))
    return parsed["side"], parsed["share"]


def parse_labels(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the labels, null if there is none, and 1 or 0 if they are words for right and wrong."""
    word = pl.col("label").str.to_lowercase()
    frame = pl.DataFrame({"label": values.str.strip_chars()}).with_columns(
        pl.when(word.is_in(MISSING)).then(None).otherwise(pl.col("label")).alias("label"),
        pl.when(word.is_in(POSITIVE)).then(1.0).when(word.is_in(NEGATIVE)).then(0.0).alias("value"),
    )
    return frame["label"], frame["value"]


def parse_scores(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the scores as text, equal numbers alike, and as numbers."""
    numbers = values.str.strip_chars().cast(pl.Float64, strict=False).fill_nan(None)
    return numbers.cast(pl.String), numbers


def parse_order(values: pl.Series) -> pl.Series:
    """Return whether answer b was shown first; null if it is unknown.

    >>> import polars as pl
    >>> parse_order(pl.Series(["ab", "swapped", ""])).to_list()
    [False, True, None]
    """
    word = pl.col("order").str.strip_chars().str.to_lowercase()
    flag = pl.when(word.is_in(FIRST_SHOWN_A)).then(pl.lit(False)).when(word.is_in(FIRST_SHOWN_B)).then(pl.lit(True))
    return pl.DataFrame({"order": values}).select(flag.alias("swapped"))["swapped"]

"""Suspects compared with the verdicts of people who reviewed the items."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import polars as pl

from assay.base.errors import AssayError
from assay.data import Dataset
from assay.statistics import Interval, wilson
from assay.views.results import Result
from assay.wording.numbers import format_percent

# What reviewers write for an item without a defect; an empty cell is an item that nobody reviewed.
GOOD_VERDICTS = ("ok", "good", "correct", "valid", "none", "no", "no error", "false", "0")


@dataclass(frozen=True)
class Review(Result):
    """How many items people found bad, and how many of the suspects among them.

    `confirmed` is the share of reviewed suspects that people found bad, `found` the share of bad items that are
    suspects, both with 95% intervals.
    """

    n_reviewed: int
    n_bad: int
    n_suspects: int
    n_confirmed: int
    confirmed: Interval
    found: Interval


def read_verdicts(data: Dataset, column: str) -> pl.DataFrame:
    """Return id and verdict (True if people found the item bad) of all items that were reviewed.

    >>> from assay import read
    >>> data = read({"text": ["a b", "b c", "c d"], "label": ["x", "y", "x"], "error": ["ok", "wrong label", None]})
    >>> read_verdicts(data, "error").rows()
    [('0', False), ('1', True)]
    """
    cells = pl.DataFrame({"id": data.ids, "verdict": data.column(column).str.strip_chars().str.to_lowercase()})
    reviewed = cells.filter(pl.col("verdict").is_not_null() & (pl.col("verdict") != ""))
    if not len(reviewed):
        raise AssayError(f"the column '{column}' is empty", place=data.name)
    verdicts = reviewed.with_columns(~pl.col("verdict").is_in(GOOD_VERDICTS))
    if verdicts["verdict"].all():
        hint = f"Write one of {', '.join(GOOD_VERDICTS[:4])} for items without a defect."
        raise AssayError(f"the column '{column}' calls every item bad", place=data.name, hint=hint)
    return verdicts


def compare_with_review(suspects: Collection[str], verdicts: pl.DataFrame) -> Review:
    """Count how many of the suspects, by their ids, people found bad.

    >>> verdicts = pl.DataFrame({"id": ["a", "b", "c"], "verdict": [True, False, True]})
    >>> review = compare_with_review(["a", "b", "d"], verdicts)
    >>> review.n_suspects, review.n_confirmed, review.n_bad
    (2, 1, 2)
    """
    chosen = verdicts.filter(pl.col("id").is_in(list(suspects)))["verdict"]
    n_bad, n_confirmed = int(verdicts["verdict"].sum()), int(chosen.sum())
    return Review(
        n_reviewed=len(verdicts),
        n_bad=n_bad,
        n_suspects=len(chosen),
        n_confirmed=n_confirmed,
        confirmed=wilson(n_confirmed, len(chosen)),
        found=wilson(n_confirmed, n_bad),
    )


def describe_review(review: Review) -> str:
    """Say how many suspects people confirmed, next to the share of bad items among all.

    >>> verdicts = pl.DataFrame({"id": ["a", "b", "c", "d"], "verdict": [True, False, False, False]})
    >>> describe_review(compare_with_review(["a", "b"], verdicts))
    'People who reviewed the items confirm 1 of 2 suspects (50%); of all 4 items they found 1 bad (25%).'
    """
    share = f" ({format_percent(review.confirmed.value)})" if review.n_suspects else ""
    return (
        f"People who reviewed the items confirm {review.n_confirmed:,} of {review.n_suspects:,} suspects{share}; "
        f"of all {review.n_reviewed:,} items they found {review.n_bad:,} bad "
        f"({format_percent(review.n_bad / review.n_reviewed)})."
    )

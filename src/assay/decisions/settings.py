"""The settings of a decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.kinds.arguments import ReadingArguments


@dataclass(frozen=True)
class DecisionSettings:
    """Settings of a decision: what to decide, and how.

    Parameters
    ----------
    margin
        The loss that is accepted, in points of the metric: not-worse means that a larger loss is excluded.
    alpha
        The probability of a false claim; intervals have confidence 1 − alpha.
    metrics
        Names of metrics; the first decides. Without names, the headline metric of the task. Intervals of several
        metrics are corrected for their number.
    by
        Columns whose slices are checked for differences that go the other way. Without names, all columns with a few
        values, and the length of the text.
    sequential
        Whether results are looked at while items are still being run: intervals are then valid at every look.
    plan
        Whether to propose the next batch of items.
    batch
        How many items the next batch has at most.
    positive
        The positive label.
    missing_predictions
        Items that a system was not run on: skip, count as wrong, or raise an error.
    tokenizer
        How texts become words.
    random_state
        Random seed.
    """

    margin: float = 1.0
    alpha: float = 0.05
    metrics: str | Sequence[str] | None = None
    by: str | Sequence[str] = ()
    sequential: bool = False
    plan: bool = False
    batch: int = 100
    positive: str | None = None
    missing_predictions: str = "skip"
    tokenizer: str = "words"
    random_state: int = 0


class DecisionArguments(ReadingArguments, total=False):
    """The fields of `DecisionSettings`, and the arguments of `assay.read`."""

    margin: float
    alpha: float
    metrics: str | Sequence[str] | None
    by: str | Sequence[str]
    sequential: bool
    plan: bool
    batch: int
    positive: str | None
    missing_predictions: str
    tokenizer: str
    random_state: int

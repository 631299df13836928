"""The scale of scores: shares, percents or another one, its best possible value, and which end is better."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.base.entry_points import list_strings
from assay.logs import is_lower_better

# Metrics without a natural unit: their scores are never shares, and their best value is not 0 or 100 on a known scale.
OPEN_ENDED = {
    *("perplexity", "ppl", "loss", "nll", "mse", "rmse", "mae", "latency", "runtime", "seconds", "bpb", "distance"),
    *("deviation", "entropy", "elo", "rating", "bits"),
}
MAX_RATING = 10.0  # scores of 1 to 10 are ratings, or percents of a very hard dataset
UNNAMED = "score"  # the metric of tables that name none
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Scale:
    """The factor of scores, and the best possible value after multiplication, nan if there is no bound."""

    factor: float
    upper: float

    @property
    def is_percent(self) -> bool:
        """Whether scores are percents after scaling."""
        return math.isfinite(self.upper)


OTHER = Scale(1.0, math.nan)


def infer_scale(scores: ArrayLike, metric: str = UNNAMED, *, lower_is_better: bool = False) -> Scale:
    """Infer the scale from the range of all scores: within 0–1, up to 100 (percents), or another without known end.

    Scores up to 10 are not percents, as nothing tells a rating from 1 to 10 from a very low percentage, but error rates
    up to 10 are.

    >>> infer_scale([0.4, 0.9]), infer_scale([40.0, 90.0]), infer_scale([6.5, 9.1]), infer_scale([980, 1230])
    (Scale(factor=100.0, upper=100.0), Scale(factor=1.0, upper=100.0), Scale(factor=1.0, upper=nan),
     Scale(factor=1.0, upper=nan))
    """
    values = np.asarray(scores, dtype=float)
    values = values[np.isfinite(values)]
    best = 0.0 if lower_is_better else 100.0
    if OPEN_ENDED & set(_WORD.findall(metric.lower())):
        return OTHER
    if not len(values) or (np.abs(values) <= 1).all():
        return Scale(100.0, best)
    if (values.max() > MAX_RATING or lower_is_better) and np.abs(values).max() <= 100:
        return Scale(1.0, best)
    return OTHER


def choose_direction(
    metric: str,
    dataset: str,
    lower_is_better: bool | str | Sequence[str] | None,
    higher_is_better: str | Sequence[str] = (),
) -> bool:
    """Return whether lower is better: as said for all or by name, otherwise by the name of the metric.

    A table without metrics may name them in its columns, such as `LibriSpeech WER`.

    >>> [choose_direction(metric, "x", None) for metric in ("accuracy", "wer")], choose_direction("wer", "x", False)
    ([False, True], False)
    """
    if isinstance(lower_is_better, bool):
        return lower_is_better
    if {metric, dataset} & set(list_strings(higher_is_better)):
        return False
    if {metric, dataset} & set(list_strings(lower_is_better)):
        return True
    return is_lower_better(dataset if metric == UNNAMED else metric)

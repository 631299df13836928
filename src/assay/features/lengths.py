"""How long texts are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result
from assay.features.estimate import mean


@dataclass(frozen=True)
class Lengths(Result):
    """Words per text: mean, standard deviation (ddof = 1) and quartiles (linear interpolation); nan of no texts."""

    mean: float
    std: float
    min: float
    q25: float
    median: float
    q75: float
    max: float
    n: int


def lengths(words: NDArray[np.int64]) -> Lengths:
    """Summarise the numbers of words of some texts.

    >>> lengths(np.array([1, 2, 3, 4])).median
    2.5
    """
    if not len(words):
        return Lengths(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, 0)
    centre = mean(words)
    spread = math.sqrt(math.fsum((words - centre) ** 2) / (len(words) - 1)) if len(words) > 1 else math.nan
    least, q25, median, q75, most = np.quantile(words, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return Lengths(centre, spread, least, q25, median, q75, most, len(words))


def lengths_by_label(words: NDArray[np.int64], labels: NDArray[np.int64], names: tuple[str, ...]) -> dict[str, Lengths]:
    """Summarise the lengths of the texts under each label."""
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(len(names) + 1))
    return {name: lengths(words[order[bounds[code] : bounds[code + 1]]]) for code, name in enumerate(names)}

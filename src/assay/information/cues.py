"""Search for cheap features that carry label information beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result
from assay.information.cue_features import CueTable, cue_tables, numeric_features
from assay.statistics import benjamini_hochberg

FDR = 0.05


@dataclass(frozen=True)
class Cue(Result):
    """A cheap feature tied to a label: `information` is I(label; feature) in nats, `p` is adjusted for all features.

    Of the `n_items` that have it, the share `precision` has the label; `coverage` is the share of items that have it.
    """

    token: str
    kind: str
    label: str
    information: float
    p: float
    precision: float
    coverage: float
    n_items: int


def search_cues(
    sides: Sequence[Any], labels: NDArray[np.int64], label_names: Sequence[str], *, least: int = 10, most: int = 50
) -> list[Cue]:
    """Return the cues that hold at a false discovery rate of 5 %, the surest first, then the most informative.

    Words and word pairs of each side (and, for pairs, words that only one side has) are tested against each label's
    share by exact binomial tails, numbers (length, overlap, punctuation) by Kruskal and Wallis's test.
    """
    shares = np.bincount(labels, minlength=len(label_names)) / len(labels)
    found = [tested_words(table, labels, shares) for table in cue_tables(sides, least)]
    measured = numeric_features(sides)
    numbers = [tested_number(values, labels) for values in measured.values()]
    sizes = [len(table.p) for table in found]
    adjusted = benjamini_hochberg(np.concatenate([*(table.p for table in found), [p for p, _ in numbers]]))
    cues, start = [], 0
    for table, size in zip(found, sizes, strict=True):
        cues += table.cues(adjusted[start : start + size], label_names, len(labels))
        start += size
    for kind, (_, information), p in zip(measured, numbers, adjusted[start:], strict=True):
        if p < FDR:
            cues.append(Cue(kind, "number", "", information, float(p), float("nan"), 1.0, len(labels)))
    return sorted(cues, key=lambda cue: (cue.p, -round(cue.information, 12), cue.kind, cue.token))[:most]


@dataclass(frozen=True)
class TestedWords:
    """Words with their counts under each label, p-values before adjustment, and information."""

    kind: str
    words: list[str]
    counts: NDArray[np.float64]
    p: NDArray[np.float64]
    information: NDArray[np.float64]
    label: NDArray[np.int64]

    def cues(self, adjusted: NDArray[np.float64], label_names: Sequence[str], n: int) -> list[Cue]:
        """Return the words that pass."""
        totals = self.counts.sum(axis=1)
        return [
            Cue(
                token=self.words[row],
                kind=self.kind,
                label=label_names[self.label[row]],
                information=float(self.information[row]),
                p=float(adjusted[row]),
                precision=float(self.counts[row, self.label[row]] / totals[row]),
                coverage=float(totals[row] / n),
                n_items=int(totals[row]),
            )
            for row in np.flatnonzero(adjusted < FDR)
        ]


def tested_words(table: CueTable, labels: NDArray[np.int64], shares: NDArray[np.float64]) -> TestedWords:
    """Test each word's label counts against the label shares, two-sided, Bonferroni over the labels."""
    from scipy.special import bdtr, bdtrc

    hot = np.eye(len(shares))[labels]
    counts = np.asarray(table.matrix.T @ hot)
    totals = counts.sum(axis=1, keepdims=True).astype(np.int64)
    above = np.where(counts > 0, bdtrc(np.maximum(counts - 1, 0), totals, shares), 1.0)
    below = bdtr(counts, totals, shares)
    p = np.minimum(1.0, 2 * np.minimum(above, below).min(axis=1) * len(shares))
    with np.errstate(invalid="ignore"):
        lift = (counts / totals - shares) / np.sqrt(shares * (1 - shares))
    likely = np.nan_to_num(lift, nan=-np.inf).argmax(axis=1)  # a label that no item has is nobody's
    return TestedWords(table.kind, table.words, counts, p, information(counts, shares, len(labels)), likely)


def information(counts: NDArray[np.float64], shares: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return I(label; word present) in nats from the label counts of the items that hold the word.

    >>> information(np.array([[50.0, 0.0]]), np.array([0.5, 0.5]), 100).round(4).tolist()
    [0.6931]
    """
    without = np.maximum(shares * n - counts, 0.0)
    total = np.zeros(len(counts))
    for cell in (counts, without):
        margin = cell.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = cell / n * np.log(cell / (margin * shares))
        total += np.nan_to_num(terms).sum(axis=1)
    return np.maximum(total, 0.0)


def tested_number(values: NDArray[np.float64], labels: NDArray[np.int64]) -> tuple[float, float]:
    """Test whether a number differs between labels; return p and its information over ten bins, bias taken off."""
    from scipy.stats import kruskal

    if values.min() == values.max():
        return 1.0, 0.0
    groups = [values[labels == code] for code in np.unique(labels)]
    p = float(kruskal(*groups).pvalue)
    edges = np.unique(np.quantile(values, np.linspace(0.1, 0.9, 9)))
    bins = np.searchsorted(edges, values, side="right")
    table = np.zeros((len(edges) + 1, labels.max() + 1))
    np.add.at(table, (bins, labels), 1)
    joint = table / len(labels)
    expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    held = joint > 0
    bias = (len(edges)) * (len(groups) - 1) / (2 * len(labels))
    return p, max(0.0, float((joint[held] * np.log(joint[held] / expected[held])).sum()) - bias)

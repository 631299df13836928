"""Search for cheap features that carry label information beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN, WORD
from assay.information.cues.features import CueFeatures, CueTable, build_cue_features
from assay.information.item_texts import ItemTexts, Sides
from assay.statistics import benjamini_hochberg
from assay.views.results import Result

FALSE_DISCOVERY_RATE = 0.05
NUMBER = "number"


@dataclass(frozen=True)
class Cue(Result):
    """A cheap feature tied to a label: `information` is I(label; feature) in nats, `p` is adjusted for all features.

    Of the `n_items` that have it, the share `precision` has the label; `coverage` is the share of items that have it.
    """

    token: str = field(metadata=WORD)
    kind: str = field(metadata=OWN)
    label: str = field(metadata=NAME)
    information: float
    p: float
    precision: float
    coverage: float
    n_items: int


def search_cues(
    sides: CueFeatures | ItemTexts | Sides,
    codes: Array,
    label_names: Sequence[str],
    *,
    min_items: int = 10,
    max_cues: int = 50,
) -> list[Cue]:
    """Return the cues at a false discovery rate of 5%, the lowest p first, then the most informative.

    Words and word pairs of each side (and, for pairs, words that are on one side only) are tested against each label's
    share by exact binomial tails, numbers (length, overlap, punctuation) by the Kruskal–Wallis test. `sides` holds one
    or two sequences of texts or `Corpus`, or ready-made features (whose own `min_items` then counts).
    """
    features = sides if isinstance(sides, CueFeatures) else build_cue_features(sides, min_items)
    shares = np.bincount(codes, minlength=len(label_names)) / len(codes)
    tested = [_test_words(table, codes, shares) for table in features.tables]
    numbers = [_test_number(values, codes) for values in features.numbers.values()]
    p_values = np.concatenate([*(table.p for table in tested), [p for p, _ in numbers]])
    adjusted = benjamini_hochberg(p_values)
    cues, start = [], 0
    for table in tested:
        cues += table.select_cues(adjusted[start : start + len(table.p)], label_names, len(codes))
        start += len(table.p)
    for name, (_, information), p in zip(features.numbers, numbers, adjusted[start:], strict=True):
        if p < FALSE_DISCOVERY_RATE:
            cues.append(Cue(name, NUMBER, "", information, float(p), float("nan"), 1.0, len(codes)))
    return sorted(cues, key=lambda cue: (cue.p, -round(cue.information, 12), cue.kind, cue.token))[:max_cues]


@dataclass(frozen=True)
class _TestedWords:
    """Words with their counts under each label, p-values before adjustment, and information."""

    kind: str
    words: list[str]
    counts: Array
    p: Array
    information: Array
    label: Array

    def select_cues(self, adjusted: Array, label_names: Sequence[str], n: int) -> list[Cue]:
        """Return the words whose adjusted p-value is below the false discovery rate."""
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
            for row in np.flatnonzero(adjusted < FALSE_DISCOVERY_RATE)
        ]


def _test_words(table: CueTable, codes: Array, shares: Array) -> _TestedWords:
    """Test each word's label counts against the label shares, two-sided, Bonferroni over the labels."""
    from scipy.special import bdtr, bdtrc

    indicators = np.eye(len(shares))[codes]
    counts = np.asarray(table.matrix.T @ indicators)
    totals = counts.sum(axis=1, keepdims=True).astype(np.int64)
    above = np.where(counts > 0, bdtrc(np.maximum(counts - 1, 0), totals, shares), 1.0)
    below = bdtr(counts, totals, shares)
    p = np.minimum(1.0, 2 * np.minimum(above, below).min(axis=1) * len(shares))
    with np.errstate(invalid="ignore"):
        lift = (counts / totals - shares) / np.sqrt(shares * (1 - shares))
    label = np.nan_to_num(lift, nan=-np.inf).argmax(axis=1)  # never a label that no item has
    information = compute_word_information(counts, shares, len(codes))
    return _TestedWords(table.kind, table.words, counts, p, information, label)


def compute_word_information(counts: Array, shares: Array, n: int) -> Array:
    """Return I(label; word present) in nats from the label counts of the items that hold the word.

    >>> compute_word_information(np.array([[50.0, 0.0]]), np.array([0.5, 0.5]), 100).round(4).tolist()
    [0.6931]
    """
    absent = np.maximum(shares * n - counts, 0.0)
    total = np.zeros(len(counts))
    for cell in (counts, absent):
        margin = cell.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = cell / n * np.log(cell / (margin * shares))
        total += np.nan_to_num(terms).sum(axis=1)
    return np.maximum(total, 0.0)


def _test_number(values: Array, codes: Array) -> tuple[float, float]:
    """Test whether a number differs between labels; return p and its information over ten bins, corrected for bias."""
    from scipy.stats import kruskal

    if values.min() == values.max():
        return 1.0, 0.0
    groups = [values[codes == code] for code in np.unique(codes)]
    p = float(kruskal(*groups).pvalue)
    edges = np.unique(np.quantile(values, np.linspace(0.1, 0.9, 9)))
    bins = np.searchsorted(edges, values, side="right")
    table = np.zeros((len(edges) + 1, codes.max() + 1))
    np.add.at(table, (bins, codes), 1)
    joint = table / len(codes)
    expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    is_filled = joint > 0
    bias = (len(edges)) * (len(groups) - 1) / (2 * len(codes))
    return p, max(0.0, float((joint[is_filled] * np.log(joint[is_filled] / expected[is_filled])).sum()) - bias)

"""Baselines that see almost nothing of an item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.data.hold_out import PartRows
from assay.information.item_texts import ItemTexts, Sides, to_item_texts
from assay.models.counted_texts import CountedTexts
from assay.models.inputs import join_sides
from assay.models.linear.logistic import fit_logistic
from assay.statistics import Interval, paired_difference_bound, wilson
from assay.text.characters import is_unspaced
from assay.text.similarities import multiply_rows
from assay.views.results import Result

BLOCK_ROWS = 500


@dataclass(frozen=True)
class ShortcutBaseline(Result):
    """Accuracy of a baseline on held-out items, with Wilson's interval."""

    name: str = field(metadata=OWN)
    accuracy: Interval
    n_items: int


@dataclass(frozen=True)
class BaselineGain(Result):
    """The gain of a baseline over the most frequent label; the interval is corrected for all compared baselines."""

    baseline: ShortcutBaseline
    gain: Interval


def measure_gains(baselines: Sequence[ShortcutBaseline], names: Sequence[str]) -> list[BaselineGain]:
    """Compare the baselines of these names with the most frequent label (Bonferroni), the largest gain first.

    Nothing is returned if the most frequent label was not scored. Which items each got right is not known, so the
    intervals hold for any pairing.

    >>> rows = [ShortcutBaseline(name, wilson(n, 100), 100) for name, n in (("majority", 50), ("length", 70))]
    >>> round(measure_gains(rows, ["length"])[0].gain.value, 2)
    0.2
    """
    by_name = {row.name: row for row in baselines}
    chosen = [by_name[name] for name in names if name in by_name]
    majority = by_name.get("majority")
    if majority is None or not chosen:
        return []
    confidence = 1 - 0.05 / len(chosen)
    gains = [
        BaselineGain(row, paired_difference_bound(_count_right(row), _count_right(majority), row.n_items, confidence))
        for row in chosen
    ]
    return sorted(gains, key=lambda row: -row.gain.value)


def _count_right(baseline: ShortcutBaseline) -> float:
    return baseline.accuracy.value * baseline.n_items


def score_baselines(
    sides: ItemTexts | Sides, codes: Array, rounds: Sequence[PartRows], texts: CountedTexts | None = None
) -> list[ShortcutBaseline]:
    """Score every baseline that applies; those that learn do so from the training and development rows.

    `texts` are the same items with their n-gram counts, if they are ready.
    """
    items = to_item_texts(sides)
    predictors: dict[str, Callable[[PartRows], Array]] = {
        name: partial(predict_by_key, number_keys(keys), codes) for name, keys in _make_keys(items).items()
    }
    counts = count_words(CountedTexts(join_sides(items.texts)) if texts is None else texts)
    predictors["nearest neighbour"] = partial(predict_by_neighbour, sum(counts[1:], start=counts[0]), codes)
    if items.n_sides == 2:
        for name, side in zip("ab", counts, strict=True):
            predictors[f"side {name} only"] = partial(predict_by_words, side, codes)
    return [_score(name, predict, codes, rounds) for name, predict in predictors.items()]


def number_keys(keys: Sequence[Any]) -> Array:
    """Return a number for the key of each item, in the order of their first occurrence.

    >>> number_keys(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def predict_by_key(groups: Array, codes: Array, rows: PartRows) -> Array:
    """Predict the most frequent label of the known items with the same key, else of all; ties go to the first label.

    `groups` numbers the keys (`number_keys`).
    """
    known = np.r_[rows.train, rows.dev]
    fallback = int(np.bincount(codes[known]).argmax())
    counts = np.zeros((int(groups.max(initial=-1)) + 1, int(codes.max()) + 1), dtype=np.int64)
    np.add.at(counts, (groups[known], codes[known]), 1)
    best = np.where(counts.any(axis=1), counts.argmax(axis=1), fallback)
    return np.asarray(best[groups[rows.test]])


def predict_by_neighbour(counts: sparse.csr_array, codes: Array, rows: PartRows) -> Array:
    """Predict the label of the most similar known text by TF-IDF; the earlier row among equals."""
    known = np.r_[rows.train, rows.dev]
    vectors, tested = weigh_words(counts, known, rows.test)
    if not vectors.shape[1]:  # no words at all
        return predict_by_key(np.zeros(len(codes), np.int64), codes, rows)
    nearest = [
        multiply_rows(tested[start : start + BLOCK_ROWS], vectors).argmax(axis=1)
        for start in range(0, tested.shape[0], BLOCK_ROWS)
    ]
    return np.asarray(codes[known[np.concatenate(nearest)]])


def predict_by_words(counts: sparse.csr_array, codes: Array, rows: PartRows) -> Array:
    """Predict from the words of one side alone, by logistic regression."""
    known = np.r_[rows.train, rows.dev]
    vectors, tested = weigh_words(counts, known, rows.test)
    classes, numbers = np.unique(codes[known], return_inverse=True)
    if not vectors.shape[1] or len(classes) < 2:
        return predict_by_key(np.zeros(len(codes), np.int64), codes, rows)
    fit = fit_logistic(sparse.csc_array(vectors), numbers, len(classes), C=10, max_iter=500, tolerance=1e-3)
    scores = tested @ fit.weights + fit.intercepts
    best = scores.argmax(axis=1) if len(classes) > 2 else scores[:, 0] > 0
    return np.asarray(classes[best.astype(np.int64)])


def count_words(texts: CountedTexts) -> list[sparse.csr_array]:
    """Count the plain words of each side of texts, in alphabetical order."""
    matrix = texts.count_ngrams("words", (1, 1)).matrix.tocsr()
    return [matrix[rows] for rows in texts.side_rows]


def weigh_words(counts: sparse.csr_array, known: Array, tested: Array) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Return TF-IDF vectors of known and tested rows, fitted on the known ones, with their words alone."""
    from sklearn.feature_extraction.text import TfidfTransformer

    is_known = counts[known].sum(axis=0) > 0
    fitted, others = (sparse.csr_matrix(counts[rows][:, is_known]) for rows in (known, tested))
    if not fitted.shape[1]:
        return fitted, others
    weights = TfidfTransformer().fit(fitted)
    return weights.transform(fitted), weights.transform(others)


def _make_keys(items: ItemTexts) -> dict[str, list[Any]]:
    """Return, for each baseline that looks up a key, the key of every item."""
    words = [text.lower().split() for text in items.joined]
    keys: dict[str, list[Any]] = {"majority": [None] * len(items)}
    keys["first word"] = [_cut_unspaced(tokens[0], 0) if tokens else "" for tokens in words]
    keys["last word"] = [_cut_unspaced(tokens[-1], -1) if tokens else "" for tokens in words]
    lengths = [corpus.lengths for corpus in items.corpora]
    if items.n_sides == 1:
        return keys | {"length": (lengths[0] > np.median(lengths[0])).tolist()}
    keys["longer side"] = np.sign(lengths[0] - lengths[1]).tolist()
    keys["copy"] = [a.lower().split() == b.lower().split() for a, b in zip(*items.texts, strict=True)]
    return keys


def _cut_unspaced(token: str, place: int) -> str:
    """Return the first (0) or last (-1) character of a script without spaces, in which a token is a whole clause.

    >>> _cut_unspaced("映画は面白い。", 0), _cut_unspaced("映画は面白い。", -1), _cut_unspaced("film", 0)
    ('映', 'い', 'film')
    """
    if token.isascii():
        return token
    characters = [character for character in token if is_unspaced(character)]
    return characters[place] if characters else token


def _score(
    name: str, predict: Callable[[PartRows], Array], codes: Array, rounds: Sequence[PartRows]
) -> ShortcutBaseline:
    right = sum(int((predict(rows) == codes[rows.test]).sum()) for rows in rounds)
    n = sum(len(rows.test) for rows in rounds)
    return ShortcutBaseline(name, wilson(right, n), n)

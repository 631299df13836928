"""ROUGE and chrF of written answers, equal to those of rouge-score and sacrebleu, in compiled loops."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.tools.remembering import remember_last

if TYPE_CHECKING:
    from assay.data import Dataset

Answers = Sequence[str | None]
CHRF_ORDER, CHRF_BETA = 6, 2
_END = "\x00"
_WORDS = re.compile(r"[a-z0-9]+|\x00")  # the words of rouge-score, which knows no other letters
_UNKNOWN = -1  # a word that is in no reference


@dataclass(frozen=True, eq=False)
class FlatTexts:
    """Texts as numbers of words or characters, one after the other; `starts` has the place of each, and the end."""

    units: Array
    starts: Array

    @property
    def lengths(self) -> Array:
        """The number of units of each text."""
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class References:
    """The references of all items: the row of the item of each, and its words or characters."""

    rows: Array
    texts: FlatTexts
    numbers: dict[str, int]

    def keep_best(self, scores: Array, n_items: int) -> Array:
        """Return the first best reference of every item, −1 if it has none."""
        best = np.full(n_items, -1, dtype=np.int64)
        order = np.lexsort((np.arange(len(scores)), -scores))
        rows, first = np.unique(self.rows[order], return_index=True)
        best[rows] = order[first]
        return best


def score_rouge(data: Dataset, answers: Answers, order: int | None = None) -> Array:
    """Return ROUGE-N (F) of every answer with its best reference, ROUGE-L without an order; no stemming.

    Words are runs of the letters a to z and digits, as in rouge-score: texts in other scripts have none.
    """
    from assay.kinds.tools.text_kernels import count_common_subsequences, count_shared_ngrams

    known = read_reference_words(data)
    said = _number_words([answer or "" for answer in answers], known.numbers)
    size = order or 1
    arguments = (said.units, said.starts, known.texts.units, known.texts.starts, known.rows)
    shared = count_common_subsequences(*arguments) if order is None else count_shared_ngrams(*arguments, size)[:, -1]
    n_said, n_gold = (np.maximum(texts.lengths - size + 1, 0) for texts in (said, known.texts))
    precision = shared / np.maximum(n_said[known.rows], 1)
    recall = shared / np.maximum(n_gold, 1)
    below = precision + recall
    scores = np.divide(2 * precision * recall, below, out=np.zeros(len(below)), where=below > 0)
    best = known.keep_best(scores, len(data))
    return np.where(best >= 0, scores[best], 0.0) if len(scores) else np.zeros(len(data))


def has_words(data: Dataset) -> bool:
    """Return whether at least half of the references have words that ROUGE counts: letters a to z, or digits."""
    lengths = read_reference_words(data).texts.lengths
    return bool(len(lengths)) and 2 * int(np.count_nonzero(lengths)) >= len(lengths)


def count_chrf(data: Dataset, answers: Answers) -> Array:
    """Return the n-grams of characters of answer, reference, and both, for every length (chrF2 of sacrebleu)."""
    from assay.kinds.tools.text_kernels import count_shared_ngrams

    known = read_reference_characters(data)
    said = _number_characters([answer or "" for answer in answers])
    shared = count_shared_ngrams(said.units, said.starts, known.texts.units, known.texts.starts, known.rows, CHRF_ORDER)
    sizes = np.arange(CHRF_ORDER)
    n_gold = np.maximum(known.texts.lengths[:, None] - sizes, 0)
    n_said = np.maximum(said.lengths[known.rows][:, None] - sizes, 0) * (n_gold > 0)
    table = np.stack([n_said, n_gold, shared], axis=-1).reshape(len(known.rows), -1).astype(np.float64)
    best = known.keep_best(np.nan_to_num(compute_chrf(table)), len(data)) if len(table) else np.full(len(data), -1)
    return np.where(best[:, None] >= 0, table[best], 0.0) if len(table) else np.zeros((len(data), 3 * CHRF_ORDER))


def compute_chrf(sums: Array) -> Array:
    """Return chrF from sums of statistics, on a scale to 1."""
    said, gold, both = np.moveaxis(sums.reshape(*sums.shape[:-1], -1, 3).astype(float), -1, 0)
    counted = (said > 0) & (gold > 0)
    n_orders = counted.sum(axis=-1)
    precision, recall = (
        np.where(counted, both / np.maximum(below, 1), 0).sum(axis=-1) / np.maximum(n_orders, 1)
        for below in (said, gold)
    )
    below = CHRF_BETA**2 * precision + recall
    above = (1 + CHRF_BETA**2) * precision * recall
    return np.where(gold.sum(axis=-1) > 0, np.divide(above, below, out=np.zeros_like(above), where=below > 0), np.nan)


@remember_last
def read_reference_words(data: Dataset) -> References:
    """Number the words of all references."""
    rows, texts = _list_references(data)
    numbers: dict[str, int] = {}
    words = _WORDS.findall(_join(texts))
    for word in words:
        numbers.setdefault(word, len(numbers))
    numbers.pop(_END, None)
    return References(rows, _number_words(texts, numbers), numbers)


@remember_last
def read_reference_characters(data: Dataset) -> References:
    """Number the characters of all references."""
    rows, texts = _list_references(data)
    return References(rows, _number_characters(texts), {})


def _list_references(data: Dataset) -> tuple[Array, list[str]]:
    lists = [row or [] for row in data.fields["references"].to_list()]
    rows = np.repeat(np.arange(len(lists)), [len(row) for row in lists])
    return rows, [text or "" for row in lists for text in row]


def _join(texts: Sequence[str]) -> str:
    return "".join(f"{text.replace(_END, ' ')}{_END}" for text in texts).lower()


def _number_words(texts: Sequence[str], numbers: dict[str, int]) -> FlatTexts:
    words = _WORDS.findall(_join(texts))
    known = numbers | {_END: -2}
    units = np.fromiter(map(known.get, words, repeat(_UNKNOWN)), dtype=np.int64, count=len(words))
    ends = np.flatnonzero(units == -2)
    starts = np.concatenate([[0], ends + 1]) - np.arange(len(ends) + 1)
    return FlatTexts(units[units != -2], starts.astype(np.int64))


def _number_characters(texts: Sequence[str]) -> FlatTexts:
    joined = ["".join(text.split()) for text in texts]
    lengths = np.fromiter(map(len, joined), dtype=np.int64, count=len(joined))
    content = "".join(joined).encode("utf-32-le", errors="surrogatepass")
    units = np.frombuffer(content, dtype=np.uint32).astype(np.int64)
    return FlatTexts(units, np.concatenate([[0], np.cumsum(lengths)]))

"""BLEU of written answers, equal to that of sacrebleu: its 13a tokenizer on whole columns, n-grams in a compiled loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import import_extra
from assay.kinds.tools.remembering import remember_last

if TYPE_CHECKING:
    from assay.data import Dataset

Answers = Sequence[str | None]
BLEU_ORDER = 4
_SPACES = r"[\s\x1c-\x1f]+"  # what Python splits at
_REPLACED = {"<skipped>": "", "-\n": "", "\n": " ", "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
_SPLIT = (  # punctuation; periods and commas that no digit precedes, or follows; dashes after digits
    (r"([\{-~\[-`!-&\(-\+:-@/])", " ${1} "),
    (r"([^0-9])([\.,])", "${1} ${2} "),
    (r"([\.,])([^0-9])", " ${1} ${2}"),
    (r"([0-9])(-)", "${1} ${2} "),
)


@dataclass(frozen=True, eq=False)
class SplitTexts:
    """The words of texts, one after the other, and the place of the first word of each text, with the end."""

    words: pl.Series
    starts: Array

    @property
    def lengths(self) -> Array:
        """The number of words of each text."""
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class BleuReferences:
    """The references of all items, for answers to be compared with; one per item, or several."""

    words: SplitTexts | None
    numbers: pl.DataFrame
    count: Callable[[list[str]], Array] | None = None


def count_bleu(data: Dataset, answers: Answers) -> Array:
    """Return lengths, and right and all n-grams of words (sacrebleu's BLEU with its 13a tokenizer)."""
    from assay.kinds.tools.text_kernels import count_shared_ngrams

    known, texts = read_references(data), [answer or "" for answer in answers]
    if known.words is None:
        assert known.count is not None
        return known.count(texts)
    said = split_words(texts)
    units = (_number(words, known.numbers) for words in (said, known.words))
    pairs = zip(units, (said.starts, known.words.starts), strict=True)
    right = count_shared_ngrams(*(array for pair in pairs for array in pair), np.arange(len(data)), BLEU_ORDER)
    total = np.maximum(said.lengths[:, None] - np.arange(BLEU_ORDER), 0)
    return np.column_stack([said.lengths, known.words.lengths, right, total]).astype(np.float64)


@remember_last
def read_references(data: Dataset) -> BleuReferences:
    """Split and number the words of the references; several of one item are left to sacrebleu."""
    module = import_extra("sacrebleu.metrics", "metrics", "BLEU")
    lists = [row or [""] for row in data.fields["references"].to_list()]
    width = max(map(len, lists), default=1)
    if width > 1:
        streams = [[row[place] if place < len(row) else None for row in lists] for place in range(width)]
        metric = module.BLEU(force=True, references=streams)
        return BleuReferences(
            None,
            pl.DataFrame(),
            lambda texts: np.array(metric._extract_corpus_statistics(texts, None), dtype=np.float64),  # noqa: SLF001
        )
    words = split_words([row[0] or "" for row in lists])
    return BleuReferences(words, pl.DataFrame({"word": words.words.unique()}).with_row_index("number"))


def split_words(texts: Sequence[str]) -> SplitTexts:
    """Split texts as the tokenizer 13a does.

    >>> split_words(["It's 1,5 (or so).", "a-b, 3-4"]).words.to_list()
    ["It's", '1,5', '(', 'or', 'so', ')', '.', 'a-b', ',', '3', '-', '4']
    """
    column = pl.Series("word", texts, dtype=pl.String).str.replace(rf"{_SPACES}\z", "")
    for old, new in _REPLACED.items():
        column = column.str.replace_all(old, new, literal=True)
    column = " " + column + " "
    for pattern, new in _SPLIT:
        column = column.str.replace_all(pattern, new)
    column = column.str.replace_all(_SPACES, " ").str.strip_chars(" ")
    lists = column.str.split(" ")
    rows = np.where((column == "").to_numpy(), 0, lists.list.len().to_numpy())
    words = lists.explode()
    return SplitTexts(words.filter(words != ""), np.concatenate([[0], np.cumsum(rows, dtype=np.int64)]))


def _number(words: SplitTexts, numbers: pl.DataFrame) -> Array:
    """Return the numbers of words; −1 if a word is in no reference."""
    table = words.words.to_frame("word").join(numbers, on="word", how="left", maintain_order="left")
    return table["number"].cast(pl.Int64).fill_null(-1).to_numpy()


def compute_bleu(sums: Array) -> Array:
    """Return BLEU from sums of statistics, on a scale to 1, with sacrebleu's exponential smoothing."""
    sums = np.asarray(sums, dtype=float)
    n_said, n_gold = sums[..., 0], sums[..., 1]
    right, total = sums[..., 2 : 2 + BLEU_ORDER], sums[..., 2 + BLEU_ORDER :]
    logs, halves = np.zeros(n_said.shape), np.ones(n_said.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        for order in range(BLEU_ORDER):
            empty = right[..., order] == 0
            halves = np.where(empty, halves * 2, halves)
            share = np.where(empty, 1 / (halves * total[..., order]), right[..., order] / total[..., order])
            logs = logs + np.where(total[..., order] > 0, np.log(share), -np.inf)
        penalty = np.where(n_said < n_gold, np.exp(1 - n_gold / n_said), 1.0)
        score = np.where((right > 0).any(axis=-1), penalty * np.exp(logs / BLEU_ORDER), 0.0)
    return np.where(n_gold > 0, score, np.nan)

"""Evidence of annotators: the labels of several people, and how sure they were."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.data import Dataset
from assay.kinds.tools.cells import parse_list
from assay.suspects.items import JudgedItems
from assay.suspects.judgements import MAX_PROBABILITY, MIN_SUGGESTED_LEAD, Judgement
from assay.suspects.results import LabelEvidence
from assay.suspects.shares.estimation import estimate_share
from assay.wording.sentences import count_noun, quote

WORDS = ("annotator", "annotators", "annotation", "annotations", "rater", "raters", "coder", "coders", "worker")
OTHER_WORDS = {"id", "ids", "name", "confidence", "agreement", "time", "comment"}  # of columns that hold no labels
CONFIDENCES = (
    "label_confidence",
    "label:confidence",
    "gold_confidence",
    "annotator_confidence",
    "annotator_agreement",
    "annotation_confidence",
    "confidence",
)
MIN_NUMBERED = 3  # columns such as label1, label2, label3, from which they are labels of annotators
MIN_KNOWN_LABELS = 0.9  # of the cells of a column that are labels of the data; others hold something else
MIN_JUDGED = 0.1  # of the items, below which a column says too little
MAX_CELL = 10_000  # characters of a list of labels
LOW_CONFIDENCE = 0.5  # on a scale from 0 to 1, below which it is named as a reason
_NUMBERED = re.compile(r"label[ _-]?\d{1,2}")


@dataclass(frozen=True)
class AnnotatorVotes:
    """How many annotators labelled each item, gave its gold label, and gave the most frequent other label.

    `other` numbers that label, -1 if there is none.
    """

    n: Array = field(repr=False)
    n_gold: Array = field(repr=False)
    n_other: Array = field(repr=False)
    other: Array = field(repr=False)
    columns: tuple[str, ...] = ()

    @property
    def doubt(self) -> Array:
        """The share of annotators against the gold label, nan if nobody labelled the item: many say more than few."""
        return np.where(self.n > 0, (self.n - self.n_gold + 0.5) / (self.n + 1), np.nan)

    @property
    def lead(self) -> Array:
        """The share of the most frequent other label less that of the gold label."""
        return np.asarray((self.n_other - self.n_gold) / np.maximum(self.n, 1))

    def explain(self, row: int, names: list[str]) -> str:
        """Say how the annotators label an item, in words; empty if all give the gold label."""
        n, n_gold, n_other = (int(values[row]) for values in (self.n, self.n_gold, self.n_other))
        if n_gold == n:
            return ""
        return f"{n_other} of {count_noun(n, 'annotator')} say {quote(names[self.other[row]])}, {n_gold} the gold label"


@dataclass(frozen=True)
class LabelConfidence:
    """How sure annotators were of the label: the values of a column, nan if unknown, and the ends of their scale."""

    column: str
    values: Array = field(repr=False)
    scale: tuple[float, float]

    @property
    def doubt(self) -> Array:
        """The distance from the upper end of the scale, from 0 to 1."""
        low, high = self.scale
        return np.asarray((high - self.values) / (high - low))

    def explain(self, row: int) -> str:
        """Name a low confidence."""
        if not self.doubt[row] > LOW_CONFIDENCE:
            return ""
        return f"{quote(self.column)} is {self.values[row]:.3g}, on a scale from {self.scale[0]:g} to {self.scale[1]:g}"


def judge_by_annotators(items: JudgedItems, data: Dataset | None) -> list[Judgement]:
    """Judge items by columns with the labels of several annotators, or with the confidence in the label.

    Gold labels are often the majority of these votes, so they order the items and do not say how many are wrong.
    """
    if data is None or not items.names or items.label_form != "class":
        return []
    votes, confidence = count_annotators(items, data), find_confidence(data)
    doubts = [each.doubt for each in (votes, confidence) if each is not None]
    if not doubts:
        return []
    n_known = sum(np.isfinite(doubt).astype(float) for doubt in doubts)
    doubt = np.where(n_known > 0, sum(np.nan_to_num(each) for each in doubts) / np.maximum(n_known, 1), np.nan)
    details, against, chosen = [], np.zeros(len(items), bool), np.full(len(items), -1)
    if votes is not None:
        against = votes.lead > 0
        chosen = np.where(votes.lead >= MIN_SUGGESTED_LEAD, votes.other, -1)
        details.append(f"labels of annotators in {', '.join(quote(column) for column in votes.columns)}")
    if confidence is not None:
        details.append(f"confidence in {quote(confidence.column)}")
    detail = " and ".join(details)
    evidence = LabelEvidence("annotators", int(np.isfinite(doubt).sum()), int(against.sum()), detail)
    estimate = estimate_share([])
    probability = np.minimum(estimate.share.value * doubt / max(float(np.nanmean(doubt)), 1e-9), MAX_PROBABILITY)

    def explain(row: int) -> str:
        by_votes = "" if votes is None else votes.explain(row, items.names)
        return "; ".join(filter(None, [by_votes, "" if confidence is None else confidence.explain(row)]))

    suggested = pl.Series([items.names[code] if code >= 0 else None for code in chosen.tolist()], dtype=pl.String)
    return [Judgement(evidence, probability, np.nan_to_num(doubt, nan=-np.inf), suggested, explain, estimate)]


def count_annotators(items: JudgedItems, data: Dataset) -> AnnotatorVotes | None:
    """Count the annotators for and against every gold label; None if no column holds their labels."""
    used, parts = [], []
    for column in _list_columns(data.frame.columns):
        cells = data.column(column).cast(pl.String)
        if cells.equals(items.labels):
            continue
        rows, codes = _number_labels(cells, items.names)
        n_known = int((codes >= 0).sum())
        if n_known >= max(MIN_KNOWN_LABELS * len(codes), MIN_JUDGED * len(items), 1):
            parts.append((rows[codes >= 0], codes[codes >= 0]))
            used.append(column)
    if not used:
        return None
    rows, codes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _count(rows, codes, items.codes, tuple(used))


def find_confidence(data: Dataset) -> LabelConfidence | None:
    """Return the column with the confidence in the label; None if there is none, or if all of it is equal.

    >>> from assay.kinds import read
    >>> data = read({"text": ["a b", "c d"], "label": ["x", "y"], "label_confidence": [1, 5]}, task="classification")
    >>> find_confidence(data).doubt.tolist()
    [1.0, 0.0]
    """
    names = {column.casefold(): column for column in data.frame.columns}
    for column in (names[name] for name in CONFIDENCES if name in names):
        values = data.column(column).cast(pl.String).cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
        known = values[np.isfinite(values)]
        if len(known) < max(MIN_JUDGED * len(data), 2) or np.ptp(known) == 0:
            continue
        is_share = known.min() >= 0 and known.max() <= 1
        scale = (0.0, 1.0) if is_share else (float(known.min()), float(known.max()))
        return LabelConfidence(column, np.where(np.isfinite(values), values, np.nan), scale)
    return None


def _list_columns(columns: list[str]) -> list[str]:
    numbered = [column for column in columns if _NUMBERED.fullmatch(column.casefold())]
    return [
        column
        for column in columns
        if _is_of_annotators(column) or (column in numbered and len(numbered) >= MIN_NUMBERED)
    ]


def _is_of_annotators(column: str) -> bool:
    words = "".join(letter if letter.isalnum() else " " for letter in column.casefold()).split()
    return bool(words) and words[0].rstrip("0123456789") in WORDS and not OTHER_WORDS & set(words)


def _number_labels(cells: pl.Series, names: list[str]) -> tuple[Array, Array]:
    """Return the row and the number of every label in a column, -1 if it is unknown: one per cell, or a list of them."""
    is_list = cells.str.starts_with("[") & (cells.str.len_chars() <= MAX_CELL)
    known = cells.is_not_null() & (cells.str.strip_chars() != "")
    frame = pl.DataFrame({"row": np.arange(len(cells)), "label": cells}).filter(known)
    lists = frame.filter(is_list.filter(known))
    parsed = pl.Series("label", [parse_list(cell) or [] for cell in lists["label"].to_list()], dtype=pl.List(pl.String))
    long = lists.select("row", parsed).explode("label").filter(pl.col("label") != "")
    long = pl.concat([frame.filter(~is_list.filter(known)), long])
    numbers = pl.int_range(len(names), eager=True)
    labels = long["label"].str.strip_chars()
    codes = labels.replace_strict(pl.Series(names, dtype=pl.String), numbers, default=-1, return_dtype=pl.Int64)
    return long["row"].to_numpy(), codes.to_numpy()


def _count(rows: Array, codes: Array, gold: Array, columns: tuple[str, ...]) -> AnnotatorVotes:
    n_items, n_labels = len(gold), int(codes.max(initial=0)) + 1
    has_gold = gold[rows] >= 0
    rows, codes = rows[has_gold], codes[has_gold]
    is_gold = codes == gold[rows]
    pairs, counts = np.unique(rows[~is_gold] * n_labels + codes[~is_gold], return_counts=True)
    order = np.lexsort((-pairs, counts))  # the most frequent label is written last, of equal ones the first
    item, label = np.divmod(pairs[order], n_labels)
    n_other, other = np.zeros(n_items, np.int64), np.full(n_items, -1)
    n_other[item], other[item] = counts[order], label
    n, n_gold = np.bincount(rows, minlength=n_items), np.bincount(rows[is_gold], minlength=n_items)
    return AnnotatorVotes(n, n_gold, n_other, other, columns)

"""The profile: what is in a dataset, before anyone trains on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.results import Result
from assay.data import Dataset
from assay.data.hold_out import choose_parts, select_part_rows
from assay.features.dataset_features import DatasetFeatures, dataset_features
from assay.features.duplicates import Duplicates, duplicates
from assay.features.label_balance import entropy
from assay.features.label_words import LabelWord, WordCount, label_words, most_frequent, most_frequent_by_label
from assay.features.lengths import Lengths, lengths, lengths_by_label
from assay.features.odd_texts import OddTexts, odd_texts
from assay.features.part import Part
from assay.kinds import kind_of, read


@dataclass(frozen=True)
class Profile(Result):
    """Key figures of a dataset, entropy in nats and lengths in words, whatever the file's name or format."""

    n_items: int
    task: str
    parts: dict[str, int]
    labels: dict[str, dict[str, float]]
    n_unlabelled: int
    label_entropy: float
    length: Lengths
    length_by_label: dict[str, Lengths]
    top_words: list[WordCount]
    top_words_by_label: dict[str, list[WordCount]]
    label_words: dict[str, list[LabelWord]]
    duplicates: Duplicates
    odd_texts: OddTexts
    features: DatasetFeatures


def profile(
    data: Any,
    *,
    features: str | list[str] = "light",
    tokenizer: str = "words",
    n_words: int = 20,
    threshold: float = 0.8,
    random_state: int = 0,
    perplexity_model: str | None = None,
) -> Profile:
    """Say what is in a dataset: labels, lengths, words, duplicates and leaks, odd texts, the features of paper 000.

    >>> found = profile({"text": ["a good film", "a bad film"], "label": ["pos", "neg"]})
    >>> found.n_items, found.labels["pos"], found.length.mean
    (2, {'count': 1, 'share': 0.5}, 3.0)
    """
    data = data if isinstance(data, Dataset) else read(data)
    settings = {"perplexity_model": perplexity_model}
    part = Part.of(data.texts, data.labels, tokenizer, random_state, **settings)
    counts = np.bincount(part.labels[part.labels >= 0], minlength=len(part.label_names))
    words = part.corpus.lengths
    return Profile(
        n_items=len(data),
        task=data.task,
        parts=part_sizes(data),
        labels=label_shares(counts, part.label_names),
        n_unlabelled=int((part.labels < 0).sum()),
        label_entropy=entropy(counts) if len(counts) else float("nan"),
        length=lengths(words),
        length_by_label=lengths_by_label(words, part.labels, part.label_names),
        top_words=most_frequent(part.corpus.frequencies(), part.corpus.vocabulary, n_words),
        top_words_by_label=most_frequent_by_label(part, n_words),
        label_words=label_words(word_sides(data, part, tokenizer), n_words),
        duplicates=duplicates(
            data.texts,
            data.ids,
            part.labels if part.label_names else None,
            data.parts,
            threshold=threshold,
            corpus=part.corpus if tokenizer == "words" else None,
        ),
        odd_texts=odd_texts(data.texts, words, data.ids),
        features=dataset_features(feature_parts(data, part), features),
    )


def word_sides(data: Dataset, part: Part, tokenizer: str) -> dict[str | None, Part]:
    """Return the texts, or the two sides of pairs, to look for words tied to labels in."""
    kind = kind_of(data)
    if not kind.is_paired(data):
        return {None: part}
    return {name: Part.of(side, data.labels, tokenizer) for name, side in kind.name_sides(data).items()}


def feature_parts(data: Dataset, part: Part) -> dict[str, Part]:
    """Cut the data into train and test for the features; without a test part the development part serves."""
    if data.parts is None:
        return {"all": part}
    chosen = choose_parts(data.part_names, train=("train",))
    if chosen is None:
        return {"all": part}
    rows = select_part_rows(data.parts, train=chosen[0], test=chosen[1])
    return {"train": part.take(rows.train), "test": part.take(rows.test)}


def part_sizes(data: Dataset) -> dict[str, int]:
    """Count the items of each part, in the order of their names."""
    if data.parts is None:
        return {}
    names, counts = np.unique([str(name) for name in data.parts], return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def label_shares(counts: np.ndarray, names: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Return count and share of every label, the most frequent first."""
    order = sorted(range(len(names)), key=lambda code: (-counts[code], names[code]))
    total = counts.sum()
    return {names[code]: {"count": int(counts[code]), "share": float(counts[code] / total)} for code in order}

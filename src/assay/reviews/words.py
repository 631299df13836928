"""The words of an item that speak for one label rather than another, for people who review it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.kinds import kind_of
from assay.text.characters import word_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from assay.models.linear import LinearClassifier

MAX_TRAINING_ITEMS = 20_000
MAX_TRIED_WORDS = 80  # of an item
MAX_WORDS = 5
MIN_LOG_ODDS = 0.05  # a smaller change by a word says nothing


def find_deciding_words(
    data: Dataset, rows: Sequence[int], labels: Sequence[str | None], random_state: int = 0
) -> list[list[str]]:
    """Return the words of each item that most favour its label, the strongest first; none if no model can be fitted.

    A linear model is fitted to the other items. A word counts by how far the log-odds of the label fall without it.

    >>> texts = ["good film", "good plot", "good cast", "bad film", "bad plot", "bad cast", "a good story"]
    >>> data = {"text": texts, "label": ["pos"] * 3 + ["neg"] * 3 + ["neg"]}
    >>> import assay
    >>> find_deciding_words(assay.read(data), [6], ["pos"])
    [['good']]
    """
    nothing: list[list[str]] = [[] for _ in rows]
    if data.labels is None or not kind_of(data).gold.has_classes or "choices" in data.fields:
        return nothing
    model = fit_model(data, np.asarray(rows), random_state)
    if model is None:
        return nothing
    classes = model.classes_.tolist()
    sides = [side.gather(np.asarray(rows)).to_list() for side in read_sides(data)]
    return [
        rank_words(model, [side[number] for side in sides], classes.index(label)) if label in classes else []
        for number, label in enumerate(labels)
    ]


def read_sides(data: Dataset) -> list[pl.Series]:
    """Return the text, or the two texts, of the items."""
    return list(data.sides) if kind_of(data).texts.is_paired(data) else [data.texts]


def fit_model(data: Dataset, left_out: Array, random_state: int) -> LinearClassifier | None:
    """Fit a model of words to items other than those that are reviewed; None if the labels or texts do not allow it."""
    from assay.models.linear import LinearClassifier

    assert data.labels is not None
    usable = data.labels.is_not_null().to_numpy().copy()
    usable[left_out] = False
    rows = data.order[usable[data.order]]
    if len(rows) > MAX_TRAINING_ITEMS:
        rows = np.sort(np.random.default_rng(random_state).choice(rows, MAX_TRAINING_ITEMS, replace=False))
    labels = data.labels.gather(rows)
    if labels.n_unique() < 2:
        return None
    texts = [side.gather(rows).fill_null("").to_list() for side in read_sides(data)]
    try:
        model = LinearClassifier(word_ngrams=(1, 1), char_ngrams=None, min_word_count=1, random_state=random_state)
        return model.fit(texts[0] if len(texts) == 1 else list(zip(*texts, strict=True)), labels.to_list())
    except AssayError:
        return None


def rank_words(model: LinearClassifier, texts: list[str | None], label: int) -> list[str]:
    """Return the words without which the log-odds of a label fall most."""
    sides = [text or "" for text in texts]
    words = list(dict.fromkeys(word.lower() for side in sides for word in word_pattern().findall(side)))
    words = words[:MAX_TRIED_WORDS]
    variants = [sides, *([drop_word(side, word) for side in sides] for word in words)]
    items = [variant[0] if len(sides) == 1 else tuple(variant) for variant in variants]
    shares = np.clip(model.predict_proba(items)[:, label], 1e-9, 1 - 1e-9)
    log_odds = np.log(shares / (1 - shares))
    falls = log_odds[0] - log_odds[1:]
    strongest = np.argsort(-falls, kind="stable")[:MAX_WORDS]
    return [words[place] for place in strongest if falls[place] > MIN_LOG_ODDS]


def drop_word(text: str, word: str) -> str:
    """Return a text without a word.

    >>> drop_word("Not a film, not a play", "not")
    ' a film,  a play'
    """
    return word_pattern().sub(lambda match: "" if match[0].lower() == word else match[0], text)

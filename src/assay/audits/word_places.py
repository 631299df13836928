"""Which labels go with any word of a place: what length and overlap already tell, whatever the word."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.data import Dataset
from assay.kinds import kind_of
from assay.text import Corpus


def label_shares_of_words(data: Dataset) -> dict[str, dict[str, float]]:
    """Return, for each place a word may stand in, how the labels share out over the words there.

    A text counts each of its words once. Where one label's texts are longer, or its pairs share fewer words, every word
    of that place goes with the label more often than the label's share among the items.

    >>> from assay.kinds import read
    >>> label_shares_of_words(read({"text": ["one two three", "one"], "label": ["a", "b"]}))
    {'word in text': {'a': 0.75, 'b': 0.25}}
    """
    if data.labels is None or not data.label_names:
        return {}
    known = data.drop_unlabelled()
    assert known.labels is not None
    labels = known.labels.to_numpy()
    return {
        place: {name: float(counts[labels == name].sum() / counts.sum()) for name in known.label_names}
        for place, counts in words_in_places(known).items()
        if counts.sum() > 0
    }


def words_in_places(data: Dataset) -> dict[str, Array]:
    """Count the different words of every item: of its text, or of each side and of each side alone."""
    if not kind_of(data).is_paired(data):
        return {"word in text": _different(Corpus.from_texts(data.sides[0]))}
    first, second = Corpus.from_sides(data.sides[0], data.sides[1])
    both = np.asarray(first.counts().astype(bool).multiply(second.counts().astype(bool)).sum(axis=1)).ravel()
    counts = {"a": _different(first), "b": _different(second)}
    alone = {f"word in {one} but not in {other}": counts[one] - both for one, other in ("ab", "ba")}
    return {f"word in {name}": found for name, found in counts.items()} | alone


def _different(corpus: Corpus) -> Array:
    return np.asarray(np.diff(corpus.counts().indptr))

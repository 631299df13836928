"""The label shares of words by place: what length and overlap alone say about the label, whatever the word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array, Values
from assay.base.errors import UsageError
from assay.base.marks import NAME, OWN
from assay.features.labelled_texts import code_labels
from assay.features.measures.lexical import count_distinct_words
from assay.text import Corpus
from assay.text.columns import Texts
from assay.views.results import Result


@dataclass(frozen=True)
class PlaceShares(Result):
    """How the labels are distributed over the words in one place, such as "word in a but not in b"."""

    place: str = field(metadata=OWN)
    shares: dict[str, float] = field(metadata=NAME)


def label_shares_by_place(sides: Sequence[Texts | Corpus], labels: pl.Series | Values) -> tuple[PlaceShares, ...]:
    """Return, for each place a word can have, how the labels are distributed over the words there.

    `sides` is one list of texts, or the two lists of a pair; ready corpora (of a pair: with one vocabulary) are used as
    they are. A text counts each of its words once; items without a label are left out. If one label's texts are
    longer, or its pairs share fewer words, every word of that place goes with the label more often than its share.

    >>> label_shares_by_place([["one two three", "one"]], ["a", "b"])[0].shares
    {'a': 0.75, 'b': 0.25}
    """
    corpora = _to_corpora(sides)
    codes, names = code_labels(labels, len(corpora[0]))
    counts = {place: words[codes >= 0] for place, words in _count_by_place(corpora).items()}
    codes = codes[codes >= 0]
    return tuple(
        PlaceShares(place, {name: float(words[codes == code].sum() / words.sum()) for code, name in enumerate(names)})
        for place, words in counts.items()
        if len(names) and words.sum() > 0
    )


def _to_corpora(sides: Sequence[Texts | Corpus]) -> list[Corpus]:
    if len(sides) == 1:
        return [sides[0] if isinstance(sides[0], Corpus) else Corpus.from_texts(sides[0])]
    first, second = sides
    if isinstance(first, Corpus) and isinstance(second, Corpus):
        if first.vocabulary is not second.vocabulary:
            raise UsageError("The corpora of both sides must share one vocabulary: make them with Corpus.from_sides.")
        return [first, second]
    return list(Corpus.from_sides(first, second))


def _count_by_place(corpora: Sequence[Corpus]) -> dict[str, Array]:
    """Count the distinct words of every item: of its text, or of each side and of each side alone."""
    distinct = [count_distinct_words(corpus) for corpus in corpora]
    if len(corpora) == 1:
        return {"word in text": distinct[0]}
    counts = [corpus.counts().astype(bool) for corpus in corpora]
    both = np.asarray(counts[0].multiply(counts[1]).sum(axis=1)).ravel()
    return {
        "word in a": distinct[0],
        "word in b": distinct[1],
        "word in a but not in b": distinct[0] - both,
        "word in b but not in a": distinct[1] - both,
    }

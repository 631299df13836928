"""The texts of items with their words, counted once for everything that needs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.text import Corpus, punctuation_counts

Sides = Sequence[Any]  # one or two sides, each a sequence of strings or a Corpus


class ItemTexts:
    """One or two sides of texts, and their words as `Corpus`.

    A side is a sequence of strings, which is cut into words when they are first needed, or a ready `Corpus`. Pass
    `corpora` next to texts to reuse words that are counted already; the texts of a pair share one vocabulary.

    >>> items = ItemTexts([["a cat", "a dog!"]])
    >>> len(items), items.corpora[0].vocabulary, items.punctuation[0].tolist()
    (2, ['a', 'cat', 'dog'], [0, 1])
    """

    def __init__(self, sides: Sides, corpora: Sequence[Corpus] | None = None) -> None:
        if len(sides) not in (1, 2):
            raise UsageError(f"Items have one text or two, not {len(sides)}.")
        ready = [side for side in sides if isinstance(side, Corpus)]
        if ready and len(ready) != len(sides):
            raise UsageError("Pass both sides of a pair as texts, or both as a Corpus.")
        self._texts = None if ready else tuple(sides)
        self._corpora = tuple(ready) if ready else corpora
        if self._corpora is not None:
            _check_corpora(self._corpora, [len(side) for side in sides])
        self.n_sides = len(sides)
        self._n_items = len(sides[0])

    def __len__(self) -> int:
        return self._n_items

    def __repr__(self) -> str:
        return f"ItemTexts({len(self):,} {'texts' if self.n_sides == 1 else 'pairs'})"

    @property
    def texts(self) -> tuple[Sequence[str], ...]:
        """Return the texts of each side, or raise if only their words are known."""
        if self._texts is None:
            raise AssayError("the texts themselves are needed here, not only their words")
        return self._texts

    @property
    def has_texts(self) -> bool:
        """Return whether the texts themselves are known, not only their words."""
        return self._texts is not None

    @cached_property
    def corpora(self) -> tuple[Corpus, ...]:
        """Return the words of each side; both sides of a pair share one vocabulary."""
        if self._corpora is not None:
            return tuple(self._corpora)
        if self.n_sides == 1:
            return (Corpus.from_texts(self.texts[0]),)
        first, second = self.texts
        return Corpus.from_sides(first, second)

    @cached_property
    def punctuation(self) -> tuple[Array, ...]:
        """Count the punctuation marks of each text, side by side."""
        return tuple(punctuation_counts(side) for side in self.texts)

    @cached_property
    def joined(self) -> list[str]:
        """Return one text per item: both sides of a pair, joined by a space."""
        return [" ".join(parts) for parts in zip(*self.texts, strict=True)]

    def count_tokens(self) -> Array:
        """Count the words and punctuation marks of each item, both sides together."""
        counts = [corpus.lengths + marks for corpus, marks in zip(self.corpora, self.punctuation, strict=True)]
        return np.asarray(sum(counts))


def to_item_texts(sides: ItemTexts | Sides) -> ItemTexts:
    """Return item texts as they are, and wrap sides."""
    return sides if isinstance(sides, ItemTexts) else ItemTexts(sides)


def _check_corpora(corpora: Sequence[Corpus], n_items: list[int]) -> None:
    if [len(corpus) for corpus in corpora] != n_items:
        raise UsageError(f"Words of {[len(corpus) for corpus in corpora]} texts for sides of {n_items}.")
    if any(corpus.vocabulary is not corpora[0].vocabulary for corpus in corpora):
        raise UsageError("The words of a pair must share one vocabulary: use Corpus.from_sides.")

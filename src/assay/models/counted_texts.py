"""Texts whose n-grams are counted at most once, however many models are fitted on however many of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array

if TYPE_CHECKING:
    from assay.models.inputs import Texts
    from assay.text import Corpus, NgramCounts


class CountedTexts(Sequence[Any]):
    """Texts, or pairs of texts, for the models of a cross-validation: `take` selects rows and shares the counts.

    Any classifier takes it in place of a list. Nothing is counted before a model needs it; pickling keeps the texts.

    >>> texts = CountedTexts(["a b", "b c", "c a"])
    >>> texts.take([2, 0])[0], len(texts.take([2, 0]))
    ('c a', 2)
    """

    def __init__(self, X: Texts) -> None:
        from assay.models.inputs import to_sides

        self._store = _CountStore(to_sides(X))
        self.rows: Array = np.arange(len(self._store.sides[0]))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return self.take(np.arange(len(self))[number])
        item = tuple(side[self.rows[number]] for side in self._store.sides)
        return item if len(item) > 1 else item[0]

    def __reduce__(self) -> tuple[type, tuple[list[str | tuple[str, ...]]]]:
        return CountedTexts, (list(self),)

    def take(self, rows: object) -> CountedTexts:
        """Return some rows, by number or mask; the counts are shared."""
        taken = object.__new__(CountedTexts)
        taken._store, taken.rows = self._store, self.rows[np.asarray(rows)]
        return taken

    @property
    def sides(self) -> CountedSides:
        """The texts of each side, as classifiers read them."""
        rows = self.rows.tolist()
        sides = CountedSides([side[row] for row in rows] for side in self._store.sides)
        sides.texts = self
        return sides

    @property
    def side_rows(self) -> list[Array]:
        """The rows of each side in the counts, which list the first side of all items and then the second."""
        n_items = len(self._store.sides[0])
        return [self.rows + number * n_items for number in range(len(self._store.sides))]

    def count_ngrams(self, unit: str, ngrams: tuple[int, int]) -> NgramCounts:
        """Count the n-grams of words or of characters in the texts of all rows, both sides one after the other."""
        return self._store.count(unit, ngrams)


class CountedSides(tuple[list[str], ...]):
    """The sides of counted texts, with the texts they come from."""

    texts: CountedTexts


class _CountStore:
    """All texts, and the counts that were needed so far."""

    def __init__(self, sides: Sequence[list[str]]) -> None:
        self.sides = tuple(sides)
        self._lock = Lock()
        self._chunks: Corpus | None = None
        self._words: Corpus | None = None
        self._counts: dict[tuple[str, tuple[int, int]], NgramCounts] = {}

    def count(self, unit: str, ngrams: tuple[int, int]) -> NgramCounts:
        with self._lock:
            if (unit, ngrams) not in self._counts:
                self._counts[unit, ngrams] = self._count(unit, ngrams)
            return self._counts[unit, ngrams]

    def _count(self, unit: str, ngrams: tuple[int, int]) -> NgramCounts:
        from assay.text.ngrams import (
            count_character_ngrams,
            count_word_ngrams,
            split_at_spaces,
            split_into_plain_words,
        )

        if self._chunks is None:
            self._chunks = split_at_spaces([text for side in self.sides for text in side])
        if unit == "characters":
            return count_character_ngrams(self._chunks, ngrams)
        if self._words is None:
            self._words = split_into_plain_words(self._chunks)
        return count_word_ngrams(self._words, ngrams)

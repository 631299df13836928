"""The n-grams of some texts as a prefix tree: spelled on demand, and found again in other texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.text.corpus import Corpus

Ints = NDArray[np.int32]


class Level(NamedTuple):
    """The n-grams of one length: the number of the one that starts at each position, and how each is composed.

    `parents` are numbers of the level before (-1 on the first level), `lasts` are units.
    """

    numbers: Ints
    parents: Ints
    lasts: Ints

    @property
    def size(self) -> int:
        """The number of distinct n-grams."""
        return len(self.parents)


def number_ngrams(corpus: Corpus, max_length: int) -> Iterator[Level]:
    """Number the n-grams of a corpus, length by length: by their first unit, then by their second, and so on."""
    from assay.text.scanner.ngrams import extend_ngrams

    n_units = len(corpus.vocabulary)
    n_left = np.repeat(corpus.offsets[1:], corpus.lengths) - np.arange(len(corpus.ids))
    level = Level(corpus.ids, np.full(n_units, -1, np.int32), np.arange(n_units, dtype=np.int32))
    yield level
    for length in range(2, max_length + 1):
        prefixes = np.where(n_left >= length, level.numbers, np.int32(-1))
        level = Level(*extend_ngrams(prefixes, np.roll(corpus.ids, 1 - length), level.size, n_units))
        yield level


@dataclass(frozen=True, eq=False)
class NgramVocabulary:
    """A list of n-grams over units (words, or characters), which are nodes of a prefix tree.

    Node i below `len(units)` is unit i alone. A longer n-gram is node `parents[i]` followed by unit `lasts[i]`. Nodes
    are ordered by length, and `level_ends` says where each length ends. `nodes` lists the n-grams, one per column.
    """

    units: list[str]
    parents: Ints
    lasts: Ints
    level_ends: tuple[int, ...]
    nodes: Ints
    separator: str

    @classmethod
    def from_levels(cls, units: list[str], levels: Sequence[Level], nodes: Ints, separator: str) -> NgramVocabulary:
        """Make a vocabulary from the levels of the tree, shortest first, and the nodes of its columns."""
        ends = np.cumsum([level.size for level in levels]).tolist()
        parents = [level.parents + np.int32(start) for level, start in zip(levels[1:], [0, *ends], strict=False)]
        return cls(
            units,
            np.concatenate([levels[0].parents, *parents]),
            np.concatenate([level.lasts for level in levels]),
            tuple(ends),
            nodes,
            separator,
        )

    @classmethod
    def from_strings(cls, ngrams: Sequence[str], separator: str) -> NgramVocabulary:
        """Make the vocabulary of n-grams whose units are separated by a string, or are characters ("").

        >>> NgramVocabulary.from_strings(["a b", "b"], " ").spell()
        ['a b', 'b']
        """
        parts = separator.join(ngrams).split(separator) if separator else list("".join(ngrams))
        lengths = np.array([ngram.count(separator) + 1 if separator else len(ngram) for ngram in ngrams], np.int64)
        numbers: dict[str, int] = {}
        ids = np.array([numbers.setdefault(part, len(numbers)) for part in parts], np.int32)
        corpus = Corpus(np.concatenate([[0], np.cumsum(lengths)]), ids, list(numbers))
        levels = list(number_ngrams(corpus, int(lengths.max(initial=1))))
        nodes, start = np.empty(len(ngrams), np.int32), 0
        for length, level in enumerate(levels, start=1):
            rows = np.flatnonzero(lengths == length)
            nodes[rows] = level.numbers[corpus.offsets[rows]] + start
            start += level.size
        return cls.from_levels(corpus.vocabulary, levels, nodes, separator)

    def __len__(self) -> int:
        return len(self.nodes)

    def take(self, columns: NDArray[np.int64]) -> NgramVocabulary:
        """Return the vocabulary of some columns; the tree is shared."""
        return replace(self, nodes=self.nodes[columns])

    def spell(self) -> list[str]:
        """Return the n-grams as strings, one per column."""
        strings, n_units = list(self.units), len(self.units)
        for parent, last in zip(self.parents[n_units:].tolist(), self.lasts[n_units:].tolist(), strict=True):
            strings.append(strings[parent] + self.separator + self.units[last])
        return [strings[node] for node in self.nodes.tolist()]

    def find(self, other: NgramVocabulary) -> NDArray[np.int64]:
        """Return the column here of each n-gram of another vocabulary, -1 if there is none.

        >>> here, other = (NgramVocabulary.from_strings(ngrams, " ") for ngrams in (["a", "a b"], ["b", "a b", "c"]))
        >>> here.find(other).tolist()
        [-1, 1, -1]
        """
        numbers = {unit: number for number, unit in enumerate(self.units)}
        units = np.array([numbers.get(unit, -1) for unit in other.units], np.int64)
        nodes = np.full(len(other.parents), -1, np.int64)
        nodes[: len(units)] = units
        for start, stop in pairwise(other.level_ends):
            parents, lasts = nodes[other.parents[start:stop]], units[other.lasts[start:stop]]
            known = np.flatnonzero((parents >= 0) & (lasts >= 0))
            nodes[start + known] = self._find_children(parents[known], lasts[known])
        columns = np.full(len(self.parents) + 1, -1, np.int64)  # the last entry is read for node -1
        columns[self.nodes] = np.arange(len(self.nodes))
        return columns[nodes[other.nodes]]

    def _find_children(self, parents: NDArray[np.int64], lasts: NDArray[np.int64]) -> NDArray[np.int64]:
        keys, nodes = self._children
        if not len(keys):
            return np.full(len(parents), -1, np.int64)
        sought = parents * len(self.units) + lasts
        places = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
        return np.where(keys[places] == sought, nodes[places], -1)

    @cached_property
    def _children(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs of parent and last unit as ascending numbers, and the node of each."""
        n_units = len(self.units)
        keys = self.parents[n_units:].astype(np.int64) * n_units + self.lasts[n_units:]
        order = np.argsort(keys)
        return keys[order], order + n_units

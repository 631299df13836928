"""A split as pairs of row sets: which part is compared with which, and the same for parts drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.splits.assignments import Assignment, FoldAssignment


@dataclass(frozen=True)
class PartPairs:
    """Pairs of row sets as boolean arrays, pairs × rows: each part is compared with its reference.

    Rows in neither are left out.
    """

    names: list[str]
    parts: Array
    references: Array

    def take(self, rows: Array) -> PartPairs:
        """Return the same pairs for some of the rows."""
        return PartPairs(self.names, self.parts[:, rows], self.references[:, rows])

    def select(self, pairs: Array) -> PartPairs:
        """Return some of the pairs."""
        return PartPairs([self.names[pair] for pair in pairs], self.parts[pairs], self.references[pairs])

    def permute(self, rng: np.random.Generator) -> PartPairs:
        """Return pairs of the same sizes drawn at random: the rows in use are permuted one by one."""
        used = np.flatnonzero((self.parts | self.references).any(axis=0))
        order = np.arange(self.parts.shape[1])
        order[used] = rng.permutation(used)
        return self.take(order)

    def arrange(self) -> tuple[PartPairs, Array]:
        """Return pairs that depend on nothing but the sizes of the row sets, and the place of each pair among them.

        Random pairs of the same sizes can then be shared by splits. Pairs are sorted by size, and the rows in use by the
        sets that they are in.

        >>> rows = np.array([[True, False, False], [False, True, True]])
        >>> pairs, places = PartPairs(["b", "a"], rows[::-1], rows).arrange()
        >>> pairs.names, pairs.parts.astype(int).tolist(), places.tolist()
        (['a', 'b'], [[0, 0, 1], [1, 1, 0]], [1, 0])
        """
        order = np.lexsort((self.references.sum(axis=1), self.parts.sum(axis=1)))
        pairs = self.select(order)
        both = np.concatenate([pairs.parts, pairs.references])
        used = np.flatnonzero(both.any(axis=0))
        places = np.arange(both.shape[1])
        places[used] = used[np.lexsort(np.packbits(both[:, used], axis=0)[::-1])]
        return pairs.take(places), np.argsort(order)

    @classmethod
    def stack(cls, tables: Sequence[PartPairs]) -> PartPairs:
        """Return the pairs of several tables over the same rows, one after the other."""
        names = [name for table in tables for name in table.names]
        parts, references = ([getattr(table, side) for table in tables] for side in ("parts", "references"))
        return cls(names, np.concatenate(parts), np.concatenate(references))


def pair_parts(draws: Sequence[Assignment]) -> PartPairs:
    """Pair each fold with the other folds, and dev and test with train; over all repeats."""
    pairs = [
        pair for repeat, draw in enumerate(draws) for pair in _iterate_pairs(draw, repeat if len(draws) > 1 else None)
    ]
    if not pairs:
        raise AssayError("Nothing to compare: the split has no two parts with rows (train and dev or test, or folds).")
    names, parts, references = zip(*pairs, strict=True)
    return PartPairs(list(names), np.array(parts), np.array(references))


def list_members(draws: Sequence[Assignment]) -> dict[str, Array]:
    """Return a boolean array over rows for every part or fold that has rows, by name."""
    return {
        _name_part(name, repeat if len(draws) > 1 else None): rows
        for repeat, draw in enumerate(draws)
        for name, rows in draw.iterate_members()
    }


def _iterate_pairs(draw: Assignment, repeat: int | None) -> Iterator[tuple[str, Array, Array]]:
    members = dict(draw.iterate_members())
    for name, rows in members.items():
        if isinstance(draw, FoldAssignment):
            reference = (draw.folds > 0) & ~rows
        else:
            reference = members.get("train", np.zeros_like(rows))
        if name != "train" and reference.any():
            yield _name_part(name, repeat), rows, reference


def _name_part(name: str, repeat: int | None) -> str:
    return name if repeat is None else f"{name} (repeat {repeat})"

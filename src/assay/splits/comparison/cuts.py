"""A split as pairs of sides: what is compared with what, and the same for splits drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.errors import AssayError
from assay.splits.base import Assignment, Parts


@dataclass(frozen=True)
class Cuts:
    """Pairs of row sets, one a line: `here` is compared with `there`. Rows in neither are left out."""

    names: list[str]
    here: np.ndarray
    there: np.ndarray

    def take(self, rows: np.ndarray) -> Cuts:
        """Return the same pairs on some of the rows."""
        return Cuts(self.names, self.here[:, rows], self.there[:, rows])

    def permuted(self, rng: np.random.Generator) -> Cuts:
        """Return pairs of the same sizes drawn at random: the used rows change places, each on its own."""
        used = np.flatnonzero((self.here | self.there).any(axis=0))
        order = np.arange(self.here.shape[1])
        order[used] = rng.permutation(used)
        return self.take(order)


def cuts_of(draws: Sequence[Assignment | Parts]) -> Cuts:
    """List every comparison: each fold with the other folds, dev and test with train; over all repeats."""
    pairs = [pair for repeat, drawn in enumerate(draws) for pair in _pairs(drawn, repeat if len(draws) > 1 else None)]
    if not pairs:
        raise AssayError("Nothing to compare: the split has no two parts with rows (train and dev or test, or folds).")
    names, here, there = zip(*pairs, strict=True)
    return Cuts(list(names), np.array(here), np.array(there))


def members_of(draws: Sequence[Assignment | Parts]) -> dict[str, np.ndarray]:
    """Return a boolean array over rows for every part or fold that has rows, by name."""
    members = {}
    for repeat, drawn in enumerate(draws):
        for name, rows in _members(drawn):
            members[_named(name, repeat if len(draws) > 1 else None)] = rows
    return members


def _pairs(drawn: Assignment | Parts, repeat: int | None) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    members = dict(_members(drawn))
    for name, rows in members.items():
        there = (drawn.folds > 0) & ~rows if isinstance(drawn, Assignment) else members.get("train", ~rows & False)
        if name != "train" and there.any():
            yield _named(name, repeat), rows, there


def _members(drawn: Assignment | Parts) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(drawn, Assignment):
        for fold in np.unique(drawn.folds[drawn.folds > 0]).tolist():
            yield str(fold), drawn.folds == fold
    else:
        for part in ("train", "dev", "test"):
            if (drawn.parts == part).any():
                yield part, drawn.parts == part


def _named(name: str, repeat: int | None) -> str:
    return name if repeat is None else f"{name} (repeat {repeat})"

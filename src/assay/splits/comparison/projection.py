"""The rows on a plane: the first two principal components of their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.views.results import Result

MAX_POINTS = 2000


@dataclass(frozen=True)
class Projection(Result):
    """Points on a plane, column by column: id, coordinates and part of each row shown."""

    id: tuple[str, ...] = field(metadata=NAME)
    x: tuple[float, ...]
    y: tuple[float, ...]
    part: tuple[str, ...] = field(metadata=NAME)

    def _frame(self) -> pl.DataFrame:
        return pl.DataFrame({"id": self.id, "x": self.x, "y": self.y, "part": self.part})


def project_rows(plane: Array, members: dict[str, Array], ids: Sequence[str], rng: np.random.Generator) -> Projection:
    """Return at most 2,000 rows on a plane with the part of each; a row in several repeats has its first part."""
    rows = draw_rows(len(plane), rng)
    names = np.full(len(plane), "unused", dtype=object)
    for name, where in reversed(members.items()):
        names[where] = name
    x, y = plane[rows].T.tolist()
    return Projection(tuple(ids[row] for row in rows), tuple(x), tuple(y), tuple(names[rows].tolist()))


def compute_plane(vectors: Array) -> Array:
    """Return two coordinates per row; each axis has the sign that makes its largest absolute value positive."""
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    points = centred @ axes[:, ::-1][:, :2]
    if points.shape[1] < 2:
        points = np.hstack([points, np.zeros((len(points), 2 - points.shape[1]))])
    signs = np.sign(np.take_along_axis(points, np.abs(points).argmax(axis=0)[None], axis=0))
    return np.asarray(points * np.where(signs == 0, 1.0, signs))


def draw_rows(n: int, rng: np.random.Generator) -> Array:
    """Draw at most 2,000 rows to show, in file order."""
    return np.sort(rng.permutation(n)[:MAX_POINTS])

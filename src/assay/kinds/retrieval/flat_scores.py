"""Scores of many rankings at once: the grades of all ranked documents in one array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.data import Dataset
from assay.kinds.retrieval.scores import parse_judgements
from assay.kinds.tools.remembering import remember_last
from assay.system.json import MAX_DEPTH

EVERY_RANK = 2**62


@dataclass(frozen=True, eq=False)
class Judgements:
    """The judged documents of all queries, the ideal ranking of their grades, and how many are relevant."""

    table: pl.DataFrame  # row, document, grade
    ideal: RankedGrades
    n_relevant: Array


@dataclass(frozen=True, eq=False)
class RankedGrades:
    """The grades of ranked documents: the row of the query, the rank from 1, and the grade, 0 if it is not positive."""

    rows: Array
    ranks: Array
    grades: Array
    n_rows: int

    def cut(self, cutoff: int | None) -> RankedGrades:
        """Keep the first documents."""
        if cutoff is None:
            return self
        kept = self.ranks <= cutoff
        return RankedGrades(self.rows[kept], self.ranks[kept], self.grades[kept], self.n_rows)

    def add_up(self, values: Array) -> Array:
        """Add up values of documents by query."""
        return np.bincount(self.rows, weights=values, minlength=self.n_rows)


@remember_last
def read_judgements(data: Dataset) -> Judgements:
    """Read the judgements of all queries."""
    grades = [parse_judgements(cell) for cell in data.fields["judgements"].to_list()]
    rows = np.repeat(np.arange(len(grades)), [len(row) for row in grades])
    table = pl.DataFrame(
        {
            "row": rows.astype(np.uint32),
            "document": [document for row in grades for document in row],
            "grade": np.array([max(grade, 0) for row in grades for grade in row.values()], dtype=np.int64),
        },
        schema_overrides={"document": pl.String},
    )
    order = np.lexsort((-table["grade"].to_numpy(), rows)) if len(rows) else rows
    ideal = RankedGrades(rows, _number_within(rows), table["grade"].to_numpy()[order], len(grades))
    n_relevant = np.bincount(rows, weights=table["grade"].to_numpy() > 0, minlength=len(grades))
    return Judgements(table, ideal, n_relevant)


def score_flat(data: Dataset, answers: Sequence[str | None], measure: str, cutoff: int | None) -> Array | None:
    """Return the score of every query; None for a measure, or answers, that need another way."""
    compute = _MEASURES.get(measure)
    if compute is None:
        return None
    known, rankings = read_judgements(data), parse_rankings(answers)
    if rankings is None:
        return None
    return compute(rankings.grade(known, cutoff if measure != "mrr" else None).cut(cutoff), known, cutoff)


@dataclass(eq=False)
class Rankings:
    """The documents of all rankings, and the grades of the deepest that were looked up, which serve all measures."""

    documents: pl.Series
    graded: tuple[Judgements, int, RankedGrades] | None = None

    def grade(self, known: Judgements, cutoff: int | None) -> RankedGrades:
        """Return the grades of the documents up to a rank, or further."""
        depth = EVERY_RANK if cutoff is None else cutoff
        if self.graded is None or self.graded[0] is not known or self.graded[1] < depth:
            self.graded = known, depth, _grade_documents(known, self.documents, cutoff)
        return self.graded[2]


@remember_last
def parse_rankings(answers: Sequence[str | None]) -> Rankings | None:
    """Read the rankings of a system; None if an answer is not a list of strings."""
    column = pl.Series("document", [answer or "[]" for answer in answers], dtype=pl.String)
    if not (column.str.starts_with('["') | (column == "[]")).all():
        return None
    if (column.str.count_matches("[", literal=True) > MAX_DEPTH).any():  # may be nested deeper than polars can read
        return None
    try:
        return Rankings(column.str.json_decode(pl.List(pl.String)))
    except pl.exceptions.ComputeError:
        return None


def _grade_documents(known: Judgements, lists: pl.Series, cutoff: int | None) -> RankedGrades:
    lists = lists if cutoff is None else lists.list.head(cutoff)
    lengths = lists.list.len().fill_null(0).to_numpy()
    rows = np.repeat(np.arange(len(lengths)), lengths)
    documents = lists.explode(empty_as_null=False, keep_nulls=False)
    table = pl.DataFrame({"row": rows.astype(np.uint32), "document": documents})
    grades = table.join(known.table, on=["row", "document"], how="left", maintain_order="left")["grade"].fill_null(0)
    return RankedGrades(rows, _number_within(rows), grades.to_numpy(), len(lengths))


def _number_within(rows: Array) -> Array:
    """Number the documents of every query from 1; rows are sorted."""
    if not len(rows):
        return rows
    firsts = np.concatenate([[True], rows[1:] != rows[:-1]])
    starts = np.flatnonzero(firsts)
    return np.arange(len(rows)) - np.repeat(starts, np.diff(np.append(starts, len(rows)))) + 1


def _divide(above: Array, below: Array) -> Array:
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)


def _discount(ranked: RankedGrades) -> Array:
    return ranked.add_up(ranked.grades / np.log2(ranked.ranks + 1.0))


def _compute_ndcg(ranked: RankedGrades, known: Judgements, cutoff: int | None) -> Array:
    return _divide(_discount(ranked), _discount(known.ideal.cut(cutoff)))


def _compute_precision(ranked: RankedGrades, known: Judgements, cutoff: int | None) -> Array:
    del known
    return ranked.add_up(ranked.grades > 0) / (cutoff or 1)


def _compute_recall(ranked: RankedGrades, known: Judgements, cutoff: int | None) -> Array:
    del cutoff
    return _divide(ranked.add_up(ranked.grades > 0), known.n_relevant)


def _compute_success(ranked: RankedGrades, known: Judgements, cutoff: int | None) -> Array:
    del known, cutoff
    return (ranked.add_up(ranked.grades > 0) > 0).astype(float)


def _compute_average_precision(ranked: RankedGrades, known: Judgements, cutoff: int | None) -> Array:
    del cutoff
    is_relevant = ranked.grades > 0
    found = np.cumsum(is_relevant)
    before = np.concatenate([[0], np.cumsum(ranked.add_up(is_relevant))[:-1]])
    precision = np.where(is_relevant, (found - before[ranked.rows]) / ranked.ranks, 0.0)
    return _divide(ranked.add_up(precision), known.n_relevant)


def _compute_reciprocal_rank(ranked: RankedGrades, known: Judgements, cutoff: int | None) -> Array:
    del known, cutoff
    best = np.full(ranked.n_rows, np.inf)
    is_relevant = ranked.grades > 0
    np.minimum.at(best, ranked.rows[is_relevant], ranked.ranks[is_relevant])
    return 1.0 / best


_MEASURES: dict[str, Callable[[RankedGrades, Judgements, int | None], Array]] = {
    "ndcg": _compute_ndcg,
    "p": _compute_precision,
    "recall": _compute_recall,
    "success": _compute_success,
    "map": _compute_average_precision,
    "mrr": _compute_reciprocal_rank,
}

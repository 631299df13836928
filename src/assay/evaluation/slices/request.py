"""All slices of an evaluation, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import polars as pl

from assay.base.codec import from_plain, to_plain
from assay.base.marks import NAME
from assay.base.parameters import Options
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.evaluation.slices.columns import SliceScore, score_slices
from assay.evaluation.slices.difficulty import DifficultyScores, score_difficulty
from assay.evaluation.slices.folds import FoldTable, score_folds
from assay.evaluation.slices.periods import Drift, score_periods
from assay.metrics import Metric
from assay.splits import Folds
from assay.views.results import Result


@dataclass(frozen=True)
class Slices(Result):
    """Scores by fold, difficulty and time, and by part, label, length or column (`columns`); None if absent.

    In JSON they are one dictionary by name.
    """

    fold: list[FoldTable] | None = None
    difficulty: DifficultyScores | None = None
    time: list[Drift] | None = None
    columns: dict[str, list[SliceScore]] = field(default_factory=dict, metadata=NAME)

    def to_dict(self) -> Options:
        """Return the slices that are present, by name."""
        known = {"fold": self.fold, "difficulty": self.difficulty, "time": self.time}
        present = {name: table for name, table in known.items() if table is not None}
        return {name: to_plain(table) for name, table in (present | self.columns).items()}

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild the slices from what `to_dict` returned."""
        columns = {name: table for name, table in values.items() if name not in ("fold", "difficulty", "time")}
        return cls(
            from_plain(list[FoldTable] | None, values.get("fold"), "fold"),  # type: ignore[arg-type]
            from_plain(DifficultyScores | None, values.get("difficulty"), "difficulty"),  # type: ignore[arg-type]
            from_plain(list[Drift] | None, values.get("time"), "time"),  # type: ignore[arg-type]
            from_plain(dict[str, list[SliceScore]], columns, "by"),
        )

    def __repr__(self) -> str:
        return f"Slices: {', '.join(self.to_dict()) or 'none'}"

    def _frame(self) -> pl.DataFrame:
        """Return one row per kind of slice, slice, system and metric."""
        names = ("by", "slice", "system", "metric", "value", "low", "high", "n")
        rows: list[tuple[Any, ...]] = []
        for table in self.fold or ():
            rows += [
                ("fold", f"{table.split} {row.fold}", table.system, table.metric, row.value, row.low, row.high, row.n)
                for row in table.folds
            ]
        for drift in self.time or ():
            rows += [
                ("time", f"{row.start} to {row.end}", drift.system, drift.metric, row.value, row.low, row.high, row.n)
                for row in drift.slices
            ]
        for by, scores in self.columns.items():
            rows += [(by, row.slice, row.system, row.metric, row.value, row.low, row.high, row.n) for row in scores]
        return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


def compute_slices(
    prepared: PreparedPredictions,
    by: Sequence[str],
    metrics: Sequence[Metric],
    primary: Metric,
    *,
    splits: Sequence[Folds] = (),
    threshold: str | float = "dataset",
) -> Slices:
    """Score the systems on every kind of slice named in `by`: fold, difficulty, time, part, label, length, a column."""
    return Slices(
        fold=score_folds(prepared, primary, splits) if "fold" in by else None,
        difficulty=score_difficulty(prepared, threshold) if "difficulty" in by else None,
        time=score_periods(prepared, primary, splits) if "time" in by else None,
        columns={
            name: score_slices(prepared, name, metrics)
            for name in dict.fromkeys(by)
            if name not in ("fold", "difficulty", "time")
        },
    )

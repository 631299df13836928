"""Read score tables, long or wide, and put them on the percent scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.discrimination.measurement import Measurement

if TYPE_CHECKING:
    import polars as pl

_MISSING = ["", "-", "–", "—", "nan", "NaN", "NA", "n/a", "null", "None"]


@dataclass(frozen=True, eq=False)
class Scores:
    """Measurements in file order, and what was recognised, rescaled or missing."""

    measurements: list[Measurement]
    notes: tuple[str, ...]
    name: str


def read_scores(
    source: Any,
    *,
    upper: float | None = None,
    uppers: Mapping[str, float] | None = None,
    lower_is_better: bool | Sequence[str] = False,
    metric: str | None = None,
) -> Scores:
    """Read a long (`dataset, system, score`) or wide (`system`, one column a dataset) table of scores.

    A (benchmark, metric) whose scores all lie within 0–1 is multiplied by 100. `uppers` gives the
    best possible value of single datasets or metrics; where lower is better it is 0 unless told.

    >>> table = {"system": ["x", "y"], "RTE": [0.8, 0.9]}
    >>> read_scores(table).measurements[0].scores.tolist()
    [80.0, 90.0]
    """
    frame, name = _frame(source)
    long, notes = _long(frame, name)
    rows, missing = _numbers(long, name)
    if metric is not None:
        rows = _only(rows, metric, name)
    _no_duplicates(rows, name)
    notes += missing
    measurements = []
    for key, part in rows.group_by("benchmark", "metric", maintain_order=True):
        factor, said = _factor(part["score"].to_numpy(), key)
        notes += said
        measurements += _measurements(part, factor, upper, uppers or {}, lower_is_better)
    order = {
        key: number
        for number, key in enumerate(rows.select("benchmark", "dataset", "metric").unique(maintain_order=True).rows())
    }
    measurements.sort(key=lambda one: order[one.key])
    return Scores(measurements, tuple(dict.fromkeys(notes + _mixed(measurements))), name)


def _frame(source: Any) -> tuple[pl.DataFrame, str]:
    import polars as pl

    if isinstance(source, (str, Path)):
        from assay.data import read_table

        return read_table(source), Path(source).name
    frame = source if isinstance(source, pl.DataFrame) else pl.DataFrame(source)
    return frame.cast(pl.String), "scores"


def _long(frame: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str]]:
    import polars as pl

    if "system" not in frame.columns:
        raise AssayError(
            f"{name}: no column 'system'; columns are {join_names(frame.columns)}. "
            "Long tables need dataset, system, score; wide ones system and one column a dataset."
        )
    if "score" in frame.columns:
        defaults = {"dataset": Path(name).name.split(".")[0], "benchmark": "all", "metric": "score", "n_items": None}
        added = [pl.lit(value, pl.String).alias(role) for role, value in defaults.items() if role not in frame.columns]
        return frame.with_columns(added), [f"{name}: long table of scores, {frame.height} rows."]
    datasets = [column for column in frame.columns if column not in ("system", "benchmark", "metric")]
    if not datasets:
        raise AssayError(f"{name}: only the column 'system'; at least one column with scores is needed.")
    keys = [column for column in ("system", "benchmark", "metric") if column in frame.columns]
    long = frame.unpivot(index=keys, on=datasets, variable_name="dataset", value_name="score")
    return _long(long, name)[0], [f"{name}: wide table of scores, {frame.height} systems × {len(datasets)} datasets."]


def _numbers(long: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str]]:
    """Turn scores into numbers; empty cells are left out and counted, other words are an error."""
    import polars as pl

    score = pl.col("score").str.strip_chars()
    cells = long.with_columns(
        pl.when(score.is_in(_MISSING)).then(None).otherwise(score).alias("score"),
        pl.col("benchmark").fill_null("all"),
        pl.col("metric").fill_null("score"),
    )
    numbers = cells.with_columns(pl.col("score").cast(pl.Float64, strict=False).alias("number"))
    bad = numbers.filter(pl.col("score").is_not_null() & ~pl.col("number").is_finite().fill_null(False))
    if bad.height:
        cell, system, dataset = bad.row(0, named=True)["score"], bad["system"][0], bad["dataset"][0]
        raise AssayError(
            f"{name}: the score of {system} on {dataset} is '{cell}', not a number ({bad.height} such cells). "
            "Leave missing scores empty."
        )
    rows = numbers.filter(pl.col("number").is_not_null()).with_columns(
        pl.col("number").alias("score"), pl.col("n_items").cast(pl.Float64, strict=False)
    )
    if not rows.height:
        raise AssayError(f"{name}: no score in any cell; at least one system with one score is needed.")
    missing = numbers.height - rows.height
    return rows, [f"{name}: {missing} of {numbers.height} cells have no score and are left out."] if missing else []


def _only(rows: pl.DataFrame, metric: str, name: str) -> pl.DataFrame:
    import polars as pl

    kept = rows.filter(pl.col("metric") == metric)
    if not kept.height:
        raise AssayError(
            f"{name}: no metric '{metric}'; metrics are {join_names(rows['metric'].unique(maintain_order=True))}."
        )
    return kept


def _no_duplicates(rows: pl.DataFrame, name: str) -> None:
    import polars as pl

    keys = ["benchmark", "dataset", "metric", "system"]
    again = rows.filter(pl.struct(keys).is_duplicated())
    if again.height:
        first = again.row(0, named=True)
        raise AssayError(
            f"{name}: system '{first['system']}' has several scores on {first['dataset']} ({first['metric']}); "
            "one row a system and measurement is needed."
        )


def _factor(scores: np.ndarray[Any, Any], key: tuple[Any, ...]) -> tuple[float, list[str]]:
    if scores.min() < 0 or scores.max() > 1 or scores.max() == scores.min() == 0:
        return 1.0, []
    return 100.0, [f"{key[0]} ({key[1]}): all scores lie within 0–1 and were multiplied by 100."]


def _measurements(
    part: pl.DataFrame, factor: float, upper: float | None, uppers: Mapping[str, float], lower: bool | Sequence[str]
) -> list[Measurement]:
    found = []
    for key, rows in part.group_by("benchmark", "dataset", "metric", maintain_order=True):
        benchmark, dataset, metric = (str(name) for name in key)
        downwards = lower if isinstance(lower, bool) else metric in lower
        bound = uppers.get(dataset, uppers.get(metric, upper if upper is not None else 0.0 if downwards else 100.0))
        n_items = rows["n_items"].to_numpy() if rows["n_items"].is_not_null().any() else None
        scores = rows["score"].to_numpy() * factor
        found.append(Measurement(benchmark, dataset, metric, tuple(rows["system"]), scores, n_items, bound, downwards))
    return found


def _mixed(measurements: list[Measurement]) -> list[str]:
    """Point at datasets where some scores look like shares and others like percents."""
    notes = []
    for one in measurements:
        shares, n = int(((one.scores > 0) & (one.scores < 1)).sum()), len(one.scores)
        which = f"all scores of {one.dataset} lie" if shares == n else f"{shares} of {n} scores of {one.dataset} lie"
        if n > 1 and shares >= 0.2 * n and (shares == n or one.scores.max() > 1.5):
            notes.append(f"{which} between 0 and 1 beside percents; are they shares? They are read as they stand.")
    return notes

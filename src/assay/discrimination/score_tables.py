"""Read score tables, long or wide, and put them on the percent scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.base.wording import count_noun
from assay.data.readers.frames import read_frame
from assay.discrimination.leaderboards import MISSING_CELLS, find_system_column, is_score_column, parse_cell
from assay.discrimination.measurements import Measurement
from assay.logs import is_lower_better

if TYPE_CHECKING:
    import polars as pl

KEYS = ("benchmark", "dataset", "metric")
LONG_NAMES = {*KEYS, "system", "score", "n_items", "task"}


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable:
    """Measurements in file order, and notes on what was recognised, rescaled or missing."""

    measurements: list[Measurement]
    notes: tuple[str, ...]
    name: str

    def to_frame(self, kind: str = "polars") -> Any:
        """Return one row per system and measurement as a table of polars or pandas."""
        import polars as pl

        from assay.base.results import convert_frame

        rows = [
            (*measurement.key, system, score)
            for measurement in self.measurements
            for system, score in zip(measurement.systems, measurement.scores.tolist(), strict=True)
        ]
        schema = dict.fromkeys((*KEYS, "system"), pl.String) | {"score": pl.Float64}
        return convert_frame(pl.DataFrame(rows, schema=schema, orient="row"), kind)

    def __repr__(self) -> str:
        n_systems = len({system for measurement in self.measurements for system in measurement.systems})
        counts = f"{count_noun(len(self.measurements), 'measurement')} of {count_noun(n_systems, 'system')}"
        return f"ScoreTable({self.name!r}: {counts})"


def read_scores(
    source: Any,
    *,
    upper: float | None = None,
    uppers: Mapping[str, float] | None = None,
    lower_is_better: bool | Sequence[str] = False,
    metric: str | None = None,
) -> ScoreTable:
    """Read a long (`dataset, system, score`) or wide (`system`, one column per dataset) table of scores.

    A (benchmark, metric) whose scores are all within 0–1 is multiplied by 100. `uppers` gives the best possible value
    of single datasets or metrics; where lower is better the default is 0.

    >>> table = {"system": ["x", "y"], "RTE": [0.8, 0.9]}
    >>> read_scores(table).measurements[0].scores.tolist()
    [80.0, 90.0]
    """
    frame, name = read_frame(source, "scores")
    long, notes = _to_long(frame, name)
    rows, missing = _parse_scores(long, name)
    if metric is not None:
        rows = _select_metric(rows, metric, name)
    _refuse_duplicates(rows, name)
    notes += missing
    measurements = []
    for key, part in rows.group_by("benchmark", "metric", maintain_order=True):
        factor = _choose_factor(part["score"].to_numpy())
        if factor != 1.0:
            notes.append(f"{key[0]} ({key[1]}): all scores are within 0–1 and were multiplied by 100.")
        measurements += _build_measurements(part, factor, upper, uppers or {}, lower_is_better)
    keys = rows.select(KEYS).unique(maintain_order=True).rows()
    order = {key: number for number, key in enumerate(keys)}
    measurements.sort(key=lambda measurement: order[measurement.key])
    notes += [*_note_mixed_scales(measurements), *_note_directions(measurements, lower_is_better)]
    return ScoreTable(measurements, tuple(dict.fromkeys(notes)), name)


def _to_long(frame: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str]]:
    import polars as pl

    system = "system" if "system" in frame.columns else find_system_column(frame.columns)
    if system is None:
        raise AssayError(
            f"no column 'system' or 'model'; columns are {join_names(frame.columns)}",
            place=name,
            hint="Long tables need dataset, system, score; wide ones system and one column per dataset.",
        )
    frame = frame.rename({system: "system"} if system != "system" else {})
    if "score" not in frame.columns and "main_score" in frame.columns:
        frame = frame.rename({"main_score": "score"})
    if "score" not in frame.columns or _is_wide(frame):
        return _unpivot(frame, name)
    if "dataset" not in frame.columns:
        frame = frame.rename({"task": "dataset"} if "task" in frame.columns else {})
    defaults = {"dataset": Path(name).name.split(".")[0], "benchmark": "all", "metric": "score", "n_items": None}
    added = [pl.lit(value, pl.String).alias(role) for role, value in defaults.items() if role not in frame.columns]
    return frame.with_columns(added), [f"{name}: long table of scores, {count_noun(frame.height, 'row')}."]


def _is_wide(frame: pl.DataFrame) -> bool:
    """Tell whether a table with a column `score` has one row per system and further columns of scores."""
    others = [column for column in frame.columns if column not in LONG_NAMES and is_score_column(column, frame[column])]
    return "dataset" not in frame.columns and bool(others) and not frame["system"].is_duplicated().any()


def _unpivot(frame: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str]]:
    """Turn a wide table into a long one; ranks, means and facts about systems are no datasets."""
    import polars as pl

    keys = [column for column in ("system", "benchmark", "metric") if column in frame.columns]
    others = [column for column in frame.columns if column not in keys]
    datasets = [column for column in others if is_score_column(column, frame[column])]
    if not datasets:
        raise AssayError(f"no column with scores beside 'system'; columns are {join_names(frame.columns)}", place=name)
    long = frame.unpivot(index=keys, on=datasets, variable_name="dataset", value_name="score")
    size = f"{count_noun(frame.height, 'system')} × {count_noun(len(datasets), 'dataset')}"
    unused = [column for column in others if column not in datasets]
    left = f"; not used: {join_names(unused)}" if unused else ""
    defaults = {"benchmark": "all", "metric": "score", "n_items": None}
    added = [pl.lit(value, pl.String).alias(role) for role, value in defaults.items() if role not in long.columns]
    return long.with_columns(added), [f"{name}: wide table of scores, {size}{left}."]


def _parse_scores(long: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str]]:
    """Turn scores into numbers; empty cells are left out and counted, other words are an error."""
    import polars as pl

    cells = long.with_columns(
        pl.col("score").str.strip_chars(), pl.col("benchmark").fill_null("all"), pl.col("metric").fill_null("score")
    )
    plain = pl.col("score").cast(pl.Float64, strict=False)
    cells = cells.with_columns(plain.alias("number")).with_columns(
        pl.when(pl.col("score").str.to_lowercase().is_in(MISSING_CELLS) | pl.col("number").is_nan())
        .then(None)
        .otherwise(pl.col("score"))
        .alias("score")
    )
    odd = cells.filter(pl.col("score").is_not_null() & pl.col("number").is_null())["score"].unique()
    written = {cell: parse_cell(cell) for cell in odd}
    numbers = cells.with_columns(
        pl.when(pl.col("score").is_null())
        .then(None)
        .otherwise(
            pl.coalesce("number", pl.col("score").replace_strict(written, default=None, return_dtype=pl.Float64))
        )
        .alias("number")
    )
    bad = numbers.filter(pl.col("score").is_not_null() & ~pl.col("number").is_finite().fill_null(False))
    if bad.height:
        first = bad.row(0, named=True)
        raise AssayError(
            f"the score of {first['system']} on {first['dataset']} is '{first['score']}', not a number "
            f"({count_noun(bad.height, 'such cell')})",
            place=name,
            hint="Leave missing scores empty.",
        )
    rows = numbers.filter(pl.col("number").is_not_null()).with_columns(
        pl.col("number").alias("score"), pl.col("n_items").cast(pl.Float64, strict=False)
    )
    if not rows.height:
        raise AssayError("no score in any cell; at least one system with one score is needed", place=name)
    missing = numbers.height - rows.height
    return rows, [f"{name}: {missing} of {numbers.height} cells have no score and are left out."] if missing else []


def _select_metric(rows: pl.DataFrame, metric: str, name: str) -> pl.DataFrame:
    import polars as pl

    chosen = rows.filter(pl.col("metric") == metric)
    if not chosen.height:
        known = join_names(rows["metric"].unique(maintain_order=True))
        raise AssayError(f"no metric '{metric}'; metrics are {known}", place=name)
    return chosen


def _refuse_duplicates(rows: pl.DataFrame, name: str) -> None:
    import polars as pl

    duplicates = rows.filter(pl.struct(*KEYS, "system").is_duplicated())
    if duplicates.height:
        first = duplicates.row(0, named=True)
        raise AssayError(
            f"system '{first['system']}' has several scores on {first['dataset']} ({first['metric']})",
            place=name,
            hint="One row per system and measurement is needed.",
        )


def _choose_factor(scores: np.ndarray[Any, Any]) -> float:
    within_one = scores.min() >= 0 and scores.max() <= 1 and scores.max() > 0
    return 100.0 if within_one else 1.0


def _build_measurements(
    part: pl.DataFrame,
    factor: float,
    upper: float | None,
    uppers: Mapping[str, float],
    lower_is_better: bool | Sequence[str],
) -> list[Measurement]:
    measurements = []
    for key, rows in part.group_by(KEYS, maintain_order=True):
        benchmark, dataset, metric = (str(name) for name in key)
        named = lower_is_better if isinstance(lower_is_better, bool) else metric in lower_is_better
        lower = named or is_lower_better(dataset if metric == "score" else metric)
        bound = uppers.get(dataset, uppers.get(metric, upper if upper is not None else 0.0 if lower else 100.0))
        n_items = rows["n_items"].to_numpy() if rows["n_items"].is_not_null().any() else None
        scores = rows["score"].to_numpy() * factor
        systems = tuple(rows["system"])
        measurements.append(Measurement(benchmark, dataset, metric, systems, scores, n_items, bound, lower))
    return measurements


def _note_directions(measurements: list[Measurement], lower_is_better: bool | Sequence[str]) -> list[str]:
    """Name the measurements that count as lower-is-better by their names, and say how mixed ones are ranked."""
    named = lower_is_better is True
    lower = [measurement.title for measurement in measurements if measurement.lower_is_better]
    notes = [f"Lower is better: {join_names(lower)}."] if lower and not named else []
    if lower and len(lower) < len(measurements):
        notes.append("Scores of both directions have no mean: systems are ranked by their win rate.")
    return notes


def _note_mixed_scales(measurements: list[Measurement]) -> list[str]:
    """Point out datasets where some scores look like shares and others like percents."""
    notes = []
    for measurement in measurements:
        scores, n = measurement.scores, len(measurement.scores)
        n_shares = int(((scores > 0) & (scores < 1)).sum())
        if n > 1 and n_shares >= 0.2 * n and (n_shares == n or scores.max() > 1.5):
            which = "all" if n_shares == n else f"{n_shares} of {n}"
            notes.append(
                f"{which} scores of {measurement.dataset} are between 0 and 1 among percents; are they shares? "
                "They are used as they are."
            )
    return notes

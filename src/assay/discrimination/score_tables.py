"""Read score tables, long or wide, and put them on the percent scale."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.data.left_out import LeftOut
from assay.data.readers.frames import read_raw_table
from assay.discrimination.boards.checkpoint_tables import collect_checkpoints, find_step_column, separate_checkpoints
from assay.discrimination.boards.checkpoints import CheckpointScores
from assay.discrimination.measurements import Measurement, group_by_benchmark, share_one_scale
from assay.discrimination.scales import MAX_RATING, OTHER, UNNAMED, infer_scale
from assay.discrimination.settings import ScoreScale
from assay.inputs import InputKind, recognize
from assay.inputs.score_columns import (
    METRIC_PREFIXES,
    MISSING_CELLS,
    UNNAMED_COLUMNS,
    clean_name,
    expand_objects,
    find_dataset_column,
    find_error_columns,
    find_system_column,
    is_missing_cell,
    list_score_columns,
    parse_cell,
)
from assay.logs import LogTable, read_logs
from assay.views.results import convert_frame
from assay.wording.sentences import count_noun

KEYS = ("benchmark", "dataset", "metric")
ERROR_NAMES = ("standard_error", "stderr", "score_stderr", "std_err", "se")
SCORE_NAMES = ("score", "main_score", "value", "result")
LONG_NAMES = {*KEYS, "system", "score", "n_items", "task", "step", *ERROR_NAMES}


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable:
    """Measurements in file order, and notes on what was recognised, rescaled or missing."""

    input_kind: ClassVar[str] = "scores"
    measurements: list[Measurement]
    notes: tuple[str, ...]
    name: str
    checkpoints: tuple[CheckpointScores, ...] = ()  # where systems have scores at several steps of training
    left_out: tuple[LeftOut, ...] = ()

    def to_frame(self, kind: str = "polars") -> Any:
        """Return one row per system and measurement as a table of polars or pandas."""
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
    lower_is_better: bool | str | Sequence[str] | None = None,
    higher_is_better: str | Sequence[str] = (),
    metric: str | None = None,
) -> ScoreTable:
    """Read a long (`dataset, system, score`) or wide (`system`, one column per dataset) table of scores, or logs.

    A (benchmark, metric) whose scores are all within 0–1 is multiplied by 100. The best possible value is 100, or 0
    if lower is better; ratings up to 10, Elo and other scales have none unless `upper` or `uppers` (of datasets or
    metrics) gives one. Which end is better follows from the names of metrics, unless `lower_is_better` says it for all
    (True, False) or for some names, and `higher_is_better` for others.

    >>> table = {"system": ["x", "y"], "RTE": [0.8, 0.9]}
    >>> read_scores(table).measurements[0].scores.tolist()
    [80.0, 90.0]
    """
    if isinstance(source, ScoreTable):
        return source
    if recognize(source) is InputKind.LOGS:
        from assay.discrimination.log_tables import build_log_scores

        return build_log_scores(source if isinstance(source, LogTable) else read_logs(source))
    table, name = read_raw_table(source, "scores")
    long, notes, unused = _to_long(expand_objects(table), name)
    notes = [*table.notes, *notes]
    n_unnamed = long["system"].null_count()
    if n_unnamed:
        long = long.filter(long["system"].is_not_null())
        notes.append(f"{name}: {count_noun(n_unnamed, 'cell')} of rows without a system are left out.")
    rows, missing = _parse_scores(long, name)
    n_cells = rows.height
    if metric is not None:
        rows = _select_metric(rows, metric, name)
    every_step = None
    if "step" in rows.columns:
        rows, every_step, note = separate_checkpoints(rows, name)
        notes.append(note)
    _refuse_duplicates(rows, name)
    notes += missing
    directions = ScoreScale(upper, uppers, lower_is_better, higher_is_better)
    measurements: list[Measurement] = []
    scaled: set[tuple[str, str, str]] = set()
    for key, part in rows.group_by("benchmark", "metric", maintain_order=True):
        built, is_scaled = _build_measurements(part, directions)
        measurements += built
        scaled |= {measurement.key for measurement in built if is_scaled}
        if is_scaled:
            notes.append(f"{key[0]} ({key[1]}): all scores are within 0–1 and were multiplied by 100.")
    keys = rows.select(KEYS).unique(maintain_order=True).rows()
    order = {key: number for number, key in enumerate(keys)}
    measurements.sort(key=lambda measurement: order[measurement.key])
    notes += [
        *_note_mixed_scales(measurements, scaled),
        *note_scales(measurements, inferred=not isinstance(lower_is_better, bool)),
    ]
    lower = {row.key: row.lower_is_better for row in measurements}
    checkpoints = () if every_step is None else collect_checkpoints(every_step, lower)
    left_out = list(table.left_out)
    left_out += [LeftOut("columns", len(unused), f"no scores: {join_names(unused)}")] if unused else []
    left_out += [LeftOut("cells", n_unnamed, "no system")] if n_unnamed else []
    left_out += [LeftOut("cells", n_missing, "no score")] if (n_missing := long.height - n_cells) else []
    return ScoreTable(measurements, tuple(dict.fromkeys(notes)), name, checkpoints, tuple(left_out))


def _to_long(frame: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str], list[str]]:
    """Return one row per score, notes, and the columns that are not used."""
    system = "system" if "system" in frame.columns else find_system_column(frame.columns)
    if system is None and {"model_a", "model_b"} <= set(frame.columns):
        hint = "Rate the systems with assay.rate_votes, whose {winner} names the column of the winner."
        raise AssayError("this is a table of votes, not of scores", place=name, hint=hint)
    if system is None and find_dataset_column(frame.columns) is not None:
        return _unpivot_systems(frame, name)
    if system is None and _is_unnamed_index(frame):
        system = frame.columns[0]
    if system is None:
        raise AssayError(
            f"no column 'system' or 'model'; columns are {join_names(frame.columns)}",
            place=name,
            hint="Long tables need dataset, system, score; wide ones system and one column per dataset.",
        )
    frame = frame.rename({system: "system"} if system != "system" else {})
    frame = _name_steps(frame)
    plain = {cell: clean_name(cell) for cell in frame["system"].drop_nulls().unique() if clean_name(cell) != cell}
    frame = frame.with_columns(pl.col("system").replace(plain)) if plain else frame
    score = next((column for column in SCORE_NAMES if column in frame.columns), "score")
    if score != "main_score" and frame["system"].n_unique() == frame.height:
        score = "score"  # a wide table, in which a column of this name is a dataset
    frame = frame.rename({score: "score"} if score != "score" and score in frame.columns else {})
    if "score" not in frame.columns or _is_wide(frame):
        return _unpivot(frame, name)
    if "dataset" not in frame.columns:
        named = next((column for column in ("task", "benchmark") if column in frame.columns), None)
        frame = frame.rename({} if named is None else {named: "dataset"})
    defaults = {"dataset": Path(name).name.split(".")[0], "benchmark": "all", "metric": "score", "n_items": None}
    added = [pl.lit(value, pl.String).alias(role) for role, value in defaults.items() if role not in frame.columns]
    return frame.with_columns(added), [f"{name}: long table of scores, {count_noun(frame.height, 'row')}."], []


def _is_unnamed_index(frame: pl.DataFrame) -> bool:
    """Return whether the first column has no name and a different word in each row, as an index of names has."""
    first = frame.to_series(0)
    words = [cell for cell in first.drop_nulls().to_list() if parse_cell(cell) is None and not is_missing_cell(cell)]
    return first.name in UNNAMED_COLUMNS and 0 < len(words) == len(set(words)) and 2 * len(words) > frame.height


def _name_steps(frame: pl.DataFrame) -> pl.DataFrame:
    """Name the column of checkpoints `step` if a system has several; otherwise it is a fact about systems."""
    step = find_step_column(frame.columns)
    if step is None:
        return frame
    has_several = frame.select("system", step).unique()["system"].is_duplicated().any()
    return frame.rename({step: "step"}) if has_several else frame.drop(step)


def _unpivot_systems(frame: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str], list[str]]:
    """Turn a table with one row per dataset and one column per system into a long one."""
    dataset = find_dataset_column(frame.columns)
    assert dataset is not None
    others = [column for column in frame.columns if column != dataset]
    systems = list_score_columns(frame, others)
    if not systems:
        raise AssayError(
            f"no column with scores next to '{dataset}'; columns are {join_names(frame.columns)}", place=name
        )
    rows = frame.filter(pl.col(dataset).is_not_null())
    long = _unpivot_columns(rows, [dataset], systems, "system")
    unused = [column for column in others if column not in systems]
    left = f"; not used: {join_names(unused)}" if unused else ""
    size = f"{count_noun(rows.height, 'dataset')} × {count_noun(len(systems), 'system')}"
    defaults = {"benchmark": "all", "metric": "score", "n_items": None}
    added = [pl.lit(value, pl.String).alias(role) for role, value in defaults.items()]
    notes = [f"{name}: one row per dataset, {size}{left}."]
    return long.rename({dataset: "dataset"}).with_columns(added), notes, unused


def _unpivot_columns(frame: pl.DataFrame, keys: Sequence[str], columns: list[str], name: str) -> pl.DataFrame:
    """Return one row per cell: the keys, the name of its column, and `score`, which may also be names of columns."""
    long = frame.select(*keys, *columns).unpivot(index=keys, on=columns, variable_name="\0name", value_name="\0score")
    return long.rename({"\0name": name, "\0score": "score"})


def _is_wide(frame: pl.DataFrame) -> bool:
    """Return whether a table with a column `score` has one row per system and further columns of scores."""
    others = list_score_columns(frame, [column for column in frame.columns if column not in LONG_NAMES])
    is_repeated = frame["system"].is_duplicated().any() and "step" not in frame.columns
    return "dataset" not in frame.columns and bool(others) and not is_repeated


def _unpivot(frame: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str], list[str]]:
    """Turn a wide table into a long one; ranks, means and facts about systems are not datasets."""
    keys = [column for column in ("system", "benchmark", "metric", "step") if column in frame.columns]
    others = [column for column in frame.columns if column not in keys]
    datasets = list_score_columns(frame, others)
    if not datasets:
        raise AssayError(f"no column with scores next to 'system'; columns are {join_names(frame.columns)}", place=name)
    long = _unpivot_columns(frame, keys, datasets, "dataset")
    errors = find_error_columns(others, datasets)
    if errors:
        cells = [frame[errors[column]] if column in errors else _make_empty(frame.height) for column in datasets]
        long = long.with_columns(pl.concat(cells).alias("standard_error"))
    names = {column: _strip_prefix(column) for column in datasets}
    long = long.with_columns(pl.col("dataset").replace(names))
    scored = long.filter(~pl.col("score").str.strip_chars().str.to_lowercase().is_in(MISSING_CELLS))
    size = f"{count_noun(scored['system'].n_unique(), 'system')} × {count_noun(len(datasets), 'dataset')}"
    unused = [column for column in others if column not in {*datasets, *errors.values()}]
    empty = frame["system"].drop_nulls().unique(maintain_order=True)
    empty = empty.filter(~empty.is_in(scored["system"].implode()))
    left = f"; standard errors: {join_names(list(errors.values()))}" if errors else ""
    left += f"; not used: {join_names(unused)}" if unused else ""
    left += f"; rows without a score: {join_names(empty.to_list())}" if len(empty) else ""
    defaults = {"benchmark": "all", "metric": "score", "n_items": None}
    added = [pl.lit(value, pl.String).alias(role) for role, value in defaults.items() if role not in long.columns]
    return long.with_columns(added), [f"{name}: wide table of scores, {size}{left}."], unused


def _make_empty(n_rows: int) -> pl.Series:
    return pl.repeat(None, n_rows, dtype=pl.String, eager=True)


def _strip_prefix(column: str) -> str:
    return next((column.removeprefix(prefix) for prefix in METRIC_PREFIXES if column.startswith(prefix)), column)


def _parse_scores(long: pl.DataFrame, name: str) -> tuple[pl.DataFrame, list[str]]:
    """Turn scores into numbers; empty cells are left out and counted, other words are an error."""
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
    cells = cells.with_columns(pl.col("score").replace({cell: None for cell in odd if is_missing_cell(cell)}))
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
        pl.col("number").alias("score"), pl.col("n_items").cast(pl.Float64, strict=False), *_read_errors(numbers)
    )
    if not rows.height:
        raise AssayError("no score in any cell; at least one system with one score is needed", place=name)
    missing = numbers.height - rows.height
    return rows, [f"{name}: {missing} of {numbers.height} cells have no score and are left out."] if missing else []


def _read_errors(rows: pl.DataFrame) -> list[pl.Expr]:
    """Return the standard errors as numbers, if the table has any."""
    name = next((name for name in ERROR_NAMES if name in rows.columns), None)
    return [] if name is None else [pl.col(name).cast(pl.Float64, strict=False).alias("standard_error")]


def _count_effective_items(scores: Array, errors: Array) -> Array:
    """Return how many items give a share its standard error: p (1 − p) / error².

    >>> _count_effective_items(np.array([50.0]), np.array([5.0])).tolist()
    [100.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        counts = scores * (100.0 - scores) / errors**2
    return np.where(np.isfinite(counts) & (counts >= 1), counts, np.nan)


def _select_metric(rows: pl.DataFrame, metric: str, name: str) -> pl.DataFrame:
    chosen = rows.filter(pl.col("metric") == metric)
    if not chosen.height:
        known = join_names(rows["metric"].unique(maintain_order=True))
        raise AssayError(f"no metric '{metric}'; metrics are {known}", place=name)
    return chosen


def _refuse_duplicates(rows: pl.DataFrame, name: str) -> None:
    duplicates = rows.filter(pl.struct(*KEYS, "system").is_duplicated())
    if duplicates.height:
        first = duplicates.row(0, named=True)
        raise AssayError(
            f"system '{first['system']}' has several scores on {first['dataset']} ({first['metric']})",
            place=name,
            hint="One row per system and measurement is needed.",
        )


def _build_measurements(part: pl.DataFrame, directions: ScoreScale) -> tuple[list[Measurement], bool]:
    """Return the measurements of one metric, and whether scores were multiplied by 100.

    All datasets have one scale, except those with a scale of their own and those of the other direction. Shares among
    percents have no known scale: they may also be very low percents.
    """
    groups = [(str(key[0]), str(key[1]), str(key[2]), rows) for key, rows in part.group_by(KEYS, maintain_order=True)]
    is_lower = [directions.is_lower_better(dataset, metric) for _, dataset, metric, _ in groups]
    is_own = [_has_own_scale(dataset, metric, rows["score"]) for _, dataset, metric, rows in groups]
    scales = {}
    for lower in (False, True):
        places = [place for place, own in enumerate(is_own) if not own and is_lower[place] == lower]
        pooled = [groups[place][3]["score"].to_numpy() for place in places]
        scales[lower] = infer_scale(np.concatenate(pooled), lower_is_better=lower) if pooled else OTHER
        if scales[lower].factor == 1.0:
            for place in places:
                is_own[place] = _are_shares(groups[place][3]["score"].to_numpy())
    measurements = []
    for (benchmark, dataset, metric, rows), own, lower in zip(groups, is_own, is_lower, strict=True):
        scale = OTHER if own else scales[lower]
        given = directions.find_upper(dataset, metric)
        n_items = rows["n_items"].to_numpy() if rows["n_items"].is_not_null().any() else None
        scores = rows["score"].to_numpy() * scale.factor
        errors = rows["standard_error"].to_numpy() * scale.factor if "standard_error" in rows.columns else None
        errors = None if errors is None or np.isnan(errors).all() else errors
        bound = scale.upper if given is None else given
        is_percent = scale.is_percent or given == 100.0
        if n_items is None and errors is not None and is_percent:
            n_items = _count_effective_items(scores, errors)
        names = (benchmark, dataset, metric, tuple(rows["system"]))
        measurements.append(Measurement(*names, scores, n_items, bound, lower, is_percent, errors))
    return measurements, any(scale.factor != 1.0 for scale in scales.values())


def _has_own_scale(dataset: str, metric: str, scores: pl.Series) -> bool:
    """Return whether scores are on no scale of shares or percents, by their range or the name of the metric."""
    name = dataset if metric == UNNAMED else metric
    return bool((scores.abs() > 100).any()) or not infer_scale([], name).is_percent


def _are_shares(scores: Array) -> bool:
    return len(scores) > 1 and bool(((scores > 0) & (scores < 1)).all())


def note_scales(measurements: Sequence[Measurement], *, inferred: bool) -> list[str]:
    """Say which directions were inferred, which scores have no known best value, and how mixed ones are ranked."""
    lower = [measurement.title for measurement in measurements if measurement.lower_is_better]
    notes = [f"Lower is better, by the name: {join_names(lower)}."] if lower and inferred else []
    open_ended = [measurement.title for measurement in measurements if not np.isfinite(measurement.upper)]
    if open_ended:
        notes.append(
            f"No best possible score is known for {join_names(open_ended)}: no headroom and no λ_sva, "
            "unless an upper value is given."
        )
    if any(not share_one_scale(group) for group in group_by_benchmark(measurements).values()):
        notes.append("Scores of several scales or directions have no mean: systems are ranked by their win rate.")
    return notes


def _note_mixed_scales(measurements: list[Measurement], scaled: Collection[tuple[str, str, str]]) -> list[str]:
    """Point out datasets in which some scores look like shares and others like percents, unless all were multiplied."""
    notes = []
    for measurement in measurements:
        scores, n = measurement.scores, len(measurement.scores)
        is_named = infer_scale(
            [], measurement.dataset if measurement.metric == UNNAMED else measurement.metric
        ).is_percent
        if measurement.key not in scaled and is_named and _are_shares(scores):
            notes.append(
                f"all scores of {measurement.dataset} are between 0 and 1 among percents: shares or very low percents? "
                "They are used as they are, without a scale."
            )
        if not measurement.is_percent or measurement.key in scaled:
            continue
        if n > 1 and 1 < scores.max() <= MAX_RATING and not measurement.lower_is_better:
            notes.append(
                f"all scores of {measurement.dataset} are at most 10 among percents; is it a rating? "
                "They are used as percents."
            )
        n_shares = int(((scores > 0) & (scores < 1)).sum())
        if n > 1 and n_shares >= 0.2 * n and scores.max() > 1.5:
            notes.append(
                f"{n_shares} of {n} scores of {measurement.dataset} are between 0 and 1 among percents; are they shares? "
                "They are used as they are."
            )
    return notes

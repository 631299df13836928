"""Predictions from wherever they are: files, frames, or arrays in the order of the data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from assay.base.arrays import Values
from assay.base.errors import AssayError, UsageError
from assay.data.readers.memory import convert_object
from assay.evaluation.predictions.tables import ID_NAMES, PredictionTable, SystemColumn, name_system, parse_table
from assay.evaluation.predictions.types import check_length, to_answers
from assay.kinds import kind_of
from assay.kinds.log_data import make_predictions

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.evaluation.predictions.types import Predictions
    from assay.kinds.arguments import DataSource


# Files, frames, arrays of answers, or arrays by the names of systems.
PredictionSource: TypeAlias = "DataSource | Predictions | PredictionTable | Values | Mapping[str, Values]"

DEFAULT_SYSTEM = "system"  # the name of a system that has none


def read_prediction_tables(
    source: PredictionSource | None, data: Dataset | None = None, *, encoding: str = "utf-8", quoting: str = "auto"
) -> list[PredictionTable]:
    """Read one source of predictions, or a list of them, into tables of systems.

    A source is a path, a frame or another table with ids, an array of one system's answers, a mapping from systems
    to arrays, or a `PredictionTable`. Arrays are in the order of the data.
    """
    sources = [] if source is None else list_sources(source)
    if not sources:
        hint = "Give a file with {predictions}, or logs of an evaluation harness as {data}."
        raise UsageError("There are no predictions.", hint=hint)
    tables = []
    for number, single in enumerate(sources):
        stem = DEFAULT_SYSTEM if len(sources) == 1 else f"{DEFAULT_SYSTEM} {number + 1}"
        tables.append(_read_source(single, data, stem, encoding, quoting))
    return tables


def list_sources(source: PredictionSource) -> list[PredictionSource]:
    """Return the sources: a list of paths, frames or mappings is several, all else is one.

    >>> list_sources("a.tsv"), list_sources(["a.tsv", "b.tsv"]), list_sources([{"id": "1", "x": "a"}])
    (['a.tsv'], ['a.tsv', 'b.tsv'], [[{'id': '1', 'x': 'a'}]])
    """
    if not isinstance(source, list | tuple):
        return [source]
    is_records = bool(source) and all(isinstance(row, Mapping) and _is_record(row) for row in source)
    return [source] if is_records else list(source)


def _is_record(row: Mapping[str, object]) -> bool:
    return all(value is None or isinstance(value, str | int | float) for value in row.values())


def _read_source(source: Any, data: Dataset | None, stem: str, encoding: str, quoting: str) -> PredictionTable:
    if isinstance(source, PredictionTable):
        return source
    own = None if data is None else kind_of(data).answers.load_answers(source, data)
    if own is not None:
        return parse_table(own, Path(source).name if isinstance(source, str | Path) else stem, stem)
    if isinstance(source, str | Path):
        from assay.data import read_table
        from assay.logs import has_logs

        if has_logs(source):
            return read_log_predictions(source, data)

        frame = read_table(source, encoding=encoding, quoting=quoting)
        return parse_table(frame, Path(source).name, name_system(source))
    if isinstance(source, Mapping) and not set(source) & set(ID_NAMES):
        return _read_arrays(source, data, stem)
    if _is_array(source):
        return _read_arrays({stem: source}, data, stem)
    return parse_table(next(iter(convert_object(source).values())).frame, stem, stem)


def _is_array(source: Any) -> bool:
    return isinstance(source, pl.Series) or getattr(source, "ndim", 0) == 1


def _read_arrays(systems: Mapping[str, Any], data: Dataset | None, stem: str) -> PredictionTable:
    n_items = len(data) if data is not None else max((len(values) for values in systems.values()), default=0)
    ids = data.ids if data is not None else pl.Series([str(number) for number in range(n_items)], dtype=pl.String)
    columns = []
    for system, values in systems.items():
        check_length(system, len(values), n_items)
        answers = pl.Series(to_answers(values).tolist(), dtype=pl.String)
        columns.append(SystemColumn(str(system), stem, ids, answers))
    if not columns:
        raise UsageError("There are no predictions.", hint="Give an array for at least one system.")
    nothing = pl.lit(None, pl.String)
    return PredictionTable(stem, stem, columns, pl.DataFrame({"id": ids}).with_columns(gold=nothing, group=nothing))


def read_log_predictions(source: str | Path, data: Dataset | None) -> PredictionTable:
    """Read the answers in logs; with data of its own ids, items are matched by their text."""
    from assay.logs import join_tasks, read_logs

    joined = join_tasks(read_logs(source))
    predictions = make_predictions(joined)
    name = Path(source).name
    if data is None:
        if joined.form != "free":
            gold = joined.items.select("id", "gold")
            predictions = predictions.join(gold, on="id", how="left", maintain_order="left")
    elif not set(data.ids) & set(joined.items["id"]):
        predictions = _match_texts(predictions, joined.items, data, name)
    return parse_table(predictions.cast(pl.String), name, joined.name)


def _match_texts(predictions: pl.DataFrame, items: pl.DataFrame, data: Dataset, name: str) -> pl.DataFrame:
    """Give answers the ids of the data, by the text of the item if it is unique."""
    texts = pl.DataFrame({"own": data.ids, "text": data.sides[0].str.strip_chars()}).unique("text", keep="none")
    known = items.select(pl.col("id"), pl.col("text").str.strip_chars()).join(texts, on="text")
    if not known.height:
        raise AssayError("no item of the logs has a text of the data", place=name)
    matched = predictions.join(known.select("id", "own"), on="id", maintain_order="left")
    return matched.with_columns(pl.col("own").alias("id")).drop("own")

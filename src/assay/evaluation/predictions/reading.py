"""Read predictions and align them with the gold labels of the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.data.columns.shared_strings import share_strings
from assay.data.left_out import LeftOut
from assay.evaluation.predictions.alignment import align_tables
from assay.evaluation.predictions.coverage import add_coverage_notes
from assay.evaluation.predictions.gold import GoldItems, find_gold
from assay.evaluation.predictions.sources import read_prediction_tables
from assay.evaluation.predictions.tables import LAYOUTS, PredictionTable, SystemColumn
from assay.evaluation.predictions.types import (
    EMPTY,
    Answers,
    Predictions,
    Run,
    find_empty,
    set_cells,
    share_labels,
    to_answers,
    to_labels,
)
from assay.kinds import kind_of

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.evaluation.predictions.sources import PredictionSource

EMPTY_CELLS = ["", "NA", "null", "None"]
MISSING_CELL = "NA"  # of a table: the system was not run on the item


def find_predictions(source: PredictionSource | None, data: Dataset | None) -> Predictions | None:
    """Read the given predictions, or those that came with the data; None if there are no predictions."""
    has_source = source is not None and not (isinstance(source, (list, tuple)) and not source)
    has_own = data is not None and data.predictions is not None
    return read_predictions(source if has_source else None, data) if has_source or has_own else None


def read_predictions(
    source: PredictionSource | None,
    data: Dataset | None = None,
    item_scores: PredictionSource | None = None,
    *,
    systems: Sequence[str] | None = None,
    human: Sequence[str] = (),
    encoding: str = "utf-8",
    quoting: str = "auto",
) -> Predictions:
    """Read predictions from files, logs, frames or arrays, long or wide, and align them with the data by id.

    None means those that came with the data. `Predictions` are returned as they are, or with some of their systems.

    Gold labels come from the data; a gold column that disagrees is an error. Without data the gold column counts;
    without either, numeric cells are item scores. An empty answer is an answer; a system has none for an item without
    a row, with null or NA, and in a wide table for a part if all its cells are empty. `item_scores` are files or
    frames of scores that rank items, and `human` are columns of long tables with the scores that people gave to the
    answers.

    >>> read_predictions([{"id": "1", "gold": "a", "x": "a"}, {"id": "2", "gold": "b", "x": "a"}]).outcomes().tolist()
    [[1.0, 0.0]]
    """
    if source is None:
        source = None if data is None else data.predictions
    if isinstance(source, Predictions):
        return source if systems is None else source.select(systems)
    tables = read_prediction_tables(source, data, encoding=encoding, quoting=quoting)
    tables, data, aligned = align_tables(tables, data)
    items = find_gold(tables, data)
    columns = _name_columns(tables, items)
    ranks: dict[str, SystemColumn] = {}
    if item_scores is not None:
        score_tables = read_prediction_tables(item_scores, encoding=encoding, quoting=quoting)
        ranks = {column.system: column for table in score_tables for column in table.columns}
    predictions = Predictions(
        ids=to_labels(items.ids),
        gold=items.gold,
        systems={
            name: _read_answers(column, items, ranks.get(column.system), human) for name, (column, _) in columns.items()
        },
        groups=items.groups,
        runs={name: run for name, (_, run) in columns.items()},
        notes=(*aligned, *items.notes),
        data=items.data,
        whole=data,
        left_out=_list_left_out(tables, items, data),
    )
    return add_coverage_notes(predictions if systems is None else predictions.select(systems), ranks)


def _list_left_out(tables: Sequence[PredictionTable], items: GoldItems, data: Dataset | None) -> tuple[LeftOut, ...]:
    """Say which predicted ids and which columns are not used."""
    ids = set(pl.concat([table.items["id"] for table in tables]).unique().to_list())
    known = ids if data is None else ids & set(data.ids.to_list())
    columns = sorted(items.texts - items.columns)
    entries = (
        LeftOut("predicted ids", len(ids - known), "they are not in the data"),
        LeftOut("predicted ids", len(known - set(items.ids)), "their items have no gold label"),
        LeftOut("columns", len(columns), f"texts, not predictions: {join_names(columns)}"),
    )
    return tuple(entry for entry in entries if entry.n)


def _name_columns(tables: Sequence[PredictionTable], items: GoldItems) -> dict[str, tuple[SystemColumn, Run]]:
    """Name the systems; one that is in several files gets the name of the file too."""
    numbered = [(column, number) for number, table in enumerate(tables) for column in table.columns]
    numbered = [(column, number) for column, number in numbered if column.system not in items.texts]
    # The data may be the predictions file itself: then the systems are columns of the data.
    numbered = [(column, number) for column, number in numbered if column.system not in items.columns] or numbered
    if not numbered:
        fact = "all columns are texts or labels of the data, none are predictions"
        raise AssayError(fact, place=tables[0].source, hint=LAYOUTS)
    n_files = Counter(name for table in tables for name in {column.system for column in table.columns})
    columns: dict[str, tuple[SystemColumn, Run]] = {}
    for column, number in numbered:
        _refuse_duplicates(column)
        shown = column.system if n_files[column.system] == 1 else f"{column.system} ({tables[number].stem})"
        name = shown if column.repeat is None else f"{shown} (repeat {column.repeat})"
        if name in columns:
            raise AssayError(f"there are two systems '{name}'", place=column.source)
        folds = None if column.fold is None else share_labels(_align(column.ids, column.fold, items))
        columns[name] = column, Run(column.system, shown, number, column.repeat, folds)
    return columns


def _refuse_duplicates(column: SystemColumn) -> None:
    ids = column.ids.filter(column.ids.is_duplicated()).unique(maintain_order=True).to_list()
    if ids:
        fact = f"system '{column.system}' predicts {len(ids)} ids more than once ({join_names(ids)})"
        raise AssayError(fact, place=column.source)


def _read_answers(
    column: SystemColumn, items: GoldItems, ranks: SystemColumn | None, human: Sequence[str] = ()
) -> Answers:
    score = _read_numbers(column, column.score, items)
    ranking_scores = score if ranks is None else _read_ranking_scores(ranks, items)
    if column.predicted is None:
        return Answers(outcomes=score)
    if items.gold is None:
        return Answers(outcomes=_read_numbers(column, column.predicted, items), ranking_scores=ranking_scores)
    predicted, empty = _read_predicted(column, column.predicted, items)
    scores, shares = _read_human_scores(column, items, human), _read_probabilities(column, items)
    return Answers(predicted, ranking_scores, probabilities=shares, human_scores=scores, empty=empty)


def _read_predicted(column: SystemColumn, values: pl.Series, items: GoldItems) -> tuple[Array, Array | None]:
    """Return the answers in the form of gold, None if there are none, and which of them are empty."""
    assert items.gold is not None
    cells = _align(column.ids, values, items)
    cells = _drop_unrun_parts(cells, items) if column.is_wide else cells
    written = to_answers(cells.to_list()) if cells.n_unique() > len(cells) // 2 else share_strings(_strip_empty(cells))
    empty = find_empty(written)
    predicted = written
    if items.data is not None:
        predicted = to_answers(kind_of(items.data).answers.read_answers(items.data, written.tolist()))
    not_run = np.asarray(written == MISSING_CELL, dtype=bool)
    if not_run.any():  # unless it is an answer of gold, such as a label
        labels = set(items.gold.tolist())
        is_known = np.array([label in labels for label in predicted.tolist()])
        predicted = set_cells(predicted, not_run & ~is_known, None)
    return predicted, empty


def _strip_empty(cells: pl.Series) -> pl.Series:
    return cells.set(cells.str.strip_chars() == EMPTY, EMPTY)


def _drop_unrun_parts(cells: pl.Series, items: GoldItems) -> pl.Series:
    """Return the cells of a system without those of parts for which all its cells are empty: it was not run there."""
    empty = (cells.is_null() | (cells.str.strip_chars() == EMPTY)).alias("empty")
    parts = None if items.data is None else items.data.parts
    if parts is None:
        return pl.Series(cells.name, [None] * len(cells), dtype=pl.String) if empty.all() else cells
    unrun = pl.DataFrame({"part": parts, "empty": empty}).select(pl.col("empty").all().over("part"))["empty"]
    return cells.set(unrun, None)


def _read_human_scores(column: SystemColumn, items: GoldItems, names: Sequence[str]) -> dict[str, Array] | None:
    known = () if column.others is None else column.others.columns
    for name in names:
        if name not in known:
            fact = f"no column '{name}' of human scores; columns next to the answers are {join_names(known) or 'none'}"
            hint = "Human scores are columns of long predictions: id, system, predicted, and one per question."
            raise AssayError(fact, place=column.source, option="human", hint=hint)
    scores = {name: _read_numbers(column, column.others[name], items) for name in names}  # type: ignore[index]
    return {name: values for name, values in scores.items() if values is not None} or None


def _read_ranking_scores(ranks: SystemColumn, items: GoldItems) -> Array | None:
    _refuse_duplicates(ranks)
    return _read_numbers(ranks, ranks.predicted if ranks.score is None else ranks.score, items)


def _read_probabilities(column: SystemColumn, items: GoldItems) -> dict[str, Array] | None:
    if column.probabilities is None:
        return None
    shares = {}
    for label in column.probabilities.columns:
        values = _read_numbers(column, column.probabilities[label], items)
        assert values is not None
        shares[label] = values
    return shares


def _align(ids: pl.Series, values: pl.Series, items: GoldItems) -> pl.Series:
    """Put values in the order of the items; null if an item has none."""
    table = pl.DataFrame({"id": ids, "value": values})
    rows = pl.DataFrame({"id": items.ids}, schema={"id": pl.String})
    return rows.join(table, on="id", how="left", maintain_order="left")["value"]


def _read_numbers(column: SystemColumn, values: pl.Series | None, items: GoldItems) -> Array | None:
    """Read numbers; an empty cell and nan are missing, and a word is an error."""
    if values is None:
        return None
    truths = values.str.to_lowercase().replace_strict(
        {"true": 1.0, "false": 0.0}, default=None, return_dtype=pl.Float64
    )
    numbers = values.str.strip_chars().cast(pl.Float64, strict=False)
    if items.gold is None:
        numbers = numbers.fill_null(truths)  # True and False are right and wrong
    words = values.filter(numbers.is_null() & values.is_not_null() & ~values.str.strip_chars().is_in(EMPTY_CELLS))
    if len(words):
        hint = (
            ""
            if items.gold is not None
            else "Without gold labels or the data, cells are item scores. Give the items, too: {data}."
        )
        fact = f"'{column.system}' has '{words[0]}' where a number is expected"
        raise AssayError(fact, place=column.source, hint=hint)
    return _align(column.ids, numbers, items).fill_null(np.nan).to_numpy()

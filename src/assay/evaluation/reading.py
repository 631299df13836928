"""Read prediction files and lay them beside the gold of the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError, join_names
from assay.evaluation.coverage import covered
from assay.evaluation.layouts import Column, Table, stem, take_apart
from assay.evaluation.predictions import Answers, Predictions, as_labels
from assay.evaluation.truth import Truth, truth_of

if TYPE_CHECKING:
    from assay.data import Dataset

_EMPTY = ["", "NA", "null", "None"]
Paths = str | Path | Sequence[str | Path]


def read_predictions(
    paths: Paths,
    data: Dataset | None = None,
    item_scores: Paths | None = None,
    *,
    systems: Sequence[str] | None = None,
    encoding: str = "utf-8",
    quoting: str = "auto",
) -> Predictions:
    """Read one or several prediction files, long or wide, and align them with the data by id.

    Gold comes from the data; a gold column that disagrees is an error. Without data the gold column
    serves; without either, numeric cells are item scores. `item_scores` holds scores that rank items.
    """
    files = _listed(paths)
    tables = [take_apart(_table(path, encoding, quoting), path) for path in files]
    truth = truth_of(tables, data)
    columns = _systems(tables, files, truth)
    ranks = {}
    if item_scores is not None:
        scored = [take_apart(_table(path, encoding, quoting), path) for path in _listed(item_scores)]
        ranks = {column.system: column for table in scored for column in table.columns}
    answers = {name: _answers(column, truth, ranks.get(column.system)) for name, (column, _) in columns.items()}
    with_folds = {name: column for name, (column, _) in columns.items() if column.fold is not None}
    folds = {name: as_labels(_aligned(column.ids, column.fold, truth)) for name, column in with_folds.items()}
    found = Predictions(
        ids=as_labels(truth.ids),
        gold=truth.gold,
        systems=answers,
        groups=truth.groups,
        folds=folds,
        sources={name: number for name, (_, number) in columns.items()},
        bases={name: column.system for name, (column, _) in columns.items()},
        repeats={name: column.repeat for name, (column, _) in columns.items() if column.repeat is not None},
        notes=truth.notes,
        data=truth.data,
        whole=data,
    )
    return covered(found if systems is None else found.only(systems), ranks)


def _listed(paths: Paths) -> list[str | Path]:
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    if not given:
        raise UsageError("No predictions: give a file with --predictions.")
    return given


def _table(path: str | Path, encoding: str, quoting: str) -> pl.DataFrame:
    from assay.data import read_table

    return read_table(path, encoding=encoding, quoting=quoting)


def _systems(tables: Sequence[Table], paths: Sequence[str | Path], truth: Truth) -> dict[str, tuple[Column, int]]:
    """Name the systems; one that several files have bears the name of each file."""
    given = [(column, number) for number, table in enumerate(tables) for column in table.columns]
    given = [(column, number) for column, number in given if column.system not in truth.texts]
    # The data may be the predictions file itself: then the systems are columns of the data.
    given = [(column, number) for column, number in given if column.system not in truth.columns] or given
    if not given:
        raise AssayError(f"{tables[0].source}: every column holds texts; none holds predictions.")
    often = Counter(name for table in tables for name in {column.system for column in table.columns})
    found: dict[str, tuple[Column, int]] = {}
    for column, number in given:
        _refuse_duplicates(column)
        name = column.system if often[column.system] == 1 else f"{column.system} ({stem(paths[number])})"
        name = name if column.repeat is None else f"{name} (repeat {column.repeat})"
        if name in found:
            raise AssayError(f"{column.source}: system '{name}' stands there twice.")
        found[name] = column, number
    return found


def _refuse_duplicates(column: Column) -> None:
    twice = column.ids.filter(column.ids.is_duplicated()).unique(maintain_order=True).to_list()
    if twice:
        raise AssayError(
            f"{column.source}: system '{column.system}' predicts {len(twice)} ids more than once ({join_names(twice)})."
        )


def _answers(column: Column, truth: Truth, ranks: Column | None) -> Answers:
    score = _numbers(column, column.score, truth)
    ranking = score if ranks is None else _ranking(ranks, truth)
    if column.predicted is None:
        return Answers(outcomes=score)
    if truth.gold is None:
        return Answers(outcomes=_numbers(column, column.predicted, truth), scores=ranking)
    predicted = as_labels(_aligned(column.ids, column.predicted, truth))
    return Answers(predicted, ranking, probabilities=_probabilities(column, truth))


def _ranking(ranks: Column, truth: Truth) -> Array | None:
    _refuse_duplicates(ranks)
    return _numbers(ranks, ranks.predicted if ranks.score is None else ranks.score, truth)


def _probabilities(column: Column, truth: Truth) -> dict[str, Array] | None:
    if column.probabilities is None:
        return None
    shares = {}
    for label in column.probabilities.columns:
        found = _numbers(column, column.probabilities[label], truth)
        assert found is not None
        shares[label] = found
    return shares


def _aligned(ids: pl.Series, values: pl.Series | None, truth: Truth) -> list[Any]:
    assert values is not None
    given = pl.DataFrame({"id": ids, "value": values})
    return pl.DataFrame({"id": truth.ids}).join(given, on="id", how="left", maintain_order="left")["value"].to_list()


def _numbers(column: Column, values: pl.Series | None, truth: Truth) -> Array | None:
    """Read numbers; an empty cell and nan are missing, and a word is an error."""
    if values is None:
        return None
    numbers = values.str.strip_chars().cast(pl.Float64, strict=False)
    words = values.filter(numbers.is_null() & values.is_not_null() & ~values.str.strip_chars().is_in(_EMPTY))
    if len(words):
        hint = "" if truth.gold is not None else " Without gold or DATA, cells are item scores."
        raise AssayError(f"{column.source}: '{column.system}' has '{words[0]}' where a number belongs.{hint}")
    return np.array([np.nan if v is None else v for v in _aligned(column.ids, numbers, truth)], dtype=float)

"""Write the labels and ids of predictions as the data writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from assay.base.errors import join_names
from assay.data import Dataset
from assay.data.columns.spellings import adopt_spellings, parse_value, unify_spellings
from assay.evaluation.predictions.tables import PredictionTable, SystemColumn
from assay.kinds import kind_of

MINUS_ONE = {"-1", "-1.0"}


def align_tables(
    tables: Sequence[PredictionTable], data: Dataset | None
) -> tuple[list[PredictionTable], Dataset | None, list[str]]:
    """Return the tables with labels and ids as in the data, the data, and notes on what was changed.

    Numbers are compared by value: a predicted 1.0 is the label 1. A label that differs from one of gold only in case is
    that label. If a system predicts -1, it is a label of the data too. If ids restart in each part of the data,
    those of the files belong to the part that has them all.
    """
    notes: list[str] = []
    if data is not None and data.hidden_labels is not None and list_predicted(tables) & MINUS_ONE:
        notes.append(f"-1 is a label: systems predict it ({data.hidden_labels.drop_nulls().len():,} items have it).")
        data = data.restore_hidden_labels()
    if data is not None:
        tables, part = _match_part_ids(tables, data)
        notes += [f"Ids restart in each part of the data; predictions are matched with {part}."] if part else []
    if data is None or kind_of(data).gold.has_classes or kind_of(data).gold.has_grades:
        tables, changed = _adopt_labels(tables, None if data is None else data.label_names)
        recased = [f"{old} as {new}" for old, new in changed.items() if parse_value(old) is None]
        notes += (
            [f"Labels that differ from gold only in case are read as gold: {join_names(recased)}."] if recased else []
        )
    return list(tables), data, notes


def list_predicted(tables: Sequence[PredictionTable]) -> set[str]:
    """Return all labels that a system predicts."""
    columns = [column.predicted for table in tables for column in table.columns if column.predicted is not None]
    return {label for column in columns for label in column.unique().drop_nulls().to_list()}


def _adopt_labels(
    tables: Sequence[PredictionTable], known: Sequence[str] | None
) -> tuple[list[PredictionTable], dict[str, str]]:
    gold = {label for table in tables for label in table.items["gold"].unique().drop_nulls().to_list()}
    if known is None:
        changed = unify_spellings(sorted(gold))
        known = sorted(gold - set(changed))
    else:
        changed = adopt_spellings(sorted(gold), known)
    changed |= adopt_spellings(sorted(list_predicted(tables)), known)
    return [_rewrite_labels(table, changed, known) for table in tables], changed


def _rewrite_labels(table: PredictionTable, changed: dict[str, str], known: Sequence[str]) -> PredictionTable:
    columns = [_rewrite_column(column, changed, known) for column in table.columns]
    items = table.items.with_columns(gold=table.items["gold"].replace(changed)) if changed else table.items
    return replace(table, columns=columns, items=items)


def _rewrite_column(column: SystemColumn, changed: dict[str, str], known: Sequence[str]) -> SystemColumn:
    predicted, shares = column.predicted, column.probabilities
    if predicted is not None and changed and predicted.dtype == pl.String:
        predicted = predicted.replace(changed)
    if shares is not None:
        names = adopt_spellings(shares.columns, known)
        shares = (
            shares.rename(names) if len({*shares.columns, *names.values()}) == shares.width + len(names) else shares
        )
    return replace(column, predicted=predicted, probabilities=shares)


def _match_part_ids(tables: Sequence[PredictionTable], data: Dataset) -> tuple[Sequence[PredictionTable], str | None]:
    """Put the name of the part before the ids of files that have none of the data's ids, but all of one part's."""
    ids = {identity for table in tables for identity in table.items["id"].unique().to_list()}
    known = set(data.ids.to_list())
    if not ids or ids & known:
        return tables, None
    names = sorted(data.part_names, key=lambda name: {"test": 0, "dev": 1}.get(name, 2))
    part = next((name for name in names if all(f"{name}-{identity}" in known for identity in ids)), None)
    if part is None:
        return tables, None
    return [_prefix_ids(table, part) for table in tables], part


def _prefix_ids(table: PredictionTable, part: str) -> PredictionTable:
    def prefix(ids: pl.Series) -> pl.Series:
        return pl.select(pl.lit(f"{part}-") + ids).to_series().alias(ids.name)

    columns = [replace(column, ids=prefix(column.ids)) for column in table.columns]
    return replace(table, columns=columns, items=table.items.with_columns(id=prefix(table.items["id"])))

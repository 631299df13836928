"""Which items are evaluated, and what is true of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.data.columns.labels import read_labels
from assay.evaluation.layouts import Column, Table
from assay.evaluation.predictions import as_labels

if TYPE_CHECKING:
    from assay.data import Dataset


@dataclass(frozen=True)
class Truth:
    """Items in the order of the data, or else of the files; their gold and groups; what was noticed."""

    ids: list[str]
    gold: Array | None
    groups: Array | None
    data: Dataset | None
    texts: frozenset[str]  # columns of wide files that are no systems: texts
    columns: frozenset[str]  # and columns of the data
    notes: tuple[str, ...]


def truth_of(tables: Sequence[Table], data: Dataset | None) -> Truth:
    """Take the gold from the data, or without data from the files, and check that they agree."""
    items = pl.concat([table.items for table in tables])
    if data is None:
        return _from_files(items, tables)
    return _from_data(items, tables, data)


def _from_files(items: pl.DataFrame, tables: Sequence[Table]) -> Truth:
    places = ", ".join(dict.fromkeys(table.source for table in tables))
    _refuse_conflicts(items, places)
    firsts = items.group_by("id", maintain_order=True).agg(pl.all().drop_nulls().first())
    firsts = firsts.with_columns(gold=read_labels(firsts["gold"], places).labels)
    notes = []
    if firsts["gold"].null_count() == firsts.height:
        return Truth(firsts["id"].to_list(), None, _groups(firsts), None, frozenset(), frozenset(), ())
    if firsts["gold"].null_count():
        notes.append(f"{firsts['gold'].null_count()} of {firsts.height} items have no gold label and are left out.")
        firsts = firsts.filter(pl.col("gold").is_not_null())
    gold = as_labels(firsts["gold"].to_list())
    texts = _free_text(tables, gold)
    told = (*notes, *_texts_note(texts))
    return Truth(firsts["id"].to_list(), gold, _groups(firsts), None, texts, frozenset(), told)


def _from_data(items: pl.DataFrame, tables: Sequence[Table], data: Dataset) -> Truth:
    notes: list[str] = []
    labels = data.labels
    if labels is not None and labels.null_count() < len(labels):
        if labels.null_count():
            notes.append(f"{labels.null_count()} of {len(data)} items of the data have no label and are left out.")
        data = data.drop_unlabelled()
        labels = data.labels
    else:
        labels = None
    notes += _unknown_ids(items, tables, data)
    data, left_out = _predicted_parts(items, data)
    gold = None if data.labels is None or labels is None else as_labels(data.labels.to_list())
    if gold is not None:
        _refuse_disagreement(items, data)
    groups = as_labels(data.groups.to_list()) if data.groups is not None else _file_groups(items, data)
    texts, known = _free_text(tables, gold), frozenset(data.frame.columns)
    told = (*notes, *left_out, *_texts_note(texts - known))
    return Truth(data.ids.to_list(), gold, groups, data, texts, known, told)


def _unknown_ids(items: pl.DataFrame, tables: Sequence[Table], data: Dataset) -> list[str]:
    known = set(data.ids.to_list())
    given = items["id"].unique(maintain_order=True).to_list()
    unknown = [identity for identity in given if identity not in known]
    if len(unknown) == len(given):
        raise AssayError(
            f"{tables[0].source}: none of its {len(given)} ids is in the data "
            f"({join_names(given, 2)} against {join_names(data.ids.head(2).to_list())}). Is --id right?"
        )
    if not unknown:
        return []
    return [f"{len(unknown)} predicted ids are not in the data and are left out ({join_names(unknown)})."]


def _predicted_parts(items: pl.DataFrame, data: Dataset) -> tuple[Dataset, list[str]]:
    """Leave out the parts for which nobody predicts."""
    if data.parts is None:
        return data, []
    predicted = data.ids.is_in(items["id"].unique().to_list())
    counts = pl.DataFrame({"part": data.parts, "predicted": predicted}).group_by("part", maintain_order=True)
    table = counts.agg(pl.len().alias("n"), pl.col("predicted").sum())
    empty = table.filter(pl.col("predicted") == 0)
    if not empty.height:
        return data, []
    named = join_names([f"{row['part']} ({row['n']:,})" for row in empty.to_dicts()])
    kept = ~data.parts.is_in(empty["part"].to_list())
    return data.take(kept.fill_null(value=True).to_numpy()), [f"Nobody predicts for {named}: left out."]


def _refuse_conflicts(items: pl.DataFrame, places: str) -> None:
    given = items.filter(pl.col("gold").is_not_null()).unique(["id", "gold"], maintain_order=True)
    both = given.filter(pl.col("id").is_duplicated())["id"].unique(maintain_order=True).to_list()
    if both:
        raise AssayError(f"{places}: {len(both)} items have two different gold labels ({join_names(both)}).")


def _refuse_disagreement(items: pl.DataFrame, data: Dataset) -> None:
    truth = pl.DataFrame({"id": data.ids, "true": data.labels})
    given = items.filter(pl.col("gold").is_not_null()).join(truth, on="id", how="inner", maintain_order="left")
    wrong = given.filter(pl.col("gold") != pl.col("true")).unique("id", maintain_order=True)
    if wrong.height:
        shown = [f"{row['id']}: {row['gold']} against {row['true']}" for row in wrong.head(6).to_dicts()]
        shown += [""] * (wrong.height - len(shown))
        raise AssayError(f"The gold column disagrees with the data for {wrong.height} items ({join_names(shown)}).")


def _groups(items: pl.DataFrame) -> Array | None:
    return None if items["group"].null_count() == items.height else as_labels(items["group"].to_list())


def _file_groups(items: pl.DataFrame, data: Dataset) -> Array | None:
    firsts = items.group_by("id", maintain_order=True).agg(pl.col("group").drop_nulls().first())
    joined = pl.DataFrame({"id": data.ids}).join(firsts, on="id", how="left", maintain_order="left")
    return _groups(joined)


def _free_text(tables: Sequence[Table], gold: Array | None) -> frozenset[str]:
    """Name the columns of wide files that hold texts rather than answers: many values, none of them a gold label."""
    labels = set() if gold is None else set(gold.tolist())
    columns = [column for table in tables if len(table.columns) > 1 for column in table.columns]
    return frozenset(column.system for column in columns if gold is not None and _is_text(column, labels))


def _is_text(column: Column, labels: set[str]) -> bool:
    if column.predicted is None or column.score is not None:
        return False
    values = column.predicted.drop_nulls().unique()
    words = values.cast(pl.Float64, strict=False).null_count() > 0
    return words and len(values) > max(20, 2 * len(labels)) and not set(values) & labels


def _texts_note(names: frozenset[str]) -> list[str]:
    return [f"Columns of texts, not of predictions: {join_names(sorted(names))}."] if names else []

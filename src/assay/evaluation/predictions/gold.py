"""Which items are evaluated, and their gold labels and groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.data import Dataset
from assay.data.columns.labels import read_labels
from assay.data.row_order import sort_ids
from assay.evaluation.predictions.alignment import list_predicted
from assay.evaluation.predictions.tables import PredictionTable, SystemColumn
from assay.evaluation.predictions.types import share_labels, to_labels
from assay.kinds import kind_of

MIN_UNKNOWN_IDS, MAX_UNKNOWN_SHARE = 3, 0.05  # predicted ids that the data does not have
MIN_DISTINCT_TEXTS = 20  # a column of texts has more distinct values than these


@dataclass(frozen=True)
class GoldItems:
    """The items in the order of the data, or else of the files, with gold labels and groups.

    `texts` and `columns` name columns of wide files that are not systems: texts, and columns of the data.
    """

    ids: list[str]
    gold: Array | None
    groups: Array | None
    data: Dataset | None = None
    texts: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def find_gold(tables: Sequence[PredictionTable], data: Dataset | None) -> GoldItems:
    """Take the gold labels from the data, or without data from the files, and check that they agree."""
    items = pl.concat([table.items for table in tables])
    return _find_in_files(items, tables) if data is None else _find_in_data(items, tables, data)


def _find_in_files(items: pl.DataFrame, tables: Sequence[PredictionTable]) -> GoldItems:
    place = ", ".join(dict.fromkeys(table.source for table in tables))
    _refuse_conflicts(items, place)
    firsts = items.group_by("id", maintain_order=True).agg(pl.all().drop_nulls().first())
    clean = read_labels(firsts["gold"], place, predicted=list_predicted(tables))
    firsts = firsts.with_columns(gold=clean.labels)
    n_missing = firsts["gold"].null_count()
    if n_missing == firsts.height:
        return GoldItems(firsts["id"].to_list(), None, _to_groups(firsts))
    notes = [f"{n_missing} of {firsts.height} items have no gold label and are left out."] if n_missing else []
    notes += [f"{note[0].upper()}{note[1:]}." for note in clean.note_values()]
    firsts = firsts.filter(pl.col("gold").is_not_null())
    gold = share_labels(firsts["gold"])
    texts = _find_text_columns(tables, gold)
    notes += _describe_texts(texts)
    return GoldItems(firsts["id"].to_list(), gold, _to_groups(firsts), texts=texts, notes=tuple(notes))


def _find_in_data(items: pl.DataFrame, tables: Sequence[PredictionTable], data: Dataset) -> GoldItems:
    notes = _describe_unknown_ids(items, tables, data)
    kind = kind_of(data)
    answers = kind.gold.get_gold(data)
    labelled = answers is not None and answers.null_count() < len(answers)
    if answers is not None and labelled and answers.null_count():
        noun = "label" if kind.gold.has_labels else "gold answer"
        notes.append(f"{answers.null_count()} of {len(data)} items of the data have no {noun} and are left out.")
        data = data.take(answers.is_not_null())
        if not data.ids.is_in(items["id"].unique().to_list()).any():
            raise AssayError("none of the predicted items has a gold label in the data", place=tables[0].source)
    data, parts_note = _keep_predicted_parts(tables, data)
    answers = kind.gold.get_gold(data)
    gold = share_labels(answers) if labelled and answers is not None else None
    if gold is not None and kind.gold.has_labels:
        _refuse_disagreement(items, data)
    groups = share_labels(data.groups) if data.groups is not None else _find_file_groups(items, data)
    texts = _find_text_columns(tables, gold) if kind.gold.has_labels else frozenset()
    columns = frozenset(data.frame.columns)
    notes += [*parts_note, *_describe_texts(texts - columns)]
    return GoldItems(data.ids.to_list(), gold, groups, data, texts, columns, tuple(notes))


def _describe_unknown_ids(items: pl.DataFrame, tables: Sequence[PredictionTable], data: Dataset) -> list[str]:
    """Count the predicted ids that the data does not have; raise for many of them next to items without predictions."""
    known = set(data.ids.to_list())
    distinct = items["id"].unique()
    ids = distinct.gather(sort_ids(distinct)).to_list()
    unknown = [identity for identity in ids if identity not in known]
    if not unknown:
        return []
    shown = f"{join_names(unknown, 2)} against {join_names(data.ids.head(2).to_list())}"
    if len(unknown) == len(ids):
        fact = f"none of its {len(ids)} ids is in the data ({shown})"
        raise AssayError(fact, place=tables[0].source, hint="Is {id} right?")
    is_part_of_data = any(entry.what == "rows" for entry in data.left_out)  # predictions are of the whole
    n_unanswered = len(_keep_predicted_parts(tables, data)[0]) - (len(ids) - len(unknown))
    are_many = len(unknown) >= MIN_UNKNOWN_IDS and len(unknown) > MAX_UNKNOWN_SHARE * len(ids)
    if are_many and n_unanswered and not is_part_of_data:
        counts = f"{len(unknown):,} of its {len(ids):,} ids are not in the data ({shown})"
        fact = f"{counts}, and {n_unanswered:,} items of the data have no prediction"
        hint = "Are items numbered in order in one file, and by ids of their own in the other? Is {id} right?"
        raise AssayError(fact, place=tables[0].source, hint=hint)
    return [f"{len(unknown)} predicted ids are not in the data and are left out ({join_names(unknown)})."]


def _keep_predicted_parts(tables: Sequence[PredictionTable], data: Dataset) -> tuple[Dataset, list[str]]:
    """Leave out the parts that no system predicts, and say so; also say if items of the training part are scored."""
    if data.parts is None:
        return data, []
    known = {identity for table in tables for column in table.columns for identity in _list_run_ids(column)}
    predicted = data.ids.is_in(known or {identity for table in tables for identity in table.items["id"].to_list()})
    counts = pl.DataFrame({"part": data.parts, "predicted": predicted}).group_by("part", maintain_order=True)
    table = counts.agg(pl.len().alias("n"), pl.col("predicted").sum())
    empty = table.filter(pl.col("predicted") == 0)
    scored = dict(table.filter(pl.col("predicted") > 0).select("part", "predicted").iter_rows())
    if len(scored) > 1 and "train" in scored:
        others = join_names(name or "without a part" for name in scored if name != "train")
        train_note = [f"{scored['train']:,} predicted items are in train: scores are over these and {others}."]
    else:
        train_note = []
    if not empty.height:
        return data, train_note
    parts = join_names([f"{row['part']} ({row['n']:,})" for row in empty.to_dicts()])
    kept = ~data.parts.is_in(empty["part"].to_list())
    return data.take(kept.fill_null(value=True).to_numpy()), [f"No system predicts {parts}: left out.", *train_note]


def _list_run_ids(column: SystemColumn) -> list[str]:
    """Return the items that a system was run on; in a wide table, those with a cell that is not empty."""
    if column.is_wide and column.predicted is not None:
        return column.ids.filter((column.predicted.str.strip_chars() != "").fill_null(value=False)).to_list()
    return column.ids.to_list()


def _refuse_conflicts(items: pl.DataFrame, place: str) -> None:
    labels = items.filter(pl.col("gold").is_not_null()).unique(["id", "gold"], maintain_order=True)
    ids = labels.filter(pl.col("id").is_duplicated())["id"].unique(maintain_order=True).to_list()
    if ids:
        raise AssayError(f"{len(ids)} items have two different gold labels ({join_names(ids)})", place=place)


def _refuse_disagreement(items: pl.DataFrame, data: Dataset) -> None:
    truth = pl.DataFrame({"id": data.ids, "true": data.labels})
    labels = items.filter(pl.col("gold").is_not_null()).join(truth, on="id", how="inner", maintain_order="left")
    labels = labels.with_columns(gold=_read_gold(data, labels))
    wrong = labels.filter(pl.col("gold") != pl.col("true")).unique("id", maintain_order=True)
    if wrong.height:
        shown = [f"{row['id']}: {row['gold']} against {row['true']}" for row in wrong.head(6).to_dicts()]
        shown += [""] * (wrong.height - len(shown))
        raise AssayError(f"The gold column disagrees with the data for {wrong.height} items ({join_names(shown)}).")


def _read_gold(data: Dataset, labels: pl.DataFrame) -> pl.Series:
    """Return the gold column in the form of the data's own gold, such as letters for numbers."""
    places = {identity: row for row, identity in enumerate(data.ids.to_list())}
    rows = data.take([places[identity] for identity in labels["id"].to_list()])
    return pl.Series("gold", list(kind_of(data).answers.read_answers(rows, labels["gold"].to_list())), dtype=pl.String)


def _to_groups(items: pl.DataFrame) -> Array | None:
    return None if items["group"].null_count() == items.height else to_labels(items["group"].to_list())


def _find_file_groups(items: pl.DataFrame, data: Dataset) -> Array | None:
    firsts = items.group_by("id", maintain_order=True).agg(pl.col("group").drop_nulls().first())
    return _to_groups(pl.DataFrame({"id": data.ids}).join(firsts, on="id", how="left", maintain_order="left"))


def _find_text_columns(tables: Sequence[PredictionTable], gold: Array | None) -> frozenset[str]:
    """Name the columns of wide files that hold texts and no answers: many values, none of them a gold label."""
    if gold is None:
        return frozenset()
    labels = set(gold.tolist())
    columns = [column for table in tables if len(table.columns) > 1 for column in table.columns]
    return frozenset(column.system for column in columns if _holds_texts(column, labels))


def _holds_texts(column: SystemColumn, labels: set[str]) -> bool:
    if column.predicted is None or column.score is not None:
        return False
    values = column.predicted.drop_nulls().unique()
    values = values.filter(values != "")
    has_words = values.cast(pl.Float64, strict=False).null_count() > 0
    return has_words and len(values) > max(MIN_DISTINCT_TEXTS, 2 * len(labels)) and not set(values) & labels


def _describe_texts(names: frozenset[str]) -> list[str]:
    return [f"Columns of texts, not of predictions: {join_names(sorted(names))}."] if names else []

"""Apply proposals to a dataset: drop or relabel items, list every change, and score systems again: `assay repair`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.entry_points import entry_point, list_strings
from assay.base.errors import AssayError, UsageError, join_names, unknown_name
from assay.data import Dataset
from assay.evaluation import Predictions, read_predictions
from assay.inputs import take_data
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.suspects.repairs.proposals import read_proposals
from assay.suspects.repairs.results import Change, Repair, SystemChange
from assay.suspects.votes import encode_answers

if TYPE_CHECKING:
    from assay.evaluation.predictions.sources import PredictionSource

DROPS = ("retire", "leak", "suspects")
USUAL_LABEL_COLUMNS = ("label", "labels", "gold", "answer", "answerkey", "target", "class", "score")


@entry_point(ReadingArguments)
def repair(
    data: DataSource,
    *,
    audit: Any = None,
    suspects: Any = None,
    drop: str | Sequence[str] = (),
    relabel: bool = False,
    min_suspicion: float = 0.5,
    predictions: PredictionSource | None = None,
    **reading: Unpack[ReadingArguments],
) -> Repair:
    """Drop or relabel items as an audit or a list of suspects proposes, and list every change.

    `drop` names the items to drop: "retire" and "leak" as in the audit, and "suspects" with a suspicion of at least
    `min_suspicion`. `relabel` gives suspects the suggested label instead. With `predictions`, systems are scored before
    and after.

    >>> data = {"id": ["1", "2"], "text": ["good", "bad"], "label": ["pos", "pos"]}
    >>> suspects = pl.DataFrame({"id": ["2"], "suggested": ["neg"], "suspicion": [0.9], "reasons": ["3 of 3 disagree"]})
    >>> result = repair(data, suspects=suspects, relabel=True)
    >>> result.changes
    [Change(id='2', action='relabel', column='label', old='pos', new='neg', reason='3 of 3 disagree')]
    >>> result.data["label"].to_list()
    ['pos', 'neg']
    """
    drop = list_strings(drop)
    _check_request(audit, suspects, drop, relabel, min_suspicion)
    dataset = take_data(data, reading)
    proposals = pl.concat([read_proposals(source) for source in (audit, suspects) if source is not None])
    table = _align(proposals, dataset)
    dropped = _choose_dropped(table, drop, min_suspicion)
    frame = dataset.frame
    changes = [
        Change(str(dataset.ids[row]), "drop", "", "", "", _join_reasons(table, row))
        for row in np.flatnonzero(dropped).tolist()
    ]
    labels = dataset.labels
    if relabel:
        chosen = _choose_relabelled(table, dataset, min_suspicion) & ~dropped
        frame, labels, relabelled = _relabel(dataset, table, chosen)
        changes += relabelled
    kept = ~dropped
    notes = _describe_unknown(proposals, dataset)
    highest = proposals["suspicion"].cast(pl.Float64).max()
    if not changes and isinstance(highest, float):
        notes.append(f"Nothing is changed: the highest suspicion is {highest:.2g}, and changes need {min_suspicion:g}.")
    return Repair(
        n_before=len(dataset),
        n_after=int(kept.sum()),
        n_dropped=int(dropped.sum()),
        n_relabelled=sum(change.action == "relabel" for change in changes),
        changes=changes,
        systems=[] if predictions is None else _score_systems(dataset, predictions, labels, kept),
        notes=notes,
        data=frame.filter(pl.Series(kept)),
    )


def _check_request(audit: Any, suspects: Any, drop: Sequence[str], relabel: bool, min_suspicion: float) -> None:
    if audit is None and suspects is None:
        raise UsageError("There is nothing to go by.", hint="Give {audit} or {suspects}.")
    for name in drop:
        if name not in DROPS:
            raise unknown_name("drop", name, DROPS)
    if not drop and not relabel:
        raise UsageError("Nothing is to be changed.", hint="Choose {drop} or {relabel}.")
    if not 0 <= min_suspicion <= 1:
        raise UsageError(f"is {min_suspicion}; it must lie between 0 and 1", option="min_suspicion")


def _align(proposals: pl.DataFrame, data: Dataset) -> pl.DataFrame:
    """Return one row per item of the data, in its order; of two proposals for one item, the parts that are known."""
    one = proposals.group_by("id", maintain_order=True).agg(
        pl.col("proposal", "leak", "suggested").drop_nulls().first(),
        pl.col("suspicion").max(),
        pl.col("reasons").drop_nulls().unique(maintain_order=True).str.join("; "),
    )
    return data.ids.cast(pl.String).to_frame("id").join(one, on="id", how="left", maintain_order="left")


def _choose_dropped(table: pl.DataFrame, drop: Sequence[str], min_suspicion: float) -> Array:
    conditions = {
        "retire": pl.col("proposal") == "retire",
        "leak": pl.col("leak").is_not_null(),
        "suspects": pl.col("suspicion") >= min_suspicion,
    }
    chosen = [conditions[name].fill_null(value=False) for name in drop]
    if not chosen:
        return np.zeros(len(table), bool)
    return table.select(dropped=pl.any_horizontal(chosen))["dropped"].to_numpy()


def _choose_relabelled(table: pl.DataFrame, data: Dataset, min_suspicion: float) -> Array:
    if data.labels is None:
        raise AssayError("there are no labels to correct", place=data.name, hint="Name their column with {label}.")
    is_suspected = (pl.col("suspicion") >= min_suspicion).fill_null(value=True)  # without a number, the proposal counts
    differs = pl.col("suggested").is_not_null() & pl.col("suggested").ne_missing(pl.col("gold"))
    return table.with_columns(gold=data.labels).select(chosen=is_suspected & differs)["chosen"].to_numpy()


def _relabel(data: Dataset, table: pl.DataFrame, chosen: Array) -> tuple[pl.DataFrame, pl.Series, list[Change]]:
    """Write the suggested labels into the label column, in the spelling of that column."""
    assert data.labels is not None
    column, spelling = find_label_column(data)
    cells, labels = data.frame[column].to_list(), data.labels.to_list()
    changes = []
    for row in np.flatnonzero(chosen).tolist():
        label = table["suggested"][row]
        new = spelling.get(label, label)
        changes.append(Change(str(data.ids[row]), "relabel", column, str(cells[row]), new, _join_reasons(table, row)))
        cells[row], labels[row] = new, label
    frame = data.frame.with_columns(pl.Series(column, cells, dtype=pl.String))
    return frame, pl.Series("label", labels, dtype=pl.String), changes


def find_label_column(data: Dataset) -> tuple[str, dict[str, str]]:
    """Return the column of the file that holds the labels, and how it spells each label."""
    assert data.labels is not None
    known = data.labels.is_not_null()
    labels = data.labels.filter(known)
    matches = []
    for name in data.frame.columns:
        pairs = pl.DataFrame({"label": labels, "cell": data.frame[name].cast(pl.String).filter(known)}).unique()
        if len(pairs) == labels.n_unique() == pairs["cell"].n_unique() and not pairs["cell"].null_count():
            spelling = dict(pairs.iter_rows())
            is_same = all(label == cell.strip() for label, cell in spelling.items())
            matches.append((not is_same, name.lower() not in USUAL_LABEL_COLUMNS, name, spelling))
    if not matches:
        raise AssayError("no column holds the labels", place=data.name)
    _, _, name, spelling = min(matches, key=lambda match: match[:2])
    return name, spelling


def _join_reasons(table: pl.DataFrame, row: int) -> str:
    return str(table["reasons"][row] or "")


def _describe_unknown(proposals: pl.DataFrame, data: Dataset) -> list[str]:
    unknown = proposals.filter(~pl.col("id").is_in(data.ids.cast(pl.String).implode()))["id"].unique(
        maintain_order=True
    )
    if not len(unknown):
        return []
    if len(unknown) == proposals["id"].n_unique():
        shown = f"{join_names(unknown.head(2).to_list())} against {join_names(data.ids.head(2).to_list())}"
        raise AssayError(f"none of the proposed ids is in the data ({shown})", place=data.name, hint="Is {id} right?")
    return [f"{len(unknown):,} proposals are for ids that are not in the data ({join_names(unknown.to_list())})."]


def _score_systems(data: Dataset, source: Any, labels: pl.Series | None, kept: Array) -> list[SystemChange]:
    """Return the share of right answers of every system before and after."""
    predictions = read_predictions(source, data)
    if predictions.gold is None or labels is None:
        raise AssayError("systems can be scored only if the data has labels", place=data.name)
    place = {name: row for row, name in enumerate(data.ids.to_list())}
    rows = np.array([place[name] for name in predictions.ids.tolist()])
    gold = np.array(labels.gather(rows).to_list(), dtype=object)
    before = _share_right(predictions)
    after = _share_right(replace(predictions, gold=gold).take(kept[rows]))
    ranks = _rank(before), _rank(after)
    columns = zip(predictions.names, before.tolist(), after.tolist(), *(rank.tolist() for rank in ranks), strict=True)
    return sorted((SystemChange(*values) for values in columns), key=lambda system: system.rank_before)


def _share_right(predictions: Predictions) -> Array:
    codes, gold, _ = encode_answers(predictions)
    is_answered = codes >= 0
    with np.errstate(invalid="ignore"):
        return np.asarray((is_answered & (codes == gold)).sum(axis=1) / is_answered.sum(axis=1))


def _rank(scores: Array) -> Array:
    """Return the rank of each score, 1 for the highest; equal scores share the better rank."""
    return np.asarray((scores[:, None] < scores[None, :]).sum(axis=1) + 1)

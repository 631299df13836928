"""Find the items of a benchmark whose gold label, or the item itself, is probably bad: `assay suspects`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl

from assay.base.arrays import Array, Values
from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, UsageError
from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.row_order import invert_order
from assay.evaluation import Predictions, read_predictions
from assay.evaluation.repeats.stacking import combine_repeats
from assay.inputs import find_data
from assay.kinds import kind_of
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.suspects.annotators import judge_by_annotators
from assay.suspects.answers import judge_answers
from assay.suspects.combination import combine, separate_ties
from assay.suspects.items import JudgedItems, find_gold
from assay.suspects.judgements import (
    WORDED_FROM,
    Judgement,
    ModelTable,
    judge_by_copies,
    judge_by_models,
    judge_by_texts,
)
from assay.suspects.probabilities import read_probabilities
from assay.suspects.results import ExpectedPrecision, SuspectItem, Suspects, choose_suspects
from assay.suspects.reviews import compare_with_review, read_verdicts
from assay.suspects.text_faults import drop_near_grades, find_broken_texts, find_conflicts
from assay.tasks.running import Cache
from assay.views.values import MAX_IDS, ItemCount

if TYPE_CHECKING:
    from assay.evaluation.predictions.sources import PredictionSource

OPINIONS = ("systems", "text models", "residuals", "annotators")  # on labels; one of them is needed
NOT_JUDGED = "not judged: no evidence"
MAX_TOP = 500
MAX_WORDED = 100_000
PRECISION_RANKS = (10, 25, 50, 100, 200, 500, 1000)
MAX_TRAINED_ITEMS = 50_000  # beyond which text models are trained only if there is no other evidence
GIVEN_WEIGHT = 2.0  # of probabilities the user gives, next to 1 of the text models trained here


@entry_point(ReadingArguments)
def find_suspects(
    data: DataSource | None = None,
    predictions: PredictionSource | None = None,
    probabilities: Any = None,
    *,
    duplicates: Any = None,
    text_model: bool | None = None,
    reviewed: str | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
    **reading: Unpack[ReadingArguments],
) -> Suspects:
    """Rank all items by the probability that their gold label, or the item itself, is bad.

    Evidence: answers of systems (`predictions`, or answers in logs given as data), out-of-sample `probabilities` of
    labels (an array in the order of items and sorted labels, a frame or a file), text models trained here
    (`text_model`; by default on at most 50,000 items), columns with the labels of several annotators or with the
    confidence in the label, copies with different labels (`duplicates`: group numbers, computed if missing), broken
    texts. `reviewed` names a column of people's verdicts on the items ("ok", or what is wrong); it is not evidence, the
    result says how many of the suspects they confirm.

    >>> from assay.evaluation import Predictions
    >>> systems = {name: ["a"] * 39 + ["b"] for name in "xyz"}
    >>> suspects = find_suspects(predictions=Predictions.from_arrays(["a"] * 40, systems))
    >>> suspects.items.row(0, named=True)["reasons"]
    '3 of 3 systems answer "b"; the gold label is "a"'
    """
    dataset = _find_data(data, reading, has_evidence=predictions is not None or probabilities is not None)
    if predictions is None and dataset is not None:
        predictions = dataset.predictions
    answers = None if predictions is None else _read_answers(predictions, dataset)
    given = JudgedItems.collect(dataset, answers)
    items = given.sort_rows()
    notes: list[str] = []
    judgements = [judged for judged in judge_answers(items, answers) if np.isfinite(judged.probability).any()]
    tables = [] if probabilities is None else [_read_given(given, probabilities, notes)]
    if _should_train(text_model, items, bool(tables or judgements)):
        options = {"random_state": random_state, "n_jobs": n_jobs, "backend": backend, "cache": cache}
        tables += _train(items, notes, options)
    if tables:
        codes = items.codes
        by_models = judge_by_models(
            [_keep_labelled(table, codes) for table in tables], np.maximum(codes, 0), items.names
        )
        if by_models is None:
            notes.append("Text models are not used: they agree with the labels hardly more often than by chance.")
        else:
            judgements.append(by_models)
    judgements += judge_by_annotators(items, items.data or dataset)
    judgements += _judge_texts(items, None if duplicates is None else np.asarray(duplicates, np.int64)[given.order])
    if not any(judgement.evidence.name in OPINIONS for judgement in judgements):
        hint = "Give {predictions} with answers, not only scores, or {probabilities}."
        raise AssayError("there is nothing to judge labels by", place=items.name, hint=hint)
    result = _summarise(items, judgements, notes)
    if reviewed is None:
        return result
    if dataset is None:
        raise UsageError("needs the data that has the column", option="reviewed")
    review = compare_with_review(result.choose()["id"].to_list(), read_verdicts(dataset, reviewed))
    return replace(result, review=review)


def _find_data(data: DataSource | None, reading: ReadingArguments, *, has_evidence: bool) -> Dataset | None:
    """Read the data; labels are enough if there is other evidence than texts."""
    from assay.kinds.recognition import NoTextError

    try:
        return find_data(data, reading)
    except NoTextError:
        if not has_evidence or reading.get("text"):
            raise
        return find_data(data, {**reading, "text": "none"})


def _read_answers(predictions: PredictionSource | None, data: Dataset | None) -> Predictions:
    """Return the answers of systems by name, with the gold labels of the data or, if it has none, of the predictions."""
    has_gold = data is not None and find_gold(data) is not None
    answers = combine_repeats(read_predictions(predictions, data if has_gold else None)).sort_rows()
    return answers.select(sorted(answers.names))


def _read_given(items: JudgedItems, probabilities: Values, notes: list[str]) -> ModelTable:
    """Read the probabilities that the user gives, and put them in the order in which items are judged."""
    given = read_probabilities(probabilities, items.ids, items.names)
    notes += given.notes
    rows = invert_order(items.order)[given.rows]
    sorted_rows = np.argsort(rows)
    return ModelTable("the given model", rows[sorted_rows], given.table[sorted_rows], GIVEN_WEIGHT)


def _should_train(text_model: bool | None, items: JudgedItems, has_evidence: bool) -> bool:
    if items.data is None or items.label_form != "class" or not len(items.names):
        return False
    if text_model is not None:
        return text_model
    return len(items) <= MAX_TRAINED_ITEMS or not has_evidence


def _train(items: JudgedItems, notes: list[str], options: Options) -> list[ModelTable]:
    from assay.suspects.text_models import predict_out_of_fold

    assert items.data is not None
    try:
        result = predict_out_of_fold(items.data.fill_texts(), **options)
    except AssayError as error:
        notes.append(f"No text model was trained: {error.fact.removesuffix('.')}.")
        return []
    table = np.zeros((len(result.rows), len(items.names)))
    table[:, [items.names.index(label) for label in result.labels]] = result.probabilities
    return [ModelTable("linear text models", result.rows, table)]


def _keep_labelled(table: ModelTable, codes: Array) -> ModelTable:
    keep = codes[table.rows] >= 0
    return table if keep.all() else ModelTable(table.name, table.rows[keep], table.table[keep], table.weight)


def _judge_texts(items: JudgedItems, duplicates: Array | None) -> list[Judgement]:
    """Judge by copies with different labels and by broken texts; only what is there is evidence."""
    if items.data is None:
        return []
    judgements = []
    groups = _group_copies(items.data) if duplicates is None else duplicates
    if len(items.names):
        labels = items.labels.to_list()
        conflicts = find_conflicts(groups, items.codes + 1)
        if items.has_grades:
            conflicts = drop_near_grades(conflicts, items.labels.cast(pl.Float64, strict=False).to_numpy())
        names = ["", *items.names]
        judgements.append(judge_by_copies(conflicts, items.ids.to_list(), labels, names))
    judgements.append(judge_by_texts(find_broken_texts(items.data)))
    return [judgement for judgement in judgements if judgement.evidence.n_against]


def _group_copies(data: Dataset) -> Array:
    from assay.text.duplicates import exact_duplicates

    texts = next(iter(kind_of(data).texts.leak_texts(data).values()))
    groups = exact_duplicates(texts.fill_null(""))
    is_empty = (texts.fill_null("").str.strip_chars() == "").to_numpy()
    return np.where(is_empty, groups.max(initial=0) + 1 + np.arange(len(groups)), groups)


def _summarise(items: JudgedItems, judgements: Sequence[Judgement], notes: list[str]) -> Suspects:
    combined = combine(judgements)
    order = combined.order
    suspicion = separate_ties(combined.probability, order)
    ranked = _rank(np.nan_to_num(suspicion, nan=-1.0), order)
    table = pl.DataFrame(
        {
            "id": items.ids.gather(ranked),
            "label": items.labels.gather(ranked),
            "suggested": _choose_suggestions(judgements, items.labels).gather(ranked),
            "suspicion": pl.Series(suspicion[ranked]).fill_nan(None),
            "reasons": _explain(judgements, ranked, suspicion),
        }
    )
    is_left_out = pl.col("suspicion").is_null() & (pl.col("reasons") == "")
    table = table.with_columns(reasons=pl.when(is_left_out).then(pl.lit(NOT_JUDGED)).otherwise("reasons"))
    known = suspicion[ranked][np.isfinite(suspicion[ranked])]
    means = np.cumsum(known) / np.arange(1, len(known) + 1)
    ranks = PRECISION_RANKS if combined.is_known else ()
    precision = [ExpectedPrecision(k, float(means[k - 1])) for k in ranks if k <= len(known)]
    suspected = choose_suspects(table) if combined.has_wrong else table.clear()
    return Suspects(
        expected_bad=combined.expected_bad,
        n_items=len(items),
        n_judged=len(known),
        precision_at=precision,
        evidence=[judgement.evidence for judgement in judgements],
        notes=notes,
        items_top=[SuspectItem(**row) for row in table.head(MAX_TOP).drop_nulls("suspicion").to_dicts()],
        suspected=ItemCount(len(suspected), len(known), tuple(suspected["id"].head(MAX_IDS).to_list())),
        precision=float(suspected["suspicion"].to_numpy().mean()) if len(suspected) else math.nan,
        order_only=not combined.is_known,
        items=table,
    )


def _rank(suspicion: Array, order: Array) -> Array:
    """Return the items by suspicion and order, the highest first; equal items keep their order."""
    ranked = np.argsort(-suspicion, kind="stable")
    is_equal = np.diff(suspicion[ranked]) == 0
    if (is_equal & (order[ranked][1:] > order[ranked][:-1])).any():
        return np.lexsort((-order, -suspicion))
    return ranked


def _choose_suggestions(judgements: Sequence[Judgement], labels: pl.Series) -> pl.Series:
    """Return the first label that a kind of evidence prefers to the gold label."""
    columns = {f"{number}": judgement.suggested for number, judgement in enumerate(judgements)}
    frame = pl.DataFrame(columns | {"label": labels})
    chosen = pl.coalesce(*(pl.col(name) for name in columns))
    return frame.select(suggested=pl.when(chosen.ne_missing(pl.col("label"))).then(chosen))["suggested"]


def _explain(judgements: Sequence[Judgement], ranked: Array, suspicion: Array) -> pl.Series:
    """Return the reasons of the items that are suspicious, first in the ranking or broken; others have none."""
    n_worded = int(np.sum(np.nan_to_num(suspicion) >= WORDED_FROM))
    n_worded = min(max(n_worded, MAX_TOP), MAX_WORDED, len(ranked))
    reasons = pl.Series([_word(judgements, row) for row in ranked[:n_worded].tolist()], dtype=pl.String)
    texts = [judgement for judgement in judgements if judgement.evidence.name == "texts"]
    if not texts:
        return reasons.extend_constant("", len(ranked) - n_worded)
    return reasons.append(pl.Series([_word(texts, row) for row in ranked[n_worded:].tolist()], dtype=pl.String))


def _word(judgements: Sequence[Judgement], row: int) -> str:
    return "; ".join(filter(None, (judgement.explain(row) for judgement in judgements)))

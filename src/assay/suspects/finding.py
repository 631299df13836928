"""Find the items of a benchmark whose gold label, or the item itself, is probably bad: `assay suspects`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.evaluation import Predictions, read_predictions
from assay.kinds import kind_of, read
from assay.suspects.combination import combine, estimate_total
from assay.suspects.judgements import (
    WORDED_FROM,
    Judgement,
    ModelTable,
    judge_by_copies,
    judge_by_models,
    judge_by_residuals,
    judge_by_texts,
    judge_by_votes,
)
from assay.suspects.probabilities import read_probabilities
from assay.suspects.results import ExpectedPrecision, SuspectItem, Suspects
from assay.suspects.text_faults import find_broken_texts, find_conflicts

if TYPE_CHECKING:
    from assay.models.fitting import Cache

MAX_TOP = 500
MAX_WORDED = 100_000
PRECISION_RANKS = (10, 25, 50, 100, 200, 500, 1000)
MAX_TRAINED_ITEMS = 50_000  # beyond which text models are trained only where there is no other evidence
GIVEN_WEIGHT = 2.0  # of probabilities the user gives, beside 1 of the text models trained here
DIVIDED_FORMS = ("class set", "tag sequence")  # of answers whose parts are judged one by one
MIN_EXACT_SHARE = 0.2  # of answers equal to the gold grade, from which grades are answers, right or wrong


def find_suspects(
    data: Any = None,
    predictions: Any = None,
    probabilities: Any = None,
    *,
    duplicates: Any = None,
    text_model: bool | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> Suspects:
    """Rank all items by the probability that their gold label, or the item itself, is bad.

    Evidence: answers of systems (`predictions`), out-of-sample `probabilities` of labels (an array in the order of
    items and sorted labels, a frame or a file), text models trained here (`text_model`; by default on at most 50,000
    items), copies with different labels (`duplicates`: group numbers, computed where missing), broken texts.

    >>> systems = {name: ["a"] * 39 + ["b"] for name in "xyz"}
    >>> suspects = find_suspects(predictions=Predictions.from_arrays(["a"] * 40, systems))
    >>> suspects.items.row(0, named=True)["reasons"]
    '3 of 3 systems answer "b"; the gold label is "a"'
    """
    answers = None if predictions is None else _read_answers(predictions, data)
    items = _Items.collect(data, answers)
    notes: list[str] = []
    judgements = _judge_answers(items, answers)
    tables = [] if probabilities is None else [_read_given(items, probabilities)]
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
    judgements += _judge_texts(items, duplicates)
    if not any(judgement.evidence.name in ("systems", "text models", "residuals") for judgement in judgements):
        hint = "Give {predictions} or {probabilities}."
        raise AssayError("there is nothing to judge labels by", place=items.name, hint=hint)
    return _summarise(items, judgements, notes)


def find_gold(data: Dataset) -> pl.Series | None:
    """Return the right answer of every item as text: the label, or what the kind of task has in its place."""
    if data.labels is not None:
        return data.labels
    get_gold = getattr(kind_of(data), "get_gold", None)
    gold: pl.Series | None = None if get_gold is None else get_gold(data)
    return gold


class _Items:
    """The items to judge: ids, labels where known, and the dataset where there is one."""

    def __init__(self, name: str, ids: pl.Series, labels: pl.Series, data: Dataset | None) -> None:
        self.name, self.ids, self.labels, self.data = name, ids, labels, data
        self.names: list[str] = sorted(labels.drop_nulls().unique().to_list())

    @classmethod
    def collect(cls, data: Any, answers: Predictions | None) -> _Items:
        """Take the items from the data, or without data from the predictions."""
        dataset = None if data is None else data if isinstance(data, Dataset) else read(data)
        gold = None if dataset is None else find_gold(dataset)
        if dataset is not None and gold is not None:
            return cls(dataset.name, dataset.ids, gold, dataset)
        if answers is None:
            raise AssayError("there are no labels to judge", hint="Name their column with {label}.")
        labels = [None] * len(answers) if answers.gold is None else answers.gold.tolist()
        return cls(
            "predictions", pl.Series(answers.ids.tolist(), dtype=pl.String), pl.Series(labels, dtype=pl.String), None
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def codes(self) -> Array:
        """Return the number of each label in `names`, -1 where it has none."""
        numbers = pl.int_range(len(self.names), eager=True)
        codes = self.labels.replace_strict(
            pl.Series(self.names, dtype=pl.String), numbers, default=-1, return_dtype=pl.Int64
        )
        return codes.fill_null(-1).to_numpy()

    @property
    def label_form(self) -> str:
        """Return the form of an answer: class, grade, class set, tag sequence or text."""
        return "class" if self.data is None else kind_of(self.data).label_form

    @property
    def has_grades(self) -> bool:
        """Tell whether labels are numbers on a scale."""
        return self.data is not None and kind_of(self.data).has_grades


def _read_answers(predictions: Any, data: Any) -> Predictions:
    if isinstance(predictions, Predictions):
        return predictions
    dataset = None if data is None else data if isinstance(data, Dataset) else read(data)
    return read_predictions(predictions, dataset if dataset is not None and find_gold(dataset) is not None else None)


def _judge_answers(items: _Items, answers: Predictions | None) -> list[Judgement]:
    """Judge by answers, put in the order of the items where predictions cover only some."""
    if answers is None:
        return []
    rows = _match_rows(items.ids, answers)
    if items.label_form in DIVIDED_FORMS and answers.gold is not None:
        from assay.suspects.cells import judge_by_cells

        judgement = judge_by_cells(answers, items.label_form)
    elif items.has_grades and not _are_exact(answers):
        gold = items.labels.cast(pl.Float64, strict=False).to_numpy()[rows]
        judgement = judge_by_residuals(_to_numbers(answers), gold)
    else:
        judgement = judge_by_votes(answers, items.labels.gather(rows).to_list())
    return [judgement if len(rows) == len(items) else _spread(judgement, rows, len(items))]


def _match_rows(ids: pl.Series, answers: Predictions) -> Array:
    if len(ids) == len(answers) and ids.to_list() == answers.ids.tolist():
        return np.arange(len(ids))
    place = {name: row for row, name in enumerate(ids.to_list())}
    return np.array([place[name] for name in answers.ids.tolist()], dtype=np.int64)


def _spread(judgement: Judgement, rows: Array, n: int) -> Judgement:
    """Put a judgement on some items in its place among all items."""
    from dataclasses import replace

    probability, order = np.full(n, np.nan), np.full(n, -np.inf)
    probability[rows], order[rows] = judgement.probability, judgement.order
    place = np.full(n, -1)
    place[rows] = np.arange(len(rows))
    index = pl.Series(place).set(pl.Series(place < 0), None)
    explain = judgement.explain
    return replace(
        judgement,
        probability=probability,
        order=order,
        suggested=judgement.suggested.gather(index),
        explain=lambda row: explain(int(place[row])) if place[row] >= 0 else "",
    )


def _are_exact(answers: Predictions) -> bool:
    """Tell whether systems give grades exactly, as in arithmetic, and not about right, as on a scale."""
    if answers.gold is None:
        return True
    from assay.suspects.votes import encode_answers

    codes, gold, _ = encode_answers(answers)
    return bool((codes == gold)[codes >= 0].mean() >= MIN_EXACT_SHARE)


def _to_numbers(answers: Predictions) -> Array:
    """Return the predicted grades (systems × items), nan where there is none."""
    rows = []
    for system in answers.systems.values():
        cells = system.predicted if system.predicted is not None else system.outcomes
        assert cells is not None
        texts = pl.Series([None if cell is None else str(cell) for cell in cells.tolist()], dtype=pl.String)
        rows.append(texts.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy())
    return np.stack(rows)


def _read_given(items: _Items, probabilities: Any) -> ModelTable:
    given = read_probabilities(probabilities, items.ids, items.names)
    return ModelTable("the given model", given.rows, given.table, GIVEN_WEIGHT)


def _should_train(text_model: bool | None, items: _Items, has_evidence: bool) -> bool:
    if items.data is None or items.label_form != "class" or not len(items.names):
        return False
    if text_model is not None:
        return text_model
    return len(items) <= MAX_TRAINED_ITEMS or not has_evidence


def _train(items: _Items, notes: list[str], options: dict[str, Any]) -> list[ModelTable]:
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


def _judge_texts(items: _Items, duplicates: Any) -> list[Judgement]:
    """Judge by copies with different labels and by broken texts; only what is there is evidence."""
    if items.data is None:
        return []
    judgements = []
    groups = _group_copies(items.data) if duplicates is None else np.asarray(duplicates, dtype=np.int64)
    if len(items.names):
        labels = items.labels.to_list()
        conflicts = find_conflicts(groups, items.codes + 1)
        names = ["", *items.names]
        judgements.append(judge_by_copies(conflicts, items.ids.to_list(), labels, names))
    judgements.append(judge_by_texts(find_broken_texts(items.data)))
    return [judgement for judgement in judgements if judgement.evidence.n_against]


def _group_copies(data: Dataset) -> Array:
    from assay.text.duplicates import exact_duplicates

    texts = next(iter(kind_of(data).leak_texts(data).values()))
    groups = exact_duplicates(texts.fill_null(""))
    is_empty = (texts.fill_null("").str.strip_chars() == "").to_numpy()
    return np.where(is_empty, groups.max(initial=0) + 1 + np.arange(len(groups)), groups)


def _summarise(items: _Items, judgements: Sequence[Judgement], notes: list[str]) -> Suspects:
    suspicion, order = combine(judgements)
    ranked = np.lexsort((np.arange(len(items)), -order, -np.nan_to_num(suspicion, nan=-1.0)))
    table = pl.DataFrame(
        {
            "id": items.ids.gather(ranked),
            "label": items.labels.gather(ranked),
            "suggested": _choose_suggestions(judgements, items.labels).gather(ranked),
            "suspicion": pl.Series(suspicion[ranked]).fill_nan(None),
            "reasons": _explain(judgements, ranked, suspicion),
        }
    )
    known = suspicion[ranked][np.isfinite(suspicion[ranked])]
    means = np.cumsum(known) / np.arange(1, len(known) + 1)
    precision = [ExpectedPrecision(k, float(means[k - 1])) for k in PRECISION_RANKS if k <= len(known)]
    return Suspects(
        expected_bad=estimate_total(suspicion, judgements),
        n_items=len(items),
        n_judged=len(known),
        precision_at=precision,
        evidence=[judgement.evidence for judgement in judgements],
        notes=notes,
        items_top=[SuspectItem(**row) for row in table.head(MAX_TOP).drop_nulls("suspicion").to_dicts()],
        items=table,
    )


def _choose_suggestions(judgements: Sequence[Judgement], labels: pl.Series) -> pl.Series:
    """Return the first label that a kind of evidence prefers to the gold label."""
    columns = {f"{number}": judgement.suggested for number, judgement in enumerate(judgements)}
    frame = pl.DataFrame(columns | {"label": labels})
    chosen = pl.coalesce(*(pl.col(name) for name in columns))
    return frame.select(suggested=pl.when(chosen.ne_missing(pl.col("label"))).then(chosen))["suggested"]


def _explain(judgements: Sequence[Judgement], ranked: Array, suspicion: Array) -> list[str]:
    """Return the reasons of the items that are suspicious or first in the ranking; others have none."""
    n_worded = int(np.sum(np.nan_to_num(suspicion) >= WORDED_FROM))
    n_worded = min(max(n_worded, MAX_TOP), MAX_WORDED, len(ranked))
    reasons = [
        "; ".join(filter(None, (judgement.explain(row) for judgement in judgements)))
        for row in ranked[:n_worded].tolist()
    ]
    return reasons + [""] * (len(ranked) - n_worded)

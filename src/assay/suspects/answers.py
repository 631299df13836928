"""Judge items by the answers of systems, in the way that the form of answers asks for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.evaluation import Predictions
from assay.suspects.cells import judge_by_cells
from assay.suspects.items import JudgedItems
from assay.suspects.judgements import Judgement, judge_by_residuals, judge_by_votes
from assay.suspects.votes import encode_answers

DIVIDED_FORMS = ("class set", "tag sequence")  # of answers whose parts are judged one by one
MIN_EXACT_SHARE = 0.2  # of answers equal to the gold grade, from which grades are answers, right or wrong


def judge_answers(items: JudgedItems, answers: Predictions | None) -> list[Judgement]:
    """Judge by answers, put in the order of the items; predictions may cover only some of them."""
    if answers is None:
        return []
    rows = _match_rows(items.ids, answers)
    if items.label_form in DIVIDED_FORMS and answers.gold is not None:
        judgement = judge_by_cells(answers, items.label_form)
    elif items.has_grades and not _are_exact(answers):
        gold = items.labels.cast(pl.Float64, strict=False).to_numpy()[rows]
        judgement = judge_by_residuals(_to_numbers(answers), gold)
    else:
        judgement = judge_by_votes(answers, items.labels.gather(rows).to_list())
    in_order = np.array_equal(rows, np.arange(len(items)))
    return [judgement if in_order else _spread(judgement, rows, len(items))]


def _match_rows(ids: pl.Series, answers: Predictions) -> Array:
    if len(ids) == len(answers) and ids.to_list() == answers.ids.tolist():
        return np.arange(len(ids))
    place = {name: row for row, name in enumerate(ids.to_list())}
    unknown = [name for name in answers.ids.tolist() if name not in place]
    if unknown:
        raise AssayError(f"predicts ids that are not in the data ({join_names(unknown)})", option="predictions")
    return np.array([place[name] for name in answers.ids.tolist()], dtype=np.int64)


def _spread(judgement: Judgement, rows: Array, n: int) -> Judgement:
    """Put a judgement on some items in its place among all items."""
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
    """Return whether systems give grades exactly, as in arithmetic, and not about right, as on a scale."""
    if answers.gold is None:
        return True
    codes, gold, _ = encode_answers(answers)
    return bool((codes == gold)[codes >= 0].mean() >= MIN_EXACT_SHARE)


def _to_numbers(answers: Predictions) -> Array:
    """Return the predicted grades (systems × items), nan if there is none."""
    rows = []
    for system in answers.systems.values():
        cells = system.predicted if system.predicted is not None else system.outcomes
        assert cells is not None
        texts = pl.Series([None if cell is None else str(cell) for cell in cells.tolist()], dtype=pl.String)
        rows.append(texts.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy())
    return np.stack(rows)

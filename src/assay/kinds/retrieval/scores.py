"""Scores of rankings, query by query, as trec_eval defines them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.kinds.tools.cells import parse_cell

if TYPE_CHECKING:
    from assay.data import Dataset

Grades = dict[str, int]
MAX_CACHED = 50_000
INFERENCE_SMOOTHING = 1e-5  # of trec_eval
MAX_GRADE = 1_000_000


@lru_cache(maxsize=MAX_CACHED)
def parse_judgements(cell: str | None) -> Grades:
    """Return the grade of every judged document."""
    value = parse_cell(cell)
    if isinstance(value, list):
        return {str(document): 1 for document in value}
    if not isinstance(value, dict):
        return {}
    return {str(document): _parse_grade(document, grade) for document, grade in value.items()}


def parse_ranking(answer: str | None) -> Sequence[str]:
    """Return the documents of a ranking, the best first."""
    value = parse_cell(answer)
    if isinstance(value, dict):
        return rank_by_score([(document, _parse_number("score", document, score)) for document, score in value.items()])
    if not isinstance(value, list):
        return ()
    return value if all(isinstance(document, str) for document in value) else list(map(str, value))


def _parse_grade(document: str, value: object) -> int:
    number = _parse_number("grade", document, value)
    if abs(number) > MAX_GRADE:
        raise AssayError(f"the grade of document '{document}' is {number:g}, not between ±{MAX_GRADE:,}")
    return int(number)


def _parse_number(name: str, document: str, value: Any) -> float:
    """Return a grade or score as a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise AssayError(f"the {name} of document '{document}' is {json.dumps(value)}, not a finite number")
    return number


def rank_by_score(pairs: Sequence[tuple[str, float]]) -> list[str]:
    """Rank documents by score; of equal ones the last by name comes first, as in trec_eval.

    >>> rank_by_score([("a", 1.0), ("b", 1.0), ("c", 2.0)])
    ['c', 'b', 'a']
    """
    by_name = sorted(pairs, key=lambda pair: pair[0], reverse=True)
    return [document for document, _ in sorted(by_name, key=lambda pair: -pair[1])]


def write_ranking(answer: str) -> str:
    """Write a ranking as a JSON list; a single value counts as a list of one document.

    >>> write_ranking('{"a": 1, "b": 3}'), write_ranking("d7")
    ('["b", "a"]', '["d7"]')
    """
    if answer.startswith('["') and answer.endswith("]"):
        return answer
    return json.dumps(list(parse_ranking(answer)) if parse_cell(answer) is not None else [answer], ensure_ascii=False)


def write_ideal(cell: str | None) -> str | None:
    """Write the relevant documents, those with the highest grade first; None if there are none."""
    grades = parse_judgements(cell)
    relevant = sorted((document for document, grade in grades.items() if grade > 0), key=lambda d: (-grades[d], d))
    return json.dumps(relevant, ensure_ascii=False) if relevant else None


def score_rankings(data: Dataset, answers: Sequence[str | None], measure: str, cutoff: float | None) -> Array:
    """Return the score of every query; `cutoff` is a number of documents, or a level of recall."""
    score = _SCORES[measure]
    rows = zip(data.fields["judgements"].to_list(), answers, strict=True)
    return np.array([score(parse_ranking(answer), parse_judgements(cell), cutoff) for cell, answer in rows])


def compute_average_precision(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the mean of the precision at every relevant document, those that are not found counting 0.

    >>> compute_average_precision(["a", "x", "b"], {"a": 1, "b": 1, "c": 1})
    0.5555555555555555
    """
    found, total = 0, 0.0
    for place, document in enumerate(ranking[:cutoff], start=1):
        if grades.get(document, 0) > 0:
            found += 1
            total += found / place
    n_relevant = _count_relevant(grades)
    return total / n_relevant if n_relevant else 0.0


def compute_reciprocal_rank(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return 1 / rank of the first relevant document, 0 if there is none."""
    ranks = (place for place, document in enumerate(ranking[:cutoff], start=1) if grades.get(document, 0) > 0)
    return next((1 / place for place in ranks), 0.0)


def compute_ndcg(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the discounted gain of a ranking relative to the best one; gains are grades, discounts log2(rank + 1)."""
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:cutoff]
    gains = [max(grades.get(document, 0), 0) for document in ranking[:cutoff]]
    best = _discount(ideal)
    return _discount(gains) / best if best else 0.0


def compute_precision(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the share of the first documents that are relevant; a shorter ranking has the others wrong."""
    depth = cutoff or len(ranking)
    return sum(grades.get(document, 0) > 0 for document in ranking[:depth]) / depth if depth else 0.0


def compute_recall(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the share of the relevant documents that are among the first."""
    n_relevant = _count_relevant(grades)
    found = sum(grades.get(document, 0) > 0 for document in ranking[:cutoff])
    return found / n_relevant if n_relevant else 0.0


def compute_r_precision(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the precision at the number of relevant documents."""
    del cutoff
    n_relevant = _count_relevant(grades)
    return compute_precision(ranking, grades, n_relevant) if n_relevant else 0.0


def compute_judged(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the share of the first documents that have a judgement."""
    first = ranking[:cutoff]
    return sum(document in grades for document in first) / len(first) if first else 0.0


def compute_success(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return 1 if a relevant document is among the first, else 0."""
    return float(any(grades.get(document, 0) > 0 for document in ranking[:cutoff]))


def compute_bpref(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the mean over relevant documents of 1 minus the share of irrelevant judged ones before them.

    >>> compute_bpref(["x", "a", "b"], {"a": 1, "b": 1, "x": 0, "y": 0})
    0.5
    """
    n_relevant = _count_relevant(grades)
    n_irrelevant = sum(grade == 0 for grade in grades.values())
    n_before, total = 0, 0.0
    for document in ranking[:cutoff]:
        grade = grades.get(document, -1)
        if grade > 0:
            total += 1 - min(n_before, n_relevant) / min(n_irrelevant, n_relevant) if n_before else 1.0
        n_before += grade == 0
    return total / n_relevant if n_relevant else 0.0


def compute_inferred_precision(ranking: Sequence[str], grades: Grades, cutoff: int | None = None) -> float:
    """Return the average precision that judged documents suggest if others of the pool (grade −1) are unjudged."""
    counts, total = {1: 0, 0: 0, -1: 0}, 0.0  # relevant, irrelevant, unjudged documents of the pool so far
    for place, document in enumerate(ranking[:cutoff]):
        if document not in grades:
            continue
        mark = max(min(grades[document], 1), -1)
        if mark == 1:
            judged, pooled = counts[1] + counts[0], sum(counts.values())
            share = (counts[1] + INFERENCE_SMOOTHING) / (judged + 2 * INFERENCE_SMOOTHING)
            total += (1 + pooled * share) / (place + 1)
        counts[mark] += 1
    n_relevant = _count_relevant(grades)
    return total / n_relevant if n_relevant else 0.0


def compute_interpolated_precision(ranking: Sequence[str], grades: Grades, level: float | None = None) -> float:
    """Return the best precision at any rank from where a share of the relevant documents is found.

    >>> compute_interpolated_precision(["a", "x", "b"], {"a": 1, "b": 1}, 1.0)
    0.6666666666666666
    """
    n_needed = int((level or 0.0) * _count_relevant(grades) + 0.5)  # as trec_eval rounds
    n_found, best = 0, 0.0
    for place, document in enumerate(ranking, start=1):
        n_found += grades.get(document, 0) > 0
        if n_found >= n_needed:
            best = max(best, n_found / place)
    return best


def _count_relevant(grades: Grades) -> int:
    return sum(grade > 0 for grade in grades.values())


def _discount(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, start=1) if gain)


_SCORES: dict[str, Callable[[Sequence[str], Grades, Any], float]] = {
    "map": compute_average_precision,
    "mrr": compute_reciprocal_rank,
    "ndcg": compute_ndcg,
    "p": compute_precision,
    "recall": compute_recall,
    "r-precision": compute_r_precision,
    "judged": compute_judged,
    "success": compute_success,
    "bpref": compute_bpref,
    "infap": compute_inferred_precision,
    "iprec": compute_interpolated_precision,
}

"""Scores as graded, as read and on complete responses, and the ranks that change."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import numpy as np

from assay.responses.grading import GradedResponse
from assay.responses.reading.states import STATES
from assay.responses.results import RankChange, RankSwap, SubjectLosses, SystemLosses
from assay.statistics import effective_wilson, mcnemar, normal_quantile, wilson
from assay.views.values import Interval

MAX_SWAPS = 500
MAX_RANKED = 400  # systems whose pairs are compared
ItemScores = dict[str, float]
Get = Callable[[GradedResponse], float | None]


def get_graded(row: GradedResponse) -> float | None:
    """Return the score as graded."""
    return row.right_as_graded


def get_read(row: GradedResponse) -> float | None:
    """Return the score as read."""
    return row.right_as_read


def group_systems(rows: Iterable[GradedResponse]) -> dict[str, list[GradedResponse]]:
    """Return the responses of each system, in the order of the systems."""
    systems: dict[str, list[GradedResponse]] = {}
    for row in rows:
        systems.setdefault(row.system, []).append(row)
    return systems


def average_items(rows: Iterable[GradedResponse], get: Get) -> ItemScores:
    """Return the mean score of each item over its repeats; items without a score are left out."""
    values: dict[str, list[float]] = {}
    for row in rows:
        score = get(row)
        if score is not None:
            values.setdefault(row.id, []).append(score)
    return {name: math.fsum(scores) / len(scores) for name, scores in values.items()}


def measure_score(rows: Iterable[GradedResponse], get: Get, confidence: float = 0.95) -> Interval:
    """Return the mean score with an interval over items; repeats of an item count as one item."""
    scores = np.array(sorted(average_items(rows, get).values()), dtype=float)
    n = len(scores)
    if not n:
        return Interval(math.nan, math.nan, math.nan, confidence)
    if np.isin(scores, (0.0, 1.0)).all():
        return wilson(float(scores.sum()), n, confidence)
    error = float(scores.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return effective_wilson(float(scores.mean()), error, n, confidence)


def describe_system(system: str, rows: Sequence[GradedResponse], confidence: float) -> SystemLosses:
    """Return the scores and counts of one system."""
    counts = Counter(row.state for row in rows)
    losses = Counter(row.loss for row in rows)
    complete = [row for row in rows if row.state == "complete"]
    return SystemLosses(
        system,
        len(rows),
        measure_score(rows, get_graded, confidence),
        measure_score(rows, get_read, confidence),
        measure_score(complete, get_read, confidence),
        {state: counts[state] for state in STATES if counts[state]},
        losses["recovered"],
        losses["contradicted"],
        losses["invented"],
        sum(1 for row in rows if row.loss == "recovered" and row.right_as_read == 1),
        sum(1 for row in rows if row.loss == "invented" and row.right_as_graded == 1),
        sum(1 for row in rows if not row.is_sure),
    )


def compare_ranks(
    systems: dict[str, list[GradedResponse]], confidence: float = 0.95
) -> tuple[tuple[RankChange, ...], tuple[RankSwap, ...]]:
    """Return the ranks as graded and as read, and the pairs of systems whose order changes."""
    graded = {name: average_items(rows, get_graded) for name, rows in systems.items()}
    read = {name: average_items(rows, get_read) for name, rows in systems.items()}
    known = [name for name in systems if graded[name] and read[name]]
    means = [{name: _average(table[name]) for name in known} for table in (graded, read)]
    ranks = [
        {name: 1 + sum(other > mean for other in scores.values()) for name, mean in scores.items()} for scores in means
    ]
    changes = [
        RankChange(name, ranks[0][name], ranks[1][name], *_measure_gain(graded[name], read[name], confidence))
        for name in known
    ]
    swaps = []
    if len(known) <= MAX_RANKED:
        for first, second in combinations(known, 2):
            if (means[0][first] - means[0][second]) * (means[1][first] - means[1][second]) < 0:
                swaps.append(_compare_pair(first, second, graded, read))
    swaps.sort(key=lambda swap: (-abs(swap.read_difference), swap.first, swap.second))
    changes.sort(key=lambda change: (change.read_rank, change.graded_rank))
    return tuple(changes), tuple(swaps[:MAX_SWAPS])


def _average(scores: ItemScores) -> float:
    return math.fsum(scores.values()) / len(scores)


def _measure_gain(graded: ItemScores, read: ItemScores, confidence: float) -> tuple[Interval, float]:
    """Return the mean gain by reading, and the p-value of McNemar's test."""
    gains = np.array(sorted(read[name] - graded[name] for name in graded if name in read))
    mean, n = float(gains.mean()), len(gains)
    half = normal_quantile(confidence) * float(gains.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Interval(mean, mean - half, mean + half, confidence, "paired"), _test(gains)


def _test(differences: object) -> float:
    values = np.asarray(differences)
    return mcnemar(int((values > 0).sum()), int((values < 0).sum())).p


def _compare_pair(first: str, second: str, graded: dict[str, ItemScores], read: dict[str, ItemScores]) -> RankSwap:
    results = []
    n_items = 0
    for table in (graded, read):
        common = [name for name in table[first] if name in table[second]]
        differences = np.array(sorted(table[first][name] - table[second][name] for name in common))
        n_items = len(common)
        results.append((float(differences.mean()) if n_items else math.nan, _test(differences)))
    (graded_difference, graded_p), (read_difference, read_p) = results
    return RankSwap(first, second, n_items, graded_difference, read_difference, graded_p, read_p)


def measure_subjects(
    systems: dict[str, list[GradedResponse]], subjects: dict[str, str | None], confidence: float
) -> tuple[SubjectLosses, ...]:
    """Return the scores of each system on each subject, if items have subjects."""
    if len({subject for subject in subjects.values() if subject is not None}) < 2:
        return ()
    table = []
    for system, rows in systems.items():
        groups: dict[str, list[GradedResponse]] = {}
        for row in rows:
            subject = subjects.get(row.id)
            if subject is not None:
                groups.setdefault(subject, []).append(row)
        for subject, own in sorted(groups.items()):
            scores = (measure_score(own, get_graded, confidence), measure_score(own, get_read, confidence))
            incomplete = sum(row.state != "complete" for row in own)
            table.append(SubjectLosses(system, subject, len(own), *scores, incomplete))
    return tuple(table)

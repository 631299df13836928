"""pass@k, pass^k and majority@k of repeated runs, with intervals over items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.evaluation.predictions.types import Predictions
from assay.evaluation.repeats.variance import split_repeats
from assay.evaluation.scoring.preparation import Score
from assay.statistics import effective_wilson

N_SUBSETS = 200  # drawn to estimate majority@k where answers are of many kinds


def estimate_pass(n: object, right: object, k: int) -> Array:
    """Return the probability that at least one of k samples is right, of items with `right` of n (Chen et al. 2021).

    The estimate is unbiased; nan for items with fewer than k samples.

    >>> estimate_pass([10, 10, 3], [1, 10, 1], 5).tolist()
    [0.5, 1.0, nan]
    """
    samples, correct = np.asarray(n, dtype=float), np.asarray(right, dtype=float)
    return np.where(samples >= k, 1 - _choose_ratio(samples - correct, samples, k), np.nan)


def estimate_pass_all(n: object, right: object, k: int) -> Array:
    """Return the probability that all of k samples are right (pass^k), unbiased; nan with fewer than k samples.

    >>> estimate_pass_all([10, 10], [5, 10], 2).round(4).tolist()
    [0.2222, 1.0]
    """
    samples, correct = np.asarray(n, dtype=float), np.asarray(right, dtype=float)
    return np.where(samples >= k, _choose_ratio(correct, samples, k), np.nan)


def _choose_ratio(part: Array, whole: Array, k: int) -> Array:
    """Return C(part, k) / C(whole, k)."""
    steps = np.arange(k)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.maximum(part[..., None] - steps, 0) / (whole[..., None] - steps)
        return np.asarray(factors.prod(axis=-1))


def parse_ks(text: str | Sequence[int]) -> tuple[int, ...]:
    """Read a list of k, such as "1,10".

    >>> parse_ks("1,10")
    (1, 10)
    """
    try:
        numbers = [int(part) for part in text.split(",")] if isinstance(text, str) else [int(k) for k in text]
    except ValueError as error:
        raise UsageError(f"'{text}' is not a list of numbers such as 1,10", option="pass_at") from error
    if not numbers or min(numbers) < 1:
        raise UsageError("must be 1 or more", option="pass_at")
    return tuple(dict.fromkeys(numbers))


def score_passes(
    predictions: Predictions, ks: Iterable[int], *, confidence: float = 0.95, random_state: int = 0
) -> dict[str, dict[str, Score]]:
    """Return `pass@k`, `pass^k` and `majority@k` of every system of stacked predictions."""
    chosen = tuple(ks)
    n_repeats = predictions.n_repeats
    if chosen and max(chosen) > n_repeats:
        fact = f"is {max(chosen)}, and there are {n_repeats} repeats of an item at most"
        raise AssayError(fact, option="pass_at", hint="Repeats are rows with the same id in a column repeat.")
    tables = split_repeats(predictions)
    groups = predictions.groups[: tables.shape[2]] if predictions.groups is not None else None
    scores: dict[str, dict[str, Score]] = {}
    for number, name in enumerate(predictions.names):
        table = tables[number]
        _refuse_fractions(name, table)
        samples, right = np.isfinite(table).sum(axis=0), np.nansum(table, axis=0)
        votes = _split_votes(predictions, name)
        scores[name] = {}
        for k in chosen:
            rates = {f"pass@{k}": estimate_pass(samples, right, k), f"pass^{k}": estimate_pass_all(samples, right, k)}
            rates[f"majority@{k}"] = _estimate_majority(table, votes, k, random_state)
            scores[name] |= {metric: _summarise(values, groups, k, confidence) for metric, values in rates.items()}
    return scores


def _refuse_fractions(name: str, table: Array) -> None:
    finite = table[np.isfinite(table)]
    if not np.isin(finite, (0.0, 1.0)).all():
        raise AssayError(f"system '{name}' has item scores other than 0 and 1; a pass is right or wrong")


def _split_votes(predictions: Predictions, name: str) -> Array | None:
    """Return the answers as repeats × items; None if only outcomes are known."""
    predicted = predictions.systems[name].predicted
    return None if predicted is None else predicted.reshape(predictions.n_repeats, -1)


def _estimate_majority(table: Array, votes: Array | None, k: int, random_state: int) -> Array:
    """Return the probability that the most frequent answer of k samples is right; ties are broken at random.

    Without the answers, being right and being wrong are the two votes.
    """
    rates = np.full(table.shape[1], np.nan)
    generator = np.random.default_rng(random_state)
    for item in range(table.shape[1]):
        known = np.isfinite(table[:, item])
        n = int(known.sum())
        if n < k:
            continue
        outcomes = table[known, item]
        if votes is None:
            rates[item] = _win_by_half(outcomes, k)
        elif n == k:
            rates[item] = _vote(votes[known, item], outcomes)
        else:
            answers = votes[known, item]
            draws = [generator.choice(n, size=k, replace=False) for _ in range(N_SUBSETS)]
            rates[item] = float(np.mean([_vote(answers[draw], outcomes[draw]) for draw in draws]))
    return rates


def _vote(answers: Array, outcomes: Array) -> float:
    """Return the share of the most frequent answers that is right."""
    counts: dict[str, list[float]] = {}
    for answer, outcome in zip(answers.tolist(), outcomes.tolist(), strict=True):
        count = counts.setdefault(answer, [0.0, outcome])
        count[0] += 1
    most = max(count for count, _ in counts.values())
    winners = [outcome for count, outcome in counts.values() if count == most]
    return sum(winners) / len(winners)


def _win_by_half(outcomes: Array, k: int) -> float:
    from scipy.stats import hypergeom

    right = hypergeom(len(outcomes), int(outcomes.sum()), k)
    tie = float(right.pmf(k / 2)) / 2 if k % 2 == 0 else 0.0
    return float(right.sf(k // 2)) + tie


def _summarise(values: Array, groups: Array | None, k: int, confidence: float) -> Score:
    known = np.isfinite(values)
    n = int(known.sum())
    if not n:
        return Score(math.nan, math.nan, math.nan, 0, "none", f"no item has {k} repeats")
    mean = float(values[known].mean())
    deviations: Array = values[known] - mean
    if groups is not None:
        _, codes = np.unique(groups[known].astype(str), return_inverse=True)
        deviations = np.bincount(codes, deviations)
    n_units = len(deviations)
    if n_units < 2:
        return Score(mean, math.nan, math.nan, n, "none")
    error = math.sqrt(float((deviations**2).sum()) * n_units / (n_units - 1)) / n
    interval = effective_wilson(mean, error, n_units, confidence)
    return Score(mean, interval.low, interval.high, n, interval.method)

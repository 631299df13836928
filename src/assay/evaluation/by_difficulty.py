"""Systems on obvious and non-obvious items, and who changes rank (paper 002, Tables 6–8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.results import Result
from assay.difficulty.systems import GUESSER
from assay.evaluation.metrics import METRICS
from assay.evaluation.metrics.classes import f1
from assay.evaluation.metrics.classification import right
from assay.evaluation.scoring import Scored, score_sums
from assay.kinds import kind_of
from assay.statistics import holm

N_PERMUTATIONS = 2000


@dataclass(frozen=True)
class RankChange(Result):
    """A system's rank on all items and on the non-obvious ones, and the p of so large a change (two-sided).

    The test deals the non-obvious places out anew among the items of the same gold label; p is adjusted by Holm.
    """

    system: str
    rank: float
    rank_non_obvious: float
    change: float
    p: float
    p_adjusted: float


@dataclass(frozen=True)
class ByDifficulty(Result):
    """The cases of the data, every system's rates on them, and the ranks."""

    measure: str
    threshold: str | float
    positive: str | None
    median: float
    counts: dict[str, int]
    n_items: int
    systems: list[Any]
    ranks: list[RankChange]


def by_difficulty(
    scored: Scored, *, tokenizer: str = "words", threshold: str | float = "dataset", random_state: int = 0
) -> ByDifficulty:
    """Sort the items into cases and score the systems on each; `threshold` is taken on the whole data.

    Pairs are sorted by the divergence of their words; single texts by their nearest training text.
    """
    predictions = scored.predictions
    if predictions.whole is None or predictions.data is None:
        raise UsageError("--by difficulty needs DATA: it is the texts that tell obvious from non-obvious.")
    if predictions.gold is None:
        raise AssayError("--by difficulty needs gold labels.")
    if kind_of(predictions.whole).is_paired(predictions.whole):
        return _pairs(scored, tokenizer, threshold, random_state)
    return _texts(scored, tokenizer, random_state)


def _pairs(scored: Scored, tokenizer: str, threshold: str | float, random_state: int) -> ByDifficulty:
    from assay.difficulty import jensen_shannon, obviousness, systems_on_cases

    predictions, whole, positive = scored.predictions, scored.predictions.whole, scored.scale.positive
    assert whole is not None
    assert predictions.gold is not None
    if positive is None:
        raise AssayError("--by difficulty needs to know which label is positive: name it with --positive.")
    divergence = jensen_shannon(whole.sides[0].to_list(), whole.sides[1].to_list(), tokenizer=tokenizer)
    labels = [None] * len(whole) if whole.labels is None else whole.labels.to_list()
    parts = None if whole.parts is None else whole.parts.to_list()
    found = obviousness(divergence, labels, threshold=threshold, parts=parts, positive=positive)
    cases = np.asarray(found.cases)[_rows(scored)]
    ranked = _mean_average_precisions(scored, random_state)
    answers = _answers(scored)
    rows = systems_on_cases(cases, predictions.gold.tolist(), answers, positive=positive, average_precisions=ranked)
    counts = {case: int((cases == case).sum()) for case in ("Po", "Pn", "No", "Nn")}
    tables = [METRICS["f1"].statistics(items) for items in scored.items.values()]
    ranks = _ranks(scored, tables, np.char.endswith(cases, "n"), random_state)
    told = "jensen-shannon", threshold, positive, found.median, counts
    return ByDifficulty(*told, len(predictions), list(rows), ranks)


def _texts(scored: Scored, tokenizer: str, random_state: int) -> ByDifficulty:
    from assay.difficulty import systems_on_texts, text_difficulty

    predictions, whole = scored.predictions, scored.predictions.whole
    assert whole is not None
    assert predictions.gold is not None
    found = text_difficulty(whole, tokenizer=tokenizer, random_state=random_state)
    cases = np.asarray(found.cases)[_rows(scored)]
    answers = _answers(scored)
    rows = systems_on_texts(cases, predictions.gold.tolist(), answers)
    counts = {case: int((cases == case).sum()) for case in ("o", "n")}
    ranks = _ranks(scored, [_accuracy(items) for items in scored.items.values()], cases == "n", random_state)
    return ByDifficulty(found.measure, "nearest", None, found.median, counts, len(predictions), list(rows), ranks)


def _answers(scored: Scored) -> dict[str, list[str | None]]:
    systems = scored.predictions.systems
    return {name: given.predicted.tolist() for name, given in systems.items() if given.predicted is not None}


def _mean_average_precisions(scored: Scored, random_state: int) -> dict[str, float]:
    """Return the MAP of every system that ranks, and of ranking at random (the mean of 100 draws)."""
    metric, tables = METRICS["map"], scored.tables(METRICS["map"])
    found = {name: score_sums(metric, table) for name, table in tables.items()}
    if found:
        items, generator = scored.items[next(iter(tables))], np.random.default_rng(random_state)
        everything = np.ones(len(items.present), dtype=bool)
        drawn = (replace(items, present=everything, scores=generator.random(len(everything))) for _ in range(100))
        found[GUESSER] = float(np.mean([metric.score(random) for random in drawn]))
    return found


def _accuracy(items: Any) -> Array:
    """Return counts whose `f1` is half-way monotone in accuracy: hits as true positives, the rest as misses."""
    hits = right(items)
    return np.stack([hits[:, 0], np.zeros(len(hits)), hits[:, 1] - hits[:, 0]], axis=1)


def _rows(scored: Scored) -> Array:
    whole = scored.predictions.whole
    assert whole is not None
    places = {identity: number for number, identity in enumerate(whole.ids.to_list())}
    return np.array([places[identity] for identity in scored.predictions.ids.tolist()])


def _ranks(scored: Scored, tables: Sequence[Array], non_obvious: Array, random_state: int) -> list[RankChange]:
    names, gold = scored.predictions.names, scored.predictions.gold
    assert gold is not None
    stacked = np.hstack(tables)
    everywhere = _ranked(stacked.sum(axis=0)[None], len(names))[0]
    on_hard = _ranked((non_obvious.astype(float) @ stacked)[None], len(names))[0]
    changes = everywhere - on_hard
    dealt = _dealt(non_obvious, gold, N_PERMUTATIONS, random_state)
    random = everywhere - _ranked(dealt @ stacked, len(names))
    p = (1 + (np.abs(random) >= np.abs(changes) - 1e-9).sum(axis=0)) / (1 + N_PERMUTATIONS)
    rows = zip(names, everywhere, on_hard, changes, p, holm(p), strict=True)
    return [RankChange(name, *(float(number) for number in numbers)) for name, *numbers in rows]


def _dealt(flags: Array, gold: Array, n: int, random_state: int) -> Array:
    generator = np.random.default_rng(random_state)
    dealt = np.zeros((n, len(flags)), dtype=np.float32)
    for label in sorted(set(gold.tolist())):
        rows = np.flatnonzero(gold == label)
        dealt[:, rows] = generator.permuted(np.tile(flags[rows].astype(np.float32), (n, 1)), axis=1)
    return dealt


def _ranked(sums: Array, n_systems: int) -> Array:
    """Rank systems by F1, 1 the best; equal ones share their mean rank, undefined ones come last."""
    from scipy.stats import rankdata

    values = f1(sums.reshape(len(sums), n_systems, 3))
    return np.asarray(rankdata(-np.nan_to_num(values, nan=-1.0).round(12), axis=1))

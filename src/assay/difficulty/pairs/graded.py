"""Graded lexical similarity beyond labelled pairs: question and answer options, context and question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.base.results import Result
from assay.difficulty.distributions import Distribution, describe_values
from assay.difficulty.pairs.measures import MEASURES, SIMILARITIES
from assay.statistics import Correlation, Interval, spearman, wilson

if TYPE_CHECKING:
    from assay.text.tokenizers import Tokenizer

N_GROUPS = 5


@dataclass(frozen=True)
class SimilarityGroup(Result):
    """Items of like similarity: the range of their similarity and their mean outcome."""

    low: float
    high: float
    n: int
    outcome: float


@dataclass(frozen=True)
class GradedSimilarity(Result):
    """How similar two texts of each item are (0 to 1), and how outcomes follow it.

    An outcome is a grade, or 1 where a system is right. `correlation` is Spearman's; `groups` are fifths of the items.
    """

    _table: ClassVar[str] = "groups"

    similarity: Distribution
    correlation: Correlation | None
    groups: list[SimilarityGroup]


@dataclass(frozen=True)
class OptionSimilarity(Result):
    """Whether shared words alone choose the right option of a multiple-choice item.

    `gold` and `others` are the similarities of the question to the right and to the other options; `auc` is the
    probability that the right option is more similar than another one of the same item; `choice` is the accuracy of
    always choosing the most similar option (equal ones share the point), `chance` that of guessing.
    """

    auc: float
    choice: Interval
    chance: float
    n_items: int
    gold: Distribution
    others: Distribution


def measure_similarity(
    first: Sequence[str], second: Sequence[str], measure: str = "jensen-shannon", tokenizer: str | Tokenizer = "words"
) -> NDArray[np.float64]:
    """Return the lexical similarity of each pair, from 0 to 1; 1 minus the divergence for Jensen–Shannon.

    >>> measure_similarity(["a b", "a b"], ["a b", "c d"]).tolist()
    [1.0, 0.0]
    """
    values = MEASURES[measure](list(first), list(second), tokenizer)
    return values if measure in SIMILARITIES else 1 - values


def relate_similarity(
    first: Sequence[str],
    second: Sequence[str],
    outcomes: Sequence[float] | None = None,
    *,
    measure: str = "jensen-shannon",
    tokenizer: str | Tokenizer = "words",
) -> GradedSimilarity:
    """Measure how similar two texts of each item are, such as context and question, and how outcomes follow it."""
    values = measure_similarity(first, second, measure, tokenizer)
    if outcomes is None:
        return GradedSimilarity(describe_values(values), None, [])
    results = np.asarray(outcomes, dtype=float)
    if len(results) != len(values):
        raise AssayError(f"there are {len(values)} items and {len(results)} outcomes.")
    is_defined = ~(np.isnan(values) | np.isnan(results))
    order = np.flatnonzero(is_defined)[np.argsort(values[is_defined], kind="stable")]
    bounds = np.linspace(0, len(order), N_GROUPS + 1).round().astype(int)
    groups = [
        SimilarityGroup(float(values[part].min()), float(values[part].max()), len(part), float(results[part].mean()))
        for part in (order[start:end] for start, end in pairwise(bounds))
        if len(part)
    ]
    return GradedSimilarity(describe_values(values), spearman(values[is_defined], results[is_defined]), groups)


def rate_options(
    questions: Sequence[str],
    options: Sequence[Sequence[str]],
    gold: Sequence[int],
    *,
    measure: str = "jensen-shannon",
    tokenizer: str | Tokenizer = "words",
) -> OptionSimilarity:
    """Compare the question with the right option and with the others; `gold` are numbers of right options from 0.

    >>> found = rate_options(["a b", "a b"], [["a b", "c"], ["c", "a"]], [0, 1])
    >>> found.auc, found.choice.value, found.chance
    (1.0, 1.0, 0.5)
    """
    sizes = np.array([len(each) for each in options])
    if not len(sizes) or sizes.min() < 2:
        raise AssayError("every item needs at least two options.")
    repeated = [question for question, size in zip(questions, sizes, strict=True) for _ in range(size)]
    values = measure_similarity(repeated, [option for each in options for option in each], measure, tokenizer)
    values = np.nan_to_num(values)
    ends = np.cumsum(sizes)
    right, points, wins, others = [], [], [], []
    for end, size, place in zip(ends, sizes, gold, strict=True):
        item = values[end - size : end]
        rest = np.delete(item, place)
        right.append(item[place])
        others.extend(rest.tolist())
        wins.append(float(((item[place] > rest) + 0.5 * (item[place] == rest)).mean()))
        best = np.flatnonzero(item == item.max())
        points.append(float(place in best) / len(best))
    choice = wilson(float(np.sum(points)), len(points))
    return OptionSimilarity(
        auc=float(np.mean(wins)),
        choice=choice,
        chance=float(np.mean(1 / sizes)),
        n_items=len(sizes),
        gold=describe_values(np.array(right)),
        others=describe_values(np.array(others)),
    )

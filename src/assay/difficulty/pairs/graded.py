"""Graded lexical similarity beyond labelled pairs: question and answer options, context and question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.difficulty.distributions import DifficultyDistribution, describe_values
from assay.difficulty.pairs.measures import MEASURES, SIMILARITIES
from assay.statistics import Correlation, Interval, spearman, wilson
from assay.text.tokenizers import Tokenizer
from assay.views.results import Result

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

    An outcome is a grade, or 1 if a system is right. `correlation` is Spearman's; `groups` are fifths of the items.
    """

    _table: ClassVar[str] = "groups"

    similarity: DifficultyDistribution
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
    gold: DifficultyDistribution
    others: DifficultyDistribution


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
    return group_outcomes(measure_similarity(first, second, measure, tokenizer), outcomes)


def group_outcomes(
    values: NDArray[np.float64], outcomes: Sequence[float] | None, bounds: tuple[float, float] = (0.0, 1.0)
) -> GradedSimilarity:
    """Describe similarities, and relate outcomes to them: Spearman's correlation, and means by fifth of the items."""
    spread = describe_values(values, bounds)
    if outcomes is None:
        return GradedSimilarity(spread, None, [])
    results = np.asarray(outcomes, dtype=float)
    if len(results) != len(values):
        raise AssayError(f"there are {len(values)} items and {len(results)} outcomes.")
    is_defined = ~(np.isnan(values) | np.isnan(results))
    order = np.flatnonzero(is_defined)[np.argsort(values[is_defined], kind="stable")]
    ends = np.linspace(0, len(order), N_GROUPS + 1).round().astype(int)
    groups = [
        SimilarityGroup(float(values[part].min()), float(values[part].max()), len(part), float(results[part].mean()))
        for part in (order[start:end] for start, end in pairwise(ends))
        if len(part)
    ]
    return GradedSimilarity(spread, spearman(values[is_defined], results[is_defined]), groups)


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
    similarities = compare_options(questions, options, measure=measure, tokenizer=tokenizer)
    return summarise_options(
        [[item[place], *item[:place], *item[place + 1 :]] for item, place in zip(similarities, gold, strict=True)]
    )


def compare_options(
    questions: Sequence[str],
    options: Sequence[Sequence[str]],
    *,
    measure: str = "jensen-shannon",
    tokenizer: str | Tokenizer = "words",
) -> list[list[float]]:
    """Return the similarity of each question to each of its options; 0 if one of the two has no words.

    >>> compare_options(["a b"], [["a b", "c"]])
    [[1.0, 0.0]]
    """
    sizes = [len(each) for each in options]
    if not sizes or min(sizes) < 2:
        raise AssayError("every item needs at least two options.")
    repeated = [question for question, size in zip(questions, sizes, strict=True) for _ in range(size)]
    values = measure_similarity(repeated, [option for each in options for option in each], measure, tokenizer)
    return [part.tolist() for part in np.split(np.nan_to_num(values), np.cumsum(sizes)[:-1])]


def summarise_options(similarities: Sequence[Sequence[float]]) -> OptionSimilarity:
    """Summarise the similarities of questions to their options, the right option first.

    >>> summarise_options([[0.5, 0.5, 0.1], [0.2, 0.4, 0.1]]).choice.value
    0.25
    """
    if not similarities:
        raise AssayError("no item has a gold option among several.")
    points, wins = [], []
    for right, *others in similarities:
        rest = np.array(others)
        wins.append(float(((right > rest) + 0.5 * (right == rest)).mean()))
        points.append(float(right >= rest.max()) / (1 + int((rest == right).sum())))
    return OptionSimilarity(
        auc=float(np.mean(wins)),
        choice=wilson(float(np.sum(points)), len(points)),
        chance=float(np.mean([1 / len(item) for item in similarities])),
        n_items=len(similarities),
        gold=describe_values(np.array([right for right, *_ in similarities])),
        others=describe_values(np.array([value for _, *others in similarities for value in others])),
    )

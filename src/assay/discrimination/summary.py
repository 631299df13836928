"""A benchmark in a few numbers, and how the measures agree over its datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.marks import NAME, OWN
from assay.discrimination.datasets import DatasetDiscrimination
from assay.discrimination.lambdas.verdicts import DISCRIMINATES
from assay.discrimination.ranks.critical_difference import CriticalDifference
from assay.discrimination.ranks.stability import FirstPlaceStability
from assay.discrimination.ranks.system_ranks import BenchmarkRanking, UnrankedSystem
from assay.discrimination.subsets.benchmark_subsets import DatasetSubset
from assay.statistics import kendall, spearman
from assay.views.results import Result

LAMBDAS = ("lambda_var", "lambda_sva", "lambda_hit")


@dataclass(frozen=True)
class MeasureCorrelation(Result):
    """The rank correlation of two measures over the datasets of a benchmark, or of all benchmarks."""

    benchmark: str = field(metadata=NAME)
    first: str = field(metadata=OWN)
    second: str = field(metadata=OWN)
    value: float
    low: float
    high: float
    p: float
    n: int
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)


@dataclass(frozen=True)
class BenchmarkSummary(Result):
    """The datasets and systems of one benchmark in numbers; `keep` is the size of the smallest sufficient subset.

    `critical_difference` compares systems over the datasets of a score table, `stability_of_first` over halves of the
    items. With `has_gaps` systems have different items or datasets, and each pair is compared on those that both have;
    `unranked` are the systems that share too few with the others.
    """

    benchmark: str = field(metadata=NAME)
    n_measurements: int
    n_discriminate: int
    n_systems_ranked: int
    n_systems_left_out: int
    ranked_over: str | None = field(metadata=OWN)
    ranked_by: str | None = field(metadata=NAME)
    n_tie_groups: int
    keep: int | None
    reason: str | None = field(metadata=OWN)
    critical_difference: CriticalDifference | None
    stability_of_first: FirstPlaceStability | None
    has_gaps: bool = False
    unranked: tuple[UnrankedSystem, ...] = ()

    @property
    def n_systems(self) -> int:
        """The systems of the benchmark, ranked or not."""
        return self.n_systems_ranked + self.n_systems_left_out


def summarise_benchmark(
    benchmark: str, datasets: Sequence[DatasetDiscrimination], ranking: BenchmarkRanking, subset: DatasetSubset
) -> BenchmarkSummary:
    """Return the key figures of one benchmark."""
    return BenchmarkSummary(
        benchmark=benchmark,
        n_measurements=len(datasets),
        n_discriminate=sum(row.verdict == DISCRIMINATES for row in datasets),
        n_systems_ranked=len(ranking.systems),
        n_systems_left_out=len(ranking.unranked),
        ranked_over=ranking.over,
        ranked_by=ranking.ranked_by,
        n_tie_groups=len({system.tie_group for system in ranking.systems} - {None}),
        keep=subset.size,
        reason=ranking.reason,
        critical_difference=ranking.diagram,
        stability_of_first=ranking.stability,
        has_gaps=ranking.has_gaps,
        unranked=ranking.unranked,
    )


def correlate_measures(datasets: Sequence[DatasetDiscrimination], benchmark: str) -> list[MeasureCorrelation]:
    """Correlate the measures over datasets, by Spearman and Kendall; undefined pairs of measures are left out."""
    correlations = []
    for number, first in enumerate(LAMBDAS):
        for second in LAMBDAS[number + 1 :]:
            x = [getattr(row, first).value for row in datasets]
            y = [getattr(row, second).value for row in datasets]
            if not np.isfinite(np.array(x, dtype=float) + np.array(y, dtype=float)).any():
                continue
            results = (spearman(x, y), kendall(x, y))
            correlations += [MeasureCorrelation(benchmark, first, second, **vars(result)) for result in results]
    return correlations

"""All measures of a leaderboard beyond λ and ranks, for one benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.base.marks import NAME
from assay.discrimination.boards.adaptive import AdaptiveChoice, measure_adaptive_choice
from assay.discrimination.boards.agreement import DatasetAgreement, measure_agreement
from assay.discrimination.boards.checkpoints import CheckpointScores, SignalToNoise, measure_signal
from assay.discrimination.boards.common_scale import CommonScale, fit_common_scale
from assay.discrimination.boards.completion import Completion, measure_completion
from assay.discrimination.boards.item_saturation import ItemSaturation, measure_item_saturation
from assay.discrimination.boards.logits import MIN_DATASETS, tabulate_logits
from assay.discrimination.boards.matrix_rank import MatrixRank, measure_matrix_rank
from assay.discrimination.measurements import Measurement
from assay.discrimination.outcomes import Outcomes
from assay.views.results import Result


@dataclass(frozen=True)
class LeaderboardMeasures(Result):
    """Measures of the datasets, items and checkpoints of one benchmark beyond λ and ranks.

    `rank`, `completion` and `scale` need at least three datasets in percent, `saturation` and `adaptive` items,
    `signal` checkpoints.
    """

    benchmark: str = field(metadata=NAME)
    agreement: tuple[DatasetAgreement, ...] = ()
    rank: MatrixRank | None = None
    completion: Completion | None = None
    scale: CommonScale | None = None
    saturation: tuple[ItemSaturation, ...] = ()
    adaptive: tuple[AdaptiveChoice, ...] = ()
    signal: tuple[SignalToNoise, ...] = ()


def measure_leaderboard(
    measurements: Sequence[Measurement],
    outcomes: Sequence[Outcomes] = (),
    checkpoints: Sequence[CheckpointScores] = (),
    random_state: int = 0,
    *,
    adaptive: bool = True,
) -> LeaderboardMeasures:
    """Measure one benchmark from its score table, and from items and checkpoints if there are any.

    `adaptive` False leaves out the choice of items, which takes longest.

    >>> import numpy as np
    >>> scores = np.linspace(20, 80, 12)
    >>> names = tuple("abcdefghijkl")
    >>> rows = [Measurement("all", f"d{number}", "accuracy", names, scores + number) for number in range(4)]
    >>> round(measure_leaderboard(rows).agreement[0].tau.value, 6)
    1.0
    """
    rank = completion = scale = None
    if len(measurements) >= MIN_DATASETS:
        table = tabulate_logits(measurements)
        rank = measure_matrix_rank(table, random_state)
        completion = measure_completion(table, random_state)
        scale = fit_common_scale(table, random_state)
    saturation = [measure_item_saturation(entry, random_state=random_state) for entry in outcomes]
    choices = [
        measure_adaptive_choice(entry.table, entry.dataset, chances=entry.chances, random_state=random_state)
        for entry in (outcomes if adaptive else ())
    ]
    return LeaderboardMeasures(
        benchmark=measurements[0].benchmark if measurements else "all",
        agreement=measure_agreement(measurements, random_state),
        rank=rank,
        completion=completion,
        scale=scale,
        saturation=tuple(row for row in saturation if row is not None),
        adaptive=tuple(choices),
        signal=tuple(measure_signal(row, random_state=random_state) for row in checkpoints),
    )

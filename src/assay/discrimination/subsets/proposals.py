"""Proposals for each dataset of a benchmark: keep, repair or retire it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from assay.discrimination.datasets import Action, DatasetDiscrimination
from assay.discrimination.lambdas.verdicts import BELOW, CANNOT_TELL, DOES_NOT_DISCRIMINATE

MIN_HEADROOM = 2.0  # points between the best system and the best possible score
MIN_CROWDED_SYSTEMS = 3  # systems within one point of the best one, which is included


def propose_actions(datasets: Iterable[DatasetDiscrimination]) -> tuple[DatasetDiscrimination, ...]:
    """Add a proposal to each dataset: keep, repair or retire it.

    A dataset that does not separate systems needs repair, or is retired if it is saturated. A dataset that does, but
    whose best systems are crowded at the top, needs harder items. Scores without items cannot show whether systems are
    separated; for them, λ below both reference values of Xiao et al. (2022) takes the place of that verdict.
    """
    rows = []
    for dataset in datasets:
        action, reason = _choose_action(dataset)
        rows.append(replace(dataset, proposal=action, proposal_reason=reason))
    return tuple(rows)


def is_saturated(headroom: float | None) -> bool:
    """Return whether the best system leaves almost no headroom.

    >>> is_saturated(0.5), is_saturated(9.0), is_saturated(None)
    (True, False, False)
    """
    return headroom is not None and math.isfinite(headroom) and headroom < MIN_HEADROOM


def is_crowded(headroom: float | None, upper: float, n_within_one: int) -> bool:
    """Return whether several systems are close together just below the best possible score of 100.

    >>> is_crowded(0.5, 100.0, 4), is_crowded(0.5, 100.0, 1)
    (True, False)
    """
    return is_saturated(headroom) and n_within_one >= MIN_CROWDED_SYSTEMS and upper == 100.0


def _is_below_references(dataset: DatasetDiscrimination) -> bool:
    return dataset.verdict == CANNOT_TELL and dataset.verdict_var == dataset.verdict_sva == BELOW


def _choose_action(dataset: DatasetDiscrimination) -> tuple[Action, str]:
    if dataset.verdict == DOES_NOT_DISCRIMINATE or _is_below_references(dataset):
        reason = dataset.verdict if dataset.verdict == DOES_NOT_DISCRIMINATE else "scores are close together"
        return ("retire", "saturated") if is_saturated(dataset.headroom) else ("repair", reason)
    if is_crowded(dataset.headroom, dataset.upper, dataset.n_within_one):
        return "repair", "saturated at the top"
    return "keep", dataset.verdict

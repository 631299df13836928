"""What a benchmark and its items look like in a few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.discrimination.backwards import backwards_items
from assay.discrimination.irt import item_response
from assay.discrimination.items import item_analysis
from assay.discrimination.reliability import items_needed, reliability
from assay.discrimination.verdict import YES
from assay.statistics import kendall, spearman

if TYPE_CHECKING:
    from assay.discrimination.discriminate import Demands
    from assay.discrimination.outcomes import Outcomes
    from assay.discrimination.systems import Ranked

_LAMBDAS = ("lambda_var", "lambda_sva", "lambda_hit")
_IRT_CELLS = 400_000  # beyond, the item response fit is left to a call of its own


def correlations(rows: list[dict[str, Any]], benchmark: str) -> list[dict[str, Any]]:
    """Correlate the measures over datasets, by Spearman and Kendall; pairs of measures without numbers are left out."""
    found = []
    for i, first in enumerate(_LAMBDAS):
        for second in _LAMBDAS[i + 1 :]:
            x = [row[first] for row in rows]
            y = [row[second] for row in rows]
            if not np.isfinite(np.array(x, dtype=float) + np.array(y, dtype=float)).any():
                continue
            names = {"benchmark": benchmark, "first": first, "second": second}
            found += [{**names, **method(x, y).to_dict()} for method in (spearman, kendall)]
    return found


def summary(benchmark: str, rows: list[dict[str, Any]], ranked: Ranked, kept: dict[str, Any]) -> dict[str, Any]:
    """Return the key figures of one benchmark."""
    return {
        "benchmark": benchmark,
        "n_measurements": len(rows),
        "n_discriminate": sum(row["verdict"] == YES for row in rows),
        "n_systems_ranked": len(ranked.rows),
        "n_systems_left_out": ranked.left_out,
        "ranked_over": ranked.over,
        "n_tie_groups": len({row["tie_group"] for row in ranked.rows} - {None}),
        "keep": kept["size"],
        "reason": ranked.reason,
        "critical_difference": ranked.diagram,
        "stability_of_first": ranked.stability,
        "correlations": correlations(rows, benchmark),
    }


def items_summary(one: Outcomes, asked: Demands) -> dict[str, Any]:
    """Return what the items of one dataset tell: dead, backwards, reliability, items needed, ability model."""
    table = one.table
    about = item_analysis(table)
    back = backwards_items(table, random_state=asked.random_state)
    sure = reliability(table)
    return {
        "benchmark": one.benchmark,
        "dataset": one.dataset,
        "metric": one.metric,
        "n_items": about.n_items,
        "n_all_right": about.n_all_right,
        "n_all_wrong": about.n_all_wrong,
        "share_dead": about.share_dead,
        "mean_difficulty": about.mean_difficulty,
        "mean_discrimination": about.mean_discrimination,
        "n_backwards": back.n_backwards,
        "backwards": one.named(back.items),
        "reliability": sure.alpha,
        "reliability_method": sure.method,
        "standard_error_of_measurement": sure.standard_error,
        "smallest_real_gap": sure.smallest_real_gap,
        "items_needed_first_two": _first_two(one),
        "item_response": _item_response(one, asked),
    }


def _first_two(one: Outcomes) -> float:
    measured = one.measurement()
    if len(measured.systems) < 2:
        return float("nan")
    best = np.argsort(-measured.better(), kind="stable")[:2]
    first, second = one.take(tuple(measured.systems[row] for row in best)).table
    return items_needed(first, second)


def _item_response(one: Outcomes, asked: Demands) -> dict[str, Any] | None:
    present = one.table[np.isfinite(one.table)]
    if len(one.systems) < 5 or one.table.size > _IRT_CELLS or not np.isin(present, (0.0, 1.0)).all():
        return None
    found = item_response(one.table, random_state=asked.random_state)
    return {"gain": found.gain, "gain_shuffled": found.gain_shuffled, "converged": found.converged}

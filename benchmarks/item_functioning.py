"""Differential item functioning and guessing on simulated systems: false alarms, power, coverage, and other packages.

    python -m benchmarks.item_functioning [--runs 40] [--seed 5000]

Answers follow a logistic model with slopes and difficulties drawn at random. The focal group is half or a quarter of
the systems, of the same ability or less able by 0.8 deviations. In the runs with planted items, one of ten is harder
for the focal group by 1.5 logits. Statsmodels and torch_measure are compared if they are installed.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.discrimination import estimate_guessing, measure_differential_functioning
from benchmarks._bars import is_rare, print_bar

N_ITEMS, HARDER = 200, 1.5
SETTINGS = ((24, 0.5), (60, 0.5), (60, 0.25), (120, 0.5))  # systems, and the share of the focal group


@dataclass(frozen=True)
class Simulated:
    """Outcomes of systems, which are in the focal group, and the items that are harder for it."""

    table: Array
    is_focal: Array
    planted: Array
    subjects: list[str]


def simulate(
    n_systems: int, share: float, shift: float, generator: np.random.Generator, n_planted: int = 0
) -> Simulated:
    """Draw the answers of systems of which some are less able, and for whom some items are harder still."""
    is_focal = np.arange(n_systems) < round(share * n_systems)
    ability = generator.normal(0.3, 1.2, n_systems) - 1.2 * shift * is_focal
    slope = np.exp(generator.normal(0, 0.3, N_ITEMS))
    difficulty = generator.normal(0, 1.2, N_ITEMS)
    planted = np.arange(N_ITEMS) < n_planted
    logits = slope * (ability[:, None] - difficulty) - HARDER * np.outer(is_focal, planted)
    table = (generator.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(float)
    subjects = [f"s{number // 20:02d}" for number in range(N_ITEMS)]
    return Simulated(table, is_focal, planted, subjects)


def count_alarms(n_runs: int, seed: int) -> Iterator[str]:
    """Yield the rows of the table of false alarms and power."""
    heads = ["systems, focal", "shift", "test", "p < 0.05", "alarms", "found of planted", "false of named"]
    heads += ["subjects: p < 0.05", "alarms", "planted one found", "others named"]
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    alarms: list[float] = []
    for n_systems, share in SETTINGS:
        for shift in (0.0, 0.8):
            for method in ("mantel-haenszel", "logistic"):
                counts = [count_run(n_systems, share, shift, method, [seed, n_systems, run]) for run in range(n_runs)]
                alarms.append(float(np.mean(counts, axis=0)[1]))
                means = [f"{value:.3f}" for value in np.mean(counts, axis=0)]
                yield f"| {' | '.join([f'{n_systems}, {share:.0%}', f'{shift}', method, *means])} |"
    line = f"runs of clean data with an item that is named, in all settings: {np.mean(alarms):.3f}"
    print_bar(
        line, is_held=is_rare(float(np.mean(alarms)), 0.05, n_runs * len(alarms) // 2)
    )  # two tests on the same data


def count_run(n_systems: int, share: float, shift: float, method: str, seed: list[int]) -> tuple[float, ...]:
    """Return what is named in clean data, and in data with planted items, which are half of two subjects."""
    generator = np.random.default_rng(seed)
    clean = simulate(n_systems, share, shift, generator)
    groups = np.where(clean.is_focal, "focal", "other").tolist()
    result = measure_differential_functioning(
        clean.table, groups, focal="focal", subjects=clean.subjects, method=method
    )
    alarms = any(row.adjusted_p <= 0.05 for row in result.subjects)
    low = np.mean([row.p < 0.05 for row in result.subjects])
    harder = simulate(n_systems, share, shift, generator, n_planted=20)
    again = measure_differential_functioning(
        harder.table, groups, focal="focal", subjects=harder.subjects, method=method
    )
    named = [int(row.item) for row in again.flagged]
    subjects = [row.subject for row in again.subjects if row.adjusted_p <= 0.05]
    return (
        float(np.nanmean(result.p_values < 0.05)),
        float(bool(result.flagged)),
        float(harder.planted[named].sum() / 20),
        float((~harder.planted[named]).mean()) if named else 0.0,
        float(low),
        float(alarms),
        float("s00" in subjects),
        len([name for name in subjects if name != "s00"]) / 9,
    )


def count_guessing(n_runs: int, seed: int) -> Iterator[str]:
    """Yield how often the interval of guessing has the truth, and the mean estimates."""
    yield "| systems | guessing | interval has the truth | told | mean estimate | error | mean width |"
    yield "|---|---|---|---|---|---|---|"
    for n_systems in (20, 40):
        for truth in (0.0, 0.1, 0.25):
            rows = []
            for run in range(n_runs // 2):
                generator = np.random.default_rng([seed, n_systems, run, round(100 * truth)])
                known = generator.random((n_systems, N_ITEMS)) < draw_chances(n_systems, generator)
                table = np.where(known, 1.0, generator.random(known.shape) < truth)
                (row,) = estimate_guessing(table, np.full(N_ITEMS, 0.25)).rows
                value = row.value
                told = row.reason is None
                rows.append((value.low <= truth <= value.high, told, value.value, value.high - value.low))
            hits, known_share, values, widths = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
            cells = [
                f"{n_systems}",
                f"{truth}",
                f"{hits.mean():.2f}",
                f"{known_share.mean():.2f}",
                f"{values.mean():.3f}",
            ]
            cells += [f"{np.sqrt(np.mean((values - truth) ** 2)):.3f}", f"{widths.mean():.3f}"]
            yield f"| {' | '.join(cells)} |"


def draw_chances(n_systems: int, generator: np.random.Generator) -> Array:
    """Return the chances to know the answers, systems × items."""
    slope, difficulty = np.exp(generator.normal(0, 0.3, N_ITEMS)), generator.normal(0.3, 1.3, N_ITEMS)
    ability = generator.normal(0, 1.2, (n_systems, 1))
    return np.asarray(1 / (1 + np.exp(-slope * (ability - difficulty))))


def compare_torch_measure(n_runs: int, seed: int) -> Iterator[str]:
    """Yield how many items torch_measure names in clean data and of planted ones, by its own rule."""
    if importlib.util.find_spec("torch_measure") is None:
        yield "torch_measure is not installed: skipped"
        return
    import torch

    differential_item_functioning = load_peer_function()
    for n_systems, share in SETTINGS:
        for shift in (0.0, 0.8):
            false, found, wrong = [], [], []
            for run in range(n_runs):
                generator = np.random.default_rng([seed, n_systems, run])
                for n_planted in (0, 20):
                    data = simulate(n_systems, share, shift, generator, n_planted)
                    group = torch.tensor(data.is_focal.astype(int))
                    result = differential_item_functioning(torch.tensor(data.table, dtype=torch.float32), group)
                    named = result["flagged"].numpy().astype(bool)
                    if n_planted:
                        found.append(named[data.planted].mean())
                        wrong.append((named & ~data.planted).sum() / max(named.sum(), 1))
                    else:
                        false.append(named.mean())
            yield (
                f"torch_measure, {n_systems} systems, {share:.0%} focal, shift {shift}: names {np.mean(false):.3f} of "
                f"the items of clean data, {np.mean(found):.2f} of the planted ones; {np.mean(wrong):.2f} are wrong"
            )


def load_peer_function() -> Any:
    """Return the function of torch_measure, from its file: the package itself needs many others."""
    spec = importlib.util.find_spec("torch_measure")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    folder = Path(spec.submodule_search_locations[0])
    source = importlib.util.spec_from_file_location("validity", folder / "metrics" / "validity.py")
    assert source is not None
    assert source.loader is not None
    module = importlib.util.module_from_spec(source)
    source.loader.exec_module(module)
    return module.differential_item_functioning


def compare_statsmodels(seed: int) -> str:
    """Compare the Mantel–Haenszel test of every item with the one of statsmodels, on the same strata."""
    if importlib.util.find_spec("statsmodels") is None:
        return "statsmodels is not installed: skipped"
    from statsmodels.stats.contingency_tables import StratifiedTable

    from assay.discrimination.items.differential_functioning import _assign_strata, _compare_strata, _estimate_abilities

    data = simulate(60, 0.5, 0.8, np.random.default_rng(seed))
    strata = _assign_strata(_estimate_abilities(data.table, data.is_focal, np.ones(200, dtype=bool)), 10)
    ratio, error, p = _compare_strata(data.table, data.is_focal, strata)
    largest = 0.0
    for item in range(N_ITEMS):
        tables = []
        for stratum in range(10):
            cells = [
                [np.sum((strata[:, item] == stratum) & group & (data.table[:, item] == value)) for value in (1, 0)]
                for group in (data.is_focal, ~data.is_focal)
            ]
            tables.append(np.array(cells, dtype=float))
        peer = StratifiedTable([cells for cells in tables if cells.sum() > 1])
        pairs = [(peer.oddsratio_pooled, ratio[item]), (peer.logodds_pooled_se, error[item])]
        if p[item] < 1:  # below half a system, statsmodels squares a negative corrected difference
            pairs.append((peer.test_null_odds(correction=True).pvalue, p[item]))
        largest = max(largest, *(abs(a - b) / max(1, abs(a)) for a, b in pairs if np.isfinite(a) and np.isfinite(b)))
    return f"statsmodels, {N_ITEMS} items: largest difference of p, odds ratio and its error {largest:.1e}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5000)
    options = parser.parse_args()
    print(compare_statsmodels(options.seed), flush=True)
    for count in (count_alarms, count_guessing, compare_torch_measure):
        for line in count(options.runs, options.seed):
            print(line, flush=True)


if __name__ == "__main__":
    main()

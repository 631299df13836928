"""Measures of real leaderboards, and how often their intervals and statements hold in simulation.

python -m benchmarks.boards
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._bars import is_covered, is_rare, print_bar

SHARED = Path(__file__).parents[2] / "shared" / "data"
N_RUNS = 60


def read_boards() -> list[tuple[str, Any]]:
    """Return the measurements of real score tables."""
    import polars as pl

    from assay.discrimination import read_scores
    from assay.discrimination.measurements import group_by_benchmark

    def read(name: str) -> pl.DataFrame:
        return pl.read_csv(SHARED / name, separator="\t", quote_char=None, infer_schema_length=None)

    boards = [("MTEB", read_scores(read("mteb_results/scores.tsv.gz").drop("split", "revision", "subsets")))]
    boards.append(("Open LLM v1", read_scores(SHARED / "open_llm_leaderboard" / "scores.tsv.gz")))
    named = [(title, table.measurements) for title, table in boards]
    others = group_by_benchmark(read_scores(read("leaderboards/leaderboards.tsv.gz").drop("source")).measurements)
    chosen = ("GLUE", "SuperGLUE", "MMLU", "BIG-Bench Hard", "Open LLM Leaderboard v2 (2024-08)")
    return named + [(name, others[name]) for name in chosen]


def print_boards() -> None:
    """Print one row per leaderboard."""
    from assay.discrimination import measure_leaderboard
    from assay.wording.numbers import format_interval

    print(
        "| table | systems × datasets | effective rank | components | error: means → best rank | from 5 scores | lowest τ |"
    )
    print("|---|---|---|---|---|---|---|")
    for title, measurements in read_boards():
        found = measure_leaderboard(measurements)
        rank, completion = found.rank, found.completion
        if rank is None or completion is None:
            continue
        best = min(completion.errors, key=lambda row: row.error.value)
        lowest = min(found.agreement, key=lambda row: row.tau.value)
        cells = [
            title,
            f"{len({name for row in measurements for name in row.systems}):,} × {len(measurements)}",
            f"{rank.effective_rank.value:.1f} [{rank.effective_rank.low:.1f}, {rank.effective_rank.high:.1f}]",
            str(rank.n_components),
            f"{completion.errors[0].error.value:.1f} → {best.error.value:.1f} (rank {best.rank})",
            f"{completion.new_systems.value:.1f}",
            f"{lowest.dataset} {format_interval(lowest.tau)}",
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


def print_items() -> None:
    """Print how few items rank held-out systems."""
    import assay
    from assay.discrimination import build_outcomes, measure_adaptive_choice, measure_item_saturation
    from assay.evaluation import read_predictions

    sources = [
        ("MMLU-Redux", "mmlu_redux/items.tsv.gz", "mmlu_redux/pred_labels.tsv.gz", None),
        ("GSM8K", "gsm8k/items.tsv.gz", "gsm8k/pred_answers.tsv.gz", None),
        ("MMLU-Pro", "mmlu_pro/items.jsonl.gz", "mmlu_pro/pred_labels.tsv.gz", "question_id"),
    ]
    print("| items | " + " | ".join(f"{n} items: random, fixed, adaptive" for n in (20, 50, 100, 200, 500)) + " |")
    for title, items, answers, key in sources:
        data = assay.read(SHARED / items, id=key)
        outcomes = build_outcomes(read_predictions([SHARED / answers], data), title)
        choice = measure_adaptive_choice(outcomes.table, title, chances=outcomes.chances)
        rows = {row.n_items: row for row in choice.sizes}
        cells = [
            f"{rows[n].tau_random:.2f}, {rows[n].tau_fixed:.2f}, {rows[n].tau_adaptive:.2f}"
            for n in (20, 50, 100, 200, 500)
        ]
        print(f"| {title} ({choice.n_systems} × {choice.n_items:,}) | {' | '.join(cells)} |", flush=True)
        found = measure_item_saturation(outcomes)
        if found is not None:
            parts = [
                f"{name} {part.value:.3g} [{part.low:.3g}, {part.high:.3g}]"
                for name, part in (("headroom", found.headroom), ("gap", found.gap), ("separating", found.separating))
            ]
            print(f"  {'; '.join(parts)}; gap if equal {found.gap_if_equal:.2g}, index {found.index:.2g}", flush=True)


def print_coverage() -> None:
    """Print how often intervals of abilities hold the truth, and statements about the front are wrong."""
    from assay.discrimination import fit_common_scale, measure_cost_front
    from assay.discrimination.boards.logits import LogitTable

    generator = np.random.default_rng(7)
    for d in (6, 12, 40):
        hits = []
        for _ in range(N_RUNS):
            ability = generator.normal(size=30)
            ability = (ability - ability.mean()) / ability.std()
            noise = 0.6 * generator.normal(size=(30, d))
            values = generator.uniform(0.5, 1.5, d) * (ability[:, None] - generator.normal(size=d)) + noise
            names = tuple(f"s{row}" for row in range(30))
            rows = fit_common_scale(LogitTable(names, tuple(f"d{n}" for n in range(d)), values, 0)).systems
            truth = dict(zip(names, ability, strict=True))
            hits += [row.ability.low <= truth[row.system] <= row.ability.high for row in rows]
        line = f"ability, 30 systems × {d} datasets: interval holds the truth in {np.mean(hits):.3f}"
        print_bar(line, is_held=is_covered(float(np.mean(hits)), N_RUNS))
    wrong_off = wrong_on = n_front = n_beaten = 0
    for _ in range(N_RUNS):
        score, cost = generator.uniform(0.4, 0.8, 8), generator.uniform(0.5, 1.5, 8)
        front = np.array([not ((score > score[i]) & (cost < cost[i])).any() for i in range(8)])
        answers = (generator.random((8, 400)) < score[:, None]).astype(float)
        costs = generator.exponential(cost[:, None], (8, 400))
        for row in measure_cost_front([str(n) for n in range(8)], answers, costs).systems:
            is_on = front[int(row.system)]
            n_front, n_beaten = n_front + is_on, n_beaten + (not is_on)
            wrong_off += bool(is_on) and row.place == "not on the front"
            wrong_on += not is_on and row.place == "on the front"
    places = (
        ("not on the front", wrong_off, n_front, "on it"),
        ("on the front", wrong_on, n_beaten, "that are beaten"),
    )
    for place, wrong, n, whom in places:
        line = f"front, 8 systems × 400 items: '{place}' wrong for {wrong / n:.3f} of systems {whom}"
        print_bar(line, is_held=is_rare(wrong / n, 0.05, n))


def print_deviations() -> None:
    """Print how often A521 names a dataset that measures the same ability, and one that measures another."""
    import assay

    generator = np.random.default_rng(8)
    for n_systems, noise in ((12, 0.3), (12, 0.8), (30, 0.8)):
        accused = named = 0
        for _ in range(N_RUNS):
            ability = generator.normal(size=n_systems)
            scores = ability[:, None] + noise * generator.normal(size=(n_systems, 8))
            other = generator.normal(size=n_systems)
            for planted, values in ((False, scores), (True, np.column_stack([scores[:, :7], other]))):
                rows = {f"d{number}": (60 + 8 * values[:, number]).round(2).tolist() for number in range(8)}
                table = {"system": [f"s{row}" for row in range(n_systems)], **rows}
                findings = [each for each in assay.audit(scores=table).findings if each.code == "A521"]
                accused += not planted and bool(findings)
                named += planted and any('"d7"' in each.claim for each in findings)
        print_bar(
            f"A521, {n_systems} systems × 8 datasets, noise {noise}: "
            f"clean tables accused {accused / N_RUNS:.3f}, another ability named {named / N_RUNS:.3f}",
            is_held=is_rare(accused / N_RUNS, 0.05, N_RUNS),
        )


def main() -> None:
    """Print everything."""
    print_coverage()
    print_deviations()
    print_boards()
    print_items()


if __name__ == "__main__":
    main()

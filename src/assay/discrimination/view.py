"""Tables and sentences of a discrimination: datasets, ranks, items, the measures of a leaderboard, and the verdict."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from assay.base.errors import join_names
from assay.discrimination.analysis import Discrimination
from assay.discrimination.boards.view import show_cost, show_measures
from assay.discrimination.datasets import DatasetDiscrimination
from assay.discrimination.items.gold import SystemAgreement
from assay.discrimination.items.item_summary import ItemSummary
from assay.discrimination.lambdas.verdicts import CANNOT_TELL, DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.discrimination.ranks.system_ranks import SystemRank
from assay.discrimination.subsets.benchmark_subsets import DatasetSubset, ItemSubset
from assay.discrimination.summary import BenchmarkSummary, MeasureCorrelation
from assay.views.blocks import Block, Column, Fact, Sentence, Table, Value, make_fact, make_table
from assay.views.values import ItemCount
from assay.wording.numbers import format_number, format_p_value, format_percent

MAX_VERDICTS = 3  # benchmarks
MAX_DATASETS = 8  # of a subset
PROPOSALS = ("keep", "repair", "retire")
DATASETS_METHOD = (
    "λ_var: spread of the scores in points; λ_sva: λ_var times headroom of the mean; λ_hit: chance that the winner of a "
    "pair wins on other items too, next to what equal systems would reach. 95% intervals over items, if these or their "
    "number are known. ↓ lower is better. Verdict: a test of equal systems over the items (p < 0.05: tells them apart); "
    "without items it is open. Keep what tells systems apart, repair what does not or is crowded at the top, retire what "
    "does not and has less than two points of headroom left."
)
VERDICTS = {
    DISCRIMINATES: "{name} tells its {n} systems apart",
    DOES_NOT_DISCRIMINATE: "{name} does not tell its {n} systems apart",
    CANNOT_TELL: "This data cannot tell whether {name} tells its {n} systems apart",
}


def show_discrimination(result: Discrimination, *, by_benchmark: bool = False) -> Iterator[Block]:
    """Yield datasets, systems, sufficient subsets, items, correlations and measures, and the verdict last.

    Of several benchmarks the systems are shown only with `by_benchmark`, which makes separate tables for each.
    """
    several = len(result.benchmarks) > 1
    if not by_benchmark:
        yield from show_datasets(result.datasets, with_benchmark=several)
    for benchmark in result.benchmarks:
        name = benchmark.benchmark
        title = "" if name == "all" else f"{name}: "
        datasets = [row for row in result.datasets if row.benchmark == name]
        if by_benchmark:
            yield from show_datasets(datasets, f"{title}datasets")
        if by_benchmark or not several:
            yield from show_saturation(datasets)
            yield from show_systems([row for row in result.systems if row.benchmark == name], benchmark, title)
            yield from show_subsets([row for row in result.keep if row.benchmark == name])
    yield from show_items(result.items or ())
    yield from show_correlations(result.correlations)
    for measures in result.measures:
        yield from show_measures(measures)
    if result.cost is not None:
        yield from show_cost(result.cost)
    yield Sentence(write_verdict(result), is_verdict=True)


def write_verdict(result: Discrimination) -> str:
    """Say whether the datasets tell their systems apart, and which systems may be first."""
    counts = Counter(row.verdict for row in result.datasets)
    sentences = []
    if len(result.datasets) == 1:
        row = result.datasets[0]
        p = "" if math.isnan(row.p_equal) else f" ({format_p_value(row.p_equal)})"
        sentences.append(VERDICTS[row.verdict].format(name=row.dataset, n=row.n_systems) + f"{p}.")
    elif result.datasets:
        sentences.append(
            f"Of {len(result.datasets)} datasets {counts[DISCRIMINATES]} tell their systems apart, "
            f"{counts[DOES_NOT_DISCRIMINATE]} do not, and for {counts[CANNOT_TELL]} this data cannot tell."
        )
    ranked = result.find_ranked()
    for benchmark in result.benchmarks[:MAX_VERDICTS]:
        where = f" on {benchmark.benchmark}" if len(result.benchmarks) > 1 else ""
        sentences += write_first_place(ranked.get(benchmark.benchmark, ()), benchmark, where)
    return " ".join(sentences)


def write_first_place(rows: Sequence[SystemRank], benchmark: BenchmarkSummary, where: str = "") -> Iterator[str]:
    """Say which systems may be first, of how many, and on what they were compared."""
    firsts = [row.system for row in rows if row.rank_low == 1]
    if not firsts:
        if benchmark.reason:
            yield f"First place{where} is open: {benchmark.reason}."
        return
    unranked = f", of {benchmark.n_systems:,} systems" if benchmark.unranked else ""
    rivals = [row for row in benchmark.unranked if row.gap > 0 and firsts == [rows[0].system]]
    if len(firsts) > 1:
        of = f"{len(firsts):,} of {benchmark.n_systems_ranked:,}{' ranked' if unranked else ''} systems"
        yield f"{of} may be first{where}{unranked and f' ({benchmark.n_systems:,} in all)'}: {join_names(firsts)}."
    elif rivals:
        ahead = join_names([f"{row.system} on {row.n_shared:,}" for row in rivals])
        yield (
            f"{firsts[0]} leads the {benchmark.n_systems_ranked:,} systems that can be ranked{where}{unranked}; ahead of it "
            f"on the {_name_units(benchmark)} that both have, but not ranked: {ahead}."
        )
    else:
        ranked = f" of the {benchmark.n_systems_ranked:,} systems that can be ranked{unranked}" if unranked else ""
        yield f"{firsts[0]} is first{where}{ranked}."
    if benchmark.has_gaps and benchmark.reason:
        yield f"{benchmark.reason[0].upper()}{benchmark.reason[1:]}."


def _name_units(benchmark: BenchmarkSummary) -> str:
    return "datasets" if benchmark.ranked_over == "datasets" else "items"


def show_datasets(
    rows: Sequence[DatasetDiscrimination],
    title: str = "Datasets",
    *,
    with_benchmark: bool = False,
    max_rows: int | None = None,
) -> Iterator[Block]:
    """Yield λ, verdict and proposal of each dataset."""
    columns: dict[str | Column, Callable[[Any], Value]] = {"dataset": lambda row: row.dataset}
    if with_benchmark:
        columns["benchmark"] = lambda row: row.benchmark
    columns |= {
        "metric": lambda row: f"{row.metric} ↓" if row.lower_is_better else row.metric,
        "systems": lambda row: row.n_systems,
        "mean": lambda row: row.mean,
        "λ_var": lambda row: row.lambda_var,
        "λ_sva": lambda row: row.lambda_sva,
    }
    if any(math.isfinite(row.lambda_hit.value) for row in rows):
        columns |= {"λ_hit": lambda row: row.lambda_hit, "if equal": lambda row: row.lambda_hit_null}
    if any(math.isfinite(row.p_equal) for row in rows):
        columns[Column("p", "p")] = lambda row: row.p_equal
    columns["verdict"] = lambda row: row.verdict
    if any(row.proposal for row in rows):
        columns["proposal"] = lambda row: row.proposal or ""
    yield from make_table(title, rows, columns, DATASETS_METHOD, is_main=True, max_rows=max_rows)
    yield Sentence("↓ lower is better. If equal: λ_hit of equal systems. p: test that all systems are equal.")
    if all(math.isnan(row.p_equal) for row in rows):
        yield Sentence("Scores alone cannot show whether systems differ beyond chance: give predictions, or n_items.")


def show_saturation(rows: Sequence[DatasetDiscrimination], max_rows: int | None = None) -> Iterator[Table]:
    """Yield how much room each dataset leaves, and how well the others predict it."""
    yield from make_table(
        "Saturation and redundancy",
        rows,
        {
            "dataset": lambda row: row.dataset,
            "metric": lambda row: row.metric,
            "headroom": lambda row: row.headroom,
            "range of top 5": lambda row: row.top_range,
            "within 1 point": lambda row: row.n_within_one,
            "R² by others": lambda row: row.redundancy,
            "nearest": lambda row: row.nearest,
        },
        "Headroom: points between the best system and the best possible score. Within 1 point: systems that close to the "
        "best, which is included. R²: of a prediction of the scores from the other datasets, leaving out one system.",
        max_rows=max_rows,
    )


def show_systems(rows: Sequence[SystemRank], benchmark: BenchmarkSummary, title: str = "") -> Iterator[Block]:
    """Yield the score of each system and the ranks that it may have."""
    if not rows:
        yield Sentence(f"No ranks: {benchmark.reason}.")
        return
    left_out = f" {len(rows):,} of {benchmark.n_systems:,}" if benchmark.unranked else f" {len(rows):,}"
    units = _name_units(benchmark)
    columns: dict[str | Column, Callable[[Any], Value]] = {
        "system": lambda row: row.system,
        benchmark.ranked_by or "score": lambda row: row.score,
    }
    if benchmark.has_gaps:
        columns[units] = lambda row: row.n_units
    yield from make_table(
        f"{title}systems,{left_out}, over {benchmark.ranked_over}",
        rows,
        columns
        | {
            "rank": lambda row: row.rank,
            "simultaneous": lambda row: write_range(row.rank_low, row.rank_high),
            "marginal": lambda row: write_range(row.marginal_low, row.marginal_high),
            "ties": lambda row: row.tie_group,
            "bands": lambda row: write_range(row.first_band, row.last_band),
            "P(best)": lambda row: row.p_best,
        },
    )
    yield Sentence(
        "Ranks that each system may have, 95%: simultaneous for all systems, or marginal, each rival on its own."
    )
    if benchmark.reason:
        yield Sentence(f"{benchmark.reason[0].upper()}{benchmark.reason[1:]}.")
    yield from make_table(
        f"{title}systems that share too few {units} with the others to be ranked",
        benchmark.unranked,
        {
            "system": lambda row: row.system,
            benchmark.ranked_by or "score": lambda row: row.score,
            units: lambda row: row.n_units,
            f"shared with {rows[0].system}": lambda row: row.n_shared,
            "difference there": lambda row: row.gap,
        },
    )
    first = benchmark.stability_of_first
    if first is not None:
        share = format_percent(first.share_first)
        yield Sentence(f"{first.system} is first on {share} of {first.n_halves:,} random halves of the items.")


def write_range(low: int | None, high: int | None) -> str | None:
    """Write the ranks from one to another.

    >>> write_range(1, 3), write_range(2, 2), write_range(None, None)
    ('1–3', '2', None)
    """
    if low is None:
        return None
    return str(low) if low == high else f"{low}–{high}"


def show_subsets(rows: Sequence[DatasetSubset | ItemSubset]) -> Iterator[Sentence]:
    """Yield which datasets or items are enough to rank systems in the same way."""
    for row in rows:
        where = f" of {row.dataset}" if row.what == "items" else ""
        if row.size is None:
            yield Sentence(f"Keep ({row.what}{where}): {row.reason or 'no size reaches the threshold'}.")
            continue
        agreement = f"τ = {format_number(row.agreement)} on held-out systems"
        more = ", …" if row.size > MAX_DATASETS else ""
        names = f" ({', '.join(row.chosen[:MAX_DATASETS])}{more})" if row.what == "datasets" else ""
        yield Sentence(f"Keep {row.size} of {row.of} {row.what}{where}: {agreement}{names}.")


def show_items(rows: Sequence[ItemSummary]) -> Iterator[Table]:
    """Yield what the items of each dataset say about the systems."""
    yield from make_table(
        "Items",
        rows,
        {
            "dataset": lambda row: f"{row.dataset} ({row.metric})",
            "items": lambda row: row.n_items,
            "answered by all systems": lambda row: row.n_judged,
            "all systems right (best outcome)": lambda row: row.n_all_right,
            "all systems wrong (worst outcome)": lambda row: row.n_all_wrong,
            "all systems the same otherwise": lambda row: row.n_all_same,
            "negative discrimination": lambda row: row.n_backwards,
            "mean outcome (share right)": lambda row: row.mean_difficulty,
            "mean discrimination": lambda row: row.mean_discrimination,
            "reliability": lambda row: row.reliability,
            "standard error of measurement": lambda row: row.standard_error_of_measurement,
            "smallest real gap": lambda row: row.smallest_real_gap,
            "items needed to separate the first two": lambda row: row.items_needed_first_two,
            "item response gain (shuffled)": _write_gain,
        },
    )


def _write_gain(row: ItemSummary) -> str | None:
    gain = row.item_response
    return None if gain is None else f"{format_number(gain.gain)} ({format_number(gain.gain_shuffled)})"


def show_correlations(rows: Sequence[MeasureCorrelation]) -> Iterator[Table]:
    """Yield how λ_var, λ_sva and λ_hit agree over datasets."""
    yield from make_table(
        "How the measures agree over datasets",
        [row for row in rows if math.isfinite(row.value)],
        {
            "benchmark": lambda row: row.benchmark,
            "measures": lambda row: f"{row.first} – {row.second}",
            "by": lambda row: row.method,
            "value": lambda row: row.value,
            Column("p", "p"): lambda row: row.p,
            "n": lambda row: row.n,
        },
    )


def list_lambdas(row: DatasetDiscrimination) -> Iterator[Fact]:
    """Yield λ of one dataset, each with its meaning."""
    for name, estimate, meaning in (
        ("Spread of the scores (λ_var)", row.lambda_var, "Standard deviation of the systems' scores, in points."),
        ("Spread times headroom (λ_sva)", row.lambda_sva, "λ_var times the points between the mean and the best."),
        ("Order that repeats (λ_hit)", row.lambda_hit, "Chance that the winner of a pair wins on other items too."),
    ):
        yield from make_fact(name, estimate, f"{meaning} Xiao et al.; 95% interval over items.")
    method = "What the order of equal systems would repeat by chance: λ_hit must be above it to say anything."
    yield from make_fact("The same for equal systems", row.lambda_hit_null, method)


def list_item_facts(row: ItemSummary) -> Iterator[Fact]:
    """Yield the uninformative items of one dataset, and its reliability."""
    constant = ItemCount(row.n_all_right + row.n_all_wrong, row.n_judged)
    method = "Every system is right, or every one is wrong."
    if not row.has_right_answers:
        method = f"Every system has the best {row.outcome or row.metric}, or every one the worst."
    yield from make_fact("Uninformative items", constant, f"{method} Of the items that all systems answered.")
    method = (
        f"{row.reliability_method.upper()} over systems: 1 means another test set of this kind would rank them the same. "
        "Feldt's interval, 95%."
    )
    yield from make_fact("Reliability", row.reliability, method)


def count_proposals(rows: Sequence[DatasetDiscrimination]) -> Iterator[Fact]:
    """Count the proposals for datasets, if there are several."""
    counts: Counter[str] = Counter(row.proposal for row in rows if row.proposal)
    if counts.total() > 1:
        number = ", ".join(f"{proposal} {format_number(counts[proposal])}" for proposal in PROPOSALS)
        yield Fact("Datasets", number, "By the verdict on each dataset, in the table below. Counted.")


def show_agreement(rows: Sequence[SystemAgreement], max_rows: int | None = None) -> Iterator[Table]:
    """Yield how far each system agrees with the gold labels."""
    yield from make_table(
        "Agreement with gold beyond chance",
        rows,
        {"system": lambda row: row.system, "kappa": lambda row: row.kappa, "items": lambda row: row.n},
        "Cohen's kappa, 95% interval over items.",
        max_rows=max_rows,
    )

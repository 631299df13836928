"""How often `assay decide` is wrong about equal systems, how soon it is right about others, and what judges are worth.

Replays of real systems: GSM8K (44), MMLU-Pro (29), the judges of LLMBar (65), and 100 samples of a model on HumanEval.
`python -m benchmarks.decisions [equal|savings|judges|history|tools] [n_replays]`; without a name, all.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from assay.decisions import decide
from assay.decisions.estimation import estimate_difference
from assay.decisions.history import find_changes
from assay.decisions.planning import score_probabilities
from assay.decisions.sequential import MIN_PROBABILITY
from assay.statistics import estimate_powered_mean, log_capital, mcnemar, tango_limits
from benchmarks._bars import is_covered, is_rare, print_bar

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
EACH = 25  # items between two looks
ALPHA = 0.05
THRESHOLD = math.log(2 / ALPHA)
VALUES = np.array([1.0, 0.0, -1.0])


def read_matrix(name: str, file: str) -> np.ndarray:
    """Return systems × items, 1 if right; what a system did not answer is wrong."""
    table = pl.read_csv(DATA / name / file, separator="\t", quote_char=None, infer_schema_length=0)
    gold = table["gold"].str.replace_all(",", "").to_numpy()
    systems = [column for column in table.columns if column not in ("id", "gold")]
    answers = [table[column].fill_null("").str.replace_all(",", "").to_numpy() for column in systems]
    return np.array([row == gold for row in answers], dtype=float)


def read_matrices() -> dict[str, np.ndarray]:
    return {
        "GSM8K": read_matrix("gsm8k", "pred_answers.tsv.gz"),
        "MMLU-Pro": read_matrix("mmlu_pro", "pred_labels.tsv.gz"),
        "LLMBar": read_matrix("llmbar", "verdicts_order_12.tsv.gz"),
    }


def read_samples() -> np.ndarray:
    """Return repeats × items of one model."""
    table = pl.read_csv(
        DATA / "humaneval_samples/codegen16b_100_samples_passed.tsv.gz", separator="\t", infer_schema_length=0
    )
    return np.array([[int(digit) for digit in row] for row in table["passed"]], dtype=float).T


def find_stop(differences: np.ndarray, weights: np.ndarray | None = None) -> tuple[int, int]:
    """Return the sign of the first sequential verdict (0: none) and the number of looks until it; looks every 25 items.

    With weights, differences that are nan were not drawn; a look is after every 25 items that were.
    """
    run = np.isfinite(differences)
    values = np.where(run, np.nan_to_num(differences) * (1 if weights is None else weights), 0.0)
    bound = 1.0 if weights is None else 1 / MIN_PROBABILITY
    distinct, codes = np.unique(values, return_inverse=True)
    looks = np.searchsorted(np.cumsum(run), np.arange(EACH, run.sum() + 1, EACH)) + 1
    looks = np.unique(np.append(looks, len(values)))
    counts = np.cumsum(np.eye(len(distinct))[codes], axis=0)[looks - 1]
    above = log_capital(distinct, 0.0, -bound, counts) >= THRESHOLD
    below = log_capital(-distinct, 0.0, -bound, counts) >= THRESHOLD
    first = [int(hits.argmax()) if hits.any() else len(looks) for hits in (above, below)]
    place = min(first)
    if place == len(looks):
        return 0, int(run.sum())
    return (1 if first[0] < first[1] else -1), int(run[: looks[place]].sum())


def is_claimed(differences: np.ndarray) -> bool:
    """Return whether the fixed design calls one system better or worse."""
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    low, high = tango_limits(wins, losses, len(differences), 1 - ALPHA)
    return bool((low > 0 or high < 0) and mcnemar(wins, losses).p <= ALPHA)


def split_items(matrix: np.ndarray, generator: np.random.Generator) -> list[np.ndarray]:
    """Return the outcomes of one system on two halves of the items."""
    row = matrix[generator.integers(len(matrix))]
    return np.array_split(generator.permutation(row), 2)


def is_claimed_unpaired(first: np.ndarray, second: np.ndarray) -> bool:
    """Return whether two scores with numbers of items, on different items, are called different."""
    halves = {"a": first, "b": second}
    rows = [{"system": name, "score": half.mean(), "n_items": len(half)} for name, half in halves.items()]
    interval = decide(pl.DataFrame(rows), baseline="a", candidate="b").difference
    return interval.low > 0 or interval.high < 0


def measure_history(n_replays: int) -> None:
    """Print how often runs without a change raise an alarm, and how often a change of a run is found at its place."""
    print("data\truns\titems\tfalse alarms\tchange, points\tfound\tfound at its place")
    samples = read_samples()
    generator = np.random.default_rng(0)
    for n_runs, size in ((6, 164), (12, 164), (12, 60)):
        alarms = found = exact = 0
        lifts = []
        for _ in range(n_replays):
            table = samples[generator.permutation(100)[:n_runs]][:, generator.permutation(164)[:size]]
            alarms += bool(find_changes(table, ALPHA, generator))
            place = int(generator.integers(2, n_runs - 1))
            fixed = generator.random(size) < 0.1  # a tenth of the items are always right from this run on
            changed = table.copy()
            changed[place:, fixed] = 1
            lifts.append(changed[place:].mean() - table[place:].mean())
            places = [start for start, _ in find_changes(changed, ALPHA, generator)]
            found, exact = found + bool(places), exact + (place in places)
        cells = [f"{alarms / n_replays:.4f}", f"{100 * np.mean(lifts):.1f}"]
        cells += [f"{found / n_replays:.2f}", f"{exact / n_replays:.2f}"]
        line = f"HumanEval\t{n_runs}\t{size}\t" + "\t".join(cells)
        print_bar(line, is_held=is_rare(alarms / n_replays, ALPHA, n_replays))


def measure_equal(n_replays: int) -> None:
    """Print how often equal systems are called better or worse."""
    print("data\tdesign\titems\tfixed\tsequential\tsequential with the draws of a plan")
    measure_exact_rates()
    generator = np.random.default_rng(0)
    for name, matrix in read_matrices().items():
        for size in (20, 100, matrix.shape[1] // 2, matrix.shape[1]):
            fixed = sequential = planned = 0
            for _ in range(n_replays):
                pair = generator.choice(len(matrix), 2, replace=False)
                items = generator.permutation(matrix.shape[1])[:size]
                signs = generator.choice([-1.0, 1.0], size)  # swaps make the systems equal, item by item
                differences = signs * (matrix[pair[0], items] - matrix[pair[1], items])
                fixed += is_claimed(differences)
                sequential += find_stop(differences)[0] != 0
                shares = score_probabilities(np.delete(matrix, pair, axis=0)[:, items])
                drawn = np.where(generator.random(size) < shares, differences, np.nan)
                planned += find_stop(drawn, 1 / shares)[0] != 0
            rates = [count / n_replays for count in (fixed, sequential, planned)]
            line = f"{name}\tanswers swapped at random\t{size}\t" + "\t".join(f"{rate:.4f}" for rate in rates)
            print_bar(line, is_held=is_rare(max(rates), ALPHA, n_replays))
        claims = sum(is_claimed_unpaired(*split_items(matrix, generator)) for _ in range(n_replays))
        line = f"{name}\ttwo halves of the items\t{matrix.shape[1] // 2}\t{claims / n_replays:.4f}\t\t"
        print_bar(line, is_held=is_rare(claims / n_replays, ALPHA, n_replays))
    samples = read_samples()
    for n_repeats, size in ((1, 164), (5, 164), (5, 30), (50, 164)):
        fixed = sequential = 0
        for replay in range(n_replays):
            rows = generator.permutation(100)[: 2 * n_repeats]
            items = generator.permutation(164)[:size]
            first, second = (
                samples[rows[:n_repeats]][:, items].mean(axis=0),
                samples[rows[n_repeats:]][:, items].mean(axis=0),
            )
            interval = estimate_difference(second - first, 1 - ALPHA, seed=replay)
            fixed += interval.low > 0 or interval.high < 0
            sequential += find_stop(second - first)[0] != 0
        label = f"two sets of {n_repeats} repeats"
        line = f"HumanEval\t{label}\t{size}\t{fixed / n_replays:.4f}\t{sequential / n_replays:.4f}"
        print_bar(line, is_held=is_rare(max(fixed, sequential) / n_replays, ALPHA, n_replays))


def measure_exact_rates() -> None:
    """Print how often the exact test rejects equal systems, computed for every pair without replays."""
    for name, matrix in read_matrices().items():
        rates = [find_size(int((a != b).sum())) for a, b in itertools.combinations(matrix, 2)]
        print(
            f"{name}\texact test, {len(rates)} pairs\t{matrix.shape[1]}\tmean {np.mean(rates):.4f}, most {max(rates):.4f}"
        )


def find_size(n_discordant: int) -> float:
    """Return the probability that McNemar's exact test rejects if wins and losses are equally likely."""
    from scipy.stats import binom

    wins = np.arange(n_discordant + 1)
    p = np.minimum(1, 2 * binom.cdf(np.minimum(wins, n_discordant - wins), n_discordant, 0.5))
    return float(binom.pmf(wins, n_discordant, 0.5)[p <= ALPHA].sum())


def compare_tools(n_pairs: int) -> None:
    """Print the greatest difference to statsmodels (McNemar) and to evalstats (Tango), of those that are installed."""
    generator = np.random.default_rng(0)
    gaps: dict[str, float] = {}
    for matrix in read_matrices().values():
        for _ in range(min(n_pairs, 20)):
            first, second = matrix[generator.choice(len(matrix), 2, replace=False)]
            wins, losses = int((first > second).sum()), int((first < second).sum())
            for tool, gap in _measure_gaps(first, second, wins, losses):
                gaps[tool] = max(gaps.get(tool, 0.0), gap)
    for tool, gap in gaps.items():
        print(f"{tool}\tgreatest difference\t{gap:.1e}")


def _measure_gaps(first: np.ndarray, second: np.ndarray, wins: int, losses: int) -> Iterator[tuple[str, float]]:
    from importlib.util import find_spec

    from statsmodels.stats.contingency_tables import mcnemar as other_mcnemar

    yield "McNemar, statsmodels", abs(other_mcnemar([[0, wins], [losses, 0]]).pvalue - mcnemar(wins, losses).p)
    if find_spec("evalstats") is None:
        return
    from evalstats.core.resampling import tango_scc_paired_ci

    theirs = tango_scc_paired_ci(first, second, ALPHA, c=0.0)
    ours = tango_limits(wins, losses, len(first), 1 - ALPHA)
    yield "Tango, evalstats", max(abs(a - b) for a, b in zip(theirs, ours, strict=True))


def measure_savings(n_pairs: int) -> None:
    """Print which share of the test set a verdict needs, by the true difference."""
    print("data\ttrue difference\tpairs\tfixed: right\tsequential: right, wrong\tmedian share\tplan\tright, wrong")
    generator = np.random.default_rng(0)
    for name, matrix in read_matrices().items():
        rows: list[tuple[float, ...]] = []
        pairs = list(itertools.combinations(range(len(matrix)), 2))
        for number in generator.permutation(len(pairs))[:n_pairs]:
            first, second = pairs[number]
            if matrix[first].mean() > matrix[second].mean():
                first, second = second, first
            differences = matrix[second] - matrix[first]
            order = generator.permutation(len(differences))
            claim = is_claimed(differences)
            sign, n_used = find_stop(differences[order])
            others = np.delete(matrix, [first, second], axis=0)
            shares = score_probabilities(others)[order]
            drawn = np.where(generator.random(len(shares)) < shares, differences[order], np.nan)
            planned, n_planned = find_stop(drawn, 1 / shares)
            n_planned = n_planned if planned else len(shares)
            rows.append(
                (
                    100 * differences.mean(),
                    claim,
                    sign,
                    n_used / len(order) if sign else 1.0,
                    planned,
                    n_planned / len(order),
                )
            )
        table = np.array(rows)
        for low, high in ((0, 1), (1, 2), (2, 5), (5, 10), (10, 20), (20, 101), (5, 101)):
            part = table[(table[:, 0] >= low) & (table[:, 0] < high)]
            if len(part):
                cells = [
                    f"{(part[:, 1] > 0).mean():.2f}, 0",
                    f"{(part[:, 2] > 0).mean():.2f}, {(part[:, 2] < 0).mean():.3f}",
                ]
                cells += [f"{np.median(part[:, 3]):.2f}", f"{np.median(part[:, 5]):.2f}"]
                cells += [f"{(part[:, 4] > 0).mean():.2f}, {(part[:, 4] < 0).mean():.3f}"]
                print(f"{name}\t{low} to {high} points\t{len(part)}\t" + "\t".join(cells), flush=True)


def list_judged() -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """Return (labels, judge) of differences per item: net preferences, or differences of scores of two systems."""
    verdicts = pl.read_csv(DATA / "llmbar/verdicts_order_12.tsv.gz", separator="\t", infer_schema_length=0)
    net = {"1": -1.0, "2": 1.0}
    gold = np.array([net[cell] for cell in verdicts["gold"]])
    judges = [np.array([net.get(cell or "", 0.0) for cell in verdicts[column]]) for column in verdicts.columns[2:]]
    scores = pl.read_csv(DATA / "wildbench_scores/scores.tsv.gz", separator="\t", infer_schema_length=0)
    by_judge: dict[str, dict[str, np.ndarray]] = {}
    for column in scores.columns[1:]:
        release, judge, model = column.split("|")
        if release == "v2.0522":
            by_judge.setdefault(judge, {})[model] = scores[column].cast(pl.Float64, strict=False).to_numpy()
    first, second = by_judge.values()
    wild = []
    for a, b in itertools.combinations(sorted(set(first) & set(second)), 2):
        truth, guess = first[b] - first[a], second[b] - second[a]
        known = np.isfinite(truth) & np.isfinite(guess)
        wild.append((truth[known], guess[known]))
    return {"LLMBar": [(gold, judge) for judge in judges], "WildBench": wild, "SummEval": list(_list_summaries())}


def _list_summaries() -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the differences in relevance of pairs of systems, with the share of words in the source as the judge."""
    import gzip
    import json

    with gzip.open(DATA / "summeval/documents.jsonl.gz", "rt") as file:
        sources = {row["id"]: set(row["source"].lower().split()) for row in map(json.loads, file)}
    table = pl.read_csv(DATA / "summeval/summaries.tsv.gz", separator="\t", quote_char=None, infer_schema_length=0)
    people: dict[str, dict[str, float]] = {}
    words: dict[str, dict[str, float]] = {}
    for row in table.iter_rows(named=True):
        summary = row["summary"].lower().split()
        people.setdefault(row["system"], {})[row["doc"]] = float(row["relevance"])
        words.setdefault(row["system"], {})[row["doc"]] = len(set(summary) & sources[row["doc"]]) / 20
    docs = sorted(sources)
    return [
        tuple(np.array([values[b][doc] - values[a][doc] for doc in docs]) for values in (people, words))  # type: ignore[misc]
        for a, b in itertools.combinations(sorted(people), 2)
    ]


def measure_judges(n_replays: int) -> None:
    """Print how often intervals from few labels and a judge contain the truth, and how wide they are."""
    print("data\titems\tlabels\tcoverage\twidth relative to labels alone\tcoverage of labels alone")
    generator = np.random.default_rng(0)
    for name, cases in list_judged().items():
        for n_labels in (20, 50, 100):
            hits, alone, widths, n_items = 0, 0, [], len(cases[0][0])
            for _ in range(n_replays):
                truth, guess = cases[generator.integers(len(cases))]
                n = max(n_items, 2 * n_labels)
                rows = generator.integers(len(truth), size=n)  # the items are a sample of all items like them
                labelled, rest = rows[:n_labels], rows[n_labels:]
                result = estimate_powered_mean(
                    truth[labelled], guess[labelled], guess[rest], span=float(np.ptp(truth)) / 2
                )
                hits += result.low <= truth.mean() <= result.high
                alone += result.labels.low <= truth.mean() <= result.labels.high
                widths.append(result.relative_width)
            cells = [f"{hits / n_replays:.3f}", f"{np.mean(widths):.2f}", f"{alone / n_replays:.3f}"]
            line = f"{name}\t{n}\t{n_labels}\t" + "\t".join(cells)
            print_bar(line, is_held=is_covered(hits / n_replays, n_replays))


def main() -> None:
    """Run the parts that are named, or all."""
    words = sys.argv[1:]
    n = next((int(word) for word in words if word.isdigit()), 2000)
    parts = {
        "equal": measure_equal,
        "savings": measure_savings,
        "judges": measure_judges,
        "history": measure_history,
        "tools": compare_tools,
    }
    for name, measure in parts.items():
        if name in words or not set(words) & set(parts):
            measure(n)


if __name__ == "__main__":
    main()

"""Reviews simulated on data with known verdicts: coverage of 95% intervals, bad items found, and widths.

`python -m benchmarks.review_simulation [n_draws] [seed] [SECTION …]`, with the sections at the end. Verdicts are those of
MMLU-Redux, GSM8K-Platinum and the label errors of IMDB; some cases are simulated. The suspicion is simple and does not
depend on the package: the share of the most frequent other answer minus that of the gold answer, or the probability that
a classifier gives the other label. Useless and reversed suspicion test that the intervals do not rely on it. Widths and
bad items are compared with a simple random sample of the same size and the same kind of interval.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import assay
from assay.reviews.design import draw_items, find_strata, mix_sizes
from assay.reviews.samples import ReviewSample
from assay.reviews.system_scores import ReviewedAnswers, correct_scores, correct_systems
from assay.reviews.verdicts import ReviewedLabels

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
BUDGETS = (50, 100, 200)
SHARES = (0.0, 0.15, 0.3, 0.45, 0.6)
DEFAULT_SHARE = 0.3
BATCH, N_BATCHES = 50, 4
LOOKS, LOOK_SIZE = 10, 20  # of the sequential review
N_SYSTEMS = 6  # whose corrected scores are followed, spread over all
LETTERS = dict(zip("0123", "ABCD", strict=True))


@dataclass(frozen=True)
class Case:
    """Items with verdicts, suspicion, and scores of systems (× items) by the gold labels and by the right ones."""

    name: str
    bad: np.ndarray
    suspicion: np.ndarray
    given: np.ndarray
    right: np.ndarray
    groups: np.ndarray | None = None

    @property
    def disagreement(self) -> np.ndarray | None:
        """How far systems disagree on each item."""
        if not len(self.given):
            return None
        shares = self.given.mean(axis=0)
        return 4 * shares * (1 - shares)


def read_tsv(name: str) -> pl.DataFrame:
    """Read a table of the real data as text."""
    return pl.read_csv(SHARED / name, separator="\t", quote_char=None, infer_schema_length=0)


def score_margin(answers: list[list[str | None]], gold: list[str]) -> np.ndarray:
    """Return the share of the most frequent other answer minus that of the gold answer, item by item."""
    margins = []
    for item, label in zip(zip(*answers, strict=True), gold, strict=True):
        counts = Counter(answer for answer in item if answer not in (None, "", "NA"))
        n, own = max(sum(counts.values()), 1), counts.pop(label, 0)
        margins.append((max(counts.values(), default=0) - own) / n)
    return np.array(margins)


def make_case(name: str, items: pl.DataFrame, answers: pl.DataFrame, bad: np.ndarray, right: list[str | None]) -> Case:
    """Return a case with systems."""
    answers = items.select("id").join(answers, on="id", how="left", maintain_order="left")
    gold = answers["gold"].to_list()
    cells = [answers[system].to_list() for system in answers.columns[2:]]
    shown = [cells[n] for n in np.linspace(0, len(cells) - 1, N_SYSTEMS).round().astype(int)]
    given = np.array([[float(a == b) for a, b in zip(row, gold, strict=True)] for row in shown])
    new = [[np.nan if b is None else float(a == b) for a, b in zip(row, right, strict=True)] for row in shown]
    return Case(name, bad, score_margin(cells, gold), given, np.array(new))


def read_cases() -> list[Case]:
    """Read MMLU-Redux, GSM8K and IMDB."""
    items = read_tsv("mmlu_redux/items.tsv.gz")
    rows = items.select("error_type", "correct_answer").iter_rows()
    right = [LETTERS.get(key or "", key) if kind == "wrong_groundtruth" else None for kind, key in rows]
    right = [label if label in LETTERS.values() else None for label in right]
    bad = (items["error_type"] != "ok").to_numpy()
    cases = [make_case("MMLU-Redux", items, read_tsv("mmlu_redux/pred_labels.tsv.gz"), bad, right)]
    items = read_tsv("gsm8k/items.tsv.gz")
    rows = items.select("platinum_status", "platinum_answer").iter_rows()
    right = [answer if status == "revised" else None for status, answer in rows]
    bad = (items["platinum_status"] != "kept").to_numpy()
    cases.append(make_case("GSM8K", items, read_tsv("gsm8k/pred_answers.tsv.gz"), bad, right))
    items = read_tsv("label_errors_imdb/verdicts.tsv.gz").filter(pl.col("in_folder_imdb") == "1")
    positive = items["prob_positive"].cast(pl.Float64).to_numpy()
    other = np.where((items["given_label"] == "positive").to_numpy(), 1 - positive, positive)
    bad = (items["verdict"].fill_null("") == "error").to_numpy()
    empty = np.zeros((0, len(items)))
    return [*cases, Case("IMDB", bad, other, empty, empty)]


@dataclass(frozen=True)
class Outcome:
    """What a design gives on average: coverage and width for bad items and for corrected scores, bad items found."""

    covered: float
    width: float
    found: float
    score_covered: float
    score_width: float


def simulate(
    case: Case, budget: int, suspicion: np.ndarray | None, share: float, n_draws: int, seed: int = 0
) -> Outcome:
    """Draw many reviews of one size; all have the same strata, so that all intervals are computed at once."""
    n = len(case.bad)
    disagreement = None if suspicion is None else case.disagreement
    sizes = mix_sizes(n, budget, suspicion, disagreement, share)
    generator = np.random.default_rng(budget if not seed else (budget, seed))
    rows = []
    for _ in range(n_draws):
        draw = draw_items(sizes, budget, generator)
        order = np.argsort(-draw.probabilities, kind="stable")
        rows.append(draw.rows[order])
    chances = draw.probabilities[order]
    keys, strata, counts = np.unique(-chances, return_inverse=True, return_counts=True)
    numbers = np.round(counts / -keys)
    drawn = np.stack(rows)
    members = find_strata(sizes, numbers.astype(int), drawn[-1], strata)
    sample = ReviewSample(strata, numbers, counts.astype(float), np.zeros(len(counts), int))
    bad = case.bad[drawn].astype(float)
    totals, of_good = (sample.estimate(each.T, np.ones(n_draws)) for each in (bad, 1 - bad))
    is_common = totals.value > n / 2  # then the good items are counted
    truth, found = case.bad.sum(), bad.sum(axis=1)
    low = np.maximum(np.where(is_common, n - of_good.high, totals.low), found)
    high = np.minimum(np.where(is_common, n - of_good.low, totals.high), n - (budget - found))
    scores = cover_scores(case, sample, drawn, bad, members) if len(case.given) else (np.nan, np.nan)
    return Outcome(
        float(((low <= truth) & (truth <= high)).mean()), float((high - low).mean()), float(found.mean()), *scores
    )


def cover_scores(
    case: Case, sample: ReviewSample, drawn: np.ndarray, bad: np.ndarray, members: np.ndarray | None
) -> tuple[float, float]:
    """Return the coverage and the mean width of corrected scores over all draws and systems."""
    n_draws, truths = len(drawn), correct_all(case)
    covered, widths = [], []
    for given, right, truth in zip(case.given, case.right, truths, strict=True):
        hidden: tuple[np.ndarray | None, np.ndarray | None] = (None, None)
        if members is not None:
            strata = np.arange(len(sample.sizes))[:, None, None]
            reviewed = sample.strata[None, None, :] == strata
            counts = [np.bincount(members, outcome, len(sample.sizes)) for outcome in (1 - given, given)]
            seen = [(reviewed * outcome[drawn][None]).sum(axis=2) for outcome in (1 - given, given)]
            hidden = tuple(whole[:, None] - part for whole, part in zip(counts, seen, strict=True))  # type: ignore[assignment]
        answers = ReviewedAnswers(
            [""] * n_draws,
            given[drawn],
            right[drawn],
            np.full(n_draws, given.sum()),
            np.full(n_draws, float(len(given))),
            *hidden,
        )
        totals = correct_scores(
            sample, ReviewedLabels(bad, bad, bad), answers, np.isfinite(right[drawn]) & (bad > 0), 0.95
        ).totals
        covered.append((totals.low - 1e-12 <= truth) & (truth <= totals.high + 1e-12))
        widths.append(totals.high - totals.low)
    return float(np.mean(covered)), float(np.mean(widths))


def correct_all(case: Case) -> np.ndarray:
    """Return the corrected scores that a review of all items gives."""
    has_right = np.isfinite(case.right) & case.bad
    kept = ~case.bad | has_right
    scored = np.where(has_right, np.nan_to_num(case.right), case.given)
    return np.asarray((scored * kept).sum(axis=1) / kept.sum(axis=1))


def simulate_batches(
    case: Case, n_runs: int, n_batches: int = 4, batch_size: int = 50, seed: int = 0
) -> tuple[float, float, float, float]:
    """Review in batches through the public functions, the suspicion (and the groups, if any) fitted after each.

    Return the coverage after the last batch, the share of runs in which the anytime-valid interval holds after every
    batch, the bad items found as a multiple of a simple random sample, and the mean width of the last interval as a
    multiple of that of one batch of the same size.
    """
    n, truth = len(case.bad), int(case.bad.sum())
    ids = [str(number) for number in range(n)]
    columns = {"id": ids, "text": ids, "label": ["x", "y"] * (n // 2) + ["x"] * (n % 2)}
    if case.groups is not None:
        columns["subject"] = [f"subject {number}" for number in case.groups]
    data = assay.read(columns, text="text")
    spread = case.suspicion - case.suspicion.min()
    suspects = pl.DataFrame({"id": ids, "suspicion": 0.01 + 0.9 * spread / spread.max()})
    verdicts = pl.DataFrame({"id": ids, "truth": np.where(case.bad, "bad", "ok")})
    last, always, found, widths = [], [], [], []
    for state in range(seed * n_runs, (seed + 1) * n_runs):
        plan = assay.plan_review(data, suspects, budget=batch_size, random_state=state).items
        holds = []
        for batch in range(1, n_batches + 1):
            filled = plan.drop("verdict").join(verdicts, on="id", maintain_order="left").rename({"truth": "verdict"})
            more = batch_size if batch < n_batches else None
            sure = assay.estimate_review(data, filled, suspects=suspects, anytime=True, budget=more, random_state=state)
            holds.append(sure.bad.low <= truth <= sure.bad.high)
            plan = sure.plan
        result = assay.estimate_review(data, filled, suspects=False)
        last.append(result.bad.low <= truth <= result.bad.high)
        always.append(all(holds))
        found.append(result.n_bad)
        widths.append(result.bad.high - result.bad.low)
    once = simulate(case, batch_size * n_batches, case.suspicion, DEFAULT_SHARE, 200)
    expected = truth * batch_size * n_batches / n
    ratio = float(np.mean(widths)) / once.width
    return float(np.mean(last)), float(np.mean(always)), float(np.mean(found)) / expected, ratio


def write_row(case: Case, budget: int, kind: str, result: Outcome, plain: Outcome) -> str:
    """Write a row of the table."""
    scores = "– | –"
    if len(case.given):
        scores = f"{result.score_covered:.3f} | {result.score_width / plain.score_width:.2f}"
    return (
        f"| {case.name} | {budget} | {kind} | {result.covered:.3f} | {result.found / plain.found:.2f} | "
        f"{result.width / plain.width:.2f} | {scores} |"
    )


def simulate_ranks(case: Case, budget: int, suspicion: np.ndarray, n_draws: int, seed: int) -> list[float]:
    """Return how often ranges of ranks hold the rank of a full review for all systems, and how often changes are claimed.

    The last two numbers are the share of draws with a claim that the rank of a system changes, and of those with a claim
    about a system whose rank stays the same.
    """
    generator = np.random.default_rng((budget, seed))
    sizes = mix_sizes(len(case.bad), budget, suspicion, case.disagreement, DEFAULT_SHARE)
    truth, before = rank_scores(correct_all(case)), rank_scores(case.given.mean(axis=1))
    names, rows = [str(number) for number in range(len(truth))], []
    for _ in range(n_draws):
        draw = draw_items(sizes, budget, generator)
        order = np.argsort(-draw.probabilities, kind="stable")
        drawn, chances = draw.rows[order], draw.probabilities[order]
        keys, strata, counts = np.unique(-chances, return_inverse=True, return_counts=True)
        sample = ReviewSample(strata, np.round(counts / -keys), counts.astype(float), np.zeros(len(counts), int))
        bad = case.bad[drawn].astype(float)
        right = np.where(bad > 0, case.right[:, drawn], np.nan)
        n = np.full(len(names), float(len(case.bad)))
        members = find_strata(sizes, np.round(counts / -keys).astype(int), drawn, strata)
        n_hidden: tuple[np.ndarray | None, np.ndarray | None] = (None, None)
        if members is not None:
            members[drawn] = len(counts)
            hidden = np.eye(len(counts) + 1)[members][:, :-1].T  # strata × items, 1 for items not drawn
            n_hidden = hidden @ (1 - case.given).T, hidden @ case.given.T
        answers = ReviewedAnswers(names, case.given[:, drawn], right, case.given.sum(axis=1), n, *n_hidden)
        systems = correct_systems(sample, ReviewedLabels(bad, bad, bad), answers, 0.95)
        holds = [system.rank_low <= truth[int(system.system)] <= system.rank_high for system in systems]
        claims = [int(system.system) for system in systems if system.rank_changes]
        rows.append((all(holds), bool(claims), any(truth[number] == before[number] for number in claims)))
    return np.mean(rows, axis=0).tolist()


def rank_scores(scores: np.ndarray) -> np.ndarray:
    """Return the rank of each score, 1 for the highest."""
    return 1 + (scores[:, None] < scores[None, :] - 1e-12).sum(axis=1)


def make_many(n_bad: int, noise: float) -> Case:
    """Return 3,000 items of which many are bad, and a suspicion that knows them up to noise."""
    generator = np.random.default_rng(5)
    bad = generator.permutation(3000) < n_bad
    return Case(f"{n_bad:,} of 3,000 bad", bad, bad + generator.normal(0, noise, 3000), *np.zeros((2, 0, 3000)))


def make_ranked() -> Case:
    """Return 3,000 items of which 450 are bad, and six systems, two of which often give the wrong gold labels."""
    generator = np.random.default_rng(8)
    bad = generator.permutation(3000) < 450
    accuracies = np.array([[0.80], [0.79], [0.76], [0.70], [0.69], [0.68]])
    right = generator.random((6, 3000)) < accuracies
    wrong = generator.random((6, 3000)) < np.array([[0.1], [0.1], [0.7], [0.1], [0.7], [0.1]])
    scored = np.where(bad, right & ~wrong, right).astype(float)
    suspicion = bad + generator.normal(0, 1.0, 3000)
    return Case("450 of 3,000 bad", bad, suspicion, np.where(bad, wrong, right).astype(float), scored)


def make_groups() -> Case:
    """Return 3,000 items in ten groups of which 0.5% to 20% are bad, and a suspicion that does not know the groups."""
    generator = np.random.default_rng(6)
    groups = generator.integers(0, 10, 3000)
    bad = generator.random(3000) < np.geomspace(0.005, 0.2, 10)[groups]
    suspicion = bad + generator.normal(0, 1.0, 3000)
    return Case("ten groups", bad, suspicion, *np.zeros((2, 0, 3000)), groups)


def list_kinds(case: Case) -> dict[str, np.ndarray]:
    """Return a suspicion that helps, one that says nothing, and one that misleads."""
    useless = np.random.default_rng(7).random(len(case.bad))
    return {"given": case.suspicion, "useless": useless, "reversed": -case.suspicion}


def run_many(n_draws: int, seed: int) -> None:
    """Print the coverage if many items are bad."""
    print(
        f"\nMany bad items, {n_draws} draws.\n\n| data | budget | given | useless | reversed |\n|---|---|---|---|---|"
    )
    for n_bad in (600, 1200, 1800, 2400):
        case = make_many(n_bad, 1.0)
        for budget in BUDGETS:
            cells = [
                simulate(case, budget, suspicion, DEFAULT_SHARE, n_draws, seed).covered
                for suspicion in list_kinds(case).values()
            ]
            print(f"| {case.name} | {budget} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |", flush=True)


def run_ranks(n_draws: int, seed: int) -> None:
    """Print how often ranges of ranks hold, and false claims of changes."""
    print(f"\nRanks of {N_SYSTEMS} systems, {n_draws} draws.\n")
    print("| data | budget | suspicion | all ranges hold | a change is claimed | falsely |\n|---|---|---|---|---|---|")
    for case in (*read_cases()[:2], make_ranked()):
        for budget in (100, 200, 400):
            for kind, suspicion in list_kinds(case).items():
                numbers = simulate_ranks(case, budget, suspicion, n_draws, seed)
                cells = " | ".join(f"{number:.3f}" for number in numbers)
                print(f"| {case.name} | {budget} | {kind} | {cells} |", flush=True)


def run_looks(n_draws: int, seed: int) -> None:
    """Print the coverage over all looks at small batches, and with groups."""
    print(f"\n{LOOKS} batches of {LOOK_SIZE} items, {n_draws} runs.\n")
    print("| data | coverage after the last | anytime-valid after every batch |\n|---|---|---|")
    for case in (*read_cases(), make_groups()):
        bare = Case(case.name, case.bad, case.suspicion, case.given[:0], case.right[:0], case.groups)
        numbers = simulate_batches(bare, n_draws, LOOKS, LOOK_SIZE, seed)
        print(f"| {case.name} | {numbers[0]:.3f} | {numbers[1]:.3f} |", flush=True)


def main() -> None:
    """Run the sections named on the command line, or all."""
    n_draws = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for name in sys.argv[3:] or list(SECTIONS):
        SECTIONS[name](n_draws, seed)


def run_coverage(n_draws: int, seed: int) -> None:
    """Print the table of coverage, the trade-off between bad items found and width, and reviews in four batches."""
    cases = read_cases()
    print(f"{n_draws} draws each. Bad items found and widths as multiples of a simple random sample.\n")
    print("| data | budget | suspicion | coverage | bad items found | width | coverage, scores | width, scores |")
    print("|---|---|---|---|---|---|---|---|")
    plain = {}
    for case in cases:
        kinds = list_kinds(case)
        for budget in BUDGETS:
            plain[case.name, budget] = simple = simulate(case, budget, None, 0.0, n_draws, seed)
            print(write_row(case, budget, "none (simple random sample)", simple, simple), flush=True)
            for kind, suspicion in kinds.items():
                result = simulate(case, budget, suspicion, DEFAULT_SHARE, n_draws, seed)
                print(write_row(case, budget, kind, result, simple), flush=True)
    print("\n| data | budget | " + " | ".join(f"share {share:g}" for share in SHARES) + " |")
    print("|---|---|" + "---|" * len(SHARES))
    for case in cases:
        bare = Case(case.name, case.bad, case.suspicion, case.given[:0], case.right[:0])
        for budget in BUDGETS:
            simple = plain[case.name, budget]
            cells = []
            for share in SHARES:
                result = simulate(bare, budget, case.suspicion, share, n_draws, seed)
                cells.append(f"{result.found / simple.found:.2f} × at {result.width / simple.width:.2f}")
            print(f"| {case.name} | {budget} | {' | '.join(cells)} |", flush=True)
    print(f"\n{N_BATCHES} batches of {BATCH} items, {n_draws // 5} runs.\n")
    print("| data | coverage after the last | anytime-valid after every batch | bad items found | width / one batch |")
    print("|---|---|---|---|---|")
    for case in cases:
        bare = Case(case.name, case.bad, case.suspicion, case.given[:0], case.right[:0])
        numbers = simulate_batches(bare, n_draws // 5)
        print(f"| {case.name} | " + " | ".join(f"{number:.2f}" for number in numbers) + " |", flush=True)


SECTIONS = {"coverage": run_coverage, "many": run_many, "ranks": run_ranks, "looks": run_looks}

if __name__ == "__main__":
    main()

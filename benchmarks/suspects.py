"""Wrong gold labels on known truth: `assay.find_suspects` next to simpler rankings and next to cleanlab.

    python -m benchmarks.suspects [systems] [few] [imdb] [planted] [simulated] [repair] [million]

Needs the shared data; the comparison with cleanlab needs cleanlab, which is no dependency of the package.
"""

from __future__ import annotations

import importlib.util
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.isotonic import isotonic_regression
from sklearn.metrics import average_precision_score

from assay.data import Dataset, read_table
from assay.discrimination.items import fit_item_response
from assay.evaluation import Predictions, read_predictions
from assay.kinds import read
from assay.models.cross_validation import cross_validate, select_trainable
from assay.models.split_drawing import RANDOM
from assay.suspects import Suspects, find_suspects, repair
from assay.suspects.votes import count_votes, encode_answers

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
RANKS = (10, 25, 50, 100)
N_DRAWS = 20
FLIPPED = 0.03
PLANTED = ("cr", "trec", "mr", "sst2", "uci_news", "atis", "ag_news", "dbpedia14", "imdb", "yelp_reviews")
Array = Any


def main() -> None:
    """Run the sections named on the command line, or all."""
    for name in sys.argv[1:] or list(SECTIONS):
        print(f"\n## {name}\n", flush=True)
        SECTIONS[name]()


# Rankings by one measure


def rank_by_majority(codes: Array, gold: Array) -> Array:
    """Share of the most frequent other answer less that of the gold label, without weights."""
    counts = np.stack([(codes == code).sum(axis=0) for code in range(codes.max() + 1)]).astype(float)
    n = np.maximum((codes >= 0).sum(axis=0), 1)
    columns = np.arange(len(gold))
    for_gold = counts[gold, columns].copy()
    counts[gold, columns] = -1
    return (counts.max(axis=0) - for_gold) / n


def rank_by_wrong_share(codes: Array, gold: Array) -> Array:
    return 1 - (codes == gold).sum(axis=0) / np.maximum((codes >= 0).sum(axis=0), 1)


def rank_by_item_total(codes: Array, gold: Array) -> Array:
    """Minus the correlation of an item's outcomes with the systems' scores on the other items."""
    right = (codes == gold).astype(float)
    rest = right.sum(axis=1)[:, None] - right
    right_c, rest_c = right - right.mean(axis=0), rest - rest.mean(axis=0)
    norm = np.sqrt((right_c**2).sum(axis=0) * (rest_c**2).sum(axis=0))
    return -np.divide((right_c * rest_c).sum(axis=0), norm, out=np.zeros(len(norm)), where=norm > 0)


def rank_by_irt_slope(codes: Array, gold: Array) -> Array:
    """Minus the discrimination of the two-parameter model."""
    return -fit_item_response((codes == gold).astype(float), control=False).discrimination


def rank_by_irt_fit(codes: Array, gold: Array) -> Array:
    """Outfit mean square: mean squared standardised residual under the two-parameter model."""
    right = (codes == gold).astype(float)
    fit = fit_item_response(right, control=False)
    difficulty = np.nan_to_num(fit.difficulty, nan=0.0)
    logits = np.clip(fit.discrimination * (fit.ability[:, None] - difficulty), -6, 6)
    chance = 1 / (1 + np.exp(-logits))
    return ((right - chance) ** 2 / (chance * (1 - chance))).mean(axis=0)


def rank_by_isotonic(codes: Array, gold: Array) -> Array:
    """Minus the signed R² of the best monotone fit of an item's outcomes on the systems' scores."""
    right = (codes == gold).astype(float)
    total = right.sum(axis=1)
    values = np.zeros(right.shape[1])
    for item, outcome in enumerate(right.T):
        if not 0 < outcome.mean() < 1:
            continue
        order = np.argsort(total - outcome, kind="stable")
        sign = 1.0 if np.cov(outcome, total - outcome)[0, 1] >= 0 else -1.0
        fitted = isotonic_regression(outcome[order], increasing=sign > 0)
        values[item] = sign * (1 - ((outcome[order] - fitted) ** 2).mean() / outcome.var())
    return -values


SINGLE: dict[str, Callable[[Array, Array], Array]] = {
    "majority vote": rank_by_majority,
    "share of systems wrong": rank_by_wrong_share,
    "item-total correlation": rank_by_item_total,
    "IRT discrimination": rank_by_irt_slope,
    "IRT outfit": rank_by_irt_fit,
    "signed isotonic R²": rank_by_isotonic,
}


# Measures of a ranking; items with equal scores count with their mean


def precision_at(bad: Array, score: Array, k: int) -> float:
    order = np.argsort(-score, kind="stable")
    threshold = score[order[k - 1]]
    above, tied = score > threshold, score == threshold
    return float((bad[above].sum() + (k - above.sum()) * bad[tied].mean()) / k)


def recall_at_half(bad: Array, order: Array) -> float:
    """Highest recall at which at least half of the listed items are bad."""
    hits = np.cumsum(bad[order])
    good = hits / np.arange(1, len(order) + 1) >= 0.5
    return float(hits[good].max() / bad.sum()) if good.any() else 0.0


def measure(bad: Array, score: Array) -> list[float]:
    return [average_precision_score(bad, score), *(precision_at(bad, score, k) for k in RANKS)]


def place_items(suspects: Suspects, ids: list[str]) -> tuple[Array, Array]:
    """Return a score that orders items as the result does, and the suspicion, both in the order of ids."""
    table = suspects.to_frame().with_row_index("rank")
    rows = pl.DataFrame({"id": ids}).join(table, on="id", how="left", maintain_order="left")
    return -rows["rank"].to_numpy().astype(float), rows["suspicion"].fill_null(0.0).to_numpy()


def show(name: str, values: list[float], note: str = "") -> None:
    print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in values) + f" | {note}")


def show_head(title: str, last: str = "") -> None:
    print(f"\n### {title}\n\n| ranking | AP | " + " | ".join(f"P@{k}" for k in RANKS) + f" | {last}")
    print("|---" * (len(RANKS) + 2) + "|")


# Sets with known truth


def load_votes() -> dict[str, tuple[Predictions, Array, Array]]:
    """Return predictions, truth and groups (subjects; thirds of GSM8K by number) of the two benchmarks."""
    redux = read_table(SHARED / "mmlu_redux/items.tsv.gz")
    platinum = read_table(SHARED / "gsm8k/items.tsv.gz")
    numbers = np.arange(len(platinum)) % 2
    subjects = redux["subject"].rank("dense").to_numpy().astype(int) % 2
    return {
        "MMLU-Redux": (
            read_predictions(SHARED / "mmlu_redux/pred_labels.tsv.gz"),
            (redux["error_type"] != "ok").to_numpy(),
            subjects,
        ),
        "GSM8K": (
            read_predictions(SHARED / "gsm8k/pred_answers.tsv.gz"),
            (platinum["platinum_status"] != "kept").to_numpy(),
            numbers,
        ),
    }


def describe_calibration(suspects: Suspects, bad: Array, ids: list[str]) -> str:
    score, suspicion = place_items(suspects, ids)
    top = np.argsort(-score)[:100]
    expected = suspects.expected_bad
    count = f"bad items {expected.value:.0f} [{expected.low:.0f}, {expected.high:.0f}], truly {bad.sum()}"
    return f"top 100: expected {suspicion[top].mean():.2f}, observed {bad[top].mean():.2f}; {count}"


def run_systems() -> None:
    for name, (predictions, bad, half) in load_votes().items():
        codes, gold, _ = encode_answers(predictions)
        ids = predictions.ids.tolist()
        show_head(f"{name}: {len(bad):,} items, {bad.sum()} bad, {len(codes)} systems", "")
        for title, rank in SINGLE.items():
            show(title, measure(bad, rank(codes, gold)))
        suspects = find_suspects(predictions=predictions)
        score = score_by_votes(predictions)
        show("assay suspects", measure(bad, score), describe_calibration(suspects, bad, ids))
        for part in (0, 1):
            rows = np.flatnonzero(half == part)
            chosen = predictions.take(rows)
            suspects = find_suspects(predictions=chosen)
            score = score_by_votes(chosen)
            note = describe_calibration(suspects, bad[rows], chosen.ids.tolist())
            show(f"majority vote, half {part + 1}", measure(bad[rows], rank_by_majority(codes[:, rows], gold[rows])))
            show(f"assay suspects, half {part + 1}", measure(bad[rows], score), note)


def score_by_votes(predictions: Predictions) -> Array:
    """Return the order of `find_suspects` on answers alone, in which items with equal votes are equal."""
    return np.round(np.nan_to_num(count_votes(predictions).doubt, nan=-1.0), 9)


def run_few() -> None:
    for name, (predictions, bad, _) in load_votes().items():
        for n_systems in (5, 10):
            generator = np.random.default_rng(n_systems)
            values: dict[str, list[list[float]]] = {}
            gaps = []
            for _ in range(N_DRAWS):
                chosen = predictions.select(generator.choice(predictions.names, n_systems, replace=False).tolist())
                codes, gold, _ = encode_answers(chosen)
                for title, rank in SINGLE.items():
                    if not title.startswith("IRT"):
                        values.setdefault(title, []).append(measure(bad, rank(codes, gold)))
                suspects = find_suspects(predictions=chosen)
                values.setdefault("assay suspects", []).append(measure(bad, score_by_votes(chosen)))
                score, suspicion = place_items(suspects, chosen.ids.tolist())
                top = np.argsort(-score)[:100]
                gaps.append(suspicion[top].mean() - bad[top].mean())
            show_head(f"{name}, {n_systems} of {len(predictions.names)} systems, mean of {N_DRAWS} draws")
            for title, rows in values.items():
                show(title, np.mean(rows, axis=0).tolist())
            mean, worst = np.mean(np.abs(gaps)), np.max(np.abs(gaps))
            print(f"\nexpected less observed share in the top 100: mean size {mean:.2f}, largest {worst:.2f}")


def load_imdb() -> tuple[Dataset, pl.DataFrame, Array]:
    """Return the reviews, given probabilities with the verdicts, and which labels are wrong."""
    data = read(SHARED / "imdb/imdb.tsv.gz")
    verdicts = read_table(SHARED / "label_errors_imdb/verdicts.tsv.gz").filter(pl.col("in_folder_imdb") == "1")
    positive = verdicts["prob_positive"].cast(pl.Float64)
    frame = verdicts.select("id", "verdict", "given_label", "votes_given").with_columns(
        negative=1 - positive, positive=positive
    )
    return data, frame, (frame["verdict"] == "error").to_numpy()


def run_imdb() -> None:
    data, frame, bad = load_imdb()
    ids = frame["id"].to_list()
    table = frame.select("negative", "positive").to_numpy()
    codes = (frame["given_label"] == "positive").cast(pl.Int64).to_numpy()
    judged = (frame["votes_given"] != "").fill_null(value=False).to_numpy()
    show_head(f"IMDB: {len(bad):,} reviews, {bad.sum()} wrong labels", "AP among the judged")
    rankings: dict[str, Array] = {"self-confidence": -table[np.arange(len(codes)), codes]}
    rankings |= rank_by_cleanlab(table, codes)
    for title, score in rankings.items():
        show(title, measure(bad, score), f"{average_precision_score(bad[judged], score[judged]):.3f}")
    given = frame.select("id", "negative", "positive")
    subset = data.take(data.ids.is_in(ids))
    runs = {
        "assay suspects, same probabilities": find_suspects(subset, probabilities=given, text_model=False),
        "assay suspects, and texts": find_suspects(data, probabilities=given),
    }
    for title, suspects in runs.items():
        score, _ = place_items(suspects, ids)
        among = average_precision_score(bad[judged], score[judged])
        show(title, measure(bad, score), f"{among:.3f}; {describe_calibration_of(suspects, bad, ids)}")


def describe_calibration_of(suspects: Suspects, bad: Array, ids: list[str]) -> str:
    score, suspicion = place_items(suspects, ids)
    top = np.argsort(-score)[:100]
    return f"top 100: expected {suspicion[top].mean():.2f}, observed {bad[top].mean():.2f}"


def rank_by_cleanlab(table: Array, codes: Array) -> dict[str, Array]:
    """Rank by find_label_issues: listed items first, in its order."""
    if importlib.util.find_spec("cleanlab") is None:
        print("cleanlab is not installed: left out")
        return {}
    from cleanlab.filter import find_label_issues

    rankings = {}
    for order in ("self_confidence", "normalized_margin"):
        issues = find_label_issues(codes, table, return_indices_ranked_by=order, n_jobs=1)
        score = np.full(len(codes), -float(len(codes)))
        score[issues] = -np.arange(len(issues))
        rankings[f"cleanlab {order}"] = score
    return rankings


def plant_flips(data: Dataset, share: float, seed: int) -> tuple[Dataset, Array]:
    """Give a share of the items another label, drawn evenly."""
    generator = np.random.default_rng(seed)
    labels, names = np.array(data.labels.to_list(), dtype=object), np.array(data.label_names, dtype=object)
    flipped = np.zeros(len(labels), bool)
    flipped[generator.choice(len(labels), round(share * len(labels)), replace=False)] = True
    for row in np.flatnonzero(flipped):
        labels[row] = generator.choice(names[names != labels[row]])
    return replace(data, labels=pl.Series("label", labels.tolist(), dtype=pl.String)), flipped


def run_planted() -> None:
    print("Recall at 50% precision of planted flips (3%), and expected bad items on the data as it is.\n")
    print(
        "| data | items | labels | cleanlab, one model | assay, same probabilities | assay, its text models "
        "| top 100 expected | observed | bad items expected | without flips, share of items |"
    )
    print("|---" * 10 + "|")
    rows = []
    for name in PLANTED:
        data = select_trainable(read(next((SHARED / name).glob("*.tsv.gz"))))
        flipped, bad = plant_flips(data, FLIPPED, 0)
        folds = cross_validate(flipped, {"linear": {}}, splits=(), random_state=7)
        table = np.zeros((len(bad), len(folds.label_names)))
        for fold in folds.select(RANDOM):
            table[fold.rows] = fold.probabilities
        ids = flipped.ids.to_list()
        best = max(
            (
                recall_at_half(bad, np.argsort(-score, kind="stable"))
                for score in rank_by_cleanlab(table, folds.codes).values()
            ),
            default=np.nan,
        )
        same = find_suspects(flipped, probabilities=table, text_model=False)
        combined = find_suspects(flipped)
        clean = find_suspects(data)
        recalls = [recall_at_half(bad, np.argsort(-place_items(result, ids)[0])) for result in (same, combined)]
        score, suspicion = place_items(combined, ids)
        top = np.argsort(-score)[:100]
        rows.append([best, *recalls])
        expected, low = combined.expected_bad, clean.expected_bad.low / len(bad)
        print(
            f"| {name} | {len(bad):,} | {table.shape[1]} | {best:.3f} | {recalls[0]:.3f} | {recalls[1]:.3f} "
            f"| {suspicion[top].mean():.2f} | {bad[top].mean():.2f} "
            f"| {expected.value:.0f} [{expected.low:.0f}, {expected.high:.0f}], planted {bad.sum()} "
            f"| {clean.expected_bad.value / len(bad):.3f} [{low:.3f}, {clean.expected_bad.high / len(bad):.3f}] |",
            flush=True,
        )
    print("| mean | | | " + " | ".join(f"{value:.3f}" for value in np.mean(rows, axis=0)) + " |")


def simulate(n_items: int, n_systems: int, share: float, generator: np.random.Generator) -> tuple[Predictions, Array]:
    """Draw answers of systems to questions with four choices; items differ in difficulty, keys are wrong at random."""
    ability = generator.normal(2.0, 0.6, n_systems)
    difficulty = generator.normal(0.0, 1.5, n_items)
    truth = generator.integers(0, 4, n_items)
    distractor = (truth + generator.integers(1, 4, n_items)) % 4
    wrong = np.where(
        generator.random((n_systems, n_items)) < 0.6,
        distractor,
        (truth + generator.integers(1, 4, (n_systems, n_items))) % 4,
    )
    right = generator.random((n_systems, n_items)) < 1 / (1 + np.exp(difficulty - ability[:, None]))
    answers = np.where(right, truth, wrong)
    bad = generator.random(n_items) < share
    gold = np.where(bad, (truth + generator.integers(1, 4, n_items)) % 4, truth)
    letters = np.array(list("ABCD"))
    systems = {f"s{number}": letters[row] for number, row in enumerate(answers)}
    return Predictions.from_arrays(letters[gold], systems), bad


def run_simulated() -> None:
    print("Coverage of the interval of the number of bad items, 100 simulated benchmarks of 1,000 items each.\n")
    print("| systems | wrong keys | covered | mean expected | mean true | top 50 expected | observed |")
    print("|---" * 7 + "|")
    for n_systems in (5, 15):
        for share in (0.01, 0.03, 0.06, 0.1):
            generator = np.random.default_rng(0)
            rows = []
            for _ in range(100):
                predictions, bad = simulate(1000, n_systems, share, generator)
                result = find_suspects(predictions=predictions)
                score, suspicion = place_items(result, predictions.ids.tolist())
                top = np.argsort(-score)[:50]
                expected = result.expected_bad
                rows.append(
                    (
                        expected.low <= bad.sum() <= expected.high,
                        expected.value,
                        bad.sum(),
                        suspicion[top].mean(),
                        bad[top].mean(),
                    )
                )
            values = np.mean(rows, axis=0)
            print(
                f"| {n_systems} | {share} | {values[0]:.2f} | {values[1]:.1f} | {values[2]:.1f} "
                f"| {values[3]:.2f} | {values[4]:.2f} |",
                flush=True,
            )


def run_repair() -> None:
    cases = {
        "MMLU-Redux": ("mmlu_redux", "pred_labels.tsv.gz", "error_type", "ok"),
        "GSM8K": ("gsm8k", "pred_answers.tsv.gz", "platinum_status", "kept"),
    }
    for name, (folder, file, column, good) in cases.items():
        data = read(SHARED / folder / "items.tsv.gz", text="question", label="answer", task="classification")
        bad = (data.column(column) != good).to_numpy()
        source = str(SHARED / folder / file)
        suspects = find_suspects(data, source, text_model=False)
        for threshold in (0.3, 0.5):
            result = repair(data, suspects=suspects, drop=["suspects"], min_suspicion=threshold, predictions=source)
            dropped = data.ids.is_in([change.id for change in result.changes]).to_numpy()
            truth = repair(
                data,
                suspects=pl.DataFrame({"id": data.ids, "suspicion": bad.astype(float)}),
                drop=["suspects"],
                predictions=source,
            )
            ideal = {system.system: system for system in truth.systems}
            errors = [
                [abs(s.before - ideal[s.system].after), abs(s.after - ideal[s.system].after)] for s in result.systems
            ]
            ranks = [
                [s.rank_before != ideal[s.system].rank_after, s.rank_after != ideal[s.system].rank_after]
                for s in result.systems
            ]
            print(
                f"\n### {name}, drop from {threshold}: {dropped.sum()} items, {bad[dropped].sum()} of them bad; "
                f"{len(result.moved)} of {len(result.systems)} systems change rank"
            )
            print(
                f"distance of accuracies from those on good items: {np.mean(errors, axis=0).round(4)} before, after; "
                f"ranks that differ: {np.sum(ranks, axis=0)}"
            )
            for system in result.systems[:8]:
                print(
                    f"| {system.system} | {system.before:.4f} | {system.after:.4f} | {ideal[system.system].after:.4f} "
                    f"| {system.rank_before} | {system.rank_after} | {ideal[system.system].rank_after} |"
                )
    data = read(SHARED / "gsm8k/items.tsv.gz", text="question", label="answer", task="classification")
    source = str(SHARED / "gsm8k/pred_answers.tsv.gz")
    result = repair(data, suspects=find_suspects(data, source, text_model=False), relabel=True, predictions=source)
    changes = pl.DataFrame([change.to_dict() for change in result.changes])
    joined = changes.join(data.frame, on="id", how="left")
    print(
        "\nGSM8K relabelled:",
        joined["platinum_status"].value_counts().to_dicts(),
        "equal to the Platinum answer:",
        int((joined["new"] == joined["platinum_answer"]).sum()),
    )


def run_million() -> None:
    generator = np.random.default_rng(0)
    n, n_labels = 1_000_000, 20
    truth = generator.integers(0, n_labels, n)
    table = generator.normal(size=(n, n_labels)).astype(np.float32)
    table[np.arange(n), truth] += 4
    np.exp(table, out=table)
    table /= table.sum(axis=1, keepdims=True)
    names = np.array([f"label {number:02d}" for number in range(n_labels)])
    data = read({"text": [f"text {number}" for number in range(n)], "label": names[truth].tolist()})
    start = time.perf_counter()
    result = find_suspects(data, probabilities=table)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{n:,} items × {n_labels} labels: {seconds:.1f} s, peak {peak:.2f} GB, {result.expected_bad}")


SECTIONS = {
    "systems": run_systems,
    "few": run_few,
    "imdb": run_imdb,
    "planted": run_planted,
    "simulated": run_simulated,
    "repair": run_repair,
    "million": run_million,
}

if __name__ == "__main__":
    main()

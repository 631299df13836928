"""Wrong gold labels on known truth: `assay.find_suspects` next to simpler rankings and next to cleanlab.

    python -m benchmarks.suspects [SECTION …]  (sections: SECTIONS at the end; by default all)

Needs the shared data; the comparison with cleanlab needs cleanlab, which is no dependency of the package.
"""

from __future__ import annotations

import gzip
import importlib.util
import itertools
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.isotonic import isotonic_regression
from sklearn.metrics import average_precision_score

from assay.base.errors import AssayError
from assay.data import Dataset, read_table
from assay.discrimination.items.item_response import fit_item_response
from assay.evaluation import Predictions, read_predictions
from assay.kinds import read
from assay.models.cross_validation import cross_validate, select_trainable
from assay.models.split_drawing import RANDOM
from assay.statistics import cohen_kappa
from assay.suspects import Suspects, find_suspects, judgements, learned, repair
from assay.suspects.shares.reviewed import measure_spread, spread_reviewed
from assay.suspects.text_models import predict_out_of_fold
from assay.suspects.votes import count_votes, encode_answers, measure_agreement, tally, weigh_systems

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
RANKS = (10, 25, 50, 100)
N_DRAWS = 20
FLIPPED = 0.03
TABLE_SETS = ("cr", "trec", "mr", "ag_news", "gnad10", "sst2")
PLANTED = ("cr", "trec", "mr", "sst2", "uci_news", "atis", "ag_news", "dbpedia14", "imdb", "yelp_reviews")
FLIP_SETS = ("sentiment_hi_latn", "yelp_reviews", "mr", "cr", "trec", "ag_news")
# Files with answers of many systems, and columns that are none.
ANSWERS = {
    "MMLU-Pro": ("mmlu_pro/pred_labels.tsv.gz", ()),
    "SemEval-2016 A": ("semeval2016_cqa/pred_labels_A.tsv.gz", ("group",)),
    "SemEval-2016 B": ("semeval2016_cqa/pred_labels_B.tsv.gz", ("group",)),
    "SemEval-2016 C": ("semeval2016_cqa/pred_labels_C.tsv.gz", ("group",)),
    "ARCT": ("arct/pred_labels_test.tsv.gz", ()),
    "FigQA": ("explainaboard/figqa_preds.tsv.gz", ("text", "option0", "option1")),
}
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


def rank_by_skill(codes: Array, gold: Array) -> Array:
    """The same with every system weighted by the log odds that it is right."""
    right = ((codes == gold).sum(axis=1) + 1) / ((codes >= 0).sum(axis=1) + 2)
    weights = np.maximum(np.log(right / (1 - right)) + 0.5, 0.05)
    votes = tally(codes, gold, [""] * (codes.max() + 1), dict(enumerate(weights.tolist())))  # type: ignore[arg-type]
    return np.nan_to_num(votes.lead, nan=-1.0)


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
    "skill-weighted votes": rank_by_skill,
    "share of systems wrong": rank_by_wrong_share,
    "item-total correlation": rank_by_item_total,
    "IRT discrimination": rank_by_irt_slope,
    "IRT outfit": rank_by_irt_fit,
    "signed isotonic R²": rank_by_isotonic,
}

SIMPLE = (rank_by_majority, rank_by_skill, rank_by_wrong_share)  # the last is self-confidence: 1 less the label's share


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
    """Draws of systems, with the weights of the package and those that the other datasets choose."""
    print("Average precision over draws of systems, and paired differences to the best simple rule.\n")
    print(
        "| data | systems | majority vote | skill-weighted votes | self-confidence | assay | assay less the best "
        "| worst draw | its standard error | weights of the others less the best |"
    )
    print("|---" * 10 + "|")
    sets, used = load_codes(), get_weights()
    gains, (tempting, tempted) = compare_settings(sets), compare_tempting()
    shown = {(name, name): each for name, each in sets.items()}
    shown |= {(name, f"{name}, tempting errors"): each for name, each in load_tempting(2).items()}
    for (left_out, name), (codes, gold, bad) in shown.items():
        others = choose_without(gains, tempted, list(sets), tempting, left_out)
        for n_systems in sorted({3, 5, 10, len(codes)}):
            if n_systems > len(codes):
                continue
            generator = np.random.default_rng(n_systems)
            rows, draws = [], []
            for _ in range(N_DRAWS if n_systems < len(codes) else 1):
                chosen = codes[generator.choice(len(codes), n_systems, replace=False)]
                scores = [rank(chosen, gold) for rank in (*SIMPLE, rank_by_assay)]
                set_weights(others)
                by_others = average_precision_score(bad, rank_by_assay(chosen, gold))
                set_weights(used)
                rows.append([*(average_precision_score(bad, score) for score in scores), by_others])
                draws.append(scores)
            values = np.array(rows)
            best = values[:, : len(SIMPLE)].max(axis=1)
            gaps = values[:, -2] - best
            means = " | ".join(f"{value:.3f}" for value in values[:, :-1].mean(axis=0))
            worst = int(gaps.argmin())
            better = draws[worst][int(values[worst, : len(SIMPLE)].argmax())]
            error = measure_gap_error(bad, draws[worst][-1], better)
            print(
                f"| {name} | {n_systems} | {means} | {gaps.mean():+.3f} | {gaps.min():+.3f} | {error:.3f} "
                f"| {(values[:, -1] - best).mean():+.3f} |",
                flush=True,
            )


def run_families() -> None:
    """Simulated families of systems that give the wrong label, with other seeds than those of the learning."""
    print(
        f"Average precision, means of {N_DRAWS} simulations, and paired differences to the best simple rule in each.\n"
    )
    print(
        "| systems | ability | drawn | majority vote | skill-weighted votes | self-confidence | assay "
        "| assay less the best | standard error |"
    )
    print("|---" * 9 + "|")
    for (name, (sizes, has_own)), ability in itertools.product(FAMILIES.items(), ABILITIES):
        sets = [simulate_families(REPORT_SEED + seed, sizes, ability, has_own) for seed in range(N_DRAWS)]
        for n_systems in (3, 5, 10, sum(sizes)):
            rows = []
            for seed, (codes, gold, bad) in enumerate(sets):
                chosen = codes[np.random.default_rng(seed).choice(len(codes), n_systems, replace=False)]
                rows.append([average_precision_score(bad, rank(chosen, gold)) for rank in (*SIMPLE, rank_by_assay)])
            values = np.array(rows)
            gaps = values[:, -1] - values[:, : len(SIMPLE)].max(axis=1)
            means = " | ".join(f"{value:.3f}" for value in values.mean(axis=0))
            error = gaps.std(ddof=1) / np.sqrt(N_DRAWS)
            print(f"| {name} | {ability:g} | {n_systems} | {means} | {gaps.mean():+.3f} | {error:.3f} |", flush=True)


def measure_gap_error(bad: Array, first: Array, second: Array, n_samples: int = 100) -> float:
    """Return the standard error of a difference of AP, by resampled items."""
    generator = np.random.default_rng(0)
    samples = [generator.integers(0, len(bad), len(bad)) for _ in range(n_samples)]
    gaps = [average_precision_score(bad[r], first[r]) - average_precision_score(bad[r], second[r]) for r in samples]
    return float(np.std(gaps))


def rank_by_assay(codes: Array, gold: Array) -> Array:
    weights = weigh_systems(codes == gold, codes >= 0)
    names = [""] * (max(codes.max(), gold.max()) + 1)
    return np.nan_to_num(tally(codes, gold, names, dict(enumerate(weights.tolist()))).doubt, nan=-1.0)  # type: ignore[arg-type]


def load_codes() -> dict[str, tuple[Array, Array, Array]]:
    """Return answers, gold labels and bad items of benchmarks with known truth, and of others with 3% planted errors."""
    sets = {}
    for name, (predictions, bad, _) in load_votes().items():
        codes, gold, _ = encode_answers(predictions)
        sets[name] = codes, gold, bad
    for name, (file, dropped) in ANSWERS.items():
        codes, gold = read_codes(file, dropped)
        sets[f"{name}, 3% planted"] = codes, *plant_codes(gold, FLIPPED, 0)
    return sets


def read_codes(file: str, dropped: tuple[str, ...]) -> tuple[Array, Array]:
    table = read_table(SHARED / file).drop("id", *dropped)
    columns = {column: table[column].to_list() for column in table.columns if column != "gold"}
    return encode_answers(Predictions.from_arrays(table["gold"].to_list(), columns))[:2]


def plant_codes(gold: Array, share: float, seed: int) -> tuple[Array, Array]:
    generator, names = np.random.default_rng(seed), np.unique(gold)
    flipped = generator.permutation(len(gold)) < round(share * len(gold))
    planted = gold.copy()
    for row in np.flatnonzero(flipped):
        planted[row] = generator.choice(names[names != gold[row]])
    return planted, flipped


def load_tempting(seed: int) -> dict[str, tuple[Array, Array, Array]]:
    """Return answers, gold labels and bad items with 3% planted errors that systems make too.

    The labels, of confirmed items if people reviewed them, are replaced by the wrong answer that most systems give.
    """
    sources = {name: (*encode_answers(answers)[:2], ~bad) for name, (answers, bad, _) in load_votes().items()}
    codes, gold = read_codes(*ANSWERS["MMLU-Pro"])
    sources["MMLU-Pro, 3% planted"] = codes, gold, np.ones(len(gold), bool)
    return {name: plant_tempting(codes[:, good], gold[good], seed) for name, (codes, gold, good) in sources.items()}


def plant_tempting(codes: Array, gold: Array, seed: int) -> tuple[Array, Array, Array]:
    planted, flipped = plant_codes(gold, FLIPPED, seed)
    counts = np.stack([(codes[:, flipped] == code).sum(axis=0) for code in range(codes.max() + 1)])
    counts[gold[flipped], np.arange(flipped.sum())] = 0
    planted[flipped] = np.where(counts.max(axis=0) > 0, counts.argmax(axis=0), planted[flipped])
    return codes, planted, flipped


# Families of systems: how many there are of each, and whether each has a tempting answer of its own.
FAMILIES = {
    "4 families of 5, one tempting answer": ((5, 5, 5, 5), False),
    "4 families of 5, one each": ((5, 5, 5, 5), True),
    "2 families of 10, one tempting answer": ((10, 10), False),
    "2 families of 10, one each": ((10, 10), True),
    "10 families of 2, one tempting answer": ((2,) * 10, False),
    "10 families of 2, one each": ((2,) * 10, True),
    "families of 2, 6 and 12, one each": ((2, 6, 12), True),
}
ABILITIES = (0.5, 1.5, 3.0)
LEARNING_SEED, REPORT_SEED = 500, 9000


def load_families(seed: int) -> dict[str, tuple[Array, Array, Array]]:
    """Return simulated families of systems whose most frequent wrong answer is planted in 3% of the items."""
    cases = itertools.product(FAMILIES.items(), ABILITIES)
    return {
        f"{name}, ability {ability:g}": simulate_families(seed + number, sizes, ability, has_own)
        for number, ((name, (sizes, has_own)), ability) in enumerate(cases)
    }


def simulate_families(seed: int, sizes: tuple[int, ...], ability: float, has_own: bool) -> tuple[Array, Array, Array]:
    """Draw answers to 1,500 questions with four choices; 8 in 10 answers of a system are those of its family.

    8 in 10 wrong answers are the tempting one, of the item or (if `has_own`) of the item and the family.
    """
    rng, n = np.random.default_rng(seed), 1500
    truth, difficulty, abilities = rng.integers(0, 4, n), rng.normal(0, 1.8, n), rng.normal(ability, 1, len(sizes))

    def draw_other() -> Array:
        return (truth + rng.integers(1, 4, n)) % 4

    def answer(skill: float, lure: Array) -> Array:
        wrong = np.where(rng.random(n) < 0.8, lure, draw_other())
        return np.where(rng.random(n) < 1 / (1 + np.exp(difficulty - skill)), truth, wrong)

    common, rows = draw_other(), []
    for size, skill in zip(sizes, abilities, strict=True):
        lure = draw_other() if has_own else common
        family = answer(skill, lure)
        rows += [np.where(rng.random(n) < 0.8, family, answer(skill + rng.normal(0, 0.3), lure)) for _ in range(size)]
    return plant_tempting(np.stack(rows), truth, seed)


SETTINGS = list(itertools.product((2.0, 3.0, 4.0, 5.0, 6.0), (0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8), (1.0, 2.0)))
CONSTANTS = ("SKILL_EXPONENT", "SCATTER", "SHARING_EXPONENT")
LEARNED = Path(learned.__file__)
N_LEARNING_DRAWS = 6
MIN_REVIEWED = 0.001  # of the items: a share of 0 is as good as this


def get_weights() -> tuple[float, ...]:
    return tuple(getattr(learned, name) for name in CONSTANTS)


def set_weights(setting: tuple[float, ...]) -> None:
    for name, value in zip(CONSTANTS, setting, strict=True):
        setattr(learned, name, value)


def compare_settings(sets: dict[str, tuple[Array, Array, Array]]) -> Array:
    """Return the logarithm of AP over that of the best simple rule (settings × datasets).

    It is the mean over 3, 5 and 10 systems, drawn six times each, and all systems.
    """
    used, gains = get_weights(), np.zeros((len(SETTINGS), len(sets)))
    for column, (codes, gold, bad) in enumerate(sets.values()):
        numbers = sorted({min(n, len(codes)) for n in (3, 5, 10, len(codes))})
        for n in numbers:
            generator = np.random.default_rng(100 + n)
            draws = N_LEARNING_DRAWS if n < len(codes) else 1
            for _ in range(draws):
                chosen = codes[generator.choice(len(codes), n, replace=False)]
                simple = [average_precision_score(bad, rank(chosen, gold)) for rank in SIMPLE]
                for row, setting in enumerate(SETTINGS):
                    set_weights(setting)
                    gain = np.log(average_precision_score(bad, rank_by_assay(chosen, gold)) / max(simple))
                    gains[row, column] += gain / draws / len(numbers)
    set_weights(used)
    return gains


def compare_tempting() -> tuple[list[str], Array]:
    """Return the names and gains of datasets with tempting errors; families of one kind are one dataset."""
    real, families = load_tempting(0), load_families(LEARNING_SEED)
    gains = compare_settings(families).reshape(len(SETTINGS), len(FAMILIES), len(ABILITIES)).mean(axis=2)
    return [*real, *FAMILIES], np.concatenate([compare_settings(real), gains], axis=1)


def choose_setting(gains: Array, tempting: Array) -> tuple[float, ...]:
    """Return the least exponent of skill that is within a standard error of the best mean over datasets.

    Of settings with this exponent, the one with the best mean. Settings with which a simple rule is better on a dataset
    with tempting errors are left out.
    """
    allowed = np.flatnonzero(tempting.min(axis=1) >= 0)
    means = gains[allowed].mean(axis=1)
    lost = gains[allowed[means.argmax()]] - gains[allowed]
    error = lost.std(axis=1, ddof=1) / np.sqrt(gains.shape[1])
    near = allowed[lost.mean(axis=1) <= error + 1e-12]
    least = min(SETTINGS[row][0] for row in near)
    return SETTINGS[max((row for row in near if SETTINGS[row][0] == least), key=lambda row: gains[row].mean())]


def choose_without(
    gains: Array, tempting: Array, names: list[str], tempting_names: list[str], left_out: str
) -> tuple[float, ...]:
    """Return the setting that is chosen without a dataset, with errors of any kind."""
    kept = [[column for column, name in enumerate(each) if name != left_out] for each in (names, tempting_names)]
    return choose_setting(gains[:, kept[0]], tempting[:, kept[1]])


def run_learning() -> None:
    """Choose the weights of votes over all datasets and store them, and show the choice with each dataset left out."""
    sets = load_codes()
    gains, (tempting, tempted) = compare_settings(sets), compare_tempting()
    chosen, best = choose_setting(gains, tempted), int(gains.mean(axis=1).argmax())
    print("skill exponent, scatter, exponent of shared errors; AP over that of the best simple rule\n")
    for title, row in (("best mean", best), ("chosen and stored", SETTINGS.index(chosen))):
        least = np.exp(tempted[row].min())
        print(f"{title}: {SETTINGS[row]}, {np.exp(gains[row].mean()):.3f}, with tempting errors at least {least:.3f}")
    print(
        "\n| left out | chosen on the others | AP over the best simple rule on it | with tempting errors | as stored |"
    )
    print("|---|---|---|---|---|")
    for column, name in enumerate(sets):
        setting = choose_without(gains, tempted, list(sets), tempting, name)
        rows = [SETTINGS.index(each) for each in (setting, chosen)]
        cells = [f"{np.exp(gains[rows[0], column]):.3f}", "", f"{np.exp(gains[rows[1], column]):.3f}"]
        if name in tempting:
            planted = np.exp(tempted[rows, tempting.index(name)])
            cells = [cells[0], f"{planted[0]:.3f}", f"{cells[2]}, {planted[1]:.3f}"]
        print(f"| {name} | {setting} | {' | '.join(cells)} |", flush=True)
    set_weights(chosen)
    curves, most = learn_reviewed(count_reviewed())
    store(dict(zip(CONSTANTS, chosen, strict=True)) | {"REVIEWED_BAD": curves, "MAX_BAD": most})


def count_reviewed() -> dict[str, list[Array]]:
    """Return the bad items with at least each doubt, and all bad ones, as shares of all items.

    One row each for draws of 3, 5 and 10 systems and for all; one row for the model of IMDB.
    """
    levels, counts = np.array([*learned.REVIEWED_DOUBTS, -2.0]), {}
    for name, (predictions, bad, _) in load_votes().items():
        codes, gold, _ = encode_answers(predictions)
        counts[name] = []
        for n in (3, 5, 10, len(codes)):
            generator, rows = np.random.default_rng(n), []
            for _ in range(N_DRAWS if n < len(codes) else 1):
                doubt = rank_by_assay(codes[generator.choice(len(codes), n, replace=False)], gold)
                rows.append((doubt[bad][:, None] >= levels).sum(axis=0) / len(gold))
            counts[name].append(np.mean(rows, axis=0))
    _, _, bad, doubt = load_imdb_doubt()
    counts["IMDB"] = [(doubt[bad][:, None] >= levels).sum(axis=0) / len(bad)]
    return counts


def load_imdb_doubt() -> tuple[Array, Array, Array, Array]:
    """Return probabilities, labels, wrong labels, and the probability against the label less that for it."""
    _, frame, bad = load_imdb()
    table = frame.select("negative", "positive").to_numpy()
    codes = (frame["given_label"] == "positive").cast(pl.Int64).to_numpy()
    return table, codes, bad, 1 - 2 * table[np.arange(len(codes)), codes]


def learn_reviewed(counts: dict[str, list[Array]]) -> tuple[tuple[float, ...], float]:
    """Return the geometric mean over benchmarks, and the share of bad items that one benchmark in twenty exceeds."""
    means = np.log(np.maximum([np.mean(rows, axis=0) for rows in counts.values()], MIN_REVIEWED))
    curve = np.exp(means[:, :-1].mean(axis=0))
    most = np.exp(means[:, -1].mean() + 1.64 * means[:, -1].std(ddof=1)) if len(means) > 1 else np.nan
    return tuple(float(f"{value:.3g}") for value in curve), float(f"{most:.2g}")


def run_reviewed() -> None:
    """Bad items on reviewed benchmarks by doubt, and what they say of a benchmark that is left out."""
    counts = count_reviewed()
    print("Bad items per 1,000 with at least this doubt\n")
    print("| benchmark | systems | " + " | ".join(f"{doubt:g}" for doubt in learned.REVIEWED_DOUBTS) + " |")
    print("|---" * (len(learned.REVIEWED_DOUBTS) + 2) + "|")
    for name, rows in counts.items():
        for systems, row in zip((3, 5, 10, "all") if len(rows) > 1 else ("1 model",), rows, strict=True):
            print(f"| {name} | {systems} | " + " | ".join(f"{1000 * value:.0f}" for value in row[:-1]) + " |")
    print("\nThe curve of the other two benchmarks applied to each\n")
    print("| left out | systems | items of at least 0.5: n | expected | observed | top 100: expected | observed |")
    print("|---" * 7 + "|")
    stored = learned.REVIEWED_BAD
    for name, (predictions, bad, _) in load_votes().items():
        learned.REVIEWED_BAD = learn_reviewed({other: rows for other, rows in counts.items() if other != name})[0]
        codes, gold, answers = encode_answers(predictions)
        for n in (5, 10, len(codes)):
            rows = np.random.default_rng(n).choice(len(codes), n, replace=False)
            weights = weigh_systems(codes[rows] == gold, codes[rows] >= 0)
            votes = tally(codes[rows], gold, answers, dict(enumerate(weights.tolist())))  # type: ignore[arg-type]
            show_reviewed(f"{name} | {n}", measure_spread(votes) * spread_reviewed(votes.doubt), votes.doubt, bad)
    learned.REVIEWED_BAD = learn_reviewed({name: rows for name, rows in counts.items() if name != "IMDB"})[0]
    _, _, bad, doubt = load_imdb_doubt()
    show_reviewed("IMDB | 1 model", spread_reviewed(np.where(doubt > 0, doubt, -1.0)), doubt, bad)
    learned.REVIEWED_BAD = stored


def show_reviewed(name: str, chance: Array, doubt: Array, bad: Array) -> None:
    top, likely = np.argsort(-np.nan_to_num(doubt, nan=-1.0), kind="stable")[:100], chance >= 0.5
    cells = f"{likely.sum()} | {chance[likely].mean():.2f} | {bad[likely].mean():.2f}" if likely.any() else "0 | | "
    print(f"| {name} | {cells} | {chance[top].mean():.2f} | {bad[top].mean():.2f} |", flush=True)


def store(values: dict[str, Any]) -> None:
    """Write learned constants into the package; comments stay."""
    lines = LEARNED.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        name, _, rest = line.partition(" = ")
        if name in values:
            _, mark, comment = rest.partition("  # ")
            lines[number] = f"{name} = {values[name]}{mark}{comment}"
    LEARNED.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_table() -> None:
    """All datasets with known truth, by assay and by simpler rankings; the weights of votes chosen on the others."""
    print(
        "| data | assay | assay, weights of the others | majority vote | skill-weighted votes | self-confidence "
        "| cleanlab | P@50: assay | majority vote | skill-weighted votes | self-confidence | cleanlab "
        "| top 100: expected | observed |"
    )
    print("|---" * 14 + "|")
    sets, used = load_codes(), get_weights()
    gains, (tempting, tempted) = compare_settings(sets), compare_tempting()
    for name, (codes, gold, bad) in sets.items():
        set_weights(choose_without(gains, tempted, list(sets), tempting, name))
        others = rank_by_assay(codes, gold)
        set_weights(used)
        result = find_by_codes(codes, gold)
        labels, own = np.unique(gold, return_inverse=True)
        shares = np.stack([(codes == label).mean(axis=0) for label in labels], axis=1)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-9)
        rankings = {
            "assay": rank_by_assay(codes, gold),
            "others": others,
            "majority": rank_by_majority(codes, gold),
            "skill": rank_by_skill(codes, gold),
        }
        show_case(f"{name}, {len(codes)} systems", bad, rankings | rank_by_probabilities(shares, own, bad), result)
    for name, (table, codes, bad, result, ids) in load_tables():
        rankings = {"assay": place_items(result, ids)[0]} | rank_by_probabilities(table, codes, bad)
        show_case(name, bad, rankings, result, ids)


def show_case(
    name: str, bad: Array, rankings: dict[str, Array], result: Suspects, ids: list[str] | None = None
) -> None:
    kinds = ("assay", "others", "majority", "skill", "self-confidence", "cleanlab")
    ap = [average_precision_score(bad, rankings[kind]) if kind in rankings else None for kind in kinds]
    at_50 = [precision_at(bad, rankings[kind], 50) if kind in rankings else None for kind in kinds if kind != "others"]
    score, suspicion = place_items(result, ids or [str(row) for row in range(len(bad))])
    top = np.argsort(-score)[:100]
    expected = "order only" if result.order_only else f"{suspicion[top].mean():.2f}"
    cells = ["" if value is None else f"{value:.3f}" for value in ap]
    cells += ["" if value is None else f"{value:.2f}" for value in at_50]
    print(
        f"| {name}, {bad.sum()} of {len(bad):,} bad | {' | '.join(cells)} | {expected} | {bad[top].mean():.2f} |",
        flush=True,
    )


def rank_by_probabilities(table: Array, codes: Array, bad: Array) -> dict[str, Array]:
    """Rank by self-confidence and by cleanlab, of whose orders the best one is taken."""
    rankings = {"self-confidence": -table[np.arange(len(codes)), codes]}
    found = rank_by_cleanlab(table, codes)
    if found:
        rankings["cleanlab"] = max(found.values(), key=lambda score: average_precision_score(bad, score))
    return rankings


def load_tables() -> Iterator[tuple[str, tuple[Array, Array, Array, Suspects, list[str]]]]:
    """Yield given probabilities, labels, bad items and suspects: IMDB, and 3% planted errors elsewhere."""
    data, frame, bad = load_imdb()
    ids = frame["id"].to_list()
    table = frame.select("negative", "positive").to_numpy()
    codes = (frame["given_label"] == "positive").cast(pl.Int64).to_numpy()
    given, subset = frame.select("id", "negative", "positive"), data.take(data.ids.is_in(ids))
    yield "IMDB", (table, codes, bad, find_suspects(subset, probabilities=given, text_model=False), ids)
    for name in TABLE_SETS:
        whole = read(next((SHARED / name).glob("*.tsv.gz")))
        rows = np.sort(np.random.default_rng(3).permutation(len(whole))[:4000])
        flipped, bad = plant_flips(select_trainable(whole.take(rows)), FLIPPED, 0)
        table, codes = train_table(flipped)
        result = find_suspects(flipped, probabilities=table, text_model=False)
        yield f"{name}, 3% planted", (table, codes, bad, result, flipped.ids.to_list())


def train_table(data: Dataset) -> tuple[Array, Array]:
    """Return out-of-fold probabilities of one linear model, and the numbers of the labels."""
    folds = cross_validate(data, {"linear": {}}, splits=(), random_state=7)
    table = np.zeros((len(data), len(folds.label_names)))
    for fold in folds.select(RANDOM):
        table[fold.rows] = fold.probabilities
    return table, folds.codes


def load_imdb() -> tuple[Dataset, pl.DataFrame, Array]:
    """Return the reviews, given probabilities with the verdicts, and which labels are wrong."""
    data = read(SHARED / "imdb/imdb.tsv.gz")
    verdicts = read_table(SHARED / "label_errors_imdb/verdicts.tsv.gz").filter(pl.col("in_folder_imdb") == "1")
    positive = verdicts["prob_positive"].cast(pl.Float64)
    frame = verdicts.select("id", "verdict", "given_label", "votes_given").with_columns(
        negative=1 - positive, positive=positive
    )
    return data, frame, (frame["verdict"] == "error").to_numpy()


def run_calibration() -> None:
    """What is claimed and found on errors that people found, and on planted ones among labels that people confirmed."""
    print(
        "| data | planted | top 100: expected | observed | suspects | claimed | right | bad items: expected | truly |"
    )
    print("|---" * 9 + "|")
    for name, (predictions, bad, half) in load_votes().items():
        codes, gold, _ = encode_answers(predictions)
        show_claims(f"{name} | ", find_by_codes(codes, gold), bad)
        for part in (0, 1):
            rows = half == part
            show_claims(f"{name}, half {part + 1} | ", find_by_codes(codes[:, rows], gold[rows]), bad[rows])
        for share in (0.0, FLIPPED, 0.08):
            planted, wrong = plant_codes(gold[~bad], share, 2)
            show_claims(f"{name}, good items | {share:.0%}", find_by_codes(codes[:, ~bad], planted), wrong)
    table, labels, bad, _ = load_imdb_doubt()
    show_claims("IMDB | ", find_by_table(table, labels), bad)
    for share in (0.0, FLIPPED, 0.08):
        planted, wrong = plant_codes(labels[~bad], share, 2)
        show_claims(f"IMDB, good items | {share:.0%}", find_by_table(table[~bad], planted), wrong)
    for name, (file, dropped) in ANSWERS.items():
        codes, gold = read_codes(file, dropped)
        for share in (0.0, FLIPPED):
            planted, wrong = plant_codes(gold, share, 2)
            show_claims(f"{name}, {len(codes)} systems | {share:.0%}", find_by_codes(codes, planted), wrong)
    for name in TABLE_SETS:
        whole = read(next((SHARED / name).glob("*.tsv.gz")))
        data = select_trainable(whole.take(np.sort(np.random.default_rng(3).permutation(len(whole))[:4000])))
        for share in (0.0, FLIPPED):
            flipped, wrong = plant_flips(data, share, 2)
            table, labels = train_table(flipped)
            show_claims(f"{name}, text model | {share:.0%}", find_by_table(table, labels), wrong)


def find_by_codes(codes: Array, gold: Array) -> Suspects:
    names = np.array([str(code) for code in range(max(codes.max(), gold.max()) + 1)] + [None], dtype=object)
    answers = {f"s{number}": names[row] for number, row in enumerate(codes)}
    return find_suspects(predictions=Predictions.from_arrays(names[gold], answers))


def find_by_table(table: Array, codes: Array) -> Suspects:
    data = {"id": [str(row) for row in range(len(codes))], "label": [f"{code:03d}" for code in codes.tolist()]}
    return find_suspects(pl.DataFrame(data), probabilities=table, text="none")


def show_claims(name: str, result: Suspects, bad: Array) -> None:
    score, suspicion = place_items(result, [str(row) for row in range(len(bad))])
    order, total, n = np.argsort(-score), result.expected_bad, result.suspected.count
    expected = "order only" if result.order_only else f"{suspicion[order[:100]].mean():.2f}"
    claimed = f"{n} | {result.precision:.2f} | {bad[order[:n]].mean():.2f}" if n else "0 | | "
    number = "order only" if result.order_only else f"{total.value:.0f} [{total.low:.0f}, {total.high:.0f}]"
    print(f"| {name} | {expected} | {bad[order[:100]].mean():.2f} | {claimed} | {number} | {bad.sum()} |", flush=True)


def run_overlap() -> None:
    """Questions of MMLU-Pro that MMLU-Redux reviewed as questions of MMLU: what would be claimed, and what is bad."""
    redux = read_table(SHARED / "mmlu_redux/items.tsv.gz")
    verdicts = zip(redux["question"].to_list(), redux["error_type"].to_list(), strict=True)
    is_bad = {simplify(question): verdict != "ok" for question, verdict in verdicts}
    with gzip.open(SHARED / "mmlu_pro/items.jsonl.gz", "rt", encoding="utf-8") as file:
        questions = {str(row["question_id"]): simplify(row["question"]) for row in map(json.loads, file)}
    ids = read_table(SHARED / "mmlu_pro/pred_labels.tsv.gz")["id"].cast(pl.String).to_list()
    codes, gold = read_codes(*ANSWERS["MMLU-Pro"])
    rows = np.array([row for row, name in enumerate(ids) if questions[name] in is_bad])
    bad = np.array([is_bad[questions[ids[row]]] for row in rows])
    for name, (predictions, _, _) in load_votes().items():
        print(f"{name}: agreement {measure_agreement(count_votes(predictions)):.2f}")
    print(f"{len(rows)} questions, {bad.sum()} bad\n")
    print(
        "| systems | agreement | items of at least 0.5: n | claimed | bad | 0.25 to 0.5: n | claimed | bad | as used |"
    )
    print("|---" * 9 + "|")
    ranked = np.argsort(-(codes == gold).mean(axis=1))
    draws = {"all 29": ranked, "best 5": ranked[:5], "best 10": ranked[:10]}
    for n, seed in itertools.product((5, 10), range(3)):
        draws[f"{n} drawn, {seed}"] = np.random.default_rng(seed).choice(29, n, replace=False)
    used = judgements.MIN_AGREEMENT
    for name, systems in draws.items():
        weights = weigh_systems(codes[systems] == gold, codes[systems] >= 0)
        votes = tally(codes[systems], gold, [""] * (codes.max() + 1), dict(enumerate(weights.tolist())))  # type: ignore[arg-type]
        judgements.MIN_AGREEMENT = -1.0
        _, suspicion = place_items(find_by_codes(codes[systems], gold), [str(row) for row in range(len(gold))])
        judgements.MIN_AGREEMENT = used
        agreement, cells = measure_agreement(votes), []
        for low, high in ((0.5, 1.0), (0.25, 0.5)):
            inside = (suspicion[rows] >= low) & (suspicion[rows] < high)
            means = f"{suspicion[rows][inside].mean():.2f} | {bad[inside].mean():.2f}" if inside.any() else " | "
            cells.append(f"{inside.sum()} | {means}")
        print(f"| {name} | {agreement:.2f} | {' | '.join(cells)} | {'order only' if agreement < used else ''} |")


def simplify(question: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in question.casefold()).split())


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
    """Rank by find_label_issues, listed items first, and by its quality scores."""
    if importlib.util.find_spec("cleanlab") is None:
        print("cleanlab is not installed: left out")
        return {}
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    rankings = {}
    for order in ("self_confidence", "normalized_margin"):
        rankings[f"cleanlab {order}, all items"] = -get_label_quality_scores(codes, table, method=order)
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
        table, codes = train_table(flipped)
        ids = flipped.ids.to_list()
        best = max(
            (
                recall_at_half(bad, np.argsort(-score, kind="stable"))
                for score in rank_by_cleanlab(table, codes).values()
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


def run_flips() -> None:
    print("Expected and planted wrong labels, by text models, on 2,000 rows.\n")
    print("| data | kappa | flipped | expected | order only | suspects | claimed | right | top 100: claimed | right |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in FLIP_SETS:
        whole = read(next((SHARED / name).glob("*.tsv.gz")))
        rows = np.sort(np.random.default_rng(11).permutation(len(whole))[:2000])
        for share in (0.0, 0.02, 0.04, 0.08, 0.12):
            data, bad = plant_flips(select_trainable(whole.take(rows)), share, 5)
            kappa = measure_kappa(data)
            try:
                result = find_suspects(data)
            except AssayError as error:
                print(f"| {name} | {kappa:.2f} | {bad.sum()} | {error.fact} | | | | | | |")
                continue
            score, suspicion = place_items(result, data.ids.to_list())
            order = np.argsort(-score)
            n, top, total = result.suspected.count, order[:100], result.expected_bad
            found = bad[order[:n]].mean() if n else np.nan
            print(
                f"| {name} | {kappa:.2f} | {bad.sum()} | {total.value:.0f} [{total.low:.0f}, {total.high:.0f}] "
                f"| {'yes' if result.order_only else ''} | {n} | {result.precision:.2f} | {found:.2f} "
                f"| {suspicion[top].mean():.2f} | {bad[top].mean():.2f} |",
                flush=True,
            )


def measure_kappa(data: Dataset) -> float:
    found = predict_out_of_fold(data)
    labels = np.array(data.labels.to_list(), dtype=object)[found.rows]
    said = np.array(found.labels, dtype=object)[found.probabilities.argmax(axis=1)]
    return cohen_kappa(said.tolist(), labels.tolist()).value


def simulate(
    seed: int, share: float, n: int, n_systems: int, common: float, tail: str, ability: float = 1.5
) -> tuple[Predictions, Array]:
    """Draw answers to questions with four choices by systems that share difficulty and their most frequent error."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(ability, 0.6, (n_systems, 1))
    difficulty = rng.normal(0, 1.8, n) if tail == "normal" else 1.2 * rng.standard_t(3, n)
    truth = rng.integers(0, 4, n)
    distractor = (truth + rng.integers(1, 4, n)) % 4
    right = rng.random((n_systems, n)) < 1 / (1 + np.exp(difficulty - skill))
    other = np.where(rng.random((n_systems, n)) < common, distractor, (truth + rng.integers(1, 4, (n_systems, n))) % 4)
    bad = rng.permutation(n) < round(share * n)
    gold = np.where(bad, (truth + rng.integers(1, 4, n)) % 4, truth)
    letters = np.array(list("ABCD"))
    systems = {f"s{number}": letters[row] for number, row in enumerate(np.where(right, truth, other))}
    return Predictions.from_arrays(letters[gold], systems), bad


def run_shared() -> None:
    print("Simulated systems that share difficulty and wrong answers, 20 runs each.\n")
    print(
        "| items | systems | ability | errors that agree | difficulty | wrong keys | interval holds | order only "
        "| expected, mean | runs with suspects | claimed | right |"
    )
    print("|---" * 12 + "|")
    cases = [(1833, 8, 0.8, 1.5), (1000, 8, 0.8, 3.0), (1833, 8, 0.8, 3.0), (1833, 8, 1.0, 3.0), (1833, 8, 0.6, 3.0)]
    cases += [(1500, 24, 0.8, 3.0)]
    for (n, n_systems, common, ability), tail in itertools.product(cases, ("normal", "heavy")):
        for share in (0.0, 0.03):
            rows = []
            for seed in range(20):
                predictions, bad = simulate(seed, share, n, n_systems, common, tail, ability)
                result = find_suspects(predictions=predictions)
                total, ids = result.expected_bad, result.to_frame()["id"].cast(pl.Int64).to_numpy()
                holds = result.order_only or total.low <= bad.sum() <= total.high
                found = bad[ids[: result.suspected.count]].mean() if result.suspected.count else np.nan
                rows.append(
                    (holds, result.order_only, total.value, result.suspected.count > 0, result.precision, found)
                )
            values = np.array(rows, dtype=float)
            has = values[:, 3] > 0
            claimed = values[has, 4:].mean(axis=0) if has.any() else (np.nan, np.nan)
            print(
                f"| {n:,} | {n_systems} | {ability:g} | {common} | {tail} | {share:.0%} | {values[:, 0].sum():.0f} of 20 "
                f"| {values[:, 1].sum():.0f} | {np.nanmean(values[:, 2]):.0f} of {share * n:.0f} | {has.sum()} "
                f"| {claimed[0]:.2f} | {claimed[1]:.2f} |",
                flush=True,
            )


# Planted errors of other kinds of task

Case = tuple[dict[str, list[Any]], dict[str, list[str]], Array]  # data, answers of systems, and which items are bad


def run_kinds() -> None:
    """Answers of real systems (tagging) or of simulated ones, and labels changed as people change them."""
    print(
        "Planted errors in 3% of the items, and none; 'simple' is the share of systems whose answer is not the gold one.\n"
    )
    print(
        "| kind | AP assay | AP simple | P@n: assay | simple | n: expected | observed | bad items: expected | planted "
        "| without planted errors: expected | suspects |"
    )
    print("|---" * 11 + "|")
    for name, make in MAKERS.items():
        cells = []
        for share in (FLIPPED, 0.0):
            data, answers, bad = make(np.random.default_rng(0), share)
            ids = [str(row) for row in range(len(bad))]
            result = find_suspects(data, answers, text_model=False)
            total = result.expected_bad
            number = "order only" if result.order_only else f"{total.value:.0f} [{total.low:.0f}, {total.high:.0f}]"
            if not share:
                cells += [number, str(result.suspected.count)]
                continue
            score, suspicion = place_items(result, ids)
            gold = next(data[column] for column in ("label", "labels", "tags", "answers") if column in data)
            simple = np.mean([measure_misses(column, gold) for column in answers.values()], axis=0)
            n = int(bad.sum())
            top = np.argsort(-score)[:n]
            values = [average_precision_score(bad, each) for each in (score, simple)]
            at_n = [precision_at(bad, each, n) for each in (score, simple)]
            cells += [f"{value:.3f}" for value in values] + [f"{value:.2f}" for value in at_n]
            cells += [
                "" if result.order_only else f"{suspicion[top].mean():.2f}",
                f"{bad[top].mean():.2f}",
                number,
                str(n),
            ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def measure_misses(answers: list[str], gold: list[Any]) -> list[float]:
    """Return how far each answer is from the gold one: the distance of grades, else 0 or 1."""
    if isinstance(gold[0], float):
        return [abs(float(answer) - value) for answer, value in zip(answers, gold, strict=True)]
    written = [" ".join(value) if isinstance(value, list) else value for value in gold]
    return [float(answer != value) for answer, value in zip(answers, written, strict=True)]


def draw_bad(rng: Array, n: int, share: float) -> Array:
    return rng.permutation(n) < round(share * n)


def make_spans(rng: Array, share: float) -> Case:
    """WNUT-17: entities removed, added, shifted by a token or given another type; seven real systems."""
    table = read_table(SHARED / "wnut17/test_predictions.tsv.gz")
    sentences = table.group_by("sentence", maintain_order=True).agg(pl.exclude("sentence"))
    tags = sentences["gold"].to_list()
    types = sorted({tag[2:] for row in tags for tag in row if tag != "O"})
    bad = draw_bad(rng, len(tags), share)
    for row in np.flatnonzero(bad):
        tags[row] = change_span(rng, list(tags[row]), types)
    names = [name for name in sentences.columns if name not in ("sentence", "token", "gold")]
    answers = {name: [" ".join(row) for row in sentences[name].to_list()] for name in names}
    return {"tokens": sentences["token"].to_list(), "tags": tags}, answers, bad


def make_tags(rng: Array, share: float) -> Case:
    """English Web Treebank: a part of speech replaced; eight simulated systems that share difficulty and errors."""
    with gzip.open(SHARED / "ud_english_ewt/en_ewt-ud-test_part.conllu.gz", "rt", encoding="utf-8") as file:
        blocks = [block.splitlines() for block in file.read().split("\n\n")]
    words = [[line.split("\t") for line in lines if line.split("\t")[0].isdigit()] for lines in blocks]
    words = [sentence for sentence in words if sentence]
    tags = [[word[3] for word in sentence] for sentence in words]
    right, ends = np.array([tag for row in tags for tag in row]), np.cumsum([len(row) for row in tags])[:-1]
    names = np.unique(right)

    def draw_other() -> Array:
        places = np.searchsorted(names, right)
        return names[(places + rng.integers(1, len(names), len(right))) % len(names)]

    lure, difficulty = draw_other(), rng.normal(0, 1.5, len(right))
    answers = {}
    for number in range(8):
        is_right = rng.random(len(right)) < 1 / (1 + np.exp(difficulty - rng.normal(3.0, 0.5)))
        wrong = np.where(rng.random(len(right)) < 0.6, lure, draw_other())
        answers[f"s{number}"] = [" ".join(row) for row in np.split(np.where(is_right, right, wrong), ends)]
    bad = draw_bad(rng, len(tags), share)
    for row in np.flatnonzero(bad):
        place = rng.integers(len(tags[row]))
        tags[row][place] = str(rng.choice(names[names != tags[row][place]]))
    return {"tokens": [[word[1] for word in sentence] for sentence in words], "tags": tags}, answers, bad


def change_span(rng: Array, tags: list[str], types: list[str]) -> list[str]:
    starts = [place for place, tag in enumerate(tags) if tag.startswith("B-")]
    if not starts or rng.random() < 0.25:  # a new entity
        free = [
            place
            for place, tag in enumerate(tags)
            if tag == "O" and not "".join(tags[place + 1 : place + 2]).startswith("I-")
        ]
        if free:
            tags[rng.choice(free)] = f"B-{rng.choice(types)}"
        return tags
    start = int(rng.choice(starts))
    end = start + 1
    while end < len(tags) and tags[end].startswith("I-"):
        end += 1
    kind = rng.integers(3)
    if kind == 0:
        tags[start:end] = ["O"] * (end - start)
    elif kind == 1:
        other = rng.choice([name for name in types if name != tags[start][2:]])
        tags[start:end] = [f"{tag[:2]}{other}" for tag in tags[start:end]]
    elif end < len(tags) and tags[end] == "O":
        tags[end] = f"I-{tags[start][2:]}"
    else:
        tags[start:end] = ["O"] * (end - start)
    return tags


def make_label_sets(rng: Array, share: float) -> Case:
    """GoEmotions: a label removed, added or replaced; eight simulated systems that share difficulty and errors."""
    table = read_table(SHARED / "goemotions/goemotions.tsv.gz").head(3000)
    sets = [set(cell.split("|")) for cell in table["labels"].to_list()]
    names = sorted(set.union(*sets))
    answers: dict[str, list[str]] = {}
    difficulty = rng.normal(0, 1.5, len(sets))
    lure = rng.choice(names, len(sets))
    for number in range(8):
        is_wrong = rng.random(len(sets)) > 1 / (1 + np.exp(difficulty - rng.normal(1.5, 0.5)))
        said = [change_set(rng, own, names, lure[row]) if is_wrong[row] else own for row, own in enumerate(sets)]
        answers[f"s{number}"] = ["|".join(sorted(each)) or "(none)" for each in said]
    bad = draw_bad(rng, len(sets), share)
    gold = [change_set(rng, own, names) if bad[row] else own for row, own in enumerate(sets)]
    return {"text": table["text"].to_list(), "labels": ["|".join(sorted(each)) for each in gold]}, answers, bad


def change_set(rng: Array, labels: set[str], names: list[str], lure: str | None = None) -> set[str]:
    """Remove, add or replace a label, often by the one that all systems are drawn to."""
    other = (
        lure if lure is not None and rng.random() < 0.6 else rng.choice([name for name in names if name not in labels])
    )
    kind, changed = rng.integers(3), set(labels)
    if kind != 1 and (len(changed) > 1 or kind == 2):
        changed.remove(rng.choice(sorted(changed)))
    if kind != 0 or changed == labels:
        changed.add(str(other))
    return changed if changed != labels else {*changed, str(rng.choice([name for name in names if name not in labels]))}


def make_questions(rng: Array, share: float) -> Case:
    """XQuAD: answers of other questions of the paragraph; eight simulated systems that share difficulty and errors."""
    with gzip.open(SHARED / "xquad_en/xquad.en.json.gz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    rows = [
        (paragraph["context"], question["question"], question["answers"][0]["text"], number)
        for number, paragraph in enumerate(part for article in articles for part in article["paragraphs"])
        for question in paragraph["qas"]
    ]
    right = np.array([row[2] for row in rows], dtype=object)
    groups = np.array([row[3] for row in rows])

    def draw_other() -> Array:
        others = [right[(groups == groups[row]) & (right != right[row])] for row in range(len(rows))]
        return np.array([rng.choice(each) if len(each) else "unknown" for each in others], dtype=object)

    lure, difficulty = draw_other(), rng.normal(0, 1.5, len(rows))
    answers = {}
    for number in range(8):
        is_right = rng.random(len(rows)) < 1 / (1 + np.exp(difficulty - rng.normal(1.5, 0.5)))
        wrong = np.where(rng.random(len(rows)) < 0.6, lure, draw_other())
        answers[f"s{number}"] = np.where(is_right, right, wrong).tolist()
    bad = draw_bad(rng, len(rows), share)
    gold = np.where(bad, draw_other(), right).tolist()
    data = {"context": [row[0] for row in rows], "question": [row[1] for row in rows], "answers": gold}
    return data, answers, bad


def make_grades(rng: Array, share: float) -> Case:
    """SummEval, relevance: grades moved by at least 1.5; six simulated systems that share most of their error."""
    table = read_table(SHARED / "summeval/summaries.tsv.gz")
    right = table["relevance"].cast(pl.Float64).to_numpy()
    common = rng.normal(0, 0.5, len(right)) * rng.gamma(2, 0.5, len(right))
    answers = {
        f"s{number}": [f"{value:.2f}" for value in np.clip(right + common + rng.normal(0, spread, len(right)), 1, 5)]
        for number, spread in enumerate(np.linspace(0.2, 0.8, 6))
    }
    bad = draw_bad(rng, len(right), share)
    grades = np.unique(right)
    gold = [
        float(rng.choice(grades[np.abs(grades - value) >= 1.5])) if wrong else float(value)
        for value, wrong in zip(right, bad, strict=True)
    ]
    return {"text": table["summary"].to_list(), "label": gold}, answers, bad


MAKERS: dict[str, Callable[[Array, float], Case]] = {
    "tagging: WNUT-17, 7 systems": make_spans,
    "tagging: English Web Treebank, 8 simulated": make_tags,
    "multilabel: GoEmotions, 8 simulated": make_label_sets,
    "questions: XQuAD, 8 simulated": make_questions,
    "graded: SummEval, 6 simulated": make_grades,
}


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
    suspects = find_suspects(data, source, text_model=False)
    result = repair(data, suspects=suspects, relabel=True, min_suspicion=0.3, predictions=source)
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
    "families": run_families,
    "learning": run_learning,
    "reviewed": run_reviewed,
    "table": run_table,
    "calibration": run_calibration,
    "overlap": run_overlap,
    "imdb": run_imdb,
    "planted": run_planted,
    "flips": run_flips,
    "shared": run_shared,
    "kinds": run_kinds,
    "repair": run_repair,
    "million": run_million,
}

if __name__ == "__main__":
    main()

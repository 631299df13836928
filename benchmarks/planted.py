"""Plant known defects into real data, audit it, and count how many are found, and how many if there are none.

Run as `python -m benchmarks.planted [SEEDS] [ROWS] [FIRST_SEED] [JOBS]`. Needs the real data of ../shared/data.
"""

from __future__ import annotations

import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from assay.audits import Audit, audit
from assay.audits.flagged import mark_items
from assay.data import Dataset
from assay.evaluation import Predictions, read_predictions
from assay.kinds import read
from assay.text import near_duplicates

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SOURCES = ("trec/trec.tsv.gz", "ag_news/ag_news.tsv.gz", "mr/mr.tsv.gz")
RUNS = DATA / "semeval2016_cqa"
TOKEN = "qzxv"
ALARMS = {
    "leak": {"A101", "A102"},
    "shortcut": {"A401", "A402", "A403", "A407"},
    "reversed labels": {"A206", "A504", "A505"},
}
Rows = dict[str, list[Any]]
Found = tuple[bool, float]  # whether it was raised, and the share of the planted items that are marked


@lru_cache(maxsize=2)
def without_copies(name: str) -> Dataset:
    """Return the labelled rows of a dataset, of near duplicates the first."""
    data = read(DATA / name).drop_unlabelled()
    return data.take(np.sort(np.unique(near_duplicates(data.texts), return_index=True)[1]))


def clean(name: str, n: int, seed: int) -> Rows:
    """Return n rows without near duplicates, 70% of them train."""
    data = without_copies(name)
    rng = np.random.default_rng(seed)
    chosen = data.take(rng.permutation(len(data))[:n])
    parts = np.where(rng.permutation(len(chosen)) < 0.7 * len(chosen), "train", "test")
    labels = [] if chosen.labels is None else chosen.labels.to_list()
    return {"id": chosen.ids.to_list(), "text": chosen.texts.to_list(), "label": labels, "split": parts.tolist()}


def places(rows: Rows, part: str) -> np.ndarray[Any, Any]:
    """Return the rows of a part."""
    return np.flatnonzero(np.array(rows["split"]) == part)


def leaks(rows: Rows, rng: np.random.Generator) -> set[str]:
    """Put copies of training items in the place of 5% of the test items."""
    train, test = places(rows, "train"), places(rows, "test")
    chosen = rng.choice(test, round(0.05 * len(test)), replace=False)
    for row, source in zip(chosen, rng.choice(train, len(chosen), replace=False), strict=True):
        rows["text"][row], rows["label"][row] = rows["text"][source], rows["label"][source]
    return {rows["id"][row] for row in chosen}


def flips(rows: Rows, rng: np.random.Generator) -> set[str]:
    """Give 3% of the items another label."""
    names = sorted(set(rows["label"]))
    chosen = rng.choice(len(rows["id"]), round(0.03 * len(rows["id"])), replace=False)
    for row in chosen:
        rows["label"][row] = str(rng.choice([name for name in names if name != rows["label"][row]]))
    return {rows["id"][row] for row in chosen}


def token(rows: Rows, rng: np.random.Generator) -> None:
    """Put a word into 10% of the items, all of one label as far as they go."""
    labels = np.array(rows["label"])
    names, counts = np.unique(labels, return_counts=True)
    mine = rng.permutation(np.flatnonzero(labels == names[counts.argmax()]))[: round(0.1 * len(labels))]
    for row in mine:
        words = rows["text"][row].split()
        words.insert(int(rng.integers(len(words) + 1)), TOKEN)
        rows["text"][row] = " ".join(words)


def copies(rows: Rows, rng: np.random.Generator) -> set[str]:
    """Repeat 3% of the training items in the place of others."""
    train = rng.permutation(places(rows, "train"))
    k = round(0.03 * len(train))
    for row, source in zip(train[:k], train[k : 2 * k], strict=True):
        rows["text"][row], rows["label"][row] = rows["text"][source], rows["label"][source]
    return {rows["id"][row] for row in train[: 2 * k]}


def reversed_key(rows: Rows) -> None:
    """Move every label of test on by one: the key runs backwards."""
    names = sorted(set(rows["label"]))
    test = places(rows, "test")
    for row in test:
        rows["label"][row] = names[(names.index(rows["label"][row]) + 1) % len(names)]


def permuted(rows: Rows, rng: np.random.Generator) -> None:
    """Deal the labels of each part anew: nothing is left to be found but that there is no signal."""
    labels = np.array(rows["label"])
    for part in ("train", "test"):
        where = places(rows, part)
        labels[where] = rng.permutation(labels[where])
    rows["label"] = labels.tolist()


def systems(rows: Rows, rng: np.random.Generator, n: int = 24) -> dict[str, list[str]]:
    """Return answers of made-up systems of rising skill."""
    names = sorted(set(rows["label"]))
    answers = {}
    for number, skill in enumerate(np.linspace(0.55, 0.97, n)):
        wrong = [str(rng.choice([name for name in names if name != label])) for label in rows["label"]]
        hit = rng.random(len(wrong)) < skill
        answers[f"s{number:02d}"] = [a if h else b for a, b, h in zip(rows["label"], wrong, hit, strict=True)]
    return answers


def wrong_keys(labels: list[str], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Give 2% of the items another key, and return which."""
    names = sorted(set(labels))
    chosen = rng.choice(len(labels), max(3, round(0.02 * len(labels))), replace=False)
    for row in chosen:
        labels[row] = str(rng.choice([name for name in names if name != labels[row]]))
    return np.asarray(chosen)


def raised(result: Audit, code: str) -> bool:
    """Return whether a finding of this code names items."""
    return any(one.code == code and not one.claim.startswith("Cannot tell") for one in result.findings)


def warned(result: Audit, code: str) -> bool:
    """Return whether a finding of this code is an error or a warning."""
    return any(one.code == code and one.severity != "note" for one in result.findings)


def marked(result: Audit, code: str, planted: set[str]) -> float:
    """Return the share of the planted items that the findings of a code are about."""
    marks = [mark_items(finding, result.items) for finding in result.findings if finding.code == code]
    chosen = {name for mark in marks for name in result.items.filter(mark)["id"]}
    return len(planted & chosen) / len(planted)


def planted_together(source: str, n: int, seed: int) -> dict[str, Found]:
    """Plant leaks, copies, a token and flipped labels in the same data."""
    rows, rng = clean(source, n, seed), np.random.default_rng([seed, 0])
    token(rows, rng)
    copied, leaked, flipped = copies(rows, rng), leaks(rows, rng), flips(rows, rng)
    result = audit(rows, random_state=seed)
    named = any(TOKEN in (*one.words, one.subject) for one in result.findings if one.severity != "note")
    doubted = marked(result, "A108", flipped)
    return {
        "5% leaks (A101)": (warned(result, "A101"), marked(result, "A101", leaked)),
        "copies in train (A103)": (
            warned(result, "A103"),
            min(1.0, 2 * marked(result, "A103", copied)),
        ),  # one of two each
        "10% token, named (A401)": (named, float(named)),
        "3% flipped labels (A108)": (raised(result, "A108"), doubted),
        "3% flipped labels, warned (A108)": (warned(result, "A108"), doubted),
    }


def planted_keys(source: str, n: int, seed: int) -> dict[str, Found]:
    """Reverse the key of test, and plant single wrong keys that made-up and real systems may show."""
    rows = clean(source, n, seed)
    reversed_key(rows)
    turned = warned(audit(rows, only=["splits"], random_state=seed), "A206")
    rows, rng = clean(source, n, seed), np.random.default_rng([seed, 1])
    answers = systems(rows, rng)
    wrong = {rows["id"][row] for row in wrong_keys(rows["label"], rng)}
    made_up = audit(rows, predictions=answers, only=["discrimination"], random_state=seed)
    real, mistaken = audit_of_runs(seed)
    counts = {"reversed test key (A206)": (turned, float(turned))}
    for who, found, ids in (("24 made-up systems", made_up, wrong), ("32 real runs", real, mistaken)):
        counts[f"2% wrong keys, {who} (A504)"] = raised(found, "A504"), marked(found, "A504", ids)
        counts[f"2% wrong keys, {who} (A509)"] = raised(found, "A509"), marked(found, "A509", ids)
    return counts


def audit_of_runs(seed: int) -> tuple[Audit, set[str]]:
    """Audit the 32 runs of SemEval-2016 Task 3 A after 2% of the keys were turned."""
    data = read(RUNS / "cqa_A.tsv.gz")
    given = read_predictions([RUNS / "pred_labels_A.tsv.gz"], data=data)
    gold = [] if given.gold is None else given.gold.tolist()
    chosen = wrong_keys(gold, np.random.default_rng([seed, 2]))
    answers = {name: one.predicted.tolist() for name, one in given.systems.items() if one.predicted is not None}
    ids = given.ids.tolist()
    judged = Predictions.from_arrays(gold, answers, ids=ids)
    rows = {"id": ids, "text": ids, "label": gold}  # the section reads answers, not texts
    return audit(rows, predictions=judged, only=["discrimination"], random_state=seed), {ids[row] for row in chosen}


def controls(source: str, n: int, seed: int) -> dict[str, bool]:
    """Audit data without defects: labels permuted, labels as they are, and systems under a right key."""
    rows = clean(source, n, seed)
    permuted(rows, np.random.default_rng([seed, 3]))
    codes = {one.code for one in audit(rows, random_state=seed).findings if one.severity != "note"}
    counts = {f"permuted labels: {name}": bool(codes & kinds) for name, kinds in ALARMS.items()}
    counts["permuted labels: no signal (A405), as is right"] = "A405" in codes
    rows = clean(source, n, seed)
    answers = systems(rows, np.random.default_rng([seed, 4]))
    found = audit(rows, predictions=answers, only=["information", "discrimination"], random_state=seed)
    counts |= {f"right key, 24 made-up systems: {code}": raised(found, code) for code in ("A504", "A505", "A509")}
    return counts | {"labels as they are: doubtful labels, warned (A108)": warned(found, "A108")}


def one_seed(seed: int, n: int) -> tuple[str, dict[str, Found], dict[str, bool]]:
    """Plant every defect, and audit controls without any."""
    source = SOURCES[seed % len(SOURCES)]
    return source, planted_together(source, n, seed) | planted_keys(source, n, seed), controls(source, n, seed)


def main() -> None:
    """Print power and false alarms over the seeds, and of what depends on the data for each dataset."""
    given = [int(word) for word in sys.argv[1:] if word.isdigit()]
    n_seeds, n, first, n_jobs = [*given, *(20, 3000, 0, 2)[len(given) :]]
    started = time.monotonic()
    results = []
    run = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    for result in run(delayed(one_seed)(seed, n) for seed in range(first, first + n_seeds)):
        results.append(result)
        print(f"{len(results)} of {n_seeds}: {result}", flush=True)
    sources = sorted({one[0] for one in results})
    print(f"{n_seeds} seeds, {n:,} rows each, from {', '.join(sources)}; {time.monotonic() - started:.0f} s")
    print(f"{'planted':<48}{'raised':>8}{'of its items, mean (by dataset)':>36}")
    for name in results[0][1]:
        found = sum(one[1][name][0] for one in results)
        every = [np.mean([one[1][name][1] for one in results if one[0] == source]) for source in sources]
        mean = np.mean([one[1][name][1] for one in results])
        print(f"{name:<48}{found:>5}/{n_seeds:<2}{mean:>12.2f}  ({', '.join(f'{share:.2f}' for share in every)})")
    print(f"{'nothing planted':<56}{'raised':>8}{'by dataset':>24}")
    for name in results[0][2]:
        every = [sum(one[2][name] for one in results if one[0] == source) for source in sources]
        print(f"{name:<56}{sum(every):>5}/{n_seeds}{', '.join(map(str, every)):>22}")


if __name__ == "__main__":
    from benchmarks import planted  # by its own name, under which the processes find it

    planted.main()

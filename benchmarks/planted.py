"""Plant known defects into real data, audit it, and count how many are found, and how many where there are none.

Run as `python -m benchmarks.planted [SEEDS] [ROWS]`. Needs the real data of ../shared/data.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from assay.audits import Audit, audit
from assay.data import read
from assay.text import near_duplicates

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SOURCES = ("trec/trec.tsv.gz", "ag_news/ag_news.tsv.gz", "mr/mr.tsv.gz")
TOKEN = "qzxv"
ALARMS = {"leak": {"A101", "A102"}, "shortcut": {"A401", "A402", "A403", "A407"}, "backwards": {"A206", "A504", "A505"}}
Rows = dict[str, list[Any]]


def clean(name: str, n: int, seed: int) -> Rows:
    """Return n rows without near duplicates, 70 % of them train."""
    data = read(DATA / name).labelled()
    firsts = np.unique(near_duplicates(data.texts), return_index=True)[1]
    rng = np.random.default_rng(seed)
    rows = rng.permutation(firsts)[:n]
    chosen = data.take(rows)
    parts = np.where(rng.permutation(len(rows)) < 0.7 * len(rows), "train", "test")
    labels = [] if chosen.labels is None else chosen.labels.to_list()
    return {"id": chosen.ids.to_list(), "text": chosen.texts.to_list(), "label": labels, "split": parts.tolist()}


def places(rows: Rows, part: str) -> np.ndarray[Any, Any]:
    """Return the rows of a part."""
    return np.flatnonzero(np.array(rows["split"]) == part)


def leaks(rows: Rows, rng: np.random.Generator) -> set[str]:
    """Put copies of training items in the place of 5 % of the test items."""
    train, test = places(rows, "train"), places(rows, "test")
    chosen = rng.choice(test, round(0.05 * len(test)), replace=False)
    for row, source in zip(chosen, rng.choice(train, len(chosen), replace=False), strict=True):
        rows["text"][row], rows["label"][row] = rows["text"][source], rows["label"][source]
    return {rows["id"][row] for row in chosen}


def flips(rows: Rows, rng: np.random.Generator) -> set[str]:
    """Give 3 % of the items another label."""
    names = sorted(set(rows["label"]))
    chosen = rng.choice(len(rows["id"]), round(0.03 * len(rows["id"])), replace=False)
    for row in chosen:
        rows["label"][row] = str(rng.choice([name for name in names if name != rows["label"][row]]))
    return {rows["id"][row] for row in chosen}


def token(rows: Rows, rng: np.random.Generator) -> set[str]:
    """Put a word into 10 % of the items, all of one label as far as they go."""
    labels = np.array(rows["label"])
    names, counts = np.unique(labels, return_counts=True)
    mine = rng.permutation(np.flatnonzero(labels == names[counts.argmax()]))[: round(0.1 * len(labels))]
    for row in mine:
        words = rows["text"][row].split()
        words.insert(int(rng.integers(len(words) + 1)), TOKEN)
        rows["text"][row] = " ".join(words)
    return {rows["id"][row] for row in mine}


def copies(rows: Rows, rng: np.random.Generator) -> set[str]:
    """Repeat 3 % of the training items in the place of others."""
    train = rng.permutation(places(rows, "train"))
    k = round(0.03 * len(train))
    for row, source in zip(train[:k], train[k : 2 * k], strict=True):
        rows["text"][row], rows["label"][row] = rows["text"][source], rows["label"][source]
    return {rows["id"][row] for row in train[: 2 * k]}


def reversed_key(rows: Rows, rng: np.random.Generator) -> set[str]:  # noqa: ARG001, the same for every seed
    """Move every label of test on by one: the key runs backwards."""
    names = sorted(set(rows["label"]))
    test = places(rows, "test")
    for row in test:
        rows["label"][row] = names[(names.index(rows["label"][row]) + 1) % len(names)]
    return {rows["id"][row] for row in test}


def permuted(rows: Rows, rng: np.random.Generator) -> None:
    """Deal the labels of each part anew: nothing is left to be found but that there is no signal."""
    labels = np.array(rows["label"])
    for part in ("train", "test"):
        where = places(rows, part)
        labels[where] = rng.permutation(labels[where])
    rows["label"] = labels.tolist()


def systems(rows: Rows, rng: np.random.Generator, n: int = 24) -> tuple[dict[str, list[str]], set[str]]:
    """Return answers of made-up systems of rising skill, and the 2 % of items whose key they show to be wrong."""
    names = sorted(set(rows["label"]))
    skills = np.linspace(0.55, 0.97, n)
    truth = list(rows["label"])
    wrong = rng.choice(len(truth), max(3, round(0.02 * len(truth))), replace=False)
    for row in wrong:
        rows["label"][row] = next(name for name in names if name != truth[row])
    answers = {}
    for number, skill in enumerate(skills):
        hit = rng.random(len(truth)) < skill
        guesses = [t if h else str(rng.choice([m for m in names if m != t])) for t, h in zip(truth, hit, strict=True)]
        answers[f"s{number:02d}"] = guesses
    return answers, {rows["id"][row] for row in wrong}


def found_leaks(told: Audit, planted: set[str]) -> tuple[bool, float]:
    """Tell whether leaks were reported, and what share of the planted ones is marked."""
    marked = set(told.items.filter(told.items["leak"].is_not_null())["id"])
    return has(told, "A101"), share(planted & marked, planted)


def found_flips(told: Audit, planted: set[str]) -> tuple[bool, float]:
    """Tell whether doubtful labels were reported, and what share of the flipped ones is among them."""
    marked = set(told.items.filter(told.items["suspected_label"].is_not_null())["id"])
    return has(told, "A108"), share(planted & marked, planted)


def found_token(told: Audit, planted: set[str]) -> tuple[bool, float]:  # noqa: ARG001, the word is what counts
    """Tell whether the planted word itself was named in a warning."""
    named = [one.evidence.get("token") for one in told.findings if one.code == "A401" and one.severity == "warning"]
    return TOKEN in named, float(TOKEN in named)


def found_copies(told: Audit, planted: set[str]) -> tuple[bool, float]:
    """Tell whether copies were reported, and what share of the pairs is marked (one of the two each)."""
    marked = set(told.items.filter(told.items["copy"])["id"])
    return has(told, "A103"), min(1.0, 2 * share(planted & marked, planted))


def found_reversed(told: Audit, planted: set[str]) -> tuple[bool, float]:  # noqa: ARG001, all or nothing
    """Tell whether the reversed key was reported."""
    return has(told, "A206"), float(has(told, "A206"))


def has(told: Audit, code: str) -> bool:
    """Tell whether a finding of this code is an error or a warning."""
    return any(one.code == code and one.severity != "note" for one in told.findings)


def share(part: set[str], whole: set[str]) -> float:
    """Return the share of a set."""
    return len(part) / len(whole) if whole else float("nan")


Planter = Callable[[Rows, np.random.Generator], set[str]]
Finder = Callable[[Audit, set[str]], tuple[bool, float]]
PLANTS: dict[str, tuple[Planter, Finder, list[str]]] = {
    "5 % leaks": (leaks, found_leaks, ["profile"]),
    "3 % flipped labels": (flips, found_flips, ["information"]),
    "10 % token shortcut": (token, found_token, ["information"]),
    "copies": (copies, found_copies, ["profile"]),
    "reversed test key": (reversed_key, found_reversed, ["splits"]),
}


def one_seed(seed: int, n: int) -> tuple[dict[str, tuple[bool, float]], dict[str, bool]]:
    """Plant every defect in data of its own, and audit a control without any."""
    source = SOURCES[seed % len(SOURCES)]
    results = {}
    for number, (name, (plant, find, only)) in enumerate(PLANTS.items()):
        rows, rng = clean(source, n, seed), np.random.default_rng([seed, number])
        planted = plant(rows, rng)
        results[name] = find(audit(rows, only=only, random_state=seed), planted)
    rows, rng = clean(source, n, seed), np.random.default_rng([seed, 100])
    answers, wrong = systems(rows, rng)
    told = audit(rows, predictions=answers, only=["discrimination"], random_state=seed)
    codes = {one.code for one in told.findings}
    for name, code, column in (("backwards", "A504", "backwards"), ("outvoted", "A509", "outvoted")):
        marked = set(told.items.filter(told.items[column])["id"])
        raised = code in codes  # of any severity: the items are named in notes too
        results[f"2 % wrong keys: {name} ({code})"] = raised, share(wrong & marked, wrong)
    rows, rng = clean(source, n, seed), np.random.default_rng([seed, 101])
    permuted(rows, rng)
    told = audit(rows, random_state=seed)
    codes = {one.code for one in told.findings}
    return results, {**{name: bool(codes & kinds) for name, kinds in ALARMS.items()}, "no signal": "A405" in codes}


def main() -> None:
    """Print power and false alarms over the seeds."""
    given = [int(word) for word in sys.argv[1:] if word.isdigit()]
    n_seeds, n = given[0] if given else 20, given[1] if len(given) > 1 else 1200
    started, hits, alarms = time.monotonic(), [], []
    for seed in range(n_seeds):
        planted, control = one_seed(seed, n)
        hits.append(planted)
        alarms.append(control)
        print(f"seed {seed} ({SOURCES[seed % len(SOURCES)]}): {time.monotonic() - started:.0f} s", file=sys.stderr)
    print(f"{n_seeds} seeds, {n:,} rows each, from {', '.join(SOURCES)}")
    print(f"{'planted':<36}{'found':>10}{'of its items, mean':>22}")
    for name in hits[0]:
        found = sum(one[name][0] for one in hits)
        print(f"{name:<36}{found:>7}/{n_seeds:<2}{np.mean([one[name][1] for one in hits]):>22.2f}")
    print(f"{'clean control, labels permuted':<32}{'raised':>8}")
    for name in alarms[0]:
        print(f"{name:<32}{sum(one[name] for one in alarms):>5}/{n_seeds}")


if __name__ == "__main__":
    main()

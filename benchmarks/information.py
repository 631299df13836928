"""Does the estimate of task-specific information hold? Made data whose information is known, planted shortcuts, none.

`python -m benchmarks.information [DRAWS] [FIRST_SEED] [LARGEST_SIZE] [JOBS]`: the estimate at 20,000 items, the coverage
of the interval at 300, 1,000 and 5,000, how often it is above 0 for permuted labels, and how often a planted shortcut,
and one that is not there, is reported.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from assay.information import measure_task_information, search_cues
from assay.tasks import run_tasks
from benchmarks._bars import is_covered, is_rare, print_bar

SIZES = (300, 1_000, 5_000)
SHORTCUT, TASK = 0.7, 0.85  # P(punctuation | label 1) = P(none | label 0), and the same for the word that tells


def known_information() -> float:
    """Return I(Y; X_t | X_s) of the made data, in nats."""
    total = 0.0
    for s in (0, 1):
        for t in (0, 1):
            joint = [0.5 * (SHORTCUT if s == y else 1 - SHORTCUT) * (TASK if t == y else 1 - TASK) for y in (0, 1)]
            of_s = [0.5 * (SHORTCUT if s == y else 1 - SHORTCUT) for y in (0, 1)]
            for y in (0, 1):
                total += joint[y] * math.log(joint[y] / sum(joint) / (of_s[y] / sum(of_s)))
    return total


def made_data(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Draw texts of ten words: one may end on an exclamation mark (shortcut), one word tells the label (task)."""
    draw = np.random.default_rng(seed)
    labels = draw.integers(0, 2, n)
    shortcut = np.where(draw.random(n) < SHORTCUT, labels, 1 - labels)
    task = np.where(draw.random(n) < TASK, labels, 1 - labels)
    filler = np.array([f"word{number}" for number in range(40)])
    words = filler[draw.integers(0, 40, (n, 9))]
    texts = [
        " ".join([*row, "alpha" if tells else "omega"]) + ("!" if mark else "")
        for row, tells, mark in zip(words.tolist(), task, shortcut, strict=True)
    ]
    return texts, labels.astype(str).tolist()


def estimate(n: int, seed: int) -> tuple[float, float, float]:
    """Return the estimate and its interval on one draw."""
    texts, labels = made_data(n, seed)
    found = measure_task_information(
        texts, labels, shortcuts=("punctuation",), controls=("mlp-10", "boosting"), search=False, random_state=seed
    ).control[-1]
    return found.tsi.value, found.tsi.low, found.tsi.high


def estimate_permuted(n: int, seed: int) -> tuple[float, float, float]:
    """Return the estimate and its interval on one draw with permuted labels."""
    texts, labels = made_data(n, seed)
    permuted = np.random.default_rng(seed).permutation(labels).tolist()
    found = measure_task_information(
        texts, permuted, shortcuts=("punctuation",), controls=("mlp-10", "boosting"), search=False, random_state=seed
    ).control[-1]
    return found.tsi.value, found.tsi.low, found.tsi.high


def planted(n: int, prevalence: float, seed: int) -> bool:
    """Return whether a token that stands in a share of the texts, mostly under one label, is reported as a cue."""
    draw = np.random.default_rng(seed)
    labels = draw.integers(0, 2, n)
    filler = np.array([f"word{number}" for number in range(300)])
    words = filler[draw.integers(0, 300, (n, 10))]
    has = draw.random(n) < prevalence * 2 * np.where(labels == 1, 0.8, 0.2)
    texts = [" ".join([*row, "cue"] if mark else row) for row, mark in zip(words.tolist(), has, strict=True)]
    cues = search_cues([texts], labels, ["0", "1"])
    return any(cue.token == "cue" for cue in cues) if prevalence else bool(cues)


def main() -> None:
    given = [int(word) for word in sys.argv[1:] if word.isdigit()]
    draws, first, largest, n_jobs = [*given, *(200, 0, max(SIZES), -1)[len(given) :]]
    seeds = range(first, first + draws)
    truth = known_information()
    value, low, high = estimate(20_000, 1)
    print(f"I(Y; X_t | X_s) = {truth:.4f} nats; estimate at n = 20,000: {value:.4f} [{low:.4f}, {high:.4f}]")
    for n in (size for size in SIZES if size <= largest):
        found = np.array(run_tasks(estimate, [(n, seed) for seed in seeds], n_jobs=n_jobs))
        covered = ((found[:, 1] <= truth) & (truth <= found[:, 2])).mean()
        line = f"n = {n:,}, {draws} draws: mean {found[:, 0].mean():.4f}, the 95% interval covers in {covered:.1%}"
        print_bar(line, is_held=is_covered(covered, draws))
        permuted = np.array(run_tasks(estimate_permuted, [(n, seed) for seed in seeds], n_jobs=n_jobs))
        above = float((permuted[:, 1] > 0).mean())
        line = f"n = {n:,}, permuted labels: above 0 in {above:.1%}"
        print_bar(line, is_held=is_rare(above, 0.05, draws))
    power = np.mean(run_tasks(planted, [(2000, 0.1, seed) for seed in seeds], n_jobs=n_jobs))
    false = np.mean(run_tasks(planted, [(2000, 0.0, seed) for seed in seeds], n_jobs=n_jobs))
    print(f"a token in 10% of 2,000 texts is found in {power:.1%} of runs; with none planted, {false:.1%} report a cue")


if __name__ == "__main__":
    main()

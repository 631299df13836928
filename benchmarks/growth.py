"""Processor time and memory of methods as rows, labels, systems and texts grow, and the exponent between two sizes.

    python -m benchmarks.growth [labels] [systems] [copies] [items] [suspects] [text]

The bar is an exponent of at most 1.05 from 100,000 to a million (labels: rows are twice as many; copies: texts of
twenty words, one in ten a copy or near-copy; items: item response of 20 systems; suspects: their answers with one of
four labels). `systems` evaluates 1,000 and 5,000
systems on 200 items, and its bar is 60 s and 2 GB. `text` profiles one text of 5 and of 50 MB. Every size runs in a
process of its own.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import polars as pl

SIZES = {
    "labels": (100_000, 1_000_000),
    "systems": (1_000, 5_000),
    "copies": (100_000, 1_000_000),
    "items": (100_000, 1_000_000),
    "suspects": (100_000, 1_000_000),
    "text": (5_000_000, 50_000_000),
}
MAX_EXPONENT = 1.05
MAX_SECONDS, MAX_GIGABYTES = 60, 2


def main() -> None:
    """Run every size in a process of its own, and print the exponents."""
    parser = argparse.ArgumentParser()
    parser.add_argument("steps", nargs="*", default=list(SIZES))
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.size:
        print(json.dumps(STEPS[options.steps[0]](options.size)))
        return
    print("what      size       s      GB   size       s      GB  exponent")
    for step in options.steps:
        rows = [run(step, size) for size in SIZES[step]]
        exponent = math.log(rows[1][0] / rows[0][0]) / math.log(SIZES[step][1] / SIZES[step][0])
        cells = [f"{size:9,}  {row[0]:6.1f}  {row[1]:5.2f}" for size, row in zip(SIZES[step], rows, strict=True)]
        is_held = exponent <= MAX_EXPONENT
        if step == "systems":
            is_held = rows[1][0] < MAX_SECONDS and rows[1][1] < MAX_GIGABYTES
        print(f"{step:<8} {'  '.join(cells)}  {exponent:8.2f}  {'held' if is_held else 'missed'}", flush=True)


def run(step: str, size: int) -> tuple[float, float]:
    """Return processor time and peak memory of a size, in a new process."""
    command = [sys.executable, "-m", "benchmarks.growth", step, "--size", str(size)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seconds, gigabytes = json.loads(output.splitlines()[-1])
    return seconds, gigabytes


def measure(function: Callable[[], object], warm: Callable[[], object]) -> tuple[float, float]:
    """Return the processor time of a call whose loops are compiled, and the peak memory of this process."""
    warm()
    started = time.process_time()
    function()
    return time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def draw_texts(n: int, words: int) -> list[str]:
    """Draw texts from 20,000 words."""
    names = np.array([f"w{number}" for number in range(20_000)])
    return [" ".join(row) for row in names[np.random.default_rng(0).integers(0, 20_000, (n, words))]]


def profile_labels(n: int) -> tuple[float, float]:
    """Profile two texts of ten words for each label."""
    import assay

    def make(size: int) -> pl.DataFrame:
        return pl.DataFrame(
            {"text": draw_texts(2 * size, 10), "label": [f"label{row // 2}" for row in range(2 * size)]}
        )

    table, small = make(n), make(100)
    return measure(lambda: assay.profile(table), lambda: assay.profile(small))


def evaluate_systems(n: int) -> tuple[float, float]:
    """Evaluate systems on 200 items with four labels."""
    import assay

    rng = np.random.default_rng(0)
    gold = rng.integers(0, 4, 200)
    data = {"text": [f"text {row}" for row in range(200)], "label": [f"l{label}" for label in gold]}
    answers = {}
    for system in range(n):
        is_right = rng.random(200) < 0.3 + 0.6 * system / n
        answers[f"s{system}"] = [f"l{label}" for label in np.where(is_right, gold, (gold + 1) % 4)]
    few = {name: answers[name] for name in ("s0", "s1")}
    return measure(lambda: assay.evaluate(data, answers), lambda: assay.evaluate(data, few))


def find_copies(n: int) -> tuple[float, float]:
    """Group near-copies of texts of twenty words."""
    from assay.text.duplicates import near_duplicates

    texts = draw_texts(n, 20)
    for row in range(0, n - 1, 10):
        texts[row + 1] = texts[row] if row % 20 else texts[row] + " more"
    return measure(lambda: near_duplicates(texts), lambda: near_duplicates(texts[:100]))


def fit_items(n: int) -> tuple[float, float]:
    """Fit item response curves of 20 systems."""
    from assay.discrimination.items.item_response import fit_item_response

    rng = np.random.default_rng(0)
    chances = 1 / (1 + np.exp(rng.normal(size=n)[None] - np.linspace(-1, 2, 20)[:, None]))
    table = (rng.random((20, n)) < chances).astype(float)
    return measure(lambda: fit_item_response(table), lambda: fit_item_response(table[:, :200]))


def judge_labels(n: int) -> tuple[float, float]:
    """Search suspects by the answers of 20 systems to items with four labels."""
    import assay
    from assay.evaluation import Predictions

    letters, rng = np.array(list("ABCD"), dtype=object), np.random.default_rng(0)
    truth, difficulty = rng.integers(0, 4, n), rng.normal(0, 1.5, n)
    answers = {}
    for number in range(20):
        is_right = rng.random(n) < 1 / (1 + np.exp(difficulty - 1.5))
        answers[f"s{number}"] = letters[np.where(is_right, truth, (truth + rng.integers(1, 4, n)) % 4)]
    all_items = Predictions.from_arrays(letters[truth], answers)
    few = Predictions.from_arrays(letters[truth[:1000]], {name: row[:1000] for name, row in answers.items()})
    return measure(lambda: assay.find_suspects(predictions=all_items), lambda: assay.find_suspects(predictions=few))


def profile_text(n_bytes: int) -> tuple[float, float]:
    """Profile data with one text of so many bytes."""
    import assay

    text = " ".join(draw_texts(n_bytes // 57, 10))
    small = {"text": ["a b c", "d e f"], "label": ["x", "y"]}
    data = {"text": [text, "d e f"], "label": ["x", "y"]}
    return measure(lambda: assay.profile(data), lambda: assay.profile(small))


STEPS = {
    "labels": profile_labels,
    "systems": evaluate_systems,
    "copies": find_copies,
    "items": fit_items,
    "suspects": judge_labels,
    "text": profile_text,
}

if __name__ == "__main__":
    main()

"""Real data of several kinds with answers drawn at random: how often an audit still claims a defect of the answers.

Texts, options and parts stay; only the answers are exchanged between items, so that nothing predicts them. Findings
about copies, lengths or drift of the texts themselves are true and are not counted.

Run with: python -m benchmarks.permuted_kinds [--seeds 5] [--items 500] [--first 0] [--jobs 1]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
from joblib import Parallel, delayed

import assay
from assay.data import Dataset
from assay.wording.letters import name_letter
from benchmarks._bars import is_rare, print_bar

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
# Findings that say something about answers: drift of labels, models, and shortcuts.
CODES = ("A204", "A207", "A410", "A411", "A412", "A415", "A416")
Permutation = Callable[[Dataset, np.random.Generator], Dataset]


def permute_labels(data: Dataset, generator: np.random.Generator) -> Dataset:
    """Exchange the labels between items."""
    assert data.labels is not None
    return replace(data, labels=data.labels[generator.permutation(len(data)).tolist()])


def draw_keys(data: Dataset, generator: np.random.Generator) -> Dataset:
    """Choose the right option of every question at random."""
    options = data.fields["choices"].to_list()
    keys = [int(generator.integers(len(row))) for row in options]
    texts = pl.Series("answer", [row[key] for row, key in zip(options, keys, strict=True)], dtype=pl.String)
    letters = pl.Series("label", [name_letter(key) for key in keys], dtype=pl.String)
    return replace(data, labels=letters, fields={**data.fields, "answer": texts})


def permute_sets(data: Dataset, generator: np.random.Generator) -> Dataset:
    """Exchange the label sets between items."""
    order = generator.permutation(len(data)).tolist()
    return replace(data, fields={**data.fields, "labels": data.fields["labels"][order]})


DATASETS: dict[tuple[str, str], Permutation] = {
    ("multiple-choice", "commonsenseqa/dev_rand_split.jsonl.gz"): draw_keys,
    ("multiple-choice", "mmlu_redux/items.tsv.gz"): draw_keys,
    ("multilabel", "goemotions/goemotions.tsv.gz"): permute_sets,
    ("preference", "pandalm_votes/votes.tsv.gz"): permute_labels,
    ("graded", "yelp_reviews/yelp_reviews.tsv.gz"): permute_labels,
}


def read_sample(task: str, name: str, n_items: int, generator: np.random.Generator) -> Dataset:
    """Read real data, and draw some of its items."""
    data = assay.read(SHARED / name, task=task)
    rows = np.sort(generator.choice(len(data), min(n_items, len(data)), replace=False))
    return data.take(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    total = 0
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with Parallel(n_jobs=arguments.jobs) as run:
        for task, name in DATASETS:
            accused = Counter(
                code
                for codes in run(delayed(list_accusations)(task, name, arguments.items, seed) for seed in seeds)
                for code in codes
            )
            total += sum(accused.values())
            print(f"{task}, {name}: {dict(accused) or 'nothing'} in {arguments.seeds} audits", flush=True)
    n = arguments.seeds * len(DATASETS)
    print_bar(f"{total} accusations in {n} audits of permuted answers", is_held=is_rare(total / n, 0.05, n))


def list_accusations(task: str, name: str, n_items: int, seed: int) -> set[str]:
    """Return the codes of errors and warnings about answers that were exchanged."""
    generator = np.random.default_rng([seed, 9])
    data = DATASETS[task, name](read_sample(task, name, n_items, generator), generator)
    audit = assay.audit(data, only=["profile", "task", "model", "splits"])
    return {finding.code for finding in audit.findings if finding.severity != "note"} & set(CODES)


if __name__ == "__main__":
    main()

"""Subsamples of 80% of real datasets: how often the headline of an audit says something else.

The kind of a headline is its advice: do not trust, trust with care, or no serious problem. A headline that says it is
close to a threshold is compatible with the kinds on both sides; two headlines differ if they are compatible with no
common kind.

Run with: python -m benchmarks.stability [--seeds 5] [--items 600] [--first 1] [--jobs 1]
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import islice
from pathlib import Path

from joblib import Parallel, delayed

import assay
from benchmarks._bars import is_rare, print_bar
from benchmarks.first_screen_inputs import read_rows, sample, write_rows

DATASETS = {
    "trec/trec.tsv.gz": ("id", "text", "label", "split"),
    "cr/cr.tsv.gz": ("id", "text", "label"),
    "msrp/msrp.tsv.gz": ("id", "text_a", "text_b", "label", "split"),
    "mnli/mnli_dev_matched.tsv.gz": ("id", "text_a", "text_b", "label"),
    "ag_news/ag_news.tsv.gz": ("id", "text", "label", "split"),
    "mmlu_redux/items.tsv.gz": ("id", "question", "A", "B", "C", "D", "answer"),
}
KINDS = ("Do not trust scores", "Trust scores with care", "No serious problem")


def list_kinds(headline: str) -> set[str]:
    """Return the kinds that a headline is compatible with."""
    place = next(number for number, kind in enumerate(KINDS) if kind in headline)
    kinds = {KINDS[place]}
    if "close to the threshold" in headline:
        kinds |= {KINDS[max(place - 1, 0)]} if "for an error" in headline and place else {KINDS[place + 1]}
    return kinds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--items", type=int, default=600)
    parser.add_argument("--first", type=int, default=1, help="the first seed; the sample is drawn with the one before")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    changed = total = 0
    seeds = [None, *range(arguments.first, arguments.first + arguments.seeds)]
    tasks = [(name, arguments.items, arguments.first, seed) for name in DATASETS for seed in seeds]
    headlines = Parallel(n_jobs=arguments.jobs, return_as="generator")(
        delayed(audit_subsample)(*task) for task in tasks
    )
    for name in DATASETS:
        kinds = []
        for headline in islice(headlines, len(seeds)):
            print(f"    {headline}", flush=True)
            kinds.append(list_kinds(headline))
        flips = sum(not kinds[0] & other for other in kinds[1:])
        changed, total = changed + flips, total + len(kinds) - 1
        print(f"{name:32} {flips} of {len(kinds) - 1} subsamples have a headline of another kind", flush=True)
    print_bar(
        f"all: {changed} of {total} ({100 * changed / max(total, 1):.0f}%)",
        is_held=is_rare(changed / max(total, 1), 0.1, total),
    )


def audit_subsample(name: str, n_items: int, first: int, seed: int | None) -> str:
    """Return the headline of an audit of a sample of a dataset, or of 80% of the sample."""
    rows = sample(read_rows(name), n_items, first - 1)
    chosen = rows if seed is None else sample(rows, round(0.8 * len(rows)), seed)
    with tempfile.TemporaryDirectory() as folder:
        path = write_rows(Path(folder) / "data.tsv", chosen, DATASETS[name])
        return assay.audit(path, cache=False).overview.headline


if __name__ == "__main__":
    main()

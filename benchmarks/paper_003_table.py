"""The table of paper 003 with our fine-tuned encoder: TSI beyond P+S and P+S+O, next to the printed values.

`python -m benchmarks.paper_003_table --data ../shared/data`: reads the held-out probabilities that
`benchmarks.paper_003_encoder` wrote (benchmarks/results/paper_003), trains the controls here, and prints the table.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from pathlib import Path

import numpy as np

from assay.information import measure_task_information
from assay.wording.numbers import format_interval
from benchmarks._training_studies import Study, load_study

RESULTS = Path(__file__).parent / "results" / "paper_003"
SIZES = (0.125, 0.25, 0.5, 1.0)  # of the training items
N_DRAWS = 3
FILES = {
    "imdb": "imdb/imdb",
    "yelp": "yelp_reviews/yelp_reviews",
    "quora": "quora/quora",
    "mnli": "mnli/mnli_dev_matched",
}
PRINTED = {
    "imdb": (0.92, 0.43, None),
    "yelp": (0.97, 0.41, None),
    "quora": (0.89, 0.31, 0.23),
    "mnli": (0.85, 0.68, 0.64),
}


def shares(name: str, ids: list[str], labels: list[str]) -> np.ndarray:
    """Lay the kept probabilities next to the items; nan if there are none."""
    place = {identity: row for row, identity in enumerate(ids)}
    table = np.full((len(ids), len(labels)), np.nan)
    with gzip.open(RESULTS / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["part"] == "test":
                table[place[row["id"]]] = [float(row[f"prob:{label}"]) for label in labels]
    return table


def read_parts(data: Path, name: str) -> tuple[Study, np.ndarray]:
    """Read a dataset with the parts that the encoder was trained and tested on."""
    test_share, dev_share, pool = (0.0, 0.125, False) if name == "imdb" else (0.1, 1 / 9, True)
    study = load_study(data / f"{FILES[name]}.tsv.gz", name, test_share, dev_share, pool=pool)
    parts = np.full(len(study.y), "", object)
    for part in ("train", "dev", "test"):
        parts[getattr(study, part)] = part
    return study, parts


def measure_sizes(data: Path) -> list[dict[str, object]]:
    """Return the loss of the shortcuts (P+S) after training on 1/8 to all of the training items, three draws of each."""
    kept = []
    for name in FILES:
        study, parts = read_parts(data, name)
        table = shares(name, study.ids, sorted(set(study.y)))
        for size in SIZES:
            losses = []
            for seed in range(N_DRAWS if size < 1 else 1):
                train = np.random.default_rng(seed).permutation(np.flatnonzero(parts == "train"))
                rows = np.sort(np.r_[train[: round(size * len(train))], np.flatnonzero(parts != "train")])
                found = measure_task_information(
                    [study.X[row] for row in rows],
                    [study.y[row] for row in rows],
                    parts=parts[rows].tolist(),
                    probabilities=table[rows],
                    search=False,
                    random_state=seed,
                )
                losses.append(next(control.nll for control in found.control if control.shortcuts == "P+S"))
            kept.append({"dataset": name, "size": size, "control_nll": losses})
            print(f"{name:8s} {size:.3f}  {', '.join(f'{loss:.4f}' for loss in losses)}", flush=True)
    return kept


def main(given: list[str] | None = None) -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--write", action="store_true", help="Keep the numbers in results/paper_003/tsi.json.")
    arguments.add_argument("--sizes", action="store_true", help="Measure shortcuts by the size of training instead.")
    options = arguments.parse_args(given or [])
    data = options.data
    if options.sizes:
        sizes = measure_sizes(data)
        if options.write:
            (RESULTS / "sizes.json").write_text(json.dumps(sizes, indent=1) + "\n", encoding="utf-8")
        return
    kept = []
    print("dataset  n_train  n_test  accuracy (printed)  NLL    TSI P+S [95%] (printed)        TSI P+S+O (printed)")
    for name in FILES:
        study, parts = read_parts(data, name)
        labels = sorted(set(study.y))
        found = measure_task_information(
            study.X,
            study.y,
            parts=parts.tolist(),
            probabilities=shares(name, study.ids, labels),
            search=False,
            n_jobs=1,
        )
        by_set = {control.shortcuts: control for control in found.control}
        both, all_three = by_set["P+S"], by_set.get("P+S+O")
        kept.append(
            {
                "dataset": name,
                "n_train": len(study.train),
                "n_test": found.n_items,
                "accuracy": found.full.accuracy,
                "full_nll": found.full.nll,
                "control_nll": both.nll,
                "tsi": both.tsi.value,
                "low": both.tsi.low,
                "high": both.tsi.high,
                "tsi_overlap": all_three.tsi.value if all_three else None,
            }
        )
        printed = PRINTED[name]
        overlap = f"{all_three.tsi.value:.3f} ({printed[2]:.2f})" if all_three else "-"
        print(
            f"{name:8s} {len(study.train):7,d} {found.n_items:7,d}  {found.full.accuracy:.3f} ({printed[0]:.2f})"
            f"        {found.full.nll:.3f}  {format_interval(both.tsi, 'rounded:3')} ({printed[1]:.2f})"
            f"   {overlap}",
            flush=True,
        )
    if options.write:
        (RESULTS / "tsi.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

"""A linear model cross-validated on SDS K-means folds and on random folds of real data (Wecker et al. 2020, Table 1).

Run `python -m benchmarks.sds_folds [--write] [DATASET…]`. F1 of the second label in sorted order if there are two,
macro-F1 if there are more; standard deviations over the folds with ddof = 0. `--write` keeps the scores of all
datasets in benchmarks/results/sds_folds.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from assay.splits import RandomSplit, SDSKMeansSplit
from benchmarks.gpu_inputs import read_sample

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FILE = Path(__file__).parent / "results" / "sds_folds.json"
ROWS = {"sst2_phrases": 60_000, "mr": None, "trec": None, "ag_news": None, "imdb": None}
SPLITS = {"random": RandomSplit(), "SDS K-means": SDSKMeansSplit()}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("names", nargs="*", default=list(ROWS))
    options = arguments.parse_args()
    results = []
    with threadpool_limits(1):
        for name in options.names:
            results.append(score_dataset(name, ROWS[name]))
            print(json.dumps(results[-1]), flush=True)
    if options.write:
        FILE.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def score_dataset(name: str, n_rows: int | None) -> dict[str, Any]:
    """Return the F1 × 100 of every fold, by the way to make folds."""
    data = read_sample(DATA / name / f"{name}.tsv.gz", n_rows)
    texts, labels = np.array(data.texts.to_list(), dtype=object), np.array(data.labels.to_list())
    folds = {
        kind: [100 * score(texts, labels, train, test) for train, test in split.split(texts, labels)]
        for kind, split in SPLITS.items()
    }
    return {"data": name, "n": len(texts), "folds": folds}


def score(texts: np.ndarray, labels: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
    """Train on one side and return the F1 on the other."""
    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(max_iter=300))
    predicted = model.fit(texts[train], labels[train]).predict(texts[test])
    names = np.unique(labels)
    if len(names) == 2:
        return float(f1_score(labels[test], predicted, pos_label=names[1]))
    return float(f1_score(labels[test], predicted, average="macro", labels=names))


if __name__ == "__main__":
    main()

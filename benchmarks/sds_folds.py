"""A linear model cross-validated on SDS K-means folds and on random folds of real data, as paper 001 prints it.

Run `python -m benchmarks.sds_folds [DATASET…]`. F1 of the second label in sorted order where there are two, macro-F1
where there are more; standard deviations over the folds with ddof = 0.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from assay.kinds import read
from assay.splits import RandomSplit, SDSKMeansSplit

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ROWS = {"sst2_phrases": 60_000, "mr": None, "trec": None, "ag_news": None, "imdb": None}
SPLITS = {"random": RandomSplit(), "SDS K-means": SDSKMeansSplit()}


def main() -> None:
    wanted = [name for name in sys.argv[1:] if name in ROWS] or list(ROWS)
    print("| data | rows | folds | 1 | 2 | 3 | 4 | 5 | mean | std |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with threadpool_limits(1):
        harder = [compared(name, ROWS[name]) for name in wanted]
    print(f"\nLower mean and higher standard deviation on SDS folds: {sum(harder)} of {len(harder)} (at least 4 of 5)")


def compared(name: str, n_rows: int | None) -> bool:
    """Print both rows of one dataset; tell whether SDS folds are harder and differ more."""
    data = read(DATA / name / f"{name}.tsv.gz", sample=n_rows).drop_unlabelled()
    texts, labels = np.array(data.texts.to_list(), dtype=object), np.array(data.labels.to_list())
    found = {}
    for kind, split in SPLITS.items():
        scores = [score(texts, labels, train, test) for train, test in split.split(texts, labels)]
        found[kind] = np.mean(scores), np.std(scores)
        cells = [name, f"{len(texts):,}", kind, *(f"{100 * value:.1f}" for value in [*scores, *found[kind]])]
        print(f"| {' | '.join(cells)} |", flush=True)
    (mean, std), (hard_mean, hard_std) = found["random"], found["SDS K-means"]
    return bool(hard_mean < mean and hard_std > std)


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

"""Processor time of a quick audit next to one cross-validation in scikit-learn, on the same rows.

    python -m benchmarks.quick_audit [DATASET…]

The cross-validation has five folds of `TfidfVectorizer(ngram_range=(1, 2))` and `LogisticRegression()` with default
settings. One thread each, in one process, nothing cached, after one audit of other data that compiles the loops.
Also counts how often texts are tokenised in the audit.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

DATASETS = ("imdb", "dbpedia14", "ag_news", "trec", "mnli", "msrp")


def measure(work: Callable[[], object]) -> float:
    """Return the processor seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print one row per dataset."""
    names = sys.argv[1:]
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ[variable] = "1"
    import warnings

    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline

    import assay
    from assay.text.tokenization import TOKENIZATIONS
    from benchmarks.linear import read_dataset

    warnings.simplefilter("ignore")
    shared = Path(__file__).parents[2] / "shared" / "data"
    for name in ("msrp", "trec"):
        assay.audit(shared / name, cache=False)
    print(f"{'dataset':<12}{'rows':>8}{'audit s':>10}{'scikit-learn s':>16}{'ratio':>8}{'tokenised':>11}")
    for name in names or DATASETS:
        X, y = read_dataset(name)
        texts = [" ".join(item) if isinstance(item, tuple) else item for item in X]
        before = TOKENIZATIONS.calls
        audit = measure(lambda: assay.audit(shared / name, cache=False))  # noqa: B023
        calls = TOKENIZATIONS.calls - before
        model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression())
        peer = measure(lambda: cross_val_score(model, texts, y, cv=5))  # noqa: B023
        print(f"{name:<12}{len(y):>8,}{audit:>10.1f}{peer:>16.1f}{audit / peer:>8.2f}{calls:>11}")


if __name__ == "__main__":
    main()

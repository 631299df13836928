"""Processor time of a quick audit next to one cross-validation in scikit-learn, on the same rows.

    python -m benchmarks.quick_audit [--rounds N] [DATASET…]

The cross-validation has five folds of `TfidfVectorizer(ngram_range=(1, 2))` and `LogisticRegression()` with default
settings. One thread each, in one process, in turns, nothing cached, after one audit of other data that compiles the
loops. Seconds are the least of N rounds (3), the ratio is the median of those of the rounds, as other work on the
machine slows both; the bar is 1 for large data and 1.5 for trec, mnli and msrp. Also counts how often texts are tokenised
in the audit.
"""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks._bars import print_bar

BARS = {"imdb": 1.0, "dbpedia14": 1.0, "ag_news": 1.0, "trec": 1.5, "mnli": 1.5, "msrp": 1.5}


def measure(work: Callable[[], object]) -> float:
    """Return the processor seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def read_texts(path: Path) -> tuple[list[str], list[str]]:
    """Return the texts and labels of a dataset; both sides of a pair are one text."""
    import assay

    data = assay.read(path)
    data = data.take([row for row, label in enumerate(data.labels) if label is not None])
    return [" ".join(texts) for texts in zip(*data.fill_texts().sides, strict=True)], data.labels.to_list()


def main() -> None:
    """Print one row per dataset."""
    parser = ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", default=list(BARS), metavar="DATASET")
    options = parser.parse_args()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ[variable] = "1"
    import warnings

    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline

    import assay
    from assay.text.tokenization import TOKENIZATIONS

    warnings.simplefilter("ignore")
    shared = Path(__file__).parents[2] / "shared" / "data"
    for name in ("msrp", "trec"):
        assay.audit(shared / name, cache=False)
    print(f"{'dataset':<12}{'rows':>8}{'audit s':>10}{'scikit-learn s':>16}{'ratio':>8}{'tokenised':>11}", flush=True)
    for name in options.names:
        texts, labels = read_texts(shared / name)
        model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression())
        audits, peers, calls = [], [], 0
        for _ in range(options.rounds):
            before = TOKENIZATIONS.calls
            audits.append(measure(lambda: assay.audit(shared / name, cache=False)))  # noqa: B023
            calls = TOKENIZATIONS.calls - before
            peers.append(measure(lambda: cross_val_score(model, texts, labels, cv=5)))  # noqa: B023
        ratio = median(audit / peer for audit, peer in zip(audits, peers, strict=True))
        line = f"{name:<12}{len(texts):>8,}{min(audits):>10.1f}{min(peers):>16.1f}{ratio:>8.2f}{calls:>11}"
        print_bar(line, is_held=ratio <= BARS.get(name, 1.0))


if __name__ == "__main__":
    main()

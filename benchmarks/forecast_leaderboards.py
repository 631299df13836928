"""Hold forecasts against public leaderboards of datasets whose texts we have: no training, other systems.

    python -m benchmarks.forecast_leaderboards --data ../shared/data

λ of the top five systems of a leaderboard (paper 000) beside λ as forecast. Leaderboard systems are far stronger than
the four of the evidence and trained on all data, so only the order of datasets can be expected to agree.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

TOP = 5
# Our file: (table, benchmark, dataset, metric, whether scores are errors)
BOARDS = {
    "sst2_phrases/sst2_phrases": ("leaderboards", "GLUE", "SST-2", "acc", False),
    "quora/quora": ("leaderboards", "GLUE", "QQP", "acc", False),
    "msrp/msrp": ("leaderboards", "GLUE", "MRPC", "acc", False),
    "mnli/mnli_dev_matched": ("leaderboards", "GLUE", "MNLI-m", "acc", False),
    "imdb/imdb": ("nlp_progress", "english: Sentiment analysis", "IMDb", "Accuracy", False),
    "atis/atis": (
        "nlp_progress", "english: Intent Detection and Slot Filling", "ATIS", "Intent Accuracy", False,
    ),
    "dbpedia14/dbpedia14": ("nlp_progress", "english: Text classification", "DBpedia", "Error", True),
    "ag_news/ag_news": ("nlp_progress", "english: Text classification", "AG News", "Error", True),
    "trec/trec": ("nlp_progress", "english: Text classification", "TREC / TREC-6", "Error", True),
    "yelp_reviews/yelp_reviews": (
        "nlp_progress", "english: Sentiment analysis", "Yelp / Fine-grained classification", "Error", True,
    ),
}  # fmt: skip


def board_scores(data: Path, board: tuple[str, str, str, str, bool]) -> np.ndarray:
    """Return the scores of the top systems, in percent."""
    import polars as pl

    table, benchmark, dataset, metric, errors = board
    path = data / "leaderboards" / f"{table}.tsv.gz"
    rows = pl.read_csv(path, separator="\t", quote_char=None, infer_schema_length=0).filter(
        (pl.col("benchmark") == benchmark) & (pl.col("dataset") == dataset) & (pl.col("metric") == metric)
    )
    scores = rows["score"].cast(pl.Float64).to_numpy()
    scores = 100 * scores if scores.max() <= 1 else scores
    return np.sort(100 - scores if errors else scores)[::-1][:TOP]


def main() -> None:
    from assay.data import read
    from assay.forecast import forecast
    from assay.statistics import spearman

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = arguments.parse_args()
    print(f"{'dataset':14s} {'top 5':>18s} {'λ_var':>6s} {'forecast':>20s} {'λ_sva':>7s} {'forecast':>22s}")
    found = []
    for name, board in BOARDS.items():
        scores = board_scores(options.data, board)
        var = float(scores.std(ddof=1))
        sva = var * (100 - float(scores.mean()))
        made = forecast(read(options.data / f"{name}.tsv.gz"))
        found.append((var, made.lambda_var, sva, made.lambda_sva))
        told = f"{made.lambda_var:.2f} ({made.lambda_var_low:.1f} to {made.lambda_var_high:.1f})"
        more = f"{made.lambda_sva:.0f} ({made.lambda_sva_low:.0f} to {made.lambda_sva_high:.0f})"
        span = f"{scores[-1]:.1f} to {scores[0]:.1f}"
        print(f"{board[2][:14]:14s} {span:>18s} {var:6.2f} {told:>20s} {sva:7.1f} {more:>22s}", flush=True)
    values = np.array(found).T
    for first, second, name in ((0, 1, "λ_var"), (2, 3, "λ_sva")):
        rank = spearman(values[first], values[second])
        print(f"{name}: Spearman {rank.value:.2f} ({rank.low:.2f} to {rank.high:.2f}), p = {rank.p:.3f}, n = {rank.n}")


if __name__ == "__main__":
    main()

"""Hold forecasts against scores of others on data whose texts we have: public leaderboards, and paper 000's Table 1.

    python -m benchmarks.forecast_leaderboards --data ../shared/data

λ of the top five systems of a leaderboard, and of the four models of the paper's Table 1, next to λ as forecast by a
predictor that saw nothing of the dataset's family. Those systems are stronger and trained on all data, so only the
order of datasets can be expected to agree.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.evidence_parents import PARENTS

TOP = 5
MODELS = ("BERT", "LSTMAtt", "LSTM", "CNN")
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


# The paper's dataset: our file. Its Yelp is another (two labels).
TABLE_1 = {
    "SST1": "sst1/sst1", "CR": "cr/cr", "MR": "mr/mr", "QC": "trec/trec", "IMDB": "imdb/imdb", "ADE": "ade/ade",
    "ATIS": "atis/atis", "DPedia": "dbpedia14/dbpedia14",
}  # fmt: skip


def held_out_forecast(path: Path) -> tuple[float, float]:
    """Forecast λ_var and λ_sva of a file by a predictor that saw nothing of its family."""
    from assay import forecast_discrimination, read
    from assay.forecast import read_evidence
    from assay.forecast.predictor import PREDICTOR_FEATURES
    from benchmarks.studies.forecast.predictor_training import SHIPPED_FEATURES, fit_and_predict

    evidence = read_evidence()
    name = path.name.removesuffix(".tsv.gz").removesuffix("_dev_matched")
    family = {parent.name: parent.family for parent in PARENTS}[name]
    others, features = evidence.families != family, forecast_discrimination(read(path)).features
    x = np.array([[features[column] for column in PREDICTOR_FEATURES]])
    X = evidence.features(SHIPPED_FEATURES)[others]
    var, sva = (fit_and_predict(X, evidence.target(target)[others], x)[0] for target in ("lambda_var", "lambda_sva"))
    return float(var), float(sva)


def compare(title: str, boards: dict[str, tuple[str, np.ndarray]], data: Path) -> None:
    """Print measured and forecast λ of each dataset, and how well their orders agree."""
    from assay.statistics import spearman

    print(f"\n{title}\n{'dataset':14s} {'scores':>16s} {'λ_var':>6s} {'forecast':>9s} {'λ_sva':>7s} {'forecast':>9s}")
    found = []
    for name, (file, scores) in boards.items():
        var = float(scores.std(ddof=1))
        sva = var * (100 - float(scores.mean()))
        pair = held_out_forecast(data / f"{file}.tsv.gz")
        found.append((var, pair[0], sva, pair[1]))
        span = f"{scores.min():.1f} to {scores.max():.1f}"
        print(
            f"{name[:14]:14s} {span:>16s} {var:6.2f} {pair[0]:9.2f} {sva:7.1f} {pair[1]:9.1f}",
            flush=True,
        )
    values = np.array(found).T
    for first, second, name in ((0, 1, "λ_var"), (2, 3, "λ_sva")):
        rank = spearman(values[first], values[second])
        print(f"{name}: Spearman {rank.value:.2f} ({rank.low:.2f} to {rank.high:.2f}), p = {rank.p:.3f}, n = {rank.n}")


def table_1(data: Path) -> dict[str, np.ndarray]:
    """Return the scores of the paper's four models by dataset."""
    import csv

    with (data / "oracles" / "seed000_table1.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["dataset"]: row for row in csv.DictReader(file)}
    return {name: np.array([float(rows[name][m]) for m in MODELS]) for name in TABLE_1}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = arguments.parse_args()
    scores = table_1(options.data)
    paper = {name: (file, scores[name]) for name, file in TABLE_1.items()}
    compare("Paper 000, Table 1: BERT, LSTM with attention, LSTM, CNN", paper, options.data)
    boards = {board[2]: (file, board_scores(options.data, board)) for file, board in BOARDS.items()}
    compare("Leaderboards: the top five systems", boards, options.data)


if __name__ == "__main__":
    main()

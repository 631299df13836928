"""How far each way to split is from a real new sample: the latest fifth of data with times (Søgaard et al. 2021).

    python -m benchmarks.new_samples [--write]

Models are trained and tested under each family of splits on the older four fifths (five draws where a family is
random), then trained on all of it and tested on the latest fifth. The gap of a family is its error reduction minus
that of the new sample; its MSE is over the models. `--write` keeps the result in benchmarks/results/new_samples.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks._stress_rows import list_rows

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
RESULTS = ROOT / "benchmarks" / "results" / "new_samples.json"
FILES = {
    "uci_news": "uci_news/uci_news",
    "yelp_reviews": "yelp_reviews/yelp_reviews",
    "cqa_A": "semeval2016_cqa/cqa_A",
}
N_ROWS, NEW_SHARE, N_REPEATS = 2500, 0.2, 5
MODELS = ("linear", "embedding")
SETTINGS = {"linear.char_ngrams": None, "embedding.encoder": "tfidf"}
SPLITS = tuple("random bootstrap length random-length rare-words wasserstein sds-k-means temporal".split())


def read_by_time(name: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a seeded sample of older rows and one of the latest fifth."""
    table = pl.read_csv(DATA / f"{FILES[name]}.tsv.gz", separator="\t", quote_char=None, infer_schema_length=0)
    table = table.filter(pl.col("timestamp").str.len_chars() > 0).sort("timestamp", maintain_order=True)
    texts = ["text"] if "text" in table.columns else ["text_a", "text_b"]
    table = table.select("id", *texts, "label", "timestamp")
    bound = round((1 - NEW_SHARE) * len(table))
    old, new = table[:bound], table[bound:]
    return (
        old.sample(min(len(old), N_ROWS), seed=0).sort("timestamp", maintain_order=True),
        new.sample(min(len(new), N_ROWS // 2), seed=0),
    )


def measure(name: str) -> dict[str, Any]:
    from assay.kinds import read
    from assay.models.split_studies.stress_table import build_stress_table

    old, new = (read(part) for part in read_by_time(name))
    table = build_stress_table(
        old, MODELS, SPLITS, n_repeats=N_REPEATS, new_sample=new, settings=dict(SETTINGS), cache=None
    )
    assert table.new_sample is not None
    return {
        "data": name,
        "n_old": len(old),
        "n_new": len(new),
        "a_distance": table.new_sample.a_distance,
        "new": {score.model: [score.score, score.error_reduction] for score in table.new_sample.scores},
        "rows": list_rows(table),
        "mse": {error.split: error.mse for error in table.errors},
        "notes": table.notes,
    }


def summarise(results: list[dict[str, Any]], n_resamples: int = 5000) -> dict[str, tuple[float, float, float, int]]:
    """Return the MSE of each family over datasets and models, with a 95% interval over resampled cells."""
    gaps: dict[str, list[float]] = {}
    for result in results:
        for row in result["rows"]:
            gaps.setdefault(row["split"], []).append((row["reduction"] - result["new"][row["model"]][1]) ** 2)
    rng = np.random.default_rng(0)
    summary = {}
    for split, values in gaps.items():
        cells = np.array(values)
        means = cells[rng.integers(0, len(cells), (n_resamples, len(cells)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        summary[split] = (float(cells.mean()), float(low), float(high), len(cells))
    return summary


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("names", nargs="*", default=list(FILES))
    options = arguments.parse_args()
    results = []
    for name in options.names:
        results.append(measure(name))
        print(json.dumps(results[-1]), flush=True)
    if options.write:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for split, (mse, low, high, n) in summarise(results).items():
        print(f"{split:14s} MSE {mse:.4f} [{low:.4f}, {high:.4f}] over {n} cells")


if __name__ == "__main__":
    main()

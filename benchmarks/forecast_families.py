"""The forecast on families it has not seen: order, coverage of its intervals by family, and whether perplexity helps.

    python -m benchmarks.forecast_families [--write] [--perplexity]

Each family is held out in turn; its margins come from the other families, each held out among them. `--perplexity`
adds the perplexity of the texts under SmolLM2-135M (benchmarks/results/gpu/perplexity.npz, from
`benchmarks.gpu_papers perplexity`) to the predictor's features and compares. Needs LightGBM (extra [forecast]).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from assay.base.arrays import Array

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
DATA = ROOT.parent / "shared" / "data"
MIN_TEXTS = 5


def measure(target: str) -> dict[str, Any]:
    """Return the correlation on held-out families and the coverage of the intervals."""
    from assay.forecast import read_evidence
    from assay.studies.forecast.predictor_training import find_pairs, fit_and_predict, measure_coverage
    from assay.studies.forecast.protocols import FAMILIES, score_predictions

    evidence = read_evidence()
    X, y = evidence.features("probes"), evidence.target(target)
    predicted = predict_families(X, y, evidence.families)
    score = score_predictions(evidence, np.arange(len(y)), predicted, target, FAMILIES)
    coverage = measure_coverage(X, y, evidence.families, fit_and_predict, is_pair=find_pairs(X))
    sizes = {str(name): int((evidence.families == name).sum()) for name in np.unique(evidence.families)}
    medians = {str(name): float(np.median(y[evidence.families == name])) for name in sizes}
    return {
        "target": target,
        "n": len(y),
        "n_families": len(sizes),
        "spearman": score.spearman,
        "low": score.low,
        "high": score.high,
        "rmse": score.rmse,
        "within": score.within,
        "coverage": coverage.coverage,
        "width_ratio": coverage.width_ratio,
        "by_family": coverage.by_family,
        "n_by_family": sizes,
        "median_by_family": medians,
    }


def predict_families(X: Array, y: Array, families: Array) -> Array:
    """Return what models trained without a row's family predict for it."""
    from assay.studies.forecast.predictor_training import fit_and_predict

    predicted = np.zeros(len(y))
    for family in np.unique(families):
        is_held_out = families == family
        predicted[is_held_out] = fit_and_predict(X[~is_held_out], y[~is_held_out], X[is_held_out])
    return predicted


def read_perplexity() -> Array:
    """Return log perplexity of train and test texts of every sub-dataset; nan where fewer than five were sampled."""
    from assay.forecast import read_evidence
    from benchmarks.evidence_parents import PARENTS, pieces_of, read_parent

    with np.load(RESULTS / "gpu" / "perplexity.npz", allow_pickle=False) as stored:
        values = {name: stored[name] for name in stored.files}
    found: dict[str, list[float]] = {}
    for parent in PARENTS:
        dataset = read_parent(parent, DATA)
        loss, tokens = np.zeros(len(dataset)), np.zeros(len(dataset))
        rows = values[f"{parent.name}/rows"]
        loss[rows], tokens[rows] = values[f"{parent.name}/loss"], values[f"{parent.name}/tokens"]
        for number, piece in enumerate(pieces_of(parent, dataset)):
            parts = []
            for part in (piece.train, piece.test):
                n = tokens[part].sum()
                parts.append(loss[part].sum() / n if (tokens[part] > 0).sum() >= MIN_TEXTS and n else np.nan)
            found[f"{parent.name}-{number:03d}"] = parts
    return np.array([found[id_] for id_ in read_evidence().table["id"].to_list()])


def compare_perplexity() -> dict[str, Any]:
    """Compare held-out correlations with and without perplexity, and how λ follows perplexity by itself."""
    from assay.forecast import read_evidence
    from assay.statistics import spearman
    from assay.studies.forecast.protocols import resample_families

    evidence = read_evidence()
    extra = read_perplexity()
    extra = np.column_stack([extra, ((extra[:, 0] - extra[:, 1]) / extra[:, 0]) ** 2])
    X, families = evidence.features("probes"), evidence.families
    known = ~np.isnan(extra[:, 0])
    result: dict[str, Any] = {"n": len(X), "n_known": int(known.sum()), "spearman": {}, "alone": {}}
    for target in ("lambda_var", "lambda_sva"):
        y = evidence.target(target)
        without, beside = (predict_families(table, y, families) for table in (X, np.column_stack([X, extra])))
        low, high = resample_families(y, beside, families)
        values = {"without": spearman(y, without).value, "with": spearman(y, beside).value, "low": low, "high": high}
        result["spearman"][target] = values
        low, high = resample_families(y[known], extra[known, 0], families[known])
        alone = spearman(y[known], extra[known, 0]).value
        result["alone"][target] = {"value": alone, "low": low, "high": high}
    gains = [values["with"] - values["without"] for values in result["spearman"].values()]
    result["helps"] = bool(min(gains) > 0.01)
    return result


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--perplexity", action="store_true")
    options = arguments.parse_args()
    if options.perplexity:
        name, result = "perplexity_feature.json", compare_perplexity()
    else:
        name, result = "forecast_families.json", [measure(target) for target in ("lambda_var", "lambda_sva")]
    print(json.dumps(result, indent=1))
    if options.write:
        (RESULTS / name).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

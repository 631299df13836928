"""The forecast on families it has not seen: order, coverage of its intervals by family, and whether perplexity helps.

    python -m benchmarks.forecast_families [--write] [--perplexity]

Each family is held out in turn; its margins come from the other families, each held out among them. The one setting of
the intervals, the share of families, is also chosen on random halves of the families and tested on the others. `--perplexity`
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
N_HALVES = 40
ADDED = "goemotions waimai hindi gnad10 snli xnli cqa mmlu commonsenseqa figqa arct".split()  # after the first 13


def measure(target: str) -> dict[str, Any]:
    """Return the correlation on held-out families, the coverage of the intervals, and its check on halves."""
    from assay.forecast import read_evidence
    from benchmarks.studies.forecast.interval_coverage import (
        FAMILY_SHARES,
        hold_out_families,
        measure_coverage,
        validate_family_share,
    )
    from benchmarks.studies.forecast.predictor_training import FAMILY_SHARE, find_pairs, fit_and_predict
    from benchmarks.studies.forecast.protocols import FAMILIES, score_predictions

    evidence = read_evidence()
    X, y, families = evidence.features("probes"), evidence.target(target), evidence.families
    held_out = hold_out_families(X, y, families, fit_and_predict, find_pairs(X))
    predicted, is_inside = np.zeros(len(y)), np.zeros(len(y), dtype=bool)
    for family in held_out:
        predicted[families == family.name] = family.predicted
        is_inside[families == family.name] = family.cover(FAMILY_SHARE)[0]
    score = score_predictions(evidence, np.arange(len(y)), predicted, target, FAMILIES)
    coverage = measure_coverage(held_out)
    n_trainings = evidence.table["n_trainings"].to_numpy()
    parts = {"first": ~np.isin(families, ADDED), "added": np.isin(families, ADDED)}
    return {
        "target": target,
        "n": len(y),
        "n_families": len(held_out),
        "spearman": score.spearman,
        "low": score.low,
        "high": score.high,
        "rmse": score.rmse,
        "within": score.within,
        "spearman_by_part": {name: spearman_of(y[rows], predicted[rows]) for name, rows in parts.items()},
        "family_share": FAMILY_SHARE,
        "coverage": coverage.coverage,
        "width_ratio": coverage.width_ratio,
        "by_family": coverage.by_family,
        "is_pair": {family.name: family.is_pair for family in held_out},
        "n_by_family": {family.name: len(family.residuals) for family in held_out},
        "one_training_by_family": {
            family.name: int((n_trainings[families == family.name] == 1).sum()) for family in held_out
        },
        "median_by_family": {family.name: float(np.median(y[families == family.name])) for family in held_out},
        "by_trainings": {
            str(n): {"n": int((n_trainings == n).sum()), "coverage": float(is_inside[n_trainings == n].mean())}
            for n in np.unique(n_trainings)
        },
        "by_share": {str(share): measure_coverage(held_out, share).to_dict() for share in FAMILY_SHARES},
        "halves": [half.to_dict() for half in validate_family_share(held_out, n_halves=N_HALVES)],
        "halves_fixed": [
            half.to_dict() for half in validate_family_share(held_out, shares=(FAMILY_SHARE,), n_halves=N_HALVES)
        ],
    }


def spearman_of(truth: Array, predicted: Array) -> float:
    from assay.statistics import spearman

    return spearman(truth, predicted).value


def predict_families(X: Array, y: Array, families: Array) -> Array:
    """Return what models trained without a row's family predict for it."""
    from benchmarks.studies.forecast.predictor_training import fit_and_predict

    predicted = np.zeros(len(y))
    for family in np.unique(families):
        is_held_out = families == family
        predicted[is_held_out] = fit_and_predict(X[~is_held_out], y[~is_held_out], X[is_held_out])
    return predicted


def read_perplexity() -> Array:
    """Return log perplexity of train and test texts of every sub-dataset; nan if fewer than five were sampled."""
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
    from benchmarks.studies.forecast.protocols import resample_families

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

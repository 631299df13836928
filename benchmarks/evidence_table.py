"""Put answers and features together into the table that ships: `src/assay/forecast/evidence.parquet`.

python -m benchmarks.evidence_table --answers a.npz b.npz c.npz --features FEATURES --out src/assay/forecast
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.forecast_evidence import read_results

SYSTEMS = ("cnn", "lstm", "lstm-attention", "transformer")


def seeds_of(results: dict[str, Any], id_: str) -> list[str]:
    """Return the seeds under which all four models were trained on a sub-dataset."""
    return [s for s in ("0", "1", "2", "3") if all(f"{id_}|{system}|{s}" in results for system in SYSTEMS)]


def scored(results: dict[str, Any], id_: str, seeds: list[str]) -> dict[str, Any]:
    """Return scores (percent, the mean of the trainings) and λ of one sub-dataset."""
    from assay.forecast.lambdas import lambdas

    right = np.array([[results[f"{id_}|{system}|{seed}"]["right"] for system in SYSTEMS] for seed in seeds])
    scores = {system.replace("-", "_"): 100 * right[:, place].mean() for place, system in enumerate(SYSTEMS)}
    return {"n_trainings": len(seeds), **scores, **lambdas(right).to_dict()}


def seed_noise(results: dict[str, Any], ids: list[str], first: str, second: str) -> dict[str, Any]:
    """Compare two trainings of the same sub-datasets: scores, λ_var and λ_sva."""
    from assay.forecast.lambdas import spreads
    from assay.statistics import spearman

    both = [i for i in ids if all(f"{i}|{m}|{s}" in results for m in SYSTEMS for s in (first, second))]
    if not both:
        return {}
    found: dict[str, list[Any]] = {first: [], second: []}
    for id_ in both:
        for seed in (first, second):
            right = np.array([[results[f"{id_}|{system}|{seed}"]["right"] for system in SYSTEMS]])
            values = spreads(right, np.ones((1, right.shape[2]), dtype=np.int64))
            found[seed].append([*(100 * right[0].mean(axis=1)), float(values[0][0]), float(values[1][0])])
    a, b = np.array(found[first]), np.array(found[second])
    gap = a - b
    told = {"n": len(both), "score_sd": float(np.sqrt((gap[:, :4] ** 2).mean() / 2))}
    for place, name in ((4, "lambda_var"), (5, "lambda_sva")):
        told[f"{name}_sd"] = float(np.sqrt((gap[:, place] ** 2).mean() / 2))
        told[f"{name}_spearman"] = spearman(a[:, place], b[:, place]).value if len(both) > 3 else None
    return told


def note(results: dict[str, Any], ids: list[str]) -> dict[str, Any]:
    """Say what the table was measured with."""
    from dataclasses import asdict

    from benchmarks import evidence_training as training

    some = [value for key, value in results.items() if key.split("|")[0] in set(ids)]
    return {
        "device": sorted({value["device"] for value in some}),
        "torch": sorted({value["torch"] for value in some}),
        "n_trainings": len(some),
        "training_seconds": round(sum(value["seconds"] for value in some)),
        "batch": training.BATCH,
        "batches_a_period": training.STEPS,
        "models": {name: asdict(settings) for name, settings in training.SETTINGS.items()},
        "hidden": training.HIDDEN,
        "filters": training.FILTERS,
        "words": "mean of MiniLM's word-piece vectors, trained further; first 78 pieces (40 a side for pairs)",
        "encoder": "all-MiniLM-L6-v2, mean of the last layer; vectors of pieces not trained",
        "seed_noise": seed_noise(results, ids, "0", "1"),
        "same_seed_again": seed_noise(results, ids, "0", "0 again"),
    }


def main() -> None:
    import polars as pl

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--answers", type=Path, nargs="+", required=True)
    arguments.add_argument("--features", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    options = arguments.parse_args()
    results = read_results(options.answers)
    kinds = {kind: sorted(options.features.glob(f"*.{kind}.parquet")) for kind in ("features", "grammar")}
    tables = {
        kind: pl.concat([pl.read_parquet(path) for path in paths], how="vertical_relaxed")
        for kind, paths in kinds.items()
        if paths
    }
    table = tables["features"]
    if "grammar" in tables:
        heavy = [name for name in tables["grammar"].columns if name != "id"]
        table = table.drop(heavy).join(tables["grammar"], on="id", how="left", maintain_order="left")
    done = {id_: seeds for id_ in table["id"].to_list() if (seeds := seeds_of(results, id_))}
    rows = [{"id": id_, **scored(results, id_, seeds)} for id_, seeds in done.items()]
    table = table.join(pl.DataFrame(rows), on="id", how="inner", maintain_order="left")
    floats = [name for name, kind in table.schema.items() if kind == pl.Float64]
    table = table.with_columns(pl.col(floats).cast(pl.Float32))
    options.out.mkdir(parents=True, exist_ok=True)
    table.write_parquet(options.out / "evidence.parquet", compression="zstd", compression_level=19)
    told = {"rows": len(table), "parents": table["parent"].n_unique(), "families": table["family"].n_unique()}
    told |= note(results, table["id"].to_list())
    (options.out / "evidence.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()

"""Put answers and features together into the table that ships: `src/assay/forecast/evidence.parquet`.

    python -m benchmarks.evidence_table --answers a.npz b.npz c.npz --features FEATURES --out src/assay/forecast

`--extend` adds the rows to the table that is there, in place of those of the same id, and to its note.
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
    from benchmarks.studies.forecast.measured_lambdas import measure_lambdas

    right = np.array([[results[f"{id_}|{system}|{seed}"]["right"] for system in SYSTEMS] for seed in seeds])
    scores = {system.replace("-", "_"): 100 * right[:, place].mean() for place, system in enumerate(SYSTEMS)}
    return {"n_trainings": len(seeds), **scores, **measure_lambdas(right).to_dict()}


def repeated(results: dict[str, Any], first: str, second: str) -> dict[str, Any]:
    """Compare trainings that were run twice: by system, how many, and the mean and largest gap of scores (points)."""
    found: dict[str, list[float]] = {}
    for key, value in results.items():
        id_, system, label = key.split("|")
        again = results.get(f"{id_}|{system}|{second}")
        if label == first and again is not None:
            found.setdefault(system, []).append(100 * abs(float(value["right"].mean() - again["right"].mean())))
    return {
        system: {"n": len(gaps), "mean_gap": float(np.mean(gaps)), "largest_gap": float(np.max(gaps))}
        for system, gaps in sorted(found.items())
    }


def note(results: dict[str, Any], ids: list[str], runs: str) -> dict[str, Any]:
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
        "same_seed_again": repeated(results, "0", "0 again"),
        "second_seed": repeated(results, "0", "1"),
        "runs": runs,
    }


def extend_note(old: dict[str, Any], added: dict[str, Any]) -> dict[str, Any]:
    """Add counts, devices and runs to the note of an earlier table; its measured noise stays."""
    kept = {name: value for name, value in old.items() if name not in ("rows", "parents", "families")}
    kept["n_trainings"] += added["n_trainings"]
    kept["training_seconds"] += added["training_seconds"]
    for name in ("device", "torch"):
        kept[name] = sorted({*kept[name], *added[name]})
    kept["runs"] = "; ".join(text for text in (old["runs"], added["runs"]) if text)
    return kept


def main() -> None:
    import polars as pl

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--answers", type=Path, nargs="+", required=True)
    arguments.add_argument("--features", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--runs", default="", help="How it was run, for the note.")
    arguments.add_argument("--extend", action="store_true", help="Keep the rows of other ids that are there.")
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
    added = note(results, table["id"].to_list(), options.runs)
    if options.extend:
        old = pl.read_parquet(options.out / "evidence.parquet")
        table = pl.concat([old.join(table, on="id", how="anti", maintain_order="left"), table], how="diagonal_relaxed")
        table = table.select(old.columns)
        added = extend_note(json.loads((options.out / "evidence.json").read_text(encoding="utf-8")), added)
    table.write_parquet(options.out / "evidence.parquet", compression="zstd", compression_level=19)
    summary = {"rows": len(table), "parents": table["parent"].n_unique(), "families": table["family"].n_unique()}
    summary |= added
    (options.out / "evidence.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()

"""Runs of HELM: a folder with `per_instance_stats.json`, `run_spec.json` and often `instances.json`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.discrimination.logs.records import Record, content_hash, number, read_json

# Stats that count the run and not the answer.
_BOOKKEEPING = (
    "num_",
    "inference_",
    "training_",
    "max_prob",
    "logprob",
    "prompt_",
    "finish_reason",
    "batch_",
    "predicted_index",
    "estimated_",
    "bits_per_",
    "log_perplexity",
    "perplexity",
)


def find(folder: Path) -> list[Path]:
    """Find the stats of all runs."""
    return sorted(folder.rglob("per_instance_stats.json"))


def read(path: Path) -> Iterator[Record]:
    """Yield a record for every instance and stat: perturbed copies are dropped, train trials averaged."""
    system, task = _run(path.parent)
    texts = _instances(path.parent)
    sums: dict[tuple[str, str], list[float]] = {}
    failed: set[tuple[str, str]] = set()
    for row in read_json(path):
        if row.get("perturbation"):
            continue
        instance = str(row["instance_id"])
        item = texts.get(instance, instance)
        for stat in row.get("stats", []):
            name = stat.get("name", {})
            if name.get("perturbation") or str(name.get("name", "")).startswith(_BOOKKEEPING):
                continue
            value = _mean(stat)
            key = (item, str(name.get("name")))
            failed.add(key) if value is None else sums.setdefault(key, []).append(value)
    for (item, metric), values in sums.items():
        yield Record(system, task, metric, item, math.fsum(values) / len(values))
    for item, metric in sorted(failed - set(sums)):
        yield Record(system, task, metric, item, None, error=True)


def _mean(stat: dict[str, Any]) -> float | None:
    if not stat.get("count"):
        return None
    return number(stat["mean"]) if "mean" in stat else stat["sum"] / stat["count"] if "sum" in stat else None


def _run(folder: Path) -> tuple[str, str]:
    """Return the model and the scenario of a run, from its spec or else from the folder's name."""
    spec = folder / "run_spec.json"
    about = read_json(spec) if spec.exists() else {}
    name = str(about.get("name", folder.name))
    parts = [part for part in name.split(",") if not part.startswith("model=")]
    scenario, _, first = parts[0].partition(":")
    kept = [part for part in [first, *parts[1:]] if part and not part.startswith("model=")]
    model = about.get("adapter_spec", {}).get("model") or _after(name, "model=")
    return str(model or "unknown"), ":".join([scenario, ",".join(kept)]) if kept else scenario


def _after(name: str, key: str) -> str | None:
    return name.split(key, 1)[1].split(",")[0].replace("_", "/", 1) if key in name else None


def _instances(folder: Path) -> dict[str, str]:
    """Return a content hash for every instance id, where the run kept its instances."""
    path = folder / "instances.json"
    if not path.exists():
        return {}
    rows = [row for row in read_json(path) if not row.get("perturbation")]
    return {str(row["id"]): content_hash(row.get("input"), row.get("references")) for row in rows}

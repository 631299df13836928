"""Runs of HELM."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.logs.files import read_json
from assay.logs.formats import LOGS, LogReader
from assay.logs.records import LogRecord, hash_content, parse_score

# Stats that describe the run and not the answer.
_RUN_STATS = (
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


@LOGS.add("helm")
class HelmLogs(LogReader):
    """Read run folders with `per_instance_stats.json`, `run_spec.json` and often `instances.json`."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the stats files of all runs."""
        return sorted(folder.rglob("per_instance_stats.json"))

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every instance and stat; perturbed copies are dropped, train trials averaged."""
        system, task = _name_run(path.parent)
        keys = _hash_instances(path.parent)
        values: dict[tuple[str, str], list[float]] = {}
        failed: set[tuple[str, str]] = set()
        for row in read_json(path):
            if row.get("perturbation"):
                continue
            instance = str(row["instance_id"])
            for metric, value in _read_stats(row):
                key = (keys.get(instance, instance), metric)
                failed.add(key) if value is None else values.setdefault(key, []).append(value)
        for (item, metric), scores in values.items():
            yield LogRecord(system, task, metric, item, math.fsum(scores) / len(scores))
        for item, metric in sorted(failed - set(values)):
            yield LogRecord(system, task, metric, item, None, error=True)

    def recognises(self, path: Path) -> bool:
        """Tell whether a file is a stats file by its name."""
        return path.name == "per_instance_stats.json"


def _read_stats(row: dict[str, Any]) -> Iterator[tuple[str, float | None]]:
    for stat in row.get("stats", []):
        name = stat.get("name", {})
        if not name.get("perturbation") and not str(name.get("name", "")).startswith(_RUN_STATS):
            yield str(name.get("name")), _average_stat(stat)


def _average_stat(stat: dict[str, Any]) -> float | None:
    if not stat.get("count"):
        return None
    return parse_score(stat["mean"]) if "mean" in stat else stat["sum"] / stat["count"] if "sum" in stat else None


def _name_run(folder: Path) -> tuple[str, str]:
    """Return the model and the scenario of a run, from its spec or else from the name of its folder."""
    path = folder / "run_spec.json"
    spec = read_json(path) if path.exists() else {}
    name = str(spec.get("name", folder.name))
    parts = [part for part in name.split(",") if not part.startswith("model=")]
    scenario, _, first = parts[0].partition(":")
    arguments = [part for part in [first, *parts[1:]] if part and not part.startswith("model=")]
    model = spec.get("adapter_spec", {}).get("model") or _parse_model(name)
    return str(model or "unknown"), ":".join([scenario, ",".join(arguments)]) if arguments else scenario


def _parse_model(name: str) -> str | None:
    key = "model="
    return name.split(key, 1)[1].split(",")[0].replace("_", "/", 1) if key in name else None


def _hash_instances(folder: Path) -> dict[str, str]:
    """Return the content hash of every instance id, where the run has its instances."""
    path = folder / "instances.json"
    if not path.exists():
        return {}
    rows = [row for row in read_json(path) if not row.get("perturbation")]
    return {str(row["id"]): hash_content(row.get("input"), row.get("references")) for row in rows}

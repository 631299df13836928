"""Every Eval Ever: `<uuid>.json` beside `<uuid>_samples.jsonl`, one line a sample; read and written."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.files import open_for_writing
from assay.discrimination.logs.records import Record, content_hash, number, read_json, read_lines

if TYPE_CHECKING:
    from assay.discrimination.logs.table import LogTable

SCHEMA_VERSION = "0.2.2"
_SPACE = uuid.UUID("5b0f1f0e-7d0c-5a53-9a55-1d3a6a4f2c11")  # ours, so that the same result gets the same name


def find(folder: Path) -> list[Path]:
    """Find the sample files, and aggregate files that have none."""
    samples = sorted(folder.rglob("*_samples.jsonl"))
    stems = {path.with_name(path.name.removesuffix("_samples.jsonl") + ".json") for path in samples}
    alone = [path for path in folder.rglob("*.json") if path not in stems and _is_aggregate(path)]
    return [path for path in samples if _is_samples(path)] + sorted(alone)


def read(path: Path) -> Iterator[Record]:
    """Yield a record for every sample, or for every result of an aggregate file without samples."""
    if path.suffix == ".json":
        yield from _aggregate(read_json(path))
        return
    seen: dict[tuple[str, str], int] = {}
    for row in read_lines(path):
        item = str(row.get("sample_hash") or content_hash(row.get("input")))
        name, metric = str(row["evaluation_name"]), str(row.get("evaluation_result_id") or "score")
        repeat = str(seen.get((item, metric), 0))
        seen[item, metric] = int(repeat) + 1
        failed = bool(row.get("error"))
        score = None if failed else number(row["evaluation"].get("score"))
        metric = metric.removeprefix(f"{name}/") or "score"
        yield Record(str(row["model_id"]), name, metric, item, score, repeat, error=score is None)


def _aggregate(log: dict[str, Any]) -> Iterator[Record]:
    for result in log["evaluation_results"]:
        config = result.get("metric_config", {})
        metric = str(config.get("metric_name") or config.get("metric_id") or "score")
        score = number(result.get("score_details", {}).get("score"))
        names = (str(log["model_info"]["id"]), str(result["evaluation_name"]), metric)
        yield Record(*names, item="", score=score, error=score is None, whole=True)


def write(table: LogTable, folder: str | Path) -> list[Path]:
    """Write one aggregate and one samples file a system, named by their content, and return their paths.

    Texts are not in the table: `input.raw` names the item's hash, which readers fall back to anyway.
    """
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for system in table.systems:
        records = [record for record in table.records if record.system == system and not record.whole]
        paths += _write_one(home, system, records)
    return paths


def _write_one(home: Path, system: str, records: list[Record]) -> list[Path]:
    named = hashlib.sha256(repr(records).encode("utf-8")).hexdigest()
    name = str(uuid.uuid5(_SPACE, named))
    evaluation_id = f"assay/{system.replace('/', '_')}/{named[:12]}"
    lines = [json.dumps(_sample(record, evaluation_id), ensure_ascii=False) + "\n" for record in records]
    samples = home / f"{name}_samples.jsonl"
    with open_for_writing(samples) as file:
        file.writelines(lines)
    with open_for_writing(home / f"{name}.json") as file:
        json.dump(_log(system, evaluation_id, records, samples.name, lines), file, ensure_ascii=False, indent=1)
    return [home / f"{name}.json", samples]


def _sample(record: Record, evaluation_id: str) -> dict[str, Any]:
    score = 0.0 if record.score is None else record.score
    row: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "model_id": record.system,
        "evaluation_name": record.dataset,
        "evaluation_result_id": f"{record.dataset}/{record.metric}",
        "sample_id": record.item,
        "sample_hash": record.item,
        "interaction_type": "single_turn",
        "input": {"raw": record.item, "reference": []},
        "output": {"raw": []},
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score >= 1.0},
        "metadata": {"repeat": record.repeat},
    }
    return row | ({"error": "no score in the log"} if record.score is None else {})


def _log(system: str, evaluation_id: str, records: list[Record], samples: str, lines: list[str]) -> dict[str, Any]:
    from assay import __version__

    keys = list(dict.fromkeys((record.dataset, record.metric) for record in records))
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "retrieved_timestamp": "0",  # the same content gives the same bytes, so no clock is read
        "source_metadata": {
            "source_name": "assay",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "assay", "version": __version__},
        "model_info": {"name": system, "id": system, "developer": system.partition("/")[0]},
        "evaluation_results": [_result(records, *key) for key in keys],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": samples,
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256("".join(lines).encode("utf-8")).hexdigest(),
            "total_rows": len(lines),
        },
    }


def _result(records: list[Record], dataset: str, metric: str) -> dict[str, Any]:
    mine = [record for record in records if (record.dataset, record.metric) == (dataset, metric)]
    scores = [record.score for record in mine if record.score is not None]
    low, high = min([0.0, *scores]), max([1.0, *scores])
    return {
        "evaluation_result_id": f"{dataset}/{metric}",
        "evaluation_name": dataset,
        "source_data": {"dataset_name": dataset, "source_type": "other"},
        "metric_config": {
            "metric_name": metric,
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": low,
            "max_score": high,
        },
        "score_details": {
            "score": sum(scores) / len(scores) if scores else 0.0,
            "uncertainty": {"num_samples": len(scores)},
        },
    }


def _is_samples(path: Path) -> bool:
    with path.open(encoding="utf-8") as file:
        return '"evaluation_name"' in file.readline()


def _is_aggregate(path: Path) -> bool:
    with path.open("rb") as file:
        return b'"evaluation_results"' in file.read(65536)

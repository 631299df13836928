"""Write logs in the Every Eval Ever format."""

from __future__ import annotations

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

from assay.base.codec import to_json
from assay.base.files import open_for_writing
from assay.logs.every_eval_ever import SAMPLES_SUFFIX
from assay.logs.records import LogRecord
from assay.logs.table import LogTable

SCHEMA_VERSION = "0.2.2"
_NAMESPACE = uuid.UUID("5b0f1f0e-7d0c-5a53-9a55-1d3a6a4f2c11")  # ours, so that the same result gets the same name


def write_every_eval_ever(table: LogTable, folder: str | Path) -> list[Path]:
    """Write one aggregate and one samples file per system, named by their content, and return their paths.

    The table has no texts: `input.raw` holds the item's hash.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for system in table.systems:
        records = [record for record in table.records if record.system == system and not record.is_aggregate]
        paths += _write_system(target, system, records)
    return paths


def _write_system(folder: Path, system: str, records: list[LogRecord]) -> list[Path]:
    digest = hashlib.sha256(to_json(records).encode("utf-8")).hexdigest()
    name = str(uuid.uuid5(_NAMESPACE, digest))
    evaluation_id = f"assay/{system.replace('/', '_')}/{digest[:12]}"
    lines = [json.dumps(_describe_sample(record, evaluation_id), ensure_ascii=False) + "\n" for record in records]
    samples = folder / f"{name}{SAMPLES_SUFFIX}"
    with open_for_writing(samples) as file:
        file.writelines(lines)
    log = _describe_log(system, evaluation_id, records, samples.name, lines)
    with open_for_writing(folder / f"{name}.json") as file:
        json.dump(log, file, ensure_ascii=False, indent=1)
    return [folder / f"{name}.json", samples]


def _describe_sample(record: LogRecord, evaluation_id: str) -> dict[str, Any]:
    score = 0.0 if record.score is None else record.score
    sample: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "model_id": record.system,
        "evaluation_name": record.task,
        "evaluation_result_id": f"{record.task}/{record.metric}",
        "sample_id": record.item,
        "sample_hash": record.item,
        "interaction_type": "single_turn",
        "input": {"raw": record.item, "reference": []},
        "output": {"raw": []},
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score >= 1.0},
        "metadata": {"repeat": str(record.repeat)},
    }
    return sample | ({"error": "no score in the log"} if record.score is None else {})


def _describe_log(
    system: str, evaluation_id: str, records: list[LogRecord], samples: str, lines: list[str]
) -> dict[str, Any]:
    from assay import __version__

    keys = list(dict.fromkeys((record.task, record.metric) for record in records))
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
        "evaluation_results": [_describe_result(records, *key) for key in keys],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": samples,
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256("".join(lines).encode("utf-8")).hexdigest(),
            "total_rows": len(lines),
        },
    }


def _describe_result(records: list[LogRecord], task: str, metric: str) -> dict[str, Any]:
    chosen = [record.score for record in records if (record.task, record.metric) == (task, metric)]
    scores = [score for score in chosen if score is not None]
    return {
        "evaluation_result_id": f"{task}/{metric}",
        "evaluation_name": task,
        "source_data": {"dataset_name": task, "source_type": "other"},
        "metric_config": {
            "metric_name": metric,
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": min([0.0, *scores]),
            "max_score": max([1.0, *scores]),
        },
        "score_details": {
            "score": sum(scores) / len(scores) if scores else 0.0,
            "uncertainty": {"num_samples": len(scores)},
        },
    }

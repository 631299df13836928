"""Write logs in the Every Eval Ever format."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from pathlib import Path
from typing import Any

from assay.base.codec import to_json
from assay.logs.directions import is_lower_better
from assay.logs.readers.every_eval_ever import SAMPLES_SUFFIX
from assay.logs.records import LogItem, LogRecord
from assay.logs.table import LogTable
from assay.system.files import create_folder, open_for_writing, write_together
from assay.system.json import JsonObject
from assay.wording.letters import name_letter

SCHEMA_VERSION = "0.3.0"
COLLECTION = "assay"  # the first folder under data/
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+")


def write_every_eval_ever(table: LogTable, folder: str | Path) -> list[Path]:
    """Write one aggregate and one samples file per run, named by their content, and return their paths.

    Files are `data/assay/<developer>/<model>/<uuid4>.json` with `<uuid4>_samples.jsonl`. If a log has no texts,
    `input.raw` holds the item's hash.
    """
    paths: list[Path] = []
    with write_together():
        for system in table.systems:
            records = [record for record in table.records if record.system == system and not record.is_aggregate]
            if records:
                paths += _write_system(Path(folder), system, records)
    return paths


def _write_system(folder: Path, system: str, records: list[LogRecord]) -> list[Path]:
    digest = hashlib.sha256(to_json(records).encode("utf-8")).digest()
    name = str(uuid.UUID(bytes=digest[:16], version=4))  # the same result gets the same name
    developer, model = _split_name(system)
    evaluation_id = f"{COLLECTION}/{developer}_{model}/{digest.hex()[:12]}"
    lines = [json.dumps(_describe_sample(record, evaluation_id), ensure_ascii=False) + "\n" for record in records]
    home = Path("data", COLLECTION, developer, model)
    create_folder(folder / home)
    samples = home / f"{name}{SAMPLES_SUFFIX}"
    with open_for_writing(folder / samples) as file:
        file.writelines(lines)
    log = _describe_log(system, evaluation_id, records, samples.as_posix(), lines)
    with open_for_writing(folder / home / f"{name}.json") as file:
        json.dump(log, file, ensure_ascii=False, indent=1)
    return [folder / home / f"{name}.json", folder / samples]


def _split_name(system: str) -> tuple[str, str]:
    """Return developer and model as names of folders.

    >>> _split_name("org/model:7b (n-shot 5)"), _split_name("gpt")
    (('org', 'model_7b_n-shot_5'), ('unknown', 'gpt'))
    """
    developer, _, model = system.rpartition("/")
    parts = [_UNSAFE.sub("_", part).strip("._") for part in (developer.partition("/")[0], model)]
    return parts[0] or "unknown", parts[1] or "unknown"


def _describe_sample(record: LogRecord, evaluation_id: str) -> JsonObject:
    score = 0.0 if record.score is None else record.score
    content = record.content or LogItem()
    references = [_spell_out(answer, content.choices) for answer in content.gold]
    answer = None if record.answer is None else _spell_out(record.answer, content.choices)
    sample: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "model_id": record.system,
        "evaluation_name": record.task,
        "evaluation_result_id": f"{record.task}/{record.metric}",
        "sample_id": record.item,
        "sample_hash": record.item,
        "interaction_type": "single_turn",
        "input": {"raw": record.item if content.text is None else content.text, "reference": references},
        "output": {"raw": [] if answer is None else [answer]},
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score >= 1.0},
        "metadata": {"repeat": str(record.repeat)} | ({"subject": content.subject} if content.subject else {}),
    }
    if content.choices:
        sample["input"]["choices"] = list(content.choices)
    return sample | ({"error": "no score in the log"} if record.score is None else {})


def _spell_out(answer: str, choices: tuple[str, ...]) -> str:
    """Return the text of the choice that a letter stands for."""
    letters = [name_letter(number) for number in range(len(choices))]
    return choices[letters.index(answer)] if answer in letters else answer


def _describe_log(
    system: str, evaluation_id: str, records: list[LogRecord], samples: str, lines: list[str]
) -> JsonObject:
    from assay import __version__

    keys = list(dict.fromkeys((record.task, record.metric) for record in records))
    keys = [key for key in keys if key[1]] or keys  # samples that failed before they were scored have no metric
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
        "model_info": {
            "name": system,
            "id": system,
            "developer": _split_name(system)[0],
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [_describe_result(records, *key) for key in keys],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": samples,
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256("".join(lines).encode("utf-8")).hexdigest(),
            "total_rows": len(lines),
        },
    }


def _describe_result(records: list[LogRecord], task: str, metric: str) -> JsonObject:
    chosen = [record for record in records if (record.task, record.metric) == (task, metric)]
    scores = [record.score for record in chosen if record.score is not None]
    lower = chosen[0].lower_is_better
    return {
        "evaluation_result_id": f"{task}/{metric}",
        "evaluation_name": task,
        "source_data": {"dataset_name": task, "source_type": "other"},
        "metric_config": {
            "metric_name": metric,
            "lower_is_better": is_lower_better(metric) if lower is None else lower,
            "score_type": "continuous",
            "min_score": min([0.0, *scores]),
            "max_score": max([1.0, *scores]),
        },
        "score_details": {
            "score": sum(scores) / len(scores) if scores else 0.0,
            "uncertainty": {"num_samples": len(scores)},
        },
    }

"""Logs in the Every Eval Ever format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.logs.files import read_json, read_json_lines, read_start
from assay.logs.formats import LOGS, LogReader
from assay.logs.records import LogRecord, hash_content, parse_score

SAMPLES_SUFFIX = "_samples.jsonl"
MAX_FIRST_LINE = 1_000_000  # bytes that are searched to recognise a file


@LOGS.add("every-eval-ever")
class EveryEvalEverLogs(LogReader):
    """Read `<uuid>.json` with `<uuid>_samples.jsonl`, one line per sample."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the sample files, and the aggregate files that have none."""
        samples = sorted(folder.rglob(f"*{SAMPLES_SUFFIX}"))
        with_samples = {path.with_name(path.name.removesuffix(SAMPLES_SUFFIX) + ".json") for path in samples}
        alone = [path for path in folder.rglob("*.json") if path not in with_samples and _is_aggregate(path)]
        return [path for path in samples if _has_samples(path)] + sorted(alone)

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every sample, or for every result of an aggregate file without samples."""
        yield from _read_aggregate(read_json(path)) if path.suffix == ".json" else _read_samples(path)

    def recognises(self, path: Path) -> bool:
        """Tell whether a file holds samples by its name."""
        return path.name.endswith(SAMPLES_SUFFIX)


def _read_samples(path: Path) -> Iterator[LogRecord]:
    repeats: Counter[tuple[str, str]] = Counter()
    for row in read_json_lines(path):
        item = str(row.get("sample_hash") or hash_content(row.get("input")))
        task, result = str(row["evaluation_name"]), str(row.get("evaluation_result_id") or "score")
        repeat = repeats[item, result]
        repeats[item, result] += 1
        score = None if row.get("error") else parse_score(row["evaluation"].get("score"))
        metric = result.removeprefix(f"{task}/") or "score"
        yield LogRecord(str(row["model_id"]), task, metric, item, score, repeat, error=score is None)


def _read_aggregate(log: dict[str, Any]) -> Iterator[LogRecord]:
    for result in log["evaluation_results"]:
        config = result.get("metric_config", {})
        metric = str(config.get("metric_name") or config.get("metric_id") or "score")
        score = parse_score(result.get("score_details", {}).get("score"))
        system, task = str(log["model_info"]["id"]), str(result["evaluation_name"])
        yield LogRecord(system, task, metric, item="", score=score, error=score is None, is_aggregate=True)


def _has_samples(path: Path) -> bool:
    with path.open("rb") as file:
        return b'"evaluation_name"' in file.readline(MAX_FIRST_LINE)


def _is_aggregate(path: Path) -> bool:
    start = read_start(path)
    return b'"evaluation_results"' in start and b'"$schema"' not in start

"""Logs in the Every Eval Ever format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from assay.base.errors import AssayError
from assay.logs.directions import is_lower_better
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.files import list_files, read_companion, read_json, read_json_lines, read_start
from assay.logs.records import (
    LogItem,
    LogRecord,
    Settings,
    Usage,
    hash_content,
    make_settings,
    make_usage,
    number_copies,
    parse_score,
)
from assay.system.json import JsonObject
from assay.wording.letters import name_letter

SAMPLES_SUFFIX = "_samples.jsonl"
KNOWN_VERSIONS = ("0.2.", "0.3.")
_UUID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MAX_FIRST_LINE = 1_000_000  # bytes that are searched to recognise a file


@LOGS.add("every-eval-ever")
class EveryEvalEverLogs(LogReader):
    """Read `<uuid>.json` with `<uuid>_samples.jsonl`, one line per sample."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the sample files, and the aggregate files that have none."""
        samples = list_files(folder, SAMPLES_SUFFIX)
        with_samples = {path.with_name(path.name.removesuffix(SAMPLES_SUFFIX) + ".json") for path in samples}
        alone = [path for path in list_files(folder, ".json") if path not in with_samples and _is_aggregate(path)]
        return [path for path in samples if _has_samples(path)] + sorted(alone)

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every sample, or for every result of an aggregate file without samples."""
        yield from (
            _read_aggregate(_check_log(read_json(path, self.repeated), path))
            if path.suffix == ".json"
            else self._read_samples(path)
        )

    def has_unique_name(self, path: Path) -> bool:
        """Return whether the name is a universally unique identifier."""
        return _UUID.match(path.name) is not None

    def recognises(self, path: Path) -> bool:
        """Return whether a file holds samples by its name."""
        return path.name.endswith(SAMPLES_SUFFIX)

    def accepts(self, path: Path) -> bool:
        """Return whether a file holds samples or aggregates."""
        if not path.is_file():
            return False
        return _has_samples(path) if self.recognises(path) else path.suffix == ".json" and _is_aggregate(path)

    def _read_samples(self, path: Path) -> Iterator[LogRecord]:
        home = path.with_name(path.name.removesuffix(SAMPLES_SUFFIX) + ".json")
        log = _check_log(read_companion(home, self.repeated, {}), home)
        directions, settings = _read_directions(log), _read_run_settings(log)
        copies: dict[str, dict[str, str]] = {}
        for row in read_json_lines(path, self.repeated):
            _check_version(row, path)
            content = self.share(_describe_sample(row))
            task, result = str(row["evaluation_name"]), str(row.get("evaluation_result_id") or "score")
            key = str(row.get("sample_hash") or hash_content(row.get("input")))
            score = None if row.get("error") else parse_score(row["evaluation"].get("score"))
            unnamed = "" if score is None else "score"  # a failed sample has no metric
            metric = result.removeprefix(f"{task}/") or unnamed
            yield LogRecord(
                *(str(row["model_id"]), task, metric, number_copies(key, str(row.get("sample_id", key)), copies)),
                score,
                error=score is None,
                settings=settings,
                content=content,
                answer=_find_answer(row, content.choices),
                lower_is_better=directions.get(result, is_lower_better(metric)),
                usage=_read_usage(row),
            )


def _check_log(log: object, path: Path) -> JsonObject:
    if not isinstance(log, dict):
        raise AssayError("this is not a valid log of every-eval-ever: it is not an object", place=path.name)
    _check_version(log, path)
    return log


def _check_version(content: JsonObject, path: Path) -> None:
    version = str(content.get("schema_version", KNOWN_VERSIONS[-1]))
    if not version.startswith(KNOWN_VERSIONS):
        fact = f"version {version[:20]} of the Every Eval Ever schema is not known"
        raise AssayError(fact, place=path.name, hint=f"Versions {', '.join(KNOWN_VERSIONS)} are read.")


def _read_directions(log: JsonObject) -> dict[str, bool]:
    """Return for every result whether a lower score is better."""
    directions = {}
    for result in log.get("evaluation_results", []):
        lower = (result.get("metric_config") or {}).get("lower_is_better")
        if isinstance(lower, bool):
            directions[str(result.get("evaluation_result_id") or result["evaluation_name"])] = lower
    return directions


def _read_run_settings(log: JsonObject) -> Settings:
    results = log.get("evaluation_results") or [{}]
    arguments = (results[0].get("generation_config") or {}).get("generation_args")
    return make_settings({"generation": arguments})


def _read_aggregate(log: JsonObject) -> Iterator[LogRecord]:
    settings = _read_run_settings(log)
    for result in log["evaluation_results"]:
        config = result.get("metric_config", {})
        metric = str(config.get("metric_name") or config.get("metric_id") or "score")
        score = parse_score(result.get("score_details", {}).get("score"))
        lower = config.get("lower_is_better")
        yield LogRecord(
            *(str(log["model_info"]["id"]), str(result["evaluation_name"]), metric, "", score),
            error=score is None,
            is_aggregate=True,
            settings=settings,
            lower_is_better=lower if isinstance(lower, bool) else is_lower_better(metric),
        )


def _read_usage(row: JsonObject) -> Usage:
    """Return the tokens and the time of a sample."""
    tokens, speed = row.get("token_usage"), row.get("performance")
    total = tokens.get("total_tokens") if isinstance(tokens, dict) else None
    time = speed.get("latency_ms") if isinstance(speed, dict) else None
    return make_usage(tokens=total, seconds=time / 1000 if isinstance(time, (int, float)) else None)


def _describe_sample(row: JsonObject) -> LogItem:
    content = row.get("input") or {}
    choices = tuple(str(choice) for choice in content.get("choices") or ())
    gold = [str(reference).strip() for reference in content.get("reference") or ()]
    if choices:
        stripped = [choice.strip() for choice in choices]
        gold = [name_letter(stripped.index(answer)) if answer in stripped else answer for answer in gold]
    subject = (row.get("metadata") or {}).get("subject")
    text = content.get("raw")
    return LogItem(text if isinstance(text, str) else None, tuple(gold), choices, subject)


def _find_answer(row: JsonObject, choices: tuple[str, ...]) -> str | None:
    """Return the extracted answer, or else the whole output; of choices their letter."""
    final = [part for part in row.get("answer_attribution") or [] if part.get("is_terminal")]
    outputs = (row.get("output") or {}).get("raw") or []
    answer = final[-1].get("extracted_value") if final else outputs[0] if outputs else None
    if not isinstance(answer, str):
        return None
    stripped = [choice.strip() for choice in choices]
    return name_letter(stripped.index(answer.strip())) if answer.strip() in stripped else answer.strip()


def _has_samples(path: Path) -> bool:
    with path.open("rb") as file:
        return b'"evaluation_name"' in file.readline(MAX_FIRST_LINE)


def _is_aggregate(path: Path) -> bool:
    start = read_start(path)
    return b'"evaluation_results"' in start and b'"$schema"' not in start

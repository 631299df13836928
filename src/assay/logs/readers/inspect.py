"""Logs of inspect."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.base.json import JsonObject, RepeatedKeys
from assay.base.letters import name_letter
from assay.base.wording import count_noun
from assay.logs.directions import is_lower_better
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.archives import check_members, read_json_member
from assay.logs.readers.files import list_files, read_json, read_start
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

# Values that are no numbers, as inspect counts them: correct, partial, incorrect, no answer; yes and no in any case.
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_HEADERS = ("header.json", "_journal/start.json")  # the second one in logs of unfinished runs
# Ids of samples may hold slashes (HumanEval/0). A folder of a sample has messages, events and attachments next to it.
_SAMPLE = re.compile(r"^samples/([^/]+\.json|.+_epoch_\d+\.json|.+_epoch_\d+/sample\.json)$")
MAX_VERSION = 2  # of the log format
_UNFINISHED = {"started": "did not end", "cancelled": "was cancelled", "error": "ended with an error"}
_SUBJECTS = ("subject", "category", "topic", "domain")
COMPANIONS = frozenset({"logs.json", "eval-set.json"})  # headers of all logs in a folder, and the list of its tasks


@dataclass(frozen=True)
class _Run:
    """What all samples of a log share."""

    system: str
    task: str
    settings: Settings
    task_id: str


@LOGS.add("inspect")
class InspectLogs(LogReader):
    """Read `.eval` archives, which have one JSON member per sample and epoch, and the same log as one `.json`."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the archives and the JSON logs that look like those of inspect."""
        logs = [path for path in list_files(folder, ".json") if _is_json_log(path)]
        return sorted([*list_files(folder, ".eval"), *logs])

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every sample, epoch and scorer; epochs are repeats, a failed sample is an error.

        A log without samples yields the totals of its header.
        """
        read = _read_archive if path.suffix == ".eval" else _read_json_log
        header, samples = read(path, self.repeated)
        version = header.get("version", MAX_VERSION)
        if not isinstance(version, int) or version > MAX_VERSION:
            fact = f"version {str(version)[:20]} of the log format of inspect is not known"
            raise AssayError(fact, place=path.name, hint=f"Versions up to {MAX_VERSION} are read.")
        run = _describe_run(header, path)
        copies: dict[str, dict[str, str]] = {}
        n_samples = 0
        for sample in samples:
            n_samples += 1
            yield from self._read_sample(sample, run, copies)
        if not n_samples:
            yield from _read_totals(header, run)
        self._note_status(header, run, n_samples)

    def _note_status(self, header: JsonObject, run: _Run, n_samples: int) -> None:
        """Note a run that did not reach its end: its samples may be only some of the dataset's."""
        status = header.get("status", "started")
        if status in _UNFINISHED:
            samples = count_noun(n_samples, "sample")
            self.notes.append(f"{run.task}: a run of {run.system} {_UNFINISHED[status]}; its log has {samples}.")

    def has_unique_name(self, path: Path) -> bool:  # noqa: ARG002, logs hold identifiers of their samples
        """Tell that two logs never have the same content."""
        return True

    def recognises(self, path: Path) -> bool:
        """Return whether a file is an archive of inspect by its name."""
        return path.suffix == ".eval"

    def accepts(self, path: Path) -> bool:
        """Return whether a file is an archive, or a JSON log."""
        return path.suffix == ".eval" or (path.suffix == ".json" and path.is_file() and _is_json_log(path))

    def _read_sample(self, sample: JsonObject, run: _Run, copies: dict[str, dict[str, str]]) -> Iterator[LogRecord]:
        key = hash_content(sample.get("input"), sample.get("target"), sample.get("choices"))
        identity, epoch = str(sample.get("id", key)), sample.get("epoch", 1)
        content = self.share(_describe_sample(sample))
        scores = sample.get("scores") or {}
        rows = [
            (metric, value, score.get("answer"))
            for scorer, score in scores.items()
            for metric, value in _read_values(scorer, score.get("value"))
        ]
        for metric, score, answer in rows or [("", None, None)]:
            yield LogRecord(
                run.system,
                run.task,
                metric,
                number_copies(key, identity, copies),
                score,
                epoch - 1,
                error=score is None,
                settings=run.settings,
                content=content,
                answer=_find_answer(answer, sample),
                lower_is_better=is_lower_better(metric),
                sample=sample.get("uuid"),
                attempt=f"{run.task_id}/{identity}/{epoch}" if run.task_id else None,
                is_invalid=bool(sample.get("invalidation")),
                usage=_read_usage(sample),
            )


def _read_usage(sample: JsonObject) -> Usage:
    """Return money and tokens of all models that a sample called, and its time."""
    calls = sample.get("model_usage")
    calls = [call for call in calls.values() if isinstance(call, dict)] if isinstance(calls, dict) else []
    tokens, costs = (
        [call[key] for call in calls if call.get(key) is not None] for key in ("total_tokens", "total_cost")
    )
    try:
        return make_usage(sum(costs) if costs else None, sum(tokens) if tokens else None, sample.get("total_time"))
    except TypeError:  # no numbers
        return ()


def _describe_run(header: JsonObject, path: Path) -> _Run:
    about = header.get("eval", header)
    settings = make_settings(
        {
            "task arguments": about.get("task_args"),
            "task version": about.get("task_version") or None,
            "generation": about.get("model_generate_config"),
            "model arguments": about.get("model_args"),
            "solver": about.get("solver") or _name_solvers(header),
            "solver arguments": about.get("solver_args") or _read_solver_arguments(header),
        }
    )
    names = (str(about.get("model", "unknown")), str(about.get("task", path.stem)))
    return _Run(*names, settings, str(about.get("task_id") or ""))


def _list_steps(header: JsonObject) -> list[JsonObject]:
    steps = (header.get("plan") or {}).get("steps")
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


def _name_solvers(header: JsonObject) -> str:
    return ", ".join(str(step.get("solver")) for step in _list_steps(header))


def _read_solver_arguments(header: JsonObject) -> JsonObject:
    """Return the arguments that were given to solvers; addresses of objects differ between runs and are left out."""
    given: dict[str, Any] = {}
    for step in _list_steps(header):
        arguments = step.get("params_passed", step.get("params"))
        given |= arguments if isinstance(arguments, dict) else {}
    return {name: value for name, value in given.items() if " at 0x" not in str(value)}


def _describe_sample(sample: JsonObject) -> LogItem:
    choices = tuple(str(choice) for choice in sample.get("choices") or ())
    target = sample.get("target")
    gold = [str(part).strip() for part in (target if isinstance(target, list) else [target]) if part is not None]
    if choices:
        gold = [_to_letter(part, choices) for part in gold]
    metadata = sample.get("metadata") or {}
    subject = next((str(metadata[name]) for name in _SUBJECTS if isinstance(metadata.get(name), str)), None)
    return LogItem(_read_input(sample), tuple(gold), choices, subject)


def _to_letter(target: str, choices: tuple[str, ...]) -> str:
    stripped = [choice.strip() for choice in choices]
    return name_letter(stripped.index(target)) if len(target) != 1 and target in stripped else target


def _read_input(sample: JsonObject) -> str | None:
    """Return the text of the input; of a conversation the turns of the user."""
    value = sample.get("input")
    if isinstance(value, list):
        turns = [turn for turn in value if isinstance(turn, dict) and turn.get("role") == "user"] or value
        value = "\n".join(_read_content(turn) for turn in turns if isinstance(turn, dict))
    if not isinstance(value, str):
        return None
    if value.startswith("attachment://"):
        attachments = sample.get("attachments") or {}
        value = attachments.get(value.removeprefix("attachment://"), value)
    return str(value)


def _read_content(turn: JsonObject) -> str:
    content = turn.get("content", "")
    if isinstance(content, list):
        return "\n".join(str(part["text"]) for part in content if isinstance(part, dict) and part.get("text"))
    return str(content)


def _find_answer(answer: object, sample: JsonObject) -> str | None:
    """Return the answer that was scored, or else the completion."""
    if isinstance(answer, str):
        return answer.strip()
    choices = (sample.get("output") or {}).get("choices") or []
    message = choices[0].get("message") if choices and isinstance(choices[0], dict) else None
    return _read_content(message).strip() if isinstance(message, dict) else None


def _read_values(scorer: str, value: object) -> list[tuple[str, float | None]]:
    if isinstance(value, dict):
        return [(f"{scorer}/{key}", _parse_value(part)) for key, part in value.items()]
    return [(scorer, _parse_value(value))]


def _parse_value(value: object) -> float | None:
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    if isinstance(value, str) and value.lower() in _WORDS:
        return _WORDS[value.lower()]
    return parse_score(value)


def _read_totals(header: JsonObject, run: _Run) -> Iterator[LogRecord]:
    for entry in (header.get("results") or {}).get("scores") or []:
        for name, metric in (entry.get("metrics") or {}).items():
            if "stderr" in name or name in ("std", "var"):
                continue
            score, title = parse_score(metric.get("value")), f"{entry.get('name', 'score')}/{name}"
            yield LogRecord(
                *(run.system, run.task, title, "", score),
                error=score is None,
                is_aggregate=True,
                settings=run.settings,
                lower_is_better=is_lower_better(title),
            )


def _read_archive(path: Path, repeated: RepeatedKeys) -> tuple[JsonObject, Iterator[JsonObject]]:
    try:
        with zipfile.ZipFile(path) as archive:
            check_members(archive, path)
            names = sorted(set(archive.namelist()))
            header = next((name for name in _HEADERS if name in names), None)
            if header is None:
                raise AssayError("there is no header.json inside; this is not a log of inspect", place=path.name)
            content = read_json_member(archive, path, header, repeated)
            return content, _read_members(path, [name for name in names if _SAMPLE.match(name)], repeated)
    except zipfile.BadZipFile as error:
        raise AssayError(f"this is not a zip archive: {error}", place=path.name) from error


def _read_members(path: Path, names: list[str], repeated: RepeatedKeys) -> Iterator[JsonObject]:
    try:
        with zipfile.ZipFile(path) as archive:
            for name in names:
                yield read_json_member(archive, path, name, repeated)
    except zipfile.BadZipFile as error:
        raise AssayError(f"this is not a zip archive: {error}", place=path.name) from error


def _is_json_log(path: Path) -> bool:
    start = read_start(path, 4096) if path.name not in COMPANIONS else b""
    return b'"eval"' in start and b'"run_id"' in start


def _read_json_log(path: Path, repeated: RepeatedKeys) -> tuple[JsonObject, Iterator[JsonObject]]:
    log = read_json(path, repeated)
    return log, iter(log.get("samples") or [])

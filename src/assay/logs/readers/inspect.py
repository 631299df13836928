"""Logs of inspect."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError, import_extra
from assay.logs.directions import is_lower_better
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers import large_json
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
from assay.logs.response_store import LogResponse
from assay.logs.totals import HarnessTotal
from assay.logs.trials import describe_trial
from assay.system.json import JsonObject, RepeatedKeys
from assay.wording.letters import name_letter
from assay.wording.sentences import count_noun

# Values that are not numbers, as inspect counts them: correct, partial, incorrect, no answer; yes and no in any case.
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
HEADERS = ("header.json", "_journal/start.json")  # the second one in logs of unfinished runs
# Ids of samples may hold slashes (HumanEval/0). A folder of a sample has messages, events and attachments next to it.
_SAMPLE = re.compile(r"^samples/([^/]+\.json|.+_epoch_\d+\.json|.+_epoch_\d+/sample\.json)$")
# Of the log format. Version 3 keeps messages of events once, in a pool next to them; samples are as in version 2.
MAX_VERSION = 3
_MEANS = ("accuracy", "mean")  # metrics of inspect that are means over samples
_UNFINISHED = {"started": "did not end", "cancelled": "was cancelled", "error": "ended with an error"}
_SUBJECTS = ("subject", "category", "topic", "domain")
COMPANIONS = frozenset({"logs.json", "eval-set.json"})  # headers of all logs in a folder, and the list of its tasks


@dataclass(frozen=True)
class _LogHeader:
    """Values that all samples of a log share."""

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
            header, samples = _read_with_inspect(path, version)
        run = _describe_run(header, path)
        copies: dict[str, dict[str, str]] = {}
        n_samples = 0
        for sample in samples:
            n_samples += 1
            yield from self._read_sample(sample, run, copies)
        if not n_samples:
            yield from _read_totals(header, run)
        self._note_status(header, run, n_samples)
        self.totals += _list_totals(header, run)

    def _note_status(self, header: JsonObject, run: _LogHeader, n_samples: int) -> None:
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

    def _read_sample(
        self, sample: JsonObject, run: _LogHeader, copies: dict[str, dict[str, str]]
    ) -> Iterator[LogRecord]:
        key = hash_content(sample.get("input"), sample.get("target"), sample.get("choices"))
        identity, epoch = str(sample.get("id", key)), sample.get("epoch", 1)
        content = self.share(_describe_sample(sample))
        scores = sample.get("scores") or {}
        rows = [
            (metric, value, score.get("answer"))
            for scorer, score in scores.items()
            for metric, value in _read_values(scorer, score.get("value"))
        ]
        response = self.keep_response(lambda: _describe_response(sample))
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
                response=response,
            )


def _describe_response(sample: JsonObject) -> LogResponse:
    """Return the last output of a sample, and the limit, error or reason that stopped it."""
    output, limit = sample.get("output") or {}, sample.get("limit")
    choices = output.get("choices") or []
    choice = choices[0] if choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    text = _read_content(message) if isinstance(message, dict) else None
    stop = choice.get("stop_reason")
    if sample.get("error"):
        stop = "error"
    elif isinstance(limit, dict):
        stop = f"{limit.get('type')}_limit"
    messages = [message for message in sample.get("messages") or () if isinstance(message, dict)]
    usage = dict(_read_usage(sample))
    trial = None
    if _has_tools(sample, messages):
        trial = describe_trial(messages, tokens=usage.get("tokens"), cost=usage.get("cost_usd"))
    return LogResponse(_resolve(text, sample), None if stop is None else str(stop), trial)


def _has_tools(sample: JsonObject, messages: list[JsonObject]) -> bool:
    """Return whether the model could call tools, whether or not it did."""
    if any(message.get("tool_calls") for message in messages):
        return True
    return any(isinstance(event, dict) and event.get("tools") for event in sample.get("events") or ())


def _resolve(text: str | None, sample: JsonObject) -> str | None:
    """Return a text that the log keeps among its attachments."""
    if text is None or not text.startswith("attachment://"):
        return text
    return str((sample.get("attachments") or {}).get(text.removeprefix("attachment://"), text))


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


def _describe_run(header: JsonObject, path: Path) -> _LogHeader:
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
    return _LogHeader(*names, settings, str(about.get("task_id") or ""))


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
    return _resolve(value, sample)


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


def _list_totals(header: JsonObject, run: _LogHeader) -> Iterator[HarnessTotal]:
    """Yield the means of the header under the names of the records of samples."""
    results = header.get("results") or {}
    for entry in results.get("scores") or []:
        name, scorer = str(entry.get("name", "")), str(entry.get("scorer") or entry.get("name", ""))
        metrics = entry.get("metrics") or {}
        value = next(
            (parse_score(metrics[key].get("value")) for key in _MEANS if isinstance(metrics.get(key), dict)), None
        )
        if value is None:
            continue
        metric = scorer if name == scorer else f"{scorer}/{name}"
        n_items = entry.get("scored_samples", results.get("completed_samples"))
        reducer = str(entry.get("reducer") or "mean")
        yield HarnessTotal(run.system, run.task, metric, value, n_items if isinstance(n_items, int) else None, reducer)


def _read_totals(header: JsonObject, run: _LogHeader) -> Iterator[LogRecord]:
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
            header = next((name for name in HEADERS if name in names), None)
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


def _read_with_inspect(path: Path, version: object) -> tuple[JsonObject, Iterator[JsonObject]]:
    """Read a log of a version that is not known here with inspect's own reader, if it is installed and knows it."""
    fact = f"version {str(version)[:20]} of the log format of inspect is not known"
    if find_spec("inspect_ai") is not None:
        try:
            module = import_extra("inspect_ai.log", None, "This log")
            log = module.read_eval_log(str(path), resolve_attachments=True).model_dump(mode="json", exclude_none=True)
        except Exception as error:  # whatever a reader of another package raises
            raise AssayError(f"{fact}, to inspect_ai neither", place=path.name) from error
        return log, iter(log.get("samples") or [])
    hint = f"Versions up to {MAX_VERSION} are read. Later ones are read if a newer inspect_ai is installed."
    raise AssayError(fact, place=path.name, hint=hint)


def _is_json_log(path: Path) -> bool:
    start = read_start(path, 4096) if path.name not in COMPANIONS else b""
    return b'"eval"' in start and b'"run_id"' in start


def _read_json_log(path: Path, repeated: RepeatedKeys) -> tuple[JsonObject, Iterator[JsonObject]]:
    if path.stat().st_size > large_json.MIN_BYTES:
        return large_json.read_list_of(path, "samples", repeated)
    log = read_json(path, repeated)
    return log, iter(log.get("samples") or [])

"""Samples of lm-evaluation-harness."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from assay.base.arrays import Values
from assay.logs.directions import is_lower_better
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.documents import describe_document, find_answer
from assay.logs.readers.files import list_files, read_companion, read_json, read_json_lines, read_start
from assay.logs.records import LogItem, LogRecord, Settings, hash_content, make_settings, number_copies, parse_score
from assay.logs.response_store import LogResponse
from assay.logs.totals import HarnessTotal
from assay.system.json import JsonObject

_NAME = re.compile(r"^samples_(?P<task>.+?)(_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\.jsonl$")
_RESULTS = re.compile(r"^results_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+)\.json$")
_NOT_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter"}
_NOT_METRICS |= {"doc_hash", "prompt_hash", "target_hash"}
_LIKELIHOODS = ("perplexity", "bits_per_byte")  # metrics whose rows are [log-likelihood, weight]


@LOGS.add("lm-evaluation-harness")
class LmEvalLogs(LogReader):
    """Read `<model>/samples_<task>_<date>.jsonl`, one row per item and filter, with `results_<date>.json` or alone."""

    companions: ClassVar = ("results_*.json",)

    def __init__(self) -> None:
        super().__init__()
        self._results: dict[Path, dict[str, Any]] = {}
        self._documents: dict[tuple[str, str, str, int], LogItem] = {}

    def find_files(self, folder: Path) -> list[Path]:
        """Return the sample files, and the results files of runs that have none."""
        samples = [path for path in list_files(folder, ".jsonl") if self.recognises(path) and self.accepts(path)]
        runs = {(path.parent, match["date"]) for path in samples if (match := _NAME.match(path.name))}
        results = [(path, _RESULTS.match(path.name)) for path in list_files(folder, ".json")]
        alone = [path for path, match in results if match and (path.parent, match["date"]) not in runs]
        return sorted([*samples, *filter(_has_totals, alone)])

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every item, filter and metric; the results file or the folder names the model.

        The harness writes one row per filter, so the metric carries its name (`exact_match,strict-match`), as in the
        results of the harness. The item key is `doc_hash`, in older logs a hash of the document. A metric of the whole
        corpus has no score per item: its total is read from the results file, and if a task has no other metric its
        items have a record without a metric. A results file alone has the totals of tasks.
        """
        match = _NAME.match(path.name)
        if match is None:
            yield from _read_totals(read_json(path, self.repeated), path.parent)
            return
        task, results = match["task"], self._find_results(path, match["date"])
        system = _name_system(results, path.parent)
        settings, group = _read_settings(results, task), _find_group(results, task)
        run = _SampleFile(system, task, settings, group)
        higher = _get_part(results, "higher_is_better").get(task)
        directions = higher if isinstance(higher, dict) else {}
        totals = _get_part(_get_part(results, "results"), task)
        copies: dict[str, dict[str, dict[str, str]]] = {}
        corpus_metrics: dict[str, None] = {}
        names: dict[tuple[str, str], tuple[str, bool]] = {}  # by metric and filter: the full name and its direction
        samples: list[_Sample] = []
        for row in read_json_lines(path, self.repeated):
            filter_name = str(row.get("filter", "none"))
            key = str(row.get("doc_hash") or hash_content(row.get("doc"), row.get("target")))
            item = sys.intern(number_copies(key, str(row.get("doc_id", key)), copies.setdefault(filter_name, {})))
            content = self._describe(task, key, row)
            response = self.keep_response(lambda row=row: _describe_response(row))  # type: ignore[misc]
            sample = _Sample(filter_name, item, content, find_answer(row, content.choices), [], response)
            samples.append(sample)
            for metric in _list_metrics(row):
                if (metric, filter_name) not in names:
                    title = f"{_name_item_metric(metric)},{filter_name}"
                    names[metric, filter_name] = title, _get_direction(metric, directions)
                    if title != (own := f"{metric},{filter_name}") and own in totals:
                        corpus_metrics[own] = None
                name, direction = names[metric, filter_name]
                value = _read_value(metric, row.get(metric))
                if value is None and isinstance(row.get(metric), (list, dict)):
                    corpus_metrics[name] = None
                    continue
                sample.metrics.append(metric)
                yield sample.make_record(run, name, value, direction)
        if corpus_metrics and not any(sample.metrics for sample in samples):
            yield from (replace(sample.make_record(run, "", None, False), error=False) for sample in samples)
        yield from _add_missing(samples, run, directions)
        n_items = _get_part(_get_part(results, "n-samples"), task).get("effective")
        self.totals += _list_totals(
            totals, run, _list_other_metrics(results, task), n_items if isinstance(n_items, int) else None
        )
        for name in corpus_metrics:
            score = parse_score(totals.get(name))
            yield LogRecord(
                *(system, task, name, "", score),
                error=score is None,
                is_aggregate=True,
                settings=settings,
                lower_is_better=_get_direction(name.partition(",")[0], directions),
                group=group,
            )

    def has_unique_name(self, path: Path) -> bool:
        """Return whether the name has the time of the run, to a millionth of a second."""
        match = _NAME.match(path.name) or _RESULTS.match(path.name)
        return match is not None and "." in (match["date"] or "")

    def recognises(self, path: Path) -> bool:
        """Return whether a file is a sample file by its name."""
        return _NAME.match(path.name) is not None

    def accepts(self, path: Path) -> bool:
        """Return whether a file holds samples; an empty one does, so that it is not overlooked."""
        if _RESULTS.match(path.name):
            return path.is_file() and _has_totals(path)
        start = read_start(path) if self.recognises(path) and path.is_file() else b"{}"
        return not start.strip() or any(name in start for name in (b'"doc_id"', b'"doc_hash"', b'"filtered_resps"'))

    def _describe(self, task: str, key: str, row: JsonObject) -> LogItem:
        """Return the content of a document, which many runs have in common and is worked out once."""
        arguments = row.get("arguments")
        n_requests = len(arguments) if isinstance(arguments, (dict, list)) else 0
        known = (task, key, str(row.get("target")), n_requests)
        if known not in self._documents:
            self._documents[known] = self.share(describe_document(row))
        return self._documents[known]

    def _find_results(self, path: Path, date: str | None) -> JsonObject:
        """Return the results file of the same run; an empty one if there is none."""
        home = path.parent / f"results_{date}.json"
        if date is None:
            return {}
        if home not in self._results:
            content = read_companion(home, self.repeated, {})
            self._results[home] = content if isinstance(content, dict) else {}
        return self._results[home]


def _has_totals(path: Path) -> bool:
    start = read_start(path)
    return b'"results"' in start and b"_stderr," in start


def _read_totals(results: JsonObject, folder: Path) -> Iterator[LogRecord]:
    """Yield the totals of tasks; those of groups are means of their tasks and left out."""
    groups = {name for name, tasks in _get_part(results, "group_subtasks").items() if tasks}
    for task, totals in _get_part(results, "results").items():
        if task in groups or not isinstance(totals, dict):
            continue
        higher = _get_part(_get_part(results, "higher_is_better"), task)
        for name, value in totals.items():
            metric, comma, _ = name.partition(",")
            if not comma or metric.endswith("_stderr") or (score := parse_score(value)) is None:
                continue
            yield LogRecord(
                *(_name_system(results, folder), task, name, "", score),
                is_aggregate=True,
                settings=_read_settings(results, task),
                lower_is_better=_get_direction(metric, higher),
                group=_find_group(results, task),
            )


def _name_system(results: JsonObject, folder: Path) -> str:
    return str(results.get("model_name") or folder.name.replace("__", "/"))


@dataclass(frozen=True, slots=True)
class _SampleFile:
    """Values that all records of a file share."""

    system: str
    task: str
    settings: Settings
    group: str | None


@dataclass(slots=True)
class _Sample:
    """A row of a sample file, and the metrics that have a record."""

    filter_name: str
    item: str
    content: LogItem
    answer: str | None
    metrics: list[str]
    response: int | None

    def make_record(self, run: _SampleFile, metric: str, score: float | None, lower_is_better: bool) -> LogRecord:
        """Return the record of one metric, which failed if it has no score."""
        return LogRecord(
            *(run.system, run.task, metric, self.item, score),
            error=score is None,
            settings=run.settings,
            content=self.content,
            answer=self.answer,
            lower_is_better=lower_is_better,
            group=run.group,
            response=self.response,
        )


def _describe_response(row: JsonObject) -> LogResponse | None:
    """Return the first generated text; None if the answers are log-likelihoods."""
    value = row.get("resps")
    while isinstance(value, list) and value:
        value = value[0]
    return LogResponse(value) if isinstance(value, str) and _has_generated(row) else None


def _has_generated(row: JsonObject) -> bool:
    """Return whether the responses are texts, and not pairs of a log-likelihood and whether it is the best."""
    responses = row.get("resps")
    first = responses[0] if isinstance(responses, list) and responses else None
    return isinstance(first, str) or (isinstance(first, list) and bool(first) and isinstance(first[0], str))


def _add_missing(samples: list[_Sample], run: _SampleFile, directions: JsonObject) -> Iterator[LogRecord]:
    """Yield a failed record for every metric that other rows of the file have, and a damaged row has not."""
    known: dict[str, dict[str, None]] = {}
    for sample in samples:
        known.setdefault(sample.filter_name, {}).update(dict.fromkeys(sample.metrics))
    for sample in samples:
        if len(set(sample.metrics)) == len(known[sample.filter_name]):
            continue
        for metric in sorted(known[sample.filter_name].keys() - sample.metrics):
            name = f"{_name_item_metric(metric)},{sample.filter_name}"
            yield sample.make_record(run, name, None, _get_direction(metric, directions))


def _list_other_metrics(results: JsonObject, task: str) -> set[str]:
    """Return the metrics of a task that are not means of items: those that its configuration adds up otherwise."""
    metrics = _get_part(_get_part(results, "configs"), task).get("metric_list")
    rows = [row for row in metrics if isinstance(row, dict)] if isinstance(metrics, list) else []
    return {str(row.get("metric")) for row in rows if row.get("aggregation", "mean") != "mean"}


def _list_totals(totals: JsonObject, run: _SampleFile, others: set[str], n_items: int | None) -> Iterator[HarnessTotal]:
    """Yield the totals of a task that are means of its items."""
    for name, value in totals.items():
        metric, comma, _ = name.partition(",")
        score = parse_score(value)
        is_mean = comma and not metric.endswith("_stderr") and metric not in others
        if is_mean and score is not None and not any(part in metric for part in _LIKELIHOODS):
            yield HarnessTotal(run.system, run.task, name, score, n_items)


def _get_part(content: JsonObject, name: str) -> JsonObject:
    part = content.get(name)
    return part if isinstance(part, dict) else {}


def _find_group(results: JsonObject, task: str) -> str | None:
    """Return the largest group with a score of its own that a task belongs to; None if it belongs to none."""
    parents = {
        str(member): str(name)
        for name, members in _get_part(results, "group_subtasks").items()
        for member in (members if isinstance(members, list) else ())
    }
    scores = _get_part(results, "groups")
    group, name, visited = None, task, {task}
    while (name := parents.get(name, "")) and name not in visited:
        visited.add(name)
        if any(isinstance(value, float) for value in _get_part(scores, name).values()):
            group = name
    return group


def _read_settings(results: JsonObject, task: str) -> Settings:
    """Return the settings of a run that may change its answers."""
    config, own = _get_part(results, "config"), _get_part(_get_part(results, "configs"), task)
    arguments = _parse_arguments(config.get("model_args"))
    arguments = {name: value for name, value in arguments.items() if name not in ("pretrained", "model")}
    return make_settings(
        {
            "n-shot": _get_part(results, "n-shot").get(task),
            "task version": _get_part(results, "versions").get(task),
            "model arguments": arguments,
            "generation": _parse_arguments(config.get("gen_kwargs")) or own.get("generation_kwargs"),
            "system instruction": results.get("system_instruction_sha"),
            "chat template": results.get("chat_template_sha"),
            "few-shot as turns": results.get("fewshot_as_multiturn") or None,
        }
    )


def _parse_arguments(arguments: object) -> JsonObject:
    """Return the arguments of a model or of generation, which older logs write as `name=value,…`.

    >>> _parse_arguments("pretrained=org/m,dtype=float16")
    {'pretrained': 'org/m', 'dtype': 'float16'}
    """
    if isinstance(arguments, str):
        pairs = (part.partition("=") for part in arguments.split(",") if part)
        return {name.strip(): value for name, _, value in pairs}
    return arguments if isinstance(arguments, dict) else {}


def _get_direction(metric: str, directions: JsonObject) -> bool:
    higher = directions.get(metric)
    return not higher if isinstance(higher, bool) else is_lower_better(metric)


def _list_metrics(row: JsonObject) -> list[str]:
    names = row.get("metrics")
    if names is None:
        return [
            name
            for name, value in row.items()
            if name not in _NOT_METRICS and (isinstance(value, (int, float)) or _is_likelihood(name, value))
        ]
    return [str(name) for name in names]


def _is_likelihood(metric: str, value: object) -> bool:
    has_numbers = isinstance(value, (list, tuple)) and len(value) == 2
    return has_numbers and any(name in metric for name in _LIKELIHOODS)


def _name_item_metric(metric: str) -> str:
    """Return the name of a score of one item, which is another one if the harness reports no mean of items.

    >>> _name_item_metric("word_perplexity"), _name_item_metric("bits_per_byte"), _name_item_metric("acc")
    ('log_word_perplexity', 'item_bits_per_byte', 'acc')
    """
    if not any(name in metric for name in _LIKELIHOODS):
        return metric
    return f"log_{metric}" if "perplexity" in metric else f"item_{metric}"


def _read_value(metric: str, value: Values) -> float | None:
    """Read the score of an item; a log-likelihood is the loss in nats, with its weight the loss per unit.

    >>> _read_value("perplexity", -2.5), _read_value("word_perplexity", [-6.0, 3]), _read_value("acc", 1.0)
    (2.5, 2.0, 1.0)
    """
    if not _is_likelihood(metric, value):
        score = parse_score(value)
        # A perplexity is 1 or more: what is not positive is the log-likelihood that the harness computes it from.
        return -score if score is not None and score <= 0 and "perplexity" in metric else score
    likelihood, weight = parse_score(value[0]), parse_score(value[1])
    unit = math.log(2) if "bits" in metric else 1.0
    return -likelihood / weight / unit if likelihood is not None and weight else None

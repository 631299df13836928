"""Samples of lm-evaluation-harness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.logs.directions import is_lower_better
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.documents import describe_document, find_answer
from assay.logs.readers.files import read_json, read_json_lines, read_start
from assay.logs.records import LogRecord, Settings, hash_content, make_settings, number_copies, parse_score

_NAME = re.compile(r"^samples_(?P<task>.+?)(_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\.jsonl$")
_NOT_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter"}
_NOT_METRICS |= {"doc_hash", "prompt_hash", "target_hash"}
_LIKELIHOODS = ("perplexity", "bits_per_byte")  # metrics whose rows are [log-likelihood, weight]


@LOGS.add("lm-evaluation-harness")
class LmEvalLogs(LogReader):
    """Read `<model>/samples_<task>_<date>.jsonl`, one row per item and filter, with `results_<date>.json`."""

    def __init__(self) -> None:
        super().__init__()
        self._results: dict[Path, dict[str, Any]] = {}

    def find_files(self, folder: Path) -> list[Path]:
        """Return the sample files."""
        return sorted(path for path in folder.rglob("samples_*.jsonl") if self.accepts(path))

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every item, filter and metric; the results file or the folder names the model.

        The harness writes one row per filter, so the metric carries its name (`exact_match,strict-match`), as in the
        results of the harness. The item key is `doc_hash`, in older logs a hash of the document. A metric of the whole
        corpus has no score per item: its total is read from the results file.
        """
        match = _NAME.match(path.name)
        assert match
        task, results = match["task"], self._find_results(path, match["date"])
        system = str(results.get("model_name") or path.parent.name.replace("__", "/"))
        settings, group = _read_settings(results, task), _find_group(results, task)
        higher = _get_part(results, "higher_is_better").get(task)
        directions = higher if isinstance(higher, dict) else {}
        copies: dict[str, dict[str, dict[str, str]]] = {}
        corpus_metrics: dict[str, None] = {}
        rows: list[tuple[str, LogRecord, set[str]]] = []  # filter, a record without score, metrics with a record
        for row in read_json_lines(path):
            filter_name = str(row.get("filter", "none"))
            key = str(row.get("doc_hash") or hash_content(row.get("doc"), row.get("target")))
            item = number_copies(key, str(row.get("doc_id", key)), copies.setdefault(filter_name, {}))
            content = self.share(describe_document(row))
            answer = find_answer(row, content.choices)
            blank = LogRecord(
                *(system, task, "", item, None),
                error=True,
                settings=settings,
                content=content,
                answer=answer,
                group=group,
            )
            rows.append((filter_name, blank, set()))
            for metric in _list_metrics(row):
                name, value = f"{metric},{filter_name}", _read_value(metric, row.get(metric))
                if value is None and isinstance(row.get(metric), (list, dict)):
                    corpus_metrics[name] = None
                    continue
                rows[-1][2].add(metric)
                direction = _get_direction(metric, directions)
                yield replace(blank, metric=name, score=value, error=value is None, lower_is_better=direction)
        yield from _add_missing(rows, directions)
        totals = _get_part(_get_part(results, "results"), task)
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

    def recognises(self, path: Path) -> bool:
        """Tell whether a file is a sample file by its name."""
        return _NAME.match(path.name) is not None

    def accepts(self, path: Path) -> bool:
        """Tell whether a file holds samples; an empty one does, so that it is not overlooked."""
        start = read_start(path) if self.recognises(path) and path.is_file() else b"{}"
        return not start.strip() or any(name in start for name in (b'"doc_id"', b'"doc_hash"', b'"filtered_resps"'))

    def _find_results(self, path: Path, date: str | None) -> dict[str, Any]:
        """Return the results file of the same run; an empty one where there is none."""
        home = path.parent / f"results_{date}.json"
        if date is None or not home.exists():
            return {}
        if home not in self._results:
            content = read_json(home)
            self._results[home] = content if isinstance(content, dict) else {}
        return self._results[home]


def _add_missing(rows: list[tuple[str, LogRecord, set[str]]], directions: dict[str, Any]) -> Iterator[LogRecord]:
    """Yield a failed record for every metric that other rows of the file have, and a damaged row has not."""
    known: dict[str, dict[str, None]] = {}
    for filter_name, _, metrics in rows:
        known.setdefault(filter_name, {}).update(dict.fromkeys(sorted(metrics)))
    for filter_name, blank, metrics in rows:
        for metric in known[filter_name]:
            if metric not in metrics:
                direction = _get_direction(metric, directions)
                yield replace(blank, metric=f"{metric},{filter_name}", lower_is_better=direction)


def _get_part(content: dict[str, Any], name: str) -> dict[str, Any]:
    part = content.get(name)
    return part if isinstance(part, dict) else {}


def _find_group(results: dict[str, Any], task: str) -> str | None:
    """Return the largest group with a score of its own that a task belongs to; None where it belongs to none."""
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


def _read_settings(results: dict[str, Any], task: str) -> Settings:
    """Return the settings of a run that may change its answers."""
    config, own = _get_part(results, "config"), _get_part(_get_part(results, "configs"), task)
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = ",".join(part for part in arguments.split(",") if not part.startswith(("pretrained=", "model=")))
    elif isinstance(arguments, dict):
        arguments = {name: value for name, value in arguments.items() if name not in ("pretrained", "model")}
    return make_settings(
        {
            "n-shot": _get_part(results, "n-shot").get(task),
            "task version": _get_part(results, "versions").get(task),
            "model arguments": arguments,
            "generation": config.get("gen_kwargs") or own.get("generation_kwargs"),
            "system instruction": results.get("system_instruction_sha"),
            "chat template": results.get("chat_template_sha"),
            "few-shot as turns": results.get("fewshot_as_multiturn") or None,
        }
    )


def _get_direction(metric: str, directions: dict[str, Any]) -> bool:
    higher = directions.get(metric)
    return not higher if isinstance(higher, bool) else is_lower_better(metric)


def _list_metrics(row: dict[str, Any]) -> list[str]:
    names = row.get("metrics")
    if names is None:
        return [
            name
            for name, value in row.items()
            if name not in _NOT_METRICS and (isinstance(value, (int, float)) or _is_likelihood(name, value))
        ]
    return [str(name) for name in names]


def _is_likelihood(metric: str, value: Any) -> bool:
    has_numbers = isinstance(value, (list, tuple)) and len(value) == 2
    return has_numbers and any(name in metric for name in _LIKELIHOODS)


def _read_value(metric: str, value: Any) -> float | None:
    """Read the score of an item; a log-likelihood with its weight is the loss per unit."""
    if not _is_likelihood(metric, value):
        return parse_score(value)
    likelihood, weight = parse_score(value[0]), parse_score(value[1])
    return -likelihood / weight if likelihood is not None and weight else None

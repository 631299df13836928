"""Details of lighteval."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.logs.directions import is_lower_better
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.files import list_files, read_companion
from assay.logs.records import (
    LogItem,
    LogRecord,
    Settings,
    hash_content,
    make_settings,
    number_copies,
    parse_score,
)
from assay.logs.response_store import LogResponse
from assay.logs.totals import HarnessTotal
from assay.system.json import JsonObject, RepeatedKeys
from assay.wording.letters import name_letter

_NAME = re.compile(r"^details_(?P<task>.+)_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+)\.parquet$")
_SHOTS = re.compile(r"^(?P<task>.+)\|(?P<shots>\d+)(\|\d+)?$")
_METRIC_COLUMNS = ("metric", "__metric__", "metrics", "__metrics__")
_DOC_COLUMNS = ("doc", "__doc__")
_RESPONSE_COLUMNS = ("model_response", "__model_response__")


@LOGS.add("lighteval")
class LightevalLogs(LogReader):
    """Read `details/<model>/<date>/details_<task>_<date>.parquet`, one row per document."""

    companions: ClassVar = ("results_*.json",)

    def find_files(self, folder: Path) -> list[Path]:
        """Return the details files."""
        return [path for path in list_files(folder, ".parquet") if _NAME.match(path.name)]

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every document and metric; `doc.id` may be empty, so the key is a hash of the document."""
        match = _NAME.match(path.name)
        assert match
        system = _name_model(path, match["date"])
        task, settings = _split_task(match["task"])
        self.totals += _list_totals(path, match, system, task, self.repeated)
        copies: dict[str, dict[str, str]] = {}
        for number, row in enumerate(_read_rows(path)):
            doc = _get_first(row, _DOC_COLUMNS)
            key = _hash_document(row, doc)
            identity = str(doc.get("id") or number) if isinstance(doc, dict) else str(number)
            item = number_copies(key, identity, copies)
            content = self.share(_describe_document(row, doc))
            answer = _find_answer(_get_first(row, _RESPONSE_COLUMNS), content.choices)
            response = self.keep_response(lambda row=row: _describe_response(row))  # type: ignore[misc]
            metrics: dict[str, Any] = _get_first(row, _METRIC_COLUMNS) or {}
            for metric, value in (metrics or {"": None}).items():
                score = parse_score(value)
                yield LogRecord(
                    *(system, task, metric, item, score),
                    error=score is None,
                    settings=settings,
                    content=content,
                    answer=answer,
                    lower_is_better=is_lower_better(metric),
                    group=_find_group(task),
                    response=response,
                )

    def has_unique_name(self, path: Path) -> bool:
        """Return whether the name has the time of the run, to a millionth of a second."""
        match = _NAME.match(path.name)
        return match is not None and "." in match["date"]

    def recognises(self, path: Path) -> bool:
        """Return whether a file is a details file by its name."""
        return path.name.startswith("details_") and path.suffix == ".parquet"


def _list_totals(
    path: Path, match: re.Match[str], system: str, task: str, repeated: RepeatedKeys
) -> list[HarnessTotal]:
    """Return the totals of a task from the results file of the same run, if there is one."""
    parts = path.parts
    if "details" not in parts:
        return []
    root = Path(*parts[: len(parts) - 1 - parts[::-1].index("details")])
    results = read_companion(root / "results" / system / f"results_{match['date']}.json", repeated, {})
    tasks = results.get("results") if isinstance(results, dict) else None
    totals = tasks.get(match["task"]) if isinstance(tasks, dict) else None
    scores = {name: parse_score(value) for name, value in (totals if isinstance(totals, dict) else {}).items()}
    return [
        HarnessTotal(system, task, name, score)
        for name, score in scores.items()
        if score is not None and not name.endswith("_stderr")
    ]


def _read_rows(path: Path) -> Iterator[JsonObject]:
    """Yield the rows of a file that fits into memory."""
    import polars as pl

    from assay.data.readers.compression import read_content
    from assay.data.readers.parquet import load_parquet

    frame = pl.from_arrow(load_parquet(read_content(path), path))
    assert isinstance(frame, pl.DataFrame)
    yield from frame.iter_rows(named=True)


def _get_first(row: JsonObject, names: tuple[str, ...]) -> Any:
    return next((row[name] for name in names if name in row), None)


def _split_task(name: str) -> tuple[str, Settings]:
    """Return the task without its number of examples, which is a setting of the run."""
    match = _SHOTS.match(name)
    return (match["task"], make_settings({"n-shot": match["shots"]})) if match else (name, ())


def _find_group(task: str) -> str | None:
    """Return the benchmark of a task that is one of its subjects.

    >>> _find_group("leaderboard|mmlu:anatomy"), _find_group("leaderboard|arc")
    ('leaderboard|mmlu', None)
    """
    name, colon, _ = task.rpartition(":")
    return name if colon else None


def _name_model(path: Path, date: str) -> str:
    """Return the folders between `details` and the date: the model, with its owner if there is one."""
    parts = path.parent.parts[:-1] if path.parent.name == date else path.parent.parts
    if "details" in parts:
        below = parts[len(parts) - parts[::-1].index("details") :]
        return "/".join(below) or "unknown"
    return parts[-1] if parts else "unknown"


def _hash_document(row: JsonObject, doc: object) -> str:
    if isinstance(doc, dict):
        return hash_content(doc.get("query"), doc.get("choices"), doc.get("gold_index"))
    return hash_content(row.get("example") or row.get("full_prompt"), row.get("choices"), row.get("gold"))


def _describe_document(row: JsonObject, doc: object) -> LogItem:
    if not isinstance(doc, dict):
        choices, gold = _to_texts(row.get("choices")), _to_texts(row.get("gold"))
        text = row.get("example") or row.get("full_prompt")
        letters = [name_letter(choices.index(answer)) for answer in gold if answer in choices]
        several = len(choices) > 1
        return LogItem(_to_text(text), tuple(letters) if several else gold, choices if several else ())
    choices = _to_texts(doc.get("choices"))
    index = doc.get("gold_index")
    numbers = [number for number in (index if isinstance(index, list) else [index]) if isinstance(number, int)]
    known = [number for number in numbers if 0 <= number < len(choices)]
    subject = doc.get("subject") if isinstance(doc.get("subject"), str) else None
    if len(choices) < 2:  # a question with a free answer, whose references are its choices
        return LogItem(_to_text(doc.get("query")), tuple(choices[number].strip() for number in known), (), subject)
    return LogItem(_to_text(doc.get("query")), tuple(name_letter(number) for number in known), choices, subject)


def _find_answer(response: object, choices: tuple[str, ...]) -> str | None:
    if not isinstance(response, dict):
        return None
    likelihoods = response.get("logprobs")
    if choices and isinstance(likelihoods, list) and len(likelihoods) == len(choices):
        return name_letter(max(range(len(choices)), key=lambda number: likelihoods[number]))
    texts = response.get("text") or response.get("final_text")
    first = texts[0] if isinstance(texts, list) and texts else texts
    if not isinstance(first, str):
        return None
    stripped = [choice.strip() for choice in choices]
    return name_letter(stripped.index(first.strip())) if first.strip() in stripped else first.strip()


def _describe_response(row: JsonObject) -> LogResponse | None:
    """Return the first generated text; None if the answers are log-likelihoods."""
    response = _get_first(row, _RESPONSE_COLUMNS)
    texts = (response.get("text") or response.get("final_text")) if isinstance(response, dict) else None
    first = texts[0] if isinstance(texts, list) and texts else texts
    return LogResponse(first) if isinstance(first, str) and not response.get("logprobs") else None


def _to_text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _to_texts(value: object) -> tuple[str, ...]:
    return tuple(str(part) for part in value) if isinstance(value, list) else ()

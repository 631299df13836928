"""Join the runs of a task on its items: one row per item, one row per answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from assay.base.errors import AssayError, join_names
from assay.logs.records import USAGE_UNITS, LogItem, LogRecord
from assay.logs.table import LogTable
from assay.logs.tasks import TaskRecords, group_records, list_tasks, select_tasks
from assay.system.json import JsonObject
from assay.wording.letters import name_letter
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    import polars as pl

# Metrics that decide whether an answer is right, the first that a task has; others come in the order of the log.
MAIN_METRICS = ("acc", "accuracy", "exact_match", "em", "quasi_exact_match", "choice", "match", "correct", "pass@1")
STRICT_FILTERS = ("none", "strict-match", "flexible-extract")
Form = Literal["choices", "labels", "free", "texts"]
FORMS: dict[Form, str] = {
    "choices": "choices",
    "labels": "labels",
    "free": "free answers",
    "texts": "answers that have no score of their own",
}
MAX_LABELS = 20  # distinct gold answers that are labels
MIN_ITEMS = 3  # items per label
NO_ANSWER = "(no answer)"  # a wrong answer that names no choice and no label


@dataclass(frozen=True, eq=False, repr=False)
class JoinedTask:
    """One task, or several of one form: items with text, gold and choices, and the answers of all runs.

    `items` has id, text, choices (a list or null), gold, references (all accepted answers as texts) and subject;
    `answers` has system, id, repeat, predicted and score. The form is `choices` (gold and answers are letters of
    choices), `labels` (a few gold answers, and an answer is right when it equals one), `free` (the scores of the
    harness are the outcomes) or `texts` (the harness scored only the whole corpus, so the texts are the outcomes).
    If there are choices or labels, `predicted` is the gold answer exactly if the harness counts it as right.
    `usage` has what answers cost: system, id, and money, tokens or seconds, the mean of the repeats; None if the
    logs do not say.
    """

    items: pl.DataFrame
    answers: pl.DataFrame
    form: Form
    metrics: dict[str, str]
    name: str
    notes: tuple[str, ...]
    usage: pl.DataFrame | None = None

    def __repr__(self) -> str:
        n_runs = self.answers["system"].n_unique()
        return f"JoinedTask({self.name!r}: {count_noun(self.items.height, 'item')}, {count_noun(n_runs, 'run')})"


def join_tasks(logs: LogTable, task: str | None = None, metric: str | None = None) -> JoinedTask:
    """Join all runs on the same items by content; `task` and `metric` choose if the logs have several.

    `task` is a task, a group of tasks or a pattern (`mmlu_*`). Several tasks of one form (with choices, or without)
    become one set of items with the task as their subject; tasks of the other form are left out with a note, and so are
    items without a text and tasks without a score.
    """
    chosen = select_tasks(logs, task)
    title = next(iter(chosen)) if len(chosen) == 1 else logs.name
    if task is not None and task in list_tasks(logs):
        title = task
    return _join(_keep_notes(logs, group_records(logs), chosen), chosen, title, metric)


@dataclass(frozen=True, eq=False)
class JoinedTasks:
    """The tasks of logs, each joined separately, and the reasons why others could not be joined."""

    tasks: tuple[JoinedTask, ...]
    left_out: dict[str, str]


def join_each_task(logs: LogTable, metric: str | None = None) -> JoinedTasks:
    """Join the runs of every task, or group of tasks, separately; each task has only its own notes."""
    records = group_records(logs)
    listed = list_tasks(logs)
    tasks: list[JoinedTask] = []
    left_out: dict[str, str] = {}
    for name, members in listed.items():
        own = _keep_notes(logs, records, members)
        try:
            tasks.append(_join(own, {task: records[task] for task in members}, name, metric))
        except AssayError as error:
            left_out[name] = error.fact
    return JoinedTasks(tuple(tasks), left_out)


def _keep_notes(logs: LogTable, tasks: Iterable[str], chosen: Collection[str]) -> LogTable:
    """Return the logs without the notes on tasks that are not chosen."""
    others = tuple(f"{task}: " for task in tasks if task not in chosen)
    return replace(logs, notes=tuple(note for note in logs.notes if not note.startswith(others)))


def _join(logs: LogTable, chosen: TaskRecords, title: str, metric: str | None) -> JoinedTask:
    """Join the tasks of the form that most items have."""
    forms = {name: _find_form(records, metric, name) for name, records in chosen.items()}
    sizes = {name: len({record.item for record in records}) for name, records in chosen.items()}
    totals = {form: sum(size for name, size in sizes.items() if forms[name] == form) for form in FORMS}
    form = max(FORMS, key=lambda form: totals[form])
    notes = []
    for other in FORMS:
        left_out = [name for name in chosen if forms[name] == other != form]
        if left_out:
            what = f"{count_noun(len(left_out), 'task')} with {FORMS[other]}"
            notes.append(f"{what} left out: {join_names(left_out)}.")
    return _build(logs, {name: chosen[name] for name in chosen if forms[name] == form}, form, metric, notes, title)


def _find_form(records: Sequence[LogRecord], metric: str | None, task: str) -> Form:
    """Return whether the items of a task have choices, a few gold answers in common, or free answers.

    Answers that are more or less right are free ones, as no choice says how right they are.
    """
    if not any(record.metric or record.error for record in records):
        return "texts"
    contents = {id(record.content): record.content for record in records if record.content is not None}
    chosen = choose_metric(records, metric, task)
    scored = [record for record in records if record.metric == chosen and record.score is not None and record.content]
    if any(record.score not in (0, 1) for record in scored):
        return "free"
    with_choices = sum(1 for content in contents.values() if len(content.choices) > 1 and len(content.gold) == 1)
    if contents and 2 * with_choices > len(contents):
        return "choices"
    gold = {content.gold for content in contents.values()}
    few = all(len(answers) == 1 for answers in gold) and len(gold) <= min(MAX_LABELS, len(contents) // MIN_ITEMS)
    agree = sum(_is_right(record) == (record.score == 1) for record in scored)
    return "labels" if few and len(gold) > 1 and scored and agree == len(scored) else "free"


def _is_right(record: LogRecord) -> bool:
    return record.content is not None and record.answer in record.content.gold


@cache
def _list_letters(n_choices: int) -> frozenset[str]:
    return frozenset(map(name_letter, range(n_choices)))


def _read_answer(record: LogRecord, content: LogItem) -> str:
    """Return the choice or label that a scored answer counts as: the right one exactly if the harness says so."""
    if record.score == 1:
        return content.gold[0]
    answer = record.answer or NO_ANSWER
    if content.choices and answer not in _list_letters(len(content.choices)):
        return NO_ANSWER
    return NO_ANSWER if answer in content.gold else answer


def _build(
    logs: LogTable, tasks: TaskRecords, form: Form, metric: str | None, notes: list[str], title: str
) -> JoinedTask:
    choose = choose_metric if form != "texts" else _choose_none
    metrics = {name: choose(records, metric, name) for name, records in tasks.items()}
    contents: dict[tuple[str, str], LogItem] = {}
    ids: list[str] = []
    rows = _AnswerColumns([], [], [], [], [])
    usage: list[dict[str, Any]] = []
    lower_metrics: dict[str, None] = {}
    n_unreadable = n_different = 0
    for name, records in tasks.items():
        own: dict[str, str] = {}  # the id of every item
        repeats: dict[str, Counter[str]] = {}  # by system
        for record in records:
            content, score = record.content, record.score
            if record.metric not in (metrics[name], ""):
                continue
            if content is None or not _is_readable(content, form):
                n_unreadable += 1
                continue
            if record.item not in own:
                own[record.item] = f"{name}/{record.item}" if len(tasks) > 1 else record.item
                contents[name, record.item] = content
            score = math.nan if form == "texts" else score
            if score is None:  # a failed sample is not an answer
                continue
            n_different += (record.answer in content.gold) != (score == 1)
            answer = _read_answer(record, content) if form in ("choices", "labels") else record.answer
            if form == "free" and record.lower_is_better:
                score = -score
                lower_metrics[record.metric] = None
            counts = repeats.setdefault(record.system, Counter())
            rows.add(record.system, own[record.item], counts[record.item], answer, score)
            counts[record.item] += 1
            usage += _list_usage(record, own[record.item])
        ids += own.values()
    if not contents:
        raise AssayError("the logs hold scores and no texts of items", place=logs.name)
    items, answers = _make_items(contents, ids), rows.to_frame()
    notes = [*notes, _describe(tasks, contents, answers, metrics), *_note_overlap(answers)]
    notes += _note_direction(lower_metrics)
    if form in ("choices", "labels") and n_different:
        what = count_noun(n_different, "answer")
        notes.append(
            f"{what} scored otherwise by the harness than by equality with gold; the score of the harness counts."
        )
    if n_unreadable:
        notes.append(f"{count_noun(n_unreadable, 'answer')} to items without a text or a gold answer left out.")
    return JoinedTask(items, answers, form, metrics, title, (*logs.notes, *notes), _average_usage(usage))


def _is_readable(content: LogItem, form: Form) -> bool:
    """Return whether an item has a text, and, if answers are compared with it one gold answer."""
    return content.text is not None and (form not in ("choices", "labels") or len(content.gold) == 1)


def _note_overlap(answers: pl.DataFrame) -> list[str]:
    """Note runs without a common item, whose scores are of different items and cannot be compared."""
    n_runs = answers["system"].n_unique()
    n_answered = answers.select("system", "id").unique().group_by("id").len()["len"].max()
    if n_runs < 2 or n_answered == n_runs:
        return []
    return ["no item has an answer of every run: scores of runs are of different items, so do not compare them."]


def _note_direction(metrics: dict[str, None]) -> list[str]:
    verb = "has" if len(metrics) == 1 else "have"
    note = f"lower is better: {join_names(metrics)} {verb} a minus sign, so that more is better."
    return [note] if metrics else []


def _list_usage(record: LogRecord, item: str) -> list[JsonObject]:
    return [{"system": record.system, "id": item, **dict(record.usage)}] if record.usage else []


def _average_usage(rows: list[JsonObject]) -> pl.DataFrame | None:
    """Return what each system spent on each item, in the units that the logs have."""
    import polars as pl

    if not rows:
        return None
    schema = {"system": pl.String, "id": pl.String} | dict.fromkeys(USAGE_UNITS, pl.Float64)
    frame = pl.DataFrame(rows, schema=schema).group_by("system", "id", maintain_order=True).mean()
    return frame.select("system", "id", *(unit for unit in USAGE_UNITS if frame[unit].is_not_null().any()))


@dataclass(frozen=True)
class _AnswerColumns:
    """The answers of all runs, column by column."""

    systems: list[str]
    ids: list[str]
    repeats: list[int]
    predicted: list[str | None]
    scores: list[float]

    def add(self, system: str, item: str, repeat: int, answer: str | None, score: float) -> None:
        """Add one answer."""
        self.systems.append(system)
        self.ids.append(item)
        self.repeats.append(repeat)
        self.predicted.append(answer)
        self.scores.append(score)

    def to_frame(self) -> pl.DataFrame:
        """Return one row per answer."""
        import polars as pl

        return pl.DataFrame(
            {
                "system": pl.Series(self.systems, dtype=pl.String),
                "id": pl.Series(self.ids, dtype=pl.String),
                "repeat": pl.Series(self.repeats, dtype=pl.Int64).cast(pl.String),
                "predicted": pl.Series(self.predicted, dtype=pl.String),
                "score": pl.Series(self.scores, dtype=pl.Float64),
            }
        )


def _make_items(contents: dict[tuple[str, str], LogItem], ids: list[str]) -> Any:
    import polars as pl

    subjects = [content.subject or task for (task, _), content in contents.items()]
    columns = {
        "id": ids,
        "text": [content.text for content in contents.values()],
        "choices": [list(content.choices) or None for content in contents.values()],
        "gold": [content.gold[0] if content.gold else None for content in contents.values()],
        "references": [_list_references(content) or None for content in contents.values()],
        "subject": subjects if len(set(subjects)) > 1 else [None] * len(subjects),
    }
    types = dict.fromkeys(columns, pl.String) | dict.fromkeys(("choices", "references"), pl.List(pl.String))
    return pl.DataFrame(columns, schema=types)


def _list_references(content: LogItem) -> list[str]:
    """Return the accepted answers, of choices their texts."""
    texts = {name_letter(number): choice for number, choice in enumerate(content.choices)}
    return [texts.get(answer, answer) for answer in content.gold]


def _choose_none(records: Sequence[LogRecord], metric: str | None, task: str) -> str:  # noqa: ARG001, as choose_metric
    if metric is not None:
        raise AssayError(f"no answer has a score by '{metric}'", place=task)
    return ""


def choose_metric(records: Sequence[LogRecord], metric: str | None, task: str) -> str:
    """Return the metric that decides whether an answer is right: the one that is asked for, or the main one."""
    names = list(dict.fromkeys(record.metric for record in records if record.metric))
    if not names:
        raise AssayError("no answer has a score", place=task)
    if metric is not None:
        if metric not in names:
            raise AssayError(f"there is no metric '{metric}'; metrics are {join_names(names, limit=10)}", place=task)
        return metric

    main_metric = next((record.metric for record in records if record.is_main), None)
    if main_metric is not None:
        return main_metric

    def order(name: str) -> tuple[int, int, int]:
        base, _, part = name.partition(",")
        base = base.partition("/")[0]
        main = MAIN_METRICS.index(base) if base in MAIN_METRICS else len(MAIN_METRICS)
        strict = STRICT_FILTERS.index(part) if part in STRICT_FILTERS else len(STRICT_FILTERS)
        return main, strict, names.index(name)

    return min(names, key=order)


def _describe(
    tasks: TaskRecords,
    contents: dict[tuple[str, str], LogItem],
    answers: pl.DataFrame,
    metrics: dict[str, str],
) -> str:
    """Say how many items, runs and repeats were joined, and by which metric answers are scored."""
    n_runs = answers["system"].n_unique()
    n_repeats = answers["repeat"].n_unique()
    parts = [count_noun(len(contents), "item"), count_noun(n_runs, "run")]
    parts += [count_noun(n_repeats, "repeat")] if n_repeats > 1 else []
    used = Counter(metrics.values())
    others = {record.metric for records in tasks.values() for record in records if record.metric} - set(used)
    scored = f"scored by {join_names(used)}" if any(used) else "no answer has a score of its own"
    not_used = f"; not used: {join_names(sorted(others))}" if others else ""
    what = next(iter(tasks)) if len(tasks) == 1 else count_noun(len(tasks), "task")
    return f"joined {what} by content: {', '.join(parts)}; {scored}{not_used}."

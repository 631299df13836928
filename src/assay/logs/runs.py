"""Runs and repeats: a run is a system with its settings, a repeat is the same run again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assay.base.errors import AssayError
from assay.logs.records import LogRecord, Settings
from assay.system.json import RepeatedKeys, parse_json
from assay.wording.sentences import choose_verb, count_noun

MAX_VALUE = 40  # characters of a setting in the name of a run


@dataclass(frozen=True)
class Cleaned:
    """Records that count, and notes on those that were left out."""

    records: list[LogRecord]
    notes: tuple[str, ...]


def clean_records(records: Sequence[LogRecord]) -> Cleaned:
    """Leave out invalid samples and earlier attempts, name the runs, and number the repeats."""
    invalid = [record for record in records if record.is_invalid]
    valid = [record for record in records if not record.is_invalid] if invalid else records
    n_invalid = _count_samples(invalid)
    notes = []
    if n_invalid:
        notes.append(
            f"{count_noun(n_invalid, 'sample')} declared invalid {choose_verb(n_invalid, 'is', 'are')} left out."
        )
    kept = _keep_last(_keep_last(valid, lambda record: record.sample), lambda record: record.attempt)
    n_retried = _count_samples(valid) - _count_samples(kept) if len(kept) < len(valid) else 0
    if n_retried:
        verb = choose_verb(n_retried, "is", "are")
        notes.append(f"{count_noun(n_retried, 'sample')} logged again by a retry {verb} counted once.")
    named, run_notes = _name_runs(kept)
    return Cleaned(_number_repeats(named), (*notes, *run_notes))


def _count_samples(records: Sequence[LogRecord]) -> int:
    """Count samples, each of which has a record per metric."""
    counts = Counter((record.system, record.task, record.metric) for record in records if not record.is_aggregate)
    scored: dict[tuple[str, str], int] = {}
    for (system, task, metric), n in counts.items():
        if metric:
            scored[system, task] = max(n, scored.get((system, task), 0))
    return sum(scored.values()) + sum(n for (_, _, metric), n in counts.items() if not metric)


def _keep_last(records: Sequence[LogRecord], get_key: Callable[[LogRecord], str | None]) -> list[LogRecord]:
    """Keep one record per sample and metric: the last one with a score, else the last one."""
    if not any(map(get_key, records)):
        return list(records)
    best: dict[tuple[str, ...], int] = {}
    for number, record in enumerate(records):
        key = get_key(record)
        if key is None:
            continue
        full = (record.task, record.metric, record.system, key)
        previous = best.get(full)
        if previous is None or record.score is not None or records[previous].score is None:
            best[full] = number
    chosen = set(best.values())
    scored = {key[0::2] + key[3:] for key, number in best.items() if records[number].score is not None}
    kept = []
    for number, record in enumerate(records):
        key = get_key(record)
        if key is None or number in chosen:
            # A failed sample has a record without a metric; its retry has one with.
            if key is not None and not record.metric and (record.task, record.system, key) in scored:
                continue
            kept.append(record)
    return kept


def _name_runs(records: Sequence[LogRecord]) -> tuple[list[LogRecord], list[str]]:
    """Add to the name of a system the settings in which its runs on a task differ."""
    settings: dict[tuple[str, str], dict[Settings, None]] = {}
    for record in records:
        settings.setdefault((record.system, record.task), {})[record.settings] = None
    names: dict[tuple[str, str, Settings], str] = {}
    notes = []
    for (system, task), runs in settings.items():
        if len(runs) < 2:
            continue
        suffixes = _describe_differences(list(runs))
        names |= {(system, task, run): f"{system} ({suffix})" for run, suffix in zip(runs, suffixes, strict=True)}
        notes.append(f"{task}: {system} was run with {len(runs)} settings, which are runs of their own.")
    if not names:
        return list(records), notes
    renamed = []
    for record in records:
        name = names.get((record.system, record.task, record.settings))
        renamed.append(record if name is None else replace(record, system=name))
    return renamed, notes


def _describe_differences(runs: Sequence[Settings]) -> list[str]:
    """Return for each run the settings that are not the same in all; of several parameters only those that differ.

    >>> _describe_differences([(("n-shot", "0"), ("seed", "1")), (("n-shot", "5"), ("seed", "1"))])
    ['n-shot 0', 'n-shot 5']
    >>> _describe_differences([(("generation", '{"temperature": 0.0, "top_p": 1.0}'),), (("generation", '{"top_p": 1.0}'),)])
    ['temperature 0.0', 'temperature default']
    """
    tables = [_list_parameters(run) for run in runs]
    keys = sorted({key for table in tables for key in table})
    different = [key for key in keys if len({table.get(key) for table in tables}) > 1]
    names = Counter(name for _, name in different)
    titles = {(setting, name): name if names[name] == 1 else f"{setting} {name}" for setting, name in different}
    return [", ".join(f"{titles[key]} {_shorten(table.get(key, 'default'))}" for key in different) for table in tables]


def _list_parameters(run: Settings) -> dict[tuple[str, str], str]:
    """Return the value of every parameter by the setting it belongs to and its own name."""
    parameters = {}
    for setting, text in run:
        try:
            value = parse_json(text, setting, repeated=RepeatedKeys()) if text.startswith("{") else text
        except AssayError:
            value = text
        for name, part in value.items() if isinstance(value, dict) else [(setting, text)]:
            parameters[setting, name] = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)
    return parameters


def _shorten(text: str) -> str:
    """Return a value that fits into a name; a long one ends with a hash, so that others stay different."""
    line = " ".join(text.split())
    if len(line) <= MAX_VALUE:
        return line
    return f"{line[: MAX_VALUE - 10]}… {hashlib.sha256(text.encode('utf-8')).hexdigest()[:8]}"


def _number_repeats(records: Sequence[LogRecord]) -> list[LogRecord]:
    """Number the repeats of an item over all files: the same run logged on two days is two repeats."""
    runs: dict[tuple[str, ...], dict[str, int]] = {}  # by run and metric, how often each item was met
    numbered = []
    for record in records:
        counts = runs.setdefault((record.benchmark, record.task, record.metric, record.system), {})
        repeat = counts.get(record.item, 0)
        counts[record.item] = repeat + 1
        numbered.append(record if record.is_aggregate or record.repeat == repeat else replace(record, repeat=repeat))
    return numbered

"""A folder of logs as one table of system × item, keyed by content, with its denominators."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.discrimination.logs.records import Record
from assay.discrimination.measurement import Measurement
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.scores import Scores


@dataclass(frozen=True, eq=False)
class LogTable:
    """Every record of the logs, the formats they came in, and the notes that state what was counted."""

    records: list[Record]
    name: str
    formats: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def systems(self) -> list[str]:
        """The systems in the order of their files."""
        return list(dict.fromkeys(record.system for record in self.records))

    def outcomes(self, metric: str | None = None) -> list[Outcomes]:
        """Return the outcomes of every (dataset, metric): items × systems, the mean over repeats, nan = no score."""
        groups: dict[tuple[str, str, str], list[Record]] = {}
        for record in self.records:
            if not record.whole and record.metric and metric in (None, record.metric):
                groups.setdefault((record.benchmark, record.dataset, record.metric), []).append(record)
        if not groups and metric is not None:
            raise AssayError(f"{self.name}: no metric '{metric}'; metrics are {join_names(_metrics(self.records))}.")
        return [_outcomes(key, part) for key, part in groups.items()]

    def scores(self) -> Scores:
        """Return the scores of whole datasets, for logs that have nothing else."""
        groups: dict[tuple[str, str, str], list[Record]] = {}
        for record in self.records:
            if record.whole and record.score is not None:
                groups.setdefault((record.benchmark, record.dataset, record.metric), []).append(record)
        return Scores([_measurement(key, part) for key, part in groups.items()], self.notes, self.name)


def gathered(folder: Path, formats: dict[str, ModuleType]) -> LogTable:
    """Read all logs under a folder (or one log file), whatever harness wrote them."""
    records: list[Record] = []
    used, notes = [], []
    for name, module in formats.items():
        files = _files(folder, module)
        if files:
            mine = [record for path in files for record in module.read(path)]
            used.append(name)
            notes.append(f"{folder.name}: {len(files)} {name} files, {len({r.system for r in mine})} systems.")
            records += mine
    if not records:
        raise AssayError(f"{folder}: no logs found; known are {join_names(formats, limit=10)}.")
    records = _apart(records)
    return LogTable(records, folder.name, tuple(used), (*notes, *_denominators(records)))


def _apart(records: list[Record]) -> list[Record]:
    """Number the repeats of an item over all files: the same run logged on two days is two repeats."""
    seen: Counter[tuple[str, ...]] = Counter()
    numbered = []
    for record in records:
        key = (record.benchmark, record.dataset, record.metric, record.system, record.item)
        numbered.append(record if record.whole else replace(record, repeat=str(seen[key])))
        seen[key] += 1
    return numbered


def _files(folder: Path, module: ModuleType) -> list[Path]:
    if folder.is_dir():
        return list(module.find(folder))
    return [path for path in module.find(folder.parent) if path == folder]


def _denominators(records: list[Record]) -> list[str]:
    """State for every dataset how many items were scored and how many failed, system by system where they differ."""
    notes = []
    for dataset in dict.fromkeys(record.dataset for record in records if not record.whole):
        mine = [record for record in records if record.dataset == dataset and not record.whole]
        items = len({record.item for record in mine})
        scored = {
            name: len({r.item for r in mine if r.system == name and r.score is not None}) for name in _names(mine)
        }
        failed = Counter(record.system for record in mine if record.error)
        short = [f"{name} {count}" for name, count in scored.items() if count < items]
        told = f"{dataset}: {items} items, {len(scored)} systems"
        told += f"; scored only in part: {join_names(short)}" if short else "; every system scored on all"
        told += f"; {sum(failed.values())} failed runs are not counted as wrong" if failed else ""
        repeats = len({record.repeat for record in mine})
        notes.append(told + (f"; {repeats} repeats, averaged a system and item{_noise(mine)}." if repeats > 1 else "."))
    return notes


def _noise(records: list[Record]) -> str:
    """Say how far a system's score moves from repeat to repeat, as the mean standard deviation (ddof = 1)."""
    scores: dict[tuple[str, str], dict[str, list[float]]] = {}
    for record in records:
        if record.score is not None:
            scores.setdefault((record.system, record.metric), {}).setdefault(record.repeat, []).append(record.score)
    means = [[np.mean(values) for values in runs.values()] for runs in scores.values() if len(runs) > 1]
    return f"; a score moves by {np.mean([np.std(one, ddof=1) for one in means]):.3g} between repeats" if means else ""


def _names(records: list[Record]) -> list[str]:
    return list(dict.fromkeys(record.system for record in records))


def _metrics(records: list[Record]) -> list[str]:
    return sorted({record.metric for record in records if record.metric})


def _outcomes(key: tuple[str, str, str], records: list[Record]) -> Outcomes:
    systems, items = _names(records), sorted({record.item for record in records})
    rows = {name: row for row, name in enumerate(systems)}
    columns = {item: column for column, item in enumerate(items)}
    total, count = np.zeros((len(systems), len(items))), np.zeros((len(systems), len(items)))
    for record in records:
        if record.score is not None:
            total[rows[record.system], columns[record.item]] += record.score
            count[rows[record.system], columns[record.item]] += 1
    table = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return Outcomes(*key, tuple(systems), table, ids=tuple(items))


def _measurement(key: tuple[str, str, str], records: list[Record]) -> Measurement:
    scores = np.array([record.score for record in records], dtype=float)
    factor = 100.0 if (np.abs(scores) <= 1).all() else 1.0
    return Measurement(*key, tuple(record.system for record in records), scores * factor)

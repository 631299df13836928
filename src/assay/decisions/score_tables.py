"""Decide from scores of whole test sets with standard errors: unpaired, because it is unknown which items were right."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.errors import AssayError, join_names
from assay.data.readers.frames import read_frame
from assay.decisions.needs import Design, count_items, find_effect
from assay.decisions.pairs import POINTS, choose_systems
from assay.decisions.results import Components, DecidedMetric, Decision
from assay.decisions.settings import DecisionSettings
from assay.decisions.verdicts import choose_verdict
from assay.inputs.score_columns import find_dataset_column, find_system_column, is_score_column, parse_cell
from assay.logs import is_lower_better
from assay.statistics import Interval, normal_quantile, tails
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    import polars as pl

    from assay.kinds.arguments import DataSource

SCORE_NAMES = ("score", "main_score", "value", "result", "accuracy", "acc")
ERROR_NAMES = ("standard_error", "stderr", "std_err", "std_error", "se", "sem")
SIZE_NAMES = ("n_items", "n", "items", "size")
_AFTER_SCORE = re.compile(r"(?:±|\+/-|\+-|\\pm)\s*+(?P<error>[\d.]+)")


@dataclass(frozen=True)
class TestScore:
    """The score of a system on one dataset, with its standard error and the number of items; nan if unknown."""

    system: str
    dataset: str
    score: float
    error: float
    n: float


def decide_scores(
    source: DataSource, baseline: str | None, candidate: str | None, settings: DecisionSettings
) -> Decision:
    """Decide from a table of scores; of several datasets, from the mean of the differences."""
    frame, name = read_frame(source, "scores")
    scores = read_test_scores(frame, name)
    first, second = choose_systems(list(dict.fromkeys(row.system for row in scores)), baseline, candidate)
    tables = [{row.dataset: row for row in scores if row.system == system} for system in (first, second)]
    shared = [dataset for dataset in tables[0] if dataset in tables[1]]
    if not shared:
        raise AssayError(f"no dataset has scores of both '{first}' and '{second}'", place=name)
    factor = POINTS if all(0 <= row.score <= 1 for row in scores) else 1.0
    pairs = [tuple(_fill_error(table[dataset], factor, name) for table in tables) for dataset in shared]
    differences = [factor * (b.score - a.score) for a, b in pairs]
    error = factor * math.sqrt(sum(a.error**2 + b.error**2 for a, b in pairs)) / len(pairs)
    value = sum(differences) / len(pairs)
    metric = shared[0] if len(shared) == 1 else f"mean of {len(shared)} datasets"
    lower = len(shared) == 1 and bool(is_lower_better(shared[0]))
    value = -value if lower else value
    n_all = sum(a.n + b.n for a, b in pairs)
    half = _find_quantile(1 - settings.alpha, n_all - 2 * len(pairs)) * error
    interval = Interval(value, value - half, value + half, 1 - settings.alpha, "unpaired, from standard errors")
    n = sum(min(a.n, b.n) for a, b in pairs)
    n_items = int(n) if math.isfinite(n) else None
    verdict = choose_verdict(interval, settings.margin).value
    means = [factor * sum(pair[place].score for pair in pairs) / len(pairs) for place in (0, 1)]
    needed = None
    if n_items:
        components = Components(error * math.sqrt(n_items), math.nan)
        needed = count_items(components, find_effect(value, settings.margin), 1, Design(settings.alpha), POINTS)
    left = len(set(tables[0]) ^ set(tables[1]))
    notes = [
        "The scores are of whole test sets, so the comparison is unpaired and its interval is wide. "
        "Answers item by item would settle smaller differences."
    ]
    notes += [f"{count_noun(left, 'dataset')} with a score of only one of the two systems left out."] if left else []
    return Decision(
        verdict=verdict,
        difference=interval,
        baseline=first,
        candidate=second,
        metric=metric,
        baseline_score=means[0] / factor,
        candidate_score=means[1] / factor,
        margin=settings.margin,
        alpha=settings.alpha,
        unit="points",
        n_items=n_items,
        n_repeats=1,
        items_needed=needed if verdict == "undecided" or needed is None or n_items is None else min(needed, n_items),
        repeats_needed=None,
        wins=None,
        losses=None,
        ties=None,
        is_paired=False,
        lower_is_better=lower,
        metrics=(DecidedMetric(metric, verdict, interval, means[0] / factor, means[1] / factor, "points", lower),),
        notes=tuple(notes),
    )


def _find_quantile(confidence: float, freedom: float) -> float:
    """Return the quantile of t, or of the normal distribution if it is unknown how many items there are."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, tails(confidence)[1])) if freedom >= 1 else normal_quantile(confidence)


def read_test_scores(frame: pl.DataFrame, name: str) -> list[TestScore]:
    """Read scores with standard errors: columns such as stderr or n_items, X and X_stderr, or cells such as 70.1 ± 0.5."""
    columns = {column.lower().replace(" ", "_"): column for column in frame.columns}
    system = find_system_column(frame.columns)
    if system is None:
        raise AssayError("no column names the systems", place=name, hint="Call it system or model.")
    score = next((columns[key] for key in SCORE_NAMES if key in columns), None)
    rows = frame.to_dicts()
    if score is not None:
        dataset = find_dataset_column(frame.columns)
        error = next((columns[key] for key in ERROR_NAMES if key in columns), None)
        size = next((columns[key] for key in SIZE_NAMES if key in columns), None)
        return [
            _read_score(
                row[system],
                score if dataset is None else str(row[dataset]),
                row[score],
                row.get(error or ""),
                row.get(size or ""),
            )
            for row in rows
            if _parse(row[score]) is not None
        ]
    wide = [
        column
        for column in frame.columns
        if column != system and is_score_column(column, frame[column]) and not _is_error_name(column)
    ]
    found = []
    for column in wide:
        error = next((other for other in frame.columns if _is_error_name(other) and other.startswith(column)), None)
        found += [
            _read_score(row[system], column, row[column], row.get(error or ""), None)
            for row in rows
            if _parse(row[column]) is not None
        ]
    if not found:
        raise AssayError("no column holds scores", place=name, hint=f"Its columns: {join_names(frame.columns, 12)}.")
    return found


def _is_error_name(column: str) -> bool:
    return any(column.lower().replace(" ", "_").endswith(f"_{name}") or column.lower() == name for name in ERROR_NAMES)


def _read_score(system: object, dataset: str, score: object, error: object, size: object) -> TestScore:
    inside = _AFTER_SCORE.search(str(score))
    known = _parse(error) if error not in (None, "") else float(inside["error"]) if inside else None
    n = _parse(size) if size not in (None, "") else None
    value = _parse(score)
    assert value is not None
    return TestScore(str(system), dataset, value, math.nan if known is None else known, math.nan if n is None else n)


def _parse(cell: object) -> float | None:
    return None if cell is None else parse_cell(str(cell))


def _fill_error(row: TestScore, factor: float, name: str) -> TestScore:
    """Return the score with its standard error, of a share if only the number of items is known."""
    if math.isfinite(row.error):
        return row
    share = row.score if factor == POINTS else row.score / POINTS
    if not math.isfinite(row.n) or not 0 <= share <= 1:
        fact = f"the score of '{row.system}' has no standard error"
        hint = "Add a column stderr or n_items, or give the answers item by item with {predictions}."
        raise AssayError(fact, place=name, hint=hint)
    size = row.n + 4  # two successes and two failures more, so that 0 and 1 are not certain (Agresti and Coull 1998)
    share = (share * row.n + 2) / size
    error = math.sqrt(share * (1 - share) / max(row.n - 1, 1)) * (1 if factor == POINTS else POINTS)
    return TestScore(row.system, row.dataset, row.score, error, row.n)

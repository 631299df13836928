"""Many runs over time: which of them changed the score beyond noise, and which items are flaky."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Unpack

import numpy as np

from assay.base.arrays import Array
from assay.base.entry_points import entry_point, list_strings, replace_settings
from assay.base.errors import AssayError, unknown_name
from assay.base.marks import NAME, OWN, TEXT
from assay.data.row_order import sort_ids
from assay.decisions.estimation import estimate_difference, scale_interval
from assay.decisions.log_runs import find_folder, list_runs, read_runs
from assay.decisions.pairs import find_factor, find_span, score_rows
from assay.decisions.settings import DecisionArguments, DecisionSettings
from assay.decisions.verdicts import check_settings
from assay.evaluation import Predictions, PreparedPredictions, ScoringSettings, prepare_predictions, read_predictions
from assay.evaluation.repeats.stacking import average_known, collect_repeats
from assay.evaluation.scoring.selection import choose_metrics, choose_primary_metric
from assay.inputs import InputKind, find_data, recognize
from assay.kinds.arguments import DataSource, select_reading
from assay.statistics import Interval
from assay.views.blocks import Block, Column, Sentence, Table, make_table
from assay.views.results import Result
from assay.wording.sentences import count_noun, quote, set_minus_signs

if TYPE_CHECKING:
    from assay.evaluation.predictions.sources import PredictionSource

N_PERMUTATIONS = 999
MAX_CELLS = 40_000_000  # of all permutations together; with more there are fewer permutations
MIN_PERMUTATIONS = 199
MAX_FLAKY = 100


@dataclass(frozen=True)
class RunScore(Result):
    """The score of a run on the items of all runs."""

    run: str = field(metadata=NAME)
    score: float


@dataclass(frozen=True)
class ScoreChange(Result):
    """A run with which the score changed: the runs since then compared with those before, and the p-value."""

    run: str = field(metadata=NAME)
    place: int
    difference: Interval
    p: float


@dataclass(frozen=True)
class FlakyItem(Result):
    """An item whose score differs between repeats or runs without a change: its mean score and how often it flipped."""

    id: str = field(metadata=NAME)
    mean: float
    flips: int
    text: str | None = field(default=None, metadata=TEXT)


@dataclass(frozen=True)
class History(Result):
    """The scores of runs in order, the runs that changed the score, and the flaky items.

    If nothing changed, a change is reported with a probability of at most alpha.
    """

    metric: str = field(metadata=OWN)
    unit: str = field(metadata=OWN)
    alpha: float
    n_items: int
    runs: tuple[RunScore, ...]
    changes: tuple[ScoreChange, ...]
    flaky: tuple[FlakyItem, ...]
    n_flaky: int
    notes: tuple[str, ...] = field(default=(), metadata=NAME)

    def blocks(self) -> Iterator[Block]:
        """Yield the runs, the changes, the flaky items, and the verdict."""
        places = {change.place: change for change in self.changes}
        rows = [
            [run.run, run.score, places[number].difference if number in places else None]
            for number, run in enumerate(self.runs)
        ]
        form = "rounded:1" if self.unit == "points" else "number"
        headings: list[Column | str] = ["run", self.metric, Column(f"change ({self.unit})", form)]
        yield Table(f"Runs ({count_noun(self.n_items, 'item')})", headings, rows, is_main=True)
        yield from make_table(
            "Flaky items",
            self.flaky,
            {
                "id": lambda item: item.id,
                "mean score": lambda item: item.mean,
                "flips": lambda item: item.flips,
                "text": lambda item: item.text,
            },
            "Items whose score differs between repeats, or between runs of a stretch without a change.",
            shows_words=True,
            max_rows=20,
        )
        if self.n_flaky:
            yield Sentence(f"{count_noun(self.n_flaky, 'item')} of {self.n_items:,} are flaky.")
        yield Sentence(self._write_verdict(), is_verdict=True)

    def _write_verdict(self) -> str:
        runs = count_noun(len(self.runs), "run")
        if not self.changes:
            return f"No run of {runs} changed {self.metric} beyond noise."
        names = ", ".join(f"{quote(change.run)} by {change.difference.value:+.1f}" for change in self.changes)
        return set_minus_signs(f"{self.metric} changed with {names} {self.unit} ({runs}).")


@entry_point(DecisionArguments, metric="metrics")
def trace_history(
    data: DataSource | None = None,
    predictions: PredictionSource | None = None,
    *,
    system: str | None = None,
    settings: DecisionSettings = DecisionSettings(),
    **options: Unpack[DecisionArguments],
) -> History:
    """Find the runs that changed the score beyond noise, among runs in the order of time.

    The runs are the files in a folder of logs, in the order of time, with the repeats of each. In a table they are the
    repeats of `system`; without a name, the repeats of the only system, or else all systems in the order of the table.
    A change is tested by shuffling the runs within each item, which keeps how hard and how flaky each item is.

    >>> runs = {f"run {n}": [1, 0] * 20 + [int(n > 3)] * 12 for n in range(8)}
    >>> [(change.run, change.difference.value) for change in trace_history(predictions=runs).changes]
    [('run 4', 23.076923076923077)]
    """
    settings = replace_settings(settings, options)
    check_settings(settings.margin, settings.alpha)
    is_alone = data is not None and predictions is None and not select_reading(options)
    if is_alone and recognize(data) is InputKind.PREDICTIONS:
        data, predictions = None, data
    dataset = find_data(data, select_reading(options))
    folder = find_folder(data) if predictions is None else None
    if folder is not None:
        answers = read_predictions(read_runs(list_runs(folder), system), dataset).sort_rows()
        names = collect_repeats(answers)
    else:
        answers = read_predictions(predictions, dataset).sort_rows()
        names = _choose_runs(answers, system)
    scoring = ScoringSettings(settings.positive, settings.missing_predictions, tokenizer=settings.tokenizer)
    flat = [name for members in names.values() for name in members]
    prepared = prepare_predictions(answers.select(flat), scoring)
    return _trace(prepared, names, settings)


def _choose_runs(answers: Predictions, system: str | None) -> dict[str, list[str]]:
    """Return the columns of each run, in order: the repeats of a system, or all systems with their repeats."""
    columns = collect_repeats(answers)
    if system is not None and system not in columns:
        raise unknown_name("system", system, columns)
    if system is None and len(columns) == 1:
        system = next(iter(columns))
    if system is None:
        return columns
    repeats = columns[system]
    keys = [answers.find_run(name).repeat or name for name in repeats]
    return {keys[place]: [repeats[place]] for place in sort_ids(keys).tolist()}


def _trace(prepared: PreparedPredictions, names: dict[str, list[str]], settings: DecisionSettings) -> History:
    wanted = list_strings(settings.metrics)
    metric = choose_metrics(prepared, wanted)[0] if wanted else choose_primary_metric(prepared)
    if not metric.tests_means:
        from assay.decisions.run import find_outcome_metric

        metric = find_outcome_metric(prepared)
    tables = [np.stack([score_rows(prepared, metric, name) for name in members]) for members in names.values()]
    scores = np.stack([average_known(table) for table in tables])
    shared = np.isfinite(scores).all(axis=0)
    if len(scores) < 2 or not shared.any():
        fact = "One run has no history." if len(scores) < 2 else "No item is in all runs."
        raise AssayError(fact, hint="Give at least two runs on the same items.")
    sign = -1.0 if metric.lower_is_better else 1.0
    table, runs = scores[:, shared], list(names)
    ids = [str(key) for key in prepared.predictions.ids[shared].tolist()]
    generator = np.random.default_rng(settings.random_state)
    changes = sorted(find_changes(sign * table, settings.alpha, generator))
    span = find_span(metric, [table])
    factor = find_factor_of(metric.bounds_from_scores, span, find_factor(metric, None))
    edges = [0, *(place for place, _ in changes), len(runs)]
    rows = []
    for number, (place, p) in enumerate(changes):
        before, after = table[edges[number] : place], table[place : edges[number + 2]]
        difference = sign * (after.mean(axis=0) - before.mean(axis=0))
        interval = estimate_difference(difference, 1 - settings.alpha, span=span, seed=settings.random_state)
        rows.append(ScoreChange(runs[place], place, scale_interval(interval, factor), p))
    data = prepared.predictions.data
    texts = [None if data is None else data.texts[place] for place in np.flatnonzero(shared).tolist()]
    flaky = _list_flaky([rows[:, shared] for rows in tables], edges, ids, texts)
    n_left = int((~shared).sum())
    return History(
        metric=metric.name,
        unit="points" if factor != 1 else metric.name,
        alpha=settings.alpha,
        n_items=int(shared.sum()),
        runs=tuple(RunScore(name, float(row.mean())) for name, row in zip(runs, table, strict=True)),
        changes=tuple(rows),
        flaky=tuple(flaky[:MAX_FLAKY]),
        n_flaky=len(flaky),
        notes=(f"{count_noun(n_left, 'item')} that are not in all runs left out.",) if n_left else (),
    )


def find_factor_of(is_from_scores: bool, span: float, factor: float) -> float:
    """Return 100 if item scores lie between 0 and 1, or the factor of the metric."""
    return (100.0 if span == 1 else 1.0) if is_from_scores else factor


def find_changes(table: Array, alpha: float, generator: np.random.Generator, start: int = 0) -> list[tuple[int, float]]:
    """Return the places (runs × items) at which the mean changes, with p-values, by binary segmentation.

    The statistic is the largest cumulative sum of the scores, scaled by its standard deviation. Its distribution
    without a change comes from shuffling the runs of each item; a stretch is only cut if p is at most alpha.
    """
    n_runs, n_items = table.shape
    if n_runs < 2:
        return []
    observed, place = _scan(table.mean(axis=1))
    n = int(np.clip(MAX_CELLS // max(table.size, 1), MIN_PERMUTATIONS, N_PERMUTATIONS))
    varying = table[:, np.ptp(table, axis=0) > 0]
    means = table.mean(axis=1).mean()
    extreme = 0
    for _ in range(n):
        shuffled = generator.permuted(varying, axis=0).sum(axis=1)
        extreme += _scan((shuffled - shuffled.mean()) / n_items + means)[0] >= observed - 1e-12
    p = (1 + extreme) / (1 + n)
    if p > alpha or observed <= 0:
        return []
    left = find_changes(table[:place], alpha, generator, start)
    right = find_changes(table[place:], alpha, generator, start + place)
    return [*left, (start + place, p), *right]


def _scan(scores: Array) -> tuple[float, int]:
    """Return the largest scaled cumulative sum, and the first run after it."""
    n = len(scores)
    sums = np.cumsum(scores - scores.mean())[:-1]
    sizes = np.arange(1, n)
    values = np.abs(sums) / np.sqrt(sizes * (n - sizes) / n)
    place = int(values.argmax())
    return float(values[place]), place + 1


def _list_flaky(tables: list[Array], edges: list[int], ids: list[str], texts: list[str | None]) -> list[FlakyItem]:
    """Return the items that differ between the runs of a stretch without a change, or between the repeats of a run.

    Those that flip most often come first.
    """
    parts = [np.concatenate(tables[first:last]) for first, last in pairwise(edges)]
    flips = sum((np.abs(np.diff(part, axis=0)) > 0).sum(axis=0) for part in parts)  # nan, not run, is not a flip
    means = average_known(np.concatenate(tables))
    items = [
        FlakyItem(ids[place], float(means[place]), int(flips[place]), texts[place]) for place in np.flatnonzero(flips)
    ]
    return sorted(items, key=lambda item: -item.flips)

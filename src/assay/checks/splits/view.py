"""How the page shows the splits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from assay.base.numbers import format_interval, format_number, write_rounded
from assay.base.wording import format_p_value
from assay.checks.base import CHECKS
from assay.checks.splits.results import Divergence, SplitsEvidence, name_split
from assay.models.stress import SplitStress
from assay.statistics import wilson
from assay.views.blocks import Block, Fact, Table, format_value, make_fact

DRIFT = {"jsd": "words (JSD)", "wasserstein": "vectors (Wasserstein)", "a_distance": "classifier (A-distance)"}


def splits_facts(splits: SplitsEvidence) -> Iterator[Fact]:
    """Yield how the given split compares with a random one."""
    method = "Cohen's kappa between a quick linear model and the gold labels: 0 is chance, 1 is perfect. 95% interval."
    if splits.given is not None:
        yield from make_fact("Agreement beyond chance on the given test part", splits.given.test, method)
        within = f"{method} Cross-validated at random on train."
        yield from make_fact("Agreement beyond chance within train", splits.given.within_train, within)
    if splits.length_drift is not None:
        text = "P(a test text is longer than a training text), Hanley and McNeil's interval; 0.5 means no difference."
        yield from make_fact("Test texts are longer", splits.length_drift.longer, text, "percent")
    if splits.label_drift is not None:
        test = f"{format_p_value(splits.label_drift.p)} by the chi-square test, which replaces an interval."
        number = f"{100 * splits.label_drift.distance:.1f}%"
        yield Fact("Label shares differ by", number, f"Total variation distance; {test}")
    if splits.grade_drift is not None:
        test = f"{format_p_value(splits.grade_drift.p)} by the Kolmogorov–Smirnov test, which replaces an interval."
        number = format_number(splits.grade_drift.shift)
        yield Fact("Grades differ by", number, f"Wasserstein distance, in units of the grades; {test}")


def splits_tables(splits: SplitsEvidence) -> Iterator[Table]:
    """Yield accuracy by split, and what the parts are like."""
    rows = list_methods(splits)
    if rows:
        columns = ["split", *DRIFT.values(), "model", "accuracy", "items"]
        method = (
            "How the held-out side differs from the training side (a star: more than random splits of the same sizes "
            "allow, 95%), and what models score that were trained on the training side, with Wilson intervals (95%) "
            "over held-out items. “given” are the parts of the data itself. `assay split` writes the folds "
            "of each method, `assay audit --folds-out` the recommended ones."
        )
        yield Table("Methods: drift and scores", columns, rows, method)
    rows = [list_stress(row) for row in splits.stress]
    if rows:
        columns = ["split", "draws", "items", "random folds", "this split", "drop, points", "kappa", "error reduction"]
        method = (
            "The quick model on the same items under random folds and under the split. The interval of the drop (95%) is "
            "over draws and items. Error reduction is over the most frequent label of training."
        )
        yield Table("What harder splits cost", columns, rows, method)
    if splits.parts:
        sizes = [[part.part, format_number(part.n), format_number(part.mean_length)] for part in splits.parts]
        yield Table("Parts", ["part", "items", "mean words"], sizes, "Counted, so exact.")
        words = [[part.part, ", ".join(part.typical_words) or "n/a"] for part in splits.parts]
        method = "The words most typical of a part compared with the others. Not a number, so no interval."
        yield Table("Words of each part", ["part", "words"], words, method, shows_words=True)


def list_methods(splits: SplitsEvidence) -> list[list[str]]:
    """Return one row per split and model: drift between its sides, and the score."""
    drift = {(row.split, row.measure): row for row in splits.divergence}
    scored = [replace(row, split=name_split(row.split)) for row in splits.scores]
    names = dict.fromkeys([*(row.split for row in scored), *(row.split for row in splits.divergence)])
    rows = []
    for name in names:
        cells = [write_drift(drift.get((name, measure))) for measure in DRIFT]
        scores = [
            [row.model, format_value(wilson(row.accuracy * row.n, row.n)), format_number(row.n)]
            for row in scored
            if row.split == name
        ]
        rows += [[name, *cells, *score] for score in scores or [["", "", ""]]]
    return rows


def write_drift(row: Divergence | None) -> str:
    """Write a measure of drift, with a star if it is beyond random splits."""
    if row is None or not math.isfinite(row.value):
        return ""
    is_beyond = not row.null_low <= row.value <= row.null_high
    return f"{row.value:.2f}{' *' if is_beyond and math.isfinite(row.null_low) else ''}".replace("-", "−")


def list_stress(row: SplitStress) -> list[str]:
    """Return the cells of one split."""
    drop = row.bound_drop()
    points = format_interval(100 * drop.value, 100 * drop.low, 100 * drop.high)
    accuracies = [f"{100 * value:.1f}%" for value in (row.random_accuracy, row.accuracy)]
    kappas = f"{write_rounded(row.random_kappa, 2)} → {write_rounded(row.kappa, 2)}"
    ends = (row.random_error_reduction, row.error_reduction)
    reductions = f"{' → '.join(write_rounded(100 * end) for end in ends)}%"
    counts = [format_number(row.n_draws), format_number(row.n_items)]
    return [row.split, *counts, *accuracies, points, kappas, reductions]


@CHECKS["splits"].view
def show_splits(splits: SplitsEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from splits_facts(splits)
    yield from splits_tables(splits)

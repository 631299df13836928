"""How the page shows the splits."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.checks.splits.results import GIVEN, SplitsEvidence, name_split
from assay.features.drift import FISHER
from assay.models.view import show_stress
from assay.splits.comparison.measuring import MEASURES
from assay.splits.view import mark_divergence, show_parts
from assay.views.blocks import Block, Fact, Table, Value, make_fact
from assay.wording.numbers import format_p_value

DRIFT = ("jsd", "wasserstein", "a_distance")


@CHECKS["splits"].view
def show_splits(splits: SplitsEvidence) -> Iterator[Block]:
    """Yield how the given split compares with a random one, scores by split, and what the parts are like."""
    yield from show_drift(splits)
    yield from show_methods(splits)
    yield from show_stress(splits.stress)
    if GIVEN in splits.comparisons:
        yield from show_parts(splits.comparisons[GIVEN], "Parts")


def show_drift(splits: SplitsEvidence) -> Iterator[Fact]:
    """Yield the scores on the given parts, and how lengths and labels differ between them."""
    method = "Cohen's kappa between a quick linear model and the gold labels: 0 is chance, 1 is perfect. 95% interval."
    if splits.given is not None:
        yield from make_fact("Agreement beyond chance on the given test part", splits.given.test, method)
        within = f"{method} Cross-validated at random on train."
        yield from make_fact("Agreement beyond chance within train", splits.given.within_train, within)
    if splits.length_drift is not None:
        text = "P(a test text is longer than a training text), Hanley and McNeil's interval; 0.5 means no difference."
        yield from make_fact("Test texts are longer", splits.length_drift.longer, text, "percent")
    if splits.label_drift is not None:
        name = "Fisher's exact test" if splits.label_drift.test == FISHER else "the chi-square test"
        test = (
            f"Total variation distance; {format_p_value(splits.label_drift.p)} by {name}, which replaces an interval."
        )
        yield from make_fact("Label shares differ by", splits.label_drift.distance, test, "percent")
    if splits.grade_drift is not None:
        test = f"{format_p_value(splits.grade_drift.p)} by the Kolmogorov–Smirnov test, which replaces an interval."
        method = f"Wasserstein distance, in units of the grades; {test}"
        yield from make_fact("Grades differ by", splits.grade_drift.shift, method)


def show_methods(splits: SplitsEvidence) -> Iterator[Table]:
    """Yield one row per split and model: the drift between its sides, and the score."""
    names = dict.fromkeys([*(name_split(row.split) for row in splits.scores), *splits.comparisons])
    rows: list[list[Value]] = []
    for name in names:
        divergence = splits.comparisons[name].divergence if name in splits.comparisons else {}
        cells = [mark_divergence(divergence.get(measure)) for measure in DRIFT]
        scores = [row for row in splits.scores if name_split(row.split) == name]
        rows += [[name, *cells, row.model, row.accuracy, row.n] for row in scores] or [[name, *cells, "", "", ""]]
    method = (
        "How the held-out side differs from the training side (a star: more than random splits of the same sizes "
        "allow, 95%), and what models score that were trained on the training side, with Wilson intervals (95%) "
        "over held-out items. “given” are the parts of the data itself. `assay split` writes the folds "
        "of each method, `assay audit --folds-out` the recommended ones."
    )
    columns = ["split", *(MEASURES[measure] for measure in DRIFT), "model", "accuracy", "items"]
    if rows:
        yield Table("Methods: drift and scores", columns, rows, method)

"""The labels of a task: their order, the positive one, and whether they are classes or grades."""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.errors import AssayError, join_names
from assay.data.columns.spellings import adopt_spellings
from assay.difficulty import usual_positive
from assay.evaluation.predictions.types import EMPTY, Predictions
from assay.kinds import has_grades, kind_of


@dataclass(frozen=True)
class LabelScheme:
    """The labels of gold, then those that are only predicted; the positive one; classes or grades."""

    labels: tuple[str, ...] = ()
    n_gold: int = 0
    positive: str | None = None
    graded: bool = False
    notes: tuple[str, ...] = ()

    @property
    def gold_labels(self) -> tuple[str, ...]:
        """The labels that occur in gold."""
        return self.labels[: self.n_gold]


def find_label_scheme(predictions: Predictions, positive: str | None = None) -> LabelScheme:
    """Find the labels; of two, the positive one is the one with a usual name of the positive class, else the last."""
    if predictions.gold is None:
        return LabelScheme()
    kind = None if predictions.whole is None else kind_of(predictions.whole)
    if kind is not None and not kind.gold.has_labels:
        return LabelScheme()
    gold = sorted(set(predictions.gold.tolist()))
    graded = has_grades(gold, predictions.whole) and positive is None
    positive = None if positive is None else adopt_spellings([positive], gold).get(positive, positive)
    others = [] if graded else sorted(_find_predicted_labels(predictions) - set(gold))
    if positive is not None and positive not in {*gold, *others}:
        raise AssayError(f"No item has the label '{positive}'. Labels: {join_names(gold)}.")
    if positive is not None or len(gold) != 2 or graded or (kind is not None and not kind.gold.has_positive):
        return LabelScheme((*gold, *others), len(gold), positive, graded)
    usual = usual_positive(gold)
    reason = "by its name" if usual else "the last of two"
    note = f"Positive label: '{usual or gold[1]}' ({reason})."
    return LabelScheme((*gold, *others), 2, usual or gold[1], graded, (note,))


def _find_predicted_labels(predictions: Predictions) -> set[str]:
    answers = [answers.predicted for answers in predictions.systems.values() if answers.predicted is not None]
    return {label for labels in answers for label in labels.tolist() if label not in (None, EMPTY)}

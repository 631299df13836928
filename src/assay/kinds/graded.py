"""Texts, or pairs of texts, with a number on a scale each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from assay.base.errors import AssayError, join_names
from assay.data.columns.grades import is_number
from assay.kinds.facts import BaselineAnswers, Figure, KindProfile
from assay.kinds.kind import Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import Gold, Learning, Scoring, TaskTexts
from assay.kinds.tools.labelled_texts import LabelledTextLayout
from assay.metrics.metric import Metric, register_metric

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.kinds.quick_models import QuickModel
    from assay.metrics import AnsweredItems


def _compute_r2(sums: Array) -> Array:
    from assay.kinds.tools.grades import compute_r2

    return compute_r2(sums)


@register_metric(
    "r2", kinds=("graded",), combine=_compute_r2, bounds=(-math.inf, 1.0), undefined="all grades are equal"
)
def collect_grade_errors(items: AnsweredItems) -> Array:
    """The share of the squared error of the mean grade of training that is avoided."""
    from assay.kinds.tools.grades import collect_squares

    return collect_squares(*items.written)


class GradedLayout(LabelledTextLayout):
    """Where the columns are."""

    needs = "one or two text columns and a label column of numbers"
    text_counts: ClassVar = (1, 2)
    example: ClassVar = {
        "sentence1": [f"a text of {number} words" for number in range(12)],
        "sentence2": ["a text of six words"] * 12,
        "score": [str(number / 4) for number in range(12)],
    }

    def fits_labels(self, columns: Columns, label: str | None) -> bool:
        """Return whether there are labels and they are grades."""
        return label is not None and columns.clean_labels(label).are_grades

    def read_labels(
        self, columns: Columns, match: Match, shared: SharedValues
    ) -> tuple[pl.Series | None, tuple[str, ...]]:
        """Return the grade of every item; raise for a label that is not a number."""
        if match.label is not None:
            words = [name for name in columns.clean_labels(match.label).names if not is_number(name)]
            if words:
                fact = f"column '{match.label}' holds labels that are not numbers ({join_names(words)})"
                raise AssayError(fact, place=shared.place, hint="Grades are numbers. Choose another {task} or {label}.")
        return super().read_labels(columns, match, shared)


class GradedTexts(TaskTexts):
    """The texts of an item, and figures."""

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return the spread of the grades."""
        import polars as pl

        if data.labels is None:
            return KindProfile()
        grades = data.labels.cast(pl.Float64, strict=False).drop_nulls().to_numpy()
        if not len(grades):
            return KindProfile()
        spread = float(grades.std(ddof=1)) if len(grades) > 1 else float("nan")
        names = {"mean grade": grades.mean(), "standard deviation of grades": spread}
        names |= {"lowest grade": grades.min(), "highest grade": grades.max()}
        return KindProfile(tuple(Figure(name, float(value)) for name, value in names.items()))


class GradedLearning(Learning):
    """Baselines and models."""

    def get_strata(self, data: Dataset) -> pl.Series | None:
        """Return tenths of the grades, named by their ends."""
        from assay.kinds.tools.grades import name_quantiles

        return None if data.labels is None else name_quantiles(data.labels)

    def build_models(self, data: Dataset) -> Sequence[QuickModel]:
        """Return a ridge regression on words, and regressions on length, shared words and frequent words alone."""
        from assay.kinds.tools.grades import build_models

        return build_models(data)

    def attach_training(self, data: Dataset, train: Dataset) -> Dataset:
        """Return the data with the mean grade of the rows that were learned from."""
        from assay.kinds.tools.grades import attach_mean

        return attach_mean(data, train)

    def get_model_metric(self, data: Dataset) -> Metric:  # noqa: ARG002
        """Return the explained variance."""
        return self.kind.scoring.find_metric("r2")

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return grades from length, shared words of a pair, frequent words, and a ridge regression on all words."""
        from assay.kinds.tools.grades import answer_baselines

        return answer_baselines(data, rows, random_state)


register_kind(
    TaskKind(
        name="graded",
        title="graded",
        description="One text or two, and a grade: similarity, quality, readability.",
        layout=GradedLayout(),
        gold=Gold(label_form="grade"),
        scoring=Scoring(metrics=("spearman", "pearson", "rmse"), headline="spearman"),
        texts=GradedTexts(),
        learning=GradedLearning(),
    )
)

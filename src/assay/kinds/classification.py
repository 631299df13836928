"""Single texts with one class each."""

from __future__ import annotations

from typing import ClassVar

from assay.kinds.kind import TaskKind, register_kind
from assay.kinds.labelled_texts import LabelledTextLayout
from assay.kinds.parts import Scoring


class ClassificationLayout(LabelledTextLayout):
    """Where the columns are."""

    needs = "one text column"
    text_counts: ClassVar = (1,)
    example: ClassVar = {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}


register_kind(
    TaskKind(
        name="classification",
        title="classification",
        description="One text, one of several classes: sentiment, topic, intent. Data without labels is read as this, too.",
        layout=ClassificationLayout(),
        scoring=Scoring(metrics=("accuracy", "precision", "recall", "f1", "macro-f1", "mcc"), headline="accuracy"),
    )
)

"""Single texts with one class each."""

from __future__ import annotations

from typing import ClassVar

from assay.kinds.kind import register_kind
from assay.kinds.labelled_texts import LabelledTextKind


@register_kind
class Classification(LabelledTextKind):
    """One text, one of several classes: sentiment, topic, intent. Data without labels is read as this, too."""

    name = "classification"
    title = "classification"
    needs = "one text column"
    text_counts: ClassVar = (1,)
    metrics: ClassVar = ("accuracy", "precision", "recall", "f1", "macro-f1", "mcc")
    headline = "accuracy"
    example: ClassVar = {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}

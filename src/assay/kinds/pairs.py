"""Pairs of texts with one class each."""

from __future__ import annotations

from typing import ClassVar

from assay.kinds.kind import TaskKind, register_kind
from assay.kinds.parts import Scoring
from assay.kinds.tools.labelled_texts import LabelledTextLayout


class PairsLayout(LabelledTextLayout):
    """Where the columns are."""

    needs = "two text columns"
    text_counts: ClassVar = (2,)
    example: ClassVar = {
        "text_a": ["a cat sleeps", "a dog barks"],
        "text_b": ["an animal sleeps", "a cat sleeps"],
        "label": ["entailment", "contradiction"],
    }


register_kind(
    TaskKind(
        name="pairs",
        title="pairs",
        description="Two texts, one of several classes: paraphrase, entailment, relevance.",
        item_noun="pair",
        layout=PairsLayout(),
        scoring=Scoring(
            metrics=("accuracy", "precision", "recall", "f1", "macro-f1", "mcc", "map", "mrr", "ndcg"), headline="f1"
        ),
    )
)

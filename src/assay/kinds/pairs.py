"""Pairs of texts with one class each."""

from __future__ import annotations

from typing import ClassVar

from assay.kinds.kind import register_kind
from assay.kinds.labelled_texts import LabelledTextKind


@register_kind
class Pairs(LabelledTextKind):
    """Two texts, one of several classes: paraphrase, entailment, relevance."""

    name = "pairs"
    title = "pairs"
    item_noun = "pair"
    needs = "two text columns"
    text_counts: ClassVar = (2,)
    metrics: ClassVar = ("accuracy", "precision", "recall", "f1", "macro-f1", "mcc", "map", "mrr", "ndcg")
    headline = "f1"
    example: ClassVar = {
        "text_a": ["a cat sleeps", "a dog barks"],
        "text_b": ["an animal sleeps", "a cat sleeps"],
        "label": ["entailment", "contradiction"],
    }

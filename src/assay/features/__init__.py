"""What is in the data: the features of paper 000, one file each, and the profile of a dataset."""

from collections.abc import Callable

from assay.base.registry import Registry
from assay.features.average_length import average_length
from assay.features.basic_words import basic_words
from assay.features.estimate import Estimate
from assay.features.flesch import flesch
from assay.features.flesch_hard import flesch_hard
from assay.features.grammar_errors import grammar_errors
from assay.features.label_balance import label_balance
from assay.features.language_mix import language_mix
from assay.features.n_labels import n_labels
from assay.features.part import Part
from assay.features.perplexity import perplexity
from assay.features.pmi import pmi
from assay.features.pmi_top_words import pmi_top_words
from assay.features.type_token_ratio import type_token_ratio

FEATURES: Registry[Callable[[Part], Estimate]] = Registry(
    "feature",
    {
        feature.__name__: feature
        for feature in (
            average_length,
            n_labels,
            label_balance,
            basic_words,
            type_token_ratio,
            language_mix,
            pmi,
            pmi_top_words,
            perplexity,
            grammar_errors,
            flesch,
            flesch_hard,
        )
    },
)

__all__ = ["FEATURES", "Estimate", "Part"]

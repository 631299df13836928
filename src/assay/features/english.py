"""Features that are defined for English only."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FeatureValue, undefined_value

# Frequent in English, rare in other languages written in Latin letters.
_FUNCTION_WORDS = frozenset(
    "the and of that with this have from what which are were has had been will would they their there you your his "
    "her she it how who not but by an be its than we for at is was to i my".split()
)
_MIN_FUNCTION_WORD_SHARE = 0.10


def is_english(data: LabelledTexts) -> bool:
    """Tell whether the texts read as English: enough of their words are English function words.

    >>> is_english(LabelledTexts.from_texts(["what is the name of the king", "the film was not good but it is long"]))
    True
    >>> is_english(LabelledTexts.from_texts(["wie heißt der König", "der Film war nicht gut, aber lang"]))
    False
    """
    n_tokens = len(data.corpus.ids)
    n_function_words = int(data.corpus.frequencies() @ data.flag_words(_FUNCTION_WORDS))
    return not n_tokens or n_function_words / n_tokens >= _MIN_FUNCTION_WORD_SHARE


def english_only(feature: Callable[[LabelledTexts], FeatureValue]) -> Callable[[LabelledTexts], FeatureValue]:
    """Make a feature undefined, with the reason, where the data is in another language."""

    @wraps(feature)
    def measure_english(data: LabelledTexts) -> FeatureValue:
        return feature(data) if data.is_english else undefined_value("the texts do not read as English")

    return measure_english

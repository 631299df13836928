"""Features that are defined for English only."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FeatureValue, undefined_value
from assay.text.languages import UNKNOWN, LanguageGuess


def english_only(feature: Callable[[LabelledTexts], FeatureValue]) -> Callable[[LabelledTexts], FeatureValue]:
    """Make a feature undefined, with the reason, if the data is in another language or mixes languages."""

    @wraps(feature)
    def measure_english(data: LabelledTexts) -> FeatureValue:
        language = data.language
        if language.is_english or not language.n_words:
            return feature(data)
        return undefined_value(explain_language(language))

    return measure_english


def explain_language(language: LanguageGuess) -> str:
    """Say why an English feature is not measured.

    >>> explain_language(LanguageGuess("de", 0.4)), explain_language(LanguageGuess("und"))
    ('defined for English only; the texts are in German', 'defined for English only; the texts do not read as English')
    """
    texts = "do not read as English" if language.code == UNKNOWN else f"are in {language.name}"
    return f"defined for English only; the texts {texts}"

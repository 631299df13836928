"""Which language texts are in, and its function words."""

from assay.text.languages.function_words import NAMES, UNKNOWN, load_english_stop_words, load_function_words
from assay.text.languages.identification import ENGLISH, LanguageGuess, identify_language

__all__ = [
    "ENGLISH",
    "NAMES",
    "UNKNOWN",
    "LanguageGuess",
    "identify_language",
    "load_english_stop_words",
    "load_function_words",
]

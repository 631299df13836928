"""Function words of each language that ships with a list."""

from __future__ import annotations

from functools import cache
from importlib import resources

UNKNOWN = "und"  # ISO 639-2 for a language that is not determined
NAMES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hi-Latn": "Hindi in Latin letters",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "ta": "Tamil",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
    UNKNOWN: "a language that was not identified",
}


@cache
def load_english_stop_words() -> frozenset[str]:
    """Return the English stop words, more than the words that identify English; negations are not among them."""
    return frozenset(_read("english_stop_words.txt").split())


@cache
def load_function_words() -> dict[str, frozenset[str]]:
    """Return the function words of every language that has a list, by its code."""
    words: dict[str, set[str]] = {}
    for line in _read("function_words.txt").splitlines():
        code, *rest = line.split()
        if code != "#":
            words.setdefault(code, set()).update(rest)
    return {code: frozenset(each) for code, each in words.items()}


def _read(name: str) -> str:
    return resources.files("assay.text.languages").joinpath(name).read_text(encoding="utf-8")

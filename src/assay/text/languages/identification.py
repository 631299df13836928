"""The language of a collection of texts, by the scripts of its words and by their function words.

It works on whole collections, offline, and says that it does not know if neither a script nor enough function words
tell. Two languages are mixed if both have function words that the other lacks.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from assay.base.marks import OWN
from assay.text.corpus import Corpus
from assay.text.languages.function_words import NAMES, UNKNOWN, load_english_stop_words, load_function_words
from assay.views.results import Result

MIN_WORDS = 1_000  # from which the language of texts without a known one is not English
MIN_SHARE = 0.10  # of the words that are function words of the language
MIN_NEAREST_SHARE = 0.01  # of them for an unknown language to have a nearest one
MIN_MIXED_SHARE = 0.06  # of the words that are function words of the second language and not of the first
MIN_MIXED_WORDS = 5  # different ones
MIN_SCRIPT_SHARE = 0.2  # of the words in a second script, for languages to be mixed
MIN_KANA_SHARE = 0.1  # of kana among Chinese characters and kana: Japanese
# Scripts that one language, or languages with lists, are written in.
LANGUAGES_OF_SCRIPTS = {
    "LATIN": tuple("en de fr es it pt nl sv da no pl cs ro tr fi hu id vi hi-Latn".split()),
    "CYRILLIC": ("ru", "uk", "bg"),
    "ARABIC": ("ar", "fa", "ur"),
    "DEVANAGARI": ("hi",),
    "GREEK": ("el",),
    "HEBREW": ("he",),
    "HAN": ("zh",),
    "KANA": ("ja",),
    "HANGUL": ("ko",),
    "THAI": ("th",),
    "BENGALI": ("bn",),
    "TAMIL": ("ta",),
}
_SCRIPT_NAMES = {"CJK": "HAN", "HIRAGANA": "KANA", "KATAKANA": "KANA", "KATAKANA-HIRAGANA": "KANA"}
_UNSPACED = {"zh", "ja", "th"}


@dataclass(frozen=True)
class LanguageGuess(Result):
    """The language of texts: its code, `und` if it is unknown, and a second language that is mixed in.

    `share` is the share of its function words among the words of its script, or of the script among all words if a
    script has one language only; `n_words` is the number of words in any script. An unknown language may have a
    `nearest` one, with some function words but not enough.
    """

    code: str = field(metadata=OWN)
    share: float = 0.0
    mixed_with: str | None = field(default=None, metadata=OWN)
    n_words: int = 0
    nearest: str | None = field(default=None, metadata=OWN)

    @property
    def codes(self) -> tuple[str, ...]:
        """The language, and the one that is mixed in."""
        return (self.code,) if self.mixed_with is None else (self.code, self.mixed_with)

    @property
    def name(self) -> str:
        """The language in words.

        >>> LanguageGuess("hi-Latn", 0.2, "en").name
        'Hindi in Latin letters mixed with English'
        """
        return " mixed with ".join(NAMES[code] for code in self.codes)

    @property
    def is_english(self) -> bool:
        """Return whether the texts are English and nothing else."""
        return self.codes == ("en",)

    @property
    def has_spaces(self) -> bool:
        """Return whether words are written with spaces between them; if not, characters count as words."""
        return self.code not in _UNSPACED

    @property
    def may_be_english(self) -> bool:
        """Return whether English is among the languages, or the nearest, or too few words leave the language open."""
        is_open = self.code == UNKNOWN and (self.n_words < MIN_WORDS or self.nearest == "en")
        return "en" in self.codes or is_open

    @property
    def has_function_words(self) -> bool:
        """Return whether there is a list of function words for every language of the texts."""
        return self.may_be_english or set(self.codes) <= set(load_function_words())

    @property
    def function_words(self) -> frozenset[str]:
        """The function words of the languages of the texts; none if there is no list."""
        return _join_lists(self.codes, self.may_be_english)


@cache
def _join_lists(codes: tuple[str, ...], with_english: bool) -> frozenset[str]:
    known = load_function_words()
    lists = [known.get(code, frozenset()) for code in codes if code != "en"]
    return frozenset().union(*lists, load_english_stop_words() if with_english else ())


def identify_language(corpus: Corpus) -> LanguageGuess:
    """Return the language of the texts.

    >>> identify_language(Corpus.from_texts(["what is the name of the king", "the film was not good"])).code
    'en'
    >>> identify_language(Corpus.from_texts(["wie heißt der König", "der Film war nicht gut, aber lang"])).name
    'German'
    >>> mixed = ["yeh film bahut acchi hai yaar lekin mujhe nahi", "the end is good but who are they and what have you"]
    >>> identify_language(Corpus.from_texts(mixed)).codes
    ('en', 'hi-Latn')
    """
    counts = np.asarray(corpus.frequencies(), dtype=np.int64)
    words = list(corpus.vocabulary)
    sizes: dict[str, int] = {}
    scripts = [find_script(word) for word in words]
    for script, count in zip(scripts, counts.tolist(), strict=True):
        if script:
            sizes[script] = sizes.get(script, 0) + count
    sizes = _join_kana(sizes)
    total = sum(sizes.values())
    if not total:
        return LanguageGuess(UNKNOWN)
    main = max(sizes, key=lambda script: (sizes[script], script))
    by_script = {
        script: _identify_in_script(script, words, scripts, counts, sizes[script])
        for script in sizes
        if script == main or sizes[script] >= MIN_SCRIPT_SHARE * total
    }
    guess = by_script[main]
    share = sizes[main] / total if len(LANGUAGES_OF_SCRIPTS.get(main, ())) == 1 else guess.share
    others = [
        other for script, other in by_script.items() if script != main and other.code not in (UNKNOWN, guess.code)
    ]
    second = max(others, key=lambda other: other.share).code if others else None
    return LanguageGuess(guess.code, share, guess.mixed_with or second, total, guess.nearest)


@cache
def find_script(word: str) -> str | None:
    """Return the script of the first letter of a word, None if it has no letter.

    >>> [find_script(word) for word in ("king", "король", "東", "は", "2017")]
    ['LATIN', 'CYRILLIC', 'HAN', 'KANA', None]
    """
    letter = next((letter for letter in word if letter.isalpha()), None)
    if letter is None:
        return None
    if letter.isascii():
        return "LATIN"
    name = unicodedata.name(letter, "").partition(" ")[0]
    return _SCRIPT_NAMES.get(name, name)


def _join_kana(sizes: dict[str, int]) -> dict[str, int]:
    """Count Chinese characters as Japanese if there is kana among them."""
    han, kana = sizes.get("HAN", 0), sizes.get("KANA", 0)
    if not kana:
        return sizes
    others = {script: size for script, size in sizes.items() if script not in ("HAN", "KANA")}
    return others | {"KANA" if kana >= MIN_KANA_SHARE * (han + kana) else "HAN": han + kana}


def _identify_in_script(
    script: str, words: list[str], scripts: list[str | None], counts: np.ndarray, n_words: int
) -> LanguageGuess:
    codes = LANGUAGES_OF_SCRIPTS.get(script, ())
    if len(codes) == 1:
        return LanguageGuess(codes[0], 1.0)
    lists = load_function_words()
    numbers = {
        word: count for word, found, count in zip(words, scripts, counts.tolist(), strict=True) if found == script
    }
    shares = {code: sum(numbers.get(word, 0) for word in lists[code]) / max(n_words, 1) for code in codes}
    if not shares:
        return LanguageGuess(UNKNOWN)
    main = max(shares, key=lambda code: (shares[code], code == "en"))
    if shares[main] < MIN_SHARE:
        return LanguageGuess(UNKNOWN, shares[main], nearest=_find_nearest(shares, numbers, n_words))
    own = {code: _list_own_words(code, main, numbers) for code in codes if code != main}
    second = max(own, key=lambda code: sum(numbers[word] for word in own[code]))
    n_own = sum(numbers[word] for word in own[second])
    is_mixed = len(own[second]) >= MIN_MIXED_WORDS and n_own >= MIN_MIXED_SHARE * n_words
    return LanguageGuess(main, shares[main], second if is_mixed else None)


def _find_nearest(shares: dict[str, float], numbers: dict[str, int], n_words: int) -> str | None:
    """Return the language with most function words, of English all stop words; None if there are hardly any."""
    if "en" in shares:
        n_english = sum(numbers.get(word, 0) for word in load_english_stop_words() | load_function_words()["en"])
        shares = shares | {"en": n_english / n_words}
    nearest = max(shares, key=lambda code: (shares[code], code == "en"))
    return nearest if shares[nearest] >= MIN_NEAREST_SHARE else None


def _list_own_words(code: str, main: str, numbers: dict[str, int]) -> list[str]:
    """Return the function words of a language that the main language does not have; single letters tell nothing."""
    lists = load_function_words()
    known = lists[main] | load_english_stop_words() if main == "en" else lists[main]
    return [word for word in lists[code] - known if word in numbers and (len(word) > 1 or not word.isascii())]


ENGLISH = LanguageGuess("en", 1.0)

"""Ways to cut a text into words, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.base.registry import Registry
from assay.text.characters import word_pattern
from assay.text.tweets import tweet

Tokenizer = Callable[[str], Sequence[str]]


def words(text: str) -> list[str]:
    """Lower-cased Unicode words; scripts without spaces go character by character.

    >>> words("Don't panic: 東京!")
    ['don', 't', 'panic', '東', '京']
    """
    return word_pattern().findall(text.lower())


def cased_words(text: str) -> list[str]:
    """Unicode words as they are written; scripts without spaces go character by character.

    >>> cased_words("Don't Panic")
    ['Don', 't', 'Panic']
    """
    return word_pattern().findall(text)


def whitespace(text: str) -> list[str]:
    """Whatever stands between white space, as it is written.

    >>> whitespace("Don't Panic!")
    ["Don't", 'Panic!']
    """
    return text.split()


TOKENIZERS: Registry[Tokenizer] = Registry(
    "tokenizer", {"words": words, "cased-words": cased_words, "whitespace": whitespace, "tweet": tweet}
)


def tokenizer_named(tokenizer: str | Tokenizer) -> Tokenizer:
    """Return the tokeniser of that name; a function is its own."""
    return TOKENIZERS[tokenizer] if isinstance(tokenizer, str) else tokenizer

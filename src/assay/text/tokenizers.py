"""Ways to cut a text into words, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.base.registry import Registry
from assay.text.characters import word_pattern
from assay.text.tweets import tweet

Tokenizer = Callable[[str], Sequence[str]]
TOKENIZERS: Registry[Tokenizer] = Registry("tokenizer")


@TOKENIZERS.add("words")
def words(text: str) -> list[str]:
    """Lower-cased Unicode words; scripts without spaces are cut into characters.

    >>> words("Don't panic: 東京!")
    ['don', 't', 'panic', '東', '京']
    """
    return word_pattern().findall(text.lower())


@TOKENIZERS.add("cased-words")
def cased_words(text: str) -> list[str]:
    """Unicode words as written; scripts without spaces are cut into characters.

    >>> cased_words("Don't Panic")
    ['Don', 't', 'Panic']
    """
    return word_pattern().findall(text)


@TOKENIZERS.add("whitespace")
def whitespace(text: str) -> list[str]:
    """Runs of characters between white space, as written.

    >>> whitespace("Don't Panic!")
    ["Don't", 'Panic!']
    """
    return text.split()


TOKENIZERS.put("tweet", tweet)


def find_tokenizer(tokenizer: str | Tokenizer) -> Tokenizer:
    """Return the tokenizer of that name; a function is returned as it is."""
    return TOKENIZERS[tokenizer] if isinstance(tokenizer, str) else tokenizer

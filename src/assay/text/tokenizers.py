"""Ways to cut a text into words, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from assay.base.registry import Registry
from assay.text.characters import is_unspaced, word_pattern
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


@TOKENIZERS.add("character-pairs")
def character_pairs(text: str) -> list[str]:
    """Lower-cased Unicode words; in scripts without spaces each pair of neighbouring characters.

    >>> character_pairs("Tokyo is 東京都, 都!")
    ['tokyo', 'is', '東京', '京都', '都']
    """
    pieces: list[str] = []
    run: list[str] = []
    end = -1
    for match in word_pattern().finditer(text.lower()):
        word = match.group()
        if run and (match.start() != end or not is_unspaced(word[0])):
            pieces += _pair(run)
            run = []
        if is_unspaced(word[0]):
            run.append(word)
        else:
            pieces.append(word)
        end = match.end()
    return pieces + _pair(run)


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


def _pair(letters: list[str]) -> list[str]:
    return letters if len(letters) < 2 else [first + second for first, second in pairwise(letters)]

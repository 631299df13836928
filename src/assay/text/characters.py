"""What each Unicode character is to a tokenizer: part of a word, a word of its own, or neither."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Scripts written without spaces between words: each of their word characters is a word of its own.
UNSPACED = (
    ("Thai", 0x0E00, 0x0E7F),
    ("Lao", 0x0E80, 0x0EFF),
    ("Myanmar", 0x1000, 0x109F),
    ("Khmer", 0x1780, 0x17FF),
    ("Han marks", 0x3005, 0x3007),
    ("Han numerals", 0x3021, 0x303B),
    ("Hiragana and Katakana", 0x3040, 0x30FF),
    ("Katakana extensions", 0x31F0, 0x31FF),
    ("Han extension A", 0x3400, 0x4DBF),
    ("Han", 0x4E00, 0x9FFF),
    ("Myanmar extended B", 0xA9E0, 0xA9FF),
    ("Myanmar extended A", 0xAA60, 0xAA7F),
    ("Han compatibility", 0xF900, 0xFAFF),
    ("Katakana half width", 0xFF66, 0xFF9F),
    ("Kana supplements", 0x1AFF0, 0x1B16F),
    ("Han further planes", 0x20000, 0x3FFFF),
)
ALONE = 1 << 31  # flag of a table entry: this character is a word of its own
N_CODES = 1 << 21  # everything that four bytes of UTF-8 can spell, valid or not, so that no lookup needs a check
CONTEXTUAL = "\u0130\u03a3"  # their lower case depends on their neighbours or has two characters


@cache
def word_pattern() -> re.Pattern[str]:
    """Compile the regular expression of a word: one character of an unspaced script, or a run of other ones."""
    unspaced = "".join(f"{chr(first)}-{chr(last)}" for _, first, last in UNSPACED)
    return re.compile(rf"[^\W{unspaced}]+|(?=[{unspaced}])\w")


@cache
def word_letters(lower: bool) -> NDArray[np.uint32]:
    """Map each code point to its (lower-cased) word character, 0 where it is part of no word.

    Characters of unspaced scripts carry the flag ALONE.
    """
    import numpy as np

    letters = np.zeros(N_CODES, np.uint32)
    for run in re.finditer(r"\w+", _every_character()):
        letters[run.start() : run.end()] = _to_codes(run.group())
    if lower:
        lowered = _lower_codes()
        letters[: len(lowered)] = np.where(letters[lowered] > 0, lowered, 0)
    for _, first, last in UNSPACED:
        letters[first : last + 1] |= np.where(letters[first : last + 1] > 0, np.uint32(ALONE), np.uint32(0))
    return letters


@cache
def plain_word_letters() -> NDArray[np.uint32]:
    r"""Map each code point to its lower-cased word character as `\w+` reads it: no script is cut into characters."""
    import numpy as np

    return word_letters(lower=True) & np.uint32(ALONE - 1)


@cache
def visible_letters() -> NDArray[np.uint32]:
    """Map each code point to its lower case, 0 for white space and NUL."""
    import numpy as np

    letters = np.zeros(N_CODES, np.uint32)
    letters[:0x110000] = _lower_codes()
    for space in re.finditer(r"\s", _every_character()[:0x10000]):
        letters[space.start()] = 0
    return letters


@cache
def punctuation_marks() -> NDArray[np.bool_]:
    """Tell for each code point whether its Unicode category is a kind of punctuation."""
    from unicodedata import category

    import numpy as np

    marks = np.zeros(N_CODES, np.bool_)
    # Punctuation except the underscore is neither word character nor space: a tenth of the basic planes remains.
    for match in re.finditer(r"[^\w\s]|_", _every_character()[:0x20000]):
        marks[match.start()] = category(match.group())[0] == "P"
    return marks


@cache
def _every_character() -> str:
    import numpy as np

    return np.arange(0x110000, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _lower_codes() -> NDArray[np.uint32]:
    return _to_codes(_every_character().replace("\u0130", "i").lower())


def _to_codes(text: str) -> NDArray[np.uint32]:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")

"""What each Unicode character is to a tokeniser: part of a word, a word of its own, or neither."""

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
ALONE = 1 << 31  # flag on a table's entry: this character is a word of its own
N_CODES = 1 << 21  # all that four bytes of UTF-8 can spell, valid or not, so that no lookup needs a check
CONTEXTUAL = "\u0130\u03a3"  # their lower case depends on their neighbours or has two characters


@cache
def word_pattern() -> re.Pattern[str]:
    """Compile the words as a regular expression: a character of an unspaced script, or a run of other ones."""
    unspaced = "".join(f"{chr(first)}-{chr(last)}" for _, first, last in UNSPACED)
    return re.compile(rf"[^\W{unspaced}]+|(?=[{unspaced}])\w")


@cache
def word_table(lower: bool) -> NDArray[np.uint32]:
    """Map each code point to its (lower-cased) word character, 0 where it belongs to no word."""
    import numpy as np

    table = np.zeros(N_CODES, np.uint32)
    everything = _every_character()
    for run in re.finditer(r"\w+", everything):
        table[run.start() : run.end()] = _codes(run.group())
    if lower:
        lowered = _codes(everything.replace("\u0130", "i").lower())
        table[: len(lowered)] = np.where(table[lowered] > 0, lowered, 0)
    for _, first, last in UNSPACED:
        table[first : last + 1] |= np.where(table[first : last + 1] > 0, np.uint32(ALONE), np.uint32(0))
    return table


@cache
def punctuation_table() -> NDArray[np.bool_]:
    """Tell for each code point whether its Unicode category is a kind of punctuation."""
    from unicodedata import category

    import numpy as np

    table = np.zeros(N_CODES, np.bool_)
    # Punctuation but the underscore is neither word character nor space: what is left is a tenth of the basic planes.
    for match in re.finditer(r"[^\w\s]|_", _every_character()[:0x20000]):
        table[match.start()] = category(match.group())[0] == "P"
    return table


@cache
def _every_character() -> str:
    import numpy as np

    return np.arange(0x110000, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _codes(text: str) -> NDArray[np.uint32]:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")

"""What each Unicode character is to a tokenizer: part of a word, a word of its own, or neither.

A word begins with a letter, digit or underscore and goes on with these and with combining marks (Unicode category M),
in every script: accents and vowel signs never cut a word. A mark without a letter before it, such as the variation
selector of an emoji, is part of no word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD_RUNS, _SPACE = re.compile(r"\w+"), re.compile(r"\s")
_PUNCTUATION, _SYMBOL = re.compile(r"[^\w\s]|_"), re.compile(r"[^\w\s]")

# Scripts written without spaces between words: each of their letters is a word of its own, with the marks after it.
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
MARK = 1 << 30  # flag of a table entry: this character continues a word and begins none
N_CODES = 1 << 21  # everything that four bytes of UTF-8 can spell, valid or not, so that no lookup needs a check
CONTEXTUAL = "\u0130\u03a3"  # their lower case depends on their neighbours or has two characters


def is_unspaced(letter: str) -> bool:
    """Return whether a letter belongs to a script that is written without spaces between words.

    >>> is_unspaced("東"), is_unspaced("e")
    (True, False)
    """
    code = ord(letter)
    return code >= UNSPACED[0][1] and any(first <= code <= last for _, first, last in UNSPACED)


@cache
def word_pattern() -> re.Pattern[str]:
    """Compile the regular expression of a word: a letter of an unspaced script, or a run of others, with marks."""
    unspaced = "".join(f"{chr(first)}-{chr(last)}" for _, first, last in UNSPACED)
    marks = "".join(f"{run[0]}-{run[-1]}" for run in _find_mark_runs())
    return re.compile(rf"[^\W{unspaced}]+(?:[{marks}]+[^\W{unspaced}]*)*|(?=[{unspaced}])\w[{marks}]*")


@cache
def plain_word_pattern() -> str:
    """Return the regular expression of a word as other libraries take it: no script is cut into characters.

    >>> re.findall(plain_word_pattern(), "हिन्दी, 東京")
    ['हिन्दी', '東京']
    """
    marks = "".join(f"{run[0]}-{run[-1]}" for run in _find_mark_runs())
    return rf"\w+(?:[{marks}]+\w*)*"


@cache
def word_letters(lower: bool) -> NDArray[np.uint32]:
    """Map each code point to its (lower-cased) word character, 0 if it is part of no word.

    Letters of unspaced scripts carry the flag ALONE, combining marks of all scripts the flag MARK.
    """
    import numpy as np

    letters = np.zeros(N_CODES, np.uint32)
    for run in _WORD_RUNS.finditer(_every_character()):
        letters[run.start() : run.end()] = _to_codes(run.group())
    if lower:
        lowered = _lower_codes()
        letters[: len(lowered)] = np.where(letters[lowered] > 0, lowered, 0)
    for _, first, last in UNSPACED:
        letters[first : last + 1] |= np.where(letters[first : last + 1] > 0, np.uint32(ALONE), np.uint32(0))
    for marks in _find_mark_runs():
        letters[ord(marks[0]) : ord(marks[-1]) + 1] = _to_codes(marks) | np.uint32(MARK)
    return letters


@cache
def plain_word_letters() -> NDArray[np.uint32]:
    """Map each code point to its lower-cased word character; no script is cut into characters."""
    import numpy as np

    return word_letters(lower=True) & ~np.uint32(ALONE)


@cache
def visible_letters() -> NDArray[np.uint32]:
    """Map each code point to its lower case, 0 for white space and NUL."""
    import numpy as np

    letters = np.zeros(N_CODES, np.uint32)
    letters[:0x110000] = _lower_codes()
    for space in _SPACE.finditer(_every_character()[:0x10000]):
        letters[space.start()] = 0
    return letters


@cache
def punctuation_marks() -> NDArray[np.bool_]:
    """Tell for each code point whether its Unicode category is a kind of punctuation."""
    import numpy as np

    marks = np.zeros(N_CODES, np.bool_)
    # Punctuation except the underscore is neither word character nor space: a tenth of the basic planes remains.
    for match in _PUNCTUATION.finditer(_every_character()[:0x20000]):
        marks[match.start()] = category(match.group())[0] == "P"
    return marks


@cache
def _find_mark_runs() -> tuple[str, ...]:
    """Return the runs of neighbouring code points that are combining marks."""
    characters = _every_character()
    # Marks are neither word characters nor spaces; next to the first two planes only variation selectors are marks.
    candidates = _SYMBOL.finditer(characters[:0x20000] + characters[0xE0100:0xE01F0])
    codes = [ord(match.group()) for match in candidates if category(match.group())[0] == "M"]
    starts = [number for number, code in enumerate(codes) if number == 0 or codes[number - 1] != code - 1]
    return tuple(
        "".join(map(chr, codes[start:stop])) for start, stop in zip(starts, [*starts[1:], len(codes)], strict=True)
    )


@cache
def _every_character() -> str:
    import numpy as np

    return np.arange(0x110000, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _lower_codes() -> NDArray[np.uint32]:
    return _to_codes(_every_character().replace("\u0130", "i").lower())


def _to_codes(text: str) -> NDArray[np.uint32]:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")

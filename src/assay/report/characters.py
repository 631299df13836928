"""Text of the data made safe to show: nothing invisible, nothing endless, nothing that turns a line around."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

MOST = 300
_TURNING = {"\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
_PLAIN_SPACES = {"\t": " ", "\n": " ", "\r": " "}


def visible(value: object, most: int = MOST) -> str:
    r"""Write text with its control characters as symbols, cut to `most` characters.

    >>> visible("a\x00b\u202ec"), visible("long text", most=5), visible("tab\tline\n")
    ('a␀b⟨U+202E⟩c', 'long…', 'tab line ')
    """
    text = str(value)
    text = text if len(text) <= most else text[: most - 1] + "…"
    return text if text.isascii() and text.isprintable() else "".join(map(_seen, text))


def narrow(value: object, most: int) -> str:
    """Write visible text of at most so many columns, where wide characters take two.

    >>> narrow("abcdef", 4), narrow("漢字漢字", 5), narrow("abc", 4)
    ('abc…', '漢字…', 'abc')
    """
    text = visible(value, most + 1)
    widths = [2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text]
    if sum(widths) <= most:
        return text
    kept, used = 0, 1
    while used + widths[kept] <= most:
        used += widths[kept]
        kept += 1
    return text[:kept] + "…"


def _seen(mark: str) -> str:
    """Write one character so that it can be seen and no XML parser stumbles over it."""
    code = ord(mark)
    if mark in _PLAIN_SPACES:
        return _PLAIN_SPACES[mark]
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if mark in _TURNING or code & 0xFFFE == 0xFFFE or unicodedata.category(mark) in ("Cc", "Cs", "Co"):
        return f"⟨U+{code:04X}⟩"
    return " " if mark in "\u2028\u2029" else mark


def cleaned(value: Any, write: Callable[[object], str] = visible) -> Any:
    r"""Make every text inside lists and dicts visible; numbers stay.

    >>> cleaned({"a": ["x\x01", 2]})
    {'a': ['x␁', 2]}
    """
    if isinstance(value, str):
        return write(value)
    if isinstance(value, dict):
        return {write(key): cleaned(item, write) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(item, write) for item in value]
    return value

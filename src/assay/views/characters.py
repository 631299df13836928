"""Text from the data made safe to show: nothing invisible, nothing endless, nothing that changes text direction."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TypeVar

from assay.base.marks import rewrite_text

T = TypeVar("T")
MAX_CHARACTERS = 300
# How much of a string is shown, by the mark of its field.
LIMITS = {"text": 300, "word": 80, "name": 600, "own": 1_500}
_DIRECTION_MARKS = {"\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
# Control characters, surrogates, private use, direction marks, separators of lines, and code points without a character.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\uf8ff\ufffe\uffff\U000f0000-\U0010ffff"
    + "".join(chr(plane * 0x10000 + last) for plane in range(1, 15) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_SPACES = {"\t": " ", "\n": " ", "\r": " "}


def make_visible(value: object, limit: int = MAX_CHARACTERS, *, keep_breaks: bool = False) -> str:
    r"""Write text with its control characters as symbols, cut to `limit` characters; breaks of lines become spaces.

    >>> make_visible("a\x00b\u202ec"), make_visible("long text", limit=5), make_visible("tab\tline\n")
    ('a␀b⟨U+202E⟩c', 'long…', 'tab line ')
    """
    text = str(value)
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    if keep_breaks:
        return "\n".join(_HIDDEN.sub(lambda match: _show_character(match[0]), line) for line in text.splitlines())
    return _HIDDEN.sub(lambda match: _show_character(match[0]), text)


def make_text_visible(value: T) -> T:
    """Make every string inside a result visible; the mark of its field decides how long it may be."""
    return rewrite_text(value, lambda text, mark: make_visible(text, LIMITS[mark]))


def shorten_names(names: Iterable[str], width: int = 26) -> dict[str, str]:
    """Return a short name for each name; different names stay different, and show where they differ.

    >>> list(shorten_names(["org/model-a-long-name-1", "org/model-a-long-name-2", "short"], width=14).values())
    ['org/mod…name-1', 'org/mod…name-2', 'short']
    >>> list(shorten_names(["model-of-some-lab-001-instruct", "model-of-some-lab-002-instruct"], width=14).values())
    ['mo…001-instru…', 'mo…002-instru…']
    """
    short = {name: fit_width(name, width) for name in dict.fromkeys(names)}
    groups: dict[str, list[str]] = {}
    for name, text in short.items():
        groups.setdefault(text, []).append(name)
    for group in groups.values():
        if len(group) > 1:
            short |= {name: _show_difference(name, _count_common(group), width) for name in group}
    return _number_repeats(short, width)


def _count_common(names: list[str]) -> int:
    """Count the first characters that all names share."""
    positions = zip(*names, strict=False)
    return next((number for number, letters in enumerate(positions) if len(set(letters)) > 1), min(map(len, names)))


def _show_difference(name: str, n_common: int, width: int) -> str:
    """Shorten a name so that what follows the first `n_common` characters can be seen."""
    while n_common > 0 and name[n_common - 1].isalnum():
        n_common -= 1
    head = fit_width(name[:n_common], max(4, width // 4)).partition("…")[0]
    rest = make_visible(name[n_common:], 2_000)
    text = f"{head}…{rest}"
    while _count_columns(text) > width:
        rest = rest[:-2] + "…" if rest.endswith("…") else rest[:-1] + "…"
        text = f"{head}…{rest}"
        if len(rest) <= 1:
            break
    return text


def _number_repeats(short: dict[str, str], width: int) -> dict[str, str]:
    used: set[str] = set()
    for name, text in short.items():
        unique, number = text, 2
        while unique in used:
            mark = f" ({number})"
            unique = fit_width(text, max(1, width - len(mark))) + mark
            number += 1
        short[name] = unique
        used.add(unique)
    return short


def _count_columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def fit_width(value: object, width: int) -> str:
    """Write visible text of at most so many columns (wide characters take two), with the middle left out.

    >>> fit_width("abcdefghij", 5), fit_width("漢字漢字", 5), fit_width("abc", 4)
    ('ab…ij', '漢…字', 'abc')
    """
    text = make_visible(value, 2_000)
    widths = [2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text]
    if sum(widths) <= width:
        return text
    head, tail, used = 0, len(text), 1
    while head < tail:
        at = head if head <= len(text) - tail else tail - 1
        if used + widths[at] > width:
            break
        used += widths[at]
        if at == head:
            head += 1
        else:
            tail -= 1
    return f"{text[:head]}…{text[tail:]}"


def _show_character(character: str) -> str:
    """Write one character so that it can be seen and every XML parser accepts it."""
    code = ord(character)
    if character in _SPACES:
        return _SPACES[character]
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if (
        character in _DIRECTION_MARKS
        or code & 0xFFFE == 0xFFFE
        or unicodedata.category(character) in ("Cc", "Cs", "Co")
    ):
        return f"⟨U+{code:04X}⟩"
    return " " if character in "\u2028\u2029" else character

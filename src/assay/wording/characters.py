"""Text from the data made safe to show: nothing invisible, nothing endless, nothing that changes text direction."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

MAX_CHARACTERS = 300
_DIRECTION_MARKS = {"\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
# Control characters, surrogates, private use, direction marks, separators of lines, and code points without a character.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\uf8ff\ufffe\uffff\U000f0000-\U0010ffff"
    + "".join(chr(plane * 0x10000 + last) for plane in range(1, 15) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_COMMAND_INSIDE = re.compile(r"##(?=\w*\[)")  # of a build server, anywhere in a line
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SPACES = {"\t": " ", "\n": " ", "\r": " "}


def make_visible(value: object, limit: int = MAX_CHARACTERS, *, keep_breaks: bool = False) -> str:
    r"""Write text with its control characters as symbols, cut to `limit` characters; breaks of lines become spaces.

    >>> make_visible("a\x00b\u202ec"), make_visible("long text", limit=5), make_visible("tab\tline\n")
    ('a␀b⟨U+202E⟩c', 'long…', 'tab line ')
    """
    text = str(value)
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    if keep_breaks:
        return "\n".join(replace_hidden(line, _show_character) for line in text.splitlines())
    return replace_hidden(text, _show_character)


def escape_hidden(text: str) -> str:
    r"""Write the same characters as escapes, as terminals and logs need it; only line feeds stay.

    >>> escape_hidden("a\x1b[2Jb\rc\u202ed\n")
    'a\\x1b[2Jb\\rc\\u202ed\n'
    """
    return replace_hidden(text, lambda character: character if character == "\n" else escape_character(character))


def escape_character(character: str) -> str:
    """Write a character as Python would in a string."""
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def replace_hidden(text: str, write: Callable[[str], str]) -> str:
    """Replace every character that is invisible, or that changes what is next to it."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(lambda match: write(match[0]), text)


def replace_halves(text: str) -> str:
    """Replace halves of surrogate pairs, which neither UTF-8 nor a frame can hold, by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def break_inner_commands(text: str, mark: str = "#\\#") -> str:
    """Break commands that are recognised inside a line."""
    return _COMMAND_INSIDE.sub(lambda _: mark, text)


def escape_json(text: str, encoding: str = "utf-8") -> str:
    r"""Escape in JSON what a terminal or log would take for a command; the values stay the same.

    >>> escape_json('{"a": "##[x] é"}', "cp1252")
    '{"a": "\\u0023#[x] \\u00e9"}'
    """
    escaped = replace_hidden(text, _escape_json_character)
    if not encoding.lower().startswith("utf"):
        escaped = _NOT_ASCII.sub(lambda match: _escape_json_character(match[0]), escaped)
    return break_inner_commands(escaped, "\\u0023#")


def _escape_json_character(character: str) -> str:
    if character == "\n":
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


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

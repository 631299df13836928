"""Numbers and names inside sentences."""

from __future__ import annotations

import re
from functools import lru_cache

from assay.wording.numbers import MINUS

_QUOTED = re.compile(r'("[^"]*")')
_HYPHEN = re.compile(r"(?<![\w.\-])-(?=\d)")


def set_minus_signs(text: str) -> str:
    """Write negative numbers with a true minus sign, except in text from the data, which is in double quotes.

    >>> set_minus_signs('kappa -0.02 [-0.04, 0.01] of "-1" in 2024-05-01')
    'kappa −0.02 [−0.04, 0.01] of "-1" in 2024-05-01'
    """
    parts = _QUOTED.split(text)
    return "".join(_HYPHEN.sub(MINUS, part) if number % 2 == 0 else part for number, part in enumerate(parts))


@lru_cache(maxsize=4096)
def quote(text: str, limit: int = 40) -> str:
    """Put text from the data in double quotes, on one line and at most `limit` characters long.

    >>> quote("not")
    '"not"'
    """
    line = text if text.isprintable() else "".join(character if character.isprintable() else " " for character in text)
    line = line.replace('"', "'")
    return f'"{line if len(line) <= limit else line[: limit - 1] + "…"}"'


def choose_verb(n: int, singular: str, plural: str) -> str:
    """Choose the form of a verb by a count.

    >>> choose_verb(1, "is", "are"), choose_verb(2, "is", "are")
    ('is', 'are')
    """
    return singular if n == 1 else plural


def count_noun(n: int, singular: str, plural: str | None = None) -> str:
    """Write a count with its noun.

    >>> count_noun(1, "item"), count_noun(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"

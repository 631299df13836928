"""The letters of options: A, B, C …, and numbers from 27 if there are more than letters."""

from __future__ import annotations

N_LETTERS = 26
_MAX_DIGITS = 18


def name_letter(number: int) -> str:
    """Return the letter of an option; beyond Z its number from 1.

    >>> name_letter(0), name_letter(27)
    ('A', '28')
    """
    return chr(ord("A") + number) if number < N_LETTERS else str(number + 1)


def number_letter(letter: str) -> int:
    """Return the number of an option from its letter, the inverse of `name_letter`.

    >>> number_letter("A"), number_letter("28")
    (0, 27)
    """
    number = parse_count(letter)
    return ord(letter) - ord("A") if number is None else number - 1


def parse_count(text: str) -> int | None:
    """Return the whole number that a text writes in digits; None for any other text.

    >>> parse_count("28"), parse_count("²"), parse_count("9" * 5000)
    (28, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None

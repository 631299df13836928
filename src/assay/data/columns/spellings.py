"""Labels written in several ways: 2, 2.0 and 2.00 are one label, and so are the answers Yes and yes to a gold yes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

MAX_DIGITS = 40  # longer numbers are identifiers
# Codes such as 007 keep their zeros: they are names, not numbers.
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")


def parse_value(label: str) -> Decimal | None:
    """Return the value of a label that is a number; None for every other label.

    >>> parse_value("2.50") == parse_value("2.5"), parse_value("-0") == parse_value("0"), parse_value("007")
    (True, True, None)
    """
    text = label.strip()
    return Decimal(text) if len(text) <= MAX_DIGITS and _NUMBER.fullmatch(text) else None


def unify_spellings(labels: Iterable[str]) -> dict[str, str]:
    """Map each label whose value is also written in another way to the shortest way to write it.

    >>> unify_spellings(["2", "2.0", "2.00", "3.0", "good"])
    {'2.0': '2', '2.00': '2'}
    """
    spellings: dict[Decimal, list[str]] = {}
    for label in dict.fromkeys(labels):
        value = parse_value(label)
        if value is not None:
            spellings.setdefault(value, []).append(label)
    shortest = {value: min(names, key=lambda name: (len(name), name)) for value, names in spellings.items()}
    return {name: shortest[value] for value, names in spellings.items() for name in names if name != shortest[value]}


def adopt_spellings(labels: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Map each label that is not a known one to the known label of the same value, or the only one that differs in case.

    >>> adopt_spellings(["1.0", "2", "3"], ["1", "2.0"])
    {'1.0': '1', '2': '2.0'}
    >>> adopt_spellings(["YES", "No ", "b"], ["yes", "no", "B", "b "])
    {'YES': 'yes', 'No ': 'no'}
    """
    names = set(known)
    by_value = {value: name for name in sorted(names, reverse=True) if (value := parse_value(name)) is not None}
    by_text: dict[str, list[str]] = {}
    for name in names:
        by_text.setdefault(_fold(name), []).append(name)
    adopted = {}
    for label in dict.fromkeys(labels):
        value, alike = parse_value(label), by_text.get(_fold(label), [])
        if label in names:
            continue
        if value is not None and value in by_value:
            adopted[label] = by_value[value]
        elif len(alike) == 1:
            adopted[label] = alike[0]
    return adopted


def _fold(label: str) -> str:
    return label.strip().casefold()

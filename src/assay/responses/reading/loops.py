"""Responses that repeat themselves until they are cut off."""

from __future__ import annotations

import re

TAIL = 3000  # characters at the end of a response in which a loop is looked for
SEED = 12  # the last characters, whose earlier copies give the candidates for a period
MAX_PERIODS = 60
MIN_COPIES = 3.0  # times that a text must follow itself
LONG_PERIOD, MIN_LONG_COPIES = 60, 1.9  # a long text needs fewer copies
MIN_NUMBERED = 6.0  # copies whose numbers differ, as in a calculation
MIN_LENGTH = 48  # characters of all copies
MIN_LINES = 12
PHRASE = 12  # words that are copied together
MIN_WORDS = 60
MIN_COPIED = 0.9  # share of the second half that is copied from before
MIN_LAST_LINES = 5  # lines at the end that are all copies
MAX_DISTINCT_LINES = 0.5
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+|[^\w\s]")
_ENUMERATION = re.compile(r"^[\s*#-]{0,6}\d{0,5}[.):]?\s{0,3}", re.MULTILINE)


def find_loop(text: str) -> int | None:
    """Return where the repetition at the end of a text begins; None if it does not loop.

    Copies may differ in their numbers, as in "1/2 = 2/4. 2/4 = 4/8. …".

    >>> find_loop("We know this: " + "It is so because it is so. " * 5)
    13
    >>> find_loop("The answer is (A).") is None
    True
    """
    exact = find_period(text)
    if exact is not None:
        return exact
    end = len(text.rstrip())
    start = max(0, end - TAIL)
    tail = text[start:end]
    changed = _DIGITS.sub("0", tail)
    numbered = _measure_period(changed, MIN_NUMBERED)
    if numbered:
        return start + max(0, len(tail) - round(numbered * len(tail) / len(changed)))
    return start if _repeats_lines(tail) or _copies_itself(tail) else None


def find_period(text: str) -> int | None:
    """Return where the exact copies at the end of a text begin; None if there are too few."""
    end = len(text.rstrip())
    start = max(0, end - TAIL)
    length = _measure_period(text[start:end])
    return end - length if length else None


def _measure_period(tail: str, min_copies: float = MIN_COPIES) -> int:
    """Return the length of the longest part at the end that repeats a period, 0 if it has too few copies."""
    if len(tail) < MIN_LENGTH:
        return 0
    seed, position = tail[-SEED:], len(tail) - SEED
    for _ in range(MAX_PERIODS):
        found = tail.rfind(seed, 0, position + SEED - 1)
        if found < 0:
            return 0
        period = len(tail) - SEED - found
        length = period + _count_common_end(tail, tail[: len(tail) - period])
        needed = MIN_LONG_COPIES if period >= LONG_PERIOD and min_copies == MIN_COPIES else min_copies
        if length >= max(needed * period, MIN_LENGTH):
            return length
        position = found
    return 0


def _count_common_end(first: str, second: str) -> int:
    """Return how many characters two texts have in common at their ends."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[-middle:] == second[-middle:]:
            low = middle
        else:
            high = middle - 1
    return low


def _repeats_lines(tail: str) -> bool:
    """Return whether the last lines, or most lines or sentences, are copies of earlier ones."""
    lines = [line.strip() for line in _ENUMERATION.sub("", tail).splitlines() if line.strip()]
    if len(lines) >= MIN_LINES and all(line in lines[:-MIN_LAST_LINES] for line in lines[-MIN_LAST_LINES:]):
        return True
    if len(lines) < MIN_LINES:
        lines = [part.strip() for part in tail.split(". ") if part.strip()]
    return len(lines) >= MIN_LINES and len(set(lines)) <= MAX_DISTINCT_LINES * len(lines)


def _copies_itself(tail: str) -> bool:
    """Return whether nearly all words of the second half are in phrases that were written before."""
    words = _WORD.findall(tail)
    if len(words) < MIN_WORDS:
        return False
    phrases: set[tuple[str, ...]] = set()
    copied = bytearray(len(words))
    for place in range(len(words) - PHRASE + 1):
        phrase = tuple(words[place : place + PHRASE])
        if phrase in phrases:
            copied[place : place + PHRASE] = b"\1" * PHRASE
        phrases.add(phrase)
    half = copied[len(words) // 2 :]
    return sum(half) >= MIN_COPIED * len(half)

"""Metrics of written answers: exact match and token F1, as statistics of items."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array

if TYPE_CHECKING:
    from assay.data import Dataset

Answers = Sequence[str | None]
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?|-?\.\d+")


def normalise_answer(text: str) -> str:
    """Return an answer in the form in which question answering compares it: no case, punctuation, articles, extra spaces.

    >>> normalise_answer("The  Eiffel Tower!")
    'eiffel tower'
    """
    kept = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return " ".join(_ARTICLES.sub(" ", kept).split())


def read_final_number(text: str) -> float | None:
    """Return an answer as a number, None if it is not one; commas, a currency sign and a percent sign are left out.

    >>> read_final_number("$1,200.0"), read_final_number("12 apples")
    (1200.0, None)
    """
    cut = text.strip().strip("$€£%").rstrip(".").strip()
    return float(cut.replace(",", "")) if _NUMBER.fullmatch(cut) else None


def cut_final_answer(text: str) -> str:
    """Return what follows the last "####", which marks the final answer in some mathematical data, else all.

    >>> cut_final_answer("3 + 4 = 7 #### 7")
    '7'
    """
    return text.rpartition("####")[2].strip()


def are_equal(answer: str, reference: str) -> bool:
    """Return whether two answers are equal: as numbers if both are, else as text but for white space.

    >>> are_equal("1,200", "1200.0"), are_equal(" (A)", "(A)"), are_equal("a", "A")
    (True, True, False)
    """
    answer, reference = cut_final_answer(answer), cut_final_answer(reference)
    numbers = read_final_number(answer), read_final_number(reference)
    if None not in numbers:
        return numbers[0] == numbers[1]
    return answer.split() == reference.split()


def score_equality(data: Dataset, answers: Answers) -> Array:
    """Return 1 if an answer equals one of its references."""
    return _score_best(data, answers, lambda answer, reference: float(are_equal(answer, reference)))


def score_normalised_equality(data: Dataset, answers: Answers) -> Array:
    """Return 1 if an answer equals one of its references after normalisation (Rajpurkar et al. 2016)."""
    return _score_best(data, answers, lambda a, b: float(normalise_answer(a) == normalise_answer(b)))


def score_token_f1(data: Dataset, answers: Answers) -> Array:
    """Return the F1 of words that an answer shares with its best reference (Rajpurkar et al. 2016)."""
    return _score_best(data, answers, compute_token_f1)


def compute_token_f1(answer: str, reference: str) -> float:
    """Return the F1 of shared words, in scripts without spaces of characters; if either is empty, 1 if both are.

    >>> compute_token_f1("the red car", "red bus"), compute_token_f1("東京都", "東京")
    (0.5, 0.8)
    """
    first, second = (_split_words(normalise_answer(text)) for text in (answer, reference))
    if not first or not second:
        return float(first == second)
    shared = sum((Counter(first) & Counter(second)).values())
    return 2 * shared / (len(first) + len(second))


def _score_best(data: Dataset, answers: Answers, score: Callable[[str, str], float]) -> Array:
    """Return the score of every answer with its best reference; 0 if there is no answer or no reference."""
    references = data.fields["references"].to_list()
    pairs = zip(answers, references, strict=True)
    scores = [max((score(answer, each) for each in row or ()), default=0.0) if answer else 0.0 for answer, row in pairs]
    return np.array(scores, dtype=np.float64)


def _split_words(text: str) -> list[str]:
    words = text.split()
    return words if text.isascii() else [piece for word in words for piece in _split_unspaced(word)]


def _split_unspaced(word: str) -> list[str]:
    from assay.text.characters import is_unspaced, word_pattern

    return word_pattern().findall(word) if any(map(is_unspaced, word)) else [word]

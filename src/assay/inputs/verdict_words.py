"""Words of verdicts: which of two answers is better, a label, or a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

VerdictKind = Literal["pairs", "labels", "scores"]
A = (
    *("a", "1", "1.0", "model_a", "model a", "first", "output_1", "response_a", "answer_a", "[[a]]", "assistant_a"),
    *("a>b", "a>>b", "[[a>b]]", "[[a>>b]]"),
)
B = (
    *("b", "2", "2.0", "model_b", "model b", "second", "output_2", "response_b", "answer_b", "[[b]]", "assistant_b"),
    *("b>a", "b>>a", "a<b", "a<<b", "[[b>a]]", "[[b>>a]]"),
)
TIE = (
    *("tie", "0", "0.0", "1.5", "draw", "equal", "c", "[[c]]", "none", "both_bad", "tie (bothbad)", "neither", "both"),
    *("a=b", "[[a=b]]"),
)
PAIR_WORDS = ("a", "b", "2", "model_a", "model_b", "first", "second", "a>b", "a>>b", "b>a", "b>>a", "[[a]]", "[[b]]")
# Words that are no labels of classes or options.
CLEAR_WORDS = frozenset(
    {word for word in (*A, *B, *TIE) if len(word) > 2 and not word.replace(".", "").isdigit()}
    - {"none", "both", "equal", "first", "second", "neither"}
)
POSITIVE = ("1", "1.0", "true", "yes", "correct", "right", "pass", "passed", "good", "c", "y", "success")
NEGATIVE = ("0", "0.0", "false", "no", "incorrect", "wrong", "fail", "failed", "bad", "i", "n", "failure")
MISSING = ("", "null", "nan", "na", "n/a", "-", "error")


def choose_kind(values: Sequence[str], *, has_pairs: bool) -> VerdictKind:
    """Tell what verdicts are from their distinct values, and from whether the table has two answers per row.

    >>> choose_kind(["a", "b"], has_pairs=False), choose_kind(["1", "2", "0"], has_pairs=False)
    ('pairs', 'pairs')
    >>> choose_kind(["0", "1"], has_pairs=False), choose_kind(["1", "7", "10"], has_pairs=False)
    ('labels', 'scores')
    """
    words = {value.strip().lower() for value in values} - set(MISSING)
    known = {*A, *B, *TIE}
    if words <= known and (has_pairs or words & {*PAIR_WORDS}):
        return "pairs"
    if has_pairs and words & set(A) and words & set(B) and words - known and not _are_numbers(words):
        return "pairs"  # with some verdicts that name neither answer
    numbers = [number for word in words if (number := _to_number(word)) is not None]
    if len(numbers) == len(words) and words:
        if has_pairs and min(numbers) >= 1 and max(numbers) <= 2:
            return "pairs"  # preferences between 1 and 2, as AlpacaEval writes them
        if len(words) > 2:
            return "scores"
    return "labels"


def list_meanings(values: Sequence[str]) -> set[str]:
    """Return the words of verdicts and what they may mean, so that two columns of verdicts have one in common.

    >>> sorted(list_meanings(["Model_A", "0.25"]) & list_meanings(["A>B", "7"]))
    ['(a number)', '(first)']
    """
    words = {value.strip().lower() for value in values} - set(MISSING)
    meanings = {"(first)": A, "(second)": B, "(tie)": TIE, "(yes)": POSITIVE, "(no)": NEGATIVE}
    found = {name for name, known in meanings.items() if words & set(known)}
    return words | found | ({"(a number)"} if any(_to_number(word) is not None for word in words) else set())


def _are_numbers(words: set[str]) -> bool:
    return all(_to_number(word) is not None for word in words)


def _to_number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None

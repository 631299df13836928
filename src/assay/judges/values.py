"""What a verdict says: which of two answers is better, a label, or a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import polars as pl

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
POSITIVE = ("1", "1.0", "true", "yes", "correct", "right", "pass", "passed", "good", "c", "y", "success")
NEGATIVE = ("0", "0.0", "false", "no", "incorrect", "wrong", "fail", "failed", "bad", "i", "n", "failure")
MISSING = ("", "null", "nan", "na", "n/a", "-", "error")
FIRST_SHOWN_A = ("ab", "a_b", "original", "0", "0.0", "false", "12", "no", "first", "normal")
FIRST_SHOWN_B = ("ba", "b_a", "swapped", "1", "1.0", "true", "21", "yes", "second", "reversed")


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


def parse_pairs(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return a, b, tie or other for each verdict, and the share that goes to b; null if there is none.

    >>> import polars as pl
    >>> [column.to_list() for column in parse_pairs(pl.Series(["A", "2", "1.25", "?", ""]))]
    [['a', 'b', 'a', 'other', None], [0.0, 1.0, 0.25, None, None]]
    """
    word = pl.col("word")
    number = word.cast(pl.Float64, strict=False)
    is_share = number.is_between(1, 2).fill_null(False)
    share = (
        pl.when(word.is_in(A))
        .then(0.0)
        .when(word.is_in(B))
        .then(1.0)
        .when(word.is_in(TIE))
        .then(0.5)
        .when(is_share)
        .then(number - 1)
    )
    frame = pl.DataFrame({"word": values.str.strip_chars().str.to_lowercase()}).with_columns(share.alias("share"))
    side = pl.when(pl.col("share") < 0.5).then(pl.lit("a")).when(pl.col("share") > 0.5).then(pl.lit("b"))
    side = side.when(pl.col("share") == 0.5).then(pl.lit("tie")).when(~word.is_in(MISSING)).then(pl.lit("other"))
    parsed = frame.with_columns(side.alias("side"))
    return parsed["side"], parsed["share"]


def parse_labels(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the labels, null if there is none, and 1 or 0 if they are words for right and wrong."""
    word = pl.col("label").str.to_lowercase()
    frame = pl.DataFrame({"label": values.str.strip_chars()}).with_columns(
        pl.when(word.is_in(MISSING)).then(None).otherwise(pl.col("label")).alias("label"),
        pl.when(word.is_in(POSITIVE)).then(1.0).when(word.is_in(NEGATIVE)).then(0.0).alias("value"),
    )
    return frame["label"], frame["value"]


def parse_scores(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the scores as text, equal numbers alike, and as numbers."""
    numbers = values.str.strip_chars().cast(pl.Float64, strict=False).fill_nan(None)
    return numbers.cast(pl.String), numbers


def parse_order(values: pl.Series) -> pl.Series:
    """Return whether answer b was shown first; null if it is unknown.

    >>> import polars as pl
    >>> parse_order(pl.Series(["ab", "swapped", ""])).to_list()
    [False, True, None]
    """
    word = pl.col("order").str.strip_chars().str.to_lowercase()
    flag = pl.when(word.is_in(FIRST_SHOWN_A)).then(pl.lit(False)).when(word.is_in(FIRST_SHOWN_B)).then(pl.lit(True))
    return pl.DataFrame({"order": values}).select(flag.alias("swapped"))["swapped"]


def _are_numbers(words: set[str]) -> bool:
    return all(_to_number(word) is not None for word in words)


def _to_number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None

"""The words for who won a comparison."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError
from assay.wording.sentences import count_noun, quote

FIRST = (
    *("model_a", "model a", "a", "first", "left", "1", "1.0", "system_a", "response_a", "output_1", "answer_a"),
    *("left_model", "model_left", "model_1", "model1", "system_1", "player_a", "player_1", "player1"),
    *("model_x", "x", "system_x"),
    *("a>b", "a>>b", "[[a]]", "[[a>b]]", "[[a>>b]]", "1-0"),
)
SECOND = (
    *("model_b", "model b", "b", "second", "right", "2", "2.0", "system_b", "response_b", "output_2", "answer_b"),
    *("right_model", "model_right", "model_2", "model2", "system_2", "player_b", "player_2", "player2"),
    *("model_y", "y", "system_y"),
    *("b>a", "b>>a", "a<b", "a<<b", "[[b]]", "[[b>a]]", "[[b>>a]]", "0-1"),
)
TIE = (
    *("tie", "ties", "draw", "equal", "both", "neither", "same", "0", "0.0", "c"),
    *("a=b", "[[c]]", "[[a=b]]", "1/2-1/2", "½-½", "0.5-0.5"),
    *("tie (bothbad)", "tie (both bad)", "tie(bothbad)", "both_bad", "bothbad", "both bad", "both_good", "bothgood"),
)
MISSING = ("", "null", "none", "nan", "na", "n/a", "-")


def parse_winners(winners: pl.Series, first: pl.Series, second: pl.Series, place: str) -> pl.Series:
    """Return 1 if the first system won, 0 if the second did, 0.5 for a tie, and null if nobody voted.

    The winner is a side (`model_a`, a, 1), a tie (`tie`, `both_bad`, 0) or the name of one of the two systems.
    """
    side = pl.col("word")
    words = (
        pl.DataFrame({"winner": winners.unique()})
        .with_columns(word=pl.col("winner").str.strip_chars().str.to_lowercase())
        .with_columns(
            side=pl.when(side.is_in(FIRST)).then(1.0).when(side.is_in(SECOND)).then(0.0).when(side.is_in(TIE)).then(0.5)
        )
    )
    name = pl.col("winner").str.strip_chars()
    sides = winners.replace_strict(words["winner"], words["side"], return_dtype=pl.Float64)
    parsed = pl.DataFrame({"winner": winners, "first": first, "second": second, "outcome": sides})
    names = words.select(name.drop_nulls()).to_series()
    if first.is_in(names).any() or second.is_in(names).any():
        outcome = pl.when(name == pl.col("first")).then(1.0).when(name == pl.col("second")).then(0.0)
        parsed = parsed.with_columns(outcome=outcome.otherwise(pl.col("outcome")))
    used = set(words["word"].drop_nulls()) - set(MISSING)
    if used and used <= {"0", "1", "0.0", "1.0"} and "0" in {word[0] for word in used}:
        raise AssayError(
            "the winner is always 0 or 1, which can mean two things",
            place=place,
            hint="Write model_a, model_b or tie; or 1, 2 and 0 for a tie.",
        )
    unknown = parsed.filter(pl.col("outcome").is_null())
    unknown = unknown.filter(~name.str.to_lowercase().is_in(MISSING).fill_null(True))
    if unknown.height:
        value = quote(str(unknown["winner"][0]))
        raise AssayError(
            f"the winner {value} is neither a side, a tie nor one of the two systems "
            f"({count_noun(unknown.height, 'such row')})",
            place=place,
            hint="Write model_a, model_b, tie or both_bad, or the name of the winner.",
        )
    return parsed["outcome"]

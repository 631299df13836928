"""The words for who won a comparison."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.base.arrays import Array
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


_OUTCOMES = dict.fromkeys(TIE, 0.5) | dict.fromkeys(SECOND, 0.0) | dict.fromkeys(FIRST, 1.0)


def parse_winners(winners: Array, first: Array, second: Array, texts: Sequence[str], place: str) -> Array:
    """Return 1 if the first system won, 0 if the second did, 0.5 for a tie, and nan if nobody voted.

    All three are numbers of `texts`, −1 if missing. The winner is a side (`model_a`, a, 1), a tie (`tie`, `both_bad`,
    0) or the name of one of the two systems.
    """
    words = [text.lower() for text in texts]
    used = {words[number] for number in np.flatnonzero(np.bincount(winners[winners >= 0])).tolist()} - set(MISSING)
    if used and used <= {"0", "1", "0.0", "1.0"} and "0" in {word[0] for word in used}:
        raise AssayError(
            "the winner is always 0 or 1, which can mean two things",
            place=place,
            hint="Write model_a, model_b or tie; or 1, 2 and 0 for a tie.",
        )
    outcomes = np.array([*(_OUTCOMES.get(word, np.nan) for word in words), np.nan])[winners]
    outcomes[(winners == second) & (winners >= 0)] = 0.0
    outcomes[(winners == first) & (winners >= 0)] = 1.0
    is_said = np.array([*(word not in MISSING for word in words), False])
    unknown = np.flatnonzero(np.isnan(outcomes) & is_said[winners])
    if len(unknown):
        value = quote(texts[winners[unknown[0]]])
        raise AssayError(
            f"the winner {value} is neither a side, a tie nor one of the two systems "
            f"({count_noun(len(unknown), 'such row')})",
            place=place,
            hint="Write model_a, model_b, tie or both_bad, or the name of the winner.",
        )
    return outcomes

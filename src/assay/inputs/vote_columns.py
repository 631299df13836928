"""The columns of a table of votes, found by the usual names."""

from __future__ import annotations

from collections.abc import Sequence

SIDES = (
    *(("model_a", "model_b"), ("system_a", "system_b"), ("model_1", "model_2"), ("model1", "model2")),
    *(("system_1", "system_2"), ("system1", "system2"), ("left_model", "right_model"), ("model_left", "model_right")),
    *(("player_a", "player_b"), ("player_1", "player_2"), ("player1", "player2")),
    *(("model_x", "model_y"), ("system_x", "system_y"), ("left", "right")),
)
WINNERS = ("winner", "vote", "outcome", "result")
RANKED_SIDES = (("winner", "loser"), ("winner_model", "loser_model"), ("winning_model", "losing_model"))
FLAGS = ("winner_model_a", "winner_model_b", "winner_tie")  # one 0/1 column per outcome


def has_vote_columns(columns: Sequence[str], *, winner: str | None = None) -> bool:
    """Return True if the table has the columns of votes; if `winner` names a column, two systems are enough.

    >>> has_vote_columns(["Model A", "Model B", "winner"]), has_vote_columns(["system", "score"])
    (True, False)
    """
    names = {normalise_name(name) for name in columns}
    if any(names >= set(pair) for pair in RANKED_SIDES):
        return True
    has_winner = winner is not None or bool(names & set(WINNERS)) or names >= set(FLAGS)
    return has_winner and any(names >= set(pair) for pair in SIDES)


def normalise_name(name: str) -> str:
    """Return the name of a column as it is compared.

    >>> normalise_name("Model A"), normalise_name("model-b ")
    ('model_a', 'model_b')
    """
    return name.strip().lower().replace(" ", "_").replace("-", "_")

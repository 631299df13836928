"""How often votes contradict right labels by chance: systems that err as often as the real ones, but each by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.base.arrays import Array
from assay.suspects.calibration import Chance
from assay.suspects.votes import ROUNDED, AnswerVotes, tally

MAX_DRAWN_CELLS, MAX_DRAWS = 2_000_000, 10  # of answers


def draw_chance(votes: AnswerVotes, groups: Sequence[Array]) -> list[Chance | None]:
    """Draw votes on right labels for each group of items, several times if there are few answers.

    Every system's outcomes are put in a random order within the group. None with one system, whose errors say nothing
    about each other.
    """
    codes, gold, names = votes.codes, votes.gold, [*votes.weights]
    if len(codes) < 2:
        return [None] * len(groups)
    rng = np.random.default_rng(0)
    n_draws = int(np.clip(MAX_DRAWN_CELLS // max(codes.size, 1), 1, MAX_DRAWS))
    rows = [np.flatnonzero(group) for group in groups]
    drawn = [tally(_shuffle(codes, gold, rows, rng), gold, votes.answers, names) for _ in range(n_draws)]
    doubt = [np.round(np.nan_to_num(each.doubt, nan=-1.0), ROUNDED) for each in drawn]
    return [
        Chance(
            np.concatenate([each[group] for each in doubt]),
            np.concatenate([each.wrong_share[group] for each in drawn]),
            votes.wrong_share[group],
        )
        for group in rows
    ]


def _shuffle(codes: Array, gold: Array, groups: Sequence[Array], rng: np.random.Generator) -> Array:
    """Put the outcomes of every system in a random order: right answers stay right, wrong ones wrong."""
    shuffled = codes.copy()
    for rows in groups:
        for system in range(len(codes)):
            order = rng.permutation(rows)
            answer, right = codes[system, order], gold[order]
            wrong = np.where(answer != gold[rows], answer, right)  # another item's gold, where its error is gold here
            shuffled[system, rows] = np.where(answer < 0, -1, np.where(answer == right, gold[rows], wrong))
    return shuffled

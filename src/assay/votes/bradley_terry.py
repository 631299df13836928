"""The Bradley–Terry model: P(i beats j) = 1 / (1 + exp(θ_j − θ_i)), a tie counted as half a win of each side."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.votes.tables import Votes

MAX_STEPS = 100
TOLERANCE = 1e-10  # of the largest step of a strength
MAX_STEP = 2.0  # of a strength; longer Newton steps can overshoot where votes are lopsided


def count_wins(votes: Votes) -> Array:
    """Return a systems × systems table: how often the row beat the column, ties counted half.

    >>> from assay.votes import read_votes
    >>> count_wins(read_votes({"model_a": ["x", "x"], "model_b": ["y", "y"], "winner": ["a", "tie"]})).tolist()
    [[0.0, 1.5], [0.5, 0.0]]
    """
    n = len(votes.systems)
    cells = votes.first.astype(np.int64) * n + votes.second
    won = np.bincount(cells, votes.outcomes, n * n).reshape(n, n)
    lost = np.bincount(cells, 1 - votes.outcomes, n * n).reshape(n, n)
    return np.asarray(won + lost.T)


def fit_strengths(wins: Array, start: Array | None = None, tolerance: float = TOLERANCE) -> Array:
    """Return the strengths θ with mean 0 that maximise the likelihood (Newton's method).

    Every system must have beaten, directly or through others, every other one: see `split_components`.

    >>> fit_strengths(np.array([[0.0, 3.0], [1.0, 0.0]])).round(4).tolist()
    [0.5493, -0.5493]
    """
    n = len(wins)
    meetings = wins + wins.T
    strengths = np.zeros(n) if start is None else start.copy()
    for _ in range(MAX_STEPS):
        chances = predict_wins(strengths)
        slope = (wins - meetings * chances).sum(axis=1)
        step = solve_centred(compute_information(meetings, chances), slope)
        largest = float(np.abs(step).max(initial=0.0))
        strengths = strengths + step * min(1.0, MAX_STEP / largest if largest else 1.0)
        if largest < tolerance:
            break
    return np.asarray(strengths - strengths.mean())


def predict_wins(strengths: Array) -> Array:
    """Return the probability that the row beats the column."""
    from scipy.special import expit

    return np.asarray(expit(strengths[:, None] - strengths[None, :]))


def compute_information(meetings: Array, chances: Array) -> Array:
    """Return the information matrix of the strengths, which is singular along equal shifts of all."""
    weights = meetings * chances * chances.T
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)


def solve_centred(information: Array, values: Array) -> Array:
    """Solve for strengths, or several columns of them, whose mean is 0."""
    n = len(information)
    scale = max(float(np.trace(information)) / n, np.finfo(float).tiny)
    solution = np.linalg.solve(information + np.full((n, n), scale / n), values)
    return np.asarray(solution - solution.mean(axis=0))


def estimate_covariance(votes: Votes, wins: Array, strengths: Array) -> Array:
    """Return the sandwich covariance of the strengths, over prompts if several votes share one, else over votes.

    It also holds if the model does not: ties vary less than wins, and judges of one prompt agree.
    """
    chances = predict_wins(strengths)
    information = compute_information(wins + wins.T, chances)
    residuals = votes.outcomes - chances[votes.first, votes.second]
    scores = _sum_prompt_scores(votes, residuals) if votes.has_repeated_prompts else _sum_vote_scores(votes, residuals)
    half = solve_centred(information, scores)
    return solve_centred(information, half.T)


def _sum_vote_scores(votes: Votes, residuals: Array) -> Array:
    n = len(votes.systems)
    cells = votes.first.astype(np.int64) * n + votes.second
    squares = np.bincount(cells, residuals**2, n * n).reshape(n, n)
    squares = squares + squares.T
    return np.asarray(np.diag(squares.sum(axis=1)) - squares)


def _sum_prompt_scores(votes: Votes, residuals: Array) -> Array:
    from scipy.sparse import csr_array

    assert votes.prompts is not None
    _, prompts = np.unique(votes.prompts, return_inverse=True)
    n_prompts = int(prompts.max()) + 1
    rows, columns = np.concatenate([prompts, prompts]), np.concatenate([votes.first, votes.second])
    values = np.concatenate([residuals, -residuals])
    scores = csr_array((values, (rows, columns)), shape=(n_prompts, len(votes.systems)))
    return np.asarray((scores.T @ scores).toarray() * n_prompts / max(n_prompts - 1, 1))

"""How often 95% intervals of vote ratings contain the truth, rank intervals too; and the time of 1 million votes.

The truth of a design is the rating of infinitely many votes. `python -m benchmarks.votes [n_simulations]`.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from assay.votes import Votes, fit_strengths, rate_votes
from assay.votes.components import MEAN_RATING, RATING_UNIT
from benchmarks._bars import is_covered, print_bar

# Name: systems, votes, share of ties, votes per prompt, share of prompts whose voters all agree, lopsided schedule.
DESIGNS = {
    "6 systems, 300 votes": (6, 300, 0.0, 1, 0.0, False),
    "6 systems, 3,000 votes": (6, 3000, 0.0, 1, 0.0, False),
    "20 systems, 4,000 votes": (20, 4000, 0.0, 1, 0.0, False),
    "20 systems, 30% ties": (20, 4000, 0.3, 1, 0.0, False),
    "20 systems, lopsided schedule": (20, 4000, 0.3, 1, 0.0, True),
    "10 systems, 5 votes per prompt that agree half the time": (10, 5000, 0.2, 5, 0.5, False),
}


def simulate(design: tuple[int, int, float, int, float, bool], seed: int) -> tuple[Votes, np.ndarray]:
    """Draw votes of a design; return them with the true ratings."""
    n_systems, n_votes, ties, per_prompt, agreeing, lopsided = design
    generator = np.random.default_rng(seed)
    strengths = np.linspace(-1.0, 1.0, n_systems)
    popularity = np.linspace(1, 8, n_systems) if lopsided else np.ones(n_systems)
    schedule = np.outer(popularity, popularity) * (1 - np.eye(n_systems))
    schedule /= schedule.sum()
    n_prompts = n_votes // per_prompt
    pairs = np.repeat(generator.choice(n_systems**2, size=n_prompts, p=schedule.ravel()), per_prompt)
    first, second = np.divmod(pairs, n_systems)
    draws = generator.random((2, n_votes))
    shared = np.repeat(generator.random(n_prompts) < agreeing, per_prompt)
    draws[:, shared] = np.repeat(draws[:, ::per_prompt], per_prompt, axis=1)[:, shared]
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    outcomes = np.where(draws[0] < ties, 0.5, (draws[1] < chances[first, second]).astype(float))
    expected = schedule * (ties / 2 + (1 - ties) * chances)
    truth = MEAN_RATING + RATING_UNIT * fit_strengths(expected + (schedule - expected).T)
    prompts = np.repeat(np.arange(n_prompts), per_prompt)
    names = tuple(f"s{number}" for number in range(n_systems))
    return Votes(names, first, second, outcomes, prompts), truth


def measure_coverage(design: tuple[int, int, float, int, float, bool], n_simulations: int) -> tuple[float, float]:
    """Return the share of intervals, and of rank intervals, that contain the truth."""
    ratings = ranks = n = 0
    for seed in range(n_simulations):
        votes, truth = simulate(design, seed)
        for row in rate_votes(votes, n_resamples=0).ratings:
            if row.rank_low is None or row.rank_high is None:
                continue
            number = int(row.system[1:])
            ratings += row.low <= truth[number] <= row.high
            ranks += row.rank_low <= len(truth) - number <= row.rank_high
            n += 1
    return ratings / n, ranks / n


def main() -> None:
    """Print the coverage of every design, then the time of 1 million votes."""
    n_simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{'design':60} ratings   ranks")
    for name, design in DESIGNS.items():
        rating, rank = measure_coverage(design, n_simulations)
        is_held = is_covered(rating, n_simulations) and is_covered(rank, n_simulations)
        print_bar(f"{name:60} {rating:7.3f} {rank:7.3f}", is_held=is_held)
    votes, _ = simulate((100, 1_000_000, 0.3, 4, 0.2, True), 0)
    start = time.process_time()
    rate_votes(votes)
    seconds = time.process_time() - start
    print(f"1 million votes on 100 systems, 250,000 prompts, 200 resamples: {seconds:.1f} s of processor time")


if __name__ == "__main__":
    main()

"""The row of the first screen about the ranking."""

from __future__ import annotations

import math

from assay.base.wording import choose_verb, count_noun, quote
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.measured import Measurements
from assay.checks.topics import KeyNumber, topic
from assay.discrimination.lambdas.verdicts import DISCRIMINATES
from assay.evaluation.view import write_difference
from assay.votes import VoteRatings

MAX_NAMES = 3  # of systems that may be first


@topic(
    "ranking",
    order=50,
    title="Ranking",
    question="Can it tell systems apart?",
    why="A difference between two systems can be chance, and the order changes with other items.",
    effect="Ranks rest on differences of up to about {points} that can be chance",
    section="discrimination",
)
def measure_ranking(measured: Measurements) -> KeyNumber | None:
    """Return how many systems may be first, or the difference that can be distinguished."""
    discrimination = measured.find(DiscriminationEvidence)
    votes = measured.find(VoteRatings)
    if votes is not None:
        rated = [row for row in votes.ratings if row.rank is not None]
        return _count_firsts([row.system for row in rated if row.rank_low == 1], len(rated), " by the votes", "votes")
    if discrimination is None:
        return None
    if discrimination.basis != "quick models" and discrimination.n_systems > 1:
        benchmarks = discrimination.find_ranked()
        if benchmarks:
            firsts = {name: [row.system for row in rows if row.rank_low == 1] for name, rows in benchmarks.items()}
            name = max(firsts, key=lambda name: len(firsts[name]) / len(benchmarks[name]))
            where = f" on {name}" if len(benchmarks) > 1 else ""
            return _count_firsts(firsts[name], len(benchmarks[name]), where, "discrimination")
        if discrimination.datasets:
            apart = sum(row.verdict == DISCRIMINATES for row in discrimination.datasets)
            datasets = count_noun(len(discrimination.datasets), "dataset")
            unit = f"of {datasets} {choose_verb(apart, 'tells its', 'tell their')} systems apart"
            return KeyNumber(float(apart), f"{apart}", unit, "discrimination")
    difference = discrimination.difference
    if difference is None or not math.isfinite(difference.value):
        return None
    number, _, noun = write_difference(difference.value, has_shares=difference.has_shares).partition(" ")
    unit = f"{noun} are needed" if noun else "is the difference needed"
    return KeyNumber(difference.value, number, f"{unit} to tell two systems apart", "discrimination")


def _count_firsts(firsts: list[str], n_systems: int, where: str, section: str) -> KeyNumber:
    """Count the systems that may be first, and name them if they are few."""
    names = f": {', '.join(map(quote, firsts))}" if 0 < len(firsts) <= MAX_NAMES else ""
    unit = f"of {count_noun(n_systems, 'system')} may be first{where}{names}"
    return KeyNumber(float(len(firsts)), f"{len(firsts)}", unit, section)

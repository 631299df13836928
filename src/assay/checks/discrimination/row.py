"""The row of the first screen about the ranking."""

from __future__ import annotations

from dataclasses import replace

from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import NotChecked
from assay.checks.measured import Measurements
from assay.checks.topics import KeyNumber, topic
from assay.discrimination.lambdas.verdicts import CANNOT_TELL, DISCRIMINATES
from assay.votes import VoteRatings
from assay.wording.sentences import choose_verb, count_noun, quote

NO_DIRECTION = "mean-score"  # the metric of scores of items; if they are no shares, they may be errors
MAX_NAMES = 3  # of systems that may be first
MAX_OPEN_SHARE = 0.5  # of the systems: if more may be first, nobody is
MIN_APART_SHARE = 0.5  # of the datasets: if fewer tell their systems apart, the row is open


@topic(
    "ranking",
    order=50,
    title="Ranking",
    question="Can it tell systems apart?",
    why="A difference between two systems can be chance, and the order changes with other items.",
    section="discrimination",
)
def measure_ranking(measured: Measurements) -> KeyNumber | NotChecked | None:
    """Return how many systems may be first, or how many datasets tell their systems apart."""
    discrimination = measured.find(DiscriminationEvidence)
    votes = measured.find(VoteRatings)
    if votes is not None:
        rated = [row for row in votes.ratings if row.rank is not None]
        return _count_firsts([row.system for row in rated if row.rank_low == 1], len(rated), " by the votes", "votes")
    if discrimination is None:
        return None  # the check says why
    if discrimination.basis == "quick models":
        return NotChecked("No system was given. This needs predictions, scores or logs of at least two systems.")
    if discrimination.n_systems > 1:
        benchmarks = discrimination.find_ranked()
        if benchmarks:
            firsts = {name: [row.system for row in rows if row.rank_low == 1] for name, rows in benchmarks.items()}
            name = max(firsts, key=lambda name: len(firsts[name]) / len(benchmarks[name]))
            where = f" on {name}" if len(benchmarks) > 1 else ""
            if discrimination.metric == NO_DIRECTION and not discrimination.has_shares:
                where += " if higher is better"
            n_systems = discrimination.n_systems if len(benchmarks) == 1 else len(benchmarks[name])
            number = _count_firsts(firsts[name], len(benchmarks[name]), where, "discrimination", n_systems)
            return _say_that_datasets_are_few(number, discrimination, name)
        if discrimination.datasets:
            if all(row.verdict == CANNOT_TELL for row in discrimination.datasets):
                return NotChecked(
                    "The sampling errors of the scores are not known. This needs their n_items or standard errors."
                )
            apart = sum(row.verdict == DISCRIMINATES for row in discrimination.datasets)
            datasets = count_noun(len(discrimination.datasets), "dataset")
            unit = f"of {datasets} {choose_verb(apart, 'tells its', 'tell their')} systems apart"
            is_open = apart < MIN_APART_SHARE * len(discrimination.datasets)
            return KeyNumber(float(apart), f"{apart}", unit, "discrimination", ("A501",), is_open=is_open)
        return None
    return NotChecked("Only one system was given. This needs at least two.")


def _say_that_datasets_are_few(number: KeyNumber, discrimination: DiscriminationEvidence, name: str) -> KeyNumber:
    """Add how many datasets cannot exclude any system from the first place."""
    rows = discrimination.find_ranked()[name]
    summary = next((row for row in discrimination.benchmarks if row.benchmark == name), None)
    if summary is None or summary.ranked_over != "datasets" or number.value < len(rows):
        return number
    datasets = count_noun(discrimination.count_datasets(name), "dataset")
    return replace(number, unit=f"{number.unit}: {datasets} cannot exclude any, with all pairs compared")


def _count_firsts(firsts: list[str], n_ranked: int, where: str, section: str, n_systems: int = 0) -> KeyNumber:
    """Count the systems that may be first, and name them if they are few; open if these are most of several."""
    names = f": {', '.join(map(quote, firsts))}" if 0 < len(firsts) <= MAX_NAMES else ""
    ranked = f" that could be ranked ({n_systems:,} were given)" if n_systems > n_ranked else ""
    unit = f"of {count_noun(n_ranked, 'system')}{ranked} may be first{where}{names}"
    is_open = len(firsts) > max(1, MAX_OPEN_SHARE * n_ranked)
    return KeyNumber(float(len(firsts)), f"{len(firsts):,}", unit, section, ("A502", "A722"), is_open=is_open)

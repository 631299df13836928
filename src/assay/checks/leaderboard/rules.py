"""Rules on the datasets of a leaderboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.base.errors import join_names
from assay.checks.findings import NotChecked, Outcome, exact_number, make_finding, rule
from assay.checks.leaderboard.results import LeaderboardEvidence
from assay.wording.numbers import format_number
from assay.wording.sentences import count_noun, quote

MAX_TAU = 0.3  # below, a dataset orders two of three pairs as the others do, or fewer
MIN_DATASETS = 4
MIN_SYSTEMS = 10


@rule("A521", "Datasets that rank systems differently", section="leaderboard")
def find_deviating_datasets(board: LeaderboardEvidence) -> Iterator[Outcome]:
    """Report datasets whose order of systems hardly agrees with that of the other datasets."""
    usable = [row for row in board.measures if len(row.agreement) >= MIN_DATASETS]
    rows = [entry for row in usable for entry in row.agreement if entry.n_systems >= MIN_SYSTEMS]
    if not rows:
        yield NotChecked(f"At least {MIN_DATASETS} datasets with {MIN_SYSTEMS} systems are needed.")
        return
    deviating = sorted((row for row in rows if row.tau.high < MAX_TAU), key=lambda row: row.tau.value)
    if deviating:
        repeated = Counter(row.dataset for row in rows)
        titles = [
            quote(row.dataset) if repeated[row.dataset] == 1 else f"{quote(row.dataset)} by {row.metric}"
            for row in deviating
        ]
        taus = [format_number(round(row.tau.value, 2)) for row in deviating]
        names = join_names([f"{title} (rank correlation {tau})" for title, tau in zip(titles, taus, strict=True)])
        noun = "ranks" if len(deviating) == 1 else "rank"
        yield make_finding(
            "note",
            f"{count_noun(len(deviating), 'dataset')} of {len(rows)} {noun} systems unlike the others: {names}.",
            "Check their gold labels and sizes; report them apart if they measure another ability.",
            exact_number(len(deviating)),
            n=len(rows),
        )

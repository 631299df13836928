"""Totals of an evaluation harness that the items of its logs do not give."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.findings import NotChecked, Outcome, exact_number, make_finding, rule
from assay.checks.profile.results import ProfileEvidence
from assay.wording.sentences import choose_verb, count_noun

MAX_SHOWN = 5


@rule("A112", "Totals of the harness differ", section="profile", topic="ranking")
def find_total_differences(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report scores of a harness that differ from the mean score of the items in its logs.

    What: The harness reports a score for each task and metric, and the log has the scores of items. The mean of the
    items is compared with the score of the harness, after repeats of an item are reduced as the harness does it.

    When: A warning if a score differs by more than 0.001.

    Do: Check that the logs have all items, and that the harness averages items with equal weights.

    Limits: Metrics of a whole corpus, such as perplexity, are not means of items and are not compared.
    """
    differences = profile.total_differences
    if differences is None:
        yield NotChecked("The data is from no logs, or its logs have no totals.")
        return
    if not differences:
        return
    n, first = len(differences), max(differences, key=lambda row: abs(row.value - row.total))
    verb = choose_verb(n, "differs", "differ")
    claim = (
        f"{count_noun(n, 'score')} of the harness {verb} from the items of the logs: {first.metric} of {first.system} "
        f"on {first.task} is {first.value:.4g} over {count_noun(first.n_items, 'item')}, the harness reports "
        f"{first.total:.4g}."
    )
    action = "Check that the logs have all items of the run; report the scores of the harness until this is explained."
    evidence = {"differences": " ".join(row.describe() for row in differences[:MAX_SHOWN])}
    yield make_finding("warning", claim, action, exact_number(n), n=n, evidence=evidence)

"""Rules on the results of systems: discrimination, ranks, items and gold labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from assay.base.errors import join_names
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import Finding, NotChecked, Outcome, Severity, exact_number, make_finding, rule
from assay.checks.measured import Measurements
from assay.checks.suspects import find_judgement, report_suspects
from assay.discrimination import DatasetDiscrimination, SystemRank
from assay.discrimination.items.gold import SystemAgreement
from assay.discrimination.lambdas.verdicts import CANNOT_TELL, DOES_NOT_DISCRIMINATE, MIN_LAMBDA_SVA, MIN_LAMBDA_VAR
from assay.discrimination.subsets.proposals import is_crowded
from assay.evaluation.view import write_repeats, write_smallest_difference
from assay.statistics import Interval, wilson
from assay.wording.numbers import format_interval, format_p_value, format_percent
from assay.wording.sentences import choose_verb, count_noun, quote

MAX_SEPARATE_DATASETS = 3
MAX_FINDINGS = 10
MIN_SYSTEMS_FOR_ITEMS = 5
MIN_SYSTEMS_FOR_NEGATIVE_ITEMS = 6
UNINFORMATIVE_SHARE = 0.3
MIN_RELIABILITY = 0.7
MOSTLY_ONE_LABEL = 0.8
NO_PREDICTIONS = NotChecked("There are no predictions of systems.")
NO_SYSTEMS = NotChecked("There are neither predictions nor scores of systems.")
CLOSE = "close"
GIVE_ITEMS = "Give the predictions of the systems: scores alone cannot show whether systems differ beyond chance."
MORE_ITEMS = "More items narrow the intervals: four times as many halve them."
SIDES = {"above": "is above", "below": "is below", "around": "may be above or below"}
# λ_sva is the spread times the headroom of the mean, so the two may differ.
DISAGREEING_LAMBDAS = {
    ("below", "above"): "Scores are close together, with much room above them: more items would tell systems apart.",
    ("above", "below"): "Scores differ, but near the top: harder items would tell systems apart.",
}


@rule("A501", "Does not discriminate", section="discrimination", decides=True)
def find_no_discrimination(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report datasets on which systems do not differ beyond chance, and those if this is unclear.

    With quick models only the former is reported. Of scores without items only those that are close together are.
    More than three datasets make one finding.
    """
    quick = discrimination.basis == "quick models"
    rows = [row for row in discrimination.datasets if row.n_systems > 2 and not math.isnan(row.lambda_var.value)]
    if not rows:
        yield NotChecked("Fewer than three systems have scores.")
        return
    scores_only = [row for row in rows if row.verdict == CANNOT_TELL and row.verdict_basis != "interval"]
    if scores_only and not any(is_close(row) for row in scores_only):
        yield NotChecked("Scores without items cannot show whether systems differ beyond chance.")
    for verdict, report in (
        (DOES_NOT_DISCRIMINATE, report_no_discrimination),
        (CLOSE, report_close_scores),
        (CANNOT_TELL, report_unknown_discrimination),
    ):
        judged = [row for row in rows if row.verdict == verdict and row not in scores_only]
        if verdict == CLOSE:
            judged = [row for row in scores_only if is_close(row)]
        if quick and verdict == CANNOT_TELL:
            continue
        if len(judged) > MAX_SEPARATE_DATASETS:
            yield report_many_datasets(judged, len(rows), verdict)
        else:
            yield from (report(row, quick=quick) for row in judged)


def is_close(row: DatasetDiscrimination) -> bool:
    """Return whether scores are closer together than both reference values of Xiao et al."""
    return (
        row.scale == "percent"
        and place(row.lambda_var, MIN_LAMBDA_VAR) == "below"
        and place(row.lambda_sva, MIN_LAMBDA_SVA) in ("below", "")
    )


def report_close_scores(row: DatasetDiscrimination, *, quick: bool) -> Finding:
    """Report a dataset whose scores are close together, if items are not known."""
    claim = f"The scores of {name_systems(row, quick)} on {name_dataset(row)} are close together: {place_lambdas(row)}."
    return make_finding("note", claim, GIVE_ITEMS, row.lambda_var, n=row.n_items, subject=row.dataset)


def report_no_discrimination(row: DatasetDiscrimination, *, quick: bool) -> Finding:
    """Report a dataset that does not tell systems apart."""
    test = "their scores are equal" if math.isnan(row.p_equal) else format_p_value(row.p_equal)
    claim = (
        f"{name_dataset(row)} does not tell {name_systems(row, quick)} apart: their scores do not differ beyond chance "
        f"({test}); {place_lambdas(row)}."
    )
    sides = (place(row.lambda_var, MIN_LAMBDA_VAR), place(row.lambda_sva, MIN_LAMBDA_SVA))
    is_open = "around" in sides and not math.isnan(row.p_equal)
    severity: Severity = "note" if quick or is_open or row.verdict_basis != "interval" else "warning"
    action = f"Add harder items to {name_dataset(row)}, or retire it."
    if is_open:
        action = f"Add items to {name_dataset(row)} before judging it. {MORE_ITEMS}"
    if quick:
        action = "Measure it with the predictions of real systems before judging."
    return make_finding(severity, claim, action, row.lambda_var, n=row.n_items, subject=row.dataset)


def report_unknown_discrimination(row: DatasetDiscrimination, *, quick: bool) -> Finding:
    """Report a dataset for which this is unclear, and what would help."""
    claim = f"Cannot tell whether {name_dataset(row)} tells {name_systems(row, quick)} apart: {place_lambdas(row)}."
    sides = (place(row.lambda_var, MIN_LAMBDA_VAR), place(row.lambda_sva, MIN_LAMBDA_SVA))
    action = DISAGREEING_LAMBDAS.get(sides, MORE_ITEMS)
    return make_finding("note", claim, action, row.lambda_var, n=row.n_items, subject=row.dataset)


def report_many_datasets(judged: list[DatasetDiscrimination], n: int, verdict: str) -> Finding:
    """Report many datasets in one finding, those with the lowest λ first."""
    judged = sorted(judged, key=lambda row: row.lambda_var.value)
    names = join_names((name_dataset(row) for row in judged), 5)
    count = f"{len(judged)} of {count_noun(n, 'dataset')} (each metric separately)"
    if verdict == DOES_NOT_DISCRIMINATE:
        claim = f"{count} do not tell their systems apart beyond chance: {names}."
        action = "Add harder items to them, or retire them; the table of datasets has a proposal for each."
    elif verdict == CLOSE:
        claim = (
            f"The scores of systems are close together on {count}, with a spread below 3 points (λ_var; λ_sva below 28): "
            f"{names}."
        )
        action = GIVE_ITEMS
    else:
        claim = f"Cannot tell for {count} whether they tell systems apart: {names}."
        action = (
            "Give the predictions of the systems, so that the spread of scores gets an interval; look at the scores."
        )
    evidence = {"datasets": join_names((row.dataset for row in judged), 10)}
    return make_finding("note", claim, action, exact_number(len(judged)), n=n, evidence=evidence)


def place_lambdas(row: DatasetDiscrimination) -> str:
    """Say on which side of its reference value each λ is."""
    parts = []
    for symbol, estimate, threshold in (
        ("the spread of the scores (λ_var)", row.lambda_var, MIN_LAMBDA_VAR),
        ("the spread times headroom (λ_sva)", row.lambda_sva, MIN_LAMBDA_SVA),
    ):
        if math.isnan(estimate.value):
            continue
        side = f" {SIDES[place(estimate, threshold)]} {threshold:g}" if row.scale == "percent" else ""
        if estimate.low == estimate.high:
            estimate = exact_number(estimate.value)
        parts.append(f"{symbol} {format_interval(estimate)}{side}")
    return ", ".join(parts)


def place(estimate: Interval, threshold: float) -> str:
    """Tell on which side of its threshold a λ is: around, if the interval contains it."""
    if math.isnan(estimate.value):
        return ""
    if math.isnan(estimate.low):
        estimate = replace(estimate, low=estimate.value, high=estimate.value)
    return "above" if estimate.low >= threshold else "below" if estimate.high < threshold else "around"


def name_dataset(row: DatasetDiscrimination) -> str:
    """Name a dataset, with its metric if it comes from a table of scores."""
    return quote(row.dataset) + ("" if row.n_items or not row.metric else f" ({row.metric})")


def name_systems(row: DatasetDiscrimination, quick: bool) -> str:
    """Say which systems are meant."""
    return count_noun(row.n_systems, "quick model" if quick else "system")


@rule("A502", "Several systems may be first", section="discrimination", decides=True)
def find_shared_first_place(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report the systems that cannot be distinguished from the first of their benchmark, by rank intervals."""
    if discrimination.basis == "quick models":
        yield NO_SYSTEMS
        return
    ranked = discrimination.find_ranked()
    needed = discrimination.items[0].items_needed_first_two if discrimination.items else math.nan
    shared = [(name, rows) for name, rows in ranked.items() if len(rows) > 2 and len(tied_first(rows)) > 1]
    for name, rows in shared[:MAX_FINDINGS]:
        first = tied_first(rows)
        where = f" on {quote(name)}" if len(ranked) > 1 else ""
        given = discrimination.n_systems if len(ranked) == 1 else len(rows)
        could = f" that could be ranked ({given:,} were given)" if given > len(rows) else ""
        summary = next((each for each in discrimination.benchmarks if each.benchmark == name), None)
        if summary is None or not summary.has_gaps:
            over = ""
            if summary is not None and summary.ranked_over == "datasets":
                over = f" over {count_noun(discrimination.count_datasets(name), 'dataset')}"
            reason = describe_firsts(rows, len(first), over)
        else:
            unit = "datasets" if summary.ranked_over == "datasets" else "items"
            better = "no system is" if len(first) == len(rows) else "no other system is"
            than = "another" if len(first) == len(rows) else "one of these"
            reason = f"{better} significantly better than {than} on the {unit} that both have, with all pairs compared"
        claim = f"{len(first):,} of {len(rows):,} systems{could} may be first{where}: {reason}."
        action = "Publish rank intervals instead of ranks."
        if len(ranked) == 1 and needed and math.isfinite(needed):
            action += f" About {float(f'{needed:.2g}'):,.0f} items like these would separate the first two."
        evidence = {"systems": join_names(first, 10)}
        subject = name if len(ranked) > 1 else ""
        yield make_finding(
            "note", claim, action, exact_number(len(first)), n=len(rows), subject=subject, evidence=evidence
        )


def describe_firsts(rows: list[SystemRank], n_first: int, over: str = "") -> str:
    """Name the system with the best score and how many share it, and count those that may be as good."""
    n_best = sum(row.score == rows[0].score for row in rows[:n_first])
    best = f"{quote(rows[0].system)} scores best"
    if n_best > 1:
        best = f"{quote(rows[0].system)} and {count_noun(n_best - 1, 'other')} have the same best score"
    if n_best == n_first:
        return best
    others = count_noun(n_first - n_best, "other" if n_best == 1 else "system")
    them = "it" if n_best == 1 else "them"
    return f"{best}, and {others} cannot be distinguished from {them}{over} with all pairs of systems compared at once"


def tied_first(rows: list[SystemRank]) -> list[str]:
    """Name the systems whose rank interval begins at 1."""
    return [row.system for row in rows if row.rank_low == 1]


@rule("A503", "Uninformative items", section="discrimination", topic="difficulty", decides=True)
def find_uninformative_items(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report if more than 30% of the items are answered alike by all of at least five systems."""
    if discrimination.basis != "predictions" or discrimination.n_systems < MIN_SYSTEMS_FOR_ITEMS:
        yield NotChecked(f"Fewer than {MIN_SYSTEMS_FOR_ITEMS} systems have predictions.")
        return
    for items in discrimination.items or ():
        share = wilson(items.n_all_right + items.n_all_wrong, max(items.n_judged, 1))
        if share.low > UNINFORMATIVE_SHARE:
            n_systems = discrimination.n_systems
            which = (
                "items" if items.n_judged == items.n_items else f"{items.n_judged:,} items that all systems answered"
            )
            claim = f"{format_interval(share, 'percent')} of the {which} do not distinguish between the {n_systems} systems: "
            if items.has_right_answers:
                claim += f"all answer {items.n_all_right:,} correctly and {items.n_all_wrong:,} wrongly."
            else:
                ends = f"{items.n_all_right:,}, and the worst one on {items.n_all_wrong:,}"
                claim += f"all have the best {items.outcome or items.metric} on {ends}."
            action = "Keep them for new systems, but add items of medium difficulty."
            yield make_finding("note", claim, action, share, n=items.n_judged)


@rule("A504", "Items with negative discrimination", section="discrimination", topic="labels")
def find_negative_items(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report items that contradict the ranking at 5% false discoveries; fewer than six systems cannot tell."""
    negative = discrimination.negative
    if negative is None or discrimination.basis != "predictions":
        yield NO_PREDICTIONS
        return
    items = negative.items
    share = wilson(items.count, max(items.n, 1))
    if negative.n_systems < MIN_SYSTEMS_FOR_NEGATIVE_ITEMS:
        claim = (
            f"Cannot tell whether items have negative discrimination: {count_noun(negative.n_systems, 'system')} "
            f"{choose_verb(negative.n_systems, 'is', 'are')} too few; at least {MIN_SYSTEMS_FOR_NEGATIVE_ITEMS}, better "
            "20, would be needed."
        )
        yield make_finding("note", claim, "Collect the predictions of more systems.", share, n=items.n)
    elif items.count:
        claim = (
            f"{count_noun(items.count, 'item')} of {items.n:,} ({format_interval(share, 'percent')}) have "
            "negative discrimination: "
            "the better a system is on the other items, the more often it is wrong here."
        )
        action = f"Check the gold labels of these items first.{describe_one_label(negative.labels)}"
        yield make_finding("note", claim, action, share, n=items.n, items=items.ids)


def describe_one_label(labels: dict[str, int]) -> str:
    """Warn if nearly all of these items have one gold label: then better systems may only give it less often.

    >>> describe_one_label({"no": 1, "yes": 9})[:52]
    ' Nearly all (9 of 10) have the gold label "yes", whi'
    """
    n = sum(labels.values())
    if n < 10:
        return ""
    label, count = max(labels.items(), key=lambda entry: entry[1])
    if count < MOSTLY_ONE_LABEL * n:
        return ""
    return (
        f" Nearly all ({count} of {n}) have the gold label {quote(label)}, which better systems may only give less "
        "often: hard items, not wrong labels."
    )


@rule("A505", "System or labels reversed", section="discrimination", topic="labels")
def find_reversed_systems(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report systems that agree with the gold labels less than chance would; most of them point at the labels."""
    if discrimination.basis != "predictions":
        yield NO_PREDICTIONS
        return
    rows = discrimination.agreement
    reversed_systems = [row for row in rows if row.is_reversed]
    if len(reversed_systems) > 1 and len(reversed_systems) * 2 > len(rows):
        yield report_reversed_labels(reversed_systems, len(rows))
        return
    for row in reversed_systems:
        claim = (
            f"{quote(row.system)} agrees with the gold labels less than chance would (kappa "
            f"{format_interval(row.kappa)})."
        )
        action = "Check whether the labels in this prediction file are swapped."
        yield make_finding("warning", claim, action, row.kappa, n=row.n, subject=row.system)


def report_reversed_labels(rows: list[SystemAgreement], n_systems: int) -> Finding:
    """Report that most systems contradict the gold labels."""
    worst = min(rows, key=lambda row: row.kappa.value)
    claim = (
        f"{len(rows)} of {n_systems} systems agree with the gold labels less than chance would, such as "
        f"{quote(worst.system)} (kappa {format_interval(worst.kappa)}): the gold labels look reversed."
    )
    action = "Check how labels are coded in the data and in the predictions."
    evidence = {"systems": join_names((row.system for row in rows), 10)}
    return make_finding("error", claim, action, worst.kappa, n=worst.n, evidence=evidence)


@rule("A506", "Unreliable scores", section="discrimination")
def find_unreliable_scores(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report a reliability (Cronbach's alpha over items) below 0.7 with at least five systems (Feldt's interval)."""
    if discrimination.basis != "predictions" or discrimination.n_systems < MIN_SYSTEMS_FOR_ITEMS:
        yield NotChecked(f"Fewer than {MIN_SYSTEMS_FOR_ITEMS} systems have predictions.")
        return
    for items in discrimination.items or ():
        alpha = items.reliability
        if not alpha.high < MIN_RELIABILITY:
            continue
        claim = (
            f"Scores are unreliable: alpha {format_interval(alpha)} over {items.n_items:,} items and "
            f"{discrimination.n_systems} systems, below {MIN_RELIABILITY}."
        )
        action = "Replace the items with negative discrimination."
        if alpha.value > 0:
            ratio = MIN_RELIABILITY * (1 - alpha.value) / max(alpha.value * (1 - MIN_RELIABILITY), 1e-9)
            action = f"About {round(items.n_items * ratio):,} items of this kind would reach {MIN_RELIABILITY}."
        yield make_finding("warning", claim, action, alpha, n=items.n_items)


@rule("A507", "Smallest detectable difference", section="discrimination", decides=True)
def report_detectable_difference(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report the difference that the first two systems need to be distinguished with 80% power; always a note."""
    difference = discrimination.difference
    if discrimination.basis != "predictions" or difference is None:
        yield NO_PREDICTIONS
        return
    if math.isnan(difference.value):
        reason = difference.reason or "the smallest difference is undefined"
        yield NotChecked(f"{reason[0].upper()}{reason[1:]}.")
        return
    claim, n = write_smallest_difference(difference), difference.n_items
    if discrimination.repeats is not None:
        claim += f" {write_repeats(discrimination.repeats, n, has_shares=difference.has_shares)}"
    action = "Treat smaller differences as ties; four times as many items halve this."
    yield make_finding("note", claim, action, exact_number(difference.value), n=n)


@rule("A508", "Saturated", section="discrimination")
def find_saturation(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report datasets with less than 2 points of headroom and at least three systems within a point of the best."""
    if discrimination.basis == "quick models":
        yield NO_SYSTEMS
        return
    crowded = [row for row in discrimination.datasets if is_crowded(row.headroom, row.upper, row.n_within_one)]
    repeated = Counter(row.dataset for row in discrimination.datasets)
    for row in crowded[:MAX_FINDINGS]:
        best = (row.upper - row.headroom) / 100
        share = wilson(best * row.n_items, row.n_items) if row.n_items and 0 <= best <= 1 else exact_number(best)
        subject = f"{row.dataset} ({row.metric})" if repeated[row.dataset] > 1 and row.metric else row.dataset
        claim = (
            f"{name_dataset(row)} is saturated: the best system has {100 * best:.4g} of 100, and "
            f"{row.n_within_one - 1} others are within one point of it."
        )
        yield make_finding(
            "warning",
            claim,
            f"Add harder items to {name_dataset(row)}, or retire it.",
            share,
            n=row.n_items,
            subject=subject,
        )


@rule("A509", "Systems contradict the gold label", section="discrimination", topic="labels", decides=True)
def find_contradicted_labels(discrimination: DiscriminationEvidence, measured: Measurements) -> Iterator[Outcome]:
    """Report items that are probably bad by the systems' answers alone, by the same rule as A108."""
    if discrimination.suspects is None or discrimination.basis != "predictions":
        yield NO_PREDICTIONS
        return
    if find_judgement(measured) != ("A509", discrimination.suspects):
        yield NotChecked("The labels are judged by the answers together with all other evidence (A108).")
        return
    yield from report_suspects(discrimination.suspects)


@rule("A510", "System below a trivial baseline", section="discrimination")
def find_below_baseline(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report systems that are right less often than a constant answer would be, with 95% confidence over all systems."""
    if discrimination.basis != "predictions":
        yield NO_PREDICTIONS
        return
    rows = discrimination.below_baseline
    if not rows:
        return
    worst = min(rows, key=lambda row: row.accuracy.value)
    score = f"below a constant answer ({format_percent(worst.baseline)})"
    if len(rows) == 1:
        claim = f"{quote(worst.system)} scores {score}: {format_interval(worst.accuracy, 'percent')}."
        action = f"Check how {quote(worst.system)} was run and how its answers were read before ranking it."
    else:
        claim = (
            f"{len(rows):,} of {discrimination.n_systems} systems score {score} beyond chance, such as "
            f"{quote(worst.system)} with {format_interval(worst.accuracy, 'percent')}."
        )
        action = f"Check how these {len(rows)} systems were run and how their answers were read before ranking them."
    evidence = {"systems": join_names((row.system for row in rows), 10)}
    yield make_finding("warning", claim, action, worst.accuracy, n=worst.n, evidence=evidence)


@rule("A512", "All systems score the same", section="discrimination")
def find_equal_scores(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report datasets on which every system scores 0, has the best score, or has the same score."""
    if discrimination.basis == "quick models":
        yield NO_SYSTEMS
        return
    equal = [row for row in discrimination.datasets if are_scores_equal(row)]
    for row in equal[:MAX_FINDINGS]:
        who = {1: "The only system", 2: "Both systems"}.get(row.n_systems, f"All {row.n_systems:,} systems")
        where = f"on {name_dataset(row)}"
        severity: Severity = "warning"
        if row.headroom == 0:
            claim = f"{who} {choose_verb(row.n_systems, 'has', 'have')} the best possible {row.metric} {where}."
            action = f"Add harder items to {name_dataset(row)}, or retire it."
        elif row.mean == 0:
            claim = f"{who} {choose_verb(row.n_systems, 'scores', 'score')} 0 {where} ({row.metric})."
            action = (
                "Check how it was run before using these scores: limits, the form of answers, and the gold answers."
            )
        else:
            severity = "note"
            claim = f"{who} have the same {row.metric} {where}: {row.mean:.4g}."
            action = "Check whether these are different systems; equal scores rank nobody."
        yield make_finding(severity, claim, action, exact_number(row.mean), n=row.n_items, subject=row.dataset)


def are_scores_equal(row: DatasetDiscrimination) -> bool:
    """Return whether several systems have the same score, or a single one scores 0."""
    if row.n_systems < 2:
        return row.mean == 0 and row.headroom > 0
    return row.lambda_var.value <= 1e-9


@rule("A511", "Metrics disagree on the winner", section="discrimination")
def find_disagreeing_metrics(discrimination: DiscriminationEvidence) -> Iterator[Outcome]:
    """Report if the first place depends on the metric."""
    if discrimination.basis != "predictions" or len(discrimination.winners) < 2:
        yield NotChecked("Fewer than two metrics apply to these predictions.")
        return
    systems = list(dict.fromkeys(row.system for row in discrimination.winners))
    if len(systems) < 2:
        return
    names = ", ".join(f"{quote(row.system)} by {row.metric} ({row.value:.3f})" for row in discrimination.winners)
    claim = f"The first place depends on the metric: {names}."
    action = "Choose the metric before looking at scores, and report the others next to it."
    n = discrimination.n_test
    yield make_finding("note", claim, action, exact_number(len(systems)), n=n)

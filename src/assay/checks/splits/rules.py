"""Differences between training and test, and scores under splits that ask for more generalisation."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.checks.findings import NotChecked, Outcome, Severity, is_barely_above, make_finding, name_limit, rule
from assay.checks.measured import Measurements
from assay.checks.profile.results import ProfileEvidence
from assay.checks.splits.results import GIVEN, SplitsEvidence
from assay.features import GradeDrift
from assay.features.drift import FISHER
from assay.models.drops import LARGE_DROP, MIN_DROP
from assay.models.stress import SplitStress
from assay.splits.comparison.measuring import MEASURES
from assay.statistics import Interval, benjamini_hochberg
from assay.wording.numbers import format_interval, format_p_value, format_percent
from assay.wording.sentences import quote

FALSE_DISCOVERY_RATE = 0.05
LARGE_A_DISTANCE = 0.4  # a classifier tells the parts apart for 60% of the texts
MIN_LENGTH_SHIFT, LARGE_LENGTH_SHIFT = 0.03, 0.1  # distance of the probability from one half
MIN_LABEL_SHIFT, LARGE_LABEL_SHIFT = 0.03, 0.1
NEAR_SHIFT = 0.03  # of a threshold
SIGNIFICANT = 0.01
NO_PARTS = NotChecked("The data has no training and test parts to compare.")


def find_stress(splits: SplitsEvidence) -> list[SplitStress] | NotChecked:
    """Return how the quick model does under challenging splits, or why that says nothing."""
    if not splits.stress or splits.signal is None:
        return NotChecked("No model was trained under challenging splits.")
    if not splits.has_signal:
        return NotChecked("The quick model finds too little signal to lose any.")
    return list(splits.stress)


def describe_drop(stress: SplitStress, drop: Interval) -> str:
    """Say what a model scores on the same items under random folds and under a split."""
    draws = f", {stress.n_draws} draws" if stress.n_draws > 1 else ""
    return (
        f"{format_percent(stress.random_accuracy)} under random folds and {format_percent(stress.accuracy)} under the "
        f"{stress.split} split ({stress.n_items:,} items{draws}), {format_interval(drop, 'points')} less"
    )


def describe_reduction(stress: SplitStress) -> dict[str, str]:
    """Give kappa and the error reduction over the most frequent label, random folds first."""
    return {
        "kappa": f"{stress.random_kappa:.2f} → {stress.kappa:.2f}",
        "error reduction over the most frequent label": (
            f"{format_percent(stress.random_error_reduction)} → {format_percent(stress.error_reduction)}"
        ),
    }


@rule("A201", "Random split optimistic", section="splits", decides=True)
def find_optimistic_split(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report the largest drop from random folds to a challenging split, if above 2 points with 95% confidence.

    Both are scored on the same items. Intervals are over draws and items, corrected for the number of splits.
    """
    stress = find_stress(splits)
    if isinstance(stress, NotChecked):
        yield stress
        return
    if splits.hardest is None:
        yield NotChecked("No model was trained under challenging splits.")
        return
    hardest, drop = splits.hardest
    if drop.low > MIN_DROP:
        claim = (
            f"A random split is optimistic: on the same items the quick model scores {describe_drop(hardest, drop)}."
        )
        action = "Also report scores under challenging folds (assay split; the audit can write recommended ones)."
        evidence = describe_reduction(hardest)
        near = "2 points for a warning" if is_barely_above(drop, MIN_DROP) else ""
        n, subject = hardest.n_items, hardest.split
        yield make_finding("warning", claim, action, drop, n=n, subject=subject, evidence=evidence, limit=near)


@rule("A202", "Texts drift between parts", section="splits", decides=True)
def find_text_drift(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report divergences beyond chance at 5% false discoveries; a warning if a classifier sees them easily."""
    given = splits.comparisons.get(GIVEN)
    known = {} if given is None else {name: row for name, row in given.divergence.items() if not math.isnan(row.p)}
    if splits.compared is None or not known:
        yield NO_PARTS
        return
    adjusted = benjamini_hochberg([row.p for row in known.values()]).tolist()
    beyond = {name: row for (name, row), p in zip(known.items(), adjusted, strict=True) if p <= FALSE_DISCOVERY_RATE}
    if not beyond:
        return
    measure = "a_distance" if "a_distance" in beyond else next(iter(beyond))
    row = beyond[measure]
    learned, tested = splits.compared
    claim = (
        f"The texts of {tested} differ from those of {learned} beyond chance in {len(beyond)} of {len(known)} measures, "
        f"such as {MEASURES[measure]}: {row.value:.3g}{explain_a_distance(measure, row.value)}, while random "
        f"parts of these sizes give {row.null.low:.3g} to {row.null.high:.3g}."
    )
    severity: Severity = "warning" if measure == "a_distance" and row.value > LARGE_A_DISTANCE else "note"
    action = f"Say where scores are reported that {tested} differs from {learned}: scores reflect this shift too."
    evidence = {MEASURES[name]: f"{row.value:.3g} ({format_p_value(row.p)})" for name, row in beyond.items()}
    estimate = Interval(row.value, row.null.low, row.null.high, method="null")
    near = name_limit(row.value, LARGE_A_DISTANCE, 0.1, "60% of the texts") if measure == "a_distance" else ""
    yield make_finding(severity, claim, action, estimate, n=splits.n_compared, evidence=evidence, limit=near)


def explain_a_distance(measure: str, value: float) -> str:
    """Say what an A-distance means: how often the classifier is right, with as many texts from each part.

    >>> explain_a_distance("a_distance", 0.4)
    ' (it is right on 60% of the texts)'
    """
    return f" (it is right on {format_percent((2 + value) / 4)} of the texts)" if measure == "a_distance" else ""


@rule("A203", "Length drifts between parts", section="splits")
def find_length_drift(splits: SplitsEvidence, measured: Measurements) -> Iterator[Outcome]:
    """Report if a test text is longer (or shorter) than a training text in more than 53% of the pairs."""
    drift = splits.length_drift
    if drift is None or splits.compared is None:
        yield NO_PARTS
        return
    beyond = max(drift.longer.low - 0.5, 0.5 - drift.longer.high)
    if beyond <= MIN_LENGTH_SHIFT or drift.p > SIGNIFICANT:
        return
    longer = drift.longer.value > 0.5
    word = "longer" if longer else "shorter"
    probability = drift.longer.value if longer else 1 - drift.longer.value
    learned, tested = splits.compared
    profile = measured.find(ProfileEvidence)
    unit = "words" if profile is None else profile.data.length_unit
    claim = (
        f"Texts of {tested} are {word} than those of {learned}: {drift.mean_test:.1f} against {drift.mean_train:.1f} "
        f"{unit} on average; a random text of {tested} is {word} than a random text of {learned} with probability "
        f"{format_percent(probability)}."
    )
    severity: Severity = "warning" if beyond > LARGE_LENGTH_SHIFT else "note"
    near = name_limit(beyond, LARGE_LENGTH_SHIFT, NEAR_SHIFT, f"{50 + 100 * LARGE_LENGTH_SHIFT:.0f}%")
    action = f"Split again, or report scores on {tested} by length."
    yield make_finding(severity, claim, action, drift.longer, n=drift.n_test, limit=near)


@rule("A204", "Labels drift between parts", section="splits")
def find_label_drift(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report if label shares differ (chi-square, 1%) and 3% of the items would need another label to match.

    Grades are compared as numbers (Kolmogorov–Smirnov, 1%, a distance of 0.03).
    """
    if splits.grade_drift is not None and splits.compared is not None:
        yield from report_grade_drift(splits.grade_drift, splits.compared)
        return
    drift = splits.label_drift
    if drift is None or splits.compared is None:
        yield NO_PARTS
        return
    if drift.p > SIGNIFICANT or drift.distance < MIN_LABEL_SHIFT:
        return
    learned, tested = splits.compared
    shares = (
        f"{quote(drift.most.label)} has {format_percent(drift.most.train)} of {learned} and "
        f"{format_percent(drift.most.test)} of {tested}"
    )
    claim = (
        f"Labels differ between {learned} and {tested}: {format_percent(drift.distance)} of the items of one would "
        f"need another label to match the other (chi-square, {format_p_value(drift.p)}); {shares}."
    )
    if drift.test == FISHER:
        test = f"Fisher's test, corrected for the number of labels, {format_p_value(drift.p)}"
        claim = f"Labels differ between {learned} and {tested}: {shares} ({test})."
    severity: Severity = "warning" if drift.distance > LARGE_LABEL_SHIFT else "note"
    action = "Use a stratified split, or say that the label shares differ on purpose."
    estimate = Interval(drift.distance, math.nan, math.nan, method="total variation")
    near = name_limit(drift.distance, LARGE_LABEL_SHIFT, NEAR_SHIFT, f"{100 * LARGE_LABEL_SHIFT:.0f}%")
    yield make_finding(severity, claim, action, estimate, n=drift.n_test, limit=near)


def report_grade_drift(drift: GradeDrift, compared: tuple[str, str]) -> Iterator[Outcome]:
    """Report grades that differ between the parts."""
    if drift.p > SIGNIFICANT or drift.distance < MIN_LABEL_SHIFT:
        return
    learned, tested = compared
    claim = (
        f"Grades differ between {learned} and {tested}: {drift.mean_train:.3g} against {drift.mean_test:.3g} on "
        f"average; a grade of one would have to move by {drift.shift:.2g} on average to match the other "
        f"(Kolmogorov–Smirnov distance {drift.distance:.2f}, {format_p_value(drift.p)})."
    )
    severity: Severity = "warning" if drift.distance > LARGE_LABEL_SHIFT else "note"
    action = "Split by grade, or say that the grades differ on purpose."
    estimate = Interval(drift.distance, math.nan, math.nan, method="kolmogorov-smirnov")
    yield make_finding(severity, claim, action, estimate, n=drift.n_test)


@rule("A205", "Scores fall over time", section="splits")
def find_temporal_drift(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report a drop from random folds to the temporal split, on the same items, whose interval is above 0.

    The items are the same, so a change of the label shares over time is not counted here (see A204).
    """
    stress = find_stress(splits)
    if isinstance(stress, NotChecked):
        yield stress
        return
    rows = [row for row in stress if row.split == "temporal"]
    if not rows:
        yield NotChecked("The data has no dates.")
        return
    latest = rows[0]
    drop = latest.bound_drop()
    if drop.low > 0:
        claim = f"Scores fall over time: on the latest items the quick model scores {describe_drop(latest, drop)}."
        action = "Test on the latest items, and renew them regularly."
        severity: Severity = "warning" if drop.value >= MIN_DROP else "note"
        yield make_finding(severity, claim, action, drop, n=latest.n_items, evidence=describe_reduction(latest))
    elif drop.high > LARGE_DROP:
        needed = round(latest.n_items * (drop.high - drop.low) ** 2 / LARGE_DROP**2)
        claim = (
            f"Cannot tell whether scores fall over time: the drop is {format_interval(drop, 'points')}. About "
            f"{needed:,} dated test items would be needed to tell."
        )
        action = f"Date more items, about {needed:,} for the test part."
        yield make_finding("note", claim, action, drop, n=latest.n_items)


@rule("A206", "Test labels reversed", section="splits", topic="labels")
def find_reversed_labels(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report if a model that works within train agrees with the test labels less than chance would."""
    given = splits.given
    if given is None:
        yield NO_PARTS
        return
    if not given.within_train.low > 0 > given.test.high:
        return
    claim = (
        "The gold labels of test look reversed: a model agrees with held-out labels of train beyond chance (kappa "
        f"{format_interval(given.within_train)}), and with those of test less than chance would (kappa "
        f"{format_interval(given.test)})."
    )
    action = "Check how the labels of the parts were coded; one of them is probably swapped."
    yield make_finding("error", claim, action, given.test, n=given.n)

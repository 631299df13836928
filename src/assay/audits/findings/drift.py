"""Differences between training and test, and scores under splits that ask for more generalisation."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.audits.evidence.splits import GradeDrift, SplitsEvidence
from assay.audits.findings.base import NotChecked, Outcome, Severity, make_finding, rule, subtract_shares
from assay.base.wording import format_estimate, format_p_value, format_percent, format_points, quote
from assay.statistics import Interval, benjamini_hochberg

CHALLENGING_SPLITS = ("length", "rare-words", "wasserstein", "sds-k-means")
MIN_DROP = 0.02
MEASURES = {
    "jsd": "word distributions (Jensen–Shannon)",
    "oov": "words unseen in training",
    "overlap": "shared vocabulary",
    "wasserstein": "text vectors (Wasserstein)",
    "mmd": "text vectors (mean discrepancy)",
    "a_distance": "a classifier that tells the parts apart (A-distance)",
}
FALSE_DISCOVERY_RATE = 0.05
LARGE_A_DISTANCE = 0.4  # a classifier tells the parts apart for 60 % of the texts
MIN_LENGTH_SHIFT, LARGE_LENGTH_SHIFT = 0.03, 0.1  # distance of the probability from one half
MIN_LABEL_SHIFT, LARGE_LABEL_SHIFT = 0.03, 0.1
SIGNIFICANT = 0.01
NO_PARTS = NotChecked("The data has no training and test parts to compare.")


def linear_scores(splits: SplitsEvidence) -> dict[str, tuple[float, int]]:
    """Return accuracy and number of items of the linear model under each split."""
    return {score.split: (score.accuracy, score.n) for score in splits.scores if score.model == "linear"}


@rule("A201", "Random split optimistic", section="splits")
def find_optimistic_split(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report the largest drop from random folds to a challenging split, if above 2 points with 95 % confidence.

    Intervals are corrected for the number of splits (Bonferroni).
    """
    scores = linear_scores(splits)
    confidence = 1 - 0.05 / len(CHALLENGING_SPLITS)
    names = [name for name in CHALLENGING_SPLITS if name in scores]
    if "random" not in scores or not names:
        yield NotChecked("No model was trained under challenging splits.")
        return
    drops = {name: subtract_shares(scores["random"], scores[name], confidence) for name in names}
    hardest = max(drops, key=lambda name: drops[name].low)
    drop = drops[hardest]
    if drop.low > MIN_DROP:
        claim = (
            f"A random split is optimistic: the quick model scores {format_percent(scores['random'][0])} there and "
            f"{format_percent(scores[hardest][0])} under the {hardest} split, {format_points(drop)} less."
        )
        action = "Also report scores under challenging folds (assay split; the audit can write recommended ones)."
        yield make_finding("warning", claim, action, drop, n=scores[hardest][1], subject=hardest)


@rule("A202", "Texts drift between parts", section="splits")
def find_text_drift(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report divergences beyond chance at 5 % false discoveries; a warning where a classifier sees them easily."""
    rows = [row for row in splits.divergence if row.split == "given" and not math.isnan(row.p)]
    if splits.compared is None or not rows:
        yield NO_PARTS
        return
    adjusted = benjamini_hochberg([row.p for row in rows]).tolist()
    beyond = [row for row, p in zip(rows, adjusted, strict=True) if p <= FALSE_DISCOVERY_RATE]
    if not beyond:
        return
    row = next((row for row in beyond if row.measure == "a_distance"), beyond[0])
    learned, tested = splits.compared
    claim = (
        f"The texts of {tested} differ from those of {learned} beyond chance in {len(beyond)} of {len(rows)} measures, "
        f"such as {MEASURES[row.measure]}: {row.value:.3g}{explain_a_distance(row.measure, row.value)}, where random "
        f"parts of these sizes give {row.null_low:.3g} to {row.null_high:.3g}."
    )
    severity: Severity = "warning" if row.measure == "a_distance" and row.value > LARGE_A_DISTANCE else "note"
    action = "Say so where scores are reported: they reflect this shift, not only the task."
    evidence = {MEASURES[row.measure]: f"{row.value:.3g} ({format_p_value(row.p)})" for row in beyond}
    estimate = Interval(row.value, row.null_low, row.null_high, method="null")
    yield make_finding(severity, claim, action, estimate, n=splits.n_compared, evidence=evidence)


def explain_a_distance(measure: str, value: float) -> str:
    """Say what an A-distance means: how often the classifier is right, with as many texts from each part.

    >>> explain_a_distance("a_distance", 0.4)
    ' (it is right on 60 % of the texts)'
    """
    return f" (it is right on {format_percent((2 + value) / 4)} of the texts)" if measure == "a_distance" else ""


@rule("A203", "Length drifts between parts", section="splits")
def find_length_drift(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report where a test text is longer (or shorter) than a training text in more than 53 % of the pairs."""
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
    claim = (
        f"Texts of {tested} are {word} than those of {learned}: {drift.mean_test:.1f} against {drift.mean_train:.1f} "
        f"words on average; a random text of {tested} is {word} than a random text of {learned} with probability "
        f"{format_percent(probability)}."
    )
    severity: Severity = "warning" if beyond > LARGE_LENGTH_SHIFT else "note"
    yield make_finding(severity, claim, "Split again, or report scores by length.", drift.longer, n=drift.n_test)


@rule("A204", "Labels drift between parts", section="splits")
def find_label_drift(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report where label shares differ (chi-square, 1 %) and 3 % of the items would need another label to match.

    Grades are compared as numbers (Kolmogorov–Smirnov, 1 %, a distance of 0.03).
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
    claim = (
        f"Labels differ between {learned} and {tested}: {format_percent(drift.distance)} of the items of one would "
        f"need another label to match the other (chi-square, {format_p_value(drift.p)}); {quote(drift.label)} has "
        f"{format_percent(drift.share_train)} of {learned} and {format_percent(drift.share_test)} of {tested}."
    )
    severity: Severity = "warning" if drift.distance > LARGE_LABEL_SHIFT else "note"
    action = "Use a stratified split, or say that the label shares differ on purpose."
    estimate = Interval(drift.distance, math.nan, math.nan, method="total variation")
    yield make_finding(severity, claim, action, estimate, n=drift.n_test)


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
    """Report a drop from random folds to the temporal split whose interval is above 0."""
    scores = linear_scores(splits)
    if "random" not in scores or "temporal" not in scores:
        yield NotChecked("The data has no dates.")
        return
    drop = subtract_shares(scores["random"], scores["temporal"])
    n = scores["temporal"][1]
    if drop.low > 0:
        claim = (
            f"The quick model scores {format_percent(scores['random'][0])} on random folds and "
            f"{format_percent(scores['temporal'][0])} when it is trained on the past and tested on the future: "
            f"{format_points(drop)} less."
        )
        yield make_finding("warning", claim, "Test on the latest items, and renew them regularly.", drop, n=n)
    elif drop.high > 0.05:
        needed = round(n * (drop.high - drop.low) ** 2 / 0.05**2)
        claim = (
            f"Cannot tell whether scores fall over time: the drop is {format_points(drop)}. About {needed:,} dated "
            "test items would be needed to tell."
        )
        yield make_finding("note", claim, f"Date more items, about {needed:,} for the test part.", drop, n=n)


@rule("A206", "Test labels reversed", section="splits")
def find_reversed_labels(splits: SplitsEvidence) -> Iterator[Outcome]:
    """Report where a model that works within train agrees with the test labels less than chance would."""
    given = splits.given
    if given is None:
        yield NO_PARTS
        return
    if not given.within_train.low > 0 > given.test.high:
        return
    claim = (
        "The gold labels of test look reversed: a model agrees with held-out labels of train beyond chance (kappa "
        f"{format_estimate(given.within_train)}), and with those of test less than chance would (kappa "
        f"{format_estimate(given.test)})."
    )
    action = "Check how the labels of the parts were coded; one of them is probably swapped."
    yield make_finding("error", claim, action, given.test, n=given.n)

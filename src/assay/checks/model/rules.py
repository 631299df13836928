"""Rules on the quick models of a kind of task: splits that cost points, shortcuts, and questions that add nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.checks.findings import NotChecked, Outcome, Severity, is_barely_above, make_finding, rule
from assay.models.drops import MIN_DROP, OWN_UNITS, write_drop
from assay.models.quick.results import MIN_SIGNAL, QuickScore, QuickStress, QuickStudy
from assay.statistics import Interval
from assay.wording.numbers import format_interval, format_percent

MIN_SHORTCUT, LARGE_SHORTCUT = 0.05, 0.25  # of a score, of the lower end over a guess or the constant answer
MAIN_SHARE = 0.5  # of what the whole model learns, from which on a shortcut is most of it
IDLE_SHARE = 0.1  # of what the answers alone give, below which the question adds nothing
SHORTCUTS = {
    "length": "lengths",
    "overlap": "shared words",
    "frequent words": "the most frequent words",
    "style": "the style of the answers",
}


def list_shortcuts(model: QuickStudy) -> list[QuickScore]:
    """Return the scores of models of a shortcut that A415 judges; those of lengths only if A412 does not."""
    if math.isnan(model.floor) or model.whole is None:
        return []
    named = [name for name in SHORTCUTS if name != "length" or math.isnan(model.chance)]
    return [row for shortcut in named for row in model.list_shortcut_scores(shortcut)]


@rule("A207", "Harder splits cost points", section="model", topic="split", decides=True)
def find_costly_splits(model: QuickStudy) -> Iterator[Outcome]:
    """Report the largest drop of the quick model from random folds to a harder split, if above 2 points.

    Both are scored on the same items; 95% intervals are over draws and items, corrected for the number of splits.
    """
    if not model.stress or model.whole is None:
        yield NotChecked("No model was trained under harder splits.")
        return
    if model.hardest is None:
        yield NotChecked("The quick model finds too little signal to lose any.")
        return
    hardest, drop = model.hardest
    if drop.low > MIN_DROP:
        claim = (
            f"A random split is optimistic: on the same items the quick model scores {describe_drop(hardest, drop)}."
        )
        action = "Also report scores under harder splits (assay split)."
        change = f"{format_percent(hardest.random_error_reduction)} → {format_percent(hardest.error_reduction)}"
        evidence = {"error reduction over the constant answer": change}
        near = "0.02 for a warning" if is_barely_above(drop, MIN_DROP) else ""
        n, subject = hardest.n_items, hardest.split
        yield make_finding("warning", claim, action, drop, n=n, subject=subject, evidence=evidence, limit=near)


def describe_drop(stress: QuickStress, drop: Interval) -> str:
    """Say what a model scores on the same items under random folds and under a split."""
    draws = f", {stress.n_draws} draws" if stress.n_draws > 1 else ""
    return (
        f"{stress.metric} {stress.random_score:.3f} under random folds and {stress.score:.3f} under the {stress.split} "
        f"split ({stress.n_items:,} items{draws}), {write_drop(drop, stress.metric)} less"
    )


@rule("A415", "A shortcut predicts the answers", section="model", decides=True)
def find_model_shortcuts(model: QuickStudy) -> Iterator[Outcome]:
    """Report a model that sees only lengths, shared words, frequent words or style, and learns 5 points or more.

    It is a warning from 25 points on, or if it is half of what the whole model learns.
    """
    floor, whole, rows = model.floor, model.whole, list_shortcuts(model)
    if not rows or whole is None:
        yield NotChecked("There is no model of a shortcut for this task.")
        return
    for row in rows:
        gain = row.low - floor
        if not gain > MIN_SHORTCUT:
            continue
        share = (row.value - floor) / (whole.value - floor) if whole.value > floor else math.inf
        severity: Severity = "warning" if gain > LARGE_SHORTCUT or share > MAIN_SHARE else "note"
        score = Interval(row.value, row.low, row.high)
        claim = (
            f"A model that answers from {SHORTCUTS[row.shortcut]} alone scores {model.metric} {format_interval(score)}; "
            f"{describe_floor(model, floor)}, and the model that sees everything {whole.value:.3f}."
        )
        action = (
            f"Report the model that answers from {SHORTCUTS[row.shortcut]} alone next to every system, and balance the "
            "data if the shortcut is not the task."
        )
        stake = gain if severity != "note" and model.metric not in OWN_UNITS else math.nan
        yield make_finding(severity, claim, action, score, n=row.n, subject=row.model, stake=stake)


def describe_floor(study: QuickStudy, floor: float) -> str:
    """Say what a guess, or the constant answer, scores."""
    name = "the constant answer" if math.isnan(study.chance) else "a blind guess"
    return f"{name} scores {round(floor, 3) + 0.0:.3f}"


@rule("A416", "The question adds nothing", section="model", decides=True)
def find_idle_questions(model: QuickStudy) -> Iterator[Outcome]:
    """Report if the answers alone beat a guess by 3 points and the question adds less than 2, or a tenth of them."""
    blind = model.list_shortcut_scores("answers alone")
    gains = [gain for gain in model.gains if blind and gain.other == blind[0].model]
    if not blind or not gains or math.isnan(model.chance):
        yield NotChecked("There is no model of the answers alone for this task.")
        return
    score, gain = blind[0], gains[0]
    limit = max(MIN_DROP, IDLE_SHARE * (score.value - model.chance))
    if score.low - model.chance > MIN_SIGNAL and gain.high < limit:
        difference = Interval(gain.value, gain.low, gain.high)
        claim = (
            f"What the quick model learns, it learns from the answers alone ({score.value:.3f}, a blind guess "
            f"{model.chance:.3f}): seeing the {describe_question(model)} changes its score by "
            f"{write_drop(difference, model.metric)}."
        )
        action = "Report a system that does not see the question next to every system."
        yield make_finding("note", claim, action, difference, n=gain.n, subject=score.model)


def describe_question(study: QuickStudy) -> str:
    """Name what a model of the answers alone does not see."""
    return "prompt" if "prompt" in study.gains[0].model else "question"

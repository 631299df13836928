"""Tables and sentences of trained models: scores of fits, costs of harder splits, quick models, and studies of splits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assay.models.drops import MIN_DROP
from assay.views.blocks import Block, Column, Sentence, Table, Value, format_value, make_fact, make_table
from assay.views.values import Interval
from assay.wording.numbers import format_interval, format_number, format_p_value
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    from assay.models.quick.results import QuickStress, QuickStudy
    from assay.models.split_studies.stress_table import FamilyScore, StressTable
    from assay.models.split_studies.training_age import AgeStudy
    from assay.models.stress import SplitStress
    from assay.models.training import TrainingRun

SPLIT_NAMES = {"random": "random folds", "standard": "train → test"}
SIGNIFICANT = 0.05


def show_training(run: TrainingRun) -> Iterator[Block]:
    """Yield the score of every fit, and the mean score of every system."""
    numbers = [name for name in ("fold", "repeat") if any(getattr(fit, name) is not None for fit in run.fits)]
    rows: list[list[Value]] = [
        [fit.system, *(getattr(fit, name) for name in numbers), fit.n_train, fit.n_test, fit.accuracy]
        for fit in run.fits
    ]
    yield Table("Fits", ["system", *numbers, "train", "test", run.metric], rows, is_main=True)
    scores: dict[str, list[float]] = {}
    for fit in run.fits:
        scores.setdefault(fit.system, []).append(fit.accuracy)
    means = [f"{name} {format_value(sum(values) / len(values))}" for name, values in scores.items()]
    over = f", mean of {count_noun(len(run.fits) // len(scores), 'fit')}" if len(run.fits) > len(scores) else ""
    yield Sentence(
        f"{run.metric[:1].upper()}{run.metric[1:]} on held-out rows: {', '.join(means)}{over}.", is_verdict=True
    )


def show_stress(rows: Sequence[SplitStress]) -> Iterator[Block]:
    """Yield what harder splits cost a classifier."""
    yield from make_table(
        "What harder splits cost",
        rows,
        {
            "split": lambda row: row.split,
            "draws": lambda row: row.n_draws,
            "items": lambda row: row.n_items,
            Column("random folds", "percent"): lambda row: row.random_accuracy,
            Column("this split", "percent"): lambda row: row.accuracy,
            "drop, points": lambda row: scale_to_points(row.bound_drop()),
            Column("kappa, random folds", "rounded:2"): lambda row: row.random_kappa,
            Column("kappa", "rounded:2"): lambda row: row.kappa,
            Column("error reduction, random folds", "percent"): lambda row: row.random_error_reduction,
            Column("error reduction", "percent"): lambda row: row.error_reduction,
        },
        "The quick model on the same items under random folds and under the split. The interval of the drop (95%) is "
        "over draws and items; the interval in the finding and on "
        "the first screen is wider, because it holds for all splits together. "
        "Error reduction is over the most frequent label of training.",
    )


def scale_to_points(drop: Interval) -> Interval:
    """Return a difference of shares in points."""
    return Interval(100 * drop.value, 100 * drop.low, 100 * drop.high, drop.confidence, drop.method)


def show_quick_study(study: QuickStudy) -> Iterator[Block]:
    """Yield what the quick models score, what seeing more of an item gains, and what harder splits cost."""
    for row in study.scores:
        if row.shortcut == "model" and row.split == "random":
            method = f"A linear model that sees {row.sees}, out of fold on {format_number(row.n)} items; 95% interval."
            yield from make_fact(f"Quick model, {row.metric}", row, method)
    yield from make_fact("Blind guess", study.chance, "Expected score.")
    for gain in study.gains:
        method = f"Difference of {gain.metric} on the same items under random folds; 95% interval over items or groups."
        yield from make_fact(f"Gain over {gain.other} (sees {gain.sees})", gain, method)
    yield from make_table(
        "Quick models",
        [
            row
            for row in study.scores
            if row.split in SPLIT_NAMES and (row.metric == study.metric or row.shortcut == "model")
        ],
        {
            "split": lambda row: SPLIT_NAMES[row.split],
            "model": lambda row: row.model,
            "sees": lambda row: row.sees,
            "metric": lambda row: row.metric,
            "score": lambda row: row,
            "items": lambda row: row.n,
        },
        "Models learn from the training side of each split; intervals (95%) resample items, or groups as a whole. "
        "Trivial baselines have folds of their own, so a model that is also a baseline has a slightly different score "
        "there.",
        is_main=True,
    )
    yield from show_quick_stress(study.stress, study.metric)
    yield Sentence(write_quick_verdict(study), is_verdict=True)


def show_quick_stress(rows: Sequence[QuickStress], metric: str) -> Iterator[Block]:
    """Yield what harder splits cost a quick model of a kind of task."""
    yield from make_table(
        "What harder splits cost",
        rows,
        {
            "split": lambda row: row.split,
            "draws": lambda row: row.n_draws,
            "items": lambda row: row.n_items,
            Column("random folds", "rounded:3"): lambda row: row.random_score,
            Column("this split", "rounded:3"): lambda row: row.score,
            "drop": lambda row: row.bound_drop(),
            Column("error reduction, random folds", "percent"): lambda row: row.random_error_reduction,
            Column("error reduction", "percent"): lambda row: row.error_reduction,
        },
        f"{metric} of the quick model on the same items under random folds and under the split. The interval "
        "of the drop (95%) is over draws and items; the interval in the finding and on "
        "the first screen is wider, because it holds for all splits together. "
        "Error reduction is over the constant answer of training.",
    )


def write_quick_verdict(study: QuickStudy) -> str:
    """Say what the quick model scores, and what the hardest split costs it."""
    if study.whole is None:
        return f"No quick model of {study.title} was scored."
    score = f"The quick model of {study.title} scores {study.metric} {format_value(study.whole)} on random folds."
    if study.hardest is None:
        return score
    stress, drop = study.hardest
    verb = "costs" if drop.low > MIN_DROP else "costs, within chance,"
    return f"{score} The {stress.split} split {verb} {format_interval(drop, 'points')}."


def show_stress_table(result: StressTable) -> Iterator[Block]:
    """Yield the scores by family of splits, those on the new sample, and the models that change places."""
    errors = {error.split: error.mse for error in result.errors}
    columns = ["split", "model", "accuracy", "std", "error reduction", "draws", "test rows"]
    rows: list[list[Value]] = [
        [
            *(row.split, row.model, row.score, row.score_std, row.error_reduction, row.n_draws, row.n_test),
            *([errors[row.split]] if errors else []),
        ]
        for row in result.rows
    ]
    columns += ["MSE to new sample"] if errors else []
    yield Table("Scores by split family", columns, rows, is_main=True)
    sample = result.new_sample
    if sample is not None:
        domain = "in-domain" if sample.in_domain else "NOT in-domain"
        distance = format_value(sample.a_distance, "rounded:2")
        yield Sentence(f"New sample {sample.name}: A-distance {distance} ({domain}), {sample.n:,} rows.")
        yield from make_table(
            "New sample",
            sample.scores,
            {
                "model": lambda score: score.model,
                "accuracy": lambda score: score.score,
                "error reduction": lambda score: score.error_reduction,
            },
        )
    yield from make_table(
        "Rank flips",
        result.flips,
        {
            "splits": lambda flip: f"{flip.split} / {flip.other_split}",
            "better in the first": lambda flip: flip.better,
            "better in the second": lambda flip: flip.better_there,
        },
    )
    yield Sentence(write_stress_verdict(result.rows), is_verdict=True)


def write_stress_verdict(rows: Sequence[FamilyScore]) -> str:
    """Say under which split each model scores highest and lowest."""
    sentences = []
    for model in dict.fromkeys(row.model for row in rows):
        scores = sorted((row for row in rows if row.model == model), key=lambda row: row.score)
        ends = [f"{format_value(row.score)} under {row.split}" for row in (scores[-1], scores[0])]
        sentences.append(f"{model} scores {' and '.join(dict.fromkeys(ends))}.")
    return " ".join(sentences)


def show_age_study(study: AgeStudy) -> Iterator[Block]:
    """Yield scores by the age of the training data, their correlation, and the words that changed."""
    yield from make_table(
        f"Accuracy on the latest {study.n_test:,} rows (from {study.test_from}) by age of the training slice",
        [*study.slices, *study.halves],
        {
            "training": lambda row: row.slice,
            "model": lambda row: row.model,
            "gap (days)": lambda row: row.gap_days,
            "rows": lambda row: row.n_train,
            "accuracy": lambda row: row.score,
        },
        is_main=True,
    )
    yield from make_table(
        "Gap and score",
        study.correlations,
        {
            "model": lambda row: row.model,
            "Spearman": lambda row: row.spearman,
            Column("p", "p"): lambda row: row.spearman.p,
            "Pearson": lambda row: row.pearson,
            Column("p of Pearson", "p"): lambda row: row.pearson_p,
        },
    )
    yield from make_table(
        "Words whose share of a text changed",
        study.words,
        {
            "word": lambda row: row.word,
            "old half": lambda row: row.share_before,
            "recent half": lambda row: row.share_after,
            Column("p (FDR)", "p"): lambda row: row.p,
        },
        shows_words=True,
    )
    yield Sentence(write_age_verdict(study), is_verdict=True)


def write_age_verdict(study: AgeStudy) -> str:
    """Say for each model whether older training data lowers its score."""
    sentences = []
    for row in study.correlations:
        trend = row.spearman
        if not math.isfinite(trend.value):
            sentences.append(f"The scores of {row.model} do not depend on the age of the training data.")
            continue
        verb = "fall" if trend.value < 0 else "rise"
        doubt = "" if trend.p < SIGNIFICANT else ", which may be chance"
        value = f"Spearman {format_value(trend.value)}, {format_p_value(trend.p)}"
        sentences.append(f"The scores of {row.model} {verb} with the age of the training data ({value}){doubt}.")
    return " ".join(sentences)

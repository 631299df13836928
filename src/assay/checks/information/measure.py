"""The check of the labels: shortcuts, the information left beyond them, and doubtful labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark, Sample
from assay.checks.information.results import InformationEvidence
from assay.checks.suspects import describe_suspects, list_suspicion
from assay.features import label_shares_by_place
from assay.information import CueGroup, ItemTexts, WordCue, measure_cue_group, select_word_cues
from assay.information import measure_information as measure_task_information
from assay.information.cues.selection import select_function_words
from assay.models.split_drawing import RANDOM
from assay.statistics import Interval, cohen_kappa
from assay.suspects import Suspects, find_suspects
from assay.suspects.shares.contradictions import Contradictions, measure_contradictions
from assay.suspects.text_models import predict_out_of_fold

QUICK_CONTROLS = ("mlp-30", "boosting")
MAX_LISTED_CUES = 50
MAX_TRAINED_ON = (6_000, 30_000)
MAX_RETRAINED = 2_000
MIN_COPIES = 0.05  # of the items that repeat another one, from which on folds keep copies together
MIN_GROUPS = 10  # of copies, for five folds


@check(
    "information",
    InformationEvidence,
    order=70,
    title="Shortcuts and labels",
    question="Can a system win by shortcuts, and are the labels right?",
    topic="shortcuts",
    weight=5.0,
)
def measure_information(benchmark: Benchmark) -> CheckOutcome:
    """Measure task-specific information on a sample, search cues, and let a cross-validated model doubt labels."""
    settings = benchmark.settings
    sample = benchmark.draw(benchmark.classes, settings.choose(*MAX_TRAINED_ON))
    options: dict[str, Any] = {"controls": QUICK_CONTROLS} if settings.quick else {}
    result = measure_task_information(
        sample.data,
        cues=benchmark.cues[:MAX_LISTED_CUES],
        corpora=benchmark.take_corpora(sample.rows),
        texts=benchmark.count_texts(sample),
        groups=group_copies(benchmark, sample),
        **options,
        **settings.task_options,
    )
    suspects, contradictions = find_label_suspects(benchmark), find_contradictions(benchmark)
    agreement, n_trained = measure_agreement(benchmark)
    word_cues = find_word_cues(benchmark)
    evidence = InformationEvidence(
        shortcuts=result,
        word_cues=word_cues,
        function_words=measure_function_words(benchmark, word_cues),
        quick_accuracy=measure_quick_accuracy(benchmark),
        median_length=float(np.median(benchmark.corpus.lengths)),
        n_searched=len(benchmark.searched.rows),
        suspects=None
        if suspects is None
        else describe_suspects(
            suspects, benchmark.verdicts_on_items, None if benchmark.predictions else contradictions
        ),
        agreement=agreement,
        n_trained=n_trained,
        contradictions=contradictions,
    )
    rows = result.items.select("row", information="information", shortcut_solvable="shortcut_solvable")
    table = rows.with_columns(id=sample.data.ids.gather(rows["row"])).drop("row")
    if suspects is not None:
        table = table.join(list_suspicion(suspects), on="id", how="full", coalesce=True)
    return CheckOutcome(evidence, table)


def group_copies(benchmark: Benchmark, sample: Sample) -> list[int] | None:
    """Return the groups of exact copies if many items have one: a baseline would recognise items that it has seen."""
    if sample.data.groups is not None:
        return None
    groups = benchmark.exact_groups[sample.rows]
    n_groups = len(np.unique(groups))
    are_many = len(groups) - n_groups >= MIN_COPIES * len(groups)
    return groups.tolist() if are_many and n_groups >= MIN_GROUPS else None


def find_word_cues(benchmark: Benchmark) -> tuple[WordCue, ...]:
    """Return the words that make their label the likely one."""
    sample, labels = benchmark.searched, benchmark.filled.labels
    assert sample.data.labels is not None
    assert labels is not None
    place_shares = {row.place: row.shares for row in label_shares_by_place(benchmark.side_corpora, labels)}
    items, seed = ItemTexts(benchmark.take_corpora(sample.rows)), benchmark.settings.random_state
    cues = select_word_cues(benchmark.cues, items, sample.data.labels, place_shares, benchmark.language, seed)
    return tuple(cues)


def measure_function_words(benchmark: Benchmark, word_cues: tuple[WordCue, ...]) -> CueGroup | None:
    """Measure what a model scores that sees only the suspicious function words and numbers; None without any."""
    group = select_function_words(word_cues)
    if not group:
        return None
    try:
        models = benchmark.held_out
    except AssayError:
        return None
    rows, full = models.score_items(RANDOM)
    right = np.zeros(len(models.codes))
    right[rows] = full
    sample = benchmark.trainable
    items = ItemTexts([side.to_list() for side in sample.data.sides], benchmark.take_corpora(sample.rows))
    seed = benchmark.settings.random_state
    return measure_cue_group(group, benchmark.cues, items, models.codes, models.folds[RANDOM], right, seed)


def measure_quick_accuracy(benchmark: Benchmark) -> float | None:
    """Return the accuracy of the quick model on random folds; None if it could not be trained."""
    try:
        return float(benchmark.held_out.score_items(RANDOM)[1].mean())
    except AssayError:
        return None


def find_label_suspects(benchmark: Benchmark) -> Suspects | None:
    """Judge labels by out-of-fold predictions and the answers of systems; None if there is nothing to judge by."""
    try:
        models = benchmark.held_out
    except AssayError:
        return None
    sample = benchmark.trainable
    try:
        return find_suspects(
            sample.data,
            benchmark.predictions,
            models.average_probabilities(),
            duplicates=benchmark.exact_groups[sample.rows],
            text_model=False,
            random_state=benchmark.settings.random_state,
        )
    except AssayError:
        return None


def find_contradictions(benchmark: Benchmark) -> Contradictions | None:
    """Compare contradicted labels with those of right labels, by better models if the data is small.

    None for pairs: a model of words does not see how two texts relate, and is sure of wrong answers.
    """
    if benchmark.is_paired:
        return None
    try:
        models = benchmark.held_out
        table, codes = models.average_probabilities(), models.codes
        if len(benchmark.trainable.rows) <= MAX_RETRAINED:
            sample = benchmark.trainable
            better = predict_out_of_fold(
                sample.data, texts=benchmark.count_texts(sample), **benchmark.settings.task_options
            )
            table, codes = better.probabilities, codes[better.rows]
    except AssayError:
        return None
    return measure_contradictions(table, codes)


def measure_agreement(benchmark: Benchmark) -> tuple[Interval | None, int]:
    """Return the agreement of the audit's models with the labels on random folds, beyond chance, and the items."""
    try:
        models = benchmark.held_out
    except AssayError:
        return None, 0
    return cohen_kappa(models.average_probabilities().argmax(axis=1), models.codes), len(models.codes)

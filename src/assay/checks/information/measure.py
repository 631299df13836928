"""What the labels ask for beyond shortcuts, which shortcuts there are, and which labels are doubtful."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.information.results import (
    BaselineScore,
    ControlModel,
    Cue,
    CueGroup,
    InformationEvidence,
    NumberCue,
    ShortcutModel,
    WordCue,
)
from assay.checks.suspects import describe_suspects, list_suspicion
from assay.features import label_shares_by_place
from assay.information import Cue as FoundCue
from assay.information import ItemTexts, measure_cue_contexts
from assay.information import measure_information as measure_task_information
from assay.information.cues.context import measure_unexplained_label
from assay.information.cues.effects import measure_cue_effect
from assay.information.cues.features import build_cue_features
from assay.information.cues.word_kinds import explain_fragment, is_function_word, is_number, name_word_kind
from assay.models.split_drawing import RANDOM
from assay.statistics import Interval, cohen_kappa, wilson
from assay.suspects import Suspects, find_suspects
from assay.text.fragments import is_fragment
from assay.text.languages import ENGLISH, LanguageGuess

QUICK_CONTROLS = ("mlp-30", "boosting")
MAX_SHOWN_CUES = 30
MAX_TRAINED_ON = (6_000, 30_000)
NEARLY_ALWAYS = 0.9  # precision from which a word may give its label away
MIN_SURE_PRECISION, MIN_COVERAGE = 0.85, 0.01  # lower end of the precision, and share of the items
SIGNIFICANT = 0.001  # adjusted p; stricter than the search, so that chance raises nothing
MIN_LIFT, SUSPICIOUS_LIFT = 0.05, 0.1  # of the precision over the label's share
EXPECTED_CONTEXT = 0.6  # area under the curve from which the other words of a text call for the word
MIN_UNEXPLAINED = 0.05  # of a word's items of its label, to which the other words would not give the label
PLACES = {
    "word in a": " in the first text",
    "word in b": " in the second text",
    "word in a but not in b": " in the first text but not in the second",
    "word in b but not in a": " in the second text but not in the first",
}


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
    cues = benchmark.cues
    corpora = benchmark.take_corpora(sample.rows)
    texts = benchmark.count_texts(sample)
    result = measure_task_information(
        sample.data, cues=cues, corpora=corpora, texts=texts, **options, **settings.task_options
    )
    suspects = find_label_suspects(benchmark)
    agreement, n_trained = measure_agreement(benchmark)
    word_cues = tuple(select_word_cues(benchmark, cues))
    evidence = InformationEvidence(
        entropy=result.entropy,
        n_items=result.n_items,
        control=tuple(
            ControlModel(
                row.shortcuts,
                Interval(row.tsi, row.tsi_low, row.tsi_high, method="bootstrap"),
                row.nll,
                row.model,
                row.n_items,
            )
            for row in result.control
        ),
        baselines=tuple(
            BaselineScore(row.name, row.accuracy, row.low, row.high, row.n_items) for row in result.baselines
        ),
        shortcut_model=None
        if result.shortcut_model is None
        else ShortcutModel(result.shortcut_model.accuracy, result.shortcut_model.solved_share),
        cues=tuple(
            Cue(cue.token, cue.kind, cue.label, cue.precision, cue.coverage, cue.n_items, cue.p)
            for cue in cues[:MAX_SHOWN_CUES]
        ),
        word_cues=word_cues,
        function_words=measure_function_words(benchmark, cues, word_cues),
        quick_accuracy=measure_quick_accuracy(benchmark),
        median_length=float(np.median(benchmark.corpus.lengths)),
        number_cues=tuple(
            NumberCue(cue.token, cue.information, cue.information / result.entropy, cue.p, cue.n_items)
            for cue in cues
            if cue.kind == "number" and cue.p < SIGNIFICANT
        ),
        n_searched=len(benchmark.searched.rows),
        suspects=None if suspects is None else describe_suspects(suspects, benchmark.verdicts_on_items),
        agreement=agreement,
        n_trained=n_trained,
        notes=tuple(result.notes),
    )
    rows = result.items.select("row", information="information", shortcut_solvable="shortcut_solvable")
    table = rows.with_columns(id=sample.data.ids.gather(rows["row"])).drop("row")
    if suspects is not None:
        table = table.join(list_suspicion(suspects), on="id", how="full", coalesce=True)
    return CheckOutcome(evidence, table)


def select_word_cues(benchmark: Benchmark, cues: list[FoundCue]) -> list[WordCue]:
    """Return the words that make their label the likely one, each word once, the most significant first."""
    data, everything = benchmark.searched.data, benchmark.filled
    assert data.labels is not None
    assert everything.labels is not None
    counts = dict(data.labels.value_counts().iter_rows())
    shares = {name: counts[name] / len(data) for name in data.label_names}
    by_place = label_shares_by_place(benchmark.side_corpora, everything.labels)
    place_shares = {row.place: row.shares for row in by_place}
    likely = min(0.5, max(shares.values()))
    corpus = benchmark.corpus.take(benchmark.searched.rows)
    language = benchmark.language
    contexts = measure_cue_contexts(cues, corpus, data.labels.to_list(), benchmark.settings.random_state, language)
    chosen: list[WordCue] = []
    used: set[str] = set()
    for cue, context in zip(cues, contexts, strict=True):
        if cue.kind == "number" or cue.label not in shares:
            continue
        if is_fragment(cue.token, is_english=language.may_be_english):
            continue
        place = cue.kind.replace("pair ", "")
        place_share = place_shares.get(place, shares).get(cue.label, shares[cue.label])
        precision = wilson(round(cue.precision * cue.n_items), cue.n_items)
        lift = precision.low - max(shares[cue.label], place_share)
        words = set(cue.token.split())
        if not (cue.p < SIGNIFICANT and cue.precision >= likely and lift > MIN_LIFT) or words & used:
            continue
        used |= words
        suspicious = is_suspicious(cue, context, lift, precision.low, language)
        if suspicious and needs_context(cue, language):
            suspicious = context is not None and context.high < EXPECTED_CONTEXT
            if not suspicious:
                is_label = (data.labels == cue.label).to_numpy()
                rest = measure_unexplained_label(corpus, words, is_label, benchmark.settings.random_state)
                suspicious = rest.low >= MIN_UNEXPLAINED
        chosen.append(
            WordCue(
                token=cue.token,
                origin=explain_fragment(cue.token, language),
                word_kind=name_word_kind(cue.token, language),
                place=PLACES.get(place, ""),
                label=cue.label,
                precision=precision,
                coverage=cue.coverage,
                n_items=cue.n_items,
                p=cue.p,
                label_share=shares[cue.label],
                place_share=place_share,
                suspicious=suspicious,
                several_words=" " in cue.token,
            )
        )
    return chosen


def measure_function_words(
    benchmark: Benchmark, cues: list[FoundCue], word_cues: tuple[WordCue, ...]
) -> CueGroup | None:
    """Measure what a model scores that sees only the suspicious function words and numbers; None without any."""
    chosen = {cue.token for cue in word_cues if cue.suspicious and cue.word_kind.split()[0] in ("function", "number")}
    if not chosen:
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
    features = build_cue_features(items, min_items=2)
    group = [cue for cue in cues if cue.token in chosen]
    effect = measure_cue_effect(
        features, group, models.codes, models.folds[RANDOM], right, benchmark.settings.random_state
    )
    return CueGroup(tuple(dict.fromkeys(cue.token for cue in word_cues if cue.token in chosen)), effect)


def measure_quick_accuracy(benchmark: Benchmark) -> float | None:
    """Return the accuracy of the quick model on random folds; None if none could be trained."""
    try:
        return float(benchmark.held_out.score_items(RANDOM)[1].mean())
    except AssayError:
        return None


def needs_context(cue: FoundCue, language: LanguageGuess = ENGLISH) -> bool:
    """Return whether a word may be a word of the topic rather than an artefact."""
    return bool(cue.kind != "number" and cue.precision >= NEARLY_ALWAYS and not is_function_word(cue.token, language))


def is_suspicious(
    cue: FoundCue, context: Interval | None, lift: float, lowest: float, language: LanguageGuess = ENGLISH
) -> bool:
    """Return whether a word is an artefact rather than the task."""
    expected = context is not None and not math.isnan(context.low) and context.value >= EXPECTED_CONTEXT
    unknown = context is None and needs_context(cue, language)
    if expected or unknown:
        return False
    if is_function_word(cue.token, language) or is_number(cue.token, language) or "but not in" in cue.kind:
        return lift > SUSPICIOUS_LIFT
    return cue.precision >= NEARLY_ALWAYS and lowest >= MIN_SURE_PRECISION and cue.coverage >= MIN_COVERAGE


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


def measure_agreement(benchmark: Benchmark) -> tuple[Interval | None, int]:
    """Return the agreement of the audit's models with the labels on random folds, beyond chance, and the items."""
    try:
        models = benchmark.held_out
    except AssayError:
        return None, 0
    return cohen_kappa(models.average_probabilities().argmax(axis=1), models.codes), len(models.codes)

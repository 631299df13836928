"""What the labels ask for beyond shortcuts, which shortcuts there are, and which labels are doubtful."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from assay.audits.benchmark import Benchmark
from assay.audits.context import foretold
from assay.audits.doubts import doubtful
from assay.audits.evidence.common import ItemCount
from assay.audits.evidence.information import (
    BaselineScore,
    ControlModel,
    Cue,
    InformationEvidence,
    LabelDoubts,
    NumberCue,
    ShortcutModel,
    WordCue,
)
from assay.audits.function_words import is_function_word, is_number, kind_of, origin
from assay.audits.sections.base import Measurement, section
from assay.audits.word_places import label_shares_of_words
from assay.data import Dataset
from assay.information import search_cues
from assay.information.dataset_information import dataset_information
from assay.statistics import Interval, wilson

QUICK_CONTROLS = ("mlp-30", "boosting")
MAX_SHOWN_CUES = 30
MAX_CONTEXTS = 50
NEARLY_ALWAYS, OFTEN = 0.9, 0.02
SIGNIFICANT = 0.001  # adjusted p; stricter than the search, so that chance raises nothing
MIN_LIFT, SUSPICIOUS_LIFT = 0.05, 0.1  # of the precision over the label's share
EXPECTED_CONTEXT = 0.6  # area under the curve from which the other words of a text call for the word
PLACES = {
    "word in a": " in the first text",
    "word in b": " in the second text",
    "word in a but not in b": " in the first text but not in the second",
    "word in b but not in a": " in the second text but not in the first",
}


@section("information", InformationEvidence, weight=5.0)
def measure_information(benchmark: Benchmark) -> Measurement:
    """Measure task-specific information on a sample, search cues, and let a cross-validated model doubt labels."""
    settings = benchmark.settings
    sample = benchmark.sample(benchmark.classes, settings.choose(6_000, 30_000))
    options: dict[str, Any] = {"controls": QUICK_CONTROLS} if settings.quick else {}
    result = dataset_information(sample, **options, **settings.task_options)
    searched = benchmark.sample(benchmark.classes, settings.choose(30_000, 200_000))
    cues = find_cues(searched)
    doubts, doubted = doubtful(benchmark)
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
        word_cues=tuple(select_word_cues(searched, benchmark.filled, cues, settings.random_state)),
        number_cues=tuple(
            NumberCue(cue.token, cue.information, cue.information / result.entropy, cue.p, cue.n_items)
            for cue in cues
            if cue.kind == "number" and cue.p < SIGNIFICANT
        ),
        n_searched=len(searched),
        labels=read_doubts(doubts),
        notes=tuple(result.notes),
    )
    rows = result.items.select("row", information="information", shortcut_solvable="shortcut_solvable")
    table = rows.with_columns(id=sample.ids.gather(rows["row"])).drop("row")
    if doubted is not None:
        doubted = doubted.rename({"suspected_label": "suggested", "label_doubt": "suspicion"})
        table = table.join(doubted, on="id", how="full", coalesce=True)
    return Measurement(evidence, table)


def find_cues(data: Dataset) -> list[Any]:
    """Search the cheap features of the labelled rows."""
    assert data.labels is not None
    names = data.label_names
    code_of = {name: code for code, name in enumerate(names)}
    codes = np.array([code_of[label] for label in data.labels.to_list()])
    return list(search_cues([side.to_list() for side in data.sides], codes, names))


def select_word_cues(data: Dataset, everything: Dataset, cues: list[Any], random_state: int) -> list[WordCue]:
    """Return the words that make their label the likely one, each word once, the most significant first."""
    assert data.labels is not None
    counts = dict(data.labels.value_counts().iter_rows())
    shares = {name: counts[name] / len(data) for name in data.label_names}
    place_shares = label_shares_of_words(everything)
    likely = min(0.5, max(shares.values()))
    contexts = measure_contexts(data, cues, random_state)
    chosen: list[WordCue] = []
    used: set[str] = set()
    for number, cue in enumerate(cues):
        if cue.kind == "number" or cue.label not in shares:
            continue
        place = cue.kind.replace("pair ", "")
        place_share = place_shares.get(place, shares).get(cue.label, shares[cue.label])
        precision = wilson(round(cue.precision * cue.n_items), cue.n_items)
        lift = precision.low - max(shares[cue.label], place_share)
        words = set(cue.token.split())
        if not (cue.p < SIGNIFICANT and cue.precision >= likely and lift > MIN_LIFT) or words & used:
            continue
        used |= words
        chosen.append(
            WordCue(
                token=cue.token,
                origin=origin(cue.token),
                word_kind=kind_of(cue.token),
                place=PLACES.get(place, ""),
                label=cue.label,
                precision=precision,
                coverage=cue.coverage,
                n_items=cue.n_items,
                p=cue.p,
                label_share=shares[cue.label],
                place_share=place_share,
                suspicious=is_suspicious(cue, contexts.get(number), lift, precision.low),
                several_words=" " in cue.token,
            )
        )
    return chosen


def measure_contexts(data: Dataset, cues: list[Any], random_state: int) -> dict[int, Interval]:
    """Return how well the rest of a text predicts content words that nearly always go with a label."""
    assert data.labels is not None
    contexts: dict[int, Interval] = {}
    for number, cue in enumerate(cues):
        if needs_context(cue) and len(contexts) < MAX_CONTEXTS:
            texts = data.texts.filter(data.labels == cue.label).to_list()
            contexts[number] = foretold(texts, set(cue.token.split()), random_state)
    return contexts


def needs_context(cue: Any) -> bool:
    """Tell whether a word may be a word of the topic rather than an artefact."""
    return bool(cue.kind != "number" and cue.precision >= NEARLY_ALWAYS and not is_function_word(cue.token))


def is_suspicious(cue: Any, context: Interval | None, lift: float, lowest: float) -> bool:
    """Tell whether a word is an artefact rather than the task."""
    expected = context is not None and not math.isnan(context.low) and context.value >= EXPECTED_CONTEXT
    unknown = context is None and needs_context(cue)
    if expected or unknown:
        return False
    if is_function_word(cue.token) or is_number(cue.token) or "but not in" in cue.kind:
        return lift > SUSPICIOUS_LIFT
    return lowest >= NEARLY_ALWAYS and bool(cue.coverage >= OFTEN)


def read_doubts(doubts: dict[str, Any]) -> LabelDoubts | None:
    """Return the doubts of the quick model, or None where it could not be trained."""
    if "count" not in doubts:
        return None
    return LabelDoubts(
        doubtful=ItemCount(doubts["count"], doubts["n"], tuple(doubts["ids"])),
        n_trusted=doubts["n_trusted"],
        where_surest=Interval.from_dict(doubts["where_surest"]),
        agreement=Interval.from_dict(doubts["kappa"]),
    )

"""Words that make their label the likely one: which of them are artefacts, and what a model that sees only them scores."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from assay.base.arrays import Array
from assay.base.marks import OWN, WORD
from assay.information.cues.context import measure_cue_contexts, measure_unexplained_label
from assay.information.cues.effects import CueEffect, measure_cue_effect
from assay.information.cues.features import build_cue_features
from assay.information.cues.search import NUMBER, Cue
from assay.information.cues.word_kinds import explain_fragment, is_function_word, is_number, name_word_kind
from assay.information.item_texts import ItemTexts
from assay.statistics import Interval, wilson
from assay.text import Corpus
from assay.text.fragments import is_fragment
from assay.text.languages import ENGLISH, LanguageGuess
from assay.views.results import Result

NEARLY_ALWAYS = 0.9  # precision from which a word may give its label away
MIN_CERTAIN_PRECISION, MIN_COVERAGE = 0.85, 0.01  # lower end of the precision, and share of the items
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


@dataclass(frozen=True)
class WordCue(Result):
    """A word or pair of words that makes a label the likely one, beyond what any word at its place does."""

    cue: Cue
    precision: Interval
    label_share: float
    place_share: float  # the share of the label among all words at this place
    suspicious: bool  # an artefact rather than the task
    origin: str = field(default="", metadata=OWN)  # what the token is a part of, such as "don't" for "t"
    word_kind: str = field(default="content word", metadata=OWN)  # function word, number, content word, or their plural
    place: str = field(default="", metadata=OWN)

    @property
    def token(self) -> str:
        """The word, or the two words."""
        return self.cue.token

    @property
    def has_several_words(self) -> bool:
        """Whether the cue is a pair of words."""
        return " " in self.cue.token


@dataclass(frozen=True)
class CueGroup(Result):
    """Some words taken together, and what a model that sees only them scores."""

    words: tuple[str, ...] = field(metadata=WORD)
    effect: CueEffect


def select_word_cues(
    cues: Sequence[Cue],
    corpus: Corpus,
    labels: pl.Series,
    place_shares: Mapping[str, Mapping[str, float]],
    language: LanguageGuess = ENGLISH,
    random_state: int = 0,
) -> list[WordCue]:
    """Return the words that make their label the likely one, each word once, the most significant first.

    `corpus` has the words of the items with these `labels`; `place_shares` has the shares of the labels among all words
    at a place, such as "word in a".
    """
    shares: dict[str, float] = {name: count / len(labels) for name, count in labels.value_counts().iter_rows()}
    likely = min(0.5, max(shares.values()))
    contexts = measure_cue_contexts(cues, corpus, labels.to_list(), random_state, language)
    chosen: list[WordCue] = []
    used: set[str] = set()
    for cue, context in zip(cues, contexts, strict=True):
        words = set(cue.token.split())
        if cue.kind == NUMBER or cue.label not in shares or words & used:
            continue
        if is_fragment(cue.token, is_english=language.may_be_english):
            continue
        place = cue.kind.replace("pair ", "")
        place_share = place_shares.get(place, shares).get(cue.label, shares[cue.label])
        precision = wilson(round(cue.precision * cue.n_items), cue.n_items)
        lift = precision.low - max(shares[cue.label], place_share)
        if not (cue.p < SIGNIFICANT and cue.precision >= likely and lift > MIN_LIFT):
            continue
        used |= words
        suspicious = is_suspicious(cue, context, lift, precision.low, language)
        if suspicious and needs_context(cue, language):
            suspicious = context is not None and context.high < EXPECTED_CONTEXT
            if not suspicious:
                rest = measure_unexplained_label(corpus, words, (labels == cue.label).to_numpy(), random_state)
                suspicious = rest.low >= MIN_UNEXPLAINED
        chosen.append(
            WordCue(
                cue,
                precision,
                shares[cue.label],
                place_share,
                suspicious,
                explain_fragment(cue.token, language),
                name_word_kind(cue.token, language),
                PLACES.get(place, ""),
            )
        )
    return chosen


def needs_context(cue: Cue, language: LanguageGuess = ENGLISH) -> bool:
    """Return True if a word may be a word of the topic rather than an artefact."""
    return bool(cue.kind != NUMBER and cue.precision >= NEARLY_ALWAYS and not is_function_word(cue.token, language))


def is_suspicious(
    cue: Cue, context: Interval | None, lift: float, lowest: float, language: LanguageGuess = ENGLISH
) -> bool:
    """Return True if a word is an artefact rather than the task."""
    expected = context is not None and not math.isnan(context.low) and context.value >= EXPECTED_CONTEXT
    unknown = context is None and needs_context(cue, language)
    if expected or unknown:
        return False
    if is_function_word(cue.token, language) or is_number(cue.token, language) or "but not in" in cue.kind:
        return lift > SUSPICIOUS_LIFT
    return cue.precision >= NEARLY_ALWAYS and lowest >= MIN_CERTAIN_PRECISION and cue.coverage >= MIN_COVERAGE


def select_function_words(word_cues: Collection[WordCue]) -> list[WordCue]:
    """Return the suspicious function words and numbers."""
    return [cue for cue in word_cues if cue.suspicious and cue.word_kind.split()[0] in ("function", "number")]


def measure_cue_group(
    group: Collection[WordCue],
    cues: Collection[Cue],
    items: ItemTexts,
    codes: Array,
    folds: Array,
    full: Array,
    random_state: int = 0,
) -> CueGroup:
    """Measure what a model scores that sees only the words of a group, at all places where they are cues."""
    words = tuple(dict.fromkeys(cue.token for cue in group))
    features = build_cue_features(items, min_items=2)
    chosen = [cue for cue in cues if cue.token in words]
    return CueGroup(words, measure_cue_effect(features, chosen, codes, folds, full, random_state))

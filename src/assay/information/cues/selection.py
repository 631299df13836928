"""Words that make their label the likely one: which of them are artefacts, and what a model that sees only them scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import OWN, WORD
from assay.information.cues.context import measure_word_context
from assay.information.cues.effects import CueEffect, measure_cue_effect
from assay.information.cues.features import build_cue_features
from assay.information.cues.insertion import NeighbourCounts, count_neighbours, measure_belonging
from assay.information.cues.places import ONE_OF_BOTH, SECOND, find_place, mirror_place
from assay.information.cues.search import NUMBER, Cue
from assay.information.cues.word_kinds import explain_fragment, is_function_word, is_number, name_word_kind
from assay.information.item_texts import ItemTexts
from assay.statistics import Interval, wilson
from assay.text.characters import is_unspaced
from assay.text.fragments import is_fragment
from assay.text.languages import ENGLISH, LanguageGuess
from assay.views.results import Result

INSERTED = "inserted word"
SIGNIFICANT = 0.001  # adjusted p; stricter than the search, so that chance raises nothing
MIN_LIFT, SUSPICIOUS_LIFT = 0.05, 0.1  # of the precision over the label's share
INSERTED_PRECISION, MIN_CERTAIN_PRECISION = 0.95, 0.85  # of a word that was put into texts, and its lower end
MIN_INSERTED_ITEMS = 30
MAX_BELONGING, MAX_EDGE_BELONGING = 1.0, 1.5  # nats, of words that do not belong to their sentences
EXPECTED_CONTEXT = 0.6  # area under the curve from which the other words of a text call for the word
CLOSED_SHARE = 0.9  # of the occurrences of a word in a pair of words that is treated as one
MAX_WORD_CUES = 50
MIN_GROUPED_COVERAGE = 0.05  # of a function word whose effect on a score can be measured
MAX_GROUP = 8  # words that one sentence can name


@dataclass(frozen=True)
class WordCue(Result):
    """A word or pair of words that makes a label the likely one, beyond what any word at its place does."""

    cue: Cue
    precision: Interval
    label_share: float
    place_share: float  # the share of the label among all words at this place
    suspicious: bool  # an artefact rather than the task
    origin: str = field(default="", metadata=OWN)  # what the token is a part of, such as "don't" for "t"
    word_kind: str = field(default="content word", metadata=OWN)  # such as "function word" or "inserted word"
    place: str = field(default="text", metadata=OWN)

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
    places: tuple[str, ...] = field(metadata=OWN)  # of each word, such as "a" for the first text
    effect: CueEffect


def select_word_cues(
    cues: Sequence[Cue],
    items: ItemTexts,
    labels: pl.Series,
    place_shares: Mapping[str, Mapping[str, float]],
    language: LanguageGuess = ENGLISH,
    random_state: int = 0,
) -> list[WordCue]:
    """Return the words that make their label the likely one, each word once, the most significant first.

    `items` are those with these `labels`; `place_shares` has the shares of the labels among all words at a place, such
    as "word in a". At most 50 words that may be the task are kept.
    """
    shares: dict[str, float] = {name: count / len(labels) for name, count in labels.value_counts().iter_rows()}
    likely = min(0.5, max(shares.values()))
    insertions = InsertionTest(items, labels, random_state)
    chosen: list[WordCue] = []
    used: set[str] = set()
    for cue in cues:
        words = set(cue.token.split())
        if cue.kind == NUMBER or cue.label not in shares or words & used:
            continue
        if is_fragment(cue.token, is_english=language.may_be_english):
            continue
        place_share = place_shares.get(cue.kind.replace("pair ", ""), shares).get(cue.label, shares[cue.label])
        precision = wilson(round(cue.precision * cue.n_items), cue.n_items)
        lift = precision.low - max(shares[cue.label], place_share)
        if not (cue.precision >= likely and lift > MIN_LIFT):
            continue
        is_difference = mirror_place(find_place(cue.kind)) is not None  # two texts with different numbers do differ
        is_empty = (is_number(cue.token, language) and not is_difference) or (
            is_function_word(cue.token, language)
            and not is_unspaced(cue.token[0])  # a letter that is part of other words
        )
        is_grouped = is_empty and cue.coverage >= MIN_GROUPED_COVERAGE
        inserted = not is_grouped and insertions.is_inserted(cue, precision)
        if not inserted and (cue.p >= SIGNIFICANT or len(chosen) >= MAX_WORD_CUES):
            continue
        used |= words
        chosen.append(
            WordCue(
                cue,
                precision,
                shares[cue.label],
                place_share,
                inserted or (is_empty and lift > SUSPICIOUS_LIFT),
                explain_fragment(cue.token, language),
                INSERTED if inserted else name_word_kind(cue.token, language),
                find_place(cue.kind),
            )
        )
    return chosen


class InsertionTest:
    """Tells words that were put into texts from words that belong to their sentences."""

    def __init__(self, items: ItemTexts, labels: pl.Series, random_state: int = 0) -> None:
        self._items, self._labels, self._random_state = items, labels, random_state

    @cached_property
    def _neighbours(self) -> NeighbourCounts:
        return count_neighbours(self._items.corpora)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self._items.corpora[0].vocabulary)}

    def is_inserted(self, cue: Cue, precision: Interval) -> bool:
        """Return True if a word nearly always comes with its label and does not belong to its sentences.

        Its neighbours follow each other as if it were absent, and the other words of the text do not call for it.
        """
        if cue.n_items < MIN_INSERTED_ITEMS or precision.low < MIN_CERTAIN_PRECISION:
            return False
        if cue.precision < INSERTED_PRECISION or not self._is_one_unit(cue.token.split()):
            return False
        belonging, at_edge = measure_belonging(self._neighbours, [self._numbers[word] for word in cue.token.split()])
        if not belonging.value < (MAX_EDGE_BELONGING if at_edge else MAX_BELONGING):
            return False
        rows = np.flatnonzero((self._labels == cue.label).to_numpy())
        side = self._items.corpora[find_place(cue.kind).startswith(SECOND)]
        context = measure_word_context(side.take(rows), set(cue.token.split()), self._random_state)
        return not (context.value >= EXPECTED_CONTEXT and context.low > 0.5)

    def _is_one_unit(self, words: Sequence[str]) -> bool:
        """Return True for one word, and for two that hardly occur apart; letters without spaces make words."""
        if len(words) == 1:
            return True
        if any(is_unspaced(word[0]) for word in words):
            return False
        numbers = [self._numbers[word] for word in words]
        n_pairs = self._neighbours.count_pairs(np.array(numbers[:1]), np.array(numbers[1:]))[0]
        return bool(n_pairs >= CLOSED_SHARE * max(self._neighbours.totals[number] for number in numbers))


def select_function_words(word_cues: Collection[WordCue]) -> list[WordCue]:
    """Return the suspicious function words and numbers, the most significant first, at most eight."""
    chosen = [cue for cue in word_cues if cue.suspicious and cue.word_kind.split()[0] in ("function", "number")]
    return chosen[:MAX_GROUP]


def measure_cue_group(
    group: Sequence[WordCue],
    cues: Collection[Cue],
    items: ItemTexts,
    codes: Array,
    folds: Array,
    full: Array,
    random_state: int = 0,
) -> CueGroup:
    """Measure what a model scores that sees only whether the words of a group are at their places.

    A word that is a cue in each text of a pair, if the other text lacks it, is seen in both.
    """
    found = {(cue.token, find_place(cue.kind)) for cue in cues}
    places = tuple(ONE_OF_BOTH if (cue.token, mirror_place(cue.place)) in found else cue.place for cue in group)
    words = tuple(cue.token for cue in group)
    features = build_cue_features(items, min_items=2)
    seen = list(zip(words, places, strict=True))
    return CueGroup(words, places, measure_cue_effect(features, seen, codes, folds, full, random_state))

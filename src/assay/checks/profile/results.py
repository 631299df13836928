"""What the profile section measured: labels, lengths, words, copies and overlap between parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN, WORD
from assay.checks.measured import PartSize
from assay.kinds.facts import CommonAnswer
from assay.views.results import Result
from assay.views.values import Bin, ItemCount


@dataclass(frozen=True)
class LabelShare(Result):
    """How many items have a label."""

    label: str = field(metadata=NAME)
    count: int
    share: float


@dataclass(frozen=True)
class PartLabelCount(Result):
    """How many items of a part have a label."""

    label: str = field(metadata=NAME)
    part: str = field(metadata=NAME)
    count: int


@dataclass(frozen=True)
class Overlap(Result):
    """Items of a part that also occur in the reference part, as exact or near copies."""

    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    kind: Literal["exact", "near"]
    items: ItemCount


@dataclass(frozen=True)
class GroupOverlap(Result):
    """Items of a part whose group also occurs in the reference part."""

    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    items: ItemCount
    n_groups: int
    example: str | None = field(default=None, metadata=NAME)


@dataclass(frozen=True)
class LabelledWord(Result):
    """A word that goes with a label more often than chance allows."""

    label: str = field(metadata=NAME)
    word: str = field(metadata=WORD)
    z: float


@dataclass(frozen=True)
class WordFrequency(Result):
    """How often a word occurs."""

    word: str = field(metadata=WORD)
    count: int


@dataclass(frozen=True)
class LengthSummary(Result):
    """Words per text."""

    mean: float
    std: float
    median: float
    n: int


@dataclass(frozen=True)
class FeatureValue(Result):
    """A feature of Xiao et al. for one part of the data; nan with a reason if it was not measured."""

    name: str = field(metadata=OWN)
    part: str = field(metadata=OWN)  # all, train, test or interaction
    value: float
    low: float
    high: float
    reason: str | None = field(default=None, metadata=OWN)


@dataclass(frozen=True)
class SideOverlap(Result):
    """Pairs of a part of which exactly one side, or both, occur in pairs of the reference part."""

    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    one: ItemCount
    both: ItemCount


@dataclass(frozen=True)
class BrokenTexts(Result):
    """Texts that look broken in one way."""

    kind: str = field(metadata=OWN)
    items: ItemCount


@dataclass(frozen=True)
class PlaceShare(Result):
    """The share of a label among all words at one place of an item, whatever the word."""

    place: str = field(metadata=OWN)
    label: str = field(metadata=NAME)
    share: float


@dataclass(frozen=True)
class ProfileEvidence(Result):
    """What is in the data."""

    n_items: int
    n_unlabelled: int
    labels: tuple[LabelShare, ...]
    label_entropy: float
    parts: tuple[PartSize, ...]
    label_counts: tuple[PartLabelCount, ...]
    length: LengthSummary
    length_histogram: tuple[Bin, ...]
    top_words: tuple[WordFrequency, ...]
    label_words: tuple[LabelledWord, ...]
    copies: ItemCount
    conflicts: ItemCount
    overlaps: tuple[Overlap, ...]
    group_overlaps: tuple[GroupOverlap, ...]
    side_overlaps: tuple[SideOverlap, ...]
    broken_texts: tuple[BrokenTexts, ...]
    features: tuple[FeatureValue, ...]
    word_shares: tuple[PlaceShare, ...]
    label_set_counts: tuple[PartLabelCount, ...] = ()  # where an item can have several labels
    common_answer: CommonAnswer | None = None  # where answers are sets or texts
    length_unit: str = field(default="words", metadata=OWN)  # characters, in scripts without spaces

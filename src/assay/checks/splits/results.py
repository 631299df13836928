"""What the splits section measured: how the parts differ, and what harder splits cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN, WORD
from assay.models.stress import SplitStress
from assay.statistics import Interval
from assay.views.results import Result

CHI_SQUARE, FISHER = "chi-square", "fisher"  # the tests of labels, and of labels of which an item can have several


@dataclass(frozen=True)
class LengthDrift(Result):
    """The probability that a test text is longer than a training text (Mann and Whitney)."""

    longer: Interval
    p: float
    mean_train: float
    mean_test: float
    n_train: int
    n_test: int


@dataclass(frozen=True)
class LabelDrift(Result):
    """The total variation distance between the labels of training and test, and the label that changed most."""

    distance: float
    p: float
    label: str = field(metadata=NAME)
    share_train: float
    share_test: float
    n_train: int
    n_test: int
    test: str = field(default=CHI_SQUARE, metadata=OWN)  # Fisher's: distance and p are those of `label`


@dataclass(frozen=True)
class GradeDrift(Result):
    """How the grades of training and test differ (Kolmogorov–Smirnov), and how far they must move (Wasserstein)."""

    distance: float
    p: float
    shift: float
    mean_train: float
    mean_test: float
    n_train: int
    n_test: int


@dataclass(frozen=True)
class Divergence(Result):
    """How the held-out side of a split differs from its training side, next to random splits of the same sizes."""

    split: str = field(metadata=OWN)
    measure: str = field(metadata=OWN)
    value: float
    null_low: float
    null_high: float
    p: float


@dataclass(frozen=True)
class PartDescription(Result):
    """Size, length and typical words of a part."""

    part: str = field(metadata=NAME)
    n: int
    mean_length: float
    typical_words: tuple[str, ...] = field(metadata=WORD)


@dataclass(frozen=True)
class FoldScore(Result):
    """The accuracy of a model on one fold of a split."""

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    fold: int
    accuracy: float


@dataclass(frozen=True)
class SplitScore(Result):
    """The accuracy of a model over all held-out items of a split."""

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    accuracy: float
    n: int


@dataclass(frozen=True)
class GivenSplitScore(Result):
    """Agreement beyond chance of a model trained on train: with test, and cross-validated within train."""

    test: Interval
    within_train: Interval
    n: int


@dataclass(frozen=True)
class SideScore(Result):
    """The accuracy of the quick model, trained on train, on test pairs with some or no side seen in training."""

    sides: Literal["some", "none"]
    accuracy: float
    n: int


@dataclass(frozen=True)
class FoldSize(Result):
    """How many held-out items of a fold have a label."""

    split: str = field(metadata=OWN)
    fold: int
    label: str = field(metadata=NAME)
    count: int


@dataclass(frozen=True)
class FoldWord(Result):
    """A word that goes with a fold more often than chance allows."""

    split: str = field(metadata=OWN)
    fold: str = field(metadata=NAME)
    word: str = field(metadata=WORD)
    z: float


@dataclass(frozen=True)
class Point(Result):
    """Where an item lies on the plane of the two main directions, and which fold it is in."""

    split: str = field(metadata=OWN)
    fold: str = field(metadata=NAME)
    x: float
    y: float


@dataclass(frozen=True)
class Period(Result):
    """The items of one period, and the accuracy of the quick model on those of them it was tested on.

    `folds` says how it was trained: on random folds, or on earlier items only (the temporal split).
    """

    start: str = field(metadata=OWN)  # a date
    folds: Literal["random folds", "earlier items"]
    n: int
    accuracy: Interval


@dataclass(frozen=True)
class SplitsEvidence(Result):
    """How the given parts differ, and what a model scores under splits that ask for more generalisation."""

    compared: tuple[str, str] | None = field(metadata=NAME)  # the part learned from, and the part tested on
    n_compared: int
    n_trained: int
    length_drift: LengthDrift | None
    label_drift: LabelDrift | None
    parts: tuple[PartDescription, ...]
    divergence: tuple[Divergence, ...]
    given: GivenSplitScore | None
    scores: tuple[SplitScore, ...]
    stress: tuple[SplitStress, ...]
    signal: Interval | None  # kappa of the quick model on random folds
    side_scores: tuple[SideScore, ...]
    fold_scores: tuple[FoldScore, ...]
    fold_sizes: tuple[FoldSize, ...]
    fold_words: tuple[FoldWord, ...]
    points: tuple[Point, ...]
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    grade_drift: GradeDrift | None = None
    periods: tuple[Period, ...] = ()


def name_split(split: str) -> str:
    """Name a split: the parts of the data itself are "given" in every chart and table."""
    return "given" if split == "standard" else split

"""What the information section measured: shortcuts, what is left beyond them, and doubtful labels."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import NAME, OWN, WORD
from assay.checks.suspects import SuspectItems
from assay.information.cues.effects import CueEffect
from assay.statistics import Interval
from assay.views.results import Result


@dataclass(frozen=True)
class ControlModel(Result):
    """A model that sees only some shortcuts, and what the full model knows beyond it (Zhu et al.), in nats."""

    shortcuts: str = field(metadata=OWN)
    information: Interval
    loss: float
    model: str = field(metadata=OWN)
    n_items: int


@dataclass(frozen=True)
class BaselineScore(Result):
    """The accuracy of a trivial baseline on held-out items."""

    name: str = field(metadata=OWN)
    accuracy: float
    low: float
    high: float
    n_items: int


@dataclass(frozen=True)
class Cue(Result):
    """A cheap feature that predicts the label: a word, a pair of words, or a number such as length."""

    token: str = field(metadata=WORD)
    kind: str = field(metadata=OWN)
    label: str = field(metadata=NAME)
    precision: float
    coverage: float
    n_items: int
    p: float


@dataclass(frozen=True)
class WordCue(Result):
    """A word or pair of words that makes a label the likely one, beyond what any word at its place does."""

    token: str = field(metadata=WORD)
    origin: str = field(metadata=OWN)  # what the token is a part of, such as "don't" for "t"
    word_kind: str = field(metadata=OWN)  # function word, number, content word, or their plural
    place: str = field(metadata=OWN)
    label: str = field(metadata=NAME)
    precision: Interval
    coverage: float
    n_items: int
    p: float
    label_share: float
    place_share: float  # the share of the label among all words at this place
    suspicious: bool  # an artefact rather than the task
    several_words: bool


@dataclass(frozen=True)
class CueGroup(Result):
    """Some words taken together, and what a model that sees only them scores."""

    words: tuple[str, ...] = field(metadata=WORD)
    effect: CueEffect


@dataclass(frozen=True)
class NumberCue(Result):
    """A number such as length or overlap that predicts the label."""

    name: str = field(metadata=OWN)
    information: float  # in nats
    entropy_share: float
    p: float
    n_items: int


@dataclass(frozen=True)
class ShortcutModel(Result):
    """What shortcuts alone get right."""

    accuracy: float
    solved_share: float


@dataclass(frozen=True)
class InformationEvidence(Result):
    """How far shortcuts go, and how many labels are doubtful."""

    entropy: float
    n_items: int
    control: tuple[ControlModel, ...]
    baselines: tuple[BaselineScore, ...]
    shortcut_model: ShortcutModel | None
    cues: tuple[Cue, ...]
    word_cues: tuple[WordCue, ...]
    function_words: CueGroup | None  # suspicious function words and numbers, taken together
    number_cues: tuple[NumberCue, ...]
    quick_accuracy: float | None  # of the quick model on random folds
    median_length: float  # words of the texts
    n_searched: int
    suspects: SuspectItems | None
    agreement: Interval | None  # kappa of the quick model on random folds
    n_trained: int
    notes: tuple[str, ...] = field(default=(), metadata=NAME)


_SHORTCUTS = {"P": "punctuation", "S": "stop words", "O": "overlap"}


def name_shortcuts(shortcuts: str) -> str:
    """Write a set of shortcuts in words.

    >>> name_shortcuts("P+S")
    'punctuation + stop words'
    """
    parts = [part.strip() for part in shortcuts.split("+")]
    return " + ".join(_SHORTCUTS.get(part, part) for part in parts)

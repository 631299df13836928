"""Results of the check `information`: shortcuts, the information left beyond them, and doubtful labels."""

from __future__ import annotations

from dataclasses import dataclass

from assay.information import BaselineGain, Cue, CueGroup, Information, WordCue, measure_gains
from assay.information.cues.search import NUMBER
from assay.information.cues.selection import SIGNIFICANT
from assay.suspects import Suspects
from assay.suspects.shares.contradictions import Contradictions
from assay.views.results import Result
from assay.views.values import Interval

SHORT_TEXT = 3  # words
SIDES = {"side a only": "first", "side b only": "second"}
CHEAP_BASELINES = {
    "first word": "the first word",
    "last word": "the last word",
    "longer side": "which text is longer",
    "copy": "whether the two texts are the same",
    "length": "whether the text is longer than half of all texts",
}


@dataclass(frozen=True)
class InformationEvidence(Result):
    """How far shortcuts go, and how many labels are doubtful."""

    shortcuts: Information
    word_cues: tuple[WordCue, ...]
    function_words: CueGroup | None  # suspicious function words and numbers, taken together
    quick_accuracy: float | None  # of the quick model on random folds
    median_length: float  # words of the texts
    n_searched: int
    suspects: Suspects | None
    agreement: Interval | None  # kappa of the quick model on random folds
    n_trained: int
    contradictions: Contradictions | None = None  # of labels by a text model; None if it learns too little

    @property
    def side_gains(self) -> list[BaselineGain]:
        """The gain over the most frequent label of a model that sees one side of a pair."""
        return measure_gains(self.shortcuts.baselines, list(SIDES))

    @property
    def cheap_gains(self) -> list[BaselineGain]:
        """The gains of cheap baselines over the most frequent label, the largest first.

        One word of a text of three is not a shortcut, so first and last words are left out of texts that short.
        """
        is_short = self.median_length <= SHORT_TEXT
        names = [name for name in CHEAP_BASELINES if not (is_short and name.endswith("word"))]
        return measure_gains(self.shortcuts.baselines, names)

    @property
    def number_cues(self) -> list[Cue]:
        """The numbers, such as length, that differ between labels beyond doubt."""
        return [cue for cue in self.shortcuts.cues if cue.kind == NUMBER and cue.p < SIGNIFICANT]

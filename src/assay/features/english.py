"""Is this English? Some features know that language only."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from assay.features.estimate import Estimate, undefined
from assay.features.part import Part

# Frequent in English, rare in other languages written in Latin letters.
_FUNCTION_WORDS = frozenset(
    "the and of that with this have from what which are were has had been will would they their there you your his "
    "her she it how who not but by an be its than we for at is was to i my".split()
)
_LEAST_SHARE = 0.10


def is_english(part: Part) -> bool:
    """Tell whether the texts read as English: enough of their words are English function words.

    >>> is_english(Part.of(["what is the name of the king", "the film was not good but it is long"]))
    True
    >>> is_english(Part.of(["wie heißt der König", "der Film war nicht gut, aber lang"]))
    False
    """
    n_tokens = len(part.corpus.ids)
    hits = int(part.corpus.frequencies() @ part.marked(_FUNCTION_WORDS))
    return not n_tokens or hits / n_tokens >= _LEAST_SHARE


def english_only(feature: Callable[[Part], Estimate]) -> Callable[[Part], Estimate]:
    """Make a feature undefined, with the reason, where the data is in another language."""

    @wraps(feature)
    def guarded(part: Part) -> Estimate:
        return feature(part) if part.english else undefined("the texts do not read as English")

    return guarded

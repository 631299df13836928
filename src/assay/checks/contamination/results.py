"""What the contamination section measured: items that are in a training corpus, by part and by source."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import NAME
from assay.contamination import ContaminationHit, CorpusSource
from assay.views.results import Result
from assay.views.values import ItemCount


@dataclass(frozen=True)
class ContaminatedPart(Result):
    """The items of a part that are in the corpus, and those whose answer is there too.

    `part` is empty if the data has no parts. Items that are too short to be checked are not among `items.n`.
    """

    part: str = field(metadata=NAME)
    items: ItemCount
    answers: ItemCount


@dataclass(frozen=True)
class ContaminationEvidence(Result):
    """Which items of the tested parts are in the corpus, the sources of the corpus, and the best matches."""

    parts: tuple[ContaminatedPart, ...]
    n_items: int
    n_checked: int
    documents: int
    bytes: int
    sources: tuple[CorpusSource, ...]
    hits: tuple[ContaminationHit, ...]
    notes: tuple[str, ...] = field(default=(), metadata=NAME)

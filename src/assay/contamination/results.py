"""What a search for contamination returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from assay.base.marks import NAME
from assay.base.results import Result


@dataclass(frozen=True)
class ContaminationHit(Result):
    """An item that is in the corpus, and the document that has most of it.

    The overlaps are shares of the words of question and answer, weighted by inverse document frequency; nan where
    there is no such text. `row` counts the documents of a file from 0.
    """

    id: str = field(metadata=NAME)
    score: float
    question_overlap: float
    answer_overlap: float
    file: str = field(metadata=NAME)
    row: int


@dataclass(frozen=True)
class CorpusSource(Result):
    """A source of the corpus: its size, and how many items have their best match there."""

    name: str = field(metadata=NAME)
    documents: int
    bytes: int
    contaminated: int


@dataclass(frozen=True)
class Contamination(Result):
    """How many of the items that could be checked are in the corpus, and where.

    `share` has a Wilson interval; `bytes` are those of the texts, decompressed; `unchecked` are the ids of items whose
    texts are too short or a template of the data.
    """

    _table: ClassVar[str] = "hits"

    items: int
    contaminated: int
    share: float
    low: float
    high: float
    documents: int
    bytes: int
    seconds: float = field(compare=False)
    hits: tuple[ContaminationHit, ...]
    sources: tuple[CorpusSource, ...] = ()
    unchecked: tuple[str, ...] = field(default=(), metadata=NAME)
    notes: tuple[str, ...] = field(default=(), metadata=NAME)

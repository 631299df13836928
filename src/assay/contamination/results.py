"""Results of a search for contamination."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from assay.base.marks import NAME, TEXT
from assay.views.blocks import Block, Sentence
from assay.views.results import Result
from assay.views.values import ItemCount


@dataclass(frozen=True)
class ContaminationHit(Result):
    """An item that is in the corpus, and the document that has most of it.

    The overlaps are shares of the words of question and answer, weighted by inverse document frequency; nan if
    there is no such text. `row` counts the documents of a file from 0. `text_seen` is the larger overlap that counts,
    `item_seen` the share of numbers, symbols and rare words that the document has as the item has them.
    """

    id: str = field(metadata=NAME)
    score: float
    question_overlap: float
    answer_overlap: float
    file: str = field(metadata=NAME)
    row: int
    text_seen: float = math.nan
    item_seen: float = math.nan


@dataclass(frozen=True)
class PossibleParaphrase(Result):
    """An item that was not found, and a passage that may say the same in other words.

    `similarity` is the cosine of their sentence vectors, `word_share` the weighted share of the item's words that the
    passage has. It is a candidate to be read, and does not count as contamination.
    """

    id: str = field(metadata=NAME)
    similarity: float
    word_share: float
    file: str = field(metadata=NAME)
    row: int
    passage: str = field(metadata=TEXT)


@dataclass(frozen=True)
class CorpusSource(Result):
    """A source of the corpus: its size, and how many items have their best match there."""

    name: str = field(metadata=NAME)
    documents: int
    bytes: int
    contaminated: int


@dataclass(frozen=True)
class SkippedFile(Result):
    """A damaged file of the corpus that was left out, and the reason."""

    file: str = field(metadata=NAME)
    reason: str = field(metadata=NAME)


@dataclass(frozen=True)
class ContaminatedPart(Result):
    """The items of a part that are in the corpus, and those whose answer is there too.

    `part` is empty if the data has no parts. Items that are too short to be checked are not among `items.n`.
    """

    part: str = field(metadata=NAME)
    items: ItemCount
    answers: ItemCount


@dataclass(frozen=True)
class Contamination(Result):
    """How many of the items that could be checked are in the corpus, and where.

    `share` has a Wilson interval; `parts` counts the items of every part that is tested on. `bytes` counts the
    texts, decompressed; `unchecked` are the ids of items whose texts are too short or a template of the data.
    `paraphrases` are candidates of a second look by sentence vectors, `siblings` items that have a similar item in the
    corpus, with other numbers, symbols or rare words; both are not counted.
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
    paraphrases: tuple[PossibleParaphrase, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    parts: tuple[ContaminatedPart, ...] = ()
    n_items: int = 0
    siblings: tuple[ContaminationHit, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the shares, the best matches and the verdict."""
        from assay.contamination.view import show_contamination, write_verdict

        yield from show_contamination(self)
        yield Sentence(write_verdict(self), is_verdict=True)

"""How the page shows items that are in the training corpus."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.checks.base import CHECKS
from assay.checks.contamination.results import ContaminationEvidence
from assay.statistics import wilson
from assay.views.blocks import Block, Fact, Table, format_value

METHOD = "Runs of equal words, weighted by their rarity, without text that is frequent in the corpus or in a source."


def contamination_facts(contamination: ContaminationEvidence) -> Iterator[Fact]:
    """Yield the share of every part that is in the corpus, and the size of the corpus."""
    for part in contamination.parts:
        suffix = f" of {part.part}" if part.part else ""
        if part.items.n:
            yield Fact(
                f"Items{suffix} in the corpus",
                format_value(wilson(part.items.share * part.items.n, part.items.n), "percent"),
                METHOD,
            )
    n, checked = contamination.n_items, contamination.n_checked
    yield Fact(
        "Items checked", f"{format_number(checked)} of {format_number(n)}", "Others are too short, or a template."
    )
    size = f"{contamination.bytes / 1e6:,.1f} MB"
    yield Fact("Documents searched", format_number(contamination.documents), f"{size} of text, decompressed.")
    yield Fact("Paraphrases", "not searched", "Paraphrases and translations share too few runs of words to be found.")


def contamination_tables(contamination: ContaminationEvidence) -> Iterator[Table]:
    """Yield the sources of the corpus and the best matches."""
    sources = [
        [row.name, format_number(row.documents), f"{row.bytes / 1e6:,.1f}", format_number(row.contaminated)]
        for row in contamination.sources
    ]
    method = "Every item counts for the source with its best match. Folders are sources."
    yield Table("Sources of the corpus", ["source", "documents", "MB", "items found"], sources, method)
    hits = [
        [
            hit.id,
            f"{hit.score:.2f}",
            write_overlap(hit.question_overlap),
            write_overlap(hit.answer_overlap),
            hit.file,
            format_number(hit.row),
        ]
        for hit in contamination.hits
    ]
    yield Table("Items in the corpus", ["id", "score", "question", "answer", "file", "row"], hits, METHOD)


def write_overlap(value: float) -> str:
    """Write an overlap, nothing if there is no such text."""
    return "" if value != value else f"{value:.2f}"


@CHECKS["contamination"].view
def show_contamination(contamination: ContaminationEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from contamination_facts(contamination)
    yield from contamination_tables(contamination)

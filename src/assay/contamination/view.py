"""Tables and sentences of a search for contamination: how many items are in the corpus, and where."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten

from assay.contamination.results import Contamination
from assay.statistics import wilson
from assay.views.blocks import Block, Column, Fact, make_fact, make_table
from assay.views.values import Interval, ItemCount
from assay.wording.numbers import format_interval
from assay.wording.sentences import count_noun

MAX_PASSAGE_WIDTH = 80
METHOD = "Runs of equal words, weighted by their rarity, without text that is frequent in the corpus or in a source."


def show_contamination(result: Contamination) -> Iterator[Block]:
    """Yield the share of every part that is in the corpus, the sources, the best matches and possible paraphrases."""
    for part in result.parts:
        name = f"Items of {part.part} in the corpus" if part.part else "Items in the corpus"
        yield from make_fact(name, wilson(part.items.count, part.items.n), METHOD, "percent")
    yield Fact("Items checked", ItemCount(result.items, result.n_items), "Others are too short, or a template.")
    size = f"{result.bytes / 1e6:,.1f} MB"
    yield Fact("Documents searched", result.documents, f"{size} of text, decompressed.")
    yield Fact("Size of the corpus", size, "Text, decompressed.")
    yield from make_fact("Seconds", result.seconds, "Time of the search.", "rounded:1")
    if not result.paraphrases:
        method = "Paraphrases and translations share too few runs of words to be found."
        yield Fact("Paraphrases", "not searched", method)
    yield from make_table(
        "Sources of the corpus",
        result.sources,
        {
            "source": lambda row: row.name,
            "documents": lambda row: row.documents,
            Column("MB", "rounded:1"): lambda row: row.bytes / 1e6,
            "items found": lambda row: row.contaminated,
        },
        "Every item counts for the source with its best match. Folders are sources.",
    )
    yield from make_table(
        "Items in the corpus",
        result.hits,
        {
            "id": lambda hit: hit.id,
            Column("score", "rounded:2"): lambda hit: hit.score,
            Column("question", "rounded:2"): lambda hit: hit.question_overlap,
            Column("answer", "rounded:2"): lambda hit: hit.answer_overlap,
            Column("text seen", "rounded:2"): lambda hit: hit.text_seen,
            Column("item seen", "rounded:2"): lambda hit: hit.item_seen,
            "file": lambda hit: hit.file,
            "row": lambda hit: hit.row,
        },
        METHOD,
        is_main=True,
    )
    yield from make_table(
        f"Siblings of {count_noun(len(result.siblings), 'item')} in the corpus, not counted",
        result.siblings,
        {
            "id": lambda hit: hit.id,
            Column("text seen", "rounded:2"): lambda hit: hit.text_seen,
            Column("item seen", "rounded:2"): lambda hit: hit.item_seen,
            "file": lambda hit: hit.file,
            "row": lambda hit: hit.row,
        },
        "The document has most words of the item, but other numbers, symbols or rare words, or more of another item.",
    )
    yield from make_table(
        f"Possible paraphrases of {count_noun(len(result.paraphrases), 'item')}, not counted: read them",
        result.paraphrases,
        {
            "id": lambda row: row.id,
            Column("similarity", "rounded:2"): lambda row: row.similarity,
            "file": lambda row: row.file,
            "row": lambda row: row.row,
            "passage": lambda row: shorten(row.passage, MAX_PASSAGE_WIDTH),
        },
        "Passages whose sentence vector is similar to the vector of an item that was not found.",
        shows_words=True,
    )


def write_verdict(result: Contamination) -> str:
    """Say how many of the items that could be checked are in the corpus."""
    share = format_interval(Interval(result.share, result.low, result.high), "percent")
    return f"{count_noun(result.contaminated, 'item')} of {result.items:,} in the corpus: {share}."

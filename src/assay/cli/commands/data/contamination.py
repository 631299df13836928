"""`assay contamination`: which items of a benchmark are in a training corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import choice_option, data_options, number_option, output_options
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish, write_rows

if TYPE_CHECKING:
    from assay.contamination import Contamination
    from assay.data import Dataset


@click.command(cls=Verb)
@data_options
@click.option(
    "--corpus",
    type=INPUT,
    multiple=True,
    required=True,
    metavar="FILE|GLOB",
    help="Text, JSON lines, CSV, TSV or Parquet, also .gz or .zst; a folder or a glob; repeatable.",
)
@click.option(
    "--against",
    type=click.Choice(["text", "answer", "both"]),
    default="both",
    show_default=True,
    help="Search for the question, the answer, or either.",
)
@click.option("--answer", metavar="COLUMN", help="Column with the answers as text.")
@number_option("--threshold", 0.5, "Weighted share of its words from which an item counts as found.")
@number_option("--seed-words", 8, "Number of words of a seed in long texts.")
@click.option(
    "--second-look",
    metavar="ENCODER",
    help="Compare items that are not found with passages of the same words by vectors (word-vectors, sentence, …), and "
    "list possible paraphrases. They are not counted.",
)
@click.option("--similarity", type=float, help="Cosine from which a passage is listed.  [default: 0.7]")
@choice_option(
    "--damaged",
    ["error", "skip"],
    "Stop at a damaged file of the corpus, or leave it out and list it.",
)
@click.option("--cache", metavar="FOLDER", help="Keep finished files here, so that a stopped run continues.")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the items found, one row per item (TSV).")
@output_options
def contamination(data: Dataset, **options: Any) -> None:
    """Find the items of DATA that are in a training corpus, verbatim or with a few words changed.

    The search looks for runs of equal words, so it finds no paraphrases or translations; --second-look lists passages
    that may be paraphrases. The corpus is read file by file and may be larger than memory.
    """
    from assay.contamination import find_contamination

    names = ("against", "answer", "threshold", "seed_words", "second_look", "similarity", "damaged")
    settings = {name: options[name] for name in names}
    parallel = {name: options[name] for name in ("n_jobs", "backend", "cache")}
    result = find_contamination(data, list(options["corpus"]), **settings, **parallel)
    if options["out"]:
        _write_hits(options["out"], result)
    finish("contamination", result, options["json_"], settings, data)


def _write_hits(path: str, result: Contamination) -> None:
    """Write one row per item found: id, score, question_overlap, answer_overlap, file, row."""
    import polars as pl

    names = ["id", "score", "question_overlap", "answer_overlap", "file", "row"]
    table = result.to_frame() if result.hits else pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    write_rows(path, table.with_columns(pl.col(pl.Float64).round(4)))

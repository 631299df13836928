"""`assay contamination`: which items of a benchmark are in a training corpus."""

from __future__ import annotations

import math
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import click

from assay.base.wording import count_noun, format_percent
from assay.cli.options import data_options, output_options
from assay.cli.output import print_sentence, say, show_table, write_json
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.contamination import Contamination
    from assay.data import Dataset

MAX_SHOWN = 20
MAX_PASSAGE_WIDTH = 80


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
    help="What has to be in the corpus: the question, the answer, or either.",
)
@click.option("--answer", metavar="COLUMN", help="Column with the answers as text.")
@click.option(
    "--threshold", type=float, default=0.5, show_default=True, help="Share of an item, weighted, that counts as found."
)
@click.option("--seed-words", type=int, default=8, show_default=True, help="Words of a seed in long texts.")
@click.option(
    "--second-look",
    metavar="ENCODER",
    help="Compare items that are not found with passages of the same words by vectors (word-vectors, sentence, …), and "
    "list possible paraphrases. They are not counted.",
)
@click.option("--similarity", type=float, help="Cosine from which on a passage is listed.  [default: 0.7]")
@click.option(
    "--damaged",
    type=click.Choice(["error", "skip"]),
    default="error",
    show_default=True,
    help="What a damaged file of the corpus is: an error that names it, or a file that is left out and listed.",
)
@click.option("--cache", metavar="FOLDER", help="Keep finished files here, so that a stopped run continues.")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the items found, one row per item (TSV).")
@output_options
def contamination(data: Dataset, **options: Any) -> None:
    """Find the items of DATA that are in a training corpus, verbatim or with a few words changed.

    Runs of equal words are searched, so paraphrases and translations are not found; --second-look lists passages that
    may be paraphrases. The corpus is read file by file and may be larger than memory.
    """
    from assay.contamination import find_contamination

    names = ("against", "answer", "threshold", "seed_words", "second_look", "similarity", "damaged")
    settings = {name: options[name] for name in names}
    parallel = {name: options[name] for name in ("n_jobs", "backend", "cache")}
    result = find_contamination(data, list(options["corpus"]), **settings, **parallel)
    for note in result.notes:
        say(note)
    if options["out"]:
        _write_hits(options["out"], result)
    if options["json_"]:
        write_json(options["json_"], wrap_result("contamination", result, settings, data))
    if options["json_"] != "-":
        _show(result)


def _write_hits(path: str, result: Contamination) -> None:
    """Write one row per item found: id, score, question_overlap, answer_overlap, file, row."""
    import polars as pl

    from assay.base.files import open_for_writing

    names = ["id", "score", "question_overlap", "answer_overlap", "file", "row"]
    table = result.to_frame() if result.hits else pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    texts = pl.col(pl.String).str.replace_all(r"[\t\r\n]+", " ")
    with open_for_writing(path) as file:
        table = table.with_columns(texts, pl.col(pl.Float64).round(4))
        file.write(table.write_csv(separator="\t", quote_style="never", null_value=""))


def _show(result: Contamination) -> None:
    interval = f"{format_percent(result.share)} [{format_percent(result.low)}, {format_percent(result.high)}]"
    verdict = f"{count_noun(result.contaminated, 'item')} of {result.items:,} in the corpus: {interval}"
    columns = ["id", "score", "question", "answer", "file", "row"]
    rows = [
        (hit.id, *map(_write_share, (hit.score, hit.question_overlap, hit.answer_overlap)), hit.file, hit.row)
        for hit in result.hits[:MAX_SHOWN]
    ]
    if rows:
        show_table("Best matches", columns, rows)
    if len(result.hits) > MAX_SHOWN:
        say(f"… and {len(result.hits) - MAX_SHOWN:,} more items: --out and --json have them all.")
    if result.paraphrases:
        _show_paraphrases(result)
    megabytes = result.bytes / 1e6
    say(f"{count_noun(result.documents, 'document')}, {megabytes:,.1f} MB of text in {result.seconds:.1f} s.")
    print_sentence(f"{verdict}.", fg="yellow" if result.contaminated else "green", bold=True)


def _show_paraphrases(result: Contamination) -> None:
    title = f"Possible paraphrases of {count_noun(len(result.paraphrases), 'item')}, not counted: read them"
    rows = [
        (each.id, f"{each.similarity:.2f}", each.file, each.row, shorten(each.passage, MAX_PASSAGE_WIDTH))
        for each in result.paraphrases[:MAX_SHOWN]
    ]
    show_table(title, ["id", "similarity", "file", "row", "passage"], rows)
    if len(result.paraphrases) > MAX_SHOWN:
        say(f"… and {len(result.paraphrases) - MAX_SHOWN:,} more: --json has them all.")


def _write_share(share: float) -> str:
    return "n/a" if math.isnan(share) else f"{share:.2f}"

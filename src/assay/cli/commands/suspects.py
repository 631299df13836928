"""`assay suspects`: rank items by how likely their gold label, or the item itself, is bad."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError
from assay.cli.options import data_options, output_options
from assay.cli.paths import INPUT, OUTPUT, Verb

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.suspects import Suspects

MAX_SHOWN = 20


@click.command(cls=Verb)
@partial(data_options, optional=True)
@click.option(
    "--predictions", type=INPUT, multiple=True, metavar="FILE", help="Answers of systems, long or wide; repeatable."
)
@click.option(
    "--probabilities", type=INPUT, metavar="FILE", help="Out-of-sample probabilities: id and one column per label."
)
@click.option(
    "--text-model/--no-text-model", default=None, help="Train text models.  [default: on at most 50,000 items]"
)
@click.option(
    "--reviewed", metavar="COLUMN", help="People's verdicts on the items (ok, or what is wrong), to check the suspects."
)
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write all items, the most suspicious first (TSV).")
@output_options
def suspects(data: Dataset | None, **options: Any) -> None:
    """Rank the items of DATA by the probability that their gold label, or the item itself, is bad.

    Evidence are the answers of systems, given probabilities, text models trained here, copies with different labels and
    broken texts. Without DATA, gold labels are taken from the column gold of --predictions.
    """
    from assay.cli.output import say, write_json
    from assay.suspects import find_suspects
    from assay.views.results import wrap_result

    if data is None and not options["predictions"]:
        raise UsageError("Missing DATA: a file, a folder or a glob, or --predictions with gold labels.")
    result = find_suspects(
        data,
        list(options["predictions"]) or None,
        options["probabilities"],
        text_model=options["text_model"],
        reviewed=options["reviewed"],
        random_state=options["seed"],
        n_jobs=options["n_jobs"],
        backend=options["backend"],
    )
    for note in result.notes:
        say(note)
    if options["out"]:
        write_items(options["out"], result)
    if options["json_"]:
        settings = {"text_model": options["text_model"], "seed": options["seed"]}
        write_json(options["json_"], wrap_result("suspects", result, settings, data))
    if options["json_"] != "-":
        _show(result)


def write_items(path: str, result: Suspects) -> None:
    """Write one row per item: id, label, suggested, suspicion, reasons."""
    import polars as pl

    from assay.base.files import open_for_writing

    texts = pl.col(pl.String).str.replace_all(r"[\t\r\n]+", " ")
    table = result.to_frame().with_columns(texts, pl.col("suspicion").round(4))
    with open_for_writing(path) as file:
        file.write(table.write_csv(separator="\t", quote_style="never", null_value=""))


def _show(result: Suspects) -> None:
    from assay.cli.output import show_table
    from assay.suspects.reviews import describe_review

    bad = result.expected_bad
    title = f"Bad items expected: {bad.value:.0f} [{bad.low:.0f}, {bad.high:.0f}] of {result.n_judged:,} judged"
    rows = [(item.id, item.label, item.suggested, f"{item.suspicion:.2f}", item.reasons) for item in result.items_top]
    show_table(title, ["id", "label", "suggested", "suspicion", "reasons"], rows[:MAX_SHOWN])
    precision = [(f"{row.k:,}", f"{row.expected:.2f}") for row in result.precision_at]
    show_table("Expected share of bad items among the most suspicious", ["items", "share"], precision)
    if result.review is not None:
        click.echo(describe_review(result.review))
    evidence = [(row.name, f"{row.n_items:,}", f"{row.n_against:,}", row.detail) for row in result.evidence]
    show_table("Evidence", ["kind", "items", "against the label", "from"], evidence)

"""`assay suspects`: rank items by how likely their gold label, or the item itself, is bad."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError
from assay.cli.options import data_options, output_options
from assay.cli.output import say
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish, shows_result, write_rows

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.suspects import Suspects


@click.command(cls=Verb)
@partial(data_options, optional=True, replaces_texts=("predictions", "probabilities"))
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

    The evidence: answers of systems, --probabilities, text models trained on DATA, copies with different labels, and
    broken texts. Without DATA, gold labels come from the column gold of --predictions.
    """
    from assay.suspects import find_suspects

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
    if options["out"]:
        write_items(options["out"], result)
    if not shows_result(options["json_"]):
        say(result.summary)
    settings = {"text_model": options["text_model"], "seed": options["seed"]}
    finish("suspects", result, options["json_"], settings, data)


def write_items(path: str, result: Suspects) -> None:
    """Write one row per item: id, label, suggested, suspicion, reasons."""
    import polars as pl

    write_rows(path, result.to_frame().with_columns(pl.col("suspicion").round(6)))

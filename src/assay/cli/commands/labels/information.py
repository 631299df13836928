"""`assay information`: what the labels of a dataset need beyond its shortcuts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, number_option, output_options
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish, write_rows

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.information import Information


@click.command(cls=Verb)
@data_options
@click.option("--shortcuts", metavar="NAMES", help="Shortcuts separated by commas.  [punctuation,stop-words,overlap]")
@click.option(
    "--column", "columns", multiple=True, metavar="COLUMN", help="A column of DATA to test as a further shortcut."
)
@click.option(
    "--ngrams",
    type=INPUT,
    metavar="FILE",
    help="Words or word sequences to test as a shortcut, one per line.",
)
@click.option("--stop-words", type=INPUT, metavar="FILE", help="Stop words of another language, one per line.")
@click.option(
    "--model", "models", multiple=True, metavar="NAME", help="Full model; repeatable, and the best one counts. [linear]"
)
@click.option(
    "--predictions",
    type=INPUT,
    multiple=True,
    metavar="FILE",
    help="Probabilities of your own model, or systems to rank.",
)
@number_option("--n-folds", 5, "Folds if DATA has no parts.", at_least=2)
@click.option("--cache", metavar="DIR", help="Folder for finished fits.  [the user's cache folder]")
@click.option("--no-cache", is_flag=True, help="Keep no finished fits and reuse none.")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the information of each item (TSV).")
@partial(output_options, jobs=-1)
def information(data: Dataset, json_: str | None, seed: int, out: str | None, **options: Any) -> None:
    """Measure how much information about the labels of DATA is left beyond shortcuts, in nats (Zhu et al. 2021)."""
    options["cache"] = None if options.pop("no_cache") else options["cache"] or True
    from assay.evaluation import read_predictions
    from assay.information import measure_information

    data = data.drop_unlabelled()
    result = measure_information(
        data,
        shortcuts=options["shortcuts"].split(",") if options["shortcuts"] else None,
        columns=options["columns"],
        ngrams=options["ngrams"],
        stop_words=options["stop_words"],
        models=options["models"] or ("linear",),
        predictions=read_predictions(list(options["predictions"]), data) if options["predictions"] else None,
        n_splits=options["n_folds"],
        random_state=seed,
        n_jobs=options["n_jobs"],
        backend=options["backend"],
        cache=options["cache"],
    )
    if out:
        _write_items(out, data, result)
    settings = {"shortcuts": options["shortcuts"], "models": ",".join(options["models"]) or None, "seed": seed}
    finish("information", result, json_, settings, data)


def _write_items(path: str, data: Dataset, result: Information) -> None:
    import polars as pl

    items = result.items.with_columns(id=data.ids.gather(result.items["row"]))
    write_rows(path, items.select("id", pl.exclude("row", "id")))

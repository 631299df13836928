"""`assay train`: fit models under a split and write their predictions, or study how splits and time change scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, number_option, output_options, refuse_unused, settings_option
from assay.cli.output import say
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits import Folds


@click.command(cls=Verb)
@data_options
@click.option("--model", "models", multiple=True, default=("linear",), show_default=True, help="Model; repeatable.")
@click.option(
    "--folds", type=INPUT, metavar="FILE", help="Folds or parts to train under; without it, the data's own parts."
)
@click.option("--predict", multiple=True, metavar="PART", help="Part to predict; test by default. Repeatable.")
@click.option(
    "--splits", metavar="NAMES", help="Compare split families: 'all', or names such as standard,random,length."
)
@click.option("--study", type=click.Choice(["drift"]), help="drift: how scores fall with the age of training data.")
@number_option("--repeats", 5, "Draws of each split.", at_least=1)
@click.option(
    "--new-sample", type=INPUT, metavar="FILE", help="Labelled data drawn later or elsewhere, to test --splits against."
)
@number_option("--slices", 8, "Training slices of the study.", at_least=3)
@click.option("--cache", metavar="DIR", help="Folder for finished fits.  [the user's cache folder]")
@click.option("--no-cache", is_flag=True, help="Keep no finished fits and reuse none.")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write predictions (TSV).")
@settings_option
@output_options
def train(data: Dataset, **options: Any) -> None:
    """Fit models on the parts or folds of DATA and predict the held-out items.

    -s NAME=VALUE sets a parameter of every model that has it, -s MODEL.NAME=VALUE sets it for one model, and
    -s preset=xiao-2022 sets all parameters as in that paper. Kinds of task without classes have one model,
    linear: the quick model of the kind. --splits compares it with models that see less and shows what harder splits
    cost. --jobs runs linear fits in parallel; the other models use all cores themselves.
    """
    from assay.models import MODELS, train, write_predictions

    for model in options["models"]:
        MODELS[model]
    work = {name: options[name] for name in ("settings", "n_jobs", "backend")} | {"random_state": options["seed"]}
    work["cache"] = None if options["no_cache"] else options["cache"] or True
    if options["study"] or options["splits"]:
        from assay.cli.studies import run_split_study

        run_split_study(data, options, work)
        return
    refuse_unused(("repeats", "slices", "new_sample"), "It belongs to --study or --splits.")
    if options["out"]:
        from assay.splits import check_ids

        check_ids(data.ids.to_list())
    elif not options["json_"]:
        say("Nothing is written: name a file for the predictions with -o.")
    run = train(data, options["models"], folds=_read_folds(options["folds"]), predict=options["predict"], **work)
    if options["out"]:
        write_predictions(options["out"], run)
    settings = {"models": list(options["models"]), "folds": options["folds"], "seed": options["seed"]}
    finish("train", run, options["json_"], settings | work["settings"], data)


def _read_folds(path: str | None) -> Folds | None:
    if path is None:
        return None
    from assay.splits import read_folds

    return read_folds(path)

"""`assay train`: fit models under a split and write their predictions, or study how splits and time change scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.results import wrap_result
from assay.cli.options import data_options, output_options, settings_option
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import INPUT, OUTPUT, Verb

if TYPE_CHECKING:
    from assay.data import Dataset


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
@click.option("--repeats", type=click.IntRange(min=1), default=5, show_default=True, help="Draws of each split.")
@click.option(
    "--new-sample", type=INPUT, metavar="FILE", help="Labelled data drawn later or elsewhere, to test --splits against."
)
@click.option(
    "--slices", type=click.IntRange(min=3), default=8, show_default=True, help="Training slices of the study."
)
@click.option("--cache", metavar="DIR", help="Where finished fits are kept.  [the user's cache folder]")
@click.option("--no-cache", is_flag=True, help="Keep nothing and reuse nothing.")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write predictions (TSV).")
@settings_option
@output_options
def train(data: Dataset, **options: Any) -> None:
    """Fit models under the parts or folds of DATA and predict what was held out.

    -s NAME=VALUE sets a parameter of every model that has it, -s MODEL.NAME=VALUE of one, -s preset=paper-000 all
    those of a paper.
    """
    from assay.models import MODELS

    for model in options["models"]:
        MODELS[model]
    running = {name: options[name] for name in ("settings", "n_jobs", "backend")} | {"random_state": options["seed"]}
    running["cache"] = None if options["no_cache"] else options["cache"] or True
    if options["study"] or options["splits"]:
        from assay.cli.train_studies import run_study

        run_study(data, options, running)
        return
    _train(data, options, running)


def _train(data: Dataset, options: dict[str, Any], running: dict[str, Any]) -> None:
    from assay.models import train as train_models
    from assay.models import write_predictions

    if not options["out"] and not options["json_"]:
        say("Nothing is written: name a file for the predictions with -o.")
    trained = train_models(
        data, options["models"], folds=_folds(options["folds"]), predict=options["predict"], **running
    )
    for note in trained.notes:
        say(note)
    if options["out"]:
        write_predictions(options["out"], trained)
    if options["json_"]:
        told = {"models": list(options["models"]), "folds": options["folds"], "seed": options["seed"]}
        write_json(options["json_"], wrap_result("train", trained, told | running["settings"], data))
    if options["json_"] != "-":
        rows = [(fit.system, fit.fold, fit.repeat, fit.n_train, fit.n_test, fit.accuracy) for fit in trained.fits]
        show_table("Fits", ["system", "fold", "repeat", "train", "test", "accuracy"], rows)


def _folds(path: str | None) -> Any:
    if path is None:
        return None
    from assay.splits import read_folds

    return read_folds(path)

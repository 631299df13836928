"""`assay evaluate`: what systems score, how sure that is, and whether they differ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.base.files import open_for_writing
from assay.base.results import wrap_result
from assay.cli.options import data_options, output_options, tokenizer_option
from assay.cli.output import say, write_json
from assay.cli.paths import INPUT, OUTPUT, Verb

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.evaluation import Evaluation

_BY = "fold, difficulty, time, part, label, length, or a column of the data; repeatable."


@click.command(cls=Verb)
@partial(data_options, optional=True)
@click.option(
    "--predictions",
    type=INPUT,
    multiple=True,
    required=True,
    metavar="FILE",
    help="Predictions, long or wide; repeatable.",
)
@click.option(
    "--folds", type=INPUT, multiple=True, metavar="FILE", help="Folds of a split; several are set side by side."
)
@click.option("--by", multiple=True, metavar="WHAT", help=f"Scores by {_BY}")
@click.option("--metric", multiple=True, metavar="NAME", help="Metrics; the first compares the systems. Repeatable.")
@click.option(
    "--item-scores", type=INPUT, multiple=True, metavar="FILE", help="Scores that rank items, beside wide predictions."
)
@click.option("--positive", metavar="LABEL", help="The positive label.")
@click.option(
    "--missing-predictions",
    type=click.Choice(["skip", "wrong", "error"]),
    default="skip",
    show_default=True,
    help="Items without a prediction: leave out, count as wrong, or stop.",
)
@click.option("--system", multiple=True, metavar="NAME", help="Only this system; repeatable.")
@click.option("--baseline", metavar="SYSTEM", help="A system whose errors are to be reduced.")
@click.option(
    "--new-sample", type=INPUT, metavar="FILE", help="Predictions, with gold, of the same systems on a new sample."
)
@click.option(
    "--correction", type=click.Choice(["holm", "bh"]), default="holm", show_default=True, help="Over all pairs."
)
@click.option(
    "--interval",
    type=click.Choice(["auto", "wilson", "bca", "percentile"]),
    default="auto",
    show_default=True,
    help="How intervals are made.",
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence of intervals.")
@click.option("--resamples", type=click.IntRange(min=10), default=1000, show_default=True, help="Bootstrap resamples.")
@click.option(
    "--threshold", default="dataset", show_default=True, help="Of --by difficulty: dataset, split or a number."
)
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write one row a system and metric (TSV).")
@tokenizer_option
@output_options
def evaluate(data: Dataset | None, **options: Any) -> None:
    """Score predictions, with intervals and the number of items behind every score.

    DATA gives gold and texts; without it the predictions' own column gold serves, and without that numeric cells are
    item scores. Systems are compared pair by pair on the items both answered.
    """
    result = _evaluated(data, options)
    for note in result.notes:
        say(note)
    if options["out"]:
        _write_scores(options["out"], result)
    if options["json_"] != "-":
        from assay.cli.evaluate_tables import show

        show(result)
    if options["json_"]:
        write_json(options["json_"], wrap_result("evaluate", result, _settings(options), data))


def _evaluated(data: Dataset | None, options: dict[str, Any]) -> Evaluation:
    from assay.evaluation import evaluate as score
    from assay.evaluation import read_predictions
    from assay.splits import read_folds

    predictions = read_predictions(
        list(options["predictions"]), data, list(options["item_scores"]) or None, systems=options["system"] or None
    )
    return score(
        predictions,
        metrics=options["metric"] or None,
        by=_unique(options["by"]),
        folds=[read_folds(path) for path in options["folds"]],
        positive=options["positive"],
        missing=options["missing_predictions"],
        baseline=options["baseline"],
        correction=options["correction"],
        new_sample=read_predictions(options["new_sample"]) if options["new_sample"] else None,
        interval=options["interval"],
        confidence=options["confidence"],
        n_resamples=options["resamples"],
        tokenizer=options["tokenizer"],
        threshold=options["threshold"],
        random_state=options["seed"],
    )


def _unique(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    told = ["metric", "by", "positive", "missing_predictions", "baseline", "correction", "interval", "confidence"]
    told += ["resamples", "threshold", "tokenizer", "seed"]
    settings = {name: options[name] for name in told}
    return {name: ",".join(value) or None if isinstance(value, tuple) else value for name, value in settings.items()}


def _write_scores(path: str, result: Evaluation) -> None:
    columns = ["system", "metric", "value", "low", "high", "n", "method"]
    with open_for_writing(path) as file:
        file.write("\t".join(columns) + "\n")
        for row in result.to_frame().to_dicts():
            file.write("\t".join("" if row[name] is None else str(row[name]) for name in columns) + "\n")

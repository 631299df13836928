"""`assay evaluate`: the scores of systems, with intervals, slices and comparisons."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import UsageError
from assay.cli.options import (
    choice_option,
    data_options,
    number_option,
    output_options,
    refuse_unused,
    shard_options,
    sign_options,
    tokenizer_option,
)
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish
from assay.system.files import open_for_writing

if TYPE_CHECKING:
    from assay.evaluation import Evaluation

_SLICES = "fold, difficulty, time, part, label, length, or a column of the data; repeatable."
_COLUMNS = ("system", "metric", "value", "low", "high", "n", "method")
# Options that decide the result, in the order in which the signature lists them.
_SIGNED = (
    *(
        "metric",
        "by",
        "human",
        "positive",
        "missing_predictions",
        "pass_at",
        "baseline",
        "correction",
        "pairs",
        "interval",
        "confidence",
    ),
    *("resamples", "threshold", "tokenizer", "seed"),
)


@click.command(cls=Verb)
@partial(data_options, optional=True, take_shards=("classification", "pairs", "graded"))
@click.option(
    "--predictions",
    type=INPUT,
    multiple=True,
    metavar="FILE",
    help="Predictions, long or wide; repeatable. Logs contain their own.",
)
@click.option("--folds", type=INPUT, multiple=True, metavar="FILE", help="Folds file of a split; repeatable.")
@click.option("--by", multiple=True, metavar="WHAT", help=f"Scores by {_SLICES}")
@click.option(
    "--metric",
    "--metrics",
    "metric",
    multiple=True,
    metavar="NAME",
    help="Metric; the first compares the systems. Repeatable.",
)
@click.option(
    "--item-scores", type=INPUT, multiple=True, metavar="FILE", help="Scores to rank items by, for wide predictions."
)
@click.option(
    "--human",
    multiple=True,
    metavar="COLUMN",
    help="Column of long predictions with scores by people, to correlate metrics with. Repeatable.",
)
@click.option("--positive", metavar="LABEL", help="The positive label.")
@click.option(
    "--difference",
    type=click.FloatRange(0, 1, min_open=True),
    multiple=True,
    metavar="SHARE",
    help="Plan the number of items that would show this difference between two systems; repeatable.  [0.01, 0.02, 0.05]",
)
@click.option(
    "--missing-predictions",
    type=click.Choice(["skip", "wrong", "error"]),
    help="Leave out empty and missing answers, count both as wrong, or stop with an error.  "
    "[empty answers are wrong, missing ones are left out]",
)
@click.option("--pass-at", metavar="K,…", help="pass@k, pass^k and majority@k of repeats, such as 1,10.")
@click.option("--system", multiple=True, metavar="NAME", help="Only this system; repeatable.")
@click.option(
    "--contrast",
    nargs=2,
    default=None,
    metavar="SYSTEM SYSTEM",
    help="List the items that one of two systems gets right and the other wrong.",
)
@click.option("--baseline", metavar="SYSTEM", help="Report how far each system reduces the errors of this one.")
@click.option("--baselines/--no-baselines", default=True, help="Score trivial baselines too.  [default: yes]")
@click.option(
    "--new-sample", type=INPUT, metavar="FILE", help="Predictions of the same systems on new items, with gold labels."
)
@choice_option("--correction", ["holm", "bh"], "Correction of p-values over all pairs of systems.")
@choice_option(
    "--pairs",
    ["auto", "all"],
    "Pairs of systems to compare. With more than 50 systems, auto takes all pairs of the 50 best, and the best with each.",
)
@choice_option("--interval", ["auto", "wilson", "bca", "percentile"], "Method of the intervals.")
@number_option("--confidence", 0.95, "Confidence of intervals.")
@number_option("--resamples", 1000, "Bootstrap resamples.", at_least=10)
@click.option(
    "--threshold", default="dataset", show_default=True, help="For --by difficulty: dataset, split or a number."
)
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write one row per system and metric (TSV).")
@click.option("--items", type=OUTPUT, metavar="FILE", help="Write one row per item, one column per system (TSV).")
@tokenizer_option
@shard_options
@output_options
def evaluate(data: Any, **options: Any) -> None:
    """Score predictions, with an interval and the number of items for every score.

    DATA has the gold labels and texts. Without DATA, gold labels are in the column gold of the predictions; if they
    have no such column, their numbers are item scores. Systems are compared pair by pair on the items that both
    answered.
    """
    from assay.evaluation import evaluate as evaluate_systems
    from assay.evaluation.repeats.power import DIFFERENCES

    if not options["out_of_core"]:
        refuse_unused(("cache",), "It goes with --out-of-core.")
    result = evaluate_systems(
        data,
        list(options["predictions"]) or None,
        metrics=options["metric"],
        by=options["by"],
        folds=list(options["folds"]),
        systems=options["system"] or None,
        item_scores=list(options["item_scores"]) or None,
        human=options["human"],
        positive=options["positive"],
        missing_predictions=options["missing_predictions"],
        pass_at=options["pass_at"] or (),
        differences=options["difference"] or DIFFERENCES,
        baseline=options["baseline"],
        baselines=options["baselines"],
        contrast=options["contrast"] or (),
        correction=options["correction"],
        pairs=options["pairs"],
        new_sample=options["new_sample"],
        interval=options["interval"],
        confidence=options["confidence"],
        n_resamples=options["resamples"],
        tokenizer=options["tokenizer"],
        threshold=options["threshold"],
        out_of_core=options["out_of_core"],
        cache=options["cache"],
        n_jobs=options["n_jobs"],
        backend=options["backend"],
        random_state=options["seed"],
    )
    if options["out"]:
        _write_scores(options["out"], result)
    if options["items"]:
        _write_items(options["items"], result)
    if options["out_of_core"] and data is not None:
        data = replace(data, n_rows=result.n_items)
    finish("evaluate", result, options["json_"], sign_options(options, _SIGNED), data)


def _write_items(path: str, result: Evaluation) -> None:
    if result.items is None:
        raise UsageError("--items has no effect: the items have no scores of their own.")
    with open_for_writing(path) as file:
        file.write("\t".join(map(_clean, result.items.columns)) + "\n")
        for row in result.items.iter_rows():
            file.write("\t".join("" if value is None else _clean(value) for value in row) + "\n")


def _clean(value: object) -> str:
    return " ".join(f"{value:g}".split()) if isinstance(value, float) else " ".join(str(value).split())


def _write_scores(path: str, result: Evaluation) -> None:
    with open_for_writing(path) as file:
        file.write("\t".join(_COLUMNS) + "\n")
        for row in result.to_frame().to_dicts():
            file.write("\t".join("" if row[name] is None else str(row[name]) for name in _COLUMNS) + "\n")

"""`assay review plan` and `assay review estimate`: what people find in some items, said about all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, number_option, result_options
from assay.cli.output import say
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.data import Dataset


def _review_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of both commands."""
    options = [
        click.option(
            "--suspects", type=INPUT, metavar="FILE", help="Output of assay suspects.  [default: search DATA]"
        ),
        click.option(
            "--predictions", type=INPUT, multiple=True, metavar="FILE", help="Answers of systems; repeatable."
        ),
        number_option(
            "--suspicion-share",
            0.3,
            "Share of the draws that follow the suspicion: a higher share finds more bad items but widens the intervals.",
            at_least=0,
            at_most=0.9,
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command(cls=Verb)
@data_options
@_review_options
@number_option("--budget", 60, "Number of items to review.", at_least=1)
@click.option(
    "-o", "--out", type=OUTPUT, required=True, metavar="FILE", help="Write the items to review (TSV; .csv, .parquet)."
)
@result_options
def plan(data: Dataset, **options: Any) -> None:
    """Draw items of DATA for people to review, each with a known probability.

    Suspicious items and items on which systems disagree are drawn more often; every item can be drawn. Fill in the
    columns verdict (ok, bad or what is wrong) and right_label, then run assay review estimate.
    """
    from assay.reviews import plan_review, write_plan

    names = ("budget", "suspicion_share")
    result = plan_review(
        data,
        options["suspects"],
        list(options["predictions"]) or None,
        random_state=options["seed"],
        **{name: options[name] for name in names},
    )
    write_plan(options["out"], result.to_frame())
    finish("review plan", result, options["json_"], {name: options[name] for name in (*names, "seed")}, data)
    say(f"Items to review: {options['out']}")


@click.command(cls=Verb)
@data_options
@click.option(
    "--reviewed",
    type=INPUT,
    multiple=True,
    required=True,
    metavar="FILE",
    help="The plan with verdicts; one file per reviewer.",
)
@_review_options
@click.option("--anytime", is_flag=True, help="Make intervals that hold for all batches together.")
@number_option("--confidence", 0.95, "Confidence of intervals.")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the reviewed items and a further batch.")
@click.option(
    "--budget", type=click.IntRange(min=1), help="Size of the further batch.  [default: that of the last one]"
)
@result_options
def estimate(data: Dataset, **options: Any) -> None:
    """Estimate the number of bad items in DATA, and corrected scores and ranks of systems, from a review.

    The intervals follow from the known probabilities of the draw, so they hold even if the suspicion is wrong.
    """
    from assay.base.errors import UsageError
    from assay.reviews import estimate_review, write_plan

    if options["budget"] and not options["out"]:
        raise UsageError(
            "has no effect without a file for the further batch", option="budget", hint="Name it with {out}."
        )
    names = ("confidence", "anytime", "suspicion_share")
    result = estimate_review(
        data,
        list(options["reviewed"]),
        list(options["predictions"]) or None,
        options["suspects"],
        budget=(options["budget"] or "same") if options["out"] else None,
        random_state=options["seed"],
        **{name: options[name] for name in names},
    )
    if result.plan is not None:
        write_plan(options["out"], result.plan)
    finish("review estimate", result, options["json_"], {name: options[name] for name in (*names, "seed")}, data)
    if result.plan is not None:
        say(f"Items to review next: {options['out']}")

"""`assay decide`: whether a candidate is better than a baseline, and a gate for CI."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.base.parameters import Options
from assay.cli.options import (
    choice_option,
    data_options,
    number_option,
    refuse_unused,
    result_options,
    sign_options,
    tokenizer_option,
)
from assay.cli.output import STEP_SUMMARY, append_step_summary, echo, say
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish
from assay.system.files import open_for_writing

if TYPE_CHECKING:
    from assay.decisions import Decision

_SIGNED = (
    "baseline",
    "candidate",
    "margin",
    "alpha",
    "metric",
    "by",
    "sequential",
    "gold",
    "missing_predictions",
    "seed",
)


@click.command(cls=Verb)
@partial(data_options, optional=True, pass_on=("scores", "predictions"))
@click.option(
    "--predictions",
    type=INPUT,
    multiple=True,
    metavar="FILE",
    help="Predictions, long or wide; repeatable. Logs contain their own.",
)
@click.option("--baseline", metavar="SYSTEM", help="The system to compare with.")
@click.option("--candidate", metavar="SYSTEM", help="The system that may be better.")
@number_option("--margin", 1.0, "Accepted loss in points; not-worse means that a larger loss is excluded.", at_least=0)
@number_option("--alpha", 0.05, "Probability of a false claim.")
@click.option(
    "--require",
    type=click.Choice(["better", "not-worse"]),
    help="Exit with 0 if this is established, 1 if it is refuted, 3 if it is undecided.",
)
@click.option(
    "--metric", "--metrics", "metric", multiple=True, metavar="NAME", help="Metric; the first decides. Repeatable."
)
@click.option(
    "--by", multiple=True, metavar="COLUMN", help="Slices to check for the opposite; repeatable.  [all columns]"
)
@click.option(
    "--sequential",
    is_flag=True,
    help="Make intervals that hold at every check while items are being run.",
)
@click.option("--plan", is_flag=True, help="Propose the items to run next; -o writes them.")
@number_option("--batch", 100, "Maximum number of items in a plan.", at_least=1)
@click.option(
    "--draws", type=INPUT, metavar="FILE", help="The plan that was followed, written earlier by --plan with -o."
)
@click.option(
    "--judge", type=INPUT, metavar="FILE", help="Scores of a judge on all items, with people's labels on some."
)
@click.option("--gold", metavar="COLUMN", help="Column with the labels of people.")
@click.option("--history", is_flag=True, help="Instead, find the runs that changed the score by more than noise.")
@click.option("--positive", metavar="LABEL", help="The positive label.")
@choice_option(
    "--missing-predictions",
    ["skip", "wrong", "error"],
    "Items that a system was not run on: leave out, count as wrong, or stop with an error.",
)
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write the plan (TSV).")
@click.option("--junit", type=OUTPUT, metavar="FILE", help="Write the gate as JUnit XML.")
@click.option("--step-summary", is_flag=True, help=f"Append the result as Markdown to the file ${STEP_SUMMARY}.")
@tokenizer_option
@result_options
def decide(data: Any, **options: Any) -> None:
    """Decide whether a candidate is better than a baseline: better, not-worse, worse or undecided.

    DATA is a dataset, logs, predictions with gold labels, or a table of scores with standard errors. The difference is
    paired by item, and by group if there are groups; repeats of an item are averaged.
    """
    from assay.decisions import decide as decide_systems

    if options["history"]:
        _trace_history(data, options)
        return

    has_plan = options["plan"] or bool(options["out"])
    if not has_plan:
        refuse_unused(("batch",), "It goes with --plan.")
    if options["draws"] and not options["sequential"]:
        say("The items of a plan were drawn with different probabilities: the interval is the one of --sequential.")
    result = decide_systems(
        data,
        list(options["predictions"]) or None,
        baseline=options["baseline"],
        candidate=options["candidate"],
        judge=options["judge"],
        gold=options["gold"],
        draws=options["draws"],
        margin=options["margin"],
        by=options["by"],
        sequential=options["sequential"] or bool(options["draws"]),
        plan=has_plan,
        batch=options["batch"],
        **_name_scoring(options),
    )
    if options["out"]:
        _write_plan(options["out"], result)
    if options["junit"]:
        _write_junit(options["junit"], result, options["require"])
    if options["step_summary"]:
        _append_summary(result, options["require"])
    is_dataset = data is not None and not isinstance(data, str)
    finish("decide", result, options["json_"], sign_options(options, _SIGNED), data if is_dataset else None)
    if options["require"]:
        _close_gate(result, options["require"], to_stderr=options["json_"] == "-")


def _name_scoring(options: Options) -> Options:
    """Return the arguments that decisions and histories have in common."""
    same = {name: options[name] for name in ("alpha", "positive", "missing_predictions", "tokenizer")}
    return same | {"metrics": options["metric"], "random_state": options["seed"]}


def _trace_history(data: Any, options: Options) -> None:
    """Print the runs that changed the score."""
    from assay.decisions import trace_history

    others = ("baseline", "require", "sequential", "plan", "batch", "draws", "judge", "gold", "out", "junit", "by")
    refuse_unused((*others, "step_summary", "margin"), "--history takes no baseline: it compares runs over time.")
    result = trace_history(
        data,
        list(options["predictions"]) or None,
        system=options["candidate"],
        **_name_scoring(options),
    )
    is_dataset = data is not None and not isinstance(data, str)
    finish("decide", result, options["json_"], sign_options(options, _SIGNED), data if is_dataset else None)


def _close_gate(result: Decision, require: str, *, to_stderr: bool) -> None:
    """Print one line for the build server, and exit with its status."""
    from assay.decisions.view import write_gate

    requirement = result.check(require)
    echo(" ".join(write_gate(result, requirement).split()), err=to_stderr)  # one line, never wrapped
    click.get_current_context().exit(requirement.exit_code)


def _write_plan(path: str, result: Decision) -> None:
    from assay.decisions.exports import write_plan

    with open_for_writing(path) as file:
        file.write(write_plan(result))


def _write_junit(path: str, result: Decision, require: str | None) -> None:
    from assay.decisions.exports import write_junit

    with open_for_writing(path) as file:
        file.write(write_junit(result, require or "not-worse"))


def _append_summary(result: Decision, require: str | None) -> None:
    from assay.decisions.exports import write_summary

    append_step_summary(write_summary(result, require))

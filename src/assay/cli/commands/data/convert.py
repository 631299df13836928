"""`assay convert`: the logs of evaluation harnesses as data and predictions."""

from __future__ import annotations

import click

from assay.cli.options import strict_option
from assay.cli.output import say
from assay.cli.paths import INPUT, OutputFolder, Verb
from assay.views.blocks import collect_blocks


@click.command(cls=Verb)
@click.argument("logs", type=INPUT, metavar="LOGS")
@click.option(
    "-o",
    "--out",
    type=OutputFolder(),
    required=True,
    metavar="DIR",
    help="Folder for data.parquet, predictions.parquet and responses.parquet.",
)
@click.option("--log-task", metavar="NAME", help="Only this task of the logs, or a pattern such as 'mmlu_*'.")
@click.option("--metric", metavar="NAME", help="The metric that scores free answers.")
@strict_option
def convert(logs: str, out: str, log_task: str | None, metric: str | None, strict: bool) -> None:
    """Write the items and the answers in LOGS as data.parquet and predictions.parquet.

    Runs are joined by the content of their items. If there are several tasks, each has its own folder. Other commands
    take LOGS directly, with the same result.
    """
    from assay.kinds.log_data import convert as convert_logs
    from assay.kinds.log_data import convert_tasks

    if log_task is None:
        results = convert_tasks(logs, out, metric=metric, strict=strict)
    else:
        results = (convert_logs(logs, out, log_task=log_task, metric=metric, strict=strict),)
    for note in dict.fromkeys(note for result in results for note in result.notes):
        say(note)
    for result in results:
        for sentence in collect_blocks(result.blocks()).sentences:
            say(sentence.text)
